/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_event_driven.c -- rows of the language table: event-driven strategies and the
 * integrators between events. */
#include "model/language/language_tables.h"

#define FLOW_ATTRIBUTES \
  {.name = "method", \
   .type = NS_LANG_ENUM, \
   .initial = "auto", \
   .choices = "adams bdf auto", \
   .help = "auto: adams, and bdf while the motion is stiff; adams: for motion that is not stiff; " \
           "bdf: for stiff motion"}, \
      {.name = "linearSolver", \
       .type = NS_LANG_ENUM, \
       .initial = "auto", \
       .choices = "auto dense klu", \
       .help = "linear solver of bdf: dense, sparse (KLU), or selected by the number of " \
               "coordinates and their couplings"}, \
      {.name = "relativeTolerance", \
       .type = NS_LANG_REAL, \
       .initial = "1e-10", \
       .range = "(0, 1)", \
       .help = "relative tolerance of the local error of positions and velocities"}, \
      {.name = "absoluteTolerance", \
       .type = NS_LANG_REAL, \
       .initial = "1e-12", \
       .range = "(0, inf)", \
       .help = "absolute tolerance of the local error, in the units of positions and velocities"}, \
  { \
    .name = "maxStep", .type = NS_LANG_REAL, .initial = "none", .range = "(0, inf)", \
    .word = "none", .unit = "s", \
    .help = "longest step; it must be shorter than the shortest contact to be detected" \
  }

#define CVODE_ATTRIBUTES LIST(FLOW_ATTRIBUTES)
#define IDA_ATTRIBUTES \
  LIST(FLOW_ATTRIBUTES, \
       {.name = "formulation", \
        .type = NS_LANG_ENUM, \
        .initial = "ggl", \
        .choices = "ggl index1", \
        .help = "ggl: constraints on positions and velocities are satisfied (stabilised index " \
                "2); index1: constraints on accelerations"}, \
       {.name = "stabilisation", \
        .type = NS_LANG_REAL, \
        .initial = "0", \
        .range = "[0, inf)", \
        .unit = "1/s", \
        .help = "for index1: a in yddot + 2 a ydot + a^2 y = 0, which returns drifting " \
                "constraints to y = 0 (Baumgarte stabilisation)"})

const ns_lang_element ns_lang_event_driven[] = {
    {
        .name = "EventDriven",
        .group = NS_LANG_STRATEGY,
        .help = "event-driven: smooth motion between events, which are located as roots",
        .text =
            "Between events nssim integrates the smooth motion to tolerance, with lasting contacts "
            "as equality constraints. Events are located as roots, for example of a gap that "
            "closes or of a contact force that vanishes. At an event nssim solves the impact "
            "problem at velocity level, and then a problem at acceleration level, which determines "
            "the contacts that last.\n\n"
            "Results contain rows on the time grid of h and two rows for each event, before and "
            "after it (diagnostics.side is 1 and 2). lambda is a force; in the second row of an "
            "event it is the impulse.\n\n"
            "The default tolerances are for motions of 1 cm to 1 km at 5 cm/s to 50 m/s. nssim "
            "estimates the size of the motion from the gaps at t0 and the duration of the run or, "
            "if all are closed, from what opens them; for smaller or larger motions it scales the "
            "tolerances, so that results do not depend on the units of length and time.\n\n"
            "Impacts can accumulate: a ball that comes to rest has infinitely many of them in "
            "finite time. By default a rebound slower than restSpeed is set to rest. With "
            "accumulation=\"time-stepping\" nssim switches to steps of MoreauJeanOSI "
            "(EulerMoreauOSI for first-order systems) when flights become shorter than 8 "
            "hybridStep, and back when each contact is at rest or has longer flights. The time of "
            "rest then has an error of hybridStep, and the row of the accumulation in the table of "
            "events contains the energy that the impacts dissipated.\n\n"
            "If an impact involves several closed contacts, impacts=\"simultaneous\" solves one "
            "problem for all of them. It distributes the impulse: all balls of a line of touching "
            "balls move together. impacts=\"sequential\" solves one contact at a time until none "
            "approaches, each time the one with the largest approach velocity (of equal ones the "
            "first in the model). The result is that of balls with small gaps: only the last one "
            "leaves. MultipleImpactNSL has its own rule.\n\n"
            "Between events a contact with friction sticks or slips, and a relay has zero velocity "
            "or is at a bound. Every change is an event. A tangential velocity up to "
            "velocityTolerance counts as zero, by default less in proportion where what slips is "
            "slower than 5 cm/s; a contact in space that begins to slip has friction "
            "in the direction of its first motion, and follows its velocity from 50 times that "
            "velocity. If no friction force satisfies the law (Painleve's paradox), the contact "
            "jams: an impact without collision, recorded as an event of kind jam, with a "
            "warning.\n\n"
            "Forces of several contacts of a body need not be unique, as for a box on four "
            "corners. Normal forces are then those of equal springs at the contacts, and all "
            "contacts that slip begin together, when no friction forces of the same motion "
            "satisfy the law. The motion of a body that slides on more than three contacts depends "
            "on these normal forces, so that <TimeStepping>, in which the solver selects them, can "
            "differ.\n\n"
            "In mechanics the supported laws are EqualityConditionNSL, RelayNSL with bounds that "
            "are forces, of which one can be infinite (a freewheel), NewtonImpactNSL, "
            "NewtonImpactFrictionNSL, NewtonImpactRollingFrictionNSL, CohesiveFrictionNSL, "
            "compliant relations, and CompliantFrictionNSL between shapes; or MultipleImpactNSL in "
            "all contacts. FremondImpactFrictionNSL and PluginNSL are defined by the steps of "
            "<TimeStepping>. For the supported pairs of shapes see <contacts>.\n\n"
            "First-order systems switch between modes. In a mode each row of RelayNSL, "
            "ComplementarityConditionNSL or another law with bounds is at its lower bound (y > 0), "
            "at its upper bound (y < 0), or between them with y = 0: a relay slides, a diode "
            "conducts. At an event nssim tries the modes of the rows involved, then, by a short "
            "implicit step, those of all rows. It continues with a mode whose motion satisfies the "
            "laws during an interval of time. If there are several, it selects the one that "
            "changes the fewest rows, and among these the one with the fewest rows at y = 0, and "
            "reports the choice by a warning and an event of kind branch. If the rows are too many "
            "to try all modes, the rows that violate their laws change until none does. If no mode "
            "is found, the run ends.",
        .more = "If the state violates the laws at t0 or after a jump of an input, nssim first "
                "projects it onto them by impulses of lambda, with a warning. An event includes "
                "all rows with |y| up to gapTolerance, so that sequences of ever shorter switches "
                "end there (accumulation). lambda and y have the units of the model. The default "
                "gapTolerance and velocityTolerance of rows of first order are "
                "multiplied by the size of the largest y if it is below 1e-2, and of the largest "
                "y' if it is below 1e-4.\n\n"
                "Formulas can have jumps and corners: if, ?:, comparisons, &&, ||, !, step, sign, "
                "floor, ceil, mod, abs, min, max. Between events each formula is evaluated on one "
                "of its branches. If a condition depends on t only, as in if(t > 1, F, 0) or in "
                "the pulse width modulation mod(t*f, 1) < D, nssim computes its times in advance "
                "and meets them exactly, however short the pulse. If it depends on the state, its "
                "zero is located as a root. The motion then crosses the surface or, if both sides "
                "point towards it, slides along it: the discontinuous term takes the intermediate "
                "value that keeps the state on the surface (Filippov), so that -mu*N*sign(v) "
                "sticks. For sliding, the discontinuous part of a formula must be a separate term "
                "or factor. If no such motion exists, or more than one, the run ends with a "
                "message that names the formula. Such an event has two rows in the results and the "
                "kind formula in the table of events; nssim check lists all conditions and "
                "times.\n\n"
                "nssim does not know the jumps inside plug-ins and can miss short ones: set "
                "maxStep. <TimeStepping> samples formulas on the time grid: a pulse shorter than h "
                "can be missed or last a whole step.",
        .example =
            "<EventDriven h=\"0.01\"><CVodeOSI relativeTolerance=\"1e-10\"/><LCP/></EventDriven>",
        .attributes = LIST(
            {.name = "h",
             .type = NS_LANG_REAL,
             .required = 1,
             .range = "(0, inf)",
             .unit = "s",
             .example = "0.01",
             .help = "interval of the rows of the output; it does not affect the accuracy"},
            {.name = "gapTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "(0, inf)",
             .unit = "m",
             .help = "largest gap that counts as closed at t0, at T and at events of other "
                     "contacts"},
            {.name = "velocityTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-8",
             .range = "(0, inf)",
             .unit = "m/s",
             .help = "largest normal velocity of a closed contact, and largest slip velocity, that "
                     "counts as zero"},
            {.name = "restSpeed",
             .type = NS_LANG_REAL,
             .initial = "1e-6",
             .range = "[0, inf)",
             .unit = "m/s",
             .help = "rebounds slower than this are treated as rest; the default is reduced in "
                     "proportion if a series of impacts begins below 4 m/s. Unless it is 0, "
                     "rebounds that are too low for the tolerances are also treated as rest after "
                     "300 impacts without rest"},
            {.name = "accumulation",
             .type = NS_LANG_ENUM,
             .initial = "stick",
             .choices = "stick time-stepping stop",
             .help = "action at an accumulation of impacts. stick: set the contact to rest; "
                     "time-stepping: switch to MoreauJeanOSI; stop: end the run with a message"},
            {.name = "hybridStep",
             .type = NS_LANG_REAL,
             .initial = "auto",
             .range = "(0, inf)",
             .word = "auto",
             .unit = "s",
             .help = "longest step of MoreauJeanOSI; flights shorter than 8 hybridStep count as "
                     "accumulation; auto: h/10"},
            {.name = "impacts",
             .type = NS_LANG_ENUM,
             .initial = "simultaneous",
             .choices = "simultaneous sequential",
             .help = "impacts of several contacts at one instant. simultaneous: solved by one "
                     "problem; sequential: one after the other, the fastest first"},
            {.name = "maxEvents",
             .type = NS_LANG_INTEGER,
             .initial = "10000",
             .range = "[1, 2147483647]",
             .help = "maximum number of events between two points of the time grid; if it is "
                     "exceeded, the run fails"},
            {.name = "impulseStep",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "N s",
             .help = "largest increment of MultipleImpactNSL, at least 1e-3 of the impulse that "
                     "stops the fastest contact; 0: determined by the error. With fixed increments "
                     "it is at most 1e-2 of that impulse, and 0 means 1e-4 of it"},
            {.name = "increments",
             .type = NS_LANG_ENUM,
             .initial = "adaptive",
             .choices = "adaptive fixed",
             .help = "increments of MultipleImpactNSL. adaptive: with a bounded error (1e-10); "
                     "fixed: of constant size, which is the published first-order scheme and adds "
                     "energy if increments are large"},
            {.name = "unloading",
             .type = NS_LANG_ENUM,
             .initial = "bi",
             .choices = "bi mono",
             .help = "dissipation of MultipleImpactNSL. bi: unloading is stiffer than loading; "
                     "mono: unloading ends early"},
            {.name = "certificate",
             .type = NS_LANG_ENUM,
             .initial = "on",
             .choices = "on off laws",
             .help = "on: check motion, laws and events by a second method, and fail the run if "
                     "the check fails; off: no check; laws: check laws and events only"}),
        .children = CHILDREN({NULL, NS_LANG_FLOW, 1, 1}, {NULL, NS_LANG_PROBLEM, 0, 1}),
    },
    {
        .name = "CVodeOSI",
        .group = NS_LANG_FLOW,
        .help = "CVODE of SUNDIALS between events: Adams or BDF methods, with root finding",
        .text = "  x' = f(t,x), the local error of each unknown below relativeTolerance |x| + "
                "absoluteTolerance\n\n"
                "Steps and orders vary so that the local error of each unknown stays below "
                "relativeTolerance |x| + absoluteTolerance. After an event the integrator restarts "
                "at order 1.\n\n"
                "To the absoluteTolerance of positions 16 units in their last place are added. "
                "Where it is not given, that of the velocity of a body is at least as many of its "
                "speed by its kinetic energy, and for its rotation of this speed over its radius "
                "of gyration. The default for a Lagrangian system whose coordinates or "
                "velocities have a size below 1e-2, as those of a cantilever of micrometres, and "
                "for the position, velocity or spin of a body that is as small, is "
                "1e-12 of this size: of the largest in a rough motion from t0 to the first event "
                "or to T, or after events. For first-order systems it is the same in models "
                "without rows of first order, as of netlists with diodes; in others "
                "the size is the largest |x| at t0 and |x'| there times the length of the run.\n\n"
                "Adams methods are faster for motion that is not stiff. Their steps are limited by "
                "fast damped components, such as the current of an inductor in series with a large "
                "resistor, even long after these have decayed. BDF methods have no such limit. "
                "With method=\"auto\" a run begins with Adams. It compares the steps with the "
                "fastest rate of the motion, for the first time after 2000 steps. It changes to "
                "BDF if the motion is stiff and damped, at once where a contact in space has begun "
                "to slip, and back to Adams if the steps of BDF are not longer. Models with "
                "more than 100 unknowns always use Adams, unless all systems are Lagrangian, "
                "without friction in several directions, and no law has a formula.\n\n"
                "If a gap closes and opens again within one step, the contact is detected by the "
                "minimum of the gap. A gap that depends on a formula of time or on a curved "
                "relation is evaluated at least 256 times in the run. If steps pass over a narrow "
                "force, the certificate detects the error and the run ends. To resolve shorter "
                "contacts and forces, set maxStep.",
        .example =
            "<CVodeOSI method=\"auto\" relativeTolerance=\"1e-10\" absoluteTolerance=\"1e-12\"/>",
        .attributes = CVODE_ATTRIBUTES,
    },
    {
        .name = "LsodarOSI",
        .group = NS_LANG_FLOW,
        .help = "another name for CVodeOSI, for models of Siconos",
        .text = "  x' = f(t,x), integrated by <CVodeOSI>",
        .example = "<LsodarOSI relativeTolerance=\"1e-10\"/>",
        .attributes = CVODE_ATTRIBUTES,
    },
    {
        .name = "IDAOSI",
        .group = NS_LANG_FLOW,
        .help = "IDA of SUNDIALS between events: joints and closed contacts are algebraic "
                "equations, without drift",
        .text =
            "Active constraints (equalities, lasting contacts) are equations of the integrator, so "
            "that positions and velocities satisfy them in runs of any length. Without active "
            "constraints the motion is that of CVodeOSI, and only then method applies; events "
            "switch from one to the other.\n\n"
            "Choose IDA for mechanisms with joints or loops and for long runs. CVodeOSI imposes "
            "constraints on accelerations only, so that positions drift within its tolerance and "
            "need corrections. A step of IDA costs more, and its order is at most 5: with few "
            "constraints and tight tolerances CVodeOSI is faster. Constraints are omitted while "
            "they are redundant. In a position where a mechanism branches, CVodeOSI computes the "
            "motion up to the next event or correction.\n\n"
            "The same applies to rigid bodies: the quaternions of bodies in space are unknowns, "
            "with norm 1 in each row of results, and joints are constraints. JointStopR, "
            "JointFrictionR, CouplerJointR, TendonStopR, TendonFrictionR, TendonLengthR, springs "
            "and motors of joints and tendons, NewtonEulerR, NewtonEuler1DR, NewtonEuler3DR, "
            "NewtonEuler5DR and contacts between shapes are supported as in <TimeStepping>.\n\n"
            "First-order systems have no such constraints. In models with first-order systems "
            "only, it is the same as CVodeOSI; in models with mechanics, IDA also integrates their "
            "states.",
        .example =
            "<IDAOSI relativeTolerance=\"1e-8\" absoluteTolerance=\"1e-10\" formulation=\"ggl\"/>",
        .attributes = IDA_ATTRIBUTES,
    },
    {
        .name = "Hem5OSI",
        .group = NS_LANG_FLOW,
        .help = "another name for IDAOSI, for models of Siconos",
        .example = "<Hem5OSI relativeTolerance=\"1e-8\"/>",
        .attributes = IDA_ATTRIBUTES,
    },
    {
        .name = "NewMarkAlphaOSI",
        .group = NS_LANG_FLOW,
        .help = "generalised alpha method between events: fixed steps of order 2 that damp high "
                "frequencies",
        .text = "  alpha_m a_n + (1 - alpha_m) a_n+1 = alpha_f A_n + (1 - alpha_f) A_n+1, A: "
                "acceleration of the system\n"
                "  q_n+1 = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1)\n"
                "  v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)\n\n"
                "The method is for stiff structures whose highest frequencies are artefacts of the "
                "mesh. Steps need not resolve these: a component that a step does not resolve is "
                "multiplied by -rhoInf in each step. The method is implicit; Newton's method uses "
                "the exact Jacobian if the model has one.\n\n"
                "Steps have constant length and restart at each event. Within a step rows and "
                "events use cubic interpolation, whose error is smaller than that of the step; the "
                "flight of a ball is exact. There is no error control: halve the step and compare.",
        .example = "<NewMarkAlphaOSI step=\"1e-3\" rhoInf=\"0.8\"/>",
        .attributes = LIST(
            {.name = "step",
             .type = NS_LANG_REAL,
             .initial = "h",
             .range = "(0, inf)",
             .word = "h",
             .unit = "s",
             .help = "length of the steps; h: the interval of the rows"},
            {.name = "rhoInf",
             .type = NS_LANG_REAL,
             .initial = "0.9",
             .range = "[0, 1]",
             .help = "spectral radius at infinite frequency: 1: no damping; 0: the highest "
                     "frequencies are removed in one step"},
            {.name = "variant",
             .type = NS_LANG_ENUM,
             .initial = "generalised",
             .choices = "generalised newmark",
             .help = "parameters determined by rhoInf, or Newmark's method with beta and gamma"},
            {.name = "beta",
             .type = NS_LANG_REAL,
             .initial = "0.25",
             .range = "[0, 1]",
             .help = "parameter beta of Newmark's method: weight of the new acceleration in the "
                     "new position; 1/4 is the average acceleration"},
            {.name = "gamma",
             .type = NS_LANG_REAL,
             .initial = "0.5",
             .range = "(0, 1]",
             .help = "parameter gamma of Newmark's method: weight of the new acceleration in the "
                     "new velocity; order 2 only at 1/2"},
            {.name = "linearSolver",
             .type = NS_LANG_ENUM,
             .initial = "auto",
             .choices = "auto dense sparse",
             .help = "linear solver of Newton's method: dense, sparse, or selected by the number "
                     "of coordinates and their couplings"},
            {.name = "relativeTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "(0, 1)",
             .help = "relative tolerance of Newton's method, for positions and velocities"},
            {.name = "absoluteTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-12",
             .range = "(0, inf)",
             .help = "absolute tolerance of Newton's method, in the units of positions and "
                     "velocities"},
            {.name = "maxIterations",
             .type = NS_LANG_INTEGER,
             .initial = "20",
             .range = "[1, 2147483647]",
             .help = "maximum number of Newton iterations in a step; if it is exceeded, the run "
                     "fails"}),
    },
    {
        .name = "PluginOSI",
        .group = NS_LANG_FLOW,
        .help = "a one-step method of a plug-in between events",
        .text = "The plug-in computes a step and estimates its error (nssim-plugin(7), "
                "Integrators). nssim selects the length of the steps, locates events, and computes "
                "the certificate. Within a step rows and events use cubic interpolation, whose "
                "error is kept within the tolerances, too.\n\n"
                "If the method has no error estimate, or if step is given, all steps have the same "
                "length, and their error is not controlled. plugins/IntegratorPlugin.c contains "
                "two examples.",
        .example = "<PluginOSI plugin=\"IntegratorPlugin:dormand_prince\" "
                   "relativeTolerance=\"1e-8\"/>",
        .attributes = LIST(
            {.name = "plugin",
             .type = NS_LANG_TEXT,
             .required = 1,
             .example = "IntegratorPlugin:dormand_prince",
             .help = "Library:function that returns the table"},
            {.name = "step",
             .type = NS_LANG_REAL,
             .initial = "auto",
             .range = "(0, inf)",
             .word = "auto",
             .unit = "s",
             .help = "length of the steps; auto: determined by the error estimate, or the interval "
                     "of the rows if the method has none"},
            {.name = "relativeTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-10",
             .range = "(0, 1)",
             .help = "relative tolerance of the local error of positions and velocities"},
            {.name = "absoluteTolerance",
             .type = NS_LANG_REAL,
             .initial = "1e-12",
             .range = "(0, inf)",
             .help = "absolute tolerance of the local error, in the units of positions and "
                     "velocities"},
            {.name = "maxStep",
             .type = NS_LANG_REAL,
             .initial = "none",
             .range = "(0, inf)",
             .word = "none",
             .unit = "s",
             .help = "longest step; it must be shorter than the shortest contact to be detected"}),
    },
    {0},
};
