# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models whose parts give back what they read: limited rates over mechanics and circuits, netlists that read nodes and
currents of each other and of machines.

As random_models, for seeds of their own. Systems are s, a, b, k, k2."""

import random

from mixed_models import BOTH, CVODE, body, internal
from random_models import FIRST_ORDER, FLOWS, Model, escape, number, signal
from user_models import bouncy

n = number


def limited(r):
    """A mass, maybe with a stop, driven by a command that follows it, or a state of first order, no faster than it may."""
    T = r.uniform(1, 3)
    follows = r.choice(["s.x", "s.x - 0.3*b.p", "b.p", "0.3*s.v_x", "0.5*sin(4*t) + 0.2*s.x"])
    block = (
        f'<block id="a" start="{n(r.uniform(-0.2, 0.2))}"><Limiter rate="{n(r.uniform(0.2, 1.5))}" fall="{n(r.uniform(0.2, 1.5))}">'
        f"<u>{follows}</u></Limiter></block>"
    )
    mass = (
        f'<LagrangianDS id="s" coordinates="x"><q0>{n(r.uniform(-0.4, 0.4))}</q0><v0>{n(r.uniform(-1, 1))}</v0><mass>{n(r.uniform(0.5, 2))}</mass>'
        f"{internal([f'-{n(r.uniform(4, 30))}*x - 0.2*v_x - {n(r.uniform(0.5, 3))}*a.x0'])}<fExt>{escape(signal(r, 2, T))}</fExt></LagrangianDS>"
    )
    lag = f'<FirstOrderNonLinearDS id="b" states="p"><x0>{n(r.uniform(-0.3, 0.3))}</x0><f>{n(r.uniform(0.5, 3))}*(a.x0 + s.x - p)</f></FirstOrderNonLinearDS>'
    rows = []
    if r.random() < 0.4:
        rows.append(("wall", "s", "<LagrangianLinearTIR><H>1</H><e>0.5</e></LagrangianLinearTIR>" + bouncy(r)))
    return Model("limited", body(mass + lag + block, rows), T, BOTH, CVODE)


def chain(r, c, o, diodes):
    """A source, a few nodes with what stores and what conducts, sources that read nodes and currents of the other netlist. Elements of
    both have different names, so that results show states alone as k.NAME."""
    lines = [f"V{c} n{c}0 0 {n(r.uniform(1, 4))}*sin({n(r.uniform(2, 7))}*t+{n(r.uniform(0, 1))})"]
    k = r.randint(2, 4)
    for i in range(1, k + 1):
        lines.append(f"R{c}{i} n{c}{i - 1} n{c}{i} {n(r.uniform(0.5, 2))}")
        kind = r.choice(["C", "C", "L", "D" if diodes else "C"])
        if kind == "C":
            lines.append(f"C{c}{i} n{c}{i} 0 {n(r.uniform(0.1, 0.5))} ic={n(r.uniform(-1, 1))}")
        elif kind == "L":
            lines.append(f"L{c}{i} n{c}{i} 0 {n(r.uniform(0.1, 0.5))}")
        else:
            lines.append(f"D{c}{i} n{c}{i} 0 vf={n(r.uniform(0.1, 0.8))} ron={n(r.uniform(0.2, 1))}")
    read = r.choice([f"{o}.v(n{o}1)", f"{o}.v(n{o}1,n{o}2)", f"{o}.i(R{o}1)", f"{o}.node_n{o}2.v", f"{o}.R{o}2.i"])
    lines.append(f"B{c} b{c} 0 v={n(r.uniform(-0.4, 0.4))}*{read}")
    lines.append(f"R{c}8 n{c}{k} b{c} {n(r.uniform(0.5, 2))}")
    lines.append(f"R{c}9 n{c}{k} e{c} {n(r.uniform(0.5, 2))}")
    lines.append(f"C{c}9 e{c} 0 {n(r.uniform(0.2, 0.6))}")
    return f'<netlist id="{c}">' + "\n".join(lines) + "\n</netlist>"


def netlists(r):
    """Two netlists, one circuit."""
    T, diodes = r.uniform(1, 3), r.random() < 0.7
    return Model("netlists", body(chain(r, "k", "k2", diodes) + chain(r, "k2", "k", diodes)), T, FIRST_ORDER, FLOWS)


KINDS = [limited, netlists]


def model(seed):
    """The model of a seed, which is the same for ever: kinds take turns."""
    r = random.Random(seed)
    made = KINDS[seed % len(KINDS)](r)
    made.systems = ("s", "a", "b")
    return made, r
