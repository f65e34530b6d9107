# SPDX-License-Identifier: GPL-3.0-or-later
# Scenes of siconos.io.mechanics_run: what they become, that it moves, that hostile files get a sentence.

case scene-of-a-cube-falls-and-rests
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
s = Scene("cube.hdf5")
s.primitive("Ground", "Box", [20, 20, 1])
s.convex("Cube", [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
s.law("contact", mu=0.1, e=0.0, gid1=0, gid2=0)
s.body("a cube", ["Cube"], [0.0, 0, 1.1], mass=2)
s.body("ground", ["Ground"], [0.0, 0, -0.5])
s.close()
>>
run /usr/bin/python3 make.py && nssim import cube.hdf5 --step 5e-3 --end 1 -o m.xml && nssim -q m.xml -o - --record a_cube.q | tail -1 | python3 -c 'print(abs(float(input().split(",")[3]) - 1) < 8e-3)' && grep -E "renamed|default|overlap|fExt|id=" m.xml
exit 0
stdout <<
True
    theta = 0.50001 is the default of run(), because the file does not state it
    gravity = 9.80665 is the default of run(), because the file does not state it
    "a cube" is renamed to a_cube
    <NewtonEulerDS id="a_cube">
      <fExt>0, 0, -2*g</fExt>
  <contacts overlap="any" recover="0">
    <Box id="ground" size="20 20 1" at="0 0 -0.5"/>
>>

# Axis y of cylinders, capsules half as long, margins that grow a shape, a contactor apart from the centre of mass; numbers of 32 bits.
case scene-shapes
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
s = Scene("s.hdf5")
s.primitive("Rod", "Cylinder", [0.1, 2.0], outsideMargin=0.05)
s.primitive("Pill", "Capsule", [0.5, 2.0])
s.primitive("Plate", "Box", [1, 2, 3])
s.primitive("Ball", "Sphere", [0.3])
s.law("contact", mu=0.3, e=0.5, gid1=0, gid2=1)
s.law("other", mu=0.7, e=0.0, gid1=1, gid2=1)
s.body("pill", ["Pill"], [0.0, 0, 5], mass=1, inertia=[1.0, 2, 3], time_of_birth=0.0)
s.body("rod", [{"shape": "Rod", "at": [0.0, 1, 0], "group": 1}, {"shape": "Ball", "group": -1}], [5.0, 0, 5], mass=3, center_of_mass=[0.0, 0.5, 0])
s.body("base", [{"shape": "Plate", "turn": [0.6, 0, 0.8, 0], "group": 1}, "Ball"], [0.0, 0, 1])
s.close()
>>
run /usr/bin/python3 make.py && nssim import s.hdf5 | grep -E "<(Cyl|Cap|Box|Sph|inertia|Newton|between)|group -1"; nssim import s.hdf5 --release 4.5 --inertia bullet | grep -E "<(Cap|inertia)"
exit 0
stdout <<
    contactor Ball-1 of rod has the group -1, without contacts: omitted
    <NewtonEulerDS id="pill">
      <inertia diag="1 2 3"/>
      <Capsule material="g0" layers="g0" with="g1" radius="0.5" length="1" turn="0.7071067811865476 -0.7071067811865476 0 0"/>
    <NewtonEulerDS id="rod">
      <inertia diag="1.4320236486486488 0.06585810810810803 1.4320236486486488"/>
      <Cylinder material="g1" layers="g1" with="g0 g1" radius="0.15" length="2.1" at="0 0.5 0" turn="0.7071067811865476 -0.7071067811865476 0 0"/>
    <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    <between materials="g1 g1"><NewtonImpactFrictionNSL en="0" mu="0.7"/></between>
    <Sphere id="base-1" material="g0" layers="g0" with="g1" radius="0.3" at="0 0 1"/>
    <Box id="base-2" material="g1" layers="g1" with="g0 g1" size="1 2 3" at="0 0 1" turn="0.6 0 0.8 0"/>
      <inertia diag="1 2 3"/>
      <Capsule material="g0" layers="g0" with="g1" radius="0.5" length="2" turn="0.7071067811865476 -0.7071067811865476 0 0"/>
      <inertia diag="1.119375 0.03375000000000001 1.119375"/>
>>

# Pivot with a stop and friction, a screw, a carrier with a gear, a boundary condition.
case scene-joints
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys
import numpy as np
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
s = Scene("j.hdf5")
for k, name in enumerate("abcd"):
    s.body(name, [], [k * 1.0, 0, 0], mass=1, inertia=[1.0, 1, 1])
s.law("soft", "NewtonImpactNSL", e=0.4, gid1=-1, gid2=-1)
s.law("dry", "RelayNSL", lb=-0.01, ub=0.01, size=1)
s.joint("hinge", "PivotJointR", "a", points=[[0.0, 0, 0]], axes=[[0, 0, 2]], absolute=True, stops=[[0, -1.0, 1], [0, 2.0, -1]],
        nslaws=np.array([b"soft"]), friction=np.array([b"dry"]))
s.joint("screw", "CylindricalJointR", "b", points=[[1.0, 0, 0]], axes=[[1, 0, 0]], coupled=[[0, 1, 3.0]])
s.joint("left", "PivotJointR", "c", "d", points=[[2.0, 0, 0]], axes=[[0, 1, 0]])
s.joint("right", "PivotJointR", "a", "d", points=[[3.0, 0, 0]], axes=[[0, 1, 0]])
s.joint("slide", "PrismaticJointR", "b", "c", axes=[[1, 0, 0]], stops=[[0, -0.5, 1]])
s.joint("gear", "CouplerJointR", "c", "a", references=np.array([b"left", b"right", b"d"]), coupled=[[0, 0, -2.0]])
s.condition("shake", "HarmonicBC", "d", indices=[2], a=[0.0], b=[0.5], omega=[3.0], phi=[0.25])
s.close()
>>
run /usr/bin/python3 make.py && nssim import j.hdf5 --step 1e-3 --end 0.1 -o m.xml && nssim check m.xml >check && sed -n '/<prescr/p; /<interactions/,/<.interactions/p' m.xml
exit 0
stdout-match <prescribed coordinates="z">0 \+ 0\.5\*cos\(3\*t \+ 0\.25\)</prescribed>
stdout-match <interaction id="hinge" systems="a">
stdout-match <JointStopR joint="hinge" coordinate="angle" lower="-1" upper="2"/>
stdout-match <PrismaticJointR axis="1 0 0" collide="true"/>
stdout-match <NewtonImpactNSL e="0.4"/>
stdout-match <RelayNSL lb="-10" ub="10"/>
stdout-match <CouplerJointR joints="screw screw" coordinates="slide angle" ratio="3"/>
stdout-match <CouplerJointR joints="left right" coordinates="angle angle" ratio="-2" collide="false"/>

# Triangles as text and a height map go to files beside the model; without -o there is no place for them.
case scene-meshes-and-heights
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys, base64, struct, zlib
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
x = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
c, o = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], [3, 6, 9, 12]
def packed(code, values):
    b = struct.pack("<%d%s" % (len(values), code), *values)
    parts = [b[k:k + 20] for k in range(0, len(b), 20)]
    z = [zlib.compress(p) for p in parts]
    last = len(b) % 20
    head = struct.pack("<%dI" % (3 + len(z)), len(z), 20, last, *map(len, z))
    return (base64.b64encode(head) + base64.b64encode(b"".join(z))).decode()
def plain(code, values):
    b = struct.pack("<%d%s" % (len(values), code), *values)
    return base64.b64encode(struct.pack("<I", len(b)) + b).decode()
def text(kind, points, corners, offsets, more=""):
    a = '<DataArray type="%s" Name="%s" format="' + kind + '">%s</DataArray>'
    return ('<VTKFile type="PolyData" byte_order="LittleEndian" header_type="UInt32"' + more + '><PolyData><Piece><Points>' + a % ("Float32", "p", points) +
            '</Points><Polys>' + a % ("Int64", "connectivity", corners) + a % ("Int64", "offsets", offsets) + '</Polys></Piece></PolyData></VTKFile>')
ascii = lambda v: " ".join(map(str, v))
texts = {"a": text("ascii", ascii(x), ascii(c), ascii(o)), "b": text("binary", plain("f", x), plain("q", c), plain("q", o)),
         "z": text("binary", packed("f", x), packed("q", c), packed("q", o), ' compressor="vtkZLibDataCompressor"')}
for name, t in texts.items():
    s = Scene(name + ".hdf5")
    s.vtp("Tet 1/x".replace("/", "_"), t)
    s.heights("Hills", [[0, 1, 2], [3, 4, 5.5]], [10, 4])
    s.law("contact", mu=0.3, e=0.5, gid1=0, gid2=0)
    s.body("tet", ["Tet 1_x"], [0.0, 0, 9], mass=1)
    s.body("land", ["Hills"], [0.0, 0, 0])
    s.close()
>>
run /usr/bin/python3 make.py && for k in a b z; do nssim import $k.hdf5 --end 1e-2 -o $k.xml && nssim check $k.xml >check && cat $k-Tet_1_x.obj | md5sum; done | uniq | wc -l; cat z-Tet_1_x.obj z-Hills.csv; grep -E "<(Mesh|Height|inertia)" z.xml; nssim import z.hdf5
exit 65
stdout <<
1
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
0,3
1,4
2,5.5
      <inertia>0.2 -0.05 -0.05; -0.05 0.2 -0.05; -0.05 -0.05 0.2</inertia>
      <Mesh file="z-Tet_1_x.obj" edges="any"/>
    <HeightField id="land" file="z-Hills.csv" spacing="10 2"/>
>>
stderr-match z.hdf5: /data/ref/(Tet 1_x|Hills): is a (mesh|height map), which needs a file next to the model

case scene-hostile-files-get-a-sentence
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys
import h5py
import numpy as np
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
def scene(name, change):
    s = Scene(name + ".hdf5")
    s.primitive("Ball", "Sphere", [1])
    s.law("contact", mu=0.3, e=0.5, gid1=0, gid2=0)
    s.body("ball", ["Ball"], [0.0, 0, 1], mass=1)
    change(s, s.data["input/ball"])
    s.close()
def again(s, b):
    b["again"] = s.data
scene("no-input", lambda s, b: s.data.__delitem__("input"))
scene("no-data", lambda s, b: s.f.__delitem__("data"))
scene("cycle", again)
scene("outside", lambda s, b: b.__setitem__("else", h5py.ExternalLink("other.hdf5", "/")))
scene("soft", lambda s, b: b.__setitem__("else", h5py.SoftLink("/data")))
scene("nan", lambda s, b: b.attrs.__setitem__("mass", np.nan))
scene("words", lambda s, b: b.attrs.__setitem__("mass", "heavy"))
scene("many", lambda s, b: b.attrs.__setitem__("velocity", np.zeros(7)))
scene("huge", lambda s, b: s.data["ref"].create_dataset("Huge", (1 << 40, 3)).attrs.__setitem__("type", "convex"))
scene("negative", lambda s, b: b.attrs.__setitem__("mass", -1))
scene("unturned", lambda s, b: b.attrs.__setitem__("orientation", np.zeros(4)))
scene("compound", lambda s, b: b.attrs.__setitem__("mass", np.array((1, 2), dtype=[("a", int), ("b", int)])))
scene("shapeless", lambda s, b: s.data["ref"].__delitem__("Ball"))
scene("radius", lambda s, b: s.data["ref/Ball"].__setitem__(Ellipsis, np.inf))
scene("law", lambda s, b: s.data["nslaws/contact"].attrs.__setitem__("type", "GlueNSL"))
scene("cad", lambda s, b: s.data["ref/Ball"].attrs.__setitem__("type", "step"))
scene("joint", lambda s, b: s.joint("j", "PivotJointR", "nobody"))
scene("screw", lambda s, b: s.joint("j", "PivotJointR", "ball", coupled=[[0, 7, 1.0]]))
scene("gear", lambda s, b: s.joint("j", "CouplerJointR", "ball", coupled=[[0, 0, 1.0]]))
scene("flat", lambda s, b: (s.convex("Flat", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]), s.body("f", ["Flat"], [0.0, 0, 5], mass=1)))
open("torn.hdf5", "wb").write(open("cycle.hdf5", "rb").read()[:3000])
open("not.hdf5", "wb").write(b"\x89HDF\r\n\x1a\n" + bytes(200))
>>
run /usr/bin/python3 make.py && for f in *.hdf5; do nssim import $f -o /dev/null >o 2>e; echo "$f $? $(grep -c error: e) $(head -1 e)"; done
exit 0
stdout-match cad.hdf5 65 1 .*/data/ref/Ball: is a step shape of OpenCASCADE
stdout-match compound.hdf5 65 1 .*attribute mass contains
stdout-match cycle.hdf5 65 1 .*more than 8 groups deep
stdout-match flat.hdf5 65 1
stdout-match gear.hdf5 65 1 .*references
stdout-match huge.hdf5 65 1 .*more than 3e7 entries
stdout-match joint.hdf5 65 1 .*attribute object1 is nobody
stdout-match law.hdf5 65 1 .*GlueNSL
stdout-match many.hdf5 65 1 .*velocity contains 7 numbers, expected 6
stdout-match nan.hdf5 65 1 .*attribute mass contains nan
stdout-match negative.hdf5 65 1 .*attribute mass is -1
stdout-match no-data.hdf5 65 1 .*unknown kind of file
stdout-match no-input.hdf5 65 1 .*contains no objects
stdout-match not.hdf5 65 1 .*unknown kind of file
stdout-match outside.hdf5 65 1 .*link to another place or file
stdout-match radius.hdf5 65 1 .*parameter inf
stdout-match screw.hdf5 65 1 .*coordinate 7
stdout-match shapeless.hdf5 65 1 .*names the shape Ball
stdout-match soft.hdf5 65 1 .*link to another place
stdout-match torn.hdf5 65 1
stdout-match unturned.hdf5 65 1 .*orientation has the length 0
stdout-match words.hdf5 65 1 .*mass

# Margins: inside ones round edges, outside ones let the shape grow and round it; those that the reader there adds where asked for.
case scene-margins
skip-unless /usr/bin/python3 -c 'import h5py'
file make.py <<
import os, sys
sys.path.insert(0, os.environ["CASES"])
from make_scene import Scene
s = Scene("s.hdf5")
s.primitive("Plate", "Box", [1, 2, 3], insideMargin=0.125, outsideMargin=0.25)
s.primitive("Plain", "Box", [1, 2, 4])
s.primitive("Thin", "Box", [1, 1, 0.5], insideMargin=0.25)
s.convex("Cube", [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], insideMargin=0.125, outsideMargin=0.25)
s.law("contact", mu=0.3, e=0.5, gid1=0, gid2=0)
for i, n in enumerate(["Plate", "Plain", "Cube", "Thin"]):
    s.body("b%d" % i, [n], [9.0 * i, 0, 5], mass=1, inertia=[1.0, 1, 1])
s.close()
>>
run /usr/bin/python3 make.py && nssim import s.hdf5 | grep -E "<(Box|Conv)"; nssim import s.hdf5 --margins | grep "<Box"
exit 0
stdout <<
      <Box size="1.5 2.5 3.5" rounding="0.375"/>
      <Box size="1 2 4"/>
      <ConvexHull points="-1.25 1.25 1.25; 1.25 1.25 1.25; -1.25 1.25 -1.25; 1.25 1.25 -1.25; 1.25 -1.25 1.25; -1.25 -1.25 1.25; 1.25 -1.25 -1.25; -1.25 -1.25 -1.25" rounding="0.375"/>
      <Box size="1 1 0.5" rounding="0.24975"/>
      <Box size="1.5 2.5 3.5" rounding="0.375"/>
      <Box size="1 2 4" rounding="0.02"/>
      <Box size="1 1 0.5" rounding="0.24975"/>
>>
