/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h -- whether two results say the same, by a rule that knows what an event is.
 *
 * A is judged, B is the reference. Quantities are paired by label (or by a map of names), events by
 * kind, interaction, row and order. Between matched events the time of A is mapped affinely to that
 * of B (compare_time.h) and A is interpolated at the rows of B (compare_curve.h), so that a jump
 * that comes a little early or late is no difference of the size of the jump. A value differs where
 *
 *   |a - b| > atol + rtol max(max b - min b, max |b|, nominal)   over the column of the reference.
 *
 * A run that is not complete, ends early, has no rows or a NaN is never the same as anything. */
#ifndef NS_IO_COMPARE_COMPARE_H
#define NS_IO_COMPARE_COMPARE_H

#include "io/plot/plot.h"
#include "io/results/result.h"

#include <stdio.h>

typedef struct ns_compare_map {
  const char *a, *b; /* names of one quantity in A and in B */
} ns_compare_map;

typedef struct ns_compare_nominal {
  const char *quantity; /* pattern, of B */
  double value;         /* least scale of its tolerance */
} ns_compare_nominal;

typedef struct ns_compare_options {
  double rtol, atol;
  double time_tol; /* s; 0: rows and events at the same times, to rounding */
  double until;    /* s; NaN: to the end */
  /* s; from there on states are compared, events not matched; NaN: to the end */
  double events_until;
  /* patterns of ns_result_match, or ids [nonly]; none: all but diagnostics */
  const char *const *only;
  const char *const *ignore;         /* [nignore]; "events": those, too */
  const ns_compare_map *map;         /* [nmap] */
  const ns_compare_nominal *nominal; /* [nnominal] */
  const char *const *quaternions;    /* "w,x,y,z", labels of B [nquaternions] */
  int nonly, nignore, nmap, nnominal, nquaternions;
} ns_compare_options;

typedef enum ns_compare_kind {
  NS_COMPARE_RUN,     /* not complete, truncated, empty, time that goes back */
  NS_COMPARE_GRID,    /* rows at other times */
  NS_COMPARE_MISSING, /* quantity that only one side has */
  NS_COMPARE_UNIT,
  NS_COMPARE_EVENT, /* event without counterpart, or with another impulse */
  NS_COMPARE_NAN,   /* not finite on one side or both */
  NS_COMPARE_VALUE
} ns_compare_kind;
const char *ns_compare_kind_text(ns_compare_kind k); /* "run", "grid", ... */

typedef struct ns_compare_finding {
  ns_compare_kind kind;
  const char *quantity;         /* label, of an event: its interaction; NULL where of no quantity */
  double t;                     /* of the reference, s; NaN where of no time */
  double a, b;                  /* both values; NaN where it is not about values */
  double difference, tolerance; /* |a - b|, what was allowed */
  double ratio;                 /* difference / tolerance; infinite where it is not about values */
  const char *text;             /* sentence; NULL: made of the values by ns_compare_sentence */
} ns_compare_finding;

/* How the rows of a quantity were compared. */
typedef enum ns_compare_how {
  NS_COMPARE_ROWS, /* at the rows of the reference */
  NS_COMPARE_SUMS, /* impulses of runs with other steps: sums over the spans between events */
  NS_COMPARE_NOT   /* could not be: see the notes */
} ns_compare_how;

typedef struct ns_compare_quantity {
  const char *label, *label_a; /* in B, in A */
  const char *unit;            /* NULL where unknown */
  ns_compare_how how;
  size_t rows, skipped;            /* compared; left out for an event that is near */
  size_t differ;                   /* beyond the tolerance */
  ns_compare_finding first, worst; /* first: valid where differ > 0; worst: where rows > 0 */
} ns_compare_quantity;

typedef struct ns_compare_report {
  const char *a, *b; /* paths */
  int same;
  ns_compare_quantity *quantities;        /* [nquantities], in the order of B */
  size_t nquantities, ncompared, ndiffer; /* paired; compared at all; different */
  size_t rows, rows_a, rows_b;            /* of the reference that were compared; in the files */
  size_t events, events_left; /* matched; not matched, for an accumulation or the end being near */
  ns_compare_finding *findings; /* all but of values, at most NS_COMPARE_MOST [nfindings] */
  size_t nfindings, nfindings_all;
  const char **notes; /* sentences about what was not compared [nnotes] */
  size_t nnotes;
  /* of all; NULL where there is none. worst: also if the same */
  const ns_compare_finding *first, *worst;
  double end; /* time up to which was compared, s */
} ns_compare_report;

enum { NS_COMPARE_MOST = 100 };

/* Compare; the report is memory of arena and outlives the results. c without failures so far. NS_OK
 * whatever is found: report->same tells. Failures: those of reading, NS_USAGE for names in options
 * that neither side has. */
int ns_compare(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_options *o, ns_arena *arena,
               ns_compare_report *report);

/* One sentence about a finding; buf [n]; returns buf. */
const char *ns_compare_sentence(const ns_compare_finding *f, char *buf, size_t n);
/* "12 quantities, 2001 rows, 1 event"; buf [n]; returns buf. */
const char *ns_compare_counts(const ns_compare_report *r, char *buf, size_t n);
/* The report for a person: verdict, first and worst difference, what was compared. */
void ns_compare_print(const ns_compare_report *r, const ns_compare_options *o, FILE *f);
/* A picture of one quantity of both, by the labels it has there, and of B - A. As ns_plot; of the
 * options those of the page count. */
int ns_compare_plot(ns_ctx *c, ns_result *a, ns_result *b, const char *label_a, const char *label_b,
                    const ns_plot_options *o);

#endif
