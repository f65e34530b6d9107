/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/dump.h"

#include "base/claim.h"
#include "cli/console.h"
#include "io/problemfile/problem_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, MAX = 100 };

/* ---- options --------------------------------------------------------------------------------- */

enum { KEY_DUMP = 0x300, KEY_WHEN, KEY_MAX };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Files of one-step problems:", 6},
    {"dump-problems", KEY_DUMP, "DIR", 0,
     "Write one-step problems to files in DIR, for nssim solve", 0},
    {"dump-when", KEY_WHEN, "WHEN", 0,
     "Problems to write: failed (default), slow (and failed ones), all", 0},
    {"dump-most", KEY_MAX, "N", 0,
     "Write at most N files (default 100), plus one for a problem that is not solved", 0},
    {0},
};

static const char *const whens[] = {"failed", "slow", "all"};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  ns_dump *d = state->input;
  switch (key) {
  case ARGP_KEY_INIT: d->max = MAX; return 0;
  case KEY_DUMP:
    if (!*arg) ns_console_refuse(state, "--dump-problems '': expected a folder");
    d->folder = arg;
    return 0;
  case KEY_WHEN:
    for (int k = 0; k < 3; k++)
      if (!strcmp(arg, whens[k])) {
        d->when = (ns_dump_when)k;
        d->when_given = 1;
        return 0;
      }
    ns_console_refuse(state, "--dump-when '%s': expected failed, slow or all", arg);
    return EINVAL;
  case KEY_MAX:
    if (!ns_console_integer(arg, 1, &d->max))
      ns_console_refuse(state, "--dump-most '%s': expected a whole number from 1", arg);
    return 0;
  case ARGP_KEY_END:
    if (!d->folder && (d->when_given || d->max != MAX))
      ns_console_refuse(state, "--dump-when and --dump-most require --dump-problems DIR");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ns_dump_argp = {.options = options, .parser = parse_option};

/* ---- which ----------------------------------------------------------------------------------- */

static int median(const ns_dump *d)
{
  long long below = 0;
  int k = 0;
  while (k < NS_DUMP_ITERATIONS && 2 * (below += d->with[k]) < d->solves) k++;
  return k;
}

/* By what was before this one. */
static int slow(const ns_dump *d, int iterations)
{
  if (iterations > NS_DUMP_ITERATIONS) return 1;
  if (iterations <= NS_DUMP_TIMES || d->solves < NS_DUMP_ENOUGH) return 0;
  int m = median(d);
  return iterations > NS_DUMP_TIMES * (m > 1 ? m : 1);
}

static int wanted(ns_dump *d, const ns_outcome *out)
{
  int n = out->iterations, is = out->kind != NS_SOLVED || d->when == NS_DUMP_ALL ||
                                (d->when == NS_DUMP_SLOW && slow(d, n));
  d->with[n < 0 ? 0 : n < NS_DUMP_ITERATIONS ? n : NS_DUMP_ITERATIONS]++;
  d->solves++;
  return is;
}

/* ---- files ----------------------------------------------------------------------------------- */

int ns_dump_begin(ns_dump *d, ns_ctx *c, const char *shown)
{
  struct stat st;
  d->c = c;
  d->shown = shown;
  d->step = -1;
  d->lock = -1;
  if (!d->folder) return NS_OK;
  if (mkdir(d->folder, 0777) != 0 && errno != EEXIST)
    return ns_fail(c, NS_NOCREATE, "%s: cannot create the folder: %s%s", d->folder, strerror(errno),
                   errno == ENOENT ? "; create its parent folder first" : "");
  if (stat(d->folder, &st) == 0 && !S_ISDIR(st.st_mode))
    return ns_fail(c, NS_NOCREATE, "%s: is not a folder, expected one for the problems", d->folder);
  /* two runs would write files of the same names */
  d->lock = open(d->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return d->lock < 0 ? NS_OK : ns_claim_lock(c, d->lock, d->folder);
}

static const ns_problem_family *family_of(const ns_shown *p)
{
  if (p->mechanical) return ns_problem_family_of_mechanical(p->mechanical);
  if (p->global) return ns_problem_family_find("gfc");
  return p->polyhedron ? ns_problem_family_find("avi") : ns_problem_family_of(p->box);
}

/* lcp-step00000012.dat, lcp-step00000012-2.dat, ...: the family stands in front, as nssim solve
 * wants to know it. */
static int name_file(const ns_dump *d, const ns_shown *p, char *path, size_t n)
{
  char part[16] = "";
  if (d->in_step > 1) snprintf(part, sizeof part, "-%d", d->in_step);
  int k = snprintf(path, n, "%s/%s-step%08lld%s.dat", d->folder, family_of(p)->name, d->step, part);
  return k > 0 && (size_t)k < n;
}

static void comment_on(const ns_dump *d, double t, const ns_outcome *out, char *s, size_t n)
{
  snprintf(s, n,
           "nssim %s %s: step %lld from t = %.17g s, problem %d in it; %s by %s, %d iterations, "
           "residual %.3g",
           NS_VERSION, d->shown, d->step, t, d->in_step,
           out->kind == NS_SOLVED ? "solved" : "not solved", out->solver, out->iterations,
           out->residual);
}

static int write_file(ns_dump *d, ns_ctx *c, double t, const ns_shown *p, const ns_outcome *out)
{
  char path[PATH], comment[PATH];
  if (!name_file(d, p, path, sizeof path))
    return ns_fail(c, NS_NOCREATE, "%s: the name is too long", d->folder);
  int rc = ns_claim_check(c, path);
  comment_on(d, t, out, comment, sizeof comment);
  if (rc) return rc;
  if (p->mechanical)
    return ns_problem_write_mechanical(c, path, NULL, p->mechanical, p->guess, comment);
  if (p->global) return ns_problem_write_global(c, path, p->global, p->guess, comment);
  if (p->polyhedron) return ns_problem_write_polyhedron(c, path, p->polyhedron, p->guess, comment);
  return ns_problem_write_box(c, path, NULL, p->box, p->guess, comment);
}

/* Beyond the limit the one that ends the run is still kept. */
static int capacity(ns_dump *d, const ns_outcome *out)
{
  if (d->written < d->max || (out->kind != NS_SOLVED && d->written == d->max)) return 1;
  if (!d->left_out++)
    ns_note(
        d->c,
        "%s: %lld problems are written, further ones are omitted; --dump-most=N sets another limit",
        d->folder, d->max);
  return 0;
}

void ns_dump_problem(ns_dump *d, long long step, double t, const ns_shown *p, const ns_outcome *out)
{
  ns_ctx c = {.claims = d->c->claims}; /* silent: a run does not fail for this */
  d->in_step = step == d->step ? d->in_step + 1 : 1;
  d->step = step;
  if (!wanted(d, out) || d->ended || !capacity(d, out)) return;
  if (write_file(d, &c, t, p, out) == NS_OK) {
    d->written++;
    return;
  }
  d->ended = 1;
  ns_warn(d->c, "%s; no more problems are written", c.msg);
}

void ns_dump_fini(ns_dump *d)
{
  if (d->folder && d->lock > STDERR_FILENO) close(d->lock);
  d->lock = -1;
}

void ns_dump_end(const ns_dump *d)
{
  char left[64] = "";
  if (!d->folder) return;
  if (d->left_out) snprintf(left, sizeof left, ", %lld omitted", d->left_out);
  if (d->written)
    ns_note(d->c, "%s: %lld problem%s written%s", d->folder, d->written, d->written == 1 ? "" : "s",
            left);
  else ns_note(d->c, "%s: no problem written", d->folder);
}
