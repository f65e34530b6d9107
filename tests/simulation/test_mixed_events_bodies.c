/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs with rigid bodies among systems of other kinds: the same machines by
 * coordinates and alone, what time-stepping converges to, contacts between shapes, joints, forces
 * between bodies, formulas that jump, and runs that are interrupted. */
#include "support/interrupted.h"
#include "support/machines.h"

/* ---- bodies and coordinates ------------------------------------------------------------------ */

START_TEST(a_rotor_is_the_same_in_every_form)
{
  run r[3];
  for (int k = 0; k < 3; k++) r[k] = events(motors[k], 0.05, 5);
  motors_agree(&r[0], &r[1], &r[2], 1e-9, 1e-8);
  is_certified(&r[1]), is_certified(&r[2]);
  for (int k = 0; k < 3; k++) run_end(&r[k]);
}
END_TEST

/* Forces of other systems both ways, a wall and a rough ground in reach of some: the same body by
 * coordinates. */
START_TEST(a_planar_body_is_a_lagrangian_system)
{
  seed = 20310000UL + (unsigned long)_i;
  double m = uniform(0.5, 3), I = uniform(0.1, 2), k[8], q[3], v[3], e = uniform(0.2, 0.8);
  for (int i = 0; i < 8; i++) k[i] = uniform(-3, 6);
  for (int i = 0; i < 3; i++) q[i] = uniform(-1, 1), v[i] = uniform(-2, 2);
  double wall = q[0] - uniform(0.1, 0.6), ground = q[1] - uniform(0.1, 0.6);
  two_forms f = planar_body(q, v, m, I, k);
  append(f.one,
         "<interactions><interaction id='wall' systems='b'>"
         "<NewtonEuler1DR><P1>x y 0</P1><P2>%.17g y 0</P2><n>1 0 0</n></NewtonEuler1DR>"
         "<NewtonImpactNSL e='%.17g'/></interaction><interaction id='ground' systems='b'>"
         "<NewtonEuler3DR><P1>x y 0</P1><P2>x %.17g 0</P2><n>0 1 0</n></NewtonEuler3DR>"
         "<NewtonImpactFrictionNSL en='0' mu='0.2'/></interaction></interactions>",
         wall, e, ground);
  append(f.two,
         "<interactions><interaction id='wall' systems='b'><LagrangianLinearTIR>"
         "<H>1 0 0</H><e>%.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>"
         "<interaction id='ground' systems='b'><LagrangianLinearTIR><H>0 1 0; 1 0 0</H>"
         "<e>%.17g 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='0.2'/>"
         "</interaction></interactions>",
         -wall, e, -ground);
  run a = events(f.one, 2, 10), b = events(f.two, 2, 10);
  planar_bodies_agree(&a, &b, 1e-8);
  ck_assert_int_eq(a.x->cert->impacts, b.x->cert->impacts);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* An arm on a hinge with a rotor and a coil, in one file, that falls onto a stop: as a body with a
 * joint and a stop of the joint, and by its angle. */
START_TEST(coil_rotor_and_arm)
{
  static const char *const machine =
      "<systems><netlist id='coil'>V1 s 0 5*sin(4*t)\nR1 s a 1\nL1 a b 0.05\nV2 b 0 "
      "0.3*rotor.v_phi\n</netlist>"
      "<LagrangianDS id='rotor' coordinates='phi'><q0>0</q0><mass>0.02</mass>"
      "<fInt>20*(phi - arm.%s) + 0.2*(v_phi - arm.v_%s) - 0.3*coil.i_L1</fInt></LagrangianDS>%s";
  static const char *const body =
      "<RigidBody2dDS id='arm'><q0>0.5 0 0</q0><mass>0.4</mass><inertia>0.0333</inertia><fExt>0 "
      "-3.924</fExt>"
      "<mExt>20*(rotor.phi - arm.angle) + 0.2*(rotor.v_phi - "
      "arm.v_angle)</mExt></RigidBody2dDS></systems>"
      "<interactions><interaction id='hinge' systems='arm'><PivotJointR point='0 "
      "0'/><EqualityConditionNSL/>"
      "</interaction><interaction id='stop'><JointStopR joint='hinge' "
      "upper='0.15'/><NewtonImpactNSL e='0.4'/>"
      "</interaction></interactions>";
  static const char *const angle =
      "<LagrangianDS id='arm' coordinates='a'><q0>0</q0><mass>0.1333</mass><fInt>3.924*0.5*cos(a) "
      "- "
      "20*(rotor.phi - a) - 0.2*(rotor.v_phi - v_a)</fInt></LagrangianDS></systems>"
      "<interactions><interaction id='stop' systems='arm'><LagrangianLinearTIR><H>1</H><e>0.15</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.4'/></interaction></interactions>";
  char one[4000], two[4000];
  snprintf(one, sizeof one, machine, "angle", "angle", body);
  snprintf(two, sizeof two, machine, "a", "a", angle);
  run a = events(one, 2, 20), b = events(two, 2, 20);
  ck_assert_double_eq_tol(last(&a, "arm.angle"), last(&b, "arm.a"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "arm.v_angle"), last(&b, "arm.v_a"), 1e-7);
  ck_assert_double_eq_tol(last(&a, "coil.i_L1"), last(&b, "coil.i_L1"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "rotor.phi"), last(&b, "rotor.phi"), 1e-8);
  ck_assert_int_ge(b.x->cert->impacts, 3);
  ck_assert_int_eq(a.x->cert->impacts, b.x->cert->impacts);
  ck_assert_double_eq_tol(event_of(&a, 1, NS_EVENT_IMPACT, 0)->t,
                          event_of(&b, 0, NS_EVENT_IMPACT, 0)->t, 1e-9);
  is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* Bodies in space have more coordinates than velocities. Systems by coordinates that stand behind
 * them in the file, with rows that are linear in these, do what they do alone. */
START_TEST(coordinates_behind_bodies_in_space)
{
  char own[2000] = "", rows[2000] = "<interactions>", bodies[2000] = "", text[6000], alone[6000];
  seed = 20320000UL + (unsigned long)_i;
  int n = 1 + _i % 2, nbodies = 1 + _i % 3;
  for (int k = 0; k < nbodies; k++)
    append(bodies,
           "<NewtonEulerDS id='s%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g 0 0 0 %.17g 0</v0>"
           "<mass>%.17g</mass><inertia diag='0.1 0.2 0.3'/></NewtonEulerDS>",
           k, uniform(-9, 9), uniform(-9, 9), uniform(-9, 9), uniform(-1, 1), uniform(-3, 3),
           uniform(0.5, 2));
  for (int k = 0; k < n; k++) {
    double at = uniform(-5, 5), x = at + uniform(0, 0.3), w = at - uniform(0.01, 0.08);
    append(own,
           "<LagrangianDS id='c%d' coordinates='x y'><q0>%.17g %.17g</q0><v0>%.17g 1</v0>"
           "<mass diag='1 2'/><fInt>%.17g*(x - (%.17g)) + 0.1*v_x, 3*y</fInt></LagrangianDS>",
           k, x, uniform(-1, 1), -uniform(0.8, 1.5), uniform(10, 60), at);
    append(rows,
           "<interaction id='w%d' systems='c%d'><LagrangianLinearTIR><H>1 %.17g</H><e>%.17g</e>"
           "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>",
           k, k, 0.02 * k, -w + 0.1 * k, uniform(0.2, 0.7));
  }
  append(rows, "</interactions>");
  snprintf(alone, sizeof alone, "<systems>%s</systems>%s", own, rows);
  snprintf(text, sizeof text, "<systems>%s%s</systems>%s", bodies, own, rows);
  run a = events(alone, 2, 10), b = events(text, 2, 10);
  ck_assert_double_eq_tol(last(&a, "c0.x"), last(&b, "c0.x"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "c0.y"), last(&b, "c0.y"), 1e-8);
  ck_assert_int_ge(a.x->cert->impacts, 1);
  ck_assert_int_eq(a.x->cert->impacts, b.x->cert->impacts);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- beside what has nothing to do with them ------------------------------------------------- */

static const struct {
  const char *systems, *rest, *labels[6];
} lonely[] = {
    /* contacts between shapes, rough */
    {"<NewtonEulerDS id='a'><q0>0 0 0.4 1 0 0 0</q0><v0>1.5 0 0 0 0 0</v0><mass>1</mass><inertia "
     "diag='4e-3 4e-3 4e-3'/>"
     "<fExt>0 0 -9.81</fExt><Sphere radius='0.1' material='m'/></NewtonEulerDS>"
     "<NewtonEulerDS id='b'><q0>0.8 0 0.25 1 0 0 0</q0><mass>2</mass><inertia diag='0.02 0.02 "
     "0.02'/>"
     "<fExt>0 0 -19.62</fExt><Sphere radius='0.15' material='m'/></NewtonEulerDS>",
     "<contacts><Plane normal='0 0 1' at='0 0 0' material='m'/><NewtonImpactFrictionNSL en='0.4' "
     "mu='0.3'/></contacts>",
     {"a.x", "a.z", "a.Omega_y", "b.x", "b.z", "b.v_x"}},
    /* in the plane */
    {"<RigidBody2dDS id='a'><q0>0 0.5 0</q0><v0>1 0 0</v0><mass>1</mass><inertia>0.005</inertia>"
     "<fExt>0 -9.81</fExt><Disk radius='0.1' material='m'/></RigidBody2dDS>"
     "<RigidBody2dDS id='b'><q0>0.5 0.15 0</q0><mass>1</mass><inertia>0.01</inertia>"
     "<fExt>0 -9.81</fExt><Disk radius='0.15' material='m'/></RigidBody2dDS>",
     "<contacts><HalfPlane normal='0 1' at='0 0' material='m'/><NewtonImpactFrictionNSL en='0.5' "
     "mu='0.3'/></contacts>",
     {"a.x", "a.y", "a.angle", "b.x", "b.v_x", "b.angle"}},
    /* joints, a stop */
    {"<NewtonEulerDS id='a'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
     "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
     "<NewtonEulerDS id='b'><q0>1.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
     "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>",
     "<interactions><interaction id='h1' systems='a'><PivotJointR point='0 0 0' axis='0 1 "
     "0'/><EqualityConditionNSL/></interaction>"
     "<interaction id='h2' systems='a b'><PivotJointR point='1 0 0' axis='0 1 "
     "0'/><EqualityConditionNSL/></interaction>"
     "<interaction id='stop'><JointStopR joint='h2' lower='-0.8' upper='0.8'/><NewtonImpactNSL "
     "e='0.3'/></interaction></interactions>",
     {"a.x", "a.z", "a.Omega_y", "b.x", "b.z", "b.Omega_y"}},
    /* forces between bodies */
    {"<NewtonEulerDS id='a'><q0>0 0 0 1 0 0 0</q0><v0>0 1 0 1 0 2</v0><mass>1</mass><inertia "
     "diag='0.1 0.2 0.3'/></NewtonEulerDS>"
     "<NewtonEulerDS id='b'><q0>1 0 0 1 0 0 0</q0><v0>0 -1 0.5 0 3 0</v0><mass>2</mass><inertia "
     "diag='0.3 0.2 0.1'/></NewtonEulerDS>",
     "<interactions><spring id='s' systems='a b' stiffness='30' damping='0.2' "
     "restLength='0.5'/></interactions>",
     {"a.x", "a.y", "a.Omega_x", "b.x", "b.z", "b.Omega_y"}},
};

START_TEST(bodies_are_as_alone)
{
  char alone[4000], beside[4000];
  snprintf(alone, sizeof alone, "<systems>%s</systems>%s", lonely[_i].systems, lonely[_i].rest);
  snprintf(beside, sizeof beside, "<systems>" DUMMY "%s</systems>%s", lonely[_i].systems,
           lonely[_i].rest);
  run a = events(alone, 1, 10), b = events(beside, 1, 10);
  for (int k = 0; k < 6; k++)
    ck_assert_msg(fabs(last(&a, lonely[_i].labels[k]) - last(&b, lonely[_i].labels[k])) <= 1e-8,
                  "%s: %.12g, %.12g", lonely[_i].labels[k], last(&a, lonely[_i].labels[k]),
                  last(&b, lonely[_i].labels[k]));
  ck_assert_double_eq_tol(last(&b, "d.s"), exp(-1), 1e-11);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  for (size_t i = 0; i < a.got.nevents; i++) {
    const ns_event *e = &a.got.events[i], *f = &b.got.events[i];
    ck_assert_int_eq(e->kind, f->kind);
    ck_assert_int_eq(e->interaction, f->interaction);
    ck_assert(e->a == f->a && e->b == f->b && e->feature == f->feature);
    ck_assert_double_eq_tol(e->t, f->t, 1e-8);
    ck_assert_double_eq_tol(e->impulse, f->impulse, 1e-8);
  }
  ck_assert_uint_eq(a.got.ncontacts, b.got.ncontacts);
  for (size_t i = 0; i < a.got.ncontacts; i++) {
    const ns_contact_record *p = &a.got.contacts[i], *q = &b.got.contacts[i];
    ck_assert(p->a == q->a && p->b == q->b);
    for (int j = 0; j < 3; j++) {
      ck_assert_double_eq_tol(p->point[j], q->point[j], 1e-8);
      ck_assert_double_eq_tol(p->force[j], q->force[j], 1e-6);
    }
  }
  same_certificate(a.x->cert, b.x->cert, 1e-7);
  is_certified(&b);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- random machines ------------------------------------------------------------------------- */

/* With a force between the bodies that the circuit commands. */
START_TEST(random_machines_are_what_steps_converge_to)
{
  char machine[MACHINE];
  seed = 20320000UL + (unsigned long)_i;
  random_bodies(machine);
  append(machine,
         "<interactions><damper id='f' systems='a b'><along>-(1 + %g*n.i_L1)*rate - %g*o.s</along>"
         "</damper></interactions>",
         uniform(0, 0.5), uniform(-2, 2));
  steps_converge_to_events(machine, STEPS(BOTH("0.5")), body_labels, 2e-8);
}
END_TEST

/* How far hinge.y was from 0 in any row of the grid. */
static double off_hinge(const run *r)
{
  double max = 0;
  size_t n = r->got.ncols, side = 0;
  while (side < n && strcmp(r->got.labels[side], "diagnostics.side") != 0) side++;
  ck_assert_uint_lt(side, n);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < r->got.nrows && !strncmp(r->got.labels[k], "hinge.y[", 8); i++)
      if (r->got.rows[i * n + side] == 0) max = fmax(max, fabs(r->got.rows[i * n + k]));
  return max;
}

/* An arm that a coil drives, with a stop of its hinge, random numbers; at times of events
 * time-stepping is right to a step. IDA keeps the hinge, and the rest as CVODE. */
START_TEST(random_arms_with_stops)
{
  static const char *const labels[] = {"arm.angle", "arm.v_angle", "coil.i_L1"};
  char model[4000];
  seed = 20330000UL + (unsigned long)_i;
  double l = uniform(0.2, 0.6);
  snprintf(
      model, sizeof model,
      "<systems><netlist id='coil'>V1 s 0 %.6g*sin(%.6g*t + %.6g)\nD1 s a\nR1 a b %.6g\nL1 b c "
      "%.6g\n"
      "V2 c 0 %.6g*arm.v_angle\n</netlist>"
      "<RigidBody2dDS id='arm'><q0>%.17g 0 0</q0><mass>0.4</mass><inertia>%.6g</inertia><fExt>0 "
      "-%.6g</fExt>"
      "<mExt>%.6g*coil.i_L1</mExt><mInt>%.6g*v_angle</mInt></RigidBody2dDS></systems><interactions>"
      "<interaction id='hinge' systems='arm'><PivotJointR point='0 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='stop'><JointStopR joint='hinge' lower='-0.9' "
      "upper='%.6g'/><NewtonImpactNSL e='0'/></interaction>"
      "</interactions>",
      uniform(6, 12), uniform(3, 9), uniform(0, 1), uniform(0.5, 2), uniform(0.05, 0.3),
      uniform(0.2, 0.6), l, uniform(0.05, 0.2), uniform(0.5, 2), uniform(0.2, 0.6),
      uniform(0.05, 0.3), uniform(0.05, 0.3));
  run r = events(model, 2, 20);
  for (int n = 2000; n <= 32000; n *= 16) {
    run s = run_to(model, STEPS(BOTH("0.5")), 2, n);
    for (int j = 0; j < 3; j++)
      ck_assert_msg(fabs(last(&s, labels[j]) - last(&r, labels[j])) <= 40 * 2. / n,
                    "%s by %d steps: %g, by events %g", labels[j], n, last(&s, labels[j]),
                    last(&r, labels[j]));
    run_end(&s);
  }
  ck_assert_double_ge(r.x->cert->events, 3);
  is_certified(&r);
  run a = run_to(model, EVENTS_BY("<IDAOSI/>"), 2, 20);
  for (int j = 0; j < 3; j++)
    ck_assert_double_eq_tol(last(&a, labels[j]), last(&r, labels[j]), 1e-6);
  ck_assert_double_le(off_hinge(&a), 1e-14);
  is_certified(&a);
  run_end(&a), run_end(&r);
}
END_TEST

/* models/motor-arm event by event, and what its steps converge to: between events with their order,
 * at the end at rest on the stop. */
/* models/motor-arm to T, event by event or with steps of 2e-4/fine s. */
static run motor_arm(double T, int by_events, int fine)
{
  run r = run_load("models/motor-arm/motor-arm.xml", NULL);
  ns_simulation_options *s = &r.m->sim;
  ns_simulation_destroy(r.s);
  s->T = T;
  s->ts.h /= fine;
  if (by_events) {
    s->strategy = "EventDriven";
    s->integrator = "CVodeOSI";
    s->event_driven = 1;
    s->ed.rtol = 1e-11;
    s->ed.atol = 1e-13;
  }
  ck_assert_msg(ns_simulation_create(&r.c, r.m, &r.s) == NS_OK, "%s", r.c.msg);
  r.x = ns_simulation_state(r.s);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* Event by event, and what steps converge to: before the first impact with their order, at the end
 * at rest on the stop. */
START_TEST(motor_arm_by_events_and_by_steps)
{
  static const char *const labels[] = {"arm.angle", "rotor.phi", "drive.i_L1"};
  run a = motor_arm(0.04, 1, 1), b = motor_arm(0.04, 0, 2), c = motor_arm(0.04, 0, 4);
  for (int j = 0; j < 3; j++) {
    double x = last(&a, labels[j]), eb = fabs(last(&b, labels[j]) - x),
           ec = fabs(last(&c, labels[j]) - x);
    ck_assert_double_le(ec, 1e-4 * fmax(1, fabs(x)));
    ck_assert_double_ge(log2(eb / ec), 1.8);
    ck_assert_double_le(log2(eb / ec), 2.2);
  }
  is_certified(&a);
  run_end(&a), run_end(&b), run_end(&c);
  a = motor_arm(2, 1, 1), b = motor_arm(2, 0, 1);
  ck_assert_int_ge(a.x->cert->impacts, 2);
  ck_assert_double_eq_tol(last(&a, "arm.angle"), 0.7, 1e-10);
  ck_assert_double_eq_tol(last(&a, "stop.lambda"), 3.74969, 1e-5);
  for (int j = 0; j < 3; j++)
    ck_assert_double_eq_tol(last(&a, labels[j]), last(&b, labels[j]), 1e-3);
  is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- formulas that jump ---------------------------------------------------------------------- */

/* A ball of radius 0.1 that falls onto a ground and bounces closes a source as it is above 0.5 m,
 * and a magnet holds it back while the current is above 1 A: as a body in space that spins about an
 * oblique axis, as one in the plane with a shape, and by its coordinate. */
START_TEST(formulas_jump_with_bodies)
{
  static const char *const coil = "<systems><netlist id='coil'>V1 a 0 if(ball.%s > 0.5, 10, 0)\nR1 "
                                  "a b 2\nL1 b 0 0.1\n</netlist>";
  static const char *const ball[] = {
      "<NewtonEulerDS id='ball'><q0>1 2 1 1 0 0 0</q0><v0>0 0 0 1 -2 3</v0><mass>1</mass><inertia "
      "diag='4e-3 4e-3 4e-3'/>"
      "<fExt>0 0 -9.81+if(coil.i_L1 > 1, 3, 0)</fExt><Sphere radius='0.1' "
      "material='m'/></NewtonEulerDS></systems>"
      "<contacts><Plane normal='0 0 1' at='0 0 0' material='m'/><NewtonImpactNSL "
      "e='0.8'/></contacts>",
      "<RigidBody2dDS id='ball'><q0>1 1 0</q0><v0>0 0 2</v0><mass>1</mass><inertia>4e-3</inertia>"
      "<fExt>0 -9.81+if(coil.i_L1 > 1, 3, 0)</fExt><Disk radius='0.1' "
      "material='m'/></RigidBody2dDS></systems>"
      "<contacts><HalfPlane normal='0 1' at='0 0' material='m'/><NewtonImpactNSL "
      "e='0.8'/></contacts>",
      "<LagrangianDS id='ball' coordinates='y'><q0>1</q0><fExt>-9.81 + if(coil.i_L1 > 1, 3, "
      "0)</fExt></LagrangianDS>"
      "</systems><interactions><interaction id='floor' "
      "systems='ball'><LagrangianLinearTIR><H>1</H><e>-0.1</e></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.8'/></interaction></interactions>"};
  static const char *const height[] = {"z", "y", "y"};
  run r[3];
  for (int k = 0; k < 3; k++) {
    char model[4000], label[16];
    int n = snprintf(model, sizeof model, coil, height[k]);
    snprintf(model + n, sizeof model - (size_t)n, "%s", ball[k]);
    snprintf(label, sizeof label, "ball.%s", height[k]);
    r[k] = events(model, 1.6, 8);
    is_certified(&r[k]);
    ck_assert_double_eq_tol(last(&r[k], label), last(&r[0], "ball.z"), 1e-9);
    ck_assert_double_eq_tol(last(&r[k], "coil.i_L1"), last(&r[0], "coil.i_L1"), 1e-9);
    ck_assert_int_eq(r[k].x->cert->impacts, r[0].x->cert->impacts);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(event_of(&r[k], -1, NS_EVENT_FORMULA, i)->t,
                              event_of(&r[0], -1, NS_EVENT_FORMULA, i)->t, 1e-9);
  }
  ck_assert_int_ge(r[0].x->cert->impacts, 2);
  for (int k = 0; k < 3; k++) run_end(&r[k]);
}
END_TEST

/* A source that jumps is one event, however many values of its circuit it stands in. */
static void told_once(const run *r)
{
  const ns_event *e = r->got.events;
  for (size_t i = 0; i < r->got.nevents; i++)
    for (size_t j = 0; j < i; j++)
      ck_assert(e[i].t != e[j].t || e[i].kind != NS_EVENT_FORMULA ||
                e[j].kind != NS_EVENT_FORMULA || strcmp(e[i].of, "n") || strcmp(e[j].of, "n"));
}

/* An arm on a hinge with a dry brake, soft stops from 0.9 rad on, and a source that closes beyond 1
 * rad, falls and comes to rest: formulas of the joint against those of a coordinate; beside a
 * circuit and alone. At rest the brake slides along v_angle = 0. */
START_TEST(formulas_jump_with_joints)
{
  static const char *const coil =
      "<netlist id='n'>V1 s 0 if(%s, 3, 1)\nR1 s a 1\nL1 a 0 0.1\n</netlist>";
  static const char *const joint =
      "<RigidBody2dDS id='arm'><q0>0.5 0 0</q0><mass>0.4</mass><inertia>0.0333</inertia><fExt>0 "
      "-3.924</fExt></RigidBody2dDS>"
      "</systems><interactions><interaction id='h' systems='arm'><PivotJointR point='0 0'>"
      "<torque>-%.17g*sign(v_angle) - 2*max(0, angle - 0.9) + 2*max(0, -angle - "
      "0.9)</torque></PivotJointR>"
      "<EqualityConditionNSL/></interaction></interactions>";
  static const char *const coordinate =
      "<LagrangianDS id='arm' coordinates='a'><q0>0</q0><mass>0.1333</mass><fInt>1.962*cos(a) + "
      "%.17g*sign(v_a) + "
      "2*max(0, a - 0.9) - 2*max(0, -a - 0.9)</fInt></LagrangianDS></systems>";
  seed = 20340000UL + (unsigned long)_i;
  double brake = _i == 0 ? 1.2 : uniform(0.05, 1.5);
  run r[4];
  for (int k = 0; k < 4; k++) {
    char model[4000];
    int by_coordinate = k & 1, alone = k & 2, n = snprintf(model, sizeof model, "<systems>");
    if (!alone)
      n += snprintf(model + n, sizeof model - (size_t)n, coil,
                    by_coordinate ? "abs(arm.a) > 1" : "abs(h.angle) > 1");
    snprintf(model + n, sizeof model - (size_t)n, by_coordinate ? coordinate : joint, brake);
    r[k] = events(model, 3, 30);
    is_certified(&r[k]);
    ck_assert_double_eq_tol(last(&r[k], by_coordinate ? "arm.a" : "arm.angle"),
                            last(&r[0], "arm.angle"), 1e-8);
    ck_assert_double_eq_tol(last(&r[k], by_coordinate ? "arm.v_a" : "arm.v_angle"),
                            last(&r[0], "arm.v_angle"), 1e-7);
  }
  ck_assert_double_eq_tol(last(&r[0], "n.i_L1"), last(&r[1], "n.i_L1"), 1e-8);
  if (_i == 0) ck_assert_double_eq_tol(last(&r[0], "arm.v_angle"), 0, 1e-8); /* it sticks */
  ck_assert_uint_ge(r[1].got.nevents, 3);
  told_once(&r[1]);
  for (int k = 0; k < 4; k++) run_end(&r[k]);
}
END_TEST

/* A mass on a line with a stiffer part beyond a length, a dry damper, a force of a length of time,
 * and a state that jumps as the line is long or fast. */
START_TEST(formulas_jump_with_lines)
{
  static const char *const lag = "<FirstOrderNonLinearDS id='y' states='y'><x0>0</x0><f>if(%s > "
                                 "0.7, 2, -1) + step(%s - 0.5) - y</f>"
                                 "</FirstOrderNonLinearDS>";
  static const char *const law = "-30*(%s - 0.5) - if(%s > 0.65, 5, 0) - %.17g*sign(%s) + if(t > "
                                 "0.4, 2, 0) - if(y.y > 0.3, 1, 0)";
  char one[4000], two[4000], force[400];
  seed = 20350000UL + (unsigned long)_i;
  double dry = uniform(0.1, 2), v = uniform(-1.5, 1.5);
  int n = snprintf(one, sizeof one, "<systems>");
  n += snprintf(one + n, sizeof one - (size_t)n, lag, "l.length", "l.rate");
  snprintf(force, sizeof force, law, "length", "length", dry, "rate");
  snprintf(one + n, sizeof one - (size_t)n,
           "<NewtonEulerDS id='b'><q0>1 2 3.6 1 0 0 0</q0><v0>0 0 %.17g 0 0 "
           "1</v0><mass>1.5</mass><inertia diag='1 1 2'/></NewtonEulerDS>"
           "</systems><interactions><force id='l' systems='b' point2='1 2 "
           "3'><along>%s</along></force></interactions>",
           v, force);
  n = snprintf(two, sizeof two, "<systems>");
  n += snprintf(two + n, sizeof two - (size_t)n, lag, "b.z", "b.v_z");
  snprintf(force, sizeof force, law, "z", "z", dry, "v_z");
  snprintf(two + n, sizeof two - (size_t)n,
           "<LagrangianDS id='b' "
           "coordinates='z'><q0>0.6</q0><v0>%.17g</v0><mass>1.5</mass><fInt>-(%s)</fInt></"
           "LagrangianDS></systems>",
           v, force);
  run a = events(one, 1, 10), b = events(two, 1, 10);
  ck_assert_double_eq_tol(last(&a, "b.z"), last(&b, "b.z") + 3, 1e-8);
  ck_assert_double_eq_tol(last(&a, "b.v_z"), last(&b, "b.v_z"), 1e-7);
  ck_assert_double_eq_tol(last(&a, "y.y"), last(&b, "y.y"), 1e-8);
  ck_assert_uint_ge(b.got.nevents, 2);
  is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- laws by formulas ------------------------------------------------------------------------ */

/* A brake whose bound is that of a magnet's current, on a rotor by its coordinate, as a body, and
 * on a hinge; the current depends on the speed of the rotor. */
START_TEST(a_magnet_presses_a_brake)
{
  static const char *const coil = "<systems><netlist id='n'>V1 s 0 9*sin(%.17g*t) - "
                                  "0.05*rotor.%s\nR1 s a 2\nL1 a 0 0.2\n</netlist>%s";
  static const char *const form[][3] = {
      {"v_a",
       "<LagrangianLinearTIDS id='rotor' "
       "coordinates='a'><q0>0</q0><v0>20</v0><mass>0.01</mass><fExt>0.3</fExt></"
       "LagrangianLinearTIDS>"
       "</systems><interactions><interaction id='brake' "
       "systems='rotor'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
       "<RelayNSL lb='-0.1-0.2*n.i_L1^2' ub='0.1+0.2*n.i_L1^2'/></interaction></interactions>",
       "rotor.v_a"},
      {"v_angle",
       "<RigidBody2dDS id='rotor'><q0>1 2 0</q0><v0>0 0 "
       "20</v0><mass>3</mass><inertia>0.01</inertia><mExt>0.3</mExt></RigidBody2dDS>"
       "</systems><interactions><interaction id='h' systems='rotor'><PivotJointR point='1 "
       "2'/><EqualityConditionNSL/></interaction>"
       "<interaction id='brake'><JointFrictionR joint='h'/><RelayNSL lb='-0.1-0.2*n.i_L1^2' "
       "ub='0.1+0.2*n.i_L1^2'/></interaction>"
       "</interactions>",
       "rotor.v_angle"}};
  char model[4000];
  seed = 20360000UL + (unsigned long)_i;
  double w = uniform(1, 5);
  run r[2];
  for (int k = 0; k < 2; k++) {
    snprintf(model, sizeof model, coil, w, form[k][0], form[k][1]);
    r[k] = events(model, 3, 10);
    is_certified(&r[k]);
    ck_assert_double_eq_tol(last(&r[k], form[k][2]), last(&r[0], form[0][2]), 1e-7);
    ck_assert_double_eq_tol(last(&r[k], "n.i_L1"), last(&r[0], "n.i_L1"), 1e-8);
    ck_assert_double_eq_tol(event_of(&r[k], k, NS_EVENT_STICK, 0)->t,
                            event_of(&r[0], 0, NS_EVENT_STICK, 0)->t, 1e-8);
  }
  run s = run_to(model, STEPS(BOTH("0.5")), 3, 30000);
  ck_assert_double_eq_tol(last(&s, "n.i_L1"), last(&r[0], "n.i_L1"), 1e-4);
  ck_assert_double_eq_tol(last(&s, "rotor.v_angle"), last(&r[0], "rotor.v_a"), 2e-2);
  run_end(&r[0]), run_end(&r[1]), run_end(&s);
}
END_TEST

/* A disk that slides on ground whose friction is another from a time and from a place on: as a
 * shape and by coordinates, alone and beside an idle system. */
START_TEST(friction_jumps_under_a_body)
{
  static const char *const form[] = {
      "<RigidBody2dDS id='b'><q0>0 0.1 0</q0><v0>2 0 "
      "0</v0><mass>1</mass><inertia>5e-3</inertia><fExt>0 -9.81</fExt><Disk radius='0.1'/>"
      "</RigidBody2dDS></systems><contacts><HalfPlane/><NewtonImpactFrictionNSL en='0' "
      "mu='%s'/></contacts>",
      "<LagrangianLinearTIDS id='b' coordinates='x y angle'><q0>0 0.1 0</q0><v0>2 0 0</v0><mass "
      "diag='1 1 5e-3'/><fExt>0 -9.81 0</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='g' "
      "systems='b'><LagrangianLinearTIR><H>0 1 0; 1 0 0.1</H>"
      "<e>-0.1 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
      "mu='%s'/></interaction></interactions>"};
  static const char *const mu = "(t > 0.05 ? 0.2 : 0.05) + if(b.x > 0.3, 0.15, 0)";
  run r[4];
  for (int k = 0; k < 4; k++) {
    char model[4000];
    int n = snprintf(model, sizeof model, "<systems>%s", k & 2 ? DUMMY : "");
    snprintf(model + n, sizeof model - (size_t)n, form[k & 1], mu);
    r[k] = events(model, 1, 10);
    is_certified(&r[k]);
    ck_assert_double_eq_tol(last(&r[k], "b.x"), last(&r[0], "b.x"), 1e-9);
    ck_assert_double_eq_tol(last(&r[k], "b.v_angle"), last(&r[0], "b.v_angle"), 1e-8);
  }
  ck_assert_double_eq_tol(event_of(&r[0], -1, NS_EVENT_FORMULA, 0)->t, 0.05, 1e-12);
  for (int k = 0; k < 4; k++) run_end(&r[k]);
}
END_TEST

/* ---- runs that are interrupted --------------------------------------------------------------- */

/* Contacts between shapes with friction, a joint with a stop, a spring that a coil commands, a
 * diode, a formula that jumps: saved and resumed, the same to the bit. */
START_TEST(runs_go_on_the_same)
{
  static const char *const form = HEAD
      "<systems><netlist id='n'>V1 s 0 6*sin(9*t) + if(ball.z > 0.3, 1, 0)\nD1 s a\nR1 a b 1\nL1 b "
      "0 0.05\n</netlist>"
      "<LagrangianDS id='o' coordinates='s'><q0>0.1</q0><fInt>60*s - arm.z - "
      "n.i_L1</fInt></LagrangianDS>"
      "<NewtonEulerDS id='ball'><q0>0 3 0.5 1 0 0 0</q0><v0>1 0 0 1 2 3</v0><mass>1</mass><inertia "
      "diag='4e-3 4e-3 4e-3'/>"
      "<fExt>0 n.i_L1 -9.81</fExt><Sphere radius='0.1' material='m'/></NewtonEulerDS>"
      "<NewtonEulerDS id='arm'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 "
      "0.09'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
      "</systems><interactions><interaction id='h' systems='arm'><PivotJointR point='0 0 0' "
      "axis='0 1 0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='stop'><JointStopR joint='h' lower='-0.8' upper='0.8'/><NewtonImpactNSL "
      "e='0.3'/></interaction>"
      "<spring id='f' systems='arm ball' stiffness='5' restLength='1'/>"
      "<damper id='g' systems='arm ball'><along>-(0.1 + "
      "0.1*n.i_L1^2)*rate</along></damper></interactions>"
      "<contacts><Plane normal='0 0 1' at='0 0 0' material='m'/><NewtonImpactFrictionNSL en='0.4' "
      "mu='0.3'/></contacts>"
      "<simulation T='2'><EventDriven h='0.05'><%s/></EventDriven></simulation></model>";
  static const char *const alone = HEAD
      "<systems><NewtonEulerDS id='a'><q0>0 0 0 1 0 0 0</q0><v0>0 1 0 1 0 "
      "2</v0><mass>1</mass><inertia diag='0.1 0.2 0.3'/></NewtonEulerDS>"
      "<NewtonEulerDS id='b'><q0>1 0 0 1 0 0 0</q0><v0>0 -1 0.5 0 3 0</v0><mass>2</mass><inertia "
      "diag='0.3 0.2 0.1'/></NewtonEulerDS>"
      "</systems><interactions><spring id='s' systems='a b' stiffness='30' damping='0.2' "
      "restLength='0.5'/></interactions>"
      "<simulation T='1'><EventDriven h='0.05'><CVodeOSI/></EventDriven></simulation></model>";
  char model[4000];
  snprintf(model, sizeof model, form, _i ? "IDAOSI" : "CVodeOSI");
  ck_assert(goes_on_the_same(model, &(change){0}, _i ? 2 : 6, 4711));
  if (!_i) ck_assert(goes_on_the_same(alone, &(change){0}, 3, 4712));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_events_bodies");
  TCase *t = tcase_create("mixed_events_bodies");
  tcase_add_test(t, a_rotor_is_the_same_in_every_form);
  tcase_add_loop_test(t, coordinates_behind_bodies_in_space, 0, 20);
  tcase_add_loop_test(t, a_planar_body_is_a_lagrangian_system, 0, some_of(20));
  tcase_add_test(t, coil_rotor_and_arm);
  tcase_add_loop_test(t, bodies_are_as_alone, 0, (int)(sizeof lonely / sizeof *lonely));
  tcase_add_loop_test(t, random_machines_are_what_steps_converge_to, 0, some_of(20));
  tcase_add_loop_test(t, random_arms_with_stops, 0, some_of(20));
  tcase_add_test(t, motor_arm_by_events_and_by_steps);
  tcase_add_test(t, formulas_jump_with_bodies);
  tcase_add_loop_test(t, formulas_jump_with_joints, 0, some_of(10));
  tcase_add_loop_test(t, formulas_jump_with_lines, 0, some_of(10));
  tcase_add_loop_test(t, a_magnet_presses_a_brake, 0, 5);
  tcase_add_test(t, friction_jumps_under_a_body);
  tcase_add_loop_test(t, runs_go_on_the_same, 0, 2);
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  return suite_end(s);
}
