/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unread.h -- commands of controls that nothing reads: a controller that writes u where no formula
 * has u. */
#ifndef NS_MODEL_CHECK_UNREAD_H
#define NS_MODEL_CHECK_UNREAD_H

#include "model/model.h"

/* Warns of each entry that a control writes and that no system, relation, control (its own memory
 * apart), observable, measure or event reads. A plug-in that is handed z reads all of it. Memory
 * that is out is left: it is a warning. */
void ns_unread_warn(const ns_model *m, ns_ctx *c);

#endif
