/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_made.h -- elements that nobody wrote: with the values that a user would have written, so
 * that they are made as any other ones are. */
#ifndef NS_IO_LOAD_LOAD_MADE_H
#define NS_IO_LOAD_LOAD_MADE_H

#include "io/load/load_job.h"

typedef struct ns_load_setting {
  const char *attribute, *text; /* text NULL: not given */
} ns_load_setting;

/* printf to a text of the scratch; NULL: out of memory, reported. */
char *ns_load_made_text(ns_load *l, const char *format, ...) NS_PRINTF(2, 3);
/* An element `kind` with these attributes, up to one without a name, that stands for element e,
 * whose name and line messages say. NULL: out of memory, reported. */
ns_elem *ns_load_made_element(ns_load *l, const ns_elem *e, const char *kind,
                              const ns_load_setting *g);
/* A value of such an element. NULL: out of memory. */
ns_elem *ns_load_made_value(ns_load *l, ns_elem *parent, const char *name, const char *text);
/* A system of first order in the place of e; states and inputs: names, NULL none. NULL: out of
 * memory, reported. */
ns_elem *ns_load_made_system(ns_load *l, const ns_elem *e, const char *id, const char *states,
                             const char *inputs, const char *x0, const char *f);

#endif
