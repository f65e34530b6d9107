/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/import_text.h"

#include "base/grow.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "expression/quote.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ns_import_text_fini(ns_import_text *t) { NS_FREE(t->note, t->id); }

/* ---- notes and ids --------------------------------------------------------------------------- */

static ns_import_note *find_note(const ns_import_text *t, const char *text)
{
  int k = NS_NAMED_INDEX(ns_import_note, text, t->note, t->nnotes, text);
  return k < 0 ? NULL : &t->note[k];
}

int ns_import_add_note(ns_import_text *t, const char *line, const char *text)
{
  ns_import_note *n = find_note(t, text);
  int is_new = !n;
  if (is_new) {
    const ns_import_note added = {.text = ns_arena_text(t->a, text)};
    if (!added.text || ns_append(&t->note, &t->nnotes, &added) < 0) {
      ns_nomem(t->c, "notes of the model");
      return 0;
    }
    n = &t->note[t->nnotes - 1];
  }
  if (!line || ++n->nlines > NS_IMPORT_LINES) return is_new;
  n->lines = ns_arena_format(t->a, "%s%s%s", n->lines ? n->lines : "", n->lines ? ", " : "", line);
  if (!n->lines) ns_nomem(t->c, "notes of the model");
  return is_new;
}

int ns_import_has_id(const ns_import_text *t, const char *id)
{
  return ns_word_index(t->id, (size_t)t->nids, id) >= 0;
}

const char *ns_import_add_id(ns_import_text *t, const char *id)
{
  const char *copy = ns_arena_text(t->a, id);
  if (copy && ns_append(&t->id, &t->nids, &copy) >= 0) return copy;
  ns_nomem(t->c, "names of the model");
  return NULL;
}

/* ---- the head -------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void ns_import_begin_head(const ns_import_text *t, const char *what, FILE *f)
{
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n  Imported from ", f);
  ns_import_put_comment(f, file_name(t->path));
  fprintf(f, ", %s.\n", what);
}

void ns_import_end_head(const ns_import_text *t, FILE *f)
{
  if (t->nnotes) fputs("  What was changed, guessed or omitted:\n", f);
  for (int k = 0; k < t->nnotes; k++) {
    const ns_import_note *n = &t->note[k];
    fputs("    ", f);
    ns_import_put_comment(f, n->text);
    if (n->lines)
      fprintf(f, " (line%s %s%s)", n->nlines > 1 ? "s" : "", n->lines,
              n->nlines > NS_IMPORT_LINES ? ", ..." : "");
    fputc('\n', f);
  }
  fputs("-->\n", f);
}

void ns_import_open_model(const ns_import_text *t, FILE *f)
{
  const char *name = file_name(t->path);
  size_t stem = strcspn(name, ".@");
  fputs("<model xmlns=\"urn:nssim:model:1\" name=\"", f);
  for (size_t k = 0; k < stem; k++)
    fputc(isalnum((unsigned char)name[k]) && (unsigned char)name[k] < 128 ? name[k] : '_', f);
  fputs(stem ? "\">\n" : "model\">\n", f);
}

int ns_import_join(const ns_import_text *t, void (*head)(void *self, FILE *f), void *self,
                   const char *body, char **out)
{
  ns_text_stream whole;
  FILE *f = ns_text_stream_open(&whole);
  if (f) {
    head(self, f);
    fputs(body, f);
  }
  *out = ns_text_stream_close(&whole);
  return *out ? NS_OK : ns_nomem(t->c, "text of the model");
}

/* ---- texts and numbers ----------------------------------------------------------------------- */

void ns_import_put_xml_byte(FILE *f, char c)
{
  if (c == '&') fputs("&amp;", f);
  else if (c == '<') fputs("&lt;", f);
  else if (c == '>') fputs("&gt;", f);
  else if (c == '"') fputs("&quot;", f);
  else fputc((unsigned char)c < ' ' ? ' ' : c, f);
}

void ns_import_put_xml(FILE *f, const char *text)
{
  for (const char *s = text; *s; s++) ns_import_put_xml_byte(f, *s);
}

void ns_import_put_comment(FILE *f, const char *text)
{
  for (const char *s = text, *end = text + strlen(text); *s;) {
    size_t n = ns_utf8_length(s, (size_t)(end - s));
    if (s[0] == '-' && s[1] == '-') fputs("\xe2\x80\x91", f);
    else if (n) fwrite(s, 1, n, f);
    else fputc((unsigned char)*s < ' ' ? ' ' : '?', f);
    s += n ? n : 1;
  }
}

void ns_import_put_title(FILE *f, const char *title)
{
  fputs("  <title>", f);
  ns_import_put_xml(f, title);
  fputs("</title>\n", f);
}

const char *ns_import_decimal(double x, char *buf)
{
  int whole = fabs(x) >= 1 && fabs(x) < 1e9 ? (int)log10(fabs(x)) + 1 : 1; /* 100, not 1e+02 */
  for (int digits = whole; digits <= DBL_DECIMAL_DIG; digits++) {
    snprintf(buf, NS_IMPORT_DECIMAL, "%.*g", digits, x);
    if (strtod(buf, NULL) == x) break;
  }
  return !strcmp(buf, "-0") ? "0" : buf;
}
