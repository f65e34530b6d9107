# SPDX-License-Identifier: GPL-3.0-or-later
# Integrators between events by plug-ins.

# plugins/IntegratorPlugin.c and CVODE come to the same motion and the same events within 1e-7: a ball with impacts that accumulate, a
# pendulum, friction that sticks, a relay, a forced system that is stiff, bodies with a joint, a formula of the state that jumps, a
# circuit that drives a rotor with Coulomb friction. What goes on from a checkpoint is the same to the bit.
case integrators-of-a-plug-in
timeout 120
skip-unless command -v cc
setup cp $CASES/../../plugins/IntegratorPlugin.c .
file ball.xml <<
<model xmlns="urn:nssim:model:1" name="ball">
  <systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1.03</q0><mass>2</mass><C>0.3</C><fExt>-2*9.81</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.6"/></interaction></interactions>
  <simulation T="3"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file swing.xml <<
<model xmlns="urn:nssim:model:1" name="swing">
  <systems><LagrangianDS id="p" coordinates="phi"><q0>2.5</q0><mass>1</mass><fInt>9.81*sin(phi) + 0.1*v_phi</fInt></LagrangianDS></systems>
  <interactions><interaction id="stop" systems="p"><LagrangianLinearTIR><H>1</H><e>0.4</e></LagrangianLinearTIR><NewtonImpactNSL e="0.7"/></interaction></interactions>
  <simulation T="4"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file rub.xml <<
<model xmlns="urn:nssim:model:1" name="rub">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0</q0><v0>1 0</v0><mass diag="1 1"/><K>30 0; 0 0</K><fExt>4*sin(3*t) -9.81</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en="0" mu="0.3"/></interaction></interactions>
  <simulation T="4"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file relay.xml <<
<model xmlns="urn:nssim:model:1" name="relay">
  <systems><FirstOrderLinearDS id="s" states="x y"><x0>1 -2</x0><A>0 1; -1 -0.2</A></FirstOrderLinearDS></systems>
  <interactions><interaction id="r" systems="s"><FirstOrderLinearR><C>1 0.5</C><B>0; 1</B></FirstOrderLinearR><RelayNSL lb="-0.7" ub="1.2"/></interaction></interactions>
  <simulation T="5"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file jump.xml <<
<model xmlns="urn:nssim:model:1" name="jump">
  <systems><FirstOrderNonLinearDS id="s" states="x y"><x0>0.2 1.1</x0><f>y; (1 - x^2)*y - x + 0.5*sign(x - 0.3)*cos(2*t)</f></FirstOrderNonLinearDS></systems>
  <simulation T="6"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file body.xml <<
<model xmlns="urn:nssim:model:1" name="body">
  <systems><NewtonEulerDS id="a"><q0>0.5 0 0 1 0 0 0</q0><v0>0 0 0 0.3 0 0</v0><mass>1.2</mass><inertia diag="0.1 0.2 0.25"/><fExt>0 0 -9.81*1.2</fExt></NewtonEulerDS></systems>
  <interactions><interaction id="j" systems="a"><KneeJointR point="0 0 0"/><EqualityConditionNSL/></interaction></interactions>
  <simulation T="1"><EventDriven h="0.02"><FLOW/></EventDriven></simulation>
</model>
>>
file motor.xml <<
<model xmlns="urn:nssim:model:1" name="motor">
  <systems>
    <netlist id="drive">V1 s 0 SIN(0 12 2)
R1 s a 1
L1 a b 1e-2
E1 b 0 v={0.1*rotor.v_phi}</netlist>
    <LagrangianLinearTIDS id="rotor" coordinates="phi"><q0>0</q0><mass>1e-3</mass><C>1e-3</C><fExt>0.1*drive.i_L1</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions><interaction id="brush" systems="rotor"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-0.2" ub="0.2"/></interaction></interactions>
  <simulation T="1"><EventDriven h="0.01"><FLOW/></EventDriven></simulation>
</model>
>>
run for f in ball swing rub relay jump body motor; do sed 's|FLOW/|CVodeOSI relativeTolerance="1e-11" absoluteTolerance="1e-13"/|' $f.xml >own.xml; sed 's|FLOW|PluginOSI plugin="IntegratorPlugin:dormand_prince"|' $f.xml >plug.xml; nssim -q own.xml -o own.h5 && nssim -q plug.xml -o plug.h5 && nssim compare -q plug.h5 own.h5 --rtol 1e-7 --atol 1e-7 --time-tol 1e-7 && nssim -q plug.xml -o g.h5 --max-steps 30 --checkpoint k 2>/dev/null; nssim -q plug.xml -o g.h5 --resume k && nssim compare -q g.h5 plug.h5 --rtol 0 --atol 0 && echo $f same; done
stdout <<
ball same
swing same
rub same
relay same
jump same
body same
motor same
>>

# Steps of one length: the implicit midpoint rule has order 2 in motion with impacts (errors fall by 4 within 10 %), and keeps the
# energy of an oscillator to 1e-11 J of 12.5 at four steps a radian; what chooses its steps obeys tolerances: a hundredth of the tolerance, errors below a
# twentieth.
case orders-of-integrators-of-a-plug-in
timeout 60
skip-unless command -v cc
setup cp $CASES/../../plugins/IntegratorPlugin.c .
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="x"><q0>1</q0><mass>1</mass><K>25</K></LagrangianLinearTIDS></systems>
  <interactions><interaction id="w" systems="d"><LagrangianLinearTIR><H>1</H><e>0.5</e></LagrangianLinearTIR><NewtonImpactNSL e="1"/></interaction></interactions>
  <simulation T="2"><EventDriven h="0.1"><PluginOSI plugin="IntegratorPlugin:METHOD"/></EventDriven></simulation>
</model>
>>
file look.py <<
import json, math, subprocess, sys
# from x = 1 to the stop at -1/2 in (2 pi/3)/5 s, back to 1 in the same: a period of 4 pi/15
def exact(t):
    T = 4 * math.pi / 15
    s = t % T
    return math.cos(5 * min(s, T - s))
def run(method, wall="0.5"):
    text = open("m.xml").read().replace("METHOD", method).replace("<e>0.5<", "<e>%s<" % wall)
    open("r.xml", "w").write(text)
    r = json.loads(subprocess.run(["nssim", "-q", "r.xml", "--json"], capture_output=True, text=True).stdout)
    return abs(r["systems"]["d"]["q"][0] - exact(2)), abs(r["systems"]["d"]["v"][0] ** 2 / 2 + 25 * r["systems"]["d"]["q"][0] ** 2 / 2 - 12.5)
e = [run('implicit_midpoint" step="%g' % h) for h in (4e-3, 2e-3, 1e-3)]
print(all(abs(a[0] / b[0] - 4) < 0.4 for a, b in zip(e, e[1:])))
print(run('implicit_midpoint" step="0.05', "20")[1] < 1e-11)
e = [run('dormand_prince" relativeTolerance="%g" absoluteTolerance="%g' % (r, r)) for r in (1e-5, 1e-7, 1e-9)]
print(all(b[0] < a[0] / 20 for a, b in zip(e, e[1:])), e[-1][0] < 1e-7)
>>
run python3 look.py
stdout <<
True
True
True True
>>

# Its steps are checked by nssim: what says that it has no error ends the run; what fails, crashes or gives no numbers ends it with its
# element and name.
case integrators-of-plugins-that-are-none
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="y"><q0>1</q0><mass>1</mass><K>4</K></LagrangianLinearTIDS></systems>
  <simulation T="5"><EventDriven h="0.1">
    <PluginOSI plugin="Lib:f"/></EventDriven></simulation>
</model>
>>
file Lib.c <<
#include <nssim/plugin.h>
#include <math.h>
#include <stdlib.h>
#define STEP(name) static int name(const nssim_motion *m, double t, double h, const double *x, const double *f, double *to, double *error, double *s)
#define NOTHING (void)m, (void)t, (void)h, (void)x, (void)f, (void)to, (void)error, (void)s
STEP(lies) { NOTHING; for (unsigned i = 0; i < m->n; i++) to[i] = x[i] + h * f[i]; return 0; }
STEP(gives_up) { NOTHING; return 1; }
STEP(nan_) { NOTHING; to[0] = NAN; return 0; }
STEP(bad) { NOTHING; for (unsigned i = 0; i < m->n; i++) { to[i] = x[i]; error[i] = NAN; } return 0; }
STEP(falls_) { NOTHING; abort(); }
STEP(quits_) { NOTHING; exit(3); }
#define OF(name, step) const nssim_integrator *name(void) { static const nssim_integrator s = NSSIM_INTEGRATOR(4, 0, NULL, step); return &s; }
const nssim_integrator *none(void) { return NULL; }
const nssim_integrator *old(void) { static const nssim_integrator s = {99, 4, 4, 0, NULL, lies}; return &s; }
OF(half, NULL) OF(lie, lies) OF(lazy, gives_up) OF(nan1, nan_) OF(worse, bad) OF(falls, falls_) OF(quits, quits_)
static size_t most(unsigned n) { (void)n; return (size_t)-1; }
const nssim_integrator *huge(void) { static const nssim_integrator s = NSSIM_INTEGRATOR(4, 0, most, lies); return &s; }
const nssim_integrator *here(void) { abort(); }
>>
run for f in absent none old half here; do sed "s/Lib:f/Lib:$f/" m.xml >f.xml; nssim check f.xml 2>&1 >/dev/null | cut -c1-150; done; for f in lie lazy nan1 worse falls quits huge; do sed "s/Lib:f/Lib:$f/" m.xml >$f.xml; nssim -q $f.xml -o f.csv; echo $f $?; done; sed 's| plugin="Lib:f"||' m.xml >f.xml; nssim check f.xml 2>&1 >/dev/null
exit 65
stdout-match f\.xml:4: <PluginOSI>: plug-in "Lib:absent": there is no function "absent"
stdout-match f\.xml:4: <PluginOSI>: plug-in "Lib:none": returned NULL, expected the table of an integrator
stdout-match f\.xml:4: <PluginOSI>: plug-in "Lib:old": its integrator has plug-in ABI 99 and 4 bytes, this nssim has ABI 1
stdout-match f\.xml:4: <PluginOSI>: plug-in "Lib:half": its integrator has no function step
stdout-match Lib:here
stdout-match lie 70
stdout-match lazy 70
stdout-match nan1 70
stdout-match worse 70
stdout-match falls 69
stdout-match quits 69
stdout-match huge 71
stderr-match lazy\.xml:4: <PluginOSI>: plug-in "Lib:lazy" stopped at t = 0 s .* its state or error is not finite, even with the shortest step
stderr-match Lib:falls
stderr-match Lib:quits
stdout-match f\.xml:4: <PluginOSI>: .*plugin
