# SPDX-License-Identifier: GPL-3.0-or-later
# Models that ask for more than a machine has: a sentence soon, not hours or all of its memory.

case repeats-of-empty-repeats
setup { echo '<model xmlns="urn:nssim:model:1"><systems><repeat index="i" from="1" to="3900000">'; yes '<repeat index="k" from="1" to="0"/>' | head -n 100000; echo '</repeat></systems></model>'; } >m.xml
run timeout 100 nssim check m.xml
exit 65
stderr-match ^nssim: error: m.xml:[0-9]+: <repeat>: makes more than 2000000 systems and interactions, expected fewer$

# All rows of one body meet: a million of them are 10^12 pairs.
case million-contacts-of-one-ball
skip-unless ! grep -q fsanitize $BUILD/flags
file m.xml <<
<model xmlns="urn:nssim:model:1"><systems><LagrangianLinearTIDS id="b"><q0>1</q0><mass>1</mass></LagrangianLinearTIDS></systems>
<interactions><repeat index="i" from="1" to="999000">
<interaction id="c{i}" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
</repeat></interactions><simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation></model>
>>
run ulimit -v 3000000; timeout 100 nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <interaction id="c34">: acts on the same systems as 998999 other rows; with this one there are more than 33554432 pairs of coupled rows, expected fewer; use fewer interactions per system
>>

case dense-problem-of-many-rows
file m.xml <<
<model xmlns="urn:nssim:model:1"><systems><repeat index="i" from="1" to="6000">
<LagrangianLinearTIDS id="b{i}"><q0>1</q0><mass>1</mass></LagrangianLinearTIDS></repeat></systems>
<interactions><repeat index="i" from="1" to="6000">
<interaction id="c{i}" systems="b{i}"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
</repeat></interactions>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><LCP storage="dense"/></TimeStepping></simulation></model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <simulation>: a dense problem of 6000 rows has more than 33554432 entries, expected fewer; remove storage="dense"
>>

case many-interactions-of-a-large-system
setup { echo '<model xmlns="urn:nssim:model:1"><systems><LagrangianLinearTIDS id="b"><q0>'; yes 1 | head -n 4000; echo '</q0><mass diag="'; yes 1 | head -n 4000; echo '"/></LagrangianLinearTIDS></systems><interactions><repeat index="i" from="1" to="500000"><interaction id="c{i}" systems="b"><LagrangianLinearTIR><H>'; yes 1 | head -n 4000; echo '</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction></repeat></interactions><simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation></model>'; } >m.xml
run timeout 100 nssim check m.xml
exit 65
stderr-match ^nssim: error: m.xml:8003: <interaction id="c16778">: with this interaction the matrices H have more than 67108864 entries, expected fewer; split large systems into smaller ones$
