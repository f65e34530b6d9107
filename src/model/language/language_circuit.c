/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_circuit.c -- rows of the language table: circuits. */
#include "model/language/language_tables.h"

#define LIST(...) (const ns_lang_item[]) { __VA_ARGS__, { 0 } }

const ns_lang_element ns_lang_circuit[] = {
    {
        .name = "netlist",
        .group = NS_LANG_PART,
        .help = "a circuit of ideal elements, made into a first-order system with complementarity",
        .text =
            "One element in a line: its name, its nodes, its value. The first letter of the name, "
            "large or small, says what it is. Nodes are named by letters, digits and _; node 0 is "
            "the ground. There is no title line.\n\n"
            "  Rname a b ohm               resistor\n"
            "  Cname a b farad [ic=volt]   capacitor\n"
            "  Lname a b henry [ic=ampere] inductor\n"
            "  Kname L1 L2 coupling        mutual inductance coupling*sqrt(L1 L2)\n"
            "  Vname a b volt(t)           voltage source\n"
            "  Iname a b ampere(t)         current source, from a through it to b\n"
            "  Dname a b [vf=volt]         ideal diode: 0 <= i _|_ vf - v >= 0\n"
            "  Zname a b volt [vf=volt]    Zener: conducts forward at vf, backward at -volt\n"
            "  Sname a b FORMULA [on= off= ic=] ideal switch: v = 0 where the formula is above 0, "
            "else i = 0\n"
            "  Mname d g s volt [vf=]      transistor as a switch from d to s, closed where v(g,s) "
            "> volt, with a diode\n"
            "  Qname c g e volt [vf=]      the same\n"
            "  Pname a b GATE [vf= ih= triac=1] thyristor: conducts from where GATE > 0 to where i "
            "is 0\n"
            "  Bname a b v=FORMULA         voltage source; i=FORMULA: current source\n"
            "  Oname a b c d [lo= hi= gain=] op-amp: v(a,b) such that v(c,d) = 0, between rails\n"
            "  Yname a b c d siemens       gyrator: i(a,b) = siemens v(c,d), i(c,d) = -siemens "
            "v(a,b)\n"
            "  Tname a b c d ratio         ideal transformer: v(a,b) = ratio v(c,d)\n"
            "  Ename a b c d gain          voltage source gain v(c,d)\n"
            "  Gname a b c d siemens       current source siemens v(c,d), from a to b\n"
            "  Fname a b ELEMENT gain      current source: gain times the current of ELEMENT\n"
            "  Hname a b ELEMENT ohm       voltage source: ohm times the current of ELEMENT\n\n"
            "v is the voltage of a over b, i the current from a through the element to b; of T, i "
            "is that of a and b. Values are expressions in SI units: 1e3, 2*pi*f. A number may "
            "have a suffix, T, G, meg, k, m, mil (25.4e-6), u, n, p or f, and a unit "
            "behind it: 4.7k, 10uF. Values of V, I, B, S and P may depend on t, all may use "
            "parameters; braces in them stand for parentheses. In XML write &lt; for <. A circuit "
            "is known by ideal elements alone: it needs no small resistors beside switches and "
            "diodes.\n\n"
            "D, Z, S, M, Q, P take ron=ohm, a resistance in series where they conduct, and all of "
            "them but P roff=ohm, one in parallel always: a diode is then piecewise linear. "
            "Beside P write a resistor. lo= and hi= of O "
            "are volts between which its output stays, at the one where v(c,d) < 0, at the other "
            "where v(c,d) > 0: with "
            "rails it is an ideal comparator, too. Without gain= its gain is infinite; else v(a,b) "
            "= gain v(c,d) between the rails. Its inputs carry no current. With hyst=volt it is a "
            "comparator that changes at hyst/2 above and below 0.",
        .more =
            "Formulas of V, I, B, S and P read the circuit: v(a) and v(a,b) are voltages of its "
            "nodes, i(R1) is the current of an element, also of others that do so; states of other "
            "systems go by id.name. Where they read states alone, a source is a function of these; "
            "otherwise its value is an unknown of the one-step problem.\n\n"
            "A switch that reads the circuit keeps its state in z and changes by events, S1_on and "
            "S1_off in the table of events: at the root in event-driven runs, at the end of the "
            "step in time-stepping. on= and off= are thresholds of the formula, with hysteresis "
            "between; ic=1 begins closed. A switch whose own action moves its formula across both "
            "thresholds at once has no state that it could keep, and a sentence says so. M with a "
            "negative volt is a p-channel transistor: closed where v(s,g) > -volt, v and i from "
            "source to drain. A thyristor goes out where GATE is not above 0 and its current below "
            "ih (1e-6 A); triac=1 lets it conduct both ways.\n\n"
            "  S1 a b 5-v(c) on=0.1 off=-0.1    closes below 4.9 V, opens above 5.1 V\n"
            "  S2 a b i(L1) > 2 || v(c) < 1     by a condition\n"
            "  B1 a 0 i=1e-3*v(a)^3\n\n"
            "E, F, G, H may have POLY(n), TABLE and VALUE of SPICE for inputs and gain; tables, "
            "and pwl() in formulas, are held beyond their ends, and jump where two points have one "
            "x:\n\n"
            "  F1 a 0 POLY(2) V1 R1 0 0 0 0 1    i(V1)*i(R1)\n"
            "  G1 a 0 TABLE {v(b)} = (0,0) (1,1e-3)\n"
            "  B2 a 0 v=pwl(v(b), 0,0, 1,5)\n\n"
            "V and I may be written as in SPICE, with blanks between numbers (ngspice has the same "
            "meaning, but for times that it takes from .tran: here edges without a time are "
            "jumps):\n\n"
            "  DC 5\n"
            "  SIN(VO VA FREQ [TD THETA PHASE])     VO + VA exp(-(t-TD) THETA) sin(2 pi FREQ "
            "(t-TD) + PHASE), degrees\n"
            "  PULSE(V1 V2 [TD TR TF PW PER])       from V1 to V2 at TD in TR, for PW, and back in "
            "TF; again after PER\n"
            "  EXP(V1 V2 TD1 TAU1 TD2 TAU2)         towards V2 from TD1, back from TD2\n"
            "  PWL(T1 V1 T2 V2 ...)                 linear between points\n\n"
            "* or # begins a line of comment, ; a comment behind an element, + goes on with the "
            "line before. A line .end ends the list. .repeat makes lines once for each value of an "
            "index, as <repeat> does; the index stands in braces in names and nodes, and by its "
            "name in values:\n\n"
            "  .repeat i 1 n\n"
            "  R{i} k{i-1} k{i} R\n"
            "  C{i} k{i} 0 C0/i\n"
            "  .endrepeat\n\n"
            "A subcircuit is written once and called by lines that begin with X, with its nodes "
            "and, where they differ from the defaults, its parameters. .param names numbers, "
            ".include puts the lines of a file here:\n\n"
            "  .include parts.cir\n"
            "  .param RL=4.7k\n"
            "  .subckt lowpass in out R=1k C=100nF\n"
            "  R1 in out R\n"
            "  C1 out 0 C\n"
            "  .ends\n"
            "  X1 a b lowpass\n"
            "  X2 b c lowpass R=2*RL\n\n"
            ".ic v(a)=5 i(L1)=0.1 gives voltages of nodes at the start, which capacitors between "
            "them and node 0 take that have no ic=, and currents of inductors.\n\n"
            "In X1 the resistor is R1_X1, a node of its own, n, n_X1; node 0 is that of all. "
            "Subcircuits may call others, not themselves.\n\n"
            "A node that only diodes and switches lead from floats while they block; a note tells. "
            "Its voltage has no say in the motion; event-driven runs give the shortest "
            "multipliers.\n\n"
            "The netlist makes a system with this id and, where there are diodes or switches, an "
            "interaction ID-devices. The states are capacitor voltages v_C1 and inductor currents "
            "i_L1. A capacitor whose voltage follows from those of other capacitors and voltage "
            "sources, or an inductor whose current follows from others and from current sources, "
            "is no state; a note says so. Sources in such loops and cuts are differentiated: they "
            "should not jump. A circuit without C and L has one state, none, that rests.\n\n"
            "A node whose voltage nothing determines while switches are open and diodes block "
            "gives a one-step problem with many solutions or none: put a large resistor to node "
            "0.\n\n"
            "Results hold v and i of every element as R1.v and R1.i, and of node a the voltage as "
            "node_a.v, computed from the states and lambda of the row. In the first row lambda is "
            "0 unless gamma < 1: there diodes and switches carry no current, or no voltage.",
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
             .help = "name of the system that is made, unique among systems and interactions"},
            {.name = "file",
             .type = NS_LANG_FILE,
             .initial = "none: the text inside",
             .help = "file that holds the lines, in place of the text"},
            {.name = "inputs",
             .type = NS_LANG_NAMES,
             .initial = "none",
             .example = "u",
             .help = "names of entries of z that formulas of sources and switches read: what "
                     "controls and events write"},
            {.name = "z",
             .type = NS_LANG_REAL,
             .initial = "zero",
             .example = "0",
             .help = "their values at t0, by white space"},
            {.name = "gmin",
             .type = NS_LANG_REAL,
             .unit = "S",
             .range = "(0, inf)",
             .initial = "none",
             .help = "conductance to node 0 of nodes that else float: one of each set that only "
                     "diodes, switches and current sources lead from"}),
        .content = &(const ns_lang_item){.name = "lines",
                                         .type = NS_LANG_TEXT,
                                         .initial = "none, with file=",
                                         .help = "elements of the circuit, one in a line"},
    },
    {0},
};
