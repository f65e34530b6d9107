/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_blocks.h -- continuous blocks.
 *
 * A <block> is a system of first order that nobody had to write down, with the state of its
 * transfer function (load_made.h); derivatives, schemes, events and checkpoints need to know
 * nothing of it. Its outputs are formulas of its state and input: who reads one gets its nodes, as
 * those of a function. */
#ifndef NS_IO_LOAD_LOAD_BLOCKS_H
#define NS_IO_LOAD_LOAD_BLOCKS_H

#include "io/load/load_job.h"

/* 1: e is a <block>. */
int ns_load_is_block(const ns_elem *e);
/* How many states its system has; 0: none, or faults that are told where it is made. */
int ns_load_block_states(ns_load *l, ns_elem *e, const ns_indices *index);
/* The system of a <block> with a state; once all are made, the law of a limited rate; and then an
 * observable of each of its outputs. */
ns_visit ns_load_block, ns_load_block_law, ns_load_block_outputs;
/* Output k of the block e called id, as a formula of id.x[...] and of what its input reads; of
 * l->scratch. NULL: it has no such output, or faults that are told where it is made. */
const char *ns_load_block_output(ns_load *l, ns_elem *e, const ns_indices *index, const char *id,
                                 int k);

#endif
