/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_formulas.h -- `nssim check`: formulas with jumps or corners, and when they occur. */
#ifndef NS_CLI_CHECK_FORMULAS_H
#define NS_CLI_CHECK_FORMULAS_H

#include "model/frozen.h"

/* Print those of an event-driven run to stdout; z may be NULL: none. */
void ns_check_formulas_show(const ns_frozen *z);

#endif
