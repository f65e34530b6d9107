/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_rigid.c -- rows of the language table: rigid bodies, their relations and laws. */
#include "model/language/language_tables.h"

#define LIST(...) \
  (const ns_lang_item[]) \
  { \
    __VA_ARGS__, { 0 } \
  }

#define CHILDREN(...) \
  (const ns_lang_child[]) \
  { \
    __VA_ARGS__, { 0 } \
  }

#define T (1u << NS_BANK_T)
#define Q (1u << NS_BANK_Q)
#define V (1u << NS_BANK_V)
#define Z (1u << NS_BANK_Z)
#define J (1u << NS_BANK_JOINT)
#define FIXED (NS_LANG_FORM_TEXT | NS_LANG_FORM_FILE)
#define CALLED (NS_LANG_FORM_TEXT | NS_LANG_FORM_PLUGIN)

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

/* ---- relations ------------------------------------------------------------------------------- */

#define COLLIDE \
  { \
    .name = "collide", .type = NS_LANG_ENUM, .initial = "false", .choices = "false true", \
    .help = "true: shapes of its two bodies can touch; false: they pass through each other" \
  }
#define JOINT_AXES \
  {.name = "axes", \
   .type = NS_LANG_ENUM, \
   .initial = "world", \
   .choices = "world body", \
   .help = "axes of point and axis: those of the world, or those of the first body, relative to " \
           "its centre of mass"}, \
      COLLIDE
#define JOINT_POINT \
  { \
    .name = "point", .type = NS_LANG_TEXT, .required = 1, .unit = "m", .example = "0 0 0", \
    .help = "common point, in the initial configuration" \
  }
#define JOINT_AXIS \
  { \
    .name = "axis", .type = NS_LANG_TEXT, .required = 1, .example = "0 0 1", \
    .help = "direction of the axis, of any length" \
  }
#define HINGE_AXIS \
  { \
    .name = "axis", .type = NS_LANG_TEXT, .initial = "for bodies in the plane: normal to it", \
    .example = "0 0 1", .help = "direction of the axis, of any length; required in space" \
  }

#define JOINT_TEXT \
  "Connects two bodies, or a body and the world, which is then the second body. Shapes of the " \
  "two bodies pass through each other unless collide=\"true\". Point and axis are given in the " \
  "configuration q0, which therefore satisfies the joint. The law is <EqualityConditionNSL/>. " \
  "lambda contains the impulses of its rows."

#define CENTRE_TEXT \
  " The point of the joint is the centre of mass of the second body, or of the first if the " \
  "second is the world; moments in lambda are about this point."

#define IN_PLANE_TEXT " It is also available in the plane, where point and axis have two entries, "
/* What acts along a free coordinate. */
#define DRIVE(what, of, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_VECTOR, .initial = "none", .rows = "1", .unit = unit_text, \
    .uses = T | J | Z, .forms = NS_LANG_FORM_TEXT, .example = "-" of, .help = text \
  }
#define TORQUE \
  DRIVE("torque", "angle", "N m", \
        "torque about the axis: a formula of angle, its " \
        "rate v_angle, t and inputs of the bodies")
#define FORCE \
  DRIVE("force", "slide", "N", \
        "force along the axis: a formula of slide, its rate " \
        "v_slide, t and inputs of the bodies")
/* Of the one free coordinate, or of the angle and of the slide. */
#define OF_ONE(what, bounds, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .initial = "0", .range = bounds, .unit = unit_text, \
    .example = "1", .help = text \
  }
#define OF_BOTH(what, bounds, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_TEXT, .initial = "0 0", .unit = unit_text, .example = "1 1", \
    .help = text \
  }
#define COORDINATE_NUMBERS(OF, turns, per_turn, per_rate, turn) \
  OF("armature", "[0, inf)", turns, \
     "inertia of the coordinate itself, for example that of a rotor times the square of the gear " \
     "ratio"), \
      OF("stiffness", "[0, inf)", per_turn, "stiffness of a spring with the equilibrium rest="), \
      OF("damping", "[0, inf)", per_rate, "damping torque or force per unit of the rate"), \
      OF("rest", "(-inf, inf)", turn, "value of the coordinate at which the spring has no force"), \
      START(OF, "initial", turn, \
            "value of the coordinate at t0, relative to the configuration <q0>; bodies are moved " \
            "along the joints"), \
      START(OF, "initialRate", NULL, \
            "its rate at t0, which determines velocities of the bodies along the joints")
/* Where one joint has it, the others of the mechanism begin as they stand. */
#define START(OF, what, unit_text, text) OF(what, "(-inf, inf)", unit_text, text)
#define MOTOR_NUMBER(what, initially, bounds, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .initial = initially, .range = bounds, .unit = unit_text, \
    .example = "1", .help = text \
  }
/* Units of what it drives: of its force, per unit of the coordinate, per unit of the rate, and of
 * the rate. */
#define TURNS "N m", "N m/rad", "N m s/rad", "rad/s"
#define SLIDES "N", "N/m", "N s/m", "m/s"
#define EITHER NULL, NULL, NULL, NULL
#define MOTOR(units, whose, ...) MOTOR_IN(units, whose, __VA_ARGS__)
#define MOTOR_IN(force, per_unit, per_rate, rate, whose, ...) \
  { \
    .name = "motor", .type = NS_LANG_VECTOR, .initial = "none", .rows = "1", .uses = T | J | Z, \
    .forms = NS_LANG_FORM_TEXT, .example = "1", \
    .help = "motor " whose ", with optional bounds; its text is the formula of the command", \
    .attributes = LIST( \
        {.name = "command", \
         .type = NS_LANG_ENUM, \
         .initial = "torque", \
         .choices = "position velocity torque", \
         .help = "meaning of the formula u. torque: the torque at the shaft; position: the " \
                 "torque is kp (u - gear d) - kv gear d'; velocity: the torque is kv (u - gear " \
                 "d')"}, \
        MOTOR_NUMBER("kp", "none", "[0, inf)", per_unit, \
                     "position gain: torque per unit of error"), \
        MOTOR_NUMBER("kv", "0", "[0, inf)", per_rate, \
                     "velocity gain, also for position: torque per unit of the rate"), \
        MOTOR_NUMBER("limit", "none", "(0, inf)", force, "largest magnitude of the torque"), \
        MOTOR_NUMBER("stall", "none", "(0, inf)", force, \
                     "largest torque at rest; at the speed w the torque is between -stall (1 + " \
                     "w/noLoad) and stall (1 - w/noLoad)"), \
        MOTOR_NUMBER("noLoad", "none", "(0, inf)", rate, \
                     "speed at which the torque is zero; above it the motor brakes"), \
        MOTOR_NUMBER( \
            "gear", "1", "(-inf, inf)", NULL, \
            "gear ratio: motion of the shaft per unit motion of the driven coordinate, on which " \
            "the motor acts with gear times its torque") __VA_ARGS__) \
  }
#define DRIVE_TEXT \
  "\n\n" \
  "The force of springs, dampers and motors of the joint is a formula of its coordinate and its " \
  "rate; it acts on the second body, with the reaction on the first, and its power is the " \
  "formula times the rate. For a joint with the world the coordinate is that of the world " \
  "relative to the body: its sign is reversed, which does not affect a spring.\n\n" \
  "Attributes describe linear terms: stiffness=, rest= and damping= add -stiffness (d - rest) - " \
  "damping d'. <motor> adds gear times its torque at the shaft, within its bounds: this " \
  "describes a servo with the gains kp and kv, a limit, or a linear characteristic from stall to " \
  "no load. armature= adds armature d'^2/2 to the kinetic energy, also in impacts.\n\n" \
  "initial= and initialRate= are coordinates and rates at t0. They determine poses and " \
  "velocities of the bodies along the tree of joints, from the world or from the first body: " \
  "<q0> is then the pose at which coordinates are 0, and the other joints of a mechanism start " \
  "at 0. If joints form loops, coordinates without initial= and rates without initialRate= " \
  "change by the smallest possible amounts; if no nearby configuration or velocity closes the " \
  "loop, an error reports it. Without any initialRate=, " \
  "velocities are those of <v0>. The force is implicit, as internal forces are, and stiffly " \
  "coupled bodies are solved together. Its work is in the energy balance, as work of forces.\n\n" \
  "Results contain the coordinates and their rates as angle, v_angle, slide, v_slide of the " \
  "interaction; <observe>, measures and events read them as hinge.angle, where hinge is its id."

#define FORCE_ENDS \
  {.name = "id", \
   .type = NS_LANG_ID, \
   .required = 1, \
   .example = "s1", \
   .help = "name, unique among systems and interactions"}, \
      {.name = "systems", \
       .type = NS_LANG_IDS, \
       .required = 1, \
       .example = "ball", \
       .help = "two bodies, or a body and the world, which is omitted or written as world"}, \
      {.name = "point1", \
       .type = NS_LANG_TEXT, \
       .initial = "0 0 0, the centre of mass", \
       .unit = "m", \
       .example = "0 0 0", \
       .help = "point on the first body, in its axes and relative to its centre of mass; in the " \
               "plane two numbers"}, \
  { \
    .name = "point2", .type = NS_LANG_TEXT, .initial = "0 0 0", .unit = "m", .example = "0 0 0", \
    .help = "point on the second body in the same way, or in the world" \
  }
#define NOT_NEGATIVE(what, initially, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .initial = initially, .range = "[0, inf)", \
    .unit = unit_text, .example = "1", .help = text \
  }
#define PRELOAD \
  { \
    .name = "preload", .type = NS_LANG_REAL, .initial = "0", .unit = "N", .example = "0", \
    .help = "tension at the rest length" \
  }
#define LINEAR_SPRING \
  NOT_NEGATIVE("stiffness", "none", "N/m", \
               "tension per metre of elongation; give this or a formula <along>"), \
      NOT_NEGATIVE("damping", "0", "N s/m", "tension per m/s of the rate of the length"), \
      NOT_NEGATIVE("restLength", "the length at the initial configuration", "m", \
                   "length at which the spring has no force"), \
      PRELOAD
#define ALONG(text) \
  { \
    .name = "along", .type = NS_LANG_VECTOR, .initial = "none", .rows = "1", .unit = "N", \
    .uses = T | J | Z, .forms = NS_LANG_FORM_TEXT, .example = "-length", .help = text \
  }
#define ALONG_LINE \
  ALONG("force along the line, positive if it pushes the points apart: a formula of length, " \
        "rate, t and inputs of the bodies")
#define FORCE_TEXT \
  "\n\n" \
  "The force along the line is positive if it pushes the points apart, and negative for a " \
  "stretched spring; its power is force times rate. It acts on both bodies at their points, so " \
  "that momentum and angular momentum are conserved. Steps treat it implicitly, with exact " \
  "derivatives: bodies coupled by forces are solved together, and a step can be much longer than " \
  "the period of a stiff spring. Results contain length, rate, force and power of each; " \
  "<observe>, measures and events read them as s1.length, where s1 is its id. The energy of " \
  "linear springs is part of the potential energy, the energy of all other forces counts as " \
  "their work. Formulas can read variables of other systems as id.name, for example the current " \
  "coil.i_L1 in the constant of a damper; so can <torque> and <force> of joints."

#define WHICH_JOINT \
  { \
    .name = "joint", .type = NS_LANG_ID, .required = 1, .example = "hinge", \
    .help = "id of the interaction of the joint" \
  }
#define WHICH_COORDINATE \
  { \
    .name = "coordinate", .type = NS_LANG_ENUM, .initial = "auto", \
    .choices = "auto angle slide twist swing all", \
    .help = "of a cylindrical joint: angle or slide; of a ball joint with an axis: twist, the " \
            "rotation about it, or swing, the angle between the axes fixed in the two bodies; " \
            "all: friction of a ball joint in all directions; auto: the only coordinate, the " \
            "angle of a cylindrical joint, or the swing of a ball joint" \
  }
#define LIMITS(of) \
  {.name = "lower", \
   .type = NS_LANG_REAL, \
   .initial = "-inf", \
   .range = "[-inf, inf]", \
   .example = "-1", \
   .help = "lower limit of the " of}, \
  { \
    .name = "upper", .type = NS_LANG_REAL, .initial = "inf", .range = "[-inf, inf]", \
    .example = "1", .help = "upper limit of the " of \
  }
#define WHICH_TENDON \
  { \
    .name = "tendon", .type = NS_LANG_ID, .required = 1, .example = "rope", \
    .help = "id of a <tendon>, <spring> or <damper>" \
  }
#define TENDON_TEXT "The systems are those of the tendon: omit systems= of the interaction."

#define FREE_TEXT \
  "The coordinate is the angle (rad, including full turns) or slide (m) of the second body of " \
  "the joint relative to the first, about or along the axis of the joint; it is zero in the " \
  "configuration <q0>. The systems are those of the joint: omit systems= of the interaction."

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

#define COEFFICIENT(what, must, default_text, bounds, sample, unit_text, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .required = must, .initial = default_text, \
    .range = bounds, .unit = unit_text, .uses = NS_LANG_OF_RUN, .example = sample, .help = text \
  }

#define LIFE_TEXT \
  "With birth= and death= the body exists for a part of the run, only in <TimeStepping>. Outside " \
  "this interval it has no contacts, and its state is constant; formulas of other systems can " \
  "read it. The results contain events of kind birth and death, at the end of the first step " \
  "with the body and of the first step without it. Such a body can have contacts and its own " \
  "forces, but no <interaction> and no force between bodies."

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
    {
        .name = "KneeJointR",
        .group = NS_LANG_RELATION,
        .help = "ball joint: a common point of two bodies, 3 rows",
        .text =
            "  P_1 = P_2: the point of the joint, fixed in each body\n\n" JOINT_TEXT
            " Its axis, if given, is the reference of swing and twist in <JointStopR> and "
            "<JointFrictionR>: a cone of swing and limits of twist. stiffness= and damping= exert "
            "the torque -stiffness phi - damping omega on the second body and the reaction on the "
            "first. phi is the rotation vector of the second body relative to the first since the "
            "initial configuration, and omega is its angular velocity. Use this spring only for "
            "rotations of less than half a turn. Their work is in the energy balance, as work of "
            "forces.",
        .example = "<KneeJointR point=\"0 0 0\"/>",
        .attributes = LIST(
            JOINT_POINT,
            {.name = "axis",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "0 0 1",
             .help = "axis of reference of swing and twist, of any length"},
            JOINT_AXES,
            NOT_NEGATIVE("stiffness", "0", "N m/rad", "torque per unit of the rotation vector"),
            NOT_NEGATIVE("damping", "0", "N m s/rad",
                         "torque per unit of the relative angular velocity")),
    },
    {
        .name = "PivotJointR",
        .group = NS_LANG_RELATION,
        .help = "hinge: a common point and a common axis, 5 rows; in the plane 2",
        .text = "  P_1 = P_2, a_1 = a_2: point and axis of the joint, fixed in each "
                "body\n\n" JOINT_TEXT
                " Its coordinate is an angle." IN_PLANE_TEXT
                "and there is no axis: <PivotJointR point=\"0 0\"/>." DRIVE_TEXT,
        .example = "<PivotJointR point=\"0 0 0\" axis=\"0 1 0\">\n"
                   "  <torque>-k*angle - c*v_angle</torque>\n"
                   "</PivotJointR>",
        .attributes = LIST(JOINT_POINT, HINGE_AXIS, JOINT_AXES,
                           COORDINATE_NUMBERS(OF_ONE, "kg m^2", "N m/rad", "N m s/rad", "rad")),
        .values = LIST(TORQUE, MOTOR(TURNS, "of the coordinate", )),
    },
    {
        .name = "PrismaticJointR",
        .group = NS_LANG_RELATION,
        .help = "translation along an axis without rotation, 5 rows; in the plane 2",
        .text = "  P_2 = P_1 + s a_1, R_1 = R_2: point, axis and axes of the joint, fixed in each "
                "body; s is free\n\n" JOINT_TEXT CENTRE_TEXT
                " Its coordinate is a slide; <force> corresponds to <torque> of "
                "<PivotJointR>." IN_PLANE_TEXT
                "and its last row is an angle: <PrismaticJointR axis=\"1 0\"/>.",
        .example = "<PrismaticJointR axis=\"1 0 0\"/>",
        .attributes = LIST(JOINT_AXIS, JOINT_AXES,
                           COORDINATE_NUMBERS(OF_ONE, "kg", "N/m", "N s/m", "m")),
        .values = LIST(FORCE, MOTOR(SLIDES, "of the coordinate", )),
    },
    {
        .name = "CylindricalJointR",
        .group = NS_LANG_RELATION,
        .help = "translation along an axis and rotation about it, 4 rows",
        .text = "  P_2 = P_1 + s a_1, a_1 = a_2: point and axis of the joint, fixed in each body; "
                "s is free\n\n" JOINT_TEXT " Its coordinates are an angle and a slide; "
                "<torque> and <force> are as in <PivotJointR>, "
                "and both can use both coordinates; armature, stiffness, damping and rest have two "
                "entries, for the angle and for the slide.",
        .example = "<CylindricalJointR point=\"0 0 0\" axis=\"0 0 1\"/>",
        .attributes = LIST(JOINT_POINT, JOINT_AXIS, JOINT_AXES,
                           COORDINATE_NUMBERS(OF_BOTH, NULL, NULL, NULL, NULL)),
        .values = LIST(TORQUE, FORCE,
                       MOTOR(EITHER, "of the coordinate", ,
                             {.name = "coordinate",
                              .type = NS_LANG_ENUM,
                              .initial = "angle",
                              .choices = "angle slide",
                              .help = "coordinate that the motor drives"})),
    },
    {
        .name = "FixedJointR",
        .group = NS_LANG_RELATION,
        .help = "no relative motion, 6 rows; in the plane 3",
        .text = "  P_1 = P_2, R_1 = R_2: point and axes of the joint, fixed in each "
                "body\n\n" JOINT_TEXT CENTRE_TEXT
                " It is also available in the plane.",
        .example = "<FixedJointR/>",
        .attributes = LIST(COLLIDE),
    },
    {
        .name = "JointStopR",
        .group = NS_LANG_RELATION,
        .help = "limits of the free coordinate d of a joint: y = d - lower, y = upper - d",
        .text = FREE_TEXT
        " There is one row for each finite limit. The law is <NewtonImpactNSL e=\"...\"/>.",
        .example = "<JointStopR joint=\"hinge\" lower=\"-pi/4\" upper=\"pi/4\"/>",
        .attributes = LIST(WHICH_JOINT, WHICH_COORDINATE, LIMITS("coordinate")),
    },
    {
        .name = "JointFrictionR",
        .group = NS_LANG_RELATION,
        .help = "velocity of the free coordinate of a joint, for dry friction with a given torque "
                "or force",
        .text =
            "  y' = -v_c: minus the rate of the coordinate c of the joint\n\n" FREE_TEXT
            " The law is <RelayNSL lb=\"-tau\" ub=\"tau\"/>: the friction is at most tau. Of "
            "bounds that differ, ub is the friction where the coordinate increases, -lb where it "
            "decreases, as in Siconos. tau can be a formula of states and inputs, but not of the "
            "reaction of a joint: if such friction is large enough to lock the mechanism, the "
            "one-step problem can have no solution, or several. For a <KneeJointR>, "
            "coordinate=\"all\" has 3 rows, minus the components of the angular velocity of the "
            "second body relative to the first, in axes of the first. With <RelayNSL lb=\"-tau\" "
            "ub=\"tau\" norm=\"euclidean\"/> the torque is at most tau and opposes the angular "
            "velocity; without norm= the bound applies to each component, so that the torque is at "
            "most sqrt(3) tau.",
        .example = "<JointFrictionR joint=\"hinge\"/>",
        .attributes = LIST(WHICH_JOINT, WHICH_COORDINATE),
    },
    {
        .name = "TendonStopR",
        .group = NS_LANG_RELATION,
        .help = "limits of the length of a tendon: y = length - lower, y = upper - length",
        .text = "A rope that does not stretch is a <tendon stiffness=\"0\"> with an upper limit: "
                "lambda[0] is then the impulse of its tension. There is one row for each finite "
                "limit. The law is <NewtonImpactNSL e=\"...\"/>. " TENDON_TEXT,
        .example = "<TendonStopR tendon=\"rope\" upper=\"2.5\"/>",
        .attributes = LIST(WHICH_TENDON, LIMITS("length, m")),
    },
    {
        .name = "TendonFrictionR",
        .group = NS_LANG_RELATION,
        .help = "rate of the length of a tendon, for dry friction with a given force",
        .text = "  y' = -l': minus the rate of the length l of the tendon\n\n"
                "The law is <RelayNSL lb=\"-F\" ub=\"F\"/>: the friction along the tendon is at "
                "most F, in N. Of bounds that differ, ub is the friction where the tendon becomes "
                "longer, -lb where it becomes shorter. " TENDON_TEXT,
        .example = "<TendonFrictionR tendon=\"rope\"/>",
        .attributes = LIST(WHICH_TENDON),
    },
    {
        .name = "TendonLengthR",
        .group = NS_LANG_RELATION,
        .help = "a tendon of constant length: y = length of the tendon - length",
        .text = "  y = l - l_0: length l of the tendon, length= l_0\n\n"
                "Examples are a rod, and a cable that runs through pulleys and cannot go slack. "
                "Over joints the relation is a linear equation between the coordinates of up to 16 "
                "joints: a differential is a tendon over three of them. The law is "
                "<EqualityConditionNSL/>; lambda[0] is positive if the tendon pushes. " TENDON_TEXT,
        .example = "<TendonLengthR tendon=\"rope\" length=\"2.5\"/>",
        .attributes = LIST(WHICH_TENDON, {.name = "length",
                                          .type = NS_LANG_REAL,
                                          .required = 1,
                                          .range = "(-inf, inf)",
                                          .unit = "m",
                                          .example = "1",
                                          .help = "constant length; over joints it can be "
                                                  "negative"}),
    },
    {
        .name = "CouplerJointR",
        .group = NS_LANG_RELATION,
        .help = "a linear equation between free coordinates of two joints: d2 = ratio d1 + offset",
        .text = FREE_TEXT " A gear couples two angles, a rack an angle and a slide, a screw the "
                          "angle and the slide of one cylindrical joint, which is then listed "
                          "twice. The joints can have a moving body in common, such as the carrier "
                          "of a planetary gear, or none. The law is <EqualityConditionNSL/>.",
        .example = "<CouplerJointR joints=\"hinge1 hinge2\" ratio=\"-0.5\"/>",
        .attributes = LIST({.name = "joints",
                            .type = NS_LANG_IDS,
                            .required = 1,
                            .example = "hinge1 hinge2",
                            .help = "ids of two interactions with joints"},
                           {.name = "coordinates",
                            .type = NS_LANG_TEXT,
                            .initial = "auto auto",
                            .example = "angle slide",
                            .help = "coordinate of each: angle, slide, or auto, as for JointStopR"},
                           {.name = "ratio",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .example = "1",
                            .help = "change of d2 per unit change of d1"},
                           {.name = "offset",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .example = "0",
                            .help = "value of d2 at d1 = 0"},
                           {.name = "collide",
                            .type = NS_LANG_ENUM,
                            .initial = "true",
                            .choices = "true false",
                            .help = "false: shapes of the coupled bodies pass through each other, "
                                    "as for gear wheels"}),
    },
    {
        .name = "spring",
        .group = NS_LANG_FORCE,
        .help = "spring and damper between points of two rigid bodies, or of a body and the world",
        .text = "  f = k (l - l_0) + c l' + f_0: tension, from stiffness, restLength, damping, "
                "preload and the length l\n\n"
                "Its tension is stiffness (length - restLength) + damping rate + preload, or the "
                "formula <along> gives its force: <along>-k*(length - L)^3</along>. A spring with "
                "restLength=\"0\" and no preload is smooth when its points coincide; any other "
                "spring then has no direction, and the run ends with a message." FORCE_TEXT,
        .example = "<spring id=\"s1\" systems=\"wheel chassis\" point2=\"0.3 0 -0.2\" "
                   "stiffness=\"2e4\" damping=\"1e3\" restLength=\"0.4\"/>",
        .attributes = LIST(FORCE_ENDS, LINEAR_SPRING),
        .values = LIST(ALONG_LINE),
    },
    {
        .name = "damper",
        .group = NS_LANG_FORCE,
        .help = "damper between points of two rigid bodies, or of a body and the world",
        .text = "  f = c l': tension, from damping and the length l\n\n"
                "Its tension is damping times rate, or the formula <along> gives its force: "
                "<along>-c*rate*abs(rate)</along>." FORCE_TEXT,
        .example =
            "<damper id=\"d1\" systems=\"wheel chassis\" point2=\"0.3 0 -0.2\" damping=\"1e3\"/>",
        .attributes = LIST(
            FORCE_ENDS,
            NOT_NEGATIVE(
                "damping", "none", "N s/m",
                "tension per m/s of the rate of the length; give this or a formula <along>")),
        .values = LIST(ALONG_LINE),
    },
    {
        .name = "tendon",
        .group = NS_LANG_FORCE,
        .help =
            "cable through points of rigid bodies or over joints, which pulls but does not push",
        .text =
            "  f = max(k (l - l_0) + c l' + f_0, 0): tension, from stiffness, restLength, damping, "
            "preload and the length l\n\n"
            "Its tension is stiffness (length - restLength) + damping rate + preload, or 0 if this "
            "is negative; the damper acts only if the sum of the other terms is positive. Instead, "
            "the formula <along> can give the force, which acts only if it is negative. With "
            "pushes=\"true\" a tendon can also push, as a <spring> does.\n\n"
            "A tendon can run through up to 16 points without friction, one on each of systems in "
            "this order. Its length is the sum of the distances between consecutive points, each "
            "times its entry of strands. strands=\"1 2\" is a cable whose second segment is a "
            "tackle with two strands; an entry 0.5 is a branch after a pulley, which moves half as "
            "far, and 0 is the gap between the end of a branch and the next branch.\n\n"
            "A tendon can also run over joints. Its length is then the sum of the coordinates of "
            "the joints times coefficients, with angles in rad and slides in m, as in results; the "
            "coefficient of an angle is a lever arm. Such a tendon couples joints that have no "
            "body in common. Its torque on a joint is the coefficient times its force.\n\n"
            "Limits and friction of the length are those of <TendonStopR> and <TendonFrictionR>; "
            "<TendonLengthR> keeps it constant.\n\n"
            "<motor> drives the length as the motor of a joint drives its coordinate: its force "
            "counts as <along>, positive if it pushes the points apart, and adds to <along> or to "
            "stiffness, damping and preload. If pushes=\"false\" the tendon is slack unless this "
            "sum is a tension, so that the motor is a winch: with command=\"position\" it keeps "
            "the length by pulling alone." FORCE_TEXT,
        .example = "<tendon id=\"s1\" systems=\"arm world hand\" points=\"0 0 0.1  0 0 1  0 0.1 "
                   "0\" stiffness=\"1e4\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "s1",
             .help = "name, unique among systems and interactions"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of joints=",
             .example = "ball world",
             .help = "body of each point; world: a point fixed in the world; with a single body "
                     "the other point is fixed in the world"},
            {.name = "points",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0 of each",
             .unit = "m",
             .example = "0 0 0 0 0 0",
             .help = "points in the axes of their bodies, relative to the centres "
                     "of mass: three numbers each, in the plane two; one point after the other, "
                     "or each in a row: points=\"0 0 0; 0 0 1\""},
            {.name = "strands",
             .type = NS_LANG_TEXT,
             .initial = "1 of each",
             .example = "1",
             .help = "factors of the segments between consecutive points in the length: one fewer "
                     "than points, none negative"},
            {.name = "joints",
             .type = NS_LANG_IDS,
             .initial = "none",
             .example = "hinge1 hinge2",
             .help = "instead of systems: ids of 1 to 16 interactions with joints, but not ball "
                     "joints, over which the tendon runs"},
            {.name = "coefficients",
             .type = NS_LANG_TEXT,
             .initial = "required with joints=",
             .example = "0.02 -0.015",
             .help = "length per unit of the coordinate of each joint: m/rad of an "
                     "angle, 1 of a slide"},
            {.name = "coordinates",
             .type = NS_LANG_TEXT,
             .initial = "auto of each",
             .example = "angle slide",
             .help = "coordinate of each joint: angle, slide, or auto, as for "
                     "CouplerJointR"},
            {.name = "pushes",
             .type = NS_LANG_ENUM,
             .initial = "false",
             .choices = "false true",
             .help = "true: it is never slack and can also push"},
            NOT_NEGATIVE("stiffness", "none", "N/m",
                         "tension per metre of elongation; give this or a formula "
                         "<along>"),
            NOT_NEGATIVE("damping", "0", "N s/m", "tension per m/s of the rate of the length"),
            {.name = "restLength",
             .type = NS_LANG_REAL,
             .initial = "the length at the initial configuration",
             .range = "(-inf, inf)",
             .unit = "m",
             .example = "1",
             .help = "length at which it has no force; over joints it can be negative"},
            PRELOAD),
        .values = LIST(ALONG_LINE, MOTOR(SLIDES, "of the length", )),
    },
    {
        .name = "force",
        .group = NS_LANG_FORCE,
        .help = "force between points of two rigid bodies, or of a body and the world, by formulas",
        .text =
            "Formulas can use t, inputs of the bodies, length and rate of the line between the "
            "points, and the position x y z of the first point relative to the second, in the axes "
            "of the second body or of the world, with its rates v_x v_y v_z. In the plane these "
            "are x y, v_x v_y, and angle, v_angle of the first body relative to the other. <along> "
            "acts along the line, <vector> on the first body at its point, with the reaction on "
            "the other body at the same place, <torque> on both bodies in the plane. Give at least "
            "one of them. Gravity between two bodies is "
            "<along>-G*m1*m2/length^2</along>." FORCE_TEXT,
        .example =
            "<force id=\"bushing\" systems=\"arm frame\" point1=\"0.1 0 0\" point2=\"0 0 0.5\">\n"
            "  <vector>-kx*x - c*v_x  -kx*y - c*v_y  -kz*z - c*v_z</vector>\n"
            "</force>",
        .attributes = LIST(FORCE_ENDS),
        .values = LIST(ALONG("force along the line, positive if it pushes the points apart: a "
                             "formula of the coordinates above"),
                       {.name = "vector",
                        .type = NS_LANG_VECTOR,
                        .initial = "none",
                        .rows = "3",
                        .unit = "N",
                        .uses = T | J | Z,
                        .forms = NS_LANG_FORM_TEXT,
                        .example = "-x -y -z",
                        .help = "force on the first body, in the axes of the second body or of the "
                                "world; in the plane two formulas"},
                       {.name = "torque",
                        .type = NS_LANG_VECTOR,
                        .initial = "none",
                        .rows = "1",
                        .unit = "N m",
                        .uses = T | J | Z,
                        .forms = NS_LANG_FORM_TEXT,
                        .example = "-angle",
                        .help = "torque on the first body, in the plane"}),
    },
    {
        .name = "NewtonImpactRollingFrictionNSL",
        .group = NS_LANG_LAW,
        .help = "Newton's impact law, Coulomb friction and rolling friction, 5 rows in space, 3 in "
                "the plane",
        .text = "  |lambda_R| <= muRolling lambda_N; where u_R is not 0, lambda_R = -muRolling "
                "lambda_N u_R/|u_R|\n\n"
                "As NewtonImpactFrictionNSL; the last rows of the relation are relative angular "
                "velocities along the contact. Their multipliers, moments, are at most muRolling "
                "lambda[0] and oppose rolling; muRolling is a length.",
        .example = "<NewtonImpactRollingFrictionNSL en=\"0\" mu=\"0.5\" muRolling=\"0.01\"/>",
        .attributes = LIST(
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", NULL,
                        "coefficient of restitution of the gap"),
            COEFFICIENT("et", 0, "0", "[0, 1]", "0", NULL,
                        "coefficient of restitution of the slip"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", NULL, "coefficient of friction"),
            COEFFICIENT("muRolling", 1, NULL, "[0, inf)", "0.01", "m",
                        "coefficient of rolling friction, a length"),
            {.name = "size",
             .type = NS_LANG_INTEGER,
             .initial = "from the relation",
             .range = "[1, 1000000]",
             .example = "5",
             .help = "number m of rows; required if the relation consists of plug-ins alone"}),
    },
    {0},
};
