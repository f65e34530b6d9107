# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of nssim as exceptions: a class for each group of exit statuses (`nssim list statuses`)."""


class Error(Exception):
    """Base class of all errors of nssim and of this package. The text is the message of nssim."""


class UnknownQuantity(Error, KeyError):
    """A result does not contain the requested quantity."""

    __str__ = Exception.__str__  # KeyError would show the repr of the message


class MissingFile(Error, FileNotFoundError):
    """A result does not exist."""


class ProgramError(Error):
    """The program ended with a status other than 0.

    status    its exit status; negative: the signal that ended it
    messages  the messages it printed, without "nssim: error:"
    command   the command as a list of words
    """

    def __init__(self, status, messages, command):
        super().__init__("\n".join(messages) or f"nssim ended with status {status}: {' '.join(command)}")
        self.status, self.messages, self.command = status, messages, command


class UsageError(ProgramError):
    """Status 2: an unknown option or parameter, a missing argument."""


class ModelError(ProgramError):
    """Status 65: the model is refused; each message names its file, line and element."""


class InputError(ProgramError):
    """Status 66: a file is missing or cannot be read."""


class PluginError(ProgramError):
    """Status 69: a plug-in cannot be used."""


class NumericalError(ProgramError):
    """Status 70: a numerical failure. The output contains everything up to the last valid state."""


class OutputError(ProgramError):
    """Status 73 or 74: the output cannot be created or written."""


class Interrupted(ProgramError):
    """Status 75: a limit or a signal stopped the run; the output contains everything up to that time."""


BY_STATUS = {2: UsageError, 65: ModelError, 66: InputError, 69: PluginError, 70: NumericalError, 73: OutputError,
             74: OutputError, 75: Interrupted}
