/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of `nssim view`: what they hold is what was recorded. What they look like: run-view, for
 * which `test_view --write BODIES LAST FILE` makes a result. */
#include "io/view/view.h"
#include "support/scene_fixture.h"
#include "support/suite.h"

#include <jansson.h>
#include <math.h>
#include <nettle/base64.h>

static char scratch[64], template[4096];
static void leave(void) { leave_scratch(scratch); }

/* A library that is none, but looks like it. */
static void enter(void)
{
  enter_scratch(scratch);
  FILE *f = fopen("three.js", "w");
  fputs("var THREE={};/*WebGLRenderer*/", f);
  fclose(f);
}

static ns_view_options usual(void)
{
  return (ns_view_options){
      .rows = {.from = NAN, .to = NAN}, .fps = NAN, .page = template, .library = "three.js"};
}

static int write_page(const char *result, const ns_view_options *o, ns_view_size *size, ns_ctx *c)
{
  ns_result *r = open_result(c, result);
  int rc = ns_view_write(c, r, o, "out.html", size);
  ns_result_close(r);
  return rc;
}

static char *slurp(const char *path)
{
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  char *s = calloc(1, 1 << 23);
  ck_assert_uint_gt(fread(s, 1, (1 << 23) - 1, f), 0);
  fclose(f);
  return s;
}

/* What the page has in its element `id`, to be freed. */
static char *part(const char *page, const char *id)
{
  char begin[64];
  snprintf(begin, sizeof begin, "id=\"%s\">", id);
  const char *at = strstr(page, begin), *end = at ? strstr(at, "</script>") : NULL;
  ck_assert_msg(at && end, "no part %s", id);
  at += strlen(begin);
  return strndup(at, (size_t)(end - at));
}

static float *reals(const char *page, const char *id, size_t *n)
{
  char *text = part(page, id);
  size_t len = strlen(text), bytes;
  struct base64_decode_ctx d;
  uint8_t *out = calloc(1, BASE64_DECODE_LENGTH(len) + 4);
  base64_decode_init(&d);
  ck_assert_int_eq(base64_decode_update(&d, &bytes, out, len, text), 1);
  ck_assert_int_eq(base64_decode_final(&d), 1);
  free(text);
  *n = bytes / sizeof(float);
  return (float *)out;
}

static json_t *scene_of(const char *page)
{
  char *text = part(page, "scene");
  json_error_t e;
  json_t *o = json_loads(text, 0, &e);
  ck_assert_msg(o != NULL, "%s", e.text);
  ck_assert_ptr_null(strchr(text, '<')); /* nothing may end the script */
  free(text);
  return o;
}

START_TEST(a_page_holds_motion_contacts_and_shapes)
{
  enum { N = 9, LAST = 50 };
  scene s;
  ns_ctx c;
  ns_view_size size;
  size_t n, m, at = 0;
  scene_init(&s, N, 0.01, 10);
  s.f.model.title = "a </script> & \"b\"";
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", LAST), NS_OK);
  ns_view_options o = usual();
  ck_assert_msg(write_page("out.h5", &o, &size, &c) == NS_OK, "%s", c.msg);
  ck_assert_uint_eq(size.frames, LAST + 1);
  ck_assert_uint_eq(size.bodies, N);
  char *page = slurp("out.html");
  ck_assert_uint_eq(size.bytes, strlen(page));
  ck_assert_ptr_nonnull(strstr(page, "<title>a &lt;/script&gt; &amp; &quot;b&quot;</title>"));
  ck_assert_ptr_null(strstr(page, "<!--nssim:"));
  json_t *j = scene_of(page);
  ck_assert_str_eq(json_string_value(json_object_get(j, "title")), s.f.model.title);
  ck_assert_uint_eq(json_array_size(json_object_get(j, "shapes")), N + 1);
  ck_assert_uint_eq(json_array_size(json_object_get(j, "meshes")), 1); /* two bodies share it */
  ck_assert_str_eq(json_string_value(json_array_get(json_object_get(j, "bodies"), 3)), "body3");
  ck_assert(!json_is_true(json_object_get(j, "planar")));
  float *x = reals(page, "motion", &n), *k = reals(page, "contacts", &m);
  ck_assert_uint_eq(n, 7 * N * (LAST + 1));
  for (int f = 0; f <= LAST; f++) {
    ck_assert_double_eq_tol(json_real_value(json_array_get(json_object_get(j, "times"), (size_t)f)),
                            f * 0.01, 1e-9);
    ck_assert_int_eq(
        (int)json_integer_value(json_array_get(json_object_get(j, "counts"), (size_t)f)),
        scene_contacts(f));
    for (int i = 0; i < N; i++) {
      double q[7];
      scene_place(i, f, q);
      for (int a = 0; a < 7; a++) ck_assert(x[7 * (f * N + i) + a] == (float)q[a]);
    }
    for (int i = 0; i < scene_contacts(f); i++, at += 8) {
      ns_contact_record e = scene_contact(N, i, f);
      for (int a = 0; a < 3; a++) {
        ck_assert(k[at + (size_t)a] == (float)e.point[a]);
        ck_assert(k[at + 3 + (size_t)a] == (float)(e.impulse[a] / 0.01)); /* the mean force */
      }
      ck_assert(k[at + 6] == (float)e.a && k[at + 7] == (float)e.b);
    }
  }
  ck_assert_uint_eq(at, m);
  free(x);
  free(k);
  json_decref(j);
  free(page);
  scene_fini(&s);
}
END_TEST

START_TEST(frames_are_thinned_as_asked)
{
  static const struct {
    double fps, from, to;
    size_t every, frames, want;
  } row[] = {{NAN, NAN, NAN, 0, 0, 301}, {25, NAN, NAN, 0, 0, 76}, {NAN, NAN, NAN, 10, 0, 31},
             {NAN, NAN, NAN, 0, 16, 16}, {NAN, 1, 2, 0, 0, 101},   {10, 1, 2, 0, 0, 11},
             {1000, NAN, NAN, 0, 0, 301}};
  scene s;
  ns_ctx c;
  ns_view_size size;
  scene_init(&s, 6, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", 300), NS_OK);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ns_view_options o = usual();
    o.fps = row[i].fps;
    o.rows.from = row[i].from;
    o.rows.to = row[i].to;
    o.rows.every = row[i].every;
    o.rows.frames = row[i].frames;
    ck_assert_int_eq(write_page("out.h5", &o, &size, &c), NS_OK);
    ck_assert_msg(size.frames == row[i].want, "row %zu: %zu frames", i, size.frames);
  }
  scene_fini(&s);
}
END_TEST

START_TEST(systems_without_shapes_are_points)
{
  fixture f;
  ns_ctx c = {0};
  ns_view_size size;
  size_t n;
  fixture_init(&f, 0.01, 10);
  ck_assert_int_eq(write_run(&f, &c, _i ? "out.csv" : "out.h5", 20, 0), NS_OK);
  ns_view_options o = usual();
  ck_assert_msg(write_page(_i ? "out.csv" : "out.h5", &o, &size, &c) == NS_OK, "%s", c.msg);
  ck_assert_uint_eq(size.bodies, 1); /* the ball has x and y, the bead no such name */
  char *page = slurp("out.html");
  json_t *j = scene_of(page);
  float *x = reals(page, "motion", &n);
  ck_assert(json_is_true(json_object_get(j, "planar")));
  ck_assert(json_is_true(json_object_get(j, "points")));
  ck_assert_uint_eq(n, 7 * 21);
  for (int k = 0; k <= 20; k++) {
    const float want[7] = {(float)fixture_value(0, k), (float)fixture_value(1, k), 0, 1, 0, 0, 0};
    ck_assert_int_eq(memcmp(x + 7 * k, want, sizeof want), 0);
  }
  free(x);
  json_decref(j);
  free(page);
}
END_TEST

static void refuse(const char *result, const ns_view_options *o, int code, const char *words)
{
  ns_ctx c;
  ns_view_size size;
  int rc = write_page(result, o, &size, &c);
  ck_assert_msg(rc == code && strstr(c.msg, words), "%d %s", rc, c.msg);
  ck_assert_int_eq(c.nerrors, 1);
  ck_assert_int_ne(access("out.html", F_OK), 0);
}

START_TEST(what_makes_no_page_is_said)
{
  scene s;
  ns_ctx c;
  ns_view_options o = usual(), big = usual();
  scene_init(&s, 1200, 1e-3, 20);
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", 3), NS_OK);
  o.library = "none.js";
  refuse("out.h5", &o, NS_NOINPUT, "none.js: cannot read");
  o.library = template;
  refuse("out.h5", &o, NS_NOINPUT, "is not three.min.js");
  o = usual();
  o.page = "none.html";
  refuse("out.h5", &o, NS_NOINPUT, "none.html: cannot read");
  const char *velocities[] = {"*.v"};
  ns_recorder *r;
  const ns_sink_ops *ops;
  ck_assert_int_eq(ns_sink_find(&c, "v.h5", &ops), NS_OK);
  ck_assert_int_eq(
      ns_recorder_create(&c, &s.f.model, &s.f.state, ops, "v.h5", &s.f.info, velocities, 1, 1, &r),
      NS_OK);
  ck_assert_int_eq(scene_step(&s, &c, r, 0), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &s.f.result), NS_OK);
  o = usual();
  refuse("v.h5", &o, NS_USAGE, "positions of body \"body0\" were not recorded");
  ck_assert_int_eq(ns_sink_find(&c, "long.h5", &ops), NS_OK);
  const char *places[] = {"*.q"};
  ck_assert_int_eq(
      ns_recorder_create(&c, &s.f.model, &s.f.state, ops, "long.h5", &s.f.info, places, 1, 1, &r),
      NS_OK);
  for (int k = 0; k < 9500; k++) ck_assert_int_eq(scene_step(&s, &c, r, k), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &s.f.result), NS_OK);
  big.fps = 1e6;
  refuse("long.h5", &big, NS_USAGE, "use fewer with --frames, --fps, --every, --from or --to");
  scene_fini(&s);
}
END_TEST

static int write_for_run_view(char **argv)
{
  scene s;
  ns_ctx c;
  scene_init(&s, atoi(argv[2]), 0.01, 10);
  int rc = write_scene(&s, &c, argv[4], atoi(argv[3]));
  if (rc) fprintf(stderr, "%s\n", c.msg);
  scene_fini(&s);
  return rc != NS_OK;
}

int main(int argc, char **argv)
{
  use_own_module();
  if (argc == 5 && strcmp(argv[1], "--write") == 0) return write_for_run_view(argv);
  if (!have_module()) return puts("SKIP view: no HDF5 module"), 0;
  char here[2048];
  const char *top = getenv("TOP");
  snprintf(template, sizeof template, "%s/view/scene.html", top ? top : getcwd(here, sizeof here));
  Suite *s = suite_create("view");
  TCase *t = tcase_create("view");
  tcase_set_timeout(t, 120);
  tcase_add_checked_fixture(t, enter, leave);
  tcase_add_test(t, a_page_holds_motion_contacts_and_shapes);
  tcase_add_test(t, frames_are_thinned_as_asked);
  tcase_add_loop_test(t, systems_without_shapes_are_points, 0, 2);
  tcase_add_test(t, what_makes_no_page_is_said);
  suite_add_tcase(s, t);
  return suite_end(s);
}
