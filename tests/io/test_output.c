/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both formats: what was recorded is read back to the bit, and every way an output can fail. */
#include "io/number.h"
#include "support/output_files.h"
#include "support/suite.h"

#include <fcntl.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static char scratch[64];
static const char *const paths[] = {"out.h5", "out.csv"}; /* loop tests run over both */

static void setup(void) { enter_scratch(scratch); }
static void teardown(void) { leave_scratch(scratch); }

/* ---- round trip ------------------------------------------------------------------------------ */

static void check_values(ns_result *r, ns_ctx *c, int last)
{
  static const char *const labels[] = {
      "ball.x",        "ball.y",       "ball.phi",     "bead.q[0]",     "ball.v_x",
      "ball.v_y",      "ball.v_phi",   "bead.v[0]",    "ball.p_x",      "ball.p_y",
      "ball.p_phi",    "bead.p[0]",    "ground.y",     "link.y[0]",     "link.y[1]",
      "ground.ydot",   "link.ydot[0]", "link.ydot[1]", "ground.lambda", "link.lambda[0]",
      "link.lambda[1]"};
  ck_assert_uint_eq(ns_result_get_meta(r)->nrows, (size_t)last + 1);
  for (int j = 0; j < 21; j++) {
    double *x = read_column(r, c, labels[j]);
    for (int k = 0; k <= last; k++)
      if (x[k] != fixture_value(j, k))
        ck_abort_msg("%s row %d: %.17g, recorded %.17g", labels[j], k, x[k], fixture_value(j, k));
    free(x);
  }
  double *t = read_column(r, c, "time");
  for (int k = 0; k <= last; k++)
    if (t[k] != k * 0.01) ck_abort_msg("time of row %d: %.17g", k, t[k]);
  free(t);
}

START_TEST(every_number_comes_back_to_the_bit)
{
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 10);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 1000, 0), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  check_values(r, &c, 1000);
  ck_assert_int_eq(ns_result_get_meta(r)->nchannels, 26);
  ck_assert_uint_eq(ns_result_get_meta(r)->ncols, FIXTURE_COLUMNS);
  double *n = read_column(r, &c, "diagnostics.newton"), *e = read_column(r, &c, "energy_defect");
  for (int k = 0; k <= 1000; k++) {
    ck_assert_double_eq(n[k], k % 5);
    ck_assert_double_eq(e[k], 1e-14 * k);
  }
  free(n);
  free(e);
  ns_result_close(r);
}
END_TEST

START_TEST(channels_keep_paths_units_names_and_order)
{
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 1);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 3, 0), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  const ns_channel *ch = ns_result_get_meta(r)->channels;
  ck_assert_str_eq(ch[0].path, "time");
  ck_assert_str_eq(ch[0].unit, "s");
  ck_assert_str_eq(ch[1].path, "systems/ball/q");
  ck_assert_str_eq(ch[1].names[2], "phi");
  ck_assert_ptr_null(ch[1].unit);
  ck_assert_int_eq(ch[1].vector, 1);
  ck_assert_int_eq(ch[4].vector, 1); /* one component, still [N x 1] */
  ck_assert_ptr_null(ch[4].names);
  ck_assert_str_eq(ch[9].path, "interactions/ground/lambda");
  ck_assert_str_eq(ch[9].unit, "N s");
  ck_assert_ptr_nonnull(strstr(ch[9].help, "impulse (not a force)"));
  ck_assert_str_eq(ch[10].path, "interactions/ground/force");
  ck_assert_str_eq(ch[10].unit, "N");
  ck_assert_int_eq(ch[1].course, NS_COURSE_CONTINUOUS);
  ck_assert_int_eq(ch[9].course, NS_COURSE_STEP);
  ck_assert_int_eq(ch[10].course, NS_COURSE_STEP);
  ck_assert_str_eq(ch[15].path, "diagnostics/newton");
  ck_assert_int_eq(ch[15].vector, 0);
  ns_result_close(r);
}
END_TEST

START_TEST(events_come_back)
{
  enum { N = 2500 }; /* more than two buffers */
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 1);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 3, N), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  const ns_result_event *e;
  ck_assert_uint_eq(ns_result_get_meta(r)->nevents, N);
  ck_assert_int_eq(ns_result_events(r, &c, &e), NS_OK);
  for (int k = 0; k < N; k++) {
    ns_event x = fixture_event(k);
    ck_assert_double_eq(e[k].t, x.t);
    ck_assert_int_eq(e[k].kind, (int)x.kind);
    ck_assert_str_eq(e[k].interaction, k % 2 ? "link" : "ground");
    ck_assert_int_eq(e[k].index, x.interaction);
    ck_assert_int_eq(e[k].row, x.row);
    ck_assert_double_eq(e[k].before, x.before);
    ck_assert_double_eq(e[k].after, x.after);
    ck_assert_double_eq(e[k].impulse, x.impulse);
  }
  ns_result_close(r);
}
END_TEST

START_TEST(model_provenance_and_certificate_come_back)
{
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 1);
  f.result.status = "failed";
  f.result.message = "t = 1: \"quoted\", and a newline\nand \303\274";
  f.result.exit = 70;
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 7, 0), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  const ns_result_meta *m = ns_result_get_meta(r);
  ck_assert_str_eq(m->format, "nssim-output-1");
  ck_assert_str_eq(m->name, "fixture");
  ck_assert_str_eq(m->title, "Output, \"quoted\"");
  ck_assert_double_eq(m->T, 1);
  ck_assert_double_eq(m->h, 0.01);
  ck_assert_int_eq(m->nparameters, 2);
  ck_assert_str_eq(m->parameters[0].name, "m");
  ck_assert_double_eq(m->parameters[0].value, 0.1);
  ck_assert_str_eq(m->parameters[0].unit, "kg");
  ck_assert_ptr_null(m->parameters[1].unit);
  ck_assert_int_eq(m->parameters[1].overridden, 1);
  ck_assert_int_eq(m->nsources, 1);
  ck_assert_str_eq(m->sources[0].path, "ball.xml");
  ck_assert_uint_eq(strlen(m->sources[0].sha256), 64);
  const ns_provenance *p = &m->provenance;
  ck_assert_str_eq(p->command, f.info.command);
  ck_assert_str_eq(p->started, f.info.started);
  ck_assert_str_eq(p->finished, f.result.finished);
  ck_assert_str_eq(p->status, "failed");
  ck_assert_str_eq(p->message, f.result.message);
  ck_assert_int_eq(p->exit, 70);
  ck_assert_double_eq(p->wall, 0.25);
  ck_assert_int_eq(m->has_certificate, 1);
  for (const ns_cert_field *q = ns_cert_fields(0); q->name; q++)
    ck_assert_msg(ns_cert_get(q, &m->certificate) == ns_cert_get(q, &f.cert), "%s", q->name);
  if (_i == 0) ck_assert_str_eq(m->xml, "<model/>\n");
  ns_result_close(r);
}
END_TEST

START_TEST(certificate_names_every_member)
{
  /* One field a member, none twice: their sizes fill the struct. */
  size_t sum = 0;
  for (const ns_cert_field *f = ns_cert_fields(0); f->name; f++)
    sum += f->kind == NS_CERT_INT ? sizeof(int) : 8;
  ck_assert_uint_eq((sum + 7) & ~(size_t)7, sizeof(ns_certificate));
}
END_TEST

START_TEST(names_are_found_and_mistakes_are_explained)
{
  static const struct {
    const char *name, *label;
  } good[] = {{"ball.q[1]", "ball.y"},
              {"bead.q", "bead.q[0]"},
              {"ground.lambda", "ground.lambda"},
              {"newton", "diagnostics.newton"},
              {"systems/ball/v[2]", "ball.v_phi"}};
  static const struct {
    const char *name, *hint;
  } bad[] = {{"bal.x", "did you mean \"ball.x\"?"},
             {"ball.q", "3 components"},
             {"ground.lamda", "did you mean \"ground.lambda\"?"},
             {"ball.q[3]", "no quantity"},
             {"zzzzzzzz", "lists them"}};
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 1);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 3, 0), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  ns_column col, *cols;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    ck_assert_int_eq(ns_result_find(r, &c, good[i].name, &col), NS_OK);
    ck_assert_str_eq(col.label, good[i].label);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    c = (ns_ctx){0};
    ck_assert_int_eq(ns_result_find(r, &c, bad[i].name, &col), NS_USAGE);
    ck_assert_msg(strstr(c.msg, bad[i].hint) != NULL, "%s", c.msg);
  }
  int n;
  ns_arena *a = ns_arena_create(0, 1);
  ck_assert_int_eq(ns_result_match(r, &c, "ball.q", a, &cols, &n), NS_OK);
  ck_assert_int_eq(n, 3);
  ck_assert_str_eq(cols[2].label, "ball.phi");
  ck_assert_int_eq(ns_result_match(r, &c, "*.lambda*", a, &cols, &n), NS_OK);
  ck_assert_int_eq(n, 3);
  ck_assert_int_eq(ns_result_match(r, &c, "link.y[1]", a, &cols, &n), NS_OK);
  ck_assert_int_eq(n, 1);
  ns_arena_destroy(a);
  ns_result_close(r);
}
END_TEST

START_TEST(thousands_of_objects_become_tables)
{
  enum { N = 1500 };
  static ns_system s[N];
  static char id[N][16];
  static double q[N], v[N], p[N];
  fixture f;
  ns_ctx c = {0};
  fixture_init(&f, 0.01, 1);
  for (int i = 0; i < N; i++) {
    snprintf(id[i], sizeof id[i], "bead%d", i);
    s[i] = (ns_system){.at = {.id = id[i]}, .n = 1, .nq = 1, .q = (size_t)i, .v = (size_t)i};
  }
  f.model.systems = s;
  f.model.nsystems = N;
  f.state.q = q;
  f.state.v = v;
  f.state.p = p;
  ns_recorder *r;
  ck_assert_int_eq(open_recorder(&f, &c, paths[_i], &r), NS_OK);
  for (int k = 0; k < 300; k++) {
    for (int i = 0; i < N; i++) q[i] = i + 1e-3 * k;
    v[N - 1] = k;
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  ns_result *res = open_result(&c, paths[_i]);
  ck_assert_uint_eq(ns_result_get_meta(res)->nrows, 300);
  ck_assert_str_eq(ns_result_get_meta(res)->channels[1].path, "systems/q");
  double *a = read_column(res, &c, "bead1234.q[0]"), *b = read_column(res, &c, "bead1499.v[0]");
  for (int k = 0; k < 300; k++) {
    ck_assert_double_eq(a[k], 1234 + 1e-3 * k);
    ck_assert_double_eq(b[k], k);
  }
  free(a);
  free(b);
  ns_result_close(res);
}
END_TEST

/* ---- kill -9 --------------------------------------------------------------------------------- */

/* A child that records and flushes, tells its parent through the pipe, and goes on until killed. */
static void record_until_killed(const char *path, int tell)
{
  fixture f;
  ns_ctx c = {0};
  ns_recorder *r;
  const ns_sink_ops *ops;
  fixture_init(&f, 0.01, 1e4);
  if (ns_sink_find(&c, path, &ops) ||
      ns_recorder_create(&c, &f.model, &f.state, ops, path, &f.info, NULL, 0, 1, &r))
    _exit(1);
  struct timespec nap = {.tv_nsec = 600000000};
  for (int k = 0;; k++) {
    fixture_step(&f, k);
    if (k == 1000) nanosleep(&nap, NULL); /* a slow row is flushed at once ... */
    for (int i = 0; k == 1000 && i < 256; i++) ns_recorder_step(r);
    if (ns_recorder_row(r, &c)) _exit(1);
    if (k == 1256 && write(tell, "x", 1) != 1) _exit(1); /* ... at the latest 256 rows later */
  }
}

START_TEST(killed_run_leaves_all_that_was_flushed)
{
  int tell[2], status;
  char x;
  ck_assert_int_eq(pipe(tell), 0);
  pid_t pid = fork();
  if (pid == 0) record_until_killed(paths[_i], tell[1]);
  ck_assert_int_eq((int)read(tell[0], &x, 1), 1);
  struct timespec nap = {.tv_nsec = 50000000};
  nanosleep(&nap, NULL); /* somewhere in the midst of writing */
  kill(pid, SIGKILL);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

  ns_ctx c;
  ns_result *r = open_result(&c, paths[_i]);
  const ns_result_meta *m = ns_result_get_meta(r);
  ck_assert_str_eq(m->provenance.status, "running");
  ck_assert_int_eq(m->has_certificate, 0);
  ck_assert_uint_ge(m->nrows, 1000);
  check_values(r, &c, (int)m->nrows - 1);
  ns_result_close(r);
}
END_TEST

/* ---- what cannot be created ------------------------------------------------------------------ */

static void refuse(const char *path, int code, int exit, const char *words)
{
  fixture f;
  ns_ctx c;
  ns_recorder *r;
  fixture_init(&f, 0.01, 1);
  int rc = open_recorder(&f, &c, path, &r);
  ck_assert_msg(rc == code, "%s: %d %s", path, rc, c.msg);
  ck_assert_ptr_null(r);
  ck_assert_int_eq(ns_status_exit(rc), exit);
  ck_assert_msg(strstr(c.msg, words) && strstr(c.msg, path), "%s", c.msg);
  ck_assert_int_eq(c.nerrors, 1);
}

START_TEST(outputs_that_cannot_be_created_are_refused)
{
  const char *suffix = strrchr(paths[_i], '.');
  char path[64];
  snprintf(path, sizeof path, "folder%s", suffix);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  refuse(path, NS_NOCREATE, 73, _i == 0 ? "folder" : "directory");
  snprintf(path, sizeof path, "missing/out%s", suffix);
  refuse(path, NS_NOCREATE, 73, "No such file or directory");
  if (geteuid() == 0) return; /* root may write anywhere */
  ck_assert_int_eq(mkdir("locked", 0555), 0);
  snprintf(path, sizeof path, "locked/out%s", suffix);
  refuse(path, NS_NOCREATE, 73, "Permission denied");
}
END_TEST

START_TEST(unknown_suffix_is_a_matter_of_usage)
{
  refuse("out.dat", NS_USAGE, 2, "end it in .h5 or .csv");
  refuse(".h5", NS_USAGE, 2, "cannot determine the format");
  ck_assert_int_eq(symlink("/dev/null", "device.h5"), 0);
  refuse("device.h5", NS_NOCREATE, 73, "device or pipe");
}
END_TEST

/* Channels are written without jansson: read and written by it, the text is the same. */
START_TEST(companion_is_as_jansson_writes_it)
{
  static const char *const odd[] = {"q\"uote\\", "\b\f\n\r\t\x01\x1f\x7f/", "\xc3\xa9 \xe2\x82\xac",
                                    ""};
  static const char *const unit[] = {"m", NULL, "", "rad"};
  const ns_channel channel[] = {
      {.path = "time", .unit = "s", .ncol = 1, .labels = odd},
      {.path = "a/b", .help = odd[1], .ncol = 4, .vector = 1, .labels = odd, .units = unit},
      {.path = "", .ncol = 2, .labels = odd, .names = odd + 2}};
  for (int n = 0; n <= 3; n++) {
    const ns_result_meta m = {.format = NS_OUTPUT_FORMAT, .channels = channel, .nchannels = n};
    char *text = ns_result_meta_json(&m, NULL);
    json_t *root = json_loads(text, 0, NULL);
    char *again = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    ck_assert_str_eq(text, again);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "channels")), (size_t)n);
    free(again);
    json_decref(root);
    free(text);
  }
}
END_TEST

START_TEST(companion_that_cannot_be_created_leaves_nothing_behind)
{
  ck_assert_int_eq(mkdir("out.json", 0777), 0);
  FILE *old = fopen("out.events.csv", "w");
  fputs("precious\n", old);
  fclose(old);
  fixture f;
  ns_ctx c;
  ns_recorder *r;
  fixture_init(&f, 0.01, 1);
  ck_assert_int_eq(open_recorder(&f, &c, "out.csv", &r), NS_NOCREATE);
  ck_assert_ptr_nonnull(strstr(c.msg, "out.json"));
  ck_assert_int_ne(access("out.csv", F_OK), 0);
  char line[16] = "";
  old = fopen("out.events.csv", "r");
  ck_assert_ptr_nonnull(fgets(line, sizeof line, old));
  fclose(old);
  ck_assert_str_eq(line, "precious\n");
}
END_TEST

START_TEST(existing_file_is_replaced)
{
  fixture f;
  ns_ctx c;
  fixture_init(&f, 0.01, 10);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 500, 20), NS_OK);
  ck_assert_int_eq(write_run(&f, &c, paths[_i], 3, 1), NS_OK);
  ns_result *r = open_result(&c, paths[_i]);
  check_values(r, &c, 3);
  ck_assert_uint_eq(ns_result_get_meta(r)->nevents, 1);
  ns_result_close(r);
}
END_TEST

/* ---- full disks ------------------------------------------------------------------------------ */

START_TEST(full_device_is_an_output_error)
{
  fixture f;
  ns_ctx c;
  fixture_init(&f, 0.01, 10);
  ck_assert_int_eq(symlink("/dev/full", "full.csv"), 0);
  ck_assert_int_eq(write_run(&f, &c, "full.csv", 10, 0), NS_OUTPUT);
  ck_assert_int_eq(ns_status_exit(c.rc), 74);
  ck_assert_ptr_nonnull(strstr(c.msg, "No space left on device"));
  ck_assert_int_ne(access("full.json", F_OK), 0); /* made by the run that never began */
}
END_TEST

/* In a child: no file may grow beyond `bytes`. Exit: 0 as claimed. */
static int run_limited(const char *path, rlim_t bytes, int last)
{
  fixture f;
  ns_ctx c;
  fixture_init(&f, 0.01, 1000);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit l = {bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &l);
  int rc = write_run(&f, &c, path, last, 0);
  if (rc != NS_OUTPUT && rc != NS_NOCREATE) return 1;
  if (strncmp(c.msg, "out.", 4) != 0 || !strstr(c.msg, "File too large"))
    return fprintf(stderr, "%s\n", c.msg), 2;
  return c.nerrors == 1 ? 0 : 3;
}

static void limited(const char *path, rlim_t bytes, int last)
{
  int status;
  pid_t pid = fork();
  if (pid == 0) _exit(run_limited(path, bytes, last));
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "limit %ld: status %x", (long)bytes,
                (unsigned)status);
}

START_TEST(disk_full_while_writing_keeps_what_was_flushed)
{
  limited(paths[_i], 1000000, 100000);
  ns_ctx c;
  ns_result *r = open_result(&c, paths[_i]);
  const ns_result_meta *m = ns_result_get_meta(r);
  ck_assert_str_ne(m->provenance.status, "complete");
  check_values(r, &c, (int)m->nrows - 1);
  if (_i == 1) ck_assert_uint_ge(m->nrows, 1000); /* CSV flushes each hand-over */
  ns_result_close(r);
}
END_TEST

START_TEST(disk_full_at_any_point_is_noticed)
{
  /* 11 rows: the head, the rows or only the end may find no room. */
  for (rlim_t bytes = 1; bytes < (_i == 0 ? 60000 : 6000); bytes = bytes * 5 / 4 + 1)
    limited(paths[_i], bytes, 10);
}
END_TEST

/* ---- CSV as text ----------------------------------------------------------------------------- */

static char *slurp(const char *path)
{
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  char *s = calloc(1, 1 << 20);
  ck_assert_uint_gt(fread(s, 1, (1 << 20) - 1, f), 0);
  fclose(f);
  return s;
}

START_TEST(csv_is_rfc_4180)
{
  static const char *const odd[] = {"a,b", "say \"x\"", "z"};
  fixture f;
  ns_ctx c;
  fixture_init(&f, 0.1, 1);
  f.systems[0].names = odd;
  ck_assert_int_eq(write_run(&f, &c, "out.csv", 1, 1), NS_OK);
  char *s = slurp("out.csv"), *e = slurp("out.events.csv");
  const char head[] = "time,\"ball.a,b\",\"ball.say \"\"x\"\"\",ball.z,\"ball.v_a,b\",";
  ck_assert_msg(strncmp(s, head, sizeof head - 1) == 0, "%s", s);
  ck_assert_ptr_null(strchr(s, '\r'));
  ck_assert_ptr_nonnull(strstr(s, "\n0.10000000000000001,"));
  const char events[] =
      "time,kind,interaction,index,row,velocity_before,velocity_after,impulse,energy_lost,mode_"
      "before,mode_after\n"
      "0,impact,ground,0,0,-1,0.69999999999999996,0.10000000000000001,0,free,free\n";
  ck_assert_str_eq(e, events);
  free(s);
  free(e);
  ns_result *r = open_result(&c, "out.csv");
  double *x = read_column(r, &c, "ball.a,b");
  ck_assert_double_eq(x[1], fixture_value(0, 1));
  free(x);
  ns_result_close(r);
}
END_TEST

START_TEST(numbers_are_those_of_printf)
{
  uint64_t s = 88172645463325252u;
  char mine[NS_NUMBER_SIZE], theirs[64];
  for (int i = 0; i < 2000000; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    double x;
    switch (i % 6) {
    case 0:
      memcpy(&x, &s, 8);
      break; /* any bits */
    /* ties among them */
    case 4: x = ldexp((double)((s >> 12) | 1ull << 52), -(int)(2 + s % 5)); break;
    case 5: x = (double)(s >> s % 64); break;
    case 1: x = (double)(int64_t)(s % 2000001) * 0.001 - 1000; break; /* few digits */
    case 2: x = ldexp((double)(s >> 11), -(int)(s % 120)); break;
    default: x = pow(10, (int)(s % 70) - 35) * (1 + (int)((s >> 32) % 5 - 2) * 1.1e-16); break;
    }
    snprintf(theirs, sizeof theirs, "%.17g", x);
    if (ns_number_format(x, mine) != strlen(theirs) || strcmp(mine, theirs) != 0)
      ck_abort_msg("%s, printf writes %s", mine, theirs);
  }
}
END_TEST

START_TEST(locale_does_not_matter)
{
  fixture f;
  ns_ctx c;
  fixture_init(&f, 0.1, 1);
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) return;
  char decimal[8];
  snprintf(decimal, sizeof decimal, "%.1f", 0.5);
  ck_assert_int_eq(decimal[1], ',');
  f.cert.defect = 1e-300; /* beyond the fast path */
  ck_assert_int_eq(write_run(&f, &c, "out.csv", 5, 1), NS_OK);
  char *s = slurp("out.json");
  ck_assert_ptr_nonnull(strstr(s, "0.9"));
  free(s);
  ns_result *r = open_result(&c, "out.csv");
  double *x = read_column(r, &c, "ball.x");
  for (int k = 0; k <= 5; k++) ck_assert_double_eq(x[k], fixture_value(0, k));
  free(x);
  ns_result_close(r);
}
END_TEST

/* ---- tables of others ------------------------------------------------------------------------ */

static ns_result *table(ns_ctx *c, const char *text)
{
  FILE *f = fopen("table.csv", "w");
  fputs(text, f);
  fclose(f);
  ns_result *r = NULL;
  *c = (ns_ctx){0};
  ns_result_open(c, "table.csv", &r);
  return r;
}

START_TEST(foreign_tables_are_read)
{
  static const char *const text[] = {
      "t,x,note\n0,1,a\n0.5,2,b\n1,3,\n",
      "# comment\n# another\nt;x;note\r\n0;1;a\r\n0.5;2;b\r\n1;3;c\r\n",
      "\"t\"\t\"x\"\tnote\n0\t1\t\n.5\t2e0\t\n\n1\t 3 \t",
      "\357\273\277seconds,x\n0,1\n5e-1,2\n1,3"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    ns_ctx c;
    ns_result *r = table(&c, text[i]);
    ck_assert_msg(r != NULL, "table %zu: %s", i, c.msg);
    ck_assert_uint_eq(ns_result_get_meta(r)->nrows, 3);
    ck_assert_ptr_null(ns_result_get_meta(r)->format);
    double *t = read_column(r, &c, "time"), *x = read_column(r, &c, "x");
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq(t[k], 0.5 * k);
      ck_assert_double_eq(x[k], k + 1);
    }
    free(t);
    free(x);
    ns_result_close(r);
  }
}
END_TEST

START_TEST(bad_tables_are_refused_with_the_line)
{
  static const struct {
    const char *text, *words;
  } row[] = {{"", "no names of columns"},
             {"1,2\n3,4\n", "no names of columns"},
             {"t,x\n0,1\n1\n", "table.csv:3: 1 field, expected 2"},
             {"t,x\n0,1\n1,2,3\n", "table.csv:3: more than 2 fields"},
             {"t,x\n0,1\n1,2x\n", "table.csv:3: column \"x\": \"2x\" is not a number"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ns_ctx c;
    ck_assert_ptr_null(table(&c, row[i].text));
    ck_assert_int_eq(c.rc, NS_NOINPUT);
    ck_assert_msg(strstr(c.msg, row[i].words) != NULL, "%s", c.msg);
  }
}
END_TEST

START_TEST(what_is_no_result_is_refused)
{
  ns_ctx c = {0};
  ns_result *r;
  ck_assert_int_eq(ns_result_open(&c, "nowhere.h5", &r), NS_NOINPUT);
  ck_assert_ptr_nonnull(strstr(c.msg, "nowhere.h5: cannot read: No such file"));
  FILE *f = fopen("bad.h5", "w");
  fwrite("\211HDF\r\n\032\n and then nonsense", 1, 27, f);
  fclose(f);
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_result_open(&c, "bad.h5", &r), NS_NOINPUT);
  ck_assert_ptr_nonnull(strstr(c.msg, "bad.h5"));
  f = fopen("bad.csv", "w");
  fwrite("t,x\n0,\0\n", 1, 8, f);
  fclose(f);
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_result_open(&c, "bad.csv", &r), NS_NOINPUT);
  ck_assert_ptr_nonnull(strstr(c.msg, "NUL"));
}
END_TEST

int main(void)
{
  use_own_module();
  Suite *s = suite_create("output");
  TCase *both = tcase_create("formats"), *text = tcase_create("text");
  tcase_add_checked_fixture(both, setup, teardown);
  tcase_add_checked_fixture(text, setup, teardown);
  tcase_set_timeout(both, 60);
  tcase_set_timeout(text, 60);
  int from = have_module() ? 0 : 1;
  if (from) puts("skipped: HDF5, because the module nssim-hdf5.so is not built");
  tcase_add_loop_test(both, every_number_comes_back_to_the_bit, from, 2);
  tcase_add_loop_test(both, channels_keep_paths_units_names_and_order, from, 2);
  tcase_add_loop_test(both, events_come_back, from, 2);
  tcase_add_loop_test(both, model_provenance_and_certificate_come_back, from, 2);
  tcase_add_loop_test(both, names_are_found_and_mistakes_are_explained, from, 2);
  tcase_add_loop_test(both, thousands_of_objects_become_tables, from, 2);
  tcase_add_loop_test(both, killed_run_leaves_all_that_was_flushed, from, 2);
  tcase_add_loop_test(both, outputs_that_cannot_be_created_are_refused, from, 2);
  tcase_add_loop_test(both, existing_file_is_replaced, from, 2);
  tcase_add_loop_test(both, disk_full_while_writing_keeps_what_was_flushed, from, 2);
  tcase_add_loop_test(both, disk_full_at_any_point_is_noticed, from, 2);
  if (!from) tcase_add_test(both, unknown_suffix_is_a_matter_of_usage);
  tcase_add_test(text, certificate_names_every_member);
  tcase_add_test(text, companion_is_as_jansson_writes_it);
  tcase_add_test(text, companion_that_cannot_be_created_leaves_nothing_behind);
  tcase_add_test(text, full_device_is_an_output_error);
  tcase_add_test(text, csv_is_rfc_4180);
  tcase_add_test(text, numbers_are_those_of_printf);
  tcase_add_test(text, locale_does_not_matter);
  tcase_add_test(text, foreign_tables_are_read);
  tcase_add_test(text, bad_tables_are_refused_with_the_line);
  tcase_add_test(text, what_is_no_result_is_refused);
  suite_add_tcase(s, both);
  suite_add_tcase(s, text);
  return suite_end(s);
}
