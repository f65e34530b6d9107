#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mechanics.py FIRST END OFFSET -- random masses on springs, forced, each above a ground, event-driven.

For each seed in FIRST <= s < END: no contact pulls in any recorded row, and three output grids end at one
position. OFFSET is the origin of all coordinates, which has no say. Prints what does not hold; status 1."""

import csv
import random
import subprocess
import sys

GRIDS = "0.05", "0.0005", "0.002"
LARGEST_PULL = 1e-6  # N
LARGEST_DISTANCE = 1e-6  # m, of positions by two grids


def numbers(values):
    return " ".join(map(repr, values))


def mass_matrix(rng, n):
    m = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            m[i][j] = m[j][i] = rng.uniform(-0.1, 0.1)
        m[i][i] = rng.uniform(1, 2)
    return "; ".join(map(numbers, m))


def model(seed, offset, grid):
    rng = random.Random(seed)
    n = 3 + seed % 2
    mass = mass_matrix(rng, n)
    stiffness = [rng.uniform(20, 200) for _ in range(n)]
    start = [offset + rng.uniform(0.02, 0.4) for _ in range(n)]
    force = []
    for k in stiffness:
        constant = repr(rng.uniform(-12, 2) + k * offset)
        forced = rng.random() < 0.5
        sine = f"+{rng.uniform(2, 10)!r}*sin({rng.uniform(5, 30)!r}*t)" if forced else ""
        force.append(constant + sine)
    speed = [rng.uniform(-1, 1) for _ in range(n)]
    damping = [rng.uniform(0, 1) for _ in range(n)]
    text = f"""<model xmlns="urn:nssim:model:1" name="m"><systems><LagrangianLinearTIDS id="s">
<q0>{numbers(start)}</q0><v0>{numbers(speed)}</v0><mass>{mass}</mass><K diag="{numbers(stiffness)}"/>
<C diag="{numbers(damping)}"/><fExt>{", ".join(force)}</fExt></LagrangianLinearTIDS></systems><interactions>
"""
    for c in range(n):
        row = numbers(int(j == c) for j in range(n))
        text += f"""<interaction id="c{c}" systems="s"><LagrangianLinearTIR><H>{row}</H><e>{-offset!r}</e>
</LagrangianLinearTIR><NewtonImpactNSL e="{rng.uniform(0, 0.8):.3f}"/></interaction>
"""
    return text + f"""</interactions>
<simulation T="1.5"><EventDriven h="{grid}"><CVodeOSI/></EventDriven></simulation></model>
"""


def play(seed, offset, grid):
    """The end position, and what is wrong with the run."""
    with open("random.xml", "w", encoding="utf-8") as f:
        f.write(model(seed, offset, grid))
    r = subprocess.run(["nssim", "run", "-q", "random.xml", "-o", "random.csv"], capture_output=True, text=True)
    if r.returncode:
        return None, f"status {r.returncode}: {r.stderr.strip()}"
    with open("random.csv", newline="", encoding="utf-8") as f:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]
    pull = -min(v for row in rows for k, v in row.items() if k.endswith(".lambda"))
    wrong = f"a contact pulls with {pull:.3g} N" if pull > LARGEST_PULL else ""
    return [v for k, v in rows[-1].items() if k.startswith("s.q[")], wrong


def main(first, end, offset):
    bad = 0
    for seed in range(int(first), int(end)):
        runs = [play(seed, float(offset), grid) for grid in GRIDS]
        wrong = [w for _, w in runs if w]
        ends = [q for q, _ in runs if q]
        apart = max(abs(a - b) for q in ends for a, b in zip(q, ends[0])) if ends else 0
        if apart > LARGEST_DISTANCE:
            wrong.append(f"ends {apart:.3g} m apart by the grid")
        if wrong:
            print(f"seed {seed}:", *wrong)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
