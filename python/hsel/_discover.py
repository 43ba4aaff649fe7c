# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates from a list of known positives, as `hsel discover` ranks them."""
from __future__ import annotations

import ctypes
import json
from typing import Optional

import numpy as np

from . import _library as lib
from ._base import seed_of, text_of, threads_of
from ._data import Dataset
from ._errors import UsageError

REPEATS = 1000  # at most


class Candidates:
    """The results of `discover`; `print` shows them as the command does.

    Attributes
    ----------
    table : DataFrame, or list of dict where pandas is not installed
        A row per candidate, best first: rank, instance (from 0), id, label, score, probability and probability_low (upper and lower bound), percentile
        among the unlabelled, expected_precision and expected_precision_low down to this rank, annotations; with `fdr` also p, q and selected. `reasons` and `nearest_known` are lists of dict.
    validation : dict
        How the known positives, held out, rank among the unlabelled, and the prior, the share of positives among these, as `pu_metrics` has them.
    study_bias : dict
        Spearman's correlation of score and number of annotations.
    not_found, ambiguous : list of str
        Names that match no instance, or several.
    report : str
        A paragraph on the methods, and the provenance, for a paper.
    """

    def __init__(self, facts: dict, text: str, report: str):
        rows = facts.pop("candidates")
        for row in rows:
            for item in (row, *row["nearest_known"]):
                item["instance"] -= 1
        self.to_dict, self._text, self.report = facts.copy, text.rstrip(), report
        self.__dict__.update(facts)
        try:
            import pandas
        except ImportError:
            self.table = rows
        else:
            self.table = pandas.DataFrame(rows)

    def __len__(self) -> int:
        return len(self.table)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def _names(given, name: str, instances: int) -> tuple:
    """A list of names, from names or from a mask of the instances, and its length."""
    if given is None:
        return None, 0
    if isinstance(given, str):
        given = [given]
    array = np.asarray(given)
    if array.dtype == bool:
        if array.shape != (instances,):
            raise UsageError(f"{name} has shape {array.shape}, but there are {instances} instances")
        given = [f"#{i + 1}" for i in np.flatnonzero(array)]
    names = [str(each) for each in given]
    if not names:
        raise UsageError(f"{name} is empty")
    return lib.join_names(names), len(names)


def discover(X, positives=None, *, negatives=None, hierarchy=None, ids=None, top: Optional[int] = 20, fdr: Optional[float] = None, correct_bias: bool = False,
             selector="none", classifier=None, cv: int = 5, repeats: int = 1, random_state=1, n_jobs: Optional[int] = None) -> Candidates:
    """Ranks the instances that are not known to be positive by how likely they are, as `hsel discover` does.

    Every instance is scored by models that were trained without it. docs/candidates.md explains the columns and what they assume.

    Parameters
    ----------
    X : Dataset, DataFrame or matrix
        The index of a DataFrame gives the identifiers; a Dataset has its own hierarchy.
    positives : list of str, str, or bool array, optional
        Known positives: identifiers, or labels in any case; texts that are no name are divided at commas and the like, then at blanks. Or a mask
        of the rows. None: the positive class of a Dataset whose other class is "unlabelled" (`hsel.read(…, pu=True)`).
    negatives : likewise, optional
        Known negatives: they calibrate `fdr` and are no candidates.
    top : int or None
        Number of candidates; None: all.
    fdr : float, optional
        Selects candidates with a false discovery rate of at most this, relative to `negatives` or else to reliable negatives.
    correct_bias : bool
        Ranks by how high a score is among unlabelled instances with similar numbers of annotations.
    selector, classifier : estimator of this package or text; classifier None: that of `hsel discover`
    cv, repeats : int
        Folds, and repetitions with other folds, over which scores are averaged.
    """
    if isinstance(X, Dataset):
        if hierarchy is not None or ids is not None:
            raise UsageError("a Dataset has its own hierarchy and ids")
        data = X
    else:
        data = Dataset.from_arrays(X, hierarchy=hierarchy, ids=ids)
    instances = data._size()[0]
    known, known_count = _names(positives, "positives", instances)
    others, others_count = _names(negatives, "negatives", instances)
    report = ctypes.c_void_p()
    request = lib.Request(selector=lib.text("selector", text_of(selector, "selector")),
                          classifier=None if classifier is None else lib.text("classifier", text_of(classifier, "classifier")),
                          seed=seed_of(random_state), threads=threads_of(n_jobs), folds=lib.whole("cv", cv, 2, REPEATS),
                          repeats=lib.whole("repeats", repeats, 1, REPEATS))
    how = lib.DiscoverRequest(positives=known, positive_count=known_count, negatives=others, negative_count=others_count,
                              top=lib.NONE if top is None else lib.whole("top", top, 1, 10**9), fdr=0 if fdr is None else lib.real("fdr", fdr),
                              correct_bias=bool(correct_bias), report=ctypes.addressof(report))
    if fdr is not None and not 0 < how.fdr < 1:
        raise UsageError(f"fdr must be a number above 0 and below 1, or None, not {fdr!r}")
    facts, text = ctypes.c_void_p(), ctypes.c_void_p()
    lib.call_long("hsel_discover", request, data._handle, request, how, ctypes.byref(facts), ctypes.byref(text))
    return Candidates(json.loads(lib.take_text(facts)), lib.take_text(text), lib.take_text(report).rstrip())
