/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A panel of pivots and what follows, against elimination pivot by pivot: the same to the bit. */
#include "algebra/panel.h"
#include "problems/lcp_tools.h"

enum { MAX = 170 };

static int below(int n) { return (int)((uniform() + 1) / 2 * n); }

/* Row k is a pivot's: multipliers below, and columns k+1..end-1. */
static void eliminate(double *F, int m, int k, int end)
{
  for (int i = k + 1; i < m; i++) {
    double l = F[i * m + k] /= F[k * m + k];
    for (int j = k + 1; j < end; j++) F[i * m + j] -= l * F[k * m + j];
  }
}

START_TEST(as_pivot_by_pivot)
{
  static double F[MAX * MAX], G[MAX * MAX];
  for (int t = 0; t < 400; t++) {
    int m = 2 + below(MAX - 2), first = below(m / 2), count = 1 + below(NS_PANEL);
    if (count > m - first) count = m - first;
    int from = first + count + below(m - first - count + 1);
    for (int k = 0; k < m * m; k++) F[k] = uniform();
    for (int k = 0; k < m; k++) F[k * m + k] += 4;
    memcpy(G, F, sizeof F);
    for (int k = first; k < first + count; k++) {
      eliminate(F, m, k, m);
      eliminate(G, m, k, from);
    }
    ns_panel_apply(G, m, first, count, from);
    ck_assert_msg(!memcmp(F, G, sizeof F), "t = %d: m = %d, %d pivots from %d, columns from %d", t,
                  m, count, first, from);
  }
}
END_TEST

static void fill(TCase *t) { tcase_add_test(t, as_pivot_by_pivot); }

int main(void) { return suite_run("panel", fill); }
