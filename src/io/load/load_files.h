/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_files.h -- which files a model may read, and a record of those it has read.
 *
 * The model itself may be anywhere. What it names (includes, file=) must lie, after all symbolic
 * links are followed, inside the model's folder or a folder that the user allowed, and be a regular
 * file. */
#ifndef NS_IO_LOAD_LOAD_FILES_H
#define NS_IO_LOAD_LOAD_FILES_H

#include "base/arena.h"
#include "base/context.h"
#include "model/model.h"

#define NS_FILE_MAX ((size_t)100 << 20) /* bytes of one file, and of all together */

typedef struct ns_files {
  ns_arena *arena;   /* of what lasts: paths and sums */
  ns_arena *scratch; /* of the texts */
  const char *dir;   /* the model's folder as given, "." where none */
  char **root;       /* allowed folders, resolved [nroots]; malloced */
  int nroots;
  ns_source *source; /* malloced [nsources] */
  int nsources;
  size_t bytes; /* read so far */
} ns_files;

typedef struct ns_text {
  const char *text; /* ended by a 0 that n does not count */
  size_t n;
} ns_text;

/* path: of the model, "-" or a name; allow [nallow] as in ns_load_options. */
int ns_files_init(ns_files *f, ns_ctx *c, const char *path, const char *const *allow, int nallow);
void ns_files_fini(ns_files *f);

/* The model file itself, "-" for standard input. NS_NOINPUT. */
int ns_files_read_model(ns_files *f, ns_ctx *c, const char *path, ns_text *t);
/* A file that the model names at place `at`, relative to folder dir. *shown: path for messages,
 * *real: the resolved one; both of the arena. NS_MODEL. */
int ns_files_read_named(ns_files *f, ns_ctx *c, const char *at, const char *dir, const char *name,
                        ns_text *t, const char **shown, const char **real);
/* The same without reading it, whatever its size: a regular file, for a library that reads it. */
int ns_files_find_named(ns_files *f, ns_ctx *c, const char *at, const char *dir, const char *name,
                        const char **shown, const char **real);
/* Remember a text, or a file on disk, for provenance. The same path counts once. */
int ns_files_note(ns_files *f, ns_ctx *c, const char *path, const void *text, size_t n);
int ns_files_note_path(ns_files *f, ns_ctx *c, const char *path);

/* Folder of a path: "a/b" of "a/b/c.xml", "." of "c.xml". NULL when out of memory. */
const char *ns_files_dir(ns_arena *a, const char *path);

#endif
