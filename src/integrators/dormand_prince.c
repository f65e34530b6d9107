/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/dormand_prince.h"

#include "algebra/pair.h"

#include <math.h>

enum { S = NS_DORMAND_PRINCE_STAGES };

/* Hairer, Norsett & Wanner 1993, coefficients of DOP853. */
static const double C[S] = {0,
                            0.526001519587677318785587544488e-1,
                            0.789002279381515978178381316732e-1,
                            0.118350341907227396726757197510,
                            0.281649658092772603273242802490,
                            1.0 / 3,
                            0.25,
                            4.0 / 13,
                            0.651282051282051282051282051282,
                            0.6,
                            6.0 / 7,
                            1};

static const double A[S][S - 1] = {
    {0},
    {5.26001519587677318785587544488e-2},
    {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
    {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
    {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
     9.24834003261792003115737966543e-1},
    {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1,
     1.25467687566822425016691814123e-1},
    {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2,
     -1.7578125e-2},
    {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
     1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2,
     8.27378916381402288758473766002e-3},
    {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
     -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1,
     2.01540675504778934086186788979e1, -4.34898841810699588477366255144e1},
    {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
     -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1,
     1.52792336328824235832596922938e1, -3.32882109689848629194453265587e1,
     -2.03312017085086261358222928593e-2},
    {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209,
     1.09143734899672957818500254654, -8.14978701074692612513997267357,
     -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
     2.49360555267965238987089396762, -3.0467644718982195003823669022},
    {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1,
     -2.00087205822486249909675718444, -1.79589318631187989172765950534e1,
     2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
     -8.87285693353062954433549289258, 1.23605671757943030647266201528e1,
     6.43392746015763530355970484046e-1},
};

static const double B[S] = {5.42937341165687622380535766363e-2,
                            0,
                            0,
                            0,
                            0,
                            4.45031289275240888144113950566,
                            1.89151789931450038304281599044,
                            -5.8012039600105847814672114227,
                            3.1116436695781989440891606237e-1,
                            -1.52160949662516078556178806805e-1,
                            2.01365400804030348374776537501e-1,
                            4.47106157277725905176885569043e-2};

/* B less the weights of order 5. */
static const double E5[S] = {0.1312004499419488073250102996e-1,
                             0,
                             0,
                             0,
                             0,
                             -0.1225156446376204440720569753e1,
                             -0.4957589496572501915214079952,
                             0.1664377182454986536961530415e1,
                             -0.3503288487499736816886487290,
                             0.3341791187130174790297318841,
                             0.8192320648511571246570742613e-1,
                             -0.2235530786388629525884427845e-1};

/* Weights of order 3: of stages 1, 9 and 12. */
static const double THIRD[3] = {0.244094488188976377952755905512, 0.733846688281611857341361741547,
                                0.220588235294117647058823529412e-1};

/* The stages that have a weight. */
typedef struct terms {
  int n;
  double weight[S];
  const double *k[S];
} terms;

static void collect(const ns_dormand_prince *o, const double *w, int stages, terms *to)
{
  to->n = 0;
  for (int i = 0; i < stages; i++) {
    if (w[i] == 0) continue;
    to->weight[to->n] = w[i];
    to->k[to->n++] = o->k + (size_t)i * o->n;
  }
}

/* Their sum at unknowns j and j + 1, and at j alone. */
static ns_pair sum_of_two(const terms *a, size_t j)
{
  ns_pair sum = {0, 0};
  for (int i = 0; i < a->n; i++)
    sum += (ns_pair){a->weight[i], a->weight[i]} * ns_pair_at(a->k[i] + j);
  return sum;
}

static double sum_of_one(const terms *a, size_t j)
{
  double sum = 0;
  for (int i = 0; i < a->n; i++) sum += a->weight[i] * a->k[i][j];
  return sum;
}

/* point = x + h sum w_i k_i over the first stages. */
static void combine(const ns_dormand_prince *o, double h, const double *w, int stages,
                    const double *x, double *point)
{
  terms a;
  size_t j = 0;
  collect(o, w, stages, &a);
  for (; j + 1 < o->n; j += 2)
    ns_pair_put(ns_pair_at(x + j) + (ns_pair){h, h} * sum_of_two(&a, j), point + j);
  if (j < o->n) point[j] = x[j] + h * sum_of_one(&a, j);
}

/* What is not a number is the smaller one, as fmax has it. */
static double larger(double max, double a) { return a > max ? a : max; }

static double error_of(const ns_dormand_prince *o, double h, const double *weight)
{
  double fifth = 0, third = 0;
  terms a, b;
  size_t n = o->n;
  collect(o, E5, S, &a);
  collect(o, B, S, &b);
  for (size_t j = 0; j < n; j += 2) {
    int two = j + 1 < n;
    ns_pair e = two ? sum_of_two(&a, j) : (ns_pair){sum_of_one(&a, j)},
            d = two ? sum_of_two(&b, j) : (ns_pair){sum_of_one(&b, j)};
    for (size_t i = 0; i < 1 + (size_t)two; i++) {
      double less = THIRD[0] * o->k[j + i] + THIRD[1] * o->k[8 * n + j + i] +
                    THIRD[2] * o->k[11 * n + j + i];
      fifth = larger(fifth, fabs(e[i]) / weight[j + i]);
      third = larger(third, fabs(d[i] - less) / weight[j + i]);
    }
  }
  if (!isfinite(fifth) || !isfinite(third)) return INFINITY;
  double size = sqrt(fifth * fifth + third * third / 100);
  return size > 0 ? fabs(h) * fifth * fifth / size : 0;
}

int ns_dormand_prince_step(const ns_dormand_prince *o, double t, double h, const double *x,
                           const double *weight, double *to, double *error)
{
  for (int i = 1; i < S; i++) {
    combine(o, h, A[i], i, x, o->point);
    int rc = o->rate(o->of, t + C[i] * h, o->point, o->k + (size_t)i * o->n);
    if (rc) return rc;
  }
  combine(o, h, B, S, x, to);
  *error = error_of(o, h, weight);
  return 0;
}
