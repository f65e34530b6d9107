/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solvers of one contact by their names (Acary, Bremond & Huber 2018, section 3). */
#include "problems/mechanical_work.h"

#include "base/text.h"

#include <string.h>

enum { NEWTON = 50, PROJECTIONS = 1000 };
static const double min = 1e-14;

static void quartic(int d, const ns_contact *k, const double *q, double *r)
{
  if (d == 2) ns_contact_solve_plane(k, q, r);
  else if (!ns_contact_quartic(k, q, r)) ns_contact_by_turns(k, q, r);
}

static void alart_curnier(int d, const ns_contact *k, const double *q, double *r)
{
  ns_contact_newton(d, k, 0, q, r, NEWTON);
}

static void jean_moreau(int d, const ns_contact *k, const double *q, double *r)
{
  ns_contact_newton(d, k, 1, q, r, NEWTON);
}

static void projection(int d, const ns_contact *k, const double *q, double *r)
{
  ns_contact_projection(d, k, q, r, PROJECTIONS, min);
}

static const ns_contact_solver list[] = {
    {"auto", "exact cases, then Newton's methods and projections in turn", NULL},
    {"quartic",
     "exact, the slip from a quartic; otherwise Newton's methods and projections in turn", quartic},
    {"alart-curnier", "damped Newton on the map of Alart and Curnier", alart_curnier},
    {"jean-moreau", "damped Newton with the friction disc of the normal impulse itself",
     jean_moreau},
    {"projection", "projections on the cone with adaptive steps", projection},
};
const ns_contact_solver *const ns_contact_solvers[] = {&list[0], &list[1], &list[2],
                                                       &list[3], &list[4], NULL};

const ns_contact_solver *ns_contact_solver_find(const char *name)
{
  return NS_NAMED_KIND(ns_contact_solver, ns_contact_solvers, name);
}

void ns_contact_solve_by(const ns_contact_solver *by, int d, const ns_contact *k, const double *q,
                         double *r)
{
  double was[3] = {0};
  size_t bytes = (size_t)d * sizeof *r;
  if (q[0] >= 0) {
    memset(r, 0, bytes);
    return;
  }
  memcpy(was, r, bytes);
  double before = ns_contact_worth(d, k, q, was);
  by->solve(d, k, q, r);
  if (!(ns_contact_worth(d, k, q, r) < before)) memcpy(r, was, bytes);
}
