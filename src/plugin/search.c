/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/search.h"

#include "base/suggest.h"
#include "base/text.h"
#include "plugin/text.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_ENTRIES 2000 /* of a folder that are looked through for a suggestion */
#define MAX_FOLDERS 4    /* that are named in a sentence */

static int is_file(const char *path, struct stat *st)
{
  return stat(path, st) == 0 && S_ISREG(st->st_mode);
}

static int climbs(const char *name)
{
  for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
    if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0')) return 1;
  return 0;
}

int ns_search_allowed(ns_ctx *c, const char *name)
{
  if (*name != '/' && !climbs(name)) return NS_OK;
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  return ns_fail(c, NS_PLUGIN,
                 "a model cannot refer to a file outside its folder; write the name of the library "
                 "only (\"%s:...\") and give its folder with --plugin-path or NSSIM_PLUGIN_PATH",
                 base);
}

/* ---- not found ------------------------------------------------------------------------------- */

/* Offer what is in a folder, without its ending where the name has none. */
static void offer_folder(ns_arena *a, ns_suggest *g, const char *folder, int sources, int stems)
{
  DIR *d = opendir(folder);
  if (!d) return;
  const struct dirent *e;
  for (int i = 0; i < MAX_ENTRIES && (e = readdir(d)); i++) {
    int so = ns_ends_in(e->d_name, ".so"), c = ns_ends_in(e->d_name, ".c");
    if (!so && !(c && sources)) continue;
    size_t n = strlen(e->d_name) - (stems ? so ? 3 : 2 : 0);
    const char *known = ns_arena_format(a, "%.*s", (int)n, e->d_name);
    if (known) ns_suggest_offer(g, known);
  }
  closedir(d);
}

static const char *cxx_source(ns_arena *a, const char *dir, const char *name)
{
  static const char *const ends[] = {".cpp", ".cc", ".cxx", ".C"};
  struct stat st;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const char *file = ns_arena_format(a, "%s/%s%s", dir, name, ends[i]);
    if (file && is_file(file, &st)) return ends[i];
  }
  return NULL;
}

static int not_found(ns_ctx *c, ns_arena *a, const ns_search *s, const char *name)
{
  char text[700] = "";
  int exact = ns_ends_in(name, ".so") || ns_ends_in(name, ".c"), inside = strchr(name, '/') != NULL;
  int nsearch = inside || ns_ends_in(name, ".c") ? 0 : s->nsearch;
  if (exact) ns_plugin_append(text, sizeof text, "no %s in %s (the model's folder)", name, s->dir);
  else
    ns_plugin_append(text, sizeof text, "no %s.so or %s.c in %s (the model's folder)", name, name,
                     s->dir);
  for (int i = 0; i < nsearch && i < MAX_FOLDERS; i++)
    ns_plugin_append(text, sizeof text, "%s %s",
                     i       ? ","
                     : exact ? ", nor in"
                             : ", no .so in",
                     s->search[i]);
  if (nsearch > MAX_FOLDERS)
    ns_plugin_append(text, sizeof text, " and %d folders more", nsearch - MAX_FOLDERS);
  const char *cxx = exact ? NULL : cxx_source(a, s->dir, name);
  if (cxx)
    return ns_fail(c, NS_PLUGIN,
                   "%s; there is %s%s: compile it with c++ -O2 -fPIC -shared -o %s.so %s%s", text,
                   name, cxx, name, name, cxx);
  const char *base = inside ? strrchr(name, '/') + 1 : name;
  const char *folder = inside ? ns_arena_format(a, "%s/%.*s", s->dir, (int)(base - name), name)
                              : s->dir;
  ns_suggest g = ns_suggest_for(base, strlen(base));
  if (folder) offer_folder(a, &g, folder, 1, !exact);
  for (int i = 0; i < nsearch; i++) offer_folder(a, &g, s->search[i], 0, !exact);
  if (g.best) return ns_fail(c, NS_PLUGIN, "%s; did you mean \"%s\"?", text, g.best);
  return ns_fail(c, NS_PLUGIN, "%s%s", text,
                 nsearch || inside ? "" : "; --plugin-path adds folders to search");
}

/* ---- found ----------------------------------------------------------------------------------- */

/* A library older than the source beside it is mostly a forgotten compilation. */
static void warn_if_old(ns_ctx *c, ns_arena *a, const char *so, const struct stat *st)
{
  struct stat src;
  const char *source = ns_arena_format(a, "%.*sc", (int)(strlen(so) - 2), so);
  if (source && is_file(source, &src) && src.st_mtime > st->st_mtime)
    ns_warn(c,
            "%s is newer than %s, which is used: compile it again, or remove the .so and nssim "
            "compiles it",
            source, so);
}

int ns_search_find(ns_ctx *c, ns_arena *a, const ns_search *s, const char *name, const char **path,
                   int *source)
{
  struct stat st;
  int so = ns_ends_in(name, ".so"), src = ns_ends_in(name, ".c"),
      inside = strchr(name, '/') != NULL;
  const char *end = so || src ? "" : ".so";
  *path = ns_arena_format(a, "%s/%s%s", s->dir, name, end);
  if (!*path) return ns_nomem(c, "plug-in");
  if (is_file(*path, &st)) {
    *source = src;
    if (!src) warn_if_old(c, a, *path, &st);
    return NS_OK;
  }
  if (!so && !src) {
    *path = ns_arena_format(a, "%s/%s.c", s->dir, name);
    if (!*path) return ns_nomem(c, "plug-in");
    *source = 1;
    if (is_file(*path, &st)) return NS_OK;
  }
  *source = 0;
  for (int i = 0; i < s->nsearch && !inside && !src; i++) {
    *path = ns_arena_format(a, "%s/%s%s", *s->search[i] ? s->search[i] : ".", name, end);
    if (!*path) return ns_nomem(c, "plug-in");
    if (is_file(*path, &st)) return NS_OK;
  }
  return not_found(c, a, s, name);
}
