/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h -- the results of a sweep: one record per run, in files that only grow.
 *
 * DIR/journal-I-of-N contains the runs done by share I of N, with the fields
 *
 *   key  complete|failed|killed  exit status  wall clock of steps, s  message  name=value ...
 *
 * Each record is appended by a single write(), so that the records of finished runs survive a kill.
 * The writing process holds a lock on the file, so that two processes cannot work on the same
 * share. */
#ifndef NS_STUDY_JOURNAL_H
#define NS_STUDY_JOURNAL_H

#include "study/record.h"
#include "study/study.h"

/* killed: the process was ended from outside, which says nothing about the run, so it is
 * repeated */
typedef enum ns_run_end { NS_RUN_END_COMPLETE, NS_RUN_END_FAILED, NS_RUN_END_KILLED } ns_run_end;

/* Final outcome of a run: complete, else its last failure or kill. Pointers go into the journal. */
typedef struct ns_outcome_of_run {
  int failed, killed, exit;
  double wall;
  const char *message, *message_end; /* escaped, record.h */
  const char *values, *end;          /* the fields after the message; values NULL: none */
} ns_outcome_of_run;

typedef struct ns_journal ns_journal;

/* Read all journals of dir; if there are none, the result is an empty journal. NS_NOINPUT,
 * NS_NOMEM. */
int ns_journal_read(ns_ctx *c, const char *dir, ns_journal **j);
void ns_journal_destroy(ns_journal *j); /* NULL-safe */
/* Outcome of a run; NULL: it is still to be done. */
const ns_outcome_of_run *ns_journal_find(const ns_journal *j, const char *key);
/* For a run that is still to be done: the record of its kill. NULL: it was not killed. */
const ns_outcome_of_run *ns_journal_killed(const ns_journal *j, const char *key);
/* Number of lines that are not valid records, because a kill or a full disk truncated them. */
long ns_journal_damaged(const ns_journal *j);

/* Open the journal of a share for appending, and lock it. NS_NOCREATE: it cannot be opened, or
 * another process has locked it. */
int ns_journal_open(ns_ctx *c, const char *dir, int share, int nshares, int *fd);
/* 1 if another process has locked a journal of dir other than the one open as `own` (-1: none). */
int ns_journal_others(const char *dir, int own);
/* Begin the record of a run. Values may follow; then call ns_record_seal. */
void ns_journal_record(ns_record *r, const char *key, ns_run_end end, int exit, double wall,
                       const char *message);
/* Append the record by one write(). Returns 0 or errno. */
int ns_journal_append(int fd, const ns_record *r);

#endif
