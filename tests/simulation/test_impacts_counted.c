/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts as an impact is the same for blocks as Lagrangian systems, as bodies in the plane and
 * as boxes in space: blocks in a row that slide on a floor until friction stops them. */
#include "support/run.h"

enum { BLOCKS = 5, WAYS = 3 };

typedef struct row {
  int n;
  double mass, gap, speed[BLOCKS], e;
} row;

static int mass_of(const row *k, int i) { return (int)(k->mass * (i + 1)); }

static size_t systems(char *t, size_t capacity, const row *k, int way)
{
  size_t w = (size_t)snprintf(t, capacity, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  for (int i = 0; i < k->n; i++) {
    double x = (0.2 + k->gap) * i, v = k->speed[i];
    int m = mass_of(k, i);
    if (way == 0)
      w += (size_t)snprintf(t + w, capacity - w,
                            "<LagrangianLinearTIDS id='b%d' coordinates='x y'><q0>%.17g 0.1</q0>"
                            "<v0>%g 0</v0><mass diag='%d %d'/><fExt>0 -9.81*%d</fExt>"
                            "</LagrangianLinearTIDS>",
                            i, x, v, m, m, m);
    else if (way == 1)
      w += (size_t)snprintf(t + w, capacity - w,
                            "<RigidBody2dDS id='b%d'><q0>%.17g 0.1 0</q0><v0>%g 0 0</v0>"
                            "<mass>%d</mass><inertia>%d*0.04/6</inertia><fExt>0 -9.81*%d</fExt>"
                            "<Rectangle size='0.2 0.2'/></RigidBody2dDS>",
                            i, x, v, m, m, m);
    else
      w += (size_t)snprintf(t + w, capacity - w,
                            "<NewtonEulerDS id='b%d'><q0>%.17g 0 0.1 1 0 0 0</q0><v0>%g 0 0 0 0 0"
                            "</v0><mass>%d</mass><inertia diag='1 1 1'/><fExt>0 0 -9.81*%d</fExt>"
                            "<Box size='0.2 0.2 0.2'/></NewtonEulerDS>",
                            i, x, v, m, m);
  }
  return w + (size_t)snprintf(t + w, capacity - w, "</systems>");
}

static size_t contacts(char *t, size_t capacity, const row *k, int way)
{
  size_t w = 0;
  if (way)
    return (size_t)snprintf(t, capacity,
                            "<contacts><NewtonImpactFrictionNSL en='%g' mu='0.3'/>%s</contacts>",
                            k->e, way == 1 ? "<HalfPlane/>" : "<Plane/>");
  w += (size_t)snprintf(t, capacity, "<interactions>");
  for (int i = 0; i < k->n; i++)
    w += (size_t)snprintf(t + w, capacity - w,
                          "<interaction id='f%d' systems='b%d'><LagrangianLinearTIR><H>0 1; 1 0</H>"
                          "<e>-0.1 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en='%g' "
                          "mu='0.3'/></interaction>",
                          i, i, k->e);
  for (int i = 0; i + 1 < k->n; i++)
    w += (size_t)snprintf(
        t + w, capacity - w,
        "<interaction id='c%d' systems='b%d b%d'><LagrangianLinearTIR><H>-1 0 1 0;"
        " 0 -1 0 1</H><e>-0.2 0</e></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='%g' mu='0.3'/></interaction>",
        i, i, i + 1, k->e);
  return w + (size_t)snprintf(t + w, capacity - w, "</interactions>");
}

/* Instants of impacts; their number. */
static int instants(const row *k, int way, double *t, int max)
{
  char text[8000];
  size_t w = systems(text, sizeof text, k, way);
  w += contacts(text + w, sizeof text - w, k, way);
  snprintf(text + w, sizeof text - w,
           "<simulation T='2'><TimeStepping h='1e-3'><MoreauJeanOSI/></TimeStepping></simulation>"
           "</model>");
  run r = run_play(text);
  int n = 0;
  for (size_t i = 0; i < r.got.nevents; i++) {
    const ns_event *e = &r.got.events[i];
    int known = n > 0 && t[n - 1] == e->t;
    if (e->kind == NS_EVENT_IMPACT && !known && n < max) t[n++] = e->t;
  }
  ck_assert_int_eq(r.x->cert->impacts > 0, n > 0);
  run_end(&r);
  return n;
}

/* They touch and slide together: what rests, at whatever speed it travels, has no impacts, neither
 * on the way nor when it stops. */
START_TEST(what_slides_together_has_no_impacts)
{
  static const row rows[] = {{2, 1, 0, {2, 2}, 0},
                             {3, 1, 0, {2, 2, 2}, 0},
                             {3, 3, 0, {-2, -2, -2}, 0.5},
                             {5, 1, 0, {2, 2, 2, 2, 2}, 0},
                             {5, 3, 0, {1, 1, 1, 1, 1}, 0.3}};
  double t[64];
  for (int way = 0; way < WAYS; way++) {
    int n = instants(&rows[_i], way, t, 64);
    ck_assert_msg(n == 0, "way %d: %d instants of impacts, the first at %g", way, n, t[0]);
  }
}
END_TEST

/* They meet at the same instants in all ways: also where the slowest of the impacts is slow. */
START_TEST(what_meets_has_the_same_impacts)
{
  static const row rows[] = {{2, 1, 0.05, {2, 0}, 0},
                             {2, 1, 0.05, {0.55, 0}, 0.5},
                             {3, 2, 0.02, {1.5, 0, 0}, 0},
                             {3, 1, 0.01, {1, 0, -1}, 0},
                             {5, 1, 0.01, {2, 0, 0, 0, 0}, 0}};
  double t[WAYS][64];
  int n = instants(&rows[_i], 0, t[0], 64);
  ck_assert_int_gt(n, 0);
  for (int way = 1; way < WAYS; way++) {
    int m = instants(&rows[_i], way, t[way], 64);
    ck_assert_msg(m == n, "way %d: %d instants, expected %d", way, m, n);
    for (int k = 0; k < n; k++) ck_assert_double_eq_tol(t[way][k], t[0][k], 2.5e-3);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, what_slides_together_has_no_impacts, 0, 5);
  tcase_add_loop_test(t, what_meets_has_the_same_impacts, 0, 5);
}

int main(void) { return suite_run("impacts counted", fill); }
