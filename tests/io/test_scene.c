/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes and contacts in outputs: what was recorded is read back to the bit, also after kills, full
 * disks and checkpoints. */
#include "io/results/info.h"
#include "support/scene_fixture.h"
#include "support/suite.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static char scratch[64];
static void setup(void) { enter_scratch(scratch); }
static void teardown(void) { leave_scratch(scratch); }

/* ---- contacts -------------------------------------------------------------------------------- */

/* What a row has of contact j: the mean force over the step of 0.01 s too. */
static ns_contact_record recorded(int n, int j, int k)
{
  ns_contact_record c = scene_contact(n, j, k);
  for (int i = 0; i < 3 && k; i++) c.force[i] = c.impulse[i] / 0.01;
  return c;
}

static void check_row(ns_result *r, int n, int k)
{
  ns_ctx c = {0};
  const ns_contact_record *have;
  size_t count;
  ck_assert_int_eq(ns_result_contacts(r, &c, (size_t)k, &have, &count), NS_OK);
  ck_assert_uint_eq(count, (size_t)scene_contacts(k));
  for (int j = 0; j < (int)count; j++) {
    ns_contact_record want = recorded(n, j, k);
    ck_assert_msg(memcmp(&have[j], &want, sizeof want) == 0, "row %d, contact %d", k, j);
  }
}

START_TEST(contacts_come_back_to_the_bit)
{
  enum { LAST = 3000 }; /* more than two chunks of rows, eight of contacts */
  scene s;
  ns_ctx c = {0};
  size_t all = 0;
  scene_init(&s, 8, 0.01, 1000);
  ck_assert_msg(write_scene(&s, &c, "out.h5", LAST) == NS_OK, "%s", c.msg);
  ns_result *r = open_result(&c, "out.h5");
  const ns_result_meta *m = ns_result_get_meta(r);
  for (int k = 0; k <= LAST; k++) all += (size_t)scene_contacts(k);
  ck_assert_uint_eq(m->ncontact_rows, LAST + 1);
  ck_assert_uint_eq(m->ncontacts, all);
  for (int k = LAST; k >= 0; k -= 7 - k % 2) check_row(r, s.n, k);
  const ns_contact_record *none;
  size_t count = 9;
  ck_assert_int_eq(ns_result_contacts(r, &c, LAST + 1, &none, &count), NS_OK);
  ck_assert_uint_eq(count, 0);
  ns_result_close(r);
  scene_fini(&s);
}
END_TEST

START_TEST(a_row_may_have_more_contacts_than_a_chunk_and_another_may_leave_them_out)
{
  scene s;
  ns_ctx c;
  ns_recorder *r;
  scene_init(&s, 6, 0.01, 10);
  for (int j = 0; j < 10000; j++) s.contacts[j] = scene_contact(s.n, j, 1);
  ck_assert_int_eq(open_recorder(&s.f, &c, "out.h5", &r), NS_OK);
  ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  for (int k = 0; k < 20; k++) { /* 200 000: handed over on the way */
    s.f.t += 0.01;
    ck_assert_int_eq(ns_recorder_contacts(r, &c, s.contacts, 3), NS_OK); /* the last list counts */
    ck_assert_int_eq(ns_recorder_contacts(r, &c, s.contacts, 10000), NS_OK);
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &s.f.result), NS_OK);
  ns_result *res = open_result(&c, "out.h5");
  ck_assert_uint_eq(ns_result_get_meta(res)->ncontacts, 200000);
  ck_assert_uint_eq(ns_result_get_meta(res)->ncontact_rows, 22);
  const ns_contact_record *k;
  size_t n;
  ck_assert_int_eq(ns_result_contacts(res, &c, 20, &k, &n), NS_OK);
  ck_assert_uint_eq(n, 10000);
  ck_assert_int_eq(memcmp(k, s.contacts, 10000 * sizeof *k), 0);
  ck_assert_int_eq(ns_result_contacts(res, &c, 21, &k, &n), NS_OK);
  ck_assert_uint_eq(n, 0);
  ns_result_close(res);
  scene_fini(&s);
}
END_TEST

START_TEST(contacts_are_left_out_where_they_are_not_asked_for)
{
  scene s;
  ns_ctx c;
  scene_init(&s, 6, 0.01, 10);
  s.f.model.out.no_contacts = 1;
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", 10), NS_OK);
  ck_assert_int_eq(write_scene(&s, &c, "out.csv", 10), NS_OK);
  ck_assert_int_ne(access("out.contacts.csv", F_OK), 0);
  ns_result *r = open_result(&c, "out.h5");
  const ns_result_scene *have;
  ck_assert_uint_eq(ns_result_get_meta(r)->ncontact_rows, 0);
  ck_assert_int_eq(ns_result_get_scene(r, &c, &have), NS_OK);
  ck_assert_int_eq(have->nshapes, 7);
  ns_result_close(r);
  scene_fini(&s);
}
END_TEST

START_TEST(csv_has_them_in_a_file_of_their_own)
{
  scene s;
  ns_ctx c;
  int row, a, b, lines = 0, want = 0;
  double t, x[19];
  char line[1024];
  scene_init(&s, 6, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "out.csv", 40), NS_OK);
  FILE *f = fopen("out.contacts.csv", "r");
  ck_assert_ptr_nonnull(f);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
  ck_assert_str_eq(
      line, "row,time,a,b,gap,point_x,point_y,point_z,normal_x,normal_y,normal_z,velocity_x,"
            "velocity_y,velocity_z,"
            "impulse_x,impulse_y,impulse_z,moment_x,moment_y,moment_z,force_x,force_y,force_z\n");
  for (int k = 0; k <= 40; k++)
    for (int j = 0; j < scene_contacts(k); j++, lines++) {
      ns_contact_record e = recorded(s.n, j, k);
      const double all[19] = {e.gap,         e.point[0],    e.point[1],   e.point[2],
                              e.normal[0],   e.normal[1],   e.normal[2],  e.velocity[0],
                              e.velocity[1], e.velocity[2], e.impulse[0], e.impulse[1],
                              e.impulse[2],  e.moment[0],   e.moment[1],  e.moment[2],
                              e.force[0],    e.force[1],    e.force[2]};
      ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
      int at, n = sscanf(line, "%d,%lf,%d,%d%n", &row, &t, &a, &b, &at);
      ck_assert(n == 4 && row == k && t == k * 0.01 && a == e.a && b == e.b);
      for (int i = 0; i < 19; i++, at += n) {
        ck_assert_int_eq(sscanf(line + at, ",%lf%n", &x[i], &n), 1);
        ck_assert_double_eq(x[i], all[i]);
      }
      want++;
    }
  ck_assert_ptr_null(fgets(line, sizeof line, f));
  ck_assert_int_eq(lines, want);
  fclose(f);
  scene_fini(&s);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------- */

static const char *const outputs[] = {"out.h5", "out.csv"};

static char *slurp(const char *path, size_t *n)
{
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  char *s = calloc(1, 1 << 22);
  *n = fread(s, 1, (1 << 22) - 1, f);
  fclose(f);
  return s;
}

/* Record 0 .. `mark`, save, go on to `lost` and end; then resume and record to `last`. */
static void interrupted(scene *s, const char *path, int mark, int lost, int last)
{
  ns_ctx c;
  ns_recorder *r;
  ns_blob b = {0};
  const ns_sink_ops *ops;
  ck_assert_int_eq(open_recorder(&s->f, &c, path, &r), NS_OK);
  for (int k = 0; k <= mark; k++) ck_assert_int_eq(scene_step(s, &c, r, k), NS_OK);
  ck_assert_msg(ns_recorder_save(r, &c, &b) == NS_OK, "%s", c.msg);
  for (int k = mark + 1; k <= lost; k++) ck_assert_int_eq(scene_step(s, &c, r, k), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &s->f.result), NS_OK);
  ck_assert_int_eq(ns_sink_find(&c, path, &ops), NS_OK);
  int rc = ns_recorder_resume(&c, &s->f.model, &s->f.state, ops, path, &s->f.info, NULL, 0, 1, &b,
                              &r);
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
  for (int k = mark + 1; k <= last; k++) ck_assert_int_eq(scene_step(s, &c, r, k), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &s->f.result), NS_OK);
  ns_blob_fini(&b);
}

START_TEST(a_resumed_run_has_the_contacts_of_one_that_never_stopped)
{
  scene s;
  ns_ctx c;
  scene_init(&s, 6, 0.01, 10);
  interrupted(&s, outputs[_i], 700, 1500, 1000);
  if (_i == 0) {
    ns_result *r = open_result(&c, "out.h5");
    ck_assert_uint_eq(ns_result_get_meta(r)->ncontact_rows, 1001);
    for (int k = 0; k <= 1000; k++) check_row(r, s.n, k);
    ns_result_close(r);
  } else {
    size_t n, m;
    ck_assert_int_eq(write_scene(&s, &c, "whole.csv", 1000), NS_OK);
    char *a = slurp("out.contacts.csv", &n), *b = slurp("whole.contacts.csv", &m);
    ck_assert_uint_eq(n, m);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
  }
  scene_fini(&s);
}
END_TEST

/* ---- kills and full disks -------------------------------------------------------------------- */

static void record_for_ever(const char *path, int tell)
{
  scene s;
  ns_ctx c;
  ns_recorder *r;
  scene_init(&s, 6, 0.01, 1e4);
  if (open_recorder(&s.f, &c, path, &r)) _exit(1);
  struct timespec nap = {.tv_nsec = 600000000};
  for (int k = 0;; k++) {
    if (k == 1000 || k == 1001) nanosleep(&nap, NULL); /* slow rows are flushed */
    if (scene_step(&s, &c, r, k)) _exit(1);
    if (k == 1500 && write(tell, "x", 1) != 1) _exit(1);
  }
}

START_TEST(a_killed_run_leaves_whole_rows_of_contacts)
{
  int tell[2], status;
  char x;
  ck_assert_int_eq(pipe(tell), 0);
  pid_t pid = fork();
  if (pid == 0) record_for_ever("out.h5", tell[1]);
  ck_assert_int_eq((int)read(tell[0], &x, 1), 1);
  nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
  kill(pid, SIGKILL);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ns_ctx c;
  ns_result *r = open_result(&c, "out.h5");
  const ns_result_meta *m = ns_result_get_meta(r);
  ck_assert_str_eq(m->provenance.status, "running");
  ck_assert_uint_ge(m->ncontact_rows, 1000);
  ck_assert_uint_le(m->ncontact_rows, m->nrows);
  for (int k = 0; k < (int)m->ncontact_rows; k += 13) check_row(r, 6, k);
  check_row(r, 6, (int)m->ncontact_rows - 1);
  ns_result_close(r);
}
END_TEST

START_TEST(a_full_disk_is_noticed_wherever_it_comes)
{
  for (rlim_t bytes = 1000; bytes < 400000; bytes = bytes * 4 / 3) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
      scene s;
      ns_ctx c;
      scene_init(&s, 6, 0.01, 1000);
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes});
      int rc = write_scene(&s, &c, outputs[_i], 3000);
      _exit((rc == NS_OUTPUT || rc == NS_NOCREATE) && strstr(c.msg, "File too large") &&
                    c.nerrors == 1
                ? 0
                : 1);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "limit %ld: status %x",
                  (long)bytes, (unsigned)status);
  }
}
END_TEST

/* ---- shapes ---------------------------------------------------------------------------------- */

START_TEST(bodies_and_shapes_come_back)
{
  scene s;
  ns_ctx c;
  const ns_result_scene *have;
  scene_init(&s, 9, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", 1), NS_OK);
  ns_result *r = open_result(&c, "out.h5");
  ck_assert_int_eq(ns_result_get_scene(r, &c, &have), NS_OK);
  ck_assert_int_eq(have->nbodies, 9);
  ck_assert_int_eq(have->nshapes, 10);
  ck_assert_int_eq(have->nmaterials, 2);
  ck_assert_str_eq(have->material[1], "wood");
  for (int i = 0; i < 9; i++) {
    ck_assert_str_eq(have->body[i].id, s.id[i]);
    ck_assert_int_eq(have->body[i].coordinates, 7);
  }
  for (int i = 0; i < 10; i++) {
    const ns_scene_shape *x = &have->shape[i];
    const ns_body_shape *y = &s.shapes[i];
    ck_assert_int_eq(x->kind, y->shape->kind);
    ck_assert_int_eq(x->body, y->system);
    ck_assert_int_eq(x->material, y->material);
    ck_assert_str_eq(x->id, y->id ? y->id : "");
    ck_assert_double_eq(x->radius, y->shape->radius);
    ck_assert_int_eq(memcmp(x->half, y->shape->half, sizeof x->half), 0);
    ck_assert_int_eq(memcmp(x->position, y->at, sizeof x->position), 0);
    ck_assert_int_eq(memcmp(x->orientation, y->turn, sizeof x->orientation), 0);
  }
  const ns_scene_shape *a = &have->shape[4], *b = &have->shape[5];
  ck_assert_int_eq(a->nvertices, 5);
  ck_assert_int_eq(a->ntriangles, 6); /* a square and four triangles */
  ck_assert_int_eq(memcmp(a->vertex, pyramid_vertex, sizeof pyramid_vertex), 0);
  ck_assert_ptr_eq(a->vertex, b->vertex); /* shared */
  /* triangles are counterclockwise from outside: their tetrahedra add up to what the pyramid holds
   */
  double volume = 0;
  for (int k = 0; k < a->ntriangles; k++) {
    double n[3];
    ns_cross3(a->vertex + 3 * a->triangle[3 * k + 1], a->vertex + 3 * a->triangle[3 * k + 2], n);
    volume += ns_dot3(a->vertex + 3 * a->triangle[3 * k], n) / 6;
  }
  ck_assert_double_eq_tol(volume, 0.8 * 0.8 * 0.9 / 3, 1e-15);
  ns_result_close(r);
  scene_fini(&s);
}
END_TEST

START_TEST(results_without_bodies_have_no_scene)
{
  fixture f;
  ns_ctx c = {0};
  const ns_result_scene *have;
  fixture_init(&f, 0.01, 10);
  ck_assert_int_eq(write_run(&f, &c, outputs[_i], 3, 0), NS_OK);
  ns_result *r = open_result(&c, outputs[_i]);
  ck_assert_int_eq(ns_result_get_scene(r, &c, &have), NS_OK);
  ck_assert_int_eq(have->nbodies + have->nshapes + have->nmaterials, 0);
  ck_assert_uint_eq(ns_result_get_meta(r)->ncontact_rows, 0);
  ns_result_close(r);
}
END_TEST

START_TEST(info_tells_bodies_shapes_and_contacts)
{
  scene s;
  ns_ctx c;
  char *text = NULL;
  size_t n;
  scene_init(&s, 9, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "out.h5", 13), NS_OK);
  ns_result *r = open_result(&c, "out.h5");
  FILE *f = open_memstream(&text, &n);
  ck_assert_int_eq(ns_info_text(r, &c, 0, f), NS_OK);
  fclose(f);
  ns_contact_record e = scene_contact(9, 5, 6); /* the last contact of the first row with six */
  char want[200];
  snprintf(want, sizeof want,
           "contacts     42 in 14 rows; maximum 6 at t = 0.06 s, largest force %.6g N at t = "
           "0.06 s, deepest overlap 1.8e-05 m\n",
           ns_norm3(e.impulse) / 0.01);
  ck_assert_msg(strstr(text, "bodies       9\n") != NULL, "%s", text);
  ck_assert_msg(strstr(text, "shapes       10: 1 plane, 4 spheres, 1 capsule, 1 cylinder, 1 box, 2 "
                             "hulls; 1 fixed in space\n") != NULL,
                "%s", text);
  ck_assert_msg(strstr(text, want) != NULL, "%s\n%s", want, text);
  free(text);
  ns_result_close(r);
  scene_fini(&s);
}
END_TEST

int main(void)
{
  use_own_module();
  if (!have_module()) return puts("SKIP scene: no HDF5 module"), 0;
  Suite *s = suite_create("scene");
  TCase *t = tcase_create("scene");
  tcase_set_timeout(t, 120);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, contacts_come_back_to_the_bit);
  tcase_add_test(t, a_row_may_have_more_contacts_than_a_chunk_and_another_may_leave_them_out);
  tcase_add_test(t, contacts_are_left_out_where_they_are_not_asked_for);
  tcase_add_test(t, csv_has_them_in_a_file_of_their_own);
  tcase_add_loop_test(t, a_resumed_run_has_the_contacts_of_one_that_never_stopped, 0, 2);
  tcase_add_test(t, a_killed_run_leaves_whole_rows_of_contacts);
  tcase_add_loop_test(t, a_full_disk_is_noticed_wherever_it_comes, 0, 2);
  tcase_add_test(t, bodies_and_shapes_come_back);
  tcase_add_loop_test(t, results_without_bodies_have_no_scene, 0, 2);
  tcase_add_test(t, info_tells_bodies_shapes_and_contacts);
  suite_add_tcase(s, t);
  return suite_end(s);
}
