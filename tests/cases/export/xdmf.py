# SPDX-License-Identifier: GPL-3.0-or-later
"""xdmf.py OUT.xmf TABLE.csv N -- N points of systems with coordinates x y phi; each hyperslab is read by h5dump."""
import csv
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

rows = {float(r["time"]): r for r in csv.DictReader(open(sys.argv[2]))}
names = [label[:-2] for label in next(iter(rows.values())) if label.endswith(".x")]
assert len(names) == int(sys.argv[3])


def shape(path, dataset):
    head = subprocess.run(["h5dump", "-H", "-d", dataset, path], check=True, capture_output=True, text=True).stdout
    return [int(n) for n in re.search(r"SIMPLE \{ \( ([0-9, ]+) \)", head).group(1).split(",")]


def values(item):
    """What a reader of XDMF gets of a DataItem."""
    if item.get("ItemType") != "HyperSlab":
        return [float(x) for x in item.text.split()]
    slab, data = item.findall("DataItem")
    n = [int(x) for x in slab.text.split()]
    path, dataset = data.text.strip().split(":")
    assert [int(x) for x in data.get("Dimensions").split()] == shape(path, dataset)
    rank = len(n) // 3
    part = [",".join(map(str, n[k * rank:(k + 1) * rank])) for k in range(3)]
    out = subprocess.run(["h5dump", "-y", "-w", "0", "-m", "%.17g", "-d", dataset, "-s", part[0], "-S", part[1], "-c", part[2], path],
                         check=True, capture_output=True, text=True).stdout
    return [float(x) for x in re.search(r"DATA \{(.*?)\}", out, re.DOTALL).group(1).replace(",", " ").split()]


frames = tree.parse(sys.argv[1]).getroot().find("Domain/Grid").findall("Grid")
assert tree.parse(sys.argv[1]).getroot().find("Domain/Grid").get("CollectionType") == "Temporal"
assert 2 <= len(frames) <= 3
for frame in frames[-1:]:
    row = rows[float(frame.find("Time").get("Value"))]
    clouds = frame.findall("Grid") or [frame]
    found = []
    for cloud in clouds:
        n = int(cloud.find("Topology").get("NumberOfElements"))
        axes = [values(item) for item in cloud.findall("Geometry/DataItem")]
        assert [len(x) for x in axes] == [n] * 3
        velocity = values(cloud.find("Attribute[@Name='velocity_x']/DataItem"))
        angle = values(cloud.find("Attribute[@Name='angle']/DataItem"))
        found += list(zip(*axes, velocity, angle))
    want = [(float(row[k + ".x"]), float(row[k + ".y"]), 0.0, float(row[k + ".v_x"]), float(row[k + ".phi"])) for k in names]
    assert found == want
