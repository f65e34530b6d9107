/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table: parser, schema, defaults and builders say the same. */
#include "support/run.h"

#include "model/controls/control.h"
#include "model/language/language.h"
#include "model/measure.h"
#include "problems/avi.h"
#include "problems/mechanical.h"

#include <ctype.h>
#include <glob.h>
#include <libxml/parser.h>
#include <libxml/xinclude.h>
#include <libxml/xmlschemas.h>
#include <stdint.h>

#define NS "xmlns=\"" NS_LANG_NAMESPACE "\""

typedef void print(FILE *f);

static char *printed(print *p)
{
  FILE *f = tmpfile();
  p(f);
  size_t n = (size_t)ftell(f);
  char *s = calloc(n + 1, 1);
  rewind(f);
  ck_assert_uint_eq(fread(s, 1, n, f), n);
  fclose(f);
  return s;
}

/* ---- schema ---------------------------------------------------------------------------------- */

static char complaint[1024]; /* of the schema */
static void note(void *to, xmlErrorPtr e)
{
  (void)to;
  snprintf(complaint, sizeof complaint, "line %d: %s", e->line, e->message);
}

typedef struct schema {
  xmlSchema *xsd;
} schema;

static schema schema_of_table(void)
{
  char *text = printed(ns_lang_print_xsd);
  xmlSchemaParserCtxt *p = xmlSchemaNewMemParserCtxt(text, (int)strlen(text));
  schema s = {xmlSchemaParse(p)};
  ck_assert_msg(s.xsd != NULL, "the printed schema is no schema");
  xmlSchemaFreeParserCtxt(p);
  free(text);
  return s;
}

static int schema_accepts(const schema *s, xmlDoc *d)
{
  xmlSchemaValidCtxt *v = xmlSchemaNewValidCtxt(s->xsd);
  xmlSchemaSetValidStructuredErrors(v, note, NULL);
  int rc = xmlSchemaValidateDoc(v, d);
  xmlSchemaFreeValidCtxt(v);
  return rc == 0;
}

static int loader_accepts(xmlDoc *d, char *why, size_t n)
{
  xmlChar *text;
  int len;
  ns_ctx c = {0};
  ns_model *m;
  xmlDocDumpMemory(d, &text, &len);
  int rc = ns_load_memory(&c, "sample.xml", (const char *)text, (size_t)len,
                          &(ns_load_options){.as_given = 1}, NULL, &m);
  snprintf(why, n, "%s", c.msg);
  ns_model_destroy(m);
  xmlFree(text);
  return rc == NS_OK;
}

/* ---- a model with every element and attribute, made of the table ----------------------------- */

typedef struct sample {
  FILE *f;
  int serial;      /* for ids */
  int interaction; /* serial of the first one */
  const char *element;
  int in_repeat, in_frame, in_shapes; /* in_shapes: of a frame in a body */
  /* id of the first system in a <repeat>, what a control there writes to: one writer for each entry
   */
  char repeated[32];
  const struct variant *v;
} sample;

/* What may stand together in one model; sample_holds_every_element tells where one is missing. */
static const struct variant {
  ns_family family;                                            /* of its systems */
  int linear;                                                  /* those of them alone that are */
  const char *relation, *law, *integrator, *problem, *control; /* control NULL: <update> */
  const char *boundary;                                        /* of its mechanical systems */
  int m;                                                       /* rows of its relation */
  /* kind of its measure, and the attribute that tells when; NULL: none does */
  const char *measure, *moment;
  int planar; /* its bodies */
} variants[] = {
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "NewtonImpactNSL", "MoreauJeanOSI", "LCP",
     "Sensor", "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianScleronomousR", "NewtonImpactFrictionNSL",
     "MoreauJeanDirectProjectionOSI", "FrictionContact", NULL, "harmonic", 2, "sliding", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianRheonomousR", "FremondImpactFrictionNSL",
     "MoreauJeanCombinedProjectionOSI", "GenericMechanical", NULL, "prescribed", 2, "min", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "CohesiveFrictionNSL", "MoreauJeanOSI",
     "FrictionContact", "StateSpace", "fixed", 2, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianCompliantR", "ComplementarityConditionNSL",
     "MoreauJeanOSI", "LCP", "TransferFunction", "fixed", 1, "max", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianCompliantLinearTIR", "RelayNSL", "MoreauJeanOSI", "Relay",
     "Limiter", "fixed", 1, "mean", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 1, "LagrangianLinearTIR", "NewtonImpactNSL", "SchatzmanPaoliOSI", "LCP",
     "Hysteresis", "fixed", 1, "rms", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 1, "LagrangianLinearTIR", "NewtonImpactNSL", "MoreauJeanGOSI", "LCP",
     "SlidingReducedOrderObserver", "fixed", 1, "integral", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "NewtonImpactNSL", "D1MinusLinearOSI", "LCP",
     "ExtendedKalmanFilter", "fixed", 1, "count", "event", 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianRheonomousR", "NewtonImpactNSL", "CVodeOSI", "LCP", NULL,
     "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "MultipleImpactNSL", "CVodeOSI", "LCP", NULL,
     "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "NewtonImpactNSL", "NewMarkAlphaOSI", "LCP",
     NULL, "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianScleronomousR", "EqualityConditionNSL", "LsodarOSI",
     "MLCP", NULL, "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianScleronomousR", "EqualityConditionNSL", "IDAOSI", "MLCP",
     NULL, "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_LAGRANGIAN, 0, "LagrangianLinearTIR", "EqualityConditionNSL", "Hem5OSI", "MLCP",
     NULL, "fixed", 1, "final", NULL, 0},
    {NS_FAMILY_FIRST_ORDER, 0, "FirstOrderLinearTIR", "PiecewiseLinearNSL", "EulerMoreauOSI",
     "Relay", "PID", NULL, 1, "first", "when", 0},
    {NS_FAMILY_FIRST_ORDER, 1, "FirstOrderLinearR", "ComplementarityConditionNSL",
     "ZeroOrderHoldOSI", "LCP", "LinearSMC", NULL, 1, "last", "event", 0},
    {NS_FAMILY_FIRST_ORDER, 0, "FirstOrderNonLinearR", "MixedComplementarityConditionNSL",
     "EulerMoreauOSI", "MLCP", "Twisting", NULL, 1, "settling", NULL, 0},
    {NS_FAMILY_FIRST_ORDER, 0, "FirstOrderType1R", "EqualityConditionNSL", "EulerMoreauOSI", "MLCP",
     "SuperTwisting", NULL, 1, "period", "when", 0},
    {NS_FAMILY_FIRST_ORDER, 0, "FirstOrderType2R", "RelayNSL", "EulerMoreauOSI", "AVI",
     "LuenbergerObserver", NULL, 1, "fraction", "when", 0},
    {NS_FAMILY_FIRST_ORDER, 0, "FirstOrderLinearTIR", "NormalConeNSL", "EulerMoreauOSI", "AVI",
     "LinearSMCOT2", NULL, 1, "sample", "every", 0},
#define RIGID(relation, law, integrator, problem, m, ...) \
  { \
    NS_FAMILY_RIGID, 0, relation, law, integrator, problem, NULL, "fixed", m, "final", NULL, \
        __VA_ARGS__ \
  }
    RIGID("NewtonEulerR", "NewtonImpactNSL", "MoreauJeanOSI", "LCP", 1, 0),
    RIGID("NewtonEuler5DR", "NewtonImpactRollingFrictionNSL", "MoreauJeanOSI",
          "RollingFrictionContact", 3, 1),
    RIGID("NewtonEuler1DR", "NewtonImpactNSL", "MoreauJeanDirectProjectionOSI", "MLCP", 1, 0),
    RIGID("NewtonEuler3DR", "NewtonImpactFrictionNSL", "MoreauJeanCombinedProjectionOSI",
          "FrictionContact", 3, 0),
    RIGID("NewtonEuler5DR", "NewtonImpactRollingFrictionNSL", "MoreauJeanOSI", "GenericMechanical",
          5, 0),
    RIGID("KneeJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 3, 0),
    RIGID("PivotJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 5, 0),
    RIGID("PrismaticJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 5, 0),
    RIGID("CylindricalJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 4, 0),
    RIGID("FixedJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 6, 0),
    RIGID("PivotJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 2, 1),
    RIGID("FixedJointR", "EqualityConditionNSL", "MoreauJeanOSI", "MLCP", 3, 1),
    RIGID("JointStopR", "NewtonImpactNSL", "MoreauJeanOSI", "GenericMechanical", 2, 0),
    RIGID("JointFrictionR", "RelayNSL", "MoreauJeanOSI", "GenericMechanical", 1, 0),
    RIGID("CouplerJointR", "EqualityConditionNSL", "MoreauJeanOSI", "GenericMechanical", 1, 0),
    RIGID("TendonStopR", "NewtonImpactNSL", "MoreauJeanOSI", "GenericMechanical", 2, 0),
    RIGID("TendonFrictionR", "RelayNSL", "MoreauJeanOSI", "GenericMechanical", 1, 0),
    RIGID("TendonLengthR", "EqualityConditionNSL", "MoreauJeanOSI", "GenericMechanical", 1, 0),
#undef RIGID
};
enum { NVARIANTS = sizeof variants / sizeof *variants };

/* Whether an element of a group of which one may stand in its place is that of the variant. */
static int picked(const struct variant *v, const ns_lang_element *e, const ns_lang_element *holder)
{
  /* projections want rigid contacts */
  int gives_way = !strcmp(holder->name, "between") && !strcmp(v->integrator, "MoreauJeanOSI");
  if (gives_way) return !strcmp(e->name, "CompliantFrictionNSL");
  if (!strcmp(holder->name, "contacts") || !strcmp(holder->name, "between"))
    return !strcmp(e->name, "NewtonImpactRollingFrictionNSL");
  static const char *const flows[] = {"CVodeOSI", "LsodarOSI", "IDAOSI", "Hem5OSI",
                                      "NewMarkAlphaOSI"};
  int events = 0;
  for (size_t k = 0; k < sizeof flows / sizeof *flows; k++)
    events |= !strcmp(v->integrator, flows[k]);
  const char *name = e->group == NS_LANG_STRATEGY   ? (events ? "EventDriven" : "TimeStepping")
                     : e->group == NS_LANG_RELATION ? v->relation
                     : e->group == NS_LANG_LAW      ? v->law
                     : e->group == NS_LANG_INTEGRATOR || e->group == NS_LANG_FLOW ? v->integrator
                     : e->group == NS_LANG_PROBLEM                                ? v->problem
                     : e->group == NS_LANG_CONTROL                                ? v->control
                                                                                  : e->name;
  return name && !strcmp(name, e->name);
}

/* Whether a system belongs to the variant. */
static int of_family(const struct variant *v, const ns_lang_element *e)
{
  for (int k = 0; ns_system_kinds[k]; k++) {
    unsigned flags = ns_system_kinds[k]->flags;
    if (strcmp(ns_system_kinds[k]->name, e->name)) continue;
    ns_system s = {.kind = ns_system_kinds[k]};
    return ns_system_family(&s) == v->family && (!v->linear || flags & NS_SYS_LINEAR) &&
           !!(flags & NS_SYS_PLANAR) == v->planar;
  }
  return 1;
}

/* Shapes of the plane have a place of two numbers. */
static int of_space(const struct variant *v, const ns_lang_element *e)
{
  return e->group != NS_LANG_SHAPE ||
         v->planar == !strcmp(ns_lang_attribute(e, "at")->initial, "0 0");
}

static int has_no_end(const ns_lang_element *e)
{
  return !strcmp(e->name, "Plane") || !strcmp(e->name, "HalfPlane");
}

/* n = 2, nz = 2, m = 1 or 2, nQ = 2 (7 or 3 of a body), nZ = 2, s = 1, p = 1, writes = 1 (an
 * observer's are n). */
static int size_of(const struct variant *v, const char *symbol)
{
  if (isdigit((unsigned char)*symbol)) return atoi(symbol);
  if (v->family == NS_FAMILY_RIGID && !strcmp(symbol, "nQ")) return v->planar ? 3 : 7;
  static const char *const two[] = {"n", "nQ", "nz", "nZ", "2"};
  for (size_t k = 0; k < sizeof two / sizeof *two; k++)
    if (!strcmp(symbol, two[k])) return 2;
  return !strcmp(symbol, "m") ? v->m : 1;
}

static void value_text(const sample *s, const ns_lang_item *i)
{
  FILE *f = s->f;
  if (!i->rows) {
    fputs("text", f);
    return;
  }
  if (s->v->family == NS_FAMILY_RIGID &&
      ((!strcmp(i->name, "q0") && !s->v->planar) || !strcmp(i->name, "n"))) {
    fputs("1 0 0", f); /* a unit vector; a position, turned by its attributes */
    return;
  }
  int of_plane = s->v->planar && !strcmp(i->name, "vector"); /* of a force */
  int rows = of_plane ? 2 : size_of(s->v, i->rows), cols = i->cols ? size_of(s->v, i->cols) : 1;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++)
      fprintf(f, "%s%d", r + c == 0 ? "" : i->cols && c == 0 ? "; " : " ", !i->cols || r == c);
}

static int is_of_joint(const struct variant *v)
{
  return ns_lang_attribute(ns_lang_find(v->relation), "joint") ||
         ns_lang_attribute(ns_lang_find(v->relation), "joints");
}

static int is_of_tendon(const struct variant *v)
{
  return ns_lang_attribute(ns_lang_find(v->relation), "tendon") != NULL;
}

static int is_function(const ns_lang_element *e)
{
  return !strcmp(e->name, "table") || !strcmp(e->name, "function");
}
static int is_vector(const ns_lang_element *e) { return !strcmp(e->name, "vector"); }

static void attribute_text(sample *s, const ns_lang_element *e, const ns_lang_item *i)
{
  static const char *const text[NS_LANG_TYPES] = {[NS_LANG_TEXT] = "text",
                                                  [NS_LANG_NAMES] = "x y",
                                                  [NS_LANG_PATTERNS] = "a.q",
                                                  [NS_LANG_FILE] = "f"};
  /* those of the joint or tendon */
  if ((is_of_joint(s->v) || is_of_tendon(s->v)) && !strcmp(i->name, "systems") &&
      !strcmp(e->name, "interaction"))
    return;
  fprintf(s->f, " %s=\"", i->name);
  if (i->type == NS_LANG_ID && !strcmp(e->name, "interaction") && !s->interaction)
    s->interaction = s->serial;
  if (i->type == NS_LANG_ID && s->in_repeat && e->group == NS_LANG_SYSTEM && !*s->repeated)
    snprintf(s->repeated, sizeof s->repeated, "a%d_{i}", s->serial);
  if (!strcmp(i->name, "inputs") || !strcmp(i->name, "writes"))
    fputs(!strcmp(i->name, "writes") && !(s->v->control && strstr(s->v->control, "Observer"))
              ? "u"
              : "u w",
          s->f);
  else if (i->type == NS_LANG_IDS && !strcmp(e->name, "control") && s->in_repeat)
    fputs(s->repeated, s->f);
  else if (!strcmp(i->name, "joint")) fputs("joint", s->f);
  else if (!strcmp(i->name, "tendon")) fputs("rope", s->f);
  else if (!strcmp(i->name, "strands")) fputs(i->example, s->f);
  else if (i->type == NS_LANG_ID && strcmp(i->name, "id"))
    fprintf(s->f, "a%d", s->interaction); /* refers to one */
  else if (i->type == NS_LANG_ID) fprintf(s->f, s->in_repeat ? "a%d_{i}" : "a%d", s->serial++);
  else if (!strcmp(i->name, "joints")) fputs("joint joint", s->f);
  else if (i->type == NS_LANG_IDS) fputs("a0", s->f);
  else if (i->type == NS_LANG_NAME)
    fputs(!strcmp(e->name, "repeat") ? "i" : is_function(e) || is_vector(e) ? e->name : "p", s->f);
  else if (is_vector(e) && !strcmp(i->name, "values")) fputs(i->example ? i->example : "1 2", s->f);
  else if (is_function(e) && (!strcmp(i->name, "points") || !strcmp(i->name, "of")))
    fputs(!strcmp(i->name, "of") ? "t" : i->example, s->f);
  else if (!strcmp(i->name, "event")) fputs(i->example, s->f);
  else if (!strcmp(e->name, "set") && !strcmp(i->name, "name")) fputs("z[0]", s->f);
  else if (!strcmp(i->name, "kind")) fputs(s->v->measure, s->f);
  else if (!strcmp(i->name, "solver")) fputs("auto", s->f);
  else if (!strcmp(i->name, "unit")) fputs(!strcmp(e->name, "interaction") ? "m" : "cm", s->f);
  else if (!strcmp(i->name, "lambdaUnit")) fputs("N", s->f);
  else if (!strcmp(i->name, "units") || !strcmp(i->name, "inputUnits")) /* of x and y, of u and w */
    fputs("V A", s->f);
  else if (i->type == NS_LANG_TEXT && !strcmp(i->name, "coordinates") &&
           e->group != NS_LANG_RELATION)
    fputs("x", s->f);
  else if (e->group == NS_LANG_SHAPE &&
           i->type == NS_LANG_FILE) /* below the folder that tests run in */
    fprintf(s->f, "tests/data/%s", i->example);
  else if (!strcmp(e->name, "domain") && s->v->planar)
    fputs(!strcmp(i->name, "low") ? "-10 -10" : "10 10", s->f);
  else if (i->example && (e->group == NS_LANG_SHAPE || !strcmp(e->name, "domain")) &&
           i->type != NS_LANG_NAME && i->type != NS_LANG_ID)
    fputs(i->example, s->f);
  else if (!strcmp(i->name, "size")) fprintf(s->f, "%d", s->v->m);
  else if (i->type == NS_LANG_TEXT && i->example && s->v->family == NS_FAMILY_RIGID &&
           e->group == NS_LANG_RELATION)
    fputs(s->v->planar ? "0 0" : i->example, s->f);              /* a point */
  else if (e->group == NS_LANG_FORCE && i->type == NS_LANG_TEXT) /* its points */
    fputs(!s->v->planar ? i->example : strcmp(i->name, "points") ? "0 0" : "0 0 0 0", s->f);
  else if (!strcmp(i->name, "axis")) fputs("0 0 1", s->f);
  else if (!strcmp(i->name, "materials")) fputs("p p", s->f);
  else if (!strcmp(i->name, "margin")) fputs(i->example, s->f);
  else if (!strcmp(i->name, "birth") ||
           !strcmp(i->name, "death")) /* always there: no interaction acts on others */
    fputs(i->initial, s->f);
  else if (text[i->type]) fputs(text[i->type], s->f);
  else if (i->choices) fprintf(s->f, "%.*s", (int)strcspn(i->choices, " "), i->choices);
  else fputs(i->example ? i->example : i->initial, s->f);
  fputc('"', s->f);
}

static void element(sample *s, const ns_lang_element *e, const ns_lang_element *holder);

static int is_boundary(const ns_lang_element *e)
{
  return !strcmp(e->name, "fixed") || !strcmp(e->name, "prescribed") ||
         !strcmp(e->name, "harmonic");
}

/* In the plane it has none. */
static int is_axis_of_hinge(const struct variant *v, const ns_lang_element *e,
                            const ns_lang_item *i)
{
  return v->planar && e->group == NS_LANG_RELATION && !strcmp(i->name, "axis");
}

/* An attribute plugin= stands for the text, file= and its columns for points=; a shape is turned in
 * one way, a <repeat> goes from a number to another. */
static int is_plugin(const ns_lang_element *e, const ns_lang_item *i)
{
  if (e->group == NS_LANG_INTEGRATOR && !strcmp(i->name, "systems")) return 1; /* of several */
  /* a tendon through points; over joints: tests/simulation/test_tendons.c */
  if (!strcmp(e->name, "tendon") && (!strcmp(i->name, "joints") || !strncmp(i->name, "coe", 3) ||
                                     !strcmp(i->name, "coordinates")))
    return 1;
  if (!strcmp(e->name, "table"))
    return strcmp(i->name, "id") && strcmp(i->name, "points") && i->type != NS_LANG_ENUM;
  if (!strcmp(e->name, "repeat"))
    return strcmp(i->name, "index") && strcmp(i->name, "from") && strcmp(i->name, "to") &&
           strcmp(i->name, "step");
  /* in the plane and in space: tests/io/test_poses.c */
  if (!strcmp(e->name, "frame")) return strcmp(i->name, "id");
  /* turned by axis= */
  if (!strcmp(i->name, "euler") || !strcmp(i->name, "sequence") || !strcmp(i->name, "rpy"))
    return 1;
  if (e->group == NS_LANG_SHAPE &&
      (!strcmp(i->name, "turn") || (!strcmp(i->name, "file") && !i->required)))
    return 1;
  if (has_no_end(e) && (!strcmp(i->name, "axis") || !strcmp(i->name, "angle"))) return 1;
  return e->content && !strcmp(i->name, "plugin");
}

/* A system's own theta is for MoreauJeanOSI beside some relations and laws:
 * tests/cases/own-theta.tst. */
static int is_own_theta(const ns_lang_element *e, const ns_lang_item *i)
{
  return e->group == NS_LANG_SYSTEM && !strcmp(i->name, "theta");
}

/* A memory has a formula where the variant's measure has one, and then gives the sum; else what
 * give= says. */
static int is_of_other_memory(const struct variant *v, const ns_lang_item *i)
{
  int of = (ns_measure_kind_find(v->measure)->flags & NS_MEASURE_VALUE) != 0;
  if (!strcmp(i->name, "give")) return of;
  if (!strcmp(i->name, "of") || !strcmp(i->name, "unit")) return !of;
  int by_condition = v->moment && !strcmp(v->moment, "when");
  return !strcmp(i->name, by_condition ? "event" : "when");
}

/* One that the kind of the variant's measure has not, or a second one of those that tell when. */
static int is_of_other_kind(const struct variant *v, const ns_lang_element *e,
                            const ns_lang_item *i)
{
  static const char *const moment[] = {"when", "event", "every"};
  const char *own = v->moment && strcmp(v->moment, "event") ? v->moment : "at"; /* of an event */
  if (!strcmp(e->name, "event") || !strcmp(e->name, "stop")) {
    int tells = !strcmp(i->name, "when") || !strcmp(i->name, "at") || !strcmp(i->name, "every");
    return tells ? strcmp(own, i->name) : !strcmp(i->name, "direction") && strcmp(own, "when");
  }
  if (!strcmp(e->name, "memory")) return is_of_other_memory(v, i);
  if (strcmp(e->name, "measure")) return 0;
  for (int k = 0; k < 3; k++)
    if (!strcmp(moment[k], i->name)) return !v->moment || strcmp(v->moment, i->name);
  return !ns_measure_takes(ns_measure_kind_find(v->measure), i->name);
}

static int has_content(const struct variant *v, const ns_lang_element *e)
{
  return e->content &&
         (strcmp(e->name, "measure") || ns_measure_kind_find(v->measure)->flags & NS_MEASURE_VALUE);
}

/* What has no place in space has none in a frame. */
static int takes_frame(const sample *s, const ns_lang_element *holder)
{
  return !s->in_frame && !s->in_repeat && s->v->family == NS_FAMILY_RIGID &&
         strcmp(holder->name, "interactions");
}

/* A block is a system of its own beside those of the variant: one variant has it, with one of the
 * elements that it may hold. */
static int left_to_one(const struct variant *v, const ns_lang_element *e,
                       const ns_lang_element *holder)
{
  int has_block = v->control && !strcmp(v->control, "PID");
  return (!strcmp(e->name, "block") && !has_block) ||
         (!strcmp(holder->name, "block") && strcmp(e->name, "Limiter"));
}

static void children(sample *s, const ns_lang_element *e)
{
  const ns_lang_element *d;
  for (const ns_lang_child *k = e->children; k && k->max; k++)
    for (int i = 0; (d = ns_lang_at(i)); i++) {
      if (k->name ? strcmp(k->name, d->name) : d->group != k->group) continue;
      if (!k->name && (k->max == 1 || k->group == NS_LANG_INTEGRATOR) && !picked(s->v, d, e))
        continue;
      /* which has its own language */
      if (!of_family(s->v, d) || !of_space(s->v, d) || !strcmp(d->name, "netlist")) continue;
      if (left_to_one(s->v, d, e)) continue;
      if (!strcmp(d->name, "repeat") && s->in_repeat) continue;
      if (!strcmp(d->name, "frame") && !takes_frame(s, e)) continue;
      if ((s->in_shapes && is_boundary(d)) || (s->in_frame && !strcmp(d->name, "repeat"))) continue;
      if ((!strcmp(d->name, "contacts") || d->group == NS_LANG_FORCE) &&
          s->v->family != NS_FAMILY_RIGID)
        continue;
      if ((s->in_repeat || s->in_frame) && !strcmp(e->name, "contacts") &&
          d->group != NS_LANG_SHAPE)
        continue;
      if (has_no_end(d) && e->group == NS_LANG_SYSTEM) continue; /* has no end */
      /* x can be prescribed once */
      if (is_boundary(d) && strcmp(d->name, s->v->boundary)) continue;
      element(s, d, e);
    }
}

static void element(sample *s, const ns_lang_element *e, const ns_lang_element *holder)
{
  int repeat = !strcmp(e->name, "repeat"), inner = repeat || !strcmp(e->name, "frame");
  fprintf(s->f, "<%s%s", e->name, !strcmp(e->name, "model") ? " " NS : "");
  for (const ns_lang_item *i = e->attributes; i && i->name; i++)
    if (!is_plugin(e, i) && !is_own_theta(e, i) && !is_axis_of_hinge(s->v, e, i) &&
        !is_of_other_kind(s->v, e, i))
      attribute_text(s, e, i);
  if (e->content) {
    fprintf(s->f, ">%s</%s>\n", has_content(s->v, e) ? "t" : "", e->name);
    return;
  }
  if (!e->values && !e->children && !inner) {
    fputs("/>\n", s->f); /* white space is content, for a schema */
    return;
  }
  fputs(">\n", s->f);
  for (const ns_lang_item *i = e->values; i && i->name; i++) {
    if (!strcmp(i->name, "update") && s->v->control) continue; /* a control holds one of the two */
    /* numbers stand for the formula */
    if (e->group == NS_LANG_FORCE && strcmp(e->name, "force")) continue;
    if (e->group == NS_LANG_FORCE && !strcmp(i->name, "torque") && !s->v->planar) continue;
    fprintf(s->f, "<%s", i->name);
    for (const ns_lang_item *a = i->attributes; a && a->name; a++)
      if (!is_plugin(e, a) && strcmp(a->name, "turn")) attribute_text(s, e, a);
    fputc('>', s->f);
    value_text(s, i);
    fprintf(s->f, "</%s>\n", i->name);
  }
  s->in_repeat += repeat;
  s->in_frame += inner && !repeat;
  s->in_shapes += inner && holder && holder->group == NS_LANG_SYSTEM;
  children(s, inner ? holder : e);
  if (!strcmp(e->name, "interactions") && is_of_tendon(s->v))
    fputs("<tendon id=\"rope\" systems=\"a0\" stiffness=\"1\"/>\n", s->f);
  if (!strcmp(e->name, "interactions") && is_of_joint(s->v))
    fputs("<interaction id=\"joint\" systems=\"a0\"><CylindricalJointR point=\"0 0 0\" axis=\"0 0 "
          "1\"/><EqualityConditionNSL/></interaction>",
          s->f);
  s->in_repeat -= repeat;
  s->in_frame -= inner && !repeat;
  s->in_shapes -= inner && holder && holder->group == NS_LANG_SYSTEM;
  fprintf(s->f, "</%s>\n", e->name);
}

/* NULL beyond the last variant. */
static char *sample_text(int k)
{
  if (k >= NVARIANTS) return NULL;
  sample s = {.v = &variants[k]};
  char *text = NULL;
  size_t n = 0;
  s.f = open_memstream(&text, &n);
  element(&s, ns_lang_find("model"), NULL);
  fclose(s.f);
  return text;
}

static xmlDoc *sample_doc(int k)
{
  char *text = sample_text(k);
  if (!text) return NULL;
  xmlDoc *d = xmlReadMemory(text, (int)strlen(text), "sample.xml", NULL, XML_PARSE_NOBLANKS);
  ck_assert_ptr_nonnull(d);
  free(text);
  return d;
}

/* The element of the table that a node is, NULL for a value. */
static const ns_lang_element *row_of(const xmlNode *x)
{
  const ns_lang_element *up = x->parent && x->parent->type == XML_ELEMENT_NODE
                                  ? ns_lang_find((const char *)x->parent->name)
                                  : NULL;
  if (up && ns_lang_value(up, (const char *)x->name)) return NULL;
  return ns_lang_find((const char *)x->name);
}

/* The next tag that begins with `open` and ends there. */
static const char *next_tag(const char *text, const char *open)
{
  const char *at = strstr(text, open);
  while (at && !strchr(" >/", at[strlen(open)])) at = strstr(at + 1, open);
  return at;
}

static int has_attribute(const char *tag, const char *name)
{
  char open[80];
  snprintf(open, sizeof open, " %s=\"", name);
  const char *found = strstr(tag, open), *end = strchr(tag, '\n');
  return found && found < end;
}

START_TEST(sample_holds_every_element_and_attribute)
{
  char *all = strdup("");
  const ns_lang_element *e;
  for (int k = 0;; k++) {
    char *s = sample_text(k);
    if (!s) break;
    all = realloc(all, strlen(all) + strlen(s) + 1);
    strcat(all, s);
    free(s);
  }
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    char open[80];
    if (e->group >= NS_LANG_STUDY) break; /* tests/study */
    /* is replaced before; is no child here */
    if (!strcmp(e->name, "xi:include") || !strcmp(e->name, "netlist")) continue;
    /* no plug-ins are loaded here: tests/cases/plugin-law.tst, plugin-integrator.tst, controls.tst
     */
    if (!strcmp(e->name, "PluginNSL") || !strcmp(e->name, "PluginControl") ||
        !strcmp(e->name, "PluginOSI"))
      continue;
    snprintf(open, sizeof open, "<%s", e->name);
    ck_assert_msg(next_tag(all, open) != NULL, "<%s> is not in the sample", e->name);
    for (const ns_lang_item *i = e->attributes; i && i->name; i++) {
      int found = is_plugin(e, i) || is_own_theta(e, i);
      for (const char *at = next_tag(all, open); at && !found; at = next_tag(at + 1, open))
        found = has_attribute(at, i->name);
      ck_assert_msg(found, "%s of <%s> is not in the sample", i->name, e->name);
    }
  }
  free(all);
}
END_TEST

START_TEST(parser_and_schema_accept_the_sample)
{
  schema s = schema_of_table();
  char why[1024];
  xmlDoc *d;
  int n = 0;
  for (; (d = sample_doc(n)); n++) {
    ck_assert_msg(loader_accepts(d, why, sizeof why), "%s", why);
    ck_assert_msg(schema_accepts(&s, d), "%s", complaint);
    xmlFreeDoc(d);
  }
  ck_assert_int_ge(n, 1);
  xmlSchemaFree(s.xsd);
}
END_TEST

/* ---- spoil the sample in every place --------------------------------------------------------- */

/* Node number k in document order, NULL beyond the last. */
static xmlNode *node_at(xmlNode *x, int *k)
{
  for (; x; x = x->next) {
    if (x->type != XML_ELEMENT_NODE) continue;
    if ((*k)-- == 0) return x;
    xmlNode *y = node_at(x->children, k);
    if (y) return y;
  }
  return NULL;
}

typedef enum spoil {
  RENAME,
  NEW_ATTRIBUTE,
  LOSE_ATTRIBUTE,
  LOSE_CHILD,
  TWICE,
  TEXT_INSIDE,
  OTHER_NAMESPACE,
  SPOILS
} spoil;
static const char *const spoil_text[] = {"renamed",
                                         "with an unknown attribute",
                                         "without a required attribute",
                                         "taken out",
                                         "doubled",
                                         "with text",
                                         "in another namespace"};

static int lose_attribute(xmlNode *x, const ns_lang_element *e)
{
  for (const ns_lang_item *i = e ? e->attributes : NULL; i && i->name; i++)
    if (i->required) return xmlUnsetProp(x, (const xmlChar *)i->name) == 0;
  return 0;
}

/* Whether the table asks for x in its parent, and lets it stand there once only. */
static void demands(const xmlNode *x, const ns_lang_element *e, int *required, int *once)
{
  const ns_lang_element *up = ns_lang_find((const char *)x->parent->name);
  const ns_lang_item *i = e ? NULL : ns_lang_value(up, (const char *)x->name);
  const ns_lang_child *k = e ? ns_lang_allows(up, e) : NULL;
  *required = i ? i->required : k && k->min > 0;
  *once = i ? 1 : k && k->max == 1;
}

/* Values or single children stand there beside any number of others. */
static int holds_many(const xmlNode *x)
{
  const ns_lang_element *e = ns_lang_find((const char *)x->name);
  for (const ns_lang_child *k = e ? e->children : NULL; k && k->max; k++)
    if (k->max == NS_LANG_MANY) return 1;
  return 0;
}

/* 1 if x could be spoilt this way. */
static int spoil_node(xmlNode *x, spoil how)
{
  const ns_lang_element *e = row_of(x);
  int required = 0, once = 0, root = x->parent->type != XML_ELEMENT_NODE;
  if (!root) demands(x, e, &required, &once);
  if (!root && !required && holds_many(x->parent)) once = 0; /* the schema does not count it */
  switch (how) {
  case RENAME: xmlNodeSetName(x, (const xmlChar *)"unheardOf"); return 1;
  case NEW_ATTRIBUTE: xmlNewProp(x, (const xmlChar *)"unheardOf", (const xmlChar *)"1"); return 1;
  case LOSE_ATTRIBUTE: return lose_attribute(x, e);
  case LOSE_CHILD:
    if (!required) return 0;
    xmlUnlinkNode(x);
    xmlFreeNode(x);
    return 1;
  case TWICE:
    if (!once) return 0;
    xmlAddNextSibling(x, xmlCopyNode(x, 1));
    return 1;
  case TEXT_INSIDE:
    if (!e || e->content) return 0;
    xmlAddChild(x, xmlNewText((const xmlChar *)"text"));
    return 1;
  case OTHER_NAMESPACE:
    xmlSetNs(x, xmlNewNs(x, (const xmlChar *)"urn:other", (const xmlChar *)"o"));
    return 1;
  default: return 0;
  }
}

/* Hash (FNV-1a, 64 bits) of what the schema and the parser see of a node: the names of its
 * ancestors, its attributes and its children. */
static uint64_t hash_text(uint64_t h, const xmlChar *s)
{
  for (; *s; s++) h = (h ^ *s) * 1099511628211u;
  return (h ^ 255) * 1099511628211u;
}

static uint64_t place_of(const xmlNode *x)
{
  uint64_t h = 14695981039346656037u;
  for (const xmlNode *up = x; up && up->type == XML_ELEMENT_NODE; up = up->parent)
    h = hash_text(h, up->name);
  for (const xmlAttr *i = x->properties; i; i = i->next) h = hash_text(h, i->name);
  for (const xmlNode *k = x->children; k; k = k->next) h = hash_text(h, k->name);
  return h;
}

/* 1 if h is new in set, which then holds it. */
static int is_new(uint64_t **set, int *n, uint64_t h)
{
  for (int i = 0; i < *n; i++)
    if ((*set)[i] == h) return 0;
  if ((*n & (*n - 1)) == 0) *set = realloc(*set, sizeof **set * (size_t)(*n ? 2 * *n : 1));
  (*set)[(*n)++] = h;
  return 1;
}

/* The variants share most of their nodes: each place is spoilt once. */
START_TEST(parser_and_schema_refuse_the_same_faults)
{
  schema s = schema_of_table();
  int count[SPOILS] = {0}, nplaces = 0;
  uint64_t *places = NULL;
  xmlDoc *d;
  for (int variant = 0; (d = sample_doc(variant)); variant++) {
    for (int k = 0;; k++) {
      int left = k;
      const xmlNode *original = node_at(xmlDocGetRootElement(d), &left);
      if (!original) break;
      if (!is_new(&places, &nplaces, place_of(original))) continue;
      for (int how = 0; how < SPOILS; how++) {
        xmlDoc *e = xmlCopyDoc(d, 1);
        char why[1024];
        left = k;
        xmlNode *x = node_at(xmlDocGetRootElement(e), &left);
        if (spoil_node(x, (spoil)how)) {
          count[how]++;
          ck_assert_msg(!schema_accepts(&s, e), "the schema accepts <%s> %s", original->name,
                        spoil_text[how]);
          ck_assert_msg(!loader_accepts(e, why, sizeof why), "the parser accepts <%s> %s",
                        original->name, spoil_text[how]);
        }
        xmlFreeDoc(e);
      }
    }
    xmlFreeDoc(d);
  }
  for (int how = 0; how < SPOILS; how++)
    ck_assert_msg(count[how] >= 20, "%s: %d only", spoil_text[how], count[how]);
  ck_assert_int_ge(nplaces, 500);
  free(places);
  xmlSchemaFree(s.xsd);
}
END_TEST

/* Reverse the children of every element. */
static void reverse(xmlNode *x)
{
  for (xmlNode *k = x->children, *next; k; k = next) {
    next = k->next;
    if (k->type != XML_ELEMENT_NODE) continue;
    reverse(k);
    if (k->prev) {
      xmlUnlinkNode(k);
      xmlAddPrevSibling(x->children, k);
    }
  }
}

START_TEST(children_stand_in_any_order)
{
  schema s = schema_of_table();
  char why[1024];
  xmlDoc *d = sample_doc(_i);
  reverse(xmlDocGetRootElement(d));
  ck_assert_msg(schema_accepts(&s, d), "%s", complaint);
  ck_assert_msg(loader_accepts(d, why, sizeof why), "%s", why);
  xmlFreeDoc(d);
  xmlSchemaFree(s.xsd);
}
END_TEST

/* With includes put in place, as the schema says of itself. */
START_TEST(schema_accepts_the_models_of_the_tree)
{
  schema s = schema_of_table();
  char pattern[4096];
  const char *top = getenv("TOP");
  glob_t g;
  snprintf(pattern, sizeof pattern, "%s/models/*/*.xml", top ? top : ".");
  ck_assert_msg(glob(pattern, 0, NULL, &g) == 0, "no models in %s", pattern);
  int n = 0;
  for (size_t k = 0; k < g.gl_pathc; k++) {
    xmlDoc *d = xmlReadFile(g.gl_pathv[k], NULL, XML_PARSE_NOBASEFIX);
    ck_assert_ptr_nonnull(d);
    xmlXIncludeProcessFlags(d, XML_PARSE_NOBASEFIX);
    /* others are parts, for includes */
    if (!strcmp((const char *)xmlDocGetRootElement(d)->name, "model")) {
      ck_assert_msg(schema_accepts(&s, d), "%s: %s", g.gl_pathv[k], complaint);
      n++;
    }
    xmlFreeDoc(d);
  }
  ck_assert_int_ge(n, 5);
  globfree(&g);
  xmlSchemaFree(s.xsd);
}
END_TEST

/* Examples of elements are shown to users: those of a whole model must run. */
START_TEST(examples_are_well_formed_and_the_models_load)
{
  const ns_lang_element *e;
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    ck_assert_msg(e->example != NULL, "<%s> has no example", e->name);
    size_t n = strlen(e->example) + 200;
    char *text = malloc(n);
    snprintf(text, n, "<x xmlns:xi=\"" NS_LANG_XINCLUDE "\">%s</x>", e->example);
    xmlDoc *d = xmlReadMemory(text, (int)strlen(text), e->name, NULL, XML_PARSE_NOERROR);
    ck_assert_msg(d != NULL, "the example of <%s> is not XML", e->name);
    ck_assert_msg(strstr(e->example, e->name) != NULL, "the example of <%s> does not show it",
                  e->name);
    xmlFreeDoc(d);
    free(text);
  }
  ns_ctx c = {0};
  ns_model *m;
  const char *example = ns_lang_find("model")->example;
  ck_assert_msg(ns_load_memory(&c, "m.xml", example, strlen(example), NULL, NULL, &m) == NS_OK,
                "%s", c.msg);
  ns_model_destroy(m);
}
END_TEST

/* ---- the table and the program --------------------------------------------------------------- */

static int is_mechanical(const char *problem)
{
  return strstr(problem, "FrictionContact") || !strcmp(problem, "GenericMechanical");
}

/* Load with attribute i of element e given as `text`; NULL: without any. A first-order model where
 * e is of one. */
static ns_model *with_attribute(const char *e, const char *attribute, const char *text)
{
  static const char *const at[] = {"simulation", "TimeStepping", NULL, NULL, "output"};
  int first_order = !strcmp(e, "EulerMoreauOSI") || !strcmp(e, "MLCP") || !strcmp(e, "Relay") ||
                    !strcmp(e, "AVI");
  const char *integrator = first_order ? "EulerMoreauOSI" : "MoreauJeanOSI";
  const char *problem = (first_order && strcmp(e, "EulerMoreauOSI")) || is_mechanical(e) ? e
                                                                                         : "LCP";
  char given[5][120] = {"", "", "", "", ""}, model[1200];
  ns_ctx c = {0};
  ns_model *m;
  for (int k = 0; k < 5; k++)
    if (text && !strcmp(k == 2 ? integrator : k == 3 ? problem : at[k], e))
      snprintf(given[k], sizeof given[k], " %s=\"%s\"", attribute, text);
  snprintf(model, sizeof model,
           "<model " NS
           "><systems>%s</systems><simulation T=\"1\"%s><TimeStepping h=\"0.5\"%s><%s%s/><%s%s/>"
           "</TimeStepping></simulation><output%s/></model>",
           first_order ? "<FirstOrderLinearTIDS id=\"a\"><x0>1</x0></FirstOrderLinearTIDS>"
                       : "<LagrangianDS id=\"a\"><q0>1</q0></LagrangianDS>",
           given[0], given[1], integrator, given[2], problem, given[3], given[4]);
  ns_load_memory(&c, "m.xml", model, strlen(model), NULL, NULL, &m);
  ck_assert_msg(m != NULL, "%s", c.msg);
  return m;
}

static int same_options(const ns_model *a, const ns_model *b)
{
  const ns_simulation_options *x = &a->sim, *y = &b->sim;
  return x->t0 == y->t0 && x->T == y->T && !strcmp(x->strategy, y->strategy) &&
         !strcmp(x->integrator, y->integrator) && !strcmp(x->problem, y->problem) &&
         x->ts.h == y->ts.h && x->ts.newton_atol == y->ts.newton_atol &&
         x->ts.newton_rtol == y->ts.newton_rtol && x->ts.newton_max == y->ts.newton_max &&
         x->ts.newton_linear == y->ts.newton_linear &&
         x->ts.newton_absolute == y->ts.newton_absolute && x->mj.theta == y->mj.theta &&
         x->mj.mass_gamma == y->mj.mass_gamma && ns_rows_gamma(&x->mj) == ns_rows_gamma(&y->mj) &&
         x->mj.gamma == y->mj.gamma && x->mj.threshold == y->mj.threshold &&
         x->mj.velocity_threshold == y->mj.velocity_threshold && x->em.theta == y->em.theta &&
         x->em.gamma == y->em.gamma && x->em.full == y->em.full &&
         !strcmp(x->osnsp.solver, y->osnsp.solver) && x->osnsp.tol == y->osnsp.tol &&
         x->osnsp.max_iterations == y->osnsp.max_iterations && x->osnsp.omega == y->osnsp.omega &&
         x->osnsp.storage == y->osnsp.storage && x->osnsp.accept == y->osnsp.accept &&
         x->osnsp.accepted == y->osnsp.accepted && x->osnsp.contact == y->osnsp.contact &&
         x->osnsp.threads == y->osnsp.threads && a->out.every == b->out.every &&
         a->out.compression == b->out.compression && a->out.no_contacts == b->out.no_contacts &&
         a->out.contact_events == b->out.contact_events;
}

/* A text that means something else than the default. */
static const char *other(const ns_lang_element *e, const ns_lang_item *i)
{
  if (!strcmp(i->name, "contactSolver")) return "projection";
  if (i->type == NS_LANG_ENUM)
    return !strcmp(i->name, "storage") ? "sparse" : strrchr(i->choices, ' ') + 1;
  if (i->type == NS_LANG_TEXT && !strcmp(e->name, "LCP")) return "lemke";
  if (i->type == NS_LANG_TEXT && is_mechanical(e->name)) return ns_mechanical_solvers[1]->name;
  if (i->type == NS_LANG_TEXT)
    return ns_avi_solvers[0] && ns_avi_solvers[1] ? ns_avi_solvers[1]->name : NULL;
  return i->type == NS_LANG_INTEGER ? "7" : "0.25";
}

/* What the table calls the default is what the loader uses; and the attribute is not ignored. */
START_TEST(defaults_are_those_of_the_program)
{
  static const char *const elements[] = {
      "simulation", "TimeStepping", "MoreauJeanOSI",   "EulerMoreauOSI",         "LCP",   "MLCP",
      "Relay",      "AVI",          "FrictionContact", "RollingFrictionContact", "output"};
  int n = 0;
  for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
    const ns_lang_element *e = ns_lang_find(elements[k]);
    for (const ns_lang_item *i = e->attributes; i->name; i++) {
      if (!i->initial) continue;
      const char *changed = other(e, i);
      if (!changed) continue;
      ns_model *bare = with_attribute(e->name, "", NULL),
               *m = with_attribute(e->name, i->name, i->initial);
      ck_assert_msg(same_options(bare, m), "the default of %s.%s is not %s", e->name, i->name,
                    i->initial);
      ns_model_destroy(m);
      m = with_attribute(e->name, i->name, changed);
      ck_assert_msg(!same_options(bare, m), "%s.%s=%s has no effect", e->name, i->name, changed);
      ns_model_destroy(m);
      ns_model_destroy(bare);
      n++;
    }
  }
  ck_assert_int_ge(n, 30);
}
END_TEST

/* ---- <defaults> ------------------------------------------------------------------------------ */

/* A model with a default of one attribute. */
static ns_model *with_default(const char *element, const char *attribute, ns_ctx *c)
{
  char text[600];
  snprintf(text, sizeof text,
           "<model " NS "><defaults><%s %s=\"1\"/></defaults><systems><LagrangianLinearTIDS "
           "id=\"s\"><q0>0</q0></LagrangianLinearTIDS></systems><simulation T=\"1\"><TimeStepping "
           "h=\"1\"><MoreauJeanOSI/></TimeStepping></simulation></model>",
           element, attribute);
  ns_model *m;
  ns_load_memory(c, "m.xml", text, strlen(text), NULL, NULL, &m);
  return m;
}

static void takes_default(const char *element, const ns_lang_item *i, int in_use)
{
  ns_ctx c = {0};
  ns_model *m = with_default(element, i->name, &c);
  int names = !strcmp(i->name, "id") || !strcmp(i->name, "name");
  if (names) {
    ck_assert_msg(!m && strstr(c.msg, "names one element"), "%s.%s: %s", element, i->name, c.msg);
  } else if (!in_use) {
    ck_assert_msg(m != NULL, "%s.%s: %s", element, i->name, c.msg);
    ck_assert_int_eq(m->ndefaults, 1);
    ck_assert_str_eq(m->defaults[0].element, element);
    ck_assert_str_eq(m->defaults[0].attribute, i->name);
    ck_assert_int_eq(m->defaults[0].count, 0);
  }
  ns_model_destroy(m);
}

/* All that has attributes may have defaults, but for names, the model and includes; attributes of a
 * value that stand for its text have none. */
START_TEST(all_that_has_attributes_may_have_defaults)
{
  static const char *const in_use[] = {"simulation", "TimeStepping", "MoreauJeanOSI",
                                       "LagrangianLinearTIDS"};
  const ns_lang_element *e;
  int elements = 0, values = 0, refused = 0;
  for (int k = 0; (e = ns_lang_at(k)) && e->group < NS_LANG_STUDY; k++) {
    int used = !strcmp(e->name, "model") || !strcmp(e->name, "xi:include");
    for (int j = 0; j < 4; j++) used = used || !strcmp(e->name, in_use[j]);
    for (const ns_lang_item *i = used ? NULL : e->attributes; i && i->name; i++, elements++)
      takes_default(e->name, i, 0);
    for (const ns_lang_item *v = e->values; v && v->name; v++) {
      for (const ns_lang_item *i = v->attributes; i && i->name; i++, values++)
        takes_default(v->name, i, !strcmp(v->name, "q0"));
      for (int f = 0; f < NS_LANG_VALUE_ATTRIBUTES; f++) {
        if (!ns_lang_has_form(v, f) || ns_lang_find(v->name)) continue;
        ns_ctx c = {0};
        ns_model *m = with_default(v->name, ns_lang_form_names[f], &c);
        ck_assert_msg(!m, "%s.%s is taken as a default", v->name, ns_lang_form_names[f]);
        ck_assert_msg(strstr(c.msg, "stands for the text") || strstr(c.msg, "has no default") ||
                          strstr(c.msg, "unknown attribute"),
                      "%s", c.msg);
        refused++;
      }
    }
  }
  ck_assert_int_ge(elements, 300);
  ck_assert_int_ge(values, 30);
  ck_assert_int_ge(refused, 100);
}
END_TEST

/* The choices of an attribute are the names of a registry, in its order: the loader takes one by
 * its position. */
#define CHOICES(element, attribute, list) \
  do { \
    char all[512] = ""; \
    for (int k = 0; list[k]; k++) strcat(strcat(all, k ? " " : ""), list[k]->name); \
    ck_assert_str_eq(ns_lang_attribute(ns_lang_find(element), attribute)->choices, all); \
  } while (0)

START_TEST(choices_are_those_of_the_registry)
{
  CHOICES("measure", "kind", ns_measure_kinds);
  CHOICES("FrictionContact", "contactSolver", ns_contact_solvers);
  CHOICES("RollingFrictionContact", "contactSolver", ns_contact_solvers);
}
END_TEST

START_TEST(table_and_kinds_name_the_same)
{
  const ns_lang_element *e;
  int systems = 0, relations = 0, laws = 0, controls = 0;
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    systems += e->group == NS_LANG_SYSTEM;
    relations += e->group == NS_LANG_RELATION;
    laws += e->group == NS_LANG_LAW;
    controls += e->group == NS_LANG_CONTROL;
    ck_assert_msg(ns_lang_find(e->name) == e, "<%s> is there twice", e->name);
  }
#define KINDS(list, wanted, n) \
  do { \
    int have = 0; \
    for (; list[have]; have++) { \
      const ns_lang_element *row = ns_lang_find(list[have]->name); \
      ck_assert_msg(row && row->group == wanted, "no element %s", list[have]->name); \
    } \
    ck_assert_int_eq(have, n); \
  } while (0)
  KINDS(ns_system_kinds, NS_LANG_SYSTEM, systems);
  KINDS(ns_relation_kinds, NS_LANG_RELATION, relations);
  KINDS(ns_law_kinds, NS_LANG_LAW, laws);
  const ns_control_kind *const *with_element = ns_control_kinds + 1; /* all but "update" */
  KINDS(with_element, NS_LANG_CONTROL, controls);
}
END_TEST

static int given(const ns_operator *const *op, int n)
{
  int k = 0;
  for (int j = 0; j < n; j++) k += op[j]->how != NS_OP_ABSENT;
  return k;
}

static int values(const char *element)
{
  int n = 0;
  for (const ns_lang_item *i = ns_lang_find(element)->values; i && i->name; i++) n++;
  return n;
}

/* begins: joints say where it begins, in the place of its v0. */
static void check_system(const ns_system *s, int begins)
{
  const ns_first_order *f = &s->fo;
  if (!strcmp(s->at.element, "block")) return; /* its field alone is given */
  if (ns_system_is_rigid(s)) {
    const ns_rigid_body *b = &s->rigid;
    const ns_operator *op[] = {&b->fext,    &b->mext,    &b->fint,    &b->mint,
                               &b->dq_fint, &b->dv_fint, &b->dq_mint, &b->dv_mint};
    ck_assert_int_eq(given(op, 8), values(s->kind->name) - 5); /* q0, v0, z, mass, inertia */
    ck_assert(b->mass == 1 && b->inertia[0] == 1 && (begins || s->v0[0] == 1) &&
              !b->mext_in_body == !(s->kind->flags & NS_SYS_PLANAR));
  } else if (ns_system_is_first_order(s)) {
    const ns_operator *op[] = {&f->M, &f->f, &f->dx_f, &f->A, &f->b, &f->T, &f->u};
    ck_assert_int_eq(given(op, 7), values(s->kind->name) - 2); /* x0, z */
    ck_assert(s->v0 == NULL);
  } else {
    const ns_operator *op[] = {&s->mass,    &s->fext,    &s->fint,    &s->fgyr,      &s->dq_fint,
                               &s->dv_fint, &s->dq_fgyr, &s->dv_fgyr, &s->stiffness, &s->damping};
    ck_assert_int_eq(given(op, 10), values(s->kind->name) - 3); /* q0, v0, z */
    ck_assert(s->v0[0] == 1);
  }
  ck_assert((begins || s->q0[0] == 1) && s->nz == 2 && s->z0[0] == 1 && s->z0[1] == 1);
}

/* All numbers and values of the sample are given, none of the values is zero. */
static void check_control(const ns_control *k)
{
  const ns_lang_element *e = ns_lang_find(strcmp(k->kind->name, "update") ? k->kind->name
                                                                          : "control");
  for (int i = 0; k->number && e->attributes && e->attributes[i].name; i++)
    if (e->group == NS_LANG_CONTROL && !e->attributes[i].word)
      ck_assert_msg(!isnan(k->number[i]), "%s of %s", e->attributes[i].name, e->name);
  for (int i = 0; e->values && e->values[i].name; i++)
    ck_assert_msg(k->value[i].how != NS_OP_ABSENT, "%s of %s", e->values[i].name, e->name);
}

static void check_rigid(const ns_interaction *it)
{
  const ns_operator *formulas[] = {&it->lr.h, &it->lr.H, &it->lr.ht},
                    *points[] = {&it->point.P1, &it->point.P2, &it->point.n};
  unsigned flags = it->relation->flags;
  if (flags & NS_REL_JOINT && values(it->relation->name) &&
      strcmp(it->at.id, "joint")) /* which others refer to */
    /* <motor> is in one of them */
    ck_assert_int_eq(given((const ns_operator *[]){&it->drive->force[0], &it->drive->force[1]}, 2),
                     values(it->relation->name) - 1);
  if (flags & NS_REL_JOINT)
    ck_assert(it->joint.A[2] == 1 || it->joint.planar ||
              !ns_lang_attribute(ns_lang_find(it->relation->name), "axis"));
  else if (flags & NS_REL_AXIS && it->axis.line)
    ck_assert_ptr_nonnull(strstr(it->relation->name, "Tendon"));
  else if (flags & NS_REL_AXIS) ck_assert(it->axis.joint[0] && it->axis.joint[0]->A[2] == 1);
  else
    ck_assert_int_eq(given(flags & NS_REL_POINT ? points : formulas, 3),
                     values(it->relation->name));
}

static void check_interaction(const ns_interaction *it)
{
  const ns_first_order_relation *r = &it->fo;
  if (ns_interaction_is_rigid(it)) {
    check_rigid(it);
    return;
  }
  if (!ns_interaction_is_first_order(it)) {
    const ns_lagrangian_relation *n = &it->lr;
    const ns_operator *all[] = {&n->h, &n->H, &n->ht, &n->D, &n->Hdot};
    if (it->relation->flags & NS_REL_LINEAR) ck_assert(it->H && it->e && it->F);
    else ck_assert_int_eq(given(all, 5), values(it->relation->name));
    return;
  }
  const ns_operator *op[] = {&r->C, &r->D, &r->B, &r->F, &r->e, &r->h, &r->g, &r->K};
  ck_assert_int_eq(given(op, 8), values(it->relation->name));
  ck_assert(ns_law_is_box(it->law.ops) ? it->law.lb && it->law.ub : it->law.N && it->law.k);
}

/* In the sample every value is given, none is zero: each must have reached its operator. */
START_TEST(every_value_reaches_the_model)
{
  char *text = sample_text(_i);
  ns_ctx c = {0};
  ns_model *m;
  ck_assert_msg(ns_load_memory(&c, "m.xml", text, strlen(text), &(ns_load_options){.as_given = 1},
                               NULL, &m) == NS_OK,
                "%s", c.msg);
  int begins = ns_lang_attribute(ns_lang_find(variants[_i].relation), "initialRate") != NULL;
  ck_assert_int_ge(m->nsystems, 2);
  for (int k = 0; k < m->nsystems; k++) check_system(&m->systems[k], begins);
  for (int k = 0; k < m->ninteractions; k++) check_interaction(&m->interactions[k]);
  ck_assert_int_eq(m->nboundaries, ns_model_family(m) == NS_FAMILY_FIRST_ORDER ? 0 : m->nsystems);
  ck_assert_int_ge(m->ncontrols, 2);
  for (int k = 0; k < m->ncontrols; k++) check_control(&m->controls[k]);
  ns_model_destroy(m);
  free(text);
}
END_TEST

START_TEST(ranges_are_read_right)
{
  ck_assert(ns_lang_in_range("[0, 1]", 0) && ns_lang_in_range("[0, 1]", 1) &&
            !ns_lang_in_range("[0, 1]", 1.0001));
  ck_assert(!ns_lang_in_range("(0, 2)", 0) && !ns_lang_in_range("(0, 2)", 2) &&
            ns_lang_in_range("(0, 2)", 1));
  ck_assert(ns_lang_in_range("(0, inf)", 1e300) && !ns_lang_in_range("(0, inf)", INFINITY));
  ck_assert(!ns_lang_in_range("[0, 1]", NAN) && !ns_lang_in_range(NULL, NAN) &&
            ns_lang_in_range(NULL, -1));
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 300);
  tcase_add_test(t, sample_holds_every_element_and_attribute);
  tcase_add_test(t, parser_and_schema_accept_the_sample);
  tcase_add_test(t, parser_and_schema_refuse_the_same_faults);
  tcase_add_loop_test(t, children_stand_in_any_order, 0, NVARIANTS);
  tcase_add_test(t, schema_accepts_the_models_of_the_tree);
  tcase_add_test(t, examples_are_well_formed_and_the_models_load);
  tcase_add_test(t, defaults_are_those_of_the_program);
  tcase_add_test(t, all_that_has_attributes_may_have_defaults);
  tcase_add_test(t, choices_are_those_of_the_registry);
  tcase_add_test(t, table_and_kinds_name_the_same);
  tcase_add_loop_test(t, every_value_reaches_the_model, 0, NVARIANTS);
  tcase_add_test(t, ranges_are_read_right);
}

int main(void) { return suite_run("language", fill); }
