/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_fixture.h -- rigid bodies that move as told, with shapes and contacts, to test output
 * without a simulation.
 *
 * Bodies 0 .. 4 carry a sphere, box, capsule, cylinder and pyramid (a hull, which body 5 shares);
 * the rest are spheres on a grid. Below all is a fixed plane, the last shape. Positions,
 * quaternions and contacts are those of scene_place and scene_contact. */
#ifndef NS_TESTS_SCENE_FIXTURE_H
#define NS_TESTS_SCENE_FIXTURE_H

#include "support/output_files.h"

enum { SCENE_MIN = 6 };

typedef struct scene {
  fixture f; /* its model, state and run are those of the scene */
  int n;     /* bodies; shapes are n + 1 */
  ns_system *systems;
  char (*id)[16];
  double *q, *v, *p;
  ns_shape shape[6];
  ns_polytope hull;
  ns_body_shape *shapes;
  ns_contact_record *contacts;
  ns_nonsmooth_law law[4];
} scene;

/* A square pyramid: base at z = -0.3, tip at 0.6. */
static const double pyramid_vertex[15] = {-0.4, -0.4, -0.3, 0.4,  -0.4, -0.3, 0.4, 0.4,
                                          -0.3, -0.4, 0.4,  -0.3, 0,    0,    0.6};
static const int pyramid_first[] = {0, 4, 7, 10, 13, 16};
static const int pyramid_loop[] = {3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};

static inline void scene_place(int i, int k, double q[7])
{
  double turn[3] = {0.01 * k * (i % 3), 0.02 * k, 0.3 * i}, p[4];
  q[0] = 1.5 * (i % 10) - 3;
  q[1] = 1.5 * (i / 10) - 1;
  q[2] = 0.5 + 0.02 * k + 0.1 * (i % 4);
  ns_quaternion_exp(turn, p);
  memcpy(q + 3, p, sizeof p);
}

/* Contacts of step k: as many as 0, 1, ..., 6, 0 ... */
static inline int scene_contacts(int k) { return k % 7; }

static inline ns_contact_record scene_contact(int n, int j, int k)
{
  ns_contact_record c = {.a = j % n,
                         .b = n,
                         .point = {j + 0.1, 0.2 * j, 1e-3 * k},
                         .normal = {0, 0, 1},
                         .gap = -1e-6 * (j + k),
                         .velocity = {0.1 * k, -0.2, sin(k)},
                         .impulse = {0.01 * j, 0.02, 0.1 + j},
                         .moment = {0, 0, 1e-3 * k}};
  return c;
}

static inline const ns_system_kind *kind_named(const char *name)
{
  for (int k = 0; ns_system_kinds[k]; k++)
    if (!strcmp(ns_system_kinds[k]->name, name)) return ns_system_kinds[k];
  ck_abort_msg("no kind %s", name);
}

static inline void scene_shapes(scene *s)
{
  static const char *const materials[] = {"steel", "wood"};
  s->hull = (ns_polytope){.nvertices = 5,
                          .nfaces = 5,
                          .vertex = (double *)pyramid_vertex,
                          .first = (int *)pyramid_first,
                          .loop = (int *)pyramid_loop};
  ns_shape_sphere(&s->shape[0], 0.5);
  s->shape[1] = (ns_shape){.kind = NS_SHAPE_BOX, .half = {0.5, 0.3, 0.2}};
  ns_shape_capsule(&s->shape[2], 0.25, 0.3);
  ns_shape_cylinder(&s->shape[3], 0.35, 0.4);
  s->shape[4] = (ns_shape){.kind = NS_SHAPE_HULL, .polytope = &s->hull};
  ns_shape_plane(&s->shape[5]);
  for (int i = 0; i <= s->n; i++)
    s->shapes[i] = (ns_body_shape){.id = i == 1 ? "crate" : NULL,
                                   .system = i < s->n ? i : -1,
                                   .turn = {1},
                                   .material = i % 2,
                                   .shape = i == s->n ? &s->shape[5]
                                            : i < 5   ? &s->shape[i]
                                            : i == 5  ? &s->shape[4]
                                                      : &s->shape[0]};
  s->shapes[1].at[2] = 0.125;
  s->f.model.contact = (ns_contact_model){.nshapes = s->n + 1,
                                          .shape = s->shapes,
                                          .nmaterials = 2,
                                          .material = materials,
                                          .law = s->law};
}

static inline void scene_init(scene *s, int n, double h, double T)
{
  memset(s, 0, sizeof *s);
  fixture_init(&s->f, h, T);
  s->n = n;
  s->systems = calloc((size_t)n, sizeof *s->systems);
  s->id = calloc((size_t)n, sizeof *s->id);
  s->shapes = calloc((size_t)n + 1, sizeof *s->shapes);
  s->q = calloc(19 * (size_t)n, sizeof *s->q);
  s->v = s->q + 7 * n;
  s->p = s->v + 6 * n;
  s->contacts = calloc(10000, sizeof *s->contacts);
  for (int i = 0; i < n; i++) {
    snprintf(s->id[i], sizeof s->id[i], "body%d", i);
    s->systems[i] = (ns_system){.at = {.id = s->id[i]},
                                .kind = kind_named("NewtonEulerDS"),
                                .n = 6,
                                .nq = 7,
                                .q = 7 * (size_t)i,
                                .v = 6 * (size_t)i};
  }
  s->f.model.systems = s->systems;
  s->f.model.nsystems = n;
  s->f.model.ninteractions = 0;
  s->f.model.nq = 7 * (size_t)n;
  s->f.model.nv = 6 * (size_t)n;
  s->f.model.nrows = 0;
  s->f.state.q = s->q;
  s->f.state.v = s->v;
  s->f.state.p = s->p;
  s->f.report = (ns_step_report){0};
  scene_shapes(s);
}

static inline void scene_fini(scene *s)
{
  free(s->systems);
  free(s->id);
  free(s->shapes);
  free(s->q);
  free(s->contacts);
}

/* Make and record step k. */
static inline int scene_step(scene *s, ns_ctx *c, ns_recorder *r, int k)
{
  s->f.t = k * s->f.model.sim.ts.h;
  s->f.step = k;
  for (int i = 0; i < s->n; i++) scene_place(i, k, s->q + 7 * i);
  for (int j = 0; j < scene_contacts(k); j++) s->contacts[j] = scene_contact(s->n, j, k);
  ns_recorder_step(r);
  int rc = ns_recorder_contacts(r, c, s->contacts, (size_t)scene_contacts(k));
  return rc ? rc : ns_recorder_row(r, c);
}

/* Steps 0 .. last to a file. */
static inline int write_scene(scene *s, ns_ctx *c, const char *path, int last)
{
  ns_recorder *r;
  int rc = open_recorder(&s->f, c, path, &r);
  for (int k = 0; k <= last && !rc; k++) rc = scene_step(s, c, r, k);
  int end = ns_recorder_close(r, c, &s->f.result);
  return rc ? rc : end;
}

#endif
