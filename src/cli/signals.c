/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/signals.h"

#include <stddef.h>

/* A signal belongs to the process, and so does this: the one variable of the program. */
static volatile sig_atomic_t caught;

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { NSTOPPING = sizeof stopping / sizeof *stopping };

static void stop(int sig)
{
  caught = sig;
  for (size_t k = 0; k < NSTOPPING; k++) signal(stopping[k], SIG_DFL);
}

void ns_signals_install(void)
{
  struct sigaction a = {.sa_handler = stop, .sa_flags = SA_RESTART}, old;
  sigemptyset(&a.sa_mask);
  for (size_t k = 0; k < NSTOPPING; k++)
    if (sigaction(stopping[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(stopping[k], &a, NULL);
}

void ns_signals_ignore(void)
{
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

const volatile sig_atomic_t *ns_signals_caught(void) { return &caught; }
