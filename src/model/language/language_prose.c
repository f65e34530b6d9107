/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_prose.c -- what the reference page says besides the elements. */
#include "model/language/language.h"

const ns_lang_section ns_lang_prose[] = {
    {"DESCRIPTION",
     "A model of nssim is one XML file. It names parameters, dynamical systems, interactions "
     "between them, and how they are simulated. `nssim check FILE` says what nssim understood, "
     "`nssim FILE` runs it, `nssim explain ELEMENT` shows what stands here about an element, "
     "`nssim schema` prints a schema for editors. `nssim example` copies models to begin with.\n\n"
     "All elements belong to the namespace " NS_LANG_NAMESPACE
     ". Elements and attributes that are not listed here are errors. Children may stand in any "
     "order. All quantities are in SI units, angles in rad.",
     1},
    {"NAMES AND IDS",
     "Names of parameters, indices and coordinates are made of letters, digits and _ and begin "
     "with a letter or _. The names of functions, t (time) and pi are taken. A coordinate or an "
     "index may not have the name of a parameter.\n\n"
     "Ids name systems and interactions. They may also hold -, and expressions in braces: "
     "bead{i+1} inside a <repeat>, bead{n} anywhere, with a parameter n. No two systems or "
     "interactions have the same id.",
     1},
    {"EXPRESSIONS",
     "Wherever a number is expected an expression may stand:\n\n"
     "  2/5*m*R^2      -m*g + k*sin(2*x)      t >= 1 ? F : 0\n\n"
     "In order of binding: ^ (from the right, -x^2 is -(x^2)), the signs - + !, * /, + -, < <= > "
     ">=, == !=, &&, ||, ? :. Comparisons give 1 or 0. Numbers are decimal with a point: 1, 0.5, "
     "1e-3. They have no units: those stand in unit= of a <parameter>. pi is known.\n\n"
     "XML takes < and & for itself, so write &lt; and &amp; for them; a comparison may also be "
     "turned round:\n\n"
     "  <fExt>t &lt; 1 ? 0 : F</fExt>      <fExt>1 > t ? 0 : F</fExt>\n\n"
     "Names stand for parameters, for the indices of <repeat> around the element, and, where the "
     "table of the element says so, for time t and state: a coordinate by its name (x), its "
     "velocity (v_x), and always q[k], v[k], z[k] with k from 0. In first-order systems it is a "
     "state by its name, and always x[k], xdot[k], z[k]; in their interactions also lambda[k], and "
     "id.name where the states of several systems stand together. An entry of z goes by its name "
     "in inputs too. What depends on parameters and indices alone is evaluated when the model is "
     "read, the rest is compiled; derivatives are exact. A derivative that is given beside its "
     "function (<H>, <hDot>, <HDot>, <D>, <jacobianFIntq>, ...) and a mass matrix, which has to be "
     "symmetric, are compared at t0 and at two states nearby; one that differs is an error, which "
     "shows both numbers.\n\n"
     "The functions are:",
     1},
    {"PARAMETERS OF LAWS",
     "Coefficients of friction and restitution, tensions and bounds of laws may be formulas of t, "
     "of z, and of the state of any system of the model: a coordinate by its name where one system "
     "has it, id.name else, id.v_name its velocity. Besides, they know the speeds of their own "
     "contact:\n\n"
     "  slip        length of the velocity of slip; of a row of a relay in mechanics |ydot|, m/s\n"
     "  approach    max(0, -ydot) as the step begins: restitution may be a formula of it, m/s\n\n"
     "Friction that falls with the speed of slip (Stribeck), and a clutch that is pressed by a "
     "force of time:\n\n"
     "  <NewtonImpactFrictionNSL en=\"0\" mu=\"0.2 + 0.2*exp(-slip/0.05)\"/>\n"
     "  <RelayNSL lb=\"-0.1*50*t\" ub=\"0.1*50*t\"/>\n\n"
     "A step of time-stepping from t to t + h takes their values at its middle: at t + h/2, and at "
     "the state that goes on as in the step before, s(t) + (s(t) - s(t-h))/2; in the first step, "
     "and in one after an impact, at s(t). So a scheme of second order stays one, and the problem "
     "of the step is that of numbers. A value that is out of its range, as a negative mu, ends the "
     "run with the formula and its value. Event by event friction, bounds and stiffness follow "
     "their formulas in the motion, to its tolerances, and an impact takes the values of the state "
     "that it meets; formulas are smooth in models of rigid bodies and smooth in slip, and numbers "
     "are wanted for rows of first-order systems and in models of systems of several kinds.",
     1},
    {"VECTORS AND MATRICES",
     "The entries of a vector or of a row are parted by white space or commas, rows by "
     "semicolons:\n\n"
     "  <q0>1 0 pi/2</q0>      <K>2*k -k; -k k</K>\n\n"
     "White space inside an entry is allowed where it cannot be taken for a separator: \"a - b\" "
     "is one entry, \"a -b\" are two.\n\n"
     "... repeats the entry before it until the row has the length that is wanted, and ...(n) "
     "until it has n entries: n may be a formula of parameters. A hundred coordinates at rest "
     "against a wall:\n\n"
     "  <q0>0 ...(100)</q0>      <H>1 0 ...(100)</H>\n\n"
     "Other forms, where the table of the element says so:\n\n"
     "  <mass diag=\"m m J\"/>               a diagonal matrix\n"
     "  <K band=\"-k ...; 2*k ... k; -k ...\"/>  the diagonals about the main one, from below to "
     "above\n"
     "  <K file=\"stiffness.csv\"/>          numbers from a file, a line for each row\n"
     "  <fInt plugin=\"Springs:fInt\"/>      a function of a plug-in\n\n"
     "Exactly one form is given. The name of a file is relative to the model or included file in "
     "which it stands. In files the entries are parted by white space or commas; empty lines and "
     "lines that begin with # are left out. But for ...(n) sizes are never written: n is the "
     "length of q0 or x0, m the number of rows of H, C or h. nQ is the number of coordinates or "
     "states of all systems of an interaction, nZ that of the entries of their vectors z, nz that "
     "of the system's own.",
     1},
    {"TWO FAMILIES",
     "A model is made of mechanical systems, or of systems of first order; their relations, laws, "
     "integrators and one-step problems belong to one of the two.\n\n"
     "  mechanical    coordinates q, velocities v   contacts: y gap, lambda impulse\n"
     "  first order   state x, rate xdot            y and lambda: voltage and current of a diode, "
     "sliding variable and\n"
     "                                              relay, ...\n\n"
     "A mass that a dry friction and a switched force act on, as a system of first order:\n\n"
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
     "A <parameter> may say in which unit its value is written; it is converted to SI. On the "
     "command line a value is in that unit too, unless it brings its own: -p R=20mm, -p \"R=20 "
     "mm\". All units of UDUNITS-2 are known. Angles become rad, temperatures K.",
     1},
    {"REPETITION",
     "<repeat> makes many systems or interactions from one description, see its entry below. 10^5 "
     "of them are read in less than a second. A column of n beads, each in contact with the "
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
     "Attribute inputs of a system names the entries of its user vector z, and a <control> writes "
     "them at its own period; between its samples they are constant. Formulas of the system and of "
     "its interactions read them by name:\n\n"
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
     "Its formulas read all that has a name in the run, <observe>, <integral> and <memory> among "
     "it. Blocks with several periods act in their order; offset, from, until and when say at "
     "which samples. Event-driven runs sample at the same times, and a <Hysteresis> without a "
     "period switches there at the crossing itself. A controller of "
     "continuous time is a system of first order:\n\n"
     "  <LagrangianLinearTIDS id=\"m\" coordinates=\"x\">\n"
     "    <q0>0</q0><fExt>9*(1 - m.x) - 5*m.v_x + 3*c.e</fExt>\n"
     "  </LagrangianLinearTIDS>\n"
     "  <FirstOrderNonLinearDS id=\"c\" states=\"e\"><x0>0</x0><f>1 - "
     "m.x</f></FirstOrderNonLinearDS>\n\n"
     "ZeroOrderHoldOSI moves linear plants exactly between the samples, whatever the step. `nssim "
     "check` tells each control, its period in steps and what it writes.",
     1},
    {"FILES AND SAFETY",
     "Models are read as data from strangers. A DOCTYPE is refused, entities other than the five "
     "of XML are unknown, nothing is read from the network. <xi:include> and file= read regular "
     "files inside the folder of the model, after all links are followed; --allow-include DIR "
     "allows a further folder. A model and its files may have 100 MB together, a text in it 10 MB; "
     "elements may nest 256 deep.",
     0},
    {"PLUG-INS",
     "plugin=\"Library:function\" names a C function. Library.so is looked for beside the model, "
     "then on --plugin-path and NSSIM_PLUGIN_PATH; Library.c beside the model is compiled. A "
     "plug-in is a program: it is loaded because the model names it, so look into models that name "
     "any. abi=\"C\" beside it is for functions with the arguments of an earlier time. See "
     "nssim-plugin(7).",
     0},
    {"ERRORS",
     "Every message names file, line and element. All errors are reported, at most 50 of them, in "
     "the order of lines. nssim ends with status 65 then, 66 where the model cannot be read, 69 "
     "where a plug-in is unusable.",
     0},
    {"SEE ALSO", "nssim(1), nssim-output(5), nssim-plugin(7)", 0},
    {NULL, NULL, 0},
};

const ns_lang_section ns_lang_study_prose[] = {
    {"DESCRIPTION",
     "A study runs one model many times with other values of its parameters. `nssim sweep "
     "STUDY.xml -o DIR` runs it, `nssim sweep STUDY.xml --dry-run` lists its runs. This page lists "
     "every element that a study may hold; `nssim explain ELEMENT` prints the same.\n\n"
     "What is varied goes by its name: a parameter of the model, else an attribute of its "
     "<simulation> and of the elements in it, such as T, h or solver; Element.name where two of "
     "them have it, or where a parameter has the same name: LCP.tolerance, simulation.T. scheme is "
     "the integrator, by the name of another one of its strategy, with those attributes that both "
     "know. Anything else goes by its path, as in --set of nssim(1): #ball/q0, "
     "interaction[2]/NewtonImpactNSL@e.\n\n"
     "What has words for values, such as solver and scheme, is varied by <list>, <override> and "
     "tables; in the results words are texts (CSV) or an enumeration (HDF5).\n\n"
     "A study may be included in pieces by <xi:include>, as a model may. The rules of "
     "nssim-model(5) on safety hold for it; the model lies in the folder of the study, or in one "
     "given with --allow-include.",
     1},
    {"STUDIES AS TABLES",
     "A file that ends in .csv is a study, too: its first line names what is varied, each further "
     "line is a run. The model is given with --model. An empty cell leaves what the model says. A "
     "cell may be an expression with a unit, as in -p NAME=VALUE. Lines that begin with # are "
     "comments; a path that begins so stands in quotes.\n\n"
     "  e,R,T\n"
     "  0.5,0.1,5\n"
     "  0.9,20 cm,5",
     0},
    {"SEE ALSO", "nssim(1), nssim-model(5), nssim-output(5)", 0},
    {NULL, NULL, 0},
};
