# SPDX-License-Identifier: GPL-3.0-or-later
# What the models of rigid bodies claim in their comments, measured. M is the Python dictionary of measures.

case ball-with-backspin-ends-in-rolling
run nssim -q $MODELS/spinning-ball/spinning-ball.xml --json > j
verify $CASES/measured j 'near(M["speed"], 2/7, 1e-12)' 'abs(M["slip"]) < 1e-12' 'near(M["rest"], 4.063713, 0.06)'

case ball-with-much-backspin-comes-back
run nssim -q $MODELS/spinning-ball/spinning-ball.xml -p w0=-80 --json > j
verify $CASES/measured j 'near(M["speed"], (10-16)/7, 1e-12)'

case bowled-ball-rolls-in-time
run nssim -q $MODELS/slip-to-roll/slip-to-roll.xml --json > j
verify $CASES/measured j 'near(M["rolls"], 0.4368719965, 1e-4)' 'near(M["speed"], 15/7, 1e-12)' 'near(M["way"], 1.901516570, 6e-5)'

case disc-ceases-to-spin-and-to-slide-together
run nssim -q $MODELS/spinning-disc/spinning-disc.xml --json > j; nssim -q $MODELS/spinning-disc/spinning-disc.xml -p v0=0 --json > k
verify $CASES/measured j 'near(M["spinning"], M["sliding"], 1e-4)' 'M["spinning"] > 0.85'
verify $CASES/measured k 'near(M["spinning"], 0.8494733, 1e-3)'

case disc-ceases-together-whatever-it-began-with
run for v0 in 0.05 0.2 0.5 1 2 3; do nssim -q $MODELS/spinning-disc/spinning-disc.xml -p v0=$v0 --json > j$v0; done
verify for v0 in 0.05 0.2 0.5 1 2 3; do $CASES/measured j$v0 'near(M["spinning"], M["sliding"], 1e-4)' || exit 1; done

case free-body-turns-over-in-its-time
run nssim -q $MODELS/dzhanibekov/dzhanibekov.xml --json > j
verify $CASES/measured j 'near(M["flip"], 18.85103579, 1e-4)' 'M["most"]/M["least"] < 1+1e-12'

case top-keeps-its-inclination
run nssim -q $MODELS/heavy-top/heavy-top.xml --json > j
verify $CASES/measured j 'near(M["lowest"], pi/3, 3e-5)' 'near(M["highest"], pi/3, 1e-12)' 'abs(M["azimuth"]) < 6e-5'

case rod-on-a-hinge-has-its-period
run nssim -q $MODELS/pendulum-joint/pendulum-joint.xml --json > j
verify $CASES/measured j 'near(M["period"], 1.9333348544, 2e-6)' 'near(M["fastest"], sqrt(3*9.81), 1e-5)' 'M["length"] < 2e-8'

case rods-on-hinges-keep-their-energy
run nssim -q $MODELS/double-pendulum-joints/double-pendulum-joints.xml --json > j
verify $CASES/measured j 'M["depth"] > -1.5-1e-8' 'M["gain"] < 1e-2'

case slider-crank-on-joints-turns-in-its-time
run nssim -q $MODELS/slider-crank-joints/slider-crank-joints.xml --json > j; nssim check $MODELS/slider-crank-joints/slider-crank-joints.xml
verify $CASES/measured j 'near(M["turn"], 0.06788626631, 2e-6)' 'near(M["stroke"], 0.153, 3e-6)' 'near(M["energy"], 6.66271e-4*150**2/2, 1e-3)'

case four-bar-on-joints-moves
run nssim -q $MODELS/four-bar-joints/four-bar-joints.xml --json > j
verify $CASES/measured j 'M["gap"] < 1e-8' 'M["most"]/M["least"] < 1+1e-3'

case chain-bends-from-the-hook
run nssim -q $MODELS/body-chain/body-chain.xml --json > j
verify $CASES/measured j 'M["stone"] < 1e-6' 'M["whip"] > 6.5' 'M["sideways"] < 1e-9'

case boxes-stand-or-topple-or-slide
run nssim -q $MODELS/box-stack/box-stack.xml -p T=5 --json > j; nssim -q $MODELS/box-stack/box-stack.xml -p n=3 -p mu=0.2 -p tilt=11deg -p T=1 --json > k; nssim -q $MODELS/box-stack/box-stack.xml -p n=3 -p mu=0.2 -p tilt=12deg -p T=1 --json > l
verify $CASES/measured j 'M["sunk"] < 1e-8' 'M["shifted"] < 1e-8'
verify $CASES/measured k 'M["sunk"] < 1e-6' 'M["shifted"] < 1e-6'
verify $CASES/measured l 'near(M["shifted1"], 9.81/2*(sin(radians(12))-0.2*cos(radians(12))), 2e-3)'

case tall-stack-takes-few-sweeps-and-sinks-little
timeout 120
run for k in 0 7 21 42; do nssim -q $MODELS/box-stack/box-stack.xml -p n=100 -p T=2 -p tilt=${k}e-8deg --json > j$k; done
verify for k in 0 7 21 42; do $CASES/measured j$k 'abs(M["sunk"]) < 3e-3' 'C["penetration_max"] < 2e-4' 'C["solver_iterations"] < 25000' || exit 1; done

case box-on-a-slope-slides-stays-topples
run nssim -q $MODELS/incline-box/incline-box.xml --json > j; nssim -q $MODELS/incline-box/incline-box.xml -p alpha=20 --json > k; nssim -q $MODELS/incline-box/incline-box.xml -p alpha=65 -p mu=3 -p T=0.3 --json > l
verify $CASES/measured j 'near(M["speed"], 1.506716, 1e-6)' 'M["turn"] < 1e-9'
verify $CASES/measured k 'abs(M["speed"]) < 1e-10'
verify $CASES/measured l 'M["turn"] > 0.02'

case arch-stands-where-it-is-thick-enough
timeout 120
run nssim -q $MODELS/masonry-arch/masonry-arch.xml -p T=0.5 --json > j; nssim -q $MODELS/masonry-arch/masonry-arch.xml -p T=1 -p thick=0.10 --json > k
verify $CASES/measured j 'abs(M["crown"]) < 1e-5'
verify $CASES/measured k 'M["crown"] < -0.01'

case tower-stands
timeout 120
run nssim -q $MODELS/masonry-tower/masonry-tower.xml -p T=0.5 --json > j
verify $CASES/measured j 'abs(M["sunk"]) < 1e-5' 'M["shifted"] < 1e-5'

# A hundred bricks at rest: each step begins with the impulses of the last one in its own axes, and has little to add. In other axes,
# or other directions where edges meet, it was 500 sweeps a step.
case tower-at-rest-needs-few-sweeps
timeout 120
run nssim -q $MODELS/masonry-tower/masonry-tower.xml -p n=25 -p T=0.5 --json > j
verify test $($CASES/cli/json j 'd["certificate"]["residual_max"] <= 1e-8 and d["certificate"]["solver_iterations"] <= 1500') = True

# A tower that topples, bricks on edges from the first step on: sweeps do not solve such problems.
case tower-falls
timeout 120
run sed 's|tolerance="1e-8"|tolerance="1e-6"|' $MODELS/masonry-tower/masonry-tower.xml >m.xml; nssim -q m.xml -p tilt=30deg -p T=0.15 --json > j
verify test $($CASES/cli/json j 'd["certificate"]["residual_max"] <= 1e-6 and d["certificate"]["energy_kinetic"] > 0.5') = True

case dominoes-fall-one-after-the-other
timeout 120
run nssim -q $MODELS/dominoes/dominoes.xml --json > j; nssim -q $MODELS/dominoes/dominoes.xml -p w0=8 --json > k
verify $CASES/measured j '0 < M["half"] < M["end"] < 1'
verify $CASES/measured k '0 < M["half"] < M["end"] < 1'

# Without errors of steps: what steps of 1e-4 s say is near it.
case dominoes-fall-by-events-as-by-steps
timeout 120
run nssim -q $MODELS/dominoes/dominoes-events.xml -p n=4 --json > j; sed 's/h="1e-3"/h="1e-4"/' $MODELS/dominoes/dominoes.xml >m.xml; nssim -q m.xml -p n=4 --json > k
verify test $($CASES/cli/json j 'max(d["certificate"]["law_breach_max"], d["certificate"]["motion_defect_max"]) <= 1') = True
verify $CASES/measured j "abs(M['end'] - $($CASES/cli/json k 'd["measures"]["end"]["value"]')) < 1e-3"

case three-cylinders-stand-by-both-frictions
timeout 60
run for k in "0.2733 0.2" "0.2626 0.2" "0.3 0.0911" "0.5 0.0875"; do set -- $k; nssim -q $MODELS/three-cylinders/three-cylinders.xml -p mu=$1 -p muGround=$2 --json > j$1$2; done
verify for k in 0.27330.2 0.30.0911; do $CASES/measured j$k 'abs(M["apart"]) < 1e-8' || exit 1; done; for k in 0.26260.2 0.50.0875; do $CASES/measured j$k 'M["apart"] > 1e-1' || exit 1; done

case ball-stops-by-rolling-friction
run nssim -q $MODELS/rolling-decay/rolling-decay.xml --json > j
verify $CASES/measured j 'near(M["stop"], 1.4271151886, 1e-3)' 'near(M["way"], 0.7135575943, 1e-3)' 'M["back"] > -1e-12'

case rod-slides-like-chalk
run nssim -q $MODELS/painleve-rod-3d/painleve-rod-3d.xml --json > j
verify $CASES/measured j 'M["below"] > -2e-4' 'M["across"] < 1e-9'

case rover-drives-uphill
run nssim -q $MODELS/rover/rover.xml --json > j
verify $CASES/measured j 'near(M["speed"], (4*1.5/0.15-15*9.81*sin(radians(10)))/(15+4*0.5), 1e-6)' 'M["slip"] < 1e-6' 'M["drift"] < 1e-6'

case grains-fill-a-box
timeout 120
run nssim -q $MODELS/sphere-pile/sphere-pile.xml -p T=0.2 --json > j
verify python3 -c 'import json; c = json.load(open("j"))["certificate"]; assert c["residual_max"] <= 1e-4 and c["penetration_max"] < 0.01, c'

# Among the parts of these problems are small ones whose residual is the same twice, to the bit, while impulses still move.
case sweeps-alone-solve-a-falling-pile
run for s in 0.14 0.15 0.16; do nssim -q $MODELS/sphere-pile/sphere-pile.xml -p s=$s -p T=0.25 --set GenericMechanical@solver=nsgs --json >$s.json || exit 1; done
verify python3 -c 'import json; r = [json.load(open(f"0.{s}.json"))["certificate"]["residual_max"] for s in (14, 15, 16)]; assert max(r) <= 1e-4, r'

# Beverloo's law is one of experiments: within 15 %, bulk density 0.6 of that of a grain; as much later on as at first
case grains-run-through-a-hole
timeout 200
run nssim -q $MODELS/hourglass/hourglass.xml -p T=0.35 -o a.csv
verify $CASES/measure a.csv 'near(sum(at(0.35, f"grain{i}.z") < 0.08 for i in range(588)) - sum(at(0.15, f"grain{i}.z") < 0.08 for i in range(588)), 0.2*0.74*0.6*sqrt(9.81)*(0.045-1.4*0.008)**2.5/(4/3*pi*0.004**3), 0.15*218)' 'near(sum(at(0.25, f"grain{i}.z") < 0.08 for i in range(588)) - sum(at(0.15, f"grain{i}.z") < 0.08 for i in range(588)), sum(at(0.35, f"grain{i}.z") < 0.08 for i in range(588)) - sum(at(0.25, f"grain{i}.z") < 0.08 for i in range(588)), 2*sqrt(218))'

case disk-on-a-slope-rolls-or-slides
run nssim -q $MODELS/planar-incline/planar-incline.xml --json > j; nssim -q $MODELS/planar-incline/planar-incline.xml -p alpha=40 --json > k; nssim -q $MODELS/planar-incline/planar-incline.xml -p muRolling=0.005 --json > l
verify $CASES/measured j 'near(M["speed"], 9.81/3, 1e-9)' 'abs(M["slip"]) < 1e-12'
verify $CASES/measured k 'near(M["speed"], 9.81*(sin(radians(40))-0.24*cos(radians(40))), 1e-9)' 'near(M["slip"], 9.81*(sin(radians(40))-0.72*cos(radians(40))), 1e-9)'
verify $CASES/measured l 'near(M["speed"], 9.81/1.5*(0.5-0.05*cos(radians(30))), 1e-9)' 'abs(M["slip"]) < 1e-12'

case squares-in-the-plane-stand-topple-slide
run nssim -q $MODELS/planar-stack/planar-stack.xml --json > j; nssim -q $MODELS/planar-stack/planar-stack.xml -p tilt=5.6 -p T=2 --json > k; nssim -q $MODELS/planar-stack/planar-stack.xml -p tilt=5.8 -p T=2 --json > l; nssim -q $MODELS/planar-stack/planar-stack.xml -p n=3 -p mu=0.2 -p tilt=12 -p T=1 --json > m
verify $CASES/measured j 'M["shifted"] < 1e-8' 'M["turned"] < 1e-9'
verify $CASES/measured k 'M["shifted"] < 1e-6' 'M["turned"] < 1e-7'
verify $CASES/measured l 'M["turned"] > 1e-3'
verify $CASES/measured m 'near(M["shifted1"], 9.81/2*(sin(radians(12))-0.2*cos(radians(12))), 1e-2)' 'M["turned"] < 1e-6'

case slider-crank-in-the-plane-turns-in-its-time
run nssim -q $MODELS/planar-slider-crank/planar-slider-crank.xml --json > j; nssim -q $MODELS/planar-slider-crank/planar-slider-crank.xml -p tau=0.5 -p T=0.5 --json > k; nssim check $MODELS/planar-slider-crank/planar-slider-crank.xml
verify $CASES/measured j 'near(M["turn"], 0.06788626631, 2e-6)' 'near(M["stroke"], 0.153, 3e-6)' 'near(M["energy"], 6.66271e-4*150**2/2, 1e-3)'
verify $CASES/measured k 'near(M["way"], 6.66271e-4*150**2/2/0.5, 0.01)' 'M["energy"] < 1e-9'
stdout-match 8 constraints of rank 8: 1 degree of freedom is left

# Through the narrow hole arches form and break: of twelve widths within 5e-7 of 0.035, 19 to 46 disks, 34 on average. Five of them.
case hopper-in-the-plane-runs-evenly-and-by-its-width
timeout 120
file through.py <<
import csv, sys
def fallen(path):
    rows = {round(float(row["time"]), 6): row for row in csv.DictReader(open(path))}
    return sum((float(rows[0.4][f"disk{i}.y"]) < 0.15) - (float(rows[0.2][f"disk{i}.y"]) < 0.15) for i in range(288))
n = [fallen(path) for path in sys.argv[1:]]
assert 25 <= sum(n)/len(n) <= 43, n
>>
run for d in 0.035 0.0350001 0.0350002 0.0350003 0.0350004 0.05; do nssim -q $MODELS/planar-hopper/planar-hopper.xml -p D=$d -p T=0.4 -o $d.csv; done
verify python3 through.py 0.035.csv 0.0350001.csv 0.0350002.csv 0.0350003.csv 0.0350004.csv
verify $CASES/measure 0.05.csv '68 <= sum(at(0.4, f"disk{i}.y") < 0.15 for i in range(288)) - sum(at(0.2, f"disk{i}.y") < 0.15 for i in range(288)) <= 92'

# Second order where contact lasts: against motions without slip, integrated to 1e-12 with multipliers at the level of accelerations.
# z, x, y at 0.2 s and z at 1 s of the kicked coin, with its half thickness; halving h quarters errors and the energy that is lost.
case coin-rolls-at-second-order
file order.py <<
import csv, math
def run(h):
    rows = list(csv.DictReader(open(f"{h}.csv")))
    at = lambda t: min(rows, key=lambda r: abs(float(r["time"]) - t))
    q = [float(at(0.2)[f"disk.{c}"]) for c in "zxy"] + [float(rows[-1]["disk.z"])]
    e = [float(r["diagnostics.kinetic"]) + float(r["diagnostics.potential"]) for r in (rows[0], rows[-1])]
    off = 5e-8 * math.cos(0.3)
    err = max(abs(a - b) for a, b in zip(q, (0.01186196044 + off, 4.85298425e-4, 9.38099099e-4, 0.0121812694581 + off)))
    return err, abs(e[1] - e[0]) / e[0]
r = [run(h) for h in ("1e-3", "5e-4", "2.5e-4")]
for k in 0, 1:
    p = [math.log2(a[k] / b[k]) for a, b in zip(r, r[1:])]
    assert all(1.9 < x < 2.15 for x in p), (k, p, r)
assert r[2][0] < 4e-6 and r[2][1] < 2e-4, r
>>
run for h in 1e-3 5e-4 2.5e-4; do sed "s/h=\"1e-4\"/h=\"$h\"/; s/every=\"20\"/every=\"1\"/" $MODELS/euler-disk/euler-disk.xml >m.xml && nssim -q m.xml -p kick=1 -o $h.csv || exit 1; done
verify python3 order.py

# The steady coin keeps its height, on a plane and on the top of a block, wherever they are, thick or thin.
case coin-that-is-not-kicked-keeps-its-height
run nssim -q $MODELS/euler-disk/euler-disk.xml --json >j
verify $CASES/measured j '0.9999 < M["low"] and M["high"] < 1.0001'
verify sed 's,<Plane/>,<Plane at="7 -3 0.75"/>,; s,<q0 axis="0 1 0" angle="al">0 0 ,&0.75+,; s,<measure id="\(low\|high\)" kind="\(min\|max\)">z,<measure id="\1" kind="\2">(z-0.75),' $MODELS/euler-disk/euler-disk.xml >a.xml && nssim -q a.xml --json >j && $CASES/measured j '0.9999 < M["low"] and M["high"] < 1.0001'
verify sed 's,<Plane/>,<Box size="2 2 0.5" at="0 0 -0.25"/>,' $MODELS/euler-disk/euler-disk.xml >b.xml && nssim -q b.xml --json >j && $CASES/measured j '0.9999 < M["low"] and M["high"] < 1.0001'
verify nssim -q $MODELS/euler-disk/euler-disk.xml -p d=1e-4 -p R=0.0375 -p m=0.44 --json >j && $CASES/measured j '1.0039 < M["low"] and M["high"] < 1.0046'
verify nssim -q $MODELS/euler-disk/euler-disk.xml -p al=0.1 --json >j && $CASES/measured j '0.999 < M["low"] and M["high"] < 1.001'

# Omega_z of the rattleback at 10 s is 4.54007716; spun the other way it never turns.
case rattleback-turns-at-second-order
file order.py <<
import csv, math
def run(h):
    rows = list(csv.DictReader(open(f"{h}.csv")))
    e = [float(r["diagnostics.kinetic"]) + float(r["diagnostics.potential"]) for r in (rows[0], rows[-1])]
    return abs(float(rows[-1]["stone.Omega_z"]) - 4.54007716), abs(e[1] - e[0]) / e[0]
r = [run(h) for h in ("1e-3", "5e-4", "2.5e-4")]
for k in 0, 1:
    p = [math.log2(a[k] / b[k]) for a, b in zip(r, r[1:])]
    assert all(1.9 < x < 2.15 for x in p), (k, p, r)
assert r[2][0] < 1.5e-3 and r[2][1] < 5e-5, r
>>
run for h in 1e-3 5e-4 2.5e-4; do sed "s/h=\"1e-3\"/h=\"$h\"/" $MODELS/rattleback/rattleback.xml >m.xml && nssim -q m.xml -o $h.csv || exit 1; done
verify python3 order.py
verify nssim -q $MODELS/rattleback/rattleback.xml -p spin=5 -o f.csv && awk -F, 'NR > 1 && $14 < 1 { exit 1 }' f.csv

case geared-arm-hangs-below-its-command-by-its-load
run nssim -q $MODELS/joint-motor/joint-motor.xml --json > j
verify $CASES/measured j 'near(M["elbowOff"], -2*9.81*0.2/500, 1e-4)' 'near(M["shoulderOff"], 2*9.81*0.8/500, 1e-4)' '2 < M["fastest"] < 8'

# a post in the middle bends the fingers alike, one that stands off it the near finger more; a force F along a tendon does the work F times
# what it gives way
case models-tendon-hand
run nssim -q $MODELS/tendon-hand/tendon-hand.xml -p off=0 --json > m && nssim -q $MODELS/tendon-hand/tendon-hand.xml --json > o
verify python3 -c 'import json; m, o = (json.load(open(f))["measures"] for f in "mo"); a, b = ([x[k]["value"] for k in ("bent0", "bent1")] for x in (m, o)); assert abs(a[0] - a[1]) < 1e-4 and b[0] - b[1] > 0.05 and -0.012 < o["pulled"]["value"] < -0.006, (a, b)'

# Runs out as Staron & Hinch (2005) found, 2.5 a, within what so few disks scatter; seeds and taller ones: tests/grains.
case column-of-disks-collapses
timeout 120
run nssim -q $MODELS/column-collapse/column-collapse.xml -p tolerance=1e-3 -o a.csv
verify $CASES/measure a.csv '0.7*2.5 < sorted(at(0.62, f"grain{i}.x") for i in range(1, 105))[100]/0.05 - 1 < 1.3*2.5' 'sorted(at(0.2, f"grain{i}.x") for i in range(1, 105))[103] < 0.05'

# The floor of a smooth silo carries all, of a rough one Janssen's part by a ratio of pressures of 0.3 to 1.2.
case walls-carry-grains
timeout 120
run for m in 0 0.5; do nssim -q $MODELS/silo/silo.xml -p fill=2 -p tolerance=1e-3 -p muWall=$m -o $m.csv; done
verify $CASES/measure 0.csv 'near(-sum(p for p, y in zip(c("floor.p_y"), c("floor.y")) if y < -0.0101)/sum(y < -0.0101 for y in c("floor.y"))/0.005, 133*20*9.81*pi*0.96*0.0025**2, 0.05*0.47)'
verify $CASES/measure 0.5.csv '0.4 < -sum(p for p, y in zip(c("floor.p_y"), c("floor.y")) if y < -0.0101)/sum(y < -0.0101 for y in c("floor.y"))/0.005/(133*20*9.81*pi*0.96*0.0025**2) < 0.7'
