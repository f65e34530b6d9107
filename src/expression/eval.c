/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.c -- running a tape: this is in the step loop. */
#include "expression/op.h"
#include "expression/tape.h"

#include <string.h>

static void run(const ns_instruction *i, const double *w, double *to)
{
  for (;; i++) {
    switch (i->op) {
#define RUN(name, n, expression)                     \
  case NS_OP_##name: {                               \
    const double a = w[i->a], b = w[i->b], c = w[i->c]; \
    (void)a, (void)b, (void)c;                       \
    *to++ = expression;                              \
    break;                                           \
  }
      NS_OPERATION_LIST(RUN)
    case NS_OP_SINCOS: {
      double a = w[i->a];
      sincos(a, to, to + 1);
      to += 2;
      break;
    }
    default: return;
    }
  }
}

void ns_tape_eval(const ns_tape *t, const double *const *bank, double *work, double *out)
{
  for (int i = 0; i < t->nvariables; i++) work[i] = bank[t->variable[i].bank][t->variable[i].index];
  double *to = work + t->nvariables;
  memcpy(to, t->constant, (size_t)t->nconstants * sizeof *to);
  run(t->code, work, to + t->nconstants);
  for (int k = 0; k < t->noutputs; k++) out[k] = work[t->output[k]];
}
