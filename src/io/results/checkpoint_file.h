/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint_file.h -- the file of a checkpoint: identity of the run, position, and the saved
 * state.
 *
 *   "nssimckp", byte order mark, version, length of the content    24 bytes
 *   content: a stream of sized items (base/blob.h)
 *   SHA-256 of all before
 *
 * Numbers are in the machine's format. A checkpoint is written to NAME.new, flushed to disk, and
 * renamed to NAME; the previous one is kept as NAME.prev. A complete checkpoint therefore exists at
 * any time, even if the machine crashes. */
#ifndef NS_IO_RESULTS_CHECKPOINT_FILE_H
#define NS_IO_RESULTS_CHECKPOINT_FILE_H

#include "base/blob.h"

enum { NS_DIGEST = 32, NS_CHECKPOINT_TEXT = 128 };

/* Identity of a run: it can be resumed only as the same run. One SHA-256 each. */
typedef struct ns_identity {
  unsigned char model[NS_DIGEST];   /* text, files, parameters; without T */
  unsigned char plugins[NS_DIGEST]; /* files */
  unsigned char options[NS_DIGEST]; /* h; quantities, interval and format of the output */
  unsigned char binary[NS_DIGEST];  /* program and libraries */
} ns_identity;

/* Whether the run and its output are complete: at T, which may be changed later, or because an
 * event of the model stopped it. */
typedef enum ns_complete { NS_COMPLETE_NOT, NS_COMPLETE_AT_END, NS_COMPLETE_BY_EVENT } ns_complete;

/* Lock of the process that writes a checkpoint: on the file or, before it exists, on the NAME.new
 * that becomes it. */
typedef struct ns_checkpoint_lock {
  int fd;     /* -1: none */
  int is_new; /* it is on NAME.new */
} ns_checkpoint_lock;

typedef struct ns_checkpoint {
  ns_identity id;
  char version[NS_CHECKPOINT_TEXT]; /* of the program, for messages */
  char cpu[NS_CHECKPOINT_TEXT];     /* model of the processor: another one may round differently */
  char started[NS_CHECKPOINT_TEXT]; /* date of the first start */
  long long step;
  double t;                 /* s */
  double wall;              /* time spent in the step loop so far, s */
  int restarts;             /* number of times it was resumed */
  int complete;             /* ns_complete */
  ns_checkpoint_lock *lock; /* lock of the writer, moved to the new file; NULL: none */
  ns_blob body;             /* simulation, then recorder */
} ns_checkpoint;

void ns_checkpoint_fini(ns_checkpoint *k); /* safe on a zeroed one */

/* Check that the checkpoint can be written and that no other process writes it, and lock it.
 * Existing files are not changed. NS_NOCREATE; l is then empty. */
int ns_checkpoint_lock_take(ns_ctx *c, const char *path, ns_checkpoint_lock *l);
void ns_checkpoint_lock_drop(const char *path, ns_checkpoint_lock *l);
/* Write the checkpoint. NS_OUTPUT; the previous file then remains. */
int ns_checkpoint_write(ns_ctx *c, const char *path, const ns_checkpoint *k);
/* Read a checkpoint. NS_NOINPUT with the reason: missing, truncated, damaged, not a checkpoint, or
 * of another format; *k is then as after ns_checkpoint_fini. */
int ns_checkpoint_read(ns_ctx *c, const char *path, ns_checkpoint *k);
/* The same from memory; name is used for the file in messages. */
int ns_checkpoint_parse(ns_ctx *c, const char *name, const unsigned char *bytes, size_t n,
                        ns_checkpoint *k);
/* Path with ".prev" appended; malloced, NULL when out of memory. */
char *ns_checkpoint_previous(const char *path);

#endif
