# SPDX-License-Identifier: GPL-3.0-or-later
# Measures and events of the user on the command line: what is printed, written, and refused.

case measures-in-the-summary-and-in-both-outputs
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0><fExt>-2</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="ground" systems="ball">
    <LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction></interactions>
  <simulation T="1.5"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures>
    <measure id="half" kind="first" when="0.75 > x" help="a quarter below"/>
    <measure id="top" kind="max" unit="m">x</measure>
    <measure id="hits" kind="count" event="impact" interaction="ground"/>
    <measure id="deep" kind="first" when="-1 > x"/>
    <measure id="last" kind="sample" every="0.5" keep="2">t</measure>
  </measures>
</model>
>>
run nssim m.xml -o out.h5 > summary && nssim -q m.xml -o out.csv && nssim -q m.xml --json > run.json && for k in h5 csv; do nssim info out.$k | sed -n '/^  measures/,/^    last/p'; done
stdout <<
  measures     
    half                   0.5 s                first; a quarter below
    top                    1 m                  max at t = 0 s
    hits                   1                    count
    deep                   undefined            first; its condition was never true
    last                   1.5 s                sample at t = 1.5 s, the last of 2
  measures     
    half                   0.5 s                first; a quarter below
    top                    1 m                  max at t = 0 s
    hits                   1                    count
    deep                   undefined            first; its condition was never true
    last                   1.5 s                sample at t = 1.5 s, the last of 2
>>
content-match summary ^  measures     half = 0\.5\d* s \(first\)$
content-match summary ^               top = 1 m \(max, at t = 0 s\)$
content-match summary ^               hits = 1 \(count\)$
content-match summary ^               deep = undefined \(first\): its condition was never true$
content-match summary ^               last = 1\.5 s \(last of 2 samples, at t = 1\.5 s\)$
verify python3 -c 'import json; m = json.load(open("run.json"))["measures"]; o = json.load(open("out.json"))["measures"]; assert list(m) == ["half", "top", "hits", "deep", "last"] == list(o); assert m["deep"]["value"] is None and m["deep"]["undefined"]; assert m["last"]["values"] == o["last"]["values"] and len(m["last"]["times"]) == 2; assert all(m[k]["value"] == o[k]["value"] for k in m)'

case measures-in-hdf5
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderLinearTIDS id="s" states="x"><x0>0</x0><b>1</b></FirstOrderLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.125"><EulerMoreauOSI/></TimeStepping></simulation>
  <measures>
    <measure id="mean" kind="mean" unit="V" help="of all time">x</measure>
    <measure id="never" kind="last" when="x > 2"/>
    <measure id="some" kind="sample" every="0.25" keep="3">2*x</measure>
  </measures>
</model>
>>
file read.py <<
import h5py, math
m = h5py.File("out.h5")["measures"]
assert list(m) == ["mean", "never", "some", "some.time"], list(m)
assert m["mean"][()] == 0.5 and m["mean"].attrs["unit"] == b"V" and m["mean"].attrs["kind"] == b"mean"
assert m["mean"].attrs["help"] == b"of all time" and "undefined" not in m["mean"].attrs
assert math.isnan(m["never"][()]) and m["never"].attrs["undefined"] == b"its condition was never true"
assert m["never"].attrs["unit"] == b"s"
assert list(m["some"]) == [1, 1.5, 2] and list(m["some.time"]) == [0.5, 0.75, 1] and m["some"].attrs["time"] == 1
>>
skip-unless /usr/bin/python3 -c 'import h5py'
run nssim -q m.xml -o out.h5 && /usr/bin/python3 read.py

case a-stop-is-a-complete-run
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderLinearTIDS id="s" states="x"><x0>0</x0><b>1</b></FirstOrderLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.125"><EulerMoreauOSI/></TimeStepping></simulation>
  <events><event id="mark" at="0.1 0.2"/><stop id="enough" when="x > 0.3"/></events>
  <measures><measure id="marks" kind="count" event="mark"/></measures>
</model>
>>
run nssim m.xml -o out.h5 | grep -E '^  events|enough|^complete|marks' && nssim info out.h5 | grep -E '^  (status|events)' && nssim info out.h5 --events && nssim -q m.xml -o out.csv && nssim info out.csv | grep status && nssim -q m.xml --json | grep -A3 stopped_by
replace in [0-9.]* [mun]?s; => in TIME;
stdout <<
  events       mark: 2 times
               enough: 1 time; stopped the run at t = 0.3 s
  measures     marks = 2 (count)
complete: 3 steps to t = 0.375 s, where <stop> enough ended it, in TIME; no interaction; written to out.h5
  status       complete: stopped by the event enough at t = 0.3 s
  events       3: 0 impact, 0 contact, 0 release, 3 user
time,kind,interaction,index,row,velocity_before,velocity_after,impulse,energy_lost,mode_before,mode_after
0.10000000000000001,user,mark,-1,0,0,0,0,0,free,free
0.20000000000000001,user,mark,-1,0,0,0,0,0,free,free
0.29999999999999999,user,enough,-1,1,0,0,0,0,free,free
  status       complete: stopped by the event enough at t = 0.3 s
  "stopped_by": {
    "event": "enough",
    "t": 0.29999999999999999
  },
>>

case a-row-at-an-event
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderLinearTIDS id="s" states="x" inputs="u"><x0>0</x0><b>1</b></FirstOrderLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.125"><EulerMoreauOSI/></TimeStepping></simulation>
  <events><event id="mark" at="0.3 0.5" record="row"><set name="u" value="u+1"/></event></events>
  <output every="4"/>
</model>
>>
run nssim -q m.xml -o out.csv && nssim info out.csv --print s.x,s.u
stdout <<
time,s.x,s.u
0,0,0
0.375,0.375,1
0.5,0.5,2
1,1,2
>>

case thermostat
run nssim -q $MODELS/thermostat/thermostat.xml --json | python3 -c 'import json, sys; from math import log; d = json.load(sys.stdin); m = d["measures"]; p = 3600*(log(5.5/4) + log(16/14.5)); assert abs(m["period"]["value"] - p) < 0.4, m; assert abs(m["share"]["value"] - 0.764) < 0.01; assert d["stopped_by"]["event"] == "spent" and abs(m["end"]["value"] - d["t"]) < 0.11 and d["status"] == "complete"'

case impact-oscillator-by-its-measures
run nssim -q $MODELS/impact-oscillator/impact-oscillator.xml --json | python3 -c 'import json, sys; from math import pi; m = json.load(sys.stdin)["measures"]; assert abs(m["period"]["value"] - 2*pi/2.2) < 2e-4, m; assert all(abs(v - 0.8*1.8987) < 0.03 for v in m["speed"]["values"]) and len(m["speed"]["values"]) == 16'

case incline-by-its-measures
run nssim -q $MODELS/incline/incline.xml --json | python3 -c 'import json, sys; m = json.load(sys.stdin)["measures"]; assert abs(m["stop"]["value"] - 1.594928) < 1e-3 and abs(m["way"]["value"] - 1.594928) < 1e-5 and abs(m["sliding"]["value"] - 1.594928/3) < 4e-4, m'

case check-shows-them
run nssim check $MODELS/thermostat/thermostat.xml && nssim check $MODELS/thermostat/thermostat.xml --json >c.json
stdout-match ^3 events of the model$
stdout-match ^  off: when a condition becomes true, sets 1 entry of the state$
stdout-match ^  spent: when a condition becomes true, stops the run$
stdout-match ^5 measures: period \(period\), share \(fraction\), warmest \(max\), mean \(mean\), end \(first\)$
verify python3 -c 'import json; d = json.load(open("c.json")); assert [e["id"] for e in d["events"] if e["stop"]] == ["spent"] and d["measures"][0] == {"id": "period", "kind": "period", "unit": "s"}'

# ---- refused --------------------------------------------------------------------------------------------------

case measures-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <interactions><interaction id="ground" systems="ball">
    <LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures>
    <measure id="a" kind="maximum">x</measure>
    <measure id="b" kind="max"/>
    <measure id="c" kind="max" band="1">x</measure>
    <measure id="d" kind="first" when="x > 1">x</measure>
    <measure id="e" kind="count"/>
    <measure id="f" kind="count" event="impct"/>
    <measure id="f2" kind="count" event="something"/>
    <measure id="g" kind="count" event="impact" when="x"/>
    <measure id="h" kind="max">ball.xx</measure>
    <measure id="j" kind="settling">x</measure>
    <measure id="k" kind="max" from="2" until="1">x</measure>
    <measure id="l" kind="sliding" interaction="ground"/>
    <measure id="m" kind="sliding"/>
    <measure id="ball" kind="max">x</measure>
    <measure id="n" kind="sample" every="0">x</measure>
    <measure id="o" kind="fraction" when="x >"/>
    <measure id="p" kind="sample">x</measure>
    <measure id="q" kind="sample" every="1e-12">x</measure>
    <measre id="q" kind="max">x</measre>
  </measures>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <measure id="a">: attribute kind is "maximum", expected one of: final min max mean rms integral count sum first last settling period fraction sliding sample
nssim: error: m.xml:8: <measure id="b">: is empty, expected a formula for kind="max" (largest value), such as x^2
nssim: error: m.xml:9: <measure id="c">: attribute band does not apply to kind="max" (largest value), expected none; remove it or use another kind
nssim: error: m.xml:10: <measure id="d">: contains a formula, which kind="first" (first time of an event, or at which a condition was true) does not read, expected no text; a condition belongs in when=
nssim: error: m.xml:11: <measure id="e">: has none of when= and event=, expected one of them for kind="count" (number of events, or of instants at which a condition became true)
nssim: error: m.xml:12: <measure id="f">: attribute event: unknown event impct, did you mean impact?
nssim: error: m.xml:13: <measure id="f2">: attribute event: unknown event something, expected any, impact, contact, release, switch, accumulation, user, stick, slip, branch, jam, formula, birth, death, velocity, or the id of an <event>
nssim: error: m.xml:14: <measure id="g">: has several of when= and event=, expected one of them for kind="count" (number of events, or of instants at which a condition became true)
nssim: error: m.xml:15: <measure id="h">: in "ball.xx", column 1: unknown name "ball.xx", did you mean "ball.x"?
nssim: error: m.xml:16: <measure id="j">: attribute band is missing, expected the distance from target that counts as settled
nssim: error: m.xml:17: <measure id="k">: attribute until is 1, expected a time after from, which is 2
nssim: error: m.xml:18: <measure id="l">: attribute interaction: ground has no friction, expected one with NewtonImpactFrictionNSL; kind="fraction" takes any condition
nssim: error: m.xml:19: <measure id="m">: attribute interaction is missing, expected the id of a contact with friction
nssim: error: m.xml:20: <measure id="ball">: this id is already used (first at m.xml:2), expected a new one; rename one of them
nssim: error: m.xml:21: <measure id="n">: attribute every is 0, expected a number in (0, inf): time from sample to sample
nssim: error: m.xml:22: <measure id="o">: attribute when: in "x >", column 4: found the end, expected a number, a name or "("
nssim: error: m.xml:23: <measure id="p">: has none of when=, event= and every=, expected one of them for kind="sample" (last values at events, at instants at which a condition becomes true, or at a fixed interval)
nssim: error: m.xml:24: <measure id="q">: attribute every is 1e-12, expected at least 1e-9 of the run, 1e-09
nssim: error: m.xml:25: unknown element <measre> in <measures>, did you mean <measure>?
nssim: error: m.xml:25: <measure id="q">: this id is already used (first at m.xml:24), expected a new one; rename one of them
>>

case measures-wrong-interaction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <interactions><interaction id="ground" systems="ball">
    <LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures><measure id="i" kind="max" interaction="grund">x</measure></measures>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <measure id="i">: unknown interaction grund, did you mean ground?
>>

case events-wrong
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="g" value="9.81"/></parameters>
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <events>
    <event id="a"/>
    <event id="b" when="x" at="1"/>
    <event id="c" at="1" direction="up"/>
    <event id="d" at="2 1"/>
    <event id="e" every="-1"/>
    <event id="impact" at="1"/>
    <event id="e2" every="1e-10"/>
    <event id="f" at="1"><set name="g" value="1"/></event>
    <event id="g" at="1"><set name="v_y" value="1"/></event>
    <event id="h" at="1"><set name="2*x" value="1"/></event>
    <event id="i" at="1"><set name="x" value="q[7]"/></event>
    <event id="j" at="1"><set name="x"/></event>
    <event id="k" when="x" direction="upward"/>
    <event id="ball" at="1"/>
    <event id="l" at="1" from="3" until="2"/>
    <stop/>
    <stop when="x"><set name="x" value="1"/></stop>
  </events>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <event id="a">: has none of when=, at= and every=, expected one of them
nssim: error: m.xml:7: <event id="b">: has several of when=, at= and every=, expected one of them
nssim: error: m.xml:8: <event id="c">: has direction= without when=, expected it only with a condition; remove it
nssim: error: m.xml:9: <event id="d">: attribute at: time 2 is 1, after 2, expected ascending times
nssim: error: m.xml:10: <event id="e">: attribute every is -1, expected a number in (0, inf): interval; the first time is from, or t0 plus the interval
nssim: error: m.xml:11: <event id="impact">: impact is a kind of event, expected another id
nssim: error: m.xml:12: <event id="e2">: attribute every is 1e-10, expected at least 1e-9 of the run, 1e-09
nssim: error: m.xml:13: <set>: attribute name: g is a parameter, which is constant during a run, expected an entry of the state; declare what an event changes by inputs= and <z> of a system
nssim: error: m.xml:14: <set>: attribute name: in "v_y", column 1: unknown name "v_y", did you mean "v_x"?
nssim: error: m.xml:15: <set>: attribute name: 2*x is not an entry of the state, expected one such as x, v_x, q[0], v[0], ball.x or z[0]
nssim: error: m.xml:16: <set>: attribute value: in "q[7]", column 1: unknown name "q[7]"; q has one entry, q[0]
nssim: error: m.xml:17: <set>: attribute value is missing, expected a number: formula of the state before the event; write for instance value="0"
nssim: error: m.xml:18: <event id="k">: attribute direction is "upward", expected one of: up down both
nssim: error: m.xml:19: <event id="ball">: this id is already used (first at m.xml:3), expected a new one; rename one of them
nssim: error: m.xml:20: <event id="l">: attribute until is 2, expected a time after from, which is 3
nssim: error: m.xml:21: <stop>: has none of when=, at= and every=, expected one of them
nssim: error: m.xml:22: <set> is not allowed in <stop>, expected nothing; it belongs in <event>
nssim: error: m.xml:22: <stop id="stop">: this id is already used (first at m.xml:21), expected a new one; rename one of them
>>

case what-is-held-is-integrated-as-held
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderLinearTIDS id="mass" states="x v" inputs="u sum old"><x0>10 0</x0><A>0 1; 0 0</A><b>0 u</b></FirstOrderLinearTIDS></systems>
  <controls><control id="pid" systems="mass" period="0.05" writes="u sum old">
    <update>-0.25*x + sum - 0.00625*x + 40*(-x-old), sum - 0.00625*x, -x</update></control></controls>
  <simulation T="100"><TimeStepping h="0.05"><ZeroOrderHoldOSI/></TimeStepping></simulation>
  <measures>
    <measure id="work" kind="integral">u*v</measure>
    <measure id="kinetic" kind="final">v*v/2</measure>
  </measures>
</model>
>>
run nssim -q m.xml --json > out.json
verify python3 -c 'import json; m = json.load(open("out.json"))["measures"]; w, k = m["work"]["value"], m["kinetic"]["value"]; assert abs(w - k) < 1e-9, (w, k)'
