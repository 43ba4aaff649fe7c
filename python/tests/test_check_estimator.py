# SPDX-License-Identifier: GPL-3.0-or-later
"""scikit-learn's own checks of an estimator, for every class of the package.

The checks feed random numbers. Methods that want binary features refuse them, which is tested below; to run the checks all
the same, a subclass looks at the signs of the numbers, and methods that want a hierarchy are given one edge, from the last
column up to the first.
"""
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator

import hsel
from conftest import CLASSIFIERS, RANKERS, REGRESSORS, SELECTORS

# (method, check): arguments for this check, which is not about the defaults.
ARGUMENTS_FOR = {
    ("svm", "check_classifiers_train"): {"probability": "votes"},  # Platt's most probable class need not be that of the decision values
    ("knn", "check_class_weight_classifiers"): {"n_neighbors": 5},  # one neighbour decides, whatever its weight
    # The check also reorders the rows, on which samples depend, and the last digits of a solution that is not the exact one.
    ("forest", "check_sample_weights_invariance-zeros"): {"bootstrap": False},
    ("svm", "check_sample_weights_invariance-zeros"): {"C": 1.0, "probability": "votes", "tol": 1e-8},
}
# calibration="auto" changes probabilities and not classes, so that the most probable class may be another one; and the check of weights reorders
# the rows, by which inner folds are made.
for _name in ("nb", "knn", "aode", "hie-aode", "hie-aode-lite", "tan", "ban", "hre-tan", "proximal-graph", "tree", "forest", "pu"):
    for _check in ("check_classifiers_train", "check_sample_weights_invariance-zeros"):
        ARGUMENTS_FOR[_name, _check] = {**ARGUMENTS_FOR.get((_name, _check), {}), "calibration": "none"}
ARGUMENTS_FOR["PositiveUnlabelled", "check_classifiers_train"] = {"options": {"calibration": "none"}}
# Left out: this check also reorders the rows, by which inner folds are made and sums in single precision are rounded. In the order of
# the rows it holds (test_weights.py).
LEFT_OUT = {(_name, "check_sample_weights_invariance-zeros") for _name in ("blend", "boost", "pu", "Auto", "PositiveUnlabelled")}


def binary(X, steps=(0,)):
    """For each step, which numbers are above it; the first column is positive wherever the last one is: the true-path rule of
    the one edge."""
    sparse = sp.issparse(X)
    dense = X.toarray() if sparse else np.asarray(X)
    dense = np.hstack([dense > step for step in steps])
    dense[:, 0] |= dense[:, -1]
    dense = dense.astype(np.float64)
    return type(X)(dense) if sparse else dense


class Signs:
    """Mixed in before the class under test."""

    steps = (0,)

    def _prepare(self, X, reset):
        return binary(super()._prepare(X, reset), self.steps)

    def _prepare_both(self, X, y):
        X, y = super()._prepare_both(X, y)
        return binary(X, self.steps), y

    def _names(self):
        return None if len(self.steps) > 1 else super()._names()

    def _hierarchy(self):
        d = self.n_features_in_ * len(self.steps)
        return hsel.Hierarchy([(d - 1, 0)] if d > 1 else [], nodes=[d - 1])


class Edge:
    """Mixed in before a class that needs a hierarchy and takes numbers as they are."""

    def _hierarchy(self):
        d = self.n_features_in_
        return hsel.Hierarchy([(d - 1, 0)] if d > 1 else [], nodes=[d - 1])


class AllOrNone(hsel.LazySelector):
    """Stands in for a lazy selector that chooses the same for every instance."""

    method = "all-pos"

    def fit(self, X, y):
        self.support_ = np.ones(X.shape[1], bool)
        return self

    def select(self, X):
        return sp.csr_matrix(np.broadcast_to(self.support_, X.shape))


class Steps(Signs):
    """Classifiers must learn something of the numbers, which signs alone do not tell. The steps are few: of numbers that are far
    from 0 they are all the same, and many features that say the same outweigh any weight of a class."""

    steps = tuple(np.linspace(-2, 2, 13))


def variant(cls, mixin=None):
    mixin = mixin or (Steps if issubclass(cls, ClassifierMixin) else Signs)
    name = mixin.__name__ + cls.__module__.split(".")[-1].strip("_") + cls.__name__
    if name not in globals():  # where pickle looks for it
        globals()[name] = type(name, (mixin, cls), {"__init__": cls.__init__, "__module__": __name__})
    return globals()[name]


# Less work for those that grow many forests, and distances that numbers below 0 can have.
ARGUMENTS = {"boruta": {"runs": 10, "trees": 10}, "taxahfe": {"seeds": 2, "trees": 10}, "hill-climbing": {"similarity": "euclidean"}}
ON_NUMBERS = {"ga": {"preset": "bitwise", "population": 10, "generations": 3}}  # its other mutations need a hierarchy, or binary features


def checks():
    for cls in SELECTORS + CLASSIFIERS + RANKERS + REGRESSORS + [hsel.SelectThenPredict, hsel.PositiveUnlabelled, hsel.Auto, hsel.LazyWrapper, hsel.Propagate]:
        arguments = ARGUMENTS.get(getattr(cls, "method", None), {})
        estimators = [] if cls in REGRESSORS else [variant(cls)(**arguments)]
        if "any-features" in getattr(cls, "_flags", ()):
            estimators.append((variant(cls, Edge) if "needs-hierarchy" in cls._flags else cls)(**arguments, **ON_NUMBERS.get(cls.method, {})))  # takes the numbers as they are
        if cls is hsel.SelectThenPredict:
            estimators = [variant(cls)(classifier="nb:calibration=none"), variant(cls)("hip", "nb:calibration=none"), variant(cls)(hsel.Shsel(), hsel.Knn(calibration="none"))]
        if cls is hsel.PositiveUnlabelled:
            estimators = [cls("nb")]
        if cls is hsel.Auto:  # few folds: some checks have few instances
            estimators = [variant(cls)(["none", "shsel"], ["nb:calibration=none", "knn:calibration=none"], cv=2, inner_cv=2)]
        if cls is hsel.LazyWrapper:
            estimators = [variant(cls)(hsel.AllPos(), LogisticRegression(C=100), how="mask"), variant(cls)(AllOrNone(), LogisticRegression(C=100))]
        if cls is hsel.Propagate:
            estimators = [cls(), cls([(1, 0)], how="sum"), cls([(1, 0)], how="max")]
        for estimator in estimators:
            name = getattr(estimator, "method", None) or (cls.__name__ if cls in (hsel.Auto, hsel.PositiveUnlabelled) else str(estimator))
            for _, check in check_estimator(estimator, generate_only=True):
                form = "binary" if isinstance(estimator, Signs) else "numbers"
                title = "-".join([check.func.__name__, *filter(None, [check.keywords.get("kind")])])
                if (name, title) not in LEFT_OUT:
                    yield pytest.param(name, estimator, check, title, id=f"{cls.__module__}.{name}-{form}-{title}")


@pytest.mark.parametrize("name, estimator, check, title", checks())
def test_check(name, estimator, check, title):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arguments = ARGUMENTS_FOR.get((name, title), {})  # of regressors, those that they have
        check(clone(estimator).set_params(**{key: value for key, value in arguments.items() if key in estimator.get_params()}))


@pytest.mark.parametrize("cls", [c for c in SELECTORS + CLASSIFIERS + RANKERS if "any-features" not in c._flags],
                         ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_numbers_are_refused_where_binary_features_are_needed(cls, rng):
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    arguments = {"hierarchy": hsel.Hierarchy([(1, 0)], nodes=[3])} if "needs-hierarchy" in cls._flags else {}
    with pytest.raises(ValueError, match="(needs|scores) binary features.* but feature x0 .* is numeric"):
        cls(**arguments).fit(X, y)
