/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h -- common part of `nssim run` and `nssim check`: opening a model and applying the options.
 *
 * The options are an argp child (ns_job_argp) whose input is the job. */
#ifndef NS_CLI_JOB_H
#define NS_CLI_JOB_H

#include "base/arena.h"
#include "base/claim.h"
#include "cli/import_words.h"
#include "plugin/loader.h"
#include "simulation/simulation.h"

#include <argp.h>

/* Arguments of a repeated option, in order, allocated in the job's arena. */
typedef struct ns_words {
  const char **word;
  int n;
} ns_words;

typedef struct ns_job {
  ns_ctx ctx;
  ns_claims claims; /* list of files (base/claim.h) */
  ns_arena *arena;
  /* Options. */
  const char *path; /* of the model */
  ns_words set, setting, include, plugin_path, record;
  ns_import_words import; /* its options are parsed by ns_import_argp */
  long long every;        /* 0: the value of the model */
  double t_end;           /* NaN: the value of the model */
  long long threads;      /* 0: the value of the model */
  int units;              /* as ns_load_options.units */
  /* Created from the options. */
  ns_plugins *plugins;
  ns_model *model;
  ns_simulation *sim;
  double load_seconds, setup_seconds;
} ns_job;

/* Append a copy of text. 0 or ENOMEM. */
int ns_words_add(ns_arena *a, ns_words *w, const char *text);

extern const struct argp ns_job_argp;

/* Call first and last; fini is safe on a zeroed job. */
int ns_job_init(ns_job *s);
void ns_job_fini(ns_job *s);

/* Load the model, apply the changes of the options, check the patterns of recorded quantities,
 * create the simulation. Returns NS_OK or a failure, reported in s->ctx. */
int ns_job_open(ns_job *s);
/* Destroy what it created and empty the list of files; it can then be called again. */
void ns_job_close(ns_job *s);

/* Patterns of recorded quantities: those of the options, else of the model. */
const char *const *ns_job_record(const ns_job *s, int *n);
int ns_job_every(const ns_job *s);

#endif
