/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/export_file.h"

#include <libxml/entities.h>
#include <libxml/xmlstring.h>

static ssize_t write_text(void *to, const char *s, size_t n)
{
  ns_export_file *x = to;
  /* 0: failed (fopencookie) */
  return ns_textfile_put(&x->text, x->c, s, n) == NS_OK ? (ssize_t)n : 0;
}

int ns_export_file_open(ns_ctx *c, const char *path, ns_export_file *to)
{
  static const cookie_io_functions_t functions = {.write = write_text};
  *to = (ns_export_file){.text = {.fd = -1}, .c = c};
  int rc = ns_textfile_open(c, path, &to->text);
  if (!rc) rc = ns_textfile_truncate(&to->text, c);
  if (!rc && !(to->f = fopencookie(to, "w", functions))) rc = ns_nomem(c, "stream of an export");
  if (rc) ns_textfile_abandon(&to->text);
  return rc;
}

int ns_export_file_close(ns_export_file *to)
{
  int bad = to->f && fclose(to->f) != 0, rc = ns_textfile_close(&to->text, to->c);
  if (!rc && bad) rc = to->c->rc ? to->c->rc : ns_fail(to->c, NS_OUTPUT, "export: cannot write");
  return rc;
}

void ns_export_put_attribute(const char *s, FILE *f)
{
  xmlChar *text = xmlCheckUTF8((const xmlChar *)s) ? xmlEncodeSpecialChars(NULL, (const xmlChar *)s)
                                                   : NULL;
  fputs(text ? (const char *)text : "?", f);
  if (text) xmlFree(text);
}
