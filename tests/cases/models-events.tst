# SPDX-License-Identifier: GPL-3.0-or-later
# What the event-driven models claim in their comments, measured: closed forms, to the tolerance of the integrator.

case ball-comes-to-rest-at-the-end-of-its-series
run nssim -q $MODELS/bouncing-ball/bouncing-ball-events.xml -o a.csv
# t1 and flights of 2 e^n t1, then rest at t1 (1+e)/(1-e); the events say when and of what energy the rest was taken
verify $CASES/measure a.csv 'all(near(e["time"], sqrt(2/9.81)*(1+2*sum(0.5**k for k in range(1, n+1))), 1e-9) for n, e in enumerate(events("impact")[:6]))' 'near(events("contact")[0]["time"], 3*sqrt(2/9.81), 1e-6)' 'len(events("accumulation")) == 1 and 0 < events("accumulation")[0]["energy_lost"] < 1e-12'

case two-balls-one-after-the-other
run nssim -q $MODELS/two-balls/two-balls.xml -o a.csv
# both fall with v; the lower one meets the upper one gap/(2 v) after the floor, and stands still but for the weight until then
verify $CASES/measure a.csv 'near(events("impact")[0]["time"], sqrt(2/9.81), 1e-11)' 'near(events("impact")[1]["time"], sqrt(2/9.81)+1e-3/2/sqrt(2*9.81), 1e-11)' 'events("impact")[1]["interaction"] == "between"'
verify $CASES/measure a.csv 'near(c("lower.v_x")[[k for k, s in enumerate(c("diagnostics.side")) if s == 2][1]], -9.81*1e-3/2/sqrt(2*9.81), 1e-10)' 'near(c("upper.v_x")[[k for k, s in enumerate(c("diagnostics.side")) if s == 2][1]], 2*sqrt(2*9.81)-9.81*1e-3/2/sqrt(2*9.81), 1e-10)' 'near(max(c("upper.x")), 4, 1.2e-2)' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-12'

case two-balls-as-one
run nssim -q $MODELS/two-balls/two-balls.xml -p gap=0 --t-end 0.6 -o a.csv
verify $CASES/measure a.csv 'near(c("lower.v_x")[c("diagnostics.side").index(2)], sqrt(2*9.81), 1e-10)' 'max(abs(y-x) for x, y in zip(c("lower.x"), c("upper.x"))) < 1e-12'

# equal springs, linear and as Hertz has them: velocities of the compliant motion, within ten increments of 1e-4
case two-balls-on-springs
run for k in 1 1.5; do nssim -q $MODELS/two-balls/two-balls-springs.xml -p eta=$k -o $k.csv; done; nssim -q $MODELS/two-balls/two-balls-springs.xml -p stiff=1e6 -o stiff.csv
verify for k in 1,0.88812,1.27817 1.5,0.73361,1.54450 stiff,1,1; do IFS=,; set -- $k; unset IFS; $CASES/measure $1.csv "near([v for s, v in zip(c('diagnostics.side'), c('lower.v_x')) if s == 2][-1]/sqrt(2*9.81), $2, 1e-3)" "near([v for s, v in zip(c('diagnostics.side'), c('upper.v_x')) if s == 2][-1]/sqrt(2*9.81), $3, 1e-3)" || exit 1; done

case impact-oscillator-event-by-event
run nssim -q $MODELS/impact-oscillator/impact-oscillator-events.xml -o a.csv
verify $CASES/measure a.csv 'all(near(e["velocity_before"], -1.89874873831, 1e-9) for e in events("impact")[-10:])' 'all(near(b["time"]-a["time"], 2*pi/2.2, 2e-9) for a, b in zip(events("impact")[-10:], events("impact")[-9:]))'

case ball-on-a-table-jumps-once-a-period
run nssim -q $MODELS/vibrating-table/vibrating-table.xml -o a.csv; nssim -q $MODELS/vibrating-table/vibrating-table.xml -p Gamma=1.6 -o b.csv
# a kick of 1 % dies out: the speed after an impact is pi g/w; beyond the doubling every second flight is alike
verify $CASES/measure a.csv 'all(near(b["time"]-a["time"], 2*pi/100, 1e-8) for a, b in zip(events("impact")[-9:], events("impact")[-8:]))' 'near([v for s, v in zip(c("diagnostics.side"), c("ball.v_x")) if s == 2][-1], pi*9.81/100, 1e-7)'
verify $CASES/measure b.csv 'all(abs(e["time"]-2*f["time"]+g["time"]) > 1e-3 for e, f, g in zip(*[events("impact")[-9+k:-2+k] for k in range(3)]))' 'all(near(g["time"]-e["time"], 4*pi/100, 1e-6) for e, g in zip(events("impact")[-8:-2], events("impact")[-6:]))'

# off at the phase -arccos(F0/((m w^2 - k) A)), down 41.27 ms later
case cam-follower-takes-off
run nssim -q $MODELS/cam-follower/cam-follower-events.xml -o a.csv
verify $CASES/measure a.csv 'near(1.2*sqrt((1430.8+5000)/1.221)*events("release")[0]["time"]-pi, -0.878110726879, 1e-8)' 'near([e for e in events("impact") if e["time"] > 0][0]["time"]-events("release")[0]["time"], 0.0412707790645, 1e-9)' 'near([e for e in events("impact") if e["time"] > 0][0]["velocity_before"], -0.932270932382, 1e-8)'

case bead-column-comes-back-as-one
run nssim -q $MODELS/bead-column/bead-column-events.xml -o a.csv; nssim info a.csv | grep -c ': closed 0.5 s'
stdout <<
9
>>
verify $CASES/measure a.csv 'near(events("impact")[0]["time"], sqrt(2*0.05/9.81), 1e-11)' 'near(sorted({e["time"] for e in events("impact")})[1], 3*sqrt(2*0.05/9.81), 1e-10)' 'all(max(c(f"bead{i}.x")) - 0.05 - (2*i-1)*5e-3 < 1e-12 for i in range(1, 11))' 'len(events("impact")) == 20' 'all(near(e["impulse"], events("impact")[0]["impulse"]*(10-k%10)/10, 1e-10) for k, e in enumerate(events("impact")))'

# all leave in order, the uppermost fastest; no momentum but that of the floor, energy within the increments
case bead-column-scattered
run nssim -q $MODELS/bead-column/bead-column-springs.xml --t-end 0.102 -o a.csv
verify $CASES/measure a.csv 'all(c(f"bead{i}.v_x")[-1] < c(f"bead{i+1}.v_x")[-1] for i in range(1, 10))' 'c("bead10.v_x")[-1] > 1.5*sqrt(2*9.81*0.05)' 'abs(c("diagnostics.work_contact")[-1]) < 1e-4*c("diagnostics.kinetic")[-1]'

# momentum and energy; the first balls go back a little, and what is left to the last one
case chain-of-equal-balls
run nssim -q $MODELS/chain-of-balls/chain-of-balls.xml -o a.csv
verify $CASES/measure a.csv 'near(sum(c(f"ball{i}.v_x")[-1] for i in range(1, 11)), 1, 1e-12)' 'near(sum(c(f"ball{i}.v_x")[-1]**2 for i in range(1, 11)), 1, 2e-4)' 'near(c("ball1.v_x")[-1], -0.0710850, 2e-4)' 'c("ball10.v_x")[-1] > 0.98' 'all(c(f"ball{i}.v_x")[-1] < c(f"ball{i+1}.v_x")[-1] for i in range(1, 10))'

case chain-of-smaller-and-smaller-balls
run nssim -q $MODELS/chain-of-balls/chain-of-balls.xml -p taper=0.1 -o a.csv
verify $CASES/measure a.csv 'near(sum(0.9**(3*i)*c(f"ball{i+1}.v_x")[-1] for i in range(10)), 1, 1e-12)' 'near(sum(0.9**(3*i)*c(f"ball{i+1}.v_x")[-1]**2 for i in range(10)), 1, 2e-4)' 'all(0 < c(f"ball{i}.v_x")[-1] < c(f"ball{i+1}.v_x")[-1] for i in range(1, 10))' 'c("ball10.v_x")[-1] > 1.5'

# the first wave: (1-e)/2 ((1+e)/2)^(i-1) of the speed with which the first ball comes, which falls by 1e-6 m
case newtons-cradle-one-by-one
run nssim -q $MODELS/newtons-cradle/newtons-cradle-apart.xml --t-end 0.23 -o a.csv
verify $CASES/measure a.csv '[e["interaction"] for e in events("impact")[:4]] == ["contact2", "contact3", "contact4", "contact5"]' 'all(near([v for s, v in zip(c("diagnostics.side"), c(f"ball{i}.v_x")) if s == 2][3]/(0.05*sqrt(9.81/0.2)), (0.05*0.95**(i-1), 0.95**4)[i == 5], 1e-5) for i in range(1, 6))'

# period 4 K(1/2) sqrt(L/g); three weights at the bottom; no drift from the circle
case pendulum-as-a-constraint
run nssim -q $MODELS/pendulum/pendulum.xml -o a.csv
verify $CASES/measure a.csv 'near(c("bob.x")[-1], 1, 1e-7) and near(c("bob.z")[-1], 0, 1e-6)' 'near(max(map(abs, c("rod.lambda"))), 1.5*9.81, 1e-6)' 'max(map(abs, c("rod.y"))) < 1e-9' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-6'

# on its circle, while phase and energy drift by what the tolerance allows
case pendulum-for-a-hundred-periods
run nssim -q $MODELS/pendulum/pendulum-long.xml -o a.csv
verify $CASES/measure a.csv 'max(map(abs, c("rod.y"))) < 1e-9' 'max(map(abs, c("rod.ydot"))) < 1e-8' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-3' 'near(c("bob.x")[-1], 1, 1e-3)'

# the loop is closed, rates are those of the rigid linkage, the energy stays
case four-bar-with-ideal-joints
run nssim -q $MODELS/four-bar/four-bar-joints.xml -o a.csv
verify $CASES/measure a.csv 'all(abs(hypot(0.5+0.4*cos(g)-0.2*cos(p), 0.4*sin(g)-0.2*sin(p))-0.5) < 1e-9 for p, g in zip(c("crank.phi_a"), c("rocker.gamma")))' 'all(near(w*0.4*sin(g-b), v*0.2*sin(p-b), 1e-7) for p, b, g, v, w in zip(c("crank.phi_a"), c("coupler.beta"), c("rocker.gamma"), c("crank.v_phi_a"), c("rocker.v_gamma")))' 'max(c("diagnostics.kinetic"))/min(c("diagnostics.kinetic")) < 1+5e-5' 'c("crank.phi_a")[-1] > 200'

# No force has a part along x; energy falls at impacts alone; it rests flat on both corners, each with half of the weight.
case block-on-frictionless-corners
run nssim -q $MODELS/rocking-block/rocking-block-events.xml -o a.csv; nssim info a.csv | grep -c 'closed 1\.2[0-9]* s'
stdout <<
2
>>
verify $CASES/measure a.csv 'max(map(abs, c("block.x"))) == 0' 'all(b <= a+1e-12 for a, b in zip(c("diagnostics.work_contact"), c("diagnostics.work_contact")[1:]))' 'near(c("left.lambda")[-1], 9.81/2, 1e-9) and near(c("right.lambda")[-1], 9.81/2, 1e-9)' 'near(c("block.y")[-1], 0.05, 1e-10)' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-8'

# The first impact is that of five balls in line: the rods take nothing of it. They never give way.
case newtons-cradle-on-rods
run nssim -q $MODELS/newtons-cradle/newtons-cradle-rods.xml -o a.csv
verify $CASES/measure a.csv 'near(c("ball5.v_x")[[k for k, s in enumerate(c("diagnostics.side")) if s == 2 and t[k] > 0][0]]/sqrt(9.81*0.2), 0.9887774, 2e-4)' 'near(c("ball1.v_x")[[k for k, s in enumerate(c("diagnostics.side")) if s == 2 and t[k] > 0][0]]/sqrt(9.81*0.2), -0.0710850, 2e-4)' 'max(abs(y) for i in range(1, 6) for y in c(f"rod{i}.y")) < 1e-9' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-7'

# The same by the equations of the rods, and in fixed steps: five balls after the first impact.
case newtons-cradle-on-rods-by-other-integrators
run for k in CVodeOSI IDAOSI NewMarkAlphaOSI; do sed "s|<CVodeOSI/>|<$k/>|" $MODELS/newtons-cradle/newtons-cradle-rods.xml >m.xml; nssim m.xml -q --t-end 0.4 -o $k.csv; done
verify for k in IDAOSI NewMarkAlphaOSI; do $CASES/measure $k.csv 'all(near(c(f"ball{i}.x")[-1], c(f"ball{i}.x", "CVodeOSI.csv")[-1], 1e-5) for i in range(1, 6))' || exit 1; done

case multiple-impacts-beside-other-laws
run sed '0,/<MultipleImpactNSL[^>]*>/s//<NewtonImpactNSL e="1"\/>/' $MODELS/two-balls/two-balls-springs.xml >m.xml; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:39: <interaction id="between">: the law MultipleImpactNSL with NewtonImpactNSL at another contact, expected it in all contacts; constraints may have <EqualityConditionNSL/>
>>

# ---- first order

case relay-feedback-has-the-period-of-its-cycle
run nssim -q $MODELS/relay-feedback/relay-feedback.xml -o a.csv
verify $CASES/measure a.csv 'all(near(b["time"]-a["time"], 3.6797506708647973/2, 1e-9) for a, b in zip(events("switch")[-9:], events("switch")[-8:]))' 'max(c("diagnostics.violation")) < 1e-12'

case relay-oscillator-leaves-where-its-control-is-at-a-bound
run nssim -q $MODELS/relay-oscillator/relay-oscillator-events.xml -o a.csv
verify $CASES/measure a.csv 'all(near(abs(e["velocity_before"]), 1, 1e-9) for e in events("switch") if e["mode_before"] == "between")' 'max(abs(y) for y, m in zip(c("relay.y"), c("relay.lambda")) if abs(m) < 1) < 1e-10'

case thermostat-has-its-period
run nssim -q $MODELS/thermostat/thermostat-events.xml -o a.csv
verify $CASES/measure a.csv 'near(events("user")[0]["time"], 3600*log(5.5/4), 5e-6)' 'near(events("user")[3]["time"]-events("user")[1]["time"], 3600*(log(5.5/4)+log(16/14.5)), 5e-6)' 'near(t[-1], 19606.99541, 1e-5)'

# arcs of exponentials with the production that the step functions give: b falls from 6 to 4 without a, ...
case genes-slide-along-both-thresholds
run nssim -q $MODELS/gene-two/gene-two-events.xml -o a.csv; nssim info a.csv | grep 'thresholds.*between' | sed 's/ [0-9.]* s//g'
stdout <<
               thresholds[2]: lower, between
               thresholds[3]: lower, between
>>
verify $CASES/measure a.csv 'near(c("genes.a")[-1], 8, 1e-12)' 'near(c("genes.b")[-1], 8, 1e-12)' 'near(events("switch")[0]["time"], log((40/4.5-1)/(40/4.5-4))/4.5, 1e-9)' 'near(events("switch")[1]["time"], events("switch")[0]["time"]+log((40/1.5-6*exp(-1.5*events("switch")[0]["time"]))/(40/1.5-8))/1.5, 1e-9)'

case diode-conducts-and-blocks
run nssim -q $MODELS/rlc-diode/rlc-diode-events.xml -o a.csv
verify $CASES/measure a.csv 'near(events("switch")[0]["time"], atan(sqrt(1e8-25e4)/500)/sqrt(1e8-25e4), 1e-13)' 'all(near(b["time"]-a["time"], pi/1e4+pi/sqrt(1e8-25e4), 1e-12) for a, b in zip(events("switch"), events("switch")[2:]))'

case twisting-ends-at-the-origin
run nssim -q $MODELS/twisting/twisting-events.xml -o a.csv
verify $CASES/measure a.csv 'near(events("accumulation")[0]["time"], 2.154700538, 4e-5)' 'c("mass.x")[-1] == 0 and c("mass.v")[-1] == 0'

case buck-converter-holds-its-surface
run nssim -q $MODELS/buck-sliding-mode/buck-sliding-mode-events.xml -o a.csv; nssim -q $MODELS/buck-sliding-mode/buck-sliding-mode-events.xml -p v0=0 -o b.csv
verify $CASES/measure a.csv 'len(events("switch")) == 1' 'near((c("converter.v")[-1]-10)/(at(2e-3, "converter.v")-10), exp(-4), 1e-7)'
verify $CASES/measure b.csv '[e["mode_after"] for e in events("switch")] == ["lower", "between"]'

# flows whose tolerances exceed the rebounds of restSpeed: their errors keep no contact from its rest
case slider-crank-of-other-flows
run for f in 'CVodeOSI method="bdf"' 'IDAOSI' 'IDAOSI relativeTolerance="1e-8"'; do sed "s|<CVodeOSI/>|<$f/>|" $MODELS/slider-crank/slider-crank-events.xml > m.xml; nssim -q m.xml -o a.csv && $CASES/measure a.csv 'near(c("mechanism.theta1")[-1], 18.084, 5e-3)' 'len(events("impact")) < 4000' || exit 1; done

# a step takes 0.838634908496 s and ends in an impulse of 1.0264441 N s; without enough descent it comes to rest on two feet
case rimless-wheel-walks
run nssim -q $MODELS/rimless-wheel/rimless-wheel.xml -o a.csv; nssim -q $MODELS/rimless-wheel/rimless-wheel.xml -p slope=0.02 -o b.csv
verify $CASES/measure a.csv 'near(events("impact")[-1]["time"]-events("impact")[-2]["time"], 0.838634908496, 1e-5)' 'near(events("impact")[-1]["impulse"], 1.0264441, 1e-5)' 'events("impact")[-1]["interaction"] == "wheel/slope:1.0.0"'
verify $CASES/measure b.csv 'near(c("wheel.y")[-1], cos(pi/8), 1e-9)' 'abs(c("wheel.v_angle")[-1]) < 1e-9'

# measures of what is 0 but for rounding, slip and drift, took more than a hundred times as long as the motion
case rover-grips-event-by-event
run sed 's|<TimeStepping h="2e-3">|<EventDriven h="2e-3">|; s|</TimeStepping>|</EventDriven>|; s|<MoreauJean[^>]*>|<CVodeOSI/>|' $MODELS/rover/rover.xml > m.xml; nssim -q m.xml -o a.csv; nssim -q $MODELS/rover/rover.xml -o b.csv; tail -n 1 a.csv | cut -d, -f1
stdout <<
1
>>
verify $CASES/measure a.csv 'near(c("body.v_x")[-1], 0.84986298, 1e-7)' 'abs(c("body.y")[-1]) < 1e-10'
verify $CASES/measure b.csv 'near(c("body.v_x")[-1], 0.84986298, 1e-4)'

# the same numbers wherever coordinates begin and however large the motion is, from two rows
case measures-of-two-rows-far-from-the-origin
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="s" value="0"/><parameter name="a" value="1"/></parameters>
  <systems>
    <LagrangianLinearTIDS id="m" coordinates="x y"><q0>s s</q0><v0>a 0</v0><mass diag="1 1"/><K diag="1 1"/><fExt>s s</fExt></LagrangianLinearTIDS>
  </systems>
  <simulation T="20"><EventDriven h="20"><CVodeOSI/></EventDriven></simulation>
  <measures>
    <measure id="top" kind="max">(m.x - s)/a</measure>
    <measure id="late" kind="min" from="4" until="6">(m.x - s)/a</measure>
    <measure id="still" kind="max">abs(m.y - s)/a</measure>
    <measure id="rms" kind="rms">m.v_x/a</measure>
  </measures>
</model>
>>
run for p in s=0 s=1e3 s=-1e6 a=1e-3 a=1e6; do nssim run m.xml -p $p -o a.csv | sed -n 's/(m.*//; s/.*\(top\|late\|still\|rms\) = \([-0-9.e]*\).*/\1 \2/p' | awk '{w = $1 == "top" ? 1 : $1 == "late" ? -1 : $1 == "rms" ? 0.71366232 : 0; d = $2 - w; if (d < 0) d = -d; n += d < 1e-6} END {print n}'; done
stdout <<
4
4
4
4
4
>>
