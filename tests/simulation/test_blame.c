/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that fails names the element that is why: random models of good elements with one bad one
 * planted among them, and one that would be bad later. Of a value that is not finite the sentence
 * also has the function, the part of the formula and what it was given. */
#include "support/mechanics.h"

enum { SIZE = 7000 };

typedef struct draft {
  char text[SIZE];
  size_t used;
  unsigned long long seed;
} draft;

static void put(draft *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(draft *d, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  d->used += (size_t)vsnprintf(d->text + d->used, sizeof d->text - d->used, format, ap);
  va_end(ap);
  ck_assert_uint_lt(d->used, sizeof d->text);
}

static int below(draft *d, int n)
{
  d->seed = d->seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((d->seed >> 33) % (unsigned)n);
}

/* Formulas: %s is a good one, or one that ends in NaN at the time planted. */
typedef struct plant {
  const char *function; /* that is to be named */
  const char *system;   /* id, then the formula */
  /* of each system: id, system, then the formula; "" where the system has it */
  const char *relation;
} plant;

#define LAGRANGIAN(functions) \
  "<LagrangianDS id='%s' coordinates='x y'><q0>1 0.5</q0><v0>-0.1 0</v0><mass>2 0;0 " \
  "1</mass>" functions "</LagrangianDS>"
#define STILL LAGRANGIAN("<fInt>x; 2*y</fInt>")
#define STATE(functions) \
  "<FirstOrderNonLinearDS id='%s' states='a b'><x0>1 " \
  "0.5</x0>" functions "</FirstOrderNonLinearDS>"
#define LINEAR(functions) \
  "<FirstOrderLinearDS id='%s' states='a b'><x0>1 " \
  "0.5</x0>" functions "</FirstOrderLinearDS>"
#define BODY(functions) \
  "<NewtonEulerDS id='%s'><q0>1 0 0 1 0 0 0</q0><v0>0 0 0 0.1 0 0</v0><mass>1</mass><inertia " \
  "diag='1 2 3'/>" functions "</NewtonEulerDS>"
#define ON(relation, law) "<interaction id='%s' systems='%s'>" relation law "</interaction>"
#define GAP "<NewtonImpactNSL e='0'/>"

static const plant lagrangian[] = {
    {"fExt", LAGRANGIAN("<fExt>0, %s</fExt><fInt>x; 2*y</fInt>"), ""},
    {"fInt", LAGRANGIAN("<fInt>x + %s, y</fInt>"), ""},
    {"h", STILL, ON("<LagrangianRheonomousR><h>x + 3 + %s</h></LagrangianRheonomousR>", GAP)},
};
static const plant first_order[] = {
    {"f", STATE("<f>-a, -b + %s</f>"), ""},
    {"f", STATE("<f>-a + %s, 0.1*a</f>"), ""},
    {"b", LINEAR("<A>-1 0;0 -2</A><b>%s; 1</b>"), ""},
    {"A", LINEAR("<A>-1 0;0 -2+%s</A><b>0; 1</b>"), ""},
    {"h", STATE("<f>-a, -b</f>"),
     ON("<FirstOrderNonLinearR><h>a + 2 + %s</h><g>lambda[0]; 0</g></FirstOrderNonLinearR>",
        "<ComplementarityConditionNSL/>")},
    {"e", STATE("<f>-a, -b</f>"),
     ON("<FirstOrderLinearR><C>1 0</C><B>1;0</B><e>2 + %s</e></FirstOrderLinearR>",
        "<ComplementarityConditionNSL/>")},
};
static const plant rigid[] = {
    {"fExt", BODY("<fExt>0, 0, %s</fExt>"), ""},
    {"mExt", BODY("<mExt>%s, 0, 0</mExt>"), ""},
    {"fInt", BODY("<fInt>x, y + %s, z</fInt>"), ""},
    {"h", BODY(""), ON("<NewtonEulerR><h>z + 3 + %s</h></NewtonEulerR>", GAP)},
};

/* A formula that is small until `end`, and has no value after it; the product with a velocity keeps
 * it from being folded. */
static void formula(draft *d, double end, char *buf, size_t size)
{
  static const char *const forms[] = {"0.01*sqrt(%g - t)", "0.01*log(%g - t)*(t - t)",
                                      "1e-3*asin(t/%g)", "0.01*(%g - t)^1.5"};
  snprintf(buf, size, forms[below(d, 4)], end);
}

/* Systems s0 ... of which one is "bad" and another "later"; what the sentence must say goes to
 * want. */
static void plant_among(draft *d, const plant *p, const char *simulation)
{
  int n = 3 + below(d, 4), bad = below(d, n), later = (bad + 1 + below(d, n - 1)) % n;
  char value[80];
  put(d, "<systems>");
  for (int i = 0; i < n; i++) {
    char id[24], system[1200];
    formula(d, i == bad ? 0.5 : i == later ? 0.7 : 9, value, sizeof value);
    snprintf(id, sizeof id,
             *p->relation ? "s%d"
             : i == bad   ? "bad"
             : i == later ? "later"
                          : "s%d",
             i);
    snprintf(system, sizeof system, p->system, id, value);
    put(d, "%s", system);
  }
  put(d, "</systems>");
  if (*p->relation) put(d, "<interactions>");
  for (int i = 0; i < n && *p->relation; i++) {
    char id[24], of[24], relation[1200];
    formula(d, i == bad ? 0.5 : i == later ? 0.7 : 9, value, sizeof value);
    snprintf(id, sizeof id, i == bad ? "bad" : i == later ? "later" : "r%d", i);
    snprintf(of, sizeof of, "s%d", i);
    snprintf(relation, sizeof relation, p->relation, id, of, value);
    put(d, "%s", relation);
  }
  if (*p->relation) put(d, "</interactions>");
  put(d, "<simulation T='1'>%s</simulation>", simulation);
}

/* The run fails; its sentence begins with the place of "bad" and has all of `words`. */
static void names_bad(const draft *d, const char *const *words)
{
  run r = mechanics("%s", d->text);
  r.c.report = NULL;
  int rc = ns_simulation_run(r.s, &r.c, NULL, NULL);
  ck_assert_msg(rc == NS_NUMERIC, "status %d: %s\n%s", rc, r.c.msg, d->text);
  ck_assert_msg(!strncmp(r.c.msg, "test.xml:", 9) && strstr(r.c.msg, "id=\"bad\">: "), "\"%s\"\n%s",
                r.c.msg, d->text);
  for (; *words; words++)
    ck_assert_msg(strstr(r.c.msg, *words) != NULL, "\"%s\" lacks \"%s\"\n%s", r.c.msg, *words,
                  d->text);
  for (size_t i = 0; i < r.m->nq; i++) ck_assert(isfinite(r.x->q[i]));
  ck_assert_double_le(*r.x->t, 0.5 + 1e-9);
  ck_assert_double_ge(*r.x->t, 0.3);
  run_end(&r);
}

static void try_plants(const plant *list, int nplants, const char *const *schemes, int nschemes,
                       int i)
{
  const plant *p = &list[i % nplants];
  const char *scheme = schemes[(i / nplants) % nschemes];
  draft d = {.seed = (unsigned long long)i + 1};
  for (int k = 0; k < 3; k++) below(&d, 2);
  plant_among(&d, p, scheme);
  char name[32];
  snprintf(name, sizeof name, "<%s", p->function); /* or its derivative, <hDot> */
  names_bad(&d,
            (const char *const[]){name, "is not finite at t = 0.5", "t = 0.5", "is kept", NULL});
}

#define STEPS(scheme) "<TimeStepping h='0.03'>" scheme "</TimeStepping>"
#define EVENTS(flow) "<EventDriven h='0.05'>" flow "</EventDriven>"
#define COUNT(list) ((int)(sizeof list / sizeof *list))

static const char *const of_lagrangian[] = {STEPS("<MoreauJeanOSI/>"),
                                            STEPS("<MoreauJeanOSI theta='1'/>"),
                                            STEPS("<MoreauJeanDirectProjectionOSI/>"),
                                            STEPS("<D1MinusLinearOSI/>"),
                                            EVENTS("<CVodeOSI/>"),
                                            EVENTS("<NewMarkAlphaOSI/>")};
static const char *const of_first_order[] = {STEPS("<EulerMoreauOSI/>"),
                                             STEPS("<EulerMoreauOSI theta='0.5' gamma='0.5'/>"),
                                             EVENTS("<CVodeOSI/>")};
static const char *const of_rigid[] = {STEPS("<MoreauJeanOSI/>"),
                                       STEPS("<MoreauJeanOSI theta='1'/>"),
                                       STEPS("<MoreauJeanDirectProjectionOSI/>")};

START_TEST(functions_of_lagrangian_systems_are_named)
{
  try_plants(lagrangian, COUNT(lagrangian), of_lagrangian, COUNT(of_lagrangian), _i);
}
END_TEST

START_TEST(functions_of_first_order_systems_are_named)
{
  try_plants(first_order, COUNT(first_order), of_first_order, COUNT(of_first_order), _i);
}
END_TEST

START_TEST(functions_of_rigid_bodies_are_named)
{
  try_plants(rigid, COUNT(rigid), of_rigid, COUNT(of_rigid), _i);
}
END_TEST

/* ---- Newton's method ------------------------------------------------------------------------- */

/* Formulas of a force whose slope has no bound at %g, which Newton's method jumps over for ever;
 * and good ones. */
static const char rough[] = "1e6*sign(x - %g)*abs(x - %g)^0.3",
                  smooth[] = "x^3 + 0*(x - %g) + 0*(x - %g)";

typedef struct hard {
  const char *system, *simulation; /* of a system: id, then the formula in x */
} hard;

static const hard hards[] = {
    {"<LagrangianDS id='%s' "
     "coordinates='x'><q0>1</q0><v0>-0.3</v0><mass>1</mass><fInt>%s</fInt></LagrangianDS>",
     STEPS("<MoreauJeanOSI/>")},
    {"<LagrangianDS id='%s' "
     "coordinates='x'><q0>1</q0><v0>-0.3</v0><mass>1</mass><fInt>%s</fInt></LagrangianDS>",
     STEPS("<MoreauJeanOSI theta='1'/>")},
    {"<FirstOrderNonLinearDS id='%s' states='x'><x0>1</x0><f>-1*(%s)</f></FirstOrderNonLinearDS>",
     STEPS("<EulerMoreauOSI/>")},
    {"<NewtonEulerDS id='%s'><q0>1 0 0 1 0 0 0</q0><v0>-0.3 0 0 0 0 0</v0><mass>1</mass><inertia "
     "diag='1 2 3'/><fInt>%s, 0, 0</fInt>"
     "</NewtonEulerDS>",
     STEPS("<MoreauJeanOSI/>")},
};

START_TEST(the_largest_part_of_newtons_residual_is_named)
{
  const hard *k = &hards[_i % COUNT(hards)];
  draft d = {.seed = (unsigned long long)_i + 77};
  for (int i = 0; i < 5; i++) below(&d, 2);
  int n = 2 + below(&d, 5), bad = below(&d, n);
  double at = 0.9 + 0.01 * below(&d, 8);
  put(&d, "<systems>");
  for (int i = 0; i < n; i++) {
    char id[24], formula[120], system[800];
    snprintf(id, sizeof id, i == bad ? "bad" : "s%d", i);
    snprintf(formula, sizeof formula, i == bad ? rough : smooth, at, at);
    snprintf(system, sizeof system, k->system, id, formula);
    put(&d, "%s", system);
  }
  put(&d, "</systems><simulation T='1'>%s</simulation>", k->simulation);
  run r = mechanics("%s", d.text);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(
      strstr(r.c.msg, "id=\"bad\">: Newton's method did not converge in the step from t = ") !=
          NULL,
      "%s", r.c.msg);
  ck_assert_msg(strstr(r.c.msg, "this system contributes most to it") != NULL, "%s", r.c.msg);
  run_end(&r);
}
END_TEST

/* Rows of relations: one that turns by more in a step than Newton's method can follow. */
START_TEST(a_relation_that_newton_cannot_follow_is_named)
{
  draft d = {.seed = (unsigned long long)_i + 5};
  for (int i = 0; i < 5; i++) below(&d, 2);
  int n = 2 + below(&d, 4), bad = below(&d, n);
  put(&d, "<systems>");
  for (int i = 0; i < n; i++)
    put(&d,
        "<LagrangianDS id='s%d' coordinates='x y'><q0>0 0</q0><v0>1 0</v0><mass>1 0;0 "
        "1</mass></LagrangianDS>",
        i);
  put(&d, "</systems><interactions>");
  for (int i = 0; i < n; i++)
    put(&d,
        "<interaction id='%s%d' "
        "systems='s%d'><LagrangianScleronomousR><h>%s</h></"
        "LagrangianScleronomousR><EqualityConditionNSL/>"
        "</interaction>",
        i == bad ? "bad" : "r", i, i,
        i == bad ? "y - 1e-3*(1 - cos(1e4*x)) + 10*x*y" : "y - x^2/2");
  put(&d, "</interactions><simulation T='1'><TimeStepping "
          "h='0.01'><MoreauJeanOSI/></TimeStepping></simulation>");
  run r = mechanics("%s", d.text);
  r.c.report = NULL;
  char want[48];
  snprintf(want, sizeof want, "<interaction id=\"bad%d\">: ", bad);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, want) && strstr(r.c.msg, "Newton's method did not converge"), "%s",
                r.c.msg);
  run_end(&r);
}
END_TEST

/* What the sentence has of a formula: the innermost part whose operands are numbers, of ?: the side
 * that is taken. */
START_TEST(the_part_of_the_formula_is_told)
{
  static const struct {
    const char *f, *says;
  } row[] = {{"-1 + 0.001/(x - 0.5)*0 + 0.001*sqrt(x - 0.5)", "sqrt(x - 0.5) is nan with x = "},
             {"-1 + 1e-3*log(2*x - 1)", "log(x*2 - 1) is nan with x = "},
             {"x > 0.5 ? -1 : 1e-3*sqrt(x - 0.5) - 1", "sqrt(x - 0.5) is nan with x = "},
             {"-1 + 1e-3*(x > 0.5 ? asin(0*x) : asin(20*(0.6 - x)))",
              "asin(20*(0.6 - x)) is nan with x = "}};
  run r = mechanics("<systems><FirstOrderNonLinearDS id='bad' "
                    "states='x'><x0>1</x0><f>%s</f></FirstOrderNonLinearDS></systems>"
                    "<simulation T='1'><TimeStepping h='0.01'><EulerMoreauOSI theta='0' "
                    "gamma='0'/></TimeStepping></simulation>",
                    row[_i].f);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, row[_i].says) != NULL, "%s", r.c.msg);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, the_largest_part_of_newtons_residual_is_named, 0, 6 * COUNT(hards));
  tcase_add_loop_test(t, a_relation_that_newton_cannot_follow_is_named, 0, 6);
  tcase_add_loop_test(t, the_part_of_the_formula_is_told, 0, 4);
  tcase_add_loop_test(t, functions_of_lagrangian_systems_are_named, 0,
                      2 * COUNT(lagrangian) * COUNT(of_lagrangian));
  tcase_add_loop_test(t, functions_of_first_order_systems_are_named, 0,
                      2 * COUNT(first_order) * COUNT(of_first_order));
  tcase_add_loop_test(t, functions_of_rigid_bodies_are_named, 0,
                      3 * COUNT(rigid) * COUNT(of_rigid));
}

int main(void) { return suite_run("who is to blame", fill); }
