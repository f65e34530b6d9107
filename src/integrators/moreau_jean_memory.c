/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_memory.c -- what the scheme carries from step to step: forces that were evaluated at
 * the end of the last step and count at the begin of the next, and what the first iterate is
 * foretold from. They are saved, not evaluated again: a function of the user may write to its
 * vector z. W is built anew, because h is 0 in an object just created. */
#include "integrators/moreau_jean_data.h"

static void pass(const moreau_jean *o, ns_blob *b, int restore)
{
  size_t n = o->m->nv * sizeof(double);
  const ns_kept list[] = {{o->f1, n}, {o->wf, n}, {o->rise, n}, {o->drift, n}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

static void save(const void *self, ns_blob *b) { pass(self, b, 0); }
static void restore(void *self, ns_blob *b) { pass(self, b, 1); }

const ns_memory ns_moreau_jean_memory = {.save = save, .restore = restore};
