/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/theta_parts.h"

#include "base/grow.h"
#include "model/laws/problem.h"
#include "simulation/step/theta_stepping.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef ns_theta_stepping stepping;

void ns_th_destroy(void *self)
{
  stepping *o = self;
  ns_active_rows_destroy(o->active);
  ns_step_problem_fini(&o->p);
  ns_contacts_destroy(o->k);
  ns_couplings_destroy(o->f);
  ns_theta_destroy(o->osi);
  if (o->bodies) ns_rigid_parts_fini(o->bodies);
  NS_FREE(o->bodies, o->slot, o->block_row, o->takes_part);
}

static int get_vectors(stepping *o, ns_ctx *c)
{
  size_t nv = o->s.m->nv, nF = (size_t)o->nF;
  double **vec[] = {&o->unknowns, &o->free,  &o->impulse, &o->input, &o->move,
                    &o->bent,     &o->moved, &o->at_free, &o->from,  &o->impulse_from},
         **relation[] = {&o->lambda,      &o->was,    &o->y,     &o->offset,
                         &o->lambda_from, &o->w_from, &o->w_last};
  int rc = ns_time_stepping_vectors(&o->s, c, nv, sizeof vec / sizeof *vec, vec);
  if (!rc) rc = ns_time_stepping_vectors(&o->s, c, o->s.m->nq, 1, (double **[]){&o->at_x});
  if (!rc)
    rc = ns_time_stepping_vectors(&o->s, c, nF, sizeof relation / sizeof *relation, relation);
  if (!rc)
    rc = ns_time_stepping_vectors(&o->s, c, (size_t)o->nL, 2,
                                  (double **[]){&o->history.before, &o->history.gap});
  if (rc) return rc;
  o->second = ns_arena_zero(o->s.mem, nv + 1, 1);
  o->C_end = ns_arena_zero(o->s.mem, nF + 1, sizeof *o->C_end);
  if (!o->second || !o->C_end) return ns_nomem(c, "time-stepping");
  for (int i = 0; i < o->s.m->nsystems; i++) {
    const ns_system *s = &o->s.m->systems[i];
    int second = !ns_system_is_first_order(s) && s->nq == s->n;
    memset(o->second + s->v, second, (size_t)s->n);
  }
  return NS_OK;
}

/* The rigid bodies, where there are some. */
static int get_bodies(stepping *o, ns_ctx *c)
{
  int rc = ns_part_bodies(o->s.m, c, o->s.mem, &o->part);
  if (rc || !o->part.nsystems) return rc;
  o->part_x = ns_part_state(&o->part, o->s.x);
  if (!(o->bodies = calloc(1, sizeof *o->bodies))) return ns_nomem(c, "rigid bodies");
  o->bodies->s = (ns_time_stepping){.m = &o->part, .x = &o->part_x, .mem = o->s.mem, .h = o->s.h};
  rc = ns_rigid_parts_init(o->bodies, c);
  o->slot_of = ns_arena_zero(o->s.mem, (size_t)o->part.nsystems, sizeof *o->slot_of);
  return rc || o->slot_of ? rc : ns_nomem(c, "rigid bodies");
}

/* Something may be solved in a step. */
static int poses(const stepping *o) { return o->p.nrows || (o->bodies && o->bodies->contacts); }

static const char *problem_of(const stepping *o)
{
  if (!poses(o)) return "none";
  if (o->alone || o->s.m->sim.problem) return ns_model_problem(o->s.m);
  return o->bodies && o->bodies->contacts ? "GenericMechanical" : ns_step_problem_name(&o->p);
}

static size_t work_bytes(const stepping *o)
{
  size_t n = ns_theta_bytes(o->osi) + ns_contacts_bytes(o->k) + ns_couplings_bytes(o->f) +
             ns_step_problem_bytes(&o->p) + ns_active_rows_bytes(o->active);
  const ns_rigid_stepping *b = o->bodies;
  if (b) n += ns_arena_used(b->motion->mem) + ns_arena_used(b->rows->mem);
  if (b) n += ns_rigid_projection_bytes(b->projection);
  return b ? n + ns_rigid_problem_bytes(&b->problem) + ns_rigid_contacts_bytes(b->contacts) : n;
}

static const char *storage_of(const stepping *o)
{
  if (!poses(o)) return "none";
  if (o->p.p.dense) return "dense";
  return o->p.head ? "sparse" : "block-sparse";
}

/* How first-order systems alone are solved. */
static const char *kernel(const stepping *o)
{
  if (!o->alone) return NULL;
  if (o->p.head) return "saddle-point form, sparse: state and multipliers in one problem";
  if (!poses(o)) return "none";
  if (o->active) return "active rows: multipliers only";
  return o->p.p.dense ? "dense: multipliers only" : "block-sparse: multipliers only";
}

static const char *note_of(const stepping *o)
{
  if (!poses(o)) return "no interaction: nothing to solve";
  return o->alone ? ns_step_problem_note(&o->p) : "rows of all systems in one problem";
}

static void describe(const stepping *o, ns_plan *plan)
{
  const ns_simulation_options *s = &o->s.m->sim;
  ns_integrator_info i;
  ns_theta_info(o->osi, &i);
  *plan = (ns_plan){.strategy = ns_mixed_stepping.name,
                    .integrator = o->s.m->schemes ? o->s.m->schemes : s->integrator,
                    .problem = problem_of(o),
                    .solver = o->p.head ? o->p.p.solver_name : s->osnsp.solver,
                    .solver_note = note_of(o),
                    .storage = storage_of(o),
                    .rows = o->p.p.nrows,
                    .nnz = o->p.nrows ? (size_t)o->p.p.A->row[o->p.p.nrows] : 0,
                    .systems_dense = o->alone ? i.dense : 0,
                    .systems_nonlinear = o->alone ? i.nonlinear : o->s.m->nsystems,
                    .systems_differenced = o->alone ? i.differenced : 0,
                    .relations_differenced = o->alone ? o->f->differenced : 0,
                    .linear = i.linear && o->f->linear && !o->nread,
                    .state_bytes = o->s.x->bytes,
                    .work_bytes = work_bytes(o),
                    .kernel = kernel(o)};
}

/* Of models of first order: others name one for each kind. */
static int check_integrator(const stepping *o, ns_ctx *c)
{
  const char *want = o->s.m->sim.integrator;
  for (const ns_theta_scheme *k = ns_theta_schemes; k->name; k++)
    if (!o->alone || !strcmp(k->name, want)) return NS_OK;
  return ns_fail_at(
      c, NS_MODEL, &o->s.m->sim.at,
      "there is no integrator \"%s\" for first-order systems; `nssim list schemes` lists them",
      want);
}

static int get_integrator(stepping *o, ns_ctx *c)
{
  ns_rigid_motion *motion = o->bodies ? o->bodies->motion : NULL;
  int rc = o->alone && ns_step_problem_suits_saddle(o->s.m)
               ? ns_theta_create_sparse(c, o->s.m, &o->osi)
               : ns_theta_create(c, o->s.m, motion, &o->part_x, &o->osi);
  if (rc) return rc;
  o->view = ns_theta_look(o->osi);
  o->u = o->alone ? o->view.q : o->unknowns;
  return NS_OK;
}

/* What rounding makes of multipliers in this problem. */
static double rounding_level(const void *self)
{
  const stepping *o = self;
  double max = 0;
  if (o->active && o->stale) return 64 * DBL_EPSILON * ns_active_rows_level(o->active);
  if (o->whole) return 64 * DBL_EPSILON * ns_step_problem_level(&o->p);
  for (int i = 0; i < o->p.n; i++) {
    int r = o->p.active[i];
    if (r >= o->nL) max = fmax(max, fabs(o->p.b[r]) * o->p.scale[r] * o->p.scale[r] / o->s.h);
  }
  return 64 * DBL_EPSILON * max;
}

/* Rows of first order, with the bounds of their multipliers. */
static ns_law_rows laws_of(const stepping *o)
{
  return (ns_law_rows){.n = o->nF,
                       .first = o->nL,
                       .interaction = o->f->interaction,
                       .lambda = o->lambda,
                       .lb = o->whole ? o->p.lb : o->was,
                       .ub = o->whole ? o->p.ub : o->offset,
                       .level = rounding_level,
                       .of = o};
}

int ns_th_create(void *self, ns_ctx *c, ns_plan *plan)
{
  stepping *o = self;
  o->alone = ns_model_is_first_order(o->s.m);
  int rc = check_integrator(o, c);
  if (!rc) rc = ns_th_views(o, c);
  if (!rc) rc = get_vectors(o, c);
  if (!rc && !o->alone) rc = get_bodies(o, c);
  if (!rc) rc = get_integrator(o, c);
  o->whole = o->nL == 0 && !o->bodies;
  o->unit = o->whole ? 1 : o->s.h;
  if (!rc) rc = ns_contacts_create(c, &o->mechanics, NULL, NULL, 0, &o->k);
  if (!rc) rc = ns_couplings_create(c, &o->relations, &o->f);
  if (!rc) rc = ns_th_make_problem(o, c);
  if (rc) return rc;
  if (o->alone && o->f->linear) o->lambda = o->p.z; /* nothing asks what it was before a pass */
  o->laws = laws_of(o);
  o->follows = !o->alone || !o->f->linear;
  o->s.may_stall = o->bodies != NULL;
  o->s.unscaled = o->whole;
  o->s.one_pass = o->whole && o->view.linear && o->f->linear && !o->nread;
  ns_contact_history_init(&o->history, o->k, o->s.x);
  describe(o, plan);
  return NS_OK;
}
