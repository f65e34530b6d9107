/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pending.c -- commands whose files are not there yet; goes when they are. */
#include "cli/cli.h"

static int pending(const char *name)
{
  ns_ctx c = ns_cli_context();
  ns_fail(&c, NS_USAGE, "%s: not in this build yet", name);
  return ns_cli_exit(&c);
}

__attribute__((weak)) int ns_cmd_plot(int argc, char **argv)
{
  (void)argc;
  return pending(argv[0]);
}
