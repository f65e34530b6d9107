/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi.h -- affine variational inequalities on a box. */
#ifndef NS_PROBLEMS_AVI_H
#define NS_PROBLEMS_AVI_H

#include "problems/box/box.h"

#endif
