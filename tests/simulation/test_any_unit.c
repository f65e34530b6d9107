/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same model in units of 1e-9 to 1e6 of length, mass, time and current: the same motion, with
 * default tolerances, by events and by steps.
 *
 * Friction without a gap also in units of length of 1e-19 to 1e3 m: speeds at which it ends follow
 * from the motion alone.
 *
 * Random models of several kinds, with fixed seeds. Numbers of a model are those of units of 1
 * times a power of each unit, so that all but rounding of the motion is the same. */
#include "support/mechanics.h"
#include "support/text.h"

/* ---- units ----------------------------------------------------------------------------------- */

typedef struct units {
  double m, kg, s, A;
} units;

static const units list[] = {
    {1, 1, 1, 1},         {1e-9, 1e-9, 1, 1e-6}, {1e-6, 1e-12, 1e-3, 1e-3}, {1e-3, 1e-3, 1e-6, 1},
    {1e-9, 1e-3, 1e3, 1}, {1e3, 1e6, 1e3, 1e-9}, {1, 1e-9, 1, 1e-6},        {1e6, 1e3, 1e6, 1e3},
    {1e-4, 1, 1, 1},      {1, 1e-12, 1, 1e-9}};
enum { UNITS = sizeof list / sizeof *list };

static units of; /* those of the model that is made next */

static double newton(void) { return of.kg * of.m / (of.s * of.s); }
static double volt(void) { return newton() * of.m / (of.s * of.A); }

/* ---- models ---------------------------------------------------------------------------------- */

/* Masses in a row on springs of one kind, with dampers: forces k x, k x^1.5 where x > 0 and a
 * weight, k x + c x^3. */
static void springs(text *s, int kind)
{
  static const char x[] = "xyz";
  int n = 1 + (int)uniform(0, 3), moves = odds(0.5);
  add(s, "<systems><LagrangianDS id='s' coordinates='%s'><q0>",
      n == 1   ? "x"
      : n == 2 ? "x y"
               : "x y z");
  for (int i = 0; i < n; i++) add(s, "%.17g ", uniform(0.3, 1) * of.m);
  add(s, "</q0><v0>");
  for (int i = 0; i < n; i++) add(s, "%.17g ", moves * uniform(-0.5, 0.5) * of.m / of.s);
  add(s, "</v0><mass diag='");
  for (int i = 0; i < n; i++) add(s, "%.17g ", uniform(0.5, 2) * of.kg);
  add(s, "'/><fInt>");
  for (int i = 0; i < n; i++) {
    double k = uniform(1, 30) * newton() / of.m;
    add(s, "%s%.17g*v_%c", i ? ", " : "", uniform(0, 0.3) * of.kg / of.s, x[i]);
    if (kind == 0) add(s, "+%.17g*%c", k, x[i]);
    if (kind == 1)
      add(s, "+%.17g*if(%c &gt; 0, %c, 0)^1.5-%.17g", k / sqrt(of.m), x[i], x[i],
          uniform(0.2, 1) * newton());
    if (kind == 2)
      add(s, "+%.17g*%c+%.17g*%c^3", uniform(-1, 5) * newton() / of.m, x[i], k / (of.m * of.m),
          x[i]);
    if (i) add(s, "+%.17g*(%c-%c)", uniform(0.2, 2) * newton() / of.m, x[i], x[i - 1]);
  }
  add(s, "</fInt></LagrangianDS></systems>");
}

static void linear(text *s) { springs(s, 0); }
static void hertz(text *s) { springs(s, 1); }
static void duffing(text *s) { springs(s, 2); }

static void ball(text *s)
{
  add(s, "<systems><LagrangianLinearTIDS id='s'><q0>%.17g</q0><mass>%.17g</mass>",
      uniform(0.5, 1) * of.m, of.kg);
  add(s, "<fExt>%.17g</fExt></LagrangianLinearTIDS></systems>", -9 * newton());
  add(s,
      "<interactions><interaction id='c' systems='s'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      uniform(0.9, 1));
}

/* On a rod, as a constraint. */
static void pendulum(text *s)
{
  double l = uniform(0.5, 1) * of.m, a = uniform(0.3, 1.4);
  add(s, "<systems><LagrangianLinearTIDS id='s' coordinates='x z'><q0>%.17g %.17g</q0>", l * sin(a),
      -l * cos(a));
  add(s, "<mass diag='%.17g %.17g'/><fExt>0 %.17g</fExt></LagrangianLinearTIDS></systems>", of.kg,
      of.kg, -9.81 * newton());
  add(s,
      "<interactions><interaction id='rod' systems='s'><LagrangianScleronomousR>"
      "<h>(x^2+z^2)/%.17g-%.17g</h></LagrangianScleronomousR><EqualityConditionNSL/>"
      "</interaction></interactions>",
      l, l);
}

/* A body in the plane on springs that do not act at its centre. */
static void body(text *s)
{
  double k = uniform(5, 30) * newton() / of.m, r = uniform(0.3, 1) * of.m;
  add(s, "<systems><RigidBody2dDS id='b'><q0>%.17g %.17g %.17g</q0>", uniform(-0.3, 0.3) * of.m,
      uniform(-0.3, 0.3) * of.m, uniform(-0.5, 0.5));
  add(s, "<v0>%.17g 0 %.17g</v0><mass>%.17g</mass><inertia>%.17g</inertia>",
      uniform(-0.5, 0.5) * of.m / of.s, uniform(-1, 1) / of.s, of.kg, 0.4 * of.kg * r * r);
  add(s, "<fExt>-%.17g*b.x-%.17g*b.x^3, -%.17g*b.y-%.17g</fExt>", k, k / (of.m * of.m), 1.3 * k,
      2 * newton());
  add(s, "<mExt>-%.17g*sin(b.angle)-%.17g*b.x</mExt></RigidBody2dDS></systems>", k * r * r,
      0.3 * k * r);
}

/* An arm in the plane on a hinge, whose stop it strikes. */
static void hinge(text *s)
{
  double l = uniform(0.5, 1) * of.m, a = uniform(0.3, 1.2), g = 9.81 * newton();
  add(s, "<systems><RigidBody2dDS id='b'><q0>%.17g %.17g %.17g</q0><mass>%.17g</mass>", l * sin(a),
      -l * cos(a), a, of.kg);
  add(s, "<inertia>%.17g</inertia><fExt>0 %.17g</fExt></RigidBody2dDS></systems>",
      uniform(0.1, 0.4) * of.kg * l * l, -g);
  add(s,
      "<interactions><interaction id='h' systems='b'><PivotJointR point='0 0'/>"
      "<EqualityConditionNSL/></interaction><interaction id='stop'><JointStopR joint='h' "
      "upper='%.17g'/><NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      a + uniform(0.1, 0.3), uniform(0.5, 0.9));
}

/* Two arms in space: the first on a hinge, the second on a hinge across it. */
static void arms(text *s)
{
  double l = uniform(0.5, 1) * of.m, J = 0.1 * of.kg * l * l, a = uniform(0.3, 1.2);
  static const char *const id[] = {"a", "b"};
  add(s, "<systems>");
  for (int i = 0; i < 2; i++) {
    double r = (1 + 2 * i) * l;
    add(s, "<NewtonEulerDS id='%s'><q0>%.17g 0 %.17g 1 0 0 0</q0><mass>%.17g</mass>", id[i],
        r * sin(a), -r * cos(a), of.kg);
    add(s, "<inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt></NewtonEulerDS>",
        uniform(1, 2) * J, uniform(1, 2) * J, uniform(1, 2) * J, -9.81 * newton());
  }
  add(s,
      "</systems><interactions><interaction id='h' systems='a'><PivotJointR point='0 0 0' axis='0 "
      "1 0'/><EqualityConditionNSL/></interaction><interaction id='k' systems='a b'><PivotJointR "
      "point='%.17g 0 %.17g' axis='0.6 0.8 0'/><EqualityConditionNSL/></interaction>"
      "</interactions>",
      2 * l * sin(a), -2 * l * cos(a));
}

/* A disk that falls on rough ground and rolls. */
static void disk(text *s)
{
  double r = uniform(0.1, 0.2) * of.m;
  add(s, "<systems><RigidBody2dDS id='b'><q0>0 %.17g 0</q0><v0>%.17g 0 %.17g</v0>",
      r + uniform(0.1, 0.3) * of.m, uniform(0.3, 1) * of.m / of.s, uniform(-5, 5) / of.s);
  add(s, "<mass>%.17g</mass><inertia>%.17g</inertia><fExt>0 %.17g</fExt><Disk radius='%.17g'/>",
      of.kg, 0.5 * of.kg * r * r, -9.81 * newton(), r);
  add(s,
      "</RigidBody2dDS></systems><contacts><HalfPlane/><NewtonImpactFrictionNSL en='%.3f' "
      "mu='%.3f'/></contacts>",
      uniform(0, 0.4), uniform(0.1, 0.5));
}

/* A sphere, likewise in space. */
static void sphere(text *s)
{
  double r = uniform(0.1, 0.2) * of.m, J = 0.4 * of.kg * r * r;
  add(s, "<systems><NewtonEulerDS id='b'><q0>0 0 %.17g 1 0 0 0</q0>", r + uniform(0.1, 0.3) * of.m);
  add(s, "<v0>%.17g %.17g 0 %.17g 0 %.17g</v0>", uniform(0.3, 1) * of.m / of.s,
      uniform(0.3, 1) * of.m / of.s, uniform(-5, 5) / of.s, uniform(-2, 2) / of.s);
  add(s, "<mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt>", of.kg, J, J,
      J, -9.81 * newton());
  add(s,
      "<Sphere radius='%.17g'/></NewtonEulerDS></systems><contacts><Plane normal='0 0 1' at='0 0 "
      "0'/><NewtonImpactFrictionNSL en='%.3f' mu='%.3f'/></contacts>",
      r, uniform(0, 0.4), uniform(0.1, 0.5));
}

/* A slide in space on a spring, with dry friction. */
static void slide(text *s)
{
  double N = newton(), rub = uniform(0.05, 0.3) * N, J = 0.1 * of.kg * of.m * of.m;
  add(s,
      "<systems><NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>%.17g</mass><inertia "
      "diag='%.17g %.17g %.17g'/></NewtonEulerDS></systems>",
      of.kg, J, J, J);
  add(s,
      "<interactions><interaction id='j' systems='b'><PrismaticJointR axis='0.6 0.8 0' "
      "stiffness='%.17g' initial='%.17g'/><EqualityConditionNSL/></interaction>",
      uniform(3, 9) * N / of.m, uniform(0.3, 0.8) * of.m);
  add(s,
      "<interaction id='dry'><JointFrictionR joint='j'/><RelayNSL lb='%.17g' ub='%.17g'/>"
      "</interaction></interactions>",
      -rub, rub);
}

/* A coil that turns an arm, both at rest. */
static void motor(text *s)
{
  double ohm = volt() / of.A, K = uniform(0.2, 1) * volt() * of.s, J = of.kg * of.m * of.m;
  add(s,
      "<systems><netlist id='d'>\nV1 s 0 %.17g\nR1 s a %.17g\nL1 a b %.17g\nV2 b 0 "
      "%.17g*arm.v_phi\n</netlist>",
      uniform(1, 3) * volt(), uniform(1, 4) * ohm, uniform(0.1, 0.5) * ohm * of.s, K);
  add(s, "<LagrangianDS id='arm' coordinates='phi'><q0>0</q0><mass>%.17g</mass>",
      uniform(0.05, 0.3) * J);
  add(s, "<fInt>%.17g*v_phi+%.17g*sin(phi)-%.17g*d.i_L1</fInt></LagrangianDS></systems>",
      0.1 * J / of.s, uniform(0.5, 2) * newton() * of.m, K);
}

/* A force that is a state pushes a mass on a spring. */
static void pushed(text *s)
{
  add(s, "<systems><FirstOrderNonLinearDS id='f' states='i'><x0>0</x0><f>");
  add(s, "-%.17g*i+%.17g*sin(%.17g*t)-%.17g*m.v_x</f></FirstOrderNonLinearDS>",
      uniform(1, 5) / of.s, uniform(1, 4) * newton() / of.s, uniform(1, 3) / of.s,
      uniform(0.1, 0.5) * newton() / of.m);
  add(s, "<LagrangianDS id='m' coordinates='x'><q0>0</q0><mass>%.17g</mass>", of.kg);
  add(s, "<fInt>%.17g*x+%.17g*x^3-f.i</fInt></LagrangianDS></systems>", 5 * newton() / of.m,
      9 * newton() / pow(of.m, 3));
}

/* Through a diode a coil turns a rotor, which an arm is on by a spring. */
static void drive(text *s)
{
  double ohm = volt() / of.A, K = uniform(0.3, 1) * volt() * of.s, Nm = newton() * of.m;
  double J = of.kg * of.m * of.m, k = uniform(3, 9) * Nm;
  add(s,
      "<systems><netlist id='d'>\nV1 s 0 %.17g*sin(%.17g*t)\nD1 s a\nR1 a b %.17g\nL1 b c "
      "%.17g\nV2 c 0 %.17g*rotor.v_phi\n</netlist>",
      uniform(4, 8) * volt(), uniform(4, 8) / of.s, uniform(1, 4) * ohm,
      uniform(0.1, 0.5) * ohm * of.s, K);
  add(s,
      "<LagrangianDS id='rotor' coordinates='phi'><q0>0</q0><mass>%.17g</mass>"
      "<fInt>%.17g*(phi-arm.psi)-%.17g*d.i_L1</fInt></LagrangianDS>",
      uniform(0.05, 0.3) * J, k, K);
  add(s,
      "<LagrangianDS id='arm' coordinates='psi'><q0>%.17g</q0><mass>%.17g</mass>"
      "<fInt>%.17g*(psi-rotor.phi)+%.17g*sin(psi)</fInt></LagrangianDS></systems>",
      uniform(0, 1), 0.4 * J, k, 2 * Nm);
}

/* A rotor that swings induces the current of a coil behind a diode. */
static void generator(text *s)
{
  double ohm = volt() / of.A, K = uniform(0.3, 1) * volt() * of.s, J = of.kg * of.m * of.m;
  add(s,
      "<systems><netlist id='d'>\nV1 s 0 %.17g*rotor.v_phi*cos(rotor.phi)\nD1 s a\nR1 a b "
      "%.17g\nL1 b 0 %.17g\n</netlist>",
      K, uniform(1, 4) * ohm, uniform(0.1, 0.5) * ohm * of.s);
  add(s,
      "<LagrangianDS id='rotor' coordinates='phi'><q0>0</q0><v0>%.17g</v0><mass>%.17g</mass>"
      "<fInt>%.17g*sin(phi)+%.17g*cos(phi)*d.i_L1</fInt></LagrangianDS></systems>",
      uniform(1, 4) / of.s, uniform(0.2, 0.5) * J, uniform(3, 9) * newton() * of.m, K);
}

/* A relay switches what a state follows, which pushes a mass towards a wall. */
static void plant(text *s)
{
  double N = newton(), f = uniform(1, 3) * N;
  add(s,
      "<systems><FirstOrderLinearDS id='f' states='i'><x0>%.17g</x0><A>%.17g</A>"
      "<b>%.17g*sin(%.17g*t)</b></FirstOrderLinearDS>",
      f, -uniform(0.5, 2) / of.s, f / of.s, uniform(2, 5) / of.s);
  add(s,
      "<LagrangianDS id='m' coordinates='x'><q0>%.17g</q0><mass>%.17g</mass>"
      "<fInt>%.17g*x+%.17g*v_x-f.i</fInt></LagrangianDS></systems>",
      uniform(0.1, 0.5) * of.m, of.kg, uniform(3, 9) * N / of.m, 0.1 * of.kg / of.s);
  add(s,
      "<interactions><interaction id='on' systems='f'><FirstOrderNonLinearR><h>i-%.17g*m.x</h>"
      "<g>lambda[0]</g></FirstOrderNonLinearR><RelayNSL lb='%.17g' ub='%.17g'/></interaction>",
      uniform(2, 4) * N / of.m, -2 * f / of.s, 2 * f / of.s);
  add(s,
      "<interaction id='wall' systems='m'><LagrangianLinearTIR><H>1</H><e>%.17g</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      uniform(0.1, 0.3) * of.m, uniform(0.5, 0.9));
}

/* A row of first order is dry friction of a mass, which a state pushes. */
static void rubbed(text *s)
{
  double N = newton(), f = uniform(0.3, 0.8) * N;
  add(s,
      "<systems><FirstOrderLinearDS id='f' states='i'><x0>0</x0><A>%.17g</A>"
      "<b>%.17g*sin(%.17g*t)-%.17g*m.v_x</b></FirstOrderLinearDS>",
      -uniform(1, 4) / of.s, uniform(4, 9) * N / of.s, uniform(1, 4) / of.s, 0.3 * N / of.m);
  add(s,
      "<LagrangianDS id='m' coordinates='x'><q0>%.17g</q0><mass>%.17g</mass>"
      "<fInt>%.17g*x-f.i</fInt></LagrangianDS></systems>",
      uniform(0.1, 0.5) * of.m, of.kg, uniform(3, 9) * N / of.m);
  add(s,
      "<interactions><interaction id='dry' systems='f m'><FirstOrderType2R><h>m.v_x</h>"
      "<g>0, lambda[0]</g></FirstOrderType2R><RelayNSL lb='%.17g' ub='%.17g'/></interaction>"
      "</interactions>",
      -f, f);
}

/* A state that follows another one at rates of 1e2 to 1e6. */
static void stiff(text *s)
{
  add(s, "<systems><FirstOrderNonLinearDS id='f'><x0>%.17g %.17g</x0>", uniform(0.3, 1) * of.m,
      uniform(0.3, 1) * of.m);
  add(s, "<f>-%.17g*(x[0]-x[1]), -%.17g*x[1]+%.17g*x[0]</f></FirstOrderNonLinearDS></systems>",
      pow(10, uniform(2, 6)) / of.s, uniform(0.5, 2) / of.s, uniform(-0.4, 0.4) / of.s);
}

/* A mass on a spring or not, whose dry friction is what else acts on it; no gap tells a size. It is
 * pushed at once, from rest as t^2 and until t = 2, or not at all and comes to rest. */
static void rubs(text *s)
{
  double N = newton(), b = uniform(0.4, 1) * N, v = 0, k = 0;
  char push[128] = "0";
  int how = (int)uniform(0, 3);
  if (how == 0) k = odds(0.5) * uniform(3, 9) * N / of.m;
  if (how == 0)
    snprintf(push, sizeof push, "%.17g*sin(%.17g*t)", b * uniform(1.2, 4), uniform(2, 6) / of.s);
  if (how == 1)
    snprintf(push, sizeof push, "%.17g*if(t &lt; %.17g, t^2, 0)", b * uniform(1, 3) / (of.s * of.s),
             2 * of.s);
  if (how == 2) v = uniform(0.3, 1) * of.m / of.s;
  add(s, "<systems><LagrangianDS id='s' coordinates='x'><q0>0</q0><v0>%.17g</v0><mass>%.17g</mass>",
      v, of.kg);
  add(s, "<fInt>%.17g*x-%s</fInt></LagrangianDS></systems>", k, push);
  add(s,
      "<interactions><interaction id='dry' systems='s'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><RelayNSL lb='%.17g' ub='%.17g'/></interaction></interactions>",
      -b, b);
}

/* Two such masses, the second one 1e-9 of the other. */
static void rub_apart(text *s)
{
  add(s, "<systems>");
  for (int i = 0; i < 2; i++)
    add(s,
        "<LagrangianDS id='m%d' coordinates='x'><q0>0</q0><mass>%.17g</mass>"
        "<fInt>-%.17g*sin(%.17g*t)</fInt></LagrangianDS>",
        i, of.kg, (i ? 1e-9 : 1) * uniform(1.2, 4) * newton(), uniform(2, 6) / of.s);
  add(s, "</systems><interactions>");
  for (int i = 0; i < 2; i++) {
    double b = (i ? 1e-9 : 1) * newton();
    add(s,
        "<interaction id='dry%d' systems='m%d'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
        "<RelayNSL lb='%.17g' ub='%.17g'/></interaction>",
        i, i, -b, b);
  }
  add(s, "</interactions>");
}

/* On rough ground in space, from rest or not, pushed about. */
static void floor_in_space(text *s)
{
  double N = newton(), v = odds(0.5) * uniform(0.3, 1) * of.m / of.s;
  add(s, "<systems><LagrangianDS id='s' coordinates='x y z'><q0>0 0 0</q0><v0>0 %.17g 0</v0>", v);
  add(s, "<mass diag='%.17g %.17g %.17g'/>", of.kg, of.kg, of.kg);
  add(s, "<fInt>-%.17g*sin(%.17g*t), -%.17g*sin(%.17g*t), %.17g</fInt></LagrangianDS></systems>",
      uniform(1, 3) * N, uniform(1, 3) / of.s, uniform(0.1, 0.5) * N, uniform(1, 3) / of.s, 2 * N);
  add(s,
      "<interactions><interaction id='c' systems='s'><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0"
      "</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.3f'/></interaction>"
      "</interactions>",
      uniform(0.2, 0.5));
}

/* A body in the plane that does not turn, on such ground. */
static void block(text *s)
{
  double N = newton(), v = odds(0.5) * uniform(0.3, 1) * of.m / of.s;
  add(s,
      "<systems><RigidBody2dDS id='b'><q0>0 0 0</q0><v0>%.17g 0 "
      "0</v0><mass>%.17g</mass><inertia>%.17g",
      v, of.kg, of.kg * of.m * of.m);
  add(s, "</inertia><fExt>%.17g*sin(%.17g*t), %.17g</fExt></RigidBody2dDS></systems>",
      uniform(0.8, 2) * N, uniform(2, 5) / of.s, -2 * N);
  add(s,
      "<interactions><interaction id='c' systems='b'><NewtonEulerR><h>b.y, b.x</h></NewtonEulerR>"
      "<NewtonImpactFrictionNSL en='0' mu='%.3f' size='2'/></interaction></interactions>",
      uniform(0.2, 0.5));
}

/* On a hinge with dry friction, from rest; its turn is small. */
static void rubbed_hinge(text *s)
{
  double J = of.kg, b = 1e-7 * J * of.m / (of.s * of.s);
  add(s, "<systems><RigidBody2dDS id='b'><q0>1 0 0</q0><mass>%.17g</mass><inertia>%.17g</inertia>",
      of.kg, 0.4 * J);
  add(s, "<mExt>%.17g*sin(%.17g*t)</mExt></RigidBody2dDS></systems>", uniform(1.5, 4) * b,
      uniform(2, 5) / of.s);
  add(s,
      "<interactions><interaction id='h' systems='b'><PivotJointR point='0 0'/>"
      "<EqualityConditionNSL/></interaction><interaction id='dry'><JointFrictionR joint='h'/>"
      "<RelayNSL lb='%.17g' ub='%.17g'/></interaction></interactions>",
      -b, b);
}

/* A state pushes what rubs. */
static void pushed_rub(text *s)
{
  double N = newton(), w = uniform(2, 5);
  add(s,
      "<systems><FirstOrderNonLinearDS id='f' states='i j'><x0>%.17g 0</x0><f>%.17g*j, -%.17g*i"
      "</f></FirstOrderNonLinearDS>",
      uniform(1.2, 3) * N, w / of.s, w / of.s);
  add(s,
      "<LagrangianDS id='m' coordinates='x'><q0>0</q0><mass>%.17g</mass><fInt>f.j</fInt>"
      "</LagrangianDS></systems>",
      of.kg);
  add(s,
      "<interactions><interaction id='dry' systems='m'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><RelayNSL lb='%.17g' ub='%.17g'/></interaction></interactions>",
      -N, N);
}

/* Closed on the ground at t0, lifted and let fall again, e > 0: also with friction, as a body, and
 * by a state. */
static void lifted(text *s)
{
  double N = newton(), w = uniform(2, 4), up = uniform(1.5, 2.5);
  add(s, "<systems><LagrangianDS id='m' coordinates='x'><q0>0</q0><mass>%.17g</mass>", of.kg);
  add(s, "<fInt>%.17g-%.17g*sin(%.17g*t)</fInt></LagrangianDS></systems>", N, up * N, w / of.s);
  add(s,
      "<interactions><interaction id='c' systems='m'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      uniform(0.2, 0.7));
}

static void lifted_rub(text *s)
{
  double N = newton(), w = uniform(2, 4), up = uniform(1.5, 2.5), push = uniform(0.5, 1.5);
  add(s, "<systems><LagrangianDS id='m' coordinates='x z'><q0>0 0</q0><mass diag='%.17g %.17g'/>",
      of.kg, of.kg);
  add(s, "<fInt>%.17g-%.17g*sin(%.17g*t), -%.17g*sin(%.17g*t)</fInt></LagrangianDS></systems>", N,
      up * N, w / of.s, push * N, (w + 1) / of.s);
  add(s,
      "<interactions><interaction id='c' systems='m'><LagrangianLinearTIR><H>1 0; 0 1</H>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='%.3f' mu='0.3' size='2'/></interaction>"
      "</interactions>",
      uniform(0.2, 0.7));
}

static void lifted_body(text *s)
{
  double N = newton(), w = uniform(2, 4), up = uniform(1.5, 2.5), J = of.kg * of.m * of.m;
  add(s, "<systems><NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>%.17g</mass>", of.kg);
  add(s, "<inertia diag='%.17g %.17g %.17g'/>", J, J, J);
  add(s, "<fExt>0; 0; -%.17g+%.17g*sin(%.17g*t)</fExt></NewtonEulerDS></systems>", N, up * N,
      w / of.s);
  add(s,
      "<interactions><interaction id='c' systems='b'><NewtonEulerR><h>b.z</h></NewtonEulerR>"
      "<NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      uniform(0.2, 0.7));
}

static void lifted_by_state(text *s)
{
  double N = newton(), w = uniform(2, 4), up = uniform(1.5, 2.5);
  add(s,
      "<systems><FirstOrderNonLinearDS id='f' states='i j'><x0>%.17g 0</x0><f>%.17g*j, -%.17g*i"
      "</f></FirstOrderNonLinearDS>",
      -up * N, w / of.s, w / of.s);
  add(s,
      "<LagrangianDS id='m' coordinates='x'><q0>0</q0><mass>%.17g</mass><fInt>%.17g-f.j</fInt>"
      "</LagrangianDS></systems>",
      of.kg, N);
  add(s,
      "<interactions><interaction id='c' systems='m'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.3f'/></interaction></interactions>",
      uniform(0.2, 0.7));
}

typedef struct kind {
  const char *name;
  void (*make)(text *s);
  const char *schemes; /* for steps */
  uint64_t seed;       /* the first one */
} kind;

#define ORDER2 "<MoreauJeanOSI/>"
#define ORDER1 "<EulerMoreauOSI/>"
static const kind kinds[] = {{"linear", linear, ORDER2, 4000},
                             {"Hertz", hertz, ORDER2, 4100},
                             {"Duffing", duffing, ORDER2, 4200},
                             {"ball", ball, ORDER2, 4300},
                             {"pendulum", pendulum, ORDER2, 4400},
                             {"body", body, ORDER2, 4500},
                             {"hinge", hinge, ORDER2, 4600},
                             {"disk", disk, ORDER2, 4700},
                             {"sphere", sphere, ORDER2, 4800},
                             {"slide", slide, ORDER2, 4900},
                             {"motor", motor, ORDER1 ORDER2, 5000},
                             {"pushed", pushed, ORDER1 ORDER2, 5100},
                             {"drive", drive, ORDER1 ORDER2, 5200},
                             {"plant", plant, ORDER1 ORDER2, 5300},
                             {"generator", generator, ORDER1 ORDER2, 5400},
                             {"rubbed", rubbed, ORDER1 ORDER2, 5500},
                             {"stiff", stiff, ORDER1, 5600},
                             {"arms", arms, ORDER2, 5700}};
enum { KINDS = sizeof kinds / sizeof *kinds, SEEDS = 6, UNKNOWNS = 14 };

/* No open gap tells a size of these. */
static const kind rubbing[] = {{"rubs", rubs, ORDER2, 5800},
                               {"rub apart", rub_apart, ORDER2, 5900},
                               {"floor in space", floor_in_space, ORDER2, 6000},
                               {"block", block, ORDER2, 6100},
                               {"pushed rub", pushed_rub, ORDER1 ORDER2, 6200},
                               {"lifted", lifted, ORDER2, 6300},
                               {"lifted rub", lifted_rub, ORDER2, 6400},
                               {"lifted body", lifted_body, ORDER2, 6500},
                               {"lifted by a state", lifted_by_state, ORDER1 ORDER2, 6600},
                               {"rubbed hinge", rubbed_hinge, ORDER2, 6700}};
static const units amplitudes[] = {{1, 1, 1, 1},      {1e-19, 1, 1, 1},    {1e-13, 1, 1, 1},
                                   {1e-11, 1, 1, 1},  {1e-9, 1, 1, 1},     {1e-7, 1, 1, 1},
                                   {1e-5, 1, 1, 1},   {1e-3, 1, 1, 1},     {1e3, 1, 1, 1},
                                   {1e-9, 1, 1e3, 1}, {1e-9, 1e3, 1e-3, 1}};
enum {
  RUBBING = sizeof rubbing / sizeof *rubbing,
  AMPLITUDES = sizeof amplitudes / sizeof *amplitudes
};

/* ---- the same motion ------------------------------------------------------------------------- */

/* Unit of coordinate i of a kind. */
static double unit_of(const kind *k, size_t i)
{
  if (k->make == rub_apart) return i ? 1e-9 * of.m : of.m;
  if (k->make == rubbed_hinge) return i == 0 ? 1 : 1e-7 * of.m;
  if (k->make == pushed_rub || k->make == lifted_by_state) return i < 2 ? newton() : of.m;
  if (k->make == body || k->make == block || k->make == hinge || k->make == disk)
    return i == 2 ? 1 : of.m;
  if (k->make == sphere || k->make == slide || k->make == arms || k->make == lifted_body)
    return i % 7 >= 3 ? 1 : of.m;
  if (k->make == motor || k->make == drive || k->make == generator) return i == 0 ? of.A : 1;
  if (k->make == pushed || k->make == plant || k->make == rubbed) return i == 0 ? newton() : of.m;
  return of.m;
}

/* Coordinates at the end, in units of 1; how many. */
static size_t end_of(const kind *k, int seed, units u, int steps, double *q)
{
  text s = {.n = 0};
  of = u;
  cloud_seed = k->seed + (uint64_t)seed;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  k->make(&s);
  if (steps)
    add(&s, "<simulation T='%.17g'><TimeStepping h='%.17g'>%s", 4 * u.s, 4e-3 * u.s, k->schemes);
  else add(&s, "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI", 4 * u.s, 0.2 * u.s);
  if (!steps) add(&s, "/>");
  run r = mechanics("%s%s", s.at,
                    steps ? "</TimeStepping></simulation>" : "</EventDriven></simulation>");
  ck_assert_msg(run_keep(&r) == NS_OK, "%s %d in units of %g m, %g kg, %g s: %s", k->name, seed,
                u.m, u.kg, u.s, r.c.msg);
  size_t n = r.m->nq;
  ck_assert_uint_le(n, UNKNOWNS);
  for (size_t i = 0; i < n; i++) q[i] = r.x->q[i] / unit_of(k, i);
  run_end(&r);
  return n;
}

static void compare(const kind *k, int seed, int steps, double accuracy, const units *of_it,
                    int nunits)
{
  double at1[UNKNOWNS], now[UNKNOWNS], extent = 0.1;
  size_t n = end_of(k, seed, of_it[0], steps, at1);
  for (size_t i = 0; i < n; i++) extent = fmax(extent, fabs(at1[i]));
  for (int j = 1; j < nunits; j++) {
    const units *u = &of_it[j];
    end_of(k, seed, *u, steps, now);
    for (size_t i = 0; i < n; i++)
      ck_assert_msg(fabs(now[i] - at1[i]) <= accuracy * extent,
                    "%s %d in units of %g m, %g kg, %g s: q[%zu] ends at %.12g, not %.12g", k->name,
                    seed, u->m, u->kg, u->s, i, now[i], at1[i]);
  }
}

START_TEST(by_events)
{
  const kind *k = &kinds[_i % KINDS];
  compare(k, _i / KINDS, 0, 1e-7, list, UNITS);
}
END_TEST

START_TEST(by_steps)
{
  const kind *k = &kinds[_i % KINDS];
  /* by steps, currents that a rotor induces depend on their unit to 2e-7 */
  compare(k, _i / KINDS, 1, k->make == generator ? 1e-6 : 1e-8, list, UNITS);
}
END_TEST

/* Friction that ends at speeds far below the default velocityTolerance. */
START_TEST(at_any_amplitude)
{
  const kind *k = &rubbing[_i % RUBBING];
  /* in space friction has a fixed direction up to 1e-5 of the speeds */
  compare(k, _i / RUBBING, 0, k->make == floor_in_space ? 5e-5 : 1e-7, amplitudes, AMPLITUDES);
}
END_TEST

/* velocityTolerance of the model stands: what is slower is at rest. */
START_TEST(a_tolerance_that_is_given)
{
  static const char given[] = " velocityTolerance='1e-8'";
  for (int i = 0; i < 2; i++) {
    run r = mechanics(
        "<systems><LagrangianDS id='s'><q0>0</q0><v0>1e-9</v0><mass>1</mass></LagrangianDS>"
        "</systems><interactions><interaction id='dry' systems='s'><LagrangianLinearTIR><H>1</H>"
        "</LagrangianLinearTIR><RelayNSL lb='-1e-9' ub='1e-9'/></interaction></interactions>"
        "<simulation T='2'><EventDriven h='0.1'%s><CVodeOSI/></EventDriven></simulation>",
        i ? given : "");
    ck_assert_int_eq(run_keep(&r), NS_OK);
    ck_assert_double_eq_tol(r.x->q[0], i ? 0 : 0.5e-9, 1e-17);
    run_end(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, by_events, 0, KINDS * SEEDS);
  tcase_add_loop_test(t, by_steps, 0, KINDS * SEEDS);
  tcase_add_loop_test(t, at_any_amplitude, 0, RUBBING * SEEDS);
  tcase_add_test(t, a_tolerance_that_is_given);
}

int main(void) { return suite_run("any unit", fill); }
