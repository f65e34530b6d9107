# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms of slides, hinges and cylindrical joints, in space and in the plane, that are linear in the coordinates of their joints.

Slides follow each other along any axes, hinges on one axis; joints have springs, dampers, motors, forces by formulas, stops and dry friction
whose bounds are not symmetric, couplers and tendons over them. Time-stepping has a Lagrangian system in these coordinates, event by event
they are bodies: two ways to write one motion. As random_models, for seeds of their own."""

import math
import random
import re

from mixed_models import CVODE
from random_models import MECHANICS, Model, escape, signal

SIGNS = [-1, 1]


def n(x):
    return f"{x:.15g}"


def text(v):
    return " ".join(map(n, v))


def unit(r, size):
    v = [r.gauss(0, 1) for _ in range(size)]
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def third_axis(q):
    w, x, y, z = q
    return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]


class Coordinate:
    """Of a joint: `kind` slide or angle, `size` its inertia, `sign` of the coordinate relative to the motion of the later body."""

    def __init__(self, name, joint, kind, axis, size, sign, length):
        self.name, self.joint, self.kind, self.axis, self.size, self.sign = name, joint, kind, axis, size, sign
        self.unit = length if kind == "slide" else 1.0
        self.force, self.at, self.rate = [], 0.0, 0.0

    def formula(self, f):
        """A formula of its coordinate X and rate V, as the joint and as the Lagrangian system write it."""
        return f.replace("X", self.kind).replace("V", "v_" + self.kind), f.replace("X", self.name).replace("V", "v_" + self.name)


class Mechanism:
    def __init__(self, r):
        self.r, self.plane, self.T = r, r.random() < 0.4, r.uniform(0.6, 2)
        self.size = 2 if self.plane else 3
        self.length = r.choice([1, 1, 1, 1e3, 1e-3])
        self.g = [r.uniform(-6, 6) * self.length for _ in range(self.size)]
        self.far = r.choice([0, 0, 10, 300]) * self.length
        self.coordinates, self.mass, self.bodies, self.joints, self.rows, self.linear, self.tendons = [], {}, "", [], "", "", ""
        for _ in range(r.randint(1, 3)):
            self.train(r.choice(["slide", "slide", "angle"] + ([] if self.plane else ["both"])))
        for joint in self.joints:
            self.drive(joint)
        for c in self.coordinates:
            c.at, c.rate = r.choice([0, r.uniform(-0.3, 0.3) * c.unit]), r.choice([0, r.uniform(-1, 1) * c.unit])
        if len(self.coordinates) > 1 and r.random() < 0.4:
            self.couple()
        if r.random() < 0.4:
            self.tendon()
        for c in self.coordinates:
            self.limit(c)
        if 'ub="inf"' in self.rows:  # a freewheel does not let a stop throw it back: their laws would contradict each other
            self.rows, self.linear = (re.sub(r'NewtonImpactNSL e="[^"]*"', 'NewtonImpactNSL e="0"', rows) for rows in (self.rows, self.linear))

    # ---- bodies and joints

    def train(self, kind):
        """Bodies one after the other, from the world."""
        r, before, turn = self.r, None, unit(self.r, 4)
        at = [r.uniform(-1, 1) * self.length + self.far * r.uniform(-1, 1) for _ in range(self.size)]
        mine = []
        for _ in range(1 if kind == "both" else r.randint(1, 3)):
            name, m = f"b{len(self.joints)}", 10 ** r.uniform(-0.7, 0.7)
            J = m * 10 ** r.uniform(-2, -0.5) * self.length**2
            if kind == "slide":
                at, turn = [x + r.uniform(-1, 1) * self.length for x in at], unit(r, 4)
            axis = unit(r, self.size) if kind == "slide" or self.plane else third_axis(turn)
            force = ", ".join(n(m * x) for x in self.g)
            if self.plane:
                self.bodies += f'<RigidBody2dDS id="{name}"><q0>{text(at)} {n(r.uniform(-3, 3))}</q0><mass>{n(m)}</mass><inertia>{n(J)}</inertia><fExt>{force}</fExt></RigidBody2dDS>\n'
            else:
                across = n(J * r.uniform(0.6, 3))
                self.bodies += f'<NewtonEulerDS id="{name}"><q0>{text(at)} {text(turn)}</q0><mass>{n(m)}</mass><inertia diag="{across} {across} {n(J)}"/><fExt>{force}</fExt></NewtonEulerDS>\n'
            sign = r.choice(SIGNS) if before else -1
            systems = name if not before else f"{before} {name}" if sign > 0 else f"{name} {before}"
            new = [Coordinate(f"c{len(self.coordinates) + i}", f"j{len(self.joints)}", k, axis, m if k == "slide" else J, sign, self.length) for i, k in enumerate({"both": ["angle", "slide"]}.get(kind, [kind]))]
            self.joints.append({"kind": kind, "systems": systems, "at": at, "axis": axis, "coordinates": new})
            self.coordinates += new
            mine += new
            for a in mine:
                if a.kind == "slide":
                    a.force.append(n(a.sign * m * dot(a.axis, self.g)))
                for b in mine:
                    if a.kind == b.kind:
                        w = m * dot(a.axis, b.axis) if a.kind == "slide" else J
                        self.mass[a, b] = self.mass.get((a, b), 0) + a.sign * b.sign * w
            before = name

    def drive(self, joint):
        """Springs, dampers, inertia, forces and a motor of the coordinates of a joint."""
        r, given, inside = self.r, {}, ""
        for c in joint["coordinates"]:
            stiffness, damping = r.choice([0, r.uniform(1, 60) * c.size]), r.choice([0, r.uniform(0, 2) * c.size])
            rest, armature = r.choice([0, r.uniform(-0.5, 0.5) * c.unit]) if stiffness else 0, r.choice([0, 0, r.uniform(0.1, 2) * c.size])
            for name, x in (("stiffness", stiffness), ("damping", damping), ("rest", rest), ("armature", armature)):
                given.setdefault(name, []).append(x)
            c.force.append(c.formula(f"-{n(stiffness)}*(X-({n(rest)}))-{n(damping)}*V")[1])
            self.mass[c, c] += armature
            if r.random() < 0.5:
                u, s = n(c.unit), c.size * c.unit
                more = r.choice(["", f"-{n(10 * s)}*sin(X/{u})", f"-{n(c.size / c.unit)}*V*abs(V)", f"-{n(20 * s)}*(X/{u})^3"])
                mine, other = c.formula(signal(r, 3 * s, self.T) + more)
                element = "force" if c.kind == "slide" else "torque"
                inside += f"<{element}>{escape(mine)}</{element}>"
                c.force.append(other)
            if r.random() < 0.35 and "<motor" not in inside:
                inside += self.motor(c, f' coordinate="{c.kind}"' if joint["kind"] == "both" else "")
        joint["given"] = "".join(f' {name}="{text(x)}"' for name, x in given.items() if any(x))
        joint["inside"] = inside

    def motor(self, c, more):
        r, s = self.r, c.size * c.unit
        gear, command, limit = r.choice([1, r.uniform(-3, 3)]), r.choice(["position", "velocity", "torque"]), r.choice([None, r.uniform(1, 6) * s])
        kp, kv = r.uniform(5, 50) * c.size, r.uniform(0.5, 4) * c.size
        u = signal(r, {"position": 0.5 * c.unit, "velocity": 1.5 * c.unit, "torque": 4 * s}[command], self.T)
        f = {"position": f"({n(kp)}*(({u})-({n(gear)})*X)-{n(kv)}*({n(gear)})*V)", "velocity": f"({n(kv)}*(({u})-({n(gear)})*V))", "torque": f"({u})"}[command]
        more += f' gear="{n(gear)}" command="{command}"' + (f' kv="{n(kv)}"' if command != "torque" else "") + (f' kp="{n(kp)}"' if command == "position" else "")
        if r.random() < 0.3:
            stall, most = r.uniform(2, 8) * s, r.uniform(1, 5) * c.unit
            more += f' stall="{n(stall)}" noLoad="{n(most)}"'
            speed = f"(({n(gear)})*V/{n(most)})"
            f = f"max(-{n(stall)}*(1+{speed}),min({n(stall)}*(1-{speed}),{f}))"
        if limit:
            more += f' limit="{n(limit)}"'
            f = f"sat({f},-{n(limit)},{n(limit)})"
        c.force.append(f"({n(gear)})*" + c.formula(f)[1])
        return f"<motor{more}>{escape(u)}</motor>"

    # ---- rows: of the joints, and the same of the Lagrangian system

    def row(self, relation, law, *linear):
        """linear: coefficients by coordinate and a constant, one for each row of the relation."""
        k = self.rows.count("<interaction ")
        self.rows += f'<interaction id="r{k}"><{relation}/><{law}/></interaction>\n'
        for i, (of, constant) in enumerate(linear):
            H = text(of.get(c, 0) for c in self.coordinates)
            self.linear += f'<interaction id="r{k}-{i}" systems="L"><LagrangianLinearTIR><H>{H}</H><e>{n(constant)}</e></LagrangianLinearTIR><{law}/></interaction>\n'

    def couple(self):
        r = self.r
        a, b = r.sample(self.coordinates, 2)
        ratio = r.choice(SIGNS) * r.uniform(0.3, 3) * b.unit / a.unit
        offset = r.choice([0, b.at - ratio * a.at])
        b.at, b.rate = ratio * a.at + offset, ratio * a.rate
        self.row(f'CouplerJointR joints="{a.joint} {b.joint}" coordinates="{a.kind} {b.kind}" ratio="{n(ratio)}" offset="{n(offset)}"', "EqualityConditionNSL", ({b: 1, a: -ratio}, -offset))

    def tendon(self):
        r = self.r
        over = r.sample(self.joints, r.randint(1, min(3, len(self.joints))))
        of = {c: r.choice(SIGNS) * r.uniform(0.2, 1.5) / c.unit for c in (r.choice(j["coordinates"]) for j in over)}
        size = min(c.size * c.unit**2 for c in of)
        length = sum(k * c.at for c, k in of.items())
        head = f'<tendon id="cord" joints="{" ".join(c.joint for c in of)}" coefficients="{text(of.values())}" coordinates="{" ".join(c.kind for c in of)}"'
        kind = r.choice(["spring", "stop", "friction"])
        if kind == "spring":
            K, C, rest, pushes = r.uniform(5, 60) * size, r.uniform(0, 2) * size, length + r.uniform(-0.4, 0.4), r.random() < 0.3
            self.tendons = head + f' stiffness="{n(K)}" damping="{n(C)}" restLength="{n(rest)}" pushes="{"true" if pushes else "false"}"/>'
            L, V = ("(" + "+".join(f"({n(k)})*{v}{c.name}" for c, k in of.items()) + ")" for v in ("", "v_"))
            spring, damper = f"{n(K)}*({L}-({n(rest)}))", f"{n(C)}*{V}"
            pull = f"({spring}+{damper})" if pushes else f"if({spring} > 0, max(0, {spring}+{damper}), 0)"
            for c, k in of.items():
                c.force.append(f"-({n(k)})*{pull}")
            return
        self.tendons = head + ' stiffness="0"/>'
        if kind == "friction":
            lb, ub = -r.uniform(0.2, 4) * size, r.uniform(0.2, 4) * size
            self.row('TendonFrictionR tendon="cord"', f'RelayNSL lb="{n(lb)}" ub="{n(ub)}"', ({c: -k for c, k in of.items()}, 0))
        else:
            upper = length + r.uniform(0.02, 0.3)
            self.row(f'TendonStopR tendon="cord" upper="{n(upper)}"', f'NewtonImpactNSL e="{n(r.choice([0, r.uniform(0.1, 0.8)]))}"', ({c: -k for c, k in of.items()}, upper))

    def limit(self, c):
        """Stops and dry friction of a coordinate."""
        r, s = self.r, c.size * c.unit
        which = f'joint="{c.joint}" coordinate="{c.kind}"'
        if r.random() < 0.5:
            lower, upper = c.at - r.uniform(0.02, 0.4) * c.unit, c.at + r.uniform(0.02, 0.4) * c.unit
            sides = r.choice([{"lower": ({c: 1}, -lower)}, {"upper": ({c: -1}, upper)}, {"lower": ({c: 1}, -lower), "upper": ({c: -1}, upper)}])
            given = " ".join(f'{side}="{n({"lower": lower, "upper": upper}[side])}"' for side in sides)
            self.row(f"JointStopR {which} {given}", f'NewtonImpactNSL e="{n(r.choice([0, r.uniform(0.1, 0.8)]))}"', *sides.values())
        if r.random() < 0.4:
            low, high = n(r.uniform(0.2, 4) * s), n(r.uniform(0.2, 4) * s)
            lb, ub = r.choice([(f"-{low}", high), (f"-{low}", "inf"), (f"-{low}*(1+0.5*sin(5*t))", f"{high}*(1+0.5*sin(5*t))"), (f"-{low}*(1+exp(-slip/{n(0.1 * c.unit)}))", f"{high}*(1+exp(-slip/{n(0.1 * c.unit)}))")])
            self.row(f"JointFrictionR {which}", f'RelayNSL lb="{lb}" ub="{ub}"', ({c: -1}, 0))

    # ---- the two forms

    def shown(self, of):
        return "<output>" + "".join(f'<observe id="o{i}">{of(c)}</observe>' for i, c in enumerate(self.coordinates)) + "</output>"

    def as_bodies(self):
        joints = ""
        for k, j in enumerate(self.joints):
            kind = {"slide": "PrismaticJointR", "angle": "PivotJointR", "both": "CylindricalJointR"}[j["kind"]]
            place = (f' point="{text(j["at"])}"' if j["kind"] != "slide" else "") + ("" if self.plane and j["kind"] == "angle" else f' axis="{text(j["axis"])}"')
            start = f' initial="{text(c.at for c in j["coordinates"])}" initialRate="{text(c.rate for c in j["coordinates"])}"'
            joints += f'<interaction id="j{k}" systems="{j["systems"]}"><{kind}{place}{j["given"]}{start}>{j["inside"]}</{kind}><EqualityConditionNSL/></interaction>\n'
        return f"<systems>{self.bodies}</systems><interactions>{joints}{self.tendons}{self.rows}</interactions>" + self.shown(lambda c: f"{c.joint}.{c.kind}")

    def as_lagrangian(self):
        all = self.coordinates
        mass = "; ".join(text(self.mass.get((a, b), 0) for b in all) for a in all)
        force = ", ".join("-(" + "+".join(f"({f})" for f in c.force) + ")" for c in all)
        system = (
            f'<LagrangianDS id="L" coordinates="{" ".join(c.name for c in all)}"><q0>{text(c.at for c in all)}</q0><v0>{text(c.rate for c in all)}</v0>'
            f"<mass>{mass}</mass><fInt>{escape(force)}</fInt></LagrangianDS>"
        )
        rows = f"<interactions>{self.linear}</interactions>" if self.linear else ""
        return f"<systems>{system}</systems>{rows}" + self.shown(lambda c: f"L.{c.name}")


class Drawn(Model):
    """For run-differential: event by event as bodies, by steps as a Lagrangian system."""

    def __init__(self, seed):
        self.made = Mechanism(random.Random(seed))
        super().__init__("joints", "", self.made.T, MECHANICS, CVODE)
        self.systems = tuple(f"o{i}" for i in range(len(self.made.coordinates)))
        self.unit = min(c.unit for c in self.made.coordinates)

    def text(self, simulation):
        self.body = self.made.as_bodies() if "EventDriven" in simulation else self.made.as_lagrangian()
        return super().text(simulation)


def model(seed):
    return Drawn(seed), random.Random(seed + 1)
