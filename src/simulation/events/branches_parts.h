/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branches_parts.h -- private to branches*.c.
 *
 *   branches.c         memory; events; reports
 *   branches_time.c    the next zero of a function of t; branches of functions of t
 *   branches_flow.c    rates and roots with branches: a flow around another one
 *   branches_decide.c  choice of the motion at sigma = 0 */
#ifndef NS_SIMULATION_EVENTS_BRANCHES_PARTS_H
#define NS_SIMULATION_EVENTS_BRANCHES_PARTS_H

#include "simulation/events/branches.h"
#include "simulation/events/step_roots.h"

enum { NS_BRANCH_LOWER, NS_BRANCH_UPPER, NS_BRANCH_SLIDES };

/* Data for evaluating switches: formulas of a copy and the current branches. */
typedef struct ns_branch_view {
  const ns_frozen *z;
  double *value, *side, *due; /* [n] each */
  const double *user;         /* z of the model */
  const double *angle;        /* ns_state.angle; NULL: there is no state yet */
  double *bank, *work;        /* scratch */
  double *out, *low, *high;   /* scratch: outputs of a class, their bounds */
  int *owner;                 /* of each switch [n] */
  double T;                   /* end of the run */
  /* time from which zeros of a known switch could not be computed, s; +inf: none [n] */
  double *lost;
} ns_branch_view;

/* Variables of joints and lines at the point at which rates are evaluated, and shortly before and
 * after it. */
typedef struct ns_branch_between {
  double *x;    /* scratch [problem.n] */
  double *bank; /* scratch of the three points; NULL: no switch reads such variables */
  ns_point at, before, after;
  double moment; /* s */
} ns_branch_between;

struct ns_branches {
  ns_branch_view w;
  const ns_model *m;
  ns_state *x;
  ns_arena *mem;
  ns_ctx *c; /* of the call that is under way */
  size_t n;
  int nstate;             /* switches whose sigma depends on the state */
  int *state;             /* those [nstate] */
  unsigned char *pending; /* to be decided at the state [n] */
  unsigned char *unsided; /* pending and not coming from a side [n] */
  unsigned char *leaves;  /* 1 + the side to which a sliding one goes; 0: none [n] */
  int npending;
  double *base; /* value on the lower side of a jump: 0, on stairs a whole number [n] */
  /* distance beyond 0 at which roots are searched, so that switches that begin at 0 have one, too
   * [n] */
  double *below;
  /* sigma of all switches at the last evaluation: value, d/dt, size of the terms of d/dt [n] */
  double *sigma, *slope, *size;
  double *was, *was_side; /* before the current event [n] */
  double *before;         /* sigma with the branches before some changed [n] */
  /* sliding */
  int nslides;
  int *slides;             /* [nstate] */
  double *J, *s0, *alpha;  /* [many x many], [many], [many] */
  int many;                /* max. number of switches decided together */
  int *set;                /* those [many] */
  double *f0, *f1, *ahead; /* rates, a point [problem.n] */
  double *kept;            /* values of branches while others are tried [n] */
  double *aside;           /* sigma while another branch is tried [n] */
  /* the flow */
  const ns_flow_ops *inner;
  void *flow;
  ns_flow_ops ops;
  ns_flow_problem outer, problem;
  ns_flow_constraints constraints;
  signed char *direction; /* [problem.nroots] */
  double *at, t;          /* unknowns where the flow last was [problem.n] */
  double *seen;           /* user vectors there: controls and events change them [m->nz] */
  ns_step_roots dips;     /* roots of switches */
  double *within;         /* unknowns within a step, scratch [problem.n] */
  unsigned char *bends;   /* roots that are not linear [2 nstate] */
  double *shallow;        /* what the flow's tolerance leaves of sigma, by root [2 nstate] */
  double *place;          /* positions of unknowns that are displacements, scratch [ncoord] */
  ns_branch_between between;
  const ns_flow_problem *driver; /* as it says how a flow is to begin */
  int inspected;                 /* the next root is one that the driver saw within a step */
  /* user events */
  double *margin;       /* of conditions before and after [2 nuser] */
  unsigned char *fired; /* [nuser] */
};

/* ---- branches_time.c ------------------------------------------------------------------------- */
/* sigma of all switches of an owner to w->out, at t and the state (q, v NULL: functions of t alone
 * are wanted). */
void ns_branch_sigma(const ns_branch_view *w, const ns_frozen_owner *o, double t, const double *q,
                     const double *v);
void ns_branch_slope(const ns_branch_view *w, const ns_frozen_owner *o, double t, const double *q,
                     const double *v);
static inline const ns_frozen_owner *ns_branch_owner(const ns_branch_view *w, size_t k)
{
  return &w->z->owner[w->owner[k]];
}
static inline const ns_frozen_switch *ns_branch_switch(const ns_branch_view *w, size_t k)
{
  const ns_frozen_owner *o = ns_branch_owner(w, k);
  return &o->of->item[k - o->first];
}
/* Known switches at t: branches just after it, of all, or of those that read other branches or user
 * vectors. 1: some changed. */
int ns_branch_settle(const ns_branch_view *w, double t, int all);
/* Next times of all, or of those that read branches or user vectors. */
void ns_branch_schedule(const ns_branch_view *w, double t, int all);
/* NS_NUMERIC, with a message: a switch is due at t, because its later times cannot be computed. */
int ns_branch_listed(const ns_branch_view *w, ns_ctx *c, double t);
/* Change known switches that are due at t to their next branch, and those that depend on them;
 * compute their next times. */
void ns_branch_turn(const ns_branch_view *w, double t);
static inline int ns_branch_is_due(double due, double t)
{
  return due <= t + 4.5e-16 * (t < 0 ? -t : t);
}

/* ---- branches.c ------------------------------------------------------------------------------ */
/* A flow has been made: what is 0 at t0 is to be decided. */
void ns_branch_begin(ns_branches *b);

/* ---- branches_flow.c ------------------------------------------------------------------------- */
/* sigma of the switches in `state` to b->sigma; with rates f (not NULL) also slope and size. */
void ns_branch_look(ns_branches *b, double t, const double *x, const double *f);
/* Estimated error of sigma due to the tolerance of the flow. */
double ns_branch_noise(const ns_branches *b, size_t k, const double *x);
void ns_branch_list_slides(ns_branches *b);

/* ---- branches_decide.c ----------------------------------------------------------------------- */
/* Decide the pending switches at (b->t, b->at): new sides and values. */
int ns_branch_decide(ns_branches *b);
/* Failure: branches change each other without end. */
int ns_branch_restless(ns_branches *b);
/* Failure: more than maxEvents events between two points of the grid. */
int ns_branch_too_many(ns_branches *b);
/* Failure: switch k is not on the side of its formula. */
int ns_branch_unnoticed(ns_branches *b, size_t k);
/* J, s0 of the n switches in set at (t, x): d sigma/dt = s0 + J B, with values base + B. */
int ns_branch_response(ns_branches *b, double t, const double *x, const int *set, int n);
#endif
