/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_words.c -- the names of laws in scenes, which are those of models. */
#include "io/import/scene.h"

const char *const ns_scene_laws[] = {"NewtonImpactFrictionNSL",
                                     "NewtonImpactRollingFrictionNSL",
                                     "NewtonImpactNSL",
                                     "FremondImpactFrictionNSL",
                                     "RelayNSL",
                                     NULL};
