/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_rigid.c -- rows of the language table: rigid bodies, and contacts between them by
 * formulas. */
#include "model/language/language_tables.h"

#define BODY_ATTRIBUTES(example_id) \
  {.name = "id", \
   .type = NS_LANG_ID, \
   .required = 1, \
   .example = example_id, \
   .help = "name, unique among systems and interactions"}, \
      {.name = "inputs", \
       .type = NS_LANG_NAMES, \
       .initial = "z[0] z[1] ...", \
       .example = "u", \
       .help = "names of the entries of the user vector z, initially zero if there is no <z>"}, \
  { \
    .name = "inputUnits", .type = NS_LANG_TEXT, .initial = "none", .example = "N", \
    .help = "SI units of the inputs, one for each, separated by white space (N*m, not N m)" \
  }

#define USER_VECTOR \
  { \
    .name = "z", .type = NS_LANG_VECTOR, .initial = "none; zero if inputs names its entries", \
    .rows = "nz", .forms = FIXED, \
    .help = "user vector: numbers that formulas read as z[0], z[1], ... and plug-ins can change" \
  }

#define VALUE(what, kind, r, c, banks, how, sig, text) \
  .name = what, .type = kind, .initial = "zero", .rows = r, .cols = c, .uses = banks, \
  .forms = how, .signature = sig, .help = text

#define JACOBIAN(what, f, by, r, c) \
  { \
    .name = what, .type = NS_LANG_MATRIX, \
    .initial = "derived from the formula of " f "; finite differences for a plug-in", .rows = r, \
    .cols = c, .uses = T | Q | V | Z, .forms = CALLED, .signature = NS_SIG_BODY_FINT, \
    .help = "derivative of " f " with respect to " by \
  }

#define AXES(initially) \
  .attributes = LIST({.name = "axes", \
                      .type = NS_LANG_ENUM, \
                      .initial = initially, \
                      .choices = "world body", \
                      .help = "axes of its components"})

#define POINT_OF(what, text) \
  { \
    .name = what, .type = NS_LANG_VECTOR, .required = 1, .rows = "3", .uses = T | Q | Z, \
    .forms = NS_LANG_FORM_TEXT, .example = "0 0 1", .help = text \
  }
#define CONTACT_POINT \
  LIST(POINT_OF("P1", "point on the first body, in world axes"), \
       POINT_OF("P2", "point on the second body or in the world, in world axes"), \
       POINT_OF("n", "unit normal from the second to the first body, in world axes"))
#define POINT_TEXT \
  "The gap is n.(P1 - P2), and forces act at P1 on both bodies. Formulas can use the coordinates " \
  "of the bodies, as in <NewtonEulerR>. For bodies in the plane the third entries are 0, and " \
  "there is one direction of slip and one rotation. For bodies with shapes, <contacts> computes " \
  "points and normals."

#define LIFE_TEXT \
  "With birth= and death= the body exists for a part of the run. Outside this interval it has no " \
  "contacts, and its state is constant; formulas of other systems can read it. The results " \
  "contain events of kind birth and death: in <EventDriven> at these times, in <TimeStepping> at " \
  "the end of the first step with the body and of the first step without it. A body that is born " \
  "may touch others, but must not overlap them in <EventDriven>. Such a body can have contacts " \
  "and its own forces, but no <interaction> and no force between bodies."

const ns_lang_element ns_lang_rigid[] = {
    {
        .name = "NewtonEulerDS",
        .group = NS_LANG_SYSTEM,
        .help =
            "rigid body in space: m x'' = fExt - fInt, I Omega' + Omega x I Omega = mExt - mInt",
        .text = "q is the centre of mass and a unit quaternion, scalar first, that rotates body "
                "axes to world axes; v is the velocity of the centre of mass in world axes and the "
                "angular velocity in body axes. Their names in formulas are x y z p0 p1 p2 p3 and "
                "v_x v_y v_z Omega_x Omega_y Omega_z, or q[0] to q[6] and v[0] to v[5]; results "
                "have the same labels.\n\n"
                "Unless axes= specifies otherwise, forces are in world axes and moments are about "
                "the centre of mass in body axes. Note the signs: fInt and mInt are on the left. A "
                "quaternion whose norm is not 1 is an error.\n\n" LIFE_TEXT,
        .example = "<NewtonEulerDS id=\"top\">\n"
                   "  <q0 axis=\"1 0 0\" angle=\"pi/6\">0 0 0</q0>\n"
                   "  <v0>0 0 0  0 0 40</v0>\n"
                   "  <mass>m</mass>\n"
                   "  <inertia diag=\"J J J3\"/>\n"
                   "  <fExt>0 0 -m*g</fExt>\n"
                   "</NewtonEulerDS>",
        .attributes = LIST(
            BODY_ATTRIBUTES("body"), NS_LANG_LIFE,
            {.name = "gyroscopic",
             .type = NS_LANG_ENUM,
             .initial = "implicit",
             .choices = "implicit midpoint explicit none",
             .help = "evaluation of Omega x I Omega. implicit: by the theta rule; midpoint: at the "
                     "mean angular velocity of the step, which conserves the rotational energy; "
                     "explicit: at the beginning of the step; none: omitted, which is correct if I "
                     "is a multiple of the identity"}),
        .children = CHILDREN({NULL, NS_LANG_SHAPE, 0, NS_LANG_MANY}, {"frame", 0, 0, NS_LANG_MANY},
                             NS_LANG_BOUNDARIES),
        .values = LIST(
            {.name = "q0",
             .type = NS_LANG_VECTOR,
             .required = 1,
             .rows = "7",
             .forms = FIXED,
             .example = "0 0 0 1 0 0 0",
             .help = "initial position and unit quaternion; only the position if an attribute "
                     "gives the orientation",
             .attributes = LIST(
                 NS_LANG_TURN("rotation from the axes of the body to those of the world"))},
            {.name = "v0",
             .type = NS_LANG_VECTOR,
             .initial = "zero; prescribed ones as at t0",
             .rows = "6",
             .forms = FIXED,
             .help = "initial velocity, in world axes, and angular velocity, in body axes"},
            USER_VECTOR,
            {.name = "mass",
             .type = NS_LANG_VECTOR,
             .initial = "that of its shapes",
             .rows = "1",
             .unit = "kg",
             .forms = NS_LANG_FORM_TEXT,
             .help = "mass, positive"},
            {.name = "inertia",
             .type = NS_LANG_MATRIX,
             .initial = "that of its shapes",
             .rows = "3",
             .cols = "3",
             .unit = "kg m^2",
             .forms = FIXED | NS_LANG_FORM_DIAG,
             .help = "inertia about the centre of mass in body axes, symmetric positive definite"},
            {VALUE("fExt", NS_LANG_VECTOR, "3", NULL, T | Z, CALLED | NS_LANG_FORM_FILE,
                   NS_SIG_BODY_FEXT,
                   "external force, on the right-hand side: a formula of t and z, and of variables "
                   "id.name of systems"),
             .unit = "N", AXES("world")},
            {VALUE("mExt", NS_LANG_VECTOR, "3", NULL, T | Z, CALLED | NS_LANG_FORM_FILE,
                   NS_SIG_BODY_FEXT,
                   "external moment, on the right-hand side: a formula of t and z, and of "
                   "variables id.name of systems"),
             .unit = "N m", AXES("body")},
            {VALUE("fInt", NS_LANG_VECTOR, "3", NULL, T | Q | V | Z, CALLED, NS_SIG_BODY_FINT,
                   "internal force, on the left-hand side, in world axes"),
             .unit = "N"},
            {VALUE("mInt", NS_LANG_VECTOR, "3", NULL, T | Q | V | Z, CALLED, NS_SIG_BODY_FINT,
                   "internal moment, on the left-hand side, in body axes"),
             .unit = "N m"},
            JACOBIAN("jacobianFIntq", "fInt", "q", "3", "7"),
            JACOBIAN("jacobianFIntv", "fInt", "v", "3", "6"),
            JACOBIAN("jacobianMIntq", "mInt", "q", "3", "7"),
            JACOBIAN("jacobianMIntv", "mInt", "v", "3", "6")),
    },
    {
        .name = "RigidBody2dDS",
        .group = NS_LANG_SYSTEM,
        .help = "rigid body in the plane: m x'' = fExt - fInt, I angle'' = mExt - mInt",
        .text =
            "q is the centre of mass and the angle, v its derivative. Their names in formulas are "
            "x y angle and v_x v_y v_angle. Forces are in world axes unless axes= specifies "
            "otherwise. For contacts between planar shapes see <contacts>.\n\n" LIFE_TEXT,
        .example = "<RigidBody2dDS id=\"disk\">\n"
                   "  <q0>0 1 0</q0>\n"
                   "  <mass>m</mass>\n"
                   "  <inertia>m*R^2/2</inertia>\n"
                   "  <fExt>0 -m*g</fExt>\n"
                   "</RigidBody2dDS>",
        .attributes = LIST(BODY_ATTRIBUTES("disk"), NS_LANG_LIFE),
        .children = CHILDREN({NULL, NS_LANG_SHAPE, 0, NS_LANG_MANY}, {"frame", 0, 0, NS_LANG_MANY},
                             NS_LANG_BOUNDARIES),
        .values = LIST(
            {.name = "q0",
             .type = NS_LANG_VECTOR,
             .required = 1,
             .rows = "3",
             .forms = FIXED,
             .example = "0 0 0",
             .help = "initial position and angle"},
            {.name = "v0",
             .type = NS_LANG_VECTOR,
             .initial = "zero; prescribed ones as at t0",
             .rows = "3",
             .forms = FIXED,
             .help = "initial velocity and angular velocity"},
            USER_VECTOR,
            {.name = "mass",
             .type = NS_LANG_VECTOR,
             .initial = "that of its shapes",
             .rows = "1",
             .unit = "kg",
             .forms = NS_LANG_FORM_TEXT,
             .example = "1",
             .help = "mass, positive"},
            {.name = "inertia",
             .type = NS_LANG_VECTOR,
             .initial = "that of its shapes",
             .rows = "1",
             .unit = "kg m^2",
             .forms = NS_LANG_FORM_TEXT,
             .example = "1",
             .help = "inertia about the centre of mass, positive"},
            {VALUE("fExt", NS_LANG_VECTOR, "2", NULL, T | Z, CALLED | NS_LANG_FORM_FILE,
                   NS_SIG_BODY_FEXT,
                   "external force, on the right-hand side: a formula of t and z, and of variables "
                   "id.name of systems"),
             .unit = "N", AXES("world")},
            {VALUE("mExt", NS_LANG_VECTOR, "1", NULL, T | Z, CALLED | NS_LANG_FORM_FILE,
                   NS_SIG_BODY_FEXT,
                   "external moment, on the right-hand side: a formula of t and z, and of "
                   "variables id.name of systems"),
             .unit = "N m"},
            {VALUE("fInt", NS_LANG_VECTOR, "2", NULL, T | Q | V | Z, CALLED, NS_SIG_BODY_FINT,
                   "internal force, on the left-hand side, in world axes"),
             .unit = "N"},
            {VALUE("mInt", NS_LANG_VECTOR, "1", NULL, T | Q | V | Z, CALLED, NS_SIG_BODY_FINT,
                   "internal moment, on the left-hand side"),
             .unit = "N m"},
            JACOBIAN("jacobianFIntq", "fInt", "q", "2", "3"),
            JACOBIAN("jacobianFIntv", "fInt", "v", "2", "3"),
            JACOBIAN("jacobianMIntq", "mInt", "q", "1", "3"),
            JACOBIAN("jacobianMIntv", "mInt", "v", "1", "3")),
    },
    {
        .name = "NewtonEulerR",
        .group = NS_LANG_RELATION,
        .help = "y = h(Q,t,Z) for rigid bodies; the wrench is the transpose of the velocity "
                "Jacobian times lambda",
        .text =
            "Q contains the coordinates of its bodies, 7 of each, one after the other. Formulas "
            "read them as x y z p0 p1 p2 p3, as id.x if there are several bodies, or as q[k]. ydot "
            "= dh/dQ T V + dh/dt, where dQ/dt = T V. y[0] >= 0 is an open gap.\n\n"
            "m is the number of entries of h. With a friction law row 0 is the gap and the other "
            "rows are those of slip.",
        .example = "<NewtonEulerR><h>z - R</h></NewtonEulerR>",
        .values = LIST(
            {.name = "h",
             .type = NS_LANG_VECTOR,
             .required = 1,
             .rows = "m",
             .uses = T | Q | Z,
             .forms = CALLED,
             .signature = NS_SIG_LRHEO,
             .example = "z",
             .help = "output y: gaps, in the order of the rows of H"},
            {.name = "H",
             .type = NS_LANG_MATRIX,
             .initial = "derived from the formula of h; finite differences for a plug-in",
             .rows = "m",
             .cols = "nQ",
             .uses = T | Q | Z,
             .forms = CALLED,
             .signature = NS_SIG_LRHEO,
             .help = "derivative of h with respect to Q"},
            {.name = "hDot",
             .type = NS_LANG_VECTOR,
             .initial = "derived from the formula of h; finite differences for a plug-in",
             .rows = "m",
             .uses = T | Q | Z,
             .forms = CALLED,
             .signature = NS_SIG_LRHEO,
             .help = "derivative of h with respect to t"}),
    },
    {
        .name = "NewtonEuler1DR",
        .group = NS_LANG_RELATION,
        .help = "contact of two points along a normal, without friction",
        .text = "  y = n . (P_1 - P_2)\n\n" POINT_TEXT,
        .example = "<NewtonEuler1DR>\n  <P1>x y z-R</P1>\n  <P2>x y 0</P2>\n  <n>0 0 "
                   "1</n>\n</NewtonEuler1DR>",
        .values = CONTACT_POINT,
    },
    {
        .name = "NewtonEuler3DR",
        .group = NS_LANG_RELATION,
        .help = "as NewtonEuler1DR, with slip along two directions, for friction",
        .text = "  y = n . (P_1 - P_2), u_T = (d1 . v_P, d2 . v_P): v_P is the velocity of the "
                "first body relative to the second at P_1\n\n" POINT_TEXT
                " The two directions are orthogonal to n and to each other.",
        .example = "<NewtonEuler3DR>\n  <P1>x y z-R</P1>\n  <P2>x y 0</P2>\n  <n>0 0 "
                   "1</n>\n</NewtonEuler3DR>",
        .values = CONTACT_POINT,
    },
    {
        .name = "NewtonEuler5DR",
        .group = NS_LANG_RELATION,
        .help = "as NewtonEuler3DR, with the relative angular velocity along these directions, for "
                "rolling friction",
        .text = "  y = n . (P_1 - P_2), u_T = (d1 . v_P, d2 . v_P), u_R = (d1 . Omega, d2 . "
                "Omega): v_P and Omega are the velocity and angular velocity of the first body "
                "relative to the second\n\n" POINT_TEXT
                " The last two rows are relative angular velocities, their multipliers moments.",
        .example = "<NewtonEuler5DR>\n  <P1>x y z-R</P1>\n  <P2>x y 0</P2>\n  <n>0 0 "
                   "1</n>\n</NewtonEuler5DR>",
        .values = CONTACT_POINT,
    },
    {0},
};
