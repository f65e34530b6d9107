/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of the user: when they happen, what they see and change, and what stops a run. */
#include "simulation/step/user_events.h"
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define LINE \
  "<systems><FirstOrderLinearTIDS id='s' states='x' inputs='u " \
  "w'><x0>0</x0><b>1</b><z>0 5</z></FirstOrderLinearTIDS></systems>"
#define RATE(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><EulerMoreauOSI/></TimeStepping></simulation>"
#define BALL \
  "<systems><LagrangianLinearTIDS id='ball' coordinates='x y'><q0>1 " \
  "0</q0><fExt>-9.81 0</fExt></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1 " \
  "0</H></LagrangianLinearTIR>" \
  "<NewtonImpactNSL e='0.5'/></interaction></interactions>"
#define SCHEME(T, h, osi) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><" osi "/></TimeStepping></simulation>"
#define EVENTS(list) "<events>" list "</events></model>"

/* Event number i of kind user: whose and when. */
static void happened(const run *r, int i, const char *id, double t, double tol)
{
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    if (e->kind != NS_EVENT_USER || i-- > 0) continue;
    ck_assert_str_eq(ns_event_id(r->m, e, NULL, 0), id);
    ck_assert_double_eq_tol(e->t, t, tol);
    return;
  }
  ck_abort_msg("event %s at %g did not happen", id, t);
}

/* x = t; conditions in both directions, and schedules. Times are exact though none is on the grid.
 */
START_TEST(times_are_those_of_the_condition)
{
  run r = run_whole(HEAD LINE RATE("1", "0.01") EVENTS(
      "<event id='up' when='x > 0.3333'/><event id='down' when='0.5123 > x' direction='down'/>"
      "<event id='both' when='x > 0.1001 &amp;&amp; 0.6001 > x' direction='both'/>"
      "<event id='window' when='x > 0.3333' from='0.5'/><event id='not' when='x > -1'/>"
      "<event id='at' at='0 0.1234 0.7'/><event id='every' every='0.4'/>"
      "<event id='from' every='0.3' from='0.15 - 3' until='0.8'/>"));
  static const struct {
    const char *id;
    double t;
  } want[] = {{"at", 0},        {"both", 0.1001}, {"at", 0.1234}, {"from", 0.15},
              {"up", 0.3333},   {"every", 0.4},   {"from", 0.45}, {"down", 0.5123},
              {"both", 0.6001}, {"at", 0.7},      {"from", 0.75}, {"every", 0.8}};
  int n = (int)(sizeof want / sizeof *want);
  for (int i = 0; i < n; i++) happened(&r, i, want[i].id, want[i].t, 1e-13);
  ck_assert_uint_eq(r.got.nevents, (size_t)n);
  ck_assert_int_eq(ns_user_events_count(r.m, r.x, 2), 2);
  ck_assert_int_eq(ns_user_events_count(r.m, r.x, 3), 0);
  run_end(&r);
}
END_TEST

/* All sets of an event read the state before it; those of one step act in the order of their times.
 */
START_TEST(sets_see_the_state_before)
{
  run r = run_whole(HEAD LINE RATE("1", "0.1") EVENTS(
      "<event id='swap' at='0.5'><set name='u' value='w'/><set name='w' value='u'/></event>"
      "<event id='late' at='0.78'><set name='w' value='w + 100'/></event>"
      "<event id='early' at='0.72'><set name='w' value='10*(w + 1)'/></event>"));
  ck_assert_double_eq(r.x->z[0], 5);
  ck_assert_double_eq(r.x->z[1], 110);
  run_end(&r);
}
END_TEST

/* x' = u - x between 0.9 and 1.1: the time from switch to switch is log(1.1/0.1)... each to O(h).
 */
START_TEST(two_point_control)
{
  run r = run_whole(HEAD
                    "<systems><FirstOrderNonLinearDS id='s' states='x' inputs='u'><x0>0.9</x0><f>u "
                    "- x</f><z>2</z></FirstOrderNonLinearDS>"
                    "</systems>" RATE("3", "1e-4")
                        EVENTS("<event id='off' when='x > 1.1'><set name='u' value='0'/></event>"
                               "<event id='on' when='0.9 > x'><set name='u' value='2'/></event>"));
  double half = log(1.1 / 0.9);
  for (int i = 0; i < 8; i++) happened(&r, i, i % 2 ? "on" : "off", (i + 1) * half, 3e-4 * (i + 1));
  run_end(&r);
}
END_TEST

/* A kick of unit mass by 1 when v_y = 0: energy 1/2, counted as work of forces, so the defect stays
 * rounding. */
START_TEST(energy_is_accounted_for)
{
  static const char *const model[] = {
      HEAD BALL SCHEME("1", "1e-3", "MoreauJeanOSI")
          EVENTS("<event id='kick' at='0.25'><set name='v_y' value='v_y + 1'/></event>"),
      HEAD BALL SCHEME("1", "1e-3", "D1MinusLinearOSI")
          EVENTS("<event id='kick' at='0.25'><set name='v_y' value='v_y + 1'/></event>")};
  run r = run_whole(model[_i]);
  ck_assert_double_eq_tol(r.x->cert->work_force, 0.5, 1e-12);
  ck_assert_double_eq_tol(r.x->cert->defect_max, 0, 1e-12);
  ck_assert_double_eq_tol(r.x->q[1], 0.75, 1e-12);
  run_end(&r);
}
END_TEST

/* A ball at rest on the ground is lifted: it flies and falls as one that begins there; its contact
 * is released. */
START_TEST(a_contact_that_lasts_is_left)
{
  run r = run_whole(HEAD BALL SCHEME("3", "1e-3", "MoreauJeanOSI") EVENTS(
      "<event id='lift' at='2'><set name='x' value='1'/><set name='v_x' value='0'/></event>"));
  double first = NAN, again = NAN, release = NAN;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->kind == NS_EVENT_IMPACT && isnan(first)) first = e->t;
    if (e->kind == NS_EVENT_IMPACT && e->t > 2 && isnan(again)) again = e->t;
    if (e->kind == NS_EVENT_RELEASE) release = e->t;
  }
  ck_assert_double_eq_tol(release, 2.001, 1e-9);
  ck_assert_double_eq_tol(again - 2, first, 1e-9);
  ck_assert_double_eq_tol(r.x->cert->defect_max, 0, 1e-11);
  run_end(&r);
}
END_TEST

/* After x is set the run is one that begins there, also where the scheme carries a rate over. */
START_TEST(a_state_that_is_set_is_a_new_start)
{
#define DECAY(x0, T, events) \
  HEAD "<systems><FirstOrderLinearTIDS id='s' " \
       "states='x'><x0>" x0 "</x0><A>-1</A></FirstOrderLinearTIDS></systems>" \
       "<simulation T='" T "'><TimeStepping h='0.01'><EulerMoreauOSI " \
       "theta='0.5'/></TimeStepping></simulation>" events
  run a = run_whole(
      DECAY("7", "2", EVENTS("<event id='reset' at='1'><set name='x' value='1'/></event>")));
  run b = run_whole(DECAY("1", "1", "</model>"));
  ck_assert_double_eq_tol(a.x->q[0], b.x->q[0], 1e-15);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- stop ------------------------------------------------------------------------------------ */

START_TEST(a_stop_ends_the_run)
{
  double t;
  run r = run_whole(HEAD LINE RATE("1", "0.01") EVENTS(
      "<event id='later' at='0.5'/><stop id='enough' when='x > 0.3333'/>"));
  ck_assert_double_eq_tol(*r.x->t, 0.34, 1e-13);
  ck_assert_uint_eq(r.got.nrows, 35);
  const ns_user_event *e = ns_user_events_stopped(r.m, r.x, &t);
  ck_assert_ptr_nonnull(e);
  ck_assert_str_eq(e->id, "enough");
  ck_assert_double_eq_tol(t, 0.3333, 1e-13);
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK); /* it stays stopped */
  ck_assert_double_eq_tol(*r.x->t, 0.34, 1e-13);
  run_end(&r);
}
END_TEST

START_TEST(a_stop_that_holds_at_the_start_makes_no_step)
{
  run r = run_whole(HEAD LINE RATE("1", "0.01") EVENTS("<stop when='0.5 > x'/>"));
  ck_assert_int_eq((int)*r.x->step, 0);
  ck_assert_uint_eq(r.got.nrows, 1);
  ck_assert_str_eq(ns_user_events_stopped(r.m, r.x, NULL)->id, "stop");
  run_end(&r);
}
END_TEST

/* ---- what cannot be -------------------------------------------------------------------------- */

START_TEST(two_step_schemes_take_inputs_alone)
{
  static const struct {
    const char *set;
    int rc;
  } row[] = {{"v_y", NS_MODEL}, {"z[0]", NS_OK}};
  char text[4096];
  snprintf(text, sizeof text,
           "%s<events><event id='e' at='0.1'><set name='%s' value='1'/></event></events></model>",
           HEAD "<systems><LagrangianLinearTIDS id='ball' coordinates='x y'><q0>1 "
                "0</q0><fExt>-9.81 z[0]</fExt><z>0</z></LagrangianLinearTIDS>"
                "</systems>" SCHEME("1", "0.01", "SchatzmanPaoliOSI"),
           row[_i].set);
  ns_ctx c = {0};
  ns_model *m;
  ns_simulation *s;
  ck_assert_int_eq(ns_load_memory(&c, "test.xml", text, strlen(text), NULL, NULL, &m), NS_OK);
  ck_assert_int_eq(ns_simulation_create(&c, m, &s), row[_i].rc);
  if (s) {
    ck_assert_int_eq(ns_simulation_run(s, &c, NULL, NULL), NS_OK);
    ck_assert_double_eq_tol(ns_simulation_state(s)->v[1], 0.9, 0.011);
  }
  ns_simulation_destroy(s);
  ns_model_destroy(m);
}
END_TEST

/* A value that is not finite is a failure, with the state as it was. */
START_TEST(a_value_must_be_finite)
{
  run r = run_load(HEAD LINE RATE("1", "0.01")
                       EVENTS("<event id='e' at='0.5'><set name='x' value='1/u'/></event>"),
                   NULL);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(
      r.c.msg, "<event id=\"e\">: the value that <set> number 1 writes at t = 0.5 s is inf"));
  ck_assert_double_eq_tol(r.x->q[0], 0.5, 1e-13);
  run_end(&r);
}
END_TEST

/* ---- at jumps, event by event ---------------------------------------------------------------- */

#define DRIVEN(T) \
  "<simulation t0='%s' T='%s + " T "'><EventDriven h='0.01'><CVodeOSI/>" \
  "</EventDriven></simulation>"
#define TWO \
  "<systems><FirstOrderLinearTIDS id='s' states='x y' inputs='u'><x0>0 0</x0><b>1 0.5</b>" \
  "<z>0</z></FirstOrderLinearTIDS></systems>"
#define BOUNCING \
  "<systems><LagrangianLinearTIDS id='ball' coordinates='x' inputs='u'>" \
  "<q0>9.81/2</q0><fExt>-9.81</fExt><z>0</z></LagrangianLinearTIDS>"
#define FLOOR(law) \
  "<interactions><interaction id='ground' systems='ball'>" \
  "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" law "</interaction></interactions>"
#define BOX \
  "<systems><RigidBody2dDS id='ball'><q0>9.81/2 0 0</q0><mass>1</mass><inertia>1</inertia>" \
  "<fExt>-9.81 0</fExt><Disk radius='1'/></RigidBody2dDS></systems><contacts>" \
  "<NewtonImpactNSL e='0.5'/><HalfPlane normal='1 0' at='-1 0'/></contacts>"

/* A condition changes by the motion or by a jump: of what another event sets, of a velocity at an
 * impact, of a command. x = t; the ball falls for 1 s and then flies for 1 s, 0.5 s, ... It comes
 * to the ground at 9.81 m/s, and leaves it at 4.905, 2.4525, ... */
static const struct {
  const char *model;
  int nwant;
  struct {
    const char *id;
    double t;
  } want[8];
} jump[] = {
    /* by an event at a time, at a root, and of events by one another; y = t/2 */
    {HEAD TWO DRIVEN("3") EVENTS("<event id='a' at='%s + 0.9'><set name='y' value='y + 3'/></event>"
                                 "<event id='b' when='y > 1'><set name='y' value='-9'/></event>"),
     2,
     {{"a", 0.9}, {"b", 0.9}}},
    {HEAD TWO DRIVEN("3")
         EVENTS("<event id='a' when='x > 0.9'><set name='y' value='y + 3'/></event>"
                "<event id='c' when='x > 5'/>"
                "<event id='b' when='y > 1'><set name='x' value='x + 5'/></event>"),
     3,
     {{"a", 0.9}, {"b", 0.9}, {"c", 0.9}}},
    {HEAD TWO DRIVEN("3")
         EVENTS("<event id='b' when='2 > y' direction='both'/>"
                "<event id='d' when='y > 2' from='%s + 1'/>"
                "<event id='e' when='y > 2' direction='down'/>"
                "<event id='a' at='%s + 0.5, %s + 2'><set name='y' value='4 - y'/></event>"),
     /* 3.75 at 0.5, and 4.5 - 0.5 -> -0.5 at 2 */
     5,
     {{"a", 0.5}, {"b", 0.5}, {"a", 2}, {"b", 2}, {"e", 2}}},
    /* by impacts: of Lagrangian systems, of shapes, and beside a system of first order */
    {HEAD BOUNCING "</systems>" FLOOR("<NewtonImpactNSL e='0.5'/>") DRIVEN("2.7") EVENTS(
         "<event id='fast' when='v_x > 2'/><event id='slow' when='v_x > 3' direction='both'/>"),
     4,
     {{"fast", 1}, {"slow", 1}, {"slow", 1 + 1.905 / 9.81}, {"fast", 2}}},
    {HEAD BOX DRIVEN("2.7") EVENTS(
         "<event id='fast' when='v_x > 2'/><event id='slow' when='v_x > 3' direction='both'/>"),
     4,
     {{"fast", 1}, {"slow", 1}, {"slow", 1 + 1.905 / 9.81}, {"fast", 2}}},
    {HEAD BOUNCING
     "<FirstOrderLinearTIDS id='s' states='w'><x0>0</x0><b>ball.x</b></FirstOrderLinearTIDS>"
     "</systems>" FLOOR("<NewtonImpactNSL e='0.5'/>") DRIVEN("2.7") EVENTS(
         "<event id='fast' when='v_x > 2'/><event id='slow' when='v_x > 3' direction='both'/>"),
     4,
     {{"fast", 1}, {"slow", 1}, {"slow", 1 + 1.905 / 9.81}, {"fast", 2}}},
    /* by a command, sampled each 0.3 s: 1 from 0.6 s on */
    {HEAD TWO DRIVEN(
         "1") "<controls><control id='c' systems='s' period='0.3' writes='u'><update>x &gt; "
              "0.5</update></control></controls>" EVENTS(
                  "<event id='on' when='u > 0.5'/><event id='off' when='0.5 > u' "
                  "direction='both'/>"),
     2,
     {{"on", 0.6}, {"off", 0.6}}},
    /* none: what stays at zero is at rest, on whichever side rounding leaves it */
    {HEAD BOUNCING
     "<LagrangianLinearTIDS id='rest' coordinates='r'><q0>0</q0><fExt>-0.1</fExt>"
     "</LagrangianLinearTIDS></systems><interactions>"
     "<interaction id='pair' systems='ball rest'><LagrangianLinearTIR><H>1 0; 0 1</H>"
     "</LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction></interactions>" DRIVEN("2.7")
         EVENTS("<event id='moves' when='v_r > 0' direction='both'/>"
                "<event id='lifted' when='r > 0' direction='both'/>"
                "<event id='kick' at='%s + 0.5'><set name='u' value='1'/></event>"),
     1,
     {{"kick", 0.5}}},
};
#define JUMPS ((int)(sizeof jump / sizeof *jump))

/* text: the model with its t0. */
static void begin_at(const char *model, const char *t0, char *text, size_t size)
{
  size_t n = 0;
  for (const char *p = model; *p && n + 32 < size;) {
    if (p[0] == '%' && p[1] == 's') {
      n += (size_t)snprintf(text + n, size - n, "%s", t0);
      p += 2;
    } else text[n++] = *p++;
  }
  text[n] = 0;
}

START_TEST(conditions_change_by_jumps)
{
  static const char *const t0[] = {"0", "-1.25", "1000"};
  int k = _i % JUMPS;
  char text[8192];
  begin_at(jump[k].model, t0[_i / JUMPS], text, sizeof text);
  run r = run_whole(text);
  size_t n = 0;
  for (int i = 0; i < jump[k].nwant; i++)
    happened(&r, i, jump[k].want[i].id, atof(t0[_i / JUMPS]) + jump[k].want[i].t, 1e-8);
  for (size_t i = 0; i < r.got.nevents; i++) n += r.got.events[i].kind == NS_EVENT_USER;
  ck_assert_uint_eq(n, (size_t)jump[k].nwant);
  run_end(&r);
}
END_TEST

/* A jump ends a run, too; events whose sets undo each other end it with a message. */
START_TEST(stops_and_failures_by_jumps)
{
  char text[4096];
  begin_at(HEAD BOUNCING "</systems>" FLOOR("<NewtonImpactNSL e='0.5'/>") DRIVEN("3")
               EVENTS("<stop when='v_x > 2'/>"),
           "0", text, sizeof text);
  run r = run_whole(text);
  ck_assert_double_eq_tol(*r.x->t, 1, 1e-8);
  run_end(&r);
  begin_at(HEAD TWO DRIVEN("3")
               EVENTS("<event id='a' when='u > 0.5'><set name='u' value='0'/></event>"
                      "<event id='b' when='0.5 > u'><set name='u' value='1'/></event>"
                      "<event id='c' at='0.5'><set name='u' value='1'/></event>"),
           "0", text, sizeof text);
  r = run_load(text, NULL);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(r.c.msg, "each undoes the other"));
  run_end(&r);
}
END_TEST

/* ---- the state has it all -------------------------------------------------------------------- */

START_TEST(a_run_that_goes_on_gives_the_same_bytes)
{
  static const char model[] = HEAD BALL SCHEME("2", "1e-3", "MoreauJeanOSI")
      EVENTS("<event id='kick' every='0.0777'><set name='v_y' value='v_y + 1'/></event>"
             "<event id='back' when='y > 0.5'><set name='y' value='0'/></event>"
             "<event id='high' when='x > 0.1' direction='both'/>");
  run whole = run_load(model, NULL), pieces = run_load(model, NULL);
  ck_assert_int_eq(ns_simulation_run(whole.s, &whole.c, NULL, NULL), NS_OK);
  ns_watch w = {.max_steps = 13};
  int rc;
  do {
    ns_ctx c = {0};
    rc = ns_simulation_run(pieces.s, &c, NULL, &w);
  } while (rc == NS_STOPPED);
  ck_assert_int_eq(rc, NS_OK);
  ck_assert_int_eq(memcmp(whole.x->block, pieces.x->block, whole.x->bytes), 0);
  ck_assert_int_gt(ns_user_events_count(whole.m, whole.x, 1), 3);
  run_end(&whole);
  run_end(&pieces);
}
END_TEST

/* ---- several at one instant ------------------------------------------------------------------ */

enum { CHANGES = 24 };

/* A coil between two sources whose switches change over together (alone = 0), or at one source that
 * an event sets: by a coordinate with hysteresis, by times, by a velocity that impacts reverse. The
 * switches and their events are in either order. */
static double current(generator *g, int seed, int alone)
{
  static const char *const first[] = {"s.x", "u", "s.v_x"}, *const second[] = {"-s.x", "w",
                                                                               "-s.v_x"};
  int by = seed % 3, turned = seed / 3 % 2, closed = pick(g, 2);
  double up = between(g, 2, 9), down = between(g, -9, -2), on = between(g, 0.05, 0.4),
         off = -between(g, 0.05, 0.4), t1 = between(g, 0.1, 0.8), t2 = t1 + between(g, 0.1, 1),
         R = between(g, 0.5, 3), L = between(g, 0.02, 0.5), K = between(g, 20, 60),
         x0 = (closed ? 1 : -1) * between(g, 0.5, 0.9);
  const char *when = by == 2 ? "s.v_x" : "s.x";
  char limits[2][80] = {"", ""};
  for (int k = 0; k < 2 && by != 1; k++) {
    double high = k ? -off : on, low = k ? -on : off;
    snprintf(limits[k], sizeof limits[k], "on=%.17g off=%.17g ic=%d", high, low, closed != k);
  }
  g->length = 0;
  put(g, HEAD "<systems><netlist id='k' inputs='u w' z='%.17g %d'>\nR1 a b %.17g\nL1 b 0 %.17g\n",
      alone ? closed ? up : down : closed, !closed, R, L);
  if (alone) put(g, "V1 a 0 u\n");
  else put(g, "V1 p 0 %.17g\nV2 q 0 %.17g\n", up, down);
  for (int i = 0; i < 2 && !alone; i++) {
    int k = i != turned;
    put(g, "S%d %s a %s %s\n", k + 1, k ? "q" : "p", k ? second[by] : first[by], limits[k]);
  }
  put(g,
      "</netlist><LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><v0>%g</v0>"
      "<mass>1</mass><K>%.17g</K></LagrangianLinearTIDS></systems>",
      x0, by == 2 ? closed ? 1. : -1. : 0., by == 2 ? 0 : K);
  if (by == 2)
    put(g, "<interactions><interaction id='walls' systems='s'><LagrangianLinearTIR><H>1; "
           "-1</H><e>1 1</e></LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction>"
           "</interactions>");
  put(g, "<simulation T='3'><EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation><events>");
  if (by == 1)
    for (int i = 0; i < (alone ? 1 : 2); i++) {
      int k = i != turned && !alone;
      put(g, "<event id='e%d' at='%.17g %.17g'><set name='%s' value='", k, t1, t2, k ? "w" : "u");
      if (alone) put(g, "%.17g - u'/></event>", up + down);
      else put(g, "1 - %s'/></event>", k ? "w" : "u");
    }
  else if (alone)
    put(g,
        "<event id='on' when='%s > %.17g'><set name='u' value='%.17g'/></event>"
        "<event id='off' when='%.17g > %s'><set name='u' value='%.17g'/></event>",
        when, on, up, off, when, down);
  else put(g, "<event id='none' at='4'/>");
  put(g, "</events></model>");
  run r = run_load(g->text, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%d: %s\n%s", seed, r.c.msg, g->text);
  double i = run_at(&r, r.got.nrows - 1, "k.i_L1");
  ck_assert_uint_ge(r.got.nevents, 1);
  run_end(&r);
  return i;
}

/* The current has a path at every instant: no switch has changed while the other has not. */
START_TEST(events_of_one_instant_act_together)
{
  generator g = {.state = (unsigned long long)_i}, same = g;
  ck_assert_double_eq_tol(current(&g, _i, 0), current(&same, _i, 1), 1e-8);
}
END_TEST

/* What a driver that locates roots sees: margins, directions, the schedule; and what it applies. */
START_TEST(a_driver_can_ask_for_roots)
{
  run r = run_load(
      HEAD LINE RATE("1", "0.01")
          EVENTS("<event id='a' at='0.25 0.5'/><event id='b' when='x > 0.25' direction='both'/>"
                 "<stop when='2*x > 1'/>"),
      NULL);
  ns_state *x = (ns_state *)(uintptr_t)r.x;
  ns_observables o;
  ns_user_events *u;
  ns_user_outcome out = {0};
  double g[2];
  int k = -1;
  ck_assert_int_eq(ns_observables_create(&r.c, r.m, &o), NS_OK);
  ck_assert_int_eq(ns_user_events_create(&r.c, r.m, &o, x, &u), NS_OK);
  ck_assert_int_eq(ns_user_events_begin(u, &r.c, NULL, &out), NS_OK);
  ck_assert_int_eq(out.happened, 0);
  ck_assert_int_eq(ns_user_events_nroots(u), 2);
  x->q[0] = 0.375;
  ck_assert_int_eq(ns_user_events_roots(u, &r.c, x, g), NS_OK);
  ck_assert_double_eq(g[0], 0.125);
  ck_assert_double_eq(g[1], -0.25);
  ck_assert_int_eq(ns_user_events_direction(u, 0), 0);
  ck_assert_int_eq(ns_user_events_direction(u, 1), 1);
  ck_assert_int_eq(ns_user_events_of_root(u, 1), 2);
  ck_assert_double_eq(ns_user_events_next(u, &k), 0.25);
  ck_assert_int_eq(k, 0);
  ck_assert_int_eq(ns_user_events_happened(u, &r.c, NULL, 0, 0.25, &out), NS_OK);
  ck_assert_double_eq(ns_user_events_next(u, &k), 0.5);
  ck_assert_int_eq(ns_user_events_happened(u, &r.c, NULL, 2, 0.5, &out), NS_OK);
  ck_assert_int_eq(out.stop, 1);
  ck_assert_int_eq(out.happened, 2);
  ns_user_events_destroy(u);
  ns_observables_fini(&o);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("user-events");
  TCase *t = tcase_create("user-events");
  tcase_add_test(t, times_are_those_of_the_condition);
  tcase_add_test(t, sets_see_the_state_before);
  tcase_add_test(t, two_point_control);
  tcase_add_loop_test(t, energy_is_accounted_for, 0, 2);
  tcase_add_test(t, a_contact_that_lasts_is_left);
  tcase_add_test(t, a_state_that_is_set_is_a_new_start);
  tcase_add_test(t, a_stop_ends_the_run);
  tcase_add_test(t, a_stop_that_holds_at_the_start_makes_no_step);
  tcase_add_loop_test(t, two_step_schemes_take_inputs_alone, 0, 2);
  tcase_add_test(t, a_value_must_be_finite);
  tcase_add_loop_test(t, conditions_change_by_jumps, 0, 3 * JUMPS);
  tcase_add_test(t, stops_and_failures_by_jumps);
  tcase_add_test(t, a_run_that_goes_on_gives_the_same_bytes);
  tcase_add_loop_test(t, events_of_one_instant_act_together, 0, CHANGES);
  tcase_add_test(t, a_driver_can_ask_for_roots);
  suite_add_tcase(s, t);
  return suite_end(s);
}
