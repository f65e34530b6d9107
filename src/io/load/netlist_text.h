/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_text.h -- text in the notation of SPICE, of netlists and of decks: its lines without
 * comments, continuations joined, those of included files in their place; and name=value in them.
 *
 * A line that begins with * or # is a comment, and so is what stands behind a ; in a line. A line
 * that begins with + continues the one before it. Text that is not UTF-8 is read as ISO-8859-1.
 *
 * A deck, of ngspice, has further notation: its first line is a title, $ behind a blank begins a
 * comment, capitals are small letters, .lib FILE SECTION includes the lines of a section, and
 * .control ... .endc has commands, which are left out. */
#ifndef NS_IO_LOAD_NETLIST_TEXT_H
#define NS_IO_LOAD_NETLIST_TEXT_H

#include "io/load/load_files.h"

typedef struct ns_netlist_line {
  char *text;
  const char *file; /* as shown in messages */
  int number;       /* in its file */
  /* in a netlist, of a .repeat or .subckt: index of the line that ends it; of any: index of the
   * .subckt that it stands in, -1: none */
  int end, inside;
} ns_netlist_line;

typedef struct ns_netlist_text {
  ns_ctx *c;
  ns_files *files;
  ns_arena *a;        /* of the text of lines */
  const char *folder; /* of all files that are included; NULL: files are found from the one that
                         names them */
  int is_deck;
  /* Makes a line the one in hand, and returns what messages about it begin with. */
  const char *(*place)(void *of, const char *file, int line);
  /* What was done with the line in hand; may be NULL. */
  void (*note)(void *of, const char *what);
  void *of;
  ns_netlist_line *line; /* malloced [n] */
  int n;
  const char *title; /* of a deck */
  int bad;           /* errors were reported */
  const char *file;  /* in hand */
  int at, depth;     /* line of it; files in files */
} ns_netlist_text;

/* Add the lines of a text up to .end. It begins in line `number` of t->file, which is in dir.
 * NS_NOMEM or NS_OK. */
int ns_netlist_text_read(ns_netlist_text *t, const char *text, int number, const char *dir);

/* Without blanks at its ends, in place; 1 if the line is this directive. */
char *ns_netlist_trimmed(char *s);
int ns_netlist_is_directive(const char *s, const char *name);

/* The first `key =` of a text at a word's begin, that is no comparison; its end to *end. NULL:
 * none. */
const char *ns_netlist_option(const char *text, const char **end);

/* key[0..n) = value[0..length), without blanks about them, and all that may follow. */
typedef struct ns_netlist_pair {
  const char *key, *value;
  size_t n, length;
} ns_netlist_pair;

/* The first key=value of *s, which then stands behind it. 0: there is none. */
int ns_netlist_next_pair(const char **s, ns_netlist_pair *p);

#endif
