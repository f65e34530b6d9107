/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady motion, diagonal masses under constant forces: the step that the driver does itself has
 * the bytes of the integrator's. */
#include "support/run.h"

/* Balls above each other and a floor, n of them; the lowest falls first. theta and gamma are not
 * those of the default. */
static void column(char *text, size_t capacity, int n, const char *scheme)
{
  size_t w = (size_t)snprintf(
      text, capacity,
      "<model xmlns='urn:nssim:model:1' name='m'><systems><repeat index='i' from='1' to='%d'>"
      "<LagrangianLinearTIDS id='b{i}' coordinates='x y'><q0>0.3*i 0</q0><v0>0 0.1*i</v0><mass "
      "diag='1+0.1*i 2'/>"
      "<fExt>-9.81*(1+0.1*i) 0.2</fExt></LagrangianLinearTIDS></repeat></systems><interactions>"
      "<interaction id='floor' systems='b1'><LagrangianLinearTIR><H>1 "
      "0</H><e>-0.1</e></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.7'/></interaction>",
      n);
  if (n > 1)
    w += (size_t)snprintf(
        text + w, capacity - w,
        "<repeat index='i' from='2' to='%d'><interaction id='c{i}' systems='b{i-1} b{i}'>"
        "<LagrangianLinearTIR><H>-1 0 1 0</H><e>-0.2</e></LagrangianLinearTIR><NewtonImpactNSL "
        "e='0.5'/></interaction>"
        "</repeat>",
        n);
  snprintf(text + w, capacity - w,
           "</interactions><simulation T='3'><TimeStepping "
           "h='0.004'>%s</TimeStepping></simulation></model>",
           scheme);
}

static void see(void *to, long long step, double t, const ns_shown *p, const ns_outcome *out)
{
  (void)step, (void)t, (void)p, (void)out;
  ++*(int *)to;
}

/* Where problems are looked at, the integrator does all steps. */
START_TEST(it_has_the_bytes_of_the_integrator)
{
  static const char *const scheme[] = {
      "<MoreauJeanOSI/>", "<MoreauJeanOSI theta='0.8' gamma='0.2'/>",
      "<MoreauJeanOSI/><LCP solver='pgs'/>", "<MoreauJeanOSI/><LCP storage='sparse'/>"};
  char text[2048];
  int seen = 0;
  column(text, sizeof text, _i < 4 ? 1 : 3, scheme[_i % 4]);
  run a = run_load(text, NULL), b = run_load(text, NULL);
  ns_watch w = {.problem = see, .to = &seen};
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, NULL), NS_OK);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, &w), NS_OK);
  ck_assert_int_gt(seen, 100);
  ck_assert_int_gt((int)a.x->cert->impacts, 5);
  ck_assert_mem_eq(a.x->block, b.x->block, a.x->bytes);
  run_end(&a);
  run_end(&b);
}
END_TEST

START_TEST(what_overflows_is_named_and_the_last_state_kept)
{
  run r = run_load("<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS "
                   "id='s' coordinates='x'><q0>0</q0><mass>1</mass>"
                   "<fExt>1e153</fExt></LagrangianLinearTIDS></systems><simulation "
                   "T='100'><TimeStepping h='1'><MoreauJeanOSI/>"
                   "</TimeStepping></simulation></model>",
                   NULL);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(
      r.c.msg, "<LagrangianLinearTIDS id=\"s\">: coordinate x overflowed in the step from t = "));
  ck_assert_double_eq_tol(r.x->v[0] / 1e153, *r.x->t, 1e-13);
  ck_assert_double_gt(*r.x->t, 10);
  ck_assert(isfinite(r.x->cert->kinetic + r.x->cert->potential));
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, it_has_the_bytes_of_the_integrator, 0, 8);
  tcase_add_test(t, what_overflows_is_named_and_the_last_state_kept);
}

int main(void) { return suite_run("steady motion", fill); }
