/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_dimensions.c -- whether the units of what a formula names go together.
 *
 * The formula is read a second time, with every name as a variable: parameters keep their units
 * there, which the graph that is computed folds away. Then dimensions go up from the names (Kennedy
 * 1996 calls it dimension inference; here nothing is unknown but what has no unit):
 *
 *   known   sums, comparisons, min, max want the same; products and powers multiply; sin, exp, log
 *           want a number
 *   number  a literal: fits anything in a sum, is 1 in a product
 *   any     a name without a unit, and by default a literal such as 9.81, which may have one:
 *           nothing is said about it
 *
 * Names of other systems have the units of those, multipliers and results of a relation what its
 * interaction says (unit=, lambdaUnit=). A function of the model is what its formula makes of its
 * arguments, a table has its yUnit and wants its xUnit. A sentence is told only where two names
 * with units contradict each other. */
#include "io/load/load_dimensions.h"

#include "algebra/vector.h"
#include "base/suggest.h"
#include "expression/graph.h"
#include "expression/quote.h"
#include "model/measure.h"
#include "model/relations/rigid_relation.h"
#include "simulation/record/channels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* these two of a model, by default */
enum { NAMES_MAX = 256, CALLS_MAX = 64, OWN_BANK = NS_BANKS, FORMULAS_MAX = 2000, TOLD_MAX = 20 };

typedef enum kind { ANY, NUMBER, KNOWN } kind;
typedef struct measure {
  kind kind;
  ns_dimension d;
} measure;
static const measure anything = {ANY, {{0}}};

/* An argument of a table that says what it is in; or nodes [first, end), those of a function. */
typedef struct called {
  const char *name; /* `of` bytes of it */
  int of;
  ns_node argument; /* -1: a function */
  measure want;
  int first, end;
} called;

/* Names of a formula, in the order in which they were met. */
typedef struct names {
  const ns_scope *scope; /* the one that was read before */
  ns_load_scope *s;
  const ns_where *at; /* where the formula stands */
  measure of[NAMES_MAX];
  int n;
  called call[CALLS_MAX];
  int ncalls;
} names;

static measure measured_in(const char *unit)
{
  measure m = {ANY, {{0}}};
  if (unit && *unit && ns_dimension_of(unit, &m.d)) m.kind = KNOWN;
  return m;
}

static measure rate_of(measure m)
{
  if (m.kind == KNOWN) m.d.power[2] -= 1;
  return m;
}

/* ---- what names measure ---------------------------------------------------------------------- */

/* The system of entry *k of a bank, which becomes its own entry; NULL: none. */
static const ns_system *system_of(const ns_load_scope *s, int bank, int *k)
{
  int n = s->one ? 1 : s->nstack;
  for (int i = 0; i < n; i++) {
    const ns_system *y = s->one ? s->one : &s->l->m->systems[s->stack[i]];
    int size = ns_system_entries(y, bank);
    if (*k < size) return y;
    *k -= size;
  }
  return NULL;
}

/* A unit that somebody has written, or that nature has; what a name alone suggests is not held
 * against anything. */
static measure of_entry(const ns_system *y, int bank, int k)
{
  if (bank == NS_BANK_Z) return measured_in(y->zunits ? y->zunits[k] : NULL);
  int sure = y->units || y->kind->flags & (NS_SYS_RIGID | NS_SYS_PLANAR);
  measure m = measured_in(sure ? ns_system_unit(y, k, bank == NS_BANK_V) : NULL);
  return bank == NS_BANK_V ? rate_of(m) : m;
}

static measure of_state(const ns_load_scope *s, int bank, int k)
{
  const ns_system *y = system_of(s, bank, &k);
  return y ? of_entry(y, bank, k) : anything;
}

/* Word k of an attribute; "" where there are fewer. */
static void word_of(const char *text, int k, char *buf, size_t size)
{
  *buf = 0;
  for (; text; k--) {
    text += strspn(text, " \t\n");
    size_t n = strcspn(text, " \t\n");
    if (!n) return;
    if (k == 0) {
      snprintf(buf, size, "%.*s", (int)n, text);
      return;
    }
    text += n;
  }
}

/* Entry k of a system that is declared, and made later. */
static measure of_declared(const ns_elem *e, int bank, int k)
{
  const ns_system_kind *made = ns_system_kind_find(e->name);
  char unit[NS_DIMENSION_TEXT];
  if (!made) return anything;
  if (bank != NS_BANK_Z && made->flags & (NS_SYS_RIGID | NS_SYS_PLANAR)) {
    int along = made->flags & NS_SYS_PLANAR ? 2 : 3;
    measure m = measured_in(k < along ? "m" : "1");
    return bank == NS_BANK_V ? rate_of(m) : m;
  }
  word_of(ns_elem_attr(e, bank == NS_BANK_Z ? "inputUnits" : "units"), k, unit, sizeof unit);
  measure m = measured_in(unit);
  return bank == NS_BANK_V ? rate_of(m) : m;
}

/* A name of another system, a coordinate of a joint or the length of a spring. */
static measure of_foreign(const ns_load_scope *s, int j)
{
  const ns_foreign_variable *v = &s->foreign->of[j];
  if (v->of == NS_OF_MULTIPLIER) return anything;
  if (v->of != NS_OF_SYSTEM) {
    measure m = measured_in(v->of == NS_OF_LINE || v->k == 1 ? "m" : "1");
    return v->bank == NS_BANK_V ? rate_of(m) : m;
  }
  if (v->system < s->l->m->nsystems)
    return of_entry(&s->l->m->systems[v->system], (int)v->bank, v->k);
  const ns_elem *e = ns_load_declared_element(s->l, v->system);
  return e ? of_declared(e, (int)v->bank, v->k) : anything;
}

/* The interaction around e; NULL: none. */
static const ns_elem *interaction_around(const ns_elem *e)
{
  while (e && strcmp(e->name, "interaction")) e = e->parent;
  return e;
}

/* Of the relation around the formula, or of the interaction that a measure names: what is written
 * there. */
static measure of_lambda(const ns_load *l, const ns_where *at)
{
  const ns_elem *e = interaction_around(at->e);
  const char *id = !e && at->e ? ns_elem_attr(at->e, "interaction") : NULL;
  if (e) return measured_in(ns_elem_attr(e, "lambdaUnit"));
  for (int i = 0; id && i < l->m->ninteractions; i++)
    if (!strcmp(l->m->interactions[i].at.id, id))
      return measured_in(l->m->interactions[i].lambda_unit);
  return anything;
}

static measure of_name(const names *n, const ns_name *found, const char *name, size_t len)
{
  const ns_load_scope *s = n->s;
  if (found->kind == NS_NAME_CONSTANT) return measured_in(ns_load_parameter_unit(s->l, name, len));
  if (found->kind != NS_NAME_VARIABLE) return anything;
  switch (found->bank) {
  case NS_BANK_T: return measured_in("s");
  case NS_BANK_Q:
  case NS_BANK_V:
  case NS_BANK_Z: return of_state(s, found->bank, found->index);
  case NS_BANK_OBSERVABLE: return measured_in(s->l->m->observables[found->index].unit);
  case NS_BANK_FOREIGN: return of_foreign(s, found->index);
  case NS_BANK_LAMBDA: return of_lambda(s->l, n->at);
  case NS_BANK_EVENT:
    if (found->index == NS_OF_EVENT_LOST) return measured_in("J");
    return anything;
  default: return anything;
  }
}

static ns_name lookup(const void *self, const char *name, size_t len, int subscript)
{
  names *n = (names *)(uintptr_t)self;
  ns_name found = n->scope->lookup(n->scope->self, name, len, subscript);
  if (found.kind == NS_NAME_UNKNOWN || n->n == NAMES_MAX) return (ns_name){.kind = NS_NAME_UNKNOWN};
  n->of[n->n] = of_name(n, &found, name, len);
  return (ns_name){.kind = NS_NAME_VARIABLE, .bank = OWN_BANK, .index = n->n++};
}

static int arguments(const void *self, const char *name, size_t len)
{
  const names *n = self;
  return n->scope->arguments(n->scope->self, name, len);
}

/* A parameter in a function of the model. */
static ns_name parameter(void *to, const char *name, size_t len)
{
  names *n = to;
  if (n->n == NAMES_MAX) return (ns_name){.kind = NS_NAME_UNKNOWN};
  n->of[n->n] = measured_in(ns_load_parameter_unit(n->s->l, name, len));
  return (ns_name){.kind = NS_NAME_VARIABLE, .bank = OWN_BANK, .index = n->n++};
}

/* A table takes what xUnit says, and its values have yUnit. */
static ns_node table(void *to, ns_graph *g, const char *name, const char *const x[2], const char *y,
                     const ns_node *argument)
{
  names *n = to;
  if (n->n == NAMES_MAX) return -1;
  for (int k = 0; k < 2; k++) {
    measure want = measured_in(x[k]);
    if (want.kind == KNOWN && n->ncalls < CALLS_MAX)
      n->call[n->ncalls++] = (called){
          .name = name, .of = (int)strlen(name), .argument = argument[k], .want = want};
  }
  n->of[n->n] = measured_in(y);
  return ns_graph_variable(g, OWN_BANK, n->n++);
}

/* The formula of a function stands in the place of its call. */
static ns_node call(const void *self, ns_graph *g, const char *name, size_t len,
                    const ns_node *argument)
{
  names *n = (names *)(uintptr_t)self;
  const ns_load_units_of units = {.to = n, .parameter = parameter, .table = table};
  called c = {.name = name, .of = (int)(len < 60 ? len : 60), .argument = -1, .first = g->count};
  ns_node value = ns_load_function_units(n->s->l, g, name, len, argument, &units);
  c.end = g->count;
  if (value >= 0 && c.end > c.first && n->ncalls < CALLS_MAX) n->call[n->ncalls++] = c;
  return value;
}

/* All entries of a vector have its unit. */
static ns_node entry(const void *self, ns_graph *g, const char *name, size_t len, ns_node subscript)
{
  (void)subscript;
  const ns_name first = lookup(self, name, len, 0);
  return first.kind == NS_NAME_VARIABLE ? ns_graph_variable(g, OWN_BANK, first.index)
                                        : NS_NO_VECTOR;
}

/* ---- going up -------------------------------------------------------------------------------- */

typedef struct checker {
  const ns_graph *g;
  measure *of;     /* of each node [g->count] */
  int strict;      /* literals are numbers, whatever they look like */
  char wrong[320]; /* the first contradiction, "" for none */
} checker;

/* 2, 1/3, 0.25, 2*pi: factors that formulas have by themselves. 9.81 may be an acceleration, 0.2 a
 * time. */
static int is_plain(double x)
{
  static const double pi = 3.14159265358979323846;
  for (int k = 1; k <= 4; k++) {
    double y = fabs(x) * k, turns = y / pi;
    if (y <= 12 && y == floor(y)) return 1;
    if (turns <= 12 && fabs(turns - round(turns)) < 1e-14 * turns) return 1;
  }
  return 0;
}

static void differ(checker *c, const measure *a, const measure *b, const char *what)
{
  if (*c->wrong) return;
  snprintf(c->wrong, sizeof c->wrong, "%s and %s are %s", ns_dimension_text(&a->d).text,
           ns_dimension_text(&b->d).text, what);
}

/* What a sum of both measures. */
static measure sum(checker *c, measure a, measure b, const char *what)
{
  if (a.kind == KNOWN && b.kind == KNOWN && !ns_dimension_same(&a.d, &b.d)) {
    differ(c, &a, &b, what);
    return anything;
  }
  return a.kind > b.kind ? a : b;
}

static measure product(measure a, measure b, double power)
{
  measure m = {a.kind == ANY || b.kind == ANY       ? ANY
               : a.kind == KNOWN || b.kind == KNOWN ? KNOWN
                                                    : NUMBER,
               {{0}}};
  if (m.kind == KNOWN) m.d = ns_dimension_times(&a.d, &b.d, power);
  return m;
}

static measure power_of(measure a, double power)
{
  ns_scale(NS_DIMENSIONS, power, a.d.power);
  return a;
}

/* sin(t) is written by many who mean 1 rad/s. */
static int is_time(const ns_dimension *d)
{
  ns_dimension other = *d;
  other.power[2] = 0;
  return d->power[2] != 0 && ns_dimension_is_number(&other);
}

/* An argument that has to be a number, as that of sin. */
static measure number(checker *c, measure a, const char *what)
{
  int is = a.kind != KNOWN || ns_dimension_is_number(&a.d) || (!c->strict && is_time(&a.d));
  if (!is && !*c->wrong)
    snprintf(c->wrong, sizeof c->wrong, "%s is %s", ns_dimension_text(&a.d).text, what);
  return (measure){a.kind == ANY ? ANY : KNOWN, {{0}}};
}

static measure raised(checker *c, const ns_term *t)
{
  double exponent;
  measure a = c->of[t->arg[0]], b = number(c, c->of[t->arg[1]], "an exponent, expected a number");
  if (ns_graph_is_constant(c->g, t->arg[1], &exponent)) return power_of(a, exponent);
  (void)b;
  return a.kind == KNOWN && ns_dimension_is_number(&a.d) ? a : anything;
}

static measure constant(const checker *c, double x)
{
  if (x == 0) return anything;
  return (measure){c->strict || is_plain(x) ? NUMBER : ANY, {{0}}};
}

static measure of_term(checker *c, const names *n, const ns_term *t)
{
  static const char added[] = "added or subtracted", compared[] = "compared",
                    chosen[] = "the two branches of a choice";
  int k = t->op == NS_OP_CONST || t->op == NS_OP_VAR ? 0 : ns_term_operands(t);
  measure a = k > 0 ? c->of[t->arg[0]] : anything, b = k > 1 ? c->of[t->arg[1]] : a;
  switch (t->op) {
  case NS_OP_CONST: return constant(c, t->value);
  case NS_OP_VAR: return t->arg[0] == OWN_BANK ? n->of[t->arg[1]] : anything;
  case NS_OP_POWER: return power_of(c->of[t->arg[2]], t->value);
  case NS_OP_NEG:
  case NS_OP_ABS:
  case NS_OP_FLOOR:
  case NS_OP_CEIL: return a;
  case NS_OP_ADD:
  case NS_OP_SUB:
  case NS_OP_HYPOT:
  case NS_OP_FMOD: return sum(c, a, b, added);
  case NS_OP_MIN:
  case NS_OP_MAX: return sum(c, a, b, compared);
  case NS_OP_MUL: return product(a, b, 1);
  case NS_OP_DIV: return product(a, b, -1);
  case NS_OP_LT:
  case NS_OP_LE:
  case NS_OP_EQ:
  case NS_OP_NE: sum(c, a, b, compared); return (measure){NUMBER, {{0}}};
  case NS_OP_AND:
  case NS_OP_OR:
  case NS_OP_NOT:
  case NS_OP_SIGN: return (measure){NUMBER, {{0}}};
  case NS_OP_SELECT:
  case NS_OP_MIX: return sum(c, b, c->of[t->arg[2]], chosen);
  case NS_OP_SQRT: return power_of(a, 0.5);
  case NS_OP_CBRT: return power_of(a, 1.0 / 3);
  case NS_OP_ATAN2: sum(c, a, b, compared); return (measure){KNOWN, {{0}}};
  case NS_OP_POW: return raised(c, t);
  case NS_OP_SIN:
  case NS_OP_COS:
  case NS_OP_TAN:
  case NS_OP_ASIN:
  case NS_OP_ACOS:
  case NS_OP_ATAN:
  case NS_OP_SINH:
  case NS_OP_COSH:
  case NS_OP_TANH:
  case NS_OP_EXP:
  case NS_OP_LOG:
  case NS_OP_LOG10:
  case NS_OP_ERF: return number(c, a, "the argument of a function of numbers");
  default: return anything;
  }
}

/* Where node k is the first that goes wrong: it stands in a function. */
static void name_function(checker *c, const names *n, int k)
{
  for (int i = 0; i < n->ncalls; i++) {
    const called *f = &n->call[i];
    size_t used = strlen(c->wrong);
    if (f->argument >= 0 || k < f->first || k >= f->end) continue;
    snprintf(c->wrong + used, sizeof c->wrong - used, " in the function %.*s", f->of, f->name);
    return;
  }
}

static void check_arguments(checker *c, const names *n)
{
  for (int i = 0; i < n->ncalls && !*c->wrong; i++) {
    const called *f = &n->call[i];
    if (f->argument < 0) continue;
    const measure *is = &c->of[f->argument];
    if (is->kind == KNOWN && !ns_dimension_same(&is->d, &f->want.d))
      snprintf(c->wrong, sizeof c->wrong, "the argument of the table %.*s is %s, expected %s",
               f->of < 60 ? f->of : 60, f->name, ns_dimension_text(&is->d).text,
               ns_dimension_text(&f->want.d).text);
  }
}

static int is_weight(const ns_dimension *d)
{
  ns_dimension newton;
  return ns_dimension_of("N", &newton) && ns_dimension_same(d, &newton);
}

/* The node of the whole formula is compared with what is expected. */
static void hold(checker *c, ns_node f, const ns_expected *expected, char *buf, size_t size)
{
  measure want = measured_in(expected ? expected->unit : NULL), is = c->of[f];
  *buf = 0;
  if (want.kind == KNOWN) want.d.power[2] -= expected->rate;
  int of_mass = expected && expected->mass && is.kind == KNOWN && is.d.power[0] == 1;
  if (!*c->wrong && of_mass && is.d.power[2] != 0) {
    snprintf(buf, size, "it is %s, expected a mass, kg, or kg m^2 of an angle; %s",
             ns_dimension_text(&is.d).text,
             is_weight(&is.d) ? "a weight divided by g is a mass"
                              : "correct the unit or the formula");
    return;
  }
  if (*c->wrong) snprintf(buf, size, "%s", c->wrong);
  else if (want.kind == KNOWN && is.kind == KNOWN && !ns_dimension_same(&want.d, &is.d)) {
    ns_dimension_words wanted = ns_dimension_text(&want.d);
    int weighs = is_weight(&is.d) && !strcmp(wanted.text, "kg");
    snprintf(buf, size, "it is %s, expected %s%s", ns_dimension_text(&is.d).text, wanted.text,
             weighs ? "; a weight divided by g is a mass" : "");
  }
}

/* 1 where the sentence is one of the last that were told: entries of a matrix with one formula. */
static int is_told(ns_load *l, const char *sentence)
{
  enum { LAST = sizeof l->contradicted / sizeof *l->contradicted };
  uint64_t digest = 14695981039346656037u; /* FNV-1a */
  for (const char *p = sentence; *p; p++) digest = (digest ^ (unsigned char)*p) * 1099511628211u;
  for (int k = 0; k < LAST; k++)
    if (l->contradicted[k] == digest) return 1;
  memmove(l->contradicted + 1, l->contradicted, (LAST - 1) * sizeof *l->contradicted);
  l->contradicted[0] = digest;
  return 0;
}

static void check(ns_load *l, ns_graph *g, const ns_where *at, const char *text, size_t len,
                  const names *n, ns_node f, const ns_expected *expected)
{
  char wrong[400];
  char sentence[NS_WHERE + sizeof(ns_quotation) + sizeof wrong + 32];
  checker c = {
      .g = g, .of = calloc((size_t)g->count + 1, sizeof(measure)), .strict = l->opt->units > 1};
  for (int k = 0; c.of && k < g->count; k++) {
    int fine = !*c.wrong;
    c.of[k] = of_term(&c, n, &g->term[k]);
    if (fine && *c.wrong) name_function(&c, n, k);
  }
  if (c.of) check_arguments(&c, n);
  if (c.of) hold(&c, f, expected, wrong, sizeof wrong);
  free(c.of);
  if (!c.of || !*wrong) return;
  snprintf(sentence, sizeof sentence, "%s: units: in \"%s\", %s", ns_where_text(at).text,
           ns_quote(text, len, 0).text, wrong);
  if (is_told(l, sentence)) return;
  if (l->opt->units < 2 && l->contradictions++ >= TOLD_MAX) return;
  ns_warn(&l->msg.c, "%s", sentence);
}

/* Digits, signs, blanks, and an e behind a digit, which is no name: it fits anything where the
 * check is not strict. */
static int is_literal(const char *text, size_t len)
{
  static const char plain[] = "0123456789.+- \t\n";
  for (size_t k = 0; k < len; k++) {
    int exponent = k > 0 && (text[k] == 'e' || text[k] == 'E') &&
                   memchr("0123456789.", text[k - 1], 11);
    if (!exponent && !memchr(plain, text[k], sizeof plain - 1)) return 0;
  }
  return 1;
}

static int is_on(ns_load *l, const char *text, size_t len)
{
  if (!l->opt || !l->opt->units || !l->has_units) return 0;
  if (l->opt->units == 1 && is_literal(text, len)) return 0;
  return l->opt->units > 1 || l->dimensioned++ < FORMULAS_MAX;
}

void ns_load_dimensions(ns_load *l, const ns_scope *scope, ns_load_scope *s, const ns_where *at,
                        const char *text, size_t len, const ns_expected *expected)
{
  if (!is_on(l, text, len)) return;
  ns_ctx quiet = {0};
  ns_node f;
  names n;
  n.scope = scope;
  n.s = s;
  n.at = at;
  n.n = n.ncalls = 0; /* and no zeros to all that may come */
  char refused[sizeof s->refused], hint[sizeof s->hint];
  unsigned long long by_id = s->by_id;
  int foreign = s->foreign ? s->foreign->n : 0;
  memcpy(refused, s->refused, sizeof refused);
  memcpy(hint, s->hint, sizeof hint);
  const ns_scope own = {.lookup = lookup,
                        .self = &n,
                        .arguments = arguments,
                        .call = call,
                        .entry = entry,
                        .suffixes = scope->suffixes};
  ns_arena *a = ns_arena_create(1 << 12, 1);
  ns_graph *g = a ? ns_graph_create(a) : NULL;
  if (g && !ns_graph_parse(g, &quiet, "", text, len, &own, &f))
    check(l, g, at, text, len, &n, f, expected);
  ns_arena_destroy(a);
  if (s->foreign) s->foreign->n = foreign;
  s->by_id = by_id;
  memcpy(s->refused, refused, sizeof refused);
  memcpy(s->hint, hint, sizeof hint);
}

/* ---- what values are ------------------------------------------------------------------------- */

/* kg m^2/s^2 by the unit of coordinate i: the force that works on it. Where that unit is 1, the
 * equations are those of numbers, and their forces may be, too. */
static int force_on(const ns_system *y, int i, ns_dimension *d)
{
  if (i < y->n && y->units && y->units[i] && !strcmp(y->units[i], "1")) return 0;
  measure m = i < y->n ? of_state(&(ns_load_scope){.one = y}, NS_BANK_Q, i) : anything;
  ns_dimension joule;
  if (m.kind != KNOWN || !ns_dimension_of("J", &joule)) return 0;
  *d = ns_dimension_times(&joule, &m.d, -1);
  return 1;
}

static int state_unit(const ns_system *y, int i, ns_dimension *d)
{
  measure m = i < y->n ? of_state(&(ns_load_scope){.one = y}, NS_BANK_Q, i) : anything;
  *d = m.d;
  return m.kind == KNOWN;
}

static int is_one_of(const char *name, const char *const *list)
{
  while (*list && strcmp(*list, name)) list++;
  return *list != NULL;
}

/* y, H and what else a relation has: y in the unit of the interaction where it says one, by
 * states and multipliers in theirs. */
static int of_relation(const ns_load_scope *s, const ns_elem *e, int col, ns_dimension *d)
{
  static const char *const results[] = {"h", "e", "y0", NULL}, *const slopes[] = {"H", "C", NULL};
  const ns_elem *it = interaction_around(e);
  measure y = measured_in(it ? ns_elem_attr(it, "unit") : NULL), by = {ANY, {{0}}};
  if (!it || e->parent->parent != it || y.kind != KNOWN) return 0;
  *d = y.d;
  if (is_one_of(e->name, results)) return 1;
  if (is_one_of(e->name, slopes)) by = of_state(s, NS_BANK_Q, col);
  else if (!strcmp(e->name, "D")) by = measured_in(ns_elem_attr(it, "lambdaUnit"));
  *d = ns_dimension_times(&y.d, &by.d, -1);
  return by.kind == KNOWN;
}

/* Unit of entry i of the initial value e of a system, which is not made yet: that of its units=, or
 * of a rigid body. 0: it has none. *seconds: power of s beside it. */
static int initial_unit(const ns_elem *e, int i, ns_dimension *d, double *seconds)
{
  const char *system = e->parent ? e->parent->name : "", *unit = NULL;
  const char *units = e->parent ? ns_elem_attr(e->parent, "units") : NULL;
  int planar = !strcmp(system, "RigidBody2dDS"), places = planar ? 2 : 3;
  char one[NS_DIMENSION_TEXT];
  *seconds = strcmp(e->name, "v0") ? 0 : -1;
  if (planar || !strcmp(system, "NewtonEulerDS")) {
    int is_quaternion = !planar && *seconds == 0;
    unit = is_quaternion ? "1" : "rad";
    if (i < places) unit = "m";
  }
  for (const char *p = units; p && *(p += strspn(p, " \t\r\n")) && i >= 0; i--) {
    size_t n = strcspn(p, " \t\r\n");
    if (i == 0) snprintf(one, sizeof one, "%.*s", (int)n, p), unit = one;
    p += n;
  }
  return unit && ns_dimension_of(unit, d);
}

static const ns_expected *expect(const ns_dimension *d, ns_expected *out)
{
  out->words = ns_dimension_text(d);
  out->unit = out->words.text;
  return out;
}

const ns_expected *ns_load_expected(const ns_load_scope *s, const ns_elem *e, int row, int col,
                                    ns_expected *out)
{
  static const char *const forces[] = {"fExt", "fInt", "fGyr", NULL}, *const rates[] = {"f", "b",
                                                                                        NULL};
  const ns_system *y = s->one;
  const char *name = e->name;
  int i = row + col, ok = 0, diagonal = e->attr && e->attr[0] != NULL;
  ns_dimension d = {{0}}, u;
  *out = (ns_expected){.unit = e->value ? e->value->unit : NULL};
  double seconds = 0; /* power of s beside it */
  if (!out->unit && of_relation(s, e, col, &d)) return expect(&d, out);
  if (out->unit) return out;
  if (!strcmp(name, "q0") || !strcmp(name, "v0") || !strcmp(name, "x0")) {
    if (!initial_unit(e, i, &d, &seconds)) return NULL;
    d.power[2] += seconds;
    return expect(&d, out);
  }
  out->mass = y && !y->units && !strcmp(name, "mass");
  if (!y || !y->units) return out->mass ? out : NULL;
  int first_order = ns_system_is_first_order(y);
  if (diagonal) row = col = i;
  if (!first_order && is_one_of(name, forces)) ok = force_on(y, i, &d);
  else if (first_order && is_one_of(name, rates) && !ns_elem_value(e->parent, "M"))
    ok = state_unit(y, i, &d), seconds = -1;
  else if (!first_order && (!strcmp(name, "mass") || !strcmp(name, "K") || !strcmp(name, "C"))) {
    ok = force_on(y, row, &d) && state_unit(y, col, &u);
    if (ok) d = ns_dimension_times(&d, &u, -1);
    seconds = *name == 'm' ? 2 : *name == 'C';
  } else if (first_order && !strcmp(name, "A") && !ns_elem_value(e->parent, "M")) {
    ok = state_unit(y, row, &d) && state_unit(y, col, &u);
    if (ok) d = ns_dimension_times(&d, &u, -1);
    seconds = -1;
  }
  if (!ok) return NULL;
  d.power[2] += seconds;
  return expect(&d, out);
}

/* ---- units of what is recorded --------------------------------------------------------------- */

/* A formula whose unit is looked for. */
typedef struct united {
  const ns_load_scope *s;
  const ns_graph *g;
  int guess, visits; /* visits: nodes that have been looked at, in a graph whose parts are shared */
} united;

static const char fits_anything[] = ""; /* of a constant in a sum */

/* Interaction and row of lambda k; NULL: there is none. */
static const ns_interaction *interaction_of(const ns_load_scope *s, int *k)
{
  const ns_model *m = s->l->m;
  if (s->m > 0 && s->interaction >= 0) return &m->interactions[s->interaction];
  for (int i = 0; i < m->ninteractions; i++) {
    int first = (int)m->interactions[i].row;
    if (*k < first || *k >= first + m->interactions[i].m) continue;
    *k -= first;
    return &m->interactions[i];
  }
  return NULL;
}

/* Of mechanics gaps alone have one unit in all rows, and their friction. */
static const char *unit_of_multiplier(const ns_load_scope *s, int k)
{
  enum { PLACES = 3 };
  const ns_interaction *it = interaction_of(s, &k);
  if (!it) return NULL;
  if (it->row_lambda_units) return it->row_lambda_units[k];
  if (it->lambda_unit) return it->lambda_unit;
  int rotates = it->relation->flags & NS_REL_JOINT || k >= PLACES || it->unit;
  if (rotates || ns_relation_family(it->relation) == NS_FAMILY_FIRST_ORDER) return NULL;
  return s->l->m->sim.event_driven ? "N" : "N s";
}

/* Of the free coordinates of joints and what forces show, and of their rates. */
static const char *unit_between(const ns_load_scope *s, int k)
{
  static const char *const shown[] = {"m", "N", "m/s", "W"};
  const ns_model *m = s->l->m;
  int at, rate;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int n = ns_interaction_angles(it);
    if (!n || !(it->relation->flags & NS_REL_JOINT)) continue;
    ns_load_joint_place(s->l, i, &at, &rate);
    int of_rate = k >= rate, j = k - (of_rate ? rate : at);
    if (j < 0 || j >= n) continue;
    if (j == 0 && ns_joint_is_free(&it->joint, 0)) return of_rate ? "rad/s" : "rad";
    return of_rate ? "m/s" : "m";
  }
  for (int i = 0; i < m->nforces; i++) {
    ns_load_force_place(s->l, i, &at, &rate);
    for (int j = 0; j < 2; j++) {
      if (k == at + j) return shown[j];
      if (k == rate + j) return shown[2 + j];
    }
  }
  return NULL;
}

static const char *unit_of_entry(const united *u, const ns_system *y, int bank, int k)
{
  if (bank == NS_BANK_Z) return y->zunits ? y->zunits[k] : NULL;
  int sure = y->units || y->kind->flags & (NS_SYS_RIGID | NS_SYS_PLANAR);
  if (!sure && !u->guess) return NULL;
  const char *unit = ns_system_unit(y, k, bank == NS_BANK_V);
  return bank == NS_BANK_V ? ns_channel_rate_unit(u->s->l->m->arena, unit) : unit;
}

static const char *unit_of_variable(const united *u, int bank, int k)
{
  const ns_load_scope *s = u->s;
  const ns_system *y;
  switch (bank) {
  case NS_BANK_T: return "s";
  case NS_BANK_Q:
  case NS_BANK_V:
  case NS_BANK_Z: y = system_of(s, bank, &k); return y ? unit_of_entry(u, y, bank, k) : NULL;
  case NS_BANK_OBSERVABLE: return s->l->m->observables[k].unit;
  case NS_BANK_LAMBDA: return unit_of_multiplier(s, k);
  case NS_BANK_JOINT: return unit_between(s, k);
  case NS_BANK_EVENT: return k == NS_OF_EVENT_LOST ? "J" : NULL;
  default: return NULL;
  }
}

/* a b^power; NULL where one of them is not known, or is a number, which may have a unit. */
static const char *unit_of_product(const united *u, const char *a, const char *b, double power)
{
  ns_dimension x, y;
  if (!a || !b || !*a || !*b || !ns_dimension_of(a, &x) || !ns_dimension_of(b, &y)) return NULL;
  x = ns_dimension_times(&x, &y, power);
  return ns_arena_text(u->s->l->m->arena, ns_dimension_text(&x).text);
}

static const char *unit_of_sum(const char *a, const char *b)
{
  ns_dimension x, y;
  if (!a || !b) return NULL;
  if (!*a || !*b) return *a ? a : b;
  if (!strcmp(a, b)) return a;
  int same = ns_dimension_of(a, &x) && ns_dimension_of(b, &y) && ns_dimension_same(&x, &y);
  return same ? a : NULL;
}

static const char *unit_of_node(united *u, ns_node f)
{
  enum { VISITS_MAX = 200 };
  const ns_term *t = &u->g->term[f];
  if (u->visits++ >= VISITS_MAX) return NULL;
  switch (t->op) {
  case NS_OP_CONST: return fits_anything;
  case NS_OP_VAR: return unit_of_variable(u, t->arg[0], t->arg[1]);
  case NS_OP_NEG:
  case NS_OP_ABS: return unit_of_node(u, t->arg[0]);
  case NS_OP_ADD:
  case NS_OP_SUB:
  case NS_OP_HYPOT:
  case NS_OP_MIN:
  case NS_OP_MAX: return unit_of_sum(unit_of_node(u, t->arg[0]), unit_of_node(u, t->arg[1]));
  case NS_OP_SELECT: return unit_of_sum(unit_of_node(u, t->arg[1]), unit_of_node(u, t->arg[2]));
  case NS_OP_MUL:
    return unit_of_product(u, unit_of_node(u, t->arg[0]), unit_of_node(u, t->arg[1]), 1);
  case NS_OP_DIV:
    return unit_of_product(u, unit_of_node(u, t->arg[0]), unit_of_node(u, t->arg[1]), -1);
  case NS_OP_SQRT: return unit_of_product(u, "1", unit_of_node(u, t->arg[0]), 0.5);
  case NS_OP_POWER: return unit_of_product(u, "1", unit_of_node(u, t->arg[2]), t->value);
  default: return NULL;
  }
}

const char *ns_load_unit_of(const ns_load_scope *s, const ns_graph *g, ns_node f, int guess)
{
  united u = {.s = s, .g = g, .guess = guess};
  const char *unit = f >= 0 ? unit_of_node(&u, f) : NULL;
  return unit && *unit ? unit : NULL;
}
