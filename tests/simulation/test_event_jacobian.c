/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of the motion between events is the derivative of the rates, entry by entry, in
 * every mode; none of its entries lies outside its structure; where the tangents are known it needs
 * no evaluation of the rates. */
#include "simulation/events/event_driven_parts.h"
#include "simulation/simulation_data.h"

#include "support/mechanics.h"

#define FLOW \
  "<simulation T='%g'><EventDriven h='0.01'><CVodeOSI method='bdf' " \
  "relativeTolerance='1e-8'/></EventDriven></simulation>"

static const struct {
  const char *model;
  double T;  /* the mode to be looked at holds there */
  int rates; /* evaluations of f at most */
  int held;  /* rows that hold then */
} rows[] = {
    /* linear, masses by themselves and coupled */
    {"<systems><LagrangianLinearTIDS id='a' coordinates='x y z'><q0>0.1 0 -0.2</q0><v0>1 -1 "
     "0.5</v0><mass diag='1 2 3'/>"
     "<K>3 -1 0; -1 4 -2; 0 -2 5</K><C>0.3 0 0.1; 0 0.2 0; 0 0 "
     "0.4</C></LagrangianLinearTIDS></systems>",
     0.5, 0, 0},
    {"<systems><LagrangianLinearTIDS id='a' coordinates='x y z'><q0>0.1 0 -0.2</q0><v0>1 -1 "
     "0.5</v0><mass>2 1 0; 1 3 0; 0 0 1</mass>"
     "<K>3 -1 0; -1 4 -2; 0 -2 5</K></LagrangianLinearTIDS></systems>",
     0.5, 0, 0},
    /* formulas, with their derivatives; two systems, one of them without forces */
    {"<systems><LagrangianDS id='a' coordinates='x y'><q0>0.3 0.4</q0><v0>1 -1</v0><mass diag='1 "
     "2'/><fInt>sin(x)+y^2*v_x x*y+v_y^3</fInt>"
     "<fGyr>v_x*v_y -v_x^2</fGyr></LagrangianDS><LagrangianDS id='b' "
     "coordinates='u'><q0>1</q0><v0>2</v0><mass>3</mass></LagrangianDS>"
     "</systems>",
     0.3, 0, 0},
    /* a mass that moves */
    {"<systems><LagrangianDS id='a' coordinates='a b'><q0>0.3 0.8</q0><v0>0.1 0.4</v0><mass>2 "
     "cos(a-b); cos(a-b) 1</mass>"
     "<fInt>20*sin(a) 10*sin(b)</fInt><fGyr>sin(a-b)*v_b^2 "
     "-sin(a-b)*v_a^2</fGyr></LagrangianDS></systems>",
     0.3, 6, 0},
    /* a linear contact that holds takes columns away; the third mass is free of it, but for the
       spring */
    {"<systems><LagrangianLinearTIDS id='a' coordinates='x y z'><q0>0 1 2</q0><mass diag='1 2 "
     "3'/><K>3 -1 0; -1 4 -2; 0 -2 5</K>"
     "<fExt>-9.81 -3 -1</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
     "systems='a'><LagrangianLinearTIR>"
     "<H>1 0 0</H></LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>",
     0.2, 0, 1},
    /* a chain of contacts, all closed, masses coupled, redundant rows; a free system beside it */
    {"<systems><repeat index='i' from='0' to='2'><LagrangianLinearTIDS id='b{i}' coordinates='x "
     "y'><q0>i 0</q0><mass>2 0.5; 0.5 1</mass>"
     "<K>1 0.3; 0.3 2</K><C>0.1 0; 0.2 0.3</C><fExt>-10 "
     "-1</fExt></LagrangianLinearTIDS></repeat><LagrangianLinearDiagonalDS id='f' "
     "coordinates='u'><q0>1</q0><mass>1</mass><K>4</K></LagrangianLinearDiagonalDS></"
     "systems><interactions><interaction id='g' systems='b0'>"
     "<LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR><NewtonImpactNSL "
     "e='0'/></interaction><interaction id='g2' systems='b0'>"
     "<LagrangianLinearTIR><H>2 0</H></LagrangianLinearTIR><NewtonImpactNSL "
     "e='0'/></interaction><repeat index='i' from='1' to='2'>"
     "<interaction id='c{i}' systems='b{i-1} b{i}'><LagrangianLinearTIR><H>-1 0 1 "
     "0</H><e>-1</e></LagrangianLinearTIR><NewtonImpactNSL e='0'/>"
     "</interaction></repeat></interactions>",
     0.05, 0, 4},
    /* a pendulum as a constraint beside a spring: only the columns of the pendulum are differenced
     */
    {"<systems><LagrangianDS id='p' coordinates='x y'><q0>1 0</q0><mass diag='2 2'/><fExt>0 "
     "-19.62</fExt></LagrangianDS>"
     "<LagrangianLinearDiagonalDS id='f' "
     "coordinates='u'><q0>1</q0><mass>1</mass><K>4</K></LagrangianLinearDiagonalDS></systems>"
     "<interactions><interaction id='rod' "
     "systems='p'><LagrangianScleronomousR><h>x^2+y^2-1</h></LagrangianScleronomousR>"
     "<EqualityConditionNSL/></interaction></interactions>",
     0.4, 6, 1},
    /* a contact with friction that slides in the plane, on springs; one that sticks; one that
       slides in space: its direction turns, which the force of the contact has a part in */
    {"<systems><LagrangianLinearTIDS id='a' coordinates='n s'><q0>0 0.1</q0><v0>0 2</v0><mass>2 "
     "0.3; 0.3 1</mass><K>5 1; 1 3</K>"
     "<fExt>-20 0</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
     "systems='a'><LagrangianLinearTIR><H>1 0; 0 1</H>"
     "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
     "mu='0.2'/></interaction></interactions>",
     0.1, 0, 1},
    {"<systems><LagrangianLinearTIDS id='a' coordinates='n s u'><q0>0 0 1</q0><mass>2 0.3 0; 0.3 1 "
     "0.2; 0 0.2 3</mass>"
     "<K>5 1 0; 1 3 -1; 0 -1 1</K><fExt>-20 0 "
     "0</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' systems='a'>"
     "<LagrangianLinearTIR><H>1 0 0; 0 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL "
     "en='0' mu='2'/></interaction></interactions>",
     0.1, 0, 2},
    {"<systems><LagrangianLinearTIDS id='a' coordinates='n s u'><q0>0 0.1 0.2</q0><v0>0 2 "
     "1</v0><mass diag='2 1 1'/>"
     "<K>5 1 0; 1 3 0; 0 0 1</K><fExt>-20 0 "
     "0</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' systems='a'>"
     "<LagrangianLinearTIR><H>1 0 0; 0 1 0; 0 0 "
     "1</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='0.2'/></interaction>"
     "</interactions>",
     0.1, 1, 1},
    /* the same on a relation that moves, where all other changes are differenced */
    {"<systems><LagrangianDS id='a' coordinates='x y z'><q0>0.1 0.2 0.001</q0><v0>2 1 0.04</v0>"
     "<mass diag='2 1 1'/><fExt>0 0 -20</fExt><fInt>sin(x) y 3*z</fInt></LagrangianDS></systems>"
     "<interactions><interaction id='g' systems='a'><LagrangianScleronomousR>"
     "<h>z-0.1*x^2 x+0.05*y^2 y</h></LagrangianScleronomousR><NewtonImpactFrictionNSL en='0' "
     "mu='0.2'/></interaction></interactions>",
     0.1, 8, 1},
    /* work of forces is an unknown of its own, on which nothing depends */
    {"<systems><LagrangianDS id='a' "
     "coordinates='x'><q0>0.3</q0><v0>1</v0><mass>1</mass><fInt>x^3+0.1*v_x</fInt><fExt>cos(3*t)</"
     "fExt></LagrangianDS></systems>",
     0.3, 0, 0}};

static double *jacobian(event_driven *o, double t, const double *x, long long *rates)
{
  size_t n = o->run.problem.n;
  const ns_flow_structure *s = &o->run.problem.structure;
  double *J = calloc(n * n, sizeof *J), *value = calloc((size_t)s->ptr[n], sizeof *value);
  ck_assert_int_eq(o->run.problem.jacobian(o, t, x, value, rates), 0);
  for (size_t j = 0; j < n; j++) {
    int diagonal = 0;
    for (int e = s->ptr[j]; e < s->ptr[j + 1]; e++) {
      if (e > s->ptr[j]) ck_assert_int_lt(s->row[e - 1], s->row[e]);
      diagonal |= (size_t)s->row[e] == j;
      J[(size_t)s->row[e] + j * n] = value[e];
    }
    ck_assert_int_eq(diagonal, 1);
  }
  free(value);
  return J;
}

START_TEST(the_jacobian_is_the_derivative_of_the_rates)
{
  char text[4096];
  snprintf(text, sizeof text, "%s" FLOW, rows[_i].model, rows[_i].T);
  run r = mechanics("%s", text);
  run_all(&r);
  event_driven *o = r.s->self;
  size_t n = o->run.problem.n, ncoord = o->run.problem.ncoord;
  double t = *r.x->t, *x = calloc(n, sizeof *x), *up = calloc(n, sizeof *x),
         *down = calloc(n, sizeof *x);
  ns_ed_pack(o);
  memcpy(x, o->run.unknown, n * sizeof *x);
  long long rates = 0;
  double *J = jacobian(o, t, x, &rates);
  ck_assert_int_le((int)rates, rows[_i].rates);
  ck_assert_int_eq(o->equal.n, rows[_i].held);
  for (size_t j = 0; j < n; j++) {
    double xj = x[j], step = 1e-5;
    x[j] = xj + step;
    ck_assert_int_eq(ns_ed_rate(o, t, x, up), 0);
    x[j] = xj - step;
    ck_assert_int_eq(ns_ed_rate(o, t, x, down), 0);
    x[j] = xj;
    for (size_t i = 0; i < 2 * ncoord; i++)
      ck_assert_msg(fabs(J[i + j * n] - (up[i] - down[i]) / (2 * step)) <= 2e-6,
                    "d f_%zu / d x_%zu is %.12g, by differences %.12g", i, j, J[i + j * n],
                    (up[i] - down[i]) / (2 * step));
  }
  free(J);
  free(x);
  free(up);
  free(down);
  run_end(&r);
}
END_TEST

/* A chain of masses in one system, K of three diagonals, a stop at each end: nothing but these
 * diagonals is stored. */
START_TEST(the_structure_is_that_of_the_couplings)
{
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='a' coordinates='a b c d e f'><q0>0 0 0 0 0 0</q0><mass "
      "diag='1 1 1 1 1 1'/>"
      "<K>2 -1 0 0 0 0; -1 2 -1 0 0 0; 0 -1 2 -1 0 0; 0 0 -1 2 -1 0; 0 0 0 -1 2 -1; 0 0 0 0 -1 "
      "2</K></LagrangianLinearTIDS></systems>"
      "<interactions><interaction id='l' systems='a'><LagrangianLinearTIR><H>1 0 0 0 0 "
      "0</H><e>1</e></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0'/></interaction><interaction id='r' "
      "systems='a'><LagrangianLinearTIR><H>0 0 0 0 0 1</H><e>1</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>" FLOW,
      0.1);
  event_driven *o = r.s->self;
  /* both diagonals, q' = v, K; that of the forces */
  ck_assert_int_eq(o->run.problem.structure.ptr[o->run.problem.n], 6 + 6 + 6 + 16 + 1);
  run_end(&r);
}
END_TEST

/* ---- parts ----------------------------------------------------------------------------------- */

#define STAND \
  "<systems><NewtonEulerDS id='a'><q0>0 0 0.1 1 0 0 0</q0><v0>%g 0 0 0 0 0</v0><fExt>0 0 " \
  "-20</fExt>" \
  "<mass>2</mass><inertia diag='0.1 0.2 0.3'/><Box size='0.6 0.5 0.2'/></NewtonEulerDS>" \
  "<NewtonEulerDS id='b'><q0>0.01 0 0.3 1 0 0 0</q0><v0>%g 0 0 0 0 0</v0><fExt>0 0 -30</fExt>" \
  "<mass>3</mass><inertia diag='0.2 0.1 0.2'/><Box size='0.5 0.4 0.2'/></NewtonEulerDS>" \
  "<NewtonEulerDS id='c'><q0>3 0.2 0.1 1 0 0 0</q0><v0>0.9 %g 0 0 0 0</v0><fExt>0 0 -20</fExt>" \
  "<mass>2</mass><inertia diag='0.1 0.2 0.3'/><Box size='0.6 0.5 0.2'/></NewtonEulerDS>" \
  "<NewtonEulerDS id='d'><q0>5 1 4 1 0 0 0</q0><v0>0 0 0 1 2 %g</v0><fExt>0 0 -20</fExt>" \
  "<mass>2</mass><inertia diag='0.1 0.2 0.3'/><Sphere radius='0.1'/></NewtonEulerDS>" \
  "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='0.4'/><Plane normal='0 0 1'/>" \
  "</contacts>"

/* Two boxes that slide on each other, one that slides alone and a ball that falls are three parts:
 * no rate of a part changes with an unknown of another, not by a bit. */
START_TEST(rates_of_a_part_do_not_know_the_others)
{
  double v = 0.3 + 0.1 * _i;
  char text[4000];
  snprintf(text, sizeof text, STAND FLOW, v, 2 * v, v, v, 0.02);
  run r = mechanics("%s", text);
  run_all(&r);
  event_driven *o = r.s->self;
  ns_ed_pack(o);
  size_t n = o->run.problem.n, bytes = n * sizeof(double);
  int *part = calloc(n, sizeof *part);
  double *x = malloc(bytes), *f0 = malloc(bytes), *f = malloc(bytes);
  ck_assert_int_eq(ns_ed_parts(o, part), 3);
  ck_assert_int_eq(part[0], part[7]);
  ck_assert_int_ne(part[0], part[14]);
  memcpy(x, o->run.unknown, bytes);
  ck_assert_int_eq(ns_ed_rate(o, *r.x->t, x, f0), NS_OK);
  for (size_t j = 0; j < n; j++) {
    int seen = 0;
    double was = x[j];
    x[j] += 1e-4;
    ck_assert_int_eq(ns_ed_rate(o, *r.x->t, x, f), NS_OK);
    x[j] = was;
    for (size_t i = 0; i < n; i++) {
      ck_assert_msg(part[i] < 0 || part[i] == part[j] || f[i] == f0[i], "rate %zu by %zu", i, j);
      seen |= f[i] != f0[i];
    }
    ck_assert(part[j] >= 0 || !seen);
  }
  free(part);
  free(x);
  free(f0);
  free(f);
  run_end(&r);
}
END_TEST

/* Pairs of disks on stiff springs, each as the next: as many evaluations for six as for one. */
START_TEST(parts_share_the_evaluations_of_differences)
{
  double evaluations[2], at[2];
  for (int k = 0; k < 2; k++) {
    char text[6000];
    int n = k ? 6 : 1, used = snprintf(text, sizeof text, "<systems>");
#define PUT(...) used += snprintf(text + used, sizeof text - (size_t)used, __VA_ARGS__)
    for (int i = 0; i < 2 * n; i++)
      PUT("<RigidBody2dDS id='d%d'><q0>%d %d 0</q0><v0>%d 1 "
          "2</v0><mass>%d</mass><inertia>1</inertia>"
          "</RigidBody2dDS>",
          i, i % 2, i / 2, 3 * (i % 2), 1 + i % 2);
    PUT("</systems><interactions>");
    for (int i = 0; i < n; i++)
      PUT("<spring id='s%d' systems='d%d d%d' stiffness='1e4' damping='200' restLength='1'/>", i,
          2 * i, 2 * i + 1);
    PUT("</interactions>" FLOW, 0.5);
#undef PUT
    run r = mechanics("%s", text);
    run_all(&r);
    evaluations[k] = r.x->cert->flow_evaluations;
    at[k] = r.x->q[0];
    run_end(&r);
  }
  ck_assert_double_le(evaluations[1], 1.1 * evaluations[0]);
  ck_assert_double_eq_tol(at[1], at[0], 1e-7);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, rates_of_a_part_do_not_know_the_others, 0, 4);
  tcase_add_test(t, parts_share_the_evaluations_of_differences);
  tcase_add_loop_test(t, the_jacobian_is_the_derivative_of_the_rates, 0,
                      (int)(sizeof rows / sizeof *rows));
  tcase_add_test(t, the_structure_is_that_of_the_couplings);
}

int main(void) { return suite_run("event_jacobian", fill); }
