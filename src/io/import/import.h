/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h -- from model files of other programs to the text of a model of nssim.
 *
 * An importer recognises its files by what they begin with and writes a model with the same
 * physics, to be read and edited: names kept, what was ignored or guessed told in comments. `nssim
 * import` shows the text, a run of such a file makes it and goes on with it. Another format is a
 * file that ends in one ns_importer and a line in import.c. */
#ifndef NS_IO_IMPORT_IMPORT_H
#define NS_IO_IMPORT_IMPORT_H

#include "base/context.h"

#include <stddef.h>

/* Of scenes (scene.h), which do not tell what their program is given. */
typedef struct ns_import_scene {
  /* numbers; NULL: as the file says, else the default of that program */
  const char *step, *end, *theta, *gravity;
  int later; /* capsules and cones as long as they say: release 4.5 and later */
  /* inertia that the file leaves out by the rule of Bullet, in place of that of the solids */
  int bullet;
  int margins; /* edges round by the margins that the reader there adds, not those of the file alone
                */
} ns_import_scene;

typedef struct ns_import_options {
  /* signature of all functions of plug-ins (model/plugin_form.h); NULL: as the sources or the file
   * say */
  const char *abi;
  const char *const
      *z; /* SYSTEM=NUMBER,NUMBER,...: user vectors, in place of those of the file [nz] */
  int nz;
  int floating; /* 1: the root of a robot moves freely, where its file does not say */
  /* name or number of the keyframe that a robot starts from; NULL: as drawn */
  const char *keyframe;
  int recover; /* mend what is not well-formed XML where that is possible, with a warning */
  ns_import_scene scene;
  const char *output; /* where the model goes, for files beside it; NULL: it is kept in memory */
} ns_import_options;

typedef struct ns_import_source {
  const char
      *path; /* as given: for messages; its folder is where files and plug-ins are looked for */
  const char *text; /* [n], ended by a 0 that n does not count */
  size_t n;
} ns_import_source;

typedef struct ns_importer {
  const char *name; /* "SiconosModel" */
  const char *what; /* what its files are, for messages: "a SiconosModel file (2005 to 2014)" */
  /* 1: this is one of them. */
  int (*recognises)(const ns_import_source *s);
  /* *out: the model, malloced and ended by a 0; NULL after a failure. All faults of the file are
   * reported (NS_MODEL). */
  int (*convert)(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out);
} ns_importer;

/* Ends with NULL. */
extern const ns_importer *const ns_importers[];
/* NULL: none knows the file. */
const ns_importer *ns_importer_of(const ns_import_source *s);

#endif
