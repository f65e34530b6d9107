/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.h -- shapes of bodies in an HDF5 output, so that pictures do not need the model.
 *
 *   /shapes/table      one row per shape: id, kind, body, material, radius, half, position,
 *                      orientation, and its ranges of
 *   /shapes/vertices   [V x 3] m, in axes of the shape, and
 *   /shapes/triangles  [T x 3], indices relative to its first vertex; only of shapes with
 *                      corners; shapes with the same triangles share them
 *   /shapes/radius     [bodies] m: radius of the ball about the centre of mass that contains all
 *                      shapes of the body; of a sphere its own radius
 *   /shapes/bodies     id, number of coordinates (7: in space, 3: planar)
 *   /shapes/materials  names
 *   /shapes/birth, /shapes/death  [shapes] s: interval in which each exists with its body; only
 *                                 if some do not always exist
 *
 * In pictures, shapes of the plane have a depth: disks are cylinders, polygons prisms, lines
 * beams. */
#ifndef NS_IO_HDF5_SHAPES_H
#define NS_IO_HDF5_SHAPES_H

#include "io/hdf5/h5.h"
#include "io/results/result_scene.h"
#include "model/model.h"

/* Write the shapes; nothing if the model has no rigid bodies. < 0 on failure. */
int ns_h5_shapes_write(hid_t file, const ns_model *m);
/* Read the shapes, allocated in a; all zero if there are none. < 0 on failure: out of memory, or
 * the file is damaged. */
int ns_h5_shapes_read(hid_t file, ns_arena *a, ns_result_scene *s);

#endif
