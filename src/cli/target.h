/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h -- registers the files that a run reads and writes in the list of its context
 * (base/claim.h). */
#ifndef NS_CLI_TARGET_H
#define NS_CLI_TARGET_H

#include "model/model.h"

/* Register the model and all its files as read. NS_NOMEM. */
int ns_target_sources(ns_ctx *c, const ns_model *m);
/* Register `output` and the files written next to it. NS_NOCREATE if one of them is, under any
 * name, a file that is read, or another output. */
int ns_target_output(ns_ctx *c, const char *output, const ns_model *m);
/* The same for a file that is replaced by a new file PATH.new; with_previous: the old one is kept
 * as PATH.prev. */
int ns_target_replaced(ns_ctx *c, const char *path, const char *what, int with_previous);

/* Rename an earlier `output` and the files that belong to it to PATH and a suffix, replacing older
 * files of that name. NS_NOCREATE if one is a model, is read, is written by another process, or
 * cannot be renamed. */
int ns_target_set_aside(ns_ctx *c, const char *output, const char *suffix);
/* 1 where there is a file that it would replace; -1: out of memory. */
int ns_target_is_aside(const char *output, const char *suffix);

#endif
