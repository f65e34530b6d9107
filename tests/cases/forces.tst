# SPDX-License-Identifier: GPL-3.0-or-later
# Forces between bodies: the model of a suspension; wrong ones name the place, what was found, what was expected, what to do.

# the stiffness of the links does not matter, though their period goes from 2 ms to 0.4 ms at steps of 2 ms
case suspension-takes-a-step-of-the-road
run for k in 4e8 1e10; do nssim -q $MODELS/suspension/suspension.xml -p kl=$k -o $k.csv; done
verify $CASES/measure 4e8.csv 'abs(at(0.736, "chassis.y") - 0.8637452) < 1e-6' 'abs(at(3, "chassis.y") - 0.85) < 0.005' 'at(3, "front.y") < 0.351'
verify $CASES/measure 1e10.csv 'abs(at(0.736, "chassis.y") - 0.8637452) < 1e-6'

# a prism that was in balance keeps its shape, so that it stands as high as before; its cables pull
case tensegrity-keeps-its-shape
run nssim -q $MODELS/tensegrity/tensegrity.xml -o p.csv
verify $CASES/measure p.csv 'abs(at(2, "strut0.z") - 0.3117) < 1e-3' 'abs(at(2, "strut1.z") - at(2, "strut2.z")) < 1e-3' 'all(at(2, f"{c}{i}.force") < -1 for c in ("top", "bottom", "leg") for i in range(3))'

# interrupted and resumed: the same bytes; what formulas of the run read of a force
case suspension-goes-on
run nssim $MODELS/suspension/suspension.xml -q -o whole.csv; for n in 700 1 200; do nssim $MODELS/suspension/suspension.xml -q -o out.csv --resume auto --max-steps $n 2>/dev/null; done; nssim $MODELS/suspension/suspension.xml -q -o out.csv --resume auto
verify cmp whole.csv out.csv

case forces-stand-in-hdf5-and-in-what-check-says
skip-unless command -v h5ls
run nssim $MODELS/suspension/suspension.xml -q -o a.h5; nssim $MODELS/suspension/suspension.xml -q -o a.csv; nssim plot a.h5 strut1.length strut2.force -o a.svg; nssim check $MODELS/suspension/suspension.xml | grep between
verify nssim compare a.h5 a.csv
verify h5ls -r a.h5 | grep -q '/forces/tyre2/power'
stdout-match ^6 forces between bodies

case forces-are-read-by-events-and-measures
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions><spring id="s" systems="a" point2="0 2 0" stiffness="pi^2" restLength="1"/></interactions>
  <simulation T="10"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
  <output><observe id="twice">2*s.length</observe></output>
  <events><stop id="far" when="s.length &lt; 0.001"/></events>
  <measures>
    <measure id="shortest" kind="min">s.length</measure>
    <measure id="pull" kind="min">s.force</measure>
    <measure id="work" kind="integral">s.power</measure>
  </measures>
</model>
>>
run nssim m.xml -q --json -o m.csv > j
verify $CASES/measured j 'near(M["pull"], -9.8696044, 1e-5)' 'M["shortest"] < 0.002' 'abs(M["work"]) < 0.011'
verify $CASES/measure m.csv 'abs(at(0.5, "twice.value") - 2) < 1e-4' 'abs(at(0.5, "s.rate") + 3.14159265) < 1e-4'

case forces-name-an-unknown-body
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a c" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: unknown system c, expected the id of a system in <systems>
>>

case forces-join-a-body-to-itself
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a a" point1="0 0 1" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: acts on a twice, expected two bodies, or a body and the world
>>

case forces-begin-at-the-world
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="world a" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: starts at the world, expected a body first: systems="ball world"
>>

case forces-have-a-negative-stiffness
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b" stiffness="-1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: attribute stiffness is -1, expected a number in [0, inf): tension per metre of elongation; give this or a formula <along>
>>

case forces-have-a-formula-and-a-stiffness
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b" stiffness="1"><along>-length</along></spring>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: has a formula and stiffness, expected one of them; remove the other
>>

case forces-say-nothing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: has no formula and no parameters, expected stiffness="1e3" or <along>-k*length</along>
>>

case forces-say-no-damping
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <damper id="s" systems="a b"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <damper id="s">: has no formula and no parameters, expected damping="10" or <along>-c*rate</along>
>>

case forces-say-no-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <force id="s" systems="a b"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <force id="s">: has no formula and no parameters, expected <along>, <vector> or <torque>, such as <along>-k/length^2</along>
>>

case forces-have-a-point-of-two-numbers
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b" point1="0 1" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: attribute point1 has 2 entries, expected 3: 3 for each point of bodies in space
>>

case forces-have-a-torque-in-space
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <force id="s" systems="a b"><torque>1</torque></force>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <torque> of <force id="s">: acts between bodies in space, which have no angle, expected bodies in the plane; give <vector> at two points, or a torque about the axis of a joint
>>

case forces-read-a-coordinate-of-a-body
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b"><along>-lenght</along></spring>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <along> of <spring id="s">: in "-lenght", column 2: unknown name "lenght", did you mean "length"?
>>

case forces-name-three-bodies
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b a" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <spring id="s">: names 3 systems, expected two bodies, or a body and the world
>>

case forces-pass-a-point-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <tendon id="s" systems="a b b" stiffness="1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <tendon id="s">: passes through the same point of b twice, points 2 and 3; remove one of them
>>

# Points of a tendon one after the other, and each in a row.
case forces-points-in-rows
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 2 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <tendon id="s" systems="world a" points="0 1 3; 0.1 0 0" stiffness="40" restLength="0.5"/>
  </interactions>
  <simulation T="0.3"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o rows.csv && sed 's/3; 0/3 0/' m.xml > line.xml && nssim -q line.xml -o line.csv && cmp rows.csv line.csv && echo same; for p in 'points="0 1; 3 0.1; 0 0"' 'points="0 1 3; 0.1 0 0; 1 1 1"' 'strands="1 2; 2 3"'; do sed "s/points=.* stiff/$p stiff/" m.xml > bad.xml; nssim check bad.xml; done
exit 65
stdout <<
same
>>
stderr <<
nssim: error: bad.xml:6: <tendon id="s">: attribute points has rows of 2 entries, expected 3: a point of a body in space in each
nssim: error: bad.xml:6: <tendon id="s">: attribute points has 9 entries, expected 6: 3 for each point of bodies in space
nssim: error: bad.xml:6: <tendon id="s">: attribute strands is 2 x 2, expected one number or a row of them: one after the other, without semicolons
>>

case forces-without-direction-at-length-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <spring id="s" systems="a b" point1="0.5 0 0" point2="-0.5 0 0" stiffness="1" restLength="0.1"/>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim run -q m.xml -o m.csv
exit 70
stderr <<
nssim: error: m.xml:7: <spring id="s">: its points coincide at t = 0 s, so that its force of 0.1 N has no direction, expected different points; give a spring restLength="0", use a <force> with <vector>, or keep the points apart
>>
