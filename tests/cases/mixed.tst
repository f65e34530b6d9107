# SPDX-License-Identifier: GPL-3.0-or-later
# Systems of several kinds in one model, and formulas of one that read another: what is said of mistakes, and runs from outside.

case motor
file m.xml <<
<model xmlns="urn:nssim:model:1" name="motor">
  <systems>
    <netlist id="drive">
      V1 s 0 12
      R1 s a 2
      L1 a b 0.01
      V2 b 0 0.05*rotor.v_phi
    </netlist>
    <LagrangianLinearTIDS id="rotor" coordinates="phi"><q0>0</q0><mass>1e-4</mass><fExt>0.05*drive.i_L1</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="brake" systems="rotor"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-0.05" ub="0.05"/></interaction>
  </interactions>
  <simulation T="0.02"><TimeStepping h="1e-5"><EulerMoreauOSI theta="0.5"/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml && nssim m.xml -q -o m.csv && nssim m.xml -q -o m.h5 && nssim compare m.csv m.h5 && tail -n 1 m.csv | cut -d, -f1,2,6
stdout-match ^0\.02,5\.30681[78]\d*,33\.59063\d*$

# the same event by event, to more digits
case motor-events
file m.xml <<
<model xmlns="urn:nssim:model:1" name="motor">
  <systems>
    <netlist id="drive">
      V1 s 0 12
      R1 s a 2
      L1 a b 0.01
      V2 b 0 0.05*rotor.v_phi
    </netlist>
    <LagrangianLinearTIDS id="rotor" coordinates="phi"><q0>0</q0><mass>1e-4</mass><fExt>0.05*drive.i_L1</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="brake" systems="rotor"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-0.05" ub="0.05"/></interaction>
  </interactions>
  <simulation T="0.02"><EventDriven h="1e-3"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml && nssim m.xml -q -o m.csv && nssim m.xml -q -o m.h5 && nssim compare m.csv m.h5 && tail -n 1 m.csv | cut -d, -f1,2,6 && cut -d, -f1-3 m.events.csv | tail -n 1
stdout-match ^0\.02,5\.3068180[06]\d*,33\.590636\d*\n0\.000911607784\d*,slip,brake$

case events-by-another-integrator
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>b.z</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-a.x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><EventDriven h="0.1"><NewMarkAlphaOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <simulation>: NewMarkAlphaOSI with systems of several kinds, expected <CVodeOSI/> or <IDAOSI/>: its steps integrate positions and velocities, which first-order states are not
>>

case a-diode-beside-a-source-of-another-circuit
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <netlist id="g">
      V1 s 0 12
      R1 s a 1
      L1 a 0 0.1
    </netlist>
    <netlist id="h">
      V1 s 0 12*g.i_L1
      R1 s a 1
      D1 a 0
    </netlist>
  </systems>
  <simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
stdout-match .*

# the source of the rotor's voltage is proportional to the speed: both powers are the same
case power-of-a-coupling
file m.xml <<
<model xmlns="urn:nssim:model:1" name="motor">
  <systems>
    <netlist id="drive">L1 0 a 0.01
      V2 a 0 0.05*rotor.v_phi
    </netlist>
    <LagrangianLinearTIDS id="rotor" coordinates="phi"><q0>0</q0><v0>100</v0><mass>1e-4</mass><fExt>0.05*drive.i_L1</fExt></LagrangianLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="1e-4"><EulerMoreauOSI theta="0.5"/><MoreauJeanOSI/></TimeStepping></simulation>
  <output><observe id="energy">0.5*1e-4*v_phi^2 + 0.5*0.01*i_L1^2</observe></output>
</model>
>>
run nssim m.xml -q -o m.csv
verify python3 -c 'import csv; r = list(csv.DictReader(open("m.csv"))); e = [float(x["energy.value"]) for x in r]; assert len(e) == 10001 and max(abs(x - 0.5) for x in e) < 1e-11, max(abs(x - 0.5) for x in e)'

case a-name-of-another-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>b.y + b.v_z + b.q[3]</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-a.x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:3: <fInt> of <LagrangianDS id="a">: in "b\.y \+ b\.v_z \+ b\.q\[3\]", column 1: unknown name "b\.y"; system b has no variable of this name

case an-entry-that-is-not-there
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>b.x[3]</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-a.x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <FirstOrderNonLinearDS id="b">: a formula of another system reads entry 3 of its state, which has 1; entries count from 0
>>

case a-rate-of-first-order
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>b.v[0]</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-a.x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <FirstOrderNonLinearDS id="b">: a formula of another system reads its rate v[0], expected its state: a first-order system has x[0], x[1], ...
>>

case no-integrator-for-a-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>b.z</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-a.x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianDS id="a">: no integrator applies to this system, expected <MoreauJeanOSI/> in <TimeStepping>
>>

case integrators-that-name-one-twice-or-the-wrong-one
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0></LagrangianDS>
    <LagrangianDS id="b" coordinates="x"><q0>1</q0></LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI systems="a b"/><MoreauJeanOSI systems="b"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml; sed 's|<MoreauJeanOSI systems="b"/>|<EulerMoreauOSI systems="b"/>|; s|systems="a b"|systems="a"|' m.xml | nssim check -
exit 65
stderr <<
nssim: error: m.xml:6: <MoreauJeanOSI>: lists b, which an earlier integrator lists, too, expected each system once
nssim: error: standard input:6: <EulerMoreauOSI>: names b, a LagrangianDS, expected <MoreauJeanOSI> for it
>>

case a-source-whose-slope-is-needed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <netlist id="k">
      V1 a 0 rotor.v_phi
      C1 a 0 1e-6
    </netlist>
    <LagrangianDS id="rotor" coordinates="phi"><q0>0</q0></LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:4: <netlist id="k">: V1: reads another system and closes a loop of capacitors and voltage sources

case a-force-of-another-system-that-is-not-finite
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="good" coordinates="x"><q0>1</q0><fInt>x</fInt></LagrangianDS>
    <LagrangianDS id="a" coordinates="x"><q0>1</q0><fInt>sqrt(b.z)</fInt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="z"><x0>1</x0><f>-4</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o m.csv
exit 70
stderr-match m\.xml:4: <LagrangianDS id="a">: <fInt> of x is not finite at t = 0\.\d+ s: sqrt\(b\.z\) is nan with b\.z = -

case interrupted-and-resumed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="coil" states="psi"><x0>0</x0><f>6 - 10*psi*(1 + plunger.x/1e-3)/0.5</f></FirstOrderNonLinearDS>
    <LagrangianDS id="plunger" coordinates="x"><q0>0.004</q0><mass>0.02</mass><fInt>-200*(0.01 - x) + coil.psi^2/(2*0.5*1e-3)</fInt></LagrangianDS>
  </systems>
  <interactions>
    <interaction id="near" systems="plunger"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.3"/></interaction>
    <interaction id="far" systems="plunger"><LagrangianLinearTIR><H>-1</H><e>0.004</e></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
  </interactions>
  <simulation T="0.04"><TimeStepping h="1e-5"><EulerMoreauOSI theta="0.5"/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o whole.csv; nssim m.xml -q -o part.csv --checkpoint c --checkpoint-every 0.003 --max-steps 1234; nssim m.xml -q -o part.csv --resume c && cmp whole.csv part.csv && echo same
exit 0
stdout-match same$

# bodies with a joint, with contacts that come and go, and a circuit that turns one of them
case interrupted-bodies
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <netlist id="coil">V1 s 0 6*sin(9*t)
      R1 s a 1
      L1 a b 0.05
      V2 b 0 0.8*arm.v_angle
    </netlist>
    <RigidBody2dDS id="arm"><q0>0.5 0.3 0</q0><mass>0.4</mass><inertia>0.0333</inertia><fExt>0 -3.924</fExt><mExt>0.8*coil.i_L1</mExt>
      <Rectangle size="1 0.04"/></RigidBody2dDS>
    <RigidBody2dDS id="ball"><q0>0.9 0.6 0</q0><v0>-0.3 0 0</v0><mass>0.1</mass><inertia>5e-4</inertia><fExt>0 -0.981</fExt><Disk radius="0.1"/></RigidBody2dDS>
    <RigidBody2dDS id="other"><q0>0.2 0.9 0</q0><mass>0.1</mass><inertia>5e-4</inertia><fExt>0 -0.981</fExt><Disk radius="0.1"/></RigidBody2dDS>
  </systems>
  <interactions><interaction id="hinge" systems="arm"><PivotJointR point="0 0.3"/><EqualityConditionNSL/></interaction>
    <spring id="band" systems="ball other" damping="0.01" stiffness="3" restLength="0.8"/>
    <damper id="oil" systems="ball arm"><along>-0.1*coil.i_L1^2*rate</along></damper></interactions>
  <contacts><HalfPlane normal="0 1" at="0 0"/><NewtonImpactFrictionNSL en="0.3" mu="0.3"/></contacts>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/><EulerMoreauOSI theta="0.5"/></TimeStepping></simulation>
</model>
>>
run for p in "" DirectProjection CombinedProjection; do sed "s/MoreauJeanOSI/MoreauJean${p}OSI/" m.xml >n.xml; nssim n.xml -q -o whole.csv; nssim n.xml -q -o part.csv --checkpoint c --max-steps 431; nssim n.xml -q -o part.csv --resume c && cmp whole.csv part.csv && echo same; done
stdout <<
same
same
same
>>
stderr-match .*

# springs of contacts are kept
case interrupted-compliant-contacts
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearDS id="o" states="s"><x0>1</x0><A>-1</A></FirstOrderLinearDS>
    <RigidBody2dDS id="ball"><q0>0.9 0.1 0</q0><v0>-0.3 0 0</v0><mass>0.1</mass><inertia>5e-4</inertia><fExt>o.s -0.981</fExt><Disk radius="0.1"/></RigidBody2dDS>
    <RigidBody2dDS id="other"><q0>0.8 0.28 0</q0><mass>0.1</mass><inertia>5e-4</inertia><fExt>0 -0.981</fExt><Disk radius="0.1"/></RigidBody2dDS>
  </systems>
  <contacts><HalfPlane normal="0 1" at="0 0"/><CompliantFrictionNSL K="1e5" eta="1.5" C="1" Kt="5e4" mu="0.3"/></contacts>
  <simulation T="0.5"><TimeStepping h="0.001"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o whole.csv; nssim m.xml -q -o part.csv --checkpoint c --max-steps 231; nssim m.xml -q -o part.csv --resume c && cmp whole.csv part.csv && echo same
stdout-match ^same$
stderr-match .*

# a relation over both kinds
case interrupted-relation-over-both
run nssim $MODELS/check-valve-pump/check-valve-pump.xml -q -o whole.csv; nssim $MODELS/check-valve-pump/check-valve-pump.xml -q -o part.csv --checkpoint c --max-steps 3231; nssim $MODELS/check-valve-pump/check-valve-pump.xml -q -o part.csv --resume c && cmp whole.csv part.csv && echo same
stdout-match ^same$
stderr-match .*

case relations-over-both-that-are-not-built
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="f" states="s"><x0>1</x0><A>-1</A></FirstOrderLinearTIDS>
    <LagrangianDS id="o" coordinates="q"><q0>0</q0></LagrangianDS>
    <NewtonEulerDS id="b"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions><interaction id="r" systems="f WHO"><FirstOrderType2R><h>f.s + lambda[0]</h><g>lambda[0], 0 REST</g></FirstOrderType2R><RelayNSL/></interaction></interactions>
  <simulation T="1"><STEPS</simulation>
</model>
>>
setup sed 's/WHO/b/;s/REST/0 0 0 0 0/;s|STEPS|TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping>|' m.xml >a.xml
setup grep -v NewtonE m.xml | sed 's/WHO/o/;s/REST//;s|STEPS|EventDriven h="0.1"><IDAOSI/></EventDriven>|' >b.xml
run nssim check a.xml 2>&1; nssim check b.xml 2>&1
exit 65
stdout-match a\.xml:7: <FirstOrderType2R> .*"r".*: acts on b, a body in space, whose orientation has more coordinates than velocities, expected systems with as many
stdout-match b\.xml:6: <interaction id="r">: a relation of first order over mechanics with <IDAOSI>, expected <CVodeOSI>: forces of constraints are unknowns of IDA, and the multipliers of this row follow from accelerations, which depend on these forces

# what a formula of a force may not name
case force-reads-a-name-that-is-none
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <RigidBody2dDS id="a"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
    <FirstOrderLinearDS id="f" states="s"><x0>1</x0><A>-1</A></FirstOrderLinearDS>
  </systems>
  <interactions><spring id="k" systems="a world" point2="1 0"><along>-f.y*length</along></spring></interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:6: <along> of <spring id="k">.*unknown name "f\.y"; system f has no variable of this name

# and of joints; entries by numbers that are not there
case formulas-read-what-is-not-there
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <RigidBody2dDS id="a"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
    <FirstOrderLinearDS id="f" states="s"><x0>1</x0><A>-1</A><b>NAME</b></FirstOrderLinearDS>
  </systems>
  <interactions><interaction id="h" systems="a"><PivotJointR point="0 0"/><EqualityConditionNSL/></interaction>
    <interaction id="g" systems="a"><NewtonEuler1DR><P1>x y 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler1DR><NewtonImpactNSL e="0"/></interaction>
    <spring id="k" systems="a world" point2="1 0"><along>-LENGTH*length</along></spring></interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run for n in h.slide h.lambda g.y k.force q.angle; do sed "s/NAME/$n/;s/LENGTH/1/" m.xml >n.xml; nssim check n.xml 2>&1; done; for n in f.x[3] a.v[3] h.v[0]; do sed "s/NAME/1/;s/LENGTH/$n/" m.xml >n.xml; nssim check n.xml 2>&1; done
exit 65
stdout-match n\.xml:4: <b> of .*unknown name "h\.slide"; formulas of systems can read the free coordinates of a joint, angle, v_angle or slide, v_slide
stdout-match unknown name "h\.lambda"; multipliers of mechanics are impulses
stdout-match unknown name "g\.y"; formulas of systems can read states, inputs, angles of joints, and lambda\[k\] of relations of first order
stdout-match unknown name "k\.force"; formulas of systems can read length and rate of a force between bodies
stdout-match unknown name "q\.angle"
stdout-match n\.xml:4: <FirstOrderLinearDS id="f">: a formula of another system reads entry 3 of its state, which has 1
stdout-match n\.xml:3: <RigidBody2dDS id="a">: a formula of another system reads entry 3 of its state, which has 3
stdout-match unknown name "h\[0\]"|unknown name "h\.v\[0\]"|h\.v

# projections are of bodies
case projections-of-other-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="o" coordinates="q"><q0>0</q0></LagrangianLinearTIDS>
    <RigidBody2dDS id="b"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanDirectProjectionOSI/>OTHER</TimeStepping></simulation>
</model>
>>
run for o in "" "<MoreauJeanOSI/>" "<MoreauJeanOSI/><SchatzmanPaoliOSI/>"; do sed "s|OTHER|$o|" m.xml >n.xml; nssim check n.xml 2>&1 | grep -E "error|^good"; done
stdout-match n\.xml:3: <LagrangianLinearTIDS id="o">: no integrator applies to this system, expected <MoreauJeanOSI/> in <TimeStepping>
stdout-match ^good$
stdout-match <SchatzmanPaoliOSI>: integrates together with other integrators or coupled systems, expected <MoreauJeanOSI/>, <EulerMoreauOSI/> or <ZeroOrderHoldOSI/>, for rigid bodies <MoreauJeanDirectProjectionOSI/> or <MoreauJeanCombinedProjectionOSI/> too

case bodies-with-two-integrators
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <RigidBody2dDS id="a"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
    <RigidBody2dDS id="b"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI systems="a"/><MoreauJeanOSI systems="b" theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:4: <RigidBody2dDS id="b">: its integrator is not that of the first body, expected one <MoreauJeanOSI> for all rigid bodies

# a body that cannot be made is the only fault that is told
case a-body-that-cannot-be-made
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearDS id="f" states="s"><x0>1</x0><A>-1</A><b>b.z + b.q[6]</b></FirstOrderLinearDS>
    <NewtonEulerDS id="b"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1"/><Sphere radius="0.5"/></NewtonEulerDS>
  </systems>
  <contacts><Plane normal="0 0 1" at="0 0 0"/><NewtonImpactFrictionNSL en="0.5" mu="0.3"/></contacts>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml 2>&1 | wc -l; nssim check m.xml
exit 65
stdout-match ^1$
stderr-match m\.xml:4: <inertia> of <NewtonEulerDS id="b">: has 2 entries

# a rate limiter without lag is a relay on x - u: x = t to t = 2 sin t, then u to 2 pi/3, then sqrt 3 - (t - 2 pi/3); of time and of
# a mechanical coordinate, by events and by steps
case rate-limiter-as-a-law
file t.xml <<
<model xmlns="urn:nssim:model:1" name="t">
  <systems><FirstOrderNonLinearDS id="r" states="x"><x0>0</x0><f>0</f></FirstOrderNonLinearDS></systems>
  <interactions><interaction id="limit" systems="r"><FirstOrderNonLinearR><h>x - 2*sin(t)</h><g>lambda[0]</g></FirstOrderNonLinearR><RelayNSL lb="-1" ub="1"/></interaction></interactions>
  <simulation T="3"><TimeStepping h="0.001"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
file q.xml <<
<model xmlns="urn:nssim:model:1" name="q">
  <systems>
    <LagrangianLinearTIDS id="osc" coordinates="q"><q0>0</q0><v0>2</v0><mass diag="1"/><K diag="1"/></LagrangianLinearTIDS>
    <FirstOrderNonLinearDS id="r" states="x"><x0>0</x0><f>0</f></FirstOrderNonLinearDS>
  </systems>
  <interactions><interaction id="limit" systems="r"><FirstOrderNonLinearR><h>x - osc.q</h><g>lambda[0]</g></FirstOrderNonLinearR><RelayNSL lb="-1" ub="1"/></interaction></interactions>
  <simulation T="3"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
setup for f in t q; do sed 's/<TimeStepping.*<.TimeStepping>/<EventDriven h="0.01"><CVodeOSI\/><\/EventDriven>/' $f.xml >$f-events.xml; done
run for f in t q t-events q-events; do nssim -q $f.xml -o $f.csv --record r.x --record limit.y; done
verify for f in t q; do $CASES/measure $f.csv 'near(c("r.x")[-1], 3**0.5 - 3 + 2*pi/3, 2e-6)' 'all(abs(y) < 1e-9 for t, y in zip(c("time"), c("limit.y")) if 1.9 < t < 2.09)' || exit 1; $CASES/measure $f-events.csv 'near(c("r.x")[-1], 3**0.5 - 3 + 2*pi/3, 1e-8)' 'all(abs(y) < 1e-8 for t, y in zip(c("time"), c("limit.y")) if 1.9 < t < 2.09)' || exit 1; done

# a rate limiter that reads a mass which it pushes: whether its rate leaves a bound or not depends on the acceleration of the mass
case limited-rate-of-what-it-pushes
file m.xml <<
<model xmlns="urn:nssim:model:1" name="limited">
  <parameters><parameter name="s" value="0"/></parameters>
  <systems>
    <LagrangianDS id="m" coordinates="x"><q0>s - 0.353094724</q0><v0>-0.742026224</v0><mass>0.863252406</mass><fInt>-(-6.00933528*(x - s) - 0.2*v_x - 2.57994244*a.x0)</fInt><fExt>max(0, 0.790784307*sin(6.26048807*t))</fExt></LagrangianDS>
    <FirstOrderNonLinearDS id="b" states="p"><x0>-0.127932826</x0><f>2.68122312*(a.x0 + (m.x - s) - p)</f></FirstOrderNonLinearDS>
    <block id="a" start="0.130008045"><Limiter rate="1.05117428" fall="1.27750984"><u>(m.x - s) - 0.3*b.p</u></Limiter></block>
  </systems>
  <simulation T="2.4"><EventDriven h="0.025"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed 's/<EventDriven h="0.025"><CVodeOSI\/><\/EventDriven>/<TimeStepping h="5e-5"><EulerMoreauOSI theta="0.5"\/><MoreauJeanOSI theta="0.5"\/><\/TimeStepping>/' m.xml > t.xml
run for p in s=0 s=-300; do nssim -q m.xml -p $p -o m.csv && nssim -q t.xml -p $p --every=500 -o t.csv && $CASES/measure m.csv 'len(events("switch")) == 3' 'max(c("a.xdot_x0")) <= 1.05117429' && echo "$(tail -n 1 m.csv | cut -d, -f8) $(tail -n 1 t.csv | cut -d, -f8)" | awk '{d = $1 - $2; print (d < 1e-7 && d > -1e-7)}'; done
stdout <<
1
1
>>

# The bound of the norm holds in a model of several kinds as in one of bodies alone; by components the motion is another.
case friction-of-a-ball-joint-beside-a-system-of-first-order
file a.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>1 0 0 1 0 0 0</q0><v0>0 3 -2 1 2 3</v0><mass>1</mass><inertia diag="1 2 3"/></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="u" systems="a"><KneeJointR point="0 0 0"/><EqualityConditionNSL/></interaction>
    <interaction id="f"><JointFrictionR joint="u" coordinate="all"/><RelayNSL lb="-6" ub="6" norm="euclidean"/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run sed 's|</systems>|<FirstOrderLinearTIDS id="lag"><x0>1</x0><A>-1</A></FirstOrderLinearTIDS></systems>|; s|<MoreauJeanOSI/>|&<EulerMoreauOSI/>|' a.xml >b.xml && sed 's/ norm="euclidean"//' b.xml >c.xml && for m in a b c; do nssim run $m.xml -q -o $m.csv || exit; done; nssim compare a.csv b.csv -q --only 'a.*' --rtol 0 --atol 1e-9; echo $?; nssim compare b.csv c.csv -q --only 'a.*' --rtol 0 --atol 1e-2; echo $?
stdout <<
0
1
>>

# What an event of the user takes from a body is work of forces, whatever stands beside the body: its certificate holds, and K + U - W
# is what it was.
case events-of-the-user-beside-a-system-of-first-order
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><v0>1</v0><mass>1</mass><K>1</K></LagrangianLinearTIDS>
    <FirstOrderNonLinearDS id="f" states="z"><x0>0</x0><f>b.x</f></FirstOrderNonLinearDS>
  </systems>
  <events><event id="brake" when="b.x > 0.5"><set name="b.v_x" value="-b.v_x/2"/></event><event id="stop" at="2"><set name="b.v_x" value="0"/></event></events>
  <simulation T="3"><EventDriven h="0.5"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o m.csv
verify $CASES/measure m.csv 'near(c("diagnostics.work_force")[-1], c("diagnostics.kinetic")[-1] + c("diagnostics.potential")[-1] - 0.5, 1e-7) and c("diagnostics.work_force")[-1] < -0.3' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-7'

# A memory of impacts that time-stepping takes part in: the impacts are told and counted within its steps as without a system of first order,
# and the ball is at rest as it is with accumulation="stick", to the steps (y is the integral of its height).
case memories-of-impacts-that-accumulate
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="b"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><fExt>0 0 -9.81</fExt><Sphere radius="0.1"/></NewtonEulerDS>
    <FirstOrderNonLinearDS id="f" states="y"><x0>0</x0><f>b.z + 1e-15*m</f></FirstOrderNonLinearDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0.8" mu="0.3"/><Plane/></contacts>
  <simulation T="5"><EventDriven h="0.1" accumulation="time-stepping"><CVodeOSI/></EventDriven></simulation>
  <output><memory id="m" event="impact"/><memory id="n" event="impact" give="count"/></output>
</model>
>>
setup sed 's/accumulation="time-stepping"//' m.xml >stick.xml; sed '/<FirstOrder/d' m.xml >alone.xml
run for k in m stick alone; do nssim -q $k.xml -o $k.csv || exit; done
verify $CASES/measure m.csv 'near(c("f.y")[-1], c("f.y", "stick.csv")[-1], 3e-4)' 'c("n.value")[-1] == c("n.value", "alone.csv")[-1] == len(events("impact")) == 19' 'near(c("m.value")[-1], c("m.value", "alone.csv")[-1], 1e-9)' 'near(c("b.z")[-1], 0.1, 1e-12)'

# What a held system reads of others is that of the begin of the step: x+ = exp(-1/2) x + (1 - exp(-1/2)) v_k, v_k = 1.5 t_k.
case zero-order-hold-beside-mechanics
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearDS id="lag"><x0>1</x0><A>-2</A><b>2*cart.v_q</b></FirstOrderLinearDS>
    <LagrangianLinearTIDS id="cart" coordinates="q"><q0>0</q0><mass>2</mass><fExt>3</fExt></LagrangianLinearTIDS>
  </systems>
  <simulation T="2"><TimeStepping h="0.25"><ZeroOrderHoldOSI/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o m.csv && awk -F, 'BEGIN{x=1} NR>1{d=$2-x; if(d<0)d=-d; if(d>1e-14)print NR,d; x=exp(-.5)*x+(1-exp(-.5))*1.5*$1} END{print NR}' m.csv
stdout <<
10
>>

# The schemes of first order are in a model of several kinds what they are alone: a relation between two systems.
case schemes-of-first-order-beside-mechanics
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="c"><x0>1 0</x0><A>0 1; -4 -0.3</A><b>0 0.2</b></FirstOrderLinearTIDS>
    <FirstOrderLinearTIDS id="d"><x0>0.3</x0><A>-1</A></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="c d"><FirstOrderLinearTIR><C>0 1 0.5</C><D>0.1</D><B>0; 1; 2</B></FirstOrderLinearTIR><RelayNSL lb="-1" ub="1"/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><SCHEME/></TimeStepping></simulation>
</model>
>>
run for s in 'EulerMoreauOSI theta="0.5"' 'EulerMoreauOSI theta="0.5" gamma="0.5"' ZeroOrderHoldOSI; do sed "s/SCHEME/$s/" m.xml >a.xml; sed 's|</systems>|<LagrangianLinearTIDS id="m" coordinates="q"><q0>0</q0><mass>2</mass></LagrangianLinearTIDS>&|; s|</TimeStepping>|<MoreauJeanOSI/>&|' a.xml >b.xml; for m in a b; do nssim $m.xml -q -o $m.csv || exit; done; nssim compare a.csv b.csv -q --only 'c.*' --only 'd.*' --only 'r.*' --rtol 0 --atol 1e-13; echo $?; done
stdout <<
0
0
0
>>

# Two integrators for systems of one kind; the full theta-gamma scheme for two systems that read each other by name is that of one.
case schemes-of-first-order-together
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="c" states="x"><x0>1</x0><f>d.x - x^3</f></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="d" states="x"><x0>0.3</x0><f>-c.x</f></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="c d"><FirstOrderLinearTIR><C>1 0.5</C><D>0.1</D><B>1; 2</B></FirstOrderLinearTIR><RelayNSL lb="-1" ub="1"/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><EulerMoreauOSI theta="0.5" gamma="0.7" formulation="full"/></TimeStepping></simulation>
</model>
>>
file one.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="c"><x0>1 0.3</x0><f>x[1] - x[0]^3; -x[0]</f></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="c"><FirstOrderLinearTIR><C>1 0.5</C><D>0.1</D><B>1; 2</B></FirstOrderLinearTIR><RelayNSL lb="-1" ub="1"/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><EulerMoreauOSI theta="0.5" gamma="0.7" formulation="full"/></TimeStepping></simulation>
</model>
>>
run for m in m one; do nssim $m.xml -q -o $m.csv || exit; done; nssim compare m.csv one.csv -q --only 'r.*' --rtol 0 --atol 1e-12; echo $?; sed 's|<EulerMoreauOSI|<ZeroOrderHoldOSI systems="d"/>&|; s/gamma="0.7" formulation="full"//; s|NonLinearDS id="d" states="x"><x0>0.3</x0><f>-c.x</f></FirstOrderNon|LinearDS id="d" states="x"><x0>0.3</x0><b>-c.x</b></FirstOrder|' m.xml >two.xml; nssim two.xml -q -o two.csv && nssim compare two.csv m.csv -q --only 'r.y*' --rtol 0 --atol 0.05; echo $?
stdout <<
0
0
>>

case schemes-of-first-order-that-do-not-fit
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="c"><x0>1</x0><f>-x[0]</f></FirstOrderNonLinearDS>
    <LagrangianDS id="m" coordinates="q"><q0>0</q0></LagrangianDS>
  </systems>
  <interactions>
    <interaction id="r" systems="c m"><FirstOrderLinearTIR><C>1 0.5</C><B>1; 2</B></FirstOrderLinearTIR><RelayNSL lb="-1" ub="1"/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><MoreauJeanOSI/><SCHEME/></TimeStepping></simulation>
</model>
>>
run for s in ZeroOrderHoldOSI 'EulerMoreauOSI gamma="0.5"' 'EulerMoreauOSI gamma="0.5" formulation="full"'; do sed "s/SCHEME/$s/" m.xml >n.xml; nssim check n.xml 2>&1 | grep error; done; sed 's|<MoreauJeanOSI/><SCHEME/>|<ZeroOrderHoldOSI systems="m"/>|' m.xml | nssim check - 2>&1 | grep error
stdout-match n\.xml:3: <FirstOrderNonLinearDS id="c">: ZeroOrderHoldOSI integrates linear systems and this is a FirstOrderNonLinearDS
stdout-match n\.xml:7: <interaction id="r">: acts on mechanics, too, and <EulerMoreauOSI gamma="0\.5"> integrates one of its systems, expected gamma="1" for that system
stdout-match n\.xml:9: <EulerMoreauOSI>: formulation="full" evaluates relations at t \+ 0\.5 h, and m is not integrated in this way, expected formulation="standard", or all systems of first order, with this gamma
stdout-match standard input:9: <ZeroOrderHoldOSI>: names m, a LagrangianDS, expected <MoreauJeanOSI> for it

# The relation is named as it was written, not the one that its law makes of it.
case mixed-cone-is-named-as-written
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="mass" coordinates="x y">
      <mass diag="1 2"/>
      <q0>0 0</q0>
      <v0>1 -1</v0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="c" systems="mass">
      <LagrangianLinearTIR><H>1 0; 0 1</H></LagrangianLinearTIR>
      <NormalConeNSL><H>1 0; -1 0; 0 1; 0 -1</H><k>1 1 2 2</k></NormalConeNSL>
    </interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml; nssim check m.xml --json | python3 -c 'import json, sys; print([i["relation"] for i in json.load(sys.stdin)["interaction_groups"]])'
stdout-match ^  1 LagrangianLinearTIR with NormalConeNSL, 6 rows: c$
stdout-match ^\['LagrangianLinearTIR'\]$
