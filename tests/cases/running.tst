# SPDX-License-Identifier: GPL-3.0-or-later
# Running integrals and memory of moments: recorded, and in formulas of the run.

# The integral of a velocity is the way, in each row, before and after impacts; of what it is the integral of itself twice; by steps to
# rounding, event-driven to its tolerances.
case the-integral-of-a-velocity-is-the-way
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x" inputs="u"><q0>1</q0><v0>0.3</v0><fExt>-9.81</fExt></LagrangianLinearTIDS></systems>
<interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.8"/></interaction></interactions>
<simulation T="2"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
<output>
  <observe id="speed" unit="m/s">x - x + v_x</observe>
  <integral id="way" of="speed" unit="m"/>
  <integral id="cube" of="3*t^2" from="0.5" until="1.5"/>
  <integral id="twice" of="way"/>
  <integral id="direct" of="x - 1"/>
  <memory id="since" event="impact"/>
  <memory id="hits" event="impact" interaction="g" give="count"/>
  <memory id="at" event="impact" give="time"/>
  <memory id="tops" when="v_x &lt; 0" give="count"/>
</output>
<measures><measure id="n" kind="count" event="impact"/><measure id="top" kind="max">way.value</measure></measures>
</model>
>>
setup sed 's/<TimeStepping.*TimeStepping>/<EventDriven h="0.001"><CVodeOSI\/><\/EventDriven>/' m.xml >e.xml
run nssim -q m.xml -o a.csv && nssim -q e.xml -o b.csv && nssim -q m.xml -o a.h5 && nssim info a.h5 --print hits.value | tail -1
verify $CASES/measure a.csv 'max(abs(w - (x - 1)) for w, x in zip(c("way.value"), c("b.x"))) < 1e-12' 'c("cube.value")[499] == 0 and near(c("cube.value")[-1], 1.5**3 - 0.5**3, 1e-5) and c("cube.value")[-1] == c("cube.value")[1501]' 'max(abs(a - b) for a, b in zip(c("twice.value"), c("direct.value"))) < 1e-12' 'c("hits.value")[-1] == len(events("impact"))' 'all(abs(s - (u - (a if n else 0))) < 1e-12 for s, u, a, n in zip(c("since.value"), t, c("at.value"), c("hits.value")))' 'near(c("at.value")[-1], events("impact")[-1]["time"], 1e-12)'
verify $CASES/measure b.csv 'max(abs(w - (x - 1)) for w, x in zip(c("way.value"), c("b.x"))) < 1e-6' 'near(c("cube.value")[-1], 1.5**3 - 0.5**3, 1e-6)' 'c("hits.value")[-1] == len(events("impact"))' 'near(c("since.value")[-1], 2 - events("impact")[-1]["time"], 1e-12)'

# A fuse: the run ends when the heat reaches a bound.
case an-event-at-a-bound-of-an-integral
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0><v0>2</v0></LagrangianLinearTIDS></systems>
<simulation T="2"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
<output><integral id="heat" of="x*v_x"/><memory id="since" when="x > 0.7"/></output>
<events><stop id="blown" when="heat > 0.5"/></events>
</model>
>>
setup sed 's/<EventDriven.*EventDriven>/<TimeStepping h="1e-4"><MoreauJeanOSI\/><\/TimeStepping>/' m.xml >s.xml
run nssim -q m.xml -o a.csv; nssim -q s.xml -o b.csv
verify $CASES/measure a.csv 'near(t[-1], 0.5, 1e-5)' 'near(c("since.value")[-1], 0.5 - 0.35, 1e-5)'
verify $CASES/measure b.csv 'near(t[-1], 0.5, 2e-4)' 'near(c("since.value")[-1], 0.5 - 0.35, 2e-4)'

case a-run-that-goes-on-has-the-same-integral
copy cli/ball.xml
setup sed -i 's|</model>|<output><integral id="way" of="v_x"/><memory id="n" event="impact" give="count"/></output></model>|' ball.xml
run nssim -q ball.xml -o a.csv; nssim -q ball.xml -o b.csv --resume auto --max-steps 777; nssim -q ball.xml -o b.csv --resume auto; cmp a.csv b.csv && echo same
stdout <<
same
>>
stderr-match stopped after 777 steps

case running-numbers-that-are-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0></LagrangianLinearTIDS></systems>
<simulation T="2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output>
  <integral id="a"/>
  <integral id="c" of="y"/>
  <integral id="b" of="x"/>
  <integral id="d" of="x" from="2" until="1"/>
  <memory id="e"/>
  <memory id="f" when="x > 1" event="impact"/>
  <memory id="h" event="impakt"/>
  <memory id="i" when="x > 1" give="often"/>
  <integral id="j" of="later"/>
  <observe id="later">x</observe>
</output>
</model>
>>
run nssim check m.xml
exit 65
stdout <<
>>
stderr <<
nssim: error: m.xml:5: <integral id="a">: attribute of is missing, expected a number: a formula, with the variables of <observe>; write for instance of="x^2"
nssim: error: m.xml:6: <integral id="c">: attribute of: in "y", column 1: unknown name "y"; declare it as a <parameter>
nssim: error: m.xml:7: <integral id="b">: this id is already used (first at m.xml:2), expected a new one; rename one of them
nssim: error: m.xml:8: <integral id="d">: attribute until is 1, expected a time after from, which is 2
nssim: error: m.xml:9: <memory id="e">: has none of when= and event=, expected one of them
nssim: error: m.xml:10: <memory id="f">: has both of when= and event=, expected one of them
nssim: error: m.xml:11: <memory id="h">: attribute event: unknown event impakt, did you mean impact?
nssim: error: m.xml:12: <memory id="i">: attribute give is "often", expected one of: since count time sum last
nssim: error: m.xml:13: <integral id="j">: attribute of: in "later", column 1: unknown name "later"; it comes after this element: formulas of <output> can read only elements before them; move it up
>>

# Sums over events: random balls, energy is what they were given minus what impacts took; in tables of sweeps, the same by -p.
case a-sum-over-impacts-is-the-energy-lost
file random.py <<
import csv, json, os, random, subprocess
random.seed(11)
nssim = os.environ["NSSIM"]
MODEL = """<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="e" value="0.8"/><parameter name="m" value="1" unit="kg"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x"><mass>m</mass><q0>%r</q0><v0>%r</v0><fExt>-9.81*m</fExt></LagrangianLinearTIDS></systems>
<interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="e"/></interaction></interactions>
<simulation T="%r">%s</simulation>
<output><memory id="lost" event="impact" of="event.energy_lost" unit="J"/><memory id="big" event="impact" of="event.impulse" give="last"/></output>
<measures><measure id="energy" kind="final" unit="J">m*v_x^2/2 + 9.81*m*x</measure><measure id="same" kind="sum" event="impact">event.energy_lost</measure></measures>
</model>"""
STEPS = '<TimeStepping h="1e-4"><MoreauJeanOSI theta="0.5"/></TimeStepping>'
EVENTS = '<EventDriven h="0.1"><CVodeOSI relativeTolerance="1e-11" absoluteTolerance="1e-12"/></EventDriven>'
def measures(*args):
    text = subprocess.run([nssim, "-q", "m.xml", "--json", *args], check=True, capture_output=True, text=True).stdout
    return {k: v["value"] for k, v in json.loads(text)["measures"].items()}
for i in range(6):
    x, v, e, m = random.uniform(0.3, 2), random.uniform(-1, 1), random.uniform(0.3, 0.95), random.uniform(0.1, 9)
    u = (v*v + 2*9.81*x)**0.5 / 9.81
    open("m.xml", "w").write(MODEL % (x, v, v/9.81 + u + u*e*(2 + e), EVENTS if i % 2 else STEPS)) # two impacts
    M = measures("-p", f"e={e!r}", "-p", f"m={m!r}")
    start = m*v*v/2 + 9.81*m*x
    assert abs(start - M["energy"] - M["lost"]) < 1e-9*start, (M, start)
    assert M["lost"] == M["same"] and M["lost"] > 0 and M["big"] > 0
    open("s.xml", "w").write('<study xmlns="urn:nssim:model:1" model="m.xml"><grid><list name="e" values="0.5 %r"/><list name="m" values="%r"/></grid></study>' % (e, m))
    subprocess.run([nssim, "sweep", "-q", "s.xml", "-o", f"t{i}"], check=True)
    rows = list(csv.DictReader(open(f"t{i}/measures.csv")))
    row = [r for r in rows if float(r["e"]) == e][0]
    assert float(row["lost"]) == M["lost"], row
print("same")
>>
run python3 random.py
stdout <<
same
>>

# Each run of a sweep makes its model anew, with systems that name each other, integrals, blocks and a netlist.
case sweeps-of-systems-that-name-each-other
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="R" value="2"/></parameters>
<systems><netlist id="n"> V1 s 0 12
 R1 s a {R}
 L1 a b 0.1
 V2 b 0 0.5*rotor.v_phi </netlist>
<LagrangianLinearTIDS id="rotor" coordinates="phi"><q0>0</q0><mass>0.1</mass><fExt>0.5*n.i_L1 + 0.1*f + 0.01*heat</fExt></LagrangianLinearTIDS>
<block id="f"><TransferFunction><numerator>1</numerator><denominator>1 1</denominator><u>rotor.v_phi</u></TransferFunction></block>
</systems>
<simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/><EulerMoreauOSI theta="0.5"/></TimeStepping></simulation>
<output><integral id="heat" of="R*n.i_L1^2"/></output>
<measures><measure id="w" kind="final">rotor.v_phi</measure><measure id="i" kind="final">n.i_L1</measure><measure id="e" kind="mean">R1.v</measure></measures>
</model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml"><grid><list name="R" values="1 2 3 4"/></grid></study>
>>
file same.py <<
import csv, json, os, subprocess
for jobs in ("1", "2"):
    subprocess.run([os.environ["NSSIM"], "sweep", "-q", "-j", jobs, "s.xml", "-o", "t" + jobs], check=True)
    for row in csv.DictReader(open(f"t{jobs}/measures.csv")):
        text = subprocess.run([os.environ["NSSIM"], "-q", "m.xml", "--json", "-p", "R=" + row["R"]], check=True, capture_output=True, text=True).stdout
        for name, m in json.loads(text)["measures"].items():
            assert float(row[name]) == m["value"], (row, name, m)
print("same")
>>
run python3 same.py
stdout <<
same
>>

case sums-that-are-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>0</q0></LagrangianLinearTIDS></systems>
<simulation T="2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output>
  <memory id="e" event="impact" give="sum"/>
  <memory id="f" when="x > 1" of="event.impulse"/>
  <memory id="g" event="impact" of="event.work"/>
  <memory id="h" event="impact" of="x" give="count"/>
  <memory id="i" event="impact" unit="J"/>
  <memory id="j" event="impact" of="y"/>
  <memory id="k" event="impact" of="x" give="total"/>
  <observe id="o">event.impulse</observe>
  <integral id="p" of="event.energy_lost"/>
</output>
<measures>
  <measure id="q" kind="sum">x</measure>
  <measure id="r" kind="sum" event="impact"/>
  <measure id="s" kind="sum" event="impact" keep="3">x</measure>
  <measure id="t" kind="max">event.impulse</measure>
</measures>
</model>
>>
run nssim check m.xml
exit 65
stdout <<
>>
stderr <<
nssim: error: m.xml:5: <memory id="e">: has give="sum" without a formula, expected of="...", the quantity at each event
nssim: error: m.xml:6: <memory id="f">: attribute of: in "event.impulse", column 1: unknown name "event.impulse"; numbers of an event are known in the formula of a <memory> or <measure> with event=
nssim: error: m.xml:7: <memory id="g">: attribute of: in "event.work", column 1: unknown name "event.work"; an event has impulse, energy_lost, velocity_before and velocity_after
nssim: error: m.xml:8: <memory id="h">: has the formula of="x", which give="count" does not read, expected give="sum" or give="last"; remove one of them
nssim: error: m.xml:9: <memory id="i">: has attribute unit, which applies to the formula of=, expected none with give="since"; remove it
nssim: error: m.xml:10: <memory id="j">: attribute of: in "y", column 1: unknown name "y"; declare it as a <parameter>
nssim: error: m.xml:11: <memory id="k">: attribute give is "total", expected one of: since count time sum last
nssim: error: m.xml:12: <observe id="o">: in "event.impulse", column 1: unknown name "event.impulse"; numbers of an event are known in the formula of a <memory> or <measure> with event=
nssim: error: m.xml:13: <integral id="p">: attribute of: in "event.energy_lost", column 1: unknown name "event.energy_lost"; numbers of an event are known in the formula of a <memory> or <measure> with event=
nssim: error: m.xml:16: <measure id="q">: has none of when= and event=, expected one of them for kind="sum" (sum of values at events, or at instants at which a condition became true)
nssim: error: m.xml:17: <measure id="r">: is empty, expected a formula for kind="sum" (sum of values at events, or at instants at which a condition became true), such as x^2
nssim: error: m.xml:18: <measure id="s">: attribute keep does not apply to kind="sum" (sum of values at events, or at instants at which a condition became true), expected none; remove it or use another kind
nssim: error: m.xml:19: <measure id="t">: in "event.impulse", column 1: unknown name "event.impulse"; numbers of an event are known in the formula of a <memory> or <measure> with event=
>>

case units-of-sums
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="k" value="2" unit="N s"/></parameters>
<systems><LagrangianLinearTIDS id="b" coordinates="x" units="m"><q0>1</q0><mass>1</mass><fExt>-9</fExt></LagrangianLinearTIDS></systems>
<interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.8"/></interaction></interactions>
<simulation T="2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output>
  <memory id="e" event="impact" of="event.energy_lost" unit="N s"/>
  <memory id="f" event="impact" of="event.energy_lost + k"/>
  <memory id="h" event="impact" of="event.energy_lost" unit="J"/>
</output>
<measures><measure id="q" kind="sum" event="impact" unit="m">event.energy_lost</measure></measures>
</model>
>>
run nssim check m.xml >/dev/null
stderr <<
nssim: warning: m.xml:7: <memory id="e">: attribute of: units: in "event.energy_lost", it is J, expected kg m/s
nssim: warning: m.xml:8: <memory id="f">: attribute of: units: in "event.energy_lost + k", J and kg m/s are added or subtracted
nssim: warning: m.xml:11: <measure id="q">: units: in "event.energy_lost", it is J, expected m
>>

# ---- vectors of constants

case vectors-are-numbers-one-after-the-other
file random.py <<
import random, subprocess, os
random.seed(3)
for case in range(8):
    n = random.randint(1, 12)
    v = [round(random.uniform(0.5, 9), 3) for _ in range(n)]
    i, j = random.randrange(n), random.randrange(n)
    head = '<model xmlns="urn:nssim:model:1" name="m">\n<parameters>%s</parameters>\n<systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1</q0><mass>%s</mass><K>%s</K></LagrangianLinearTIDS></systems>\n<simulation T="0.3"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>\n</model>\n'
    sep = random.choice((" ", ", ", "\n "))
    a = '<parameter name="two" value="k[%d]*2"/><vector name="m" values="k[0] two k[%d]/1000"/><vector name="k" values="%s" unit="kN/m"/>' % (i, j, sep.join(map(repr, v)))
    b = '<parameter name="m2" value="%r"/><parameter name="k" value="%r" unit="kN/m"/>' % (v[j], v[i])
    open("a.xml", "w").write(head % (a, "m[2]", "two"))
    open("b.xml", "w").write(head % (b, "m2", "2*k"))
    open("c.xml", "w").write(head % (a.replace(sep.join(map(repr, v)), "7"), "m[2]", "two"))
    for x in "ab": subprocess.run([os.environ["NSSIM"], "-q", x + ".xml", "-o", x + ".csv"], check=True)
    subprocess.run([os.environ["NSSIM"], "-q", "c.xml", "-p", "k=" + " ".join(map(repr, v)), "-o", "c.csv"], check=n > max(i, j))
    assert open("a.csv").read() == open("c.csv").read()
    rows = [[[float(y) for y in line.split(",")[:2]] for line in open(x + ".csv").read().split("\n")[1:] if line] for x in "ab"]
    assert max(abs(p[1] - q[1]) for p, q in zip(*rows)) < 1e-9
print("same")
>>
run python3 random.py && nssim check a.xml | grep -c 'k\[0\]'
stdout <<
same
1
>>

case vectors-that-are-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters>
  <vector name="k" values="1 2 3"/>
  <parameter name="a" value="k"/>
  <parameter name="b" value="k[3]"/>
  <vector name="c" values="d[0] 1"/>
  <vector name="d" values="1 c[1]"/>
  <vector name="e" values="1 2; 3 4"/>
  <vector name="f" values="1 x"/>
  <vector name="g" values=""/>
  <vector name="k" values="1"/>
</parameters>
<systems><LagrangianLinearTIDS id="b1" coordinates="x"><q0>h[0]</q0></LagrangianLinearTIDS></systems>
<simulation T="2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml; nssim check m.xml -p "k=1 y"
exit 65
stdout <<
>>
stderr <<
nssim: error: m.xml:4: <parameter name="a">: attribute value: in "k", column 1: unknown name "k"; it is a <vector>: write k[0]
nssim: error: m.xml:5: <parameter name="b">: attribute value: in "k[3]", column 1: unknown name "k[3]"; the last entry of that <vector> is [2]
nssim: error: m.xml:6: <vector>: parameters have a circular dependency: c -> d -> c; replace one of them by a number
nssim: error: m.xml:8: <vector>: attribute values has 2 rows, expected numbers separated by white space or commas
nssim: error: m.xml:9: <vector>: attribute values: in "x", column 1: unknown name "x"; declare it as a <parameter>
nssim: error: m.xml:10: <vector>: attribute values is empty, expected a text: expressions separated by white space or commas; write for instance values="1 2 3"
nssim: error: m.xml:11: <vector>: is the second parameter of this name (first at m.xml:3), expected one; rename one
nssim: error: m.xml:13: <q0> of <LagrangianLinearTIDS id="b1">: in "h[0]", column 1: unknown name "h[0]"; declare it as a <parameter>
nssim: error: m.xml:4: <parameter name="a">: attribute value: in "k", column 1: unknown name "k"; it is a <vector>: write k[0]
nssim: error: m.xml:5: <parameter name="b">: attribute value: in "k[3]", column 1: unknown name "k[3]"; the last entry of that <vector> is [0]
nssim: error: m.xml:6: <vector>: parameters have a circular dependency: c -> d -> c; replace one of them by a number
nssim: error: m.xml:8: <vector>: attribute values has 2 rows, expected numbers separated by white space or commas
nssim: error: m.xml:9: <vector>: attribute values: in "x", column 1: unknown name "x"; declare it as a <parameter>
nssim: error: m.xml:10: <vector>: attribute values is empty, expected a text: expressions separated by white space or commas; write for instance values="1 2 3"
nssim: error: m.xml:11: <vector>: is the second parameter of this name (first at m.xml:3), expected one; rename one
nssim: error: m.xml:13: <q0> of <LagrangianLinearTIDS id="b1">: in "h[0]", column 1: unknown name "h[0]"; declare it as a <parameter>
nssim: error: parameter k=1 y: "y" is not a unit, expected one such as m, cm, kg, N/m, rad, deg
>>
