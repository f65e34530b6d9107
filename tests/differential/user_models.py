# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models as they are written from the manual: converters, relays, sampled control, stops, stacks, bodies on hinges.

As random_models, of more kinds, for seeds of their own."""

import math
import random

from random_models import FIRST_ORDER, FLOWS, MECHANICS, Model, escape, matrix, number, signal, vector

IMPLICIT = ['<EulerMoreauOSI theta="1"/>']
EXPLICIT = ['<EulerMoreauOSI theta="0"/>']  # an implicit step onto a jump has no Newton's method
n = number


def either(r, *values):
    return r.choice(values)


def body(system, interactions=(), rest=""):
    """Parts of a model; an interaction is its id, its relation and its law."""
    text = f"  <systems>{system}</systems>"
    if interactions:
        text += "\n  <interactions>"
        for name, parts in interactions:
            systems = "" if "joint=" in parts else ' systems="s"'
            text += f'\n    <interaction id="{name}"{systems}>{parts}</interaction>'
        text += "\n  </interactions>"
    return text + ("\n  " + rest if rest else "")


# ---- circuits ----------------------------------------------------------------------------------


def circuit(kind, T, lines):
    text = "\n".join("    " + escape(line) for line in lines)
    return Model(kind, f'  <netlist id="k">\n{text}\n  </netlist>', T, IMPLICIT, FLOWS)


def sizes(r, times):
    """End time, R, L, C and a voltage: L/R and RC are 0.01 to 0.2 of the run."""
    T = r.choice(times)
    R = 10 ** r.uniform(-0.5, 2)
    L, C = R * T * 10 ** r.uniform(-2, -0.7), T / R * 10 ** r.uniform(-2, -0.7)
    return T, R, L, C, 10 ** r.uniform(0, 2)


def sine(V, f, phase):
    return f"{n(V)}*sin({n(2 * math.pi * f)}*t+{n(phase)})"


def load(r, a, b, R, L, C):
    """From a to b: by a choke, or smoothed by a capacitor."""
    if r.random() < 0.5:
        return [f"L1 {a} q {n(L)}", f"R1 q {b} {n(R)}"]
    return [f"Rs {a} q {n(R / 20)}", f"C1 q {b} {n(C)}", f"R1 q {b} {n(R)}"]


def h_bridge(r):
    """Four switches with diodes beside them, driven by a sine against a triangle, with dead time or none."""
    T, R, L, _, V = sizes(r, [1, 1e-3, 2e-2])
    wave = f"{n(r.uniform(0.5, 0.95))}*sin({n(2 * math.pi / T * r.uniform(1, 2))}*t+{n(r.uniform(0, 6))})"
    triangle = f"(abs(mod({n(r.uniform(5, 15) / T)}*t,1)-0.5)*4-1)"
    up, dead = f"({wave}) - {triangle}", n(either(r, 0, r.uniform(0.02, 0.15)))
    lines = [f"V1 p 0 {n(V)}", f"S1 p a {up} - {dead}", f"S2 a 0 -({up}) - {dead}"]
    lines += [f"S3 p b -({up}) - {dead}", f"S4 b 0 {up} - {dead}"]
    lines += ["D1 a p", "D2 0 a", "D3 b p", "D4 0 b"]
    lines += [f"L1 a c {n(L)} ic={n(r.uniform(-0.3, 0.3) * V / R)}", f"R1 c b {n(R)}"]
    return circuit("h-bridge", T, lines)


def three_phase(r):
    """Six diodes, with chokes in the lines or without."""
    T, R, L, C, V = sizes(r, [1, 2e-2])
    f, phase, chokes, lines = r.uniform(1.5, 3) / T, r.uniform(0, 6), r.random() < 0.6, []
    for i, x in enumerate("abc"):
        at = x + "0" if chokes else x
        lines.append(f"V{x} {at} 0 {sine(V, f, phase + i * 2 * math.pi / 3)}")
        if chokes:
            lines.append(f"L{x} {at} {x} {n(L / 5)}")
        lines += [f"D{x}p {x} p", f"D{x}m m {x}"]
    return circuit("three-phase", T, lines + load(r, "p", "m", R, L, C))


def cascade(r):
    """Cockcroft and Walton's, of two or three stages, from rest: diodes begin without a current."""
    T, R, _, C, V = sizes(r, [1, 2e-2])
    stages = r.randint(2, 3)
    lines = [f"V1 s 0 {sine(V, r.uniform(3, 6) / T, r.uniform(0, 6))}", f"R0 s t0 {n(R / 30)}"]
    for i in range(stages):
        below = f"g{i}" if i else "0"
        lines += [f"Ca{i} t{i} t{i + 1} {n(C * r.uniform(0.5, 1.5))}", f"Da{i} {below} t{i + 1}"]
        lines += [f"Db{i} t{i + 1} g{i + 1}", f"Cb{i} {below} g{i + 1} {n(C * r.uniform(0.5, 1.5))}"]
    return circuit("cascade", T, lines + [f"RL g{stages} 0 {n(R * 5)}"])


def converter(r):
    """Converters with one or two switches by a modulated width."""
    T, R, L, C, V = sizes(r, [1, 1e-3])
    duty, f = r.uniform(0.25, 0.65), r.uniform(10, 25) / T
    gate = r.choice(
        [
            f"{n(duty)}-mod(t*{n(f)},1)",
            f"if(mod(t*{n(f)}+{n(r.random())},1) < {n(duty)}, 1, -1)",
            f"{n(duty)} - mod({n(f)}*(t+{n(r.random() / f)}),1)",
        ]
    )
    out = [f"C1 o 0 {n(C)}", f"R1 o 0 {n(R)}"]
    cuk = [f"L1 in a {n(L)}", f"S1 a 0 {gate}", f"C0 a b {n(C)}"]
    choice = {
        "buck-boost": [f"S1 in a {gate}", f"L1 a 0 {n(L)}", "D1 o a"],
        "cuk": cuk + ["D1 b 0", f"L2 b o {n(L * 1.3)}"],
        "sepic": cuk + [f"L2 b 0 {n(L * 1.3)}", "D1 b o"],
        "flyback": [
            f"L1 in a {n(L)}",
            f"L2 0 b {n(L * r.uniform(0.3, 3))}",
            f"K1 L1 L2 {n(r.uniform(0.9, 0.99))}",
            f"S1 a 0 {gate}",
            f"Rs a in {n(5 * R)}",
            "D1 b o",
        ],
        "two-switches": [
            f"S1 in a {gate}",
            "D1 0 a",
            f"L1 a b {n(L)}",
            f"S2 b 0 {n(duty * 0.7)}-mod(t*{n(f)}+0.5,1)",
            "D2 b o",
        ],
    }
    kind = r.choice(sorted(choice))
    return circuit(kind, T, [f"V1 in 0 {n(V)}"] + choice[kind] + out)


def switched_capacitor(r):
    T, R, _, C, V = sizes(r, [1, 1e-3])
    part = f"mod(t*{n(r.uniform(4, 12) / T)},1)"
    lines = [f"V1 in 0 {n(V)}+{sine(V * 0.3, 1.3 / T, r.uniform(0, 6))}"]
    lines += [f"S1 in a 0.4-{part}", f"R1 a b {n(R / 10)}", f"C1 b 0 {n(C)}"]
    lines += [f"S2 b c if({part} > 0.5, 1, -1)*(0.9-{part})", f"R2 c o {n(R / 7)}"]
    return circuit("switched-capacitor", T, lines + [f"C2 o 0 {n(C * 1.7)}", f"R3 o 0 {n(R * 3)}"])


def regulator(r):
    """A Zener diode with a load that comes and goes."""
    T, R, L, C, V = sizes(r, [1, 1e-2])
    lines = [f"V1 a 0 {n(V)}", f"R1 a b {n(R)}", f"Z1 0 b {n(0.6 * V)}", f"C1 b 0 {n(C)}", "D9 0 c"]
    lines += [f"L1 b c {n(L)}", f"R2 c 0 {n(R * 2)}", f"I1 b 0 {signal(r, V / R * 0.5, T)}"]
    return circuit("regulator", T, lines)


def peak_detector(r):
    T, R, _, C, V = sizes(r, [1, 1e-2])
    lines = [f"V1 a 0 {sine(V, r.uniform(3, 6) / T, r.uniform(0, 6))}", f"R0 a b {n(R / 30)}", "D1 b c"]
    lines += [f"C1 c 0 {n(3 * C)}", f"R2 c 0 {n(20 * R)}", f"R3 d 0 {n(R / 5)}"]
    lines += [f"S1 c d {n(r.uniform(0.1, 0.3))}-mod(t*{n(r.uniform(1.5, 4) / T)},1)"]
    return circuit("peak-detector", T, lines)


def antiparallel(r):
    """One or two pairs of valves, each a switch and a diode, on one load; nodes between them float."""
    T, R, L, _, V = sizes(r, [1, 2e-2])
    w, phase = 2 * math.pi * r.uniform(2, 4) / T, either(r, 0, r.uniform(0, 6))
    gate = f"{n(w)}*t+{n(phase)}-{n(r.uniform(0.3, 2.5))}"
    lines = [f"V1 a 0 {n(V)}*sin({n(w)}*t+{n(phase)})", f"S1 a p sin({gate})", "D1 p b"]
    lines += [f"S2 a m -sin({gate})", "D2 b m", f"R1 b c {n(R)}", f"L1 c 0 {n(L)}"]
    if r.random() < 0.5:
        lines += [f"V2 e 0 {n(V)}*sin({n(w)}*t+{n(phase + 2)})", f"S3 e u sin({gate}+2)", "D3 u g"]
        lines += [f"S4 e d -sin({gate}+2)", "D4 g d", f"L2 b g {n(L)}", f"R3 g 0 {n(R)}"]
    return circuit("antiparallel", T, lines)


# ---- relays, networks, levels -------------------------------------------------------------------


def relay_feedback(r):
    """A chain of lags whose beginning and end a relay looks at: of its end alone switches would accumulate."""
    T, k = r.uniform(4, 12) * either(r, 1, 1e-3), r.randint(2, 3)
    rate = [r.uniform(0.3, 2) * 8 / T for _ in range(k)]
    A = [[-rate[i] * (j == i) + rate[i] * (j == i - 1) for j in range(k)] for i in range(k)]
    C = [r.uniform(0.2, 1)] + [0.0] * (k - 2) + [1.0]
    B = [[rate[0] * r.uniform(1, 3)]] + [[0.0]] * (k - 1)
    force = [signal(r, 0.5 * rate[0], T)] + ["0"] * (k - 1)
    relation = (
        f"<FirstOrderLinearTIR><C>{vector(C)}</C><e>{n(either(r, 0, r.uniform(-0.4, 0.4)))}</e>"
        f"<B>{matrix(B)}</B></FirstOrderLinearTIR><RelayNSL/>"
    )
    system = (
        f'<FirstOrderLinearDS id="s"><x0>{vector([r.uniform(-1, 1) for _ in range(k)])}</x0>'
        f"<A>{matrix(A)}</A><b>{escape(', '.join(force))}</b></FirstOrderLinearDS>"
    )
    return Model("relay-feedback", body(system, [("r", relation)]), T, IMPLICIT, FLOWS)


def genes(r):
    """A ring of genes, each switched by the one before it: by a law, or by formulas that jump."""
    k, T = r.randint(2, 4), r.uniform(5, 20) * either(r, 1, 60)
    rate = [r.uniform(3, 15) / T for _ in range(k)]
    limit, rises = [r.uniform(0.3, 0.7) for _ in range(k)], [r.random() < 0.5 for _ in range(k)]
    start = vector([r.uniform(0, 1) for _ in range(k)])
    over = [f"x[{(i - 1) % k}]-{n(limit[i])}" for i in range(k)]
    decay = [f"-{n(rate[i])}*x[{i}]" for i in range(k)]
    if r.random() < 0.5:
        h = ", ".join(f"-({over[i]})" if rises[i] else over[i] for i in range(k))
        g = ", ".join(f"{n(rate[i])}*lambda[{i}]" for i in range(k))
        system = f"<x0>{start}</x0><f>{', '.join(decay)}</f>"
        law = f'<FirstOrderType1R><h>{h}</h><g>{g}</g></FirstOrderType1R><RelayNSL lb="0" ub="1"/>'
        rows, kind, schemes = [("r", law)], "genes-by-a-law", IMPLICIT
    else:
        on = [over[i] if rises[i] else f"-({over[i]})" for i in range(k)]
        f = ", ".join(f"{decay[i]} + {n(rate[i])}*step({on[i]})" for i in range(k))
        system, rows, kind, schemes = f"<x0>{start}</x0><f>{f}</f>", [], "genes-by-formulas", EXPLICIT
    system = f'<FirstOrderNonLinearDS id="s">{system}</FirstOrderNonLinearDS>'
    return Model(kind, body(system, rows), T, schemes, FLOWS)


def tanks(r):
    """Two vessels that flow over."""
    T, a, top = r.uniform(10, 40), n(r.uniform(0.1, 0.5)), r.uniform(0.6, 1.2)
    flow = f"{a}*sqrt(max(x,0)+1e-3)"
    system = (
        f'<FirstOrderNonLinearDS id="s" states="x y"><x0>{n(r.uniform(0.2, 0.55))} {n(r.uniform(0.1, 0.45))}</x0>'
        f"<f>max(0, {escape(signal(r, 0.4, T))}) + 0.05 - {flow}, "
        f"{flow} - {n(r.uniform(0.1, 0.5))}*sqrt(max(y,0)+1e-3)</f></FirstOrderNonLinearDS>"
    )
    rims = (
        f"<FirstOrderLinearTIR><C>-1 0; 0 -1</C><e>{n(top)} {n(top * 0.8)}</e><B>-1 0; 0 -1</B>"
        "</FirstOrderLinearTIR><ComplementarityConditionNSL/>"
    )
    return Model("tanks", body(system, [("rims", rims)]), T, IMPLICIT, FLOWS)


def piecewise(r):
    """An oscillator with a law through points, two of them jumps."""
    T, (left, right) = r.uniform(3, 6), sorted(r.uniform(-1, 1) for _ in range(2))
    system = (
        f'<FirstOrderLinearDS id="s" states="x v"><x0>{n(r.uniform(-1.5, 1.5))} {n(r.uniform(-1, 1))}</x0>'
        f"<A>0 1; -{n(r.uniform(1, 5))} -{n(r.uniform(0.1, 0.6))}</A>"
        f"<b>0, {escape(signal(r, 2, T))}</b></FirstOrderLinearDS>"
    )
    law = (
        "<FirstOrderLinearTIR><C>0 1</C><B>0; -1</B></FirstOrderLinearTIR>"
        f'<PiecewiseLinearNSL left="{n(r.uniform(0, 0.5))}" right="{n(r.uniform(0, 0.5))}"><points>'
        f"{n(left)} -1; {n(left)} -0.3; {n(right)} 0.2; {n(right)} 1</points></PiecewiseLinearNSL>"
    )
    return Model("piecewise", body(system, [("r", law)]), T, IMPLICIT, FLOWS)


def equations(r):
    """An algebraic equation beside a row with bounds."""
    T = r.uniform(2, 5)
    law = either(
        r,
        '<MixedComplementarityConditionNSL equalitySize="1"/>',
        f'<RelayNSL lb="-inf 0" ub="inf {n(r.uniform(0.3, 2))}"/>',
    )
    system = (
        f'<FirstOrderLinearDS id="s" states="x y"><x0>{n(r.uniform(0.2, 1))} {n(r.uniform(0.2, 1))}</x0>'
        f"<A>-1 0.3; -0.5 -0.7</A><b>{escape(signal(r, 2, T))}, {escape(signal(r, 2, T))}</b>"
        "</FirstOrderLinearDS>"
    )
    relation = (
        f"<FirstOrderLinearTIR><C>1 0.5; 0 1</C><D>{n(r.uniform(0.5, 2))} 0.1; 0 0</D>"
        f"<e>{n(r.uniform(-0.3, 0.3))} 0</e><B>1 0; 0.2 1</B></FirstOrderLinearTIR>{law}"
    )
    return Model("equations", body(system, [("r", relation)]), T, IMPLICIT, FLOWS)


# ---- control and events ---------------------------------------------------------------------------


def sampled(r):
    """A PID controller of a tank, a mass, one with dry friction, one at a wall."""
    period = float(n(r.uniform(0.02, 0.2)))
    T, lim = period * r.choice([25, 50, 100]), n(r.uniform(1, 4))
    aim = r.choice(["1", f"step(t-{n(T * 0.3)})", f"sin({n(1.5 / T)}*t)"])
    control = (
        f'<controls><control id="c" systems="s" period="{n(period)}" writes="u">'
        f'<PID Kp="{n(r.uniform(0.5, 3))}" Ki="{n(r.uniform(0, 1))}" Kd="{n(r.uniform(0, 1))}" filter="{n(2 * period)}" '
        f'lower="-{lim}" upper="{lim}"><reference>{aim}</reference><y>x</y></PID></control></controls>'
    )
    kind = r.choice(["tank", "mass", "friction", "wall"])
    if kind == "tank":
        system = (
            '<FirstOrderLinearDS id="s" states="x y" inputs="u"><x0>0 0</x0>'
            "<A>-0.5 1; 0 -1</A><b>0.1*sin(t), u</b></FirstOrderLinearDS>"
        )
        return Model("sampled-tank", body(system, rest=control), T, FIRST_ORDER, FLOWS)
    system = (
        f'<LagrangianLinearTIDS id="s" coordinates="x" inputs="u"><q0>{n(r.uniform(-0.2, 0.2))}</q0>'
        f"<K>{n(r.uniform(0.1, 1))}</K><C>{n(r.uniform(0.2, 1))}</C><fExt>u</fExt></LagrangianLinearTIDS>"
    )
    F = n(r.uniform(0.1, 0.8))
    rub = f'<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb="-{F}" ub="{F}"/>'
    hit = (
        f"<LagrangianLinearTIR><H>-1</H><e>{n(r.uniform(0.3, 0.8))}</e></LagrangianLinearTIR>"
        f'<NewtonImpactNSL e="{n(r.uniform(0, 0.8))}"/>'
    )
    rows = {"mass": [], "friction": [("r", rub)], "wall": [("r", hit)]}[kind]
    return Model("sampled-" + kind, body(system, rows, control), T, MECHANICS, FLOWS)


def thermostat(r):
    T, low, high = r.uniform(5, 15), r.uniform(0.3, 0.5), r.uniform(0.6, 0.9)
    system = (
        '<FirstOrderNonLinearDS id="s" states="x y" inputs="on">'
        f"<x0>{n(r.uniform(low + 0.01, high - 0.01))} 0</x0><z>1</z>"
        f"<f>on - x*(1+0.3*sin(t)), {n(r.uniform(1, 3))}*(x-y)</f></FirstOrderNonLinearDS>"
    )
    events = (
        f'<events><event id="off" when="x &gt; {n(high)}"><set name="on" value="0"/></event>'
        f'<event id="heat" when="x &lt; {n(low)}"><set name="on" value="1"/></event></events>'
    )
    return Model("thermostat", body(system, rest=events), T, FIRST_ORDER, FLOWS)


def kicked(r):
    """A force that the user's events change, an oscillator at a wall."""
    T = r.uniform(2, 4)
    system = (
        f'<LagrangianLinearTIDS id="s" coordinates="x" inputs="u"><q0>{n(r.uniform(0.2, 1))}</q0><z>0</z>'
        f"<K>{n(r.uniform(5, 30))}</K><C>0.2</C><fExt>u</fExt></LagrangianLinearTIDS>"
    )
    wall = (
        f"<LagrangianLinearTIR><H>1</H><e>{n(r.uniform(0.1, 0.4))}</e></LagrangianLinearTIR>"
        f'<NewtonImpactNSL e="{n(r.uniform(0.2, 0.8))}"/>'
    )
    events = (
        f'<events><event id="a" every="{n(T / r.choice([4, 5, 8]))}">'
        f'<set name="u" value="{n(r.uniform(1, 4))}-u"/></event></events>'
    )
    return Model("kicked", body(system, [("w", wall)], events), T, MECHANICS, FLOWS)


# ---- mechanics ------------------------------------------------------------------------------------


def bouncy(r, most=0.8):
    return f'<NewtonImpactNSL e="{n(either(r, 0, r.uniform(0.2, most)))}"/>'


def linear_row(H, e):
    return f"<LagrangianLinearTIR><H>{vector(H)}</H><e>{n(e)}</e></LagrangianLinearTIR>"


def masses(q, m, force, more="", v=None):
    v = f"<v0>{vector(v)}</v0>" if v else ""
    return (
        f'<LagrangianLinearTIDS id="s"><q0>{vector(q)}</q0>{v}<mass diag="{vector(m)}"/>{more}'
        f"<fExt>{escape(', '.join(force))}</fExt></LagrangianLinearTIDS>"
    )


def pendulum_at_stops(r):
    """An angle that may begin at any turn."""
    L, m, turn = r.uniform(0.2, 2), r.uniform(0.2, 3), either(r, 0, 2 * math.pi, r.uniform(-3, 3))
    T, start, weight = r.uniform(4, 9) * math.sqrt(L / 9.81), r.uniform(0.4, 2.5), m * 9.81 * L
    system = (
        f'<LagrangianDS id="s" coordinates="a"><q0>{n(turn + start)}</q0><v0>{n(r.uniform(-1, 1))}</v0>'
        f"<mass>{n(m * L * L)}</mass><fInt>{n(weight)}*sin(a-({n(turn)}))+{n(r.uniform(0, 0.3))}*v_a</fInt>"
        f"<fExt>{escape(signal(r, 0.5 * weight, T))}</fExt></LagrangianDS>"
    )
    rows = [("low", linear_row([1.0], -turn - r.uniform(-0.5, 0.3)) + bouncy(r))]
    if r.random() < 0.4:
        rows.append(("high", linear_row([-1.0], start + turn + 0.3) + bouncy(r)))
    return Model("pendulum-at-stops", body(system, rows), T, MECHANICS, FLOWS)


def double_pendulum(r):
    """Its end at a wall."""
    T, l1, l2, g = r.uniform(1, 2), r.uniform(0.4, 1), r.uniform(0.4, 1), 9.81
    a, b = r.uniform(0.1, 1), r.uniform(-0.3, 1.2)
    wall = min(r.uniform(-0.2, 0.2), l1 * math.sin(a) + l2 * math.sin(b) - 0.2)
    both = n(l1 * l2)
    system = (
        f'<LagrangianDS id="s" coordinates="a b"><q0>{n(a)} {n(b)}</q0>'
        f"<mass>{n(2 * l1 * l1)} {both}*cos(a-b); {both}*cos(a-b) {n(l2 * l2)}</mass>"
        f"<fGyr>{both}*sin(a-b)*v_b^2, -{both}*sin(a-b)*v_a^2</fGyr>"
        f"<fInt>{n(2 * g * l1)}*sin(a), {n(g * l2)}*sin(b)</fInt></LagrangianDS>"
    )
    gap = f"{n(l1)}*sin(a)+{n(l2)}*sin(b)-({n(wall)})"
    rows = [("w", f"<LagrangianScleronomousR><h>{gap}</h></LagrangianScleronomousR>" + bouncy(r))]
    return Model("double-pendulum", body(system, rows), T, MECHANICS, FLOWS)


def vibrating_table(r):
    unit, f, k = either(r, 1, 1e-3), r.uniform(2, 6), r.randint(1, 2)
    T, g, A = r.uniform(0.6, 1.5) * unit, 9.81 / unit**2, r.uniform(0.3, 2) * 9.81 / (2 * math.pi * f) ** 2
    w, at = n(2 * math.pi * f / unit), either(r, 0, 0.1, r.uniform(-30, 30))
    path = r.choice([f"sin({w}*t)", f"(1-cos({w}*t))", f"sin({w}*t)^2"])
    q = [at + 0.2 * i + r.uniform(0, 0.15) for i in range(k)]
    gap = f"q[0]-({n(at - 2 * A)})-{n(A)}*{path}"
    rows = [("c0", f"<LagrangianRheonomousR><h>{gap}</h></LagrangianRheonomousR>" + bouncy(r, 0.5))]
    if k > 1:
        rows.append(("c1", linear_row([-1.0, 1.0], -0.05) + bouncy(r, 0.4)))
    return Model("vibrating-table", body(masses(q, [1] * k, [n(-g)] * k), rows), T, MECHANICS, FLOWS)


def block_on_block(r):
    """Both with friction, on a floor that may be moved to and fro."""
    T, w, a, at = r.uniform(1, 2), 2 * math.pi * r.uniform(1, 3), r.uniform(2, 12), r.uniform(-20, 20)
    x, m = either(r, 0, r.uniform(-10, 10)), [r.uniform(0.5, 2), r.uniform(0.5, 2)]
    system = masses(
        [x, at, x + 0.1, at + 0.1],
        [m[0], m[0], m[1], m[1]],
        [signal(r, 5, T), f"-9.81*{n(m[0])}", signal(r, 3, T), f"-9.81*{n(m[1])}"],
        v=[r.uniform(-1, 1), 0.0, r.uniform(-1, 1), 0.0],
    )
    slides = f"q[0] - {n(a / w / w)}*sin({n(w)}*t)"
    floor = f"<LagrangianRheonomousR><h>q[1]-({n(at)}), {slides}</h></LagrangianRheonomousR>"
    between = "<LagrangianLinearTIR><H>0 -1 0 1; -1 0 1 0</H><e>-0.1 0</e></LagrangianLinearTIR>"
    law = [f'<NewtonImpactFrictionNSL en="0" mu="{n(r.uniform(0.1, 0.5))}"/>' for _ in range(2)]
    rows = [("a", floor + law[0]), ("b", between + law[1])]
    return Model("block-on-block", body(system, rows), T, MECHANICS, FLOWS)


def backlash(r):
    """Two masses with play between them, maybe with friction; their coordinates begin anywhere."""
    T, play, k = r.uniform(1, 3), r.uniform(0.02, 0.2), r.uniform(5, 50)
    at = [either(r, 0, r.uniform(-5, 5)) for _ in range(2)]
    apart = at[1] - at[0]
    force = [f"{n(k * at[0])}+{signal(r, 0.2 * k, T)}", signal(r, 0.05 * k, T)]
    more = f"<K>{n(k)} 0; 0 0</K><C>0.1 0; 0 {n(r.uniform(0, 1))}</C>"
    v = [r.uniform(-1, 1), r.uniform(-1, 1)]
    system = masses(at, [r.uniform(0.5, 3), r.uniform(0.5, 3)], force, more, v)
    rows = [("l", linear_row([-1.0, 1.0], play / 2 - apart) + bouncy(r))]
    rows.append(("r", linear_row([1.0, -1.0], play / 2 + apart) + bouncy(r)))
    if r.random() < 0.5:
        F = n(r.uniform(0.01, 0.1) * k)
        rows.append(("f", linear_row([0.0, 1.0], 0) + f'<RelayNSL lb="-{F}" ub="{F}"/>'))
    return Model("backlash", body(system, rows), T, MECHANICS, FLOWS)


def compliant_stack(r):
    """Balls on a ground that gives way, on each other by springs or impacts."""
    T, k, at = r.uniform(0.6, 1.5), r.randint(1, 3), either(r, 0, 0.1, r.uniform(-10, 10))
    rows = []
    for i in range(k):
        H = [1.0 * (j == i) - 1.0 * (j == i - 1) for j in range(k)]
        e = -at if i == 0 else -0.05
        spring = (
            f"<LagrangianCompliantLinearTIR><H>{vector(H)}</H><e>{n(e)}</e>"
            f"<D>{n(10 ** r.uniform(-4, -2.5))}</D></LagrangianCompliantLinearTIR><ComplementarityConditionNSL/>"
        )
        gives = i == 0 or r.random() < 0.5
        rows.append((f"c{i}", spring if gives else linear_row(H, e) + bouncy(r, 0.5)))
    q = [at + 0.3 * i + r.uniform(0.1, 0.25) for i in range(k)]
    system = masses(q, [1] * k, ["-9.81"] * k)
    return Model("compliant-stack", body(system, rows), T, MECHANICS, FLOWS)


def pulses(r):
    """Forces of t of many forms on a mass, in units of its own, that may lie at a wall."""
    unit, m = either(r, 1, 1e-3, 60), 10 ** r.uniform(-2, 2)
    T, F = r.uniform(1, 3) * unit, m / unit**2
    p, w = T / r.uniform(3, 8), 2 * math.pi / T * r.uniform(3, 8)
    form = r.choice(
        [
            f"(if(mod(t,{n(p)}) < {n(r.uniform(0.02, 0.5) * p)}, 1, -0.3))",
            f"sign(sin({n(w)}*t+0.3))",
            f"(floor(t/{n(p)})-2)*0.5",
            f"(t < {n(p)} ? 1 : (t < {n(2 * p)} ? -1 : 0.3))",
            f"max(-0.2, min(0.5, sin({n(w)}*t)))",
            f"(step(t-{n(p)})-step(t-{n(p * 1.01)}))*20",
            f"ceil(2*cos({n(w / 2)}*t))",
            f"sin({n(w)}*t)*(sin({n(3 * w)}*t) > 0.3 && t > {n(p)})",
        ]
    )
    if r.random() < 0.4:
        drag = f"<C>{n(either(r, 0, 0.3 * m / unit))}</C>"
        system = masses([r.uniform(-9, 9)], [m], [f"{n(F)}*{form}"], drag)
        return Model("pulses", body(system), T, MECHANICS, FLOWS)
    system = masses([0.05], [m], [f"{n(F)}*{form}-{n(0.2 * F)}"])
    return Model("pulses", body(system, [("w", linear_row([1.0], 0) + bouncy(r))]), T, MECHANICS, FLOWS)


def hinged_body(r):
    """A rigid body on a hinge with a spring, against stops, maybe with friction of the hinge."""
    T, L, m, a = r.uniform(1, 2), r.uniform(0.3, 1), r.uniform(0.5, 3), r.uniform(0.2, 1.2)
    at = [either(r, 0, r.uniform(-3, 3)) for _ in range(3)]
    q = [at[0] + L * math.sin(a), at[1], at[2] - L * math.cos(a), 1, 0, 0, 0]
    inertia = [m * L * L / 3, m * L * L / 3, m * L * L / 10]
    system = (
        f'<NewtonEulerDS id="s"><q0>{vector(q)}</q0><mass>{n(m)}</mass><inertia diag="{vector(inertia)}"/>'
        f"<fExt>{escape(signal(r, 2 * m, T))}, 0, {n(-9.81 * m)}</fExt></NewtonEulerDS>"
    )
    hinge = (
        f'<PivotJointR point="{vector(at)}" axis="0 1 0"><torque>-{n(r.uniform(0, 2))}*angle'
        f"-{n(r.uniform(0, 0.1))}*v_angle</torque></PivotJointR><EqualityConditionNSL/>"
    )
    limits = f'lower="{n(-r.uniform(0.2, 0.6))}" upper="{n(a + r.uniform(0, 0.5))}"'
    rows = [("hinge", hinge), ("stop", f'<JointStopR joint="hinge" {limits}/>' + bouncy(r))]
    if r.random() < 0.4:
        tau = n(r.uniform(0.05, 1) * m)
        rows.append(("rub", f'<JointFrictionR joint="hinge"/><RelayNSL lb="-{tau}" ub="{tau}"/>'))
    flows = ["<CVodeOSI/>", "<IDAOSI/>"]
    return Model("hinged-body", body(system, rows), T, MECHANICS, flows)


def ball_with_spin(r):
    """A rigid ball in space that falls on a plane somewhere, or rolls on it."""
    T, R, at = r.uniform(0.6, 1.5), r.uniform(0.05, 0.3), [either(r, 0, r.uniform(-9, 9)) for _ in range(3)]
    q = [at[0], at[1], at[2] + R + r.uniform(0, 0.3), 1, 0, 0, 0]
    v = [r.uniform(-2, 2), r.uniform(-2, 2), 0.0] + [r.uniform(-9, 9) for _ in range(3)]
    system = (
        f'<NewtonEulerDS id="s"><q0>{vector(q)}</q0><v0>{vector(v)}</v0><mass>1</mass>'
        f'<inertia diag="{vector([0.4 * R * R] * 3)}"/><fExt>0 0 -9.81</fExt></NewtonEulerDS>'
    )
    plane = (
        f"<NewtonEuler3DR><P1>x, y, z-{n(R)}</P1><P2>x, y, {n(at[2])}</P2><n>0 0 1</n></NewtonEuler3DR>"
        f'<NewtonImpactFrictionNSL en="{n(either(r, 0, r.uniform(0, 0.6)))}" mu="{n(r.uniform(0.05, 0.5))}"/>'
    )
    return Model("ball-with-spin", body(system, [("c", plane)]), T, MECHANICS, ["<CVodeOSI/>"])


def belt(r):
    """A row of masses on springs on a belt."""
    T, k, mu = r.uniform(2, 5), r.randint(1, 3), r.uniform(0.1, 0.5)
    speed, stiff = r.uniform(0.1, 0.5), r.uniform(10, 60)
    K = [[0.0] * k for _ in range(k)]
    for i in range(k):
        K[i][i] = stiff * (1 + 0.4 * (i > 0) + 0.4 * (i < k - 1))
        if i:
            K[i][i - 1] = K[i - 1][i] = -0.4 * stiff
    v = [speed * either(r, 0, 1) for _ in range(k)]
    q, force = [r.uniform(-0.1, 0.1) for _ in range(k)], [signal(r, 0.5, T) for _ in range(k)]
    F = n(mu * 9.81)
    rows = []
    for i in range(k):
        slip = f"<LagrangianRheonomousR><h>q[{i}] - {n(speed)}*t</h></LagrangianRheonomousR>"
        rows.append((f"f{i}", slip + f'<RelayNSL lb="-{F}" ub="{F}"/>'))
    system = masses(q, [1] * k, force, f"<K>{matrix(K)}</K>", v)
    return Model("belt", body(system, rows), T, MECHANICS, FLOWS)


def cradle(r):
    """Masses on springs with small gaps between them."""
    T, k, gap = r.uniform(0.5, 1.5), r.randint(2, 4), r.uniform(0.005, 0.05)
    K = [[30.0 * (i == j) for j in range(k)] for i in range(k)]
    rows = []
    for i in range(k - 1):
        H = [-1.0 * (j == i) + 1.0 * (j == i + 1) for j in range(k)]
        rows.append((f"c{i}", linear_row(H, gap) + f'<NewtonImpactNSL e="{n(r.uniform(0.2, 0.95))}"/>'))
    m = [r.uniform(0.5, 2) for _ in range(k)]
    system = masses([-0.3] + [0.0] * (k - 1), m, ["0"] * k, f"<K>{matrix(K)}</K>", [0.2] + [0.0] * (k - 1))
    return Model("cradle", body(system, rows), T, MECHANICS, FLOWS)


def moving_wall(r):
    """Its path has corners: what rests on it is struck there."""
    T = r.uniform(1, 2.5)
    f, A = r.uniform(1, 3) / T, n(r.uniform(0.05, 0.2))
    path = r.choice(
        [
            f"{A}*(abs(mod({n(f)}*t,1)-0.5)*4-1)",
            f"{A}*abs(sin({n(2 * math.pi * f)}*t))",
            f"{A}*max(0,sin({n(2 * math.pi * f)}*t))",
            f"{A}*min(1, {n(2 * f)}*t)",
        ]
    )
    more = f"<K>{n(r.uniform(2, 10))}</K><C>{n(r.uniform(0, 1))}</C>"
    system = masses([r.uniform(0.25, 0.5)], [1], [n(-r.uniform(1, 6))], more)
    gap = f"<LagrangianRheonomousR><h>q[0] - {path}</h></LagrangianRheonomousR>"
    return Model("moving-wall", body(system, [("c", gap + bouncy(r, 0.7))]), T, MECHANICS, FLOWS)


KINDS = [h_bridge, three_phase, cascade, converter, switched_capacitor, regulator, peak_detector]
KINDS += [antiparallel, relay_feedback, genes, tanks, piecewise, equations, sampled, thermostat, kicked]
KINDS += [pendulum_at_stops, double_pendulum, vibrating_table, block_on_block, backlash]
KINDS += [compliant_stack, pulses, hinged_body, ball_with_spin, belt, cradle, moving_wall]


def model(seed):
    """The model of a seed, which is the same for ever: kinds take turns."""
    r = random.Random(seed)
    return KINDS[seed % len(KINDS)](r), r
