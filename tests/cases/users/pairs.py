#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of shapes that <contacts> of the manual names for <EventDriven> are those that nssim takes, and no others."""

import itertools
import subprocess

IN_SPACE = {"Plane": "", "Sphere": 'radius="0.1"', "Capsule": 'radius="0.1" length="0.4"', "Cylinder": 'radius="0.1" length="0.4"',
            "Cone": 'radius="0.1" length="0.4"', "Box": 'size="1 2 0.5"', "ConvexHull": 'points="0 0 0; 1 0 0; 0 1 0; 0 0 1"',
            "Mesh": 'file="t.obj"', "HeightField": 'heights="0 0 0; 0 0 0; 0 0 0" spacing="1"'}
IN_PLANE = {"HalfPlane": "", "Disk": 'radius="0.1"', "Rectangle": 'size="1 2"', "Polygon": 'points="0 0; 1 0; 0 1"',
            "Polyline": 'points="-5 0; 0 0; 5 1"'}
BOUNDARIES = {"Plane", "Mesh", "HeightField", "HalfPlane", "Polyline"}  # pass through each other
RIGID, SOFT = '<NewtonImpactFrictionNSL en="0" mu="0.3"/>', '<CompliantFrictionNSL K="1e5"/>'


def is_taken(shapes, moving, fixed, law):
    body = ('<NewtonEulerDS id="b"><q0>0 0 9 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/>%s</NewtonEulerDS>' if shapes is IN_SPACE
            else '<RigidBody2dDS id="b"><q0>0 9 0</q0><mass>1</mass><inertia>1</inertia>%s</RigidBody2dDS>')
    shape = {x: f"<{x} {shapes[x]}/>" for x in (moving, fixed)}
    with open("pair.xml", "w", encoding="utf-8") as f:
        f.write('<model xmlns="urn:nssim:model:1"><systems>' + body % shape[moving] + f"</systems><contacts>{law}{shape[fixed]}</contacts>"
                '<simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation></model>')
    return subprocess.run(["nssim", "check", "pair.xml"], capture_output=True, check=False).returncode == 0


def listed():
    """Frozen sets of one or two names: all, as the manual has it."""
    text = subprocess.run(["nssim", "explain", "contacts"], capture_output=True, text=True, check=True).stdout
    assert "supports all pairs of shapes that can meet" in " ".join(text.split())
    return {frozenset((a, b)) for kinds in (IN_SPACE, IN_PLANE) for a in kinds for b in kinds}


with open("t.obj", "w", encoding="utf-8") as corners:
    corners.write("v -5 -5 0\nv 5 -5 0\nv 0 5 0\nf 1 2 3\n")
said, wrong = listed(), []
for kinds in (IN_SPACE, IN_PLANE):
    for a, b in itertools.product(kinds, kinds):
        if a in ("Plane", "HalfPlane") or {a, b} <= BOUNDARIES:
            continue
        if is_taken(kinds, a, b, RIGID) != (frozenset((a, b)) in said):
            wrong.append((a, b))
        soft = frozenset((a, b)) in said and not {a, b} & {"Mesh", "HeightField", "Polyline"} and (
            not {a, b} & {"Capsule", "Cylinder", "Cone"} or bool({a, b} & {"Plane", "Sphere"}))
        if is_taken(kinds, a, b, SOFT) != soft and not {"Disk", "Polyline"} == {a, b}:
            wrong.append((a, b, "compliant"))
assert not wrong, wrong
