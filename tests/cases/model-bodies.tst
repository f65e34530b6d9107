# SPDX-License-Identifier: GPL-3.0-or-later
# Good models of rigid bodies: what is understood of shapes, tables and packings.

# Materials by pair, layers, fixed shapes, a surface; mass and inertia by density.
case bodies-shapes-and-materials
file hill.csv <<
0 0 0
0 0.1 0
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="shapes">
  <systems>
    <NewtonEulerDS id="ball"><q0>0 0 2 1 0 0 0</q0><fExt>0 0 -9.81</fExt><Sphere radius="0.1" density="1000" material="rubber"/></NewtonEulerDS>
    <NewtonEulerDS id="stone"><q0>3 0 2 1 0 0 0</q0><mass>2</mass><ConvexHull points="0 0 0; 1 0 0; 0 1 0; 0 0 1" layers="debris" with="floor"/></NewtonEulerDS>
  </systems>
  <contacts margin="0.01" separate="true">
    <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    <between materials="rubber ice"><NewtonImpactRollingFrictionNSL en="0.8" mu="0.1" muRolling="0.001"/></between>
    <Plane normal="0 0 2" at="0 0 -1" material="ice" layers="floor"/>
    <HeightField file="hill.csv" spacing="1 2" layers="floor"/>
    <repeat index="i" from="0" to="3"><Box id="step{i}" size="1 1 0.1" at="10+i 0 i/10" material="ice" layers="floor"/></repeat>
    <domain low="-20 -20 -5"/>
  </contacts>
  <simulation T="0.1"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml | sed -n '2,14p'
stdout <<
2 systems, 12 degrees of freedom
  2 NewtonEulerDS of 6: ball, stone (x, y, z, p0, p1, p2, p3)
8 shapes, 6 of them fixed: 1 plane, 1 sphere, 4 boxes, 1 hull, 1 surface
  no material: en = 0.5, mu = 0.3
  no material, rubber: en = 0.5, mu = 0.3
  no material, ice: en = 0.5, mu = 0.3
  rubber: en = 0.5, mu = 0.3
  rubber, ice: en = 0.8, mu = 0.1, muRolling = 0.001 m
  ice: en = 0.5, mu = 0.3
  tracked      gaps below 0.01 m
  overlaps     initial ones are separated
  domain       -20 <= x <= inf, -20 <= y <= inf, -5 <= z <= inf m
0 interactions, 0 rows
>>

# Two boxes of one density: the body is where their centre is, 0.5 from the origin of their axes.
case bodies-centre-of-shapes
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="b"><q0 axis="0 0 1" angle="pi/2">1 0 0</q0><Box size="1 1 1" density="10"/><Box at="1 0 0" size="1 1 1" density="10"/></NewtonEulerDS>
  </systems>
  <simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o - | sed -n 2p | cut -d, -f2-4
stdout <<
1,0.50000000000000011,1.1102230246251565e-16
>>

# Columns of a table are names inside, i.name too; coordinates hide them.
case bodies-of-a-table
file bodies.csv <<
# three balls
x, y, z, radius, spin
0, 0, 1, 0.1, 1
1, 0, 1, 0.2, 2
2, 0, 1, 0.3, 3
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" table="bodies.csv">
      <NewtonEulerDS id="b{i}"><q0>x y z 1 0 0 0</q0><v0>0 0 0 0 0 i.spin</v0><fInt>0 0 0*x</fInt><Sphere radius="radius" density="1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o - --record b3.q --record b3.v | sed -n 2p | cut -d, -f2-
stdout <<
2,0,1,1,0,0,0,0,0,0,0,0,3
>>

case bodies-of-a-grid
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" packing="grid" low="0 0 0" high="1 1 inf" radius="0.2" spacing="0.5" count="5">
      <NewtonEulerDS id="b{i}"><q0>x y z 1 0 0 0</q0><Sphere radius="radius" density="1"/></NewtonEulerDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o - --record 'b[45].q' | sed -n 2p | cut -d, -f2-4,9-11
stdout <<
0.69999999999999996,0.69999999999999996,0.20000000000000001,0.20000000000000001,0.20000000000000001,0.69999999999999996
>>

# Disks of the plane that do not overlap: any two, and the walls; twice the small ones' share of the area is that of the large ones.
case bodies-packing-in-the-plane
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" packing="random" count="400" low="-1 2" high="1 4" radius="0.01 0.04" sizes="volume">
      <RigidBody2dDS id="d{i}"><q0>x y i.angle</q0><Polygon points="radius 0; 0 radius; -radius 0; 0 -i.radius" density="1"/></RigidBody2dDS>
    </repeat>
    <repeat index="i" packing="grid" count="24" low="-1 4" high="1 inf" radius="0.05 0.1" spacing="0.22" jitter="0.01" seed="7">
      <RigidBody2dDS id="g{i}"><q0>x y i.angle</q0><Disk radius="radius" density="1"/></RigidBody2dDS>
    </repeat>
  </systems>
  <contacts overlap="0"><NewtonImpactFrictionNSL en="0" mu="0"/><HalfPlane at="0 2"/><HalfPlane at="-1 2" normal="1 0"/><HalfPlane at="1 2" normal="-1 0"/></contacts>
  <simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file n.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" packing="random" count="400" low="-1 2" high="1 4" radius="0.01 0.04" sizes="volume">
      <RigidBody2dDS id="d{i}"><q0>x y i.angle</q0><v0>i.radius 0 0</v0><Disk radius="radius" density="1"/></RigidBody2dDS>
    </repeat>
    <repeat index="i" packing="grid" count="24" low="-1 4" high="1 inf" radius="0.05 0.1" spacing="0.22" jitter="0.01" seed="7">
      <RigidBody2dDS id="g{i}"><q0>x y i.angle</q0><v0>i.radius 0 0</v0><Disk radius="radius" density="1"/></RigidBody2dDS>
    </repeat>
  </systems>
  <simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file look.py <<
import csv, math
r = next(csv.DictReader(open("n.csv")))
d = [[float(r["%s.%s" % (k[:-2], c)]) for c in ("x", "y", "angle", "v_x")] for k in r if k.endswith(".x")]
assert len(d) == 424
for i, (x, y, a, s) in enumerate(d):
    assert s - 1 <= x <= 1 - s and y >= 2 + s and 0 <= a < 2 * math.pi
    for (u, v, b, t) in d[:i]:
        assert math.hypot(x - u, y - v) >= (s + t) * (1 - 1e-12)
small = sum(s * s for _, _, _, s in d[:400] if s < 0.025)
large = sum(s * s for _, _, _, s in d[:400] if s >= 0.025)
assert abs(small / large - 1) < 0.2, small / large
assert abs(sum(math.cos(a) for _, _, a, _ in d[:400])) < 60
# a grid of 9 in a row, as (2 - 2*0.11)/0.22 + 1
assert sum(y < 4.12 + 1e-9 for _, y, _, _ in d[400:]) == 9
print("as said")
>>
run nssim check m.xml | grep -c polygon; nssim -q n.xml -o n.csv && python3 look.py
stdout <<
1
as said
>>

# A stop may stand before the joint that it is on; a rack couples an angle and a slide.
case bodies-on-joints
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="wheel"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="rack"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="stop"><JointStopR joint="hinge" lower="-1" upper="1"/><NewtonImpactNSL e="0.5"/></interaction>
    <interaction id="friction"><JointFrictionR joint="slide"/><RelayNSL lb="-0.1" ub="0.1"/></interaction>
    <interaction id="teeth"><CouplerJointR joints="hinge slide" coordinates="angle slide" ratio="0.5"/><EqualityConditionNSL/></interaction>
    <interaction id="hinge" systems="wheel"><PivotJointR point="0 0 0" axis="0 1 0"/><EqualityConditionNSL/></interaction>
    <interaction id="slide" systems="rack"><PrismaticJointR axis="1 0 0" axes="body"/><EqualityConditionNSL/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml | sed -n '2,10p'
stdout <<
2 systems, 12 degrees of freedom
  2 NewtonEulerDS of 6: wheel, rack (x, y, z, p0, p1, p2, p3)
5 interactions, 14 rows
  1 PivotJointR with EqualityConditionNSL, 5 rows: hinge
  1 PrismaticJointR with EqualityConditionNSL, 5 rows: slide
  1 JointStopR with NewtonImpactNSL e = 0.5, 2 rows: stop
  1 JointFrictionR with RelayNSL, 1 row: friction
  1 CouplerJointR with EqualityConditionNSL, 1 row: teeth
  11 constraints of rank 11: 1 degree of freedom is left
>>

# The same in the plane: materials, layers, a repeat, corners of a file, mass by area.
case bodies-shapes-of-the-plane
file stone.csv <<
0,0
2000,0
0,1000
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="flat">
  <systems>
    <RigidBody2dDS id="disk"><q0>0 2 0</q0><fExt>0 -9.81</fExt><Disk radius="0.1" density="1000" material="rubber"/></RigidBody2dDS>
    <RigidBody2dDS id="stone"><q0>3 2 pi/2</q0><Polygon file="stone.csv" scale="0.001" density="2" layers="debris" with="floor"/></RigidBody2dDS>
  </systems>
  <contacts margin="0.01" separate="true">
    <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    <between materials="rubber ice"><NewtonImpactRollingFrictionNSL en="0.8" mu="0.1" muRolling="0.001"/></between>
    <HalfPlane normal="0 2" at="0 -1" material="ice" layers="floor"/>
    <Polyline points="-5 0; -2 -1; 2 -1; 5 0" layers="floor"/>
    <repeat index="i" from="0" to="3"><Rectangle id="step{i}" size="1 0.1" at="10+i i/10" angle="0.1*i" material="ice" layers="floor"/></repeat>
    <domain low="-20 -5"/>
  </contacts>
  <simulation T="0.1"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml | sed -n '2,14p'; nssim run m.xml -q -o - | sed -n 2p | cut -d, -f2-13; nssim run m.xml -q -o m.h5; nssim info m.h5 | grep shapes
stdout <<
2 systems, 6 degrees of freedom
  2 RigidBody2dDS of 3: disk, stone (x, y, angle)
8 shapes, 6 of them fixed: 1 plane, 1 disk, 5 polygons, 1 line
  no material: en = 0.5, mu = 0.3
  no material, rubber: en = 0.5, mu = 0.3
  no material, ice: en = 0.5, mu = 0.3
  rubber: en = 0.5, mu = 0.3
  rubber, ice: en = 0.8, mu = 0.1, muRolling = 0.001 m
  ice: en = 0.5, mu = 0.3
  tracked      gaps below 0.01 m
  overlaps     initial ones are separated
  domain       -20 <= x <= inf, -5 <= y <= inf m
0 interactions, 0 rows
0,2,0,0,0,0,0,0,0,2.666666666666667,2.6666666666666665,1.5707963267948966
  shapes       8: 1 plane, 1 disk, 5 polygons, 1 line; 6 fixed in space
>>
