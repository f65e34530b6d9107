/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.h -- signals: Ctrl-C ends a run but preserves its results.
 *
 * The first SIGINT, SIGTERM, SIGHUP, SIGUSR1 or SIGXCPU stops the run after the current step. A
 * second one, at least half a second later, has its default effect, except SIGXCPU, which the
 * system repeats every second. Job schedulers send SIGUSR1 some time before they end a job. SIGUSR2
 * requests a checkpoint, if checkpoints are written, and the run continues. A signal that was
 * ignored when the program started (nohup, a background job of a script) remains ignored, except
 * SIGUSR2. SIGPIPE and SIGXFSZ are ignored: the write fails and is reported. */
#ifndef NS_CLI_SIGNALS_H
#define NS_CLI_SIGNALS_H

#include <signal.h>

void ns_signals_ignore(void);  /* SIGPIPE, SIGXFSZ */
void ns_signals_install(void); /* the others */
/* From now on a crash is reported as an error of the file at path (borrowed), because libhdf5
 * crashes on some damaged files. Exit status NS_NOINPUT. */
void ns_signals_reading(const char *path);
void ns_signals_listen(void); /* SIGUSR2, if checkpoints are written */
/* 1 if a checkpoint was requested since the last call. */
int ns_signals_requested(void);
/* Number of the signal that requested the stop; 0 before. */
const volatile sig_atomic_t *ns_signals_caught(void);

/* From now on, if a library crashes because memory is exhausted, the program ends with a message
 * and the status of NS_NOMEM. */
void ns_signals_memory(void);

#endif
