/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_first_order.c -- rows of the language table: first-order systems, their relations and
 * laws. */
#include "model/language/language_tables.h"

#define X (1u << NS_BANK_Q)
#define RATE (1u << NS_BANK_V)
#define ANY (SQUARE | NS_LANG_FORM_PLUGIN)
#define VARIABLE (FIXED | NS_LANG_FORM_PLUGIN)

/* ---- systems --------------------------------------------------------------------------------- */

#define ID_AND_STATES \
  {.name = "id", \
   .type = NS_LANG_ID, \
   .required = 1, \
   .example = "circuit", \
   .help = "name, unique among systems and interactions"}, \
      {.name = "states", \
       .type = NS_LANG_NAMES, \
       .initial = "x[0] x[1] ...", \
       .example = "v_C i_L", \
       .help = "names of the n components of the state"}, \
      {.name = "inputs", \
       .type = NS_LANG_NAMES, \
       .initial = "z[0] z[1] ...", \
       .example = "u", \
       .help = "names of the entries of the user vector z, initially zero if there is no <z>"}, \
      {.name = "units", \
       .type = NS_LANG_TEXT, \
       .initial = "none", \
       .example = "V A", \
       .help = "SI units of the states, one for each, separated by white space (N*m, not N m); " \
               "for results and " \
               "checks of formulas"}, \
  { \
    .name = "inputUnits", .type = NS_LANG_TEXT, .initial = "none", .example = "V", \
    .help = "SI units of the inputs, one for each" \
  }

#define CONTROL_SIZE \
  { \
    .name = "controlSize", .type = NS_LANG_INTEGER, .initial = "from <u> or <T>", \
    .range = "[1, 1000000]", .example = "1", \
    .help = "number s of controls; required if <u> and <T> are both plug-ins" \
  }

#define INITIAL_STATE \
  {.name = "x0", \
   .type = NS_LANG_VECTOR, \
   .required = 1, \
   .rows = "n", \
   .forms = FIXED, \
   .example = "0 0", \
   .help = "initial state; its number of entries is n"}, \
  { \
    .name = "z", .type = NS_LANG_VECTOR, .initial = "none; zero if inputs names its entries", \
    .rows = "nz", .forms = FIXED, \
    .help = "user vector: numbers that formulas read as z[0], z[1], ... and plug-ins can change" \
  }

#define MASS(banks, how, sig) \
  { \
    .name = "M", .type = NS_LANG_MATRIX, .initial = "identity", .rows = "n", .cols = "n", \
    .uses = banks, .forms = how, .signature = sig, .first_order = 1, \
    .help = "coefficient matrix of x', invertible" \
  }

#define CONTROL \
  {.name = "u", \
   .type = NS_LANG_VECTOR, \
   .initial = "none", \
   .rows = "s", \
   .uses = T | X | RATE | Z, \
   .forms = CALLED, \
   .signature = NS_SIG_U, \
   .first_order = 1, \
   .help = "control; xdot is the rate in the previous step"}, \
  { \
    .name = "T", .type = NS_LANG_MATRIX, .initial = "identity", .rows = "n", .cols = "s", \
    .uses = X | Z, .forms = VARIABLE, .signature = NS_SIG_T, .first_order = 1, \
    .help = "matrix of the controls" \
  }

#define STATE_TEXT \
  "Formulas can use the names of the states, and in any case x[k], z[k] and t, with k from 0. " \
  "Names with v_ have no special meaning here: v_C can be a state. The control u can also use " \
  "xdot[k], the rate in the previous step (in the first step that of the initial state), so that " \
  "it can depend on x' without an algebraic loop."

#define DS_EXAMPLE_LTI \
  "<FirstOrderLinearTIDS id=\"lc\" states=\"v_C i_L\">\n" \
  "  <x0>10 0</x0>\n" \
  "  <A>0 -1/C; 1/L 0</A>\n" \
  "</FirstOrderLinearTIDS>"

/* ---- relations ------------------------------------------------------------------------------- */

#define STACKED \
  "X contains the states of the systems of the interaction, one after the other in the order of " \
  "the attribute systems; nQ is its length. Z contains their user vectors in the same way. R, " \
  "the input, has the order of X and is added to the right-hand side of the systems.\n\n" \
  "The systems can include Lagrangian systems and bodies in the plane: X then contains their " \
  "coordinates, and their entries of R are forces. Formulas of h and e can use any mechanical " \
  "variable as id.name, including velocities (rotor.v_phi) and angles of hinges. Such a relation " \
  "connects mechanics and circuits, with an input to each, for example a valve of a pump or a " \
  "diode of a generator."

#define NAMES_TEXT \
  "\n\n" \
  "Formulas read X as x[k], Z as z[k], lambda[k] and t. The name of a state can be used if only " \
  "one of the systems has it; id.name can always be used: gene1.x with systems=\"gene1 gene2\". " \
  "An id with braces differs in each pass of a <repeat>, and an id with - is not a name in a " \
  "formula: if a state then has no unique name, write x[k]."

#define OPERATOR(what, r, c, must, default_text, banks, how, sig, text) \
  { \
    .name = what, .type = NS_LANG_MATRIX, .required = must, .initial = default_text, .rows = r, \
    .cols = c, .uses = banks, .forms = how, .signature = sig, .first_order = 1, .example = "1", \
    .help = text \
  }

#define LINEAR_VALUES(banks, how) \
  OPERATOR("C", "m", "nQ", 1, NULL, banks, how, NS_SIG_A, "derivative of y with respect to X"), \
      OPERATOR("B", "nQ", "m", 1, NULL, banks, how, NS_SIG_A, "matrix of lambda in the input R"), \
      OPERATOR("D", "m", "m", 0, "zero", banks, how | NS_LANG_FORM_DIAG, NS_SIG_DF, \
               "derivative of y with respect to lambda"), \
      OPERATOR("F", "m", "nZ", 0, "zero", banks, how, NS_SIG_DF, \
               "derivative of y with respect to Z"), \
  { \
    .name = "e", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "m", .uses = banks, \
    .forms = how, .signature = NS_SIG_FEXT, .first_order = 1, .help = "offset of y" \
  }

#define OUTPUT(banks, sig) \
  { \
    .name = "h", .type = NS_LANG_VECTOR, .required = 1, .rows = "m", .uses = banks, \
    .forms = CALLED, .signature = sig, .first_order = 1, .example = "x[0]", \
    .help = "output y; its number of entries is m" \
  }
#define INPUT(banks, sig) \
  { \
    .name = "g", .type = NS_LANG_VECTOR, .required = 1, .rows = "nQ", .uses = banks, \
    .forms = CALLED, .signature = sig, .first_order = 1, .example = "lambda[0]", \
    .help = "input R of the systems" \
  }
#define JACOBIAN(what, f, by, r, c, banks, sig) \
  OPERATOR(what, r, c, 0, "derived from the formula of " f "; finite differences for a plug-in", \
           banks, CALLED, sig, "derivative of " f " with respect to " by)

/* ---- laws ------------------------------------------------------------------------------------ */

#define SIZE \
  { \
    .name = "size", .type = NS_LANG_INTEGER, .initial = "from the relation", \
    .range = "[1, 1000000]", .example = "1", \
    .help = "number m of rows; required if the relation consists of plug-ins " \
            "alone" \
  }

#define BOUND(what, default_text, text) \
  { \
    .name = what, .type = NS_LANG_VECTOR, .initial = default_text, .rows = "m", \
    .range = "[-inf, inf]", .uses = NS_LANG_OF_RUN, .example = default_text, .help = text \
  }

const ns_lang_element ns_lang_first_order[] = {
    {
        .name = "FirstOrderNonLinearDS",
        .group = NS_LANG_SYSTEM,
        .help = "M(t,z) x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r",
        .text = "A system of n first-order equations; r is the sum of the inputs of its "
                "interactions.\n\n" STATE_TEXT "\n\n"
                "The Jacobian of a formula f is exact.",
        .example = "<FirstOrderNonLinearDS id=\"oscillator\" states=\"x y\">\n"
                   "  <x0>2 0</x0>\n"
                   "  <f>y, mu*(1 - x^2)*y - x</f>\n"
                   "</FirstOrderNonLinearDS>",
        .attributes = LIST(ID_AND_STATES, CONTROL_SIZE),
        .values = LIST(
            INITIAL_STATE, MASS(T | Z, ANY, NS_SIG_F),
            {.name = "f",
             .type = NS_LANG_VECTOR,
             .initial = "zero",
             .rows = "n",
             .uses = T | X | Z,
             .forms = CALLED,
             .signature = NS_SIG_F,
             .first_order = 1,
             .help = "right-hand side"},
            {.name = "jacobianfx",
             .type = NS_LANG_MATRIX,
             .initial = "derived from the formula of f; finite differences for a plug-in",
             .rows = "n",
             .cols = "n",
             .uses = T | X | Z,
             .forms = CALLED,
             .signature = NS_SIG_F,
             .first_order = 1,
             .help = "derivative of f with respect to x"},
            CONTROL),
    },
    {
        .name = "FirstOrderLinearDS",
        .group = NS_LANG_SYSTEM,
        .help = "M(t,z) x' = A(t,z) x + b(t,z) + T(x,z) u(x,x',t,z) + r",
        .text = "A linear system whose matrices can depend on time and on the user vector "
                "z.\n\n" STATE_TEXT,
        .example = "<FirstOrderLinearDS id=\"lc\" states=\"v_C i_L\">\n"
                   "  <x0>0 0</x0>\n"
                   "  <A>0 -1/C; 1/L 0</A>\n"
                   "  <b>0 U*sin(omega*t)/L</b>\n"
                   "</FirstOrderLinearDS>",
        .attributes = LIST(ID_AND_STATES, CONTROL_SIZE),
        .values = LIST(INITIAL_STATE, MASS(T | Z, ANY, NS_SIG_F),
                       {.name = "A",
                        .type = NS_LANG_MATRIX,
                        .initial = "zero",
                        .rows = "n",
                        .cols = "n",
                        .uses = T | Z,
                        .forms = ANY,
                        .signature = NS_SIG_A,
                        .first_order = 1,
                        .help = "matrix of the system"},
                       {.name = "b",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .uses = T | Z,
                        .forms = VARIABLE,
                        .signature = NS_SIG_B,
                        .first_order = 1,
                        .help = "source"},
                       CONTROL),
    },
    {
        .name = "FirstOrderLinearTIDS",
        .group = NS_LANG_SYSTEM,
        .help = "M x' = A x + b(z) + r with constant M, A",
        .text = "A linear time-invariant system. A step of an implicit scheme solves one linear "
                "system, which is factorised once.",
        .example = DS_EXAMPLE_LTI,
        .attributes = LIST(ID_AND_STATES),
        .values = LIST(
            INITIAL_STATE, MASS(0, SQUARE, NS_SIG_F),
            {.name = "A",
             .type = NS_LANG_MATRIX,
             .initial = "zero",
             .rows = "n",
             .cols = "n",
             .forms = SQUARE,
             .help = "matrix of the system"},
            {.name = "b",
             .type = NS_LANG_VECTOR,
             .initial = "zero",
             .rows = "n",
             .uses = Z,
             .forms = FIXED,
             .first_order = 1,
             .help = "source; entries of z that a <control> writes are constant between samples"}),
    },
    {
        .name = "FirstOrderLinearTIR",
        .group = NS_LANG_RELATION,
        .help = "y = C X + D lambda + e + F Z, R = B lambda with constant operators",
        .text = STACKED "\n\nm is the number of rows of C.",
        .example = "<FirstOrderLinearTIR><C>-1 0</C><B>1/C; 0</B><D>R</D></FirstOrderLinearTIR>",
        .values = LIST(LINEAR_VALUES(0, FIXED)),
    },
    {
        .name = "FirstOrderLinearR",
        .group = NS_LANG_RELATION,
        .help = "y = C X + D lambda + e + F Z, R = B lambda with operators of t and Z",
        .text = STACKED
        "\n\n"
        "The operators can depend on t and z[k]. m is the number of rows of the first of C, B (its "
        "columns), D, F, e that is not a plug-in; if all are plug-ins, m is the size of the law.",
        .example = "<FirstOrderLinearR><C>1</C><B>1</B><e>-a*sin(omega*t)</e></FirstOrderLinearR>",
        .values = LIST(LINEAR_VALUES(T | Z, VARIABLE)),
    },
    {
        .name = "FirstOrderNonLinearR",
        .group = NS_LANG_RELATION,
        .help = "y = h(X,t,lambda,Z), R = g(X,t,lambda,Z)",
        .text = STACKED NAMES_TEXT "\n\n"
                                   "Jacobians of formulas are exact. m is the number of entries of "
                                   "h, or the size of the law if h is a plug-in.",
        .example = "<FirstOrderNonLinearR><h>x[0]^2 - "
                   "lambda[0]</h><g>x[0]*lambda[0]</g></FirstOrderNonLinearR>",
        .values = LIST(
            OUTPUT(T | X | LAMBDA | Z, NS_SIG_HG), INPUT(T | X | LAMBDA | Z, NS_SIG_G),
            JACOBIAN("jachx", "h", "X", "m", "nQ", T | X | LAMBDA | Z, NS_SIG_HG),
            JACOBIAN("jachlambda", "h", "lambda", "m", "m", T | X | LAMBDA | Z, NS_SIG_HG),
            JACOBIAN("jacgx", "g", "X", "nQ", "nQ", T | X | LAMBDA | Z, NS_SIG_G),
            JACOBIAN("jacglambda", "g", "lambda", "nQ", "m", T | X | LAMBDA | Z, NS_SIG_G)),
    },
    {
        .name = "FirstOrderType1R",
        .group = NS_LANG_RELATION,
        .help = "y = h(X), R = g(lambda)",
        .text = STACKED NAMES_TEXT
        "\n\n"
        "Formulas can also use t and z[k]; h cannot use lambda, and g cannot use X. m is the "
        "number of entries of h, or the size of the law if h is a plug-in.",
        .example =
            "<FirstOrderType1R><h>x[0] - x[1]</h><g>-lambda[0] lambda[0]</g></FirstOrderType1R>",
        .values = LIST(OUTPUT(T | X | Z, NS_SIG_H1), INPUT(T | LAMBDA | Z, NS_SIG_G1),
                       JACOBIAN("jachx", "h", "X", "m", "nQ", T | X | Z, NS_SIG_H1),
                       JACOBIAN("jacglambda", "g", "lambda", "nQ", "m", T | LAMBDA | Z, NS_SIG_G1)),
    },
    {
        .name = "FirstOrderType2R",
        .group = NS_LANG_RELATION,
        .help = "y = h(X,lambda), R = g(lambda)",
        .text = STACKED NAMES_TEXT
        "\n\n"
        "Formulas can also use t and z[k]; g cannot use X. m is the number of entries of h, or the "
        "size of the law if h is a plug-in.",
        .example = "<FirstOrderType2R><h>theta - x[0]</h><g>k1*lambda[0]</g></FirstOrderType2R>",
        .values = LIST(
            OUTPUT(T | X | LAMBDA | Z, NS_SIG_H2), INPUT(T | LAMBDA | Z, NS_SIG_G2),
            JACOBIAN("jachx", "h", "X", "m", "nQ", T | X | LAMBDA | Z, NS_SIG_JH2),
            JACOBIAN("jachlambda", "h", "lambda", "m", "m", T | X | LAMBDA | Z, NS_SIG_JH2),
            JACOBIAN("jacglambda", "g", "lambda", "nQ", "m", T | LAMBDA | Z, NS_SIG_JG2)),
    },
    {
        .name = "ComplementarityConditionNSL",
        .group = NS_LANG_LAW,
        .help = "0 <= y _|_ lambda >= 0 in each row",
        .text = "An ideal diode, a one-sided constraint of a first-order system; in mechanics a "
                "compliant contact (LagrangianCompliantR, LagrangianCompliantLinearTIR). For a "
                "rigid contact use <NewtonImpactNSL>.",
        .example = "<ComplementarityConditionNSL/>",
        .attributes = LIST(SIZE),
    },
    {
        .name = "MixedComplementarityConditionNSL",
        .group = NS_LANG_LAW,
        .help = "y = 0, lambda free in the first rows; 0 <= y _|_ lambda >= 0 in the others",
        .example = "<MixedComplementarityConditionNSL equalitySize=\"1\"/>",
        .attributes = LIST({.name = "equalitySize",
                            .type = NS_LANG_INTEGER,
                            .required = 1,
                            .range = "[0, 1000000]",
                            .example = "1",
                            .help = "number of equalities, the first rows"},
                           SIZE),
    },
    {
        .name = "EqualityConditionNSL",
        .group = NS_LANG_LAW,
        .help = "y = 0, lambda free in each row",
        .text = "An algebraic equation with its unknown lambda; in mechanics a joint or another "
                "bilateral constraint, which velocity-level schemes impose as ydot = 0.",
        .example = "<EqualityConditionNSL/>",
        .attributes = LIST(SIZE),
    },
    {
        .name = "RelayNSL",
        .group = NS_LANG_LAW,
        .help = "y > 0: lambda = lb, y < 0: lambda = ub, y = 0: lambda in [lb, ub]",
        .text =
            "In each row -y lies in the normal cone of [lb, ub] at lambda. With the defaults "
            "lambda is -sgn(y), set-valued at 0: x' = -c sgn(x) is C = 1, B = c. For a step from 1 "
            "to 0 at y = 0 use lb = 0, ub = 1. With a term D > 0 of the relation the jump becomes "
            "a slope: lambda = -y0/D, limited by the bounds.\n\n"
            "A bound is one number for all rows, or one for each row; inf and -inf are allowed.\n\n"
            "With norm=\"euclidean\" the rows are one vector: |lambda| <= ub, and lambda = -ub "
            "y/|y| where y is not zero: dry friction without a preferred direction.\n\n"
            "In mechanics y is the velocity ydot: bounds of mu*N are dry friction under a known "
            "normal force N. A relay is active in every step. Siconos 4 can omit it in a step "
            "because of its test of gaps, and its guide states the opposite sign of lambda.",
        .example = "<RelayNSL lb=\"0\" ub=\"1\"/>",
        .attributes = LIST(
            BOUND("lb", "-1", "lower bound of lambda"), BOUND("ub", "1", "upper bound of lambda"),
            SIZE,
            {.name = "bounds",
             .type = NS_LANG_ENUM,
             .initial = "force",
             .choices = "force impulse",
             .help = "in mechanics: bounds are forces in N, or impulses of a step "
                     "in N s as in Siconos"},
            {.name = "norm",
             .type = NS_LANG_ENUM,
             .initial = "max",
             .choices = "max euclidean",
             .help = "max: each row has its own bounds; euclidean: for friction of a ball joint in "
                     "all directions, the norm of lambda is at most ub, with lb = -ub"}),
    },
    {
        .name = "NormalConeNSL",
        .group = NS_LANG_LAW,
        .help = "-y in the normal cone at lambda of { H lambda >= k }",
        .text = "lambda lies in a polyhedron of p half-spaces: y = H^T mu with 0 <= mu _|_ H "
                "lambda - k >= 0.\n\n"
                "In mechanics y is the velocity ydot of the relation, of a compliant relation its "
                "position, and lambda is a force: friction, or a force of plastic flow, whose "
                "bounds couple several directions. Results then contain this y, and the force as "
                "lambda.\n\n"
                "In mechanics, in models of several kinds of systems and in event-driven runs the "
                "multipliers mu of the faces are unknowns, too: results have p more rows, with y = "
                "H lambda - k and lambda = mu. The events are those at which a face becomes active "
                "or inactive.",
        .example = "<NormalConeNSL>\n"
                   "  <H>1 0; -1 0; 0 1; -1 -1</H>\n"
                   "  <k>-1 -1 -1 -1.5</k>\n"
                   "</NormalConeNSL>",
        .values = LIST({.name = "H",
                        .type = NS_LANG_MATRIX,
                        .required = 1,
                        .rows = "p",
                        .cols = "m",
                        .forms = FIXED,
                        .example = "1",
                        .help = "inner normals of the half-spaces, one per row"},
                       {.name = "k",
                        .type = NS_LANG_VECTOR,
                        .required = 1,
                        .rows = "p",
                        .forms = FIXED,
                        .example = "0",
                        .help = "right-hand sides of the half-spaces"}),
    },
    {
        .name = "PiecewiseLinearNSL",
        .group = NS_LANG_LAW,
        .help = "lambda = phi(y) in each row, phi through points",
        .text = "phi is linear between points, with the slopes left before the first and right "
                "after the last point. Points are in ascending order of y; two points with the "
                "same y are a jump, at which lambda can have any value between them. A slope of "
                "inf limits y.\n\n"
                "The law requires a FirstOrderLinearTIR, a LagrangianLinearTIR or a "
                "LagrangianCompliantLinearTIR and is composed of relays: each row of y becomes one "
                "row for each inclined or vertical piece of phi,\n\n"
                "  y_i = s (y0 - y) + d lambda_i,  lambda_i between 0 and rise\n"
                "  d = run/|rise|,  s = sign of rise\n\n"
                "where y0 is the beginning of the piece, and phi is the sum of the lambda_i. "
                "Results therefore have one lambda for each piece. If the points do not begin at "
                "0, the first piece is shifted by that value.\n\n"
                "As with friction, an increasing phi opposes the motion if B has the sign of -C^T: "
                "a step then has a unique solution; otherwise it can have several.\n\n"
                "In mechanics y is the velocity ydot of the relation and lambda a force: a damper, "
                "or dry friction that depends on the velocity. Of a compliant relation y is the "
                "position: a spring with slack or stops. Because lambda acts as H^T lambda, a "
                "decreasing phi opposes the motion. Results contain this y, and the force as "
                "lambda.",
        .example = "<PiecewiseLinearNSL left=\"1\" right=\"1\"><points>-1 -1; 0 -1; 0 1; 1 "
                   "1</points></PiecewiseLinearNSL>",
        .attributes = LIST({.name = "left",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .range = "[-inf, inf]",
                            .example = "1",
                            .help = "slope before the first point"},
                           {.name = "right",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .range = "[-inf, inf]",
                            .example = "1",
                            .help = "slope after the last point"}),
        .values = LIST({.name = "points",
                        .type = NS_LANG_MATRIX,
                        .required = 1,
                        .rows = "p",
                        .cols = "2",
                        .forms = FIXED,
                        .example = "-1 -1; 1 1",
                        .help = "pairs y, lambda in ascending order of y"}),
    },
    {0},
};
