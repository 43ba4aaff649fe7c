# SPDX-License-Identifier: GPL-3.0-or-later
"""PositiveUnlabelled: any classifier of this package around positive and unlabelled instances, by the method `pu`."""
import numpy as np

from ._base import Model, SelectThenPredict, all_or_nothing, encode_labels, instance_weights, names_of, seed_of, takes_missing, text_of
from ._errors import UsageError


class PositiveUnlabelled(SelectThenPredict):
    """Learns from positive and unlabelled instances, with any classifier of this package as its base.

    The class that is not `positive` is unlabelled: some of its instances are positive. The results are those of ``hsel train --classify pu:base=…``.

    Parameters
    ----------
    estimator : classifier of this package, SelectThenPredict, text such as "hip+nb", or None
        The base. None: hip+nb, or nb where hip does not suit the data.
    by : {"bagging", "two-step", "weighting"}
    positive : class, optional
        By default the one whose name says so (1 beside 0 or -1, True, "yes" …), else the rarer one.
    options : dict, optional
        Further options of `pu`, such as ``{"rounds": 100, "reliable": "scores"}``.
    hierarchy : Hierarchy, optional
        By default that of the estimator.
    random_state : int, RandomState or None
        Seed; None: a different one each time.
    n_jobs : int or None
        Threads; -1: all processors.

    Attributes
    ----------
    classes_ : ndarray
    n_features_in_ : int
    """

    def __init__(self, estimator=None, *, by="bagging", positive=None, options=None, hierarchy=None, random_state=None, n_jobs=None):
        self.estimator = estimator
        self.by = by
        self.positive = positive
        self.options = options
        self.hierarchy = hierarchy
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _parts(self):
        """Selector and classifier of the base."""
        if isinstance(self.estimator, SelectThenPredict):
            return self.estimator.selector, self.estimator.classifier
        return "none", "nb" if self.estimator is None else self.estimator

    selector = property(lambda self: self._parts()[0])  # for hierarchy, seed and threads
    classifier = property(lambda self: self._parts()[1])

    def _traits(self) -> tuple:
        return True, True, isinstance(self.estimator, str) or takes_missing(self.selector, self.classifier)

    def _part(self, attribute: str):
        value = super()._part(attribute)
        return getattr(self.estimator, attribute, None) if value is None else value

    def _seed(self) -> int:
        return seed_of(self._part("random_state"))

    def _text(self) -> str:
        """As the command has it."""
        given = {name.replace("_", "-"): value for name, value in (self.options or {}).items()}
        if not given.keys().isdisjoint(("base", "by")):
            raise UsageError("base and by are arguments of PositiveUnlabelled, not options")
        if self.estimator is not None:
            selector, classifier = (text_of(*part) for part in ((self.selector, "selector"), (self.classifier, "classifier")))
            given["base"] = (classifier if selector == "none" else f"{selector}+{classifier}").replace(",", ";")
        return ",".join([f"pu:by={self.by}", *(f"{name}={value}" for name, value in given.items())])

    @all_or_nothing
    def fit(self, X, y, sample_weight=None, groups=None, time=None):
        """Learns from X and y, in which instances that are not positive are unlabelled. Parts and inner splits respect `groups` and `time`."""
        text = self._text()
        X, y = self._prepare_both(X, y)
        self.classes_, labels = encode_labels(y)
        named = {}
        if self.positive is not None:
            if self.positive not in self.classes_:
                raise UsageError(f"the positive class {self.positive!r} is not in y, which has {', '.join(map(repr, self.classes_.tolist()))}")
            named["positive"] = str(self.classes_[np.flatnonzero(self.classes_ == self.positive)[0]])
        data = self._dataset(X, self._hierarchy(), labels=labels, classes=len(self.classes_), class_names=names_of(self.classes_),
                             groups=groups, time=time, **named)
        self.model_ = Model.train(data, "none", text, self._seed(), self._threads(), instance_weights(sample_weight, X))
        self.scores_ = None
        return self
