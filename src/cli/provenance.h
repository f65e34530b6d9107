/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h -- who ran what, where and when: for /provenance of the output. */
#ifndef NS_CLI_PROVENANCE_H
#define NS_CLI_PROVENANCE_H

#include "base/arena.h"
#include "simulation/record/sink.h"

enum { NS_PROVENANCE_DATE = 32 };

typedef struct ns_provenance {
  const char *command; /* as a shell would take it again */
  char host[256], user[256], libraries[256], started[NS_PROVENANCE_DATE];
} ns_provenance;

/* Words as a shell takes them, on one line; memory of a, NULL: out of it. */
const char *ns_provenance_words(ns_arena *a, int n, const char *const *word);
/* Before options are parsed (argp reorders them). argv[0] is taken as it is: "nssim run". */
int ns_provenance_init(ns_provenance *p, ns_ctx *c, ns_arena *a, int argc, char **argv);
/* Borrows from p and m. Once the simulation is made: by then the libraries that it needs are
 * loaded. */
void ns_provenance_info(ns_provenance *p, const ns_model *m, ns_run_info *info);
/* Now, as 2024-05-01T12:00:00Z; returns buf. */
const char *ns_provenance_now(char buf[NS_PROVENANCE_DATE]);

#endif
