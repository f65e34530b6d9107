/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declaration.h -- the arguments of a C function, read from its source.
 *
 * A library does not contain the argument types of its functions, but a source next to it does.
 * This is not a compiler: it looks for `name (...)` with words that could be arguments, outside
 * comments and strings, and distinguishes only the types that plug-ins use. */
#ifndef NS_PLUGIN_DECLARATION_H
#define NS_PLUGIN_DECLARATION_H

#include "model/plugin_form.h"

enum { NS_DECLARATION_ARGUMENTS = 16 };

typedef struct ns_declaration {
  int n;
  char type[NS_DECLARATION_ARGUMENTS];     /* letters of ns_plugin_form.types: U N D V O */
  char name[NS_DECLARATION_ARGUMENTS][32]; /* "" if it has no name */
} ns_declaration;

/* 1 if a declaration with types of plug-ins was found; the first such is used. text ends in a 0. */
int ns_declaration_find(const char *text, const char *function, ns_declaration *d);
/* The window (plugin_form.h) of a signature whose arguments have these types. If there are several,
 * the argument names must show the position of z. NULL: none, or it is ambiguous. */
const char *ns_declaration_window(const ns_declaration *d, ns_signature sig);

#endif
