/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiple_impact.h -- impacts of many contacts at once by Darboux-Keller dynamics with energetic
 * restitution [Liu2008, Liu2009].
 *
 * Each contact is a spring of force K delta^eta, which the impact loads and unloads while positions
 * do not change. The independent variable is impulse. With the potential energy E_i of contact i
 *
 *   f_i = c_i E_i^p_i,  p_i = eta_i/(1 + eta_i),  c_i = (1 + eta_i)^p_i K_i^(1/(1 + eta_i)),
 *   dP_i = (f_i/f_*) dP_*,
 *   d ydot = D dP,   dE_i = -ydot_i dP_i,  where it unloads -ydot_i dP_i / e_i^2 (bi-stiffness)
 *
 * and * the primary contact. An impact ends when no contact has energy or approaches. The result
 * depends only on the exponents and on ratios of stiffnesses. Mono-stiffness: loading and unloading
 * have the same stiffness, but the energy of a contact is set to zero when it separates with (1 -
 * e^2) of its energy at maximum compression.
 *
 * With E = K delta^(1+eta)/(1+eta) and t instead of P_* this is a motion of springs, smooth except
 * when a contact closes, changes from loading to unloading, or opens:
 *
 *   dP_i/dt = K_i delta_i^eta_i,   ydot = ydot0 + D P,
 *   d delta_i/dt = -ydot_i, where it unloads -ydot_i / e_i^2 (bi-stiffness)
 *
 * ns_multiple_impact_solve integrates it from one of these instants to the next with an error of
 * about 1e-10; kinetic energy grows by no more than rounding. ns_multiple_impact_march is the
 * published scheme: increments dP of the primary contact, the one with the largest energy or, if
 * there is none, the fastest approach. It has first order and may increase the energy.
 *
 * [Liu2008] Proc. R. Soc. A 464:3193-3211, doi:10.1098/rspa.2008.0078
 * [Liu2009] Proc. R. Soc. A 465:1-23, doi:10.1098/rspa.2008.0079 */
#ifndef NS_PROBLEMS_MULTIPLE_IMPACT_H
#define NS_PROBLEMS_MULTIPLE_IMPACT_H

typedef struct ns_multiple_impact {
  int n;                     /* contacts */
  const int *row, *col;      /* D by rows, scalar and symmetric: entries row[i] .. row[i+1) */
  const double *val;         /* kg^-1 */
  const double *K, *eta, *e; /* N/m^eta, 1, restitution in [0, 1] [n] */
  /* increment of the primary contact, N s; in _solve the max. increment of any contact, 0: no
   * limit */
  double dP;
  int mono;
  long max; /* max. number of increments or steps */
} ns_multiple_impact;

/* Doubles of scratch for n contacts. */
#define NS_MULTIPLE_IMPACT_WORK(n) (28 * (n))

/* ydot [n]: in, velocities before the impact, out, after it; P [n]: impulses. Returns the number of
 * steps tried; -1 if more than `max` were needed, with ydot and P as far as they were computed. */
long ns_multiple_impact_solve(const ns_multiple_impact *p, double *work, double *ydot, double *P);

/* The same by increments dP > 0; returns their number. */
long ns_multiple_impact_march(const ns_multiple_impact *p, double *work, double *ydot, double *P);

#endif
