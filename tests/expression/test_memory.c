/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation fails once: the call says NS_NOMEM, and nothing is lost. */
#include "expression/fixture.h"

#if defined __SANITIZE_ADDRESS__
#include <stdio.h>

int main(void)
{
  return puts("SKIP allocations of formulas: the sanitizer has a malloc of its own\nRESULT 0 0 1") <
         0;
}
#else

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);

static long countdown = -1; /* allocations until one fails; < 0: none does */
static long live;           /* blocks allocated while counting and not freed */

static int fails(void) { return countdown >= 0 && countdown-- == 0; }

void *malloc(size_t size)
{
  if (fails()) return NULL;
  live++;
  return __libc_malloc(size);
}

void *realloc(void *p, size_t size)
{
  if (fails()) return NULL;
  live += !p;
  return __libc_realloc(p, size);
}

void free(void *p)
{
  live -= p != NULL;
  __libc_free(p);
}

/* A model in small: formulas, their Jacobian, a tape. No assertions, which allocate. */
static int whole(ns_ctx *c)
{
  int rc = NS_NOMEM, index[4];
  ns_arena *a = ns_arena_create(64, 1);
  ns_graph *g = a ? ns_graph_create(a) : NULL;
  ns_node f[200] = {0};
  const ns_tape *t = NULL;
  if (!g) goto done;
  for (int i = 0; i < 100; i++) {
    char text[64];
    int n = snprintf(text, sizeof text, "sin(%d*x0)*x1^3 + sqrt(x%d)", i, i % 4);
    if ((rc = ns_graph_parse(g, c, "m", text, (size_t)n, &F.scope, &f[i])) != NS_OK) goto done;
    f[100 + i] = ns_graph_diff(g, f[i], 0, 0);
  }
  if ((rc = ns_graph_variables(g, f, 100, 0, index, 4)) == NS_NOMEM) goto done;
  rc = ns_tape_compile(g, c, a, f, 200, &t);
  if ((rc == NS_OK) != (t != NULL)) rc = NS_MODEL;
done:
  ns_arena_destroy(a);
  return rc;
}

START_TEST(every_allocation_may_fail)
{
  int refused = 0;
  for (long k = 0;; k++) {
    ns_ctx c = {0};
    long before = live;
    countdown = k;
    int rc = whole(&c);
    int reached = countdown < 0;
    countdown = -1;
    ck_assert_int_eq(live, before);
    if (!reached) {
      ck_assert_int_eq(rc, NS_OK);
      break;
    }
    /* stdio and qsort may do without their memory. */
    ck_assert(rc == NS_NOMEM || rc == NS_OK);
    refused += rc == NS_NOMEM;
  }
  ck_assert_int_gt(refused, 100);
}
END_TEST

int main(void)
{
  const TTest *const list[] = {every_allocation_may_fail};
  return run_list("memory", list, 1);
}
#endif
