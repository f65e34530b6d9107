# SPDX-License-Identifier: GPL-3.0-or-later
# What the models of mechanics claim in their comments, measured: closed forms.

case incline-block-stops-and-stays
run nssim -q $MODELS/incline/incline.xml -o a.csv
# the velocity is exactly 0 after the step of stopping, the distance right to second order
verify $CASES/measure a.csv 'near(max(c("block.s")), 1.594928117, 1e-6)' 'all(v == 0 for s, v in zip(t, c("block.v_s")) if s > 1.59593)' 'all(v > 0 for s, v in zip(t, c("block.v_s")) if s < 1.5949)' 'len(set(c("block.s")[1600:])) == 1'
verify $CASES/measure a.csv 'near(c("plane.lambda[0]")[-1]/1e-3, 2*9.81*cos(radians(20)), 1e-11)' 'near(c("plane.lambda[1]")[-1]/1e-3, -2*9.81*sin(radians(20)), 1e-11)'

# the step after the one that stops it; nothing else happens to it
verify $CASES/measure a.csv 'len(events("stick")) == 1 and events("slip") == []' 'near(events("stick")[0]["time"], 1.594928 + 1.5e-3, 6e-4)' 'near(events("stick")[0]["impulse"]/1e-3, -2*9.81*sin(radians(20)), 1e-11)' 'events("stick")[0]["row"] == 1'

case incline-block-slides
run nssim -q $MODELS/incline/incline.xml -p mu=0.3 -p v0=0 -o a.csv
verify $CASES/measure a.csv 'events("stick") == []'
verify $CASES/measure a.csv 'near(c("block.v_s")[-1], 3*9.81*(sin(radians(20))-0.3*cos(radians(20))), 1e-11)'

case incline-block-does-not-creep
run nssim -q $MODELS/incline/incline.xml -p v0=0 --t-end 100 -o a.csv
verify $CASES/measure a.csv 'len(t) == 100001' 'max(map(abs, c("block.s"))) == 0'

case dry-friction-by-contact-and-by-relay
run nssim -q $MODELS/dry-friction/dry-friction.xml -o a.csv; nssim -q $MODELS/dry-friction/dry-friction-relay.xml -o b.csv
# amplitudes 0.103, 0.093, ... at multiples of pi/10, then rest at 0.003: 1.2e-6 at h = 1e-3
verify for f in a b; do $CASES/measure $f.csv 'all(near(at(k*pi/10, "block.x"), (-1)**k*(0.103-0.01*k), 5e-6) for k in range(11))' 'near(c("block.x")[-1], 0.003, 2e-6)' 'all(abs(v) < 1e-15 for s, v in zip(t, c("block.v_x")) if s > pi+0.002)' || exit 1; done
verify $CASES/measure a.csv 'max(abs(x-y) for x, y in zip(c("block.x"), c("block.x", "b.csv"))) < 1e-14'

# It turns ten times without sticking, then rests; pushed with a force that grows, it slips where that is more than friction.
case dry-friction-sticks-and-slips
run nssim -q $MODELS/dry-friction/dry-friction.xml -o a.csv; sed 's|<fExt>0 -m\*g|<fExt>t -m*g|' $MODELS/dry-friction/dry-friction.xml >push.xml; nssim -q push.xml -p k=0 -p x0=0 --t-end 1 -o b.csv
verify $CASES/measure a.csv 'len(events("stick")) == 1 and events("slip") == []' 'near(events("stick")[0]["time"], pi, 3e-3)' 'abs(events("stick")[0]["impulse"]) < 0.5e-3'
verify $CASES/measure b.csv 'len(events("slip")) == 1 and events("stick") == []' 'near(events("slip")[0]["time"], 0.5, 1.01e-3)' 'events("slip")[0]["velocity_before"] == 0 and events("slip")[0]["velocity_after"] > 0'

case dry-friction-den-hartog
run nssim -q $MODELS/dry-friction/dry-friction-relay.xml -p k=1 -p x0=0 -p P=1 -p beta=0.6 -p f=0.2 -p T=300 -o a.csv
verify $CASES/measure a.csv 'near(max(abs(x) for s, x in zip(t, c("block.x")) if s > 270), 1.55060285469, 2e-4)'

case disk-impact-slides
run nssim -q $MODELS/disk-impact/disk-impact.xml -o a.csv
verify $CASES/measure a.csv 'near(c("disk.v_x")[-1], 2.64, 1e-14)' 'near(c("disk.v_phi")[-1], -1.44, 1e-14)' 'near(c("disk.v_y")[-1], 0.8, 1e-14)'

case disk-impact-sticks
run nssim -q $MODELS/disk-impact/disk-impact.xml -p vx=0.5 -o a.csv
verify $CASES/measure a.csv 'near(c("disk.v_x")[-1], 1/3, 1e-14)' 'near(c("disk.v_phi")[-1], -2/3, 1e-14)'

case rocking-block-housner
run nssim -q $MODELS/rocking-block/rocking-block.xml -o a.csv
# rate before and after each change of corners, 1e-3 from it; energy is accounted for
verify $CASES/measure a.csv 'near(events("impact")[0]["time"], 0.486375486873, 4e-4)' 'near(at(events("impact")[0]["time"]-2e-4, "block.v_theta"), -0.573673955266, 2e-3)'
verify $CASES/measure a.csv 'all(near(at(e["time"]+2e-4, "block.v_theta")/at(e["time"]-2e-4, "block.v_theta"), 1-1.5/17, 3e-3) for e in events("impact")[:6])' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-9'

case ball-on-plate-jumps-once-a-period
run nssim -q $MODELS/ball-on-plate/ball-on-plate.xml -o a.csv
verify $CASES/measure a.csv 'len(events("impact")) in (99, 100)' 'all(near(b["time"]-a["time"], pi/10, 2.01e-4) for a, b in zip(events("impact"), events("impact")[1:]))' 'near(max(c("ball.v_x")), pi*9.81/20, 2e-3)' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-11'

case ball-on-plate-period-doubles
run nssim -q $MODELS/ball-on-plate/ball-on-plate.xml -p Gamma=1.6 -o a.csv
verify $CASES/measure a.csv 'all(abs(e["time"]-2*f["time"]+g["time"]) > 0.02 for e, f, g in zip(*[events("impact")[60+k:] for k in range(3)]))' 'all(near(g["time"]-e["time"], pi/5, 1e-3) for e, g in zip(events("impact")[60:], events("impact")[62:]))'

case compliant-contact
run nssim -q $MODELS/compliant-contact/compliant-contact.xml -o a.csv
# first order in the step: 1.6e-3 at 2e-5
verify $CASES/measure a.csv 'near(2e-5*sum(l > 0 for l in c("wall.lambda")), pi*0.01, 6e-5)' 'near(max(c("wall.lambda"))/2e-5, 100, 0.2)' 'near(c("mass.v_x")[-1], 1, 2e-3)'

case painleve-rod-impact-without-collision
run nssim -q $MODELS/painleve-rod/painleve-rod.xml -o a.csv
verify $CASES/measure a.csv 'near(c("tip.lambda[0]")[1], 0.3, 1e-4)' 'near(c("tip.lambda[1]")[1], 0.4, 1e-4)' 'near(c("tip.ydot[1]")[1], 0, 1e-10)'

case painleve-rod-slides
run nssim -q $MODELS/painleve-rod/painleve-rod.xml -p mu=1 -o a.csv
verify $CASES/measure a.csv 'near(c("tip.lambda[0]")[1]/1e-5, 22.28893202, 2e-3)' 'near(c("tip.lambda[1]")[1], c("tip.lambda[0]")[1], 1e-15)'

case pendulum-on-slider-that-sticks
run nssim -q $MODELS/pendulum-on-slider/pendulum-on-slider.xml -p mu=0.75 -p stop=10 -o a.csv
# passes the vertical after each half period
verify $CASES/measure a.csv 'max(map(abs, c("slider.x"))) < 1e-6' 'all(near(s, (k+0.5)*2.36784194758/2, 5e-4) for k, s in enumerate(b for a, b, p, q in zip(t, t[1:], c("slider.phi"), c("slider.phi")[1:]) if p*q <= 0))'

case pendulum-on-slider-that-slips
run nssim -q $MODELS/pendulum-on-slider/pendulum-on-slider.xml -p mu=0.74 -p stop=10 -o a.csv
verify $CASES/measure a.csv 'max(map(abs, c("slider.x"))) > 1e-5'

case pendulum-on-free-slider
run nssim -q $MODELS/pendulum-on-slider/pendulum-on-slider.xml -p mu=0 -p stop=10 -o a.csv
verify $CASES/measure a.csv 'max(abs(2*v+cos(p)*w) for v, w, p in zip(c("slider.v_x"), c("slider.v_phi"), c("slider.phi"))) < 1e-5' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-4'

case pendulum-on-slider-with-stops
run nssim -q $MODELS/pendulum-on-slider/pendulum-on-slider.xml -o a.csv
verify $CASES/measure a.csv 'max(map(abs, c("slider.x"))) < 0.201' 'len(events("impact")) > 4'

case row-of-disks-follow-shot
run for mu in 0 0.1; do nssim -q $MODELS/chain-of-balls/chain-of-balls-friction.xml -p mu=$mu -o $mu.csv; done
# moments about the floor are kept: sum of v_x - R v_phi/2 is 3 v/2; the last slides from v to 2 v/3, off by flights of h
verify $CASES/measure 0.csv 'near(sum(c(f"disk{i}.v_x")[-1]-0.015*c(f"disk{i}.v_phi")[-1] for i in range(1, 7)), 1.5, 1e-12)' 'near(c("disk6.v_x")[-1], 2/3, 1e-3)' 'near(sum(c(f"disk{i}.v_x")[-1] for i in range(1, 6)), 1/3, 1e-3)' 'all(near(c(f"disk{i}.v_x")[-1], -0.03*c(f"disk{i}.v_phi")[-1], 1e-12) for i in range(1, 7))' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-13'
verify $CASES/measure 0.1.csv 'c("disk6.v_x")[-1] < 0.66' 'c("diagnostics.work_friction")[-1] < -0.08' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-13'

case disk-heap-stands-and-falls
run for mu in 0.262 0.273; do nssim -q $MODELS/disk-heap/disk-heap.xml -p mu=$mu -o $mu.csv; done; for mu in 0.0875 0.0911; do nssim -q $MODELS/disk-heap/disk-heap.xml -p mu=0.4 -p mu0=$mu -o $mu.csv; done
# 2 % below and above tan(15 deg) and (2 - sqrt(3))/3
verify for mu in 0.273 0.0911; do $CASES/measure $mu.csv 'near(c("disk1_2.y")[-1], 0.1+0.1*sqrt(3), 1e-4)' 'near(c("floor1_1.lambda[0]")[-1]+c("floor2_1.lambda[0]")[-1], 3*9.81e-3, 1e-8)' || exit 1; done; for mu in 0.262 0.0875; do $CASES/measure $mu.csv 'c("disk1_2.y")[-1] < 0.11' || exit 1; done

case manipulator-presses
run nssim -q $MODELS/manipulator/manipulator.xml -o a.csv
verify $CASES/measure a.csv 'near(c("wall.lambda[0]")[-1]/5e-4, 40, 0.2)' 'near(c("wall.y[1]")[-1], 0.3, 1e-9)' 'len(events("impact")) > 0'

case four-bar-is-the-rigid-linkage-without-clearance
run nssim -q $MODELS/four-bar/four-bar.xml -p c=1e-5 -p mu=0 -o a.csv
# crank's end and rocker's end are as far apart as the coupler is long, but for the clearances; the pins swing in them, as nothing damps
# them, around the rates of the rigid linkage; rows of the end damp that swing, and the rates at phi = 1 + 2 pi are those
verify $CASES/measure a.csv 'all(abs(hypot(0.5+0.4*cos(g)-0.2*cos(p), 0.4*sin(g)-0.2*sin(p))-0.5) < 2.1e-5 for p, g in zip(c("crank.phi_a"), c("rocker.gamma")))' 'abs(sum(w/v-0.2*sin(p-b)/(0.4*sin(g-b)) for p, v, b, g, w in zip(c("crank.phi_a"), c("crank.v_phi_a"), c("coupler.beta"), c("rocker.gamma"), c("rocker.v_gamma"))))/len(c("time")) < 2.5e-5' 'c("diagnostics.kinetic")[-1] > 0.9999*c("diagnostics.kinetic")[0]'
verify sed 's,<MoreauJeanOSI/>,<MoreauJeanOSI rowsGamma="1"/>,' $MODELS/four-bar/four-bar.xml >b.xml && nssim -q b.xml -p c=1e-5 -p mu=0 -o b.csv && $CASES/measure b.csv 'all(near(w/v, 0.305618, 2.5e-4) and near(b/v, -0.206512, 2.5e-4) and near(v, 10, 0.02) for p, v, b, w in zip(c("crank.phi_a"), c("crank.v_phi_a"), c("coupler.v_beta"), c("rocker.v_gamma")) if abs(p-1-2*pi) < 1.1e-4)'

case four-bar-with-friction
run nssim -q $MODELS/four-bar/four-bar.xml -o a.csv
verify $CASES/measure a.csv 'all(y <= x*(1+1e-9) for x, y in zip(c("diagnostics.kinetic"), c("diagnostics.kinetic")[1:]))' 'min(c("a.y[0]")+c("b.y[0]")) > -1e-5' 'c("diagnostics.kinetic")[-1] < 0.96*c("diagnostics.kinetic")[0]' 'abs(c("diagnostics.energy_defect")[-1]) < 1e-9'

case impacting-bar-wave
run nssim -q $MODELS/impacting-bar/impacting-bar.xml -o a.csv
# duration and mean force of the contact, one element of 100 from those of the continuum; the trajectory itself: test_reference_friction
verify $CASES/measure a.csv 'near(2e-6*sum(l > 0 for l in c("wall.lambda")), 2*sqrt(7800/210e9), 4e-6)' 'near(sum(c("wall.lambda"))/2e-6/sum(l > 0 for l in c("wall.lambda")), 1270.8, 20)'

case impacting-bar-in-events
# without damping the energy is kept; with it some is lost, and none gained
run nssim -q $MODELS/impacting-bar/impacting-bar-events.xml -p rho_inf=1 -o a.csv && nssim -q $MODELS/impacting-bar/impacting-bar-events.xml -o b.csv
verify $CASES/measure a.csv 'near(2e-6*sum(l > 0 for l in c("wall.lambda")), 2*sqrt(7800/210e9), 4e-6)' 'near(sum(l for l in c("wall.lambda"))/sum(l > 0 for l in c("wall.lambda")), 1252, 15)' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-7' 'len(events("impact")) == 1' '-2e-5 < c("diagnostics.energy_defect", "b.csv")[-1] < -1e-5'

case slider-crank-by-plug-in
skip-unless command -v cc
run nssim -q $MODELS/slider-crank/slider-crank.xml --t-end 0.02 -o a.csv && nssim -q $MODELS/slider-crank/slider-crank-plugin.xml --t-end 0.02 -o b.csv
verify $CASES/measure a.csv 'all(max(abs(x-y) for x, y in zip(c(k), c(k, "b.csv"))) <= 1e-12*max(map(abs, c(k))) for k in ["mechanism.theta1", "mechanism.theta2", "mechanism.theta3", "mechanism.v_theta1", "mechanism.v_theta2", "mechanism.v_theta3"])'

case bands-and-repetition-are-the-matrices-they-stand-for
copy ../../models/chain-of-masses/chain-of-masses.xml
run python3 -c 'import re; s = open("chain-of-masses.xml").read(); s = re.sub(r"<K>.*?</K>", "<K band=\"-k ...; k 2*k ... k; -k ...\"/>", s, flags=re.S); s = re.sub(r"<C>.*?</C>", "<C band=\"-c*k ...; c*k 2*c*k ...(4) c*k; -c*k -c*k -c*k -c*k\"/>".replace("...(4)", "... "), s, flags=re.S); s = s.replace("0.1 0.1 0.1 0.1 0.1", "0.1 ...").replace("-v -v -v -v -v", "-v ...(5)").replace("m m m m m", "m ...").replace("<H>1 0 0 0 0", "<H>1 0 ...(5)"); open("b.xml", "w").write(s)' && nssim -q chain-of-masses.xml -o a.csv && nssim -q b.xml -o b.csv
verify cut -d, -f1-20 a.csv >a; cut -d, -f1-20 b.csv | cmp a -

case bands-and-repetition-that-say-too-little
file m.xml <<
<model xmlns="urn:nssim:model:1"><systems>
<LagrangianLinearTIDS id="a"><q0>1 ...</q0></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="b"><q0>...(2) 1</q0></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="c"><q0>1 ...(2.5)</q0></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="d"><q0>1 ... 2 ...(9)</q0></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="e"><q0>1 2 3</q0><mass band="1 ...; 2 ..."/></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="f"><q0>1 2 3</q0><mass band="1 ...; 2 2; 1 ..."/></LagrangianLinearTIDS>
<LagrangianLinearTIDS id="g"><q0>0 ...(1e9)</q0></LagrangianLinearTIDS>
</systems><simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation></model>
>>
run nssim check m.xml
exit 65
stderr-match m.xml:2: <q0> of .*: has \.\.\., but nothing else determines its length
stderr-match m.xml:3: <q0> of .*: has \.\.\. as its first entry
stderr-match m.xml:4: <q0> of .*: "\.\.\.\(2\.5\)" does not give the number of entries
stderr-match m.xml:5: <q0> of .*: has \.\.\. twice in a row
stderr-match m.xml:6: <mass> of .*: has 2 diagonals, expected an odd number, at most 5
stderr-match m.xml:7: <mass> of .*: has a diagonal of 2 entries, 0 from the main one, expected 3
stderr-match m.xml:8: <q0> of .*: "\.\.\.\(1e9\)" does not give the number of entries

case bouncing-ball-event-by-event
run nssim -q $MODELS/bouncing-ball/bouncing-ball-events.xml -o a.csv; nssim info a.csv | grep modes
stdout <<
  modes        ground: free 1.35457 s (23 impacts), closed 1.64543 s
>>
verify $CASES/measure a.csv 'near(c("ground.lambda")[-1], 9.81, 1e-12)' 'c("ball.x")[-1] == 0' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-11'

case cam-follower-event-by-event
run nssim -q $MODELS/cam-follower/cam-follower-events.xml -o a.csv; nssim -q $MODELS/cam-follower/cam-follower-events.xml -p s=0.99 -o b.csv; nssim info b.csv | grep modes
stdout <<
  modes        cam: closed 1 s
>>
# take-off, and landing 41.27 ms later with 0.932 m/s
verify $CASES/measure a.csv 'near(t[1+c("diagnostics.side").index(2)], 0.0259909, 1e-3)' 'near(min(c("cam.ydot")[:80]), -0.932270932, 1e-6)'

case dry-friction-event-by-event
run nssim -q $MODELS/dry-friction/dry-friction-events.xml -o a.csv; nssim -q $MODELS/dry-friction/dry-friction-relay-events.xml -o b.h5; nssim info a.csv | grep modes; nssim info b.h5 | grep modes
stdout <<
  modes        floor: slip 3.14159 s, stick 0.858407 s
  modes        friction: slip 3.14159 s, stick 0.858407 s
>>
verify $CASES/measure a.csv 'near(c("block.x")[-1], 0.003, 1e-9)' 'max(map(abs, c("diagnostics.energy_defect"))) < 1e-9'

case rocking-block-event-by-event
run nssim -q $MODELS/rocking-block/rocking-block-friction-events.xml -o a.csv; nssim info a.csv --all | grep -o 'left: stick 0.486375 s, free 0.791578 s (1 impact), stick 0.671663 s'
stdout <<
left: stick 0.486375 s, free 0.791578 s (1 impact), stick 0.671663 s
>>

case painleve-rod-jams
run nssim -q $MODELS/painleve-rod/painleve-rod-events.xml -o a.csv; cut -d, -f1-3,8-11 a.events.csv | awk -F, -v OFS=, 'NR == 2 {$4 = sprintf("%.12g", $4); $5 = sprintf("%.12g", $5)} 1'
stdout <<
time,kind,interaction,impulse,energy_lost,mode_before,mode_after
0,jam,tip,0.3,0.2,free,stick
0,contact,tip,0,0,free,stick
>>
stderr <<
nssim: warning: $MODELS/painleve-rod/painleve-rod-events.xml:31: <interaction id="tip">: at t = 0 s no friction force allows the contact to continue sliding with mu = 1.4 (Painleve): it jams, an impact without collision, of kind jam in the events; less friction avoids this
>>

case newtons-cradle-swings
run nssim -q $MODELS/newtons-cradle/newtons-cradle.xml -o a.csv
# the last ball leaves with 0.9888 of the speed, the first has 0.0711 of it back
verify $CASES/measure a.csv 'near(c("ball5.v_x")[c("diagnostics.side").index(2)]/(0.05*sqrt(9.81/0.2)), 0.98878, 2e-4)' 'near(c("ball1.v_x")[c("diagnostics.side").index(2)]/(0.05*sqrt(9.81/0.2)), -0.07109, 2e-4)'
