/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/import_words.h"

#include <errno.h>
#include <string.h>

enum { KEY_ABI = 0x600, KEY_Z, KEY_RECOVER, KEY_FLOATING, KEY_KEYFRAME };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Of SiconosModel files:", 7},
    {"plugin-abi", KEY_ABI, "WINDOW", 0,
     "What the functions of plug-ins take: A, B0, B1, B2, C, C2, D, E, F1 or F (man 7 "
     "nssim-plugin). Without it: as their sources beside "
     "the file say, else as its form suggests",
     0},
    {"z", KEY_Z, "SYSTEM=X,...", 0,
     "Parameters of a system, by its name or number, where a program set them (repeatable)", 0},
    {"recover", KEY_RECOVER, 0, 0,
     "Mend what is not well-formed: bytes before the XML declaration, tags that do not match", 0},
    {0, 0, 0, 0, "Of robots:", 6},
    {"floating-base", KEY_FLOATING, 0, 0, "The root link of a URDF moves freely; without it, it is fixed to the world", 0},
    {"keyframe", KEY_KEYFRAME, "NAME", 0, "Start from a keyframe of a model of MuJoCo, by its name or number from 1", 0},
    {0},
};

static error_t add_z(ns_import_words *w, const char *text)
{
  size_t n = (size_t)w->import.nz;
  const char **more = ns_arena_get(w->arena, n + 1, sizeof *more);
  if (!more) return ENOMEM;
  if (n) memcpy(more, w->import.z, n * sizeof *more);
  more[n] = text;
  w->import.z = more;
  w->import.nz++;
  return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  ns_import_words *w = state->input;
  switch (key) {
  case KEY_ABI: w->import.abi = arg; return 0;
  case KEY_Z: return add_z(w, arg);
  case KEY_FLOATING: w->import.floating = 1; return 0;
  case KEY_KEYFRAME: w->import.keyframe = arg; return 0;
  case KEY_RECOVER: w->import.recover = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ns_import_argp = {.options = options, .parser = parse_option};
