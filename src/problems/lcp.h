/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp.h -- linear complementarity problems are those of a box without bounds. */
#ifndef NS_PROBLEMS_LCP_H
#define NS_PROBLEMS_LCP_H

#include "problems/box/box.h"

#endif
