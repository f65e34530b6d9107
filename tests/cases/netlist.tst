# SPDX-License-Identifier: GPL-3.0-or-later
# Netlists: models that are made of them, and what results hold of their elements.

case netlist-diode-bridge
run nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -o out.h5
exit 0
stdout-match ^complete: 4999 steps to t = 0\.004999 s in .*residual <= [0-9.]+e-1[5-9]
exists out.h5

case netlist-bridge-is-the-bridge-by-matrices
run nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -q -o a.csv; nssim $TOP/models/diode-bridge/diode-bridge.xml --t-end 4.999e-3 -q -o b.csv; cut -d, -f1-3 a.csv >a; cut -d, -f1-3 b.csv >b; python3 -c 'import csv, sys; a = list(csv.reader(open("a")))[1:]; b = list(csv.reader(open("b")))[1:]; sys.exit(not (len(a) == len(b) == 5000 and max(abs(float(x) - float(y)) for p, q in zip(a, b) for x, y in zip(p, q)) < 1e-12))'
exit 0

case netlist-both-formats-hold-the-elements
run nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -q -o out.h5; nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -q -o out.csv; nssim compare out.h5 out.csv
exit 0
stdout-match ^same:

case netlist-record-by-name
run nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -q -o - --record 'R1.*' --record node_p.v --record power.value | head -1
exit 0
stdout <<
time,R1.v,R1.i,node_p.v,power.value
>>

case netlist-record-misspelt
run nssim $TOP/models/diode-bridge-netlist/diode-bridge-netlist.xml -q -o - --record R2.v
exit 2
stderr-match did you mean "D2\.v"

case netlist-bridge-filter
run nssim $TOP/models/bridge-filter/bridge-filter.xml -q -o - --record 'Rload.v' | tail -1 | cut -d, -f2
exit 0
stdout-match ^5\.(1|09999999999999|10000000000000)

case netlist-boost-converter
run nssim $TOP/models/boost-converter/boost-converter.xml
exit 0
stdout-match ^complete: 200000 steps to t = 0\.02 s in .*residual <= [0-9.]+e-1[5-9]

case netlist-ladder
run nssim $TOP/models/ladder/ladder.xml -o out.h5
exit 0
stdout-match ^complete: 200 steps to t = 0\.002 s in .*residual <= [0-9.]+e-1[0-9]

case netlist-ladder-of-ten
run nssim $TOP/models/ladder/ladder.xml -p n=10 -q -o out.h5 && nssim info --all out.h5 | grep -c elements/R
exit 0
stdout <<
11
>>

case netlist-in-a-file
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="R" value="2"/></parameters>
  <netlist id="k" file="parts/divider.cir"/>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
  <output><record select="R2.v"/></output>
</model>
>>
file parts/divider.cir <<
* a divider
V1 a 0 t
R1 a b R
R2 b 0 R
.end
>>
run nssim m.xml -q -o -
exit 0
stdout <<
time,R2.v
0,0
0.5,0.25
1,0.5
>>

case netlist-redundant-states-are-noted
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="k">
    V1 a 0 sin(t)
    C1 a b 1
    C2 b 0 1
    L1 c 0 1
    L2 c d 1
    R1 d 0 1
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 0
stdout-match ^  1 FirstOrderLinearDS of 2: k \(v_C1, i_L1\)
stderr <<
nssim: note: m.xml:5: <netlist id="k">: C2 is in a loop with V1, C1: its voltage follows from theirs and is no state
nssim: note: m.xml:7: <netlist id="k">: L2 is in a cut with L1: its current follows from theirs and is no state
>>

case netlist-explained
run nssim explain netlist
exit 0
stdout-match ^  Dname a b \[vf=volt\] +ideal diode: 0 <= i _\|_ vf - v >= 0
