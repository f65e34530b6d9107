/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.c -- the kinds of systems and relations (laws: model/laws/law.c). A new kind needs a line
 * here, an element in the language table, and a file with its equations. */
#include "model/model.h"

#include "base/text.h"

#include <string.h>

static const ns_system_kind lagrangian_ltids = {
    "LagrangianLinearTIDS", NS_SYS_LINEAR,
    "M dv + (C v + K q) dt = fExt(t) dt + dr, constant M, C, K"};
static const ns_system_kind lagrangian_diagonal = {
    "LagrangianLinearDiagonalDS", NS_SYS_LINEAR | NS_SYS_DIAGONAL,
    "the same with diagonal M, C, K, given as vectors"};
static const ns_system_kind lagrangian = {
    "LagrangianDS", 0, "M(q) dv + (fGyr(q,v) + fInt(t,q,v)) dt = fExt(t) dt + dr"};

static const ns_system_kind first_order = {"FirstOrderNonLinearDS", NS_SYS_FIRST_ORDER,
                                           "M x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r"};
static const ns_system_kind first_order_linear = {
    "FirstOrderLinearDS", NS_SYS_FIRST_ORDER | NS_SYS_LINEAR, "M x' = A(t,z) x + b(t,z) + r"};
static const ns_system_kind first_order_ltids = {"FirstOrderLinearTIDS",
                                                 NS_SYS_FIRST_ORDER | NS_SYS_LINEAR,
                                                 "M x' = A x + b + r, constant M, A, b"};

static const ns_system_kind newton_euler = {"NewtonEulerDS", NS_SYS_RIGID,
                                            "rigid body in space: m x'' = f, I Omega' + Omega x I "
                                            "Omega = M, orientation by a unit quaternion"};
static const ns_system_kind rigid_2d = {"RigidBody2dDS", NS_SYS_RIGID | NS_SYS_PLANAR,
                                        "rigid body in the plane: position and angle"};

const ns_system_kind *const ns_system_kinds[] = {
    &lagrangian,   &lagrangian_ltids,   &lagrangian_diagonal,
    &first_order,  &first_order_linear, &first_order_ltids,
    &newton_euler, &rigid_2d,           NULL};

const ns_system_kind *ns_system_kind_find(const char *name)
{
  return NS_NAMED_KIND(ns_system_kind, ns_system_kinds, name);
}

static const ns_relation_kind lagrangian_ltir = {
    "LagrangianLinearTIR", "y = H q + e + F z, ydot = H v, p = H^T lambda", NS_REL_LINEAR, 0};
static const ns_relation_kind lagrangian_scleronomous = {
    "LagrangianScleronomousR", "y = h(q,z), ydot = H v, p = H^T lambda", 0, 0};
static const ns_relation_kind lagrangian_rheonomous = {
    "LagrangianRheonomousR", "y = h(q,t,z), ydot = H v + dh/dt, p = H^T lambda", 0, 0};
static const ns_relation_kind lagrangian_compliant = {
    "LagrangianCompliantR", "y = h(q,lambda,z), lambda a force", NS_REL_COMPLIANT, 0};
static const ns_relation_kind lagrangian_compliant_ltir = {
    "LagrangianCompliantLinearTIR", "y = H q + e + F z + D lambda, lambda a force",
    NS_REL_LINEAR | NS_REL_COMPLIANT, 0};
static const ns_relation_kind first_order_ltir = {
    "FirstOrderLinearTIR", "y = C x + D lambda + e + F z, r = B lambda, constant operators",
    NS_REL_FIRST_ORDER | NS_REL_LINEAR, 0};
static const ns_relation_kind first_order_linear_r = {
    "FirstOrderLinearR", "y = C(t) x + D(t) lambda + e(t) + F(t) z, r = B(t) lambda",
    NS_REL_FIRST_ORDER | NS_REL_LINEAR, 0};
static const ns_relation_kind first_order_r = {
    "FirstOrderNonLinearR", "y = h(x,t,lambda,z), r = g(x,t,lambda,z)", NS_REL_FIRST_ORDER, 0};
static const ns_relation_kind first_order_type1 = {"FirstOrderType1R", "y = h(x), r = g(lambda)",
                                                   NS_REL_FIRST_ORDER, 0};
static const ns_relation_kind first_order_type2 = {
    "FirstOrderType2R", "y = h(x,lambda), r = g(lambda)", NS_REL_FIRST_ORDER, 0};
static const ns_relation_kind newton_euler_r = {
    "NewtonEulerR", "y = h(q,t,z) of rigid bodies, ydot = H T v + dh/dt", NS_REL_RIGID, 0};
static const ns_relation_kind contact_1d = {
    "NewtonEuler1DR", "gap of two material points along a normal", NS_REL_RIGID | NS_REL_POINT,
    NS_FIT_STOP | NS_FIT_CONSTRAINT};
static const ns_relation_kind contact_3d = {"NewtonEuler3DR", "the same and two rows of slip",
                                            NS_REL_RIGID | NS_REL_POINT, NS_FIT_SLIP};
static const ns_relation_kind contact_5d = {"NewtonEuler5DR",
                                            "the same and two rows of relative rolling",
                                            NS_REL_RIGID | NS_REL_POINT, NS_FIT_ROLLING};
static const ns_relation_kind joint_ball = {"KneeJointR",
                                            "ball joint: a common point of two bodies, 3 rows",
                                            NS_REL_RIGID | NS_REL_JOINT, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_pivot = {"PivotJointR",
                                             "hinge: a common point and a common axis, 5 rows",
                                             NS_REL_RIGID | NS_REL_JOINT, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_prismatic = {
    "PrismaticJointR", "translation along an axis without rotation, 5 rows",
    NS_REL_RIGID | NS_REL_JOINT, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_cylindrical = {
    "CylindricalJointR", "translation along an axis and rotation about it, 4 rows",
    NS_REL_RIGID | NS_REL_JOINT, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_fixed = {"FixedJointR", "no relative motion, 6 rows",
                                             NS_REL_RIGID | NS_REL_JOINT, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_stop = {"JointStopR",
                                            "limits of the free coordinate of a joint",
                                            NS_REL_RIGID | NS_REL_AXIS, NS_FIT_STOP};
static const ns_relation_kind joint_friction = {
    "JointFrictionR",
    "velocity of the free coordinate of a joint, for friction with a given torque",
    NS_REL_RIGID | NS_REL_AXIS, NS_FIT_TORQUE};
static const ns_relation_kind tendon_stop = {"TendonStopR", "limits of the length of a tendon",
                                             NS_REL_RIGID | NS_REL_AXIS, NS_FIT_STOP};
static const ns_relation_kind tendon_friction = {
    "TendonFrictionR", "rate of the length of a tendon, for friction with a given force",
    NS_REL_RIGID | NS_REL_AXIS, NS_FIT_TORQUE};
static const ns_relation_kind tendon_length = {"TendonLengthR", "a tendon of constant length",
                                               NS_REL_RIGID | NS_REL_AXIS, NS_FIT_CONSTRAINT};
static const ns_relation_kind joint_coupler = {
    "CouplerJointR", "a linear equation between free coordinates of two joints: gear, rack, screw",
    NS_REL_RIGID | NS_REL_AXIS, NS_FIT_CONSTRAINT};
const ns_relation_kind ns_relation_of_shapes = {"contacts", "gap of two shapes, and rows of slip",
                                                NS_REL_RIGID | NS_REL_SHAPES, 0};
const ns_relation_kind *const ns_relation_kinds[] = {&lagrangian_ltir,
                                                     &lagrangian_scleronomous,
                                                     &lagrangian_rheonomous,
                                                     &lagrangian_compliant,
                                                     &lagrangian_compliant_ltir,
                                                     &first_order_ltir,
                                                     &first_order_linear_r,
                                                     &first_order_r,
                                                     &first_order_type1,
                                                     &first_order_type2,
                                                     &newton_euler_r,
                                                     &contact_1d,
                                                     &contact_3d,
                                                     &contact_5d,
                                                     &joint_ball,
                                                     &joint_pivot,
                                                     &joint_prismatic,
                                                     &joint_cylindrical,
                                                     &joint_fixed,
                                                     &joint_stop,
                                                     &joint_friction,
                                                     &joint_coupler,
                                                     &tendon_stop,
                                                     &tendon_friction,
                                                     &tendon_length,
                                                     NULL};

const ns_relation_kind *ns_relation_named(const char *name)
{
  const ns_relation_kind *const *k = ns_relation_kinds;
  while (strcmp((*k)->name, name)) k++;
  return *k;
}
