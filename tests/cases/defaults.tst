# SPDX-License-Identifier: GPL-3.0-or-later
# <defaults>: attributes that elements do not write themselves, by element and class.

case defaults-are-as-if-written
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <defaults>
    <Sphere radius="0.1" density="1000"/>
    <Sphere class="large" radius="0.2"/>
    <NewtonImpactFrictionNSL class="hard" en="0.5" mu="0.3"/>
    <TimeStepping h="0.01"/>
  </defaults>
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere class="large"/></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>2 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere class="large" radius="0.3" density="500"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL class="hard"/><Plane/></contacts>
  <simulation T="1"><TimeStepping><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file w.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere radius="0.1" density="1000"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere radius="0.2" density="1000"/></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>2 0 1 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere radius="0.3" density="500"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0.5" mu="0.3"/><Plane/></contacts>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o m.csv && nssim w.xml -q -o w.csv && cmp m.csv w.csv && echo same
exit 0
stdout <<
same
>>

case defaults-are-changed-by-a-path
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>3 0 1 1 0 0 0</q0><Sphere class="large"/></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>6 0 1 1 0 0 0</q0><Sphere radius="0.3"/></NewtonEulerDS>
  </systems>
  <defaults>
    <Sphere radius="0.1" density="1000"/>
    <Sphere class="large" density="2000"/>
  </defaults>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures><measure id="x" kind="final">a.x</measure></measures>
</model>
>>
file w.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere radius="0.5" density="1000"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>3 0 1 1 0 0 0</q0><Sphere radius="0.7" density="2000"/></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>6 0 1 1 0 0 0</q0><Sphere radius="0.3" density="1000"/></NewtonEulerDS>
  </systems>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures><measure id="x" kind="final">a.x</measure></measures>
</model>
>>
run nssim m.xml -q -o m.h5 -p 'defaults/Sphere[1]@radius=0.5' -p 'defaults/Sphere[2]@radius=0.7' && nssim w.xml -q -o w.h5 && h5dump -d /shapes/table w.h5 | grep -v w.h5 >w.txt; h5dump -d /shapes/table m.h5 | grep -v m.h5 | cmp - w.txt && echo same
exit 0
stdout <<
same
>>

case defaults-unknown-element
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <defaults>
    <Spere radius="0.1"/>
    <H file="h.txt"/>
    <Sphere radios="0.1"/>
    <Sphere id="s"/>
    <Box size="1 1 1"/>
    <Box density="1"/>
    <NewtonEulerDS><q0>0 0 0 1 0 0 0</q0></NewtonEulerDS>
  </defaults>
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere class="hard" radius="1" density="1"/></NewtonEulerDS>
  </systems>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: unknown element <Spere> in <defaults>, did you mean <Sphere>?
nssim: error: m.xml:4: <H> has no default, because its attributes, if any, only stand for its text; use a parameter of the model in its text instead
nssim: error: m.xml:5: <Sphere>: unknown attribute radios, did you mean radius?
nssim: error: m.xml:6: <Sphere id="s">: is the second default of this element (first: line 5), expected one; merge them
nssim: error: m.xml:8: <Box>: is the second default of this element (first: line 7), expected one; merge them
nssim: error: m.xml:9: <NewtonEulerDS>: contains <q0>, expected only attributes in <defaults>
nssim: error: m.xml:12: <Sphere>: unknown class hard, expected one that <defaults> has for this element: <Sphere class="hard" .../>
>>

case defaults-unknown-class
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <defaults><NewtonImpactNSL class="hard" e="0.5"/></defaults>
  <systems><LagrangianLinearTIDS id="a"><q0>1</q0></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="i" systems="a"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL class="hrad"/></interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <NewtonImpactNSL>: unknown class hrad, did you mean hard?
nssim: error: m.xml:5: <NewtonImpactNSL>: attribute e is missing, expected a number: coefficient of restitution; write for instance e="0.9"
>>

# who took what: those that write an attribute themselves did not, nor others of the class
case defaults-are-told-by-check
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <defaults>
    <Sphere radius="0.1" density="1000"/>
    <Sphere class="large" radius="0.2"/>
    <Box size="1 1 1"/>
  </defaults>
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 1 1 0 0 0</q0><Sphere class="large"/></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>2 0 1 1 0 0 0</q0><Sphere class="large" radius="0.3" density="500"/></NewtonEulerDS>
    <NewtonEulerDS id="d"><q0>4 0 1 1 0 0 0</q0><Sphere/></NewtonEulerDS>
    <NewtonEulerDS id="e"><q0>6 0 1 1 0 0 0</q0><Sphere/></NewtonEulerDS>
    <repeat index="i" from="1" to="3"><NewtonEulerDS id="f{i}"><q0>7+i 0 1 1 0 0 0</q0><Sphere/></NewtonEulerDS></repeat>
    <NewtonEulerDS id="g"><q0>20 0 1 1 0 0 0</q0><Sphere radius="0.5"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.3"/></contacts>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml | sed -n '/^defaults/,/^[0-9]/p' | sed '$d'; nssim check m.xml --json | python3 -c 'import json, sys; [print(*d.values()) for d in json.load(sys.stdin)["defaults"]]'
stdout <<
defaults
  Sphere radius="0.1": 4 elements, lines 8, 11, 12, 13
  Sphere density="1000": 6 elements, lines 8, 9, 11, 12 ... 14
  Sphere class="large" radius="0.2": 1 element, line 9
  Box size="1 1 1": used by no element
Sphere None radius 0.1 4
Sphere None density 1000 6
Sphere large radius 0.2 1
Box None size 1 1 1 0
>>

# values with attributes of their own: those of several elements by one default
case defaults-of-values-are-as-if-written
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0 class="turned">0 0 0</q0><mass>2</mass><inertia diag="1 2 3"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><fExt>1 0 0</fExt></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>0 1 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><fExt axes="world">0 1 0</fExt></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="j" systems="a"><PivotJointR point="0 0 0" axis="0 0 1"><motor>sin(t)</motor></PivotJointR><EqualityConditionNSL/></interaction>
    <interaction id="k" systems="b"><CylindricalJointR point="1 0 0" axis="0 0 1"><motor class="weak">1</motor></CylindricalJointR><EqualityConditionNSL/></interaction>
    <interaction id="l" systems="c"><PrismaticJointR axis="0 1 0"><motor kp="9">0.1</motor></PrismaticJointR><EqualityConditionNSL/></interaction>
  </interactions>
  <simulation T="0.5"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
  <defaults>
    <motor command="position" kp="40" kv="2" limit="15"/>
    <motor class="weak" kp="4" coordinate="slide"/>
    <q0 class="turned" axis="0 0 1" angle="0.5"/>
    <fExt axes="body"/>
  </defaults>
</model>
>>
file w.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0 axis="0 0 1" angle="0.5">0 0 0</q0><mass>2</mass><inertia diag="1 2 3"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><fExt axes="body">1 0 0</fExt></NewtonEulerDS>
    <NewtonEulerDS id="c"><q0>0 1 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><fExt>0 1 0</fExt></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="j" systems="a"><PivotJointR point="0 0 0" axis="0 0 1"><motor command="position" kp="40" kv="2" limit="15">sin(t)</motor></PivotJointR><EqualityConditionNSL/></interaction>
    <interaction id="k" systems="b"><CylindricalJointR point="1 0 0" axis="0 0 1"><motor command="position" kp="4" kv="2" limit="15" coordinate="slide">1</motor></CylindricalJointR><EqualityConditionNSL/></interaction>
    <interaction id="l" systems="c"><PrismaticJointR axis="0 1 0"><motor command="position" kp="9" kv="2" limit="15">0.1</motor></PrismaticJointR><EqualityConditionNSL/></interaction>
  </interactions>
  <simulation T="0.5"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o m.csv && nssim w.xml -q -o w.csv && cmp m.csv w.csv && echo same; sed 's/kv="2"/kv="3"/' w.xml >v.xml; nssim v.xml -q -o v.csv; nssim m.xml -q -o m.csv -p defaults/motor[1]@kv=3 && cmp m.csv v.csv && echo same; nssim check m.xml | sed -n '/^defaults/,/^[0-9]/p' | grep -v '^[0-9]'; xmllint --noout --schema $BUILD/schemas/nssim.xsd m.xml 2>&1
exit 0
stdout <<
same
same
defaults
  motor command="position": 3 elements, lines 8, 9, 10
  motor kp="40": 1 element, line 8
  motor kv="2": 3 elements, lines 8, 9, 10
  motor limit="15": 3 elements, lines 8, 9, 10
  motor class="weak" kp="4": 1 element, line 9
  motor class="weak" coordinate="slide": 1 element, line 9
  q0 class="turned" axis="0 0 1": 1 element, line 3
  q0 class="turned" angle="0.5": 1 element, line 3
  fExt axes="body": 1 element, line 4
m.xml validates
>>

case defaults-of-values-that-cannot-be
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <defaults>
    <motor kp="1">t</motor>
    <motor kp="1" gain="3"/>
    <fExt file="f.txt"/>
    <motor class="weak" limit="-1"/>
    <along unit="N"/>
    <parameter name="m"/>
  </defaults>
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/><mExt class="weak">0 0 1</mExt></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="j" systems="a"><PivotJointR point="0 0 0" axis="0 0 1"><motor class="weak">1</motor></PivotJointR><EqualityConditionNSL/></interaction>
    <interaction id="k" systems="a"><PivotJointR point="0 0 0" axis="0 0 1"><motor class="week">1</motor></PivotJointR><EqualityConditionNSL/></interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml; sed -i -e 3,5d -e '/along/d' -e '/parameter/d' -e 's/limit="-1"/limit="1"/' -e 's/week/weak/' -e 's/mExt class="weak"/mExt/' -e 's/<motor class="weak" limit="1"/<motor class="weak" command="position" kp="2"/' m.xml; for s in defaults/motor=3 defaults/motor@file=a defaults/motor@kp=a; do nssim check m.xml -p $s; done
exit 65
stderr <<
nssim: error: m.xml:3: <motor> of <defaults>: the text "t" is not allowed here, expected only attributes
nssim: error: m.xml:4: <motor> of <defaults>: unknown attribute gain, expected one of: command, kp, kv, limit, stall, noLoad, gear, coordinate
nssim: error: m.xml:5: <fExt> of <defaults>: attribute file stands for the text of <fExt>, which has no default; write it where <fExt> is
nssim: error: m.xml:7: <along> has no default, because its attributes, if any, only stand for its text; use a parameter of the model in its text instead
nssim: error: m.xml:8: <parameter name="m">: attribute name names one element, expected it on that element and not in <defaults>
nssim: error: m.xml:11: <mExt> of <NewtonEulerDS id="a">: unknown class weak, expected one that <defaults> has for this element: <mExt class="weak" .../>
nssim: error: m.xml:15: <motor> of <PivotJointR>: unknown class week, did you mean weak?
nssim: error: defaults/motor: <motor> contains no text, expected an attribute of it: defaults/motor@command=
nssim: error: defaults/motor@file: <motor> has no attribute file, expected one of: command, kp, kv, limit, stall, noLoad, gear, coordinate
nssim: error: m.xml:9: <motor> of <PivotJointR>: attribute kp: in "a", column 1: unknown name "a"; declare it as a <parameter>
nssim: error: m.xml:10: <motor> of <PivotJointR>: attribute kp: in "a", column 1: unknown name "a"; declare it as a <parameter>
>>

case defaults-of-what-is-no-class
file m.xml <<
<model xmlns="urn:nssim:model:1">
<defaults>
<Sphere class="small round" radius="1"/>
<Box class="" density="1"/>
</defaults>
<systems><NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere radius="1" density="1"/></NewtonEulerDS></systems>
<simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <Sphere>: attribute class is "small round", expected one name, as elements give it; write a default for each class
nssim: error: m.xml:4: <Box>: attribute class is "", expected one name, as elements give it; write a default for each class
>>
