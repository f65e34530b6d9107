/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/avi.h"

#include <math.h>
#include <string.h>

const ns_avi_solver_ops *const ns_avi_solvers[] = {NULL};

const ns_avi_solver_ops *ns_avi_solver_find(const char *name)
{
  for (int k = 0; ns_avi_solvers[k]; k++)
    if (!strcmp(ns_avi_solvers[k]->name, name)) return ns_avi_solvers[k];
  return NULL;
}

ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub)
{
  int free_rows = 0, signed_rows = 0;
  for (int i = 0; i < n; i++) {
    free_rows += lb[i] == -INFINITY && ub[i] == INFINITY;
    signed_rows += lb[i] == 0 && ub[i] == INFINITY;
  }
  if (free_rows == n && n) return NS_AVI_LINEAR;
  if (signed_rows == n) return NS_AVI_LCP;
  return free_rows + signed_rows == n ? NS_AVI_MLCP : NS_AVI_BOX;
}
