/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.c -- a tape as C source: what a compiler makes of it is two to ten times as fast.
 *
 * The text of each operation is the one the interpreter was compiled from (op.h) with its
 * operands in place of a, b, c, so the results are the same bits. But a compiler computes a
 * function of a constant by itself, and rounds it better than the C library does: where a branch
 * ends in a constant it can do so after all folding here. Functions that are not exact are
 * therefore called by volatile pointers. */
#include "expression/op.h"
#include "expression/tape.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* 17 digits, which is every bit, and a decimal point whatever the locale's is. */
static void number(double value, FILE *to)
{
  char text[64];
  if (!isfinite(value)) {
    fputs(isnan(value) ? "(0.0 / 0.0)" : value > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)", to);
    return;
  }
  snprintf(text, sizeof text, "%.17g", value);
  /* Before and after the point; the bytes between are not part of a number. */
  size_t whole = strspn(text, "-0123456789");
  const char *rest = text + whole + strcspn(text + whole, "0123456789e");
  const char *point = *rest == 'e' ? "" : ".";
  fprintf(to, signbit(value) ? "(%.*s%s%s)" : "%.*s%s%s", (int)whole, text, point, rest);
}

/* Variables are v, results w, constants are written out. */
static void operand(const ns_tape *t, uint32_t s, FILE *to)
{
  uint32_t nv = (uint32_t)t->nvariables, nc = (uint32_t)t->nconstants;
  if (s < nv) fprintf(to, "v%" PRIu32, s);
  else if (s < nv + nc) number(t->constant[s - nv], to);
  else fprintf(to, "w%" PRIu32, s - nv - nc);
}

static size_t name_length(const char *p)
{
  size_t n = 0;
  while (isalnum((unsigned char)p[n])) n++;
  return n;
}

/* Exact functions, which compilers make instructions of. */
static int is_exact(const char *name, size_t n)
{
  static const char *const exact[] = {"fabs", "sqrt", "floor", "ceil", "fmod"};
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
    if (n == strlen(exact[i]) && !memcmp(name, exact[i], n)) return 1;
  return 0;
}

static void expression_of(const ns_tape *t, const char *text, const uint32_t slot[3], FILE *to)
{
  for (const char *p = text; *p;) {
    size_t n = name_length(p);
    if (n == 1 && *p >= 'a' && *p <= 'c') operand(t, slot[*p - 'a'], to);
    else {
      if (n && p[n] == '(' && !is_exact(p, n)) fputs("call_", to);
      fwrite(p, 1, n ? n : 1, to);
    }
    p += n ? n : 1;
  }
}

static const char *text_of(ns_op op)
{
  switch (op) {
#define TEXT(name, n, expression) case NS_OP_##name: return #expression;
    NS_OPERATION_LIST(TEXT)
  case NS_OP_SINCOS: return "sincos(a"; /* then where to put the results */
  default: return "0.0";
  }
}

/* The pointers that the code calls by, each once. */
static void pointers(const ns_tape *t, FILE *to)
{
  unsigned char done[NS_OP_END + 1] = {0};
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) {
    ns_op op = ns_op_base(i->op);
    const char *text = text_of(op);
    size_t n = name_length(text);
    if (done[op]++ || n < 2 || text[n] != '(' || is_exact(text, n)) continue;
    const char *arguments = op == NS_OP_SINCOS     ? "double, double *, double *"
                            : ns_op_arity(op) == 2 ? "double, double"
                                                   : "double";
    fprintf(to, "  static %s (*const volatile call_%.*s)(%s) = %.*s;\n",
            op == NS_OP_SINCOS ? "void" : "double", (int)n, text, arguments, (int)n, text);
  }
}

static void statement(const ns_tape *t, const ns_instruction *i, uint32_t *w, FILE *to)
{
  const uint32_t slot[3] = {i->a, i->b, i->c};
  if (i->op == NS_OP_SINCOS) {
    fprintf(to, "  double w%" PRIu32 ", w%" PRIu32 ";\n  ", *w, *w + 1);
    expression_of(t, text_of(NS_OP_SINCOS), slot, to);
    fprintf(to, ", &w%" PRIu32 ", &w%" PRIu32 ");\n", *w, *w + 1);
    *w += 2;
    return;
  }
  fprintf(to, "  const double w%" PRIu32 " = ", (*w)++);
  expression_of(t, text_of(ns_op_base(i->op)), slot, to);
  fputs(";\n", to);
}

int ns_tape_emit_c(const ns_tape *t, const char *function_name, FILE *to)
{
  uint32_t w = 0;
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++)
    if (i->op == NS_OP_POSITION || i->op == NS_OP_PIECE || i->op == NS_OP_SLOPE ||
        i->op == NS_OP_ENTRY)
      return NS_USAGE;
  fprintf(to,
          "/* Compile with -O2 -ffp-contract=off. */\n#include <math.h>\n\n"
          "void sincos(double, double *, double *); /* math.h may hide it */\n"
          "void %s(const double *const *bank, double *out);\n"
          "void %s(const double *const *bank, double *out)\n{\n",
          function_name, function_name);
  pointers(t, to);
  if (!t->nvariables) fputs("  (void)bank;\n", to);
  if (!t->noutputs) fputs("  (void)out;\n", to);
  for (int i = 0; i < t->nvariables; i++)
    fprintf(to, "  const double v%d = bank[%d][%d];\n", i, t->variable[i].bank,
            t->variable[i].index);
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) statement(t, i, &w, to);
  for (int k = 0; k < t->noutputs; k++) {
    fprintf(to, "  out[%d] = ", k);
    operand(t, t->output[k], to);
    fputs(";\n", to);
  }
  fputs("}\n", to);
  return fflush(to) == 0 && !ferror(to) ? NS_OK : NS_OUTPUT;
}
