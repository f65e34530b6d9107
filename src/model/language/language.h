/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language.h -- the model language as one table: elements, attributes, values, defaults, help.
 *
 * The parser (io/load/load.h) checks files against this table; the schema, the manual pages
 * nssim-model(5) and nssim-study(5), and `nssim explain` are generated from it (language_xsd.c,
 * language_man.c, language_explain.c). A new element needs a row in one of the tables
 * (language_tables.h) and, if it creates an object of the model, a builder in io/load.
 *
 * All tables are constant and end with a row whose name is NULL. Texts are static. */
#ifndef NS_MODEL_LANGUAGE_LANGUAGE_H
#define NS_MODEL_LANGUAGE_LANGUAGE_H

#include "model/operator.h"

#include <stddef.h>
#include <stdio.h>

#define NS_LANG_NAMESPACE "urn:nssim:model:1"
#define NS_LANG_XINCLUDE "http://www.w3.org/2001/XInclude"
#define NS_LANG_MANY (-1) /* no upper bound */

typedef enum ns_lang_group {
  NS_LANG_PART, /* parts of a model: <model>, <parameter>, <repeat>, ... */
  NS_LANG_SYSTEM,
  NS_LANG_RELATION,
  NS_LANG_LAW,
  NS_LANG_FORCE, /* between bodies */
  NS_LANG_SHAPE, /* shapes of rigid bodies and of the world */
  NS_LANG_STRATEGY,
  NS_LANG_INTEGRATOR,
  NS_LANG_FLOW,    /* integrator between events */
  NS_LANG_PROBLEM, /* one-step problem */
  NS_LANG_CONTROL, /* children of <control> */
  NS_LANG_OUTPUT,
  /* parts of a study: <study>, <override>; elements of the groups from here on are not in models */
  NS_LANG_STUDY,
  NS_LANG_AXIS,
  NS_LANG_DISTRIBUTION,
  NS_LANG_GROUPS
} ns_lang_group;
/* "system", "relation", "one-step problem", ... */
const char *ns_lang_group_text(ns_lang_group g);

typedef enum ns_lang_type {
  NS_LANG_TEXT,     /* any text */
  NS_LANG_NAME,     /* letters, digits, _ */
  NS_LANG_NAMES,    /* names separated by white space */
  NS_LANG_ID,       /* letters, digits, _ and -; may hold {expression} in a <repeat> */
  NS_LANG_IDS,      /* ids separated by white space */
  NS_LANG_INTEGER,  /* expression of parameters and indices with a whole value */
  NS_LANG_REAL,     /* expression of parameters and indices */
  NS_LANG_ENUM,     /* one of `choices` */
  NS_LANG_PATTERNS, /* id.quantity with * and ?, separated by white space */
  NS_LANG_FILE,     /* path, relative to the file in which it is written */
  NS_LANG_VECTOR,   /* from here on only for child elements with a value */
  NS_LANG_MATRIX,
  NS_LANG_TYPES
} ns_lang_type;
const char *ns_lang_type_text(ns_lang_type t);

/* Forms of a vector or matrix. */
typedef enum ns_lang_form {
  NS_LANG_FORM_TEXT = 1,
  NS_LANG_FORM_DIAG = 2,
  NS_LANG_FORM_FILE = 4,
  NS_LANG_FORM_PLUGIN = 8,
  NS_LANG_FORM_BAND = 16
} ns_lang_form;
/* The attributes of the forms: "diag", "file", "plugin", "band", k = 0, 1, ...; form = 2 << k. Then
 * attributes that are used together with one of them: "abi" with plugin=, for earlier argument
 * lists (plugin_form.h); "dataset" with file=, for HDF5. */
enum {
  NS_LANG_FORM_ATTRIBUTES = 4,
  NS_LANG_ABI = NS_LANG_FORM_ATTRIBUTES,
  NS_LANG_DATASET,
  NS_LANG_VALUE_ATTRIBUTES
};
extern const char *const ns_lang_form_names[NS_LANG_VALUE_ATTRIBUTES];

/* An attribute, or a child element with a value: <fExt>-m*g 0 0</fExt>. */
typedef struct ns_lang_item {
  const char *name;
  ns_lang_type type;
  int required;
  const char *initial; /* default, as written in a file or in words; NULL: none */
  const char *range;   /* of a number: "[0, 1]", "(0, inf)"; NULL: any finite one */
  const char *choices; /* of an ENUM, separated by blanks */
  const char *word;    /* word that may be written instead of a number ("none") */
  const char *unit;    /* NULL: none, or those of the coordinates */
  const char *help;    /* one line */
  const char *example; /* example for messages about a missing value */
  /* vectors and matrices */
  const char *rows, *cols; /* symbols of the dimensions; cols NULL for a vector */
  unsigned forms;          /* ns_lang_form */
  /* 1 << ns_bank of each bank a formula may read; 0: parameters and indices only */
  unsigned uses;
  ns_signature signature; /* of the plug-in */
  int first_order;        /* 1: formulas name the banks Q and V x and xdot */
  /* attributes of a value, in addition to those of its forms; NULL: none */
  const struct ns_lang_item *attributes;
} ns_lang_item;

/* A child that an element may have. */
typedef struct ns_lang_child {
  const char *name;    /* name of an element; NULL: any of `group` */
  ns_lang_group group; /* used if name is NULL */
  int min, max;        /* max: NS_LANG_MANY; a row with max 0 ends the list */
} ns_lang_child;

typedef struct ns_lang_element {
  const char *name;
  ns_lang_group group;
  const char *help; /* one line */
  const char *text; /* one or more paragraphs, separated by empty lines; NULL: only `help` */
  const char *more; /* continuation of a long text; NULL: none */
  const char *example;
  const ns_lang_item *attributes, *values; /* may be NULL */
  const ns_lang_item *content;             /* text content of the element; NULL: none */
  const ns_lang_child *children;           /* may be NULL */
} ns_lang_element;

/* Element k of the language, in the order of the reference page; NULL beyond the last. */
const ns_lang_element *ns_lang_at(int k);
/* NULL if there is none. */
const ns_lang_element *ns_lang_find(const char *name);
const ns_lang_item *ns_lang_attribute(const ns_lang_element *e, const char *name);
const ns_lang_item *ns_lang_value(const ns_lang_element *e, const char *name);
/* Find an item in a list that ends with a row whose name is NULL; NULL if there is none. */
const ns_lang_item *ns_lang_item_find(const ns_lang_item *list, const char *name);
/* The row of e->children that permits `child`; NULL: not permitted. */
const ns_lang_child *ns_lang_allows(const ns_lang_element *e, const ns_lang_element *child);
/* Most similar name of an element, for a did-you-mean; NULL if none is similar. */
const char *ns_lang_suggest(const char *name);
/* 1 if x is in a range such as "[0, 1)" or "(0, inf)"; range NULL: 1 for any finite x. */
int ns_lang_in_range(const char *range, double x);
/* 1 if a value may have attribute k of ns_lang_form_names. */
int ns_lang_has_form(const ns_lang_item *value, int k);
/* Shape in words, "matrix of n x n" or "vector of m", otherwise the type, written to buf [size];
 * returns buf. */
const char *ns_lang_shape(const ns_lang_item *i, char *buf, size_t size);
/* Variables that a formula may read besides parameters and indices, "t, x, z"; "" for none. */
const char *ns_lang_uses(const ns_lang_item *i, char *buf, size_t size);

/* The schema nssim.xsd. */
void ns_lang_print_xsd(FILE *f);
/* The page nssim-model(5) or, of the elements below <study>, nssim-study(5); roff. */
void ns_lang_print_man(FILE *f, const char *version, const char *date);
void ns_lang_print_study_man(FILE *f, const char *version, const char *date);
/* Print an overview by groups. */
void ns_lang_print_overview(FILE *f);
/* Print one element, or one of its attributes or values (item not NULL). */
void ns_lang_print_element(FILE *f, const ns_lang_element *e, const ns_lang_item *item);
/* Print the attributes and values of this name, each distinct one once, with the elements that have
 * it; returns the number of elements. */
int ns_lang_print_items(FILE *f, const char *name);
/* The same as JSON; e NULL: all elements. Returns 0, or -1: out of memory. */
int ns_lang_print_json(FILE *f, const ns_lang_element *e, const ns_lang_item *item);

/* Hand-written sections of the reference page; ends with a NULL title. */
typedef struct ns_lang_section {
  const char *title;
  const char *text; /* paragraphs separated by empty lines; indented lines are shown verbatim */
  int before;       /* 1: before the elements, 0: after */
} ns_lang_section;
extern const ns_lang_section ns_lang_prose[], ns_lang_study_prose[];

#endif
