/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.h -- the runs of a sweep by number and key: DIR/manifest.
 *
 * Records (record.h), by their fields:
 *
 *   sweep   version  study  model  sum of model  runs  name  title
 *   column  name  kind  unit  initial
 *   run     number  key  cell ...
 *   end
 *
 * When the study changes, the file is replaced as a whole, so that a process that collects results
 * or does a share sees one study. Journals remain valid, because their records are identified by
 * keys. */
#ifndef NS_STUDY_MANIFEST_H
#define NS_STUDY_MANIFEST_H

#include "study/study.h"

typedef struct ns_manifest {
  ns_study *study;           /* owned; paths, columns, cells */
  char (*key)[NS_STUDY_KEY]; /* key of run k, in the study's arena [nruns] */
} ns_manifest;

/* Compute the keys of a study, whose paths become file names. The manifest takes ownership of s,
 * also on failure. NS_NOMEM. */
int ns_manifest_make(ns_ctx *c, ns_study *s, ns_manifest *m);
/* Read DIR/manifest. NS_NOINPUT if it is missing or damaged. */
int ns_manifest_read(ns_ctx *c, const char *dir, ns_manifest *m);
/* Create the folder if it is missing. NS_NOCREATE. */
int ns_manifest_folder(ns_ctx *c, const char *dir);
/* Write the manifest if there is none or a different one; *changed: 1 if there was a different one.
 * journal: descriptor of the journal that this process has locked, -1: none. While another process
 * has locked a journal, a different study is not replaced. NS_NOCREATE, NS_OUTPUT. */
int ns_manifest_write(ns_ctx *c, const char *dir, const ns_manifest *m, int journal, int *changed);
void ns_manifest_fini(ns_manifest *m);

#endif
