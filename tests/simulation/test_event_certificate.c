/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The certificate of event-driven runs: faults that are planted are found, runs that are right
 * hold, whatever the output grid. */
#include "integrators/dormand_prince.h"
#include "integrators/extrapolation.h"
#include "simulation/events/event_certificate.h"
#include "simulation/events/event_driven_modes.h"
#include "simulation/events/switching_parts.h"
#include "simulation/simulation_data.h"

#include "support/mechanics.h"
#include "support/random_model.h"

/* ---- the method ------------------------------------------------------------------------------ */

enum { MAX = 3 };

typedef struct method {
  ns_dormand_prince o;
  double k[NS_DORMAND_PRINCE_STAGES * MAX], point[MAX], times[NS_DORMAND_PRINCE_STAGES];
  int called;
  int power; /* of t, in the quadrature */
} method;

static void set(method *m, size_t n, int (*rate)(void *, double, const double *, double *))
{
  *m = (method){.power = m->power};
  m->o = (ns_dormand_prince){.of = m, .n = n, .rate = rate, .k = m->k, .point = m->point};
}

static int swing(void *of, double t, const double *x, double *f)
{
  (void)of, (void)t;
  f[0] = x[1];
  f[1] = -sin(x[0]);
  return 0;
}

static int power_of_time(void *of, double t, const double *x, double *f)
{
  const method *m = of;
  (void)x;
  f[0] = pow(t, m->power);
  return 0;
}

static int clock_rate(void *of, double t, const double *x, double *f)
{
  method *m = of;
  ck_assert_double_eq_tol(x[0], t, 1e-14);
  m->called++;
  f[0] = 1;
  return 0;
}

static const double ones[MAX] = {1, 1, 1};

static void steps(method *m, int n, double T, double *x)
{
  double to[MAX], error;
  for (int i = 0; i < n; i++) {
    m->o.rate(m, i * T / n, x, m->k);
    ck_assert_int_eq(ns_dormand_prince_step(&m->o, i * T / n, T / n, x, ones, to, &error), 0);
    memcpy(x, to, m->o.n * sizeof *x);
  }
}

START_TEST(the_method_has_order_eight)
{
  method m = {0};
  double fine[2] = {1, 0.5}, error[2];
  set(&m, 2, swing);
  steps(&m, 256, 4, fine);
  for (int i = 0; i < 2; i++) {
    double x[2] = {1, 0.5};
    steps(&m, 6 << i, 4, x);
    error[i] = hypot(x[0] - fine[0], x[1] - fine[1]);
  }
  ck_assert_double_ge(log2(error[0] / error[1]), 7.6);
  ck_assert_double_le(error[1], 1e-8);
}
END_TEST

/* Weights integrate powers up to 7, the nodes are the sums of rows. */
START_TEST(coefficients_are_those_of_order_eight)
{
  method m = {0};
  for (m.power = 0; m.power < 9; m.power++) {
    double x[1] = {0};
    set(&m, 1, power_of_time);
    steps(&m, 1, 1, x);
    double wrong = fabs(x[0] - 1.0 / (m.power + 1));
    if (m.power < 8) ck_assert_double_le(wrong, 1e-14);
    else ck_assert_double_ge(wrong, 1e-9);
  }
  double x[1] = {0};
  set(&m, 1, clock_rate);
  steps(&m, 1, 1, x);
  ck_assert_int_eq(m.called, NS_DORMAND_PRINCE_STAGES);
}
END_TEST

/* The estimate is of order 7, by the weights. */
START_TEST(the_error_is_estimated)
{
  double estimate[2], x[2] = {1, 0.5}, to[2];
  method m = {0};
  set(&m, 2, swing);
  swing(&m, 0, x, m.k);
  for (int i = 0; i < 2; i++)
    ns_dormand_prince_step(&m.o, 0, 0.8 / (1 + i), x, ones, to, &estimate[i]);
  ck_assert_double_ge(log2(estimate[0] / estimate[1]), 6.5);
  double weights[2] = {1e-3, 1e-3}, larger;
  ns_dormand_prince_step(&m.o, 0, 0.8, x, weights, to, &larger);
  ck_assert_double_eq_tol(larger / estimate[0], 1e3, 1e-6);
}
END_TEST

static int stiff(void *of, double t, const double *x, double *f)
{
  (void)of, (void)t;
  f[0] = -1e5 * (x[0] - x[1] * x[1]) + 2 * x[1] * cos(x[1]);
  f[1] = cos(x[1]);
  return 0;
}

/* x' = cos x beside what follows it at once. */
START_TEST(stiff_motion_is_followed_by_large_steps)
{
  double x[2] = {0.09, 0.3}, f[2], to[2], weight[2] = {1e-3, 1e-3}, small[2] = {1, 1}, error[2],
         wrong[2];
  ns_extrapolation o = {.n = 2, .rate = stiff};
  ns_arena *mem = ns_arena_create(0, 1);
  ck_assert_int_eq(ns_extrapolation_init(&o, mem), NS_OK);
  for (int i = 0; i < 2; i++) {
    double h = 0.8 / (1 << i), exact = asin(tanh(h + atanh(sin(0.3))));
    stiff(NULL, 0, x, f);
    ck_assert_int_eq(ns_extrapolation_jacobian(&o, 0, x, f, small), 0);
    ck_assert_int_eq(ns_extrapolation_step(&o, 0, h, x, weight, to, &error[i]), 0);
    wrong[i] = fmax(fabs(to[1] - exact), fabs(to[0] - exact * exact));
    ck_assert_double_le(wrong[i], 10 * 1e-3 * error[i]);
  }
  ck_assert_double_le(wrong[1], 2e-6);
  ck_assert_double_ge(log2(wrong[0] / wrong[1]), 4);
  ns_arena_destroy(mem);
}
END_TEST

/* ---- intervals ------------------------------------------------------------------------------- */

typedef struct planted {
  ns_event_driven_options options;
  ns_flow_problem flow;
  ns_certificate to;
  ns_event_certificate *by;
  ns_ctx c;
  double atol[2];
  double from, until; /* of a pulse of 10 */
  double jerk;        /* a law that fails from this time on */
} planted;

static int pushed(void *of, double t, const double *x, double *f)
{
  const planted *p = of;
  f[0] = x[1];
  f[1] = -x[0] + (t > p->from && t < p->until ? 10 : 0);
  return 0;
}

static const char *name(void *of, size_t i, char *buf, size_t size)
{
  (void)of;
  snprintf(buf, size, "unknown %zu", i);
  return buf;
}

static int laws(void *of, double t, const double *x, double error, ns_breach *worst)
{
  const planted *p = of;
  (void)x, (void)error;
  if (p->jerk > 0 && t >= p->jerk)
    *worst = (ns_breach){.by = 7, .value = 3, .what = "a law is broken by", .unit = "N"};
  return 0;
}

static const char *place(const void *of, int row, char *buf)
{
  (void)of, (void)row;
  return strcpy(buf, "model.xml:3: <interaction id=\"c\">");
}

static void plant(planted *p)
{
  p->options = (ns_event_driven_options){.rtol = 1e-10,
                                         .atol = 1e-12,
                                         .certificate = p->options.certificate,
                                         .method = p->options.method};
  p->atol[0] = p->atol[1] = 1e-12;
  p->flow = (ns_flow_problem){
      .of = p, .n = 2, .options = &p->options, .atol = p->atol, .rate = pushed, .name = name};
  ns_certified what = {
      .of = p, .flow = &p->flow, .judged = 2, .to = &p->to, .laws = laws, .place = place};
  ck_assert_int_eq(ns_event_certificate_create(&p->c, &what, &p->by), NS_OK);
}

/* From (1, 0) at 0 to the state at t of the motion without a pulse, and off it by `off`. */
static int goes(planted *p, double t, double off, int event)
{
  double x0[2] = {1, 0}, x[2] = {cos(t) + off, -sin(t)};
  ns_event_certificate_begin(p->by, 0, x0, 0);
  return ns_event_certificate_check(p->by, &p->c, t, x, 100, event);
}

static void is_refused(const planted *p, int rc, const char *word)
{
  ck_assert_int_eq(rc, NS_NUMERIC);
  ck_assert_msg(strstr(p->c.msg, word) != NULL, "'%s' is not in: %s", word, p->c.msg);
}

START_TEST(right_states_hold)
{
  planted p = {0};
  plant(&p);
  for (int i = 1; i < 30; i++) ck_assert_msg(goes(&p, 0.1 * i, 0, i % 2) == NS_OK, "%s", p.c.msg);
  ck_assert_double_le(p.to.motion_defect, 0.1);
  ck_assert_double_gt(p.to.checked, 40);
  ns_event_certificate_destroy(p.by);
}
END_TEST

/* One that is off by 1e-5; one that a pulse should have moved, which the integrator has passed
 * over; one in whose midst a law breaks. */
START_TEST(wrong_states_are_found)
{
  static const struct {
    double off, from, until, jerk;
    const char *word;
  } fault[] = {{1e-5, 0, 0, 0, "unknown 0 has reached"},
               {0, 0.3, 0.6, 0, "jumps there"},
               {0, 0, 0, 0.5, "a law is broken by 3 N"}};
  planted p = {.from = fault[_i].from, .until = fault[_i].until, .jerk = fault[_i].jerk};
  plant(&p);
  is_refused(&p, goes(&p, 2, fault[_i].off, 0), fault[_i].word);
  ns_event_certificate_destroy(p.by);
}
END_TEST

/* A flow that is implicit goes far in a few evaluations. */
START_TEST(stiff_states_are_checked)
{
  static const double off[] = {0, 1e-4};
  planted p = {.options = {.method = NS_FLOW_BDF}};
  plant(&p);
  p.flow.rate = stiff;
  double T = 2, x0[2] = {0.09, 0.3}, exact = asin(tanh(T + atanh(sin(0.3)))),
         x[2] = {exact * exact, exact + off[_i]};
  ns_event_certificate_begin(p.by, 0, x0, 0);
  int rc = ns_event_certificate_check(p.by, &p.c, T, x, 3000, 1);
  if (_i) is_refused(&p, rc, "unknown 1 has reached");
  else ck_assert_msg(rc == NS_OK && p.to.checked == T, "%s", p.c.msg);
  ns_event_certificate_destroy(p.by);
}
END_TEST

/* 0.5 is an end of intervals, 1.2 and 1.3 lie inside one. */
START_TEST(known_times_are_ends_of_intervals)
{
  static const double times[] = {0, 0.5, 1.2, 1.3};
  planted p = {.options = {.certificate = _i ? NS_CERTIFICATE_LAWS : NS_CERTIFICATE_ON}};
  plant(&p);
  ns_event_certificate_known(p.by, times, 4);
  double x[2] = {1, 0};
  for (int i = 0; i < 2; i++) {
    double t = 0.5 * (i + 1), to[2] = {cos(t), -sin(t)};
    ns_event_certificate_begin(p.by, t - 0.5, x, 0);
    ck_assert_msg(ns_event_certificate_check(p.by, &p.c, t, to, 100, 1) == NS_OK, "%s", p.c.msg);
    memcpy(x, to, sizeof x);
  }
  is_refused(&p, ns_event_certificate_check(p.by, &p.c, 2, x, 200, 0), "at t = 1.2");
  ns_event_certificate_destroy(p.by);
}
END_TEST

/* Between events an interval lasts until the integrator has worked enough; an event ends it. */
START_TEST(intervals_are_as_long_as_work_allows)
{
  planted p = {0};
  double x0[2] = {1, 0}, x[2] = {cos(0.1), -sin(0.1)};
  plant(&p);
  ns_event_certificate_begin(p.by, 0, x0, 0);
  ck_assert_int_eq(ns_event_certificate_check(p.by, &p.c, 0.1, x, 5, 0), NS_OK);
  ck_assert_double_eq(p.to.checked, 0);
  ck_assert_int_eq(ns_event_certificate_check(p.by, &p.c, 0.1, x, 5, 1), NS_OK);
  ck_assert_double_eq(p.to.checked, 0.1);
  ns_event_certificate_destroy(p.by);
}
END_TEST

START_TEST(it_can_be_switched_off)
{
  planted off = {.options = {.certificate = NS_CERTIFICATE_OFF}},
          few = {.options = {.certificate = NS_CERTIFICATE_LAWS}};
  ns_breach b = {.by = 2, .value = 1, .what = "it pulls with", .unit = "N"};
  plant(&off);
  ck_assert_ptr_null(off.by);
  ck_assert_int_eq(goes(&off, 2, 1, 1), NS_OK);
  ck_assert_int_eq(ns_event_certificate_event(off.by, &off.c, 1, &b), NS_OK);
  plant(&few);
  ck_assert_int_eq(goes(&few, 2, 1, 1), NS_OK);
  is_refused(&few, ns_event_certificate_event(few.by, &few.c, 1, &b), "model.xml:3");
  ck_assert_double_eq(few.to.event_breach, 2);
  ns_event_certificate_destroy(few.by);
}
END_TEST

/* ---- engines --------------------------------------------------------------------------------- */

#define FLOATING(force) \
  "<systems><LagrangianLinearTIDS id='b' " \
  "coordinates='x'><q0>0.5</q0><fExt>" force "</fExt></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='g' " \
  "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0'/>" \
  "</interaction></interactions><simulation T='4'><EventDriven h='0.125' " \
  "certificate='on'><CVodeOSI/></EventDriven></simulation>"

static int step_until(run *r, double t)
{
  int rc = *r->x->t > 0 ? NS_OK : r->s->ops->start(r->s->self, &r->c);
  while (!rc && *r->x->t < t) rc = r->s->ops->step(r->s->self, &r->c, NULL);
  return rc;
}

static event_driven *engine(run *r) { return r->s->self; }

static void ends_with(run *r, double t, const char *word)
{
  int rc = step_until(r, t);
  ck_assert_int_eq(rc, NS_NUMERIC);
  ck_assert_msg(strstr(r->c.msg, "certificate") && strstr(r->c.msg, word), "'%s' is not in: %s",
                word, r->c.msg);
  run_end(r);
}

/* The ball rests; its contact is taken for open: it sinks. */
START_TEST(a_mode_that_is_wrong_is_found)
{
  run r = mechanics(FLOATING("-9.81"));
  ck_assert_int_eq(step_until(&r, 1), NS_OK);
  event_driven *o = engine(&r);
  ck_assert_int_eq(o->mode[0], NS_ED_CLOSED);
  o->run.c = &r.c;
  ns_ed_set(o, 0, NS_ED_FREE);
  ck_assert_int_eq(ns_ed_hold(o, *r.x->t, r.x->q, r.x->v), NS_OK);
  ns_ed_pack(o);
  o->run.direction[0] = o->run.direction[1] = 0;
  o->run.problem.nroots = 0;
  ns_event_certificate_begin(o->run.certificate, *r.x->t, o->run.unknown, 0);
  double *x = o->run.unknown; /* as a flow that sees no roots would go on */
  for (int i = 1; i <= 4; i++) {
    double t = 0.05 * i, far[4] = {x[0] - 9.81 * t * t / 2, -9.81 * t};
    memcpy(o->s.x->q, far, sizeof(double));
    int rc = ns_event_certificate_check(o->run.certificate, &r.c, *r.x->t + t, far, 1000 * i, 0);
    if (rc) {
      ck_assert_msg(strstr(r.c.msg, "overlap") != NULL, "%s", r.c.msg);
      run_end(&r);
      return;
    }
  }
  ck_abort_msg("a ball in the ground is not seen");
}
END_TEST

/* It would leave at pi/6; nobody looks at its force. */
START_TEST(an_event_that_is_left_out_is_found)
{
  run r = mechanics(FLOATING("-9.81+19.62*sin(t)"));
  event_driven *o = engine(&r);
  o->s.x->q[0] = 0;
  ck_assert_int_eq(step_until(&r, 0.25), NS_OK);
  ck_assert_int_eq(o->mode[0], NS_ED_CLOSED);
  memset(o->run.direction, 0, 2);
  o->asks_forces = 0;
  ck_assert_int_eq(
      o->run.ops->restart(o->run.flow, &r.c, *r.x->t, o->run.unknown, o->run.direction), NS_OK);
  ends_with(&r, 4, "pulls with");
}
END_TEST

/* The flow goes on from a state that is not the one that it came to. */
START_TEST(a_state_that_is_wrong_is_found)
{
  run r = mechanics(FLOATING("9.81*sin(3*t)"));
  event_driven *o = engine(&r);
  ck_assert_int_eq(step_until(&r, 0.5), NS_OK);
  ns_ed_pack(o);
  o->run.unknown[0] += 1e-4;
  ck_assert_int_eq(
      o->run.ops->restart(o->run.flow, &r.c, *r.x->t, o->run.unknown, o->run.direction), NS_OK);
  ends_with(&r, 4, "coordinate x of b has reached");
}
END_TEST

static int no_roots(void *of, double t, const double *x, double *g)
{
  (void)of, (void)t, (void)x;
  g[0] = g[1] = 1;
  return 0;
}

/* A diode that goes on to conduct. */
START_TEST(a_switch_that_is_left_out_is_found)
{
  run r = mechanics(
      "<systems><FirstOrderLinearDS id='c' "
      "states='x'><x0>0.5</x0><A>0</A><b>-1+2*sin(t)</b></FirstOrderLinearDS></systems>"
      "<interactions><interaction id='d' "
      "systems='c'><FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR>"
      "<ComplementarityConditionNSL/></interaction></interactions><simulation T='4'><EventDriven "
      "h='0.125' certificate='on'>"
      "<CVodeOSI/></EventDriven></simulation>");
  switching *o = r.s->self;
  o->x->q[0] = 0;
  ck_assert_int_eq(step_until(&r, 0.25), NS_OK);
  ck_assert(ns_sw_is_equality(o, 0));
  memset(o->run.direction, 0, 2); /* nobody looks at lambda, which falls below 0 at pi/6 */
  ck_assert_int_eq(o->run.ops->restart(o->run.flow, &r.c, *r.x->t, o->x->q, o->run.direction),
                   NS_OK);
  o->run.problem.roots = no_roots;
  ends_with(&r, 4, "lambda is beyond its bounds by");
}
END_TEST

/* A force that stands in a narrow place, which a body without other forces passes within one step
 * of the integrator: a run that saw nothing of it says so; with steps that are short enough the
 * certificate holds, and the speed is that of the impulse. */
START_TEST(a_force_that_comes_and_goes_is_found)
{
  double at = 0.31 + 0.117 * _i, width = 5e-3, speed = 4;
  for (int sees = 0; sees < 2; sees++) {
    run r = mechanics("<systems><LagrangianDS id='b' coordinates='x y'><q0>0 0</q0><v0>%.17g 0</v0>"
                      "<mass diag='1 1'/><fInt>0, -50*exp(-((x - %.17g)/%.17g)^2)</fInt>"
                      "</LagrangianDS></systems><simulation T='1'><EventDriven h='0.1'><CVodeOSI "
                      "maxStep='%g'/></EventDriven></simulation>",
                      speed, speed * at, width, sees ? 5e-4 : 2.);
    int rc = run_keep(&r);
    if (sees) {
      ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
      ck_assert_double_eq_tol(r.x->v[1], 50 * width * sqrt(M_PI) / speed, 1e-8);
    } else if (rc == NS_OK)
      ck_assert_double_eq_tol(r.x->v[1], 50 * width * sqrt(M_PI) / speed, 1e-6);
    else {
      ck_assert_int_eq(rc, NS_NUMERIC);
      ck_assert_msg(strstr(r.c.msg, "the certificate does not hold"), "%s", r.c.msg);
    }
    run_end(&r);
  }
}
END_TEST

/* One that is as wide as a part of the run is met by every integrator, in each kind of run. */
START_TEST(a_force_of_some_width_is_met)
{
  static const char *const by[] = {"<CVodeOSI/>",
                                   "<CVodeOSI method='bdf' relativeTolerance='1e-9'/>",
                                   "<IDAOSI relativeTolerance='1e-9'/>", "<LsodarOSI/>"};
  static const char *const of[] = {
      "<LagrangianDS id='b' coordinates='x y'><q0>0 0</q0><v0>%.17g 0</v0><mass diag='1 1'/>"
      "<fInt>0, -50*exp(-((x - %.17g)/%.17g)^2)</fInt></LagrangianDS>",
      "<FirstOrderNonLinearDS id='b' states='x y'><x0>0 0</x0><f>%.17g, "
      "50*exp(-((x - %.17g)/%.17g)^2)</f></FirstOrderNonLinearDS>",
      "<LagrangianDS id='b' coordinates='x y'><q0>0 0</q0><v0>%.17g 0</v0><mass diag='1 1'/>"
      "<fInt>0, -50*exp(-((x - %.17g)/%.17g)^2)</fInt></LagrangianDS>"
      "<FirstOrderLinearDS id='z' states='z'><x0>0</x0><A>-1</A></FirstOrderLinearDS>"};
  int kind = _i / 4;
  for (int k = 0; k < 12; k++) {
    char systems[1024];
    double at = 0.05 + 0.0713 * k, speed = 4 + 0.3 * k, width = 6e-3 * speed;
    snprintf(systems, sizeof systems, of[kind], speed, speed * at, width);
    run r = mechanics("<systems>%s</systems><simulation T='1'><EventDriven h='0.1'>%s"
                      "</EventDriven></simulation>",
                      systems, by[_i % 4]);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
    double y = kind == 1 ? r.x->q[1] : r.x->v[1];
    ck_assert_double_eq_tol(y, 50 * width * sqrt(M_PI) / speed, 1e-6);
    run_end(&r);
  }
}
END_TEST

/* What a force does that begins at nothing, far from a wall with friction: energies are as small as
 * the tolerances of their work. The run holds; work that nothing has done is found. */
START_TEST(small_energies_are_known_to_tolerances)
{
  static const char *const by[] = {"", " method='bdf'"};
  generator g = {.state = 1100 + (unsigned)_i};
  double mass = spread(&g, 0.1, 10), push = between(&g, 1, 5), h = spread(&g, 0.001, 0.01);
  run r = mechanics("<systems><LagrangianDS id='b' coordinates='x y'><q0>0 0</q0><v0>0 0</v0>"
                    "<mass diag='%.17g %.17g'/><fExt>-%.17g*t^2 0</fExt></LagrangianDS></systems>"
                    "<interactions><interaction id='c' systems='b'><LagrangianLinearTIR><H>1 0; 0 1"
                    "</H><e>%.17g 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0.5' "
                    "mu='0.3'/></interaction></interactions><simulation T='%.17g'><EventDriven "
                    "h='%.17g' certificate='on'><CVodeOSI%s/></EventDriven></simulation>",
                    mass, mass, push, between(&g, 1, 2), between(&g, 1, 3), h, by[_i % 2]);
  event_driven *o = engine(&r);
  int rc = step_until(&r, 0.3);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  ck_assert_double_le(r.x->cert->law_breach, 1);
  ck_assert_int_ge(o->work_at, 0);
  ns_ed_pack(o);
  o->run.unknown[o->work_at] += 1e-2 * r.x->cert->kinetic;
  ck_assert_int_eq(
      o->run.ops->restart(o->run.flow, &r.c, *r.x->t, o->run.unknown, o->run.direction), NS_OK);
  ends_with(&r, 0.3 + 2 * h, "energy defect");
}
END_TEST

/* Light bodies have energies far below the absolute tolerances of lengths and velocities, which say
 * nothing about them: a hundredth of them that is missing is found. */
START_TEST(energies_of_light_bodies_are_judged)
{
  generator g = {.state = 1200 + (unsigned)_i};
  double mass = spread(&g, 1e-18, 1e-10), v = between(&g, 0.5, 2), f = mass * between(&g, 1, 10);
  run r = mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x'><q0>%.17g</q0><v0>%.17g"
                    "</v0><mass diag='%.17g'/><fExt>-%.17g</fExt></LagrangianLinearTIDS></systems>"
                    "<simulation T='1'><EventDriven h='0.01' certificate='on'><CVodeOSI/>"
                    "</EventDriven></simulation>",
                    between(&g, 0, 1), v, mass, f);
  ck_assert_msg(step_until(&r, 0.3) == NS_OK, "%s", r.c.msg);
  ck_assert_double_le(r.x->cert->law_breach, 1);
  r.x->cert->energy0 *= 1.01;
  ends_with(&r, 0.33, "energy defect");
}
END_TEST

/* Numbers of a run do not depend on the grid of its rows. */
START_TEST(the_grid_has_no_say)
{
  double checked[2];
  for (int i = 0; i < 2; i++) {
    run r = mechanics("<systems><LagrangianLinearTIDS id='b' "
                      "coordinates='x'><q0>0.5</q0><K>40</K><fExt>-30+5*sin(7*t)</fExt>"
                      "</LagrangianLinearTIDS></systems><interactions><interaction id='g' "
                      "systems='b'><LagrangianLinearTIR><H>1</H>"
                      "</LagrangianLinearTIR><NewtonImpactNSL "
                      "e='0.8'/></interaction></interactions><simulation T='4'>"
                      "<EventDriven h='%s' certificate='on'><CVodeOSI/></EventDriven></simulation>",
                      i ? "0.5" : "0.002");
    run_all(&r);
    ck_assert_double_le(r.x->cert->motion_defect, 0.1);
    ck_assert_double_le(r.x->cert->law_breach, 0.1);
    ck_assert_double_le(r.x->cert->event_breach, 0.1);
    checked[i] = r.x->cert->checked;
    run_end(&r);
  }
  ck_assert_double_ge(checked[0], 3.9);
  ck_assert_double_ge(checked[1], 3.9);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, the_method_has_order_eight);
  tcase_add_test(t, coefficients_are_those_of_order_eight);
  tcase_add_test(t, the_error_is_estimated);
  tcase_add_test(t, stiff_motion_is_followed_by_large_steps);
  tcase_add_loop_test(t, stiff_states_are_checked, 0, 2);
  tcase_add_test(t, right_states_hold);
  tcase_add_loop_test(t, known_times_are_ends_of_intervals, 0, 2);
  tcase_add_loop_test(t, wrong_states_are_found, 0, 3);
  tcase_add_test(t, intervals_are_as_long_as_work_allows);
  tcase_add_test(t, it_can_be_switched_off);
  tcase_add_test(t, a_mode_that_is_wrong_is_found);
  tcase_add_test(t, an_event_that_is_left_out_is_found);
  tcase_add_test(t, a_state_that_is_wrong_is_found);
  tcase_add_test(t, a_switch_that_is_left_out_is_found);
  tcase_add_loop_test(t, a_force_that_comes_and_goes_is_found, 0, 6);
  tcase_add_loop_test(t, a_force_of_some_width_is_met, 0, 12);
  tcase_add_loop_test(t, energies_of_light_bodies_are_judged, 0, 20);
  tcase_add_loop_test(t, small_energies_are_known_to_tolerances, 0, 40);
  tcase_add_test(t, the_grid_has_no_say);
}

int main(void) { return suite_run("event_certificate", fill); }
