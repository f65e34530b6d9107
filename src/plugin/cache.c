/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/cache.h"

#include "plugin/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REMEDY \
  "set NSSIM_CACHE_DIR to a folder that belongs to you, or compile the plug-in yourself"

static const char *setting(const char *name)
{
  const char *s = getenv(name);
  return s && *s ? s : NULL;
}

static char *place(ns_arena *a)
{
  const char *own = setting("NSSIM_CACHE_DIR"), *xdg = setting("XDG_CACHE_HOME"),
             *home = setting("HOME");
  if (own) return ns_arena_format(a, "%s", own);
  /* The specification of XDG_CACHE_HOME: a relative path is to be ignored. */
  if (xdg && *xdg == '/') return ns_arena_format(a, "%s/nssim", xdg);
  return ns_arena_format(a, "%s/.cache/nssim", home ? home : "");
}

/* As mkdir -p, with mode 0700. 0 or -1 and errno. */
static int make_folders(char *path)
{
  for (char *s = path + 1; *s; s++) {
    if (*s != '/') continue;
    *s = '\0';
    int failed = mkdir(path, 0700) && errno != EEXIST && errno != EACCES && errno != EROFS;
    *s = '/';
    if (failed) return -1;
  }
  return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

int ns_cache_folder(ns_ctx *c, ns_arena *a, const char **folder)
{
  struct stat s;
  char *path = place(a);
  if (!path) return ns_nomem(c, "path of the cache");
  if (!strcmp(path, "/.cache/nssim"))
    return ns_fail(c, NS_PLUGIN, "no folder for compiled plug-ins: HOME is not set; " REMEDY);
  if (stat(path, &s) && (make_folders(path) || stat(path, &s)))
    return ns_fail(c, NS_PLUGIN, "cannot create the folder for compiled plug-ins, %s: %s; " REMEDY,
                   path, strerror(errno));
  if (!S_ISDIR(s.st_mode))
    return ns_fail(c, NS_PLUGIN, "the folder for compiled plug-ins, %s, is not a folder; " REMEDY,
                   path);
  if (s.st_uid != geteuid())
    return ns_fail(c, NS_PLUGIN,
                   "the folder for compiled plug-ins, %s, belongs to user %lu, not to you: its "
                   "owner could put other code there; " REMEDY,
                   path, (unsigned long)s.st_uid);
  if (s.st_mode & (S_IWGRP | S_IWOTH))
    return ns_fail(c, NS_PLUGIN,
                   "others can write to the folder for compiled plug-ins, %s (mode %04o) and put "
                   "other code there; chmod 700 it, or " REMEDY,
                   path, (unsigned)(s.st_mode & 07777));
  *folder = path;
  return NS_OK;
}

int ns_cache_has(const char *file)
{
  struct stat s;
  return lstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
         !(s.st_mode & (S_IWGRP | S_IWOTH));
}
