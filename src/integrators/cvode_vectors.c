/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/cvode_vectors.h"

#include <nvector/nvector_serial.h>

#include <stdlib.h>
#include <string.h>

/* A vector; as SUNDIALS sees it, it is of the serial kind. */
typedef struct slot {
  struct _generic_N_Vector vector;
  struct _N_VectorContent_Serial content;
  ns_cvode_vectors *pool;
  int used; /* of those without data, which come and go */
} slot;

enum { EMPTY = 4 };

struct ns_cvode_vectors {
  N_Vector model; /* whose operations all have */
  struct _generic_N_Vector_Ops ops;
  size_t n, room; /* unknowns, and at most */
  int most, taken;
  slot *slots;    /* [most] */
  double *data;   /* [most x room] */
  slot empty[EMPTY];
};

static N_Vector fill(ns_cvode_vectors *p, slot *s, double *data)
{
  s->content = (struct _N_VectorContent_Serial){.length = (sunindextype)p->n, .own_data = SUNFALSE, .data = data};
  s->vector = (struct _generic_N_Vector){.content = &s->content, .ops = &p->ops, .sunctx = p->model->sunctx};
  s->pool = p;
  s->used = 1;
  return &s->vector;
}

static N_Vector clone(N_Vector v)
{
  slot *s = (slot *)(void *)v;
  return ns_cvode_vectors_get(s->pool);
}

/* For the columns of a Jacobian: one at a time. */
static N_Vector clone_empty(N_Vector v)
{
  ns_cvode_vectors *p = ((slot *)(void *)v)->pool;
  for (int k = 0; k < EMPTY; k++)
    if (!p->empty[k].used) return fill(p, &p->empty[k], NULL);
  return NULL;
}

static void forget(N_Vector v) { ((slot *)(void *)v)->used = 0; }

ns_cvode_vectors *ns_cvode_vectors_create(void *sun, size_t n, int most)
{
  ns_cvode_vectors *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->n = p->room = n;
  p->most = most;
  p->model = N_VNewEmpty_Serial((sunindextype)n, sun);
  p->slots = calloc((size_t)most, sizeof *p->slots);
  p->data = calloc((size_t)most * n + 1, sizeof *p->data);
  if (!p->model || !p->slots || !p->data) {
    ns_cvode_vectors_destroy(p);
    return NULL;
  }
  p->ops = *p->model->ops;
  p->ops.nvclone = clone;
  p->ops.nvcloneempty = clone_empty;
  p->ops.nvdestroy = forget;
  return p;
}

void ns_cvode_vectors_destroy(ns_cvode_vectors *p)
{
  if (!p) return;
  if (p->model) N_VDestroy(p->model);
  free(p->slots);
  free(p->data);
  free(p);
}

void *ns_cvode_vectors_get(ns_cvode_vectors *p)
{
  if (p->taken == p->most) return NULL;
  N_Vector v = fill(p, &p->slots[p->taken], p->data + (size_t)p->taken * p->room);
  p->taken++;
  return v;
}

void ns_cvode_vectors_resize(ns_cvode_vectors *p, size_t n)
{
  p->n = n;
  for (int k = 0; k < p->taken; k++) p->slots[k].content.length = (sunindextype)n;
}
