/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_shapes.h -- the output of `nssim check` about shapes, materials and their contacts. */
#ifndef NS_CLI_CHECK_SHAPES_H
#define NS_CLI_CHECK_SHAPES_H

#include "io/json.h"
#include "model/model.h"

/* 1 if shapes can collide, so that steps find contacts by themselves. */
int ns_check_shapes_meet(const ns_model *m);
/* Print to stdout; nothing if the model has no shapes. */
void ns_check_shapes_show(const ns_model *m);
/* Add a member "shapes" to j; nothing if the model has no shapes. */
void ns_check_shapes_json(const ns_model *m, ns_json *j);

#endif
