/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First-order models: the text becomes the numbers, formulas, Jacobians and bounds that it
 * describes. */
#include "support/run.h"

#include <float.h>
#include <unistd.h>

#define NS "xmlns=\"urn:nssim:model:1\""
#define SIMULATION \
  "<simulation T=\"1\"><TimeStepping " \
  "h=\"0.5\"><EulerMoreauOSI/></TimeStepping></simulation>"
#define MODEL(s, i) \
  "<model " NS "><systems>" s "</systems><interactions>" i "</interactions>" SIMULATION "</model>"

static ns_model *load(const char *text)
{
  ns_ctx c = {.report = to_stderr};
  ns_model *m;
  int rc = ns_load_memory(&c, "test.xml", text, strlen(text), NULL, NULL, &m);
  ck_assert_msg(rc == NS_OK && m, "%s", c.msg);
  return m;
}

/* The message of a text that is no model. */
static const char *refusal(const char *text)
{
  static ns_ctx c;
  ns_model *m;
  c = (ns_ctx){0};
  ck_assert_int_ne(ns_load_memory(&c, "test.xml", text, strlen(text), NULL, NULL, &m), NS_OK);
  return c.msg;
}

/* out [rows*cols] of an operator of interaction `it`, or of a system. */
static void evaluate(const ns_operator *o, const ns_point *p, double *out)
{
  ns_ctx c = {0};
  double work[400];
  ck_assert_uint_le(ns_operator_work(o), 400);
  ck_assert_int_eq(ns_operator_eval(o, &c, p, work, out), NS_OK);
}

enum { MAX = 64 };

/* Largest difference of two operators at the point, relative to max(1, entries). */
static double distance(const ns_operator *a, const ns_operator *b, const ns_point *p)
{
  double x[MAX], y[MAX], worst = 0;
  ck_assert(a->rows == b->rows && a->cols == b->cols && a->rows * a->cols <= MAX);
  evaluate(a, p, x), evaluate(b, p, y);
  for (int k = 0; k < a->rows * a->cols; k++)
    worst = fmax(worst, fabs(x[k] - y[k]) / fmax(1, fabs(y[k])));
  return worst;
}

/* ---- systems --------------------------------------------------------------------------------- */

START_TEST(circuit_becomes_its_numbers)
{
  ns_model *m = load(
      MODEL("<FirstOrderLinearTIDS id=\"lc\" states=\"v_C i_L\"><x0>10 -1</x0><M diag=\"2 "
            "4\"/><A>0 -3; 5 0</A><b>7 8</b><z>9</z>"
            "</FirstOrderLinearTIDS>",
            "<interaction id=\"d\" systems=\"lc\"><FirstOrderLinearTIR><C>-1 0; 1 2</C><B>0 1; 2 "
            "3</B><D>1 2; 3 4</D><e>5 6</e>"
            "<F>7; 8</F></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction>"));
  const ns_system *s = m->systems;
  const ns_interaction *it = m->interactions;
  ck_assert_str_eq(s->kind->name, "FirstOrderLinearTIDS");
  ck_assert_str_eq(s->names[0], "v_C");
  ck_assert(s->n == 2 && s->q0[0] == 10 && s->q0[1] == -1 && !s->v0 && s->nz == 1 && s->z0[0] == 9);
  ck_assert(s->fo.M.diagonal && s->fo.M.value[1] == 4 && s->fo.M.rows == 2 && s->fo.M.cols == 2);
  const double A[] = {0, 5, -3, 0}, C[] = {-1, 1, 0, 2}, B[] = {0, 2, 1, 3}, D[] = {1, 3, 2, 4};
  ck_assert_mem_eq(s->fo.A.value, A, sizeof A);
  ck_assert(s->fo.b.value[0] == 7 && s->fo.b.value[1] == 8 && !s->fo.f.how && !s->fo.u.how &&
            !s->fo.T.how);
  ck_assert(it->m == 2 && it->nQ == 2 && it->nZ == 1);
  ck_assert_mem_eq(it->fo.C.value, C, sizeof C);
  ck_assert_mem_eq(it->fo.B.value, B, sizeof B);
  ck_assert_mem_eq(it->fo.D.value, D, sizeof D);
  ck_assert(it->fo.e.value[1] == 6 && it->fo.F.value[1] == 8 && !it->fo.h.how && !it->fo.g.how &&
            !it->fo.K.how);
  for (int k = 0; k < 2; k++) ck_assert(it->law.lb[k] == 0 && it->law.ub[k] == INFINITY);
  ck_assert_ptr_null(m->sim.problem); /* by the laws */
  ck_assert_str_eq(m->sim.integrator, "EulerMoreauOSI");
  ck_assert(m->sim.em.theta == 1 && m->sim.em.gamma == 1 && m->sim.em.full == 0);
  ns_model_destroy(m);
}
END_TEST

/* An absent one-step problem is that of the laws, in mechanics too. */
START_TEST(mechanical_models_need_no_problem)
{
  ns_model *m = load(
      "<model " NS
      "><systems><LagrangianDS id=\"a\"><q0>1</q0></LagrangianDS></systems><simulation T=\"1\">"
      "<TimeStepping h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation></model>");
  ck_assert_ptr_null(m->sim.problem);
  ns_model_destroy(m);
}
END_TEST

/* x of a formula is that of its place; matrices of t and z; M identity where absent. */
START_TEST(operators_depend_on_what_they_name)
{
  ns_model *m = load(MODEL("<FirstOrderLinearDS id=\"a\" states=\"p w\"><x0>0 "
                           "0</x0><z>3</z><M>z[0] 0; 0 1</M><A>t 1; 0 z[0]</A><b>sin(t) 1</b>"
                           "<u>w*xdot[1]</u><T>1; x[0]</T></FirstOrderLinearDS>"
                           "<FirstOrderNonLinearDS id=\"b\"><x0>0 0</x0><f>x[1], -x[0]</f><u>1 "
                           "2</u></FirstOrderNonLinearDS>",
                           ""));
  const ns_first_order *a = &m->systems[0].fo, *b = &m->systems[1].fo;
  double z = 3, out[4];
  ns_point p = {.t = 2, .n = 2, .q = (double[]){5, 7}, .v = (double[]){11, 13}, .nz = 1, .z = &z};
  ck_assert_uint_eq(a->M.uses, 1u << NS_BANK_Z);
  ck_assert_uint_eq(a->A.uses, 1u << NS_BANK_T | 1u << NS_BANK_Z);
  ck_assert_uint_eq(a->u.uses, 1u << NS_BANK_Q | 1u << NS_BANK_V);
  ck_assert(a->T.rows == 2 && a->T.cols == 1 && a->u.rows == 1 && b->u.rows == 2 && !b->T.how &&
            !b->M.how);
  evaluate(&a->A, &p, out);
  ck_assert(out[0] == 2 && out[1] == 0 && out[2] == 1 && out[3] == 3);
  evaluate(&a->u, &p, out);
  ck_assert(out[0] == 7 * 13);
  evaluate(&a->T, &p, out);
  ck_assert(out[0] == 1 && out[1] == 5);
  ns_model_destroy(m);
}
END_TEST

/* The size of u follows from u, from T, from controlSize or from n. */
START_TEST(controls_are_counted)
{
  ns_model *m = load(
      MODEL("<FirstOrderNonLinearDS id=\"a\"><x0>0 0 0</x0><u>1 t</u><T>1 0; 0 1; 0 "
            "0</T></FirstOrderNonLinearDS>"
            "<FirstOrderNonLinearDS id=\"b\" controlSize=\"1\"><x0>0 0 0</x0><u>t</u><T>1; 0; 0</T>"
            "</FirstOrderNonLinearDS>",
            ""));
  ck_assert(m->systems[0].fo.u.rows == 2 && m->systems[0].fo.T.cols == 2 &&
            m->systems[1].fo.u.rows == 1);
  ns_model_destroy(m);
}
END_TEST

/* ---- Jacobians ------------------------------------------------------------------------------- */

#define VDP(jacobian) \
  "<FirstOrderNonLinearDS id=\"a\" states=\"x y\"><x0>1 2</x0><z>0.5</z><f>y*cos(t), z[0]*(1 - " \
  "x^2)*y - x</f>" jacobian "</FirstOrderNonLinearDS>"

START_TEST(derived_field_jacobian_is_the_one_by_hand)
{
  ns_model *own = load(MODEL(VDP(""), ""));
  ns_model *given = load(
      MODEL(VDP("<jacobianfx>0 cos(t); -2*z[0]*x*y - 1, z[0]*(1 - x^2)</jacobianfx>"), ""));
  double z = 0.5;
  for (int k = 0; k < 20; k++) {
    ns_point p = {.t = 0.3 * k, .n = 2, .q = (double[]){sin(k), 3 * cos(2 * k)}, .nz = 1, .z = &z};
    ck_assert_double_le(distance(&own->systems->fo.dx_f, &given->systems->fo.dx_f, &p),
                        8 * DBL_EPSILON);
  }
  ns_model_destroy(own);
  ns_model_destroy(given);
}
END_TEST

#define TWO \
  "<FirstOrderNonLinearDS id=\"a\" states=\"x y\"><x0>1 2</x0><z>4 5</z></FirstOrderNonLinearDS>" \
  "<FirstOrderNonLinearDS id=\"b\" states=\"x\"><x0>3</x0><z>6</z></FirstOrderNonLinearDS>"
#define RELATION(content) \
  "<interaction id=\"r\" systems=\"a " \
  "b\"><FirstOrderNonLinearR>" content "</FirstOrderNonLinearR><RelayNSL/></interaction>"
#define H_AND_G \
  "<h>y^2*b.x + lambda[1]*t, a.x - lambda[0]^3*z[2]</h><g>lambda[0]*y, exp(a.x)*lambda[1], " \
  "z[0]*b.x^2</g>"

static const ns_point at_two = {.t = 1.7,
                                .n = 3,
                                .q = (const double[]){0.3, -1.2, 2.5},
                                .nz = 3,
                                .z = (double[]){4, 5, 6},
                                .m = 2,
                                .lambda = (const double[]){-0.7, 1.9}};

/* m x n Jacobians by X and by lambda. */
START_TEST(derived_jacobians_of_relations_are_those_by_hand)
{
  ns_model *own = load(MODEL(TWO, RELATION(H_AND_G)));
  ns_model *given = load(MODEL(
      TWO, RELATION(H_AND_G "<jachx>0, 2*y*b.x, y^2; 1 0 0</jachx><jachlambda>0 t; "
                            "-3*lambda[0]^2*z[2], 0</jachlambda>"
                            "<jacgx>0 lambda[0] 0; exp(a.x)*lambda[1], 0, 0; 0, 0, "
                            "2*z[0]*b.x</jacgx><jacglambda>y 0; 0 exp(a.x); 0 0</jacglambda>")));
  const ns_first_order_relation *f = &own->interactions->fo, *g = &given->interactions->fo;
  ck_assert(f->C.rows == 2 && f->C.cols == 3 && f->D.rows == 2 && f->D.cols == 2);
  ck_assert(f->K.rows == 3 && f->K.cols == 3 && f->B.rows == 3 && f->B.cols == 2);
  ck_assert_double_le(distance(&f->C, &g->C, &at_two), 8 * DBL_EPSILON);
  ck_assert_double_le(distance(&f->D, &g->D, &at_two), 8 * DBL_EPSILON);
  ck_assert_double_le(distance(&f->K, &g->K, &at_two), 8 * DBL_EPSILON);
  ck_assert_double_le(distance(&f->B, &g->B, &at_two), 8 * DBL_EPSILON);
  ns_model_destroy(own);
  ns_model_destroy(given);
}
END_TEST

/* What a kind's functions do not depend on has no Jacobian; a linear formula has a constant one. */
START_TEST(jacobians_that_are_zero_are_absent)
{
  ns_model *m = load(MODEL(
      TWO,
      "<interaction id=\"p\" systems=\"a b\"><FirstOrderType1R><h>y - 2*b.x</h><g>0 lambda[0] "
      "-lambda[0]</g></FirstOrderType1R>"
      "<RelayNSL/></interaction>"
      "<interaction id=\"q\" "
      "systems=\"b\"><FirstOrderType2R><h>3*lambda[0]</h><g>t</g></FirstOrderType2R><RelayNSL/>"
      "</interaction>"));
  const ns_first_order_relation *p = &m->interactions[0].fo, *q = &m->interactions[1].fo;
  ck_assert(p->C.how == NS_OP_CONSTANT && p->C.value[0] == 0 && p->C.value[1] == 1 &&
            p->C.value[2] == -2);
  ck_assert(p->B.how == NS_OP_CONSTANT && p->B.value[1] == 1 && p->B.value[2] == -1);
  ck_assert(!p->D.how && !p->K.how && !q->C.how && !q->B.how && !q->K.how);
  ck_assert(q->D.how == NS_OP_CONSTANT && q->D.value[0] == 3);
  ns_model_destroy(m);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

START_TEST(names_of_states_stand_for_stacked_entries)
{
  ns_model *names = load(MODEL(TWO, RELATION(H_AND_G)));
  ns_model *places = load(
      MODEL(TWO, RELATION("<h>x[1]^2*x[2] + lambda[1]*t, x[0] - lambda[0]^3*z[2]</h>"
                          "<g>lambda[0]*x[1], exp(x[0])*lambda[1], z[0]*x[2]^2</g>")));
  const ns_first_order_relation *f = &names->interactions->fo, *g = &places->interactions->fo;
  ck_assert_double_eq(distance(&f->h, &g->h, &at_two), 0);
  ck_assert_double_eq(distance(&f->g, &g->g, &at_two), 0);
  ns_model_destroy(names);
  ns_model_destroy(places);
}
END_TEST

static void refuses(const char *text, const char *part)
{
  const char *msg = refusal(text);
  ck_assert_msg(strstr(msg, part) != NULL, "\"%s\" does not say \"%s\"", msg, part);
}

START_TEST(names_of_two_systems_are_refused_alone)
{
  refuses(MODEL(TWO, RELATION("<h>x</h><g>0 0 0</g>")),
          "several systems here have it; write id.name or x[0]");
  refuses(MODEL(TWO, "<interaction id=\"r\" systems=\"a a\"><FirstOrderType1R><h>a.y</h><g>0 0 0 "
                     "0</g></FirstOrderType1R>"
                     "<RelayNSL/></interaction>"),
          "the system is named twice here");
  refuses(MODEL(TWO, RELATION("<h>a.w</h><g>0 0 0</g>")),
          "unknown name \"a.w\", did you mean \"a.");
}
END_TEST

/* ---- <repeat> -------------------------------------------------------------------------------- */

/* Indices reach formulas at run time and constants at load; by-id names follow the systems of each
 * turn. */
START_TEST(each_turn_of_a_repeat_has_its_own)
{
  ns_model *m = load(
      MODEL("<FirstOrderLinearTIDS id=\"hub\" states=\"x\"><x0>0</x0></FirstOrderLinearTIDS>"
            "<repeat index=\"i\" from=\"1\" to=\"3\"><FirstOrderNonLinearDS id=\"a{i}\" states=\"x "
            "y\"><x0>i i^2</x0><f>i*y, t</f>"
            "</FirstOrderNonLinearDS></repeat>",
            "<repeat index=\"i\" from=\"1\" to=\"3\"><interaction id=\"r{i}\" systems=\"hub "
            "a{i}\"><FirstOrderType2R>"
            "<h>i*y + hub.x</h><g>i*lambda[0] 0 0</g></FirstOrderType2R><RelayNSL lb=\"-i\" "
            "ub=\"i\"/></interaction>"
            "<interaction id=\"s{i}\" systems=\"a{i}\"><FirstOrderLinearTIR><C>i 0</C><B>0; "
            "-i</B></FirstOrderLinearTIR>"
            "<RelayNSL/></interaction></repeat>"));
  ck_assert(m->nsystems == 4 && m->ninteractions == 6);
  for (int i = 1; i <= 3; i++) {
    const ns_interaction *r = &m->interactions[2 * i - 2], *s = &m->interactions[2 * i - 1];
    double out[3];
    ns_point p = {.t = 1,
                  .n = 3,
                  .q = (double[]){10, 20, 30},
                  .m = 1,
                  .lambda = (double[]){2},
                  .index = r->index};
    ck_assert(m->systems[i].q0[1] == i * i && r->systems[1] == i);
    evaluate(&r->fo.h, &p, out);
    ck_assert_double_eq(out[0], i * 30 + 10);
    evaluate(&r->fo.g, &p, out);
    ck_assert_double_eq(out[0], i * 2);
    evaluate(&r->fo.B, &p, out);
    ck_assert_double_eq(out[0], i);
    ck_assert(r->law.lb[0] == -i && r->law.ub[0] == i);
    ck_assert(s->fo.C.value[0] == i && s->fo.B.value[1] == -i);
  }
  /* bounds without an index are shared */
  ck_assert_ptr_eq(m->interactions[1].law.lb, m->interactions[3].law.lb);
  ns_model_destroy(m);
}
END_TEST

/* Systems of other sizes or names at a later turn: the formulas are read anew. */
START_TEST(turns_with_other_systems_are_read_anew)
{
  ns_model *m = load(
      MODEL("<FirstOrderLinearTIDS id=\"a1\" states=\"y x\"><x0>0 0</x0></FirstOrderLinearTIDS>"
            "<FirstOrderLinearTIDS id=\"a2\" states=\"x y\"><x0>0 0</x0></FirstOrderLinearTIDS>",
            "<repeat index=\"i\" from=\"1\" to=\"2\"><interaction id=\"r{i}\" "
            "systems=\"a{i}\"><FirstOrderType1R><h>x</h>"
            "<g>lambda[0] 0</g></FirstOrderType1R><RelayNSL/></interaction></repeat>"));
  const double *first = m->interactions[0].fo.C.value, *second = m->interactions[1].fo.C.value;
  ck_assert(first[0] == 0 && first[1] == 1 && second[0] == 1 && second[1] == 0);
  ns_model_destroy(m);
  refuses(MODEL("<repeat index=\"i\" from=\"1\" to=\"2\"><FirstOrderLinearTIDS id=\"a{i}\" "
                "states=\"x\"><x0>0</x0>"
                "</FirstOrderLinearTIDS></repeat>",
                "<repeat index=\"i\" from=\"1\" to=\"2\"><interaction id=\"r{i}\" "
                "systems=\"a{i}\"><FirstOrderType1R>"
                "<h>a1.x</h><g>lambda[0]</g></FirstOrderType1R><RelayNSL/></interaction></repeat>"),
          "unknown name \"a1.x\"");
  refuses(MODEL("<FirstOrderLinearTIDS id=\"a1\"><x0>0</x0></FirstOrderLinearTIDS>"
                "<FirstOrderLinearTIDS id=\"a2\"><x0>0 0</x0></FirstOrderLinearTIDS>",
                "<repeat index=\"i\" from=\"1\" to=\"2\"><interaction id=\"r{i}\" "
                "systems=\"a{i}\"><FirstOrderLinearTIR>"
                "<C>1</C><B>1</B></FirstOrderLinearTIR><RelayNSL/></interaction></repeat>"),
          "is 1 x 1, expected any x 2: nQ = 2 by the states of its systems");
}
END_TEST

/* ---- other forms ----------------------------------------------------------------------------- */

START_TEST(values_come_from_files_and_diagonals)
{
  char dir[] = "/tmp/nssim-load-XXXXXX", path[200];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/A.csv", dir);
  FILE *f = fopen(path, "w");
  fputs("# a matrix\n1, 2\n3, 4\n", f);
  fclose(f);
  snprintf(path, sizeof path, "%s/m.xml", dir);
  const char *text = MODEL("<FirstOrderLinearTIDS id=\"a\"><x0>0 0</x0><A file=\"A.csv\"/><M "
                           "diag=\"5 6\"/></FirstOrderLinearTIDS>",
                           "<interaction id=\"r\" systems=\"a\"><FirstOrderLinearTIR><C "
                           "file=\"A.csv\"/><B file=\"A.csv\"/>"
                           "<D diag=\"7 8\"/></FirstOrderLinearTIR><RelayNSL/></interaction>");
  ns_ctx c = {.report = to_stderr};
  ns_model *m;
  ck_assert_int_eq(ns_load_memory(&c, path, text, strlen(text), NULL, NULL, &m), NS_OK);
  const double A[] = {1, 3, 2, 4}, D[] = {7, 0, 0, 8};
  ck_assert_mem_eq(m->systems->fo.A.value, A, sizeof A);
  ck_assert_mem_eq(m->interactions->fo.B.value, A, sizeof A);
  ck_assert_mem_eq(m->interactions->fo.D.value, D, sizeof D);
  ck_assert(ns_operator_entry(&m->systems->fo.M, 1, 1) == 6 &&
            ns_operator_entry(&m->systems->fo.M, 0, 1) == 0);
  ns_model_destroy(m);
  snprintf(path, sizeof path, "%s/A.csv", dir);
  unlink(path);
  rmdir(dir);
}
END_TEST

/* ---- laws ------------------------------------------------------------------------------------ */

#define LAW(law) \
  MODEL("<FirstOrderLinearTIDS id=\"a\"><x0>0 0 0</x0></FirstOrderLinearTIDS>", \
        "<interaction id=\"r\" systems=\"a\"><FirstOrderLinearTIR><C>1 0 0; 0 1 0; 0 0 1</C>" \
        "<B>1 0 0; 0 1 0; 0 0 1</B></FirstOrderLinearTIR>" law "</interaction>")

START_TEST(laws_are_bounds)
{
  static const struct {
    const char *text;
    double lb[3], ub[3];
  } row[] = {
      {LAW("<ComplementarityConditionNSL size=\"3\"/>"), {0, 0, 0}, {INFINITY, INFINITY, INFINITY}},
      {LAW("<MixedComplementarityConditionNSL equalitySize=\"2\"/>"),
       {-INFINITY, -INFINITY, 0},
       {INFINITY, INFINITY, INFINITY}},
      {LAW("<EqualityConditionNSL/>"),
       {-INFINITY, -INFINITY, -INFINITY},
       {INFINITY, INFINITY, INFINITY}},
      {LAW("<RelayNSL/>"), {-1, -1, -1}, {1, 1, 1}},
      {LAW("<RelayNSL lb=\"-2*pi\" ub=\"0\"/>"), {-2 * M_PI, -2 * M_PI, -2 * M_PI}, {0, 0, 0}},
      {LAW("<RelayNSL lb=\"-inf, 0 1\" ub=\"1 inf 1\"/>"), {-INFINITY, 0, 1}, {1, INFINITY, 1}}};
  ns_model *m = load(row[_i].text);
  for (int k = 0; k < 3; k++)
    ck_assert(m->interactions->law.lb[k] == row[_i].lb[k] &&
              m->interactions->law.ub[k] == row[_i].ub[k]);
  ns_model_destroy(m);
}
END_TEST

START_TEST(normal_cone_is_its_polyhedron)
{
  ns_model *m = load(LAW("<NormalConeNSL><H>1 2 3; 4 5 6</H><k>7 8</k></NormalConeNSL>"));
  const ns_interaction *it = m->interactions;
  ck_assert(it->law.np == 2 && it->law.N[0] == 1 && it->law.N[1] == 4 && it->law.N[2] == 2 &&
            it->law.k[1] == 8);
  ns_model_destroy(m);
}
END_TEST

/* ---- piecewise linear characteristics -------------------------------------------------------- */

/* Sum of the multipliers of the rows of an uncoupled relation at sigma, each the solution of its
 * row: lambda = proj(-q/d), and the bound that the sign of q asks for where d = 0. */
static double sum(const ns_interaction *it, double sigma)
{
  double s = 0;
  for (int i = 0; i < it->m; i++) {
    double q = it->fo.C.value[i] * sigma + it->fo.e.value[i], d = it->fo.D.value[i + i * it->m];
    double x = d > 0 ? -q / d : q > 0 ? -INFINITY : INFINITY;
    s += fmax(it->law.lb[i], fmin(it->law.ub[i], x));
  }
  return s;
}

typedef struct shape {
  const char *law;
  int n, pieces;
  double left, right, y[6], phi[6];
} shape;

/* phi by interpolation; sigma is no jump. */
static double interpolate(const shape *s, double sigma)
{
  if (sigma < s->y[0]) return s->phi[0] + s->left * (sigma - s->y[0]);
  for (int k = 0; k + 1 < s->n; k++)
    if (sigma < s->y[k + 1])
      return s->phi[k] + (s->phi[k + 1] - s->phi[k]) * (sigma - s->y[k]) / (s->y[k + 1] - s->y[k]);
  return s->phi[s->n - 1] + s->right * (sigma - s->y[s->n - 1]);
}

#define PWL(attributes, points) \
  MODEL("<FirstOrderLinearTIDS id=\"a\"><x0>0</x0></FirstOrderLinearTIDS>", \
        "<interaction id=\"r\" " \
        "systems=\"a\"><FirstOrderLinearTIR><C>1</C><B>-3</B></FirstOrderLinearTIR>" \
        "<PiecewiseLinearNSL" attributes "><points>" points \
        "</points></PiecewiseLinearNSL></interaction>")

START_TEST(piecewise_rows_sum_to_the_characteristic)
{
  static const shape row[] = {
      /* saturation */
      {PWL("", "-1 -1; 1 1"), 2, 1, 0, 0, {-1, 1}, {-1, 1}},
      /* sgn */
      {PWL("", "0 -1; 0 1"), 2, 1, 0, 0, {0, 0}, {-1, 1}},
      /* dead zone */
      {PWL(" left=\"2\" right=\"3\"", "-1 0; 1 0"), 2, 2, 2, 3, {-1, 1}, {0, 0}},
      /* one bend, V */
      {PWL(" left=\"-1\" right=\"0.5\"", "0 1.5"), 1, 2, -1, 0.5, {0}, {1.5}},
      {PWL(" right=\"-2\"", "-2 5; -1 3; 0 3; 0 -1; 2 -2"),
       5,
       4,
       0,
       -2,
       {-2, -1, 0, 0, 2},
       {5, 3, 3, -1, -2}},
      {PWL(" left=\"1\" right=\"1\"", "-1 -1; -1 1; 1 -1; 1 1"),
       4,
       5,
       1,
       1,
       {-1, -1, 1, 1},
       {-1, 1, -1, 1}}};
  const shape *s = &row[_i];
  ns_model *m = load(s->law);
  const ns_interaction *it = m->interactions;
  ck_assert_int_eq(it->m, s->pieces);
  ck_assert(it->fo.B.rows == 1 && it->fo.B.cols == s->pieces &&
            it->fo.B.value[s->pieces - 1] == -3);
  for (double sigma = -4.05; sigma < 4; sigma += 0.1)
    ck_assert_double_eq_tol(sum(it, sigma), interpolate(s, sigma), 1e-14 * 16);
  ns_model_destroy(m);
}
END_TEST

/* A wall is a complementarity condition; the rows of one law serve each row of the relation; D of
 * the relation stays. */
START_TEST(piecewise_rows_keep_the_relation)
{
  ns_model *m = load(PWL(" left=\"-inf\"", "0 0"));
  const ns_interaction *it = m->interactions;
  ck_assert(it->m == 1 && it->fo.D.value[0] == 0 && it->fo.C.value[0] == 1 &&
            it->fo.e.value[0] == 0);
  ck_assert(it->law.lb[0] == 0 && it->law.ub[0] == INFINITY);
  ns_model_destroy(m);
  m = load(LAW("<PiecewiseLinearNSL right=\"2\"><points>0 -1; 0 1</points></PiecewiseLinearNSL>"));
  it = m->interactions;
  ck_assert(it->m == 6 && it->fo.B.cols == 6 && it->fo.C.rows == 6);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 3; j++)
      ck_assert(it->fo.C.value[i + 6 * j] == -(i / 2 == j) &&
                it->fo.B.value[j + 3 * i] == (i / 2 == j));
    ck_assert(it->law.lb[i] == (i % 2 ? 0 : -1) && it->law.ub[i] == (i % 2 ? INFINITY : 1));
  }
  ns_model_destroy(m);
  m = load(MODEL("<FirstOrderLinearTIDS id=\"a\"><x0>0</x0><z>1</z></FirstOrderLinearTIDS>",
                 "<interaction id=\"r\" "
                 "systems=\"a\"><FirstOrderLinearTIR><C>2</C><B>1</B><D>5</D><e>7</e><F>3</F>"
                 "</FirstOrderLinearTIR><PiecewiseLinearNSL right=\"-4\"><points>1 0; 2 "
                 "8</points></PiecewiseLinearNSL>"
                 "</interaction>"));
  it = m->interactions;
  /* rising piece: y = 1 - sigma + lambda/8, falling one: y = sigma - 2 + lambda/4; sigma = 2 x + 5
   * sum + 7 + 3 z */
  const double C[] = {-2, 2}, D[] = {-5 + 0.125, 5, -5, 5 + 0.25}, e[] = {-6, 5}, F[] = {-3, 3};
  ck_assert_mem_eq(it->fo.C.value, C, sizeof C);
  ck_assert_mem_eq(it->fo.D.value, D, sizeof D);
  ck_assert_mem_eq(it->fo.e.value, e, sizeof e);
  ck_assert_mem_eq(it->fo.F.value, F, sizeof F);
  ck_assert(it->law.lb[0] == 0 && it->law.ub[0] == 8 && it->law.lb[1] == -INFINITY &&
            it->law.ub[1] == 0);
  ns_model_destroy(m);
}
END_TEST

/* x' = 4 cos 3t - phi(x), phi by relays and by a formula that Newton's method sees: one implicit
 * scheme, one trajectory. */
START_TEST(piecewise_law_runs_like_its_formula)
{
#define RUN(system, interactions) \
  "<model " NS "><systems>" system "</systems>" interactions "<simulation T=\"4\"><TimeStepping " \
  "h=\"0.01\">" \
  "<EulerMoreauOSI/></TimeStepping></simulation></model>"
  run relays = run_load(
      RUN("<FirstOrderLinearDS id=\"a\" "
          "states=\"x\"><x0>0</x0><b>4*cos(3*t)</b></FirstOrderLinearDS>",
          "<interactions><interaction id=\"r\" systems=\"a\"><FirstOrderLinearTIR><C>1</C><B>-1</B>"
          "</FirstOrderLinearTIR><PiecewiseLinearNSL right=\"3\"><points>-0.5 -2; 0 0; 0.5 "
          "1</points>"
          "</PiecewiseLinearNSL></interaction></interactions>"),
      NULL);
  run formula = run_load(
      RUN("<FirstOrderNonLinearDS id=\"a\" states=\"x\"><x0>0</x0><f>4*cos(3*t) - "
          "(max(-2, min(0, 4*x)) + 2*max(0, min(x, 0.5)) + 3*max(x - 0.5, "
          "0))</f></FirstOrderNonLinearDS>",
          ""),
      NULL);
  ck_assert_int_eq(run_keep(&relays), NS_OK);
  ck_assert_int_eq(run_keep(&formula), NS_OK);
  size_t a = capture_column(&relays.got, "a.x"), b = capture_column(&formula.got, "a.x");
  double low = 0, high = 0;
  for (size_t i = 0; i < relays.got.nrows; i++) {
    double x = relays.got.rows[i * relays.got.ncols + a],
           y = formula.got.rows[i * formula.got.ncols + b];
    ck_assert_double_eq_tol(x, y, 1e-10); /* newtonRelativeTolerance, of |x| <= 1 */
    low = fmin(low, x), high = fmax(high, x);
  }
  ck_assert(low < -0.5 && high > 0.5); /* every piece is visited */
  run_end(&relays);
  run_end(&formula);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, circuit_becomes_its_numbers);
  tcase_add_test(t, mechanical_models_need_no_problem);
  tcase_add_test(t, operators_depend_on_what_they_name);
  tcase_add_test(t, controls_are_counted);
  tcase_add_test(t, derived_field_jacobian_is_the_one_by_hand);
  tcase_add_test(t, derived_jacobians_of_relations_are_those_by_hand);
  tcase_add_test(t, jacobians_that_are_zero_are_absent);
  tcase_add_test(t, names_of_states_stand_for_stacked_entries);
  tcase_add_test(t, names_of_two_systems_are_refused_alone);
  tcase_add_test(t, each_turn_of_a_repeat_has_its_own);
  tcase_add_test(t, turns_with_other_systems_are_read_anew);
  tcase_add_test(t, values_come_from_files_and_diagonals);
  tcase_add_loop_test(t, laws_are_bounds, 0, 6);
  tcase_add_test(t, normal_cone_is_its_polyhedron);
  tcase_add_loop_test(t, piecewise_rows_sum_to_the_characteristic, 0, 6);
  tcase_add_test(t, piecewise_rows_keep_the_relation);
  tcase_add_test(t, piecewise_law_runs_like_its_formula);
}

int main(void) { return suite_run("first-order models", fill); }
