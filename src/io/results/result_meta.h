/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_meta.h -- the metadata of an output: quantities, model, provenance, certificate.
 *
 * One struct serves reading and writing in all formats: a sink fills it from the run, a reader from
 * the file; `nssim info --json` and the JSON companion of CSV print it. Texts are borrowed. */
#ifndef NS_IO_RESULTS_RESULT_META_H
#define NS_IO_RESULTS_RESULT_META_H

#include "base/arena.h"
#include "simulation/record/measures.h"

#define NS_OUTPUT_FORMAT "nssim-output-1"

typedef struct ns_provenance {
  const char *version, *command, *host, *user; /* NULL if unknown */
  const char *started, *finished;              /* ISO 8601, UTC; finished NULL while running */
  const char *libraries;
  const char *status;  /* "running", "complete", "failed", "interrupted"; NULL: foreign table; CSV
                        * with other rows than a complete run has written: "incomplete" */
  const char *message; /* message of the failure, "" if none */
  int exit;            /* exit status of the process */
  double wall;         /* time spent in the step loop, s; NaN while running */
} ns_provenance;

/* Its texts by name: one list for all formats. */
typedef struct ns_provenance_text {
  const char *name;
  size_t offset; /* in ns_provenance */
  int of_start;  /* known when the run starts, and unchanged when it is resumed */
} ns_provenance_text;
extern const ns_provenance_text ns_provenance_texts[]; /* ends with name NULL */
const char *ns_provenance_get(const ns_provenance_text *f, const ns_provenance *p);
void ns_provenance_set(const ns_provenance_text *f, ns_provenance *p, const char *text);

/* A measure read from a file. */
typedef struct ns_result_measure {
  ns_measured m;
  const double *sample, *time; /* [m.samples] */
} ns_result_measure;

typedef struct ns_result_meta {
  const char *format;             /* NS_OUTPUT_FORMAT; NULL: foreign table */
  int first_order;                /* the certificate is that of first-order systems */
  const char *name, *title, *xml; /* of the model; NULL if unknown */
  double t0, T, h;                /* as requested, s; NaN if unknown */
  int nparameters, nsources;
  const ns_parameter *parameters;
  const ns_source *sources;
  ns_provenance provenance;
  int has_certificate;
  ns_certificate certificate;
  int nmeasures;
  const ns_result_measure *measures; /* measures of a file; NULL: those of the run, */
  const ns_model *model;             /* of this model */
  const ns_state *state;             /* in this state */
  int nchannels;
  const ns_channel *channels; /* [nchannels], columns side by side; time first */
  size_t ncols, nrows, nevents;
  int events_changed; /* their number is not that which the run has written */
  /* number of contacts in all rows; number of rows with contacts recorded, 0: none were recorded */
  size_t ncontacts, ncontact_rows;
} ns_result_meta;

/* Metadata of a run; r is NULL while it runs (status "running"). Borrows from both. */
ns_result_meta ns_result_meta_of_run(const ns_run_info *info, const ns_channel *channels,
                                     int nchannels, size_t ncols, const ns_run_result *r);

/* Measure k of a run or a file, and its samples [samples]; value or time may be NULL. */
void ns_result_measure_get(const ns_result_meta *m, int k, ns_measured *out);
void ns_result_measure_samples(const ns_result_meta *m, int k, double *value, double *time);

/* Scalars of the certificate by name: one list for all formats. */
typedef enum ns_cert_kind { NS_CERT_INT, NS_CERT_LONG, NS_CERT_DOUBLE } ns_cert_kind;
typedef struct ns_cert_field {
  const char *name, *unit, *help;
  ns_cert_kind kind;
  size_t offset; /* in ns_certificate */
  int optional;  /* omitted if it is zero */
} ns_cert_field;
/* Fields for first-order systems or for mechanics; ends with name NULL. A file belongs to the
 * former if it has the field "switches". */
const ns_cert_field *ns_cert_fields(int first_order);
/* 0 if the field is omitted. */
int ns_cert_shown(const ns_cert_field *f, const ns_certificate *c);
double ns_cert_get(const ns_cert_field *f, const ns_certificate *c);
void ns_cert_set(const ns_cert_field *f, ns_certificate *c, double x);

/* Properties that require reading the numbers. */
typedef struct ns_result_extent {
  double first, last;            /* time of the first and last row, s; NaN if there are none */
  size_t events[NS_EVENT_KINDS]; /* by kind */
} ns_result_extent;

/* 1 if the number of events of a kind is shown: if there are any; that of impact, contact and
 * release also if it is 0, unless there are switches. */
int ns_result_extent_shows(const ns_result_extent *x, int kind);

/* Write the metadata (without xml) as JSON: write is called with its pieces, and returns 0 or not.
 * Channels are written piece by piece, so that many columns need no memory. Non-finite numbers
 * become null. x may be NULL. < 0: out of memory, or write failed. */
typedef int (*ns_json_put)(const char *s, size_t n, void *to);
int ns_result_meta_write(const ns_result_meta *m, const ns_result_extent *x, ns_json_put write,
                         void *to);
/* The same as a text, freed by the caller; NULL when out of memory. */
char *ns_result_meta_json(const ns_result_meta *m, const ns_result_extent *x);
/* Fill m from such a text, allocated in a. NS_NOINPUT, with `path` in the message, if it is not
 * one. */
int ns_result_meta_parse(ns_ctx *c, const char *path, const char *text, size_t n, ns_arena *a,
                         ns_result_meta *m);

#endif
