/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_colours.h -- colours of the blocks of a matrix. Private to src/problems.
 *
 * No two blocks of one colour are coupled in the pattern of W + W^T. Greedy colouring by descending
 * degree, then by index (Welsh & Powell 1967); it uses at most one colour more than the largest
 * degree. */
#ifndef NS_PROBLEMS_MECHANICAL_COLOURS_H
#define NS_PROBLEMS_MECHANICAL_COLOURS_H

#include "algebra/blocks.h"

/* Write the colour of each block to colour [nb]. Returns the number of colours; 0: out of
 * memory. */
int ns_colours_of(const ns_blocks *W, int *colour);

#endif
