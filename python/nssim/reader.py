# SPDX-License-Identifier: GPL-3.0-or-later
"""A result of nssim as arrays: HDF5 or CSV with the same interface (nssim-output(5) describes both).

A quantity is named as in nssim: a label, "ball.x", is one column; a channel, "ball.q" or "systems/ball/q", is all
columns of a dataset. Arrays are copies of float64; values are in the units that `unit` says, SI.
"""

import builtins
import csv
import difflib
import json
import os
from collections import namedtuple

import numpy as np

from .errors import Error, MissingFile, UnknownQuantity

Channel = namedtuple("Channel", "path labels names units kind help vector")
Channel.__doc__ = """A dataset of a result.

path    "systems/ball/q"
labels  the names of its columns, ("ball.x", "ball.y")
names   the components without the system, ("x", "y"), or None
units   one for each column, "" where unknown
kind    how it goes from row to row: "continuous", "held", "per step", "per event", "mixed"
help    what it is, in words
vector  whether its array has a second axis, [rows x columns]"""

Parameter = namedtuple("Parameter", "value unit")
Parameter.__doc__ = "A parameter of the model: value in `unit`, which is \"\" where the model says none."

Measure = namedtuple("Measure", "value unit kind help time undefined")
Measure.__doc__ = """A measure of a run.

value      a number; of kind sample an array, oldest first; nan where it has none
time       when the value was taken, s, or None; of kind sample an array
undefined  why there is no value, or None"""

KINDS = ("impact", "contact", "release", "switch", "accumulation", "user", "stick", "slip", "branch", "jam", "formula", "birth", "death")
MODES = ("free", "loaded", "closed", "lower", "between", "upper", "stick", "slip")
TEXTS = {"kind", "interaction", "mode_before", "mode_after", "key", "status"}  # columns of CSV that are no numbers
NO_CHANNELS = {"certificate", "model", "provenance", "shapes", "measures"}


def open(path):
    """Open the result at `path`: HDF5 (.h5, .hdf5) or CSV (.csv, with the files beside it)."""
    path = os.fspath(path)
    if not os.path.exists(path):
        raise MissingFile(f"{path}: no such file")
    if path.endswith(".csv"):
        return CsvResult(path)
    return HdfResult(path)


def text(x):
    """Bytes of a file as a str, anything else as it is."""
    return x.decode("utf-8") if isinstance(x, bytes) else x


def words(codes, names):
    """Numbers of kinds or modes as an array of words; what is newer than this list stays a number."""
    return np.array([names[k] if 0 <= k < len(names) else str(k) for k in codes.tolist()], dtype=str)


def records(columns):
    """A record array of columns of one length, {name: array [n] or [n x 3]}."""
    n = len(next(iter(columns.values()))) if columns else 0
    out = np.zeros(n, dtype=[(k, a.dtype, a.shape[1:]) for k, a in columns.items()])
    for k, a in columns.items():
        out[k] = a
    return out


def require_pandas(what):
    try:
        import pandas
    except ImportError as e:
        raise Error(f"{what} needs pandas, which is not installed (in Debian python3-pandas); "
                    "the arrays of the result need it not") from e
    return pandas


def frame_of(table):
    """A record array as a DataFrame; vectors become columns _x, _y, _z."""
    pandas = require_pandas("a DataFrame")
    columns = {}
    for name in table.dtype.names or ():
        if table[name].ndim == 1:
            columns[name] = table[name]
        else:
            columns.update({f"{name}_{axis}": table[name][:, i] for i, axis in enumerate("xyz")})
    return pandas.DataFrame(columns)


class Result:
    """One result. `open` and `run` make them; a context manager, which closes the file.

    path          of the file
    time          [rows] s
    channels      {path: Channel}, in the order of the file
    labels        names of all columns but time
    parameters    {name: Parameter}
    certificate   {name: number}; empty where the run did not come to its end
    provenance    {name: value}: version, command, host, started, status, message, ...
    model         {name: value}: name, title, t0, T, h
    sources       {path: SHA-256} of the files the model was made of
    events        record array: time, kind, interaction, row, velocity_before, velocity_after, impulse, ...
    contacts      record array of contacts between shapes: row, time, a, b, gap, point, normal, force, ...
    measures      {id: Measure}
    """

    def __init__(self, path):
        self.path = path
        self._columns = {}
        for channel in self.channels.values():
            for i, label in enumerate(channel.labels):
                self._columns.setdefault(label, (channel, i))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close the file; arrays that were read stay."""

    def __repr__(self):
        return f"<nssim result {self.path}: {len(self)} rows, {len(self._columns)} columns, {self.status}>"

    def __len__(self):
        """Number of rows."""
        return len(self.time)

    def __contains__(self, name):
        try:
            self._find(name)
        except UnknownQuantity:
            return False
        return True

    def __getitem__(self, name):
        """A column as [rows], or a channel as it is in the file, [rows] or [rows x columns]."""
        if name == "time":
            return self.time
        channel, component = self._find(name)
        values = self._read(channel)
        return values if component is None or not channel.vector else values[:, component].copy()

    @property
    def labels(self):
        return [label for label in self._columns if label != "time"]

    @property
    def status(self):
        """"complete", "failed", "interrupted", or "running": it runs still, or was killed."""
        return self.provenance.get("status", "unknown")

    @property
    def complete(self):
        return self.status == "complete"

    def unit(self, name):
        """The unit of a quantity, "" where it is unknown; of a channel whose columns have several a tuple."""
        if name == "time":
            return "s"
        channel, component = self._find(name)
        if component is not None:
            return channel.units[component]
        return channel.units[0] if len(set(channel.units)) == 1 else channel.units

    def help(self, name):
        """What a quantity is, in words."""
        return self._find(name)[0].help

    def frame(self, names=None):
        """A pandas.DataFrame over time, of all columns or of those that `names` lists (labels and channels).

        frame.attrs["units"] is {column: unit}, frame.attrs["model"] the name of the model.
        """
        pandas = require_pandas("frame()")
        found = []
        for name in self.labels if names is None else names:
            channel, component = self._find(name)
            found += [(channel, component)] if component is not None else [(channel, i) for i in range(len(channel.labels))]
        arrays = {channel.path: self._read(channel) for channel, _ in found}
        columns = {c.labels[i]: arrays[c.path][:, i] if c.vector else arrays[c.path] for c, i in found}
        out = pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))
        out.attrs["units"] = {c.labels[i]: c.units[i] for c, i in found}
        out.attrs["model"] = self.model.get("name", "")
        return out

    def events_frame(self):
        """The table of events as a pandas.DataFrame."""
        return frame_of(self.events)

    def contacts_frame(self):
        """The table of contacts between shapes as a pandas.DataFrame."""
        return frame_of(self.contacts)

    def _find(self, name):
        """(channel, component), component None where a whole channel is named."""
        if name in self._columns:
            return self._columns[name]
        if name in self.channels:
            return self.channels[name], None
        for path, channel in self.channels.items():
            if ".".join(path.split("/")[1:]) == name:
                return channel, None
        near = difflib.get_close_matches(name, [*self._columns, *self.channels], 1)
        hint = f'did you mean "{near[0]}"?' if near else "`labels` lists them"
        raise UnknownQuantity(f'{self.path}: no quantity "{name}"; {hint}')


def label(group, owner, quantity, names, n, i):
    """The name of column i of n, as in the heading of CSV (nssim-output(5), Labels)."""
    if names is None:
        tail = f"{quantity}[{i}]" if group == "systems" or n > 1 else quantity
    elif quantity in ("q", "x", "z") or quantity == "v" and names[i].startswith("Omega_"):
        tail = names[i]
    else:
        tail = f"{quantity}_{names[i]}"
    return f"{owner}.{tail}"


def open_hdf5(path):
    """(h5py, file), without the lock of HDF5, so that a run that writes the file can be watched."""
    try:
        import h5py
    except ImportError as e:
        raise Error(f"{path}: reading HDF5 needs h5py, which is not installed (in Debian python3-h5py); "
                    "CSV (-o out.csv) does not need it") from e
    try:
        try:
            return h5py, h5py.File(path, "r", locking=False)
        except (OSError, TypeError, ValueError):  # open already with its lock, or a library that knows no such argument
            return h5py, h5py.File(path, "r")
    except OSError as e:
        raise Error(f"{path}: not an HDF5 file that can be read: {e}") from e


class HdfResult(Result):
    """A result in HDF5. Quantities are read when they are asked for."""

    def __init__(self, path):
        self._h5py, self._file = open_hdf5(path)
        kind = text(self._file.attrs.get("format", ""))
        if not kind.startswith("nssim-output-"):
            self._file.close()
            raise Error(f"{path}: not a result of nssim" + (", but the table of a sweep: use nssim.Study"
                        if kind.startswith("nssim-sweep-") else ", its root has no attribute format"))
        self.channels = dict(self._find_channels())
        # Of a file that is written still, or whose run was killed, datasets may differ in length.
        self._rows = min([len(self._file["time"])] + [len(self._file[p]) for p in self.channels])
        self.time = self._file["time"][:self._rows]
        self.provenance = self._attributes("provenance")
        self.certificate = self._attributes("certificate")
        self.model = self._attributes("model")
        super().__init__(path)

    def close(self):
        self._file.close()

    def _attributes(self, group):
        if group not in self._file:
            return {}
        return {k: text(v.item() if isinstance(v, np.generic) else v) for k, v in self._file[group].attrs.items()}

    def _find_channels(self):
        for group in self._file:
            if group in NO_CHANNELS or not isinstance(self._file[group], self._h5py.Group):
                continue
            for owner, member in self._file[group].items():
                if isinstance(member, self._h5py.Group):
                    for quantity, data in member.items():
                        yield from self._channel(group, owner, quantity, data)
                else:
                    yield from self._channel(group, "", owner, member)

    def _channel(self, group, owner, quantity, data):
        """A dataset of rows of numbers; others, such as names of columns, are passed over."""
        if data.dtype.kind != "f" or data.ndim not in (1, 2):
            return
        n = data.shape[1] if data.ndim == 2 else 1
        beside = self._file[group] if not owner else {}
        if f"{quantity}_names" in beside:  # one table of many systems
            labels = names = tuple(text(x) for x in beside[f"{quantity}_names"][:].tolist())
            units = tuple(text(x) for x in beside[f"{quantity}_units"][:].tolist()) if f"{quantity}_units" in beside else None
        else:
            names = tuple(text(x) for x in data.attrs["names"].tolist()) if "names" in data.attrs else None
            labels = tuple(label(group, owner or group, quantity, names, n, i) for i in range(n))
            units = None
        said = data.attrs.get("units", data.attrs.get("unit", b""))
        if units is None:
            units = tuple(text(x) for x in said.tolist()) if isinstance(said, np.ndarray) else (text(said),) * n
        path = data.name[1:]
        yield path, Channel(path, labels, names, units, text(data.attrs.get("kind", "")), text(data.attrs.get("help", "")),
                            data.ndim == 2)

    def _read(self, channel):
        return self._file[channel.path][:self._rows]

    def _table(self, name):
        table = self._file[name][:]
        columns = {}
        for k in table.dtype.names:
            a = table[k]
            if k == "kind":
                a = words(a, KINDS)
            elif k in ("mode_before", "mode_after"):
                a = words(a, MODES)
            elif a.dtype.kind == "S":
                a = np.array([text(x) for x in a.tolist()], dtype=str)
            columns[k] = a
        return columns

    @property
    def events(self):
        return records(self._table("events") if "events" in self._file else {})

    @property
    def contacts(self):
        if "contacts" not in self._file:
            return records({})
        rows = np.repeat(np.arange(len(self._file["contact_rows"])), self._file["contact_rows"]["count"].astype(int))
        columns = self._table("contacts")
        n = min(len(rows), len(columns["time"]))
        return records({"row": rows[:n], **{k: a[:n] for k, a in columns.items()}})

    @property
    def measures(self):
        out = {}
        group = self._file["measures"] if "measures" in self._file else {}
        for name, data in group.items():
            if name.endswith(".time") and name[:-5] in group:
                continue
            said = {k: text(v) for k, v in data.attrs.items()}
            time = group[name + ".time"][:] if name + ".time" in group else said.get("time")
            value = data[()]
            out[name] = Measure(value if data.ndim else float(value), said.get("unit", ""), said.get("kind", ""),
                                said.get("help", ""), time if time is None or np.ndim(time) else float(time),
                                said.get("undefined"))
        return out

    @property
    def parameters(self):
        return {text(p["name"]): Parameter(float(p["value"]), text(p["unit"]))
                for p in self._file["model/parameters"][:]} if "model/parameters" in self._file else {}

    @property
    def sources(self):
        return {text(s["path"]): text(s["sha256"]) for s in self._file["model/sources"][:]} \
            if "model/sources" in self._file else {}

    @property
    def xml(self):
        """The resolved model, one text."""
        return text(self._file["model/xml"][()])


def read_table(path):
    """Columns of a CSV file, {heading: array}; a last line that was cut is left out."""
    with builtins.open(path, encoding="utf-8", newline="") as f:
        content = f.read()
    whole = content[:content.rfind("\n") + 1]
    rows = csv.reader(whole.splitlines())
    header = next(rows, [])
    columns = list(zip(*(r for r in rows if len(r) == len(header)))) or [()] * len(header)
    return {name: np.array(fields, dtype=str) if name in TEXTS else numbers_or_words(fields) for name, fields in zip(header, columns)}


def numbers_or_words(fields):
    """Fields as numbers, nan where one is empty; as they are where one is a word, such as the solver of each run of a study."""
    try:
        return np.array([field or "nan" for field in fields], dtype=float)
    except ValueError:
        return np.array(fields, dtype=str)


class CsvResult(Result):
    """A result in CSV with NAME.json beside it, read as a whole."""

    def __init__(self, path):
        stem = path[:-4]
        self._stem = stem
        try:
            with builtins.open(stem + ".json", encoding="utf-8") as f:
                said = json.load(f)
        except OSError as e:
            with builtins.open(path, "rb") as f:
                swept = f.read(14) == b"run,key,status"
            raise Error(f"{path}: not a result of nssim, but the table of a sweep: use nssim.Study" if swept else
                        f"{path}: {stem}.json is missing, which describes the columns") from e
        except ValueError as e:
            raise Error(f"{stem}.json: not JSON: {e}") from e
        if not str(said.get("format", "")).startswith("nssim-output-"):
            raise Error(f"{stem}.json: not a result of nssim")
        self._said = said
        self._values = read_table(path)
        self.time = self._values["time"]
        self.provenance, self.certificate = said.get("provenance", {}), said.get("certificate", {})
        self.model = {k: v for k, v in said.get("model", {}).items() if not isinstance(v, (list, dict))}
        self.channels = {}
        for c in said["channels"]:
            if c["path"] != "time":
                n = len(c["labels"])
                units = tuple(c["units"]) if "units" in c else (c.get("unit", ""),) * n
                self.channels[c["path"]] = Channel(c["path"], tuple(c["labels"]), tuple(c["names"]) if "names" in c else None,
                                                   units, c.get("kind", ""), c.get("help", ""), bool(c.get("vector")))
        super().__init__(path)

    def _read(self, channel):
        columns = [self._values[x] for x in channel.labels]
        return np.stack(columns, axis=1) if channel.vector else columns[0].copy()

    def _beside(self, what):
        path = f"{self._stem}.{what}.csv"
        return read_table(path) if os.path.exists(path) else {}

    @property
    def events(self):
        columns = self._beside("events")
        return records({k: a.astype(np.int32) if k in ("index", "row") else a for k, a in columns.items()})

    @property
    def contacts(self):
        columns, out = self._beside("contacts"), {}
        for k, a in columns.items():
            if k.endswith("_x") and k[:-2] + "_z" in columns:
                out[k[:-2]] = np.stack([columns[k[:-1] + axis] for axis in "xyz"], axis=1)
            elif k[-2:] not in ("_y", "_z"):
                out[k] = a.astype(np.int64) if k in ("row", "a", "b") else a
        return records(out)

    @property
    def measures(self):
        def number(x):
            return float("nan") if x is None else float(x)
        out = {}
        for name, m in self._said.get("measures", {}).items():
            value = np.array([number(x) for x in m["values"]]) if "values" in m else number(m.get("value"))
            time = np.array(m["times"], dtype=float) if "times" in m else m.get("time")
            out[name] = Measure(value, m.get("unit", ""), m.get("kind", ""), m.get("help", ""), time, m.get("undefined"))
        return out

    @property
    def parameters(self):
        return {p["name"]: Parameter(p["value"], p.get("unit", "")) for p in self._said["model"].get("parameters", ())}

    @property
    def sources(self):
        return {s["path"]: s["sha256"] for s in self._said["model"].get("sources", ())}
