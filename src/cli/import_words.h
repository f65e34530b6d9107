/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_words.h -- options of commands that read model files of other programs, as an argp child
 * whose input they are. */
#ifndef NS_CLI_IMPORT_WORDS_H
#define NS_CLI_IMPORT_WORDS_H

#include "base/arena.h"
#include "io/import/import.h"

#include <argp.h>

typedef struct ns_import_words {
  ns_arena *arena; /* to be set before parsing: of the words */
  ns_import_options import;
} ns_import_words;

extern const struct argp ns_import_argp;
/* Of nssim import alone: numbers that a run has options for. */
extern const struct argp ns_import_scene_argp;

#endif
