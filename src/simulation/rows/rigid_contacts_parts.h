/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_contacts_parts.h -- private to rigid_contacts*.c: data and common functions.
 *
 *   rigid_contacts.c         creation, blocks of the problem, guesses, records
 *   rigid_contacts_list.c    the list of a step, activation
 *   rigid_contacts_roll.c    contacts whose rows follow the motion
 *   rigid_contacts_memory.c  bonds and compliant contacts
 *   rigid_contacts_events.c  impacts, modes, events */
#ifndef NS_SIMULATION_ROWS_RIGID_CONTACTS_PARTS_H
#define NS_SIMULATION_ROWS_RIGID_CONTACTS_PARTS_H

#include "algebra/keys.h"
#include "model/relations/rigid_relation.h"
#include "simulation/rows/rigid_contacts.h"

enum {
  ROWS = 5,          /* most of a contact */
  MANY = 500,        /* contacts or bodies that are worth threads */
  MANY_ALONG = 2000, /* bodies that are numbered along a curve, for sweeps over many contacts */
  ROLLING = 100,     /* contacts whose rows follow the motion: in scenes of more of them rows of the
                  * begin serve, at a third of the cost */
  EVENTS = 3 /* most of a contact in a step: normal, slip, and its release as it leaves the list */
};

/* Where a body is. */
typedef struct pose {
  double x[3], R[9];
} pose;

/* A contact whose rows follow the motion. */
typedef struct rolling {
  int touch, rows;
  int known, filled;       /* its rows were found, and stand in the problem */
  int lost;                /* its feature was not met again: rows of the begin serve */
  double begin[12 * ROWS]; /* rows of the begin, and what restitution asks */
  double restitution[ROWS];
  double push[12 * ROWS]; /* H_theta */
  double end[12 * ROWS];  /* H_k+1 */
} rolling;

/* The law of two materials, resolved. */
typedef struct shape_law {
  int rows, slip; /* of a contact; those of slip among them */
  int kind;       /* ns_block_kind */
  int mean_slip;  /* friction restitutes in every step */
  double e, et;   /* restitution of the gap, of the slip */
  double mu, mu_rolling;
  int each;            /* its formulas read the speeds of a contact: numbers by contact, in `own` */
  ns_nonsmooth_law of; /* the law itself; without operations where the two never meet */
} shape_law;

/* A contact whose law remembers, in a step. */
typedef struct lasting {
  double pull;      /* tension that its bond bears in the step, N s */
  double u0[ROWS];  /* compliant: velocities along its rows as the step begins */
  double spring[2]; /* elongation of its spring then, along the tangents, m */
  double kt, ct;    /* across the normal, at the iterate: N/m, N s/m */
} lasting;

/* Compliant contacts of a step: there are some; the force of some is not linear in the velocity. */
enum { SPRINGS = 1, SPRINGS_BEND = 2 };

/* What a contact was in the step before. */
typedef struct past {
  unsigned char mode, slide; /* ns_mode, ns_slide */
  int a, b;                  /* of the last step, where it was loaded: */
  uint64_t feature;
  double before, after; /* u_N at its begin and end */
} past;

struct ns_rigid_contacts {
  ns_arena *mem; /* of what does not grow with the contacts */
  const ns_model *m;
  ns_scene *scene;
  ns_team *team;    /* NULL: one thread */
  int planar, rows; /* rows: most of a contact by the laws of the model */
  int each;         /* some law reads the speeds of its contacts */
  shape_law *law;   /* by pairs of materials [nmaterials x nmaterials] */
  /* of the bodies, as `place` last put them; in space their poses, of which the first is the world
   * [1 + nsystems]; in the plane cosine and sine of the angle [2 nsystems] */
  pose *pose;
  double *heading;
  double *posed; /* the q that these are of [3 or 7 nsystems]; NaN: none yet */
  double *reach; /* of the farthest point of each body from its centre [nsystems] */
  double *skin;  /* radius of the skin about the core of each shape [nshapes] */
  int *touches;  /* contacts of each body in the list [nsystems] */
  /* number of each body along a curve that fills space [nsystems]; NULL: few bodies */
  int *along;
  double min;                   /* of the shapes that are finite, inf: none */
  int n, max;                   /* contacts of the list, which is the scene's, and room for them */
  const ns_scene_contact *list; /* the scene's [n] */
  ns_rigid_touch *touch;        /* [n] */
  /* of each contact its points on the cores of the shapes, in axes of the bodies, or in the world
   * [n][2][axes]; axes: 3, in the plane 2 */
  double *arm;
  int axes;
  shape_law *own; /* of contacts whose law reads their speeds [n]; NULL: none does */
  /* impulses of the list in axes of the world, `carried` numbers each: force and moment, or, where
   * no law has friction, that along the normal */
  double *guess;
  int carried;
  int memory, compliant; /* numbers that a contact keeps; some law is compliant */
  double *kept;          /* what contacts of the list keep, `memory` each: a bond what its law
                     * says, a compliant contact its spring, a vector of the world of
                     * the side of body[0], in the plane its component along the tangent */
  lasting *lasting;      /* [n]; NULL: no law remembers */
  double h;              /* of the step */
  int springs;           /* SPRINGS */
  int nrecords;
  size_t max_records;
  ns_contact_record *record; /* of the last step, where it was recorded */
  int told;                  /* events are kept */
  past *past;                /* of each contact [n]; NULL: not told */
  past *gone;                /* of the list before */
  ns_event *event;           /* of the last step, EVENTS a contact */
  int nevents;
  int nrolling;
  int rims;          /* some shape has one */
  rolling *rolling;  /* [ROLLING]; NULL: no rows do */
  ns_touches nearby; /* of one pair */
};

/* What members of the team are given. */
typedef struct task {
  ns_rigid_contacts *o;
  const double *q, *v, *loose;
  const ns_scene_contact *list;
  const ns_rigid_problem *p;
} task;

/* Where a contact is. */
typedef struct meeting {
  double point[3], normal[3]; /* the unit normal points from body[1] to body[0] */
} meeting;

/* Coordinates and velocities of a body of q and v. Its number tells where they are: a system is
 * large, and in scenes of many bodies each look at one is a miss of the cache. */
static inline const double *coordinates_of(const ns_rigid_contacts *o, int body, const double *q)
{
  return q + (o->planar ? 3 : 7) * (size_t)body;
}
static inline const double *velocities_of(const ns_rigid_contacts *o, int body, const double *v)
{
  return v + (o->planar ? 3 : 6) * (size_t)body;
}

/* The point of a contact at its body e. */
static inline double *arm_of(const ns_rigid_contacts *o, const ns_rigid_touch *t, int e)
{
  return o->arm + (size_t)o->axes * (2 * (size_t)(t - o->touch) + (size_t)e);
}

/* Shapes with a rim, on which the nearest point moves as they roll. */
static inline int has_rim(const ns_contact_model *k, int shape)
{
  ns_shape_kind kind = k->shape[shape].shape->kind;
  return kind == NS_SHAPE_CYLINDER || kind == NS_SHAPE_CONE;
}

static inline meeting meeting_at(const ns_rigid_touch *t, const ns_touch *k)
{
  const double *own = t->flipped ? k->p2 : k->p1;
  double sign = t->flipped ? -1 : 1;
  meeting m;
  for (int i = 0; i < 3; i++) {
    m.normal[i] = sign * k->n[i];
    m.point[i] = t->body[1] < 0 ? own[i] : (k->p1[i] + k->p2[i]) / 2;
  }
  return m;
}

/* At the begin of the step. */
static inline meeting meeting_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return meeting_at(t, &o->list[t - o->touch].touch);
}

static inline const shape_law *law_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  const ns_contact_model *model = &o->m->contact;
  if (model->nmaterials == 1) return o->law;
  return &o->law[model->shape[t->a].material * model->nmaterials + model->shape[t->b].material];
}

/* Its numbers in this step. */
static inline const shape_law *law_now(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  const shape_law *law = law_of(o, t);
  return law->each ? &o->own[t - o->touch] : law;
}

/* Its bodies touch nothing else. */
static inline int is_alone(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return o->touches[t->body[0]] == 1 && (t->body[1] < 0 || o->touches[t->body[1]] == 1);
}

/* Of row i of the problem at the end of the step, without what its law adds to it. */
static inline double velocity_along(const ns_rigid_problem *p, int i)
{
  double u = p->u[i] - p->b[i];
  return p->compliant ? u - p->D[i] * p->r[i] : u;
}

/* Rows at point P into H. */
static inline void fill_rows(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows,
                             const double *q, const double *P, const double *normal, double *H)
{
  const double *q1 = coordinates_of(o, t->body[0], q),
               *q2 = t->body[1] < 0 ? NULL : coordinates_of(o, t->body[1], q);
  if (o->planar) ns_contact_rows_planar(rows, q1, q2, P, normal, H);
  else ns_contact_rows(rows, q1, q2, P, normal, H);
}

/* A point that a body carries, in its axes, at a pose. */
static inline void carried(const pose *p, const double *arm, double *point)
{
  ns_mul3(p->R, arm, point);
  ns_axpy3(point, 1, p->x, point);
}

/* Room for n contacts in the list; what is remembered stays. NS_NOMEM. */
int ns_rigid_contacts_capacity(ns_rigid_contacts *o, ns_ctx *c, int n);

/* Of the impulse that a contact had in the step before the first `rows` components along its rows.
 */
void ns_rigid_contacts_guess(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows,
                             double *r);

/* Contacts whose rows follow the motion: memory for them. NS_NOMEM, without a text. */
int ns_rigid_contacts_get_rolling(ns_rigid_contacts *o);
/* The nearest point of a rim moves by its radius over its tilt as the body turns: a guess of the
 * end is not good enough, and it is followed. Impulses of wheels of one axle are not unique, and
 * rows that depend on each other but for O(h^2) make them huge: beside rims others keep H_k. */
static inline int may_roll(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  const ns_contact_model *k = &o->m->contact;
  if (!o->rolling || law_of(o, t)->of.ops->compliant) return 0;
  return !o->rims || has_rim(k, t->a) || has_rim(k, t->b);
}
/* A body of the contact turns enough in a step that begins with v to change its rows. */
int ns_rigid_contacts_turns(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *v,
                            double h);

/* Modes go where their contacts are in the list that follows, of n contacts. Of those that were
 * loaded and are not in it, another of the pair goes on, or they are released. */
void ns_rigid_contacts_move_modes(ns_rigid_contacts *o, const ns_scene_contact *list, int n);
void ns_rigid_contacts_save_modes(const ns_rigid_contacts *o, ns_blob *b);
void ns_rigid_contacts_restore_modes(ns_rigid_contacts *o, ns_blob *b);

#endif
