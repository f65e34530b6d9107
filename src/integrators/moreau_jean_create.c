/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_create.c -- which kernel takes which system, and the memory of all. */
#include "integrators/moreau_jean_data.h"
#include "model/systems/lagrangian.h"

#include <string.h>

static kernel kernel_of(const ns_system *s)
{
  if (!ns_lagrangian_is_linear(s)) return NONLINEAR;
  int diagonal = ns_operator_is_diagonal(&s->mass) && ns_operator_is_diagonal(&s->damping) &&
                 ns_operator_is_diagonal(&s->stiffness);
  return diagonal ? DIAGONAL : DENSE;
}

static void classify(moreau_jean *o)
{
  const ns_model *m = o->m;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    size_t a = s->q, b = a + (size_t)s->n;
    o->mixed = o->mixed || s->own_theta;
    o->kind[i] = kernel_of(s);
    o->block_of[i] = -1;
    if (s->fext.how == NS_OP_CONSTANT)
      memcpy(o->fpot + a, s->fext.value, (size_t)s->n * sizeof(double));
    if (o->kind[i] != NONLINEAR && s->fext.how > NS_OP_CONSTANT) o->timed[o->ntimed++] = i;
    if (o->kind[i] != DIAGONAL) {
      o->block_of[i] = o->nblocks;
      o->blocks[o->nblocks++] = (block){
          .s = i, .kind = o->kind[i], .moving = s->mass.how > NS_OP_CONSTANT};
      continue;
    }
    int plain = !s->damping.how && !s->stiffness.how,
        steady = plain && s->fext.how <= NS_OP_CONSTANT;
    for (int k = 0; k < s->n; k++) {
      o->mass[a + (size_t)k] = ns_operator_entry_or(&s->mass, k, k, 1);
      o->damping[a + (size_t)k] = ns_operator_entry_or(&s->damping, k, k, 0);
      o->stiffness[a + (size_t)k] = ns_operator_entry_or(&s->stiffness, k, k, 0);
    }
    run *last = o->nruns ? &o->runs[o->nruns - 1] : NULL;
    double theta = theta_of(o, s);
    if (last && last->b == a && last->plain == plain && last->steady == steady &&
        last->theta == theta)
      last->b = b;
    else o->runs[o->nruns++] = (run){a, b, plain, steady, theta};
  }
}

/* Values of nonlinear systems, and their tapes. */
static int nonlinear_memory(moreau_jean *o, ns_ctx *c, size_t *work)
{
  int *list = ns_arena_get(o->mem, (size_t)o->nblocks, sizeof *list), n = 0;
  ns_lagrangian_tapes *tapes = ns_arena_zero(o->mem, (size_t)o->nblocks, sizeof *tapes);
  if (!list || !tapes) return NS_NOMEM;
  for (int k = 0; k < o->nblocks; k++)
    if (o->blocks[k].kind == NONLINEAR) list[n++] = o->blocks[k].s;
  int rc = ns_lagrangian_tapes_create(c, o->m, list, n, o->mass_gamma == 1, o->mem, tapes);
  for (int k = 0, i = 0; k < o->nblocks && !rc; k++) {
    block *b = &o->blocks[k];
    size_t size = (size_t)o->m->systems[b->s].n;
    if (b->kind != NONLINEAR) continue;
    b->tapes = tapes[i++];
    if (b->tapes.work > *work) *work = b->tapes.work;
    if (!(b->value = ns_arena_zero(o->mem, 3 * size * size + 2 * size, sizeof *b->value)))
      rc = NS_NOMEM;
  }
  return rc;
}

int ns_moreau_jean_get_memory(moreau_jean *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  size_t ns = (size_t)m->nsystems, nv = m->nv, nn = 1, nw = 1, big = 1;
  ns_arena *a = o->mem;
  const size_t d = sizeof(double);
  const ns_array want[] = {{&o->kind, ns, sizeof *o->kind},
                           {&o->block_of, ns, sizeof *o->block_of},
                           {&o->timed, ns, sizeof *o->timed},
                           {&o->mass, nv, d},
                           {&o->damping, nv, d},
                           {&o->stiffness, nv, d},
                           {&o->winv, nv, d},
                           {&o->gain, nv, d},
                           {&o->fpot, nv, d},
                           {&o->v, nv, d},
                           {&o->q, nv, d},
                           {&o->f1, nv, d},
                           {&o->gyr, nv, d},
                           {&o->wf, nv, d},
                           {&o->r, nv, d},
                           {&o->free, nv, d},
                           {&o->rise, nv, d},
                           {&o->drift, nv, d},
                           {&o->z, m->nz, d}};
  o->runs = ns_arena_get(a, ns, sizeof *o->runs); /* not zeroed: memory of large models */
  o->blocks = ns_arena_get(a, ns, sizeof *o->blocks);
  if (!o->runs || !o->blocks || ns_arena_arrays(a, want, sizeof want / sizeof *want))
    return NS_NOMEM;
  classify(o);
  for (int k = 0; k < m->nsystems; k++) {
    size_t n = (size_t)m->systems[k].n, w = ns_lagrangian_work(&m->systems[k]);
    if (o->kind[k] == NONLINEAR && n * n > nn) nn = n * n;
    if (w > nw) nw = w;
    if (n > big) big = n;
  }
  if (nonlinear_memory(o, c, &nw)) return NS_NOMEM;
  const ns_array scratch[] = {
      {&o->qm, big, d}, {&o->Kt, nn, d}, {&o->Ct, nn, d}, {&o->work, nw, d}};
  if (ns_arena_arrays(a, scratch, sizeof scratch / sizeof *scratch)) return NS_NOMEM;
  int ok = 1;
  for (int k = 0; k < o->nblocks && ok; k++) {
    block *b = &o->blocks[k];
    const ns_system *s = &m->systems[b->s];
    size_t n = (size_t)s->n;
    b->symmetric = b->kind == DENSE && ns_operator_is_symmetric(&s->mass) &&
                   ns_operator_is_symmetric(&s->damping) && ns_operator_is_symmetric(&s->stiffness);
    if (b->kind == DENSE && ns_moreau_jean_sparse(o, c, b)) return NS_NOMEM;
    b->W = ns_arena_zero(a, b->sparse ? 1 : n * n, sizeof(double));
    b->piv = ns_arena_zero(a, n, sizeof(int));
    ok = b->W && b->piv;
  }
  if (!ok || ns_moreau_jean_hold(o)) return NS_NOMEM;
  o->steady = !o->mixed && o->nruns == 1 && o->runs[0].steady && !o->nblocks && !o->ntimed &&
              !o->nheld && !m->nz;
  return NS_OK;
}
