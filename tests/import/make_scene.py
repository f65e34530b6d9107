#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Scenes as siconos.io.mechanics_run writes them: the tree and the types of h5py that its writer uses.
import h5py
import numpy as np


class Scene:
    def __init__(self, path, dimension=3):
        self.f = h5py.File(path, "w")
        self.f.attrs["dimension"] = dimension
        data = self.f.create_group("data")
        for name in ("ref", "input", "nslaws", "joints", "boundary_conditions", "permanent_interactions", "plugins",
                     "external_functions"):
            data.create_group(name)
        self.data, self.dimension, self.fixed, self.moving = data, dimension, 0, 0

    def primitive(self, name, kind, size, **margins):
        d = self.data["ref"].create_dataset(name, (1, len(size)))
        d[:] = size
        d.attrs["type"], d.attrs["primitive"] = "primitive", kind
        d.attrs.update(margins)

    def convex(self, name, points, **margins):
        d = self.data["ref"].create_dataset(name, np.shape(points))
        d[:] = points
        d.attrs["type"] = "convex"
        d.attrs.update(margins)

    def heights(self, name, values, rect):
        d = self.data["ref"].create_dataset(name, data=np.array(values, float))
        d.attrs["type"], d.attrs["rect"] = "heightmap", rect

    def vtp(self, name, text):
        d = self.data["ref"].create_dataset(name, (1,), dtype=h5py.special_dtype(vlen=str))
        d[:] = text
        d.attrs["type"] = "vtp"

    def body(self, name, shapes, at, mass=None, **more):
        g = self.data["input"].create_group(name)
        g.attrs["translation"] = at
        g.attrs["orientation"] = more.pop("orientation", [1.0, 0, 0, 0])
        g.attrs["velocity"] = more.pop("velocity", [0.0] * (6 if self.dimension == 3 else 3))
        g.attrs["center_of_mass"] = more.pop("center_of_mass", [0.0, 0, 0])
        g.attrs["allow_self_collide"] = False
        if mass is not None:
            g.attrs["mass"] = mass
        for key, value in more.items():
            g.attrs[key] = value
        for k, shape in enumerate(shapes):
            shape = shape if isinstance(shape, dict) else {"shape": shape}
            d = g.create_dataset("%s-%d" % (shape["shape"], k), (0, 0))
            d.attrs["instance_name"], d.attrs["shape_name"] = d.name, shape["shape"]
            d.attrs["group"] = shape.get("group", 0)
            d.attrs["translation"] = shape.get("at", [0.0, 0, 0])
            d.attrs["orientation"] = shape.get("turn", [1.0, 0, 0, 0])
        return g

    def law(self, name, kind="NewtonImpactFrictionNSL", **more):
        d = self.data["nslaws"].create_dataset(name, (0,))
        d.attrs["type"] = kind
        d.attrs.update(more)

    def joint(self, name, kind, object1, object2=None, **more):
        d = self.data["joints"].create_dataset(name, (0,))
        d.attrs["type"], d.attrs["object1"] = kind, object1
        if object2:
            d.attrs["object2"] = object2
        for key, value in more.items():
            d.attrs[key] = value

    def condition(self, name, kind, body, **more):
        d = self.data["boundary_conditions"].create_dataset(name, (0,))
        d.attrs["type"], d.attrs["object1"] = kind, body
        d.attrs.update(more)

    def close(self):
        self.f.close()
