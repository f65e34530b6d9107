/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_compare.c -- nssim compare: whether two outputs, or two folders of them, say the same. */
#include "base/claim.h"
#include "base/plural.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/compare_report.h"
#include "cli/console.h"
#include "cli/paths.h"
#include "io/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct options {
  ns_compare_options compare;
  const char *a, *b;
  const char *junit, *plot, *map_file;
  int json, quiet;
  ns_arena *arena; /* patterns, names, reports */
  ns_ctx *c;
} compare_command;

enum {
  KEY_RTOL = 0x200,
  KEY_ATOL,
  KEY_TIME_TOL,
  KEY_UNTIL,
  KEY_ONLY,
  KEY_IGNORE,
  KEY_MAP,
  KEY_MAP_FILE,
  KEY_JSON,
  KEY_JUNIT,
  KEY_PLOT,
  KEY_EVENTS_UNTIL,
  KEY_NOMINAL,
  KEY_QUATERNION
};

static const struct argp_option options[] = {
    {"rtol", KEY_RTOL, "R", 0,
     "Relative tolerance, of the largest value or range of the reference (default 1e-6)", 0},
    {"atol", KEY_ATOL, "A", 0, "Absolute tolerance (1e-9)", 0},
    {"time-tol", KEY_TIME_TOL, "T", 0,
     "Largest difference of event times, s (default 0: rows and events have the same times)", 0},
    {"until", KEY_UNTIL, "T", 0, "Compare up to this time, s", 0},
    {"events-until", KEY_EVENTS_UNTIL, "T", 0,
     "After this time, s, compare states without matching events", 0},
    {"nominal", KEY_NOMINAL, "PATTERN=V", 0,
     "The scale of these quantities is at least V (repeatable)", 0},
    {"quaternion", KEY_QUATERNION, "W,X,Y,Z", 0,
     "These four quantities are a unit quaternion, whose sign is ignored", 0},
    {"only", KEY_ONLY, "PATTERNS", 0,
     "Compare only these quantities: id.quantity with * and ?, separated by commas", 0},
    {"ignore", KEY_IGNORE, "PATTERNS", 0, "Ignore these quantities", 0},
    {"map", KEY_MAP, "A=B", 0, "Quantity A of the first file is B of the second (repeatable)", 0},
    {"map-file", KEY_MAP_FILE, "FILE", 0, "Read such pairs from a file, one per line", 0},
    {"json", KEY_JSON, 0, 0, "Print a JSON object", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "Write a JUnit report", 0},
    {"plot", KEY_PLOT, "FILE", 0,
     "Plot the quantity with the largest difference, from both files, and the difference (.svg, "
     ".png, .pdf, .html, .txt)",
     0},
    {"quiet", 'q', 0, 0, "Print nothing; use the exit status", 0},
    {0},
};

static const char doc[] =
    "Compare two outputs (HDF5, CSV, foreign tables), or two folders of them, file by file, "
    "including subfolders. B is the reference. Exit status 0: the same, 1: different.\n\n"
    "Examples:\n"
    "  nssim compare out.h5 reference.h5\n"
    "  nssim compare fine.h5 coarse.csv --time-tol 0.01   different steps\n"
    "  nssim compare out.h5 reference.h5 --until 2 --only 'ball.*'\n"
    "  nssim compare out.csv measured.csv --map ball.x=height --only ball.x\n"
    "  nssim compare results/ reference/ --junit report.xml\n"
    "\vEvents are matched by kind, contact and order; between them the time of A is mapped to that "
    "of B, so that impacts are equal if their times differ by at most --time-tol. Diagnostics are "
    "compared only if --only lists them. An incomplete or shorter run is different.";

/* ---- options --------------------------------------------------------------------------------- */

static char *trimmed(char *s)
{
  while (*s == ' ' || *s == '\t') s++;
  for (size_t n = strlen(s); n && strchr(" \t\r\n", s[n - 1]); n--) s[n - 1] = 0;
  return s;
}

/* Append to an array that is never long: it is copied. 1 if good. */
static int append(ns_arena *a, const void **array, int *n, size_t size, const void *item)
{
  char *p = ns_arena_get(a, (size_t)*n + 1, size);
  if (!p) return 0;
  if (*n) memcpy(p, *array, (size_t)*n * size);
  memcpy(p + (size_t)*n * size, item, size);
  *array = p;
  ++*n;
  return 1;
}

static error_t add_patterns(compare_command *o, char *list, const char *const **to, int *n)
{
  char *rest = NULL;
  for (char *s = strtok_r(list, ",", &rest); s; s = strtok_r(NULL, ",", &rest)) {
    const void *p = *to;
    if (!append(o->arena, &p, n, sizeof s, &s)) return ENOMEM;
    *to = p;
  }
  return 0;
}

/* "A=B", cut in place. 1 if good, 0: it is none, -1: out of memory. Names of quantities have no =.
 */
static int add_map(compare_command *o, char *text)
{
  char *eq = strchr(text, '=');
  const void *p = o->compare.map;
  if (!eq || eq == text || !eq[1]) return 0;
  *eq = 0;
  ns_compare_map m = {trimmed(text), trimmed(eq + 1)};
  if (!append(o->arena, &p, &o->compare.nmap, sizeof m, &m)) return -1;
  o->compare.map = p;
  return 1;
}

static error_t map_option(struct argp_state *state, char *arg)
{
  int good = add_map(state->input, arg);
  if (!good)
    ns_console_refuse(
        state, "--map '%s': expected A=B, a name in the first file and one in the second", arg);
  return good < 0 ? ENOMEM : 0;
}

/* "PATTERN=V", cut in place. */
static error_t nominal_option(struct argp_state *state, char *arg)
{
  compare_command *o = state->input;
  char *eq = strrchr(arg, '=');
  ns_compare_nominal x = {arg, 0};
  const void *p = o->compare.nominal;
  if (!eq || eq == arg || !ns_console_real(eq + 1, &x.value) || x.value <= 0)
    ns_console_refuse(
        state,
        "--nominal '%s': expected PATTERN=V, quantities of the reference and a positive number",
        arg);
  else *eq = 0;
  if (!append(o->arena, &p, &o->compare.nnominal, sizeof x, &x)) return ENOMEM;
  o->compare.nominal = p;
  return 0;
}

static error_t quaternion_option(compare_command *o, const char *arg)
{
  const void *p = o->compare.quaternions;
  if (!append(o->arena, &p, &o->compare.nquaternions, sizeof arg, &arg)) return ENOMEM;
  o->compare.quaternions = p;
  return 0;
}

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {KEY_RTOL, NS_CONSOLE_AMOUNT, offsetof(compare_command, compare.rtol), "--rtol", 0},
    {KEY_ATOL, NS_CONSOLE_AMOUNT, offsetof(compare_command, compare.atol), "--atol", 0},
    {KEY_TIME_TOL, NS_CONSOLE_AMOUNT, offsetof(compare_command, compare.time_tol), "--time-tol", 0},
    {KEY_UNTIL, NS_CONSOLE_TIME, offsetof(compare_command, compare.until), "--until", 0},
    {KEY_EVENTS_UNTIL, NS_CONSOLE_TIME, offsetof(compare_command, compare.events_until),
     "--events-until", 0},
    {KEY_MAP_FILE, NS_CONSOLE_TEXT, offsetof(compare_command, map_file), NULL, 0},
    {KEY_JSON, NS_CONSOLE_FLAG, offsetof(compare_command, json), NULL, 0},
    {KEY_JUNIT, NS_CONSOLE_TEXT, offsetof(compare_command, junit), NULL, 0},
    {KEY_PLOT, NS_CONSOLE_TEXT, offsetof(compare_command, plot), NULL, 0},
    {'q', NS_CONSOLE_FLAG, offsetof(compare_command, quiet), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  compare_command *o = state->input;
  switch (key) {
  case KEY_NOMINAL: return nominal_option(state, arg);
  case KEY_QUATERNION: return quaternion_option(o, arg);
  case KEY_ONLY: return add_patterns(o, arg, &o->compare.only, &o->compare.nonly);
  case KEY_IGNORE: return add_patterns(o, arg, &o->compare.ignore, &o->compare.nignore);
  case KEY_MAP: return map_option(state, arg);
  case ARGP_KEY_ARG:
    if (o->b)
      ns_console_refuse(state, "three files, '%s', '%s' and '%s': expected two", o->a, o->b, arg);
    *(o->a ? &o->b : &o->a) = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->b)
      ns_console_refuse(
          state, "too few outputs: expected two files or two folders, A and B, where B is the "
                 "reference");
    return 0;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp compare_argp = {options, parse_option, "A B", doc, 0, 0, 0};

/* Lines A=B; empty ones and those that begin with # are passed over. */
static int read_map_lines(compare_command *o, FILE *f)
{
  char *line = NULL;
  size_t cap = 0;
  int rc = NS_OK;
  for (int at = 1; !rc && getline(&line, &cap, f) >= 0; at++) {
    char *text = trimmed(line), *kept = ns_arena_text(o->arena, text);
    int good = !kept ? -1 : !*text || *text == '#' ? 1 : add_map(o, kept);
    if (good < 0) rc = ns_nomem(o->c, "names of --map-file");
    else if (!good)
      rc = ns_fail(o->c, NS_USAGE, "%s:%d: '%.200s': expected A=B", o->map_file, at, text);
  }
  free(line);
  return rc;
}

static int read_map_file(compare_command *o)
{
  if (!o->map_file) return NS_OK;
  FILE *f = fopen(o->map_file, "re");
  if (!f && errno == ENOMEM) return ns_nomem(o->c, "names of --map-file");
  if (!f) return ns_fail(o->c, NS_NOINPUT, "%s: cannot read: %s", o->map_file, strerror(errno));
  int rc = read_map_lines(o, f);
  if (!rc && ferror(f))
    rc = ns_fail(o->c, NS_NOINPUT, "%s: cannot read: %s", o->map_file, strerror(errno));
  fclose(f);
  return rc;
}

/* ---- one pair -------------------------------------------------------------------------------- */

/* What to draw: what is farthest from its tolerance; without values, nothing. */
static int draw(compare_command *o, ns_ctx *c, ns_result *a, ns_result *b,
                const ns_compare_report *r)
{
  const ns_compare_quantity *worst = NULL;
  for (size_t i = 0; i < r->nquantities; i++) {
    const ns_compare_quantity *q = &r->quantities[i];
    if (q->worst.quantity && (!worst || q->worst.ratio > worst->worst.ratio)) worst = q;
  }
  char page[PATH_MAX];
  const ns_plot_options picture = {
      .output = o->plot,
      .format = NS_PLOT_SVG,
      .page = ns_paths_data("view/plot.html", page, sizeof page) ? page : NULL};
  if (worst) return ns_compare_plot(c, a, b, worst->label_a, worst->label, &picture);
  ns_warn(c, "--plot %s: no quantity was compared, nothing is plotted", o->plot);
  return NS_OK;
}

static int compare_files(compare_command *o, ns_ctx *c, ns_compared *x)
{
  ns_result *a = NULL, *b = NULL;
  x->rc = ns_cli_open_result(c, x->a, &a);
  if (!x->rc) x->rc = ns_cli_open_result(c, x->b, &b);
  if (!x->rc) x->rc = ns_compare(c, a, b, &o->compare, o->arena, &x->report);
  if (!x->rc && o->plot) x->rc = draw(o, c, a, b, &x->report);
  ns_result_close(a);
  ns_result_close(b);
  if (x->rc) x->message = ns_arena_text(o->arena, c->msg);
  if (!x->message) x->message = "";
  return x->rc;
}

/* JSON on one page, written to its end or said. */
static int put_json(ns_ctx *c, ns_json j)
{
  errno = 0;
  if (ns_json_page(j, 17, stdout) == 0) return NS_OK;
  return errno ? ns_fail(c, NS_OUTPUT, "standard output: cannot write: %s", strerror(errno))
               : ns_nomem(c, "JSON");
}

static int one(compare_command *o)
{
  ns_compared x = {.a = o->a, .b = o->b, .name = o->a};
  int rc = compare_files(o, o->c, &x);
  if (o->junit) ns_compared_junit(o->c, &x, 1, o->junit);
  if (rc) return ns_cli_exit(o->c);
  if (o->json) put_json(o->c, ns_compared_json(&x, &o->compare));
  else if (!o->quiet) ns_compare_print(&x.report, &o->compare, stdout);
  if (o->c->rc) return ns_cli_exit(o->c);
  return ns_status_exit(x.report.same ? NS_OK : NS_DIFFER);
}

/* ---- folders --------------------------------------------------------------------------------- */

static int is_output(const char *s)
{
  return ns_ends_in(s, ".h5") || ns_ends_in(s, ".hdf5") ||
         (ns_ends_in(s, ".csv") && !ns_ends_in(s, ".events.csv"));
}

static const char *join(ns_arena *a, const char *folder, const char *name)
{
  return ns_arena_format(a, "%s%s%s", folder, ns_ends_in(folder, "/") ? "" : "/", name);
}

typedef struct suite {
  ns_compared *x;
  size_t n, same, different, unreadable;
  int rc; /* of the first file that could not be compared */
} suite;

/* Outputs below a folder by their paths from there, ascending; links to folders are not followed.
 */
typedef struct listing {
  compare_command *o;
  const char **names; /* [n] */
  size_t n, cap;
} listing;

static int add_name(listing *l, const char *name)
{
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 64;
    const char **all = ns_arena_get(l->o->arena, cap, sizeof *all);
    if (!all) return ns_nomem(l->o->c, "names of outputs");
    if (l->n) memcpy(all, l->names, l->n * sizeof *all);
    l->names = all;
    l->cap = cap;
  }
  l->names[l->n++] = name;
  return NS_OK;
}

static int unreadable(ns_ctx *c, const char *path)
{
  return errno == ENOMEM ? ns_nomem(c, "names of outputs")
                         : ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", path, strerror(errno));
}

static int list_folder(listing *l, const char *root, const char *below);

static int list_entry(listing *l, const char *root, const char *below, const char *entry)
{
  struct stat st;
  ns_arena *a = l->o->arena;
  const char *name = *below ? join(a, below, entry) : ns_arena_text(a, entry),
             *path = name ? join(a, root, name) : NULL;
  if (!path) return ns_nomem(l->o->c, "names of outputs");
  if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) return list_folder(l, root, name);
  return is_output(entry) ? add_name(l, name) : NS_OK;
}

static int list_folder(listing *l, const char *root, const char *below)
{
  const char *path = *below ? join(l->o->arena, root, below) : root;
  DIR *d = path ? opendir(path) : NULL;
  struct dirent *e;
  int rc = NS_OK;
  if (!path) return ns_nomem(l->o->c, "names of outputs");
  if (!d) return unreadable(l->o->c, path);
  while (!rc && (errno = 0, e = readdir(d)))
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      rc = list_entry(l, root, below, e->d_name);
  if (!rc && errno) rc = unreadable(l->o->c, path);
  closedir(d);
  return rc;
}

static int by_name(const void *x, const void *y)
{
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static int list_all(compare_command *o, const char *root, listing *l)
{
  *l = (listing){.o = o};
  int rc = list_folder(l, root, "");
  if (l->n) qsort(l->names, l->n, sizeof *l->names, by_name);
  return rc;
}

static int add_file(compare_command *o, suite *s, const char *name, int in_a, int in_b)
{
  ns_compared x = {.a = join(o->arena, o->a, name),
                   .b = join(o->arena, o->b, name),
                   .message = "",
                   .name = ns_arena_text(o->arena, name)};
  if (!x.a || !x.b || !x.name) return ns_nomem(o->c, "names of outputs");
  if (!in_a || !in_b) {
    x.rc = NS_DIFFER;
    x.message = in_a ? "is in A, not in B" : "is in B, not in A";
  }
  s->x[s->n++] = x;
  return NS_OK;
}

/* The names of both folders, merged. */
static int pair_files(compare_command *o, suite *s)
{
  listing a, b = {0};
  size_t i = 0, k = 0;
  int rc = list_all(o, o->a, &a);
  if (!rc) rc = list_all(o, o->b, &b);
  s->x = ns_arena_get(o->arena, a.n + b.n, sizeof *s->x);
  if (!rc && !s->x) rc = ns_nomem(o->c, "names of outputs");
  while (!rc && (i < a.n || k < b.n)) {
    int order = i >= a.n ? 1 : k >= b.n ? -1 : strcmp(a.names[i], b.names[k]);
    rc = add_file(o, s, order <= 0 ? a.names[i] : b.names[k], order <= 0, order >= 0);
    i += order <= 0;
    k += order >= 0;
  }
  if (!rc && !s->n)
    rc = ns_fail(o->c, NS_NOINPUT, "neither %s nor %s has outputs (*.h5, *.csv) to compare", o->a,
                 o->b);
  return rc;
}

static void print_line(const ns_compared *x)
{
  char buf[1300];
  const ns_compare_report *r = &x->report;
  if (x->rc == NS_DIFFER) printf("DIFFERENT   %s: %s\n", x->name, x->message);
  else if (x->rc) printf("UNREADABLE  %s: %s\n", x->name, x->message);
  else if (r->same) printf("same        %s: %s\n", x->name, ns_compare_counts(r, buf, sizeof buf));
  else
    printf("DIFFERENT   %s: %s\n", x->name,
           r->first ? ns_compare_sentence(r->first, buf, sizeof buf) : "");
}

static void compare_all(compare_command *o, suite *s)
{
  for (size_t i = 0; i < s->n; i++) {
    ns_compared *x = &s->x[i];
    ns_ctx c = ns_cli_context(); /* of this file alone */
    c.claims = o->c->claims;
    if (!x->rc) compare_files(o, &c, x);
    if (x->rc && x->rc != NS_DIFFER) {
      s->unreadable++;
      if (!s->rc) s->rc = x->rc;
    } else if (!x->rc && x->report.same) {
      s->same++;
    } else {
      s->different++;
    }
    if (!o->quiet && !o->json) print_line(x);
  }
}

static ns_json suite_json(const compare_command *o, const suite *s)
{
  ns_json j = ns_json_object(), files = ns_json_array();
  ns_json_put(&j, NS_JSON_TEXT("a", o->a), NS_JSON_TEXT("b", o->b),
              NS_JSON_FLAG("same", s->same == s->n), NS_JSON_INTEGER("files", (long long)s->n),
              NS_JSON_INTEGER("files_same", (long long)s->same),
              NS_JSON_INTEGER("files_different", (long long)s->different),
              NS_JSON_INTEGER("files_unreadable", (long long)s->unreadable));
  for (size_t i = 0; i < s->n; i++) ns_json_add(&files, ns_compared_json(&s->x[i], &o->compare));
  ns_json_member(&j, "comparisons", files);
  return j;
}

static int folders(compare_command *o)
{
  suite s = {0};
  if (pair_files(o, &s)) return ns_cli_exit(o->c);
  compare_all(o, &s);
  if (o->junit) ns_compared_junit(o->c, s.x, s.n, o->junit);
  if (o->json) put_json(o->c, suite_json(o, &s));
  else if (!o->quiet)
    printf("%zu %s: %zu the same, %zu different, %zu unreadable\n", s.n,
           ns_plural(s.n, "file", "files"), s.same, s.different, s.unreadable);
  if (o->c->rc) return ns_cli_exit(o->c);
  return ns_status_exit(s.rc ? s.rc : s.different ? NS_DIFFER : NS_OK);
}

/* ---- -------------------------------------------------------------------------------------------
 */

static int dispatch(compare_command *o, const char *who)
{
  int a = ns_cli_is_folder(o->a), b = ns_cli_is_folder(o->b);
  if (o->json && o->quiet) return ns_console_usage(who, "--json and -q exclude each other");
  if (o->plot && strcmp(o->plot, "-") == 0 && !o->quiet)
    return ns_console_usage(who, "--plot - writes to standard output: give -q as well");
  if (a && b && o->plot) return ns_console_usage(who, "--plot draws two files, not folders");
  if (a != b)
    return ns_console_usage(who, "'%s' is a folder, '%s' is not: expected two files or two folders",
                            a ? o->a : o->b, a ? o->b : o->a);
  if (o->plot && ns_claim_write(o->c, o->plot, "the picture")) return ns_cli_exit(o->c);
  if (o->junit && ns_claim_write(o->c, o->junit, "the report")) return ns_cli_exit(o->c);
  if (o->map_file && ns_claim_read(o->c, o->map_file, "which names are read from"))
    return ns_cli_exit(o->c);
  if (read_map_file(o)) return ns_cli_exit(o->c);
  return a ? folders(o) : one(o);
}

int ns_cmd_compare(int argc, char **argv)
{
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  c.claims = &claims;
  compare_command o = {.compare = {.rtol = 1e-6, .atol = 1e-9, .until = NAN, .events_until = NAN},
                       .c = &c,
                       .arena = ns_arena_create(0, 1)};
  if (!o.arena) return ns_status_exit(ns_nomem(&c, "command line"));
  int status = ns_console_parse(&compare_argp, argc, argv, &o);
  if (!status) status = dispatch(&o, argv[0]);
  ns_claims_fini(&claims);
  ns_arena_destroy(o.arena);
  return status;
}
