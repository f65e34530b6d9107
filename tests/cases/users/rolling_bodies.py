#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that come to rest on several points with rolling friction: their redundant rows are solved by Newton's method on the bodies.
By the last resorts of the methods on contacts, sweeps, a problem of 25 rows took 40,000 iterations, and the run ten times as long."""

import json
import math
import random
import subprocess

SCENES, BODIES, MOST = 16, 3, 10000


def shape(r, s):
    a, b, c = (r.uniform(0.4, 2) * s for _ in range(3))
    return r.choice([f'<Box size="{a} {b} {c}"/>', f'<Cylinder radius="{a / 2}" length="{b}"/>', f'<Cone radius="{a / 2}" length="{b}"/>',
                     '<ConvexHull points="%s"/>' % "; ".join(" ".join(str(r.uniform(-1, 1) * s) for _ in range(3)) for _ in range(12))])


def body(r, s, k):
    q = [r.gauss(0, 1) for _ in range(4)]
    size, m = math.sqrt(sum(x * x for x in q)), 2000 * s**3 * r.uniform(0.3, 3)
    v = [r.gauss(0, 0.3) * math.sqrt(9.81 * s) for _ in range(3)] + [r.gauss(0, 2) / math.sqrt(s) for _ in range(3)]
    return (f'<NewtonEulerDS id="b{k}"><q0>{4 * k * s} 0 {3 * s} {" ".join(str(x / size) for x in q)}</q0><v0>{" ".join(map(str, v))}</v0>'
            f"<mass>{m}</mass><fExt>0 0 {-9.81 * m}</fExt>{shape(r, s)}</NewtonEulerDS>")


iterations = []
for seed in range(SCENES):
    r = random.Random(seed)
    s = 10 ** r.uniform(-2, 1)
    with open("m.xml", "w", encoding="utf-8") as f:
        f.write('<model xmlns="urn:nssim:model:1" name="m"><systems>' + "".join(body(r, s, k) for k in range(BODIES)) + "</systems>"
                f'<contacts><NewtonImpactRollingFrictionNSL en="0" mu="0.5" muRolling="{0.01 * s}"/><Plane/></contacts>'
                f'<simulation T="{3 * math.sqrt(s)}"><TimeStepping h="{2e-3 * math.sqrt(s)}"><MoreauJeanOSI/></TimeStepping></simulation></model>')
    subprocess.run(["nssim", "-q", "m.xml", "-o", f"m{seed}.csv"], check=True)
    with open(f"m{seed}.json", encoding="utf-8") as f:
        iterations.append(json.load(f)["certificate"]["solver_iterations_max"])
assert max(iterations) < MOST, iterations
