# SPDX-License-Identifier: GPL-3.0-or-later
# Solvers of one-step problems by plug-ins.

# plugins/SweepPlugin.c and the solvers of nssim come to the same motion, each problem solved to 1e-9: an LCP and a box with two bounds
# (Lagrangian, first order), friction in the plane and in space (Lagrangian, bodies, the same beside another system), rolling friction.
# What goes on from a checkpoint is the same to the bit.
case a-solver-of-a-plug-in
timeout 120
skip-unless command -v cc
file l.xml <<
<model xmlns="urn:nssim:model:1" name="two">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS>
    <LagrangianLinearTIDS id="b" coordinates="x"><q0>2</q0><mass>3</mass><fExt>-3*9.81</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="floor" systems="a"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.6"/></interaction>
    <interaction id="pair" systems="a b"><LagrangianLinearTIR><H>-1 1</H><e>-0.2</e></LagrangianLinearTIR><NewtonImpactNSL e="0.3"/></interaction>
  </interactions>
  <simulation T="2"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP PLACE/></TimeStepping></simulation>
</model>
>>
file r.xml <<
<model xmlns="urn:nssim:model:1" name="relays">
  <systems><FirstOrderLinearDS id="s" states="x y"><x0>1 -2</x0><A>0 1; -1 -1</A></FirstOrderLinearDS></systems>
  <interactions><interaction id="r" systems="s"><FirstOrderLinearR><C>1 0.5; 0 1</C><B>2 0; 0 1</B></FirstOrderLinearR><RelayNSL lb="-1 -0.5" ub="1 2"/></interaction></interactions>
  <simulation T="2"><TimeStepping h="0.001"><EulerMoreauOSI/><Relay PLACE/></TimeStepping></simulation>
</model>
>>
file f.xml <<
<model xmlns="urn:nssim:model:1" name="puck">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y z"><q0>0 0 0.1</q0><v0>1 0.5 0</v0><mass diag="2 2 2"/><fExt>sin(9*t) 0 -2*9.81</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en="0.5" mu="0.3"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><FrictionContact PLACE/></TimeStepping></simulation>
</model>
>>
file b.xml <<
<model xmlns="urn:nssim:model:1" name="balls">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0.11 1 0 0 0</q0><v0>2 0.2 0 0 0 1</v0><mass>1</mass><inertia diag="0.004 0.004 0.004"/><fExt>0 0 -9.81</fExt><Sphere radius="0.1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>0.4 0.05 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="0.004 0.004 0.004"/><fExt>0 0 -9.81</fExt><Sphere radius="0.1"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.4"/><Plane normal="0 0 1"/></contacts>
  <simulation T="0.5"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><GenericMechanical PLACE/></TimeStepping></simulation>
</model>
>>
file w.xml <<
<model xmlns="urn:nssim:model:1" name="rolls">
  <systems><NewtonEulerDS id="a"><q0>0 0 0.1 1 0 0 0</q0><v0>1 0 0 0 0 3</v0><fExt>0 0 -9.81*4</fExt><mass>4</mass><inertia diag="0.016 0.016 0.016"/><Sphere radius="0.1"/></NewtonEulerDS></systems>
  <contacts><NewtonImpactRollingFrictionNSL en="0" mu="0.4" muRolling="0.01"/><Plane normal="0 0 1"/></contacts>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><RollingFrictionContact PLACE/></TimeStepping></simulation>
</model>
>>
setup cp $CASES/../../plugins/SweepPlugin.c .
setup sed -e 's|<systems>|<systems><FirstOrderLinearDS id="o" states="s"><x0>1</x0><A>-1</A></FirstOrderLinearDS>|;s|<Friction|<EulerMoreauOSI/><Friction|' f.xml >mf.xml
run for f in l r f b w mf; do sed 's|PLACE|tolerance="1e-9"|' $f.xml >own.xml; sed 's|PLACE|tolerance="1e-9" solver="SweepPlugin:sweeps" maxIterations="1000000"|' $f.xml >plug.xml; nssim -q own.xml -o own.h5 && nssim -q plug.xml -o plug.h5 && nssim compare -q plug.h5 own.h5 --rtol 1e-6 --atol 1e-6 && nssim -q plug.xml -o g.h5 --max-steps 300 --checkpoint k 2>/dev/null; nssim -q plug.xml -o g.h5 --resume k && nssim compare -q g.h5 plug.h5 --rtol 0 --atol 0 && echo $f same; done
stdout <<
l same
r same
f same
b same
w same
mf same
>>

# Its answer is measured: one that says that it has solved what it has not ends the run, and goes on where the model accepts that.
case solvers-of-plugins-that-are-none
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="y"><q0>0</q0><v0>-1</v0><mass>1</mass></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction></interactions>
  <simulation T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI/>
    <LCP solver="Lib:f"/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <nssim/plugin.h>
#include <math.h>
#include <stdlib.h>
static int lies(const nssim_problem *p, double *r, unsigned int *n, double *x) { (void)p, (void)r, (void)x; *n = 7; return 0; }
static int nan_(const nssim_problem *p, double *r, unsigned int *n, double *x) { (void)p, (void)n, (void)x; *r = NAN; return 0; }
static int falls_(const nssim_problem *p, double *r, unsigned int *n, double *x) { (void)p, (void)r, (void)n, (void)x; abort(); }
const nssim_solver *none(void) { return NULL; }
const nssim_solver *old(void) { static const nssim_solver s = {99, 4, NULL, lies}; return &s; }
const nssim_solver *half(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, NULL); return &s; }
const nssim_solver *lie(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, lies); return &s; }
const nssim_solver *nan1(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, nan_); return &s; }
static int quits_(const nssim_problem *p, double *r, unsigned int *n, double *x) { (void)p, (void)r, (void)x; *n = 5; return 2; }
const nssim_solver *quits(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, quits_); return &s; }
const nssim_solver *falls(void) { static const nssim_solver s = NSSIM_SOLVER(NULL, falls_); return &s; }
static size_t most(unsigned n) { (void)n; return (size_t)-1; }
const nssim_solver *huge(void) { static const nssim_solver s = NSSIM_SOLVER(most, lies); return &s; }
const nssim_solver *here(void) { abort(); }
>>
run for f in absent none old half here; do sed "s/Lib:f/Lib:$f/" m.xml >f.xml; nssim check f.xml 2>&1 >/dev/null | cut -c1-150; done; for f in lie nan1 quits falls huge; do sed "s/Lib:f/Lib:$f/" m.xml >$f.xml; nssim -q $f.xml -o f.csv; echo $?; done; sed 's|"Lib:f"|"auto:"|' m.xml >f.xml; nssim check f.xml 2>&1 >/dev/null
exit 69
stdout-match f\.xml:5: <LCP>: plug-in "Lib:absent": there is no function "absent"
stdout-match f\.xml:5: <LCP>: plug-in "Lib:none": returned NULL, expected the table of a solver
stdout-match f\.xml:5: <LCP>: plug-in "Lib:old": its solver has plug-in ABI 99 and 4 bytes, this nssim has ABI 1
stdout-match f\.xml:5: <LCP>: plug-in "Lib:half": its solver has no function solve, expected one
stdout-match Lib:here
stderr-match lie\.xml:3: <interaction id="g">: the one-step problem of 1 row in.* was not solved: the solver of the plug-in returned 0, but its result is not a solution \(plug-in, 7 iterations
stderr-match quits\.xml:3: .*: the solver of the plug-in failed, returning a value other than 0 \(plug-in, 5 iterations
stderr-match nan1\.xml:3: <interaction id="g">: the one-step problem of 1 row in.* was not solved
stderr-match Lib:falls
stdout-match 71
