# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models of each law with parameters of each kind on each kind of system: numbers, formulas of t, of the state, of another
system, of the speed of slip; on relations that are linear, formulas, formulas of t, points of bodies, shapes.

As random_models, for seeds of their own. Systems are s, which slides and bounces on a floor, b beside it, and a, which lags behind."""

import math
import random

from mixed_models import BOTH, CVODE, body
from random_models import MECHANICS, Model, escape, number, signal

n = number
R = 0.1  # of bodies


def parameter(r, size, T, lags):
    """A positive formula of about this size."""
    part, w = n(size * r.uniform(0.2, 0.8)), n(2 * math.pi * r.uniform(1, 4) / T)
    forms = ["{s}", "{s} + 0.9*{p}*sin({w}*t)", "{s}*(1 + t)", "{s} + {p}*tanh(s.x)", "{s} + {p}*exp(-2*slip)", "{s} + {p}*exp(-0.5*slip)"]
    if lags:
        forms.append("{s} + {p}*tanh(a.p)")
    return r.choice(forms).format(s=n(size), p=part, w=w)


def law_of_floor(r, T, lags):
    """And whether it has friction."""
    e = r.choice(["0", "0", n(r.uniform(0.2, 0.6)), f"{n(r.uniform(0.2, 0.5))}*exp(-approach)"])
    if r.random() < 0.15:
        return f'<NewtonImpactNSL e="{e}"/>', False
    mu = parameter(r, r.uniform(0.1, 0.5), T, lags)
    return f'<NewtonImpactFrictionNSL en="{e}" mu="{escape(mu)}"/>', True


def point(r, kind, T, x, y, v, law, friction):
    """A point over a floor, in coordinates: its system, its relation."""
    m, k, g = r.uniform(0.5, 2), n(r.uniform(0, 20)), r.uniform(2, 10)
    mass = f"{n(m)} + 0.1*cos(y)" if kind == "varying" else n(m)
    turns = "<fGyr>-0.1*sin(y)*v_x*v_y, 0.05*sin(y)*v_x^2</fGyr>" if kind == "varying" else ""
    start = f"<q0>{n(x)} {n(y)}</q0><v0>{n(v)} 0</v0>"
    push = escape(signal(r, 3 * m, T))
    if kind == "linear":
        system = (
            f'<LagrangianLinearTIDS id="s" coordinates="x y">{start}<mass diag="{n(m)} {n(m)}"/><K>{k} 0; 0 0</K>'
            f"<fExt>{push} + {k}*({n(x)}), -{n(m * g)}</fExt></LagrangianLinearTIDS>"
        )
    else:
        system = (
            f'<LagrangianDS id="s" coordinates="x y">{start}<mass>{mass}, 0; 0, {n(m)}</mass>{turns}'
            f"<fInt>{k}*(x - ({n(x)})), {n(m * g)}</fInt><fExt>{push}, 0</fExt></LagrangianDS>"
        )
    along, row = (", x", "; 1 0") if friction else ("", "")
    moved = (f", x - {n(r.uniform(-0.5, 0.5))}*t" if friction else "")
    floor = f"y + {n(r.uniform(0.01, 0.05))}*(1 - cos({n(r.uniform(3, 15))}*t))"
    relation = r.choice(
        [
            f"<LagrangianLinearTIR><H>0 1{row}</H></LagrangianLinearTIR>",
            f"<LagrangianScleronomousR><h>y{along}</h></LagrangianScleronomousR>",
            f"<LagrangianRheonomousR><h>{floor}{moved}</h></LagrangianRheonomousR>",
        ]
    )
    return system, [("c", "s", relation + law)], ""


def ball(r, kind, T, x, y, v, law, friction):
    """A disk or a sphere, by a point of it or by its shape: its system, its relation, contacts."""
    m, g, spin = r.uniform(0.5, 2), r.uniform(2, 10), [n(r.uniform(-10, 10)) for _ in range(3)]
    push, rows, shaped = escape(signal(r, 3 * m, T)), 3 if friction else 1, r.random() < 0.5
    if kind == "plane":
        shape, ground = '<Disk radius="0.1"/>', '<HalfPlane normal="0 1"/>'
        points = "<P1>x y-0.1 0</P1><P2>x 0 0</P2><n>0 1 0</n>"
        system = (
            f'<RigidBody2dDS id="s"><q0>{n(x)} {n(y + R)} 0</q0><v0>{n(v)} 0 {spin[0]}</v0><mass>{n(m)}</mass><inertia>{n(m * R * R / 2)}</inertia>'
            f"<fExt>{push}, -{n(m * g)}</fExt>{shape if shaped else ''}</RigidBody2dDS>"
        )
    else:
        shape, ground = '<Sphere radius="0.1"/>', '<Plane normal="0 0 1"/>'
        points = "<P1>x y z-0.1</P1><P2>x y 0</P2><n>0 0 1</n>"
        J = n(0.4 * m * R * R)
        system = (
            f'<NewtonEulerDS id="s"><q0>{n(x)} 0 {n(y + R)} 1 0 0 0</q0><v0>{n(v)} {n(r.uniform(-1, 1))} 0 {" ".join(spin)}</v0><mass>{n(m)}</mass>'
            f'<inertia diag="{J} {J} {J}"/><fExt>{push}, 0, -{n(m * g)}</fExt>{shape if shaped else ""}</NewtonEulerDS>'
        )
    if shaped:
        return system, [], f"<contacts>{law}{ground}</contacts>"
    return system, [("c", "s", f"<NewtonEuler{rows}DR>{points}</NewtonEuler{rows}DR>{law}")], ""


def beside(r, T, lags):
    """Two masses on springs, with dry friction between them or on each, a freewheel with a clutch, maybe a stop."""
    k = [n(r.uniform(1, 9)) for _ in range(3)]
    system = (
        f'<LagrangianDS id="b" coordinates="u w"><q0>{n(r.uniform(-0.3, 0.3))} 0</q0><v0>{n(r.uniform(-1, 1))} {n(r.uniform(-1, 1))}</v0>'
        f'<mass diag="1 0.5"/><fInt>{k[0]}*u + {k[1]}*(u - w) + 0.1*v_u, {k[2]}*(w - u)</fInt><fExt>{escape(signal(r, 3, T))}, 0</fExt></LagrangianDS>'
    )
    bound = escape(parameter(r, r.uniform(0.3, 1.5), T, lags))
    H, lb, ub = r.choice(
        [("1 -1", f"-({bound})", bound), ("1 0; 0 1", f"-({bound})", bound), ("1 -1", f"-({bound})", "inf"), ("1 -1", "-inf", "0")]
    )
    rows = [("f", "b", f'<LagrangianLinearTIR><H>{H}</H></LagrangianLinearTIR><RelayNSL lb="{lb}" ub="{ub}"/>')]
    if r.random() < 0.5:
        e = n(r.uniform(0, 0.7))
        rows.append(("stop", "b", f'<LagrangianLinearTIR><H>1 0</H><e>0.5</e></LagrangianLinearTIR><NewtonImpactNSL e="{e}"/>'))
    return system, rows


def laws(r):
    T, lags, kind = r.uniform(0.8, 2), r.random() < 0.5, r.choice(["linear", "constant", "varying", "plane", "space"])
    law, friction = law_of_floor(r, T, lags)
    x, y, v = r.choice([0, r.uniform(-3, 3)]), r.choice([0, 0, r.uniform(0.01, 0.3)]), r.uniform(-2, 2)
    rigid = kind in ("plane", "space")
    system, rows, contacts = (ball if rigid else point)(r, kind, T, x, y, v, law, friction)
    if not rigid and r.random() < 0.6:
        more, further = beside(r, T, lags)
        system, rows = system + more, rows + further
    if lags:
        start, rate = n(r.uniform(-1, 1)), n(r.uniform(0.5, 3))
        system += f'<FirstOrderNonLinearDS id="a" states="p"><x0>{start}</x0><f>{rate}*(s.x - ({n(x)}) - p)</f></FirstOrderNonLinearDS>'
    schemes = BOTH if lags else ["<MoreauJeanOSI/>"] if rigid else MECHANICS
    return Model("laws-" + kind, body(system, rows, contacts), T, schemes, CVODE + ["<IDAOSI/>"])


KINDS = [laws]


def model(seed):
    """The model of a seed, which is the same for ever."""
    r = random.Random(seed)
    made = laws(r)
    made.systems = ("s", "a", "b")
    return made, r
