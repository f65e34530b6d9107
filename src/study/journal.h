/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h -- what has been done: a record a run, in files that only grow.
 *
 * DIR/journal-I-of-N holds the runs that share I of N has done, as fields
 *
 *   key  complete|failed|killed  exit status  wall clock of its steps, s  message  name=value ...
 *
 * Every record is written by one write() at the end of the file: after a kill all records of runs
 * that were done are there. Who writes holds a lock on the file, so that no two processes do the
 * same share. */
#ifndef NS_STUDY_JOURNAL_H
#define NS_STUDY_JOURNAL_H

#include "study/record.h"
#include "study/study.h"

/* killed: its process was ended from outside, which says nothing of the run: it is done again. */
typedef enum ns_run_end { NS_RUN_END_COMPLETE, NS_RUN_END_FAILED, NS_RUN_END_KILLED } ns_run_end;

/* One run's last word: complete, else the last failure or kill. Points into the journal. */
typedef struct ns_outcome_of_run {
  int failed, killed, exit;
  double wall;
  const char *message, *message_end; /* escaped, record.h */
  const char *values, *end;          /* the fields behind it; values NULL: none */
} ns_outcome_of_run;

typedef struct ns_journal ns_journal;

/* All journals of dir; none is an empty journal. NS_NOINPUT, NS_NOMEM. */
int ns_journal_read(ns_ctx *c, const char *dir, ns_journal **j);
void ns_journal_destroy(ns_journal *j); /* NULL-safe */
/* NULL: it is still to be done. */
const ns_outcome_of_run *ns_journal_find(const ns_journal *j, const char *key);
/* Of one that is still to be done: how its process was killed. NULL: it was not. */
const ns_outcome_of_run *ns_journal_killed(const ns_journal *j, const char *key);
/* Lines that are no sound record: those that a kill or a full disk cut. */
long ns_journal_damaged(const ns_journal *j);

/* Open the journal of a share to add to it, and lock it. NS_NOCREATE; NS_OUTPUT where another
 * process holds it. */
int ns_journal_open(ns_ctx *c, const char *dir, int share, int nshares, int *fd);
/* Whether a process holds another journal of dir than the one that is open as `own` (-1: none). */
int ns_journal_others(const char *dir, int own);
/* Begin the record of a run; values may follow, then ns_record_seal. */
void ns_journal_record(ns_record *r, const char *key, ns_run_end end, int exit, double wall,
                       const char *message);
/* One write; 0 or errno. */
int ns_journal_append(int fd, const ns_record *r);

#endif
