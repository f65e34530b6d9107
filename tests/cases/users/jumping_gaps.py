#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jumping_gaps.py FIRST END -- a body slides on a curve that falls away from it at once, or from which it is lifted.

For each seed in FIRST <= s < END, by a control, an event, or a formula, at t0 or later: event-driven runs end where time-stepping does, of
any kind of system, law, origin and scheme, and their energy is balanced. Prints what does not hold; status 1."""

import csv
import random
import subprocess
import sys

STEP = 2e-4  # s
FARTHEST = 40 * STEP  # m; the body falls by 0.1 to 0.4 m
LARGEST_DEFECT = 1e-6  # J


def system(rng, kind, place, speed, more):
    """A body of 1 kg in the plane, and one of first order beside it for some."""
    if kind == "lagrangian":
        text = (f'<LagrangianDS id="b" coordinates="x y" inputs="w"><q0>{place}</q0><v0>{speed!r} 0</v0><z>0</z><mass>1 0; 0 1</mass>'
                f"<fInt>0; 9.81</fInt></LagrangianDS>")
    else:
        text = (f'<RigidBody2dDS id="b" inputs="w"><q0>{place} 0</q0><v0>{speed!r} 0 0</v0><z>0</z><mass>1</mass><inertia>1</inertia>'
                f"<fExt>0 -9.81</fExt></RigidBody2dDS>")
    return text + ('<FirstOrderNonLinearDS id="f" states="s"><x0>0</x0><f>b.y - s</f></FirstOrderNonLinearDS>' if more else "")


def model(seed):
    rng = random.Random(seed)
    kind, how = rng.choice(["lagrangian", "body"]), ["control", "input", "lift", "formula"][seed % 4]
    x0, y0 = (rng.choice([0, rng.uniform(-50, 50)]) for _ in range(2))
    when, by = rng.choice([0, 0.13, 0.25]), rng.uniform(0.1, 0.4)
    flat, rubs, more = rng.random() < 0.4, rng.random() < 0.4, rng.random() < 0.3
    if how == "formula":
        when = max(when, 0.13)
    curve = repr(y0) if flat or rubs else f"{y0!r} + 0.05*sin({rng.uniform(1, 3)!r}*(x - {x0!r}))"
    gap = f"y - ({curve})" + {"control": " + w", "input": " + w", "lift": "", "formula": f" + if(t > {when}, {by!r}, 0)"}[how]
    names = {"lagrangian": "LagrangianScleronomousR", "body": "NewtonEulerR"}
    relation = "LagrangianRheonomousR" if kind == "lagrangian" and how == "formula" else names[kind]
    row = "<{0}><h>{1}{2}</h></{0}>".format(relation, gap.replace(">", "&gt;"), "; x" if rubs else "")
    if kind == "lagrangian" and how != "formula" and (flat or rubs) and rng.random() < 0.5:
        row = (f"<LagrangianLinearTIR><H>0 1{'; 1 0' if rubs else ''}</H><e>{-y0!r}{'; 0' if rubs else ''}</e>"
               f"<F>{int(how != 'lift')}{'; 0' if rubs else ''}</F></LagrangianLinearTIR>")
    e = rng.choice([0, rng.uniform(0.1, 0.5)])
    law = f'<NewtonImpactFrictionNSL en="{e}" mu="0.2"/>' if rubs else f'<NewtonImpactNSL e="{e}"/>'
    acts = {
        "control": f'<controls><control id="k" systems="b" writes="w" offset="{when}" period="9"><update>{by!r}</update></control></controls>',
        "input": f'<events><event id="k" at="{when}"><set name="b.w" value="{by!r}"/></event></events>',
        "lift": f'<events><event id="k" at="{when}"><set name="b.y" value="b.y + {by!r}"/></event></events>', "formula": ""}[how]
    text = (f'<model xmlns="urn:nssim:model:1" name="m"><systems>{system(rng, kind, f"{x0!r} {y0!r}", rng.uniform(0.5, 2), more)}</systems>'
            f'<interactions><interaction id="g" systems="b">{row}{law}</interaction></interactions>{acts}<simulation T="{when + 0.2}">%s'
            "</simulation></model>")
    scheme = '<MoreauJeanOSI theta="0.5"/>' + ('<EulerMoreauOSI theta="0.5"/>' if more else "")
    return text, f'<TimeStepping h="{STEP}">{scheme}</TimeStepping>', f"{kind} {how} {relation} {e} at {when}"


def end(name, text):
    """Position and energy defect at the end."""
    with open(name + ".xml", "w", encoding="utf-8") as f:
        f.write(text)
    done = subprocess.run(["nssim", "-q", name + ".xml", "-o", name + ".csv"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    with open(name + ".csv", encoding="utf-8") as f:
        *_, row = csv.DictReader(line for line in f if not line.startswith("#"))
    return [float(row[k]) for k in ("b.x", "b.y", "diagnostics.energy_defect")]


def main(first, last):
    wrong = 0
    for seed in range(first, last):
        text, steps, what = model(seed)
        try:
            a = end("events", text % '<EventDriven h="0.05"><CVodeOSI/></EventDriven>')
            b = end("steps", text % steps)
            far = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
            said = f"{far:.3g} m apart, {a[2]:.3g} J" if far > FARTHEST or abs(a[2]) > LARGEST_DEFECT else ""
        except RuntimeError as why:
            said = str(why)
        if said:
            print(f"seed {seed}: {what}: {said}")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
