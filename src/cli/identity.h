/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identity.h -- what makes two runs the same one, for checkpoints. */
#ifndef NS_CLI_IDENTITY_H
#define NS_CLI_IDENTITY_H

#include "cli/job.h"
#include "io/results/checkpoint_file.h"

/* format: of the output, "hdf5", "csv", "none". NS_NOINPUT: the program cannot read itself. */
int ns_identity_of(ns_job *s, const char *format, ns_identity *id);
/* NULL where both are the same, else what differs and what is to be done about it: end of a
 * sentence. */
const char *ns_identity_differs(const ns_identity *a, const ns_identity *b);
/* Model of the processor; "unknown" where the system does not tell. */
void ns_identity_cpu(char *buf, size_t n);

#endif
