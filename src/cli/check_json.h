/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_json.h -- the output of `nssim check` as JSON. */
#ifndef NS_CLI_CHECK_JSON_H
#define NS_CLI_CHECK_JSON_H

#include "cli/understood.h"
#include "io/json.h"

ns_json ns_check_json(const ns_job *s, const ns_understood *u); /* freed by the caller */

#endif
