/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_measures.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "measures.height", with * and ?; "measures" means all. */
static int means(const char *pattern, const char *id)
{
  char label[512];
  snprintf(label, sizeof label, "measures.%.480s", id);
  return strcmp(pattern, "measures") == 0 || strcmp(pattern, label) == 0 ||
         fnmatch(pattern, label, 0) == 0;
}

int ns_compare_names_measure(const ns_result_meta *m, const char *pattern)
{
  ns_measured x;
  for (int k = 0; k < m->nmeasures; k++) {
    ns_result_measure_get(m, k, &x);
    if (means(pattern, x.id)) return 1;
  }
  return 0;
}

/* The measure of an id, its index or -1. */
static int find_measure(const ns_result_meta *m, const char *id, ns_measured *x)
{
  for (int k = 0; k < m->nmeasures; k++) {
    ns_result_measure_get(m, k, x);
    if (strcmp(x->id, id) == 0) return k;
  }
  return -1;
}

static double scale_of(const double *y, int n)
{
  double low = INFINITY, high = -INFINITY, max = 0;
  for (int k = 0; k < n; k++) {
    if (!isfinite(y[k])) continue;
    low = fmin(low, y[k]);
    high = fmax(high, y[k]);
    max = fmax(max, fabs(y[k]));
  }
  return high > low ? fmax(high - low, max) : max;
}

/* One number; both undefined is no difference. */
static void judge(ns_compare_quantity *q, const char *label, double a, double b, double tol)
{
  int finite = isfinite(a) && isfinite(b), both = !isfinite(a) && !isfinite(b);
  double d = fabs(a - b), ratio = both || d == 0 ? 0 : finite && tol > 0 ? d / tol : INFINITY;
  ns_compare_finding f = {.kind = finite || both ? NS_COMPARE_VALUE : NS_COMPARE_NAN,
                          .quantity = label,
                          .t = NAN,
                          .a = a,
                          .b = b,
                          .difference = finite ? d
                                        : both ? 0
                                               : NAN,
                          .tolerance = tol,
                          .ratio = ratio};
  q->rows++;
  if (ratio > 1 && !q->differ++) q->first = f;
  if (!q->worst.quantity || ratio > q->worst.ratio) q->worst = f;
}

typedef struct pair {
  const ns_result_meta *ma, *mb;
  int ka, kb;
  ns_measured a, b;
} pair;

static double tolerance(const ns_compare_options *o, const ns_measured *m, double scale)
{
  return o->atol + o->rtol * scale + (m->unit && strcmp(m->unit, "s") == 0 ? o->time_tol : 0);
}

static void judge_samples(ns_ctx *c, const pair *p, const ns_compare_options *o,
                          const ns_compare_pen *pen, ns_compare_quantity *q)
{
  int n = p->a.samples < p->b.samples ? p->a.samples : p->b.samples;
  double *x = malloc(((size_t)p->a.samples + (size_t)p->b.samples + 1) * sizeof *x),
         *y = x ? x + p->a.samples : NULL;
  char label[560];
  if (!x) {
    ns_nomem(c, "samples to compare");
    return;
  }
  ns_result_measure_samples(p->ma, p->ka, x, NULL);
  ns_result_measure_samples(p->mb, p->kb, y, NULL);
  double tol = tolerance(o, &p->b, scale_of(y, p->b.samples));
  for (int k = 0; k < n; k++) {
    snprintf(label, sizeof label, "%s[%d]", q->label, k);
    judge(q, q->label, x[k], y[k], tol);
    if (q->worst.a == x[k] && q->worst.b == y[k] && q->worst.ratio > 1)
      q->worst.quantity = ns_compare_keep(pen, c, label);
    if (q->differ == 1 && q->first.quantity == q->label)
      q->first.quantity = ns_compare_keep(pen, c, label);
  }
  free(x);
}

static void compare_pair(ns_ctx *c, const pair *p, const ns_compare_options *o,
                         const ns_compare_pen *pen)
{
  char label[512];
  snprintf(label, sizeof label, "measures.%.480s", p->b.id);
  const char *ua = p->a.unit ? p->a.unit : "", *ub = p->b.unit ? p->b.unit : "";
  ns_compare_report *r = pen->rep;
  if (strcmp(ua, ub) != 0) {
    ns_compare_find(pen, c, NS_COMPARE_UNIT, label, NAN, "%s is in %s in A, in %s in B", label,
                    *ua ? ua : "no unit", *ub ? ub : "no unit");
    return;
  }
  if (p->a.samples != p->b.samples)
    ns_compare_find(pen, c, NS_COMPARE_MISSING, label, NAN, "%s has %d samples in A, %d in B",
                    label, p->a.samples < 0 ? 1 : p->a.samples,
                    p->b.samples < 0 ? 1 : p->b.samples);
  ns_compare_quantity *q = &r->quantities[r->nquantities++];
  *q = (ns_compare_quantity){.label = ns_compare_keep(pen, c, label),
                             .label_a = ns_compare_keep(pen, c, label),
                             .unit = ns_compare_keep(pen, c, p->b.unit)};
  if (p->a.samples >= 0 && p->b.samples >= 0) judge_samples(c, p, o, pen, q);
  else if (p->a.samples < 0 && p->b.samples < 0)
    judge(q, q->label, p->a.value, p->b.value, tolerance(o, &p->b, fabs(p->b.value)));
  r->ncompared++;
  r->ndiffer += q->differ > 0;
}

static void only_one(ns_ctx *c, const char *id, const char *in, const char *not_in,
                     const ns_compare_pen *pen)
{
  char label[512];
  snprintf(label, sizeof label, "measures.%.480s", id);
  ns_compare_find(pen, c, NS_COMPARE_MISSING, label, NAN, "%s is in %s, not in %s", label, in,
                  not_in);
}

void ns_compare_measures(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                         const ns_compare_options *o, const ns_compare_pen *pen)
{
  pair p = {.ma = a, .mb = b};
  if (!a->format || !b->format || (!a->nmeasures && !b->nmeasures)) return;
  if (!isnan(o->until)) {
    ns_compare_note(pen, c,
                    "measures are not compared: they cover the whole run, and --until is given");
    return;
  }
  for (p.kb = 0; p.kb < b->nmeasures; p.kb++) {
    ns_result_measure_get(b, p.kb, &p.b);
    if (!ns_compare_asks(o, p.b.id, means)) continue;
    if ((p.ka = find_measure(a, p.b.id, &p.a)) >= 0) compare_pair(c, &p, o, pen);
    else only_one(c, p.b.id, "B", "A", pen);
  }
  for (int k = 0; k < a->nmeasures; k++) {
    ns_result_measure_get(a, k, &p.a);
    if (ns_compare_asks(o, p.a.id, means) && find_measure(b, p.a.id, &p.b) < 0)
      only_one(c, p.a.id, "A", "B", pen);
  }
}
