/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows on tendons of many bodies: bodies on slides against generalized coordinates, a rope through
 * rings in space time-stepping beside event-driven. */
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"

static run played(generator *g, double T, double h)
{
  char how[240];
  const char *lag = strstr(g->text, "'lag'") ? "<EulerMoreauOSI theta='0.5'/>" : "";
  size_t model = g->length;
  snprintf(how, sizeof how,
           h > 0 ? "<TimeStepping h='%.17g'><MoreauJeanOSI theta='0.5'/>%s</TimeStepping>"
                 : "<EventDriven h='0.05' certificate='on'><CVodeOSI relativeTolerance='1e-10' "
                   "absoluteTolerance='1e-12'/></EventDriven>",
           h, lag);
  put(g, "</interactions><simulation T='%.17g'>%s</simulation></model>", T, how);
  run r = run_load(g->text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  g->length = model;
  return r;
}

static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

enum { MAX = 16 };

/* Masses on slides, as bodies or as coordinates of one system each. */
typedef struct masses {
  int n;
  double mass[MAX], force[MAX], speed[MAX], stiffness[MAX], lever[MAX];
  double upper, lower, e, friction, friction2;
  int beside; /* there is a system of first order beside them */
  int kept;   /* the length is constant, without limits */
} masses;

static masses any_masses(generator *g, int n)
{
  masses k = {.n = n, .upper = between(g, 0.05, 0.2), .lower = between(g, -0.2, -0.05)};
  k.e = uniform(g);
  k.friction = between(g, 0, 4);
  k.friction2 = between(g, 0, 4);
  k.beside = pick(g, 2);
  k.kept = pick(g, 3) == 0;
  for (int i = 0; i < n; i++) {
    k.mass[i] = spread(g, 0.2, 3);
    k.force[i] = between(g, -5, 5);
    k.speed[i] = between(g, -2, 2);
    k.stiffness[i] = between(g, 0, 40);
    k.lever[i] = between(g, -1, 1);
  }
  return k;
}

/* Each along x, with a spring; the tendon runs over the slides. */
static void put_bodies(generator *g, const masses *k, int planar)
{
  put(g, HEAD "%s",
      k->beside ? "<FirstOrderLinearTIDS id='lag' states='s'><x0>1</x0><A>-1</A>"
                  "</FirstOrderLinearTIDS>"
                : "");
  for (int i = 0; i < k->n; i++)
    put(g,
        planar ? "<RigidBody2dDS id='b%d'><q0>0 %d 0</q0><v0>%.17g 0 0</v0><mass>%.17g</mass>"
                 "<inertia>1</inertia><fExt>%.17g 0</fExt></RigidBody2dDS>"
               : "<NewtonEulerDS id='b%d'><q0>0 %d 0 1 0 0 0</q0><v0>%.17g 0 0 0 0 0</v0>"
                 "<mass>%.17g</mass><inertia diag='1 1 1'/><fExt>%.17g 0 0</fExt></NewtonEulerDS>",
        i, i, k->speed[i], k->mass[i], k->force[i]);
  put(g, "</systems><interactions>");
  for (int i = 0; i < k->n; i++)
    put(g,
        "<interaction id='s%d' systems='b%d'><PrismaticJointR axis='1 0%s' stiffness='%.17g'/>"
        "<EqualityConditionNSL/></interaction>",
        i, i, planar ? "" : " 0", k->stiffness[i]);
  put(g, "<tendon id='t' joints='");
  for (int i = 0; i < k->n; i++) put(g, "s%d ", i);
  put(g, "' coefficients='");
  for (int i = 0; i < k->n; i++) put(g, "%.17g ", k->lever[i]);
  put(g, "' stiffness='0'/><interaction id='stop'>");
  if (k->kept) put(g, "<TendonLengthR tendon='t' length='0'/><EqualityConditionNSL/>");
  else
    put(g, "<TendonStopR tendon='t' lower='%.17g' upper='%.17g'/><NewtonImpactNSL e='%.17g'/>",
        k->lower, k->upper, k->e);
  put(g,
      "</interaction><interaction id='rub'><TendonFrictionR tendon='t'/><RelayNSL lb='-%.17g' "
      "ub='%.17g'/></interaction>",
      k->friction, k->friction2);
}

static void put_coordinates(generator *g, const masses *k)
{
  char all[200] = "", row[1000] = "", minus[1000] = "", *at[] = {all, row, minus};
  for (int i = 0; i < k->n; i++) {
    at[0] += sprintf(at[0], "c%d ", i);
    /* the slide of a joint with the world is that of the world relative to the body, -x */
    at[1] += sprintf(at[1], "%.17g ", -k->lever[i]);
    at[2] += sprintf(at[2], "%.17g ", k->lever[i]);
  }
  put(g, HEAD);
  for (int i = 0; i < k->n; i++)
    put(g,
        "<LagrangianLinearTIDS id='c%d' coordinates='x'><q0>0</q0><v0>%.17g</v0><mass>%.17g</mass>"
        "<K>%.17g</K><fExt>%.17g</fExt></LagrangianLinearTIDS>",
        i, k->speed[i], k->mass[i], k->stiffness[i], k->force[i]);
  put(g, "</systems><interactions><interaction id='stop' systems='%s'><LagrangianLinearTIR><H>%s",
      all, row);
  if (k->kept) put(g, "</H></LagrangianLinearTIR><EqualityConditionNSL/>");
  else
    put(g, "; %s</H><e>%.17g %.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/>", minus,
        -k->lower, k->upper, k->e);
  put(g,
      "</interaction><interaction id='rub' systems='%s'><LagrangianLinearTIR><H>%s</H>"
      "</LagrangianLinearTIR><RelayNSL lb='-%.17g' ub='%.17g'/></interaction>",
      all, minus, k->friction, k->friction2);
}

/* Over 5 to 16 bodies, in space and in the plane: limits and friction on the sum of the lengths are
 * those of the coordinates themselves. */
START_TEST(bodies_on_slides_are_coordinates)
{
  generator g = {.state = 700 + (unsigned long long)_i};
  int n = 5 + _i % 12, planar = _i / 2 % 2;
  masses k = any_masses(&g, n);
  double h = _i % 2 ? 0 : 2e-3;
  put_bodies(&g, &k, planar);
  run bodies = played(&g, 1.5, h);
  g.length = 0;
  put_coordinates(&g, &k);
  run plain = played(&g, 1.5, h);
  for (int i = 0; i < n; i++) {
    char a[16], b[16];
    snprintf(a, sizeof a, "b%d.x", i);
    snprintf(b, sizeof b, "c%d.x", i);
    ck_assert_double_eq_tol(last(&bodies, a), last(&plain, b), 1e-7);
    snprintf(a, sizeof a, "b%d.v_x", i);
    snprintf(b, sizeof b, "c%d.v_x", i);
    ck_assert_double_eq_tol(last(&bodies, a), last(&plain, b), 1e-6);
  }
  ck_assert_double_le(fabs(last(&bodies, "diagnostics.energy_defect")), 1e-6);
  run_end(&bodies), run_end(&plain);
}
END_TEST

/* A rope of fixed length through rings on free bodies that fly: what limits it, and its friction,
 * acts on all of them at once. */
START_TEST(rope_through_rings)
{
  generator g = {.state = 800 + (unsigned long long)_i};
  int n = 5 + _i;
  put(&g, HEAD);
  for (int i = 0; i < n; i++) {
    put(&g,
        "<NewtonEulerDS id='b%d'><q0>%d %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g %.17g 0 1"
        "</v0><mass>%.17g</mass><inertia diag='0.3 0.4 0.5'/><fExt>%.17g 0 0</fExt>"
        "</NewtonEulerDS>",
        i, i, between(&g, -0.3, 0.3), between(&g, -0.3, 0.3), between(&g, -1, 1),
        between(&g, -1, 1), between(&g, -1, 1), between(&g, -1, 1), between(&g, 0.5, 2),
        i == n - 1 ? 8. : 0.);
  }
  put(&g, "</systems><interactions><tendon id='t' systems='");
  for (int i = 0; i < n; i++) put(&g, "b%d ", i);
  put(&g, "' points='");
  for (int i = 0; i < n; i++) put(&g, "0.1 0 0.2 ");
  put(&g,
      "' stiffness='0'/><interaction id='stop'><TendonStopR tendon='t' upper='%.17g'/>"
      "<NewtonImpactNSL e='0'/></interaction><interaction id='rub'><TendonFrictionR tendon='t'/>"
      "<RelayNSL lb='-0.5' ub='0.5'/></interaction>",
      n * 1.1);
  run events = played(&g, 1, 0), steps[2];
  double error[2] = {0};
  static const double h[] = {2e-3, 1e-4};
  for (int k = 0; k < 2; k++) {
    steps[k] = played(&g, 1, h[k]);
    for (int i = 0; i < n; i++) {
      char label[16];
      snprintf(label, sizeof label, "b%d.x", i);
      error[k] = fmax(error[k], fabs(last(&steps[k], label) - last(&events, label)));
    }
    run_end(&steps[k]);
  }
  ck_assert_double_ge(events.x->cert->impacts, 1);
  /* O(h), as an impact falls where it likes in its step */
  for (int k = 0; k < 2; k++) ck_assert_double_le(error[k], 6 * h[k]);
  ck_assert_double_le(fabs(last(&events, "diagnostics.energy_defect")), 1e-6);
  run_end(&events);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, bodies_on_slides_are_coordinates, 0, some_of(24));
  tcase_add_loop_test(t, rope_through_rings, 0, some_of(6));
}

int main(void) { return suite_run("tendons of many bodies", fill); }
