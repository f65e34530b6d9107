/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.c -- the systems, relations and laws there are; a new kind is a line here, its element in
 * the language table, and its mathematics in a file of its own. */
#include "model/model.h"

static const ns_system_kind lagrangian_ltids = {
    "LagrangianLinearTIDS", NS_SYS_LINEAR,
    "M dv + (C v + K q) dt = fExt(t) dt + dr, constant M, C, K"};
static const ns_system_kind lagrangian_diagonal = {
    "LagrangianLinearDiagonalDS", NS_SYS_LINEAR | NS_SYS_DIAGONAL,
    "the same with diagonal M, C, K, given as vectors"};
static const ns_system_kind lagrangian = {
    "LagrangianDS", 0, "M(q) dv + (fGyr(q,v) + fInt(t,q,v)) dt = fExt(t) dt + dr"};

const ns_system_kind *const ns_system_kinds[] = {&lagrangian, &lagrangian_ltids,
                                                 &lagrangian_diagonal, NULL};

static const ns_relation_kind lagrangian_ltir = {
    "LagrangianLinearTIR", "y = H q + e + F z, ydot = H v, p = H^T lambda"};
const ns_relation_kind *const ns_relation_kinds[] = {&lagrangian_ltir, NULL};

static const ns_law_kind newton_impact = {
    "NewtonImpactNSL", "0 <= ydot+ + e ydot- _|_ lambda >= 0 while in contact, 0 <= e <= 1",
    NS_LAW_UNILATERAL};
const ns_law_kind *const ns_law_kinds[] = {&newton_impact, NULL};
