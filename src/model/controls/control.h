/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h -- kinds of sampled blocks (controllers, observers, sensors) as tables of operations.
 *
 * A block is a function from what is known at a sample to entries of the user vectors: w = w(i, t,
 * X, V, Z, memory). What it remembers is in the state of the run (memory), so a block is restarted
 * to the bit. The element of the model language that a kind is made of has the kind's name; its
 * attributes and values are found by name here. */
#ifndef NS_MODEL_CONTROLS_CONTROL_H
#define NS_MODEL_CONTROLS_CONTROL_H

#include "model/model.h"

/* One sample. Vectors of the systems one after the other. */
typedef struct ns_sample {
  long long i; /* number of the sample, from 0; of those at which the block acts */
  double t;    /* t0 + offset + a multiple of the period */
  double period;
  ns_point p;     /* t, X, V, Z as they are now, index */
  double *held;   /* Z as it was over the step that ended at t, before any block acted [nZ] */
  double *memory; /* [nmemory]; zero before the first sample */
} ns_sample;

typedef struct ns_control_kind {
  const char *name; /* element: "PID" */
  const char *help; /* one line, for `nssim list controls` */
  /* Once a model: hold sizes and numbers against each other, set k->nmemory. NS_MODEL, reported. */
  int (*prepare)(const ns_model *m, ns_control *k, ns_ctx *c);
  /* Once a run: get memory, discretise. *self is NULL on failure. NULL: it has none. */
  int (*create)(ns_ctx *c, const ns_model *m, const ns_control *k, void **self);
  /* w [nwrites]. Does not allocate. A result that is not finite is the caller's to find. */
  int (*sample)(void *self, ns_ctx *c, const ns_sample *s, double *w);
  void (*destroy)(void *self); /* NULL-safe */
  const char *derived;         /* values whose Jacobian by Z it asks for, by blanks; NULL: none */
} ns_control_kind;

/* Registry, in the order of `nssim list controls`; ends with NULL. The first, "update", has no
 * element of its own. */
extern const ns_control_kind *const ns_control_kinds[];
const ns_control_kind *ns_control_kind_find(const char *name); /* NULL where there is none */

/* Periods in steps, what is written, memory: of all controls of a model whose systems are in place.
 * Every fault is reported; the first code. */
int ns_controls_prepare(ns_model *m, ns_ctx *c);

/* Number of an attribute, `otherwise` where it is not given; an enumeration gives the index of the
 * choice. */
double ns_control_number(const ns_control *k, const char *attribute, double otherwise);
/* Value by its element's name; never NULL. */
const ns_operator *ns_control_value(const ns_control *k, const char *element);
/* The Jacobian [rows x nZ] by Z of a value that its kind says is derived; ABSENT: zero. */
const ns_operator *ns_control_jacobian(const ns_control *k, const char *element);
/* NS_MODEL failure about a control: its place, then the text. */
int ns_control_fail(const ns_control *k, ns_ctx *c, const char *fmt, ...) NS_PRINTF(3, 4);
/* The table that the plug-in k->plugin_name gave, k->plugin, is one. NS_PLUGIN, reported
 * (control_plugin.c). */
int ns_control_check_plugin(ns_ctx *c, const char *at, const ns_control *k);
/* Zeroed object of a kind with scratch for any value of it behind it, one block: to be freed with
 * free(). NULL: reported. */
void *ns_control_object(ns_ctx *c, const ns_control *k, size_t size, double **work);
/* Name of entry j of Z: `u`, `plant.u` where there are several systems, or `z[1]`; to buf, cut at
 * n; returns buf. */
const char *ns_control_entry(const ns_model *m, const ns_control *k, int j, char *buf, size_t n);
/* Its formulas read what is not in q, v, z and lambda of the state: observables, joints and forces.
 */
int ns_control_reads_run(const ns_control *k);
/* Where entry j of its Z is in the z of the state. */
size_t ns_control_target(const ns_model *m, const ns_control *k, int j);

#endif
