# SPDX-License-Identifier: GPL-3.0-or-later
# Models as they are written from the manual alone: each a class with its origin, scale or data varied, against closed forms or against
# itself. Each of these went wrong once.

# ---- event by event ----

# Impacts accumulate at t1 (1 + e)/(1 - e), t1 the time of the fall, wherever the ground is and whatever the unit of length.
case balls-rest-wherever-their-ground-is
file m.xml <<
<model xmlns="urn:nssim:model:1" name="x">
  <parameters><parameter name="at" value="0"/><parameter name="e" value="0.5"/><parameter name="L" value="1"/></parameters>
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>at + L</q0><fExt>-2*L</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="ground" systems="ball"><LagrangianLinearTIR><H>1</H><e>-at</e></LagrangianLinearTIR><NewtonImpactNSL e="e"/></interaction></interactions>
  <simulation T="25"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for p in "0.1 0.8 1" "0.01 0.3 1" "0.9 0.9 1" "-7 0.6 1" "1000 0.7 1" "0.3 0.8 1e-4" "-20 0.5 1e3"; do set -- $p; nssim -q m.xml -p at=$1 -p e=$2 -p L=$3 -o a.csv && $CASES/measure a.csv "near(c('ball.x')[-1], $1, 1e-6*$3)" "near(events('contact')[-1]['time'], (1 + $2)/(1 - $2), 1e-5)" && echo $p; done
stdout <<
0.1 0.8 1
0.01 0.3 1
0.9 0.9 1
-7 0.6 1
1000 0.7 1
0.3 0.8 1e-4
-20 0.5 1e3
>>

# In axes that turn faster and faster with a table. Friction has the direction of a slip that grows with the square of the time from nothing.
case a-block-begins-to-slide-on-a-table-that-spins-up
file m.xml <<
<model xmlns="urn:nssim:model:1" name="table">
  <parameters><parameter name="a" value="1"/><parameter name="r" value="0.8"/><parameter name="g" value="9.81"/></parameters>
  <systems><LagrangianDS id="b" coordinates="x y z"><q0>r 0 0</q0><mass>1 0 0; 0 1 0; 0 0 1</mass>
    <fInt>-(a*t)^2*x - 2*a*t*v_y - a*y; -(a*t)^2*y + 2*a*t*v_x + a*x; g</fInt></LagrangianDS></systems>
  <interactions><interaction id="ground" systems="b"><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en="0" mu="0.3"/></interaction></interactions>
  <simulation T="2.2"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim m.xml -o a.csv | sed -n 's/.*; \([0-9]*\) steps of the integrator.*/\1/p' | awk '{ print ($1 < 700 ? "few" : $1) " steps" }'; $CASES/measure a.csv "near(c('b.x')[-1], 0.815721222, 2e-8)" "near(c('b.y')[-1], -0.00512483975, 2e-8)" "near(events('slip')[0]['time'], ((0.3*9.81/0.8)**2 - 1)**0.25, 1e-8)" && echo exact
stdout <<
few steps
exact
>>

# A mass on a link of constant length has a pin in the slot of a sprung slide: flights between impacts are ever lower.
case impacts-in-a-slot-accumulate-with-every-integrator
file m.xml <<
<model xmlns="urn:nssim:model:1" name="slot">
  <systems>
    <LagrangianDS id="p" coordinates="x y"><q0>0.6 -0.8</q0><mass>1 0; 0 1</mass><fInt>0; 9.81</fInt></LagrangianDS>
    <LagrangianDS id="s" coordinates="u"><q0>0.604</q0><mass>0.5</mass><fInt>40*u</fInt></LagrangianDS>
  </systems>
  <interactions>
    <interaction id="link" systems="p"><LagrangianScleronomousR><h>x^2 + y^2 - 1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>
    <interaction id="low" systems="p s"><LagrangianScleronomousR><h>q[0] - q[2] + 0.01</h></LagrangianScleronomousR><NewtonImpactNSL e="0.3"/></interaction>
    <interaction id="high" systems="p s"><LagrangianScleronomousR><h>q[2] - q[0] + 0.01</h></LagrangianScleronomousR><NewtonImpactNSL e="0.3"/></interaction>
  </interactions>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for f in CVodeOSI IDAOSI; do sed "s/CVodeOSI/$f/" m.xml > f.xml; nssim -q f.xml -o $f.csv; for k in impact accumulation; do grep -c ",$k," $f.events.csv; done; done; $CASES/measure IDAOSI.csv "near(c('s.u')[-1], 0.391483923, 1e-8)" && echo near
stdout <<
39
3
39
3
near
>>

# Eight random systems of three and four masses, three output grids each.
case contacts-do-not-pull-and-the-grid-has-no-say
run $CASES/users/mechanics.py 15 21 0; $CASES/users/mechanics.py 1 3 3
stdout <<
>>
timeout 60

# A table that moves from the begin on strikes the disk on it: v0 that is not given is the prescribed velocity at t0, of shapes, of a mass,
# by events and by steps; the table is where its velocity takes it.
case what-is-prescribed-moves-from-the-begin-on
file m.xml <<
<model xmlns="urn:nssim:model:1" name="table">
  <systems>
    <RigidBody2dDS id="table"><q0>0 -0.1 0</q0><mass>1</mass><inertia>1</inertia><Rectangle size="2 0.2"/><prescribed coordinates="y">cos(3*t)</prescribed><fixed coordinates="x angle"/></RigidBody2dDS>
    <RigidBody2dDS id="d"><q0>0 0.1 0</q0><mass>1</mass><inertia>0.005</inertia><fExt>0 -9.81</fExt><Disk radius="0.1"/></RigidBody2dDS>
    <LagrangianDS id="m" coordinates="u"><q0>0</q0><mass>1</mass><harmonic coordinates="u" a="1" b="1" omega="3"/></LagrangianDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0.5" mu="0.3"/></contacts>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed 's|<EventDriven.*EventDriven>|<TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/></TimeStepping>|' m.xml >s.xml; sed '/<contacts/d; /id="d"/d; /id="table"/d' s.xml >alone.xml
run for f in m s; do nssim -q $f.xml -o $f.csv; $CASES/measure $f.csv "near(events('impact')[0]['velocity_before'], -1, 1e-12)" "near(events('impact')[0]['velocity_after'], 0.5, 1e-12)" "near(c('table.y')[-1], -0.1 + sin(3)/3, 1e-6)" "near(c('m.u')[-1], 1 + sin(3)/3, 1e-6)" && echo $f; done; nssim -q alone.xml -o a.csv && $CASES/measure a.csv "near(c('m.u')[-1], 1 + sin(3)/3, 1e-6)" && echo alone
stdout <<
m
s
alone
>>

# What falls away from a body that slides on it, or lifts it, in one instant: 60 random models, event by event and by steps.
case bodies-fall-from-what-jumps-away
run $CASES/users/jumping_gaps.py 0 60
stdout <<
>>
timeout 60

# Into a body a surface does not jump: an input moves it as an event does.
case a-floor-does-not-jump-into-what-lies-on-it
file m.xml <<
<model xmlns="urn:nssim:model:1" name="floor">
  <systems><LagrangianDS id="b" coordinates="x y" inputs="w"><q0>0 0</q0><z>0</z><mass>1 0; 0 1</mass><fInt>0; 9.81</fInt></LagrangianDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>0 1</H><F>1</F></LagrangianLinearTIR><NewtonImpactNSL e="0.1"/></interaction></interactions>
  <controls><control id="k" systems="b" writes="w" period="0.1"><update>-t/5</update></control></controls>
  <simulation T="0.5"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml
exit 70
stderr <<
nssim: error: m.xml:3: <interaction id="g">: its y[0] is -0.02 after an event or a control acted at t = 0.1 s, expected a gap; the results so far are kept; set positions that satisfy it
>>

# Steps stand in for the last bounces, of 0.605 s; what the user asks for at a known time finds the ball on the ground or above it.
case a-known-time-in-the-last-bounces
file m.xml <<
<model xmlns="urn:nssim:model:1" name="ball">
  <parameters><parameter name="at" value="0.6"/></parameters>
  <systems><LagrangianDS id="b" coordinates="x y"><q0>0 0.2</q0><v0>1 0</v0><mass>1 0; 0 1</mass><fInt>0; 9.81</fInt></LagrangianDS></systems>
  <interactions><interaction id="g" systems="b">ROWS</interaction></interactions>
  <events><event id="k" at="at"><set name="b.y" value="b.y + 0.3"/></event></events>
  <simulation T="0.8"><EventDriven h="0.05" accumulation="HOW" hybridStep="1e-3"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for rows in '<LagrangianLinearTIR><H>0 1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/>' '<LagrangianScleronomousR><h>y*(1 + x^2); x</h></LagrangianScleronomousR><NewtonImpactFrictionNSL en="0.5" mu="0.1"/>'; do for at in 0.594 0.597 0.599 0.6 0.601 0.6015 0.602 0.603 0.604 0.605 0.606; do for how in stick time-stepping; do sed "s#ROWS#$rows#; s#HOW#$how#" m.xml >$how.xml; nssim -q $how.xml -p at=$at -o $how.csv; done; $CASES/measure time-stepping.csv "all(near(c(i)[-1], c(i, 'stick.csv')[-1], 0.02) for i in ('b.x', 'b.y'))" || echo $at; done; done
stdout <<
>>

# ---- steps ----

# Two levels that meet at 0.6 m, and a tank that fills from empty beside a mass at a wall: no number next to the root of
# x = x_k + h f(x) satisfies it to the tolerance, as the square root of one unit in the last place of 0.6 is 1e-8.
case levels-that-meet-by-steps
file m.xml <<
<model xmlns="urn:nssim:model:1" name="tanks">
  <parameters><parameter name="p" value="1"/><parameter name="h" value="0.01"/><parameter name="th" value="1"/></parameters>
  <systems><FirstOrderNonLinearDS id="s" states="x y"><x0>p 1.2-p</x0><f>-0.5*sign(x-y)*sqrt(abs(x-y)), 0.5*sign(x-y)*sqrt(abs(x-y))</f></FirstOrderNonLinearDS></systems>
  <simulation T="8"><TimeStepping h="h"><EulerMoreauOSI theta="th"/></TimeStepping></simulation>
</model>
>>
file n.xml <<
<model xmlns="urn:nssim:model:1" name="beside">
  <parameters><parameter name="h" value="0.002"/></parameters>
  <systems>
    <FirstOrderNonLinearDS id="t" states="x"><x0>0</x0><f>max(sin(7.31*t + 3) + m.u, 0) - 0.8*sign(x)*sqrt(abs(x))</f></FirstOrderNonLinearDS>
    <LagrangianLinearTIDS id="m" coordinates="u"><q0>0.1</q0><v0>-1</v0><mass>1</mass><K>30</K></LagrangianLinearTIDS>
  </systems>
  <interactions><interaction id="w" systems="m"><LagrangianLinearTIR><H>1</H><e>0.05</e></LagrangianLinearTIR><NewtonImpactNSL e="0.6"/></interaction></interactions>
  <simulation T="2"><TimeStepping h="h"><EulerMoreauOSI theta="1"/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup sed 's|<TimeStepping.*TimeStepping>|<EventDriven h="0.01"><CVodeOSI/></EventDriven>|' n.xml >e.xml
run for h in 0.01 0.05; do for p in 0.9 1 1.1; do for th in 1 0.5; do nssim -q m.xml -p th=$th -p p=$p -p h=$h -o a.csv && $CASES/measure a.csv "near(c('s.x')[-1], 0.6, 1e-4)" "near(c('s.y')[-1], 0.6, 1e-4)" || echo $th $p $h; done; done; done; nssim -q e.xml -o e.csv; for h in 0.01 0.004 0.001; do nssim -q n.xml -p h=$h -o n.csv && $CASES/measure n.csv "near(c('t.x')[-1], c('t.x', 'e.csv')[-1], 8*$h)" || echo $h; done
stdout <<
>>

# A rectifier whose source is the state of another system, as a netlist that reads it and as one system: the full theta-gamma scheme
# evaluates relations, and what they read, at t + gamma h, and is of order 2 for both.
case the-full-scheme-reads-others-where-it-evaluates-relations
file net.xml <<
<model xmlns="urn:nssim:model:1" name="net">
  <parameters><parameter name="h" value="0.01"/></parameters>
  <systems>
    <FirstOrderNonLinearDS id="b" states="w"><x0>1</x0><f>-2*w + 3*cos(4*t)</f></FirstOrderNonLinearDS>
    <netlist id="k">
V1 a 0 b.w
R1 a c 0.5
D1 c d
C1 d 0 1 ic=0.2
R2 d 0 1
    </netlist>
  </systems>
  <simulation T="2"><TimeStepping h="h"><EulerMoreauOSI theta="0.5" gamma="0.5" formulation="full"/></TimeStepping></simulation>
  <output><observe id="out">k.v_C1</observe></output>
</model>
>>
file one.xml <<
<model xmlns="urn:nssim:model:1" name="one">
  <parameters><parameter name="h" value="0.01"/></parameters>
  <systems>
    <FirstOrderNonLinearDS id="a" states="x w"><x0>0.2 1</x0><f>-x, -2*w + 3*cos(4*t)</f></FirstOrderNonLinearDS>
  </systems>
  <interactions><interaction id="r" systems="a"><FirstOrderLinearTIR><C>1 -1</C><D>0.5</D><B>1; 0</B></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction></interactions>
  <simulation T="2"><TimeStepping h="h"><EulerMoreauOSI theta="0.5" gamma="0.5" formulation="full"/></TimeStepping></simulation>
  <output><observe id="out">a.x</observe></output>
</model>
>>
setup sed 's|<TimeStepping.*TimeStepping>|<EventDriven h="0.1"><CVodeOSI/></EventDriven>|' one.xml >e.xml; nssim -q e.xml -o e.csv
run for h in 0.02 0.01 0.005; do for f in net one; do nssim -q $f.xml -p h=$h -o $f.csv; done; $CASES/measure net.csv "all(near(a, b, 1e-12) for a, b in zip(c('out.value'), c('out.value', 'one.csv')))" "near(c('out.value')[-1], c('out.value', 'e.csv')[-1], $h**2)" && echo $h; done
stdout <<
0.02
0.01
0.005
>>

# Tanks that fill from empty: the slope of the outflow is infinite there, however it is written; alone, beside a mass, as the force on
# a mass and on a body that start from rest.
case tanks-that-fill-from-empty
file m.xml <<
<model xmlns="urn:nssim:model:1" name="empty">
  <systems><FirstOrderNonLinearDS id="s" states="x"><x0>0</x0><f>0.3 - 0.2*OUT</f></FirstOrderNonLinearDS></systems>
  <simulation T="1"><TimeStepping h="0.002"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
file n.xml <<
<model xmlns="urn:nssim:model:1" name="beside">
  <systems>
    <FirstOrderNonLinearDS id="t" states="x y"><x0>0.1 0</x0><f>0.3 - 0.2*sqrt(x), 0.2*sqrt(x) - 0.3*sqrt(max(y, 0))</f></FirstOrderNonLinearDS>
    <LagrangianDS id="m" coordinates="u"><q0>0</q0><mass>1</mass><fInt>0.4*sqrt(max(v_u, 0)) - 2*sqrt(t.y)</fInt></LagrangianDS>
    <RigidBody2dDS id="b"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia><fInt>0.5*sqrt(max(v_x, 0)) - 1, 0.5*max(v_y, 0)^0.5 - 1</fInt></RigidBody2dDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.002"><EulerMoreauOSI theta="1"/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file v.xml <<
<model xmlns="urn:nssim:model:1" name="mass">
  <systems><LagrangianDS id="m" coordinates="u"><q0>0</q0><mass>1</mass><fInt>0.4*sqrt(max(v_u, 0)) + 0.3*max(u, 0)^0.25 - 1</fInt></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.002"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run both() { sed "s#OUT#$2#" $1.xml >s.xml; sed 's|<TimeStepping.*TimeStepping>|<EventDriven h="0.1"><CVodeOSI/></EventDriven>|' s.xml >e.xml; nssim -q s.xml -o s.csv && nssim -q e.xml -o e.csv && $CASES/measure s.csv "all(near(c(i)[-1], c(i, 'e.csv')[-1], 0.001) for i in '$3'.split())" && echo near; }; for f in 'sqrt(x)' 'sqrt(max(x, 0))' 'sqrt(max(0, x))' 'x^0.5' 'max(x, 0)^(1/3)' 'cbrt(x)' 'sqrt(sat(x, 0, 5))' 'sqrt(2*ramp(x, 0, 1))'; do both m "$f" s.x; done; both n - 't.x t.y m.u b.x b.y'; both v - 'm.u m.v_u'
stdout <<
near
near
near
near
near
near
near
near
near
near
>>

# Sliding on v = -k |x|^p sgn(x) from the begin on: |x|^(1-p) falls at the rate k (1-p), and x stays at 0 from then on, where the slope of
# the surface is infinite and full passes of Newton's method go to and fro. Super-twisting whose first term is in the relation: x stays
# at 0, where u is minus the disturbance.
case sliding-on-surfaces-with-an-infinite-slope
file m.xml <<
<model xmlns="urn:nssim:model:1" name="terminal">
  <parameters><parameter name="k" value="1"/><parameter name="p" value="0.5"/><parameter name="x0" value="0.5"/><parameter name="h" value="0.001"/></parameters>
  <systems><FirstOrderNonLinearDS id="s" states="x v"><x0>x0 -k*sign(x0)*abs(x0)^p</x0><f>v, 0.5*sin(3*t)</f></FirstOrderNonLinearDS></systems>
  <interactions><interaction id="r" systems="s"><FirstOrderType1R><h>v + k*sign(x)*abs(x)^p</h><g>0; 4*lambda[0]</g></FirstOrderType1R><RelayNSL/></interaction></interactions>
  <simulation T="4"><TimeStepping h="h"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
file n.xml <<
<model xmlns="urn:nssim:model:1" name="super-twisting">
  <parameters><parameter name="d" value="0.3"/><parameter name="x0" value="0.7"/><parameter name="h" value="0.001"/></parameters>
  <systems><FirstOrderNonLinearDS id="s" states="x u"><x0>x0 0</x0><f>u + d*sin(2*t), 0</f></FirstOrderNonLinearDS></systems>
  <interactions><interaction id="r" systems="s"><FirstOrderNonLinearR><h>x</h><g>1.5*sqrt(abs(x))*lambda[0]; 1.1*lambda[0]</g></FirstOrderNonLinearR><RelayNSL/></interaction></interactions>
  <simulation T="5"><TimeStepping h="h"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run for h in 0.004 0.001; do for p in "1 0.5 0.5" "0.7 0.6 -0.8" "1.3 0.7 0.3" "1.5 0.55 -0.4" "0.9 0.65 0.7"; do set -- $p; nssim -q m.xml -p k=$1 -p p=$2 -p x0=$3 -p h=$h -o a.csv && $CASES/measure a.csv "all(near(abs(x), max(0, abs($3)**(1-$2) - $1*(1-$2)*s)**(1/(1-$2)), 3*$h) for s, x in zip(t, c('s.x')))" "abs(c('s.x')[-1]) < 1e-8" || echo $p $h; done; done; for h in 0.01 0.004; do for p in "0.3 0.7" "0.5 -0.4" "0.1 1.2"; do set -- $p; nssim -q n.xml -p d=$1 -p x0=$2 -p h=$h -o a.csv && $CASES/measure a.csv "abs(c('s.x')[-1]) < 1e-8" "near(c('s.u')[-1], -$1*sin(10), 2*$h)" || echo $p $h; done; done
stdout <<
>>

# ---- bodies ----

# Two bricks of a vault, a wedge below a block: a face of one on a face of the other, in free fall, then on the ground.
case bricks-that-touch
file m.xml <<
<model xmlns="urn:nssim:model:1" name="vault">
  <parameters><parameter name="x" value="0"/><parameter name="z" value="0"/><parameter name="g" value="9.80665"/></parameters>
  <systems>
    <NewtonEulerDS id="low"><q0>x 0.125 z+0.37 1 0 0 0</q0><mass>70</mass><inertia>0.7 0 -0.06; 0 1.8 0; -0.06 0 1.9</inertia><fExt>0 0 -70*g</fExt>
      <ConvexHull points="-0.25 -0.125 -0.12; 0.25 -0.125 -0.12; 0.25 -0.125 0.13; -0.002 -0.125 0.13; -0.28 -0.125 0.074; -0.25 0.125 -0.12; 0.25 0.125 -0.12; 0.25 0.125 0.13; -0.002 0.125 0.13; -0.28 0.125 0.074"/></NewtonEulerDS>
    <NewtonEulerDS id="high"><q0>x+0.25 0.125 z+0.625 1 0 0 0</q0><mass>71.875</mass><inertia diag="0.75 1.87 1.87"/><fExt>0 0 -71.875*g</fExt>
      <ConvexHull points="-0.25 -0.125 -0.125; 0 -0.125 -0.125; 0.25 -0.125 -0.125; 0.25 -0.125 0.125; -0.25 -0.125 0.125; -0.25 0.125 -0.125; 0 0.125 -0.125; 0.25 0.125 -0.125; 0.25 0.125 0.125; -0.25 0.125 0.125"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.6"/><Plane at="0 0 z-0.5"/></contacts>
  <simulation T="0.3"><TimeStepping h="0.005"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
</model>
>>
run for p in "0 0" "5.5 0" "-3 1" "0.3 0.1" "100 -7"; do set -- $p; nssim -q m.xml -p x=$1 -p z=$2 -o a.csv && $CASES/measure a.csv "all(near(c(b + '.v_z')[-1], -9.80665*0.3, 1e-7) for b in ('low', 'high'))" "max(abs(w) for w in c('low.Omega_y') + c('high.Omega_y')) < 1e-7" && echo $p; done
stdout <<
0 0
5.5 0
-3 1
0.3 0.1
100 -7
>>

# A wheel of eight corners lands on one of them; its inertia makes the least impulse turn it fast.
case wheel-of-small-inertia
file m.xml <<
<model xmlns="urn:nssim:model:1" name="wheel">
  <parameters><parameter name="J" value="1e-6"/><parameter name="x" value="0"/><parameter name="r" value="1"/><parameter name="a" value="pi/8"/></parameters>
  <systems>
    <RigidBody2dDS id="w"><q0>x r*(cos(a)+1e-9) 0</q0><v0>1.4*r 0 -1.5</v0><mass>1</mass><inertia>J*r^2</inertia><fExt>9.81*r*sin(0.08) -9.81*r*cos(0.08)</fExt>
      <Polygon points="r*cos(a) r*sin(a); r*cos(3*a) r*sin(3*a); r*cos(5*a) r*sin(5*a); r*cos(7*a) r*sin(7*a); r*cos(9*a) r*sin(9*a); r*cos(11*a) r*sin(11*a); r*cos(13*a) r*sin(13*a); r*cos(15*a) r*sin(15*a)"/>
    </RigidBody2dDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="10"/><HalfPlane normal="0 1"/></contacts>
  <simulation T="0.3"><TimeStepping h="1e-4"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
  <output every="100"/>
</model>
>>
run for p in "1e-6 0 1" "1e-5 3 1" "1e-7 0 1" "1e-6 -40 0.1" "1e-8 1 30"; do set -- $p; nssim m.xml -p J=$1 -p x=$2 -p r=$3 --json >r.json; $CASES/cli/json r.json 'd["status"], d["certificate"]["energy_defect_max"] < 1e-8'; done
stdout <<
('complete', True)
('complete', True)
('complete', True)
('complete', True)
('complete', True)
>>

# Two wheels on one axle hold it along in several ways; where one is a cylinder it is solved as where both are spheres.
case carts-on-cylinders
file m.xml <<
<model xmlns="urn:nssim:model:1" name="cart">
  <parameters><parameter name="r" value="0.1"/><parameter name="y" value="0"/><parameter name="tau" value="1"/><parameter name="gx" value="9.81*sin(pi/18)"/><parameter name="gz" value="9.81*cos(pi/18)"/></parameters>
  <systems>
    <NewtonEulerDS id="body"><q0>0 y r 1 0 0 0</q0><mass>2</mass><inertia diag="0.01 0.01 0.01"/><fExt>-2*gx 0 -2*gz</fExt></NewtonEulerDS>
    <NewtonEulerDS id="left"><q0>0 y+0.2 r 1 0 0 0</q0><mass>0.5</mass><inertia diag="0.002 0.002 0.002"/><fExt>-0.5*gx 0 -0.5*gz</fExt><mExt>0 tau 0</mExt><LEFT/></NewtonEulerDS>
    <NewtonEulerDS id="right"><q0>0 y-0.2 r 1 0 0 0</q0><mass>0.5</mass><inertia diag="0.002 0.002 0.002"/><fExt>-0.5*gx 0 -0.5*gz</fExt><mExt>0 tau 0</mExt><RIGHT/></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="hl" systems="body left"><PivotJointR point="0 y+0.2 r" axis="0 1 0"/><EqualityConditionNSL/></interaction>
    <interaction id="hr" systems="body right"><PivotJointR point="0 y-0.2 r" axis="0 1 0"/><EqualityConditionNSL/></interaction>
  </interactions>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.8"/><Plane/></contacts>
  <simulation T="1"><TimeStepping h="0.002"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup s='Sphere radius="r"'; c='Cylinder radius="r" length="0.05" axis="1 0 0" angle="pi\/2"'; sed "s/LEFT/$s/; s/RIGHT/$c/" m.xml >one.xml; sed "s/LEFT/$c/; s/RIGHT/$c/" m.xml >both.xml
# a (M + sum I/r^2) = 2 tau/r - M g sin where they roll, a = mu g cos - g sin where they slip
run for p in "one 0 1" "both 0 1" "one 7 1.3" "both -30 0.8"; do set -- $p; nssim $1.xml -p y=$2 -p tau=$3 --json >r.json; $CASES/cli/json r.json "d['status'], d['certificate']['newton_residual_max'] <= 1, d['certificate']['solver_iterations'] < 150*500, d['certificate']['newton_iterations_max'] < 30, abs(d['systems']['body']['v'][0] - min((20*$3 - 3*9.81*0.17364817766693033)/3.4, 9.81*(0.8*0.984807753012208 - 0.17364817766693033))) < 1e-6"; done
stdout <<
('complete', True, True, True, True)
('complete', True, True, True, True)
('complete', True, True, True, True)
('complete', True, True, True, True)
>>

# ---- springs, crowds, numbers ----

# An elastic bar between two masses, as a compliant relation: with theta = 1/2 its energy is kept.

# wheels that slip: how they share the friction is not unique, so passes may creep along equal solutions
case carts-on-cylinders-that-slip
timeout 120
file m.xml <<
<model xmlns="urn:nssim:model:1" name="cart">
  <parameters><parameter name="r" value="0.1"/><parameter name="y" value="0"/><parameter name="tau" value="1"/><parameter name="gx" value="9.81*sin(pi/18)"/><parameter name="gz" value="9.81*cos(pi/18)"/></parameters>
  <systems>
    <NewtonEulerDS id="body"><q0>0 y r 1 0 0 0</q0><mass>2</mass><inertia diag="0.01 0.01 0.01"/><fExt>-2*gx 0 -2*gz</fExt></NewtonEulerDS>
    <NewtonEulerDS id="left"><q0>0 y+0.2 r 1 0 0 0</q0><mass>0.5</mass><inertia diag="0.002 0.002 0.002"/><fExt>-0.5*gx 0 -0.5*gz</fExt><mExt>0 tau 0</mExt><LEFT/></NewtonEulerDS>
    <NewtonEulerDS id="right"><q0>0 y-0.2 r 1 0 0 0</q0><mass>0.5</mass><inertia diag="0.002 0.002 0.002"/><fExt>-0.5*gx 0 -0.5*gz</fExt><mExt>0 tau 0</mExt><RIGHT/></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="hl" systems="body left"><PivotJointR point="0 y+0.2 r" axis="0 1 0"/><EqualityConditionNSL/></interaction>
    <interaction id="hr" systems="body right"><PivotJointR point="0 y-0.2 r" axis="0 1 0"/><EqualityConditionNSL/></interaction>
  </interactions>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.8"/><Plane/></contacts>
  <simulation T="1"><TimeStepping h="0.002"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup s='Sphere radius="r"'; c='Cylinder radius="r" length="0.05" axis="1 0 0" angle="pi\/2"'; sed "s/LEFT/$s/; s/RIGHT/$c/" m.xml >one.xml; sed "s/LEFT/$c/; s/RIGHT/$c/" m.xml >both.xml
run for p in "one 0 2.282" "both 0 1.54" "one 0.3 2.149" "one 0 1.563" "both 0.3 2.434" "both 0 0.963"; do set -- $p; nssim $1.xml -p y=$2 -p tau=$3 --json >r.json; $CASES/cli/json r.json "d['status'], d['certificate']['newton_residual_max'] <= 1, abs(d['systems']['body']['v'][0] - min((20*$3 - 3*9.81*0.17364817766693033)/3.4, 9.81*(0.8*0.984807753012208 - 0.17364817766693033))) < 1e-5"; done
stdout <<
('complete', True, True)
('complete', True, True)
('complete', True, True)
('complete', True, True)
('complete', True, True)
('complete', True, True)
>>

case compliant-relation-as-a-spring
file m.xml <<
<model xmlns="urn:nssim:model:1" name="spring">
  <parameters><parameter name="k" value="100"/><parameter name="l" value="1"/><parameter name="at" value="0"/><parameter name="h" value="1e-3"/></parameters>
  <systems>
    <LagrangianDS id="a" coordinates="x y"><q0>at 0</q0><mass>1 0; 0 1</mass></LagrangianDS>
    <LagrangianDS id="b" coordinates="x y"><q0>at+1.5 0</q0><v0>0 0.5</v0><mass>2 0; 0 2</mass></LagrangianDS>
  </systems>
  <interactions><interaction id="s" systems="a b">
    <LagrangianCompliantR><h>hypot(b.x-a.x,b.y-a.y)-l+lambda[0]/k</h></LagrangianCompliantR><EqualityConditionNSL/>
  </interaction></interactions>
  <simulation T="2"><TimeStepping h="h"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
  <measures>
    <measure id="energy" kind="final">0.5*(a.v_x^2+a.v_y^2)+b.v_x^2+b.v_y^2+k/2*(hypot(b.x-a.x,b.y-a.y)-l)^2</measure>
    <measure id="length" kind="max" from="1.5">hypot(b.x-a.x,b.y-a.y)</measure>
  </measures>
</model>
>>
run for p in "100 0" "1000 0" "40 30" "100 -2"; do set -- $p; nssim m.xml -p k=$1 -p at=$2 -p l=1 --json >r.json; $CASES/cli/json r.json "abs(d['measures']['energy']['value'] - 0.25 - $1/8) < 1e-3*$1/8, 1.49 < d['measures']['length']['value'] < 1.7"; done
stdout <<
(True, True)
(True, True)
(True, True)
(True, True)
>>

# 1225 pairs, of which few press: not a tenth of a second a step
case crowd-of-fifty
run nssim $MODELS/crowd/crowd.xml -p n=50 --t-end 0.1 --json >r.json; $CASES/cli/json r.json 'd["status"], d["timing"]["loop_seconds"] < (20 if __import__("os").environ.get("NSSIM_VALGRIND") else 1)'
stdout <<
('complete', True)
>>

# What a relay takes from an oscillator is what its energy has lost, whatever the step and the relay's strength.
case work-of-a-multiplier
file m.xml <<
<model xmlns="urn:nssim:model:1" name="dissipation">
  <parameters><parameter name="h" value="0.1"/><parameter name="F" value="1"/></parameters>
  <systems><FirstOrderLinearDS id="mass" states="x v"><x0>12 6</x0><A>0 1; -1 0</A></FirstOrderLinearDS></systems>
  <interactions><interaction id="friction" systems="mass"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL lb="-F" ub="F"/></interaction></interactions>
  <simulation T="2"><TimeStepping h="h"><EulerMoreauOSI theta="0.5"/></TimeStepping></simulation>
  <measures>
    <measure id="lost" kind="integral" interaction="friction">-lambda[0]*v</measure>
    <measure id="energy" kind="final">(x*x+v*v)/2</measure>
    <measure id="square" kind="rms" interaction="friction">lambda[0]</measure>
  </measures>
</model>
>>
run for p in "0.1 1" "0.02 1" "0.25 3" "0.05 5"; do set -- $p; nssim m.xml -p h=$1 -p F=$2 --json >r.json; $CASES/cli/json r.json "abs(d['measures']['lost']['value'] + d['measures']['energy']['value'] - 90) < 1e-9, d['measures']['square']['value'] <= $2*(1 + 1e-12)"; done
stdout <<
(True, True)
(True, True)
(True, True)
(True, True)
>>

# Half waves of a sine through a diode: mean U/(pi R), rms U/(2 R), share of time above U/(2 R) a third, whatever the grid of the output.
case measures-of-a-rectifier
file m.xml <<
<model xmlns="urn:nssim:model:1" name="half">
  <parameters><parameter name="h" value="0.37"/><parameter name="R" value="2"/><parameter name="U" value="1"/></parameters>
  <netlist id="c">
    V1 a 0 U*sin(2*pi*t)
    D1 a b
    R1 b 0 R
  </netlist>
  <simulation T="3"><EventDriven h="h"><CVodeOSI/></EventDriven></simulation>
  <measures>
    <measure id="mean" kind="mean">R1.i</measure>
    <measure id="rms" kind="rms">R1.i</measure>
    <measure id="part" kind="integral" from="0.1" until="0.33">R1.v</measure>
    <measure id="share" kind="fraction" when="R1.i &gt; 0.5*U/R"/>
    <measure id="top" kind="max" from="0.3" until="1.3">R1.i</measure>
  </measures>
</model>
>>
run for p in "0.37 2 1" "0.05 2 1" "0.2 50 325" "0.01 1e-3 1e-6"; do set -- $p; nssim m.xml -p h=$1 -p R=$2 -p U=$3 --json >r.json; $CASES/cli/json r.json "[abs(d['measures'][k]['value']/w - 1) < 1e-8 for k, w in (('mean', $3/$2/3.141592653589793), ('rms', $3/$2/2), ('part', $3*0.20543253228609099), ('share', 1/3), ('top', $3/$2))]"; done
stdout <<
[True, True, True, True, True]
[True, True, True, True, True]
[True, True, True, True, True]
[True, True, True, True, True]
>>

# A ball that falls on a ground by direct projection: its velocities are those of the same fall 0.1 m higher.
case projection-does-not-see-the-origin
file m.xml <<
<model xmlns="urn:nssim:model:1" name="x">
  <parameters><parameter name="at" value="0"/><parameter name="e" value="0.5"/></parameters>
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>at + 1</q0><fExt>-10</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="ground" systems="ball"><LagrangianLinearTIR><H>1</H><e>-at</e></LagrangianLinearTIR><NewtonImpactNSL e="e"/></interaction></interactions>
  <simulation T="3"><TimeStepping h="0.01"><MoreauJeanDirectProjectionOSI/></TimeStepping></simulation>
</model>
>>
run for e in 0.25 0.5 0.75 0.9; do nssim -q m.xml -p e=$e -o a.csv; for at in 0.1 0.7 -3 100; do nssim -q m.xml -p e=$e -p at=$at -o b.csv; $CASES/measure a.csv 'max(abs(a - b) for a, b in zip(c("ball.v_x"), c("ball.v_x", "b.csv"))) < 1e-9' && echo same; done; done | sort | uniq -c
stdout-match ^ +16 same

# A contact that stiffens: in each step the force is that of the depth at its end, to the tolerance of Newton's method.
case a-contact-that-stiffens
file m.xml <<
<model xmlns="urn:nssim:model:1" name="x">
  <parameters><parameter name="h" value="1e-4"/><parameter name="at" value="0"/></parameters>
  <systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>at + 0.01</q0><v0>-1</v0></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianCompliantR><h>x - at + (cbrt(1 + lambda[0]) - 1)*1e-3</h></LagrangianCompliantR><ComplementarityConditionNSL/></interaction></interactions>
  <simulation T="0.03"><TimeStepping h="h"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run for p in "1e-4 0" "1e-3 3" "2e-5 -100"; do set -- $p; nssim -q m.xml -p h=$1 -p at=$2 -o a.csv && $CASES/measure a.csv "max(abs(x - $2 + ((1 + f)**(1/3) - 1)*1e-3) for x, f in zip(c('b.x'), c('g.force')) if f > 0) < 1e-10" "sum(f > 0 for f in c('g.force')) > 5" && echo solved; done
stdout <<
solved
solved
solved
>>

# Two spheres by Hertz: E = 1e7, nu = 0.3, radii 0.05, reduced mass 0.5, 1 m/s: depth 3.11040589 mm. Without a force D is nothing (cbrt, whose
# derivative is left out where what it is of does not change) or infinite.
case spheres-by-hertz
file m.xml <<
<model xmlns="urn:nssim:model:1" name="x">
  <parameters><parameter name="k" value="4/3*1e7/2/0.91*sqrt(0.025)"/><parameter name="h" value="1e-5"/><parameter name="at" value="0"/></parameters>
  <systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>at + 0.001</q0><v0>-1</v0><mass>0.5</mass></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianCompliantR><h>x - at + cbrt((lambda[0]/k)^2)</h></LagrangianCompliantR><ComplementarityConditionNSL/></interaction></interactions>
  <simulation T="0.012"><TimeStepping h="h"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run sed 's|cbrt((lambda\[0\]/k)^2)|(lambda[0]/k)^(2/3)|' m.xml >n.xml; for p in "m 0" "n 0" "m -30" "n 7"; do set -- $p; nssim $1.xml -p at=$2 -o a.csv 2>/dev/null | grep -c '^complete'; nssim -q $1.xml -p at=$2 -p h=5e-6 -o b.csv 2>/dev/null; $CASES/measure a.csv "near(2*min(c('b.x', 'b.csv')) - min(c('b.x')), $2 - 0.00311040589, 1e-7)" "near(2*c('b.v_x', 'b.csv')[-1] - c('b.v_x')[-1], 1, 1e-4)" && echo right; done
stdout <<
1
right
1
right
1
right
1
right
>>

# Every pair of shapes is one that the manual lists for event-driven runs, or is refused.
case pairs-of-shapes-are-those-of-the-manual
run $CASES/users/pairs.py
stdout <<
>>
timeout 60

# One triangle was taken, and the ball fell through it.
case compliant-contacts-with-a-mesh-are-refused-in-event-driven-runs
file t.obj <<
v -5 -5 0
v 5 -5 0
v 0 5 0
f 1 2 3
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><NewtonEulerDS id="b"><q0>0 0 9 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere radius="0.1" density="1000"/></NewtonEulerDS></systems>
  <contacts><CompliantFrictionNSL K="1e5"/><Mesh file="t.obj"/></contacts>
  <simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match CompliantFrictionNSL between a sphere and a mesh, expected shapes whose overlap is a smooth function of their positions: two segments or triangles would push at once at their common point; use <TimeStepping>

# ---- small beside large ----

# A light body bounces to rest on the ground while a heavy one lies there. A z that let it fall through had a residual of 1e-11.
case light-bodies-rest-beside-heavy-ones
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="m" value="1"/></parameters>
  <systems>
    <LagrangianLinearTIDS id="heavy" coordinates="x"><q0>0</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS>
    <LagrangianLinearTIDS id="light" coordinates="x y"><q0>0.1 0.3</q0><mass diag="m m"/><fExt>-9.81*m -9.81*m</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="below" systems="heavy"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
    <interaction id="ground" systems="light"><LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction>
    <interaction id="pair" systems="light"><LagrangianLinearTIR><H>-1 1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.2"/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o one.csv; for m in 1e-3 1e-6 1e-9 1e-11 1e-13; do nssim -q m.xml -p m=$m -o a.csv && $CASES/measure a.csv 'all(near(x, y, 1e-6) for k in ("light.x", "light.y") for x, y in zip(c(k), c(k, "one.csv")))' && echo $m; done
stdout <<
1e-3
1e-6
1e-9
1e-11
1e-13
>>

# A door of 4 um whose hinge has a dry friction hits its stop with e = 0.3. Joint rows in N s are 1e5 times its moment in N m s, in the same
# problem: a rebound with 0.78 of the velocity had a residual of 5e-12.
case a-small-door-hits-its-stop
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="L" value="1"/><parameter name="M" value="1"/><parameter name="s" value="1"/><parameter name="k" value="M*L^2/s^2"/></parameters>
  <systems><NewtonEulerDS id="d"><q0>0.4*L 0 0 1 0 0 0</q0><v0>0 0.8*L/s 0 0 0 2/s</v0><mass>10*M</mass><inertia diag="M*L^2 M*L^2 M*L^2"/></NewtonEulerDS></systems>
  <interactions>
    <interaction id="h" systems="d"><PivotJointR point="0 0 0" axis="0 0 1" stiffness="5*k" damping="0.2*k*s"/><EqualityConditionNSL/></interaction>
    <interaction id="stop"><JointStopR joint="h" lower="-1" upper="0.5"/><NewtonImpactNSL e="0.3"/></interaction>
    <interaction id="f"><JointFrictionR joint="h"/><RelayNSL lb="-0.5*k" ub="0.5*k"/></interaction>
  </interactions>
  <simulation T="4*s"><EventDriven h="0.02*s"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o one.csv; for p in "1e-3 1e-3 1" "1e-5 1e-9 1e-3" "1e-6 1e-12 1e-3" "1e3 1e6 1"; do set -- $p; nssim -q m.xml -p L=$1 -p M=$2 -p s=$3 -o a.csv && $CASES/measure a.csv 'len(events("impact")) == 2' 'all(near(e["velocity_after"], -0.3*e["velocity_before"], 1e-6*abs(e["velocity_before"])) for e in events("impact"))' "near(c('h.angle')[-1], c('h.angle', 'one.csv')[-1], 1e-6)" && echo $p; done
stdout <<
1e-3 1e-3 1
1e-5 1e-9 1e-3
1e-6 1e-12 1e-3
1e3 1e6 1
>>

# ---- time-stepping: events and messages ----

# A disk is glued to the ground, rolls, is pulled off. It slips once friction reaches mu (N + sigma), and leaves when N reaches -sigma, not
# where N is zero.
case a-bond-that-pulls-is-neither-slip-nor-release
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><RigidBody2dDS id="d"><q0>0 0.2 0</q0><mass>1</mass><inertia>0.02</inertia><fExt>0.5*t, -9.81 + 12*t</fExt><Disk radius="0.2"/></RigidBody2dDS></systems>
  <contacts><CohesiveFrictionNSL en="0" mu="0.4" sigma="5"/><HalfPlane normal="0 1"/></contacts>
  <simulation T="2"><TimeStepping h="1e-4"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file l.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0</q0><mass diag="1 1"/><fExt>t/6, -9.81 + 12*t</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d"><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR><CohesiveFrictionNSL en="0" mu="0.4" sigma="5"/></interaction></interactions>
  <simulation T="2"><TimeStepping h="1e-4"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o m.csv; sed 's|<TimeStepping.*</TimeStepping>|<EventDriven h="0.01"><CVodeOSI/></EventDriven>|' m.xml >e.xml; nssim -q e.xml -o e.csv; nssim -q l.xml -o l.csv; for f in m e l; do $CASES/measure $f.csv 'len(events("slip")) == 1 and near(events("slip")[0]["time"], 0.4*14.81/(0.4*12 + 1/6), 2e-4)' 'len(events("stick")) == 0' 'len(events("release")) == 1 and near(events("release")[0]["time"], 14.81/12, 2e-4)'; done
stdout <<
>>

# A step cannot end on the jump of a formula; what to do is said with the formula.
case newton-at-a-jump-names-the-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="m" coordinates="x"><q0>0</q0><fInt>50*x + 0.1*v_x + (1 + 2*exp(-abs(v_x - 0.2)/0.1))*sign(v_x - 0.2)</fInt></LagrangianDS></systems>
  <simulation T="10"><TimeStepping h="5e-4"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml
exit 70
stderr-match this system contributes most to it, and a formula of it switches where v_x - 0.2 = 0; if it jumps there, a step that ends there, as in motion along this surface, has no solution; .* write the jump as a <RelayNSL>

# ---- cams from tables ----

# The second derivative of pchip jumps at its rows, and with it the force of a follower: it may leave the cam there.
case a-follower-leaves-a-cam-at-a-row-of-its-table
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="h" value="1e-4"/><table id="lift" points="0 0; 1 0; 1.5 0.01; 2.2 0.012; 3 0; 2*pi 0" interpolation="pchip" outside="periodic"/></parameters>
  <systems><LagrangianLinearTIDS id="f" coordinates="x"><q0>0.013</q0><mass>0.2</mass><K>300</K><C>2</C><fExt>-4</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="cam" systems="f"><LagrangianRheonomousR><h>x - lift(20*t)</h></LagrangianRheonomousR><NewtonImpactNSL e="0.2"/></interaction></interactions>
  <simulation T="0.6"><EventDriven h="0.005"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv; sed 's|<EventDriven.*</EventDriven>|<TimeStepping h="h"><MoreauJeanOSI/></TimeStepping>|' m.xml >t.xml; for h in 1e-4 2e-5; do nssim -q t.xml -p h=$h -o b.csv; $CASES/measure a.csv "all(near(at(t, 'f.x'), at(t, 'f.x', 'b.csv'), 0.5*$h) for t in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))"; done
stdout <<
>>

# A box on a belt that goes to and fro slides and sticks as often in steps as event by event: a slip of rounding is none.
case belt-slips-are-counted-alike
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <RigidBody2dDS id="belt"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia><prescribed coordinates="x y angle">0.8*cos(4*t) 0 0</prescribed><Rectangle size="10 0.1"/></RigidBody2dDS>
    <RigidBody2dDS id="box"><q0>0 0.15 0</q0><v0>0.8 0 0</v0><mass>0.4</mass><inertia>0.4*0.08/12</inertia><fExt>0 -9.81*0.4</fExt><Rectangle size="0.2 0.2"/></RigidBody2dDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.25"/></contacts>
  <simulation T="3"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run sed 's,<TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping>,<EventDriven h="1e-2"><CVodeOSI/></EventDriven>,' m.xml > e.xml; for f in m e; do nssim $f.xml -q -o $f.csv; cut -d, -f2 $f.events.csv | sort | uniq -c | grep s[lt]i | tr -s ' '; done
exit 0
stdout <<
 8 slip
 6 stick
 8 slip
 6 stick
>>

case bodies-that-roll-on-several-points
run $CASES/users/rolling_bodies.py
stdout <<
>>
timeout 120

# A stop and friction hold one coordinate of slides with levers of a kilometre: rows that depend on each other, of which forces of
# minimum norm have the accuracy of the rows, so that the flow sees no noise. It took 113261 evaluations, 1291 now.
case dependent-rows-over-long-levers
file levers.xml <<
<model xmlns="urn:nssim:model:1" name="levers">
<systems><NewtonEulerDS id="b0"><q0>0 0 0 -0.403829 0.2939523 -0.5684144 -0.6537731</q0><mass>0.852089</mass><inertia diag="416396.1 416396.1 191257.6"/><fExt>4512.099, -2629.947, 3416.561</fExt></NewtonEulerDS>
<NewtonEulerDS id="b1"><q0>-783.278 -715.933 731.9985 -0.3117442 0.03195401 0.5948177 -0.740261</q0><mass>1.308334</mass><inertia diag="298080 298080 170074.8"/><fExt>6928.072, -4038.135, 5245.935</fExt></NewtonEulerDS>
<NewtonEulerDS id="b2"><q0>127.1843 -1375.211 1255.542 -0.8490347 -0.1963988 0.4305835 0.2348735</q0><mass>1.125635</mass><inertia diag="163094.3 163094.3 163354.6"/><fExt>5960.618, -3474.239, 4513.379</fExt></NewtonEulerDS>
</systems><interactions><interaction id="j0" systems="b0"><PrismaticJointR axis="-0.3045909 0.6973027 -0.64884" stiffness="16.90777" initial="0" initialRate="0"><force>1222.68617*(abs(mod(2.153947*t,1)-0.5)*4-1)-17041.78*(slide/1000)^3</force></PrismaticJointR><EqualityConditionNSL/></interaction>
<interaction id="j1" systems="b0 b1"><PrismaticJointR axis="-0.8781262 -0.001674789 0.4784261" damping="1.421595" initial="193.1755" initialRate="310.4409"><motor gear="1" command="position" kv="5.199037" kp="53.90245">180.8538*abs(sin(14.36733*t))</motor></PrismaticJointR><EqualityConditionNSL/></interaction>
<interaction id="j2" systems="b2 b1"><PrismaticJointR axis="-0.5515966 0.2579472 -0.793224" damping="0.4283186" armature="1.310534" initial="-190.4773" initialRate="0"></PrismaticJointR><EqualityConditionNSL/></interaction>
<interaction id="r0"><JointStopR joint="j0" coordinate="slide" lower="-144.7222" upper="220.8249"/><NewtonImpactNSL e="0"/></interaction>
<interaction id="r1"><JointStopR joint="j1" coordinate="slide" lower="153.48"/><NewtonImpactNSL e="0.327798"/></interaction>
<interaction id="r2"><JointFrictionR joint="j1" coordinate="slide"/><RelayNSL lb="-2516.495*(1+exp(-slip/100))" ub="2823.262*(1+exp(-slip/100))"/></interaction>
</interactions><output><observe id="o0">j0.slide</observe><observe id="o1">j1.slide</observe><observe id="o2">j2.slide</observe></output>
  <simulation T="0.6"><EventDriven h="0.02"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim levers.xml -o out.csv | sed -n 's/.*them, \([0-9]*\) evaluations/\1/p' | awk '{print $1 < 3000 ? "few" : $1}'
exit 0
stdout <<
few
>>
