# SPDX-License-Identifier: GPL-3.0-or-later
# Event-driven runs of models that are wrong, start where they cannot, or lead where nothing goes on: what is said, the status, and
# what is on disk. The ball of bouncing-ball-events falls from 1 m and meets the ground at 0.4515 s.

replace (?<=step of )[0-9.e-]+ => H
replace (?<=in the error, )[0-9.e+-]+ => SHARE

# ---- attributes ----

case sequential-and-multiple
run sed 's/<EventDriven /&impacts="sequential" /' $MODELS/two-balls/two-balls-springs.xml >m.xml; nssim m.xml -q -o out.csv
exit 65
stderr <<
nssim: error: m.xml:44: <simulation>: impacts="sequential" with MultipleImpactNSL, which has its own order of impacts; expected NewtonImpactNSL, or remove impacts
>>

case numbers-out-of-range
run for a in 'h="0.01"/h="0"' 'h="0.01"/h="-1"' 'restSpeed="1e-6"/restSpeed="-1"' 'restSpeed="1e-6"/gapTolerance="0"' 'restSpeed="1e-6"/maxEvents="0"' 'restSpeed="1e-6"/maxEvents="2.5"' 'restSpeed="1e-6"/resSpeed="1"' '1e-10/1' '1e-10/0' '1e-10/tiny' 'relativeTolerance="1e-10"/maxStep="0"' 'NSL e="e"/NSL e="1.5"'; do sed "s/$a/" $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv; echo $?; done
stdout <<
65
65
65
65
65
65
65
65
65
65
65
65
>>
stderr <<
nssim: error: m.xml:31: <EventDriven>: attribute h is 0, expected a number in (0, inf): interval of the rows of the output; it does not affect the accuracy
nssim: error: m.xml:31: <EventDriven>: attribute h is -1, expected a number in (0, inf): interval of the rows of the output; it does not affect the accuracy
nssim: error: m.xml:31: <EventDriven>: attribute restSpeed is -1, expected a number in [0, inf): rebounds slower than this are treated as rest; the default is reduced in proportion if a series of impacts begins below 4 m/s. Unless it is 0, rebounds that are too low for the tolerances are also treated as rest after 300 impacts without rest
nssim: error: m.xml:31: <EventDriven>: attribute gapTolerance is 0, expected a number in (0, inf): largest gap that counts as closed at t0, at T and at events of other contacts
nssim: error: m.xml:31: <EventDriven>: attribute maxEvents is 0, expected a whole number in [1, 2147483647]: maximum number of events between two points of the time grid; if it is exceeded, the run fails
nssim: error: m.xml:31: <EventDriven>: attribute maxEvents is 2.5, expected a whole number in [1, 2147483647]: maximum number of events between two points of the time grid; if it is exceeded, the run fails
nssim: error: m.xml:31: <EventDriven>: unknown attribute resSpeed, did you mean restSpeed?
nssim: error: m.xml:32: <CVodeOSI>: attribute relativeTolerance is 1, expected a number in (0, 1): relative tolerance of the local error of positions and velocities
nssim: error: m.xml:32: <CVodeOSI>: attribute relativeTolerance is 0, expected a number in (0, 1): relative tolerance of the local error of positions and velocities
nssim: error: m.xml:32: <CVodeOSI>: attribute relativeTolerance: in "tiny", column 1: unknown name "tiny"; declare it as a <parameter>
nssim: error: m.xml:32: <CVodeOSI>: attribute maxStep is 0, expected a number in (0, inf): longest step; it must be shorter than the shortest contact to be detected
nssim: error: m.xml:27: <NewtonImpactNSL>: attribute e is 1.5, expected a number in [0, 1]: coefficient of restitution
>>
absent out.csv

case words-that-are-none
run sed 's/restSpeed="1e-6"/accumulation="stik"/; s/relativeTolerance="1e-10"/method="adam"/' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q
exit 65
stderr-match <EventDriven>: attribute accumulation is "stik", expected one of: stick
stderr-match <CVodeOSI>: attribute method is "adam", expected one of: adams bdf auto

case no-time-to-run
run for T in 0 -1; do sed "s/T=\"3\"/T=\"$T\"/" $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv; echo $?; done
stdout <<
65
65
>>
stderr <<
nssim: error: m.xml:30: <simulation>: T is 0 s, expected a time after t0; set T on <simulation>
nssim: error: m.xml:30: <simulation>: T is -1 s, expected a time after t0; set T on <simulation>
>>

# One row of the grid would be at 10 s: the rows are t0, both sides of events, and T.
case grid-longer-than-the-run
run sed 's/h="0.01"/h="10"/' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q --t-end 0.5 -o out.csv; cut -d, -f1,9 out.csv
stdout <<
time,diagnostics.side
0,0
0.45152364098573861,1
0.45152364098573861,2
0.5,0
>>

# ---- starts ----

case start-overlapping
run sed 's|<q0>1<|<q0>-0.3<|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 65
stderr <<
nssim: error: m.xml:25: <interaction id="ground">: its systems overlap by 0.3 m at t0, expected a gap of at least -1e-10 m for an event-driven run; move them apart by that much, or give <EventDriven> a larger gapTolerance
>>
absent out.csv

case start-off-the-constraint
run sed 's|<q0>.*</q0>|<q0>1.01*L 0</q0>|' $MODELS/pendulum/pendulum.xml >m.xml; nssim m.xml -q -o out.csv
exit 65
stderr <<
nssim: error: m.xml:29: <interaction id="rod">: row 0 of the constraint is 0.0201 at t0, expected 0 within 1e-10 for an event-driven run; correct the initial position or the relation, or give <EventDriven> a larger gapTolerance
>>

# It is said, and mended by an impulse: what is left of the velocity is along the circle.
case start-against-the-constraint
run sed 's|</q0>|</q0><v0>0.5 -2</v0>|' $MODELS/pendulum/pendulum.xml >m.xml; nssim m.xml -q --t-end 0.1 -o out.csv
stderr <<
nssim: warning: m.xml:29: <interaction id="rod">: row 0 of the constraint changes at the rate 1 at t0, expected 0 within 1e-08; an impulse at t0 enforces it
>>
verify $CASES/measure out.csv 'near(c("bob.v_x")[2], 0, 1e-15) and near(c("bob.v_z")[2], -2, 1e-15)' 't[2] == 0 and c("diagnostics.side")[2] == 2'

# In contact at t0: at rest without an impact, or hit.
case start-in-contact
run for v in 0 -1; do sed "s|<q0>1<|<v0>$v</v0><q0>0<|" $MODELS/bouncing-ball/bouncing-ball-events.xml >m$v.xml; nssim m$v.xml -q --t-end 0.1 -o out$v.csv; done; grep -h ^0, out0.events.csv out-1.events.csv
stdout <<
0,contact,ground,0,0,0,0,0,0,closed,closed
0,impact,ground,0,0,-1,0.5,1.5,0.375,free,free
>>

case mass-of-nothing
run for m in 0 -1; do nssim $MODELS/bouncing-ball/bouncing-ball-events.xml -p m=$m -q -o out.csv; echo $?; done
stdout <<
65
65
>>
stderr <<
nssim: error: $MODELS/bouncing-ball/bouncing-ball-events.xml:18: <LagrangianLinearTIDS id="ball">: the mass matrix is not positive definite at the initial position (pivot 1, coordinate x), expected inertia in every direction; give that coordinate a positive mass
nssim: error: $MODELS/bouncing-ball/bouncing-ball-events.xml:18: <LagrangianLinearTIDS id="ball">: the mass matrix is not positive definite at the initial position (pivot 1, coordinate x), expected inertia in every direction; give that coordinate a positive mass
>>

# ---- motion that cannot go on: what there is is on disk ----

case gap-without-a-value
run sed 's|<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>|<LagrangianScleronomousR><h>sqrt(x - 0.5)</h></LagrangianScleronomousR>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match m\.xml:25: <interaction id="ground">: <h> is not finite at t = 0\.3[0-9]* s: sqrt\(x - 0\.5\) is nan with x = 0\.4[0-9]*; the last good state, at t = 0\.3[0-9]* s, is kept; give the formula a value there
verify $CASES/measure out.csv 't[-1] > 0.3' && grep -q '"status": "failed"' out.json

case gap-that-jumps
run sed 's|<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>|<LagrangianRheonomousR><h>x - (t \&gt; 0.3 ? 0.9 : 0)</h></LagrangianRheonomousR>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr <<
nssim: error: m.xml:25: <interaction id="ground">: its gap jumps to -0.34145 m at t = 0.3 s, expected it to decrease to 0 smoothly; the results so far are kept; make the relation continuous in time and position
>>
verify $CASES/measure out.csv 'near(t[-1], 0.3, 0.011)'

case force-without-a-value
run sed 's|LinearTIDS|DS|g; s|<fExt>|<fInt>3*sqrt(x-0.5)</fInt>&|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match ^nssim: error: m\.xml:18: <LagrangianDS id="ball">: <fInt> of x is not finite at t = 0\.29[0-9]* s: sqrt\(x - 0\.5\) is nan with x = 0\.4999*[0-9]*; the last good state, at t = 0\.29 s, is kept
verify $CASES/measure out.csv 't[-1] > 0.2' && grep -q '"status": "failed"' out.json

case force-that-grows-without-bound
run sed 's|LinearTIDS|DS|g; s|<fExt>|<fInt>-100*x^3</fInt>&|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.h5; nssim info out.h5 | grep -E 'status|rows'
stderr-match ^nssim: error: m\.xml:18: <LagrangianDS id="ball">: CVODE stopped at t = 0\.1[0-9]* s .* or look for a force that jumps or grows without bound there
stdout-match status +FAILED \(exit 70\): the file ends at t = 0\.1[0-9]* s of 3 s; m\.xml:18: <LagrangianDS id="ball">: CVODE stopped
stdout-match rows +1[0-9], t = 0 s to 0\.1[0-9]* s

case tolerances-below-rounding
run sed 's|<CVodeOSI.*/>|<CVodeOSI relativeTolerance="1e-17" absoluteTolerance="1e-30"/>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match ^nssim: error: m\.xml:18: <LagrangianLinearTIDS id="ball">: CVODE stopped at t = [0-9.e-]* s .*: the tolerances are below rounding, expected larger ones

case too-stiff-for-adams
run sed 's|LinearTIDS|DS|g; s|<fExt>|<fInt>1e9*v_x + 1e10*x</fInt>&|; s|<CVodeOSI |&method="adams" |' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match too many steps were needed .* try method="bdf" for stiff motion

case the-same-by-bdf
run sed 's|LinearTIDS|DS|g; s|<fExt>|<fInt>1e9*v_x + 1e10*x</fInt>&|; s|<CVodeOSI |&method="bdf" |' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q --t-end 0.2 -o out.csv
verify $CASES/measure out.csv 'near(c("ball.x")[-1], exp(-10*0.2), 1e-6)'

# Nobody needs to know what stiff is.
case the-same-by-default
run sed 's|LinearTIDS|DS|g; s|<fExt>|<fInt>1e9*v_x + 1e10*x</fInt>&|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q --t-end 0.2 -o out.csv
verify $CASES/measure out.csv 'near(c("ball.x")[-1], exp(-10*0.2), 1e-6)'

# Coarse as they may be, tolerances do not keep a ball from its ground.
case tolerances-of-nothing
run sed 's|<CVodeOSI.*/>|<CVodeOSI relativeTolerance="0.99" absoluteTolerance="1e3"/>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
verify $CASES/measure out.csv 'min(c("ball.x")) > -1e-9' 'c("ball.x")[-1] == 0'

# The weight is less from 0.3 s on: x = 1 - g t^2/2, then with 5 m/s^2. The integrator finds the jump by its error.
case force-that-jumps-in-time
run sed 's|<fExt>-m\*g|<fExt>t \&lt; 0.3 ? -g : -5|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q --t-end 0.5 -o out.csv
verify $CASES/measure out.csv 'near(events("impact")[0]["time"], 0.3+(sqrt((9.81*0.3)**2+2*5*(1-9.81*0.09/2))-9.81*0.3)/5, 1e-8)'

case constraints-that-contradict
run sed 's|<NewtonImpactNSL.*/>|<EqualityConditionNSL/>|; /<LCP/d; s|<q0>1<|<q0>0<|; s|</interactions>|<interaction id="up" systems="ball"><LagrangianRheonomousR><h>x - t</h></LagrangianRheonomousR><EqualityConditionNSL/></interaction>&|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match row 0 of the constraint changes at the rate -1 at t0
stderr-match look for contacts that contradict each other: ground, up$

case a-press-without-end
run sed 's|<q0>1<|<q0>0<|; s|</interactions>|<interaction id="press" systems="ball"><LagrangianRheonomousR><h>1 - t - x</h></LagrangianRheonomousR><NewtonImpactNSL e="0"/></interaction>&|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match in the step from t = 1 s was not solved: .* look for contacts that contradict each other: ground, press$
verify $CASES/measure out.csv 'near(t[-1], 1, 0.0101)'

case impacts-accumulate-and-end-the-run
run sed 's|restSpeed|accumulation="stop" &|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr <<
nssim: error: m.xml:25: <interaction id="ground">: impacts accumulate at t = 1.354570708 s: 23 since the contact last rested, the last at 1.06e-06 m/s; the results up to there are kept; accumulation="stick" lets it rest and continues
>>
verify $CASES/measure out.csv 'len(events("impact")) == 23 and len(events("accumulation")) == 1' 'near(t[-1], 1.3545709, 1e-6)'

case impacts-without-end
run sed 's|restSpeed="1e-6"|restSpeed="0" maxEvents="20"|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match <interaction id="ground">: more than 20 events between two points of the grid, the last at t = 1\.354[0-9]* s
verify $CASES/measure out.csv 'len(events("impact")) > 9'

# Friction as a formula: a ball at rest is held by it, as |10 sign| is more than its spring gives.
case friction-by-a-formula-sticks
run sed 's|LinearTIDS|DS|g; s|<fExt>.*|<fInt>10*sign(v_x) + x</fInt>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
verify $CASES/measure out.csv 'near(c("ball.x")[-1], 1, 1e-12)' 'near(t[-1], 3, 0)' 'len(events("formula")) == 1 and events("formula")[0]["mode_after"] == "between"'

# ---- events of the user ----

case an-event-that-makes-itself-happen
run sed 's|</simulation>|&<events><event id="up" when="x \&lt; 0.9"><set name="x" value="0.9 + 1e-7"/></event></events>|; s|restSpeed|maxEvents="100" &|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match <event id="up">: more than 100 events between two points of the grid, this one the last at t = 0\.1427914[0-9]* s: its <set> triggers it again

case positions-set-into-the-ground
run sed 's|</simulation>|&<events><event id="push" at="0.1"><set name="x" value="-1"/></event></events>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr <<
nssim: error: m.xml:25: <interaction id="ground">: its y[0] is -1 after an event or a control acted at t = 0.1 s, expected a gap; the results so far are kept; set positions that satisfy it
>>
verify $CASES/measure out.csv 'near(t[-1], 0.1, 1e-12)'

case positions-set-off-the-constraint
run sed 's|</simulation>|&<events><event id="pull" at="0.25"><set name="x" value="1.2"/></event></events>|' $MODELS/pendulum/pendulum.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match <interaction id="rod">: its y\[0\] is 0\.53[0-9]* after an event or a control acted at t = 0\.25 s, expected 0; the results so far are kept; set positions that satisfy it

# What rests and is lifted falls again: from 0.2 m at 2 s.
case a-ball-lifted-from-its-rest
run sed 's|</simulation>|&<events><event id="lift" at="2"><set name="x" value="0.2"/></event></events>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
verify $CASES/measure out.csv 'near(events("release")[0]["time"], 2, 1e-12)' 'near([e["time"] for e in events("impact") if e["time"] > 2][0], 2+sqrt(0.4/9.81), 1e-10)'

case a-value-that-is-none
run sed 's|</simulation>|&<events><event id="odd" at="0.1"><set name="v_x" value="log(-x)"/></event></events>|' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr-match <event id="odd">: the value that <set> number 1 writes at t = 0\.1 s is -?nan, expected a finite one

# ---- multiple impacts ----

# However large the increments may be, the error of each is bounded.
case increments-too-large
run sed 's|<EventDriven|& impulseStep="100"|' $MODELS/two-balls/two-balls-springs.xml >m.xml; nssim m.xml -q -o out.csv; nssim $MODELS/two-balls/two-balls-springs.xml -q -o a.csv
verify $CASES/measure out.csv 'near(c("upper.v_x")[-1], c("upper.v_x", "a.csv")[-1], 1e-8)'

case increments-too-small
run sed 's|<EventDriven|& increments="fixed" impulseStep="1e-12"|' $MODELS/two-balls/two-balls-springs.xml >m.xml; nssim m.xml -q -o out.csv
exit 70
stderr <<
nssim: error: m.xml:35: <interaction id="floor">: the impact of 2 contacts at t = 0.451523641 s takes more than 50000000 increments of 1e-12 N s; the results so far are kept; give <EventDriven> a larger impulseStep
>>

# Chains of any length keep their energy, whatever increment is given.
case a-chain-makes-no-energy
run for step in 0 1e-3 1; do sed "s|<EventDriven|& impulseStep=\"$step\"|" $MODELS/chain-of-balls/chain-of-balls.xml >m.xml; nssim m.xml -q -p n=80 -o out$step.csv; done
verify $CASES/measure out0.csv 'all(abs(sum(c("ball%d.v_x" % i, f)[-1]**2 for i in range(1, 81)) - 1) < 1e-13 for f in ("out0.csv", "out1e-3.csv", "out1.csv"))' 'all(abs(c("ball%d.v_x" % i, f)[-1] - c("ball%d.v_x" % i)[-1]) < 1e-9 for i in range(1, 81) for f in ("out1e-3.csv", "out1.csv"))'

case fixed-increments-that-make-energy
run sed 's|<EventDriven|& increments="fixed" impulseStep="1"|' $MODELS/chain-of-balls/chain-of-balls.xml >m.xml; nssim m.xml -q -p n=80 -o out.csv
exit 70
stderr-match the impact of [0-9]+ contacts at t = .* gained .* J of energy, expected none: increments of .* N s are too large; the results so far are kept; use increments="adaptive"

# ---- the certificate ----

case certificate-in-words
run nssim $MODELS/cam-follower/cam-follower-events.xml
exit 0
stdout-match certificate  motion 0\.00[0-9]+, laws 0\.0[0-9]+, events [0-9.e-]+ of what the tolerances allow; motion checked in 100 % of the time
stdout-match ^complete: .*, certificate <= 0\.0

# States do not depend on whether they are checked.
case certificate-on-and-off
run for c in on laws off; do sed "s|<EventDriven|& certificate=\"$c\"|" $MODELS/cam-follower/cam-follower-events.xml >m.xml; nssim m.xml -q -o $c.csv; nssim m.xml --json | grep -c motion_defect_max; done; cmp on.csv off.csv && cmp on.csv laws.csv && echo same
stdout <<
1
1
0
same
>>

case certificate-in-results
run nssim $MODELS/rlc-diode/rlc-diode-events.xml -q -o a.h5; nssim info a.h5 | grep -cE '(motion_defect|law_breach|event_breach)_max|checked_time|certificate_evaluations'
stdout-match ^[45]$

# ---- signals ----

# What there is when it is told to end is whole, and says why it ends.
case interrupted-and-terminated
setup sed 's/h="0.01"/h="1e-7"/' $MODELS/bouncing-ball/bouncing-ball-events.xml >m.xml
run for s in INT TERM; do env --default-signal=INT nssim m.xml -q --record ball.q --every 100 -o $s.h5 & for i in $(seq 400); do sleep 0.1; [ -s $s.h5 ] && break; done; kill -s $s $!; wait $!; echo $?; nssim info $s.h5 | grep -E 'status|^  rows'; done
stdout-match ^75
stderr-match ^nssim: warning: interrupted by SIGINT: t = .* of 3 s
stderr-match ^nssim: warning: interrupted by SIGTERM: t = .* of 3 s

# two diodes and an amplifier that feeds itself through them: no mode has a motion, and the step has no solution
case event-driven-circuit-without-a-motion
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <netlist id="s">
    Rg n0 0 1e-3
    Rt1 n1 n0 60.935
    Rt2 n2 n1 5.73284
    Rl2 n2 0 283.08
    Rt3 n3 n1 7.74724
    Rl3 n3 0 81.2954
    Rs0 n0 a0 0.455879
    V0 a0 0 7.70039*sin(5.48417*t)
    L0 n3 n1 0.0257783
    D0 n2 n3
    D1 n1 n3
    G0 n2 n3 n2 n3 -0.389208
  </netlist>
  <simulation T="4"><EventDriven h="0.05"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim m.xml
exit 70
stderr-match the motion cannot continue from t = 0 s: none of the 4 modes of its rows has a motion that satisfies the laws, and a short implicit step has no solution
