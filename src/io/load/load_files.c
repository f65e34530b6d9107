/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_files.h"

#include "base/grow.h"
#include "base/suggest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ns_files_dir(ns_arena *a, const char *path)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return ns_arena_part(a, path, slash == path ? 1 : (size_t)(slash - path));
}

int ns_files_init(ns_files *f, ns_ctx *c, const char *path, const char *const *allow, int nallow)
{
  f->dir = ns_files_dir(f->arena, path);
  f->root = calloc((size_t)nallow + 1, sizeof *f->root);
  if (!f->dir || !f->root) return ns_nomem(c, "paths of the model");
  f->root[f->nroots] = realpath(f->dir, NULL); /* may be gone: then nothing can be included */
  if (f->root[f->nroots]) f->nroots++;
  for (int i = 0; i < nallow; i++) {
    char *p = realpath(allow[i], NULL);
    if (!p)
      return ns_fail(c, NS_USAGE, "--allow-include %s: %s, expected a folder", allow[i],
                     strerror(errno));
    f->root[f->nroots++] = p;
  }
  return NS_OK;
}

void ns_files_fini(ns_files *f)
{
  for (int i = 0; i < f->nroots; i++) free(f->root[i]);
  free(f->root);
  free(f->source);
}

static int inside(const ns_files *f, const char *real)
{
  for (int i = 0; i < f->nroots; i++) {
    size_t n = strlen(f->root[i]);
    if (!strncmp(real, f->root[i], n) && (real[n] == '/' || (n == 1 && *real == '/'))) return 1;
  }
  return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Bytes of fd, malloced, ended by a 0; NULL with errno: EFBIG beyond max. */
static char *slurp(int fd, size_t expected, size_t max, size_t *n)
{
  size_t cap = expected + 1, len = 0;
  char *buf = malloc(cap + 1);
  while (buf) {
    if (len == cap) {
      char *more = cap > max ? NULL : realloc(buf, 2 * cap + 1);
      if (!more) {
        if (cap > max) errno = EFBIG;
        break;
      }
      buf = more;
      cap *= 2;
    }
    ssize_t got = read(fd, buf + len, cap - len);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    if (got == 0) {
      if (len > max) {
        errno = EFBIG;
        break;
      }
      buf[len] = 0;
      *n = len;
      return buf;
    }
    len += (size_t)got;
  }
  int e = errno;
  free(buf);
  errno = e;
  return NULL;
}

static int too_big(const ns_files *f, ns_ctx *c, int rc, const char *at, const char *path)
{
  size_t mb = NS_FILE_MAX >> 20;
  return ns_fail(
      c, rc, "%s%s%s: %s %zu MB, expected a smaller model; <repeat> and file= keep models small",
      at, *at ? ": " : "", path,
      f->bytes ? "with this file the model is larger than" : "the file is larger than", mb);
}

/* Read fd into scratch. at: "" for the model itself. */
static int take(ns_files *f, ns_ctx *c, int rc, const char *at, const char *path, int fd,
                size_t expected, ns_text *t)
{
  size_t max = NS_FILE_MAX - f->bytes, n = 0;
  if (expected > max) return too_big(f, c, rc == NS_NOINPUT ? NS_MODEL : rc, at, path);
  char *buf = slurp(fd, expected, max, &n);
  if (!buf && errno == EFBIG) return too_big(f, c, rc == NS_NOINPUT ? NS_MODEL : rc, at, path);
  if (!buf && errno == ENOMEM) return ns_nomem(c, "text of the model");
  if (!buf)
    return ns_fail(c, rc, "%s%scannot read %s: %s", at, *at ? ": " : "", path, strerror(errno));
  f->bytes += n;
  t->n = n;
  t->text = ns_arena_copy(f->scratch, buf, n + 1, 1);
  free(buf);
  return t->text ? NS_OK : ns_nomem(c, "text of the model");
}

/* No file is there, as errno says. at: "", or where the model names it: from the folder of that
 * file. */
static int not_there(ns_ctx *c, int rc, const char *at, const char *path)
{
  int error = errno;
  char near[PATH_MAX];
  const char *colon = *at ? ": " : "", *why = strerror(error);
  if (error == ENOENT && ns_suggest_file(path, near, sizeof near))
    return ns_fail(c, rc, "%s%scannot open %s: %s; did you mean %s?", at, colon, path, why, near);
  return ns_fail(c, rc, "%s%scannot open %s: %s%s", at, colon, path, why,
                 !*at           ? ""
                 : *path != '/' ? "; write its path from the folder of the file that names it"
                                : "; correct its path");
}

int ns_files_read_model(ns_files *f, ns_ctx *c, const char *path, ns_text *t)
{
  struct stat st;
  int std = !strcmp(path, "-"), rc = NS_OK;
  int fd = std ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return not_there(c, NS_NOINPUT, "", path);
  if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
    rc = ns_fail(c, NS_NOINPUT, "%s is a folder, expected a model file", path);
  else
    rc = take(f, c, NS_NOINPUT, "", std ? "standard input" : path, fd,
              S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 4096, t);
  if (!std) close(fd);
  return rc ? rc : ns_files_note(f, c, path, t->text, t->n);
}

/* Path of `name` seen from dir; in the arena. */
static const char *joined(ns_files *f, const char *dir, const char *name)
{
  if (*name == '/' || !strcmp(dir, ".")) return ns_arena_text(f->arena, name);
  return ns_arena_format(f->arena, "%s/%s", strcmp(dir, "/") ? dir : "", name);
}

/* Where it is, if it may be read. */
static int locate(ns_files *f, ns_ctx *c, const char *at, const char *dir, const char *name,
                  const char **shown, const char **real)
{
  const char *path = *shown = joined(f, dir, name);
  if (!path) return ns_nomem(c, "path of a file");
  char *resolved = realpath(path, NULL);
  if (!resolved) return not_there(c, NS_MODEL, at, path);
  int ok = inside(f, resolved);
  *real = ns_arena_text(f->arena, resolved);
  free(resolved);
  if (!*real) return ns_nomem(c, "path of a file");
  if (!ok)
    return ns_fail(c, NS_MODEL,
                   "%s: %s lies outside the model's folder, expected a file inside it; move it "
                   "there or give --allow-include with its folder",
                   at, path);
  return NS_OK;
}

/* Descriptor of the file that was located; < 0: reported. */
static int open_regular(ns_ctx *c, const char *at, const char *path, const char *real,
                        struct stat *st)
{
  int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0) {
    not_there(c, NS_MODEL, at, path);
    return -1;
  }
  if (!fstat(fd, st) && S_ISREG(st->st_mode)) return fd;
  ns_fail(c, NS_MODEL, "%s: %s is not a file, expected a regular file", at, path);
  close(fd);
  return -1;
}

/* The mark by which some programs begin a text in UTF-8 is not part of it. */
static void skip_mark(ns_text *t)
{
  static const char mark[] = "\xEF\xBB\xBF";
  size_t n = sizeof mark - 1;
  if (t->n < n || memcmp(t->text, mark, n) != 0) return;
  t->text += n;
  t->n -= n;
}

int ns_files_read_named(ns_files *f, ns_ctx *c, const char *at, const char *dir, const char *name,
                        ns_text *t, const char **shown, const char **real)
{
  struct stat st;
  int rc = locate(f, c, at, dir, name, shown, real);
  if (rc) return rc;
  int fd = open_regular(c, at, *shown, *real, &st);
  if (fd < 0) return NS_MODEL;
  rc = take(f, c, NS_MODEL, at, *shown, fd, (size_t)st.st_size, t);
  close(fd);
  if (!rc) rc = ns_files_note(f, c, *shown, t->text, t->n);
  if (!rc) skip_mark(t);
  return rc;
}

int ns_files_find_named(ns_files *f, ns_ctx *c, const char *at, const char *dir, const char *name,
                        const char **shown, const char **real)
{
  struct stat st;
  int rc = locate(f, c, at, dir, name, shown, real);
  if (rc) return rc;
  int fd = open_regular(c, at, *shown, *real, &st);
  if (fd < 0) return NS_MODEL;
  close(fd);
  return ns_files_note_path(f, c, *shown);
}

/* ---- provenance ------------------------------------------------------------------------------ */

static void hex_sum(const void *text, size_t n, char out[65])
{
  struct sha256_ctx s;
  uint8_t sum[SHA256_DIGEST_SIZE];
  sha256_init(&s);
  sha256_update(&s, n, text);
  sha256_digest(&s, sizeof sum, sum);
  for (size_t i = 0; i < sizeof sum; i++) snprintf(out + 2 * i, 3, "%02x", (unsigned)sum[i]);
}

int ns_files_note(ns_files *f, ns_ctx *c, const char *path, const void *text, size_t n)
{
  for (int i = 0; i < f->nsources; i++)
    if (!strcmp(f->source[i].path, path)) return NS_OK;
  ns_source s = {.path = ns_arena_text(f->arena, path)};
  hex_sum(text, n, s.sha256);
  if (s.path && ns_append(&f->source, &f->nsources, &s) >= 0) return NS_OK;
  return ns_nomem(c, "list of files");
}

int ns_files_note_path(ns_files *f, ns_ctx *c, const char *path)
{
  size_t n = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *buf = fd < 0 ? NULL : slurp(fd, 4096, SIZE_MAX / 4, &n);
  int e = errno;
  if (fd >= 0) close(fd);
  if (!buf) return ns_fail(c, NS_PLUGIN, "cannot read %s for its checksum: %s", path, strerror(e));
  int rc = ns_files_note(f, c, path, buf, n);
  free(buf);
  return rc;
}
