/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_kept.h -- running integrals and memories that formulas of the dynamics name by an id alone.
 *
 * Each is a system of first order that nobody had to write down (load_made.h): an <integral> has
 * its value as state, a <memory> the time since its last moment. */
#ifndef NS_IO_LOAD_LOAD_KEPT_H
#define NS_IO_LOAD_LOAD_KEPT_H

#include "io/load/load_job.h"

/* An <integral> or <memory> that formulas of the dynamics read. */
typedef struct ns_load_kept {
  const ns_elem *e; /* of <output> */
  ns_elem *system;  /* what a user would have written for it */
  const char *id;
  int is_memory, held; /* held: the input of its system that has what it gives; -1: the state */
  struct ns_load_kept *next;
} ns_load_kept;

/* What a <memory> gives: give=, else sum with a formula, else since. */
const char *ns_load_give(const ns_elem *e);
/* Those of the model, in the order of the file, to l->kept. NS_NOMEM. */
int ns_load_kept_find(ns_load *l);
/* The one of an element of <output>; NULL: the dynamics do not read it. */
const ns_load_kept *ns_load_kept_of(const ns_load *l, const ns_elem *e);
/* Their systems, after all others. NS_OK, also where errors were reported, or NS_NOMEM. */
int ns_load_kept_systems(ns_load *l);
/* The interaction that the element of such a system names; NULL: none. */
const char *ns_load_kept_interaction(const ns_load *l, const ns_elem *system);
/* What sets the systems of memories, once events are made: an event of each. As above. */
int ns_load_kept_events(ns_load *l);
/* Where a formula reads it: id.name, of l->scratch, NULL: out of memory; and bank and entry of its
 * system. */
const char *ns_load_kept_name(ns_load *l, const ns_load_kept *k);
void ns_load_kept_entry(const ns_load_kept *k, ns_bank *bank, int *entry);

#endif
