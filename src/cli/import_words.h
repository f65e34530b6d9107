/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_words.h -- options of commands that read model files of other programs, as an argp child
 * whose input is the ns_import_words. */
#ifndef NS_CLI_IMPORT_WORDS_H
#define NS_CLI_IMPORT_WORDS_H

#include "base/arena.h"
#include "io/import/import.h"

#include <argp.h>

typedef struct ns_import_words {
  ns_arena *arena; /* set before parsing; owns the words */
  ns_import_options import;
} ns_import_words;

extern const struct argp ns_import_argp;
/* Options of nssim import only; `nssim run` has its own options for these numbers. */
extern const struct argp ns_import_scene_argp;

#endif
