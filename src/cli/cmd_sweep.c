/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sweep.c -- nssim sweep: the runs of a study, those that are missing or changed. */
#include "base/claim.h"
#include "base/clock.h"
#include "base/guard.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/job.h"
#include "cli/provenance.h"
#include "cli/signals.h"
#include "cli/sweep_folder.h"
#include "cli/sweep_progress.h"
#include "cli/sweep_slurm.h"
#include "io/results/sinks.h"
#include "study/collect.h"
#include "study/pool.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MAX = 1024, SHARES_MAX = 1000000, FAILURES_SHOWN = 3 };

typedef struct sweep {
  ns_ctx ctx;
  ns_claims claims;
  ns_arena *arena;
  double begin; /* of the command, monotonic clock */
  /* Options. */
  const char *path, *dir, *model, *trajectories;
  ns_words include, plugin_path;
  long long jobs, share, shares, tasks;
  int retry, dry, quiet, json;
  enum { NO_SLURM, WRITE, SUBMIT } slurm;
  ns_progress_how how;
  /* Made of them. */
  ns_run_origin provenance;
  ns_run_info info; /* of it, for the trajectories */
  ns_sweep_progress progress;
  ns_study_options options;
  ns_base *base;
  ns_manifest m;
  ns_journal *journal;
  int journal_fd;
  long long *todo;         /* malloced [ntodo] */
  long long ntodo, before; /* before: runs of the share that had been done */
} sweep;

/* ---- options --------------------------------------------------------------------------------- */

enum {
  KEY_MODEL = 0x300,
  KEY_SHARE,
  KEY_RETRY,
  KEY_DRY,
  KEY_TRAJECTORIES,
  KEY_PROGRESS,
  KEY_JSON,
  KEY_PLUGIN_PATH,
  KEY_INCLUDE,
  KEY_SLURM,
  KEY_TASKS
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Folder of the sweep: journals, tables, trajectories", 1},
    {"jobs", 'j', "N", 0,
     "Number of runs at the same time (default: the processors available to this process)", 1},
    {"model", KEY_MODEL, "FILE", 0, "The model, for a study that is a table", 1},
    {"trajectories", KEY_TRAJECTORIES, "h5|csv", 0,
     "Also write the results of each run to DIR/runs", 1},
    {"retry-failed", KEY_RETRY, 0, 0, "Repeat failed runs", 1},
    {"dry-run", KEY_DRY, 0, 0, "List the runs and their status without running any", 1},
    {0, 0, 0, 0, "Several processes and machines:", 2},
    {"share", KEY_SHARE, "I/N", 0,
     "Do the I-th of N shares of the runs, with I from 1; when all are done, run nssim sweep "
     "collect DIR",
     0},
    {"slurm", KEY_SLURM, "submit", OPTION_ARG_OPTIONAL,
     "Write DIR/slurm.sh, an array job whose tasks each do one share, and run nothing now; with "
     "submit, also submit it",
     0},
    {"tasks", KEY_TASKS, "N", 0,
     "Number of tasks of the array job (default 16); -j applies to each (default 1)", 0},
    {0, 0, 0, 0, "Messages:", 3},
    {"progress", KEY_PROGRESS, "HOW", 0,
     "auto (default: a bar on a terminal, otherwise lines), none, bar, lines (one every 5 s) or "
     "json (one object per line)",
     0},
    {"quiet", 'q', 0, 0, "Print only warnings and errors", 0},
    {"json", KEY_JSON, 0, 0, "Print the summary as a JSON object", 0},
    {0, 0, 0, 0, "Search paths:", 4},
    {"plugin-path", KEY_PLUGIN_PATH, "DIR", 0, "Also search DIR for plug-ins (repeatable)", 0},
    {"allow-include", KEY_INCLUDE, "DIR", 0,
     "Allow study and model to read files in DIR in addition to their own folders (repeatable)", 0},
    {0},
};

static const char doc[] =
    "Run a model many times with different values of its parameters, as specified by a study. "
    "Finished runs are not repeated.\n\n"
    "Examples:\n"
    "  nssim sweep study.xml -o DIR             missing and changed runs\n"
    "  nssim sweep study.xml --dry-run          list the runs\n"
    "  nssim sweep table.csv --model model.xml -o DIR\n"
    "  nssim sweep study.xml -o DIR --share 2/8   one of eight shares\n"
    "  nssim sweep study.xml -o DIR --slurm=submit\n"
    "  nssim sweep status DIR                   state of the runs and causes of failures\n"
    "  nssim sweep collect DIR                  make the tables of finished runs\n"
    "\vCtrl-C stops the current runs, keeps all finished ones, and ends with status 75; the same "
    "command then continues. If runs failed, the status is 70. man 5 nssim-study describes "
    "studies.";

static int share_of(const char *text, long long *i, long long *n)
{
  char first[32];
  const char *slash = strchr(text, '/');
  if (!slash || (size_t)(slash - text) >= sizeof first) return 0;
  snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
  return ns_console_integer(first, 1, i) && ns_console_integer(slash + 1, 1, n) && *i <= *n &&
         *n <= SHARES_MAX;
}

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {'o', NS_CONSOLE_TEXT, offsetof(sweep, dir), NULL, 0},
    {'j', NS_CONSOLE_WHOLE, offsetof(sweep, jobs), "-j", JOBS_MAX},
    {KEY_MODEL, NS_CONSOLE_TEXT, offsetof(sweep, model), NULL, 0},
    {KEY_TASKS, NS_CONSOLE_WHOLE, offsetof(sweep, tasks), "--tasks", SHARES_MAX},
    {KEY_RETRY, NS_CONSOLE_FLAG, offsetof(sweep, retry), NULL, 0},
    {KEY_DRY, NS_CONSOLE_FLAG, offsetof(sweep, dry), NULL, 0},
    {'q', NS_CONSOLE_FLAG, offsetof(sweep, quiet), NULL, 0},
    {KEY_JSON, NS_CONSOLE_FLAG, offsetof(sweep, json), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sweep *s = state->input;
  switch (key) {
  case KEY_SHARE:
    if (!share_of(arg, &s->share, &s->shares))
      ns_console_refuse(state, "--share '%s': expected I/N with I from 1 to N, such as 2/8", arg);
    return 0;
  case KEY_TRAJECTORIES:
    if (strcmp(arg, "h5") && strcmp(arg, "csv"))
      ns_console_refuse(state, "--trajectories '%s': expected h5 or csv", arg);
    s->trajectories = strcmp(arg, "h5") ? ".csv" : ".h5";
    return 0;
  case KEY_SLURM:
    if (arg && strcmp(arg, "submit"))
      ns_console_refuse(state, "--slurm '%s': expected submit, or nothing to only write the script",
                        arg);
    s->slurm = arg ? SUBMIT : WRITE;
    return 0;
  case KEY_PROGRESS:
    if (!ns_progress_parse(arg, &s->how))
      ns_console_refuse(state, "--progress '%s': expected auto, none, bar, lines or json", arg);
    return 0;
  case KEY_PLUGIN_PATH: return ns_words_add(s->arena, &s->plugin_path, arg);
  case KEY_INCLUDE: return ns_words_add(s->arena, &s->include, arg);
  case ARGP_KEY_ARG:
    if (s->path) ns_console_refuse(state, "two studies, '%s' and '%s': expected one", s->path, arg);
    s->path = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    ns_console_refuse(state, "no study given: expected a file such as study.xml");
    return 0;
  case ARGP_KEY_END:
    if (s->path && !s->dir && !s->dry)
      ns_console_refuse(state,
                        "no -o DIR given: expected the folder of the sweep (--dry-run needs none)");
    if (s->slurm && (s->dry || s->shares > 1))
      ns_console_refuse(
          state, "--slurm gives a share to each task: expected neither --share nor --dry-run");
    return 0;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp sweep_argp = {
    options, parse_option, "STUDY -o DIR\nstatus DIR\ncollect DIR", doc, 0, 0, 0};

/* ---- what is to be done ---------------------------------------------------------------------- */

static int read_study(void *arg)
{
  sweep *s = arg;
  ns_study *study;
  s->options = (ns_study_options){.model = s->model,
                                  .allow_include = s->include.word,
                                  .nallow = s->include.n,
                                  .plugin_path = s->plugin_path.word,
                                  .nplugin_path = s->plugin_path.n};
  int rc = ns_study_read(&s->ctx, s->path, &s->options, &study, &s->base);
  if (rc) return rc;
  rc = ns_claim_read(&s->ctx, s->path, "which the study is read from");
  if (!rc) rc = ns_claim_read(&s->ctx, study->model, "which the model is read from");
  int made = ns_manifest_make(&s->ctx, study, &s->m); /* takes it over */
  return rc ? rc : made;
}

/* Files of the folder may not be what the study is made of. */
static int claim_files(sweep *s)
{
  static const struct {
    const char *name, *what;
  } made[] = {{"manifest", "the manifest"},
              {"measures.csv", "the table of the sweep"},
              {"measures.h5", "the table of the sweep"},
              {"slurm.sh", "the script"}};
  char path[4096];
  int rc = NS_OK;
  for (size_t k = 0; k < sizeof made / sizeof *made && !rc; k++) {
    snprintf(path, sizeof path, "%s/%s", s->dir, made[k].name);
    rc = ns_claim_write(&s->ctx, path, made[k].what);
  }
  snprintf(path, sizeof path, "%s/journal-%lld-of-%lld", s->dir, s->share, s->shares);
  return rc ? rc : ns_claim_write(&s->ctx, path, "the journal");
}

static int open_folder(sweep *s)
{
  int changed, rc = ns_manifest_folder(&s->ctx, s->dir);
  if (!rc) rc = claim_files(s);
  if (!rc) rc = ns_journal_open(&s->ctx, s->dir, (int)s->share, (int)s->shares, &s->journal_fd);
  if (!rc) rc = ns_manifest_write(&s->ctx, s->dir, &s->m, s->journal_fd, &changed);
  if (rc) return rc;
  if (changed && !s->quiet)
    ns_note(&s->ctx, "%s: the study or its model has changed; unchanged runs are kept", s->dir);
  return NS_OK;
}

static int has_trajectory(const sweep *s, const ns_sweep_job *j, long long k)
{
  char path[NS_TRAJECTORY_PATH];
  return !s->trajectories || access(ns_sweep_trajectory(j, k, path), F_OK) == 0;
}

static int is_due(const sweep *s, const ns_sweep_job *j, long long k)
{
  const ns_outcome_of_run *o = ns_journal_find(s->journal, s->m.key[k]);
  return !o || (o->failed ? s->retry : !has_trajectory(s, j, k));
}

static int list_due(sweep *s, const ns_sweep_job *j)
{
  long long n = s->m.study->nruns;
  s->todo = malloc((size_t)(n / s->shares + 1) * sizeof *s->todo);
  if (!s->todo) return ns_nomem(&s->ctx, "list of runs");
  for (long long k = s->share - 1; k < n; k += s->shares)
    if (is_due(s, j, k)) s->todo[s->ntodo++] = k;
    else s->before++;
  return NS_OK;
}

static int print_runs(const sweep *s)
{
  char what[400];
  const ns_study *study = s->m.study;
  long long k = s->share - 1, at = 0;
  for (; k < study->nruns; k += s->shares) {
    int due = at < s->ntodo && s->todo[at] == k;
    const ns_outcome_of_run *o = ns_journal_find(s->journal, s->m.key[k]);
    at += due;
    printf("%lld  %s  %s\n", k + 1,
           due         ? "run"
           : o->failed ? "failed"
                       : "done",
           ns_study_describe(study, k, what, sizeof what));
  }
  printf("%lld runs, %lld to do\n", s->ntodo + s->before, s->ntodo);
  return NS_OK;
}

/* ---- doing it -------------------------------------------------------------------------------- */

static int processors(void)
{
  cpu_set_t set;
  const char *slurm = getenv("SLURM_CPUS_PER_TASK");
  long long n;
  if (slurm && ns_console_integer(slurm, 1, &n) && n <= JOBS_MAX) return (int)n;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return 1;
}

static int sweep_runs(sweep *s, ns_sweep_job *job, ns_pool_state *state)
{
  ns_model nothing = {0};
  ns_provenance_info(&s->provenance, &nothing, &s->info);
  job->info = &s->info;
  if (s->trajectories) {
    char name[16];
    snprintf(name, sizeof name, "run%s", s->trajectories);
    int rc = ns_sink_find(&s->ctx, name, &job->sink);
    if (rc) return rc;
  }
  ns_pool pool = {.job = *job,
                  .journal = s->journal_fd,
                  .workers = (int)(s->jobs ? s->jobs : processors()),
                  .run = s->todo,
                  .nruns = s->ntodo,
                  .show = ns_sweep_progress_show,
                  .to = &s->progress};
  ns_sweep_progress_begin(&s->progress, s->quiet ? NS_PROGRESS_NONE : s->how);
  int rc = ns_pool_run(&pool, &s->ctx, state);
  ns_sweep_progress_end(&s->progress, state);
  return rc;
}

/* The journals as they are now. */
static int read_again(sweep *s)
{
  ns_journal_destroy(s->journal);
  return ns_journal_read(&s->ctx, s->dir, &s->journal);
}

static void tell_failures(sweep *s)
{
  char what[200], why[700];
  int shown = 0;
  for (long long i = 0; i < s->ntodo && shown < FAILURES_SHOWN; i++) {
    long long k = s->todo[i];
    const ns_outcome_of_run *o = ns_journal_find(s->journal, s->m.key[k]);
    if (!o || !o->failed) continue;
    ns_record_unescape(o->message, (size_t)(o->message_end - o->message), why, sizeof why);
    ns_warn(&s->ctx, "run %lld (%s) failed: %s", k + 1,
            ns_study_describe(s->m.study, k, what, sizeof what), why);
    shown++;
  }
}

/* Exit code of the whole; what is to be said at the end. */
static int finish(sweep *s, int rc, const ns_pool_state *state)
{
  ns_sweep_counts n;
  if (rc != NS_OK && rc != NS_STOPPED) return rc;
  int bad = read_again(s);
  if (bad) return bad;
  tell_failures(s);
  if (s->shares == 1 && (bad = ns_collect_write(&s->ctx, s->dir, &s->m, s->journal))) return bad;
  ns_sweep_count(&s->m, s->journal, (int)s->share, (int)s->shares, &n);
  double loops = 0;
  for (long long i = 0; i < s->ntodo; i++) {
    const ns_outcome_of_run *o = ns_journal_find(s->journal, s->m.key[s->todo[i]]);
    loops += o ? o->wall : 0;
  }
  ns_sweep_summary y = {.dir = s->dir,
                        .n = n,
                        .done = state->done,
                        .wall = ns_clock() - s->begin,
                        .loops = loops,
                        .collected = s->shares == 1,
                        .stopped = rc == NS_STOPPED};
  bad = s->json ? ns_sweep_print_json(&s->ctx, &y) : s->quiet ? NS_OK : ns_sweep_print(&y);
  if (bad) return bad;
  if (rc == NS_STOPPED)
    return ns_fail(&s->ctx, rc,
                   "interrupted by SIG%s after %lld of %lld runs, which are on disk; the same "
                   "command continues",
                   sigabbrev_np(*ns_signals_caught()), n.complete + n.failed, n.runs);
  if (n.failed)
    return ns_fail(
        &s->ctx, NS_NUMERIC,
        "%lld of %lld runs failed; `nssim sweep status %s` shows why, --retry-failed repeats them",
        n.failed, n.runs, s->dir);
  if (n.killed)
    return ns_fail(&s->ctx, NS_STOPPED,
                   "%lld of %lld runs were killed, by a user or for lack of memory; the same "
                   "command repeats them; a smaller -j uses less memory",
                   n.killed, n.runs);
  return NS_OK;
}

static int array_job(sweep *s)
{
  int changed, rc = ns_manifest_folder(&s->ctx, s->dir);
  if (!rc) rc = claim_files(s);
  if (!rc) rc = ns_manifest_write(&s->ctx, s->dir, &s->m, -1, &changed);
  long long tasks = s->tasks ? s->tasks : 16, n = s->m.study->nruns;
  ns_slurm_job j = {.study = s->path,
                    .dir = s->dir,
                    .name = s->m.study->name,
                    .options = &s->options,
                    .trajectories = s->trajectories,
                    .retry = s->retry,
                    .tasks = tasks < n ? tasks : n,
                    .jobs = s->jobs ? s->jobs : 1};
  if (!rc) rc = ns_slurm_write(&s->ctx, s->arena, &j);
  if (rc) return rc;
  if (!s->quiet)
    printf("%s/slurm.sh: %lld runs in %lld tasks; when they are done: nssim sweep collect %s\n",
           s->dir, n, j.tasks, s->dir);
  return s->slurm == SUBMIT ? ns_slurm_submit(&s->ctx, s->dir) : NS_OK;
}

static int run(sweep *s)
{
  ns_pool_state state = {0};
  int rc = ns_guard_run(&s->ctx, read_study, s);
  if (rc) return rc;
  if (s->slurm) return array_job(s);
  ns_sweep_job job = {.m = &s->m,
                      .base = s->base,
                      .options = &s->options,
                      .dir = s->dir,
                      .trajectories = s->trajectories,
                      .stop = ns_signals_caught()};
  if (!s->dry) {
    ns_signals_ignore();
    if ((rc = open_folder(s))) return rc;
  }
  if ((rc = ns_journal_read(&s->ctx, s->dir ? s->dir : "", &s->journal))) return rc;
  if ((rc = list_due(s, &job))) return rc;
  if (s->dry) return print_runs(s);
  ns_signals_install();
  if (s->ntodo) rc = sweep_runs(s, &job, &state);
  return finish(s, rc, &state);
}

static void report(void *to, ns_severity sev, const char *msg)
{
  sweep *s = to;
  ns_sweep_progress_clear(&s->progress);
  ns_console_report(NULL, sev, msg);
}

static void fini(sweep *s)
{
  free(s->todo);
  ns_journal_destroy(s->journal);
  ns_base_destroy(s->base);
  ns_manifest_fini(&s->m);
  if (s->journal_fd >= 0) close(s->journal_fd);
  ns_arena_destroy(s->arena);
  ns_claims_fini(&s->claims);
}

int ns_cmd_sweep(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "status")) return ns_cmd_sweep_status(argc - 1, argv + 1);
  if (argc > 1 && !strcmp(argv[1], "collect")) return ns_cmd_sweep_collect(argc - 1, argv + 1);
  sweep s = {
      .begin = ns_clock(), .share = 1, .shares = 1, .journal_fd = -1, .ctx = {.report = report}};
  s.ctx.to = &s;
  s.ctx.claims = &s.claims;
  s.arena = ns_arena_create(0, 1);
  int rc = s.arena ? ns_provenance_init(&s.provenance, &s.ctx, s.arena, argc, argv)
                   : ns_nomem(&s.ctx, "command line");
  int status = rc == NS_OK ? ns_console_parse(&sweep_argp, argc, argv, &s) : ns_status_exit(rc);
  if (rc == NS_OK && status == 0) status = ns_status_exit(run(&s));
  fini(&s);
  return status;
}
