/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.h -- reads a result: HDF5 or CSV written by nssim, or any CSV table with a header row.
 *
 * Quantities are identified by the labels that CSV uses as headings ("ball.x", "ground.lambda",
 * "diagnostics.energy_defect", "time"). Also accepted are "ball.q[0]" if the coordinate has a name,
 * "bead.q" if there is one component, and "energy_defect" alone. The file of a killed run contains
 * complete rows up to the last flush, and its status is still "running". The quantities of a
 * foreign table are its headings. */
#ifndef NS_IO_RESULTS_RESULT_H
#define NS_IO_RESULTS_RESULT_H

#include "io/results/result_meta.h"
#include "io/results/result_scene.h"

typedef struct ns_result ns_result;

/* One column of the table of results. */
typedef struct ns_column {
  int channel;       /* index into meta->channels */
  int component;     /* 0 .. ncol-1 */
  const char *label; /* borrowed from the result */
  const char *unit;  /* NULL if unknown */
} ns_column;

/* An event as stored in the file. */
typedef struct ns_result_event {
  double t;
  int kind;                /* ns_event_kind, < 0: unknown to this version */
  const char *interaction; /* id, borrowed from the result */
  int index, row;          /* of the interaction in the model, row within it */
  double before, after;    /* m/s */
  double impulse;          /* N s */
  double lost;             /* J; NaN in files of earlier versions */
  int was, is;             /* ns_row_mode before and after it, < 0: unknown */
} ns_result_event;

/* Open a result. HDF5 is recognised by its first bytes; any other file is read as CSV. NS_NOINPUT,
 * NS_NOMEM. */
int ns_result_open(ns_ctx *c, const char *path, ns_result **r);
/* Open the table of the sweep in a folder: HDF5, which knows units and title, or CSV. The same
 * errors. */
int ns_result_open_folder(ns_ctx *c, const char *path, ns_result **r);
void ns_result_close(ns_result *r); /* NULL-safe */

const ns_result_meta *ns_result_get_meta(const ns_result *r);
const char *ns_result_path(const ns_result *r);
/* 1 if it is the table of a sweep (run_table.h): its first columns are run, key and status. */
int ns_result_is_sweep(const ns_result_meta *m);
/* Find the column of a label; NS_USAGE, with a suggestion, if there is none. */
int ns_result_find(ns_result *r, ns_ctx *c, const char *label, ns_column *col);
/* The same without a message: returns 1 if found, else 0. (A message needs a search of all
 * labels.) */
int ns_result_lookup(ns_result *r, ns_ctx *c, const char *label, ns_column *col);
/* All columns that match a pattern, in the order of the file: a label, a channel ("ball.q" or its
 * path), or either with * and ?. Allocated in a. NS_USAGE, with a suggestion, if there are none. */
int ns_result_match(ns_result *r, ns_ctx *c, const char *pattern, ns_arena *a, ns_column **cols,
                    int *ncols);
/* The values of one column, out [meta->nrows]. */
int ns_result_read(ns_result *r, ns_ctx *c, const ns_column *col, double *out);
/* The values of a channel by rows, out [meta->nrows x ncol]. */
int ns_result_read_channel(ns_result *r, ns_ctx *c, int channel, double *out);
/* The values of one row, out [ncol]. */
int ns_result_read_row(ns_result *r, ns_ctx *c, int channel, size_t row, double *out);
/* All events in order [meta->nevents]; read once, owned by the result. */
int ns_result_events(ns_result *r, ns_ctx *c, const ns_result_event **events);
/* Bodies and shapes; all zero if there are none. Owned by the result. */
int ns_result_get_scene(ns_result *r, ns_ctx *c, const ns_result_scene **s);
/* Contacts of a row; valid until the next call. Rows beyond meta->ncontact_rows have none. */
int ns_result_contacts(ns_result *r, ns_ctx *c, size_t row, const ns_contact_record **k, size_t *n);

/* Functions of a format. The arena lives as long as the result. */
typedef struct ns_result_ops {
  size_t size;
  int (*open)(ns_ctx *c, const char *path, ns_arena *a, ns_result_meta *meta, void **self);
  /* [n x ncol] */
  int (*read_rows)(void *self, ns_ctx *c, int channel, size_t from, size_t n, double *out);
  int (*events)(void *self, ns_ctx *c, ns_result_event *e); /* [nevents], ids in the arena */
  void (*close)(void *self);
  /* allocated in the arena; NULL: the format has none */
  int (*scene)(void *self, ns_ctx *c, ns_result_scene *s);
  /* Number of contacts of row < meta->ncontact_rows, or with k [that many] the contacts. NULL: the
   * format has none. */
  int (*contacts)(void *self, ns_ctx *c, size_t row, size_t *n, ns_contact_record *k);
} ns_result_ops;

/* Reader of any table; companion files of nssim are read with it. */
extern const ns_result_ops ns_csv_reader;
/* Open a regular file for reading and return its descriptor; < 0 and NS_NOINPUT if it is not a
 * regular file. This never blocks. */
int ns_result_file(ns_ctx *c, const char *path);

#endif
