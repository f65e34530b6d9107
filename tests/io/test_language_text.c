/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference page and `nssim explain` tell every element, attribute and value of the table. */
#include "support/run.h"

#include "model/language/language.h"

#include <jansson.h>

static char *man_page(int study)
{
  FILE *f = tmpfile();
  if (study) ns_lang_print_study_man(f, "0", "2026-01-01");
  else ns_lang_print_man(f, "0", "2026-01-01");
  size_t n = (size_t)ftell(f);
  char *s = calloc(n + 1, 1);
  rewind(f);
  ck_assert_uint_eq(fread(s, 1, n, f), n);
  fclose(f);
  return s;
}

/* Take roff's escapes out. */
static void plain(char *s)
{
  char *to = s;
  for (const char *p = s; *p; p++) {
    if (!strncmp(p, "\\-", 2)) p++;
    if (!strncmp(p, "\\fB", 3) || !strncmp(p, "\\fR", 3) || !strncmp(p, "\\fI", 3)) p += 2;
    else *to++ = *p;
  }
  *to = 0;
}

/* Each item has its entry in the section of its element; cut: the section alone. */
static void section_tells(const char *cut, const ns_lang_element *e)
{
  char title[120];
  for (const ns_lang_item *i = e->attributes; i && i->name; i++) {
    snprintf(title, sizeof title, ".TP 16\n%s\n", i->name);
    ck_assert_msg(strstr(cut, title) != NULL, "%s of <%s> is not in the page", i->name, e->name);
    if (i->initial)
      ck_assert_msg(strstr(cut, i->initial) != NULL, "default of %s.%s", e->name, i->name);
  }
  for (const ns_lang_item *i = e->values; i && i->name; i++) {
    snprintf(title, sizeof title, ".TP 16\n<%s>\n", i->name);
    ck_assert_msg(strstr(cut, title) != NULL, "<%s> of <%s> is not in the page", i->name, e->name);
  }
}

START_TEST(reference_page_tells_everything)
{
  char *pages[] = {man_page(0), man_page(1)}, title[120];
  const ns_lang_element *e;
  plain(pages[0]);
  plain(pages[1]);
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    snprintf(title, sizeof title, "\n.SS <%s>\n", e->name);
    int study = e->group >= NS_LANG_STUDY;
    const char *begin = strstr(pages[study], title);
    ck_assert_msg(strstr(pages[!study], title) == NULL, "<%s> is in both pages", e->name);
    ck_assert_msg(begin != NULL, "<%s> is not in the page", e->name);
    const char *end = strstr(begin + 1, "\n.SS ");
    char *cut = end ? strndup(begin, (size_t)(end - begin)) : strdup(begin);
    section_tells(cut, e);
    free(cut);
  }
  free(pages[0]);
  free(pages[1]);
}
END_TEST

START_TEST(explain_and_json_tell_the_same)
{
  const ns_lang_element *e;
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  ck_assert_int_eq(ns_lang_print_json(f, NULL, NULL), 0);
  fclose(f);
  json_error_t err;
  json_t *all = json_loads(text, 0, &err);
  ck_assert_msg(all != NULL, "%s", err.text);
  free(text);
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    f = open_memstream(&text, &n);
    ns_lang_print_element(f, e, NULL);
    fclose(f);
    json_t *j = json_array_get(all, (size_t)k);
    ck_assert_str_eq(json_string_value(json_object_get(j, "name")), e->name);
    size_t attributes = 0;
    for (const ns_lang_item *i = e->attributes; i && i->name; i++, attributes++) {
      char head[120];
      json_t *a = json_array_get(json_object_get(j, "attributes"), attributes);
      snprintf(head, sizeof head, "\n  %s\n", i->name);
      ck_assert_msg(strstr(text, head) != NULL, "%s of <%s> is not explained", i->name, e->name);
      ck_assert_str_eq(json_string_value(json_object_get(a, "name")), i->name);
      if (i->initial)
        ck_assert_str_eq(json_string_value(json_object_get(a, "default")), i->initial);
      if (i->initial && *i->initial) ck_assert(strstr(text, i->initial) != NULL);
    }
    ck_assert_uint_eq(json_array_size(json_object_get(j, "attributes")), attributes);
    for (const ns_lang_item *i = e->values; i && i->name; i++) {
      char head[120];
      snprintf(head, sizeof head, "\n  <%s>\n", i->name);
      ck_assert_msg(strstr(text, head) != NULL, "<%s> of <%s> is not explained", i->name, e->name);
    }
    free(text);
  }
  json_decref(all);
}
END_TEST

/* What stands before the elements is there too, and the functions of expressions. */
START_TEST(reference_page_has_its_prose)
{
  for (int study = 0; study < 2; study++) {
    char *all = man_page(study);
    plain(all);
    for (const ns_lang_section *s = study ? ns_lang_study_prose : ns_lang_prose; s->title; s++) {
      char title[80];
      snprintf(title, sizeof title, "\n.SH %s\n", s->title);
      ck_assert_msg(strstr(all, title) != NULL, "%s is not in the page", s->title);
    }
    free(all);
  }
  char *page = man_page(0);
  plain(page);
#define FUNCTION(name, n, help) ck_assert_msg(strstr(page, "\n" #name "(") != NULL, #name);
  NS_FUNCTION_LIST(FUNCTION)
#undef FUNCTION
  free(page);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, reference_page_tells_everything);
  tcase_add_test(t, reference_page_has_its_prose);
  tcase_add_test(t, explain_and_json_tell_the_same);
}

int main(void) { return suite_run("language-text", fill); }
