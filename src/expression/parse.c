/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c -- from text to nodes: recursive descent with operator precedence.
 *
 *   expression = binary [ "?" expression ":" expression ]
 *   binary     = unary { operator unary }             by precedence, left associative
 *   unary      = ("-" | "+" | "!") unary | power
 *   power      = primary [ "^" unary ]                so -x^2 = -(x^2), 2^-x works
 *   primary    = number | "(" expression ")" | name | name "[" expression "]"
 *              | function "(" expression { "," expression } ")"
 *
 * Sums and products of any length are loops; only nesting recurses, and that is bounded. */
#include "base/suggest.h"
#include "expression/graph.h"
#include "expression/lex.h"
#include "expression/quote.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 200
#define VALUE "a number, a name or \"(\""

typedef struct parser {
  ns_lexer x;
  ns_graph *g;
  const ns_scope *scope;
  int depth;
} parser;

static ns_node expression(parser *p);

static int enter(parser *p)
{
  if (++p->depth <= MAX_DEPTH) return NS_OK;
  return ns_lex_fail(&p->x, p->x.pos,
                     "nested more than %d levels deep; define a part of it as a <function>",
                     MAX_DEPTH);
}

/* Remember that the arena is full. */
static ns_node checked(parser *p, ns_node f)
{
  if (f < 0 && p->x.rc == NS_OK) p->x.rc = ns_nomem(p->x.c, "a formula");
  return f;
}

static int accept(parser *p, int kind)
{
  if (p->x.kind != kind) return 0;
  ns_lex_next(&p->x);
  return 1;
}

typedef struct function {
  const char *name;
  int arguments;
  ns_node (*make)(ns_graph *g, const ns_node *arg);
} function;

#define CALL1(name, op) \
  static ns_node call_##name(ns_graph *g, const ns_node *x) \
  { \
    return ns_make1(g, NS_OP_##op, x[0]); \
  }
#define CALL2(name, op) \
  static ns_node call_##name(ns_graph *g, const ns_node *x) \
  { \
    return ns_make2(g, NS_OP_##op, x[0], x[1]); \
  }
CALL1(sin, SIN)
CALL1(cos, COS)
CALL1(tan, TAN)
CALL1(asin, ASIN)
CALL1(acos, ACOS)
CALL1(atan, ATAN)
CALL2(atan2, ATAN2)
CALL1(sinh, SINH)
CALL1(cosh, COSH)
CALL1(tanh, TANH)
CALL1(exp, EXP)
CALL1(log, LOG)
CALL1(log10, LOG10)
CALL1(sqrt, SQRT)
CALL1(cbrt, CBRT)
CALL1(abs, ABS)
CALL1(sign, SIGN)
CALL1(floor, FLOOR)
CALL1(ceil, CEIL)
CALL2(min, MIN)
CALL2(max, MAX)
CALL2(hypot, HYPOT)
CALL1(erf, ERF)

static ns_node call_step(ns_graph *g, const ns_node *x)
{
  return ns_make2(g, NS_OP_LE, ns_graph_constant(g, 0), x[0]);
}
static ns_node call_mod(ns_graph *g, const ns_node *x) { return ns_make_mod(g, x[0], x[1]); }
static ns_node call_pow(ns_graph *g, const ns_node *x) { return ns_make_power(g, x[0], x[1]); }
static ns_node call_if(ns_graph *g, const ns_node *x)
{
  return ns_make_select(g, x[0], x[1], x[2]);
}

static ns_node call_pulse(ns_graph *g, const ns_node *x)
{
  return ns_make2(g, NS_OP_LT, ns_make_mod(g, x[0], x[1]), x[2]);
}
static ns_node call_pwm(ns_graph *g, const ns_node *x)
{
  return ns_make2(g, NS_OP_LT, ns_make_mod(g, x[0], x[1]), ns_make2(g, NS_OP_MUL, x[2], x[1]));
}
static ns_node call_sat(ns_graph *g, const ns_node *x)
{
  return ns_make2(g, NS_OP_MIN, ns_make2(g, NS_OP_MAX, x[0], x[1]), x[2]);
}
static ns_node call_ramp(ns_graph *g, const ns_node *x)
{
  ns_node from = ns_make2(g, NS_OP_SUB, x[0], x[1]), width = ns_make2(g, NS_OP_SUB, x[2], x[1]);
  const ns_node part[] = {ns_make2(g, NS_OP_DIV, from, width), ns_graph_constant(g, 0),
                          ns_graph_constant(g, 1)};
  return call_sat(g, part);
}
static ns_node call_deadzone(ns_graph *g, const ns_node *x)
{
  const ns_node within[] = {x[0], ns_make1(g, NS_OP_NEG, x[1]), x[1]};
  return ns_make2(g, NS_OP_SUB, x[0], call_sat(g, within));
}

#define FUNCTION_ROW(name, n, help) {#name, n, call_##name},
static const function functions[] = {NS_FUNCTION_LIST(FUNCTION_ROW) NS_BLOCK_LIST(FUNCTION_ROW)};
#define NFUNCTIONS (sizeof functions / sizeof *functions)
#define COUNT(name, n, help) +1
#define NTAKEN (0 NS_FUNCTION_LIST(COUNT)) /* the names before that are not to be had */

static const function *function_among(size_t from, size_t end, const char *name, size_t len)
{
  for (size_t i = from; i < end; i++)
    if (!strncmp(functions[i].name, name, len) && !functions[i].name[len]) return &functions[i];
  return NULL;
}

/* A function with this name; `of_model` is filled and returned where it is one of the model. */
static const function *function_named(const parser *p, const char *name, size_t len,
                                      function *of_model)
{
  const function *f = function_among(0, NTAKEN, name, len);
  if (f) return f;
  *of_model = (function){.name = name};
  if (p->scope && p->scope->arguments)
    of_model->arguments = p->scope->arguments(p->scope->self, name, len);
  return of_model->arguments ? of_model : function_among(NTAKEN, NFUNCTIONS, name, len);
}

static ns_name meaning(const parser *p, const char *name, size_t len, int subscript)
{
  if (!p->scope || !p->scope->lookup) return (ns_name){.kind = NS_NAME_UNKNOWN};
  return p->scope->lookup(p->scope->self, name, len, subscript);
}

static ns_node unknown_function(parser *p, size_t pos, const char *name, size_t len)
{
  /* Names in other languages that are too different for a did-you-mean. */
  static const struct {
    const char *found, *write;
  } other[] = {{"ln", "log"},           {"arcsin", "asin"},        {"arccos", "acos"},
               {"arctan", "atan"},      {"arctan2", "atan2"},      {"sgn", "sign"},
               {"pi", "pi without ()"}, {"power", "^ for a power"}};
  const char *known;
  ns_quotation shown = ns_quote(name, len, 0);
  if (meaning(p, name, len, -1).kind != NS_NAME_UNKNOWN)
    return ns_lex_fail(&p->x, pos, "\"%s\" is not a function, write * for a product", shown.text);
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (!strncmp(other[i].found, name, len) && !other[i].found[len])
      return ns_lex_fail(&p->x, pos, "unknown function \"%s\", write %s", shown.text,
                         other[i].write);
  ns_suggest s = ns_suggest_for(name, len);
  for (size_t i = 0; i < NFUNCTIONS; i++) ns_suggest_offer(&s, functions[i].name);
  for (int k = 0; p->scope && p->scope->offer && (known = p->scope->offer(p->scope->self, k)); k++)
    ns_suggest_offer(&s, known);
  if (s.best)
    return ns_lex_fail(&p->x, pos, "unknown function \"%s\", did you mean \"%s\"?", shown.text,
                       s.best);
  return ns_lex_fail(&p->x, pos, "unknown function \"%s\"", shown.text);
}

/* Numbers that a block of signals cannot have; of formulas that vary nothing is known here. */
static int check_constants(parser *p, size_t pos, const function *f, const ns_node *arg)
{
  double a, b;
  int is_wave = !strcmp(f->name, "pulse") || !strcmp(f->name, "pwm");
  if (is_wave && ns_graph_is_constant(p->g, arg[1], &a) && !(a > 0))
    return ns_lex_fail(&p->x, pos, "the period of %s is %g, expected more than 0", f->name, a);
  if (!strcmp(f->name, "deadzone") && ns_graph_is_constant(p->g, arg[1], &a) && a < 0)
    return ns_lex_fail(&p->x, pos, "the half width of deadzone is %g, expected 0 or more", a);
  if (!strcmp(f->name, "sat") && ns_graph_is_constant(p->g, arg[1], &a) &&
      ns_graph_is_constant(p->g, arg[2], &b) && a > b)
    return ns_lex_fail(&p->x, pos, "sat has the bounds %g and %g, expected the lower one first", a,
                       b);
  return 0;
}

/* The current token is "(". */
static ns_node call(parser *p, size_t pos, const char *name, size_t len)
{
  function of_model;
  const function *f = function_named(p, name, len, &of_model);
  ns_node arg[NS_ARGUMENTS_MAX] = {-1, -1, -1};
  if (!f) return unknown_function(p, pos, name, len);
  size_t open = p->x.pos + 1;
  ns_lex_next(&p->x);
  int n = 0;
  if (p->x.kind != ')') do {
      ns_node e = expression(p);
      if (e < 0) return -1;
      if (n < NS_ARGUMENTS_MAX) arg[n] = e;
      if (n < INT_MAX) n++;
    } while (accept(p, ','));
  if (p->x.kind != ')') {
    char what[64];
    snprintf(what, sizeof what, "\",\" or the \")\" for the \"(\" of column %zu", open);
    return ns_lex_expected(&p->x, what);
  }
  if (n != f->arguments)
    return ns_lex_fail(&p->x, pos, "%.*s takes %d argument%s, found %d", (int)len, name,
                       f->arguments, f->arguments == 1 ? "" : "s", n);
  if (f->make && check_constants(p, pos, f, arg)) return -1;
  ns_lex_next(&p->x);
  return checked(p, f->make ? f->make(p->g, arg)
                            : p->scope->call(p->scope->self, p->g, name, len, arg));
}

static ns_node unknown_name(parser *p, size_t pos, const char *name, size_t len, int subscript)
{
  char index[16] = "";
  ns_quotation shown = ns_quote(name, len, 0);
  if (subscript >= 0) snprintf(index, sizeof index, "[%d]", subscript);
  function of_model;
  if (subscript < 0 && function_named(p, name, len, &of_model))
    return ns_lex_fail(&p->x, pos, "%s is a function, expected \"(\" after it", shown.text);
  const char *near = NULL;
  if (p->scope && p->scope->suggest) near = p->scope->suggest(p->scope->self, name, len);
  if (near)
    return ns_lex_fail(&p->x, pos, "unknown name \"%s%s\", did you mean \"%s\"?", shown.text, index,
                       near);
  return ns_lex_fail(&p->x, pos, "unknown name \"%s%s\"", shown.text, index);
}

/* "[" expression "]" behind name: a whole number >= 0, to *subscript, or the entry of a vector, to
 * *entry; the other one is -1. */
static int subscripted(parser *p, const char *name, size_t len, int *subscript, ns_node *entry)
{
  size_t open = p->x.pos;
  double v;
  ns_lex_next(&p->x);
  ns_node e = expression(p);
  *subscript = -1;
  *entry = -1;
  if (e < 0) return -1;
  if (ns_graph_is_constant(p->g, e, &v)) {
    if (!(v >= 0 && v < INT_MAX && v == floor(v)))
      return ns_lex_fail(&p->x, open, "the subscript is %g, expected a whole number from 0", v);
    *subscript = (int)v;
  } else {
    int known = p->scope && p->scope->entry;
    *entry = known ? p->scope->entry(p->scope->self, p->g, name, len, e) : NS_NO_VECTOR;
    if (*entry == NS_NO_VECTOR)
      return ns_lex_fail(&p->x, open, "the subscript is not constant, expected a whole number");
    if (checked(p, *entry) < 0) return -1;
  }
  if (p->x.kind != ']') return ns_lex_expected(&p->x, "\"]\"");
  ns_lex_next(&p->x);
  return 0;
}

static ns_node named(parser *p)
{
  size_t pos = p->x.pos, len = p->x.size;
  const char *name = p->x.text + pos;
  int subscript = -1;
  ns_node entry = -1;
  ns_lex_next(&p->x);
  if (p->x.kind == '(') return call(p, pos, name, len);
  if (p->x.kind == '[' && subscripted(p, name, len, &subscript, &entry)) return -1;
  if (entry >= 0) return entry;
  if (subscript < 0 && len == 2 && !memcmp(name, "pi", 2))
    return checked(p, ns_graph_constant(p->g, 3.14159265358979323846));
  ns_name m = meaning(p, name, len, subscript);
  switch (m.kind) {
  case NS_NAME_CONSTANT: return checked(p, ns_graph_constant(p->g, m.value));
  case NS_NAME_VARIABLE: return checked(p, ns_graph_variable(p->g, m.bank, m.index));
  case NS_NAME_NODE: return m.node;
  default: return unknown_name(p, pos, name, len, subscript);
  }
}

static ns_node primary(parser *p)
{
  ns_node f;
  size_t open = p->x.pos + 1;
  switch (p->x.kind) {
  case NS_TOK_NUMBER:
    f = checked(p, ns_graph_constant(p->g, p->x.number));
    ns_lex_next(&p->x);
    return f;
  case NS_TOK_NAME: return named(p);
  case '(':
    ns_lex_next(&p->x);
    if ((f = expression(p)) < 0) return -1;
    if (accept(p, ')')) return f;
    char what[64];
    snprintf(what, sizeof what, "an operator or the \")\" for the \"(\" of column %zu", open);
    return ns_lex_expected(&p->x, what);
  default: return ns_lex_expected(&p->x, VALUE);
  }
}

static ns_node unary(parser *p)
{
  int sign = p->x.kind;
  ns_node f;
  if (sign == '-' || sign == '+' || sign == '!') {
    ns_lex_next(&p->x);
    if (enter(p) != NS_OK || (f = unary(p)) < 0) return -1;
    p->depth--;
    if (sign == '+') return f;
    return checked(p, ns_make1(p->g, sign == '-' ? NS_OP_NEG : NS_OP_NOT, f));
  }
  if ((f = primary(p)) < 0 || !accept(p, '^')) return f;
  ns_node exponent;
  if (enter(p) != NS_OK || (exponent = unary(p)) < 0) return -1;
  p->depth--;
  return checked(p, ns_make_power(p->g, f, exponent));
}

typedef struct infix {
  int kind, precedence;
  ns_op op;
  int swap; /* a > b is b < a */
} infix;

enum { OR = 1, AND, EQUAL, ORDER, SUM, PRODUCT };

static const infix *infix_of(int kind)
{
  static const infix list[] = {{'*', PRODUCT, NS_OP_MUL, 0},    {'+', SUM, NS_OP_ADD, 0},
                               {'-', SUM, NS_OP_SUB, 0},        {'/', PRODUCT, NS_OP_DIV, 0},
                               {'<', ORDER, NS_OP_LT, 0},       {'>', ORDER, NS_OP_LT, 1},
                               {NS_TOK_LE, ORDER, NS_OP_LE, 0}, {NS_TOK_GE, ORDER, NS_OP_LE, 1},
                               {NS_TOK_EQ, EQUAL, NS_OP_EQ, 0}, {NS_TOK_NE, EQUAL, NS_OP_NE, 0},
                               {NS_TOK_AND, AND, NS_OP_AND, 0}, {NS_TOK_OR, OR, NS_OP_OR, 0}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i].kind == kind) return &list[i];
  return NULL;
}

static ns_node binary(parser *p, int min)
{
  ns_node f = unary(p);
  int compared = 0;
  while (f >= 0) {
    const infix *o = infix_of(p->x.kind);
    if (!o || o->precedence < min) break;
    /* In C, a < b < c compares 0 or 1 with c: nobody who writes it here wants that. */
    if (o->precedence == ORDER && compared)
      return ns_lex_fail(&p->x, p->x.pos, "comparisons cannot be chained, write a < b && b < c");
    compared = o->precedence == ORDER;
    ns_lex_next(&p->x);
    ns_node right = binary(p, o->precedence + 1);
    if (right < 0) return -1;
    f = checked(p, o->swap ? ns_make2(p->g, o->op, right, f) : ns_make2(p->g, o->op, f, right));
  }
  return f;
}

static ns_node expression(parser *p)
{
  if (enter(p) != NS_OK) return -1;
  ns_node f = binary(p, OR);
  if (f >= 0 && accept(p, '?')) {
    ns_node yes = expression(p), no;
    if (yes < 0) return -1;
    if (!accept(p, ':')) return ns_lex_expected(&p->x, "\":\" of a ? b : c");
    if ((no = expression(p)) < 0) return -1;
    f = checked(p, ns_make_select(p->g, f, yes, no));
  }
  p->depth--;
  return f;
}

/* The current token is the comma of 9,81. */
static int decimal_comma(const ns_lexer *x)
{
  size_t k = x->pos;
  return x->kind == ',' && k > 0 && isdigit((unsigned char)x->text[k - 1]) && k + 1 < x->len &&
         isdigit((unsigned char)x->text[k + 1]);
}

int ns_graph_parse(ns_graph *g, ns_ctx *c, const char *at, const char *text, size_t len,
                   const ns_scope *scope, ns_node *out)
{
  parser p = {.g = g, .scope = scope};
  *out = -1;
  ns_lex_begin(&p.x, c, at, text, len, scope && scope->suffixes);
  ns_node f = p.x.rc == NS_OK ? expression(&p) : -1;
  if (f >= 0 && p.x.kind != NS_TOK_END) {
    int value = p.x.kind == NS_TOK_NUMBER || p.x.kind == NS_TOK_NAME || p.x.kind == '(';
    ns_lex_expected(&p.x, value                 ? "an operator (* for a product) or the end"
                          : decimal_comma(&p.x) ? "a decimal point"
                                                : "an operator or the end");
  }
  if (p.x.rc != NS_OK) return p.x.rc;
  *out = f;
  return NS_OK;
}
