# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants: a circuit drives a rotor, which pulls a carriage, which meets another one; what lags behind them reads and feeds all.

Each part is written in one of several forms that are one motion: a rotor as a Lagrangian system, as a body in the plane or in space on a
hinge, or as a system of first order; a carriage also as a linear system, with a wall by its relation, by its joint or by its shape; a circuit as a
netlist or as a system of first order with complementarity; a lag as formulas, as a linear system or as a block. Formulas are in SI units,
and what they read and give is scaled to the units of a frame (invariant_models.py), whose forms are drawn by its seed."""

import math
import random

from invariant_models import Frame
from mixed_models import BOTH, CVODE
from random_models import Model, escape

ROTOR = ["lagrangian", "plane", "space", "first"]
SHOWN = ("ophi", "oi", "op", "oxb", "oxc")  # elements of <output> that all forms have
CARRIAGE = ["lagrangian", "linear", "plane", "fixed", "space", "first"]


def n(x):
    return repr(float(f"{x:.6g}"))


def signal(r, size, T, t):
    """A force or voltage of t; t is a formula."""
    a, w, p = n(size * r.uniform(0.3, 1)), n(2 * math.pi * r.uniform(1, 4) / T), n(r.uniform(0.1, 0.7) * T)
    return r.choice(
        [
            a,
            f"{a}*sin({w}*{t}+{n(r.uniform(0, 6))})",
            f"{a}*sin({w}*{t})",
            f"{a}*if({t} > {p}, 1, -0.5)",
            f"{a}*abs(sin({w}*{t}))",
            f"{a}*max(0, cos({w}*{t}))",
        ]
    )


class Plant:
    def __init__(self, seed):
        r = random.Random(seed)
        some = lambda p, a, b: r.uniform(a, b) if r.random() < p else 0.0
        self.seed, self.T = seed, r.uniform(0.6, 1.5)
        self.rotor = {"J": r.uniform(0.02, 0.1), "c": some(0.5, 0.01, 0.1), "k": some(0.5, 0.1, 2), "g": some(0.5, 0.1, 1), "phi": r.uniform(-0.5, 0.5), "w": r.uniform(-3, 3), "rub": some(0.5, 0.02, 0.3), "stop": r.random() < 0.4, "e": r.choice([0, r.uniform(0.1, 0.7)]), "reach": r.uniform(0.1, 0.8)}
        self.carriage = {name: {"m": r.uniform(0.3, 2), "c": some(0.6, 0.05, 1), "k": r.uniform(5, 40), "x": r.uniform(-0.1, 0.1), "v": r.uniform(-1, 1), "rub": some(0.4, 0.1, 1.5), "wall": r.random() < 0.4, "e": r.choice([0, r.uniform(0.1, 0.7)]), "gap": r.uniform(0.02, 0.2), "K": some(0.5, 0.1, 1)} for name in ("b", "c")[: r.randint(1, 2)]}
        self.link = {"k": r.uniform(5, 40), "R": r.uniform(0.05, 0.3)} if r.random() < 0.7 else None
        self.spring = {"k": r.uniform(5, 60), "c": some(0.5, 0.1, 1), "rest": r.uniform(0.8, 1.2)} if len(self.carriage) > 1 and r.random() < 0.7 else None
        self.circuit = {"kind": r.choice(["choke", "rectifier", "chopper", "ladder"]), "R": r.uniform(0.5, 3), "L": r.uniform(0.02, 0.3), "C": r.uniform(0.01, 0.1), "K": r.uniform(0.05, 0.5), "U": r.uniform(2, 12), "back": r.uniform(0.05, 0.5), "f": r.uniform(4, 9) / self.T, "start": r.choice([0, r.uniform(0.1, 2)])}
        self.lag = {"rate": r.uniform(1, 8), "x": r.uniform(-1, 1), "i": r.uniform(-0.3, 0.3), "w": r.uniform(-0.3, 0.3), "back": r.uniform(-1, 1), "start": r.uniform(-0.2, 0.2), "relay": some(0.3, 0.2, 1), "event": r.random() < 0.3, "control": r.random() < 0.3}
        self.signals = r.randrange(10**6)
        # as formulas write them
        for part in (self.rotor, self.link or {}, self.spring or {}, self.circuit, self.lag, *self.carriage.values()):
            part.update({name: float(n(x)) for name, x in part.items() if isinstance(x, float)})

    def has_circuit(self):
        return True

    # ---- names and units

    def prepare(self, f):
        """Forms of the parts in this frame."""
        r = random.Random(f.forms if f.forms is not None else self.seed + 77)
        first = f.forms is None
        without = r.choice([("space",), ("plane", "fixed")])  # all bodies are in the plane or all in space
        self.form = {"a": r.choice([x for x in ROTOR if x not in without and (x != "first" or not self.rotor["stop"])])}
        for name, b in self.carriage.items():
            self.form[name] = r.choice([x for x in CARRIAGE if x not in without and (x != "first" or not b["wall"]) and (x != "fixed" or not b["rub"])])
        self.form["k"] = r.choice(["netlist", "first"])
        self.form["s"] = r.choice(["formulas", "linear", "block"] if not (self.lag["relay"] or self.lag["event"] or self.lag["control"]) else ["formulas", "linear"])
        self.walls = {name: r.choice(["joint", "shape"]) for name in self.carriage}
        self.springs = r.choice(["formula", "element"])
        self.side = r.random() < 0.5
        return first

    def scaled(self, f, name, m=0, kg=0, s=0, A=0):
        unit = f.m**m * f.kg**kg * f.s**s * f.A**A
        return name if unit == 1 else f"({name}*{1 / unit!r})"

    def times(self, f, formula, m=0, kg=0, s=0, A=0):
        unit = f.m**m * f.kg**kg * f.s**s * f.A**A
        return f"({formula})" if unit == 1 else f"{unit!r}*({formula})"

    def read(self, f, p):
        """Formulas of what others read, in SI units, by name; p is the prefix of ids."""
        kinds = {"lagrangian": ("phi", "v_phi"), "first": ("phi", "w"), "plane": ("angle", "v_angle")}
        form, of = self.form["a"], {}
        if form == "space":
            of["phi"], of["w"] = f"({n(self.rotor['phi'])} - {p}ja.angle)", self.scaled(f, f"(-{p}ja.v_angle)", s=-1)
        else:
            of["phi"], of["w"] = f"{p}a.{kinds[form][0]}", self.scaled(f, f"{p}a.{kinds[form][1]}", s=-1)
        for name in self.carriage:
            shift = f.shift[0] * f.m + 0.0
            x = f"{p}{name}.x" if not shift else f"({p}{name}.x - {shift!r})"
            of["x" + name], of["v" + name] = self.scaled(f, x, m=1), self.scaled(f, f"{p}{name}.{'v' if self.form[name] == 'first' else 'v_x'}", m=1, s=-1)
        state = {"choke": ("i", "i_L1"), "chopper": ("i", "i_L1"), "rectifier": ("v", "v_C1"), "ladder": ("i", "i_L1")}[self.circuit["kind"]]
        units = {"A": 1} if state[0] == "i" else {"m": 2, "kg": 1, "s": -3, "A": -1}
        of["i"] = self.scaled(f, f"{p}k.{state[0] if self.form['k'] == 'first' else state[1]}", **units)
        of["p"] = f"{p}s" if self.form["s"] == "block" else f"{p}s.p"
        return of

    # ---- parts

    def write_rotor(self, f, p, of, r, t):
        a, form = self.rotor, self.form["a"]
        torque = [f"{n(self.circuit['K'])}*{of['i']}", f"- {n(a['c'])}*{of['w']}", f"- {n(a['k'])}*{of['phi']}", f"- {n(a['g'])}*sin({of['phi']})", f"+ {n(self.lag['back'] * 0.2)}*{of['p']}"]
        if self.link:
            torque.append(f"+ {n(self.link['k'] * self.link['R'])}*({of['xb']} - {n(self.link['R'])}*{of['phi']})")
        torque = escape(self.times(f, " ".join(torque), 2, 1, -2))
        J, rub = a["J"] * f.m**2 * f.kg, repr(a["rub"] * f.m**2 * f.kg * f.s**-2)
        lower, upper = a["phi"] - a["reach"], a["phi"] + 0.7 * a["reach"]
        w = a["w"] / f.s
        law, relay = f'<NewtonImpactNSL e="{n(a["e"])}"/>', f'<RelayNSL lb="-{rub}" ub="{rub}"/>'
        rows = []
        if form in ("lagrangian", "first"):
            torque = torque.replace(f"{p}a.", "")
        if form == "first":
            system = f'<FirstOrderNonLinearDS id="{p}a" states="phi w"><x0>{n(a["phi"])} {w!r}</x0><f>w, {torque}*{1 / J!r}</f></FirstOrderNonLinearDS>'
            if a["rub"]:
                rows.append((f"{p}ra", f"{p}a", f"<FirstOrderLinearTIR><C>0 1</C><B>0; {1 / J!r}</B></FirstOrderLinearTIR>{relay}"))
            return system, rows
        if form == "lagrangian":
            system = f'<LagrangianDS id="{p}a" coordinates="phi"><q0>{n(a["phi"])}</q0><v0>{w!r}</v0><mass>{J!r}</mass><fInt>-{torque}</fInt></LagrangianDS>'
            if a["rub"]:
                rows.append((f"{p}ra", f"{p}a", f"<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>{relay}"))
            if a["stop"]:
                rows.append((f"{p}wa", f"{p}a", f"<LagrangianLinearTIR><H>1; -1</H><e>{-lower!r} {upper!r}</e></LagrangianLinearTIR>{law}"))
            return system, rows
        # a body at an arm from its hinge; its joint counts the world as seen from it
        l, m = 0.5 * math.sqrt(a["J"]), 1.3
        at = [c * f.m + d for c, d in zip((l * math.cos(a["phi"]), l * math.sin(a["phi"]), 0), [x * f.m for x in f.shift])]
        v = [-l * math.sin(a["phi"]) * a["w"] * f.m / f.s, l * math.cos(a["phi"]) * a["w"] * f.m / f.s, 0.0]
        hinge = [x * f.m for x in f.shift]
        inertia = J - m * l * l * f.m**2 * f.kg
        mass = repr(m * f.kg)
        own = torque.replace(f"{p}ja.", "") if form == "space" else torque
        if form == "plane":
            system = f'<RigidBody2dDS id="{p}a"><q0>{at[0]!r} {at[1]!r} {n(a["phi"])}</q0><v0>{v[0]!r} {v[1]!r} {w!r}</v0><mass>{mass}</mass><inertia>{inertia!r}</inertia><mInt>-{torque.replace(f"{p}a.", "")}</mInt></RigidBody2dDS>'
            joint = f'<PivotJointR point="{hinge[0]!r} {hinge[1]!r}"/>'
        else:
            c, s = math.cos(a["phi"] / 2), math.sin(a["phi"] / 2)
            system = f'<NewtonEulerDS id="{p}a"><q0>{at[0]!r} {at[1]!r} {at[2]!r} {c!r} 0 0 {s!r}</q0><v0>{v[0]!r} {v[1]!r} 0 0 0 {w!r}</v0><mass>{mass}</mass><inertia diag="{J!r} {J!r} {inertia!r}"/></NewtonEulerDS>'
            joint = f'<PivotJointR point="{hinge[0]!r} {hinge[1]!r} {hinge[2]!r}" axis="0 0 1"><torque>-{own}</torque></PivotJointR>'
        rows.append((f"{p}ja", f"{p}a", joint + "<EqualityConditionNSL/>"))
        if a["rub"]:
            rows.append((f"{p}ra", "", f'<JointFrictionR joint="{p}ja"/>{relay}'))
        if a["stop"]:
            rows.append((f"{p}wa", "", f'<JointStopR joint="{p}ja" lower="{a["phi"] - upper!r}" upper="{a["phi"] - lower!r}"/>{law}'))
        return system, rows

    def write_carriage(self, f, p, of, name, r, t):
        b, form = self.carriage[name], self.form[name]
        home = 0.0 if name == "b" else 1.0
        x, v = of["x" + name], of["v" + name]
        rest = [signal(r, 6 * b["m"], self.T, t), f"+ {n(b['K'])}*{of['i']}", f"+ {n(self.lag['back'])}*{of['p']}"]
        if self.link and name == "b":
            rest.append(f"- {n(self.link['k'])}*({x} - {n(self.link['R'])}*{of['phi']})")
        if self.spring and not self.by_element():
            sign = "+" if name == "b" else "-"
            k = self.spring
            rest.append(f"{sign} ({n(k['k'])}*({of['xc']} - {of['xb']} - {n(k['rest'])}) + {n(k['c'])}*({of['vc']} - {of['vb']}))")
        own = f"- {n(b['c'])}*{v} - {n(b['k'])}*({x} - {n(home)})"
        force = escape(self.times(f, " ".join(rest) + (" " + own if form != "linear" else ""), 1, 1, -2))
        m, rub = repr(b["m"] * f.kg), repr(b["rub"] * f.m * f.kg * f.s**-2)
        shift = [s * f.m for s in f.shift]
        q, speed = (home + b["x"]) * f.m + shift[0], b["v"] * f.m / f.s
        wall = (home + b["x"] - b["gap"]) * f.m + shift[0]  # left of it
        law, relay = f'<NewtonImpactNSL e="{n(b["e"])}"/>', f'<RelayNSL lb="-{rub}" ub="{rub}"/>'
        inner = force.replace(f"{p}{name}.", "")
        rows, shape, ground = [], "", ""
        if form == "first":
            system = f'<FirstOrderNonLinearDS id="{p}{name}" states="x v"><x0>{q!r} {speed!r}</x0><f>v, {inner}/{m}</f></FirstOrderNonLinearDS>'
            if b["rub"]:
                rows.append((f"{p}r{name}", f"{p}{name}", f"<FirstOrderLinearTIR><C>0 1</C><B>0; 1/{m}</B></FirstOrderLinearTIR>{relay}"))
            return system, rows, ""
        if form in ("lagrangian", "linear"):
            if form == "linear":
                K, C = b["k"] * f.kg * f.s**-2, b["c"] * f.kg / f.s
                # what it does to itself is internal, what others do is not
                if self.link and name == "b":
                    K += self.link["k"] * f.kg * f.s**-2
                    force = force.replace(f"({x} - ", f"({n(home)} - ", 1)
                if self.spring and not self.by_element():
                    K += self.spring["k"] * f.kg * f.s**-2
                    C += self.spring["c"] * f.kg / f.s
                    if name == "b":
                        force = force.replace(f"- {of['xb']} - {n(self.spring['rest'])}", f"- {n(home)} - {n(self.spring['rest'])}").replace(f"({of['vc']} - {of['vb']})", f"({of['vc']})")
                    else:
                        force = force.replace(f"({of['xc']} - {of['xb']} - ", f"({n(home)} - {of['xb']} - ").replace(f"({of['vc']} - {of['vb']})", f"(0 - {of['vb']})")
                fixed = K * (home * f.m + shift[0])
                system = f'<LagrangianLinearTIDS id="{p}{name}" coordinates="x"><q0>{q!r}</q0><v0>{speed!r}</v0><mass>{m}</mass><K>{K!r}</K><C>{C!r}</C><fExt>{fixed!r} + {force}</fExt></LagrangianLinearTIDS>'
            else:
                system = f'<LagrangianDS id="{p}{name}" coordinates="x"><q0>{q!r}</q0><v0>{speed!r}</v0><mass>{m}</mass><fInt>-{inner}</fInt></LagrangianDS>'
            if b["rub"]:
                if self.side and self.form["s"] != "block" and not b["wall"]:
                    relation = f"<FirstOrderNonLinearR><h>{p}{name}.v_x</h><g>lambda[0], 0</g></FirstOrderNonLinearR>"
                    rows.append((f"{p}r{name}", f"{p}{name} {p}s", relation + relay))
                else:
                    rows.append((f"{p}r{name}", f"{p}{name}", "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" + relay))
            if b["wall"]:
                rows.append((f"{p}w{name}", f"{p}{name}", f"<LagrangianLinearTIR><H>1</H><e>{-wall!r}</e></LagrangianLinearTIR>{law}"))
            return system, rows, ""
        by_shape, radius = b["wall"] and self.walls[name] == "shape", 0.05 * f.m
        layer = f'layers="{p}{name}" with="{p}{name}"'
        at = f"{wall - radius!r} {shift[1]!r}"
        if form == "space":
            shape = f'<Sphere radius="{radius!r}" {layer}/>' if by_shape else ""
            ground = f'<Plane at="{at} {shift[2]!r}" normal="1 0 0" {layer}/>' if by_shape else ""
            system = f'<NewtonEulerDS id="{p}{name}"><q0>{q!r} {shift[1]!r} {shift[2]!r} 1 0 0 0</q0><v0>{speed!r} 0 0 0 0 0</v0><mass>{m}</mass><inertia diag="1 1 1"/><fInt>-{inner}, 0, 0</fInt>{shape}</NewtonEulerDS>'
            joint = '<PrismaticJointR axis="1 0 0"/>'
        else:
            shape = f'<Disk radius="{radius!r}" {layer}/>' if by_shape else ""
            ground = f'<HalfPlane at="{at}" normal="1 0" {layer}/>' if by_shape else ""
            fixed = '<fixed coordinates="y angle"/>' if form == "fixed" else ""
            system = f'<RigidBody2dDS id="{p}{name}"><q0>{q!r} {shift[1]!r} 0</q0><v0>{speed!r} 0 0</v0><mass>{m}</mass><inertia>1</inertia><fInt>-{inner}, 0</fInt>{fixed}{shape}</RigidBody2dDS>'
            joint = '<PrismaticJointR axis="1 0"/>'
        if form != "fixed":
            rows.append((f"{p}j{name}", f"{p}{name}", joint + "<EqualityConditionNSL/>"))
        if b["rub"]:
            rows.append((f"{p}r{name}", "", f'<JointFrictionR joint="{p}j{name}"/>{relay}'))
        if b["wall"] and not by_shape:
            if form == "fixed":
                rows.append((f"{p}w{name}", f"{p}{name}", f"<NewtonEuler1DR><P1>x y 0</P1><P2>{wall!r} y 0</P2><n>1 0 0</n></NewtonEuler1DR>{law}"))
            else:
                rows.append((f"{p}w{name}", "", f'<JointStopR joint="{p}j{name}" upper="{q - wall!r}"/>{law}'))
        return system, rows, ground and (law, ground)

    def by_element(self):
        """A spring as an element needs two bodies of a kind."""
        kinds = {"plane": 2, "fixed": 2, "space": 3}
        one, other = (kinds.get(self.form[name]) for name in ("b", "c"))
        return self.springs == "element" and one is not None and one == other

    def write_spring(self, f, p):
        k = self.spring
        return f'<spring id="{p}F" systems="{p}b {p}c" stiffness="{k["k"] * f.kg * f.s**-2!r}" damping="{k["c"] * f.kg / f.s!r}" restLength="{k["rest"] * f.m!r}"/>'

    def write_circuit(self, f, p, of, r, t):
        c, kind = self.circuit, self.circuit["kind"]
        volt = lambda formula: escape(self.times(f, formula, 2, 1, -3, -1))
        ohm = c["R"] * f.m**2 * f.kg * f.s**-3 * f.A**-2
        henry, farad = c["L"] * f.m**2 * f.kg * f.s**-2 * f.A**-2, c["C"] * f.m**-2 * f.kg**-1 * f.s**4 * f.A**2
        source = signal(r, c["U"], self.T, t) + f" + {n(self.lag['back'])}*{of['p']}"
        emf, gate = f"{n(c['back'])}*{of['w']}", f"0.5 - mod({n(c['f'])}*{t}, 1)"
        of_row = f"{p}k"
        ampere, start = c["start"] * f.A, c["start"] * f.m**2 * f.kg * f.s**-3 / f.A
        R, L, C = (repr(x) for x in (ohm, henry, farad))
        if kind == "choke":
            lines = [f"V1 s 0 {volt(source)}", "D1 s d", f"R1 d e {R}", f"L1 e g {L} ic={ampere!r}", f"V2 g 0 {volt(emf)}"]
            first = f'states="i"><x0>{ampere!r}</x0><f>({volt(f"{source} - {emf}")} - {R}*i)/{L}</f>'
            row = f"<FirstOrderLinearTIR><C>1</C><B>1/{L}</B></FirstOrderLinearTIR>"
        elif kind == "chopper":
            on = f"if({gate} > 0, {n(c['U'])}, 0)"
            lines = [f"V1 s 0 {volt(n(c['U']))}", f"S1 s d {escape(gate)}", "D1 0 d", f"R1 d e {R}", f"L1 e 0 {L} ic={ampere!r}"]
            first = f'states="i"><x0>{ampere!r}</x0><f>({volt(on)} - {R}*i)/{L}</f>'
            row = ""
        elif kind == "rectifier":
            lines = [f"V1 s 0 {volt(f'{source} - {emf}')}", f"R1 s d {R}", "D1 d o", f"C1 o 0 {C} ic={start!r}", f"R2 o 0 {4 * ohm!r}"]
            first = f'states="v"><x0>{start!r}</x0><f>-v/({C}*{4 * ohm!r})</f>'
            # states of first order that a relation reads are of its systems
            others = [x for x in ("s", "a") if x == "s" or self.form["a"] == "first"]
            more = "".join(", 0" * (2 if x == "a" else 1) for x in others)
            of_row = " ".join(f"{p}{x}" for x in ["k"] + others)
            voltage = volt(f"{source} - {emf}").replace(f"*{p}s ", f"*{p}s.x0 ")
            row = f"<FirstOrderNonLinearR><h>{p}k.v - {voltage} + {R}*lambda[0]</h><g>lambda[0]/{C}{more}</g></FirstOrderNonLinearR>"
        else:
            lines = [f"V1 s 0 {volt(f'{source} - {emf}')}", f"R1 s a {R}", f"C1 a 0 {C} ic={start!r}", f"L1 a b {L} ic={ampere!r}", "D1 0 b", f"R2 b 0 {2 * ohm!r}"]
            # the diode conducts where i < 0: its current, no voltage at b
            first = f'states="v i"><x0>{start!r} {ampere!r}</x0><f>(({volt(f"{source} - {emf}")} - v)/{R} - i)/{C}, (v - {2 * ohm!r}*max(i, 0))/{L}</f>'
            row = ""
        if self.form["k"] == "netlist":
            return f'<netlist id="{p}k">\n' + "\n".join(lines) + "\n</netlist>", []
        return f'<FirstOrderNonLinearDS id="{p}k" {first}</FirstOrderNonLinearDS>', [(f"{p}d", of_row, row + "<ComplementarityConditionNSL/>")] if row else []

    def write_lag(self, f, p, of):
        s = self.lag
        reads = f"{n(s['x'])}*{of['xb']} + {n(s['i'])}*{of['i']} + {n(s['w'])}*{of['w']}"
        rate, rows = s["rate"] / f.s, []
        inputs = [name for name in ("on", "u") if s["event" if name == "on" else "control"]]
        reads += "".join(f" + {p}s.{name}" for name in inputs)
        reads = reads.replace(f"{p}s.", "")
        words = (f' inputs="{" ".join(inputs)}"' if inputs else "") + f"><x0>{n(s['start'])}</x0>"
        if self.form["s"] == "block":
            return f'<block id="{p}s"><StateSpace><A>{-rate!r}</A><B>{rate!r}</B><C>1</C><x0>{n(s["start"])}</x0><u>{escape(reads)}</u></StateSpace></block>', rows
        if self.form["s"] == "formulas":
            system = f'<FirstOrderNonLinearDS id="{p}s" states="p"{words}<f>{rate!r}*({escape(reads)} - p)</f></FirstOrderNonLinearDS>'
        else:
            system = f'<FirstOrderLinearDS id="{p}s" states="p"{words}<A>{-rate!r}</A><b>{rate!r}*({escape(reads)})</b></FirstOrderLinearDS>'
        if s["relay"]:
            rows.append((f"{p}rs", f"{p}s", f'<FirstOrderLinearTIR><C>1</C><B>{s["relay"] * rate!r}</B><e>-0.05</e></FirstOrderLinearTIR><RelayNSL/>'))
        return system, rows

    # ---- the model

    def names(self, f):
        return [f.name] if f.copies == 1 else [f"{f.name}c{k}_" for k in range(f.copies)]

    def text(self, f, simulation):
        self.prepare(f)
        t = self.scaled(f, f.time(), s=1)
        systems, rows, forces, observed, events, controls, grounds = [], [], [], [], [], [], []
        for p in self.names(f):
            of, r = self.read(f, p), random.Random(self.signals)
            parts = [self.write_circuit(f, p, of, r, t), self.write_rotor(f, p, of, r, t), self.write_lag(f, p, of)]
            for name in self.carriage:
                system, more, ground = self.write_carriage(f, p, of, name, r, t)
                parts.append((system, more))
                grounds += [ground] if ground else []
            for system, more in parts:
                systems.append(system)
                rows += more
            if self.spring and self.by_element():
                forces.append(self.write_spring(f, p))
            names = ["phi", "i", "p"] + ["x" + name for name in self.carriage]
            observed += [f'<observe id="{p}o{name}">{escape(of[name])}</observe>' for name in names]
            if self.lag["event"]:
                b = self.carriage["b"]["x"]
                events.append(f'<event id="{p}E" when="{escape(of["xb"])} &gt; {n(b + 0.03)}" direction="both"><set name="{p}s.on" value="0.5 - {p}s.on"/></event>')
            if self.lag["control"]:
                command = escape(f"0.5*(0.2 - {of['xb']}) - 0.1*p")
                controls.append(f'<control id="{p}C" systems="{p}s" period="{self.T * f.s / 25!r}" writes="u"><update>{command}</update></control>')
        if f.order is not None:
            random.Random(f.order).shuffle(systems)
            random.Random(f.order + 1).shuffle(rows)
        interactions = "".join(f'<interaction id="{i}"' + (f' systems="{of}"' if of else "") + f">{parts}</interaction>\n" for i, of, parts in rows) + "".join(forces)
        body = "<systems>" + "\n".join(systems) + "</systems>" + (f"<interactions>{interactions}</interactions>" if interactions else "")
        for law, ground in grounds[:1]:
            body += f"<contacts>{law}{''.join(g for _, g in grounds)}</contacts>"
        body += f"<controls>{''.join(controls)}</controls>" if controls else ""
        rest = f"<output>{''.join(observed)}</output>" + (f"<events>{''.join(events)}</events>" if events else "")
        T = self.T * f.s
        return f'<model xmlns="urn:nssim:model:1" name="plant">{body}<simulation t0="{f.t0!r}" T="{f.t0 + T!r}">{simulation(f, T)}</simulation>{rest}</model>\n'

    def states(self, f, row):
        found = {}
        for k, p in enumerate(self.names(f)):
            for name in ["phi", "i", "p"] + ["x" + b for b in self.carriage]:
                found[k, name] = row[f"{p}o{name}.value"]
        return found


def frames(seed):
    """Ways to write a plant, by name."""
    r = random.Random(seed)
    return {
        "in other forms": Frame(forms=r.randrange(10**6)), "in further forms": Frame(forms=r.randrange(10**6)), "moved": Frame(shift=(300.0, -70.0, 30.0)),
        "mm, g, ms": Frame(m=1e3, kg=1e3, s=1e3), "mm, mA": Frame(m=1e3, A=1e3), "km, kA": Frame(m=1e-3, A=1e-3), "in another order": Frame(order=r.randrange(10**6)),
        "with other names": Frame(name=r.choice(["Zz", "a0", "q_"])), "later": Frame(t0=7.3), "twice": Frame(copies=2), "twice, in other forms": Frame(copies=2, forms=r.randrange(10**6)),
    }  # fmt: skip


class Drawn(Model):
    """A plant for run-differential: event by event in other forms than by steps."""

    def __init__(self, seed):
        self.plant = Plant(seed)
        T = self.plant.T
        super().__init__("plant", "", T, BOTH, CVODE)
        self.forms = random.Random(seed).randrange(10**6)
        self.T, self.systems = T, SHOWN

    def text(self, simulation):
        frame = Frame(forms=self.forms if "EventDriven" in simulation else None)
        return self.plant.text(frame, lambda f, T: simulation)


def model(seed):
    made = Drawn(seed)
    return made, random.Random(seed + 1)
