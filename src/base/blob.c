/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/blob.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096 };

void ns_blob_fini(ns_blob *b)
{
  free(b->bytes);
  *b = (ns_blob){0};
}

void ns_blob_clear(ns_blob *b)
{
  b->n = b->at = 0;
  b->failed = NS_OK;
}

static int ensure_capacity(ns_blob *b, size_t more)
{
  size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;
  if (more > SIZE_MAX / 4 - b->n) return 0;
  while (capacity < b->n + more) capacity *= 2;
  if (capacity == b->capacity) return 1;
  unsigned char *bytes = realloc(b->bytes, capacity);
  if (!bytes) return 0;
  b->bytes = bytes;
  b->capacity = capacity;
  return 1;
}

void ns_blob_put(ns_blob *b, const void *from, size_t bytes)
{
  uint64_t size = bytes;
  if (b->failed) return;
  if (bytes > SIZE_MAX / 8 || !ensure_capacity(b, sizeof size + bytes)) {
    b->failed = NS_NOMEM;
    return;
  }
  memcpy(b->bytes + b->n, &size, sizeof size);
  if (bytes) memcpy(b->bytes + b->n + sizeof size, from, bytes);
  b->n += sizeof size + bytes;
}

const void *ns_blob_next(ns_blob *b, size_t *bytes)
{
  uint64_t size;
  *bytes = 0;
  if (b->failed) return NULL;
  if (b->n - b->at < sizeof size) {
    b->failed = NS_NOINPUT;
    return NULL;
  }
  memcpy(&size, b->bytes + b->at, sizeof size);
  if (size > b->n - b->at - sizeof size) {
    b->failed = NS_NOINPUT;
    return NULL;
  }
  const void *item = b->bytes + b->at + sizeof size;
  *bytes = (size_t)size;
  b->at += sizeof size + (size_t)size;
  return item;
}

void ns_blob_get(ns_blob *b, void *to, size_t bytes)
{
  size_t size;
  const void *item = ns_blob_next(b, &size);
  if (!item) return;
  if (size != bytes) b->failed = NS_NOINPUT;
  else if (bytes) memcpy(to, item, bytes);
}

void ns_blob_put_reals(ns_blob *b, const double *x, size_t n) { ns_blob_put(b, x, n * sizeof *x); }
void ns_blob_get_reals(ns_blob *b, double *x, size_t n) { ns_blob_get(b, x, n * sizeof *x); }

void ns_blob_pass(ns_blob *b, int restore, const ns_kept *list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (restore) ns_blob_get(b, list[i].at, list[i].bytes);
    else ns_blob_put(b, list[i].at, list[i].bytes);
  }
}

void ns_blob_put_text(ns_blob *b, const char *s) { ns_blob_put(b, s, strlen(s) + 1); }

const char *ns_blob_next_text(ns_blob *b)
{
  size_t n;
  const char *s = ns_blob_next(b, &n);
  if (s && n && s[n - 1] == '\0') return s;
  if (!b->failed) b->failed = NS_NOINPUT;
  return "";
}

int ns_blob_status(const ns_blob *b, ns_ctx *c, const char *what)
{
  if (b->failed == NS_NOMEM) return ns_nomem(c, what);
  if (b->failed)
    return ns_fail(c, b->failed, "%s: the sizes of its parts do not match the model", what);
  return NS_OK;
}

static void save_nothing(const void *self, ns_blob *b) { (void)self, (void)b; }
static void restore_nothing(void *self, ns_blob *b) { (void)self, (void)b; }

const ns_memory ns_memory_none = {.save = save_nothing, .restore = restore_nothing};
