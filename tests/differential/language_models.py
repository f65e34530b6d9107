# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models with what the language has beside systems and laws: tables, functions, signals, running integrals, memories,
events that set states, parameters that change on the way, springs between bodies, prescribed motion, friction by formulas.

As random_models, for seeds of their own. Systems are s, a, b, heat, past."""

import math
import random
import re

from mixed_models import BOTH, CVODE, body, internal
from random_models import FIRST_ORDER, MECHANICS, Model, escape, number, signal, vector
from user_models import bouncy, linear_row

n = number


def table(r, name, low, high, size, kinds=("linear", "step", "cubic", "pchip"), outside=("hold",)):
    """A table of random values, with knots at multiples of nothing, from low to high or less."""
    count = r.randint(3, 8)
    at = sorted(r.uniform(low, high) for _ in range(count))
    values = [r.uniform(-size, size) for _ in at]
    kind = r.choice(kinds)
    ends = r.choice(outside) if kind in ("linear", "step") else "hold"
    if ends == "periodic":
        values[-1] = values[0]
    rows = "; ".join(f"{n(x)} {n(y)}" for x, y in zip(at, values))
    return f'<table id="{name}" points="{rows}" interpolation="{kind}" outside="{ends}"/>'


def parameters(*parts):
    return f'<parameters>{"".join(parts)}</parameters>'


def first(parts, text):
    """A model begins with its parameters."""
    return f"  {parts}\n{text}"


def mass(r, force, coordinates="x y", rest=""):
    k = len(coordinates.split())
    q, v = [r.uniform(0.2, 0.8) for _ in range(k)], [r.uniform(-1, 1) for _ in range(k)]
    return (
        f'<LagrangianDS id="s" coordinates="{coordinates}"{rest and " inputs=" + chr(34) + "u" + chr(34)}><q0>{vector(q)}</q0><v0>{vector(v)}</v0>'
        f'<mass diag="{" ".join(n(r.uniform(0.5, 2)) for _ in range(k))}"/>{internal(force)}{rest}</LagrangianDS>'
    )


def walls(r, k):
    rows = [("w0", "s", linear_row([1.0] + [0.0] * (k - 1), 0) + bouncy(r, 0.7))]
    if k > 1 and r.random() < 0.6:
        rows.append(("w1", "s", linear_row([0.0, 1.0], 0.3) + bouncy(r, 0.7)))
    return rows


def tables(r):
    """Forces by tables of time and of a coordinate, whose knots are events; a function with a corner."""
    T = r.uniform(1, 3)
    parts = parameters(
        table(r, "drive", 0, T / r.choice([1, 3]), 6, outside=("hold", "zero", "periodic")),
        table(r, "spring", -0.6, 1.2, 8, kinds=("linear", "cubic", "pchip")),
        f'<function name="soft" of="x a">sat(x, -a, a) + {n(r.uniform(0, 0.3))}*deadzone(x, a)</function>',
    )
    force = [f"drive(t) - 3*x - spring(x) - soft(v_x, {n(r.uniform(0.1, 0.5))})", f"{signal(r, 3, T)} - 4*y - spring(y - 0.3*x)"]
    return Model("tables", first(parts, body(mass(r, force), walls(r, 2))), T, MECHANICS, CVODE)


def tables_first_order(r):
    T = r.uniform(2, 5)
    parts = parameters(
        table(r, "drive", 0, T / r.choice([1, 4]), 2, outside=("hold", "zero", "periodic")),
        table(r, "flow", -1.5, 1.5, 1, kinds=("linear", "cubic", "pchip")),
    )
    f = [f"drive(t) - x + flow(x - y)", f"flow(x) - {n(r.uniform(0.5, 2))}*y + ramp(x, {n(r.uniform(-1, 0))}, {n(r.uniform(0.1, 1))})"]
    system = f'<FirstOrderNonLinearDS id="s" states="x y"><x0>{vector([r.uniform(-1, 1), r.uniform(-1, 1)])}</x0><f>{escape(", ".join(f))}</f></FirstOrderNonLinearDS>'
    return Model("tables-first-order", first(parts, body(system)), T, FIRST_ORDER, CVODE)


def signals(r):
    """Pulses, pulse widths that the state sets, ramps and dead zones."""
    T = r.uniform(1, 3)
    period = T * r.uniform(0.05, 0.3)
    force = [
        f"{n(r.uniform(2, 6))}*pulse(t-{n(r.uniform(0, period))}, {n(period)}, {n(period * r.uniform(0.1, 0.9))}) - 5*x - 0.3*v_x",
        f"{n(r.uniform(2, 6))}*pwm(t, {n(period * 1.37)}, 0.5 + 0.3*sin({n(r.uniform(1, 5))}*t)) - 6*deadzone(y-0.3, {n(r.uniform(0.05, 0.3))})",
    ]
    return Model("signals", body(mass(r, force), walls(r, 2)), T, MECHANICS, CVODE)


def heat(r):
    """A running integral and the number of impacts act on what makes them."""
    T = r.uniform(1, 3)
    force = [
        f"-{n(r.uniform(4, 12))}*x/(1 + {n(r.uniform(0.5, 2))}*heat) - {n(r.uniform(1, 3))} + {n(r.uniform(0, 0.5))}*past",
        signal(r, 2, T) + " - 2*y - 0.2*v_y",
    ]
    output = (
        '<output><integral id="heat" of="v_x^2 + abs(v_y)"/>'
        f'<memory id="past" event="impact" give="{r.choice(["count", "since"])}"/></output>'
    )
    model = Model("heat", body(mass(r, force), walls(r, 2), output), T, [BOTH[1]], CVODE)
    model.systems = ("s", "heat")
    return model


def sums(r):
    """Sums over impacts and values at them, of their numbers and of the state, act on what makes them."""
    T = r.uniform(1, 3)
    event = r.choice(["impact", "impact", "any"])
    formula = r.choice(["event.energy_lost", "event.impulse", "abs(v_x)*event.impulse", "event.velocity_after - event.velocity_before + x"])
    force = [
        f"-{n(r.uniform(4, 12))}*x/(1 + {n(r.uniform(0.1, 0.5))}*abs(total)) - {n(r.uniform(1, 3))} + {n(r.uniform(0, 0.3))}*latest",
        signal(r, 2, T) + f" - 2*y - 0.2*v_y - {n(r.uniform(0, 0.2))}*crossed",
    ]
    output = (
        f'<output><memory id="total" event="{event}" of="{formula}"/>'
        f'<memory id="latest" event="{r.choice(["impact", "any"])}" of="{r.choice(["y", "event.impulse", "t"])}" give="last"/>'
        f'<memory id="crossed" when="y &gt; {n(r.uniform(0.1, 0.5))}" of="{r.choice(["x", "v_y", "1"])}" give="{r.choice(["sum", "last"])}"/></output>'
    )
    return Model("sums", body(mass(r, force), walls(r, 2), output), T, [BOTH[1]], CVODE)


def set_by_events(r):
    """A force that events turn on and off by conditions, and kicks at times and at places."""
    T = r.uniform(1, 3)
    x1 = r.uniform(0.2, 0.6)
    events = (
        f'<events><event id="on" when="x &lt; {n(x1)}"><set name="u" value="{n(r.uniform(1, 6))}"/></event>'
        f'<event id="off" when="x &gt; {n(x1 + r.uniform(0.05, 0.4))}"><set name="u" value="-{n(r.uniform(0.5, 6))}"/></event>'
    )
    if r.random() < 0.6:
        events += f'<event id="kick" at="{n(r.uniform(0.1, 0.4) * T)} {n(r.uniform(0.5, 0.9) * T)}"><set name="v_x" value="0.5*v_x + {n(r.uniform(-1, 1))}"/><set name="v_y" value="-v_x"/></event>'
    if r.random() < 0.6:
        events += f'<event id="every" every="{n(r.uniform(0.1, 0.4) * T)}"><set name="v_y" value="v_y + {n(r.uniform(-0.5, 0.5))}*y"/></event>'
    force = ["u - 3*x - 0.2*v_x", f"{signal(r, 2, T)} - 4*y"]
    return Model("set-by-events", body(mass(r, force, rest="<z>0</z>"), walls(r, 2), events + "</events>"), T, MECHANICS, CVODE)


def thermostats(r):
    """Rooms that heat each other, each with hysteresis by events."""
    T, k = r.uniform(2, 6), r.randint(1, 3)
    names = [f"t{i}" for i in range(k)]
    inputs = [f"on{i}" for i in range(k)]
    f, events = [], ""
    for i in range(k):
        others = "".join(f" + {n(r.uniform(0, 0.5))}*({o} - {names[i]})" for o in names if o != names[i])
        f.append(f"{n(r.uniform(1.5, 4))}*{inputs[i]} - {n(r.uniform(0.5, 1.5))}*{names[i]}{others} + 0.2*sin({n(r.uniform(1, 4))}*t)")
        low = r.uniform(0.3, 0.6)
        high = low + r.uniform(0.1, 0.4)
        events += f'<event id="start{i}" when="{names[i]} &lt; {n(low)}"><set name="{inputs[i]}" value="1"/></event>'
        events += f'<event id="end{i}" when="{names[i]} &gt; {n(high)}"><set name="{inputs[i]}" value="0"/></event>'
    system = (
        f'<FirstOrderNonLinearDS id="s" states="{" ".join(names)}" inputs="{" ".join(inputs)}"><x0>{vector([r.uniform(0, 0.9) for _ in range(k)])}</x0>'
        f"<f>{escape(', '.join(f))}</f><z>{vector([1] * k)}</z></FirstOrderNonLinearDS>"
    )
    return Model("thermostats", body(system, (), f"<events>{events}</events>"), T, FIRST_ORDER, CVODE)


def sprung(r):
    """Two bodies of the plane on springs, dampers and forces by formulas, one on a point that moves; a floor under one."""
    T, g = r.uniform(0.5, 1.5), 9.81
    at = [r.uniform(-2, 2), r.uniform(-2, 2)]
    text = ""
    for i, (dx, dy) in enumerate([(0, 0.6), (r.uniform(0.5, 1), r.uniform(0.5, 0.9))]):
        m = r.uniform(0.5, 2)
        text += (
            f'<RigidBody2dDS id="{"ab"[i]}"><q0>{vector([at[0] + dx, at[1] + dy, r.uniform(-0.3, 0.3)])}</q0><v0>{vector([r.uniform(-1, 1) for _ in range(3)])}</v0>'
            f'<mass>{n(m)}</mass><inertia>{n(0.05 * m)}</inertia><fExt>{escape(signal(r, 3, T))}, -{n(g * m)}</fExt><Disk radius="0.2" material="m{i}"/></RigidBody2dDS>'
        )
    rows = (
        f'\n  <interactions><spring id="s1" systems="a b" point1="0.1 {n(r.uniform(-0.1, 0.1))}" point2="-0.1 0" stiffness="{n(r.uniform(20, 200))}" damping="{n(r.uniform(0, 2))}"/>'
        f'<spring id="s2" systems="a" point1="0 0.1" point2="{vector([at[0] - 0.3, at[1] + 1.5])}"><along>-{n(r.uniform(20, 80))}*max(length - 0.5, 0) - {n(r.uniform(0, 2))}*rate</along></spring>'
    )
    if r.random() < 0.7:
        rows += f'<damper id="d1" systems="b" point2="{vector([at[0] + 1, at[1] + 2])}"><along>-{n(r.uniform(0.5, 4))}*sat(rate, -0.5, 0.5)</along></damper>'
    law = bouncy(r, 0.6)
    rows += "</interactions>"
    contacts = (
        f'\n  <contacts><HalfPlane at="{vector(at)}" normal="0 1" material="g"/>'
        + "".join(f'<between materials="m{i} g">{law}</between>' for i in range(2))
        + f'<between materials="m0 m1">{law}</between></contacts>'
    )
    model = Model("sprung", f"  <systems>{text}</systems>{rows}{contacts}", T, ["<MoreauJeanOSI/>", '<MoreauJeanOSI theta="1"/>'], CVODE)
    model.systems = ("a", "b")
    return model


def stribeck(r):
    """A block on a belt: friction by a formula of the speed of slip, the belt's speed and the normal force by formulas of t."""
    T = r.uniform(2, 4)
    mu = f"{n(r.uniform(0.2, 0.4))} + {n(r.uniform(0.05, 0.3))}*exp(-({n(r.uniform(1, 5))}*slip)^2)"
    belt = f"{n(r.uniform(0.1, 0.6))}*t" if r.random() < 0.5 else f"-{n(r.uniform(0.1, 0.4))}*cos({n(r.uniform(1, 3))}*t)"
    press = f"-9.81 - {n(r.uniform(0, 3))}*sin({n(r.uniform(1, 4))}*t)"
    system = (
        f'<LagrangianDS id="s" coordinates="x y"><q0>{n(r.uniform(-0.1, 0.1))} {n(r.choice([0, 0.05]))}</q0><mass diag="1 1"/>'
        f"{internal([f'-{n(r.uniform(20, 80))}*x', '0'])}<fExt>{escape(signal(r, 1, T))}, {press}</fExt></LagrangianDS>"
    )
    rows = [("belt", "s", f'<LagrangianRheonomousR><h>y, x - ({belt})</h></LagrangianRheonomousR><NewtonImpactFrictionNSL en="{n(r.choice([0, 0.3]))}" mu="{mu}"/>')]
    return Model("stribeck", body(system, rows), T, MECHANICS, CVODE)


def pushed(r):
    """Relays whose bounds are formulas of t and of another system, on mechanics."""
    T = r.uniform(1, 3)
    bound = f"{n(r.uniform(0.3, 1))} + {n(r.uniform(0.1, 0.3))}*sin({n(r.uniform(1, 5))}*t) + 0.5*max(a.p, 0)"
    system = mass(r, [f"{signal(r, 4, T)} - 6*x", f"{signal(r, 3, T)} - 3*(y - x)"])
    lag = f'<FirstOrderNonLinearDS id="a" states="p"><x0>{n(r.uniform(-0.2, 0.2))}</x0><f>2*(s.x - p)</f></FirstOrderNonLinearDS>'
    rows = [("f", "s", f'<LagrangianLinearTIR><H>0 1</H></LagrangianLinearTIR><RelayNSL lb="-({bound})" ub="{bound}"/>'), *walls(r, 1)[:1]]
    rows[1] = ("w0", "s", linear_row([1.0, 0.0], 0) + bouncy(r, 0.6))
    model = Model("pushed", body(system + lag, rows), T, [BOTH[1]], CVODE)
    model.systems = ("s", "a")
    return model


def fuse(r):
    """A circuit that reads tables, with a switch that opens at a running integral and one with hysteresis, and a coil that pulls a mass."""
    T = r.uniform(0.5, 2)
    R, L, C = r.uniform(0.5, 3), T * r.uniform(0.01, 0.1), T * r.uniform(0.005, 0.1)
    parts = parameters(
        table(r, "mains", 0, T / r.choice([1, 3]), 5, outside=("hold", "periodic")),
        table(r, "pull", 0, 1.5, 2, kinds=("linear", "cubic", "pchip")),
    )
    blow, low = r.uniform(0.2, 2) * T, r.uniform(0.2, 1)
    lines = [
        f"V1 s 0 3 + mains(t) + {n(r.uniform(0, 2))}*sin({n(r.uniform(5, 20))}*t)",
        f"S1 s a heat < {n(blow)} Ron=0.01 Roff=1k",
        f"R1 a b {n(R)}",
        f"L1 b c {n(L)}",
        f"C1 c 0 {n(C)}",
        f"R2 c 0 {n(R * r.uniform(2, 20))}",
    ]
    circuit = "\n".join("    " + escape(line) for line in lines)
    system = (
        f'<LagrangianDS id="s" coordinates="x"><q0>{n(r.uniform(0.1, 0.6))}</q0><mass>{n(r.uniform(0.1, 1))}</mass>'
        f"{internal([f'-{n(r.uniform(10, 40))}*(x-0.3) - 0.5*v_x + pull(x)*k.i_L1'])}</LagrangianDS>"
    )
    output = '<output><integral id="heat" of="k.i_L1^2"/></output>'
    text = f'  <systems><netlist id="k">\n{circuit}\n  </netlist>{system}</systems>\n'
    text += f'  <interactions><interaction id="w0" systems="s">{linear_row([1.0], 0)}{bouncy(r, 0.7)}</interaction></interactions>\n  {output}'
    model = Model("fuse", first(parts, text), T, [BOTH[0]], CVODE)
    model.systems = ("s", "k", "heat")
    return model


def everything(r):
    """Tables, memories and events that set, in the forces on a mass with dry friction and walls."""
    T = r.uniform(1, 3)
    parts = parameters(
        table(r, "drive", 0, T / r.choice([1, 3]), 5, outside=("hold", "zero", "periodic")),
        table(r, "spring", -0.6, 1.2, 6, kinds=("linear", "cubic", "pchip")),
    )
    since = r.uniform(0.05, 0.3) * T
    force = [
        f"u*spring(x) - 3*x + if(past > {n(since)}, drive(t), -0.5*v_x)",
        f"{signal(r, 2, T)} - 4*y - spring(y)*sat(v_x, -0.3, 0.3)",
    ]
    rest = f'<events><event id="flip" when="y &gt; {n(r.uniform(0.1, 0.5))}" direction="{r.choice(["up", "down", "both"])}"><set name="u" value="-u"/></event></events>'
    rest += f'\n  <output><memory id="past" event="{r.choice(["impact", "flip", "user"])}" give="since"/></output>'
    f = n(r.uniform(0.2, 1))
    rows = walls(r, 2)[:1] + [("f", "s", f'<LagrangianLinearTIR><H>{vector([r.uniform(0, 1), 1])}</H></LagrangianLinearTIR><RelayNSL lb="-{f}" ub="{f}"/>')]
    return Model("everything", first(parts, body(mass(r, force, rest="<z>1</z>"), rows, rest)), T, [BOTH[1]], CVODE)


def fixed(r):
    """Coordinates that are fixed, with masses that couple them to others; a wall and dry friction on the others."""
    T, k = r.uniform(1, 3), r.randint(3, 4)
    names = ["x", "y", "z", "w"][:k]
    held = r.randrange(k)
    q, v = [r.uniform(0.1, 0.6) for _ in names], [r.uniform(-1, 1) for _ in names]
    v[held] = 0.0
    A = [[r.uniform(-0.4, 0.4) for _ in names] for _ in names]
    M = [[sum(a * b for a, b in zip(A[i], A[j])) + (1.5 if i == j else 0) for j in range(k)] for i in range(k)]
    if r.random() < 0.4:
        M[held - 1][held - 1] = f"{n(M[held - 1][held - 1])}+0.2*cos({names[held - 2]})"
    mass_text = "; ".join(", ".join(e if isinstance(e, str) else n(e) for e in row) for row in M)
    force = [f"-{n(r.uniform(1, 9))}*{names[i]} - {n(r.uniform(-2, 2))}*{names[i - 1]} - 0.1*v_{names[i]}" for i in range(k)]
    system = (
        f'<LagrangianDS id="s" coordinates="{" ".join(names)}"><q0>{vector(q)}</q0><v0>{vector(v)}</v0><mass>{mass_text}</mass>'
        f'{internal(force)}<fExt>{", ".join([escape(signal(r, 3, T))] + ["0"] * (k - 1))}</fExt><fixed coordinates="{names[held]}"/></LagrangianDS>'
    )
    row = [r.uniform(-1, 1) for _ in names]
    rows = [("w0", "s", linear_row(row, 0.2 - sum(a * b for a, b in zip(row, q))) + bouncy(r, 0.7))]
    if r.random() < 0.5:
        bound = n(r.uniform(0.1, 0.6))
        rows.append(("f", "s", f'<LagrangianLinearTIR><H>{vector([r.uniform(-1, 1) for _ in names])}</H></LagrangianLinearTIR><RelayNSL lb="-{bound}" ub="{bound}"/>'))
    return Model("fixed", body(system, rows), T, MECHANICS, CVODE + ["<IDAOSI/>"])


def fixed_body(r):
    """A body of which some translations and rotations are fixed, on a plane or with another on a hinge."""
    T, dofs = r.uniform(0.6, 1.2), ["x", "y", "z", "Omega_x", "Omega_y", "Omega_z"]
    held = sorted(r.sample(range(6), r.randint(1, 3)))
    v = [0.0 if j in held else r.uniform(-1, 1) for j in range(6)]
    p = [1.0] + [r.uniform(-0.5, 0.5) for _ in range(3)]
    p = [c / math.sqrt(sum(e * e for e in p)) for c in p]
    text = (
        f'<NewtonEulerDS id="a"><q0>0.1 0.2 1 {" ".join(repr(c) for c in p)}</q0><v0>{vector(v)}</v0><mass>1.3</mass>'
        "<inertia>1 0.1 0.05; 0.1 1.4 0.2; 0.05 0.2 0.8</inertia>"
        f'<fExt>{escape(signal(r, 1, T))}, 0.5, -4</fExt><mExt>0.3*cos(2*t), 0.2, 0.4</mExt>'
        f'<fixed coordinates="{" ".join(dofs[j] for j in held)}"/><Sphere radius="0.3"/></NewtonEulerDS>'
    )
    if r.random() < 0.5:
        rest = f'\n  <contacts><Plane normal="0 0 1"/>{bouncy(r, 0.6)}</contacts>'
    else:
        text += '<NewtonEulerDS id="b"><q0>0.1 1.2 1.4 1 0 0 0</q0><mass>0.5</mass><inertia diag="0.1 0.2 0.15"/><fExt>0 0 -4</fExt></NewtonEulerDS>'
        rest = '\n  <interactions><interaction id="h" systems="a b"><PivotJointR point="0.1 0.7 1.2" axis="1 0.2 0"/><EqualityConditionNSL/></interaction></interactions>'
    model = Model("fixed-body", f"  <systems>{text}</systems>{rest}", T, ["<MoreauJeanOSI/>", '<MoreauJeanOSI theta="1"/>'], CVODE)
    model.systems = ("a", "b")
    return model


def prescribed(made):
    """The same models, with motion where others are fixed: of one coordinate, or of the first that is."""

    def moving(r):
        model = made(r)
        form = r.choice(["{a}*cos({w}*t)", "{a}*sin({w}*t)", "{a}*t", "{a}*max(0, sin({w}*t))", "if(t &gt; {s}, {a}, 0)"])
        form = form.format(a=n(r.uniform(-0.6, 0.6)), w=n(r.uniform(1, 6)), s=n(r.uniform(0.1, 0.4)))
        first, *rest = re.search('<fixed coordinates="([^"]*)"/>', model.body).group(1).split()
        text = f'<prescribed coordinates="{first}">{form}</prescribed>'
        if rest:
            text += f'<fixed coordinates="{" ".join(rest)}"/>'
        model.body = re.sub("<fixed [^>]*/>", text, model.body)
        model.kind = model.kind.replace("fixed", "prescribed")
        return model

    return moving


LATE = 5.0  # parts of its range that a state moves in T: a step sets at its end what an event sets within it

KINDS = [fuse, everything, tables, tables_first_order, signals, heat, set_by_events, thermostats, sprung, stribeck, pushed, fixed, fixed_body, prescribed(fixed), prescribed(fixed_body), sums]


def model(seed):
    """The model of a seed, which is the same for ever: kinds take turns."""
    r = random.Random(seed)
    made = KINDS[seed % len(KINDS)](r)
    if "<set " in made.body or "<memory " in made.body:
        made.late = LATE
    return made, r
