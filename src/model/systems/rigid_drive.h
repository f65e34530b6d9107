/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drive.h -- forces between bodies along coordinates d between them: springs, dampers and
 * motors of joints here; forces between points in rigid_force.h.
 *
 *   d' = g V,   wrench on the bodies = sum_k g_k^T tau_k(t, d, d', Z)
 *
 * with a row g_k for each coordinate over the velocities of its bodies (its sides), so that the
 * power is tau d'. Tangents with respect to increments and velocities of the bodies, as in
 * rigid_body.h:
 *
 *   K = -g^T (dtau/dd) g - g^T (dtau/dd') b - sum_k tau_k dg_k^T,   C = -g^T (dtau/dd') g,
 *   b = d(g V)/d(increment)
 *
 * For joints b and dg are omitted: they are exact only if the joint is satisfied.
 *
 * The coordinates of a ball joint are the three components of the relative rotation vector of its
 * bodies, phi = log R1^T R2, and their rates are the relative angular velocity omega: since
 * phi.phi' = phi.omega, the torque -k phi has the potential k |phi|^2/2; dphi = J(phi)^-1 of a
 * rotation (Bullo & Murray 1995). */
#ifndef NS_MODEL_SYSTEMS_RIGID_DRIVE_H
#define NS_MODEL_SYSTEMS_RIGID_DRIVE_H

#include "model/model.h"

enum { NS_DRIVE_WIDTH = 6 * NS_FORCE_ENDS };

/* Iterates of the drive of a joint in a step. Where a formula has a corner, such as the limit of a
 * motor, the tangents of neither side may lead to a solution in between, and Newton's method
 * alternates between the sides. An iterate from which the rate increased is a lower bound of the
 * rate; one from which it decreased, an upper bound. If the chord to one of them is more than twice
 * as steep as the tangent, it replaces the tangent (false position; Dahlquist & Bjorck 2008,
 * section 6.2.3). */
typedef struct ns_drive_chord {
  double lever; /* h theta, change of a coordinate per change of its rate, s */
  int known;    /* 0: there is no last iterate */
  struct ns_drive_iterate {
    double rate, tau;
  } last[2], low[2], high[2]; /* of each coordinate; NaN: no such bound */
} ns_drive_chord;

/* A force at a state; vectors of all sides one after the other, width = sides dof. */
typedef struct ns_drive_state {
  /* variables of all systems, for formulas that read other systems; NULL: the vectors of its model
   * are parts of these vectors (part.h) */
  const ns_others *all;
  int sides, dof; /* dof: velocities of a body: 6, in the plane 3 */
  double *F;      /* [width] */
  /* [width x width] by columns, K without sum_k tau_k dg_k^T; NULL: not computed */
  double *K, *C;
  /* geometric stiffness, the term of K with dg; NULL: not computed, or zero */
  double *turn;
  ns_drive_chord *chord; /* NULL: no chords */
  double *known;         /* part of F that has a potential [width]; NULL: none */
  double potential;      /* J */
  /* force between points: length and rate of its line; the force along it, positive if it pushes */
  double length, rate, force;
  double power; /* F V, W */
  double size;  /* largest tau, N or N m */
  /* largest coordinate of a point in world axes, m; the rounding error of F is K times this
   * times the machine precision */
  double extent;
} ns_drive_state;

/* Coordinates, rows and forces along them. */
typedef struct ns_drive_rows {
  int n, width;
  double d[2 * NS_FORCE_COORDINATES];             /* n coordinates, then their rates */
  double g[NS_FORCE_COORDINATES][NS_DRIVE_WIDTH]; /* rows [n][width] */
  double b[NS_FORCE_COORDINATES][NS_DRIVE_WIDTH];
  double tau[NS_FORCE_COORDINATES];                      /* N m, N */
  double k[NS_FORCE_COORDINATES * NS_FORCE_COORDINATES]; /* -dtau_i/dd_j [n x n] by columns */
  double c[NS_FORCE_COORDINATES * NS_FORCE_COORDINATES]; /* -dtau_i/dd'_j */
} ns_drive_rows;

/* A formula that reads variables of other systems, and the first coordinate along which it acts. */
typedef struct ns_drive_reader {
  const ns_operator *op;
  int at;
} ns_drive_reader;
enum { NS_DRIVE_READERS = 3 };

/* Variables of other systems for formulas, with the bodies of m at q, v. */
static inline ns_others ns_drive_others(const ns_model *m, const ns_others *all, const double *q,
                                        const double *v, const double *z, const double *angle)
{
  return all ? *all : (ns_others){q - m->part_q, v - m->part_v, z, angle};
}

/* Compute F, and K and C without dg, from rows. */
void ns_drive_assemble(const ns_drive_rows *r, ns_drive_state *s);
/* J [width x variables of others that op reads] by columns := g^T d(tau)/d(those variables), at the
 * point at which op is evaluated; work: ns_operator_work doubles plus the number of derivatives of
 * op. */
void ns_drive_by_others(const ns_drive_rows *r, const ns_drive_reader *by, const ns_point *at,
                        double *work, double *J);
/* Doubles of scratch for that. */
size_t ns_drive_others_work(const ns_operator *op);

/* Free coordinates of a joint, then their rates, to d; angle: ns_state.angle, NULL: no
 * revolutions. */
void ns_joint_coordinates(const ns_model *m, const ns_interaction *it, const double *q,
                          const double *v, const double *angle, double *d);
/* Doubles of scratch. */
size_t ns_joint_drive_work(const ns_interaction *it);
/* Evaluate the drive of a joint at (t, q, v, z) of the whole model; angle: ns_state.angle, relative
 * to which revolutions are counted. */
int ns_joint_drive_eval(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                        const double *q, const double *v, const double *z, const double *angle,
                        double *work, ns_drive_state *s);
/* Its formulas that read other systems; returns their number. */
int ns_joint_drive_readers(const ns_interaction *it, ns_drive_reader by[NS_DRIVE_READERS]);
/* J of one of them (ns_drive_by_others), where _eval evaluates it. */
void ns_joint_drive_by_others(const ns_model *m, const ns_interaction *it,
                              const ns_drive_reader *by, double t, const double *q, const double *v,
                              const double *z, const double *angle, double *work, double *J);

#endif
