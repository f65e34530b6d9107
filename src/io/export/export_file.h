/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_file.h -- a text file as a stream (FILE *), for functions that write to streams. */
#ifndef NS_IO_EXPORT_EXPORT_FILE_H
#define NS_IO_EXPORT_EXPORT_FILE_H

#include "io/textfile.h"

#include <stdio.h>

typedef struct ns_export_file {
  ns_textfile text;
  ns_ctx *c;
  FILE *f; /* the stream; NULL if it is not open */
} ns_export_file;

/* Open and truncate the file; "-" is standard output. *to must not be moved. NS_NOCREATE,
 * NS_OUTPUT, NS_NOMEM. */
int ns_export_file_open(ns_ctx *c, const char *path, ns_export_file *to);
/* Flush and close; reports the first failure of any write. */
int ns_export_file_close(ns_export_file *to);
/* Write a text as the value of an XML attribute, escaped; "?" if it is not UTF-8. */
void ns_export_put_attribute(const char *s, FILE *f);

#endif
