# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms with motors, forces, contacts and a circuit, written in any frame of the world, any units and any order.

A Frame says how one model is written: numbers of a model in SI units are turned, moved, mirrored and scaled by it, and results of the
run are brought back. A mechanism has bodies b0, b1, ... in space or in the plane, joints j0, ... with stops and friction, forces F0, ...
between bodies, and, if a joint is a hinge, a circuit and a rotor that drive it."""

import math
import random

SHIFT = (1e3, -700.0, 300.0)


def turned(q, v):
    """v in axes that the unit quaternion q turns."""
    w, x, y, z = q
    u = (x, y, z)
    t = [2 * c for c in cross(u, v)]
    s = cross(u, t)
    return [v[i] + w * t[i] + s[i] for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def product(a, b):
    c = cross(a[1:], b[1:])
    return [a[0] * b[0] - sum(x * y for x, y in zip(a[1:], b[1:]))] + [a[0] * b[i] + b[0] * a[i] + c[i - 1] for i in (1, 2, 3)]


def unit(r, n=3):
    v = [r.gauss(0, 1) for _ in range(n)]
    size = math.sqrt(sum(x * x for x in v))
    return [x / size for x in v]


def around(r, size):
    return [r.uniform(-size, size) for _ in range(3)]


class Frame:
    """turn: a unit quaternion, in the plane about z; shift in m before units; m, kg, s: how many of its units are one of SI; t0 in its
    own unit of time; order: seed of the order of elements; name: prefix of ids; copies of the whole model;
    A: amperes; forms: seed of the forms of its parts (plant_models.py), None: the first ones."""

    def __init__(self, turn=(1, 0, 0, 0), shift=(0, 0, 0), m=1.0, kg=1.0, s=1.0, mirror=False, t0=0.0, order=None, name="", copies=1, A=1.0, forms=None):
        self.turn, self.shift, self.m, self.kg, self.s = list(turn), shift, float(m), float(kg), float(s)
        self.mirror, self.t0, self.order, self.name, self.copies = mirror, float(t0), order, name, copies
        self.A, self.forms = float(A), forms

    def one(self, x, m=0, kg=0, s=0):
        return repr(float(x) * self.m**m * self.kg**kg * self.s**s)

    def seen(self, v):
        """In a mirror: -x."""
        return [-v[0], v[1], v[2]] if self.mirror else list(v)

    def vector(self, v, m=0, kg=0, s=0):
        """Of the world; a plane has two entries."""
        return [float(x) * self.m**m * self.kg**kg * self.s**s for x in turned(self.turn, self.seen(v))]

    def point(self, p):
        return [a + self.m * b for a, b in zip(self.vector(p, 1), self.shift)]

    def local(self, p, m=0, kg=0, s=0):
        """In axes of a body."""
        return [x * self.m**m * self.kg**kg * self.s**s for x in self.seen(p)]

    def spin(self, w, m=0, kg=0, s=0):
        """Of angular velocities and moments in axes of a body, which a mirror turns round."""
        sign = -1 if self.mirror else 1
        return [sign * x for x in self.local(w, m, kg, s)]

    def axis(self, a, of_turn):
        sign = -1 if self.mirror and of_turn else 1
        return [sign * x for x in self.vector(a)]

    def orientation(self, q):
        return product(self.turn, [q[0], q[1], -q[2], -q[3]] if self.mirror else q)

    def back(self, x):
        """A point of the world as the model in SI units has it."""
        w, *u = self.turn
        return self.seen(turned([w] + [-c for c in u], [a / self.m - b for a, b in zip(x, self.shift)]))

    def time(self):
        return f"(t-{self.t0!r})" if self.t0 else "t"


def text(v):
    return " ".join(repr(float(x)) for x in v)


class Mechanism:
    """In the plane bodies move in z = 0; a plane has no mirror, as coordinates of its hinges count about z."""

    def __init__(self, seed, planar=False):
        r = random.Random(seed)
        self.planar, self.free, self.contact = planar, r.random() < 0.3, r.random() < 0.6
        self.rates, self.rubs = r.random() < 0.6 and not self.free, r.random() < 0.6
        self.e, self.mu, self.T = r.choice([0, r.uniform(0, 0.8)]), r.uniform(0, 0.8), r.uniform(0.4, 1.0)
        place = lambda size: [x * (not planar or i < 2) for i, x in enumerate(around(r, size))]
        self.body, self.joint, self.force = [], [], []
        x = [0.0, 0.0, 0.0]
        for i in range(r.randint(1, 4)):
            x = [a + b + c for a, b, c in zip(x, place(0.3), (0.25, 0, 0))]
            m, a = r.uniform(0.3, 2), [r.uniform(0.05, 0.2) for _ in range(3)]
            inertia = [m / 3 * (a[1] ** 2 + a[2] ** 2), m / 3 * (a[0] ** 2 + a[2] ** 2), m / 3 * (a[0] ** 2 + a[1] ** 2)]
            self.body.append({"x": x, "q": unit(r, 4), "angle": r.uniform(-3, 3), "m": m, "I": inertia, "f": place(1), "w": r.uniform(1, 6), "M": around(r, 0.1), "radius": r.uniform(0.03, 0.08), "v": place(0.3), "Omega": around(r, 1)})
        for i in range(len(self.body)):
            if i > 0 or not self.free:
                self.joint.append(self.draw_joint(r, i, place))
        for _ in range(r.randint(0, 3)):
            self.force.append(self.draw_force(r, place))
        self.g = [9.8 * x for x in (unit(r) if not planar else unit(r, 2) + [0])]
        self.normal = [-x / 9.8 for x in self.g] if r.random() < 0.5 else unit(r) if not planar else unit(r, 2) + [0]
        lowest = min(sum(a * b for a, b in zip(b["x"], self.normal)) - b["radius"] for b in self.body)
        gap = r.uniform(0.02, 0.2)
        self.at = [(lowest - gap) * n for n in self.normal]
        self.circuit = {"R": r.uniform(0.5, 5), "L": r.uniform(0.01, 0.2), "K": r.uniform(0.02, 0.3), "C": r.uniform(1e-3, 0.1), "w": r.uniform(3, 20), "U": r.uniform(1, 12), "diode": r.random() < 0.5, "J": r.uniform(1e-3, 1e-2), "k": r.uniform(0.5, 5), "c": r.uniform(1e-3, 0.05)}
        hinges = [i for i, j in enumerate(self.joint) if j["kind"] == "Pivot"]
        self.driven = hinges[0] if hinges and r.random() < 0.6 else None

    def draw_joint(self, r, i, place):
        kind = r.choice(["Pivot", "Pivot", "Prismatic"] + ([] if self.planar else ["Cylindrical", "Knee"]))
        other = r.randrange(i) if i and r.random() < 0.7 else None
        point = [a + b for a, b in zip(self.body[i]["x"], place(0.15))]
        some = lambda p, x: x if r.random() < p else 0
        return {
            "kind": kind, "i": i, "other": other, "point": point, "axis": unit(r) if not self.planar else unit(r, 2) + [0], "first": r.random() < 0.5,
            "k": some(0.5, r.uniform(0, 3)), "c": some(0.5, r.uniform(0, 0.1)), "rest": r.uniform(-0.3, 0.3), "armature": some(0.3, r.uniform(0, 0.01)),
            "initial": some(0.4, r.uniform(-0.2, 0.2)), "rate": r.uniform(-1, 1), "motor": r.choice(["", "", "position", "velocity", "torque"]),
            "limit": r.uniform(0.1, 1), "gear": r.choice([1, r.uniform(1, 5)]), "stop": r.random() < 0.3, "e": r.uniform(0, 0.8),
            "lower": -r.uniform(0.25, 0.6), "upper": r.uniform(0.25, 0.6), "friction": some(0.3, r.uniform(0.01, 0.3)),
        }  # fmt: skip

    def draw_force(self, r, place):
        i, other = r.randrange(len(self.body)), r.randrange(len(self.body))
        end = place(0.15)
        if other == i:
            other, end = None, [a + b for a, b in zip(self.body[i]["x"], place(0.5))]
        return {"kind": r.choice(["spring", "spring", "tendon", "damper"]), "i": i, "other": other, "p1": place(0.15), "p2": end, "k": r.uniform(2, 300), "c": r.uniform(0, 2), "rest": r.uniform(0.05, 0.3)}

    def has_circuit(self):
        return self.driven is not None

    # ---- as text

    def flat(self, v):
        return text(v[:2] if self.planar else v)

    def write_body(self, f, name, i):
        b, t = self.body[i], f.time()
        still = f.vector([b["m"] * g for g in self.g], 1, 1, -2)
        swing = f.vector(b["f"], 1, 1, -2)
        force = ", ".join(f"{x!r}+{y!r}*sin({f.one(b['w'], s=-1)}*{t})" for x, y in list(zip(still, swing))[: 2 if self.planar else 3])
        start = ""
        if not self.joint or (self.free and i == 0):
            spin = text(f.spin(b["Omega"], s=-1)) if not self.planar else f.one(b["Omega"][2], s=-1)
            start = f"<v0>{self.flat(f.vector(b['v'], 1, 0, -1))} {spin}</v0>"
        layers = f' layers="{name}shapes" with="{name}shapes ground"' if f.copies > 1 else ""
        shape = f'<{"Disk" if self.planar else "Sphere"} radius="{f.one(b["radius"], 1)}"{layers}/>' if self.contact else ""
        mass = f"<mass>{f.one(b['m'], 0, 1)}</mass>"
        if self.planar:
            angle = b["angle"] + 2 * math.atan2(f.turn[3], f.turn[0])
            moment = f"<mExt>{f.one(b['M'][2], 2, 1, -2)}</mExt>" if i % 2 else ""
            return f'<RigidBody2dDS id="{name}b{i}"><q0>{self.flat(f.point(b["x"]))} {angle!r}</q0>{start}{mass}<inertia>{f.one(b["I"][2], 2, 1)}</inertia><fExt>{force}</fExt>{moment}{shape}</RigidBody2dDS>'
        moment = f"<mExt>{text(f.spin(b['M'], 2, 1, -2))}</mExt>" if i % 2 else ""
        inertia = f'<inertia diag="{" ".join(f.one(x, 2, 1) for x in b["I"])}"/>'
        return f'<NewtonEulerDS id="{name}b{i}"><q0>{text(f.point(b["x"]))} {text(f.orientation(b["q"]))}</q0>{start}{mass}{inertia}<fExt>{force}</fExt>{moment}{shape}</NewtonEulerDS>'

    def write_joint(self, f, name, n):
        j, t = self.joint[n], f.time()
        slides = j["kind"] == "Prismatic"
        one = slides + 0  # exponents of length: of the coordinate, of its force or torque, of its stiffness
        ids = [f"{name}b{j['i']}"] + ([f"{name}b{j['other']}"] if j["other"] is not None else [])
        if not j["first"]:
            ids.reverse()
        words = f' point="{self.flat(f.point(j["point"]))}"' if not slides else ""
        if j["kind"] != "Knee" and (slides or not self.planar):
            words += f' axis="{self.flat(f.axis(j["axis"], not slides))}"'
        inner, parts = "", []
        if j["kind"] in ("Pivot", "Prismatic"):
            force = lambda x: f.one(x, 2 - one, 1, -2)
            stiff = lambda x, s=-2: f.one(x, 2 - 2 * one, 1, s)
            length = lambda x, s=0: f.one(x, one, 0, s)
            words += f' stiffness="{stiff(j["k"])}" rest="{length(j["rest"])}"' if j["k"] else ""
            words += f' damping="{stiff(j["c"], -1)}"' if j["c"] else ""
            words += f' armature="{stiff(j["armature"], 0)}"' if j["armature"] else ""
            words += f' initial="{length(j["initial"])}"' if j["initial"] and not self.free else ""
            words += f' initialRate="{length(j["rate"], -1)}"' if self.rates else ""
            gear, limit = j["gear"], force(j["limit"])
            if j["motor"] == "position":
                inner = f'<motor command="position" kp="{stiff(2)}" kv="{stiff(0.1, -1)}" limit="{limit}" gear="{gear!r}">{length(0.3 * gear)}*sin({f.one(3, s=-1)}*{t})</motor>'
            elif j["motor"] == "velocity":
                inner = f'<motor command="velocity" kv="{stiff(0.3, -1)}" stall="{limit}" noLoad="{length(30, -1)}" gear="{gear!r}">{length(2, -1)}</motor>'
            elif j["motor"]:
                inner = f'<motor limit="{limit}">{force(1)}*cos({f.one(5, s=-1)}*{t})</motor>'
            if n == self.driven:
                inner += f"<torque>{f.one(self.circuit['k'], 2, 1, -2)}*({name}rotor.phi - angle)</torque>"
            if j["stop"]:
                parts.append(f'<interaction id="{name}s{n}"><JointStopR joint="{name}j{n}" lower="{length(j["lower"])}" upper="{length(j["upper"])}"/><NewtonImpactNSL e="{j["e"]!r}"/></interaction>')
            if j["friction"]:
                tau = force(j["friction"])
                parts.append(f'<interaction id="{name}f{n}"><JointFrictionR joint="{name}j{n}"/><RelayNSL lb="-{tau}" ub="{tau}"/></interaction>')
        kind = j["kind"] + "JointR"
        return [f'<interaction id="{name}j{n}" systems="{" ".join(ids)}"><{kind}{words}>{inner}</{kind}><EqualityConditionNSL/></interaction>'] + parts

    def write_force(self, f, name, n):
        k = self.force[n]
        end = f.point(k["p2"]) if k["other"] is None else f.local(k["p2"], 1)
        start = f.local(k["p1"], 1)
        if self.planar:
            end = end[:2]
            start = start[:2]
        of = f"{name}b{k['i']} " + ("world" if k["other"] is None else f"{name}b{k['other']}")
        words = f' damping="{f.one(k["c"], 0, 1, -1)}"'
        if k["kind"] != "damper":
            words += f' stiffness="{f.one(k["k"], 0, 1, -2)}" restLength="{f.one(k["rest"], 1)}"'
        points = f'points="{text(start)} {text(end)}"' if k["kind"] == "tendon" else f'point1="{text(start)}" point2="{text(end)}"'
        return f'<{k["kind"]} id="{name}F{n}" systems="{of}" {points}{words}/>'

    def write_drive(self, f, name):
        """Currents are A in all units; voltages take the rest."""
        c, t = self.circuit, f.time()
        volt = lambda x, s=-3: f.one(x, 2, 1, s)
        load = "D1 b c" if c["diode"] else f"R2 b c {volt(c['R'])}"
        lines = [f"V1 s 0 {volt(c['U'])}*sin({f.one(c['w'], s=-1)}*{t})", f"R1 s a {volt(c['R'])}", f"L1 a b {volt(c['L'], -2)}", load]
        lines += [f"C1 c 0 {f.one(c['C'], -2, -1, 4)} ic={volt(0.3)}", f"R3 c 0 {volt(20)}", f"V2 0 e {volt(c['K'], -2)}*{name}rotor.v_phi", f"R4 e 0 {volt(3)}"]
        netlist = f'<netlist id="{name}drive">\n' + "\n".join(lines) + "\n</netlist>"
        inner = f"{f.one(c['k'], 2, 1, -2)}*(phi - {name}j{self.driven}.angle) + {f.one(c['c'], 2, 1, -1)}*v_phi - {f.one(c['K'], 2, 1, -2)}*{name}drive.i_L1"
        return [netlist, f'<LagrangianDS id="{name}rotor" coordinates="phi"><q0>0.1</q0><v0>{f.one(2, s=-1)}</v0><mass>{f.one(c["J"], 2, 1)}</mass><fInt>{inner}</fInt></LagrangianDS>']

    def names(self, f):
        return [f.name] if f.copies == 1 else [f"{f.name}c{k}_" for k in range(f.copies)]

    def text(self, f, simulation):
        """simulation: what stands in <simulation> for a frame and a length of time."""
        systems, interactions = [], []
        for name in self.names(f):
            systems += [self.write_body(f, name, i) for i in range(len(self.body))]
            systems += self.write_drive(f, name) if self.has_circuit() else []
            for n in range(len(self.joint)):
                interactions += self.write_joint(f, name, n)
            interactions += [self.write_force(f, name, n) for n in range(len(self.force))]
        if f.order is not None:
            random.Random(f.order).shuffle(systems)
            random.Random(f.order + 1).shuffle(interactions)
        law = f'<NewtonImpactFrictionNSL en="{self.e!r}" mu="{self.mu!r}"/>' if self.rubs else f'<NewtonImpactNSL e="{self.e!r}"/>'
        layers = ' layers="ground"' if f.copies > 1 else ""
        plane = "HalfPlane" if self.planar else "Plane"
        contacts = f'<contacts>{law}<{plane} at="{self.flat(f.point(self.at))}" normal="{self.flat(f.vector(self.normal))}"{layers}/></contacts>' if self.contact else ""
        T = self.T * f.s
        body = "<systems>" + "\n".join(systems) + "</systems>" + ("<interactions>" + "\n".join(interactions) + "</interactions>" if interactions else "")
        return f'<model xmlns="urn:nssim:model:1" name="mechanism">{body}{contacts}<simulation t0="{f.t0!r}" T="{f.t0 + T!r}">{simulation(f, T)}</simulation></model>\n'

    def states(self, f, row):
        """What a row, by labels, says of the model in SI units: positions, coordinates of joints, lengths, circuit."""
        found = {}
        for k, name in enumerate(self.names(f)):
            for i in range(len(self.body)):
                x = f.back([row[f"{name}b{i}.x"], row[f"{name}b{i}.y"], 0 if self.planar else row[f"{name}b{i}.z"]])
                for axis in range(3):
                    found[k, f"b{i}.{'xyz'[axis]}"] = x[axis]
            for n, j in enumerate(self.joint):
                if f"{name}j{n}.angle" in row:
                    found[k, f"j{n}.angle"] = row[f"{name}j{n}.angle"]
                if f"{name}j{n}.slide" in row:
                    sign = -1 if f.mirror and j["kind"] == "Cylindrical" else 1
                    found[k, f"j{n}.slide"] = sign * row[f"{name}j{n}.slide"] / f.m
            for n in range(len(self.force)):
                found[k, f"F{n}.length"] = row[f"{name}F{n}.length"] / f.m
            if self.has_circuit():
                found[k, "phi"], found[k, "i"] = row[f"{name}rotor.phi"], row[f"{name}drive.i_L1"]
                found[k, "v"] = row[f"{name}drive.v_C1"] / (f.m**2 * f.kg / f.s**3)
        return found


def frames(seed, planar):
    """Ways to write a model, by name."""
    r = random.Random(seed)
    q = unit(r, 4)
    if planar:
        angle = r.uniform(-3, 3)
        q = [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]
    shift = SHIFT[:2] + (0,) if planar else SHIFT
    some = {
        "turned": Frame(turn=q), "moved": Frame(shift=shift), "mm, g, ms": Frame(m=1e3, kg=1e3, s=1e3), "km, mg": Frame(m=1e-3, kg=1e6), "km, t": Frame(m=1e-3, kg=1e-3), "mm, g": Frame(m=1e3, kg=1e3), "ks": Frame(s=1e-3),
        "in another order": Frame(order=r.randrange(10**6)), "with other names": Frame(name=r.choice(["Zz", "a0", "q_"])), "later": Frame(t0=7.3), "before 0": Frame(t0=-0.31),
        "twice": Frame(copies=2), "turned, moved, in another order": Frame(turn=q, shift=[x / 100 for x in shift], order=5),
    }  # fmt: skip
    if not planar:
        some["in a mirror"] = Frame(mirror=True)
    return some
