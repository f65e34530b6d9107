/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of rigid bodies are called as nssim/plugin.h declares them. */
#include "plugin/model.h"
#include "support/suite.h"

#include "model/systems/rigid_body.h"

/* Each function writes 1, 2, ... where its arguments are right, else -1. */
static const char probe[] =
    "#include <nssim/plugin.h>\n"
    "static void serial(int ok, int n, double *out) { for (int i = 0; i < n; i++) out[i] = ok ? i "
    "+ 1 : -1; }\n"
    "#define TZ (t == 1.5 && nz == 2 && z[0] == 7 && z[1] == 8)\n"
    "#define QV (q[0] == 10 && q[6] == 16 && v[0] == 20 && v[5] == 25)\n"
    "nssim_body_fext f, m; nssim_body_fint fi, mi, fq, fv, mq, mv;\n"
    "void f(double t, double *o, unsigned nz, double *z) { serial(TZ, 3, o); }\n"
    "void m(double t, double *o, unsigned nz, double *z) { serial(TZ, 3, o); }\n"
    "#define INNER(name, n) void name(double t, const double *q, const double *v, double *o, "
    "unsigned nz, double *z) \\\n"
    "{ serial(TZ && QV, n, o); }\n"
    "INNER(fi, 3) INNER(mi, 3) INNER(fq, 21) INNER(mq, 21) INNER(fv, 18) INNER(mv, 18)\n";

#define P(value, function) "<" value " plugin=\"probe:" function "\"/>"
static const char model[] =
    "<model xmlns=\"urn:nssim:model:1\"><systems>"
    "<NewtonEulerDS id=\"a\"><q0>0 0 0 1 0 0 0</q0><z>7 8</z><mass>1</mass><inertia diag=\"1 1 "
    "1\"/>" P("fExt", "f") P("mExt", "m") P("fInt", "fi") P("mInt", "mi") P("jacobianFIntq", "fq")
        P("jacobianFIntv", "fv") P("jacobianMIntq", "mq") P(
            "jacobianMIntv", "mv") "</NewtonEulerDS></systems>"
                                   "<simulation t0=\"1.5\" T=\"2\"><TimeStepping "
                                   "h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation></model>";

START_TEST(functions_get_the_arguments_of_the_header)
{
  const char *dir = folder;
  ns_model *m;
  library("probe", probe);
  plugins = ns_plugins_create(&said.c, &dir, 1);
  ck_assert_msg(ns_load_memory(&said.c, in_folder("m.xml"), model, strlen(model),
                               &(ns_load_options){.as_given = 1}, plugins, &m) == NS_OK,
                "%s", said.text);
  const ns_rigid_body *b = &m->systems[0].rigid;
  const struct {
    const ns_operator *o;
    int size;
    unsigned uses;
  } row[] = {{&b->fext, 3, 0},     {&b->mext, 3, 0},     {&b->fint, 3, 1},
             {&b->mint, 3, 1},     {&b->dq_fint, 21, 1}, {&b->dq_mint, 21, 1},
             {&b->dv_fint, 18, 1}, {&b->dv_mint, 18, 1}};
  double z[] = {7, 8}, out[22];
  const double q[] = {10, 11, 12, 13, 14, 15, 16}, v[] = {20, 21, 22, 23, 24, 25};
  ns_point p = {.t = 1.5, .n = 7, .q = q, .v = v, .nz = 2, .z = z};
  for (int k = 0; k < 8; k++) {
    ns_ctx c = {0};
    for (int i = 0; i < 22; i++) out[i] = -1;
    ck_assert_int_eq(row[k].o->rows * row[k].o->cols, row[k].size);
    ck_assert_msg(ns_operator_eval(row[k].o, &c, &p, NULL, out) == NS_OK, "%d: %s", k, c.msg);
    for (int i = 0; i < 22; i++)
      ck_assert_msg(out[i] == (i < row[k].size ? i + 1 : -1), "%d, entry %d: %g", k, i, out[i]);
    unsigned state = 1u << NS_BANK_Q | 1u << NS_BANK_V;
    ck_assert_uint_eq(row[k].o->uses,
                      (row[k].uses ? state : 0) | 1u << NS_BANK_T | 1u << NS_BANK_Z);
  }
  ck_assert(!ns_rigid_differenced(&m->systems[0]));
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, functions_get_the_arguments_of_the_header);
}

int main(void) { return suite_run("plug-ins of rigid bodies", fill); }
