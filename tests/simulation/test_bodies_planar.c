/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies in the plane in contact: closed forms of disks and boxes, and the same motions of bodies
 * in space. */
#include "support/rigid_runs.h"

#include "model/relations/rigid_relation.h"

#define DISK(q0, v0, force) \
  "<RigidBody2dDS " \
  "id='disk'><q0>" q0 "</q0><v0>" v0 "</v0><mass>1</mass><fExt>" force "</fExt><Disk " \
  "radius='0.1'/></RigidBody2dDS>"
#define ON(law, ground) "<contacts>" law ground "</contacts>"
/* Overlaps stay: what takes them out of positions sweeps over other contacts in space than in the
 * plane, and comes to within 2e-6 m of the same. */
#define MEETING(law, ground) "<contacts recover='0'>" law ground "</contacts>"
#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping h='" h "'><MoreauJeanOSI " \
  "theta='0.5'/></TimeStepping></simulation>"

/* ---- disks ----------------------------------------------------------------------------------- */

/* One impact without gravity. Grip needs slip / 3 of friction, I = m R^2 / 2; of the normal
 * impulse 1.8 * 3 a fifth is to be had. */
START_TEST(disk_bounces_with_spin)
{
  static const struct {
    double vx, after[3];
  } row[] = {{2, {4. / 3, 2.4, -40. / 3}},
             {-2, {-4. / 3, 2.4, 40. / 3}},
             {5, {5 - 1.08, 2.4, -21.6}},
             {-5, {1.08 - 5, 2.4, 21.6}}};
  run r = mechanics("<systems>" DISK("0 0.101 0.7", "%g -3 0", "0 0") "</systems>" ON(
                        "<NewtonImpactFrictionNSL en='0.8' mu='0.2'/>", "<HalfPlane/>")
                        STEPS("1e-3", "0.01"),
                    row[_i].vx);
  run_all(&r);
  near(r.x->v, row[_i].after, 3, 1e-13);
  run_end(&r);
}
END_TEST

/* Down a slope: rolling at 2/3 g sin a as long as tan a < 3 mu, sliding beyond. The slope is a half
 * plane, or a line of many points. */
START_TEST(disk_rolls_or_slides_down)
{
  static const double slope[] = {0.5, 0.7, 0.75, 1}; /* tan a; 3 mu = 0.72 */
  static const char *const ground[] = {
      "<HalfPlane normal='%.17g 1'/>", "<HalfPlane angle='-atan(%.17g)'/>",
      "<Polyline points='-3 3*k; 1 -k; 1.01 -1.01*k; 1.5 -1.5*k; 2 -2*k; 9 -9*k'/>"};
  const double mu = 0.24, a = atan(slope[_i % 4]), T = 0.5;
  double grip = 2. / 3 * G * sin(a), slide = G * (sin(a) - mu * cos(a)),
         rate = slope[_i % 4] < 3 * mu ? grip : slide;
  char floor_[128], text[1024];
  snprintf(floor_, sizeof floor_, ground[_i / 4], slope[_i % 4]);
  snprintf(
      text, sizeof text,
      "<parameters><parameter name='k' value='%.17g'/></parameters><systems>%s</systems>%s%s%s%s",
      slope[_i % 4], DISK("0.1*sin(atan(k)) 0.1*cos(atan(k)) 0", "0 0 0", "0 -9.81"),
      "<contacts><NewtonImpactFrictionNSL en='0' mu='0.24'/>", floor_, "</contacts>",
      STEPS("1e-3", "0.5"));
  run r = mechanics("%s", text);
  run_all(&r);
  near(r.x->v,
       (double[]){rate * T * cos(a), -rate * T * sin(a),
                  slope[_i % 4] < 3 * mu ? -10 * rate * T : -20 * mu * G * cos(a) * T},
       3, 2e-10);
  ck_assert_double_eq_tol(sin(a) * r.x->q[0] + cos(a) * r.x->q[1], 0.1, 1e-12);
  run_end(&r);
}
END_TEST

/* Rolling friction takes muRolling N of the moment: it slows down by muRolling g / (1.5 R). */
START_TEST(disk_comes_to_rest)
{
  run r = mechanics("<systems>" DISK("0 0.1 0", "1 0 -10", "0 -9.81") "</systems>" ON(
      "<NewtonImpactRollingFrictionNSL en='0' mu='0.3' muRolling='0.002'/>", "<HalfPlane/>")
                        STEPS("1e-3", "0.5"));
  run_all(&r);
  double v = 1 - 0.002 * G / 0.15 * 0.5;
  near(r.x->v, (double[]){v, 0, -10 * v}, 3, 1e-10);
  run_end(&r);
}
END_TEST

/* A contact point that keeps its place beside the centre has rows that are the same wherever the
 * disk is, which its formula tells; one whose formula does not tell moves the disk alike: bounces,
 * slip, grip, from several origins. */
START_TEST(points_beside_the_centre)
{
  static const char *const radius[] = {"0.1", "0.1*sqrt(sin(q[2])^2+cos(q[2])^2)"};
  static const double origin[] = {0, -7, 1000};
  for (int k = 0; k < 3; k++)
    for (double spin = -40; spin <= 40; spin += 16) {
      double q[2][3], v[2][3];
      for (int way = 0; way < 2; way++) {
        run r = mechanics(
            "<systems><RigidBody2dDS id='d'><q0>%g 0.3 0</q0><v0>1 0 "
            "%g</v0><mass>1</mass><inertia>0.005</inertia>"
            "<fExt>0 -9.81</fExt></RigidBody2dDS></systems><interactions><interaction id='g' "
            "systems='d'><NewtonEuler3DR>"
            "<P1>x y-%s 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler3DR><NewtonImpactFrictionNSL "
            "en='0.6' mu='0.2'/>"
            "</interaction></interactions>" STEPS("1e-3", "1.5"),
            origin[k], spin, radius[way]);
        ck_assert_int_eq(ns_rigid_relation_is_linear(&r.m->interactions[0]), way == 0);
        run_all(&r);
        memcpy(q[way], r.x->q, sizeof q[way]);
        memcpy(v[way], r.x->v, sizeof v[way]);
        run_end(&r);
      }
      near(q[1], q[0], 3, 1e-12 * (1 + fabs(origin[k])));
      near(v[1], v[0], 3, 1e-11);
    }
}
END_TEST

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Ten squares for a minute: none moves. */
START_TEST(boxes_stand)
{
  run r = mechanics("<systems><repeat index='i' from='0' to='9'><RigidBody2dDS id='box{i}'><q0>0 "
                    "0.5+i 0</q0><fExt>0 -9.81</fExt>"
                    "<Rectangle size='1 1' density='1'/></RigidBody2dDS></repeat></systems>" ON(
                        "<NewtonImpactFrictionNSL en='0' mu='0.5'/>", "<HalfPlane/>")
                        STEPS("1e-2", "60"));
  run_all(&r);
  for (int i = 0; i < 10; i++) near(r.x->q + 3 * i, (double[]){0, 0.5 + i, 0}, 3, 1e-9);
  run_end(&r);
}
END_TEST

/* A box slides along a line of many points as along one of two, and feels none of them. */
START_TEST(lines_have_no_bumps)
{
  static const char *const points[] = {"-9 0; 9 0",
                                       "-9 0; 0.3 0; 0.31 0; 0.7 0; 1.1 0; 1.5 0; 1.9 0; 2 0; 9 0"};
  double q[2][3];
  for (int k = 0; k < 2; k++) {
    run r = mechanics("<systems><RigidBody2dDS id='box'><q0>0 0.25 0</q0><v0>3 0 0</v0><fExt>0 "
                      "-9.81</fExt><Rectangle size='1 0.5' density='2'/>"
                      "</RigidBody2dDS></systems><contacts><NewtonImpactFrictionNSL en='0.5' "
                      "mu='0.2'/><Polyline points='%s'/></contacts>" STEPS("5e-3", "1"),
                      points[k]);
    run_all(&r);
    memcpy(q[k], r.x->q, sizeof q[k]);
    ck_assert_double_eq_tol(r.x->v[0], 3 - 0.2 * G, 1e-9);
    run_end(&r);
  }
  near(q[0], q[1], 3, 1e-10);
}
END_TEST

/* ---- as in space ----------------------------------------------------------------------------- */

/* The plane is that of x and z: y of the plane is z there, its angle is one about -y. */
static void same_as_in_space(const char *plane, const char *space, double tolerance)
{
  run p = mechanics("%s", plane), s = mechanics("%s", space);
  run_all(&p);
  run_all(&s);
  for (int i = 0; i < p.m->nsystems; i++) {
    const double *x = s.x->q + 7 * i, *v = s.x->v + 6 * i;
    double angle = -2 * atan2(x[5], x[3]), turns = round((p.x->q[3 * i + 2] - angle) / (2 * M_PI));
    near(p.x->q + 3 * i, (double[]){x[0], x[2], angle + 2 * M_PI * turns}, 3, tolerance);
    near(p.x->v + 3 * i, (double[]){v[0], v[2], -v[4]}, 3, tolerance);
    near(v + 3, (double[]){0, v[4], 0}, 3, tolerance);
  }
  run_end(&p);
  run_end(&s);
}

/* A ball and a disk of its moment of inertia; both bounce and come to roll. */
START_TEST(disk_moves_as_a_ball)
{
  same_as_in_space(
      "<systems><RigidBody2dDS id='disk'><q0>0 0.5 0</q0><v0>1 0 "
      "30</v0><mass>2</mass><inertia>0.008</inertia><fExt>0 -2*9.81</fExt>"
      "<Disk radius='0.1'/></RigidBody2dDS></systems>" ON(
          "<NewtonImpactFrictionNSL en='0.6' mu='0.1'/>", "<HalfPlane/>") STEPS("1e-3", "2"),
      "<systems><NewtonEulerDS id='ball'><q0>0 0 0.5 1 0 0 0</q0><v0>1 0 0 0 -30 "
      "0</v0><mass>2</mass><inertia diag='0.008 0.008 0.008'/>"
      "<fExt>0 0 -2*9.81</fExt><Sphere radius='0.1'/></NewtonEulerDS></systems>" ON(
          "<NewtonImpactFrictionNSL en='0.6' mu='0.1'/>", "<Plane/>") STEPS("1e-3", "2"),
      1e-9);
}
END_TEST

/* Two disks that meet off their centres, one of them on a box that tips. */
START_TEST(shapes_move_as_solids)
{
  same_as_in_space(
      "<systems><RigidBody2dDS id='a'><q0>0 0.5 0</q0><v0>4 2 0</v0><fExt>0 -9.81</fExt><Disk "
      "radius='0.1' density='1/(pi*0.01)'/></RigidBody2dDS>"
      "<RigidBody2dDS id='b'><q0>1 0.15 0.3</q0><fExt>0 -9.81</fExt><Rectangle size='0.3 0.2' "
      "density='1/0.06'/></RigidBody2dDS></systems>" MEETING(
          "<NewtonImpactFrictionNSL en='0.3' mu='0.4'/>", "<HalfPlane at='0 -0.05'/>")
          STEPS("1e-3", "0.4"),
      "<systems><NewtonEulerDS id='a'><q0>0 0 0.5 1 0 0 0</q0><v0>4 0 2 0 0 "
      "0</v0><mass>1</mass><inertia diag='0.005 0.005 0.005'/><fExt>0 0 -9.81</fExt>"
      "<Sphere radius='0.1'/></NewtonEulerDS>"
      "<NewtonEulerDS id='b'><q0 axis='0 1 0' angle='-0.3'>1 0 0.15</q0><fExt>0 0 -9.81</fExt><Box "
      "size='0.3 0.5 0.2' density='1/0.03'/></NewtonEulerDS></systems>" MEETING(
          "<NewtonImpactFrictionNSL en='0.3' mu='0.4'/>", "<Plane at='0 0 -0.05'/>")
          STEPS("1e-3", "0.4"),
      1e-8);
}
END_TEST

/* ---- mass ------------------------------------------------------------------------------------ */

/* A disk with a hole: the body is at its centre of mass, its shapes where they were. */
START_TEST(mass_by_area)
{
  run r = mechanics(
      "<systems><RigidBody2dDS id='b'><q0>1 2 pi/2</q0><Disk radius='0.2' density='1/pi'/><Disk "
      "at='0.1 0' radius='0.1' density='-1/pi'/>"
      "<Rectangle at='-0.1 0.05' angle='0.3' size='0.1 0.1'/></RigidBody2dDS></systems>" STEPS(
          "1", "1"));
  const ns_system *s = &r.m->systems[0];
  double mass = 0.04 - 0.01, x = -0.01 * 0.1 / mass,
         J = 0.04 * 0.02 - 0.01 * (0.005 + 0.01) - mass * x * x;
  ck_assert_double_eq_tol(s->rigid.mass, mass, 1e-16);
  ck_assert_double_eq_tol(s->rigid.inertia[0], J, 1e-17);
  near(s->q0, (double[]){1, 2 + x, M_PI / 2}, 3, 1e-15);
  near(r.m->contact.shape[0].at, (double[]){-x, 0, 0}, 3, 1e-16);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, disk_bounces_with_spin, 0, 4);
  tcase_add_loop_test(t, disk_rolls_or_slides_down, 0, 12);
  tcase_add_test(t, disk_comes_to_rest);
  tcase_add_test(t, points_beside_the_centre);
  tcase_add_test(t, boxes_stand);
  tcase_add_test(t, lines_have_no_bumps);
  tcase_add_test(t, disk_moves_as_a_ball);
  tcase_add_test(t, shapes_move_as_solids);
  tcase_add_test(t, mass_by_area);
}

int main(void) { return suite_run("bodies in the plane", fill); }
