/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_friction.h -- what the readers and writers of friction problems share. Private to
 * src/io. Failures of readers are the tokens' rc. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_FRICTION_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_FRICTION_H

#include "io/problemfile/problem_file.h"
#include "io/problemfile/problem_file_matrix.h"

/* Sizes of nc blocks of d rows, then p of one row: first [nc+p+1], dim [nc+p] may be NULL. */
void ns_friction_sizes(ns_tokens *t, int d, int nc, int p, int **first, int **dim);

/* Readers of the families, for the table. */
void ns_read_friction(ns_tokens *t, ns_problem *p,
                      int d);                             /* d: 2, 3, or 0 for what the file says */
void ns_read_rolling(ns_tokens *t, ns_problem *p, int d); /* d: 3, 5, or 0 */
void ns_read_global(ns_tokens *t, ns_problem *p);
void ns_read_global_rolling(ns_tokens *t, ns_problem *p);
void ns_read_generic(ns_tokens *t, ns_problem *p);
/* Types of generic mechanical blocks, and the words behind the last field of a file that nssim
 * wrote: mu of blocks in the plane and bounds of relays, in their order. */
enum {
  NS_GENERIC_LCP = 0,
  NS_GENERIC_EQUALITY = 2,
  NS_GENERIC_PLANE = 3,
  NS_GENERIC_SPACE = 4,
  NS_GENERIC_RELAY = 9,
  NS_GENERIC_ROLLING_PLANE = 13,
  NS_GENERIC_ROLLING_SPACE = 14,
  NS_GENERIC_BALL = 100 /* of nssim alone: -radius and radius of each row as of a relay */
};
#define NS_GENERIC_LAWS "nssim-laws"
static inline int ns_generic_is_friction(const ns_mechanical *p, int a)
{
  return !p->kind || p->kind[a] == NS_BLOCK_FRICTION;
}
/* Every mu >= 0; every mu_r. */
void ns_check_mu(ns_tokens *t, int nc, const double *mu);
void ns_check_mu_rolling(ns_tokens *t, int nc, const double *mu);

#endif
