/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh_parts.h -- private to mesh*.c. */
#ifndef NS_COLLISION_MESH_PARTS_H
#define NS_COLLISION_MESH_PARTS_H

#include "collision/mesh.h"

/* Fills patch and sharp from the rest. */
void ns_mesh_find_patches(ns_mesh *m);

#endif
