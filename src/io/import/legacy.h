/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy.h -- SiconosModel files of 2005 to 2014: what the parts of their importer share.
 *
 * Eight forms of these files followed each other, tag by tag, and files mix them. So nothing asks
 * for a form: every spelling of a thing stands in a table (legacy_words.c), and the union of all is
 * read. Only the signature of plug-ins, of which nothing else tells, is guessed from the form
 * (legacy_abi.c).
 *
 *   frame, time, notes         legacy.c
 *   elements, numbers, files   legacy_value.c
 *   systems                    legacy_system.c
 *   relations and laws         legacy_interaction.c
 *   time-stepping, events      legacy_simulation.c
 *
 * The file is from outside: sizes it claims are held against what it holds before anything is made
 * of them. */
#ifndef NS_IO_IMPORT_LEGACY_H
#define NS_IO_IMPORT_LEGACY_H

#include "base/arena.h"
#include "io/import/import.h"
#include "io/import/import_text.h"
#include "io/load/load_messages.h"

#include <libxml/tree.h>
#include <stdio.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* A list of spellings, by blanks, and what they mean today. */
typedef struct ns_legacy_word {
  const char *old, *now;
  enum { NS_LEGACY_OTHER, NS_LEGACY_IMPACT, NS_LEGACY_FRICTION } law; /* of laws alone */
} ns_legacy_word;

/* A value of an element: where it stands in the old file, and where it goes. */
typedef struct ns_legacy_slot {
  const char *of;  /* elements of today that have it, by blanks */
  const char *old; /* spellings of the old one, by blanks */
  int part; /* 0: the element itself, k: the k-th <matrix> in it, or itself where k = 1 and it has
               none */
  const char *now; /* name of the value */
  int matrix;
} ns_legacy_slot;

/* All tables end with a row of NULL. */
extern const ns_legacy_word ns_legacy_systems[], ns_legacy_relations[], ns_legacy_laws[],
    ns_legacy_integrators[], ns_legacy_problems[];
extern const ns_legacy_slot ns_legacy_system_slots[], ns_legacy_relation_slots[],
    ns_legacy_law_slots[];
/* Elements without effect on results, and those that are read elsewhere, by blanks. */
extern const char *const ns_legacy_ignored[], *const ns_legacy_known;

/* 1: `word` is in a list by blanks. */
int ns_legacy_has(const char *list, const char *word);
/* Row of a spelling, NULL where there is none. */
const ns_legacy_word *ns_legacy_find(const ns_legacy_word *list, const char *old);

/* ---- the import ------------------------------------------------------------------------------ */

typedef struct ns_legacy_system {
  const xmlNode *node;
  const ns_legacy_word *kind; /* NULL: unknown, reported */
  const char *id;
  int number, n; /* n: length of q or x; number: -1 where it has none */
  int called;    /* plug-ins are called with its z */
  int integrated;
  double theta;
  const char *old_name; /* Name or Id, trimmed; "" where none */
} ns_legacy_system;

typedef struct ns_legacy {
  ns_messages msg; /* give &msg.c to what may fail */
  const ns_import_source *source;
  const ns_import_options *opt;
  ns_arena *a;
  xmlDoc *doc;
  const xmlNode *root;
  FILE *out; /* the model, from <systems> on */
  ns_legacy_system *system;
  int nsystems;
  int laws, impacts, frictions; /* interactions, with which law */
  double t0, T;                 /* T: NaN where there is none */
  const char *dir, *form;       /* folder of the file; signature that its form suggests */
  int guessed;                  /* that was needed */
  ns_import_text text;
} ns_legacy;

enum { NS_LEGACY_ENTRIES = 1 << 22 }; /* most of one value */

/* Report a fault at x (NULL: of the file); NS_MODEL. */
int ns_legacy_fail(ns_legacy *l, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
/* A comment at the head of the model; the same text at several places is one. */
void ns_legacy_note_at(ns_legacy *l, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
/* The same, and a warning. */
void ns_legacy_warn(ns_legacy *l, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
/* Unique name made of `name`, or of `otherwise` and a number; arena. NULL: out of memory, reported.
 */
const char *ns_legacy_id(ns_legacy *l, const xmlNode *x, const char *name, const char *otherwise,
                         int number);

/* ---- elements and values (legacy_value.c) ---------------------------------------------------- */

const char *ns_legacy_name(const xmlNode *x);
/* First child element with one of the names, by blanks; NULL where there is none, or x is NULL. */
const xmlNode *ns_legacy_child(const xmlNode *x, const char *names);
const xmlNode *ns_legacy_next(const xmlNode *x); /* next element beside it, of any name */
const xmlNode *ns_legacy_first(const xmlNode *x);
/* Attribute or text inside, trimmed; of the arena, "" where there is none. */
const char *ns_legacy_attribute(ns_legacy *l, const xmlNode *x, const char *name);
const char *ns_legacy_text(ns_legacy *l, const xmlNode *x);
/* What x is called: its name, with its type where that tells: "LagrangianRelation/Linear",
 * "LagrangianTIDS" of <DS type=>. */
const char *ns_legacy_called(ns_legacy *l, const xmlNode *x);
/* number=, -1 where there is none (or it is no positive integer, reported). */
int ns_legacy_number(ns_legacy *l, const xmlNode *x);
/* Name=, Id= or <Id>, "" where there is none. */
const char *ns_legacy_label(ns_legacy *l, const xmlNode *x);
/* One number; NaN where there is none, x is NULL or a fault was reported. */
double ns_legacy_real(ns_legacy *l, const xmlNode *x);
/* A positive whole number, or `otherwise`. */
int ns_legacy_count(ns_legacy *l, const xmlNode *x, int otherwise);

/* A value of the file, by rows. */
typedef struct ns_legacy_value {
  int rows, cols;
  int matrix;
  double *entry;      /* [rows x cols] of the arena; NULL: plug-in */
  const char *plugin; /* "Lib:function" */
} ns_legacy_value;
/* NS_MODEL: reported. */
int ns_legacy_read(ns_legacy *l, const xmlNode *x, int matrix, ns_legacy_value *v);
/* <now>1 0 0</now> and the like, at `depth`; zero values but those of `keep` are left out. */
void ns_legacy_write(ns_legacy *l, int depth, const char *now, const ns_legacy_value *v,
                     const char *abi, int keep);
/* Numbers or names by blanks: the word at *p, which moves on; NULL at the end. */
char *ns_legacy_token(char **p);

/* 1: a plug-in is named anywhere in x. */
int ns_legacy_calls_plugin(const xmlNode *x);
/* Fewer or more entries than a size says: a fault (NS_MODEL), with --recover a warning. */
int ns_legacy_miscount(ns_legacy *l, const xmlNode *x, int n, int want);
/* Report children that nobody reads, but for `taken` (names by blanks). */
void ns_legacy_leftover(ns_legacy *l, const xmlNode *x, const char *taken);

/* ---- signatures of plug-ins (legacy_abi.c) --------------------------------------------------- */

/* The form that the file as a whole suggests. */
const char *ns_legacy_form(ns_legacy *l);
/* Of a function for a value of an element of today; and its place: "plugins/Lib:fn" where Lib is
 * there. */
const char *ns_legacy_abi(ns_legacy *l, const xmlNode *x, const char *element, const char *value,
                          const char **plugin);

/* ---- parts ----------------------------------------------------------------------------------- */

/* Find the systems, their sizes and names. */
void ns_legacy_find_systems(ns_legacy *l);
void ns_legacy_write_systems(ns_legacy *l);
void ns_legacy_write_interactions(ns_legacy *l);
void ns_legacy_write_simulation(ns_legacy *l);
/* Systems that <DS_Concerned> of x names: their positions to *at [*n] (arena), by number where they
 * are named by it. */
int ns_legacy_concerned(ns_legacy *l, const xmlNode *x, int **at, int *n);

#endif
