/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- a formula as text, for messages. */
#include "expression/freeze.h"
#include "expression/graph.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 12, CAPACITY = 24 }; /* ROOM: of a name */

typedef struct writer {
  const ns_graph *g;
  ns_variable_name *name;
  void *to;
  char *buf;
  size_t size, at;
} writer;

static void put(writer *w, const char *text)
{
  size_t n = strlen(text);
  if (w->at + n >= w->size) n = w->size - 1 - w->at;
  memcpy(w->buf + w->at, text, n);
  w->at += n;
  w->buf[w->at] = '\0';
}

/* The sign between two operands, NULL: it is a function. *binds: how strongly. */
static const char *infix(ns_op op, int *binds)
{
  static const struct {
    ns_op op;
    int binds;
    const char *sign;
  } list[] = {{NS_OP_OR, 1, " || "}, {NS_OP_AND, 2, " && "}, {NS_OP_EQ, 3, " == "},
              {NS_OP_NE, 3, " != "}, {NS_OP_LT, 3, " < "},   {NS_OP_LE, 3, " <= "},
              {NS_OP_ADD, 4, " + "}, {NS_OP_SUB, 4, " - "},  {NS_OP_MUL, 5, "*"},
              {NS_OP_CHAIN, 5, "*"}, {NS_OP_DIV, 5, "/"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (list[k].op == op) {
      *binds = list[k].binds;
      return list[k].sign;
    }
  return NULL;
}

static const char *function(ns_op op)
{
  static const struct {
    ns_op op;
    const char *name;
  } list[] = {
      {NS_OP_SIN, "sin"},     {NS_OP_COS, "cos"},     {NS_OP_TAN, "tan"},   {NS_OP_ASIN, "asin"},
      {NS_OP_ACOS, "acos"},   {NS_OP_ATAN, "atan"},   {NS_OP_SINH, "sinh"}, {NS_OP_COSH, "cosh"},
      {NS_OP_TANH, "tanh"},   {NS_OP_EXP, "exp"},     {NS_OP_LOG, "log"},   {NS_OP_LOG10, "log10"},
      {NS_OP_SQRT, "sqrt"},   {NS_OP_CBRT, "cbrt"},   {NS_OP_ERF, "erf"},   {NS_OP_ABS, "abs"},
      {NS_OP_SIGN, "sign"},   {NS_OP_FLOOR, "floor"}, {NS_OP_CEIL, "ceil"}, {NS_OP_FMOD, "mod"},
      {NS_OP_MIN, "min"},     {NS_OP_MAX, "max"},     {NS_OP_POW, "pow"},   {NS_OP_ATAN2, "atan2"},
      {NS_OP_HYPOT, "hypot"}, {NS_OP_SELECT, "if"},   {NS_OP_MIX, "if"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (list[k].op == op) return list[k].name;
  return "f";
}

static void put_node(writer *w, ns_node f, int outer, int depth);

static void put_leaf(writer *w, const ns_term *t)
{
  char text[CAPACITY + 8] = "";
  if (t->op == NS_OP_CONST) snprintf(text, sizeof text, "%.6g", t->value);
  else w->name(w->to, t->arg[0], t->arg[1], text, sizeof text);
  put(w, text);
}

/* The argument of a table by whose piece t is chosen, with what is done to the number of that
 * piece; -1: there is none. */
static ns_node argument_of(const ns_graph *g, ns_node f)
{
  const ns_term *t = &g->term[f];
  while (t->op != NS_OP_POSITION && t->op != NS_OP_PIECE && t->op != NS_OP_SLOPE) {
    if (t->op != NS_OP_ENTRY && t->op != NS_OP_FLOOR && t->op != NS_OP_ADD && t->op != NS_OP_MUL)
      return -1;
    int sum = t->op == NS_OP_ADD || t->op == NS_OP_MUL;
    t = &g->term[t->arg[sum && g->term[t->arg[0]].op == NS_OP_CONST]];
  }
  return t->arg[0];
}

/* A table is written as the formula has it: lift(phi), whichever part of it this is. */
static int put_table(writer *w, const ns_term *t, int depth)
{
  int at_handle = ns_op_arity(t->op) - 1;
  if (t->op != NS_OP_POSITION && t->op != NS_OP_PIECE && t->op != NS_OP_SLOPE &&
      t->op != NS_OP_ENTRY)
    return 0;
  put(w, ns_lookup_name(w->g->term[t->arg[at_handle]].value));
  ns_node x = t->op == NS_OP_ENTRY ? argument_of(w->g, t->arg[0]) : t->arg[0],
          y = t->op == NS_OP_ENTRY ? argument_of(w->g, t->arg[1]) : -1;
  if (x < 0) return 1;
  put(w, "(");
  put_node(w, x, 0, depth + 1);
  if (y >= 0) put(w, ", ");
  if (y >= 0) put_node(w, y, 0, depth + 1);
  put(w, ")");
  return 1;
}

static void put_node(writer *w, ns_node f, int outer, int depth)
{
  const ns_term *t = &w->g->term[f];
  int binds = 0, n = ns_term_operands(t);
  const char *sign = infix(t->op, &binds);
  if (depth > DEEPEST || w->at + 4 >= w->size) {
    put(w, "...");
  } else if (t->op == NS_OP_CONST || t->op == NS_OP_VAR) {
    put_leaf(w, t);
  } else if (put_table(w, t, depth)) {
    return;
  } else if (sign) {
    if (binds < outer) put(w, "(");
    put_node(w, t->arg[0], binds, depth + 1);
    put(w, sign);
    put_node(w, t->arg[1], binds + 1, depth + 1);
    if (binds < outer) put(w, ")");
  } else if (t->op == NS_OP_NEG || t->op == NS_OP_NOT) {
    put(w, t->op == NS_OP_NEG ? "-" : "!");
    put_node(w, t->arg[0], 6, depth + 1);
  } else {
    put(w, function(t->op));
    for (int k = 0; k < n; k++) {
      put(w, k ? ", " : "(");
      put_node(w, t->arg[k], 0, depth + 1);
    }
    put(w, ")");
  }
}

const char *ns_graph_text(const ns_graph *g, ns_node f, ns_variable_name *name, void *to, char *buf,
                          size_t size)
{
  writer w = {.g = g, .name = name, .to = to, .buf = buf, .size = size};
  buf[0] = '\0';
  put_node(&w, f, 0, 0);
  if (w.at + 4 >= size) memcpy(buf + size - 4, "...", 4);
  return buf;
}
