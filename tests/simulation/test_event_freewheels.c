/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relays with one infinite bound, event-driven: freewheels between rotors against the same rotors
 * as first-order systems, whose states are their speeds; and where impacts load them. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define END \
  "</interactions><simulation T='3'><EventDriven h='0.05'><CVodeOSI relativeTolerance='1e-11' " \
  "absoluteTolerance='1e-13'/></EventDriven></simulation></model>"

enum { ROTORS = 3 };

typedef struct train {
  double J[ROTORS], drag[ROTORS], speed[ROTORS], torque[ROTORS], w[ROTORS];
  int forward[ROTORS - 1];  /* the way in which a freewheel turns freely */
  double slips[ROTORS - 1]; /* the torque of a clutch beside it: its finite bound */
} train;

static train some_train(generator *g)
{
  train k;
  for (int i = 0; i < ROTORS; i++) {
    k.J[i] = spread(g, 0.2, 3);
    k.drag[i] = between(g, 0.05, 0.3);
    k.speed[i] = pick(g, 2) ? between(g, -2, 2) : 0;
    k.torque[i] = between(g, -6, 6);
    k.w[i] = between(g, 1, 6);
  }
  for (int i = 0; i + 1 < ROTORS; i++) {
    k.forward[i] = pick(g, 2);
    k.slips[i] = pick(g, 2) ? between(g, 0.1, 1) : 0;
  }
  return k;
}

static void put_bounds(generator *g, const train *k, int i)
{
  if (k->forward[i]) put(g, "<RelayNSL lb='%.17g' ub='inf'/></interaction>", -k->slips[i]);
  else put(g, "<RelayNSL lb='-inf' ub='%.17g'/></interaction>", k->slips[i]);
}

static void put_rotors(generator *g, const train *k)
{
  put(g, HEAD);
  for (int i = 0; i < ROTORS; i++)
    put(g,
        "<LagrangianLinearTIDS id='r%d' coordinates='a'><q0>0</q0><v0>%.17g</v0><mass>%.17g</mass>"
        "<C>%.17g</C><fExt>%.17g*sin(%.17g*t)</fExt></LagrangianLinearTIDS>",
        i, k->speed[i], k->J[i], k->drag[i], k->torque[i], k->w[i]);
  put(g, "</systems><interactions>");
  for (int i = 0; i + 1 < ROTORS; i++) {
    put(g,
        "<interaction id='f%d' systems='r%d r%d'><LagrangianLinearTIR><H>1 -1</H>"
        "</LagrangianLinearTIR>",
        i, i, i + 1);
    put_bounds(g, k, i);
  }
  put(g, END);
}

static void put_speeds(generator *g, const train *k)
{
  put(g, HEAD "<FirstOrderLinearDS id='s'><x0>");
  for (int i = 0; i < ROTORS; i++) put(g, "%.17g ", k->speed[i]);
  put(g, "</x0><A>");
  for (int i = 0; i < ROTORS; i++)
    for (int j = 0; j < ROTORS; j++)
      put(g, "%.17g%s", i == j ? -k->drag[i] / k->J[i] : 0, j + 1 < ROTORS ? " " : ";");
  g->length--;
  put(g, "</A><b>");
  for (int i = 0; i < ROTORS; i++)
    put(g, "%s%.17g*sin(%.17g*t)", i ? "," : "", k->torque[i] / k->J[i], k->w[i]);
  put(g, "</b></FirstOrderLinearDS></systems><interactions>");
  for (int i = 0; i + 1 < ROTORS; i++) {
    put(g, "<interaction id='f%d' systems='s'><FirstOrderLinearTIR><C>", i);
    for (int j = 0; j < ROTORS; j++) put(g, "%d ", (j == i) - (j == i + 1));
    put(g, "</C><B>");
    for (int j = 0; j < ROTORS; j++)
      put(g, "%s%.17g", j ? ";" : "", ((j == i) - (j == i + 1)) / k->J[j]);
    put(g, "</B></FirstOrderLinearTIR>");
    put_bounds(g, k, i);
  }
  put(g, END);
}

START_TEST(rotors_turn_as_their_speeds)
{
  generator g = {.state = 4200 + (unsigned long long)_i}, h = {.state = 0};
  train k = some_train(&g);
  put_rotors(&g, &k);
  put_speeds(&h, &k);
  run rotors = whole(g.text), speeds = whole(h.text);
  for (int i = 0; i < ROTORS; i++) ck_assert_double_eq_tol(rotors.x->v[i], speeds.x->q[i], 1e-8);
  for (int i = 0; i + 1 < ROTORS; i++) {
    double slip = rotors.x->v[i] - rotors.x->v[i + 1];
    ck_assert_double_ge(k.forward[i] ? slip : -slip, -1e-9);
    ck_assert_double_eq_tol(rotors.x->lambda[i], speeds.x->lambda[i], 1e-6);
  }
  ck_assert_double_le(fabs(rotors.x->cert->defect), 1e-8);
  run_end(&rotors);
  run_end(&speeds);
}
END_TEST

/* A mass strikes a stop; one behind it that may not overtake it stops with it where e = 0, and else
 * both rebound as far as the freewheel loads them: v0' = -e v0, v1' = max(v1, v0'). */
START_TEST(impacts_load_them)
{
  generator g = {.state = 77 + (unsigned long long)_i};
  double d = spread(&g, 1e-3, 10), v = spread(&g, 0.1, 10), e = between(&g, 0, 0.9),
         m = spread(&g, 0.1, 10), both[2];
  int apart = pick(&g, 2);
  /* y = x0 - x1, y' >= 0: the second goes no faster; a wall in front of the first or the second */
  put(&g,
      HEAD "<LagrangianLinearTIDS id='a' coordinates='x z'><q0>0 0</q0><v0>%.17g %.17g</v0>"
           "<mass diag='1 %.17g'/></LagrangianLinearTIDS></systems><interactions>"
           "<interaction id='f' systems='a'><LagrangianLinearTIR><H>1 -1</H></LagrangianLinearTIR>"
           "<RelayNSL lb='0' ub='inf'/></interaction>",
      v, apart ? v / 2 : v, m);
  put(&g,
      "<interaction id='w' systems='a'><LagrangianLinearTIR><H>-1 0</H><e>%.17g</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction></interactions>"
      "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation></model>",
      d, e, 1.2 * d / v, 0.1 * d / v);
  run r = whole(g.text);
  both[0] = both[1] = -e * v; /* the second would be the faster one: it goes with the first */
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(r.x->v[i], both[i], 1e-9 * v);
  const ns_event *impact = first_of(&r, NS_EVENT_IMPACT);
  double before = v + m * (apart ? v / 2 : v), after = (1 + m) * -e * v;
  ck_assert_double_eq_tol(impact->t, d / v, 1e-9 * d / v);
  ck_assert_double_eq_tol(impact->impulse, before - after, 1e-9 * (before - after));
  double lost = 0.5 * (v * v + m * pow(apart ? v / 2 : v, 2) - (1 + m) * e * e * v * v);
  ck_assert_double_eq_tol(-r.x->cert->work_contact - r.x->cert->work_friction, lost,
                          1e-8 * (1 + m) * v * v);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, rotors_turn_as_their_speeds, 0, 24);
  tcase_add_loop_test(t, impacts_load_them, 0, 12);
}

int main(void) { return suite_run("event-driven freewheels", fill); }
