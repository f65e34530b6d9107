/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_problem -- any bytes as a problem file of each family: a problem or a sentence, never
 * anything else.
 *
 * Demanded besides what the sanitizers see: success comes with a problem and without a failure in
 * the context, a failure with its sentence, which names the file; the sizes, bounds and structure
 * of a problem are in order, so that solvers may rely on them. */
#include "io/problemfile/problem_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void demand(int holds)
{
  if (!holds) abort();
}

static void check_numbers(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) demand(isfinite(x[i]));
}

static void check_blocks(const ns_blocks *b, int n)
{
  demand(b->m == n && b->first[0] == 0 && b->first[b->nb] == n && b->row[0] == 0);
  for (int i = 0; i < b->nb; i++) {
    demand(b->dim[i] >= 1 && b->first[i + 1] - b->first[i] == b->dim[i] &&
           b->row[i + 1] >= b->row[i]);
    for (int k = b->row[i]; k < b->row[i + 1]; k++) {
      demand(b->col[k] >= 0 && b->col[k] < b->nb && (k == b->row[i] || b->col[k] > b->col[k - 1]));
      check_numbers(b->val + b->off[k], (size_t)b->dim[i] * (size_t)b->dim[b->col[k]]);
    }
  }
}

static void check_box(const ns_avi *p, int n)
{
  demand(p->n == n && (p->dense != NULL) != (p->blocks != NULL));
  if (p->dense) check_numbers(p->dense, (size_t)n * (size_t)p->ld);
  else check_blocks(p->blocks, n);
  check_numbers(p->q, (size_t)n);
  for (int i = 0; i < n; i++)
    demand(p->lb[i] <= p->ub[i] && p->lb[i] < INFINITY && p->ub[i] > -INFINITY);
}

static void check_polyhedron(const ns_polyhedral *p, int n)
{
  demand(p->n == n && p->p >= 1);
  check_numbers(p->M, (size_t)n * (size_t)n);
  check_numbers(p->q, (size_t)n);
  check_numbers(p->H, (size_t)n * (size_t)p->p);
  check_numbers(p->k, (size_t)p->p);
}

static void check_mechanical(const ns_mechanical *p, int n)
{
  demand(p->W->m == n);
  check_blocks(p->W, n);
  check_numbers(p->q, (size_t)n);
  for (int a = 0; a < p->W->nb; a++) demand(ns_blocks_at(p->W, a, a) && p->mu[a] >= 0);
}

static void check_global(const ns_global *p, int n)
{
  demand(p->m == n && p->first[p->nb] == n && p->row[0] == 0);
  check_blocks(p->M, p->M->m);
  check_numbers(p->q, (size_t)p->M->m);
  check_numbers(p->b, (size_t)n);
  for (int i = 0; i < n; i++)
    for (int k = p->row[i]; k < p->row[i + 1]; k++) demand(p->col[k] >= 0 && p->col[k] < p->M->m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;
  for (const ns_problem_family *f = ns_problem_families; f->name; f++) {
    ns_ctx c = {0};
    ns_problem *p = NULL;
    int rc = ns_problem_parse(&c, "fuzz.dat", text, size, f, &p);
    demand((rc == NS_OK) == (p != NULL) && (rc == NS_OK) == (c.rc == NS_OK));
    demand(rc == NS_OK || (c.nerrors == 1 && !strncmp(c.msg, "fuzz.dat:", 9)));
    if (p && f->form == NS_PROBLEM_BOX) check_box(&p->box, p->n);
    if (p && f->form == NS_PROBLEM_POLYHEDRON) check_polyhedron(&p->polyhedron, p->n);
    if (p && f->form == NS_PROBLEM_MECHANICAL) check_mechanical(&p->mechanical, p->n);
    if (p && f->form == NS_PROBLEM_GLOBAL) check_global(&p->global, p->n);
    ns_problem_destroy(p);
  }
  free(text);
  return 0;
}
