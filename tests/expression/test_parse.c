/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/fixture.h"

START_TEST(values_of_closed_formulas)
{
  static const struct {
    const char *text;
    double value;
  } row[] = {{"1", 1},
             {".5", .5},
             {"5.", 5},
             {"1.5e3", 1500},
             {"1E-2", .01},
             {"1e+2", 100},
             {"9.8100000000000005", 9.81},
             {"0.1", 0.1},
             {"4.9406564584124654e-324", 4.9406564584124654e-324},
             {"1.7976931348623157e308", 1.7976931348623157e308},
             {"1+2*3", 7},
             {"(1+2)*3", 9},
             {"2-3-4", -5},
             {"24/4/3", 2},
             {"2^3^2", 512},
             {"-3^2", -9},
             {"2^-2", .25},
             {"--3", 3},
             {"+3", 3},
             {"-2*-3", 6},
             {"2*-3", -6},
             {"-2^-2", -.25},
             {"1<2", 1},
             {"2<1", 0},
             {"2<=2", 1},
             {"3>2", 1},
             {"2>=3", 0},
             {"1==1", 1},
             {"1!=1", 0},
             {"1&&0", 0},
             {"1||0", 1},
             {"!0", 1},
             {"!3", 0},
             {"!0+1", 2},
             {"1+1==2 && 3>2", 1},
             {"0 || 1 && 0", 0},
             {"1 ? 2 : 3", 2},
             {"0 ? 2 : 0 ? 3 : 4", 4},
             {"1 ? 0 ? 5 : 6 : 7", 6},
             {"1<2 == 2<3", 1},
             {"pi", 3.14159265358979323846},
             {"sin(pi/6)*2", 0.99999999999999989},
             {"atan2(1, -1)", 2.3561944901923448},
             {"if(1>2, 3, 4)", 4},
             {"pow(2, 10)", 1024},
             {"mod(7, 3)", 1},
             {"mod(-7, 3)", 2},
             {"mod(7, -3)", -2},
             {"mod(-7, -3)", -1},
             {"mod(6, 3)", 0},
             {"min(2, 3)", 2},
             {"max(2, 3)", 3},
             {"hypot(3, 4)", 5},
             {"cbrt(-1)", -1},
             {"sign(-2)", -1},
             {"sign(0)", 0},
             {"step(0)", 1},
             {"step(-1)", 0},
             {"floor(-1.5)", -2},
             {"ceil(-1.5)", -1},
             {"abs(-2)", 2},
             {"log10(1000)", 3},
             {"exp(0)", 1},
             {"erf(0)", 0},
             {"10^-3", .001},
             {"\n\t 2 *\r\n 3 ", 6},
             {"2(", 0}};
  for (size_t i = 0; row[i].text[1] != '('; i++) {
    double v;
    ck_assert_msg(ns_graph_is_constant(F.g, parse(row[i].text), &v), "%s", row[i].text);
    ck_assert_msg(v == row[i].value, "%s = %.17g, not %.17g", row[i].text, v, row[i].value);
  }
}
END_TEST

/* The same through a tape: every constant is a variable, so nothing is folded. */
START_TEST(values_of_formulas_in_variables)
{
  static const struct {
    const char *text;
    double value;
  } row[] = {{"x0 + x1", 5},
             {"x0 - x1", -1},
             {"x0*x1 + x2", 10},
             {"x2 - x0*x1", -2},
             {"x0*x1 - x2", 2},
             {"x0^3", 8},
             {"x0^7", 128},
             {"x0^-2", .25},
             {"x2^0.5", 2},
             {"x2^1.5", 8},
             {"x2^-1.5", .125},
             {"x2^-0.5", .5},
             {"x0^0", 1},
             {"x0^x1", 8},
             {"x0 < x1 ? x2 : x3", 4},
             {"x0 > x1 ? x2 : x3", 5},
             {"mod(-x2, x1)", 2},
             {"mod(x2, -x1)", -2},
             {"mod(x3, x0)", 1},
             {"mod(-x3, 3)", 1},
             {"max(x0, x1)*min(x0, x1)", 6},
             {"sign(-x0)", -1},
             {"step(x0 - 2)", 1},
             {"!x0", 0},
             {"x0 && x1 || x2", 1},
             {"(x0 > 1) + (x0 < 1) + (x0 >= 2) + (x0 <= 2)", 3},
             {"a.b + a.b_2", 0.75},
             {"v[0] + v[2]*v[1+0]", 130},
             {"k*x0", 20},
             {"step + if(step, 1, 2)", 8},
             {NULL, 0}};
  for (size_t i = 0; row[i].text; i++) {
    double v = value(parse(row[i].text));
    ck_assert_msg(v == row[i].value, "%s = %.17g, not %.17g", row[i].text, v, row[i].value);
  }
}
END_TEST

/* A bad text gives this sentence, word for word. */
START_TEST(errors_are_sentences)
{
  static const struct {
    const char *text, *message;
  } row[] = {
      {"", "m.xml:3: <fInt>: in \"\", column 1: found the end, expected a number, a name or \"(\""},
      {"x0 + * k", "m.xml:3: <fInt>: in \"x0 + * k\", column 6: found \"*\", expected a number, a "
                   "name or \"(\""},
      {"(k + 2", "m.xml:3: <fInt>: in \"(k + 2\", column 7: found the end, expected an operator or "
                 "the \")\" for the \"(\" of column 1"},
      {"k + 2)",
       "m.xml:3: <fInt>: in \"k + 2)\", column 6: found \")\", expected an operator or the end"},
      {"2 k", "m.xml:3: <fInt>: in \"2 k\", column 3: found \"k\", expected an operator (* for a "
              "product) or the end"},
      {"2k", "m.xml:3: <fInt>: in \"2k\", column 2: found \"k\", expected an operator (* for a "
             "product) or the end"},
      {"1/2 3 4", "m.xml:3: <fInt>: in \"1/2 3 4\", column 5: found \"3\", expected an operator (* "
                  "for a product) or the end"},
      {"1.2.3", "m.xml:3: <fInt>: in \"1.2.3\", column 4: found \".3\", expected an operator (* "
                "for a product) or the end"},
      {"1e", "m.xml:3: <fInt>: in \"1e\", column 1: no digits follow \"e\" in a number"},
      {"k + 1e400", "m.xml:3: <fInt>: in \"k + 1e400\", column 5: 1e400 is too large, the largest "
                    "number is 1.8e308"},
      {"inf", "m.xml:3: <fInt>: in \"inf\", column 1: unknown name \"inf\""},
      {"nan", "m.xml:3: <fInt>: in \"nan\", column 1: unknown name \"nan\""},
      {"0x10", "m.xml:3: <fInt>: in \"0x10\", column 2: found \"x10\", expected an operator (* for "
               "a product) or the end"},
      {"2*stpe",
       "m.xml:3: <fInt>: in \"2*stpe\", column 3: unknown name \"stpe\", did you mean \"step\"?"},
      {"v[7]", "m.xml:3: <fInt>: in \"v[7]\", column 1: unknown name \"v[7]\""},
      {"v[k]x", "m.xml:3: <fInt>: in \"v[k]x\", column 1: unknown name \"v[10]\""},
      {"v[x0]", "m.xml:3: <fInt>: in \"v[x0]\", column 2: the subscript is not constant, expected "
                "a whole number"},
      {"v[-1]", "m.xml:3: <fInt>: in \"v[-1]\", column 2: the subscript is -1, expected a whole "
                "number from 0"},
      {"v[1.5]", "m.xml:3: <fInt>: in \"v[1.5]\", column 2: the subscript is 1.5, expected a whole "
                 "number from 0"},
      {"v[1", "m.xml:3: <fInt>: in \"v[1\", column 4: found the end, expected \"]\""},
      {"sinn(1)", "m.xml:3: <fInt>: in \"sinn(1)\", column 1: unknown function \"sinn\", did you "
                  "mean \"sin\"?"},
      {"Sin(1)",
       "m.xml:3: <fInt>: in \"Sin(1)\", column 1: unknown function \"Sin\", did you mean \"sin\"?"},
      {"laplace(1)", "m.xml:3: <fInt>: in \"laplace(1)\", column 1: unknown function \"laplace\""},
      {"k(1)",
       "m.xml:3: <fInt>: in \"k(1)\", column 1: \"k\" is not a function, write * for a product"},
      {"sin", "m.xml:3: <fInt>: in \"sin\", column 1: sin is a function, expected \"(\" after it"},
      {"1+sin()", "m.xml:3: <fInt>: in \"1+sin()\", column 3: sin takes 1 argument, found 0"},
      {"atan2(1)", "m.xml:3: <fInt>: in \"atan2(1)\", column 1: atan2 takes 2 arguments, found 1"},
      {"if(1,2,3,4)",
       "m.xml:3: <fInt>: in \"if(1,2,3,4)\", column 1: if takes 3 arguments, found 4"},
      {"sin(1", "m.xml:3: <fInt>: in \"sin(1\", column 6: found the end, expected \",\" or the "
                "\")\" for the \"(\" of column 4"},
      {"sin(1,)", "m.xml:3: <fInt>: in \"sin(1,)\", column 7: found \")\", expected a number, a "
                  "name or \"(\""},
      {"k ? 1",
       "m.xml:3: <fInt>: in \"k ? 1\", column 6: found the end, expected \":\" of a ? b : c"},
      {"1 < k < 3", "m.xml:3: <fInt>: in \"1 < k < 3\", column 7: comparisons cannot be chained, "
                    "write a < b && b < c"},
      {"k = 3", "m.xml:3: <fInt>: in \"k = 3\", column 3: found \"=\", write == to compare, or "
                "the value alone"},
      {"k & 3", "m.xml:3: <fInt>: in \"k & 3\", column 3: found \"&\", write &&"},
      {"k**3", "m.xml:3: <fInt>: in \"k**3\", column 2: found \"**\", write ^ for a power"},
      {"k; 3",
       "m.xml:3: <fInt>: in \"k; 3\", column 2: found \";\", which a formula cannot contain"},
      {"2\xC2\xB7k", "m.xml:3: <fInt>: in \"2\xC2\xB7k\", column 2: found \"\xC2\xB7\", write *"},
      {"\xCE\xB8 + 1", "m.xml:3: <fInt>: in \"\xCE\xB8 + 1\", column 1: found \"\xCE\xB8\", write "
                       "theta: names have letters, digits and _"},
      {"1 + \xFF\xFE", "m.xml:3: <fInt>: in \"1 + \\xFF\\xFE\", column 5: found \"\\xFF\", which a "
                       "formula cannot contain"},
      {"\n\tk +\n\t\x01", "m.xml:3: <fInt>: in \"k +  \\x01\", column 6: found \"\\x01\", which a "
                          "formula cannot contain"},
      {"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+# "
       "+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
       "m.xml:3: <fInt>: in \"...1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+# "
       "+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1...\", column 61: found \"#\", which a formula cannot "
       "contain"},
      {NULL, NULL}};
  for (size_t i = 0; row[i].text; i++) {
    ns_node f;
    ns_ctx c = {0};
    int rc = ns_graph_parse(F.g, &c, "m.xml:3: <fInt>", row[i].text, strlen(row[i].text), &F.scope,
                            &f);
    ck_assert_msg(rc == NS_MODEL, "%s: rc %d", row[i].text, rc);
    ck_assert_int_lt(f, 0);
    ck_assert_int_eq(c.nerrors, 1);
    ck_assert_str_eq(c.msg, row[i].message);
  }
}
END_TEST

START_TEST(a_nul_byte_is_found)
{
  ns_node f;
  ns_ctx c = {0};
  ck_assert_int_eq(ns_graph_parse(F.g, &c, "m",
                                  "1+\0"
                                  "2",
                                  4, &F.scope, &f),
                   NS_MODEL);
  ck_assert_str_eq(c.msg,
                   "m: in \"1+\\x002\", column 3: found \"\\x00\", which a formula cannot contain");
}
END_TEST

/* Only text[0..len) is read, also in the middle of a number or a name. */
START_TEST(the_length_ends_the_text)
{
  ns_node f;
  double v;
  ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "m", "12345", 2, NULL, &f), NS_OK);
  ck_assert(ns_graph_is_constant(F.g, f, &v) && v == 12);
  ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "m", "1e55", 3, NULL, &f), NS_OK);
  ck_assert(ns_graph_is_constant(F.g, f, &v) && v == 1e5);
  ck_assert_int_eq(ns_graph_parse(F.g, &F.c, "m", "pint", 2, NULL, &f), NS_OK);
}
END_TEST

/* Each of these is refused with one sentence, without deep recursion. */
START_TEST(nesting_is_bounded)
{
  static const char *const piece[] = {"(",   "-", "sin(", "1?1:", "2^",   "v[",
                                      "1+(", "!", "1?",   "x0^-", "if(1,"};
  char *text = malloc(2000000);
  for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
    size_t n = strlen(piece[i]);
    for (int k = 0; k < 200000; k++) memcpy(text + (size_t)k * n, piece[i], n);
    ns_ctx c = {0};
    ns_node f;
    ck_assert_int_eq(ns_graph_parse(F.g, &c, "m", text, 200000 * n, &F.scope, &f), NS_MODEL);
    ck_assert_msg(
        strstr(c.msg, "nested more than 200 levels deep; define a part of it as a <function>"),
        "%s", c.msg);
  }
  char *p = text;
  for (int k = 0; k < 199; k++) *p++ = '(';
  *p++ = '1';
  for (int k = 0; k < 199; k++) *p++ = ')';
  *p = '\0';
  double v;
  ck_assert(ns_graph_is_constant(F.g, parse(text), &v) && v == 1);
  free(text);
}
END_TEST

START_TEST(overlong_numbers_are_refused)
{
  char text[400];
  memset(text, '0', sizeof text);
  ns_ctx c = {0};
  ns_node f;
  ck_assert_int_eq(ns_graph_parse(F.g, &c, "m", text, sizeof text, NULL, &f), NS_MODEL);
  ck_assert_ptr_nonnull(strstr(c.msg, "the number has 400 characters, expected at most 255"));
}
END_TEST

/* Random bytes and random tokens: an error has a sentence, success a node; nothing crashes. */
START_TEST(garbage_gives_sentences)
{
  static const char *const token[] = {"1", "2.5", "x0", "x1", "v[",   "]",      "(", ")", "+",
                                      "-", "*",   "/",  "^",  "sin(", "if(",    ",", "?", ":",
                                      "<", "==",  "&&", "!",  " ",    "atan2(", "k"};
  unsigned long long s = 7;
  for (int i = 0; i < 200000; i++) {
    char text[256];
    size_t len = 0, n = rnd(&s) % 12;
    for (size_t k = 0; k < n; k++) {
      const char *t = token[rnd(&s) % (sizeof token / sizeof *token)];
      if (i % 4 == 0) text[len++] = (char)rnd(&s);
      else memcpy(text + len, t, strlen(t)), len += strlen(t);
    }
    ns_ctx c = {0};
    ns_node f;
    int rc = ns_graph_parse(F.g, &c, "m", text, len, &F.scope, &f);
    ck_assert(rc == NS_OK ? f >= 0 && !c.nerrors : rc == NS_MODEL && f < 0 && c.nerrors == 1);
    ck_assert(rc == NS_OK || strstr(c.msg, "column"));
  }
}
END_TEST

/* An arena that is full: NS_NOMEM, whatever the moment. */
START_TEST(full_arenas_are_reported)
{
  static const char text[] = "x0+x1*sin(x2^3)/hypot(x1,x3)-mod(x0,x1)";
  int refused = 0;
  for (size_t bytes = 256; bytes < 100000; bytes += 2500) {
    ns_arena *a = ns_arena_create(bytes, 0);
    ns_graph *g = ns_graph_create(a);
    ns_ctx c = {0};
    ns_node f = 0;
    if (!g) {
      refused++;
      ns_arena_destroy(a);
      continue;
    }
    int rc = NS_OK;
    for (int i = 0; i < 1000 && rc == NS_OK; i++) {
      char longer[128];
      snprintf(longer, sizeof longer, "%s+%d*x0", text, i);
      rc = ns_graph_parse(g, &c, "m", longer, strlen(longer), &F.scope, &f);
    }
    ck_assert_int_eq(rc, NS_NOMEM);
    ck_assert_int_eq(c.rc, NS_NOMEM);
    ck_assert_int_lt(f, 0);
    ck_assert_int_lt(ns_graph_diff(g, f, 0, 0), 0);
    refused++;
    ns_arena_destroy(a);
  }
  ck_assert_int_gt(refused, 10);
}
END_TEST

int main(void)
{
  const TTest *const list[] = {
      values_of_closed_formulas,    values_of_formulas_in_variables, errors_are_sentences,
      a_nul_byte_is_found,          the_length_ends_the_text,        nesting_is_bounded,
      overlong_numbers_are_refused, garbage_gives_sentences,         full_arenas_are_reported};
  return run_list("parse", list, sizeof list / sizeof *list);
}
