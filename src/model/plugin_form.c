/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/plugin_form.h"

#include <string.h>

#define U unsigned
#define N const unsigned *
#define D double
#define V const double *
#define O double *

#define TODAY(X)                                                          \
  X(MASS, , (U, V, O, U, O), (n, q, out, nz, z))                          \
  X(FINT, , (D, U, V, V, O, U, O), (t, n, q, v, out, nz, z))              \
  X(FGYR, , (U, V, V, O, U, O), (n, q, v, out, nz, z))                    \
  X(FEXT, , (D, U, O, U, O), (t, rows, out, nz, z))                       \
  X(F, , (D, U, V, O, U, O), (t, n, q, out, nz, z))                       \
  X(A, , (D, U, U, O, U, O), (t, rows, cols, out, nz, z))                 \
  X(DF, , (D, U, U, O, U, O), (t, rows, cols, out, nz, z))                \
  X(B, , (D, U, O, U, O), (t, rows, out, nz, z))                          \
  X(U, , (D, U, U, V, V, O, U, O), (t, rows, n, q, v, out, nz, z))        \
  X(T, , (U, U, V, O, U, O), (n, cols, q, out, nz, z))                    \
  X(HG, , (D, U, V, U, V, O, U, O), (t, n, q, m, lambda, out, nz, z))     \
  X(G, , (D, U, V, U, V, O, U, O), (t, n, q, m, lambda, out, nz, z))      \
  X(H1, , (U, V, U, O, U, O), (n, q, rows, out, nz, z))                   \
  X(G1, , (U, V, U, O, U, O), (m, lambda, rows, out, nz, z))              \
  X(H2, , (U, V, U, V, U, O), (n, q, m, lambda, rows, out))               \
  X(JH2, , (U, V, U, V, O), (n, q, m, lambda, out))                       \
  X(G2, , (U, V, U, O), (m, lambda, rows, out))                           \
  X(JG2, , (U, V, O), (m, lambda, out))                                   \
  X(LHDOT, , (U, V, U, V, O, U, O), (n, q, n, v, out, nz, z))             \
  X(LRHEO, , (U, V, D, U, O, U, O), (n, q, t, rows, out, nz, z))          \
  X(LCOMP, , (U, V, U, V, O, U, O), (n, q, rows, lambda, out, nz, z))     \
  X(BC, , (D, U, O), (t, rows, out))                                      \
  X(BODY_FEXT, , (D, O, U, O), (t, out, nz, z))                           \
  X(BODY_FINT, , (D, V, V, O, U, O), (t, q, v, out, nz, z))

/* By windows, within a signature in their order. */
#define OLD(X)                                                                             \
  X(FEXT, A, (N, V, V, O), (&rows, &t, q, out))                                            \
  X(FEXT, B1, (N, V, O), (&rows, &t, out))                                                 \
  X(FEXT, B2, (N, V, V, O), (&rows, &t, z, out))                                           \
  X(FEXT, C, (N, V, O, O), (&rows, &t, out, z))                                            \
  X(FEXT, D, (U, V, O, O), (rows, &t, out, z))                                             \
  X(FEXT, E, (U, D, O, O), (rows, t, out, z))                                              \
  X(FINT, A, (N, V, V, V, O), (&n, &t, q, v, out))                                         \
  X(FINT, C, (N, V, V, V, O, O), (&n, &t, q, v, out, z))                                   \
  X(FINT, D, (U, V, V, V, O, O), (n, &t, q, v, out, z))                                    \
  X(FINT, E, (U, D, V, V, O, O), (n, t, q, v, out, z))                                     \
  X(FGYR, A, (N, V, V, O), (&n, q, v, out))                                                \
  X(FGYR, C, (N, V, V, O, O), (&n, q, v, out, z))                                          \
  X(FGYR, D, (U, V, V, O, O), (n, q, v, out, z))                                           \
  X(MASS, A, (N, V, V, O), (&n, &t, q, out))                                               \
  X(MASS, C, (N, V, V, O, O), (&n, &t, q, out, z))                                         \
  X(MASS, C2, (N, V, O, O), (&n, q, out, z))                                               \
  X(MASS, D, (U, V, O, O), (n, q, out, z))                                                 \
  X(F, A, (N, V, V, O), (&n, &t, q, out))                                                  \
  X(F, C, (N, V, V, O, O), (&n, &t, q, out, z))                                            \
  X(F, D, (U, V, V, O, O), (n, &t, q, out, z))                                             \
  X(F, E, (U, D, V, O, O), (n, t, q, out, z))                                              \
  X(B, A, (N, O, V), (&rows, out, &t))                                                     \
  X(B, C2, (N, V, O, O), (&rows, &t, out, z))                                              \
  X(B, D, (U, V, O, O), (rows, &t, out, z))                                                \
  X(B, E, (U, D, O, O), (rows, t, out, z))                                                 \
  X(A, A, (N, O, V), (&rows, out, &t))                                                     \
  X(A, C2, (N, V, O, O), (&rows, &t, out, z))                                              \
  X(A, D, (U, V, O, O), (rows, &t, out, z))                                                \
  X(A, E, (U, D, O, O), (rows, t, out, z))                                                 \
  X(A, F1, (D, U, O, U, O), (t, rows, out, nz, z))                                         \
  X(U, A, (N, O, V), (&rows, out, &t))                                                     \
  X(U, B1, (N, N, V, V, V, O), (&rows, &n, &t, q, v, out))                                 \
  X(U, C, (N, N, V, V, V, O, O), (&rows, &n, &t, q, v, out, z))                            \
  X(U, C2, (N, N, V, V, O, O), (&rows, &n, &t, q, out, z))                                 \
  X(U, D, (U, U, V, V, O, O), (rows, n, &t, q, out, z))                                    \
  X(U, E, (U, U, D, V, O, O), (rows, n, t, q, out, z))                                     \
  X(T, A, (N, N, V, O), (&cols, &n, q, out))                                               \
  X(T, B0, (N, N, O, V), (&rows, &cols, out, &t))                                          \
  X(T, B1, (N, N, V, O), (&cols, &n, q, out))                                              \
  X(T, C, (N, N, V, O, O), (&cols, &n, q, out, z))                                         \
  X(T, D, (U, U, V, O, O), (cols, n, q, out, z))                                           \
  X(HG, A, (V, V, V, O), (q, &t, lambda, out))                                             \
  X(HG, C, (N, V, V, N, V, N, V, O, O), (&n, q, &t, &m, lambda, &none, z, out, z))         \
  X(HG, D, (U, V, V, U, V, U, V, O, O), (n, q, &t, m, lambda, none, z, out, z))            \
  X(HG, E, (U, V, D, U, V, O, O), (n, q, t, m, lambda, out, z))                            \
  X(HG, F1, (U, V, D, U, V, O, U, O), (n, q, t, m, lambda, out, nz, z))                    \
  X(G, A, (V, V, V, O), (q, &t, lambda, out))                                              \
  X(G, C, (N, V, V, O, O), (&m, lambda, &t, out, z))                                       \
  X(G, D, (U, V, V, O, O), (m, lambda, &t, out, z))                                        \
  X(G, E, (U, V, D, O, O), (m, lambda, t, out, z))                                         \
  X(G, F1, (U, V, D, U, O, U, O), (m, lambda, t, rows, out, nz, z))                        \
  X(H1, A, (V, V, V, O), (q, &t, lambda, out))                                             \
  X(H1, B2, (N, V, N, O), (&n, q, &rows, out))                                             \
  X(H1, C, (N, V, N, O, O), (&n, q, &rows, out, z))                                        \
  X(H1, D, (U, V, U, O, O), (n, q, rows, out, z))                                          \
  X(LRHEO, C, (N, V, V, N, O, O), (&n, q, &t, &rows, out, z))                              \
  X(LRHEO, D, (U, V, V, U, O, O), (n, q, &t, rows, out, z))                                \
  X(LRHEO, E, (U, V, D, U, O, O), (n, q, t, rows, out, z))                                 \
  X(LCOMP, C, (N, V, V, N, O, O), (&n, q, lambda, &rows, out, z))                          \
  X(LCOMP, D, (U, V, V, U, O, O), (n, q, lambda, rows, out, z))                            \
  X(DF, F1, (D, U, O, U, O), (t, rows, out, nz, z))

ns_plugin_arguments ns_plugin_arguments_at(const ns_point *p, int rows, int cols)
{
  return (ns_plugin_arguments){.t = p->t,
                               .q = p->q,
                               .v = p->v,
                               .lambda = p->lambda,
                               .z = p->z,
                               .n = (unsigned)p->n,
                               .m = (unsigned)p->m,
                               .nz = (unsigned)p->nz,
                               .rows = (unsigned)rows,
                               .cols = (unsigned)cols};
}

/* A function for each list, which knows its types. The names in the lists are fields of a. */
#define CALL(sig, abi, types, arguments) \
  static void sig##_##abi##_(void (*fn)(void), const ns_plugin_arguments *a, double *out) \
  { \
    (void)a; \
    ((void (*) types)fn)arguments; \
  }
#define t a->t
#define q a->q
#define v a->v
#define lambda a->lambda
#define z a->z
#define n a->n
#define m a->m
#define nz a->nz
#define rows a->rows
#define cols a->cols
#define none a->none
TODAY(CALL)
OLD(CALL)
#undef t
#undef q
#undef v
#undef lambda
#undef z
#undef n
#undef m
#undef nz
#undef rows
#undef cols
#undef none

#define ENTRY(sig, abi, types, arguments) {NS_SIG_##sig, #abi, #types, #arguments, sig##_##abi##_},
#define PLACED(sig, abi, types, arguments) [NS_SIG_##sig] = {NS_SIG_##sig, #abi, #types, \
  #arguments, sig##_##abi##_},
static const ns_plugin_form today[NS_SIGNATURES] = {TODAY(PLACED)};
static const ns_plugin_form old[] = {OLD(ENTRY)};
enum { OLD_FORMS = sizeof old / sizeof *old };

static const char *const window[] = {"A", "B0", "B1", "B2", "C", "C2", "D", "E", "F1", "F"};
enum { WINDOWS = sizeof window / sizeof *window, FIRST_OF_NOW = WINDOWS - 2 };
const char *const ns_plugin_windows = "A B0 B1 B2 C C2 D E F1 F";

static int window_of(const char *abi)
{
  int k = 0;
  while (k < WINDOWS && strcmp(window[k], abi)) k++;
  return k;
}

int ns_plugin_form_is_window(const char *abi) { return window_of(abi) < WINDOWS; }

const ns_plugin_form *ns_plugin_form_today(ns_signature sig) { return &today[sig]; }

const ns_plugin_form *ns_plugin_form_old(int k) { return k >= 0 && k < OLD_FORMS ? &old[k] : NULL; }

const ns_plugin_form *ns_plugin_form_of(ns_signature sig, const char *abi)
{
  const ns_plugin_form *found = NULL;
  int asked = window_of(abi);
  if (asked == WINDOWS) return NULL;
  for (int k = 0; k < OLD_FORMS; k++)
    if (old[k].sig == sig && window_of(old[k].abi) <= asked) found = &old[k];
  if (asked < FIRST_OF_NOW) return found;
  /* Of the last two windows: that of relations and D stayed, that of A went; the others are
   * today's. */
  int stays = found && window_of(found->abi) == FIRST_OF_NOW &&
              (sig != NS_SIG_A || asked == FIRST_OF_NOW);
  return stays ? found : &today[sig];
}
