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
.lib models.lib
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
stderr-match bad\.cir:8: \.lib is not supported in nssim netlists

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
