/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_colours.h -- colours of the blocks of a matrix. Private to src/problems.
 *
 * No two blocks of one colour are coupled in the pattern of W + W^T. Greedy by descending degree,
 * equal ones by their number (Welsh & Powell 1967): at most one colour more than the largest
 * degree. */
#ifndef NS_PROBLEMS_MECHANICAL_COLOURS_H
#define NS_PROBLEMS_MECHANICAL_COLOURS_H

#include "algebra/blocks.h"

/* colour [nb]; how many there are, 0: out of memory. */
int ns_colours_of(const ns_blocks *W, int *colour);

#endif
