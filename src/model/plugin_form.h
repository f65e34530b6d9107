/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_form.h -- the argument lists of functions of plug-ins, past and present.
 *
 * A value of the model given by a plug-in requires a function with one ns_signature. Until 2009 the
 * argument lists changed several times: sizes and time were passed by pointer, parameters last or
 * not at all. Each period has a name, and functions of that period are called with its argument
 * list. A compiled library does not contain this information, so the model states it (abi="C").
 *
 *   A   until 2005-04   sizes and time by pointer, no parameters
 *   B0  2005-07         only of the matrix E
 *   B1  from 2005-04
 *   B2  from 2005-09
 *   C   from 2005-11    parameters last (one zero if the model has none)
 *   C2  from 2006-03    no time for masses; time second for the parts of linear systems
 *   D   from 2006-07    sizes by value
 *   E   from 2006-11    time by value
 *   F1  from 2007-04    time first, the length of the parameters before them
 *   F   from 2009       the same; A [n x n] gets both sizes
 *
 * A list is valid until the period of the next one. As they did then, functions of a period write
 * to zeroed memory and get a z of at least one entry. */
#ifndef NS_MODEL_PLUGIN_FORM_H
#define NS_MODEL_PLUGIN_FORM_H

#include "model/operator.h"

/* Arguments of a call, passed by value or by address. */
typedef struct ns_plugin_arguments {
  double t;
  const double *q, *v, *lambda; /* q: x in first-order systems */
  double *z;
  unsigned n, m, nz;   /* sizes of q, lambda, z */
  unsigned rows, cols; /* shape of the result */
  unsigned none;       /* 0: size of arguments that no longer exist */
} ns_plugin_arguments;
ns_plugin_arguments ns_plugin_arguments_at(const ns_point *p, int rows, int cols);

typedef struct ns_plugin_form {
  ns_signature sig;
  const char *abi; /* period from which the list is used; "" for that of nssim/plugin.h */
  /* One letter per argument: U unsigned, N pointer to it, D double, V pointer to doubles that are
   * read, O to doubles that are written; "(U, V, O)". arguments: what is passed, "(n, q, out)". */
  const char *types, *arguments;
  void (*call)(void (*fn)(void), const ns_plugin_arguments *a, double *out);
} ns_plugin_form;

/* Names of the periods in their order, separated by blanks: the choices of an attribute. */
extern const char *const ns_plugin_windows;

/* The list of nssim/plugin.h. */
const ns_plugin_form *ns_plugin_form_today(ns_signature sig);
int ns_plugin_form_is_window(const char *abi);
/* The list used in a period, which may be the current one; NULL: there was no such function, or no
 * such period. */
const ns_plugin_form *ns_plugin_form_of(ns_signature sig, const char *abi);
/* Earlier lists, k = 0, 1, ...; NULL beyond the last. */
const ns_plugin_form *ns_plugin_form_old(int k);

#endif
