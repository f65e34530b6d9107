# SPDX-License-Identifier: GPL-3.0-or-later
# Decks of ngspice: what they become, and that it moves as ngspice 39 has it (its figures by .meas).

case deck-moves-as-in-ngspice
file relax.cir <<
Relaxation oscillator and a nonlinear load
* charged by R1, discharged by the switch
.param rl=2k cap={0.5u*2}
V1 a 0 DC 10 AC 1
R1 a b 1k tc=0.001
C1 b 0 {cap} ic=0
S1 b 0 b 0 sw1
.model sw1 SW(VT=5 VH=3 RON=100 ROFF=1e9)
B1 c 0 V = v(b)**2/10 + 0.1*sin(2*pi*200*time)
R2 c d 'rl/2'
L1 d e 10m
Xload e 0 load rr=500
Vs e2 0 SIN(0 2 100)
Rs e2 f 100
W1 f g vs csw1
Rg g 0 50
.model csw1 CSW (IT=5m IH=2m RON=1
+ ROFF=1meg)
.subckt load p q params: rr=1k
R1 p q {rr} ; behind
G1 p q p q 1m
.ends load
.tran 1u 20m 0 0.1u uic
.options reltol=1e-6
.print tran v(b) v(e) v(g)
.end
>>
run nssim import relax.cir -o m.xml && nssim m.xml -q -o r.csv --record node_b.v --record node_e.v && python3 -c 'import csv; r = list(csv.DictReader(open("r.csv"))); at = lambda t, c: float(min(r, key=lambda x: abs(float(x["time"]) - t))[c]); print(all(abs(a - b) < 0.003 * abs(b) for a, b in ((at(19.9e-3, "node_b.v"), 7.051661), (at(19.9e-3, "node_e.v"), 1.231951), (at(5.3e-3, "node_e.v"), 0.5462584))))'
exit 0
stdout <<
True
>>

case deck-says-what-is-lost
file boost.ckt <<
A boost converter -- and more
Vin in gnd 12
L1 in sw+ 100u
M1 sw+ g 0 0 switchy
D1 sw+ out dd
C1 out 0 20u
Rload out 0 20
Vg g 0 PULSE(0 5 0 1n 1n 10u 20u)
.model switchy NMOS(VTO=2 KP=20 ron=10m)
.model dd D(IS=1e-14 RS=5m)
.model never SW(VT=1)
.tran 0.1u 1m
.ac dec 10 1 1k
.end
>>
run nssim import boost.ckt && nssim boost.ckt -q -o - --record rload.v >/dev/null; nssim import boost.ckt | grep -v nssim
exit 0
stdout-match m1 sw_p g 0 2 ron=10m
stdout-match d1 sw_p out ron=5m
stdout-match line 13: \.ac is ignored
stdout-match line 9: the model switchy, nmos, is made ideal
stdout-match line 11: the model never, sw, is not used

case deck-errors-with-their-lines
file bad.cir <<
bad
J1 a b c jj
R1 a
D1 a 0 dx
E1 a 0 1 2
V1 a 0 SFFM(0 1 1k 5 100)
.model dy D
.if (x > 1)
.tran 1u 1m
.end
>>
run nssim import bad.cir
exit 65
stderr-match bad\.cir:2: j1: nssim netlists have no such device \(J\), expected one of R C L K V I B E F G H D S W M Q X; replace it
stderr-match bad\.cir:3: r1 has 1 words after its name
stderr-match bad\.cir:4: d1: there is no \.model dx, expected one in the deck; did you mean dy\?
stderr-match bad\.cir:5: e1 is not a source of nssim netlists
stderr-match bad\.cir:6: v1: sffm\(0 1 1k 5 100\) is not a waveform of nssim netlists
stderr-match bad\.cir:8: \.if is not supported in nssim netlists

case deck-without-tran
file a.cir <<
no run
R1 a 0 1
V1 a 0 1
.end
>>
run nssim import a.cir
exit 65
stderr-match a\.cir:3: the deck has no \.tran, expected `\.tran STEP STOP`

case deck-polynomials-and-tables
file a.cir <<
products
Va a 0 2
Vb b- 0 3
R1 b- 0 3
E1 p 0 POLY(2) (a,0) (b-,0) 0 0 0 0 1
Rp p 0 1
F1 0 f POLY(1) Vb 0 0 1
Rf f 0 1
G1 0 g TABLE {v(a)} = (0,0) (1,1) (3,5)
Rg g 0 1
C1 c 0 1
R2 p c 1
.tran 0.1 1
.end
>>
run nssim import a.cir -o m.xml >said && nssim -q m.xml -o a.csv
verify $TOP/tests/cases/measure a.csv 'near(c("node_p.v")[-1], 6, 1e-12)' 'near(c("node_f.v")[-1], 1, 1e-12)' 'near(c("node_g.v")[-1], 3, 1e-12)'

# Names, numbers and separators as ngspice reads them. Reference: ngspice 39, wrdata (its step of
# 2 us at most); the importer's backward Euler of 2 us is within 1e-3 of the largest value.
case deck-words-of-ngspice
file a.cir <<
R0 is the title
.PARAM Vin = 12 , rr='2*Rb+1k'  Rb=500
V1 In GND dc {Vin} ac 1
r1 (In,a) {rr}
R2 a 0 R=6k m=2
C2 a 0 C=1uF IC=2
I1 0 a 1mA
+
* a comment between
+ ac 2
Rk a b+ 4.7kOhm
Cb b+ 0 220n
V2 p 0 PULSE(0 5)
V3 w 0 SIN 0 1 {1k} 0
E1 q 0 (a,b+) 2
B3 b3 0 V = max(v(a), 4) - min(v(b+),3)*0.5 + ternary_fcn(v(a) > 5, 2, 1) + uramp(v(a)-5)
R3 b3 q 1Meg
R4 p w 1k
.tran 2u 4m uic
.end
>>
run nssim import a.cir -o m.xml && nssim -q m.xml -o a.csv
verify $TOP/tests/cases/measure a.csv 'near(c("node_a.v")[-1], 7.857104, 2e-3)' 'near(c("node_b_p.v")[-1], 7.156115, 3e-3)' 'near(c("node_b3.v")[-1], 11.214208, 5e-3)' 'near(c("node_q.v")[-1], 1.401978, 5e-3)' 'near(c("node_p.v")[-1], 5, 1e-12)'

# Models and subcircuits of a library, whatever the case of their letters; sections of .lib; files
# from the folder of the file that names them.
case deck-with-libraries
file lib/filter.inc <<
* first line: no title
.subckt esr a b c=10u r=5m
Rs a m {r}
Cc m b {c}
.ends
.subckt LC a b L=10u C=1u rl=1m
L1 a x {L}
Rl x b {rl}
Xc b 0 esr c={C} r={rl/2}
.ends LC
.inc "sub/models.lib"
>>
file lib/sub/models.lib <<
.model swm SW(Vt=2.5 Vh=0.1 Ron=10m Roff=10Meg)
.model dm D(Is=1e-14 N=0.001)
>>
file lib/corner.lib <<
.lib slow
.param duty=0.1
.endl slow
.lib fast
.param duty=0.45
.endl
>>
file buck.cir <<
a buck converter; v(out) and i(L1) by ngspice 39: 10.3616 V, 1.43252 A
.lib 'lib/corner.lib' FAST
.include lib/filter.inc
.param fsw=50k Tp={1/fsw}
Vin in 0 24
Vg g 0 PULSE(0 5 0 10n 10n {duty*Tp} {Tp})
S1 in sw g 0 swm OFF
Dfw 0 sw dm
Xf sw out lc L=100u C=47u rl=20m
Rload out 0 6
.tran 0.1u 1m 0 50n uic
.end
>>
run nssim import buck.cir -o m.xml && nssim -q m.xml -o a.csv
verify $TOP/tests/cases/measure a.csv 'near(c("node_out.v")[-1], 10.3616, 0.02)' 'near(c("l1_xf.i")[-1], 1.43252, 0.005)'

case deck-errors-of-libraries
file lib/a.lib <<
.lib slow
J1 a b c jj
.endl
>>
file a.cir <<
title
.lib lib/a.lib fast
.include nix.inc
.include a.cir
.end
>>
file b.cir <<
title
.lib lib/a.lib slow
R1 x+ x_p 3k3
K1 L1 L2 1.5
R1 x+ 0 1
.tran 1u 1m
.end
>>
run nssim import a.cir; nssim import b.cir
exit 65
stderr-match a\.cir:2: lib/a\.lib has no section fast, expected a line `\.lib fast`
stderr-match a\.cir:3: cannot open nix\.inc
stderr-match a\.cir:4: \.include is nested more than 20 deep
stderr-match lib/a\.lib:2: j1: nssim netlists have no such device \(J\)
stderr-match b\.cir:3: 3k3 has digits after a letter, .* expected the number as 4\.7k
stderr-match b\.cir:3: x\+ and x_p are both x_p in a netlist
stderr-match b\.cir:4: k1: the coupling is 1.5, expected a number from -1 to 1

# What the examples and tests of ngspice 39 write: functions, global nodes, a resistor by its sheet, m= and scale=, waves in
# parentheses, OFF, ends of a call at one node, a suffix g, a period longer than the run, VSWITCH. Figures at 80 us are those of
# ngspice: 2.892562 10.36691 1.538462 0.7692308 0
case deck-of-further-words
file further.cir <<
further words
.func square(x) {x*x}
.func mix(a,b) = 'a + 2*b'
.global vdd
Vdd vdd 0 (PULSE 0 5 0 1u)
.model rs R (RSH=1k NARROW=0.3u SHORT=0.4u)
R1 vdd a rs L=11u W=2u
R2 a 0 10k m=2 scale=2
Bs c 0 V = mix(square(v(a)), 1)
Rs c 0 1G
Q1 vdd b b qn 2 off
Rb b 0 1k
.model qn NPN(BF=100)
X1 f d inv
Rf f 0 1k
Rd d 0 1k
X2 d d inv
.subckt inv in out
R1 in out 1k
R9 vdd out 3k
R0 in in 1k
.ends
Rz a a 1k
V2 e 0 PULSE(2 0 0 50u 1 1)
Re e 0 1
.csparam z=1
.tran 0.1u 80u
.end
>>
run nssim import further.cir -o m.xml; nssim m.xml -q -o - --record node_a.v --record node_c.v --record node_d.v --record node_e.v --record node_f.v | sed -n '1p;$p'
exit 0
stdout-match ^time,node_a\.v,node_c\.v,node_f\.v,node_d\.v,node_e\.v$
stdout-match ^\S+,2\.892561983471\d*,10\.3669148282\d*,0\.769230769230\d*,1\.538461538461\d*,-?0$
verify grep -q 'rz has both ends at node a and is omitted' m.xml && grep -q 'q1: "2" is ignored' m.xml && grep -q 'off" is ignored' m.xml && grep -q 'csparam is ignored' m.xml

# times of .tran where a waveform has none, pulses that end, points that repeat
case deck-waves-with-times-of-tran
file waves.cir <<
waves
V1 a 0 SIN(1 2)
V2 b 0 SIN 1 2 0 1m
V3 c 0 PULSE(0 5 1m 1m 2m 4m 5m 2)
V4 d 0 EXP(0 4 2m)
V5 e 0 PWL(0 0 1m 1 2m 3) r = 1m td=2m
V6 f 0 PWL 0 0 1m 1 r=0
R1 a 0 1
.tran 10u 20m
.end
>>
run nssim import waves.cir -o m.xml; grep -o 'v[1-6] .*' m.xml; nssim check m.xml >ok.txt
exit 0
stdout <<
v1 a 0 sin(1 2 1/20m)
v2 b 0 sin(1 2 1/20m 1m)
v3 c 0 pulse(0 5 1m 1m 2m 4m 5m 2)
v4 d 0 exp(0 4 2m 10u 2m+10u 10u)
v5 e 0 pwl(0 0 1m 1 2m 3) r=1m td=2m
v6 f 0 pwl( 0 0 1m 1) r=0
>>

case deck-with-a-switch-of-two-voltages
file von.cir <<
closes at 3 V, opens at 1 V
V1 a 0 PWL(0 0 5m 5 10m 0)
S1 a b a 0 sv
Rb b 0 1k
.model sv VSWITCH(RON=1 ROFF=1G VON=3 VOFF=1)
.tran 10u 10m
.end
>>
run nssim import von.cir -o m.xml; nssim m.xml -q -o - --record node_b.v | awk -F, 'NR > 1 && $2 > 0.1 {if (!n++) print $1; last = $1} END {print last}'
exit 0
stdout-match ^0\.003
stdout-match ^0\.00[89]

# what the netlist has of faults is told at the line of the deck, of an included file too
case deck-faults-of-its-netlist
file faults.cir <<
faults
V1 1 0 PWL(0 0 1m 5)
B1 2 0 V = ddt(v(1))
R2 2 0 1k
.func slope(x) {dd(x)}
.include more.lib
R1 1 0 nomodel
.tran 1u 1m
.end
>>
file more.lib <<
* a library
C1 1 0 -1u
>>
run nssim import faults.cir
exit 65
stderr-match faults.cir:3: in "ddt\(v.1\)", column 1: unknown function "ddt"
stderr-match faults.cir:5: <function name="slope">: .*unknown function "dd"
stderr-match more.lib:2: c1: the capacitance is -1e-06, expected a positive one
stderr-match faults.cir:7: in "nomodel", column 1: unknown name "nomodel"

case deck-resistor-model-without-a-value
file sheet.cir <<
no length
V1 1 0 5
R1 1 0 rs
.model rs R(RSH=1k)
.tran 1u 1m
.end
>>
run nssim import sheet.cir
exit 65
stderr <<
nssim: error: sheet.cir:3: r1 has the model rs and no value, expected `r1 a b value`, or L= and W= with `.model rs R(RSH=)`
>>

# transistors without RON conduct as their channel does: 1 kohm and 750 ohm here; inverters then run, with body diodes and bulk
case deck-transistors-without-ron
file gates.cir <<
gates
.global vdd
.param w=10u
VDD vdd 0 5
Vin in 0 PULSE(0 5 1n 0.1n 0.1n 9n 20n)
X1 in a inv
X2 a b inv wn=20u
C2 b 0 0.1p
.subckt inv i o wn=5u
M1 o i vdd vdd pm W={2*wn} L=1u
M2 o i 0 0 nm W=wn L=1u
C1 o 0 10f
.ends
M3 c vdd 0 0 nm W=5u L=1u
R3 vdd c 1k
M4 d vdd 0 0 no W=10u L=2u
R4 vdd d 1k
M5 e vdd 0 0 bsim
R5 vdd e 1k
.model nm NMOS(LEVEL=1 VTO=1 KP=50u)
.model pm PMOS(LEVEL=1 VTO=-1 KP=20u)
.model no NMOS(VTO=1 TOX=50n UO=724.0000 RD=10)
.model bsim NMOS(LEVEL=8 VTH0=1)
.tran 0.05n 60n
.end
>>
run nssim import gates.cir -o m.xml && nssim -q m.xml -o a.csv
verify $TOP/tests/cases/measure a.csv 'near(c("node_c.v")[-1], 2.5, 1e-9)' 'near(c("node_d.v")[-1], 5*(1-1000/(1010+1/(0.0724*3.9*8.8541878e-12/50e-9*5*4))), 1e-6)' 'near(c("node_e.v")[-1], 0, 1e-9)' 'max(c("node_a.v")[200:]) > 4.99 and min(c("node_a.v")[200:]) < 0.01' 'all(near(at(t*1e-9, "node_b.v"), 5*(int(t/10)%2==0 and t > 1), 0.01) for t in (8, 18, 28, 38))'
verify grep -q 'm3: ron is that of its channel at a gate of 5 V' m.xml && grep -q 'm5 has no resistance while it conducts' m.xml

# Bytes that XML cannot hold: of ISO-8859-1, of control characters, ]]>; subcircuits in subcircuits, which are no recursion.
case deck-of-odd-bytes-and-of-deep-calls
setup printf 'Verst\344rker ]]> \001 -- x\nV1 a 0 1\nR1 a 0 1k\n.tran 1u 1m\n.end\n' >l.cir
setup printf 't\nV1 a 0 1\nC1 a 0 1\265\n.tran 1u 1m\n.end\n' >mu.cir
setup (echo t; echo V1 a 0 1; echo X1 a s0; for k in $(seq 0 20); do printf '.subckt s%d p\nX1 p s%d\n.ends\n' $k $((k + 1)); done; printf '.subckt s21 p\nR1 p 0 1\n.ends\n.tran 1u 1m\n.end\n') >deep.cir
run nssim import l.cir -o l.xml && nssim check l.xml -q; nssim import mu.cir; nssim import deep.cir
exit 65
stderr-match mu\.cir:3: in "1µ", column 2: found "µ", write u for 1e-6
stderr-match deep\.cir:62: x1 calls the subcircuit s20 more than 20 deep, expected fewer; flatten some
verify grep -q '<title>Verstärker \]\]&gt;   -- x</title>' l.xml && grep -q 'line 1: the file is not UTF-8 and is read as ISO-8859-1' l.xml
