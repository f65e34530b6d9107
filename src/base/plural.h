/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plural.h -- "1 row", "2 rows" in messages. */
#ifndef NS_BASE_PLURAL_H
#define NS_BASE_PLURAL_H

/* The word that goes with the number n, of whichever integer type: a macro for that. */
#define ns_plural(n, one, many) ((n) == 1 ? (one) : (many))

#endif
