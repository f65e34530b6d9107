/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint.c -- a simulation as a stream of bytes, and back.
 *
 * A snapshot is the state's block, the block of what is outside, and the memory of the driver.
 * Where the integrator has a history that cannot be saved, the snapshot is that of the last moment
 * without one, and the state of now follows it: it is what the steps in between must come to. */
#include "simulation/simulation_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_snapshot(ns_simulation *s, ns_blob *b)
{
  if (s->outside) s->outside->save(s->outside->to, s->block);
  ns_blob_put(b, s->x.block, s->x.bytes);
  ns_blob_put(b, s->block, s->outside ? s->outside->size : 0);
  s->ops->save(s->self, b);
}

/* A failure stays in it until the next save. */
static void take_anchor(void *to)
{
  ns_simulation *s = to;
  ns_blob_clear(&s->anchor);
  put_snapshot(s, &s->anchor);
}

int ns_simulation_keep(ns_simulation *s, ns_ctx *c, const ns_outside *o)
{
  if (s->ops->savable && !s->ops->savable(s->self))
    return ns_fail_at(c, NS_USAGE, &s->m->sim.at,
                      "no checkpoints with %s and solver \"%s\": one of them does not save its "
                      "data from step to step; run without checkpoints, or use another one",
                      s->plan.integrator, s->plan.solver);
  s->outside = o && o->size ? o : NULL;
  free(s->block);
  s->block = NULL;
  if (s->outside && !(s->block = malloc(o->size))) return ns_nomem(c, "checkpoint");
  if (s->ops->anchored) s->ops->anchored(s->self, take_anchor, s);
  return NS_OK;
}

int ns_simulation_save(ns_simulation *s, ns_ctx *c, ns_blob *b)
{
  if (s->ops->anchored) {
    int rc = ns_blob_status(&s->anchor, c, "checkpoint");
    if (rc) return rc;
    ns_blob_put(b, s->x.block, s->x.bytes);
    ns_blob_put(b, s->anchor.bytes, s->anchor.n);
  } else {
    put_snapshot(s, b);
  }
  return ns_blob_status(b, c, "checkpoint");
}

/* ---- back ------------------------------------------------------------------------------------ */

static int damaged(ns_ctx *c)
{
  return ns_fail(c, NS_NOINPUT,
                 "the state of the checkpoint does not match this model: it is damaged, or belongs "
                 "to another model");
}

static int get_snapshot(ns_simulation *s, ns_ctx *c, ns_blob *b)
{
  ns_blob_get(b, s->x.block, s->x.bytes);
  ns_blob_get(b, s->block, s->outside ? s->outside->size : 0);
  if (b->failed) return damaged(c);
  if (*s->x.step < 0 || !isfinite(*s->x.t)) return damaged(c);
  s->ops->restore(s->self, b);
  if (b->failed) return damaged(c);
  return s->outside ? s->outside->restore(s->outside->to, c, s->block) : NS_OK;
}

/* The state is the one of `want`, but for what only recorded rows bring to date. */
static int arrived(const ns_simulation *s, const void *want)
{
  char *copy = malloc(s->x.bytes);
  if (!copy) return -1;
  memcpy(copy, want, s->x.bytes);
  memcpy(copy + ((char *)s->x.p - (char *)s->x.block), s->x.p, s->m->nv * sizeof *s->x.p);
  memcpy(copy + ((char *)s->x.observable - (char *)s->x.block), s->x.observable,
         (size_t)s->m->nobservables * sizeof(double));
  size_t joints = ns_model_joint_angles(s->m), shown = 2 * s->m->nangles - joints;
  double *of_forces = s->x.angle + joints; /* and behind it all rates */
  memcpy(copy + ((char *)of_forces - (char *)s->x.block), of_forces, shown * sizeof *of_forces);
  int same = !memcmp(copy, s->x.block, s->x.bytes);
  free(copy);
  return same;
}

/* Once more from the snapshot to the state `want`. */
static int replay(ns_simulation *s, ns_ctx *c, const void *want)
{
  long long target;
  memcpy(&target, (const char *)want + ((char *)s->x.step - (char *)s->x.block), sizeof target);
  if (target < *s->x.step || target > s->plan.steps) return damaged(c);
  ns_simulation_listen(s, s->tap);
  while (*s->x.step < target) {
    ns_user_outcome o;
    int rc = ns_simulation_advance(s, c, s->tap, &o);
    if (rc < 0) return rc;
  }
  int same = arrived(s, want);
  if (same < 0) return ns_nomem(c, "checkpoint");
  if (same) return NS_OK;
  return ns_fail(c, NS_NOINPUT,
                 "the steps before the checkpoint gave a different state this time (t = %.10g s): "
                 "the processor, a library or a plug-in is different; start the run again",
                 *s->x.t);
}

static int restore_anchor(ns_simulation *s, ns_ctx *c, ns_blob *b)
{
  size_t n;
  const void *snapshot = ns_blob_next(b, &n);
  if (!snapshot) return damaged(c);
  ns_blob_clear(&s->anchor);
  ns_blob_put(&s->anchor, snapshot, n); /* a stream in the stream: its items are read in place */
  s->anchor.at = s->anchor.n - n;
  int rc = ns_blob_status(&s->anchor, c, "checkpoint");
  if (!rc) rc = get_snapshot(s, c, &s->anchor);
  if (!rc) take_anchor(s);
  return rc;
}

int ns_simulation_restore(ns_simulation *s, ns_ctx *c, ns_blob *b)
{
  size_t bytes;
  s->started = s->restored = 1;
  if (!s->ops->anchored) return get_snapshot(s, c, b);
  const void *want = ns_blob_next(b, &bytes);
  if (!want || bytes != s->x.bytes) return damaged(c);
  int rc = restore_anchor(s, c, b);
  return rc ? rc : replay(s, c, want);
}
