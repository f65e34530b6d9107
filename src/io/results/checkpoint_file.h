/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint_file.h -- the file of a checkpoint: what run it belongs to, where that stood, and the
 * bytes to go on from.
 *
 *   "nssimckp", byte order mark, version, length of the content    24 bytes
 *   content: a stream of sized items (base/blob.h)
 *   SHA-256 of all before
 *
 * Numbers are those of the machine. A file comes to be beside its name (NAME.new), reaches the
 * disk, and takes the name by a rename; the one before stays as NAME.prev. So at every moment, a
 * crash of the machine included, there is a whole one. */
#ifndef NS_IO_RESULTS_CHECKPOINT_FILE_H
#define NS_IO_RESULTS_CHECKPOINT_FILE_H

#include "base/blob.h"

enum { NS_DIGEST = 32, NS_CHECKPOINT_TEXT = 128 };

/* What a run is: it goes on only as the same one. SHA-256 each. */
typedef struct ns_identity {
  unsigned char model[NS_DIGEST];   /* text, files, parameters; not its T */
  unsigned char plugins[NS_DIGEST]; /* files */
  unsigned char options[NS_DIGEST]; /* h, what is recorded how often and in which format */
  unsigned char binary[NS_DIGEST];  /* program and libraries */
} ns_identity;

/* The run has ended, and so has its output: at T, which may be moved, or because an event of the
 * model stopped it. */
typedef enum ns_complete { NS_COMPLETE_NOT, NS_COMPLETE_AT_END, NS_COMPLETE_BY_EVENT } ns_complete;

/* Who writes a checkpoint holds a lock: of the file or, before there is one, of the NAME.new that
 * becomes it. */
typedef struct ns_checkpoint_lock {
  int fd;     /* -1: none */
  int is_new; /* it is that of NAME.new */
} ns_checkpoint_lock;

typedef struct ns_checkpoint {
  ns_identity id;
  char version[NS_CHECKPOINT_TEXT]; /* of the program, for messages */
  char cpu[NS_CHECKPOINT_TEXT];     /* model of the processor: another one may round differently */
  char started[NS_CHECKPOINT_TEXT]; /* date of the first start */
  long long step;
  double t;                 /* s */
  double wall;              /* of the step loop so far, s */
  int restarts;             /* how often it was resumed */
  int complete;             /* ns_complete */
  ns_checkpoint_lock *lock; /* of the writer, which moves on to the new file; NULL: none */
  ns_blob body;             /* simulation, then recorder */
} ns_checkpoint;

void ns_checkpoint_fini(ns_checkpoint *k); /* safe on a zeroed one */

/* Can it be written, and does no other process? Nothing that is there is touched. NS_NOCREATE; l is
 * none then. */
int ns_checkpoint_lock_take(ns_ctx *c, const char *path, ns_checkpoint_lock *l);
void ns_checkpoint_lock_drop(const char *path, ns_checkpoint_lock *l);
/* NS_OUTPUT; what was there before stays then. */
int ns_checkpoint_write(ns_ctx *c, const char *path, const ns_checkpoint *k);
/* NS_NOINPUT with the reason: missing, cut off, damaged, no checkpoint, of another format; *k is
 * then as ns_checkpoint_fini leaves it. */
int ns_checkpoint_read(ns_ctx *c, const char *path, ns_checkpoint *k);
/* The same from memory; name stands for the file. */
int ns_checkpoint_parse(ns_ctx *c, const char *name, const unsigned char *bytes, size_t n,
                        ns_checkpoint *k);
/* Path with ".prev" behind it; malloc'ed, NULL when out of memory. */
char *ns_checkpoint_previous(const char *path);

#endif
