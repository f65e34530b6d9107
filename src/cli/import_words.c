/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/import_words.h"

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
    {0, 0, 0, 0, "Of SiconosModel files:", 7},
    {"plugin-abi", KEY_ABI, "WINDOW", 0,
     "What the functions of plug-ins take: A, B0, B1, B2, C, C2, D, E, F1 or F (man 7 "
     "nssim-plugin). Without it: as their sources beside the file say, else as its form suggests",
     0},
    {"z", KEY_Z, "SYSTEM=X,...", 0,
     "Parameters of a system, by its name or number, where a program set them (repeatable)", 0},
    {"recover", KEY_RECOVER, 0, 0,
     "Mend what is not well-formed: bytes before the XML declaration, tags that do not match", 0},
    {0, 0, 0, 0, "Of robots:", 6},
    {"floating-base", KEY_FLOATING, 0, 0,
     "The root link of a URDF moves freely; without it, it is fixed to the world", 0},
    {"keyframe", KEY_KEYFRAME, "NAME", 0,
     "Start from a keyframe of a model of MuJoCo, by its name or number from 1", 0},
    {0},
};

static const struct argp_option scene_options[] = {
    {0, 0, 0, 0, "Of scenes of siconos.io.mechanics_run:", 6},
    {"step", KEY_STEP, "H", 0, "Step in s; without it as the file says, else 5e-4", 0},
    {"end", KEY_END, "T", 0, "End in s; without it as the file says, else 10", 0},
    {"theta", KEY_THETA, "THETA", 0, "Of the scheme; without it as the file says, else 0.50001", 0},
    {"gravity", KEY_GRAVITY, "G", 0,
     "In m/s^2, along -z, in the plane -y; without it 9.80665, by the gravity_scale of the file",
     0},
    {"release", KEY_RELEASE, "4.4|4.5", 0,
     "Whose shapes are meant: up to 4.4, which is taken without it, capsules and cones are half as "
     "long as they say",
     0},
    {"inertia", KEY_INERTIA, "solids|bullet", 0,
     "Inertia that the file leaves out: of the solids, which is taken without it, or by the rule "
     "of Bullet",
     0},
    {"margins", KEY_MARGINS, 0, 0, "Hulls of the plane larger by their margins, as there", 0},
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
    argp_error(state, "%s '%s': expected %s or %s", option, word, a, b);
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
