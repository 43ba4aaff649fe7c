# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays to data sets of the library and back.

A `Handle` owns an object of the library. A matrix is handed over whole: dense arrays by their strides, CSR and CSC matrices
by their three arrays. The library copies all of it, and checks what it has copied: other threads may write into X meanwhile.
"""
from __future__ import annotations

import ctypes
import difflib
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import warnings
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._errors import FormatError, LimitError, UnsupportedError, UsageError

_NUMBERS = {np.dtype(np.bool_): lib.U8, np.dtype(np.uint8): lib.U8, np.dtype(np.int32): lib.I32,
            np.dtype(np.int64): lib.I64, np.dtype(np.float32): lib.F32, np.dtype(np.float64): lib.F64}

_SPARSE = (sp.csr_matrix, sp.csc_matrix)


class Handle:
    """An object of the library, freed with this one."""

    features: int  # of a data set made of arrays
    labels: Optional[np.ndarray] = None  # of its features, if there are any

    def __init__(self, address: Optional[int], free):
        self.address, self._free = address, free
        self._as_parameter_ = address

    def __del__(self):
        self._free(self.address)


def new_dataset(function: str, *arguments) -> Handle:
    """The data set that a function of the library makes as its last argument but the error."""
    out = ctypes.c_void_p()
    lib.call(function, *arguments, ctypes.byref(out))
    return Handle(out.value, lib.library.hsel_dataset_free)


def _numbers(values: np.ndarray) -> tuple:
    """The values in a type that the library supports, and that type."""
    number = _NUMBERS.get(values.dtype)
    if number is None and values.dtype == np.int8 and (values.size == 0 or values.min() >= 0):
        return values.view(np.uint8), lib.U8
    if number is None:
        return values.astype(np.float64), lib.F64
    return values, number


def check_lists(X) -> None:
    """Refuses a CSR or CSC matrix with inconsistent arrays, since scipy and the library would read beyond their ends. The content of the lists
    of a matrix that scipy has checked is left to the library, which checks it anyway."""
    if not sp.issparse(X) or X.format not in ("csr", "csc"):
        return
    lists, width = X.shape if X.format == "csr" else X.shape[::-1]
    start, index, count = X.indptr, X.indices, min(len(X.indices), len(X.data))
    problem = None
    if start.ndim != 1 or index.ndim != 1 or X.data.ndim != 1 or start.dtype.kind != "i" or index.dtype.kind != "i":
        problem = "indptr, indices and data are not lists of numbers"
    elif len(start) != lists + 1:
        problem = f"indptr has {len(start)} entries, and {lists + 1} are needed"
    elif start[-1] > count:
        problem = f"indptr ends at {start[-1]}, and {'indices' if len(index) == count else 'data'} has {count} entries"
    elif "_has_canonical_format" in X.__dict__:
        return
    elif start[0] != 0 or (start[1:] < start[:-1]).any():
        problem = "indptr does not go up from 0"
    elif start[-1] and (index[:start[-1]].min() < 0 or index[:start[-1]].max() >= width):
        problem = f"indices are from {index[:start[-1]].min()} to {index[:start[-1]].max()}, and 0 to {width - 1} are possible"
    if problem:
        raise FormatError(f"the sparse matrix is damaged: {problem}")


def is_plain(X, missing: bool = False) -> bool:
    """Is X one of the arrays in which scikit-learn's checks find nothing to convert or to complain about? They look for much
    else, which takes as long as learning from a small matrix does. `missing`: NaN is allowed."""
    kind = type(X)
    values = X if kind is np.ndarray and X.ndim == 2 else X.data if kind in _SPARSE else None
    if values is None or values.dtype not in _NUMBERS or 0 in X.shape:
        return False
    if values.dtype.kind != "f":
        return True
    flat = values.ravel("K")
    if math.isfinite(flat.dot(flat)):  # the fastest way to look at all of them; great numbers are looked at again
        return True
    return not np.isinf(values).any() and (missing or not np.isnan(values).any())


def is_nominal(column) -> bool:
    """Is a column of a DataFrame one of words: categories, texts, or objects with a text among them?"""
    return column.dtype.name in ("category", "string") or (column.dtype == object and any(isinstance(value, str) for value in column))


def coded(X, known: Optional[dict] = None) -> tuple:
    """A DataFrame with numbers instead of words, and the words: position of a column -> its words, in the order of the numbers. Missing
    ones are NaN. With `known` words, of an earlier DataFrame, those that it did not have are missing, too."""
    words: dict = {} if known is None else known
    for name, dtype in zip(X.columns, X.dtypes):
        if getattr(dtype, "kind", "") in "mM" or str(dtype).startswith("period"):
            raise UsageError(f"column {name!r} of X has dates or times ({dtype}): give numbers, such as days since a date, or categories")
    if known is None:
        places = [i for i in range(X.shape[1]) if is_nominal(X.iloc[:, i])]
    else:
        places = [i for i in known if i < X.shape[1]]
    if not places:
        return X, words
    import pandas
    columns = [X.iloc[:, i] for i in range(X.shape[1])]
    for i in places:
        column = columns[i]
        category = column.dtype.name == "category"
        codes, values = (column.cat.codes.to_numpy(), column.cat.categories) if category else pandas.factorize(column)
        texts = [str(value) for value in values]
        if known is None:
            words[i] = list(dict.fromkeys(texts if category else sorted(texts)))
        number = {word: float(code) for code, word in enumerate(words[i])}
        table = np.array([number.get(text, np.nan) for text in texts] + [np.nan])  # the last: missing ones have -1
        columns[i] = pandas.Series(table[codes], index=column.index, name=column.name)
    return pandas.concat(columns, axis=1), words


def _canonical(X):
    """A CSR or CSC matrix whose lists are ascending and without repeats, as the library requires."""
    if X.has_canonical_format:
        return X
    X = X.copy()
    check_lists(X)  # this one is ours, and scipy trusts it
    X.sum_duplicates()
    return X


def _index_type(X):
    """Both index arrays as int32, or both as int64."""
    kind = np.int32 if X.indices.dtype == X.indptr.dtype == np.int32 else np.int64
    return np.ascontiguousarray(X.indptr, kind), np.ascontiguousarray(X.indices, kind), kind is np.int64


def _joined(names, count: int) -> bytes:
    """Names as one text, for the library to find `count` of them in it."""
    names = names if isinstance(names, bytes) else lib.join_names(names)
    if names.count(b"\0") != count:
        raise UsageError(f"{count} names are needed, not {names.count(bytes(1))}")
    return names


def _from_metadata(metadata, ids, rows: int, roles: dict) -> list:
    """The values of the roles, of which texts are names of columns of the metadata."""
    if not hasattr(metadata, "columns"):
        raise UsageError("metadata must be a DataFrame with the ids of the rows as its index")
    if ids is None and len(metadata) != rows:
        raise UsageError(f"metadata has {len(metadata)} rows, but X has {rows}, and no ids to find them by")
    if ids is not None:
        if not metadata.index.is_unique:
            raise UsageError(f"metadata has the id {metadata.index[metadata.index.duplicated()][0]!r} twice")
        unknown = [i for i in ids if i not in metadata.index]
        if unknown:
            raise UsageError(f"metadata lacks {len(unknown)} of {rows} ids, such as {unknown[0]!r}")
        metadata = metadata.loc[list(ids)]
    for role, name in roles.items():
        if isinstance(name, str) and name not in metadata.columns:
            near = difflib.get_close_matches(name, [str(c) for c in metadata.columns], 1)
            raise UsageError(f"{role}: metadata has no column {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return [metadata[value].to_numpy() if isinstance(value, str) else value for value in roles.values()]


def _strata(given, rows: int, what: tuple = ("strata", "stratum")) -> list:
    """The names of the strata (or groups) of the rows, with "" for None, NaN and empty text."""
    if isinstance(given, (str, bytes)) or np.ndim(given) != 1 or len(given) != rows:
        raise UsageError(f"{what[0]} must have one {what[1]} for each of the {rows} rows of X")
    values = given.tolist() if hasattr(given, "tolist") else list(given)
    values = ["" if value is None or value != value else value for value in values]  # NaN is not itself
    if any(isinstance(value, float) and abs(value) >= 2**53 for value in values):
        raise UsageError(f"{what[0]} has numbers of 2^53 or more, which are not exact as floating-point numbers: give integers or text")
    if any(isinstance(value, float) and value != int(value) for value in values):
        raise UsageError(f"{what[0]} must be names or whole numbers")
    names = [str(int(value)) if isinstance(value, float) else str(value) for value in values]
    if not any(names):
        raise UsageError(f"{what[0]} has no {what[1]} for any row")
    return names


def _times(given, rows: int) -> np.ndarray:
    """Numbers, or dates as seconds since 1970; NaN where there is none."""
    times = np.asarray(given)
    if times.shape != (rows,):
        raise UsageError(f"time must have one number or date for each of the {rows} rows of X")
    try:
        if times.dtype.kind in "fiub":
            return np.ascontiguousarray(times, np.float64)
        dates = times.astype("datetime64[us]")
    except (TypeError, ValueError) as error:
        raise UsageError(f"the values of time must be numbers or dates: {error}") from None
    return np.where(np.isnat(dates), np.nan, dates.astype(np.int64) / 1e6)


def _test_set(given, rows: int) -> np.ndarray:
    """1 for the rows of the test set, which are given by True, 1, "test" or "yes" beside False, 0, "train" or "no"."""
    values = np.asarray(given)
    if values.shape != (rows,):
        raise UsageError(f"test_set must have one value for each of the {rows} rows of X")
    words = np.char.lower(values.astype(str))
    test = np.isin(words, ("true", "t", "1", "1.0", "test", "testing", "yes"))
    if not (test | np.isin(words, ("false", "f", "0", "0.0", "train", "training", "no"))).all():
        raise UsageError('the values of test_set must be True or False, 1 or 0, or "test" or "train"')
    return np.ascontiguousarray(test, np.uint8)


def _covariates(given, names, columns: int) -> np.ndarray:
    """Flags of the columns that are covariates, which are given by their names or numbers."""
    flags = np.zeros(columns, np.uint8)
    for column in [given] if isinstance(given, (str, int)) else given:
        if isinstance(column, str):
            found = list(names).index(column) if names is not None and column in names else None
        else:
            found = int(column) if isinstance(column, (int, np.integer)) and 0 <= column < columns else None
        if found is None:
            raise UsageError(f"the covariate {column!r} is not a column of X" + (", whose columns have no names" if names is None else ""))
        flags[found] = 1
    return flags


def dataset_from_arrays(X, labels: Optional[np.ndarray] = None, classes: int = 0, *, feature_names=None,
                        class_names=None, ids=None, like: Optional[Handle] = None, shape: Optional[Handle] = None, words: Optional[dict] = None,
                        name: str = "data", target: Optional[np.ndarray] = None, strata=None,
                        positive=None, covariates: Optional[np.ndarray] = None, groups=None, time=None, test_set=None,
                        weights=None) -> Handle:
    """A data set of the library. `labels` are class numbers; X is a checked array, CSR or CSC matrix; names may be joined. With
    `target` are numbers to predict in place of classes. `words` are those of the nominal features, whose numbers X has. With
    `shape`, a data set, names and hierarchy of the features are its own; with `like`, a model, those of the classes too."""
    rows, columns = X.shape
    if rows >= lib.NONE or columns >= lib.NONE:
        raise LimitError(f"X has {rows} rows and {columns} columns, which is too large")
    arrays = lib.Arrays(instances=rows, features=columns, classes=classes, name=lib.text("name", name))
    if sp.issparse(X):
        X = _canonical(X)
        start, index, arrays.wide = _index_type(X)
        values, arrays.number = _numbers(np.ascontiguousarray(X.data))
        arrays.layout = lib.ROWS if X.format == "csr" else lib.COLUMNS
        arrays.start, arrays.entries = start.ctypes.data, min(len(index), len(values))
        if arrays.entries:
            arrays.index, arrays.values = index.ctypes.data, values.ctypes.data
    else:
        values, arrays.number = _numbers(X)
        arrays.layout, arrays.values = lib.DENSE, values.ctypes.data
        arrays.row_stride, arrays.column_stride = values.strides
    if labels is not None:
        labels = np.ascontiguousarray(labels, dtype=np.uint32)
        if labels.shape != X.shape[:1]:
            raise UsageError(f"there are {labels.size} labels for {X.shape[0]} rows")
        arrays.labels = labels.ctypes.data
    if target is not None:
        target = np.ascontiguousarray(target, dtype=np.float64)
        if target.shape != X.shape[:1]:
            raise UsageError(f"there are {target.size} numbers to predict for {X.shape[0]} rows")
        arrays.target = target.ctypes.data
    if words:
        types, counts = np.full(columns, lib.NO_TYPE, np.uint8), np.zeros(columns, np.uint32)
        for place, own in words.items():
            types[place], counts[place] = lib.NOMINAL, len(own)
        arrays.types, arrays.word_counts = types.ctypes.data, counts.ctypes.data
        arrays.words = lib.join_names([word for place in sorted(words) for word in words[place]])
    if feature_names is not None:
        arrays.feature_names = _joined(feature_names, X.shape[1])
    if class_names is not None:
        arrays.class_names = _joined(class_names, classes)
    if ids is not None:
        arrays.ids = _joined(ids, X.shape[0])
    if strata is not None:
        arrays.strata = lib.join_names(_strata(strata, rows))
    if groups is not None:
        arrays.groups = lib.join_names(_strata(groups, rows, ("groups", "group")))
    if time is not None:
        time = _times(time, rows)
        arrays.time = time.ctypes.data
    if test_set is not None:
        test_set = _test_set(test_set, rows)
        arrays.test_set = test_set.ctypes.data
    if weights is not None:
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        if weights.shape != (rows,):
            raise UsageError(f"weights must have one number for each of the {rows} rows of X")
        arrays.weights = weights.ctypes.data
    if positive is not None:
        arrays.positive_class = lib.text("positive", str(positive))
    if covariates is not None:
        arrays.covariates = covariates.ctypes.data
    if like is not None:
        arrays.like = like.address
    if shape is not None:
        arrays.shape = shape.address
    handle = new_dataset("hsel_dataset_from_arrays", arrays)
    handle.features = columns
    return handle


def copy_of(address: Optional[int], count: int, dtype) -> np.ndarray:
    """A copy of an array of the library."""
    if not address or not count:
        return np.empty(0, dtype)
    size = count * np.dtype(dtype).itemsize
    memory: Any = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memory, dtype).copy()


def _names(handle: Handle, which: int) -> list:
    count, size = ctypes.c_uint32(), ctypes.c_size_t()
    address = lib.library.hsel_dataset_names(handle, which, ctypes.byref(count), ctypes.byref(size))
    return lib.split_names(address, count.value, size.value)


def texts_of(handle: Handle, column: str, columns: int = lib.FEATURE_COLUMNS) -> Optional[list]:
    """Labels and further texts of each feature (or instance, by the list of its columns), None where unknown; None: no texts."""
    names, texts = _names(handle, columns), _names(handle, columns + 1)
    if column not in names:
        return None
    return [text or None for text in texts[names.index(column)::len(names)]]


def rows_of(handle: Handle) -> sp.csr_matrix:
    """The positive values of binary features."""
    n, d = lib.library.hsel_dataset_instances(handle), lib.library.hsel_dataset_features(handle)
    index = ctypes.c_void_p()
    start = copy_of(lib.library.hsel_dataset_rows(handle, ctypes.byref(index)), n + 1, np.uint64).astype(np.int64)
    if start.size == 0:
        start = np.zeros(n + 1, np.int64)
    columns = copy_of(index.value, int(start[-1]), np.uint32).view(np.int32)
    if start[-1] < 2**31:
        start = start.astype(np.int32)
    matrix = sp.csr_matrix((n, d), dtype=np.uint8)
    matrix.data, matrix.indices, matrix.indptr = np.ones(len(columns), np.uint8), columns, start
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix


def dag_of(handle: Handle):
    """Children, parents and depths of the hierarchy of a data set, or None."""
    dag = lib.library.hsel_dataset_hierarchy(handle)
    if not dag:
        return None
    nodes = lib.library.hsel_dag_nodes(dag)
    parents = ctypes.c_void_p()
    start = copy_of(lib.library.hsel_dag_parent_lists(dag, ctypes.byref(parents)), nodes + 1, np.uint32)
    if nodes == 0:
        return np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint32)
    parent = copy_of(parents.value, int(start[-1]), np.uint32)
    child = np.repeat(np.arange(nodes, dtype=np.uint32), np.diff(start.astype(np.int64)))
    return child, parent, copy_of(lib.library.hsel_dag_depths(dag), nodes, np.uint32)


def option_text(options: dict) -> bytes:
    """Keyword arguments as the library's options: drop_roots=True becomes "drop-roots=true"."""
    words = []
    for key, value in options.items():
        if value is None:
            continue
        name = key.rstrip("_").replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        for item in values:
            text = str(item).lower() if isinstance(item, (bool, np.bool_)) else os.fspath(item) if isinstance(
                item, os.PathLike) else repr(float(item)) if isinstance(item, (float, np.floating)) else str(item)
            if "," in re.sub(r"\([^()]*\)", "", text):  # those of a method within parentheses may stay
                raise UsageError(f"{key} has a comma, which is not possible in an option: {text!r}")
            words.append(f"{name}={text}")
    return lib.text("an option", ",".join(words))


def frame_of(X, index, columns, sparse: bool):
    """A matrix as a pandas DataFrame."""
    import pandas
    if sparse:
        return pandas.DataFrame.sparse.from_spmatrix(sp.csr_matrix(X), index=index, columns=columns)
    return pandas.DataFrame(X.toarray() if sp.issparse(X) else X, index=index, columns=columns)


class Dataset:
    """Instances with features, classes and optionally a hierarchy, from a file or a generator.

    Attributes
    ----------
    name : str
    X : scipy.sparse.csr_matrix or ndarray
        The features: sparse 0 and 1 (uint8) if all are binary, else dense numbers (nominal ones as codes, NaN: missing).
    y : ndarray of int
        Class numbers, in the order of `class_names`; -1: not known.
    target : ndarray of float or None
        Numeric target, NaN: unknown; None: the data have classes.
    covariates : list of str
        The features that every model uses and selectors ignore.
    feature_names, class_names : list of str
    positive_class : str or None
        The positive class of the metrics.
    ids : list of str or None
    feature_labels, namespaces : list of (str or None), or None
        Labels of the features, such as the names of terms, and their namespaces; None: unknown.
    instance_labels : list of (str or None), or None
        Labels of the instances, such as the symbols of genes.
    strata : list of (str or None), or None
        Strata within which p-values compare instances.
    groups, time, test_set : list of (str or None), or None
        Groups of related instances, such as patients, times of observation, and "test" for a fixed test set; every split respects them.
    weights : array or None
        How much classifiers learn from each instance.
    hierarchy : Hierarchy or None
        Its `columns` are the features, so it matches X.
    """

    build_report: Optional[dict] = None  # of `hsel.build`

    def __init__(self, handle: Handle):
        from ._hierarchy import Hierarchy
        self._handle = handle
        self.name = lib.library.hsel_dataset_name(handle).decode("utf-8", "replace")
        self.feature_names = _names(handle, lib.FEATURE_NAMES)
        self.class_names = _names(handle, lib.CLASS_NAMES)
        positive = lib.library.hsel_dataset_positive_class(handle)
        self.positive_class = None if positive == lib.NONE else self.class_names[positive]
        self.ids = _names(handle, lib.IDS) or None
        self.feature_labels, self.namespaces = texts_of(handle, "label"), texts_of(handle, "namespace")
        self.instance_labels, self.strata, self.groups, self.time, self.test_set, weights = \
            (texts_of(handle, column, lib.INSTANCE_COLUMNS) for column in ("label", "stratum", "role:group", "role:time", "role:test", "role:weight"))
        self.weights = None if weights is None else np.array(weights, np.float64)
        self.types = copy_of(lib.library.hsel_dataset_types(handle), len(self.feature_names), np.uint8)
        n = lib.library.hsel_dataset_instances(handle)
        labels = copy_of(lib.library.hsel_dataset_labels(handle), n, np.uint32).astype(np.int64)
        self.y = np.where(labels == lib.NONE, -1, labels) if labels.size else np.full(n, -1)
        address = lib.library.hsel_dataset_target(handle)
        self.target = copy_of(address, n, np.float64) if address else None
        self.covariates = [name for f, name in enumerate(self.feature_names) if lib.library.hsel_dataset_is_covariate(handle, f)]
        edges = dag_of(handle)
        self.hierarchy = Hierarchy._made(self.feature_names, edges[0], edges[1], len(self.feature_names), self.feature_names, edges[2],
                                         self.feature_labels) if edges else None
        self._X = None

    @property
    def X(self):
        if self._X is None:
            self._X = rows_of(self._handle) if not self.types.any() else self._dense()
        return self._X

    def _size(self) -> tuple:
        """Instances, features, classes: of the library, as the lists here may have been changed."""
        return tuple(count(self._handle) for count in (lib.library.hsel_dataset_instances, lib.library.hsel_dataset_features,
                                                       lib.library.hsel_dataset_classes))

    def _dense(self) -> np.ndarray:
        X = np.empty(self._size()[:2], order="F")
        for f in range(X.shape[1]):
            lib.library.hsel_dataset_values(self._handle, f, X[:, f].ctypes.data)
        return X

    def frame(self, sparse: bool = False):
        """X as a pandas DataFrame with the names of features and instances; sparse: with pandas' sparse columns, which take less
        memory and, in most of what pandas and scikit-learn do with them, far more time."""
        frame = frame_of(self.X, self.ids, self.feature_names, sparse)
        nominal = np.flatnonzero(self.types == lib.NOMINAL)
        if nominal.size:
            import pandas
            words = {int(f): self.words(int(f)) for f in nominal}
            codes = {f: np.nan_to_num(self.X[:, f], nan=-1).astype(int) for f in words}
            frame = pandas.concat([pandas.Series(pandas.Categorical.from_codes(codes[f], words[f]), frame.index, name=name) if f in words
                                   else frame.iloc[:, f] for f, name in enumerate(frame.columns)], axis=1)
        return frame

    def words(self, feature) -> list:
        """The words of a nominal feature, given by its name or number, in the order of their numbers in X; empty for other features."""
        number = self.feature_names.index(feature) if isinstance(feature, str) else lib.whole("feature", feature, 0, len(self.feature_names) - 1)
        count, size = ctypes.c_uint32(), ctypes.c_size_t()
        address = lib.library.hsel_dataset_value_names(self._handle, number, ctypes.byref(count), ctypes.byref(size))
        return lib.split_names(address, count.value, size.value)

    def write(self, path) -> None:
        """Writes the data set in the format given by the ending of the name."""
        lib.call("hsel_dataset_write", self._handle, lib.path(path))

    def as_frame(self, sparse: bool = False):
        """All of it as one pandas DataFrame: the features as in `frame`, and the classes by name in the last column, `class`."""
        frame = self.frame(sparse)
        frame.insert(frame.shape[1], "class" if "class" not in frame.columns else "class_", [self.class_names[c] if c >= 0 else None for c in self.y])
        return frame

    def _write_as(self, ending: str, path) -> None:
        if not os.fspath(path).removesuffix(".gz").lower().endswith(ending):
            raise UsageError(f"the name of the file must end in {ending}, not {os.fspath(path)!r}")
        self.write(path)

    def to_arff(self, path) -> None:
        """Writes it as ARFF, without the hierarchy."""
        self._write_as(".arff", path)

    def to_csv(self, path) -> None:
        """Writes it as CSV, without the hierarchy."""
        self._write_as(".csv", path)

    def to_pack(self, path) -> None:
        """Writes it as a pack, which contains everything and is read fastest."""
        self._write_as(".hsel", path)

    def __len__(self) -> int:
        return len(self.y)

    @classmethod
    def from_arrays(cls, X, y=None, *, hierarchy=None, feature_names=None, ids=None, classes=None, strata=None, target=None, covariates=None,
                    name: str = "data", positive=None, groups=None, time=None, metadata=None, test_set=None, weights=None) -> "Dataset":
        """A Dataset of a matrix or DataFrame and, if they are known, the classes of its rows, or the numbers to predict as `target`.

        `classes` are the classes in their order; by default they are sorted. `positive` is the positive one of two; by default the one
        whose name says so (1 beside 0 or -1, True, "yes" …), else the smaller one. The index of a DataFrame gives the ids. `strata` are groups of rows
        within which p-values compare, by name or number; None and NaN: unknown. `covariates` are columns, by name or number, that every
        model uses and selectors ignore, such as age and sex. No split into training and test rows divides `groups`. Splits by `time`,
        numbers or dates, train on the past. `test_set` is True for the rows of a fixed test set, which replaces folds. `weights`, above 0, say
        how much classifiers learn from each row; selectors and metrics ignore them. `metadata` is a DataFrame of the rows, with the ids as its
        index: then `y`, `target`, `strata`, `groups`, `time`, `test_set` and `weights` may be names of its columns."""
        from ._base import check_labels, checked_matrix, encode_labels, named_dataset
        from ._evaluate import _ordered
        words: dict = {}
        if metadata is not None:
            y, target, strata, groups, time, test_set, weights = _from_metadata(
                metadata, X.index if ids is None and hasattr(X, "index") else ids, len(X) if hasattr(X, "columns") else X.shape[0],
                {"y": y, "target": target, "strata": strata, "groups": groups, "time": time, "test_set": test_set, "weights": weights})
        if hasattr(X, "columns"):
            feature_names = [str(c) for c in X.columns] if feature_names is None else feature_names
            ids = [str(i) for i in X.index] if ids is None else ids
            X, words = coded(X)
        matrix = checked_matrix(X, True)
        if feature_names is None:
            feature_names = getattr(hierarchy, "columns", None) or [f"x{i}" for i in range(matrix.shape[1])]
        arguments: dict = {"ids": None if ids is None else [str(i) for i in ids], "name": name, "words": words, "strata": strata,
                           "target": target, "covariates": covariates, "groups": groups, "time": time,
                           "test_set": test_set, "weights": weights}
        if y is not None and target is not None:
            raise UsageError("y are classes and target are numbers to predict: give only one")
        if y is not None:
            check_labels(y)
            y = np.asarray(y)
            if y.shape != (matrix.shape[0],):
                raise UsageError(f"y has shape {y.shape}, but X has {matrix.shape[0]} rows")
            found, labels = encode_labels(y, 1)
            if classes is not None:
                found, labels = _ordered(found, labels, classes)
            arguments.update(labels=labels, classes=len(found), class_names=[str(c) for c in found], positive=positive)
        elif classes is not None or positive is not None:
            raise UsageError("classes are those of y, but there is no y")
        return cls(named_dataset(matrix, [str(n) for n in feature_names], hierarchy, **arguments))

    def __repr__(self) -> str:
        text = f"Dataset {self.name!r}: {len(self.y):,} instances, {len(self.feature_names):,} features, " \
               + (f"{len(self.class_names)} classes" if self.target is None else "a numeric target")
        return text + (f", {self.hierarchy.n_edges:,} edges" if self.hierarchy else ", no hierarchy")

    def __reduce__(self):
        raise TypeError("a Dataset cannot be pickled: pickle its X, y and hierarchy, or write() it")


def read(path, **options) -> Dataset:
    """Reads a data set: a file of any supported format, a pack, a folder, or only a hierarchy.

    Options are those of the command, with underscores: ``hsel.read("genes/", drop_roots=True, class_="label")``.
    """
    return Dataset(new_dataset("hsel_dataset_read", lib.path(path), option_text(options) or None))


def _command() -> str:
    """The command of this version: named by HSEL_COMMAND, installed with the library, or on PATH."""
    beside = [folder / "bin" / "hsel" for folder in pathlib.Path(lib.library._name).resolve().parents[1:4]]
    places = [os.environ.get("HSEL_COMMAND"), *(str(path) for path in beside if path.exists()), shutil.which("hsel")]
    for place in filter(None, places):
        try:
            found = subprocess.run([place, "version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout.split()
        except OSError:
            continue
        if found[:2] == ["hsel", lib.version()]:
            return place
    raise UnsupportedError(f"hsel.build runs the command hsel, but version {lib.version()} of it was not found: install it, or give its path in the "
                           "environment variable HSEL_COMMAND")


def build(*, output=None, **options) -> Dataset:
    """Makes a data set from a hierarchy, annotations and labels, or from an abundance table, as `hsel build` does.

    Options are those of the command, with underscores: ``hsel.build(hierarchy="go.obo", annotations="worm.gaf", labels="ages.tsv", drop_roots=True)``; a list gives an
    option several values. `output` keeps the data set as a file, whose ending determines the format. The result has the report of the command as `build_report`,
    a dict. Needs the command.
    """
    arguments = []
    for key, value in options.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        if name in ("--output", "--json", "--help", "--quiet", "--progress"):
            raise UsageError(f"{key} is not an option of hsel.build")
        several = value if isinstance(value, (list, tuple)) else [value]
        if name in ("--annotations", "--labels"):
            arguments += [word for item in several for word in (name, os.fspath(item))]
        elif value is True:
            arguments.append(name)
        elif value is not None and value is not False:
            arguments += [name, ",".join(str(os.fspath(item) if isinstance(item, os.PathLike) else item) for item in several)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "built.hsel") if output is None else os.fspath(output)
        done = subprocess.run([_command(), "build", *arguments, "--json", "--output", path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"hsel build ended with {done.returncode}"]
            raise (UsageError if done.returncode == 2 else FormatError)(lines[-1].removeprefix("hsel: "))
        for line in done.stderr.splitlines():
            warnings.warn(line.removeprefix("note: "), stacklevel=2)
        made = read(path)
    made.build_report = json.loads(done.stdout)
    return made


def generate(generator: str, *, random_state: int = 1) -> Dataset:
    """Made-up data with a hierarchy, e.g. ``hsel.generate("ontology:features=500")``."""
    return Dataset(new_dataset("hsel_dataset_generate", lib.text("the generator", generator),
                               lib.whole("random_state", random_state, 0, lib.SEEDS)))
