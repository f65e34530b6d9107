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
run nssim -q m.xml -o a.h5 && nssim -q m.xml -o a.csv && for f in h5 csv; do nssim info a.$f --json | python3 -c 'import json, sys; [print(l, u) for c in json.load(sys.stdin)["channels"] for l, u in zip(c["labels"], c.get("units") or [c.get("unit")] * len(c["labels"])) if not c["path"].startswith(("diag", "elem", "nodes"))]' >$f.txt; done; cmp h5.txt csv.txt && cat h5.txt; nssim info a.h5 | grep 'systems/b/v'; h5dump -a /systems/b/p/units a.h5 | grep '(0)'; nssim sweep s.xml -o D -q && h5dump -a /measures/top/units D/measures.h5 | grep '(0)'
stdout <<
time s
c.i_L1 A
c.xdot_i_L1 A/s
c.r_i_L1 A/s
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
f.r_a K/s
f.r_b m/s^2
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
nssim: error: m.xml:4: <LagrangianLinearTIDS id="c">: attribute units: "cm" is not an SI unit, expected one such as m, rad, kg, N*m, V
nssim: error: m.xml:5: <LagrangianLinearTIDS id="d">: attribute inputUnits: "foo" is not an SI unit, expected one such as m, rad, kg, N*m, V
nssim: error: m.xml:6: <NewtonEulerDS id="r">: unknown attribute units, expected one of: id, inputs, inputUnits, birth, death, gyroscopic
nssim: error: m.xml:7: <LagrangianLinearTIDS id="e">: attribute units names 0 units, expected 1: one for each by white space, N*m for N m, 1 for none
nssim: error: m.xml:10: <interaction id="i">: attribute unit names 2 units, expected 1: one for each by white space, N*m for N m, 1 for none
nssim: error: m.xml:13: <output>: attribute compression is 10, expected a whole number in [0, 9]: compression of rows in HDF5, by shuffle and deflate: 0 none, 1 fast, 9 smallest; smooth curves shrink by a fifth, constant ones to almost nothing
>>

# The library of dimension scales finds what it would have written itself; a table of many systems has its units beside it.
case rows-by-time
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && h5dump -a /time/CLASS -a /time/NAME a.h5 | grep '(0)'; h5dump -a /systems/ball/q/DIMENSION_LIST a.h5 | grep '(0)' | sed 's/DATASET [0-9]*/DATASET/g'; h5dump -a /time/REFERENCE_LIST a.h5 | grep -c '"/'; h5ls -r a.h5 | grep -c 'Dataset {2001'; nssim -q $MODELS/bead-column-1000/bead-column-1000.xml -p T=0.01 --record '*' -o b.h5 && h5dump -d /systems/v_units -s 0 -c 3 b.h5 | grep -A1 '(0)'; nssim info b.h5 --json | grep -c '"units"'
stdout <<
   (0): "DIMENSION_SCALE"
   (0): "time"
   (0): (DATASET "/time"), (DATASET "/columns_3")
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

# Sums, powers, roots and functions of names with units, drawn: those that are right say nothing, each one with one summand of another
# dimension is told, and so is each whose value is in another unit than it says.
case dimensions-of-drawn-formulas
file random.py <<
import random, sys
random.seed(5)
base = {"M": (1, 0, 0), "L": (0, 1, 0), "T": (0, 0, 1)}
names = {"g": (0, 1, -2), "k": (1, 0, -2), "c": (1, 0, -1), "V": (0, 1, -1), "F": (1, 1, -2), "J": (1, 2, 0), "P": (1, 2, -3), "n": (0, 0, 0), **base}
unit = {"M": "t", "L": "mm", "T": "ms", "g": "m/s^2", "k": "N/mm", "c": "kg/s", "V": "km/h", "F": "kN", "J": "kg*m^2", "P": "kW", "n": "1"}
def power(s, p): return "" if not p else s if p == 1 else "%s^%d" % (s, p) if p > 0 else "%s^(%d)" % (s, p)
def product(d, depth):
    words, have = [], [0, 0, 0]
    for _ in range(random.randint(0, 3)):
        s = random.choice(sorted(names)); p = random.choice((1, 2, -1))
        words.append(power(s, p)); have = [h + p * e for h, e in zip(have, names[s])]
    words += [power(b, round(d[i] - have[i])) for i, b in enumerate(("M", "L", "T")) if d[i] != have[i]]
    if random.random() < 0.3 and depth: words.append(random.choice(("sin", "exp", "abs")) + "(" + expression((0, 0, 0), depth - 1)[0] + ")")
    if random.random() < 0.3: words.insert(0, random.choice(("2", "1/2", "3", "pi", "9.81", "0.37")))
    random.shuffle(words)
    return "*".join(words) or "n"
def expression(d, depth, wrong=None):
    if not depth: return product(d, 0), False
    terms = [product(d, depth) for _ in range(random.randint(1, 3))]
    if depth > 1 and random.random() < 0.5: terms.append("sqrt(" + expression(tuple(2 * x for x in d), depth - 1)[0] + ")")
    if random.random() < 0.4: terms.append("min(" + product(d, 0) + ", " + product(d, 0) + ")")
    if wrong: terms = [t for t in terms if "9.81" not in t and "0.37" not in t] + [product(d, 0).replace("9.81", "2").replace("0.37", "2") + "*" + wrong]
    return " + ".join(terms), wrong is not None and len(terms) > 1
def text(d): return "*".join(w for w in (power("kg", d[0]), power("m", d[1]), power("s", d[2])) if w).replace("(", "").replace(")", "") or "1"
right, bad = [], []
while len(right) < 150 or len(bad) < 150:
    d = tuple(random.randint(-2, 2) for _ in range(3))
    f, _ = expression(d, 3)
    right.append((f, text(d)))
    f, sure = expression(d, 2, random.choice(sorted(base) + ["V", "F/k"]))
    if sure: bad.append((f, "1" if random.random() < .5 else text(d)))
    f, _ = expression(d, 2)
    if "9.81" not in f and "0.37" not in f: bad.append((f, text(tuple(x + 1 for x in d))))
for file, list in (("right.xml", right), ("bad.xml", bad)):
    with open(file, "w") as o:
        o.write('<model xmlns="urn:nssim:model:1" name="m">\n<parameters>\n')
        for s in sorted(names): o.write('<parameter name="%s" value="1.5" unit="%s"/>\n' % (s, unit[s]))
        o.write('</parameters>\n<systems><LagrangianLinearTIDS id="b" coordinates="q"><q0>1</q0></LagrangianLinearTIDS></systems>\n<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>\n<output>\n')
        for i, (f, u) in enumerate(list): o.write('<observe id="o%d" unit="%s">%s</observe>\n' % (i, u, f))
        o.write("</output>\n</model>\n")
print(len(right) >= 150, len(bad), file=open("counts", "w"))
>>
run python3 random.py; nssim check right.xml 2>&1 | grep -c units: ; nssim check bad.xml --units 2>&1 | grep -c '<observe id="o[0-9]*">: units:' | sed "s/^$(cut -d' ' -f2 counts)$/all/"
stdout <<
0
all
>>

case dimensions-of-a-model
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="m" value="1" unit="kg"/>
  <parameter name="l" value="20" unit="cm"/>
  <parameter name="g" value="9.81" unit="m/s^2"/>
  <parameter name="w" value="2*pi*sqrt(l/g)" unit="1/s"/>
  <parameter name="d" value="0.1"/>
</parameters>
<systems>
  <LagrangianDS id="p" coordinates="x phi" units="m rad" inputs="u" inputUnits="N">
    <q0>1 0</q0>
    <mass>m 0; 0 m*l</mass>
    <fInt>m*g*phi - u + d*v_x; m*g*l*sin(x) + 9.81*m + m*v_x^2 + m*l*v_phi</fInt>
    <fExt>sin(t)*u; l*u + cos(t/w)*u*l</fExt>
  </LagrangianDS>
  <FirstOrderLinearTIDS id="f" states="a b" units="V A"><x0>0 0</x0><A>m 0; 0 -1</A></FirstOrderLinearTIDS>
  <RigidBody2dDS id="r"><q0>0 0 0</q0><mass>l</mass><inertia>m*l^2</inertia><fExt>m*g m</fExt></RigidBody2dDS>
</systems>
<interactions><interaction id="i" systems="p r"><LagrangianScleronomousR><h>p.x - r.phi + r.x</h></LagrangianScleronomousR><NewtonImpactNSL e="0"/></interaction></interactions>
<simulation T="l"><TimeStepping h="0.01*w"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation>
<measures><measure id="top" kind="max" unit="J">m*g*p.x + 0.5*m*r.v_x^2</measure><measure id="e" kind="max" unit="J">m*g*p.x + m*r.v_x</measure></measures>
</model>
>>
setup grep -v "<interaction" m.xml >n.xml
run nssim check n.xml >/dev/null; echo; nssim check n.xml --units 2>&1 >/dev/null | grep -c units: ; nssim -q n.xml -o a.csv
stdout <<

11
>>
stderr <<
nssim: warning: n.xml:6: <parameter name="w">: attribute value: units: in "2*pi*sqrt(l/g)", it is s, expected 1/s
nssim: warning: n.xml:12: <mass> of <LagrangianDS id="p">: units: in "m*l", it is kg m, expected kg m^2
nssim: warning: n.xml:13: <fInt> of <LagrangianDS id="p">: units: in "m*g*l*sin(x) + 9.81*m + m*v_x^2 + m*l*v_phi", m is the argument of a function of numbers
nssim: warning: n.xml:16: <A> of <FirstOrderLinearTIDS id="f">: units: in "m", it is kg, expected 1/s
nssim: warning: n.xml:17: <mass> of <RigidBody2dDS id="r">: units: in "l", it is m, expected kg
nssim: warning: n.xml:17: <fExt> of <RigidBody2dDS id="r">: units: in "m", it is kg, expected N
nssim: warning: n.xml:19: <simulation>: attribute T: units: in "l", it is m, expected s
nssim: warning: n.xml:20: <measure id="e">: units: in "m*g*p.x + m*r.v_x", J and kg m/s are added or subtracted
nssim: warning: n.xml:19: <simulation>: T - t0 = 0.2 s is not a whole number of steps of h = 0.008971402931 s: the run ends at t = 0.2063422674 s, with the step that reaches T
>>

# Names that are letters of numbers: e and E.
case dimensions-of-names-like-exponents
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <parameters><parameter name="e" value="1" unit="s"/><parameter name="E" value="2e0" unit="m"/></parameters>
  <systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1e-3</q0><mass>1</mass><fExt>E-e</fExt></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml >/dev/null
stderr <<
nssim: warning: m.xml:3: <fExt> of <LagrangianLinearTIDS id="b">: units: in "E-e", m and s are added or subtracted
>>

# Names of other systems, made before and after, joints and springs; multipliers; what relations are in, where the interaction says it.
case dimensions-across-systems
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="K" value="1" unit="N m/A"/><parameter name="k" value="1" unit="N/m"/><parameter name="L" value="1" unit="m"/><parameter name="R" value="2" unit="ohm"/></parameters>
<systems>
  <LagrangianLinearTIDS id="rotor" coordinates="phi" units="rad"><q0>0</q0><mass>1</mass><fExt>K*coil.i + coil.i</fExt></LagrangianLinearTIDS>
  <FirstOrderNonLinearDS id="coil" states="i" units="A" inputs="u" inputUnits="V"><x0>0</x0><f>u - rotor.v_phi</f></FirstOrderNonLinearDS>
  <NewtonEulerDS id="b"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia>1 0 0; 0 1 0; 0 0 1</inertia><fExt>k*rotor.phi 0 k*L*cos(coil.i)</fExt></NewtonEulerDS>
  <LagrangianDS id="p" coordinates="x y" units="m m"><q0>1 1</q0><mass>1 0; 0 1</mass><fExt>k*b.x k*coil.i</fExt></LagrangianDS>
  <NewtonEulerDS id="c"><q0>1 0 0 1 0 0 0</q0><mass>1</mass><inertia>1 0 0; 0 1 0; 0 0 1</inertia><fExt>k*hinge.angle + k*rope.length 0 0</fExt></NewtonEulerDS>
</systems>
<interactions>
  <spring id="rope" systems="b c" stiffness="1"/>
  <interaction id="hinge" systems="b"><PivotJointR point="0 0 0" axis="0 0 1"/><EqualityConditionNSL/></interaction>
  <interaction id="stop" systems="p" unit="m" lambdaUnit="N*s"><LagrangianLinearTIR><H>1 L</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
  <interaction id="curve" systems="p" unit="m"><LagrangianScleronomousR><h>x^2 + y^2 - L^2</h></LagrangianScleronomousR><NewtonImpactNSL e="0"/></interaction>
  <interaction id="diode" systems="coil" unit="V" lambdaUnit="A"><FirstOrderLinearR><C>R</C><D>R*L</D><B>1</B></FirstOrderLinearR><ComplementarityConditionNSL/></interaction>
</interactions>
<simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation>
<measures><measure id="a" kind="max" interaction="stop">lambda[0] + L</measure><measure id="b2" kind="max" interaction="stop">p.x + 2*lambda[0]</measure></measures>
</model>
>>
run nssim check m.xml >/dev/null
stderr <<
nssim: warning: m.xml:4: <fExt> of <LagrangianLinearTIDS id="rotor">: units: in "K*coil.i + coil.i", J and A are added or subtracted
nssim: warning: m.xml:5: <f> of <FirstOrderNonLinearDS id="coil">: units: in "u - rotor.v_phi", V and 1/s are added or subtracted
nssim: warning: m.xml:6: <fExt> of <NewtonEulerDS id="b">: units: in "k*rotor.phi", it is kg/s^2, expected N
nssim: warning: m.xml:6: <fExt> of <NewtonEulerDS id="b">: units: in "k*L*cos(coil.i)", A is the argument of a function of numbers
nssim: warning: m.xml:7: <fExt> of <LagrangianDS id="p">: units: in "k*coil.i", it is kg A/s^2, expected N
nssim: warning: m.xml:8: <fExt> of <NewtonEulerDS id="c">: units: in "k*hinge.angle + k*rope.length", kg/s^2 and N are added or subtracted
nssim: warning: m.xml:14: <h> of <LagrangianScleronomousR>: units: in "x^2 + y^2 - L^2", it is m^2, expected m
nssim: warning: m.xml:15: <D> of <FirstOrderLinearR>: units: in "R*L", it is kg m^3/s^3/A^2, expected ohm
nssim: warning: m.xml:18: <measure id="a">: units: in "lambda[0] + L", kg m/s and m are added or subtracted
nssim: warning: m.xml:18: <measure id="b2">: units: in "p.x + 2*lambda[0]", m and kg m/s are added or subtracted
>>

# values of tables and entries of vectors have the unit that is written, whatever its size
case dimensions-of-tables-and-vectors
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="k" value="1" unit="N/m"/>
  <vector name="L" values="1 2" unit="mm"/>
  <table id="push" points="0 1; 2 3" yUnit="kN"/>
  <table id="two" points="0 1 2; 2 3 4" y="2 3" yUnit="mm kN"/>
  <table id="free" points="0 1; 2 3"/>
</parameters>
<systems>
  <LagrangianLinearTIDS id="a" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="1 1 1"/><fExt>push(t) + k*L[floor(t)], k*two_2(t) + two_3(t), k*free(t)</fExt></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="b" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="1 1 1"/><fExt>push(t) + L[floor(t)], two_2(t), push(t) + k</fExt></LagrangianLinearTIDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml >/dev/null
stderr <<
nssim: warning: m.xml:11: <fExt> of <LagrangianLinearTIDS id="b">: units: in "push(t) + L[floor(t)]", N and m are added or subtracted
nssim: warning: m.xml:11: <fExt> of <LagrangianLinearTIDS id="b">: units: in "two_2(t)", it is m, expected N
nssim: warning: m.xml:11: <fExt> of <LagrangianLinearTIDS id="b">: units: in "push(t) + k", N and kg/s^2 are added or subtracted
>>

# a function is in what its formula makes of its arguments, and a table with a unit for x wants that
case dimensions-in-functions-and-of-arguments
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="c" value="2" unit="N*s/m"/>
  <parameter name="vs" value="0.1" unit="m/s"/>
  <parameter name="r" value="0.1" unit="m"/>
  <table id="along" points="0 1; 2000 3" xUnit="mm" yUnit="kN" outside="hold"/>
  <function name="drag" of="v">-c*v*(1 + (v/vs)^2)</function>
  <function name="both" of="x v">along(x) + drag(v)</function>
  <function name="bad" of="x v">drag(v) + x</function>
  <function name="late" of="s">along(s)</function>
</parameters>
<systems>
  <LagrangianLinearTIDS id="a" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="1 1 1"/><fExt>drag(vs), both(r, 2*vs), along(r)</fExt></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="b" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="1 1 1"/><fExt>drag(r), bad(r, vs), along(t)</fExt></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="d" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="1 1 1"/><fExt>late(t), drag(vs)*r, both(vs, vs)</fExt></LagrangianLinearTIDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml >/dev/null
stderr <<
nssim: warning: m.xml:14: <fExt> of <LagrangianLinearTIDS id="b">: units: in "drag(r)", it is kg m s, expected N
nssim: warning: m.xml:14: <fExt> of <LagrangianLinearTIDS id="b">: units: in "bad(r, vs)", m and N are added or subtracted in the function bad
nssim: warning: m.xml:14: <fExt> of <LagrangianLinearTIDS id="b">: units: in "along(t)", the argument of the table along is s, expected m
nssim: warning: m.xml:15: <fExt> of <LagrangianLinearTIDS id="d">: units: in "late(t)", the argument of the table along is s, expected m
nssim: warning: m.xml:15: <fExt> of <LagrangianLinearTIDS id="d">: units: in "drag(vs)*r", it is J, expected N
nssim: warning: m.xml:15: <fExt> of <LagrangianLinearTIDS id="d">: units: in "both(vs, vs)", the argument of the table along is m/s, expected m
>>

# A weight in the place of a mass, of coordinates with units and without; two entries with one formula are told once
case dimensions-of-a-mass
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="W" value="5" unit="N"/><parameter name="m" value="5" unit="kg"/><parameter name="J" value="5" unit="kg.m^2"/></parameters>
<systems>
 <LagrangianLinearTIDS id="a" coordinates="x"><q0>0</q0><mass>W</mass></LagrangianLinearTIDS>
 <LagrangianLinearTIDS id="b" coordinates="x y z" units="m m m"><q0>0 0 0</q0><mass diag="W m W"/></LagrangianLinearTIDS>
 <RigidBody2dDS id="c"><q0>0 0 0</q0><mass>W</mass><inertia>1</inertia></RigidBody2dDS>
 <LagrangianDS id="d" coordinates="x y"><q0>0 0</q0><mass>m 0; 0 J</mass></LagrangianDS>
 <LagrangianDS id="e" coordinates="x"><q0>0</q0><mass>W/9.81</mass></LagrangianDS>
</systems>
<simulation T="0.1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
stderr <<
nssim: warning: m.xml:4: <mass> of <LagrangianLinearTIDS id="a">: units: in "W", it is N, expected a mass, kg, or kg m^2 of an angle; a weight divided by g is a mass
nssim: warning: m.xml:5: <mass> of <LagrangianLinearTIDS id="b">: units: in "W", it is N, expected kg; a weight divided by g is a mass
nssim: warning: m.xml:6: <mass> of <RigidBody2dDS id="c">: units: in "W", it is N, expected kg; a weight divided by g is a mass
>>

# A weight in the place of a mass, as a number with its unit; a name of one letter that no number stands before is a parameter.
case units-weight-for-mass
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianDS id="b" coordinates="x"><q0>0</q0><mass>MASS</mass></LagrangianDS></systems>
<simulation T="0.2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run for m in '5 N' '5 m' N; do sed "s/MASS/$m/" m.xml >n.xml; nssim check n.xml; done
exit 65
stderr <<
nssim: error: n.xml:2: <mass> of <LagrangianDS id="b">: in "N", column 1: unknown name "N"; that is a unit of force, and numbers are in SI units, without their names: a weight divided by g is a mass, in kg
nssim: error: n.xml:2: <mass> of <LagrangianDS id="b">: in "m", column 1: unknown name "m"; that is a unit: numbers are in SI units, without their names
nssim: error: n.xml:2: <mass> of <LagrangianDS id="b">: in "N", column 1: unknown name "N"; declare it as a <parameter>
>>

# rigid bodies have units of their own: inertia, forces, moments, initial states; initial states of others have those of units=
case units-of-bodies-and-initial-states
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="m" value="1" unit="kg"/><parameter name="k" value="3" unit="N/m"/><parameter name="W" value="5" unit="N"/>
    <parameter name="J" value="0.1" unit="kg*m^2"/><parameter name="a" value="0.1" unit="m"/><parameter name="w" value="2" unit="rad/s"/>
    <parameter name="u" value="1" unit="m/s"/>
  </parameters>
  <systems>
    <NewtonEulerDS id="bad"><q0>m a 1  1 0 0 0</q0><v0>a u 0  u w 0</v0><mass>W</mass><inertia>m 0 0; 0 J 0; 0 0 J</inertia>
      <fExt>k k*a W</fExt><mExt>W W*a 0</mExt><fInt>k*x k*y 0</fInt><mInt>J*w 0 0</mInt></NewtonEulerDS>
    <RigidBody2dDS id="flat"><q0>a m a</q0><v0>u u u</v0><mass>m</mass><inertia>m</inertia><fExt>W m*u</fExt><mExt>W</mExt></RigidBody2dDS>
    <LagrangianDS id="arm" coordinates="s al" units="m rad"><q0>a a</q0><v0>u u</v0><mass diag="m J"/></LagrangianDS>
    <FirstOrderNonLinearDS id="c" states="z" units="V"><x0>m</x0><f>-z</f></FirstOrderNonLinearDS>
    <LagrangianDS id="numbers" coordinates="e" units="1"><q0>1</q0><mass>1</mass><fInt>e^2</fInt></LagrangianDS>
  </systems>
  <simulation T="0.1"><TimeStepping h="0.01"><MoreauJeanOSI systems="bad flat arm numbers"/><EulerMoreauOSI systems="c"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml 2>&1 | grep -o '<[a-zA-Z0-9]*> of <.*' | sed 's/units: in //'
exit 0
stdout <<
<mass> of <NewtonEulerDS id="bad">: "W", it is N, expected kg; a weight divided by g is a mass
<inertia> of <NewtonEulerDS id="bad">: "m", it is kg, expected kg m^2
<q0> of <NewtonEulerDS id="bad">: "m", it is kg, expected m
<v0> of <NewtonEulerDS id="bad">: "a", it is m, expected m/s
<v0> of <NewtonEulerDS id="bad">: "u", it is m/s, expected 1/s
<fExt> of <NewtonEulerDS id="bad">: "k", it is kg/s^2, expected N
<mExt> of <NewtonEulerDS id="bad">: "W", it is N, expected J
<mInt> of <NewtonEulerDS id="bad">: "J*w", it is kg m^2/s, expected J
<inertia> of <RigidBody2dDS id="flat">: "m", it is kg, expected kg m^2
<q0> of <RigidBody2dDS id="flat">: "m", it is kg, expected m
<q0> of <RigidBody2dDS id="flat">: "a", it is m, expected 1
<v0> of <RigidBody2dDS id="flat">: "u", it is m/s, expected 1/s
<fExt> of <RigidBody2dDS id="flat">: "m*u", it is kg m/s, expected N
<mExt> of <RigidBody2dDS id="flat">: "W", it is N, expected J
<q0> of <LagrangianDS id="arm">: "a", it is m, expected 1
<v0> of <LagrangianDS id="arm">: "u", it is m/s, expected 1/s
<x0> of <FirstOrderNonLinearDS id="c">: "m", it is kg, expected V
<f> of <FirstOrderNonLinearDS id="c">: "-z", it is V, expected kg m^2/s^4/A
>>

# Of a circuit: states, also of a capacitor in a loop with a source, inputs, what keeps its state, y and lambda of each kind of device; of measures, what they follow from.
case units-of-circuits
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems>
  <netlist id="c" inputs="u w" inputUnits="V 1" z="5 0">
  V1 s 0 12*sin(2*pi*50*t)
  R1 s a 10
  D1 a b vf=0.6 ron=0.1
  C1 b 0 1e-6
  C8 b q 1e-6
  C9 q 0 1e-6
  V3 q x9 PULSE(0 1 1m 0 0 1m 2m)
  R9 x9 0 1
  Z1 0 b 5 vf=0.6
  S1 b d v(b) on=3 off=1
  R2 d 0 100
  M1 b g1 m 2
  V2 g1 0 u
  R3 m 0 50
  P1 a p u-1
  L1 p p2 1e-3
  R4 p2 0 20
  O1 o 0 0 x lo=-12 hi=12
  R5 s x 1e3
  R6 x o 2e3
  B1 e 0 v=v(o)-v(e)^3
  R7 e 0 100
  </netlist>
  <netlist id="j">
  V4 n 0 PULSE(0 1 1m 0 0 1m 2m)
  C4 n k 1e-6
  C5 k 0 1e-6
  R10 k 0 1e3
  I1 0 z1 1e-3
  D2 z1 0
  R11 z1 0 1e3
  </netlist>
</systems>
<simulation T="0.001"><TimeStepping h="1e-5"><EulerMoreauOSI/></TimeStepping></simulation>
<output><observe id="power">R1.v*R1.i</observe><observe id="current">D1.i</observe></output>
<measures>
  <measure id="top" kind="max">c.v_C1</measure>
  <measure id="low" kind="min">-R4.i</measure>
  <measure id="mean" kind="mean">power</measure>
  <measure id="energy" kind="integral">R1.v*R1.i</measure>
  <measure id="charge" kind="integral">abs(R1.i)</measure>
  <measure id="flux" kind="integral">node_b.v</measure>
  <measure id="device" kind="max" interaction="c-devices">lambda[0]</measure>
  <measure id="drop" kind="rms">node_b.v - node_a.v</measure>
  <measure id="above" kind="mean">node_b.v - 3</measure>
  <measure id="twice" kind="rms">2*node_b.v</measure>
  <measure id="mixed" kind="rms">node_b.v + R1.i</measure>
  <measure id="conductance" kind="final">R1.i/R1.v</measure>
  <measure id="sum" kind="sum" when="node_a.v">R1.i</measure>
  <measure id="sample" kind="sample" every="1e-4">R1.i</measure>
  <measure id="input" kind="max">c.u</measure>
  <measure id="closed" kind="max">c.S1</measure>
  <measure id="given" kind="mean" unit="K">node_b.v</measure>
</measures>
</model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml"><list name="h" values="1e-5 2e-5"/></study>
>>
run nssim -q m.xml -o a.h5 && nssim -q m.xml -o a.csv && for f in h5 csv; do nssim info a.$f --json | python3 -c 'import json, sys; r = json.load(sys.stdin); [print(l, u) for c in r["channels"] for l, u in zip(c["labels"], c.get("units") or [c.get("unit")] * len(c["labels"])) if not c["path"].startswith(("diag", "elem", "nodes"))]; [print(k, m.get("unit")) for k, m in r["measures"].items()]' >$f.txt; done; cmp h5.txt csv.txt && cat h5.txt; h5dump -a /interactions/c-devices/lambda/units a.h5 | grep -A1 '(0)'; h5dump -a /measures/flux/units a.h5 | grep '(0)'; nssim sweep s.xml -o D -q && h5dump -a /measures/flux/units D/measures.h5 | grep '(0)'
stdout <<
time s
c.v_C1 V
c.v_C8 V
c.i_L1 A
c.xdot_v_C1 V/s
c.xdot_v_C8 V/s
c.xdot_i_L1 A/s
c.r_v_C1 V/s
c.r_v_C8 V/s
c.r_i_L1 A/s
c.u V
c.w 1
c.S1 1
c.M1 1
c.P1 1
j.x_C4 V
j.xdot_x_C4 V/s
j.r_x_C4 V/s
c-devices.y[0] V
c-devices.y[1] 
c-devices.y[2] 
c-devices.y[3] 
c-devices.y[4] V
c-devices.y[5] V
c-devices.y[6] V
c-devices.y[7] V
c-devices.y[8] A
c-devices.y[9] V
c-devices.lambda[0] V
c-devices.lambda[1] A
c-devices.lambda[2] A
c-devices.lambda[3] V
c-devices.lambda[4] A
c-devices.lambda[5] A
c-devices.lambda[6] A
c-devices.lambda[7] A
c-devices.lambda[8] V
c-devices.lambda[9] V
j-devices.y V
j-devices.lambda A
power.value W
current.value A
top V
low A
mean W
energy J
charge A s
flux V s
device V
drop V
above V
twice None
mixed None
conductance S
sum A
sample A
input V
closed 1
given K
   (0): "V", "A", "A", "V", "A", "A", "A", "A", "V", "V"
   }
   (0): "V s"
   (0): "V s"
>>
verify nssim plot a.h5 'c-devices.lambda[1]' -o a.svg && grep -q 'lambda.1. .A.<' a.svg
