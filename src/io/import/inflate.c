/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/inflate.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 15, LITERALS = 288, DISTANCES = 30 };

typedef struct stream {
  const unsigned char *from;
  size_t n, at;
  uint32_t bits;
  int nbits, bad;
  unsigned char *to;
  size_t m, made;
} stream;

/* Canonical Huffman code: how many codes of each length, symbols in their order. */
typedef struct code {
  short count[LONGEST + 1], symbol[LITERALS];
} code;

/* The next k bits, the lowest first; 0 behind the end, which is bad. */
static unsigned take(stream *s, int k)
{
  while (s->nbits < k) {
    if (s->at == s->n) s->bad = 1;
    s->bits |= (uint32_t)(s->at < s->n ? s->from[s->at++] : 0) << s->nbits;
    s->nbits += 8;
  }
  unsigned x = s->bits & ((1u << k) - 1);
  s->bits >>= k;
  s->nbits -= k;
  return x;
}

static void code_make(code *c, const unsigned char *length, int n)
{
  short first[LONGEST + 1] = {0};
  memset(c->count, 0, sizeof c->count);
  for (int k = 0; k < n; k++) c->count[length[k]]++;
  for (int k = 1; k < LONGEST; k++) first[k + 1] = (short)(first[k] + c->count[k]);
  for (int k = 0; k < n; k++)
    if (length[k]) c->symbol[first[length[k]]++] = (short)k;
  c->count[0] = 0;
}

static int code_next(stream *s, const code *c)
{
  int value = 0, first = 0, index = 0;
  for (int k = 1; k <= LONGEST && !s->bad; k++) {
    value |= (int)take(s, 1);
    if (value - c->count[k] < first) return c->symbol[index + value - first];
    index += c->count[k];
    first = (first + c->count[k]) << 1;
    value <<= 1;
  }
  s->bad = 1;
  return 0;
}

static void put(stream *s, unsigned char x)
{
  if (s->made == s->m) s->bad = 1;
  else s->to[s->made++] = x;
}

static void copy(stream *s, size_t length, size_t distance)
{
  if (distance > s->made) s->bad = 1;
  for (; length && !s->bad; length--) put(s, s->to[s->made - distance]);
}

/* Symbols up to the end of a block. */
static void block(stream *s, const code *literals, const code *distances)
{
  while (!s->bad) {
    int k = code_next(s, literals), extra;
    if (k < 256) put(s, (unsigned char)k);
    else if (k == 256) return;
    else if (k > 285) s->bad = 1;
    else {
      size_t length, distance;
      extra = k < 265 || k == 285 ? 0 : (k - 261) / 4;
      length = k < 265 ? (size_t)(k - 254) : (size_t)(((k - 265) % 4 + 4) << extra) + 3;
      if (k == 285) length = 258;
      length += take(s, extra);
      int d = code_next(s, distances);
      if (d >= DISTANCES) s->bad = 1;
      extra = d < 4 ? 0 : d / 2 - 1;
      distance = d < 4 ? (size_t)d + 1 : ((size_t)(2 + d % 2) << extra) + 1;
      if (!s->bad) copy(s, length, distance + take(s, extra));
    }
  }
}

static void fixed_block(stream *s)
{
  unsigned char length[LITERALS];
  code literals, distances;
  for (int k = 0; k < LITERALS; k++) length[k] = k < 144 || k >= 280 ? 8 : 9;
  for (int k = 256; k < 280; k++) length[k] = 7;
  code_make(&literals, length, LITERALS);
  memset(length, 5, DISTANCES);
  code_make(&distances, length, DISTANCES);
  block(s, &literals, &distances);
}

static void coded_block(stream *s)
{
  static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
  unsigned char length[LITERALS + 32] = {0};
  code lengths, literals, distances;
  int n = (int)take(s, 5) + 257, m = (int)take(s, 5) + 1, k = (int)take(s, 4) + 4, at = 0;
  for (int i = 0; i < k; i++) length[order[i]] = (unsigned char)take(s, 3);
  code_make(&lengths, length, 19);
  memset(length, 0, sizeof length);
  while (at < n + m && !s->bad) {
    int symbol = code_next(s, &lengths), again = 1;
    unsigned char x = (unsigned char)symbol;
    if (symbol == 16) {
      x = at ? length[at - 1] : 0;
      s->bad |= !at;
      again = 3 + (int)take(s, 2);
    } else if (symbol > 16) {
      x = 0;
      again = symbol == 17 ? 3 + (int)take(s, 3) : 11 + (int)take(s, 7);
    }
    if (at + again > n + m) s->bad = 1;
    for (; again && !s->bad; again--) length[at++] = x;
  }
  if (s->bad || n > 286 || m > DISTANCES) {
    s->bad = 1;
    return;
  }
  code_make(&literals, length, n);
  code_make(&distances, length + n, m);
  block(s, &literals, &distances);
}

static void stored_block(stream *s)
{
  s->bits = 0;
  s->nbits = 0;
  unsigned n = take(s, 16), complement = take(s, 16);
  if ((n ^ complement) != 0xffff) s->bad = 1;
  for (; n && !s->bad; n--) put(s, (unsigned char)take(s, 8));
}

int ns_inflate(const unsigned char *from, size_t n, unsigned char *to, size_t m)
{
  stream s = {.from = from, .n = n, .to = to, .m = m, .at = 2};
  int last = 0;
  if (n < 2 || (from[0] & 15) != 8 || (from[0] * 256 + from[1]) % 31 || from[1] & 32) return 0;
  while (!last && !s.bad) {
    last = (int)take(&s, 1);
    unsigned kind = take(&s, 2);
    if (kind == 0) stored_block(&s);
    else if (kind == 1) fixed_block(&s);
    else if (kind == 2) coded_block(&s);
    else s.bad = 1;
  }
  return !s.bad && s.made == m;
}
