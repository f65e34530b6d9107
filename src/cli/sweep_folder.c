/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_folder.c -- nssim sweep status and collect. */
#include "cli/sweep_folder.h"

#include "cli/cli.h"
#include "cli/console.h"
#include "io/json.h"
#include "study/collect.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void ns_sweep_count(const ns_manifest *m, const ns_journal *j, int share, int shares,
                    ns_sweep_counts *n)
{
  *n = (ns_sweep_counts){0};
  for (long long k = share - 1; k < m->study->nruns; k += shares) {
    const ns_outcome_of_run *o = ns_journal_find(j, m->key[k]);
    n->runs++;
    if (!o && ns_journal_killed(j, m->key[k])) n->killed++;
    if (!o) n->missing++;
    else if (o->failed) n->failed++;
    else n->complete++;
    n->wall += o ? o->wall : 0;
  }
}

/* ---- the end of a sweep ---------------------------------------------------------------------- */

/* Killed runs are as good as interrupted: the same command does them. */
static const char *end_of(const ns_sweep_summary *y)
{
  if (y->stopped) return "interrupted";
  if (y->n.failed) return "failed";
  return y->n.killed ? "interrupted" : "complete";
}

int ns_sweep_print(const ns_sweep_summary *y)
{
  printf("%s: %lld of %lld runs complete", end_of(y), y->n.complete, y->n.runs);
  if (y->n.failed) printf(", %lld failed", y->n.failed);
  if (y->n.missing) printf(", %lld missing", y->n.missing);
  if (y->n.killed) printf(" (%lld killed)", y->n.killed);
  printf("; %lld of them now in %s", y->done, ns_console_duration(y->wall).text);
  if (y->done) printf(" (their steps: %s)", ns_console_duration(y->loops).text);
  if (y->collected) printf("; %s/measures.csv, .h5\n", y->dir);
  else printf("; when all shares are done: nssim sweep collect %s\n", y->dir);
  return NS_OK;
}

static void put_counts(ns_json *j, const ns_sweep_counts *n)
{
  ns_json_put(j, NS_JSON_INTEGER("runs", n->runs), NS_JSON_INTEGER("complete", n->complete),
              NS_JSON_INTEGER("failed", n->failed), NS_JSON_INTEGER("missing", n->missing),
              NS_JSON_INTEGER("killed", n->killed));
}

static int write_page(ns_ctx *c, ns_json j)
{
  if (ns_json_page(j, 17, stdout) == 0 && fflush(stdout) == 0) return NS_OK;
  return ns_fail(c, NS_OUTPUT, "standard output: cannot write: %s", strerror(errno));
}

int ns_sweep_print_json(ns_ctx *c, const ns_sweep_summary *y)
{
  ns_json j = ns_json_of(NS_JSON_TEXT("status", end_of(y)));
  put_counts(&j, &y->n);
  ns_json_put(&j, NS_JSON_INTEGER("done", y->done), NS_JSON_REAL("wall", y->wall),
              NS_JSON_REAL("loops", y->loops), NS_JSON_FLAG("collected", y->collected),
              NS_JSON_TEXT("folder", y->dir));
  return write_page(c, j);
}

/* ---- status, collect ------------------------------------------------------------------------- */

typedef struct folder {
  ns_ctx ctx;
  const char *dir;
  int json, all;
  ns_manifest m;
  ns_journal *j;
} folder;

enum { KEY_JSON = 0x400, KEY_ALL, FAILURES_SHOWN = 10 };

static const struct argp_option status_options[] = {
    {"json", KEY_JSON, 0, 0, "Print a JSON object", 0},
    {"all", KEY_ALL, 0, 0, "Show all failures, not only the first 10", 0},
    {0},
};
static const struct argp_option no_options[] = {{0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  folder *f = state->input;
  switch (key) {
  case KEY_JSON: f->json = 1; return 0;
  case KEY_ALL: f->all = 1; return 0;
  case ARGP_KEY_ARG:
    if (f->dir) ns_console_refuse(state, "two folders, '%s' and '%s': expected one", f->dir, arg);
    f->dir = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    ns_console_refuse(state, "no folder given: expected that of a sweep");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp status_argp = {
    status_options,
    parse_option,
    "DIR",
    "Show what a sweep has done, what is missing, and why runs failed.\n\nExamples:\n  nssim sweep "
    "status DIR\n  nssim sweep status DIR --json\n",
    0,
    0,
    0};
static const struct argp collect_argp = {
    no_options,
    parse_option,
    "DIR",
    "Write DIR/measures.csv and DIR/measures.h5: a row for each run of the study, in order, with "
    "the measures of finished runs.\n\n"
    "Examples:\n"
    "  nssim sweep collect DIR\n",
    0,
    0,
    0};

static int open_folder(folder *f)
{
  int rc = ns_manifest_read(&f->ctx, f->dir, &f->m);
  return rc ? rc : ns_journal_read(&f->ctx, f->dir, &f->j);
}

static const char *message(const ns_outcome_of_run *o, char *buf, size_t n)
{
  return ns_record_unescape(o->message, (size_t)(o->message_end - o->message), buf, n);
}

static int print_status(folder *f)
{
  char what[300], why[1024];
  ns_sweep_counts n;
  const ns_study *s = f->m.study;
  ns_sweep_count(&f->m, f->j, 1, 1, &n);
  printf("%s: %s on %s\n", f->dir, s->path, s->model);
  printf("  runs       %lld: %lld complete, %lld failed, %lld missing\n", n.runs, n.complete,
         n.failed, n.missing);
  printf("  steps      %s in all\n", ns_console_duration(n.wall).text);
  if (ns_journal_damaged(f->j))
    printf("  truncated  %ld records, by a kill or a full disk\n", ns_journal_damaged(f->j));
  long long shown = 0;
  for (long long k = 0; k < s->nruns && (f->all || shown < FAILURES_SHOWN); k++) {
    const ns_outcome_of_run *o = ns_journal_find(f->j, f->m.key[k]);
    if (!o || !o->failed) continue;
    printf("  failed     run %lld (%s): %s\n", k + 1, ns_study_describe(s, k, what, sizeof what),
           message(o, why, sizeof why));
    shown++;
  }
  if (n.failed > shown) printf("  failed     %lld more; --all shows them\n", n.failed - shown);
  for (long long k = 0, told = 0; k < s->nruns && (f->all || told < FAILURES_SHOWN); k++) {
    const ns_outcome_of_run *o = ns_journal_killed(f->j, f->m.key[k]);
    if (!o) continue;
    printf("  killed     run %lld (%s): %s\n", k + 1, ns_study_describe(s, k, what, sizeof what),
           message(o, why, sizeof why));
    told++;
  }
  return NS_OK;
}

static int print_status_json(folder *f)
{
  char why[1024];
  ns_sweep_counts n;
  ns_json j = ns_json_object(), list = ns_json_array();
  ns_sweep_count(&f->m, f->j, 1, 1, &n);
  ns_json_put(&j, NS_JSON_TEXT("study", f->m.study->path),
              NS_JSON_TEXT("model", f->m.study->model));
  put_counts(&j, &n);
  ns_json_put(&j, NS_JSON_REAL("loops", n.wall),
              NS_JSON_INTEGER("damaged", ns_journal_damaged(f->j)));
  for (long long k = 0; k < f->m.study->nruns; k++) {
    const ns_outcome_of_run *o = ns_journal_find(f->j, f->m.key[k]);
    if (!o || !o->failed) continue;
    ns_json_add(&list, ns_json_of(NS_JSON_INTEGER("run", k + 1), NS_JSON_TEXT("key", f->m.key[k]),
                                  NS_JSON_INTEGER("exit", o->exit),
                                  NS_JSON_TEXT("message", message(o, why, sizeof why))));
  }
  ns_json_member(&j, "failures", list);
  return write_page(&f->ctx, j);
}

static int collect(folder *f)
{
  ns_sweep_counts n;
  int rc = ns_collect_write(&f->ctx, f->dir, &f->m, f->j);
  if (rc) return rc;
  ns_sweep_count(&f->m, f->j, 1, 1, &n);
  if (n.missing)
    ns_warn(&f->ctx, "%lld of %lld runs are missing; their rows are marked", n.missing, n.runs);
  printf("%s/measures.csv, .h5: %lld runs, %lld complete, %lld failed\n", f->dir, n.runs,
         n.complete, n.failed);
  return NS_OK;
}

static int command(const struct argp *a, const char *name, int argc, char **argv,
                   int (*run)(folder *f))
{
  folder f = {.ctx = ns_cli_context()};
  char who[64];
  snprintf(who, sizeof who, "nssim sweep %s", name);
  argv[0] = who;
  int status = ns_console_parse(a, argc, argv, &f);
  if (status) return status;
  int rc = open_folder(&f);
  if (!rc) rc = run(&f);
  ns_journal_destroy(f.j);
  ns_manifest_fini(&f.m);
  return ns_status_exit(rc);
}

static int status_of(folder *f) { return f->json ? print_status_json(f) : print_status(f); }

int ns_cmd_sweep_status(int argc, char **argv)
{
  return command(&status_argp, "status", argc, argv, status_of);
}
int ns_cmd_sweep_collect(int argc, char **argv)
{
  return command(&collect_argp, "collect", argc, argv, collect);
}
