/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_bench -- time of a step of rigid bodies: three beams on four joints above a floor, a ball
 * with friction and direct projection on a plane, a free body; the least and the median of many
 * runs. Run from the top folder. */
#include "model/relations/rigid_relation.h"
#include "simulation/simulation.h"
#include "simulation/step/strategy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static ns_ctx c;

static void *must(void *p)
{
  if (p) return p;
  fprintf(stderr, "%s\n", *c.msg ? c.msg : "out of memory");
  exit(1);
}

/* us that this process had a core: what else the machine does in between is no matter. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static const void *copied(ns_model *m, const void *from, size_t n, size_t size)
{
  return must(ns_arena_copy(m->arena, from, n, size));
}

static ns_operator vector(ns_model *m, const double *x)
{
  return (ns_operator){
      .how = NS_OP_CONSTANT, .rows = 3, .cols = 1, .value = copied(m, x, 3, sizeof *x)};
}

/* ---- models ---------------------------------------------------------------------------------- */

static void body(ns_model *m, const double *I, const double *q, const double *v,
                 const double *weight)
{
  ns_system s = {.at = {.element = "NewtonEulerDS"},
                 .n = 6,
                 .q0 = copied(m, q, 7, sizeof *q),
                 .v0 = copied(m, v, 6, sizeof *v)};
  for (int k = 0; ns_system_kinds[k]; k++)
    if (!strcmp(ns_system_kinds[k]->name, "NewtonEulerDS")) s.kind = ns_system_kinds[k];
  s.rigid.mass = 1;
  s.rigid.inertia = must(ns_arena_zero(m->arena, 9, sizeof *I));
  for (int i = 0; i < 3; i++) s.rigid.inertia[4 * i] = I[i];
  if (weight) s.rigid.fext = vector(m, weight);
  ns_model_add_system(m, &c, &s);
}

static ns_interaction between(ns_model *m, const char *relation, const char *law, int rows, int a,
                              int b)
{
  static const double low[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  static const double high[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  int s[2] = {a, b};
  ns_interaction it = {.m = rows,
                       .nsystems = b < 0 ? 1 : 2,
                       .systems = copied(m, s, 2, sizeof *s),
                       .at = {.element = relation},
                       .nQ = b < 0 ? 7 : 14};
  for (int k = 0; ns_relation_kinds[k]; k++)
    if (!strcmp(ns_relation_kinds[k]->name, relation)) it.relation = ns_relation_kinds[k];
  for (int k = 0; ns_law_kinds[k]; k++)
    if (!strcmp(ns_law_kinds[k]->name, law)) it.law.ops = ns_law_kinds[k];
  if (ns_law_is_box(it.law.ops)) it.law.lb = low, it.law.ub = high;
  return it;
}

static void joint(ns_model *m, const char *relation, ns_joint_kind kind, int a, int b,
                  const double *point, const double *axis)
{
  ns_interaction it = between(m, relation, "EqualityConditionNSL", ns_joint_rows(kind), a, b);
  it.joint.kind = kind;
  ns_joint_assemble(&it.joint, m->systems[a].q0, b < 0 ? NULL : m->systems[b].q0, point, axis);
  ns_model_add_interaction(m, &c, &it);
}

/* What formulas of the bench may call: x[k] of the body. */
static ns_name meaning(const void *self, const char *name, size_t len, int k)
{
  (void)self, (void)len;
  return *name == 'x' && k >= 0 ? (ns_name){.kind = NS_NAME_VARIABLE, .bank = NS_BANK_Q, .index = k}
                                : (ns_name){.kind = NS_NAME_UNKNOWN};
}

/* n formulas; by: their derivatives by 7 coordinates, by columns. */
static ns_operator formulas(ns_model *m, int n, const char *const *text, int by)
{
  ns_graph *g = must(ns_graph_create(m->arena));
  ns_node f[8], d[56];
  ns_scope scope = {.lookup = meaning};
  for (int i = 0; i < n; i++)
    ns_graph_parse(g, &c, "bench", text[i], strlen(text[i]), &scope, &f[i]);
  for (int j = 0; j < 7; j++)
    for (int i = 0; i < n; i++) d[i + j * n] = ns_graph_diff(g, f[i], NS_BANK_Q, j);
  ns_operator o = {.rows = n, .cols = by ? 7 : 1};
  ns_operator_compile(&o, &c, g, m->arena, by ? d : f, by ? 7 * n : n);
  return o;
}

static ns_model *begin(double h, double theta, const char *integrator)
{
  ns_model *m = must(ns_model_create(&c));
  m->name = "bench";
  m->sim.T = 1e9;
  m->sim.ts.h = h;
  m->sim.mj.theta = theta;
  m->sim.integrator = integrator;
  m->sim.ts.newton_absolute = 1; /* the rule of the published runs */
  return m;
}

static ns_model *beams(void)
{
  static const double I[3] = {0.1, 1, 1}, weight[3] = {0, 0, -9.81}, origin[3] = {0}, v[6] = {0};
  double a = cos(M_PI / 8), s = sin(M_PI / 8), d = 0.5 / sqrt(2), r = sqrt(0.5);
  double q[3][7] = {
      {d, 0, -d, a, 0, s, 0}, {d, 0, -3 * d, a, 0, -s, 0}, {0, 0, -sqrt(2) - 0.5, r, 0, r, 0}};
  double elbow[3] = {2 * d, 0, -2 * d}, hand[3] = {0, 0, -4 * d}, down[3] = {0, 0, -1};
  ns_model *m = begin(0.01, 1, "MoreauJeanOSI");
  m->sim.ts.newton_atol = 5e-4;
  for (int i = 0; i < 3; i++) body(m, I, q[i], v, weight);
  joint(m, "KneeJointR", NS_JOINT_BALL, 0, -1, origin, NULL);
  joint(m, "KneeJointR", NS_JOINT_BALL, 0, 1, elbow, NULL);
  joint(m, "KneeJointR", NS_JOINT_BALL, 1, 2, hand, NULL);
  joint(m, "PrismaticJointR", NS_JOINT_PRISMATIC, 2, -1, q[2], down);
  ns_interaction it = between(m, "NewtonEulerR", "NewtonImpactNSL", 1, 2, -1);
  it.law.e = 0.9;
  it.lr.h = formulas(m, 1, (const char *const[]){"x[2]+2.3"}, 0);
  it.lr.H = formulas(m, 1, (const char *const[]){"x[2]+2.3"}, 1);
  ns_model_add_interaction(m, &c, &it);
  return m;
}

static ns_model *ball(void)
{
  static const double I[3] = {1, 1, 1}, q[7] = {1, 0, 0, 1}, v[6] = {2}, weight[3] = {-9.81},
                      n[3] = {1};
  ns_model *m = begin(0.005, 0.5, "MoreauJeanDirectProjectionOSI");
  m->sim.ts.newton_atol = 1e-10;
  body(m, I, q, v, weight);
  ns_interaction it = between(m, "NewtonEuler3DR", "NewtonImpactFrictionNSL", 3, 0, -1);
  it.law.e = it.law.et = 0.9;
  it.law.mu = 0.6;
  it.law.mu_rolling = 0;
  it.point = (ns_contact_point){
      .P1 = formulas(m, 3, (const char *const[]){"x[0]-0.1", "x[1]", "x[2]"}, 0),
      .P2 = formulas(m, 3, (const char *const[]){"0", "x[1]", "x[2]"}, 0),
      .n = vector(m, n)};
  ns_model_add_interaction(m, &c, &it);
  return m;
}

static ns_model *top(void)
{
  static const double I[3] = {1, 2, 3}, q[7] = {0, 0, 0, 1}, v[6] = {0, 0, 0, 0, 1, 0.01};
  ns_model *m = begin(0.01, 0.5, "MoreauJeanOSI");
  m->sim.ts.newton_absolute = 0;
  body(m, I, q, v, NULL);
  return m;
}

/* ---- times ----------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(const char *name, ns_model *(*make)(void), long long steps, int runs,
                    double target)
{
  double t[200];
  for (int k = 0; k < runs; k++) {
    ns_model *m = make();
    ns_simulation *s = NULL;
    ns_watch w = {.max_steps = steps};
    if (ns_model_finish(m, &c) || ns_simulation_create(&c, m, &s)) must(NULL);
    double begin_ = now();
    int rc = ns_simulation_run(s, &c, NULL, &w);
    t[k] = (now() - begin_) / (double)steps;
    if (rc != NS_STOPPED) must(NULL);
    c = (ns_ctx){0};
    ns_simulation_destroy(s);
    ns_model_destroy(m);
  }
  qsort(t, (size_t)runs, sizeof *t, ascending);
  printf("%-28s %8.3f us a step, least %.3f us", name, t[runs / 2], t[0]);
  if (target > 0) printf(", target %g us: ratio %.2f", target, t[runs / 2] / target);
  putchar('\n');
}

int main(int argc, char **argv)
{
  int runs = argc > 1 ? atoi(argv[1]) : 50;
  if (runs < 1 || runs > 200) runs = 50;
  int only = argc > 2 ? atoi(argv[2]) : 0;
  if (!only || only == 1) measure("3 bodies, 4 joints, a floor", beams, 1000, runs, 8);
  if (!only || only == 2) measure("ball, friction, projection", ball, 2000, runs, 1);
  if (!only || only == 3) measure("free body, gyroscopic", top, 2000, runs, 0);
  return 0;
}
