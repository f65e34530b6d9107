# SPDX-License-Identifier: GPL-3.0-or-later
# What the models of rigid bodies claim in their comments, measured. M is the Python dictionary of measures.

case free-body-turns-over-in-its-time
run nssim -q $MODELS/dzhanibekov/dzhanibekov.xml --json > j
verify $CASES/measured j 'near(M["flip"], 18.85103579, 1e-4)' 'M["most"]/M["least"] < 1+1e-12'

case top-keeps-its-inclination
run nssim -q $MODELS/heavy-top/heavy-top.xml --json > j
verify $CASES/measured j 'near(M["lowest"], pi/3, 3e-5)' 'near(M["highest"], pi/3, 1e-12)' 'abs(M["azimuth"]) < 6e-5'

case rod-on-a-hinge-has-its-period
run nssim -q $MODELS/pendulum-joint/pendulum-joint.xml --json > j
verify $CASES/measured j 'near(M["period"], 1.9333348544, 2e-6)' 'near(M["fastest"], sqrt(3*9.81), 1e-5)' 'M["length"] < 2e-6'

case rods-on-hinges-keep-their-energy
run nssim -q $MODELS/double-pendulum-joints/double-pendulum-joints.xml --json > j
verify $CASES/measured j 'M["depth"] > -1.5-1e-8' 'M["gain"] < 1e-2'

case slider-crank-on-joints-turns-in-its-time
run nssim -q $MODELS/slider-crank-joints/slider-crank-joints.xml --json > j; nssim check $MODELS/slider-crank-joints/slider-crank-joints.xml
verify $CASES/measured j 'near(M["turn"], 0.06788626631, 2e-6)' 'near(M["stroke"], 0.153, 3e-6)' 'near(M["energy"], 6.66271e-4*150**2/2, 1e-3)'

case four-bar-on-joints-moves
run nssim -q $MODELS/four-bar-joints/four-bar-joints.xml --json > j
verify $CASES/measured j 'M["gap"] < 2e-6' 'M["most"]/M["least"] < 1+1e-3'

case chain-bends-from-the-hook
run nssim -q $MODELS/body-chain/body-chain.xml --json > j
verify $CASES/measured j 'M["stone"] < 1e-6' 'M["whip"] > 6.5' 'M["sideways"] < 1e-9'

case rod-slides-like-chalk
run nssim -q $MODELS/painleve-rod-3d/painleve-rod-3d.xml --json > j
verify $CASES/measured j 'M["below"] > -5e-3' 'M["across"] < 1e-9'

