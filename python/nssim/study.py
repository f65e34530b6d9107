# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of a sweep: a row a run (nssim-output(5), Tables of sweeps)."""

import difflib
import os

import numpy as np

from .errors import Error, UnknownQuantity
from .reader import open_hdf5, read_table, require_pandas, text

FIRST = ("run", "key", "status")


def read_hdf5(path):
    """Columns of measures.h5 as measures.csv has them: a sample as columns name[i], words of enumerations as words.

    A / in a name, "#ball/v0", is a dot in HDF5.
    """
    columns = {}
    with open_hdf5(path)[1] as f:
        if not text(f.attrs.get("format", "")).startswith("nssim-sweep-"):
            return columns
        for data in [f["run"], f["key"], f["status"], *f["parameters"].values(), *f["measures"].values()]:
            name, values = data.name.rsplit("/", 1)[1], data[()]
            codes = data.dtype.metadata and data.dtype.metadata.get("enum")
            if codes:
                word = {code: "" if code < 0 else text(w) for w, code in codes.items()}  # below 0: as the model has it
                values = np.array([word[code] for code in values.tolist()], dtype=str)
            elif values.dtype.kind in "SO":
                values = np.array([text(v) for v in values.tolist()], dtype=str)
            if values.ndim == 2:
                columns.update({f"{name}[{i}]": values[:, i] for i in range(values.shape[1])})
            else:
                columns[name] = values
    return columns


class Study:
    """The table that a sweep has collected: Study("out"), where "out" is its folder, or Study("out/measures.csv") or .h5.

    table["Gamma"] is a column [runs]; table["takeoff"] of a measure of kind sample [runs x n]. A column with words,
    such as the solver of each run, contains strings, "" if a run uses the value of the model.
    run     [runs] numbers of the runs, from 1
    status  [runs] "complete", "failed" or "missing"
    """

    def __init__(self, path):
        path = os.fspath(path)
        self.path = os.path.join(path, "measures.csv") if os.path.isdir(path) else path
        if not os.path.exists(self.path):
            raise Error(f"{self.path}: no such table; `nssim sweep collect` writes it from the finished runs")
        self._columns = read_table(self.path) if self.path.endswith(".csv") else read_hdf5(self.path)
        if tuple(self._columns)[:3] != FIRST:
            raise Error(f"{self.path}: not the table of a sweep, whose columns begin with run, key, status")
        self.run = self._columns["run"].astype(int)
        self.status = self._columns["status"]

    def __repr__(self):
        return f"<nssim study {self.path}: {len(self)} runs, {int(np.sum(self.status == 'complete'))} complete>"

    def __len__(self):
        return len(self.run)

    @property
    def labels(self):
        """Names of the columns after run, key and status."""
        return [name for name in self._columns if name not in FIRST]

    def __getitem__(self, name):
        if name in self._columns:
            return self._columns[name].copy()
        array = [a for k, a in self._columns.items() if k.startswith(name + "[") and k.endswith("]")]
        if array:
            return np.stack(array, axis=1)
        near = difflib.get_close_matches(name, list(self._columns), 1)
        hint = f'did you mean "{near[0]}"?' if near else "`labels` lists them"
        raise UnknownQuantity(f'{self.path}: no column "{name}"; {hint}')

    def frame(self):
        """The table as a pandas.DataFrame, its index the number of the run."""
        pandas = require_pandas("frame()")
        columns = {k: a for k, a in self._columns.items() if k != "run"}
        return pandas.DataFrame(columns, index=pandas.Index(self.run, name="run"))
