# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs, sweeps and comparisons by the program nssim.

Options of the command line are keyword arguments: t_end=2 is --t-end=2, quiet=True is --quiet, a list repeats the
option. Nothing passes through a shell.
"""

import json
import os
import shutil
import subprocess
import tempfile
import weakref

from . import reader
from .errors import BY_STATUS, Error, ProgramError
from .study import Study


def program():
    """The program: what the environment variable NSSIM names, else nssim on PATH."""
    found = shutil.which(os.environ.get("NSSIM") or "nssim")
    if not found:
        named = os.environ.get("NSSIM")
        raise Error(f"the program {named}, which the environment variable NSSIM names, does not exist" if named else
                    "the program nssim is not on PATH; install it, or name it by the environment variable NSSIM")
    return found


def version():
    """The version of the program, "0.1.0"."""
    return call([program(), "--version"]).splitlines()[0].split()[-1]


def sentences(said):
    """The messages of a program, a line each, without its name."""
    out = []
    for line in said.splitlines():
        for start in ("nssim: error: ", "nssim: "):
            if line.startswith(start):
                line = line[len(start):]
                break
        if line.strip():
            out.append(line)
    return out


def call(words, accepted=(0,)):
    """Standard output of a command; an exception where its status is not one of those accepted."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace")
    if done.returncode not in accepted:
        raise BY_STATUS.get(done.returncode, ProgramError)(done.returncode, sentences(done.stderr), words)
    return done.stdout


def options(given):
    """Keyword arguments as words of a command."""
    out = []
    for name, value in given.items():
        name = "--" + name.replace("_", "-")
        for v in value if isinstance(value, (list, tuple)) else (value,):
            if v is True:
                out.append(name)
            elif v is not None and v is not False:
                out.append(f"{name}={number(v)}")
    return out


def number(value):
    """A value as the command line reads it back to the same double; integers and words as they are."""
    if hasattr(value, "dtype") and hasattr(value, "item"):
        value = value.item()  # of numpy, as Python has it
    if isinstance(value, float):
        return repr(float(value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def cell(value):
    """A heading or value of a table as nssim reads it: what holds a comma, or begins a comment, in quotes."""
    word = number(value)
    return '"' + word.replace('"', '""') + '"' if any(c in word for c in ',"#') else word


def model_words(model, parameters, more):
    for name, value in more.items():
        if len(name) == 1:
            raise TypeError(f"unknown option {name}; parameters, T and h are given by a dictionary: {{\"{name}\": {value!r}}}")
    return [*(f"--parameter={name}={number(v)}" for name, v in (parameters or {}).items()), *options(more),
            "--", os.fspath(model)]


def run(model, parameters=None, *, output=None, **more):
    """Run a model and open its result.

    parameters  {name: value} as with -p: parameters of the model, or T, h, solver, LCP.tolerance, ...; a value may
                be a text with a unit, "20 mm"
    output      where to write, .h5 or .csv; without it a file that is removed with the result
    more        options of `nssim run`: t_end, every, record, set, threads, max_steps, plugin_path, resume, ...

    Raises ModelError, NumericalError, ... with the messages of nssim.
    """
    folder = None
    if output is None:
        folder = tempfile.mkdtemp(prefix="nssim-")
        output = os.path.join(folder, "result" + (".h5" if have_h5py() else ".csv"))
    output = os.fspath(output)
    try:
        call([program(), "run", "--quiet", f"--output={output}", *model_words(model, parameters, more)])
        result = reader.open(output)
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder:
        weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    return result


def have_h5py():
    try:
        import h5py  # noqa: F401
    except ImportError:
        return False
    return True


def check(model, parameters=None, **more):
    """What nssim understands of a model, nothing being run: the object of `nssim check --json`."""
    return json.loads(call([program(), "check", "--json", *model_words(model, parameters, more)]))


class Comparison(dict):
    """What `nssim compare --json` prints; true if both results agree."""

    @property
    def same(self):
        return bool(self["same"])

    def __bool__(self):
        return self.same

    def __str__(self):
        return "the same" if self.same else "; ".join(f["text"] for f in self["findings"] if "text" in f) or "different"


def compare(a, b, **more):
    """Compare two results; b is the reference. Each is a path or a Result.

    more: options of `nssim compare`: rtol, atol, time_tol, until, only, ignore, map, ...
    """
    paths = [x.path if isinstance(x, reader.Result) else os.fspath(x) for x in (a, b)]
    return Comparison(json.loads(call([program(), "compare", "--json", *options(more), "--", *paths], accepted=(0, 1))))


def sweep(study, output, *, model=None, jobs=None, check=True, **more):
    """Run a study and open its table; what has been done before is not done again.

    study   a file, .xml or .csv, or columns {name: values} (a DataFrame, too), which are written to OUTPUT.csv
    output  the folder of the sweep
    model   the model, where the study is a table
    jobs    runs at once
    check   whether runs that fail are raised as an error; the table has them in any case, status "failed"
    more    options of `nssim sweep`: trajectories, retry_failed, plugin_path, ...
    """
    output = os.fspath(output)
    if not isinstance(study, (str, os.PathLike)):
        columns = {str(name): list(study[name]) for name in study}
        if len({len(c) for c in columns.values()}) != 1:
            raise Error("the columns of a study must have the same length: each row is a run")
        study = output.rstrip(os.sep) + ".csv"
        with open(study, "w", encoding="utf-8") as f:
            for row in [list(columns), *zip(*columns.values())]:
                f.write(",".join(cell(v) for v in row) + "\n")
    call([program(), "sweep", "--quiet", f"--output={output}", *options({"model": model, "jobs": jobs, **more}), "--",
          os.fspath(study)], accepted=(0,) if check else (0, 70))
    return Study(output)
