/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_motion_groups.c -- free velocities of groups of bodies that forces join. Their W is one
 * matrix with blocks beside the diagonal; it is made as a whole where there are no rows, or where
 * the forces are stiff. */
#include "algebra/dense.h"
#include "algebra/sparse_lu.h"
#include "algebra/vector.h"
#include "integrators/rigid_motion_parts.h"

#include <string.h>

/* Bodies of a group. */
static const int *bodies_of(const ns_rigid_motion *o, int g)
{
  return o->drives->member + o->drives->from[g];
}

/* How many velocities they have. */
static size_t velocities_of(const ns_rigid_motion *o, int g)
{
  return (size_t)(o->drives->from[g + 1] - o->drives->from[g]) * (size_t)o->dof;
}

/* Above so many velocities a group has sparse factors; with a problem its W^-1 up to so many, else
 * coupling is left to the passes. */
enum { GROUP_DENSE = 240, GROUP_WHOLE = 600 };

/* W of a large group, its factors, and two vectors. */
typedef struct ns_group_sparse {
  ns_blocks W;
  ns_sparse_lu *factors; /* NULL: it is dense */
  double *b, *x;
} ns_group_sparse;

static int get_sparse(ns_rigid_motion *o, ns_ctx *c, int g, size_t n)
{
  ns_group_sparse *s = &o->sparse[g];
  s->b = ns_arena_zero(o->mem, n, sizeof *s->b);
  s->x = ns_arena_zero(o->mem, n, sizeof *s->x);
  if (!s->b || !s->x) return ns_nomem(c, "forces between bodies");
  int rc = ns_rigid_drives_structure(o->drives, c, g, o->mem, &s->W);
  return rc ? rc : ns_sparse_lu_create(c, &s->W, &s->factors);
}

int ns_rigid_motion_groups_create(ns_rigid_motion *o, ns_ctx *c)
{
  const ns_rigid_drives *d = o->drives;
  size_t max = 0, longest = 0, nv = o->m->nv;
  if (!d) return NS_OK;
  const ns_array lists[] = {{&o->group_of, (size_t)o->nbodies, sizeof *o->group_of},
                            {&o->whole, (size_t)d->ngroups, sizeof *o->whole},
                            {&o->sparse, (size_t)d->ngroups, sizeof *o->sparse}};
  if (ns_arena_arrays(o->mem, lists, sizeof lists / sizeof *lists))
    return ns_nomem(c, "forces between bodies");
  for (int g = 0; g < d->ngroups; g++) {
    size_t n = velocities_of(o, g);
    int rc = n > GROUP_DENSE ? get_sparse(o, c, g, n) : NS_OK;
    if (rc) return rc;
    longest = n > longest ? n : longest;
    if (n > GROUP_WHOLE) continue;
    max = n > max ? n : max;
    if (!(o->whole[g] = ns_arena_zero(o->mem, n * n, sizeof **o->whole)))
      return ns_nomem(c, "forces between bodies");
  }
  const ns_array scratch[] = {{&o->group, max * max + longest, sizeof *o->group},
                              {&o->pivots, max, sizeof *o->pivots},
                              {&o->known0, nv, sizeof *o->known0},
                              {&o->known1, nv, sizeof *o->known1}};
  size_t needed = d->elastic ? 4 : 2; /* known0 and known1: of forces with a potential */
  if (ns_arena_arrays(o->mem, scratch, needed)) return ns_nomem(c, "forces between bodies");
  o->groups = (ns_multibody_groups){.group = o->group_of,
                                    .place = d->place,
                                    .member = d->member,
                                    .from = d->from,
                                    .n = d->ngroups,
                                    .inverse = (const double *const *)o->whole,
                                    .work = o->group};
  return ns_dense_prepare(c, (int)max);
}

void ns_rigid_motion_groups_fini(ns_rigid_motion *o)
{
  for (int g = 0; o->sparse && g < o->drives->ngroups; g++)
    ns_sparse_lu_destroy(o->sparse[g].factors);
}

/* ---- W of a group ---------------------------------------------------------------------------- */

/* W of group g and its residual [n], velocities that are prescribed taken out; turn 0: without the
 * geometric stiffness of forces between bodies. */
static int group_matrix(ns_rigid_motion *o, ns_ctx *c, int g, double turn, const ns_group_matrix *W,
                        double *r)
{
  const int *body = bodies_of(o, g);
  int dof = o->dof;
  double *own = o->work + 2 * NS_RIGID_MAX * NS_RIGID_MAX, a = o->h * o->theta;
  size_t entries = W->sparse ? (size_t)W->sparse->row[W->n] : (size_t)W->n * (size_t)W->n;
  memset(W->sparse ? W->sparse->val : W->W, 0, entries * sizeof *own);
  for (int k = 0; k < W->n / dof; k++) {
    int rc = ns_rigid_motion_matrix(o, c, body[k], own);
    if (rc) return rc;
    ns_group_matrix_add(W, dof, k, k, 1, own, dof);
    memcpy(r + k * dof, o->r + body[k] * dof, (size_t)dof * sizeof *r);
  }
  ns_rigid_drives_couple(o->drives, g, a, a * a, turn * a * a, W);
  ns_rigid_motion_hold(o, body, W, r);
  return NS_OK;
}

/* vfree of its bodies, d = W^-1 r [n]. */
static void group_free(ns_rigid_motion *o, int g, int n, const double *d)
{
  const int *body = bodies_of(o, g);
  for (int i = 0; i < n; i++) {
    size_t k = ns_rigid_velocity_of(o, body, i);
    o->vfree[k] = o->nheld && o->held[k] ? o->target[k] : o->v[k] - d[i];
  }
}

static int group_singular(const ns_rigid_motion *o, ns_ctx *c, int g)
{
  return ns_rigid_motion_singular(o, c, o->part[*bodies_of(o, g)].s);
}

/* Without rows: one linear system. */
static int group_alone(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  double *W = o->group, *r = W + (size_t)n * (size_t)n;
  int rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .W = W}, r);
  if (rc) return rc;
  if (ns_dense_lu(n, W, n, o->pivots)) return group_singular(o, c, g);
  ns_dense_lu_solve(n, W, n, o->pivots, 1, r, n);
  group_free(o, g, n, r);
  return NS_OK;
}

/* The same by sparse factors. */
static int group_large(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  ns_group_sparse *s = &o->sparse[g];
  double *r = o->group;
  int rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .sparse = &s->W}, r);
  if (rc) return rc;
  if (ns_sparse_lu_load(s->factors, &s->W, NULL) || ns_sparse_lu_update(s->factors))
    return group_singular(o, c, g);
  ns_sparse_lu_apply(s->factors, s->b, s->x, r);
  group_free(o, g, n, r);
  return NS_OK;
}

static void make_symmetric(size_t n, double *A)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < j; i++) A[i + j * n] = A[j + i * n] = (A[i + j * n] + A[j + i * n]) / 2;
}

/* R = W^-1 of group g [n x n]. Its symmetric part is taken where that is positive definite, else
 * that without geometric stiffness, which pushing forces make negative: passes lose little by it,
 * the problem of contacts stays one that has a solution. *r: its residual. */
static int group_inverse(ns_rigid_motion *o, ns_ctx *c, int g, int n, double *R, double **r)
{
  size_t ld = (size_t)n;
  double *W = o->group;
  int definite = 0, rc = NS_OK;
  *r = W + ld * ld;
  for (size_t j = 0; j < ld; j++)
    for (size_t i = 0; i < ld; i++) R[i + j * ld] = i == j;
  for (int turn = 1; turn >= 0 && !definite; turn--) {
    if ((rc = group_matrix(o, c, g, turn, &(ns_group_matrix){.n = n, .W = W}, *r))) return rc;
    make_symmetric(ld, W);
    definite = !ns_dense_cholesky(n, W, n);
  }
  if (definite) {
    ns_dense_cholesky_solve(n, W, n, n, R, n);
    make_symmetric(ld, R); /* what rounding left */
    return NS_OK;
  }
  if ((rc = group_matrix(o, c, g, 1, &(ns_group_matrix){.n = n, .W = W}, *r))) return rc;
  if (ns_dense_lu(n, W, n, o->pivots)) return group_singular(o, c, g);
  ns_dense_lu_solve(n, W, n, o->pivots, n, R, n);
  o->symmetric = 0;
  return NS_OK;
}

/* For a problem: W^-1 of group g, zero where velocities are prescribed, its diagonal blocks to
 * those of the bodies; vfree. */
static int group_whole(ns_rigid_motion *o, ns_ctx *c, int g, int n)
{
  const int *body = bodies_of(o, g);
  size_t dof = (size_t)o->dof, ld = (size_t)n;
  double *R = o->whole[g], *r, *d = o->group;
  int rc = group_inverse(o, c, g, n, R, &r);
  if (rc) return rc;
  memset(d, 0, ld * sizeof *d); /* the factors are of no more use */
  for (size_t j = 0; j < ld; j++)
    for (size_t i = 0; i < ld; i++) d[i] += R[i + j * ld] * r[j];
  group_free(o, g, n, d);
  for (int j = 0; j < n && o->nheld; j++) {
    if (!o->held[ns_rigid_velocity_of(o, body, j)]) continue;
    for (size_t i = 0, k = (size_t)j; i < ld; i++) R[i + k * ld] = R[k + i * ld] = 0;
  }
  for (size_t k = 0; k < ld / dof; k++) {
    double *own = o->inverse + (size_t)body[k] * dof * dof;
    o->group_of[body[k]] = g;
    for (size_t j = 0; j < dof; j++)
      for (size_t i = 0; i < dof; i++) own[i + j * dof] = R[dof * k + i + (dof * k + j) * ld];
  }
  return NS_OK;
}

int ns_rigid_motion_join(ns_rigid_motion *o, ns_ctx *c, int rows)
{
  static const double SOFT = 0.02; /* up to that the passes converge as quickly */
  double a = o->h * o->theta;
  o->joined = 0;
  if (o->drives) ns_fill_ints((size_t)o->nbodies, -1, o->group_of);
  for (int g = 0; o->drives && g < o->drives->ngroups; g++) {
    int n = (int)velocities_of(o, g);
    if (rows && (!o->whole[g] || ns_rigid_drives_coupling(o->drives, g, a, a * a, o->rest) <= SOFT))
      continue;
    int rc;
    if (rows) rc = group_whole(o, c, g, n);
    else rc = o->sparse[g].factors ? group_large(o, c, g, n) : group_alone(o, c, g, n);
    if (rc) return rc;
    o->joined |= rows;
  }
  return NS_OK;
}

void ns_rigid_motion_push(ns_rigid_motion *o, const double *p)
{
  size_t dof = (size_t)o->dof;
  for (size_t k = 0; k < (size_t)o->nbodies; k++) {
    int g = o->joined ? o->group_of[k] : -1;
    if (g < 0) {
      for (size_t j = 0; j < dof; j++)
        if (o->diagonal) o->vfree[k * dof + j] += o->inverse[k * dof + j] * p[k * dof + j];
        else
          for (size_t i = 0; i < dof; i++)
            o->vfree[k * dof + i] += o->inverse[(k * dof + j) * dof + i] * p[k * dof + j];
      continue;
    }
    size_t n = velocities_of(o, g), at = dof * (size_t)o->groups.place[k];
    const int *body = bodies_of(o, g);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < dof; i++)
        o->vfree[k * dof + i] += o->whole[g][at + i + j * n] *
                                 p[(size_t)body[j / dof] * dof + j % dof];
  }
}
