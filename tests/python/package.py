# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package against the program: HDF5 and CSV read to the same numbers, names and units, which are those of
`nssim info`; what the program refuses is raised with its sentences. run-python starts it."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

TOP = os.environ.get("TOP") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
os.environ.setdefault("NSSIM", os.path.join(TOP, "build", "nssim"))

import nssim  # noqa: E402

try:
    import pandas
except ImportError:
    pandas = None

MODELS = os.path.join(TOP, "models")


def example(name):
    return os.path.join(MODELS, name, name + ".xml")


BALL = example("bouncing-ball")
# A model of each kind: mechanics, circuits, first order, bodies, event-driven, many objects, controls, measures.
KINDS = ["bouncing-ball", "diode-bridge-netlist", "relay-oscillator", "box-stack", "stick-slip-belt", "bead-column-1000",
         "pid", "dc-motor", "planar-stack", "pendulum-joint", "gene-two"]


def said(*words):
    return subprocess.run([os.environ["NSSIM"], *words], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name

    def at(self, name):
        return os.path.join(self.path, name)


class Reading(Folder):
    def test_formats_agree(self):
        """HDF5 and CSV of a run: the same labels, units, numbers, events, contacts and measures."""
        for name in KINDS:
            steps = {"max_steps": 40} if name == "bead-column-1000" else {}
            pair = []
            for suffix in (".h5", ".csv"):
                try:
                    pair.append(nssim.run(example(name), output=self.at(name + suffix), **steps))
                except nssim.Interrupted:
                    pair.append(nssim.open(self.at(name + suffix)))
            h5, table = pair
            with self.subTest(model=name):
                self.assertEqual(sorted(h5.labels), sorted(table.labels))
                self.assertEqual(set(h5.channels), set(table.channels))
                np.testing.assert_array_equal(h5.time, table.time)
                for label in table.labels if len(table.labels) < 500 else table.labels[::97]:
                    np.testing.assert_array_equal(h5[label], table[label], label)
                    self.assertEqual(h5.unit(label), table.unit(label), label)
                for path, channel in table.channels.items():
                    mine = h5.channels[path]
                    self.assertEqual((mine.labels, mine.kind, mine.help, mine.vector),
                                     (channel.labels, channel.kind, channel.help, channel.vector), path)
                    self.assertEqual(h5[path].shape, table[path].shape)
                for what in ("events", "contacts"):
                    a, b = getattr(h5, what), getattr(table, what)
                    self.assertEqual(a.dtype.names, b.dtype.names)
                    for column in a.dtype.names or ():
                        np.testing.assert_array_equal(a[column], b[column], f"{what} {column}")
                self.assertEqual(h5.parameters, table.parameters)
                self.assertEqual(h5.sources, table.sources)
                self.assertEqual(h5.certificate, table.certificate)
                self.assertEqual(set(h5.measures), set(table.measures))
                for k, m in table.measures.items():
                    for field in m._fields:
                        x, y = getattr(h5.measures[k], field), getattr(m, field)
                        np.testing.assert_array_equal(x, y, f"{k} {field}")

    def test_as_info_says(self):
        result = nssim.run(example("box-stack"), output=self.at("a.h5"))
        info = json.loads(said("info", "--json", self.at("a.h5")))
        self.assertEqual(info["rows"], len(result))
        self.assertEqual(info["events"], len(result.events))
        rows = list(csv.DictReader(io.StringIO(said("info", self.at("a.h5"), "--print", "box1.z"))))
        np.testing.assert_array_equal([float(r["box1.z"]) for r in rows], result["box1.z"])
        self.assertGreater(len(result.contacts), 0)
        # Contacts of a row carry the time of that row.
        np.testing.assert_array_equal(result.time[result.contacts["row"]], result.contacts["time"])

    def test_ball(self):
        result = nssim.run(BALL)
        self.assertEqual(result.parameters["g"], nssim.Parameter(9.81, "m/s^2"))
        self.assertEqual((result.unit("ball.x"), result.unit("time"), result.unit("ball.q")), ("m", "s", ("m", "m", "rad")))
        self.assertEqual(result["ball.q"].shape, (2001, 3))
        np.testing.assert_array_equal(result["ball.q"][:, 0], result["ball.x"])
        self.assertTrue(result.complete and "ball.x" in result and "ball.nothing" not in result)
        impacts = result.events[result.events["kind"] == "impact"]
        self.assertEqual(len(impacts), result.certificate["impacts"])
        np.testing.assert_allclose(impacts["velocity_after"], -0.9 * impacts["velocity_before"], rtol=1e-9)
        self.assertIn('<NewtonImpactNSL', result.xml)
        with self.assertRaisesRegex(nssim.UnknownQuantity, 'no quantity "ball.xx"; did you mean "ball.x"'):
            result["ball.xx"]

    def test_scales(self):
        """Every dimension of every channel has a scale of its length, without which netCDF reads none of the file."""
        for name in ("box-stack", "diode-bridge-netlist", "bead-column-1000"):
            with self.subTest(model=name), self.assertRaises(nssim.Interrupted):
                nssim.run(example(name), output=self.at("a.h5"), max_steps=5)
            with h5py.File(self.at("a.h5"), "r") as f:
                for path in nssim.open(self.at("a.h5")).channels:
                    scales = [[f[x.name] for x in d.values()] for d in f[path].dims]
                    self.assertEqual([[len(x) for x in s] for s in scales], [[n] for n in f[path].shape], path)
                    self.assertEqual(scales[0][0].name, "/time")
                    # Each scale names what it is of in turn.
                    for k, (s,) in enumerate(scales):
                        self.assertIn((path, k), [(f[r].name[1:], i) for r, i in s.attrs["REFERENCE_LIST"]], path)
            if shutil.which("ncdump"):
                said = subprocess.run(["ncdump", "-h", self.at("a.h5")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(said.returncode, 0, said.stdout[-500:])

    def test_cut(self):
        """A CSV whose last line was cut by a kill: what is whole counts."""
        nssim.run(BALL, output=self.at("a.csv"))
        with open(self.at("a.csv"), "rb+") as f:
            f.truncate(os.path.getsize(self.at("a.csv")) - 3)
        self.assertEqual(len(nssim.open(self.at("a.csv"))), 2000)

    def test_refused(self):
        with open(self.at("x.h5"), "w", encoding="utf-8") as f:
            f.write("no HDF5")
        with open(self.at("x.csv"), "w", encoding="utf-8") as f:
            f.write("a,b\n1,2\n")
        for name, sentence in (("none.h5", "no such file"), ("x.h5", "not an HDF5 file"), ("x.csv", "x.json is missing")):
            with self.assertRaisesRegex(nssim.Error, sentence):
                nssim.open(self.at(name))

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frame(self):
        result = nssim.run(BALL)
        frame = result.frame(["ball.q", "ground.y"])
        self.assertEqual(list(frame.columns), ["ball.x", "ball.y", "ball.phi", "ground.y"])
        self.assertEqual(frame.attrs["units"]["ball.phi"], "rad")
        np.testing.assert_array_equal(frame.index, result.time)
        self.assertEqual(list(result.frame().columns), result.labels)
        self.assertEqual(len(result.events_frame()), len(result.events))
        self.assertIn("point_z", nssim.run(example("box-stack")).contacts_frame())


class Running(Folder):
    def test_parameters_and_options(self):
        result = nssim.run(BALL, {"e": 0.5, "R": "200 mm"}, t_end=1.0, every=10)
        self.assertEqual((result.parameters["e"].value, result.parameters["R"].value), (0.5, 0.2))
        self.assertEqual((result.time[-1], len(result)), (1.0, 21))
        path = os.path.dirname(result.path)
        self.assertTrue(os.path.isdir(path))
        del result
        self.assertFalse(os.path.exists(path))

    def test_numbers_survive(self):
        e = float(np.nextafter(0.7, 1))
        self.assertEqual(nssim.run(BALL, {"e": np.float64(e)}).parameters["e"].value, e)

    def test_errors(self):
        with open(self.at("bad.xml"), "w", encoding="utf-8") as f:
            f.write('<model xmlns="urn:nssim:model:1">\n<sistems/>\n</model>\n')
        with self.assertRaisesRegex(nssim.ModelError, "bad.xml:2: unknown element <sistems>.*did you mean <systems>") as e:
            nssim.run(self.at("bad.xml"))
        self.assertEqual(e.exception.status, 65)
        self.assertFalse(any(m.startswith("nssim") for m in e.exception.messages))
        with self.assertRaisesRegex(TypeError, 'given by a dictionary: {"e": 0.5}'):
            nssim.run("ball.xml", e=0.5)
        with self.assertRaisesRegex(FileNotFoundError, "none.h5: no such file"):
            nssim.open("none.h5")
        with self.assertRaises(nssim.ModelError):
            nssim.check(self.at("bad.xml"))
        with self.assertRaises(nssim.UsageError):
            nssim.run(BALL, {"nothing": 1})
        with self.assertRaises(nssim.InputError):
            nssim.run(self.at("none.xml"))
        with self.assertRaises(nssim.Interrupted):
            nssim.run(BALL, output=self.at("a.h5"), max_steps=10)
        self.assertEqual(nssim.open(self.at("a.h5")).status, "interrupted")
        before = os.environ["NSSIM"]
        os.environ["NSSIM"] = self.at("none")
        try:
            with self.assertRaisesRegex(nssim.Error, "NSSIM names, does not exist"):
                nssim.run(BALL)
        finally:
            os.environ["NSSIM"] = before

    def test_check_and_version(self):
        self.assertEqual(nssim.check(BALL)["systems"], 1)
        self.assertRegex(nssim.version(), r"^\d+\.\d+")

    def test_compare(self):
        a, b = nssim.run(BALL), nssim.run(BALL, {"R": 0.1001})
        self.assertTrue(nssim.compare(a, a))
        self.assertFalse(nssim.compare(b, a).same)
        self.assertTrue(nssim.compare(b, a, time_tol=0.01, rtol=0.5))
        with self.assertRaises(nssim.InputError):
            nssim.compare(a, self.at("none.h5"))

    def test_sweep(self):
        study = nssim.sweep({"e": [0.5, 0.7, 0.9], "T": [1, 1, 1]}, self.at("out"), model=BALL, jobs=2)
        self.assertEqual((len(study), list(study.status)), (3, ["complete"] * 3))
        for e, x in zip(study["e"], study["ball.x"]):
            self.assertEqual(nssim.run(BALL, {"e": e}, t_end=1)["ball.x"][-1], x)
        with self.assertRaisesRegex(nssim.UnknownQuantity, "did you mean"):
            study["ball.xx"]
        if pandas is not None:
            self.assertEqual(list(study.frame()["e"]), [0.5, 0.7, 0.9])
        with self.assertRaises(nssim.Error):
            nssim.sweep({"e": [1], "T": [1, 2]}, self.at("odd"), model=BALL)

    def test_words(self):
        """Words among the columns of a study: written, run, and read from both tables, "" where the model's is kept."""
        for solver in (["lemke", "pgs"], np.array(["lemke", "pgs"])):
            study = nssim.sweep({"#ball/v0": ["1 0 0", "2, 0, 0"], "solver": solver, "T": np.array([1, 2])}, self.at("out"), model=BALL)
            self.assertEqual((list(study["#ball/v0"]), list(study["solver"])), (["1 0 0", "2, 0, 0"], ["lemke", "pgs"]))
            np.testing.assert_array_equal(study["T"], [1, 2])
        with open(self.at("s.csv"), "w", encoding="utf-8") as f:
            f.write("e,solver,T\n0.5,lemke,1\n0.7,,1\n")
        study = nssim.sweep(self.at("s.csv"), self.at("two"), model=BALL)
        self.assertEqual(list(study["solver"]), ["lemke", ""])
        h5 = nssim.Study(self.at("two/measures.h5"))
        self.assertEqual(sorted(h5.labels), sorted(study.labels))
        for name in ("run", "key", "status", *study.labels):
            np.testing.assert_array_equal(h5[name], study[name], name)
        for name in ("two/measures.h5", "two/measures.csv"):
            with self.assertRaisesRegex(nssim.Error, "table of a sweep: use nssim.Study"):
                nssim.open(self.at(name))
        nssim.run(BALL, output=self.at("a.h5"), max_steps=None, t_end=0.1)
        with self.assertRaisesRegex(nssim.Error, "not the table of a sweep"):
            nssim.Study(self.at("a.h5"))

    def test_samples(self):
        study = nssim.sweep(os.path.join(MODELS, "vibrating-table", "bifurcation.xml"), self.at("out"), share=None)
        self.assertEqual(study["takeoff"].shape, (141, 8))
        np.testing.assert_array_equal(nssim.Study(self.at("out/measures.h5"))["takeoff"], study["takeoff"])
        self.assertAlmostEqual(study["Gamma"][0], 1.3)


if __name__ == "__main__":
    ran = unittest.main(exit=False, argv=[sys.argv[0]]).result
    bad = len(ran.failures) + len(ran.errors)
    for test, reason in ran.skipped:
        print(f"SKIP {test}: {reason}")
    print(f"RESULT {ran.testsRun - bad - len(ran.skipped)} {bad} {len(ran.skipped)}")
    sys.exit(bad > 0)
