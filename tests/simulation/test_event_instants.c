/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs in which something is met at an instant at which the flow starts again, exactly
 * or but for rounding: conditions of user events, and what switches by itself, against closed forms
 * of motions at constant speed. NSSIM_LONG in the environment: ten times as many. */
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"

static int how_many(int n) { return some_of(getenv("NSSIM_LONG") ? 10 * n : n); }

/* ---- what starts the flow again -------------------------------------------------------------- */

/* x moves at constant speed; y is only there to be pushed at instants. */
static const struct {
  const char *system, *more, *push, *flow;
} MOVING[] = {
    {"<FirstOrderLinearDS id='s' states='x y' inputs='p'><x0>%.17g 0</x0><b>%.17g p%s</b>"
     "<z>0</z></FirstOrderLinearDS>",
     "", "p", "CVodeOSI"},
    {"<FirstOrderLinearDS id='s' states='x y' inputs='p'><x0>%.17g 0</x0><b>%.17g p%s</b>"
     "<z>0</z></FirstOrderLinearDS>",
     "", "p", "IDAOSI"},
    {"<LagrangianLinearTIDS id='s' coordinates='x y' inputs='p'><q0>%.17g 0</q0><v0>%.17g 0</v0>"
     "<fExt>0 p%s</fExt><z>0</z></LagrangianLinearTIDS>",
     "", "p", "CVodeOSI"},
    {"<LagrangianLinearTIDS id='s' coordinates='x y' inputs='p'><q0>%.17g 0</q0><v0>%.17g 0</v0>"
     "<fExt>0 p%s</fExt><z>0</z></LagrangianLinearTIDS>",
     "", "p", "IDAOSI"},
    {"<LagrangianLinearTIDS id='s' coordinates='x y' inputs='p'><q0>%.17g 0</q0><v0>%.17g 0</v0>"
     "<fExt>0 p%s</fExt><z>0</z></LagrangianLinearTIDS>",
     "<FirstOrderLinearTIDS id='w' states='z'><x0>0</x0><b>1</b></FirstOrderLinearTIDS>", "p",
     "CVodeOSI"},
    {"<FirstOrderLinearDS id='s' states='x y' inputs='p'><x0>%.17g 0</x0><b>%.17g p%s</b>"
     "<z>0</z></FirstOrderLinearDS>",
     "<LagrangianLinearTIDS id='w' coordinates='z'><q0>1</q0><v0>1</v0></LagrangianLinearTIDS>",
     "p", "CVodeOSI"},
};

/* ---- conditions ------------------------------------------------------------------------------ */

/* A condition at t: 1 it begins to hold, -1 it ceases to; `direction` of its event. */
typedef struct meeting {
  double t;
  int change, direction;
} meeting;

/* Parts of a text. */
typedef struct parts {
  char formula[1000], tables[1000], events[6000], systems[2000], contacts[2000];
} parts;

#define ADD(to, ...) snprintf(to + strlen(to), sizeof to - strlen(to), __VA_ARGS__)

/* What starts the flow again at t: an event, the formula that pushes y, an impact. */
static void put_restart(generator *g, double t0, double t, const char *push, int k, parts *p)
{
  switch (pick(g, 8)) {
  case 0:
    ADD(p->events, "<event id='r%d' at='%.17g'><set name='%s' value='%d'/></event>", k, t, push, k);
    break;
  case 1: ADD(p->events, "<event id='r%d' at='%.17g'/>", k, t); break;
  case 2:
    ADD(p->events, "<event id='r%d' every='%.17g' from='%.17g'><set name='%s' value='%d'/></event>",
        k, (t - t0) / (1 + pick(g, 5)), t0, push, k);
    break;
  case 3:
    ADD(p->events, "<event id='r%d' when='t > %.17g'><set name='%s' value='%d'/></event>", k, t,
        push, k);
    break;
  case 4: ADD(p->formula, "+if(t&gt;%.17g,1,-1)", t); break;
  case 5:
    ADD(p->formula, "+corner%d(t)", k);
    ADD(p->tables, "<table id='corner%d' points='%.17g 0; %.17g 1; %.17g -1'/>", k, t0 - 1, t,
        t0 + 200);
    break;
  case 6:
    ADD(p->systems,
        "<LagrangianLinearTIDS id='ball%d' coordinates='b'><q0>%.17g</q0><v0>-1</v0>"
        "</LagrangianLinearTIDS>",
        k, t - t0);
    ADD(p->contacts,
        "<interaction id='wall%d' systems='ball%d'><LagrangianLinearTIR><H>1</H>"
        "</LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction>",
        k, k);
    break;
  default: ADD(p->formula, "+(t&lt;%.17g)*sin(t)", t);
  }
}

/* A condition that x or t meets at t. */
static meeting put_condition(generator *g, double t, double x, double v, int k, const char *push,
                             parts *p)
{
  static const char *const directions[] = {"down", "both", "up"};
  static const char *const forms[] = {"s.x > %.17g",
                                      "s.x >= %.17g",
                                      "%.17g > s.x",
                                      "s.x - %.17g",
                                      "%.17g - s.x",
                                      "s.x/3 - %.17g/3",
                                      "7.1*s.x - 7.1*%.17g",
                                      "1e6*(s.x - %.17g)",
                                      "exp(s.x/9 - %.17g) > 1",
                                      "t > %.17g",
                                      "t >= %.17g",
                                      "%.17g >= t",
                                      "(s.x - %.17g)/1e6",
                                      "tanh(0.1*(s.x - %.17g))"};
  int form = pick(g, (int)(sizeof forms / sizeof *forms)), of_t = form >= 9 && form <= 11,
      falls = form == 2 || form == 4 || form == 11;
  char when[200];
  snprintf(when, sizeof when, forms[form], of_t ? t : form == 8 ? x / 9 : x);
  meeting e = {.t = t, .direction = pick(g, 3) - 1};
  e.change = (of_t || v > 0 ? 1 : -1) * (falls ? -1 : 1);
  ADD(p->events, "<event id='c%d' when='%s' direction='%s'", k, when, directions[e.direction + 1]);
  if (pick(g, 2)) ADD(p->events, "/>");
  else ADD(p->events, "><set name='%s' value='-%d'/></event>", push, k + 1);
  return e;
}

enum { INSTANTS = 3, MEETINGS = 2 * INSTANTS };

static const double ends[] = {2, 2.1, 100, 0.7, 12.5}, starts[] = {0, 0, -1.25, 1000};

/* The model of these parts: `start` its state and rate, `span` t0, its length and h. */
static run load(int form, const parts *p, const double start[2], const double span[3], char *text,
                size_t size)
{
  char system[2000];
  snprintf(system, sizeof system, MOVING[form].system, start[0], start[1], p->formula);
  snprintf(text, size,
           HEAD "<parameters>%s</parameters><systems>%s%s%s</systems><interactions>%s"
                "</interactions><simulation t0='%.17g' T='%.17g'><EventDriven h='%.17g'><%s/>"
                "</EventDriven></simulation><events>%s<event id='never' at='5000'/></events>"
                "</model>",
           p->tables, system, MOVING[form].more, p->systems, p->contacts, span[0],
           span[0] + span[1], span[2], MOVING[form].flow, p->events);
  return run_load(text, NULL);
}

/* How many events of such a model are lost or happen twice. */
static int wrong_events(int seed, char *text, size_t size)
{
  generator g = {.state = 1000003ULL * (unsigned)seed};
  parts p = {{0}, {0}, {0}, {0}, {0}};
  int form = pick(&g, (int)(sizeof MOVING / sizeof *MOVING)), n = 0, wrong = 0;
  double t0 = starts[pick(&g, 4)], T = ends[pick(&g, 5)], x0 = between(&g, -2, 2),
         v = spread(&g, 0.1, 10) * (pick(&g, 3) ? 1 : -1), h = T / (1 + pick(&g, 60));
  if (pick(&g, 3) == 0) x0 = 0, v = 1;
  meeting e[MEETINGS];
  for (int k = 0; k < 1 + pick(&g, INSTANTS); k++) {
    double t = pick(&g, 2) ? T * (1 + pick(&g, 19)) / 20 : between(&g, 0.1, 0.99) * T;
    if (pick(&g, 4) == 0) t = floor(1 + 0.98 * t / h) * h;
    if (!(t < 0.995 * T)) continue;
    put_restart(&g, t0, t0 + t, MOVING[form].push, k, &p);
    for (int j = 0; j < 1 + pick(&g, 2); j++, n++)
      e[n] = put_condition(&g, t0 + t, x0 + v * t, v, n, MOVING[form].push, &p);
  }
  run r = load(form, &p, (double[]){x0, v}, (double[]){t0, T, h}, text, size);
  ck_assert_msg(run_keep(&r) == NS_OK, "%d: %s\n%s", seed, r.c.msg, text);
  for (int k = 0; k < n; k++) {
    char id[16];
    int got = 0, want = e[k].direction == 0 || e[k].direction == e[k].change;
    snprintf(id, sizeof id, "c%d", k);
    for (size_t i = 0; i < r.got.nevents; i++) {
      const ns_event *of = &r.got.events[i];
      if (of->kind != NS_EVENT_USER || strcmp(ns_event_id(r.m, of, NULL, 0), id) != 0) continue;
      got += fabs(of->t - e[k].t) <= 1e-8 * T ? 1 : 100;
    }
    wrong += got != want;
  }
  run_end(&r);
  return wrong;
}

/* A condition that is met at an instant at which the flow starts again, exactly or but for
 * rounding, is met once: its event is neither lost nor doubled. */
START_TEST(conditions_meet_known_times)
{
  int models = 0, first = -1, n = how_many(400);
  static char text[16384];
  for (int k = 0; k < n; k++) {
    int wrong = wrong_events(n * _i + k, text, sizeof text);
    models += wrong > 0;
    if (wrong && first < 0) first = n * _i + k;
  }
  ck_assert_msg(models == 0, "%d of %d models lose or double events, the first of seed %d", models,
                n, first);
}
END_TEST

/* Such a run that is stopped and goes on gives the same bytes. */
START_TEST(events_at_restarts_go_on_the_same)
{
  static char text[16384];
  wrong_events(_i, text, sizeof text);
  ck_assert(goes_on_the_same(text, &(change){0}, 3, (unsigned long)_i));
}
END_TEST

/* ---- what switches by itself ----------------------------------------------------------------- */

/* Something that switches at t, where x of its own has come to c, and w that is its sum over time:
 * which at the end is `want`. */
typedef struct threshold {
  char name[24];
  double want;
} threshold;

/* Sums from -before to after of functions of s, of which x - c = v s. */
static double of_sign(double v, double before, double after)
{
  return (v > 0 ? 1 : -1) * (after - before);
}
static double of_positive(double v, double before, double after)
{
  double span = v > 0 ? after : before;
  return fabs(v) * span * span / 2;
}
static double of_floor(double v, double before, double after)
{
  double sum = 0, step = 1 / fabs(v);
  for (double s = 0; s < after; s += step)
    sum += fmin(step, after - s) * (v > 0 ? round(s / step) : -1 - round(s / step));
  for (double s = 0; s < before; s += step)
    sum += fmin(step, before - s) * (v > 0 ? -1 - round(s / step) : round(s / step));
  return sum;
}

/* k is its number, and that of its system. */
static threshold put_threshold(generator *g, double before, double after, double c, double x0,
                               double v, int k, parts *p)
{
  static const struct {
    const char *formula;
    double (*sum)(double v, double before, double after);
  } forms[] = {{"sign(%s - %.17g)", of_sign},
               {"if(%s &gt; %.17g, 1, -1)", of_sign},
               {"1 - 2*(%s &lt;= %.17g)", of_sign},
               {"max(%s - %.17g, 0)", of_positive},
               {"floor(%s - %.17g)", of_floor}};
  int kind = pick(g, 7), form = pick(g, 5), mass = pick(g, 2);
  threshold e = {.want = forms[form].sum(v, before, after)};
  char text[200];
  snprintf(e.name, sizeof e.name, "u%d.%s", k, kind < 3 && mass ? "v_w" : "w");
  snprintf(text, sizeof text, forms[form].formula, kind == 0 ? "s.x" : "x", c);
  if (kind < 3 && mass)
    ADD(p->systems,
        "<LagrangianDS id='u%d' coordinates='x w'><mass>1 0; 0 1</mass><q0>%.17g 0</q0>"
        "<v0>%.17g 0</v0><fInt>0; -(%s)</fInt></LagrangianDS>",
        k, x0, v, text);
  else if (kind < 3)
    ADD(p->systems,
        "<FirstOrderNonLinearDS id='u%d' states='x w'><x0>%.17g 0</x0><f>%.17g; %s</f>"
        "</FirstOrderNonLinearDS>",
        k, x0, v, text);
  else if (kind < 5) {
    int diode = kind == 4;
    e.want = diode ? of_positive(-v, before, after) : -of_sign(v, before, after);
    ADD(p->systems,
        "<FirstOrderLinearDS id='u%d' states='x w'><x0>%.17g 0</x0><b>%.17g 0</b>"
        "</FirstOrderLinearDS>",
        k, x0, v);
    ADD(p->contacts,
        "<interaction id='row%d' systems='u%d'><FirstOrderLinearR><C>1 0</C>%s<B>0; 1</B>"
        "<e>%.17g</e></FirstOrderLinearR><%s/></interaction>",
        k, k, diode ? "<D>1</D>" : "", -c, diode ? "ComplementarityConditionNSL" : "RelayNSL");
  } else if (kind == 5) {
    e.want = v > 0 ? 2 * (1 - exp(-after)) : 0;
    snprintf(e.name, sizeof e.name, "u%d.i_L1", k);
    ADD(p->systems,
        "<netlist id='u%d'>\nV1 p 0 2\nS1 p a s.x - %.17g\nR1 a b 1\nL1 b 0 1\n"
        "</netlist>",
        k, c);
  } else {
    e.want = after;
    snprintf(e.name, sizeof e.name, "u%d.w", k);
    ADD(p->systems,
        "<LagrangianLinearTIDS id='u%d' coordinates='w'><q0>%.17g</q0><v0>-1</v0>"
        "</LagrangianLinearTIDS>",
        k, before);
    ADD(p->contacts,
        "<interaction id='row%d' systems='u%d'><LagrangianLinearTIR><H>1</H>"
        "</LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction>",
        k, k);
  }
  return e;
}

/* How many of such a model are elsewhere than expected. */
static int wrong_states(int seed, char *text, size_t size)
{
  generator g = {.state = 900001ULL * (unsigned)seed};
  parts p = {{0}, {0}, {0}, {0}, {0}};
  threshold e[MEETINGS];
  int form = pick(&g, (int)(sizeof MOVING / sizeof *MOVING)), n = 0, wrong = 0;
  double t0 = starts[pick(&g, 4)], T = ends[pick(&g, 5)], x0 = between(&g, -2, 2),
         v = spread(&g, 0.1, 10) * (pick(&g, 3) ? 1 : -1), h = T / (1 + pick(&g, 60));
  if (pick(&g, 3) == 0) x0 = 0, v = 1;
  for (int k = 0; k < 1 + pick(&g, INSTANTS); k++) {
    double t = pick(&g, 2) ? T * (1 + pick(&g, 19)) / 20 : between(&g, 0.1, 0.99) * T;
    put_restart(&g, t0, t0 + t, MOVING[form].push, k, &p);
    for (int j = 0; j < 1 + pick(&g, 2); j++, n++)
      e[n] = put_threshold(&g, t, T - t, x0 + v * t, x0, v, n, &p);
  }
  run r = load(form, &p, (double[]){x0, v}, (double[]){t0, T, h}, text, size);
  int rc = run_keep(&r);
  for (int k = 0; k < n && rc == NS_OK; k++) {
    double got = run_at(&r, r.got.nrows - 1, e[k].name);
    wrong += !(fabs(got - e[k].want) <= 1e-5 * (1 + fabs(e[k].want)));
  }
  run_end(&r);
  return rc != NS_OK || wrong;
}

/* Formulas that jump or have a corner, relays, diodes, switches and contacts that are met there are
 * met once. */
START_TEST(thresholds_are_met_at_known_times)
{
  int models = 0, first = -1, n = how_many(200);
  static char text[16384];
  for (int k = 0; k < n; k++) {
    int wrong = wrong_states(n * _i + k, text, sizeof text);
    models += wrong > 0;
    if (wrong && first < 0) first = n * _i + k;
  }
  ck_assert_msg(models == 0, "%d of %d models are wrong, the first of seed %d", models, n, first);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("event-instants");
  TCase *t = tcase_create("event-instants");
  tcase_set_timeout(t, 600);
  tcase_add_loop_test(t, conditions_meet_known_times, 0, 5);
  tcase_add_loop_test(t, events_at_restarts_go_on_the_same, 0, 120);
  tcase_add_loop_test(t, thresholds_are_met_at_known_times, 0, 5);
  suite_add_tcase(s, t);
  return suite_end(s);
}
