# SPDX-License-Identifier: GPL-3.0-or-later
"""threshold.py TABLE E -- where the period of the jumps doubles, from the collected table of a sweep over Gamma.

Beyond the threshold the speeds of high and low jumps differ by an amount whose square grows in proportion to the distance
(a pitchfork of the second iterate), so a line through the squares meets zero at the threshold. Held against Luck & Mehta (1993)."""
import csv
import math
import sys

e = float(sys.argv[2])
rows = [(float(r["Gamma"]), float(r["takeoff[7]"]) - float(r["takeoff[6]"])) for r in csv.DictReader(open(sys.argv[1]))]
split = [(g, d * d) for g, d in rows if abs(d) > 0.02 * max(abs(d) for _, d in rows)]
near = split[:12]
n, sx, sy = len(near), sum(g for g, _ in near), sum(y for _, y in near)
slope = (n * sum(g * y for g, y in near) - sx * sy) / (n * sum(g * g for g, _ in near) - sx * sx)
found = (sx - sy / slope) / n
exact = math.hypot(math.pi * (1 - e) / (1 + e), 2 * (1 + e * e) / (1 + e) ** 2)
print(f"{found:.5f} for {exact:.5f}: {100 * (found / exact - 1):+.3f} %")
assert rows[0][0] < found < split[0][0] + 0.005 * exact and abs(found / exact - 1) < 0.005
