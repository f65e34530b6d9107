/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drive.h -- what acts between bodies by formulas of coordinates d between them: springs,
 * dampers, motors of joints here, forces between points in rigid_force.h.
 *
 *   d' = g V,   wrench on the bodies = sum_k g_k^T tau_k(t, d, d', Z)
 *
 * with a row g_k for each coordinate, over the velocities of all bodies that it is between (its
 * sides), so that the power is tau d'. Tangents by increments and velocities of the bodies, as
 * those of rigid_body.h:
 *
 *   K = -g^T (dtau/dd) g - g^T (dtau/dd') b - sum_k tau_k dg_k^T,   C = -g^T (dtau/dd') g,   b =
 *       d(g V)/d(increment)
 *
 * Of joints b and dg are left out: they hold only where the joint does.
 *
 * A ball joint has the three components of the rotation vector phi of its bodies against each
 * other, whose rates stand for the angular velocity omega: phi = log R1^T R2, phi.phi' = phi.omega,
 * so that -k phi has the potential k |phi|^2/2, and dphi = J(phi)^-1 of a turn (Bullo & Murray
 * 1995). */
#ifndef NS_MODEL_SYSTEMS_RIGID_DRIVE_H
#define NS_MODEL_SYSTEMS_RIGID_DRIVE_H

#include "model/model.h"

enum { NS_DRIVE_WIDTH = 6 * NS_FORCE_ENDS };

/* Iterates of a step, of a joint's drive. Where a formula bends, as a motor does that comes to its
 * limit, the tangents on neither side may lead to a solution in between, and Newton's method goes
 * to and fro for ever. An iterate that was left upwards is a lower bound of the rate, one that was
 * left downwards an upper one: where the chord to one of them is more than twice as steep as the
 * tangent, it is taken in its place (false position; Dahlquist & Bjorck 2008, section 6.2.3), and
 * tangents again once they see what is between. */
typedef struct ns_drive_chord {
  double lever; /* h theta: how coordinates follow their rates */
  int known;    /* 0: there is no last iterate */
  struct ns_drive_iterate {
    double rate, tau;
  } last[2], low[2], high[2]; /* of each coordinate; NaN where there is no such bound */
} ns_drive_chord;

/* What one of them does at a state; vectors of all sides one after the other, width = sides dof. */
typedef struct ns_drive_state {
  const ns_others *all; /* variables of all systems, for formulas that read others; NULL: vectors of
                         * its model stand in those of all (part.h) */
  int sides, dof;       /* dof: velocities of a body: 6, in the plane 3 */
  double *F;            /* [width] */
  double *K, *C;        /* [width x width] by columns, K without sum_k tau_k dg_k^T, which is: */
  double *
      /* what lines and lever arms turn by (geometric stiffness); NULL, as K and C: not wanted, or
         zero */
      turn;
  ns_drive_chord *chord; /* NULL: tangents as they are */
  double *known;         /* the part of F that has a potential [width]; NULL: none has */
  double potential;      /* J */
  double length, rate,
      /* of a force between points: of its line; the force is along it, positive where it pushes */
      force;
  double power; /* F V, W */
  double size;  /* largest tau, N or N m */
  double
      /* largest coordinate of a point in world axes, m: K extent times the precision is rounding of
         F */
      extent;
} ns_drive_state;

/* Coordinates, rows and what acts along them. */
typedef struct ns_drive_rows {
  int n, width;
  double d[2 * NS_FORCE_COORDINATES]; /* coordinates, and behind the n of them their rates */
  double g[NS_FORCE_COORDINATES][NS_DRIVE_WIDTH]; /* rows [n][width] */
  double b[NS_FORCE_COORDINATES][NS_DRIVE_WIDTH];
  double tau[NS_FORCE_COORDINATES];                      /* N m, N */
  double k[NS_FORCE_COORDINATES * NS_FORCE_COORDINATES]; /* -dtau_i/dd_j [n x n] by columns */
  double c[NS_FORCE_COORDINATES * NS_FORCE_COORDINATES]; /* -dtau_i/dd'_j */
} ns_drive_rows;

/* A formula that reads variables of other systems, and the first coordinate that it acts along. */
typedef struct ns_drive_reader {
  const ns_operator *op;
  int at;
} ns_drive_reader;
enum { NS_DRIVE_READERS = 3 };

/* What formulas read of other systems where the bodies of m are at q, v. */
static inline ns_others ns_drive_others(const ns_model *m, const ns_others *all, const double *q,
                                        const double *v, const double *z, const double *angle)
{
  return all ? *all : (ns_others){q - m->part_q, v - m->part_v, z, angle};
}

/* F, and K and C without dg, of its rows. */
void ns_drive_assemble(const ns_drive_rows *r, ns_drive_state *s);
/* J [width x op->foreign->n] by columns := g^T d(tau)/d(those variables), at the point where op is
 * evaluated; work: ns_operator_work and as many doubles as op has derivatives. */
void ns_drive_by_others(const ns_drive_rows *r, const ns_drive_reader *by, const ns_point *at,
                        double *work, double *J);
/* Doubles of scratch for that. */
size_t ns_drive_others_work(const ns_operator *op);

/* Free coordinates of a joint and behind them their rates, to d; angle: ns_state.angle, NULL: no
 * turns. */
void ns_joint_coordinates(const ns_model *m, const ns_interaction *it, const double *q,
                          const double *v, const double *angle, double *d);
/* Doubles of scratch. */
size_t ns_joint_drive_work(const ns_interaction *it);
/* The drive of a joint at (t, q, v, z) of the whole model; angle: ns_state.angle, from which turns
 * are counted. */
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
