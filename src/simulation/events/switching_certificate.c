/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the certificate of an event-driven run (event_certificate.h) asks of first-order systems.
 *
 *   laws    lower: y >= 0;  upper: y <= 0;  between: y = 0, lb <= lambda <= ub
 *   events  x+ - x- = M^-1 B p, p the impulses of a jump; without one the state stays
 *
 * Each by what tolerances allow: y by gapTolerance and by the terms that it is the sum of, lambda
 * by those of its own. */
#include "algebra/vector.h"
#include "simulation/events/switching_parts.h"

#include <math.h>
#include <string.h>

static const double OF_Y = 10;        /* times what counts as held */
static const double OF_LAMBDA = 1e-5; /* of its terms */
/* what an event may move a state by that does not jump: back onto a surface */
static const double OF_STATES = 1e-5;

int ns_sw_certificate_create(switching *o, ns_ctx *c)
{
  ns_certified what = {.judged = o->m->nq, .laws = ns_sw_laws};
  o->change = ns_arena_zero(o->run.mem, o->m->nq + 1, sizeof(double));
  if (!o->change) return ns_nomem(c, "certificate");
  return ns_event_run_certified(&o->run, c, what);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void note(ns_breach *worst, int r, double value, double allowed, const char *what)
{
  double by = value / allowed;
  if (by > worst->by)
    *worst = (ns_breach){
        .by = by, .row = r, .value = value, .what = what, .unit = "(unit of its row)"};
}

/* What rounding and tolerances leave of lambda. */
static double faint(const switching *o, int r, double lambda, double near)
{
  double width = o->ub[r] - o->lb[r], size = fmax(fabs(lambda), o->search.force[r]);
  return OF_LAMBDA * (isfinite(width) ? fmax(size, width) : size) + o->search.share[r] * near;
}

/* What errors of the state leave of lambda of row r, where what holds y is its rate: currents of a
 * stiff circuit are differences of voltages by small resistances. The errors are `error` and those
 * that the integrator's tolerances allow, of each state apart; *leaves is where nothing can be
 * told. */
static int sensitivity(switching *o, double t, const double *x, double lambda, double error, int r,
                       double *leaves)
{
  size_t n = o->m->nq;
  double *moved = o->change;
  int rc = NS_OK;
  *leaves = 0;
  memcpy(moved, x, n * sizeof *moved);
  for (size_t i = 0; i < n && rc >= 0; i++) {
    moved[i] = x[i] + error + o->opt->rtol * fabs(x[i]) + o->run.atol[i];
    rc = ns_sw_motion(o, t, moved, &o->at[1]);
    if (!rc) *leaves += fabs(o->at[1].lambda[r] - lambda);
    moved[i] = x[i];
  }
  return rc < 0 ? rc : ns_sw_motion(o, t, x, &o->at[0]);
}

/* 1-norm of a row of C: what errors of the state are in y. */
static double gain(const switching *o, int r)
{
  double sum = 0;
  for (int e = o->k->C.ptr[r]; e < o->k->C.ptr[r + 1]; e++) sum += fabs(o->k->C.val[e]);
  return sum;
}

/* lambda of a held row; where there are others for the same motion it says nothing. */
static int look_at_lambda(switching *o, int r, double t, const double *x, double lambda,
                          double error, double near, ns_breach *worst)
{
  double beyond = fmax(o->lb[r] - lambda, lambda - o->ub[r]), leaves = 0;
  double allowed = faint(o, r, lambda, near);
  int rc = NS_OK;
  if (o->held.rank < o->held.n) return NS_OK;
  if (beyond > allowed && o->degree[r]) rc = sensitivity(o, t, x, lambda, error, r, &leaves);
  note(worst, r, beyond, allowed + leaves, "lambda is beyond its bounds by");
  return rc;
}

/* The worst of all rows at the point x, where y and lambda are what they are. */
static int laws_at(switching *o, double t, const double *x, const double *y, const double *lambda,
                   double error, ns_breach *worst)
{
  int rc = NS_OK;
  for (int r = 0; r < o->k->nrows && !rc; r++) {
    double near = OF_Y * ns_sw_near(o, r, x, lambda) + error * gain(o, r);
    if (!ns_sw_is_equality(o, r)) {
      note(worst, r, -ns_sw_over(o, r) * y[r], near, "y is beyond its surface by");
      continue;
    }
    note(worst, r, fabs(y[r]), near, "y, which lambda keeps at 0, is");
    rc = look_at_lambda(o, r, t, x, lambda[r], error, near, worst);
  }
  return rc;
}

int ns_sw_laws(void *self, double t, const double *x, double error, ns_breach *worst)
{
  switching *o = self;
  const ns_motion *p = &o->at[0];
  return laws_at(o, t, x, p->y, p->lambda, error, worst);
}

int ns_sw_certify_row(switching *o)
{
  const ns_state *x = o->x;
  ns_breach b = {0};
  if (!o->run.certificate) return NS_OK;
  int rc = laws_at(o, *x->t, x->q, x->y, x->lambda, 0, &b);
  if (rc < 0) return rc;
  b.row = ns_event_run_row(&o->run, b.row);
  return ns_event_certificate_laws(o->run.certificate, o->run.c, *x->t, &b);
}

/* ---- events ---------------------------------------------------------------------------------- */

int ns_sw_certify_event(switching *o)
{
  const ns_state *x = o->x;
  const ns_sw_problem *j = &o->jump;
  size_t n = o->m->nq;
  double *d = o->change, size = 0, max = 0, fast = 0;
  const double *was = o->entered, *rate = ns_event_run_before(&o->run, x->v);
  ns_breach b = {0};
  int rc = NS_OK, row = 0;
  if (!o->run.certificate || !o->begun || !o->k->nrows) return NS_OK;
  memset(d, 0, n * sizeof *d);
  for (int k = 0; k < j->n && j->made && !rc; k++) {
    if (j->p[k] == 0) continue;
    rc = ns_sw_response(o, *x->t, x->q, row = j->row[k]);
    ns_axpy(n, j->p[k], o->b, d);
  }
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fmax(fabs(was[i]), fmax(fabs(x->q[i]), fabs(d[i]))));
    max = fmax(max, fabs(x->q[i] - was[i] - d[i]));
    fast = fmax(fast, fabs(rate[i]));
  }
  note(&b, row, max, OF_STATES * size + OF_Y * o->opt->gap_tol + ns_sw_within(o) * fast,
       "impulses do not explain how the state jumps, by");
  b.row = ns_event_run_row(&o->run, b.row);
  return rc ? rc : ns_event_certificate_event(o->run.certificate, o->run.c, *x->t, &b);
}
