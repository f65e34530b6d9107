# SPDX-License-Identifier: GPL-3.0-or-later
# <repeat> on files that are no text: datasets of HDF5, systems of results.

# Balls that fall, in two runs and in one: the second begins where the first ended, but for the rounding of a unit quaternion, and
# both end alike: with rows of one instant, for the others of a contact depend on whether the step before loaded it, which the state
# does not tell (a checkpoint does).
case a-run-goes-on-where-another-ended
file fill.xml <<
<model xmlns="urn:nssim:model:1" name="fill">
  <parameters><parameter name="T" value="0.2"/></parameters>
  <systems>
    <NewtonEulerDS id="wall"><q0>0 0 -0.1 1 0 0 0</q0><Box size="4 4 0.2" density="100"/>
      <fixed coordinates="x y z Omega_x Omega_y Omega_z"/></NewtonEulerDS>
    <repeat index="i" packing="random" count="8" low="0 0 0" high="0.4 0.4 0.4" radius="0.05">
      <NewtonEulerDS id="ball{i}"><q0>x y z p0 p1 p2 p3</q0><v0>0 0 -1 1 2 3</v0><Sphere radius="0.05" density="1000"/>
        <fExt>0 0 -5.13</fExt></NewtonEulerDS>
    </repeat>
  </systems>
  <contacts overlap="0.1"><NewtonImpactFrictionNSL en="0.2" mu="0.3"/></contacts>
  <simulation T="T"><TimeStepping h="5e-3"><MoreauJeanOSI rowsGamma="1"/></TimeStepping></simulation>
</model>
>>
setup sed 's/packing=.*>/table="fill.h5" select="ball*">/; s/<v0>.*<.v0>/<v0>i.v_x i.v_y i.v_z i.Omega_x i.Omega_y i.Omega_z<\/v0>/; s/<simulation/& t0="0.2"/' fill.xml >on.xml
setup sed 's/fill.h5/fill.csv/' on.xml >on-csv.xml; sed 's/select="ball/time="0.1" &/' on.xml >again.xml
run nssim run fill.xml -o fill.h5 -q && nssim run fill.xml -o fill.csv -q && nssim run on.xml -p T=0.4 -o on.csv -q && nssim run on-csv.xml -p T=0.4 -o on-csv.csv -q && nssim run fill.xml -p T=0.4 -o whole.csv -q && nssim run again.xml -p T=0.4 -o again.csv -q
verify cmp on.csv on-csv.csv
file check.py <<
import csv
rows = {n: list(csv.DictReader(l for l in open(n + '.csv') if l[0] != '#')) for n in ('fill', 'on', 'whole', 'again')}
state = [k for k in rows['on'][0] if k.startswith('ball') and ('.p_' not in k)]
assert len(state) == 8*13
apart = lambda a, b: max(abs(float(a[k]) - float(b[k])) for k in state)
assert apart(rows['fill'][-1], rows['on'][0]) < 3e-16
at = [r for r in rows['fill'] if abs(float(r['time']) - 0.1) < 1e-9][0]
assert apart(at, rows['again'][0]) < 3e-16
assert apart(rows['whole'][-1], rows['on'][-1]) < 1e-9
>>
verify python3 check.py

# Disks of several sizes, plates and rods of a first run, whose sizes the second one takes from its result: it goes on as the whole run.
case a-run-goes-on-with-shapes
file fill.xml <<
<model xmlns="urn:nssim:model:1" name="fill">
  <parameters><parameter name="T" value="0.2"/></parameters>
  <systems>
    <repeat index="i" packing="random" count="8" low="-0.4 0" high="0.4 0.4" radius="0.03 0.06" sizes="volume" seed="4">
      <RigidBody2dDS id="disk{i}"><q0>x y 0</q0><v0>0 -1 1</v0><Disk radius="radius" density="1000"/><fExt>0 -5.13</fExt></RigidBody2dDS>
    </repeat>
    <repeat index="i" from="1" to="3">
      <RigidBody2dDS id="plate{i}"><q0>i*0.3-0.5 0.6 0</q0><v0>0 -1 1</v0><Rectangle size="0.1*i 0.05/i" density="1000"/><fExt>0 -5.13</fExt></RigidBody2dDS>
    </repeat>
  </systems>
  <contacts overlap="0.1"><NewtonImpactFrictionNSL en="0.2" mu="0.3"/><HalfPlane/></contacts>
  <simulation T="T"><TimeStepping h="5e-3"><MoreauJeanOSI rowsGamma="1"/></TimeStepping></simulation>
</model>
>>
setup sed 's/index="i" packing=.*>/index="i" table="fill.h5" select="disk*">/; s/index="i" from=.*>/index="i" table="fill.h5" select="plate*">/; s/<q0>i.*0<.q0>/<q0>x y 0<\/q0>/; s/<q0>[^<]*</<q0>i.x i.y i.angle</; s/<v0>.*<.v0>/<v0>i.v_x i.v_y i.v_angle<\/v0>/; s/size="[^"]*"/size="i.size_x size_y"/; s/radius="radius"/radius="i.radius"/; s/<simulation/& t0="0.2"/' fill.xml >on.xml
run nssim run fill.xml -o fill.h5 -q && nssim run on.xml -p T=0.4 -o on.csv -q && nssim run fill.xml -p T=0.4 -o whole.csv -q
file check.py <<
import csv
rows = {n: list(csv.DictReader(l for l in open(n + '.csv') if l[0] != '#')) for n in ('on', 'whole')}
state = [k for k in rows['on'][0] if k.startswith(('disk', 'plate')) and '.p_' not in k]
assert len(state) == 11*6, len(state)
assert max(abs(float(rows['whole'][-1][k]) - float(rows['on'][-1][k])) for k in state) < 1e-9
>>
verify python3 check.py

# Bodies of which one has two shapes have no sizes in common.
case sizes-of-bodies-with-two-shapes
file fill.xml <<
<model xmlns="urn:nssim:model:1" name="fill">
  <systems>
    <NewtonEulerDS id="a"><q0>0 0 1 1 0 0 0</q0><Sphere radius="0.1" density="1"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1 0 1 1 0 0 0</q0><Sphere radius="0.1" density="1"/><Sphere radius="0.1" at="0 0 0.1" density="1"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0.2" mu="0.3"/></contacts>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file on.xml <<
<model xmlns="urn:nssim:model:1" name="on">
  <systems>
    <repeat index="i" table="fill.h5" select="*"><NewtonEulerDS id="c{i}"><q0>0 0 1 1 0 0 0</q0><Sphere radius="i.radius" density="1"/></NewtonEulerDS></repeat>
  </systems>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim run fill.xml -o fill.h5 -q && sed -i 's/"\*"/"a"/' on.xml && nssim check on.xml | grep -c sphere; sed -i 's/"a"/"*"/' on.xml; nssim check on.xml
exit 65
stdout <<
1
>>
stderr-match on.xml:3: .*radius

case datasets-of-numbers-and-compounds
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><Sphere radius="0.1" density="100"/><fExt>0 0 -1</fExt></NewtonEulerDS></systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.3"/><Plane normal="0 0 1"/></contacts>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file b.xml <<
<model xmlns="urn:nssim:model:1" name="b">
  <systems>
    <repeat index="i" table="a.h5" dataset="/systems/ball/q">
      <NewtonEulerDS id="a{i}"><q0>i.x i.y i.z i.p0 i.p1 i.p2 i.p3</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
    <repeat index="i" table="a.h5" dataset="time" columns="when">
      <NewtonEulerDS id="b{i}"><q0>when 2 2 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
    <repeat index="i" table="a.h5" dataset="/contacts">
      <NewtonEulerDS id="c{i}"><q0>i.point_0 i.impulse_2 4 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="0.01"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim run a.xml -o a.h5 -q && nssim run b.xml -o b.csv -q && nssim check b.xml
stdout-match ^11 systems, 66 degrees of freedom$
file check.py <<
import csv
r = list(csv.DictReader(l for l in open('b.csv') if l[0] != '#'))[0]
assert [float(r['b%d.x' % i]) for i in (1, 2, 3, 4)] == [0, 0.01, 0.02, 0.03]
assert all(float(r['a%d.p0' % i]) == 1 and float(r['a%d.z' % i]) == 0.1 for i in (1, 2, 3, 4))
assert all(abs(float(r['c%d.y' % i]) - 0.01) < 1e-12 for i in (1, 2, 3)), r
>>
verify python3 check.py

case hdf5-without-a-dataset
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: a.h5 is an HDF5 file, expected dataset="..." with a path in it, or select="*" for the systems of a result
>>

case a-dataset-that-is-not-there
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="/nope/x">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: dataset /nope/x of $TMP/a.h5 does not exist, expected the path of a dataset, such as /bodies
>>

case a-dataset-that-is-a-group
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="/systems">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: dataset /systems of $TMP/a.h5 is a group, expected the path of a dataset in it
>>

case a-dataset-of-text
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="/model/xml">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: dataset /model/xml of $TMP/a.h5 contains no numbers, expected numbers or a compound with numbers
>>

case a-dataset-of-a-text-file
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.csv" dataset="/x">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: $TMP/a.csv: cannot open: HDF5: file signature not found
>>

case a-dataset-without-names
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="time">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: dataset time of a.h5 has 1 column without names, expected columns="..." with a name for each
>>

case a-dataset-with-too-many-names
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="time" columns="a b">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute columns has 2 names, expected 1: one for each column of dataset time of a.h5
>>

case a-column-like-a-function
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="time" columns="sin">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: column 1 of a.h5: the name "sin" is the name of a function, of time t or of pi, expected another
>>

case columns-of-a-dataset-with-names
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="/systems/ball/q" columns="a">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute columns is given, but dataset /systems/ball/q of a.h5 names its columns; remove it
>>

case columns-without-a-dataset
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" columns="a">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: a.h5 is an HDF5 file, expected dataset="..." with a path in it, or select="*" for the systems of a result
>>

case a-time-without-systems
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" time="1">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute time is given without select, expected select="*" or another pattern of ids
>>

case a-dataset-and-systems
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" dataset="time" select="*">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attributes dataset and select are given, expected one of them: a dataset of an HDF5 file, or the systems of a result
>>

case systems-that-are-not-there
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" select="bull*">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute select is "bull*", which no mechanical system of a.h5 matches, expected a pattern of ids such as ball*
>>

case a-time-before-the-result
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.h5" select="*" time="-1">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute time is -1, expected a time not before the first row of a.h5, 0
>>

case systems-of-a-table
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="a.csv" select="*">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: a.csv is not a result of a run, expected a result of nssim run
>>

case a-dataset-without-a-table
file a.csv <<
x
1
>>
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <simulation T="0.03"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2" dataset="x">
      <NewtonEulerDS id="b{i}"><q0>0 0 i 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run a.xml -o a.h5 -q
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute dataset is given without a table, expected table="..." with the name of a file
>>

# A matrix in MatrixMarket format, in each of its forms, and in a dataset of HDF5, is the matrix written out: the same run to the bit.
case matrices-of-files
file K.csv <<
4,-1,0
-1,4,-1
0,-1,4
>>
file K.mtx <<
%%MatrixMarket matrix coordinate real symmetric
% of a chain

3 3 5
1 1 4.0
2 1 -1
2 2 4e0
3 2 -1
3 3 4
>>
file Kg.mtx <<
%%matrixmarket MATRIX Array Integer General
3 3
4
-1
0
-1
4
-1
0
-1
4
>>
file Ks.mtx <<
%%MatrixMarket matrix array real symmetric
3 3
4
-1
0
4
-1
4
>>
file C.mtx <<
%%MatrixMarket matrix coordinate real skew-symmetric
3 3 1
3 1 0.5
>>
file P.mtx <<
%%MatrixMarket matrix coordinate pattern general
3 3 3
1 1
2 2
3 3
>>
file q.mtx <<
%%MatrixMarket matrix array real general
3 1
1
0
-2
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x y z"><q0 file="q.mtx"/><mass file="P.mtx"/><K file="K.csv"/><C file="C.mtx"/></LagrangianLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file t.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x y z"><q0>1 0 -2</q0><mass>1 0 0; 0 1 0; 0 0 1</mass><K>4 -1 0; -1 4 -1; 0 -1 4</K><C>0 0 -0.5; 0 0 0; 0.5 0 0</C></LagrangianLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file make.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="k" coordinates="a b c"><q0>4 -1 0</q0><v0>-5 5 -1</v0><mass diag="1 1 1"/></LagrangianLinearTIDS></systems>
  <simulation T="2"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q t.xml -o t.csv; nssim -q m.xml -o m.csv && cmp t.csv m.csv; for k in K Kg Ks; do sed "s/K.csv/$k.mtx/" m.xml >n.xml; nssim -q n.xml -o n.csv && cmp t.csv n.csv; done; nssim -q make.xml -o K.h5 && sed 's|file="K.csv"|file="K.h5" dataset="/systems/k/q"|' m.xml >h.xml && sed 's|4 -1 0; -1 4 -1; 0 -1 4|4 -1 0; -1 4 -1; -6 9 -2|' t.xml >u.xml; nssim -q u.xml -o u.csv; nssim -q h.xml -o h.csv && cmp u.csv h.csv && echo equal
exit 0
stdout <<
equal
>>

# Poses and points of such files.
case rows-of-matrices-of-files
file poses.mtx <<
%%MatrixMarket matrix coordinate real general
2 3 4
1 1 1
1 2 2
2 1 3
2 3 0.5
>>
file square.mtx <<
%%MatrixMarket matrix array real general
4 2
0
1
1
0
0
0
1
1
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="poses.mtx" columns="x y angle"><RigidBody2dDS id="a{i}"><q0>i.x y i.angle</q0><Polygon file="square.mtx" density="1"/></RigidBody2dDS></repeat>
  </systems>
  <simulation T="0.1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o - --record 'a*.q' | sed -n 2p; sed 's/columns="x y angle"/columns="x y"/' m.xml >n.xml; nssim check n.xml; sed 's/ columns="x y angle"//' m.xml >n.xml; nssim check n.xml
exit 65
stdout-match ^0,1.5,2.5,0,
stderr <<
nssim: error: n.xml:3: <repeat>: attribute columns has 2 names, expected 3: one for each column of poses.mtx
nssim: error: n.xml:3: <repeat>: poses.mtx has 3 columns without names, expected columns="..." with a name for each
>>

case matrices-of-files-that-are-none
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="a" coordinates="x y"><q0>0 0</q0><mass diag="1 1"/><K file="K.mtx"/></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file try <<
try() { printf "$1" >K.mtx; nssim check m.xml 2>&1 >/dev/null | sed 's/.*K.mtx/K.mtx/'; }
M='%%%%MatrixMarket matrix'
try "$M coordinate complex general\n2 2 1\n1 1 1 0\n"
try "$M coordinate\n"
try "$M coordinate real general\n2 2\n"
try "$M coordinate real general\n2 2 2\n1 1 1\n"
try "$M coordinate real general\n2 2 1\n3 1 1\n"
try "$M coordinate real general\n2 2 2\n1 1 1\n1 1 1\n"
try "$M coordinate real symmetric\n2 2 1\n1 2 1\n"
try "$M coordinate real symmetric\n2 3 1\n1 1 1\n"
try "$M coordinate real general\n2 2 1\n1 1 nan\n"
try "$M array real general\n2 2\n1\n1\n1\n1\n1\n"
try "$M array real general\n1000000 1000000\n1\n"
try "$M coordinate real general\n2 2 99999999999\n1 1 1\n"
try "$M array real skew-symmetric\n1 1\n"
try "$M vector real general\n"
sed 's|<K.*/>|<K dataset="/K">1 0; 0 1</K>|' m.xml >n.xml; nssim check n.xml
sed 's|K.mtx|m.h5|' m.xml >n.xml; printf '\211HDF\r\n\032\n12345' >m.h5; nssim check n.xml
>>
run sh try
exit 65
stdout <<
K.mtx:1: these entries are not supported, expected real, integer or (in coordinate format) pattern, and general, symmetric or skew-symmetric
K.mtx:1: the first line has too few words, expected %%MatrixMarket matrix coordinate real general, or other words of that format
K.mtx:2: expected three numbers: rows, columns and entries of the matrix
K.mtx:3: the file ends here, expected more entries, as its sizes state
K.mtx:3: the entry lies outside of the matrix, expected one of its rows and columns, counted from 1
K.mtx:4: the entry is given twice, expected it once
K.mtx:3: the entry is above the diagonal, expected only entries on or below it in a symmetric matrix
K.mtx:2: the matrix is not square, expected a square one, because the first line states a symmetry
K.mtx:3: "nan" is not a number, expected finite numbers separated by white space or commas
K.mtx:7: expected no more entries, as the sizes of the file state
K.mtx has more than 67108864 entries, expected fewer
K.mtx:3: the file ends here, expected more entries, as its sizes state
nssim: error: m.xml:2: <K> of <LagrangianLinearTIDS id="a">: is 1 x 1, expected 2 x 2: n = 2 by coordinates
K.mtx:1: the matrix is in an unknown format, expected coordinate or array
>>
stderr <<
nssim: error: n.xml:2: <K> of <LagrangianLinearTIDS id="a">: attribute dataset is given without file, expected file="..." with the name of an HDF5 file
nssim: error: n.xml:2: <K> of <LagrangianLinearTIDS id="a">: m.h5 is an HDF5 file, expected dataset="..." with a path in it
>>

# formulas that call a table or a function with errors have no second error
case a-faulty-table-is-told-once
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <table id="q" points="0 0; 1 1" outside="periodic"/>
    <table id="w" points="0 0 1; 0 1 2" y="2 3"/>
    <function name="f" of="x">x + nothing</function>
    <function name="g" of="x">f(x) + q(x)</function>
  </parameters>
  <systems><FirstOrderNonLinearDS id="s" states="z"><x0>0</x0><f>q(t) + f(z) + w_2(t) + g(z)</f></FirstOrderNonLinearDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
  <output><observe id="p">q2(t)</observe></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <table id="q">: begins with y = 0 and ends with 1, expected the same value at both ends of a period
nssim: error: m.xml:4: <table id="w">: x of row 2 is 0, expected more than in the previous row, 0: sort the rows by x, one row per x
nssim: error: m.xml:5: <function name="f">: in "x + nothing", column 5: unknown name "nothing"; a function may use only its arguments and parameters: pass other variables as arguments
nssim: error: m.xml:10: <observe id="p">: in "q2(t)", column 1: unknown function "q2"
>>
