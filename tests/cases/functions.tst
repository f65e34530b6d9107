# SPDX-License-Identifier: GPL-3.0-or-later
# Tables and functions of the model in its formulas.

# Newmark's slip of a pulse: V^2/(2 mu g) (1 - mu g/a); by steps the same with the order of the scheme
case a-block-slips-by-an-accelerogram
setup sed 's/<EventDriven.*/<TimeStepping h="1e-4"><MoreauJeanOSI\/><\/TimeStepping>/; /<.EventDriven>/d' $MODELS/newmark-block/newmark-block.xml >steps.xml; cp $MODELS/newmark-block/pulse.csv .
run nssim -q $MODELS/newmark-block/newmark-block.xml -o a.csv && nssim -q steps.xml -o b.csv && nssim -q $MODELS/newmark-block/newmark-block.xml -p mu=0.5 -o c.csv
verify $CASES/measure a.csv 'near(c("block.x")[-1], 0.4905, 1e-10)' 'near(events("stick")[0]["time"], 1.25, 1e-10)' '[e["time"] for e in events("formula")] == [0.25, 0.75000000000000022] or near(events("formula")[1]["time"], 0.75, 4e-16)'
verify $CASES/measure b.csv 'near(c("block.x")[-1], 0.4905, 2e-4)'
verify $CASES/measure c.csv 'abs(c("block.x")[-1]) < 1e-15'

# jumps of a step table at times off the grid, in any unit: the momentum is their sum to rounding
case steps-of-force-off-the-grid
file f.txt <<
# ms  kN
0      0
 10.1  3
 12.7  -1
 333.3 0.5
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><table id="push" file="f.txt" interpolation="step" outside="hold" xUnit="ms" yUnit="kN"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><mass>2</mass><fExt>push(t)</fExt></LagrangianLinearTIDS></systems>
<simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'near(c("b.v_x")[-1], (3000*2.6e-3 - 1000*(333.3e-3-12.7e-3) + 500*(1-333.3e-3))/2, 1e-11)' 'len(events("formula")) == 3'

# the result of a run drives another: HDF5 and CSV by the names that info lists, a cubic between rows
case a-result-drives-another-model
file a.xml <<
<model xmlns="urn:nssim:model:1" name="a">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1</q0><K>1</K></LagrangianLinearTIDS></systems>
<simulation T="6"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><table id="wave" file="a.h5" x="time" y="b.x" interpolation="cubic"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1</q0><fExt>-wave(t)</fExt></LagrangianLinearTIDS></systems>
<simulation T="6"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed 's/a.h5/a.csv/' m.xml >n.xml
run nssim -q a.xml -o a.h5 && nssim -q a.xml -o a.csv && nssim -q m.xml -o b.csv && nssim -q n.xml -o c.csv
verify $CASES/measure b.csv 'max(abs(x - cos(s)) for x, s in zip(c("b.x"), t)) < 2e-5' 'max(abs(x - y) for x, y in zip(c("b.x"), c("b.x", "c.csv"))) < 1e-12' 'not events("formula")'

# a spring by a table and by comparisons: the same motion, corners as events, energies kept; by steps the same to its order
case a-spring-with-corners
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="k" value="40"/>
  <table id="spring" points="-2 -2*k; -0.1 -0.1*k; 0 0; 0.3 0; 2 1.7*k/2"/>
  <function name="force" of="u w">-spring(u) + 0*w</function>
</parameters>
<systems><LagrangianDS id="b" coordinates="x"><q0>1.5</q0><mass>1</mass><fInt>-force(x, v_x)</fInt></LagrangianDS></systems>
<simulation T="5"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed 's/-spring(u)/-if(u \&lt; 0, k*u, if(u \&lt; 0.3, 0, k*(u-0.3)\/2))/; /<table/d' m.xml >n.xml; sed 's/<EventDriven.*EventDriven>/<TimeStepping h="5e-4"><MoreauJeanOSI theta="0.5"\/><\/TimeStepping>/' m.xml >s.xml
run nssim -q m.xml -o a.csv && nssim -q n.xml -o b.csv && nssim -q s.xml -o c.csv
verify $CASES/measure a.csv 'near(c("b.x")[-1], c("b.x", "b.csv")[-1], 1e-9)' 'abs(c("b.x")[-1] - c("b.x", "c.csv")[-1]) < 1e-4' 'all(near(v*v/2 + (20*x*x if x < 0 else 10*(x-0.3)**2 if x > 0.3 else 0), 14.4, 1e-7) for x, v in zip(c("b.x"), c("b.v_x")))' 'len(events("formula")) > 8'

# torque of two arguments; sources of circuits; built-in blocks against what they stand for
case two-arguments-and-blocks
file grid.csv <<
w,throttle,torque
0,0,0
100,0,-5
0,1,20
100,1,10
200,0,-12
200,1,4
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <table id="torque" file="grid.csv" x="w throttle" y="torque" outside="hold"/>
  <table id="volts" points="0 0; 0.5 10; 1 0" outside="periodic"/>
</parameters>
<systems>
  <LagrangianDS id="r" coordinates="phi"><q0>0</q0><v0>0</v0><mass>2</mass><fInt>-torque(v_phi, 0.5)</fInt></LagrangianDS>
  <LagrangianLinearTIDS id="a" coordinates="x"><q0>0</q0><fExt>pulse(t - 0.1, 1, 0.25) + 2*pwm(t, 0.3, 0.5) + ramp(t, 0.2, 0.7) + sat(5*t, 1, 2) + deadzone(t, 0.5)</fExt></LagrangianLinearTIDS>
  <LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>(mod(t - 0.1, 1) &lt; 0.25) + 2*(mod(t, 0.3) &lt; 0.15) + min(max((t - 0.2)/0.5, 0), 1) + min(max(5*t, 1), 2) + t - min(max(t, -0.5), 0.5)</fExt></LagrangianLinearTIDS>
  <netlist id="c">
V1 in 0 volts(t)
R1 in a 10
C1 a 0 1e-2
  </netlist>
</systems>
<simulation T="2"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'near(c("r.v_phi")[-1], (10/0.075)*(1-exp(-0.075*2/2)), 1e-8)' 'max(abs(x - y) for x, y in zip(c("a.x"), c("b.x"))) < 1e-13' 'sum(1 for e in events("formula") if e["interaction"] == "c") > 3'

# a run that asks beyond the rows ends with the name of the table; at the last row itself it does not
case beyond-the-rows
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="T" value="1"/><table id="f" points="0 0; 1 1"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>f(t)</fExt></LagrangianLinearTIDS></systems>
<simulation T="T"><TimeStepping h="0.1"><MoreauJeanOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o a.csv && nssim -q m.xml -p T=1.2 -o b.csv
exit 70
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="b">: <fExt> of x is not finite at t = 1.1 s: f(t), outside of its rows, is nan with t = 1.1; the last good state, at t = 1 s, is kept; give the formula a value there, or use smaller steps if the motion should not reach this state
>>

# the same of every kind of table, whatever its arguments are, and by events
case beyond-the-rows-of-all-tables
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m"><parameters><table id="f" points="0 0; 0.4 1; 1 0.5" interpolation="HOW"/><table id="g" points="0 0 1; 0 1 2; 1 0 3; 1 1 4" x="1 2" y="3" interpolation="cubic"/><table id="one" points="-9 1; 9 1"/></parameters>
<systems><LagrangianDS id="b" coordinates="x y"><q0>0.1 0.1</q0><v0>1 1</v0><fInt>-ONE, -TWO</fInt></LagrangianDS></systems><simulation T="3"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation></model>
>>
run for how in step linear cubic pchip; do sed "s/HOW/$how/; s/ONE/f(one(t)*x)/; s/TWO/0/" m.xml >n.xml; sed 's/<Time.*Stepping>/<EventDriven h="0.1"><CVodeOSI\/><\/EventDriven>/' n.xml >e.xml; nssim -q n.xml; nssim -q e.xml; done; sed 's/HOW/linear/; s/ONE/0/; s/TWO/g(one(x)*y, 0.5)/' m.xml >n.xml; nssim -q n.xml
exit 70
verify for how in step linear cubic pchip; do sed "s/HOW/$how/; s/ONE/f(one(t)*x)/; s/TWO/0/" m.xml >n.xml; sed 's/<Time.*Stepping>/<EventDriven h="0.1"><CVodeOSI\/><\/EventDriven>/' n.xml >e.xml; $NSSIM -q n.xml; $NSSIM -q e.xml; done 2>err.txt; test $(grep -c '<fInt> of x is not finite at t = .* s: f.*, outside of its rows, is nan\( with\|;\)' err.txt) = 8 && ! grep branch err.txt
stderr-match <fInt> of y is not finite at t = .* s: g\(.*, outside of its rows, is nan with x = .*, y = 1

case faults-of-tables-and-functions
file a.csv <<
time,ag
0,1
0.5,2
0.4,3
>>
file b.csv <<
u,v,w
0,0,1
0,1,2
1,0,3
1,0,4
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
<parameter name="k" value="f(2)"/>
<parameter name="one" value="1"/>
<table id="a" file="a.csv"/>
<table id="b" file="a.csv" x="tim" y="ag"/>
<table id="c" points="0 1"/>
<table id="d" points="0 1; 1 2" file="a.csv"/>
<table id="e"/>
<table id="sin" points="0 1; 1 2"/>
<table id="one" points="0 1; 1 2"/>
<table id="g" points="0 1; 1 2" outside="periodic"/>
<table id="h" points="0 1; 1 2" interpolation="spline"/>
<table id="i" file="b.csv" x="u v" y="w"/>
<table id="j" points="0 1; 1 2" xUnit="blue"/>
<table id="l" points="0 1; 1 two"/>
<table id="m" file="none.csv"/>
<function name="p" of="x">x + y</function>
<function name="q" of="x">q(x)</function>
<function name="r" of="x x">x</function>
<function name="s" of="">1</function>
<function name="u" of="x">(x</function>
</parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>1</fExt></LagrangianLinearTIDS></systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="k">: attribute value: in "f(2)", column 1: unknown function "f"
nssim: error: m.xml:5: <table id="a">: x of row 3 is 0.4, expected more than in the previous row, 0.5: sort the rows by x, one row per x
nssim: error: m.xml:6: <table id="b">: attribute x: "tim" is not a column of a.csv, expected one of its names or a number 1 to 2, did you mean "time"?
nssim: error: m.xml:7: <table id="c">: has 1 row, expected at least two
nssim: error: m.xml:8: <table id="d">: attributes points and file are given, expected one of them; remove the other
nssim: error: m.xml:9: <table id="e">: has no numbers, expected points="0 0; 1 2" or file=
nssim: error: m.xml:10: <table id="sin">: attribute id: the name "sin" is the name of a function, of time t or of pi, expected another
nssim: error: m.xml:11: <table id="one">: has the name "one", which the parameter at m.xml:4 has too, expected a different name
nssim: error: m.xml:12: <table id="g">: begins with y = 1 and ends with 2, expected the same value at both ends of a period
nssim: error: m.xml:13: <table id="h">: attribute interpolation is "spline", expected one of: step linear cubic pchip
nssim: error: m.xml:14: <table id="i">: row 4 repeats the pair 1, 0 of row 3, expected each pair once
nssim: error: m.xml:15: <table id="j">: "blue" is not a unit, expected one such as m, cm, kg, N/m, rad, deg
nssim: error: m.xml:16: <table id="l">: attribute points: in "two", column 1: unknown name "two"; declare it as a <parameter>
nssim: error: m.xml:17: <table id="m">: cannot open none.csv: No such file or directory; write its path from the folder of the file that names it
nssim: error: m.xml:18: <function name="p">: in "x + y", column 5: unknown name "y"; a function may use only its arguments and parameters: pass other variables as arguments
nssim: error: m.xml:19: <function name="q">: in "q(x)", column 1: unknown function "q"
nssim: error: m.xml:20: <function name="r">: attribute of has the name "x" twice, expected different ones
nssim: error: m.xml:21: <function name="s">: attribute of is empty, expected names: names of the arguments, at most 8; write for instance of="v"
nssim: error: m.xml:22: <function name="u">: in "(x", column 3: found the end, expected an operator or the ")" for the "(" of column 1
>>

case calls-that-do-not-fit
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
<table id="quake" points="0 1; 1 2"/>
<function name="two" of="x y">x*y*quake(x)</function>
</parameters>
<systems>
<LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>quake(t, 1)</fExt></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="c" coordinates="x"><q0>0</q0><fExt>quak(t)</fExt></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="d" coordinates="x"><q0>0</q0><fExt>quake</fExt></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="e" coordinates="x"><q0>0</q0><fExt>two(t)</fExt></LagrangianLinearTIDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <fExt> of <LagrangianLinearTIDS id="b">: in "quake(t, 1)", column 1: quake takes 1 argument, found 2
nssim: error: m.xml:8: <fExt> of <LagrangianLinearTIDS id="c">: in "quak(t)", column 1: unknown function "quak", did you mean "quake"?
nssim: error: m.xml:9: <fExt> of <LagrangianLinearTIDS id="d">: in "quake", column 1: quake is a function, expected "(" after it
nssim: error: m.xml:10: <fExt> of <LagrangianLinearTIDS id="e">: in "two(t)", column 1: two takes 2 arguments, found 1
>>

# one table, several columns and units: a formula of each; bicubic of x^2 y, whose splines hold where the second derivative is none
case tables-of-several-columns-and-bicubic-ones
file a.csv <<
t,ax,ay,n
0,0,1,5
1,100,0,6
2,200,-1,7
>>
file g.csv <<
0 0 0
0 1 1
0 2 2
1 0 3
1 1 4
1 2 5
2 0 6
2 1 7
2 2 8
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
<table id="quake" file="a.csv" x="t" y="ax ay" yUnit="cm/s^2 m/s^2"/>
<table id="same" file="a.csv" y="2 3"/>
<table id="plane" file="g.csv" x="1 2" y="3" interpolation="cubic" outside="hold"/>
</parameters>
<systems><LagrangianDS id="b" coordinates="x y"><q0>0 0</q0><fInt>-quake_ax(t), -quake_ay(t)</fInt></LagrangianDS></systems>
<simulation T="2"><TimeStepping h="0.01"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
<output>
<observe id="p">plane(t, 2-t)</observe><observe id="far">plane(5, t)</observe><observe id="two">same_2(t)/100 - quake_ax(t) + same_3(t) - quake_ay(t)</observe>
</output>
</model>
>>
run nssim -q m.xml -o a.csv.out.csv
verify $CASES/measure a.csv.out.csv 'all(near(p, 3*x+2-x, 1e-12) for x, p in zip(t, c("p.value")))' 'all(near(p, 6+x, 1e-12) for x, p in zip(t, c("far.value")))' 'max(map(abs, c("two.value"))) < 1e-12' 'near(c("b.v_x")[-1], 2, 1e-9)' 'near(c("b.v_y")[-1], 0, 1e-9)'

case tables-of-several-columns-that-do-not-fit
file a.csv <<
t,ax,ay
0,0,1
1,100,0
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
<table id="a" file="a.csv" y="ax az"/>
<table id="b" file="a.csv" y="ax ay" yUnit="m/s^2 m/s^2 s"/>
<table id="c" file="a.csv" y="ay ay"/>
<table id="d" points="0 0 1; 0 1 2; 1 0 3; 1 1 4" x="1 2" interpolation="pchip"/>
</parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>1</fExt></LagrangianLinearTIDS></systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:3: <table id="a">: attribute y: "az" is not a column of a\.csv
stderr-match m\.xml:4: <table id="b">: attribute yUnit has 3 units for 2 columns
stderr-match m\.xml:5: <table id="c">: has the name "c_ay", which the table at m\.xml:5
stderr-match m\.xml:6: <table id="d">: pchip applies to functions of one argument, expected step, linear or cubic

# entries of vectors in functions, tables, sources of circuits, by an index, by a parameter, by time: the integral of the steps
case vectors-in-all-formulas
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="n" value="3"/>
  <vector name="k" values="1 2 n+1"/>
  <vector name="one" values="7"/>
  <function name="p" of="x">k[0] + k[1]*x + k[n-1]*x^2 + k[x]</function>
  <table id="f" points="0 k[0]; 1 k[1]; 2 k[2]"/>
</parameters>
<systems>
  <repeat index="i" from="0" to="n-1">
    <FirstOrderNonLinearDS id="s{i}" states="x"><x0>k[i]</x0><f>k[i] + 0*one[0*t]</f></FirstOrderNonLinearDS>
  </repeat>
  <FirstOrderNonLinearDS id="g" states="y"><x0>0</x0><f>k[floor(3*t)]</f></FirstOrderNonLinearDS>
  <FirstOrderNonLinearDS id="h" states="w"><x0>p(2)</x0><f>f(t)</f></FirstOrderNonLinearDS>
</systems>
<netlist id="c">V1 a 0 k[2*t]
R1 a 0 k[1]</netlist>
<simulation T="0.99"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed '/<netlist/,/<.netlist/d' m.xml >n.xml; sed 's/<EventDriven.*EventDriven>/<TimeStepping h="0.01"><EulerMoreauOSI\/><\/TimeStepping>/' m.xml >s.xml
run nssim -q n.xml -o a.csv && nssim -q s.xml -o b.csv && nssim -q n.xml -o c.csv -p 'k=3 3 3'
verify $CASES/measure a.csv 'near(c("g.y")[-1], 1/3 + 2/3 + 4*(0.99 - 2/3), 1e-12)' 'near(c("h.w")[-1], 1 + 4 + 16 + 4 + 0.99 + 0.99**2/2, 1e-9)' 'near(c("s2.x")[-1], 4*1.99, 1e-12)'
verify $CASES/measure b.csv 'near(c("s2.x")[-1], 4*1.99, 1e-12)' 'abs(c("g.y")[-1] - c("g.y", "a.csv")[-1]) < 0.03' 'all(near(i, 0.5 if s < 0.5 else 1, 1e-12) for i, s in zip(c("R1.i"), t) if abs(s - 0.5) > 1e-6)'
verify $CASES/measure c.csv 'near(c("g.y")[-1], 3*0.99, 1e-12)' 'near(c("s0.x")[-1], 3*1.99, 1e-12)'

case entries-that-vectors-do-not-have
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><vector name="k" values="1 2"/><function name="p" of="x">k[2]*x</function><function name="r" of="x">x</function></parameters>
<systems>
  <repeat index="i" from="0" to="2"><FirstOrderNonLinearDS id="s{i}" states="x"><x0>k[i]</x0><f>1</f></FirstOrderNonLinearDS></repeat>
  <FirstOrderNonLinearDS id="a" states="y"><x0>0</x0><f>r[t] + x[t]</f></FirstOrderNonLinearDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <function name="p">: in "k[2]*x", column 1: unknown name "k[2]"; the last entry of that <vector> is [1]
nssim: error: m.xml:4: <x0> of <FirstOrderNonLinearDS id="s2">: entry 1 is nan, expected a finite number
nssim: error: m.xml:5: <f> of <FirstOrderNonLinearDS id="a">: in "r[t] + x[t]", column 2: the subscript is not constant, expected a whole number
>>

# words that tables do not know, names that mean two things
case words-of-tables-and-names-that-mean-two-things
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <parameter name="heat" value="1"/>
  <table id="f" points="0 1; 3 4" interpolation="spline"/>
  <table id="g" points="0 1; 3 4" outside="none"/>
</parameters>
<systems>
  <LagrangianDS id="b" coordinates="x" inputs="u w"><q0>1</q0><mass>1</mass><fInt>heat*x + u + w</fInt></LagrangianDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
<output>
  <observe id="u">2*b.x</observe>
  <observe id="w" unit="N">b.w</observe>
  <integral id="heat" of="x"/>
</output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: warning: m.xml:12: <observe id="u">: an input of <LagrangianDS id="b"> has this name, too, and its formulas read the input; rename one of them
nssim: error: m.xml:4: <table id="f">: attribute interpolation is "spline", expected one of: step linear cubic pchip
nssim: error: m.xml:5: <table id="g">: attribute outside is "none", expected one of: error hold zero periodic
nssim: error: m.xml:14: <integral id="heat">: has the name of the <parameter> at m.xml:3, which formulas would read; rename one of them
>>

# an integral of multipliers can be shown, measured and read by a control; a force cannot read it
case integrals-of-multipliers-in-forces
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><table id="sum" points="0 -10; 1 -10" outside="hold"/></parameters>
<systems>
  <LagrangianLinearTIDS id="b" coordinates="x" inputs="push"><q0>0</q0><fExt>sum(t) - 5*push</fExt></LagrangianLinearTIDS>
</systems>
<interactions>
  <interaction id="ground" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction>
</interactions>
<controls><control id="c" systems="b" period="0.1" writes="push"><update>sum > 4.9999</update></control></controls>
<simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output><integral id="sum" of="lambda[0]/0.01" interaction="ground"/></output>
</model>
>>
setup sed 's/- 5.push/- 5*push - sum/' m.xml >n.xml
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'near(c("sum.value")[-1], 10 + 5*0.5, 0.2)'
verify $NSSIM check n.xml 2>err.txt; grep -q 'n.xml:11: <f> of <integral id="sum">: in "(lambda.0./0.01)", column 2: unknown name "lambda.0."; multipliers of mechanics are impulses, at impacts, too; let a <control> read their <integral> and write an input that these formulas read' err.txt

# what depends on multipliers at the same instant, in rates, blocks and integrals; where it is no right-hand side, or two relations are multiplied
case formulas-that-read-multipliers
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems>
  <netlist id="c">V1 s 0 5*sin(9*t)
D1 s a
R1 a 0 2
  </netlist>
  <netlist id="d">V1 s 0 3*cos(9*t)
D1 s a
R1 a 0 1
  </netlist>
  <FirstOrderNonLinearDS id="s" states="x"><x0>0</x0><f>HERE - x</f></FirstOrderNonLinearDS>
  <block id="b"><TransferFunction><numerator>1</numerator><denominator>0.1 1</denominator><u>c.D1.i</u></TransferFunction></block>
  <NewtonEulerDS id="n"><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0 0 0</v0><mass>1</mass><inertia>1 0 0; 0 1 0; 0 0 1</inertia><fExt>SPACE 0 0</fExt></NewtonEulerDS>
</systems>
<interactions><force id="f" systems="n"><vector>FORCE 0 0</vector></force></interactions>
<simulation T="0.2"><EventDriven h="0.02"><CVodeOSI/></EventDriven></simulation>
<output><integral id="charge" of="D1.i"/><observe id="by_hand">s.x</observe></output>
</model>
>>
setup sed -i 's/"D1.i"/"c.D1.i"/' m.xml
run for k in c.D1.i d.D1.i^2+c.D1.i+charge; do sed "s/HERE/$k/;s/SPACE/0/;s/FORCE/0/" m.xml >r.xml; nssim -q r.xml -o $k.csv; done
verify $CASES/measure c.D1.i.csv 'near(c("s.x")[-1], 2.5*(sin(1.8) - 9*cos(1.8) + 9*exp(-0.2))/82, 1e-6)'
verify for p in 'HERE c.D1.i*d.D1.i' 'SPACE c.D1.i' 'FORCE c.D1.i' 'HERE r.lambda[0]'; do set -- $p; sed "s/$1/$2/;s/HERE/0/;s/SPACE/0/;s/FORCE/0/" m.xml >r.xml; $NSSIM check r.xml 2>>err.txt; done; grep -c . err.txt; grep -q '<FirstOrderNonLinearDS id="s">: a formula multiplies multipliers of c-devices and d-devices' err.txt && grep -q '<NewtonEulerDS id="n">: a formula reads multipliers of c-devices, a body in space, whose orientation has more coordinates than velocities, expected systems with as many' err.txt && grep -q 'c.D1 depends at the same instant on multipliers .* which only netlists and right-hand sides of systems can read' err.txt && grep -q 'unknown name "r.lambda' err.txt

# a function called like an integral is no reading of it; an integral that a force reads has each column once
case columns-of-integrals-that-forces-read
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianDS id="b" coordinates="x"><q0>1</q0><mass>1</mass><fInt>x + heat</fInt></LagrangianDS></systems>
<simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
<output><integral id="heat" of="b.x"/></output>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'c("heat.value") == c("heat.integral")'
verify grep -v '^#' a.csv | head -1 | tr , '\n' | sort | uniq -d >twice.txt; test ! -s twice.txt

# numbers that blocks of signals cannot have
case signals-that-cannot-be
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="T0" value="0"/></parameters>
<systems>
  <FirstOrderNonLinearDS id="a" states="x y z"><x0>0 0 0</x0><f>pulse(t, T0, 0.1), pwm(t, -1, 0.5), sat(x, 1, T0)</f></FirstOrderNonLinearDS>
  <FirstOrderNonLinearDS id="b" states="x y z"><x0>0 0 0</x0><f>deadzone(x, -0.1), sat(x, 0, 0) + deadzone(x, 0), ramp(t, 1, 0)</f></FirstOrderNonLinearDS>
</systems>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <f> of <FirstOrderNonLinearDS id="a">: in "pulse(t, T0, 0.1)", column 1: the period of pulse is 0, expected more than 0
nssim: error: m.xml:4: <f> of <FirstOrderNonLinearDS id="a">: in "pwm(t, -1, 0.5)", column 1: the period of pwm is -1, expected more than 0
nssim: error: m.xml:4: <f> of <FirstOrderNonLinearDS id="a">: in "sat(x, 1, T0)", column 1: sat has the bounds 1 and 0, expected the lower one first
nssim: error: m.xml:5: <f> of <FirstOrderNonLinearDS id="b">: in "deadzone(x, -0.1)", column 1: the half width of deadzone is -0.1, expected 0 or more
>>

case memories-of-any-event
# two memories that reset each other would never end; corners of formulas are events of the integration alone
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="b" coordinates="x"><q0>1</q0><mass>1</mass><fExt>-9.81 + if(a > 10, 1, 0) + if(c > 10, 1, 0) + if(u > 10, 1, 0) + 1e-9*abs(sin(20*t))</fExt></LagrangianDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.8"/></interaction></interactions>
  <events><event id="kick" at="0.5 1.2"><set name="b.v_x" value="b.v_x"/></event></events>
  <output><memory id="a" event="any" give="count"/><memory id="c" event="any" give="count"/><memory id="u" event="user" give="count"/></output>
  <measures><measure id="k" kind="count" event="any"/><measure id="n" kind="count" event="impact"/></measures>
  <simulation T="2"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'len(events("formula")) > 3' 'c("a.count")[-1] == len(events("impact")) + 2' 'c("c.count")[-1] == c("a.count")[-1]' 'c("u.count")[-1] == 2'
verify python3 -c "import json; m = json.load(open('a.json'))['measures']; assert m['k']['value'] == m['n']['value'] + 2, m"

# formulas of a memory that the dynamics read are of the interaction that it names, by events, too: the second system, whose states a formula may call q[0]
case memories-of-an-interaction-by-events
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems>
  <LagrangianDS id="b" coordinates="x"><q0>1</q0><mass>1</mass><fInt>9.81 - 0*passed - 0*sum - 0*far</fInt></LagrangianDS>
  <LagrangianDS id="d" coordinates="x"><q0>4</q0><v0>-1</v0><mass>1</mass><fInt>0</fInt></LagrangianDS>
</systems>
<interactions>
  <interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction>
  <interaction id="k" systems="d"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction>
</interactions>
<simulation T="3"><EventDriven h="0.05"><CVodeOSI/></EventDriven></simulation>
<output>
  <memory id="passed" when="q[0] &lt; 2.5" interaction="k" give="time"/>
  <memory id="sum" when="x &lt; 2" of="3*x + v[0]" interaction="k"/>
  <memory id="far" when="x &lt; 2" of="3*x + v[0]" systems="d" give="last"/>
</output>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'near(c("passed.value")[-1], 1.5, 1e-9) and near(c("sum.value")[-1], 5, 1e-8) and near(c("far.value")[-1], 5, 1e-8)'
verify $CASES/measure a.csv 'near(c("passed.held_time")[-1], 1.5, 1e-9) and near(c("sum.held_value")[-1], 5, 1e-8) and near(c("far.held_value")[-1], 5, 1e-8)'

# both arguments of a table in units of their own: the same numbers as in SI; what does not fit them is told
case units-of-two-arguments
file g.csv <<
w,th,M
0,0,2
0,180,362
50,0,102
50,180,9000
100,0,202
100,180,36362
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="L" value="0.25" unit="m"/><parameter name="w" value="45" unit="degree/s"/><parameter name="v" value="0.5" unit="m/s"/>
<table id="f" file="g.csv" x="w th" y="M" xUnit="cm degree" yUnit="kN"/>
<table id="same" file="g.csv" x="1 2" y="3"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x" units="m"><q0>0</q0><mass>1</mass><fExt>f(L, w*t)</fExt></LagrangianLinearTIDS></systems>
<output><observe id="d">f(L + v*t, w*t) - 1000*same(25 + 50*t, 45*t)</observe></output>
<simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
setup sed 's/f(L, w.t)</f(L, w)</' m.xml >n.xml; sed 's/cm degree/cm degree s/' m.xml >o.xml
run nssim -q m.xml -o a.csv; nssim check n.xml >/dev/null; nssim check o.xml
exit 65
stderr <<
nssim: warning: n.xml:5: <fExt> of <LagrangianLinearTIDS id="b">: units: in "f(L, w)", the argument of the table f is 1/s, expected 1
nssim: error: o.xml:3: <table id="f">: attribute xUnit has 3 units for two arguments, expected one for both, or one for each; N*m, not N m
>>
verify $CASES/measure a.csv 'max(map(abs, c("d.value"))) < 1e-6' 'near(c("b.v_x")[-1], 1000*(52 + (4681 - 52)/8), 1e-6)'

# An integral or memory that a measure, an event or another of them reads is known at every moment of an event-driven run, however long
# its steps are, and is what it would be with an observable in between: j = sin(2 t)/2
# until the body stops.
case what-is-read-between-steps-is-a-state
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><v0>1</v0><mass>1</mass></LagrangianLinearTIDS></systems>
<simulation T="3"><EventDriven h="H"><CVodeOSI/></EventDriven></simulation>
<output>
  <integral id="j" of="cos(2*x)"/><integral id="twice" of="j"/><observe id="o">2*j</observe><integral id="over" of="o"/>
  <memory id="n" when="x > 1.234" give="count"/><memory id="since" when="x > 1.234"/><integral id="waited" of="since"/>
  <memory id="late" when="j &lt; -0.25" give="time"/><memory id="later" when="since > 0.5 &amp;&amp; x > 1.3" give="time"/>
</output>
<measures>
  <measure id="most" kind="max">j</measure><measure id="rms" kind="rms">j</measure><measure id="mean" kind="mean">n</measure>
  <measure id="half" kind="first" when="j > 0.25"/><measure id="last" kind="final">twice</measure>
</measures>
<events><event id="stop" when="since > 1.5 &amp;&amp; x > 1.3"><set name="b.v_x" value="0"/></event></events>
</model>
>>
setup for h in 3 1 0.1; do sed "s/\"H\"/\"$h\"/" m.xml >m$h.xml; done
run for h in 3 1 0.1; do nssim -q m$h.xml -o m$h.csv || exit; done
file check.py <<
import csv, json, math
end = 1.234 + 1.5                                   # where the event stops it: x = t until then
A, C, d = math.sin(2*end)/2, math.cos(2*end), 3 - end  # j = A + C (t - end) from then on
for h in ('3', '1', '0.1'):
    m = {k: v['value'] for k, v in json.load(open('m%s.json' % h))['measures'].items()}
    row = list(csv.DictReader(open('m%s.csv' % h)))[-1]
    twice = (1 - math.cos(2*end))/4 + A*d + C*d*d/2
    square = (end/2 - math.sin(4*end)/8)/4 + A*A*d + A*C*d*d + C*C*d**3/3
    want = {'j': A + C*d, 'most': 0.5, 'mean': (3 - 1.234)/3, 'half': math.pi/12, 'waited': 1.234**2/2 + (3 - 1.234)**2/2,
            'twice': twice, 'last': twice, 'over': 2*twice, 'rms': math.sqrt(square/3)}
    for k, v in want.items():
        assert abs(m[k] - v) < 1e-8, (h, k, m[k], v)
    for k, v in {'b.x': end, 'late.value': 7*math.pi/12, 'later.value': 1.734, 'since.value': 3 - 1.234}.items():
        assert abs(float(row[k]) - v) < 1e-8, (h, k, row[k], v)
>>
verify python3 check.py

# An integral of contact forces is no state: an event finds the moment at which it is 5 N s, 0.5 s; measures and other integrals are told.
case integrals-of-contact-forces-between-steps
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><mass>1</mass><fExt>-10</fExt></LagrangianLinearTIDS></systems>
<interactions><interaction id="ground" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0"/></interaction></interactions>
<simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
<output>
<integral id="sum" of="lambda[0]" interaction="ground"/><observe id="twice">2*sum</observe>
</output>
<events><event id="e" when="sum > 5"/></events>
</model>
>>
setup sed 's|^</output>|<integral id="s" of="twice"/>&<measures><measure id="k" kind="max">sum</measure><measure id="l" kind="final">sum</measure></measures>|' m.xml >n.xml
run nssim -q m.xml -o m.csv && nssim check n.xml
exit 65
stderr <<
nssim: error: n.xml:7: <measure id="k">: reads the integral sum of multipliers of mechanics, or of a force between bodies, which is known only at the ends of steps, expected an integral of states; let a <control> read it and write an input, and read that input
>>
verify $CASES/measure m.csv 'near(events("user")[0]["time"], 0.5, 1e-9)'

# A name that two columns have says neither; the mark by which spreadsheets begin a text is no part of the first name.
case columns-of-one-name-and-a-mark
file twice.csv <<
t,y,t
0,1,5
1,2,6
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><table id="a" file="twice.csv" x="t" y="y"/><table id="b" file="twice.csv" x="3" y="y"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><fExt>b(t + 5)</fExt></LagrangianLinearTIDS></systems>
<simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup sed 's/ x="t"//' m.xml >n.xml; printf '\357\273\277t,y\n0,1\n1,2\n' >mark.csv; sed 's/<table id="b".*\/>/<table id="b" file="mark.csv" x="t" y="y" outside="hold"\/>/; s/ x="t" y="y"/ x="1" y="2"/' m.xml >k.xml; sed -i 's/ y="2"\/>/ y="y"\/>/' k.xml
run nssim check n.xml >/dev/null && nssim check k.xml >/dev/null && nssim info mark.csv | grep -c '^    t ' && nssim check m.xml
exit 65
stdout <<
1
>>
stderr <<
nssim: error: m.xml:2: <table id="a">: attribute x: several columns of twice.csv are called "t", expected one; give its number, 1 to 3
>>

# A table that says nothing of what is outside of its rows ends a run that reads it there in an output, an event or a control, too; a quotient
# of zeros is recorded as what it is.
case beyond-the-rows-in-what-is-shown
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><table id="f" points="0 0; 0.5 1"/></parameters>
<systems><FirstOrderNonLinearDS id="s" states="x"><x0>0</x0><f>1</f></FirstOrderNonLinearDS></systems>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
<output>
<observe id="none">(x - t)/(x - t)</observe>
</output>
</model>
>>
run nssim -q m.xml -o m.csv && for w in '<observe id="o">f(2*x)</observe>' '<integral id="i" of="f(2*x)"/>' '<memory id="k" when="f(2*x) > 0.2"/>' '<memory id="k" when="x > 0.35" of="f(2*x)"/>' '<observe id="o">if(x \&lt; 0.25, f(2*x), 1)</observe>' 'measure' 'event'; do sed "s|^<.output>|$w&|" m.xml >n.xml; [ "$w" = measure ] && sed 's|^<.model>|<measures><measure id="k" kind="max">f(2*x)</measure></measures>&|' m.xml >n.xml; [ "$w" = event ] && sed 's|^<.model>|<events><event id="k" when="f(2*x) > 2"><set name="s.x" value="0"/></event></events>&|' m.xml >n.xml; sed 's|<Time.*Stepping>|<EventDriven h="0.1"><CVodeOSI/></EventDriven>|' n.xml >e.xml; nssim -q n.xml -o n.csv; echo $?; nssim -q e.xml -o e.csv; echo $?; done
stdout <<
70
70
70
70
70
70
70
70
0
0
70
70
70
70
>>
stderr-match n\.xml:7: <observe id="o">: its formula is not a number at t = 0\.3 s: f\(x\*2\), outside of its rows, is nan; the last good state is kept; give the table rows there, or outside="hold"
stderr-match n\.xml:7: <memory id="k">: its formula is not a number at t = 0\.3 s
stderr-match e\.xml:.*: <event id="k">: its formula is not a number

# words of other languages, and elements that formulas cannot read from where they stand
case advice-for-names-and-words
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><function name="f" of="v">g(v)</function><function name="g" of="v">v</function></parameters>
<systems><FirstOrderNonLinearDS id="s" states="x" inputs="u"><x0>0</x0><f>u</f></FirstOrderNonLinearDS></systems>
<controls><control id="c" systems="s" writes="w"><update>1</update></control></controls>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
<output>
<integral id="i" of="i"/>
<integral id="a" of="x + b"/>
<integral id="b" of="if(x > 1 and x &lt; 2, 1, 0)"/>
<memory id="k" when="x > 1 or x &lt; 2"/>
</output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <function name="f">: in "g(v)", column 1: unknown function "g"; it is declared after this function: move it before it
nssim: error: m.xml:4: <control id="c">: attribute writes: in "w", column 1: unknown name "w"; name it in inputs= of one of its systems
nssim: error: m.xml:7: <integral id="i">: attribute of: in "i", column 1: unknown name "i"; it cannot read itself: write its rate as a first-order system
nssim: error: m.xml:8: <integral id="a">: attribute of: in "x + b", column 5: unknown name "b"; it comes after this element: formulas of <output> can read only elements before them; move it up
nssim: error: m.xml:9: <integral id="b">: attribute of: in "if(x > 1 and x < 2, 1, 0)", column 10: found "and", write &&
nssim: error: m.xml:10: <memory id="k">: attribute when: in "x > 1 or x < 2", column 7: found "or", write ||
>>
