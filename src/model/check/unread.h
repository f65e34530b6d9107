/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unread.h -- warnings about commands of controls that are never read, such as a controller that
 * writes u if no formula contains u. */
#ifndef NS_MODEL_CHECK_UNREAD_H
#define NS_MODEL_CHECK_UNREAD_H

#include "model/model.h"

/* Warn of each entry written by a control that no system, relation, other control, observable,
 * measure or event reads. A plug-in with the argument z is assumed to read all of it. If memory
 * runs out there is no warning. */
void ns_unread_warn(const ns_model *m, ns_ctx *c);

#endif
