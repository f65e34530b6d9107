/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_control.c -- rows of the language table: sampled controllers, observers, sensors. Names
 * and orders of attributes and values are those that the kinds of control.h ask for. */
#include "model/language/language_tables.h"

#define STATE (T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z)

#define FORMULA(what, size, must, default_text, banks, text) \
  { \
    .name = what, .type = NS_LANG_VECTOR, .required = must, .initial = default_text, .rows = size, \
    .uses = banks, .forms = NS_LANG_FORM_TEXT, .example = "x", .help = text \
  }
#define MATRIX(what, r, c, must, default_text, text) \
  { \
    .name = what, .type = NS_LANG_MATRIX, .required = must, .initial = default_text, .rows = r, \
    .cols = c, .forms = FIXED, .example = "1 0", .help = text \
  }

#define PLANT \
  MATRIX("A", "n", "n", 0, "A of the first system", "matrix of the plant"), \
      FORMULA("b", "n", 0, "b of the first system", T | 1u << NS_BANK_Z, \
              "source of the plant, constant in a period"), \
      FORMULA("x", "n", 0, "state of the systems", STATE, \
              "state of the plant as input of the block, for example an estimate")
#define PLANT_TEXT \
  "The plant is x' = A x + b. Without <A> it is the first of the systems, which must be linear " \
  "of first order with constant M and A. Its b can depend on the entries that the block writes; " \
  "the command acts through them. The plant is discretised exactly at the period."
#define INPUT \
  MATRIX("B", "n", "writes", 0, "derivative of b with respect to the command", \
         "input matrix of the command")
#define SURFACE(r, must, default_text) \
  MATRIX("S", r, "n", must, default_text, "matrix of the surface, sigma = S x + e"), \
      FORMULA("e", r, 0, "zero", T | 1u << NS_BANK_Z, "offset of the surface, a function of time")
#define GIVEN \
  { \
    .name = "given", .type = NS_LANG_ENUM, .initial = "continuous", \
    .choices = "continuous sampled", \
    .help = "whether the matrices are those of continuous time or of the samples" \
  }
#define DISCRETISED \
  { \
    .name = "method", .type = NS_LANG_ENUM, .initial = "zoh", .choices = "zoh tustin", \
    .help = "discretisation of continuous time: exact for a constant input in each period, or by " \
            "the trapezoidal rule" \
  }
#define POLYNOMIAL(what, size, text) \
  { \
    .name = what, .type = NS_LANG_VECTOR, .required = 1, .rows = size, .forms = FIXED, \
    .example = "1", .help = text \
  }
#define METHOD \
  { \
    .name = "method", .type = NS_LANG_ENUM, .initial = "implicit", .choices = "implicit explicit", \
    .help = "implicit: relays use the predicted sigma at the end of the period, without " \
            "chattering; explicit: the sampled sigma" \
  }

const ns_lang_element ns_lang_control[] = {
    {
        .name = "controls",
        .group = NS_LANG_PART,
        .help = "sampled controllers, observers and sensors",
        .text = "Blocks that act at the same time do so in the order of the file: put a sensor "
                "before the controller that reads it.",
        .example = "<controls>\n"
                   "  <control id=\"pid\" systems=\"tank\" period=\"0.1\" writes=\"u\">\n"
                   "    <PID Kp=\"2\" Ki=\"0.5\"><reference>1</reference><y>level</y></PID>\n"
                   "  </control>\n"
                   "</controls>",
        .children = CHILDREN({"control", 0, 0, NS_LANG_MANY}, {"repeat", 0, 0, NS_LANG_MANY}),
    },
    {
        .name = "control",
        .group = NS_LANG_PART,
        .help = "a sampled block that writes entries of the user vectors z of its systems",
        .text =
            "At t0 + i period (i = 0, 1, ...), before the step that begins there, the block "
            "computes the entries named in writes from t, the state and Z; they are constant until "
            "its next sample. Z contains the user vectors of the systems, one system after the "
            "other. Formulas of the systems and their interactions read the entries as z[k], or by "
            "the names in attribute inputs of a system; with several systems also id.name.\n\n"
            "Event-driven runs stop at each sample. In time-stepping a sample that is not at the "
            "beginning of a step is taken at the beginning of the next step, less than h late: the "
            "number of samples is that of the period, and they do not drift. Blocks that predict "
            "or discretise use the period itself.\n\n"
            "Formulas of a block can read all named quantities of the run: the state and Z of its "
            "systems, those of any other system (id.name), multipliers of the last step "
            "(ID.lambda[k], in time-stepping impulses of mechanics), joints and forces between "
            "bodies (hinge.angle, hinge.v_angle, spring.length, spring.force), and those of "
            "<output>: <observe>, <integral> and <memory> by their ids.\n\n"
            "The entries that it writes act wherever a formula reads an input: in right-hand sides "
            "and forces of systems, torques of joints, forces between bodies, relations, "
            "parameters of laws, and sources and switches of a <netlist inputs=\"u\">. A "
            "continuous-time controller is a <block> or a first-order system: its formulas and "
            "those of the plant refer to each other, and it is integrated with the model.\n\n"
            "With from, until and when it acts only at samples in this interval at which the "
            "condition is true. At other samples its memory does not change, and its outputs keep "
            "their values or are set to otherwise. Blocks can have different periods and offsets; "
            "those that act at the same time do so in the order of the file.\n\n"
            "A block is either an <update> with a formula for each entry written, or one of the "
            "elements of the group control. The memory of a block is part of the state of the run. "
            "A row of results at time t contains z during the step that ended at t.",
        .example = "<control id=\"switch\" systems=\"heater\" period=\"60\" writes=\"on\">\n"
                   "  <update>if(T &lt; 19, 1, if(T &gt; 21, 0, on))</update>\n"
                   "</control>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "pid",
             .help = "name, unique among systems, interactions and controls"},
            {.name = "systems",
             .type = NS_LANG_IDS,
             .required = 1,
             .example = "plant",
             .help = "systems that it reads and writes"},
            {.name = "period",
             .type = NS_LANG_REAL,
             .initial = "the step",
             .range = "(0, inf)",
             .unit = "s",
             .example = "0.01",
             .help = "time between samples, at least the step in time-stepping"},
            {.name = "offset",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "s",
             .example = "0.01",
             .help = "time of the first sample relative to t0"},
            {.name = "from",
             .type = NS_LANG_REAL,
             .initial = "t0",
             .unit = "s",
             .example = "1",
             .help = "no samples before this time"},
            {.name = "until",
             .type = NS_LANG_REAL,
             .initial = "the end of the run",
             .unit = "s",
             .example = "2",
             .help = "no samples after this time"},
            {.name = "when",
             .type = NS_LANG_REAL,
             .initial = "always",
             .example = "t > 1",
             .uses = STATE,
             .help = "condition under which it acts: a comparison, or a formula that is above 0"},
            {.name = "otherwise",
             .type = NS_LANG_REAL,
             .initial = "hold",
             .word = "hold",
             .example = "0",
             .help = "outputs at samples at which it does not act; hold: the last values"},
            {.name = "writes",
             .type = NS_LANG_TEXT,
             .initial = "all entries of Z",
             .example = "u",
             .help = "entries that it writes, in order: names, or z[k]"}),
        .values = LIST(FORMULA("update", "writes", 0, "another block", STATE,
                               "new values of the entries that it writes")),
        .children = CHILDREN({NULL, NS_LANG_CONTROL, 0, 1}),
    },
    {
        .name = "Sensor",
        .group = NS_LANG_CONTROL,
        .help = "a measurement: sampled, rounded to a quantum, delayed by some samples",
        .text = "w_i = quantum * round(y_i-d / quantum) with d = delay. While i < d the entries "
                "keep their initial values.",
        .example = "<control id=\"encoder\" systems=\"arm\" period=\"1e-3\" writes=\"measured\">\n"
                   "  <Sensor quantum=\"2*pi/4096\" delay=\"1\"><y>phi</y></Sensor>\n"
                   "</control>",
        .attributes = LIST({.name = "quantum",
                            .type = NS_LANG_REAL,
                            .initial = "0",
                            .range = "[0, inf)",
                            .help = "resolution; 0: no rounding"},
                           {.name = "delay",
                            .type = NS_LANG_INTEGER,
                            .initial = "0",
                            .range = "[0, 10000]",
                            .help = "delay, in samples"}),
        .values = LIST(FORMULA("y", "writes", 1, NULL, STATE, "measured quantity")),
    },
    {
        .name = "PID",
        .group = NS_LANG_CONTROL,
        .help = "u = Kp e + integral of Ki e + Kd e', e = reference - y; limits with anti-windup",
        .text = "With the period T, by backward differences:\n\n"
                "  I_i = I_i-1 + Ki T e_i\n"
                "  filter (D_i - D_i-1) + T D_i = Kd (d_i - d_i-1)\n"
                "  u_i = Kp (weight r_i - y_i) + I_i + D_i, limited to [lower, upper]\n\n"
                "d is the error e or, with derivative=\"measurement\", -y, so that a step of the "
                "reference causes no peak of the command. The first derivative is 0, or computed "
                "from the value of before=. When u exceeds the limits, anti-windup acts on the "
                "integral. conditional: the integral is constant if Ki e would increase the "
                "excess; tracking: it follows the limits with a time constant, I_i += T/tracking "
                "(limited u - u).",
        .example = "<control id=\"pid\" systems=\"tank\" period=\"0.1\" writes=\"u\">\n"
                   "  <PID Kp=\"2\" Ki=\"0.5\" lower=\"0\" "
                   "upper=\"10\"><reference>1</reference><y>level</y></PID>\n"
                   "</control>",
        .attributes = LIST(
            {.name = "Kp", .type = NS_LANG_REAL, .initial = "0", .help = "proportional gain"},
            {.name = "Ki",
             .type = NS_LANG_REAL,
             .initial = "0",
             .help = "integral gain, in units of Kp per second"},
            {.name = "Kd",
             .type = NS_LANG_REAL,
             .initial = "0",
             .help = "derivative gain, in units of Kp times seconds"},
            {.name = "filter",
             .type = NS_LANG_REAL,
             .initial = "0",
             .range = "[0, inf)",
             .unit = "s",
             .help = "time constant of the filter of the derivative"},
            {.name = "lower",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .help = "least command"},
            {.name = "upper",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .help = "largest command"},
            {.name = "derivative",
             .type = NS_LANG_ENUM,
             .initial = "error",
             .choices = "error measurement",
             .help = "quantity that is differentiated"},
            {.name = "weight",
             .type = NS_LANG_REAL,
             .initial = "1",
             .example = "0.7",
             .help = "weight of the reference in the proportional part"},
            {.name = "start",
             .type = NS_LANG_REAL,
             .initial = "0",
             .help = "initial value of the integral"},
            {.name = "before",
             .type = NS_LANG_REAL,
             .initial = "same",
             .word = "same",
             .example = "0",
             .help = "error (or y) before the first sample; same: that of the first sample"},
            {.name = "antiwindup",
             .type = NS_LANG_ENUM,
             .initial = "conditional",
             .choices = "conditional tracking none",
             .help = "treatment of the integral when the command is limited"},
            {.name = "tracking",
             .type = NS_LANG_REAL,
             .initial = "none",
             .word = "none",
             .range = "(0, inf)",
             .unit = "s",
             .help = "time constant of antiwindup=\"tracking\""}),
        .values = LIST(FORMULA("reference", "1", 0, "zero", STATE, "reference of y"),
                       FORMULA("y", "1", 1, NULL, STATE, "measured quantity")),
    },
    {
        .name = "StateSpace",
        .group = NS_LANG_CONTROL,
        .help =
            "y = C x + D u, x' = A x + B u or x+ = A x + B u: a linear block with its own state",
        .text = "At each sample y is written, then x is advanced to the next sample. "
                "Continuous-time matrices are discretised with the period: exactly for a u that is "
                "constant in each period (zoh), or by the trapezoidal rule (tustin). With tustin "
                "the first sample is that of the state x0 and half a period of its u, as if u had "
                "been 0 before.",
        .example =
            "<control id=\"lead\" systems=\"plant\" period=\"0.01\" writes=\"u\">\n"
            "  <StateSpace><A>-20</A><B>1</B><C>-380</C><D>20</D><u>1 - level</u></StateSpace>\n"
            "</control>",
        .attributes = LIST(GIVEN, DISCRETISED),
        .values = LIST(MATRIX("A", "n", "n", 1, NULL, "matrix of the state"),
                       MATRIX("B", "n", "p", 1, NULL, "input matrix"),
                       MATRIX("C", "writes", "n", 1, NULL, "output matrix of the state"),
                       MATRIX("D", "writes", "p", 0, "zero", "output matrix of the input"),
                       {.name = "x0",
                        .type = NS_LANG_VECTOR,
                        .initial = "zero",
                        .rows = "n",
                        .forms = FIXED,
                        .example = "0",
                        .help = "state at the first sample"},
                       FORMULA("u", "p", 1, NULL, STATE, "input")),
    },
    {
        .name = "TransferFunction",
        .group = NS_LANG_CONTROL,
        .help = "y = b(s)/a(s) u, or y = b(z)/a(z) u for sampled coefficients",
        .text = "Coefficients are in descending powers: 1 0.5 1 is s^2 + 0.5 s + 1. The degree of "
                "the numerator cannot exceed that of the denominator. The initial state is zero; "
                "the block is the controllable companion form, discretised as in <StateSpace>.",
        .example = "<control id=\"filter\" systems=\"plant\" period=\"0.01\" writes=\"u\">\n"
                   "  <TransferFunction><numerator>2</numerator><denominator>0.1 "
                   "1</denominator><u>1 - level</u></TransferFunction>\n"
                   "</control>",
        .attributes = LIST(GIVEN, DISCRETISED),
        .values = LIST(POLYNOMIAL("numerator", "p", "coefficients of b, the highest power first"),
                       POLYNOMIAL("denominator", "n", "coefficients of a, the highest power first"),
                       FORMULA("u", "1", 1, NULL, STATE, "input")),
    },
    {
        .name = "Limiter",
        .group = NS_LANG_CONTROL,
        .help = "writes u, limited to [lower, upper] and with a limited rate of change",
        .text = "The first change is relative to the initial value of the entries. Without fall, "
                "rate is the limit in both directions.",
        .example = "<control id=\"actuator\" systems=\"plant\" period=\"0.01\" writes=\"u\">\n"
                   "  <Limiter lower=\"-1\" upper=\"1\" rate=\"20\"><u>wanted</u></Limiter>\n"
                   "</control>",
        .attributes = LIST({.name = "lower",
                            .type = NS_LANG_REAL,
                            .initial = "none",
                            .word = "none",
                            .help = "least value"},
                           {.name = "upper",
                            .type = NS_LANG_REAL,
                            .initial = "none",
                            .word = "none",
                            .help = "largest value"},
                           {.name = "rate",
                            .type = NS_LANG_REAL,
                            .initial = "none",
                            .word = "none",
                            .range = "(0, inf)",
                            .help = "largest increase per second"},
                           {.name = "fall",
                            .type = NS_LANG_REAL,
                            .initial = "rate",
                            .word = "rate",
                            .range = "(0, inf)",
                            .help = "largest decrease per second"}),
        .values = LIST(FORMULA("u", "writes", 1, NULL, STATE, "value before limiting")),
    },
    {
        .name = "Hysteresis",
        .group = NS_LANG_CONTROL,
        .help = "switches on when y rises to upper, and off when it falls to lower: a relay with "
                "hysteresis",
        .text = "In an event-driven run, without a period, it switches at the instant of the "
                "crossing, with events ID_on and ID_off. Otherwise it is sampled, at each step "
                "unless a period is given, and switches at the first sample beyond a threshold: "
                "within a step it is constant. Its mode is part of the state of the run.",
        .example =
            "<control id=\"thermostat\" systems=\"heater\" period=\"60\" writes=\"heating\">\n"
            "  <Hysteresis lower=\"19\" upper=\"21\" on=\"0\" off=\"1\"><y>T</y></Hysteresis>\n"
            "</control>",
        .attributes = LIST(
            {.name = "lower",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "19",
             .help = "switches off if y is at most this"},
            {.name = "upper",
             .type = NS_LANG_REAL,
             .required = 1,
             .example = "21",
             .help = "switches on if y is at least this"},
            {.name = "off", .type = NS_LANG_REAL, .initial = "0", .help = "output while off"},
            {.name = "on", .type = NS_LANG_REAL, .initial = "1", .help = "output while on"},
            {.name = "start",
             .type = NS_LANG_ENUM,
             .initial = "off",
             .choices = "off on",
             .help = "initial mode if the first y is between lower and upper"}),
        .values = LIST(FORMULA("y", "1", 1, NULL, STATE, "compared quantity")),
    },
    {
        .name = "LinearSMC",
        .group = NS_LANG_CONTROL,
        .help = "sliding mode for a linear plant: u = u_eq + u_s, u_s in -alpha Sgn(S x + e)",
        .text = PLANT_TEXT
        "\n\n"
        "u_eq = -(S B)^-1 (S (A x + b) + e') keeps sigma = S x + e constant. Implicit: u_s is "
        "computed together with the sigma at the end of the period predicted by the plant,\n\n"
        "  sigma+ = S (Phi x + Psi (b + B (u_eq + u_s))) + e+,  u_s in -alpha Sgn(sigma+);\n\n"
        "on the surface sigma is then zero and u continuous. Explicit: u_s = -alpha sign(sigma); "
        "sigma chatters with an amplitude proportional to the period. Instead of alpha, lower and "
        "upper give bounds of u_s that need not be symmetric; a switch has equivalent=\"no\", "
        "lower=\"0\", upper=\"1\".",
        .example = "<control id=\"smc\" systems=\"plant\" period=\"0.02\" writes=\"u\">\n"
                   "  <LinearSMC alpha=\"1\"><S>1 1</S></LinearSMC>\n"
                   "</control>",
        .attributes = LIST({.name = "alpha",
                            .type = NS_LANG_REAL,
                            .initial = "given by lower and upper",
                            .range = "(0, inf)",
                            .example = "1",
                            .help = "gain of the sliding part"},
                           {.name = "lower",
                            .type = NS_LANG_REAL,
                            .initial = "-alpha",
                            .example = "0",
                            .help = "value of u_s if sigma > 0"},
                           {.name = "upper",
                            .type = NS_LANG_REAL,
                            .initial = "alpha",
                            .example = "1",
                            .help = "value of u_s if sigma < 0"},
                           {.name = "equivalent",
                            .type = NS_LANG_ENUM,
                            .initial = "yes",
                            .choices = "yes no",
                            .help = "no: u_eq = 0"},
                           METHOD),
        .values = LIST(SURFACE("writes", 1, NULL), INPUT, PLANT),
    },
    {
        .name = "LinearSMCOT2",
        .group = NS_LANG_CONTROL,
        .help = "sliding mode for a linear plant: the command that makes S x + e zero at the end "
                "of the period, with the disturbance of the last period",
        .text = PLANT_TEXT
        "\n\n"
        "  d_i = x_i - (Phi x_i-1 + Psi (b_i-1 + B u_i-1))\n"
        "  u_i = -(S Psi B)^-1 (S (Phi x_i + Psi b_i + d_i) + e_i+1), within the bounds\n\n"
        "The disturbance d is known with a delay of one period: if it is smooth, sigma stays "
        "within a band of the order of period^2; without a disturbance it is zero to rounding.",
        .example = "<control id=\"smc\" systems=\"plant\" period=\"0.02\" writes=\"u\">\n"
                   "  <LinearSMCOT2 alpha=\"5\"><S>1 1</S></LinearSMCOT2>\n"
                   "</control>",
        .attributes = LIST({.name = "alpha",
                            .type = NS_LANG_REAL,
                            .initial = "given by lower and upper",
                            .range = "(0, inf)",
                            .example = "1",
                            .help = "bound of the command"},
                           {.name = "lower",
                            .type = NS_LANG_REAL,
                            .initial = "-alpha",
                            .example = "0",
                            .help = "least command"},
                           {.name = "upper",
                            .type = NS_LANG_REAL,
                            .initial = "alpha",
                            .example = "1",
                            .help = "largest command"}),
        .values = LIST(SURFACE("writes", 1, NULL), INPUT, PLANT),
    },
    {
        .name = "Twisting",
        .group = NS_LANG_CONTROL,
        .help = "u in -c1 Sgn(sigma) - c2 Sgn(sigma'), c1 > c2 > 0: sigma and sigma' reach zero in "
                "finite time",
        .text = PLANT_TEXT "\n\n"
                           "The rows of S x + e are sigma and sigma'. Implicit: both are those of "
                           "the end of the period, predicted by a backward Euler step; with the "
                           "exact motion the command would alternate indefinitely.",
        .example = "<control id=\"twisting\" systems=\"mass\" period=\"0.01\" writes=\"u\">\n"
                   "  <Twisting c1=\"2\" c2=\"1\"/>\n"
                   "</control>",
        .attributes = LIST({.name = "c1",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "2",
                            .help = "gain of sigma"},
                           {.name = "c2",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "1",
                            .help = "gain of sigma'"},
                           METHOD),
        .values = LIST(SURFACE("2", 0, "identity"), INPUT, PLANT),
    },
    {
        .name = "SuperTwisting",
        .group = NS_LANG_CONTROL,
        .help = "u = -k1 |sigma|^(1/2) sgn(sigma) + v, v' = -k2 sgn(sigma), for a scalar sigma' = "
                "u + ...",
        .text = "A continuous command with a discontinuous rate. Implicit: the command uses sigma "
                "at the end of the period, predicted by sigma' = u in closed form. It does not "
                "chatter, and a disturbance d changes sigma by d times the period. Explicit: sigma "
                "is smaller, proportional to the square of the period, but the command chatters.",
        .example = "<control id=\"st\" systems=\"plant\" period=\"0.01\" writes=\"u\">\n"
                   "  <SuperTwisting k1=\"2\" k2=\"1.5\"><sigma>x</sigma></SuperTwisting>\n"
                   "</control>",
        .attributes = LIST({.name = "k1",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "2",
                            .help = "gain of the root"},
                           {.name = "k2",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "1.5",
                            .help = "gain of the integral"},
                           METHOD),
        .values = LIST(FORMULA("sigma", "1", 1, NULL, STATE, "quantity to be made zero")),
    },
    {
        .name = "LuenbergerObserver",
        .group = NS_LANG_CONTROL,
        .help = "estimate of the state of a linear plant from a measured part of it",
        .text = PLANT_TEXT
        "\n\n"
        "  xhat+ = Phi xhat + Psi (b + L (y - C xhat))\n\n"
        "With y = C x its error is multiplied by Phi - Psi L C in each period. The estimate at t "
        "uses the measurement one period before and the commands since then: a controller after "
        "the observer can use it in the same sample. Its initial value is that of the entries.",
        .example =
            "<control id=\"observer\" systems=\"plant\" period=\"0.02\" writes=\"xhat vhat\">\n"
            "  <LuenbergerObserver><C>1 0</C><L>8; 16</L></LuenbergerObserver>\n"
            "</control>",
        .values = LIST(MATRIX("C", "p", "n", 1, NULL, "measured quantity of the state"),
                       MATRIX("L", "n", "p", 1, NULL, "gain of the correction"),
                       FORMULA("y", "p", 0, "C x", STATE,
                               "measurement, for example an entry that a sensor writes"),
                       PLANT),
    },
    {
        .name = "SlidingReducedOrderObserver",
        .group = NS_LANG_CONTROL,
        .help = "sliding-mode estimate of the state of a linear plant",
        .text = PLANT_TEXT
        "\n\n"
        "  xhat+ = Phi xhat + Psi (b + L (y - C xhat) + E v),  v in alpha Sgn(y+ - C xhat+)\n\n"
        "v is computed together with the estimate, so that C xhat+ = y+ to rounding as long as the "
        "required |v| is below alpha. The remaining error then has the reduced-order dynamics "
        "determined by E, independent of disturbances of the plant along E. Its initial value is "
        "that of the entries.",
        .example =
            "<control id=\"observer\" systems=\"plant\" period=\"0.02\" writes=\"xhat vhat\">\n"
            "  <SlidingReducedOrderObserver alpha=\"5\"><C>1 0</C><E>1; "
            "2</E></SlidingReducedOrderObserver>\n"
            "</control>",
        .attributes = LIST({.name = "alpha",
                            .type = NS_LANG_REAL,
                            .required = 1,
                            .range = "(0, inf)",
                            .example = "5",
                            .help = "bound of v"}),
        .values = LIST(MATRIX("C", "p", "n", 1, NULL, "measured quantity of the state"),
                       MATRIX("E", "n", "p", 1, NULL, "matrix of v in the estimate"),
                       MATRIX("L", "n", "p", 0, "zero", "gain of an additional linear correction"),
                       FORMULA("y", "p", 0, "C x", STATE,
                               "measurement, for example an entry that a sensor writes"),
                       PLANT),
    },
    {
        .name = "ExtendedKalmanFilter",
        .group = NS_LANG_CONTROL,
        .help = "extended Kalman filter: estimate of the state of a nonlinear plant x' = f, y = h "
                "with noise",
        .text = "The estimate x is the output: f and h are formulas of its entries, t and other "
                "entries of Z, and their derivatives are exact. From sample to sample\n\n"
                "  x- = x + integral of f, P- = Phi P Phi^T + Q, K = P- H^T (H P- H^T + R)^-1\n"
                "  x = x- + K (y - h(x-)), P = (I - K H) P- (I - K H)^T + K R K^T\n\n"
                "where Phi is the derivative of the motion and H that of h. The integral and Phi "
                "are computed by the Runge-Kutta method of order 4. With given=\"sampled\" f is "
                "the next state. The first sample is a correction only; the estimate begins with "
                "the initial value of the entries. For a linear plant this is the Kalman filter. "
                "Entries written by other blocks have their values during the period.",
        .example =
            "<control id=\"ekf\" systems=\"pendulum\" period=\"0.01\" writes=\"a w\">\n"
            "  <ExtendedKalmanFilter><f>w, -9.81*sin(a)</f><h>sin(a)</h><y>measured</y><Q>1e-6 0; "
            "0 1e-6</Q><R>1e-2</R></ExtendedKalmanFilter>\n"
            "</control>",
        .attributes = LIST(GIVEN, {.name = "substeps",
                                   .type = NS_LANG_INTEGER,
                                   .initial = "1",
                                   .range = "[1, 10000]",
                                   .help = "steps of the integration in a period"}),
        .values = LIST(FORMULA("f", "writes", 1, NULL, T | 1u << NS_BANK_Z,
                               "rate of the estimate, or its next value"),
                       FORMULA("h", "p", 1, NULL, T | 1u << NS_BANK_Z, "predicted measurement"),
                       FORMULA("y", "p", 1, NULL, STATE, "measured quantity"),
                       MATRIX("Q", "writes", "writes", 0, "zero",
                              "covariance of the disturbance of the plant in a period"),
                       MATRIX("R", "p", "p", 1, NULL, "covariance of the noise of a measurement"),
                       MATRIX("P0", "writes", "writes", 0, "identity",
                              "covariance of the estimate at the first sample")),
    },
    {
        .name = "PluginControl",
        .group = NS_LANG_CONTROL,
        .help = "a sampled block in C with a state",
        .text = "The function named in plugin returns a table (nssim_control in nssim/plugin.h) "
                "with the size of its memory and the functions called before the first sample and "
                "at each sample. The memory is part of the state of the run and of checkpoints. "
                "plugins/ControlPlugin.c is an example.",
        .example = "<control id=\"own\" systems=\"plant\" period=\"0.01\" writes=\"u\">\n"
                   "  <PluginControl plugin=\"ControlPlugin:leaky\"><p>0.5 2</p><y>1 - "
                   "level</y></PluginControl>\n"
                   "</control>",
        .attributes = LIST({.name = "plugin",
                            .type = NS_LANG_TEXT,
                            .required = 1,
                            .example = "ControlPlugin:leaky",
                            .help = "Library:function that returns the table"}),
        .values = LIST({.name = "p",
                        .type = NS_LANG_VECTOR,
                        .initial = "none",
                        .rows = "n",
                        .forms = FIXED,
                        .example = "1",
                        .help = "its parameters"},
                       FORMULA("y", "n", 0, "nothing", STATE, "inputs of the block")),
    },
    {0},
};
