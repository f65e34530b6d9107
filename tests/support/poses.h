/* SPDX-License-Identifier: GPL-3.0-or-later */
/* poses.h -- shapes at random places, from the seed of cloud.h. */
#ifndef TESTS_SUPPORT_POSES_H
#define TESTS_SUPPORT_POSES_H

#include "algebra/rotation.h"
#include "collision/touch.h"
#include "support/cloud.h"

/* Its centre in the cube of half side `spread`, turned by up to 3 rad about any axis. */
static inline ns_placed anywhere(const ns_shape *s, double spread)
{
  ns_placed p = {.shape = s};
  double phi[3], q[4];
  direction(phi);
  for (int i = 0; i < 3; i++) {
    p.at[i] = uniform(-spread, spread);
    phi[i] *= uniform(0, 3);
  }
  ns_quaternion_exp(phi, q);
  ns_quaternion_unit(q);
  ns_quaternion_matrix(q, p.R);
  return p;
}

#endif
