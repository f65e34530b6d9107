/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_schemes.c -- rows of the language table: strategies, integrators, one-step problems.
 * The defaults are those of ns_simulation_defaults(); tests/io/test_language.c holds them together.
 */
#include "model/language/language_tables.h"

#define BOX_TOLERANCE .initial = "1e-10", .help = "accepted residual"
#define FRICTION_TOLERANCE \
  .example = "1e-8", .help = "accepted residual; by default 1e-10, and 1e-4 for problems with " \
                             "more than 200 contacts with friction"

/* Tolerance: its default and help. */
#define PROBLEM_ATTRIBUTE_ROWS(...) \
  {.name = "solver", \
   .type = NS_LANG_TEXT, \
   .initial = "auto", \
   .example = "auto", \
   .help = "name of the solver, or Library:function of a plug-in (nssim-plugin(7))"}, \
      {.name = "tolerance", .type = NS_LANG_REAL, .range = "(0, inf)", __VA_ARGS__}, \
      {.name = "onUnsolved", \
       .type = NS_LANG_ENUM, \
       .initial = "stop", \
       .choices = "stop accept", \
       .help = "action if a step is not solved to the tolerances of the problem or of Newton's " \
               "method. stop: end the run; accept: continue if the residual is at most " \
               "unsolvedBound; such steps are counted and reported at the end"}, \
      {.name = "unsolvedBound", \
       .type = NS_LANG_REAL, \
       .initial = "1e-3", \
       .range = "(0, inf)", \
       .help = "largest residual that onUnsolved=\"accept\" accepts: of the problem, or the " \
               "relative one of Newton's method"}, \
      {.name = "maxIterations", \
       .type = NS_LANG_INTEGER, \
       .initial = "0", \
       .range = "[0, 2147483647]", \
       .help = "maximum number of iterations; 0: the default of the solver"}, \
      {.name = "omega", \
       .type = NS_LANG_REAL, \
       .initial = "1", \
       .range = "(0, 2)", \
       .help = "relaxation factor of iterative solvers"}, \
  { \
    .name = "storage", .type = NS_LANG_ENUM, .initial = "auto", .choices = "auto dense sparse", \
    .help = "storage of the matrix" \
  }
#define PROBLEM_ATTRIBUTES LIST(PROBLEM_ATTRIBUTE_ROWS(BOX_TOLERANCE))

#define FRICTION_ATTRIBUTES \
  LIST(PROBLEM_ATTRIBUTE_ROWS(FRICTION_TOLERANCE), \
       {.name = "contactSolver", \
        .type = NS_LANG_ENUM, \
        .initial = "auto", \
        .choices = "auto quartic alart-curnier jean-moreau projection", \
        .help = "local solver for one contact in nsgs, and in the sweeps of auto. auto: exact " \
                "case analysis, between rigid bodies in space one projected step; quartic: the " \
                "case analysis with the slip as a root of a quartic; alart-curnier, jean-moreau: " \
                "Newton's method for these formulations; projection: projections onto the cone"}, \
       {.name = "threads", \
        .type = NS_LANG_INTEGER, \
        .initial = "1", \
        .range = "[1, 1024]", \
        .help = "threads for sweeps over many contacts and for the detection of contacts between " \
                "shapes; results have the same bytes for any number; --threads overrides it"})

#define MOREAU_JEAN_ATTRIBUTES \
  {.name = "theta", \
   .type = NS_LANG_REAL, \
   .initial = "0.5", \
   .range = "[0, 1]", \
   .help = "weight of the end of the step"}, \
      {.name = "gamma", \
       .type = NS_LANG_REAL, \
       .initial = "0.5", \
       .range = "[0, 1]", \
       .help = "length of the extrapolation of the gap, in steps"}, \
      {.name = "massGamma", \
       .type = NS_LANG_REAL, \
       .initial = "0.5", \
       .range = "[0, 1]", \
       .help = "point at which a mass that depends on q is evaluated: q_k + massGamma (q_k+1 - " \
               "q_k); 0.5 is second order, 1 is the choice of Siconos 4 (first order)"}, \
  { \
    .name = "rowsGamma", .type = NS_LANG_REAL, .initial = "theta", .range = "[0, 1]", \
    .word = "theta", \
    .help = "impulses of joints and lasting contacts act along the rows H_k + rowsGamma (H_k+1 - " \
            "H_k), whereas their laws apply to the rows at the end of the step; 0.5 is second " \
            "order, 1 is the choice of Siconos 4 (first order)" \
  }

#define OF_SYSTEMS \
  { \
    .name = "systems", .type = NS_LANG_IDS, .example = "drive", \
    .help = "ids of the systems that it integrates, if there are several integrators; by default " \
            "all systems of its kind that no other integrator lists" \
  }

#define PROJECTION_ATTRIBUTES \
  OF_SYSTEMS, \
      {.name = "tolerance", \
       .type = NS_LANG_REAL, \
       .initial = "1e-8", \
       .range = "(0, inf)", \
       .unit = "m", \
       .help = "largest violation of gaps after the projection"}, \
      {.name = "equalityTolerance", \
       .type = NS_LANG_REAL, \
       .initial = "1e-8", \
       .range = "(0, inf)", \
       .unit = "m", \
       .help = "largest violation of equalities after the projection"}, \
      {.name = "maxProjections", \
       .type = NS_LANG_INTEGER, \
       .initial = "50", \
       .range = "[1, 1000000]", \
       .help = "maximum number of passes in a step; if it is exceeded, the run fails"}, \
  { \
    .name = "metric", .type = NS_LANG_ENUM, .initial = "mass", .choices = "mass identity", \
    .help = "metric of the projection: the change of position is minimal in the metric of the " \
            "mass or of the identity; Siconos 4 uses the identity (its results differ if the " \
            "coordinates of a constraint have different masses)" \
  }

const ns_lang_element ns_lang_schemes[] = {
    {
        .name = "TimeStepping",
        .group = NS_LANG_STRATEGY,
        .help = "event-capturing: steps of fixed length, impacts within steps",
        .text =
            "A step consists of the free motion, the one-step problem for the impulses, and the "
            "update. For nonlinear systems Newton's method repeats these until the residual r of "
            "every system satisfies\n\n"
            "  |r| <= newtonTolerance + newtonRelativeTolerance * (|impulses| + |h forces|).\n\n"
            "For first-order systems |M (x+ - x)| + |h f| + |h r| replaces the sum in brackets, "
            "and newtonTolerance is in units of M x; the outputs y and inputs R of nonlinear "
            "relations are tested in the same way, each relative to its own size.\n\n"
            "If newtonTolerance is not given, and momenta and impulses of a Lagrangian system, or "
            "the impulses of nonlinear relations, are less than 1e-2, its default is multiplied by "
            "their size.\n\n"
            "For rigid bodies, moments are divided by the radius of gyration k = sqrt(tr I/2m), in "
            "the plane sqrt(I/m), and newtonTolerance is multiplied by min(1, m k, 1/k), so that "
            "the motion of small bodies is as accurate as that of large ones.\n\n"
            "If all systems and relations are linear, one pass is sufficient, and there is no "
            "test.\n\n"
            "newtonCriterion=\"absolute\" is the test of Siconos 4 for mechanics: |r| <= "
            "newtonTolerance in the 2-norm of each system, with the impulses by the rows of the "
            "last pass; the rows of nonlinear relations are not tested. The remaining error "
            "determines in which step an impact occurs, so that only the same test reproduces its "
            "trajectories: see models/slider-crank.",
        .example = "<TimeStepping h=\"1e-3\"><MoreauJeanOSI theta=\"0.5\"/><LCP/></TimeStepping>",
        .attributes = LIST(
            {.name = "h",
             .type = NS_LANG_REAL,
             .required = 1,
             .range = "(0, inf)",
             .unit = "s",
             .example = "1e-3",
             .help = "length of a step"},
            {.name = "newtonTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-13",
             .range = "[0, inf)",
             .unit = "N s",
             .help = "absolute tolerance of Newton's method"},
            {.name = "newtonRelativeTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "[0, inf)",
             .help = "relative tolerance of Newton's method"},
            {.name = "newtonMaxIterations",
             .type = NS_LANG_INTEGER,
             .initial = "50",
             .range = "[1, 1000000]",
             .help =
                 "maximum number of Newton iterations in a step; if it is exceeded, the run fails"},
            {.name = "newtonOption",
             .type = NS_LANG_ENUM,
             .initial = "nonlinear",
             .choices = "nonlinear linear",
             .help = "linear: one pass without a test, also for nonlinear systems"},
            {.name = "newtonCriterion",
             .type = NS_LANG_ENUM,
             .initial = "scaled",
             .choices = "scaled absolute",
             .help = "absolute: Newton's method ends if |r| <= newtonTolerance"}),
        .children = CHILDREN({NULL, NS_LANG_INTEGRATOR, 1, NS_LANG_MANY},
                             {NULL, NS_LANG_PROBLEM, 0, 1}),
    },
    {
        .name = "MoreauJeanOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "theta scheme of Moreau and Jean for velocities and impulses",
        .text = "M (v+ - v) = h (theta F+ + (1-theta) F) + impulses, q+ = q + h (theta v+ + "
                "(1-theta) v). A row of an interaction is active in a step if y + gamma h ydot <= "
                "activationThreshold. Equalities, relays and compliant relations are always "
                "active. The run fails if Newton's method does not converge; Siconos 4 prints a "
                "warning and continues.\n\n"
                "theta = 0.5 conserves energy in smooth motion and is the right choice for e = 1; "
                "theta = 1 adds damping. With theta = 0.5 and rowsGamma = 0.5 the scheme is of "
                "order 2 also during lasting contacts: if law and impulse use the rows of the same "
                "instant, a body on a curved path loses the power h/2 lambda . dH/dt v. This "
                "dissipation, with theta = 1 or rowsGamma = 1, damps oscillations such as those of "
                "pins in bearings of small clearance, which persist with 0.5. Impacts with "
                "restitution e dissipate for 0.5 <= theta <= 1/(1+e).\n\n"
                "Siconos 4 evaluates a mass that depends on q at the end of the step (massGamma = "
                "1): this is first order and changes the energy by -h/2 v^T (dM/dt) a per unit of "
                "time. In models/slider-crank the change is 0.13 J of 7.5 J in 0.2 s.\n\n"
                "Linear systems with more than 24 coordinates store sparse mass, damping and "
                "stiffness by rows and factorise them once: the cost of a bar of a thousand "
                "elements, as one system, is proportional to the number of nonzero entries. nssim "
                "check shows which systems are sparse.",
        .example = "<MoreauJeanOSI theta=\"0.5\" gamma=\"0.5\"/>",
        .attributes = LIST(
            MOREAU_JEAN_ATTRIBUTES,
            {.name = "activationThreshold",
             .type = NS_LANG_REAL,
             .initial = "0",
             .unit = "m",
             .help = "extrapolated gap at which a contact becomes active"},
            {.name = "velocityThreshold",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .unit = "m/s",
             .help = "a contact is active only if ydot is at most this; none: no such test"},
            OF_SYSTEMS),
    },
    {
        .name = "MoreauJeanGOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean for large sparse systems",
        .text =
            "  M (v+ - v) = h (theta F+ + (1-theta) F) + H^T p, u = H v+: unknowns v+ and p in one "
            "problem\n\n"
            "The scheme and its results are those of MoreauJeanOSI. If the Delassus operator would "
            "have more entries than the model itself (many contacts on a large sparse system), "
            "velocities and impulses are computed together in saddle-point form, without this "
            "operator. A string of 1000 masses, each above a floor, then takes 0.3 s instead of 7 "
            "s; a string that slides on the floor with friction takes 0.5 s instead of 13 s. nssim "
            "check prints the form of the problem.\n\n"
            "The problems of rigid bodies, in space and in the plane, are in factored form for "
            "both schemes, which is as sparse: the Delassus operator is formed for parts of the "
            "model with few contacts or with joints alone. For rigid bodies MoreauJeanGOSI is "
            "identical to MoreauJeanOSI.\n\n"
            "For Lagrangian systems the saddle-point form is available if they and their relations "
            "are linear, with unilateral laws, friction, equalities and relays, and "
            "solver=\"auto\". The solver is an active-set method on sparse factors or, with "
            "friction, a nonsmooth Newton method, followed by ADMM if that stalls. For nonlinear "
            "systems, prescribed velocities and other solvers the problem is reduced by the "
            "factors of the iteration matrix, which are sparse if the system is. In this scheme "
            "Siconos 4 omits dh/dt of rheonomous relations; nssim includes it.",
        .example = "<MoreauJeanGOSI theta=\"0.5\"/>",
        .attributes = LIST(
            MOREAU_JEAN_ATTRIBUTES,
            {.name = "activationThreshold",
             .type = NS_LANG_REAL,
             .initial = "0",
             .unit = "m",
             .help = "extrapolated gap at which a contact becomes active"},
            {.name = "velocityThreshold",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .unit = "m/s",
             .help = "a contact is active only if ydot is at most this; none: no such test"}),
    },
    {
        .name = "MoreauJeanDirectProjectionOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean with projection of positions onto active contacts",
        .text =
            "Velocity-level schemes do not correct penetrations, and equalities drift. After each "
            "velocity step this scheme projects the positions onto 0 <= y in the active rows and y "
            "= 0 in equalities; velocities do not change. A row is active in a step if y + gamma h "
            "ydot <= activationThreshold at the projected positions, so that a body at y = 0 that "
            "moves away is free. Gaps are closed to within `tolerance`; rounding errors below "
            "`tolerance`, for example from a shifted origin, have no effect.\n\n"
            "A body that comes to rest with e > 0 continues to bounce with a speed below 2 h "
            "|F/M|, because a contact at y = 0 that opens is not active; the published scheme "
            "behaves in the same way. With `activation` above h^2 |F/M| (and e <= 0.5) a loaded "
            "contact stays active up to that gap, and the body comes to rest: while it moves away "
            "its impulse reduces the speed, u+ >= -e u. With MoreauJeanOSI and the combined "
            "projection bodies come to rest.\n\n"
            "The energy defect of the result includes the effect of projections. In the metric of "
            "the mass, positions change by W^-1 H^T L; Siconos 4 with that metric changes the "
            "matrix but still moves by H^T L, and its default is the identity.",
        .example = "<MoreauJeanDirectProjectionOSI tolerance=\"1e-10\"/>",
        .attributes = LIST(
            MOREAU_JEAN_ATTRIBUTES, PROJECTION_ATTRIBUTES,
            {.name = "activationThreshold",
             .type = NS_LANG_REAL,
             .initial = "0",
             .unit = "m",
             .help = "extrapolated gap at which a contact becomes active"},
            {.name = "velocityThreshold",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .unit = "m/s",
             .help = "a contact is active only if ydot is at most this; none: no such test"},
            {.name = "activation",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "m",
             .help = "gap up to which a loaded contact stays active; 0: only the rule above"}),
    },
    {
        .name = "MoreauJeanCombinedProjectionOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "scheme of Moreau and Jean with combined projection: the active contacts are those "
                "that the step would violate",
        .text =
            "Each step begins without active contacts (except equalities) and is repeated with "
            "every contact that ended at y <= 0, until no contact is added. If y = 0 to within "
            "`tolerance`, a contact is added if it was closed at the beginning of the step, and "
            "not if it was open; rounding errors below `tolerance`, for example from a shifted "
            "origin, have no effect. Positions of loaded contacts are projected onto y = 0 from "
            "either side: a ball that rebounds within the step is on the ground at its end.\n\n"
            "gamma, which belongs to the prediction of the other schemes, must be omitted. The "
            "time of an impact has the error of a step, as in MoreauJeanOSI, but no penetration "
            "exceeds the tolerance. An active contact without an impulse that is not violated is "
            "not projected; Siconos 4 projects it too.",
        .example = "<MoreauJeanCombinedProjectionOSI tolerance=\"1e-10\"/>",
        .attributes = LIST(MOREAU_JEAN_ATTRIBUTES, PROJECTION_ATTRIBUTES),
    },
    {
        .name = "SchatzmanPaoliOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "position-level scheme of Paoli and Schatzman for constant M, C, K",
        .text = "M (q+ - 2 q + q-) + h^2 (K q_theta + C v_theta - F_theta) = h H' P, v+ = (q+ - "
                "q-)/(2h), with 0 <= y(q+) + e y(q-) _|_ P >= 0 in every contact and every step. "
                "lambda is the impulse P in N s (published multipliers of this scheme are h P). "
                "The scheme supports NewtonImpactNSL and EqualityConditionNSL, for linear "
                "Lagrangian systems and for bodies in the plane without forces that depend on the "
                "state. A gap that is not linear has its law, and the direction of its impulse, at "
                "(q+ + e q-)/(1 + e), which Newton's method finds; the motion then has order 1. "
                "Relations that depend on time and contacts between shapes are not supported.\n\n"
                "Contacts at rest do not penetrate. An impact takes two steps and is recorded as "
                "one event after the second. Velocities lag by a step. Energies are those at the "
                "half step.\n\n"
                "The matrix of the scheme contains h^2 theta K, according to its equations. "
                "Siconos 4 has h^2 theta^2 K instead, so that results differ if K is not zero and "
                "theta is not 1.",
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
                            .help = "position one step before t0. acceleration: q0 - h v0 + h^2/2 "
                                    "a0; velocity: q0 - h v0, as in Siconos 4 with v0 = 0"}),
    },
    {
        .name = "D1MinusLinearOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "half-explicit scheme of order 2 between impacts",
        .text =
            "  v_1 = v + h a, q+ = q + h/2 (v + v_1), v- = v + h/2 (a + a_1): a and a_1 are "
            "accelerations at both ends, with contact forces\n  v+ = v- + M^-1 H^T p, 0 <= u+ + e "
            "u- _|_ p >= 0: impacts at the end\n\n"
            "Contact forces are computed from the accelerations at both ends of a step, or from "
            "velocities; impacts are at its end. A contact that closes in a step has the impulse "
            "of the impact, but no force in that step. lambda is the impulse of the whole step.\n\n"
            "The scheme is explicit: stiff systems need a small h. Positions are not corrected: "
            "the penetration is O(h) after an impact, with a drift of O(h^2). The scheme supports "
            "NewtonImpactNSL in <interaction>s of Lagrangian systems and of rigid bodies.\n\n"
            "If a contact closes, the literature and Siconos 4 omit the forces of all contacts in "
            "that step, so that a body at rest elsewhere rebounds; nssim omits only the force of "
            "the contact that closes. In the acceleration variant a contact after an impact has "
            "ydot > tolerance and rebounds in each step by e h |F/M|; in the velocity variant it "
            "comes to rest.",
        .example = "<D1MinusLinearOSI variant=\"acceleration\"/>",
        .attributes = LIST({.name = "variant",
                            .type = NS_LANG_ENUM,
                            .initial = "acceleration",
                            .choices = "acceleration velocity",
                            .help = "quantity from which contact forces are computed"},
                           {.name = "tolerance",
                            .type = NS_LANG_REAL,
                            .initial = "1e-8",
                            .range = "[0, inf)",
                            .help = "largest gap (m) and velocity (m/s) of a closed contact"}),
    },
    {
        .name = "EulerMoreauOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "theta-gamma scheme of Euler and Moreau for first-order systems",
        .text = "standard: M (x+ - x) = h (theta f+ + (1-theta) f) + h (gamma r+ + (1-gamma) r), "
                "relation and law at the end of the step. full: input, relation and law are "
                "evaluated at t + gamma h, with x + gamma (x+ - x), of all systems.\n\n"
                "theta = gamma = 1 is robust: a sliding state stays exactly on its surface. theta "
                "= 0.5 is of order 2 in smooth motion. With theta < gamma the step of a stiff "
                "passive system, as of a circuit with a large resistance at an inductor, may have "
                "no solution: use gamma = theta.",
        .example = "<EulerMoreauOSI theta=\"0.5\"/>",
        .attributes = LIST({.name = "theta",
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
                            .help = "instant at which relation and law apply: at the end of the "
                                    "step, or at t + gamma h"},
                           OF_SYSTEMS),
    },
    {
        .name = "ZeroOrderHoldOSI",
        .group = NS_LANG_INTEGRATOR,
        .help = "zero-order hold: exact motion of linear systems with constant inputs in each step",
        .text = "With constant M and A\n\n"
                "  x+ = exp(h M^-1 A) x + (integral of exp(s M^-1 A) over the step) M^-1 (b + T u "
                "+ r+)\n\n"
                "with relation and law at the end of the step; if M and A depend on t or z, they "
                "are integrated over it. In a step r, T u at its beginning, and b(t) at its middle "
                "are constant. For a sampled controller the scheme has no error at the samples. "
                "What A, b and u of the system read of other systems is that of the begin of the "
                "step.",
        .example = "<ZeroOrderHoldOSI/>",
        .attributes = LIST(OF_SYSTEMS),
    },
    {
        .name = "LCP",
        .group = NS_LANG_PROBLEM,
        .help = "linear complementarity problem for impulses or multipliers",
        .text = "w = M z + q, 0 <= w _|_ z >= 0. `nssim list solvers` lists the solvers; auto "
                "selects one by size and structure. The residual of a solution is\n\n"
                "  max_i |min(z_i, w_i/s_i)| / (c + max_i |q_i/s_i|)\n\n"
                "with s_i the largest entry of row i of M, and c = 1; if all impulses are below "
                "1e-6, c is 1e6 times the largest of them.",
        .example = "<LCP solver=\"lemke\" tolerance=\"1e-12\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "MLCP",
        .group = NS_LANG_PROBLEM,
        .help = "mixed linear complementarity problem: rows of an LCP and equalities",
        .text = "w = M z + q with w = 0 in the equality rows, 0 <= w _|_ z >= 0 in the others. "
                "Supports complementarity, mixed and equality laws, and in mechanics impact laws.",
        .example = "<MLCP solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "Relay",
        .group = NS_LANG_PROBLEM,
        .help = "relay problem: bounds on each multiplier",
        .text = "w = M z + q, -w in the normal cone of [lb, ub] at z. Supports all laws except "
                "NormalConeNSL and friction laws.",
        .example = "<Relay solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "AVI",
        .group = NS_LANG_PROBLEM,
        .help = "affine variational inequality on boxes and polyhedra",
        .text = "w = M z + q, -w in the normal cone of K at z. Supports first-order systems with "
                "any laws. If the model has no problem element, nssim selects the problem required "
                "by the laws.",
        .example = "<AVI solver=\"auto\"/>",
        .attributes = PROBLEM_ATTRIBUTES,
    },
    {
        .name = "FrictionContact",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with Coulomb friction: impulses in cones",
        .text =
            "u = W r + q, u + mu |u_T| e_N in the dual cone, orthogonal to r in the cone |r_T| <= "
            "mu r_N (De Saxce and Feng 1998). Supports impact laws, with or without friction. Of "
            "several solutions, solver=\"auto\" prefers the one in which what was at rest stays at "
            "rest: see NewtonImpactFrictionNSL.",
        .example = "<FrictionContact solver=\"nsgs\" tolerance=\"1e-10\"/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {
        .name = "RollingFrictionContact",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with rolling friction: impulses and moments in cones",
        .text = "As FrictionContact, with moments |m| <= muRolling r_N that oppose relative "
                "rolling (Acary and Bourrier 2021). Supports impact laws, with any kind of "
                "friction or without friction.",
        .example = "<RollingFrictionContact tolerance=\"1e-8\"/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {
        .name = "GenericMechanical",
        .group = NS_LANG_PROBLEM,
        .help = "contacts with friction combined with equalities, relays and compliant contacts",
        .text = "  u = W r + q, with the law of each interaction between its rows of u and r\n\n"
                "The problem has one matrix with a block for each interaction, with friction or "
                "bounds. Supports mechanical systems with any laws. If the model has no problem "
                "element, nssim selects the problem required by the laws.",
        .example = "<GenericMechanical/>",
        .attributes = FRICTION_ATTRIBUTES,
    },
    {0},
};
