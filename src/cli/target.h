/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h -- what a run reads and writes, for the list of its context (base/claim.h). */
#ifndef NS_CLI_TARGET_H
#define NS_CLI_TARGET_H

#include "model/model.h"

/* The model and all files it is made of are read. NS_NOMEM. */
int ns_target_sources(ns_ctx *c, const ns_model *m);
/* `output` and what is made beside it are written. NS_NOCREATE where one of them is, by whatever
 * name, a file that is read, or another output. */
int ns_target_output(ns_ctx *c, const char *output, const ns_model *m);
/* The same of a file that is replaced by a new one PATH.new, and kept as PATH.prev where asked for.
 */
int ns_target_replaced(ns_ctx *c, const char *path, const char *what, int with_previous);

/* Rename an earlier `output`, and the files that belong to it, to PATH~, in place of older ones of
 * that name. NS_NOCREATE where one is a model, is read, is written by another process, or cannot be
 * renamed. */
int ns_target_backup(ns_ctx *c, const char *output);

#endif
