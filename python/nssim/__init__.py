# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of nssim as arrays, and runs of nssim, from Python.

    import nssim

    result = nssim.run("bouncing-ball.xml", {"e": 0.8})
    result.time, result["ball.x"]           # numpy arrays
    result.unit("ball.x")                   # "m"
    result.frame(["ball.x", "ground.y"])    # pandas.DataFrame, where pandas is installed
    result.events["time"]                   # a numpy record array
    result.certificate["energy_defect_max"]

    nssim.open("ball.h5"), nssim.open("ball.csv")
    nssim.compare("ball.h5", "reference.h5", rtol=1e-6).same
    nssim.sweep("study.xml", "out", jobs=4)["ball.x"]

Reading HDF5 needs h5py, reading CSV only numpy. Runs need the program nssim: on PATH, or named by the environment
variable NSSIM. What nssim refuses is raised as an exception that carries its sentences.
"""

from .command import check, compare, run, sweep, version
from .errors import (Error, InputError, Interrupted, MissingFile, ModelError, NumericalError, OutputError, PluginError,
                     ProgramError, UnknownQuantity, UsageError)
from .reader import Channel, Measure, Parameter, Result, open
from .study import Study

__all__ = ["Channel", "Error", "InputError", "Interrupted", "Measure", "MissingFile", "ModelError", "NumericalError",
           "OutputError", "Parameter", "PluginError", "ProgramError", "Result", "Study", "UnknownQuantity", "UsageError", "check",
           "compare", "open", "run", "sweep", "version"]
