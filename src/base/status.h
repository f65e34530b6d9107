/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.h -- result of a call or a run: one list of codes, exit statuses and texts.
 *
 * Functions return NS_OK (0), NS_RETRY (> 0: step rejected, try a smaller one, state untouched) or
 * a negative code: fatal, its message is in the context (context.h). The exit statuses follow
 * sysexits.h; `nssim list statuses` and nssim(1) print this list. */
#ifndef NS_BASE_STATUS_H
#define NS_BASE_STATUS_H

/* X(name, code, exit status, text) */
#define NS_STATUS_LIST(X) \
  X(RETRY, 1, 70, "step rejected") \
  X(OK, 0, 0, "done; compare: the same") \
  X(DIFFER, -1, 1, "compare: different") \
  X(USAGE, -2, 2, "usage: unknown option, missing argument") \
  X(MODEL, -3, 65, "invalid model: file, line and reason on standard error") \
  X(NOINPUT, -4, 66, "no such input, or it cannot be read") \
  X(PLUGIN, -5, 69, "plug-in unusable: missing, wrong ABI, NaN or crash inside") \
  X(NUMERIC, -6, 70, "numerical failure: the message names it; the last good state is saved") \
  X(NOMEM, -7, 71, "out of memory") \
  X(NOCREATE, -8, 73, "cannot create output") \
  X(OUTPUT, -9, 74, "output error: disk full, device gone") \
  X(STOPPED, -10, 75, \
    "interrupted: the results so far are on disk; with a checkpoint, run again to continue")

#define NS_STATUS_ENUM(name, code, exit, text) NS_##name = code,
typedef enum ns_status { NS_STATUS_LIST(NS_STATUS_ENUM) } ns_status;
#undef NS_STATUS_ENUM

/* Exit status of the process for a code; 70 for one that is not in the list. */
int ns_status_exit(int code);

#endif
