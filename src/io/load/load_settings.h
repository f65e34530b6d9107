/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_settings.h -- what of a model may be changed from outside, by name or by path
 * (load_settings.c says the grammar). */
#ifndef NS_IO_LOAD_LOAD_SETTINGS_H
#define NS_IO_LOAD_LOAD_SETTINGS_H

#include "base/suggest.h"
#include "io/load/load_job.h"

enum { NS_SETTING_TEXT = -1, NS_SETTING_SCHEME = -2 };

/* An attribute of an element, the text that it holds, or the integrator itself. */
typedef struct ns_setting {
  ns_elem *e;
  int k; /* position in e->attr, NS_SETTING_TEXT or NS_SETTING_SCHEME */
} ns_setting;

/* What the name or path means. 0: nothing; then s (may be NULL) has been offered the names of
 * options, and why, "" for a name, says what is wrong with a path. */
int ns_setting_find(const ns_elem *root, const char *name, ns_setting *out, ns_suggest *s,
                    char *why, size_t size);
ns_setting_values ns_setting_takes(const ns_setting *s);
/* NULL where it is no attribute. */
const char *ns_setting_attribute(const ns_setting *s);

#endif
