/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.h -- parses untrusted XML.
 *
 * No DOCTYPE and therefore no entities; no network; no file except the given text. libxml2's own
 * limits of depth (256) and length of a text (10 MB) apply. libxml2 prints nothing: its errors
 * become one message. Its state outside this thread is not changed. */
#ifndef NS_IO_LOAD_XML_H
#define NS_IO_LOAD_XML_H

#include "base/context.h"

#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <stddef.h>

/* name: of the file, for messages; root: the element that it should begin with. NS_MODEL with
 * `name:line: sentence`; *doc is freed with xmlFreeDoc. */
int ns_xml_parse(ns_ctx *c, const char *name, const char *text, size_t n, const char *root,
                 xmlDoc **doc);

/* Between begin and end, errors that libxml2 would print in this thread are recorded instead
 * (ns_xml_parse does this itself). They mean that memory ran out in functions that cannot return an
 * error. end returns 1 if there was any. */
typedef struct ns_xml_watch {
  xmlStructuredErrorFunc before;
  void *before_data;
  int failed;
} ns_xml_watch;
void ns_xml_watch_begin(ns_xml_watch *w);
int ns_xml_watch_end(ns_xml_watch *w);

#endif
