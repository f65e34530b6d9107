/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machines.h -- for tests: machines of systems of several kinds as texts, with random numbers, and
 * the same machine in two forms whose motion must agree; by time-stepping and event by event. */
#ifndef TESTS_SUPPORT_MACHINES_H
#define TESTS_SUPPORT_MACHINES_H

#include "support/mixed.h"

enum { MACHINE = 4000 };

/* <systems> and <interactions>, for run_to. */
typedef struct two_forms {
  char one[MACHINE], two[MACHINE];
} two_forms;

/* As snprintf, to the end of a text [MACHINE]. */
__attribute__((format(printf, 2, 3))) static inline void append(char *text, const char *fmt, ...)
{
  size_t n = strlen(text);
  va_list ap;
  va_start(ap, fmt);
  ck_assert_int_lt(vsnprintf(text + n, MACHINE - n, fmt, ap), (int)(MACHINE - n));
  va_end(ap);
}

/* Two masses with stiffness K and damping C between both of them, over a ground with this law, with
 * a wall: one system of two coordinates, or two that read each other. */
static inline two_forms two_masses(const double *q, const double *v, const double *m,
                                   const double *K, const double *C, const char *law)
{
  static const char *const contacts =
      "<interactions><interaction id='ground' systems='%s'><LagrangianLinearTIR><H>1 0; 0 1</H>"
      "</LagrangianLinearTIR><%s en='0.4' et='0' mu='0.3'/></interaction>"
      "<interaction id='wall' systems='%s'><LagrangianLinearTIR><H>0 -1</H><e>0.5</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.7'/></interaction></interactions>";
  two_forms f = {"", ""};
  append(f.one,
         "<systems><LagrangianDS id='s' coordinates='y x'><q0>%.17g %.17g</q0><v0>%.17g %.17g</v0>"
         "<mass>%.17g 0; 0 %.17g</mass><fInt>(%.17g)*y + (%.17g)*x + (%.17g)*v_y + (%.17g)*v_x + "
         "9.81, (%.17g)*y + (%.17g)*x + (%.17g)*v_y + (%.17g)*v_x</fInt></LagrangianDS></systems>",
         q[0], q[1], v[0], v[1], m[0], m[1], K[0], K[1], C[0], C[1], K[2], K[3], C[2], C[3]);
  append(f.one, contacts, "s", law, "s");
  append(f.two,
         "<systems><LagrangianDS id='a' coordinates='y'><q0>%.17g</q0><v0>%.17g</v0>"
         "<mass>%.17g</mass><fInt>(%.17g)*y + (%.17g)*b.x + (%.17g)*v_y + (%.17g)*b.v_x + 9.81"
         "</fInt></LagrangianDS><LagrangianDS id='b' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
         "<mass>%.17g</mass><fInt>(%.17g)*a.y + (%.17g)*x + (%.17g)*a.v_y + (%.17g)*v_x</fInt>"
         "</LagrangianDS></systems>",
         q[0], v[0], m[0], K[0], K[1], C[0], C[1], q[1], v[1], m[1], K[2], K[3], C[2], C[3]);
  append(f.two, contacts, "a b", law, "a b");
  return f;
}

/* The same of first order, with rows that are complementary and a relay, from x. Four uniform
 * numbers. */
static inline two_forms two_states(const double *x)
{
  static const char *const rows =
      "<interactions><interaction id='diode' systems='%s'><FirstOrderLinearTIR><C>1 0</C><D>0.1</D>"
      "<B>1; 0.2</B></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction>"
      "<interaction id='relay' systems='%s'><FirstOrderLinearTIR><C>0.3 1</C><B>0; 1</B>"
      "</FirstOrderLinearTIR><RelayNSL lb='-0.7' ub='0.4'/></interaction></interactions>";
  two_forms f = {"", ""};
  double A[4];
  for (int k = 0; k < 4; k++) A[k] = uniform(-4, 4);
  A[0] -= 2, A[3] -= 2;
  append(f.one,
         "<systems><FirstOrderNonLinearDS id='s' states='x y'><x0>%.17g %.17g</x0>"
         "<f>(%.17g)*x + (%.17g)*sin(y) + sin(9*t), (%.17g)*x + (%.17g)*y + cos(7*t)</f>"
         "</FirstOrderNonLinearDS></systems>",
         x[0], x[1], A[0], A[1], A[2], A[3]);
  append(f.one, rows, "s", "s");
  append(f.two,
         "<systems><FirstOrderNonLinearDS id='a' states='x'><x0>%.17g</x0>"
         "<f>(%.17g)*x + (%.17g)*sin(b.y) + sin(9*t)</f></FirstOrderNonLinearDS>"
         "<FirstOrderNonLinearDS id='b' states='y'><x0>%.17g</x0>"
         "<f>(%.17g)*a.x + (%.17g)*y + cos(7*t)</f></FirstOrderNonLinearDS></systems>",
         x[0], A[0], A[1], x[1], A[2], A[3]);
  append(f.two, rows, "a b", "a b");
  return f;
}

/* Forces of other systems on a body in the plane, among them of a body that comes later in the
 * file; linear and turning: the body, or its coordinates. No interactions. */
static inline two_forms planar_body(const double *q, const double *v, double m, double I,
                                    const double *k)
{
  static const char *const others =
      "<FirstOrderNonLinearDS id='lag' states='y'><x0>0.3</x0><f>-2*y + (%.17g)*b.x + "
      "(%.17g)*sin(b.%s) + (%.17g)*b.v_%s</f></FirstOrderNonLinearDS>"
      "<LagrangianDS id='o' coordinates='s'><q0>0.2</q0><fInt>9*s + (%.17g)*b.v_y</fInt>"
      "</LagrangianDS>";
  two_forms f = {"<systems>", "<systems>"};
  append(f.one, others, k[0], k[1], "angle", k[2], "angle", k[3]);
  append(f.one,
         "<RigidBody2dDS id='b'><q0>%.17g %.17g %.17g</q0><v0>%.17g %.17g %.17g</v0>"
         "<mass>%.17g</mass><inertia>%.17g</inertia><fExt>(%.17g)*lag.y, (%.17g)*o.v_s - 9.81"
         "</fExt><mExt>(%.17g)*lag.y*o.s</mExt><fInt>4*x + 0.3*v_x, 5*y</fInt>"
         "<mInt>(%.17g)*angle</mInt></RigidBody2dDS></systems>",
         q[0], q[1], q[2], v[0], v[1], v[2], m, I, k[4], k[5], k[6], fabs(k[7]));
  append(f.two,
         "<LagrangianDS id='b' coordinates='x y a'><q0>%.17g %.17g %.17g</q0>"
         "<v0>%.17g %.17g %.17g</v0><mass diag='%.17g %.17g %.17g'/><fInt>4*x + 0.3*v_x - "
         "(%.17g)*lag.y, 5*y - (%.17g)*o.v_s + 9.81, (%.17g)*a - (%.17g)*lag.y*o.s</fInt>"
         "</LagrangianDS>",
         q[0], q[1], q[2], v[0], v[1], v[2], m, m, I, k[4], k[5], fabs(k[7]), k[6]);
  append(f.two, others, k[0], k[1], "a", k[2], "a", k[3]);
  append(f.two, "</systems>");
  return f;
}

/* Ends of the two agree: the same column of both, or those of a pair of names. */
static inline void end_alike(const run *a, const run *b, const char *of_a, const char *of_b,
                             double within)
{
  double x = last(a, of_a), y = last(b, of_b);
  ck_assert_msg(fabs(x - y) <= within, "%s, %s: %.12g, %.12g", of_a, of_b, x, y);
}

static inline void planar_bodies_agree(const run *a, const run *b, double within)
{
  static const char *const names[][2] = {{"b.x", "b.x"},     {"b.y", "b.y"},
                                         {"b.angle", "b.a"}, {"b.v_angle", "b.v_a"},
                                         {"lag.y", "lag.y"}, {"o.s", "o.s"}};
  ends_alike(a, b, names, 6, within);
}

/* A motor whose rotor is a coordinate, a body in the plane, or one in space. */
#define DRIVEN_ROTOR(speed, rotor) \
  "<systems><netlist id='drive'>V1 s 0 12\nR1 s a 2\nL1 a b 0.01\nV2 b 0 0.05*rotor." speed \
  "\n</netlist>" rotor "</systems>"
static const char *const motors[] = {
    DRIVEN_ROTOR("v_a", "<LagrangianDS id='rotor' coordinates='a'><q0>0</q0><mass>1e-4</mass>"
                        "<fInt>0.01*sin(a) - 0.05*drive.i_L1</fInt></LagrangianDS>"),
    DRIVEN_ROTOR("v_angle",
                 "<RigidBody2dDS id='rotor'><q0>3 -2 0</q0><mass>0.7</mass><inertia>1e-4</inertia>"
                 "<mInt>0.01*sin(angle)</mInt><mExt>0.05*drive.i_L1</mExt></RigidBody2dDS>"),
    DRIVEN_ROTOR("Omega_z", "<NewtonEulerDS id='rotor'><q0>5 0 1 1 0 0 0</q0><mass>2</mass>"
                            "<inertia diag='2e-4 3e-4 1e-4'/><mInt>0, 0, 0.01*2*p0*p3</mInt>"
                            "<mExt>0, 0, 0.05*drive.i_L1</mExt></NewtonEulerDS>")};

/* Their runs, as a coordinate and as bodies. */
static inline void motors_agree(const run *a, const run *planar, const run *space, double current,
                                double speed)
{
  end_alike(a, planar, "drive.i_L1", "drive.i_L1", current);
  end_alike(a, planar, "rotor.v_a", "rotor.v_angle", speed);
  end_alike(a, space, "drive.i_L1", "drive.i_L1", current);
  end_alike(a, space, "rotor.v_a", "rotor.Omega_z", speed);
  ck_assert_double_eq(last(planar, "rotor.x"), 3);
}

/* ---- random machines ------------------------------------------------------------------------- */

/* Two circuits, two mechanisms and a state that all read each other. */
static const char *const circuit_labels[] = {"m1.x",    "m1.v_x",  "m2.a", "n1.v_C1",
                                             "n1.i_L1", "n2.v_C1", "f.y",  NULL};
static inline void random_circuits(char *text)
{
  *text = 0;
  append(text,
         "<systems><netlist id='n1'>V1 a 0 %g*sin(%g*t) + %g*m1.v_x\nR1 a b %g\nL1 b c %g\nC1 c "
         "0 %g\n</netlist>"
         "<netlist id='n2'>V1 a 0 %g*n1.v_C1 - %g*f.y\nR1 a b %g\nC1 b 0 %g\n</netlist>"
         "<LagrangianDS id='m1' coordinates='x'><q0>%g</q0><v0>%g</v0><mass>%g</mass>"
         "<fInt>%g*x + %g*x^3 - %g*n1.i_L1 + %g*sin(m2.a)</fInt></LagrangianDS>"
         "<LagrangianDS id='m2' coordinates='a'><q0>%g</q0><mass>1 + 0.3*cos(a)^2</mass>"
         "<fInt>%g*sin(a) + %g*v_a - %g*m1.v_x*n2.v_C1</fInt></LagrangianDS>"
         "<FirstOrderNonLinearDS id='f' states='y'><x0>%g</x0><f>-%g*y + %g*m2.v_a + n2.v_C1</f>"
         "</FirstOrderNonLinearDS></systems>",
         uniform(1, 5), uniform(1, 6), uniform(0.1, 1), uniform(0.5, 3), uniform(0.2, 1),
         uniform(0.1, 1), uniform(0.2, 1), uniform(0.1, 1), uniform(0.5, 3), uniform(0.1, 1),
         uniform(-1, 1), uniform(-1, 1), uniform(0.5, 2), uniform(1, 9), uniform(0.1, 1),
         uniform(0.1, 1), uniform(0.1, 2), uniform(-1, 1), uniform(1, 9), uniform(0.1, 1),
         uniform(0.1, 1), uniform(-1, 1), uniform(0.3, 3), uniform(0.1, 2));
}

/* Two bodies in space, a circuit and a mechanism that read orientations, positions and velocities
 * of each other. */
static const char *const body_labels[] = {"a.x",   "a.p1",   "a.Omega_z", "b.p3",
                                          "b.v_y", "n.i_L1", "o.v_s",     NULL};
static inline void random_bodies(char *text)
{
  *text = 0;
  append(text,
         "<systems><NewtonEulerDS id='a'><q0 axis='1 2 %g' angle='%g'>0 0 0</q0><v0>0 %g 0 %g "
         "0.3 0.2</v0><mass>%g</mass>"
         "<inertia diag='1 1.3 1.6'/><fExt>%g*b.p3 - 2*o.s, %g*n.i_L1, 0</fExt><mExt "
         "axes='world'>%g*b.p1, n.i_L1, %g*o.v_s</mExt>"
         "<fInt>8*x, 8*y + v_y, 8*z</fInt></NewtonEulerDS>"
         "<NewtonEulerDS id='b'><q0 axis='0 1 1' angle='%g'>1 0 0</q0><v0>0 0 0 0.1 %g "
         "0.4</v0><mass>%g</mass>"
         "<inertia diag='0.8 1.1 1.2'/><fExt axes='body'>%g*a.p2, -n.i_L1, "
         "a.Omega_x</fExt><mExt>a.p1, %g*a.y, 0</mExt>"
         "<fInt>5*x, 5*y, 5*z</fInt><mInt>0.1*Omega_x, %g*p2, 0</mInt></NewtonEulerDS>"
         "<netlist id='n'>V1 s 0 %g*sin(3*t) + a.p0*b.p2 + %g*a.Omega_z\nR1 s c 1\nL1 c 0 "
         "%g\n</netlist>"
         "<LagrangianDS id='o' coordinates='s'><q0>0.1</q0><mass>%g</mass><fInt>6*s - a.p3*b.x + "
         "%g*b.Omega_y</fInt></LagrangianDS></systems>",
         uniform(0, 2), uniform(-2, 2), uniform(-1, 1), uniform(-1, 1), uniform(0.5, 2),
         uniform(-2, 2), uniform(-2, 2), uniform(-2, 2), uniform(-1, 1), uniform(-2, 2),
         uniform(-1, 1), uniform(0.5, 2), uniform(-2, 2), uniform(-2, 2), uniform(-1, 1),
         uniform(1, 4), uniform(-1, 1), uniform(0.2, 1), uniform(0.5, 2), uniform(-1, 1));
}

/* Time-stepping to t = 1 is of second order in the columns, with at most so many passes a step. */
static inline void is_of_second_order(const char *machine, const char *const *labels, double passes)
{
  double e[2] = {0, 0};
  run fine = run_to(machine, STEPS(BOTH("0.5")), 1, 800);
  for (int k = 0; k < 2; k++) {
    int n = k ? 100 : 50;
    run r = run_to(machine, STEPS(BOTH("0.5")), 1, n);
    for (const char *const *label = labels; *label; label++)
      e[k] = fmax(e[k], fabs(last(&r, *label) - last(&fine, *label)));
    if (k) ck_assert_double_le((double)r.x->cert->newton / n, passes);
    run_end(&r);
  }
  ck_assert_double_ge(log2(e[0] / e[1]), 1.8);
  ck_assert_double_le(log2(e[0] / e[1]), 2.4);
  run_end(&fine);
}

/* The event-driven run to t = 1 is what time-stepping converges to: extrapolated from h and h/2,
 * that leaves an error of higher order, far less than that of either. */
static inline void steps_converge_to_events(const char *machine, const char *stepping,
                                            const char *const *labels, double rounding)
{
  run r = events(machine, 1, 10), a = run_to(machine, stepping, 1, 400),
      b = run_to(machine, stepping, 1, 800);
  for (; *labels; labels++) {
    double xa = last(&a, *labels), xb = last(&b, *labels), x = last(&r, *labels);
    double error = fabs(xb - x), left = fabs(xb + (xb - xa) / 3 - x);
    ck_assert_double_le(error, 1e-4);
    ck_assert_double_le(left, 2e-2 * error + rounding);
  }
  is_certified(&r);
  run_end(&r), run_end(&a), run_end(&b);
}

#endif
