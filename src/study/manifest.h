/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.h -- the runs of a sweep by number and key: DIR/manifest.
 *
 * Records (record.h):  sweep version study model sum-of-model runs name title,  column name kind
 * unit initial,
 * run number key cell ...,  end. It is replaced as a whole when the study changes, so that a
 *                           process which collects or takes
 * a share sees one study; journals stay, for their records go by key. */
#ifndef NS_STUDY_MANIFEST_H
#define NS_STUDY_MANIFEST_H

#include "study/study.h"

typedef struct ns_manifest {
  ns_study *study;           /* owned; paths, columns, cells */
  char (*key)[NS_STUDY_KEY]; /* of run k; of the study's arena [nruns] */
} ns_manifest;

/* Keys of a study, whose paths become names of files; takes it over, also on failure. NS_NOMEM. */
int ns_manifest_make(ns_ctx *c, ns_study *s, ns_manifest *m);
/* NS_NOINPUT where there is none, or it is damaged. */
int ns_manifest_read(ns_ctx *c, const char *dir, ns_manifest *m);
/* Make the folder, where it is missing. NS_NOCREATE. */
int ns_manifest_folder(ns_ctx *c, const char *dir);
/* Write it where there is none or another one; *changed tells. journal: descriptor of one's own,
 * -1: none; where another process holds another one, no other study takes the place of its own.
 * NS_NOCREATE, NS_OUTPUT. */
int ns_manifest_write(ns_ctx *c, const char *dir, const ns_manifest *m, int journal, int *changed);
void ns_manifest_fini(ns_manifest *m);

#endif
