/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.h -- parse XML that nobody vouches for.
 *
 * No DOCTYPE and so no entities, no network, no file but the text given; libxml2's own bounds on
 * depth (256) and on the length of a text (10 MB) stay in force. libxml2 prints nothing: what it
 * finds becomes one sentence. Its state outside this thread is not touched. */
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

/* Between begin and end, what libxml2 would print in this thread is noted instead (the parser above
 * sees to itself): it is want of memory, met where its functions have no result to tell it. end
 * returns 1 if there was any. */
typedef struct ns_xml_watch {
  xmlStructuredErrorFunc before;
  void *before_data;
  int failed;
} ns_xml_watch;
void ns_xml_watch_begin(ns_xml_watch *w);
int ns_xml_watch_end(ns_xml_watch *w);

#endif
