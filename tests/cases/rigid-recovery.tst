# SPDX-License-Identifier: GPL-3.0-or-later
# Overlaps that impacts leave are taken out of the positions: not kept, and no energy comes of it.

# The pile falls and settles: at rest no overlap is above the hundredth of a radius, where the velocity law alone keeps a tenth of it. What energy
# rises by in single steps is what overlaps took from the potential energy, a thousandth of the fall; the balance holds to rounding.
case pile-rests-without-overlap
file overlap.py <<
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
head = [name.split(' ')[0] for name in rows[0]]
rows = [dict(zip(head, map(float, r))) for r in rows[1:]]
n, R, s = 4, 0.05, 0.15
b, last = n*s/2 + R, rows[-1]
at = [[last['grain%d.%s' % (i, a)] for a in 'xyz'] for i in range(n**3)]
pairs = max(2*R - math.dist(p, q) for i, p in enumerate(at) for q in at[:i])
walls = max(max(R - p[2], R - b + abs(p[0]), R - b + abs(p[1])) for p in at)
energy = [r['diagnostics.kinetic'] + r['diagnostics.potential'] for r in rows]
print('overlap', 'small' if max(pairs, walls) < 1e-4 else 'large' if max(pairs, walls) > 4e-3 else max(pairs, walls))
rise = sum(max(0, e1 - e0) for e0, e1 in zip(energy, energy[1:]))
print('energy', 'falls' if rise < 2e-3*energy[0] and max(abs(r['diagnostics.energy_defect']) for r in rows) < 1e-10 else 'rises')
>>
run for r in 1 0; do sed "s/<contacts>/<contacts recover=\"$r\">/; s/every=\"10\"/every=\"1\"/" $MODELS/sphere-pile/sphere-pile.xml > p.xml; nssim -q p.xml -p n=4 -p T=2 -o $r.csv && python3 overlap.py $r.csv | tee -a out.txt; done; nssim -q $MODELS/sphere-pile/sphere-pile.xml -p n=4 -p T=2 -o d.csv; tail -1 d.csv | cut -d, -f1-13 > d2; tail -1 1.csv > r1; cut -d, -f1-13 r1 | cmp - d2 && echo default
stdout-match ^overlap small$
stdout-match ^overlap large$
stdout-match ^default$
verify ! grep rises out.txt

# Nor while it falls: grains land at up to 20 mm a step and turn by up to a fifth of a radian, and no gap closes by more than a hundredth of
# the radius. A grain alone that does not bounce comes out of the ground as well.
case pile-falls-without-overlap
timeout 60
run nssim -q $MODELS/sphere-pile/sphere-pile.xml -p T=0.6 --json | python3 -c 'import json, sys; c = json.load(sys.stdin)["certificate"]; assert c["penetration_max"] < 6e-4, c; print("met")'; nssim -q $MODELS/sphere-pile/sphere-pile.xml -p n=1 -p s=2 -p T=1 --set '#grain{i}/q0=0 0 1 1 0 0 0' --json | python3 -c 'import json, sys; c = json.load(sys.stdin)["certificate"]; assert c["penetration_max"] < 6e-5, c; print("alone")'
stdout <<
met
alone
>>

# A box that falls flat on four corners keeps the restitution of its law, whatever its corners overlap by, and a dropped one the peak of its
# bounce; a ball that touches nothing else moves as the same gap of an interaction does, which keeps its overlap.
case bounce-is-that-of-the-law
file box.xml <<
<model xmlns="urn:nssim:model:1" name="box">
  <parameters><parameter name="r" value="0.2"/><parameter name="e" value="0.8"/></parameters>
  <systems>
    <NewtonEulerDS id="d"><q0>0 0 0.1503 1 0 0 0</q0><v0>0 0 -3 0 0 0</v0><mass>1</mass><inertia diag="1 1 1"/><Box size="0.3 0.3 0.3"/></NewtonEulerDS>
  </systems>
  <contacts recover="0.2"><NewtonImpactFrictionNSL en="e" mu="0.3"/><Plane normal="0 0 1"/></contacts>
  <simulation T="0.02"><TimeStepping h="1e-3"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run for r in 0.2 1 0; do sed "s/recover=\"0.2\"/recover=\"$r\"/" box.xml > b.xml; nssim -q b.xml -o $r.csv; done; cmp 0.2.csv 0.csv && cmp 1.csv 0.csv && echo same
stdout-match ^same$
verify $CASES/measure 0.2.csv 'abs(c("d.v_z")[-1] - 2.4) <= 1e-12'

# By the word 0 overlaps stay, and what is no part of a whole is refused.
case recover-is-a-part
run sed 's/<contacts>/<contacts recover="1.5">/' $MODELS/sphere-pile/sphere-pile.xml > m.xml; nssim check m.xml
exit 65
verify nssim check m.xml 2>&1 | grep -q "recover"

# Grains so light that rows have units of their own fall as heavy ones do, without friction as well: overlaps are recovered in the memory of a
# problem whose rows have bounds, which are fewer than the gaps.
case grains-without-friction-have-any-mass
timeout 60
run for d in 1024 9.094947017729282e-13; do sed "s/<NewtonImpactFrictionNSL.*>/<NewtonImpactNSL e=\"0\"\/>/; s/radius^2\*1000/radius^2*$d/; s/density=\"1000\"/density=\"$d\"/" $TOP/bench/disk-bed.xml > m.xml; nssim -q m.xml -p n=800 --json | python3 -c 'import json, sys; c = json.load(sys.stdin)["certificate"]; assert 1.5e-3 < c["penetration_max"] < 1.7e-3, c; print("met")'; done
stdout <<
met
met
>>
