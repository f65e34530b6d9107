/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lex.h -- tokens of a formula, read one at a time, and messages with their positions. */
#ifndef NS_EXPRESSION_LEX_H
#define NS_EXPRESSION_LEX_H

#include "base/context.h"

#include <stddef.h>

/* A token of one character is that character; others: */
typedef enum ns_token {
  NS_TOK_END = 256,
  NS_TOK_NUMBER,
  NS_TOK_NAME,
  NS_TOK_LE,
  NS_TOK_GE,
  NS_TOK_EQ,
  NS_TOK_NE,
  NS_TOK_AND,
  NS_TOK_OR
} ns_token;

typedef struct ns_lexer {
  ns_ctx *c;
  const char *at;   /* place, for messages */
  const char *text; /* without white space at its ends, not terminated */
  size_t len;
  int suffixes; /* numbers may have them */
  int rc;       /* first failure */
  /* the current token */
  int kind;         /* ns_token or a character */
  size_t pos, size; /* where it is in text */
  double number;
} ns_lexer;

/* Reads the first token. suffixes: numbers may be 1k, 10uF. */
void ns_lex_begin(ns_lexer *x, ns_ctx *c, const char *at, const char *text, size_t len,
                  int suffixes);
/* Reads the next one; END after the last and after a failure. */
void ns_lex_next(ns_lexer *x);
/* Fail with `at: in "text", column pos+1: sentence` unless something has failed before; -1. */
int ns_lex_fail(ns_lexer *x, size_t pos, const char *fmt, ...) NS_PRINTF(3, 4);
/* Fail with `found TOKEN, expected WHAT` at the current token; -1. */
int ns_lex_expected(ns_lexer *x, const char *what);

#endif
