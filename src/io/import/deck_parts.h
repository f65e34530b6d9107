/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deck_parts.h -- private to deck*.c: decks of ngspice, netlists with devices by .model, and .tran.
 *
 * Their lines are read as those of netlists (netlist_text.h), and keep their order; names are in
 * small letters, as ngspice reads them. Lines of included files stand where they are included:
 * models and subcircuits of a library are those of the deck.
 * Devices become ideal ones, by what their models say of thresholds and resistances:
 *
 *   D  (BV)             D vf=VFWD ron=RON or RS, with BV or VREV a Z of that voltage
 *   S  SW(VT VH RON ROFF)   S v(c,d) on=VT+VH off=VT-VH;   W  CSW(IT IH ...)   S i(V)
 *   S  VSWITCH(VON VOFF)    S v(c,d) on=VON off=VOFF
 *   M  NMOS, PMOS, VDMOS(VTO RON)   M d g s VTO ron=RON, or RD + RS and that of the channel of
 *      level 1 near v(d,s) = 0, 1/(KP W/L (drive - VTO)), at the largest voltage of a source
 *   Q  NPN, PNP   Q c b e 0.6, -0.6
 *
 * .func becomes a <function>; nodes of .global are further nodes of each .subckt and of its calls.
 * (Vogt, Atkinson, Nenzi: ngspice user's manual, ch. 2 to 7.) What became of each model stands in
 * the head of the result; analyses that it has no use for are named there. A device that it cannot
 * say is an error at its line: without it the circuit would be another one. The result is loaded:
 * what it then has of errors is told at the lines of the deck.
 *
 *   deck_text.c      words of a line; names, numbers and formulas as a netlist has them
 *   deck_elements.c  elements, and the models that they name
 *   deck.c           directives; the importer, and the model that it writes */
#ifndef NS_IO_IMPORT_DECK_PARTS_H
#define NS_IO_IMPORT_DECK_PARTS_H

#include "base/text_stream.h"
#include "io/import/import.h"
#include "io/import/import_text.h"
#include "io/load/load_files.h"
#include "io/load/netlist.h"

#include <stdio.h>

enum { NS_DECK_WORDS = 4000, NS_DECK_PARAMETERS = 60 }; /* of a line, of a model */

typedef struct ns_deck_model {
  const char *name, *type;
  const char *key[NS_DECK_PARAMETERS], *value[NS_DECK_PARAMETERS];
  const char *file;
  int n, line, used;
} ns_deck_model;

/* The lines of the deck that lines of the result come from. */
typedef struct ns_deck_origins {
  struct {
    const char *file;
    int line;
  } * of; /* malloced [n] */
  int n;
  size_t size; /* bytes of the result so far */
} ns_deck_origins;

typedef struct ns_deck {
  ns_ctx *c;
  const ns_import_source *source;
  ns_files files;
  ns_arena *a;
  ns_netlist_text text; /* its lines, and its title */
  ns_deck_model *model; /* [nmodels] */
  int nmodels;
  const char **global; /* nodes of .global [nglobals] */
  int nglobals;
  char **word; /* of the line in hand [nwords], in `words` */
  int nwords;
  char *words;
  FILE *body, *functions, *notes;
  ns_text_stream netlist_stream, function_stream; /* of body and functions */
  char *netlist, *function;                       /* what these have been given, malloced */
  ns_deck_origins in_netlist, in_functions;
  const char *step, *stop, *max; /* of .tran; NULL: not given */
  double drive;                  /* V, the largest number of a voltage source; 0: there is none */
  struct deck_name *names;       /* uthash */
  const char *file;              /* in hand: as shown in messages */
  int at, uic, bad;              /* at: line of it */
  int has_line;                  /* the element in hand has begun a line of the result */
  char place[240];               /* of the line in hand, for messages */
} ns_deck;

/* ---- deck_text.c: words of the line in hand, and what is put into the result ---- */

/* Makes a line the one in hand; what messages about it begin with. */
const char *ns_deck_place(ns_deck *d, const char *file, int line);
/* An error at the line in hand; the translation goes on, without a result. Returns NS_MODEL. */
int ns_deck_fail(ns_deck *d, const char *fmt, ...) NS_PRINTF(2, 3);
/* What has become of the line in hand, for the head of the result. */
void ns_deck_note(ns_deck *d, const char *fmt, ...) NS_PRINTF(2, 3);
/* A word ends at a blank outside of parentheses, braces and quotes; blanks about = go, and those
 * before (. NS_NOMEM. */
int ns_deck_cut_words(ns_deck *d, const char *s);
/* Commas and parentheses about the nodes of an element become blanks: R1 (a,b) 1k. */
void ns_deck_open_nodes(char *s);
/* Value of key= among the words from `first` on; NULL: it is not there. */
const char *ns_deck_option(const ns_deck *d, int first, const char *key);
/* Words that are no options, from the first on. */
int ns_deck_plain_words(const ns_deck *d);
/* Note the options that nobody has read: those of neither list, which may be NULL. */
void ns_deck_note_rest(ns_deck *d, int first, const char *const *known, const char *const *more);
/* SPICE's number in s; NAN: it is none. */
double ns_deck_number(const char *s);
/* A form into the line of the result: %s is a formula of the deck as nssim writes it, in XML, %g a
 * number with nine digits; there are no others. */
void ns_deck_put(ns_deck *d, const char *form, ...) NS_PRINTF(2, 3);
/* A blank and a name of the deck as nssim writes it. */
void ns_deck_put_name(ns_deck *d, const char *name);
/* Forgets what is known of names. */
void ns_deck_forget_names(ns_deck *d);

/* ---- deck_elements.c ---- */

/* .model NAME TYPE(key=value ...), whose text stays as long as the deck. */
int ns_deck_read_model(ns_deck *d, char *s);
void ns_deck_element(ns_deck *d, const char *line);
/* X or .subckt, here `head`: its nodes with those of .global, so many names behind them, key=value.
 */
void ns_deck_put_call(ns_deck *d, const char *head, int behind);
void ns_deck_too_few(ns_deck *d, const char *expected);

#endif
