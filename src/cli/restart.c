/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/restart.h"

#include "base/child.h"
#include "base/claim.h"
#include "base/clock.h"
#include "cli/console.h"
#include "cli/identity.h"
#include "cli/signals.h"
#include "cli/target.h"
#include "io/results/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without --checkpoint-every. */
static const double EVERY_WALL = 15 * 60;

/* ---- options --------------------------------------------------------------------------------- */

enum { KEY_CHECKPOINT = 0x300, KEY_EVERY, KEY_RESUME, KEY_MAX_WALL };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Limits and checkpoints:", 3},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0,
     "Write checkpoints to FILE: every 15 min, when a signal or a limit stops the run, and at its "
     "end",
     0},
    {"checkpoint-every", KEY_EVERY, "T", 0,
     "Write a checkpoint every T s of simulated time or, with a unit (30s, 5min, 2h), of "
     "wall-clock time (both can be given)",
     0},
    {"resume", KEY_RESUME, "FILE", 0,
     "Resume from the checkpoint FILE; auto: from that of --checkpoint or from OUTPUT.ckpt, or "
     "from the start if there is none",
     0},
    {"max-wall", KEY_MAX_WALL, "TIME", 0,
     "Stop after this wall-clock time, in s or with a unit (50min, 7.5h), with status 75", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  ns_restart *r = state->input;
  double x, unit;
  switch (key) {
  case KEY_CHECKPOINT:
    if (!*arg || !strcmp(arg, "-"))
      ns_console_refuse(state, "--checkpoint '%s': expected a file, such as run.ckpt", arg);
    r->path = arg;
    return 0;
  case KEY_EVERY:
    if (!ns_console_span(arg, &x, &unit))
      ns_console_refuse(
          state,
          "--checkpoint-every '%s': expected simulated seconds, such as 0.5, or wall clock, "
          "such as 5min",
          arg);
    if (unit > 0) r->every_wall = x * unit;
    else r->every = x;
    return 0;
  case KEY_RESUME:
    if (!*arg) ns_console_refuse(state, "--resume '': expected a checkpoint, or auto");
    r->resume = arg;
    return 0;
  case KEY_MAX_WALL:
    if (!ns_console_duration_of(arg, &r->max_wall))
      ns_console_refuse(state, "--max-wall '%s': expected a time, such as 3600, 50min or 7.5h",
                        arg);
    return 0;
  case ARGP_KEY_END:
    if ((r->every > 0 || r->every_wall > 0) && !r->path && !r->resume)
      ns_console_refuse(state, "--checkpoint-every without --checkpoint FILE or --resume auto: "
                               "expected one of them, for the name of the checkpoint");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ns_restart_argp = {.options = options, .parser = parse_option};

/* ---- names ----------------------------------------------------------------------------------- */

/* 1 if an option requires checkpoints. */
static int is_wanted(const ns_restart *r) { return r->path || r->resume; }

int ns_restart_is_auto(const ns_restart *r) { return r->resume && !strcmp(r->resume, "auto"); }

int ns_restart_names(ns_restart *r, ns_ctx *c, const char *output)
{
  r->t_last = NAN;
  if (!is_wanted(r)) return NS_OK;
  if (output && !strcmp(output, "-"))
    return ns_fail(c, NS_USAGE,
                   "-o - and %s: a run that writes to standard output cannot return to a "
                   "checkpoint; write the results to a file",
                   r->resume ? "--resume" : "--checkpoint");
  if (ns_restart_is_auto(r) && !r->path && !output)
    return ns_fail(c, NS_USAGE,
                   "--resume auto without -o and --checkpoint: expected one of them, for the name "
                   "of the checkpoint");
  size_t n = (output ? strlen(output) : 0) + sizeof ".ckpt";
  if (r->path) r->file = strdup(r->path);
  else if (!ns_restart_is_auto(r)) r->file = strdup(r->resume);
  else if ((r->file = malloc(n))) snprintf(r->file, n, "%s.ckpt", output);
  if (!r->file) return ns_nomem(c, "name of a checkpoint");
  if (!(r->every > 0) && !(r->every_wall > 0)) r->every_wall = EVERY_WALL;
  r->on = 1;
  r->lock.fd = -1;
  if (output && !strcmp(r->file, output))
    return ns_fail(
        c, NS_USAGE,
        "%s: the checkpoint and the output cannot be one file; give one of them another name",
        output);
  return ns_checkpoint_lock_take(c, r->file, &r->lock);
}

/* ---- beginning at one ------------------------------------------------------------------------ */

static int refuse(const ns_restart *r, ns_ctx *c, const char *file, const char *why)
{
  return ns_fail(c, NS_NOINPUT,
                 "%s: a checkpoint %s (it was written by nssim %s at t = %.10g s); start again "
                 "without --resume, or %s",
                 file, why, r->k.version, r->k.t,
                 "use the program, model and options of the checkpoint");
}

int ns_restart_name_aside(ns_restart *r, ns_ctx *c, const char *output)
{
  char *previous = ns_checkpoint_previous(r->file);
  int is = previous ? 1 : -1;
  for (int n = 1; is > 0; n++) {
    snprintf(r->aside, sizeof r->aside, ".unreadable");
    if (n > 1) snprintf(r->aside, sizeof r->aside, ".unreadable.%d", n);
    is = output ? ns_target_is_aside(output, r->aside) : 0;
    if (!is) is = ns_claim_is_aside(r->file, r->aside);
    if (!is) is = ns_claim_is_aside(previous, r->aside);
  }
  free(previous);
  return is < 0 ? ns_nomem(c, "name of a file that is set aside") : NS_OK;
}

int ns_restart_set_aside(ns_restart *r, ns_ctx *c)
{
  char *previous = ns_checkpoint_previous(r->file);
  if (!previous) return ns_nomem(c, "name of a checkpoint");
  int rc = ns_claim_set_aside(c, previous, r->aside);
  if (!rc) rc = ns_claim_set_aside(c, r->file, r->aside);
  free(previous);
  ns_checkpoint_lock_drop(r->file, &r->lock);
  ns_checkpoint_fini(&r->k);
  r->found = 0;
  r->t_last = NAN;
  return rc ? rc : ns_checkpoint_lock_take(c, r->file, &r->lock);
}

/* No checkpoint can be read. */
static int start_again(ns_restart *r, ns_ctx *c, const ns_ctx *newest, const ns_ctx *before)
{
  int rc = ns_restart_name_aside(r, c, NULL);
  if (rc) return rc;
  ns_warn(c, "%s%s%s; kept as %s%s, and the run starts again from the beginning", newest->msg,
          before->rc ? "; the previous checkpoint cannot be used either: " : "", before->msg,
          r->file, r->aside);
  return ns_restart_set_aside(r, c);
}

/* The newest, or where that is damaged the one before. auto: *there = 0 where there is none at all.
 */
static int read_newest(ns_restart *r, ns_ctx *c, const char *file, int *there)
{
  char *previous = ns_checkpoint_previous(file);
  if (!previous) return ns_nomem(c, "name of a checkpoint");
  ns_ctx quiet = {0}, second = {0};
  int rc = ns_checkpoint_read(&quiet, file, &r->k), old;
  *there = access(file, F_OK) == 0 || access(previous, F_OK) == 0;
  if (rc == NS_NOINPUT && access(previous, F_OK) == 0) {
    old = ns_checkpoint_read(&second, previous, &r->k);
    if (old == NS_OK) {
      ns_warn(c, "%s; the previous checkpoint is used, %s of t = %.10g s", quiet.msg, previous,
              r->k.t);
      if (rename(previous, file) != 0)
        ns_warn(c, "%s: cannot replace %s: %s", previous, file, strerror(errno));
      rc = NS_OK;
    }
  }
  if (rc == NS_NOINPUT && *there && ns_restart_is_auto(r)) {
    rc = start_again(r, c, &quiet, &second);
    *there = 0;
  } else if (rc && *there) {
    if (second.rc)
      rc = ns_fail(
          c, rc,
          "%s; the previous checkpoint cannot be used either: %s; start again without --resume",
          quiet.msg, second.msg);
    else rc = ns_fail(c, rc, "%s; start again without --resume", quiet.msg);
  }
  free(previous);
  return *there || rc != NS_NOINPUT ? rc : NS_OK;
}

/* It is of this run, and of no time beyond its end. */
static int check(ns_restart *r, ns_job *s, const char *file, const ns_identity *id, const char *cpu)
{
  const char *why = ns_identity_differs(id, &r->k.id);
  if (why) return refuse(r, &s->ctx, file, why);
  if (strcmp(cpu, r->k.cpu) != 0)
    ns_warn(&s->ctx,
            "%s was written on another processor (%s, this is %s): the results are valid, but "
            "their last digits can differ from those of an uninterrupted run",
            file, r->k.cpu, cpu);
  if (r->k.step > ns_simulation_plan(s->sim)->steps)
    return ns_fail(
        &s->ctx, NS_USAGE,
        "%s is at t = %.10g s, after the requested end T = %.10g s; expected a later end", file,
        r->k.t, s->model->sim.T);
  if (r->k.complete == NS_COMPLETE_AT_END && r->k.step < ns_simulation_plan(s->sim)->steps)
    r->k.complete = NS_COMPLETE_NOT; /* its end has been moved */
  return NS_OK;
}

static void save_plugins(void *to, void *block) { ns_plugins_save(to, block); }
static int restore_plugins(void *to, ns_ctx *c, const void *block)
{
  return ns_plugins_restore(to, c, block);
}

int ns_restart_find(ns_restart *r, ns_job *s, const char *format)
{
  ns_identity id;
  char cpu[NS_CHECKPOINT_TEXT];
  int there = 0;
  const char *file = r->resume && !ns_restart_is_auto(r) ? r->resume : r->file;
  if (!r->on) return NS_OK;
  r->outside = (ns_outside){.size = ns_plugins_state_size(s->plugins),
                            .save = save_plugins,
                            .restore = restore_plugins,
                            .to = s->plugins};
  int rc = ns_simulation_keep(s->sim, &s->ctx, &r->outside);
  if (!rc) rc = ns_target_replaced(&s->ctx, r->file, "the checkpoint", 1);
  if (!rc && r->resume && !ns_restart_is_auto(r))
    rc = ns_claim_read(&s->ctx, r->resume, "from which the run resumes");
  if (!rc) rc = ns_identity_of(s, format, &id);
  ns_identity_cpu(cpu, sizeof cpu);
  if (!rc && r->resume) rc = read_newest(r, &s->ctx, file, &there);
  if (!rc && r->resume && !there && !ns_restart_is_auto(r))
    rc = ns_fail(&s->ctx, NS_NOINPUT,
                 "%s: no such checkpoint; --resume auto starts from the beginning if there is none",
                 file);
  r->found = !rc && there;
  if (r->found) rc = check(r, s, file, &id, cpu);
  if (rc) return rc;
  if (r->found) r->t_last = r->k.t;
  r->k.id = id;
  snprintf(r->k.version, sizeof r->k.version, "%s", NS_VERSION);
  snprintf(r->k.cpu, sizeof r->k.cpu, "%s", cpu);
  r->last = ns_clock();
  return NS_OK;
}

int ns_restart_check_output(const ns_restart *r, ns_ctx *c, const char *output)
{
  ns_result *out;
  struct stat st;
  if (stat(output, &st) == 0 && !S_ISREG(st.st_mode)) return NS_OK; /* whoever reads it has it */
  int rc = ns_result_open(c, output, &out);
  if (rc) return rc;
  const ns_provenance *p = &ns_result_get_meta(out)->provenance;
  const char *is = NULL;
  if (!p->started || strcmp(p->started, r->k.started)) is = "not the output of this run";
  else if (!p->status || strcmp(p->status, "complete")) is = "not complete";
  else if (ns_result_get_meta(out)->events_changed) is = "without some of its events";
  if (is)
    rc = ns_fail(c, NS_NOINPUT, "%s: it is %s, expected the output of the run that is complete",
                 output, is);
  ns_result_close(out);
  return rc;
}

typedef struct going_on {
  const ns_restart *r;
  const char *output;
  double T, beyond;
} going_on;

static int check_end(void *arg, ns_ctx *c)
{
  static const double SAME = 1e-9; /* of t */
  const going_on *g = arg;
  ns_ctx quiet = {0};
  ns_result *out;
  double last, before = -INFINITY;
  if (ns_result_open(&quiet, g->output, &out)) return NS_OK; /* resuming says what is wrong */
  const ns_result_meta *meta = ns_result_get_meta(out);
  const char *started = meta->provenance.started;
  const double same = SAME * fabs(g->T);
  int rc = NS_OK, known = meta->nrows > 0 && started && !strcmp(started, g->r->k.started) &&
                          !ns_result_read_row(out, &quiet, 0, meta->nrows - 1, &last);
  if (known && meta->nrows > 1) ns_result_read_row(out, &quiet, 0, meta->nrows - 2, &before);
  int more = known && last > g->T + same; /* one row is that of the step that reaches T */
  if (more && (before >= g->T - same || last > g->T + g->beyond + same))
    rc = ns_fail(c, NS_USAGE,
                 "%s has rows up to t = %.10g s, and a run that continues from t = %.10g s to "
                 "%.10g s would remove them, expected no earlier end; copy the output and the "
                 "checkpoint and continue with the copies, or give --t-end=%.10g",
                 g->output, last, g->r->k.t, g->T, last);
  ns_result_close(out);
  return rc;
}

int ns_restart_check_end(const ns_restart *r, ns_ctx *c, const char *output,
                         const ns_simulation_options *o)
{
  enum { LIMIT = 60 }; /* s; a file that takes longer is damaged, which resuming finds */
  going_on g = {.r = r, .output = output, .T = o->T, .beyond = o->event_driven ? 0 : o->ts.h};
  struct stat st;
  if (stat(output, &st) || !S_ISREG(st.st_mode)) return NS_OK;
  int rc = ns_child_run(c, check_end, &g, LIMIT);
  return rc == NS_USAGE || rc == NS_NOMEM ? rc : NS_OK;
}

int ns_restart_restore(ns_restart *r, ns_job *s)
{
  r->k.restarts++;
  return ns_simulation_restore(s->sim, &s->ctx, &r->k.body);
}

/* ---- during the run -------------------------------------------------------------------------- */

ns_due ns_restart_due(ns_restart *r)
{
  double now = ns_clock();
  if (r->max_wall > 0 && now - r->begin >= r->max_wall) {
    r->timed_out = 1;
    return NS_DUE_STOP;
  }
  if (!r->on) return NS_DUE_NOTHING;
  if (ns_signals_requested()) return NS_DUE_CHECKPOINT;
  return r->every_wall > 0 && now - r->last >= r->every_wall ? NS_DUE_CHECKPOINT : NS_DUE_NOTHING;
}

static int make(ns_restart *r, ns_job *s, ns_recorder *rec, double wall)
{
  const ns_state *x = ns_simulation_state(s->sim);
  ns_blob_clear(&r->k.body);
  int rc = ns_simulation_save(s->sim, &s->ctx, &r->k.body);
  if (!rc && rec) rc = ns_recorder_save(rec, &s->ctx, &r->k.body);
  if (!rc) rc = ns_blob_status(&r->k.body, &s->ctx, "checkpoint");
  r->k.step = *x->step;
  r->k.t = *x->t;
  r->k.wall = wall;
  r->k.complete = NS_COMPLETE_NOT;
  r->last = ns_clock();
  return rc;
}

static void say_last(const ns_restart *r, char *buf, size_t n)
{
  if (isnan(r->t_last)) snprintf(buf, n, "there is none yet");
  else snprintf(buf, n, "the last one is that of t = %.10g s", r->t_last);
}

int ns_restart_save(ns_restart *r, ns_job *s, ns_recorder *rec, double wall, ns_checkpoint_why why)
{
  char last[64];
  ns_ctx quiet = {0};
  int rc = make(r, s, rec, wall);
  if (rc || why == NS_CHECKPOINT_END) return rc;
  r->k.lock = &r->lock;
  rc = ns_checkpoint_write(&quiet, r->file, &r->k);
  if (!rc) {
    r->t_last = r->k.t;
    return NS_OK;
  }
  say_last(r, last, sizeof last);
  if (why == NS_CHECKPOINT_DUE) {
    ns_warn(&s->ctx, "%s; the run continues, %s", quiet.msg, last);
    return NS_OK;
  }
  s->ctx.rc = NS_OK; /* that it was to stop was no failure; this is one */
  s->ctx.nerrors = 0;
  return ns_fail(&s->ctx, rc, "%s; %s", quiet.msg, last);
}

void ns_restart_complete(ns_restart *r, ns_ctx *c, long long steps)
{
  ns_ctx quiet = {0};
  if (!r->on) return;
  r->k.complete = r->k.step < steps ? NS_COMPLETE_BY_EVENT : NS_COMPLETE_AT_END;
  r->k.lock = &r->lock;
  if (ns_checkpoint_write(&quiet, r->file, &r->k) == NS_OK) return;
  ns_warn(c, "%s; the run is complete, but --resume would repeat its end", quiet.msg);
}

void ns_restart_fini(ns_restart *r)
{
  if (r->on) ns_checkpoint_lock_drop(r->file, &r->lock);
  free(r->file);
  r->file = NULL;
  ns_checkpoint_fini(&r->k);
}
