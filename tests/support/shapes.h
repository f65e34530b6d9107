/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.h -- memory and messages of a test of shapes. */
#ifndef TESTS_SUPPORT_SHAPES_H
#define TESTS_SUPPORT_SHAPES_H

#include "base/arena.h"
#include "base/context.h"

static ns_arena *mem;
static ns_ctx ctx;

static void make(void)
{
  mem = ns_arena_create(0, 1);
  ctx = (ns_ctx){0};
}
static void drop(void) { ns_arena_destroy(mem); }

#endif
