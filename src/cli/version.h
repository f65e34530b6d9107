/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h -- versions of the program and its libraries, for --version and /provenance. */
#ifndef NS_CLI_VERSION_H
#define NS_CLI_VERSION_H

#include <stddef.h>
#include <stdio.h>

/* "libxml2 2.9.14, jansson 2.14, ...": the versions in use, not those compiled against, if the
 * library reports them. Cut at n; returns buf. */
const char *ns_version_libraries(char *buf, size_t n);
/* Print the output of `nssim --version`. */
void ns_version_print(FILE *f);

#endif
