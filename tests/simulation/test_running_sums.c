/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <memory of="..."> and <measure kind="sum">: formulas added up event by event, against closed
 * forms, against the table of events, and in forces. Random numbers, fixed seeds. */
#include "simulation/record/measures.h"
#include "support/interrupted.h"
#include "support/mixed.h"

#define G 9.81

/* ---- a ball ---------------------------------------------------------------------------------- */

typedef struct ball {
  double m, e, x, v;
  char text[4000];
} ball;

/* Sums of what impacts take, of their impulses, of squares of velocities after them; its last. */
static ball draw_ball(unsigned long of)
{
  ball b;
  seed = of;
  b.m = uniform(0.2, 5), b.e = uniform(0.4, 0.9), b.x = uniform(0.3, 2), b.v = uniform(-1, 1);
  snprintf(b.text, sizeof b.text,
           "<systems><LagrangianLinearTIDS id='b' coordinates='x'><mass>%.17g</mass><q0>%.17g</q0>"
           "<v0>%.17g</v0><fExt>%.17g</fExt></LagrangianLinearTIDS></systems><interactions>"
           "<interaction id='g' systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
           "<NewtonImpactNSL e='%.17g'/></interaction></interactions><output>"
           "<memory id='lost' event='impact' of='event.energy_lost' unit='J'/>"
           "<memory id='push' event='impact' interaction='g' of='event.impulse' give='sum'/>"
           "<memory id='last' event='any' of='event.velocity_after' give='last'/>"
           "<memory id='square' event='impact' of='%.17g*v_x^2/2'/>"
           "<observe id='energy'>%.17g*(v_x^2/2 + %g*x) + lost</observe></output>"
           "<measures><measure id='number' kind='sum' event='impact'>event.energy_lost</measure>"
           "<measure id='kept' kind='sample' event='impact'>event.energy_lost</measure></measures>",
           b.m, b.x, b.v, -b.m * G, b.e, b.m, b.m, G);
  return b;
}

/* Impact n comes with the speed u e^(n-1) and takes m u^2 e^(2n-2) (1 - e^2)/2. */
START_TEST(what_impacts_take)
{
  ball b = draw_ball(500 + (unsigned long)_i);
  double u = sqrt(b.v * b.v + 2 * G * b.x), e0 = b.m * (b.v * b.v / 2 + G * b.x);
  /* to the middle of the flight after the third impact */
  double flights = 2 * u * b.e / G * (1 + b.e + b.e * b.e / 2), T = (b.v + u) / G + flights;
  run r = events(b.text, T, 3);
  ck_assert_int_eq(r.x->cert->impacts, 3);
  double after[3], lost = 0, push = 0, square = 0;
  for (int n = 0; n < 3; n++) {
    double before = u * pow(b.e, n);
    after[n] = b.e * before;
    lost += b.m * before * before * (1 - b.e * b.e) / 2;
    push += b.m * (1 + b.e) * before;
    square += b.m * after[n] * after[n] / 2;
  }
  ck_assert_double_eq_tol(last(&r, "lost.value"), lost, 1e-9 * e0);
  ck_assert_double_eq_tol(last(&r, "push.value"), push, 1e-9 * push);
  ck_assert_double_eq_tol(last(&r, "square.value"), square, 1e-9 * square);
  ck_assert_double_eq_tol(last(&r, "last.value"), after[2], 1e-9 * u);
  for (size_t i = 0; i < r.got.nrows; i++) /* in rows before an event and after it */
    ck_assert_double_eq_tol(run_at(&r, i, "energy.value"), e0, 1e-9 * e0);
  ns_measured number;
  for (int k = 0; k < ns_measures_count(r.m); k++) {
    ns_measures_get(r.m, r.x, k, &number);
    if (!strcmp(number.id, "number")) ck_assert_double_eq(number.value, last(&r, "lost.value"));
    if (!strcmp(number.id, "kept")) ck_assert_int_eq(number.samples, 3);
  }
  run_end(&r);
}
END_TEST

/* Energy is kept to rounding but for what the sum says; the sum itself is wrong by a step. */
START_TEST(what_impacts_take_in_steps)
{
  ball b = draw_ball(500 + (unsigned long)_i);
  double u = sqrt(b.v * b.v + 2 * G * b.x), e0 = b.m * (b.v * b.v / 2 + G * b.x);
  double T = (b.v + u) / G + u * b.e / G, error[2];
  for (int j = 0; j < 2; j++) {
    int n = j ? 80000 : 1000;
    run r = run_to(b.text, STEPS("<MoreauJeanOSI theta='0.5'/>"), T, n);
    for (size_t i = 0; i < r.got.nrows; i += 100)
      ck_assert_double_eq_tol(run_at(&r, i, "energy.value"), e0, 1e-9 * e0);
    double lost = b.m * u * u * (1 - b.e * b.e) / 2;
    error[j] = fabs(last(&r, "lost.value") - lost);
    ck_assert_double_le(error[j], b.m * u * 4 * G * T / n);
    run_end(&r);
  }
  ck_assert_double_gt(error[0] + error[1], 0);
}
END_TEST

/* ---- several contacts ------------------------------------------------------------------------ */

/* Sum over events of a kind (-1: of all of the motion) of an interaction (-1: any). */
static double told_of(const run *r, int kind, int interaction, int what)
{
  double sum = 0;
  for (size_t i = 0; i < r->got.nevents; i++) {
    const ns_event *e = &r->got.events[i];
    const double number[] = {e->before, e->after, e->impulse, e->lost};
    int of_kind = kind < 0 || (int)e->kind == kind;
    if (of_kind && (interaction < 0 || e->interaction == interaction)) sum += number[what];
  }
  return sum;
}

/* Two balls that fall at once and as high, one above the first of them: impacts at one instant, and
 * a column. */
static void many(char *text, size_t size)
{
  double e = uniform(0.3, 0.9), high = uniform(0.5, 1);
  snprintf(text, size,
           "<systems><LagrangianLinearTIDS id='a' coordinates='x'><mass>%.17g</mass><q0>%.17g</q0>"
           "<fExt>-9</fExt></LagrangianLinearTIDS>"
           "<LagrangianLinearTIDS id='b' coordinates='x'><mass>1</mass><q0>%.17g</q0>"
           "<fExt>-9</fExt></LagrangianLinearTIDS>"
           "<LagrangianLinearTIDS id='c' coordinates='x'><mass>%.17g</mass><q0>%.17g</q0>"
           "<v0>%.17g</v0><fExt>-3</fExt></LagrangianLinearTIDS></systems><interactions>"
           "<interaction id='g0' systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
           "<NewtonImpactNSL e='%.17g'/></interaction>"
           "<interaction id='g1' systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
           "<NewtonImpactNSL e='%.17g'/></interaction>"
           "<interaction id='g2' systems='a c'><LagrangianLinearTIR><H>-1, 1</H>"
           "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction></interactions>"
           "<output><memory id='all' event='any' of='event.energy_lost'/>"
           "<memory id='first' event='impact' interaction='g0' of='event.energy_lost'/>"
           "<memory id='second' event='impact' interaction='g1' of='event.energy_lost'/>"
           "<memory id='third' event='impact' interaction='g2' of='event.energy_lost'/>"
           "<memory id='before' event='impact' of='event.velocity_before'/>"
           "<memory id='weighted' event='impact' of='event.impulse*event.velocity_after'/>"
           "<memory id='n' event='impact' of='1'/>"
           "<memory id='late' event='impact' of='event.impulse' from='0.7' until='1.3'/></output>",
           1.0, high, high, uniform(0.3, 2), high + uniform(0.1, 0.4), uniform(-1, 0), e, e,
           uniform(0.3, 0.9));
}

START_TEST(each_contact_has_its_own)
{
  char text[6000];
  seed = 900 + (unsigned long)_i;
  many(text, sizeof text);
  run r = _i % 2 ? run_to(text, STEPS("<MoreauJeanOSI theta='0.5'/>"), 1.5, 1500)
                 : events(text, 1.5, 20);
  double weighted = 0, late = 0;
  for (size_t i = 0; i < r.got.nevents; i++) {
    const ns_event *e = &r.got.events[i];
    if (e->kind != NS_EVENT_IMPACT) continue;
    weighted += e->impulse * e->after;
    if (e->t > 0.7 && e->t <= 1.3) late += e->impulse;
  }
  ck_assert_double_eq_tol(last(&r, "all.value"), told_of(&r, -1, -1, 3), 1e-12);
  ck_assert_double_eq_tol(last(&r, "first.value"), told_of(&r, NS_EVENT_IMPACT, 0, 3), 1e-12);
  ck_assert_double_eq_tol(last(&r, "second.value"), told_of(&r, NS_EVENT_IMPACT, 1, 3), 1e-12);
  ck_assert_double_eq_tol(last(&r, "third.value"), told_of(&r, NS_EVENT_IMPACT, 2, 3), 1e-12);
  ck_assert_double_eq_tol(last(&r, "before.value"), told_of(&r, NS_EVENT_IMPACT, -1, 0), 1e-12);
  ck_assert_double_eq_tol(last(&r, "weighted.value"), weighted, 1e-12);
  ck_assert_double_eq_tol(last(&r, "late.value"), late, 1e-12);
  ck_assert_double_ge(last(&r, "n.value"), 4);
  ck_assert_double_gt(last(&r, "first.value"), 0);
  ck_assert_double_gt(last(&r, "third.value"), 0);
  run_end(&r);
}
END_TEST

/* Disks with friction on a plane: contacts between shapes tell events, too. */
START_TEST(contacts_of_shapes)
{
  char text[4000];
  seed = 1300 + (unsigned long)_i;
  snprintf(text, sizeof text,
           HEAD "<systems><RigidBody2dDS id='a'><q0>0 %.17g 0</q0><v0>%.17g 0 %.17g</v0>"
                "<mass>1</mass><inertia>0.01</inertia><fExt>0 -9.81</fExt><Disk radius='0.1'/>"
                "</RigidBody2dDS><RigidBody2dDS id='b'><q0>0.5 %.17g 0</q0><v0>%.17g 0 1</v0>"
                "<mass>2</mass><inertia>0.02</inertia><fExt>0 -19.62</fExt><Disk radius='0.1'/>"
                "</RigidBody2dDS></systems><contacts><NewtonImpactFrictionNSL en='0.6' mu='0.3'/>"
                "<HalfPlane at='0 0' normal='0 1'/></contacts>"
                "<output><memory id='lost' event='impact' of='event.energy_lost'/>"
                "<memory id='push' event='impact' of='event.impulse'/></output>%s",
           uniform(0.3, 0.8), uniform(0, 1), uniform(-5, 5), uniform(0.3, 0.8), uniform(-1, 0),
           _i % 2 ? STEPS("<MoreauJeanOSI/>") : EVENTS);
  run r = steps(text, 1, _i % 2 ? 1000 : 10);
  ck_assert_double_eq_tol(last(&r, "lost.value"), told_of(&r, NS_EVENT_IMPACT, -1, 3), 1e-12);
  ck_assert_double_eq_tol(last(&r, "push.value"), told_of(&r, NS_EVENT_IMPACT, -1, 2), 1e-12);
  ck_assert_double_gt(last(&r, "push.value"), 1);
  run_end(&r);
}
END_TEST

/* ---- at conditions --------------------------------------------------------------------------- */

/* x = -a cos(w t) rises through 0 at t = (2 k + 1/2) pi/w, where v = a w; event-driven and in
 * steps, as a number of the run and as one of the dynamics. */
START_TEST(values_at_conditions)
{
  char text[4000];
  seed = 1700 + (unsigned long)_i;
  double w = uniform(2, 5), a = uniform(0.5, 2), T = 6 * M_PI / w, c = uniform(0.2, 1);
  int steps_too = _i % 2;
  snprintf(text, sizeof text,
           "<systems><LagrangianLinearTIDS id='b' coordinates='x'><q0>%.17g</q0>"
           "<K>%.17g</K></LagrangianLinearTIDS><FirstOrderNonLinearDS id='f' states='T'>"
           "<x0>0</x0><f>speed*%.17g - latest</f></FirstOrderNonLinearDS></systems>"
           "<output><memory id='speed' when='x &gt; 0' of='v_x'/>"
           "<memory id='latest' when='x &gt; 0' of='t' give='last'/>"
           "<memory id='times' when='x &gt; 0' of='t'/></output>",
           -a, w * w, c);
  run r = steps_too ? run_to(text, STEPS(BOTH("0.5")), T, 20000) : events(text, T, 7);
  double period = 2 * M_PI / w, first = period / 4, tol = steps_too ? 2e-3 : 1e-8;
  ck_assert_double_eq_tol(last(&r, "speed.value"), 3 * a * w, tol * a * w);
  ck_assert_double_eq_tol(last(&r, "times.value"), 3 * (first + period), tol);
  ck_assert_double_eq_tol(last(&r, "latest.value"), first + 2 * period, tol);
  ck_assert_double_eq_tol(last(&r, "speed.held_value"), 3 * a * w, tol * a * w);
  /* the integral of c speed - latest: steps of both at each crossing */
  double area = 0;
  for (int k = 0; k < 3; k++) area += (c * a * w - (k ? period : first)) * (T - first - k * period);
  ck_assert_double_eq_tol(last(&r, "f.T"), area, 10 * tol * (1 + fabs(area)));
  run_end(&r);
}
END_TEST

/* Events that do not change the state: those of a formula that jumps at x = c, scheduled ones. */
START_TEST(values_at_events_that_change_nothing)
{
  char text[4000];
  seed = 2000 + (unsigned long)_i;
  double c = uniform(0.2, 0.6), every = uniform(0.11, 0.19), k = uniform(5, 20);
  snprintf(
      text, sizeof text,
      "<systems><LagrangianDS id='b' coordinates='x'><q0>1</q0><fInt>%.17g*x + if(x &gt; "
      "%.17g, 0, 1)</fInt></LagrangianDS></systems><events><event id='tick' every='%.17g'/>"
      "</events><output><memory id='jumps' event='formula' of='x'/>"
      "<memory id='n' event='formula' give='count'/>"
      "<memory id='at' event='tick' of='t' give='last'/>"
      "<memory id='ticks' event='tick' of='t'/></output>"
      "<measures><measure id='s' kind='sample' event='formula' keep='4'>x</measure></measures>",
      k, c, every);
  run r = events(text, 1.5, 6);
  double n = floor(1.5 / every), jumps = last(&r, "n.value"), value[4];
  ck_assert_double_ge(jumps, 1);
  ck_assert_double_eq_tol(last(&r, "jumps.value"), jumps * c, 1e-9 * jumps);
  ck_assert_double_eq_tol(last(&r, "ticks.value"), every * n * (n + 1) / 2, 1e-9);
  ck_assert_double_eq_tol(last(&r, "at.value"), every * n, 1e-12);
  int s = ns_measures_count(r.m) - 1;
  ns_measured got;
  ns_measures_get(r.m, r.x, s, &got);
  ns_measures_samples(r.m, r.x, s, value, NULL);
  for (int i = 0; i < got.samples; i++) ck_assert_double_eq_tol(value[i], c, 1e-9);
  run_end(&r);
}
END_TEST

/* ---- in forces ------------------------------------------------------------------------------- */

/* Heat that impacts leave softens a spring: by steps and event by event. */
START_TEST(forces_read_sums)
{
  char text[4000];
  seed = 2100 + (unsigned long)_i;
  snprintf(text, sizeof text,
           "<systems><LagrangianDS id='b' coordinates='x'><mass>%.17g</mass><q0>1</q0>"
           "<v0>%.17g</v0><fInt>9 + %.17g*x/(1 + heat) + 0.1*last</fInt></LagrangianDS></systems>"
           "<interactions><interaction id='g' systems='b'><LagrangianLinearTIR><H>1</H>"
           "</LagrangianLinearTIR><NewtonImpactNSL e='0.8'/></interaction></interactions>"
           "<output><memory id='heat' event='impact' of='event.energy_lost'/>"
           "<memory id='last' event='any' of='event.impulse' give='last'/></output>",
           uniform(0.5, 2), uniform(-1, 1), uniform(3, 8));
  run e = events(text, 1.2, 4), s = run_to(text, STEPS(BOTH("0.5")), 1.2, 20000);
  ck_assert_double_gt(last(&e, "heat.held_value"), 0.1);
  static const char *const sums[] = {"heat", "last"};
  for (int k = 0; k < 2; k++) {
    char value[32], held[32];
    snprintf(value, sizeof value, "%s.value", sums[k]);
    snprintf(held, sizeof held, "%s.held_value", sums[k]);
    ck_assert_double_eq(last(&e, held), last(&e, value));
    ck_assert_double_eq(last(&s, held), last(&s, value));
    ck_assert_double_eq_tol(last(&s, held), last(&e, held), 0.01);
  }
  ck_assert_double_eq_tol(last(&s, "b.x"), last(&e, "b.x"), 0.01);
  is_certified(&e);
  run_end(&e), run_end(&s);
}
END_TEST

#define AGAIN(how) \
  HEAD "<systems><LagrangianDS id='b' coordinates='x'><q0>1</q0><fInt>9 + 0.3*heat</fInt>" \
       "</LagrangianDS><LagrangianDS id='c' coordinates='x'><q0>1</q0><fInt>if(x &gt; 0.5, 9, " \
       "8)</fInt>" \
       "</LagrangianDS></systems><interactions>" \
       "<interaction id='g' systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" \
       "<NewtonImpactNSL e='0.8'/></interaction><interaction id='k' systems='c'>" \
       "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.9'/>" \
       "</interaction></interactions><simulation T='3'>" how "</simulation><output>" \
       "<memory id='heat' event='impact' of='event.energy_lost'/>" \
       "<memory id='last' event='any' of='event.impulse*b.x' give='last'/>" \
       "<memory id='high' when='b.v_x &lt; 0' of='b.x + heat'/>" \
       "<memory id='corners' event='formula' of='b.v_x + event.velocity_after'/>" \
       "</output></model>"

START_TEST(interrupted_runs)
{
  static const char *const models[] = {
      AGAIN("<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping>"),
      AGAIN("<EventDriven h='0.01'><CVodeOSI/></EventDriven>"),
      AGAIN("<EventDriven h='0.01'><LsodarOSI/></EventDriven>")};
  const change none = {0};
  ck_assert_int_eq(goes_on_the_same(models[_i], &none, 8, 2500 + (unsigned long)_i), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, what_impacts_take, 0, 8);
  tcase_add_loop_test(t, what_impacts_take_in_steps, 0, 4);
  tcase_add_loop_test(t, each_contact_has_its_own, 0, some_of(12));
  tcase_add_loop_test(t, contacts_of_shapes, 0, 6);
  tcase_add_loop_test(t, values_at_conditions, 0, 6);
  tcase_add_loop_test(t, values_at_events_that_change_nothing, 0, 6);
  tcase_add_loop_test(t, forces_read_sums, 0, 6);
  tcase_add_loop_test(t, interrupted_runs, 0, 3);
}

int main(void) { return suite_run("running sums", fill); }
