/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations evaluated together: the bits of each alone, and no call more than the point asks for.
 */
#include "support/rate.h"

#include "model/relations/lagrangian_group.h"

static const int both[] = {0, 1}, first[] = {0};
static const double at[][3] = {{0.7, -1.3, 0.4}, {0.1, 2.3, -1.4}};

typedef struct setup {
  ns_model *m;
  ns_arena *a;
  ns_lagrangian_group *g;
  int n;
  double work[2000];
} setup;

static ns_interaction *add(ns_model *m, const int *systems, int n, int nQ, int rows)
{
  ns_ctx c = {0};
  ns_interaction it = {.relation = relation_kind("LagrangianRheonomousR"),
                       .law.ops = law_kind("NewtonImpactNSL"),
                       .m = rows,
                       .nsystems = n,
                       .systems = systems,
                       .nQ = nQ};
  int k = ns_model_add_interaction(m, &c, &it);
  ck_assert_int_ge(k, 0);
  return &m->interactions[k];
}

static void by_formula(ns_model *m, ns_interaction *it, const char *text)
{
  it->lr.h = formula(m, it->m, 1, text);
  it->lr.H = derivative(m, it->m, text, NS_BANK_Q, it->nQ);
  it->lr.ht = derivative(m, it->m, text, NS_BANK_T, 1);
}

static void group(setup *s)
{
  static int list[4];
  ns_ctx c = {0};
  for (int i = 0; i < s->m->ninteractions; i++) list[i] = i;
  s->a = ns_arena_create(0, 1);
  ck_assert_int_eq(
      ns_lagrangian_groups_create(&c, s->m, list, s->m->ninteractions, s->a, &s->g, &s->n), NS_OK);
  for (int i = 0; i < s->n; i++) ck_assert_uint_le(ns_lagrangian_group_work(s->m, &s->g[i]), 2000);
}

static setup begin(void)
{
  setup s = {.m = model_new(1, 1, 0)};
  model_system(s.m, "LagrangianDS", 2, at[0]);
  model_system(s.m, "LagrangianDS", 1, at[0] + 2);
  s.m->systems[1].q = 2;
  return s;
}

static unsigned eval(setup *s, int i, double t, const double *q, unsigned want)
{
  ns_ctx c = {0};
  unsigned fresh = 0;
  ck_assert_int_eq(
      ns_lagrangian_group_eval(&s->g[i], &c, s->m, t, q, NULL, NULL, want, s->work, &fresh), NS_OK);
  return fresh;
}

static void end(setup *s)
{
  ns_arena_destroy(s->a);
  ns_model_destroy(s->m);
}

enum { ALL = NS_GROUP_GAPS | NS_GROUP_ROWS };

/* h, H and dh/dt of one relation by its own functions are, to the bit, those of its rows in the
 * group from `row`. */
static void is_alone(setup *s, const ns_interaction *it, double t, const double *q,
                     const ns_lagrangian_group *g, int row)
{
  ns_ctx c = {0};
  double h[4], H[12], ht[4];
  ns_point p = {.t = t, .n = it->nQ, .q = q, .m = it->m};
  ck_assert_int_eq(ns_lagrangian_gap(it, &c, &p, s->work, h), NS_OK);
  ck_assert_int_eq(ns_lagrangian_rows(it, &c, &p, s->work, H, ht, NULL), NS_OK);
  ck_assert(!memcmp(h, g->h + row, (size_t)it->m * sizeof *h));
  ck_assert(!memcmp(ht, g->ht + row, (size_t)it->m * sizeof *ht));
  for (int r = 0; r < it->m; r++)
    for (int i = 0; i < it->nQ; i++)
      ck_assert(!memcmp(&H[r + i * it->m], &g->H[(row + r) * it->nQ + i], sizeof *H));
}

START_TEST(members_are_what_they_are_alone)
{
  setup s = begin();
  by_formula(s.m, add(s.m, both, 2, 3, 2), "sin(x[0])*x[1] + t, cos(x[0]) - x[2]^2");
  by_formula(s.m, add(s.m, both, 2, 3, 1), "sin(x[0])/x[1] + cos(x[0])*t^2");
  by_formula(s.m, add(s.m, first, 1, 2, 1), "x[0]*x[1]");
  group(&s);
  ck_assert_int_eq(s.n, 2);
  ck_assert_int_eq(s.g[0].n, 2);
  for (int k = 0; k < 2; k++) {
    eval(&s, 0, 1.7, at[k], ALL);
    is_alone(&s, &s.m->interactions[0], 1.7, at[k], &s.g[0], 0);
    is_alone(&s, &s.m->interactions[1], 1.7, at[k], &s.g[0], 2);
    eval(&s, 1, 1.7, at[k], ALL);
    is_alone(&s, &s.m->interactions[2], 1.7, at[k], &s.g[1], 0);
  }
  end(&s);
}
END_TEST

/* Another time counts where something depends on it, -0 is another place than 0. */
START_TEST(another_point_is_computed_anew)
{
  setup s = begin();
  by_formula(s.m, add(s.m, both, 2, 3, 1), "x[0] + t");
  by_formula(s.m, add(s.m, first, 1, 2, 1), "x[0]*x[1]");
  group(&s);
  double q[3] = {0, 1, 2};
  ck_assert_uint_eq(eval(&s, 0, 1, q, ALL), ALL);
  ck_assert_uint_eq(eval(&s, 0, 1, q, ALL), 0);
  ck_assert_uint_eq(eval(&s, 0, 2, q, ALL), ALL);
  ck_assert_uint_eq(eval(&s, 1, 1, q, ALL), ALL);
  ck_assert_uint_eq(eval(&s, 1, 2, q, ALL), 0);
  q[0] = -q[0];
  ck_assert_uint_eq(eval(&s, 1, 2, q, ALL), ALL);
  end(&s);
}
END_TEST

static int calls_h, calls_H;
static void plugin_h(unsigned N, const double *x, double t, unsigned m, double *h, unsigned nz,
                     double *z)
{
  (void)m, (void)nz, (void)z;
  calls_h++;
  h[0] = x[0] * x[0] + x[N - 1] * t;
}
static void plugin_H(unsigned N, const double *x, double t, unsigned m, double *H, unsigned nz,
                     double *z)
{
  (void)m, (void)nz, (void)z;
  calls_H++;
  for (unsigned j = 0; j < N; j++) H[j] = j ? 0 : 2 * x[0];
  H[N - 1] += t;
}

/* Side by side with its equal, but each alone: nobody calls a function for a neighbour. */
START_TEST(plugins_are_called_for_what_is_wanted)
{
  setup s = begin();
  for (int i = 0; i < 2; i++) {
    ns_interaction *it = add(s.m, both, 2, 3, 1);
    it->lr.h = function_of(s.m, 1, 1, NS_SIG_LRHEO, (void (*)(void))plugin_h,
                           USES_T | USES_X | USES_Z);
    it->lr.H = function_of(s.m, 1, 3, NS_SIG_LRHEO, (void (*)(void))plugin_H,
                           USES_T | USES_X | USES_Z);
    it->lr.ht = formula(s.m, 1, 1, "x[2]");
  }
  group(&s);
  ck_assert_int_eq(s.n, 2);
  ck_assert_uint_eq(eval(&s, 0, 1, at[0], NS_GROUP_ROWS), NS_GROUP_ROWS);
  ck_assert(calls_h == 0 && calls_H == 1);
  ck_assert_uint_eq(eval(&s, 0, 1, at[0], ALL), NS_GROUP_GAPS);
  ck_assert(calls_h == 1 && calls_H == 1);
  is_alone(&s, &s.m->interactions[0], 1, at[0], &s.g[0], 0);
  calls_h = 0;
  ck_assert_uint_eq(eval(&s, 0, 1, at[1], NS_GROUP_GAPS), NS_GROUP_GAPS);
  ck_assert_int_eq(calls_h, 1);
  end(&s);
}
END_TEST

/* A repeated mechanism costs one tape. */
START_TEST(equal_groups_share_their_tape)
{
  setup s = begin();
  by_formula(s.m, add(s.m, both, 2, 3, 1), "sin(x[0])");
  by_formula(s.m, add(s.m, first, 1, 2, 1), "x[0]");
  ns_interaction copy = s.m->interactions[0];
  *add(s.m, both, 2, 3, 1) = copy;
  group(&s);
  ck_assert_int_eq(s.n, 3);
  ck_assert_ptr_eq(s.g[0].tape, s.g[2].tape);
  ck_assert_ptr_ne(s.g[0].tape, s.g[1].tape);
  end(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, members_are_what_they_are_alone);
  tcase_add_test(t, another_point_is_computed_anew);
  tcase_add_test(t, plugins_are_called_for_what_is_wanted);
  tcase_add_test(t, equal_groups_share_their_tape);
}

int main(void) { return suite_run("groups of relations", fill); }
