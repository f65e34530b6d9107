/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_formulas.h"

#include "base/plural.h"
#include "simulation/events/branches.h"

#include <stdio.h>

enum { SHOWN = 10, COUNTED = 100000 };

/* Known times: how many, the first and the last. */
typedef struct times {
  long long n;
  double first, last;
} times;

static int visit(void *to, double t, int k)
{
  times *s = to;
  (void)k;
  if (s->n == 0 || t > s->last) s->n++;
  if (s->n == 1) s->first = t;
  s->last = t;
  return s->n == COUNTED;
}

static void show_times(const ns_frozen *z)
{
  ns_ctx quiet = {0};
  times s = {0};
  if (ns_branches_times(&quiet, z, visit, &s) < 0) return;
  if (s.n == COUNTED)
    printf("  at least %d times known in advance, the first at %.10g s\n", (int)COUNTED, s.first);
  else if (s.n)
    printf("  %lld %s known in advance, from %.10g s to %.10g s\n", s.n,
           ns_plural((int)s.n, "time", "times"), s.first, s.last);
}

static void show_switch(const ns_frozen_owner *o, const ns_frozen_switch *s)
{
  static const char *const kind[] = {[NS_SWITCH_CORNER] = "a corner where",
                                     [NS_SWITCH_JUMP] = "jumps where",
                                     [NS_SWITCH_STAIRS] = "a jump at each whole number of"};
  char at[512];
  printf("  %s: %s %s%s, %s\n", ns_place_text(o->at, at, sizeof at), kind[s->kind], s->text,
         s->kind == NS_SWITCH_STAIRS ? "" : " = 0",
         s->known ? "known in advance" : "located as a root");
}

void ns_check_formulas_show(const ns_frozen *z)
{
  int shown = 0, known = 0, all = 0;
  if (!z) return;
  for (int i = 0; i < z->nowners; i++)
    for (int k = 0; k < z->owner[i].of->n; k++, all++) known += z->owner[i].of->item[k].known;
  printf("%d %s of formulas that jump or have a corner: %d of t only, %d of the state\n", all,
         ns_plural(all, "place", "places"), known, all - known);
  for (int i = 0; i < z->nowners; i++)
    for (int k = 0; k < z->owner[i].of->n; k++)
      if (shown++ < SHOWN) show_switch(&z->owner[i], &z->owner[i].of->item[k]);
  if (all > SHOWN) printf("  and %d more\n", all - SHOWN);
  show_times(z);
  if (z->plugin) {
    char at[512];
    printf("  %s: its plug-in may jump, which is not known in advance\n",
           ns_place_text(z->plugin, at, sizeof at));
  }
}
