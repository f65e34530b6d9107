# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models of contacts that random_models and law_models have little of: bonds that are pulled apart, clutches pressed by
formulas, shapes that give way beside rigid ones, with any exponent, mechanisms that slide and roll on a plane.

As random_models, for seeds of their own. Systems are s, a, b."""

import math
import random

from mixed_models import BOTH, CVODE, body
from random_models import MECHANICS, Model, escape, number, signal

n = number
STEPS = ["<MoreauJeanOSI/>", '<MoreauJeanOSI theta="1"/>']


def formula(r, size, T):
    """A number of this size, or one that changes in time."""
    return r.choice([n(size), f"{n(size)}*(1 - 0.5*t/{n(T)})", f"{n(size)}*exp(-t)", f"{n(size)} + {n(0.2 * size)}*sin(5*t)"])


def bonds(r):
    """A mass, maybe another one on it, bonded to a floor and to each other, and pulled."""
    T, m, g = r.uniform(0.8, 2), r.uniform(0.5, 2), r.uniform(2, 10)
    law = f'<CohesiveFrictionNSL en="{r.choice(["0", n(r.uniform(0.1, 0.7))])}" mu="%s" sigma="{formula(r, r.uniform(0.2, 2) * m * g, T)}"/>'
    up = r.choice([f"{n(r.uniform(0.5, 4) * m * g / T)}*t", f"{n(r.uniform(0.5, 3) * m * g)}*sin({n(r.uniform(2, 9))}*t)", signal(r, 3 * m, T)])
    k, start = n(r.uniform(5, 60) * m), n(r.choice([0, r.uniform(0.01, 0.2)]))
    point = '<LagrangianDS id="{}" coordinates="x y"><q0>{} {}</q0><v0>{} 0</v0><mass diag="{} {}"/><fInt>{}*x, {}</fInt><fExt>{}, {}</fExt></LagrangianDS>'
    system = point.format("s", 0, start, n(r.uniform(-0.5, 0.5)), n(m), n(m), k, n(m * g), escape(signal(r, 2 * m, T)), escape(up))
    rows = [("c", "s", "<LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>" + law % n(r.uniform(0.1, 0.8)))]
    if r.random() < 0.5:
        m = r.uniform(0.3, 1)
        system += point.format("b", n(r.uniform(-0.3, 0.3)), start, 0, n(m), n(m), k, n(m * g), 0, escape(signal(r, 3 * m * g, T)))
        rows.append(("d", "s b", "<LagrangianLinearTIR><H>0 -1 0 1; -1 0 1 0</H></LagrangianLinearTIR>" + law % n(r.uniform(0.1, 0.8))))
    return Model("bonds", body(system, rows), T, MECHANICS, CVODE + ["<IDAOSI/>"])


def clutch(r):
    """Two rotors with a clutch or a freewheel, pressed by a table, a pulse, a rotor, a state of first order; maybe a stop, a brake."""
    T, I = r.uniform(1, 2.5), [r.uniform(0.2, 2) for _ in range(2)]
    size = n(r.uniform(0.5, 3))
    bound = escape(
        r.choice(
            [f"{size}*t", f"max(0, {size}*sin({n(r.uniform(2, 6))}*t))", f"t > {n(T * r.uniform(0.2, 0.6))} ? {size} : 0.1"]
            + [f"{size}*(1 + 0.5*tanh(b.psi))", f"{size}*(0.5 + 0.5*exp(-slip))", "0.5*abs(a.N) + 0.2", "pressed(t)"]
        )
    )
    system = (
        f'<LagrangianDS id="s" coordinates="phi"><q0>0</q0><v0>{n(r.uniform(-2, 2))}</v0><mass>{n(I[0])}</mass><fInt>0.1*v_phi</fInt>'
        f"<fExt>{escape(signal(r, 3, T))}</fExt></LagrangianDS>"
        f'<LagrangianDS id="b" coordinates="psi"><q0>0</q0><v0>{n(r.uniform(-2, 2))}</v0><mass>{n(I[1])} + 0.1*cos(psi)</mass>'
        f"<fInt>{n(r.uniform(0, 20))}*psi</fInt><fGyr>-0.05*sin(psi)*v_psi^2</fGyr></LagrangianDS>"
        f'<FirstOrderNonLinearDS id="a" states="N"><x0>{n(r.uniform(0, 2))}</x0><f>{n(r.uniform(0.5, 5))}*(1 - N + 0.5*s.v_phi)</f></FirstOrderNonLinearDS>'
    )
    lb, ub = r.choice([(f"-({bound})", bound), ("0", bound), (f"-({bound})", "inf")])
    relation = r.choice(
        [
            f"<LagrangianLinearTIR><H>1 -{n(r.uniform(0.5, 3))}</H></LagrangianLinearTIR>",
            "<LagrangianScleronomousR><h>s.phi - b.psi - 0.2*sin(b.psi)</h></LagrangianScleronomousR>",
        ]
    )
    rows = [("c", "s b", relation + f'<RelayNSL lb="{lb}" ub="{ub}"/>')]
    if r.random() < 0.5:
        stop = f'<LagrangianLinearTIR><H>1</H><e>0.4</e></LagrangianLinearTIR><NewtonImpactNSL e="{r.choice(["0", "0.5"])}"/>'
        rows.append(("stop", "b", stop))
    if r.random() < 0.4:
        brake = n(r.uniform(0.05, 0.5))
        rows.append(("brake", "s", f'<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-{brake}" ub="{brake}"/>'))
    pressed = (
        f'<parameters><table id="N" points="0 0; {n(T / 3)} 1; {n(T / 2)} 2; {n(T)} 0.1" outside="hold"/>'
        f'<function name="pressed" of="time">{size}*N(time)</function></parameters>'
    )
    return Model("clutch", pressed + body(system, rows), T, BOTH, CVODE + ["<IDAOSI/>"])


def round_body(plane, name, at, m, force, more=""):
    """A disk or a sphere of radius 0.1 at x, z, and what is in it."""
    J = n(m * 0.01 * (0.5 if plane else 0.4))
    if plane:
        return (
            f'<RigidBody2dDS id="{name}"><q0>{n(at[0])} {n(at[1])} 0</q0><mass>{n(m)}</mass><inertia>{J}</inertia>'
            f"<fExt>{force[0]}, {force[1]}</fExt>{more}</RigidBody2dDS>"
        )
    return (
        f'<NewtonEulerDS id="{name}"><q0>{n(at[0])} 0 {n(at[1])} 1 0 0 0</q0><mass>{n(m)}</mass><inertia diag="{J} {J} {J}"/>'
        f"<fExt>{force[0]}, 0, {force[1]}</fExt>{more}</NewtonEulerDS>"
    )


def hinge(plane, at, more=""):
    point, axis = (f"{n(at[0])} {n(at[1])}", "") if plane else (f"{n(at[0])} 0 {n(at[1])}", ' axis="0 1 0"')
    return f'<PivotJointR point="{point}"{axis} {more}/><EqualityConditionNSL/>'


def compliant(r):
    """A ball that falls on a plane that gives way, maybe with a damper and with friction."""
    plane, T, m, g = r.random() < 0.5, r.uniform(0.3, 0.8), r.uniform(0.1, 2), r.uniform(3, 10)
    eta = r.choice([1, r.uniform(1, 1.2), r.uniform(1.2, 3)])
    K = m * 10 ** r.uniform(3, 5) * 100 ** (eta - 1)
    C = r.choice([0, r.uniform(0.05, 1)]) * math.sqrt(K * m)
    across = f' Kt="{n(K / 2)}" mu="{n(r.uniform(0.1, 0.8))}"' if r.random() < 0.5 else ""
    law = f'<CompliantFrictionNSL K="{n(K)}" eta="{n(eta)}" C="{n(C)}"{across}/>'
    ground, shape = ("<HalfPlane/>", '<Disk radius="0.1"/>') if plane else ("<Plane/>", '<Sphere radius="0.1"/>')
    force = escape(signal(r, 2 * m, T)), "-" + n(m * g)
    system = round_body(plane, "s", (0, 0.1 + r.uniform(0, 0.3)), m, force, shape)
    return Model("compliant", body(system, [], f"<contacts>{law}{ground}</contacts>"), T, STEPS, CVODE)


def mechanism(r):
    """Two bodies on two hinges, one degree of freedom where the second slides and rolls on a plane."""
    plane, T, g, slope = r.random() < 0.5, r.uniform(0.3, 0.8), r.uniform(3, 10), n(r.choice([0, r.uniform(-0.2, 0.2)]))
    m, x = [r.uniform(0.5, 2) for _ in range(2)], r.uniform(0.35, 0.5)
    s = (x, -float(slope) * x + 0.1 * math.hypot(1, float(slope)) + r.choice([1e-8, r.uniform(0.001, 0.05)]))
    a = (0, s[1] + r.uniform(0, 0.2))
    middle = r.choice([s, (x / 2, (a[1] + s[1]) / 2 + r.uniform(-0.03, 0.1))])
    shape, ground = ('<Disk radius="0.1"/>', f'<HalfPlane normal="{slope} 1"/>') if plane else ('<Sphere radius="0.1"/>', f'<Plane normal="{slope} 0 1"/>')
    system = "".join(
        round_body(plane, name, at, m[i], (escape(signal(r, 2 * m[i], T)), "-" + n(m[i] * g)), shape if i else "")
        for i, (name, at) in enumerate((("a", a), ("s", s)))
    )
    above = (a[0] + r.uniform(-0.3, 0.1), a[1] + r.uniform(0.1, 0.3))
    rows = [
        ("j0", "a", hinge(plane, above, f'damping="{n(r.uniform(0, 0.1))}" stiffness="{n(r.uniform(0, 5))}"')),
        ("j1", "s a", hinge(plane, middle, f'stiffness="{n(r.choice([0, 0, r.uniform(0, 5)]))}"')),
    ]
    mu, roll = n(r.uniform(0.1, 0.8)), n(r.uniform(0.001, 0.02))
    laws = [f'<NewtonImpactFrictionNSL en="0" mu="{mu}"/>'] + 2 * [f'<NewtonImpactRollingFrictionNSL en="0" mu="{mu}" muRolling="{roll}"/>']
    return Model("mechanism", body(system, rows, f"<contacts>{r.choice(laws)}{ground}</contacts>"), T, STEPS, CVODE)


KINDS = [bonds, clutch, compliant, compliant, mechanism, mechanism]


def model(seed):
    """The model of a seed, which is the same for ever."""
    r = random.Random(seed)
    made = r.choice(KINDS)(r)
    made.systems = ("s", "a", "b")
    return made, r
