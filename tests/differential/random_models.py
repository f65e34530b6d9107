# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small models, one a seed: what they are made of, and how each is run by time-stepping and event by event.

A model is text with %(simulation)s in it, the time T that it runs for, and the schemes that may step it. Units are drawn too: a model
is written in a length and a time of its own, and its coordinates begin anywhere."""

import math
import random


class Model:
    """kind, text of the model with a hole for the simulation, end time, schemes of time-stepping, integrators between events."""

    systems = ("s",)  # whose states are compared
    late = 0.0  # by its steps, in parts of the range of a state: what a step may be late with
    unit = 0.0  # of its coordinates, where it is known: a billionth of it is no motion

    def __init__(self, kind, body, T, schemes, flows):
        self.kind, self.body, self.T, self.schemes, self.flows = kind, body, float(number(T)), schemes, flows

    def text(self, simulation):
        return (
            f'<model xmlns="urn:nssim:model:1" name="{self.kind}">\n{self.body}\n'
            f'  <simulation T="{self.T!r}">{simulation}</simulation>\n</model>\n'
        )


MECHANICS = ['<MoreauJeanOSI/>', '<MoreauJeanOSI theta="0.7"/>', '<MoreauJeanOSI theta="1"/>']
FIRST_ORDER = ['<EulerMoreauOSI/>', '<EulerMoreauOSI theta="1"/>']
FLOWS = [
    "<CVodeOSI/>",
    "<CVodeOSI/>",
    '<CVodeOSI method="bdf" relativeTolerance="1e-9"/>',
    '<CVodeOSI relativeTolerance="1e-8" absoluteTolerance="1e-11"/>',
]


def number(x):
    return f"{x:.9g}"


def vector(v):
    return " ".join(number(x) for x in v)


def matrix(rows):
    return "; ".join(vector(r) for r in rows)


def times(A, x):
    return [sum(a * b for a, b in zip(row, x)) for row in A]


def escape(s):
    return s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def signal(r, amplitude, T):
    """A force or source of t: constant, sine, step, pulse, train of pulses, kinked; times are multiples of nothing."""
    a, w, p = amplitude * r.uniform(0.3, 1), 2 * math.pi * r.uniform(1, 5) / T, r.uniform(0.1, 0.7) * T
    width = r.uniform(0.02, 0.2) * T
    shape = r.choice(["constant", "sine", "step", "pulse", "train", "abs", "triangle", "rectified"])
    return {
        "constant": number(a),
        "sine": f"{number(a)}*sin({number(w)}*t+{number(r.uniform(0, 6))})",
        "step": f"{number(a)}*step(t-{number(p)})",
        "pulse": f"if(t > {number(p)}, if(t < {number(p + width)}, {number(3 * a)}, 0), {number(-0.2 * a)})",
        "train": f"if(mod(t,{number(T / r.uniform(2, 6))}) < {number(width / 2)}, {number(2 * a)}, {number(-0.3 * a)})",
        "abs": f"{number(a)}*abs(sin({number(w)}*t))",
        "triangle": f"{number(a)}*(abs(mod({number(w / 6.283)}*t,1)-0.5)*4-1)",
        "rectified": f"max(0, {number(a)}*sin({number(w)}*t))",
    }[shape]


def definite(r, n, coupling):
    """A symmetric, strictly diagonally dominant matrix [n x n]."""
    A = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            A[i][j] = A[j][i] = r.uniform(-coupling, coupling)
    for i in range(n):
        A[i][i] = r.uniform(0.8, 2) + sum(abs(A[i][j]) for j in range(n) if j != i)
    return A


def lagrangian(r, n, length, time):
    """A linear system in coordinates that begin anywhere: element, origin of its coordinates, its state seen from there."""
    M, K, C = definite(r, n, 0.2), definite(r, n, 0.3), definite(r, n, 0.05)
    stiffness = r.uniform(5, 60)
    damping = r.choice([0.0, r.uniform(0.02, 0.6)])
    origin = [r.choice([0.0, r.choice([-1, 1]) * 10 ** r.uniform(-2, 1.5)]) * length for _ in range(n)]
    q = [r.uniform(0, 0.5) * length for _ in range(n)]
    v = [r.uniform(-1, 1) * length / time for _ in range(n)]
    k = [[stiffness * a / time**2 for a in row] for row in K]
    c = [[damping * a / time for a in row] for row in C]
    shift = times(k, origin)
    return M, k, c, origin, q, v, shift


def lagrangian_element(M, k, c, q, v, origin, force, names=""):
    return (
        f'  <systems><LagrangianLinearTIDS id="s"{names}>\n'
        f"    <q0>{vector([a + b for a, b in zip(q, origin)])}</q0><v0>{vector(v)}</v0>\n"
        f"    <mass>{matrix(M)}</mass><K>{matrix(k)}</K><C>{matrix(c)}</C>\n"
        f"    <fExt>{escape(', '.join(force))}</fExt></LagrangianLinearTIDS></systems>"
    )


def units(r):
    """A length and a time: those of a person, a watch, a city."""
    return r.choice([1, 1, 1e-3, 1e3]), r.choice([1, 1, 1e-3, 60])


def impacts(r):
    """Masses on springs against stops, from 1 to 4 coordinates, each with its own restitution; forces of t."""
    length, time = units(r)
    n, T = r.randint(1, 4), r.uniform(1, 2) * time
    M, k, c, origin, q, v, shift = lagrangian(r, n, length, time)
    weight = [r.uniform(2, 12) * length / time**2 for _ in range(n)]
    force = [f"{number(shift[i] - weight[i])} + {signal(r, weight[i], T)}" for i in range(n)]
    contacts = []
    for i in r.sample(range(n), r.randint(1, n)):
        row = [1.0 if j == i else 0.0 for j in range(n)]
        if n > 1 and r.random() < 0.2:
            row[(i + 1) % n] = r.uniform(0.1, 0.5)
        moving = r.random() < 0.25
        e = r.choice([0, r.uniform(0, 0.9), r.uniform(0.2, 0.8)])
        gap = sum(a * b for a, b in zip(row, origin))
        if moving:
            a, w = 0.05 * length, 2 * math.pi * r.uniform(1, 6) / T
            terms = " + ".join(f"({number(a)})*q[{j}]" for j, a in enumerate(row) if a)
            relation = f"<LagrangianRheonomousR><h>{terms} - ({number(gap)}) + {number(a)}*(1+sin({number(w)}*t))</h></LagrangianRheonomousR>"
        else:
            relation = f"<LagrangianLinearTIR><H>{vector(row)}</H><e>{number(-gap)}</e></LagrangianLinearTIR>"
        contacts.append(f'    <interaction id="c{i}" systems="s">{relation}<NewtonImpactNSL e="{number(e)}"/></interaction>')
    body = lagrangian_element(M, k, c, q, v, origin, force) + "\n  <interactions>\n" + "\n".join(contacts) + "\n  </interactions>"
    return Model("impacts", body, T, MECHANICS, FLOWS + ['<NewMarkAlphaOSI step="FINE"/>'])


def balls(r):
    """Balls above each other on a ground that is somewhere: stacks that come to rest."""
    length, time = units(r)
    n, T = r.randint(1, 3), r.uniform(1, 3) * time
    origin = r.choice([0, 0.1, -0.3, r.uniform(-50, 50)]) * length
    g = 9.81 * length / time**2
    heights = [origin + (0.3 * i + r.uniform(0.1, 0.3)) * length for i in range(n)]
    mass = [r.uniform(0.5, 3) for _ in range(n)]
    # All fall alike to the last bits: weights rounded to the digits of the file let some fall faster than others by
    # 1e-8, and balls that move as one meet the ground one after the other, which no step of time-stepping resolves.
    weight = ", ".join(f"-{number(g)}*{number(m)}" for m in mass)
    body = (
        f'  <systems><LagrangianLinearDiagonalDS id="s"><q0>{vector(heights)}</q0><mass>{vector(mass)}</mass>'
        f"<fExt>{weight}</fExt></LagrangianLinearDiagonalDS></systems>\n  <interactions>\n"
    )
    for i in range(n):
        row = [0.0] * n
        row[i] = 1.0
        if i:
            row[i - 1] = -1.0
        e = -origin if i == 0 else -0.05 * length
        body += (
            f'    <interaction id="c{i}" systems="s"><LagrangianLinearTIR><H>{vector(row)}</H><e>{number(e)}</e></LagrangianLinearTIR>'
            f'<NewtonImpactNSL e="{number(r.choice([0, r.uniform(0.1, 0.7)]))}"/></interaction>\n'
        )
    return Model("balls", body + "  </interactions>", T, MECHANICS, FLOWS)


def friction(r):
    """Blocks on a floor at any height, pulled by springs and forces, the floor at rest or a belt: they stick and slip."""
    length, time = units(r)
    n, T = r.randint(1, 2), r.uniform(1.5, 3) * time
    g, mu = 9.81 * length / time**2, r.uniform(0.05, 0.6)
    floor = r.choice([0, r.uniform(-2, 2)]) * length
    stiff = r.uniform(20, 100) / time**2
    size = 2 * n
    k = [[0.0] * size for _ in range(size)]
    for i in range(n):
        k[2 * i][2 * i] += stiff
        if i:
            s = 0.5 * stiff
            k[2 * i][2 * i] += s
            k[2 * i - 2][2 * i - 2] += s
            k[2 * i][2 * i - 2] -= s
            k[2 * i - 2][2 * i] -= s
    falls = r.random() < 0.3
    q, v, force = [], [], []
    for _ in range(n):
        q += [r.uniform(-0.3, 0.3) * length, floor + (r.uniform(0.02, 0.2) * length if falls else 0)]
        v += [r.uniform(-1, 1) * length / time, 0.0]
        force += [signal(r, r.uniform(0.5, 8) * length / time**2, T), number(-g)]
    belt = r.choice([0.0, 0.0, r.uniform(-0.5, 0.5) * length / time])
    diag = ["1"] * size
    body = (
        f'  <systems><LagrangianLinearTIDS id="s"><q0>{vector(q)}</q0><v0>{vector(v)}</v0><mass diag="{" ".join(diag)}"/>'
        f"<K>{matrix(k)}</K><fExt>{escape(', '.join(force))}</fExt></LagrangianLinearTIDS></systems>\n  <interactions>\n"
    )
    for i in range(n):
        if belt:
            relation = (
                f"<LagrangianRheonomousR><h>q[{2 * i + 1}]-({number(floor)}), q[{2 * i}] - ({number(belt)})*t</h></LagrangianRheonomousR>"
            )
        else:
            normal = [1.0 if j == 2 * i + 1 else 0.0 for j in range(size)]
            tangent = [1.0 if j == 2 * i else 0.0 for j in range(size)]
            relation = f"<LagrangianLinearTIR><H>{matrix([normal, tangent])}</H><e>{number(-floor)} 0</e></LagrangianLinearTIR>"
        body += (
            f'    <interaction id="c{i}" systems="s">{relation}'
            f'<NewtonImpactFrictionNSL en="{number(r.choice([0, r.uniform(0, 0.6)]))}" mu="{number(mu)}"/></interaction>\n'
        )
    return Model("friction", body + "  </interactions>", T, MECHANICS, FLOWS)


def disk(r):
    """A disk with spin that falls on a plane somewhere, or lies on it: it slides, then rolls."""
    length, time = units(r)
    T = r.uniform(0.6, 1.5) * time
    g, R = 9.81 * length / time**2, r.uniform(0.05, 0.3) * length
    floor = r.choice([0, 0.1, r.uniform(-20, 20)]) * length
    q = [r.uniform(-1, 1) * length, floor + R + r.choice([0, r.uniform(0.05, 0.4)]) * length, 0.0]
    v = [r.uniform(-3, 3) * length / time, 0.0, r.uniform(-10, 10) / time]
    tilt = r.uniform(-0.2, 0.2)
    force = [signal(r, g * abs(tilt), T), number(-g), "0"]
    body = (
        f'  <systems><LagrangianLinearTIDS id="s"><q0>{vector(q)}</q0><v0>{vector(v)}</v0>'
        f'<mass diag="1 1 {number(R * R / 2)}"/><fExt>{escape(", ".join(force))}</fExt></LagrangianLinearTIDS></systems>\n  <interactions>\n'
        f'    <interaction id="c" systems="s"><LagrangianLinearTIR><H>0 1 0; 1 0 {number(R)}</H><e>{number(-R - floor)} 0</e></LagrangianLinearTIR>'
        f'<NewtonImpactFrictionNSL en="{number(r.choice([0, r.uniform(0.1, 0.7)]))}" mu="{number(r.uniform(0.1, 0.5))}"/></interaction>\n'
        f"  </interactions>"
    )
    return Model("disk", body, T, MECHANICS, FLOWS)


def relay_friction(r):
    """Masses in a row with friction of given force, each a relay on a velocity, pulled by springs and forces."""
    length, time = units(r)
    n, T = r.randint(1, 3), r.uniform(1.5, 3) * time
    M, k, c, origin, q, v, shift = lagrangian(r, n, length, time)
    size = [r.uniform(2, 12) * length / time**2 for _ in range(n)]
    force = [f"{number(shift[i])} + {signal(r, size[i], T)}" for i in range(n)]
    body = lagrangian_element(M, k, c, q, v, origin, force) + "\n  <interactions>\n"
    for i in r.sample(range(n), r.randint(1, n)):
        row = [1.0 if j == i else 0.0 for j in range(n)]
        f = r.uniform(0.1, 1) * size[i]
        body += (
            f'    <interaction id="c{i}" systems="s"><LagrangianLinearTIR><H>{vector(row)}</H></LagrangianLinearTIR>'
            f'<RelayNSL lb="{number(-f)}" ub="{number(f)}"/></interaction>\n'
        )
    return Model("relay-friction", body + "  </interactions>", T, MECHANICS, FLOWS)


def pendulum(r):
    """A bob on a rod, held by a constraint that is not linear, driven, against a wall."""
    T, L = r.uniform(1, 3), r.uniform(0.3, 1)
    x0, z0 = r.choice([(0, 0), (0.1, -0.3), (r.uniform(-5, 5), r.uniform(-5, 5))])
    a, wall = r.uniform(0.3, 1.2), r.uniform(-0.3, 0.1) * L
    x, z = f"(x-({number(x0)}))", f"(z-({number(z0)}))"
    body = (
        f'  <systems><LagrangianLinearTIDS id="s" coordinates="x z"><q0>{number(x0)}+{number(L)}*sin({number(a)}) {number(z0)}-{number(L)}*cos({number(a)})</q0>'
        f'<mass diag="1 1"/><fExt>{escape(signal(r, 2, T))}, -9.81</fExt></LagrangianLinearTIDS></systems>\n  <interactions>\n'
        f'    <interaction id="rod" systems="s"><LagrangianScleronomousR><h>{x}^2 + {z}^2 - {number(L)}^2</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>\n'
    )
    if r.random() < 0.7:
        body += (
            f'    <interaction id="wall" systems="s"><LagrangianLinearTIR><H>1 0</H><e>{number(-x0 - wall)}</e></LagrangianLinearTIR>'
            f'<NewtonImpactNSL e="{number(r.choice([0, r.uniform(0.1, 0.9)]))}"/></interaction>\n'
        )
    return Model("pendulum", body + "  </interactions>", T, MECHANICS, ["<CVodeOSI/>", "<IDAOSI/>", FLOWS[-1]])


def rocking(r):
    """A block on two corners with friction: it rocks, slides, or both."""
    T, a, b = r.uniform(0.8, 1.5), r.uniform(0.3, 1), r.uniform(0.1, 0.4)
    tilt, mu, e = r.choice([-1, 1]) * r.uniform(0.02, 0.25), r.uniform(0.1, 2), r.choice([0, 0, r.uniform(0, 0.5)])
    g, floor = 9.81, r.choice([0, 0.1, r.uniform(-3, 3)])
    corner = f"{number(b)}*sin({number(abs(tilt))})+{number(a)}*cos({number(tilt)})"
    height = f"{corner}+{number(floor + r.choice([0, r.uniform(0, 0.1)]))}"
    body = (
        f'  <systems><LagrangianLinearTIDS id="s" coordinates="x y theta"><q0>0 {height} {number(tilt)}</q0>'
        f'<mass diag="1 1 {number((a * a + b * b) / 3)}"/><fExt>{escape(signal(r, 0.2 * g, T))}, {number(-g)}, 0</fExt></LagrangianLinearTIDS></systems>\n'
        "  <interactions>\n"
    )
    for i, s in enumerate("-+"):
        body += (
            f'    <interaction id="c{i}" systems="s"><LagrangianScleronomousR><h>y{s}{number(b)}*sin(theta)-{number(a)}*cos(theta) - ({number(floor)}), '
            f"x{s}{number(b)}*cos(theta)+{number(a)}*sin(theta)</h></LagrangianScleronomousR>"
            f'<NewtonImpactFrictionNSL en="{number(e)}" mu="{number(mu)}"/></interaction>\n'
        )
    return Model("rocking", body + "  </interactions>", T, MECHANICS, FLOWS)


def formulas(r):
    """Lagrangian systems by formulas: springs that harden or have play, forces with corners, a curved ground, a pendulum at a wall."""
    T = r.uniform(1, 2)
    k, a = r.uniform(10, 60), r.uniform(0.05, 0.3)
    spring = r.choice(
        [
            f"{number(k)}*(x + 3*x^3)",
            f"{number(k)}*if(x > {number(a)}, x - {number(a)}, if(x < {number(-a)}, x + {number(a)}, 0))",
            f"{number(k)}*x + {number(k)}*max(0, x-{number(a)})",
            f"{number(k)}*x*(1+abs(x))",
            f"{number(k)}*sin(x) + {number(r.uniform(0, 2))}*v_x",
            f"{number(k)}*x + {number(r.uniform(0.1, 1))}*v_x*abs(v_x)",
        ]
    )
    ground = r.choice(["y", "y - 0.1*sin(3*x)", "y + 0.05*x^2", "y + 0.02*sin(20*t)", "y - 0.1*x"])
    floor = r.choice([0, 0.1, -0.7])
    relation = "LagrangianRheonomousR" if "t)" in ground else "LagrangianScleronomousR"
    x, y = r.uniform(-0.4, 0.4), floor + r.uniform(0.2, 0.6)
    body = (
        f'  <systems><LagrangianDS id="s" coordinates="x y"><q0>{number(x)} {number(y)}</q0>'
        f"<v0>{number(r.uniform(-1, 1))} {number(r.uniform(-1, 1))}</v0><mass>1 0; 0 {number(r.uniform(0.5, 2))}</mass>\n"
        f"    <fInt>{escape(spring)}, {number(k)}*(y - ({number(floor)}))*0.3</fInt>"
        f"<fExt>{escape(signal(r, 3, T))}, -9.81 + {escape(signal(r, 4, T))}</fExt></LagrangianDS></systems>\n"
        f'  <interactions><interaction id="c" systems="s"><{relation}><h>{ground} - ({number(floor)})</h></{relation}>'
        f'<NewtonImpactNSL e="{number(r.choice([0, r.uniform(0, 0.8)]))}"/></interaction></interactions>'
    )
    return Model("formulas", body, T, MECHANICS, FLOWS)


def stable(r, n, rate):
    """A matrix [n x n] whose motion decays or turns."""
    A = [[r.uniform(-1, 1) * rate for _ in range(n)] for _ in range(n)]
    for i in range(n):
        A[i][i] = -r.uniform(0.1, 1) * rate - r.choice([0, 1]) * sum(abs(A[i][j]) for j in range(n) if j != i)
    return A


def first_order(r, kind):
    """Linear systems with rows of complementarity or relays; y of degree 0 (D) or 1 (C B), positive definite."""
    time = r.choice([1, 1, 1e-3, 60])
    scale = r.choice([1, 1, 1e-3, 1e3])
    n = r.randint(1, 4)
    m = r.randint(1, min(n, 3))
    T = r.uniform(2, 5) * time
    A = stable(r, n, 2 / time)
    C = [[1.0 if i == j else r.uniform(-0.2, 0.2) for j in range(n)] for i in range(m)]
    B = [[r.uniform(0.5, 1.5) * C[j][i] / time for j in range(m)] for i in range(n)]
    degree_zero = r.random() < 0.4
    D = definite(r, m, 0.2)
    x = [r.uniform(0.2, 1.5) * scale for _ in range(n)]
    b = [signal(r, r.uniform(0.3, 3) * scale / time, T) for _ in range(n)]
    e = r.choice([0.0, r.uniform(0, 0.5)]) * scale
    law = "<ComplementarityConditionNSL/>"
    if kind == "relays":
        low, high = -r.uniform(0.5, 2) * scale, r.uniform(0.5, 2) * scale
        law = f'<RelayNSL lb="{number(low)}" ub="{number(high)}"/>'
    d = f"<D>{matrix(D)}</D>" if degree_zero else ""
    sign = 1 if kind == "complementarity" else r.choice([1, 1, 1])
    body = (
        f'  <systems><FirstOrderLinearDS id="s"><x0>{vector(x)}</x0><A>{matrix(A)}</A><b>{escape(", ".join(b))}</b></FirstOrderLinearDS></systems>\n'
        f'  <interactions><interaction id="r" systems="s"><FirstOrderLinearTIR><C>{matrix(C)}</C>{d}<e>{vector([e] * m)}</e>'
        f"<B>{matrix([[sign * a for a in row] for row in B])}</B></FirstOrderLinearTIR>{law}</interaction></interactions>"
    )
    return Model(kind, body, T, FIRST_ORDER, FLOWS)


def complementarity(r):
    return first_order(r, "complementarity")


def relays(r):
    return first_order(r, "relays")


def filippov(r):
    """Right-hand sides with jumps and corners in the state."""
    T, a, c = r.uniform(2, 5), r.uniform(0.3, 2), r.uniform(-1, 1)
    jump = r.choice(
        [
            f"-{number(a)}*sign(x-({number(c)}))",
            f"if(x > {number(c)}, -{number(a)}, {number(0.7 * a)})",
            f"-{number(a)}*step(x-({number(c)}))",
            f"-{number(a)}*abs(x-({number(c)}))",
            f"min({number(a)}, max({number(-a)}, -3*x))",
        ]
    )
    body = (
        f'  <systems><FirstOrderNonLinearDS id="s" states="x y"><x0>{number(r.uniform(-2, 2))} {number(r.uniform(-1, 1))}</x0>'
        f"<f>{escape(jump)} + {number(r.uniform(-0.5, 0.5))}*y + {escape(signal(r, 1, T))}, "
        f"{number(-r.uniform(0.1, 2))}*y - {number(r.uniform(-2, 2))}*x</f></FirstOrderNonLinearDS></systems>"
    )
    explicit = ['<EulerMoreauOSI theta="0"/>']  # an implicit step onto a jump has no Newton's method
    return Model("filippov", body, T, explicit, FLOWS)


def circuit(r):
    """Rectifiers, choppers, dimmers, clamps."""
    T = r.choice([1, 1e-3, 20e-3])
    R, f = 10 ** r.uniform(-0.5, 2), r.uniform(2, 6) / T
    L, C = R * T * 10 ** r.uniform(-2, -0.5), T / R * 10 ** r.uniform(-2, -0.5)
    V = 10 ** r.uniform(0, 2)
    phase = r.choice([0, r.uniform(0, 6)])
    source = f"{number(V)}*sin({number(2 * math.pi * f)}*t+{number(phase)})"
    duty = f"{number(r.uniform(0.2, 0.8))}-mod(t*{number(f * 2)},1)"
    gate = f"sin({number(2 * math.pi * f)}*t-{number(r.uniform(0.2, 2.5))})"
    n = number
    shape = r.choice(["half", "smoothed", "bridge", "buck", "boost", "dimmer", "clamp", "doubler", "zener", "freewheel", "ladder", "triac"])
    lines = {
        "half": f"V1 a 0 {source}\nD1 a b\nL1 b c {n(L)}\nR1 c 0 {n(R)}",
        "smoothed": f"V1 a 0 {source}\nR0 a d {n(R / 20)}\nD1 d b\nC1 b 0 {n(3 * C)}\nR1 b 0 {n(R)}",
        "bridge": f"I1 b a {n(V / R)}*sin({n(2 * math.pi * f)}*t+{n(phase)})\nC0 a b {n(C)}\nD1 a p\nD2 b p\nD3 0 a\nD4 0 b\nL1 p q {n(L)}\nR1 q 0 {n(R)}",
        "buck": f"V1 in 0 {n(V)}\nS1 in sw {duty}\nD1 0 sw\nL1 sw out {n(L)}\nC1 out 0 {n(C)}\nR1 out 0 {n(R)}",
        "boost": f"V1 in 0 {n(V)}\nL1 in sw {n(L)}\nS1 sw 0 {duty}\nD1 sw out\nC1 out 0 {n(C)}\nR1 out 0 {n(R)}",
        "dimmer": f"V1 a 0 {source}\nS1 a p {gate}\nD1 p b\nR1 b c {n(R)}\nL1 c 0 {n(L)}\nRp p 0 {n(1e5 * R)}",
        "triac": f"V1 a 0 {source}\nS1 a p {gate}\nD1 p b\nS2 a m -{gate}\nD2 b m\nR1 b c {n(R)}\nL1 c 0 {n(L)}",
        "clamp": f"V1 a 0 {source}\nR1 a b {n(R)}\nC1 b 0 {n(C)}\nD1 b c\nV2 c 0 {n(0.4 * V)}\nD2 d b\nV3 d 0 {n(-0.3 * V)}",
        "doubler": f"V1 a 0 {source}\nR0 a e {n(R / 10)}\nC1 e b {n(C)}\nD1 0 b\nD2 b c\nC2 c 0 {n(C)}\nR1 c 0 {n(R)}",
        "zener": f"V1 a 0 {source}\nR1 a b {n(R)}\nZ1 0 b {n(0.5 * V)} vf={n(0.05 * V)}\nL1 b c {n(L)}\nR2 c 0 {n(R)}",
        "freewheel": f"V1 a 0 {n(V)}\nS1 a b {gate}\nD1 0 b\nL1 b c {n(L)}\nR1 c 0 {n(R)}",
        "ladder": f"V1 a 0 {source}\nR1 a b {n(R / 5)}\nD1 b c\nC1 c 0 {n(C)}\nL1 c d {n(L)}\nD2 d e\nC2 e 0 {n(C)}\nR2 e 0 {n(R)}",
    }[shape]
    body = '  <netlist id="k">\n' + "\n".join("    " + escape(line) for line in lines.split("\n")) + "\n  </netlist>"
    return Model("circuit", body, T, ['<EulerMoreauOSI theta="1"/>', '<EulerMoreauOSI theta="1"/>'], FLOWS)


KINDS = [impacts, impacts, balls, friction, disk, formulas, complementarity, relays, filippov, circuit, circuit, relay_friction, pendulum, rocking]


def model(seed):
    """The model of a seed, which is the same for ever: kinds take turns."""
    r = random.Random(seed)
    return KINDS[seed % len(KINDS)](r), r
