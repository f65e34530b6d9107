/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_prose.c -- what the reference page says besides the elements. */
#include "model/language/language.h"

const ns_lang_section ns_lang_prose[] = {
    {"DESCRIPTION",
     "A model of nssim is one XML file. It defines parameters, dynamical systems, interactions "
     "between them, and the simulation. `nssim check FILE` validates a model, `nssim FILE` runs "
     "it, `nssim explain ELEMENT` prints the entry of an element on this page, and `nssim schema` "
     "prints a schema for editors. `nssim example` copies example models.\n\n"
     "All elements belong to the namespace " NS_LANG_NAMESPACE
     ". Elements and attributes that are not listed here are errors. Children can be in any order. "
     "All quantities are in SI units, angles in rad.",
     1},
    {"NAMES AND IDS",
     "Names of parameters, indices and coordinates consist of letters, digits and _ and begin with "
     "a letter or _. The names of functions, t (time) and pi are reserved. A coordinate or an "
     "index cannot have the name of a parameter.\n\n"
     "Ids name systems and interactions. They can also contain -, and expressions in braces: "
     "bead{i+1} inside a <repeat>, bead{n} anywhere, with a parameter n. Ids of systems and "
     "interactions are unique.",
     1},
    {"EXPRESSIONS",
     "Every number can be an expression:\n\n"
     "  2/5*m*R^2      -m*g + k*sin(2*x)      t >= 1 ? F : 0\n\n"
     "Operators in order of precedence: ^ (right-associative; -x^2 is -(x^2)), the signs - + !, * "
     "/, + -, < <= > >=, == !=, &&, ||, ? :. Comparisons give 1 or 0. Numbers are decimal with a "
     "point: 1, 0.5, 1e-3. They carry no units; a <parameter> can have one, in unit=. pi is "
     "predefined.\n\n"
     "XML reserves < and &: write &lt; and &amp;, or reverse the comparison:\n\n"
     "  <fExt>t &lt; 1 ? 0 : F</fExt>      <fExt>1 > t ? 0 : F</fExt>\n\n"
     "An expression can use parameters and the indices of enclosing <repeat> elements. If the "
     "entry of an element states that a value can depend on t, q, v, x, z or lambda, it can also "
     "use the time t and these variables, with k from 0:\n\n"
     "  q[k], v[k]        coordinates and velocities, also by their names: x, v_x\n"
     "  x[k], xdot[k]     states and rates of first-order systems, also by their names: level\n"
     "  z[k]              user vector, also by the names in inputs=: valve\n"
     "  lambda[k]         multipliers of an interaction\n"
     "  id.name           a variable of the system id\n\n"
     "nssim evaluates expressions of parameters and indices when it reads the model, and compiles "
     "all others. Derivatives of formulas are exact. If a model gives a derivative together with "
     "its function (<H>, <hDot>, <HDot>, <D>, <jacobianFIntq>, ...), nssim compares the two at t0 "
     "and at two nearby states; if they differ, it reports an error with both numbers. It checks "
     "the symmetry of a mass matrix in the same way.\n\n"
     "The functions are:",
     1},
    {"PARAMETERS OF LAWS",
     "Coefficients of friction and restitution, tensions and bounds of laws can be formulas of t, "
     "of z, and of the state of any system of the model: a coordinate by its name if only one "
     "system has it, otherwise id.name, and id.v_name for its velocity. They can also use the "
     "speeds of their contact:\n\n"
     "  slip        magnitude of the slip velocity; for a relay in mechanics |ydot|, m/s\n"
     "  approach    max(0, -ydot) at the beginning of the step, for restitution, m/s\n\n"
     "Friction that decreases with the slip velocity (Stribeck), and a clutch with a normal force "
     "that depends on time:\n\n"
     "  <NewtonImpactFrictionNSL en=\"0\" mu=\"0.2 + 0.2*exp(-slip/0.05)\"/>\n"
     "  <RelayNSL lb=\"-0.1*50*t\" ub=\"0.1*50*t\"/>\n\n"
     "A time step from t to t + h evaluates them at its middle: at t + h/2, and at the state "
     "extrapolated from the previous step, s(t) + (s(t) - s(t-h))/2; in the first step, and in a "
     "step after an impact, at s(t). Second-order schemes therefore remain second order, and the "
     "coefficients of the one-step problem are constant. A value outside its range, such as a "
     "negative mu, ends the run with a message that shows the formula and its value.\n\n"
     "In event-driven runs friction, bounds and stiffness follow their formulas during the motion, "
     "to its tolerances; an impact uses the values of the state before it. These formulas must be "
     "smooth functions of slip; in models of rigid bodies, of all their variables. In first-order "
     "systems the bounds of a row can be formulas only if y of no other row depends on its lambda.",
     1},
    {"VECTORS AND MATRICES",
     "Entries of a vector or of a row are separated by white space or commas, rows by "
     "semicolons:\n\n"
     "  <q0>1 0 pi/2</q0>      <K>2*k -k; -k k</K>\n\n"
     "White space inside an entry is allowed if it is not ambiguous: \"a - b\" is one entry, \"a "
     "-b\" are two.\n\n"
     "... repeats the entry before it until the row has the required length, and ...(n) until it "
     "has n entries, where n can be a formula of parameters. A hundred coordinates at rest against "
     "a wall:\n\n"
     "  <q0>0 ...(100)</q0>      <H>1 0 ...(100)</H>\n\n"
     "Other forms, if the entry of the element lists them:\n\n"
     "  <mass diag=\"m m J\"/>               a diagonal matrix\n"
     "  <K band=\"-k ...; 2*k ... k; -k ...\"/>  the diagonals, from the lowest to the highest\n"
     "  <K file=\"stiffness.csv\"/>          numbers from a file, one line for each row\n"
     "  <K file=\"stiffness.mtx\"/>          a matrix in MatrixMarket format\n"
     "  <K file=\"bridge.h5\" dataset=\"/K\"/>  a dataset of an HDF5 file\n"
     "  <fInt plugin=\"Springs:fInt\"/>      a function of a plug-in\n\n"
     "Use exactly one form. The name of a file is relative to the model or included file that "
     "contains it. Entries in files are separated by white space or commas; empty lines and lines "
     "that begin with # are ignored. A table of numbers can always be a MatrixMarket file, which "
     "begins with %%MatrixMarket; its format is coordinate or array, its numbers are real, integer "
     "or pattern. Entries that a coordinate file omits are 0, entries of a pattern are 1.\n\n"
     "Sizes follow from the values and are not written, except in ...(n). In the entries of this "
     "page n is the length of q0 or x0, m the number of rows of H, C or h, nQ the number of "
     "coordinates or states of all systems of an interaction, nz the number of entries of the "
     "vector z of a system, and nZ that of all systems of an interaction.",
     1},
    {"KINDS OF SYSTEMS",
     "Systems are mechanical or of first order; a model can combine both. A relation or an "
     "integrator applies to one of these kinds; only the FirstOrder relations can also act on "
     "mechanical systems. RelayNSL, EqualityConditionNSL and ComplementarityConditionNSL apply to "
     "both.\n\n"
     "  mechanical    coordinates q, velocities v   contacts: y gap, lambda impulse\n"
     "  first order   state x, rate xdot            y and lambda: voltage and current of a diode, "
     "sliding variable and\n"
     "                                              relay, ...\n\n"
     "A mass with dry friction and a switched force, as a first-order system:\n\n"
     "  <systems>\n"
     "    <FirstOrderLinearTIDS id=\"cart\" states=\"s w\"><x0>1 0</x0><A>0 1; 0 "
     "0</A></FirstOrderLinearTIDS>\n"
     "  </systems>\n"
     "  <interactions>\n"
     "    <interaction id=\"friction\" systems=\"cart\">\n"
     "      <FirstOrderLinearTIR><C>0 1</C><B>0; mu*g</B></FirstOrderLinearTIR>\n"
     "      <RelayNSL/>\n"
     "    </interaction>\n"
     "    <interaction id=\"switch\" systems=\"cart\">\n"
     "      <FirstOrderType1R><h>s + T*w</h><g>0, F/m*lambda[0]</g></FirstOrderType1R>\n"
     "      <RelayNSL/>\n"
     "    </interaction>\n"
     "  </interactions>\n"
     "  <simulation T=\"10\"><TimeStepping "
     "h=\"1e-3\"><EulerMoreauOSI/></TimeStepping></simulation>",
     1},
    {"UNITS",
     "A <parameter> can have a unit; its value is converted to SI. A value on the command line has "
     "the same unit unless it has its own: -p R=20mm, -p \"R=20 mm\". All units of UDUNITS-2 are "
     "allowed. Angles are converted to rad, temperatures to K.",
     1},
    {"REPETITION",
     "<repeat> generates many systems or interactions from one description; see its entry below. "
     "10^5 of them are read in less than a second. A column of n beads, each in contact with the "
     "next:\n\n"
     "  <systems>\n"
     "    <repeat index=\"i\" from=\"1\" to=\"n\">\n"
     "      <LagrangianLinearTIDS id=\"bead{i}\" "
     "coordinates=\"x\"><q0>2*R*i</q0></LagrangianLinearTIDS>\n"
     "    </repeat>\n"
     "  </systems>\n"
     "  <interactions>\n"
     "    <repeat index=\"i\" from=\"1\" to=\"n-1\">\n"
     "      <interaction id=\"touch{i}\" systems=\"bead{i} bead{i+1}\">\n"
     "        <LagrangianLinearTIR><H>-1 1</H><e>-2*R</e></LagrangianLinearTIR>\n"
     "        <NewtonImpactNSL e=\"0.5\"/>\n"
     "      </interaction>\n"
     "    </repeat>\n"
     "  </interactions>",
     1},
    {"SAMPLED CONTROL",
     "The attribute inputs of a system names the entries of its user vector z, and a <control> "
     "writes them with its own period; between samples they are constant. Formulas of the system "
     "and of its interactions read them by name:\n\n"
     "  <systems>\n"
     "    <FirstOrderLinearTIDS id=\"tank\" states=\"level\" inputs=\"valve\">\n"
     "      <x0>0</x0><A>-0.1</A><b>0.2*valve</b>\n"
     "    </FirstOrderLinearTIDS>\n"
     "  </systems>\n"
     "  <controls>\n"
     "    <control id=\"pid\" systems=\"tank\" period=\"0.5\" writes=\"valve\">\n"
     "      <PID Kp=\"3\" Ki=\"0.6\" lower=\"0\" "
     "upper=\"1\"><reference>1</reference><y>level</y></PID>\n"
     "    </control>\n"
     "  </controls>\n\n"
     "Formulas of a control can read every named variable of the run, including <observe>, "
     "<integral> and <memory>. Blocks can have different periods; blocks that sample at the same "
     "time act in the order of the file. offset, from, until and when select the samples. "
     "Event-driven runs sample at the same times; there a <Hysteresis> without a period switches "
     "at the instant of the crossing.\n\n"
     "A continuous-time controller is a first-order system:\n\n"
     "  <LagrangianLinearTIDS id=\"m\" coordinates=\"x\">\n"
     "    <q0>0</q0><fExt>9*(1 - m.x) - 5*m.v_x + 3*c.e</fExt>\n"
     "  </LagrangianLinearTIDS>\n"
     "  <FirstOrderNonLinearDS id=\"c\" states=\"e\"><x0>0</x0><f>1 - "
     "m.x</f></FirstOrderNonLinearDS>\n\n"
     "ZeroOrderHoldOSI integrates linear plants exactly between samples, for any step. `nssim "
     "check` lists each control, its period in steps and the entries that it writes.",
     1},
    {"FILES AND SAFETY",
     "Models are treated as untrusted data. A DOCTYPE is refused, entities other than the five of "
     "XML are unknown, and nothing is read from the network. <xi:include> and file= read regular "
     "files inside the folder of the model, after resolving links; --allow-include DIR allows "
     "another folder. The limits are 100 MB for a model and its files together, 10 MB for one "
     "text, 40 levels of nested elements, and 8 levels of nested <repeat> elements.",
     0},
    {"PLUG-INS",
     "plugin=\"Library:function\" names a C function. Library.so is searched next to the model, "
     "then in --plugin-path and NSSIM_PLUGIN_PATH; Library.c next to the model is compiled. A "
     "plug-in is code that runs with your permissions: before you run a model, check which "
     "plug-ins it names. abi=\"C\" is for functions with old signatures. See "
     "nssim-plugin(7).",
     0},
    {"ERRORS",
     "Every message states file, line and element. nssim reports all errors in the order of lines, "
     "at most 50, and exits with status 65. The status is 66 if a file cannot be read, and 69 if a "
     "plug-in cannot be used.",
     0},
    {"SEE ALSO", "nssim(1), nssim-output(5), nssim-plugin(7)", 0},
    {NULL, NULL, 0},
};

const ns_lang_section ns_lang_study_prose[] = {
    {"DESCRIPTION",
     "A study runs one model many times with different values of its parameters. `nssim sweep "
     "STUDY.xml -o DIR` runs it, `nssim sweep STUDY.xml --dry-run` lists its runs. This page lists "
     "every element of a study; `nssim explain ELEMENT` prints the same.\n\n"
     "A study can vary three kinds of quantities. A plain name is that of a parameter of the model "
     "or, if there is no such parameter, of an attribute of <simulation> or of an element in it, "
     "such as T, h or solver. Element.name is an attribute of one element, for names that two "
     "elements or a parameter share: LCP.tolerance, simulation.T. The name scheme replaces the "
     "integrator with another one for the same strategy and keeps the attributes that both have. "
     "Anything else is given by its path, as in --set of nssim(1): #ball/q0, "
     "interaction[2]/NewtonImpactNSL@e.\n\n"
     "Quantities whose values are words, such as solver and scheme, can be varied by <list>, "
     "<override> and tables; results contain the words as text (CSV) or as an enumeration "
     "(HDF5).\n\n"
     "A study can use <xi:include>, as a model can. The rules of nssim-model(5) on safety apply; "
     "the model must be in the folder of the study, or in one given with --allow-include.",
     1},
    {"STUDIES AS TABLES",
     "A file that ends in .csv is also a study: its first line names the varied quantities, and "
     "each further line is a run. The model is given with --model. An empty cell keeps the value "
     "of the model. A number is in SI units, as in measures.csv; other cells are read as in -p "
     "NAME=VALUE: expressions with a unit. Lines that begin with # are comments; quote a path that "
     "begins with #.\n\n"
     "  e,R,T\n"
     "  0.5,0.1,5\n"
     "  0.9,20 cm,5",
     0},
    {"SEE ALSO", "nssim(1), nssim-model(5), nssim-output(5)", 0},
    {NULL, NULL, 0},
};
