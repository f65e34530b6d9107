/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/given.h"

#include "algebra/vector.h"
#include "model/check/check_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STATES = 3,
  MAX_ENTRIES = 40000, /* of a matrix; larger ones are not compared */
  MAX_ALONG = 20000    /* entries times coordinates that are derived along the motion by formulas;
                           then by differences */
};
#define OF_FORMULA 1e-4 /* relative: the same */
#define OF_PLUGIN 1e-3

/* One comparison: an operator, what it should be, and where. All memory is the arena's. */
typedef struct trial {
  const ns_model *m;
  const ns_given *g;
  const ns_operator *given, *function;
  ns_operator derived; /* TAPE: the derivative as a formula; ABSENT: by differences, or zero */
  int rows, cols, nV;  /* rows that are compared */
  ns_point p;
  double *Q, *V, *z, *lambda;
  double *work, *A, *B, *lower, *upper, *probe;
  double tolerance;
} trial;

/* ---- whose ----------------------------------------------------------------------------------- */

static const ns_operator *operator_at(const ns_model *m, const ns_given *g, size_t offset)
{
  const char *base = g->of_interaction ? (const char *)&m->interactions[g->k]
                                       : (const char *)&m->systems[g->k];
  return (const ns_operator *)(const void *)(base + offset);
}

/* The systems of the object, one after the other. */
static const ns_system *system_of(const trial *t, int i)
{
  if (!t->g->of_interaction) return &t->m->systems[t->g->k];
  return &t->m->systems[t->m->interactions[t->g->k].systems[i]];
}

static int nsystems_of(const trial *t)
{
  return t->g->of_interaction ? t->m->interactions[t->g->k].nsystems : 1;
}

static int max_int(int a, int b) { return a > b ? a : b; }

static int find_sizes(trial *t)
{
  const ns_interaction *it = t->g->of_interaction ? &t->m->interactions[t->g->k] : NULL;
  for (int i = 0; i < nsystems_of(t); i++) {
    const ns_system *s = system_of(t, i);
    t->p.n += s->nq;
    t->p.nz += s->nz;
    t->nV += s->n;
  }
  t->p.index = it ? it->index : system_of(t, 0)->index;
  t->p.m = it ? it->m : 0;
  t->rows = t->given->rows < t->function->rows ? t->given->rows : t->function->rows;
  t->cols = t->given->cols;
  if (it && it->law.ops && ns_law_has_cone(it->law.ops) && t->function->cols == 1) t->rows = 1;
  return (double)t->given->rows * t->cols <= MAX_ENTRIES && t->rows > 0;
}

/* ---- the derivative as a formula ------------------------------------------------------------- */

/* Entry k of the function along Q' = V. */
static ns_node along_motion(const trial *t, ns_graph *g, ns_node f)
{
  ns_node sum = ns_graph_diff(g, f, NS_BANK_T, 0);
  for (int j = 0; j < t->p.n; j++)
    sum = ns_graph_add(g, sum,
                       ns_graph_multiply(g, ns_graph_diff(g, f, NS_BANK_Q, j),
                                         ns_graph_variable(g, NS_BANK_V, j)));
  return sum;
}

/* Rows of the function times columns of what is given. */
static int derive(trial *t, ns_ctx *c, ns_arena *a)
{
  int along = t->g->by == NS_GIVEN_ALONG;
  if (t->function->how != NS_OP_TAPE) return NS_OK;
  if (along && (double)t->function->rows * t->function->cols * t->p.n > MAX_ALONG) return NS_OK;
  ns_graph *g = ns_graph_create(a);
  size_t n = (size_t)t->function->rows * (size_t)t->function->cols,
         all = along ? n : n * (size_t)t->cols;
  ns_node *f = ns_arena_get(a, n, sizeof *f), *out = ns_arena_get(a, all, sizeof *out);
  if (!g || !f || !out || ns_tape_lift(t->function->formula->tape, g, f))
    return ns_nomem(c, "derivatives that are compared");
  for (size_t i = 0; i < n && along; i++) out[i] = along_motion(t, g, f[i]);
  for (int j = 0; j < t->cols && !along; j++)
    for (size_t i = 0; i < n; i++) out[i + n * (size_t)j] = ns_graph_diff(g, f[i], t->g->by, j);
  t->derived = (ns_operator){.rows = t->function->rows, .cols = t->cols};
  return ns_operator_compile(&t->derived, c, g, a, out, (int)all);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* In [-1/2, 1/2], irregular in k and of no meaning. */
static double irregular(int state, int k)
{
  double x = 0.6180339887498949 * (k + 1) + 0.7548776662466927 * state * (k + 2);
  return x - floor(x) - 0.5;
}

/* Rotations stay rotations. */
static void normalise_quaternions(const trial *t)
{
  double *q = t->Q;
  for (int i = 0; i < nsystems_of(t); q += system_of(t, i)->nq, i++) {
    const ns_system *s = system_of(t, i);
    if (s->nq != 7 || s->n != 6) continue;
    double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    if (length > 0) ns_divide(4, length, q + 3);
  }
}

/* State 0 is that of t0, without multipliers; those nearby differ by about `way` of it. */
static void set_state(trial *t, int state, double way)
{
  double *q = t->Q, *v = t->V, *z = t->z, h = t->m->sim.ts.h, span = t->m->sim.T - t->m->sim.t0;
  for (int i = 0; i < nsystems_of(t); i++) {
    const ns_system *s = system_of(t, i);
    memcpy(q, s->q0, (size_t)s->nq * sizeof *q);
    if (s->v0) memcpy(v, s->v0, (size_t)s->n * sizeof *v);
    else memset(v, 0, (size_t)s->n * sizeof *v);
    if (s->nz) memcpy(z, s->z0, (size_t)s->nz * sizeof *z);
    q += s->nq, v += s->n, z += s->nz;
  }
  t->p.t = t->m->sim.t0;
  for (int k = 0; k < t->p.m; k++) t->lambda[k] = state ? irregular(state, k) : 0;
  if (!state) return;
  t->p.t += state * (h > 0 && 5 * h < span ? 1.7 * h : span > 0 && isfinite(span) ? 0.1 * span : 0);
  for (int k = 0; k < t->p.n; k++) t->Q[k] += way * irregular(state, k) * (fabs(t->Q[k]) + 0.5);
  for (int k = 0; k < t->nV; k++) t->V[k] += irregular(state, k + t->p.n) * (fabs(t->V[k]) + 1);
  normalise_quaternions(t);
}

/* ---- both sides ------------------------------------------------------------------------------ */

static int evaluate(trial *t, ns_ctx *c, const ns_operator *o, double *out)
{
  for (int i = 0, at = 0; i < nsystems_of(t);
       at += system_of(t, i)->nz, i++) /* a plug-in may have written to it */
    if (system_of(t, i)->nz)
      memcpy(t->z + at, system_of(t, i)->z0, (size_t)system_of(t, i)->nz * sizeof *t->z);
  return ns_operator_eval(o, c, &t->p, t->work, out);
}

/* The function a way `e` along variable j of the bank, or along the motion. */
static int shifted(trial *t, ns_ctx *c, int j, double e, double *out)
{
  double *of = t->g->by == NS_BANK_V        ? t->V
               : t->g->by == NS_BANK_LAMBDA ? t->lambda
                                            : t->Q,
         was = t->p.t;
  if (t->g->by == NS_BANK_T) t->p.t += e;
  else if (t->g->by != NS_GIVEN_ALONG) of[j] += e;
  for (int k = 0; t->g->by == NS_GIVEN_ALONG && k < t->p.n; k++) t->Q[k] += e * t->V[k];
  if (t->g->by == NS_GIVEN_ALONG) t->p.t += e;
  int rc = evaluate(t, c, t->function, out);
  if (t->g->by != NS_BANK_T && t->g->by != NS_GIVEN_ALONG) of[j] -= e;
  for (int k = 0; t->g->by == NS_GIVEN_ALONG && k < t->p.n; k++) t->Q[k] -= e * t->V[k];
  t->p.t = was;
  return rc;
}

/* Central differences by j at two distances to out and t->probe [entries of the function]. */
static int difference(trial *t, ns_ctx *c, int j, double *out)
{
  size_t n = (size_t)t->function->rows * (size_t)t->function->cols;
  for (int half = 0; half < 2; half++) {
    double e = half ? 5e-6 : 1e-5, *to = half ? t->probe : out;
    int rc = shifted(t, c, j, e, t->upper);
    if (!rc) rc = shifted(t, c, j, -e, t->lower);
    if (rc) return rc;
    for (size_t i = 0; i < n; i++) to[i] = (t->upper[i] - t->lower[i]) / (2 * e);
  }
  for (size_t i = 0; i < n; i++) /* not smooth here: no verdict */
    if (!(fabs(out[i] - t->probe[i]) <= 1e-4 * (fabs(out[i]) + fabs(t->probe[i])) + 1e-6))
      out[i] = NAN;
  return NS_OK;
}

/* What is given to A, what it should be to B, both [rows of the function x cols], entries of other
 * rows unused. */
static int both_sides(trial *t, ns_ctx *c)
{
  int rc = evaluate(t, c, t->given, t->A), along = t->g->by == NS_GIVEN_ALONG;
  size_t n = (size_t)t->function->rows * (size_t)t->function->cols;
  if (rc) return rc;
  if (t->derived.how) return evaluate(t, c, &t->derived, t->B);
  if (t->function->how == NS_OP_CONSTANT) {
    memset(t->B, 0, n * (size_t)(along ? 1 : t->cols) * sizeof *t->B);
    return NS_OK;
  }
  if (along) return difference(t, c, 0, t->B);
  for (int j = 0; j < t->cols && !rc; j++) rc = difference(t, c, j, t->B + n * (size_t)j);
  return rc;
}

/* ---- verdict --------------------------------------------------------------------------------- */

typedef struct finding {
  int found, row, col, state;
  double given, right;
} finding;

static double given_entry(const trial *t, int i, int j)
{
  return t->A[(size_t)i + (size_t)j * (size_t)t->given->rows];
}
static double right_entry(const trial *t, int i, int j)
{
  return t->B[(size_t)i + (size_t)j * (size_t)t->function->rows];
}

/* Row i of A - B to t->probe [cols], without its parts along the quaternions of the bodies. */
static void differences_of_row(const trial *t, int i)
{
  for (int j = 0; j < t->cols; j++) t->probe[j] = given_entry(t, i, j) - right_entry(t, i, j);
  if (t->g->by != NS_BANK_Q) return;
  for (int k = 0, at = 0; k < nsystems_of(t); at += system_of(t, k)->nq, k++) {
    if (system_of(t, k)->nq != 7 || system_of(t, k)->n != 6) continue;
    double along = ns_dot(4, t->probe + at + 3, t->Q + at + 3);
    ns_axpy(4, -along, t->Q + at + 3, t->probe + at + 3);
  }
}

static double largest_of_row(const trial *t, int i)
{
  double max = 0;
  for (int j = 0; j < t->cols; j++)
    max = fmax(max, fmax(fabs(given_entry(t, i, j)), fabs(right_entry(t, i, j))));
  return max;
}

/* The entry that differs most, by its tolerance; numbers that are nothing in their row are not
 * judged. -1: not finite. */
static int compare_at(const trial *t, int state, finding *f)
{
  double worst = 1;
  f->found = 0;
  for (int i = 0; i < t->rows; i++) {
    double row = largest_of_row(t, i);
    differences_of_row(t, i);
    for (int j = 0; j < t->cols; j++) {
      double a = given_entry(t, i, j), b = right_entry(t, i, j);
      if (!isfinite(a) || !isfinite(b)) return -1;
      double ratio = fabs(t->probe[j]) /
                     (t->tolerance * (fmax(fabs(a), fabs(b)) + 1e-3 * row) + 1e-14);
      if (!(ratio > worst)) continue;
      worst = ratio;
      *f = (finding){.found = 1, .row = i, .col = j, .state = state, .given = a, .right = b};
    }
  }
  return f->found;
}

/* "at t0", or "at t = 0.1, q = 1 2 3, near t0". */
static void state_text(trial *t, int state, char *s, size_t n)
{
  int shown = t->p.n < 6 ? t->p.n : 6;
  const ns_system *y = system_of(t, 0);
  const char *name = ns_system_is_first_order(y) ? "x" : "q";
  size_t at = (size_t)snprintf(s, n, "at %s (t = %.6g, %s =", state ? "a state near t0" : "t0",
                               t->p.t, name);
  for (int k = 0; k < shown && at < n; k++)
    at += (size_t)snprintf(s + at, n - at, " %.6g", t->Q[k]);
  if (at < n) snprintf(s + at, n - at, "%s)", shown < t->p.n ? " ..." : "");
}

static void tell(trial *t, ns_ctx *c, const finding *f)
{
  char where[200], entry[40];
  const ns_given *g = t->g;
  state_text(t, f->state, where, sizeof where);
  if (g->by == NS_BANK_T) snprintf(entry, sizeof entry, "[%d]", f->row + 1);
  else snprintf(entry, sizeof entry, "[%d,%d]", f->row + 1, f->col + 1);
  if (g->by == NS_GIVEN_ALONG)
    ns_fail_at(c, NS_MODEL, &g->at,
               "<%s>%s is %.10g %s, but d/dt of <%s> along the motion is %.10g there; correct it, "
               "or remove it: it is then computed by finite differences",
               g->value, entry, f->given, where, g->of, f->right);
  else
    ns_fail_at(c, NS_MODEL, &g->at,
               "<%s>%s is %.10g %s, but the derivative of <%s> is %.10g there; correct one of "
               "them, or omit <%s>: %s",
               g->value, entry, f->given, where, g->of, f->right, g->value,
               t->function->how == NS_OP_PLUGIN ? "it is then computed by finite differences"
                                                : "the derivative of a formula is exact");
}

/* A state at which both sides are finite: nearer, where a formula ends. 1: there is one, and it is
 * set. */
static int compare_near(trial *t, int state, finding *f)
{
  for (double way = 2e-2; way > 1e-7; way *= 1e-2) {
    ns_ctx quiet = {0};
    set_state(t, state, way);
    if (both_sides(t, &quiet) == NS_OK && compare_at(t, state, f) >= 0) return 1;
    if (!state) break;
  }
  f->found = 0;
  return 0;
}

static void compare(trial *t, ns_ctx *c)
{
  finding f[STATES];
  int finite = 0, differ = 0, first = -1;
  for (int s = 0; s < STATES; s++) {
    finite += compare_near(t, s, &f[s]);
    differ += f[s].found;
    if (f[s].found && first < 0) first = s;
  }
  if (differ < 2 && !(differ == 1 && finite == 1)) return;
  compare_near(t, first, &f[first]); /* the state that is told */
  tell(t, c, &f[first]);
}

static int reserve(trial *t, ns_ctx *c, ns_arena *a)
{
  size_t n = (size_t)t->function->rows * (size_t)t->function->cols,
         entries = n * (size_t)t->cols + 1;
  size_t work = ns_operator_work(t->given),
         more[] = {ns_operator_work(t->function), ns_operator_work(&t->derived)};
  for (int k = 0; k < 2; k++) work = more[k] > work ? more[k] : work;
  size_t largest = (size_t)max_int(t->given->rows * t->cols,
                                   t->function->rows * t->function->cols) +
                   (size_t)t->cols + 1;
  double **want[] = {&t->Q, &t->V, &t->z,     &t->lambda, &t->work,
                     &t->A, &t->B, &t->lower, &t->upper,  &t->probe};
  size_t size[] = {(size_t)t->p.n + 1,
                   (size_t)t->nV + 1,
                   (size_t)t->p.nz + 1,
                   (size_t)t->p.m + 1,
                   work + 1,
                   largest,
                   entries,
                   n + 1,
                   n + 1,
                   largest};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++)
    if (!(*want[k] = ns_arena_zero(a, size[k], sizeof(double))))
      return ns_nomem(c, "derivatives that are compared");
  t->p.q = t->Q, t->p.v = t->V, t->p.z = t->z, t->p.lambda = t->lambda;
  return NS_OK;
}

static int check_one(const ns_model *m, ns_ctx *c, const ns_given *g, ns_arena *a)
{
  trial t = {.m = m,
             .g = g,
             .given = operator_at(m, g, g->given),
             .function = operator_at(m, g, g->function)};
  if (!t.given->how || !t.function->how || !find_sizes(&t)) return NS_OK;
  t.tolerance = t.function->how == NS_OP_PLUGIN ? OF_PLUGIN : OF_FORMULA;
  int rc = derive(&t, c, a);
  if (!rc) rc = reserve(&t, c, a);
  if (!rc) compare(&t, c);
  return rc;
}

/* ---- mass ------------------------------------------------------------------------------------ */

/* The matrix of formulas is A. */
static int compare_with_transpose(const trial *t, finding *f)
{
  int n = t->rows;
  double max = 0;
  f->found = 0;
  max = fmax(max, ns_max_abs((size_t)(n * n), t->A));
  if (!isfinite(max)) return 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j && !f->found; i++)
      if (fabs(given_entry(t, i, j) - given_entry(t, j, i)) > 1e-9 * max)
        *f = (finding){.found = 1,
                       .row = i,
                       .col = j,
                       .given = given_entry(t, i, j),
                       .right = given_entry(t, j, i)};
  return f->found;
}

static int check_mass(const ns_model *m, ns_ctx *c, int k, ns_arena *a)
{
  const ns_system *s = &m->systems[k];
  ns_given g = {.at = s->at, .value = "mass", .k = k};
  trial t = {.m = m, .g = &g, .given = &s->mass, .function = &s->mass, .rows = s->n};
  char where[200];
  if (!find_sizes(&t)) return NS_OK;
  int rc = reserve(&t, c, a);
  for (int state = 0; state < STATES && !rc; state++) {
    ns_ctx quiet = {0};
    finding f;
    set_state(&t, state, 2e-2);
    if (evaluate(&t, &quiet, t.given, t.A) || !compare_with_transpose(&t, &f)) continue;
    state_text(&t, state, where, sizeof where);
    ns_fail_at(c, NS_MODEL, &s->at,
               "<mass>[%d,%d] is %.10g %s, but <mass>[%d,%d] is %.10g; expected a symmetric matrix",
               f.row + 1, f.col + 1, f.given, where, f.col + 1, f.row + 1, f.right);
    break;
  }
  return rc;
}

/* Formulas and plug-ins once for all systems that share them; constants are looked at by check.c.
 */
static int wants_mass_check(const ns_model *m, int k)
{
  const ns_system *s = &m->systems[k], *before = k ? s - 1 : NULL;
  if (s->n < 2 || (s->mass.how != NS_OP_TAPE && s->mass.how != NS_OP_PLUGIN)) return 0;
  return !before || !ns_operator_same(&before->mass, &s->mass);
}

/* ---- all ------------------------------------------------------------------------------------- */

int ns_check_given(const ns_model *m, ns_ctx *c)
{
  int rc = NS_OK, masses = ns_model_family(m) == NS_FAMILY_LAGRANGIAN;
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "derivatives that are compared");
  for (int k = 0; k < m->ngiven && rc >= 0; k++) {
    ns_mark mark = ns_arena_mark(a);
    rc = check_one(m, c, &m->given[k], a);
    ns_arena_release(a, mark);
  }
  for (int k = 0; k < m->nsystems && rc >= 0 && masses; k++) {
    ns_mark mark = ns_arena_mark(a);
    if (wants_mass_check(m, k)) rc = check_mass(m, c, k, a);
    ns_arena_release(a, mark);
  }
  ns_arena_destroy(a);
  return rc;
}
