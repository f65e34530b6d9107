# SPDX-License-Identifier: GPL-3.0-or-later
"""Random scenes of bodies that are born and die, in space and in the plane: from one place one after the other, on floors, walls and lids
that come and go, alone or among systems that read them, with rigid contacts and, of balls and disks, with ones that give way.

As random_models, for seeds of their own. Systems are a, b, c, d, and f, p beside them."""

import random

from mixed_models import CVODE
from random_models import MECHANICS, Model, number as n

LAWS = [
    '<NewtonImpactFrictionNSL en="0.5" mu="0.3"/>',
    '<NewtonImpactFrictionNSL en="0" mu="0.6"/>',
    '<NewtonImpactNSL e="0.7"/>',
    '<NewtonImpactNSL e="0"/>',
    '<CompliantFrictionNSL K="2e4" C="20" mu="0"/>',
    '<CompliantFrictionNSL K="2e4" C="30" Kt="1e4" Ct="15" mu="0.4"/>',
]


def life(r, born, dies, T):
    """Attributes of one that is there from and until these parts of the run, or from the start, or to the end."""
    return (f' birth="{n(born * T)}"' if born > 0 else "") + (f' death="{n(dies * T)}"' if dies < 1 else "")


def shape(r, space, boxes):
    size = r.uniform(0.1, 0.2)
    if boxes and r.random() < 0.5:
        return f'<Box size="{n(2 * size)} {n(size)} {n(1.5 * size)}"/>' if space else f'<Rectangle size="{n(2 * size)} {n(size)}"/>'
    return f'<{"Sphere" if space else "Disk"} radius="{n(size)}"/>'


def bodies(r, space, boxes, T, read):
    """One after the other falls from one place; each has left it when the next is born."""
    written = []
    between = r.uniform(0.2, 0.3)
    for k in range(r.randint(2, 4)):
        born = k * between + r.uniform(0, 0.02) if k or r.random() < 0.4 else 0
        dies = born + r.uniform(0.3, 0.6) if r.random() < 0.5 else 9
        across, slide = n(0.01 * k), r.uniform(-0.3, 0.3)
        force = f"{n(r.uniform(6, 10))} + {n(r.uniform(0, 0.3))}*v_{'z' if space else 'y'}{read}"
        force = f"0, 0, {force}" if space else f"0, {force}"
        q = f"{across} 0 3 1 0 0 0" if space else f"{across} 3 {n(r.uniform(-0.3, 0.3))}"
        v = f"{n(slide)} 0 -2 0 {n(5 * slide)} 0" if space else f"{n(slide)} -2 {n(-5 * slide)}"
        kind, name = "NewtonEulerDS" if space else "RigidBody2dDS", "abcd"[k]
        written.append(f'<{kind} id="{name}"{life(r, born, dies, T)}><q0>{q}</q0><v0>{v}</v0><mass>{n(r.uniform(0.5, 2))}</mass><fInt>{force}</fInt>{shape(r, space, boxes)}</{kind}>')
    return written


def floors(r, space, T):
    """A plane, a lid above it that comes or goes, a wall that comes and goes."""
    lid, wall = [(0, r.uniform(0.3, 0.8)), (r.uniform(0.05, 0.12), 9)][r.random() < 0.5], (r.uniform(0.1, 0.3), r.uniform(0.4, 0.9))
    if space:
        return f'<Plane/><Box id="lid" size="2 2 0.1" at="0.5 0 0.8"{life(r, *lid, T)}/><Box id="wall" size="0.1 2 2" at="1.2 0 1"{life(r, *wall, T)}/>'
    return f'<HalfPlane/><Rectangle id="lid" size="2 0.1" at="0.5 0.8"{life(r, *lid, T)}/><Rectangle id="wall" size="0.1 2" at="1.2 1"{life(r, *wall, T)}/>'


def scene(r, boxes):
    space, T, others = r.random() < 0.5, r.uniform(1.5, 2), r.random() < 0.4
    height = "b.z" if space else "b.y"
    systems = bodies(r, space, boxes, T, " + 0.3*f.u" if others else "")
    if others:
        systems.append(f'<FirstOrderNonLinearDS id="f" states="u"><x0>{n(r.uniform(-1, 1))}</x0><f>-u + 0.2*{height} + p.s</f></FirstOrderNonLinearDS>')
        systems.append(f'<LagrangianDS id="p" coordinates="s"><q0>{n(r.uniform(-1, 1))}</q0><v0>0</v0><mass>1</mass><fInt>{n(r.uniform(1, 20))}*(s - 0.1*{height})</fInt></LagrangianDS>')
    r.shuffle(systems)
    law = r.choice(LAWS[:4] if boxes else LAWS)
    body = f"  <systems>{''.join(systems)}</systems>\n  <contacts>{law}{floors(r, space, T)}</contacts>"
    schemes = [f"<EulerMoreauOSI/>{s}" for s in MECHANICS] if others else MECHANICS
    return Model(f"lives{'-among-others' if others else ''}", body, T, schemes, CVODE)


def model(seed):
    """The model of a seed, which is the same for ever. Every third has boxes, whose impacts make much of little."""
    r = random.Random(seed)
    made = scene(r, seed % 3 == 2)
    made.systems = ("a", "b", "c", "d", "f", "p")
    return made, r
