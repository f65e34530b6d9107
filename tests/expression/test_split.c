/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/fixture.h"

typedef struct pieces {
  char text[4096];
  size_t len;
  int count, row;
} pieces;

/* Entries as "[a][b];[c][d]". */
static int keep(void *to, int row, int col, const char *text, size_t len)
{
  pieces *p = to;
  if (row != p->row) p->text[p->len++] = ';';
  ck_assert_int_ge(col, 0);
  p->row = row;
  p->count++;
  p->len += (size_t)sprintf(p->text + p->len, "[%.*s]", (int)len, text);
  return NS_OK;
}

START_TEST(entries_of_texts)
{
  static const struct {
    const char *text;
    int rows, cols;
    const char *entries;
  } row[] = {{"", 0, 0, ""},
             {" \n\t ", 0, 0, ""},
             {"1", 1, 1, "[1]"},
             {"-m*g 0 0", 1, 3, "[-m*g][0][0]"},
             {"a - b", 1, 1, "[a - b]"},
             {"a -b", 1, 2, "[a][-b]"},
             {"a, -b", 1, 2, "[a][-b]"},
             {"a- b", 1, 1, "[a- b]"},
             {"a-b", 1, 1, "[a-b]"},
             {"a, - b", 1, 2, "[a][- b]"},
             {"- a b", 1, 2, "[- a][b]"},
             {"1 + -2", 1, 1, "[1 + -2]"},
             {"1 +2", 1, 2, "[1][+2]"},
             {"a *b", 1, 1, "[a *b]"},
             {"a * b c", 1, 2, "[a * b][c]"},
             {"a^ -b", 1, 1, "[a^ -b]"},
             {"a ^ b", 1, 1, "[a ^ b]"},
             {"a !b", 1, 2, "[a][!b]"},
             {"a !=b", 1, 1, "[a !=b]"},
             {"a != b", 1, 1, "[a != b]"},
             {"a ? b : c d", 1, 2, "[a ? b : c][d]"},
             {"a <b", 1, 1, "[a <b]"},
             {"a && !b c", 1, 2, "[a && !b][c]"},
             {"1/2 3 4", 1, 3, "[1/2][3][4]"},
             {"1,2,3", 1, 3, "[1][2][3]"},
             {" 1 , 2\t,\n3 ", 1, 3, "[1][2][3]"},
             {"1 2;3 4", 2, 2, "[1][2];[3][4]"},
             {"1 2 ;\n 3 4 ;\n", 2, 2, "[1][2];[3][4]"},
             {"atan2(a, b) 2", 1, 2, "[atan2(a, b)][2]"},
             {"(a b) c", 1, 2, "[(a b)][c]"},
             {"(a; b) c", 1, 2, "[(a; b)][c]"},
             {"a (b)", 1, 2, "[a][(b)]"},
             {"v[ 1 ] v[2]", 1, 2, "[v[ 1 ]][v[2]]"},
             {"(1 2", 1, 1, "[(1 2]"},
             {"1) 2", 1, 2, "[1)][2]"},
             {"a -", 1, 1, "[a -]"},
             {"a -\nb", 1, 1, "[a -\nb]"},
             {"x\ny\nz", 1, 3, "[x][y][z]"},
             {"1e-3 2", 1, 2, "[1e-3][2]"},
             {NULL, 0, 0, NULL}};
  for (size_t i = 0; row[i].text; i++) {
    pieces p = {.text = ""};
    int rows = -1, cols = -1;
    ns_ctx c = {0};
    ck_assert_msg(ns_split_entries(&c, "m", row[i].text, keep, &p, &rows, &cols) == NS_OK, "%s",
                  c.msg);
    p.text[p.len] = '\0';
    ck_assert_str_eq(p.text, row[i].entries);
    ck_assert_msg(rows == row[i].rows && cols == row[i].cols, "%s: %d x %d", row[i].text, rows,
                  cols);
  }
}
END_TEST

START_TEST(bad_texts_are_sentences)
{
  static const struct {
    const char *text, *message;
  } row[] = {
      {"1 2; 3",
       "m.xml:9: row 2 has 1 entries and row 1 has 2, expected the same number in all rows"},
      {"1; 2; 3 4;",
       "m.xml:9: row 3 has 2 entries and row 1 has 1, expected the same number in all rows"},
      {"1,,2", "m.xml:9: in \"1,,2\", column 3: an empty entry, expected a formula"},
      {" ,1", "m.xml:9: in \",1\", column 1: an empty entry, expected a formula"},
      {";", "m.xml:9: in \";\", column 1: an empty entry, expected a formula"},
      {"1;;2", "m.xml:9: in \"1;;2\", column 3: an empty entry, expected a formula"},
      {"1,2,", "m.xml:9: in \"1,2,\", column 5: found the end after \",\", expected a formula"},
      {"1,;2", "m.xml:9: in \"1,;2\", column 3: an empty entry, expected a formula"},
      {NULL, NULL}};
  for (size_t i = 0; row[i].text; i++) {
    pieces p = {.text = ""};
    int rows, cols;
    ns_ctx c = {0};
    ck_assert_int_eq(ns_split_entries(&c, "m.xml:9", row[i].text, keep, &p, &rows, &cols),
                     NS_MODEL);
    ck_assert_str_eq(c.msg, row[i].message);
  }
}
END_TEST

static int third(void *to, int row, int col, const char *text, size_t len)
{
  (void)text, (void)len, (void)row;
  ++*(int *)to;
  return col == 2 ? 77 : 0;
}

START_TEST(a_nonzero_return_stops)
{
  int calls = 0, rows, cols;
  ck_assert_int_eq(ns_split_entries(&F.c, "m", "1 2 3 4 5", third, &calls, &rows, &cols), 77);
  ck_assert_int_eq(calls, 3);
  ck_assert_int_eq(F.c.nerrors, 0);
}
END_TEST

static int parse_entry(void *to, int row, int col, const char *text, size_t len)
{
  ns_node f;
  (void)row;
  int rc = ns_graph_parse(F.g, &F.c, "m", text, len, &F.scope, &f);
  if (rc == NS_OK) ck_assert(ns_graph_is_constant(F.g, f, (double *)to + col));
  return rc;
}

START_TEST(numbers_are_read_whole)
{
  double v[3];
  int rows, cols;
  ck_assert_int_eq(ns_split_entries(&F.c, "m", "1/2 3 4", parse_entry, v, &rows, &cols), NS_OK);
  ck_assert(v[0] == 0.5 && v[1] == 3 && v[2] == 4 && rows == 1 && cols == 3);
}
END_TEST

static int count(void *to, int row, int col, const char *text, size_t len)
{
  (void)row, (void)col, (void)text, (void)len;
  ++*(int *)to;
  return 0;
}

/* A million entries, or as many blanks inside one, take time proportional to their number:
 * the time-out of the test is the claim. */
START_TEST(long_texts_are_read_in_one_pass)
{
  enum { N = 1000000 };
  char *text = malloc(2 * N + 1);
  int n = 0, rows, cols;
  for (int i = 0; i < N; i++) memcpy(text + 2 * i, i % 1000 == 999 ? "1;" : "1 ", 2);
  text[2 * N] = '\0';
  ck_assert_int_eq(ns_split_entries(&F.c, "m", text, count, &n, &rows, &cols), NS_OK);
  ck_assert(n == N && rows == 1000 && cols == 1000);
  memset(text, ' ', 2 * N);
  text[0] = '(';
  text[2 * N - 1] = ')';
  n = 0;
  ck_assert_int_eq(ns_split_entries(&F.c, "m", text, count, &n, &rows, &cols), NS_OK);
  ck_assert_int_eq(n, 1);
  free(text);
}
END_TEST

int main(void)
{
  const TTest *const list[] = {entries_of_texts, bad_texts_are_sentences, a_nonzero_return_stops,
                               numbers_are_read_whole, long_texts_are_read_in_one_pass};
  return run_list("split", list, sizeof list / sizeof *list);
}
