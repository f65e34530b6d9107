/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_contact.c -- numbers of relations and laws of mechanics. */
#include "model/check/check_parts.h"

#include "algebra/dense.h"
#include "model/relations/lagrangian_relation.h"
#include "model/relations/output.h"
#include "model/state.h"
#include "model/user_event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-9; /* m, of gaps and constraints at t0 */

/* ---- relations ------------------------------------------------------------------------------- */

static void check_finite(const ns_interaction *it, ns_ctx *c, const double *a, size_t n,
                         const char *name)
{
  char text[64];
  snprintf(text, sizeof text, "an entry of %s is %%g, expected finite numbers", name);
  for (size_t k = 0; a && k < n; k++)
    if (!isfinite(a[k])) {
      ns_check_bad(c, &it->at, text, a[k]);
      return;
    }
}

static void check_linear(const ns_interaction *it, ns_ctx *c)
{
  size_t m = (size_t)it->m, n = m * (size_t)it->nQ;
  int all_zero = n > 0;
  check_finite(it, c, it->H, n, "H");
  check_finite(it, c, it->e, m, "e");
  check_finite(it, c, it->F, m * (size_t)it->nZ, "F");
  if (it->relation->flags & NS_REL_COMPLIANT) check_finite(it, c, it->D, m * m, "D");
  for (size_t k = 0; k < n && all_zero; k++) all_zero = it->H[k] == 0;
  if (all_zero)
    ns_check_bad(c, &it->at,
                 "H is zero (%g): the interaction has no effect; give the derivatives of the gap "
                 "with respect to the coordinates",
                 0);
}

static void check_constant(const ns_interaction *it, const ns_operator *o, ns_ctx *c,
                           const char *name)
{
  if (o->how == NS_OP_CONSTANT)
    check_finite(it, c, o->value, (size_t)o->rows * (size_t)(o->diagonal ? 1 : o->cols), name);
}

static void check_nonlinear(const ns_interaction *it, ns_ctx *c)
{
  const ns_lagrangian_relation *o = &it->lr;
  check_constant(it, &o->h, c, "h");
  check_constant(it, &o->H, c, "H");
  check_constant(it, &o->ht, c, "hDot");
  check_constant(it, &o->D, c, "D");
  if (!o->H.how && !ns_lagrangian_relation_differenced(it))
    ns_check_bad(c, &it->at,
                 "h does not depend on the coordinates (H is %g): the interaction has no effect; "
                 "write the gap as a function of them, without a comparison: the law compares it",
                 0);
}

void ns_check_contact(const ns_interaction *it, ns_ctx *c)
{
  if (it->relation->flags & NS_REL_LINEAR) check_linear(it, c);
  else check_nonlinear(it, c);
  it->law.ops->check(&it->law, it->m, &it->at, c);
}

/* ---- boundary conditions --------------------------------------------------------------------- */

int ns_check_boundaries(const ns_model *m, ns_ctx *c)
{
  char buf[32];
  unsigned char *taken = calloc(m->nq + 1, 1);
  if (!taken) return ns_nomem(c, "check of the boundary conditions");
  for (int i = 0; i < m->nboundaries; i++) {
    const ns_boundary *b = &m->boundaries[i];
    const ns_system *s = &m->systems[b->system];
    const char *const *names = ns_system_names(s, "v");
    for (int k = 0; k < b->n; k++) {
      if (taken[s->q + (size_t)b->dof[k]]++ != 1) continue; /* told once, at the second one */
      ns_fail_at(c, NS_MODEL, &b->at,
                 "the velocity of %s of %s is prescribed twice, expected once; remove it here or "
                 "there",
                 names ? names[b->dof[k]] : ns_system_coordinate(s, b->dof[k], buf, sizeof buf),
                 s->at.id ? s->at.id : "a system");
    }
  }
  free(taken);
  return NS_OK;
}

/* ---- at t0 ----------------------------------------------------------------------------------- */

/* Rows whose y says something of the position. */
static int gap_rows(const ns_interaction *it)
{
  if (it->relation->flags & (NS_REL_JOINT | NS_REL_AXIS)) return 0; /* told in words of their own */
  if (it->relation->flags & NS_REL_COMPLIANT) return 0; /* lambda answers a negative gap */
  return ns_law_has_cone(it->law.ops) ? 1 : it->m;
}

static void tell_gap(const ns_interaction *it, ns_ctx *c, int r, double y, int *reported)
{
  int box = ns_law_is_box(it->law.ops);
  if (box ? !ns_law_is_free(&it->law, r) || fabs(y) <= tolerance : y >= -tolerance) return;
  if ((*reported)++ >= 5) return;
  if (box)
    ns_warn_at(c, &it->at,
               "the constraint y[%d] is %g at t0, expected 0: a velocity-level scheme keeps this "
               "error; move the systems or correct the relation",
               r, y);
  else
    ns_warn_at(c, &it->at,
               "the gap is %g m at t0, expected >= 0: a velocity-level scheme keeps this "
               "penetration; move the systems apart or correct %s",
               y, it->relation->flags & NS_REL_LINEAR ? "<e>" : "<h>");
}

/* D + D^T of a compliant relation is positive definite, or its contact may have no force or
 * several. D [m x m] is lost. */
static int check_compliance(const ns_interaction *it, ns_ctx *c, double *D)
{
  int m = it->m, rc = ns_dense_prepare(c, m);
  if (rc) return rc;
  for (int j = 0; j < m; j++)
    for (int i = 0; i <= j; i++) D[i + j * m] = D[j + i * m] = (D[i + j * m] + D[j + i * m]) / 2;
  int k = ns_dense_cholesky(m, D, m);
  if (k)
    ns_warn_at(c, &it->at,
               "the compliance D is not positive definite at t0 (row %d), expected y to grow with "
               "lambda: a rigid contact is a <LagrangianLinearTIR> with an impact law",
               k - 1);
  return NS_OK;
}

static int check_interaction(const ns_interaction *it, ns_ctx *c, int events, const double *y,
                             int *reported)
{
  char at[PLACE];
  for (int r = 0; r < gap_rows(it); r++) {
    if (!isfinite(y[r]))
      return ns_fail(
          c, NS_MODEL,
          "%s: y[%d] is %g at t0, expected a finite gap; correct h or the initial position",
          /* without a sign */
          ns_place_text(&it->at, at, sizeof at), r, isnan(y[r]) ? NAN : y[r]);
    /* event-driven runs refuse it in words of their own */
    if (!events) tell_gap(it, c, r, y[r], reported);
  }
  return NS_OK;
}

/* The same where q, z stand, lambda = 0. */
static int compliance_at(const ns_model *m, const ns_interaction *it, ns_ctx *c, const double *q,
                         const double *z, const double *lambda)
{
  size_t n = (size_t)it->m;
  double *work = calloc(n * n + ns_interaction_output_work(it), sizeof *work);
  if (!work) return ns_nomem(c, "check of the compliances");
  int rc = ns_interaction_compliance(m, c, it, m->sim.t0, q, z, lambda, work + n * n, work);
  if (!rc) rc = check_compliance(it, c, work);
  free(work);
  return rc;
}

/* A plug-in may write 0 to the rows of slip of h only if it also gives H. moving: the rates of the
 * rows at other velocities, all of them nonzero, than those of ydot. */
static void check_slip(const ns_interaction *it, ns_ctx *c, const double *ydot,
                       const double *moving)
{
  for (int r = 1; r < it->m; r++) {
    if (moving[r] != ydot[r]) continue;
    ns_warn_at(c, &it->at,
               "row %d of h does not depend on the coordinates at t0: there is no slip in its "
               "direction, and no friction; give <H>, or write the displacement in this direction",
               r);
    return;
  }
}

int ns_check_gaps(const ns_model *m, ns_ctx *c)
{
  size_t max = ns_output_work_max(m);
  double *q = calloc(m->nq + 2 * m->nv + m->nz + 4 * m->nrows + max + 1, sizeof *q);
  if (!q) return ns_nomem(c, "check of the gaps");
  double *v = q + m->nq, *z = v + m->nv, *y = z + m->nz, *ydot = y + m->nrows,
         *moving = ydot + m->nrows, *moved = moving + m->nrows, *lambda = moved + m->nv;
  int reported = 0, rc = NS_OK;
  ns_state_initial(m, q, NULL, z);
  for (size_t k = 0; k < m->nv; k++) moved[k] = 1 + 0.1 * (double)(k % 7);
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (ns_interaction_is_first_order(it)) continue;
    rc = ns_interaction_output(m, c, it, m->sim.t0, q, v, z, lambda, NULL, lambda + m->nrows, y,
                               ydot);
    if (!rc) rc = check_interaction(it, c, m->sim.event_driven, y + it->row, &reported);
    if (!rc && it->relation->flags & NS_REL_COMPLIANT) rc = compliance_at(m, it, c, q, z, lambda);
    if (rc || !ns_law_has_cone(it->law.ops) || !ns_lagrangian_relation_differenced(it)) continue;
    rc = ns_interaction_output(m, c, it, m->sim.t0, q, moved, z, lambda, NULL, lambda + m->nrows, y,
                               moving);
    if (!rc) check_slip(it, c, ydot + it->row, moving + it->row);
  }
  free(q);
  return rc;
}
