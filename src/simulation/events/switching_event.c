/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/switching_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Roots are found to some units in the last place of time; what is held drifts. */
static double reach(const switching *o, int r)
{
  const ns_state *x = o->x;
  return ns_sw_within(o) * (ns_rows_size(&o->k->C, r, x->v) + fabs(o->drift[r])) +
         ns_sw_near(o, r, x->q, x->lambda);
}

static const double MISSED = 10; /* tolerances by which roots are missed */

/* How far y of a row that is not held is beyond its surface; 0 where it is farther than that. */
static double beyond(const switching *o, int r)
{
  double y = -ns_sw_over(o, r) * o->x->y[r];
  return y > 0 && y <= MISSED * ns_sw_touch(o, r) ? y : 0;
}

/* Who takes part: rows whose root it is, and those that are on their surface as far as the
 * tolerance tells, or have just passed it with the row that told. */
static void ask(switching *o)
{
  for (int r = 0; r < o->k->nrows; r++) {
    int held = ns_sw_is_equality(o, r), touches = fabs(o->x->y[r]) <= ns_sw_touch(o, r);
    o->search.ask[r] = o->fired[r] || (!held && (touches || beyond(o, r) > 0));
  }
}

/* 1 if row i of the held system is the derivative of a combination of several held rows. */
static int is_combined(const switching *o, int i)
{
  const ns_singular *h = &o->held;
  int terms = 0;
  for (int j = 0; j < h->n; j++) terms += o->combine[i + j * h->n] != 0;
  return o->degree[o->holds[i]] && terms > 1;
}

/* Held rows may be coupled by D such that only a combination of them depends on the state, as those
 * of an amplifier and the diode at its output. When one of them is released the others remain at 0,
 * so that the error of the combination, multiplied by the gain, is in y of that row. Therefore the
 * combinations are projected to 0 before an event. */
static int restore_combinations(switching *o)
{
  int any = 0;
  for (int i = 0; i < o->held.n && !any; i++) any = is_combined(o, i);
  if (!any) return NS_OK;
  int rc = ns_sw_project(o);
  return rc ? rc : ns_sw_output(o);
}

/* search.reach of rows in such combinations: at least the rounding errors of these. */
static void reaches_together(switching *o)
{
  const ns_singular *h = &o->held;
  for (int i = 0; i < h->n; i++) {
    double error = 0;
    if (!is_combined(o, i)) continue;
    for (int j = 0; j < h->n; j++)
      error += fabs(o->combine[i + j * h->n]) * 64 * DBL_EPSILON *
               ns_sw_size(o, o->holds[j], o->x->q, o->x->lambda);
    for (int j = 0; j < h->n; j++) {
      double share = fabs(o->combine[i + j * h->n]), *to = &o->search.reach[o->holds[j]];
      if (share > 0) *to = fmax(*to, error / share);
    }
  }
}

/* At a root: what may be left of y where it has come to 0. */
static void reaches(switching *o)
{
  for (int r = 0; r < o->k->nrows; r++)
    o->search.reach[r] = o->fired[r] || ns_sw_is_equality(o, r) ? reach(o, r) : beyond(o, r);
  reaches_together(o);
}

/* At a change from outside: what errors of the state that the integrator's tolerances allow are in
 * y. What a multiplier kept at 0 until then, as a diode did that a clock now blocks, is a
 * difference of states. */
static void errors(switching *o)
{
  const ns_rows *C = &o->k->C;
  for (int r = 0; r < o->k->nrows; r++) {
    double sum = 0;
    for (int e = C->ptr[r]; e < C->ptr[r + 1] && o->begun; e++) {
      int i = C->dof[e];
      sum += fabs(C->val[e]) * (o->opt->rtol * fabs(o->x->q[i]) + o->run.atol[i]);
    }
    o->search.reach[r] = MISSED * sum;
  }
}

/* A row on its surface that was asked because of others is held from now on: the end of a series,
 * where its y was not 0. */
static int accumulates(const switching *o, int r)
{
  return ns_sw_is_equality(o, r) && o->search.was[r] != NS_SIDE_BETWEEN &&
         o->search.was[r] != NS_SIDE_UNKNOWN && !o->fired[r] && !o->direct[r] && o->x->y[r] != 0;
}

static int ends(switching *o)
{
  char at[512];
  for (int r = 0; r < o->k->nrows; r++) {
    if (!accumulates(o, r)) continue;
    o->ending[r] = 1;
    if (o->opt->accumulation == NS_ACCUMULATION_STOP)
      return ns_fail(o->run.c, NS_NUMERIC,
                     "%s: switches accumulate at t = %.10g s: row %d is within %.3g of its surface "
                     "while another row switches; the results up to there are kept; "
                     "accumulation=\"stick\" keeps it there and continues",
                     ns_event_run_place(&o->run, r, at), *o->x->t,
                     r - (int)o->m->interactions[o->k->interaction[r]].row, o->x->y[r]);
  }
  return NS_OK;
}

/* The modes stand; what changes is told of those before, `from`. */
static int event(switching *o, const unsigned char *from)
{
  size_t rows = o->m->nrows;
  memset(o->ending, 0, rows);
  int rc = ends(o);
  memmove(o->search.was, from, rows);
  if (!rc) rc = ns_sw_project(o);
  if (!rc) rc = ns_sw_output(o);
  return ns_event_run_close(&o->run, rc);
}

void ns_sw_event_over(void *of)
{
  switching *o = of;
  memset(o->fired, 0, o->m->nrows);
}

int ns_sw_event(switching *o)
{
  int rc = ns_event_run_open(&o->run);
  if (!rc) rc = restore_combinations(o);
  ask(o);
  reaches(o);
  if (!rc) rc = ns_sw_jump_state(o, 0);
  if (!rc) rc = ns_event_run_jumped(&o->run);
  if (!rc) rc = ns_sw_decide(o);
  return rc ? rc : event(o, o->search.was);
}

/* The state onto laws that it contradicts, then guesses of modes. */
static int jump(switching *o, int coupled)
{
  int rc = ns_sw_jump_state(o, coupled);
  if (!rc) rc = ns_event_run_jumped(&o->run);
  return rc ? rc : ns_sw_guess(o);
}

/* Modes after a change. Rows with D say by themselves nothing of whether the state contradicts
 * them: they do where no motion goes on from it. */
static int adapt(switching *o)
{
  int found = 0, rc = jump(o, 0);
  if (!rc && !o->jump.made) rc = ns_sw_goes_on(o, &found);
  if (!rc && !o->jump.made && !found) rc = jump(o, 1);
  return rc || found ? rc : ns_sw_decide(o);
}

int ns_sw_changed(switching *o, int rows)
{
  ns_relation_point at = {.t = *o->x->t, .x = o->x->q, .z = o->x->z, .lambda = o->x->lambda};
  ns_sw_forget(o);
  int rc = ns_event_run_jumped(&o->run);
  at.others = ns_sw_others(o, at.t, at.x);
  if (!rc) rc = ns_couplings_offsets(o->k, o->run.c, &at, 1);
  if (!rc) rc = ns_sw_output(o);
  ask(o);
  errors(o);
  o->run.bare = !rows;
  memcpy(o->search.outside, o->x->mode, o->m->nrows); /* guesses go to the modes */
  if (!rc) rc = adapt(o);
  return rc ? rc : event(o, o->search.outside);
}

int ns_sw_correct_drift(switching *o)
{
  int drifted = 0;
  ns_sw_begin_near(o);
  for (int r = 0; r < o->k->nrows; r++)
    if (ns_sw_is_equality(o, r) && o->degree[r]) drifted |= fabs(o->x->y[r]) > ns_sw_touch(o, r);
  if (!drifted) return NS_OK;
  int rc = ns_event_run_certify(o, 1);
  if (!rc) rc = ns_sw_project(o);
  if (!rc) rc = ns_sw_output(o);
  if (!rc) rc = ns_sw_restart(o);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}
