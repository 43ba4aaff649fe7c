# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions: one class for each error code of the library, each also what scikit-learn's users would catch."""
from __future__ import annotations

from typing import Optional

__all__ = ["HselError", "OutOfMemoryError", "FileError", "MissingFileError", "FormatError", "CycleError", "UsageError",
           "LimitError", "UnsupportedError", "CancelledError"]


class HselError(Exception):
    """Something that the library refused or could not do.

    Attributes
    ----------
    code : int
        The status of the library, e.g. -3 for a wrong content.
    file : str or None
        The file that the message is about.
    line : int or None
        The line in it, from 1.
    """

    code = 0

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None):
        super().__init__(message)
        self.message, self.file, self.line = message, file, line

    def __str__(self) -> str:
        return self.message

    def __reduce__(self):
        return type(self), (self.message, self.file, self.line)


class OutOfMemoryError(HselError, MemoryError):
    """The library ran out of memory."""
    code = -1


class FileError(HselError, OSError):
    """The operating system refused to read or write."""
    code = -2


class MissingFileError(FileError, FileNotFoundError):
    """A file is not there."""


class FormatError(HselError, ValueError):
    """The content of a file or of an array is not what it should be."""
    code = -3


class CycleError(FormatError):
    """The hierarchy has a cycle; the message shows one."""


class UsageError(HselError, ValueError):
    """A wrong argument, option, or combination of them."""
    code = -4


class LimitError(HselError, ValueError):
    """More than the library is made to hold."""
    code = -5


class UnsupportedError(HselError, ValueError):
    """Not built in, or not possible for this kind of data."""
    code = -6


class CancelledError(HselError, RuntimeError):
    """The call was stopped."""
    code = -7


BY_CODE = {cls.code: cls for cls in (OutOfMemoryError, FileError, FormatError, UsageError, LimitError, UnsupportedError,
                                     CancelledError)}

# What messages advise is said in the words of the command; these are the words of Python for the same.
_REPAIR = "make sure that edges are (child, parent), and only then repair with hsel.propagate(X, hierarchy): along edges the " \
          "wrong way round it makes nearly everything positive"
WORDS = [("repair with --propagate, or insist with --allow-violations", _REPAIR), ("repair with --propagate", _REPAIR),
         ("give --hierarchy FILE", "give hierarchy="),
         ("nb and knn can, and selectors such as shsel select once",
          "nb and knn can, hsel.LazyWrapper lets it learn anew for each selection, and selectors such as shsel select once"),
         (": --ignore leaves features out", ": leave its column out"),
         ("use --cycles merge or --cycles drop", "cycles=\"merge\" or cycles=\"drop\" reads it all the same")]


def make_error(status: int, message: str, file: str = "", line: int = 0) -> HselError:
    """The exception for a status of the library."""
    for theirs, ours in WORDS:
        message = message.replace(theirs, ours)
    cls = BY_CODE.get(status, HselError)
    if cls is FileError and "No such file or directory" in message:
        cls = MissingFileError
    if cls is FormatError and " has a cycle" in message:
        cls = CycleError
    return cls(message or f"the library returned {status}", file or None, line or None)
