# SPDX-License-Identifier: GPL-3.0-or-later
# What check says of a model that can run, and sentences of the loader that name what was meant.

case a-command-that-nothing-reads
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="mass" states="x v" inputs="u w memory shown"><x0>10 0</x0><A>0 1; 0 0</A><b>0 w</b></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="pid" systems="mass" period="0.05" writes="u"><PID Kp="0.25" Ki="0.1" Kd="2"><y>x</y></PID></control>
    <control id="c" systems="mass" period="0.05" writes="w memory"><update>-x - memory, x</update></control>
    <control id="s" systems="mass" period="0.05" writes="shown"><update>2*x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.05"><ZeroOrderHoldOSI/></TimeStepping></simulation>
  <output><observe id="twice">shown</observe></output>
</model>
>>
run nssim check m.xml
stdout-match ^good, with 1 warning
stderr-match ^nssim: warning: m\.xml:6: <control id="pid">: writes u, which nothing reads
stderr-not writes (w|memory|shown)

case models-that-read-their-commands
run for m in pid observer twisting sliding-mode-implicit sliding-mode-explicit thermostat; do nssim check $MODELS/$m/$m.xml; done
stderr-not nothing reads

case steps-that-do-not-fit
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="h" value="0.1"/><parameter name="t0" value="0"/><parameter name="T" value="10"/></parameters>
  <systems><LagrangianDS id="a" coordinates="x"><q0>1</q0></LagrangianDS></systems>
  <simulation t0="t0" T="T">
    <TimeStepping h="h"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml -q; for a in h=1e300 h=1e8 h=0.3 t0=1e16,T=1.0000000000001e16,h=0.005 T=1e12,h=1e-3; do echo $a; nssim check m.xml -p $(echo $a | sed 's/,/ -p /g') 2>&1 | grep -E '(warning|error):|^good' | sed 's/.*simulation>: //'; done
stdout-match the step h is 1e\+300 s, but T - t0 is 10 s, expected a step that is not longer
stdout-match the step h is 1e\+08 s, but T - t0 is 10 s
stdout-match T - t0 = 10 s is not a whole number of steps of h = 0\.3 s: the run ends at t = 10\.2 s
stdout-match the step h is 0\.005 s, but times near 1e\+16 s are at least .* t would not advance

case all-options-in-force
run nssim check $MODELS/bouncing-ball/bouncing-ball.xml; nssim check $MODELS/bouncing-ball/bouncing-ball.xml --json > c.json
stdout-match ^ +TimeStepping h = 0\.005, newtonTolerance = \S+, newtonRelativeTolerance = \S+, newtonMaxIterations = 50, newtonOption = nonlinear, newtonCriterion = scaled
stdout-match ^ +MoreauJeanOSI theta = 0\.5, gamma = 0\.5, massGamma = 0\.5, rowsGamma = \(theta\), activationThreshold = 0, velocityThreshold = none
stdout-match ^ +LCP solver = auto, tolerance =
verify python3 -c 'import json; o = json.load(open("c.json"))["simulation"]["options"]; assert o["MoreauJeanOSI.gamma"] == "0.5" and o["TimeStepping.newtonCriterion"] == "scaled", o'

# each attribute that the language table gives to an element of the simulation is shown
case no-option-of-the-language-is-left-out
file all.py <<
import json, re, subprocess
out = lambda *a: subprocess.run(a, capture_output=True, text=True, check=True).stdout
seen = json.load(open("c.json"))["simulation"]["options"]
for element in "TimeStepping", "MoreauJeanOSI", "LCP":
    text = out("nssim", "explain", element)
    section = text[text.lower().index("attributes"):]
    names = re.findall(r"^  (\w+)\b", section.split("\n\n")[0], re.M)
    assert names, text
    for name in names:
        assert element + "." + name in seen, (element, name)
>>
run nssim check $MODELS/bouncing-ball/bouncing-ball.xml --json > c.json
verify python3 all.py

case a-system-that-is-not-among-those-of-the-interaction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="ball" coordinates="x"><q0>1</q0></LagrangianDS>
    <LagrangianDS id="plane" coordinates="x"><q0>0</q0><mass>1 + ball.x^2</mass></LagrangianDS>
  </systems>
  <interactions><interaction id="k" systems="ball"><LagrangianScleronomousR><h>x - plane.x</h></LagrangianScleronomousR><NewtonImpactNSL e="0"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:6: <h> of <LagrangianScleronomousR>: .*unknown name "plane\.x"; plane is a system of the model, but not among those here: add it to systems=
stderr-match m\.xml:4: <mass>.*unknown name "ball\.x"; ball is another system
stderr-not declare it

case a-name-that-was-shortened
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><NewtonEulerDS id="b"><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS></systems>
  <interactions>
    <interaction id="k" systems="b"><KneeJointR point="0 0 0"/><EqualityNSL/></interaction>
    <interaction id="l" systems="b"><KneeJointR point="0 0 0"/><Widget/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match ^nssim: error: m\.xml:4: unknown element <EqualityNSL> in <interaction>, did you mean <EqualityConditionNSL>\?
stderr-match ^nssim: error: m\.xml:5: <Widget> is not allowed in <interaction>, expected a law \(<NewtonImpactNSL>, .*<EqualityConditionNSL>

case a-record-that-matches-nothing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="a" coordinates="x"><q0>1</q0></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <output>
    <record select="false"/>
  </output>
</model>
>>
run nssim m.xml -o out.csv; echo $?; nssim check m.xml; echo $?; nssim -q m.xml --record a.q; echo $?; nssim m.xml --record nothing
exit 2
stdout <<
65
65
0
>>
stderr-match ^nssim: error: m\.xml:5: <record>: record "false" matches no quantity

case what-is-no-model-ends-soon
timeout 20
file make.py <<
open("attributes.xml", "w").write('<model xmlns="urn:nssim:model:1" ' + ' '.join('a%d="1"' % i for i in range(50000)) + '><systems/></model>')
open("elements.xml", "w").write('<model xmlns="urn:nssim:model:1">\n' + '\n'.join('<foo%d/>' % i for i in range(200000)) + '\n</model>')
open("same.xml", "w").write('<model xmlns="urn:nssim:model:1">\n' + '\n'.join('<foo/>' for i in range(200000)) + '\n</model>')
>>
setup python3 make.py
run for f in attributes elements same; do nssim check $f.xml; done
exit 65
stderr-match ^nssim: error: attributes\.xml:1: an element has more than 256 attributes, expected a model
stderr-match ^nssim: error: elements\.xml:\d+: the document has more than 20000 different names of elements and attributes

# An event-driven run ends at T, whatever its grid.
case the-last-row-of-an-event-driven-run
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><v0>2</v0></LagrangianLinearTIDS></systems>
<simulation T="1"><EventDriven h="0.3"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv && nssim check m.xml >/dev/null
verify $CASES/measure a.csv 't[-1] == 1' 'near(c("b.x")[-1], 2, 1e-12)'
stderr <<
>>
