/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_mechanics.c -- rows of the language table: systems, relations and laws. */
#include "model/language/language_tables.h"

#define SYSTEM_ATTRIBUTES \
  LIST({.name = "id", \
        .type = NS_LANG_ID, \
        .required = 1, \
        .example = "ball", \
        .help = "name, unique among systems and interactions"}, \
       {.name = "coordinates", \
        .type = NS_LANG_NAMES, \
        .initial = "q[0] q[1] ...", \
        .example = "x y phi", \
        .help = "names of the n coordinates; the velocity of x is named v_x"}, \
       {.name = "inputs", \
        .type = NS_LANG_NAMES, \
        .initial = "z[0] z[1] ...", \
        .example = "u", \
        .help = "names of the entries of the user vector z, initially zero if there is no <z>"}, \
       {.name = "units", \
        .type = NS_LANG_TEXT, \
        .initial = "m of x, y, z; rad of phi, theta, " \
                   "psi, alpha, beta, gamma, angle", \
        .example = "m rad", \
        .help = "SI units of the coordinates, one for each, separated by white space (N*m, not N " \
                "m); for " \
                "results and checks of formulas"}, \
       {.name = "inputUnits", \
        .type = NS_LANG_TEXT, \
        .initial = "none", \
        .example = "N", \
        .help = "SI units of the inputs, one for each"}, \
       {.name = "theta", \
        .type = NS_LANG_REAL, \
        .initial = "that of MoreauJeanOSI", \
        .range = "[0, 1]", \
        .example = "1", \
        .help = "weight of the end of the step in MoreauJeanOSI, for this " \
                "system alone"})

#define BOUNDARIES CHILDREN(NS_LANG_BOUNDARIES)

#define PRESCRIBED_COORDINATES \
  { \
    .name = "coordinates", .type = NS_LANG_TEXT, .required = 1, .example = "x", \
    .help = "names of coordinates, or v[k], in the order of the system; of a body in space x y z " \
            "Omega_x Omega_y Omega_z, in the plane x y angle" \
  }

#define INITIAL_STATE \
  {.name = "q0", \
   .type = NS_LANG_VECTOR, \
   .required = 1, \
   .rows = "n", \
   .forms = FIXED, \
   .example = "0 0", \
   .help = "initial coordinates; their number is n"}, \
      {.name = "v0", \
       .type = NS_LANG_VECTOR, \
       .initial = "zero; prescribed ones as at t0", \
       .rows = "n", \
       .forms = FIXED, \
       .help = "initial velocities"}, \
  { \
    .name = "z", .type = NS_LANG_VECTOR, .initial = "none; zero if inputs names its entries", \
    .rows = "nz", .forms = FIXED, \
    .help = "user vector: numbers that formulas read as z[0], z[1], ... and plug-ins can change" \
  }

#define EXTERNAL_FORCE \
  { \
    .name = "fExt", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n", .uses = T | Z, \
    .forms = CALLED | NS_LANG_FORM_FILE, .signature = NS_SIG_FEXT, \
    .help = "external force, on the right-hand side: a formula of t and z, and of variables " \
            "id.name of systems" \
  }

#define JACOBIAN(what, f, by, banks, sig) \
  { \
    .name = what, .type = NS_LANG_MATRIX, \
    .initial = "derived from the formula of " f "; " \
               "finite differences for a plug-in", \
    .rows = "n", .cols = "n", .uses = banks, .forms = CALLED, .signature = sig, \
    .help = "derivative of " f " with respect to " by \
  }

/* ---- relations ------------------------------------------------------------------------------- */

#define STACKED \
  "Q and V are the coordinates and velocities of the systems of the interaction, one after the " \
  "other in the order of the attribute systems; nQ is their length. Z contains their user " \
  "vectors in the same way. y[0] >= 0 is an open gap; a positive lambda pushes the systems apart."

#define NAMES_TEXT \
  "Formulas read Q as q[k] and Z as z[k], with k from 0. The name of a coordinate can be used if " \
  "only one of the systems has it; id.name can always be used: left.x with systems=\"left " \
  "right\". Derivatives of formulas are exact; those of plug-ins that are not given are computed " \
  "by finite differences."

#define ROWS_TEXT \
  "m is the number of entries of h; if h is a plug-in, m is the size of the law or the number of " \
  "rows of H. For a friction law row 0 is the gap and the other rows are directions of slip, " \
  "with velocities H V. If H is given, h can be the gap alone."

#define GAP(banks, sig) \
  { \
    .name = "h", .type = NS_LANG_VECTOR, .required = 1, .rows = "m", .uses = banks, \
    .forms = CALLED, .signature = sig, .example = "q[0]", \
    .help = "output y: gaps, in the order of the rows of H" \
  }
#define DERIVATIVE(what, by, c, banks, sig) \
  { \
    .name = what, .type = NS_LANG_MATRIX, \
    .initial = "derived from the formula of h; finite differences for a plug-in", .rows = "m", \
    .cols = c, .uses = banks, .forms = CALLED, .signature = sig, .example = "1 0", \
    .help = "derivative of h with respect to " by \
  }
#define LINEAR_GAP \
  {.name = "H", \
   .type = NS_LANG_MATRIX, \
   .required = 1, \
   .rows = "m", \
   .cols = "nQ", \
   .forms = FIXED, \
   .example = "1 0 0", \
   .help = "derivative of the gaps with respect to Q"}, \
      {.name = "e", \
       .type = NS_LANG_VECTOR, \
       .initial = "zero", \
       .rows = "m", \
       .forms = FIXED, \
       .help = "gaps at Q = 0"}, \
  { \
    .name = "F", .type = NS_LANG_MATRIX, .initial = "zero", .rows = "m", .cols = "nZ", \
    .forms = FIXED, .help = "matrix of Z, the concatenated user vectors z of the systems" \
  }

/* ---- laws ------------------------------------------------------------------------------------ */

#define SIZE \
  { \
    .name = "size", .type = NS_LANG_INTEGER, .initial = "from the relation", \
    .range = "[1, 1000000]", .example = "1", \
    .help = "number m of rows; required if the relation consists of plug-ins " \
            "alone" \
  }
#define COEFFICIENT(what, must, default_text, bounds, sample, text) \
  { \
    .name = what, .type = NS_LANG_REAL, .required = must, .initial = default_text, \
    .range = bounds, .uses = NS_LANG_OF_RUN, .example = sample, .help = text \
  }

const ns_lang_element ns_lang_mechanics[] = {
    {
        .name = "LagrangianDS",
        .group = NS_LANG_SYSTEM,
        .help = "M(q,z) dv + (fGyr(q,v,z) + fInt(t,q,v,z)) dt = fExt(t,z) dt + dr",
        .text = "A Lagrangian system with n coordinates q, velocities v = dq/dt and contact "
                "impulses dr. Note the signs: fInt and fGyr are on the left. A linear spring is "
                "<fInt>k*x</fInt>.\n\n"
                "Formulas can use the names of the coordinates (x) and of their velocities (v_x), "
                "and always q[k], v[k], z[k] with k from 0. Jacobians of formulas are exact.",
        .example = "<LagrangianDS id=\"pendulum\" coordinates=\"phi\">\n"
                   "  <q0>pi/2</q0>\n"
                   "  <mass>m*l^2</mass>\n"
                   "  <fInt>m*g*l*sin(phi) + c*v_phi</fInt>\n"
                   "</LagrangianDS>",
        .children = BOUNDARIES,
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass",
                        .type = NS_LANG_MATRIX,
                        .initial = "identity",
                        .rows = "n",
                        .cols = "n",
                        .uses = Q | Z,
                        .forms = SQUARE | NS_LANG_FORM_PLUGIN,
                        .signature = NS_SIG_MASS,
                        .help = "mass matrix, symmetric positive definite"},
                       {.name = "fInt",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .uses = T | Q | V | Z,
                        .forms = CALLED,
                        .signature = NS_SIG_FINT,
                        .help = "internal force, on the left-hand side"},
                       {.name = "fGyr",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .uses = Q | V | Z,
                        .forms = CALLED,
                        .signature = NS_SIG_FGYR,
                        .help = "gyroscopic and Coriolis force, on the left-hand side"},
                       EXTERNAL_FORCE,
                       JACOBIAN("jacobianFIntq", "fInt", "q", T | Q | V | Z, NS_SIG_FINT),
                       JACOBIAN("jacobianFIntqDot", "fInt", "v", T | Q | V | Z, NS_SIG_FINT),
                       JACOBIAN("jacobianFGyrq", "fGyr", "q", Q | V | Z, NS_SIG_FGYR),
                       JACOBIAN("jacobianFGyrqDot", "fGyr", "v", Q | V | Z, NS_SIG_FGYR)),
    },
    {
        .name = "LagrangianLinearTIDS",
        .group = NS_LANG_SYSTEM,
        .help = "M dv + (C v + K q) dt = fExt(t,z) dt + dr with constant M, C, K",
        .text = "A linear time-invariant Lagrangian system. A step of an implicit scheme solves "
                "one linear system, which is factorised once.",
        .example = "<LagrangianLinearTIDS id=\"ball\" coordinates=\"x y phi\">\n"
                   "  <q0>1 0 0</q0>\n"
                   "  <mass diag=\"m m 2/5*m*R^2\"/>\n"
                   "  <fExt>-m*g 0 0</fExt>\n"
                   "</LagrangianLinearTIDS>",
        .children = BOUNDARIES,
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass",
                        .type = NS_LANG_MATRIX,
                        .initial = "identity",
                        .rows = "n",
                        .cols = "n",
                        .forms = SQUARE,
                        .help = "mass matrix, symmetric positive definite; in MoreauJeanOSI a "
                                "diagonal one may contain 0 if C or K is given"},
                       {.name = "K",
                        .type = NS_LANG_MATRIX,
                        .initial = "zero",
                        .rows = "n",
                        .cols = "n",
                        .forms = SQUARE,
                        .help = "stiffness matrix"},
                       {.name = "C",
                        .type = NS_LANG_MATRIX,
                        .initial = "zero",
                        .rows = "n",
                        .cols = "n",
                        .forms = SQUARE,
                        .help = "damping matrix"},
                       EXTERNAL_FORCE),
    },
    {
        .name = "LagrangianLinearDiagonalDS",
        .group = NS_LANG_SYSTEM,
        .help = "M dv + (C v + K q) dt = fExt(t,z) dt + dr with diagonal M, C, K",
        .text = "As LagrangianLinearTIDS, but mass, K and C are vectors: the diagonals of the "
                "matrices.",
        .example = "<LagrangianLinearDiagonalDS id=\"modes\">\n"
                   "  <q0>0 0</q0>\n"
                   "  <mass>m m</mass>\n"
                   "  <K>k 4*k</K>\n"
                   "</LagrangianLinearDiagonalDS>",
        .children = BOUNDARIES,
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass",
                        .type = NS_LANG_VECTOR,
                        .initial = "ones",
                        .rows = "n",
                        .forms = FIXED,
                        .help = "diagonal of the mass matrix, positive"},
                       {.name = "K",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .forms = FIXED,
                        .help = "diagonal of the stiffness matrix"},
                       {.name = "C",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .forms = FIXED,
                        .help = "diagonal of the damping matrix"},
                       EXTERNAL_FORCE),
    },
    {
        .name = "fixed",
        .group = NS_LANG_PART,
        .help = "constant coordinates of a system",
        .text = "  v = 0 for these coordinates\n\n"
                "Their velocities are zero from the first step on. Those of a <NewtonEulerDS> are "
                "the components of its velocity in world axes, x y z, and of its angular velocity "
                "in body axes, Omega_x Omega_y Omega_z: all six fix the body, the last three its "
                "orientation.\n\n"
                "In event-driven runs support is the force that keeps the coordinates, not the "
                "impulse of a step; an impulse at t0, an event of kind velocity, stops a "
                "coordinate whose initial velocity is not zero.\n\n"
                "A constraint that acts only on fixed velocities is redundant or contradictory: "
                "nssim check counts the independent constraints.",
        .example = "<fixed coordinates=\"x y\"/>",
        .attributes = LIST(PRESCRIBED_COORDINATES),
    },
    {
        .name = "prescribed",
        .group = NS_LANG_PART,
        .help = "prescribed velocities of coordinates of a system, as functions of time",
        .text = "  v = v(t) for these coordinates\n\n"
                "A velocity for each of the coordinates, in the same order: formulas of t, or a "
                "plug-in. The coordinates start from q0, and where the system has no v0 with the "
                "velocities at t0; a v0 that is given, and that of a plug-in, should equal these. "
                "For a body in space they are velocities in world axes and angular velocities in "
                "body axes, as for <fixed>: for a table that rotates about its axis z, x y z "
                "Omega_x Omega_y are fixed and Omega_z is prescribed.\n\n"
                "The reaction forces are recorded as support; they are the residual of the "
                "equations of motion in these rows. Siconos 4 eliminates these coordinates with "
                "the wrong sign (observed if the velocity changes in time and the system is "
                "linear) and omits the forces from its reaction: results differ.\n\n"
                "In event-driven runs support is the force at that instant, not the impulse of a "
                "step. If the formula jumps, or if v0 differs from it at t0, the support acts by "
                "an impulse: an event of kind velocity. Closed contacts of the body transmit this "
                "impulse without a rebound, because they did not approach before. Rates of a "
                "plug-in are computed by finite differences; its jumps are not detected.",
        .example = "<prescribed coordinates=\"x\">a*omega*cos(omega*t)</prescribed>",
        .attributes = LIST(
            PRESCRIBED_COORDINATES,
            {.name = "plugin",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "MyPlugin:speed",
             .help = "Library:function that computes the velocities, instead of the text"}),
        .content = &(const ns_lang_item){.name = "velocities",
                                         .type = NS_LANG_VECTOR,
                                         .initial = "none; required without plugin=",
                                         .rows = "n",
                                         .uses = T,
                                         .forms = CALLED,
                                         .signature = NS_SIG_BC,
                                         .example = "sin(t)",
                                         .help = "one formula for each of the coordinates"},
    },
    {
        .name = "harmonic",
        .group = NS_LANG_PART,
        .help =
            "harmonic motion of coordinates of a system, with velocity a + b cos(omega t + phi)",
        .text = "  v = a + b cos(omega t + phi)\n\n"
                "This is a velocity: the amplitude of the motion is b/omega. Where the system has "
                "no v0, it is the initial velocity, too. For several frequencies use <prescribed>.",
        .example = "<harmonic coordinates=\"x\" b=\"0.1\" omega=\"2*pi\"/>",
        .attributes = LIST(
            PRESCRIBED_COORDINATES,
            {.name = "a",
             .type = NS_LANG_REAL,
             .initial = "0",
             .example = "0",
             .help = "mean velocity"},
            {.name = "b",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "1",
             .help = "amplitude of the velocity"},
            {.name = "omega",
             .type = NS_LANG_REAL,
             .required = 1,
             .unit = "rad/s",
             .example = "2*pi",
             .help = "angular frequency"},
            {.name = "phi", .type = NS_LANG_REAL, .initial = "0", .unit = "rad", .help = "phase"}),
    },
    {
        .name = "LagrangianLinearTIR",
        .group = NS_LANG_RELATION,
        .help = "y = H Q + e + F Z, ydot = H V; impulses act as H^T lambda",
        .text = "A linear time-invariant relation between the coordinates Q of the systems of the "
                "interaction and m gaps y. y >= 0 is open; a positive lambda pushes the systems "
                "apart. H has m rows, and a column for each entry of Q.",
        .example = "<LagrangianLinearTIR><H>1 0 0</H><e>-R</e></LagrangianLinearTIR>",
        .values = LIST(LINEAR_GAP),
    },
    {
        .name = "LagrangianScleronomousR",
        .group = NS_LANG_RELATION,
        .help = "y = h(Q,Z), ydot = H V with H = dh/dQ; impulses act as H^T lambda",
        .text = STACKED "\n\n" NAMES_TEXT "\n\n" ROWS_TEXT
                        " The rows of slip need not be the derivatives of a function.\n\n"
                        "Newton's method ends when impulses and velocities also satisfy the rows "
                        "at the end of the step. Siconos 4 tests only the equations of motion, as "
                        "newtonCriterion=\"absolute\" does.",
        .example = "<LagrangianScleronomousR>\n"
                   "  <h>sqrt(x^2 + y^2) - R</h>\n"
                   "</LagrangianScleronomousR>",
        .values = LIST(GAP(Q | Z, NS_SIG_H1), DERIVATIVE("H", "Q", "nQ", Q | Z, NS_SIG_H1),
                       {.name = "HDot",
                        .type = NS_LANG_MATRIX,
                        .initial = "finite differences along the motion",
                        .rows = "m",
                        .cols = "nQ",
                        .uses = Q | V | Z,
                        .forms = CALLED,
                        .signature = NS_SIG_LHDOT,
                        .help = "time derivative of H; for schemes that use accelerations"}),
    },
    {
        .name = "LagrangianRheonomousR",
        .group = NS_LANG_RELATION,
        .help = "y = h(Q,t,Z), ydot = H V + dh/dt: a moving obstacle, a prescribed path",
        .text = STACKED
        "\n\n" NAMES_TEXT "\n\n" ROWS_TEXT
        " If H is given, hDot of the rows of slip must be given too, unless it is zero.\n\n"
        "dh/dt is part of the velocity in every scheme, including MoreauJeanGOSI, and "
        "accelerations have all their terms. Siconos 4 omits dh/dt in MoreauJeanGOSI, and refuses "
        "such relations if accelerations are needed.",
        .example = "<LagrangianRheonomousR>\n"
                   "  <h>x - a*sin(omega*t)</h>\n"
                   "</LagrangianRheonomousR>",
        .values = LIST(
            GAP(T | Q | Z, NS_SIG_LRHEO), DERIVATIVE("H", "Q", "nQ", T | Q | Z, NS_SIG_LRHEO),
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
        .name = "LagrangianCompliantR",
        .group = NS_LANG_RELATION,
        .help = "y = h(Q,lambda,Z): a compliant contact; lambda is a force in N",
        .text = STACKED
        "\n\n" NAMES_TEXT
        " Formulas can also use lambda[k]. D = dh/dlambda must be positive definite.\n\n"
        "The law applies to y itself, so that there are no impacts: with "
        "<ComplementarityConditionNSL/> and h = x + lambda[0]/k the contact is a spring of "
        "stiffness k that pushes but does not pull.\n\n"
        "For differences from Siconos 4, see LagrangianCompliantLinearTIR.",
        .example = "<LagrangianCompliantR>\n"
                   "  <h>sqrt(x^2 + y^2) - R + lambda[0]/k</h>\n"
                   "</LagrangianCompliantR>",
        .values = LIST(GAP(Q | LAMBDA | Z, NS_SIG_LCOMP),
                       DERIVATIVE("H", "Q", "nQ", Q | LAMBDA | Z, NS_SIG_LCOMP),
                       DERIVATIVE("D", "lambda", "m", Q | LAMBDA | Z, NS_SIG_LCOMP)),
    },
    {
        .name = "LagrangianCompliantLinearTIR",
        .group = NS_LANG_RELATION,
        .help = "y = H Q + e + F Z + D lambda: a linear compliant contact; lambda is a force in N",
        .text =
            "As LagrangianLinearTIR, with the compliance D, positive definite. The law applies to "
            "y itself, so that there are no impacts: with <ComplementarityConditionNSL/> the "
            "contact is a spring of stiffness 1/D that pushes but does not pull.\n\n"
            "A step solves y+ = q + (h theta H W^-1 H^T + D/h) P for the impulse P = h lambda. "
            "Siconos 4 has theta H W^-1 H^T instead, without the factor h, which adds a compliance "
            "of the size h theta: contacts last too long, and results converge slowly. "
            "<EventDriven> integrates the contact force to tolerance and conserves its energy.",
        .example = "<LagrangianCompliantLinearTIR><H>1 "
                   "0</H><e>-R</e><D>1/k</D></LagrangianCompliantLinearTIR>",
        .values = LIST(LINEAR_GAP,
                       {.name = "D",
                        .type = NS_LANG_MATRIX,
                        .required = 1,
                        .rows = "m",
                        .cols = "m",
                        .forms = SQUARE,
                        .example = "1e-6",
                        .help = "compliance, the derivative of the gaps with respect to lambda"}),
    },
    {
        .name = "NewtonImpactNSL",
        .group = NS_LANG_LAW,
        .help = "0 <= ydot+ + e ydot- _|_ lambda >= 0 while in contact",
        .text = "Newton's impact law: a contact that closes with velocity ydot- < 0 opens with -e "
                "ydot-. If the relation has several rows, the law applies to each of them "
                "independently.",
        .example = "<NewtonImpactNSL e=\"0.9\"/>",
        .attributes = LIST(COEFFICIENT("e", 1, NULL, "[0, 1]", "0.9", "coefficient of restitution"),
                           SIZE),
    },
    {
        .name = "MultipleImpactNSL",
        .group = NS_LANG_LAW,
        .help = "simultaneous impacts of several contacts, with energetic restitution",
        .text =
            "  F = K delta^eta: force of a contact that is pressed by delta during the impact\n\n"
            "This is the law of Liu, Zhao and Brogliato. During the impact positions are constant, "
            "and contacts are springs with force K delta^eta that are loaded and unloaded; a "
            "contact returns the fraction e^2 of its energy. Waves pass through chains of balls as "
            "in Newton's cradle. Velocities after an impact depend on the ratios of the "
            "stiffnesses and on eta (1: linear, 1.5: Hertz), not on the magnitude of the "
            "stiffnesses.\n\n"
            "This law is available only in event-driven runs, and then all contacts must have it. "
            "By default the impact is integrated with a bounded error and does not add energy; "
            "impulseStep and increments of <EventDriven> change this.",
        .example = "<MultipleImpactNSL e=\"1\" K=\"1e9\" eta=\"1.5\"/>",
        .attributes = LIST(
            COEFFICIENT("e", 1, NULL, "[0, 1]", "1", "energetic coefficient of restitution"),
            COEFFICIENT("K", 0, "1", "(0, inf)", "1", "stiffness, N/m^eta; only ratios matter"),
            COEFFICIENT("eta", 0, "1", "(0, inf)", "1.5", "exponent of the force"), SIZE),
    },
    {
        .name = "NewtonImpactFrictionNSL",
        .group = NS_LANG_LAW,
        .help = "Newton's impact law and Coulomb friction, 2 rows (plane) or 3 (space)",
        .text = "  0 <= u_N+ + en u_N- _|_ lambda_N >= 0\n"
                "  |lambda_T| <= mu lambda_N; where w = u_T+ + et u_T- is not 0, lambda_T = -mu "
                "lambda_N w/|w|\n\n"
                "Row 0 of the relation is the gap; the other rows are directions of slip, "
                "orthogonal to it and to each other. lambda[0] >= 0 is the normal impulse, the "
                "other entries are the friction impulse: its length is at most mu lambda[0]; if "
                "the contact slips, it has that length and opposes the slip.\n\n"
                "et is a tangential restitution: friction acts on the slip after the impact plus "
                "et times the slip before it. With et > 0 it can add energy. (For et > 0 in the "
                "plane Siconos 4 writes outside its arrays.)\n\n"
                "A body that is wedged between several contacts, such as a wheel in a groove "
                "narrower than the angle of friction, can have several motions: it can stay at "
                "rest if its contacts press against each other, or slide without that. The law "
                "does not decide between them. Of equal solutions the one at rest is preferred: "
                "event-driven runs keep the body at rest as long as some forces within all cones "
                "hold it, and so does time-stepping by solver=\"auto\" in groups of bodies with up "
                "to 32 contacts in space, or 48 in the plane. What slides is not stopped. Larger "
                "groups, and other solvers, can let it slide earlier, as elastic contacts do if "
                "nothing pressed them together before. Where this matters, use "
                "CompliantFrictionNSL, with which there is one motion.",
        .example = "<NewtonImpactFrictionNSL en=\"0.5\" mu=\"0.3\"/>",
        .attributes = LIST(
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", "coefficient of restitution of the gap"),
            COEFFICIENT("et", 0, "0", "[0, 1]", "0", "coefficient of restitution of the slip"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", "coefficient of friction"), SIZE),
    },
    {
        .name = "FremondImpactFrictionNSL",
        .group = NS_LANG_LAW,
        .help =
            "impact and Coulomb friction on the mean velocity of the step, which never adds energy",
        .text = "As NewtonImpactFrictionNSL with et = 0, but friction acts on the mean of the slip "
                "before and after the step, where theta of the scheme is the weight of the end. "
                "The work of friction is therefore never positive; for theta = 0.5 it is exactly "
                "the work in the step (Acary and Collins-Craft 2023).\n\n"
                "Cones are invariant to scaling, so this law is NewtonImpactFrictionNSL with et = "
                "(1 - theta)/theta in each contact, and can be combined with any law. Siconos "
                "scales the whole matrix by theta if the first active law is this one: results "
                "differ if laws are mixed.",
        .example = "<FremondImpactFrictionNSL en=\"0.5\" mu=\"0.3\"/>",
        .attributes = LIST(
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", "coefficient of restitution of the gap"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", "coefficient of friction"), SIZE),
    },
    {
        .name = "CohesiveFrictionNSL",
        .group = NS_LANG_LAW,
        .help = "impact and Coulomb friction with a bond that transmits tension until it breaks",
        .text = "  0 <= u_N+ + en u_N- _|_ lambda_N + h sigma >= 0\n  |lambda_T| <= mu (lambda_N + "
                "h sigma), while the bond is intact\n\n"
                "As NewtonImpactFrictionNSL, but contacts that are closed at t0 are bonded: such a "
                "contact transmits a tension of up to sigma, and its friction is at most mu "
                "(lambda[0] + h sigma). If a force or an impact exceeds the tension, the bond "
                "breaks, and from then on the law is NewtonImpactFrictionNSL.\n\n"
                "Each interaction, and each contact between shapes, has its own bond (for a "
                "standing box one for each corner); checkpoints store whether it is intact. In "
                "event-driven runs the bond breaks when the pressure lambda[0] + sigma vanishes "
                "and the contact opens, by a force or an impact.",
        .example = "<CohesiveFrictionNSL en=\"0\" mu=\"0.3\" sigma=\"100\"/>",
        .attributes = LIST(
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", "coefficient of restitution of the gap"),
            COEFFICIENT("et", 0, "0", "[0, 1]", "0", "coefficient of restitution of the slip"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", "coefficient of friction"),
            COEFFICIENT("sigma", 1, NULL, "[0, inf)", "100", "maximum tension of a bond, N"), SIZE),
    },
    {
        .name = "CompliantFrictionNSL",
        .group = NS_LANG_LAW,
        .help = "compliant contacts between shapes: spring, damper and tangential spring with slip",
        .text = "This law is available in <contacts>. Shapes that overlap by d push each other "
                "apart by f = max(0, K d^eta + C d^(eta-1) d'), where d' is the rate of the "
                "overlap; they never pull. eta = 1 is a linear spring and dashpot. eta = 1.5 is "
                "the Hertz contact of viscoelastic spheres, with K = 4/3 E* sqrt(R*), 1/E* = (1 - "
                "nu1^2)/E1 + (1 - nu2^2)/E2 and 1/R* = 1/R1 + 1/R2.\n\n"
                "In the tangential direction a spring of stiffness Kt d^(eta-1) and a damper Ct "
                "d^(eta-1) act against the slip; if their force would exceed mu f, the contact "
                "slides, and the length of the spring is constant (Cundall and Strack 1979). With "
                "mu > 0 one of Kt and Ct must be positive. Each contact stores its spring until it "
                "opens; checkpoints include it.\n\n"
                "Steps are implicit: K can be arbitrarily large. The force is evaluated at the "
                "overlap at t + theta h (theta of <MoreauJeanOSI>, which must be positive), "
                "friction at its bound is exact, and normals are those at the beginning of the "
                "step. The method is of order 2 at theta = 0.5 if normals do not rotate, otherwise "
                "of order 1. To resolve a contact, the step should be short compared with its "
                "duration, pi sqrt(m/K) for eta = 1.\n\n"
                "The energy of the springs is part of the potential energy. Dissipation by dampers "
                "counts as work of contacts, dissipation by slip as work of friction. There are no "
                "impacts, and no events are reported. <EventDriven> integrates the contact forces "
                "to tolerance.",
        .example = "<CompliantFrictionNSL K=\"1e5\" C=\"20\" Kt=\"3e4\" mu=\"0.5\"/>",
        .attributes = LIST(
            COEFFICIENT("K", 1, NULL, "(0, inf)", "1e5", "stiffness, N/m^eta"),
            COEFFICIENT("eta", 0, "1", "[1, inf)", "1.5",
                        "exponent of the force: 1 linear, 1.5 Hertz"),
            COEFFICIENT("C", 0, "0", "[0, inf)", "20", "damping, N s/m^eta"),
            COEFFICIENT("Kt", 0, "0", "[0, inf)", "3e4",
                        "stiffness of the tangential spring, N/m^eta"),
            COEFFICIENT("Ct", 0, "0", "[0, inf)", "5", "damping of the slip, N s/m^eta"),
            COEFFICIENT("mu", 0, "0", "[0, inf)", "0.5", "coefficient of friction")),
    },
    {
        .name = "PluginNSL",
        .group = NS_LANG_LAW,
        .help = "impact and Coulomb friction with a tension computed by a plug-in",
        .text = "  0 <= u_N+ + en u_N- _|_ lambda_N + h sigma >= 0\n"
                "  |lambda_T| <= mu (lambda_N + h sigma), with the tension sigma of the plug-in\n\n"
                "As CohesiveFrictionNSL, but C functions compute the tension from variables of the "
                "contact: the named function returns a table of type nssim_law (see "
                "nssim/plugin.h). p1 to p4 are arguments of these functions. Checkpoints store the "
                "variables of contacts. plugins/CohesivePlugin.c implements CohesiveFrictionNSL in "
                "this way.\n\n"
                "While sigma is positive the contact counts as closed for any gap, and the gap "
                "cannot decrease: the plug-in sets sigma to 0 when the contact has opened.",
        .example = "<PluginNSL plugin=\"CohesivePlugin:cohesive\" en=\"0\" mu=\"0.3\" p1=\"100\"/>",
        .attributes = LIST(
            {.name = "plugin",
             .type = NS_LANG_TEXT,
             .required = 1,
             .example = "CohesivePlugin:cohesive",
             .help = "Library:function that returns the law"},
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", "coefficient of restitution of the gap"),
            COEFFICIENT("et", 0, "0", "[0, 1]", "0", "coefficient of restitution of the slip"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", "coefficient of friction"),
            COEFFICIENT("p1", 0, "0", NULL, "100", "first parameter of the plug-in"),
            COEFFICIENT("p2", 0, "0", NULL, "0", "second parameter of the plug-in"),
            COEFFICIENT("p3", 0, "0", NULL, "0", "third parameter of the plug-in"),
            COEFFICIENT("p4", 0, "0", NULL, "0", "fourth parameter of the plug-in"), SIZE),
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
            COEFFICIENT("en", 1, NULL, "[0, 1]", "0.5", "coefficient of restitution of the gap"),
            COEFFICIENT("et", 0, "0", "[0, 1]", "0", "coefficient of restitution of the slip"),
            COEFFICIENT("mu", 1, NULL, "[0, inf)", "0.3", "coefficient of friction"),
            {.name = "muRolling",
             .type = NS_LANG_REAL,
             .required = 1,
             .range = "[0, inf)",
             .unit = "m",
             .uses = NS_LANG_OF_RUN,
             .example = "0.01",
             .help = "coefficient of rolling friction, a length"},
            {.name = "size",
             .type = NS_LANG_INTEGER,
             .initial = "from the relation",
             .range = "[1, 1000000]",
             .example = "5",
             .help = "number m of rows; required if the relation consists of plug-ins alone"}),
    },
    {0},
};
