/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_contacts.h -- contacts between shapes in two results, pair of shapes by pair of shapes.
 *
 * Points of a manifold come in any order, and friction divides forces between them as it likes:
 * what is compared of a pair at a row are the sum of its impulses, contacts.impulse, where a pair
 * that does not touch has none, and the least of its gaps, contacts.gap, where both sides have one.
 * A number differs by the same rule as those of rows, its scale is the largest in the reference.
 * Only rows at the same times count, and rows near events do not; impulses of other steps are not
 * compared. */
#ifndef NS_IO_COMPARE_COMPARE_CONTACTS_H
#define NS_IO_COMPARE_COMPARE_CONTACTS_H

#include "io/compare/compare_curve.h"
#include "io/compare/compare_findings.h"

enum { NS_COMPARE_CONTACT_QUANTITIES = 2 };

/* Whether a pattern of the options means contacts, and m has some. */
int ns_compare_names_contacts(const ns_result_meta *m, const char *pattern);
/* Append to the quantities of the report, which have room for NS_COMPARE_CONTACT_QUANTITIES more,
 * and to its notes. */
int ns_compare_contacts(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_grid *g,
                        int same_step, const ns_compare_options *o, const ns_compare_pen *pen);

#endif
