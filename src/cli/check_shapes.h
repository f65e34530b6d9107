/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_shapes.h -- what `nssim check` says of shapes, materials and their contacts. */
#ifndef NS_CLI_CHECK_SHAPES_H
#define NS_CLI_CHECK_SHAPES_H

#include "cli/json.h"
#include "model/model.h"

/* Shapes can meet: a step has contacts of its own. */
int ns_check_shapes_meet(const ns_model *m);
/* To stdout; nothing where the model has no shapes. */
void ns_check_shapes_show(const ns_model *m);
/* Member "shapes" of j, likewise. */
void ns_check_shapes_json(const ns_model *m, ns_json *j);

#endif
