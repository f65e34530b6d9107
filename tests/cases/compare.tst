# SPDX-License-Identifier: GPL-3.0-or-later
# nssim compare.

case compare-same-run-twice
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim compare a.h5 b.h5
stdout <<
same: A = a.h5, B = b.h5
  largest   0 of its tolerance: ball.x at t = 0 s: 1 in A, 1 in B, difference 0, tolerance 1e-06
  compared  12 quantities, 2001 rows, 38 events, up to t = 10 s
  tolerance rtol 1e-06, atol 1e-09, time 0 s
>>
stderr <<
>>

case compare-file-with-itself-exactly
run nssim -q $MODELS/cam-follower/cam-follower.xml -o a.csv && nssim compare a.csv a.csv --rtol 0 --atol 0 -q
stdout <<
>>

case compare-h5-with-csv
run nssim -q $MODELS/bead-column/bead-column.xml -o a.h5 && nssim -q $MODELS/bead-column/bead-column.xml -o a.csv && nssim compare a.h5 a.csv --rtol 0 --atol 0 && nssim compare a.csv a.h5 --rtol 0 --atol 0
stdout-match ^same: A = a\.h5, B = a\.csv$
stdout-match ^same: A = a\.csv, B = a\.h5$

case compare-other-steps-within-a-time-tolerance
setup sed 's/h="0.005"/h="0.0025"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml
setup nssim -q fine.xml -o fine.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o coarse.h5
run nssim compare fine.h5 coarse.h5 --time-tol 0.05 --rtol 0.05 && nssim compare coarse.h5 fine.h5 --time-tol 0.05 --rtol 0.05
stdout-match ^same: A = fine\.h5, B = coarse\.h5$
stdout-match ^same: A = coarse\.h5, B = fine\.h5$
# the accumulation is said
stdout-match ^  note      events of ground \(row 0\) accumulate at t = 7\.[0-9]+ s

case compare-time-stepping-with-event-driven
run $CASES/cli/two_drivers.py
stdout <<
>>
timeout 120

case compare-other-steps-without-a-time-tolerance
setup sed 's/h="0.005"/h="0.0025"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml
setup nssim -q fine.xml -o fine.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o coarse.h5
run nssim compare fine.h5 coarse.h5 --rtol 0.05
exit 1
stdout-match ^  first     row 2 is at t = 0\.0025 s in A, at t = 0\.005 s in B; for runs with different steps give --time-tol$

# a force at rest, where impulses halve with the step and their sums do not
case compare-impulses-of-other-steps-as-sums
setup sed 's/h="0.005"/h="0.0025"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml
setup for m in fine:fine.xml coarse:$MODELS/bouncing-ball/bouncing-ball.xml; do nssim -q ${m#*:} -p e=0 --t-end 3 -o ${m%%:*}.csv; done
run nssim compare fine.csv coarse.csv --time-tol 0.01 --rtol 0.03 --json >j; cat j
verify python3 -c 'import json; j = json.load(open("j")); q = {x["label"]: x for x in j["quantities"]}; assert j["same"] and q["ground.lambda"]["compared"] == "sums" == q["ball.p_x"]["compared"] and q["ground.lambda"]["rows"] >= 1 and abs(q["ground.lambda"]["worst"]["b"]) > 20, q'

# the same, but with twice the weight: the sum tells
case compare-sums-tell-another-force
setup sed 's/h="0.005"/h="0.0025"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml
setup nssim -q fine.xml -p e=0 --t-end 3 -p m=2 -o fine.csv && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0 --t-end 3 -o coarse.csv
run nssim compare fine.csv coarse.csv --time-tol 0.01 --rtol 0.03 --only ground.lambda
exit 1
stdout-match worst     ground\.lambda at t = 3 s: 58\.

case compare-thinned-rows-of-other-steps-are-not-silently-compared
setup sed 's/h="0.005"/h="0.0025"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml
setup nssim -q fine.xml --t-end 1 --every 4 -o fine.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 --every 2 -o coarse.h5
run nssim compare fine.h5 coarse.h5 --time-tol 0.02 --rtol 0.05
stdout-match ^  note      ground\.lambda is not compared: steps differ, and rows represent several steps
run nssim compare fine.h5 coarse.h5 --time-tol 0.02 --rtol 0.05 --only ground.lambda,ball.p_x
stdout-match no quantity could be compared
exit 1

case compare-another-restitution
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.8 -o a.h5 && nssim compare a.h5 b.h5
exit 1
stdout-match ^DIFFERENT: A = a\.h5, B = b\.h5$
stdout-match ^  first     impulse of the impact of ground \(row 0\) at t = 0\.435 s: 7\.64199 N s in A, 8\.06382 N s in B
stdout-match ^  also      impact 2 of ground \(row 0\) at t = 1\.21 s is in B, not in A
stdout-match ^  worst     ball\.p_x at t = [0-9.]+ s: 0 in A

# everything else agrees: the event alone is missing
case compare-one-impact-missing
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 3 -o a.csv
setup for f in csv json events.csv; do cp a.$f b.$f; done; sed -i 4d a.events.csv
run nssim compare a.csv b.csv
exit 1
stdout-match ^  first     impact 3 of ground \(row 0\) at t = 1\.905 s is in B, not in A; the next one there is at t = 2\.535 s, --time-tol is 0 s$
run nssim compare b.csv a.csv
stdout-match ^  first     impact 3 of ground \(row 0\) at t = 1\.905 s is in A, not in B
run nssim compare a.csv b.csv --until 1.9
stdout-match ^same: 
exit 0

case compare-truncated
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 5 -o a.h5 && nssim compare a.h5 b.h5 --until 5 && nssim compare b.h5 a.h5; nssim compare a.h5 b.h5
exit 1
stdout-match ^same: A = a\.h5
stdout-match ^  first     B ends at t = 5 s, A continues to t = 10 s$
stdout-match ^  first     A ends at t = 5 s, B continues to t = 10 s$

case compare-until-beyond-the-end
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim compare a.h5 a.h5 --until 20
exit 1
stdout-match ^  first     A ends at t = 10 s, before t = 20 s \(--until\)$

# not complete is never the same, not even as itself
case compare-interrupted
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 --max-steps 100; nssim compare a.h5 a.h5 --until 0.1
exit 1
stdout-match ^  first     the run of A is not complete: INTERRUPTED \(exit 75\)
stdout-match ^  also      the run of B is not complete

# the impact comes one step (5 ms) later
case compare-shifted-jump-around-the-tolerance
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 -o b.csv
setup sed 's/<q0>1 /<q0>1.02 /' $MODELS/bouncing-ball/bouncing-ball.xml >high.xml && nssim -q high.xml --t-end 1 -o a.csv
run nssim compare a.csv b.csv --rtol 0.05 --time-tol 0.0051 -q; echo $?; nssim compare a.csv b.csv --rtol 0.05 --time-tol 0.0049; echo $?; nssim compare a.csv b.csv --rtol 0.05; echo $?
stdout-match ^  first     impact 1 of ground \(row 0\) at t = 0\.435 s is in B, not in A; the next one there is at t = 0\.44 s
verify nssim compare a.csv b.csv --rtol 0.05 --time-tol 0.0051 -q && ! nssim compare a.csv b.csv --rtol 0.05 --time-tol 0.0049 -q && ! nssim compare a.csv b.csv --rtol 0.05 -q

case compare-until-before-the-chaotic-tail
timeout 60
setup nssim -q $MODELS/double-pendulum/double-pendulum.xml -o b.h5
setup sed 's/<q0>\([^<]*\)<\/q0>/<q0>\1+1e-6<\/q0>/' $MODELS/double-pendulum/double-pendulum.xml >other.xml && nssim -q other.xml -o a.h5
run nssim compare a.h5 b.h5 --rtol 1e-3 --until 0.5 && nssim compare a.h5 b.h5 --rtol 1e-9
exit 1
stdout-match ^same: 
stdout-match ^DIFFERENT

# ---- tables by hand ----

case compare-nan-on-one-side
file a.csv <<
time,x
0,1
1,
2,3
>>
file b.csv <<
time,x
0,1
1,2
2,3
>>
run nssim compare b.csv a.csv; nssim compare a.csv b.csv
exit 1
stdout-match ^  first     x at t = 1 s is not finite in A: NaN in A, 2 in B$
stdout-match ^  first     x at t = 1 s is not finite in B: 2 in A, NaN in B$

case compare-nan-on-both-sides
file a.csv <<
time,x,y
0,1,1
1,nan,2
2,3,3
>>
run nssim compare a.csv a.csv --only y; nssim compare a.csv a.csv
exit 1
stdout-match ^same: 
stdout-match ^  first     x at t = 1 s is not finite in A and in B: NaN in A, NaN in B$

case compare-infinity-on-both-sides
file a.csv <<
time,x
0,1
1,inf
>>
run nssim compare a.csv a.csv
exit 1
stdout-match not finite in A and in B: inf in A, inf in B

# A has a NaN where B has no row
case compare-nan-between-the-rows-of-the-reference
file a.csv <<
time,x
0,0
0.5,nan
1,1
>>
file b.csv <<
time,x
0,0
1,1
>>
run nssim compare a.csv b.csv --time-tol 0.1
exit 1
stdout-match ^  first     x at t = 0\.5 s is not finite in A

case compare-nan-in-time
file a.csv <<
time,x
0,0
nan,1
>>
run nssim compare a.csv a.csv
exit 1
stdout-match ^  first     time of A is not a number at row 2, after t = 0 s$

case compare-time-that-goes-back
file a.csv <<
time,x
0,0
1,1
0.5,2
>>
run nssim compare a.csv a.csv
exit 1
stdout-match time of A is less than before at row 3

case compare-columns-in-another-order
file a.csv <<
time,x,y
0,1,2
1,3,4
>>
file b.csv <<
y;time;x
2;0;1
4;1;3
>>
run nssim compare a.csv b.csv
stdout-match ^  compared  2 quantities, 2 rows

case compare-missing-column
file a.csv <<
time,x
0,1
1,3
>>
file b.csv <<
time,x,y
0,1,2
1,3,4
>>
run nssim compare a.csv b.csv; nssim compare b.csv a.csv; nssim compare a.csv b.csv --ignore y && nssim compare a.csv b.csv --only x && nssim compare a.csv b.csv
exit 1
stdout-match ^  first     y is in B, not in A$
stdout-match ^  first     y is in A, not in B$
verify nssim compare a.csv b.csv --ignore y -q && nssim compare b.csv a.csv --only x -q

case compare-other-unit
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 -o a.csv && for f in csv json events.csv; do cp a.$f b.$f; done
setup sed -i 's/"unit": "m\/s"/"unit": "mm\/s"/' a.json
run nssim compare a.csv b.csv; nssim compare a.csv b.csv --ignore '*.ydot' -q || echo ignored too; nssim compare a.csv b.csv -q
exit 1
stdout-match ^  first     ground\.ydot is in mm/s in A, in m/s in B$
stdout-not ignored too

case compare-only-and-ignore
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.4 -o b.h5
setup sed 's/<q0>1 0 0/<q0>1 0.5 0/' $MODELS/bouncing-ball/bouncing-ball.xml >side.xml && nssim -q side.xml --t-end 0.4 -o a.h5
run nssim compare a.h5 b.h5 --only ground && nssim compare a.h5 b.h5 --ignore ball.y && nssim compare a.h5 b.h5 --ignore 'ball.?' && nssim compare a.h5 b.h5 --only 'ball.*,ground.*' --ignore ball.y,ball.phi && nssim compare a.h5 b.h5 --only ball.q
exit 1
stdout-match ^  compared  4 quantities
stdout-match ^  compared  11 quantities
stdout-match ^  first     ball\.y at t = 0 s: 0\.5 in A, 0 in B

case compare-diagnostics-only-when-named
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.4 -o b.csv && for f in json events.csv; do cp b.$f a.$f; done
setup awk -F, -v OFS=, 'NR>1 {$NF=1} 1' b.csv >a.csv
run nssim compare a.csv b.csv && nssim compare a.csv b.csv --only 'diagnostics.*'
exit 1
stdout-match ^same
stdout-match ^  first     diagnostics\.energy_defect at t = 0 s: 1 in A, 0 in B

case compare-pattern-of-nothing
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.1 -o a.h5
run nssim compare a.h5 a.h5 --only ground.lamda
exit 2
stderr-match no quantity "ground\.lamda"; did you mean "ground\.lambda"\?

case compare-with-a-foreign-table
setup zcat $TOP/tests/data/reference/bouncing-ball-ts.csv.gz >ref.csv
setup sed '/<e>-R<\/e>/s///' $MODELS/bouncing-ball/bouncing-ball.xml >ball.xml && nssim -q ball.xml -o a.h5
file names <<
# names of the reference
ball.x = q
ball.v_x=v

ball.p_x=p
>>
run nssim compare a.h5 ref.csv --map-file names --map ground.lambda=lambda --map time=t --only q,v,p,lambda --rtol 1e-10 --atol 1e-12
stdout-match ^same
stdout-match ^  compared  4 quantities, 2001 rows, 0 events
stdout-match ^  note      events are not compared: one file is a table of another program without them$

case compare-with-a-foreign-table-that-has-more
setup zcat $TOP/tests/data/reference/bouncing-ball-ts.csv.gz >ref.csv
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5
run nssim compare a.h5 ref.csv --map ball.x=q --only 'ball.x,row'
exit 1
stdout-match ^  first     row is in B, not in A$
stdout-match ^  worst     ball\.x|^  worst     q at t

case compare-map-of-nothing
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.1 -o a.h5
run nssim compare a.h5 a.h5 --map ball.z=ball.x
exit 2
stderr-match no quantity "ball\.z"

case compare-map-file-is-read-to-its-faults
file b.csv <<
time,x
0,1
>>
file names <<
# right
x=x
wrong
>>
run nssim compare b.csv b.csv --map-file nothing; echo $?; nssim compare b.csv b.csv --map-file names
exit 2
stdout <<
66
>>
stderr <<
nssim: error: nothing: cannot read: No such file or directory
nssim: error: names:3: 'wrong': expected A=B
>>

case compare-empty-files
file a.csv <<
time,x
>>
file none.csv <<
>>
file b.csv <<
time,x
0,1
>>
run nssim compare a.csv b.csv; nssim compare a.csv a.csv; echo $?; nssim compare none.csv b.csv
exit 66
stdout-match ^  first     A has no rows$
stdout-match ^  also      B has no rows$
stdout-match ^1$

case compare-one-row
file b.csv <<
time,x
0,1
>>
file a.csv <<
time,x
0,2
>>
run nssim compare b.csv b.csv && nssim compare a.csv b.csv
exit 1
stdout-match ^  first     x at t = 0 s: 2 in A, 1 in B

case compare-missing-file
file b.csv <<
time,x
0,1
>>
run nssim compare nothing.h5 b.csv
exit 66
stderr-match ^nssim: error: nothing\.h5: cannot read

case compare-usage
run nssim compare a.h5; echo $?; nssim compare a b c; echo $?; nssim compare a b --rtol x; echo $?; nssim compare a b --map x; echo $?; mkdir d; nssim compare d b; echo $?; nssim compare a b --rtoll 1
exit 2
stdout <<
2
2
2
2
2
>>
stderr-match did you mean '--rtol'

case compare-tolerance-scales-with-the-range
file a.csv <<
time,x
0,1000
1,1000.9
>>
file b.csv <<
time,x
0,1000
1,1001
>>
run nssim compare a.csv b.csv --rtol 1.01e-4 && nssim compare a.csv b.csv --atol 0.1001 --rtol 0 && nssim compare a.csv b.csv --rtol 9.9e-5
exit 1
stdout-match ^  first     x at t = 1 s: 1000\.9 in A, 1001 in B, difference 0\.1, tolerance 0\.0991$

# both sides of a jump have one time: nothing is interpolated between them
case compare-two-rows-of-one-time
file a.csv <<
time,v
0,-1
0.3,-1
0.5,-1
0.5,1
1,1
>>
file b.csv <<
time,v
0,-1
0.5,-1
0.5,1
1,1
>>
run nssim compare a.csv b.csv --time-tol 0.01 && nssim compare b.csv a.csv --time-tol 0.01
stdout-match ^same

case compare-folders
setup mkdir a b && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a/ball.csv && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b/ball.csv
setup nssim -q $MODELS/cam-follower/cam-follower.xml -o a/cam.h5 && nssim -q $MODELS/cam-follower/cam-follower.xml --t-end 0.1 -o b/cam.h5 && cp b/cam.h5 b/only.h5
run nssim compare a b --junit report.xml
exit 1
stdout-match ^same        ball\.csv: 12 quantities, 2001 rows, 38 events$
stdout-match ^DIFFERENT   cam\.h5: B ends at t = 0\.1 s, A continues to t = 
stdout-match ^DIFFERENT   only\.h5: is in B, not in A$
stdout-match ^3 files: 1 the same, 2 different, 0 unreadable$
verify xmllint --noout report.xml && test $(grep -c '<testsuite ' report.xml) = 3 && grep -q 'name="only.h5" tests="1" failures="1"' report.xml

case compare-folders-the-same
setup mkdir a b && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a/ball.h5 && cp a/ball.h5 b/
run nssim compare a/ b/ --json >j
verify python3 -c 'import json; j = json.load(open("j")); assert j["same"] and j["files"] == 1 and j["comparisons"][0]["same"] and j["comparisons"][0]["status"] == 0, j'

case compare-folders-with-a-broken-file
setup mkdir a b && echo '<x/>' >a/x.h5 && cp a/x.h5 b/
run nssim compare a b
exit 66
stdout-match ^UNREADABLE  x\.h5: 
stderr-match ^nssim: error: a/x\.h5: is an XML file
stdout-match ^1 file: 0 the same, 0 different, 1 unreadable$

case compare-folders-without-outputs
setup mkdir a b
run nssim compare a b
exit 66
stderr-match neither a nor b has outputs

case compare-json
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.8 -o a.h5
run nssim compare a.h5 b.h5 --json >j
exit 1
verify python3 -c 'import json; j = json.load(open("j")); assert not j["same"] and j["status"] == 1 and j["first"]["kind"] == "event" and j["first"]["time"] == 0.435 and j["worst"]["quantity"] == "ball.p_x" and j["worst"]["ratio"] > 1e5 and j["quantities_different"] == 6 and j["quantities_compared"] == 12 == len(j["quantities"]), j'

case compare-junit
skip-unless command -v xmllint
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.8 -o a.h5
run nssim compare a.h5 b.h5 --junit r.xml -q
exit 1
stdout <<
>>
verify xmllint --noout r.xml && test $(xmllint --xpath 'count(//testcase)' r.xml) = $(xmllint --xpath 'string(//testsuite/@tests)' r.xml) && test $(xmllint --xpath 'count(//failure)' r.xml) = $(xmllint --xpath 'string(//testsuite/@failures)' r.xml) && test $(xmllint --xpath 'count(//failure)' r.xml) = 7

case compare-plot
skip-unless command -v gnuplot
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o b.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.8 -o a.csv
run nssim compare a.csv b.h5 --only ball.x --plot worst.svg -q
exit 1
content-match worst.svg >A<
content-match worst.svg >B<
content-match worst.svg >B - A \[m\]<
content-match worst.svg >ball\.x \[m\]<
content-match worst.svg ball\.x: A = a\.csv, B = b\.h5
verify python3 -c 'import xml.dom.minidom as m; m.parse("worst.svg")'

case compare-status-is-documented
run nssim list statuses && nssim compare --help && nssim --help
stdout-match ^ *1 +.*compare: different
stdout-match Exit status 0: the same, 1:
stdout-match ^  compare +compare two outputs

# ---- event-driven runs ----

case compare-event-driven-with-other-tolerances
setup sed 's/rtol="[^"]*"/rtol="1e-7"/; s/atol="[^"]*"/atol="1e-9"/' $MODELS/bouncing-ball/bouncing-ball-events.xml >loose.xml && nssim -q loose.xml -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball-events.xml -o b.h5
run nssim compare a.h5 b.h5 --time-tol 1e-5 --rtol 1e-4
stdout-match ^same: 

# time-stepping against event-driven: impulses of steps with forces over time and impulses of events
case compare-event-driven-with-time-stepping
setup sed 's/h="0.005"/h="0.0005"/' $MODELS/bouncing-ball/bouncing-ball.xml >fine.xml && nssim -q fine.xml -p R=1e-3 -p e=0.5 --t-end 1.1 -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball-events.xml --t-end 1.1 -o b.h5
run nssim compare a.h5 b.h5 --only ball.x,ball.v_x,ground.y --time-tol 2e-3 --rtol 5e-3; nssim compare a.h5 b.h5 --only ground.lambda,ball.p_x --time-tol 2e-3 --rtol 5e-3
stdout-match ^same: 
stdout-match ^  compared  3 quantities, 1\d\d rows, 2 events, up to t = 1\.1 s$
stdout-match ^  compared  1 quantity, 1\d\d rows, 2 events, up to t = 1\.1 s$
stdout-match ^  note      ball\.p_x is not compared: it is a force in B, which is event-driven, and the impulse of a step in A$

# ---- quaternions: q and -q are one rotation ----

case compare-quaternions-up-to-sign
file a.csv <<
time,w,x,y,z,s
0,1,0,0,0,1
1,-0.8,-0.6,0,0,1
2,0,1,0,0,1
3,0.6,-0.8,0,0,1
>>
file b.csv <<
time,w,x,y,z,s
0,1,0,0,0,1
1,0.8,0.6,0,0,1
2,0,-1,0,0,1
3,-0.6,0.8,0,0,1
>>
run nssim compare a.csv b.csv -q || nssim compare a.csv b.csv --quaternion w,x,y,z && sed 's/,0.6,-0.8/,0.6,0.8/' a.csv >c.csv && nssim compare c.csv b.csv --quaternion w,x,y,z
exit 1
stdout-match ^same: 
stdout-match ^  first     x at t = 3 s: 0\.8 in A, 0\.8 in B|^  first     w at t = 3 s

case compare-quaternions-are-interpolated-on-one-side
file a.csv <<
time,w,x,y,z
0,1,0,0,0
1,-0.98480775301220802,-0.17364817766693033,0,0
2,0.93969262078590843,0.34202014332566871,0,0
>>
file b.csv <<
time,w,x,y,z
0,1,0,0,0
0.5,0.99619469809174555,0.087155742747658166,0,0
1,0.98480775301220802,0.17364817766693033,0,0
1.5,-0.9659258262890683,-0.25881904510252074,0,0
2,0.93969262078590843,0.34202014332566871,0,0
>>
run nssim compare a.csv b.csv --quaternion w,x,y,z --time-tol 1e-3 --rtol 0.01
stdout-match ^same: 

# seven coordinates without names: a place and a quaternion
case compare-quaternions-are-known-by-their-place
file m.xml <<
<model xmlns="urn:nssim:model:1" name="body">
  <systems><LagrangianLinearTIDS id="body"><q0>1 2 3 0.6 0 0.8 0</q0><v0>1 0 0 0 0 0 0</v0><mass diag="1 1 1 1 1 1 1"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.1"><TimeStepping h="0.01"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
</model>
>>
setup nssim -q m.xml -o b.h5 && nssim -q m.xml -o a.csv && awk -F, -v OFS=, 'NR > 5 { for (k = 5; k <= 8; k++) $k = -$k } 1' a.csv >c && mv c a.csv
run nssim compare a.csv b.h5 && nssim compare b.h5 a.csv && sed -i 's/,0.59999/,0.51/; s/,0.80000/,0.81/' a.csv && nssim compare a.csv b.h5 --rtol 1e-3
exit 1
stdout-match ^same: A = a\.csv
stdout-match ^same: A = b\.h5
stdout-match ^DIFFERENT

case compare-quaternions-that-are-not-there
file a.csv <<
time,w,x
0,1,0
>>
run nssim compare a.csv a.csv --quaternion w,x,y,z; nssim compare a.csv a.csv --quaternion w,x
exit 2
stderr-match --quaternion 'w,x,y,z': expected four compared quantities of B, separated by commas; 'y' is not one
stderr-match --quaternion 'w,x': expected four

# ---- tails ----

# the impacts of the tail differ, the states hardly do
case compare-events-until
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 3 -o a.csv && for f in csv json events.csv; do cp a.$f b.$f; done && sed -i 4d a.events.csv
run nssim compare a.csv b.csv -q || nssim compare a.csv b.csv --events-until 1.9 && nssim compare a.csv b.csv --events-until 1.91 -q
exit 1
stdout-match ^same: 
stdout-match ^  note      from t = 1\.9 s on \(--events-until\) events are not matched$
stdout-match 2 events \(\d+ omitted

# but a state that differs there still does
case compare-states-after-events-until
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 3 -o b.csv && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 3 -o a.csv && awk -F, -v OFS=, 'NR > 1 && $1 > 2.2 {$2 += 0.1} 1' a.csv >c && mv c a.csv
run nssim compare a.csv b.csv --events-until 1; nssim compare a.csv b.csv --until 2 -q
stdout-match ^  first     ball\.x at t = 2\.20\d* s

# a ball that comes to rest: how many impacts the pile has depends on the step, where it rests does not
case compare-zeno-tail
setup for h in 0.005 0.002; do sed "s/h=\"0.005\"/h=\"$h\"/" $MODELS/bouncing-ball/bouncing-ball.xml >m.xml; nssim -q m.xml -p e=0.5 --t-end 4 -o $h.h5; done
run nssim compare 0.002.h5 0.005.h5 --time-tol 0.05 --rtol 0.03 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.5 -p R=0.2 --t-end 4 -o c.h5; nssim compare c.h5 0.005.h5 --time-tol 0.05 --rtol 0.03 --only ball.x
exit 1
stdout-match ^same: 
stdout-match accumulate at t = 1\.\d+ s: they are not matched after that$
stdout-match ^DIFFERENT

# ---- scales, folders ----

case compare-nominal-value
file a.csv <<
time,x,y
0,1e-5,1
1,-1e-5,1
>>
file b.csv <<
time,x,y
0,0,1
1,0,1
>>
run nssim compare a.csv b.csv -q || nssim compare a.csv b.csv --nominal x=10 --rtol 1.01e-6 && nssim compare a.csv b.csv --nominal 'x=10' --rtol 0.99e-6 --atol 0
exit 1
stdout-match ^same: 
stdout-match ^  first     x at t = 0 s: 1e-05 in A, 0 in B, difference 1e-05, tolerance 9\.9e-06$

case compare-nominal-usage
file a.csv <<
time,x
0,1
>>
run for n in x x= x=0 x=a =1; do nssim compare a.csv a.csv --nominal $n; echo $?; done; nssim compare a.csv a.csv --nominal z=1
exit 2
stdout <<
2
2
2
2
2
>>
stderr-match --nominal 'x=0': expected PATTERN=V
stderr-match no quantity "z"

case compare-folders-in-folders
setup mkdir -p a/one/deep b/one/deep b/two && printf 'time,x\n0,1\n' >a/one/deep/x.csv && cp a/one/deep/x.csv b/one/deep/ && cp a/one/deep/x.csv a/x.csv && cp a/x.csv b/ && cp a/x.csv b/two/y.csv && ln -s .. a/one/loop
run nssim compare a b; rm b/two/y.csv; nssim compare a b/ --junit r.xml
stdout <<
same        one/deep/x.csv: 1 quantity, 1 row, 0 events
DIFFERENT   two/y.csv: is in B, not in A
same        x.csv: 1 quantity, 1 row, 0 events
3 files: 2 the same, 1 different, 0 unreadable
same        one/deep/x.csv: 1 quantity, 1 row, 0 events
same        x.csv: 1 quantity, 1 row, 0 events
2 files: 2 the same, 0 different, 0 unreadable
>>
content-match r.xml name="one/deep/x\.csv"

# ---- measures ----

case compare-measures
file measures <<
<measures>
  <measure id="top" kind="max" from="1">ball.x</measure>
  <measure id="hits" kind="count" event="impact" interaction="ground"/>
  <measure id="never" kind="count" event="impact" interaction="ground" from="0" until="0.1"/>
  <measure id="last" kind="sample" event="impact" interaction="ground" keep="5">v_x</measure>
</measures>
>>
setup python3 -c 'import os; m = open(os.environ["MODELS"] + "/bouncing-ball/bouncing-ball.xml").read(); open("m.xml", "w").write(m.replace("</model>", open("measures").read() + "</model>"))'
setup nssim -q m.xml --t-end 3 -o b.h5 && nssim -q m.xml --t-end 3 -o a.csv && nssim -q m.xml --t-end 3 -p e=0.85 -o c.h5
run nssim compare a.csv b.h5 && nssim compare c.h5 b.h5 --only measures; nssim compare c.h5 b.h5 --only measures.hits --json >j; nssim compare c.h5 b.h5 --only 'measures.t*' --rtol 0.5
stdout-match ^same: A = a\.csv
stdout-match ^  compared  16 quantities, 601 rows, 4 events
stdout-match ^  first     measures\.last has 5 samples in A, 4 in B$
stdout-match ^  worst     measures\.hits: 5 in A, 4 in B, difference 1, tolerance 4e-06$
stdout-match ^  differing 3 quantities: measures\.top, measures\.hits, measures\.last$
stdout-match of its tolerance: measures\.top: 0\.56\d+ in A, 0\.68\d+ in B
stdout-match ^  note      events are not compared
verify python3 -c 'import json; j = json.load(open("j")); assert not j["same"] and j["quantities_compared"] == 1 and j["worst"]["a"] == 5 and j["worst"]["b"] == 4, j'

case compare-measures-missing-and-until
setup sed 's#</model>#<measures><measure id="top" kind="max">ball.x</measure></measures></model>#' $MODELS/bouncing-ball/bouncing-ball.xml >m.xml && nssim -q m.xml --t-end 1 -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 -o b.h5
run nssim compare a.h5 b.h5 --until 0.9 && nssim compare a.h5 b.h5 --ignore measures && nssim compare a.h5 b.h5; nssim compare b.h5 a.h5; nssim compare a.h5 b.h5 --only measures.tip
exit 2
stdout-match ^  note      measures are not compared: they cover the whole run, and --until is given$
stdout-match ^  first     measures\.top is in A, not in B$
stdout-match ^  first     measures\.top is in B, not in A$
stderr-match no quantity "measures\.tip"

case compare-without-events
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 3 -o a.csv && for f in csv json events.csv; do cp a.$f b.$f; done && sed -i 2,4d a.events.csv
run nssim compare a.csv b.csv -q || nssim compare a.csv b.csv --ignore events
stdout-match ^same: 
stdout-match ^  note      events are not compared \(--ignore events, or --only measures\)$

# Contacts between shapes, by pairs of them.
case contacts-of-shapes
file m.xml <<
<model xmlns="urn:nssim:model:1" name="slide">
  <parameters><parameter name="mu" value="0.2"/><parameter name="h" value="0.01"/></parameters>
  <systems><NewtonEulerDS id="box"><q0>0 0 0.1 1 0 0 0</q0><v0>1 0 0 0 0 0</v0><Box size="0.4 0.4 0.2" density="100"/><fExt>0 0 -32</fExt></NewtonEulerDS></systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="mu"/><Plane normal="0 0 1"/></contacts>
  <simulation T="0.1"><TimeStepping h="h"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup nssim run m.xml -q -o a.h5; nssim run m.xml -q -o a.csv; nssim run m.xml -p mu=0.22 -q -o b.h5; nssim run m.xml -p h=0.005 -q -o f.h5
run nssim compare a.h5 a.h5 --only contacts; nssim compare a.csv a.h5; nssim compare f.h5 a.h5 --time-tol 0.01 --rtol 0.1; nssim compare a.h5 b.h5 --only contacts.gap; nssim compare b.h5 a.h5 --only 'contacts.*'
exit 1
stdout-match ^  compared  2 quantities, 11 rows, 0 events, up to t = 0.1 s$
stdout-match ^  note      contacts between shapes are not compared: A contains none$
stdout-match ^  note      contacts.impulse is not compared: steps differ, and it is a value per step$
stdout-match ^same: A = a.h5, B = b.h5$
stdout-match ^DIFFERENT: A = b.h5, B = a.h5$
stdout-match ^  first     contacts.impulse of shapes 0 and 1 at t = 0.01 s: -0.0704.* in A, -0.064.* in B, difference 0.0064, tolerance
