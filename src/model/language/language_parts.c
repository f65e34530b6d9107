/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_parts.c -- rows of the language table: the frame of a model and its output. */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

const ns_lang_element ns_lang_parts[] = {
    {
        .name = "model",
        .group = NS_LANG_PART,
        .help = "a whole model: parameters, systems, interactions, simulation, output",
        .text = "The root of a model file. Its parts may stand in any order. All elements belong "
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
            {.name = "title", .type = NS_LANG_TEXT, .initial = "", .help = "one line for people"},
            {.name = "description",
             .type = NS_LANG_TEXT,
             .initial = "",
             .help = "what the model shows, where its numbers come from"}),
        .children = CHILDREN({"parameters", 0, 0, 1}, {"defaults", 0, 0, 1}, {"systems", 0, 0, 1},
                             {"netlist", 0, 0, 1}, {"interactions", 0, 0, 1}, {"contacts", 0, 0, 1},
                             {"controls", 0, 0, 1}, {"simulation", 0, 1, 1}, {"output", 0, 0, 1},
                             {"events", 0, 0, 1}, {"measures", 0, 0, 1}),
    },
    {
        .name = "parameters",
        .group = NS_LANG_PART,
        .help = "named numbers and functions that expressions may use",
        .text = "Parameters may use each other in any order, but not in a circle. -p NAME=VALUE on "
                "the command line puts another VALUE in place of the one written here. Tables and "
                "functions use parameters, and functions the tables and functions before them; "
                "parameters do not use them.",
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
        .help = "attributes that elements have where they do not write them",
        .text = "Each element in it has the attributes that all elements of its name have, "
                "anywhere in the model, unless they write them; one with class= those of the "
                "elements of that name that have the same class=. What an element writes wins over "
                "its class, and that over what is for all. class= may stand at any element of a "
                "model, and is one word that <defaults> have for that element.\n\n"
                "Attributes alone have defaults, not values such as <q0>, and id has none. An "
                "orientation written at an element does not take away another way of it in "
                "<defaults>: one way each. <defaults> hold wherever they stand in the file of the "
                "model; in a file that is included, for what comes behind them. A path changes "
                "them for all that take them: -p defaults/Sphere@radius=0.2. A schema knows of no "
                "defaults: it misses attributes that are required.",
        .example = "<defaults>\n"
                   "  <Sphere radius=\"0.1\" density=\"2600\"/>\n"
                   "  <Sphere class=\"large\" radius=\"0.3\" material=\"steel\"/>\n"
                   "</defaults>",
    },
    {
        .name = "table",
        .group = NS_LANG_PART,
        .help = "a function given by numbers: formulas call it by its id",
        .text = "quake(t) is the value of the table quake at time t, in any formula; the argument "
                "may be any expression. Rows are given by points=, or by a file: text with commas "
                "or blanks, with or without a line of names; HDF5, a dataset of it by dataset=; or "
                "the result of a run (.h5, or .csv with its names), whose columns `nssim info` "
                "lists. Rows are sorted by x.\n\n"
                "interpolation: step holds the value of the row before; linear; cubic is the "
                "spline whose second derivative is continuous and 0 at the ends; pchip are cubic "
                "pieces that do not overshoot (Fritsch & Butland 1984). outside: error ends a run "
                "that asks beyond the rows (a billionth of the range is forgiven), hold takes the "
                "value at the end, zero is 0, periodic "
                "repeats the rows.\n\n"
                "Derivatives are exact. Event by event, jumps of step and corners of linear tables "
                "are events, those at the ends too.\n\n"
                "With two names in x= the table has two arguments: a row for each pair of them, in "
                "any order, and step, linear (bilinear) or cubic (bicubic spline) between: "
                "torque(w, throttle) of x=\"w throttle\" y=\"torque\".\n\n"
                "With several names in y= the table is a vector of functions, one for each column: "
                "quake_ax(t) and quake_ay(t) of id=\"quake\" y=\"ax ay\", quake_2(t) of y=\"2 3\".",
        .example = "<table id=\"lift\" points=\"0 0; 60 0.008; 120 0.012; 180 0; 360 0\" "
                   "interpolation=\"pchip\"\n"
                   "       outside=\"periodic\" xUnit=\"degree\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_NAME,
             .required = 1,
             .example = "lift",
             .help = "how formulas call it: letters, digits, _"},
            {.name = "points",
             .type = NS_LANG_TEXT,
             .initial = "none, with file=",
             .example = "0 0; 1 2",
             .help = "rows of numbers or expressions of parameters, parted by semicolons"},
            {.name = "file",
             .type = NS_LANG_FILE,
             .initial = "none, with points=",
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
             .help = "name or number of the column of the argument; of two, one after the other"},
            {.name = "y",
             .type = NS_LANG_TEXT,
             .initial = "the column behind",
             .example = "ag",
             .help = "name or number of the column of the value; several: ID_NAME each"},
            {.name = "interpolation",
             .type = NS_LANG_ENUM,
             .initial = "linear",
             .choices = "step linear cubic pchip",
             .help = "what holds between rows"},
            {.name = "outside",
             .type = NS_LANG_ENUM,
             .initial = "error",
             .choices = "error hold zero periodic",
             .help = "what holds before the first and behind the last row"},
            {.name = "xUnit",
             .type = NS_LANG_TEXT,
             .initial = "1",
             .example = "ms",
             .help = "unit of the column x; formulas give the argument in SI"},
            {.name = "yUnit",
             .type = NS_LANG_TEXT,
             .initial = "1",
             .example = "cm/s^2",
             .help =
                 "unit of the column y, or one for each of several; formulas get the value in SI"}),
    },
    {
        .name = "function",
        .group = NS_LANG_PART,
        .help = "a formula with arguments, for other formulas to call",
        .text = "Formulas call it with expressions as arguments. It may read its arguments, "
                "parameters, and the tables and functions that are written before it; what else it "
                "needs, time and state too, it is given as an argument.",
        .example =
            "<function name=\"stribeck\" of=\"v\">mu_k + (mu_s - mu_k)*exp(-(v/v_s)^2)</function>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_NAME,
                            .required = 1,
                            .example = "stribeck",
                            .help = "how formulas call it: letters, digits, _"},
                           {.name = "of",
                            .type = NS_LANG_NAMES,
                            .required = 1,
                            .example = "v",
                            .help = "names of its arguments, at most 8"}),
        .content =
            &(const ns_lang_item){
                .name = "formula", .type = NS_LANG_TEXT, .required = 1, .help = "its value"},
    },
    {
        .name = "parameter",
        .group = NS_LANG_PART,
        .help = "a named number",
        .text = "The unit is the one in which value is written: value=\"10\" unit=\"cm\" makes a "
                "parameter of 0.1, because all expressions are in SI units. A value that uses "
                "other parameters must therefore have an SI unit (kg, m, N/m, ...) or none. All "
                "units that UDUNITS-2 knows may be used.",
        .example = "<parameter name=\"g\" value=\"9.81\" unit=\"m/s^2\" help=\"gravity\"/>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_NAME,
                            .required = 1,
                            .example = "g",
                            .help = "how expressions call it: letters, digits, _"},
                           {.name = "value",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .example = "9.81",
                            .help = "expression over numbers and other parameters"},
                           {.name = "unit",
                            .type = NS_LANG_TEXT,
                            .initial = "1",
                            .help = "unit in which value is written"},
                           {.name = "help",
                            .type = NS_LANG_TEXT,
                            .initial = "",
                            .help = "what it means, for people"}),
    },
    {
        .name = "vector",
        .group = NS_LANG_PART,
        .help = "named numbers, one after the other",
        .text = "Expressions call its entries k[0], k[1], ...; the subscript is a constant. Its "
                "values may use parameters and entries of other vectors, and -p k=\"1 2 3\" puts "
                "others in their place. In results the entries are parameters. What depends on the "
                "index of a <repeat> stands in a table of that, or in a <table "
                "interpolation=\"step\"> that is called.",
        .example = "<vector name=\"k\" values=\"1e3 2e3 5e3\" unit=\"N/m\"/>",
        .attributes = LIST({.name = "name",
                            .type = NS_LANG_NAME,
                            .required = 1,
                            .example = "k",
                            .help = "how expressions call it: letters, digits, _"},
                           {.name = "values",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .example = "1 2 3",
                            .help = "expressions by white space or comma"},
                           {.name = "unit",
                            .type = NS_LANG_TEXT,
                            .initial = "1",
                            .help = "unit in which values are written"},
                           {.name = "help",
                            .type = NS_LANG_TEXT,
                            .initial = "",
                            .help = "what they mean, for people"}),
    },
    {
        .name = "systems",
        .group = NS_LANG_PART,
        .help = "the dynamical systems",
        .example = "<systems>\n"
                   "  <LagrangianLinearTIDS id=\"ball\"><q0>1 0 0</q0></LagrangianLinearTIDS>\n"
                   "</systems>",
        .text = "Systems of any kind may stand side by side, circuits and rigid bodies too. A "
                "formula of a force or right-hand side (fExt, mExt, fInt, mInt, fGyr, f, b, the "
                "sources of a netlist, <along>, <vector>, <torque> and <force> between bodies and "
                "of joints) may read coordinates, velocities, states and inputs of any other "
                "system as id.name: the motor K*drive.i_L1 N m of a rotor, whose v_phi stands in "
                "the circuit as the source K*rotor.v_phi. Such systems are solved together, by "
                "time-stepping with exact derivatives of one by the other, or event by event "
                "(<EventDriven> with <CVodeOSI/>).\n\n"
                "Of a body in space a formula reads x, y, z, the quaternion p0 to p3, v_x, v_y, "
                "v_z, Omega_x, Omega_y and Omega_z, of one in the plane x, y, angle and their v_; "
                "of a joint angle, v_angle or slide, v_slide, turns counted; of a spring, damper, "
                "tendon or force between bodies length and rate: k*hinge.angle, where hinge is the "
                "id of the interaction. What an interaction carries is not read: it follows from "
                "the formula at the same instant. Rigid bodies of a model have one integrator, "
                "which may be one that projects their positions.\n\n"
                "Event by event there is one motion and one table of events: impacts and friction "
                "of mechanics, switches of first-order systems and circuits. An impact changes "
                "velocities, from which circuits go on in the same instant with currents and "
                "voltages that are continuous; where a state of first order jumps, forces that "
                "read it are looked at again. There a source beside ideal devices may read "
                "mechanics, but no state of another circuit: write such circuits as one netlist.",
        .children = CHILDREN({NULL, NS_LANG_SYSTEM, 0, NS_LANG_MANY},
                             {"netlist", 0, 0, NS_LANG_MANY}, {"repeat", 0, 0, NS_LANG_MANY},
                             {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "interactions",
        .group = NS_LANG_PART,
        .help = "what couples systems with each other and with the surroundings",
        .example = "<interactions>\n"
                   "  <interaction id=\"ground\" systems=\"ball\">\n"
                   "    <LagrangianLinearTIR><H>1 0 0</H></LagrangianLinearTIR>\n"
                   "    <NewtonImpactNSL e=\"0.9\"/>\n"
                   "  </interaction>\n"
                   "</interactions>",
        .text =
            "Beside interactions, forces between rigid bodies stand here: springs, dampers, "
            "tendons and formulas. Between coordinates of Lagrangian systems a spring is a formula "
            "of both: <fInt>k*(x - other.x)</fInt> in the one, k*(x - one.x) in the other.",
        .children = CHILDREN({"interaction", 0, 0, NS_LANG_MANY},
                             {NULL, NS_LANG_FORCE, 0, NS_LANG_MANY}, {"repeat", 0, 0, NS_LANG_MANY},
                             {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "interaction",
        .group = NS_LANG_PART,
        .help = "a relation (what is the gap) and a law (what happens to it)",
        .text =
            "Q is made of the coordinates of its systems, one system after the other in the order "
            "of the attribute systems; nQ is the length of Q. A system may be named twice.",
        .example = "<interaction id=\"touch\" systems=\"left right\">\n"
                   "  <LagrangianLinearTIR><H>-1 1</H><e>-2*R</e></LagrangianLinearTIR>\n"
                   "  <NewtonImpactNSL e=\"0.5\"/>\n"
                   "</interaction>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "ground",
             .help = "name, unique among systems and interactions"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the joint, for a relation that names one",
             .example = "ball",
             .help = "ids of the systems it acts on"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "m in mechanics, else none",
             .example = "rad",
             .help = "SI unit of y, for results; where it is rad, lambda is a moment"},
            {.name = "lambdaUnit",
             .type = NS_LANG_TEXT,
             .initial = "N s in mechanics, event-driven N; else none",
             .example = "A",
             .help = "SI unit of lambda, for results"}),
        .children = CHILDREN({NULL, NS_LANG_RELATION, 1, 1}, {NULL, NS_LANG_LAW, 1, 1}),
    },
    {
        .name = "frame",
        .group = NS_LANG_PART,
        .help = "places what it holds: bodies, shapes, joints, forces, further frames",
        .text = "Stands in <systems>, <contacts>, <interactions> or a body, and holds what may "
                "stand there. Position and orientation are in the frame around it; in a body in "
                "its axes from its centre of mass. Ids inside are as outside.\n\n"
                "<q0> of a body inside is its place in the frame, <v0> its velocity along the axes "
                "of the frame and relative to it, the angular velocity in axes of the body as "
                "ever. A frame that moves (velocity=, angularVelocity=) adds its own velocity at "
                "the place of the body: v = v_frame + omega x (x - x_frame) + R v0. It moves at "
                "the beginning alone, it is no body. at= of a shape, point= and axis= of a joint "
                "with axes=\"world\", and points of forces in the world are in the frame; forces "
                "and formulas stay in axes of the world or of bodies.\n\n"
                "In the plane: position of two numbers, angle, velocity of two and angularVelocity "
                "of one.",
        .example = "<frame id=\"leg\" position=\"0 0.2 1\" rpy=\"0 pi/6 0\">\n"
                   "  <NewtonEulerDS id=\"thigh\"><q0>0 0 -0.25 1 0 0 0</q0><Capsule "
                   "radius=\"0.05\" length=\"0.4\" density=\"1000\"/></NewtonEulerDS>\n"
                   "</frame>",
        .attributes = LIST({.name = "id",
                            .type = NS_LANG_ID,
                            .initial = "none",
                            .example = "leg",
                            .help = "name, for messages and paths"},
                           {.name = "position",
                            .type = NS_LANG_TEXT,
                            .initial = "0 0 0",
                            .unit = "m",
                            .example = "0 0 0",
                            .help = "its origin in the frame around it"},
                           NS_LANG_TURN("its axes to those around it"),
                           {.name = "velocity",
                            .type = NS_LANG_TEXT,
                            .initial = "0 0 0",
                            .unit = "m/s",
                            .example = "0 0 0",
                            .help = "of its origin against the frame around it, in axes of that"},
                           {.name = "angularVelocity",
                            .type = NS_LANG_TEXT,
                            .initial = "0 0 0",
                            .unit = "rad/s",
                            .example = "0 0 0",
                            .help = "against the frame around it, in axes of that"}),
    },
    {
        .name = "repeat",
        .group = NS_LANG_PART,
        .help = "makes its content once for each value of an index",
        .text = "Stands in <systems>, <interactions> or <controls> and holds what may stand there, "
                "further <repeat> elements too. Expressions inside know the index by its name; in "
                "id and systems it stands in braces, which hold an expression with a whole value: "
                "bead{i+1}.\n\n"
                "from, to and step are whole; the last value is the last one not beyond to. No "
                "value may be left: then nothing is made. A model holds at most 1000000 systems "
                "and interactions made this way.\n\n"
                "With table= the index counts the rows of a table from 1. Its first line names the "
                "columns; a name stands for the number in the row where it is no coordinate, "
                "i.name always (of an index i).\n\n"
                "With dataset= the table is a dataset of an HDF5 file: a compound, whose members "
                "that are numbers are the columns (NAME_0, NAME_1, ... of an array), or numbers by "
                "rows and columns, named by the attribute columns or names of the dataset, or by "
                "columns= in their order.\n\n"
                "With select= the table is a result of a run, .h5 or .csv with its companion "
                "files, and its rows are the systems whose ids match the pattern: their "
                "coordinates and velocities at the end, or at time=. They must be of one kind; "
                "those of bodies are x y z p0 p1 p2 p3 v_x v_y v_z Omega_x Omega_y Omega_z, so "
                "that a run goes on where another ended:\n\n"
                "  <repeat index=\"i\" table=\"fill.h5\" select=\"ball*\">\n"
                "    <NewtonEulerDS id=\"ball{i}\">\n"
                "      <q0>i.x i.y i.z i.p0 i.p1 i.p2 i.p3</q0>\n"
                "      <v0>i.v_x i.v_y i.v_z i.Omega_x i.Omega_y i.Omega_z</v0>\n"
                "      <Sphere radius=\"R\" density=\"rho\"/>\n"
                "    </NewtonEulerDS>\n"
                "  </repeat>\n\n"
                "Impulses of contacts and joints are not taken along; joints are satisfied anew "
                "where the bodies are; and what shapes overlapped at the end, overlap= of "
                "<contacts> must allow, unless separate=\"true\" is to take them apart.\n\n"
                "With packing= the index counts balls from 1 that do not overlap: x, y, z is the "
                "centre of one, radius its radius, and p0, p1, p2, p3 a unit quaternion of random "
                "direction. grid: in rows along x, then y, then z, with the distance spacing; "
                "random: anywhere between low and high, where the ball lies inside as a whole. The "
                "same seed gives the same balls, here and in another <repeat>.",
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
             .initial = "none, with table= or packing=",
             .example = "1",
             .help = "first value"},
            {.name = "to",
             .type = NS_LANG_INTEGER,
             .initial = "none, with table= or packing=",
             .example = "10",
             .help = "last value"},
            {.name = "step",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .help = "distance of values, may be negative"},
            {.name = "table",
             .type = NS_LANG_FILE,
             .initial = "none",
             .example = "bodies.csv",
             .help = "table of numbers by comma or white space, its first line names the columns; "
                     "with dataset= an HDF5 file, with select= a result of a run"},
            {.name = "dataset",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "/bodies",
             .help = "path of a dataset in the file"},
            {.name = "columns",
             .type = NS_LANG_TEXT,
             .initial = "those of the dataset",
             .example = "x y z",
             .help = "names of its columns, where it has none"},
            {.name = "select",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "ball*",
             .help = "which systems of the result: a pattern of ids with * and ?"},
            {.name = "time",
             .type = NS_LANG_REAL,
             .initial = "the end",
             .unit = "s",
             .example = "1",
             .help = "when: the last row of the result that is not after it"},
            {.name = "packing",
             .type = NS_LANG_ENUM,
             .initial = "none",
             .choices = "none grid random",
             .help = "places for balls that do not overlap"},
            {.name = "count",
             .type = NS_LANG_INTEGER,
             .initial = "as many as fit, of a grid",
             .range = "[1, 100000000]",
             .example = "1000",
             .help = "balls of the packing"},
            {.name = "low",
             .type = NS_LANG_TEXT,
             .initial = "0 0 0",
             .range = "[-inf, inf]",
             .unit = "m",
             .example = "0 0 0",
             .help = "lowest corner of the packing"},
            {.name = "high",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .range = "[-inf, inf]",
             .unit = "m",
             .example = "1 1 inf",
             .help = "highest corner; of a grid with count= it may be infinite"},
            {.name = "radius",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .unit = "m",
             .example = "0.01",
             .help = "of the balls, or the least and the greatest, in between evenly by chance"},
            {.name = "spacing",
             .type = NS_LANG_REAL,
             .initial = "twice the greatest radius",
             .range = "(0, inf)",
             .unit = "m",
             .example = "0.03",
             .help = "distance of the places of a grid"},
            {.name = "jitter",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "m",
             .example = "0",
             .help = "most that a ball is off its place in a grid, by chance, along each axis"},
            {.name = "seed",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .range = "[0, 2147483647]",
             .example = "1",
             .help = "of the chance"}),
    },
    {
        .name = "xi:include",
        .group = NS_LANG_PART,
        .help = "puts the root element of another file in its place",
        .text = "Namespace " NS_LANG_XINCLUDE
                ", declared for instance on <model> as xmlns:xi. May stand wherever an element may "
                "stand that has the name of the other file's root, such as <systems "
                "xmlns=\"urn:nssim:model:1\">: the other file declares the namespace too. It may "
                "use the parameters of the model.\n\n"
                "Only files inside the folder of the model may be included, or inside folders "
                "given with --allow-include. Includes may nest 16 deep.",
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
                            .help = "how it is read"}),
    },
    {
        .name = "simulation",
        .group = NS_LANG_PART,
        .help = "from when to when, and how",
        .text = "Where T - t0 is not a whole number of steps, the last step ends beyond T.",
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
        .help = "what is recorded and how often",
        .text =
            "Without <record> everything is recorded: q, v, p of each system, y, ydot, lambda of "
            "each interaction, and diagnostics. The first and the last state are always recorded.",
        .example = "<output every=\"10\"><record select=\"ball.q ground.*\"/></output>",
        .attributes = LIST(
            {.name = "every",
             .type = NS_LANG_INTEGER,
             .initial = "1",
             .range = "[1, 2147483647]",
             .help = "record each so many steps"},
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
             .help = "of rows in HDF5, by shuffle and deflate: 0 none, 1 fast, 9 smallest; smooth "
                     "curves shrink by a fifth, what rests or is zero to almost nothing"}),
        .children = CHILDREN({"record", 0, 0, NS_LANG_MANY}, {"observe", 0, 0, NS_LANG_MANY},
                             {"integral", 0, 0, NS_LANG_MANY}, {"memory", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "integral",
        .group = NS_LANG_OUTPUT,
        .help = "a running integral over time, recorded beside the state and known to formulas of "
                "the run",
        .text = "It is 0 at t0 and stands in results as ID.value, its last number among the "
                "measures. Formulas of <observe>, <measure>, <event> and of other integrals behind "
                "it name it by its id: a fuse blows at heat > 5. It is taken as a <measure "
                "kind=\"integral\"> is: between steps the formula is a line, event-driven it is "
                "followed along the motion. The sum of what happens at events is the integral of "
                "the observed power or force; to count, take <memory>.",
        .example = "<integral id=\"heat\" of=\"R*drive.i_L1^2\" unit=\"J\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "heat",
             .help = "name, another one than those of systems, interactions and measures"},
            {.name = "of",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "x^2",
             .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
                     1u << NS_BANK_LAMBDA,
             .help = "one formula, of what <observe> may use"},
            {.name = "unit",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "unit of the integral, for results"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "what it means, for results"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "it begins then"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "and keeps its value from then on"},
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
        .help = "how long ago something happened, or how often: recorded beside the state and "
                "known to formulas of the run",
        .text = "The moments are those of a <measure kind=\"count\">: events, or beginnings of a "
                "condition; their number stands among the measures. It stands in results as "
                "ID.value, and formulas of <observe>, <measure> and <event> name it by its id: "
                "open again when since > 0.1.",
        .example = "<memory id=\"since\" event=\"impact\" interaction=\"ground\"/>\n"
                   "<memory id=\"laps\" when=\"x > 1\" give=\"count\"/>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "since",
             .help = "name, another one than those of systems, interactions and measures"},
            {.name = "event",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "impact",
             .help = "impact, contact, release, stick, slip, switch, accumulation, user, any, or "
                     "the id of an <event>"},
            {.name = "when",
             .type = NS_LANG_REAL,
             .initial = "none",
             .example = "t > 1",
             .uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
                     1u << NS_BANK_LAMBDA,
             .help = "condition: a comparison, or a formula that is above 0"},
            {.name = "give",
             .type = NS_LANG_ENUM,
             .initial = "since",
             .choices = "since count time",
             .help = "time since the last one, at first since t0; how many there were; time of the "
                     "last one, at first t0"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "what it means, for results"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "what was before does not count"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "nor does what comes after"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .initial = "those of the interaction, or all",
             .help = "ids of the systems whose states the condition reads"},
            {.name = "interaction",
             .type = NS_LANG_ID,
             .initial = "none",
             .help = "id of the interaction whose events it looks at and whose lambda the "
                     "condition reads"}),
    },
    {
        .name = "observe",
        .group = NS_LANG_OUTPUT,
        .help = "a formula whose value is recorded beside the state",
        .text = "The formula may use t, the states of the systems by their names (x, ball.x), "
                "lambda[k] where an interaction is named, free coordinates of joints and their "
                "rates (hinge.angle, hinge.v_angle, rail.slide), and the observables before it: "
                "R1.v and R1.i of a netlist's elements, and other <observe> elements by their ids. "
                "It is evaluated when a row is recorded, and stands in results as ID.value.",
        .example = "<observe id=\"power\" unit=\"W\">R1.v*R1.i</observe>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "power",
             .help = "name, another one than those of systems and interactions"},
            {.name = "unit", .type = NS_LANG_TEXT, .initial = "none", .help = "unit, for results"},
            {.name = "help",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .help = "what it means, for results"},
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
        .help = "names quantities to be recorded",
        .example = "<record select=\"bead1.q bead*.v\"/>",
        .attributes = LIST({.name = "select",
                            .type = NS_LANG_PATTERNS,
                            .required = 1,
                            .example = "ball.q ground.*",
                            .help = "patterns id.quantity, parted by white space; * stands for any "
                                    "text, ? for any character"}),
    },
    {0},
};
