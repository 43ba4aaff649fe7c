# SPDX-License-Identifier: GPL-3.0-or-later
"""The automatic choice of a selector and a classifier, as `hsel auto` makes it."""
from __future__ import annotations

import ctypes
import json
from typing import Optional

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from . import _library as lib
from ._base import Model, SelectThenPredict, all_or_nothing, encode_labels, instance_weights, names_of, seed_of, strata_for, \
    takes_missing, text_of, threads_of
from ._errors import UsageError
from ._hierarchy import Hierarchy

REPEATS, PERMUTATIONS = 1000, 100000  # at most


class Auto(SelectThenPredict):
    """Chooses a selector and a classifier by nested cross-validation. After `fit`, it predicts as the chosen pair, trained on all of X.

    The best of many candidates looks better than it is; `score_` is an unbiased estimate of the performance of the choice, from outer folds that took
    no part in it. Results are those of `hsel auto`; docs/auto.md has the procedure.

    Parameters
    ----------
    selectors, classifiers : list of estimators of this package or of texts, or None
        Candidates: every selector with every classifier that suits it. None: those of `hsel auto`.
    metric : str
        Metric for the choice; see `hsel.metric_names()`.
    cv, repeats : int
        Outer folds, which estimate the performance of the choice, and their repetitions.
    scheme : {"own", "weka", "wan", "loo", "window:N"} or "file:PATH"
        How outer folds are made; "loo" leaves out one group at a time if there are groups.
    inner_cv, inner_repeats : int
        Inner folds, which decide the choice, and their repetitions.
    race : float or None
        Level of the test by which candidates are dropped after an inner fold; None: all are tested in all of them.
    permutations : int
        Number of repetitions of the whole procedure with permuted classes, for `p_value_`.
    budget : float or None
        Seconds for the races; the result then depends on the machine.
    hierarchy : Hierarchy, optional
        By default that of the first estimator in the lists that has one.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; -1: all processors. Results do not depend on it.
    covariates : list of str or int, optional
        As in SelectThenPredict.

    Attributes
    ----------
    best_selector_, best_classifier_ : str
        The choice, as texts of methods.
    best_params_ : dict
        The same as {"selector", "classifier"}: `SelectThenPredict(**best_params_)` is the pipeline.
    best_score_ : float
        Mean of the choice over the inner folds of all data, by which it was chosen: too optimistic.
    score_ : float
        The unbiased estimate: mean of the metric over outer folds.
    interval_ : tuple
        Of 95 %, around `score_`.
    p_value_ : float
        p-value of `score_` against chance, by permutations; NaN: none.
    selection_ : dict
        The best with selection minus the best without over outer folds: mean, se, low, high, p, folds.
    single_pair_ : dict or None
        What the best single pair would have been: selector, classifier, estimate, and what a blend adds (blend_minus_it); None: there was no blend.
    cv_results_ : dict of arrays
        The candidates: selector, classifier, mean_test_score, se_test_score, rank_test_score, inner_folds, end, close (within one
        standard error of the best), won_outer_folds.
    outer_ : list of dict
        The pair chosen without each outer fold, and its result on that fold.
    classes_, scores_, n_features_in_, feature_names_in_, feature_labels_
        As in SelectThenPredict.
    """

    def __init__(self, selectors=None, classifiers=None, *, metric="auroc", cv=5, repeats=1, inner_cv=5, inner_repeats=1, race=0.05,
                 permutations=0, budget=None, hierarchy=None, random_state=None, n_jobs=None, covariates=None, scheme="own"):
        self.scheme = scheme
        self.covariates = covariates
        self.selectors = selectors
        self.classifiers = classifiers
        self.metric = metric
        self.cv = cv
        self.repeats = repeats
        self.inner_cv = inner_cv
        self.inner_repeats = inner_repeats
        self.race = race
        self.permutations = permutations
        self.budget = budget
        self.hierarchy = hierarchy
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _methods(self, kind: str) -> Optional[list]:
        """None: the usual ones."""
        given = getattr(self, kind + "s")
        if given is None:
            return None
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise UsageError(f"{kind}s must be a list of {kind}s or of their texts, not {given!r}")
        return list(given)

    def _traits(self) -> tuple:
        selectors, classifiers = self._methods("selector"), self._methods("classifier")
        missing = selectors is not None and classifiers is not None and \
            all(takes_missing(s, c) for s in selectors for c in classifiers)
        return True, False, missing

    def set_params(self, **params):
        """As every estimator."""
        return super(SelectThenPredict, self).set_params(**params)

    def _hierarchy(self) -> Optional[Hierarchy]:
        owners = [self, *(self._methods("selector") or ()), *(self._methods("classifier") or ())]
        return next((owner.hierarchy for owner in owners if getattr(owner, "hierarchy", None) is not None), None)

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    @all_or_nothing
    def fit(self, X, y, strata=None, groups=None, time=None, sample_weight=None):
        """Chooses a pair and trains it on X and the classes y. `strata` are for the selector `Fdr` (see its `fit`). All splits respect
        `groups` and `time`, one for each instance. With `sample_weight`, only classifiers that can use weights are tried; weight 0 removes an instance."""
        X, y = self._prepare_both(X, y)
        weights = instance_weights(sample_weight, X)
        if weights is not None and weights.any() and not weights.all():
            keep = np.flatnonzero(weights)
            X, y, weights = (X.tocsr() if sp.issparse(X) else X)[keep], y[keep], weights[keep]
            strata, groups, time = (each if each is None else np.asarray(each)[keep] for each in (strata, groups, time))
        self.classes_, labels = encode_labels(y)
        selectors = self._methods("selector")
        strata = strata if selectors is None else strata_for([text_of(method, "selector") for method in selectors], strata)
        data = self._dataset(X, self._hierarchy(), labels=labels, classes=len(self.classes_), class_names=names_of(self.classes_),
                             strata=strata, covariates=self.covariates, groups=groups, time=time,
                             weights=weights)
        request = lib.Request(seed=seed_of(self.random_state), threads=self._threads(), folds=lib.whole("cv", self.cv, 2, REPEATS),
                              repeats=lib.whole("repeats", self.repeats, 1, REPEATS), fold_scheme=lib.text("scheme", self.scheme))
        how = lib.AutoRequest(metric=lib.text("metric", self.metric), inner_folds=lib.whole("inner_cv", self.inner_cv, 2, REPEATS),
                              inner_repeats=lib.whole("inner_repeats", self.inner_repeats, 1, REPEATS),
                              permutations=lib.whole("permutations", self.permutations, 0, PERMUTATIONS),
                              race=-1 if self.race is None else lib.real("race", self.race),
                              budget=0 if self.budget is None else lib.real("budget", self.budget))
        if self.race is not None and not 0 < how.race <= 0.5:
            raise UsageError(f"race must be a level above 0 and up to 0.5, or None, not {self.race!r}")
        if self.budget is not None and not how.budget > 0:
            raise UsageError(f"budget must be a number of seconds above 0, or None, not {self.budget!r}")
        for kind in ("selector", "classifier"):
            methods = self._methods(kind)
            if methods is not None:
                if not methods:
                    raise UsageError(f"{kind}s is empty")
                texts = [text_of(method, kind, *((self.classes_,) if kind == "classifier" else ())) for method in methods]
                setattr(how, kind + "s", lib.join_names(texts))
                setattr(how, kind + "_count", len(texts))
        model, facts, text = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        lib.call_long("hsel_auto", request, data, request, how, ctypes.byref(model), ctypes.byref(facts), ctypes.byref(text))
        self.model_ = Model(model.value)
        self._report, found = lib.take_text(text).rstrip(), json.loads(lib.take_text(facts))
        self.scores_ = self.model_.relevance(data.features)
        self._take(found)
        return self

    def _take(self, found: dict) -> None:
        candidates, best = found["candidates"], found["choice"]
        sign = 1 if found["lower_is_better"] else -1
        self.best_selector_, self.best_classifier_, self.best_score_ = best["selector"], best["classifier"], best["inner"]
        self.best_params_ = {"selector": self.best_selector_, "classifier": self.best_classifier_}
        self.score_, self.interval_ = found["estimate"]["mean"], (found["estimate"]["low"], found["estimate"]["high"])
        p = found["permutation_test"]["p"]
        self.p_value_ = float("nan") if p is None else p
        self.selection_, self.outer_ = found["selection"], found["outer_folds"]
        self.single_pair_ = found.get("single_pair")
        means = np.array([np.nan if c["mean"] is None else c["mean"] for c in candidates], float)
        rank = np.empty(len(means), int)
        rank[np.lexsort((np.arange(len(means)), np.where(np.isnan(means), np.inf, sign * means)))] = np.arange(1, len(means) + 1)
        self.cv_results_ = {"selector": np.array([c["selector"] for c in candidates]),
                            "classifier": np.array([c["classifier"] for c in candidates]),
                            "mean_test_score": means,
                            "se_test_score": np.array([np.nan if c["se"] is None else c["se"] for c in candidates], float),
                            "rank_test_score": rank,
                            "inner_folds": np.array([c["inner_folds"] for c in candidates]),
                            "end": np.array([c["end"] for c in candidates]),
                            "close": np.array([c["close"] for c in candidates]),
                            "won_outer_folds": np.array([c["won_outer_folds"] for c in candidates])}

    def report(self) -> str:
        """The output of `hsel auto`: the choice, its estimate, all candidates and all outer folds."""
        check_is_fitted(self)
        return self._report
