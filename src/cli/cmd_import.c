/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_import.c -- nssim import: a model of nssim from a model file of another program. */
#include "base/claim.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/import_words.h"
#include "io/export/export_file.h"
#include "io/load/load_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct import_options {
  const char *path, *output;
  ns_import_words words; /* their options are parsed by ns_import_argp */
} import_options;

static const struct argp_option import_arguments[] = {
    {"output", 'o', "FILE", 0, "Write the model to FILE; standard output by default or with -", 0},
    {0},
};

static const char doc[] =
    "Convert a model file of another program: SiconosModel files of 2005 to 2014, in all their "
    "forms; decks of ngspice, whose devices become ideal; robots in URDF and models of MuJoCo; "
    "scenes of siconos.io.mechanics_run (HDF5).\n\n"
    "Examples:\n"
    "  nssim import OLD.xml -o model.xml          a model with the same physics\n"
    "  nssim import OLD.xml --plugin-abi=C        plug-ins of 2005-11\n"
    "  nssim import OLD.xml --recover -o model.xml\n"
    "  nssim import CIRCUIT.cir -o model.xml      netlist and .tran\n"
    "  nssim import ROBOT.urdf -o model.xml       links and joints\n"
    "  nssim import MODEL.xml -o model.xml        a model of MuJoCo\n"
    "  nssim import SCENE.hdf5 --step 1e-3 --end 5 -o model.xml\n"
    "\vNames do not change. Plug-ins are given by name, with abi= for the signatures of their "
    "functions. A comment at the head of the model lists what was changed, guessed or omitted. "
    "nssim OLD.xml -o out.h5 converts such a file and runs the model.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  import_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &o->words; return 0;
  case 'o': o->output = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->path) ns_console_refuse(state, "two files, '%s' and '%s': expected one", o->path, arg);
    o->path = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    ns_console_refuse(state, "no file given: expected a model file of another program");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {
    {&ns_import_argp, 0, 0, 0}, {&ns_import_scene_argp, 0, 0, 0}, {0}};
static const struct argp import_argp = {
    import_arguments, parse_option, "FILE", doc, children, 0, 0};

/* An import may take the place of an earlier one; of another model, as any output, it may not. */
static void drop_earlier(const char *output)
{
  static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n  Imported from ";
  char found[sizeof head] = "";
  FILE *f = fopen(output, "r");
  size_t n = f ? fread(found, 1, sizeof head - 1, f) : 0;
  if (f) fclose(f);
  if (n == sizeof head - 1 && !memcmp(found, head, n)) unlink(output);
}

static int write_model(ns_ctx *c, const char *output, const char *text)
{
  ns_export_file to;
  if (!output || !strcmp(output, "-")) return fputs(text, stdout) < 0 ? NS_OUTPUT : NS_OK;
  drop_earlier(output);
  int rc = ns_export_file_open(c, output, &to);
  if (rc) return rc;
  fputs(text, to.f);
  return ns_export_file_close(&to);
}

static int import(ns_ctx *c, const import_options *o)
{
  ns_files files = {.arena = o->words.arena, .scratch = o->words.arena};
  ns_text text = {.text = ""};
  ns_import_options options = o->words.import;
  char *model = NULL;
  int rc = ns_files_init(&files, c, o->path, NULL, 0);
  if (!rc) rc = ns_files_read_model(&files, c, o->path, &text);
  ns_import_source source = {
      .path = strcmp(o->path, "-") ? o->path : "standard input", .text = text.text, .n = text.n};
  const ns_importer *k = rc ? NULL : ns_importer_of(&source);
  if (!rc && !k)
    rc = ns_fail(c, NS_MODEL,
                 "%s: unknown kind of file, expected <SiconosModel>, <robot> or <mujoco> as its "
                 "first element, a deck of ngspice with .tran, or a scene in HDF5; a file that "
                 "begins with <model> needs no import",
                 source.path);
  if (o->output && strcmp(o->output, "-")) options.output = o->output;
  if (!rc) rc = k->convert(c, &source, &options, &model);
  if (!rc) rc = write_model(c, o->output, model);
  free(model);
  ns_files_fini(&files);
  return rc;
}

int ns_cmd_import(int argc, char **argv)
{
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  import_options o = {.words = {.arena = ns_arena_create(0, 1)}};
  if (!o.words.arena) return ns_status_exit(ns_nomem(&c, "command line"));
  c.claims = &claims;
  int status = ns_console_parse(&import_argp, argc, argv, &o);
  if (!status) {
    import(&c, &o);
    status = ns_cli_exit(&c);
  }
  ns_claims_fini(&claims);
  ns_arena_destroy(o.words.arena);
  return status;
}
