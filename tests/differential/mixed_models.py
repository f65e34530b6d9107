# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models in which much meets at once: formulas of the state in each other, contacts shorter than a step of the flow, shapes
that give way beside rigid ones, joints beside contacts and circuits, sampled control, units from 1e-6 to 1e6.

As random_models, for seeds of their own. Systems are s, a, b, c, k."""

import math
import random

from random_models import FIRST_ORDER, FLOWS, MECHANICS, Model, escape, number, signal, vector
from user_models import bouncy, linear_row, masses

n = number
CVODE = FLOWS + ["<LsodarOSI/>"]
BOTH = ['<EulerMoreauOSI theta="1"/><MoreauJeanOSI/>', '<EulerMoreauOSI/><MoreauJeanOSI theta="1"/>']


def body(systems, interactions=(), rest=""):
    """Parts of a model; an interaction is its id, the systems that it is of ("": a joint's) and its relation and law."""
    text = f"  <systems>{systems}</systems>"
    if interactions:
        text += "\n  <interactions>"
        for name, of, parts in interactions:
            text += f'\n    <interaction id="{name}"{of and f" systems={chr(34)}{of}{chr(34)}"}>{parts}</interaction>'
        text += "\n  </interactions>"
    return text + ("\n  " + rest if rest else "")


# ---- formulas -----------------------------------------------------------------------------------


def nested(r, variables, size, depth):
    """A continuous formula of these variables of about this size, with corners in corners; some are the same twice."""
    if depth == 0:
        v = r.choice(variables)
        return f"({n(r.uniform(-2, 2))}*{v}+{n(r.uniform(-0.3, 0.3) * size)})"
    a, b = nested(r, variables, size, depth - 1), nested(r, variables, size, depth - 1)
    c = r.choice(variables)
    shape = r.choice(["min", "max", "abs", "if", "clip", "sum", "twice", "ramp"])
    return {
        "min": f"min({a}, {b})",
        "max": f"max({a}, {b})",
        "abs": f"(abs({a})-{n(size)})",
        "if": f"if({a} > {b}, {a}, {b})",
        "clip": f"max({n(-size)}, min({n(size)}, {a}+{b}))",
        "sum": f"({a}-0.5*{b})",
        "twice": f"max(min({a}, {b}), min({b}, {a}))",
        "ramp": f"if({c} > 0, if({c} < {n(size)}, {c}, {n(size)}), 0.3*{c})",
    }[shape]


def internal(force):
    """Forces that depend on the state, as internal ones."""
    return f"<fInt>{escape(', '.join(f'-({f})' for f in force))}</fInt>"


def jumping(r, variables, size):
    """One that jumps, as a term of its own."""
    a, b = nested(r, variables, size, 1), r.choice(variables)
    return r.choice(
        [
            f"{n(size)}*if({a} > 0, 1, -0.5)",
            f"{n(size)}*step({b}-{n(0.2 * size)})",
            f"{n(0.4 * size)}*(sign({b})+sign({b}-{n(0.1 * size)}))",
            f"if({b} > 0 && {a} > 0, {n(size)}, 0)",
            f"{n(size)}*if({b} > {n(0.3 * size)} || {b} < {n(-0.3 * size)}, 1, 0)",
        ]
    )


def corners(r):
    """Masses whose springs are formulas in formulas; two may move alike, so that all that happens to them happens at once."""
    T, k = r.uniform(1, 2), r.randint(1, 3)
    alike = k > 1 and r.random() < 0.4
    names = ["x", "y", "w"][:k]
    force, q, v = [], [], []
    for i in range(k):
        x = names[i]
        own = [x, x, f"0.3*v_{x}"] if alike else [*names, f"0.3*v_{x}", "0.3*sin(3*t)"]
        jump = f" + {jumping(r, [x], 1)}" if r.random() < 0.4 else ""
        force.append(f"5*{nested(r, own, 0.5, r.randint(1, 3))}{jump} - 20*{x} - 0.2*v_{x}")
        q.append(r.uniform(-0.6, 0.6))
        v.append(r.uniform(-2, 2))
    if alike:
        mine = force[0]
        for i in range(1, k):
            force[i] = "".join(names[i] if c == "x" and not near_word(mine, j) else c for j, c in enumerate(mine))
            q[i], v[i] = q[0], v[0]
    system = (
        f'<LagrangianDS id="s" coordinates="{" ".join(names)}"><q0>{vector(q)}</q0><v0>{vector(v)}</v0>'
        f'<mass diag="{" ".join(["1"] * k)}"/>{internal(force)}</LagrangianDS>'
    )
    rows = []
    for i in range(k):
        if r.random() < 0.4:
            H = [1.0 if j == i else 0.0 for j in range(k)]
            rows.append((f"c{i}", "s", linear_row(H, r.uniform(0.61, 0.9)) + bouncy(r)))
    return Model("corners", body(system, rows), T, MECHANICS, CVODE)


def near_word(text, j):
    """The x at j is part of max."""
    return text[max(0, j - 2) : j + 1] == "max"


def corners_first_order(r):
    T, k = r.uniform(1, 4), r.randint(1, 3)
    names = ["x", "y", "w"][:k]
    f = []
    for x in names:
        own = [*names, "sin(2*t)"]
        jump = f" + {jumping(r, [y for y in names if y != x] + ['sin(3*t)'], 1)}" if r.random() < 0.4 else ""
        f.append(f"2*{nested(r, own, 0.5, r.randint(1, 3))}{jump} - 3*{x}")
    system = f'<FirstOrderNonLinearDS id="s" states="{" ".join(names)}"><x0>{vector([r.uniform(-1, 1) for _ in names])}</x0><f>{escape(", ".join(f))}</f></FirstOrderNonLinearDS>'
    rows = []
    if r.random() < 0.5:
        C = [1.0] + [0.0] * (k - 1)
        law = r.choice(["<ComplementarityConditionNSL/>", '<RelayNSL lb="-0.5" ub="0.5"/>'])
        relation = f"<FirstOrderLinearTIR><C>{vector(C)}</C><B>{'; '.join(n(c) for c in C)}</B><e>{n(r.uniform(0, 1))}</e></FirstOrderLinearTIR>"
        if "Comp" in law:
            start = system.split("<x0>")[1].split("</x0>")[0].split()
            start[0] = n(r.uniform(0, 1))
            system = system.split("<x0>")[0] + f"<x0>{' '.join(start)}</x0>" + system.split("</x0>")[1]
        rows.append(("wall", "s", relation + law))
    return Model("corners-first-order", body(system, rows), T, FIRST_ORDER, CVODE)


def narrow(r):
    """A fast mass that meets what is narrow: a bump, a gap between two walls, a spring behind a corner, a short field."""
    T = 1.0
    width = 10 ** r.uniform(-2.3, -1)
    speed, x1 = r.uniform(2, 6), r.uniform(0.5, 1.5)
    what = r.choice(["bump", "field", "window", "spring", "walls", "moving"])
    e = n(either(r, 0, r.uniform(0.3, 0.9)))
    bump = f"exp(-((x-{n(x1)})/{n(width)})^2)"
    force, rows = ["0", "0"], []
    y0, vy = r.uniform(0.02, 0.3), 0.0
    if what == "bump":
        y0 = r.uniform(0.05, 0.15)
        rows.append(("wall", "s", f"<LagrangianScleronomousR><h>y - 0.2*{bump}</h></LagrangianScleronomousR><NewtonImpactNSL e=\"{e}\"/>"))
    elif what == "moving":
        t1 = r.uniform(0.2, 0.8)
        y0 = r.uniform(0.05, 0.15)
        rows.append(("wall", "s", f"<LagrangianRheonomousR><h>y - 0.2*exp(-((t-{n(t1)})/{n(width / 4)})^2)</h></LagrangianRheonomousR><NewtonImpactNSL e=\"{e}\"/>"))
    elif what == "field":
        force[1] = f"{n(r.uniform(20, 100))}*{bump}"
    elif what == "window":
        force[1] = f"{n(r.uniform(20, 100))}*if(x > {n(x1)} && x < {n(x1 + width)}, 1, 0)"
    elif what == "spring":
        k = 10 ** r.uniform(3, 5.5)
        force[0] = f"-{n(k)}*max(0, min(1, x-{n(x1)}))"
        force[1] = f"{n(r.uniform(20, 100))}*max(0, 1-abs(x-{n(x1 * 0.6)})/{n(width)})"
    else:
        vy = r.uniform(1, 5)
        gap = width
        y0 = gap * r.uniform(0.2, 0.8)
        rows.append(("wall", "s", linear_row([0.0, 1.0], 0) + f'<NewtonImpactNSL e="{e}"/>'))
        rows.append(("roof", "s", linear_row([0.0, -1.0], gap) + f'<NewtonImpactNSL e="{n(r.uniform(0.5, 1))}"/>'))
    system = (
        f'<LagrangianDS id="s" coordinates="x y"><q0>0 {n(y0)}</q0><v0>{n(speed)} {n(vy)}</v0><mass diag="1 1"/>'
        f"{internal(force)}</LagrangianDS>"
    )
    return Model("narrow-" + what, body(system, rows), T, ["<MoreauJeanOSI/>"], CVODE)


def either(r, *values):
    return r.choice(values)


# ---- shapes --------------------------------------------------------------------------------------


def law(r, gives, length, time, mass):
    """Units in it: a stiffness, or restitution and friction."""
    mu = either(r, 0, r.uniform(0.1, 0.6))
    if gives:
        w = r.uniform(30, 300) / time
        K, C = mass * w * w, mass * w * r.uniform(0, 0.5)
        tangent = f' Kt="{n(0.4 * K)}" mu="{n(mu)}"' if mu else ""
        return f'<CompliantFrictionNSL K="{n(K)}" C="{n(C)}"{tangent}/>'
    e = either(r, 0, r.uniform(0.2, 0.7))
    return f'<NewtonImpactFrictionNSL en="{n(e)}" mu="{n(mu)}"/>' if mu else f'<NewtonImpactNSL e="{n(e)}"/>'


def scales(r):
    """Units of length, time and mass, far from one in turn."""
    return either(r, 1, 1, 1e-6, 1e-3, 1e3, 1e6), either(r, 1, 1, 1e-3, 1e3), either(r, 1, 1, 1e-6, 1e6)


def shapes_in_plane(r):
    """Disks above each other or side by side on a line: each pair gives way, or does not."""
    L, tau, M = scales(r)
    T, g = r.uniform(0.4, 0.8) * tau, 9.81 * L / tau**2
    at = [either(r, 0, r.uniform(-20, 20)) * L for _ in range(2)]
    k, systems = r.randint(1, 3), ""
    column = r.random() < 0.5
    for i in range(k):
        R = 0.1 * L
        x = at[0] + (r.uniform(-0.03, 0.03) * L if column else 0.25 * L * i)
        y = at[1] + R + (0.23 * L * i + r.uniform(0.01, 0.02) * L if column else r.uniform(0, 0.2) * L)
        v = [r.uniform(-1, 1) * L / tau * (0.1 if column else 1), 0.0, r.uniform(-5, 5) / tau * (0.1 if column else 1)]
        m = r.uniform(0.5, 2) * M
        systems += (
            f'<RigidBody2dDS id="{"abc"[i]}"><q0>{vector([x, y, 0.3])}</q0><v0>{vector(v)}</v0><mass>{n(m)}</mass>'
            f"<inertia>{n(m * R * R / 2)}</inertia><fExt>0 -{n(g)}*{n(m)}</fExt><Disk radius=\"{n(R)}\" material=\"m{i}\"/></RigidBody2dDS>"
        )
    ground = f'<HalfPlane at="{vector(at)}" normal="0 1" material="g"/>'
    pairs = [(f"m{i}", "g") for i in range(k)] + [(f"m{i}", f"m{j}") for i in range(k) for j in range(i)]
    between = "".join(f'<between materials="{a} {b}">{law(r, r.random() < 0.5, L, tau, M)}</between>' for a, b in pairs)
    rest = f"<contacts>{law(r, 0, L, tau, M)}{between}{ground}</contacts>"
    return Model("shapes-plane", body(systems, rest=rest), T, ["<MoreauJeanOSI/>"], ["<CVodeOSI/>", "<CVodeOSI/>", "<LsodarOSI/>"])


def shapes_in_space(r):
    """Balls that fall on a plane or a box, one held on a hinge maybe; each pair gives way or not."""
    L, tau, M = scales(r)
    T, g = r.uniform(0.4, 0.8) * tau, 9.81 * L / tau**2
    at = [either(r, 0, r.uniform(-20, 20)) * L for _ in range(3)]
    systems, rows = "", []
    k = r.randint(1, 2)
    for i in range(k):
        R, m = 0.1 * L, r.uniform(0.5, 2) * M
        x = [at[0] + 0.35 * L * i, at[1], at[2] + R + r.uniform(0.02, 0.2) * L]
        v = [r.uniform(-1, 1) * L / tau * (1 - 2 * i) for _ in range(2)] + [0.0] + [r.uniform(-5, 5) / tau for _ in range(3)]
        v[1] *= 0.1
        systems += (
            f'<NewtonEulerDS id="{"ab"[i]}"><q0>{vector(x)} 1 0 0 0</q0><v0>{vector(v)}</v0><mass>{n(m)}</mass>'
            f'<inertia diag="{vector([0.4 * m * R * R] * 3)}"/><fExt>0, 0, -{n(g)}*{n(m)}</fExt><Sphere radius="{n(R)}" material="m{i}"/></NewtonEulerDS>'
        )
    arm = r.random() < 0.6
    if arm:  # with a ball at its end, which falls on the ground
        m, l, R = r.uniform(0.5, 2) * M, 0.5 * L, 0.06 * L
        z = at[2] + R + r.uniform(0.02, 0.15) * L
        systems += (
            f'<NewtonEulerDS id="c"><q0>{vector([at[0] - 0.5 * L, at[1], z])} 1 0 0 0</q0><mass>{n(m)}</mass>'
            f'<inertia diag="{vector([0.1 * m * l * l] * 3)}"/><fExt>0, 0, -{n(g)}*{n(m)}</fExt><Sphere radius="{n(R)}" material="m2"/></NewtonEulerDS>'
        )
        hinge = f'<PivotJointR point="{vector([at[0] - 0.5 * L - l, at[1], z])}" axis="0 1 0"/><EqualityConditionNSL/>'
        rows.append(("hinge", "c", hinge))
    floor = f'<Plane at="{vector(at)}" normal="0 0 1" material="g"/>'
    if r.random() < 0.3:
        floor = f'<Box size="{vector([4 * L, 4 * L, L])}" at="{vector([at[0], at[1], at[2] - 0.5 * L])}" material="g"/>'
    there = [f"m{i}" for i in range(3) if (arm if i == 2 else i < k)]
    pairs = [(m, "g") for m in there] + [(a, b) for i, a in enumerate(there) for b in there[:i]]
    between = "".join(f'<between materials="{a} {b}">{law(r, r.random() < 0.5, L, tau, M)}</between>' for a, b in pairs)
    rest = f"<contacts>{law(r, 0, L, tau, M)}{between}{floor}</contacts>"
    return Model("shapes-space", body(systems, rows, rest), T, ["<MoreauJeanOSI/>"], ["<CVodeOSI/>", "<CVodeOSI/>", "<IDAOSI/>"])


# ---- everything at once --------------------------------------------------------------------------


def machine(r):
    """A coil turns an arm with stops; a ball on its ground or a mass with dry friction hears of both."""
    T, l = r.uniform(0.6, 1.5), r.uniform(0.2, 0.6)
    diode = r.random() < 0.5
    netlist = (
        f'<netlist id="k">V1 s 0 {n(r.uniform(6, 12))}*sin({n(r.uniform(3, 9))}*t+{n(r.uniform(0, 1))})'
        f'+{escape(nested(r, ["a.angle", "b.x", "sin(5*t)"], 0.5, 2))}\n'
        f'{"D1 s d" if diode else "R0 s d 0.1"}\nR1 d e {n(r.uniform(0.5, 2))}\nL1 e f {n(r.uniform(0.05, 0.3))}\n'
        f"V2 f 0 {n(r.uniform(0.2, 0.6))}*a.v_angle\n</netlist>"
    )
    arm = (
        f'<RigidBody2dDS id="a"><q0>{n(l)} 0 0</q0><mass>0.4</mass><inertia>{n(r.uniform(0.05, 0.2))}</inertia><fExt>0 -{n(r.uniform(0.5, 2))}</fExt>'
        f"<mExt>{n(r.uniform(0.2, 0.6))}*k.i_L1</mExt>"
        f"<mInt>{n(r.uniform(0.1, 0.3))}*v_angle - {escape(nested(r, ['b.x', 'angle', '0.2*v_angle'], 0.2, 2))}</mInt></RigidBody2dDS>"
    )
    jump = escape(r.choice(["if(a.angle > 0.05, 1, 0)", "max(0, a.angle)", "min(k.i_L1, 1)", "abs(a.v_angle)"]))
    mass = (
        f'<LagrangianDS id="b" coordinates="x"><q0>{n(r.uniform(-0.3, 0.3))}</q0><mass>{n(r.uniform(0.5, 2))}</mass>'
        f"<fInt>{n(r.uniform(10, 60))}*x + 0.1*v_x - {n(r.uniform(0.5, 2))}*k.i_L1 - {jump}</fInt></LagrangianDS>"
    )
    rows = [
        ("hinge", "a", '<PivotJointR point="0 0"/><EqualityConditionNSL/>'),
        ("stop", "", f'<JointStopR joint="hinge" lower="-{n(r.uniform(0.3, 0.9))}" upper="{n(r.uniform(0.05, 0.3))}"/>' + bouncy(r, 0.6)),
    ]
    F = n(r.uniform(0.2, 2))
    rows.append(
        either(
            r,
            ("f", "b", f'<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-{F}" ub="{F}"/>'),
            ("f", "b", f"<LagrangianLinearTIR><H>1</H><e>0.31</e></LagrangianLinearTIR>" + bouncy(r)),
        )
    )
    return Model("machine", body(netlist + arm + mass, rows), T, BOTH, ["<CVodeOSI/>", FLOWS[-1]])


def sampled_machine(r):
    """Samples of control at the times of user's events, of jumps of a force, of impacts maybe."""
    period = float(n(r.choice([0.1, 0.05, 0.125])))
    T = period * r.choice([10, 20])
    drop = 0.5 * 9.81 * (period * r.randint(2, 4)) ** 2
    force = f"u - 9.81 + 3*step(t-{n(period * 3)}) - 2*if(mod(t,{n(2 * period)}) < {n(period)}, 1, 0)"
    if r.random() < 0.5:
        force = "u*0.0001 - 9.81"
    mass = (
        f'<LagrangianDS id="s" coordinates="x y" inputs="u"><q0>{drop!r} {n(r.uniform(-0.3, 0.3))}</q0><mass diag="1 1"/>'
        f"<fExt>{escape(force)}, 0</fExt>{internal(['0', '-' + n(r.uniform(20, 50)) + '*y + ' + nested(r, ['u', 'y', 'x'], 0.3, 2)])}</LagrangianDS>"
    )
    lag = f'<FirstOrderNonLinearDS id="a" states="p"><x0>0</x0><f>s.x - p + {escape(nested(r, ["s.y", "p", "s.u"], 0.3, 2))}</f></FirstOrderNonLinearDS>'
    rows = [("w", "s", linear_row([1.0, 0.0], 0) + bouncy(r, 0.6))]
    control = (
        f'<controls><control id="c" systems="s" period="{n(period)}" writes="u">'
        f'<PID Kp="{n(r.uniform(0.5, 3))}" Ki="{n(r.uniform(0, 1))}" Kd="0" '
        f'lower="-3" upper="3"><reference>0.3</reference><y>x</y></PID></control></controls>'
    )
    return Model("sampled-machine", body(mass + lag, rows, control), T, BOTH, ["<CVodeOSI/>", FLOWS[-1]])


def wide_units(r):
    """A mass between a spring behind a corner, a stop and dry friction, in any units, anywhere."""
    L, tau, M = scales(r)
    T, at = r.uniform(1, 2) * tau, either(r, 0, r.uniform(-30, 30)) * L
    F = M * L / tau**2
    k = F / L
    K, play = r.uniform(20, 400) * k, r.uniform(0.05, 0.3) * L
    x = f"(x-({n(at)}))"
    spring = r.choice(
        [
            f"-{n(K)}*max(0, {x}-{n(play)})",
            f"-{n(K)}*max({x}-{n(play)}, min(0, {x}+{n(play)}))",
            f"-{n(K)}*if({x} > {n(play)}, {x}-{n(play)}, 0)",
        ]
    )
    system = (
        f'<LagrangianDS id="s" coordinates="x"><q0>{n(at + r.uniform(-0.2, 0.2) * L)}</q0><v0>{n(r.uniform(-2, 2) * L / tau)}</v0><mass>{n(M)}</mass>'
        f"{internal([spring + f' - {n(5 * k)}*{x}'])}<fExt>{escape(signal(r, 4 * F, T))}</fExt></LagrangianDS>"
    )
    rows = []
    if r.random() < 0.6:
        rows.append(("wall", "s", linear_row([1.0], 0.25 * L - at) + bouncy(r)))
    if r.random() < 0.6:
        f = n(r.uniform(0.1, 1) * F)
        rows.append(("f", "s", f'<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-{f}" ub="{f}"/>'))
    return Model("wide-units", body(system, rows), T, MECHANICS, CVODE)


KINDS = [corners, corners_first_order, narrow, shapes_in_plane, shapes_in_space, machine, sampled_machine, wide_units]


def model(seed):
    """The model of a seed, which is the same for ever: kinds take turns."""
    r = random.Random(seed)
    made = KINDS[seed % len(KINDS)](r)
    made.systems = ("s", "a", "b", "c")
    return made, r
