# SPDX-License-Identifier: GPL-3.0-or-later
"""vtk.py OUT.pvd TABLE.csv -- each frame holds what the table says of systems with coordinates x y phi."""
import csv
import os
import sys
import xml.etree.ElementTree as tree

rows = {}
for row in csv.DictReader(open(sys.argv[2])):
    rows[float(row["time"])] = row
names = [label[:-2] for label in next(iter(rows.values())) if label.endswith(".x")]
frames = tree.parse(sys.argv[1]).findall(".//DataSet")
assert 5 < len(frames) <= 11, len(frames)
assert float(frames[0].get("timestep")) == 0 and float(frames[-1].get("timestep")) == max(rows)


def array(root, name):
    item = root.find(f".//DataArray[@Name='{name}']")
    return [float(x) for x in item.text.split()], int(item.get("NumberOfComponents"))


for frame in frames:
    row = rows[float(frame.get("timestep"))]
    root = tree.parse(os.path.join(os.path.dirname(sys.argv[1]), frame.get("file"))).getroot()
    piece = root.find(".//Piece")
    assert int(piece.get("NumberOfPoints")) == len(names) == int(piece.get("NumberOfVerts"))
    want = {"position": [], "velocity": [], "impulse": [], "angle": []}
    for name in names:
        want["position"] += [float(row[name + ".x"]), float(row[name + ".y"]), 0]
        want["velocity"] += [float(row[name + ".v_x"]), float(row[name + ".v_y"]), 0]
        want["impulse"] += [float(row[name + ".p_x"]), float(row[name + ".p_y"]), 0]
        want["angle"] += [float(row[name + ".phi"])]
    for key, values in want.items():
        found, n = array(root, key)
        assert found == values and n * len(names) == len(values), (key, frame.get("timestep"))
    n = len(names)
    assert array(root, "connectivity")[0] == list(range(n)) and array(root, "offsets")[0] == list(range(1, n + 1))
