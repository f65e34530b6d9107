/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow_bench [N[:b[:T]]...] -- a stiff chain of N masses, each joined with b neighbours on either
 * side (default 10 30 100 300, b = 1), by implicit integrators: Newton's matrix by differences of
 * the rates or from the Jacobian, dense or sparse; BDF at a relative tolerance of 1e-6, generalised
 * alpha in steps of T/1000; to t = T (1 s; 1000:1:0.001 takes a minute).
 *
 *   x_i'' = k sum (x_j - x_i) over 0 < |j - i| <= b  - c v_i + sin t,  x_j = 0 beyond the ends,  k
 *       = 1e6, c = 1
 *
 * Printed for each: steps, evaluations of the rates, those of them for Jacobians, Jacobians, least
 * time of three, and the ratio of it to that of the sparse matrix. */
#include "bench.h"
#include "integrators/flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain {
  int N, b;
  double T;
  double k, c;
  ns_flow_problem p;
  ns_event_driven_options options;
  int *ptr, *row;
  double *atol, *x;
} chain;

static int rate(void *self, double t, const double *x, double *f)
{
  const chain *o = self;
  const double *q = x, *v = x + o->N;
  for (int i = 0; i < o->N; i++) {
    int from = i > o->b ? i - o->b : 0, to = i + o->b < o->N ? i + o->b : o->N - 1;
    double sum = -(2 * o->b + 1) * q[i];
    for (int j = from; j <= to; j++) sum += q[j];
    f[i] = v[i];
    f[o->N + i] = o->k * sum - o->c * v[i] + sin(t);
  }
  return 0;
}

static int jacobian(void *self, double t, const double *x, double *value, long long *rates)
{
  (void)t, (void)x, (void)rates;
  const chain *o = self;
  for (int j = 0; j < 2 * o->N; j++)
    for (int e = o->ptr[j]; e < o->ptr[j + 1]; e++) {
      int i = o->row[e] - o->N, is_v = j >= o->N;
      if (i < 0) value[e] = is_v;
      else if (is_v) value[e] = -o->c;
      else value[e] = i == j ? -2 * o->b * o->k : o->k;
    }
  return 0;
}

static const char *name(void *self, size_t i, char *buf, size_t size)
{
  (void)self;
  snprintf(buf, size, "unknown %zu", i);
  return buf;
}

static void fill_structure(chain *o)
{
  int N = o->N, at = 0;
  for (int j = 0; j < N; j++) {
    o->ptr[j] = at;
    o->row[at++] = j;
    for (int i = j - o->b; i <= j + o->b; i++)
      if (i >= 0 && i < N) o->row[at++] = N + i;
  }
  for (int j = 0; j < N; j++) {
    o->ptr[N + j] = at;
    o->row[at++] = j;
    o->row[at++] = N + j;
  }
  o->ptr[2 * N] = at;
}

static int prepare(chain *o, int N, int b, double T)
{
  size_t n = 2 * (size_t)N;
  *o = (chain){.N = N,
               .b = b,
               .T = T,
               .k = 1e6,
               .c = 1,
               .options = {.rtol = 1e-6,
                           .method = NS_FLOW_BDF,
                           .max_step = INFINITY,
                           .step = 1e-3 * T,
                           .rho_inf = 0.8,
                           .newton_max = 20}};
  o->ptr = calloc(n + 1, sizeof *o->ptr);
  o->row = calloc(((size_t)b + 4) * n, sizeof *o->row);
  o->atol = calloc(n, sizeof *o->atol);
  o->x = calloc(n, sizeof *o->x);
  if (!o->ptr || !o->row || !o->atol || !o->x) return 1;
  for (size_t i = 0; i < n; i++) o->atol[i] = 1e-9;
  fill_structure(o);
  o->p = (ns_flow_problem){.of = o,
                           .n = n,
                           .options = &o->options,
                           .atol = o->atol,
                           .rate = rate,
                           .name = name,
                           .ncoord = (size_t)N};
  return 0;
}

static void release(chain *o)
{
  free(o->ptr);
  free(o->row);
  free(o->atol);
  free(o->x);
}

/* From rest to t = T; seconds, < 0 where it fails. */
static double run(chain *o, const char *integrator, ns_flow_work *w)
{
  const ns_flow_ops *ops = ns_flow_find(integrator);
  ns_ctx c = {0};
  void *flow = NULL;
  double t = 0, begin = now();
  ns_flow_end why;
  memset(o->x, 0, o->p.n * sizeof *o->x);
  int rc = ops->create(&c, &o->p, &flow);
  if (!rc) rc = ops->restart(flow, &c, 0, o->x, NULL);
  if (!rc) rc = ops->advance(flow, &c, o->T, o->T, &t, o->x, &why);
  if (!rc) ops->work(flow, w);
  else printf("%s\n", c.msg);
  ops->destroy(flow);
  return rc ? -1 : now() - begin;
}

static const struct {
  const char *text, *integrator;
  int jacobian;
  ns_flow_linear linear;
  int sparse; /* which it is compared with */
} way[] = {{"BDF differences, dense", "CVodeOSI", 0, NS_FLOW_DENSE, 2},
           {"BDF Jacobian, dense", "CVodeOSI", 1, NS_FLOW_DENSE, 2},
           {"BDF Jacobian, sparse", "CVodeOSI", 1, NS_FLOW_KLU, 2},
           {"alpha Jacobian, dense", "NewMarkAlphaOSI", 1, NS_FLOW_DENSE, 4},
           {"alpha Jacobian, sparse", "NewMarkAlphaOSI", 1, NS_FLOW_KLU, 4}};
enum { WAYS = sizeof way / sizeof *way };

static int measure(int N, int b, double T)
{
  chain o;
  double best[WAYS];
  ns_flow_work w[WAYS] = {{0}};
  int failed = prepare(&o, N, b, T);
  for (int k = 0; k < WAYS && !failed; k++) {
    o.options.linear = way[k].linear;
    o.p.jacobian = way[k].jacobian ? jacobian : NULL;
    o.p.structure = (ns_flow_structure){.ptr = way[k].jacobian ? o.ptr : NULL, .row = o.row};
    best[k] = INFINITY;
    for (int i = 0; i < 3 && !failed; i++) {
      double seconds = run(&o, way[k].integrator, &w[k]);
      failed = seconds < 0;
      best[k] = fmin(best[k], seconds);
      if (seconds > 5) break;
    }
  }
  for (int k = 0; k < WAYS && !failed; k++)
    printf("%6d %3d  %-22s %7lld %8lld %8lld %5lld %10.3f ms %8.2f\n", N, b, way[k].text,
           w[k].steps, w[k].rates, w[k].jacobian_rates, w[k].jacobians, 1e3 * best[k],
           best[k] / best[way[k].sparse]);
  release(&o);
  return failed;
}

int main(int argc, char **argv)
{
  static const int N[] = {10, 30, 100, 300};
  int failed = 0;
  printf(
      "masses   b  matrix                  steps    rates  for them   J's       least    ratio\n");
  for (int k = 1; k < argc; k++) {
    int of = 0, b = 1;
    double T = 1;
    sscanf(argv[k], "%d:%d:%lf", &of, &b, &T);
    failed |= measure(of, b, T);
  }
  for (size_t k = 0; argc < 2 && k < sizeof N / sizeof *N; k++) failed |= measure(N[k], 1, 1);
  return failed;
}
