# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library: where it is, its prototypes (all of them are here), and calling it.

Nothing outside this file knows ctypes' types of a function. The prototypes are held against what the library exports
by python/tests/test_library.py, and the sizes of the structs are compared when the package is imported.
"""
from __future__ import annotations

import ctypes
import functools
import glob
import json
import os
import pathlib
import threading
import warnings
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, \
    c_void_p
from typing import Optional

from ._errors import UsageError, make_error

try:
    import _signal as signals  # as the module signal, without turning every number into an Enum, which takes longer than the rest
except ImportError:
    import signal as signals  # type: ignore[no-redef]

INTERFACE = 1  # HSEL_INTERFACE
DIALECT_PYTHON = 2  # messages name options as arguments: drop_roots=
VERSION = "0.3.0"
NONE = 0xFFFFFFFF  # HSEL_NONE: no such feature, class, node
INTERVAL_ROOM = 120  # HSEL_INTERVAL_ROOM
SEEDS = 2**64 - 1  # the greatest seed

ROWS, COLUMNS, DENSE = 0, 1, 2  # hsel_layout
BINARY, NUMERIC, NOMINAL, NO_TYPE = range(4)  # hsel_feature_type
U8, I32, I64, F32, F64 = range(5)  # hsel_number
FEATURE_NAMES, CLASS_NAMES, IDS, FEATURE_COLUMNS, FEATURE_TEXTS, INSTANCE_COLUMNS, INSTANCE_TEXTS = range(7)  # hsel_list
STATISTICS = ("pooled", "fold_mean", "pooled_sd", "fold_mean_sd")  # hsel_statistic
PROBABILITY, SCORE, SECONDS, POOLED_EACH, FOLD_MEAN_EACH, FOLD_OF, SELECTED, FREQUENCY, CONFUSION, BY_CLASS, FOLD_EACH = range(11)  # hsel_array

REPORT = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64, c_char_p)
NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Error(Structure):
    _fields_ = [("code", c_int), ("line", ctypes.c_ulong), ("file", ctypes.c_char * 256),
                ("message", ctypes.c_char * 896), ("reason", c_int), ("options", ctypes.c_char * 124)]


class Sized(Structure):
    """A structure that starts with its own size; members that are not given have their defaults."""

    def __init__(self, **members):
        super().__init__(ctypes.sizeof(self), **members)


class Edges(Sized):
    _fields_ = [("size", c_size_t), ("terms", c_char_p), ("child", c_void_p), ("parent", c_void_p), ("count", c_size_t),
                ("term_count", c_uint32), ("labels", c_char_p)]


class Arrays(Sized):
    _fields_ = [("size", c_size_t), ("instances", c_uint32), ("features", c_uint32), ("classes", c_uint32), ("layout", c_int),
                ("number", c_int), ("wide", c_int), ("borrow", c_int), ("start", c_void_p), ("index", c_void_p),
                ("values", c_void_p), ("row_stride", c_int64), ("column_stride", c_int64), ("types", c_void_p),
                ("labels", c_void_p), ("feature_names", c_char_p), ("class_names", c_char_p), ("ids", c_char_p),
                ("name", c_char_p), ("like", c_void_p), ("shape", c_void_p),
                ("target", c_void_p), ("covariates", c_void_p), ("word_counts", c_void_p), ("words", c_char_p),
                ("strata", c_char_p), ("entries", c_uint64), ("positive_class", c_char_p),
                ("groups", c_char_p), ("time", c_void_p), ("test_set", c_void_p), ("weights", c_void_p)]


class Request(Sized):
    _fields_ = [("size", c_size_t), ("selector", c_char_p), ("classifier", c_char_p), ("rankers", c_char_p),
                ("ranker_count", c_uint32), ("threads", c_int), ("seed", c_uint64), ("folds", c_uint32), ("repeats", c_uint32),
                ("fold_scheme", c_char_p), ("fold_of", c_void_p), ("rank_by", c_char_p), ("details", c_int),
                ("context", c_void_p), ("report", REPORT), ("note", NOTE), ("weights", c_void_p), ("similarity", c_char_p),
                ("tested", c_uint32), ("selected_start", c_void_p), ("selected_index", c_void_p), ("allow_violations", c_int),
                ("any_thread", c_int), ("first", c_uint32), ("count", c_uint32), ("log", c_char_p), ("checkpoint", c_char_p),
                ("intervals", c_int), ("respect", c_char_p)]


class AutoRequest(Sized):
    _fields_ = [("size", c_size_t), ("selectors", c_char_p), ("classifiers", c_char_p), ("selector_count", c_uint32),
                ("classifier_count", c_uint32), ("metric", c_char_p), ("inner_folds", c_uint32), ("inner_repeats", c_uint32),
                ("permutations", c_uint32), ("race", c_double), ("budget", c_double), ("checkpoint", c_char_p), ("fingerprint", c_uint64), ("form", c_char_p),
                ("counts", c_void_p)]


class DiscoverRequest(Sized):
    _fields_ = [("size", c_size_t), ("positives", c_char_p), ("negatives", c_char_p), ("positive_count", c_uint32), ("negative_count", c_uint32),
                ("top", c_uint32), ("correct_bias", c_int), ("fdr", c_double), ("form", c_char_p), ("report", c_void_p), ("counts", c_void_p)]


class CompareRequest(Sized):
    _fields_ = [("size", c_size_t), ("value", c_void_p), ("datasets", c_uint32), ("methods", c_uint32),
                ("dataset_names", c_char_p), ("method_names", c_char_p), ("control", c_char_p), ("lower_is_better", c_int),
                ("one_sided", c_int), ("keep_zeros", c_int), ("alpha", c_double), ("tolerance", c_double), ("all_pairs", c_int),
                ("covariate", c_void_p), ("covariate_name", c_char_p), ("diagram", c_void_p)]


class ReportRequest(Sized):
    _fields_ = [("size", c_size_t), ("store", c_char_p), ("study", c_char_p), ("format", c_char_p), ("charts", c_char_p),
                ("path", c_char_p)]


class DrawRequest(Sized):
    _fields_ = [("size", c_size_t), ("form", c_char_p), ("title", c_char_p), ("legend", c_char_p), ("keep", c_void_p),
                ("value", c_void_p), ("nodes", c_uint32)]


STRUCTS: dict = {"hsel_error": Error, "hsel_edges": Edges, "hsel_arrays": Arrays, "hsel_request": Request,
           "hsel_auto_request": AutoRequest, "hsel_discover_request": DiscoverRequest,
           "hsel_compare_request": CompareRequest, "hsel_report_request": ReportRequest,
           "hsel_draw_request": DrawRequest}

_handle, _request, _error = c_void_p, POINTER(Request), POINTER(Error)
_text_out, _handle_out, _u32_out, _size_out = POINTER(c_void_p), POINTER(c_void_p), POINTER(c_uint32), POINTER(c_size_t)

# Name: (what it returns, what it takes). A function that takes a pointer to Error last returns a status.
PROTOTYPES = {
    "hsel_version": (c_char_p, []),
    "hsel_built_with": (c_char_p, []),
    "hsel_interface": (c_uint32, []),
    "hsel_sizeof": (c_size_t, [c_char_p]),
    "hsel_free": (None, [c_void_p]),
    "hsel_dialect_set": (None, [c_int]),
    "hsel_methods_json": (c_int, [_text_out, _error]),
    "hsel_metric_count": (c_size_t, []),
    "hsel_metric_name": (c_char_p, [c_size_t]),
    "hsel_dataset_read": (c_int, [c_char_p, c_char_p, _handle_out, _error]),
    "hsel_dataset_write": (c_int, [_handle, c_char_p, _error]),
    "hsel_dataset_free": (None, [_handle]),
    "hsel_dataset_name": (c_char_p, [_handle]),
    "hsel_dataset_instances": (c_uint32, [_handle]),
    "hsel_dataset_features": (c_uint32, [_handle]),
    "hsel_dataset_classes": (c_uint32, [_handle]),
    "hsel_dataset_hierarchy": (_handle, [_handle]),
    "hsel_dataset_check": (c_int, [_handle, _error]),
    "hsel_dataset_from_arrays": (c_int, [POINTER(Arrays), _handle_out, _error]),
    "hsel_dataset_set_hierarchy": (c_int, [_handle, POINTER(Edges), _u32_out, _error]),
    "hsel_dataset_propagate": (c_int, [_handle, _handle_out, POINTER(c_uint64), _error]),
    "hsel_dataset_generate": (c_int, [c_char_p, c_uint64, _handle_out, _error]),
    "hsel_dataset_names": (c_void_p, [_handle, c_int, _u32_out, _size_out]),
    "hsel_dataset_rows": (c_void_p, [_handle, POINTER(c_void_p)]),
    "hsel_dataset_types": (c_void_p, [_handle]),
    "hsel_dataset_labels": (c_void_p, [_handle]),
    "hsel_dataset_target": (c_void_p, [_handle]),
    "hsel_dataset_is_covariate": (c_int, [_handle, c_uint32]),
    "hsel_dataset_positive_class": (c_uint32, [_handle]),
    "hsel_dataset_values": (None, [_handle, c_uint32, c_void_p]),
    "hsel_dataset_value_names": (c_void_p, [_handle, c_uint32, _u32_out, _size_out]),
    "hsel_dag_nodes": (c_uint32, [_handle]),
    "hsel_dag_edges": (c_uint64, [_handle]),
    "hsel_dag_parent_lists": (c_void_p, [_handle, POINTER(c_void_p)]),
    "hsel_dag_depths": (c_void_p, [_handle]),
    "hsel_select": (c_int, [_handle, _request, c_void_p, c_void_p, _error]),
    "hsel_rank": (c_int, [_handle, _request, c_void_p, _error]),
    "hsel_p_values": (c_int, [_handle, _request, c_char_p, c_void_p, c_void_p, c_void_p, _error]),
    "hsel_terms": (c_int, [_handle, _request, c_char_p, c_char_p, _text_out, _error]),
    "hsel_reject": (c_int, [_handle, c_void_p, c_char_p, c_double, c_void_p, c_void_p, _error]),
    "hsel_train": (c_int, [_handle, _request, _handle_out, _error]),
    "hsel_predict": (c_int, [_handle, _handle, _request, c_void_p, c_void_p, c_void_p, _error]),
    "hsel_select_each": (c_int, [_handle, _handle, _request, c_void_p, POINTER(c_void_p), _error]),
    "hsel_model_free": (None, [_handle]),
    "hsel_model_read": (c_int, [c_char_p, _handle_out, _error]),
    "hsel_model_write": (c_int, [_handle, c_char_p, _error]),
    "hsel_model_classes": (c_uint32, [_handle]),
    "hsel_model_to_bytes": (c_int, [_handle, POINTER(c_void_p), _size_out, _error]),
    "hsel_model_from_bytes": (c_int, [c_void_p, c_size_t, _handle_out, _error]),
    "hsel_model_support": (c_int, [_handle, c_void_p, _error]),
    "hsel_model_relevance": (c_int, [_handle, c_void_p, _error]),
    "hsel_model_explain": (c_int, [_handle, _handle, c_uint32, c_uint32, c_char_p, _text_out, _error]),
    "hsel_model_describe": (c_int, [_handle, c_char_p, _text_out, _error]),
    "hsel_model_draw": (c_int, [_handle, c_char_p, c_uint32, _text_out, _error]),
    "hsel_dataset_draw": (c_int, [_handle, POINTER(DrawRequest), _text_out, _error]),
    "hsel_crossval": (c_int, [_handle, _request, _handle_out, _error]),
    "hsel_auto": (c_int, [_handle, _request, POINTER(AutoRequest), _handle_out, _text_out, _text_out, _error]),
    "hsel_discover": (c_int, [_handle, _request, POINTER(DiscoverRequest), _text_out, _text_out, _error]),
    "hsel_evaluation_free": (None, [_handle]),
    "hsel_evaluation_folds": (c_uint32, [_handle]),
    "hsel_evaluation_metric": (c_double, [_handle, c_char_p, c_int]),
    "hsel_evaluation_interval": (c_int, [_handle, _handle, c_char_p, c_int, c_void_p, c_char_p, POINTER(Error)]),
    "hsel_evaluation_selected": (c_double, [_handle]),
    "hsel_evaluation_stability_figures": (None, [_handle, c_void_p]),
    "hsel_stability": (c_int, [c_void_p, c_uint32, c_uint32, _handle, c_char_p, c_int, c_void_p, _error]),
    "hsel_pu_metrics": (c_int, [c_void_p, c_void_p, c_void_p, c_uint32, c_double, c_uint64, c_char_p, _text_out, _error]),
    "hsel_discover_sets": (c_int, [_handle, _request, c_char_p, c_uint32, c_uint32, c_char_p, _text_out, _error]),
    "hsel_similarity": (c_int, [_handle, c_char_p, c_void_p, c_void_p, c_size_t, c_void_p, _error]),
    "hsel_evaluation_numbers": (c_void_p, [_handle, c_int, _size_out]),
    "hsel_evaluation_counts": (c_void_p, [_handle, c_int, _size_out]),
    "hsel_compare": (c_int, [POINTER(CompareRequest), _text_out, _text_out, _error]),
}
# Those of the library for studies, which is loaded when one of them is used.
STUDY_PROTOTYPES = {"hsel_report": (c_int, [POINTER(ReportRequest), _error])}


# What the libraries need at run time, and the packages of Debian 12 that have it. The last two are looked for when they are used.
NEEDS = {"libz": "zlib1g", "libjansson": "libjansson4", "libxxhash": "libxxhash0", "libRmath": "r-mathlib",
         "libyaml-0": "libyaml-0-2", "libsqlite3": "libsqlite3-0", "libraptor2": "libraptor2-0"}


# ---- loading ----

def _places():
    """Possible places of the library: named by the environment, bundled, next to an installed package, or on the system."""
    named = os.environ.get("HSEL_LIBRARY")
    if named:
        return [named]
    here = pathlib.Path(__file__).resolve().parent
    bundled = here / "libhsel.so"
    if bundled.exists():
        return [str(bundled)]
    if here.parent.name not in ("dist-packages", "site-packages"):
        return ["libhsel.so.0"]
    beside = [str(path) for pattern in ("libhsel.so.0", "*/libhsel.so.0") for folder in here.parents[2:4]
              for path in sorted(folder.glob(pattern))]  # PREFIX/lib/python3.x/dist-packages/hsel
    return beside + ["libhsel.so.0"]


def _open(places: list, prototypes: dict, needs: tuple) -> ctypes.CDLL:
    """The first of these libraries that can be loaded, with its functions. A wheel has what they need in the folder `needed`: once loaded
    from there, it is not looked for elsewhere."""
    problem = None
    for place in places:
        try:
            for name in needs:
                for path in glob.glob(os.path.join(os.path.dirname(place), "needed", name + ".so.*")):
                    ctypes.CDLL(path)
            opened = ctypes.CDLL(place)
            break
        except OSError as error:
            problem = problem or error
    else:
        missing = str(problem).split(":")[0]  # the loader names the file that it did not find first
        package = NEEDS.get(missing.split(".so")[0])
        if package:
            raise ImportError(f"hsel: the shared library needs {missing}, which cannot be loaded ({problem}); on Debian it is in "
                              f"the package {package}: apt install {package}") from problem
        raise ImportError(f"hsel: the shared library {places[-1]} cannot be loaded ({problem}); build and install hsel, or "
                          "name the file in the environment variable HSEL_LIBRARY") from problem
    for name, (returns, takes) in prototypes.items():
        try:
            function = getattr(opened, name)
        except AttributeError:
            raise ImportError(f"hsel: {place} has no {name}: it does not have this package's version, {VERSION}") from None
        function.restype, function.argtypes = returns, takes
    return opened


def load() -> ctypes.CDLL:
    """Loads the library and shakes hands: same version of the interface, same sizes of structs."""
    opened = _open(_places(), PROTOTYPES, ("libz", "libjansson", "libxxhash", "libRmath"))
    found = opened.hsel_interface()
    if found != INTERFACE:
        raise ImportError(f"hsel: {opened._name} has version {found} of the interface, but this package needs {INTERFACE}")
    for name, struct in STRUCTS.items():
        size = opened.hsel_sizeof(name.encode())
        if size != ctypes.sizeof(struct):
            raise ImportError(f"hsel: {name} has {size} bytes in {opened._name}, but {ctypes.sizeof(struct)} in this package")
    opened.hsel_dialect_set(DIALECT_PYTHON)
    return opened


library = load()


@functools.lru_cache(maxsize=None)
def study_library() -> ctypes.CDLL:
    """The library for studies, in the folder of the other one: libhsel-study.so for libhsel.so."""
    folder, name = os.path.split(library._name)
    return _open([os.path.join(folder, name.replace("libhsel", "libhsel-study", 1))], STUDY_PROTOTYPES, ("libsqlite3", "libyaml-0"))


# ---- arguments ----

def whole(name: str, value, low: int, high: int) -> int:
    """A whole number in the range that its type in C has, or the library can use: ctypes would truncate other numbers."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def real(name: str, value) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be a number, not {value!r}") from None


def text(name: str, value) -> bytes:
    """A text for the library, which would take a NUL for its end."""
    if not isinstance(value, str) or "\0" in value:
        raise UsageError(f"{name} must be a text without NUL characters, not {value!r}")
    return value.encode("utf-8", "surrogatepass")


def path(value) -> bytes:
    """The name of a file."""
    name = os.fsencode(value)
    if b"\0" in name:
        raise UsageError(f"the name of a file must not have a NUL character: {value!r}")
    return name


# ---- calling ----

def call(name: str, *arguments) -> None:
    """Calls a function that returns a status, and raises its error."""
    error = Error()
    status = getattr(study_library() if name in STUDY_PROTOTYPES else library, name)(*arguments, error)
    if status:
        named = ctypes.string_at(ctypes.addressof(error) + Error.options.offset, Error.options.size).split(b"\0\0")[0]
        raise make_error(status, error.message.decode("utf-8", "replace"), os.fsdecode(error.file), error.line, error.reason,
                         tuple(name.decode() for name in named.split(b"\0") if name))


_told = threading.local()  # lines: notes of the call under way in this thread


@NOTE
def _take_note(context, text):
    _told.lines.append(text.decode("utf-8", "replace"))


class _Interrupt:
    """While a long call runs in the main thread, Ctrl-C makes it stop at its next report instead of waiting for its end.

    Python runs handlers of signals between its own instructions, which is when the library calls back. An exception
    cannot pass through the library, so the handler only takes note, and the one it stands for is called afterwards.
    """

    spare: list = []  # those not in use: making one takes longer than setting the handler

    def __init__(self):
        self.report = REPORT(self._report)

    @classmethod
    def begin(cls) -> Optional["_Interrupt"]:
        """None: not in the main thread, or nothing is to happen at Ctrl-C."""
        if threading.get_ident() != threading.main_thread().ident:
            return None
        before = signals.getsignal(signals.SIGINT)
        if not callable(before):
            return None
        self = cls.spare.pop() if cls.spare else cls()
        self.asked, self.before = None, before
        signals.signal(signals.SIGINT, self._note)
        return self

    def _note(self, number, frame):
        self.asked = (number, frame)

    def _report(self, context, done, total, what):
        return 1 if self.asked else 0

    def end(self):
        asked, before = self.asked, self.before
        signals.signal(signals.SIGINT, before)
        self.asked = self.before = None
        self.spare.append(self)
        if asked:
            before(*asked)


def call_long(name: str, request: Request, *arguments) -> None:
    """As call, of a request that is among the arguments and watched: KeyboardInterrupt stops the library, its notes are warnings."""
    _told.lines = []
    request.note = _take_note
    interrupt = _Interrupt.begin()
    try:
        if interrupt:
            request.report = interrupt.report
        call(name, *arguments)
    finally:
        if interrupt:
            interrupt.end()
    for line in _told.lines:
        warnings.warn(line, stacklevel=3)


def take_text(pointer: c_void_p) -> str:
    """A text that the library gave away."""
    try:
        return ctypes.string_at(pointer.value or b"").decode("utf-8", "replace")
    finally:
        library.hsel_free(pointer)


def split_names(address, count: int, size: int) -> list:
    """Names that stand one after the other, each followed by a NUL."""
    if not count:
        return []
    return ctypes.string_at(address, size).decode("utf-8", "replace").split("\0")[:count]


def join_names(names) -> bytes:
    """The same the other way."""
    text = "\0".join(names)
    if text.count("\0") != max(len(names) - 1, 0):
        raise make_error(-4, "a name contains a NUL character")
    return text.encode("utf-8", "surrogatepass") + b"\0"


def methods() -> list:
    """Every method of the library as a dict: kind, name, title, help, citation, flags, options."""
    found = c_void_p()
    call("hsel_methods_json", byref(found))
    return json.loads(take_text(found))


def version() -> str:
    return library.hsel_version().decode()


def built_with() -> list:
    """The optional parts that the library was built with."""
    return library.hsel_built_with().decode().split()
