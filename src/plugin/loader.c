/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/loader.h"

#include "plugin/compile.h"
#include "plugin/registry.h"
#include "plugin/search.h"
#include "plugin/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

ns_plugins *ns_plugins_create(ns_ctx *c, const char *const *search, int n)
{
  ns_plugins *p = NS_ARENA_OBJECT(ns_plugins, a);
  const char **copy = p ? ns_arena_zero(p->a, (size_t)n, sizeof *copy) : NULL;
  int ok = copy != NULL;
  for (int i = 0; ok && i < n; i++) ok = (copy[i] = ns_arena_text(p->a, search[i])) != NULL;
  if (!ok) {
    ns_plugins_destroy(p);
    ns_nomem(c, "plug-ins");
    return NULL;
  }
  *p = (ns_plugins){.a = p->a, .nsearch = n, .search = copy};
  return p;
}

/* The last loaded first: it may use the others. */
static void close_from(ns_library *l)
{
  if (!l) return;
  close_from(l->next);
  ns_library_close(l);
}

void ns_plugins_destroy(ns_plugins *p)
{
  if (!p) return;
  close_from(p->libraries);
  ns_arena_destroy(p->a);
}

const char *ns_plugins_path(const ns_plugins *p, int k)
{
  for (const ns_library *l = p->libraries; l; l = l->next) {
    if (k-- == 0) return l->path;
    if (l->source && k-- == 0) return l->source;
  }
  return NULL;
}

const char *ns_plugins_about(const ns_plugins *p, int k)
{
  for (const ns_library *l = p->libraries; l; l = l->next) {
    if (k-- == 0) return l->about;
    if (l->source && k-- == 0) return "its source";
  }
  return NULL;
}

/* ---- loading what a name stands for ---------------------------------------------------------- */

/* The same file under another name ("Lib" and "Lib.so"). */
static ns_library *loaded(const ns_plugins *p, const char *path)
{
  for (ns_library *l = p->libraries; l; l = l->next)
    if (!strcmp(l->path, path)) return l;
  return NULL;
}

static int open_library(ns_plugins *p, ns_ctx *c, const char *name, const char *path,
                        const char *source, ns_library **out)
{
  if ((*out = loaded(p, path))) return NS_OK;
  if (p->crashed)
    return ns_fail(c, NS_PLUGIN, "%s is not loaded, because another plug-in crashed while it was",
                   path);
  ns_library *l = ns_arena_zero(p->a, 1, sizeof *l);
  if (!l) return ns_nomem(c, "plug-in");
  l->name = name;
  l->path = path;
  l->source = source;
  int rc = ns_library_open(c, p->a, l, &p->crashed);
  if (rc) return rc;
  ns_library **end = &p->libraries;
  while (*end) end = &(*end)->next;
  *out = *end = l;
  return NS_OK;
}

static int load(ns_plugins *p, ns_ctx *c, ns_plugin_request *r)
{
  ns_search s = {.dir = r->dir, .search = p->search, .nsearch = p->nsearch};
  const char *path, *source = NULL;
  int compile;
  int rc = ns_search_allowed(c, r->name);
  if (rc == NS_OK) rc = ns_search_find(c, p->a, &s, r->name, &path, &compile);
  if (rc == NS_OK && compile) {
    source = path;
    rc = ns_compile(c, p->a, source, &path);
  }
  if (rc == NS_OK) rc = open_library(p, c, r->name, path, source, &r->library);
  return rc;
}

/* Failures get their place and spec in ns_plugins_resolve; the rest goes to the user as it is. */
static void forward(void *to, ns_severity sev, const char *msg)
{
  ns_ctx *c = to;
  if (sev == NS_SEV_ERROR) return;
  if (sev == NS_SEV_WARNING) c->nwarnings++;
  if (c->report) c->report(c->to, sev, msg);
}

/* The request for a name, new or known; its library or failure is set. */
static int request(ns_plugins *p, ns_ctx *c, const char *dir, const char *name, size_t n,
                   ns_plugin_request **out)
{
  for (ns_plugin_request *r = p->requests; r; r = r->next)
    if (strlen(r->name) == n && !memcmp(r->name, name, n) && !strcmp(r->dir, dir)) {
      *out = r;
      return NS_OK;
    }
  ns_plugin_request *r = *out = ns_arena_zero(p->a, 1, sizeof *r);
  if (!r || !(r->dir = ns_arena_text(p->a, dir)) ||
      !(r->name = ns_arena_format(p->a, "%.*s", (int)n, name)))
    return ns_nomem(c, "plug-in");
  ns_ctx t = {.report = forward, .to = c};
  int rc = load(p, &t, r);
  if (rc == NS_NOMEM) return ns_fail(c, rc, "%s", t.msg);
  if (rc && !(r->failure = ns_arena_text(p->a, t.msg))) return ns_nomem(c, "plug-in");
  r->next = p->requests;
  p->requests = r;
  return NS_OK;
}

/* ---- one spec -------------------------------------------------------------------------------- */

static int fail_at(ns_ctx *c, const char *at, const char *spec, const char *why)
{
  return ns_fail(c, NS_PLUGIN, "%s%splug-in \"%s\": %s", at ? at : "", at ? ": " : "", spec, why);
}

/* Length of "Lib" in "Lib:function"; 0: not of this form. */
static size_t library_part(const char *spec)
{
  const char *colon = strrchr(spec, ':');
  if (!colon || colon == spec || colon[-1] == '/' || isdigit((unsigned char)colon[1]) || !colon[1])
    return 0;
  for (const char *s = spec; s < colon; s++)
    if (iscntrl((unsigned char)*s)) return 0;
  for (const char *s = colon + 1; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return 0;
  return colon - spec < 1024 ? (size_t)(colon - spec) : 0;
}

int ns_plugins_resolve(ns_plugins *p, ns_ctx *c, const char *at, const char *dir, const char *spec,
                       ns_signature sig, ns_arena *a, const ns_plugin_call **out)
{
  ns_plugin_request *r;
  void (*fn)(void) = NULL;
  size_t n = library_part(spec);
  if (!n)
    return fail_at(c, at, spec,
                   "expected \"Library:function\", where Library.so or Library.c is the file and "
                   "function a C name in it");
  int rc = request(p, c, dir && *dir ? dir : ".", spec, n, &r);
  if (rc) return rc;
  if (r->failure) return fail_at(c, at, spec, r->failure);
  ns_ctx t = {0};
  if (ns_library_function(&t, r->library, spec + n + 1, &fn)) return fail_at(c, at, spec, t.msg);
  ns_plugin_call *call = ns_arena_zero(a, 1, sizeof *call);
  if (!call || !(call->name = ns_arena_text(a, spec))) return ns_nomem(c, "plug-in");
  if (at && !(call->at = ns_arena_text(a, at))) return ns_nomem(c, "plug-in");
  call->fn = fn;
  call->sig = sig;
  *out = call;
  return NS_OK;
}
