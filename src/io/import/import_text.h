/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_text.h -- what importers of all formats write: the head of the model with its notes, ids,
 * numbers and texts of XML. */
#ifndef NS_IO_IMPORT_IMPORT_TEXT_H
#define NS_IO_IMPORT_IMPORT_TEXT_H

#include "base/arena.h"
#include "base/context.h"

#include <stdio.h>

/* What was changed, guessed or left out. */
typedef struct ns_import_note {
  const char *text;
  const char *lines; /* of the file, "3, 5", at most NS_IMPORT_LINES of them; NULL: of the whole */
  int nlines;
} ns_import_note;
enum { NS_IMPORT_LINES = 8 };

typedef struct ns_import_text {
  ns_ctx *c;
  ns_arena *a;
  const char *path;     /* of the file */
  ns_import_note *note; /* malloced [nnotes] */
  const char **id;      /* given so far; malloced [nids] */
  int nnotes, nids;
} ns_import_text;
void ns_import_text_fini(ns_import_text *t);

/* Add a note; the same text at several lines ("3", "included 5"; NULL: none) is one. Returns
 * whether it is new; failures are reported. */
int ns_import_add_note(ns_import_text *t, const char *line, const char *text);

int ns_import_has_id(const ns_import_text *t, const char *id);
/* A copy of the id, which is then given; NULL: out of memory, reported. */
const char *ns_import_add_id(ns_import_text *t, const char *id);

/* The beginning of the model: "Imported from FILE, <what>." in a comment that is then open. */
void ns_import_begin_head(const ns_import_text *t, const char *what, FILE *f);
/* The notes, and the end of that comment. */
void ns_import_end_head(const ns_import_text *t, FILE *f);
/* <model>, with the name of the file, up to its first dot, unless it has none. */
void ns_import_open_model(const ns_import_text *t, FILE *f);
/* The whole text: the head, which is written once all notes are known, and the body, which ends it.
 * *out is malloced, NULL where memory ended, reported. */
int ns_import_join(const ns_import_text *t, void (*head)(void *self, FILE *f), void *self,
                   const char *body, char **out);

/* Text of an element or an attribute. */
void ns_import_put_xml(FILE *f, const char *text);
void ns_import_put_xml_byte(FILE *f, char c);
/* Text of a comment, which holds no two hyphens in a row: the first becomes U+2011, which looks the
 * same. */
void ns_import_put_comment(FILE *f, const char *text);
void ns_import_put_title(FILE *f, const char *title);

enum { NS_IMPORT_DECIMAL = 40 };
/* The shortest decimal text that reads as x again; buf [NS_IMPORT_DECIMAL] is returned. */
const char *ns_import_decimal(double x, char *buf);
/* The same as an argument of printf. */
#define NS_IMPORT_DECIMAL_OF(x) ns_import_decimal(x, (char[NS_IMPORT_DECIMAL]){0})

#endif
