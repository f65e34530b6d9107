/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.h -- what bodies look like, in an HDF5 output, so that pictures need no model.
 *
 *   /shapes/table      one row a shape: id, kind, body, material, radius, half, position,
 *                      orientation, and its part of
 *   /shapes/vertices   [V x 3] m, in its axes, and
 *   /shapes/triangles  [T x 3] counted from its first vertex; of what has corners alone; what
 *                      shapes share stands once
 *   /shapes/radius     [bodies] m: the ball about the centre of mass that holds all of its shapes;
 *                      of a sphere its own
 *   /shapes/bodies     id, coordinates (7: in space, 3: planar)
 *   /shapes/materials  names
 *   /shapes/birth, /shapes/death  [shapes] s: when each is there, with its body; where one of them
 *                                 is not always there
 *
 * Shapes of the plane have a depth for pictures: disks are cylinders, polygons prisms, lines beams.
 */
#ifndef NS_IO_HDF5_SHAPES_H
#define NS_IO_HDF5_SHAPES_H

#include "io/hdf5/h5.h"
#include "io/results/result_scene.h"
#include "model/model.h"

/* Nothing where the model has no rigid bodies. < 0 on failure. */
int ns_h5_shapes_write(hid_t file, const ns_model *m);
/* Memory of a; all zero where there are none. < 0 on failure, out of memory or damaged. */
int ns_h5_shapes_read(hid_t file, ns_arena *a, ns_result_scene *s);

#endif
