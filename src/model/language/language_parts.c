/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_parts.c -- rows of the language table: the frame of a model and its output. */
#include "model/language/language_tables.h"

const ns_lang_element ns_lang_parts[] = {
    {
        .name = "model",
        .group = NS_LANG_PART,
        .help = "a whole model: parameters, systems, interactions, simulation, output",
        .text = "The root of a model file. Its children can be in any order. All elements belong "
                "to the namespace urn:nssim:model:1.",
        .example = "<model xmlns=\"urn:nssim:model:1\" name=\"bouncing-ball\">\n"
                   "  <systems>\n"
                   "    <LagrangianLinearTIDS id=\"ball\" coordinates=\"x\">\n"
                   "      <q0>1</q0>\n"
                   "      <fExt>-9.81</fExt>\n"
                   "    </LagrangianLinearTIDS>\n"
                   "  </systems>\n"
                   "  <interactions>\n"
                   "    <interaction id=\"ground\" systems=\"ball\">\n"
                   "      <LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>\n"
                   "      <NewtonImpactNSL e=\"0.9\"/>\n"
                   "    </interaction>\n"
                   "  </interactions>\n"
                   "  <simulation T=\"10\">\n"
                   "    <TimeStepping h=\"0.005\"><MoreauJeanOSI/></TimeStepping>\n"
                   "  </simulation>\n"
                   "</model>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_TEXT,
                            .initial = "",
                            .help = "short name, for titles and results"}),
        .values = LIST(
            {.name = "title", .type = NS_LANG_TEXT, .initial = "", .help = "one-line title"},
            {.name = "description",
             .type = NS_LANG_TEXT,
             .initial = "",
             .help = "description of the model and the sources of its numbers"}),
        .children = CHILDREN({"parameters", 0, 0, 1}, {"defaults", 0, 0, 1}, {"systems", 0, 0, 1},
                             {"netlist", 0, 0, 1}, {"interactions", 0, 0, 1}, {"contacts", 0, 0, 1},
                             {"controls", 0, 0, 1}, {"simulation", 0, 1, 1}, {"output", 0, 0, 1},
                             {"events", 0, 0, 1}, {"measures", 0, 0, 1}),
    },
    {
        .name = "parameters",
        .group = NS_LANG_PART,
        .help = "named numbers and functions for expressions",
        .text = "Parameters can use each other in any order, but not circularly. -p NAME=VALUE on "
                "the command line replaces a value. Tables and functions can use parameters, and "
                "functions can use the tables and functions before them; parameters cannot use "
                "tables or functions.",
        .example = "<parameters>\n"
                   "  <parameter name=\"R\" value=\"10\" unit=\"cm\" help=\"radius\"/>\n"
                   "  <parameter name=\"m\" value=\"800*4/3*pi*R^3\" unit=\"kg\"/>\n"
                   "</parameters>",
        .children = CHILDREN({"parameter", 0, 0, NS_LANG_MANY}, {"vector", 0, 0, NS_LANG_MANY},
                             {"table", 0, 0, NS_LANG_MANY}, {"function", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "defaults",
        .group = NS_LANG_PART,
        .help = "default attributes of elements",
        .text = "Each child gives default attributes for all elements with its name anywhere in "
                "the model; a child with class= only for the elements with its name and the same "
                "class=. An attribute of the element itself overrides that of its class, which "
                "overrides that for all. Any element of a model can have class=, a word that "
                "<defaults> define for that element, and so can the values that have attributes "
                "of their own: <motor>, <q0> of a body, <fExt>, <mExt>. A <motor> in <defaults> "
                "is for those of all joints and tendons.\n\n"
                "Only attributes have defaults, not the text of a value, nor file=, plugin= and "
                "other attributes that stand for it; id and name have none. An "
                "orientation of an element does not override a different form of orientation in "
                "<defaults>: use one form. <defaults> apply to the whole file of the model, "
                "wherever they are in it; in an included file, to what follows them. A path "
                "changes a default for all elements that use it: -p defaults/Sphere@radius=0.2. A "
                "schema does not include defaults: it reports required attributes as missing. "
                "`nssim check` prints how many elements took each default, with their lines.",
        .example = "<defaults>\n"
                   "  <Sphere radius=\"0.1\" density=\"2600\"/>\n"
                   "  <Sphere class=\"large\" radius=\"0.3\" material=\"steel\"/>\n"
                   "  <motor command=\"position\" kp=\"40\" kv=\"2\" limit=\"15\"/>\n"
                   "</defaults>",
    },
    {
        .name = "table",
        .group = NS_LANG_PART,
        .help = "a tabulated function that formulas call by its id",
        .text = "quake(t) is the value of the table quake at time t, in any formula; the argument "
                "can be any expression. Rows are given by points= or by a file: a text file with "
                "commas or blanks, with or without a line of column names; a dataset of an HDF5 "
                "file, selected by dataset=; or the result of a run (.h5, or .csv with its names), "
                "whose columns `nssim info` lists. Rows must be in ascending order of x.\n\n"
                "interpolation= is linear, step (the value of the previous row), cubic (the "
                "natural cubic spline) or pchip (a piecewise cubic without overshoot, Fritsch & "
                "Butland 1984). With outside=\"error\" a run ends if it evaluates the table "
                "outside the range of its rows, with a tolerance of a billionth of this range; "
                "hold is the value at the end, zero is 0, and periodic repeats the rows.\n\n"
                "Derivatives are exact. In event-driven runs, jumps of step tables and corners of "
                "linear tables are events, including those at the ends.\n\n"
                "With two names in x= the table has two arguments, for example torque(w, throttle) "
                "of x=\"w throttle\" y=\"torque\". It has one row for each pair of values, in any "
                "order; interpolation is step, linear (bilinear) or cubic (bicubic spline).\n\n"
                "With several names in y= the table is a set of functions, one for each column: "
                "id=\"quake\" y=\"ax ay\" defines quake_ax(t) and quake_ay(t), y=\"2 3\" defines "
                "quake_2(t) and quake_3(t).",
        .example = "<table id=\"lift\" points=\"0 0; 60 0.008; 120 0.012; 180 0; 360 0\" "
                   "interpolation=\"pchip\"\n"
                   "       outside=\"periodic\" xUnit=\"degree\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_NAME,
             .required = 1,
             .example = "lift",
             .help = "name in formulas: letters, digits, _"},
            {.name = "points",
             .type = NS_LANG_TEXT,
             .initial = "none; required without file=",
             .example = "0 0; 1 2",
             .help = "rows of numbers or expressions of parameters, separated by semicolons"},
            {.name = "file",
             .type = NS_LANG_FILE,
             .initial = "none; required without points=",
             .example = "quake.csv",
             .help = "file of the rows"},
            {.name = "dataset",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "/lift",
             .help = "path of a dataset in an HDF5 file"},
            {.name = "x",
             .type = NS_LANG_TEXT,
             .initial = "1",
             .example = "time",
             .help = "name or number of the column of the argument, or of two arguments"},
            {.name = "y",
             .type = NS_LANG_TEXT,
             .initial = "the next column",
             .example = "ag",
             .help = "name or number of the column of the value; several columns define the "
                     "functions ID_NAME"},
            {.name = "interpolation",
             .type = NS_LANG_ENUM,
             .initial = "linear",
             .choices = "step linear cubic pchip",
             .help = "interpolation between rows"},
            {.name = "outside",
             .type = NS_LANG_ENUM,
             .initial = "error",
             .choices = "error hold zero periodic",
             .help = "values before the first and after the last row"},
            {.name = "xUnit",
             .type = NS_LANG_TEXT,
             .initial = "1",
             .example = "ms",
             .help = "unit of the column x, or of both columns, or one for each; in formulas the "
                     "arguments are in SI units"},
            {.name = "yUnit",
             .type = NS_LANG_TEXT,
             .initial = "1",
             .example = "cm/s^2",
             .help = "unit of the column y, or one for each of several columns; in formulas the "
                     "value is in SI units"}),
    },
    {
        .name = "function",
        .group = NS_LANG_PART,
        .help = "a formula with arguments that other formulas can call",
        .text = "The arguments of a call are expressions. The formula can use its arguments, "
                "parameters, and the tables and functions before it; pass everything else, "
                "including time and state, as arguments.",
        .example =
            "<function name=\"stribeck\" of=\"v\">mu_k + (mu_s - mu_k)*exp(-(v/v_s)^2)</function>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_NAME,
                            .required = 1,
                            .example = "stribeck",
                            .help = "name in formulas: letters, digits, _"},
                           {.name = "of",
                            .type = NS_LANG_NAMES,
                            .required = 1,
                            .example = "v",
                            .help = "names of the arguments, at most 8"}),
        .content =
            &(const ns_lang_item){
                .name = "formula", .type = NS_LANG_TEXT, .required = 1, .help = "its value"},
    },
    {
        .name = "parameter",
        .group = NS_LANG_PART,
        .help = "a named number",
        .text = "value is written in this unit: value=\"10\" unit=\"cm\" defines a parameter with "
                "the value 0.1, because all expressions are in SI units. A value that uses other "
                "parameters must therefore have an SI unit (kg, m, N/m, ...) or none. All units of "
                "UDUNITS-2 are allowed.",
        .example = "<parameter name=\"g\" value=\"9.81\" unit=\"m/s^2\" help=\"gravity\"/>",
        .attributes = LIST(
            {.name = "name",
             .type = NS_LANG_NAME,
             .required = 1,
             .example = "g",
             .help = "name in expressions: letters, digits, _"},
            {.name = "value",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "9.81",
             .help = "expression of numbers and other parameters"},
            {.name = "unit", .type = NS_LANG_TEXT, .initial = "1", .help = "unit of value"},
            {.name = "help", .type = NS_LANG_TEXT, .initial = "", .help = "description"}),
    },
    {
        .name = "vector",
        .group = NS_LANG_PART,
        .help = "a named list of numbers",
        .text = "In expressions its entries are k[0], k[1], ...; the subscript can be any "
                "expression: k[i] with the index i of a <repeat>, k[n-1] with a parameter n, "
                "k[floor(t)]. Subscripts are rounded down. Its values can use parameters and "
                "entries of other vectors; -p k=\"1 2 3\" replaces them. Results list the entries "
                "as parameters. Points of a <table> can use them: points=\"0 k[0]; 1 k[1]\".",
        .example = "<vector name=\"k\" values=\"1e3 2e3 5e3\" unit=\"N/m\"/>",
        .attributes = LIST(
            {.name = "name",
             .type = NS_LANG_NAME,
             .required = 1,
             .example = "k",
             .help = "name in expressions: letters, digits, _"},
            {.name = "values",
             .type = NS_LANG_TEXT,
             .required = 1,
             .example = "1 2 3",
             .help = "expressions separated by white space or commas"},
            {.name = "unit", .type = NS_LANG_TEXT, .initial = "1", .help = "unit of the values"},
            {.name = "help", .type = NS_LANG_TEXT, .initial = "", .help = "description"}),
    },
    {
        .name = "systems",
        .group = NS_LANG_PART,
        .help = "the dynamical systems",
        .example = "<systems>\n"
                   "  <LagrangianLinearTIDS id=\"ball\"><q0>1 0 0</q0></LagrangianLinearTIDS>\n"
                   "</systems>",
        .text =
            "A model can combine systems of any kind, including circuits and rigid bodies. A "
            "formula of a force or right-hand side (fExt, mExt, fInt, mInt, fGyr, f, b, the "
            "sources of a netlist, <along>, <vector>, <torque> and <force> between bodies and of "
            "joints) can read coordinates, velocities, states and inputs of any other system as "
            "id.name. For example, K*drive.i_L1 is the torque of a motor on a rotor, and "
            "K*rotor.v_phi is the back-EMF source in its circuit. Such systems are solved "
            "together, in time-stepping with the exact derivatives of each with respect to the "
            "other, or in event-driven runs (<EventDriven> with <CVodeOSI/>).\n\n"
            "Formulas can read x, y, z, the quaternion p0 to p3, v_x, v_y, v_z, Omega_x, Omega_y "
            "and Omega_z of a body in space; x, y, angle and their velocities v_ of a body in the "
            "plane; angle, v_angle or slide, v_slide of a joint, including full turns; length and "
            "rate of a spring, damper, tendon or force between bodies. In k*hinge.angle, hinge is "
            "the id of the interaction. Right-hand sides can also read quantities that depend on "
            "multipliers of circuits and of first-order relations at the same instant: K*c.D1.i "
            "with a diode D1, or r.lambda[0]. The system then belongs to that interaction, with "
            "this force or rate as its input. All rigid bodies of a model have the same "
            "integrator, which can be one with projection.\n\n"
            "An event-driven run has one table of events for all systems: impacts and friction in "
            "mechanics, switches of first-order systems and circuits. An impact changes "
            "velocities, while currents and voltages of circuits are continuous; if a state of a "
            "first-order system jumps, forces that read it are evaluated again.",
        .children = CHILDREN({NULL, NS_LANG_SYSTEM, 0, NS_LANG_MANY}, {"block", 0, 0, NS_LANG_MANY},
                             {"netlist", 0, 0, NS_LANG_MANY}, {"repeat", 0, 0, NS_LANG_MANY},
                             {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "block",
        .group = NS_LANG_PART,
        .help = "a continuous-time block whose output can be used in formulas",
        .text =
            "A <StateSpace>, <TransferFunction> or <Limiter> in continuous time: a first-order "
            "system, if it has states. Its input u is a formula of t and of quantities id.name of "
            "other systems, joints and blocks. Formulas that can read other systems, and those of "
            "<output>, measures and events, use the id of the block for its output; several "
            "outputs are ID.y[0], ID.y[1], ..., and states are ID.x0, ID.x1, .... Results contain "
            "the output as ID.value. The same elements in a <control> are sampled.\n\n"
            "A block is integrated with the model: to the tolerance in event-driven runs, by "
            "<EulerMoreauOSI> in time-stepping, or by the trapezoidal rule if the model has no "
            "integrator for first-order systems.\n\n"
            "If D is not zero, the output depends directly on the input. A loop of blocks with "
            "such outputs is an error, since it may have no solution.\n\n"
            "A <Limiter> with a rate has the state ID.x0. It equals u while u changes no faster "
            "than rate and fall allow, and otherwise follows u at that rate, without lag. The "
            "output is this state, limited by lower and upper. The rate of the state is the "
            "multiplier of the interaction ID_limit, a relay on ID.x0 - u with the bounds -fall "
            "and "
            "rate; its switches are events. A <Limiter> without a rate has no state: like other "
            "blocks of order 0, it is a formula.",
        .example = "<block id=\"lag\">\n"
                   "  <TransferFunction><numerator>1</numerator><denominator>0.1 1</denominator>"
                   "<u>1 - plant.level</u></TransferFunction>\n"
                   "</block>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "lag",
             .help = "name of its output, unique among systems and interactions, without -"},
            {.name = "start",
             .type = NS_LANG_REAL,
             .initial = "0",
             .help = "output at t0 of a <Limiter> with a rate"}),
        .children = CHILDREN({"StateSpace", 0, 0, 1}, {"TransferFunction", 0, 0, 1},
                             {"Limiter", 0, 0, 1}),
    },
    {
        .name = "interactions",
        .group = NS_LANG_PART,
        .help = "couplings of systems to each other and to the world",
        .example = "<interactions>\n"
                   "  <interaction id=\"ground\" systems=\"ball\">\n"
                   "    <LagrangianLinearTIR><H>1 0 0</H></LagrangianLinearTIR>\n"
                   "    <NewtonImpactNSL e=\"0.9\"/>\n"
                   "  </interaction>\n"
                   "</interactions>",
        .text = "Contains interactions and forces between rigid bodies: springs, dampers, tendons "
                "and formulas. A spring between coordinates of Lagrangian systems is a formula in "
                "both: <fInt>k*(x - other.x)</fInt> in one, k*(x - one.x) in the other.",
        .children = CHILDREN({"interaction", 0, 0, NS_LANG_MANY},
                             {NULL, NS_LANG_FORCE, 0, NS_LANG_MANY}, {"repeat", 0, 0, NS_LANG_MANY},
                             {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "interaction",
        .group = NS_LANG_PART,
        .help = "a relation (which computes the gap) and a law (which determines the reaction)",
        .text = "Q contains the coordinates of its systems, one system after the other in the "
                "order of the attribute systems; nQ is the length of Q. A system can occur twice.",
        .example = "<interaction id=\"touch\" systems=\"left right\">\n"
                   "  <LagrangianLinearTIR><H>-1 1</H><e>-2*R</e></LagrangianLinearTIR>\n"
                   "  <NewtonImpactNSL e=\"0.5\"/>\n"
                   "</interaction>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .required = 1,
                            .example = "ground",
                            .help = "name, unique among systems and interactions"},
                           {.name = "systems",
                            .type = NS_LANG_IDS,
                            .initial = "those of the joint, if the relation has joint=",
                            .example = "ball",
                            .help = "ids of its systems"},
                           {.name = "unit",
                            .type = NS_LANG_TEXT,
                            .initial = "m in mechanics, else none",
                            .example = "rad",
                            .help = "SI unit of y, for results; if it is rad, lambda is a moment"},
                           {.name = "lambdaUnit",
                            .type = NS_LANG_TEXT,
                            .initial = "in mechanics N s, or N in event-driven runs; else none",
                            .example = "A",
                            .help = "SI unit of lambda, for results"}),
        .children = CHILDREN({NULL, NS_LANG_RELATION, 1, 1}, {NULL, NS_LANG_LAW, 1, 1}),
    },
    {
        .name = "frame",
        .group = NS_LANG_PART,
        .help =
            "a coordinate frame for its children: bodies, shapes, joints, forces, further frames",
        .text = "Allowed in <systems>, <contacts>, <interactions> or a body, with the children "
                "allowed there. Position and orientation are relative to the enclosing frame or, "
                "in a body, to its axes and centre of mass. Ids are not affected.\n\n"
                "<q0> of a body in a frame is relative to the frame, <v0> is its velocity relative "
                "to the frame and in its axes; the angular velocity is in axes of the body as "
                "usual. A moving frame (velocity=, angularVelocity=) adds its velocity at the "
                "position of the body: v = v_frame + omega x (x - x_frame) + R v0. This affects "
                "only the initial state; a frame is not a body. at= of a shape, point= and axis= "
                "of a joint with axes=\"world\", and points of forces in the world are relative to "
                "the frame; forces and formulas remain in axes of the world or of bodies.\n\n"
                "In the plane position and velocity have two entries, the orientation is angle, "
                "and angularVelocity has one entry.",
        .example = "<frame id=\"leg\" position=\"0 0.2 1\" rpy=\"0 pi/6 0\">\n"
                   "  <NewtonEulerDS id=\"thigh\"><q0>0 0 -0.25 1 0 0 0</q0><Capsule "
                   "radius=\"0.05\" length=\"0.4\" density=\"1000\"/></NewtonEulerDS>\n"
                   "</frame>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .initial = "none",
             .example = "leg",
             .help = "name, for messages and paths"},
            {.name = "position",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0",
             .unit = "m",
             .example = "0 0 0",
             .help = "origin, in the enclosing frame"},
            NS_LANG_TURN("rotation from its axes to those of the enclosing frame"),
            {.name = "velocity",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0",
             .unit = "m/s",
             .example = "0 0 0",
             .help =
                 "velocity of its origin relative to the enclosing frame, in axes of that frame"},
            {.name = "angularVelocity",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0",
             .unit = "rad/s",
             .example = "0 0 0",
             .help = "angular velocity relative to the enclosing frame, in axes of that frame"}),
    },
    {
        .name = "repeat",
        .group = NS_LANG_PART,
        .help = "repeats its content for each value of an index",
        .text =
            "Allowed in <systems>, <interactions> or <controls>, with the children allowed there, "
            "including further <repeat> elements. Expressions inside use the index by its name; in "
            "id and systems it is in braces, which contain an expression with an integer value: "
            "bead{i+1}.\n\n"
            "from, to and step are integers; the last value does not exceed to. If there is no "
            "value, nothing is generated. A model can have at most 2000000 systems and "
            "interactions generated in this way.\n\n"
            "With table= the index counts the rows of a table from 1. Its first line names the "
            "columns. Formulas read a number of the row by the name of its column, unless a "
            "coordinate has that name, and always by i.name, where i is the index.\n\n"
            "With dataset= the table is a dataset of an HDF5 file: a compound, whose numerical "
            "members are the columns (NAME_0, NAME_1, ... for an array), or a matrix, with columns "
            "named by the attribute columns or names of the dataset, or by columns=.\n\n"
            "With select= the table is a result of a run, .h5 or .csv with its companion files, "
            "and its rows are the systems whose ids match the pattern, with their coordinates and "
            "velocities at the end, or at time=. The systems must be of the same kind; the columns "
            "of bodies are x y z p0 p1 p2 p3 v_x v_y v_z Omega_x Omega_y Omega_z. A run can thus "
            "continue another one:\n\n"
            "  <repeat index=\"i\" table=\"fill.h5\" select=\"ball*\">\n"
            "    <NewtonEulerDS id=\"ball{i}\">\n"
            "      <q0>i.x i.y i.z i.p0 i.p1 i.p2 i.p3</q0>\n"
            "      <v0>i.v_x i.v_y i.v_z i.Omega_x i.Omega_y i.Omega_z</v0>\n"
            "      <Sphere radius=\"i.radius\" density=\"rho\"/>\n"
            "    </NewtonEulerDS>\n"
            "  </repeat>\n\n"
            "An .h5 result contains shapes: if each of these bodies has exactly one shape, further "
            "columns are its radius (Sphere, Disk, Capsule, Cylinder, Cone), length (the last "
            "three), and size_x size_y size_z (Box; Rectangle without the last one).\n\n"
            "Impulses of contacts and joints are not transferred; joints are satisfied at the new "
            "initial positions. overlap= of <contacts> must allow the overlaps at the end of the "
            "first run, unless separate=\"true\" removes them.\n\n"
            "With packing= the index counts, from 1, balls that do not overlap: x, y, z is the "
            "centre of a ball, radius its radius, and p0, p1, p2, p3 a random unit quaternion. A "
            "grid has rows along x, then y, then z, with the distance spacing; random balls are "
            "anywhere inside the box from low to high. The same seed gives the same balls, here "
            "and in another <repeat>. If high has two entries, the balls are disks in the plane, "
            "with x, y, radius, and a random angle. Other shapes can replace the balls: polygons "
            "whose corners are at most radius away from their origins do not overlap.\n\n"
            "  <repeat index=\"i\" packing=\"random\" count=\"500\" high=\"1 2\" radius=\"0.01 "
            "0.02\">\n"
            "    <RigidBody2dDS id=\"stone{i}\">\n"
            "      <q0>x, y, i.angle</q0>\n"
            "      <Polygon points=\"radius 0; 0 radius; -radius 0\" density=\"rho\"/>\n"
            "    </RigidBody2dDS>\n"
            "  </repeat>",
        .example = "<repeat index=\"i\" from=\"1\" to=\"1000\">\n"
                   "  <LagrangianLinearTIDS id=\"bead{i}\" coordinates=\"x\">\n"
                   "    <q0>2*R*i</q0>\n"
                   "  </LagrangianLinearTIDS>\n"
                   "</repeat>",
        .attributes = LIST(
            {.name = "index",
             .type = NS_LANG_NAME,
             .required = 1,
             .example = "i",
             .help = "name of the index"},
            {.name = "from",
             .type = NS_LANG_INTEGER,
             .initial = "none; required without table= and packing=",
             .example = "1",
             .help = "first value"},
            {.name = "to",
             .type = NS_LANG_INTEGER,
             .initial = "none; required without table= and packing=",
             .example = "10",
             .help = "last value"},
            {.name = "step",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .help = "increment, can be negative"},
            {.name = "table",
             .type = NS_LANG_FILE,
             .initial = "none",
             .example = "bodies.csv",
             .help = "table of numbers separated by commas or white space, whose first line names "
                     "the columns; with dataset= an HDF5 file, with select= the result of a run"},
            {.name = "dataset",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "/bodies",
             .help = "path of a dataset in the file"},
            {.name = "columns",
             .type = NS_LANG_TEXT,
             .initial = "those of the table",
             .example = "x y z",
             .help = "names of the columns, if the file has none (for example a MatrixMarket "
                     "file)"},
            {.name = "select",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "ball*",
             .help = "systems of the result: a pattern of ids with * and ?"},
            {.name = "time",
             .type = NS_LANG_REAL,
             .initial = "the end",
             .unit = "s",
             .example = "1",
             .help = "time in the result: its last row at or before this time is used"},
            {.name = "packing",
             .type = NS_LANG_ENUM,
             .initial = "none",
             .choices = "none grid random",
             .help = "positions of balls that do not overlap"},
            {.name = "count",
             .type = NS_LANG_INTEGER,
             .initial = "as many as fit, for a grid",
             .range = "[1, 100000000]",
             .example = "1000",
             .help = "number of balls of the packing"},
            {.name = "low",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0",
             .range = "[-inf, inf]",
             .unit = "m",
             .example = "0 0 0",
             .help = "lowest corner of the packing; two entries in the plane"},
            {.name = "high",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .range = "[-inf, inf]",
             .unit = "m",
             .example = "1 1 inf",
             .help = "highest corner; two entries in the plane; for a grid with count= the last "
                     "entry can be infinite"},
            {.name = "radius",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .unit = "m",
             .example = "0.01",
             .help = "radius of the balls, or minimum and maximum of the radii"},
            {.name = "sizes",
             .type = NS_LANG_ENUM,
             .initial = "uniform",
             .choices = "uniform volume",
             .help = "distribution of radii; uniform: equal numbers, volume: equal volumes (in the "
                     "plane areas) in equal ranges of radii"},
            {.name = "spacing",
             .type = NS_LANG_REAL,
             .initial = "twice the largest radius",
             .range = "(0, inf)",
             .unit = "m",
             .example = "0.03",
             .help = "distance of the points of a grid"},
            {.name = "jitter",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "m",
             .example = "0",
             .help = "largest random displacement of a ball from its grid point, along each axis"},
            {.name = "seed",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .range = "[0, 2147483647]",
             .example = "1",
             .help = "seed of the random numbers"}),
    },
    {
        .name = "xi:include",
        .group = NS_LANG_PART,
        .help = "replaced with the root element of another file",
        .text =
            "Namespace " NS_LANG_XINCLUDE
            ", declared for instance on <model> as xmlns:xi. Allowed wherever the root element of "
            "the other file is allowed, for example <systems xmlns=\"urn:nssim:model:1\">: the "
            "other file must declare the namespace too. It can use the parameters of the model.\n\n"
            "Only files in the folder of the model, or in folders given with --allow-include, can "
            "be included. Includes can be nested 16 deep.",
        .example = "<interactions xmlns:xi=\"" NS_LANG_XINCLUDE "\">\n"
                   "  <xi:include href=\"ground.xml\"/>\n"
                   "</interactions>",
        .attributes = LIST({.name = "href",
                            .type = NS_LANG_FILE,
                            .required = 1,
                            .example = "part.xml",
                            .help = "the other file, relative to this one"},
                           {.name = "parse",
                            .type = NS_LANG_ENUM,
                            .choices = "xml",
                            .initial = "xml",
                            .help = "kind of inclusion"}),
    },
    {
        .name = "simulation",
        .group = NS_LANG_PART,
        .help = "time interval and method of the simulation",
        .text = "If T - t0 is not a whole number of steps, the last step ends after T.",
        .example = "<simulation t0=\"0\" T=\"10\">\n"
                   "  <TimeStepping h=\"0.005\"><MoreauJeanOSI/><LCP/></TimeStepping>\n"
                   "</simulation>",
        .attributes = LIST({.name = "t0",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .unit = "s",
                            .help = "time of the initial state"},
                           {.name = "T",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .unit = "s",
                            .example = "10",
                            .help = "end time, after t0"}),
        .children = CHILDREN({NULL, NS_LANG_STRATEGY, 1, 1}),
    },
    {
        .name = "output",
        .group = NS_LANG_OUTPUT,
        .help = "recorded quantities and their interval",
        .text =
            "Without <record> everything is recorded: q, v, p of each system, y, ydot, lambda of "
            "each interaction, and diagnostics. The first and the last state are always recorded.",
        .example = "<output every=\"10\"><record select=\"ball.q ground.*\"/></output>",
        .attributes = LIST(
            {.name = "every",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .range = "[1, 2147483647]",
             .help = "record every n-th step"},
            {.name = "contacts",
             .type = NS_LANG_ENUM,
             .initial = "yes",
             .choices = "yes no",
             .help = "record the contacts between shapes with each row: point, normal, gap, "
                     "velocity, impulse"},
            {.name = "events",
             .type = NS_LANG_ENUM,
             .initial = "auto",
             .choices = "auto yes no",
             .help =
                 "record events of contacts between shapes; auto: in models of up to 100 shapes"},
            {.name = "compression",
             .type = NS_LANG_INTEGER,
             .initial = "0",
             .range = "[0, 9]",
             .help = "compression of rows in HDF5, by shuffle and deflate: 0 none, 1 fast, 9 "
                     "smallest; smooth curves shrink by a fifth, constant ones to almost nothing"}),
        .children = CHILDREN({"record", 0, 0, NS_LANG_MANY}, {"observe", 0, 0, NS_LANG_MANY},
                             {"integral", 0, 0, NS_LANG_MANY}, {"memory", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "integral",
        .group = NS_LANG_OUTPUT,
        .help = "a running integral over time, recorded with the state and available in formulas",
        .text =
            "It is 0 at t0. Results contain it as ID.value, and its final value with the measures. "
            "Formulas of <observe>, <measure>, <event> and of later integrals use it by its id: a "
            "fuse blows at heat > 5. It is computed like a <measure kind=\"integral\">: the "
            "formula is linear between steps; in event-driven runs it is integrated along the "
            "motion.\n\n"
            "Formulas of forces and right-hand sides can use it as well. It is then a first-order "
            "system with the state ID.integral, integrated by <EulerMoreauOSI> in time-stepping, "
            "or by the trapezoidal rule if the model has no integrator for first-order systems. "
            "Its formula can use states, t, inputs, <observe> elements, and quantities that depend "
            "on multipliers of circuits and of first-order relations: R*c.D1.i^2 is the heat of a "
            "resistor in series with a diode. The integral then belongs to the systems of that "
            "interaction, with this formula as its input, and is computed together with the "
            "multipliers. Multipliers of mechanics are impulses, so that their integral jumps at "
            "impacts and forces cannot read it. A <control> can read its value at the end of the "
            "previous step and write an input.\n\n"
            "In event-driven runs it is also such a system if a measure, an event, another "
            "integral or a memory reads it, because these can need its value at any instant of a "
            "step. Integrals of multipliers of mechanics are known only at the ends of steps: "
            "events can read them, measures and other integrals cannot.\n\n"
            "To count events or to sum over them, use <memory>.",
        .example = "<integral id=\"heat\" of=\"R*drive.i_L1^2\" unit=\"J\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "heat",
             .help = "name, different from those of systems, interactions and measures"},
            {.name = "of",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "x^2",
             .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
                     1u << NS_BANK_LAMBDA,
             .help = "a formula, with the variables of <observe>"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "unit of the integral, for results"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "description, for results"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "beginning of the interval"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "end of the interval, after which the value is constant"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the interaction, or all",
             .help = "ids of the systems whose states the formula reads"},
            {.name = "interaction",
             .type = NS_LANG_ID,
             .initial = "none",
             .help = "id of the interaction whose lambda it reads"}),
    },
    {
        .name = "memory",
        .group = NS_LANG_OUTPUT,
        .help = "time since an event, number of events, or a sum over events, recorded with the "
                "state and available in formulas",
        .text = "The instants are those of a <measure kind=\"count\">: events, or instants at "
                "which a condition becomes true; their number is listed with the measures. Results "
                "contain it as ID.value, and formulas of <observe>, <measure> and <event> use it "
                "by its id: for example, open again when since > 0.1.\n\n"
                "With of= it is the sum of a formula over the events (give=\"sum\"), or the value "
                "of the formula at the last event (give=\"last\"), and 0 before the first one. As "
                "in <measure kind=\"sample\">, the formula has the state after all events of the "
                "same instant, in time-stepping that at the end of the step. With event= it can "
                "use the numbers of the event in /events: event.impulse, event.energy_lost, "
                "event.velocity_before and event.velocity_after. Several contacts that impact at "
                "the same instant are several events, each with its own numbers. With when= it has "
                "the state at the instant, interpolated linearly in time-stepping.\n\n"
                "Formulas of forces and right-hand sides can use it as well. It is then a "
                "first-order system that an event of kind user with its id resets: at the instant "
                "itself in event-driven runs, at the end of the step in time-stepping. Results "
                "then contain ID.count and ID.time as well. In event-driven runs the same applies "
                "if a measure, an event, an integral or another memory reads it.",
        .example = "<memory id=\"since\" event=\"impact\" interaction=\"ground\"/>\n"
                   "<memory id=\"laps\" when=\"x > 1\" give=\"count\"/>\n"
                   "<memory id=\"heat\" event=\"impact\" of=\"event.energy_lost\" unit=\"J\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "since",
             .help = "name, different from those of systems, interactions and measures"},
            {.name = "event",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "impact",
             .help = "kind of event, impact contact release stick slip switch accumulation user "
                     "branch jam formula birth death velocity, or any; or the id of an <event>"},
            {.name = "when",
             .type = NS_LANG_REAL,
             .initial = "none",
             .example = "t > 1",
             .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
                     1u << NS_BANK_LAMBDA,
             .help = "condition: a comparison, or a formula that is true if positive"},
            {.name = "give",
             .type = NS_LANG_ENUM,
             .initial = "since; sum with of=",
             .choices = "since count time sum last",
             .help = "since: time since the last instant, initially since t0; count: their number; "
                     "time: time of the last one, initially t0; sum, last: of the formula of="},
            {.name = "of",
             .type = NS_LANG_REAL,
             .initial = "none",
             .example = "2*t",
             .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
                     1u << NS_BANK_LAMBDA | 1u << NS_BANK_EVENT,
             .help = "a formula that is summed over the events, or whose last value is stored"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "unit of that formula, for results"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "description, for results"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "earlier instants do not count"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "later instants do not count"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the interaction, or all",
             .help = "ids of the systems whose states the condition reads"},
            {.name = "interaction",
             .type = NS_LANG_ID,
             .initial = "none",
             .help = "id of the interaction whose events are counted and whose lambda the "
                     "condition reads"}),
    },
    {
        .name = "observe",
        .group = NS_LANG_OUTPUT,
        .help = "a formula whose value is recorded with the state",
        .text = "The formula can use t, the states of the systems by their names (x, ball.x), "
                "lambda[k] of the interaction given, free coordinates of joints and their rates "
                "(hinge.angle, hinge.v_angle, rail.slide), and observables before it: R1.v and "
                "R1.i of elements of a netlist, and other <observe> elements by their ids. It is "
                "evaluated when a row is recorded. Results contain it as ID.value.",
        .example = "<observe id=\"power\" unit=\"W\">R1.v*R1.i</observe>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "power",
             .help = "name, different from those of systems and interactions"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "that of the formula",
             .help = "unit, for results; by default derived for quantities with a unit and for "
                     "their sums, products and powers, but not if a number is a factor"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "description, for results"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the interaction, or all",
             .help = "ids of the systems whose states the formula reads"},
            {.name = "interaction",
             .type = NS_LANG_ID,
             .initial = "none",
             .help = "id of the interaction whose lambda it reads"}),
        .content = &(const ns_lang_item){.name = "formula",
                                         .type = NS_LANG_REAL,
                                         .required = 1,
                                         .example = "x^2",
                                         .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q |
                                                 1u << NS_BANK_V | 1u << NS_BANK_Z |
                                                 1u << NS_BANK_LAMBDA,
                                         .help = "one formula"},
    },
    {
        .name = "record",
        .group = NS_LANG_OUTPUT,
        .help = "selects quantities to record",
        .example = "<record select=\"bead1.q bead*.v\"/>",
        .attributes = LIST({.name = "select",
                            .type = NS_LANG_PATTERNS,
                            .required = 1,
                            .example = "ball.q ground.*",
                            .help = "patterns id.quantity, separated by white space; * matches any "
                                    "text, ? any character"}),
    },
    {0},
};
