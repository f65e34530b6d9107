/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_plot.c -- both curves of a quantity in one picture.
 *
 * A plot draws columns of one result: so the two columns are written to a table in a memory file,
 * over the times of both, each interpolated at those of the other, without any mapping of time:
 * what is drawn is what is in the files. */
#include "io/compare/compare.h"
#include "io/compare/compare_curve.h"
#include "io/plot/plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct curve {
  double *t, *y;
  size_t n, hint, next;
} curve;

static int read_curve(ns_ctx *c, ns_result *r, const char *label, ns_arena *arena, curve *k)
{
  ns_column time, col;
  size_t n = ns_result_get_meta(r)->nrows;
  *k = (curve){ns_arena_get(arena, n, sizeof *k->t), ns_arena_get(arena, n, sizeof *k->y), n, 0, 0};
  if (!k->t || !k->y) return ns_nomem(c, "curves of a comparison");
  int rc = ns_result_find(r, c, "time", &time);
  if (!rc) rc = ns_result_find(r, c, label, &col);
  if (!rc) rc = ns_result_read(r, c, &time, k->t);
  return rc ? rc : ns_result_read(r, c, &col, k->y);
}

static void put_value(FILE *f, double y)
{
  if (isfinite(y)) fprintf(f, ",%.12g", y);
  else fputc(',', f);
}

/* Rows at all times of both. */
static void write_rows(FILE *f, curve *a, curve *b)
{
  while (a->next < a->n || b->next < b->n) {
    double ta = a->next < a->n ? a->t[a->next] : INFINITY,
           tb = b->next < b->n ? b->t[b->next] : INFINITY;
    double t = ta <= tb ? ta : tb;
    fprintf(f, "%.17g", t);
    put_value(f, ta <= tb ? a->y[a->next] : ns_curve_at(a->t, a->y, a->n, t, &a->hint));
    put_value(f, tb <= ta ? b->y[b->next] : ns_curve_at(b->t, b->y, b->n, t, &b->hint));
    fputc('\n', f);
    a->next += ta <= tb;
    b->next += tb <= ta;
  }
}

static void write_heading(FILE *f, const char *side, const char *label)
{
  fprintf(f, ",\"%s ", side);
  for (; *label; label++) {
    if (*label == '"') fputc('"', f);
    fputc(*label, f);
  }
  fputc('"', f);
}

static int draw(ns_ctx *c, const char *table, const char *title, const char *path)
{
  static const char *const both[] = {"A *", "B *"};
  ns_result *r;
  ns_plot_options o = {.quantities = both,
                       .n = 2,
                       .from = NAN,
                       .to = NAN,
                       .title = title,
                       .output = path,
                       .format = NS_PLOT_SVG};
  int rc = ns_result_open(c, table, &r);
  if (rc) return rc;
  rc = ns_plot(c, r, &o);
  ns_result_close(r);
  return rc;
}

static int plot(ns_ctx *c, ns_result *ra, ns_result *rb, const char *label_a, const char *label_b,
                ns_arena *arena, const char *path)
{
  curve a, b;
  char table[64], title[600];
  int rc = read_curve(c, ra, label_a, arena, &a);
  if (!rc) rc = read_curve(c, rb, label_b, arena, &b);
  if (rc) return rc;
  int fd = memfd_create("curves", MFD_CLOEXEC);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
  if (!f) {
    rc = ns_fail(c, NS_NOMEM, "no memory file for a picture: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return rc;
  }
  fputs("time [s]", f);
  write_heading(f, "A", label_a);
  write_heading(f, "B", label_b);
  fputc('\n', f);
  write_rows(f, &a, &b);
  snprintf(table, sizeof table, "/proc/self/fd/%d", fd);
  snprintf(title, sizeof title, "%.60s: A = %.240s, B = %.240s", label_b, ns_result_path(ra),
           ns_result_path(rb));
  if (fflush(f) != 0)
    rc = ns_fail(c, NS_NOMEM, "no memory file for a picture: %s", strerror(errno));
  if (!rc) rc = draw(c, table, title, path);
  fclose(f);
  return rc;
}

int ns_compare_plot(ns_ctx *c, ns_result *a, ns_result *b, const char *label_a, const char *label_b,
                    const char *path)
{
  ns_plot_format format;
  ns_arena *arena = ns_arena_create(0, 1);
  if (!arena) return ns_nomem(c, "curves of a comparison");
  int rc = strcmp(path, "-") == 0 ? NS_OK : ns_plot_format_of(c, path, &format);
  if (!rc) rc = plot(c, a, b, label_a, label_b, arena, path);
  ns_arena_destroy(arena);
  return rc;
}
