/* SPDX-License-Identifier: GPL-3.0-or-later */
/* webpage.h -- web pages made of a template and data, which load nothing from the network.
 *
 * The template contains comments <!--nssim:WORD-->; the caller provides the text that replaces
 * each. */
#ifndef NS_IO_WEBPAGE_H
#define NS_IO_WEBPAGE_H

#include "base/context.h"

#include <jansson.h>
#include <stdio.h>

/* Write the replacement of the word [n letters]; NS_NOINPUT for an unknown word. */
typedef int (*ns_webpage_put)(ns_ctx *c, void *self, const char *word, size_t n, FILE *f);

/* Read a whole file, freed by the caller; NULL and NS_NOINPUT or NS_NOMEM. */
char *ns_webpage_read(ns_ctx *c, const char *path);
/* Write the template with its replacements to path; "-": standard output. An incomplete page is
 * removed. */
int ns_webpage_write(ns_ctx *c, const char *template, const char *path, ns_webpage_put put,
                     void *self);
/* 1 if the word is `name`. */
int ns_webpage_is(const char *name, const char *word, size_t n);
/* Write JSON inside a script element, escaped so that no text in it can end the element; releases
 * the reference o. NS_NOMEM if o is NULL or bad is set. */
int ns_webpage_json(ns_ctx *c, json_t *o, int bad, FILE *f);
/* A JSON string, "?" if s is NULL or not UTF-8. */
json_t *ns_webpage_text(const char *s);
/* Append x to the list and take over its reference, also on failure, which sets *bad. */
void ns_webpage_append(json_t *list, json_t *x, int *bad);

#endif
