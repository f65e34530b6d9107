/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_options.c -- attributes of the simulation's elements go to fields of its options.
 *
 * The table below says which attribute goes where; ranges and defaults are the language table's
 * and ns_simulation_defaults()'s. */
#include "algebra/vector.h"
#include "io/load/load_job.h"

#include "base/guard.h"
#include "base/suggest.h"
#include "expression/quote.h"
#include "integrators/plugged_flow.h"
#include "nssim/plugin.h"
#include "problems/avi.h"
#include "problems/mechanical.h"
#include "problems/multibody.h"
#include "problems/plugged.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PROBLEM NULL /* element of a field of every one-step problem */

typedef enum field_type { REAL, INTEGER, CHOICE, SOLVER } field_type;

static const struct field {
  const char *element, *attribute;
  size_t at; /* in ns_simulation_options */
  field_type type;
} fields[] = {
#define AT(member) offsetof(ns_simulation_options, member)
    {"simulation", "t0", AT(t0), REAL},
    {"simulation", "T", AT(T), REAL},
    {"TimeStepping", "h", AT(ts.h), REAL},
    {"TimeStepping", "newtonTolerance", AT(ts.newton_atol), REAL},
    {"TimeStepping", "newtonRelativeTolerance", AT(ts.newton_rtol), REAL},
    {"TimeStepping", "newtonMaxIterations", AT(ts.newton_max), INTEGER},
    {"TimeStepping", "newtonOption", AT(ts.newton_linear), CHOICE},
    {"TimeStepping", "newtonCriterion", AT(ts.newton_absolute), CHOICE},
#define MOREAU_JEAN(element) \
  {element, "theta", AT(mj.theta), REAL}, {element, "gamma", AT(mj.gamma), REAL}, \
      {element, "massGamma", AT(mj.mass_gamma), REAL}, \
  { \
    element, "rowsGamma", AT(mj.rows_gamma), REAL \
  }
#define ACTIVATION(element) \
  {element, "activationThreshold", AT(mj.threshold), REAL}, \
  { \
    element, "velocityThreshold", AT(mj.velocity_threshold), REAL \
  }
#define PROJECTION(element) \
  {element, "tolerance", AT(proj.unilateral_tol), REAL}, \
      {element, "equalityTolerance", AT(proj.equality_tol), REAL}, \
      {element, "maxProjections", AT(proj.passes), INTEGER}, \
  { \
    element, "metric", AT(proj.metric), CHOICE \
  }
    MOREAU_JEAN("MoreauJeanOSI"),
    ACTIVATION("MoreauJeanOSI"),
    MOREAU_JEAN("MoreauJeanGOSI"),
    ACTIVATION("MoreauJeanGOSI"),
    MOREAU_JEAN("MoreauJeanDirectProjectionOSI"),
    ACTIVATION("MoreauJeanDirectProjectionOSI"),
    PROJECTION("MoreauJeanDirectProjectionOSI"),
    {"MoreauJeanDirectProjectionOSI", "activation", AT(proj.activation), REAL},
    MOREAU_JEAN("MoreauJeanCombinedProjectionOSI"),
    PROJECTION("MoreauJeanCombinedProjectionOSI"),
    {"D1MinusLinearOSI", "variant", AT(d1), CHOICE},
    {"D1MinusLinearOSI", "tolerance", AT(d1_tol), REAL},
    {"SchatzmanPaoliOSI", "theta", AT(mj.theta), REAL},
    {"SchatzmanPaoliOSI", "start", AT(sp_start), CHOICE},
    {"EulerMoreauOSI", "theta", AT(em.theta), REAL},
    {"EulerMoreauOSI", "gamma", AT(em.gamma), REAL},
    {"EulerMoreauOSI", "formulation", AT(em.full), CHOICE},
    {"EventDriven", "h", AT(ts.h), REAL},
    {"EventDriven", "gapTolerance", AT(ed.gap_tol), REAL},
    {"EventDriven", "velocityTolerance", AT(ed.speed_tol), REAL},
    {"EventDriven", "restSpeed", AT(ed.rest_speed), REAL},
    {"EventDriven", "accumulation", AT(ed.accumulation), CHOICE},
    {"EventDriven", "impacts", AT(ed.sequential), CHOICE},
    {"EventDriven", "hybridStep", AT(ed.hybrid_step), REAL},
    {"EventDriven", "maxEvents", AT(ed.max_events), INTEGER},
    {"EventDriven", "impulseStep", AT(ed.impulse_step), REAL},
    {"EventDriven", "increments", AT(ed.fixed_increments), CHOICE},
    {"EventDriven", "unloading", AT(ed.mono), CHOICE},
    {"EventDriven", "certificate", AT(ed.certificate), CHOICE},
#define FLOW(element) \
  {element, "method", AT(ed.method), CHOICE}, {element, "linearSolver", AT(ed.linear), CHOICE}, \
      {element, "relativeTolerance", AT(ed.rtol), REAL}, \
      {element, "absoluteTolerance", AT(ed.atol), REAL}, \
  { \
    element, "maxStep", AT(ed.max_step), REAL \
  }
#define DAE(element) \
  FLOW(element), {element, "formulation", AT(ed.formulation), CHOICE}, \
  { \
    element, "stabilisation", AT(ed.stabilisation), REAL \
  }
    FLOW("CVodeOSI"),
    FLOW("LsodarOSI"),
    DAE("IDAOSI"),
    DAE("Hem5OSI"),
    {"NewMarkAlphaOSI", "step", AT(ed.step), REAL},
    {"NewMarkAlphaOSI", "rhoInf", AT(ed.rho_inf), REAL},
    {"NewMarkAlphaOSI", "variant", AT(ed.newmark), CHOICE},
    {"NewMarkAlphaOSI", "beta", AT(ed.beta), REAL},
    {"NewMarkAlphaOSI", "gamma", AT(ed.gamma), REAL},
    {"NewMarkAlphaOSI", "linearSolver", AT(ed.linear), CHOICE},
    {"NewMarkAlphaOSI", "relativeTolerance", AT(ed.rtol), REAL},
    {"NewMarkAlphaOSI", "absoluteTolerance", AT(ed.atol), REAL},
    {"NewMarkAlphaOSI", "maxIterations", AT(ed.newton_max), INTEGER},
    {"PluginOSI", "step", AT(ed.step), REAL},
    {"PluginOSI", "relativeTolerance", AT(ed.rtol), REAL},
    {"PluginOSI", "absoluteTolerance", AT(ed.atol), REAL},
    {"PluginOSI", "maxStep", AT(ed.max_step), REAL},
    {PROBLEM, "solver", AT(osnsp.solver), SOLVER},
    {PROBLEM, "tolerance", AT(osnsp.tol), REAL},
    {PROBLEM, "onUnsolved", AT(osnsp.accept), CHOICE},
    {PROBLEM, "unsolvedBound", AT(osnsp.accepted), REAL},
    {PROBLEM, "maxIterations", AT(osnsp.max_iterations), INTEGER},
    {PROBLEM, "omega", AT(osnsp.omega), REAL},
    {PROBLEM, "storage", AT(osnsp.storage), CHOICE},
#define FRICTION(element) \
  {element, "contactSolver", AT(osnsp.contact), CHOICE}, \
  { \
    element, "threads", AT(osnsp.threads), INTEGER \
  }
    FRICTION("FrictionContact"),
    FRICTION("RollingFrictionContact"),
    FRICTION("GenericMechanical"),
#undef AT
};

/* Fields that remember whether the user gave them. */
static const struct recalled {
  size_t at, given; /* in ns_simulation_options */
} recalled[] = {
#define RECALLED(member) \
  { \
    offsetof(ns_simulation_options, ed.member), offsetof(ns_simulation_options, ed.given.member) \
  }
    {offsetof(ns_simulation_options, ts.newton_atol),
     offsetof(ns_simulation_options, ts.newton_atol_given)},
    RECALLED(gap_tol),
    RECALLED(speed_tol),
    RECALLED(rest_speed),
    RECALLED(atol)
#undef RECALLED
};
enum { NFIELDS = sizeof fields / sizeof *fields };
_Static_assert(sizeof(ns_storage) == sizeof(int), "choices are stored as int");

int ns_load_choice(ns_load *l, const ns_elem *e, const ns_lang_item *i, const char *text)
{
  size_t len = strlen(text);
  int k = 0;
  for (const char *p = i->choices; *p; k++) {
    size_t n = strcspn(p, " ");
    if (n == len && !strncmp(p, text, n)) return k;
    p += n;
    while (*p == ' ') p++;
  }
  ns_elem_fail(&l->msg, e, NULL, "attribute %s is \"%s\", expected one of: %s", i->name,
               ns_quote(text, len, 0).text, i->choices);
  return -1;
}

int ns_load_word(ns_load *l, const ns_elem *e, const char *attribute, int otherwise)
{
  const ns_lang_item *i = ns_elem_item(e, attribute);
  const char *text = i ? ns_elem_attr(e, attribute) : NULL;
  return text ? ns_load_choice(l, e, i, text) : otherwise;
}

typedef enum family { LCP, AVI, MECHANICAL, MULTIBODY, FAMILIES } family;

/* Name k of the solvers of a family of problems, NULL beyond the last. */
static const char *solver_name(family f, int k)
{
  switch (f) {
  case LCP: return ns_lcp_solvers[k] ? ns_lcp_solvers[k]->name : NULL;
  case AVI: return ns_avi_solvers[k] ? ns_avi_solvers[k]->name : NULL;
  case MULTIBODY: return ns_multibody_solvers[k] ? ns_multibody_solvers[k]->name : NULL;
  default: return ns_mechanical_solvers[k] ? ns_mechanical_solvers[k]->name : NULL;
  }
}

/* Whether a problem of this element is solved by those. */
static int solved_by(const ns_load *l, const char *element, family f)
{
  if (!l->m->nsystems) return 1; /* the systems are wrong */
  if (ns_model_is_first_order(l->m)) return f == AVI;
  if (ns_model_family(l->m) == NS_FAMILY_RIGID) return f == MECHANICAL || f == MULTIBODY;
  int friction = strstr(element, "FrictionContact") || !strcmp(element, "GenericMechanical");
  return friction ? f == MECHANICAL : !strcmp(element, "LCP") ? f == LCP : f == AVI;
}

/* solver="...": told here, where its line is known. */
static int known_solver(ns_load *l, const ns_elem *e, const char *text)
{
  const char *known;
  if (ns_solver_is_plugged(text)) return NS_OK; /* load_plugged_solver tells */
  ns_suggest s = ns_suggest_for(text, strlen(text));
  for (int f = 0; f < FAMILIES; f++)
    for (int k = 0; solved_by(l, e->name, (family)f) && (known = solver_name((family)f, k)); k++) {
      if (!strcmp(known, text)) return NS_OK;
      ns_suggest_offer(&s, known);
    }
  if (!strcmp(text, "auto")) return NS_OK;
  ns_quotation quoted = ns_quoted(text);
  if (s.best)
    return ns_elem_fail(&l->msg, e, NULL, "attribute solver is \"%s\", did you mean \"%s\"?",
                        quoted.text, s.best);
  return ns_elem_fail(
      &l->msg, e, NULL,
      "attribute solver is \"%s\", expected one of those that `nssim list solvers` lists",
      quoted.text);
}

static int set_field(ns_load *l, const ns_elem *e, const struct field *f, ns_simulation_options *o)
{
  const char *text = ns_elem_attr(e, f->attribute);
  void *to = (char *)o + f->at;
  double x = 0;
  if (!text) return NS_OK;
  if (f->type == CHOICE) {
    int k = ns_load_choice(l, e, ns_lang_attribute(e->def, f->attribute), text);
    memcpy(to, &k, sizeof k);
    return k < 0 ? NS_MODEL : NS_OK;
  }
  if (f->type == SOLVER) {
    if (known_solver(l, e, text)) return NS_MODEL;
    const char *copy = ns_arena_text(l->m->arena, text);
    memcpy(to, &copy, sizeof copy);
    return copy ? NS_OK : ns_nomem(&l->msg.c, "options");
  }
  if (f->type == REAL) memcpy(&x, to, sizeof x);
  else x = *(const int *)to;
  int rc = ns_load_attribute(l, e, f->attribute, NULL, &x);
  if (f->type == REAL) memcpy(to, &x, sizeof x);
  else *(int *)to = (int)x; /* the attribute's type bounds it */
  for (size_t k = 0; k < sizeof recalled / sizeof *recalled; k++)
    if (f->at == recalled[k].at) ((unsigned char *)o)[recalled[k].given] = 1;
  return rc;
}

static int set_element(ns_load *l, const ns_elem *e, ns_simulation_options *o)
{
  int rc = NS_OK;
  for (int k = 0; k < NFIELDS && rc != NS_NOMEM; k++)
    if (fields[k].element ? !strcmp(fields[k].element, e->name) : e->def->group == NS_LANG_PROBLEM)
      rc = set_field(l, e, &fields[k], o);
  return rc == NS_NOMEM ? rc : NS_OK;
}

int ns_load_option_value(const ns_simulation_options *o, const ns_elem *e, const char *attribute,
                         double *value)
{
  for (int k = 0; k < NFIELDS; k++) {
    const struct field *f = &fields[k];
    int here = f->element ? !strcmp(f->element, e->name) : e->def->group == NS_LANG_PROBLEM;
    if (!here || strcmp(f->attribute, attribute) || (f->type != REAL && f->type != INTEGER))
      continue;
    const void *from = (const char *)o + f->at;
    if (f->type == REAL) memcpy(value, from, sizeof *value);
    else *value = *(const int *)from;
    return 1;
  }
  return 0;
}

/* ---- what is in force ------------------------------------------------------------------------ */

/* Word k of a list of choices. */
static void choice_text(const char *choices, int k, char *buf, size_t size)
{
  for (; k > 0 && *choices; k--) {
    choices += strcspn(choices, " ");
    choices += strspn(choices, " ");
  }
  snprintf(buf, size, "%.*s", (int)strcspn(choices, " "), choices);
}

static void option_text(const ns_simulation_options *o, const struct field *f,
                        const ns_lang_item *i, char *buf, size_t size)
{
  const char *from = (const char *)o + f->at, *name;
  double x = 0;
  int k = 0;
  if (f->type == REAL) memcpy(&x, from, sizeof x);
  else if (f->type != SOLVER) memcpy(&k, from, sizeof k);
  if (f->type == SOLVER) memcpy(&name, from, sizeof name);
  if (f->type == SOLVER) snprintf(buf, size, "%s", name ? name : "auto");
  else if (f->type == CHOICE) choice_text(i->choices, k, buf, size);
  else if (f->type == INTEGER) snprintf(buf, size, "%d", k);
  else if (x != x) snprintf(buf, size, "(%s)", i->initial ? i->initial : "not given");
  else if (i->word && !ns_lang_in_range(i->range, x)) snprintf(buf, size, "%s", i->word);
  else snprintf(buf, size, "%.10g", x);
}

static void element_options(const ns_model *m, const char *name, ns_option_fn fn, void *to)
{
  const ns_lang_element *e = name ? ns_lang_find(name) : NULL;
  char value[128];
  for (const ns_lang_item *i = e ? e->attributes : NULL; i && i->name; i++) {
    if (e->group == NS_LANG_INTEGRATOR && !strcmp(i->name, "systems"))
      fn(to, name, i->name, m->nintegrators > 1 ? "of several integrators" : "all");
    for (int k = 0; k < NFIELDS; k++) {
      const struct field *f = &fields[k];
      int here = f->element ? !strcmp(f->element, name) : e->group == NS_LANG_PROBLEM;
      if (!here || strcmp(f->attribute, i->name)) continue;
      option_text(&m->sim, f, i, value, sizeof value);
      fn(to, name, i->name, value);
    }
  }
}

void ns_options_each(const ns_model *m, const char *problem, ns_option_fn fn, void *to)
{
  const char *const in_force[] = {"simulation", m->sim.strategy, m->sim.integrator,
                                  m->sim.problem ? m->sim.problem : problem};
  for (size_t k = 0; k < sizeof in_force / sizeof *in_force; k++)
    element_options(m, in_force[k], fn, to);
}

/* Integrators that go by a second name. */
static const char *first_name(const char *name)
{
  static const char *const second[][2] = {{"LsodarOSI", "CVodeOSI"}, {"Hem5OSI", "IDAOSI"}};
  for (size_t k = 0; k < sizeof second / sizeof *second; k++)
    if (!strcmp(name, second[k][0])) return second[k][1];
  return name;
}

/* ---- several integrators --------------------------------------------------------------------- */

/* Kinds of systems that an integrator steps beside others. */
static int takes(const ns_integrator_use *u, ns_family f)
{
  if (!strcmp(u->name, "MoreauJeanOSI")) return f != NS_FAMILY_FIRST_ORDER;
  if (strstr(u->name, "ProjectionOSI")) return f == NS_FAMILY_RIGID;
  int first_order = !strcmp(u->name, "EulerMoreauOSI") || !strcmp(u->name, "ZeroOrderHoldOSI");
  return first_order && f == NS_FAMILY_FIRST_ORDER;
}

/* The systems that attribute systems= of integrator k names; of[] -1: not named yet. */
static int name_systems(ns_load *l, const ns_elem *e, int k, int *of)
{
  ns_refs refs;
  const ns_indices none = {0};
  const int *system;
  int nQ, nZ, rc = ns_refs_make(l, e, "systems", &none, &refs);
  if (!rc) rc = ns_refs_get(l, e, &refs, &none, NULL, &system, &nQ, &nZ);
  for (int i = 0; i < refs.n && !rc; i++) {
    const ns_system *s = &l->m->systems[system[i]];
    if (of[system[i]] >= 0 && of[system[i]] != k)
      rc = ns_elem_fail(
          &l->msg, e, NULL,
          "lists %s, which an earlier integrator lists, too, expected each system once", s->at.id);
    else if (!takes(&l->m->integrators[k], ns_system_family(s)))
      rc = ns_elem_fail(&l->msg, e, NULL, "names %s, a %s, expected %s", s->at.id, s->kind->name,
                        ns_system_is_first_order(s) ? "<EulerMoreauOSI> for it"
                                                    : "<MoreauJeanOSI> for it");
    of[system[i]] = k;
  }
  return rc;
}

/* Blocks, integrals and memories among mechanics are integrated by the trapezoidal rule, where no
 * integrator of their kind is written. */
static int add_trapezoid(ns_load *l, int k)
{
  ns_model *m = l->m;
  int blocks = 0, others = 0, taken = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_system_is_first_order(s)) continue;
    int made = !strcmp(s->at.element, "block") || !strcmp(s->at.element, "integral") ||
               !strcmp(s->at.element, "memory");
    blocks += made;
    others += !made;
  }
  for (int i = 0; i < k; i++) taken |= takes(&m->integrators[i], NS_FAMILY_FIRST_ORDER);
  if (!blocks || others || taken) return k;
  ns_simulation_options own = ns_simulation_defaults();
  own.em.theta = 0.5;
  m->integrators[k] = (ns_integrator_use){
      .name = "EulerMoreauOSI", .mj = own.mj, .em = own.em, .proj = own.proj, .at = m->sim.at};
  return k + 1;
}

/* What acts on a mechanical system by a law of forces, so that it is stepped as part of a model
 * of several kinds; NULL: nothing. */
static const ns_interaction *law_of_forces(const ns_model *m, int system)
{
  if (ns_system_is_first_order(&m->systems[system])) return NULL;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_is_first_order(it)) continue;
    for (int k = 0; k < it->nsystems; k++)
      if (it->systems[k] == system) return it;
  }
  return NULL;
}

static int refuse_system(ns_load *l, int system)
{
  const ns_system *s = &l->m->systems[system];
  const ns_interaction *by = law_of_forces(l->m, system);
  return ns_fail_at(&l->msg.c, NS_MODEL, &s->at,
                    "no integrator applies to this system%s%s%s%s, expected %s in <TimeStepping>",
                    by ? ", on which " : "", by ? by->at.id : "", by ? " acts by the law " : "",
                    by ? by->law.ops->name : "",
                    ns_system_is_first_order(s) ? "<EulerMoreauOSI theta=\"0.5\"/>"
                                                : "<MoreauJeanOSI/>");
}

/* One that nobody names is for the first integrator of its kind that names nobody. */
static int take_others(ns_load *l, const unsigned char *names, const int *of)
{
  ns_model *m = l->m;
  for (int i = 0; i < m->nsystems; i++) {
    ns_system *s = &m->systems[i];
    int k = of[i];
    for (int j = 0; j < m->nintegrators && k < 0; j++)
      if (!names[j] && takes(&m->integrators[j], ns_system_family(s))) k = j;
    if (k < 0) return refuse_system(l, i);
    s->integrator = k;
  }
  return NS_OK;
}

/* Which integrator steps which system. */
static int share_systems(ns_load *l, const ns_elem *strategy)
{
  ns_model *m = l->m;
  int *of = ns_arena_get(l->scratch, (size_t)m->nsystems, sizeof *of), k = 0, rc = NS_OK;
  unsigned char *names = ns_arena_zero(l->scratch, (size_t)m->nintegrators, 1);
  if (!of || !names) return ns_nomem(&l->msg.c, "integrators");
  ns_fill_ints((size_t)m->nsystems, -1, of);
  for (const ns_elem *e = strategy->first; e && !rc; e = e->next) {
    if (!ns_elem_is_integrator(e)) continue;
    names[k] = ns_elem_attr(e, "systems") != NULL;
    if (names[k]) rc = name_systems(l, e, k, of);
    k++;
  }
  if (!rc) rc = take_others(l, names, of);
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* "EulerMoreauOSI, MoreauJeanOSI" */
static int name_schemes(ns_load *l)
{
  ns_model *m = l->m;
  size_t size = 1, at = 0;
  for (int k = 0; k < m->nintegrators; k++) size += strlen(m->integrators[k].name) + 2;
  char *text = ns_arena_zero(m->arena, size, 1);
  if (!text) return ns_nomem(&l->msg.c, "integrators");
  for (int k = 0; k < m->nintegrators; k++)
    at += (size_t)snprintf(text + at, size - at, "%s%s", k ? ", " : "", m->integrators[k].name);
  m->schemes = text;
  return NS_OK;
}

static const void *call_integrator(void (*fn)(void)) { return ((nssim_integrator_of *)fn)(); }

/* The integrator of a plug-in. What is stiff is certified as such. */
static int load_plugged_integrator(ns_load *l, const ns_elem *e, ns_event_driven_options *o)
{
  static const ns_plugin_kind kind = {"an integrator", "NSSIM_INTEGRATOR", sizeof(nssim_integrator),
                                      call_integrator, "<CVodeOSI/>"};
  int named = !strcmp(e->def->name, "PluginOSI");
  int rc = ns_load_plugin_table(l, e, named ? ns_elem_attr(e, "plugin") : NULL, &kind, &o->plugged);
  if (rc || !o->plugged) return rc;
  if (ns_plugged_is_implicit(o->plugged)) o->method = NS_FLOW_BDF;
  return ns_plugged_check_integrator(&l->msg.c, o->plugged);
}

/* All integrators of a strategy; those behind the first have options of their own. */
static int integrators(ns_load *l, const ns_elem *strategy, ns_simulation_options *o)
{
  ns_model *m = l->m;
  int n = 0, k = 0, rc = NS_OK, some_named = 0;
  for (const ns_elem *e = strategy->first; e; e = e->next) n += ns_elem_is_integrator(e);
  if (!(m->integrators = ns_arena_zero(m->arena, (size_t)n + 1, sizeof *m->integrators)))
    return ns_nomem(&l->msg.c, "integrators");
  for (const ns_elem *e = strategy->first; e && !rc; e = e->next) {
    if (!ns_elem_is_integrator(e)) continue;
    ns_simulation_options own = ns_simulation_defaults(), *to = k ? &own : o;
    to->integrator = first_name(e->def->name);
    rc = set_element(l, e, to);
    if (!rc) rc = load_plugged_integrator(l, e, &to->ed);
    some_named |= ns_elem_attr(e, "systems") != NULL;
    m->integrators[k++] = (ns_integrator_use){
        .name = to->integrator,
        .mj = to->mj,
        .em = to->em,
        .proj = to->proj,
        .at = {.file = e->file, .element = e->def->name, .line = e->line}};
  }
  if (!rc && !strcmp(strategy->name, "TimeStepping")) k = add_trapezoid(l, k);
  m->nintegrators = k;
  if (k > 1) m->mixed = 1;
  if (!rc && k > 1) rc = name_schemes(l);
  return rc || (!m->mixed && !some_named) || strcmp(strategy->name, "TimeStepping")
             ? rc
             : share_systems(l, strategy);
}

int ns_load_simulation(ns_load *l, const ns_elem *e)
{
  ns_simulation_options *o = &l->m->sim;
  o->at = (ns_place){.file = e->file, .element = e->def->name, .line = e->line};
  int rc = set_element(l, e, o);
  const ns_elem *strategy = ns_elem_group(e, NS_LANG_STRATEGY);
  if (rc || !strategy) return rc;
  o->strategy = strategy->def->name;
  rc = set_element(l, strategy, o);
  return rc ? rc : integrators(l, strategy, o);
}

/* contactSolver="..." beside a solver without sweeps would say nothing. */
static int check_contact_solver(ns_load *l, const ns_elem *e, const ns_simulation_options *o)
{
  const ns_mechanical_solver_ops *s = ns_mechanical_solver_find(o->osnsp.solver);
  if (!o->osnsp.contact || !s || s->sweeps) return NS_OK;
  ns_elem_fail(&l->msg, e, NULL,
               "attribute contactSolver is \"%s\", but solver \"%s\" does not sweep over contacts, "
               "expected solver \"nsgs\" or \"auto\"; remove one of them",
               ns_contact_solvers[o->osnsp.contact]->name, s->name);
  return NS_OK;
}

static const void *call_solver(void (*fn)(void)) { return ((nssim_solver_of *)fn)(); }

/* solver="Library:function" */
static int load_plugged_solver(ns_load *l, const ns_elem *e, ns_problem_options *o)
{
  static const ns_plugin_kind kind = {"a solver", "NSSIM_SOLVER", sizeof(nssim_solver), call_solver,
                                      "one of the solvers that `nssim list solvers` lists"};
  int named = o->solver && ns_solver_is_plugged(o->solver);
  int rc = ns_load_plugin_table(l, e, named ? o->solver : NULL, &kind, &o->plugged);
  return rc || !named ? rc : ns_plugged_check_solver(&l->msg.c, o->plugged);
}

int ns_load_problem(ns_load *l, const ns_elem *e)
{
  ns_simulation_options *o = &l->m->sim;
  const ns_elem *strategy = ns_elem_group(e, NS_LANG_STRATEGY);
  const ns_elem *problem = strategy ? ns_elem_group(strategy, NS_LANG_PROBLEM) : NULL;
  if (!problem) return NS_OK;
  o->problem = problem->def->name;
  int rc = set_element(l, problem, o);
  if (ns_elem_attr(problem, "tolerance")) o->osnsp.granular_tol = o->osnsp.tol;
  if (!rc) rc = load_plugged_solver(l, problem, &o->osnsp);
  return rc ? rc : check_contact_solver(l, problem, o);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Patterns of all <record> elements. */
static int patterns(ns_load *l, const ns_elem *e)
{
  size_t max = 0;
  int n = 0;
  for (const ns_elem *k = e->first; k; k = k->next)
    if (ns_elem_attr(k, "select")) max += strlen(ns_elem_attr(k, "select")) / 2 + 1;
  const char **list = ns_arena_get(l->m->arena, max, sizeof *list);
  if (!list) return ns_nomem(&l->msg.c, "output");
  for (const ns_elem *k = e->first; k; k = k->next) {
    const char *select = ns_elem_attr(k, "select");
    char *save, *s = select ? ns_arena_text(l->m->arena, select) : NULL;
    if (!select) continue;
    if (!s) return ns_nomem(&l->msg.c, "output");
    if (!l->m->out.at.file)
      l->m->out.at = (ns_place){.file = k->file, .element = "record", .line = k->line};
    for (char *p = strtok_r(s, " \t\r\n", &save); p; p = strtok_r(NULL, " \t\r\n", &save))
      list[n++] = p;
  }
  if (n) l->m->out.record = list;
  l->m->out.nrecord = n;
  return NS_OK;
}

int ns_load_output(ns_load *l, const ns_elem *e)
{
  double every = l->m->out.every;
  if (ns_load_attribute(l, e, "every", NULL, &every) == NS_NOMEM) return NS_NOMEM;
  l->m->out.every = (int)every;
  double compression = l->m->out.compression;
  if (ns_load_attribute(l, e, "compression", NULL, &compression) == NS_NOMEM) return NS_NOMEM;
  l->m->out.compression = (int)compression;
  l->m->out.no_contacts = ns_load_word(l, e, "contacts", l->m->out.no_contacts) > 0;
  int told = ns_load_word(l, e, "events", -1);
  if (told >= 0) l->m->out.contact_events = (ns_contact_events)told;
  for (ns_elem *k = e->first; k; k = k->next)
    if (k->def && !strcmp(k->name, "observe") && ns_load_observe(l, k) == NS_NOMEM) return NS_NOMEM;
    else if (k->def && (!strcmp(k->name, "integral") || !strcmp(k->name, "memory")) &&
             ns_load_running(l, k) == NS_NOMEM)
      return NS_NOMEM;
  return patterns(l, e);
}
