/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/suggest.h"

#include <limits.h>
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
