/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_file.h -- a text file as a stream, for writers that know streams alone. */
#ifndef NS_IO_EXPORT_EXPORT_FILE_H
#define NS_IO_EXPORT_EXPORT_FILE_H

#include "io/textfile.h"

#include <stdio.h>

typedef struct ns_export_file {
  ns_textfile text;
  ns_ctx *c;
  FILE *f; /* to write to; NULL where it is not open */
} ns_export_file;

/* Open and empty it; "-" is standard output. *to must stay where it is. NS_NOCREATE, NS_OUTPUT,
 * NS_NOMEM. */
int ns_export_file_open(ns_ctx *c, const char *path, ns_export_file *to);
/* Flush and close; the first failure of any write in one sentence. */
int ns_export_file_close(ns_export_file *to);
/* A text within an attribute of XML: what is special there is escaped; "?" for what is not UTF-8.
 */
void ns_export_put_attribute(const char *s, FILE *f);

#endif
