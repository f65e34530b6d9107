/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_expression -- any bytes as a formula, and as a vector or matrix of formulas.
 *
 * Demanded besides what the sanitizers see: success without a failure in the context, failure
 * with its sentence; equal texts become the same node; a constant node evaluates to its value;
 * an evaluation repeated gives the same bits; the derivative by a variable that does not occur
 * is the constant 0. */
#include "expression/expression.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void demand(int holds)
{
  if (!holds) abort();
}

/* x, y: bank 0; v[0..3]: bank 1; k = 2. */
static ns_name lookup(const void *self, const char *name, size_t len, int subscript)
{
  ns_name n = {.kind = NS_NAME_UNKNOWN};
  (void)self;
  if (len != 1) return n;
  if (*name == 'k' && subscript < 0) n = (ns_name){.kind = NS_NAME_CONSTANT, .value = 2};
  if ((*name == 'x' || *name == 'y') && subscript < 0)
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 0, .index = *name - 'x'};
  if (*name == 'v' && subscript >= 0 && subscript < 4)
    n = (ns_name){.kind = NS_NAME_VARIABLE, .bank = 1, .index = subscript};
  return n;
}

static const ns_scope scope = {.lookup = lookup};

enum { OUTPUTS = 5 };

static void evaluate(const ns_graph *g, ns_ctx *c, ns_arena *a, const ns_node *out)
{
  static const double xy[2] = {0.75, -3}, v[4] = {1, 0, 1e300, -0.5};
  const double *bank[2] = {xy, v};
  const ns_tape *t;
  double first[OUTPUTS], again[OUTPUTS], value;
  demand(ns_tape_compile(g, c, a, out, OUTPUTS, &t) == NS_OK);
  demand(ns_tape_outputs(t) == OUTPUTS);
  double *work = malloc(sizeof *work * (ns_tape_work(t) + 1));
  if (!work) return;
  ns_tape_eval(t, bank, work, first);
  ns_tape_eval(t, bank, work, again);
  demand(memcmp(first, again, sizeof first) == 0);
  for (int i = 0; i < OUTPUTS; i++)
    if (ns_graph_is_constant(g, out[i], &value))
      demand(memcmp(&first[i], &value, sizeof value) == 0 ||
             (first[i] != first[i] && value != value));
  free(work);
}

static void formula(ns_arena *a, const char *text, size_t size)
{
  ns_ctx c = {0};
  ns_graph *g = ns_graph_create(a);
  ns_node f[OUTPUTS], same;
  double zero = 1;
  int rc = ns_graph_parse(g, &c, "fuzz.xml:1: <f>", text, size, &scope, &f[0]);
  demand((rc == NS_OK) == (c.rc == NS_OK) && (rc == NS_OK || c.msg[0]));
  if (rc != NS_OK) return;
  demand(ns_graph_parse(g, &c, "fuzz.xml:1: <f>", text, size, &scope, &same) == NS_OK &&
         same == f[0]);
  f[1] = ns_graph_diff(g, f[0], 0, 0);
  f[2] = ns_graph_diff(g, f[0], 0, 1);
  f[3] = ns_graph_diff(g, f[0], 1, 2);
  f[4] = ns_graph_diff(g, f[0], 1, 3);
  for (int i = 0; i < OUTPUTS; i++) demand(f[i] >= 0);
  if (!ns_graph_uses(g, f[0], 1)) demand(ns_graph_is_constant(g, f[3], &zero) && zero == 0);
  evaluate(g, &c, a, f);
}

typedef struct count {
  int n, rows, cols;
} count;

static int entry(void *to, int row, int col, const char *text, size_t len)
{
  count *k = to;
  (void)text;
  demand(len > 0);
  k->n++;
  if (row >= k->rows) k->rows = row + 1;
  if (col >= k->cols) k->cols = col + 1;
  return k->n > 10000;
}

static void matrix(const char *text)
{
  ns_ctx c = {0};
  count k = {0};
  int rows = -1, cols = -1;
  int rc = ns_split_entries(&c, "fuzz.xml:1: <M>", text, entry, &k, &rows, &cols);
  demand((rc == NS_OK) == (c.rc == NS_OK) || rc > 0);
  if (rc == NS_OK) demand(rows == k.rows && cols == k.cols && k.n == rows * cols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ns_arena *a = ns_arena_create(0, 1);
  char *text = malloc(size + 1);
  if (a && text) {
    if (size) memcpy(text, data, size);
    text[size] = 0;
    formula(a, (const char *)data, size); /* not terminated: lengths must be kept */
    matrix(text);
  }
  free(text);
  ns_arena_destroy(a);
  return 0;
}
