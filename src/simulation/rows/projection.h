/* SPDX-License-Identifier: GPL-3.0-or-later */
/* projection.h -- projection of positions onto the constraints after a velocity step (Acary 2013).
 *
 * A velocity-level scheme does not correct the depth at which a contact closes, nor the drift of
 * equalities. After the velocity step this projection changes the positions, but not the
 * velocities: with H = dh/dq it repeats
 *
 *   y(q) + H B H^T L  against  L,   q <- q + B H^T L
 *
 * until the gaps are within tolerance. B is the inverse of the mass, in linear systems of the
 * iteration matrix W ("mass": the change of position is the smallest in kinetic energy, and
 * consistent in units where coordinates are lengths and angles), or the identity.
 *
 *   direct     on the set I_1 of the velocity step, y + gamma h ydot <= threshold at the projected
 *              positions: 0 <= y _|_ L >= 0, or y = 0 for equalities. With `activation` > 0 a
 *              loaded contact remains in I_1 as long as its gap is <= activation; 0: only the rule.
 *   combined   I_1 is empty at first; contacts with y <= 0 at the end of the step are added to it,
 *              and the step is repeated until none is added. Its rows that are loaded or violated
 *              are projected to y = 0, from either side.
 *
 * Projected positions often satisfy these tests with equality. From y = 0 with e = theta = gamma =
 * 1/2, a loaded contact changes its velocity from v to -v/2 and ends at y = h v / 4, so that y +
 * gamma h ydot = 0 up to rounding, which depends on the origin. Gaps are therefore compared to
 * within the tolerance of positions: direct projection counts such a contact as closed, combined
 * projection keeps its state from the beginning of the step (in the published trajectory a body
 * continues its flight if a step ends at y = 0).
 *
 * Direct projection moves a contact to y = 0 but keeps its velocity. If this points away from the
 * surface, the contact leaves I_1 and does not come to rest: it hops with |v| <= 2 h |F/M| and y <=
 * h^2 |F/M|, an energy of O(h^2), as in the published scheme. With `activation` above that height
 * and e <= 1/2 the loaded contact stays in I_1 and comes to rest at a gap below activation: while
 * it moves away, its impulse reduces its speed, u+ >= -e u.
 *
 * A friction law is projected by its normal row; relays and compliant rows are not projected. The
 * change of energy by a projection is part of the energy defect, since no force causes it.
 *
 * [Acary2013] Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with
 *             unilateral contact and Coulomb's friction, CMAME 256:224-250,
 *             doi:10.1016/j.cma.2012.12.012 */
#ifndef NS_SIMULATION_ROWS_PROJECTION_H
#define NS_SIMULATION_ROWS_PROJECTION_H

#include "simulation/rows/contacts.h"

#include <math.h>

typedef struct ns_projection ns_projection;

/* Direct: 1 if the predicted gap is closed. */
static inline int ns_projection_closes(const ns_simulation_options *s, double h, double y,
                                       double ydot)
{
  double closed = s->mj.threshold + s->proj.unilateral_tol;
  return y + s->mj.gamma * h * ydot <= closed && ydot <= s->mj.velocity_threshold;
}

/* Direct: the gap (m) up to which a loaded contact remains active. */
static inline double ns_projection_stays(const ns_projection_options *p)
{
  return p->activation > 0 ? p->activation : -INFINITY;
}

/* Direct: 1 if row r of a gap is in I_1 of a step from x. */
static inline unsigned char ns_projection_chooses(const ns_simulation_options *s, const ns_state *x,
                                                  double h, int r)
{
  int rests = x->lambda[r] > 0 && x->y[r] <= ns_projection_stays(&s->proj);
  return rests || ns_projection_closes(s, h, x->y[r], x->ydot[r]);
}

/* How far y is from where it may be, by its tolerance; <= 1: near enough. closed: y = 0 is required
 * of a gap, too. */
static inline double ns_projection_distance(const ns_projection_options *p, int equality,
                                            int closed, double y)
{
  double violation = equality || closed ? fabs(y) : fmax(0, -y);
  return violation / (equality ? p->equality_tol : p->unilateral_tol);
}

/* Combined: 1 if a step from y0 that ends at y has reached the contact. If y = 0 to within the
 * tolerance, a contact that was closed remains closed, and one that was open remains open. */
static inline int ns_projection_meets(const ns_projection_options *p, double y0, double y)
{
  double tol = p->unilateral_tol;
  return y0 > tol ? y < -tol : y <= tol;
}

/* The contacts and their integrator are borrowed. Everything is allocated here. */
int ns_projection_create(ns_ctx *c, ns_contacts *k, void *osi, int combined, ns_projection **out);
void ns_projection_destroy(ns_projection *p); /* NULL-safe */
size_t ns_projection_bytes(const ns_projection *p);

/* Direct: choose I_1 for a step from x. */
void ns_projection_activate(ns_projection *p, const ns_state *x, double t1, double h);
/* Combined: _begin: I_1 for the first iteration of a step; _join: for the next one, 1 if a contact
 * was added. */
void ns_projection_begin(ns_projection *p, const ns_state *x, double t1, double h);
int ns_projection_join(ns_projection *p, const ns_state *x);
/* Project q [nq] onto the constraints; v: of the iterate. *moved: 1 if q has changed. The gaps are
 * stored for ns_projection_join. NS_NUMERIC: not within tolerance after all passes. */
int ns_projection_apply(ns_projection *p, ns_ctx *c, const ns_state *x, double *q, const double *v,
                        int *moved);

#endif
