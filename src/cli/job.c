/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/job.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/team.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/paths.h"
#include "io/load/load.h"
#include "io/results/sinks.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

enum {
  KEY_RECORD = 0x100,
  KEY_EVERY,
  KEY_T_END,
  KEY_PLUGIN_PATH,
  KEY_INCLUDE,
  KEY_THREADS,
  KEY_SET
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Changes to the model:", 1},
    {"parameter", 'p', "NAME=VALUE", 0,
     "Set a parameter or, if no parameter has this name, an attribute of the simulation: T, h, "
     "solver, LCP.tolerance, scheme (repeatable)",
     0},
    {"set", KEY_SET, "PATH=VALUE", 0,
     "Set any attribute or text of the model: '#ball/q0=2 0', simulation/TimeStepping@h=1e-4 "
     "(repeatable)",
     0},
    {"t-end", KEY_T_END, "T", 0, "End at time T, in s", 0},
    {"threads", KEY_THREADS, "N", 0,
     "Number of threads, for models with many contacts; the results are the same, byte by byte", 0},
    {0, 0, 0, 0, "Results:", 2},
    {"record", KEY_RECORD, "PATTERNS", 0,
     "Record only these quantities: id.quantity with * and ?, separated by commas (repeatable)", 0},
    {"every", KEY_EVERY, "N", 0,
     "Record every N-th step; the first and the last are always recorded", 0},
    {0, 0, 0, 0, "Search paths:", 5},
    {"plugin-path", KEY_PLUGIN_PATH, "DIR", 0,
     "Also search DIR for plug-ins, after the folder of the model and before NSSIM_PLUGIN_PATH "
     "(repeatable)",
     0},
    {"allow-include", KEY_INCLUDE, "DIR", 0,
     "Allow the model to read files in DIR in addition to its own folder (repeatable)", 0},
    {0},
};

/* Append text[0..len). */
static int append(ns_arena *a, ns_words *w, const char *text, size_t len)
{
  const char **more = ns_arena_get(a, (size_t)w->n + 1, sizeof *more);
  char *copy = ns_arena_part(a, text, len);
  if (!more || !copy) return ENOMEM;
  for (int k = 0; k < w->n; k++) more[k] = w->word[k];
  more[w->n++] = copy;
  w->word = more;
  return 0;
}

int ns_words_add(ns_arena *a, ns_words *w, const char *text)
{
  return append(a, w, text, strlen(text));
}

/* Append the parts between separators; none may be empty unless `lax`, which skips them. */
static error_t add_parts(ns_job *s, ns_words *w, const char *text, char separator, int lax,
                         int *empty)
{
  *empty = 0;
  for (const char *p = text;; p++) {
    const char *end = strchrnul(p, separator);
    if (end != p) {
      error_t e = append(s->arena, w, p, (size_t)(end - p));
      if (e) return e;
    } else if (!lax) {
      *empty = 1;
    }
    if (!*end) return 0;
    p = end;
  }
}

/* The name ends as that of an output. */
static int is_output(const char *name)
{
  size_t n = strlen(name);
  for (const ns_sink_kind *k = ns_sink_kinds; k->name; k++) {
    size_t m = strlen(k->suffix);
    if (*k->suffix == '.' && n > m && !strcmp(name + n - m, k->suffix)) return 1;
  }
  return 0;
}

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {KEY_THREADS, NS_CONSOLE_WHOLE, offsetof(ns_job, threads), "--threads", NS_TEAM_MAX},
    {KEY_EVERY, NS_CONSOLE_WHOLE, offsetof(ns_job, every), "--every", INT_MAX},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  ns_job *s = state->input;
  int empty;
  error_t e;
  switch (key) {
  case ARGP_KEY_INIT:
    s->import.arena = s->arena;
    state->child_inputs[0] = &s->import;
    return 0;
  case 'p': {
    const char *equals = strchr(arg, '=');
    if (!equals || equals == arg || !equals[1])
      ns_console_refuse(state, "-p '%s': expected NAME=VALUE, such as -p e=0.8", arg);
    return ns_words_add(s->arena, &s->set, arg);
  }
  case KEY_SET:
    if (!strchr(arg, '=') || *arg == '=')
      ns_console_refuse(state, "--set '%s': expected PATH=VALUE, such as --set '#ball/q0=2 0'",
                        arg);
    return ns_words_add(s->arena, &s->setting, arg);
  case KEY_T_END:
    if (!ns_console_real(arg, &s->t_end))
      ns_console_refuse(state, "--t-end '%s': expected a time in s, such as 2.5", arg);
    return 0;
  case KEY_RECORD:
    e = add_parts(s, &s->record, arg, ',', 0, &empty);
    if (!e && empty)
      ns_console_refuse(
          state, "--record '%s': an empty pattern; expected id.quantity, such as 'ball.q'", arg);
    return e;
  case KEY_PLUGIN_PATH: return ns_words_add(s->arena, &s->plugin_path, arg);
  case KEY_INCLUDE: return ns_words_add(s->arena, &s->include, arg);
  case ARGP_KEY_ARG:
    if (s->path && is_output(arg))
      ns_console_refuse(
          state,
          "'%s' is a second file after the model, expected one; to write results there: -o %s", arg,
          arg);
    if (s->path)
      ns_console_refuse(state,
                        "two models, '%s' and '%s': expected one; run them one after the other",
                        s->path, arg);
    s->path = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    ns_console_refuse(state,
                      "no model given: expected a file such as model.xml, or - for standard input");
    return EINVAL;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp_child children[] = {{&ns_import_argp, 0, 0, 0}, {0}};
const struct argp ns_job_argp = {.options = options, .parser = parse_option, .children = children};

/* ---- the job --------------------------------------------------------------------------------- */

int ns_job_init(ns_job *s)
{
  *s = (ns_job){.ctx = ns_cli_context(), .t_end = NAN, .units = 1};
  s->ctx.claims = &s->claims;
  s->arena = ns_arena_create(0, 1);
  return s->arena ? NS_OK : ns_nomem(&s->ctx, "command line");
}

void ns_job_close(ns_job *s)
{
  ns_simulation_destroy(s->sim);
  ns_model_destroy(s->model);
  ns_plugins_destroy(s->plugins);
  ns_claims_fini(&s->claims);
  s->sim = NULL;
  s->model = NULL;
  s->plugins = NULL;
}

void ns_job_fini(ns_job *s)
{
  ns_job_close(s);
  ns_arena_destroy(s->arena);
  s->arena = NULL;
}

const char *const *ns_job_record(const ns_job *s, int *n)
{
  if (s->record.n) {
    *n = s->record.n;
    return s->record.word;
  }
  *n = s->model->out.nrecord;
  return s->model->out.record;
}

int ns_job_every(const ns_job *s) { return s->every ? (int)s->every : s->model->out.every; }

/* A folder given by an option must be one: a mistyped path is told here, not as a missing file
 * later. */
static int check_folders(ns_job *s, const char *option, const ns_words *w)
{
  for (int k = 0; k < w->n; k++) {
    struct stat st;
    if (stat(w->word[k], &st) != 0)
      return ns_fail(&s->ctx, NS_USAGE, "%s '%s': %s", option, w->word[k], strerror(errno));
    if (!S_ISDIR(st.st_mode))
      return ns_fail(&s->ctx, NS_USAGE, "%s '%s': not a folder", option, w->word[k]);
  }
  return NS_OK;
}

static int make_plugins(ns_job *s)
{
  const char *more = getenv("NSSIM_PLUGIN_PATH");
  int empty;
  if (more && *more && add_parts(s, &s->plugin_path, more, ':', 1, &empty) != 0)
    return ns_nomem(&s->ctx, "plug-in path");
  s->plugins = ns_plugins_create(&s->ctx, s->plugin_path.word, s->plugin_path.n);
  return s->plugins ? NS_OK : s->ctx.rc ? s->ctx.rc : ns_nomem(&s->ctx, "plug-ins");
}

static int apply_t_end(ns_job *s)
{
  ns_simulation_options *sim = &s->model->sim;
  if (isnan(s->t_end)) return NS_OK;
  if (s->t_end <= sim->t0)
    return ns_fail(&s->ctx, NS_USAGE,
                   "--t-end %g: expected a time after the model's start, t0 = %g s", s->t_end,
                   sim->t0);
  sim->T = s->t_end;
  return NS_OK;
}

/* Patterns are checked before any output is created. */
static int check_record(ns_job *s)
{
  const ns_channel *channels;
  int n, nchannels;
  size_t ncols;
  const char *const *pattern = ns_job_record(s, &n);
  if (n == 0) return NS_OK;
  ns_mark mark = ns_arena_mark(s->arena);
  ns_ctx quiet = {0};
  int rc = ns_channels_select(&quiet, s->model, pattern, n, s->arena, &channels, &nchannels,
                              &ncols);
  ns_arena_release(s->arena, mark);
  if (rc == NS_USAGE && !s->record.n && s->model->out.at.file) /* the model asks for it */
    return ns_fail_at(&s->ctx, NS_MODEL, &s->model->out.at, "%s", quiet.msg);
  return rc ? ns_fail(&s->ctx, rc, "%s", quiet.msg) : NS_OK;
}

/* A file that is not there, of the name of a model that comes with nssim: guides write its path in
 * the source tree. */
static void note_example(ns_job *s)
{
  const char *slash = strrchr(s->path, '/'), *name = slash ? slash + 1 : s->path;
  int n = (int)strcspn(name, ".");
  char model[PATH_MAX], found[PATH_MAX];
  snprintf(model, sizeof model, "models/%.*s/%s", n, name, name);
  if (!strcmp(name + n, ".xml") && ns_paths_data(model, found, sizeof found))
    ns_note(&s->ctx, "`nssim example %.*s` copies the example of this name to a new folder", n,
            name);
}

/* Plug-ins run from here on: their masses are evaluated when the model is checked. */
static int open_guarded(void *arg)
{
  ns_job *s = arg;
  ns_load_options load = {.import = &s->import.import,
                          .set = s->set.word,
                          .nset = s->set.n,
                          .option = s->setting.word,
                          .noption = s->setting.n,
                          .units = s->units,
                          .allow_include = s->include.word,
                          .nallow = s->include.n};
  double begin = ns_clock(), loaded;
  int rc = ns_load_file(&s->ctx, s->path, &load, s->plugins, &s->model);
  s->load_seconds = (loaded = ns_clock()) - begin;
  if (rc == NS_NOINPUT && access(s->path, F_OK) != 0) note_example(s);
  if (rc == NS_MODEL && s->setting.n)
    ns_note(&s->ctx,
            "the model with --set %s%s: line numbers are those of the file, contents are those "
            "with --set",
            s->setting.word[0], s->setting.n > 1 ? " ..." : "");
  if (rc != NS_OK) return rc;
  if ((rc = apply_t_end(s)) != NS_OK) return rc;
  if (s->threads) s->model->sim.osnsp.threads = (int)s->threads;
  if ((rc = check_record(s)) != NS_OK) return rc;
  if ((rc = ns_plugins_begin(s->plugins, &s->ctx)) != NS_OK) return rc;
  rc = ns_simulation_create(&s->ctx, s->model, &s->sim);
  s->setup_seconds = ns_clock() - loaded;
  return rc;
}

int ns_job_open(ns_job *s)
{
  int rc;
  if ((rc = check_folders(s, "--plugin-path", &s->plugin_path)) != NS_OK) return rc;
  if ((rc = check_folders(s, "--allow-include", &s->include)) != NS_OK) return rc;
  if ((rc = make_plugins(s)) != NS_OK) return rc;
  return ns_guard_run(&s->ctx, open_guarded, s);
}
