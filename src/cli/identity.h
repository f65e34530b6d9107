/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identity.h -- identity of a run, for checkpoints: a checkpoint belongs to one run. */
#ifndef NS_CLI_IDENTITY_H
#define NS_CLI_IDENTITY_H

#include "cli/job.h"
#include "io/results/checkpoint_file.h"

/* Identity of the run s. format: of the output, "hdf5", "csv", "none". NS_NOINPUT: the program
 * cannot read its own file. */
int ns_identity_of(ns_job *s, const char *format, ns_identity *id);
/* NULL if both are the same, else the difference and how to resolve it, as the end of a message. */
const char *ns_identity_differs(const ns_identity *a, const ns_identity *b);
/* Model of the processor; "unknown" if the system does not report it. */
void ns_identity_cpu(char *buf, size_t n);

#endif
