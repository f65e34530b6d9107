#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""nssim compare of random models by time-stepping with the same event-driven: they are the same, also the impulses of steps and the
forces over time with impulses of events; another mass is noticed by these alone, another restitution by the motion."""

import random
import subprocess

STEPS = {"stepping": '<TimeStepping h="{}"><MoreauJeanOSI/></TimeStepping>', "events": '<EventDriven h="{}"><CVodeOSI/></EventDriven>'}


def run(way, h, m, e, k, tau, g, x, T):
    friction = '<interaction id="rubs" systems="a"><LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>' f'<RelayNSL lb="{-tau * m}" ub="{tau * m}"/></interaction>'
    contact = '<interaction id="wall" systems="a"><LagrangianLinearTIR><H>0 1</H></LagrangianLinearTIR>' f'<NewtonImpactNSL e="{e}"/></interaction>'
    with open("m.xml", "w", encoding="utf-8") as f:
        f.write('<model xmlns="urn:nssim:model:1" name="m"><systems><LagrangianLinearTIDS id="a" coordinates="x y">' f'<q0>{x} {abs(x)}</q0><v0>1 0</v0><mass diag="{m} {m}"/>'
                f'<K diag="{k * m} 0"/><fExt>0 {-g * m}</fExt></LagrangianLinearTIDS></systems><interactions>{friction}{contact}</interactions>'
                f'<simulation T="{T}">{STEPS[way].format(h)}</simulation></model>')
    subprocess.run(["nssim", "-q", "m.xml", "-o", f"{way}.csv"], check=True)


def compare(a, b, h):
    done = subprocess.run(["nssim", "compare", f"{a}.csv", f"{b}.csv", "--rtol", "0.02", "--time-tol", str(20 * h)], capture_output=True, text=True)
    return done.returncode, done.stdout


for seed in range(8):
    r = random.Random(seed)
    T = 10 ** r.uniform(-1, 1)
    m, e, k, tau, g, x = 10 ** r.uniform(-3, 3), r.uniform(0.5, 0.9), r.uniform(30, 100) / T**2, r.uniform(0.1, 0.5) / T, r.uniform(8, 12) / T**2, r.uniform(0.2, 0.9)
    h = T / 20000
    run("stepping", h, m, e, k, tau, g, x, T)
    run("events", 500 * h, m, e, k, tau, g, x, T)
    for pair in (("stepping", "events"), ("events", "stepping")):
        status, said = compare(*pair, h)
        assert status == 0, (seed, said)
    run("events", 500 * h, 1.1 * m, e, k, tau, g, x, T)
    status, said = compare("stepping", "events", h)
    assert status == 1 and "wall.lambda" in said and "a.x" not in said, (seed, said)
    run("events", 500 * h, m, 0.9 * e, k, tau, g, x, T)
    assert compare("stepping", "events", h)[0] == 1, seed
