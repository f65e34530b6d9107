/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SliderCrankPlugin.c -- a relation of mechanics: corners of a slider in its guide, with friction.
 *
 *   <LagrangianDS id="crank" coordinates="crank rod slider"> ... </LagrangianDS>
 *
 *   <interaction id="corner1" systems="crank">
 *     <LagrangianScleronomousR>
 *       <h plugin="SliderCrankPlugin:h1"/>
 *       <H plugin="SliderCrankPlugin:H1"/>
 *     </LagrangianScleronomousR>
 *     <NewtonImpactFrictionNSL en="0.4" mu="0.01" size="2"/>
 *   </interaction>
 *
 * and likewise h2 ... h4 for the other corners. Coordinates are angles from the axis of the guide:
 * of the crank, of the rod, of the slider. Data after the slider-crank mechanism with clearance of
 * Flores, Leine and Glocker (2010). What to look at:
 *   - a corner has 2 rows: row 0 is the gap, row 1 the slip. Of the slip only H counts, h is 0
 *   there; - size="2" on the law, as nothing else tells how many rows there are; - without <H>
 *   nssim would difference h, and know nothing of the slip: give it for friction.
 *
 * Beside a model, nssim compiles this file itself. By hand:
 *   cc -O2 -fPIC -shared -I<folder of nssim/plugin.h> -o SliderCrankPlugin.so SliderCrankPlugin.c
 *   -lm */
#include <nssim/plugin.h>

#include <math.h>
#include <string.h>

NSSIM_PLUGIN("SliderCrankPlugin 1.0", NSSIM_PLUGIN_ABI);

static const double l1 = 0.153, l2 = 0.306; /* m, crank and rod */
static const double a = 0.05, b = 0.025;    /* half length and half height of the slider */
static const double clearance = 0.001;      /* of a centred slider to either wall */

/* Sines and cosines of the angles. All corners are asked for at one position after the other, so
 * those of the last one are kept: a function of q still, as nssim expects, and one set for each
 * thread, as a sweep runs many. */
typedef struct angles {
  double q[3], s[3], c[3];
} angles;

static const angles *at(const double *q)
{
  static _Thread_local angles last = {.c = {1, 1, 1}};
  for (int i = 0; i < 3; i++) {
    if (memcmp(&last.q[i], &q[i], sizeof *q) == 0) continue;
    last.q[i] = q[i];
    last.s[i] = sin(last.q[i]);
    last.c[i] = cos(last.q[i]);
  }
  return &last;
}

/* Corner (s a, r b) of the slider, s, r = +-1, stands at the wall of its own side: y = r (b +
 * clearance). */
static void gap(const double *q, double s, double r, double *h)
{
  const angles *p = at(q);
  double y = l1 * p->s[0] + l2 * p->s[1] + s * a * p->s[2] + r * b * p->c[2];
  h[0] = b + clearance - r * y;
  h[1] = 0;
}

/* [2 x 3] by columns: derivative of the gap; velocity of the corner along the guide. */
static void rows(const double *q, double s, double r, double *H)
{
  const angles *p = at(q);
  H[0] = -r * l1 * p->c[0];
  H[1] = -l1 * p->s[0];
  H[2] = -r * l2 * p->c[1];
  H[3] = -l2 * p->s[1];
  H[4] = -r * (s * a * p->c[2] - r * b * p->s[2]);
  H[5] = -s * a * p->s[2] - r * b * p->c[2];
}

#define CORNER(h, H, s, r) \
  NSSIM_EXPORT nssim_lh h, H; \
  void h(unsigned int N, const double *Q, unsigned int m, double *out, unsigned int nz, double *z) \
  { \
    (void)N, (void)m, (void)nz, (void)z; \
    gap(Q, s, r, out); \
  } \
  void H(unsigned int N, const double *Q, unsigned int m, double *out, unsigned int nz, double *z) \
  { \
    (void)N, (void)m, (void)nz, (void)z; \
    rows(Q, s, r, out); \
  }

CORNER(h1, H1, -1, 1)
CORNER(h2, H2, 1, 1)
CORNER(h3, H3, -1, -1)
CORNER(h4, H4, 1, -1)
