/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A law of contact: bonds that bear a tension sigma and break for good, as <CohesiveFrictionNSL>.
 *
 *     <PluginNSL plugin="CohesivePlugin:cohesive" en="0" mu="0.3" p1="100"/>      p1: sigma, N
 *
 * Each contact keeps one number, 1 while its bond is intact. nssim keeps it, so that each run has
 * its own and a checkpoint has it too. */
#include <nssim/plugin.h>

NSSIM_PLUGIN("CohesivePlugin", NSSIM_PLUGIN_ABI);

/* Contacts that are closed as the run begins are bonded. */
static void begin(const double *p, double gap, double *intact)
{
  (void)p;
  *intact = gap <= 1e-9;
}

static double tension(const double *p, const double *intact) { return *intact * p[0]; }

/* What was carried beyond the tension: nothing where it was all that the bond could bear. */
static void keep(const double *p, double pressed, double *intact)
{
  (void)p;
  if (!(pressed > 0)) *intact = 0;
}

NSSIM_EXPORT nssim_law_of cohesive;
const nssim_law *cohesive(void)
{
  static const nssim_law law = NSSIM_LAW(1, begin, tension, keep);
  return &law;
}
