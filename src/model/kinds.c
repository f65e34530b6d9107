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

static const ns_system_kind first_order = {
    "FirstOrderNonLinearDS", NS_SYS_FIRST_ORDER, "M x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r"};
static const ns_system_kind first_order_linear = {
    "FirstOrderLinearDS", NS_SYS_FIRST_ORDER | NS_SYS_LINEAR, "M x' = A(t,z) x + b(t,z) + r"};
static const ns_system_kind first_order_ltids = {
    "FirstOrderLinearTIDS", NS_SYS_FIRST_ORDER | NS_SYS_LINEAR, "M x' = A x + b + r, constant M, A, b"};

static const ns_system_kind newton_euler = {
    "NewtonEulerDS", NS_SYS_RIGID, "rigid body in space: m x'' = f, I Omega' + Omega x I Omega = M, orientation by a unit quaternion"};
static const ns_system_kind rigid_2d = {
    "RigidBody2dDS", NS_SYS_RIGID | NS_SYS_PLANAR, "rigid body in the plane: position and angle"};

const ns_system_kind *const ns_system_kinds[] = {
    &lagrangian,  &lagrangian_ltids,   &lagrangian_diagonal,
    &first_order, &first_order_linear, &first_order_ltids, &newton_euler, &rigid_2d, NULL};

static const ns_relation_kind lagrangian_ltir = {
    "LagrangianLinearTIR", "y = H q + e + F z, ydot = H v, p = H^T lambda", NS_REL_LINEAR};
static const ns_relation_kind lagrangian_scleronomous = {
    "LagrangianScleronomousR", "y = h(q,z), ydot = H v, p = H^T lambda", 0};
static const ns_relation_kind lagrangian_rheonomous = {
    "LagrangianRheonomousR", "y = h(q,t,z), ydot = H v + dh/dt, p = H^T lambda", 0};
static const ns_relation_kind lagrangian_compliant = {
    "LagrangianCompliantR", "y = h(q,lambda,z), lambda a force", NS_REL_COMPLIANT};
static const ns_relation_kind lagrangian_compliant_ltir = {
    "LagrangianCompliantLinearTIR", "y = H q + e + F z + D lambda, lambda a force", NS_REL_LINEAR | NS_REL_COMPLIANT};
static const ns_relation_kind first_order_ltir = {
    "FirstOrderLinearTIR", "y = C x + D lambda + e + F z, r = B lambda, constant operators",
    NS_REL_FIRST_ORDER | NS_REL_LINEAR};
static const ns_relation_kind first_order_linear_r = {
    "FirstOrderLinearR", "y = C(t) x + D(t) lambda + e(t) + F(t) z, r = B(t) lambda",
    NS_REL_FIRST_ORDER | NS_REL_LINEAR};
static const ns_relation_kind first_order_r = {
    "FirstOrderNonLinearR", "y = h(x,t,lambda,z), r = g(x,t,lambda,z)", NS_REL_FIRST_ORDER};
static const ns_relation_kind first_order_type1 = {
    "FirstOrderType1R", "y = h(x), r = g(lambda)", NS_REL_FIRST_ORDER};
static const ns_relation_kind first_order_type2 = {
    "FirstOrderType2R", "y = h(x,lambda), r = g(lambda)", NS_REL_FIRST_ORDER};
static const ns_relation_kind newton_euler_r = {
    "NewtonEulerR", "y = h(q,t,z) of rigid bodies, ydot = H T v + dh/dt", NS_REL_RIGID};
static const ns_relation_kind contact_1d = {
    "NewtonEuler1DR", "gap of two material points along a normal", NS_REL_RIGID | NS_REL_POINT};
static const ns_relation_kind contact_3d = {
    "NewtonEuler3DR", "the same and two rows of slip", NS_REL_RIGID | NS_REL_POINT};
static const ns_relation_kind contact_5d = {
    "NewtonEuler5DR", "the same and two rows of relative rolling", NS_REL_RIGID | NS_REL_POINT};
static const ns_relation_kind joint_ball = {
    "KneeJointR", "ball joint: a point of two bodies in common, 3 rows", NS_REL_RIGID | NS_REL_JOINT};
static const ns_relation_kind joint_pivot = {
    "PivotJointR", "hinge: a point and an axis in common, 5 rows", NS_REL_RIGID | NS_REL_JOINT};
static const ns_relation_kind joint_prismatic = {
    "PrismaticJointR", "sliding along an axis without turning, 5 rows", NS_REL_RIGID | NS_REL_JOINT};
static const ns_relation_kind joint_cylindrical = {
    "CylindricalJointR", "sliding along an axis and turning about it, 4 rows", NS_REL_RIGID | NS_REL_JOINT};
static const ns_relation_kind joint_fixed = {
    "FixedJointR", "no relative motion, 6 rows", NS_REL_RIGID | NS_REL_JOINT};
static const ns_relation_kind joint_stop = {
    "JointStopR", "limits of the free coordinate of a joint", NS_REL_RIGID | NS_REL_AXIS};
static const ns_relation_kind joint_friction = {
    "JointFrictionR", "velocity of the free coordinate of a joint, for friction of a given torque", NS_REL_RIGID | NS_REL_AXIS};
static const ns_relation_kind joint_coupler = {
    "CouplerJointR", "a linear equation between free coordinates of two joints: gear, rack, screw", NS_REL_RIGID | NS_REL_AXIS};
const ns_relation_kind *const ns_relation_kinds[] = {
    &lagrangian_ltir, &lagrangian_scleronomous, &lagrangian_rheonomous,
    &lagrangian_compliant, &lagrangian_compliant_ltir, &first_order_ltir, &first_order_linear_r, &first_order_r,
    &first_order_type1, &first_order_type2,
    &newton_euler_r, &contact_1d, &contact_3d, &contact_5d, &joint_ball, &joint_pivot, &joint_prismatic, &joint_cylindrical,
    &joint_fixed, &joint_stop, &joint_friction, &joint_coupler, NULL};

static const ns_law_kind newton_impact = {
    "NewtonImpactNSL", "0 <= ydot+ + e ydot- _|_ lambda >= 0 while in contact, 0 <= e <= 1",
    NS_LAW_UNILATERAL};
static const ns_law_kind newton_friction = {
    "NewtonImpactFrictionNSL", "Newton's impact law and Coulomb friction in 2 or 3 rows, the normal first", NS_LAW_FRICTION};
static const ns_law_kind rolling_friction = {
    "NewtonImpactRollingFrictionNSL", "the same and rolling friction, 3 rows in the plane or 5", NS_LAW_FRICTION | NS_LAW_ROLLING};
static const ns_law_kind fremond_friction = {
    "FremondImpactFrictionNSL", "the same on the mean velocity of the step", NS_LAW_FRICTION | NS_LAW_FREMOND};
static const ns_law_kind multiple_impact = {
    "MultipleImpactNSL", "impacts of many contacts at once: springs K delta^eta with energetic restitution, event-driven",
    NS_LAW_UNILATERAL | NS_LAW_MULTIPLE};
static const ns_law_kind complementarity = {
    "ComplementarityConditionNSL", "0 <= y _|_ lambda >= 0", NS_LAW_BOX};
static const ns_law_kind mixed = {
    "MixedComplementarityConditionNSL", "y = 0 in the first rows, 0 <= y _|_ lambda >= 0 in the others", NS_LAW_BOX};
static const ns_law_kind equality = {"EqualityConditionNSL", "y = 0, lambda free", NS_LAW_BOX};
static const ns_law_kind relay = {
    "RelayNSL", "y > 0: lambda = lb, y < 0: lambda = ub, y = 0: lambda in [lb, ub]", NS_LAW_BOX};
static const ns_law_kind normal_cone = {
    "NormalConeNSL", "-y in the normal cone at lambda of { H lambda >= k }", NS_LAW_POLYHEDRON};
static const ns_law_kind piecewise = {
    "PiecewiseLinearNSL", "lambda = phi(y), phi piecewise linear through points; made of relays", NS_LAW_BOX};
const ns_law_kind *const ns_law_kinds[] = {&newton_impact, &newton_friction, &rolling_friction, &fremond_friction, &multiple_impact,
                                           &complementarity, &mixed, &equality,
                                           &relay, &normal_cone, &piecewise, NULL};
