/* SPDX-License-Identifier: GPL-3.0-or-later */
/* four.h -- four doubles in vectors, and code for processors that have registers for them.
 *
 * A kernel is an always inline function, called by a plain function and by one with NS_WIDE; where
 * ns_has_wide the second is taken. A large kernel, with more than sixteen vectors in use, has a
 * third one with NS_WIDE_MANY, where ns_has_wide is 2: there are 32 registers. No product is fused
 * with a sum, so that all have the same results to the bit. */
#ifndef NS_ALGEBRA_FOUR_H
#define NS_ALGEBRA_FOUR_H

typedef double ns_four __attribute__((vector_size(32)));
/* Numbers in memory. Macros, as vectors as arguments have no registers without AVX. */
typedef double ns_four_at __attribute__((vector_size(32), aligned(8), may_alias));
#define NS_FOUR(x) (*(const ns_four_at *)(x))
#define NS_PUT_FOUR(v, to) (*(ns_four_at *)(to) = (v))

#if defined(__x86_64__) && defined(__GNUC__)
#define NS_WIDE __attribute__((target("avx2")))
#define NS_WIDE_MANY __attribute__((target("avx2,avx512f,avx512vl")))
static inline int ns_has_wide(void)
{
  return !__builtin_cpu_supports("avx2") ? 0 : __builtin_cpu_supports("avx512vl") ? 2 : 1;
}
#else
#define NS_WIDE
#define NS_WIDE_MANY
static inline int ns_has_wide(void) { return 0; }
#endif

#endif
