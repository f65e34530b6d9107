# SPDX-License-Identifier: GPL-3.0-or-later
# nssim check: what was understood, and what looks unintended.

case check
copy cli/ball.xml
run nssim check ball.xml
stdout-match ^A ball$
stdout-match ^model ball in ball.xml$
stdout-match ^  g +9.81 m/s\^2$
stdout-match ^1 system, 2 degrees of freedom$
stdout-match ^  1 LagrangianLinearTIDS of 2: ball \(x, y\)$
stdout-match ^  1 LagrangianLinearTIR with NewtonImpactNSL e = 0.9, 1 row: ground$
stdout-match ^  time +0 s to 10 s in 2000 steps of 0.005 s$
stdout-match ^  integrator +MoreauJeanOSI, theta = 0.5$
stdout-match ^  a step +one pass, exact for this linear model$
stdout-match ^  rows +2001, each step: [0-9.]+ kB as HDF5
stdout-match ^good$
stderr <<
>>
verify test "$(ls)" = ball.xml

# What distinguishes schemes, kernels and storages.
case check-schemes
copy cli/ball.xml
run for s in 'D1MinusLinearOSI variant="velocity"' SchatzmanPaoliOSI 'MoreauJeanDirectProjectionOSI tolerance="1e-6"' 'MoreauJeanDirectProjectionOSI activation="1e-4"'; do sed "s|<MoreauJeanOSI[^/]*/>|<$s/>|" ball.xml >m.xml; nssim check m.xml; done; nssim check $TOP/tests/memory/unreduced.xml; nssim check $TOP/models/impacting-bar/impacting-bar.xml
stdout-match ^  integrator +D1MinusLinearOSI, contact forces from the velocity, tolerance 1e-08$
stdout-match ^  integrator +SchatzmanPaoliOSI, theta = 0.5, first step from the acceleration$
stdout-match ^  integrator +MoreauJeanDirectProjectionOSI, theta = 0.5, gaps to 1e-06 m, equalities to 1e-08 m, by the mass$
stdout-match ^  integrator +MoreauJeanDirectProjectionOSI, theta = 0.5, gaps to 1e-08 m, equalities to 1e-08 m, by the mass, loaded contacts stay active up to 0.0001 m$
stdout-match ^  problem +LCP, 26 rows, unreduced, 154 entries$
stdout-match ^  kernels +0 diagonal, 0 dense, 1 sparse, 0 nonlinear$

# The combined projection makes no forecast.
case check-combined-gamma
copy cli/ball.xml
run sed 's|<MoreauJeanOSI[^/]*/>|<MoreauJeanCombinedProjectionOSI gamma="1"/>|' ball.xml >m.xml; nssim check m.xml
exit 65
stderr-match gamma of <MoreauJeanCombinedProjectionOSI> is 1, expected none: the combined projection determines the contacts of a step itself; remove gamma$

# Rows and columns are those that a run writes.
case check-predicts-the-output
copy cli/ball.xml
run nssim check ball.xml --every 7 --record 'ball.*' --json >c.json; nssim ball.xml -q --every 7 --record 'ball.*' -o out.csv
verify test $($CASES/cli/json c.json 'd["output"]["rows"]') -eq $(($(wc -l <out.csv) - 1))
verify test $($CASES/cli/json c.json 'd["output"]["columns"]') -eq $(head -n 1 out.csv | tr ',' '\n' | wc -l)

case check-overridden
copy cli/ball.xml
run nssim check ball.xml -p e=0.5
stdout-match ^  e +0.5   \(given by -p\)$
stdout-match NewtonImpactNSL e = 0.5

case check-bad
copy cli/ball.xml
run nssim check ball.xml -p m=-1
exit 65
stdout <<
>>
stderr-match ball.xml:[0-9]+: <

case check-missing
run nssim check nowhere.xml
exit 66
stderr-match nowhere.xml

# theta (1 + e) > 1: an impact may put energy in.
case warn-energy-gain
copy cli/ball.xml
setup sed -i 's/theta="0.5"/theta="1"/' ball.xml
run nssim check ball.xml -p e=1
stderr-match ^nssim: warning: ball.xml:[0-9]+: <interaction id="ground">: impacts with e = 1 may gain energy, as theta = 1 is above 1/\(1 \+ e\) = 0.5; theta = 0.5 never does$
stdout-match ^good, with 1 warning$

case no-warning-where-dissipative
copy cli/ball.xml
setup sed -i 's/theta="0.5"/theta="1"/' ball.xml
run nssim check ball.xml -p e=0
stderr <<
>>

case warn-theta-below-half
copy cli/ball.xml
setup sed -i 's/theta="0.5"/theta="0.4"/' ball.xml
run nssim check ball.xml
stderr-match ^nssim: warning: ball.xml:[0-9]+: <.*theta = 0.4 is below 1/2

case check-nonlinear
copy cli/blow-up.xml
run nssim check blow-up.xml
stdout-match ^  problem +none: there are no interactions$
stdout-match ^  a step +Newton loop, at most [0-9]+ iterations$
stdout-match ^  Jacobians +exact$

case check-many
run nssim check $MODELS/bead-column-1000/bead-column-1000.xml
stdout-match ^1000 systems, 
stdout-match \.\.\.
verify test $(nssim check $MODELS/bead-column-1000/bead-column-1000.xml | wc -l) -lt 60

case check-json
copy cli/ball.xml
run nssim check ball.xml -p e=0.5 --json >c.json
verify $CASES/cli/json c.json 'd["model"] == "ball" and d["systems"] == 1 and d["degrees_of_freedom"] == 2 and d["warnings"] == 0'
verify $CASES/cli/json c.json 'd["parameters"][2] == {"name": "e", "value": 0.5, "unit": None, "overridden": True}'
verify $CASES/cli/json c.json 'd["system_groups"][0]["coordinates"] == ["x", "y"] and d["simulation"]["steps"] == 2000 and d["simulation"]["linear"]'

# Units of SI stay as they are written, others become SI.
case units-as-written
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="M" value="1" unit="N m"/>
    <parameter name="J" value="2" unit="kg m^2"/>
    <parameter name="L" value="3" unit="cm"/>
  </parameters>
  <systems><LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml | sed -n '/^parameters/,/^[0-9]/p'
stdout <<
parameters
  M            1 N m
  J            2 kg m^2
  L            0.03 m
1 system, 1 degree of freedom
>>

# ---- a run repeats what check warns of: once, and not where it is asked to be quiet ----

case run-repeats-the-warnings-once
copy cli/ball.xml
setup sed -i 's/theta="0.5"/theta="0.4"/' ball.xml
run nssim run ball.xml -o a.csv 2>err >/dev/null; grep -c 'warning: ball.xml:.*theta = 0.4 is below 1/2' err; nssim run ball.xml -o b.csv -q
stdout <<
1
>>
stderr <<
>>
verify cmp a.csv b.csv

case run-says-that-it-ends-behind-T
copy cli/ball.xml
run nssim run ball.xml --t-end 0.1000037
stderr-match ^nssim: warning: ball\.xml:[0-9]+: <simulation>: T - t0 = 0\.1000037 s is not a whole number of steps of h = 

case run-goes-on-without-saying-it-again
copy cli/ball.xml
setup sed -i 's/theta="0.5"/theta="0.4"/' ball.xml; nssim run ball.xml -o a.csv --checkpoint a.ckpt --max-steps 3 -q 2>/dev/null; true
run nssim run ball.xml -o a.csv --checkpoint a.ckpt --resume auto 2>err >/dev/null; grep -c 'is below 1/2' err; true
stdout <<
0
>>

# A plug-in of a run by events: nobody knows its jumps.
case plug-ins-that-may-jump
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m"><systems>
<LagrangianLinearTIDS id="good"><q0>0</q0><fExt>1</fExt></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="a"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS>
<LagrangianDS id="b"><q0>0</q0><mass>1</mass><fExt plugin="Lib:f"/></LagrangianDS>
</systems><simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation></model>
>>
file Lib.c <<
void f(double t, unsigned n, double *o, unsigned nz, double *z) { (void)nz, (void)z; while (n) o[--n] = t > 0.5; }
>>
run nssim check m.xml
stderr-match ^nssim: warning: m\.xml:3: <LagrangianLinearTIDS id="a">: its plug-in, and that of 1 more system may jump or have a corner, which an event-driven run does not know in advance
stdout-match ^good, with 1 warning$
