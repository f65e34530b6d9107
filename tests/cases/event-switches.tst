# SPDX-License-Identifier: GPL-3.0-or-later
# Event-driven runs of first order: equilibria that are reached, several ideal switches at one instant.

case equilibrium-is-reached-and-kept
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="x0" value="2"/><parameter name="a" value="1"/><parameter name="s" value="0"/></parameters>
  <systems><FirstOrderLinearTIDS id="s" states="x"><x0>x0 + s</x0><A>-a</A><b>a*(1 + s)</b></FirstOrderLinearTIDS></systems>
  <interactions><interaction id="r" systems="s">
    <FirstOrderLinearTIR><C>1</C><B>1</B><e>-s</e></FirstOrderLinearTIR><ComplementarityConditionNSL/>
  </interaction></interactions>
  <simulation T="1000"><EventDriven h="1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for x in 2 0.5 1 0; do for a in 1 0.37 11; do for s in 0 0.1 -30; do nssim run m.xml -p x0=$x -p a=$a -p s=$s -o out.csv | grep -c '^complete'; done; done; done | sort | uniq -c | tr -s ' '
exit 0
stdout <<
 36 1
>>

case equilibrium-of-a-network-of-genes
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="s" states="a b c d e"><x0>0.011 0.09 0.04 0.05 0.015</x0>
    <f>-0.05*a+1.1e-4, -0.04*b+3e-4, -0.05*c+6e-4, -0.02*d, -0.6*e+7.5e-4</f></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="s">
      <FirstOrderNonLinearR>
        <h>0.01-a, 0.01-b, 0.06-b, 0.08-b, 0.035-c, 0.04-d, 0.01-e</h>
        <g>9e-4*lambda[5], 0.15*lambda[0], 0.018*lambda[2], 5e-4*lambda[1]+0.03*lambda[1]*(1-lambda[4]), 0.015*lambda[3]</g>
      </FirstOrderNonLinearR>
      <RelayNSL lb="0" ub="1"/>
    </interaction>
  </interactions>
  <simulation T="1000"><EventDriven h="1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim run m.xml -o out.csv
exit 0
stdout-match ^complete: 1000 steps to t = 1000 s

case dimmer-of-two-antiparallel-valves
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="angle" value="1"/></parameters>
  <netlist id="c">
    V1 a 0 sin(2*pi*t)
    S1 a p sin(2*pi*t-angle)
    D1 p b
    S2 a n -sin(2*pi*t-angle)
    D2 b n
    R1 b c 1
    L1 c 0 0.1
  </netlist>
  <simulation T="4"><EventDriven h="0.001"><CVodeOSI/></EventDriven></simulation>
  <measures><measure id="irms" kind="rms">L1.i</measure></measures>
</model>
>>
# closed forms: exponentials and sines between firing at the angle and extinction
run for a in 1 0.5 2; do nssim run m.xml -p angle=$a -o out.csv | sed -n 's/.*i_L1 = \([-0-9.e]*\),.*/\1/p; s/.*\(irms = 0.[0-9]\{5\}\).*/\1/p; s/.*\(law violation <= [0-9]\).*e-.*/\1/p'; done
exit 0
stdout-match ^-0\.438567$
stdout-match ^irms = 0\.5255

case floating-nodes-are-named
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    V1 a 0 sin(2*pi*t)
    S1 a p sin(2*pi*t-1)
    D1 p b
    R1 b 0 1
  </netlist>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 0
stderr-match m\.xml:4: <netlist id="c">: floating while S1, D1 block: node p

case boost-converter-with-its-gate-as-a-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="b">
    V1 in 0 12
    L1 in sw 1e-4
    S1 sw 0 0.5-mod(t*5e4,1)
    D1 sw out
    C1 out 0 1e-4
    R1 out 0 10
  </netlist>
  <simulation T="2e-3"><EventDriven h="1e-6"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim run m.xml -o out.csv | grep 'final state'
exit 0
stdout-match i_L1 = 6\.82901, v_C1 = 25\.6214

# Between its half waves no state of the rectifier moves, and time alone says when it conducts: rows of the output may be farther apart than
# periods of the source. L/R is small beside the period, so i = sin(2 pi t - phi)/Z but where it begins, which it does at t = n.
case rows-farther-apart-than-periods
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="h" value="1"/><parameter name="f" value="1"/><parameter name="T" value="10/f"/></parameters>
  <netlist id="c">
    V1 a 0 sin(2*pi*f*t)
    D1 a b
    R1 b c 2
    L1 c 0 0.01/f
  </netlist>
  <simulation T="T"><EventDriven h="h"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for p in "0.1 1" "2 1" "2.5 1" "5 1" "10 1" "20e-3 500" "1e4 1e-3"; do set -- $p; nssim -q m.xml -p h=$1 -p f=$2 -o a.csv; $CASES/measure a.csv 'len(events("switch")) == 19' "all(near(e['time']*$2 - (k + 1)/2, 0 if k % 2 else 0.005, 2e-4) for k, e in enumerate(events('switch')))" && echo seen; done
stdout <<
seen
seen
seen
seen
seen
seen
seen
>>

# At t = 0 the source charges the first capacitors by diodes whose current is known, and those above begin at their corners: the load
# draws from them as it gets a voltage, so all of them conduct.
case a-chain-of-diodes-that-carry-no-current-yet
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="V" value="32"/><parameter name="phase" value="2.9"/></parameters>
  <netlist id="k">
    V1 s 0 V*sin(1455*t+phase)
    R0 s t0 0.28
    Ca0 t0 t1 0.00019
    Da0 0 t1
    Db0 t1 g1
    Cb0 0 g1 0.00011
    Ca1 t1 t2 0.00023
    Da1 g1 t2
    Db1 t2 g2
    Cb1 g1 g2 0.00017
    Ca2 t2 t3 0.00014
    Da2 g2 t3
    Db2 t3 g3
    Cb2 g2 g3 0.00016
    RL g3 0 42
  </netlist>
  <simulation T="0.02"><EventDriven h="2e-4"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup for n in 1 2; do sed "s|<EventDriven.*EventDriven>|<TimeStepping h=\"1e-6/$n\"><EulerMoreauOSI theta=\"1\"/></TimeStepping>|" m.xml >h$n.xml; done
run for p in "32 2.9" "0.01 1" "1e3 0.4"; do set -- $p; for n in 1 2; do nssim -q h$n.xml -p V=$1 -p phase=$2 --every=1000 -o h$n.csv; done; nssim -q m.xml -p V=$1 -p phase=$2 -o a.csv; $CASES/measure a.csv "all(near(c(k)[-1], 2*c(k, 'h2.csv')[-1] - c(k, 'h1.csv')[-1], 1e-4*$1) for k in ('k.v_Ca0', 'k.v_Cb0', 'k.v_Ca1', 'k.v_Cb1', 'k.v_Ca2', 'k.v_Cb2'))" && echo same; done
stdout <<
same
same
same
>>

case fixed-coordinates
# as a row of constraint keeps it, with its force; a velocity that it begins with, or that an event sets, is taken by an impulse
setup sed 's/HELD/<fixed coordinates="x"\/>/; s/ROW//' m.in >a.xml
setup sed 's/HELD//; s/ROW/<interaction id="k" systems="s"><LagrangianLinearTIR><H>1 0 0<\/H><e>-1<\/e><\/LagrangianLinearTIR><EqualityConditionNSL\/><\/interaction>/' m.in >b.xml
setup sed 's/<v0>0/<v0>2/' a.xml >c.xml
setup sed 's/<simulation/<events><event id="e" at="1"><set name="v_x" value="1"\/><\/event><\/events><simulation/' a.xml >d.xml
file m.in <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="s" coordinates="x y z"><q0>1 1 0</q0><v0>0 0 0.4</v0><mass>2 0.5 0.1; 0.5 1 0.3+0*y; 0.1 0.3 1.5</mass><fExt>3*sin(2*t), -9.81, cos(t)</fExt>HELD</LagrangianDS></systems>
  <interactions><interaction id="g" systems="s"><LagrangianLinearTIR><H>0 1 0.2</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction>ROW</interactions>
  <simulation T="2"><EventDriven h="0.05"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q a.xml -o a.csv
run nssim -q b.xml -o b.csv
run nssim -q c.xml -o c.csv
run nssim -q d.xml -o d.csv
verify $CASES/measure a.csv 'near(c("s.y")[-1], c("s.y", "b.csv")[-1], 1e-9)' 'near(c("s.z")[-1], c("s.z", "b.csv")[-1], 1e-9)' 'max(abs(x - 1) for x in c("s.x")) == 0' 'near(c("s.support_x")[-1], c("k.lambda", "b.csv")[-1], 1e-6)' 'max(abs(s) for s in c("s.support_y")) == 0' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-7'
# M_II (v_I+ - v_I-) = M_IJ 2; the support takes it, and all of it where the event sets one: y and z move on as if nothing was
verify $CASES/measure c.csv 'events("velocity")[0]["time"] == 0 and events("velocity")[0]["velocity_before"] == 2 and events("velocity")[0]["velocity_after"] == 0' 'near(c("s.v_y")[2], 2*(0.5*1.5 - 0.1*0.3)/(1.5 - 0.09), 1e-12)' 'near(c("s.v_z")[2], 0.4 + 2*(0.1*1 - 0.3*0.5)/(1.5 - 0.09), 1e-12)' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-7'
verify $CASES/measure d.csv 'near(events("velocity")[0]["impulse"], -(2 - (0.5*(0.5*1.5 - 0.1*0.3) + 0.1*(0.1*1 - 0.3*0.5))/(1.5 - 0.09)), 1e-12)' 'max(abs(x - 1) for x in c("s.x")) == 0' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-7'

# A current of a diode ends as two capacitors have the same voltage, to within the tolerances of the
# integrator; the next edge of the clock tells which diode has to block. Stiff by 1 mOhm.
case charge-pump-by-two-methods
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="U" value="5"/><parameter name="s" value="0"/></parameters>
  <netlist id="pump">
    V1 in 0 U
    Vclock a 0 PULSE({s} {s+U} 0 0 0 5u 10u)
    Vclock2 b 0 PULSE({s+U} {s} 0 0 0 5u 10u)
    Ra a ca 1m
    Rb b cb 1m
    D1 in n1
    C1 n1 ca 1u
    D2 n1 n2
    C2 n2 cb 1u
    D3 n2 n3
    C3 n3 ca 1u
    D4 n3 n4
    C4 n4 cb 1u
    D5 n4 out
    Cout out 0 1u
    R1 out 0 1960
  </netlist>
  <simulation T="1.2e-5"><EventDriven h="2e-8"><CVodeOSI method="adams"/></EventDriven></simulation>
  <output><record select="R1.v"/></output>
</model>
>>
run sed 's/adams/bdf/' m.xml > b.xml; for p in U=5 U=5e-3 s=3; do nssim run -q m.xml -p $p -o a.h5 2>/dev/null && nssim run -q b.xml -p $p -o b.h5 2>/dev/null && nssim compare a.h5 b.h5 --rtol 1e-6 --time-tol 1e-6 --events-until=0 -q && echo same; done
exit 0
stdout <<
same
same
same
>>

# A wave that comes to one bridge after the other: all rows are near zero at once.
case line-of-bridges-event-by-event
run sed 's,<TimeStepping h="1e-5">,<EventDriven h="1e-5">,; s,<EulerMoreauOSI theta="1"/>,<CVodeOSI/>,; s,</TimeStepping>,</EventDriven>,' $MODELS/ladder/ladder.xml > m.xml; sed 's,<CVodeOSI/>,<CVodeOSI method="bdf"/>,' m.xml > b.xml; for n in 12 50; do nssim run -q m.xml -p n=$n -p T=1e-3 -o a.h5 && nssim run -q b.xml -p n=$n -p T=1e-3 -o b.h5 && nssim compare a.h5 b.h5 --rtol 1e-6 --time-tol 1e-5 --only '*_load.v' --events-until=0 -q && nssim run -q $MODELS/ladder/ladder.xml -p n=$n -p T=1e-3 -p h=5e-7 --every=20 -o t.h5 && nssim compare a.h5 t.h5 --rtol 1e-2 --time-tol 1e-5 --only 'C?_load.v' --events-until=0 -q && echo same; done
exit 0
stdout <<
same
same
>>

# What a relay does at a change of the state by the user is in the table of both ways to run.
case switches-by-user-events-are-told
file ts.xml <<
<model xmlns="urn:nssim:model:1">
<systems>
<FirstOrderLinearTIDS id="g" states="a b"><x0>0.2 0.9</x0><A>-1 0; 0 -1</A></FirstOrderLinearTIDS>
</systems>
<interactions>
<interaction id="r" systems="g"><RelayNSL lb="0" ub="1"/><FirstOrderLinearTIR><C>0 1; 1 0</C><e>-0.5 -0.5</e><B>-1 0; 0 -1</B></FirstOrderLinearTIR></interaction>
</interactions>
<events><event id="u" at="3 6"><set name="a" value="1-a"/><set name="b" value="1-b"/></event></events>
<simulation T="8"><TimeStepping h="0.001"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run sed 's,<TimeStepping h="0.001"><EulerMoreauOSI/></TimeStepping>,<EventDriven h="0.01"><CVodeOSI/></EventDriven>,' ts.xml > ed.xml; for f in ts ed; do nssim $f.xml -q -o $f.csv; cut -d, -f2,5,10,11 $f.events.csv | grep switch | sort | uniq -c | tr -s ' '; done
exit 0
stdout <<
 3 switch,0,lower,upper
 2 switch,0,upper,lower
 2 switch,1,lower,upper
 2 switch,1,upper,lower
 3 switch,0,lower,upper
 2 switch,0,upper,lower
 2 switch,1,lower,upper
 2 switch,1,upper,lower
>>

# A tolerance that the model gives is that, also where it is the number of one that is not given: rebounds of 0.2 um/s are none at
# restSpeed = 1e-6, while without it they are a series of impacts
case a-tolerance-that-is-given-is-not-scaled
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1e-7</q0><mass>1</mass><fExt>-1e-6</fExt></LagrangianLinearTIDS></systems>
<interactions><interaction id="floor" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction></interactions>
<simulation T="3"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv; sed 's|<EventDriven|& restSpeed="1e-6"|' m.xml >n.xml; nssim -q n.xml -o b.csv; nssim check n.xml | grep -c 'hybridStep = auto.*impacts'
stdout <<
1
>>
verify $CASES/measure a.csv 'len(events("impact")) > 20'
verify $CASES/measure b.csv 'len(events("impact")) == 1' 'near(events("contact")[0]["time"], 0.2**0.5, 1e-12)'
