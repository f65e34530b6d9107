/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_info.c -- nssim info: what is in an output, and how good it is. */
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/signals.h"
#include "io/export/export.h"
#include "io/results/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct info {
  const char *path;
  char *print; /* comma-separated patterns */
  int json, events, all;
} info;

enum { KEY_JSON = 0x200, KEY_EVENTS, KEY_ALL, KEY_PRINT };

static const struct argp_option options[] = {
    {"print", KEY_PRINT, "QUANTITY,...", 0,
     "Print the time and these columns as CSV; with wildcards * and ?", 0},
    {"events", KEY_EVENTS, 0, 0, "Print the table of events as CSV", 0},
    {"json", KEY_JSON, 0, 0, "Print a JSON object", 0},
    {"all", KEY_ALL, 0, 0, "List all quantities, parameters and sources, even if there are many",
     0},
    {0},
};

static const char doc[] = "Show the contents of an output file (HDF5 or CSV): quantities, "
                          "certificate, provenance, and whether its run is complete.\n\n"
                          "Examples:\n"
                          "  nssim info out.h5\n"
                          "  nssim info out.h5 --print ball.x,ground.lambda > columns.csv\n"
                          "  nssim info out.h5 --events\n"
                          "  nssim info out.h5 --json | jq .certificate.energy_defect_max\n";

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {KEY_JSON, NS_CONSOLE_FLAG, offsetof(info, json), NULL, 0},
    {KEY_EVENTS, NS_CONSOLE_FLAG, offsetof(info, events), NULL, 0},
    {KEY_ALL, NS_CONSOLE_FLAG, offsetof(info, all), NULL, 0},
    {KEY_PRINT, NS_CONSOLE_TEXT, offsetof(info, print), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  info *o = state->input;
  if (ns_console_store(targets, key, arg, state) == 0) return 0;
  return ns_console_file(state, key, arg, "an output such as out.h5", &o->path);
}

static const struct argp info_argp = {options, parse_option, "FILE", doc, 0, 0, 0};

/* Comma-separated patterns, cut in place. */
static int print_columns(ns_result *r, ns_ctx *c, char *list)
{
  size_t max = 1;
  for (const char *s = list; *s; s++) max += *s == ',';
  const char **patterns = calloc(max, sizeof *patterns);
  if (!patterns) return ns_nomem(c, "patterns of --print");
  int n = 0;
  char *rest = NULL;
  for (char *s = strtok_r(list, ",", &rest); s; s = strtok_r(NULL, ",", &rest)) patterns[n++] = s;
  ns_export_options o = {
      .what = NS_EXPORT_ROWS, .quantities = patterns, .n = n, .from = NAN, .to = NAN};
  int rc = ns_export_csv(c, r, &o, stdout);
  free(patterns);
  return rc;
}

/* Of the folder of a sweep its table. */
static int open_result(ns_ctx *c, const char *path, ns_result **r)
{
  ns_ctx quiet = {.claims = c->claims};
  if (ns_cli_is_folder(path) && ns_result_open_folder(&quiet, path, r) == NS_OK) return NS_OK;
  return ns_cli_open_result(c, path, r);
}

int ns_cmd_info(int argc, char **argv)
{
  info o = {0};
  int status = ns_console_parse(&info_argp, argc, argv, &o);
  if (status) return status;
  if ((o.print != NULL) + o.events + o.json > 1)
    return ns_console_usage(argv[0], "--print, --events and --json exclude each other");
  ns_ctx c = ns_cli_context();
  ns_result *r;
  ns_signals_reading(o.path);
  if (open_result(&c, o.path, &r)) return ns_cli_exit(&c);
  if (o.print) print_columns(r, &c, o.print);
  else if (o.events)
    ns_export_csv(&c, r, &(ns_export_options){.what = NS_EXPORT_EVENTS, .from = NAN, .to = NAN},
                  stdout);
  else if (o.json) ns_info_json(r, &c, stdout);
  else ns_info_text(r, &c, o.all, stdout);
  ns_result_close(r);
  return ns_cli_exit(&c);
}
