/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bonds of contacts, event-driven: when they break, what they add to friction, however a contact is
 * modelled; the limit of time-stepping; laws that are none between events. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE \
  "<EventDriven h='0.05'><CVodeOSI relativeTolerance='1e-11' " \
  "absoluteTolerance='1e-13'/></EventDriven>"

/* One closed contact in four forms, boxes with two and with four, the first beside a system of
 * first order, pulled by the forces along the plane and off it. */
static const int contacts[] = {1, 1, 1, 1, 2, 4, 1};
enum { FORMS = sizeof contacts / sizeof *contacts };

static void bonded(generator *g, int how, double mu, double sigma, const char *along,
                   const char *off, const char *strategy)
{
  char law[128];
  snprintf(law, sizeof law, "<CohesiveFrictionNSL en='0' mu='%.17g' sigma='%.17g'/>", mu, sigma);
  if (how == 0 || how == 6)
    put(g,
        HEAD "%s<LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 0</q0><mass diag='2 "
             "2'/><fExt>%s, %s</fExt></LagrangianLinearTIDS>"
             "</systems><interactions><interaction id='g' systems='b'><LagrangianLinearTIR><H>0 1; "
             "1 0</H></LagrangianLinearTIR>%s"
             "</interaction></interactions>",
        how == 6
            ? "<FirstOrderLinearTIDS id='a' states='w'><x0>1</x0><A>-1</A></FirstOrderLinearTIDS>"
            : "",
        along, off, law);
  else if (how == 1)
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>2</mass><inertia diag='1 1 "
             "1'/><fExt>%s, 0, %s</fExt></NewtonEulerDS>"
             "</systems><interactions><interaction id='g' systems='b'><NewtonEuler3DR><P1>x y "
             "z</P1><P2>x y 0</P2><n>0 0 1</n>"
             "</NewtonEuler3DR>%s</interaction></interactions>",
        along, off, law);
  else if (how == 2)
    put(g,
        HEAD "<LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 0</q0><mass diag='2 "
             "2'/><fExt>%s, %s</fExt></LagrangianLinearTIDS>"
             "</systems><interactions><interaction id='g' "
             "systems='b'><LagrangianScleronomousR><h>y + 0*x*y, x</h></LagrangianScleronomousR>%s"
             "</interaction></interactions>",
        along, off, law);
  else if (how == 3)
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0.5 1 0 0 0</q0><mass>2</mass><inertia diag='1e9 1e9 "
             "1e9'/><fExt>%s, 0, %s</fExt>"
             "<Sphere radius='0.5'/></NewtonEulerDS></systems><contacts>%s<Plane/></contacts>",
        along, off, law);
  else if (how == 4)
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>0 0.01 0</q0><mass>2</mass><inertia>1</inertia><fExt>%s, "
             "%s</fExt><Rectangle size='1 0.02'/>"
             "</RigidBody2dDS></systems><contacts>%s<HalfPlane/></contacts>",
        along, off, law);
  else
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0.01 1 0 0 0</q0><mass>2</mass><inertia diag='1 1 "
             "1'/><fExt>%s, 0, %s</fExt>"
             "<Box size='1 1 0.02'/></NewtonEulerDS></systems><contacts>%s<Plane/></contacts>",
        along, off, law);
  put(g, "<simulation T='1.5'>%s</simulation></model>", strategy);
}

static double height(const run *r, const double *x)
{
  if (r->m->nsystems == 2) return x[2]; /* behind the state of first order */
  return x[r->m->nv < 4 ? 1 : 2];
}

/* Pulled by a force that grows with 60 N/s they break where each carries sigma, at once; before,
 * the contacts pull with what is missing. */
START_TEST(bonds_break_where_they_have_to)
{
  generator g = {.state = 4 + (unsigned long long)_i};
  double sigma = between(&g, 2, 12), due = (contacts[_i % FORMS] * sigma + 19.62) / 60;
  bonded(&g, _i % FORMS, 0.3, sigma, "0", "-19.62+60*t", FINE);
  run r = whole(g.text);
  double t = 1.5 - due;
  ck_assert_int_eq(count_of(&r, NS_EVENT_RELEASE), contacts[_i % FORMS]);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_RELEASE)->t, due, 1e-9);
  /* v = integral of (60 s + contacts sigma)/m */
  ck_assert_double_eq_tol(height(&r, r.x->v), (contacts[_i % FORMS] * sigma * t + 30 * t * t) / 2,
                          1e-7);
  ck_assert_double_le(r.x->cert->law_breach, 1);
  run_end(&r);
}
END_TEST

/* Friction is that of the pressure: it slips at mu (m g + sigma), and the bond holds on. */
START_TEST(bonds_add_to_friction)
{
  generator g = {.state = 30 + (unsigned long long)_i};
  double sigma = between(&g, 2, 12), mu = 0.2, due = mu * (19.62 + sigma) / 12, t = 1.5 - due;
  bonded(&g, _i, mu, sigma, "12*t", "-19.62", FINE);
  run r = whole(g.text);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_SLIP)->t, due, 1e-8);
  ck_assert_double_eq_tol(r.x->v[0], 6 * t * t / 2, 1e-6);
  ck_assert_double_eq_tol(r.x->p[r.m->nv == 2 ? 1 : 2], 19.62, 1e-7); /* what the contact carries */
  ck_assert_int_eq(count_of(&r, NS_EVENT_RELEASE), 0);
  run_end(&r);
}
END_TEST

/* A box that is pulled off, by a force that grows at a distance `arm` from its centre, and along
 * two directions. */
typedef struct pulled {
  double m, sigma, mu, weight, rate, along, across, arm, size[3];
} pulled;

static pulled random_pull(generator *g, int corners)
{
  pulled b = {.m = spread(g, 0.1, 10), .mu = between(g, 0.05, 0.6)};
  b.weight = 9.81 * b.m;
  b.sigma = b.weight * between(g, 0.2, 2);
  b.rate = (corners * b.sigma + b.weight) / between(g, 0.4, 0.8);
  b.along = b.mu * (b.weight + corners * b.sigma) * between(g, 0.5, 1.5);
  for (int i = 0; i < 3; i++) b.size[i] = between(g, 0.1, i < 2 ? 1 : 0.5);
  return b;
}

static void box_with_bonds(generator *g, const pulled *b, int in_space, const char *strategy)
{
  double w = b->size[0], d = b->size[1], h = b->size[2], of = b->m / 12;
  char law[128], off[96];
  snprintf(law, sizeof law, "<CohesiveFrictionNSL en='0' mu='%.17g' sigma='%.17g'/>", b->mu,
           b->sigma);
  snprintf(off, sizeof off, "%.17g*t-%.17g", b->rate, b->weight);
  if (in_space)
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 %.17g 1 0 0 0</q0><mass>%.17g</mass><inertia "
             "diag='%.17g %.17g %.17g'/><fExt>%.17g, %.17g, %s</fExt><mExt>0, %.17g*t, 0</mExt>"
             "<Box size='%.17g %.17g %.17g'/></NewtonEulerDS></systems><contacts>%s<Plane/>",
        h / 2, b->m, of * (d * d + h * h), of * (w * w + h * h), of * (w * w + d * d), b->along,
        b->across, off, -b->arm * b->rate, w, d, h, law);
  else
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>0 %.17g 0</q0><mass>%.17g</mass><inertia>%.17g</inertia>"
             "<fExt>%.17g, %s</fExt><mExt>%.17g*t</mExt><Rectangle size='%.17g %.17g'/>"
             "</RigidBody2dDS></systems><contacts>%s<HalfPlane/>",
        h / 2, b->m, of * (w * w + h * h), b->along, off, b->arm * b->rate, w, h, law);
  put(g, "</contacts><simulation T='1'>%s</simulation></model>", strategy);
}

#define STEPS "<TimeStepping h='2e-5'><MoreauJeanOSI/></TimeStepping>"
#define EVENTS "<EventDriven h='0.01'><CVodeOSI/></EventDriven>"

/* Friction shares the load of its corners unequally as it slides, and vanishes with their pressure:
 * all bonds break at one instant, and the box does not turn. */
START_TEST(bonds_of_what_slides_break_at_once)
{
  generator g = {.state = 700 + (unsigned long long)_i / 2};
  int in_space = _i / 2 % 2, by_steps = _i % 2, corners = in_space ? 4 : 2;
  pulled b = random_pull(&g, corners);
  double held = corners * b.sigma, t = 1 - (held + b.weight) / b.rate;
  box_with_bonds(&g, &b, in_space, by_steps ? STEPS : EVENTS);
  run r = whole(g.text);
  double due = (held * t + b.rate * t * t / 2) / b.m, allowed = by_steps ? 1e-3 : 1e-6;
  ck_assert_double_eq_tol(r.x->v[in_space ? 2 : 1], due, allowed * due);
  for (int i = in_space ? 3 : 2; i < (int)r.m->nv; i++) ck_assert_double_eq_tol(r.x->v[i], 0, 1e-6);
  run_end(&r);
}
END_TEST

/* Pulled at a side the corners of one edge break first. Of four that bear a load as any three do,
 * none breaks while the others hold it. */
START_TEST(bonds_hold_while_others_hold)
{
  double v[2][6];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 900 + (unsigned long long)_i};
    pulled b = random_pull(&g, 4);
    b.arm = between(&g, 0.02, 0.1) * b.size[0];
    b.across = b.mu * b.weight * between(&g, 0, 1);
    box_with_bonds(&g, &b, 1, k ? STEPS : EVENTS);
    run r = whole(g.text);
    memcpy(v[k], r.x->v, sizeof v[k]);
    run_end(&r);
  }
  for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(v[1][i], v[0][i], 0.02 * (1 + fabs(v[0][i])));
}
END_TEST

/* A board on points, pulled by the sum of tensions that its bonds can bear: whatever distribution a
 * solver takes for this load, none of them breaks. */
START_TEST(bonds_bear_what_they_can)
{
  enum { MOST = 6 };
  generator g = {.state = 1300 + (unsigned long long)_i / 4};
  int rigid = _i % 2, n = 4 + pick(&g, MOST - 3);
  double sigma = spread(&g, 0.1, 100), m = spread(&g, 0.1, 10), F = 0, Mx = 0, My = 0;
  double x[MOST], y[MOST];
  for (int i = 0; i < n; i++) {
    double pull = sigma * between(&g, -0.5, 0.8);
    x[i] = between(&g, -1, 1), y[i] = between(&g, -1, 1);
    F += pull, Mx += pull * y[i], My -= pull * x[i];
  }
  if (rigid)
    put(&g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>%.17g</mass><inertia diag='1 1 1'/>"
             "<fExt>0 0 %.17g</fExt><mExt>%.17g %.17g 0</mExt></NewtonEulerDS></systems>",
        m, F, Mx, My);
  else
    put(&g,
        HEAD
        "<LagrangianLinearTIDS id='b' coordinates='z a c s'><q0>0 0 0 0</q0><mass diag='%.17g 1 "
        "1 1'/><fExt>%.17g %.17g %.17g 0</fExt></LagrangianLinearTIDS></systems>",
        m, F, Mx, My);
  put(&g, "<interactions>");
  for (int i = 0; i < n; i++) {
    put(&g, "<interaction id='c%d' systems='b'>", i);
    if (rigid)
      put(&g,
          "<NewtonEuler3DR><P1>x+%.17g y+%.17g z</P1><P2>x+%.17g y+%.17g 0</P2><n>0 0 1</n>"
          "</NewtonEuler3DR>",
          x[i], y[i], x[i], y[i]);
    else
      put(&g, "<LagrangianLinearTIR><H>1 %.17g %.17g 0; 0 0 0 1</H></LagrangianLinearTIR>", y[i],
          -x[i]);
    put(&g, "<CohesiveFrictionNSL en='0' mu='0.3' sigma='%.17g'/></interaction>", sigma);
  }
  put(&g, "</interactions><simulation T='0.1'>%s</simulation></model>",
      _i / 2 % 2 ? "<EventDriven h='0.01'><CVodeOSI/></EventDriven>"
                 : "<TimeStepping h='1e-3'><MoreauJeanOSI/></TimeStepping>");
  run r = whole(g.text);
  for (int i = 0; i < (int)r.m->nbonds; i++) ck_assert_double_eq(r.x->bond[i], 1);
  for (int i = 0; i < (int)r.m->nv; i++) ck_assert_double_eq_tol(r.x->v[i], 0, 1e-9);
  run_end(&r);
}
END_TEST

/* Steps come to it: pulled off and along at random, a bond that breaks in between. */
START_TEST(steps_come_to_it)
{
  double x[2][7] = {{0}}, v[2][6] = {{0}};
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 90 + (unsigned long long)_i};
    double sigma = between(&g, 2, 12), mu = between(&g, 0.05, 0.3);
    char along[64], off[64];
    snprintf(along, sizeof along, "%.17g*sin(%.17g*t)", between(&g, 5, 15), between(&g, 2, 9));
    snprintf(off, sizeof off, "-19.62+%.17g*t", between(&g, 20, 80));
    bonded(&g, _i % 4, mu, sigma, along, off,
           k ? "<TimeStepping h='2e-5'><MoreauJeanOSI theta='0.5'/></TimeStepping>" : FINE);
    run r = whole(g.text);
    memcpy(x[k], r.x->q, r.m->nq * sizeof(double));
    memcpy(v[k], r.x->v, r.m->nv * sizeof(double));
    run_end(&r);
  }
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(x[1][i], x[0][i], 2e-3);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(v[1][i], v[0][i], 4e-3);
}
END_TEST

/* What comes to the ground later has no bond; one that an impact opens is gone. */
START_TEST(bonds_do_not_come_back)
{
  generator g = {.state = 1};
  put(&g, HEAD "<NewtonEulerDS id='b'><q0>0 0 0.2 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
               "1'/><fExt>0, 0, -10+20*t</fExt>"
               "<Sphere radius='0.1'/></NewtonEulerDS></systems><contacts><CohesiveFrictionNSL "
               "en='0' mu='0.3' sigma='50'/><Plane/></contacts>"
               "<simulation T='1'>" FINE "</simulation></model>");
  run r = whole(g.text);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_RELEASE)->t, 0.5, 1e-9);
  run_end(&r);
}
END_TEST

START_TEST(goes_on_as_if_never_stopped)
{
  generator g = {.state = 8 + (unsigned long long)_i};
  bonded(&g, _i, 0.1, 4, "5*sin(9*t)", "-19.62+40*t",
         "<EventDriven h='0.01'><CVodeOSI/></EventDriven>");
  change k = {0};
  ck_assert_int_eq(goes_on_the_same(g.text, &k, 3, 5), 1);
}
END_TEST

/* Restitution along the plane is that of the impact where the normal does not rebound, too. */
START_TEST(slip_rebounds_without_the_normal)
{
  run r = whole(
      HEAD
      "<LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 1</q0><v0>0.3 0</v0><mass diag='1 "
      "1'/><fExt>0 -9.81</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='g' "
      "systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' et='0.5' "
      "mu='0.9'/></interaction></interactions>"
      "<simulation T='0.46'><EventDriven h='0.46'><CVodeOSI/></EventDriven></simulation></model>");
  double t = 0.46 - sqrt(2 / 9.81);
  ck_assert_double_eq_tol(r.x->v[0], -0.15 + 0.9 * 9.81 * t, 1e-9);
  run_end(&r);
}
END_TEST

static const struct {
  const char *law, *says;
} steps_alone[] = {{"<FremondImpactFrictionNSL en='0' mu='0.3'/>", "mean velocity of a step"}};

START_TEST(laws_of_steps_are_refused)
{
  generator g = {.state = 1};
  ns_ctx c = {.report = no_words};
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0>0 0 2 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
           "1'/><Sphere radius='0.1'/></NewtonEulerDS></systems>"
           "<contacts>%s<Plane/></contacts><simulation T='1'>" FINE "</simulation></model>",
      steps_alone[_i].law);
  ns_simulation *s = NULL;
  ns_model *m = load(g.text, &c);
  int rc = m ? ns_simulation_create(&c, m, &s) : NS_MODEL;
  ck_assert_int_eq(rc, NS_MODEL);
  ck_assert_msg(strstr(c.msg, steps_alone[_i].says) && strstr(c.msg, "expected"), "%s", c.msg);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, bonds_break_where_they_have_to, 0, 2 * FORMS);
  tcase_add_loop_test(t, bonds_add_to_friction, 0, 4);
  tcase_add_loop_test(t, steps_come_to_it, 0, 8);
  tcase_add_loop_test(t, bonds_of_what_slides_break_at_once, 0, 16);
  tcase_add_loop_test(t, bonds_hold_while_others_hold, 0, 6);
  tcase_add_loop_test(t, bonds_bear_what_they_can, 0, 80);
  tcase_add_test(t, bonds_do_not_come_back);
  tcase_add_loop_test(t, goes_on_as_if_never_stopped, 0, FORMS);
  tcase_add_test(t, slip_rebounds_without_the_normal);
  tcase_add_loop_test(t, laws_of_steps_are_refused, 0, 1);
}

int main(void) { return suite_run("event-driven bonds", fill); }
