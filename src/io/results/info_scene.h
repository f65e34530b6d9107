/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_scene.h -- private to info.c: bodies, shapes and contacts of a result. */
#ifndef NS_IO_RESULTS_INFO_SCENE_H
#define NS_IO_RESULTS_INFO_SCENE_H

#include "io/results/result.h"

#include <stdio.h>

/* Print them; nothing if there are none. */
int ns_info_scene(ns_result *r, ns_ctx *c, FILE *f);

#endif
