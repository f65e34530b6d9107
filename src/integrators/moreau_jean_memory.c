/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_memory.c -- what the scheme carries from step to step: forces that were evaluated at the end of the last step and count
 * at the begin of the next, and what the first iterate is foretold from. They are saved, not evaluated again: a function of the
 * user may write to its vector z. W is built anew, because h is 0 in an object just created. */
#include "integrators/moreau_jean_data.h"

static void save(const void *self, ns_blob *b)
{
  const moreau_jean *o = self;
  ns_blob_put_reals(b, o->f1, o->m->nv);
  ns_blob_put_reals(b, o->wf, o->m->nv);
  ns_blob_put_reals(b, o->rise, o->m->nv);
  ns_blob_put_reals(b, o->drift, o->m->nv);
}

static void restore(void *self, ns_blob *b)
{
  moreau_jean *o = self;
  ns_blob_get_reals(b, o->f1, o->m->nv);
  ns_blob_get_reals(b, o->wf, o->m->nv);
  ns_blob_get_reals(b, o->rise, o->m->nv);
  ns_blob_get_reals(b, o->drift, o->m->nv);
}

const ns_memory ns_moreau_jean_memory = {.save = save, .restore = restore};
