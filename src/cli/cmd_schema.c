/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_schema.c -- nssim schema: nssim.xsd, for editors and xmllint. */
#include "cli/cli.h"
#include "cli/console.h"
#include "model/language/language.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char doc[] =
    "Print the XML schema of model files.\n\n"
    "Examples:\n"
    "  nssim schema >nssim.xsd\n"
    "  xmllint --noout --xinclude --nofixup-base-uris --schema nssim.xsd model.xml\n"
    "\v`nssim check` finds more than a schema can: names, sizes, formulas, numbers out of range.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
  ns_console_refuse(state, "'%s': expected no argument", arg);
  return 0;
}

static const struct argp schema_argp = {0, parse_option, "", doc, 0, 0, 0};

int ns_cmd_schema(int argc, char **argv)
{
  int status = ns_console_parse(&schema_argp, argc, argv, NULL);
  if (status) return status;
  ns_lang_print_xsd(stdout);
  ns_ctx c = ns_cli_context();
  if (fflush(stdout) || ferror(stdout))
    ns_fail(&c, NS_OUTPUT, "standard output: %s", strerror(errno));
  return ns_cli_exit(&c);
}
