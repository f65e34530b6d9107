/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provenance.h -- user, host, command and date of a run, for /provenance of the output. */
#ifndef NS_CLI_PROVENANCE_H
#define NS_CLI_PROVENANCE_H

#include "base/arena.h"
#include "simulation/record/sink.h"

enum { NS_PROVENANCE_DATE = 32 };

typedef struct ns_run_origin {
  const char *command; /* quoted for a shell */
  char host[256], user[256], libraries[256], started[NS_PROVENANCE_DATE];
} ns_run_origin;

/* Join words to one line, quoted for a shell; allocated in a; NULL: out of memory. */
const char *ns_provenance_words(ns_arena *a, int n, const char *const *word);
/* Call before options are parsed, because argp reorders them. argv[0] is used as given: "nssim
 * run". */
int ns_provenance_init(ns_run_origin *p, ns_ctx *c, ns_arena *a, int argc, char **argv);
/* Fill info, which borrows from p and m. Call once the simulation has been created, when the
 * libraries it needs are loaded. */
void ns_provenance_info(ns_run_origin *p, const ns_model *m, ns_run_info *info);
/* Current date and time, as 2024-05-01T12:00:00Z; returns buf. */
const char *ns_provenance_now(char buf[NS_PROVENANCE_DATE]);

#endif
