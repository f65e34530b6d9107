/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits become systems that obey Kirchhoff's laws and the law of every element: by hand for
 * small ones, by substitution at random points for random ones of any topology. */
#include "model/circuit/circuit.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 8, ELEMENTS = 24, STATES = 24, ROWS = 48 };

typedef struct bench {
  ns_ctx c;
  ns_arena *a;
  ns_graph *g;
  ns_model *m;
  ns_circuit k;
  ns_circuit_element e[ELEMENTS];
  char name[ELEMENTS][8];
  int notes;
} bench;

static const char *const node_names[NODES] = {"0", "1", "2", "3", "4", "5", "6", "7"};

static void on_report(void *to, ns_severity s, const char *msg)
{
  (void)msg;
  ((bench *)to)->notes += s == NS_SEV_NOTE;
}

static void begin(bench *b)
{
  memset(b, 0, sizeof *b);
  b->c.report = on_report;
  b->c.to = b;
  b->a = ns_arena_create(0, 1);
  b->g = ns_graph_create(b->a);
  b->m = ns_model_create(&b->c);
  b->k = (ns_circuit){.at = {.file = "x.cir", .element = "netlist", .id = "circuit", .line = 1},
                      .nnodes = 1,
                      .node = node_names,
                      .element = b->e};
}

static void end(bench *b)
{
  ns_model_destroy(b->m);
  ns_arena_destroy(b->a);
}

static ns_circuit_element *put(bench *b, ns_circuit_kind kind, int x, int y, double value)
{
  ns_circuit_element *e = &b->e[b->k.n];
  snprintf(b->name[b->k.n], sizeof b->name[0], "%c%d", ns_circuit_forms[kind].letter, b->k.n);
  *e = (ns_circuit_element){.kind = kind,
                            .name = b->name[b->k.n],
                            .file = "x.cir",
                            .line = ++b->k.n,
                            .node = {x, y},
                            .value = value,
                            .of = {-1, -1},
                            .source = ns_graph_constant(b->g, value)};
  if (x >= b->k.nnodes) b->k.nnodes = x + 1;
  if (y >= b->k.nnodes) b->k.nnodes = y + 1;
  return e;
}

static int build(bench *b) { return ns_circuit_assemble(b->m, &b->c, b->g, &b->k, "devices", 0); }

static void good(bench *b)
{
  int rc = build(b);
  ck_assert_msg(rc == NS_OK, "%s", b->c.msg);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void matrix_is(const ns_operator *o, int rows, int cols, const double *by_rows)
{
  ck_assert_int_eq(o->rows, rows);
  ck_assert_int_eq(o->cols, cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double x = o->how == NS_OP_ABSENT ? 0 : ns_operator_entry(o, i, j),
             want = by_rows[i * cols + j];
      if (want == 0) ck_assert_msg(x == 0, "(%d,%d) is %g, not 0", i, j, x);
      else ck_assert_double_eq_tol(x, want, 1e-15 * fabs(want));
    }
}

START_TEST(oscillator_with_diode_is_the_one_by_hand)
{
  const double C = 1e-6, L = 1e-2, R = 1e3;
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_C, 1, 0, C)->ic = 10;
  put(&b, NS_CIRCUIT_L, 1, 0, L);
  put(&b, NS_CIRCUIT_R, 1, 2, R);
  put(&b, NS_CIRCUIT_D, 2, 0, 0);
  good(&b);
  const ns_system *s = &b.m->systems[0];
  const ns_interaction *it = &b.m->interactions[0];
  matrix_is(&s->fo.A, 2, 2, (double[]){0, -1 / C, 1 / L, 0});
  matrix_is(&it->fo.B, 2, 1, (double[]){-1 / C, 0});
  matrix_is(&it->fo.C, 1, 2, (double[]){-1, 0});
  matrix_is(&it->fo.D, 1, 1, (double[]){R});
  ck_assert_int_eq(it->fo.e.how, NS_OP_ABSENT);
  ck_assert_int_eq(s->fo.b.how, NS_OP_ABSENT);
  ck_assert_str_eq(s->kind->name, "FirstOrderLinearTIDS");
  ck_assert_str_eq(it->relation->name, "FirstOrderLinearTIR");
  ck_assert_str_eq(it->law.ops->name, "ComplementarityConditionNSL");
  ck_assert_str_eq(s->names[0], "v_C0");
  ck_assert(s->q0[0] == 10 && s->q0[1] == 0);
  end(&b);
}
END_TEST

/* Load of a bridge: currents of three diodes and the reverse voltage of the fourth; D is skew but
 * for R. */
START_TEST(bridge_is_passive_and_sparse)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_C, 1, 2, 1e-6);
  put(&b, NS_CIRCUIT_L, 1, 2, 1e-2);
  put(&b, NS_CIRCUIT_D, 1, 3, 0);
  put(&b, NS_CIRCUIT_D, 2, 3, 0);
  put(&b, NS_CIRCUIT_D, 0, 1, 0);
  put(&b, NS_CIRCUIT_D, 0, 2, 0);
  put(&b, NS_CIRCUIT_R, 3, 0, 1e3);
  good(&b);
  const ns_interaction *it = &b.m->interactions[0];
  ck_assert_int_eq(it->m, 4);
  int nonzero = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double x = ns_operator_entry(&it->fo.D, i, j), y = ns_operator_entry(&it->fo.D, j, i);
      nonzero += x != 0;
      if (fabs(x) == 1) ck_assert(x == -y);
      else ck_assert(x == y);
    }
  ck_assert_int_eq(nonzero, 10);
  end(&b);
}
END_TEST

START_TEST(loop_of_capacitors_has_one_state)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_C, 1, 0, 1e-6);
  ns_circuit_element *second = put(&b, NS_CIRCUIT_C, 1, 0, 3e-6);
  second->ic = 5, second->has_ic = 1;
  put(&b, NS_CIRCUIT_R, 1, 0, 1e3);
  good(&b);
  ck_assert_int_eq(b.m->systems[0].n, 1);
  ck_assert_str_eq(b.m->systems[0].names[0], "v_C1"); /* the one with ic */
  ck_assert(b.m->systems[0].q0[0] == 5);
  matrix_is(&b.m->systems[0].fo.A, 1, 1, (double[]){-1 / (1e3 * 4e-6)});
  ck_assert_int_eq(b.m->ninteractions, 0);
  ck_assert_int_eq(b.notes, 1);
  end(&b);
}
END_TEST

START_TEST(cut_of_inductors_has_one_state)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_L, 1, 2, 1e-3);
  put(&b, NS_CIRCUIT_L, 2, 0, 3e-3);
  put(&b, NS_CIRCUIT_R, 1, 0, 8);
  good(&b);
  ck_assert_int_eq(b.m->systems[0].n, 1);
  matrix_is(&b.m->systems[0].fo.A, 1, 1, (double[]){-8 / 4e-3});
  ck_assert_int_eq(b.notes, 1);
  end(&b);
}
END_TEST

START_TEST(contradicting_initial_values_are_refused)
{
  bench b;
  begin(&b);
  for (int k = 0; k < 2; k++) {
    ns_circuit_element *e = put(&b, NS_CIRCUIT_C, 1, 0, 1e-6);
    e->ic = 1 + k, e->has_ic = 1;
  }
  ck_assert_int_eq(build(&b), NS_MODEL);
  ck_assert_msg(strstr(b.c.msg, "x.cir:2: <netlist id=\"circuit\">: C1: ic is 2, expected 1 V"),
                "%s", b.c.msg);
  end(&b);
}
END_TEST

/* R behind a transformer looks like ratio^2 R. */
START_TEST(transformer_transforms_resistance)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_C, 1, 0, 1e-6);
  ns_circuit_element *t = put(&b, NS_CIRCUIT_T, 1, 0, 10);
  t->node[2] = 2;
  put(&b, NS_CIRCUIT_R, 2, 0, 5);
  good(&b);
  matrix_is(&b.m->systems[0].fo.A, 1, 1, (double[]){-1 / (500 * 1e-6)});
  end(&b);
}
END_TEST

START_TEST(coupled_inductors_share_flux)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_L, 1, 0, 4e-3);
  put(&b, NS_CIRCUIT_L, 2, 0, 1e-3);
  put(&b, NS_CIRCUIT_R, 1, 0, 1);
  put(&b, NS_CIRCUIT_R, 2, 0, 1);
  ns_circuit_element *k = put(&b, NS_CIRCUIT_K, 0, 0, 0.5);
  k->of[0] = 0, k->of[1] = 1;
  good(&b);
  double L = 4e-3, l = 1e-3, M = 1e-3, det = L * l - M * M;
  matrix_is(&b.m->systems[0].fo.A, 2, 2, (double[]){-l / det, M / det, M / det, -L / det});
  end(&b);
}
END_TEST

static const struct fault {
  const char *says;
  struct {
    ns_circuit_kind kind;
    int x, y;
  } e[4];
} faults[] = {
    {"x.cir:2: <netlist id=\"circuit\">: V1: V0, V1 form a loop of voltage sources",
     {{NS_CIRCUIT_V, 1, 0}, {NS_CIRCUIT_V, 1, 0}, {NS_CIRCUIT_R, 1, 0}}},
    {"I1: I0, I1 meet in a cut of current sources",
     {{NS_CIRCUIT_I, 0, 1}, {NS_CIRCUIT_I, 1, 2}, {NS_CIRCUIT_R, 2, 0}}},
    {"I0: I0 meets in a cut of current sources", {{NS_CIRCUIT_I, 0, 1}, {NS_CIRCUIT_R, 1, 2}}},
    {"R1: node 2 is floating", {{NS_CIRCUIT_R, 1, 0}, {NS_CIRCUIT_R, 2, 3}}},
    {"touches node 0", {{NS_CIRCUIT_R, 1, 2}, {NS_CIRCUIT_C, 1, 2}}},
};

START_TEST(impossible_circuit_names_its_elements)
{
  const struct fault *f = &faults[_i];
  bench b;
  begin(&b);
  for (int k = 0; k < 4 && f->e[k].x != f->e[k].y; k++)
    put(&b, f->e[k].kind, f->e[k].x, f->e[k].y, 1);
  ck_assert_int_eq(build(&b), NS_MODEL);
  ck_assert_msg(strstr(b.c.msg, f->says) != NULL, "%s", b.c.msg);
  end(&b);
}
END_TEST

/* Two diodes against each other and a third behind nothing: no resistor anywhere. */
START_TEST(mesh_of_diodes_alone_has_a_form)
{
  bench b;
  begin(&b);
  put(&b, NS_CIRCUIT_L, 1, 0, 1e-3);
  put(&b, NS_CIRCUIT_D, 1, 0, 0);
  put(&b, NS_CIRCUIT_D, 0, 1, 0);
  put(&b, NS_CIRCUIT_D, 1, 2, 0);
  put(&b, NS_CIRCUIT_D, 2, 0, 0);
  good(&b);
  ck_assert_int_eq(b.m->interactions[0].m, 4);
  ck_assert_int_eq(b.m->systems[0].n, 1);
  end(&b);
}
END_TEST

/* ---- any circuit ----------------------------------------------------------------------------- */

typedef struct sample {
  double t, x[STATES], lambda[ROWS], xdot[STATES], y[ROWS], v[ELEMENTS], i[ELEMENTS];
} sample;

static void eval(const ns_operator *o, ns_point *p, double *out)
{
  ns_ctx c = {0};
  double *work = malloc((ns_operator_work(o) + 1) * sizeof *work);
  ck_assert_int_eq(ns_operator_eval(o, &c, p, work, out), NS_OK);
  free(work);
}

static void multiply_add(const ns_operator *o, ns_point *p, const double *x, double *y)
{
  double *M = malloc((size_t)(o->rows * o->cols + 1) * sizeof *M);
  eval(o, p, M);
  for (int i = 0; i < o->rows; i++)
    for (int j = 0; j < o->cols; j++) y[i] += M[i + j * o->rows] * x[j];
  free(M);
}

/* Rates, outputs, voltages and currents at t, x, lambda of s. */
static void look(const bench *b, sample *s)
{
  const ns_system *y = &b->m->systems[0];
  ns_point p = {.t = s->t, .n = y->n, .q = s->x, .lambda = s->lambda};
  eval(&y->fo.b, &p, s->xdot);
  multiply_add(&y->fo.A, &p, s->x, s->xdot);
  if (b->m->ninteractions) {
    const ns_first_order_relation *r = &b->m->interactions[0].fo;
    p.m = b->m->interactions[0].m;
    multiply_add(&r->B, &p, s->lambda, s->xdot);
    eval(&r->e, &p, s->y);
    multiply_add(&r->C, &p, s->x, s->y);
    multiply_add(&r->D, &p, s->lambda, s->y);
  }
  for (int e = 0; e < b->k.n; e++) {
    eval(&b->m->observables[2 * e].value, &p, &s->v[e]);
    eval(&b->m->observables[2 * e + 1].value, &p, &s->i[e]);
  }
}

static double size_of(const bench *b, const sample *s)
{
  double size = 1;
  for (int e = 0; e < b->k.n; e++) size = fmax(size, fmax(fabs(s->v[e]), fabs(s->i[e])));
  return size;
}

static void near(double x, double want, double size, const bench *b, int e, const char *what)
{
  ck_assert_msg(fabs(x - want) <= 1e-9 * size,
                "%s of %s (element %d of %d): %.15g, not %.15g (size %g)", what, b->e[e].name, e,
                b->k.n, x, want, size);
}

static void check_nodes(const bench *b, const sample *s, double size)
{
  for (int k = 0; k < b->k.nnodes; k++) {
    double sum = 0;
    for (int e = 0; e < b->k.n; e++) {
      const ns_circuit_element *x = &b->e[e];
      sum += ((x->node[0] == k) - (x->node[1] == k)) * s->i[e];
      if (x->kind == NS_CIRCUIT_T)
        sum -= x->value * ((x->node[2] == k) - (x->node[3] == k)) * s->i[e];
    }
    ck_assert_msg(fabs(sum) <= 1e-9 * size, "currents at node %d: %g of %g", k, sum, size);
  }
}

/* Derivative of v (C) or i (L) of an element along the motion, by central differences. */
static double slope(const bench *b, const sample *s, int e)
{
  double h = 1e-4, end[2];
  for (int side = 0; side < 2; side++) {
    sample at = *s;
    double d = side ? h : -h;
    at.t += d;
    for (int k = 0; k < b->m->systems[0].n; k++) at.x[k] += d * s->xdot[k];
    look(b, &at);
    end[side] = b->e[e].kind == NS_CIRCUIT_C ? at.v[e] : at.i[e];
  }
  return (end[1] - end[0]) / (2 * h);
}

static double source_at(const bench *b, int e, double t)
{
  const ns_tape *tape;
  ns_ctx c = {0};
  ns_arena *a = ns_arena_create(0, 1);
  const double *bank[NS_BANKS] = {[NS_BANK_T] = &t};
  double x;
  ck_assert_int_eq(ns_tape_compile(b->g, &c, a, &b->e[e].source, 1, &tape), NS_OK);
  double *work = ns_arena_get(a, ns_tape_work(tape), sizeof *work);
  ns_tape_eval(tape, bank, work, &x);
  ns_arena_destroy(a);
  return x;
}

static void check_elements(const bench *b, const sample *s, double size)
{
  for (int e = 0; e < b->k.n; e++) {
    const ns_circuit_element *x = &b->e[e];
    switch (x->kind) {
    case NS_CIRCUIT_R: near(s->v[e], x->value * s->i[e], size, b, e, "voltage"); break;
    case NS_CIRCUIT_V: near(s->v[e], source_at(b, e, s->t), size, b, e, "voltage"); break;
    case NS_CIRCUIT_I: near(s->i[e], source_at(b, e, s->t), size, b, e, "current"); break;
    case NS_CIRCUIT_F: near(s->i[e], x->value * s->i[x->of[0]], size, b, e, "current"); break;
    case NS_CIRCUIT_H: near(s->v[e], x->value * s->i[x->of[0]], size, b, e, "voltage"); break;
    case NS_CIRCUIT_C: near(s->i[e], x->value * slope(b, s, e), 1e2 * size, b, e, "slope"); break;
    case NS_CIRCUIT_L: near(s->v[e], x->value * slope(b, s, e), 1e2 * size, b, e, "slope"); break;
    default: break;
    }
  }
}

/* Equality rows beyond those of the devices. */
static int extra_rows(const bench *b)
{
  int devices = 0;
  for (int e = 0; e < b->k.n; e++)
    devices += b->e[e].kind == NS_CIRCUIT_S || b->e[e].kind == NS_CIRCUIT_D;
  return b->m->ninteractions ? b->m->interactions[0].m - devices : 0;
}

/* Choose a lambda that fulfils the first, extra row. */
static void fulfil(const bench *b, sample *s)
{
  const ns_interaction *it = &b->m->interactions[0];
  double D[ROWS * ROWS];
  ns_point p = {.t = s->t};
  int best = 0, m = it->m;
  ck_assert_int_eq(extra_rows(b), 1);
  eval(&it->fo.D, &p, D);
  for (int j = 0; j < m; j++)
    if (fabs(D[j * m]) > fabs(D[best * m])) best = j;
  look(b, s);
  s->lambda[best] -= s->y[0] / D[best * m];
}

/* Each diode has its current and its reverse voltage as y and lambda, in one order or the other; a
 * switch has its equation as y. The rows follow the elements, switches first. */
static void check_devices(const bench *b, const sample *s, double size)
{
  int row = extra_rows(b);
  for (int pass = 0; pass < 2; pass++)
    for (int e = 0; e < b->k.n; e++) {
      const ns_circuit_element *x = &b->e[e];
      double w = x->value - s->v[e], y = s->y[row], l = s->lambda[row];
      if (x->kind == NS_CIRCUIT_S && pass == 0) {
        near(y, source_at(b, e, s->t) > 0 ? s->v[e] : s->i[e], size, b, e, "equation");
        row++;
      } else if (x->kind == NS_CIRCUIT_D && pass == 1) {
        double one = fmax(fabs(y - w), fabs(l - s->i[e])),
               other = fmax(fabs(l - w), fabs(y - s->i[e]));
        near(fmin(one, other), 0, size, b, e, "ports");
        row++;
      }
    }
}

static double uniform(void) { return (double)rand() / RAND_MAX; }

static ns_node a_source(bench *b)
{
  ns_node t = ns_graph_variable(b->g, NS_BANK_T, 0), f = ns_graph_constant(b->g, uniform());
  return ns_graph_add(b->g, f, ns_graph_multiply(b->g, t, ns_graph_multiply(b->g, t, f)));
}

static int root(const int *up, int k)
{
  while (up[k] != k) k = up[k];
  return k;
}

/* Voltage sources make no loop, and what is no current source joins all nodes: then there is a
 * form. */
static int is_sound(const bench *b)
{
  int v[NODES], w[NODES], pieces = b->k.nnodes;
  for (int k = 0; k < NODES; k++) v[k] = w[k] = k;
  for (int e = 0; e < b->k.n; e++) {
    const ns_circuit_element *x = &b->e[e];
    int p = root(v, x->node[0]), q = root(v, x->node[1]);
    if (x->kind == NS_CIRCUIT_V && p == q) return 0;
    if (x->kind == NS_CIRCUIT_V) v[p] = q;
    if (x->kind == NS_CIRCUIT_I) continue;
    p = root(w, x->node[0]), q = root(w, x->node[1]);
    pieces -= p != q;
    w[p] = q;
  }
  return pieces == 1;
}

static void random_circuit(bench *b)
{
  static const ns_circuit_kind kinds[] = {NS_CIRCUIT_R, NS_CIRCUIT_C, NS_CIRCUIT_L,
                                          NS_CIRCUIT_D, NS_CIRCUIT_D, NS_CIRCUIT_R,
                                          NS_CIRCUIT_S, NS_CIRCUIT_V, NS_CIRCUIT_I};
  int nodes = 2 + rand() % (NODES - 2), more = rand() % 10;
  for (int k = 1; k < nodes + more; k++) {
    int x = k < nodes ? k : rand() % nodes, y = k < nodes ? rand() % k : rand() % nodes;
    ns_circuit_kind kind = kinds[(size_t)rand() % (sizeof kinds / sizeof *kinds)];
    if (x == y) continue;
    ns_circuit_element *e = rand() % 2 ? put(b, kind, x, y, 0.5 + uniform())
                                       : put(b, kind, y, x, 0.5 + uniform());
    if (kind == NS_CIRCUIT_V || kind == NS_CIRCUIT_I) e->source = a_source(b);
    if (kind == NS_CIRCUIT_S)
      e->source = ns_graph_add(b->g, ns_graph_variable(b->g, NS_BANK_T, 0),
                               ns_graph_constant(b->g, -0.5 - uniform()));
  }
}

static void check_circuit(const bench *b)
{
  sample s = {.t = uniform() * 1.5 + 0.1};
  const ns_interaction *it = b->m->ninteractions ? &b->m->interactions[0] : NULL;
  for (int k = 0; k < b->m->systems[0].n; k++) s.x[k] = 2 * uniform() - 1;
  for (int k = 0; it && k < it->m; k++) s.lambda[k] = 2 * uniform() - 1;
  if (extra_rows(b)) fulfil(b, &s);
  memset(s.y, 0, sizeof s.y);
  look(b, &s);
  double size = size_of(b, &s);
  check_nodes(b, &s, size);
  check_elements(b, &s, size);
  check_devices(b, &s, size);
}

START_TEST(any_passive_circuit_has_a_form_that_obeys_it)
{
  int sound = 0;
  srand(1 + (unsigned)_i);
  for (int k = 0; k < 500; k++) {
    bench b;
    begin(&b);
    random_circuit(&b);
    if (is_sound(&b)) {
      good(&b);
      check_circuit(&b);
      sound++;
    } else {
      ck_assert_int_eq(build(&b), NS_MODEL);
    }
    end(&b);
  }
  ck_assert_int_gt(sound, 100);
}
END_TEST

/* With a controlled source in it the form may not exist; where it does, it is right. */
START_TEST(circuit_with_controlled_sources_obeys_them)
{
  static const ns_circuit_kind kinds[] = {NS_CIRCUIT_T, NS_CIRCUIT_E, NS_CIRCUIT_G, NS_CIRCUIT_F,
                                          NS_CIRCUIT_H};
  int made = 0, more = 0;
  srand(100 + (unsigned)_i);
  for (int k = 0; k < 500; k++) {
    bench b;
    begin(&b);
    random_circuit(&b);
    int n = b.k.nnodes, x = rand() % n, y = (x + 1) % n;
    if (b.k.n) {
      ns_circuit_element *e = put(&b, kinds[rand() % 5], x, y, 0.5 + uniform());
      e->node[2] = rand() % n, e->node[3] = (e->node[2] + 1) % n;
      e->of[0] = rand() % (b.k.n - 1);
      if (e->kind == NS_CIRCUIT_F || e->kind == NS_CIRCUIT_H) e->node[2] = e->node[3] = 0;
      if (build(&b) != NS_OK) ck_assert_int_eq(b.c.rc, NS_MODEL);
      else {
        more += extra_rows(&b);
        check_circuit(&b);
        made++;
      }
    }
    end(&b);
  }
  ck_assert_int_gt(made, 80);
  ck_assert_int_gt(more, 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, oscillator_with_diode_is_the_one_by_hand);
  tcase_add_test(t, bridge_is_passive_and_sparse);
  tcase_add_test(t, loop_of_capacitors_has_one_state);
  tcase_add_test(t, cut_of_inductors_has_one_state);
  tcase_add_test(t, contradicting_initial_values_are_refused);
  tcase_add_test(t, transformer_transforms_resistance);
  tcase_add_test(t, coupled_inductors_share_flux);
  tcase_add_loop_test(t, impossible_circuit_names_its_elements, 0, sizeof faults / sizeof *faults);
  tcase_add_test(t, mesh_of_diodes_alone_has_a_form);
  tcase_add_loop_test(t, any_passive_circuit_has_a_form_that_obeys_it, 0, 4);
  tcase_add_loop_test(t, circuit_with_controlled_sources_obeys_them, 0, 4);
}

int main(void) { return suite_run("circuit", fill); }
