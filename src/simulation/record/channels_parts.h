/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels_parts.h -- private to channels*.c: from the catalogue of quantities to the columns.
 *
 *   channels_catalogue.c  the quantities of each family of systems, with help, unit and source
 *   channels_walk.c       all channels of a model, one after the other
 *   channels_units.c      labels and units of their components
 *   channels.c            those that are recorded: patterns, paths, tables of large models */
#ifndef NS_SIMULATION_RECORD_CHANNELS_PARTS_H
#define NS_SIMULATION_RECORD_CHANNELS_PARTS_H

#include "simulation/record/channels.h"

#define NS_LENGTH(a) (sizeof(a) / sizeof *(a))

/* ---- channels_catalogue.c -------------------------------------------------------------------- */

/* One kind of channel: `<group>/<id>/<name>` in the file, `<id>.<name>` in patterns. */
typedef struct ns_quantity {
  const char *name, *unit, *help;
  ns_origin from;
  size_t offset; /* of diagnostics */
  ns_course course;
  ns_column_take take;
} ns_quantity;

enum { NS_CHANNEL_SYSTEMS, NS_CHANNEL_INTERACTIONS, NS_CHANNEL_DIAGNOSTICS, NS_CHANNEL_GROUPS };
extern const char *const ns_channel_groups[NS_CHANNEL_GROUPS];

/* What a family of systems has, group by group. */
typedef struct ns_quantity_family {
  struct {
    const ns_quantity *quantity;
    size_t n;
  } of[NS_CHANNEL_GROUPS];
} ns_quantity_family;

enum { NS_FORCE_QUANTITIES = 4 };
extern const ns_quantity ns_quantities_of_forces[NS_FORCE_QUANTITIES];

/* Most tables of a large model: those of its families, those of observables (groups and names: v, i
 * of elements, v of nodes, value) and those of forces. */
enum {
  NS_CHANNEL_TABLES = 32,
  NS_CHANNEL_OBSERVABLES = 8,
  NS_CHANNEL_TABLES_MAX = NS_CHANNEL_TABLES + NS_CHANNEL_OBSERVABLES + NS_FORCE_QUANTITIES
};

/* What things of one kind have; mixed models as a whole: what mechanics has. */
const ns_quantity_family *ns_quantities_of(const ns_model *m, ns_family kind);

/* ---- channels_walk.c ------------------------------------------------------------------------- */

/* A channel before it is written down. */
typedef struct ns_channel_candidate {
  const char *group, *id;
  const ns_quantity *q;
  const ns_system *system; /* whose it is, NULL: of no system */
  const ns_interaction *interaction;
  const char *const *names; /* of the components, NULL where none */
  int n, vector;
  size_t offset;
} ns_channel_candidate;

/* Returns nonzero to end the walk. */
typedef int (*ns_channel_visit)(void *to, const ns_channel_candidate *k);

/* Which candidates a walk comes to: those of this name in this group; NULL: all. Large models are
 * walked over for each of their tables. */
typedef struct ns_channel_part {
  const ns_quantity *only;
  const char *group;
} ns_channel_part;

/* Calls fn for each candidate of w; returns what it returned last. */
int ns_channels_walk(const ns_model *m, const ns_channel_part *w, ns_channel_visit fn, void *to);
ns_quantity ns_quantity_of_observable(const ns_model *m, const ns_observable *o);

/* ---- channels_units.c ------------------------------------------------------------------------ */

/* "a<sep>b" in the arena; NULL: out of memory. */
char *ns_channel_join(ns_arena *a, const char *x, const char *sep, const char *y);
/* Of component i of a candidate: its label, NULL if out of memory; its unit, NULL where unknown. */
const char *ns_channel_label_of(ns_arena *a, const ns_channel_candidate *k, int i);
const char *ns_channel_unit_of(ns_arena *a, const ns_channel_candidate *k, int i);

#endif
