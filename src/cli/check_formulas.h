/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_formulas.h -- `nssim check`: formulas that jump or have corners, and when. */
#ifndef NS_CLI_CHECK_FORMULAS_H
#define NS_CLI_CHECK_FORMULAS_H

#include "model/frozen.h"

/* Of an event-driven run, to stdout; z may be NULL: nothing. */
void ns_check_formulas_show(const ns_frozen *z);

#endif
