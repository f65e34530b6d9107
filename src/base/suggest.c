/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/suggest.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LONGEST 64

static int min(int a, int b) { return a < b ? a : b; }

int ns_edit_distance(const char *a, size_t la, const char *b, size_t lb)
{
  if (la > LONGEST || lb > LONGEST) {
    size_t n = la > lb ? la : lb;
    return n < INT_MAX ? (int)n : INT_MAX;
  }
  int row[3][LONGEST + 1]; /* distances of the prefixes of a, of the last three lengths */
  for (size_t j = 0; j <= lb; j++) row[0][j] = (int)j;
  for (size_t i = 1; i <= la; i++) {
    int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
    now[0] = (int)i;
    for (size_t j = 1; j <= lb; j++) {
      now[j] = min(min(up[j], now[j - 1]) + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = min(now[j], up2[j - 2] + 1);
    }
  }
  return row[la % 3][lb];
}

ns_suggest ns_suggest_for(const char *name, size_t len)
{
  int third = len / 3 < INT_MAX ? (int)(len / 3) : INT_MAX;
  int max = third > 2 ? third : 2;
  if ((size_t)max >= len) max = len ? (int)len - 1 : -1;
  return (ns_suggest){.name = name, .len = len, .distance = max + 1};
}

void ns_suggest_offer(ns_suggest *s, const char *known)
{
  size_t n = strlen(known);
  int same = n == s->len && strncasecmp(known, s->name, n) == 0;
  int d = same ? 0 : ns_edit_distance(s->name, s->len, known, n);
  if (d >= s->distance) return;
  s->best = known;
  s->distance = d;
}

int ns_suggest_file(const char *path, char *buf, size_t size)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  char folder[PATH_MAX], stem[NAME_MAX + 1];
  int nfolder = (int)(name - path), found = 0;
  if (!dot || nfolder >= PATH_MAX) return 0;
  if (slash) snprintf(folder, sizeof folder, "%.*s", nfolder, path);
  else snprintf(folder, sizeof folder, ".");
  DIR *d = opendir(folder);
  ns_suggest s = ns_suggest_for(name, (size_t)(dot - name));
  for (struct dirent *e; d && (e = readdir(d));) {
    size_t n = strlen(e->d_name), nsuffix = strlen(dot);
    if (n <= nsuffix || strcmp(e->d_name + n - nsuffix, dot) != 0) continue;
    snprintf(stem, sizeof stem, "%.*s", (int)(n - nsuffix), e->d_name);
    int before = s.distance;
    ns_suggest_offer(&s, stem);
    if (s.distance == before) continue;
    found = snprintf(buf, size, "%.*s%s", nfolder, path, e->d_name) < (int)size;
  }
  if (d) closedir(d);
  return found;
}
