# SPDX-License-Identifier: GPL-3.0-or-later
# MoreauJeanGOSI with friction: what is said of it, what it writes.

case unreduced-friction
copy ../memory/unreduced-friction.xml
run nssim check unreduced-friction.xml
stdout-match ^  problem +FrictionContact, 28 rows, unreduced, 220 entries$
stdout-match ^  solver +auto: velocities and impulses together, sparse nonsmooth Newton, ADMM if it stalls$

case unreduced-friction-by-a-solver-of-reduced-problems
copy ../memory/unreduced-friction.xml
run sed -i 's|<MoreauJeanGOSI/>|&<FrictionContact solver="nsgs"/>|' unreduced-friction.xml; nssim check unreduced-friction.xml
stdout-match ^  problem +FrictionContact, 28 rows, block-sparse, 784 entries$

# the problems are global ones, and solved again alone
case unreduced-friction-problems
copy ../memory/unreduced-friction.xml
run nssim -q unreduced-friction.xml --dump-problems d --dump-when all; ls d; for f in d/*; do nssim solve $f | sed -n 1,2p; done
stdout-match ^gfc-step00000000\.dat$
stdout-match ^d/gfc-step00000003\.dat: global friction by its name, 28 unknowns, sparse$
stdout-match ^  status      solved$

# of rigid bodies it is MoreauJeanOSI, in space, in the plane, with joints, with forces of overlap
case unreduced-bodies
run for m in incline-box/incline-box planar-stack/planar-stack joint-motor/joint-motor compliant-grains/compliant-grains; do sed 's/simulation T="[^"]*"/simulation T="0.4"/' $MODELS/$m.xml >a.xml; sed 's/MoreauJeanOSI/MoreauJeanGOSI/g' a.xml >b.xml; nssim -q a.xml -o a.csv && nssim -q b.xml -o b.csv && cmp a.csv b.csv && wc -l <a.csv | awk '{ print ($1 > 2) }'; grep -c MoreauJeanGOSI b.xml; done
stdout <<
1
1
1
1
1
1
1
1
>>
