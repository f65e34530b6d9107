/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pile_bench -- piles of spheres at rest: contacts of collision/scene.h, solved by
 * problems/multibody.h.
 *
 *   pile_bench [-b] [-n STEPS] [-l LAYERS] [-w TIMES]... [N...]
 *
 * N spheres (1000) of radius 0.09 to 0.1 m fall into a box as wide as high, or of so many layers,
 * and come to rest in STEPS steps (400) of 5 ms; mu = 0.3, e = 0. Then each of a few steps is
 * solved from the impulses of the one before, to several tolerances, on one thread and two, and
 * from nothing: least time of the steps, sweeps, and what the solver holds. All runs at one
 * tolerance must return the same bytes whatever the threads; the residual is that of
 * ns_multibody_residual. With -b the order of the bodies in space is kept from the solver.
 *
 * With -w a pile TIMES as wide as well, to 1e-4 from the impulses before: the settled one and its
 * mirror images side by side, in the place of walls, which go on for RELAX steps. So 100,000
 * spheres take a minute, not hours, and their layers are those of 1000. */
#include "algebra/keys.h"
#include "bench.h"
#include "collision/scene.h"
#include "problems/multibody.h"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Steps that are measured, and s after which no more are; most contacts of a sphere, on average;
 * most sweeps. */
enum {
  WALLS = 5,
  MEASURED = 4,
  MEASURED_WIDE = 2,
  PATIENCE = 20,
  CONTACTS = 8,
  SWEEPS = 1000,
  RELAX = 8,
  WIDER = 8,
  REPEATS = 10
};
static const double radius = 0.1, mass = 4.2, step = 5e-3, gravity = 9.81, friction = 0.3;

static double uniform(uint64_t *seed) /* [0, 1), xorshift (Marsaglia 2003) */
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) * 0x1p-53;
}

static int only_blocks; /* -b */

typedef struct pile {
  int n, room;
  double width[2];       /* of the box, along x and y */
  ns_shape *shape;       /* [n + 1], the last a plane */
  ns_collider *collider; /* [n + WALLS] */
  ns_scene *scene;
  double *q, *v; /* [7 n], [6 n] */
  ns_multibody p;
  double *inverse, *vfree, *H, *b, *mu;
  int *row, *body, *along;
  ns_keyed *keyed; /* [2 n] */
  unsigned char *kind;
  double *r, *u; /* of the problem [3 room] */
  double *past;  /* of the scene's contacts [3 room] */
  int *slot;     /* contact of the scene to block of the problem, -1 [room] */
  /* s of the last step: of contacts by one thread and by the team, of the problem */
  double collision[2], rows;
} pile;

/* ---- the box --------------------------------------------------------------------------------- */

static void walls(pile *k, double width, double depth)
{
  const double s = sqrt(0.5),
               turn[WALLS][4] = {
                   {1, 0, 0, 0}, {s, 0, s, 0}, {s, 0, -s, 0}, {s, -s, 0, 0}, {s, s, 0, 0}};
  ns_shape_plane(&k->shape[k->n]);
  for (int w = 0; w < WALLS; w++) {
    ns_collider *c = &k->collider[k->n + w];
    *c = (ns_collider){.body = -1, .shape = &k->shape[k->n], .layers = 1, .with = 1};
    memcpy(c->turn, turn[w], sizeof turn[w]);
    if (w == 2) c->at[0] = width;
    if (w == 4) c->at[1] = depth;
  }
  k->width[0] = width;
  k->width[1] = depth;
}

/* Sphere i has radius R; where it is, is left. */
static void sphere(pile *k, int i, double R)
{
  double m = mass * pow(R / radius, 3);
  ns_shape_sphere(&k->shape[i], R);
  k->collider[i] = (ns_collider){
      .body = i, .shape = &k->shape[i], .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
  for (int d = 0; d < 6; d++) k->inverse[6 * i + d] = d < 3 ? 1 / m : 2.5 / (m * R * R);
}

/* Layers that are shifted against each other, radii and places a little at random. */
static void place(pile *k, int side)
{
  uint64_t seed = 88172645463325252u;
  double gap = 2.2 * radius;
  for (int i = 0; i < k->n; i++) {
    int layer = i / (side * side), j = i % (side * side);
    double *q = k->q + 7 * i;
    sphere(k, i, radius * (1 - 0.1 * uniform(&seed)));
    q[0] = gap * (j % side + 0.5 + 0.01 * uniform(&seed)) + 0.3 * radius * (layer % 2);
    q[1] = gap * (j / side + 0.5 + 0.01 * uniform(&seed));
    q[2] = radius * (1 + 2.02 * layer);
    q[3] = 1;
  }
  walls(k, gap * side + 0.3 * radius, gap * side + 0.3 * radius);
}

/* Boxes along x of so many in all, which are as nearly square as can be. */
static int across(int times)
{
  int n = (int)sqrt(times);
  while (times % n) n--;
  return times / n;
}

/* `of` and its mirror images: an image pushes as the wall did. */
static void mirror(pile *k, const pile *of, int times)
{
  int wide = across(times);
  for (int i = 0; i < k->n; i++) {
    int box[2] = {i / of->n % wide, i / of->n / wide}, j = i % of->n;
    double *q = k->q + 7 * i;
    sphere(k, i, of->shape[j].radius);
    memcpy(q, of->q + 7 * j, 7 * sizeof *q);
    for (int d = 0; d < 2; d++)
      q[d] = box[d] % 2 ? (box[d] + 1) * of->width[d] - q[d] : box[d] * of->width[d] + q[d];
  }
  walls(k, wide * of->width[0], times / wide * of->width[1]);
}

static void get(pile *k, int n)
{
  size_t bodies = (size_t)n, room = CONTACTS * bodies + 100;
  *k = (pile){.n = n,
              .room = (int)room,
              .shape = need(bodies + 1, sizeof(ns_shape)),
              .collider = need(bodies + WALLS, sizeof(ns_collider)),
              .q = need(7 * bodies, sizeof(double)),
              .v = need(6 * bodies, sizeof(double)),
              .inverse = need(6 * bodies, sizeof(double)),
              .vfree = need(6 * bodies, sizeof(double)),
              .H = need(36 * room, sizeof(double)),
              .b = need(3 * room, sizeof(double)),
              .mu = need(room, sizeof(double)),
              .row = need(room + 1, sizeof(int)),
              .body = need(2 * room, sizeof(int)),
              .along = need(bodies, sizeof(int)),
              .keyed = need(2 * bodies, sizeof(ns_keyed)),
              .kind = need(room, 1),
              .r = need(3 * room, sizeof(double)),
              .u = need(3 * room, sizeof(double)),
              .past = need(3 * room, sizeof(double)),
              .slot = need(room, sizeof(int))};
  k->p = (ns_multibody){.nbodies = n,
                        .dof = 6,
                        .inverse = k->inverse,
                        .diagonal = 1,
                        .symmetric = 1,
                        .vfree = k->vfree,
                        .along = only_blocks ? NULL : k->along,
                        .row = k->row,
                        .body = k->body,
                        .H = k->H,
                        .b = k->b,
                        .kind = k->kind,
                        .mu = k->mu};
}

static void make_scene(pile *k)
{
  ns_ctx c = {0};
  if (ns_scene_create(&c, k->n + WALLS, k->collider, &k->scene)) exit(71);
}

static void destroy(pile *k)
{
  void *all[] = {k->along,   k->keyed, k->shape, k->collider, k->q,    k->v,
                 k->inverse, k->vfree, k->H,     k->b,        k->mu,   k->row,
                 k->body,    k->kind,  k->r,     k->u,        k->past, k->slot};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  ns_scene_destroy(k->scene);
}

/* ---- contacts to rows ------------------------------------------------------------------------ */

/* Rows of a contact at one body, as newton-euler kinematics have them: sign [e, (arm x e) in body
 * axes] for e = n, t1, t2. */
static void rows_at(const pile *k, int body, double sign, double e[3][3], const double *point,
                    double *H)
{
  double R[9], arm[3];
  ns_quaternion_matrix(k->q + 7 * body + 3, R);
  ns_sub3(point, k->q + 7 * body, arm);
  for (int i = 0; i < 3; i++) {
    double x[3], y[3];
    ns_cross3(arm, e[i], x);
    ns_mul3t(R, x, y);
    for (int d = 0; d < 3; d++) {
      H[12 * i + d] = sign * e[i][d];
      H[12 * i + 3 + d] = sign * y[d];
    }
  }
}

/* Normal velocity of rows H of the bodies given. */
static double approach(const pile *k, const int *body, const double *H)
{
  double s = 0;
  for (int e = 0; e < 2 && body[e] >= 0; e++)
    for (int d = 0; d < 6; d++) s += H[6 * e + d] * k->v[6 * body[e] + d];
  return s;
}

/* Blocks of the contacts that close within half a step, each with its impulse of the step before.
 */
static void problem(pile *k)
{
  int count;
  const ns_scene_contact *c = ns_scene_contacts(k->scene, &count);
  if (count > k->room) exit(71);
  k->p.nblocks = 0;
  for (int j = 0; j < count; j++) {
    int a = k->p.nblocks, body[2] = {k->collider[c[j].a].body, k->collider[c[j].b].body},
        flip = body[0] < 0;
    double e[3][3], *H = k->H + 36 * a;
    for (int d = 0; d < 3; d++) e[0][d] = flip ? -c[j].touch.n[d] : c[j].touch.n[d];
    if (flip) body[0] = body[1], body[1] = -1;
    ns_tangents3(e[0], e[1], e[2]);
    memset(H, 0, 36 * sizeof *H);
    for (int s = 0; s < 2 && body[s] >= 0; s++)
      rows_at(k, body[s], s ? -1 : 1, e, c[j].touch.p1, H + 6 * s);
    k->slot[j] = -1;
    if (c[j].touch.gap + step / 2 * approach(k, body, H) > 0) continue;
    k->slot[j] = k->p.nblocks++;
    k->row[a + 1] = 3 * (a + 1);
    k->mu[a] = friction;
    memcpy(k->body + 2 * a, body, sizeof body);
    for (int i = 0; i < 3; i++) k->r[3 * a + i] = c[j].was < 0 ? 0 : k->past[3 * c[j].was + i];
  }
}

static void remember(pile *k)
{
  int count;
  ns_scene_contacts(k->scene, &count);
  for (int j = 0; j < count; j++)
    for (int i = 0; i < 3; i++) k->past[3 * j + i] = k->slot[j] < 0 ? 0 : k->r[3 * k->slot[j] + i];
}

static void find(pile *k, ns_team *team, double *seconds)
{
  ns_ctx c = {0};
  double start = now();
  ns_scene_lend(k->scene, team);
  if (ns_scene_update(k->scene, &c, k->q, 1e-3 * radius)) exit(71);
  *seconds = now() - start;
}

static void number_along(pile *k)
{
  size_t n = (size_t)k->n;
  ns_keys_of_points(n, 3, k->q, 7, k->keyed);
  ns_keys_sort(n, k->keyed, k->keyed + n);
  for (int i = 0; i < k->n; i++) k->along[k->keyed[i].index] = i;
}

static void begin_step(pile *k, ns_team *team)
{
  find(k, team, &k->collision[team != NULL]);
  double start = now();
  for (int i = 0; i < 6 * k->n; i++) k->vfree[i] = k->v[i] - (i % 6 == 2) * step * gravity;
  number_along(k);
  problem(k);
  k->rows = now() - start;
}

static void end_step(pile *k)
{
  remember(k);
  for (int i = 0; i < k->n; i++) {
    double phi[3];
    for (int d = 0; d < 3; d++) phi[d] = step * k->v[6 * i + 3 + d];
    ns_axpy3(k->q + 7 * i, step, k->v + 6 * i, k->q + 7 * i);
    ns_quaternion_turn(k->q + 7 * i + 3, phi);
  }
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* How a step is solved, beside the way in which it goes on (the first). */
static const struct {
  double tol;
  int threads, cold;
} way[] = {{1e-4, 1, 0}, {1e-4, 2, 0}, {1e-6, 1, 0}, {1e-8, 1, 0}, {1e-4, 1, 1}, {1e-4, 2, 1}};
enum { WAYS = sizeof way / sizeof *way, WAYS_WIDE = 2 };

/* What one way took, the least of its steps; collision and rows stand in the first. */
typedef struct tally {
  double least, residual, collision[2], rows;
  int sweeps, unsolved;
  ns_multibody_solver *s;
} tally;

static ns_multibody_solver *solver(double tol, ns_team *team)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_multibody_options o = {.solver = "auto", .tol = tol, .max_iterations = SWEEPS, .team = team};
  if (ns_multibody_create(&c, &o, &s)) exit(71);
  return s;
}

/* r, v are written. Returns seconds. */
static double solve(pile *k, ns_multibody_solver *s, double *r, double *v, ns_outcome *out)
{
  ns_ctx c = {0};
  double start = now();
  if (ns_multibody_solve(s, &c, &k->p, r, v, k->u, out)) exit(71);
  return now() - start;
}

static void measure(pile *k, int w, tally *t, double *r, double *v)
{
  ns_outcome out;
  size_t bytes = 3 * (size_t)k->p.nblocks * sizeof *r;
  double spent = 0;
  for (int i = 0; i < REPEATS && spent < 0.1; i++) {
    if (way[w].cold) memset(r, 0, bytes);
    else memcpy(r, k->r, bytes);
    double seconds = solve(k, t->s, r, v, &out);
    spent += seconds;
    t->least = fmin(t->least, seconds);
  }
  if (out.iterations > t->sweeps) t->sweeps = out.iterations;
  if (out.residual > t->residual) t->residual = out.residual;
  t->unsolved += out.kind != NS_SOLVED;
}

/* ms of a phase on one thread and two, in us a contact on one. */
static void phase(const pile *k, const char *name, double one, double two)
{
  printf("  %-10s %9.2f ms %7.3f us/contact; two threads %9.2f ms, %.2f times as fast\n", name,
         1e3 * one, 1e6 * one / k->p.nblocks, 1e3 * two, one / two);
}

/* What a sphere takes, by its owners. */
static void memory(const pile *k, const ns_multibody_solver *s)
{
  size_t n = (size_t)k->n, m = (size_t)k->p.nblocks;
  /* q, v, inverse, vfree; H, b, r, u, past, mu */
  size_t bodies = 7 + 6 + 6 + 6, rows = 36 + 3 * 4 + 1;
  size_t of[] = {ns_scene_bytes(k->scene) / n, bodies * sizeof(double),
                 m * (rows * sizeof(double) + 4 * sizeof(int) + 1) / n, ns_multibody_bytes(s) / n};
  printf("  bytes a sphere, %.2f contacts each: scene %zu, bodies %zu, problem %zu, solver %zu; "
         "all %zu\n",
         (double)m / (double)n, of[0], of[1], of[2], of[3], of[0] + of[1] + of[2] + of[3]);
}

static void report(const pile *k, const tally *t)
{
  printf("%d spheres, %d contacts\n", k->n, k->p.nblocks);
  printf("   tol  threads  from      sweeps  residual       ms  us/contact  us/contact/sweep\n");
  for (int w = 0; w < WAYS; w++)
    if (t[w].least < 1e9)
      printf("  %5.0e  %5d   %-8s %6d   %8.1e %10.2f  %8.3f %12.4f%s\n", way[w].tol, way[w].threads,
             way[w].cold ? "nothing" : "the last", t[w].sweeps, t[w].residual, 1e3 * t[w].least,
             1e6 * t[w].least / k->p.nblocks, 1e6 * t[w].least / k->p.nblocks / t[w].sweeps,
             t[w].unsolved ? "  not solved" : "");
  double one = t->collision[0] + t->rows + t[0].least, two = t->collision[1] + t->rows + t[1].least;
  phase(k, "collision", t->collision[0], t->collision[1]);
  phase(k, "rows", t->rows, t->rows);
  phase(k, "solver", t[0].least, t[1].least);
  phase(k, "step", one, two);
  printf("  shares of a step to 1e-4: collision %.0f %%, rows %.0f %%, solver %.0f %%\n",
         100 * t->collision[0] / one, 100 * t->rows / one, 100 * t[0].least / one);
  memory(k, t[0].s);
  fflush(stdout);
}

/* `steps` to rest, then contacts of a few are timed, and more of them solved in the first ways. */
static void run(pile *k, int steps, int measured, int ways)
{
  tally t[WAYS];
  double seconds = 0, *r = need(3 * (size_t)k->room, sizeof *r),
         *v = need(6 * (size_t)k->n, sizeof *v);
  ns_team *two = ns_team_create(2);
  for (int w = 0; w < WAYS; w++)
    t[w] = (tally){.least = 1e9,
                   .collision = {1e9, 1e9},
                   .rows = 1e9,
                   .s = solver(way[w].tol, way[w].threads > 1 ? two : NULL)};
  for (int i = 0; i < steps + 2 * measured; i++) {
    ns_outcome out;
    ns_team *team = i % 2 ? two : NULL;
    begin_step(k, team);
    double start = now();
    if (i >= steps) {
      t->collision[i % 2] = fmin(t->collision[i % 2], k->collision[i % 2]);
      t->rows = fmin(t->rows, k->rows);
    }
    for (int w = 0; w < ways && i >= steps + measured && seconds < PATIENCE; w++)
      measure(k, w, &t[w], r, v);
    if (i >= steps) seconds += now() - start;
    solve(k, t[1].s, k->r, k->v, &out);
    end_step(k);
  }
  report(k, t);
  for (int w = 0; w < WAYS; w++) ns_multibody_destroy(t[w].s);
  ns_team_destroy(two);
  free(r);
  free(v);
}

static void run_all(int n, int layers, int steps, const int *times, int wider)
{
  pile k, wide;
  get(&k, n);
  place(&k, (int)ceil(layers ? sqrt((double)n / layers) : cbrt(n)));
  make_scene(&k);
  run(&k, steps, MEASURED, WAYS);
  for (int i = 0; i < wider; i++) {
    get(&wide, times[i] * n);
    mirror(&wide, &k, times[i]);
    make_scene(&wide);
    run(&wide, RELAX, MEASURED_WIDE, WAYS_WIDE);
    destroy(&wide);
  }
  destroy(&k);
}

int main(int argc, char **argv)
{
  int steps = 400, layers = 0, option, times[WIDER], wider = 0;
  while ((option = getopt(argc, argv, "bn:l:w:")) != -1)
    if (option == 'n') steps = atoi(optarg);
    else if (option == 'b') only_blocks = 1;
    else if (option == 'l') layers = atoi(optarg);
    else if (option == 'w' && wider < WIDER && atoi(optarg) > 0) times[wider++] = atoi(optarg);
    else return 2;
  if (optind == argc) run_all(1000, layers, steps, times, wider);
  for (; optind < argc; optind++)
    if (atoi(argv[optind]) > 0) run_all(atoi(argv[optind]), layers, steps, times, wider);
  return 0;
}
