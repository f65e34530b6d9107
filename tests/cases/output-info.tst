# SPDX-License-Identifier: GPL-3.0-or-later
# nssim info, and outputs as the command line makes them.

case info-h5
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim info out.h5
stdout-match ^out\.h5: Ball bouncing on the ground$
stdout-match ^  status       complete$
stdout-match ^  rows         2001, t = 0 s to 10 s$
stdout-match systems/ball/q +\[2001 x 3\] +x \[m\], y \[m\], phi \[rad\]$
stdout-match interactions/ground/lambda +\[2001 x 1\] +N s \(per step\)$
stdout-match ^    steps +2000
stdout-match ^    penetration_max +[0-9.e-]+ m
stdout-match ^  made from .*bouncing-ball\.xml  sha256 [0-9a-f]{16}
stderr <<
>>

case info-csv-says-the-same
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv
exists out.events.csv
exists out.json
verify for f in h5 csv; do nssim info out.$f | grep -v '^  \(command\|run\|where\|libraries\) ' | sed 1d >$f.txt; done; diff h5.txt csv.txt

case csv-and-h5-hold-the-same-numbers
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv
verify nssim info out.h5 --print 'ball.?,ground.*,diagnostics.*' >a && nssim info out.csv --print 'ball.?,ground.*,diagnostics.*' >b && cmp a b && test $(wc -l <a) = 2002

case csv-on-stdout-is-the-file
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv && nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o - >stdout.txt
verify cmp out.csv stdout.txt

case events-of-both-formats
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv && nssim info out.h5 --events >h5.txt
verify cmp h5.txt out.events.csv && nssim info out.csv --events | cmp - h5.txt

case info-json
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim info out.h5 --json >j
verify python3 -c 'import json; j = json.load(open("j")); assert j["rows"] == 2001 and j["last"] == 10 and j["provenance"]["status"] == "complete" and j["certificate"]["steps"] == 2000 and j["events"] == sum(j["events_by_kind"].values()), j'

case interrupted-run-is-said-loudly
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 --max-steps 100; nssim info out.h5
stdout-match ^  status       INTERRUPTED \(exit 75\): the file ends at t = 0\.5 s of 10 s

case killed-run-is-said-loudly
file slow.xml <<
<model xmlns="urn:nssim:model:1" name="slow">
  <systems>
    <LagrangianLinearTIDS id="mass" coordinates="x">
      <q0>1</q0>
      <v0>0</v0>
      <mass>1</mass>
      <K>1</K>
    </LagrangianLinearTIDS>
  </systems>
  <simulation t0="0" T="1e9">
    <TimeStepping h="0.001">
      <MoreauJeanOSI theta="0.5"/>
    </TimeStepping>
  </simulation>
  <output every="1000"/>
</model>
>>
run nssim run -q slow.xml -o out.h5 & for i in $(seq 400); do sleep 0.2; nssim info out.h5 2>/dev/null | grep -q 'ends at' && break; done; kill -9 $!; wait $! 2>/dev/null; nssim info out.h5; nssim plot out.h5 mass.x --size 70x15 >/dev/null
stdout-match ^  status       RUNNING OR KILLED: the file ends at t = [0-9.]+ s of 1000000000 s
stdout-match ^  certificate  none

case unknown-quantity
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim info out.h5 --print ground.lamda
exit 2
stdout <<
>>
stderr-match did you mean "ground\.lambda"\?

case foreign-table
file data.csv <<
t,height,note
0,1,start
0.5,0.25,
1,0,end
>>
run nssim info data.csv; nssim info data.csv --print height
stdout-match a table of another program
stdout-match ^  rows         3, t = 0 s to 1 s$
stdout-match ^0\.5,0\.25$

# Whatever the layout, a table of numbers by blanks is the same; columns by name and by number.
case tables-by-blanks
file random.py <<
import random
random.seed(17)
for case in range(10):
    n, m = random.randint(2, 30), random.randint(2, 6)
    t = 0.0
    rows = []
    for i in range(n):
        rows.append([repr(t)] + [repr(random.choice([random.gauss(0, 1), float(random.randint(-9, 9)), random.gauss(0, 1e-30)])) for _ in range(m - 1)])
        t += random.random() + 0.01
    names = ["time"] + ["c%d" % k for k in range(2, m + 1)]
    gap = lambda: random.choice([" ", "  ", "\t", " \t "])
    def line(words): return random.choice(["", " ", "\t"]) + "".join(w + gap() for w in words[:-1]) + words[-1] + random.choice(["", " ", "\r"]) + "\n"
    body = [line(r) for r in rows]
    open("%d.csv" % case, "w").write(",".join(names) + "\n" + "".join(",".join(r) + "\n" for r in rows))
    open("%d.a.dat" % case, "w").write("# made by hand\n" + " ".join(names) + "\n" + "".join(body))
    open("%d.b.ref" % case, "w").write("# " + " ".join(names) + "\n" + "".join(b + ("# remark\n" if random.random() < .2 else "\n" if random.random() < .2 else "") for b in body))
    open("%d.c.ref" % case, "w").write("%d %d\n" % (n, m) + "".join(body).rstrip("\n"))
    open("%d.d.txt" % case, "w").write("\n".join(" ".join(r) for r in rows))
    open("%d.maps" % case, "w").write("".join("%s=%d\n" % (x, k + 1) for k, x in enumerate(names) if k))
>>
run python3 random.py; for k in 0 1 2 3 4 5 6 7 8 9; do for x in a.dat b.ref; do nssim compare $k.csv $k.$x --rtol 0 --atol 0 -q || echo $k.$x; done; for x in c.ref d.txt; do nssim compare $k.csv $k.$x --map-file $k.maps --rtol 0 --atol 0 -q || echo $k.$x; done; nssim info $k.csv --print 2 | cut -d, -f2 | sed 1d >v; nssim info $k.c.ref --print 2 | cut -d, -f2 | sed 1d | cmp - v; nssim info $k.b.ref --print c2 | cut -d, -f2 | sed 1d | cmp - v; done; nssim plot 0.d.txt 1:2 -o a.svg && nssim plot 0.csv 1.d.txt 2 -o b.svg && ls *.svg
stdout <<
a.svg
b.svg
>>

case tables-by-blanks-that-are-none
file a.dat <<
t x
0 1
1 2 3
>>
file b.dat <<
0 1
1 y
>>
file c.dat <<
# only remarks
>>
file d.dat <<
0 1
1
>>
run for k in a b c d; do nssim info $k.dat; done; printf '0 1\n1 2\n' >e.dat; nssim info e.dat --print 3
exit 2
stdout <<
>>
stderr <<
nssim: error: a.dat:3: more than 2 fields, expected as many as in the header
nssim: error: b.dat:2: column "2": "y" is not a number
nssim: error: c.dat: not a table of results: the first line has no names of columns
nssim: error: d.dat:2: 1 field, expected 2 as in the first row
nssim: error: e.dat: no quantity "3"; `nssim info e.dat` lists them
>>

# What is not there is answered with the name that was meant, or with what writes it.
case no-such-file
file run.csv <<
t
0
>>
run for f in nowhere.h5 rum.csv; do nssim info $f; nssim export $f; nssim plot $f x; nssim compare run.csv $f; done
exit 66
stderr <<
nssim: error: nowhere.h5: cannot read: No such file or directory; correct its path, or write it with `nssim run MODEL.xml -o nowhere.h5`
nssim: error: nowhere.h5: cannot read: No such file or directory; correct its path, or write it with `nssim run MODEL.xml -o nowhere.h5`
nssim: error: nowhere.h5: cannot read: No such file or directory; correct its path, or write it with `nssim run MODEL.xml -o nowhere.h5`
nssim: error: nowhere.h5: cannot read: No such file or directory; correct its path, or write it with `nssim run MODEL.xml -o nowhere.h5`
nssim: error: rum.csv: cannot read: No such file or directory; did you mean run.csv?
nssim: error: rum.csv: cannot read: No such file or directory; did you mean run.csv?
nssim: error: rum.csv: cannot read: No such file or directory; did you mean run.csv?
nssim: error: rum.csv: cannot read: No such file or directory; did you mean run.csv?
>>

case model-is-no-result
run nssim info $MODELS/bouncing-ball/bouncing-ball.xml
exit 66
stderr-match bouncing-ball\.xml

case output-into-missing-folder
run nssim run $MODELS/bouncing-ball/bouncing-ball.xml -o missing/out.h5
exit 73
stderr-match missing/out\.h5: cannot create: No such file or directory; create its folder first

case output-is-a-folder
run mkdir out.h5; nssim run $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5
exit 73
stderr-match out\.h5: cannot create: it is a folder

case output-of-unknown-kind
run nssim run $MODELS/bouncing-ball/bouncing-ball.xml -o out.dat
exit 2
stderr-match end it in \.h5 or \.csv

case device-is-full
run nssim run $MODELS/bouncing-ball/bouncing-ball.xml -o - >/dev/full
exit 74
stderr-match No space left on device

# HDF5's own tools and Python as independent readers

case h5dump-reads-it
skip-unless command -v h5dump
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && h5dump -a /provenance/status -d /time -s 2000 -c 1 out.h5
stdout-match "complete"
stdout-match \(2000\): 10$

case python-reads-it
skip-unless /usr/bin/python3 -c "import h5py, numpy"
file read.py <<
import csv
import h5py, numpy as np

f = h5py.File("out.h5", "r")
assert f.attrs["format"] == b"nssim-output-1" or f.attrs["format"] == "nssim-output-1"
q = f["systems/ball/q"]
assert q.shape == (2001, 3) and q.dtype == np.float64
assert [n.decode() for n in q.attrs["names"]] == ["x", "y", "phi"]
lam = f["interactions/ground/lambda"]
assert b"impulse (not a force)" in bytes(lam.attrs["help"]) and bytes(lam.attrs["unit"]) == b"N s"
rows = list(csv.reader(open("out.csv")))
head, body = rows[0], np.array(rows[1:], dtype=float)
assert np.array_equal(body[:, head.index("ball.y")], q[:, 1])
assert np.array_equal(body[:, 0], f["time"][:])
assert np.array_equal(body[:, head.index("ground.lambda")], lam[:, 0])
e = f["events"]
assert e.dtype.names == ("time", "kind", "interaction", "index", "row", "velocity_before", "velocity_after", "impulse", "energy_lost", "mode_before",
                         "mode_after")
kinds = h5py.check_enum_dtype(e.dtype["kind"])
assert kinds == {"impact": 0, "contact": 1, "release": 2}
first = e[0]
assert first["interaction"] == b"ground" and first["velocity_before"] < 0 < first["velocity_after"]
assert abs(first["velocity_after"] + 0.9 * first["velocity_before"]) < 1e-12
# impulse over the step is the momentum it changed: m = 1, gravity over one step of 5 ms
k = int(round(first["time"] / 0.005))
v = f["systems/ball/v"][:, 0]
assert abs(v[k] - v[k - 1] - lam[k, 0] + 9.81 * 0.005) < 1e-12
assert f["certificate"].attrs["steps"] == 2000 and f["provenance"].attrs["exit"] == 0
p = {r["name"].decode(): r["value"] for r in f["model/parameters"]}
assert p["e"] == 0.9 and b"<model" in f["model/xml"][()]
>>
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv && /usr/bin/python3 read.py

# Reading never waits and never fills the memory.
case info-of-a-pipe
setup mkfifo out.csv
run timeout 100 nssim info out.csv
exit 66
stderr <<
nssim: error: out.csv is a pipe or a device, not a file; write the results to a file first
>>

case info-of-a-device-without-end
skip-unless ! grep -q fsanitize $BUILD/flags
run ulimit -v 1000000; timeout 100 nssim info /dev/zero
exit 66
stderr <<
nssim: error: /dev/zero is a pipe or a device, not a file; write the results to a file first
>>

case info-of-a-companion-that-is-a-pipe
copy cli/ball.xml
setup nssim -q ball.xml -o out.csv; rm out.json; mkfifo out.json
run timeout 100 nssim info out.csv
exit 0

case info-of-a-large-file-of-nothing
setup truncate -s 8G out.csv
run timeout 100 nssim info out.csv
exit 66
stderr <<
nssim: error: out.csv: neither an HDF5 file nor a text: it has NUL bytes
>>

# A file that libhdf5 1.10 falls over.
case info-of-a-damaged-file
setup gunzip -c $TOP/tests/data/damaged.h5.gz >damaged.h5
run nssim info damaged.h5
exit 66
stderr-match ^nssim: error: damaged.h5: 

case plot-of-a-damaged-file
setup gunzip -c $TOP/tests/data/damaged.h5.gz >damaged.h5
run nssim plot damaged.h5 ball.x
exit 66
stderr-match ^nssim: error: damaged.h5: 

# The module that reads and writes HDF5 uses structures of the program: only that of the same build.
case hdf5-module-of-another-version
file module.c <<
struct module { int abi; const char *version, *headers; };
const struct module *ns_hdf5_module_get(void);
const struct module *ns_hdf5_module_get(void)
{
  static const struct module m = {10, VERSION, "1-2"};
  return &m;
}
>>
run mkdir old && ${CC:-cc} -shared -fPIC -DVERSION='"0.0.9"' -o old/nssim-hdf5.so module.c && NSSIM_MODULE_PATH=old nssim $MODELS/bouncing-ball/bouncing-ball.xml -q -o out.h5
exit 73
stderr-match ^nssim: error: old/nssim-hdf5\.so: is of nssim 0\.0\.9, expected the module of this program, nssim \$VERSION; install both from one package; HDF5 files cannot be used; for CSV write "-o out\.csv"$

case hdf5-module-of-another-build
file module.c <<
struct module { int abi; const char *version, *headers; };
const struct module *ns_hdf5_module_get(void);
const struct module *ns_hdf5_module_get(void)
{
  static const struct module m = {10, VERSION, "1-2"};
  return &m;
}
>>
run mkdir old && ${CC:-cc} -shared -fPIC -DVERSION="\"$(nssim --version | sed -n '1s/^nssim //p')\"" -o old/nssim-hdf5.so module.c && NSSIM_MODULE_PATH=old nssim $MODELS/bouncing-ball/bouncing-ball.xml -q -o out.h5
exit 73
stderr-match ^nssim: error: old/nssim-hdf5\.so: is of another build of nssim \$VERSION than this program; install both from one build; HDF5 files cannot be used

case hdf5-module-that-is-none
run mkdir old && echo 'int nothing = 1;' >n.c && ${CC:-cc} -shared -fPIC -o old/nssim-hdf5.so n.c && NSSIM_MODULE_PATH=old nssim $MODELS/bouncing-ball/bouncing-ball.xml -q -o out.h5
exit 73
stderr-match ^nssim: error: old/nssim-hdf5\.so: is not a module of nssim; HDF5 files cannot be used

# A file of a small run is mostly its rows and their names: tables of events and of contacts take the room of a few rows.
case small-runs-have-small-files
copy cli/ball.xml
file box.xml <<
<model xmlns="urn:nssim:model:1" name="a">
  <systems><NewtonEulerDS id="ball"><q0>0 0 0.1 1 0 0 0</q0><Sphere radius="0.1" density="100"/><fExt>0 0 -1</fExt></NewtonEulerDS></systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.3"/><Plane normal="0 0 1"/></contacts>
  <simulation T="1"><TimeStepping h="1e-2"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q ball.xml -p T=0.5 -o a.h5 && nssim -q box.xml -o b.h5 && test $(stat -c %s a.h5) -lt 70000 && test $(stat -c %s b.h5) -lt 110000 && h5dump -d /contacts b.h5 | grep -c "^ *([0-9]*): {"
stdout <<
100
>>
