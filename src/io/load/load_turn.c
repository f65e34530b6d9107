/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_turn.c -- vectors of space and orientations in attributes. */
#include "io/load/load_rigid.h"

#include "algebra/rotation.h"

#include <stdio.h>
#include <string.h>

enum { QUATERNION = 4 };
/* What is taken for a unit quaternion written with few digits. */
static const double norm_tolerance = 1e-6;

int ns_vector3_make(ns_load *l, const ns_elem *e, const char *name, int n, const ns_indices *index,
                    ns_vector3 *v)
{
  *v = (ns_vector3){0};
  if (!ns_elem_item(e, name) || !ns_elem_attr(e, name)) return NS_OK;
  int rc = ns_load_attribute_list(l, e, name, index, &v->s, &v->n);
  if (!rc && n && v->n != n)
    rc = ns_elem_fail(&l->msg, e, NULL, "attribute %s has %d entr%s, expected %d", name, v->n,
                      v->n == 1 ? "y" : "ies", n);
  if (rc) v->s = NULL;
  return rc;
}

int ns_vectors_make(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                    ns_vector3 *v)
{
  *v = (ns_vector3){0};
  if (!ns_elem_item(e, name)) return NS_OK;
  int rc = ns_load_attribute_rows(l, e, name, index, &v->s, &v->n, &v->cols);
  if (v->cols == 1 || v->cols == v->n) v->cols = 0;
  return rc;
}

int ns_vector3_get(ns_load *l, const ns_elem *e, const char *name, const ns_vector3 *v,
                   const ns_indices *index, const char *id, double *x)
{
  int infinite = v->s && ns_elem_item(e, name)->range;
  for (int i = 0; v->s && i < v->n; i++) {
    x[i] = ns_scalar_get(&v->s[i], index);
    if (isfinite(x[i]) || (infinite && !isnan(x[i]))) continue;
    if (isnan(x[i]) && l->nan_said) return NS_MODEL;
    return ns_elem_fail(&l->msg, e, id, "attribute %s: entry %d is %g, expected a finite number",
                        name, i + 1, x[i]);
  }
  return NS_OK;
}

/* sequence= of euler=: three axes in letters of one case, no two neighbours the same. */
static int sequence_make(ns_load *l, const ns_elem *e, ns_turn *t)
{
  const char *text = ns_elem_attr(e, "sequence");
  if (!t->euler.s && text)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute sequence is given without euler, expected euler=\"...\" with an "
                        "angle for each of its axes");
  if (!t->euler.s) return NS_OK;
  if (!text)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute euler is given without sequence, expected the order of its axes: "
        "sequence=\"zyx\" for rotating axes, or sequence=\"XYZ\" for fixed axes");
  int three = strlen(text) == 3, same_case = strspn(text, "xyz") == 3 || strspn(text, "XYZ") == 3;
  if (!three || !same_case || text[0] == text[1] || text[1] == text[2])
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute sequence is \"%.20s\", expected three axes, no two successive ones equal, in "
        "lower case (rotating axes) or upper case (fixed axes): zyx, zxz, XYZ, ...",
        text);
  memcpy(t->sequence, text, sizeof t->sequence);
  return NS_OK;
}

static int euler_make(ns_load *l, const ns_elem *e, const ns_indices *index, ns_turn *t)
{
  ns_vector3 rpy;
  t->euler_name = "euler";
  int rc = ns_vector3_make(l, e, "euler", 3, index, &t->euler), bad = rc;
  if (rc != NS_NOMEM) bad |= rc = ns_vector3_make(l, e, "rpy", 3, index, &rpy);
  if (!bad) bad = sequence_make(l, e, t);
  if (!bad && rpy.s && t->euler.s)
    bad = ns_elem_fail(
        &l->msg, e, NULL,
        "attributes euler and rpy are given, expected one of them; remove the other");
  if (!bad && rpy.s) {
    t->euler = rpy;
    t->euler_name = "rpy";
    memcpy(t->sequence, "XYZ", sizeof t->sequence);
  }
  return ns_load_verdict(rc, bad);
}

/* An orientation is given in one way. */
static int check_ways(ns_load *l, const ns_elem *e, const ns_turn *t)
{
  const char *way[3];
  int n = 0;
  if (t->quaternion.s) way[n++] = "turn";
  if (t->axis.s) way[n++] = "axis";
  if (t->euler.s) way[n++] = t->euler_name;
  if (n < 2) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attributes %s and %s are given, expected one of them; remove the other",
                      way[0], way[1]);
}

int ns_turn_make(ns_load *l, const ns_elem *e, const ns_indices *index, ns_turn *t)
{
  *t = (ns_turn){.has_angle = ns_elem_attr(e, "angle") != NULL};
  int rc = ns_vector3_make(l, e, "turn", QUATERNION, index, &t->quaternion), bad = rc;
  if (rc != NS_NOMEM) bad |= rc = ns_vector3_make(l, e, "axis", 3, index, &t->axis);
  if (rc != NS_NOMEM) bad |= rc = euler_make(l, e, index, t);
  if (rc != NS_NOMEM && t->has_angle)
    bad |= rc = ns_load_attribute_make(l, e, "angle", index, &t->angle);
  if (!bad && t->has_angle && !t->axis.s)
    bad = ns_elem_fail(
        &l->msg, e, NULL,
        "attribute angle is given without axis, expected axis=\"0 0 1\", or another one");
  if (!bad) bad = check_ways(l, e, t);
  return ns_load_verdict(rc, bad);
}

int ns_turn_given(const ns_turn *t) { return t->axis.s || t->quaternion.s || t->euler.s; }

static int varies(const ns_vector3 *v)
{
  int n = 0;
  for (int i = 0; v->s && i < v->n; i++) n += v->s[i].tape != NULL;
  return n > 0;
}

int ns_turn_varies(const ns_turn *t)
{
  return varies(&t->axis) || varies(&t->quaternion) || varies(&t->euler) || t->angle.tape;
}

/* Of a rotation vector, or of any axis by an angle. */
static int by_axis(ns_load *l, const ns_elem *e, const ns_turn *t, const ns_indices *index,
                   const char *id, double *p)
{
  double phi[3], angle = t->has_angle ? ns_scalar_get(&t->angle, index) : 0;
  int rc = ns_vector3_get(l, e, "axis", &t->axis, index, id, phi);
  if (!rc && t->has_angle) rc = ns_load_attribute_check(l, e, "angle", angle);
  if (rc) return rc;
  if (t->has_angle && !(ns_unit3(phi) > 0))
    return ns_elem_fail(&l->msg, e, id, "attribute axis is zero, expected a direction");
  for (int i = 0; t->has_angle && i < 3; i++) phi[i] *= angle;
  ns_quaternion_exp(phi, p);
  return NS_OK;
}

void ns_turn_euler(const char *sequence, const double *angle, double *p)
{
  int fixed = sequence[0] <= 'Z';
  p[0] = 1;
  p[1] = p[2] = p[3] = 0;
  for (int k = 0; k < 3; k++) {
    double one[4] = {cos(angle[k] / 2)}, r[4];
    one[1 + sequence[k] - (fixed ? 'X' : 'x')] = sin(angle[k] / 2);
    ns_quaternion_mul(fixed ? one : p, fixed ? p : one, r);
    memcpy(p, r, sizeof r);
  }
  ns_quaternion_unit(p);
}

static int by_euler(ns_load *l, const ns_elem *e, const ns_turn *t, const ns_indices *index,
                    const char *id, double *p)
{
  double angle[3];
  int rc = ns_vector3_get(l, e, t->euler_name, &t->euler, index, id, angle);
  if (!rc) ns_turn_euler(t->sequence, angle, p);
  return rc;
}

int ns_turn_check(ns_load *l, const ns_elem *e, const char *id, double *p)
{
  double norm = ns_quaternion_norm(p);
  if (!(fabs(norm - 1) <= norm_tolerance))
    return ns_elem_fail(&l->msg, e, id,
                        "the quaternion %.6g %.6g %.6g %.6g has norm %.10g, expected 1; divide its "
                        "entries by the norm, or give axis=\"0 0 1\" angle=\"...\"",
                        p[0], p[1], p[2], p[3], norm);
  ns_quaternion_unit(p);
  return NS_OK;
}

int ns_turn_get(ns_load *l, const ns_elem *e, const ns_turn *t, const ns_indices *index,
                const char *id, double *p)
{
  p[0] = 1;
  p[1] = p[2] = p[3] = 0;
  if (t->euler.s) return by_euler(l, e, t, index, id, p);
  if (t->axis.s) return by_axis(l, e, t, index, id, p);
  if (!t->quaternion.s) return NS_OK;
  int rc = ns_vector3_get(l, e, "turn", &t->quaternion, index, id, p);
  return rc ? rc : ns_turn_check(l, e, id, p);
}
