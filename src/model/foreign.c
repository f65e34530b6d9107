/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/foreign.h"

#include <stdlib.h>
#include <string.h>

/* The derivative of f [n] by the variables, by columns. */
static int derive(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int n, int nof,
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
  if (!rc) rc = ns_tape_compile(g, c, m->arena, out, (int)entries, tape);
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
  op->foreign = k;
  return bare ? NS_OK : derive(m, c, g, f, n, nof, &k->jacobian);
}

void ns_foreign_finish(ns_model *m)
{
  for (ns_foreign *k = m->foreign; k; k = k->next)
    for (int j = 0; j < k->n; j++) {
      const ns_foreign_variable *v = &k->of[j];
      const ns_system *s = &m->systems[v->system];
      const double *start = v->bank == NS_BANK_Q ? s->q0 : v->bank == NS_BANK_V ? s->v0 : s->z0;
      k->at[j] = (v->bank == NS_BANK_Q ? s->q : v->bank == NS_BANK_V ? s->v : s->z) + (size_t)v->k;
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
    if (p->op->foreign) return 1;
  return 0;
}
