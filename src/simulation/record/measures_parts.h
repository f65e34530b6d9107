/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures_parts.h -- common data of the files of measures.h. */
#ifndef NS_SIMULATION_RECORD_MEASURES_PARTS_H
#define NS_SIMULATION_RECORD_MEASURES_PARTS_H

#include "simulation/record/measures.h"

/* Nodes of a part of a motion, and max. number of bisections (measures_motion.c). */
enum { NS_MEASURES_NODES = 7, NS_MEASURES_DEPTH = 24 };

/* Values that a measure reads at a state. */
typedef struct ns_reading {
  double t, f, margin;
  int holds;
} ns_reading;

/* An event that measure k will count when the state after it is processed. */
typedef struct ns_heard {
  int k;
  double t, number[NS_OF_EVENT];
} ns_heard;

struct ns_measures {
  ns_arena *mem; /* of this and all that is not said to be owned */
  const ns_model *m;
  const ns_observables *o;
  ns_state *x;
  /* *o, but that formulas read the numbers of an event */
  ns_observables of_event;
  ns_heard *heard; /* owned: since the last state, of measures that read such numbers */
  size_t nheard, cap;
  int observe; /* some formula reads observables */
  int held;    /* 1: some formula reads held quantities, so the previous state is stored */
  /* positions, velocities, time of the state before with what is held of the state now; views into
   * x */
  ns_state was;
  double *observable; /* of `was` */
  ns_reading *node;   /* [depth + 1][node][measure] */
  ns_reading *inner;  /* at the places of searches for changes, [place][measure] */
  /* up to which a difference of a function says nothing, scratch [measure]; state [nq + nv +
   * nangles] */
  double *faint, *half, *kept;
  unsigned char *warned; /* [measure] */
};

int ns_measures_read(const ns_measures *k, ns_ctx *c, const ns_measure *s, const ns_state *x,
                     ns_reading *r);
/* What a measure keeps of the state before. */
ns_reading ns_measures_recall(const ns_measures *k, const double *slot);
/* Process the linear motion from p to r. */
void ns_measures_show(const ns_measure *s, double *slot, const ns_reading *p, const ns_reading *r,
                      int first);
/* Numbers of the samples at start + n every that were due after p and until r; first: at r, which
 * is the first state. Of more than are kept the first are only counted. */
void ns_measures_due(const ns_measure *s, double *slot, const ns_reading *p, const ns_reading *r,
                     int first, double *n, double *last);
/* The part of it that is in the window; when: the condition changed. 0: none of it is. */
int ns_measures_cut(const ns_measure *s, const ns_reading *p, const ns_reading *r, double when,
                    ns_span *w);
/* The state is shown to all: events that waited for it are counted by measure i, with its reading,
 * which is kept for the next time; and, of all measures, forgotten. */
int ns_measures_remember(ns_measures *k, ns_ctx *c, int i, const ns_reading *r);
void ns_measures_forget(ns_measures *k);
/* The state for look_back. */
void ns_measures_keep(const ns_measures *k);

#endif
