# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions: one class for each error code of the library, each also a subclass of the exception that users of scikit-learn expect."""
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
    reason : int
        What exactly is wrong: `hsel_reason` of the library's header, 0 if none of these.
    options : tuple of str
        The options that the message names, as the command calls them.
    """

    code = 0

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None, reason: int = 0, options: tuple = ()):
        super().__init__(message)
        self.message, self.file, self.line, self.reason, self.options = message, file, line, reason, options

    def __str__(self) -> str:
        return self.message

    def __reduce__(self):
        return type(self), (self.message, self.file, self.line, self.reason, self.options)


class OutOfMemoryError(HselError, MemoryError):
    """The library ran out of memory."""
    code = -1


class FileError(HselError, OSError):
    """The operating system refused to read or write."""
    code = -2


class MissingFileError(FileError, FileNotFoundError):
    """A file is not there."""


class FormatError(HselError, ValueError):
    """The content of a file or an array is invalid."""
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


BY_CODE: dict[int, type[HselError]] = {cls.code: cls for cls in (OutOfMemoryError, FileError, FormatError, UsageError, LimitError, UnsupportedError,
                                     CancelledError)}
MISSING_FILE, CYCLE, BAD_VALUE = 1, 3, 8  # of hsel_reason in hsel.h
BY_REASON: dict[int, type[HselError]] = {MISSING_FILE: MissingFileError, CYCLE: CycleError}


def make_error(status: int, message: str, file: str = "", line: int = 0, reason: int = 0, options: tuple = ()) -> HselError:
    """The exception for a status of the library and the reason for it."""
    cls = BY_REASON.get(reason, BY_CODE.get(status, HselError))
    return cls(message or f"the library returned {status}", file or None, line or None, reason, options)
