/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orientations, however they are written, are the products of rotations that they stand for. */
#include "support/run.h"

#include "algebra/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS "xmlns=\"urn:nssim:model:1\""
#define SIMULATION \
  "<simulation T=\"1\"><TimeStepping " \
  "h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation>"

static ns_model *load(const char *text)
{
  ns_ctx c = {.report = to_stderr};
  ns_model *m;
  int rc = ns_load_memory(&c, "test.xml", text, strlen(text), NULL, NULL, &m);
  ck_assert_msg(rc == NS_OK && m, "%s\n%s", c.msg, text);
  return m;
}

static double between(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u; /* Knuth 1997, vol. 2, table 3.3.4-1 */
  return low + (high - low) * (*seed >> 8) / (double)(1 << 24);
}

/* R [3 x 3] by columns about axis 0, 1 or 2, by its entries. */
static void elementary(int axis, double a, double *R)
{
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  memset(R, 0, 9 * sizeof *R);
  R[4 * axis] = 1;
  R[4 * i] = R[4 * j] = cos(a);
  R[j + 3 * i] = sin(a);
  R[i + 3 * j] = -sin(a);
}

static void product(const double *const *factor, int n, double *R)
{
  double S[9];
  memcpy(R, factor[0], 9 * sizeof *R);
  for (int k = 1; k < n; k++) {
    ns_matmul3(R, factor[k], S);
    memcpy(R, S, sizeof S);
  }
}

static void same_matrix(const double *p, const double *R, const char *text)
{
  double S[9];
  ns_quaternion_matrix(p, S);
  for (int k = 0; k < 9; k++)
    ck_assert_msg(fabs(S[k] - R[k]) < 1e-14, "%s: entry %d is %.17g, not %.17g", text, k, S[k],
                  R[k]);
}

static void turned(const char *attributes, const double *R)
{
  char text[1600];
  snprintf(
      text, sizeof text,
      "<model " NS
      "><systems><NewtonEulerDS id=\"b\"><q0 %s>1 2 3</q0><mass>1</mass><inertia diag=\"1 1 1\"/>"
      "<Box size=\"1 1 1\" %s/></NewtonEulerDS></systems><contacts><NewtonImpactNSL e=\"0\"/><Box "
      "size=\"1 1 1\" at=\"9 9 9\" %s/>"
      "</contacts>" SIMULATION "</model>",
      attributes, attributes, attributes);
  ns_model *m = load(text);
  same_matrix(m->systems[0].q0 + 3, R, attributes);
  for (int k = 0; k < 2; k++) same_matrix(m->contact.shape[k].turn, R, attributes);
  ns_model_destroy(m);
}

static const char *const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                        "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };

START_TEST(euler_angles_are_products_of_rotations)
{
  const char *s = sequences[_i];
  unsigned seed = 1 + (unsigned)_i;
  for (int trial = 0; trial < 5; trial++) {
    double a[3], one[3][9], R[9];
    char text[200];
    for (int k = 0; k < 3; k++) elementary(s[k] - 'x', a[k] = between(&seed, -7, 7), one[k]);
    /* about axes that turn with it */
    product((const double *const[]){one[0], one[1], one[2]}, 3, R);
    snprintf(text, sizeof text, "euler=\"%.17g %.17g %.17g\" sequence=\"%s\"", a[0], a[1], a[2], s);
    turned(text, R);
    product((const double *const[]){one[2], one[1], one[0]}, 3, R); /* about axes that stay */
    snprintf(text, sizeof text, "euler=\"%.17g %.17g %.17g\" sequence=\"%c%c%c\"", a[0], a[1], a[2],
             s[0] - 32, s[1] - 32, s[2] - 32);
    turned(text, R);
    if (strcmp(s, "xyz")) continue;
    snprintf(text, sizeof text, "rpy=\"%.17g %.17g %.17g\"", a[0], a[1], a[2]);
    turned(text, R);
  }
}
END_TEST

/* A rotation written as Euler angles, axis and angle, rotation vector, quaternion is the same one.
 */
START_TEST(all_ways_mean_the_same)
{
  double R[9];
  elementary(2, 0.5, R);
  turned("euler=\"0.5 0 0\" sequence=\"zyx\"", R);
  turned("rpy=\"0 0 30*pi/180+(0.5-pi/6)\"", R);
  turned("axis=\"0 0 3\" angle=\"0.5\"", R);
  turned("axis=\"0 0 0.5\"", R);
}
END_TEST

/* ---- frames ---------------------------------------------------------------------------------- */

typedef struct pose {
  double x[3], R[9], v[3], w[3]; /* in the world; w angular velocity */
} pose;

static void compose(const pose *a, const pose *b, pose *c)
{
  pose out;
  double d[3], e[3];
  ns_mul3(a->R, b->x, d);
  ns_axpy3(a->x, 1, d, out.x);
  ns_matmul3(a->R, b->R, out.R);
  ns_cross3(a->w, d, e);
  ns_axpy3(a->v, 1, e, out.v);
  ns_mul3(a->R, b->v, e);
  ns_axpy3(out.v, 1, e, out.v);
  ns_mul3(a->R, b->w, e);
  ns_axpy3(a->w, 1, e, out.w);
  *c = out;
}

static void vector_text(FILE *f, const char *name, const double *x, int n)
{
  fprintf(f, " %s=\"", name);
  for (int k = 0; k < n; k++) fprintf(f, "%s%.17g", k ? " " : "", x[k]);
  fputc('"', f);
}

/* A random place, and its attributes written in a random way. */
static void random_pose(unsigned *seed, FILE *f, int moves, pose *p)
{
  double a[3], one[3][9], phi[3] = {0};
  int way = (int)between(seed, 0, 3);
  memset(p, 0, sizeof *p);
  for (int k = 0; k < 3; k++) {
    p->x[k] = between(seed, -1, 1);
    a[k] = between(seed, -3, 3);
    elementary(k, a[k], one[k]);
    if (moves) p->v[k] = between(seed, -1, 1);
    if (moves) p->w[k] = between(seed, -2, 2);
  }
  vector_text(f, "position", p->x, 3);
  if (way == 0) product((const double *const[]){one[0], one[1], one[2]}, 3, p->R);
  if (way == 0) vector_text(f, "euler", a, 3);
  if (way == 0) fprintf(f, " sequence=\"xyz\"");
  if (way == 1) product((const double *const[]){one[2], one[1], one[0]}, 3, p->R);
  if (way == 1) vector_text(f, "rpy", a, 3);
  if (way == 2) {
    int k = (int)between(seed, 0, 3);
    memcpy(p->R, one[k], sizeof p->R);
    phi[k] = 2;
    fprintf(f, " angle=\"%.17g\"", a[k]);
    vector_text(f, "axis", phi, 3);
  }
  if (moves) vector_text(f, "velocity", p->v, 3);
  if (moves) vector_text(f, "angularVelocity", p->w, 3);
}

enum { MAX_BODIES = 40 };
typedef struct tree {
  FILE *f;
  unsigned seed;
  int n;
  pose at[MAX_BODIES];
} tree;

/* A body, its shape in a frame of its own. */
static void body(tree *t, const pose *in)
{
  pose own = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, spun;
  fprintf(t->f, "<NewtonEulerDS id=\"b%d\"><q0>", t->n);
  for (int k = 0; k < 3; k++) fprintf(t->f, "%.17g ", own.x[k] = between(&t->seed, -1, 1));
  fprintf(t->f, "1 0 0 0</q0><v0>");
  for (int k = 0; k < 3; k++) fprintf(t->f, "%.17g ", own.v[k] = between(&t->seed, -1, 1));
  for (int k = 0; k < 3; k++) fprintf(t->f, "%.17g ", own.w[k] = between(&t->seed, -1, 1));
  fprintf(t->f, "</v0><mass>1</mass><inertia diag=\"1 1 1\"/></NewtonEulerDS>");
  compose(in, &own, &spun);
  t->at[t->n++] = spun;
}

static void frames(tree *t, const pose *in, int depth)
{
  int parts = 1 + (int)between(&t->seed, 0, 3);
  for (int k = 0; k < parts && t->n < MAX_BODIES; k++) {
    pose own, at;
    if (depth == 0 || between(&t->seed, 0, 1) < 0.3) {
      body(t, in);
      continue;
    }
    fprintf(t->f, "<frame");
    random_pose(&t->seed, t->f, 1, &own);
    fprintf(t->f, ">");
    compose(in, &own, &at);
    frames(t, &at, depth - 1);
    fprintf(t->f, "</frame>");
  }
}

static void near(const double *a, const double *b, int n, const char *what, int k)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(a[i] - b[i]) < 1e-12 * 20, "%s of body %d: %.17g, not %.17g", what, k, a[i],
                  b[i]);
}

START_TEST(nested_frames_are_the_flat_ones)
{
  static const pose world = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  char *text = NULL;
  size_t size;
  tree t = {.f = open_memstream(&text, &size), .seed = 77u + (unsigned)_i};
  fprintf(t.f, "<model " NS "><systems>");
  frames(&t, &world, 5);
  fprintf(t.f, "</systems>" SIMULATION "</model>");
  fclose(t.f);
  ns_model *m = load(text);
  ck_assert_int_eq(m->nsystems, t.n);
  for (int k = 0; k < t.n; k++) {
    const ns_system *s = &m->systems[k];
    double R[9], w[3];
    ns_quaternion_matrix(s->q0 + 3, R);
    near(s->q0, t.at[k].x, 3, "position", k);
    near(R, t.at[k].R, 9, "orientation", k);
    near(s->v0, t.at[k].v, 3, "velocity", k);
    ns_mul3(R, s->v0 + 3, w);
    near(w, t.at[k].w, 3, "angular velocity", k);
  }
  ns_model_destroy(m);
  free(text);
}
END_TEST

/* What is fixed, a joint, a shape in a body, each in two frames, against the same written in the
 * world. */
START_TEST(shapes_and_joints_stand_in_frames)
{
  ns_model *m = load(
      "<model " NS "><systems>"
      "<NewtonEulerDS id=\"b\"><q0>1 2 3 1 0 0 0</q0><mass>1</mass><inertia diag=\"1 1 1\"/>"
      "<frame position=\"1 0 0\" rpy=\"0 0 pi/2\"><frame position=\"1 0 0\"><Box size=\"1 1 1\" "
      "at=\"0 1 0\"/></frame></frame></NewtonEulerDS>"
      "<repeat index=\"i\" from=\"1\" to=\"3\"><frame position=\"10*i 0 0\"><NewtonEulerDS "
      "id=\"c{i}\"><q0>1 0 0 1 0 0 0</q0>"
      "<Sphere radius=\"0.1\" density=\"1\"/></NewtonEulerDS></frame></repeat></systems>"
      "<contacts><NewtonImpactNSL e=\"0\"/><frame position=\"0 0 -9\" rpy=\"0 0 pi/2\"><frame "
      "position=\"1 0 0\" rpy=\"pi/2 0 0\">"
      "<Box size=\"1 1 1\" at=\"0 0 1\"/></frame></frame></contacts>"
      "<interactions><frame position=\"1 2 3\" rpy=\"0 0 pi/2\"><interaction id=\"j\" "
      "systems=\"b\"><PivotJointR point=\"1 0 0\" axis=\"1 0 0\"/>"
      "<EqualityConditionNSL/></interaction></frame></interactions>" SIMULATION "</model>");
  const ns_body_shape *s = m->contact.shape;
  near(s[0].at, (double[]){0, 1, 0}, 3, "shape", 0); /* (1 0 0) + Rz((1 0 0) + (0 1 0)) */
  for (int k = 1; k <= 3; k++)
    near(m->systems[k].q0, (double[]){10.0 * k + 1, 0, 0}, 3, "repeated", k);
  near(s[4].at, (double[]){1, 1, -9}, 3, "fixed", 4); /* Rz((1 0 0) + Rx(0 0 1)) = Rz(1 -1 0) */
  double along[3], point[3];
  const ns_joint *j = &m->interactions[0].joint;
  memcpy(along, j->A, sizeof along);
  memcpy(point, j->c1, sizeof point);
  near(point, (double[]){0, 1, 0}, 3, "anchor from the centre", 0);
  near(along, (double[]){0, 1, 0}, 3, "axis", 0);
  ns_model_destroy(m);
}
END_TEST

START_TEST(frames_of_the_plane)
{
  ns_model *m = load(
      "<model " NS
      "><systems><frame position=\"1 2\" angle=\"pi/2\" velocity=\"0 1\" angularVelocity=\"3\">"
      "<frame position=\"1 0\" angle=\"0.25\"><RigidBody2dDS id=\"b\"><q0>0 0 0.5</q0><v0>1 0 "
      "2</v0><mass>1</mass><inertia>1</inertia>"
      "</RigidBody2dDS></frame></frame></systems>" SIMULATION "</model>");
  const ns_system *s = &m->systems[0];
  const double a = acos(-1) / 2;
  near(s->q0, (double[]){1, 3, a + 0.75}, 3, "place", 0);
  /* omega x (0 1) = (-3 0) */
  near(s->v0, (double[]){-3 + cos(a + 0.25), 1 + sin(a + 0.25), 5}, 3, "velocity", 0);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, euler_angles_are_products_of_rotations, 0, SEQUENCES);
  tcase_add_test(t, all_ways_mean_the_same);
  tcase_add_loop_test(t, nested_frames_are_the_flat_ones, 0, 40);
  tcase_add_test(t, shapes_and_joints_stand_in_frames);
  tcase_add_test(t, frames_of_the_plane);
}

int main(void) { return suite_run("poses", fill); }
