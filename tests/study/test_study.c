/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies: the language table and the reader say the same; tables of runs are what the elements
 * mean; points have the distributions they are asked for; records survive what may happen to a
 * file. */
#include "support/suite.h"

#include "model/language/language.h"
#include "study/manifest.h"
#include "study/points.h"
#include "study/record.h"
#include "study/study.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS "xmlns=\"" NS_LANG_NAMESPACE "\""

/* ---- a folder with a model ------------------------------------------------------------------- */

static char folder[64];

static void put_file(const char *name, const char *text)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

static void setup(void)
{
  strcpy(folder, "/tmp/study-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  put_file("m.xml", "<model " NS "><parameters><parameter name=\"a\" value=\"1\"/><parameter "
                    "name=\"b\" value=\"2\" unit=\"mm\"/>"
                    "<parameter name=\"c\" value=\"3\"/></parameters><systems><LagrangianDS "
                    "id=\"s\"><q0>a</q0></LagrangianDS></systems>"
                    "<simulation T=\"1\"><TimeStepping "
                    "h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation></model>");
}

static void teardown(void)
{
  char path[128];
  static const char *const name[] = {"m.xml", "s.xml", "s.csv"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, name[k]);
    unlink(path);
  }
  rmdir(folder);
}

static int read_text(const char *name, const char *text, ns_study **s, char *why)
{
  char path[128], model[128];
  ns_ctx c = {0};
  ns_base *base;
  put_file(name, text);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(model, sizeof model, "%s/m.xml", folder);
  const ns_study_options o = {.model = strstr(name, ".csv") ? model : NULL};
  int rc = ns_study_read(&c, path, &o, s, &base);
  if (why) strcpy(why, c.msg);
  else ck_assert_msg(rc == NS_OK, "%s", c.msg);
  if (!rc) ns_base_destroy(base);
  return rc;
}

static ns_study *study_of(const char *inside)
{
  char text[4000];
  ns_study *s;
  snprintf(text, sizeof text, "<study " NS " model=\"m.xml\">%s</study>", inside);
  read_text("s.xml", text, &s, NULL);
  return s;
}

static double value(const ns_study *s, long long run, const char *name)
{
  for (int k = 0; k < s->ncolumns; k++)
    if (!strcmp(s->column[k].name, name)) return s->cell[run * s->ncolumns + k].value;
  ck_abort_msg("no column %s", name);
  return 0;
}

static const char *text_of(const ns_study *s, long long run, const char *name)
{
  for (int k = 0; k < s->ncolumns; k++)
    if (!strcmp(s->column[k].name, name)) return s->cell[run * s->ncolumns + k].text;
  return NULL;
}

/* ---- tables ---------------------------------------------------------------------------------- */

START_TEST(a_grid_is_all_combinations_the_last_axis_fastest)
{
  ns_study *s = study_of(
      "<grid><list name='a' values='1 2'/><range name='c' from='0' to='1' count='3'/></grid>");
  static const double a[] = {1, 1, 1, 2, 2, 2}, c[] = {0, 0.5, 1, 0, 0.5, 1};
  ck_assert_int_eq(s->nruns, 6);
  for (int k = 0; k < 6; k++) {
    ck_assert(value(s, k, "a") == a[k]);
    ck_assert(value(s, k, "c") == c[k]);
  }
  ns_study_destroy(s);
}
END_TEST

START_TEST(a_zip_in_a_grid_goes_side_by_side)
{
  ns_study *s = study_of("<grid><zip><list name='a' values='1 2'/><list name='b' values='10, "
                         "20'/></zip><list name='T' values='5 6'/></grid>");
  static const double a[] = {1, 1, 2, 2}, b[] = {10, 10, 20, 20}, T[] = {5, 6, 5, 6};
  ck_assert_int_eq(s->nruns, 4);
  for (int k = 0; k < 4; k++)
    ck_assert(value(s, k, "a") == a[k] && value(s, k, "b") == b[k] && value(s, k, "T") == T[k]);
  ns_study_destroy(s);
}
END_TEST

START_TEST(blocks_follow_each_other_and_overrides_go_with_them)
{
  ns_study *s = study_of("<override name='c' value='a/2'/><list name='a' values='1 2'/>"
                         "<grid><override name='c' value='7 '/><list name='b' values='3'/></grid>");
  ck_assert_int_eq(s->nruns, 3);
  ck_assert_str_eq(text_of(s, 0, "c"), "a/2");
  ck_assert_str_eq(text_of(s, 1, "c"), "a/2");
  ck_assert_str_eq(text_of(s, 2, "c"), "7 ");
  ck_assert(isnan(value(s, 2, "a")) && isnan(value(s, 0, "b")));
  ns_study_destroy(s);
}
END_TEST

/* Numbers of a study know the parameters of the model, in SI units, as <override> leaves them. */
START_TEST(numbers_are_expressions_of_the_models_parameters)
{
  ns_study *s = study_of("<override name='a' value='4'/><list name='c' values='1/3 a*b sqrt(a)'/>");
  ck_assert(value(s, 0, "c") == 1.0 / 3);
  ck_assert(value(s, 1, "c") == 4 * 0.002);
  ck_assert(value(s, 2, "c") == 2);
  ns_study_destroy(s);
}
END_TEST

START_TEST(log_ranges_have_equal_ratios_and_exact_ends)
{
  ns_study *s = study_of("<range name='h' from='0.1' to='0.1/2^5' count='6' scale='log'/>");
  ck_assert(value(s, 0, "h") == 0.1 && value(s, 5, "h") == 0.1 / 32);
  for (int k = 1; k < 6; k++)
    ck_assert_double_eq_tol(value(s, k, "h") / value(s, k - 1, "h"), 0.5, 1e-15);
  ns_study_destroy(s);
}
END_TEST

START_TEST(a_table_is_a_run_a_line)
{
  ns_study *s;
  read_text("s.csv",
            "\xef\xbb\xbf# comment\r\na , \"b\",simulation.T\r\n1,2 mm,\r\n\r\n\"1/3\",\"\",5", &s,
            NULL);
  ck_assert_int_eq(s->nruns, 2);
  ck_assert(value(s, 0, "a") == 1 && isnan(value(s, 0, "simulation.T")));
  ck_assert_str_eq(text_of(s, 0, "b"), "2 mm");
  ck_assert_str_eq(text_of(s, 1, "a"), "1/3");
  ck_assert(value(s, 1, "simulation.T") == 5 && isnan(value(s, 1, "b")) && !text_of(s, 1, "b"));
  ns_study_destroy(s);
}
END_TEST

/* ---- keys ------------------------------------------------------------------------------------ */

static void key_of(const char *inside, long long run, char *key)
{
  ns_study *s = study_of(inside);
  ns_study_key(s, run, key);
  ns_study_destroy(s);
}

START_TEST(a_key_is_what_a_run_changes_not_how_it_is_written)
{
  char k1[NS_STUDY_KEY], k2[NS_STUDY_KEY], k3[NS_STUDY_KEY], k4[NS_STUDY_KEY];
  key_of("<grid><list name='a' values='1 2'/><list name='c' values='5'/></grid>", 1, k1);
  key_of("<list name='b' values='1'/><zip><list name='c' values='5'/><list name='a' "
         "values='4/2'/></zip>",
         1, k2);
  key_of("<grid><list name='a' values='2'/><list name='c' values='5.000000001'/></grid>", 0, k3);
  key_of("<grid><list name='a' values='5'/><list name='c' values='2'/></grid>", 0, k4);
  ck_assert_str_eq(k1, k2);
  ck_assert_str_ne(k1, k3);
  ck_assert_str_ne(k1, k4);
}
END_TEST

/* ---- the table of the language --------------------------------------------------------------- */

/* A number for an attribute. */
static const char *sample_value(const ns_lang_item *i)
{
  if (i->type == NS_LANG_ENUM) return strchr(i->choices, ' ') + 1; /* "log" */
  if (!strcmp(i->name, "count")) return "3";
  if (!strcmp(i->name, "values")) return "1 2 3";
  if (!strcmp(i->name, "from")) return "1";
  if (!strcmp(i->name, "to")) return "2";
  if (!strcmp(i->name, "model")) return "m.xml";
  return i->type == NS_LANG_TEXT ? "1.5" : "1";
}

/* An element with all its attributes; each name is varied once. */
static void element(FILE *f, const ns_lang_element *e, int *serial, int depth)
{
  static const char *const names[] = {"a", "b", "c", "T", "h", "t0", "theta"};
  const ns_lang_element *d;
  fprintf(f, "<%s%s", e->name, depth ? "" : " " NS);
  for (const ns_lang_item *i = e->attributes; i && i->name; i++)
    fprintf(f, " %s=\"%s\"", i->name,
            strcmp(i->name, "name") || !depth ? sample_value(i) : names[(*serial)++ % 7]);
  fputs(">", f);
  for (const ns_lang_item *i = e->values; i && i->name; i++)
    fprintf(f, "<%s>t</%s>", i->name, i->name);
  for (const ns_lang_child *k = e->children; k && k->max; k++)
    for (int n = 0; (d = ns_lang_at(n)); n++) {
      int allowed = k->name ? !strcmp(k->name, d->name) : k->group == d->group;
      int container = d->children && d->children->max && depth > 0 && d->group == NS_LANG_AXIS;
      if (!allowed || container ||
          (depth > 0 && !strcmp(e->name, "grid") && strcmp(d->name, "list")))
        continue;
      if (depth > 0 && !strcmp(e->name, "zip") && strcmp(d->name, "range")) continue;
      if (!depth) *serial = 0; /* each block may vary the same */
      element(f, d, serial, depth + 1);
    }
  fprintf(f, "</%s>", e->name);
}

static xmlSchema *schema(void)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  ns_lang_print_xsd(f);
  fclose(f);
  xmlSchemaParserCtxt *p = xmlSchemaNewMemParserCtxt(text, (int)n);
  xmlSchema *s = xmlSchemaParse(p);
  xmlSchemaFreeParserCtxt(p);
  free(text);
  return s;
}

START_TEST(reader_and_schema_take_every_element_and_attribute)
{
  char *text = NULL;
  size_t n = 0;
  int serial = 0;
  ns_study *s;
  const ns_lang_element *e;
  FILE *f = open_memstream(&text, &n);
  element(f, ns_lang_find("study"), &serial, 0);
  fclose(f);
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    char open[40];
    snprintf(open, sizeof open, "<%s ", e->name);
    if (!strcmp(e->name, "grid") || !strcmp(e->name, "zip"))
      snprintf(open, sizeof open, "<%s>", e->name);
    if (e->group >= NS_LANG_STUDY)
      ck_assert_msg(strstr(text, open) != NULL, "<%s> is not in the sample %s", e->name, text);
  }
  read_text("s.xml", text, &s, NULL);
  ck_assert_int_gt(s->nruns, 10);
  ns_study_destroy(s);
  xmlDoc *d = xmlReadMemory(text, (int)n, "s.xml", NULL, 0);
  xmlSchema *xsd = schema();
  xmlSchemaValidCtxt *v = xmlSchemaNewValidCtxt(xsd);
  ck_assert_int_eq(xmlSchemaValidateDoc(v, d), 0);
  xmlSchemaFreeValidCtxt(v);
  xmlSchemaFree(xsd);
  xmlFreeDoc(d);
  free(text);
}
END_TEST

START_TEST(examples_of_elements_are_read)
{
  const ns_lang_element *e;
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    char text[2000];
    xmlDoc *d;
    if (e->group < NS_LANG_STUDY) continue;
    snprintf(text, sizeof text, "<x>%s</x>", e->example);
    d = xmlReadMemory(text, (int)strlen(text), e->name, NULL, XML_PARSE_NOERROR);
    ck_assert_msg(d && strstr(e->example, e->name), "the example of <%s>", e->name);
    xmlFreeDoc(d);
  }
}
END_TEST

/* ---- points ---------------------------------------------------------------------------------- */

enum { N = 4000 };

START_TEST(latin_hypercubes_have_one_point_in_each_interval)
{
  ns_ctx c = {0};
  double *u = malloc(3 * N * sizeof *u);
  ck_assert_int_eq(ns_points_make(&c, NS_POINTS_LATIN, 3, N, 5, 0, u), NS_OK);
  for (int d = 0; d < 3; d++) {
    char seen[N] = {0};
    for (int k = 0; k < N; k++) {
      int i = (int)(u[3 * k + d] * N);
      ck_assert(i >= 0 && i < N && !seen[i]);
      seen[i] = 1;
    }
  }
  free(u);
}
END_TEST

/* Numbers of the same seed are the same, of another seed others; their means are within 5 standard
 * errors of 1/2. */
START_TEST(random_points_are_those_of_their_seed)
{
  ns_ctx c = {0};
  double *u = malloc(2 * N * sizeof *u), *v = malloc(2 * N * sizeof *v), mean = 0;
  ns_points_make(&c, NS_POINTS_RANDOM, 2, N, 5, 0, u);
  ns_points_make(&c, NS_POINTS_RANDOM, 2, N, 5, 0, v);
  ck_assert_int_eq(memcmp(u, v, 2 * N * sizeof *u), 0);
  ns_points_make(&c, NS_POINTS_RANDOM, 2, N, 6, 0, v);
  ck_assert_int_ne(memcmp(u, v, 2 * N * sizeof *u), 0);
  for (int k = 0; k < 2 * N; k++) mean += u[k] / (2 * N);
  ck_assert_double_eq_tol(mean, 0.5, 5 / sqrt(12.0 * 2 * N));
  free(u);
  free(v);
}
END_TEST

/* The integral of x y over the unit square is 1/4: sequences come closer than N random points do
 * (0.22/sqrt N). */
START_TEST(sequences_fill_the_square_evenly)
{
  static const ns_points_kind kind[] = {NS_POINTS_SOBOL, NS_POINTS_HALTON};
  ns_ctx c = {0};
  double *u = malloc(2 * N * sizeof *u), *v = malloc(2 * sizeof *v), sum = 0;
  ns_points_make(&c, kind[_i], 2, N, 1, 0, u);
  for (int k = 0; k < N; k++) sum += u[2 * k] * u[2 * k + 1] / N;
  ck_assert_double_eq_tol(sum, 0.25, 2.0 / N);
  ns_points_make(&c, kind[_i], 2, 1, 1, 100, v);
  ck_assert(v[0] == u[200] && v[1] == u[201]);
  ck_assert(u[0] == 0.5);
  free(u);
  free(v);
}
END_TEST

START_TEST(distributions_have_their_moments)
{
  ns_study *s = study_of("<sobol count='4096'><normal name='a' mean='3' "
                         "deviation='0.5'/><lognormal name='b' median='2' deviation='0.1'/>"
                         "<normal name='c' mean='0' deviation='1' from='0'/><uniform name='T' "
                         "from='1' to='100' scale='log'/></sobol>");
  double mean[4] = {0}, square[4] = {0}, min = 1;
  static const char *const name[] = {"a", "b", "c", "T"};
  for (long long k = 0; k < s->nruns; k++) {
    for (int i = 0; i < 4; i++) {
      double x = i == 1 || i == 3 ? log(value(s, k, name[i])) : value(s, k, name[i]);
      mean[i] += x / (double)s->nruns;
      square[i] += x * x / (double)s->nruns;
    }
    if (value(s, k, "c") < min) min = value(s, k, "c");
  }
  ck_assert_double_eq_tol(mean[0], 3, 1e-3);
  ck_assert_double_eq_tol(sqrt(square[0] - mean[0] * mean[0]), 0.5, 1e-3);
  ck_assert_double_eq_tol(mean[1], log(2), 1e-3);
  ck_assert_double_eq_tol(mean[2], sqrt(2 / M_PI), 2e-3); /* of the half-normal distribution */
  ck_assert(min >= 0);
  ck_assert_double_eq_tol(mean[3], log(10), 1e-3);
  ns_study_destroy(s);
}
END_TEST

/* ---- records --------------------------------------------------------------------------------- */

/* Three records, cut or changed at every byte: what is read is a sound one, and the others always
 * are. */
START_TEST(a_damaged_record_spoils_no_other)
{
  char all[400], text[40];
  size_t n = 0;
  ns_record r = {0};
  for (int k = 0; k < 3; k++) {
    ns_record_begin(&r);
    ns_record_integer(&r, k);
    ns_record_text(&r, "a\tb\nc\\d");
    ns_record_value(&r, "x", 0.1);
    ck_assert(ns_record_seal(&r));
    memcpy(all + n, r.s, r.n);
    n += r.n;
  }
  for (size_t cut = 0; cut <= n; cut++) {
    char copy[400];
    size_t pos = 0;
    long damaged = 0, found = 0;
    const char *s, *end, *next;
    memcpy(copy, all, n);
    if (cut < n) copy[cut] ^= 1;
    while ((s = ns_record_next(copy, n, &pos, &end, &damaged))) {
      ck_assert_uint_eq(ns_record_field(s, end, &next), 1);
      ns_record_unescape(next, ns_record_field(next, end, &s), text, sizeof text);
      ck_assert_str_eq(text, "a\tb\nc\\d");
      found++;
    }
    ck_assert_int_ge(found, cut < n ? 1 : 3); /* a spoilt end of line joins two */
    ck_assert_int_ge(found + damaged, 2);
    pos = 0;
    found = 0;
    while (ns_record_next(all, cut, &pos, &end, NULL)) found++;
    ck_assert_int_eq(found, (long)(cut * 3 / n));
  }
  ns_record_fini(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, a_grid_is_all_combinations_the_last_axis_fastest);
  tcase_add_test(t, a_zip_in_a_grid_goes_side_by_side);
  tcase_add_test(t, blocks_follow_each_other_and_overrides_go_with_them);
  tcase_add_test(t, numbers_are_expressions_of_the_models_parameters);
  tcase_add_test(t, log_ranges_have_equal_ratios_and_exact_ends);
  tcase_add_test(t, a_table_is_a_run_a_line);
  tcase_add_test(t, a_key_is_what_a_run_changes_not_how_it_is_written);
  tcase_add_test(t, reader_and_schema_take_every_element_and_attribute);
  tcase_add_test(t, examples_of_elements_are_read);
  tcase_add_test(t, latin_hypercubes_have_one_point_in_each_interval);
  tcase_add_test(t, random_points_are_those_of_their_seed);
  tcase_add_loop_test(t, sequences_fill_the_square_evenly, 0, 2);
  tcase_add_test(t, distributions_have_their_moments);
  tcase_add_test(t, a_damaged_record_spoils_no_other);
}

int main(void) { return suite_run("study", fill); }
