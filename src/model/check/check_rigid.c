/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rigid.c -- numbers of rigid bodies and of their relations. */
#include "algebra/vector.h"
#include "model/check/check_parts.h"

#include "algebra/rotation.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "model/state.h"
#include "model/systems/rigid_inertia.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies ---------------------------------------------------------------------------------- */

static void check_quaternion(const ns_system *s, ns_ctx *c)
{
  const double *p = s->q0 + 3;
  double norm = ns_quaternion_norm(p);
  if (fabs(norm - 1) <= 1e-6 || !isfinite(norm)) return; /* what is not finite was told */
  ns_fail_at(c, NS_MODEL, &s->at,
             "the quaternion of q0, (%g, %g, %g, %g), has the norm %.9g, expected 1 within 1e-6; "
             "divide it by its norm, scalar part first: 1 0 0 0 is no rotation",
             p[0], p[1], p[2], p[3], norm);
}

/* Of a solid, each principal moment is at most the sum of the others: I1 + I2 - I3 is twice the
 * integral of z^2. The equations hold for others too. */
static void check_moments(const ns_system *s, ns_ctx *c)
{
  double moment[3];
  ns_principal_moments(s->rigid.inertia, moment);
  if (!(moment[0] > 1e-12 * moment[2]))
    ns_fail_at(c, NS_MODEL, &s->at,
               "the inertia is not positive definite: its principal moments are %g, %g and %g kg "
               "m^2, expected three positive ones; write a point mass as a <LagrangianLinearTIDS>",
               moment[0], moment[1], moment[2]);
  else if (moment[0] + moment[1] < moment[2] * (1 - 1e-6))
    ns_warn_at(c, &s->at,
               "the principal moments of inertia are %.9g, %.9g and %.9g kg m^2, expected none to "
               "be larger than the sum of the others, as for every solid; check the axes and the "
               "reference point",
               moment[0], moment[1], moment[2]);
}

static void check_inertia(const ns_system *s, ns_ctx *c)
{
  const double *I = s->rigid.inertia;
  double big = 0, skew = 0;
  if (ns_system_is_planar(s)) {
    if (!(I[0] > 0 && isfinite(I[0])))
      ns_check_bad(c, &s->at, "the moment of inertia is %g kg m^2, expected a positive number",
                   I[0]);
    return;
  }
  if (!ns_check_finite(&s->at, c, I, 9, "inertia")) return;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      big = fmax(big, fabs(I[i + 3 * j]));
      skew = fmax(skew, fabs(I[i + 3 * j] - I[j + 3 * i]));
    }
  if (skew > 1e-12 * big)
    ns_fail_at(c, NS_MODEL, &s->at,
               "the inertia is not symmetric (largest difference %g kg m^2), expected I = I^T; it "
               "contains products of inertia twice, with their sign",
               skew);
  else check_moments(s, c);
}

static void check_loads(const ns_system *s, ns_ctx *c)
{
  const ns_rigid_body *b = &s->rigid;
  const struct {
    const ns_operator *o;
    const char *name;
  } load[] = {{&b->fext, "fExt"}, {&b->mext, "mExt"}, {&b->fint, "fInt"}, {&b->mint, "mInt"}};
  for (size_t k = 0; k < sizeof load / sizeof *load; k++)
    if (load[k].o->how == NS_OP_CONSTANT)
      ns_check_finite(&s->at, c, load[k].o->value, (size_t)load[k].o->rows, load[k].name);
}

/* Nothing but contacts knows of births and deaths. */
static void check_life(const ns_model *m, ns_ctx *c)
{
  int mortal = ns_model_is_mortal(m);
  for (int i = 0; i < m->ninteractions && mortal; i++)
    for (int k = 0; k < m->interactions[i].nsystems; k++) {
      const ns_interaction *it = &m->interactions[i];
      const ns_system *s = &m->systems[it->systems[k]];
      if (ns_system_life(s))
        ns_fail_at(c, NS_MODEL, &it->at,
                   "acts on %s, which has a birth or a death, expected bodies that exist "
                   "throughout the run: only contacts of its shapes can act on such a body",
                   s->at.id);
    }
  for (int i = 0; i < m->nforces && mortal; i++)
    for (int k = 0; k < m->forces[i].nsystems; k++) {
      const ns_body_force *f = &m->forces[i];
      if (ns_system_life(&m->systems[f->systems[k]]))
        ns_fail_at(c, NS_MODEL, &f->at,
                   "acts on %s, which has a birth or a death, expected bodies that exist "
                   "throughout the run",
                   m->systems[f->systems[k]].at.id);
    }
}

static void check_body(const ns_system *s, ns_ctx *c)
{
  double mass = s->rigid.mass;
  if (!(mass > 0 && isfinite(mass)))
    ns_check_bad(c, &s->at, "the mass is %g kg, expected a positive number; set mass", mass);
  check_inertia(s, c);
  ns_check_initial(s, c);
  if (!ns_system_is_planar(s)) check_quaternion(s, c);
  check_loads(s, c);
}

/* ---- relations ------------------------------------------------------------------------------- */

static int count(double a) { return isfinite(a) ? 1 : 0; }

static int rows_of(const ns_interaction *it, int planar)
{
  static const struct {
    const char *name;
    int space, plane;
  } contact[] = {{"NewtonEuler1DR", 1, 1}, {"NewtonEuler3DR", 3, 2}, {"NewtonEuler5DR", 5, 3}};
  const ns_joint_axis *a = &it->axis;
  if (it->relation->flags & NS_REL_JOINT)
    return (planar ? ns_planar_joint_rows : ns_joint_rows)(it->joint.kind);
  if (it->relation->flags & NS_REL_AXIS) {
    if (a->use == NS_AXIS_STOP) return count(a->lower) + count(a->upper);
    return !a->line && a->slide[0] == NS_AXIS_ALL ? 3 : 1;
  }
  for (size_t k = 0; k < sizeof contact / sizeof *contact; k++)
    if (!strcmp(contact[k].name, it->relation->name))
      return planar ? contact[k].plane : contact[k].space;
  return it->m;
}

static void check_free(const ns_interaction *it, int k, ns_ctx *c)
{
  static const char *const names[] = {"ball joint", "pivot", "prismatic joint", "cylindrical joint",
                                      "fixed joint"};
  const ns_joint *j = it->axis.joint[k];
  int slide = it->axis.slide[k],
      of_ball = j && j->kind == NS_JOINT_BALL &&
                (slide == NS_AXIS_ALL || (slide != 1 && ns_norm3(j->A) > 0));
  if (!j || of_ball || (slide < NS_AXIS_SWING && ns_joint_is_free(j, slide))) return;
  ns_fail_at(c, NS_MODEL, &it->at, "the %s of a %s, expected %s; use a joint with this freedom",
             it->axis.slide[k] ? "slide" : "angle", names[j->kind],
             it->axis.slide[k] ? "that of a <PrismaticJointR> or a <CylindricalJointR>"
                               : "that of a <PivotJointR> or a <CylindricalJointR>");
}

static void check_axis(const ns_interaction *it, ns_ctx *c)
{
  const ns_joint_axis *a = &it->axis;
  for (int k = 0; k < 2 && !a->line; k++) check_free(it, k, c);
  if (a->use == NS_AXIS_STOP && isinf(a->lower) && isinf(a->upper))
    ns_fail_at(c, NS_MODEL, &it->at,
               "the stop has no limit, expected lower or upper; give one of them, rad or m");
  else if (a->use == NS_AXIS_STOP && !(a->lower < a->upper))
    ns_fail_at(c, NS_MODEL, &it->at,
               "the limits of the stop are %g and %g, expected lower < upper; exchange them, or "
               "%s",
               a->lower, a->upper,
               a->line ? "keep the length by <TendonLengthR>" : "fix the joint");
  if (a->use == NS_AXIS_COUPLER && !(isfinite(a->ratio) && isfinite(a->offset)))
    ns_fail_at(c, NS_MODEL, &it->at,
               "the ratio of the coupler is %g and its offset %g, expected finite numbers",
               a->ratio, a->offset);
}

static void check_points(const ns_interaction *it, ns_ctx *c)
{
  const struct {
    const ns_operator *o;
    const char *name;
  } part[] = {{&it->point.P1, "P1"}, {&it->point.P2, "P2"}, {&it->point.n, "n"}};
  for (int k = 0; k < 3; k++)
    if (part[k].o->how == NS_OP_CONSTANT)
      ns_check_finite(&it->at, c, part[k].o->value, (size_t)part[k].o->rows, part[k].name);
}

/* Of a line its points, more than one of which may be on a body. */
static int max_bodies(const ns_interaction *it)
{
  if (!(it->relation->flags & NS_REL_AXIS)) return 2;
  if (it->axis.line) return NS_FORCE_ENDS;
  return it->axis.joint[1] ? 4 : 2;
}

static void check_relation(const ns_model *m, const ns_interaction *it, ns_ctx *c)
{
  unsigned flags = it->relation->flags;
  int planar = ns_system_is_planar(&m->systems[it->systems[0]]), max = max_bodies(it),
      rows = rows_of(it, planar);
  if (it->nsystems < 1 || it->nsystems > max)
    ns_fail_at(c, NS_MODEL, &it->at,
               "%s between %d bodies, expected 1 to %d; the world need not be named",
               it->relation->name, it->nsystems, max);
  if (flags & NS_REL_AXIS) check_axis(it, c);
  if (rows && it->m != rows)
    ns_fail_at(c, NS_MODEL, &it->at, "%s with a law of %d rows, expected %d", it->relation->name,
               it->m, rows);
  if (flags & NS_REL_POINT) check_points(it, c);
  if (flags & (NS_REL_POINT | NS_REL_JOINT | NS_REL_AXIS))
    it->law.ops->check(&it->law, it->m, &it->at, c);
  else ns_check_contact(it, c);
}

/* ---- at t0 ----------------------------------------------------------------------------------- */

enum { REPORTS = 5 }; /* of one kind, then silence */

typedef struct start {
  double *q, *v, *z, *lambda, *angle, *y, *ydot, *work;
  double fast; /* largest |v|, at least 1 */
  int apart, moving;
} start;

/* The first rows of a joint are lengths, its last ones sines of half angles, in the plane an angle.
 */
static int lengths(const ns_joint *j)
{
  static const int n[] = {[NS_JOINT_BALL] = 3,
                          [NS_JOINT_PIVOT] = 3,
                          [NS_JOINT_PRISMATIC] = 2,
                          [NS_JOINT_CYLINDRICAL] = 2,
                          [NS_JOINT_FIXED] = 3};
  return n[j->kind] - j->planar;
}

/* Two bodies that were assembled elsewhere than they are, or a point that is not the same for both.
 */
static void check_together(const ns_interaction *it, ns_ctx *c, const double *y, start *s)
{
  int n = lengths(&it->joint), turns = it->m - n;
  double off = 0, turned = 0;
  for (int r = 0; r < n; r++) off = hypot(off, y[r]);
  for (int r = n; r < n + turns; r++) turned = hypot(turned, y[r]);
  if (!it->joint.planar) turned = 2 * asin(fmin(turned, 1));
  if ((off <= 1e-6 && turned <= 1e-6) || s->apart++ >= REPORTS) return;
  ns_fail_at(
      c, NS_MODEL, &it->at,
      "the joint is not closed at t0: its bodies are %g m apart and rotated by %g rad, "
      "expected 0 within 1e-6; give the point and the axis in world axes, or move the bodies",
      off, turned);
}

static void check_axis_start(const ns_interaction *it, ns_ctx *c, const double *y, start *s)
{
  if (it->axis.use == NS_AXIS_COUPLER && it->axis.line && fabs(y[0]) > 1e-6 && s->apart++ < REPORTS)
    ns_warn_at(c, &it->at,
               "the tendon is %g longer than length at t0, expected 0: a velocity-level scheme "
               "keeps this error; set length to %.10g, or move the bodies",
               y[0], it->axis.offset + y[0]);
  else if (it->axis.use == NS_AXIS_COUPLER && fabs(y[0]) > 1e-6 && s->apart++ < REPORTS)
    ns_warn_at(c, &it->at,
               "the error of the coupler is %g at t0, expected 0: a velocity-level scheme keeps "
               "this error; set offset to %.10g",
               y[0], it->axis.offset + y[0]);
  for (int r = 0; r < it->m && it->axis.use == NS_AXIS_STOP; r++)
    if (y[r] < -1e-9 && s->apart++ < REPORTS)
      ns_warn_at(c, &it->at,
                 "the %s is %g beyond its %s limit at t0 (rad or m), expected it between them: a "
                 "velocity-level scheme keeps this error; move the bodies or the limit",
                 it->axis.line ? "tendon" : "joint", -y[r],
                 r == 0 && isfinite(it->axis.lower) ? "lower" : "upper");
}

static void check_speeds(const ns_interaction *it, ns_ctx *c, const double *ydot, start *s)
{
  int worst = 0;
  for (int r = 1; r < it->m; r++)
    if (fabs(ydot[r]) > fabs(ydot[worst])) worst = r;
  if (!ns_law_is_equality(&it->law, it->m) || fabs(ydot[worst]) <= 1e-6 * s->fast ||
      s->moving++ >= REPORTS)
    return;
  ns_warn_at(c, &it->at,
             "the velocities at t0 violate the constraint: ydot[%d] is %g, expected 0: the first "
             "step will contain an impulse that removes it; give a consistent v0",
             worst, ydot[worst]);
}

static int check_start(const ns_model *m, ns_ctx *c, start *s)
{
  int rc = NS_OK;
  ns_joint_angles(m, s->q, s->work, s->angle);
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_is_rigid(it)) continue;
    rc = ns_interaction_output(m, c, it, m->sim.t0, s->q, s->v, s->z, s->lambda, s->angle, s->work,
                               s->y, s->ydot);
    if (rc) break;
    if (it->relation->flags & NS_REL_JOINT) check_together(it, c, s->y + it->row, s);
    if (it->relation->flags & NS_REL_AXIS) check_axis_start(it, c, s->y + it->row, s);
    check_speeds(it, c, s->ydot + it->row, s);
  }
  return rc;
}

/* Joints and couplers where all bodies stand at t0, with their velocities. */
static int check_mechanism(const ns_model *m, ns_ctx *c)
{
  size_t work = 1 + ns_output_work_max(m);
  double *mem = calloc(m->nq + m->nv + m->nz + 3 * m->nrows + m->nangles + work, sizeof *mem);
  if (!mem) return ns_nomem(c, "check of the joints");
  start s = {.q = mem, .fast = 1};
  s.v = s.q + m->nq, s.z = s.v + m->nv, s.lambda = s.z + m->nz, s.y = s.lambda + m->nrows,
  s.ydot = s.y + m->nrows;
  s.angle = s.ydot + m->nrows, s.work = s.angle + m->nangles;
  ns_state_initial(m, s.q, s.v, s.z);
  s.fast = fmax(s.fast, ns_max_abs(m->nv, s.v));
  int rc = check_start(m, c, &s);
  free(mem);
  return rc;
}

int ns_check_bodies(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors;
  for (int i = 0; i < m->nsystems; i++)
    if (ns_system_is_rigid(&m->systems[i])) check_body(&m->systems[i], c);
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_is_rigid(&m->interactions[i])) check_relation(m, &m->interactions[i], c);
  check_life(m, c);
  int rc = ns_check_boundaries(m, c);
  return rc || c->nerrors > before ? rc : check_mechanism(m, c);
}

int ns_check_rigid(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors;
  ns_check_moreau_jean(m, c);
  int rc = ns_check_bodies(m, c);
  if (!rc && c->nerrors == before) rc = ns_check_gaps(m, c);
  return rc;
}
