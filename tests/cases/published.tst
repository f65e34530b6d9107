# SPDX-License-Identifier: GPL-3.0-or-later
# Problems of other tools' libraries and of textbooks under models/, against the numbers that were published for them.

# Test Set for IVP Solvers (Mazzia & Magherini 2008): reference solutions of 10 to 16 digits

case published-squeezing-mechanism
run nssim -q $MODELS/squeezing-mechanism/squeezing-mechanism.xml -o a.csv
verify $CASES/measure a.csv 'all(near(c("mechanism." + n)[-1], x, 1e-6) for n, x in zip(["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"], [15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 1.048080741042263]))'
verify $CASES/measure a.csv 'all(near(c("mechanism.v_" + n)[-1], x, 1e-4) for n, x in zip(["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"], [1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808, -19.29337464421385, 0.3231791658026955]))'
verify $CASES/measure a.csv 'all(near(-c(f"loops.lambda[{i}]")[-1], x, 5e-5) for i, x in enumerate([199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739, 11.61740700019673]))'

case published-car-axis
run nssim -q $MODELS/car-axis/car-axis.xml -o a.csv
verify $CASES/measure a.csv 'all(near(c("axis." + n)[-1], x, 1e-8) for n, x in {"xl": 0.04934557842755629, "yl": 0.4969894602303324, "xr": 1.041742524885400, "yr": 0.3739110272652214, "v_xl": -0.07705836840321485, "v_yl": 0.007446866596327776, "v_xr": 0.01755681574942899, "v_yr": 0.7703410437794031}.items())' 'near(c("rods.lambda[0]")[-1], -0.004736886750784630, 1e-9)' 'near(c("rods.lambda[1]")[-1], -0.001104680411345730, 1e-9)'

case published-pleiades
run nssim -q $MODELS/pleiades/pleiades.xml -o a.csv
verify $CASES/measure a.csv 'all(near(c(f"stars.x{i+1}")[-1], x, 2e-8) for i, x in enumerate([0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310, 0.3425581707156584, 1.562172101400631, -0.7003092922212495]))' 'all(near(c(f"stars.y{i+1}")[-1], y, 2e-8) for i, y in enumerate([-3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275, -0.2429682344935824, 1.091449240428980]))'

case published-transistor-amplifier
run nssim -q $MODELS/transistor-amplifier/transistor-amplifier.xml -o a.csv
verify $CASES/measure a.csv 'all(near(c(f"node_{i+1}.v")[-1], x, 1e-7) for i, x in enumerate([-0.005562145012262709, 3.006522471903042, 2.849958788608128, 2.926422536206241, 2.704617865010554, 2.761837778393145, 4.770927631616772, 1.236995868091548]))'

case published-ring-modulator
run nssim -q $MODELS/ring-modulator/ring-modulator.xml -o a.csv
verify $CASES/measure a.csv 'all(near(c(f"ring.U{i+1}")[-1], x, 1e-5) for i, x in enumerate([-0.02339057358486745, -0.007367485485540825, 0.2582956709291169, -0.4064465721283450, -0.4039455665149794, 0.2607966765422943, 0.1106761861269975]))' 'all(near(c(f"ring.I{i+1}")[-1], x, 1e-9) for i, x in enumerate([2.939904342435596e-7, -2.840029933642329e-8, 7.267198267264553e-4, 7.929487196960840e-4, -7.255283495698965e-4, -7.941401968526521e-4, 7.088495416976114e-5, 2.390059075236570e-5]))'

# Modelica Standard Library: closed forms; the last line of each has its reference results, which are of tolerance 1e-6

case published-coupled-clutches
run nssim -q $MODELS/coupled-clutches/coupled-clutches.xml -o a.csv
verify $CASES/measure a.csv 'all(near(e["time"], t, 2e-7) and e["interaction"] == i and e["kind"] == k for e, t, i, k in zip([e for e in events("stick") + events("slip") if e["time"] > 0.5], [0.7096214746937, 0.7916623591548, 0.9068501927979, 1.1439674924732, 0.8311085061377, 1.0002958598946], ["clutch2", "clutch1", "clutch1", "clutch3", "clutch1", "clutch1"], ["stick"]*4 + ["slip"]*2))' 'len([e for e in events("stick") + events("slip") if e["time"] > 0.5]) == 6' 'near(c("J1.v_phi")[-1], 3.247058272418795, 5e-7)' 'all(near(c(f"J{i}.v_phi")[-1], 2.4631871666495946, 5e-7) for i in (2, 3, 4))'
verify $CASES/measure a.csv 'near(c("J1.v_phi")[-1], 3.24703456524066, 5e-5)' 'near(c("J1.phi")[-1], 7.48609218389668, 5e-5)' 'near(c("clutch1.y")[-1], -3.37894249870185, 5e-5)' 'near(c("clutch2.y")[-1], -1.39667286826109, 5e-6)' 'near(c("clutch3.y")[-1], -1.53672566460142, 2e-5)'

case published-backlash
run nssim -q $MODELS/backlash/backlash.xml -o a.csv
verify $CASES/measure a.csv 'near(c("firm.phi")[-1], 0.010518258866843728, 1e-9)' 'near(c("firm.v_phi")[-1], -0.1437511126368563, 1e-8)' 'near(c("loose.phi")[-1], 0.10347503959617771, 2e-8)' 'near(c("loose.v_phi")[-1], -6.213397138469695, 2e-7)'
verify $CASES/measure a.csv 'near(c("firm.phi")[-1], 0.010518034816393, 1e-6)' 'near(c("soft.phi")[-1], -0.155570367236903, 2e-5)' 'near(c("soft.v_phi")[-1], -7.0229304031262, 2e-5)'

case published-brake
run nssim -q $MODELS/brake/brake.xml -o a.csv
verify $CASES/measure a.csv 'near(events("stick")[-1]["time"], 1.1, 1e-9)' 'near(c("mass.x")[-1], 0.6, 1e-10)' 'near(c("mass.x")[-1], 0.599999999993012, 1e-9)' 'c("mass.v_x")[-1] == 0'

case published-multivibrator
run nssim -q $MODELS/multivibrator/multivibrator.xml -o a.csv
verify $CASES/measured a.json 'near(M["period"], 0.1, 1e-8)'
verify $CASES/measure a.csv 'near(max(c("node_n.v")), 7.5, 1e-6)' 'near(min(c("node_n.v")), -7.5, 1e-6)'

case published-signal-generator
run nssim -q $MODELS/signal-generator/signal-generator.xml -o a.csv
verify $CASES/measured a.json 'near(M["period"], 0.1, 1e-8)' 'near(M["top"], 10, 1e-8)'
verify $CASES/measure a.csv 'near(max(c("node_rect.v")), 15, 1e-12)'

case published-cauer-filter
run nssim -q $MODELS/cauer-filter/cauer-filter.xml -o a.csv
verify $CASES/measure a.csv 'near(c("node_a.v")[-1], 0.499708104044072, 1e-5)' 'near(c("node_b.v")[-1], 0.501099928998103, 1e-5)' 'near(c("node_c.v")[-1], 0.499707896282084, 1e-5)' 'near(c("L1.i")[-1], 0.4993689231318, 1e-5)' 'near(c("L2.i")[-1], 0.500958692268206, 1e-5)'

case published-hires
run nssim -q $MODELS/hires/hires.xml -o a.csv
verify $CASES/measure a.csv 'all(abs(c(f"light.y{i+1}")[-1]/x - 1) < 1e-9 for i, x in enumerate([0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2]))'

case published-van-der-pol
run nssim -q $MODELS/van-der-pol/van-der-pol.xml -o a.csv
verify $CASES/measure a.csv 'near(c("circuit.x")[-1], 1.706167732170456, 1e-8)' 'near(c("circuit.y")[-1], -0.8928097010248257, 1e-8)'

# Modelica Standard Library again: what an independent reckoning has, then the reference results

case published-elasto-gap
run nssim -q $MODELS/elasto-gap/elasto-gap.xml -o a.csv
verify $CASES/measure a.csv 'all(near(x, 2*exp(-1.5*s)*(cos(sqrt(17.75)*s) + 1.5/sqrt(17.75)*sin(sqrt(17.75)*s)), 1e-9) for s, x in zip(t, c("tied.x")))'
verify $CASES/measure a.csv 'near(c("tied.v_x")[-1], -0.00419323748773757, 5e-6)' 'near(2 - c("tied.x")[-1], 2.00035037856153, 2e-7)' 'near(c("loose.v_x")[-1], 0.537529709680989, 2e-6)' 'near(2 - c("loose.x")[-1], 2.70788702355764, 5e-6)'

case published-line-rectifier
run nssim -q $MODELS/line-rectifier/line-rectifier.xml -o a.csv
verify $CASES/measure a.csv 'near(c("bridge.v_C1")[-1], 258.51435202915, 5e-4)' 'near(c("bridge.v_C2")[-1], 258.51435202915, 5e-4)' 'near(c("L2.i")[-1], -452.566827318013, 2e-3)' 'near(c("L3.i")[-1], 452.566882724054, 2e-3)'
# the same by steps
run sed 's|<EventDriven.*|<TimeStepping h="5e-7"><EulerMoreauOSI theta="1"/></TimeStepping>|' $MODELS/line-rectifier/line-rectifier.xml >b.xml; nssim -q b.xml --t-end 0.02 -o b.csv
verify $CASES/measure b.csv 'near(c("bridge.v_C1")[-1], at(0.02, "bridge.v_C1", "a.csv"), 0.01)' 'near(c("L2.i")[-1], at(0.02, "L2.i", "a.csv"), 1)'

case published-triac-dimmer
run nssim -q $MODELS/triac-dimmer/triac-dimmer.xml -o a.csv
# until the gate opens it is a linear circuit: v' = -a v + b sin(4 pi t)
verify $CASES/measure a.csv '(lambda a, b, w: near(at(0.1, "dimmer.v_C1"), b*(a*sin(w*0.1) - w*cos(w*0.1) + w*exp(-a*0.1))/(a*a + w*w), 1e-10))(2*(1 - 1/(100*0.06002)), 0.5/0.06002, 4*pi)'
verify $CASES/measure a.csv 'near(at(0.1, "dimmer.v_C1"), 0.432313329134495, 2e-6)' 'near(c("dimmer.v_C1")[-1], -0.30986585432987, 1e-6)' 'near([e for e in events("user") if e["interaction"] == "P2_off"][-1]["time"], 1.98561339066653, 1e-8)'

# the moments on both rotors add up to nothing over whole periods, so both end with half of what the one had
case published-one-way-clutch
run nssim -q $MODELS/one-way-clutch/one-way-clutch.xml -o a.csv
verify $CASES/measure a.csv 'near(c("driving.v_phi")[-1], -0.25, 1e-9)' 'near(c("driven.v_phi")[-1], -0.25, 1e-9)'
verify $CASES/measure a.csv 'near(c("driving.phi")[-1], -0.212330872683899, 5e-5)' 'near(c("driving.v_phi")[-1], -0.249978914236724, 5e-5)' 'near(-c("clutch.y")[-1], 0.485732617899392, 1e-6)'

# flanks with friction are the same gear, of first order in h
case published-lossy-gear
run nssim -q $MODELS/lossy-gear/lossy-gear.xml -o a.csv; nssim -q $MODELS/lossy-gear/lossy-gear-teeth.xml -o b.csv
verify $CASES/measure a.csv 'near(c("load.phi")[-1], 1.66216871678419e-5, 1e-8)' 'near(c("load.v_phi")[-1], -0.0162619240385781, 2e-8)'
verify $CASES/measure a.csv 'near(c("load.phi", "b.csv")[-1], c("load.phi")[-1], 2e-7)' 'near(c("load.v_phi", "b.csv")[-1], c("load.v_phi")[-1], 1e-7)'

# Test Set for IVP Solvers again

case published-chemical-akzo
run nssim -q $MODELS/chemical-akzo/chemical-akzo.xml -o a.csv
verify $CASES/measure a.csv 'all(abs(c(f"tank.y{i+1}")[-1]/y - 1) < 1e-8 for i, y in enumerate([0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974, 0.3656156421249283e-3, 0.1708010885264404e-1]))' 'near(115.83*c("tank.y1")[-1]*c("tank.y4")[-1], 0.4873531310307455e-2, 1e-10)'

case published-oregonator
run nssim -q $MODELS/oregonator/oregonator.xml -o a.csv
verify $CASES/measure a.csv 'all(abs(c(f"reaction.y{i+1}")[-1]/y - 1) < 1e-8 for i, y in enumerate([1.000814870318523, 1228.178521549917, 132.0554942846706]))'

# SUNDIALS: the digits that the outputs of its examples have, at their tolerances of 1e-4, 1e-5 and 1e-6

case published-robertson
run nssim -q $MODELS/robertson/robertson.xml -o a.csv
verify $CASES/measure a.csv 'all(abs(c(f"kinetics.y{i+1}")[-1]/y - 1) < 1e-7 for i, y in enumerate([0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]))'
verify $CASES/measured a.json 'near(M["made"], 0.26391, 2e-4)' 'near(M["gone"], 2.0790e7, 1e4)'

# behind the cut-off the way to the top is ln(1 + D v/g)/D of time
case published-rocket
run nssim -q $MODELS/rocket/rocket.xml -o a.csv
verify $CASES/measured a.json 'near(M["summit"], M["cut"] + log(1 + 0.3*M["speed"]/32)/0.3, 1e-8)' 'near(M["top"], 4000 + M["speed"]/0.3 - 32/0.3*(M["summit"] - M["cut"]), 1e-6)' 'near(M["cut"], 9.9994, 1e-3)' 'near(M["speed"], 576.7744, 5e-3)' 'near(M["summit"], 16.190, 2e-3)' 'near(M["top"], 5261.547, 1)'

case published-crank-spring
run nssim -q $MODELS/crank-spring/crank-spring.xml -o a.csv
verify $CASES/measure a.csv 'all(near(at(s, "crank." + n), x, 6e-5) for s, w in {2.5: (0.072238, 1.4980, -0.036096), 5: (-1.4300, 0.93903, 0.51790), 7.5: (0.18041, 1.4879, -0.089839), 10: (1.2757, 1.0236, -0.49881)}.items() for n, x in zip("qxp", w))'
