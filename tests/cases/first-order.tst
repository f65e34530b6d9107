# SPDX-License-Identifier: GPL-3.0-or-later
# Runs of first-order systems from the command line: what is understood, said and written.

case check-says-kernel-problem-and-scheme
copy relay.xml
run nssim check relay.xml
stdout-match ^1 system, 2 states$
stdout-match ^  1 FirstOrderLinearTIR with RelayNSL, 2 rows: law$
stdout-match ^  integrator   EulerMoreauOSI, theta = 1, gamma = 1$
stdout-match ^  problem      Relay, 2 rows, dense, 4 entries$
stdout-match ^  a step       one pass, exact for this linear model$
stdout-match ^  kernel       dense: multipliers only$
stderr <<
>>

case check-json
copy relay.xml
run nssim check relay.xml --json >j
verify python3 -c 'import json; s = json.load(open("j")); t = s["simulation"]; assert (t["problem"], t["theta"], t["gamma"], t["full"], t["linear"], t["rows"]) == ("Relay", 1, 1, False, True, 2), t; assert "e" not in s["interaction_groups"][0]'

case closing-line-speaks-of-laws
copy relay.xml
run nssim run relay.xml -o out.csv
stdout-match ^complete: 20 steps to t = 2 s in .*; complementarity residual <= \S+, law violation <= \S+; written to out\.csv$
stdout-match ^  switches     2; at most 2 of 2 multipliers not at a bound$
stdout-match ^  final state  s: a = 0, b = 0, rates 0, 0$
stdout-not energy
stdout-not penetration
content-match out.csv ^time,s\.a,s\.b,s\.xdot_a,s\.xdot_b,s\.r_a,s\.r_b,law\.y\[0\],law\.y\[1\],law\.lambda\[0\],law\.lambda\[1\],diagnostics\.newton,.*,diagnostics\.violation$

case summary-json
copy relay.xml
run nssim run relay.xml -q -o out.csv --json >j
verify python3 -c 'import json; s = json.load(open("j")); c = s["certificate"]; assert c["switches"] == 2 and c["violation_max"] < 1e-12 and "energy_defect" not in c, c; assert s["systems"]["s"]["x"] == [0, 0], s["systems"]'

case switches-of-both-formats
copy relay.xml
run nssim run -q relay.xml -o out.h5 && nssim run -q relay.xml -o out.csv && nssim info out.h5 --events >h5.txt
verify cmp h5.txt out.events.csv && nssim info out.csv --events | cmp - h5.txt
verify awk -F, 'NR > 1 && $2 != "switch" { exit 1 } END { exit NR != 3 }' h5.txt
verify nssim compare out.h5 out.csv

case info-of-both-formats
copy relay.xml
run nssim run -q relay.xml -o out.h5 && nssim run -q relay.xml -o out.csv && nssim info out.h5
stdout-match ^  events       2: 2 switch$
stdout-match systems/s/x +\[21 x 2\] +a, b$
stdout-match ^    switches +2
stdout-match ^    violation_max
stdout-not penetration
verify for f in h5 csv; do nssim info out.$f | grep -v '^  \(command\|run\|where\|libraries\) ' | sed 1d >$f.txt; done; diff h5.txt csv.txt
verify nssim info out.h5 --json | python3 -c 'import json, sys; j = json.load(sys.stdin); assert j["events_by_kind"] == {"switch": 2} and j["certificate"]["switches"] == 2, j'

case a-missing-switch-is-a-difference
copy relay.xml
run nssim run -q relay.xml -o a.csv && nssim run -q relay.xml -o b.csv && sed -i 2d b.events.csv && nssim compare a.csv b.csv
exit 1
stdout-match switch

case unsolvable-law-ends-the-run-and-keeps-the-rest
copy relay.xml
run sed -e 's/<RelayNSL.>/<ComplementarityConditionNSL\/>/' -e 's/<C>1 0; 0 1/<C>-1 0; 0 1/' -e 's/<x0>1.05/<x0>-0.45/' -e 's/<A>.*A>/<b>1 0<\/b>/' relay.xml >bad.xml && nssim run bad.xml -o out.csv
exit 70
stderr-match one-step problem of 2 rows in the step from t = 0\.4 s was not solved: .*; the last good state is kept; try another solver or tolerance on <LCP>
stdout-match ^failed: 4 steps to t = 0\.4 s of 2 s
verify test $(wc -l <out.csv) = 6

case polyhedral-law
copy ../memory/first-order.xml
run nssim check first-order.xml
stdout-match ^  problem      AVI, 3 rows, dense, 9 entries$
stdout-match ^  1 FirstOrderLinearTIR with NormalConeNSL, 2 rows: hexagon$

case unreduced-kernel
copy ../memory/sparse.xml
run nssim check sparse.xml && nssim run -q sparse.xml -o a.csv && sed 's/<EulerMoreauOSI.*/&<Relay storage="dense"\/>/' sparse.xml >dense.xml && nssim run -q dense.xml -o b.csv
stdout-match ^  kernel       saddle-point form, sparse: state and multipliers in one problem$
stdout-match ^  problem      Relay, 50 rows, sparse, 54 entries$
verify nssim check dense.xml | grep '^  kernel       dense: multipliers only$' && nssim compare a.csv b.csv --rtol 1e-12 --only 's.*'

case records-by-name
copy relay.xml
run nssim run -q relay.xml -o - --record s.x --record law.lambda
stdout-match ^time,s\.a,s\.b,law\.lambda\[0\],law\.lambda\[1\]$

case record-of-what-is-not-there
copy relay.xml
run nssim run -q relay.xml -o - --record s.q
exit 2
stderr-match matches no quantity

case check-tells-relative-degrees
file m.xml <<END
<model xmlns="urn:nssim:model:1" name="d"><systems><FirstOrderLinearTIDS id="s"><x0>-1 0</x0><A>0 1; 0 0</A></FirstOrderLinearTIDS></systems>
<interactions><interaction id="r" systems="s"><FirstOrderLinearTIR><C>1 0; 0 1</C><B>0 0; 1 1</B></FirstOrderLinearTIR><RelayNSL/></interaction></interactions>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation></model>
END
run nssim check m.xml
exit 0
stdout-match ^  relative degree of r: 2 1
stdout-match ^  matrix of a step: 
stderr-match ^nssim: warning: m\.xml:2: <interaction id="r">: y\[0\] has relative degree 2, expected 0 or 1

case check-tells-a-jump-at-t0
file m.xml <<END
<model xmlns="urn:nssim:model:1" name="d"><systems><FirstOrderLinearTIDS id="s"><x0>-1</x0></FirstOrderLinearTIDS></systems>
<interactions><interaction id="r" systems="s"><FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction></interactions>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation></model>
END
run nssim check m.xml --json
exit 0
stdout-match "relative_degree"
stdout-match "matrix": "positive definite: one solution in every step"
stderr-match y\[0\] is -1 at t0, expected >= 0: the state jumps in the first step

# A state and a rate that are numbers, but whose sum is none: the component is named.
case first-order-overflow-names-the-component
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderLinearTIDS id="s" states="a x"><x0>1 1e300</x0><A>-1 0; 0 5</A></FirstOrderLinearTIDS></systems>
  <simulation T="1e3"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim run m.xml -q -o - 2>err >/dev/null; echo $?; grep -c '<FirstOrderLinearTIDS id="s">: component x overflowed in the step from t = 2.4 s' err
stdout <<
70
1
>>

# Pairs of a crowd: those that press take part in the problem of a step, and the motion is that of all pairs, also where
# a relay brakes one of them and its row always takes part.
case rows-that-act-give-the-motion-of-all-rows
file both <<
set -e
sed 's/T="3"/T="2"/; s/h="5e-3"/h="1e-2"/' $MODELS/crowd/crowd.xml >act.xml
[ "$2" != relay ] || sed -i 's|</interactions>|<interaction id="brake" systems="p1"><FirstOrderNonLinearR><h>x[0]+0.4</h><g>0.5*lambda[0], 0</g></FirstOrderNonLinearR><RelayNSL/></interaction>&|' act.xml
p=LCP; [ "$2" != relay ] || p=Relay
[ "$2" != full ] || sed -i "s,<EulerMoreauOSI/>,<EulerMoreauOSI theta='0.6' gamma='0.7' formulation='full'/>," act.xml
sed "s,<EulerMoreauOSI[^>]*/>,&<$p storage='sparse'/>," act.xml >all.xml
nssim -q all.xml -p n=15 -p $1 -o a.csv
nssim -q act.xml -p n=15 -p $1 -o b.csv
>>
file same.py <<
import csv
a, b = (list(csv.DictReader(open(f))) for f in ("a.csv", "b.csv"))
k = [k for k in a[0] if k.startswith("p") and k[-2:] in (".x", ".y")]
d = max(abs(float(p[c]) - float(q[c])) for p, q in zip(a, b) for c in k)
n = max(sum(float(p[c]) > 1e-9 for c in p if c.endswith(".lambda")) for p in a)
assert len(a) == len(b) == 201 and len(k) == 30 and d < 1e-10 and n >= 5, (d, n)
>>
run nssim check $MODELS/crowd/crowd.xml
stdout-match ^  kernel       active rows: multipliers only$
verify for c in "U=1.2 none" "r=0.28 relay" "door=-3 none" "U=1.3 full"; do sh both $c && python3 same.py || exit 1; done
timeout 60

# A file that is no library stands before LAPACK: matrices of up to 100 rows do without, others say what is missing.
case without-lapack-up-to-a-hundred-rows
setup mkdir lib && echo no >lib/liblapack.so.3 && sed 's/T="3"/T="0.1"/' $MODELS/crowd/crowd.xml >m.xml
run nssim -q m.xml -p n=50 -o a.csv && LD_LIBRARY_PATH=lib nssim -q m.xml -p n=50 -o b.csv && nssim compare a.csv b.csv --rtol 1e-10 --atol 1e-10
verify grep -q 'LAPACK not loaded' b.json && ! grep -q 'LAPACK not loaded' a.json
verify LD_LIBRARY_PATH=lib nssim -q m.xml -p n=51 -o c.csv 2>e; [ $? = 66 ] && grep -q 'liblapack.so.3 cannot be loaded, and a full matrix of 102 rows needs it (up to 100 do not)' e

# A tank that runs empty: the derivative of its outflow is infinite at the end, about which full passes of Newton's method go to and fro.
# x = (1 - t/5)^2 ends at 5 s, (sqrt(3) - t/2)^2 at 2 sqrt(3) s, x' = -sign(x) abs(x)^0.6 from -1 at 2.5 s.
case rates-with-an-infinite-slope
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>BEGIN</x0><f>RATE</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="8"><TimeStepping h="0.01"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run while read -r name begin rate; do sed "s/RATE/$rate/; s/BEGIN/$(echo $begin | tr , ' ')/" m.xml >$name.xml; nssim $name.xml -q -o $name.csv || echo $name; done
stdin <<
a 1,0 -0.4*sqrt(max(x, 0)) 0
b 3,0 -sign(x)*sqrt(abs(x)) 0
c -1,0 -sign(x)*abs(x)^0.6 0
>>
exit 0
stdout <<
>>
verify $CASES/measure a.csv 'near(c("a.x")[300], 0.16, 3e-3)' 'abs(c("a.x")[-1]) < 1e-12' && $CASES/measure b.csv 'near(c("a.x")[200], (3**0.5 - 1)**2, 6e-3)' 'abs(c("a.x")[-1]) < 1e-12'
verify $CASES/measure c.csv 'abs(c("a.x")[-1]) < 1e-12'

# States that slide to an equilibrium have no digits left in the end; the last problem of these is of numbers of 1e-323.
case sliding-to-nothing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="p" states="a b c"><x0>1 -0.5 0.7</x0><A>0 1 0; -1 0 0.3; 0.2 -0.4 0.5</A></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="p">
      <FirstOrderLinearTIR><C>1 0.2 0; 0 1 0.5; 0.3 0 1</C><B>2 0.5 0; -0.3 2 0.4; 0.2 0 3</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="1e-3"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
file tiny.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="v" value="1e-300"/></parameters>
  <systems><LagrangianLinearTIDS id="p" coordinates="a b c"><q0>0 0 0</q0><v0>7*v 4*v -3*v</v0><mass diag="1 2 0.3"/></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="r" systems="p"><LagrangianLinearTIR><H>1 0.2 0; 0 1 0.5; 0.3 0 1</H></LagrangianLinearTIR><RelayNSL/></interaction>
  </interactions>
  <simulation T="0.1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o m.csv; for v in 1e-323 1e-318 1e-308 1e-300 1e-291; do nssim -q tiny.xml -p v=$v -o tiny.csv || echo $v; done
exit 0
stdout <<
>>
verify $CASES/measure m.csv 'max(abs(c("p." + s)[-1]) for s in "abc") < 1e-300'
