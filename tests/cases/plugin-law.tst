# SPDX-License-Identifier: GPL-3.0-or-later
# Laws of contact by plug-ins.

# The law of plugins/CohesivePlugin.c is CohesiveFrictionNSL, to the bit: of a Lagrangian system, of a rigid body, and of shapes in space and
# in the plane, alone and beside a system of another kind; and runs that go on have its memory.
case cohesive-law-of-a-plugin
timeout 120
skip-unless command -v cc
file l.xml <<
<model xmlns="urn:nssim:model:1" name="block">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0</q0><mass diag="2 2"/><fExt>5*t -2*9.81+60*t</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR><CohesiveFrictionNSL en="0" mu="0.3" sigma="20"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
</model>
>>
setup cp $CASES/../../plugins/CohesivePlugin.c .
setup sed -e 's|<Lagr.*</Lag.*DS>|<RigidBody2dDS id="d"><q0>0 0 0</q0><mass>2</mass><inertia>0.1</inertia><fExt>5*t -2*9.81+60*t</fExt></RigidBody2dDS>|' -e 's|<Lagr.*TIR>|<NewtonEuler3DR><P1>x y 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler3DR>|' l.xml >r.xml
setup sed -e 's|<Lagr.*</Lag.*DS>|<RigidBody2dDS id="d"><q0>0 0.05 0</q0><mass>2</mass><inertia>0.1</inertia><fExt>5*t -2*9.81+60*t</fExt><Rectangle size="0.2 0.1"/></RigidBody2dDS>|' -e 's|<interactions>.*\(<Coh.*/>\)</interaction></interactions>|<contacts>\1<HalfPlane normal="0 1"/></contacts>|' l.xml >c.xml
setup sed -e 's|<Lagr.*</Lag.*DS>|<NewtonEulerDS id="d"><q0>0 0 0.05 1 0 0 0</q0><mass>2</mass><inertia diag="0.1 0.1 0.1"/><fExt>5*t 0 -2*9.81+90*t</fExt><Box size="0.2 0.1 0.1"/></NewtonEulerDS>|' -e 's|<interactions>.*\(<Coh.*/>\)</interaction></interactions>|<contacts>\1<Plane normal="0 0 1"/></contacts>|' l.xml >b.xml
setup for f in l r c b; do sed -e 's|<systems>|<systems><FirstOrderLinearDS id="o" states="s"><x0>1</x0><A>-1</A></FirstOrderLinearDS>|;s|</TimeS|<EulerMoreauOSI/></TimeS|' $f.xml >m$f.xml; done
run for f in l r c b ml mr mc mb; do sed 's|<CohesiveFrictionNSL|<PluginNSL plugin="CohesivePlugin:cohesive"|;s|sigma=|p1=|' $f.xml >p.xml; nssim -q $f.xml -o f.csv && nssim -q p.xml -o p.csv && cmp f.csv p.csv && nssim -q p.xml -o g.csv --max-steps 700 --checkpoint k 2>/dev/null; nssim -q p.xml -o g.csv --resume k && cmp p.csv g.csv && echo same; done
stdout <<
same
same
same
same
same
same
same
same
>>

case laws-of-plugins-that-are-none
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0</q0><mass diag="1 1"/></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>
    <PluginNSL plugin="Lib:f" en="0" mu="0.3"/></interaction></interactions>
  <simulation T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <nssim/plugin.h>
#include <stdlib.h>
static void begin(const double *p, double gap, double *m) { (void)p, (void)gap; *m = 1; }
static double tension(const double *p, const double *m) { (void)p, (void)m; abort(); }
static void keep(const double *p, double r, double *m) { (void)p, (void)r, (void)m; }
const nssim_law *none(void) { return NULL; }
const nssim_law *old(void) { static const nssim_law l = {99, 4, 1, begin, tension, keep}; return &l; }
const nssim_law *much(void) { static const nssim_law l = NSSIM_LAW(17, begin, tension, keep); return &l; }
const nssim_law *half(void) { static const nssim_law l = NSSIM_LAW(1, begin, NULL, keep); return &l; }
static int solve(const nssim_problem *p, double *r, unsigned *n, double *x) { (void)p, (void)r, (void)n, (void)x; return 1; }
const nssim_solver *other(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, solve); return &s; }
const nssim_law *falls(void) { static const nssim_law l = NSSIM_LAW(1, begin, tension, keep); return &l; }
const nssim_law *here(void) { abort(); }
>>
run for f in absent none old other much half here; do sed "s/Lib:f/Lib:$f/" m.xml >f.xml; nssim check f.xml 2>&1 >/dev/null | cut -c1-150; done; sed "s/Lib:f/Lib:falls/" m.xml >f.xml; nssim -q f.xml -o f.csv
exit 69
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:absent": there is no function "absent"
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:none": returned NULL, expected the table of a law
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:old": its law has plug-in ABI 99 and 4 bytes, this nssim has ABI 1
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:other": returned a table of 24 bytes, expected a law of 40 bytes: it is another table
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:much": its law stores 17 numbers per contact, expected 1 to 16
stdout-match f\.xml:4: <PluginNSL>.*: plug-in "Lib:half": its law has no function tension, expected begin, tension and keep
stdout-match Lib:here
stderr-match Lib:falls

# A tension that is not a number, from the first step or from a memory that is none later, ends the run as other results do, also of a
# contact that is open and would have no tension.
case tensions-that-are-not-finite
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0.1</q0><mass diag="1 1"/></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>
    <PluginNSL plugin="Lib:f" en="0" mu="0.3"/></interaction></interactions>
  <simulation T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <nssim/plugin.h>
#include <math.h>
static void begin(const double *p, double gap, double *m) { (void)p, (void)gap; *m = 1; }
static void nothing(const double *p, double gap, double *m) { (void)p, (void)gap; *m = NAN; }
static double is(const double *p, const double *m) { (void)p; return *m; }
static double without_end(const double *p, const double *m) { (void)p, (void)m; return INFINITY; }
static void keep(const double *p, double r, double *m) { (void)p, (void)r, (void)m; }
static void spoil(const double *p, double r, double *m) { (void)p, (void)r; *m = *m > 3 ? NAN : *m + 1; }
const nssim_law *first(void) { static const nssim_law l = NSSIM_LAW(1, nothing, is, keep); return &l; }
const nssim_law *later(void) { static const nssim_law l = NSSIM_LAW(1, begin, is, spoil); return &l; }
const nssim_law *huge(void) { static const nssim_law l = NSSIM_LAW(1, begin, without_end, keep); return &l; }
>>
run for f in first later huge; do sed "s/Lib:f/Lib:$f/" m.xml >$f.xml; nssim -q $f.xml -o $f.csv; echo $? $(wc -l <$f.csv); done
stdout <<
69 2
69 6
69 2
>>
stderr-match first\.xml:4: <PluginNSL>: plug-in "Lib:first" computed -?nan as the tension of a contact, expected a finite number
stderr-match later\.xml:4: <PluginNSL>: plug-in "Lib:later" computed -?nan as the tension
stderr-match huge\.xml:4: <PluginNSL>: plug-in "Lib:huge" computed inf as the tension
