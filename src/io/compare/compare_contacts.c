/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_contacts.h"

#include "algebra/vector.h"
#include "base/grow.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const labels[NS_COMPARE_CONTACT_QUANTITIES] = {"contacts.impulse",
                                                                  "contacts.gap"};
enum { IMPULSE, GAP };

static int means(const char *pattern, const char *label)
{
  return strcmp(pattern, "contacts") == 0 || fnmatch(pattern, label, 0) == 0;
}

int ns_compare_names_contacts(const ns_result_meta *m, const char *pattern)
{
  return m->ncontact_rows && (means(pattern, labels[IMPULSE]) || means(pattern, labels[GAP]));
}

/* ---- pairs of shapes at a row ---------------------------------------------------------------- */

typedef struct touching {
  int a, b; /* shapes */
  double impulse[3], gap;
} touching;

/* Those of one result at one row, ascending. */
typedef struct row {
  touching *pair; /* [n of room] */
  size_t n, capacity;
} row;

static int order(const touching *x, const touching *y)
{
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}
static int by_shapes(const void *x, const void *y) { return order(x, y); }

/* Contacts of the same pair become one. */
static size_t gather(touching *p, size_t n)
{
  size_t kept = 0;
  if (n) qsort(p, n, sizeof *p, by_shapes);
  for (size_t i = 0; i < n; i++) {
    if (!kept || order(&p[kept - 1], &p[i])) {
      p[kept++] = p[i];
      continue;
    }
    ns_axpy3(p[kept - 1].impulse, 1, p[i].impulse, p[kept - 1].impulse);
    p[kept - 1].gap = fmin(p[kept - 1].gap, p[i].gap);
  }
  return kept;
}

static int read_row(ns_ctx *c, ns_result *r, size_t at, row *to)
{
  const ns_contact_record *k;
  size_t n;
  to->n = 0;
  if (at >= ns_result_get_meta(r)->ncontact_rows) return NS_OK;
  int rc = ns_result_contacts(r, c, at, &k, &n);
  if (rc) return rc;
  if (ns_reserve(&to->pair, &to->capacity, n)) return ns_nomem(c, "contacts to compare");
  for (size_t i = 0; i < n; i++) {
    to->pair[i] = (touching){.a = k[i].a, .b = k[i].b, .gap = k[i].gap};
    memcpy(to->pair[i].impulse, k[i].impulse, sizeof to->pair[i].impulse);
  }
  to->n = gather(to->pair, n);
  return NS_OK;
}

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct contacts_job {
  ns_ctx *c;
  ns_result *a, *b;
  const ns_compare_grid *g;
  const ns_compare_options *o;
  const ns_compare_pen *pen;
  row ra, rb;
  double tolerance[NS_COMPARE_CONTACT_QUANTITIES];
  ns_compare_quantity *q[NS_COMPARE_CONTACT_QUANTITIES]; /* NULL: not asked for */
  /* where those are */
  touching first[NS_COMPARE_CONTACT_QUANTITIES], worst[NS_COMPARE_CONTACT_QUANTITIES];
} job;

/* Row of A at the time of row i of B; 0: there is none, or an event is near. */
static int same_time(const job *j, size_t i, size_t *at)
{
  double w = j->g->weight[i];
  *at = j->g->at[i] + (w > 0.5);
  return !j->g->near[i] && (w < 1e-6 || w > 1 - 1e-6);
}

/* Largest impulse and gap of the reference. */
static int scales(job *j, double *scale)
{
  int rc = NS_OK;
  scale[IMPULSE] = scale[GAP] = 0;
  for (size_t i = 0; i < j->g->nb && !rc; i++) {
    rc = read_row(j->c, j->b, i, &j->rb);
    for (size_t k = 0; k < j->rb.n && !rc; k++) {
      scale[IMPULSE] = fmax(scale[IMPULSE], ns_norm3(j->rb.pair[k].impulse));
      scale[GAP] = fmax(scale[GAP], fabs(j->rb.pair[k].gap));
    }
  }
  return rc;
}

/* One number of a pair of shapes. */
static void judge(job *j, int which, double t, const touching *of, double a, double b)
{
  ns_compare_quantity *q = j->q[which];
  double d = fabs(a - b), tol = j->tolerance[which];
  int finite = isfinite(a) && isfinite(b);
  if (!q) return;
  ns_compare_finding f = {.kind = finite ? NS_COMPARE_VALUE : NS_COMPARE_NAN,
                          .quantity = q->label,
                          .t = t,
                          .a = a,
                          .b = b,
                          .difference = d,
                          .tolerance = tol,
                          .ratio = d == 0              ? 0
                                   : finite && tol > 0 ? d / tol
                                                       : INFINITY};
  if (f.ratio > 1 && !q->differ++) {
    q->first = f;
    j->first[which] = *of;
  }
  if (q->worst.quantity && !(f.ratio > q->worst.ratio)) return;
  q->worst = f;
  j->worst[which] = *of;
}

static void judge_row(job *j, double t)
{
  static const touching apart = {0};
  const touching *a = j->ra.pair, *b = j->rb.pair;
  size_t i = 0, k = 0;
  while (i < j->ra.n || k < j->rb.n) {
    int side = i == j->ra.n ? 1 : k == j->rb.n ? -1 : order(&a[i], &b[k]);
    const touching *x = side > 0 ? &apart : &a[i], *y = side < 0 ? &apart : &b[k];
    for (int l = 0; l < 3; l++)
      judge(j, IMPULSE, t, side > 0 ? y : x, x->impulse[l], y->impulse[l]);
    if (side == 0) judge(j, GAP, t, x, x->gap, y->gap);
    i += side <= 0;
    k += side >= 0;
  }
  for (int l = 0; l < NS_COMPARE_CONTACT_QUANTITIES; l++)
    if (j->q[l]) j->q[l]->rows++;
}

static int judge_rows(job *j)
{
  size_t at;
  int rc = NS_OK;
  for (size_t i = 0; i < j->g->nb && !rc; i++) {
    if (!same_time(j, i, &at)) {
      for (int l = 0; l < NS_COMPARE_CONTACT_QUANTITIES; l++)
        if (j->q[l]) j->q[l]->skipped++;
      continue;
    }
    rc = read_row(j->c, j->a, at, &j->ra);
    if (!rc) rc = read_row(j->c, j->b, i, &j->rb);
    if (!rc) judge_row(j, j->g->tb[i]);
  }
  return rc;
}

/* The label of a finding tells the shapes, which info lists in this order. */
static void name(const job *j, ns_compare_finding *f, const touching *of)
{
  char label[120];
  if (!f->quantity) return;
  snprintf(label, sizeof label, "%s of shapes %d and %d", f->quantity, of->a, of->b);
  f->quantity = ns_compare_keep(j->pen, j->c, label);
}

static void conclude(job *j)
{
  ns_compare_report *r = j->pen->rep;
  for (int l = 0; l < NS_COMPARE_CONTACT_QUANTITIES; l++) {
    ns_compare_quantity *q = j->q[l];
    if (!q) continue;
    name(j, &q->first, &j->first[l]);
    name(j, &q->worst, &j->worst[l]);
    if (!q->rows) {
      q->how = NS_COMPARE_NOT;
      ns_compare_note(j->pen, j->c, "%s is not compared: no rows at the same times", q->label);
    }
    r->ncompared += q->how != NS_COMPARE_NOT;
    r->ndiffer += q->differ > 0;
  }
}

static void begin(job *j, int same_step)
{
  static const char *const units[] = {"N s", "m"};
  ns_compare_report *r = j->pen->rep;
  for (int l = 0; l < NS_COMPARE_CONTACT_QUANTITIES; l++) {
    if (!ns_compare_asks(j->o, labels[l], means)) continue;
    if (l == IMPULSE && !same_step) {
      ns_compare_note(j->pen, j->c, "%s is not compared: steps differ, and it is a value per step",
                      labels[l]);
      continue;
    }
    j->q[l] = &r->quantities[r->nquantities++];
    *j->q[l] = (ns_compare_quantity){.label = labels[l], .label_a = labels[l], .unit = units[l]};
  }
}

int ns_compare_contacts(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_grid *g,
                        int same_step, const ns_compare_options *o, const ns_compare_pen *pen)
{
  job j = {.c = c, .a = a, .b = b, .g = g, .o = o, .pen = pen};
  int has_a = ns_result_get_meta(a)->ncontact_rows > 0,
      has_b = ns_result_get_meta(b)->ncontact_rows > 0;
  double scale[NS_COMPARE_CONTACT_QUANTITIES];
  if ((!has_a && !has_b) ||
      (!ns_compare_asks(o, labels[IMPULSE], means) && !ns_compare_asks(o, labels[GAP], means)))
    return NS_OK;
  if (!has_a || !has_b) {
    ns_compare_note(pen, c, "contacts between shapes are not compared: %s contains none",
                    has_a ? "B" : "A");
    return NS_OK;
  }
  begin(&j, same_step);
  int rc = scales(&j, scale);
  for (int l = 0; l < NS_COMPARE_CONTACT_QUANTITIES; l++)
    j.tolerance[l] = o->atol + o->rtol * scale[l];
  if (!rc) rc = judge_rows(&j);
  if (!rc) conclude(&j);
  free(j.ra.pair);
  free(j.rb.pair);
  return rc;
}
