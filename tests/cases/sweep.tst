# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps from the shell. What disturbs them: tests/study/run-sweep; wrong studies: sweep-errors.tst.

case dry-run-lists-the-runs
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
  <override name="T" value="2"/>
  <grid><list name="e" values="0.5 0.9"/><range name="m" from="1" to="2" count="2"/></grid>
  <zip><list name="e" values="0.1 0.2"/><list name="h" values="0.01 0.02"/></zip>
</study>
>>
run nssim sweep s.xml --dry-run
stdout <<
1  run  T = 2, e = 0.5, m = 1
2  run  T = 2, e = 0.5, m = 2
3  run  T = 2, e = 0.9, m = 1
4  run  T = 2, e = 0.9, m = 2
5  run  T = 2, e = 0.1, h = 0.01
6  run  T = 2, e = 0.2, h = 0.02
6 runs, 6 to do
>>

case what-is-collected
copy cli/ball.xml
file s.csv <<
e,h,T
0.5,0.01,1

1/2,,1
0.9,0.005,
>>
run nssim sweep s.csv --model ball.xml -o D -q && nssim sweep s.csv --model ball.xml -o D --dry-run; cut -d, -f1,3-8 D/measures.csv; nssim sweep status D | head -2
stdout <<
1  done  e = 0.5, h = 0.01, T = 1
2  done  e = 1/2, T = 1
3  done  e = 0.9, h = 0.005
3 runs, 0 to do
run,status,e,h,T,certificate.t,certificate.steps
1,complete,0.5,0.01,1,1,100
2,complete,0.5,0.0050000000000000001,1,1,200
3,complete,0.90000000000000002,0.0050000000000000001,10,10,2000
D: s.csv on ball.xml
  runs       3: 3 complete, 0 failed, 0 missing
>>
verify h5dump -d /parameters/e -d /status D/measures.h5 | grep -q 'complete, complete, complete'

# A value that the model cannot have fails its own run.
# Of a folder info reads its table, HDF5 before CSV.
case info-of-a-folder
copy cli/ball.xml
file s.csv <<
e,h,T
0.5,0.01,1
0.5,0.01,2
>>
run nssim sweep s.csv --model ball.xml -o D -q; mkdir none; for d in D D/; do nssim info $d | head -3; done; nssim info D --print run,T; rm D/measures.h5; nssim info D | head -1; nssim info none
exit 66
stdout <<
D/measures.h5
  status       measures of a sweep
  rows         2, one for each run
D/measures.h5
  status       measures of a sweep
  rows         2, one for each run
run,T
1,1
2,2
D/measures.csv
>>
stderr <<
nssim: error: none: is a folder, expected a file (HDF5 or CSV); the table of a sweep is its file measures.csv
>>

case a-failure-is-kept-with-its-sentence
copy cli/ball.xml
file s.csv <<
e
0.5
2
0.7
>>
run nssim sweep s.csv --model ball.xml -o D -j 1; echo $?; nssim sweep s.csv --model ball.xml -o D -q; echo $?; nssim sweep status D --json
exit 0
replace in [0-9.]+ [mun]?s \(their steps: [0-9.]+ [mun]?s\) => in TIME
replace "loops": .* => "loops": TIME
stdout <<
failed: 2 of 3 runs complete, 1 failed; 3 of them now in TIME; D/measures.csv, .h5
70
70
{
  "study": "s.csv",
  "model": "ball.xml",
  "runs": 3,
  "complete": 2,
  "failed": 1,
  "missing": 0,
  "killed": 0,
  "loops": TIME
  "damaged": 0,
  "failures": [
    {
      "run": 2,
      "key": "f9ee62070328ce632f55b2fb1e59387e",
      "exit": 65,
      "message": "ball.xml:22: <NewtonImpactNSL>: attribute e is 2, expected a number in [0, 1]: coefficient of restitution"
    }
  ]
}
>>
stderr <<
nssim: warning: run 2 (e = 2) failed: ball.xml:22: <NewtonImpactNSL>: attribute e is 2, expected a number in [0, 1]: coefficient of restitution
nssim: error: 1 of 3 runs failed; `nssim sweep status D` shows why, --retry-failed repeats them
nssim: error: 1 of 3 runs failed; `nssim sweep status D` shows why, --retry-failed repeats them
>>

case measures-and-samples
copy cli/ball.xml
setup sed -i 's|</model>|<measures><measure id="top" kind="max" from="0.5">x</measure><measure id="hits" kind="sample" event="impact" interaction="ground" keep="3">v_x</measure></measures></model>|' ball.xml
file s.csv <<
e
0.5
>>
run nssim sweep s.csv --model ball.xml -o D -q; head -1 D/measures.csv; h5ls D/measures.h5/measures
stdout <<
run,key,status,e,certificate.t,certificate.steps,certificate.impacts,certificate.residual_max,certificate.penetration_max,certificate.defect_max,top,hits[0],hits[1],hits[2]
certificate.defect_max   Dataset {1}
certificate.impacts      Dataset {1}
certificate.penetration_max Dataset {1}
certificate.residual_max Dataset {1}
certificate.steps        Dataset {1}
certificate.t            Dataset {1}
hits                     Dataset {1, 3}
top                      Dataset {1}
>>

case trajectories-on-request
copy cli/ball.xml
file s.csv <<
e
0.5
0.6
>>
run nssim sweep s.csv --model ball.xml -o D -q && ls D; nssim sweep s.csv --model ball.xml -o D -q --trajectories csv; ls D/runs | sed 's/^[0-9a-f]*//' | sort | uniq -c; rm D/runs/$(sed -n 3p D/measures.csv | cut -d, -f2).csv; nssim sweep s.csv --model ball.xml -o D --trajectories csv --json | grep done
stdout <<
journal-1-of-1
manifest
measures.csv
measures.h5
      2 .csv
      2 .events.csv
      2 .json
  "done": 1,
>>
verify nssim ball.xml -p e=0.6 -o t.csv -q && cmp t.csv D/runs/$(sed -n 3p D/measures.csv | cut -d, -f2).csv

case script-for-slurm
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml" name="my study"><range name="e" from="0" to="1" count="3"/></study>
>>
run nssim sweep s.xml -o D --slurm --tasks 8 -j 2; sh -n D/slurm.sh; grep -c '^#SBATCH' D/slurm.sh; sed -n 's|^srun.*nssim sweep|nssim sweep|p; /array/p; /job-name/p' D/slurm.sh
stdout <<
D/slurm.sh: 3 runs in 3 tasks; when they are done: nssim sweep collect D
8
#SBATCH --job-name=my-study
#SBATCH --array=1-3
nssim sweep $TMP/s.xml -o $TMP/D -j 2 --progress=lines --share "$SLURM_ARRAY_TASK_ID/3"
>>

case period-doubling-of-the-vibrating-table
timeout 100
setup cp $MODELS/vibrating-table/vibrating-table.xml .
file half.xml <<
<study xmlns="urn:nssim:model:1" model="vibrating-table.xml"><override name="jumps" value="700"/>
<range name="Gamma" from="1.505" to="1.575" count="29"/></study>
>>
file most.xml <<
<study xmlns="urn:nssim:model:1" model="vibrating-table.xml"><override name="jumps" value="700"/><override name="e" value="0.8"/>
<range name="Gamma" from="1.055" to="1.105" count="29"/></study>
>>
run nssim sweep half.xml -o half -q && nssim sweep most.xml -o most -q && python3 $CASES/sweep/threshold.py half/measures.csv 0.5 && python3 $CASES/sweep/threshold.py most/measures.csv 0.8
stdout-match ^1\.52[0-9]+ for 1\.52682
stdout-match ^1\.07[0-9]+ for 1\.07084

# Orders of the midpoint rule and of theta = 1, and of impacts, from the study that comes with nssim.
case orders-of-the-convergence-study
setup cp $MODELS/convergence-study/* .
run nssim sweep convergence-study.xml -o D -q; python3 -c 'import csv, math; r = [(float(x["theta"]), float(x["h"]), float(x["smooth"]), float(x["impact"])) for x in csv.DictReader(open("D/measures.csv"))]; o = [round(math.log(a[2] / b[2]) / math.log(a[1] / b[1]), 1) for a, b in zip(r, r[1:]) if a[0] == b[0]]; print(o); print(all(x[3] < 8 * x[1] for x in r))'
stdout <<
[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
True
>>

# 95 % of the values lie within the two standard deviations that the linear error propagation gives, and the mean is its.
case monte-carlo-meets-error-propagation
timeout 100
setup cp $MODELS/monte-carlo-study/* .
run nssim sweep monte-carlo-study.xml -o D -q; python3 -c 'import csv, math; r = [x for x in csv.DictReader(open("D/measures.csv"))][:2000]; t = lambda e, x: math.sqrt(2 * (x - 0.1) / 9.81) * (1 + e) / (1 - e); s = math.hypot(0.03 * (t(0.71, 1) - t(0.69, 1)) / 0.02, 0.05 * (t(0.7, 1.01) - t(0.7, 0.99)) / 0.02); rest = [float(x["rest"]) for x in r]; worst = max(abs(float(x["rest"]) / t(float(x["e"]), float(x["x0"])) - 1) for x in r); share = sum(abs(y - t(0.7, 1)) < 2 * s for y in rest) / len(rest); print(worst < 0.05, abs(sum(rest) / len(rest) - t(0.7, 1)) < 0.1 * s + 0.02, 0.93 < share < 0.97, worst, share)'
stdout-match ^True True True

# What the table says of a parameter is what the run had of it, in SI, whatever its unit and however the study gives it.
case values-are-in-si
file m.xml <<
<model xmlns="urn:nssim:model:1"><parameters><parameter name="a" value="20" unit="cm"/><parameter name="b" value="90" unit="degree"/>
<parameter name="c" value="50" unit="percent"/><parameter name="d" value="20" unit="celsius"/><parameter name="f" value="3" unit="kg cm^2"/>
<parameter name="g" value="0.7"/><parameter name="h" value="30" unit="cm"/></parameters>
<systems><LagrangianLinearTIDS id="s" coordinates="a_ b_ c_ d_ f_ g_"><q0>a b c d f g</q0></LagrangianLinearTIDS></systems>
<simulation T="1"><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation></model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml"><list name="a" values="0.1 h 2*h"/><range name="b" from="-1" to="h" count="3"/>
<random count="4" seed="3"><uniform name="c" from="0" to="1"/><normal name="d" mean="290" deviation="4"/></random>
<zip><list name="f" values="1e-4 2e-4"/><list name="g" values="1 2"/></zip><grid><override name="a" value="15"/><override name="d" value="25 celsius"/><list name="b" values="1"/></grid></study>
>>
file t.csv <<
a,b,c,d,f,g
0.1,1,0.25,300,2e-4,3
10 cm,45 degree,25 percent,30 celsius,,
15 cm,,,,3 kg cm^2,
>>
file same.py <<
import csv, sys
for name in sys.argv[1:]:
    rows = list(csv.DictReader(open(name + "/measures.csv")))
    runs = [r for r in rows if r["status"] == "complete"]
    off = [(r["run"], p) for r in runs for p in "abcdfg" if abs(float(r[p]) - float(r[f"s.{p}_"])) > 1e-15 * abs(float(r[p]))]
    print(len(rows), len(runs), off)
>>
run nssim sweep s.xml -o S -q; nssim sweep t.csv --model m.xml -o T -q; python3 same.py S T; nssim sweep collect -q T; python3 same.py T
stdout <<
13 13 []
3 3 []
3 3 []
>>
