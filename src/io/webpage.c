/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/webpage.h"

#include "io/export/export_file.h"
#include "io/results/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *ns_webpage_read(ns_ctx *c, const char *path)
{
  struct stat st;
  int fd = ns_result_file(c, path);
  if (fd < 0) return NULL;
  size_t n = fstat(fd, &st) == 0 ? (size_t)st.st_size : 0, have = 0;
  char *s = malloc(n + 1);
  if (!s) ns_nomem(c, path);
  while (s && have < n) {
    ssize_t k = read(fd, s + have, n - have);
    if (k > 0) have += (size_t)k;
    else if (k == 0 || errno != EINTR) break;
  }
  if (s) s[have] = 0;
  close(fd);
  return s;
}

int ns_webpage_is(const char *name, const char *word, size_t n)
{
  return strlen(name) == n && memcmp(name, word, n) == 0;
}

static int fill(ns_ctx *c, const char *page, ns_webpage_put put, void *self, FILE *f)
{
  static const char begin[] = "<!--nssim:", end[] = "-->";
  const char *at, *stop;
  int rc = NS_OK;
  while (!rc && (at = strstr(page, begin)) && (stop = strstr(at, end))) {
    fwrite(page, 1, (size_t)(at - page), f);
    at += sizeof begin - 1;
    rc = put(c, self, at, (size_t)(stop - at), f);
    page = stop + sizeof end - 1;
  }
  if (!rc) fputs(page, f);
  return rc;
}

int ns_webpage_write(ns_ctx *c, const char *template, const char *path, ns_webpage_put put,
                     void *self)
{
  ns_export_file to;
  char *page = ns_webpage_read(c, template);
  int rc = page ? ns_export_file_open(c, path, &to) : c->rc;
  if (!rc) {
    rc = fill(c, page, put, self, to.f);
    int end = ns_export_file_close(&to);
    if (!rc) rc = end;
    if (rc && strcmp(path, "-") != 0) unlink(path);
  }
  free(page);
  return rc;
}

/* Within a script no text may end it: "<" is written as an escape. */
static int dump(const char *s, size_t n, void *to)
{
  for (; n; n--, s++)
    if (*s == '<' ? fputs("\\u003c", to) < 0 : fputc(*s, to) == EOF) return -1;
  return 0;
}

int ns_webpage_json(ns_ctx *c, json_t *o, int bad, FILE *f)
{
  bad |= !o;
  /* a failed write is its stream's to tell */
  if (!bad) json_dump_callback(o, dump, f, JSON_COMPACT | JSON_REAL_PRECISION(12));
  json_decref(o);
  return bad ? ns_nomem(c, "data of a page") : NS_OK;
}

json_t *ns_webpage_text(const char *s)
{
  json_t *v = s ? json_string(s) : NULL;
  return v ? v : json_string("?");
}

void ns_webpage_append(json_t *list, json_t *x, int *bad)
{
  *bad |= json_array_append_new(list, x) != 0;
}
