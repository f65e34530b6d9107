/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_abi.c -- the signature of the functions that a SiconosModel file names.
 *
 * Three things tell it, the first that does wins: the option, the declaration of the function in a
 * source beside the model, the form of the file. The last is a guess: releases changed the files
 * and the functions at different times. */
#include "io/import/legacy.h"

#include "base/text_stream.h"
#include "model/language/language.h"
#include "model/plugin_form.h"
#include "plugin/declaration.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the form of the file -------------------------------------------------------------------- */

/* 1: an element with one of the names is in x. */
static int holds(const xmlNode *x, const char *names)
{
  for (const xmlNode *k = ns_legacy_first(x); k; k = ns_legacy_next(k))
    if (ns_legacy_has(names, ns_legacy_name(k)) || holds(k, names)) return 1;
  return 0;
}

const char *ns_legacy_form(ns_legacy *l)
{
  static const char early[] =
      "DS LagrangianTIDS LagrangianNLDS LinearSystemDS NonLinearSystemDS LL LNL LTI QNLInertia "
      "LagrangianLinear LagrangianNonLinear LinearTimeInvariant";
  static const char middle[] = "Fext Fint LinearDS NonLinearDS QNLInertia vectorField "
                               "computeJacobianX LinearTimeInvariantRelation";
  const xmlNode *nsds = ns_legacy_child(l->root, "NSDS"),
                *simulation = ns_legacy_child(l->root, "Simulation");
  const xmlNode *systems = ns_legacy_child(nsds, "DS_Definition"),
                *interactions = ns_legacy_child(nsds, "Interaction_Definition");
  int is_early = ns_legacy_child(systems, early) || holds(systems, "QNLInertia");
  for (const xmlNode *k = ns_legacy_first(interactions); k; k = ns_legacy_next(k))
    is_early = is_early || ns_legacy_child(ns_legacy_child(k, "Interaction_Content"), early) ||
               ns_legacy_child(k, "NS_Law");
  if (ns_legacy_child(l->root, "Strategy")) return is_early ? "A" : "C";
  if (holds(systems, middle) || holds(interactions, middle)) return "D";
  if (holds(systems, "M") && !holds(systems, "Mass FExt FInt f F A")) return "D";
  return simulation && ns_legacy_child(simulation, "OneStepNSProblem") ? "F1" : "F";
}

/* ---- sources --------------------------------------------------------------------------------- */

static int is_file(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < 1 << 24;
}

/* Text of the first source of the library beside the model, malloced; NULL where there is none. */
static char *source_of(const ns_legacy *l, const char *folder, const char *lib, int n)
{
  static const char *const ends[] = {".c", ".cpp", ".cc", ".cxx", ".C", ".h", ".hpp"};
  char path[PATH_MAX];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    int used = snprintf(path, sizeof path, "%s/%s%.*s%s", l->dir, folder, n, lib, ends[k]);
    FILE *f = used > 0 && (size_t)used < sizeof path && is_file(path) ? fopen(path, "r") : NULL;
    ns_text_stream text;
    size_t got;
    if (!f) continue;
    FILE *to = ns_text_stream_open(&text);
    for (char buf[4096]; to && (got = fread(buf, 1, sizeof buf, f));) fwrite(buf, 1, got, to);
    fclose(f);
    return ns_text_stream_close(&text);
  }
  return NULL;
}

/* Whether a library or a source of that name is in a folder beside the model. */
static int is_in(const ns_legacy *l, const char *folder, const char *prefix, const char *lib, int n)
{
  static const char *const ends[] = {".so", ".c", ".cpp", ".cc", ".cxx"};
  char path[PATH_MAX];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    int used = snprintf(path, sizeof path, "%s/%s%s%.*s%s", l->dir, folder, prefix, n, lib,
                        ends[k]);
    if (used > 0 && (size_t)used < sizeof path && is_file(path)) return 1;
  }
  return 0;
}

/* Lib:fn where Lib is: as it is named, as libLib, or in the folder plugins. */
static const char *placed(ns_legacy *l, const char *spec, const char **folder)
{
  static const char *const where[][2] = {
      {"", ""}, {"", "lib"}, {"plugins/", ""}, {"plugins/", "lib"}};
  int n = (int)strcspn(spec, ":");
  *folder = "";
  for (int k = 0; k < 4; k++) {
    if (!is_in(l, where[k][0], where[k][1], spec, n)) continue;
    char *copy = ns_arena_format(l->a, "%s%s%s", where[k][0], where[k][1], spec);
    *folder = where[k][0];
    return copy ? copy : spec;
  }
  return spec;
}

/* Window of the function by its declaration, NULL where nothing tells. */
static const char *declared(ns_legacy *l, const char *folder, const char *spec, ns_signature sig)
{
  int n = (int)strcspn(spec, ":");
  ns_declaration d;
  char *text = source_of(l, folder, spec, n);
  const char *abi = NULL;
  if (text && ns_declaration_find(text, spec + n + 1, &d)) abi = ns_declaration_window(&d, sig);
  free(text);
  return abi;
}

/* By the form of the file. Gaps of A are a computeOutput, or come with the next window; a value
 * that there was not yet has the first list that it had; the matrix E was of one month. */
static const char *guess(const ns_legacy *l, const xmlNode *x, ns_signature sig)
{
  int by_output = !strcmp(ns_legacy_name(x), "computeOutput");
  if (sig == NS_SIG_T && !strcmp(ns_legacy_name(x), "E")) return "B0";
  if (sig == NS_SIG_H1 && !strcmp(l->form, "A") && !by_output) return "B2";
  return ns_plugin_form_of(sig, l->form) ? l->form : "C";
}

const char *ns_legacy_abi(ns_legacy *l, const xmlNode *x, const char *element, const char *value,
                          const char **plugin)
{
  const ns_lang_element *e = ns_lang_find(element);
  const ns_lang_item *item = e ? ns_lang_value(e, value) : NULL;
  const char *spec = *plugin, *folder;
  if (!item || !(item->forms & NS_LANG_FORM_PLUGIN)) {
    ns_legacy_fail(l, x, "is a plug-in, expected numbers: <%s> of %s takes none", value, element);
    return "";
  }
  *plugin = placed(l, spec, &folder);
  if (l->opt->abi) return l->opt->abi;
  const char *abi = declared(l, folder, spec, item->signature);
  if (abi) return abi;
  l->guessed = 1;
  return guess(l, x, item->signature);
}
