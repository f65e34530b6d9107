/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h -- converts model files of other programs to the text of an nssim model.
 *
 * An importer recognises a file by its beginning and writes a model with the same physics, meant
 * to be read and edited: it keeps the names and says in comments what was ignored or guessed.
 * `nssim import` prints the text; `nssim run` on such a file converts it and runs the result. To
 * add a format, write a source file that defines one ns_importer and add a line to import.c. */
#ifndef NS_IO_IMPORT_IMPORT_H
#define NS_IO_IMPORT_IMPORT_H

#include "base/context.h"

#include <stddef.h>

/* Options of scenes (scene.h), whose files do not contain the parameters of the run. */
typedef struct ns_import_scene {
  /* texts of numbers; NULL: the value of the file, or the default of that program */
  const char *step, *end, *theta, *gravity;
  int later; /* capsules and cones have the length given in the file, as in release 4.5 and later */
  /* an inertia missing in the file follows the rule of Bullet instead of that of the solid */
  int bullet;
  /* edges are rounded by the margins that the original reader adds to those of the file */
  int margins;
} ns_import_scene;

typedef struct ns_import_options {
  /* signature of all functions of plug-ins (model/plugin_form.h); NULL: according to their sources
   * or to the file */
  const char *abi;
  /* SYSTEM=NUMBER,NUMBER,...: user vectors that replace those of the file [nz] */
  const char *const *z;
  int nz;
  int floating; /* 1: the root of a robot moves freely if its file does not say how it moves */
  /* name or number of the keyframe in which a robot starts; NULL: the drawn configuration */
  const char *keyframe;
  int recover; /* repair XML that is not well-formed where possible, with a warning */
  ns_import_scene scene;
  /* path of the model, next to which further files are written; NULL: the model stays in memory */
  const char *output;
} ns_import_options;

typedef struct ns_import_source {
  /* as given by the user, for messages; files and plug-ins are looked for in its folder */
  const char *path;
  const char *text; /* [n], followed by a 0 that n does not count */
  size_t n;
} ns_import_source;

typedef struct ns_importer {
  const char *name; /* "SiconosModel" */
  const char *what; /* name of the format in messages: "a SiconosModel file (2005 to 2014)" */
  /* 1 if the file has this format. */
  int (*recognises)(const ns_import_source *s);
  /* Convert to *out, which is NULL: the model, malloced, ending in a 0; the caller frees it, after
   * a failure too. All errors of the file are reported (NS_MODEL). */
  int (*convert)(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out);
} ns_importer;

/* The importer, of all that there are, that recognises the file; NULL: none. */
const ns_importer *ns_importer_of(const ns_import_source *s);

#endif
