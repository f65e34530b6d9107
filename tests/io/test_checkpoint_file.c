/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a checkpoint comes back as it was written, or is refused with a reason; the one
 * before it stays. */
#include "io/results/checkpoint_file.h"
#include "support/interrupted.h"

#include <nettle/sha2.h>
#include <sys/stat.h>
#include <unistd.h>

static const char beads[] =
    "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianDS id='p' coordinates='x "
    "y'><q0>1 0</q0><v0>0 -1</v0>"
    "<mass>1 + 0.1*x^2, 0; 0, 1</mass><fInt>0.3*x*y + 0.1*v_x, 9.81 + "
    "2*y</fInt></LagrangianDS></systems><interactions>"
    "<interaction id='w' systems='p'><LagrangianRheonomousR><h>y + 1.2 + 0.1*x^2 + "
    "0.05*sin(15*t)</h></LagrangianRheonomousR>"
    "<NewtonImpactNSL e='0.6'/></interaction></interactions>"
    "<simulation T='3'><TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping></simulation></model>";

/* A folder of the test's own, entered. */
static char folder[64];

static void enter(void)
{
  strcpy(folder, "/tmp/nssim-checkpoint-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void leave(void)
{
  char cmd[128];
  snprintf(cmd, sizeof cmd, "rm -rf %s", folder);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(system(cmd), 0);
}

/* A checkpoint of a real run, 40 steps from its start. */
static ns_checkpoint make(void)
{
  ns_checkpoint k = {.version = "1.2",
                     .cpu = "a processor",
                     .started = "2024-01-02T03:04:05Z",
                     .step = 40,
                     .t = 0.4,
                     .wall = 1.5,
                     .restarts = 3,
                     .complete = NS_COMPLETE_AT_END};
  memset(&k.id, 7, sizeof k.id);
  run r = changed_run(beads, &(change){0});
  ck_assert_int_eq(run_part(&r, 1, NULL, 40, &k.body), NS_STOPPED);
  run_end(&r);
  return k;
}

static size_t slurp(const char *path, unsigned char **bytes)
{
  struct stat st;
  ck_assert_int_eq(stat(path, &st), 0);
  *bytes = malloc((size_t)st.st_size + 1);
  FILE *f = fopen(path, "rb");
  ck_assert_uint_eq(fread(*bytes, 1, (size_t)st.st_size, f), (size_t)st.st_size);
  fclose(f);
  return (size_t)st.st_size;
}

START_TEST(comes_back_as_it_was)
{
  ns_ctx c = {0};
  ns_checkpoint a = make(), b;
  ns_checkpoint_lock l;
  ck_assert_int_eq(ns_checkpoint_lock_take(&c, "a", &l), NS_OK);
  ns_checkpoint_lock_drop("a", &l);
  ck_assert_int_ne(access("a.new", F_OK), 0);
  ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
  ck_assert_int_eq(ns_checkpoint_read(&c, "a", &b), NS_OK);
  ck_assert(!memcmp(&a.id, &b.id, sizeof a.id) && a.step == b.step && a.t == b.t &&
            a.wall == b.wall && a.restarts == b.restarts);
  ck_assert_int_eq(b.complete, NS_COMPLETE_AT_END);
  ck_assert_str_eq(a.version, b.version);
  ck_assert_str_eq(a.cpu, b.cpu);
  ck_assert_str_eq(a.started, b.started);
  ck_assert(a.body.n == b.body.n && !memcmp(a.body.bytes, b.body.bytes, a.body.n));
  ck_assert_int_ne(access("a.new", F_OK), 0);
  ck_assert_int_ne(access("a.prev", F_OK), 0);
  ns_checkpoint_fini(&a);
  ns_checkpoint_fini(&b);
}
END_TEST

/* Before the first checkpoint, after it and after the next one; and nobody holds it any more when
 * it is given up. */
START_TEST(one_process_at_a_time_writes_it)
{
  ns_ctx c = {0}, d = {0};
  ns_checkpoint a = make();
  ns_checkpoint_lock mine, other;
  ck_assert_int_eq(ns_checkpoint_lock_take(&c, "a", &mine), NS_OK);
  a.lock = &mine;
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(ns_checkpoint_lock_take(&d, "a", &other), NS_NOCREATE);
    ck_assert_ptr_nonnull(strstr(d.msg, "a: another process is writing it"));
    ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
    ck_assert_int_ne(access("a.new", F_OK), 0);
  }
  ns_checkpoint_lock_drop("a", &mine);
  ck_assert_int_eq(ns_checkpoint_lock_take(&c, "a", &other), NS_OK);
  ns_checkpoint_lock_drop("a", &other);
  a.lock = NULL;
  ns_checkpoint_fini(&a);
}
END_TEST

START_TEST(the_one_before_is_kept)
{
  ns_ctx c = {0};
  ns_checkpoint a = make(), b;
  for (int i = 1; i <= 3; i++) {
    a.step = i;
    ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
  }
  ck_assert_int_eq(ns_checkpoint_read(&c, "a", &b), NS_OK);
  ck_assert_int_eq(b.step, 3);
  ns_checkpoint_fini(&b);
  ck_assert_int_eq(ns_checkpoint_read(&c, "a.prev", &b), NS_OK);
  ck_assert_int_eq(b.step, 2);
  ns_checkpoint_fini(&b);
  ns_checkpoint_fini(&a);
}
END_TEST

/* Neither a folder that is not there nor one in the way of the new file takes the old one away. */
START_TEST(a_write_that_fails_leaves_the_old_one)
{
  ns_ctx c = {0};
  ns_checkpoint a = make(), b;
  ck_assert_int_eq(ns_checkpoint_write(&c, "none/a", &a), NS_OUTPUT);
  ck_assert_ptr_nonnull(
      strstr(c.msg, "none/a: the checkpoint cannot be written: No such file or directory"));
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
  ck_assert_int_eq(mkdir("a.new", 0700), 0);
  a.step = 99;
  ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OUTPUT);
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_checkpoint_read(&c, "a", &b), NS_OK);
  ck_assert_int_eq(b.step, 40);
  ns_checkpoint_fini(&a);
  ns_checkpoint_fini(&b);
}
END_TEST

/* The hash at the end is that of what stands before it. */
static void seal(unsigned char *bytes, size_t n)
{
  struct sha256_ctx h;
  sha256_init(&h);
  sha256_update(&h, n - SHA256_DIGEST_SIZE, bytes);
  sha256_digest(&h, SHA256_DIGEST_SIZE, bytes + n - SHA256_DIGEST_SIZE);
}

START_TEST(every_flipped_bit_is_refused)
{
  ns_ctx c = {0};
  ns_checkpoint a = make(), b;
  unsigned char *bytes;
  unsigned long seed = 4711;
  ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
  size_t n = slurp("a", &bytes);
  for (int i = 0; i < 1000; i++) {
    size_t at = next_random(&seed) % n;
    unsigned char bit = (unsigned char)(1u << next_random(&seed) % 8);
    c = (ns_ctx){0};
    bytes[at] ^= bit;
    ck_assert_msg(ns_checkpoint_parse(&c, "a", bytes, n, &b) == NS_NOINPUT, "bit %d of byte %zu",
                  bit, at);
    ck_assert_ptr_null(b.body.bytes);
    ck_assert_uint_gt(strlen(c.msg), 10);
    bytes[at] ^= bit;
  }
  for (size_t short_ = 0; short_ < n; short_ += 1 + short_ / 9) {
    c = (ns_ctx){0};
    ck_assert_int_eq(ns_checkpoint_parse(&c, "a", bytes, short_, &b), NS_NOINPUT);
  }
  free(bytes);
  ns_checkpoint_fini(&a);
}
END_TEST

/* The hash is right, the content is not: refused, or a run that is as good as its state. Nothing is
 * read outside of it. */
START_TEST(content_that_lies_does_no_harm)
{
  ns_ctx c = {0};
  ns_checkpoint a = make(), b;
  unsigned char *bytes;
  unsigned long seed = 815;
  int refused = 0, ran = 0;
  ck_assert_int_eq(ns_checkpoint_write(&c, "a", &a), NS_OK);
  size_t n = slurp("a", &bytes);
  for (int i = 0; i < 1000; i++) {
    size_t at = 24 + next_random(&seed) % (n - 24 - SHA256_DIGEST_SIZE);
    unsigned char old = bytes[at];
    c = (ns_ctx){0};
    bytes[at] = (unsigned char)(old ^ 1u << next_random(&seed) % 8);
    seal(bytes, n);
    if (ns_checkpoint_parse(&c, "a", bytes, n, &b) == NS_OK) {
      run r = changed_run(beads, &(change){0});
      ck_assert_int_eq(ns_simulation_keep(r.s, &r.c, NULL), NS_OK);
      int rc = ns_simulation_restore(r.s, &r.c, &b.body);
      ck_assert(rc == NS_OK || rc == NS_NOINPUT);
      if (rc == NS_OK) ns_simulation_run(r.s, &r.c, NULL, &(ns_watch){.max_steps = 5});
      refused += rc != NS_OK;
      ran += rc == NS_OK;
      run_end(&r);
    } else refused++;
    ns_checkpoint_fini(&b);
    bytes[at] = old;
  }
  ck_assert_int_ge(refused, 20);
  ck_assert_int_ge(ran, 20);
  free(bytes);
  ns_checkpoint_fini(&a);
}
END_TEST

START_TEST(items_have_their_sizes)
{
  ns_blob b = {0};
  ns_ctx c = {0};
  double x[3] = {1, 2, 3}, y[3] = {0};
  size_t n;
  ns_blob_put_reals(&b, x, 3);
  ns_blob_put(&b, NULL, 0);
  ns_blob_put_text(&b, "end");
  ns_blob_get_reals(&b, y, 3);
  ck_assert(!memcmp(x, y, sizeof x));
  ck_assert_ptr_nonnull(ns_blob_next(&b, &n));
  ck_assert_uint_eq(n, 0);
  ck_assert_str_eq(ns_blob_next_text(&b), "end");
  ck_assert_int_eq(ns_blob_status(&b, &c, "it"), NS_OK);
  ns_blob_get_reals(&b, y, 1); /* beyond the end */
  ck_assert_int_eq(ns_blob_status(&b, &c, "it"), NS_NOINPUT);
  b.at = 0;
  b.failed = 0;
  y[0] = 7;
  ns_blob_get_reals(&b, y, 2); /* of another size: nothing is written, and the failure stays */
  ck_assert_double_eq(y[0], 7);
  ns_blob_get_reals(&b, y, 3);
  ck_assert_double_eq(y[0], 7);
  ck_assert_int_eq(b.failed, NS_NOINPUT);
  ck_assert_str_eq(ns_blob_next_text(&b), "");
  ns_blob_fini(&b);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, enter, leave);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, comes_back_as_it_was);
  tcase_add_test(t, one_process_at_a_time_writes_it);
  tcase_add_test(t, the_one_before_is_kept);
  tcase_add_test(t, a_write_that_fails_leaves_the_old_one);
  tcase_add_test(t, every_flipped_bit_is_refused);
  tcase_add_test(t, content_that_lies_does_no_harm);
  tcase_add_test(t, items_have_their_sizes);
}

int main(void) { return suite_run("checkpoint file", fill); }
