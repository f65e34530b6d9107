/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h -- what run and check share: which model, with which changes, and getting it ready.
 *
 * Options are an argp child (ns_job_argp) whose input is the job. */
#ifndef NS_CLI_JOB_H
#define NS_CLI_JOB_H

#include "base/arena.h"
#include "base/claim.h"
#include "cli/import_words.h"
#include "plugin/loader.h"
#include "simulation/simulation.h"

#include <argp.h>

/* Words of repeated options, in their order; memory of the job's arena. */
typedef struct ns_words {
  const char **word;
  int n;
} ns_words;

typedef struct ns_job {
  ns_ctx ctx;
  ns_claims claims; /* files of the context */
  ns_arena *arena;
  /* Options. */
  const char *path; /* of the model */
  ns_words set, setting, include, plugin_path, record;
  ns_import_words import; /* its options are parsed by ns_import_argp */
  long long every;        /* 0: as the model says */
  double t_end;           /* NaN: as the model says */
  long long threads;      /* 0: as the model says */
  int units;              /* as ns_load_options.units */
  /* Made of them. */
  ns_plugins *plugins;
  ns_model *model;
  ns_simulation *sim;
  double load_seconds, setup_seconds;
} ns_job;

/* Append a copy of text. 0 or ENOMEM. */
int ns_words_add(ns_arena *a, ns_words *w, const char *text);

extern const struct argp ns_job_argp;

/* Before and after everything else; fini is safe on a zeroed job. */
int ns_job_init(ns_job *s);
void ns_job_fini(ns_job *s);

/* Load the model, apply what the options change, check the recorded patterns, create the
 * simulation. Returns NS_OK or a failure, told in s->ctx. */
int ns_job_open(ns_job *s);

/* Patterns in force: of the options, else of the model. */
const char *const *ns_job_record(const ns_job *s, int *n);
int ns_job_every(const ns_job *s);

/* Monotonic clock, s. */
double ns_job_clock(void);

#endif
