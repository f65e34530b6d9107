/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiple_impact.h -- impacts of many contacts at once by Darboux-Keller dynamics with energetic
 * restitution [Liu2008, Liu2009].
 *
 * Each contact is a spring of force K delta^eta that the impact loads and unloads while positions
 * stand still; the independent variable is impulse. With the potential energy E_i of contact i
 *
 *   f_i = c_i E_i^p_i,  p_i = eta_i/(1 + eta_i),  c_i = (1 + eta_i)^p_i K_i^(1/(1 + eta_i)),   dP_i
 *                       = (f_i/f_*) dP_*
 *   d ydot = D dP,   dE_i = -ydot_i dP_i,  where it unloads -ydot_i dP_i / e_i^2 (bi-stiffness)
 *
 * and * the primary contact. An impact ends when no contact has energy or approaches. The result
 * depends on ratios of stiffnesses and on exponents alone. mono-stiffness: loading and unloading
 * alike, but a contact's energy is gone once it separates with (1 - e^2) of what it had when it was
 * compressed most.
 *
 * With E = K delta^(1+eta)/(1+eta) and t instead of P_* this is a motion of springs, smooth but
 * where a contact is closed, turns or opens:
 *
 *   dP_i/dt = K_i delta_i^eta_i,  d delta_i/dt = -ydot_i, where it unloads -ydot_i / e_i^2
 *                                 (bi-stiffness),  ydot = ydot0 + D P
 *
 * ns_multiple_impact_solve integrates it with an error of about 1e-10, from one of these instants
 * to the next; kinetic energy does not grow beyond rounding. ns_multiple_impact_march is the
 * published scheme: increments dP of the primary contact, which is that of largest energy, or of
 * fastest approach while there is none; first order, and energy may grow with it.
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
  /* increment of the primary contact; in _solve the largest of any, 0: no limit; N s */
  double dP;
  int mono;
  long most; /* increments, or steps */
} ns_multiple_impact;

/* Doubles of scratch for n contacts. */
#define NS_MULTIPLE_IMPACT_WORK(n) (28 * (n))

/* ydot [n] before -> after, P [n] the impulses. Number of steps tried; -1: more than `most` would
 * be needed, ydot and P are what it came to. */
long ns_multiple_impact_solve(const ns_multiple_impact *p, double *work, double *ydot, double *P);

/* The same by increments of dP > 0; their number. */
long ns_multiple_impact_march(const ns_multiple_impact *p, double *work, double *ydot, double *P);

#endif
