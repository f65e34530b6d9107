# SPDX-License-Identifier: GPL-3.0-or-later
# Every model of models/ runs to its end, is certified, and does what its comment says.

case bouncing-ball
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -o out.h5
exit 0
stdout-match ^  impacts +37; at most 1 of 1 contact rows active
stdout-match ^complete: 2000 steps to t = 10 s in .*; residual <= 0, penetration <= 0\.0081 m, energy defect -?[0-9.]+e-1[3-9] J; written to out\.h5
exists out.h5

case bouncing-ball-for-ever
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -p e=1 --t-end 100
exit 0
stdout-match ^  work +contacts -?[0-9.]+e-1[2-9] J

case bouncing-ball-by-plug-in-is-the-same
skip-unless command -v cc
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -q -o a.csv; nssim $TOP/models/bouncing-ball/bouncing-ball-plugin.xml -q -o b.csv; cut -d, -f1-13 a.csv >a; cut -d, -f1-13 b.csv | cmp a -
exit 0

case bead-column
run nssim $TOP/models/bead-column/bead-column.xml
exit 0
stdout-match ^complete: 4000 steps to t = 2 s in .*; residual <= [0-9.]+e-1[4-9], penetration <= 0\.0017 m, energy defect

case bead-column-of-a-hundred
run nssim $TOP/models/bead-column/bead-column.xml -p n=100 -p e=0 --json | python3 -c 'import json, sys; sys.exit(not 0 < json.load(sys.stdin)["certificate"]["residual_max"] < 1e-12)'
exit 0

case bead-column-1000
run nssim $TOP/models/bead-column-1000/bead-column-1000.xml -o out.h5
exit 0
stdout-match ^complete: 600 steps to t = 0\.3 s in .*; residual <= [0-9.]+e-1[4-9]

case impact-oscillator
run nssim $TOP/models/impact-oscillator/impact-oscillator.xml
exit 0
stdout-match ^  impacts +60;

case cam-follower
run nssim $TOP/models/cam-follower/cam-follower.xml
exit 0
stdout-match ^complete: 10000 steps to t = 1 s

case double-pendulum
run nssim $TOP/models/double-pendulum/double-pendulum.xml
exit 0
stdout-match ^  impacts +5;
stdout-match ^complete: 10000 steps to t = 10 s

case double-pendulum-without-wall
run nssim $TOP/models/double-pendulum/double-pendulum.xml -p stop=1e6
exit 0
stdout-match ^  impacts +0;
stdout-match energy defect -0\.0009 J|energy defect -0\.00089 J

case chain-of-masses
run nssim $TOP/models/chain-of-masses/chain-of-masses.xml
exit 0
stdout-match ^  impacts +7;
stdout-match ^complete: 5000 steps to t = 1 s in .*energy defect -?[0-9.]+e-1[3-9] J

# ---- first-order systems: the claims of the comments, measured on the rows ----

case rectifier
run nssim -q $TOP/models/rectifier/rectifier.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; i = d["load.i"]; k = next(k for k in range(1, len(t)) if i[k] < 1e-9 <= i[k-1]); w = 100*math.pi; m = sum(i[-2000:])/2000; assert abs(w*t[k] - 4.2036) <= w*1e-5 and abs(m/((1 - math.cos(4.2036))/(2*math.pi*10)*100) - 1) < 5e-4, (w*t[k], m)'
exit 0

case play-operator-loop
run nssim -q $TOP/models/play-operator/play-operator.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; u, x = d["u.value"][400:], d["play.x"][400:]; a = sum(p*y - q*z for p, q, y, z in zip(u, u[1:], x[1:], x))/2; assert abs(abs(a) - 4*0.3*0.7) < 1e-4, a'
exit 0

case relay-oscillator-slides-at-zero
run nssim -q $TOP/models/relay-oscillator/relay-oscillator.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; s = [abs(y) for y, l in zip(d["relay.y"], d["relay.lambda"]) if abs(l) < 1][1:]; assert len(s) > 4000 and max(s) < 1e-15 and max(map(abs, d["relay.lambda"])) <= 1, (len(s), max(s))'
exit 0

case boost-converter-mean
run nssim -q $TOP/models/boost-converter/boost-converter.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; v = d["Rload.v"][-2000:]; m = sum(v)/len(v); assert abs(m - 24) < 0.05, m'
exit 0

case boost-converter-other-duty
run nssim -q $TOP/models/boost-converter/boost-converter.xml -p duty=0.75 --t-end 0.1 -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; v = d["Rload.v"][-2000:]; m = sum(v)/len(v); assert abs(m - 48) < 0.5, m'
exit 0

case rlc-diode-loses-a-part-each-period
run nssim -q $TOP/models/rlc-diode/rlc-diode.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; i = d["circuit.i_L"]; p = [i[k] for k in range(1, len(i) - 1) if i[k-1] > i[k] <= i[k+1]]; q = math.exp(-500*math.pi/math.sqrt(1e8 - 500**2)); assert len(p) > 5 and all(abs(b/a - q) < 1e-3 for a, b in zip(p, p[1:])), (q, p)'
exit 0

case diode-bridge-heats-what-it-loses
run nssim -q $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; p, e = d["power.value"][1:], d["energy.value"]; w = sum((a + b)/2*1e-6 for a, b in zip(p, p[1:])) + p[0]*1e-6; assert abs(w/(e[0] - e[-1]) - 1) < 1e-3, w'
exit 0

case bridge-filter-short-pulses-and-zener
run nssim -q $TOP/models/bridge-filter/bridge-filter.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; n = len(t)*4//5; on = sum(i > 1e-6 for i in d["D1.i"][n:])/(len(t) - n); assert 0 < on < 0.15 and abs(d["Rload.v"][-1] - 5.1) < 1e-12, on'
exit 0

case parallel-inverter-surfaces
run nssim -q $TOP/models/parallel-inverter/parallel-inverter.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; n = next(k for k in range(len(t)) if t[k] > 2.7e-4); y = max(abs(v) for k in d if k.startswith("control.y") for v in d[k][n:]); l = max(abs(v) for k in d if k.startswith("control.lambda") for v in d[k][n:]); assert y < 1e-12 and 0.5 < l < 1, (y, l)'
exit 0

case colpitts-is-bounded-and-not-periodic
run nssim -q $TOP/models/colpitts/colpitts.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; v = d["tank.v_CE"]; p = [v[k] for k in range(5000, len(v) - 1) if v[k-1] < v[k] >= v[k+1]]; assert 1 < min(v[1000:]) and max(v) < 6 and len({round(x, 2) for x in p}) > 20, len(p)'
exit 0

case colpitts-obeys-its-law
run nssim -q $TOP/models/colpitts/colpitts.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; assert max(d["diagnostics.violation"]) < 1e-15 and max(abs(min(y, l)) for y, l in zip(d["base.y"], d["base.lambda"])) < 1e-15'
exit 0

case gene-switch-stays-at-the-threshold
run nssim -q $TOP/models/gene-switch/gene-switch.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; c = d["gene.c"]; s = next(a for a, b in zip(t, c) if abs(b - 1) < 1e-12); assert 0 <= s - math.log(1.4) < 2e-3 and abs(d["repression.lambda"][-1] - 1/3) < 1e-12 and abs(c[-1] - 1) < 1e-12, s'
exit 0

case gene-two-ends-on-both-thresholds
run nssim -q $TOP/models/gene-two/gene-two.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; l = [d[f"thresholds.lambda[{k}]"][-1] for k in range(4)]; assert abs(d["genes.a"][-1] - 8) + abs(d["genes.b"][-1] - 8) < 1e-12 and sum(1e-3 < x < 1 - 1e-3 for x in l) == 2, l'
exit 0

case gene-negative-loop-crosses-at-known-times
run nssim -q $TOP/models/gene-negative-loop/gene-negative-loop.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; x = [a if k % 2 == 0 else b for k, (a, b) in enumerate(zip(d["genes.a"], d["genes.b"]))]; c = sorted(u for v in ("genes.a", "genes.b") for u, p, q in zip(t[1:], d[v], d[v][1:]) if p*q < 0); assert len(c) >= 3 and all(abs(u - math.log(2 + n)) < 2e-3 for n, u in enumerate(c)), c'
exit 0

case two-relays-stop-at-half-a-second
run nssim -q $TOP/models/two-relays/two-relays.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; assert abs(d["integrators.x[0]"][499]) > 1e-3 and max(abs(x) for x in d["integrators.x[0]"][500:]) < 1e-14'
exit 0

case twisting-ends-in-finite-time
run nssim -q $TOP/models/twisting/twisting.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; s = next(u for u, x, v in zip(t, d["mass.x"], d["mass.v"]) if x == 0 == v); assert 2.0 < s < 2.1547 and d["mass.x"][-1] == 0, s'
exit 0

case sliding-mode-implicit-keeps-the-surface
run nssim -q $TOP/models/sliding-mode-implicit/sliding-mode-implicit.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; assert max(abs(a + b) for u, a, b in zip(t, d["plant.x1"], d["plant.x2"]) if u > 1.01) < 1e-14'
exit 0

case sliding-mode-explicit-chatters
run nssim -q $TOP/models/sliding-mode-explicit/sliding-mode-explicit.xml -o - | python3 -c 'import csv, math, sys; d = {k: [float(x) for x in v] for k, *v in zip(*csv.reader(sys.stdin))}; t = d["time"]; s = [a + b for u, a, b in zip(t, d["plant.x1"], d["plant.x2"]) if u > 1.5]; assert 0.01 < max(map(abs, s)) < 0.04 and min(map(abs, s)) > 1e-4, max(map(abs, s))'
exit 0

# The commands in the head of each model work in its folder, as `nssim example` copies it. Runs of many bodies, which cases of their
# own follow to the end (models-bodies.tst, grains), stop after 30 steps, with status 75.
case commands-in-the-heads
skip-unless command -v gnuplot
timeout 800
run for f in $MODELS/*/*.xml; do d=$(basename $(dirname $f)); cp -r $(dirname $f) .; case $d in silo | masonry-* | sand-heap | hourglass | column-collapse | sphere-pile | planar-hopper | box-stack | body-chain) short='--max-steps 30' ;; *) short= ;; esac; (cd $d; sed -n 's/^    \(nssim .*\)/\1/p' $(basename $f) | while read -r k; do case $k in *plot*) k="$k -o p.svg" ;; *view*) ;; *) k="$k $short" ;; esac; eval "$k" >said 2>&1; r=$?; test $r = 0 || { test "$short" && test $r = 75; } || { echo "$d: $k"; cat said; }; done); done
stdout <<
>>

# closed forms: matrix exponentials; averages of the cycle
case dc-motor
run nssim -q $MODELS/dc-motor/dc-motor.xml -o a.csv
verify $CASES/measure a.csv 'near(c("drive.i_L1")[1000], 5.30681800671, 2e-6)' 'near(c("rotor.v_phi")[1000], 33.5906364989, 2e-5)' 'near(c("drive.i_L1")[-1], 1, 0.01)' 'max(abs(x) for x in c("diagnostics.energy_defect")) < 1e-12'

# at rest on the stop: torque of the motor is that of the weight and of the stop
case motor-arm
run nssim -q $MODELS/motor-arm/motor-arm.xml -o a.csv
verify $CASES/measure a.csv 'near(c("arm.angle")[-1], 0.7, 2e-5)' 'near(c("stop.force")[-1], 15*(1 - c("arm.angle")[-1]) - 0.981*cos(c("arm.angle")[-1]), 1e-8)' 'abs(c("arm.v_angle")[-1]) < 1e-9' 'max(abs(x) for x in c("diagnostics.energy_defect")) < 1e-12'

# loops of three periods: no overshoot, current within its limit; let go once the heat is above its bound
case cascade-control
run nssim -q $MODELS/cascade-control/cascade-control.xml -o a.csv; nssim -q $MODELS/cascade-control/cascade-control.xml -p allowed=0.3 -o b.csv
verify $CASES/measure a.csv 'max(c("motor.phi")) < 1' 'near(c("motor.phi")[-1], 1, 1e-3)' 'max(c("motor.limited")) <= 5' 'max(abs(x - y) for x, y in zip(c("motor.limited"), c("motor.limited")[1:])) < 0.2 + 1e-12' 'max(abs(x) for x in c("motor.u")) <= 12'
verify $CASES/measure b.csv 'c("motor.wanted")[-1] == 0' 'max(c("motor.wanted")) > 2' 'c("heat.value")[-1] > 0.3'

# the estimate finds angle and velocity from a wrong guess
case pendulum-kalman
run nssim -q $MODELS/pendulum-kalman/pendulum-kalman.xml -o a.csv
verify $CASES/measure a.csv 'max(abs(x - y) for x, y, t in zip(c("rod.phi"), c("rod.a"), c("time")) if t > 3) < 0.06' 'max(abs(x - y) for x, y, t in zip(c("rod.v_phi"), c("rod.w"), c("time")) if t > 3) < 0.2' 'abs(c("rod.phi")[0] - c("rod.a")[0]) > 0.2'

# the damper that a coil commands moves the car by a quarter of what it moves it without current
case skyhook
run nssim -q $MODELS/skyhook/skyhook.xml -o a.csv; nssim -q $MODELS/skyhook/skyhook.xml -p gain=0 -o b.csv
verify $CASES/measure a.csv 'max(c("car.y")) < 0.922' 'min(c("car.y")) > 0.889' 'near(c("suspension.force")[-1], 2943 + 18e3*(0.6 - c("suspension.length")[-1]), 1e-8)' 'max(abs(x) for x in c("diagnostics.energy_defect")) < 1e-8'
verify $CASES/measure b.csv 'max(c("car.y")) > 0.95' 'max(abs(x) for x in c("diagnostics.energy_defect")) < 1e-11'

# what the vessel takes in is the volume of all inward strokes; oil that flows has its pressure
case check-valve-pump
run nssim -q $MODELS/check-valve-pump/check-valve-pump.xml -o a.csv
verify $CASES/measure a.csv 'near(sum(c("flow.value")), sum(max(0, -v) for v in c("piston.v_x")), 1e-9)' 'max(abs(p*1e-5 - q) for p, q, f in zip(c("vessel.p"), c("pressure.value"), c("flow.value")) if f > 1e-9) < 1e-12' 'near(c("vessel.p")[-1], 527203, 10)' 'max(abs(x) for x in c("diagnostics.energy_defect")) < 1e-11'

# two netlists that read each other: expm((-2, 1/2; 2, -1)) of their distance from 10 V and 20 V
case two-filters
run nssim $MODELS/two-filters/two-filters.xml -q -o a.csv
verify $CASES/measure a.csv 'near(at(1e-3, "low.v_C1"), 10 - 5.140370, 1e-4)' 'near(at(1e-3, "high.v_C2"), 20 - 15.732920, 1e-4)' 'near(at(1e-3, "node_in.v"), 2*at(1e-3, "low.v_C1"), 1e-9)' 'near(c("high.v_C2")[-1], 20, 0.02)'

case buck-motor
run nssim $MODELS/buck-motor/buck-motor.xml -o a.csv | grep -E ' = .*(mean|max|min)'
stdout-match voltage = 12 V \(mean\)
stdout-match speed = 220 rad/s \(mean\)
stdout-match current = 1 A \(mean\)
stdout-match most = 1\.1500781
stdout-match least = 0\.8499219

# the cart arrives, its actuator at the limits on the way; without them the closed loop's overshoot
case lead-compensator-with-limits
run nssim -q $MODELS/lead-compensator/lead-compensator.xml --json > j; nssim -q $MODELS/lead-compensator/lead-compensator.xml -p limit=1000 -p rate=1e6 --json > k
verify $CASES/measured j 'near(M["end"], 1, 1e-9)' 'M["strongest"] == 1.5' 'M["highest"] < 1.001'
verify $CASES/measured k 'near(M["end"], 1, 1e-9)' 'M["strongest"] > 20' '1.1 < M["highest"] < 1.3'

# sums over impacts close the balance of energy with what the racket does between them; warm, it rebounds better
case squash-ball-keeps-the-energy
run nssim -q $MODELS/squash-ball/squash-ball.xml --json > j; nssim -q $MODELS/squash-ball/squash-ball.xml -p warming=0 --json > k
verify $CASES/measured j 'near(M["balance"], 0, 1e-8)' 'M["heat"] > 0.1' 'M["hits"] > 20' 'M["warm"] > 3'
verify $CASES/measured k 'near(M["balance"], 0, 1e-8)' 'M["heat"] > 0.1' 'M["hits"] > 20'

# six pushes and what is of one at t0; heat is what the flywheel has lost
case brake-fade-keeps-the-energy
run nssim -q $MODELS/brake-fade/brake-fade.xml --json > j; nssim -q $MODELS/brake-fade/brake-fade.xml -p fade=1e12 --json > k
verify $CASES/measured j 'near(M["lost"], 0, 1e-5)' 'M["push"] == 6' 'near(M["heat"], 0.25*(100**2 - M["speed"]**2), 1e-4)' 'M["speed"] > 40'
verify $CASES/measured k 'near(M["speed"], 100 - 40*(6*0.3 + 0.1001674211615598/6.283185307179586), 1e-6)' 'near(M["lost"], 0, 1e-5)'
