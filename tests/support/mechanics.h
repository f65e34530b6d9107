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

/* max |a - b| <= tol; shown where it is not. */
static inline void near(const double *a, const double *b, int n, double tol)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(a[i] - b[i]) <= tol, "entry %d is %.17g, expected %.17g within %g", i, a[i], b[i], tol);
}

/* n balls at 0, 1, ..., whose gaps have the offset `between` (-1: they touch), and where `ground` a ground with the
 * offset `below` under the first; their velocities v [n] after the simulation. */
static inline void balls_in_line(const char *simulation, double between, double below, int n, const double *mass, const double *v0,
                                 double e, int ground, double *v)
{
  char s[2048] = "", it[4096] = "";
  size_t a = 0, b = 0;
  for (int i = 0; i < n; i++)
    a += (size_t)snprintf(s + a, sizeof s - a, "<LagrangianLinearTIDS id='b%d' coordinates='x'><q0>%d</q0><v0>%.17g</v0>"
                          "<mass>%.17g</mass></LagrangianLinearTIDS>", i, i, v0[i], mass[i]);
  if (ground)
    b += (size_t)snprintf(it, sizeof it, "<interaction id='g' systems='b0'><LagrangianLinearTIR><H>1</H><e>%.17g</e>"
                          "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>", below, e);
  for (int i = 0; i + 1 < n; i++)
    b += (size_t)snprintf(it + b, sizeof it - b, "<interaction id='c%d' systems='b%d b%d'><LagrangianLinearTIR><H>-1 1</H>"
                          "<e>%.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>", i, i, i + 1, between, e);
  run r = mechanics("<systems>%s</systems><interactions>%s</interactions>%s", s, it, simulation);
  run_all(&r);
  memcpy(v, r.x->v, (size_t)n * sizeof *v);
  run_end(&r);
}

#endif
