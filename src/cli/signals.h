/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.h -- Ctrl-C ends a run, not its results.
 *
 * The first SIGINT, SIGTERM, SIGHUP or SIGUSR1 asks the run to stop after its step; another one of
 * them, half a second later or more, does what it does by default. SIGUSR1 is what schedulers send
 * some time before they end a job. SIGUSR2 asks for a checkpoint and lets the run go on, where
 * checkpoints are written. One that was ignored when the program started (nohup, a background job
 * of a script) stays ignored. SIGPIPE and SIGXFSZ are ignored: the write fails and is reported. */
#ifndef NS_CLI_SIGNALS_H
#define NS_CLI_SIGNALS_H

#include <signal.h>

void ns_signals_ignore(void);  /* SIGPIPE, SIGXFSZ */
void ns_signals_install(void); /* the others */
/* From here on a crash is said to be the fault of the file at path (borrowed): libhdf5 falls over
 * some damaged ones. Exit status NS_NOINPUT. */
void ns_signals_reading(const char *path);
void ns_signals_listen(void); /* SIGUSR2, where checkpoints are written */
/* 1 where one has come since the last call. */
int ns_signals_asked(void);
/* Number of the signal that asked to stop, 0 before. */
const volatile sig_atomic_t *ns_signals_caught(void);

/* From here on a library that crashes because memory ends, ends the program with a sentence and the
 * status of NS_NOMEM. */
void ns_signals_memory(void);

#endif
