/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle.h -- random formulas, and their values and derivatives found another way.
 *
 * The oracle reads the text afresh each time, one function per level of precedence, and computes
 * with libm as it goes. Derivatives come by the complex step (Squire & Trapp 1998): f' =
 * Im f(x + ih)/h with h = 1e-150, which has no truncation and no cancellation error. Where a
 * function has no complex form (|x|, min, ...) its branch is taken by the real value. */
#ifndef TESTS_EXPRESSION_ORACLE_H
#define TESTS_EXPRESSION_ORACLE_H

#include "expression/fixture.h"

#include <complex.h>
#include <ctype.h>
#include <stdio.h>
#undef I
#define STEP 1e-150

/* ---- random texts over x0..x3 and k ---------------------------------------------------------- */

typedef struct gen {
  unsigned long long seed;
  char text[8192];
  size_t len;
} gen;

static void put(gen *g, const char *s) { g->len += (size_t)sprintf(g->text + g->len, "%s", s); }

static void gen_any(gen *g, int depth);

static void gen_leaf(gen *g)
{
  char s[32];
  unsigned r = rnd(&g->seed) % 8;
  if (r < 5) snprintf(s, sizeof s, "x%u", rnd(&g->seed) % 4);
  else if (r == 5) snprintf(s, sizeof s, "k");
  else snprintf(s, sizeof s, "%u.%u", rnd(&g->seed) % 4, rnd(&g->seed) % 100);
  put(g, s);
}

static void gen_paren(gen *g, int depth)
{
  put(g, "(");
  gen_any(g, depth);
  put(g, ")");
}

static void gen_call(gen *g, int depth)
{
#define CALL_ROW(name, n, help) {#name, n},
  static const struct {
    const char *name;
    int n;
  } f[] = {NS_FUNCTION_LIST(CALL_ROW)};
  unsigned i = rnd(&g->seed) % (sizeof f / sizeof *f);
  put(g, f[i].name);
  for (int k = 0; k < f[i].n; k++) {
    put(g, k ? ", " : "(");
    gen_any(g, depth);
  }
  put(g, ")");
}

static void gen_any(gen *g, int depth)
{
  static const char *const binary[] = {"+", "-", "*", "/", " + ", " - ", " * ", "/"};
  static const char *const compare[] = {"<", " <= ", ">", ">=", "==", " != ", "&&", " || "};
  static const char *const power[] = {"^2",   "^3",  "^-1", "^0.5",   "^1.5", "^-2",
                                      "^2.5", "^17", "^x1", "^2^0.5", "^0"};
  unsigned r = depth > 0 ? rnd(&g->seed) % 20 : 0;
  if (r < 2) gen_leaf(g);
  else if (r < 11) { /* no parentheses of its own: precedence decides */ gen_any(g, depth - 1);
    put(g, binary[rnd(&g->seed) % 8]);
    gen_any(g, depth - 1);
  } else if (r < 13) put(g, "-"), gen_any(g, depth - 1);
  else if (r < 14) gen_paren(g, depth - 1);
  else if (r < 16) gen_paren(g, depth - 1), put(g, power[rnd(&g->seed) % 11]);
  else if (r < 17) {
    put(g, "((");
    gen_any(g, depth - 1);
    put(g, ")");
    put(g, compare[rnd(&g->seed) % 8]);
    gen_paren(g, depth - 1);
    put(g, rnd(&g->seed) % 2 ? " ? " : "?");
    gen_any(g, depth - 1);
    put(g, " : ");
    gen_any(g, depth - 1);
    put(g, ")");
  } else gen_call(g, depth - 1);
}

static inline const char *gen_formula(gen *g, int depth)
{
  g->len = 0;
  gen_any(g, depth);
  return g->text;
}

/* ---- the oracle ------------------------------------------------------------------------------ */

typedef struct number {
  double v;         /* real arithmetic */
  double complex z; /* the complex step */
} number;

typedef struct oracle {
  const char *p;
  int step;       /* variable that has the step */
  double largest; /* of all intermediate values and derivatives; inf where one is not finite, or
                     where the slope is (roots at 0) */
  int powers;     /* x^y occurred: values agree to rounding only */
} oracle;

static number o_expression(oracle *o);

static void blanks(oracle *o)
{
  while (*o->p == ' ') o->p++;
}

static int took(oracle *o, const char *s)
{
  blanks(o);
  size_t n = strlen(s);
  if (strncmp(o->p, s, n)) return 0;
  o->p += n;
  return 1;
}

static number noted(oracle *o, double v, double complex z)
{
  double d = fabs(cimag(z) / STEP), m = fabs(v) > d ? fabs(v) : d;
  if (!isfinite(v) || !isfinite(d)) m = INFINITY;
  if (m > o->largest) o->largest = m;
  return (number){v, z};
}

static number o_power(oracle *o, number a, number b)
{
  o->powers = 1;
  if (cimag(b.z) == 0 && b.v == floor(b.v) && fabs(b.v) <= 64) {
    double complex z = 1;
    for (int i = 0; i < fabs(b.v); i++) z *= a.z;
    return noted(o, pow(a.v, b.v), b.v < 0 ? 1 / z : z);
  }
  if (a.v == 0) o->largest = INFINITY;
  return noted(o, pow(a.v, b.v), cexp(b.z * clog(a.z)));
}

/* v + i slope, also where slope is infinite, as CMPLX of C11, which clang 14 has not. */
static double complex with_slope(double v, double slope)
{
  return (union {
           double parts[2];
           double complex z;
         }){.parts = {v, slope}}
      .z;
}

static number o_call(oracle *o, const char *f, size_t n)
{
  number a = {0}, b = {0}, c = {0};
  took(o, "(");
  a = o_expression(o);
  if (took(o, ",")) b = o_expression(o);
  if (took(o, ",")) c = o_expression(o);
  took(o, ")");
  double da = cimag(a.z), db = cimag(b.z), s = a.v < 0 ? -1 : 1;
  int root = (n == 4 && (!strncmp(f, "sqrt", 4) || !strncmp(f, "cbrt", 4))) ||
             !strncmp(f, "hypot", n);
  if (root && a.v == 0 && b.v == 0) o->largest = INFINITY;
#define IS(name) (n == strlen(name) && !strncmp(f, name, n))
  if (IS("sin")) return noted(o, sin(a.v), csin(a.z));
  if (IS("cos")) return noted(o, cos(a.v), ccos(a.z));
  if (IS("tan")) return noted(o, tan(a.v), ctan(a.z));
  if (IS("asin")) return noted(o, asin(a.v), with_slope(asin(a.v), da / sqrt(1 - a.v * a.v)));
  if (IS("acos")) return noted(o, acos(a.v), with_slope(acos(a.v), -da / sqrt(1 - a.v * a.v)));
  if (IS("atan")) return noted(o, atan(a.v), catan(a.z));
  if (IS("atan2")) {
    double q = a.v * a.v + b.v * b.v;
    return noted(o, atan2(a.v, b.v), with_slope(atan2(a.v, b.v), da * (b.v / q) - db * (a.v / q)));
  }
  if (IS("sinh")) return noted(o, sinh(a.v), csinh(a.z));
  if (IS("cosh")) return noted(o, cosh(a.v), ccosh(a.z));
  if (IS("tanh")) return noted(o, tanh(a.v), ctanh(a.z));
  if (IS("exp")) return noted(o, exp(a.v), cexp(a.z));
  if (IS("log")) return noted(o, log(a.v), clog(a.z));
  if (IS("log10")) return noted(o, log10(a.v), clog(a.z) / log(10));
  if (IS("sqrt")) return noted(o, sqrt(a.v), csqrt(a.z));
  if (IS("cbrt")) return noted(o, cbrt(a.v), s * cexp(clog(s * a.z) / 3));
  if (IS("abs")) return noted(o, fabs(a.v), s * a.z);
  if (IS("sign")) return noted(o, (a.v > 0) - (a.v < 0), (a.v > 0) - (a.v < 0));
  if (IS("step")) return noted(o, a.v >= 0, a.v >= 0);
  if (IS("floor")) return noted(o, floor(a.v), floor(a.v));
  if (IS("ceil")) return noted(o, ceil(a.v), ceil(a.v));
  if (IS("mod")) {
    double r = fmod(a.v, b.v);
    if (r != 0 && (r < 0) != (b.v < 0)) r += b.v;
    return noted(o, r, a.z - round((a.v - r) / b.v) * b.z);
  }
  if (IS("min")) return a.v <= b.v ? a : b;
  if (IS("max")) return a.v >= b.v ? a : b;
  if (IS("hypot")) return noted(o, hypot(a.v, b.v), csqrt(a.z * a.z + b.z * b.z));
  if (IS("pow")) return o_power(o, a, b);
  if (IS("erf"))
    return noted(o, erf(a.v), with_slope(erf(a.v), da * 2 / sqrt(acos(-1)) * exp(-a.v * a.v)));
  if (IS("if")) return a.v != 0 ? b : c;
  ck_abort_msg("the oracle does not know %.*s", (int)n, f);
}

static number o_primary(oracle *o)
{
  blanks(o);
  if (took(o, "(")) {
    number a = o_expression(o);
    took(o, ")");
    return a;
  }
  if (isdigit((unsigned char)*o->p)) {
    char *end;
    double v = strtod(o->p, &end);
    o->p = end;
    return (number){v, v};
  }
  const char *name = o->p;
  while (isalnum((unsigned char)*o->p)) o->p++;
  if (*o->p == '(') return o_call(o, name, (size_t)(o->p - name));
  if (*name == 'k') return (number){10, 10};
  int i = name[1] - '0';
  return noted(o, F.x[i], with_slope(F.x[i], i == o->step ? STEP : 0));
}

static number o_unary(oracle *o)
{
  if (took(o, "-")) {
    number a = o_unary(o);
    return (number){-a.v, -a.z};
  }
  number a = o_primary(o);
  return took(o, "^") ? o_power(o, a, o_unary(o)) : a;
}

static number o_product(oracle *o)
{
  number a = o_unary(o);
  for (;;) {
    int times = took(o, "*");
    if (!times && !took(o, "/")) return a;
    number b = o_unary(o);
    a = times ? noted(o, a.v * b.v, a.z * b.z) : noted(o, a.v / b.v, a.z / b.z);
  }
}

static number o_sum(oracle *o)
{
  number a = o_product(o);
  for (;;) {
    int plus = took(o, "+");
    if (!plus && !took(o, "-")) return a;
    number b = o_product(o);
    a = plus ? noted(o, a.v + b.v, a.z + b.z) : noted(o, a.v - b.v, a.z - b.z);
  }
}

/* The generator puts comparisons in parentheses: one level is enough. */
static number o_relation(oracle *o)
{
  number a = o_sum(o), b;
  double v;
  if (took(o, "<=")) b = o_sum(o), v = a.v <= b.v;
  else if (took(o, ">=")) b = o_sum(o), v = a.v >= b.v;
  else if (took(o, "==")) b = o_sum(o), v = a.v == b.v;
  else if (took(o, "!=")) b = o_sum(o), v = a.v != b.v;
  else if (took(o, "&&")) b = o_sum(o), v = a.v != 0 && b.v != 0;
  else if (took(o, "||")) b = o_sum(o), v = a.v != 0 || b.v != 0;
  else if (took(o, "<")) b = o_sum(o), v = a.v < b.v;
  else if (took(o, ">")) b = o_sum(o), v = a.v > b.v;
  else return a;
  return (number){v, v};
}

static number o_expression(oracle *o)
{
  number a = o_relation(o);
  if (!took(o, "?")) return a;
  number b = o_expression(o);
  took(o, ":");
  number c = o_expression(o);
  return a.v != 0 ? b : c;
}

#endif
