/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.c -- running a tape: this is in the step loop.
 *
 * An operation costs about 2 ns, nearly all of it the jump to the next one. With labels as
 * values each operation has a jump of its own, which the processor predicts better than the one
 * of a switch (a quarter less time for a formula of ten operations, half for long ones). */
#include "expression/op.h"
#include "expression/tape.h"

#include <string.h>

/* Operands as they are in their slots, or forwarded from the last result r. */
#define SLOTS w[i->a], w[i->b], w[i->c]
#define FORWARD_a r, w[i->b], w[i->c]
#define FORWARD_b w[i->a], r, w[i->c]
#define FORWARD_c w[i->a], w[i->b], r
#define FORWARD_ab r, r, w[i->c]

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* labels as values */
#define BEGIN goto *label[i->op];
#define OPERATION(name) do_##name:
#define NEXT goto *label[(++i)->op];
#define FINISH
#else
#define BEGIN for (;; i++) switch (i->op) {
#define OPERATION(name) case NS_OP_##name:
#define NEXT break;
#define FINISH }
#endif

#define RUN(name, n, expression) \
  OPERATION(name) *to++ = r = ns_value_##name(SLOTS); NEXT
#define RUN_FORWARDED(name, which) \
  OPERATION(name##_##which) *to++ = r = ns_value_##name(FORWARD_##which); NEXT

#if defined __GNUC__ && !defined __clang__
__attribute__((optimize("no-crossjumping", "no-gcse"))) /* gcc would join the jumps again */
#endif
static void
run(const ns_instruction *i, const double *w, double *to)
{
#ifdef __GNUC__
#define LABEL(name, n, expression) [NS_OP_##name] = &&do_##name,
#define LABEL_FORWARDED(name, which) [NS_OP_##name##_##which] = &&do_##name##_##which,
  static const void *const label[] = {
      NS_OPERATION_LIST(LABEL) NS_FORWARDED_LIST(LABEL_FORWARDED)[NS_OP_SINCOS] = &&do_SINCOS,
      [NS_OP_END] = &&do_END};
#endif
  double r = 0;
  BEGIN
  NS_OPERATION_LIST(RUN)
  NS_FORWARDED_LIST(RUN_FORWARDED)
  OPERATION(SINCOS)
  sincos(w[i->a], to, to + 1);
  r = to[1];
  to += 2;
  NEXT OPERATION(END) return;
  FINISH
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

void ns_tape_eval(const ns_tape *t, const double *const *bank, double *work, double *out)
{
  double *to = work;
  for (int i = 0; i < t->nvariables; i++) *to++ = bank[t->variable[i].bank][t->variable[i].index];
  if (t->nconstants) memcpy(to, t->constant, (size_t)t->nconstants * sizeof *to);
  to += t->nconstants;
  run(t->code, work, to);
  for (int k = 0; k < t->noutputs; k++) out[k] = work[t->output[k]];
}
