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
