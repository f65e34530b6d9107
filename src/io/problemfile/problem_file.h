/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file.h -- one-step problems in files, nssim-problem(5): read, written, told apart.
 *
 * A file does not say which family of problems it belongs to: the caller does, or its name.
 * Whatever bytes it holds, reading ends with a problem or with a sentence that names the file, the
 * line, what was found and what was expected. What is written with 17 digits and read again has the
 * same bits. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_H

#include "base/arena.h"
#include "problems/avi.h"
#include "problems/global.h"
#include "problems/mechanical.h"
#include "problems/polyhedral.h"
#include "problems/soclcp.h"

#define NS_PROBLEM_BYTES ((size_t)1 << 30) /* a longer file is refused */

/* Which member of a problem holds it. */
typedef enum ns_problem_form {
  NS_PROBLEM_BOX,
  NS_PROBLEM_POLYHEDRON,
  NS_PROBLEM_CONES,
  NS_PROBLEM_MECHANICAL,
  NS_PROBLEM_GLOBAL
} ns_problem_form;

typedef struct ns_problem_family ns_problem_family;

typedef struct ns_problem {
  const ns_problem_family *family;
  /* how the family is known: "as --family says", "by its name", "by its folder" */
  const char *by;
  int n;      /* unknowns; rows of the contacts */
  ns_avi box; /* of that form */
  ns_polyhedral polyhedron;
  ns_soclcp cones;
  ns_mechanical mechanical;
  ns_global global;
  const double *guess; /* where a solver shall begin, of r or z; NULL: the file says nothing [n] */
  ns_arena *arena;     /* holds all of it */
} ns_problem;

struct ns_tokens;
struct ns_problem_family {
  const char *name, *title; /* value of --family, name for a person: "lcp", "LCP" */
  const char *help;         /* fields of the file, one line */
  ns_problem_form form;
  /* to p->n and the member of the form; failures are the tokens' rc */
  void (*read)(struct ns_tokens *t, ns_problem *p);
};
#define NS_PROBLEM_FAMILIES \
  "lcp, mlcp, relay, avi, soclcp, fc2d, fc3d, fc, gfc, rfc2d, rfc3d, " \
  "rfc, grfc or gmp"                                  /* for messages */
extern const ns_problem_family ns_problem_families[]; /* ends with a NULL name */
/* NULL where there is none. */
const ns_problem_family *ns_problem_family_find(const char *name);
/* By the file's name (lcp*, *mlcp*, relay*, step*, avi*, soclcp*, fc2d*, fc3d*, gfc*, rfc*, grfc*,
 * gmp*, FrictionContact*), else its folder's; NULL where neither tells. */
const ns_problem_family *ns_problem_family_guess(const char *path, const char **by);

/* family NULL: by the name. path "-": standard input. NS_NOINPUT, NS_MODEL. */
int ns_problem_read(ns_ctx *c, const char *path, const ns_problem_family *family, ns_problem **out);
/* The same of text[0..n), text[n] = 0; name for messages. */
int ns_problem_parse(ns_ctx *c, const char *name, const char *text, size_t n,
                     const ns_problem_family *family, ns_problem **out);
void ns_problem_destroy(ns_problem *p); /* NULL-safe */

/* Write to path ("-": standard output). guess [n] and comment: behind the last field, may be NULL.
 * family: lcp, mlcp, relay or NULL (what the bounds make of it); bounds that the family cannot say
 * are refused with NS_MODEL. NS_NOCREATE, NS_OUTPUT. */
int ns_problem_write_box(ns_ctx *c, const char *path, const ns_problem_family *family,
                         const ns_avi *p, const double *guess, const char *comment);
int ns_problem_write_polyhedron(ns_ctx *c, const char *path, const ns_polyhedral *p,
                                const double *guess, const char *comment);
/* family: fc2d, fc3d, rfc2d, rfc3d, gmp, or NULL for what it is: friction or rolling alone in
 * blocks of one size, else gmp. */
int ns_problem_write_mechanical(ns_ctx *c, const char *path, const ns_problem_family *family,
                                const ns_mechanical *p, const double *guess, const char *comment);
/* What it takes by itself. */
const ns_problem_family *ns_problem_family_of_mechanical(const ns_mechanical *p);
int ns_problem_write_global(ns_ctx *c, const char *path, const ns_global *p, const double *guess,
                            const char *comment);
int ns_problem_write(ns_ctx *c, const char *path, const ns_problem *p, const char *comment);
/* The family that ns_problem_write_box takes by itself. */
const ns_problem_family *ns_problem_family_of(const ns_avi *p);

#endif
