/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/library.h"

#include "base/guard.h"
#include "plugin/symbols.h"
#include "plugin/text.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* ---- loading and unloading run code of the plug-in ------------------------------------------- */

typedef struct opening {
  ns_library *l;
  char error[512];
} opening;

static int open_guarded(void *arg)
{
  opening *o = arg;
  ns_guard_enter(o->l->name);
  o->l->handle = dlopen(o->l->path, RTLD_NOW | RTLD_LOCAL);
  const char *error = o->l->handle ? "" : dlerror();
  ns_guard_leave();
  snprintf(o->error, sizeof o->error, "%s", error ? error : "unknown error");
  return NS_OK;
}

static int close_guarded(void *arg)
{
  ns_library *l = arg;
  ns_guard_enter(l->name);
  dlclose(l->handle);
  ns_guard_leave();
  return NS_OK;
}

void ns_library_close(ns_library *l)
{
  ns_ctx silent = {0}; /* the run is over: a crash in a destructor changes nothing */
  if (l->handle) ns_guard_run(&silent, close_guarded, l);
  l->handle = NULL;
}

/* dlerror says "<path>: <reason>"; the path is said already. */
static int refused(ns_ctx *c, const ns_library *l, const char *error)
{
  size_t n = strlen(l->path);
  const char *why = strncmp(error, l->path, n) == 0 && error[n] == ':' ? error + n + 1 : error;
  return ns_fail(
      c, NS_PLUGIN, "%s cannot be loaded: %s%s", l->path, why + strspn(why, " "),
      strstr(why, "undefined symbol")
          ? "; link it with the library that contains this function (-l...), or correct its name"
          : "");
}

static int load(ns_ctx *c, ns_library *l, int *crashed)
{
  char unfit[160];
  ns_symbols_unfit(l->path, unfit, sizeof unfit);
  if (*unfit) return ns_fail(c, NS_PLUGIN, "%s %s", l->path, unfit);
  ns_ctx t = {0};
  opening o = {.l = l};
  int rc = ns_guard_run(&t, open_guarded, &o);
  if (rc == NS_PLUGIN) {
    *crashed = 1;
    return ns_fail(c, NS_PLUGIN, "%s: while it was being loaded, %.*s; nothing was run", l->path,
                   (int)strcspn(t.msg, ";"), t.msg);
  }
  if (rc) return ns_fail(c, rc, "%s", t.msg);
  return l->handle ? NS_OK : refused(c, l, o.error);
}

/* ---- what is in it --------------------------------------------------------------------------- */

/* Address of a symbol, NULL where the file has none; dlsym also looks in the libraries that it
 * needs, so that a function of libm would be taken for a force. */
static void *own_symbol(const ns_library *l, const char *name, int *type, const char **elsewhere)
{
  void *p = dlsym(l->handle, name);
  struct link_map *own = NULL, *of = NULL;
  const ElfW(Sym) *sym = NULL;
  Dl_info info;
  *elsewhere = NULL;
  *type = STT_NOTYPE;
  if (!p) return NULL;
  if (dlinfo(l->handle, RTLD_DI_LINKMAP, &own) == 0 &&
      dladdr1(p, &info, (void **)&of, RTLD_DL_LINKMAP) && of != own) {
    *elsewhere = info.dli_fname;
    return NULL;
  }
  if (dladdr1(p, &info, (void **)&sym, RTLD_DL_SYMENT) && sym) *type = sym->st_info & 15;
  return p;
}

static int describe(ns_ctx *c, ns_arena *a, ns_library *l)
{
  int type;
  const char *elsewhere;
  const nssim_plugin_info *info = own_symbol(l, "nssim_plugin", &type, &elsewhere);
  if (!info) {
    l->about = "no ABI descriptor: the usual signatures are assumed";
    return NS_OK;
  }
  if (info->abi != NSSIM_PLUGIN_ABI)
    return ns_fail(c, NS_PLUGIN,
                   "%s is compiled for plug-in ABI %u, this nssim has ABI %d: compile it again "
                   "with the nssim/plugin.h of this nssim",
                   l->path, info->abi, NSSIM_PLUGIN_ABI);
  if (info->size < offsetof(nssim_plugin_info, state_size))
    return ns_fail(
        c, NS_PLUGIN,
        "%s has a descriptor nssim_plugin of %u bytes, expected %zu: define it with NSSIM_PLUGIN",
        l->path, info->size, sizeof *info);
  memcpy(&l->info, info, info->size < sizeof *info ? info->size : sizeof *info);
  if (l->info.state_size && (!l->info.save || !l->info.restore))
    return ns_fail(c, NS_PLUGIN,
                   "%s has a state of %zu bytes, but not both save and restore in NSSIM_PLUGIN",
                   l->path, l->info.state_size);
  l->about = ns_arena_format(a, "ABI %u, \"%s\"", l->info.abi, l->info.name ? l->info.name : "");
  return l->about ? NS_OK : ns_nomem(c, "plug-in");
}

int ns_library_open(ns_ctx *c, ns_arena *a, ns_library *l, int *crashed)
{
  l->at_init = ns_arena_format(a, "%s:init", l->name);
  l->at_save = ns_arena_format(a, "%s:save", l->name);
  l->at_restore = ns_arena_format(a, "%s:restore", l->name);
  if (!l->at_init || !l->at_save || !l->at_restore) return ns_nomem(c, "plug-in");
  int rc = load(c, l, crashed);
  if (rc == NS_OK && (rc = describe(c, a, l)) != NS_OK) ns_library_close(l);
  return rc;
}

int ns_library_function(ns_ctx *c, const ns_library *l, const char *function, void (**fn)(void))
{
  int type;
  const char *elsewhere;
  char hint[400] = "";
  void *p = own_symbol(l, function, &type, &elsewhere);
  if (p && type != STT_OBJECT && type != STT_TLS) {
    memcpy(fn, &p, sizeof *fn); /* ISO C has no cast from an object's pointer to a function's */
    return NS_OK;
  }
  if (p)
    return ns_fail(c, NS_PLUGIN, "\"%s\" in %s is a variable, not a function", function, l->path);
  ns_symbols_hint(l->path, function, hint, sizeof hint);
  if (elsewhere)
    return ns_fail(c, NS_PLUGIN,
                   "there is no function \"%s\" in %s, only in %s, which it is linked with%s",
                   function, l->path, elsewhere, hint);
  return ns_fail(c, NS_PLUGIN, "there is no function \"%s\" in %s%s", function,
                 l->source ? l->source : l->path, hint);
}
