/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orientations, however they are written, are the products of rotations that they stand for. */
#include "support/run.h"

#include "algebra/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS "xmlns=\"urn:nssim:model:1\""
#define SIMULATION "<simulation T=\"1\"><TimeStepping h=\"0.5\"><MoreauJeanOSI/></TimeStepping></simulation>"

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
  for (int k = 0; k < 9; k++) ck_assert_msg(fabs(S[k] - R[k]) < 1e-14, "%s: entry %d is %.17g, not %.17g", text, k, S[k], R[k]);
}

static void turned(const char *attributes, const double *R)
{
  char text[1600];
  snprintf(text, sizeof text,
           "<model " NS "><systems><NewtonEulerDS id=\"b\"><q0 %s>1 2 3</q0><mass>1</mass><inertia diag=\"1 1 1\"/>"
           "<Box size=\"1 1 1\" %s/></NewtonEulerDS></systems><contacts><NewtonImpactNSL e=\"0\"/><Box size=\"1 1 1\" at=\"9 9 9\" %s/>"
           "</contacts>" SIMULATION "</model>", attributes, attributes, attributes);
  ns_model *m = load(text);
  same_matrix(m->systems[0].q0 + 3, R, attributes);
  for (int k = 0; k < 2; k++) same_matrix(m->contact.shape[k].turn, R, attributes);
  ns_model_destroy(m);
}

static const char *const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };

START_TEST(euler_angles_are_products_of_rotations)
{
  const char *s = sequences[_i];
  unsigned seed = 1 + (unsigned)_i;
  for (int trial = 0; trial < 5; trial++) {
    double a[3], one[3][9], R[9];
    char text[200];
    for (int k = 0; k < 3; k++) elementary(s[k] - 'x', a[k] = between(&seed, -7, 7), one[k]);
    product((const double *const[]){one[0], one[1], one[2]}, 3, R); /* about axes that turn with it */
    snprintf(text, sizeof text, "euler=\"%.17g %.17g %.17g\" sequence=\"%s\"", a[0], a[1], a[2], s);
    turned(text, R);
    product((const double *const[]){one[2], one[1], one[0]}, 3, R); /* about axes that stay */
    snprintf(text, sizeof text, "euler=\"%.17g %.17g %.17g\" sequence=\"%c%c%c\"", a[0], a[1], a[2], s[0] - 32, s[1] - 32, s[2] - 32);
    turned(text, R);
    if (strcmp(s, "xyz")) continue;
    snprintf(text, sizeof text, "rpy=\"%.17g %.17g %.17g\"", a[0], a[1], a[2]);
    turned(text, R);
  }
}
END_TEST

/* A rotation written as Euler angles, axis and angle, rotation vector, quaternion is the same one. */
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

static void fill(TCase *t)
{
  tcase_add_loop_test(t, euler_angles_are_products_of_rotations, 0, SEQUENCES);
  tcase_add_test(t, all_ways_mean_the_same);
}

int main(void) { return suite_run("poses", fill); }
