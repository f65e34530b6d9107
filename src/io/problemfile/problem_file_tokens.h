/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_tokens.h -- a problem file as a stream of words parted by white space.
 *
 * Line breaks carry no meaning but for messages: `file:line: what was found, what was expected`.
 * Numbers are read whole, in the C locale. Nothing is allocated for a count that the rest of the
 * text has no room for: each number takes two bytes of it.
 *
 * The first failure is reported and stays in rc. What is read after it is the least number that is
 * allowed, or 0, arrays are NULL, and nothing more is reported: a reader looks at rc where it uses
 * arrays of its own, and at the end. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_TOKENS_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_TOKENS_H

#include "base/arena.h"
#include "base/context.h"

#include <locale.h>
#include <stddef.h>

typedef struct ns_tokens {
  ns_ctx *c;
  ns_arena *arena;     /* what is read lives here */
  const char *file;    /* for messages */
  const char *p, *end; /* the rest; *end is 0 */
  const char *word;    /* the last word, [len]; what messages quote */
  size_t len;
  int line;      /* of the last word */
  int next_line; /* at p */
  locale_t posix;
  int rc; /* of the first failure */
} ns_tokens;

/* text[0..n), text[n] = 0. */
int ns_tokens_init(ns_tokens *t, ns_ctx *c, ns_arena *a, const char *file, const char *text,
                   size_t n);
void ns_tokens_fini(ns_tokens *t);

/* The next word; 0 where there is none (len = 0, line: the last one). */
int ns_tokens_next(ns_tokens *t);
/* 1 where the next word is this one, which is taken. */
int ns_tokens_word(ns_tokens *t, const char *is);
/* Leave out the rest of the line. */
void ns_tokens_skip_line(ns_tokens *t);

/* NS_MODEL: "file:line: found ..., expected <fmt>". */
void ns_tokens_expected(ns_tokens *t, const char *fmt, ...) NS_PRINTF(2, 3);
/* NS_MODEL: "file:line: <fmt>". */
void ns_tokens_fail(ns_tokens *t, const char *fmt, ...) NS_PRINTF(2, 3);
/* n zero items, and one more, of the arena; NULL: a failure. */
void *ns_tokens_get(ns_tokens *t, size_t n, size_t size);

/* A whole number in [min, max]; what: "n, the number of unknowns". */
int ns_tokens_integer(ns_tokens *t, long long min, long long max, const char *what);
/* The word s[0..len) as a whole number, without a sentence; 1 if it is one in [min, max]. */
int ns_tokens_as_integer(const char *s, size_t len, long long min, long long max, int *x);
/* A finite number; what: "1-norm". */
double ns_tokens_real(ns_tokens *t, const char *what);
/* n finite numbers of the vector or block `what`, to x. infinite: inf and -inf are numbers, too. */
void ns_tokens_reals(ns_tokens *t, size_t n, int infinite, double *x, const char *what);
/* The same into new memory of the arena, once there is room for them. */
const double *ns_tokens_vector(ns_tokens *t, size_t n, int infinite, const char *what);
/* NS_MODEL unless the rest of the text has room for rows x cols numbers of `what`. */
void ns_tokens_capacity(ns_tokens *t, size_t rows, size_t cols, const char *what);

#endif
