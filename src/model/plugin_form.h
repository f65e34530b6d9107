/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_form.h -- the argument lists that functions of plug-ins have had.
 *
 * A value of the model asks for a function of one ns_signature. Until 2009 its arguments changed
 * several times: sizes and time went by pointer, parameters came last or not at all. A window of
 * time has a name, and a function of that time is called as it was then; nothing in a compiled
 * library tells which, so that the model says it (abi="C").
 *
 *   A   until 2005-04             sizes and time by pointer, no parameters
 *   B0  of E, a matrix of July 2005    B1  from 2005-04    B2  from 2005-09
 *   C   from 2005-11              parameters last (one zero where the model has none)
 *   C2  from 2006-03              no time for masses, time in second place for the parts of linear
 * systems D   from 2006-07              sizes by value E   from 2006-11              time by value
 *   F1  from 2007-04              time first, the length of the parameters before them
 *   F   from 2009                 the same; A [n x n] gets both its sizes
 *
 * A list stays until the window of the next one. Functions of a window write into zeros and get a z
 * of at least one entry, as they did then. */
#ifndef NS_MODEL_PLUGIN_FORM_H
#define NS_MODEL_PLUGIN_FORM_H

#include "model/operator.h"

/* What is handed over, by value or by address. */
typedef struct ns_plugin_arguments {
  double t;
  const double *q, *v, *lambda; /* q: x in first-order systems */
  double *z;
  unsigned n, m, nz;   /* of q, lambda, z */
  unsigned rows, cols; /* of the result */
  unsigned none;       /* 0: the size of what is no more */
} ns_plugin_arguments;
ns_plugin_arguments ns_plugin_arguments_at(const ns_point *p, int rows, int cols);

typedef struct ns_plugin_form {
  ns_signature sig;
  const char *abi; /* window from which the list is in use; "" for that of nssim/plugin.h */
  /* A letter an argument: U unsigned, N pointer to it, D double, V pointer to doubles that are
   * read, O to doubles that are written;
   * "(U, V, O)"; and what is handed over: "(n, q, out)". */
  const char *types, *arguments;
  void (*call)(void (*fn)(void), const ns_plugin_arguments *a, double *out);
} ns_plugin_form;

/* Names of the windows, by blanks, in their order: for the choices of an attribute. */
extern const char *const ns_plugin_windows;

/* The list of nssim/plugin.h. */
const ns_plugin_form *ns_plugin_form_today(ns_signature sig);
int ns_plugin_form_is_window(const char *abi);
/* The list in use in a window, today's where it is the same; NULL: there was no such function, or
 * no such window. */
const ns_plugin_form *ns_plugin_form_of(ns_signature sig, const char *abi);
/* Lists before today's, k = 0, 1, ...; NULL beyond the last. */
const ns_plugin_form *ns_plugin_form_old(int k);

#endif
