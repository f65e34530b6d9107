# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models whose coordinates, states and rows have units of their own, each between 1e-6 and 1e6 of those of SI.

Levers: coordinates on springs, some of them angles, with dry friction across combinations of them and stops; and the same with
a contact with friction. Genes: states that are produced where others are beyond thresholds. Pushed: levers moved by the first of two
such states. Circuits: rectifiers with currents of pA beside such with kA in one netlist.

model(kind, seed, far) is the text around a simulation, and what to divide the states by; far = 0: all units are 1. The motion is the
same but for rounding."""

import random

KINDS = ("levers", "contacts", "genes", "circuits", "pushed")


class Units:
    """Units of a model: powers of ten by name, the same for a name whenever it is asked for; far: how far from 1."""

    def __init__(self, seed, far):
        self.seed, self.far = seed, far

    def __getitem__(self, name):
        return 10.0 ** (self.far * random.Random(f"{self.seed} {name}").uniform(-1, 1))


def number(x):
    return repr(float(x))


def matrix(rows):
    return "; ".join(" ".join(number(x) for x in row) for row in rows)


def mechanics(r, u, pushed=None, contacts=0):
    """System L of n coordinates. q_i = c_i y_i, a second of it is s, a joule E, and row j is
    scaled by d_j."""
    n = r.randint(2, 4)
    c = [u[f"c{i}"] for i in range(n)]
    E, s = u["E"], u["s"] ** 0.5
    A = [[r.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    M = [[sum(A[k][i] * A[k][j] for k in range(n)) * 0.3 + (i == j) for j in range(n)] for i in range(n)]
    force = []
    for i in range(n):
        k, damp, push, w, p = r.uniform(2, 30), r.uniform(0, 0.5), r.uniform(1, 6), r.uniform(2, 9), r.uniform(0, 6)
        x, v, unit = f"({number(c[i])}*y{i})", f"({number(c[i] * s)}*v_y{i})", number(E * c[i])
        f = f"{number(k)}*{x}+{number(damp)}*{v}-{number(push)}*sin({number(w)}*{number(1 / s)}*t+{number(p)})"
        if pushed and i == 0:
            f += f"-{pushed}"
        force.append(f"{unit}*({f})")
    names = " ".join(f"y{i}" for i in range(n))
    q0 = " ".join(number(r.uniform(-0.2, 0.2) / c[i]) for i in range(n))
    mass = matrix([[E * s * s * c[i] * c[j] * M[i][j] for j in range(n)] for i in range(n)])
    system = f"<LagrangianDS id='L' coordinates='{names}'><q0>{q0}</q0><mass>{mass}</mass><fInt>{', '.join(force)}</fInt></LagrangianDS>"
    rows = []
    for j in range(r.randint(1, n)):
        H = [r.uniform(-1, 1) * (r.random() < 0.7) for _ in range(n)]
        H[j % n] = 1.0
        d, b = u[f"d{j}"], r.uniform(0.2, 3)
        bounds = [number(-E / d * b), number(E / d * b * r.uniform(0.5, 1))]
        rows.append(
            f"<interaction id='r{j}' systems='L'><LagrangianLinearTIR><H>{' '.join(number(d * H[i] * c[i]) for i in range(n))}</H>"
            f"</LagrangianLinearTIR><RelayNSL lb='{bounds[0]}' ub='{bounds[1]}'/></interaction>"
        )
    for j in range(r.randint(0, 2)):
        i, d, sign = r.randrange(n), u[f"stop{j}"], r.choice([-1, 1])
        H = [number(sign * d * c[i] * (k == i)) for k in range(n)]
        rows.append(
            f"<interaction id='s{j}' systems='L'><LagrangianLinearTIR><H>{' '.join(H)}</H><e>{number(d * r.uniform(0.25, 0.5))}</e>"
            f"</LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction>"
        )
    for j in range(contacts):
        d = u[f"contact{j}"]
        H = [[d * c[i] * r.uniform(-1, 1) for i in range(n)] for _ in range(2)]
        rows.append(
            f"<interaction id='f{j}' systems='L'><LagrangianLinearTIR><H>{matrix(H)}</H><e>{number(d * r.uniform(0.1, 0.4))} 0</e>"
            f"</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' et='0' mu='{number(r.uniform(0.1, 0.6))}' size='2'/></interaction>"
        )
    return system, rows, {f"L.y{i}": 1 / c[i] for i in range(n)}, s


def levers(r, u):
    system, rows, states, s = mechanics(r, u)
    return [system], rows, states, s


def contacts(r, u):
    system, rows, states, s = mechanics(r, u, contacts=1)
    return [system], rows, states, s


def genes(r, u, n=None):
    """x_i' = production_i(lambda) - decay_i x_i; x_i = g_i y_i."""
    n, s = n or r.randint(2, 4), u["s"] ** 0.5
    c = [u[f"g{i}"] for i in range(n)]
    x0, f, rows = [], [], []
    for i in range(n):
        x0.append(number(r.uniform(0, 1) / c[i]))
        f.append(f"{number(r.uniform(0.2, 1) / s / c[i])}-{number(r.uniform(0.5, 2) / s)}*y{i}")
        C = [0.0] * n
        C[i], d, B = -1.0, u[f"h{i}"], [r.uniform(-0.2, 0.2) for _ in range(n)]
        B[i] = -r.uniform(0.7, 3)
        # y = d (threshold - x_j), lambda = +-E
        E = u[f"F{i}"]
        rows.append(
            f"<interaction id='g{i}' systems='G'><FirstOrderLinearTIR><C>{' '.join(number(d * C[k] * c[k]) for k in range(n))}</C>"
            f"<e>{number(d * r.uniform(0.2, 0.9))}</e><B>{'; '.join(number(B[k] / E / s / c[k]) for k in range(n))}</B></FirstOrderLinearTIR>"
            f"<RelayNSL lb='{number(-E * r.uniform(0.5, 1))}' ub='{number(E)}'/></interaction>"
        )
    system = f"<FirstOrderNonLinearDS id='G' states='{' '.join(f'y{i}' for i in range(n))}'><x0>{' '.join(x0)}</x0><f>{', '.join(f)}</f></FirstOrderNonLinearDS>"
    return [system], rows, {f"G.y{i}": 1 / c[i] for i in range(n)}, s


def circuits(r, u):
    """Rectifiers of volts V and amperes A of their own, 1e-3 to 1e3 and 1e-12 to 1e3, one ground."""
    s, cards, states = u["s"] ** 0.5, [], {}
    for k in range(r.randint(2, 4)):
        V, A = u[f"V{k}"] ** 0.5, u[f"A{k}"] ** 1.25 * 10.0 ** (-0.75 * u.far)
        ohm = V / A
        shape, w = r.choice(["half", "bridge", "clamp", "zener"]), r.uniform(2, 9)
        cards.append(f"V{k} a{k} 0 SIN(0 {number(V * r.uniform(1, 3))} {number(w / 6.283185307179586 / s)})")
        cards.append(f"Rs{k} a{k} b{k} {number(ohm * r.uniform(0.05, 0.5))}")
        R, C = number(ohm * r.uniform(1, 9)), number(s / ohm * r.uniform(0.05, 0.6))
        if shape == "half":
            cards += [f"D{k}a b{k} c{k}", f"R{k} c{k} 0 {R}", f"C{k} c{k} 0 {C} IC=0"]
        elif shape == "bridge":
            cards += [f"D{k}a b{k} c{k}", f"D{k}b 0 c{k}", f"D{k}c d{k} b{k}", f"D{k}d d{k} 0", f"R{k} c{k} d{k} {R}", f"C{k} c{k} d{k} {C} IC=0"]
        elif shape == "clamp":
            cards += [f"C{k} b{k} c{k} {C} IC=0", f"D{k}a 0 c{k}", f"R{k} c{k} 0 {R}"]
        else:
            cards += [f"D{k}a b{k} c{k}", f"R{k} c{k} 0 {R}", f"D{k}b c{k} e{k}", f"Ve{k} e{k} 0 {number(V * 0.6)}", f"C{k} c{k} 0 {C} IC=0"]
        states[f"N.v_C{k}"] = V
    net = "\n".join(cards)
    return [f"<netlist id='N'>\n{net}\n</netlist>"], [], states, s


def pushed(r, u):
    genes_, rows, states, s = genes(r, u, 2)
    lever, more, others, _ = mechanics(r, u, f"{number(1 / states['G.y0'])}*G.y0")
    return [*genes_, lever], [*rows, *more], {**states, **others}, s


def model(kind, seed, far):
    """Text with %s for the simulation, units of states by name, unit of time."""
    systems, rows, states, s = globals()[kind](random.Random(f"{kind} {seed}"), Units(f"{kind} {seed}", far))
    listed = f"<interactions>{''.join(rows)}</interactions>" if rows else ""
    return f"<model xmlns='urn:nssim:model:1' name='m'><systems>{''.join(systems)}</systems>{listed}%s</model>", states, s
