# SPDX-License-Identifier: GPL-3.0-or-later
# Units of what is recorded, in all formats; rows of HDF5 by time, and small.

case units-of-all-kinds-of-systems
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems>
  <netlist id="c"> V1 s 0 12
  R1 s a 1
  L1 a 0 1e-3
  </netlist>
  <LagrangianLinearTIDS id="b" coordinates="x phi s1 w" units="m rad N*m 1" inputs="u k" inputUnits="N 1"><q0>0 0 0 0</q0><fExt>u 0 0 0</fExt></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="g" coordinates="y2 theta_1 xi s"><q0>1 0 0 0</q0></LagrangianLinearTIDS>
  <FirstOrderLinearTIDS id="f" states="a b" units="K m/s"><x0>0 0</x0><A>-1 0; 0 -1</A></FirstOrderLinearTIDS>
  <NewtonEulerDS id="r"><q0>0 0 9 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
</systems>
<interactions>
  <interaction id="i" systems="g" unit="rad"><LagrangianLinearTIR><H>0 1 0 0</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
  <interaction id="j" systems="f" unit="K" lambdaUnit="W"><FirstOrderLinearTIR><C>1 0</C><D>1</D><B>1; 0</B><e>1</e></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction>
</interactions>
<simulation T="0.1"><TimeStepping h="0.01"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation>
<output><observe id="e" unit="J">0.5*b.x^2</observe></output>
<measures><measure id="top" kind="max" unit="m">g.y2</measure></measures>
</model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml"><list name="h" values="0.01 0.02"/></study>
>>
run nssim -q m.xml -o a.h5 && nssim -q m.xml -o a.csv && for f in h5 csv; do nssim info a.$f --json | python3 -c 'import json, sys; [print(l, u) for c in json.load(sys.stdin)["channels"] for l, u in zip(c["labels"], c.get("units") or [c.get("unit")] * len(c["labels"])) if not c["path"].startswith(("diag", "elem", "nodes"))]' >$f.txt; done; cmp h5.txt csv.txt && cat h5.txt; nssim info a.h5 | grep 'systems/b/v'; h5dump -a /systems/b/p/units a.h5 | grep '(0)'; nssim sweep s.xml -o D -q && h5dump -a /measures/top/unit D/measures.h5 | grep '(0)'
stdout <<
time s
c.i_L1 A
c.xdot_i_L1 A/s
c.r_i_L1 None
b.x m
b.phi rad
b.s1 N*m
b.w 1
b.v_x m/s
b.v_phi rad/s
b.v_s1 N*m/s
b.v_w 1/s
b.p_x N s
b.p_phi N m s
b.p_s1 
b.p_w 
b.u N
b.k 1
g.y2 m
g.theta_1 rad
g.xi 
g.s 
g.v_y2 m/s
g.v_theta_1 rad/s
g.v_xi 
g.v_s 
g.p_y2 N s
g.p_theta_1 N m s
g.p_xi N s
g.p_s N s
f.a K
f.b m/s
f.xdot_a K/s
f.xdot_b m/s^2
f.r_a None
f.r_b None
r.x m
r.y m
r.z m
r.p0 1
r.p1 1
r.p2 1
r.p3 1
r.v_x m/s
r.v_y m/s
r.v_z m/s
r.Omega_x rad/s
r.Omega_y rad/s
r.Omega_z rad/s
r.p_x N s
r.p_y N s
r.p_z N s
r.p_Omega_x N m s
r.p_Omega_y N m s
r.p_Omega_z N m s
i.y rad
i.ydot rad/s
i.lambda N m s
i.force N m
j.y K
j.lambda W
e.value J
    systems/b/v                    [11 x 4]              x [m/s], phi [rad/s], s1 [N*m/s], w [1/s]
   (0): "N s", "N m s", "", ""
   (0): "m"
>>
verify nssim plot a.h5 b.v_phi f.a -o a.svg && grep -q 'rad/s' a.svg

case units-that-are-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems>
  <LagrangianLinearTIDS id="b" coordinates="x phi" units="m"><q0>0 0</q0></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="c" coordinates="x phi" units="cm rad"><q0>0 0</q0></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="d" coordinates="x" inputs="u v" inputUnits="N foo"><q0>0</q0></LagrangianLinearTIDS>
  <NewtonEulerDS id="r" units="m"><q0>0 0 9 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  <LagrangianLinearTIDS id="e" coordinates="x" units=""><q0>0</q0></LagrangianLinearTIDS>
</systems>
<interactions>
  <interaction id="i" systems="d" unit="N m"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
</interactions>
<simulation T="0.1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output compression="10"/>
</model>
>>
run nssim check m.xml
exit 65
stdout <<
>>
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="b">: attribute units names 1 unit, expected 2: one for each by white space, N*m for N m, 1 for none
nssim: error: m.xml:4: <LagrangianLinearTIDS id="c">: attribute units: "cm" is no SI unit, in which formulas and results are, expected one such as m, rad, kg, N*m, V
nssim: error: m.xml:5: <LagrangianLinearTIDS id="d">: attribute inputUnits: "foo" is no SI unit, in which formulas and results are, expected one such as m, rad, kg, N*m, V
nssim: error: m.xml:6: <NewtonEulerDS id="r">: unknown attribute units, expected one of: id, inputs, inputUnits, gyroscopic
nssim: error: m.xml:7: <LagrangianLinearTIDS id="e">: attribute units names 0 units, expected 1: one for each by white space, N*m for N m, 1 for none
nssim: error: m.xml:10: <interaction id="i">: attribute unit names 2 units, expected 1: one for each by white space, N*m for N m, 1 for none
nssim: error: m.xml:13: <output>: attribute compression is 10, expected a whole number in [0, 9]: of rows in HDF5, by shuffle and deflate: 0 none, 1 fast, 9 smallest; smooth curves shrink by a fifth, what rests or is zero to almost nothing
>>

# The library of dimension scales finds what it would have written itself; a table of many systems has its units beside it.
case rows-by-time
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && h5dump -a /time/CLASS -a /time/NAME a.h5 | grep '(0)'; h5dump -a /systems/ball/q/DIMENSION_LIST a.h5 | grep '(0)' | sed 's/DATASET [0-9]*/DATASET/'; h5dump -a /time/REFERENCE_LIST a.h5 | grep -c '"/'; h5ls -r a.h5 | grep -c 'Dataset {2001'; nssim -q $MODELS/bead-column-1000/bead-column-1000.xml -p T=0.01 --record '*' -o b.h5 && h5dump -d /systems/v_units -s 0 -c 3 b.h5 | grep -A1 '(0)'; nssim info b.h5 --json | grep -c '"units"'
stdout <<
   (0): "DIMENSION_SCALE"
   (0): "time"
   (0): (DATASET "/time"), ()
18
19
      (0): "m/s", "m/s", "rad/s"
      }
3
>>

# The same numbers, however they are packed; what rests takes no room, and small runs do not either.
case packed
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x y"><q0>1 2</q0><K diag="5 0"/></LagrangianLinearTIDS></systems>
<simulation T="10"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
<output compression="0"/>
</model>
>>
run for k in 0 1 9; do nssim -q m.xml --set output@compression=$k -o $k.h5; done; for k in 1 9; do nssim compare 0.h5 $k.h5 --rtol 0 --atol 0 --only '*' -q && echo same; done; test $(stat -c %s 1.h5) -lt $(($(stat -c %s 0.h5) / 2)) && echo smaller; nssim -q m.xml -p T=0.01 -o s.h5; test $(stat -c %s s.h5) -lt 56000 && echo small; nssim -q m.xml --set output@compression=1 -o r.h5 --resume auto --max-steps 5000; nssim -q m.xml --set output@compression=1 -o r.h5 --resume auto; nssim compare r.h5 1.h5 --rtol 0 --atol 0 -q && echo same
stdout <<
same
same
smaller
small
same
>>
stderr-match stopped after 5000 steps
