/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loader makes of a text the numbers, formulas and links that it describes. */
#include "support/run.h"

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS "xmlns=\"urn:nssim:model:1\""
#define SIMULATION \
  "<simulation T=\"1\"><TimeStepping " \
  "h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation>"
#define SYSTEMS(s) "<model " NS "><systems>" s "</systems>" SIMULATION "</model>"

static const char ball[] =
    "<model " NS " name=\"bouncing-ball\"><title> Ball </title>"
    "<parameters><parameter name=\"m\" value=\"2\" unit=\"kg\"/>"
    "<parameter name=\"g\" value=\"9.81\" unit=\"m/s^2\" help=\"gravity\"/>"
    "<parameter name=\"R\" value=\"0.1\" unit=\"m\"/></parameters>"
    "<systems><LagrangianLinearTIDS id=\"ball\" coordinates=\"x y phi\"><q0>1 0 0</q0><v0>0 -1 "
    "0</v0>"
    "<mass diag=\"m m 2/5*m*R^2\"/><fExt>-m*g 0 0</fExt></LagrangianLinearTIDS></systems>"
    "<interactions><interaction id=\"ground\" systems=\"ball\">"
    "<LagrangianLinearTIR><H>1 0 0</H><e>-R</e></LagrangianLinearTIR><NewtonImpactNSL e=\"0.9\"/>"
    "</interaction></interactions>"
    "<simulation t0=\"0.5\" T=\"10\"><TimeStepping h=\"0.005\"><MoreauJeanOSI theta=\"1/2\"/><LCP "
    "solver=\"lemke\"/>"
    "</TimeStepping></simulation><output every=\"3\"><record select=\"ball.q "
    "g*.*\"/></output></model>";

static ns_model *load_set(const char *text, const char *const *set)
{
  ns_ctx c = {.report = to_stderr};
  ns_model *m;
  ns_load_options o = {.set = set};
  while (set && set[o.nset]) o.nset++;
  int rc = ns_load_memory(&c, "test.xml", text, strlen(text), &o, NULL, &m);
  ck_assert_msg(rc == NS_OK && m, "%s", c.msg);
  return m;
}

static ns_model *load(const char *text) { return load_set(text, NULL); }

START_TEST(ball_becomes_its_numbers)
{
  ns_model *m = load(ball);
  const ns_system *s = m->systems;
  const ns_interaction *it = m->interactions;
  ck_assert_str_eq(m->name, "bouncing-ball");
  ck_assert_str_eq(m->title, "Ball");
  ck_assert(m->nsystems == 1 && m->ninteractions == 1 && m->nq == 3 && m->nrows == 1);
  ck_assert_str_eq(s->at.id, "ball");
  ck_assert_str_eq(s->kind->name, "LagrangianLinearTIDS");
  ck_assert_str_eq(s->names[2], "phi");
  ck_assert(s->n == 3 && s->q0[0] == 1 && s->v0[1] == -1 && s->nz == 0);
  ck_assert(s->mass.how == NS_OP_CONSTANT && s->mass.rows == 3 && s->mass.cols == 3);
  const double mass[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2.0 / 5 * 2 * (0.1 * 0.1)};
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(ns_operator_entry(&s->mass, k % 3, k / 3), mass[k], 1e-18);
  ck_assert(s->fext.how == NS_OP_CONSTANT && s->fext.value[0] == -2 * 9.81 &&
            s->fext.value[1] == 0);
  ck_assert(s->fint.how == NS_OP_ABSENT && s->stiffness.how == NS_OP_ABSENT &&
            s->damping.how == NS_OP_ABSENT);
  ck_assert_str_eq(it->at.id, "ground");
  ck_assert(it->m == 1 && it->nQ == 3 && it->nsystems == 1 && it->systems[0] == 0);
  ck_assert(it->H[0] == 1 && it->H[1] == 0 && it->H[2] == 0 && it->e[0] == -0.1 && !it->F &&
            it->law.e == 0.9);
  ck_assert(m->sim.t0 == 0.5 && m->sim.T == 10 && m->sim.ts.h == 0.005 && m->sim.mj.theta == 0.5);
  ck_assert_str_eq(m->sim.osnsp.solver, "lemke");
  ck_assert(m->out.every == 3 && m->out.nrecord == 2);
  ck_assert_str_eq(m->out.record[1], "g*.*");
  ck_assert(m->nparameters == 3 && m->parameters[1].value == 9.81 && !m->parameters[1].overridden);
  ck_assert_str_eq(m->parameters[1].help, "gravity");
  ck_assert_ptr_null(m->parameters[0].help);
  ns_model_destroy(m);
}
END_TEST

/* Matrices are written by rows and stored by columns. */
START_TEST(matrices_are_stored_by_columns)
{
  ns_model *m = load(SYSTEMS(
      "<LagrangianLinearTIDS id=\"a\"><q0>0 0</q0><K>1, 2\n; 3 4</K></LagrangianLinearTIDS>"
      "<LagrangianLinearDiagonalDS id=\"b\"><q0>0;0</q0><K>5 6</K></LagrangianLinearDiagonalDS>"));
  const double *K = m->systems[0].stiffness.value, *D = m->systems[1].stiffness.value;
  ck_assert(K[0] == 1 && K[1] == 3 && K[2] == 2 && K[3] == 4);
  ck_assert(m->systems[1].stiffness.diagonal && D[0] == 5 && D[1] == 6); /* the diagonal alone */
  ck_assert(m->systems[1].kind->flags & NS_SYS_DIAGONAL);
  ns_model_destroy(m);
}
END_TEST

/* ---- formulas -------------------------------------------------------------------------------- */

static const char nonlinear[] = SYSTEMS(
    "<LagrangianDS id=\"a\" coordinates=\"x phi\"><q0>0.3 0.4</q0><z>2</z>"
    "<mass>1+x^2 0.1*cos(phi); 0.1*cos(phi) 2+z[0]</mass>"
    "<fInt>x^3*sin(phi) + t*v_x*z[0]   exp(0.5*x)*v_phi^2 + 3*phi</fInt>"
    "<fGyr>q[0]*v[1]^2 -2*x*v_x*v_phi</fGyr><fExt>sin(3*t) z[0]*t</fExt></LagrangianDS>");

static void eval(const ns_system *s, const ns_operator *o, double t, const double *q,
                 const double *v, double *out)
{
  ns_ctx c = {0};
  double z = 2, *work = malloc((ns_operator_work(o) + 1) * sizeof *work);
  ns_point p = {.t = t, .n = s->n, .q = q, .v = v, .nz = 1, .z = &z, .index = s->index};
  ck_assert_int_eq(ns_operator_eval(o, &c, &p, work, out), NS_OK);
  free(work);
}

/* Against the formulas written in C. */
START_TEST(formulas_are_evaluated_at_the_point)
{
  ns_model *m = load(nonlinear);
  const ns_system *s = m->systems;
  double t = 0.7, q[2] = {0.3, -1.2}, v[2] = {0.5, 2}, out[4];
  eval(s, &s->mass, t, q, v, out);
  ck_assert_double_eq_tol(out[0], 1 + q[0] * q[0], 1e-15);
  ck_assert_double_eq_tol(out[1], 0.1 * cos(q[1]), 1e-15);
  ck_assert(out[3] == 4);
  eval(s, &s->fint, t, q, v, out);
  ck_assert_double_eq_tol(out[0], pow(q[0], 3) * sin(q[1]) + t * v[0] * 2, 1e-15);
  ck_assert_double_eq_tol(out[1], exp(0.5 * q[0]) * v[1] * v[1] + 3 * q[1], 1e-14);
  eval(s, &s->fext, t, q, v, out);
  ck_assert_double_eq_tol(out[0], sin(3 * t), 1e-15);
  ck_assert_double_eq_tol(out[1], 2 * t, 1e-15);
  ck_assert_uint_eq(s->mass.uses, 1u << NS_BANK_Q | 1u << NS_BANK_Z);
  ck_assert_uint_eq(s->fext.uses, 1u << NS_BANK_T | 1u << NS_BANK_Z);
  ck_assert_uint_eq(s->fgyr.uses, 1u << NS_BANK_Q | 1u << NS_BANK_V);
  ck_assert_uint_eq(s->fint.uses,
                    1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z);
  ns_model_destroy(m);
}
END_TEST

/* Central differences with step d: error about d^2 |f'''| + eps |f| / d, 1e-9 here. */
static void check_jacobian(const ns_system *s, const ns_operator *f, const ns_operator *J, int of_v)
{
  double q[2] = {0.3, -1.2}, v[2] = {0.5, 2}, jac[4], up[2], down[2], d = 1e-6;
  eval(s, J, 0.7, q, v, jac);
  for (int j = 0; j < 2; j++) {
    double *x = of_v ? v : q, keep_x = x[j];
    x[j] = keep_x + d;
    eval(s, f, 0.7, q, v, up);
    x[j] = keep_x - d;
    eval(s, f, 0.7, q, v, down);
    x[j] = keep_x;
    for (int i = 0; i < 2; i++)
      ck_assert_double_eq_tol(jac[i + 2 * j], (up[i] - down[i]) / (2 * d), 2e-9);
  }
}

START_TEST(jacobians_are_those_of_the_formulas)
{
  ns_model *m = load(nonlinear);
  const ns_system *s = m->systems;
  check_jacobian(s, &s->fint, &s->dq_fint, 0);
  check_jacobian(s, &s->fint, &s->dv_fint, 1);
  check_jacobian(s, &s->fgyr, &s->dq_fgyr, 0);
  check_jacobian(s, &s->fgyr, &s->dv_fgyr, 1);
  ns_model_destroy(m);
}
END_TEST

START_TEST(jacobians_are_as_simple_as_they_can_be)
{
  ns_model *m = load(SYSTEMS(
      "<LagrangianDS id=\"a\" coordinates=\"x y\"><q0>0 0</q0><fInt>3*x+y 2*y</fInt>"
      "<fGyr>7*v_x 0</fGyr><jacobianFGyrqDot>7.0001 0;0 0</jacobianFGyrqDot></LagrangianDS>"));
  const ns_system *s = m->systems;
  ck_assert_int_eq(s->fint.how, NS_OP_TAPE);
  ck_assert_int_eq(s->dq_fint.how, NS_OP_CONSTANT);
  const double J[4] = {3, 0, 1, 2};
  for (int k = 0; k < 4; k++) ck_assert(s->dq_fint.value[k] == J[k]);
  ck_assert_int_eq(s->dv_fint.how, NS_OP_ABSENT);
  ck_assert_int_eq(s->dq_fgyr.how, NS_OP_ABSENT);
  ck_assert(s->dv_fgyr.how == NS_OP_CONSTANT && s->dv_fgyr.value[0] == 7.0001); /* as given */
  ck_assert(s->dv_fint.rows == 2 && s->dv_fint.cols == 2); /* absent ones have a shape too */
  ns_model_destroy(m);
}
END_TEST

/* ---- repeat ---------------------------------------------------------------------------------- */

static const char grid[] =
    "<model " NS "><parameters><parameter name=\"N\" value=\"3\"/></parameters><systems>"
    "<repeat index=\"i\" from=\"0\" to=\"N-1\"><repeat index=\"j\" from=\"i\" to=\"0\" step=\"-1\">"
    "<LagrangianDS id=\"s{i}_{i-j}\" coordinates=\"x\"><q0>10*i+j</q0><mass>2</mass>"
    "<fInt>(i+1)*sin(x)</fInt><fExt>-9.81</fExt></LagrangianDS></repeat></repeat></systems>"
    "<interactions><repeat index=\"k\" from=\"1\" to=\"N-1\"><interaction id=\"c{k}\" "
    "systems=\"s{k-1}_0 s{ k }_0\">"
    "<LagrangianLinearTIR><H>-k 1</H><e>1e3</e></LagrangianLinearTIR><NewtonImpactNSL "
    "e=\"1/k\"/></interaction></repeat>"
    "</interactions>" SIMULATION "</model>";

START_TEST(repeat_evaluates_each_instance)
{
  static const struct {
    const char *id;
    double q0, i;
  } want[] = {{"s0_0", 0, 0},  {"s1_0", 11, 1}, {"s1_1", 10, 1},
              {"s2_0", 22, 2}, {"s2_1", 21, 2}, {"s2_2", 20, 2}};
  ns_model *m = load(grid);
  ck_assert_int_eq(m->nsystems, 6);
  for (int k = 0; k < 6; k++) {
    const ns_system *s = &m->systems[k];
    double q = 0.5, v = 0, f;
    ck_assert_str_eq(s->at.id, want[k].id);
    ck_assert(s->q0[0] == want[k].q0);
    eval(s, &s->fint, 0, &q, &v, &f);
    ck_assert_double_eq_tol(f, (want[k].i + 1) * sin(0.5), 1e-15);
    eval(s, &s->dq_fint, 0, &q, &v, &f);
    ck_assert_double_eq_tol(f, (want[k].i + 1) * cos(0.5), 1e-15);
  }
  ck_assert_int_eq(m->ninteractions, 2);
  const ns_interaction *it = &m->interactions[1];
  ck_assert_str_eq(it->at.id, "c2");
  ck_assert(it->systems[0] == 1 && it->systems[1] == 3 && it->H[0] == -2 && it->H[1] == 1 &&
            it->law.e == 0.5);
  ns_model_destroy(m);
}
END_TEST

/* One tape and one constant serve all instances. */
START_TEST(instances_share_what_does_not_depend_on_them)
{
  ns_model *m = load(grid);
  for (int k = 1; k < 6; k++) {
    const ns_system *s = &m->systems[k], *o = &m->systems[0];
    ck_assert_ptr_eq(s->fint.formula, o->fint.formula);
    ck_assert_ptr_eq(s->dq_fint.formula, o->dq_fint.formula);
    ck_assert_ptr_eq(s->mass.value, o->mass.value);
    ck_assert_ptr_eq(s->fext.value, o->fext.value);
    ck_assert_ptr_eq(s->v0, o->v0);
    ck_assert_ptr_eq(s->names, o->names);
    ck_assert(s->fint.uses & 1u << NS_BANK_INDEX);
  }
  ck_assert_ptr_eq(m->interactions[0].e, m->interactions[1].e);
  ns_model_destroy(m);
}
END_TEST

START_TEST(empty_repeat_makes_nothing)
{
  ns_model *m = load(SYSTEMS(
      "<LagrangianDS id=\"a\"><q0>0</q0></LagrangianDS><repeat index=\"i\" from=\"1\" to=\"0\">"
      "<LagrangianDS id=\"b{i}\"><q0>0</q0></LagrangianDS></repeat>"));
  ck_assert_int_eq(m->nsystems, 1);
  ns_model_destroy(m);
}
END_TEST

/* 10^5 systems and as many interactions: well below a second, below 500 MB. The bounds here are
 * wide: a loaded machine, sanitizers; a loader that copies or parses for each instance misses them.
 */
START_TEST(many_instances_are_cheap)
{
  static const char beads[] =
      "<model " NS
      "><systems><repeat index=\"i\" from=\"1\" to=\"100000\"><LagrangianLinearTIDS id=\"b{i}\" "
      "coordinates=\"x\"><q0>0.3*i</q0><mass>2</mass><fExt>-9.81*2</fExt></LagrangianLinearTIDS></"
      "repeat></systems>"
      "<interactions><interaction id=\"ground\" "
      "systems=\"b1\"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<NewtonImpactNSL e=\"0\"/></interaction>"
      "<repeat index=\"i\" from=\"2\" to=\"100000\"><interaction id=\"c{i}\" systems=\"b{i-1} "
      "b{i}\">"
      "<LagrangianLinearTIR><H>-1 1</H><e>-0.2</e></LagrangianLinearTIR><NewtonImpactNSL "
      "e=\"0.5\"/></interaction></repeat>"
      "</interactions>" SIMULATION "</model>";
  clock_t begin = clock();
  ns_model *m = load(beads);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  ck_assert_int_eq(m->nsystems, 100000);
  ck_assert_int_eq(m->ninteractions, 100000);
  ck_assert_int_eq(m->interactions[77777].systems[0], 77776);
  ck_assert_uint_lt(ns_arena_used(m->arena), 60u << 20);
  ck_assert_double_lt(seconds, 5);
  ns_model_destroy(m);
}
END_TEST

/* ---- parameters ------------------------------------------------------------------------------ */

static double parameter(const ns_model *m, const char *name)
{
  for (int k = 0; k < m->nparameters; k++)
    if (!strcmp(m->parameters[k].name, name)) return m->parameters[k].value;
  ck_abort_msg("no parameter %s", name);
  return 0;
}

START_TEST(parameters_use_each_other_in_any_order)
{
  ns_model *m = load(
      "<model " NS "><parameters><parameter name=\"V\" value=\"4/3*pi*R^3\"/>"
      "<parameter name=\"R\" value=\"D/2\"/><parameter name=\"D\" value=\"20\" "
      "unit=\"cm\"/></parameters>"
      "<systems><LagrangianDS id=\"a\"><q0>V</q0></LagrangianDS></systems>" SIMULATION "</model>");
  ck_assert_double_eq(parameter(m, "D"), 0.2);
  ck_assert_double_eq(parameter(m, "R"), 0.1);
  ck_assert_double_eq_tol(m->systems[0].q0[0], 4.0 / 3 * 3.14159265358979 * 1e-3, 1e-16);
  ck_assert_str_eq(m->parameters[2].unit, "m"); /* the unit of the value, which is in SI */
  ns_model_destroy(m);
}
END_TEST

/* A chain as long as files allow does not exhaust the stack. */
START_TEST(parameter_chains_may_be_long)
{
  enum { N = 20000 };
  char *text = malloc(N * 64 + 1000), *p = text;
  p += sprintf(p, "<model " NS "><parameters><parameter name=\"p%d\" value=\"1\"/>", N);
  for (int k = 0; k < N; k++)
    p += sprintf(p, "<parameter name=\"p%d\" value=\"p%d+1\"/>", k, k + 1);
  sprintf(
      p,
      "</parameters><systems><LagrangianDS id=\"a\"><q0>p0</q0></LagrangianDS></systems>" SIMULATION
      "</model>");
  ns_model *m = load(text);
  ck_assert(m->systems[0].q0[0] == N + 1);
  ns_model_destroy(m);
  free(text);
}
END_TEST

START_TEST(overrides_replace_values)
{
  static const struct {
    const char *set, *name;
    double value;
  } row[] = {
      {"R=20", "R", 0.2},        {"R=20mm", "R", 0.02},   {"R=20 mm", "R", 0.02},
      {"R = 1e-2m ", "R", 0.01}, {"R=2*5 mm", "R", 0.01}, {"R=-3", "R", -0.03},
      {"k=2", "k", 2},           {"k=2*3 - 1", "k", 5},   {"k=90deg", "k", 1.5707963267948966},
      {"k=1e3N/m", "k", 1000},   {"k=5%", "k", 0.05},     {"k=sin(0)+1", "k", 1}};
  const char *set[] = {row[_i].set, NULL};
  ns_model *m = load_set(
      "<model " NS "><parameters><parameter name=\"R\" value=\"10\" unit=\"cm\"/>"
      "<parameter name=\"k\" value=\"7\"/></parameters>"
      "<systems><LagrangianDS id=\"a\"><q0>R</q0></LagrangianDS></systems>" SIMULATION "</model>",
      set);
  ck_assert_double_eq_tol(parameter(m, row[_i].name), row[_i].value, 1e-15 * fabs(row[_i].value));
  for (int k = 0; k < 2; k++)
    ck_assert_int_eq(m->parameters[k].overridden, !strcmp(m->parameters[k].name, row[_i].name));
  ns_model_destroy(m);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[64];

static void write_file(const char *name, const char *text)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

static ns_model *load_folder(const char *text, const char *const *allow, int nallow)
{
  char path[200];
  ns_ctx c = {.report = to_stderr};
  ns_load_options o = {.allow_include = allow, .nallow = nallow};
  ns_model *m;
  write_file("model.xml", text);
  snprintf(path, sizeof path, "%s/model.xml", folder);
  ns_load_file(&c, path, &o, NULL, &m);
  return m;
}

static void make_folder(void)
{
  strcpy(folder, "/tmp/nssim-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  char parts[100];
  snprintf(parts, sizeof parts, "%s/parts", folder);
  mkdir(parts, 0755);
}

static void remove_folder(void)
{
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(includes_and_tables_are_put_in_place)
{
  write_file("parts/one.xml",
             "<repeat " NS
             " xmlns:xi=\"http://www.w3.org/2001/XInclude\" index=\"i\" from=\"1\" to=\"2\">\n"
             "<xi:include href=\"../two.xml\"/></repeat>\n");
  write_file("two.xml",
             "<LagrangianLinearTIDS " NS
             " id=\"s{i}\">\n<q0>i 0</q0>\n<K file=\"parts/K.csv\"/></LagrangianLinearTIDS>");
  write_file("parts/K.csv", "# stiffness\n1, 2\n\n 3\t4e0 \r\n");
  ns_model *m = load_folder("<model " NS " xmlns:xi=\"http://www.w3.org/2001/XInclude\"><systems>"
                            "<xi:include href=\"parts/one.xml\"/></systems>" SIMULATION "</model>",
                            NULL, 0);
  ck_assert_ptr_nonnull(m);
  ck_assert_int_eq(m->nsystems, 2);
  const double *K = m->systems[1].stiffness.value;
  ck_assert(K[0] == 1 && K[1] == 3 && K[2] == 2 && K[3] == 4);
  const char *file = m->systems[0].at.file;
  ck_assert_str_eq(file + strlen(file) - 7, "two.xml");
  ck_assert_int_eq(m->systems[0].at.line, 1);
  /* The dump has them in place and is a model itself. */
  ck_assert_ptr_null(strstr(m->xml, "include"));
  ck_assert_ptr_nonnull(strstr(m->xml, "<repeat"));
  ck_assert_int_eq(m->nsources, 4);
  for (int k = 0; k < 4; k++) ck_assert_uint_eq(strlen(m->sources[k].sha256), 64);
  char *again = strdup(m->xml);
  ns_model_destroy(m);
  ck_assert_ptr_nonnull(m = load_folder(again, NULL, 0));
  ck_assert_int_eq(m->nsystems, 2);
  ns_model_destroy(m);
  free(again);
}
END_TEST

/* SHA-256 of "abc" is in FIPS 180-4; here of a text that sha256sum was asked about. */
START_TEST(sources_have_their_checksum)
{
  const char *text = SYSTEMS("<LagrangianDS id=\"a\"><q0 file=\"abc.csv\"/></LagrangianDS>");
  write_file("abc.csv", "1\n");
  ns_model *m = load_folder(text, NULL, 0);
  ck_assert_ptr_nonnull(m);
  ck_assert_int_eq(m->nsources, 2);
  ck_assert_str_eq(m->sources[1].sha256,
                   "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865");
  ns_model_destroy(m);
}
END_TEST

START_TEST(other_folders_must_be_allowed)
{
  char outside[] = "/tmp/nssim-test-XXXXXX", path[200], text[400];
  ck_assert_ptr_nonnull(mkdtemp(outside));
  snprintf(path, sizeof path, "%s/q.csv", outside);
  FILE *f = fopen(path, "w");
  fputs("1 2\n", f);
  fclose(f);
  snprintf(text, sizeof text, SYSTEMS("<LagrangianDS id=\"a\"><q0 file=\"%s\"/></LagrangianDS>"),
           path);
  ck_assert_ptr_null(load_folder(text, NULL, 0));
  const char *allow[] = {outside};
  ns_model *m = load_folder(text, allow, 1);
  ck_assert_ptr_nonnull(m);
  ck_assert_int_eq(m->systems[0].n, 2);
  ns_model_destroy(m);
  /* A folder whose name begins like an allowed one is another folder. */
  char longer[100];
  snprintf(longer, sizeof longer, "%s-more", outside);
  ck_assert_int_eq(rename(outside, longer), 0);
  mkdir(outside, 0755);
  snprintf(text, sizeof text,
           SYSTEMS("<LagrangianDS id=\"a\"><q0 file=\"%s/q.csv\"/></LagrangianDS>"), longer);
  ck_assert_ptr_null(load_folder(text, allow, 1));
  snprintf(path, sizeof path, "%s/q.csv", longer);
  unlink(path);
  rmdir(longer);
  rmdir(outside);
}
END_TEST

/* ---- robustness ------------------------------------------------------------------------------ */

typedef struct seen {
  int errors;
  char last[2][1024];
} seen;

static void count(void *to, ns_severity sev, const char *msg)
{
  seen *s = to;
  if (sev != NS_SEV_ERROR) return;
  snprintf(s->last[s->errors++ % 2], sizeof s->last[0], "%s", msg);
}

START_TEST(all_errors_are_told_up_to_fifty)
{
  char text[8000], *p = text;
  seen s = {0};
  ns_ctx c = {.report = count, .to = &s};
  ns_model *m;
  p += sprintf(p, "<model " NS "><systems>\n");
  for (int k = 0; k < 70; k++)
    p += sprintf(p, "<LagrangianDS id=\"s%d\"><q0>x</q0></LagrangianDS>\n", k);
  sprintf(p, "</systems>" SIMULATION "</model>");
  ck_assert_int_eq(ns_load_memory(&c, "m.xml", text, strlen(text), NULL, NULL, &m), NS_MODEL);
  ck_assert_ptr_null(m);
  ck_assert_int_eq(s.errors, 51);
  ck_assert_str_eq(c.msg, "m.xml:2: <q0> of <LagrangianDS id=\"s0\">: in \"x\", column 1: unknown "
                          "name \"x\"; declare it as a <parameter>");
  ck_assert_str_eq(s.last[0], "further errors are not shown; correct these first");
}
END_TEST

static pthread_barrier_t together;
static int loads;

static void *load_many(void *arg)
{
  int *bad = arg;
  pthread_barrier_wait(&together);
  for (int k = 0; k < loads; k++) {
    ns_ctx c = {0};
    ns_model *m;
    const char *text = k % 3 == 1 ? "<model" : k % 3 == 2 ? "<model " NS "><x/></model>" : ball;
    int rc = ns_load_memory(&c, "t.xml", text, strlen(text), NULL, NULL, &m);
    *bad += (rc == NS_OK) != (k % 3 == 0);
    ns_model_destroy(m);
  }
  return NULL;
}

/* All begin at once, so that what is made at a first use is made once: each trial is a process of
 * its own, the first one loads for longer. */
START_TEST(threads_load_at_the_same_time)
{
  pthread_t t[4];
  int bad[4] = {0};
  loads = _i ? 3 : 200;
  pthread_barrier_init(&together, NULL, 4);
  for (int k = 0; k < 4; k++) pthread_create(&t[k], NULL, load_many, &bad[k]);
  for (int k = 0; k < 4; k++) pthread_join(t[k], NULL);
  for (int k = 0; k < 4; k++) ck_assert_int_eq(bad[k], 0);
}
END_TEST

/* Every beginning of a good model is an error with a sentence, none a crash. */
START_TEST(cut_models_are_errors)
{
  for (size_t n = 0; n < sizeof ball - 1; n++) {
    ns_ctx c = {0};
    ns_model *m;
    int rc = ns_load_memory(&c, "cut.xml", ball, n, NULL, NULL, &m);
    ck_assert_msg(rc == NS_MODEL && !m && !strncmp(c.msg, "cut.xml:", 8), "%zu: %d %s", n, rc,
                  c.msg);
  }
}
END_TEST

START_TEST(byte_order_marks_and_encodings_are_read)
{
  static const char latin[] =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><model " NS "><title>\xfc</title><systems>"
      "<LagrangianDS id=\"a\"><q0>1</q0></LagrangianDS></systems>" SIMULATION "</model>";
  ns_model *m = load(latin);
  ck_assert_str_eq(m->title, "\xc3\xbc");
  ns_model_destroy(m);
  char bom[sizeof ball + 3] = "\xef\xbb\xbf";
  strcat(bom, ball);
  ns_model_destroy(load(bom));
}
END_TEST

/* What the signs of life said, in their order. */
typedef struct signs {
  const char *doing[16];
  int n, backwards;
  long last;
} signs;

static void note_sign(void *to, const char *doing, long done, long of)
{
  signs *s = to;
  ck_assert_msg(of == 0 || done <= of, "%s: %ld of %ld", doing, done, of);
  if (!s->n || strcmp(s->doing[s->n - 1], doing)) {
    ck_assert_int_lt(s->n, 16);
    s->doing[s->n++] = doing;
  } else if (done < s->last) {
    s->backwards++;
  }
  s->last = done;
}

/* Whoever watches hears of each stage of a large model, in order, and that it goes on. */
START_TEST(loading_gives_signs_of_life)
{
  enum { MANY = 2000 };
  static const char each[] = "<LagrangianDS id=\"a%d\"><q0>1</q0></LagrangianDS>\n";
  static const char *const want[] = {"reading the file", "checking the elements",
                                     "making systems and interactions",
                                     "keeping the text of the model", "checking the model"};
  char *text = malloc(MANY * (sizeof each + 8) + 512);
  ck_assert_ptr_nonnull(text);
  int n = sprintf(text, "<model " NS "><systems>");
  for (int k = 0; k < MANY; k++) n += sprintf(text + n, each, k);
  n += sprintf(text + n, "</systems>" SIMULATION "</model>");
  signs s = {.n = 0};
  ns_ctx c = {.report = to_stderr, .alive = note_sign, .to = &s};
  ns_model *m;
  ck_assert_int_eq(ns_load_memory(&c, "many.xml", text, (size_t)n, NULL, NULL, &m), NS_OK);
  ck_assert_int_eq(m->nsystems, MANY);
  ck_assert_int_eq(s.n, 5);
  for (int k = 0; k < 5; k++) ck_assert_str_eq(s.doing[k], want[k]);
  ck_assert_int_eq(s.backwards, 0);
  ns_model_destroy(m);
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, make_folder, remove_folder);
  tcase_add_test(t, ball_becomes_its_numbers);
  tcase_add_test(t, matrices_are_stored_by_columns);
  tcase_add_test(t, formulas_are_evaluated_at_the_point);
  tcase_add_test(t, jacobians_are_those_of_the_formulas);
  tcase_add_test(t, jacobians_are_as_simple_as_they_can_be);
  tcase_add_test(t, repeat_evaluates_each_instance);
  tcase_add_test(t, instances_share_what_does_not_depend_on_them);
  tcase_add_test(t, empty_repeat_makes_nothing);
  tcase_add_test(t, many_instances_are_cheap);
  tcase_add_test(t, loading_gives_signs_of_life);
  tcase_add_test(t, parameters_use_each_other_in_any_order);
  tcase_add_test(t, parameter_chains_may_be_long);
  tcase_add_loop_test(t, overrides_replace_values, 0, 12);
  tcase_add_test(t, includes_and_tables_are_put_in_place);
  tcase_add_test(t, sources_have_their_checksum);
  tcase_add_test(t, other_folders_must_be_allowed);
  tcase_add_test(t, all_errors_are_told_up_to_fifty);
  tcase_add_loop_test(t, threads_load_at_the_same_time, 0, 200);
  tcase_add_test(t, cut_models_are_errors);
  tcase_add_test(t, byte_order_marks_and_encodings_are_read);
}

int main(void) { return suite_run("load", fill); }
