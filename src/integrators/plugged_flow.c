/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/plugged_flow.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "base/guard.h"
#include "integrators/one_step.h"
#include "nssim/plugin.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REPEATS = 200 }; /* of one step, each with three quarters of its length or less */

typedef struct plugged {
  ns_one_step step; /* first: operations of the table are one_step.h's */
  ns_arena *mem;
  const ns_plugged *of;
  nssim_motion motion; /* what the plug-in sees */
  int fixed;           /* steps have a length */
  double next;         /* length of the next step; 0: that of a restart */
  double *weight;      /* [n] */
  double *error;       /* of the step [n] */
  double *point, *f;   /* scratch [n] */
  double *value;       /* of the problem's jacobian; NULL: differences */
  double *scratch;     /* the plug-in's */
  int rc;              /* of a function of the problem that failed in the call of the plug-in */
} plugged;

/* ---- the table of a plug-in ------------------------------------------------------------------ */

static const nssim_integrator *table_of(const ns_plugged *p) { return p->table; }

int ns_plugged_check_integrator(ns_ctx *c, const ns_plugged *p)
{
  if (table_of(p)->step) return NS_OK;
  return ns_fail(c, NS_PLUGIN,
                 "%s: plug-in \"%s\": its integrator has no function step, expected one", p->at,
                 p->call);
}

int ns_plugged_is_implicit(const ns_plugged *p) { return table_of(p)->implicit != 0; }

/* ---- what the plug-in calls back ------------------------------------------------------------- */

/* What failed for good ends the run whatever the plug-in makes of it. */
static int told(plugged *o, int rc)
{
  if (rc < 0) o->rc = rc;
  ns_guard_enter_for(o->of->at, o->of->call);
  return rc;
}

static int motion_rate(const nssim_motion *m, double t, const double *x, double *f)
{
  plugged *o = m->of;
  ns_guard_leave();
  return told(o, o->rc ? o->rc : ns_one_step_rate(&o->step, t, x, f));
}

static int by_structure(plugged *o, double t, const double *x, double *J)
{
  const ns_flow_problem *p = o->step.p;
  const ns_flow_structure *s = &p->structure;
  long long rates = 0;
  int rc = p->jacobian(p->of, t, x, o->value, &rates);
  o->step.work.rates += rates;
  o->step.work.jacobian_rates += rates;
  memset(J, 0, p->n * p->n * sizeof *J);
  for (size_t j = 0; j < p->n; j++)
    for (int e = s->ptr[j]; e < s->ptr[j + 1]; e++) J[(size_t)s->row[e] + j * p->n] = o->value[e];
  return rc;
}

static int by_differences(plugged *o, double t, const double *x, double *J)
{
  size_t n = o->step.p->n;
  double *moved = o->point;
  int rc = ns_one_step_rate(&o->step, t, x, o->f);
  memcpy(moved, x, n * sizeof *x);
  for (size_t j = 0; j < n && !rc; j++) {
    double *column = J + j * n;
    double size = isfinite(o->weight[j]) ? fmax(fabs(x[j]), o->weight[j]) : 1;
    moved[j] = x[j] + sqrt(DBL_EPSILON) * size;
    rc = ns_one_step_rate(&o->step, t, moved, column);
    for (size_t i = 0; i < n; i++) column[i] = (column[i] - o->f[i]) / (moved[j] - x[j]);
    moved[j] = x[j];
    o->step.work.jacobian_rates++;
  }
  return rc;
}

static int motion_jacobian(const nssim_motion *m, double t, const double *x, double *J)
{
  plugged *o = m->of;
  ns_guard_leave();
  o->step.work.jacobians++;
  int rc = o->rc;
  if (!rc) rc = o->value ? by_structure(o, t, x, J) : by_differences(o, t, x, J);
  return told(o, rc);
}

/* ---- creation -------------------------------------------------------------------------------- */

static int is_fixed(const ns_event_driven_options *e)
{
  return e->plugged && (table_of(e->plugged)->order == 0 || isfinite(e->step));
}

static int newton(const ns_event_driven_options *e)
{
  return e->plugged && ns_plugged_is_implicit(e->plugged);
}

static void destroy(void *self)
{
  plugged *o = self;
  if (o) ns_arena_destroy(o->mem);
}

static const ns_one_step_method method;

static int get_memory(plugged *o, const ns_flow_problem *p)
{
  size_t n = p->n, values = p->jacobian && newton(p->options) ? (size_t)p->structure.ptr[n] : 0;
  size_t scratch = ns_plugged_scratch(o->of, table_of(o->of)->scratch, n), d = sizeof(double);
  const ns_array want[] = {{&o->weight, n, d}, {&o->error, n, d},         {&o->point, n, d},
                           {&o->f, n, d},      {&o->scratch, scratch, d}, {&o->value, values, d}};
  /* without a structure there are no values: the last one stays NULL */
  size_t count = sizeof want / sizeof *want - (values == 0);
  if (ns_arena_arrays(o->mem, want, count)) return NS_NOMEM;
  return ns_one_step_init(&o->step, o->mem, p, &method);
}

static int create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  *self = NULL;
  if (!p->options->plugged)
    return ns_fail(c, NS_MODEL, "PluginOSI without plugin=, expected plugin=\"Library:function\"");
  plugged *o = *self = NS_ARENA_OBJECT(plugged, mem);
  if (!o) return ns_nomem(c, "PluginOSI");
  o->of = p->options->plugged;
  if (get_memory(o, p)) {
    destroy(o);
    *self = NULL;
    return ns_nomem(c, "PluginOSI");
  }
  const ns_event_driven_options *e = p->options;
  o->fixed = is_fixed(e);
  o->step.inspects = 1;
  o->step.length = fmin(isfinite(e->step) ? e->step : p->grid, e->max_step);
  o->motion = (nssim_motion){.n = (unsigned int)p->n,
                             .weight = o->weight,
                             .rate = motion_rate,
                             .jacobian = motion_jacobian,
                             .of = o};
  return NS_OK;
}

/* ---- failures -------------------------------------------------------------------------------- */

static int refused(ns_one_step *step, ns_ctx *c, int rc, double t, double h)
{
  const plugged *o = (const plugged *)step;
  if (rc < 0) return ns_flow_refused(c, rc, t);
  rc = step->p->blame ? step->p->blame(step->p->of, c, t, step->x2, h) : NS_OK;
  if (rc) return rc;
  return ns_fail(c, NS_NUMERIC,
                 "%s: plug-in \"%s\" stopped at t = %.10g s with a step of %.3g s: accelerations "
                 "or rates are not finite; the results so far are kept; look for a force that "
                 "grows without bound there",
                 o->of->at, o->of->call, t, h);
}

/* No length does: the unknown with the largest part in the last error, where there is one. */
static int stuck(plugged *o, ns_ctx *c, double h)
{
  const ns_flow_problem *p = o->step.p;
  char name[256];
  double share = 0;
  size_t worst = 0;
  int rc = ns_flow_blame(p, c, o->step.t1, o->step.x1);
  if (rc) return rc;
  for (size_t i = 0; i < p->n; i++) {
    double part = fabs(o->error[i]) / o->weight[i];
    if (!(part > share)) continue;
    share = part;
    worst = i;
  }
  if (share > 0)
    return ns_fail(c, NS_NUMERIC,
                   "%s: plug-in \"%s\" stopped at t = %.10g s with a step of %.3g s: no step meets "
                   "the tolerances, however short (%s contributes most to the error, %.2g times "
                   "the tolerance); the results so far are kept; try %slarger tolerances, or look "
                   "for a force that jumps or grows without bound there",
                   o->of->at, o->of->call, o->step.t1, h, p->name(p->of, worst, name, sizeof name),
                   share, newton(p->options) ? "" : "an implicit method for stiff motion, ");
  return ns_fail(c, NS_NUMERIC,
                 "%s: plug-in \"%s\" stopped at t = %.10g s with a step of %.3g s: its state or "
                 "error is not finite%s; the results so far are kept; look for a force that jumps "
                 "or grows without bound there, or at the plug-in",
                 o->of->at, o->of->call, o->step.t1, h,
                 o->fixed ? "" : ", even with the shortest step");
}

/* ---- the step -------------------------------------------------------------------------------- */

static void weigh(plugged *o, const double *a, const double *b)
{
  const ns_flow_problem *p = o->step.p;
  for (size_t i = 0; i < p->n; i++)
    o->weight[i] = p->atol[i] < NS_FLOW_FREE
                       ? p->options->rtol * fmax(fabs(a[i]), fabs(b[i])) + p->atol[i]
                       : INFINITY;
}

/* The largest part of what is allowed; infinite where it is not a number. */
static double share_of(const plugged *o, const double *error)
{
  double max = 0;
  for (size_t i = 0; i < o->step.p->n; i++) {
    double part = fabs(error[i]) / o->weight[i];
    if (isnan(part)) return INFINITY;
    max = fmax(max, part);
  }
  return max;
}

static int is_finite(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

/* x2 at t1 + h by the plug-in, f2 there. 0; > 0: a shorter step may do; < 0: fatal. */
static int try(plugged *o, double t, double h)
{
  ns_one_step *s = &o->step;
  o->rc = 0;
  memset(o->error, 0, s->p->n * sizeof *o->error);
  memset(s->x2, 0, s->p->n * sizeof *s->x2);
  ns_guard_enter_for(o->of->at, o->of->call);
  int rc = table_of(o->of)->step(&o->motion, s->t1, h, s->x1, s->f1, s->x2, o->error, o->scratch);
  ns_guard_leave();
  if (o->rc < 0) return o->rc;
  if (rc || !is_finite(s->x2, s->p->n)) return 1;
  return ns_one_step_rate(s, t, s->x2, s->f2);
}

/* The error of the cubic in the middle of the step, as a part of what is allowed. */
static int look_at_cubic(plugged *o, double h, double *share)
{
  const ns_one_step *s = &o->step;
  size_t n = s->p->n;
  for (size_t i = 0; i < n; i++) {
    double d = s->x2[i] - s->x1[i];
    o->point[i] = s->x1[i] + (10 * d + h * (9 * s->f1[i] - 3 * s->f2[i])) / 64;
  }
  int rc = ns_one_step_rate(&o->step, s->t1 + h / 4, o->point, o->f);
  if (rc) return rc;
  for (size_t i = 0; i < n; i++) {
    double d = s->x2[i] - s->x1[i], slope = (18 * d / h + 3 * s->f1[i] - 5 * s->f2[i]) / 16;
    o->f[i] = h / 3 * (slope - o->f[i]);
  }
  *share = share_of(o, o->f);
  return 0;
}

/* Hairer, Norsett & Wanner 1993, II.4: so long that an explicit Euler step changes f by little. */
static int first_length(plugged *o, double *h)
{
  const ns_one_step *s = &o->step;
  const ns_flow_problem *p = s->p;
  double size = share_of(o, s->x1), slope = share_of(o, s->f1), bend;
  double start = size > 1e-5 && slope > 1e-5 ? 0.01 * size / slope : 1e-6;
  start = fmin(start, *h);
  ns_linear_sum(p->n, s->x1, start, s->f1, o->point);
  int rc = ns_one_step_rate(&o->step, s->t1 + start, o->point, o->f);
  if (rc) {
    *h = start;
    return rc < 0 ? rc : 0;
  }
  for (size_t i = 0; i < p->n; i++) o->f[i] = (o->f[i] - s->f1[i]) / start;
  bend = fmax(slope, share_of(o, o->f));
  double other = bend > 1e-15 ? pow(0.01 / bend, 1.0 / (table_of(o->of)->order + 1)) : 1e3 * start;
  *h = fmax(fmin(*h, fmin(100 * start, other)), p->first_step);
  return 0;
}

/* The longest step from here, and at a restart the first one. */
static int propose(plugged *o, double stop, double *h)
{
  const ns_flow_problem *p = o->step.p;
  double longest = fmin(ns_flow_longest_step(p, 1), stop - o->step.t1);
  if (o->next > 0) {
    *h = fmin(o->next, longest);
    return 0;
  }
  *h = p->longest_first > 0 ? fmin(longest, p->longest_first) : longest;
  weigh(o, o->step.x1, o->step.x1);
  return first_length(o, h);
}

static double factor(double share, double order)
{
  return share > 0 ? 0.9 * pow(share, -1 / order) : INFINITY;
}

static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

static int adaptive(plugged *o, ns_ctx *c, double stop, double *t)
{
  ns_one_step *s = &o->step;
  double h, cubic = 0;
  int rc = propose(o, stop, &h);
  for (int k = 0; !rc && k < REPEATS; k++) {
    int last = s->t1 + h > stop - 1e-6 * h;
    *t = last ? stop : s->t1 + h;
    if (last) h = stop - s->t1;
    if (!(h > s->p->min_step && s->t1 + h / 8 > s->t1)) break;
    weigh(o, s->x1, s->x1);
    rc = try(o, *t, h);
    if (!rc) {
      weigh(o, s->x1, s->x2);
      rc = look_at_cubic(o, h, &cubic);
    }
    if (rc < 0) break;
    double error = rc ? INFINITY : share_of(o, o->error);
    double wanted = fmin(factor(error, table_of(o->of)->order + 1.0), factor(cubic, 4));
    if (!rc && error <= 1 && cubic <= 1) {
      o->next = fmax(last ? o->next : 0, h * clamp(wanted, 0.2, k ? 1 : 5));
      return NS_OK;
    }
    s->work.error_failures += !rc;
    s->work.convergence_failures += rc > 0;
    h *= rc > 0 ? 0.25 : clamp(wanted, 0.1, 0.75);
    rc = 0;
  }
  return rc ? refused(s, c, rc, s->t1, h) : stuck(o, c, h);
}

static int take_step(ns_one_step *s, ns_ctx *c, double stop, double *t)
{
  plugged *o = (plugged *)s;
  if (!o->fixed) return adaptive(o, c, stop, t);
  double h = ns_one_step_next(s, stop, t);
  weigh(o, s->x1, s->x1);
  int rc = try(o, *t, h);
  if (!rc) return NS_OK;
  return rc < 0 ? refused(s, c, rc, *t, h) : stuck(o, c, h);
}

static const ns_one_step_method method = {.step = take_step, .refused = refused};

/* ---- flow ------------------------------------------------------------------------------------ */

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  ((plugged *)self)->next = 0;
  return ns_one_step_restart(self, c, t, x, direction);
}

const ns_flow_ops ns_plugged_flow = {.name = "PluginOSI",
                                     .help = "a one-step method of a plug-in between events",
                                     .create = create,
                                     .restart = restart,
                                     .advance = ns_one_step_advance,
                                     .fired = ns_one_step_fired,
                                     .dense = ns_one_step_dense,
                                     .span = ns_one_step_span,
                                     .work = ns_one_step_work,
                                     .destroy = destroy,
                                     .memory = &ns_one_step_memory,
                                     .newton = newton,
                                     .fixed = is_fixed,
                                     .inspects = 1};
