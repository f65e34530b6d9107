/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_job.h -- data and functions shared by the passes of the loader, load_*.c.
 *
 *   ns_tree_read        documents -> tree, checked by the language table    load_tree.c
 *   ns_load_parameters  named numbers                                       load_parameters.c
 *   ns_load_model       tree -> systems, interactions, options              load.c
 *
 * A <repeat> is walked, not copied. What does not depend on its indices (formulas, tapes, shapes of
 * an element) is compiled at the first visit and stored in ns_elem.made; each visit then evaluates
 * only what depends on the indices. */
#ifndef NS_IO_LOAD_LOAD_JOB_H
#define NS_IO_LOAD_LOAD_JOB_H

#include "base/suggest.h"
#include "expression/expression.h"
#include "io/load/load.h"
#include "io/load/load_tree.h"
#include "io/units.h"

#include <stdint.h>

enum {
  NS_REPEAT_DEPTH = 8,        /* <repeat> in <repeat> */
  NS_REPEAT_COLUMNS = 32,     /* of one table */
  NS_REPEAT_NAMES = 256,      /* indices and columns around an element */
  NS_INSTANCES_MAX = 2000000, /* systems and interactions, unless the options say otherwise */
  NS_ENTRIES_MAX = 1 << 26,   /* of one matrix */
  NS_ENTRIES_EACH = 128       /* of all values, for each instance that is allowed: 2 GB */
};

/* Shapes found so far (load_shapes.h), names of their materials and layers; names lie in the
 * model's arena. */
enum { NS_MATERIALS_MAX = 256, NS_LAYERS_MAX = 32 }; /* of them common */
typedef struct ns_shape_list {
  ns_body_shape *shape; /* malloced [n] */
  int n, nmaterials, nlayers;
  const char *material[NS_MATERIALS_MAX], *layer[NS_LAYERS_MAX];
  const struct ns_elem *meets[NS_LAYERS_MAX]; /* element that first names a layer in with= */
} ns_shape_list;

struct ns_load_name;     /* a parameter (load_parameters.c) */
struct ns_load_function; /* <function> or <table> (load_functions.c) */
struct ns_load_thing;    /* a system or interaction by id (load_ids.c) */
struct ns_load_declared; /* a system by id before it is made (load_foreign.c) */
struct ns_load_start;    /* a prescribed start (load_boundary.c) */
struct ns_load_kept;     /* an integral that the dynamics read (load_kept.h) */

typedef struct ns_load {
  ns_messages msg;   /* pass &l->msg.c to functions that can fail */
  ns_arena *nodes;   /* of the tree and the texts of files */
  ns_arena *scratch; /* of what is made of elements; lives as long as they are visited */
  ns_arena *graphs;  /* of formulas: empty between two of them */
  ns_arena *ids;     /* of things */
  ns_model *m;
  const ns_load_options *opt;
  const char *name; /* of the model's text, for messages */
  ns_plugins *plugins;
  ns_files files;
  ns_tree tree;
  ns_units *units;
  struct ns_load_name *names;
  const struct ns_load_function *functions; /* the last one */
  struct ns_load_thing *things;
  struct ns_load_declared *declared;
  int has_declared, ndeclared; /* systems are declared; the index of the next one */
  struct ns_load_kept *kept;
  int nnetlists;                     /* systems of netlists, which are made before the others */
  const struct ns_load_frame *frame; /* around what is visited (load_frame.h); NULL: none */
  ns_shape_list shapes;
  struct ns_load_change *changes; /* of the tree from outside, the newest first */
  long visits;                    /* of <repeat> elements, and their turns */
  int spent;                      /* too many of them: the walk has ended, reported */
  long instances, max;            /* systems and interactions, and their bound */
  long entries;                   /* of all values kept, at most NS_ENTRIES_EACH * max */
  int nan_said;                   /* a parameter is NaN for an error that has been reported */
  int has_units;                  /* a parameter or a state has a unit */
  int has_blocks;                 /* a <block> was met */
  long dimensioned; /* formulas whose units were looked at; contradictions: that were found */
  long contradictions;
  uint64_t contradicted[8];     /* digests of the last sentences about units */
  struct ns_load_start *starts; /* boundary conditions of systems without v0; NULL: none */
  int event_driven; /* relations need their second derivatives, what is read between steps
                             * has to be a state */
  /* interactions that refer to others are walked after these: level of the walk, 0 none, 1 to
   * joints, 2 to tendons, which may refer to joints */
  int refers;
  int referring;         /* highest level that was met */
  int ids_unknown;       /* an id could not be made: references to it are not faults */
  int functions_unknown; /* a table or a function could not be made: nor are calls of it */
  int names_unknown;     /* a system could not be made: nor are names of its state */
} ns_load;

/* Code of a function in which something has failed and was reported. */
static inline int ns_load_failed(const ns_load *l)
{
  return l->msg.c.rc == NS_NOMEM ? NS_NOMEM : NS_MODEL;
}

/* Values of the indices of the <repeat> elements around an element, and of the columns of their
 * tables. */
typedef struct ns_indices {
  int n, depth;                      /* depth: of <repeat> */
  const char *name[NS_REPEAT_NAMES]; /* i, i.radius */
  /* short name (radius), valid unless a coordinate has the same name; NULL: an index */
  const char *column[NS_REPEAT_NAMES];
  double value[NS_REPEAT_NAMES];
} ns_indices;

/* Rows that a <repeat> walks: a table, or a packing of balls. */
typedef struct ns_table {
  long n;
  int cols;
  const char *name[NS_REPEAT_COLUMNS], *column[NS_REPEAT_COLUMNS]; /* as above */
  const double *value;                                             /* [n x cols] by rows */
} ns_table;

/* ---- names in formulas (load_scope.c) -------------------------------------------------------- */

typedef struct ns_coordinate {
  const char *name;
  /* NS_BANK_Q: a coordinate, _V: a velocity with a name of its own, _Z: an input */
  int bank, k;
  int v;         /* entry of v that v_name means, -1: none */
  int of;        /* position of its system, where there are several */
  int ambiguous; /* two of them have that name */
} ns_coordinate;
/* For qsort and bsearch: by names. */
int ns_coordinate_order(const void *a, const void *b);

/* Variables of other systems that formulas of a value have named: entries of NS_BANK_FOREIGN. */
typedef struct ns_load_foreign {
  int n, cap;
  ns_foreign_variable *of; /* of the model's arena */
} ns_load_foreign;

/* In a scope of several systems a name may be id.name. */
typedef struct ns_load_scope {
  ns_load *l;
  const ns_indices *index; /* NULL: none */
  int first_order;         /* the state is x, its rate xdot; else q and v */
  int several;             /* scope of the systems of an interaction, not of one system */
  int interaction;         /* whose lambda[k] are the m multipliers, where the run reads them */
  int infinite;            /* inf is known */
  int suffixes;            /* numbers may be 1k, 10uF */
  int time;                /* t is known, also where there is no state */
  int observables;         /* those of the model are known: R1.v */
  /* sizes of q (n = 0: no state), of v (0: as q), of z and of lambda */
  int n, nv, nz, m;
  /* names of the state [nsorted], by strcmp; NULL: they have none */
  const struct ns_coordinate *sorted;
  int nsorted;
  unsigned uses; /* banks that are allowed, as ns_lang_item.uses */
  /* whose coordinates are known, as angle and v_angle; NULL: none */
  const ns_interaction *joint;
  const ns_body_force *force; /* whose coordinates are known, as length and rate; NULL: none */
  int joint_at, joint_rate;   /* where they and their rates begin in NS_BANK_JOINT */
  int law;                    /* slip and approach of a contact are known */
  int event;                  /* event.impulse, ... are known (model/measure.h) */
  /* id.name of any system is known, and goes there; NULL: it is not */
  ns_load_foreign *foreign;
  /* with it, multipliers of relations of first order: of the right-hand side of a system */
  int multipliers;
  const char *of_interaction; /* with them: whose lambda[k] is meant; NULL: id.lambda[k] */
  int mechanics;              /* of mechanics alone */
  /* names of the state of any system are known where they are of one alone: formulas of the run
   * that became formulas of the dynamics */
  int of_run;
  int inlined;     /* depth of formulas in formulas: outputs of blocks */
  int only_by_id;  /* names of the state are id.name alone: a formula of the run in another one */
  ns_graph *graph; /* set while a formula is read */
  /* whose names these are, or positions of several [nstack]; both NULL: of none */
  const ns_system *one;
  const int *stack;
  int nstack;
  /* of the formula to come (load_dimensions.h); NULL: nothing */
  const struct ns_expected *expected;
  unsigned long long by_id; /* set: systems that were named by their ids, 1 << min(of, 63) */
  /* set while a formula is read */
  char refused[64]; /* first name that was used though its bank is not allowed */
  char hint[200];   /* to be added to a message about an unknown name */
  int told;         /* such a name is of an element whose errors are reported */
} ns_load_scope;

/* A place in a model, converted to text only when there is a message, because this costs more than
 * reading most formulas. */
typedef struct ns_where {
  const ns_elem *e;
  const char *attribute; /* of e, NULL: e itself */
  const char *text;      /* used if e is NULL */
} ns_where;
enum { NS_WHERE = NS_AT + 80 };
typedef struct ns_where_place {
  char text[NS_WHERE];
} ns_where_place;
ns_where_place ns_where_text(const ns_where *w);

/* Check a name that formulas could mistake for another; NS_MODEL, reported. what: "coordinate",
 * "state", "input". */
int ns_load_coordinate_check(ns_load *l, const ns_elem *e, const ns_indices *index,
                             const char *what, const char *name);
/* Name j of a system's formulas, with entries of its own q, v, z: coordinates, velocities that have
 * names of their own, inputs. 0 beyond the last. */
int ns_load_name(const ns_system *y, int j, ns_coordinate *c);
/* Scope of the systems k[0..n) of an interaction, sampler or observable, with their names; memory:
 * l->scratch. index and uses are left to the caller. NS_NOMEM. */
int ns_load_scope_stack(ns_load *l, const int *k, int n, ns_load_scope *s);

/* ---- names of other systems (load_foreign.c) ------------------------------------------------- */
/* The known id that is most like this one: of a system or an interaction, made or declared; NULL:
 * there is none. */
const char *ns_load_foreign_suggest(ns_load *l, const char *id);
/* Hint which variables a system has: one that is made, or the element of one that is not. */
void ns_load_no_variable(ns_load_scope *s, const ns_system *made, const ns_elem *e, const char *id);
/* id.name or id.q[subscript]; UNKNOWN where it is none. */
ns_name ns_load_foreign_name(ns_load_scope *s, const char *name, size_t len, int subscript);
/* A formula of the run that is read as one of the dynamics: no state is its own. */
void ns_load_scope_of_run(ns_load_scope *s);
/* The nodes of another formula in the place of a name of the one that is read, at the values of its
 * own indices (NULL: none); of_run: as ns_load_scope. UNKNOWN, with a hint, where it is none. */
ns_name ns_load_formula_inside(ns_load_scope *s, const char *text, const ns_indices *index,
                               int of_run);
/* op was made of the nodes f by rows, one column or one row, and may use `names`; f NULL: of a
 * derivative. NS_NOMEM. */
struct ns_nodes;
int ns_load_foreign_attach(ns_load *l, ns_graph *g, const struct ns_nodes *f,
                           const ns_load_foreign *names, ns_operator *op);
/* The element that makes system k of the model, where that is not made yet; NULL: none is known. */
const ns_elem *ns_load_declared_element(const ns_load *l, int k);
/* Check, once all systems exist, that the entries exist. NS_MODEL, reported. */
int ns_load_foreign_check(ns_load *l);
/* The same of all, once joints and forces are made, which get their numbers. */
int ns_load_foreign_resolve(ns_load *l);
void ns_load_declared_fini(ns_load *l);

/* Where coordinates and rates of interaction k, a joint, begin in NS_BANK_JOINT of formulas of the
 * run. */
void ns_load_joint_place(const ns_load *l, int k, int *at, int *rate);
/* The same of length and force of force k, then of its rate and power. */
void ns_load_force_place(const ns_load *l, int k, int *at, int *rate);

/* Entries of a <vector> [*n]; *n = 0 and one NaN where it could not be evaluated; NULL: there is
 * none of that name. */
const double *ns_load_vector(const ns_load *l, const char *name, size_t len, int *n);
/* Its entry at the whole number that is not above the subscript, a node of g, NaN outside of it;
 * NS_NO_VECTOR, or another number < 0: out of memory. */
ns_node ns_load_vector_entry(const ns_load *l, ns_graph *g, const char *name, size_t len,
                             ns_node subscript);
/* Unit in which parameter `name` is written, NULL where it has none. */
const char *ns_load_parameter_unit(const ns_load *l, const char *name, size_t len);
/* Parse text[0..len) to a node of g. NS_MODEL (NS_USAGE where `at` is no element: an override),
 * reported, when it is no formula; s->refused tells whether it uses what s does not allow. */
int ns_load_formula(ns_load *l, ns_graph *g, ns_load_scope *s, const ns_where *at, const char *text,
                    size_t len, ns_node *out);

/* ---- numbers in attributes (load_numbers.c) -------------------------------------------------- */

/* A number that may depend on indices, compiled. */
typedef struct ns_scalar {
  double value;        /* where tape is NULL */
  const ns_tape *tape; /* of the indices */
  double *work;
} ns_scalar;
int ns_scalar_make(ns_load *l, const ns_where *at, const char *text, size_t len,
                   const ns_indices *index, ns_scalar *out);
double ns_scalar_get(const ns_scalar *s, const ns_indices *index);

/* The same, of a parameter of a law in an attribute, or a formula that a run evaluates: as `into`
 * says it goes to the model's list, *n grows by 1, and *s is in its range (load_law_values.c). */
struct ns_law_formula;
int ns_load_law_value(ns_load *l, const ns_where *at, const char *text, size_t len,
                      const ns_indices *index, const struct ns_law_formula *into, ns_scalar *s,
                      int *n);
/* Formulas of the law read slip or approach. */
int ns_load_law_speeds(const ns_load *l, const ns_nonsmooth_law *law);

/* Numbers in attribute `name` of e, as the entries of a row or column; inf where the range has it.
 * *s [*n] lies in l->scratch; *n = 0 where the attribute is absent. NS_MODEL, reported. */
int ns_load_attribute_list(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar **s, int *n);
/* The same, of a matrix too: row after row, each of *cols entries. */
int ns_load_attribute_rows(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar **s, int *n, int *cols);
/* As the list, of bounds of a law: entries may be formulas of the run, which go to the model's list
 * as `law` says, with their row. */
int ns_load_bounds_list(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                        struct ns_law_formula *law, ns_scalar **s, int *n, int *formulas);

/* A number in attribute `name` of e, checked against the table: whole, in range. *out is unchanged
 * if the attribute is absent. NS_MODEL, reported. */
int ns_load_attribute(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      double *out);
/* The same for an element that is visited once for each index: compiled before, checked at each
 * visit. */
int ns_load_attribute_make(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar *s);
int ns_load_attribute_check(ns_load *l, const ns_elem *e, const char *name, double x);

/* ---- parameters (load_parameters.c) ---------------------------------------------------------- */

int ns_load_parameters(ns_load *l);
void ns_load_parameters_fini(ns_load *l);
/* A parameter that is known already. name is borrowed. NS_NOMEM. */
int ns_load_parameter_put(ns_load *l, const char *name, double value);
/* Value of a parameter; NULL where there is none. */
const double *ns_load_parameter(const ns_load *l, const char *name, size_t len);
/* Element that defines the parameter, for messages; NULL if there is none. */
const ns_elem *ns_load_parameter_elem(const ns_load *l, const char *name, size_t len);
/* Parameter k, NULL beyond the last: for did-you-mean. */
const char *ns_load_parameter_name(const ns_load *l, int k);
/* Tables and functions, once parameters are known. NS_NOMEM; else NS_OK, what is wrong is reported.
 */
int ns_load_functions(ns_load *l); /* load_functions.c */
/* Whether a formula's error is that it calls a table or a function which stands before `until`
 * (NULL: anywhere) and could not be made: that has been reported. */
int ns_load_calls_faulty(const ns_load *l, const char *sentence, const ns_elem *until);
/* For ns_scope: arguments of a function of the model, 0: there is none of this name; its value;
 * function k, NULL beyond the last. */
int ns_load_function_arguments(const ns_load *l, const char *name, size_t len);
ns_node ns_load_function_call(const ns_load *l, ns_graph *g, const char *name, size_t len,
                              const ns_node *argument);
const char *ns_load_function_name(const ns_load *l, int k);
/* The value of a function of the model, to find its unit: `units` gives what replaces a parameter
 * (name of len bytes) and the value of a table. x, y: units of the arguments and of the value of
 * the table, as written; NULL: not given. */
typedef struct ns_load_units_of {
  void *to;
  ns_name (*parameter)(void *to, const char *name, size_t len);
  ns_node (*table)(void *to, ns_graph *g, const char *name, const char *const x[2], const char *y,
                   const ns_node *argument);
} ns_load_units_of;
ns_node ns_load_function_units(const ns_load *l, ns_graph *g, const char *name, size_t len,
                               const ns_node *argument, const ns_load_units_of *units);
/* The reason why `name` cannot name a parameter, index or coordinate; NULL: it can. */
const char *ns_load_bad_name(const char *name, size_t len);

/* ---- texts with indices (load_template.c) ---------------------------------------------------- */

/* A text such as bead{i+1}: literal pieces alternate with expressions; compiled once, evaluated at
 * each visit. */
typedef struct ns_template {
  int nexpr;
  const char **literal; /* [nexpr+1] */
  size_t *len;          /* [nexpr+1] */
  ns_scalar *expr;      /* [nexpr] */
} ns_template;
int ns_template_make(ns_load *l, const ns_elem *e, const char *attribute, const char *text,
                     size_t len, const ns_indices *index, ns_template *t);
enum { NS_ID_MAX = 200 };
/* Write the text to buf [NS_ID_MAX+1]. NS_MODEL (reported) if it is not a valid id. */
int ns_template_write(ns_load *l, const ns_elem *e, const ns_template *t, const ns_indices *index,
                      char *buf);
/* The same to a text of the model. */
int ns_template_id(ns_load *l, const ns_elem *e, const ns_template *t, const ns_indices *index,
                   const char **id);
/* The values of the indices, as numbers of the model for its formulas [n]; n = 0: *to stays as it
 * is. */
int ns_indices_keep(ns_load *l, const ns_indices *index, const double **to);

/* Combined result of parts that were read one after the other and have reported their errors: rc of
 * the last one if it is NS_NOMEM, which ends the reading; else NS_MODEL if bad (a part has
 * failed). */
static inline int ns_load_verdict(int rc, int bad)
{
  if (rc == NS_NOMEM) return rc;
  return bad ? NS_MODEL : NS_OK;
}

/* ---- walking (load_repeat.c) ----------------------------------------------------------------- */

/* Call visit for each child of e, and of the <repeat> elements in it for each index. A visit that
 * fails (reported) is not repeated for that element. Returns NS_OK, or NS_NOMEM. */
typedef int ns_visit(ns_load *l, ns_elem *e, const ns_indices *index);
int ns_load_walk(ns_load *l, ns_elem *e, ns_visit *visit);
/* Rows of the table or packing of a <repeat>; memory: l->scratch. NS_MODEL, reported. */
int ns_load_table(ns_load *l, const ns_elem *e, ns_table *r); /* load_table.c */
/* Dataset dataset= of e in the HDF5 file `real`; memory: l->scratch. NS_MODEL, reported. */
struct ns_hdf5_dataset;
int ns_load_hdf5(ns_load *l, const ns_elem *e, const char *real, struct ns_hdf5_dataset *t);
/* The numbers of file= of e, with dataset= where it is HDF5; malloced, by rows. *shown: its path in
 * messages. NS_MODEL, reported. */
int ns_load_matrix(ns_load *l, const ns_elem *e, double **value, int *rows, int *cols,
                   const char **shown);
/* Of the file `real`, named `shown` in messages (load_table_file.c): dataset= of HDF5, select= of a
 * result. */
int ns_load_dataset(ns_load *l, const ns_elem *e, const char *shown, const char *real, ns_table *r);
int ns_load_states(ns_load *l, const ns_elem *e, const char *shown, const char *real, ns_table *r);
/* The first line that is neither empty nor begins with #; *stop: its end. NULL: there is none. */
const char *ns_load_first_line(const char *p, const char *end, const char **stop);
/* 1 if a name can be that of one more column; NS_MODEL, reported. */
int ns_load_column_check(ns_load *l, const ns_elem *e, const char *shown, const ns_table *r,
                         const char *name, size_t len);
/* Names of columns="x y z", for a file or dataset that has none. NS_MODEL, reported. */
int ns_load_given_columns(ns_load *l, const ns_elem *e, const char *shown, int cols, ns_table *r);
int ns_load_packing(ns_load *l, const ns_elem *e, ns_table *r); /* load_packing.c */
/* Column `name` of index `index`, added to r. NS_NOMEM. */
int ns_load_column(ns_load *l, ns_table *r, const char *index, const char *name, size_t len);

/* Record in the model which attributes elements took from <defaults> (load_defaults.c). */
int ns_load_note_defaults(ns_load *l);

/* ---- ids (load_ids.c) ------------------------------------------------------------------------ */

/* Register the id of system or interaction k; NS_MODEL (reported) if it is already used. The id is
 * borrowed. */
int ns_load_id_add(ns_load *l, const ns_elem *e, const char *id, int is_system, int k);
/* Index of a system, -1 where there is none. */
int ns_load_id_system(const ns_load *l, const char *id);
/* Index of an interaction, -1 where there is none: then *near is an id near to it, or NULL. */
int ns_load_id_interaction(const ns_load *l, const char *id, const char **near);
/* An interaction of that name, or another id near to it; NULL. */
const char *ns_load_id_suggest(const ns_load *l, const char *id, int *is_interaction);
void ns_load_ids_fini(ns_load *l);

/* ---- ids in attribute systems (load_refs.c) -------------------------------------------------- */

typedef struct ns_refs {
  ns_template *system; /* [n] */
  int *last;           /* index of the system found before [n] */
  int n;
} ns_refs;
/* Ids in an attribute that is there. */
int ns_refs_make(ns_load *l, const ns_elem *e, const char *attribute, const ns_indices *index,
                 ns_refs *r);
/* Indices of the systems [r->n], of the model's arena; sums of their n and nz. id: of e, for
 * messages. NS_MODEL, reported. */
int ns_refs_get(ns_load *l, const ns_elem *e, ns_refs *r, const ns_indices *index, const char *id,
                const int **systems, int *nQ, int *nZ);
/* The system of entry i: its index; NS_WORLD where it is the word "world" and no system is called
 * so. NS_MODEL, reported. */
enum { NS_WORLD = -1 };
int ns_refs_body(ns_load *l, const ns_elem *e, ns_refs *r, int i, const ns_indices *index,
                 const char *of, int *system);

/* ---- systems (load_systems.c), interactions (load_interactions.c), controls (load_controls.c)
 * ---- */

ns_visit ns_load_system, ns_load_interaction, ns_load_control;
/* Tables of functions that a plug-in can return. */
typedef struct ns_plugin_kind {
  const char *name;                      /* "a law", for messages */
  const char *fill;                      /* macro of nssim/plugin.h that fills in abi and size */
  size_t size;                           /* of the table */
  const void *(*call)(void (*fn)(void)); /* call the function of the plug-in, by its type */
  const char *otherwise;                 /* what a model without plug-ins takes */
} ns_plugin_kind;
/* The table of the plug-in `spec` of an element, whose ABI and size are checked, in the model's
 * arena; NULL where nothing is named, which is told elsewhere if it is required. NS_PLUGIN,
 * reported (load_contact_laws.c). */
struct ns_plugged;
int ns_load_plugin_table(ns_load *l, const ns_elem *e, const char *spec, const ns_plugin_kind *kind,
                         const struct ns_plugged **out);
/* Forces between bodies, which are written among the interactions (load_forces.c). */
ns_visit ns_load_force;
/* Boundary conditions of system k, children of its element (load_boundary.c). NS_OK, also where
 * errors were reported, or NS_NOMEM. */
int ns_load_boundaries(ns_load *l, ns_elem *system, const ns_indices *index, int k);
/* Call once t0 is known: where v0 is not given, prescribed coordinates begin with their velocities
 * at t0. Plug-ins are not called before the run. NS_NOMEM. */
int ns_load_prescribed_starts(ns_load *l);

/* Builder of a relation or law: make is called once for the element, get fills in each interaction.
 * ns_elem.made belongs to the builder. When get is called, the systems of the interaction, nQ and
 * nZ are known; for a law also m, which is 0 if the relation has failed. */
typedef struct ns_load_builder {
  const char *element; /* of a relation */
  int (*make)(ns_load *l, ns_elem *e, const ns_indices *index);
  int (*get)(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
             ns_interaction *it);
} ns_load_builder;
/* of first-order systems, nonlinear of mechanics (load_relations.c); NULL-ended */
extern const ns_load_builder ns_load_relations[];
extern const ns_load_builder ns_load_lagrangian[]; /* linear of mechanics (load_lagrangian.c) */
extern const ns_load_builder ns_load_joints[];     /* of rigid bodies (load_joints.c) */
extern const ns_load_builder ns_load_laws[];       /* of laws, by ns_law_form (load_laws.c) */
/* numbers in attributes (load_contact_laws.c) */
int ns_numbers_make(ns_load *l, ns_elem *e, const ns_indices *index);
int ns_numbers_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                   ns_interaction *it);
int ns_piecewise_make(ns_load *l, ns_elem *e, const ns_indices *index); /* load_piecewise.c */
int ns_piecewise_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                     ns_interaction *it);
/* Relations on free coordinates of joints or on the length of a tendon: their systems are those of
 * the joints or of the tendon, which are already in the model. NS_MODEL, reported. */
int ns_load_joint_systems(ns_load *l, const ns_elem *relation, const ns_indices *index,
                          const char *id, ns_interaction *it);
/* Number of rows of a law that has been made; 0: the law does not fix it. */
int ns_load_law_rows(const ns_elem *law);
int ns_numbers_rows(const ns_elem *law);

/* ---- circuits (load_netlist.c, netlist.h) ---------------------------------------------------- */

/* Systems and interactions of all n <netlist>; t0 is that of `simulation`, which may be NULL. Those
 * that read each other's nodes and elements are one circuit and have one interaction. NS_OK, also
 * where errors were reported, or NS_NOMEM. */
int ns_load_netlists(ns_load *l, ns_elem *const *e, int n, const ns_elem *simulation);
/* Once all are read, and nothing else is observed: elements, nodes and events whose names several
 * netlists have get that of the netlist before theirs; ids of events are known then. e: the last
 * one, for messages. NS_OK or NS_NOMEM. */
int ns_load_netlists_named(ns_load *l, const ns_elem *e);

/* SI units by white space in an attribute of e, kept in the model: *out [n], left alone where it is
 * absent. NS_MODEL, reported (load_units.c). */
int ns_load_units(ns_load *l, const ns_elem *e, const char *attribute, int n,
                  const char *const **out);
/* A number with its unit in a text, "5 ms", or with a suffix, "5u", where numbers alone are
 * allowed: what to write instead, to `advice`; 0: there is none. Names of parameters are not units.
 * expected: the unit of the number, NULL: not known. */
int ns_load_unit_advice(ns_load *l, const ns_elem *e, const char *text, size_t len,
                        const char *expected, char *advice, size_t size);

/* ---- options (load_options.c) ---------------------------------------------------------------- */

/* Position of a word among the choices of attribute i, -1: reported. */
int ns_load_choice(ns_load *l, const ns_elem *e, const ns_lang_item *i, const char *text);
/* The same of an attribute of e, `otherwise` where e may not have it or it is not written. */
int ns_load_word(ns_load *l, const ns_elem *e, const char *attribute, int otherwise);
/* All options of <simulation> except those of its one-step problem. */
int ns_load_simulation(ns_load *l, const ns_elem *simulation);
/* The one-step problem: its default and its solvers are those of the family of the systems, which
 * are known then. */
int ns_load_problem(ns_load *l, const ns_elem *simulation);
int ns_load_output(ns_load *l, const ns_elem *output);
/* <observe> in it (load_observe.c). */
int ns_load_observe(ns_load *l, ns_elem *e);
/* Attributes systems= and interaction= of e: what formulas of a run read. */
int ns_load_reader(ns_load *l, const ns_elem *e, ns_observable *o);
/* Its value: a formula [1], or a condition [2] (expression.h). o->unit of a formula, where it is
 * NULL, is what its names tell. */
int ns_load_reading(ns_load *l, const ns_where *at, const char *text, int condition,
                    ns_observable *o);
/* Text of an attribute and the id of e (`otherwise` where none is written), noted as taken; both of
 * the model's arena. */
int ns_load_text(ns_load *l, const ns_elem *e, const char *attribute, const char **out);
int ns_load_own_id(ns_load *l, const ns_elem *e, const char *otherwise, const char **out);
/* Attribute every=, left alone where absent: long enough that its turns can be counted. */
int ns_load_every(ns_load *l, const ns_elem *e, double *every);
/* <integral> and <memory>: a measure, and an observable that shows its value. */
int ns_load_running(ns_load *l, ns_elem *e);
int ns_load_measures(ns_load *l, ns_elem *measures); /* load_measures.c; events are known then */
int ns_load_events(ns_load *l, ns_elem *events);     /* load_events.c */

/* ---- settings from outside (load_settings.c) ------------------------------------------------- */

/* Insert the settings of l->opt that name no parameter into the tree. NS_NOMEM; errors are
 * reported. */
int ns_load_settings(ns_load *l);
/* Remove them again. */
void ns_load_unset(ns_load *l);

/* Value of an attribute of <simulation> in the options; returns 0 if it is not among them. */
int ns_load_option_value(const ns_simulation_options *o, const ns_elem *e, const char *attribute,
                         double *value);

/* Finish the model m of a load that returned rc and pass it to *out, or destroy it; returns the
 * final code. m may be NULL if rc is an error. */
int ns_load_hand_over(ns_ctx *c, int rc, ns_model *m, ns_model **out);
/* Memory, files and the text of the model, *text where it is to be read; m: who owns what lasts. */
int ns_load_init(ns_load *l, ns_ctx *c, const char *path, const ns_load_options *opt,
                 ns_arena *lasts, ns_text *text, int read);
void ns_load_fini(ns_load *l);
/* Report an error if there is neither <systems> nor <netlist>. */
void ns_load_check_systems(ns_load *l);
/* Parameters, systems, ...: from the tree to l->m. */
int ns_load_build(ns_load *l);
/* Store what /model and /provenance of a result contain, except for the text. */
int ns_load_keep_sources(ns_load *l);

#endif
