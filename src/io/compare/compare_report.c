/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/plural.h"
#include "io/compare/compare.h"

#include <math.h>

const char *ns_compare_kind_text(ns_compare_kind k)
{
  static const char *const text[] = {
      [NS_COMPARE_RUN] = "run",    [NS_COMPARE_GRID] = "grid",   [NS_COMPARE_MISSING] = "missing",
      [NS_COMPARE_UNIT] = "unit",  [NS_COMPARE_EVENT] = "event", [NS_COMPARE_NAN] = "nan",
      [NS_COMPARE_VALUE] = "value"};
  return text[k];
}

static const char *number(double x, char *buf, size_t n)
{
  if (isnan(x)) snprintf(buf, n, "NaN");
  else snprintf(buf, n, "%.10g", x);
  return buf;
}

const char *ns_compare_sentence(const ns_compare_finding *f, char *buf, size_t n)
{
  char a[32], b[32], at[64] = "";
  if (isfinite(f->t)) snprintf(at, sizeof at, " at t = %.10g s", f->t);
  if (f->text) {
    snprintf(buf, n, "%s", f->text);
  } else if (f->kind == NS_COMPARE_NAN) {
    const char *where = isfinite(f->a) ? "in B" : isfinite(f->b) ? "in A" : "in A and in B";
    snprintf(buf, n, "%s%s is not finite %s: %s in A, %s in B", f->quantity, at, where,
             number(f->a, a, sizeof a), number(f->b, b, sizeof b));
  } else {
    snprintf(buf, n, "%s%s: %s in A, %s in B, difference %.3g, tolerance %.3g", f->quantity, at,
             number(f->a, a, sizeof a), number(f->b, b, sizeof b), f->difference, f->tolerance);
  }
  return buf;
}

const char *ns_compare_counts(const ns_compare_report *r, char *buf, size_t n)
{
  snprintf(buf, n, "%zu %s, %zu %s, %zu %s", r->ncompared,
           ns_plural(r->ncompared, "quantity", "quantities"), r->rows,
           ns_plural(r->rows, "row", "rows"), r->events, ns_plural(r->events, "event", "events"));
  return buf;
}

static void print_counts(const ns_compare_report *r, FILE *f)
{
  char buf[120];
  fprintf(f, "  compared  %s", ns_compare_counts(r, buf, sizeof buf));
  if (r->events_left) fprintf(f, " (%zu omitted: accumulation, end)", r->events_left);
  if (isfinite(r->end)) fprintf(f, ", up to t = %.10g s", r->end);
  fputc('\n', f);
}

static void print_tolerances(const ns_compare_options *o, FILE *f)
{
  fprintf(f, "  tolerance rtol %g, atol %g, time %g s\n", o->rtol, o->atol, o->time_tol);
}

enum { SHOWN = 5 };

/* The first few; a run with a wrong parameter has other events everywhere. */
static void print_findings(const ns_compare_report *r, FILE *f)
{
  char buf[1300];
  size_t shown = 0, told = 0;
  for (size_t i = 0; i < r->nfindings && shown < SHOWN; i++, told++) {
    if (&r->findings[i] == r->first || &r->findings[i] == r->worst) continue;
    fprintf(f, "  also      %s\n", ns_compare_sentence(&r->findings[i], buf, sizeof buf));
    shown++;
  }
  if (r->nfindings_all > told)
    fprintf(f, "  also      %zu more such differences\n", r->nfindings_all - told);
}

static void print_quantities(const ns_compare_report *r, FILE *f)
{
  size_t shown = 0;
  if (r->ndiffer < 2) return;
  fprintf(f, "  differing %zu quantities:", r->ndiffer);
  for (size_t i = 0; i < r->nquantities && shown < SHOWN; i++)
    if (r->quantities[i].differ) fprintf(f, "%s %s", shown++ ? "," : "", r->quantities[i].label);
  if (r->ndiffer > shown) fprintf(f, ", %zu more", r->ndiffer - shown);
  fputc('\n', f);
}

/* What was not compared; many contacts accumulate together, so not all of it. */
static void print_notes(const ns_compare_report *r, FILE *f)
{
  size_t shown = r->nnotes < 4 ? r->nnotes : 4;
  for (size_t i = 0; i < shown; i++) fprintf(f, "  note      %s\n", r->notes[i]);
  if (r->nnotes > shown)
    fprintf(f, "  note      %zu more of this kind (--json has them)\n", r->nnotes - shown);
}

void ns_compare_print(const ns_compare_report *r, const ns_compare_options *o, FILE *f)
{
  char buf[1300];
  fprintf(f, "%s: A = %s, B = %s\n", r->same ? "same" : "DIFFERENT", r->a, r->b);
  if (r->same && r->worst)
    fprintf(f, "  largest   %.2g of its tolerance: %s\n", r->worst->ratio,
            ns_compare_sentence(r->worst, buf, sizeof buf));
  if (!r->same && r->first)
    fprintf(f, "  first     %s\n", ns_compare_sentence(r->first, buf, sizeof buf));
  if (!r->same && r->worst && r->worst->ratio > 1)
    fprintf(f, "  worst     %s\n", ns_compare_sentence(r->worst, buf, sizeof buf));
  if (!r->same) print_findings(r, f);
  if (!r->same) print_quantities(r, f);
  print_counts(r, f);
  print_tolerances(o, f);
  print_notes(r, f);
}
