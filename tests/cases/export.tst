# SPDX-License-Identifier: GPL-3.0-or-later
# nssim export.

# the same bytes as the sink for CSV
case export-csv-of-everything
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.csv && nssim export a.h5 -o a.csv && cmp a.csv b.csv && nssim export a.h5 --events | cmp - b.events.csv && nssim export a.h5 --csv | cmp - b.csv
stdout <<
>>
stderr <<
>>

case export-csv-of-quantities
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.05 -o a.h5
run nssim export a.h5 ball.y ball.x 'ball.ph?' ball.x time --from 0.009 --to 0.021 --every 2; nssim export a.h5 ground --to 0
stdout <<
time,ball.y,ball.x,ball.phi
0.01,0,0.99950949999999994,0
0.02,0,0.99803799999999998,0
time,ground.y,ground.ydot,ground.lambda,ground.force
0,0.90000000000000002,0,0,0
>>

case export-every-keeps-the-last-row
file a.csv <<
time,x
0,0
1,1
2,4
3,9
>>
run nssim export a.csv --every 2
stdout <<
time,x
0,0
2,4
3,9
>>

case export-json
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim export a.h5 -o a.csv && nssim export a.h5 --events -o e.csv
run nssim export a.h5 -o a.json
verify python3 -c 'import csv, json; j = json.load(open("a.json")); rows = list(csv.reader(open("a.csv"))); assert list(j["columns"]) == rows[0] == list(j["units"]); assert [list(map(float, r)) for r in rows[1:]] == [list(r) for r in zip(*j["columns"].values())]; e = list(csv.DictReader(open("e.csv"))); assert j["events"]["impulse"] == [float(x["impulse"]) for x in e] and j["events"]["kind"] == [x["kind"] for x in e] and len(e) == 38; assert j["model"] == "bouncing-ball" and j["status"] == "complete" and j["units"]["ground.lambda"] == "N s"'

case export-json-of-what-is-not-finite
file a.csv <<
t,"a ""b""",c
0,1,nan
1,inf,-0.1
>>
run nssim export a.csv --json
stdout <<
{
 "model":null,
 "title":null,
 "status":null,
 "units":{
  "t":null,
  "a \"b\"":null,
  "c":null
 },
 "columns":{
  "t":[0.0,1.0],
  "a \"b\"":[1.0,null],
  "c":[null,-0.10000000000000001]
 }
}
>>

# every number of every frame against the table
case export-vtk
setup nssim -q $MODELS/disk-heap/disk-heap.xml --t-end 0.1 -o a.h5 && nssim export a.h5 -o a.csv
run nssim export a.h5 --vtk --frames 11
stderr-match ^a\.pvd: \d+ frames of \d+ points, not every row \(--frames, --every\)$
verify python3 $CASES/export/vtk.py a.pvd a.csv

case export-vtk-of-a-table-by-points
file a.csv <<
time,x,y,w
0,1,2,3
1,4,5,6
1,7,8,9
2,10,11,12
>>
run nssim export a.csv -o s/a.pvd --points tip=x,-1.5,w --points y,0,0 -q; mkdir s; nssim export a.csv -o s/a.pvd --points tip=x,-1.5,w --points y,0,0 && cat s/a/000001.vtp | sed -n 7,8p; ls s/a | wc -l; grep -o 'timestep="[^"]*"' s/a.pvd
stdout <<
7 -1.5 9 
8 0 0 
3
timestep="0"
timestep="1"
timestep="2"
>>
stderr <<
nssim: error: s/a: cannot make this folder for the frames: No such file or directory
s/a.pvd: 3 frames of 2 points
>>

# what XDMF refers to, read by another program
case export-xdmf
skip-unless command -v h5dump
timeout 60
setup nssim -q $MODELS/bead-column/bead-column.xml --t-end 0.2 -o a.h5 && nssim export a.h5 -o a.csv
run nssim export a.h5 -o a.xmf --frames 3
stderr-match ^a\.xmf: 3 frames of 10 points, not every row
verify python3 $CASES/export/xdmf.py a.xmf a.csv 10

# one table holds all coordinates: one cloud
case export-xdmf-of-very-many
skip-unless command -v h5dump
timeout 60
setup nssim -q $MODELS/bead-column-1000/bead-column-1000.xml --record "*.q,*.v,*.p,*.y" --t-end 0.002 -o a.h5 && nssim export a.h5 -o a.csv
run nssim export a.h5 -o a.xmf --frames 2 -q
verify python3 $CASES/export/xdmf.py a.xmf a.csv 1000

case export-xdmf-in-another-folder
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.02 -o a.h5 && mkdir s
run nssim export a.h5 -o s/a.xmf --points ball.y,ball.x,0 --frames 1 && grep -o '>.*a.h5:[^<]*' s/a.xmf | head -1
stdout-match ^>\$TMP/.*a\.h5:/systems/ball/q$

case export-xdmf-of-csv-is-refused
file a.csv <<
time,x
0,1
>>
run nssim export a.csv -o a.xmf --points x,0,0
exit 2
stderr-match XDMF refers to the numbers of an HDF5 file; run the model with -o out\.h5, or export with --vtk$
absent a.xmf

case export-points-are-not-known
run nssim -q $MODELS/slider-crank/slider-crank.xml --t-end 0.01 -o a.h5; nssim export a.h5 --vtk
exit 2
stderr-match no system has coordinates named x, y or z.* give them with --points X,Y,Z
absent a.pvd

case export-points-wrong
file a.csv <<
time,x1,x2,y1
0,1,2,3
>>
run for p in x1 x1,y1 x1,y1,0,0 ,0,0 x1,y1,; do nssim export a.csv --vtk --points "$p"; done; nssim export a.csv --vtk --points 'x?,y1,z'; nssim export a.csv --vtk --points 'x?,?1,0'; nssim export a.csv --vtk --points '*,x?,0'
exit 2
stderr-match --points 'x1,y1': expected X,Y,Z or NAME=X,Y,Z
stderr-match no quantity "z"
stderr-match one axis has 4 columns, another 2|one axis has 2 columns, another 4

case export-vtk-of-nan-is-refused
file a.csv <<
time,x
0,1
1,nan
>>
run nssim export a.csv --vtk --points x,0,0
exit 66
stderr-match x is not finite in row 2, which ParaView cannot read; exclude such rows with --from and --to
absent a.pvd

case export-onto-itself-is-refused
file a.csv <<
time,x
0,1
>>
run ln a.csv b.csv; nssim export a.csv -o b.csv; echo $?; nssim export a.csv -o ./a.csv; cat a.csv
stdout <<
73
time,x
0,1
>>
stderr-match \./a\.csv: writing it would destroy a\.csv, which is read; give the output another name$

case export-usage
file a.csv <<
time,x
0,1
>>
run nssim export; nssim export a.csv -o a.gif; nssim export a.csv --csv --json; nssim export a.csv --vtk x; nssim export a.csv --vtk -o -; nssim export a.csv --events x; nssim export a.csv --points x,0,0; nssim export a.csv --every 0; nssim export a.csv --vtk --events; nssim export a.csv --from x; nssim export a.csv y; nssim export a.csv --from 2
exit 2
stderr-match no file given: expected an output
stderr-match 'a\.gif': cannot determine the format
stderr-match exclude each other
stderr-match 'x': quantities apply to --csv and --json
stderr-match need a file: -o out\.pvd
stderr-match --points and --frames apply to --vtk and --xdmf
stderr-match --every '0'
stderr-match no quantity "y"
stderr-match no rows between --from and --to; it has t = 0 s to 0 s

case export-to-a-full-device
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5; nssim export a.h5 -o - >/dev/full; echo $?; nssim export a.h5 --json -o /dev/full; echo $?; ln -s /dev/full b.csv; nssim export a.h5 -o b.csv
exit 74
stdout <<
74
74
>>

case export-of-an-unfinished-run
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 --max-steps 3; nssim export a.h5 ball.x --json | grep status; nssim export a.h5 ball.x | wc -l
stdout <<
 "status":"interrupted",
5
>>

case export-measures
setup sed 's#</model>#<measures><measure id="top" kind="max" unit="m" from="1">ball.x</measure><measure id="hits" kind="sample" event="impact" interaction="ground" keep="2">v_x</measure><measure id="still" kind="final" from="20" until="30">ball.x</measure></measures></model>#' $MODELS/bouncing-ball/bouncing-ball.xml >m.xml && nssim -q m.xml --t-end 2 -o a.h5 && nssim -q m.xml --t-end 2 -o a.csv
run nssim export a.h5 --measures -o m.csv && cat m.csv && nssim export a.csv --measures | cmp - m.csv && nssim export a.csv --measures --json >j && nssim export a.h5 --json >all
stdout-match ^measure,kind,unit,value,time,undefined$
stdout-match ^top,max,m,0\.688\d+,1\.55\d+,$
stdout-match ^hits\[0\],sample,m/s,3\.38150\d+,1\.21,$
stdout-match ^hits\[1\],sample,m/s,3\.04865\d+,1\.905,$
stdout-match ^still,final,m,nan,.*,[a-z]
verify python3 -c 'import json; j = json.load(open("j"))["measures"]; assert list(j) == ["top", "hits", "still"] and len(j["hits"]) == 2 and j["still"] is None; assert json.load(open("all"))["measures"] == j and "columns" in json.load(open("all"))'

# Flat shapes are prisms: 8 corners of a rectangle and of each segment of a line, 4 of the half plane.
case shapes-of-the-plane-are-prisms
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems>
    <RigidBody2dDS id="box"><q0>0 1 0</q0><fExt>0 -9.81</fExt><Rectangle size="0.4 0.2" density="12.5"/></RigidBody2dDS>
  </systems>
  <contacts>
    <NewtonImpactFrictionNSL en="0" mu="0.3"/>
    <HalfPlane/>
    <Polyline points="-1 0.5; 0 0.2; 1 0.5"/>
  </contacts>
  <simulation T="0.2"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o m.h5 && nssim export m.h5 -q -o m.pvd && grep -ho '<Piece [^>]*>' m/*0000.vtp m/*00.vtp 2>/dev/null | sort -u; ls m | head -3
stdout <<
<Piece NumberOfPoints="0" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">
<Piece NumberOfPoints="1" NumberOfVerts="1" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">
<Piece NumberOfPoints="28" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="38">
000000.vtp
000001.vtp
000002.vtp
>>

case rows-that-are-left-out-lose-no-impulse
setup for n in 1 10; do nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --every $n -o e$n.csv; done
setup nssim export e1.csv -o x10.csv --every 10 && nssim export e1.csv -o x10.json --every 10
file sums.py <<
import csv, json
def total(name, column, step=1):
    return sum(float(r[column]) * step for r in csv.DictReader(open(name)))
whole = total("e1.csv", "ground.lambda")
assert whole > 90
for name in "e10.csv", "x10.csv":
    assert abs(total(name, "ground.lambda") - whole) < 1e-11 * whole
    assert abs(total(name, "ground.force", 0.05) - whole) < 1e-11 * whole
for name in "e10.csv",:
    assert abs(total(name, "ball.p_x") - whole) < 1e-11 * whole
assert abs(total("e1.csv", "ground.force", 0.005) - whole) < 1e-11 * whole
j = json.load(open("x10.json"))
assert abs(sum(j["columns"]["ground.lambda"]) - whole) < 1e-11 * whole
assert j["kinds"]["ground.lambda"] == j["kinds"]["ground.force"] == "per step" and j["kinds"]["ball.x"] == "continuous"
most = lambda name: max(float(r["diagnostics.penetration"]) for r in csv.DictReader(open(name)))
assert most("e1.csv") == most("e10.csv") == most("x10.csv")
>>
run nssim compare e10.csv x10.csv --only '*.lambda,*.force,*.p'
stdout-match ^same
verify python3 sums.py

case contacts-between-rows-are-summed
setup for n in 1 7; do nssim -q $MODELS/box-stack/box-stack.xml --t-end 0.2 --every $n -o e$n.csv; nssim -q $MODELS/box-stack/box-stack.xml --t-end 0.2 --every $n -o e$n.h5; done
file sums.py <<
import csv
def rows(name):
    return list(csv.DictReader(open(name)))
one, seven = rows("e1.contacts.csv"), rows("e7.contacts.csv")
for axis in "xyz":
    a, b = (sum(float(r["impulse_" + axis]) for r in x) for x in (one, seven))
    assert abs(a - b) < 1e-9 * 70, (axis, a, b)
times = [float(r["time"]) for r in rows("e7.csv")]
for r in seven:
    k = times.index(float(r["time"]))
    assert abs(float(r["force_z"]) * (times[k] - times[k - 1]) - float(r["impulse_z"])) < 1e-9
for r in one:
    assert abs(float(r["force_z"]) * (float(one[-1]["time"]) / int(one[-1]["row"])) - float(r["impulse_z"])) < 1e-9
>>
run nssim compare e7.csv e7.h5 && nssim compare e1.csv e1.h5
stdout-not DIFFERENT
verify python3 sums.py

# what is held has between rows the value of the row after; what is continuous is linear
case held-quantities-are-compared-as-held
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="h" value="0.1"/></parameters>
  <systems><FirstOrderLinearTIDS id="s" states="x" inputs="u"><x0>0</x0><A>0</A><b>u</b></FirstOrderLinearTIDS></systems>
  <controls><control id="c" systems="s" period="0.2" writes="u"><update>t > 0.3 ? 2 - u : 3</update></control></controls>
  <simulation T="1"><TimeStepping h="h"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run for e in csv h5; do nssim -q m.xml -o coarse.$e && nssim -q m.xml -p h=0.02 -o fine.$e && nssim compare coarse.$e fine.$e --only s.z,s.x --ignore events --time-tol 1e-3; done; nssim info coarse.csv | grep /z; nssim info coarse.h5 | grep /z
stdout-not DIFFERENT
stdout-match systems/s/z .*\(held\)
