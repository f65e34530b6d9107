/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_schemes.c -- rows of the language table: strategies, integrators, one-step problems.
 * The defaults are those of ns_simulation_defaults(); tests/io/test_language.c holds them together.
 */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }
#define CHILDREN(...) (const ns_lang_child[]) { __VA_ARGS__, { 0 } }

#define BOX_TOLERANCE .initial = "1e-10", .help = "accepted residual"
#define FRICTION_TOLERANCE \
  .example = "1e-8", .help = "accepted residual; without it 1e-10, and 1e-4 of problems with " \
    "more than 200 contacts with friction"

/* Tolerance: its default and help. */
#define PROBLEM_ATTRIBUTE_ROWS(...) \
  {.name = "solver", .type = NS_LANG_TEXT, .initial = "auto", .example = "auto", \
       .help = "name of the solver, or Library:function of a plug-in that has one " \
         "(nssim-plugin(7))"}, \
       {.name = "tolerance", .type = NS_LANG_REAL, .range = "(0, inf)", __VA_ARGS__}, \
       {.name = "onUnsolved", .type = NS_LANG_ENUM, .initial = "stop", .choices = "stop accept", \
       .help = "what a step does that is not solved to the tolerances, of the problem or of " \
         "Newton's method: the run stops, or goes on with " \
               "what was reached up to unsolvedBound; such steps are counted and told at the " \
                 "end"}, \
       {.name = "unsolvedBound", .type = NS_LANG_REAL, .initial = "1e-3", .range = "(0, inf)", \
       .help = "largest residual that onUnsolved=\"accept\" accepts, of a problem, or relative " \
         "of Newton's method"}, \
       {.name = "maxIterations", .type = NS_LANG_INTEGER, .initial = "0", \
       .range = "[0, 2147483647]", .help = "most iterations; 0: the solver's own bound"}, \
       {.name = "omega", .type = NS_LANG_REAL, .initial = "1", .range = "(0, 2)", \
       .help = "relaxation of iterative solvers"}, \
       {.name = "storage", .type = NS_LANG_ENUM, .initial = "auto", \
         .choices = "auto dense sparse", \
       .help = "how the matrix is kept"}
#define PROBLEM_ATTRIBUTES LIST(PROBLEM_ATTRIBUTE_ROWS(BOX_TOLERANCE))

#define FRICTION_ATTRIBUTES \
  LIST(PROBLEM_ATTRIBUTE_ROWS(FRICTION_TOLERANCE), \
       {.name = "contactSolver", .type = NS_LANG_ENUM, .initial = "auto", \
       .choices = "auto quartic alart-curnier jean-moreau projection", \
       .help = "how nsgs, and auto where it sweeps, solve one contact: by exact cases; the same " \
         "with the slip as root of a " \
               "quartic; by a Newton method, of Alart and Curnier or of Jean and Moreau; by " \
                 "projections on the cone"}, \
       {.name = "threads", .type = NS_LANG_INTEGER, .initial = "1", .range = "[1, 1024]", \
       .help = "threads of sweeps over many contacts, and of finding those between shapes; " \
         "results have the same bytes whatever their " \
               "number; --threads in its place"})

#define MOREAU_JEAN_ATTRIBUTES \
  {.name = "theta", .type = NS_LANG_REAL, .initial = "0.5", .range = "[0, 1]", \
    .help = "weight of the end of the step"}, \
      {.name = "gamma", .type = NS_LANG_REAL, .initial = "0.5", .range = "[0, 1]", \
       .help = "how far the gap is extrapolated, in steps"}, \
      {.name = "massGamma", .type = NS_LANG_REAL, .initial = "0.5", .range = "[0, 1]", \
       .help = "where a mass that depends on q is taken: q_k + massGamma (q_k+1 - q_k); 0.5 " \
               "keeps the second order, 1 is what Siconos 4 does (first order)"}, \
      {.name = "rowsGamma", .type = NS_LANG_REAL, .initial = "theta", .range = "[0, 1]", \
       .word = "theta", \
       .help = "impulses of joints and lasting contacts act along the rows H_k + rowsGamma " \
               "(H_k+1 - H_k), while their laws hold along those of the end: 0.5 keeps the " \
               "second order, 1 is what Siconos 4 does (first order)"}

#define OF_SYSTEMS \
  {.name = "systems", .type = NS_LANG_IDS, .example = "drive", \
       .help = "ids of the systems that it integrates, where there are several integrators; " \
         "without it those of its kind that no other one " \
               "names"}

#define PROJECTION_ATTRIBUTES \
  OF_SYSTEMS, {.name = "tolerance", .type = NS_LANG_REAL, .initial = "1e-8", \
    .range = "(0, inf)", .unit = "m", \
   .help = "how far gaps may be violated after the projection"}, \
      {.name = "equalityTolerance", .type = NS_LANG_REAL, .initial = "1e-8", \
        .range = "(0, inf)", .unit = "m", \
       .help = "the same for equalities"}, \
      {.name = "maxProjections", .type = NS_LANG_INTEGER, .initial = "50", \
        .range = "[1, 1000000]", \
       .help = "most passes in a step; beyond it the run fails"}, \
      {.name = "metric", .type = NS_LANG_ENUM, .initial = "mass", .choices = "mass identity", \
       .help = "what is smallest in a projection: the change of position measured by the mass, " \
         "or by the identity, which Siconos " \
               "4 takes (its results differ where coordinates of one constraint differ in mass)"}

const ns_lang_element ns_lang_schemes[] = {
    {
        .name = "TimeStepping",
        .group = NS_LANG_STRATEGY,
        .help = "event-capturing: steps of fixed length, impacts inside them",
        .text =
            "One step: free motion, one-step problem for the impulses, update; for nonlinear "
            "systems inside a Newton loop that ends when the residual r of every system fulfils\n\n"
            "  |r| <= newtonTolerance + newtonRelativeTolerance * (|impulses| + |h forces|).\n\n"
            "For first-order systems |M (x+ - x)| + |h f| + |h r| stands in the place of the sum "
            "in brackets, and newtonTolerance is in units of M x; the outputs y and inputs R of "
            "nonlinear relations are tested in the same way, each against its own size.\n\n"
            "When all systems and relations are linear there is exactly one pass, without a "
            "test.\n\n"
            "newtonCriterion=\"absolute\" is the test of Siconos 4 for mechanics: |r| <= "
            "newtonTolerance in the 2-norm of each system, with the impulses as the rows of the "
            "last pass gave them; the rows of nonlinear relations are not tested. What is left "
            "decides in which step an impact falls, so that its trajectories are met by the same "
            "test alone: see models/slider-crank.",
        .example = "<TimeStepping h=\"1e-3\"><MoreauJeanOSI theta=\"0.5\"/><LCP/></TimeStepping>",
        .attributes = LIST({.name = "h",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .unit = "s",
                            .example = "1e-3",
                            .help = "step"},
                           {.name = "newtonTolerance",
                            .type = NS_LANG_REAL,
                            .initial = "1e-13",
                            .range = "[0, inf)",
                            .unit = "N s",
                            .help = "absolute tolerance of the Newton loop"},
                           {.name = "newtonRelativeTolerance",
                            .type = NS_LANG_REAL,
                            .initial = "1e-10",
                            .range = "[0, inf)",
                            .help = "relative tolerance of the Newton loop"},
                           {.name = "newtonMaxIterations",
                            .type = NS_LANG_INTEGER,
                            .initial = "50",
                            .range = "[1, 1000000]",
                            .help = "most Newton iterations in a step; beyond it the run fails"},
                           {.name = "newtonOption",
                            .type = NS_LANG_ENUM,
                            .initial = "nonlinear",
                            .choices = "nonlinear linear",
                            .help = "linear: one pass without a test, also for nonlinear systems"},
                           {.name = "newtonCriterion",
                            .type = NS_LANG_ENUM,
                            .initial = "scaled",
                            .choices = "scaled absolute",
                            .help = "absolute: |r| <= newtonTolerance ends the Newton loop"}),
        .children = CHILDREN({NULL, NS_LANG_INTEGRATOR, 1, NS_LANG_MANY},
                             {NULL, NS_LANG_PROBLEM, 0, 1}),
    },
    {
        .name = "MoreauJeanOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "theta scheme of Moreau and Jean for velocities and impulses",
        .text =
            "M (v+ - v) = h (theta F+ + (1-theta) F) + impulses, q+ = q + h (theta v+ + (1-theta) "
            "v). A row of an interaction takes part in a step when y + gamma h ydot <= "
            "activationThreshold. Equalities, relays and compliant relations always do. A Newton "
            "loop that does not converge is an error; Siconos 4 warns and goes on.\n\n"
            "theta = 0.5 conserves energy in smooth motion and is right for e = 1; theta = 1 "
            "damps. It is of second order while contacts last, too: with rows of one instant for "
            "law and impulse a body on a curved path loses h/2 lambda . dH/dt v of its power. What "
            "that "
            "damps, with theta = 1 or rowsGamma = 1, as pins in bearings of small clearance, "
            "swings with 0.5. Impacts with restitution e dissipate for 0.5 <= theta <= 1/(1+e).\n\n"
            "Siconos 4 takes a mass that depends on q at the end of the step (massGamma = 1): that "
            "is of first order, and changes the energy by -h/2 v^T (dM/dt) a in a unit of time, "
            "0.13 J of 7.5 J in 0.2 s of models/slider-crank.\n\n"
            "Linear systems of more than 24 coordinates whose mass, damping and stiffness are "
            "mostly zero keep them as sparse rows, factored once: a bar of a thousand elements as "
            "one system costs what its entries cost, not their square. nssim check tells such "
            "systems from dense ones.",
        .example = "<MoreauJeanOSI theta=\"0.5\" gamma=\"0.5\"/>",
        .attributes = LIST(MOREAU_JEAN_ATTRIBUTES,
                           {.name = "activationThreshold",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .unit = "m",
                            .help = "extrapolated gap at which contact begins"},
                           {.name = "velocityThreshold",
                            .type = NS_LANG_REAL,
                            .initial = "none",
                            .word = "none",
                            .unit = "m/s",
                            .help = "also require ydot <= this; none: no such test"},
                           OF_SYSTEMS),
    },
    {
        .name = "MoreauJeanGOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean for large sparse systems",
        .text =
            "The same scheme, the same kernels and the same results as MoreauJeanOSI. Where the "
            "Delassus operator would have more entries than the model itself, many contacts on a "
            "large sparse system, velocities and impulses are solved for together, without forming "
            "it: a string of 1000 masses above a floor under each takes 0.3 s in the place of 7, "
            "and one that slides on it with friction 0.5 s in the place of 13. nssim check tells "
            "(storage unreduced). That is for linear systems and relations with unilateral laws, "
            "friction, equalities and relays, and the solver auto: an active set on sparse "
            "factors, with friction a nonsmooth Newton method, and ADMM where that stalls. "
            "Nonlinear systems, prescribed velocities and solvers by name are reduced by the "
            "factor of the iteration matrix, which is sparse where the system is. Siconos 4 leaves "
            "dh/dt out of rheonomous relations in this scheme; it is here.",
        .example = "<MoreauJeanGOSI theta=\"0.5\"/>",
        .attributes = LIST(MOREAU_JEAN_ATTRIBUTES,
                           {.name = "activationThreshold",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .unit = "m",
                            .help = "extrapolated gap at which contact begins"},
                           {.name = "velocityThreshold",
                            .type = NS_LANG_REAL,
                            .initial = "none",
                            .word = "none",
                            .unit = "m/s",
                            .help = "also require ydot <= this; none: no such test"}),
    },
    {
        .name = "MoreauJeanDirectProjectionOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean, then positions are brought back to active contacts",
        .text = "A velocity-level scheme keeps the depth at which a contact began, and equalities "
                "drift. After each velocity step positions move to 0 <= y in the active rows and "
                "to y = 0 in equalities; velocities stay. A row takes part in a step when y + "
                "gamma h ydot <= activationThreshold at the projected positions, so a body that "
                "has come to y = 0 and moves away flies. Positions are known to `tolerance`: gaps "
                "are closed to within it, so that rounding, or an origin elsewhere, decides "
                "nothing as long as it is below `tolerance`.\n\n"
                "A body that comes to rest with e > 0 hops below the speed of one step, 2 h |F/M|, "
                "because a contact at y = 0 that leaves is not active: the published scheme does "
                "so too. With `activation` above h^2 |F/M| (and e <= 0.5) a contact that was "
                "loaded stays active up to that gap, and the body rests there: while it moves away "
                "its impulse takes speed from it, u+ >= -e u; MoreauJeanOSI and the combined "
                "projection come to rest.\n\n"
                "What projections do to the energy is in the energy defect of the result. By the "
                "mass, positions move by W^-1 H^T L; Siconos 4 with that metric changes the matrix "
                "and still moves by H^T L, and its default is the identity.",
        .example = "<MoreauJeanDirectProjectionOSI tolerance=\"1e-10\"/>",
        .attributes = LIST(
            MOREAU_JEAN_ATTRIBUTES, PROJECTION_ATTRIBUTES,
            {.name = "activationThreshold",
             .type = NS_LANG_REAL,
             .initial = "0",
             .unit = "m",
             .help = "extrapolated gap at which contact begins"},
            {.name = "velocityThreshold",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .unit = "m/s",
             .help = "also require ydot <= this; none: no such test"},
            {.name = "activation",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "m",
             .help = "gap up to which a loaded contact stays active; 0: the rule alone"}),
    },
    {
        .name = "MoreauJeanCombinedProjectionOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean, active are the contacts that a step would violate; "
                "positions are brought onto them",
        .text =
            "Each step begins without contacts (equalities apart), is done, and is done again with "
            "every contact that ended at y <= 0, until none joins. Where y = 0 to within "
            "`tolerance` a contact that was closed at the begin of the step joins and one that was "
            "open does not, so that rounding, or an origin elsewhere, decides nothing as long as "
            "it is below `tolerance`. Positions of loaded contacts are brought to y = 0 from "
            "either side: a ball that rebounds within the step ends it on the ground.\n\n"
            "gamma is of the forecast of the other schemes and has to be left out. The time of an "
            "impact is known to a step, as in MoreauJeanOSI, but nothing penetrates by more than "
            "the tolerance. A contact of the set that carries nothing and is not violated stays "
            "where it is; Siconos 4 projects it too.",
        .example = "<MoreauJeanCombinedProjectionOSI tolerance=\"1e-10\"/>",
        .attributes = LIST(MOREAU_JEAN_ATTRIBUTES, PROJECTION_ATTRIBUTES),
    },
    {
        .name = "SchatzmanPaoliOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "position-level scheme of Paoli and Schatzman for linear systems and relations",
        .text = "M (q+ - 2 q + q-) + h^2 (K q_theta + C v_theta - F_theta) = h H' P, v+ = (q+ - "
                "q-)/(2h), with 0 <= y(q+) + e y(q-) _|_ P >= 0 in every contact and every step. "
                "lambda is the impulse P in N s (published multipliers of this scheme are h P). "
                "For NewtonImpactNSL and EqualityConditionNSL.\n\n"
                "Contacts at rest do not penetrate. An impact takes two steps and is recorded as "
                "one event after the second. Velocities lag by a step. Energies are those of the "
                "half step.\n\n"
                "The matrix of the scheme holds h^2 theta K, as its equations say; Siconos 4 has "
                "h^2 theta^2 K there, so results differ where K is not zero and theta not 1.",
        .example = "<SchatzmanPaoliOSI theta=\"0.5\"/>",
        .attributes = LIST({.name = "theta",
                            .type = NS_LANG_REAL,
                            .initial = "0.5",
                            .range = "[0, 1]",
                            .help = "weight of the end of the step in forces"},
                           {.name = "start",
                            .type = NS_LANG_ENUM,
                            .initial = "acceleration",
                            .choices = "acceleration velocity",
                            .help = "position before the first: q0 - h v0 + h^2/2 a0, or q0 - h v0 "
                                    "as in Siconos 4 where v0 = 0"}),
    },
    {
        .name = "D1MinusLinearOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "half-explicit scheme of second order away from impacts",
        .text =
            "Contact forces from the accelerations at both ends of a step, or from velocities; "
            "impacts at its end. A contact that closes in a step has no force in it, but the "
            "impact's impulse. lambda is the impulse of the whole step.\n\n"
            "Explicit: stiff systems need a small h. Positions are not corrected: they may be O(h) "
            "deep after an impact and drift by O(h^2). For NewtonImpactNSL.\n\n"
            "Where a contact closes, the literature and Siconos 4 leave out the forces of all "
            "contacts in that step, so that a body at rest elsewhere rebounds; here the one that "
            "closes has none. In the acceleration variant a contact that was hit has ydot > "
            "tolerance and rebounds in each step by e h |F/M|; the velocity variant comes to rest.",
        .example = "<D1MinusLinearOSI variant=\"acceleration\"/>",
        .attributes = LIST({.name = "variant",
                            .type = NS_LANG_ENUM,
                            .initial = "acceleration",
                            .choices = "acceleration velocity",
                            .help = "what contact forces are computed from"},
                           {.name = "tolerance",
                            .type = NS_LANG_REAL,
                            .initial = "1e-8",
                            .range = "[0, inf)",
                            .help = "gaps (m) and velocities (m/s) up to it count as closed"}),
    },
    {
        .name = "EulerMoreauOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "theta-gamma scheme of Euler and Moreau for first-order systems",
        .text = "standard: M (x+ - x) = h (theta f+ + (1-theta) f) + h (gamma r+ + (1-gamma) r), "
                "relation and law at the end of the step. full: the input, the relation and the "
                "law are all taken at t + gamma h, with x + gamma (x+ - x).\n\n"
                "theta = gamma = 1 is robust: where the state slides, it stays exactly on its "
                "surface. theta = 0.5 is of second order in smooth motion.",
        .example = "<EulerMoreauOSI theta=\"0.5\"/>",
        .attributes = LIST(
            {.name = "theta",
             .type = NS_LANG_REAL,
             .initial = "1",
             .range = "[0, 1]",
             .help = "weight of the end of the step in f"},
            {.name = "gamma",
             .type = NS_LANG_REAL,
             .initial = "1",
             .range = "[0, 1]",
             .help = "weight of the end of the step in r"},
            {.name = "formulation",
             .type = NS_LANG_ENUM,
             .initial = "standard",
             .choices = "standard full",
             .help = "where relation and law are taken: at the end of the step, or at t + gamma h"},
            OF_SYSTEMS),
    },
    {
        .name = "ZeroOrderHoldOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "exact motion of linear systems with inputs held over each step",
        .text =
            "With constant M and A\n\n"
            "  x+ = exp(h M^-1 A) x + (integral of exp(s M^-1 A) over the step) M^-1 (b + T u + "
            "r+)\n\n"
            "with relation and law at the end of the step; M and A that depend on t or z are "
            "integrated over it. Held are r, T u of the begin of the step, and b(t) of its middle. "
            "What a sampled controller sees is computed without an error of the scheme.",
        .example = "<ZeroOrderHoldOSI/>",
    },
    {
        .name = "LCP",
        .group = NS_LANG_PROBLEM,
        .help = "linear complementarity problem for impulses or multipliers",
        .text = "w = M z + q, 0 <= w _|_ z >= 0. `nssim list solvers` names the solvers; auto "
                "takes one by size and structure. The residual of a solution is\n\n"
                "  max_i |min(z_i, w_i/s_i)| / (1 + max_i |q_i/s_i|) with s_i the largest entry of "
                "row i of M.",
        .example = "<LCP solver=\"lemke\" tolerance=\"1e-12\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "MLCP",
        .group = NS_LANG_PROBLEM,
        .help = "mixed linear complementarity problem: rows of an LCP and equalities",
        .text =
            "w = M z + q with w = 0 in the rows of equalities, 0 <= w _|_ z >= 0 in the others. "
            "For complementarity, mixed and equality laws, in mechanics also impact laws.",
        .example = "<MLCP solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "Relay",
        .group = NS_LANG_PROBLEM,
        .help = "problem of relays: bounds on each multiplier",
        .text = "w = M z + q, -w in the normal cone of [lb, ub] at z. For any laws but "
                "NormalConeNSL and those of friction.",
        .example = "<Relay solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "AVI",
        .group = NS_LANG_PROBLEM,
        .help = "affine variational inequality on boxes and polyhedra",
        .text = "w = M z + q, -w in the normal cone of K at z. For first-order systems with any "
                "laws; without an element of a problem nssim takes what the laws need.",
        .example = "<AVI solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "FrictionContact",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with Coulomb friction: impulses in cones",
        .text = "u = W r + q, u + mu |u_T| e_N in the dual cone, at right angles to r in the cone "
                "|r_T| <= mu r_N (De Saxce and Feng 1998). For laws of impact, with friction or "
                "without.",
        .example = "<FrictionContact solver=\"nsgs\" tolerance=\"1e-10\"/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {
        .name = "RollingFrictionContact",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with rolling friction: impulses and moments in cones",
        .text =
            "As FrictionContact, with moments |m| <= muRolling r_N that oppose relative rolling "
            "(Acary and Bourrier 2021). For laws of impact, with friction of any kind or without.",
        .example = "<RollingFrictionContact tolerance=\"1e-8\"/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {
        .name = "GenericMechanical",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with friction beside equalities, relays and compliant contacts",
        .text = "A block of one matrix for each interaction, friction or bounds. For mechanical "
                "systems with any laws; without an element of a problem nssim takes what the laws "
                "need.",
        .example = "<GenericMechanical/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {0},
};
