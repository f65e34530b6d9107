/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polyhedron.c -- multipliers in a polyhedron. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

/* Row i of N, which is not empty, or k[i] <= 0. */
static void check_face(const ns_nonsmooth_law *l, int m, int i, const char *at,
                       const ns_place *place, ns_ctx *c)
{
  int empty = 1;
  for (int j = 0; j < m; j++) {
    double a = l->N[(size_t)i + (size_t)j * (size_t)l->np];
    if (!isfinite(a)) ns_check_bad(c, place, "an entry of H is %g, expected finite numbers", a);
    empty = empty && a == 0;
  }
  if (!isfinite(l->k[i]))
    ns_check_bad(c, place, "an entry of k is %g, expected finite numbers", l->k[i]);
  if (!empty) return;
  if (l->k[i] > 0)
    ns_fail(c, NS_MODEL,
            "%s: row %d of H is zero and k[%d] is %g: no lambda satisfies 0 >= k; correct H or k",
            at, i, i, l->k[i]);
  else
    ns_fail(c, NS_MODEL, "%s: row %d of H is zero, expected a bound on lambda; remove the row", at,
            i);
}

static void check(const ns_nonsmooth_law *l, int m, const ns_place *place, ns_ctx *c)
{
  char at[512];
  ns_place_text(place, at, sizeof at);
  if (l->np < 1)
    ns_fail(c, NS_MODEL,
            "%s: H of the normal cone has no rows, expected at least one; without bounds the law "
            "is <EqualityConditionNSL>",
            at);
  for (int i = 0; i < l->np; i++) check_face(l, m, i, at, place, c);
}

const ns_law_ops ns_law_normal_cone = {
    .name = "NormalConeNSL",
    .help = "-y in the normal cone at lambda of { H lambda >= k }",
    .set = NS_SET_POLYHEDRON,
    .form = NS_FORM_POLYHEDRON,
    .check = check};

const ns_law_ops ns_law_normal_cone_rows = {
    .set = NS_SET_ROWS,
    .name = "NormalConeNSL",
    .help = "the same with the multipliers of the faces as unknowns",
    .form = NS_FORM_BOUNDS,
    .stands = NS_IN_MLCP | NS_IN_RELAY,
    .check = ns_law_check_bounds};
