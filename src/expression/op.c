/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/op.h"

int ns_op_arity(ns_op op)
{
  switch (op) {
#define ARITY(name, n, expression) case NS_OP_##name: return n;
    NS_OPERATION_LIST(ARITY)
#undef ARITY
  default: return 0;
  }
}

ns_op ns_op_base(unsigned op)
{
  switch (op) {
#define BASE(name, which) case NS_OP_##name##_##which: return NS_OP_##name;
    NS_FORWARDED_LIST(BASE)
#undef BASE
  default: return (ns_op)op;
  }
}

double ns_op_apply(ns_op op, double a, double b, double c)
{
  switch (op) {
#define APPLY(name, n, expression) case NS_OP_##name: return ns_value_##name(a, b, c);
    NS_OPERATION_LIST(APPLY)
#undef APPLY
  default: return NAN;
  }
}
