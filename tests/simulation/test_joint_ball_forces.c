/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, dampers and friction of ball joints: closed forms, hinges, what is kept. */
#include "support/rigid_bodies.h"
#include "support/rigid_runs.h"

#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping h='" h \
  "'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>"
#define EVENTS(T) \
  "<simulation T='" T "'><EventDriven h='0.05'><CVodeOSI relativeTolerance='1e-10' " \
  "absoluteTolerance='1e-11'/></EventDriven></simulation>"
/* A ball of inertia 0.4 in all directions that turns about its centre. */
#define SPHERE(Omega, ball, more) \
  "<systems><NewtonEulerDS id='a'><q0>1 2 3 0.8 0 0.6 0</q0><v0>0 0 0 " Omega \
  "</v0><mass>2</mass>" \
  "<inertia diag='0.4 0.4 0.4'/></NewtonEulerDS></systems><interactions><interaction id='k' " \
  "systems='a'><KneeJointR point='1 2 3' " ball "/><EqualityConditionNSL/></interaction>" more \
  "</interactions>%s"
#define FRICTION \
  "<interaction id='f'><JointFrictionR joint='k' coordinate='all'/><RelayNSL lb='-0.5' ub='0.5'/>" \
  "</interaction>"

static void play(run *r) { ck_assert_msg(run_keep(r) == NS_OK, "%s", r->c.msg); }
static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* J phi'' = -k phi - c phi' along one direction, whichever: phi = e^-at sin(wt) Omega0/w. */
START_TEST(turns_as_a_spring_and_damper)
{
  static const double J = 0.4, k = 10, c = 0.3, Omega[3] = {1, -2, 0.5};
  static const char *const label[] = {"a.Omega_x", "a.Omega_y", "a.Omega_z"};
  double a = c / (2 * J), w = sqrt(k / J - a * a), t = 1,
         rate = exp(-a * t) * (cos(w * t) - a / w * sin(w * t));
  for (int how = 0; how < 3; how++) {
    static const char *const run_of[] = {EVENTS("1"), STEPS("1e-3", "1"), STEPS("5e-4", "1")};
    run r = mechanics(SPHERE("1 -2 0.5", "stiffness='10' damping='0.3'", ""), run_of[how]);
    play(&r);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(last(&r, label[i]), rate * Omega[i], how ? 2e-5 / (how * how) : 1e-7);
    ck_assert_double_le(fabs(last(&r, "diagnostics.energy_defect")), 1e-5);
    run_end(&r);
  }
}
END_TEST

/* Dry friction slows each component down until it rests. */
START_TEST(rubs_until_it_rests)
{
  static const char *const label[] = {"a.Omega_x", "a.Omega_y", "a.Omega_z"};
  static const double want[] = {3 - 0.5 / 0.4, 0, -0.8 + 0.5 / 0.4 * 0.64};
  for (int how = 0; how < 2; how++) {
    run r = mechanics(SPHERE("3 1 -0.8", "", FRICTION), how ? EVENTS("1") : STEPS("1e-3", "1"));
    play(&r);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(last(&r, label[i]), want[i], how ? 1e-8 : 1e-9);
    run_end(&r);
  }
}
END_TEST

/* The torque against the motion, of one size whatever the direction is: a ball turns about one line
 * until it rests, |Omega| falls by tau t/J. Two at once, the other a thousandth of the size. */
START_TEST(rubs_as_one_vector)
{
#define VECTOR(tau) "<RelayNSL lb='-(" tau ")' ub='" tau "' norm='euclidean'/></interaction>"
  static const double Omega[] = {3, 1, -0.8}, tau = 0.5, J = 0.4;
  double speed = sqrt(9 + 1 + 0.64);
  for (int how = 0; how < 4; how++) {
    static const char *const until[] = {"1", "3", "1", "1"};
    const char *rule = how >= 2 ? VECTOR("0.25*(1 + t)") : VECTOR("0.5");
    /* the problem of a step is another one with a system of first order */
    const char *beside = how == 3 ? "<FirstOrderLinearTIDS id='lag' states='s'><x0>1</x0><A>-1</A>"
                                    "</FirstOrderLinearTIDS>"
                                  : "";
    char model[2000];
    snprintf(model, sizeof model,
             "<systems><NewtonEulerDS id='a'><q0>1 2 3 0.8 0 0.6 0</q0><v0>0 0 0 3 1 -0.8</v0>"
             "<mass>2</mass><inertia diag='0.4 0.4 0.4'/></NewtonEulerDS><NewtonEulerDS id='b'>"
             "<q0>-1 0 0 0 0 0.6 0.8</q0><v0>0 0 0 3 1 -0.8</v0><mass>2</mass><inertia "
             "diag='4e-4 4e-4 4e-4'/></NewtonEulerDS>%s</systems><interactions><interaction id='k' "
             "systems='a'><KneeJointR point='1 2 3'/><EqualityConditionNSL/></interaction>"
             "<interaction id='l' systems='b'><KneeJointR point='-1 0 0'/><EqualityConditionNSL/>"
             "</interaction><interaction id='f'><JointFrictionR joint='k' coordinate='all'/>%s"
             "<interaction id='g'><JointFrictionR joint='l' coordinate='all'/><RelayNSL lb='-5e-4' "
             "ub='5e-4' norm='euclidean'/></interaction></interactions>%%s",
             beside, rule);
    char simulation[200];
    snprintf(simulation, sizeof simulation,
             "<simulation T='%s'><TimeStepping h='1e-3'><MoreauJeanOSI theta='0.5'/>%s"
             "</TimeStepping></simulation>",
             until[how], how == 3 ? "<EulerMoreauOSI/>" : "");
    run r = mechanics(model, simulation);
    play(&r);
    double T = atof(until[how]), carried = how >= 2 ? 0.25 * (T + T * T / 2) : tau * T,
           left = fmax(0, 1 - carried / (J * speed)), other = fmax(0, 1 - tau * T / (J * speed));
    static const char *const a[] = {"a.Omega_x", "a.Omega_y", "a.Omega_z"}, *const b[] = {
                                                                                "b.Omega_x",
                                                                                "b.Omega_y",
                                                                                "b.Omega_z"};
    for (int i = 0; i < 3; i++) {
      ck_assert_double_eq_tol(last(&r, a[i]), left * Omega[i], 1e-9);
      ck_assert_double_eq_tol(last(&r, b[i]), other * Omega[i], 1e-9);
    }
    ck_assert_double_le(fabs(last(&r, "diagnostics.energy_defect")), 1e-10);
    run_end(&r);
  }
}
END_TEST

/* What has no direction does not know the axes of its bodies: two balls on rods that fall from
 * rest, with friction in both joints, and the same with the axes of the bodies turned. Rows with
 * bounds of their own are not the same then. */
START_TEST(friction_of_one_vector_knows_no_axes)
{
  static const char *const turn[] = {"1 0 0 0", "0.8 0.6 0 0"}, *const norm[] = {"euclidean",
                                                                                 "max"};
  double z[2][2];
  for (int rows = 0; rows < 2; rows++)
    for (int k = 0; k < 2; k++) {
      char model[1500];
      snprintf(
          model, sizeof model,
          "<systems><NewtonEulerDS id='a'><q0>0.5 0 0 %s</q0><mass>2</mass><inertia diag='0.2 "
          "0.2 0.2'/><fExt>0 0 -19.62</fExt></NewtonEulerDS><NewtonEulerDS id='b'><q0>1.5 0 0 "
          "%s</q0><mass>1</mass><inertia diag='0.1 0.1 0.1'/><fExt>0 0 -9.81</fExt>"
          "</NewtonEulerDS></systems><interactions><interaction id='u' systems='a'>"
          "<KneeJointR point='0 0 0'/><EqualityConditionNSL/></interaction><interaction id='w' "
          "systems='b a'><KneeJointR point='1 0 0'/><EqualityConditionNSL/></interaction>"
          "<interaction id='fu'><JointFrictionR joint='u' coordinate='all'/><RelayNSL lb='-3' "
          "ub='3' norm='%s'/></interaction><interaction id='fw'><JointFrictionR joint='w' "
          "coordinate='all'/><RelayNSL lb='-1' ub='1' norm='%s'/></interaction>"
          "</interactions>%%s",
          turn[k], turn[1 - k], norm[rows], norm[rows]);
      run r = mechanics(model, STEPS("1e-3", "0.5"));
      play(&r);
      z[rows][k] = last(&r, "b.z");
      run_end(&r);
    }
  ck_assert_double_eq_tol(z[0][0], z[0][1], 1e-9);
  ck_assert_double_ge(fabs(z[1][0] - z[1][1]), 1e-3);
}
END_TEST

/* About one axis a ball joint is a hinge: two bars in a plane, with springs and dampers. */
START_TEST(moves_as_a_hinge_in_a_plane)
{
#define BARS(first, second) \
  "<systems><NewtonEulerDS id='a'><q0>0.5 0 0 1 0 0 0</q0><mass>2</mass><inertia diag='0.1 0.2 " \
  "0.2'/><fExt>0 0 -19.62</fExt></NewtonEulerDS><NewtonEulerDS id='b'><q0>1.5 0 0 1 0 0 0</q0>" \
  "<mass>1</mass><inertia diag='0.1 0.2 0.2'/><fExt>0 0 -9.81</fExt></NewtonEulerDS></systems>" \
  "<interactions><interaction id='u' systems='a'>" first "<EqualityConditionNSL/></interaction>" \
  "<interaction id='w' systems='a b'>" second "<EqualityConditionNSL/></interaction>" \
  "</interactions>%s"
  static const char *const label[] = {"a.z", "b.x", "b.z", "b.Omega_y"};
  for (int how = 0; how < 2; how++) {
    const char *s = how ? EVENTS("1") : STEPS("1e-3", "1");
    run ball = mechanics(BARS("<KneeJointR point='0 0 0' stiffness='30' damping='1'/>",
                              "<KneeJointR point='1 0 0' stiffness='15' damping='0.7'/>"),
                         s),
        hinge = mechanics(
            BARS("<PivotJointR point='0 0 0' axis='0 1 0' stiffness='30' damping='1'/>",
                 "<PivotJointR point='1 0 0' axis='0 1 0' stiffness='15' damping='0.7'/>"),
            s);
    play(&ball), play(&hinge);
    for (int i = 0; i < 4; i++)
      ck_assert_double_eq_tol(last(&ball, label[i]), last(&hinge, label[i]), 1e-7);
    run_end(&ball), run_end(&hinge);
  }
}
END_TEST

/* Two free bodies: the joint keeps momentum and angular momentum, and a spring the energy. */
START_TEST(keeps_what_two_bodies_have)
{
  run r = mechanics(
      "<systems><NewtonEulerDS id='a'><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0.3 1 -0.4</v0>"
      "<mass>2</mass><inertia diag='0.3 0.2 0.4'/></NewtonEulerDS><NewtonEulerDS id='b'><q0>1 0.2 "
      "0 "
      "1 0 0 0</q0><v0>-0.14 0.15 -0.8 -0.5 0.4 0.7</v0><mass>1</mass><inertia diag='0.1 0.25 "
      "0.2'/></NewtonEulerDS></systems><interactions><interaction id='k' systems='a b'><KneeJointR "
      "point='0.5 0 0' stiffness='20'/><EqualityConditionNSL/></interaction>"
      "</interactions>%s",
      EVENTS("2"));
  play(&r);
  double L[2][3], E[2];
  for (int k = 0; k < 2; k++) {
    size_t row = k ? r.got.nrows - 1 : 0;
    memset(L[k], 0, sizeof L[k]);
    for (int i = 0; i < 2; i++) {
      static const double m[] = {2, 1}, J[][3] = {{0.3, 0.2, 0.4}, {0.1, 0.25, 0.2}};
      double q[7], v[6], R[9], own[3], turned[3], arm[3];
      body_at(&r, row, i ? "b" : "a", q, v);
      ns_quaternion_matrix(q + 3, R);
      for (int j = 0; j < 3; j++) own[j] = J[i][j] * v[3 + j];
      ns_mul3(R, own, turned);
      ns_cross3(q, v, arm);
      for (int j = 0; j < 3; j++) L[k][j] += turned[j] + m[i] * arm[j];
    }
    E[k] = run_at(&r, row, "diagnostics.kinetic") - run_at(&r, row, "diagnostics.work_force");
  }
  for (int j = 0; j < 3; j++) ck_assert_double_eq_tol(L[0][j], L[1][j], 1e-7);
  ck_assert_double_eq_tol(E[0], E[1], 1e-6);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, turns_as_a_spring_and_damper);
  tcase_add_test(t, rubs_until_it_rests);
  tcase_add_test(t, rubs_as_one_vector);
  tcase_add_test(t, friction_of_one_vector_knows_no_axes);
  tcase_add_test(t, moves_as_a_hinge_in_a_plane);
  tcase_add_test(t, keeps_what_two_bodies_have);
}

int main(void) { return suite_run("ball joints", fill); }
