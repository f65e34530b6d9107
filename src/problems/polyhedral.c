/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/polyhedral.h"
int ns_polyhedral_create(ns_ctx *c, int n, int p, const ns_lcp_options *opt, ns_polyhedral_solver **out)
{ (void)n, (void)p, (void)opt; *out = 0; return ns_fail(c, NS_MODEL, "none yet"); }
int ns_polyhedral_solve(ns_polyhedral_solver *s, ns_ctx *c, const ns_polyhedral *p, double *z, double *mu, double *w, ns_outcome *out)
{ (void)s, (void)p, (void)z, (void)mu, (void)w, (void)out; return ns_fail(c, NS_MODEL, "none yet"); }
void ns_polyhedral_destroy(ns_polyhedral_solver *s) { (void)s; }
double ns_polyhedral_residual(const ns_polyhedral *p, const double *z, const double *mu, double *w) { (void)p, (void)z, (void)mu, (void)w; return 1; }
