# SPDX-License-Identifier: GPL-3.0-or-later
# Every model of models/ runs to its end, is certified, and does what its comment says.

case bouncing-ball
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -o out.h5
exit 0
stdout-match ^  impacts +37; at most 1 of 1 contact rows active
stdout-match ^complete: 2000 steps to t = 10 s in .*; residual <= 0, penetration <= 0\.0081 m, energy defect -?[0-9.]+e-1[3-9] J; written to out\.h5
exists out.h5

case bouncing-ball-for-ever
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -p e=1 --t-end 100
exit 0
stdout-match ^  work +contacts -?[0-9.]+e-1[2-9] J

case bouncing-ball-by-plug-in-is-the-same
skip-unless command -v cc
run nssim $TOP/models/bouncing-ball/bouncing-ball.xml -q -o a.csv; nssim $TOP/models/bouncing-ball/bouncing-ball-plugin.xml -q -o b.csv; cut -d, -f1-13 a.csv >a; cut -d, -f1-13 b.csv | cmp a -
exit 0

case bead-column
run nssim $TOP/models/bead-column/bead-column.xml
exit 0
stdout-match ^complete: 4000 steps to t = 2 s in .*; residual <= [0-9.]+e-1[4-9], penetration <= 0\.0017 m, energy defect

case bead-column-of-a-hundred
run nssim $TOP/models/bead-column/bead-column.xml -p n=100 -p e=0 --json | python3 -c 'import json, sys; sys.exit(not 0 < json.load(sys.stdin)["certificate"]["residual_max"] < 1e-12)'
exit 0

case bead-column-1000
run nssim $TOP/models/bead-column-1000/bead-column-1000.xml -o out.h5
exit 0
stdout-match ^complete: 600 steps to t = 0\.3 s in .*; residual <= [0-9.]+e-1[4-9]

case impact-oscillator
run nssim $TOP/models/impact-oscillator/impact-oscillator.xml
exit 0
stdout-match ^  impacts +60;

case cam-follower
run nssim $TOP/models/cam-follower/cam-follower.xml
exit 0
stdout-match ^complete: 10000 steps to t = 1 s

case double-pendulum
run nssim $TOP/models/double-pendulum/double-pendulum.xml
exit 0
stdout-match ^  impacts +5;
stdout-match ^complete: 10000 steps to t = 10 s

case double-pendulum-without-wall
run nssim $TOP/models/double-pendulum/double-pendulum.xml -p stop=1e6
exit 0
stdout-match ^  impacts +0;
stdout-match energy defect -0\.0009 J|energy defect -0\.00089 J

case chain-of-masses
run nssim $TOP/models/chain-of-masses/chain-of-masses.xml
exit 0
stdout-match ^  impacts +7;
stdout-match ^complete: 5000 steps to t = 1 s in .*energy defect -?[0-9.]+e-1[3-9] J

# The commands in the head of each model work in its folder, as `nssim example` copies it.
case commands-in-the-heads
skip-unless command -v gnuplot
timeout 120
run for f in $MODELS/*/*.xml; do d=$(basename $(dirname $f)); cp -r $(dirname $f) .; (cd $d; sed -n 's/^    \(nssim .*\)/\1/p' $(basename $f) | while read -r k; do case $k in *plot*) k="$k -o p.svg" ;; esac; eval "$k" >said 2>&1 || { echo "$d: $k"; cat said; }; done); done
stdout <<
>>
