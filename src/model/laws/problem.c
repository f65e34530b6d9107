/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.c -- which one-step problem the laws of a model make. */
#include "model/laws/problem.h"

#include <string.h>

/* Bit k of ns_law_ops.stands is problem k; the last ones take whatever laws there are. */
enum { BY_LAWS = 5 };
static const struct {
  const char *name;
  int first_order, mechanics; /* of such systems */
} problems[] = {{"LCP", 1, 1},
                {"MLCP", 1, 1},
                {"Relay", 1, 1},
                {"FrictionContact", 0, 1},
                {"RollingFrictionContact", 0, 1},
                {"AVI", 1, 0},
                {"GenericMechanical", 0, 1}};

static int find(const char *name)
{
  int k = sizeof problems / sizeof *problems;
  while (k-- > 0) { /* asked once for each interaction: a call only where the name can be this */
    if (*problems[k].name == *name && !strcmp(problems[k].name, name)) break;
  }
  return k;
}

int ns_problem_takes(const char *name, const ns_law_ops *law)
{
  int k = find(name);
  return k < 0 || k >= BY_LAWS || (law->stands >> k & 1u);
}

int ns_problem_is_of(const char *name, int first_order)
{
  int k = find(name);
  return k < 0 || (first_order ? problems[k].first_order : problems[k].mechanics);
}

const char *ns_laws_problem(const ns_model *m)
{
  const ns_contact_model *shapes = &m->contact;
  unsigned all = ~0u;
  for (int i = 0; i < m->ninteractions; i++) all &= m->interactions[i].law.ops->stands;
  for (int k = 0; k < shapes->nmaterials * shapes->nmaterials; k++)
    if (shapes->law[k].ops) all &= shapes->law[k].ops->stands;
  for (int k = 0; k < BY_LAWS; k++)
    if (all >> k & 1u) return problems[k].name;
  return ns_model_is_first_order(m) ? "AVI" : "GenericMechanical";
}

const char *ns_model_problem(const ns_model *m)
{
  return m->sim.problem ? m->sim.problem : ns_laws_problem(m);
}

void ns_laws_bounds(const ns_model *m, double h, double *lb, double *ub)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    for (size_t r = 0; r < (size_t)it->m; r++)
      ns_law_bounds(&it->law, (int)r, h, &lb[it->row + r], &ub[it->row + r]);
  }
}

void ns_laws_restitution(const ns_model *m, double *e)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int slip = ns_law_slip(it->law.ops, it->m);
    for (int r = 0; r < it->m; r++)
      e[it->row + (size_t)r] = ns_law_restitution(&it->law, r, slip, m->sim.mj.theta);
  }
}
