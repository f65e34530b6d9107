/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvode.h -- flows by CVODE of SUNDIALS 6: Adams-Moulton with fixed-point iteration, or BDF with
 * Newton's method; variable order and step, roots on the interpolant [Cohen1996, Hindmarsh2005].
 *
 * The Jacobian is that of the problem if it has one, and computed by finite differences otherwise.
 * It is used for several steps, but evaluated again once the step has become ten times longer or
 * shorter, or the problem finds it outdated: with a Jacobian that is much too large, Newton's
 * method would accept steps that are not solutions. Newton's matrix is dense, or sparse and
 * factored by KLU [Davis2010]. KLU allocates its factors in
 * the first step after a restart, where it chooses pivots; everything else is allocated at
 * creation.
 *
 * If the problem inspects steps, CVODE takes single steps and values within a step come from the
 * interpolant, so that output times do not change the motion. Otherwise roots are located between
 * the output times.
 *
 * With method NS_FLOW_CHOSEN a flow begins with Adams and looks at windows of steps. Stability
 * limits the steps of Adams if their mean length times the largest rate of the motion, found by the
 * power method on df/dx, is large; if that rate is also damped, the motion is stiff, and BDF
 * continues. If BDF takes no longer steps, Adams continues, and the next trial comes later
 * [Petzold1983]. After a restart that begins stiff BDF is tried at once. Without a Jacobian of the
 * problem, or with one that is outdated after few steps, this is for up to 100 unknowns.
 *
 * A restart begins at order 1 with the first step of the last restart: CVODE's search for an
 * initial step costs several evaluations, and after an impact the motion has the same scale as
 * before.
 *
 * [Cohen1996]     CVODE, a stiff/nonstiff ODE solver in C, Computers in Physics 10:138-143,
 *                 doi:10.1063/1.4822377
 * [Davis2010]     KLU, a direct sparse solver for circuit simulation problems, ACM TOMS 37:36,
 *                 doi:10.1145/1824801.1824814
 * [Hindmarsh2005] SUNDIALS, ACM TOMS 31:363-396, doi:10.1145/1089014.1089020
 * [Petzold1983]   Automatic selection of methods for solving stiff and nonstiff systems, SIAM
 *                 Journal on Scientific and Statistical Computing 4:136-148, doi:10.1137/0904010 */
#ifndef NS_INTEGRATORS_CVODE_H
#define NS_INTEGRATORS_CVODE_H

#include "integrators/flow.h"

extern const ns_flow_ops ns_cvode;

/* The SUNContext of a flow created by ns_cvode, borrowed: ida.c creates its own SUNDIALS objects in
 * it. */
void *ns_cvode_context(const void *self);

#endif
