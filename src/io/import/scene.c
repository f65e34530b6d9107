/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.c -- the importer of scenes: their file, what run() was given, the head of the model. */
#include "io/import/scene.h"

#include "base/grow.h"
#include "base/text_stream.h"
#include "io/hdf5_module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char SIGNATURE[] = "\211HDF\r\n\032\n";

/* ---- what is told ---------------------------------------------------------------------------- */

int ns_scene_fault(scene *s, const char *where, const char *name, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  s->bad = 1;
  return ns_fail(s->c, NS_MODEL, "%.200s: %s%s%.100s: %s", s->source->path, where, *name ? "/" : "",
                 name, what);
}

void ns_scene_note(scene *s, int aloud, const char *fmt, ...)
{
  char what[500];
  NS_FORMAT(what, fmt);
  if (ns_import_add_note(&s->text, NULL, what) && aloud)
    ns_warn(s->c, "%.200s: %s", s->source->path, what);
  s->bad |= s->c->rc == NS_NOMEM;
}

void *ns_scene_memory(scene *s, size_t n, size_t size)
{
  void *p = ns_arena_zero(s->a, n, size);
  if (p) return p;
  ns_nomem(s->c, "a scene");
  s->bad = 1;
  return NULL;
}

/* ---- what run() was given -------------------------------------------------------------------- */

/* A number behind "key": in the JSON text that releases from 4.5 on keep of run(); NAN where there
 * is none. */
static double told(const scene *s, const char *key)
{
  const ns_hdf5_value *v = ns_scene_attribute(&s->tree.child[SCENE_OPTIONS], "options");
  char quoted[40], *end;
  snprintf(quoted, sizeof quoted, "\"%s\"", key);
  const char *p = v && v->text ? strstr(v->text[0], quoted) : NULL;
  if (!p) return NAN;
  p += strlen(quoted);
  p += strspn(p, " \t\r\n:");
  double x = strtod(p, &end);
  return end > p && isfinite(x) ? x : NAN;
}

/* An option, else what the file tells, else the default of run(). */
static int number_of(scene *s, const char *option, const char *given, const char *key, double min,
                     double otherwise, double *x)
{
  char *end = NULL;
  *x = given ? strtod(given, &end) : told(s, key);
  if (given && (!*given || *end || !isfinite(*x) || *x < min)) {
    s->bad = 1;
    return ns_fail(s->c, NS_USAGE, "--%s '%.40s': expected a number, at least %g", option, given,
                   min);
  }
  if (given || isfinite(*x)) return NS_OK;
  *x = otherwise;
  ns_scene_note(s, 0, "%s = %.10g is the default of run(), because the file does not state it",
                option, otherwise);
  return NS_OK;
}

static void read_run(scene *s)
{
  const ns_import_scene *o = &s->opt->scene;
  double scale = told(s, "gravity_scale");
  double g = 9.80665 / (isfinite(scale) && scale > 0 ? scale : 1);
  number_of(s, "step", o->step, "h", 1e-300, 5e-4, &s->h);
  number_of(s, "end", o->end, "T", 1e-300, 10, &s->T);
  number_of(s, "theta", o->theta, "theta", 0, 0.50001, &s->theta);
  number_of(s, "gravity", o->gravity, "gravity", -1e300, g, &s->g);
  if (s->theta > 1 && !s->bad) {
    s->bad = 1;
    ns_fail(s->c, NS_USAGE, "--theta %g: expected a number from 0 to 1", s->theta);
  }
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_head(void *self, FILE *f)
{
  const scene *s = self;
  ns_import_begin_head(&s->text, "a scene of siconos.io.mechanics_run", f);
  ns_import_end_head(&s->text, f);
  ns_import_open_model(&s->text, f);
}

static int write_all(scene *s, char **out)
{
  ns_text_stream written;
  FILE *f = ns_text_stream_open(&written);
  if (f) {
    ns_scene_write(s, f);
    fputs("</model>\n", f);
  }
  char *body = ns_text_stream_close(&written);
  int rc = body ? NS_OK : ns_nomem(s->c, "text of the model");
  if (!rc && !s->bad) rc = ns_import_join(&s->text, write_head, s, body, out);
  free(body);
  return rc;
}

/* HDF5 with the name of one of the groups of scenes, which stands in such files as it is: without
 * the library. */
static int recognises(const ns_import_source *s)
{
  static const char group[] = "nslaws";
  if (s->n < sizeof SIGNATURE - 1 || memcmp(s->text, SIGNATURE, sizeof SIGNATURE - 1)) return 0;
  for (const char *p = s->text, *end = s->text + s->n; (p = memchr(p, *group, (size_t)(end - p)));
       p++)
    if ((size_t)(end - p) >= sizeof group && !memcmp(p, group, sizeof group - 1)) return 1;
  return 0;
}

static int read_tree(scene *s)
{
  static const char *const groups[SCENE_GROUPS + 1] = {"/data/ref",
                                                       "/data/input",
                                                       "/data/nslaws",
                                                       "/data/joints",
                                                       "/data/boundary_conditions",
                                                       "/data/permanent_interactions",
                                                       "/data/plugins",
                                                       "/data/external_functions",
                                                       "/data/siconos_mechanics_run_options",
                                                       NULL};
  s->hdf5 = ns_hdf5_module_load(s->c, NS_MODEL);
  if (!s->hdf5) return s->c->rc;
  return s->hdf5->tree(s->c, s->source->path, groups, s->a, &s->tree);
}

static int convert(ns_ctx *c, const ns_import_source *source, const ns_import_options *opt,
                   char **out)
{
  scene s = {.c = c, .source = source, .opt = opt, .a = ns_arena_create(0, 1)};
  s.text = (ns_import_text){.c = c, .a = s.a, .path = source->path};
  int rc = s.a ? read_tree(&s) : ns_nomem(c, "a scene");
  if (!rc) read_run(&s);
  if (!rc) ns_scene_read(&s);
  if (!rc && !s.bad) rc = write_all(&s, out);
  if (!rc && s.bad) rc = c->rc ? c->rc : NS_MODEL;
  ns_import_text_fini(&s.text);
  ns_arena_destroy(s.a);
  return rc;
}

extern const ns_importer ns_import_scene_file;
const ns_importer ns_import_scene_file = {.name = "scene",
                                          .what = "a scene of siconos.io.mechanics_run",
                                          .recognises = recognises,
                                          .convert = convert};
