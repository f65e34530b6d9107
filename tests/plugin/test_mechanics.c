/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of mechanical relations and boundary conditions are called as nssim/plugin.h declares
 * them, and the example is right. */
#include "nssim/plugin.h"
#include "plugin/model.h"
#include "support/suite.h"

#include "model/relations/lagrangian_relation.h"

#include <math.h>

/* Each function writes 1, 2, ... where its arguments are right, else -1. */
static const char probe[] =
    "#include <nssim/plugin.h>\n"
    "static void serial(int ok, int n, double *out) { for (int i = 0; i < n; i++) out[i] = ok ? i "
    "+ 1 : -1; }\n"
    "#define Q (N == 4 && q[0] == 10 && q[3] == 13)\n"
    "#define M (m == 2)\n"
    "#define Z2 (nz == 2 && z[0] == 7 && z[1] == 8)\n"
    "nssim_lh h, H; nssim_lhdot Hdot; nssim_lrheo hr, Hr, htr; nssim_lcomp hc, Hc, Dc; nssim_bc "
    "speed;\n"
    "void h(unsigned N, const double *q, unsigned m, double *o, unsigned nz, double *z) { serial(Q "
    "&& M && Z2, 2, o); }\n"
    "void H(unsigned N, const double *q, unsigned m, double *o, unsigned nz, double *z) { serial(Q "
    "&& M && Z2, 8, o); }\n"
    "void Hdot(unsigned N, const double *q, unsigned n, const double *v, double *o, unsigned nz, "
    "double *z)\n"
    "{ serial(Q && n == 4 && v[0] == 20 && v[3] == 23 && Z2, 8, o); }\n"
    "#define T (t == 1.5)\n"
    "void hr(unsigned N, const double *q, double t, unsigned m, double *o, unsigned nz, double *z) "
    "{ serial(Q && T && M && Z2, 2, o); }\n"
    "void Hr(unsigned N, const double *q, double t, unsigned m, double *o, unsigned nz, double *z) "
    "{ serial(Q && T && M && Z2, 8, o); }\n"
    "void htr(unsigned N, const double *q, double t, unsigned m, double *o, unsigned nz, double "
    "*z) { serial(Q && T && M && Z2, 2, o); }\n"
    "#define L (m == 2 && l[0] == 30 && l[1] == 31)\n"
    "void hc(unsigned N, const double *q, unsigned m, const double *l, double *o, unsigned nz, "
    "double *z)\n"
    "{ if (l[0] == 0) serial(1, 2, o); else serial(Q && L && Z2, 2, o); }\n"
    "void Hc(unsigned N, const double *q, unsigned m, const double *l, double *o, unsigned nz, "
    "double *z) { serial(Q && L && Z2, 8, o); }\n"
    "void Dc(unsigned N, const double *q, unsigned m, const double *l, double *o, unsigned nz, "
    "double *z)\n"
    "{ if (l[0] == 0) { o[0] = o[3] = 1; o[1] = o[2] = 0; } else serial(Q && L && Z2, 4, o); }\n"
    "void speed(double t, unsigned n, double *v) { serial(T && n == 2, 2, v); }\n";

#define P(value, function) "<" value " plugin=\"probe:" function "\"/>"
#define RELATION(id, kind, content, law) \
  "<interaction id=\"" id "\" systems=\"a b\"><" kind ">" content "</" kind ">" law "</interaction>"
static const char model[] =
    "<model xmlns=\"urn:nssim:model:1\"><systems>"
    "<LagrangianDS id=\"a\"><q0>10 11 12</q0><z>7</z><prescribed coordinates=\"q[0] q[2]\" "
    "plugin=\"probe:speed\"/></LagrangianDS>"
    "<LagrangianDS id=\"b\"><q0>13</q0><z>8</z></LagrangianDS></systems><interactions>" RELATION(
        "s", "LagrangianScleronomousR", P("h", "h") P("H", "H") P("HDot", "Hdot"),
        "<NewtonImpactNSL e=\"0\" size=\"2\"/>")
        RELATION("r", "LagrangianRheonomousR", P("h", "hr") P("H", "Hr") P("hDot", "htr"),
                 "<NewtonImpactFrictionNSL en=\"0\" mu=\"0\" size=\"2\"/>")
            RELATION(
                "c", "LagrangianCompliantR", P("h", "hc") P("H", "Hc") P("D", "Dc"),
                "<ComplementarityConditionNSL size=\"2\"/>") "</interactions><simulation "
                                                             "t0=\"1.5\" T=\"2\"><TimeStepping "
                                                             "h=\"0.5\"><MoreauJeanOSI/></"
                                                             "TimeStepping></simulation></model>";

static ns_model *load(const char *path, const char *text, const char *dir)
{
  ns_model *m;
  plugins = ns_plugins_create(&said.c, &dir, 1);
  ck_assert_ptr_nonnull(plugins);
  ck_assert_msg(ns_load_memory(&said.c, path, text, strlen(text), &(ns_load_options){.as_given = 1},
                               plugins, &m) == NS_OK,
                "%s", said.text);
  return m;
}

/* The operator is called right: it writes 1, 2, ... to all of its rows x cols. */
static void called_right(const ns_operator *o, const ns_point *p, int size, const char *what)
{
  ns_ctx c = {0};
  double out[9];
  for (int k = 0; k < 9; k++) out[k] = -1;
  ck_assert_msg(o->how == NS_OP_PLUGIN, "%s is no plug-in", what);
  ck_assert_int_eq(o->rows * o->cols, size);
  ck_assert_msg(ns_operator_eval(o, &c, p, NULL, out) == NS_OK, "%s: %s", what, c.msg);
  for (int k = 0; k < 9; k++)
    ck_assert_msg(out[k] == (k < size ? k + 1 : -1), "%s, entry %d: %g", what, k, out[k]);
}

START_TEST(functions_get_the_arguments_of_the_header)
{
  library("probe", probe);
  ns_model *m = load(in_folder("m.xml"), model, folder);
  double z[] = {7, 8};
  const double q[] = {10, 11, 12, 13}, v[] = {20, 21, 22, 23}, lambda[] = {30, 31};
  ns_point p = {.t = 1.5, .n = 4, .q = q, .v = v, .nz = 2, .z = z, .m = 2, .lambda = lambda};
  const ns_lagrangian_relation *s = &m->interactions[0].lr, *r = &m->interactions[1].lr,
                               *c = &m->interactions[2].lr;
  called_right(&s->h, &p, 2, "h"), called_right(&s->H, &p, 8, "H"),
      called_right(&s->Hdot, &p, 8, "HDot");
  called_right(&r->h, &p, 2, "h(t)"), called_right(&r->H, &p, 8, "H(t)"),
      called_right(&r->ht, &p, 2, "hDot(t)");
  called_right(&c->h, &p, 2, "h(lambda)"), called_right(&c->H, &p, 8, "H(lambda)"),
      called_right(&c->D, &p, 4, "D");
  called_right(&m->boundaries[0].value, &p, 2, "prescribed");
  ck_assert_uint_eq(s->h.uses, 1u << NS_BANK_Q | 1u << NS_BANK_Z);
  ck_assert_uint_eq(r->h.uses, 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_Z);
  ck_assert_uint_eq(c->h.uses, 1u << NS_BANK_LAMBDA | 1u << NS_BANK_Q | 1u << NS_BANK_Z);
  ns_model_destroy(m);
}
END_TEST

/* ---- the example ----------------------------------------------------------------------------- */

#define CRANK(relation, size) \
  "<model xmlns=\"urn:nssim:model:1\"><systems><LagrangianDS id=\"c\" coordinates=\"p r " \
    "s\"><q0>0 0 0</q0></LagrangianDS>" \
  "</systems><interactions><interaction id=\"corner\" " \
    "systems=\"c\"><LagrangianScleronomousR>" relation \
  "</LagrangianScleronomousR><NewtonImpactFrictionNSL en=\"0.4\" " \
    "mu=\"0.01\"" size "/></interaction></interactions>" \
  "<simulation T=\"1\"><TimeStepping " \
    "h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation></model>"
#define BY_PLUGIN(n) CRANK("<h plugin=\"SliderCrankPlugin:h" n "\"/><H " \
  "plugin=\"SliderCrankPlugin:H" n "\"/>", " size=\"2\"")
/* Corner at (x, y): gap and position along the guide, whose derivative is the row of slip. */
#define BY_TEXT(s, r) \
  CRANK("<h>0.026 - " r "(0.153*sin(p) + 0.306*sin(r) + " s "0.05*sin(s) + " r "0.025*cos(s)), " \
        "0.153*cos(p) + 0.306*cos(r) + " s "0.05*cos(s) - " r "0.025*sin(s)</h>", "")

START_TEST(slider_crank_is_its_formulas)
{
  static const struct {
    const char *plugin, *text;
  } row[] = {{BY_PLUGIN("1"), BY_TEXT("-1*", "1*")},
             {BY_PLUGIN("2"), BY_TEXT("1*", "1*")},
             {BY_PLUGIN("3"), BY_TEXT("-1*", "-1*")},
             {BY_PLUGIN("4"), BY_TEXT("1*", "-1*")}};
  char path[520], dir[512];
  const char *top = getenv("TOP") ? getenv("TOP") : ".";
  snprintf(dir, sizeof dir, "%s/models/slider-crank", top);
  snprintf(path, sizeof path, "%s/m.xml", dir);
  ns_model *own = load(path, row[_i].plugin, dir), *text;
  ck_assert_int_eq(
      ns_load_memory(&said.c, "m.xml", row[_i].text, strlen(row[_i].text), NULL, NULL, &text),
      NS_OK);
  for (int k = 0; k < 20; k++) {
    ns_ctx c = {0};
    const ns_interaction *a = own->interactions, *b = text->interactions;
    double y[2], H[6], z[2], G[6], work[500];
    ns_point p = {.n = 3, .q = (double[]){3 * sin(k), cos(3 * k), 0.3 * sin(7 * k)}, .m = 2};
    ck_assert_int_eq(ns_lagrangian_gap(a, &c, &p, work, y), NS_OK);
    ck_assert_int_eq(ns_lagrangian_gap(b, &c, &p, work, z), NS_OK);
    ck_assert_int_eq(ns_lagrangian_rows(a, &c, &p, work, H, NULL, NULL), NS_OK);
    ck_assert_int_eq(ns_lagrangian_rows(b, &c, &p, work, G, NULL, NULL), NS_OK);
    ck_assert_double_eq_tol(y[0], z[0], 2e-16); /* lengths below 0.5 */
    ck_assert_double_eq(y[1], 0);
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(H[i], G[i], 2e-16);
  }
  ns_model_destroy(own);
  ns_model_destroy(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, functions_get_the_arguments_of_the_header);
  tcase_add_loop_test(t, slider_crank_is_its_formulas, 0, 4);
}

int main(void) { return suite_run("plug-ins of mechanical relations", fill); }
