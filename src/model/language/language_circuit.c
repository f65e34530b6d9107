/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_circuit.c -- rows of the language table: circuits. */
#include "model/language/language_tables.h"

const ns_lang_element ns_lang_circuit[] = {
    {
        .name = "netlist",
        .group = NS_LANG_PART,
        .help =
            "a circuit of ideal elements, converted to a first-order system with complementarity",
        .text =
            "One element per line: its name, its nodes, its value. The first letter of the name, "
            "in upper or lower case, determines the kind of element. Names of nodes consist of "
            "letters, digits and _; node 0 is the ground. There is no title line.\n\n"
            "  Rname a b ohm               resistor\n"
            "  Cname a b farad [ic=volt]   capacitor\n"
            "  Lname a b henry [ic=ampere] inductor\n"
            "  Kname L1 L2 coupling        mutual inductance coupling*sqrt(L1 L2); 1, -1: no "
            "leakage\n"
            "  Vname a b volt(t)           voltage source\n"
            "  Iname a b ampere(t)         current source, from a through it to b\n"
            "  Dname a b [vf=volt]         ideal diode: 0 <= i _|_ vf - v >= 0\n"
            "  Zname a b volt [vf=volt]    Zener: conducts forward at vf, backward at -volt\n"
            "  Sname a b FORMULA [on= off= ic=] ideal switch: v = 0 if the formula is positive, "
            "else i = 0\n"
            "  Mname d g s volt [vf=]      transistor as a switch from d to s, closed where v(g,s) "
            "> volt, with a diode\n"
            "  Qname c g e volt [vf=]      the same\n"
            "  Pname a b GATE [vf= ih= triac=1] thyristor: starts to conduct when GATE > 0, stops "
            "when i is 0\n"
            "  Bname a b v=FORMULA         voltage source; i=FORMULA: current source\n"
            "  Oname a b c d [lo= hi= gain=] op-amp: v(a,b) such that v(c,d) = 0, between rails\n"
            "  Yname a b c d siemens       gyrator: i(a,b) = siemens v(c,d), i(c,d) = -siemens "
            "v(a,b)\n"
            "  Tname a b c d ratio         ideal transformer: v(a,b) = ratio v(c,d)\n"
            "  Ename a b c d gain          voltage source gain v(c,d)\n"
            "  Gname a b c d siemens       current source siemens v(c,d), from a to b\n"
            "  Fname a b ELEMENT gain      current source: gain times the current of ELEMENT\n"
            "  Hname a b ELEMENT ohm       voltage source: ohm times the current of ELEMENT\n\n"
            "v is the voltage of a relative to b, i the current from a through the element to b; "
            "for T, i is that of a and b. Values are expressions in SI units: 1e3, 2*pi*f. A "
            "number can have a suffix, T, G, meg, k, m, mil (25.4e-6), u, n, p or f, followed by a "
            "unit: 4.7k, 10uF. Values of V, I, B, S and P can depend on t, all can use parameters; "
            "braces in them are parentheses. In XML write &lt; for <. Circuits of ideal elements "
            "need no small resistors in series with switches and diodes.\n\n"
            "D, Z, S, M, Q, P accept ron=ohm, a series resistance while they conduct, and "
            "roff=ohm, a permanent parallel resistance: a diode is then piecewise linear. Its "
            "current is part of i, except for P. lo= and hi= of O are the rails of its output in "
            "volts: the output is lo if v(c,d) < 0 and hi if v(c,d) > 0, so that with rails it is "
            "also an ideal comparator. Without gain= its gain is infinite; otherwise v(a,b) = gain "
            "v(c,d) between the rails. Its inputs have no current. With hyst=volt it is a "
            "comparator that switches at hyst/2 above and below 0.\n\n"
            "Formulas of V, I, B, S and P can read the circuit: v(a) and v(a,b) are voltages of "
            "its nodes, i(R1) is the current of an element, which can itself have such a formula. "
            "States of other systems are id.name. The voltages and currents of another netlist c "
            "are c.v(a,b) and c.i(R1), or c.node_a.v and c.R1.i as in results; netlists that read "
            "each other in this way are solved together, and have one interaction, that of the "
            "first of them. (Formulas of other systems can use c.node_a.v and c.R1.i if these are "
            "functions of states and sources.) A source whose formula reads only states is a "
            "function of them; otherwise its value is an unknown of the one-step problem.",
        .more = "A switch that reads the circuit stores its mode in z and changes it by events, "
                "S1_on and S1_off in the table of events: at the root in event-driven runs, at the "
                "end of the step in time-stepping. on= and off= are thresholds of the formula, "
                "with hysteresis between them; with ic=1 the switch is initially closed. If "
                "switching itself moves the formula across both thresholds, the switch has no "
                "consistent mode, which is an error. M with a negative volt is a p-channel "
                "transistor: closed if v(s,g) > -volt, v and i from source to drain. A thyristor "
                "turns off when GATE is not positive and its current is below ih (1e-9 A); with "
                "triac=1 it conducts in both directions.\n\n"
                "  S1 a b 5-v(c) on=0.1 off=-0.1    closes below 4.9 V, opens above 5.1 V\n"
                "  S2 a b i(L1) > 2 || v(c) < 1     by a condition\n"
                "  B1 a 0 i=1e-3*v(a)^3\n\n"
                "E, F, G, H can have POLY(n), TABLE and VALUE of SPICE for inputs and gain; "
                "tables, and pwl() in formulas, are constant beyond their ends, and jump if two "
                "points have the same x:\n\n"
                "  F1 a 0 POLY(2) V1 R1 0 0 0 0 1    i(V1)*i(R1)\n"
                "  E1 a 0 {K*rotor.v_phi}            a formula in braces, of other systems too\n"
                "  G1 a 0 TABLE {v(b)} = (0,0) (1,1e-3)\n"
                "  B2 a 0 v=pwl(v(b), 0,0, 1,5)\n\n"
                "V and I can be written as in ngspice, with blanks between numbers. Edges without "
                "a time are jumps; ngspice takes their times from .tran:\n\n"
                "  DC 5\n"
                "  SIN(VO VA FREQ [TD THETA PHASE])     VO + VA exp(-(t-TD) THETA) sin(2 pi FREQ "
                "(t-TD) + PHASE), degrees\n"
                "  PULSE(V1 V2 [TD TR TF PW PER NP])    to V2 at TD in TR, for PW, back in TF; "
                "each PER, NP times\n"
                "  EXP(V1 V2 TD1 TAU1 TD2 TAU2)         towards V2 from TD1, back from TD2\n"
                "  PWL(T1 V1 T2 V2 ...) [r=T td=T]      lines, from td; equal times: jump; again "
                "from r\n\n"
                "* or # begins a comment line, ; a comment after an element, + continues the "
                "previous line. A line .end ends the list. .repeat repeats lines for each value of "
                "an index, as <repeat> does; the index is in braces in names and nodes, and used "
                "by its name in values:\n\n"
                "  .repeat i 1 n\n"
                "  R{i} k{i-1} k{i} R\n"
                "  C{i} k{i} 0 C0/i\n"
                "  .endrepeat\n\n"
                "A subcircuit is defined once and used by lines that begin with X, with its nodes "
                "and, if they differ from the defaults, its parameters. .param defines numbers, in "
                "any order; those of a .subckt or a .repeat are local to it. .include, or .inc, "
                "inserts a file:\n\n"
                "  .include parts.cir\n"
                "  .param RL=4.7k\n"
                "  .subckt lowpass in out R=1k C=100nF\n"
                "  R1 in out R\n"
                "  C1 out 0 C\n"
                "  .ends\n"
                "  X1 a b lowpass\n"
                "  X2 b c lowpass R=2*RL\n\n"
                ".ic v(a)=5 i(L1)=0.1 sets initial voltages of nodes, for capacitors between them "
                "and node 0 without ic=, and initial currents of inductors.\n\n"
                "The resistor R1 of X1 is named R1_X1, an internal node n is named n_X1; node 0 is "
                "global. Subcircuits can use others, but not themselves. One defined inside "
                "another is local to it and can use its parameters.\n\n"
                "A node that is connected only to diodes and switches floats while they block; a "
                "note reports it. Its voltage does not affect the motion; event-driven runs choose "
                "the multipliers with the smallest norm.\n\n"
                "The netlist defines a system with this id and, if there are diodes or switches, "
                "an interaction ID-devices (A, V). The states are capacitor voltages v_C1 and "
                "inductor currents i_L1. A capacitor voltage that other capacitors and voltage "
                "sources determine, or an inductor current that other inductors and current "
                "sources determine, is not a state; a note reports it. Where their sources jump or "
                "have edges, the state of C1 is x_C1, its voltage less their share. Inductors with "
                "coupling 1 share x_L1. A circuit without C and L has one constant state, named "
                "none.\n\n"
                "If the voltage of a node is undetermined while switches are open and diodes "
                "block, the one-step problem has many solutions or none: connect a large resistor "
                "to node 0.\n\n"
                "Results contain v and i of every element as R1.v and R1.i, and the voltage of "
                "node a as node_a.v. If several netlists of a model use a name, it follows the id "
                "of the netlist: drive.R1.v, drive.node_a.v. They are computed from the states and "
                "lambda of the row. In the first row lambda is 0 unless gamma < 1: the currents or "
                "voltages of diodes and switches are then 0.",
        .example = "<netlist id=\"circuit\">\n"
                   "  * an oscillating circuit feeds a resistor through four diodes\n"
                   "  L1 a b 1e-2\n"
                   "  C1 a b 1e-6 ic=10\n"
                   "  D1 a p\n"
                   "  D2 b p\n"
                   "  D3 0 a\n"
                   "  D4 0 b\n"
                   "  R1 p 0 1e3\n"
                   "</netlist>",
        .attributes = LIST(
            {.name = "id",
             .type = NS_LANG_ID,
             .required = 1,
             .example = "circuit",
             .help = "name of the resulting system, unique among systems and interactions"},
            {.name = "file",
             .type = NS_LANG_FILE,
             .initial = "none: the text inside",
             .help = "file with the lines, instead of the text"},
            {.name = "inputs",
             .type = NS_LANG_NAMES,
             .initial = "none",
             .example = "u",
             .help = "names of entries of z that formulas of sources and switches read, for "
                     "controls and events"},
            {.name = "z",
             .type = NS_LANG_REAL,
             .initial = "zero",
             .example = "0",
             .help = "values of the inputs at t0, separated by white space"},
            {.name = "inputUnits",
             .type = NS_LANG_TEXT,
             .initial = "none",
             .example = "V",
             .help = "SI units of the inputs, one for each, separated by white space (N*m, not N "
                     "m)"},
            {.name = "gmin",
             .type = NS_LANG_REAL,
             .unit = "S",
             .range = "(0, inf)",
             .initial = "none",
             .help = "conductance to node 0 of floating nodes: one node of each set that is "
                     "connected only by diodes, switches and current sources"}),
        .content = &(const ns_lang_item){.name = "lines",
                                         .type = NS_LANG_TEXT,
                                         .initial = "none; required without file=",
                                         .help = "elements of the circuit, one per line"},
    },
    {0},
};
