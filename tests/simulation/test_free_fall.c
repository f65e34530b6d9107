/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies that touch and fall freely: no force between them, whatever rounding makes of their
 * relative velocities. Random stacks along random directions, of boxes, spheres and cylinders in
 * space, of disks, rectangles and polygons in the plane, near the origin and far from it, small and
 * large, with any masses. They fall as one alone does, and no impulse acts.
 *
 * NSSIM_LONG in the environment: more of them. */
#include "support/cloud.h"
#include "support/mechanics.h"

#include <string.h>

enum { STEPS = 120, TEXT = 8000 };

typedef struct stack {
  char text[TEXT];
  size_t used;
  int n, planar;
  /* where the next body begins, direction and orientation of the stack, its height so far */
  double at[3], up[3], p[4], along;
  double angle, scale, force[3], h;
} stack;

static void say(stack *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(stack *s, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  s->used += (size_t)vsnprintf(s->text + s->used, TEXT - s->used, format, ap);
  va_end(ap);
  ck_assert_uint_lt(s->used, TEXT);
}

/* Orientation, place and size of a stack: offsets of up to 1000 m, bodies of 1 cm to 10 m. */
static void place(stack *s, int planar)
{
  static const double far[] = {0, 1, 1000};
  double offset = far[(int)uniform(0, 3)], turn[4], norm = 0;
  *s = (stack){.planar = planar, .scale = pow(10, uniform(-2, 1)), .h = pow(10, uniform(-3.5, -2))};
  for (int i = 0; i < 4; i++) turn[i] = uniform(-1, 1), norm += turn[i] * turn[i];
  for (int i = 0; i < 4; i++) s->p[i] = turn[i] / sqrt(norm);
  const double *p = s->p;
  s->angle = uniform(-4, 4);
  s->up[0] = planar ? -sin(s->angle) : 2 * (p[1] * p[3] + p[0] * p[2]);
  s->up[1] = planar ? cos(s->angle) : 2 * (p[2] * p[3] - p[0] * p[1]);
  s->up[2] = planar ? 0 : 1 - 2 * (p[1] * p[1] + p[2] * p[2]);
  for (int i = 0; i < 3; i++) {
    s->at[i] = offset * uniform(-1, 1);
    s->force[i] = uniform(-10, 10);
  }
}

/* Place and mass of a body whose middle is `half` above where the last one ended. */
static void begin_body(stack *s, double half)
{
  double x[3], m = pow(10, uniform(-2, 2)) * pow(s->scale, 3);
  s->along += half;
  for (int i = 0; i < 3; i++) x[i] = s->at[i] + s->along * s->up[i];
  s->along += half;
  if (s->planar) {
    say(s,
        "<RigidBody2dDS id='b%d'><q0>%.17g %.17g "
        "%.17g</q0><mass>%.17g</mass><inertia>%.17g</inertia>",
        s->n++, x[0], x[1], s->angle, m, m * half * half * uniform(0.2, 0.5));
    say(s, "<fExt>%.17g*%.17g %.17g*%.17g</fExt>", m, s->force[0], m, s->force[1]);
    return;
  }
  say(s,
      "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g %.17g %.17g %.17g "
      "%.17g</q0><mass>%.17g</mass>",
      s->n++, x[0], x[1], x[2], s->p[0], s->p[1], s->p[2], s->p[3], m);
  say(s, "<inertia diag='%.17g %.17g %.17g'/>", m * half * half * 0.4, m * half * half * 0.5,
      m * half * half * uniform(0.3, 0.8));
  say(s, "<fExt>%.17g*%.17g %.17g*%.17g %.17g*%.17g</fExt>", m, s->force[0], m, s->force[1], m,
      s->force[2]);
}

static void add_in_space(stack *s)
{
  double half = s->scale * uniform(0.2, 1);
  begin_body(s, half);
  switch ((int)uniform(0, 3)) {
  case 0:
    say(s, "<Box size='%.17g %.17g %.17g'/>", s->scale * uniform(0.5, 2),
        s->scale * uniform(0.5, 2), 2 * half);
    break;
  case 1: say(s, "<Sphere radius='%.17g'/>", half); break;
  default:
    say(s, "<Cylinder radius='%.17g' length='%.17g'/>", s->scale * uniform(0.3, 1), 2 * half);
    break;
  }
  say(s, "</NewtonEulerDS>");
}

static void add_in_plane(stack *s)
{
  double half = s->scale * uniform(0.2, 1), a = s->scale * uniform(0.3, 1);
  begin_body(s, half);
  switch ((int)uniform(0, 3)) {
  case 0: say(s, "<Rectangle size='%.17g %.17g'/>", 2 * a, 2 * half); break;
  case 1: say(s, "<Disk radius='%.17g'/>", half); break;
  default:
    say(s, "<Polygon points='%.17g %.17g; %.17g %.17g; %.17g %.17g; %.17g %.17g; %.17g 0'/>", -a,
        -half, a, -half, a, half, -a, half, -1.5 * a);
  }
  say(s, "</RigidBody2dDS>");
}

/* Positions and velocities of free fall to rounding; no impulse at any step. */
static void falls(const stack *s)
{
  char text[TEXT + 512];
  snprintf(
      text, sizeof text,
      "%s</systems><contacts overlap='1e-6'><NewtonImpactFrictionNSL en='%g' mu='%g'/></contacts>"
      "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      s->text, uniform(0, 1), uniform(0, 1), STEPS * s->h, s->h);
  run r = mechanics("%s", text);
  double q0[7 * 8];
  memcpy(q0, r.x->q, r.m->nq * sizeof *q0);
  run_all(&r);
  double t = *r.x->t, size = 1e3 + 10 * t * (1 + t);
  int nq = s->planar ? 3 : 7, nv = s->planar ? 3 : 6;
  for (int b = 0; b < s->n; b++)
    for (int i = 0; i < (s->planar ? 2 : 3); i++) {
      ck_assert_double_eq_tol(r.x->v[nv * b + i], s->force[i] * t, 1e-13 * (1 + 10 * t));
      ck_assert_double_eq_tol(r.x->q[nq * b + i], q0[nq * b + i] + s->force[i] * t * t / 2,
                              1e-12 * size);
    }
  for (size_t i = 0; i < r.m->nv; i++)
    ck_assert_msg(r.x->p[i] == 0, "an impulse of %g\n%s", r.x->p[i], text);
  ck_assert_int_eq((int)r.x->cert->impacts, 0);
  ck_assert_msg(r.x->cert->active_max > 0, "nothing touches\n%s", text);
  ck_assert(r.x->cert->work_contact == 0);
  run_end(&r);
}

START_TEST(stacks_fall_freely)
{
  stack s;
  cloud_seed = (uint64_t)_i + 1;
  place(&s, _i % 2);
  say(&s, "<systems>");
  for (int k = (int)uniform(2, 6); k > 0; k--) {
    if (s.planar) add_in_plane(&s);
    else add_in_space(&s);
  }
  falls(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, stacks_fall_freely, 0, getenv("NSSIM_LONG") ? 2000 : 100);
}

int main(void) { return suite_run("free fall", fill); }
