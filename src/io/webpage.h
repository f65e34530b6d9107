/* SPDX-License-Identifier: GPL-3.0-or-later */
/* webpage.h -- pages for a browser, made of a template and data, with nothing from the network.
 *
 * In the template stand comments <!--nssim:WORD-->; each is replaced by what the caller writes for
 * its word. */
#ifndef NS_IO_WEBPAGE_H
#define NS_IO_WEBPAGE_H

#include "base/context.h"

#include <jansson.h>
#include <stdio.h>

/* Write what stands for the word [n letters]; NS_NOINPUT for an unknown word. */
typedef int (*ns_webpage_put)(ns_ctx *c, void *self, const char *word, size_t n, FILE *f);

/* A whole file, to be freed; NULL and NS_NOINPUT or NS_NOMEM. */
char *ns_webpage_read(ns_ctx *c, const char *path);
/* The template, filled in, to path; "-": standard output. A page that is not whole is removed. */
int ns_webpage_write(ns_ctx *c, const char *template, const char *path, ns_webpage_put put,
                     void *self);
/* Whether the word is `name`. */
int ns_webpage_is(const char *name, const char *word, size_t n);
/* JSON within a script element, which no text in it can end; o is given back. NS_NOMEM where o is
 * NULL or bad. */
int ns_webpage_json(ns_ctx *c, json_t *o, int bad, FILE *f);
/* A text of JSON, "?" where it is NULL or not UTF-8. */
json_t *ns_webpage_text(const char *s);
/* Appended is consumed, also by a failure, which *bad keeps. */
void ns_webpage_append(json_t *list, json_t *x, int *bad);

#endif
