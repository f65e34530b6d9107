/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_shapes.c -- rows of the language table: shapes of bodies and surroundings, and what
 * happens where they meet. */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define LENGTH(what, must, sample, text) \
  {.name = what, .type = NS_LANG_REAL, .required = must, .range = "(0, inf)", .unit = "m", \
    .example = sample, .help = text}

#define NAMED \
  {.name = "id", .type = NS_LANG_ID, .initial = "none", .example = "head", \
    .help = "name, for results"}

#define MEETS \
  {.name = "material", .type = NS_LANG_NAME, .initial = "none", .example = "steel", \
   .help = "what <between> calls it"}, \
  {.name = "layers", .type = NS_LANG_NAMES, .initial = "common", .example = "debris", \
   .help = "names of the layers that it is in, at most 31 in a model; shapes that name none are " \
     "in common"}, \
  {.name = "with", .type = NS_LANG_NAMES, .initial = "all layers", .example = "debris", \
   .help = "layers that it meets, each one of some shape; two shapes meet where each is in a " \
     "layer that the other is with"}, \
  NS_LANG_LIFE

#define PLACED \
  NAMED, \
  {.name = "at", .type = NS_LANG_TEXT, .initial = "0 0 0", .unit = "m", .example = "0 0 0", \
   .help = "its origin in the axes of its body, from the centre of mass; in <contacts> in the " \
     "world"}, \
  NS_LANG_TURN("its axes to those of the body"), \
  MEETS

#define DENSITY \
  {.name = "density", .type = NS_LANG_REAL, .initial = "none", .unit = "kg/m^3", \
    .example = "1000", \
   .help = "of the filled shape, where its body has no <mass>; negative for what is cut out of " \
     "others"}

/* In the plane. */
#define LIES \
  NAMED, \
  {.name = "at", .type = NS_LANG_TEXT, .initial = "0 0", .unit = "m", .example = "0 0", \
   .help = "its origin in the axes of its body, from the centre of mass; in <contacts> in the " \
     "world"}, \
  {.name = "angle", .type = NS_LANG_REAL, .initial = "0", .unit = "rad", .example = "0", \
   .help = "by which it is turned against the axes of the body, counterclockwise"}, \
  MEETS

#define AREA_DENSITY \
  {.name = "density", .type = NS_LANG_REAL, .initial = "none", .unit = "kg/m^2", \
    .example = "1000", \
   .help = "mass by area of the filled shape, where its body has no <mass>; negative for what " \
     "is cut out of others"}

#define POINTS \
  {.name = "points", .type = NS_LANG_TEXT, .initial = "none, with file=", .unit = "m", \
    .example = "0 0; 1 0; 0 1", \
   .help = "x y of each, parted by semicolons"}, \
  {.name = "file", .type = NS_LANG_FILE, .initial = "none, with points=", \
    .example = "outline.csv", \
   .help = "table of x, y"}

#define FLAT_TEXT \
  "In a RigidBody2dDS, or fixed in <contacts>. Shapes of one body never meet. A body without " \
    "<mass> has the mass of its shapes, one " \
  "without <inertia> their moment of inertia (that of its mass, uniformly spread, where they " \
    "have no density). Then its centre of mass " \
  "is that of its shapes, and q0 tells where the origin of their axes is."

#define SOLID_TEXT \
  "In a body, or fixed in <contacts>. Shapes of one body never meet. A body without <mass> has " \
    "the mass of its shapes, one without " \
  "<inertia> their inertia (that of its mass, uniformly filled, where they have no density). " \
    "Then its centre of mass is that of its " \
  "shapes, and q0 tells where the origin of their axes is."

#define SCALE \
  {.name = "scale", .type = NS_LANG_REAL, .initial = "1", .range = "(0, inf)", .example = "0.001", \
   .help = "what coordinates of the file are multiplied by"}
#define SURFACE_TEXT \
  "It holds from outside alone; in a body, or fixed in <contacts>. It meets all shapes but " \
    "planes and other surfaces."

const ns_lang_element ns_lang_shapes[] = {
    {
        .name = "Plane",
        .group = NS_LANG_SHAPE,
        .help = "half space below a plane, in <contacts>",
        .text = "All on the side against the normal is inside. With turn= or axis= its normal is "
                "z, turned.",
        .example = "<Plane normal=\"0 0 1\"/>",
        .attributes = LIST({.name = "normal",
                            .type = NS_LANG_TEXT,
                            .initial = "0 0 1",
                            .example = "0 0 1",
                            .help = "direction out of it, of any length"},
                           PLACED),
    },
    {
        .name = "Sphere",
        .group = NS_LANG_SHAPE,
        .help = "ball of a radius",
        .text = SOLID_TEXT,
        .example = "<Sphere radius=\"0.1\" density=\"7800\" material=\"steel\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius"), PLACED, DENSITY),
    },
    {
        .name = "Capsule",
        .group = NS_LANG_SHAPE,
        .help = "all within a radius of a segment along its z axis",
        .text = SOLID_TEXT,
        .example = "<Capsule radius=\"0.1\" length=\"0.4\"/>",
        .attributes = LIST(
            LENGTH("radius", 1, "0.1", "radius"),
            LENGTH("length", 1, "0.4", "of the segment; with its caps it is longer by two radii"),
            PLACED, DENSITY),
    },
    {
        .name = "Cylinder",
        .group = NS_LANG_SHAPE,
        .help = "cylinder about its z axis",
        .text = SOLID_TEXT,
        .example = "<Cylinder radius=\"0.5\" length=\"0.1\"/>",
        .attributes = LIST(LENGTH("radius", 1, "0.1", "radius"),
                           LENGTH("length", 1, "0.4", "from end to end"), PLACED, DENSITY),
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
                           PLACED, DENSITY),
    },
    {
        .name = "ConvexHull",
        .group = NS_LANG_SHAPE,
        .help = "smallest convex solid that holds some points",
        .text = SOLID_TEXT " Points that are no corners of it are left out.",
        .example = "<ConvexHull points=\"0 0 0; 1 0 0; 0 1 0; 0 0 1\"/>",
        .attributes = LIST({.name = "points",
                            .type = NS_LANG_TEXT,
                            .initial = "none, with file=",
                            .unit = "m",
                            .example = "0 0 0; 1 0 0; 0 1 0; 0 0 1",
                            .help = "x y z of each, parted by semicolons"},
                           {.name = "file",
                            .type = NS_LANG_FILE,
                            .initial = "none, with points=",
                            .example = "stone.csv",
                            .help = "table of x, y, z, or the corners of an .stl or .obj"},
                           SCALE, PLACED, DENSITY),
    },
    {
        .name = "Mesh",
        .group = NS_LANG_SHAPE,
        .help = "surface of triangles, as a boundary",
        .text = SURFACE_TEXT " Triangles go round counterclockwise from outside; an edge has one "
                             "triangle, or two that go round in the same sense.\n\n"
                             "A mesh that is closed, without borders, gives its body mass and "
                             "inertia as a solid does, by the integrals over what it encloses; one "
                             "that is open does not, and its body needs <mass> and <inertia>.",
        .example = "<Mesh file=\"terrain.stl\"/>",
        .attributes = LIST({.name = "file",
                            .type = NS_LANG_FILE,
                            .required = 1,
                            .example = "terrain.stl",
                            .help = "an .stl, in text or binary, or an .obj with lines v and f"},
                           {.name = "edges",
                            .type = NS_LANG_ENUM,
                            .initial = "surface",
                            .choices = "surface any",
                            .help = "any: edges of more than two triangles are borders of each, "
                                    "with a warning; surface: they are errors"},
                           SCALE, PLACED, DENSITY),
    },
    {
        .name = "HeightField",
        .group = NS_LANG_SHAPE,
        .help = "surface of heights on a grid, as a boundary",
        .text = SURFACE_TEXT
        " It has no mass: a body of it needs <mass> and <inertia>. A line of the file is a row "
        "along x, the first line that of the lowest y. The origin is in the middle of the grid.",
        .example = "<HeightField file=\"terrain.csv\" spacing=\"0.5\"/>",
        .attributes = LIST(
            {.name = "file",
             .type = NS_LANG_FILE,
             .required = 1,
             .example = "terrain.csv",
             .help = "table of heights by comma or white space"},
            {.name = "spacing",
             .type = NS_LANG_TEXT,
             .required = 1,
             .unit = "m",
             .example = "1",
             .help = "distance of the places of the grid, or those along x and along y"},
            {.name = "scale",
             .type = NS_LANG_REAL,
             .initial = "1",
             .range = "(0, inf)",
             .example = "0.001",
             .help = "what heights of the file are multiplied by"},
            PLACED),
    },
    {
        .name = "Disk",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: disk of a radius",
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
                           LIES, AREA_DENSITY),
    },
    {
        .name = "Polygon",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: convex polygon",
        .text = FLAT_TEXT " Its points go round counterclockwise. What is not convex is made of "
                          "several polygons in one body.",
        .example = "<Polygon points=\"0 0; 1 0; 0 1\"/>",
        .attributes = LIST(POINTS, SCALE, LIES, AREA_DENSITY),
    },
    {
        .name = "HalfPlane",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: all below a line, in <contacts>",
        .text = "All on the side against the normal is inside.",
        .example = "<HalfPlane angle=\"-pi/6\"/>",
        .attributes = LIST(
            {.name = "normal",
             .type = NS_LANG_TEXT,
             .initial = "0 1",
             .example = "0 1",
             .help = "direction out of it, of any length; or angle= that of the line"},
            LIES),
    },
    {
        .name = "Polyline",
        .group = NS_LANG_SHAPE,
        .help = "in the plane: line from point to point, as a boundary",
        .text = "It holds from both sides and has no mass; fixed in <contacts>, or in a body that "
                "has <mass> and <inertia>. It meets all shapes but half planes and other lines. "
                "What slides over points where it goes straight on does not feel them.",
        .example = "<Polyline points=\"-2 1; -0.1 0; -0.1 -0.2\"/>",
        .attributes = LIST(POINTS, SCALE,
                           {.name = "closed",
                            .type = NS_LANG_ENUM,
                            .initial = "false",
                            .choices = "false true",
                            .help = "true: it goes on from the last point to the first"},
                           LIES),
    },
    {
        .name = "contacts",
        .group = NS_LANG_PART,
        .help = "what happens where shapes of rigid bodies meet, and shapes that are fixed",
        .text =
            "Shapes meet where this element stands; without it they give mass and inertia alone. "
            "Its law holds for all of them; <between> has that of two materials. Laws are "
            "NewtonImpactNSL, NewtonImpactFrictionNSL, NewtonImpactRollingFrictionNSL, "
            "FremondImpactFrictionNSL, CohesiveFrictionNSL and CompliantFrictionNSL; event by "
            "event MultipleImpactNSL. Shapes that it holds are fixed in space.\n\n"
            "Bodies in space have shapes in space, a RigidBody2dDS those of the plane: Disk, "
            "Rectangle, Polygon, HalfPlane and Polyline. Contacts in the plane have one direction "
            "of slip; tables of results give their points, normals and forces with z = 0.\n\n"
            "Two bodies that overlap by more than overlap at the beginning are an error, unless "
            "separate=\"true\".\n\n"
            "A step finds contacts once they have closed, so impacts leave overlaps. MoreauJeanOSI "
            "takes them out of the positions, recover of what is more than a thousandth of the "
            "smallest shape in each step, and leaves velocities alone: they keep the restitution "
            "of the law. Left as they are: contacts of bodies that touch nothing else, which move "
            "as an interaction of the same gap does; what opens by itself; compliant contacts; "
            "bodies that interactions hold. The work of it is among that of contacts.\n\n"
            "<EventDriven> takes each gap as a row, near or not, at most 1000: a Sphere or Disk "
            "against a plane, one of its kind, a Capsule, Cylinder, Box, ConvexHull, Mesh, "
            "HeightField, Rectangle, Polygon or "
            "Polyline; boxes, hulls and capsules against each other, by corners, ends and edges "
            "that cross; polygons against each other and a Polyline; corners of boxes, hulls and "
            "polygons, ends of capsules and rims of cylinders against a plane. A Cylinder that "
            "leans by less than 1e-3 rad stands there on the corners of a polygon of 16 sides "
            "about its rim, so it topples up to 2 % later than on all of it. Where a closed "
            "contact passes from a face to an edge or a corner its force jumps: an event without "
            "an impulse. CompliantFrictionNSL is there a force of the motion, to its tolerances, "
            "whose springs are unknowns as positions are; its contacts begin and end without "
            "events, and gaps at t0 may be negative; a corner or an edge pushes along the normal "
            "of the side that it came into, until it leaves that at its end; not between capsules "
            "and these or each other, Mesh and Polyline. Cylinders with these and each other, and "
            "others than a Sphere on Mesh and HeightField, are refused; so are a <domain> and "
            "rolling friction. margin and separate have no say, gaps at t0 are at least "
            "-gapTolerance.",
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
             .help = "gaps below it are followed; auto: by the shapes and the step"},
            {.name = "overlap",
             .type = NS_LANG_REAL,
             .initial = "1e-6",
             .word = "any",
             .range = "[0, inf)",
             .unit = "m",
             .help = "the most that shapes may overlap at the beginning; any: whatever they do"},
            {.name = "separate",
             .type = NS_LANG_ENUM,
             .initial = "false",
             .choices = "false true",
             .help = "true: what overlaps at the beginning is taken apart"},
            {.name = "recover",
             .type = NS_LANG_REAL,
             .initial = "0.2",
             .range = "[0, 1]",
             .example = "0",
             .help = "part of an overlap that a step takes out of the positions; 0: it stays"}),
        .children = CHILDREN({NULL, NS_LANG_LAW, 0, 1}, {"between", 0, 0, NS_LANG_MANY},
                             {NULL, NS_LANG_SHAPE, 0, NS_LANG_MANY}, {"domain", 0, 0, 1},
                             {"repeat", 0, 0, NS_LANG_MANY}, {"frame", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "between",
        .group = NS_LANG_PART,
        .help = "the law of contacts between two materials",
        .text = "In any order; one material named twice: between its own shapes.",
        .example = "<between materials=\"steel rubber\"><NewtonImpactFrictionNSL en=\"0.1\" "
                   "mu=\"0.8\"/></between>",
        .attributes = LIST({.name = "materials",
                            .type = NS_LANG_NAMES,
                            .required = 1,
                            .example = "steel rubber",
                            .help = "two of them"}),
        .children = CHILDREN({NULL, NS_LANG_LAW, 1, 1}),
    },
    {
        .name = "domain",
        .group = NS_LANG_PART,
        .help = "a box that bodies must not leave",
        .text =
            "A body whose centre of mass leaves it ends the run, with a sentence that names it.",
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
