/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/foreign.h"

#include "model/systems/rigid_force.h"
#include "model/systems/rigid_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ns_foreign_derive(ns_arena *mem, ns_ctx *c, ns_graph *g, const ns_node *f, int n, int nof,
                      const ns_tape **tape)
{
  size_t entries = (size_t)n * (size_t)nof;
  ns_node *out = malloc((entries + 1) * sizeof *out);
  int rc = out ? NS_OK : NS_NOMEM;
  for (int j = 0; j < nof && !rc; j++)
    for (int i = 0; i < n && !rc; i++) {
      ns_node d = ns_graph_diff(g, f[i], NS_BANK_FOREIGN, j);
      out[(size_t)i + (size_t)j * (size_t)n] = d;
      if (d < 0) rc = NS_NOMEM;
    }
  if (!rc) rc = ns_tape_compile(g, c, mem, out, (int)entries, tape);
  free(out);
  return rc == NS_NOMEM ? ns_nomem(c, "derivatives of couplings") : rc;
}

int ns_foreign_make(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int n,
                    const ns_foreign_variable *of, int nof, int bare, ns_operator *op)
{
  if (op->how != NS_OP_TAPE || !(op->uses >> NS_BANK_FOREIGN & 1u)) return NS_OK;
  ns_foreign *k = ns_arena_zero(m->arena, 1, sizeof *k);
  if (!k) return ns_nomem(c, "couplings");
  k->n = nof;
  k->of = ns_arena_copy(m->arena, of, (size_t)nof, sizeof *of);
  k->at = ns_arena_zero(m->arena, (size_t)nof, sizeof *k->at);
  k->start = ns_arena_zero(m->arena, (size_t)nof, sizeof *k->start);
  if (!k->of || !k->at || !k->start) return ns_nomem(c, "couplings");
  k->next = m->foreign;
  m->foreign = k;
  if (ns_operator_set_formula(op, m->arena, (ns_formula){.tape = op->formula->tape, .foreign = k}))
    return ns_nomem(c, "couplings");
  return bare ? NS_OK : ns_foreign_derive(m->arena, c, g, f, n, nof, &k->jacobian);
}

int ns_foreign_replace(ns_graph *g, ns_node *f, int n, int bank, const ns_node *by)
{
  for (int i = 0; i < n; i++)
    if ((f[i] = ns_graph_replace(g, f[i], bank, by)) < 0) return NS_NOMEM;
  return NS_OK;
}

int ns_foreign_lift(const ns_operator *op, ns_graph *g, int rows, int cols,
                    ns_node (*as)(void *of, const ns_foreign_variable *v), void *of, ns_node *out)
{
  const ns_foreign *f = ns_operator_foreign(op);
  if (ns_operator_lift(op, g, rows, cols, out)) return NS_NOMEM;
  if (!f) return NS_OK;
  ns_node *by = malloc(((size_t)f->n + 1) * sizeof *by);
  if (!by) return NS_NOMEM;
  for (int j = 0; j < f->n; j++) by[j] = as(of, &f->of[j]);
  int rc = ns_foreign_replace(g, out, rows * cols, NS_BANK_FOREIGN, by);
  free(by);
  return rc;
}

int ns_foreign_operator(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int rows, int cols,
                        const ns_foreign_variable *of, int nof, int bare, ns_operator *op)
{
  size_t n = (size_t)rows * (size_t)cols;
  double *value = ns_arena_zero(m->arena, n + 1, sizeof *value);
  int numbers = 1, zero = 1;
  if (!value) return NS_NOMEM;
  for (size_t i = 0; i < n; i++) {
    if (f[i] < 0) return NS_NOMEM;
    numbers = numbers && ns_graph_is_constant(g, f[i], &value[i]);
    zero = zero && value[i] == 0;
  }
  *op = (ns_operator){.rows = rows, .cols = cols};
  if (numbers && zero) return NS_OK;
  if (numbers) {
    op->how = NS_OP_CONSTANT;
    op->value = value;
    return NS_OK;
  }
  int rc = ns_operator_compile(op, c, g, m->arena, f, (int)n);
  return rc ? rc : ns_foreign_make(m, c, g, f, (int)n, of, nof, bare, op);
}

void ns_foreign_forget(ns_model *m, const ns_foreign *f)
{
  ns_foreign **at = &m->foreign;
  while (*at && *at != f) at = &(*at)->next;
  if (*at) *at = f->next;
}

int ns_foreign_systems(const ns_model *m, const ns_foreign_variable *v,
                       int systems[NS_FOREIGN_SYSTEMS])
{
  int n = 0;
  if (v->of == NS_OF_SYSTEM) {
    systems[0] = v->system;
    return 1;
  }
  if (v->of == NS_OF_JOINT) {
    const ns_interaction *it = &m->interactions[v->system];
    for (; n < it->nsystems; n++) systems[n] = it->systems[n];
    return n;
  }
  const ns_body_force *f = &m->forces[v->system];
  for (int k = 0; k < f->nends; k++)
    if (f->end[k].system >= 0) systems[n++] = f->end[k].system;
  return n;
}

/* Of a joint: its coordinate or rate, and the row of both. */
static double of_joint(const ns_model *m, const ns_foreign_variable *x, const double *q,
                       const double *v, const double *angle, double *by_q, double *by_v)
{
  const ns_interaction *it = &m->interactions[x->system];
  double g[NS_DRIVE_WIDTH], rate;
  size_t at = it->angle + (x->k && ns_joint_is_free(&it->joint, 0));
  double d = ns_joint_motion(m, it, x->k, q, v, angle ? angle[at] : 0, g, &rate);
  int is_rate = x->bank == NS_BANK_V;
  for (int i = 0; by_q && i < it->nV; i++) {
    by_q[i] = is_rate ? 0 : g[i];
    by_v[i] = is_rate ? g[i] : 0;
  }
  return is_rate ? rate : d;
}

/* The same of a line, without the sides of the world. */
static double of_line(const ns_model *m, const ns_foreign_variable *x, const double *q,
                      const double *v, const double *angle, double *by_q, double *by_v)
{
  const ns_body_force *f = &m->forces[x->system];
  double g[NS_DRIVE_WIDTH], b[NS_DRIVE_WIDTH], length, rate;
  ns_body_force_line(m, f, q, v, angle, &length, &rate, g, b);
  int is_rate = x->bank == NS_BANK_V, dof = f->planar ? 3 : 6;
  for (int k = 0, to = 0; by_q && k < f->nends; k++)
    for (int i = 0; i < dof && f->end[k].system >= 0; i++, to++) {
      by_q[to] = is_rate ? b[dof * k + i] : g[dof * k + i];
      by_v[to] = is_rate ? g[dof * k + i] : 0;
    }
  return is_rate ? rate : length;
}

double ns_foreign_between(const ns_model *m, const ns_foreign_variable *x, const double *q,
                          const double *v, const double *angle, double *by_q, double *by_v)
{
  if (x->of == NS_OF_JOINT) return of_joint(m, x, q, v, angle, by_q, by_v);
  return of_line(m, x, q, v, angle, by_q, by_v);
}

/* Of a joint at t0 both are zero but the rate; that and what lines are is left to the run. */
static double start_between(const ns_model *m, const ns_foreign_variable *v)
{
  if (v->of != NS_OF_LINE || v->bank != NS_BANK_Q) return 0;
  double rest = m->forces[v->system].rest_length;
  return isfinite(rest) ? rest : 1;
}

void ns_foreign_finish(ns_model *m)
{
  for (ns_foreign *k = m->foreign; k; k = k->next)
    for (int j = 0; j < k->n; j++) {
      const ns_foreign_variable *v = &k->of[j];
      k->m = m;
      if (v->of != NS_OF_SYSTEM) {
        k->start[j] = start_between(m, v);
        continue;
      }
      const ns_system *s = &m->systems[v->system];
      const double *start = v->bank == NS_BANK_Q ? s->q0 : v->bank == NS_BANK_V ? s->v0 : s->z0;
      k->at[j] = ns_system_place(s, (int)v->bank) + (size_t)v->k;
      k->start[j] = start ? start[v->k] : 0;
    }
}

void ns_foreign_parts(const ns_system *s, ns_foreign_part part[NS_FOREIGN_PARTS])
{
  ns_family f = ns_system_family(s);
  memset(part, 0, NS_FOREIGN_PARTS * sizeof *part);
  if (f == NS_FAMILY_LAGRANGIAN) {
    part[0] = (ns_foreign_part){&s->fext, 1};
    part[1] = (ns_foreign_part){&s->fint, -1};
    part[2] = (ns_foreign_part){&s->fgyr, -1};
  } else if (f == NS_FAMILY_FIRST_ORDER) {
    part[0] = (ns_foreign_part){&s->fo.f, 1};
    part[1] = (ns_foreign_part){&s->fo.b, 1};
  } else {
    part[0] = (ns_foreign_part){&s->rigid.fext, 1};
    part[1] = (ns_foreign_part){&s->rigid.mext, 1};
    part[2] = (ns_foreign_part){&s->rigid.fint, -1};
    part[3] = (ns_foreign_part){&s->rigid.mint, -1};
  }
}

int ns_foreign_reads(const ns_system *s)
{
  ns_foreign_part part[NS_FOREIGN_PARTS];
  ns_foreign_parts(s, part);
  for (const ns_foreign_part *p = part; p->op; p++)
    if (ns_operator_foreign(p->op)) return 1;
  return 0;
}
