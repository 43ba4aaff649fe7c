# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross-validation, comparison of methods, and the report of a study, as the command has them."""
from __future__ import annotations

import ctypes
import json
import os
from typing import NamedTuple, Optional

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._base import checked_matrix, check_labels, encode_labels, named_dataset, names_of, options_as_arguments, seed_of, strata_for, takes_missing, text_of, threads_of
from ._data import Dataset, Handle, _strata, coded, copy_of
from ._errors import UsageError


_METRICS = tuple(lib.library.hsel_metric_name(i).decode() for i in range(lib.library.hsel_metric_count()))
_OF_A_CLASS = ("precision", "recall", "f1", "specificity", "auroc", "auprc", "brier")  # HSEL_BY_CLASS

_STABILITY = ("nogueira", "nogueira_low", "nogueira_high", "kuncheva", "jaccard", "hierarchy", "hierarchy_low",
              "hierarchy_high")  # hsel_stability_figure


class Interval(NamedTuple):
    """An estimate with its 95 % confidence interval, NaN if there is none; `method` is how it was made, or why there is none."""

    estimate: float
    low: float
    high: float
    method: str


def metric_names() -> list:
    """The names of the metrics: gm, auroc …"""
    return list(_METRICS)


class CrossValidation:
    """The results of `cross_validate`.

    Attributes
    ----------
    metrics : dict
        Name -> {"pooled", "fold_mean", "pooled_sd", "fold_mean_sd"}: fractions, means and standard deviations over repeats.
        Where a class is not in every fold, "fold_mean" is the pooled metric; that of r2 always is.
    probabilities, scores : ndarray [repeats, instances, classes]
        The highest score is that of the predicted class. With a numeric target `scores` is [repeats, instances]: the predicted numbers.
    folds : ndarray of int [repeats, instances]
        The fold, from 0, in which an instance was tested; -1: none.
    selected : ndarray of int [repeats, instances]
        Number of features used for it.
    frequency : ndarray of int [repeats, features]
        Number of test instances for which a feature was selected.
    repeats : dict
        Metric -> ndarray [repeats] of its fold mean in each repeat.
    by_fold : dict
        Metric -> ndarray [repeats, folds] of its value in each fold.
    classes : ndarray
    confusion : ndarray of int [repeats, classes, classes]
        Number of instances of each class (row) predicted as each class (column).
    selected_share : float
        Share of the features used.
    stability : float
        Similarity of the features selected in the folds of all repeats (Nogueira, Sechidis, Brown 2018).
    stability_figures : dict
        The same with its 95 % interval and by other measures, as `stability` gives them.
    seconds : ndarray [repeats, 2]
        Selecting, classifying.
    """

    def __init__(self, selector: str, classifier: str, classes, found: Handle, size: tuple, repeats: int):
        self.selector, self.classifier, self.classes = selector, classifier, classes
        self._found: Optional[Handle] = found
        (n, d, k), m = size, len(_METRICS)

        def array(number: int, *shape) -> np.ndarray:
            counts, length = lib.FOLD_OF <= number <= lib.CONFUSION, ctypes.c_size_t()
            function = lib.library.hsel_evaluation_counts if counts else lib.library.hsel_evaluation_numbers
            address = function(found, number, ctypes.byref(length))
            return copy_of(address, length.value, np.uint32 if counts else np.float64).reshape(repeats, *shape)

        self.probabilities, self.scores = array(lib.PROBABILITY, n, k), array(lib.SCORE, n, *([k] if k else []))
        self.folds = array(lib.FOLD_OF, n).astype(np.int64)
        self.folds[self.folds == lib.NONE] = -1
        self.selected, self.frequency = array(lib.SELECTED, n), array(lib.FREQUENCY, d)
        self.seconds = array(lib.SECONDS, 2)
        self.confusion, self._by_class = array(lib.CONFUSION, k, k), array(lib.BY_CLASS, k, len(_OF_A_CLASS))
        self.repeats = dict(zip(_METRICS, array(lib.FOLD_MEAN_EACH, m).T.copy()))
        self.by_fold = dict(zip(_METRICS, array(lib.FOLD_EACH, -1, m).transpose(2, 0, 1).copy()))
        self.metrics = {name: {part: lib.library.hsel_evaluation_metric(found, name.encode(), number)
                               for number, part in enumerate(lib.STATISTICS)} for name in _METRICS}
        self.selected_share = lib.library.hsel_evaluation_selected(found)
        figures = np.empty(len(_STABILITY))
        lib.library.hsel_evaluation_stability_figures(found, figures.ctypes.data)
        self.stability_figures = dict(zip(_STABILITY, figures.tolist()))
        self.stability = self.stability_figures["nogueira"]
        self.n_folds = lib.library.hsel_evaluation_folds(found)

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_found": None}

    def __getitem__(self, metric: str) -> float:
        """The fold mean of a metric."""
        return self.metrics[metric]["fold_mean"]

    def interval(self, metric: str, *, pooled: bool = False) -> Interval:
        """The estimate of a metric with its 95 % confidence interval, after `cross_validate(…, intervals=True)`.

        Where instances are independent and folds random, the estimate is the mean over folds, and the interval uses the corrected resampled
        variance (Nadeau, Bengio 2003). With groups, times or a test set, and with `pooled`, the estimate is over all tested instances, and the
        interval is a bootstrap over groups or instances.
        """
        return self._interval(None, metric, pooled)

    def difference(self, other: "CrossValidation", metric: str, *, pooled: bool = False) -> Interval:
        """This estimate minus that of `other`, of the same data, folds and random_state, with the interval of the paired difference."""
        if not isinstance(other, CrossValidation):
            raise UsageError("other must be a result of cross_validate")
        return self._interval(other._found, metric, pooled)

    def _interval(self, other: Optional[Handle], metric: str, pooled: bool) -> Interval:
        if self._found is None:
            raise UsageError("there are no intervals: cross_validate(…, intervals=True) prepares them, and copies and pickles do not keep them")
        found, method = np.empty(3), ctypes.create_string_buffer(lib.INTERVAL_ROOM)
        lib.call("hsel_evaluation_interval", self._found, other, lib.text("metric", metric), bool(pooled), found.ctypes.data, method)
        estimate, low, high = found.tolist()
        return Interval(estimate, low, high, method.value.decode())

    def predictions(self, repeat: int = 0) -> np.ndarray:
        """The predicted classes of all instances, or the predicted numbers; None and NaN: the instance was not tested."""
        if self.scores.ndim == 2:
            return self.scores[repeat].copy()
        found, tested = self.classes[np.argmax(self.scores[repeat], axis=1)], self.folds[repeat] >= 0
        if not tested.all():
            found = found.astype(object)
            found[~tested] = None
        return found

    def per_class(self) -> dict:
        """Each class against the rest, over all instances: name -> ndarray [classes], means over repeats.

        The names are instances, predicted, precision, recall, f1, specificity, auroc, auprc, brier.
        """
        counts = {"instances": self.confusion.sum(axis=2).mean(axis=0), "predicted": self.confusion.sum(axis=1).mean(axis=0)}
        return {**counts, **dict(zip(_OF_A_CLASS, self._by_class.mean(axis=0).T.copy()))}

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self[name]:.3f}" for name in (("rmse", "r2", "spearman") if self.scores.ndim == 2 else ("gm", "auroc", "accuracy")))
        return f"CrossValidation({self.selector}, {self.classifier}: {shown}; {100 * self.selected_share:.1f} % of the features)"


def _part(given, size: int, name: str) -> np.ndarray:
    """One side of a split as numbers of instances: given so, or as a mask."""
    part = np.asarray(given)
    part = np.flatnonzero(part) if part.dtype == bool and part.shape == (size,) else part
    if part.ndim != 1 or part.dtype.kind not in "iu" or not part.size or part.min() < 0 or part.max() >= size or len(np.unique(part)) < len(part):
        raise UsageError(f"the {name} part of a split must be a list of different numbers of instances from 0 to {size - 1}, with at least one")
    return part


def _fold_numbers(cv, X, y, groups) -> tuple:
    """The fold of each instance, for each repeat, and how many folds of a repeat are tested, 0: all. From a splitter, from its splits, or from numbers.
    Where test parts make up the whole, once or several times, and training parts are all the rest, these are the folds. Else each split is a
    repeat: fold 0 is tested, fold 1 is for training, and the others take no part."""
    size, pairs = X.shape[0], cv
    if hasattr(cv, "split") and not isinstance(cv, str):
        pairs = cv.split(X, y, groups)
    elif isinstance(cv, (np.ndarray, str)) or not hasattr(cv, "__iter__") or (isinstance(cv, (list, tuple)) and not any(hasattr(each, "__len__") for each in cv)):
        numbers = np.asarray(cv)
        if numbers.shape != (size,) or numbers.dtype.kind not in "iu" or numbers.min(initial=0) < 0 or numbers.max(initial=0) >= size:
            raise UsageError("cv must be a number of folds, a splitter of scikit-learn, pairs (train, test) or the fold of each instance, from 0")
        return [numbers.astype(np.uint32)], 0
    splits = []
    for pair in pairs:
        if not hasattr(pair, "__len__") or len(pair) != 2:
            raise UsageError("a split must be a pair: the numbers of the training instances and of the test instances")
        splits.append((_part(pair[0], size, "training"), _part(pair[1], size, "test")))
    if not splits:
        raise UsageError(f"{cv} has no split")
    folds, number, whole = [np.full(size, lib.NONE, np.uint32)], 0, True
    for train, test in splits:
        if np.intersect1d(train, test).size:
            raise UsageError(f"instance {np.intersect1d(train, test)[0]} is in the training and the test part of a split")
        if (folds[-1] != lib.NONE).all():  # every instance has been tested: this is another repeat
            folds.append(np.full(size, lib.NONE, np.uint32))
            number = 0
        whole = whole and (folds[-1][test] == lib.NONE).all() and len(train) + len(test) == size
        folds[-1][test] = number
        number += 1
    if whole and (folds[-1] != lib.NONE).all() and len({int(each.max()) for each in folds}) == 1:
        return folds, 0
    folds = [np.full(size, lib.NONE, np.uint32) for _ in splits]
    for fold_of, (train, test) in zip(folds, splits):
        fold_of[train], fold_of[test] = 1, 0
    return folds, 1


def _ordered(found, labels, classes) -> tuple:
    """The classes in the given order, and the labels in that order."""
    order = {value: i for i, value in enumerate(np.asarray(classes).tolist())}
    unknown = [value for value in found.tolist() if value not in order]
    if unknown or len(order) != len(classes):
        raise UsageError(f"classes must be all classes of y, each once, but {unknown[0] if unknown else 'one of them'!r} is "
                         f"{'not among them' if unknown else 'given twice'}")
    return np.asarray(classes), np.array([order[value] for value in found.tolist()])[labels]


def _data_of(X, y, hierarchy, order, missing: bool, strata=None, positive=None, covariates=None, **design) -> tuple:
    """A data set of the library, its matrix for splitters, its classes, its size (instances, features, classes)."""
    if isinstance(X, Dataset):
        if y is not None or hierarchy is not None or order is not None or strata is not None or positive is not None or \
                covariates is not None:
            raise UsageError("a Dataset has its own classes, hierarchy, strata and covariates")
        if any(given is not None for given in design.values()):
            raise UsageError("a Dataset has its own groups, times, test set and weights")
        return X._handle, X, np.asarray(X.class_names), X._size()
    if y is None:
        raise UsageError("the classes y are missing")
    check_labels(y)
    names, words = [str(c) for c in X.columns] if hasattr(X, "columns") else None, None
    if names is not None:
        X, words = coded(X)
    matrix = checked_matrix(X, missing)
    y = np.asarray(y)
    if y.shape != (matrix.shape[0],):
        raise UsageError(f"y has shape {y.shape}, but X has {matrix.shape[0]} rows")
    classes, labels = encode_labels(y)
    if order is not None:
        classes, labels = _ordered(classes, labels, order)
    handle = named_dataset(matrix, names, hierarchy, labels=labels, classes=len(classes),
                           class_names=names_of(classes), words=words, strata=strata, positive=positive, covariates=covariates,
                           **design)
    return handle, matrix, classes, (*matrix.shape, len(classes))


def _check_groups(fold_of: np.ndarray, groups) -> None:
    """Refuses splits that divide a group, in any repeat."""
    names = np.array(_strata(groups, fold_of.shape[1], ("groups", "group")))
    _, first, number = np.unique(names, return_index=True, return_inverse=True)
    split = (names != "") & (fold_of != fold_of[:, first[number]]).any(axis=0)
    if split.any():
        i = int(np.argmax(split))
        raise UsageError(f"cv divides groups: instances {first[number[i]]} and {i} both belong to {str(names[i])!r}, but are in different parts")


def cross_validate(X, y=None, *, selector="none", classifier="nb", cv=10, scheme: str = "own", repeats: int = 1,
                   groups=None, hierarchy=None, classes=None, random_state=1, n_jobs: Optional[int] = None,
                   rank_by: str = "score", similarity: Optional[str] = None, strata=None, positive=None,
                   covariates=None, time=None, intervals: bool = False, respect: str = "all", test_set=None,
                   weights=None) -> CrossValidation:
    """Cross-validates a selector with a classifier: both are trained only on the training part of each fold.

    Parameters
    ----------
    X : Dataset, array, CSR or CSC matrix, or DataFrame
    y : classes, if X is not a Dataset
    selector, classifier : estimators of this package, or texts such as ``"rpv:measure=ig"``
    cv : int, splitter of scikit-learn, pairs (train, test), or array with the fold of each instance
        A splitter may cover all instances several times, such as RepeatedStratifiedKFold: these are repeats. If the splits do not cover all
        instances, such as those of ShuffleSplit or TimeSeriesSplit, each is a repeat with one fold.
    groups : array, optional
        The group of each instance, such as its patient: no fold and no split within a method divides a group. A splitter gets them, too;
        splits that divide a group, such as those of ShuffleSplit, raise an error.
    time : array, optional
        When each instance was observed, as number or date: methods are trained on the past and tested on the future.
    scheme : {"own", "weka", "wan", "loo", "window:N"} or "file:PATH"
        How folds are drawn when cv is a number; the same folds as `hsel eval --fold-scheme`.
    repeats : int
        Repeat r uses random_state + r. Only when cv is a number: a splitter would give the same folds again.
    classes : sequence, optional
        The classes in their order. By default they are sorted; a Dataset has its own (`class_names`), so
        ``classes=data.class_names`` gives the same for ``data.X`` with names as labels.
    positive : class, optional
        The positive one of two classes, if X is not a Dataset, which has its own. By default determined by its name (1 against 0 or -1, True, "yes"
        …), else the smaller one.
    hierarchy : Hierarchy, optional
        By default that of the selector, else that of the classifier.
    rank_by : {"score", "probability"}
        What AUROC and AUPRC rank instances by.
    similarity : {"lin", "resnik", "jiang-conrath"}, optional
        Also computes stability on the hierarchy, where features that are similar by this measure agree in part.
    strata : array, optional
        Strata for the selector `Fdr`, as in its `fit`. Folds ignore strata.
    covariates : list of str or int, optional
        Columns of X, by name or number, that the classifier always uses and the selector ignores.

    intervals : bool
        Prepares 95 % confidence intervals for `CrossValidation.interval` and `difference`.
    respect : {"all", "groups", "none"}
        What folds respect: "none" gives ordinary folds, "groups" ignores times and a test set. The difference from "all" shows how much ordinary
        folds leak.
    test_set : array of bool, optional
        The rows of a fixed test set, which replaces folds; without those whose group is in it, the others are learned from.
    weights : array, optional
        How much classifiers learn from each row: numbers above 0. Selectors and metrics ignore them.

    The numbers are those of `hsel eval`, bit for bit.
    """
    for owner in (selector, classifier):
        if hierarchy is None and not isinstance(X, Dataset):
            hierarchy = getattr(owner, "hierarchy", None)
    texts = text_of(selector, "selector"), text_of(classifier, "classifier")
    own_folds = isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)
    known = (X, y, hierarchy, classes, takes_missing(selector, classifier), strata_for(texts[:1], strata), positive, covariates)
    handle, matrix, classes, size = _data_of(*known, groups=groups if own_folds or not isinstance(X, Dataset) else None, time=time,
                                            test_set=test_set, weights=weights)
    texts = texts[0], text_of(classifier, "classifier", classes)
    request = lib.Request(selector=lib.text("selector", texts[0]), classifier=lib.text("classifier", texts[1]),
                          fold_scheme=lib.text("scheme", scheme), repeats=lib.whole("repeats", repeats, 1, 2**31),
                          seed=seed_of(random_state), threads=threads_of(n_jobs), rank_by=lib.text("rank_by", rank_by), details=1,
                          intervals=bool(intervals), respect=lib.text("respect", respect),
                          similarity=None if similarity is None else lib.text("similarity", similarity))
    fold_of = None
    if own_folds:
        request.folds = lib.whole("cv, the number of folds,", cv, 0, lib.NONE - 1)
        if request.folds == 0 and scheme != "loo" and not scheme.startswith("file:"):
            raise UsageError("at least 2 folds are needed, not 0")
    else:
        for name, given in (("repeats", repeats != 1), ("scheme", scheme != "own")):
            if given:
                raise UsageError(f"{name} is for a number of folds, but cv gives the folds themselves, which would be the same each time")
        source = (matrix.X, matrix.y) if isinstance(matrix, Dataset) else (matrix, y)
        groups = getattr(matrix, "groups", None) if groups is None else groups
        folds, request.tested = _fold_numbers(cv, *source, groups)
        fold_of = np.array(folds)
        if groups is not None:
            _check_groups(fold_of, groups)
        request.fold_of, request.repeats = fold_of.ctypes.data, len(fold_of)
        request.folds = 2 if request.tested else int(fold_of.max(initial=0)) + 1
    out = ctypes.c_void_p()
    with options_as_arguments(selector, classifier):
        lib.call_long("hsel_crossval", request, handle, request, ctypes.byref(out))
    found = CrossValidation(*texts, classes, Handle(out.value, lib.library.hsel_evaluation_free), size, int(request.repeats))
    if not intervals:
        found._found = None  # only intervals need more than the arrays
    return found


def stability(masks, data: Optional[Dataset] = None, *, similarity: Optional[str] = None, n_jobs: Optional[int] = None) -> dict:
    """Similarity of selections: 1 the same, 0 as expected by chance (jaccard: nothing in common).

    Parameters
    ----------
    masks : array of bool [selections, features]
        Such as the `get_support()` of a selector fitted to different parts of the data.
    data : Dataset, optional
        The data set of the features, for similarity.
    similarity : {"lin", "resnik", "jiang-conrath"}, optional
        Features of `data` that are similar on its hierarchy agree in part: figures "hierarchy…", else NaN. Without edges they
        equal "nogueira…".

    Returns
    -------
    dict
        "nogueira" (Nogueira, Sechidis, Brown 2018) and "hierarchy" with the ends "_low" and "_high" of their 95 % intervals;
        "kuncheva", "jaccard": means over pairs.
    """
    masks = np.ascontiguousarray(np.asarray(masks) != 0, dtype=np.uint8)
    if masks.ndim != 2:
        raise UsageError("masks must be a table with a row per selection and a column per feature")
    if data is not None and not isinstance(data, Dataset):
        raise UsageError("data must be a Dataset, e.g. from hsel.read")
    figures = np.empty(len(_STABILITY))
    lib.call("hsel_stability", masks.ctypes.data, *masks.shape, None if data is None else data._handle,
             None if similarity is None else lib.text("similarity", similarity), threads_of(n_jobs), figures.ctypes.data)
    return dict(zip(_STABILITY, figures.tolist()))


def pu_metrics(scores, labelled, *, prior: Optional[float] = None, groups=None, random_state: int = 1) -> dict:
    """Evaluates a ranking where no negatives are known, only labelled positives and unlabelled instances.

    Scores must be by models that did not learn from the instance, such as those of `cross_validate`. With labels named ``unlabelled``:
    ``pu_metrics(result.scores[0][:, positive], y != "unlabelled")``.

    Parameters
    ----------
    scores : array of numbers
        Higher for more positive.
    labelled : array of bool
        Which instances are labelled positives.
    prior : float, optional
        The share of positives among the unlabelled; by default it is estimated.
    groups : array, optional
        The group of each instance, for intervals by a bootstrap over groups.
    random_state : int
        Seed of the bootstrap.

    Returns
    -------
    dict
        "prior", an upper bound if it is estimated; "auroc_unlabelled", "auroc_corrected" (for the prior; by the ends of its interval in
        "auroc_corrected_by_prior"), "median_percentile" of the hidden positives, and for the highest scores "top": "precision" and
        "recall" with bounds, "enrichment", "lee_liu", "recovered". Estimates have 95 % intervals.
    """
    scores = np.ascontiguousarray(scores, np.float64)
    labelled = np.ascontiguousarray(np.asarray(labelled) != 0, np.uint8)
    if scores.ndim != 1 or labelled.shape != scores.shape:
        raise UsageError("scores and labelled must be lists of the same length")
    if groups is not None:
        groups = np.ascontiguousarray(np.unique(np.asarray(groups), return_inverse=True)[1], np.uint32)
        if groups.shape != scores.shape:
            raise UsageError("groups must have one group for each score")
    text = ctypes.c_void_p()
    lib.call("hsel_pu_metrics", scores.ctypes.data, labelled.ctypes.data, None if groups is None else groups.ctypes.data, len(scores),
             np.nan if prior is None else prior, random_state, b"json", ctypes.byref(text))
    return json.loads(lib.take_text(text))


def discover_sets(data: Dataset, path, *, selector="none", classifier="nb", min_set: int = 10, max_set: int = 500, cv: int = 5, repeats: int = 1,
                  random_state: int = 1, n_jobs: Optional[int] = None) -> list:
    """Which of many sets of instances, such as pathways, can be predicted, and how well.

    Each set is the positive class in turn, and the other instances are unlabelled.

    Parameters
    ----------
    data : Dataset
        With ids. Its classes are not used.
    path : path
        A GMT file (name, description, members, between tabs), or a table of set and member. Members are ids, or labels in any case.
    min_set, max_set : int
        Sets with fewer or more members in the data are left out.

    Returns
    -------
    list of dict
        For each set, best first: "set", "members", "matched", "left_out" (None, or why), and the metrics of `pu_metrics`.
    """
    if not isinstance(data, Dataset):
        raise UsageError("data must be a Dataset, e.g. from hsel.read")
    request = lib.Request(selector=lib.text("selector", text_of(selector, "selector")), classifier=lib.text("classifier", text_of(classifier, "classifier")),
                          folds=lib.whole("cv", cv, 2, 1000), repeats=lib.whole("repeats", repeats, 1, 1000),
                          seed=lib.whole("random_state", random_state, 0, lib.SEEDS), threads=threads_of(n_jobs))
    text = ctypes.c_void_p()
    lib.call_long("hsel_discover_sets", request, data._handle, request, lib.path(path), lib.whole("min_set", min_set, 1, 10**9),
                  lib.whole("max_set", max_set, 1, 10**9), b"json", ctypes.byref(text))
    return json.loads(lib.take_text(text))["sets"]


def similarity(data: Dataset, first, second, by: str = "lin") -> np.ndarray:
    """Semantic similarity of features on the hierarchy, by the information that the data have on their common ancestors.

    Parameters
    ----------
    data : Dataset
    first, second : names or numbers of features, of the same length
    by : {"lin", "resnik", "jiang-conrath"}
        Resnik's is in bits, the others are from 0 to 1.
    """
    number = {name: i for i, name in enumerate(data.feature_names)}
    number.update({i: i for i in range(len(number))})
    return _similarity(data._handle, number, first, second, by)


def _similarity(data: Handle, number: dict, first, second, by: str) -> np.ndarray:
    """The numbers of pairs of features, found by name."""
    pairs = []
    for given in (first, second):
        unknown = [f for f in given if f not in number]
        if unknown:
            raise UsageError(f"{unknown[0]!r} is not a feature of the data")
        pairs.append(np.array([number[f] for f in given], np.uint32))
    if pairs[0].shape != pairs[1].shape:
        raise UsageError(f"first has {len(pairs[0])} features, but second has {len(pairs[1])}")
    out = np.empty(len(pairs[0]))
    lib.call("hsel_similarity", data, lib.text("by", by), pairs[0].ctypes.data, pairs[1].ctypes.data, len(out), out.ctypes.data)
    return out


class Comparison:
    """The results of `compare`: as attributes and as `to_dict()`; `print` shows text and tables."""

    def __init__(self, facts: dict, text: str):
        self._facts, self._text = facts, text.rstrip()
        self.__dict__.update({key.replace("-", "_"): value for key, value in facts.items()})

    def to_dict(self) -> dict:
        return dict(self._facts)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def compare(results, *, methods=None, datasets=None, control=None, lower: bool = False, alpha: float = 0.05,
            one_sided: bool = False, keep_zeros: bool = False, tolerance: float = 0.0) -> Comparison:
    """Compares methods over data sets: ranks, wins, Friedman, Nemenyi, Holm against a control, Wilcoxon.

    Parameters
    ----------
    results : DataFrame or 2-d array
        A row per data set and a column per method; NaN: missing.
    methods, datasets : names, when `results` has none
    control : name or number of a method, optional
    lower : bool
        Lower results are better.
    """
    if hasattr(results, "columns"):
        methods = [str(c) for c in results.columns] if methods is None else methods
        datasets = [str(i) for i in results.index] if datasets is None else datasets
    try:
        values = np.ascontiguousarray(results, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("results must be numbers, with a row per data set and a column per method") from None
    if values.ndim != 2 or np.isinf(values).any():
        raise UsageError("results must be a table of finite numbers, with a row per data set and a column per method")
    methods = [f"method {i + 1}" for i in range(values.shape[1])] if methods is None else [str(m) for m in methods]
    datasets = [f"data set {i + 1}" for i in range(values.shape[0])] if datasets is None else [str(d) for d in datasets]
    if (len(datasets), len(methods)) != values.shape:
        raise UsageError(f"{len(datasets)} data sets and {len(methods)} methods are named, but results has shape {values.shape}")
    if control is not None:
        number = methods.index(control) if control in methods else control
        if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= number < len(methods):
            raise UsageError(f"the control {control!r} is not one of the methods: {', '.join(methods)}, or a number from 0")
        control = int(number)
    request = lib.CompareRequest(value=values.ctypes.data, datasets=len(datasets), methods=len(methods),
                                 dataset_names=lib.join_names(datasets), method_names=lib.join_names(methods),
                                 control=None if control is None else lib.text("control", methods[control]), lower_is_better=bool(lower),
                                 one_sided=bool(one_sided), keep_zeros=bool(keep_zeros), alpha=lib.real("alpha", alpha),
                                 tolerance=lib.real("tolerance", tolerance))
    facts, text = ctypes.c_void_p(), ctypes.c_void_p()
    lib.call("hsel_compare", request, ctypes.byref(facts), ctypes.byref(text))
    return Comparison(json.loads(lib.take_text(facts)), lib.take_text(text))


class PValues(NamedTuple):
    """The result of `p_values`: four arrays with an entry for each column of X."""

    pvalues: np.ndarray
    adjusted: np.ndarray
    status: np.ndarray
    inherited: np.ndarray


_P_STATUS = np.array(["tested", "rough", "drawn", "constant", "rare", "nominal", "covariate"])  # hsel_p_status
_P_INHERITED = 16


def _option_text(**options) -> str:
    """Options as the library reads them."""
    value = lambda given: str(given).lower() if isinstance(given, bool) else repr(given) if isinstance(given, float) else str(given)
    return ",".join(f"{name.replace('_', '-')}={value(given)}" for name, given in options.items())


def terms(X, y=None, *, form: Optional[str] = None, alpha: float = 0.05, top: int = 0, significant: bool = False, hierarchy=None,
          classes=None, strata=None, groups=None, positive=None, covariates=None, random_state=1, n_jobs: Optional[int] = None, **options):
    """The table of terms of `hsel terms`: counts, effects, p-values, and what a significant term adds to other significant terms.

    Parameters
    ----------
    X, y, hierarchy, classes, strata, groups, positive, covariates : as in `p_values`
    form : {"text", "csv", "latex"}, optional
        Returns the table as a text.
    alpha : float
        Terms with q up to this are significant.
    top : int
        Only the first terms; 0: all.
    significant : bool
        Only significant terms.
    options : those of `p_values` for the test, such as adjust="focused-bh", tail="more"

    Returns a dictionary; its entry "terms" is a list with a dictionary for each term, the smallest p first (`pandas.DataFrame(found["terms"])`).
    """
    handle = _data_of(X, y, hierarchy, classes, True, strata, positive, covariates, groups=groups)[0]
    request = lib.Request(seed=seed_of(random_state), threads=threads_of(n_jobs))
    text = ctypes.c_void_p()
    lib.call_long("hsel_terms", request, handle, request,
                  lib.text("options", _option_text(alpha=lib.real("alpha", alpha), top=lib.whole("top", top, 0, 2**28), significant=bool(significant), **options)),
                  lib.text("form", form or "json"), ctypes.byref(text))
    found = lib.take_text(text)
    return found if form else json.loads(found)


def p_values(X, y=None, *, adjust: str = "bh", test: str = "auto", tail: str = "both", mid: bool = False, means: bool = False,
             permutations: int = 0, min_present: float = 0.05, scan: str = "bernoulli", scan_rate: float = 0, hierarchy=None, classes=None, strata=None, groups=None,
             positive=None, covariates=None, random_state=1, n_jobs: Optional[int] = None) -> PValues:
    """Tests each column of X for an association with the class, as `hsel rank --p-values` does.

    Parameters
    ----------
    X, y, hierarchy, classes, positive, covariates : as in `cross_validate`
    adjust : {"bh", "by", "holm", "max-t", "scan"}, a procedure of `test`, or one of {"elim", "weight01", "weight01-topgo", "weight"}
        How p-values are adjusted for the number of columns: "scan" by the tree scan statistic; the last four take the columns below a term into account instead.
    test : {"auto", "fisher", "chi2", "g", "cmh"}
        The test of binary columns. Numeric columns have rank tests, or with `means` Welch's t.
    tail : {"both", "more", "less"}
        For Fisher's test: any dependence, or more (fewer) positives in the positive class.
    mid : bool
        Mid-p of Fisher's test.
    permutations : int
        Computes p-values from this number of permutations of the classes, within strata and respecting groups; 0: none.
    min_present : float
        Numeric columns are tested only if they are present in this share of the instances, and in at least 3.
    scan : {"bernoulli", "poisson"}
        With adjust="scan": whether cases are counted among instances, or for their exposure.
    scan_rate : float
        With adjust="scan": cases expected per instance or unit of exposure; 0: given the number of cases.
    strata, groups : array, optional
        The stratum, within which instances are compared, and the group of each instance.

    Returns p-values and adjusted ones (NaN where a column is not tested); for each column "tested", "rough" (approximated, though its counts are
    too small), "drawn" (from random tables), or why it is not tested: "constant", "rare", "nominal" or "covariate"; and whether
    structured-holm rejects it only because it rejects a column below it.
    """
    handle, _, _, size = _data_of(X, y, hierarchy, classes, True, strata, positive, covariates, groups=groups)
    options = _option_text(adjust=adjust, test=test, tail=tail, mid=bool(mid), means=bool(means),
                           permutations=lib.whole("permutations", permutations, 0, 10**8), min_present=lib.real("min_present", min_present),
                           scan=scan, scan_rate=lib.real("scan_rate", scan_rate))
    request = lib.Request(seed=seed_of(random_state), threads=threads_of(n_jobs))
    p, adjusted, status = np.empty(size[1]), np.empty(size[1]), np.empty(size[1], np.uint8)
    lib.call_long("hsel_p_values", request, handle, request, lib.text("options", options),
                  p.ctypes.data, adjusted.ctypes.data, status.ctypes.data)
    return PValues(p, adjusted, _P_STATUS[status % _P_INHERITED], status >= _P_INHERITED)


def test(pvalues, hierarchy=None, *, method: str = "focused-bh", alpha: float = 0.05, return_inherited: bool = False):
    """Decides which features to reject, that is, to declare relevant, from given p-values, as `hsel test` does.

    `pvalues` has one per feature, in the order of the columns of `hierarchy`; or it is a Series with their names. `method` is
    bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm or yekutieli, `alpha` the level. Returns two arrays:
    which are rejected, and the smallest level at which each is (NaN where the procedure does not define it). With `return_inherited`, also a third:
    which of them structured-holm rejects only because a feature below is rejected, whatever their own p-values.
    """
    names = None if isinstance(pvalues, (list, tuple, np.ndarray)) else [str(name) for name in pvalues.index]
    p = np.ascontiguousarray(pvalues, dtype=np.float64)
    if p.ndim != 1:
        raise UsageError(f"pvalues must have one number per feature, not {p.ndim} dimensions")
    shape = named_dataset(sp.csr_matrix((0, len(p)), dtype=np.uint8), names, hierarchy)
    rejected, adjusted = np.empty(len(p), np.uint8), np.empty(len(p))
    lib.call("hsel_reject", shape, p.ctypes.data, lib.text("method", method), lib.real("alpha", alpha), rejected.ctypes.data,
             adjusted.ctypes.data)
    return (rejected > 0, adjusted, rejected == 2) if return_inherited else (rejected > 0, adjusted)


def report(store, path, *, format: Optional[str] = None, study: Optional[str] = None, charts=None) -> None:
    """Writes the report of a study from the store of `hsel run`.

    `format` is html, text, csv, latex or curves (points of ROC, precision-recall and calibration as CSV), by default from
    the ending of `path` (.html, .txt, .csv, .tex). `charts` is a folder to write the charts of the page to,
    each as SVG and as a table of its points (TSV).
    """
    path = os.fspath(path)
    if format is None:
        format = {".html": "html", ".htm": "html", ".txt": "text", ".csv": "csv", ".tex": "latex"}.get(
            os.path.splitext(path)[1].lower(), "html")
    lib.call("hsel_report", lib.ReportRequest(store=lib.path(store), study=lib.text("study", study) if study else None,
                                              format=lib.text("format", format), charts=lib.path(charts) if charts else None,
                                              path=lib.path(path)))
