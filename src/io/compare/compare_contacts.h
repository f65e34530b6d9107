/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_contacts.h -- compares contacts between shapes, by pairs of shapes.
 *
 * The points of a contact manifold have no fixed order, and with friction the distribution of
 * forces among them is not unique. For each pair and row, the comparison therefore uses the sum of
 * its impulses, contacts.impulse (zero for a pair without contact), and the minimum of its gaps,
 * contacts.gap, if both results have one. Tolerances are those of rows, with the maximum in the
 * reference as scale. Only rows at the same times and not near events are compared; impulses are
 * not compared if the steps differ. */
#ifndef NS_IO_COMPARE_COMPARE_CONTACTS_H
#define NS_IO_COMPARE_COMPARE_CONTACTS_H

#include "io/compare/compare_curve.h"
#include "io/compare/compare_findings.h"

enum { NS_COMPARE_CONTACT_QUANTITIES = 2 };

/* 1 if a pattern of the options refers to contacts and m has some. */
int ns_compare_names_contacts(const ns_result_meta *m, const char *pattern);
/* Append to the quantities of the report, whose array must have space for
 * NS_COMPARE_CONTACT_QUANTITIES more, and to its notes. */
int ns_compare_contacts(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_grid *g,
                        int same_step, const ns_compare_options *o, const ns_compare_pen *pen);

#endif
