/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of first-order models are called as nssim/plugin.h declares them, and the example is
 * right. */
#include "nssim/plugin.h"
#include "plugin/model.h"
#include "support/suite.h"

#include <math.h>

/* Every function holds its arguments against those of the test and writes serial numbers, or NaN
 * where one is wrong. */
static const char probe[] =
    "#include <nssim/plugin.h>\n#include <math.h>\n"
    "NSSIM_PLUGIN(\"probe\", NSSIM_PLUGIN_ABI);\n"
    "NSSIM_EXPORT nssim_f f, jf, M; NSSIM_EXPORT nssim_a A, C, D, B, F; NSSIM_EXPORT nssim_b b, "
    "e;\n"
    "NSSIM_EXPORT nssim_u u; NSSIM_EXPORT nssim_t T; NSSIM_EXPORT nssim_hg h, g, jhx, jhl, jgx, "
    "jgl;\n"
    "NSSIM_EXPORT nssim_h1 h1, jh1; NSSIM_EXPORT nssim_g1 g1, jg1; NSSIM_EXPORT nssim_h2 h2; "
    "NSSIM_EXPORT nssim_jh2 jhx2, jhl2;\n"
    "NSSIM_EXPORT nssim_g2 g2; NSSIM_EXPORT nssim_jg2 jg2;\n"
    "static void serial(int ok, int n, double *out) { for (int i = 0; i < n; i++) out[i] = ok ? i "
    "+ 1 : NAN; }\n"
    "static int is(const double *x, int n, double from) { for (int i = 0; i < n; i++) if (x[i] != "
    "from + i) return 0; return 1; }\n"
    "#define SYSTEM (n == 3 && is(x, 3, 10) && nz == 1 && z[0] == 7)\n"
    "#define Z2 (nz == 2 && z[0] == 7 && z[1] == 8)\n"
    "#define X (N == 4 && is(x, 4, 10))\n"
    "#define L (m == 2 && is(l, 2, 30))\n"
    "#define FARGS double t, unsigned n, const double *x, double *o, unsigned nz, double *z\n"
    "void f(FARGS) { serial(t == 1.5 && SYSTEM, 3, o); }\n"
    "void jf(FARGS) { serial(t == 1.5 && SYSTEM, 9, o); }\n"
    "void M(FARGS) { serial(t == 1.5 && SYSTEM, 9, o); }\n"
    "#define AARGS double t, unsigned r, unsigned c, double *o, unsigned nz, double *z\n"
    "void A(AARGS) { serial(t == 1.5 && r == 3 && c == 3 && nz == 1 && z[0] == 7, 9, o); }\n"
    "void C(AARGS) { serial(t == 1.5 && r == 2 && c == 4 && Z2, 8, o); }\n"
    "void D(AARGS) { serial(t == 1.5 && r == 2 && c == 2 && Z2, 4, o); }\n"
    "void B(AARGS) { serial(t == 1.5 && r == 4 && c == 2 && Z2, 8, o); }\n"
    "void F(AARGS) { serial(t == 1.5 && r == 2 && c == 2 && Z2, 4, o); }\n"
    "void b(double t, unsigned n, double *o, unsigned nz, double *z) { serial(t == 1.5 && n == 3 "
    "&& nz == 1 && z[0] == 7, 3, o); }\n"
    "void e(double t, unsigned n, double *o, unsigned nz, double *z) { serial(t == 1.5 && n == 2 "
    "&& Z2, 2, o); }\n"
    "void u(double t, unsigned s, unsigned n, const double *x, const double *xdot, double *o, "
    "unsigned nz, double *z)\n"
    "{ serial(t == 1.5 && s == 2 && SYSTEM && is(xdot, 3, 20), 2, o); }\n"
    "void T(unsigned n, unsigned s, const double *x, double *o, unsigned nz, double *z) { serial(s "
    "== 2 && SYSTEM, 6, o); }\n"
    "#define HARGS double t, unsigned N, const double *x, unsigned m, const double *l, double *o, "
    "unsigned nz, double *z\n"
    "#define HOK (t == 1.5 && X && L && Z2)\n"
    "void h(HARGS) { serial(HOK, 2, o); }\nvoid g(HARGS) { serial(HOK, 4, o); }\nvoid jhx(HARGS) { "
    "serial(HOK, 8, o); }\n"
    "void jhl(HARGS) { serial(HOK, 4, o); }\nvoid jgx(HARGS) { serial(HOK, 16, o); }\nvoid "
    "jgl(HARGS) { serial(HOK, 8, o); }\n"
    "void h1(unsigned N, const double *x, unsigned m, double *o, unsigned nz, double *z) { "
    "serial(X && m == 2 && Z2, 2, o); }\n"
    "void jh1(unsigned N, const double *x, unsigned m, double *o, unsigned nz, double *z) { "
    "serial(X && m == 2 && Z2, 8, o); }\n"
    "void g1(unsigned m, const double *l, unsigned N, double *o, unsigned nz, double *z) { "
    "serial(N == 4 && L && Z2, 4, o); }\n"
    "void jg1(unsigned m, const double *l, unsigned N, double *o, unsigned nz, double *z) { "
    "serial(N == 4 && L && Z2, 8, o); }\n"
    "void h2(unsigned N, const double *x, unsigned m, const double *l, unsigned r, double *o) { "
    "serial(X && L && r == 2, 2, o); }\n"
    "void jhx2(unsigned N, const double *x, unsigned m, const double *l, double *o) { serial(X && "
    "L, 8, o); }\n"
    "void jhl2(unsigned N, const double *x, unsigned m, const double *l, double *o) { serial(X && "
    "L, 4, o); }\n"
    "void g2(unsigned m, const double *l, unsigned N, double *o) { serial(N == 4 && L, 4, o); }\n"
    "void jg2(unsigned m, const double *l, double *o) { serial(L, 8, o); }\n";

#define P(value, function) "<" value " plugin=\"probe:" function "\"/>"
#define RELATION(id, kind, content) \
  "<interaction id=\"" id "\" systems=\"a b\"><" kind ">" content "</" kind "><RelayNSL " \
    "size=\"2\"/></interaction>"
static const char model[] =
    "<model xmlns=\"urn:nssim:model:1\"><systems>"
    "<FirstOrderNonLinearDS id=\"a\" controlSize=\"2\"><x0>10 11 12</x0><z>7</z>" P("f", "f")
        P("jacobianfx", "jf") P("u", "u")
            P("T",
              "T") "</FirstOrderNonLinearDS>"
                   "<FirstOrderNonLinearDS id=\"b\"><x0>13</x0><z>8</z></FirstOrderNonLinearDS>"
                   "<FirstOrderLinearDS id=\"c\"><x0>10 11 12</x0><z>7</z>" P("A", "A") P(
                       "b",
                       "b") "</FirstOrderLinearDS>"
                            "</systems><interactions>" RELATION("l", "FirstOrderLinearR",
                                                                P("C", "C") P("B", "B") P("D", "D")
                                                                    P("F", "F") P("e", "e"))
                                RELATION("n", "FirstOrderNonLinearR",
                                         P("h", "h") P("g", "g") P("jachx", "jhx")
                                             P("jachlambda", "jhl") P("jacgx", "jgx")
                                                 P("jacglambda", "jgl"))
                                    RELATION("t1", "FirstOrderType1R",
                                             P("h", "h1") P("g", "g1") P("jachx", "jh1")
                                                 P("jacglambda", "jg1"))
                                        RELATION(
                                            "t2",
                                            "FirstOrderType2R",
                                            P("h", "h2") P("g", "g2") P("jachx", "jhx2")
                                                P("jachlambda", "jhl2")
                                                    P("jacglambda",
                                                      "jg2")) "</interactions><simulation "
                                                              "t0=\"1.5\" T=\"2\"><TimeStepping "
                                                              "h=\"0.5\"><EulerMoreauOSI/></"
                                                              "TimeStepping></simulation></model>";

static ns_model *load(const char *path, const char *text, const char *dir)
{
  ns_model *m;
  plugins = ns_plugins_create(&said.c, &dir, 1);
  ck_assert_ptr_nonnull(plugins);
  ck_assert_msg(ns_load_memory(&said.c, path, text, strlen(text), NULL, plugins, &m) == NS_OK, "%s",
                said.text);
  return m;
}

/* The operator is called right: it writes 1, 2, ... to all of its rows x cols. */
static void called_right(const ns_operator *o, const ns_point *p, const char *what)
{
  ns_ctx c = {0};
  double out[17];
  for (int k = 0; k < 17; k++) out[k] = -1;
  ck_assert_msg(o->how == NS_OP_PLUGIN, "%s is no plug-in", what);
  ck_assert_msg(ns_operator_eval(o, &c, p, NULL, out) == NS_OK, "%s: %s", what, c.msg);
  for (int k = 0; k < 17; k++)
    ck_assert_msg(out[k] == (k < o->rows * o->cols ? k + 1 : -1), "%s, entry %d: %g", what, k,
                  out[k]);
}

START_TEST(functions_get_the_arguments_of_the_header)
{
  library("probe", probe);
  ns_model *m = load(in_folder("m.xml"), model, folder);
  double z[] = {7, 8};
  const double x[] = {10, 11, 12, 13}, rate[] = {20, 21, 22}, lambda[] = {30, 31};
  ns_point p = {.t = 1.5, .n = 3, .q = x, .v = rate, .nz = 1, .z = z};
  const ns_first_order *a = &m->systems[0].fo, *c = &m->systems[2].fo;
  called_right(&a->f, &p, "f"), called_right(&a->dx_f, &p, "jacobianfx"),
      called_right(&a->u, &p, "u");
  called_right(&a->T, &p, "T"), called_right(&c->A, &p, "A"), called_right(&c->b, &p, "b");
  p = (ns_point){.t = 1.5, .n = 4, .q = x, .nz = 2, .z = z, .m = 2, .lambda = lambda};
  for (int k = 0; k < 4; k++) {
    const ns_first_order_relation *r = &m->interactions[k].fo;
    const char *id = m->interactions[k].at.id;
    const ns_operator *op[] = {&r->C,
                               &r->B,
                               k < 1 || k == 1 || k == 3 ? &r->D : NULL,
                               k == 0 ? &r->F : &r->h,
                               k == 0 ? &r->e : &r->g,
                               k == 1 ? &r->K : NULL};
    for (int j = 0; j < 6; j++)
      if (op[j]) called_right(op[j], &p, id);
  }
  /* what a function does not get it cannot depend on: nothing to difference there */
  ck_assert_uint_eq(m->interactions[2].fo.h.uses, 1u << NS_BANK_Q | 1u << NS_BANK_Z);
  ck_assert_uint_eq(m->interactions[3].fo.g.uses, 1u << NS_BANK_LAMBDA);
  ns_model_destroy(m);
}
END_TEST

/* M gets x as f does, but is a function of t and z alone. */
START_TEST(mass_is_called_like_f)
{
  library("probe", probe);
  ns_operator M;
  const ns_plugin_call *call;
  ns_arena *arena = ns_arena_create(0, 1);
  plugins = ns_plugins_create(&said.c, NULL, 0);
  ck_assert_int_eq(
      ns_plugins_resolve(plugins, &said.c, NULL, folder, "probe:M", NS_SIG_F, arena, &call), NS_OK);
  M = (ns_operator){.how = NS_OP_PLUGIN, .rows = 3, .cols = 3, .plugin = call};
  const double x[] = {10, 11, 12};
  ns_point p = {.t = 1.5, .n = 3, .q = x, .nz = 1, .z = (double[]){7}};
  called_right(&M, &p, "M");
  ns_arena_destroy(arena);
}
END_TEST

/* The example, held against formulas: functions equal to rounding, Jacobians those that are derived
 * of the formulas. */
START_TEST(van_der_pol_is_its_formulas)
{
#define OSCILLATOR(system, relation, law) \
  "<model xmlns=\"urn:nssim:model:1\"><systems><FirstOrderNonLinearDS id=\"o\" states=\"x " \
    "y\"><x0>2 0</x0><z>1.5 0.1</z>" \
  system "</FirstOrderNonLinearDS></systems><interactions><interaction id=\"friction\" " \
    "systems=\"o\"><FirstOrderType1R>" \
  relation "</FirstOrderType1R>" law "</interaction></interactions><simulation " \
    "T=\"1\"><TimeStepping h=\"0.5\">" \
  "<EulerMoreauOSI/></TimeStepping></simulation></model>"
#define V(value, function) "<" value " plugin=\"VanDerPolPlugin:" function "\"/>"
  char path[512], dir[512];
  const char *top = getenv("TOP") ? getenv("TOP") : ".";
  snprintf(dir, sizeof dir, "%s/plugins", top);
  snprintf(path, sizeof path, "%s/plugins/m.xml", top);
  ns_model *own = load(path,
                       OSCILLATOR(V("f", "field") V("jacobianfx", "fieldByState"),
                                  V("h", "slip") V("g", "friction") V("jachx", "slipByState")
                                      V("jacglambda", "frictionByLambda"),
                                  "<RelayNSL size=\"1\"/>"),
                       dir);
  ns_plugins *first = plugins;
  ns_model *text = load("m.xml",
                        OSCILLATOR("<f>y, z[0]*(1 - x^2)*y - x</f>",
                                   "<h>y</h><g>0, z[1]*lambda[0]</g>", "<RelayNSL/>"),
                        dir);
  double z[] = {1.5, 0.1}, work[100], a[4], b[4];
  for (int k = 0; k < 20; k++) {
    ns_ctx c = {0};
    ns_point p = {.n = 2,
                  .q = (double[]){2 * sin(k), cos(3 * k)},
                  .nz = 2,
                  .z = z,
                  .m = 1,
                  .lambda = (double[]){cos(k)}};
    const ns_first_order *f = &own->systems->fo, *g = &text->systems->fo;
    const ns_first_order_relation *r = &own->interactions->fo, *s = &text->interactions->fo;
    const ns_operator *pair[][2] = {{&f->f, &g->f}, {&f->dx_f, &g->dx_f}, {&r->h, &s->h},
                                    {&r->g, &s->g}, {&r->C, &s->C},       {&r->B, &s->B}};
    for (int j = 0; j < 6; j++) {
      int n = pair[j][0]->rows * pair[j][0]->cols;
      ck_assert_int_eq(n, pair[j][1]->rows * pair[j][1]->cols);
      ck_assert_int_eq(ns_operator_eval(pair[j][0], &c, &p, work, a), NS_OK);
      ck_assert_int_eq(ns_operator_eval(pair[j][1], &c, &p, work, b), NS_OK);
      for (int i = 0; i < n; i++) ck_assert_double_eq_tol(a[i], b[i], 4e-15); /* entries below 10 */
    }
  }
  ns_model_destroy(own);
  ns_model_destroy(text);
  ns_plugins_destroy(first);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, functions_get_the_arguments_of_the_header);
  tcase_add_test(t, mass_is_called_like_f);
  tcase_add_test(t, van_der_pol_is_its_formulas);
}

int main(void) { return suite_run("plug-ins of first-order models", fill); }
