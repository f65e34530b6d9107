/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanics.h -- for tests: model texts made by printf, run to the end, and looked at. */
#ifndef TESTS_SUPPORT_MECHANICS_H
#define TESTS_SUPPORT_MECHANICS_H

#include "support/run.h"
#include "support/slope.h"

#include <stdarg.h>

#define G 9.81

/* <model> ... </model> around systems, interactions and simulation. */
static inline run mechanics(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline run mechanics(const char *format, ...)
{
  static const char head[] = "<model xmlns='urn:nssim:model:1' name='test'>", tail[] = "</model>";
  char text[8192];
  va_list ap;
  va_start(ap, format);
  size_t n = (size_t)snprintf(text, sizeof text, "%s", head);
  n += (size_t)vsnprintf(text + n, sizeof text - n, format, ap);
  va_end(ap);
  ck_assert_uint_lt(n + sizeof tail, sizeof text);
  memcpy(text + n, tail, sizeof tail);
  return run_load(text, NULL);
}

/* To the end, nothing recorded. */
static inline void run_all(run *r)
{
  int rc = ns_simulation_run(r->s, &r->c, NULL, NULL);
  ck_assert_msg(rc == NS_OK, "%s", r->c.msg);
}

/* To the end, with rows and events. */
static inline run recorded(run r)
{
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* max |a - b| <= tol; shown where it is not. */
static inline void near(const double *a, const double *b, int n, double tol)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(a[i] - b[i]) <= tol, "entry %d is %.17g, expected %.17g within %g", i, a[i],
                  b[i], tol);
}

/* A cam follower on a preloaded spring, from the bottom of the cam, phase -pi; w: angular velocity.
 */
#define CAM_FOLLOWER(w) \
  "<systems><LagrangianLinearTIDS id='u' " \
  "coordinates='x'><q0>-0.01</q0><mass>1.221</mass><K>1430.8</K><fExt>-50</fExt>" \
  "</LagrangianLinearTIDS></systems><interactions><interaction id='cam' " \
  "systems='u'><LagrangianRheonomousR>" \
  "<h>x + 0.01*cos(" w "*t)</h></LagrangianRheonomousR><NewtonImpactNSL " \
  "e='0.8'/></interaction></interactions>"

/* Played at 60 rad/s, below the speed of detachment: in contact for ever, force F0 + (k - m w^2) A
 * cos(w t). */
static inline void cam_is_followed(const run *r, double position, double force)
{
  ck_assert_int_eq((int)r->x->cert->impacts, 0);
  for (size_t i = 0; i < r->got.nrows; i++) {
    double c = -cos(60 * run_at(r, i, "time"));
    ck_assert_double_eq_tol(run_at(r, i, "u.x"), 0.01 * c, position);
    ck_assert_double_eq_tol(run_at(r, i, "cam.lambda"), 50 + (1430.8 - 1.221 * 3600) * 0.01 * c,
                            force);
  }
  ck_assert_double_le(r->x->cert->defect_max, 1e-8);
}

/* Played at 1.2 times the speed of detachment: take-off, flight, landing. */
#define CAM_FAST "(1.2*sqrt((1430.8 + 5000)/1.221))"
static inline void cam_is_left(const run *r)
{
  double w = 1.2 * 72.5729320534, off = 0, on = 0, speed = 0;
  for (size_t i = 0; i < r->got.nevents; i++) {
    const ns_event *e = &r->got.events[i];
    if (e->kind == NS_EVENT_RELEASE && off == 0 && e->t > 0) off = e->t;
    if (e->kind == NS_EVENT_IMPACT && off > 0 && on == 0) on = e->t, speed = e->before;
  }
  ck_assert_double_eq_tol(w * off - M_PI, -0.878110726879, 1e-8);
  ck_assert_double_eq_tol(on - off, 0.0412707790645, 1e-9);
  ck_assert_double_eq_tol(speed, -0.932270932382, 1e-8);
}

/* n balls at 0, 1, ..., whose gaps have the offset `between` (-1: they touch), and where `ground` a
 * ground with the offset `below` under the first; their velocities v [n] after the simulation. */
static inline void balls_in_line(const char *simulation, double between, double below, int n,
                                 const double *mass, const double *v0, double e, int ground,
                                 double *v)
{
  char s[2048] = "", it[4096] = "";
  size_t a = 0, b = 0;
  for (int i = 0; i < n; i++)
    a += (size_t)snprintf(s + a, sizeof s - a,
                          "<LagrangianLinearTIDS id='b%d' coordinates='x'><q0>%d</q0><v0>%.17g</v0>"
                          "<mass>%.17g</mass></LagrangianLinearTIDS>",
                          i, i, v0[i], mass[i]);
  if (ground)
    b += (size_t)snprintf(
        it, sizeof it,
        "<interaction id='g' systems='b0'><LagrangianLinearTIR><H>1</H><e>%.17g</e>"
        "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>",
        below, e);
  for (int i = 0; i + 1 < n; i++)
    b += (size_t)snprintf(
        it + b, sizeof it - b,
        "<interaction id='c%d' systems='b%d b%d'><LagrangianLinearTIR><H>-1 1</H>"
        "<e>%.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>",
        i, i, i + 1, between, e);
  run r = mechanics("<systems>%s</systems><interactions>%s</interactions>%s", s, it, simulation);
  run_all(&r);
  memcpy(v, r.x->v, (size_t)n * sizeof *v);
  run_end(&r);
}

#endif
