/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_joints.c -- rows of the language table: joints between rigid bodies with their drives,
 * and what acts on their coordinates or on the length of a tendon. */
#include "model/language/language_motor.h"

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

const ns_lang_element ns_lang_joints[] = {
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
    {0},
};
