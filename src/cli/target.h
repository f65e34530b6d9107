/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h -- an output may not take the place of what the model is made of. */
#ifndef NS_CLI_TARGET_H
#define NS_CLI_TARGET_H

#include "model/model.h"

/* NS_NOCREATE where `output`, or a file that is written beside it, is by whatever name the model, a file it
 * reads or standard input. */
int ns_target_check(ns_ctx *c, const char *output, const ns_model *m);

/* NS_NOCREATE where `output` is by whatever name the file `input` ("-": standard input), of which a person would say
 * `what`: "the problem". */
int ns_target_spare(ns_ctx *c, const char *output, const char *input, const char *what);

#endif
