/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene.h -- scenes of siconos.io.mechanics_run: an HDF5 file of shapes, bodies, laws and joints.
 *
 * scene_read.c makes this of the tree of the file (io/hdf5_tree.h), scene_shape.c knows shapes,
 * their margins and masses, scene_files.c meshes and height maps, scene_write.c the text of the
 * model; scene.c is the importer. The file tells nothing of what run() was given: step, end,
 * gravity are options with the defaults of run(). Lengths in m, masses in kg.
 *
 * The peer is what reads these files today: Siconos 4.4, whose shapes Bullet sees. */
#ifndef NS_IO_IMPORT_SCENE_H
#define NS_IO_IMPORT_SCENE_H

#include "base/arena.h"
#include "collision/shape.h"
#include "io/hdf5_tree.h"
#include "io/import/import.h"
#include "io/import/import_text.h"

#include <stdio.h>

typedef enum scene_kind {
  SCENE_SPHERE,
  SCENE_BOX,
  SCENE_CYLINDER,
  SCENE_CAPSULE,
  SCENE_CONE,
  SCENE_PLANE,
  SCENE_CONVEX,
  SCENE_MESH,
  SCENE_HEIGHTS,
  SCENE_DISK,
  SCENE_RECTANGLE,
  SCENE_POLYGON
} scene_kind;

typedef struct scene_shape {
  const char *name;
  const ns_hdf5_node *node;
  scene_kind kind;
  double size[3];          /* parameters of a primitive */
  int n;                   /* points of a hull, a polygon or a mesh */
  double *point;           /* [3 n], of the plane [2 n] counterclockwise */
  int ntriangles, *corner; /* of a mesh: places in point [3 ntriangles] */
  double inside, outside;  /* margins */
  double rounding;         /* of what is written: those that the file has, or all of them */
  double sides[2];         /* of a height map, along x and y */
  const char *file;        /* that it was written to, once it was */
  int solid; /* 1: the next four hold, for mass 1; 0: not looked at; -1: it has none */
  double volume, centre[3], inertia[9];
} scene_shape;

typedef struct scene_contactor {
  const char *name;
  scene_shape *shape;
  int group;
  double at[3], turn[4]; /* in body axes, from the centre of mass */
} scene_contactor;

typedef struct scene_object {
  const char *name, *id; /* id: of the model */
  int fixed;
  double x[3], q[4], v[6]; /* of the plane q is cos, 0, 0, sin of half the angle, v vx vy omega */
  double angle;            /* of the plane */
  double mass, inertia[9], birth, death; /* NAN where the file has none */
  int ninertia;                          /* 0: none; 1, 3 or 9 numbers */
  scene_contactor *contactor;
  int ncontactors;
} scene_object;

typedef enum scene_law_kind {
  SCENE_FRICTION,
  SCENE_ROLLING,
  SCENE_IMPACT,
  SCENE_FREMOND,
  SCENE_RELAY
} scene_law_kind;
extern const char *const ns_scene_laws[]; /* their names, by kind; ends with NULL */
typedef struct scene_law {
  const char *name;
  scene_law_kind kind;
  int group[2]; /* -1: of joints alone */
  double mu, mu_r, e, lb, ub;
} scene_law;

typedef enum scene_joint_kind {
  SCENE_KNEE,
  SCENE_PIVOT,
  SCENE_PRISMATIC,
  SCENE_CYLINDRICAL,
  SCENE_FIXED,
  SCENE_COUPLER
} scene_joint_kind;
typedef struct scene_joint {
  const char *name, *id;
  scene_joint_kind kind;
  const scene_object *body[2]; /* the second NULL: the world */
  double point[3], axis[3];
  int absolute;
  const ns_hdf5_value *stops, *coupled, *laws, *friction, *references; /* NULL: none */
} scene_joint;

typedef struct scene_boundary {
  const ns_hdf5_node *node;
  const char *type;
  const scene_object *body;
  int n, index[6];
  double value[4][6]; /* v; or a, b, omega, phi */
} scene_boundary;

typedef struct scene {
  ns_ctx *c;
  const ns_import_source *source;
  const ns_import_options *opt;
  ns_arena *a;
  const struct ns_hdf5_module *hdf5;
  ns_hdf5_node tree;
  int planar, bad;
  double h, T, theta, g; /* what run() was given */
  scene_shape *shape;
  scene_object *object;
  scene_law *law;
  scene_joint *joint;
  scene_boundary *boundary;
  int nshapes, nobjects, nlaws, njoints, nboundaries;
  ns_import_text text;
} scene;

/* Groups of the file, in the order of scene.tree.child. */
enum {
  SCENE_REF,
  SCENE_INPUT,
  SCENE_LAWS,
  SCENE_JOINTS,
  SCENE_CONDITIONS,
  SCENE_PERMANENT,
  SCENE_PLUGINS,
  SCENE_FUNCTIONS,
  SCENE_OPTIONS,
  SCENE_GROUPS
};

/* A fault of the file at an object "/data/input/ball"; the import goes on to find others. Returns
 * NS_MODEL. */
int ns_scene_fault(scene *s, const char *where, const char *name, const char *fmt, ...)
    NS_PRINTF(4, 5);
/* What was changed, guessed or left out: in the head of the model, and with `aloud` on stderr as a
 * warning. Once for equal texts. */
void ns_scene_note(scene *s, int aloud, const char *fmt, ...) NS_PRINTF(3, 4);
void *ns_scene_memory(scene *s, size_t n, size_t size); /* zeroed; NULL: reported */

/* An attribute, NULL where it is absent or without values, as None of Python. */
const ns_hdf5_value *ns_scene_attribute(const ns_hdf5_node *n, const char *name);
/* Numbers of 32 bits were written from decimals: the shortest that is the same number is meant. */
double ns_scene_meant(double x, int single);

/* From the tree; faults are reported and counted in `bad`. */
void ns_scene_read(scene *s);
const scene_law *ns_scene_law_find(const scene *s, const char *name);
const scene_joint *ns_scene_joint_find(const scene *s, const char *name);

/* <Box .../> at a place; of a body, or fixed with an id. Indented. */
void ns_scene_put_shape(scene *s, FILE *f, const scene_contactor *k, const scene_object *o,
                        const char *attributes);
/* Kind, numbers and points of each shape of the tree. */
void ns_scene_read_shape(scene *s, const ns_hdf5_node *n, scene_shape *to);
/* Inertia of a body that has none in the file, about its centre of mass [9]; 1: it is that of its
 * one shape, whose centre is there, and the model need not say it. 0: it was written to I. -1: none
 * can be told. */
int ns_scene_inertia(scene *s, const scene_object *o, double *I);

/* Points and triangles of a mesh from its text. */
int ns_scene_read_mesh(scene *s, scene_shape *k);
/* A mesh or height map as a file beside the model; its name in shape->file. */
void ns_scene_write_file(scene *s, scene_shape *shape);

void ns_scene_write(scene *s, FILE *f);
/* n numbers by blanks; buf [n * NS_IMPORT_DECIMAL]. */
const char *ns_scene_numbers(const double *x, int n, char *buf);
/* The same, of at most SCENE_NUMBERS, as an argument of printf. */
enum { SCENE_NUMBERS = 9 };
#define NUMBER(x) NS_IMPORT_DECIMAL_OF(x)
#define NUMBERS(x, n) ns_scene_numbers(x, n, (char[SCENE_NUMBERS * NS_IMPORT_DECIMAL]){0})
/* name="x", where x is finite. */
void ns_scene_put_attribute(FILE *f, const char *name, double x);

#endif
