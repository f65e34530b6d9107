/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declaration.h -- the arguments of a C function, read from its source.
 *
 * A library does not tell what its functions take, a source beside it does. This is no compiler: it
 * looks for `name (...)` with words that could be arguments, comments and strings left out, and
 * takes the types of plug-ins alone apart. */
#ifndef NS_PLUGIN_DECLARATION_H
#define NS_PLUGIN_DECLARATION_H

#include "model/plugin_form.h"

enum { NS_DECLARATION_ARGUMENTS = 16 };

typedef struct ns_declaration {
  int n;
  char type[NS_DECLARATION_ARGUMENTS];     /* letters of ns_plugin_form.types: U N D V O */
  char name[NS_DECLARATION_ARGUMENTS][32]; /* "" where it has none */
} ns_declaration;

/* 1: found, with types that plug-ins have. The first that is; text ends with a 0. */
int ns_declaration_find(const char *text, const char *function, ns_declaration *d);
/* The window (plugin_form.h) whose list of a signature has these types; of several those whose z
 * stands where a name says so. NULL: none, or nothing tells them apart. */
const char *ns_declaration_window(const ns_declaration *d, ns_signature sig);

#endif
