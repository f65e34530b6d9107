/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/diagnose.h"

#include "expression/culprit.h"
#include "model/owned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 512, TEXT = 400 };

/* An element whose functions are tried: its systems, and their q, v, z one after the other. */
typedef struct element {
  const ns_model *m;
  const ns_moment *at;
  const ns_place *place;
  const void *object; /* the ns_system or ns_interaction */
  const int *systems;
  int nsystems;
  double *q, *v, *z;
  const double *lambda, *index;
  const ns_foreign *foreign; /* variables of other systems that the function in hand reads */
} element;

/* ---- a function that is not finite ----------------------------------------------------------- */

static void name_variable(void *to, int bank, int index, char *buf, size_t size)
{
  const element *e = to;
  if (bank != NS_BANK_FOREIGN) {
    ns_variable_text(e->m, e->systems, e->nsystems, bank, index, buf, size);
    return;
  }
  ns_foreign_text(e->m, &e->foreign->of[index], buf, size);
}

static void gather(const element *e)
{
  double *q = e->q, *v = e->v, *z = e->z;
  for (int i = 0; i < e->nsystems; i++) {
    const ns_system *s = &e->m->systems[e->systems[i]];
    if (s->nq) memcpy(q, e->at->q + s->q, (size_t)s->nq * sizeof *q);
    if (s->n) memcpy(v, e->at->v + s->v, (size_t)s->n * sizeof *v);
    if (s->nz) memcpy(z, e->at->z + s->z, (size_t)s->nz * sizeof *z);
    q += s->nq, v += s->n, z += s->nz;
  }
}

/* A number so that it reads back as it is, in as few digits as that takes of 6, 10 and 17. */
static const char *exact(double x, char *buf, size_t size)
{
  static const int digits[] = {6, 10, 17};
  for (size_t k = 0; k < sizeof digits / sizeof *digits; k++) {
    snprintf(buf, size, "%.*g", digits[k], x);
    if (strtod(buf, NULL) == x) break;
  }
  return buf;
}

/* " with x = 0.49, v_x = -1", of what the culprit reads, without branches of formulas that jump. */
static void list_values(const element *e, const double *const *bank, const ns_culprit *k, char *buf,
                        size_t size)
{
  size_t used = 0;
  *buf = '\0';
  for (int i = 0; i < k->nvariables && used < size; i++) {
    char name[80], number[32];
    if (k->bank[i] == NS_BANK_BRANCH) continue;
    name_variable((void *)e, k->bank[i], k->index[i], name, sizeof name);
    exact(bank[k->bank[i]][k->index[i]], number, sizeof number);
    used += (size_t)snprintf(buf + used, size - used, "%s%s = %s", used ? ", " : " with ", name,
                             number);
  }
}

/* All that the culprit reads is finite: it is the cause, not a victim. */
static int is_cause(const double *const *bank, const ns_culprit *k)
{
  for (int i = 0; i < k->nvariables; i++)
    if (!isfinite(bank[k->bank[i]][k->index[i]])) return 0;
  return 1;
}

/* printf shows the sign of a NaN, which means nothing. */
static double plain_nan(double x) { return isnan(x) ? (double)NAN : x; }

/* Which entry of a function: " of theta", " entry 1", " entry (0, 1)", or "" where there is one
 * alone. */
static void entry_text(const element *e, const ns_operator *op, int k, char *buf, size_t size)
{
  const ns_system *s = &e->m->systems[e->systems[0]];
  int of_coordinates = e->object == s && op->rows == s->n && s->nq == s->n;
  char name[64];
  if (op->cols == 1 && of_coordinates)
    snprintf(buf, size, " of %s", ns_system_coordinate(s, k, name, sizeof name));
  else if (op->rows * op->cols == 1) *buf = '\0';
  else if (op->cols == 1) snprintf(buf, size, " entry %d", k);
  else snprintf(buf, size, " entry (%d, %d)", k % op->rows, k / op->rows);
}

/* Output k of the function is not finite. */
static int tell_function(const element *e, ns_ctx *c, const char *name, const ns_operator *op,
                         int k, const double *const *bank)
{
  char values[TEXT], entry[80];
  ns_culprit culprit;
  if (ns_tape_culprit(op->formula->tape, k, bank, name_variable, (void *)e, &culprit))
    return ns_nomem(c, "a sentence");
  if (!is_cause(bank, &culprit)) return NS_OK;
  list_values(e, bank, &culprit, values, sizeof values);
  entry_text(e, op, k, entry, sizeof entry);
  return ns_fail_at(c, NS_NUMERIC, e->place,
                    "<%s>%s is not finite at t = %.10g s: %s is %g%s; the last good state, at t = "
                    "%.10g s, is kept; give the formula a value there, or use smaller steps if the "
                    "motion should not reach this state",
                    name, entry, e->at->t, culprit.text, plain_nan(culprit.value), values,
                    e->at->from);
}

static int try_function(element *e, ns_ctx *c, const char *name, const ns_operator *op)
{
  const double *bank[NS_BANKS] = {
      [NS_BANK_T] = &e->at->t, [NS_BANK_Q] = e->q,         [NS_BANK_V] = e->v,
      [NS_BANK_Z] = e->z,      [NS_BANK_INDEX] = e->index, [NS_BANK_LAMBDA] = e->lambda};
  unsigned unknown = 1u << NS_BANK_JOINT | 1u << NS_BANK_OBSERVABLE;
  if (op->how != NS_OP_TAPE || op->uses & unknown) return NS_OK;
  const ns_formula *f = op->formula;
  int n = ns_tape_outputs(f->tape), rc = NS_OK;
  int others = f->foreign ? f->foreign->n : 0;
  size_t size = (size_t)n + (size_t)others + ns_tape_work(f->tape) + 1;
  double *out = malloc(size * sizeof *out);
  if (!out) return ns_nomem(c, "a sentence");
  e->foreign = f->foreign;
  bank[NS_BANK_BRANCH] = f->branch;
  bank[NS_BANK_FOREIGN] = out + n;
  ns_point p = {
      .model_q = e->at->q, .model_v = e->at->v, .model_z = e->at->z, .model_angle = e->at->angle};
  if (others) ns_foreign_values(f->foreign, &p, out + n);
  ns_tape_eval(f->tape, bank, out + n + others, out);
  for (int k = 0; k < n && !rc; k++)
    if (!isfinite(out[k])) rc = tell_function(e, c, name, op, k, bank);
  free(out);
  return rc;
}

/* Functions before their derivatives. */
static int try_element(element *e, ns_ctx *c, const ns_owned *rows)
{
  int rc = NS_OK;
  gather(e);
  for (int derived = 0; derived < 2; derived++)
    for (const ns_owned *k = rows; k->name && !rc; k++)
      if (k->derived == derived) rc = try_function(e, c, k->name, ns_owned_of(k, e->object));
  return rc;
}

static int try_all(element *e, ns_ctx *c)
{
  const ns_model *m = e->m;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    e->place = &s->at, e->object = s, e->index = s->index;
    e->systems = &i, e->nsystems = 1;
    rc = try_element(e, c, ns_system_owned(s));
  }
  const double *lambda = e->lambda;
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    e->place = &it->at, e->object = it, e->index = it->index;
    e->systems = it->systems, e->nsystems = it->nsystems;
    e->lambda = lambda + it->row;
    rc = try_element(e, c, ns_interaction_owned(it));
  }
  return rc;
}

/* The most entries of q, v and z together that an element reads. */
static size_t largest_element(const ns_model *m)
{
  size_t max = 1;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    size_t n = (size_t)it->nQ + (size_t)it->nV + (size_t)it->nZ;
    if (n > max) max = n;
  }
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    size_t n = (size_t)s->nq + (size_t)s->n + (size_t)s->nz;
    if (n > max) max = n;
  }
  return max;
}

static int try_moment(ns_ctx *c, const ns_model *m, const ns_moment *at)
{
  size_t max = largest_element(m);
  double *capacity = calloc(3 * max + m->nrows + 1, sizeof *capacity);
  if (!capacity) return ns_nomem(c, "a sentence");
  element e = {.m = m, .at = at, .q = capacity, .v = capacity + max, .z = capacity + 2 * max};
  e.lambda = at->lambda ? at->lambda : capacity + 3 * max;
  int rc = try_all(&e, c);
  free(capacity);
  return rc;
}

int ns_fail_function(ns_ctx *c, const ns_model *m, const ns_moment *at)
{
  ns_moment between = *at, begin = *at, end = *at;
  between.t = (at->from + at->t) / 2;
  begin.t = at->from;
  begin.q = end.q = at->q0 ? at->q0 : at->q;
  begin.v = end.v = at->v0 ? at->v0 : at->v;
  int rc = try_moment(c, m, at);
  if (!rc) rc = try_moment(c, m, &end);
  if (!rc) rc = try_moment(c, m, &between);
  return rc ? rc : try_moment(c, m, &begin);
}

/* ---- a coordinate that is not finite --------------------------------------------------------- */

/* How the coordinates of a family are called. */
typedef struct wording {
  const char *unknown, *value, *rate, *force, *in;
} wording;

static const wording *wording_of(const ns_system *s)
{
  static const wording list[] = {
      [NS_FAMILY_LAGRANGIAN] = {"coordinate", "position", "velocity", "force", "mass and forces"},
      [NS_FAMILY_FIRST_ORDER] = {"component", "value", "rate", "f", "right-hand side"},
      [NS_FAMILY_RIGID] = {"velocity", NULL, "velocity", "force or moment", "forces and moments"}};
  return &list[ns_system_family(s)];
}

/* Unknown i of a system, i < n, with its numbers. */
typedef struct unknown {
  char name[64], numbers[160];
} unknown;

static unknown describe(const ns_system *s, int i, const ns_moment *at)
{
  const wording *w = wording_of(s);
  unknown u;
  size_t used = 0, v = s->v + (size_t)i;
  const char *const *names = ns_system_names(s, w->value ? "q" : "v");
  if (names) snprintf(u.name, sizeof u.name, "%s", names[i]);
  else ns_system_coordinate(s, i, u.name, sizeof u.name);
  if (w->value)
    used = (size_t)snprintf(u.numbers, sizeof u.numbers, "%s %g, ", w->value,
                            at->q[s->q + (size_t)i]);
  used += (size_t)snprintf(u.numbers + used, sizeof u.numbers - used, "%s %g", w->rate, at->v[v]);
  if (at->force)
    snprintf(u.numbers + used, sizeof u.numbers - used, ", %s %g", w->force, at->force[v]);
  return u;
}

static int is_number(const ns_system *s, int i, const ns_moment *at)
{
  size_t v = s->v + (size_t)i;
  int q_finite = s->nq != s->n || isfinite(at->q[s->q + (size_t)i]);
  return q_finite && isfinite(at->v[v]) && (!at->force || isfinite(at->force[v]));
}

int ns_fail_coordinate(ns_ctx *c, const ns_model *m, const ns_moment *at)
{
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    const wording *w = wording_of(s);
    for (int i = 0; i < s->n; i++) {
      if (is_number(s, i, at)) continue;
      unknown u = describe(s, i, at);
      return ns_fail_at(
          c, NS_NUMERIC, &s->at,
          "%s %s is not finite in the step from t = %.10g s (%s); the last good "
          "state is kept; look for a division by zero or a root of a negative number in "
          "its %s, or use a smaller h",
          w->unknown, u.name, at->from, u.numbers, w->in);
    }
  }
  return NS_OK;
}

/* All are numbers, but too large for what is made of them: the largest is named. */
int ns_fail_overflow(ns_ctx *c, const ns_model *m, const ns_moment *at)
{
  const ns_system *largest = m->systems;
  double max = -1;
  int entry = 0;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      double value = s->nq == s->n ? fabs(at->q[s->q + (size_t)i]) : 0;
      double size = value / 2 + fabs(at->v[s->v + (size_t)i]) / 2; /* their sum may be no number */
      if (size <= max) continue;
      max = size;
      largest = s;
      entry = i;
    }
  }
  unknown u = describe(largest, entry, at);
  return ns_fail_at(c, NS_NUMERIC, &largest->at,
                    "%s %s overflowed in the step from t = %.10g s (%s); the last good state is "
                    "kept; use a smaller h, theta >= 0.5, or look for the source of its energy",
                    wording_of(largest)->unknown, u.name, at->from, u.numbers);
}

int ns_fail_not_finite(ns_ctx *c, const ns_model *m, const ns_moment *at)
{
  int rc = ns_fail_function(c, m, at);
  if (!rc) rc = ns_fail_coordinate(c, m, at);
  return rc ? rc : ns_fail_overflow(c, m, at);
}

int ns_fail_row(ns_ctx *c, const ns_model *m, const ns_moment *at, size_t row, const char *numbers)
{
  const ns_interaction *it = m->interactions;
  int rc = ns_fail_function(c, m, at);
  if (rc) return rc;
  while (row >= it->row + (size_t)it->m) it++;
  return ns_fail_at(
      c, NS_NUMERIC, &it->at,
      "row %zu of the relation is not finite in the step from t = %.10g s (%s), "
      "expected finite numbers; the last good state is kept; look for a division by "
      "zero or the root of a negative number in the relation, its derivatives, and the "
      "forces on its systems, or use a smaller h",
      row - it->row, at->from, numbers);
}

/* ---- the largest part ------------------------------------------------------------------------ */

static int takes_over(ns_suspect *w, double part, const ns_place *at)
{
  int is_larger = !w->at || part > w->part || isnan(part);
  if (!is_larger || isnan(w->part)) return 0;
  w->part = part;
  w->at = at;
  w->fault = NULL;
  return 1;
}

void ns_suspect_system(ns_suspect *w, const ns_system *s, double part)
{
  if (takes_over(w, part, &s->at)) snprintf(w->what, sizeof w->what, "this system");
}

void ns_suspect_row(ns_suspect *w, const ns_interaction *it, int row, double part)
{
  if (!takes_over(w, part, &it->at)) return;
  const char *device = it->row_names && row >= 0 ? it->row_names[row] : NULL;
  w->fault = it->row_faults && row >= 0 ? it->row_faults[row] : NULL;
  if (device) snprintf(w->what, sizeof w->what, "%s", device);
  else if (row < 0 || it->m == 1) snprintf(w->what, sizeof w->what, "this interaction");
  else snprintf(w->what, sizeof w->what, "row %d of this interaction", row);
}
