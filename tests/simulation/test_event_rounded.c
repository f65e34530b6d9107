/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs of models whose numbers have nine digits: at t0 what should rest on a slope has
 * a gap and a velocity of rounding, which are not the sizes of its motion. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

enum { LINEAR, FORMULAS, KINDS };

typedef struct slope {
  double size, angle, mu, start, speed, gap, T;
} slope;

static slope some_slope(generator *g)
{
  slope s = {.size = spread(g, 1e-2, 1e3), .angle = between(g, 0.3, 1.2)};
  s.mu = between(g, 0, 0.9) * tan(s.angle);
  s.T = sqrt(s.size / 9.81);
  s.start = between(g, 0.5, 1) * s.size;
  s.speed = -between(g, 0.3, 1) * s.size / s.T; /* downwards */
  s.gap = pick(g, 4) ? between(g, 0, 3e-10) * s.size : 0;
  return s;
}

static void put_slope(generator *g, const slope *s, int kind)
{
  double c = cos(s->angle), d = sin(s->angle);
  put(g,
      "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianDS id='s' coordinates='x y'>"
      "<q0>%.17g %.17g</q0><v0>%.9g %.9g</v0><mass>1, 0; 0, 1</mass><fExt>0, -9.81</fExt>"
      "</LagrangianDS></systems><interactions><interaction id='c' systems='s'>",
      s->start * c - s->gap * d, s->start * d + s->gap * c, s->speed * c, s->speed * d);
  if (kind == LINEAR)
    put(g, "<LagrangianLinearTIR><H>%.17g %.17g; %.9g %.9g</H></LagrangianLinearTIR>", -d, c, c, d);
  else
    put(g,
        "<LagrangianScleronomousR><h>%.17g*y-%.17g*x, %.9g*x+%.9g*y</h></LagrangianScleronomousR>",
        c, d, c, d);
  put(g,
      "<NewtonImpactFrictionNSL en='0.3' mu='%.17g'/></interaction></interactions>"
      "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation></model>",
      s->mu, s->T, s->T / 20);
}

START_TEST(it_slides_as_on_the_slope)
{
  generator g = {.state = 300 + (unsigned long long)_i};
  slope s = some_slope(&g);
  put_slope(&g, &s, _i % KINDS);
  run r = whole(g.text);
  double a = 9.81 * (s.mu * cos(s.angle) - sin(s.angle)),
         end = s.start + s.speed * s.T + a * s.T * s.T / 2;
  ck_assert_double_eq_tol(r.x->q[0], end * cos(s.angle), 1e-8 * s.size);
  ck_assert_double_eq_tol(r.x->q[1], end * sin(s.angle), 1e-8 * s.size);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, it_slides_as_on_the_slope, 0, 40);
}

int main(void) { return suite_run("event-driven, numbers of nine digits", fill); }
