/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rolling friction: the projection against a minimisation, maps against differences, one contact
 * and many with known solutions. */
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"
#include "problems/posed_tools.h"
#include "support/suite.h"

#include <stdio.h>

/* ---- the cone -------------------------------------------------------------------------------- */

/* Half the squared distance from (n, t, w) to the part of the cone with normal x, and its slope. */
static double slope(double mu, double mu_r, const double *p, double x)
{
  return x - p[0] - mu * fmax(0, p[1] - mu * x) - mu_r * fmax(0, p[2] - mu_r * x);
}

/* Its only root from 0 on, by halves. */
static double nearest(double mu, double mu_r, const double *p)
{
  double left = 0, right = fabs(p[0]) + p[1] + p[2] + 1;
  if (slope(mu, mu_r, p, 0) >= 0) return 0;
  for (int i = 0; i < 200; i++) {
    double mid = (left + right) / 2;
    if (slope(mu, mu_r, p, mid) < 0) left = mid;
    else right = mid;
  }
  return right;
}

static void check_projection(int d, double mu, double mu_r, const double *z)
{
  double r[5], p[3] = {z[0], ns_rolling_slip(d, z), ns_rolling_turn(d, z)},
               n = nearest(mu, mu_r, p), size = fabs(p[0]) + p[1] + p[2];
  memcpy(r, z, sizeof r);
  ns_mechanical_rolling_cone(d, mu, mu_r, r);
  double t = fmin(p[1], mu * n), w = fmin(p[2], mu_r * n);
  ck_assert_double_eq_tol(r[0], n, 1e-12 * fmax(size, 1e-300));
  for (int i = 1; i < d; i++) {
    double from = i <= d / 2 ? p[1] : p[2], to = i <= d / 2 ? t : w;
    ck_assert_double_eq_tol(r[i], from > 0 ? z[i] * to / from : 0, 1e-12 * fmax(size, 1e-300));
  }
}

START_TEST(projection_is_nearest)
{
  for (int k = 0; k < 20000; k++) {
    int d = k % 2 ? 5 : 3;
    double mu = k % 7 == 0    ? 0
                : k % 11 == 0 ? 50 * uniform()
                              : uniform(),
           mu_r = k % 13 == 0 ? 0 : pow(10, 3 * signedu()), z[5];
    for (int i = 0; i < d; i++) z[i] = k % 5 == i ? 0 : signedu();
    check_projection(d, mu, mu_r, z);
  }
}
END_TEST

/* Inside, in the polar cone, on either face and on their edge, by hand. */
START_TEST(projection_in_closed_form)
{
  static const struct {
    double z[5], want[5];
  } row[] = {
      {{1, 0.3, 0.4, 0.1, 0}, {1, 0.3, 0.4, 0.1, 0}},
      {{-2, 0.6, 0.8, 0.5, 0}, {0, 0, 0, 0, 0}},
      {{1, 2, 0, 0, 0.1}, {1.6, 0.8, 0, 0, 0.1}}, /* mu 1/2: n = (1 + 1) / 1.25 */
      /* mu_r 1/4 */
      {{0, 0, 0, 3, 4}, {16.0 / 17 * 1.25, 0, 0, 3 * 1.25 * 4 / 17 / 5, 4 * 1.25 * 4 / 17 / 5}},
      /* both: 17/16 / (21/16) */
      {{0.3125, 1, 0, 1, 0}, {0.8095238095238095, 0.40476190476190477, 0, 0.20238095238095238, 0}}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    double r[5];
    memcpy(r, row[k].z, sizeof r);
    ns_mechanical_rolling_cone(5, 0.5, 0.25, r);
    for (int i = 0; i < 5; i++) ck_assert_double_eq_tol(r[i], row[k].want[i], 1e-15);
  }
}
END_TEST

/* A, B of the map against central differences, away from its kinks by far more than their step. */
START_TEST(map_has_its_derivatives)
{
  int compared = 0;
  for (int k = 0; k < 2000; k++) {
    int d = k % 2 ? 5 : 3, kind = (k / 2) % 2;
    ns_rolling_steps s = {d, 0.5, 0.2, 0.5 + uniform(), 0.5 + uniform(), 0.5 + uniform()};
    double x[10], F[5], A[25], B[25], up[5], down[5], h = 1e-6;
    for (int i = 0; i < 2 * d; i++) x[i] = signedu();
    if (kind && fabs(x[0]) < 1e-3) continue;
    ns_rolling_map(&s, kind, x, x + d, F, A, B);
    double worst = 0;
    for (int j = 0; j < 2 * d; j++) {
      double at = x[j];
      x[j] = at + h;
      ns_rolling_map(&s, kind, x, x + d, up, NULL, NULL);
      x[j] = at - h;
      ns_rolling_map(&s, kind, x, x + d, down, NULL, NULL);
      x[j] = at;
      for (int i = 0; i < d; i++)
        worst = fmax(
            worst, fabs((up[i] - down[i]) / (2 * h) - (j < d ? B[i + j * d] : A[i + (j - d) * d])));
    }
    compared += worst < 1e-6;
    ck_assert_msg(worst < 1e-6 || worst > 1e-4, "problem %d: %g", k, worst); /* a kink, or right */
  }
  ck_assert_int_ge(compared, 1900);
}
END_TEST

/* ---- one contact ----------------------------------------------------------------------------- */

/* W = G G^T + small, in units of impulse, moment: the rows of R by `unit`. */
static void random_block(int d, double unit, double small, double *W)
{
  double G[25];
  for (int i = 0; i < d * d; i++) G[i] = signedu() * (i % d > d / 2 ? unit : 1);
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) {
      double s = i == j ? small * (i > d / 2 ? unit * unit : 1) : 0;
      for (int l = 0; l < d; l++) s += G[i + l * d] * G[j + l * d];
      W[i + j * d] = s;
    }
}

/* The defect of a contact alone, whatever the units: by the law's three parts. */
static double law_defect(int d, const double *W, const double *q, double mu, double mu_r,
                         const double *r)
{
  double u[5], e, n = d / 2, worst, force = 0, speed = 0;
  for (int i = 0; i < d; i++) {
    u[i] = q[i];
    for (int j = 0; j < d; j++) u[i] += W[i + j * d] * r[j];
  }
  worst = fmax(fmax(0, -r[0] * W[0]), fmax(0, -u[0])) / fabs(q[0]) +
          fabs(fmin(r[0] * W[0], u[0])) / fabs(q[0]);
  for (int disc = 0; disc < 2; disc++) {
    double m = disc ? mu_r : mu, size = disc ? ns_rolling_turn(d, r) : ns_rolling_slip(d, r);
    double moves = disc ? ns_rolling_turn(d, u) : ns_rolling_slip(d, u), work = 0,
           at0 = disc ? ns_rolling_turn(d, q) : ns_rolling_slip(d, q);
    for (int i = 0; i < n; i++) work += u[1 + disc * d / 2 + i] * r[1 + disc * d / 2 + i];
    force = fmax(0, size - m * r[0]);
    speed = m * r[0] * moves + work; /* 0 where they are opposite, or one of them rests */
    e = (m * r[0] > 0 ? force / (m * r[0]) : size) +
        (m * r[0] > 0 ? fabs(speed) / (m * r[0] * fmax(at0, moves)) : 0);
    worst = fmax(worst, e);
  }
  return worst;
}

/* Every status, W of full rank, the coefficients small enough for the law to have one solution in
 * max: solved to rounding. */
START_TEST(one_contact)
{
  int by_status[6] = {0};
  for (int n = 0; n < 20000; n++) {
    int d = n % 2 ? 5 : 3;
    double unit = n % 3   ? 1
                  : n % 5 ? 1e3
                          : 1e-3,
           mu = 0.05 + uniform(), mu_r = (0.02 + 0.5 * uniform()) / unit, W[25], q[5], r[5] = {0};
    ns_rolling k;
    random_block(d, unit, 0.05, W);
    for (int i = 0; i < d; i++)
      q[i] = (i == 0 ? -0.05 - uniform() + (n % 10 == 0) : 2 * signedu()) * (i > d / 2 ? unit : 1);
    ck_assert_int_eq(ns_rolling_prepare(d, W, mu, mu_r, &k), 0);
    double e = ns_rolling_solve(&k, q, r), f = law_defect(d, W, q, mu, mu_r, r);
    if (q[0] < 0) ck_assert_msg(e <= 1e-12 && f <= 1e-9, "problem %d, %d rows: %g, %g", n, d, e, f);
    int slides = ns_rolling_slip(d, r) > (1 - 1e-9) * mu * r[0],
        rolls = ns_rolling_turn(d, r) > (1 - 1e-9) * mu_r * r[0];
    by_status[r[0] > 0 ? 2 * slides + rolls : 4]++;
  }
  for (int k = 0; k < 5; k++)
    ck_assert_msg(by_status[k] > 200, "status %d: %d problems", k, by_status[k]);
}
END_TEST

/* A sweep asks for less than the solution, from the solution of a problem close by: each call takes
 * away nine tenths of what is left at least, a few end at rounding, and from anywhere else it is
 * the solution at once. */
START_TEST(one_contact_in_a_sweep)
{
  static const double change[] = {1e-2, 1e-4, 1e-6, 1e-8};
  int fewer = 0;
  for (int n = 0; n < 8000; n++) {
    int d = n % 2 ? 5 : 3;
    double mu = 0.1 + uniform(), mu_r = 0.02 + 0.3 * uniform(), by = change[n / 2 % 4], W[25], q[5],
           r[5] = {0}, cold[5] = {0};
    ns_rolling k;
    random_block(d, 1, 0.05, W);
    for (int i = 0; i < d; i++) q[i] = i == 0 ? -0.05 - uniform() : 2 * signedu();
    ck_assert_int_eq(ns_rolling_prepare(d, W, mu, mu_r, &k), 0);
    ck_assert_double_le(ns_rolling_solve(&k, q, r), 1e-12);
    ck_assert_double_le(ns_rolling_sweep(&k, q, cold), 1e-12);
    for (int i = 0; i < d; i++) q[i] *= 1 + by * signedu();
    double e = ns_rolling_sweep(&k, q, r);
    ck_assert_msg(e <= 0.1 * by, "problem %d, changed by %g: %g", n, by, e);
    fewer += e > 1e-12;
    for (int again = 0; again < 4; again++) e = ns_rolling_sweep(&k, q, r);
    ck_assert_msg(e <= 1e-12 && law_defect(d, W, q, mu, mu_r, r) <= 1e-9,
                  "problem %d, changed by %g: %g in the end", n, by, e);
  }
  ck_assert_int_gt(fewer, 500);
}
END_TEST

/* No moment matters (W_RR = 0), large coefficients, no friction: no claim that is not true, and
 * solved where that is plain. */
START_TEST(one_contact_at_the_limits)
{
  int solved = 0, all = 0;
  for (int n = 0; n < 3000; n++) {
    int d = n % 2 ? 5 : 3, what = (n / 2) % 4;
    double W[25], q[5], r[5] = {0}, u[5], mu = what == 1 ? 0 : 0.3,
                        mu_r = what == 2   ? 0
                               : what == 3 ? 20
                                           : 0.1;
    random_block(d, 1, 0.05, W);
    for (int j = 0; j < d && what == 0; j++)
      for (int i = 0; i < d; i++)
        if (i > d / 2 || j > d / 2) W[i + j * d] = 0;
    for (int i = 0; i < d; i++) q[i] = i == 0 ? -0.1 - uniform() : signedu();
    ns_rolling k;
    ck_assert_int_eq(ns_rolling_prepare(d, W, mu, mu_r, &k), 0);
    double e = ns_rolling_solve(&k, q, r);
    for (int i = 0; i < d; i++) {
      u[i] = q[i];
      for (int j = 0; j < d; j++) u[i] += W[i + j * d] * r[j];
    }
    double f = sqrt(ns_rolling_defect(d, mu, mu_r, u, r));
    ck_assert_msg(e > 1e-9 || f <= 1e-7 * (1 + fabs(r[0])), "problem %d: says %g, is %g", n, e, f);
    all++;
    solved += e <= 1e-12;
    ck_assert_msg(what == 3 || e <= 1e-12, "problem %d: %g", n, e);
  }
  ck_assert_msg(solved >= 0.97 * all, "%d of %d", solved, all);
}
END_TEST

/* ---- many ------------------------------------------------------------------------------------ */

static ns_outcome solve(const ns_mechanical_solver_ops *ops, const ns_mechanical *p,
                        double *residual)
{
  size_t m = (size_t)p->W->m;
  double *r = calloc(m, sizeof *r), *u = calloc(m, sizeof *u);
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind, .symmetric = 1};
  ns_ctx c = {0};
  void *s;
  ns_outcome out = {.kind = NS_NOT_FINITE};
  if (ops->create(&c, &cap, NULL, &s) == NS_OK) {
    ck_assert_int_eq(ops->solve(s, &c, p, NULL, r, u, &out), NS_OK);
    *residual = ns_mechanical_residual(p, r, u, NULL);
    ck_assert_msg(*residual == out.residual && (out.kind != NS_SOLVED || *residual <= 1e-8),
                  "%s says %g, is %g", ops->name, out.residual, *residual);
    ops->destroy(s);
  }
  free(r), free(u);
  return out;
}

/* Rolling blocks alone, in space and in the plane, of full rank and with many contacts to a body:
 * by every solver that takes them, none says more than is true, and auto solves all. */
START_TEST(certified_problems)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  int automatic = !strcmp(ops->name, "auto"), solved = 0, count = automatic ? 240 : 40;
  for (int n = 0; n < count; n++) {
    part parts[40];
    int nb = 1 + n % 16, rows = n % 2 ? 5 : 3, bodies = n % 3 ? nb + 1 : 1 + nb / 2;
    for (int a = 0; a < nb; a++) parts[a] = (part){ROLLING, rows};
    posed *m = posed_make(nb, parts, bodies, 0);
    double e = INFINITY, zero = ns_mechanical_residual(&m->p, m->r, m->u, NULL);
    ck_assert_double_le(zero, 1e-14);
    ns_outcome out = solve(ops, &m->p, &e);
    ck_assert_msg(!automatic || out.kind == NS_SOLVED,
                  "problem %d, %d blocks of %d rows, %d bodies: %s, %g after %d", n, nb, rows,
                  bodies, ns_outcome_text(out.kind), e, out.iterations);
    solved += out.kind == NS_SOLVED;
    posed_free(m);
  }
  if (getenv("NSSIM_TALK")) printf("%-14s %d of %d\n", ops->name, solved, count);
  ck_assert_msg(solved >= (strcmp(ops->name, "pivot") ? count / 2 : 0), "%s solves %d of %d",
                ops->name, solved, count);
}
END_TEST

/* All kinds in one problem; equalities of which many say what others say, so that W is singular:
 * consistent, hence to be solved. */
START_TEST(all_kinds)
{
  for (int n = 0; n < 300; n++) {
    part parts[32];
    int nb = 2 + n % 14, joints = 1 + n % 5;
    for (int a = 0; a < nb; a++) {
      int what = a < joints ? 7 : (int)(8 * uniform());
      static const part of[] = {{FRICTION, 2},   {FRICTION, 3}, {ROLLING, 3}, {ROLLING, 5},
                                {UNILATERAL, 1}, {RELAY, 1},    {BALL, 3},    {EQUALITY, 0}};
      parts[a] = of[what];
      if (parts[a].law == EQUALITY) parts[a].rows = 1 + (int)(5 * uniform());
    }
    posed *m = posed_make(nb, parts, 2 + nb / 2, 0.5);
    double e = INFINITY;
    ns_outcome out = solve(ns_mechanical_solver_find("auto"), &m->p, &e);
    ck_assert_msg(out.kind == NS_SOLVED, "problem %d, %d blocks: %s, %g after %d", n, nb,
                  ns_outcome_text(out.kind), e, out.iterations);
    posed_free(m);
  }
}
END_TEST

/* Two equalities that say the same, and want different velocities: no r, however large, is called a
 * solution; what all of them can be is. */
START_TEST(contradictory_equalities)
{
  static const part joints[] = {{EQUALITY, 5}, {EQUALITY, 5}, {EQUALITY, 4}, {ROLLING, 5}};
  for (int n = 0; n < 4; n++) {
    posed *m = posed_make(4, joints, 3, 1);
    double e = INFINITY, q = m->q[6];
    ns_outcome out = solve(ns_mechanical_solver_find("auto"), &m->p, &e);
    ck_assert_msg(out.kind == NS_SOLVED, "consistent problem %d: %g", n, e);
    ck_assert(ns_mechanical_contradiction(&m->p, 1e-8) == 0);
    m->q[6] = q + 0.1;
    double open = ns_mechanical_contradiction(&m->p, 1e-8);
    ck_assert_msg(open > 0.01 && open < 1, "%g", open);
    for (int k = 0; ns_mechanical_solvers[k]; k++) {
      out = solve(ns_mechanical_solvers[k], &m->p, &e);
      ck_assert_msg(out.kind != NS_SOLVED, "problem %d: %s says solved, %g", n,
                    ns_mechanical_solvers[k]->name, e);
    }
    posed_free(m);
  }
}
END_TEST

/* More blocks than have a natural order: swept by colours, on one thread or three to the same
 * bytes. W is strictly dominant. */
START_TEST(many_blocks)
{
  enum { NB = 1500 };
  static unsigned char kind[NB];
  static double mu_rolling[NB], r[2][5 * NB], u[5 * NB];
  for (int d = 3; d <= 5; d += 2)
    for (int by = 0; by < 2; by++) {
      made m = chain(d, NB, 4);
      m.p.W = &m.W;
      roll(&m, kind, mu_rolling);
      const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(by ? "nsgs" : "auto");
      for (int team = 0; team < 2; team++) {
        ns_mechanical_capacity cap = {.structure = &m.W, .kind = kind};
        ns_mechanical_options opt = {.tol = 1e-10, .threads = 1 + 2 * team};
        ns_outcome out;
        ns_ctx c = {0};
        void *s;
        memset(r[team], 0, sizeof r[team]);
        ck_assert_int_eq(ops->create(&c, &cap, &opt, &s), NS_OK);
        ck_assert_int_eq(ops->solve(s, &c, &m.p, NULL, r[team], u, &out), NS_OK);
        ck_assert_msg(out.kind == NS_SOLVED &&
                          ns_mechanical_residual(&m.p, r[team], u, NULL) <= 1e-10,
                      "%s: %g", ops->name, out.residual);
        ops->destroy(s);
      }
      ck_assert_int_eq(memcmp(r[0], r[1], sizeof r[0]), 0);
      make_free(&m);
    }
}
END_TEST

/* Joints that say many things twice, with rows at their bounds, contacts open or held: where no
 * contact slides, one linear system or a few; a row that says what others say carries nothing. */
START_TEST(what_is_held)
{
  int solved = 0;
  for (int n = 0; n < 300; n++) {
    static const part of[] = {{EQUALITY, 3}, {EQUALITY, 5}, {UNILATERAL, 1}, {RELAY, 1}};
    part parts[8];
    int nb = 2 + n % 7;
    for (int a = 0; a < nb; a++) parts[a] = of[a < 2 ? a : (int)(4 * uniform())];
    posed *m = posed_make(nb, parts, 2 + nb / 2, 0.5);
    double r[POSED_MAX] = {0}, u[POSED_MAX];
    ns_outcome out;
    if (m->W.m <= 48 && ns_mechanical_equality(&m->p, 1e-8, r, u, &out)) {
      solved++;
      ck_assert_double_le(ns_mechanical_residual(&m->p, r, u, NULL), 1e-8);
    }
    /* from the known states: always */
    ck_assert_msg(m->W.m > 48 || ns_mechanical_equality(&m->p, 1e-8, m->r, u, &out),
                  "problem %d of %d rows", n, m->W.m);
    posed_free(m);
  }
  ck_assert_msg(solved >= 150, "%d of 300", solved);
}
END_TEST

/* One or two contacts on bodies held by joints that say many things twice: the equalities
 * eliminated, exact. */
START_TEST(contacts_behind_joints)
{
  int solved = 0;
  for (int n = 0; n < 400; n++) {
    static const part of[] = {
        {FRICTION, 2}, {FRICTION, 3}, {ROLLING, 3}, {ROLLING, 5}, {UNILATERAL, 1}};
    part parts[5] = {{EQUALITY, 5}, {EQUALITY, 3}, {EQUALITY, 4}};
    int nb = 4 + n % 2;
    for (int a = 3; a < nb; a++) parts[a] = of[(n / 2 + a) % 5];
    posed *m = posed_make(nb, parts, 4, 0.7);
    double r[POSED_MAX] = {0}, u[POSED_MAX];
    ns_outcome out;
    if (ns_mechanical_joints(&m->p, 1e-10, r, u, &out)) {
      solved++;
      ck_assert_double_le(ns_mechanical_residual(&m->p, r, u, NULL), 1e-10);
    }
    posed_free(m);
  }
  ck_assert_msg(solved >= 380, "%d of 400", solved);
}
END_TEST

static void fill(TCase *t)
{
  int n = 0;
  while (ns_mechanical_solvers[n]) n++;
  tcase_set_timeout(t, 60);
  tcase_add_test(t, projection_is_nearest);
  tcase_add_test(t, projection_in_closed_form);
  tcase_add_test(t, map_has_its_derivatives);
  tcase_add_test(t, one_contact);
  tcase_add_test(t, one_contact_in_a_sweep);
  tcase_add_test(t, one_contact_at_the_limits);
  tcase_add_loop_test(t, certified_problems, 0, n);
  tcase_add_test(t, all_kinds);
  tcase_add_test(t, contradictory_equalities);
  tcase_add_test(t, many_blocks);
  tcase_add_test(t, what_is_held);
  tcase_add_test(t, contacts_behind_joints);
}

int main(void) { return suite_run("mechanical_rolling", fill); }
