/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/import_words.h"

#include "cli/console.h"

#include <errno.h>
#include <string.h>

enum {
  KEY_ABI = 0x600,
  KEY_Z,
  KEY_RECOVER,
  KEY_FLOATING,
  KEY_KEYFRAME,
  KEY_STEP,
  KEY_END,
  KEY_THETA,
  KEY_GRAVITY,
  KEY_RELEASE,
  KEY_INERTIA,
  KEY_MARGINS
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Import of SiconosModel files:", 8},
    {"plugin-abi", KEY_ABI, "WINDOW", 0,
     "Signatures of the plug-in functions: A, B0, B1, B2, C, C2, D, E, F1 or F (man 7 "
     "nssim-plugin). By default determined from their sources next to the file, or from the form "
     "of the file",
     0},
    {"z", KEY_Z, "SYSTEM=X,...", 0,
     "Parameters of a system, given by its name or number, if a driver set them (repeatable)", 0},
    {"recover", KEY_RECOVER, 0, 0,
     "Repair a file that is not well-formed: bytes before the XML declaration, mismatched tags", 0},
    {0, 0, 0, 0, "Import of robots:", 7},
    {"floating-base", KEY_FLOATING, 0, 0,
     "The root link of a URDF robot moves freely; by default it is fixed to the world", 0},
    {"keyframe", KEY_KEYFRAME, "NAME", 0,
     "Start from a keyframe of a MuJoCo model, given by its name or number from 1", 0},
    {0},
};

static const struct argp_option scene_options[] = {
    {0, 0, 0, 0, "Import of scenes of siconos.io.mechanics_run:", 9},
    {"step", KEY_STEP, "H", 0, "Step in s; by default that of the file, or 5e-4", 0},
    {"end", KEY_END, "T", 0, "Final time in s; by default that of the file, or 10", 0},
    {"theta", KEY_THETA, "THETA", 0,
     "Parameter theta of the scheme; by default that of the file, or 0.50001", 0},
    {"gravity", KEY_GRAVITY, "G", 0,
     "Gravity in m/s^2, along -z, in the plane along -y; by default 9.80665 divided by the "
     "gravity_scale of the file",
     0},
    {"release", KEY_RELEASE, "4.4|4.5", 0,
     "Meaning of shapes: up to 4.4 (the default) capsules and cones are half as long as their "
     "attributes state",
     0},
    {"inertia", KEY_INERTIA, "solids|bullet", 0,
     "Inertia that the file does not contain: that of uniform solids (the default), or by the rule "
     "of Bullet",
     0},
    {"margins", KEY_MARGINS, 0, 0,
     "Also round edges by the default margins of Siconos, and enlarge convex hulls in the plane",
     0},
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

/* Which of two words; *second is set. */
static error_t one_of(struct argp_state *state, const char *option, const char *word, const char *a,
                      const char *b, int *second)
{
  *second = !strcmp(word, b);
  if (!*second && strcmp(word, a))
    ns_console_refuse(state, "%s '%s': expected %s or %s", option, word, a, b);
  return 0;
}

static error_t parse_scene_option(int key, char *arg, struct argp_state *state)
{
  ns_import_words *w = state->input;
  switch (key) {
  case KEY_STEP: w->import.scene.step = arg; return 0;
  case KEY_END: w->import.scene.end = arg; return 0;
  case KEY_THETA: w->import.scene.theta = arg; return 0;
  case KEY_GRAVITY: w->import.scene.gravity = arg; return 0;
  case KEY_RELEASE: return one_of(state, "--release", arg, "4.4", "4.5", &w->import.scene.later);
  case KEY_INERTIA:
    return one_of(state, "--inertia", arg, "solids", "bullet", &w->import.scene.bullet);
  case KEY_MARGINS: w->import.scene.margins = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

const struct argp ns_import_scene_argp = {.options = scene_options, .parser = parse_scene_option};
