/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_run.c -- nssim run: load, step, record, certify. */
#include "base/clock.h"
#include "base/guard.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/dump.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "cli/provenance.h"
#include "cli/restart.h"
#include "cli/signals.h"
#include "cli/summary.h"
#include "cli/target.h"
#include "cli/understood.h"
#include "cli/version.h"
#include "io/json.h"
#include "io/results/sinks.h"
#include "simulation/step/user_events.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct run {
  ns_job s;           /* first: its options are parsed by ns_job_argp */
  ns_dump dump;       /* its options are parsed by ns_dump_argp */
  ns_restart restart; /* by ns_restart_argp */
  /* Options. */
  const char *output; /* NULL: none */
  ns_progress_how how;
  long long max_steps;
  int quiet, json, timing, backup;
  /* Of the run itself. */
  double begin; /* of the command, monotonic clock */
  ns_run_origin provenance;
  ns_progress progress;
  ns_recorder *recorder;
  int rows_fd;                     /* where the rows of -o - go */
  double loop_begin, loop_seconds; /* this time */
  double loop_before;              /* in the runs that this one goes on from */
  long long first_step;
  const char *stuck; /* plug-in whose call was given up; NULL: none */
} run;

/* ---- options --------------------------------------------------------------------------------- */

enum { KEY_PROGRESS = 0x200, KEY_MAX_STEPS, KEY_JSON, KEY_TIMING, KEY_BACKUP };

static const struct argp_option options[] = {
    {"output", 'o', "PATH", 0,
     "Write results to PATH, as HDF5 or CSV by its suffix (.h5, .csv); - writes CSV to standard "
     "output. Without it no results are written",
     2},
    {"backup", KEY_BACKUP, 0, 0, "Keep an existing PATH as PATH~ instead of overwriting it", 2},
    {"max-steps", KEY_MAX_STEPS, "N", 0, "Stop after N steps, with status 75", 3},
    {0, 0, 0, 0, "Messages:", 4},
    {"progress", KEY_PROGRESS, "HOW", 0,
     "auto (default: a bar on a terminal, otherwise lines), none, bar, lines (one every 5 s) or "
     "json (one object per line)",
     0},
    {"quiet", 'q', 0, 0, "Print only errors, and warnings about the run itself", 0},
    {"json", KEY_JSON, 0, 0, "Print the summary as a JSON object", 0},
    {"timing", KEY_TIMING, "json", 0, "Print a line of timings on standard error at the end", 0},
    {0},
};

static const char doc[] =
    "Run a model from t0 to T, write results, and print a summary. Its last line certifies the "
    "accuracy of the results.\n\n"
    "Examples:\n"
    "  nssim model.xml -o out.h5                run a model, write HDF5\n"
    "  nssim model.xml -p e=0.8 -o out.csv      change a parameter, write CSV\n"
    "  nssim model.xml -o - --record 'ball.*' | head\n"
    "  nssim model.xml --json                   print the summary as JSON\n"
    "  nssim model.xml -o out.h5 --resume auto  start, or resume an earlier run\n"
    "\vCtrl-C finishes the step, writes the results so far and, with --checkpoint or --resume, a "
    "checkpoint, and ends with status 75. Exit statuses: nssim list statuses.";

static const ns_console_target targets[] = {
    {'q', NS_CONSOLE_FLAG, offsetof(run, quiet), NULL, 0},
    {KEY_JSON, NS_CONSOLE_FLAG, offsetof(run, json), NULL, 0},
    {KEY_BACKUP, NS_CONSOLE_FLAG, offsetof(run, backup), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  run *r = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &r->s;
    state->child_inputs[1] = &r->dump;
    state->child_inputs[2] = &r->restart;
    return 0;
  case 'o':
    if (!*arg)
      ns_console_refuse(state, "-o '': expected a path, such as out.h5, or - for standard output");
    if (r->output)
      ns_console_refuse(state, "two outputs, '%s' and '%s': expected one", r->output, arg);
    r->output = arg;
    return 0;
  case KEY_PROGRESS:
    if (!ns_progress_parse(arg, &r->how))
      ns_console_refuse(state, "--progress '%s': expected auto, none, bar, lines or json", arg);
    return 0;
  case KEY_TIMING:
    if (strcmp(arg, "json") != 0) ns_console_refuse(state, "--timing '%s': expected json", arg);
    r->timing = 1;
    return 0;
  case KEY_MAX_STEPS:
    if (!ns_console_integer(arg, 1, &r->max_steps))
      ns_console_refuse(state, "--max-steps '%s': expected a whole number from 1", arg);
    return 0;
  case ARGP_KEY_END:
    if (r->json && r->output && strcmp(r->output, "-") == 0)
      ns_console_refuse(
          state, "--json and -o - both write to standard output; write the results to a file");
    return 0;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp_child children[] = {
    {&ns_job_argp, 0, 0, 0}, {&ns_dump_argp, 0, 0, 0}, {&ns_restart_argp, 0, 0, 0}, {0}};
static const struct argp run_argp = {options, parse_option, "MODEL.xml", doc, children, 0, 0};

/* ---- messages -------------------------------------------------------------------------------- */

static int to_stdout(const run *r) { return r->output && strcmp(r->output, "-") == 0; }

/* 1 if nobody reads standard output any more, as in `nssim model.xml -o - | head`. */
static int reader_gone(const run *r)
{
  struct pollfd p = {.fd = r->rows_fd};
  return to_stdout(r) && poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP));
}

static void report(void *to, ns_severity sev, const char *msg)
{
  run *r = to;
  if (sev == NS_SEV_NOTE && r->quiet) return;
  /* finish() says why */
  if (sev == NS_SEV_ERROR && r->s.ctx.rc == NS_STOPPED && r->s.ctx.nerrors == 1) return;
  if (sev == NS_SEV_ERROR && r->recorder && reader_gone(r)) return;
  ns_progress_clear(&r->progress);
  ns_console_report(NULL, sev, msg);
}

/* Signs of life while the model is loaded and the run is prepared. */
static void alive(void *to, const char *doing, long done, long of)
{
  run *r = to;
  ns_progress_alive(&r->progress, doing, done, of);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Where the run resumes, c is not that of the job: the output may be of no use. */
static int open_recorder(run *r, ns_ctx *c, const ns_sink_ops *sink)
{
  ns_job *s = &r->s;
  int n;
  const char *const *pattern = ns_job_record(s, &n);
  const ns_state *x = ns_simulation_state(s->sim);
  ns_run_info info;
  ns_provenance_info(&r->provenance, s->model, &info);
  if (!r->restart.found)
    return ns_recorder_create(c, s->model, x, sink, r->output, &info, pattern, n, ns_job_every(s),
                              &r->recorder);
  info.started = r->restart.k.started;
  return ns_recorder_resume(c, s->model, x, sink, r->output, &info, pattern, n, ns_job_every(s),
                            &r->restart.k.body, &r->recorder);
}

static int is_pipe(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Rows on standard output are data: what a plug-in prints goes to the messages. */
static void part_streams(run *r)
{
  if (!to_stdout(r) || !r->s.model->uses_plugins) return;
  int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd < 0) return;
  r->rows_fd = fd;
  fflush(stdout);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void show_progress(void *to, const ns_state *x, double fraction)
{
  run *r = to;
  ns_progress_show(&r->progress, x, fraction);
}

static void dump_problem(void *to, long long step, double t, const ns_shown *p,
                         const ns_outcome *out)
{
  run *r = to;
  ns_dump_problem(&r->dump, step, t, p, out);
}

static double loop_seconds(const run *r) { return r->loop_before + ns_clock() - r->loop_begin; }

static ns_due due(void *to) { return ns_restart_due(&((run *)to)->restart); }

static int checkpoint(void *to, ns_ctx *c, ns_checkpoint_why why)
{
  run *r = to;
  (void)c; /* that of the job */
  return ns_restart_save(&r->restart, &r->s, r->recorder, loop_seconds(r), why);
}

static int restore(void *arg)
{
  run *r = arg;
  return ns_restart_restore(&r->restart, &r->s);
}

/* When --max-wall is reached, by ns_clock; 0: never. */
static double wall_limit(const run *r)
{
  return r->restart.max_wall > 0 ? r->begin + r->restart.max_wall : 0;
}

static int steps(void *arg)
{
  run *r = arg;
  ns_watch watch = {.stop = ns_signals_caught(),
                    .until = wall_limit(r),
                    .max_steps = r->max_steps,
                    .progress = show_progress,
                    .problem = r->dump.folder ? dump_problem : NULL,
                    .to = r,
                    .due = due,
                    .checkpoint = r->restart.on ? checkpoint : NULL,
                    .checkpoint_every = r->restart.every};
  return ns_simulation_run(r->s.sim, &r->s.ctx, r->recorder, &watch);
}

/* A call of a plug-in that goes on so long after the end of the run was wanted is given up, s. */
static const double GRACE = 2;

static int guarded_steps(run *r)
{
  double limit = wall_limit(r);
  ns_guard_limit l = {.stop = ns_signals_caught(),
                      .deadline = limit > 0 ? fmax(limit - ns_clock(), 1e-3) : 0,
                      .grace = GRACE};
  int rc = ns_guard_run_limited(&r->s.ctx, steps, r, &l);
  r->stuck = l.stuck;
  return rc;
}

static ns_progress_how progress_of(const run *r) { return r->quiet ? NS_PROGRESS_NONE : r->how; }

/* --max-wall was reached inside a step, and no signal. */
static int is_out_of_time(const run *r)
{
  double limit = wall_limit(r);
  return !*ns_signals_caught() && (r->stuck || (limit > 0 && ns_clock() >= limit));
}

/* Step to the end, whatever end it is. */
static int step_all(run *r)
{
  const ns_model *m = r->s.model;
  ns_progress_begin(&r->progress, progress_of(r), ns_simulation_state(r->s.sim), m->sim.t0,
                    m->sim.T);
  r->loop_begin = ns_clock();
  int rc = m->uses_plugins ? guarded_steps(r) : steps(r);
  r->loop_seconds = ns_clock() - r->loop_begin;
  if (rc == NS_STOPPED) r->restart.timed_out |= is_out_of_time(r);
  ns_progress_end(&r->progress, ns_simulation_state(r->s.sim));
  return rc;
}

/* Why a run stopped before T though nothing failed; "" otherwise. */
static void say_why(const run *r, int rc, char *buf, size_t n)
{
  int sig = *ns_signals_caught();
  buf[0] = '\0';
  if (rc != NS_STOPPED) return;
  if (sig) snprintf(buf, n, "interrupted by SIG%s", sigabbrev_np(sig));
  else if (r->restart.timed_out)
    snprintf(buf, n, "stopped after %.6g s of wall clock, by --max-wall", r->restart.max_wall);
  else snprintf(buf, n, "stopped after %lld steps, by --max-steps", r->max_steps);
  size_t k = strlen(buf);
  if (r->stuck)
    snprintf(buf + k, n - k, "; plug-in \"%.100s\" did not return, its step is abandoned",
             r->stuck);
}

/* The event of the model that ended the run. */
static void say_stop(const run *r, char *buf, size_t n)
{
  double t;
  const ns_user_event *e = ns_user_events_stopped(r->s.model, ns_simulation_state(r->s.sim), &t);
  if (e) snprintf(buf, n, "stopped by the event %.200s at t = %.10g s", e->id, t);
}

static const char *status_text(int rc)
{
  return rc == NS_OK ? "complete" : rc == NS_STOPPED ? "interrupted" : "failed";
}

static int summarise(run *r, const ns_summary *y)
{
  FILE *f = to_stdout(r) ? stderr : stdout;
  int rc = NS_OK;
  if (r->json) {
    if (ns_json_page(ns_summary_json(y), 17, f) != 0 || fflush(f) != 0)
      rc = ns_fail(&r->s.ctx, NS_OUTPUT, "standard output: cannot write the summary: %s",
                   strerror(errno));
  } else if (!r->quiet && !reader_gone(r)) {
    ns_summary_text(y, f);
  }
  if (r->timing) ns_json_line(ns_summary_timing(y), stderr);
  return rc;
}

/* Close the output and tell; the first failure decides the exit status, a failed close before a
 * stop. */
static int finish(run *r, int rc)
{
  char why[320], finished[NS_PROVENANCE_DATE], stop[320] = "";
  say_why(r, rc, why, sizeof why);
  if (rc == NS_OK) say_stop(r, stop, sizeof stop);
  const char *message = *why ? why : rc == NS_OK ? stop : r->s.ctx.msg;
  ns_run_result result = {.status = status_text(rc),
                          .message = message,
                          .exit = ns_status_exit(rc),
                          .finished = ns_provenance_now(finished),
                          .wall = r->loop_before + r->loop_seconds,
                          .state = ns_simulation_state(r->s.sim)};
  int closed = ns_recorder_close(r->recorder, &r->s.ctx, &result);
  if (closed < 0 && (rc == NS_OK || rc == NS_STOPPED)) rc = closed;
  ns_dump_end(&r->dump);
  if (*why && rc == NS_STOPPED && r->restart.on && r->stuck)
    ns_warn(&r->s.ctx,
            "%s: t = %.6g s of %.6g s; no checkpoint can be written there: %s contains the last "
            "one, if any",
            why, *result.state->t, r->s.model->sim.T, r->restart.file);
  else if (*why && rc == NS_STOPPED && r->restart.on)
    ns_warn(&r->s.ctx,
            "%s: t = %.6g s of %.6g s; checkpoint in %s: run again with --resume to continue", why,
            *result.state->t, r->s.model->sim.T, r->restart.file);
  else if (*why)
    ns_warn(&r->s.ctx, "%s: t = %.6g s of %.6g s", why, *result.state->t, r->s.model->sim.T);
  if (rc == NS_OK) ns_restart_complete(&r->restart, &r->s.ctx, ns_simulation_plan(r->s.sim)->steps);
  ns_summary y = {.model = r->s.model,
                  .plan = ns_simulation_plan(r->s.sim),
                  .state = result.state,
                  .status = status_text(rc),
                  .message = rc == NS_OK ? "" : message,
                  .output = r->output,
                  .output_bad = rc == NS_OUTPUT || closed < 0,
                  .exit = ns_status_exit(rc),
                  .first_step = r->first_step,
                  .load = r->s.load_seconds,
                  .setup = r->s.setup_seconds,
                  .loop = r->loop_seconds,
                  .total = ns_clock() - r->begin,
                  .shares = ns_simulation_shares(r->s.sim)};
  int said = summarise(r, &y);
  return rc == NS_OK ? said : rc;
}

/* Go to the checkpoint, before the output is touched. */
static int go_back(run *r)
{
  ns_restart *k = &r->restart;
  if (!k->found) {
    snprintf(k->k.started, sizeof k->k.started, "%s", r->provenance.started);
    if (k->resume)
      ns_note(&r->s.ctx, "%s: no checkpoint yet, the run starts from the beginning", k->file);
    return NS_OK;
  }
  int rc = r->s.model->uses_plugins ? ns_guard_run(&r->s.ctx, restore, r) : restore(r);
  r->loop_before = k->k.wall;
  r->first_step = k->k.step;
  if (!rc && !k->k.complete)
    ns_note(&r->s.ctx, "resuming from the checkpoint at t = %.10g s, step %lld", k->k.t, k->k.step);
  return rc;
}

/* An earlier run has done it all. */
static int nothing_left(run *r)
{
  ns_summary y = {.model = r->s.model,
                  .plan = ns_simulation_plan(r->s.sim),
                  .state = ns_simulation_state(r->s.sim),
                  .status = status_text(NS_OK),
                  .message = "",
                  .output = r->output,
                  .first_step = r->first_step,
                  .load = r->s.load_seconds,
                  .setup = r->s.setup_seconds,
                  .total = ns_clock() - r->begin};
  ns_note(&r->s.ctx, "the run is already complete (t = %.10g s, step %lld): nothing to do",
          *y.state->t, *y.state->step);
  return r->json ? summarise(r, &y) : NS_OK;
}

/* The model, what it reads and writes, and the state of the checkpoint. */
static int prepare(run *r, const ns_sink_ops *sink)
{
  int rc;
  if ((rc = ns_job_open(&r->s)) != NS_OK) return rc;
  if ((rc = ns_target_sources(&r->s.ctx, r->s.model)) != NS_OK) return rc;
  if (sink && (rc = ns_target_output(&r->s.ctx, r->output, r->s.model)) != NS_OK) return rc;
  if ((rc = ns_restart_find(&r->restart, &r->s, sink ? sink->name : "none")) != NS_OK) return rc;
  return r->restart.on ? go_back(r) : NS_OK;
}

/* The output that belongs to the checkpoint is missing, damaged or another one. One run of many is
 * not to stand still for that: both are kept under other names, and it starts again. */
static int start_again(run *r, const ns_sink_ops *sink, const char *why)
{
  ns_ctx *c = &r->s.ctx;
  int rc = ns_restart_name_aside(&r->restart, c, r->output);
  if (!rc) rc = ns_target_set_aside(c, r->output, r->restart.aside);
  if (!rc) rc = ns_restart_set_aside(&r->restart, c);
  if (rc) return rc;
  ns_warn(c, "%s; what is there is kept as %s%s, and the run starts again from the beginning", why,
          r->output, r->restart.aside);
  ns_job_close(&r->s);
  r->loop_before = 0;
  r->first_step = 0;
  return prepare(r, sink);
}

/* q is the context in which the output that belongs to the checkpoint could not be used: start
 * again, if that is what the options say. */
static int without_output(run *r, const ns_sink_ops *sink, int rc, const ns_ctx *q)
{
  ns_ctx *c = &r->s.ctx;
  if (rc == NS_NOINPUT && ns_restart_is_auto(&r->restart)) return start_again(r, sink, q->msg);
  if (rc == NS_NOINPUT)
    return ns_fail(c, rc, "%s; put it back, or start again without --resume", q->msg);
  return rc && q->nerrors ? ns_fail(c, rc, "%s", q->msg) : rc;
}

static int open_output(run *r, const ns_sink_ops *sink)
{
  ns_ctx *c = &r->s.ctx, quiet = {.claims = c->claims};
  if (!r->restart.found) return open_recorder(r, c, sink);
  int rc = open_recorder(r, &quiet, sink);
  if (!rc) return NS_OK;
  rc = without_output(r, sink, rc, &quiet);
  return rc ? rc : open_recorder(r, c, sink);
}

static int run_model(run *r)
{
  const ns_sink_ops *sink = NULL;
  int rc;
  if ((rc = ns_restart_names(&r->restart, &r->s.ctx, r->output)) != NS_OK) return rc;
  if (r->output && (rc = ns_sink_find(&r->s.ctx, r->output, &sink)) != NS_OK) return rc;
  if (r->quiet) r->s.units = 0;
  ns_progress_load(&r->progress, progress_of(r));
  if ((rc = prepare(r, sink)) != NS_OK) return rc;
  if (r->restart.found && r->restart.k.complete) {
    ns_ctx quiet = {0};
    rc = sink ? ns_restart_check_output(&r->restart, &quiet, r->output) : NS_OK;
    if (rc == NS_OK) return nothing_left(r);
    if ((rc = without_output(r, sink, rc, &quiet)) != NS_OK) return rc;
  }
  if (r->restart.found && sink &&
      (rc = ns_restart_check_end(&r->restart, &r->s.ctx, r->output, &r->s.model->sim)) != NS_OK)
    return rc;
  /* A run that goes on needs its output where it is. */
  if (r->backup && sink && !r->restart.found &&
      (rc = ns_target_set_aside(&r->s.ctx, r->output, "~")) != NS_OK)
    return rc;
  /* as check does; once, also where a run goes on */
  if (!r->quiet && !r->restart.found) ns_understood_warn(r->s.model, &r->s.ctx);
  if ((rc = ns_dump_begin(&r->dump, &r->s.ctx, r->s.path)) != NS_OK) return rc;
  ns_signals_ignore();
  /* A file that is there is whole once the run ends, so signals are caught before it is made. A
   * pipe is open only when somebody reads it, which may be never: until then a signal ends all. */
  int waits = sink && is_pipe(r->output);
  if (!waits) ns_signals_install();
  if (sink && (rc = open_output(r, sink)) != NS_OK) return rc;
  part_streams(r);
  if (waits) ns_signals_install();
  if (r->restart.on) ns_signals_listen();
  if (!sink && !r->json) ns_note(&r->s.ctx, "no -o: no results are written");
  return finish(r, step_all(r));
}

int ns_cmd_run(int argc, char **argv)
{
  run r = {.begin = ns_clock(), .rows_fd = STDOUT_FILENO};
  int rc = ns_job_init(&r.s);
  r.restart.begin = r.begin;
  r.s.ctx.report = report;
  r.s.ctx.alive = alive;
  r.s.ctx.to = &r;
  if (rc == NS_OK) rc = ns_provenance_init(&r.provenance, &r.s.ctx, r.s.arena, argc, argv);
  int status = rc == NS_OK ? ns_console_parse(&run_argp, argc, argv, &r) : ns_status_exit(rc);
  if (rc == NS_OK && status == 0) status = ns_status_exit(run_model(&r));
  ns_dump_fini(&r.dump);
  ns_restart_fini(&r.restart);
  ns_job_fini(&r.s);
  return status;
}
