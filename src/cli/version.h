/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h -- what this program is made of, for --version and /provenance. */
#ifndef NS_CLI_VERSION_H
#define NS_CLI_VERSION_H

#include <stddef.h>
#include <stdio.h>

/* "libxml2 2.9.14, jansson 2.14, ..."; the versions in use now, not those compiled against,
 * wherever the library says. Cut at n; returns buf. */
const char *ns_version_libraries(char *buf, size_t n);
/* The answer to `nssim --version`. */
void ns_version_print(FILE *f);

#endif
