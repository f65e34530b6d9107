/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_mechanics.c -- rows of the language table: systems, relations and laws. */
#include "model/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }

#define T (1u << NS_BANK_T)
#define Q (1u << NS_BANK_Q)
#define V (1u << NS_BANK_V)
#define Z (1u << NS_BANK_Z)
#define FIXED (NS_LANG_FORM_TEXT | NS_LANG_FORM_FILE)
#define SQUARE (FIXED | NS_LANG_FORM_DIAG)
#define CALLED (NS_LANG_FORM_TEXT | NS_LANG_FORM_PLUGIN)

#define SYSTEM_ATTRIBUTES                                                                                \
  LIST({.name = "id", .type = NS_LANG_ID, .required = 1, .example = "ball",                              \
        .help = "name, unique among systems and interactions"},                                          \
       {.name = "coordinates", .type = NS_LANG_NAMES, .initial = "q[0] q[1] ...", .example = "x y phi", \
        .help = "names of the n coordinates; x makes v_x the name of its velocity"},                     \
       {.name = "inputs", .type = NS_LANG_NAMES, .initial = "z[0] z[1] ...", .example = "u",             \
        .help = "names of the entries of the user vector z, zero at first where there is no <z>"})

#define INITIAL_STATE                                                                              \
  {.name = "q0", .type = NS_LANG_VECTOR, .required = 1, .rows = "n", .forms = FIXED,              \
   .example = "0 0", .help = "initial coordinates; their number is n"},                            \
  {.name = "v0", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n", .forms = FIXED,          \
   .help = "initial velocities"},                                                                  \
  {.name = "z", .type = NS_LANG_VECTOR, .initial = "none; zero where inputs names its entries", .rows = "nz", .forms = FIXED,          \
   .help = "user vector: numbers that formulas read as z[0], z[1], ... and plug-ins may change"}

#define EXTERNAL_FORCE                                                                             \
  {.name = "fExt", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n", .uses = T | Z,         \
   .forms = CALLED | NS_LANG_FORM_FILE, .signature = NS_SIG_FEXT,                                  \
   .help = "external force, on the right-hand side; of time, not of the state"}

#define JACOBIAN(what, f, by, banks, sig)                                                         \
  {.name = what, .type = NS_LANG_MATRIX, .initial = "derived from the formula of " f "; differenced for a plug-in", \
   .rows = "n", .cols = "n", .uses = banks, .forms = CALLED, .signature = sig,                     \
   .help = "derivative of " f " by " by}

const ns_lang_element ns_lang_mechanics[] = {
    {
        .name = "LagrangianDS",
        .group = NS_LANG_SYSTEM,
        .help = "M(q,z) dv + (fGyr(q,v,z) + fInt(t,q,v,z)) dt = fExt(t,z) dt + dr",
        .text = "A Lagrangian system with n coordinates q, velocities v = dq/dt and contact impulses dr. "
                "Mind the signs: fInt and fGyr stand on the left. A spring that pulls back is "
                "<fInt>k*x</fInt>.\n\n"
                "Formulas may use the names of the coordinates (x), of their velocities (v_x), and "
                "always q[k], v[k], z[k] with k from 0. Jacobians of formulas are derived exactly.",
        .example = "<LagrangianDS id=\"pendulum\" coordinates=\"phi\">\n"
                   "  <q0>pi/2</q0>\n"
                   "  <mass>m*l^2</mass>\n"
                   "  <fInt>m*g*l*sin(phi) + c*v_phi</fInt>\n"
                   "</LagrangianDS>",
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass", .type = NS_LANG_MATRIX, .initial = "identity", .rows = "n", .cols = "n",
                        .uses = Q | Z, .forms = SQUARE | NS_LANG_FORM_PLUGIN, .signature = NS_SIG_MASS,
                        .help = "mass matrix, symmetric positive definite"},
                       {.name = "fInt", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n",
                        .uses = T | Q | V | Z, .forms = CALLED, .signature = NS_SIG_FINT,
                        .help = "internal force, on the left-hand side"},
                       {.name = "fGyr", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n",
                        .uses = Q | V | Z, .forms = CALLED, .signature = NS_SIG_FGYR,
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
        .text = "A linear time-invariant Lagrangian system. One step of an implicit scheme needs one "
                "linear system, factorised once.",
        .example = "<LagrangianLinearTIDS id=\"ball\" coordinates=\"x y phi\">\n"
                   "  <q0>1 0 0</q0>\n"
                   "  <mass diag=\"m m 2/5*m*R^2\"/>\n"
                   "  <fExt>-m*g 0 0</fExt>\n"
                   "</LagrangianLinearTIDS>",
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass", .type = NS_LANG_MATRIX, .initial = "identity", .rows = "n", .cols = "n",
                        .forms = SQUARE, .help = "mass matrix, symmetric positive definite"},
                       {.name = "K", .type = NS_LANG_MATRIX, .initial = "zero", .rows = "n", .cols = "n",
                        .forms = SQUARE, .help = "stiffness matrix"},
                       {.name = "C", .type = NS_LANG_MATRIX, .initial = "zero", .rows = "n", .cols = "n",
                        .forms = SQUARE, .help = "damping matrix"},
                       EXTERNAL_FORCE),
    },
    {
        .name = "LagrangianLinearDiagonalDS",
        .group = NS_LANG_SYSTEM,
        .help = "M dv + (C v + K q) dt = fExt(t,z) dt + dr with diagonal M, C, K",
        .text = "As LagrangianLinearTIDS, but mass, K and C are vectors: the diagonals of the matrices.",
        .example = "<LagrangianLinearDiagonalDS id=\"modes\">\n"
                   "  <q0>0 0</q0>\n"
                   "  <mass>m m</mass>\n"
                   "  <K>k 4*k</K>\n"
                   "</LagrangianLinearDiagonalDS>",
        .attributes = SYSTEM_ATTRIBUTES,
        .values = LIST(INITIAL_STATE,
                       {.name = "mass", .type = NS_LANG_VECTOR, .initial = "ones", .rows = "n",
                        .forms = FIXED, .help = "diagonal of the mass matrix, positive"},
                       {.name = "K", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n",
                        .forms = FIXED, .help = "diagonal of the stiffness matrix"},
                       {.name = "C", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "n",
                        .forms = FIXED, .help = "diagonal of the damping matrix"},
                       EXTERNAL_FORCE),
    },
    {
        .name = "LagrangianLinearTIR",
        .group = NS_LANG_RELATION,
        .help = "y = H Q + e + F Z, ydot = H V; impulses act as H^T lambda",
        .text = "A linear time-invariant relation between the coordinates Q of the systems of the "
                "interaction and m gaps y. y >= 0 is open; a positive lambda pushes the systems apart. "
                "The number of rows of H is m, it has a column for each entry of Q.",
        .example = "<LagrangianLinearTIR><H>1 0 0</H><e>-R</e></LagrangianLinearTIR>",
        .values = LIST({.name = "H", .type = NS_LANG_MATRIX, .required = 1, .rows = "m", .cols = "nQ",
                        .forms = FIXED, .example = "1 0 0", .help = "derivative of the gaps by Q"},
                       {.name = "e", .type = NS_LANG_VECTOR, .initial = "zero", .rows = "m",
                        .forms = FIXED, .help = "gaps at Q = 0"},
                       {.name = "F", .type = NS_LANG_MATRIX, .initial = "zero", .rows = "m", .cols = "nZ",
                        .forms = FIXED,
                        .help = "effect of Z, the user vectors z of the systems one after the other"}),
    },
    {
        .name = "NewtonImpactNSL",
        .group = NS_LANG_LAW,
        .help = "0 <= ydot+ + e ydot- _|_ lambda >= 0 while in contact",
        .text = "Newton's impact law: a contact that closes with velocity ydot- < 0 opens with -e ydot-. "
                "Where the relation has several rows, the law acts on each of them independently.",
        .example = "<NewtonImpactNSL e=\"0.9\"/>",
        .attributes = LIST({.name = "e", .type = NS_LANG_REAL, .required = 1, .range = "[0, 1]", .example = "0.9",
                            .help = "coefficient of restitution"}),
    },
    {0},
};
