# SPDX-License-Identifier: GPL-3.0-or-later
# Birth and death of bodies and shapes.

# Three balls that are born one after the other move as the first does, ten steps later each, and die as it does; the second floor
# dies at 0.5 s, and what lies on it falls freely from there: z = 0.5 - g t^2/2, met by the scheme to rounding.
case life-is-the-same-whenever-it-begins
file life.xml <<
<model xmlns="urn:nssim:model:1" name="life">
  <systems>
    <repeat index="k" from="0" to="2">
      <NewtonEulerDS id="b{k}" birth="0.01+k*0.1" death="0.6+k*0.1">
        <q0>k*3 0 0.7 1 0 0 0</q0><v0>0.5 0 -1 0 2 1</v0><mass>1</mass><fExt>0 0 -9.81</fExt><Sphere radius="0.2"/>
      </NewtonEulerDS>
    </repeat>
    <NewtonEulerDS id="c"><q0>20 0 0.5 1 0 0 0</q0><mass>1</mass><fExt>0 0 -9.81</fExt><Sphere radius="0.5"/></NewtonEulerDS>
  </systems>
  <contacts>
    <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    <Box id="floor" size="30 2 1" at="0 0 -0.5"/>
    <Box id="trap" size="2 2 1" at="20 0 -0.5" death="0.5"/>
  </contacts>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file look.py <<
import csv
r = [{k: float(v) for k, v in x.items()} for x in csv.DictReader(open("out.csv"))]
for k in (1, 2):
    for i in range(len(r) - 10 * k):
        for name in ("z", "p0", "p2", "v_x", "v_z", "Omega_y"):
            a, b = r[i]["b0." + name], r[i + 10 * k]["b%d." % k + name]
            assert abs(a - b) < 1e-12, (k, i, name, a, b)
        assert abs(r[i]["b0.x"] - r[i + 10 * k]["b%d.x" % k] + 3 * k) < 1e-12
    assert all(r[i]["b%d.z" % k] == 0.7 for i in range(10 * k))
assert len({x["b0.x"] for x in r[60:]}) == 1 and r[59]["b0.x"] != r[58]["b0.x"]
assert all(x["c.z"] == 0.5 for x in r[:49])
assert all(abs(x["c.z"] - 0.5 + 9.81 / 2 * (x["time"] - 0.49) ** 2) < 1e-12 for x in r[49:])
print("as said")
>>
run nssim -q life.xml -o out.csv && python3 look.py
exit 0
stdout <<
as said
>>

# A run that was interrupted while one was away gives the same bytes; the plane as space.
case life-in-the-plane-goes-on
file life.xml <<
<model xmlns="urn:nssim:model:1" name="life">
  <systems>
    <RigidBody2dDS id="low"><q0>0 0.5 0</q0><mass>1</mass><fExt>0 -9.81</fExt><Disk radius="0.5"/></RigidBody2dDS>
    <RigidBody2dDS id="late" birth="0.5" death="0.9"><q0>0.3 2 0</q0><v0>0 -2 0</v0><mass>1</mass><fExt>0 -9.81</fExt><fInt>0.1*v_x 0</fInt><Disk radius="0.5"/></RigidBody2dDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.5"/><HalfPlane/><Rectangle id="lid" size="0.1 0.1" at="0 1.2" birth="0.2" death="0.4"/></contacts>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q life.xml -o whole.csv && nssim -q life.xml --t-end 0.3 --checkpoint at.ck -o part.csv; nssim -q life.xml --resume at.ck -o part.csv && cmp whole.csv part.csv && awk -F, 'NR==1 {for (k=1;k<=NF;k++) if ($k=="late.y") y=k} NR==50 {print $y == 2} END {print $y < 2}' whole.csv
exit 0
stdout <<
1
1
>>

# Births and deaths are events at the end of the first step with a body or a shape, or without it, also of a run that was interrupted,
# and in HDF5 as in CSV; a measure counts them; what is there at t0 is not born.
case life-is-told
file life.xml <<
<model xmlns="urn:nssim:model:1" name="life">
  <parameters><parameter name="when" value="0.5"/></parameters>
  <systems>
    <RigidBody2dDS id="a"><q0>0 2 0</q0><mass>1</mass><Disk radius="0.1"/></RigidBody2dDS>
    <RigidBody2dDS id="early" birth="0" death="0.305"><q0>1 2 0</q0><mass>1</mass><Disk radius="0.1"/></RigidBody2dDS>
    <RigidBody2dDS id="late" birth="when" death="0.9"><q0>2 2 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.5"/><HalfPlane/><Rectangle id="lid" size="0.1 0.1" at="0 1.2" birth="0.2" death="0.4"/></contacts>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
  <measures><measure id="births" kind="count" event="birth"/><measure id="last" kind="last" event="death"/></measures>
</model>
>>
run nssim -q life.xml -o whole.csv; nssim -q life.xml --t-end 0.3 --checkpoint at.ck -o part.csv; nssim -q life.xml --resume at.ck -o part.csv && cmp whole.events.csv part.events.csv; cut -d, -f1-3 whole.events.csv; nssim -q life.xml -o whole.h5 && nssim compare whole.h5 whole.csv >/dev/null && nssim life.xml -p when=0.7 -o other.h5 --json | grep -A6 '"births"' | grep '"value"'; nssim compare whole.h5 other.h5 | grep -c late
exit 0
stdout <<
time,kind,interaction
0.20000000000000001,birth,lid
0.31,death,early
0.40000000000000002,death,lid
0.5,birth,late
0.90000000000000002,death,late
      "value": 2.0,
2
>>

# In a model with other systems a body that is not there keeps its state while they read it and it reads them: until its birth they
# move as beside constants, from then on all move as a model that begins with it there, and after its death as beside constants again.
case life-among-other-systems
file make.py <<
import random, sys
r = random.Random(int(sys.argv[1]))
n = lambda a, b: "%.17g" % r.uniform(a, b)
h, steps, born, dies = 0.01, 100, r.randint(20, 50), r.randint(60, 90)
space = r.random() < 0.5
k, c, d, y0, v0, u0, s0 = [n(*x) for x in ((1, 9), (0.1, 2), (0.1, 1), (1.2, 2), (-2, 1), (-1, 1), (-0.3, 0.3))]
late = {"q": "late.z" if space else "late.y", "v": "late.v_z" if space else "late.v_y"}
def others(q, v, u0, s0, w0):
    return f"""<FirstOrderNonLinearDS id="f" states="u"><x0>{u0}</x0><f>-u + {d}*({q})*p.s</f></FirstOrderNonLinearDS>
<LagrangianDS id="p" coordinates="s"><q0>{s0}</q0><v0>{w0}</v0><mass>1</mass><fInt>{k}*s + {c}*(s - ({q})) + 0.1*({v})</fInt></LagrangianDS>"""
def body(life, x, v):
    own = f"<mass>1</mass><fInt>{'0, 0, ' if space else '0, '}{k}*p.s - f.u + 0.2*{'v_z' if space else 'v_y'}</fInt>"
    return (f'<NewtonEulerDS id="late"{life}><q0>{x}</q0><v0>{v}</v0>{own}<inertia diag="0.1 0.1 0.1"/><Sphere radius="0.5"/></NewtonEulerDS>' if space else
            f'<RigidBody2dDS id="late"{life}><q0>{x}</q0><v0>{v}</v0>{own}<Disk radius="0.5"/></RigidBody2dDS>')
def model(name, t0, T, systems, floor=True):
    contacts = f'<contacts><NewtonImpactFrictionNSL en="0.3" mu="0.5"/><{"Plane" if space else "HalfPlane"}/></contacts>' if floor else ""
    open(name, "w").write(f'<model xmlns="urn:nssim:model:1"><systems>{systems}</systems>{contacts}'
        f'<simulation t0="{t0!r}" T="{T!r}"><TimeStepping h="{h}"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation></model>')
x0, w0 = (f"0 0 {y0} 1 0 0 0", f"0.3 0 {v0} 0 1 0") if space else (f"0 {y0} 0", f"0.3 {v0} 1")
import csv, subprocess
def run(name):
    subprocess.run(["nssim", "-q", name + ".xml", "-o", name + ".csv"], check=True)
    return [{a: float(b) for a, b in x.items()} for x in csv.DictReader(open(name + ".csv"))]
model("all.xml", 0, steps * h, others(late["q"], late["v"], u0, s0, 0) + body(f' birth="{born * h!r}" death="{dies * h!r}"', x0, w0))
a = run("all")
own = [c for c in a[0] if c.startswith("late.") and not c.startswith("late.p_")]
seen = ("f.u", "p.s", "p.v_s")
q = [c for c in own if ".v_" not in c and ".Omega" not in c]
v = [c for c in own if c not in q]
assert len(q) == (7 if space else 3) and len(v) == (6 if space else 3), own
for i in range(born): assert all(a[i][c] == a[0][c] for c in own), i
for i in range(dies, steps + 1): assert all(a[i][c] == a[dies - 1][c] for c in own), i
def same(b, at, columns, what):
    for i, row in enumerate(b):
        for c in columns: assert abs(row[c] - a[at + i][c]) <= 2e-11 * (1 + abs(row[c])), (what, i, c, row[c], a[at + i][c])
g = lambda x: "%.17g" % x
model("before.xml", 0, (born - 1) * h, others(g(a[0][late["q"]]), g(a[0][late["v"]]), u0, s0, 0), False)
same(run("before"), 0, seen, "before")
s = a[born - 1]
model("with.xml", (born - 1) * h, (dies - 1) * h, others(late["q"], late["v"], g(s["f.u"]), g(s["p.s"]), g(s["p.v_s"])) + body("", " ".join(g(s[c]) for c in q), " ".join(g(s[c]) for c in v)))
same(run("with"), born - 1, seen + tuple(own), "with")
s = a[dies - 1]
model("after.xml", (dies - 1) * h, steps * h, others(g(s[late["q"]]), g(s[late["v"]]), g(s["f.u"]), g(s["p.s"]), g(s["p.v_s"])), False)
same(run("after"), dies - 1, seen, "after")
assert all(abs(x["diagnostics.energy_defect"]) < 1e-12 for x in a)  # on what is away forces do no work
print(space, any(x[c] != a[0][c] for x in a for c in own))
>>
run for k in 1 2 3 4 5 6 7 8 9 10 11 12; do python3 make.py $k; done | sort | uniq -c | sed 's/^ *//'
exit 0
stdout <<
8 False True
4 True True
>>

case life-that-cannot-be
file a.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a" birth="2" death="1"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file b.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a" birth="0.5"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
  </systems>
  <interactions><interaction id="j" systems="a"><KneeJointR point="0 0 0"/><EqualityConditionNSL/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file c.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <RigidBody2dDS id="a"><q0>0 1 0</q0><mass>1</mass><Disk radius="0.2"/></RigidBody2dDS>
    <RigidBody2dDS id="b" birth="0.5"><q0>0.1 1 0</q0><mass>1</mass><Disk radius="0.2"/></RigidBody2dDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.5"/></contacts>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for k in a b; do nssim check $k.xml >/dev/null; done; nssim -q c.xml -o c.csv; echo $?; tail -1 c.csv | cut -d, -f1
stderr-match a.xml:3: <NewtonEulerDS id="a">: birth is 2 s and death 1 s, expected birth < death
stderr-match b.xml:5: <interaction id="j">: acts on a, which has a birth or a death
stderr-match c.xml:3: <contacts id="a/b">: its shapes overlap by 0\.3 m as one of them is born at t = 0\.5 s, expected a gap; the results so far are kept; change the birth or the initial position

# Event-driven, from one birth or death to the next the motion is that of a model which consists of what there is: random scenes, in
# pieces. States that are away stay where they are; forces do no work on them, but what a compliant contact stores ends with its bodies.
case life-event-by-event
file make.py <<
import csv, random, re, subprocess, sys
r = random.Random(int(sys.argv[1]))
g = lambda x: "%.17g" % x
space, T, tight = r.random() < 0.5, 1.6, 'absoluteTolerance="1e-12" relativeTolerance="1e-10"'
law = r.choice(['<NewtonImpactFrictionNSL en="0.5" mu="0.3"/>', '<NewtonImpactFrictionNSL en="0" mu="0.6"/>', '<NewtonImpactNSL e="0.7"/>', '<CompliantFrictionNSL K="2e4" C="20" mu="0"/>'])
ball = '<Sphere radius="0.2"/>' if space else '<Disk radius="0.2"/>'
lid = ('<Box id="lid" size="2 2 0.1" at="0.7 0 0.5"%s/>' if space else '<Rectangle id="lid" size="2 0.1" at="0.7 0.5"%s/>')
lid_life = (-1, r.uniform(0.4, 1)) if r.random() < 0.5 else (r.uniform(0.1, 0.2), 9)
life = lambda b, d: (f' birth="{b!r}"' if b > 0 else "") + (f' death="{d!r}"' if d < 9 else "")
bodies = []
for k in range(r.randint(2, 4)):
    born, dies = (k * 0.35 + r.uniform(0, 0.02) if k or r.random() < 0.5 else -1), (k * 0.3 + r.uniform(0.35, 1) if r.random() < 0.6 else 9)
    v = [r.uniform(-0.2, 0.2), 0, -2, 0, r.uniform(-2, 2), 0] if space else [r.uniform(-0.2, 0.2), -2, r.uniform(-2, 2)]
    bodies.append((f"b{k}", born, dies, [0.01 * k, 0, 2.2, 1, 0, 0, 0] if space else [0.01 * k, 2.2, 0], v))
def run(name, t0, t1, some, lid):
    systems = ""
    for id, life, q, v in some:
        kind, f = ("NewtonEulerDS", "0, 0, 9.81 + 0.1*v_z") if space else ("RigidBody2dDS", "0, 9.81 + 0.1*v_y")
        systems += f'<{kind} id="{id}"{life}><q0>{" ".join(map(g, q))}</q0><v0>{" ".join(map(g, v))}</v0><mass>1</mass><fInt>{f}</fInt>{ball}</{kind}>'
    open(name + ".xml", "w").write(f'<model xmlns="urn:nssim:model:1"><systems>{systems}</systems><contacts>{law}<{"Plane" if space else "HalfPlane"}/>{lid}</contacts>'
        f'<simulation t0="{t0!r}" T="{t1!r}"><EventDriven h="0.01"><CVodeOSI {tight}/></EventDriven></simulation></model>')
    subprocess.run(["nssim", "-q", name + ".xml", "-o", name + ".csv"], check=True)
    return [{a: float(b) for a, b in x.items()} for x in csv.DictReader(open(name + ".csv"))]
a = run("all", 0.0, T, [(id, life(b, d), q, v) for id, b, d, q, v in bodies], lid % life(*lid_life))
own = lambda id: [c for c in a[0] if c.startswith(id + ".") and not c.startswith(id + ".p_")]
lives = [x for b in bodies for x in b[1:3] if 0 < x < T] + [x for x in lid_life if 0 < x < T]
events = [float(x[0]) for x in csv.reader(open("all.events.csv")) if x[1] in ("birth", "death")]
assert events == sorted(lives), (events, lives)
times = [0.0, *events, T]
pieces = 0
for t0, t1 in zip(times, times[1:]):
    at = [i for i, x in enumerate(a) if x["time"] == t0][-1]
    there = [b for b in bodies if b[1] <= t0 < b[2]]
    for b in bodies:
        for x in a[at:] if b not in there else []:
            if x["time"] < t1: assert all(abs(x[c] - a[at][c]) < 1e-15 for c in own(b[0])), (b[0], x["time"])
    if not there: continue
    start = [(b[0], "", [a[at][c] for c in own(b[0])[:len(b[3])]], [a[at][c] for c in own(b[0])[len(b[3]):]]) for b in there]
    end = run("part", t0, t1, start, lid % "" if lid_life[0] <= t0 < lid_life[1] else "")[-1]
    whole = [x for x in a if abs(x["time"] - t1) < 1e-12][0]
    for c in [c for b in there for c in own(b[0])]:
        assert abs(end[c] - whole[c]) < 1e-6 * (1 + abs(end[c])), (t0, t1, c, end[c], whole[c])
    pieces += 1
assert all(abs(x["diagnostics.energy_defect"]) < 1e-5 for x in a), max(abs(x["diagnostics.energy_defect"]) for x in a)
print("space" if space else "plane", law[1:6], pieces > 2)
>>
run for k in 1 2 3 4 5 6 7 8 9 10 11 12; do python3 make.py $k; done | sort | uniq -c | sed 's/^ *//'
exit 0
stdout <<
1 plane Compl True
3 plane Newto True
2 space Compl True
6 space Newto True
>>

# A birth or a death at the time of an impact, or later by rounding, is one event after it.
case life-event-at-an-impact
file make.py <<
import csv, subprocess, sys
def run(life):
    ball = lambda id, x, life: f'<RigidBody2dDS id="{id}"{life}><q0>{x} 1.2 0</q0><mass>1</mass><fExt>0 -9.81</fExt><Disk radius="0.2"/></RigidBody2dDS>'
    open("m.xml", "w").write(f'<model xmlns="urn:nssim:model:1"><systems>{ball("a", 0, "")}{ball("b", 2, life)}</systems>'
        '<contacts><NewtonImpactFrictionNSL en="0.5" mu="0.3"/><HalfPlane/></contacts><simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation></model>')
    subprocess.run(["nssim", "-q", "m.xml", "-o", "m.csv"], check=True)
    return [(x[1], float(x[0])) for x in list(csv.reader(open("m.events.csv")))[1:]], list(csv.DictReader(open("m.csv")))[-1]
t = run("")[0][0][1]
for kind in ("birth", "death"):
    for late in (-1e-12, -1e-15, 0, 2e-16, 1e-14, 1e-13, 9e-13, 1e-11):
        events, last = run(f' {kind}="{t + late!r}"')
        assert [abs(at - t - late) < 1e-15 for k, at in events if k == kind] == [True], (kind, late, events)
        if kind == "birth": assert abs(float(last["b.y"]) - 0.79375) > 0.3 and float(last["b.v_y"]) > 1, (late, last)
print("ok")
>>
run python3 make.py
exit 0
stdout <<
ok
>>

# Systems of other kinds have no lives, whatever their operators are.
case life-among-systems-of-other-kinds
file m.py <<
others = {"a": '<FirstOrderLinearTIDS id="f" states="x"><x0>1</x0><A>-1</A></FirstOrderLinearTIDS>', "b": '<LagrangianDS id="p" coordinates="s r"><q0>0 0</q0><v0>1 0</v0><mass diag="1 1"/><fGyr>v_r, -v_s</fGyr></LagrangianDS><FirstOrderNonLinearDS id="f" states="x"><x0>1</x0><f>-x + b.y</f></FirstOrderNonLinearDS>'}
for k, other in others.items():
    open(k + ".xml", "w").write(f'<model xmlns="urn:nssim:model:1"><systems>{other}<RigidBody2dDS id="b" birth="0.2" death="0.8"><q0>0 1 0</q0><mass>1</mass><fExt>0 -9.81</fExt><Disk radius="0.2"/></RigidBody2dDS></systems>'
        '<contacts><NewtonImpactFrictionNSL en="0.5" mu="0.3"/><HalfPlane/></contacts><simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation></model>')
>>
run python3 m.py; for k in a b; do nssim -q $k.xml -o $k.csv; echo $?; cut -d, -f1-3 $k.events.csv | sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/'; done
exit 0
stdout <<
0
time,kind,interaction
0.200000,birth,b
0.603855,impact,b/fixed.0
0.800000,death,b
0
time,kind,interaction
0.200000,birth,b
0.603855,impact,b/fixed.0
0.800000,death,b
>>

# A bond ends with its bodies, and contacts that are born later have none: b is bonded to nothing and rises, a hangs from the lid.
case life-ends-bonds
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="b"><q0>0 0 0.2 1 0 0 0</q0><mass>1</mass><fExt>0 0 if(t > 0.5, 20, -9.81)</fExt><Sphere radius="0.2"/></NewtonEulerDS>
    <NewtonEulerDS id="a"><q0>3 0 1.8 1 0 0 0</q0><mass>1</mass><fExt>0 0 -9.81</fExt><Sphere radius="0.2"/></NewtonEulerDS>
    <NewtonEulerDS id="c" death="0.4"><q0>3 0 1.4 1 0 0 0</q0><mass>1</mass><fExt>0 0 -9.81</fExt><Sphere radius="0.2"/></NewtonEulerDS>
  </systems>
  <contacts><CohesiveFrictionNSL en="0" mu="0.3" sigma="100"/><Plane death="0.4"/><Plane birth="0.4"/><Box size="1 1 0.1" at="3 0 2.05"/></contacts>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o e.csv && sed 's|<EventDriven.*</EventDriven>|<TimeStepping h="1e-4"><MoreauJeanOSI theta="0.5"/></TimeStepping>|' m.xml >s.xml && nssim -q s.xml -o s.csv && python3 -c 'import csv; e, s = [list(csv.DictReader(open(k)))[-1] for k in ("e.csv", "s.csv")]; print([round(float(e[k]), 6) for k in ("b.z", "a.z")], max(abs(float(e[k]) - float(s[k])) for k in ("b.z", "a.z", "c.z")) < 1e-3)'
exit 0
stdout <<
[2.7, 1.8] True
>>

# A body that is away keeps its velocity, also one that is prescribed, and its support does nothing; born, it has that of the time.
case life-of-prescribed-velocities
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="p" birth="0.2" death="0.6">
      <q0>0 0 1 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/>
      <prescribed coordinates="x y z Omega_x Omega_y Omega_z">0, 0, 0.3*sin(t), 0, 0, 0</prescribed><Box size="1 1 0.2"/>
    </NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.3"/><Plane/></contacts>
  <simulation T="1"><EventDriven h="0.1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim -q m.xml -o e.csv && python3 -c 'import csv, math; r = list(csv.DictReader(open("e.csv"))); print([round(float(x["p.v_z"]) - 0.3*math.sin(min(float(x["time"]), 0.6)), 9) + 0 if float(x["time"]) > 0.2 else x["p.v_z"] for x in r if x["diagnostics.side"] == "0"], abs(float(r[-1]["p.z"]) - 1 - 0.3*(math.cos(0.2) - math.cos(0.6))) < 1e-7, abs(float(r[-1]["diagnostics.energy_defect"])) < 1e-8)'
exit 0
stdout <<
['0', '0', '0.059600799238518361', 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] True True
>>

# The page that plays a run has lives of shapes where some are not always there; other runs have none.
case life-in-the-viewer
file life.xml <<
<model xmlns="urn:nssim:model:1" name="life">
  <systems>
    <NewtonEulerDS id="a" birth="0.25"><q0>0 0 1 1 0 0 0</q0><mass>1</mass><Sphere id="s" radius="0.2"/><Box id="t" size="1 1 1" death="0.5"/></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>9 0 1 1 0 0 0</q0><mass>1</mass><Sphere id="u" radius="0.2"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.5"/><Plane/></contacts>
  <simulation T="1"><TimeStepping h="0.125"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q life.xml -o out.h5 && nssim view out.h5 -o out.html && grep -o '"shapes": *\[\[.*' out.html | head -c 700 | tr -d ' ' | grep -oE '(1.0,0.0,0.0,0.0,0.25,[^]]*|1.0,0.0,0.0,0.0)\]'
exit 0
stdout <<
1.0,0.0,0.0,0.0,0.25,1e300]
1.0,0.0,0.0,0.0,0.25,0.5]
1.0,0.0,0.0,0.0]
1.0,0.0,0.0,0.0]
>>

# Wheels on a carrier whose teeth would mesh: with collide="false" of their coupler they overlap freely, without they are an error.
case coupled-wheels-pass-through
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="g" value="0"/></parameters>
  <systems>
    <NewtonEulerDS id="arm"><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag="1 1 1"/></NewtonEulerDS>
    <NewtonEulerDS id="sun"><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0 0 2</v0><mass>1</mass><Cylinder radius="0.6" length="0.1"/></NewtonEulerDS>
    <NewtonEulerDS id="planet"><q0>1 0 0 1 0 0 0</q0><v0>0 0 0 0 0 -2</v0><mass>1</mass><Cylinder radius="0.6" length="0.1"/></NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.5"/></contacts>
  <interactions>
    <interaction id="base" systems="arm"><FixedJointR/><EqualityConditionNSL/></interaction>
    <interaction id="j1" systems="arm sun"><PivotJointR point="0 0 0" axis="0 0 1"/><EqualityConditionNSL/></interaction>
    <interaction id="j2" systems="planet arm"><PivotJointR point="1 0 0" axis="0 0 1"/><EqualityConditionNSL/></interaction>
    <interaction id="gear"><CouplerJointR joints="j1 j2" ratio="1" collide="false"/><EqualityConditionNSL/></interaction>
  </interactions>
  <simulation T="0.5"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o out.csv && tail -1 out.csv | python3 -c 'import csv; r = list(csv.DictReader(open("out.csv")))[-1]; print(abs(float(r["sun.Omega_z"]) - 2) < 1e-9, abs(float(r["planet.Omega_z"]) + 2) < 1e-9)'; sed 's/ collide="false"//' m.xml >n.xml; nssim -q n.xml -o n.csv
exit 65
stdout <<
True True
>>
stderr-match overlap by 0.
