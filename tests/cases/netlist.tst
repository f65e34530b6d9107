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
nssim: note: m.xml:5: <netlist id="k">: C2 is in a loop with V1, C1: its voltage is determined by theirs and is not a state
nssim: note: m.xml:7: <netlist id="k">: L2 is in a cut with L1: its current is determined by theirs and is not a state
>>

case netlist-explained
run nssim explain netlist
exit 0
stdout-match ^  Dname a b \[vf=volt\] +ideal diode: 0 <= i _\|_ vf - v >= 0

# Sources as SPICE writes them, with suffixes and units, event by event: closed forms at every row, edges as events.
case sources-of-spice
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<parameters><parameter name="TR" value="0.5e-3"/></parameters>
<netlist id="c">
V1 a 0 SIN(1 2.5k 50 2m 30 45)
V2 b 0 PULSE(0 5 1u TR 2*TR 3m 8m)
V3 c 0 exp( 1 -4 1m 2ms 6m 1ms )
V4 d 0 PWL(0 0 1m 3 4ms -2
+ 12m 10V)
V5 e 0 DC 5mV
V6 g 0 pulse(1 3)
V7 h 0 pulse(t, 4m, 1m) + sin(100*t)
I1 0 f PULSE(-1m 1mA 2m 0 0 1m 3m)
R1 a 0 4.7kOhm
R2 b 0 1meg
R3 c 0 10
R4 d 0 39.37mil
R5 e 0 2.2MEGohm
R6 f 0 1K
C1 f 0 100nF
R7 g 0 1
R8 h 0 1
</netlist>
<simulation T="0.03"><EventDriven h="1e-4"><CVodeOSI/></EventDriven></simulation>
</model>
>>
file check.py <<
from math import sin, pi, exp, fmod
import csv
def sine(t, VO=1, VA=2500, F=50, TD=2e-3, TH=30, PH=pi/4):
    return VO + VA*sin(PH) if t < TD else VO + VA*exp(-(t - TD)*TH)*sin(2*pi*F*(t - TD) + PH)
def pulse(t, V1=0, V2=5, TD=1e-6, TR=.5e-3, TF=1e-3, PW=3e-3, PER=8e-3):
    u = fmod(t - TD, PER)
    return (V1 if t < TD else V1 + (V2 - V1)*u/TR if u < TR else V2 if u < TR + PW else
            V2 + (V1 - V2)*(u - TR - PW)/TF if u < TR + PW + TF else V1)
def expo(t, V1=1, V2=-4, a=1e-3, ta=2e-3, b=6e-3, tb=1e-3):
    return V1 + (V2 - V1)*((t >= a)*(1 - exp(-(t - a)/ta)) - (t >= b)*(1 - exp(-(t - b)/tb)))
def pwl(t, p=((0, 0), (1e-3, 3), (4e-3, -2), (12e-3, 10))):
    return next((x + (y - x)*(t - a)/(b - a) for (a, x), (b, y) in zip(p, p[1:]) if t <= b), p[-1][1])
rows = list(csv.DictReader(open('a.csv')))
events = {float(e['time']) for e in csv.DictReader(open('a.events.csv'))}
assert len(rows) >= 301
for node, f, scale in (('a', sine, 2500), ('b', pulse, 5), ('c', expo, 5), ('d', pwl, 10), ('e', lambda t: 5e-3, 1), ('g', lambda t: 3, 1)):
    for r in rows:
        t = float(r['time'])
        assert abs(float(r['node_%s.v' % node]) - f(t)) < 1e-12*scale, (node, t, r['node_%s.v' % node], f(t))
for r in rows:
    t = float(r['time'])
    if min(abs(fmod(t, 4e-3) - x) for x in (0, 1e-3, 4e-3)) > 1e-9:
        assert abs(float(r['node_h.v']) - (fmod(t, 4e-3) < 1e-3) - sin(100*t)) < 1e-12
for edge in (1e-6, 0.501e-3, 3.501e-3, 4.501e-3, 8.001e-3, 1e-3, 4e-3, 12e-3, 2e-3, 3e-3, 5e-3, 6e-3):
    assert min(abs(edge - e) for e in events) < 1e-12, edge
assert abs(float(rows[-1]['R4.i']) - 10/(39.37*25.4e-6)) < 1e-9
# the charge of a capacitor by a current that jumps: a recursion of exponentials
v, t, q = 0.0, 0.0, exp(-1e-3/1e-4)
for k in range(30):
    i = 1.0 if k >= 2 and (k - 2) % 3 == 0 else -1.0
    v = i + (v - i)*q
assert abs(float(rows[-1]['node_f.v']) - v) < 1e-7, (rows[-1]['node_f.v'], v)
>>
run nssim -q m.xml -o a.csv
verify python3 check.py

# Subcircuits, parameters, included files: the same bytes of numbers as the circuit written out; names of the caller's indices and
# parameters mean nothing in a subcircuit.
case subcircuits-are-the-circuit-written-out
file parts.cir <<
* parts
.subckt half in out R=1k C=1u
R1 in m R
L1 m out C*1k ; 1 mH by default
.ends half
.SUBCKT filter a b params: R=2k gain=1
Xfirst a n half R=R/2 C = 2u
Xsecond n b half
D1 b 0 vf=0.5
E1 o 0 b 0 gain
R9 o 0 R
.ends
.end
what stands behind .end is not read
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<netlist id="c">
.param VIN=12 f=50 per={1/f}
.include "parts.cir"
V1 s 0 SIN(0 VIN f)
.repeat R 1 2
X{R} s k{R} FILTER R = 500*R gain=R+1
C{R} k{R} 0 R*1u
.endrepeat
X3 s k3 filter
.inc more.cir
C3 k3 0 10uF
I1 0 k3 t*per
</netlist>
<simulation T="0.05"><TimeStepping h="1e-5"><EulerMoreauOSI theta="0.5"/></TimeStepping></simulation>
</model>
>>
file flat.cir <<
V1 s 0 SIN(0 12 50)
R1_Xfirst_X1 s m_Xfirst_X1 250
L1_Xfirst_X1 m_Xfirst_X1 n_X1 2e-3
R1_Xsecond_X1 n_X1 m_Xsecond_X1 1000
L1_Xsecond_X1 m_Xsecond_X1 k1 1e-3
D1_X1 k1 0 vf=0.5
E1_X1 o_X1 0 k1 0 2
R9_X1 o_X1 0 500
C1 k1 0 1e-6
R1_Xfirst_X2 s m_Xfirst_X2 500
L1_Xfirst_X2 m_Xfirst_X2 n_X2 2e-3
R1_Xsecond_X2 n_X2 m_Xsecond_X2 1000
L1_Xsecond_X2 m_Xsecond_X2 k2 1e-3
D1_X2 k2 0 vf=0.5
E1_X2 o_X2 0 k2 0 3
R9_X2 o_X2 0 1000
C2 k2 0 2e-6
R1_Xfirst_X3 s m_Xfirst_X3 1000
L1_Xfirst_X3 m_Xfirst_X3 n_X3 2e-3
R1_Xsecond_X3 n_X3 m_Xsecond_X3 1000
L1_Xsecond_X3 m_Xsecond_X3 k3 1e-3
D1_X3 k3 0 vf=0.5
E1_X3 o_X3 0 k3 0 1
R9_X3 o_X3 0 2000
R8 k3 0 1e6
C3 k3 0 10e-6
I1 0 k3 t*0.02
>>
setup printf '* r\351sistance\nR8 k3 0 ; in M\316\251\n+ 1meg\n' >more.cir
setup sed '/^[.VXCI]/d; s/id="c"/& file="flat.cir"/' m.xml >flat.xml
run nssim -q m.xml -o a.csv && nssim -q flat.xml -o b.csv
verify python3 -c 'import csv; a, b = (list(csv.reader(open(n))) for n in ("a.csv", "b.csv")); assert sorted(a[0]) == sorted(b[0]); n = [b[0].index(k) for k in a[0]]; assert max(abs(float(x) - float(r[k])) for p, r in zip(a[1:], b[1:]) for x, k in zip(p, n)) < 1e-9'

# SPICE2's polynomials of voltages and currents, tables and pwl(), in and out of subcircuits, against the same in Python
case netlist-polynomials-and-tables
file m.xml <<
<model xmlns="urn:nssim:model:1"><netlist id="c">
V1 a 0 SIN(1 0.5 1)
V2 b 0 2
R1 a 0 1
R2 b 0 4
E1 e1 0 POLY(2) (a,0) b 0 1 2 3 0.5 0.25 0.125
E2 e2 0 POLY(1) a 0 3
E3 e3 0 poly(1) a 0 1 0 2 1
G1 0 g1 POLY(1) a 0 0 0 1
Rg g1 0 1
F1 0 f1 POLY(2) V1 R2 1 0 0 0 2
Rf f1 0 1
H1 h1 0 POLY(1) V1 0 0 1
E4 e4 0 TABLE {v(a)} = (0,0) (1,1) (1.2,3) (2,3)
E5 e5 0 value={v(a)*v(b)}
B1 p 0 v=2*pwl(v(a), 0,0, 1,1, 1,2, 2,3)
G2 0 g2 TABLE {v(a)-1} ((-1,-1) (1,1))
Rg2 g2 0 1
X1 a s sq K=2
Re1 e1 0 1
Re2 e2 0 1
Re3 e3 0 1
Re4 e4 0 1
Re5 e5 0 1
Rh h1 0 1
Rp p 0 1
Rs s 0 1
.subckt sq in out K=1
E1 out 0 POLY(1) in 0 0 {K} 1
.ends
C1 x 0 1
R9 a x 1
</netlist><simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation></model>
>>
setup sed 's/<TimeStepping h="0.01"><EulerMoreauOSI.><.TimeStepping>/<EventDriven h="0.01"><CVodeOSI\/><\/EventDriven>/' m.xml >e.xml
run nssim -q m.xml -o a.csv && nssim -q e.xml -o b.csv
verify for f in a b; do $CASES/measure $f.csv 'all(near(x, w, 1e-9) for x, w in zip(c("node_e1.v")[1:], [1+2*a+6+a*a/2+a/2+0.5 for a in c("node_a.v")[1:]]))' 'all(near(x, 3*a, 1e-9) for x, a in zip(c("node_e2.v")[1:], c("node_a.v")[1:]))' 'all(near(x, 1+2*a*a+a**3, 1e-9) for x, a in zip(c("node_e3.v")[1:], c("node_a.v")[1:]))' 'all(near(x, a*a, 1e-9) for x, a in zip(c("node_g1.v")[1:], c("node_a.v")[1:]))' 'all(near(x, 1+i, 1e-9) for x, i in zip(c("node_f1.v")[1:], c("V1.i")[1:]))' 'all(near(x, i*i, 1e-9) for x, i in zip(c("node_h1.v")[1:], c("V1.i")[1:]))' 'all(near(x, min(max(a, 0), 1) + min(max(a-1, 0)*10, 2), 1e-9) for x, a in zip(c("node_e4.v")[1:], c("node_a.v")[1:]))' 'all(near(x, 2*a, 1e-9) for x, a in zip(c("node_e5.v")[1:], c("node_a.v")[1:]))' 'all(min(abs(x-2*a), abs(x-2*a-2)) < 1e-9 and (abs(a-1) < 1e-9 or near(x, 2*(a+(a > 1)), 1e-9)) for x, a in zip(c("node_p.v")[1:], c("node_a.v")[1:]))' 'all(near(x, a-1, 1e-9) for x, a in zip(c("node_g2.v")[1:], c("node_a.v")[1:]))' 'all(near(x, 2*a+a*a, 1e-9) for x, a in zip(c("node_s.v")[1:], c("node_a.v")[1:]))' || exit 1; done

# PARAMS: before parameters, as in some decks
case subcircuits-with-the-word-params
file n.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <netlist id="c">
    .subckt load x y params: R=1k
    R1 x y R
    .ends
    X1 p 0 load PARAMS: R=2k
    X2 p 0 load
    V1 p 0 1
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q n.xml -o a.csv
verify $CASES/measure a.csv 'near(c("V1.i")[-1], -1.5e-3, 1e-15)'

# two circuits with the same names, one that the other drives: all quantities are in all files, with the name of the netlist where
# both have it, and formulas read them; the same as with names of their own
case netlists-with-the-same-names
file n.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <systems>
  <netlist id="c">
    V1 a 0 10*sin(2*pi*100*t)
    R1 a b 1k
    C1 b 0 1u
    S1 b e v(b)-1
    R3 e 0 1k
  </netlist>
  <netlist id="d">
    V1 a 0 c.v_C1
    R1 a b 1k
    C1 b 0 1u
    S1 b e v(b)-2
    R2 e 0 1k
  </netlist>
  </systems>
  <simulation T="0.02"><TimeStepping h="1e-4"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><observe id="power">c.R1.v*c.R1.i + d.R1.v*d.R1.i</observe><observe id="node">d.node_b.v - c.node_b.v + R2.v</observe></output>
</model>
>>
file apart.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <systems>
  <netlist id="c">
    V1 a 0 10*sin(2*pi*100*t)
    R1 a b 1k
    C1 b 0 1u
    S1 b e v(b)-1
    R3 e 0 1k
  </netlist>
  <netlist id="d">
    V4 f 0 c.v_C1
    R4 f g 1k
    C4 g 0 1u
    S4 g h v(g)-2
    R2 h 0 1k
  </netlist>
  </systems>
  <simulation T="0.02"><TimeStepping h="1e-4"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><observe id="power">R1.v*R1.i + R4.v*R4.i</observe><observe id="node">node_g.v - node_b.v + R2.v</observe></output>
</model>
>>
setup sed 's/c.R1.v.c.R1.i/R1.v/' n.xml >wrong.xml
run nssim -q n.xml -o a.h5 && nssim -q n.xml -o a.csv && nssim compare -q a.h5 a.csv && nssim -q apart.xml -o b.csv && nssim -q apart.xml -o b.h5 && nssim compare -q b.h5 b.csv
verify $CASES/measure a.csv 'max(abs(x - y) for q in ("power.value", "node.value", "R2.i", "R3.i") for x, y in zip(c(q), c(q, "b.csv"))) < 1e-12' 'max(abs(x - y) for x, y in zip(c("d.R1.i"), c("R4.i", "b.csv"))) < 1e-12' 'max(c("R2.i")) > 1e-4'
verify sed 's/c.S1/S1/; s/d.S1/S4/' a.events.csv >c.events.csv; cmp c.events.csv b.events.csv; test $(wc -l <a.events.csv) -gt 8
verify grep -v '^#' a.csv | head -1 | tr , '\n' | sort | uniq -d >twice.txt; test ! -s twice.txt
verify $NSSIM check wrong.xml 2>err.txt; grep -q 'unknown name "R1.v"; several netlists have it: write [cd].R1.v' err.txt

# .param, defaults of a subcircuit and parameters of a .repeat stand in any order; the same bytes as with numbers
case parameters-of-netlists-in-any-order
file a.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <netlist id="c">
    .param A={B*2} B='C + 1'
    R1 a b A
    .subckt f in out r=2*c c=3
    .param q=w+r w=1k*z
    R1 in out q
    .ends
    X1 a b f c=5
    X2 a b f PARAMS: r=C
    X3 a b f
    .param C=3
    .param z=1e-3
    .repeat i 1 2
    .param y=x+i
    R{i+10} a b y
    .param x=10*i
    .endrepeat
    R99 b 0 1k
    V1 a 0 1
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
file b.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <netlist id="c">
    R1 a b 8
    R1_X1 a b 11
    R1_X2 a b 4
    R1_X3 a b 7
    R11 a b 11
    R12 a b 22
    R99 b 0 1000
    V1 a 0 1
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q a.xml -o a.csv && nssim -q b.xml -o b.csv && cmp a.csv b.csv
exit 0

# two hundred parameters, each of the one behind it
case many-parameters-of-a-netlist
file make.py <<
print('<model xmlns="urn:nssim:model:1" name="n"><netlist id="c">')
for i in range(200):
    print(f".param p{i}=p{i + 1}+1")
print('.param p200=1\nR1 a 0 p0\nV1 a 0 201\n</netlist>')
print('<simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation></model>')
>>
run python3 make.py >m.xml; nssim -q m.xml -o - --record R1.i | tail -1
stdout <<
1,1
>>

# A subcircuit inside another one: it sees the parameters around it and is known only there. Each
# node is at the divider's share: r and R are 1 k and scale*base.
case netlist-nested-subcircuits
file a.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    .param base=1k
    .subckt outer i o scale=1
    .param loc={scale*base}
    .subckt inner p q r=1k
    R1 p q {r}
    R2 q 0 {loc}
    .ends inner
    X1 i o inner
    .ends outer
    .subckt other i o scale=5
    X1 i o inner
    .subckt inner p q
    R1 p q {2*scale*base}
    R2 q 0 {base}
    .ends
    .ends
    V1 in 0 12
    C1 in 0 1
    X1 in o1 outer
    X2 in o2 outer scale=2
    X3 in o3 other
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim a.xml -q -o a.csv
verify $TOP/tests/cases/measure a.csv 'near(c("node_o1.v")[-1], 6, 1e-9)' 'near(c("node_o2.v")[-1], 8, 1e-9)' 'near(c("node_o3.v")[-1], 12/11, 1e-9)'

case netlist-nested-subcircuit-from-outside
file a.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    .subckt outer i o
    .subckt inner p q
    R1 p q 1
    .ends
    X1 i o inner
    .ends
    C1 a 0 1
    X1 a 0 outer
    X2 a 0 inner
  </netlist>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check a.xml
exit 65
stderr-match a\.xml:11: <netlist id="c">: X2: there is no \.subckt inner, expected one in the netlist or a file that it includes

# Op-amps that drive themselves stay at their rail until it no longer holds: one, whose output follows a sine with a hysteresis
# of 5 V both ways, and sixteen oscillators beside each other, none of which switches with another (32 rows). By time-stepping,
# to two steps.
case netlist-positive-feedback-keeps-its-rail
file one.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    V1 i 0 8*sin(2*pi*50*t)
    R1 i p 10k
    R2 p o 20k
    O1 o 0 p 0 lo=-10 hi=10
    C1 q 0 1u
    R3 i q 1k
  </netlist>
  <simulation T="0.06"><TimeStepping h="1e-5"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
file many.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    .subckt oscillator tri square R=5k C=100n rail=10
    R1 square m R
    C1 m tri C
    O1 tri 0 0 m lo=-15 hi=15
    R2 tri p 10k
    R3 p square 20k
    O2 square 0 p 0 lo=-rail hi=rail
    .ends
    .repeat k 1 N
    X{k} tri{k} square{k} oscillator R=5k+100*k rail=10-k/4
    I{k} 0 m_X{k} 1e-6*k
    .endrepeat
  </netlist>
  <simulation T="0.01"><TimeStepping h="2e-6"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
file check.py <<
import csv, sys
rows = list(csv.DictReader(open('one.csv')))
flips = [float(p['node_i.v']) for p, q in zip(rows, rows[1:]) if (float(p['node_o.v']) > 0) != (float(q['node_o.v']) > 0)]
assert len(flips) == 6 and all(abs(x - 5*(-1)**k) < 0.05 for k, x in enumerate(flips)), flips
for n in (2, 16):
    rows = list(csv.DictReader(open('many%d.csv' % n)))
    for k in range(1, n + 1):
        name, z = 'node_tri%d.v' % k, []
        for p, q in zip(rows, rows[1:]):
            a, b, t = float(p[name]), float(q[name]), float(p['time'])
            if a < 0 <= b: z.append(t - 2e-6*a/(b - a))
        rail, R = 10 - k/4, 5e3 + 100*k
        want = 1e-7*rail*(1/(rail/R - 1e-6*k) + 1/(rail/R + 1e-6*k))
        assert len(z) > 4 and abs((z[-1] - z[1])/(len(z) - 2) - want) < 6e-6, (n, k, z, want)
>>
setup sed 's/ N$/ 2/' many.xml >many2.xml; sed 's/ N$/ 16/' many.xml >many16.xml
run nssim -q one.xml -o one.csv && nssim -q many2.xml -o many2.csv && nssim -q many16.xml -o many16.csv
verify python3 check.py

# A source that jumps, or has an edge shorter than a step, in a loop of capacitors or a cut of inductors: the charge divides at
# once, by time-stepping and event-driven; the source of time, or of an input that an event sets. Closed forms; ic= holds at t0.
case netlist-sources-that-jump-in-loops
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c" inputs="u" z="1">
    V1 a 0 SOURCE
    C1 a b 1u ic=0.5
    C2 b 0 3u
    R1 b 0 1k
    I1 0 d SOURCE
    L1 d 0 1m
    R3 d e 2
    L2 e 0 3m
    V2 f 0 2*u
    C3 f g 1u
    C4 g 0 1u ic=2
    R4 g 0 1k
    V3 h 0 v(a,b)+v(g)
    R5 h 0 1k
  </netlist>
  <simulation T="1e-3"><TimeStepping h="5e-6"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
  <events><event id="e" at="200e-6"><set name="u" value="0.25"/></event></events>
</model>
>>
file check.py <<
import csv, math, sys
for name, tol in (('ts1', 8e-3), ('ts2', 8e-3), ('ev1', 1e-6), ('ev2', 1e-3)):
    for r in csv.DictReader(open(name + '.csv')):
        t = float(r['time'])
        s, after, u = (1 if t > 1e-4 else 0), t - 1e-4, t - 2e-4
        if min(abs(after), abs(u)) < 6e-6: continue
        b = -0.5*math.exp(-t/4e-3) + (0.25*math.exp(-after/4e-3) if s else 0)
        g = 2*math.exp(-t/2e-3) + (0.5*2*(0.25 - 1)*math.exp(-u/2e-3) if u > 0 else 0)
        L2 = 0.25*math.exp(-after*2/4e-3) if s else 0
        for column, value in (('node_b.v', b), ('node_g.v', g), ('L2.i', L2), ('L1.i', s - L2), ('node_h.v', s - b + g)):
            assert abs(float(r[column]) - value) < tol, (name, t, column, r[column], value)
>>
setup sed 's/SOURCE/PULSE(0 1 100u)/' m.xml >ts1.xml; sed 's/SOURCE/PWL(0 0 99.9u 0 100.1u 1)/' m.xml >ts2.xml
setup for k in 1 2; do sed 's/<TimeStepping.*TimeStepping>/<EventDriven h="5e-6"><CVodeOSI\/><\/EventDriven>/' ts$k.xml >ev$k.xml; done
run nssim check ts1.xml; for k in ts1 ts2 ev1 ev2; do nssim -q $k.xml -o $k.csv || exit 1; done
exit 0
stderr-match the voltage of C1 jumps with V1: the state x_C1 is the remaining part; formulas read C1\.v
stderr-match the voltage of C4 jumps with V2: the state x_C4
verify python3 check.py

# two points of one time are a jump, located as an event; at the first point, at the last one, and between
case netlist-pwl-that-jumps
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    V1 a 0 PWL(1 1 1 3 2 4 2 -1 5 2 5 0)
    R1 a b 1
    C1 b 0 0.5
  </netlist>
  <simulation T="6"><EventDriven h="0.0625"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'all(near(x, 1 if s < 1 else 2+s if s < 2 else s-3 if s < 5 else 0, 1e-12) for s, x in zip(t, c("node_a.v")) if min(abs(s-k) for k in (1, 2, 5)) > 1e-9)' 'near(at(1, "c.v_C1"), 1 - exp(-2), 1e-8)' 'near(at(2, "c.v_C1"), 3.5 + (1 - exp(-2) - 2.5)*exp(-2), 1e-7)'
verify for e in 1 2 5; do grep -q "^$e,\|^$e\.0*[0-9]\{0,3\},\|^$(($e-1))\.99999999" a.events.csv || exit 1; done
