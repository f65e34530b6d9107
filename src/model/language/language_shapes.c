/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_shapes.c -- rows of the language table: shapes of bodies and surroundings, and what
 * happens where they meet. */
#include "model/language/language_tables.h"

#define LENGTH(what, must, sample, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .required = must, .range = "(0, inf)", .unit = "m", \
    .example = sample, .help = text \
  }

#define NAMED \
  { \
    .name = "id", .type = NS_LANG_ID, .initial = "none", .example = "head", \
    .help = "name, for results" \
  }

#define MEETS \
  {.name = "material", \
   .type = NS_LANG_NAME, \
   .initial = "none", \
   .example = "steel", \
   .help = "name of its material in <between>"}, \
      {.name = "layers", \
       .type = NS_LANG_NAMES, \
       .initial = "common", \
       .example = "debris", \
       .help = "layers of the shape, at most 31 in a model; shapes without layers= are in the " \
               "layer common"}, \
      {.name = "with", \
       .type = NS_LANG_NAMES, \
       .initial = "all layers", \
       .example = "debris", \
       .help = "layers that it can touch; two shapes can touch if each is in a layer listed in " \
               "with= of the other"}, \
      NS_LANG_LIFE

#define PLACED \
  NAMED, \
      {.name = "at", \
       .type = NS_LANG_TEXT, \
       .initial = "0 0 0", \
       .unit = "m", \
       .example = "0 0 0", \
       .help = "its origin in the axes of its body, relative to the centre of mass; in " \
               "<contacts> in the world"}, \
      NS_LANG_TURN("rotation from its axes to those of the body"), MEETS

#define DENSITY \
  { \
    .name = "density", .type = NS_LANG_REAL, .initial = "none", .unit = "kg/m^3", \
    .example = "1000", \
    .help = "density of the filled shape, if its body has no <mass>; negative for parts cut out " \
            "of others" \
  }

#define ROUNDED(what) \
  { \
    .name = "rounding", .type = NS_LANG_REAL, .initial = "0", .range = "[0, inf)", .unit = "m", \
    .example = "0.01", \
    .help = "radius of its rounded " what \
            "; flat parts stay in place; mass and inertia are those " \
            "of the rounded shape" \
  }

/* In the plane. */
#define LIES \
  NAMED, \
      {.name = "at", \
       .type = NS_LANG_TEXT, \
       .initial = "0 0", \
       .unit = "m", \
       .example = "0 0", \
       .help = "its origin in the axes of its body, relative to the centre of mass; in " \
               "<contacts> in the world"}, \
      {.name = "angle", \
       .type = NS_LANG_REAL, \
       .initial = "0", \
       .unit = "rad", \
       .example = "0", \
       .help = "rotation relative to the axes of the body, counterclockwise"}, \
      MEETS

#define AREA_DENSITY \
  { \
    .name = "density", .type = NS_LANG_REAL, .initial = "none", .unit = "kg/m^2", \
    .example = "1000", \
    .help = "mass per area of the filled shape, if its body has no <mass>; negative for parts " \
            "cut out of others" \
  }

#define DATASET \
  { \
    .name = "dataset", .type = NS_LANG_TEXT, .initial = "none", .example = "/points", \
    .help = "path of the table in the file, if it is HDF5" \
  }

#define POINTS \
  {.name = "points", \
   .type = NS_LANG_TEXT, \
   .initial = "none; required without file=", \
   .unit = "m", \
   .example = "0 0; 1 0; 0 1", \
   .help = "coordinates x y of the points, separated by semicolons"}, \
      {.name = "file", \
       .type = NS_LANG_FILE, \
       .initial = "none; required without points=", \
       .example = "outline.csv", \
       .help = "table of x, y"}, \
      DATASET

#define FLAT_TEXT \
  "The shape belongs to a RigidBody2dDS, or is fixed in <contacts>. Shapes of one body do not " \
  "touch each other. A body without <mass> has the mass of its shapes, from their density. A " \
  "body without <inertia> has the moment of inertia of its shapes; if they have no density, its " \
  "mass is distributed uniformly over them. In both cases its centre of mass is that of its " \
  "shapes, and q0 is the position of the origin of their axes."

#define SOLID_TEXT \
  "The shape belongs to a body, or is fixed in <contacts>. Shapes of one body do not touch each " \
  "other. A body without <mass> has the mass of its shapes, from their density. A body without " \
  "<inertia> has the inertia of its shapes; if they have no density, its mass is distributed " \
  "uniformly over them. In both cases its centre of mass is that of its shapes, and q0 is the " \
  "position of the origin of their axes."

#define SCALE \
  { \
    .name = "scale", .type = NS_LANG_REAL, .initial = "1", .range = "(0, inf)", \
    .example = "0.001", .help = "scale factor of the coordinates of the file" \
  }
#define SURFACE_TEXT \
  "The surface belongs to a body, or is fixed in <contacts>. It touches all shapes from outside, " \
  "except planes, meshes and height fields, which pass through it."

const ns_lang_element ns_lang_shapes[] = {
    {
        .name = "Plane",
        .group = NS_LANG_SHAPE,
        .help = "half space below a plane, in <contacts>",
        .text = "The side opposite to the normal is inside. With turn= or axis= the normal is the "
                "rotated z axis.",
        .example = "<Plane normal=\"0 0 1\"/>",
        .attributes = LIST({.name = "normal",
                            .type = NS_LANG_TEXT,
                            .initial = "0 0 1",
                            .example = "0 0 1",
                            .help = "outward direction, of any length"},
                           PLACED),
    },
    {
        .name = "Sphere",
        .group = NS_LANG_SHAPE,
        .help = "ball with the given radius",
        .text = SOLID_TEXT,
        .example = "<Sphere radius=\"0.1\" density=\"7800\" material=\"steel\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius"), PLACED, DENSITY),
    },
    {
        .name = "Capsule",
        .group = NS_LANG_SHAPE,
        .help = "all points within a radius of a segment along its z axis",
        .text = SOLID_TEXT,
        .example = "<Capsule radius=\"0.1\" length=\"0.4\"/>",
        .attributes = LIST(
            LENGTH("radius", 1, "0.1", "radius"),
            LENGTH("length", 1, "0.4", "length of the segment; the caps add two radii"), PLACED,
            DENSITY),
    },
    {
        .name = "Cylinder",
        .group = NS_LANG_SHAPE,
        .help = "cylinder about its z axis",
        .text = SOLID_TEXT,
        .example = "<Cylinder radius=\"0.5\" length=\"0.1\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius"),
                           LENGTH("length", 1, "0.4", "length of the cylinder"), PLACED, DENSITY),
    },
    {
        .name = "Cone",
        .group = NS_LANG_SHAPE,
        .help = "cone about its z axis, with the tip at +z and the origin at half its height",
        .text = SOLID_TEXT " Its centre of mass is a quarter of its length above the base.",
        .example = "<Cone radius=\"0.5\" length=\"1\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius of the base"),
                           LENGTH("length", 1, "0.4", "height, from the base to the tip"), PLACED,
                           DENSITY),
    },
    {
        .name = "Box",
        .group = NS_LANG_SHAPE,
        .help = "box with edges along its axes",
        .text = SOLID_TEXT,
        .example = "<Box size=\"1 2 0.5\"/>",
        .attributes = LIST({.name = "size",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .unit = "m",
                            .example = "1 1 1",
                            .help = "lengths of its edges along x, y and z"},
                           ROUNDED("edges and corners"), PLACED, DENSITY),
    },
    {
        .name = "ConvexHull",
        .group = NS_LANG_SHAPE,
        .help = "convex hull of some points",
        .text = SOLID_TEXT " Points that are not corners of the hull are ignored.",
        .example = "<ConvexHull points=\"0 0 0; 1 0 0; 0 1 0; 0 0 1\"/>",
        .attributes = LIST({.name = "points",
                            .type = NS_LANG_TEXT,
                            .initial = "none; required without file=",
                            .unit = "m",
                            .example = "0 0 0; 1 0 0; 0 1 0; 0 0 1",
                            .help = "coordinates x y z of the points, separated by semicolons"},
                           {.name = "file",
                            .type = NS_LANG_FILE,
                            .initial = "none; required without points=",
                            .example = "stone.csv",
                            .help = "table of x, y, z, or an STL or OBJ file, whose corners are "
                                    "used"},
                           DATASET, SCALE, ROUNDED("edges and corners"), PLACED, DENSITY),
    },
    {
        .name = "Mesh",
        .group = NS_LANG_SHAPE,
        .help = "surface of triangles, as a boundary",
        .text = SURFACE_TEXT
        " Triangles are oriented counterclockwise from outside; an edge belongs to one triangle, "
        "or to two with consistent orientation.\n\n"
        "A closed mesh determines mass and inertia of its body as a solid does, by integrals over "
        "the enclosed volume; the body of an open mesh needs <mass> and <inertia>.",
        .example = "<Mesh file=\"terrain.stl\"/>",
        .attributes = LIST({.name = "file",
                            .type = NS_LANG_FILE,
                            .required = 1,
                            .example = "terrain.stl",
                            .help = "an STL file, text or binary, or an OBJ file with lines v "
                                    "and f"},
                           {.name = "edges",
                            .type = NS_LANG_ENUM,
                            .initial = "surface",
                            .choices = "surface any",
                            .help = "any: edges of more than two triangles are treated as borders, "
                                    "with a warning; surface: they are errors"},
                           SCALE, PLACED, DENSITY),
    },
    {
        .name = "HeightField",
        .group = NS_LANG_SHAPE,
        .help = "surface of heights on a grid, as a boundary",
        .text = SURFACE_TEXT
        " It has no mass: its body needs <mass> and <inertia>. A line of the file, or a row of "
        "heights=, is a row of the grid along x; the first one has the lowest y. The origin is the "
        "middle of the grid.",
        .example = "<HeightField file=\"terrain.csv\" spacing=\"0.5\"/>",
        .attributes = LIST({.name = "heights",
                            .type = NS_LANG_TEXT,
                            .initial = "none; required without file=",
                            .unit = "m",
                            .example = "0 0 0.1; 0 0.1 0.2",
                            .help = "heights, rows separated by semicolons"},
                           {.name = "file",
                            .type = NS_LANG_FILE,
                            .initial = "none; required without heights=",
                            .example = "terrain.csv",
                            .help = "table of heights, separated by commas or white space"},
                           DATASET,
                           {.name = "spacing",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .unit = "m",
                            .example = "1",
                            .help = "spacing of the grid, or spacings along x and y"},
                           {.name = "scale",
                            .type = NS_LANG_REAL,
                            .initial = "1",
                            .range = "(0, inf)",
                            .example = "0.001",
                            .help = "scale factor of the heights of the file"},
                           PLACED),
    },
    {
        .name = "Disk",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: disk with the given radius",
        .text = FLAT_TEXT,
        .example = "<Disk radius=\"0.1\" density=\"780\" material=\"steel\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius"), LIES, AREA_DENSITY),
    },
    {
        .name = "Rectangle",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: rectangle with sides along its axes",
        .text = FLAT_TEXT,
        .example = "<Rectangle size=\"2 0.5\"/>",
        .attributes = LIST({.name = "size",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .unit = "m",
                            .example = "1 1",
                            .help = "lengths of its sides along x and y"},
                           ROUNDED("corners"), LIES, AREA_DENSITY),
    },
    {
        .name = "Polygon",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: convex polygon",
        .text = FLAT_TEXT " Its points are in counterclockwise order. A nonconvex shape consists "
                          "of several polygons in one body.",
        .example = "<Polygon points=\"0 0; 1 0; 0 1\"/>",
        .attributes = LIST(POINTS, SCALE, ROUNDED("corners"), LIES, AREA_DENSITY),
    },
    {
        .name = "HalfPlane",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: half plane below a line, in <contacts>",
        .text = "The side opposite to the normal is inside.",
        .example = "<HalfPlane angle=\"-pi/6\"/>",
        .attributes = LIST(
            {.name = "normal",
             .type = NS_LANG_TEXT,
             .initial = "0 1",
             .example = "0 1",
             .help = "outward direction, of any length; instead, angle= can give the direction of "
                     "the line"},
            LIES),
    },
    {
        .name = "Polyline",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: line from point to point, as a boundary",
        .text = "The line belongs to a body with <mass> and <inertia>, or is fixed in <contacts>. "
                "Shapes touch it from both sides, except half planes and other lines, which pass "
                "through it. It has no mass. A point between two collinear segments does not "
                "affect sliding.",
        .example = "<Polyline points=\"-2 1; -0.1 0; -0.1 -0.2\"/>",
        .attributes = LIST(POINTS, SCALE,
                           {.name = "closed",
                            .type = NS_LANG_ENUM,
                            .initial = "false",
                            .choices = "false true",
                            .help = "true: a segment connects the last point to the first"},
                           LIES),
    },
    {
        .name = "contacts",
        .group = NS_LANG_PART,
        .help = "contact between shapes of rigid bodies, and fixed shapes",
        .text =
            "This element enables contact between shapes; without it, shapes only determine mass "
            "and inertia. Its law applies to all contacts; <between> sets the law of two "
            "materials. The laws are NewtonImpactNSL, NewtonImpactFrictionNSL, "
            "NewtonImpactRollingFrictionNSL, FremondImpactFrictionNSL, CohesiveFrictionNSL and "
            "CompliantFrictionNSL, and in event-driven runs MultipleImpactNSL. Shapes in this "
            "element are fixed in space.\n\n"
            "Bodies in space have shapes in space, a RigidBody2dDS has those of the plane: Disk, "
            "Rectangle, Polygon, HalfPlane and Polyline. Contacts in the plane have one direction "
            "of slip; tables of results give their points, normals and forces with z = 0.\n\n"
            "It is an error if two bodies initially overlap by more than overlap, unless "
            "separate=\"true\", or if the middle of one is inside a closed mesh, whose triangles "
            "act only from outside.\n\n"
            "A step detects contacts after they have closed, so that impacts leave overlaps. "
            "MoreauJeanOSI removes them by moving the bodies: each step corrects the fraction "
            "recover of the overlap above a thousandth of the smallest shape. This changes neither "
            "velocities nor the restitution of the law. The work of the correction is part of the "
            "work of contacts.\n\n"
            "Overlaps of compliant contacts and of bodies constrained by interactions are not "
            "corrected. If the law has restitution, overlaps of opening contacts and of bodies "
            "with a single contact are not corrected either: such a body moves as with an "
            "<interaction> of the same gap. If the law has no restitution, recover=\"0\" gives the "
            "same motion.\n\n"
            "<EventDriven> supports all pairs of shapes that can meet. "
            "Each gap of each pair, near or not, requires about 3 kB, and at most 1000000 are "
            "supported: of 170 boxes, or of 1400 disks. nssim computes those of shapes near each "
            "other. Boxes, hulls and polygons touch by corners and by edges that cross. A body on "
            "a Mesh has a gap for each of its corners and each triangle, and for each of its edges "
            "and each convex edge of the mesh; if there are many, rows are those of the nearest "
            "192, of a Sphere 32, and others as it moves. A Cylinder touches by its side, its "
            "caps, and its rims, which meet axes, edges and each other at up to two points; a Cone "
            "also by its tip. One that leans by less than 1e-3 rad stands on the corners of a "
            "polygon of 16 sides about its rim; it topples up to 2 % later than on its full rim. "
            "If a closed contact moves from a face to an edge or a corner, its force jumps: an "
            "event without an impulse. "
            "margin and separate have no effect, gaps at t0 must be at least -gapTolerance, and "
            "<domain> is an error.\n\n"
            "In event-driven runs CompliantFrictionNSL is integrated to tolerance, with its "
            "springs as unknowns. Its contacts begin and end without events, and gaps at t0 can be "
            "negative. A corner or an edge pushes along the normal of the side that it entered, "
            "until it leaves this side at its end. Mesh, HeightField and Polylines of several "
            "segments are not supported with this law, and Capsule, Cylinder and Cone only with "
            "Plane and Sphere.",
        .example = "<contacts>\n"
                   "  <NewtonImpactFrictionNSL en=\"0.2\" mu=\"0.3\"/>\n"
                   "  <between materials=\"steel ice\"><NewtonImpactFrictionNSL en=\"0.6\" "
                   "mu=\"0.02\"/></between>\n"
                   "  <Plane normal=\"0 0 1\" material=\"ice\"/>\n"
                   "  <domain low=\"-10 -10 -1\" high=\"10 10 20\"/>\n"
                   "</contacts>",
        .attributes = LIST(
            {.name = "margin",
             .type = NS_LANG_REAL,
             .initial = "auto",
             .word = "auto",
             .range = "[0, inf)",
             .unit = "m",
             .example = "0.001",
             .help =
                 "largest gap of tracked contacts; auto: determined by the shapes and the step"},
            {.name = "overlap",
             .type = NS_LANG_REAL,
             .initial = "1e-6",
             .word = "any",
             .range = "[0, inf)",
             .unit = "m",
             .help = "maximum initial overlap of shapes; any: no limit"},
            {.name = "separate",
             .type = NS_LANG_ENUM,
             .initial = "false",
             .choices = "false true",
             .help = "true: separate shapes that initially overlap"},
            {.name = "recover",
             .type = NS_LANG_REAL,
             .initial = "1",
             .range = "[0, 1]",
             .example = "0",
             .help = "fraction of an overlap that a step corrects; 0: no correction"}),
        .children = CHILDREN({NULL, NS_LANG_LAW, 0, 1}, {"between", 0, 0, NS_LANG_MANY},
                             {NULL, NS_LANG_SHAPE, 0, NS_LANG_MANY}, {"domain", 0, 0, 1},
                             {"repeat", 0, 0, NS_LANG_MANY}, {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "between",
        .group = NS_LANG_PART,
        .help = "the law of contacts between two materials",
        .text =
            "The order is arbitrary; name a material twice for contacts between its own shapes.",
        .example = "<between materials=\"steel rubber\"><NewtonImpactFrictionNSL en=\"0.1\" "
                   "mu=\"0.8\"/></between>",
        .attributes = LIST({.name = "materials",
                            .type = NS_LANG_NAMES,
                            .required = 1,
                            .example = "steel rubber",
                            .help = "names of the two materials"}),
        .children = CHILDREN({NULL, NS_LANG_LAW, 1, 1}),
    },
    {
        .name = "domain",
        .group = NS_LANG_PART,
        .help = "a box; the run ends if a body leaves it",
        .text = "The run ends with a message that names the body when its centre of mass leaves "
                "the box.",
        .example = "<domain low=\"-1 -1 -inf\" high=\"1 1 inf\"/>",
        .attributes = LIST({.name = "low",
                            .type = NS_LANG_TEXT,
                            .initial = "-inf -inf -inf",
                            .range = "[-inf, inf]",
                            .unit = "m",
                            .example = "-10 -10 -10",
                            .help = "lower bounds of x, y and z; in the plane of x and y"},
                           {.name = "high",
                            .type = NS_LANG_TEXT,
                            .initial = "inf inf inf",
                            .range = "[-inf, inf]",
                            .unit = "m",
                            .example = "10 10 10",
                            .help = "upper bounds of x, y and z; in the plane of x and y"}),
    },
    {0},
};
