/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h -- kinds of sampled blocks (controllers, observers, sensors) as tables of operations.
 *
 * A block computes entries of the user vectors from the data at a sample: w = w(i, t, X, V, Z,
 * memory). Its memory is part of the state of the run, so that resumed runs are equal to the bit.
 * Each kind has an element of the same name in the model language, whose attributes and values are
 * read by name. */
#ifndef NS_MODEL_CONTROLS_CONTROL_H
#define NS_MODEL_CONTROLS_CONTROL_H

#include "model/model.h"

/* Data of one sample; vectors of the systems one after the other. */
typedef struct ns_sample {
  long long i; /* index of the sample, from 0, among those at which the block acts */
  double t;    /* t0 + offset + a multiple of the period */
  double period;
  ns_point p;     /* current t, X, V, Z; index */
  double *held;   /* Z during the step that ended at t, before any block acted [nZ] */
  double *memory; /* [nmemory]; zero before the first sample */
} ns_sample;

typedef struct ns_control_kind {
  const char *name; /* element: "PID" */
  const char *help; /* one line, for `nssim list controls` */
  /* Called once per model: check sizes and numbers, set k->nmemory. NS_MODEL, reported. */
  int (*prepare)(const ns_model *m, ns_control *k, ns_ctx *c);
  size_t size; /* of its object */
  /* Called once per run with the object, zeroed, and scratch for any value of k: allocate memory,
   * discretise. After a failure, too, the object is destroyed. */
  int (*create)(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work);
  /* Compute w [nwrites]. Does not allocate. The caller checks that w is finite. */
  int (*sample)(void *self, ns_ctx *c, const ns_sample *s, double *w);
  void (*destroy)(void *self); /* what create has allocated; NULL: nothing */
  /* values, separated by blanks, whose Jacobian with respect to Z it needs; NULL: none */
  const char *derived;
} ns_control_kind;

/* Registry in the order of `nssim list controls`; ends with NULL. The first, "update", has no
 * separate element. */
extern const ns_control_kind *const ns_control_kinds[];
const ns_control_kind *ns_control_kind_find(const char *name); /* NULL if there is none */

/* Set periods in steps, written entries and memory of all controls of a model whose systems are
 * placed. Reports every fault; returns the first code. */
int ns_controls_prepare(ns_model *m, ns_ctx *c);

/* Value of a numeric attribute; `otherwise` if it is not given. For an enumeration, the index of
 * the choice. */
double ns_control_number(const ns_control *k, const char *attribute, double otherwise);
/* Value by the name of its element; never NULL. */
const ns_operator *ns_control_value(const ns_control *k, const char *element);
/* Jacobian with respect to Z [rows x nZ] of a value in `derived`; ABSENT: zero. */
const ns_operator *ns_control_jacobian(const ns_control *k, const char *element);
/* Fails with NS_MODEL and a message that begins with the place of the control. */
int ns_control_fail(const ns_control *k, ns_ctx *c, const char *fmt, ...) NS_PRINTF(3, 4);
/* NS_MODEL unless a value has one entry for each entry that the control writes. */
int ns_control_check_written(const ns_control *k, ns_ctx *c, const char *element);
/* NS_MODEL unless it writes one entry, `what`; unless lower < upper. */
int ns_control_check_one(const ns_control *k, ns_ctx *c, const char *what);
int ns_control_check_limits(const ns_control *k, ns_ctx *c, double lower, double upper);
/* Check the functions of the table k->plugin of the plug-in k->plugin_name. NS_PLUGIN, reported
 * (control_plugin.c). */
int ns_control_check_plugin(ns_ctx *c, const char *at, const ns_control *k);
/* The object of a control, to be ended, also after a failure, reported; NULL: out of memory. */
int ns_control_begin(ns_ctx *c, const ns_model *m, const ns_control *k, void **self);
void ns_control_end(const ns_control *k, void *self); /* NULL-safe */
/* Name of entry j of Z: `u`, `plant.u` if there are several systems, or `z[1]`; written to buf, cut
 * at n; returns buf. */
const char *ns_control_entry(const ns_model *m, const ns_control *k, int j, char *buf, size_t n);
/* 1 if its formulas read more than q, v, z and lambda: observables, joints or forces. */
int ns_control_reads_run(const ns_control *k);
/* 1 if one of them jumps with t, or has a corner. */
int ns_control_jumps(const ns_control *k);
/* Index in z of the state of entry j of its Z. */
size_t ns_control_target(const ns_model *m, const ns_control *k, int j);

#endif
