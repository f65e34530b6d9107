/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot_write.c -- the model of a robot that has been placed: bodies, joints, limits, motors,
 * contacts.
 *
 * nssim counts a joint's coordinate from the initial configuration: q of the file is angle + start,
 * and so formulas, limits and couplers are written with `start` in them. */
#include "io/import/robot.h"

#include "base/grow.h"
#include "base/text_stream.h"
#include "io/load/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A coordinate that is as good as another: rounding of degrees. */
static int is_zero(double x) { return fabs(x) < 1e-14; }

/* Numbers as arguments of printf: text in a buffer of the caller's. */
static const char *number_text(double x, char *buf)
{
  return ns_import_decimal(is_zero(x) ? 0 : x, buf);
}
#define NUMBER(x) number_text(x, (char[NS_IMPORT_DECIMAL]){0})

/* A quantity that has no scale of its own, which a mass of a nanogram has, is 0 beside `scale`. */
static const char *quantity_text(double x, double scale, char *buf)
{
  return ns_import_decimal(fabs(x) < 1e-14 * scale ? 0 : x, buf);
}
#define QUANTITY(x, scale) quantity_text(x, scale, (char[NS_IMPORT_DECIMAL]){0})

static void numbers(FILE *f, const double *x, int n)
{
  for (int k = 0; k < n; k++) fprintf(f, "%s%s", k ? " " : "", NUMBER(x[k]));
}

/* The same in space. */
enum { TRIPLE = 3 * NS_IMPORT_DECIMAL };
static const char *triple_text(const double *x, char *buf)
{
  snprintf(buf, TRIPLE, "%s %s %s", NUMBER(x[0]), NUMBER(x[1]), NUMBER(x[2]));
  return buf;
}
#define TRIPLE_OF(x) triple_text(x, (char[TRIPLE]){0})

static void attribute(FILE *f, const char *name, const double *x, int n)
{
  fprintf(f, " %s=\"", name);
  numbers(f, x, n);
  fputc('"', f);
}

static void attribute_if(FILE *f, int is, const char *name, double x)
{
  if (is) fprintf(f, " %s=\"%s\"", name, NUMBER(x));
}

/* "" where memory ends, which is told. */
static const char *id_of(ns_robot *r, const char *name, const char *kind)
{
  const char *id = ns_robot_id(r, name, kind);
  return id ? id : "";
}

/* ---- head ------------------------------------------------------------------------------------ */

static void head(void *self, FILE *f)
{
  const ns_robot *r = self;
  ns_import_begin_head(&r->text, r->what, f);
  ns_import_end_head(&r->text, f);
  fputs("<model xmlns=\"urn:nssim:model:1\">\n", f);
  if (r->name && *r->name) ns_import_put_title(f, r->name);
  /* no unit=: a mass of 1 or 2 in m*gravity is a number to the check of units, not 1 kg */
  fprintf(f,
          "  <parameters>\n    <vector name=\"gravity\" values=\"%s\" help=\"in m/s^2\"/>\n"
          "  </parameters>\n",
          TRIPLE_OF(r->gravity));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* name="x x x; x x x", n rows of `cols` numbers. */
static void put_rows(FILE *f, const char *name, const double *x, int n, int cols)
{
  fprintf(f, " %s=\"", name);
  for (int i = 0; i < n; i++) {
    if (i) fputs("; ", f);
    numbers(f, x + (size_t)i * (size_t)cols, cols);
  }
  fputc('"', f);
}

/* Points on an ellipsoid, of rings and two poles. */
static void put_ellipsoid(FILE *f, const double *a)
{
  enum { RINGS = 7, AROUND = 12 };
  const double pi = acos(-1);
  double x[RINGS * AROUND + 2][3];
  int n = 0;
  for (int i = 0; i <= RINGS + 1; i++)
    for (int k = 0; k < (i && i <= RINGS ? AROUND : 1); k++) {
      double theta = pi * i / (RINGS + 1), phi = 2 * pi * k / AROUND;
      x[n][0] = a[0] * sin(theta) * cos(phi);
      x[n][1] = a[1] * sin(theta) * sin(phi);
      x[n++][2] = a[2] * cos(theta);
    }
  put_rows(f, "points", *x, n, 3);
}

static void put_mesh(FILE *f, const ns_robot_shape *s)
{
  if (!s->file) {
    put_rows(f, "points", s->points, s->npoints, 3);
    return;
  }
  fputs(" file=\"", f);
  ns_import_put_xml(f, s->file);
  fputc('"', f);
  attribute_if(f, !is_zero(s->scale - 1), "scale", s->scale);
}

/* The element of a shape, with what it is like. */
static void put_form(FILE *f, const ns_robot_shape *s)
{
  static const char *const element[] = {
      [NS_ROBOT_SPHERE] = "Sphere",        [NS_ROBOT_BOX] = "Box",
      [NS_ROBOT_CYLINDER] = "Cylinder",    [NS_ROBOT_CAPSULE] = "Capsule",
      [NS_ROBOT_PLANE] = "Plane",          [NS_ROBOT_FIELD] = "HeightField",
      [NS_ROBOT_ELLIPSOID] = "ConvexHull", [NS_ROBOT_MESH] = "ConvexHull"};
  const double edges[3] = {2 * s->size[0], 2 * s->size[1], 2 * s->size[2]};
  fprintf(f, "<%s", element[s->kind]);
  switch (s->kind) {
  case NS_ROBOT_SPHERE: attribute(f, "radius", s->size, 1); break;
  case NS_ROBOT_BOX: attribute(f, "size", edges, 3); break;
  case NS_ROBOT_CYLINDER:
  case NS_ROBOT_CAPSULE:
    fprintf(f, " radius=\"%s\" length=\"%s\"", NUMBER(s->size[0]), NUMBER(edges[1]));
    break;
  case NS_ROBOT_PLANE: break;
  case NS_ROBOT_FIELD:
    attribute(f, "spacing", s->size, 2);
    put_rows(f, "heights", s->points, s->rows, s->npoints);
    break;
  case NS_ROBOT_ELLIPSOID: put_ellipsoid(f, s->size); break;
  case NS_ROBOT_MESH: put_mesh(f, s); break;
  }
}

static void layers(const ns_robot *r, const ns_robot_shape *s, FILE *f)
{
  if (!r->meets) return;
  if (r->nmaterials > 1) fprintf(f, " material=\"m%d\"", s->material + 1);
  fprintf(f, " layers=\"group%d\" with=\"", s->layer + 1);
  int n = 0;
  for (int k = 0; k < r->nlayers; k++)
    if (r->with[s->layer] & 1u << k) fprintf(f, "%sgroup%d", n++ ? " " : "", k + 1);
  fputc('"', f);
}

static int meets_any(const ns_robot *r, const ns_robot_shape *s)
{
  return !r->meets || r->with[s->layer];
}

/* Shapes of a body, NS_ROBOT_WORLD: of what is fixed. */
static void put_shapes(ns_robot *r, int body, FILE *f)
{
  for (int k = 0; k < r->nshapes; k++) {
    const ns_robot_shape *s = &r->shape[k];
    const ns_robot_link *l = s->link < 0 ? NULL : &r->link[s->link];
    ns_pose at, own = ns_pose_identity, back;
    if ((l ? l->body : NS_ROBOT_WORLD) != body || !meets_any(r, s)) continue;
    ns_pose_mul(l ? &l->at : &ns_pose_identity, &s->pose, &at);
    if (body >= 0) { /* to axes of the body: x - centre, turned back */
      double R[9], d[3];
      ns_quaternion_conjugate(r->body[body].turn, own.turn);
      ns_quaternion_matrix(own.turn, R);
      ns_mul3(R, r->body[body].at, d);
      for (int i = 0; i < 3; i++) own.at[i] = -d[i];
    }
    ns_pose_mul(&own, &at, &back);
    fputs("      ", f);
    put_form(f, s);
    if (s->name && *s->name) fprintf(f, " id=\"%s\"", id_of(r, s->name, "shape"));
    attribute(f, "at", back.at, 3);
    if (!is_zero(back.turn[1]) || !is_zero(back.turn[2]) || !is_zero(back.turn[3]))
      attribute(f, "turn", back.turn, 4);
    layers(r, s, f);
    fputs("/>\n", f);
  }
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* The body whose input tells actuator a. */
static int body_of(const ns_robot *r, const ns_robot_actuator *a)
{
  return a->tendon < 0 ? r->joint[a->joint].second : r->tendon[a->tendon].body;
}

/* Inputs of its actuators, of those whose joint or tendon moves body i. */
static void inputs(const ns_robot *r, int i, FILE *f)
{
  int n = 0;
  for (int k = 0; k < r->nactuators; k++) {
    const ns_robot_actuator *a = &r->actuator[k];
    if (body_of(r, a) == i) fprintf(f, "%s%s", n++ ? " " : " inputs=\"", a->input);
  }
  if (n) fputc('"', f);
}

static int is_bounded(double low, double high) { return isfinite(low) || isfinite(high); }

static void bounded(FILE *f, const char *text, double low, double high)
{
  int lower = isfinite(low), upper = isfinite(high);
  if (lower && upper) fprintf(f, "sat(%s, %s, %s)", text, NUMBER(low), NUMBER(high));
  else if (lower) fprintf(f, "max(%s, %s)", text, NUMBER(low));
  else if (upper) fprintf(f, "min(%s, %s)", text, NUMBER(high));
  else fputs(text, f);
}

/* a' = (u - a)/lag or u, of an activation. Its bounds are those of what the force takes. */
static void put_activation(ns_robot *r, const ns_robot_actuator *a, FILE *f)
{
  char input[300];
  int filter = a->activation == NS_ROBOT_FILTER;
  double rate = filter ? -1 / a->lag : 0;
  snprintf(input, sizeof input, "%s.%s", r->body[body_of(r, a)].id, a->input);
  fprintf(f,
          "    <FirstOrderLinearTIDS id=\"%s\" states=\"a\">\n      <x0>%s</x0>\n"
          "      <A>%s</A>\n      <b>",
          a->state, NUMBER(a->act), NUMBER(rate));
  bounded(f, input, a->low, a->high);
  if (filter) fprintf(f, "/%s", NUMBER(a->lag));
  fputs("</b>\n    </FirstOrderLinearTIDS>\n", f);
  if (is_bounded(a->act_low, a->act_high))
    ns_robot_lost(r, a->node,
                  "actrange limits the activation that the actuator uses, not the activation "
                  "itself, which must first return to the range");
}

static void put_bodies(ns_robot *r, FILE *f)
{
  fputs("  <systems>\n", f);
  for (int i = 0; i < r->nbodies; i++) {
    const ns_robot_body *b = &r->body[i];
    int moves = 0;
    for (int k = 0; k < 6; k++) moves |= !is_zero(b->velocity[k]);
    fprintf(f, "    <NewtonEulerDS id=\"%s\"", b->id);
    inputs(r, i, f);
    fputs(">\n      <q0", f);
    attribute(f, "turn", b->turn, 4);
    fprintf(f, ">%s</q0>\n", TRIPLE_OF(b->at));
    if (moves)
      fprintf(f, "      <v0>%s %s</v0>\n", TRIPLE_OF(b->velocity), TRIPLE_OF(b->velocity + 3));
    double trace = b->inertia[0] + b->inertia[4] + b->inertia[8];
    fprintf(f, "      <mass>%s</mass>\n      <inertia>", QUANTITY(b->mass, 0));
    for (int k = 0; k < 9; k++) { /* by rows */
      double entry = (b->inertia[k] + b->inertia[3 * (k % 3) + k / 3]) / 2;
      fprintf(f, "%s%s", !k ? "" : k % 3 ? " " : "; ", QUANTITY(entry, trace));
    }
    fputs("</inertia>\n      <fExt>", f);
    for (int k = 0; k < 3; k++) {
      if (k) fputc(' ', f);
      if (is_zero(r->gravity[k])) fputc('0', f);
      else fprintf(f, "%s*gravity[%d]", QUANTITY(b->mass, 0), k);
    }
    fputs("</fExt>\n", f);
    if (!b->between) put_shapes(r, i, f);
    fputs("    </NewtonEulerDS>\n", f);
  }
  for (int k = 0; k < r->nactuators; k++)
    if (r->actuator[k].activation) put_activation(r, &r->actuator[k], f);
  fputs("  </systems>\n", f);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static const char *coordinate(const ns_robot_joint *j)
{
  return j->kind == NS_ROBOT_SLIDE ? "slide" : "angle";
}

/* q where its coordinate is 0. */
static double start(const ns_robot_joint *j) { return j->q; }

static int is_scalar(const ns_robot_joint *j)
{
  return j->kind == NS_ROBOT_HINGE || j->kind == NS_ROBOT_SLIDE;
}

/* factor x, added to a sum. */
static void term(FILE *f, int *n, double factor, const char *x)
{
  if (is_zero(factor)) return;
  if (*n) fputs(factor < 0 ? " - " : " + ", f);
  else if (factor < 0) fputc('-', f);
  fputs(NUMBER(fabs(factor)), f);
  if (x) fprintf(f, "*%s", x);
  ++*n;
}

/* What an actuator is told by: a coordinate of the model, its rate, and the value that is its zero
 * in the file. */
typedef struct course {
  const char *now, *rate;
  double from;
} course;

static course of_joint(const ns_robot_joint *j)
{
  int slides = j->kind == NS_ROBOT_SLIDE;
  return (course){coordinate(j), slides ? "v_slide" : "v_angle", start(j)};
}

/* What its force is told by: the control, or the activation. */
static void command(const ns_robot_actuator *a, FILE *f)
{
  char state[200];
  snprintf(state, sizeof state, "%s.a", a->activation ? a->state : "");
  if (a->activation) bounded(f, state, a->act_low, a->act_high);
  else bounded(f, a->input, a->low, a->high);
}

/* gain u + bias by the coordinate, before it is bounded. malloced; NULL: out of memory, told. */
static char *drive(ns_robot *r, const course *d, const ns_robot_actuator *a)
{
  ns_text_stream written, sum;
  int n = 0;
  FILE *f = ns_text_stream_open(&written);
  if (f) command(a, f);
  char *u = ns_text_stream_close(&written);
  f = ns_text_stream_open(&sum);
  if (f && u) {
    term(f, &n, a->gain, u);
    term(f, &n, a->bias[0] + a->bias[1] * a->gear * d->from, NULL);
    term(f, &n, a->bias[1] * a->gear, d->now);
    term(f, &n, a->bias[2] * a->gear, d->rate);
    if (!n) fputc('0', f);
  }
  char *text = ns_text_stream_close(&sum);
  if (!u || !text) ns_robot_nomem(r);
  free(u);
  return text;
}

/* Forces of actuators on joint k or, where that is -1, on a tendon. */
static void put_actuators(ns_robot *r, int k, int tendon, const course *d, FILE *f, int *n)
{
  for (int i = 0; i < r->nactuators; i++) {
    const ns_robot_actuator *a = &r->actuator[i];
    if (a->joint != k || a->tendon != tendon) continue;
    char *text = drive(r, d, a);
    if (!text) return;
    fprintf(f, "%s%s*", (*n)++ ? " + " : "", NUMBER(a->gear));
    if (is_bounded(a->force_low, a->force_high)) bounded(f, text, a->force_low, a->force_high);
    else fprintf(f, "(%s)", text);
    free(text);
  }
}

/* Its own inertia, spring and damper. */
static void put_passive(const ns_robot_joint *j, FILE *f)
{
  double rest = j->spring - start(j);
  attribute_if(f, j->armature > 0, "armature", j->armature);
  attribute_if(f, j->damping > 0, "damping", j->damping);
  attribute_if(f, j->stiffness > 0, "stiffness", j->stiffness);
  attribute_if(f, j->stiffness > 0 && !is_zero(rest), "rest", rest);
}

/* The one actuator of joint k or, where that is -1, of a tendon, where <motor> has words for it;
 * NULL: a formula says it. */
static const ns_robot_actuator *servo(const ns_robot *r, int k, int tendon)
{
  const ns_robot_actuator *a = NULL;
  const ns_robot_joint *j = k >= 0 ? &r->joint[k] : NULL;
  for (int i = 0; i < r->nactuators; i++) {
    if (r->actuator[i].joint != k || r->actuator[i].tendon != tendon) continue;
    if (a) return NULL;
    a = &r->actuator[i];
  }
  if (!a || (j && is_bounded(j->force_lower, j->force_upper)) || !is_zero(a->bias[0])) return NULL;
  int limits = is_bounded(a->force_low, a->force_high);
  if (limits && !(a->force_high > 0 && is_zero(a->force_high + a->force_low))) return NULL;
  int position = a->gain > 0 && is_zero(a->bias[1] + a->gain) && a->bias[2] <= 0,
      velocity = a->gain > 0 && is_zero(a->bias[1]) && is_zero(a->bias[2] + a->gain),
      torque = is_zero(a->bias[1]) && is_zero(a->bias[2]);
  return position || velocity || torque ? a : NULL;
}

/* Coordinates of nssim begin at 0, where those of the file are `from`: the position that a servo is
 * told is less by that. */
static void put_motor(const ns_robot_actuator *a, double from, FILE *f)
{
  int torque = is_zero(a->bias[1]) && is_zero(a->bias[2]), position = !is_zero(a->bias[1]), n = 1;
  fputs("        <motor", f);
  if (!torque) fprintf(f, " command=\"%s\"", position ? "position" : "velocity");
  attribute_if(f, position, "kp", a->gain);
  attribute_if(f, a->bias[2] < 0, "kv", -a->bias[2]);
  attribute_if(f, !is_zero(a->gear - 1), "gear", a->gear);
  attribute_if(f, is_bounded(a->force_low, a->force_high), "limit", a->force_high);
  fputc('>', f);
  if (torque && !is_zero(a->gain - 1)) fprintf(f, "%s*", NUMBER(a->gain));
  command(a, f);
  if (position) term(f, &n, -a->gear * from, NULL);
  fputs("</motor>\n", f);
}

/* <torque> or <force> of its actuators. */
static void put_drive(ns_robot *r, int k, FILE *f)
{
  const ns_robot_joint *j = &r->joint[k];
  const char *element = j->kind == NS_ROBOT_SLIDE ? "force" : "torque";
  ns_text_stream written;
  int n = 0;
  const ns_robot_actuator *one = servo(r, k, -1);
  const course d = of_joint(j);
  if (one) put_motor(one, start(j), f);
  FILE *m = ns_text_stream_open(&written);
  if (m && !one) put_actuators(r, k, -1, &d, m, &n);
  char *motors = ns_text_stream_close(&written);
  if (!motors) ns_robot_nomem(r);
  if (motors && n) {
    fprintf(f, "        <%s>", element);
    bounded(f, motors, j->force_lower, j->force_upper);
    fprintf(f, "</%s>\n", element);
  }
  free(motors);
}

/* Of bodies, -1: the world. */
static void open_interaction(const ns_robot *r, FILE *f, const char *id, int first, int second)
{
  int one = first >= 0 ? first : second, other = first >= 0 ? second : -1;
  fprintf(f, "    <interaction id=\"%s\"", id);
  if (one >= 0)
    fprintf(f, " systems=\"%s%s%s\"", r->body[one].id, other >= 0 ? " " : "",
            other >= 0 ? r->body[other].id : "");
  fputs(">\n", f);
}

/* Rows on the joint or tendon `id`. */
static void open_rows(ns_robot *r, FILE *f, const char *id, const char *kind)
{
  char name[140];
  snprintf(name, sizeof name, "%s_%s", id, kind);
  open_interaction(r, f, id_of(r, name, kind), -1, -1);
}

static const char equality[] = "      <EqualityConditionNSL/>\n    </interaction>\n";

static int is_driven(const ns_robot *r, int k)
{
  for (int i = 0; i < r->nactuators; i++)
    if (r->actuator[i].joint == k) return 1;
  return 0;
}

/* Spring and damper of a ball joint. Its turns are counted from the start. */
static void put_ball(ns_robot *r, const ns_robot_joint *j, FILE *f)
{
  int turned = !(fabs(j->turn[0]) >= 1 - 1e-12);
  attribute_if(f, j->damping > 0, "damping", j->damping);
  attribute_if(f, j->stiffness > 0 && !turned, "stiffness", j->stiffness);
  if (j->stiffness > 0 && turned)
    ns_robot_lost(
        r, j->node,
        "stiffness of a ball joint is ignored: the joint does not start in the pose of the file");
}

static void put_joint(ns_robot *r, int k, FILE *f)
{
  static const char *const name[] = {"PivotJointR", "PrismaticJointR", "KneeJointR"};
  const ns_robot_joint *j = &r->joint[k];
  double axis[3];
  if (j->kind == NS_ROBOT_FREE) return;
  for (int i = 0; i < 3; i++) axis[i] = j->first < 0 ? -j->direction[i] : j->direction[i];
  open_interaction(r, f, j->id, j->first, j->second);
  fprintf(f, "      <%s", name[j->kind]);
  if (j->kind != NS_ROBOT_SLIDE) attribute(f, "point", j->point, 3);
  if (j->kind != NS_ROBOT_BALL) attribute(f, "axis", axis, 3);
  if (is_scalar(j)) put_passive(j, f);
  else put_ball(r, j, f);
  fputs(is_driven(r, k) ? ">\n" : "/>\n", f);
  if (is_driven(r, k)) {
    put_drive(r, k, f);
    fprintf(f, "      </%s>\n", name[j->kind]);
  }
  fputs(equality, f);
}

/* ---- rows on joints -------------------------------------------------------------------------- */

static const char impact[] = "/>\n      <NewtonImpactNSL e=\"0\"/>\n    </interaction>\n";

/* The law of dry friction, at the end of rows. */
static void put_bound(FILE *f, double force)
{
  fprintf(f, "/>\n      <RelayNSL lb=\"%s\" ub=\"%s\"/>\n    </interaction>\n", NUMBER(-force),
          NUMBER(force));
}

static void put_limit(ns_robot *r, const ns_robot_joint *j, FILE *f)
{
  double lower = j->lower - start(j), upper = j->upper - start(j);
  open_rows(r, f, j->id, "limit");
  if (lower > 0 || upper < 0)
    ns_robot_lost(r, j->node,
                  "the joint %s starts at %g, outside of its limits %g to %g: it can return but "
                  "not move further out",
                  j->id, j->q, j->lower, j->upper);
  fprintf(f, "      <JointStopR joint=\"%s\"", j->id);
  attribute_if(f, isfinite(lower), "lower", lower);
  attribute_if(f, isfinite(upper), "upper", upper);
  fputs(impact, f);
}

static void put_friction(ns_robot *r, const ns_robot_joint *j, FILE *f)
{
  open_rows(r, f, j->id, "friction");
  fprintf(f, "      <JointFrictionR joint=\"%s\"%s", j->id,
          j->kind == NS_ROBOT_BALL ? " coordinate=\"all\"" : "");
  put_bound(f, j->friction);
}

/* q1 = a + b q2: d1 = ratio d2 + offset of coordinates from the start. */
static void put_couple(const ns_robot *r, const ns_robot_equality *e, FILE *f)
{
  const ns_robot_joint *one = &r->joint[e->first], *other = &r->joint[e->second];
  double offset = e->a + e->b * (start(other) - other->ref) - (start(one) - one->ref);
  fprintf(f, "      <CouplerJointR joints=\"%s %s\" ratio=\"%s\"", other->id, one->id,
          NUMBER(e->b));
  attribute_if(f, fabs(offset) > 1e-12, "offset", offset);
  fputs("/>\n", f);
}

static void put_equality(ns_robot *r, const ns_robot_equality *e, FILE *f)
{
  static const char *const name[] = {"connect", "weld", "couple"};
  const char *id = id_of(r, name[e->kind], "equality");
  int couples = e->kind == NS_ROBOT_COUPLE,
      a = couples || e->first < 0 ? -1 : r->link[e->first].body,
      b = couples || e->second < 0 ? -1 : r->link[e->second].body;
  if (!couples && a == b) {
    ns_robot_lost(r, e->node, "connects two links that are one body, and is ignored");
    return;
  }
  open_interaction(r, f, id, a, b);
  if (couples) put_couple(r, e, f);
  else if (e->kind == NS_ROBOT_WELD) fputs("      <FixedJointR/>\n", f);
  else {
    ns_pose in = ns_pose_identity, at;
    memcpy(in.at, e->anchor, sizeof in.at);
    ns_pose_mul(e->first < 0 ? &ns_pose_identity : &r->link[e->first].at, &in, &at);
    fprintf(f, "      <KneeJointR point=\"%s\"/>\n", TRIPLE_OF(at.at));
  }
  fputs(equality, f);
}

/* A point of a link in axes of its body; of the world where that moves with it. */
static int body_point(const ns_robot *r, int link, const double *x, double *y)
{
  int body = link < 0 ? NS_ROBOT_WORLD : r->link[link].body;
  ns_pose in = ns_pose_identity, at;
  double back[4], R[9], d[3];
  memcpy(in.at, x, sizeof in.at);
  ns_pose_mul(link < 0 ? &ns_pose_identity : &r->link[link].at, &in, &at);
  memcpy(y, at.at, sizeof at.at);
  if (body < 0) return body;
  ns_sub3(at.at, r->body[body].at, d);
  ns_quaternion_conjugate(r->body[body].turn, back);
  ns_quaternion_matrix(back, R);
  ns_mul3(R, d, y);
  return body;
}

/* ---- tendons --------------------------------------------------------------------------------- */

/* points="" and systems="" of it. */
static void put_points(const ns_robot *r, const ns_robot_tendon *t, FILE *f)
{
  double at[NS_ROBOT_MEMBERS][3];
  int plain = 1;
  fputs(" systems=\"", f);
  for (int i = 0; i < t->n; i++) {
    int body = body_point(r, t->member[i], t->point[i], at[i]);
    fprintf(f, "%s%s", i ? " " : "", body < 0 ? "world" : r->body[body].id);
    plain &= i + 1 == t->n || is_zero(t->by[i] - 1);
  }
  fputs("\" points=\"", f);
  for (int i = 0; i < t->n; i++) fprintf(f, "%s%s", i ? "  " : "", TRIPLE_OF(at[i]));
  fputc('"', f);
  if (!plain) attribute(f, "strands", t->by, t->n - 1);
}

/* Between two points it is a <spring>, whose first is that of a body. */
static void put_spring(const ns_robot *r, const ns_robot_tendon *t, FILE *f)
{
  double at[2][3];
  int body[2];
  for (int i = 0; i < 2; i++) body[i] = body_point(r, t->member[i], t->point[i], at[i]);
  int swap = body[0] < 0;
  fprintf(f, " systems=\"%s %s\" point1=\"%s\" point2=\"%s\"", r->body[body[swap]].id,
          body[1 - swap] < 0 ? "world" : r->body[body[1 - swap]].id, TRIPLE_OF(at[swap]),
          TRIPLE_OF(at[1 - swap]));
}

static void put_joints(const ns_robot *r, const ns_robot_tendon *t, FILE *f)
{
  fputs(" joints=\"", f);
  for (int i = 0; i < t->n; i++) fprintf(f, "%s%s", i ? " " : "", r->joint[t->member[i]].id);
  fputc('"', f);
  attribute(f, "coefficients", t->by, t->n);
}

/* Its force as a formula of length and rate; `motor`: without its actuator. */
static void put_along(ns_robot *r, int k, const course *d, int motor, FILE *f)
{
  const ns_robot_tendon *t = &r->tendon[k];
  double low = t->rest[0] - d->from, high = t->rest[1] - d->from;
  int n = 0;
  fputs("        <along>", f);
  if (!motor) put_actuators(r, -1, k, d, f, &n);
  if (high > low && t->stiffness > 0) {
    char stretched[64], pressed[64];
    snprintf(stretched, sizeof stretched, "max(length - (%.17g), 0)", high);
    snprintf(pressed, sizeof pressed, "min(length - (%.17g), 0)", low);
    term(f, &n, -t->stiffness, stretched);
    term(f, &n, -t->stiffness, pressed);
  } else {
    term(f, &n, t->stiffness * low, NULL);
    term(f, &n, -t->stiffness, "length");
  }
  term(f, &n, -t->damping, "rate");
  fputs("</along>\n", f);
}

static void put_tendon_rows(ns_robot *r, const ns_robot_tendon *t, const char *id, double from,
                            FILE *f)
{
  double lower = t->lower - from, upper = t->upper - from;
  if (t->kept) {
    open_rows(r, f, id, "length");
    fprintf(f, "      <TendonLengthR tendon=\"%s\" length=\"%s\"/>\n%s", id,
            NUMBER(t->length - from), equality);
  }
  if (t->limited) {
    open_rows(r, f, id, "limit");
    fprintf(f, "      <TendonStopR tendon=\"%s\"", id);
    /* a length between points is never negative */
    attribute_if(f, !(t->points && lower <= 0), "lower", lower);
    fprintf(f, " upper=\"%s\"%s", NUMBER(upper), impact);
  }
  if (t->friction > 0) {
    open_rows(r, f, id, "friction");
    fprintf(f, "      <TendonFrictionR tendon=\"%s\"", id);
    put_bound(f, t->friction);
  }
}

static void put_tendon(ns_robot *r, int k, FILE *f)
{
  const ns_robot_tendon *t = &r->tendon[k];
  double from = 0, at[3];
  int deadband = t->stiffness > 0 && t->rest[1] > t->rest[0], driven = deadband, moves = !t->points,
      first = 0;
  for (int i = 0; i < t->n; i++) {
    int body = t->points ? body_point(r, t->member[i], t->point[i], at) : -1;
    if (!i) first = body;
    moves |= body != first;
    if (!t->points) from += t->by[i] * start(&r->joint[t->member[i]]);
  }
  for (int i = 0; i < r->nactuators; i++) driven |= r->actuator[i].tendon == k;
  if (!moves) {
    ns_robot_lost(r, t->node, "a tendon between points of one body is ignored");
    return;
  }
  int has_rows = t->limited || t->kept || t->friction > 0;
  if (!driven && !has_rows && !(t->stiffness > 0 || t->damping > 0)) {
    if (!t->coupled)
      ns_robot_left_out(
          r, t->node, "a tendon without spring, damper, limits, friction and actuator is ignored");
    return;
  }
  const char *id = id_of(r, t->name, "tendon");
  const course d = {"length", "rate", from};
  double rest = t->rest[0] - from;
  int spring = t->points && t->n == 2 && !driven && is_zero(t->by[0] - 1);
  fprintf(f, "    <%s id=\"%s\"", spring ? "spring" : "tendon", id);
  if (spring) put_spring(r, t, f);
  else if (t->points) put_points(r, t, f);
  else put_joints(r, t, f);
  if (!spring) fputs(" pushes=\"true\"", f);
  const ns_robot_actuator *one = servo(r, -1, k);
  int formula = deadband || (driven && !one), passive = t->stiffness > 0 || t->damping > 0;
  if (!formula && (passive || !one)) {
    attribute(f, "stiffness", &t->stiffness, 1);
    attribute_if(f, t->damping > 0, "damping", t->damping);
    attribute(f, "restLength", &rest, 1);
  }
  fputs(driven ? ">\n" : "/>\n", f);
  if (one) put_motor(one, from, f);
  if (formula) put_along(r, k, &d, one != NULL, f);
  if (driven) fputs("    </tendon>\n", f);
  put_tendon_rows(r, t, id, from, f);
}

static void put_interactions(ns_robot *r, FILE *f)
{
  fputs("  <interactions>\n", f);
  for (int k = 0; k < r->njoints; k++) put_joint(r, k, f);
  for (int k = 0; k < r->njoints; k++) {
    const ns_robot_joint *j = &r->joint[k];
    if (is_scalar(j) && j->limited && is_bounded(j->lower, j->upper)) put_limit(r, j, f);
    if (j->kind != NS_ROBOT_FREE && j->friction > 0) put_friction(r, j, f);
  }
  for (int k = 0; k < r->nequalities; k++) put_equality(r, &r->equality[k], f);
  for (int k = 0; k < r->ntendons; k++) put_tendon(r, k, f);
  fputs("  </interactions>\n", f);
}

/* ---- contacts, simulation -------------------------------------------------------------------- */

/* condim 1: no friction; 6: friction against rolling, too. */
static void law(FILE *f, const ns_robot_pair *p)
{
  double mu = p->condim > 1 ? p->friction : 0;
  int rolls = p->condim > 4 && p->rolling > 0;
  fprintf(f, "<%s en=\"0\" mu=\"%s\"",
          rolls ? "NewtonImpactRollingFrictionNSL" : "NewtonImpactFrictionNSL", NUMBER(mu));
  attribute_if(f, rolls, "muRolling", p->rolling);
  fputs("/>", f);
}

/* Friction and dimension of a pair are the greater ones, or those of the higher priority (MuJoCo,
 * "Contact parameters"), or those that are given for two shapes. */
static ns_robot_pair combined(const ns_robot *r, int a, int b)
{
  const ns_robot_material *m = &r->material[a], *n = &r->material[b];
  if (m->priority > n->priority) n = m;
  if (n->priority > m->priority) m = n;
  ns_robot_pair p = {.friction = fmax(m->friction, n->friction),
                     .rolling = fmax(m->rolling, n->rolling),
                     .condim = m->condim > n->condim ? m->condim : n->condim};
  int one = r->material[a].shape, other = r->material[b].shape;
  for (int k = 0; k < r->npairs && one >= 0 && other >= 0; k++) {
    int i = r->pair[k].first, j = r->pair[k].second;
    if ((i == one && j == other) || (i == other && j == one)) p = r->pair[k];
  }
  return p;
}

static void put_laws(const ns_robot *r, FILE *f)
{
  for (int a = 0; a < r->nmaterials; a++)
    for (int b = a; b < r->nmaterials; b++) {
      ns_robot_pair p = combined(r, a, b);
      fputs("    ", f);
      if (r->nmaterials > 1) fprintf(f, "<between materials=\"m%d m%d\">", a + 1, b + 1);
      law(f, &p);
      fputs(r->nmaterials > 1 ? "</between>\n" : "\n", f);
    }
}

static void put_contacts(ns_robot *r, FILE *f)
{
  if (!r->meets) return;
  fputs("  <contacts overlap=\"1e-3\">\n", f);
  put_laws(r, f);
  put_shapes(r, NS_ROBOT_WORLD, f);
  fputs("  </contacts>\n", f);
}

static void put_body(ns_robot *r, FILE *f)
{
  unsigned activations = 0;
  for (int k = 0; k < r->nactuators; k++) activations |= r->actuator[k].activation;
  put_bodies(r, f);
  put_contacts(r, f);
  put_interactions(r, f);
  fprintf(f,
          "  <simulation T=\"1\">\n    <TimeStepping h=\"%s\">%s<MoreauJeanDirectProjectionOSI/>"
          "</TimeStepping>\n  </simulation>\n</model>\n",
          NUMBER(r->timestep), activations ? "<EulerMoreauOSI theta=\"0.5\"/>" : "");
}

/* What is lost is known once all is written, and stands before it. */
static int write_model(ns_robot *r, char **out)
{
  ns_text_stream written;
  FILE *f = ns_text_stream_open(&written);
  if (f) put_body(r, f);
  char *body = ns_text_stream_close(&written);
  int rc = body ? r->msg.c.rc : ns_robot_nomem(r);
  if (!rc) rc = ns_import_join(&r->text, head, r, body, out);
  free(body);
  return rc;
}

/* ---- what all importers of robots do --------------------------------------------------------- */

static void fini(ns_robot *r)
{
  for (int k = 0; k < r->ndocs; k++) xmlFreeDoc(r->doc[k]);
  NS_FREE(r->doc, r->link, r->joint, r->shape, r->actuator, r->equality, r->exclude, r->pair,
          r->tendon, r->body);
  ns_import_text_fini(&r->text);
  ns_files_fini(&r->files);
  ns_arena_destroy(r->a);
}

static void warn(const ns_import_text *t, ns_ctx *c)
{
  for (int k = 0; k < t->nnotes; k++) {
    const ns_import_note *n = &t->note[k];
    ns_warn(c, "%.200s%s%s%s: %s", t->path, n->lines ? ":" : "", n->lines ? n->lines : "",
            n->nlines > NS_IMPORT_LINES ? ", ..." : "", n->text);
  }
}

static int read_and_place(ns_robot *r, const char *root, int (*read)(ns_robot *r, const xmlNode *x))
{
  const xmlNode *x = NULL;
  int rc = ns_files_init(&r->files, &r->msg.c, r->source->path, NULL, 0);
  if (!rc) rc = ns_robot_parse(r, root, &x);
  if (!rc) rc = read(r, x);
  if (!rc && !r->msg.c.nerrors) rc = ns_robot_place(r);
  if (!rc && !r->msg.c.nerrors && !r->nbodies)
    rc = ns_robot_fail(r, NULL,
                       "nothing moves: no link has a joint, expected a model with joints; add one, "
                       "or --floating-base");
  if (!rc && !r->msg.c.nerrors) rc = ns_robot_meet(r);
  return rc ? rc : r->msg.c.rc;
}

int ns_robot_convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt,
                     const char *what, const char *root, int (*read)(ns_robot *r, const xmlNode *x),
                     char **out)
{
  ns_robot r = {.source = s,
                .opt = opt,
                .what = what,
                .a = ns_arena_create(0, 1),
                .gravity = {0, 0, -9.81},
                .timestep = 0.002,
                .inside = 1};
  ns_xml_watch w;
  ns_messages_init(&r.msg, c);
  r.text = (ns_import_text){.c = &r.msg.c, .a = r.a, .path = s->path};
  r.files = (ns_files){.arena = r.a, .scratch = r.a};
  ns_xml_watch_begin(&w);
  int rc = r.a ? read_and_place(&r, root, read) : ns_robot_nomem(&r);
  if (!rc) rc = write_model(&r, out);
  if (ns_xml_watch_end(&w) && !rc) rc = ns_robot_nomem(&r);
  int told = ns_messages_flush(&r.msg);
  if (!rc && !told) warn(&r.text, c);
  fini(&r);
  return told ? told : rc;
}
