# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrappers for estimators of scikit-learn: Propagate before them, LazyWrapper between a lazy selector and a classifier."""
from __future__ import annotations

from collections import OrderedDict
from typing import Optional

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _library as lib
from ._base import SPARSE, Estimator, LazySelector, all_or_nothing, check_labels, encode_labels, finite, validate_data
from ._data import _canonical, check_lists, frame_of
from ._errors import FormatError, UsageError
from ._hierarchy import as_hierarchy


class Propagate(TransformerMixin, BaseEstimator):
    """Adds the columns of all ancestors to X, and gives every ancestor the values of its descendants.

    Parameters
    ----------
    hierarchy : Hierarchy, edges, dict, DataFrame, networkx.DiGraph or file
        Over the names of the columns of X (or `columns` of the Hierarchy), or over their numbers. Terms that are not columns and have
        a column below them become columns, after those of X; others are left out.
    how : {"any", "sum", "max"}
        The value of an ancestor: 1 if it or any descendant is positive, as methods on a hierarchy require; the sum of its own value and those of all
        descendants, each counted once; or their maximum.
    sparse_output : bool
        CSR instead of a dense array. Sparse X stays sparse.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X had names.
    hierarchy_ : Hierarchy
        Over the columns of the result, for the next estimator.
    n_added_ : int
        Number of added columns.
    """

    def __init__(self, hierarchy=None, *, how="any", sparse_output=False):
        self.hierarchy = hierarchy
        self.how = how
        self.sparse_output = sparse_output

    def _more_tags(self):
        return {"X_types": ["2darray", "sparse"], "requires_positive_X": True, "preserves_dtype": []}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _checked(self, X, reset: bool):
        check_lists(X)
        X = validate_data(self, X, accept_sparse=SPARSE, reset=reset, **finite(False))
        values = X.data if sp.issparse(X) else X
        if values.size and values.min() < 0:
            raise FormatError(f"Negative values in data passed to Propagate: {values.min():g} is one; only 0 and positive numbers are allowed")
        return X

    def fit(self, X, y=None):
        """Determines the columns to add; y is ignored."""
        if self.how not in ("any", "sum", "max"):
            raise UsageError(f"how must be 'any', 'sum' or 'max', not {self.how!r}")
        X = self._checked(X, True)
        hierarchy, d = as_hierarchy(() if self.hierarchy is None else self.hierarchy), X.shape[1]
        names = getattr(self, "feature_names_in_", None)
        if names is None and hierarchy.names is not None:
            names = hierarchy.columns
            if len(hierarchy) and (names is None or len(names) != d):
                raise UsageError("the hierarchy has names, but X has none: give a DataFrame, or the names of X's columns as Hierarchy(…, columns=)"
                                 if names is None else f"the hierarchy was made for {len(names)} columns, and X has {d}")
        column = {name: i for i, name in enumerate(range(d) if hierarchy.names is None else names if names is not None else ())}
        place = np.array([column.get(term, -1) for term in hierarchy], int)
        if len(hierarchy) and (place < 0).all():
            raise UsageError(f"none of the names of the hierarchy is among the columns of X: {hierarchy.term(0)!r} is one of the hierarchy, "
                             f"{next(iter(column))!r} one of X")
        size = len(hierarchy)
        up = sp.csr_matrix((np.ones(hierarchy.n_edges, bool), (hierarchy._child, hierarchy._parent)), shape=(size, size))
        start = np.flatnonzero(place >= 0)
        above = sp.csr_matrix((np.ones(len(start), bool), (place[start], start)), shape=(d, size))  # column -> itself and terms above
        reached = above
        while reached.nnz:
            reached = reached @ up
            before, above = above.nnz, (above + reached).astype(bool)
            if above.nnz == before:
                break
        added = np.flatnonzero((place < 0) & (np.asarray(above.sum(axis=0)).ravel() > 0))
        target = place.copy()
        target[added] = d + np.arange(len(added))
        pairs = above.tocoo()
        alone = np.setdiff1d(np.arange(d), place)
        rows, columns = np.concatenate([pairs.row, alone]), np.concatenate([target[pairs.col], alone])
        self._spread = sp.csc_matrix((np.ones(len(rows)), (rows, columns)), shape=(d, d + len(added)))
        self.n_added_ = len(added)
        own = [str(name) for name in names] if names is not None else [f"x{i}" for i in range(d)]
        self._names_out = np.array(own + [str(hierarchy.term(int(t))) for t in added], dtype=object)
        number = {int(t): int(target[t]) for t in np.flatnonzero(target >= 0)}
        edges = [(number[c], number[p]) for c, p in zip(hierarchy._child.tolist(), hierarchy._parent.tolist()) if c in number and p in number]
        whole = type(hierarchy)(edges, nodes=[d + len(added) - 1])
        labels = hierarchy.labels
        self.hierarchy_ = whole if hierarchy.names is None else type(hierarchy)(
            [(self._names_out[c], self._names_out[p]) for c, p in edges], nodes=list(self._names_out), columns=list(self._names_out),
            labels={name: labels[name] for name in self._names_out if name in labels})
        return self

    def get_feature_names_out(self, input_features=None):
        """The names of the columns of the result."""
        check_is_fitted(self)
        if input_features is not None and list(input_features) != list(self._names_out[:self.n_features_in_]):
            if hasattr(self, "feature_names_in_") or len(input_features) != self.n_features_in_:
                raise ValueError("input_features is not equal to feature_names_in_" if hasattr(self, "feature_names_in_") else
                                 f"input_features should have length equal to number of features ({self.n_features_in_}), got {len(input_features)}")
            return np.concatenate([np.asarray(input_features, dtype=object), self._names_out[self.n_features_in_:]])
        return self._names_out

    def transform(self, X):
        """X with all ancestors. A DataFrame gives a DataFrame unless `set_output` changes it."""
        check_is_fitted(self)
        frame = X if hasattr(X, "columns") else None
        X = self._checked(X, False)
        rows = _canonical(sp.csr_matrix(X)).astype(np.float64)
        if self.how == "sum":
            out = rows @ self._spread
        elif self.how == "any":
            rows.data = (rows.data > 0).astype(np.float64)
            out = rows @ self._spread
            out.data = (out.data > 0).astype(np.uint8)
            out = out.astype(np.uint8)
        else:
            out = _largest(rows, self._spread)
        out.eliminate_zeros()
        if not (self.sparse_output or sp.issparse(X)):
            out = out.toarray()
        if frame is None or getattr(self, "_sklearn_output_config", {}).get("transform") == "default":
            return out
        return frame_of(out, frame.index, self._names_out, sp.issparse(out))


def _largest(rows, spread):
    """In each row and column of the product, the largest value instead of the sum."""
    ends = sp.csr_matrix(spread)
    cells = rows.tocoo()
    counts = np.diff(ends.indptr)[cells.col]
    row, value = np.repeat(cells.row, counts), np.repeat(cells.data, counts)
    at = np.repeat(ends.indptr[cells.col], counts) + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    column = ends.indices[at]
    order = np.lexsort((value, column, row))
    row, column, value = row[order], column[order], value[order]
    last = np.ones(len(row), bool)
    last[:-1] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    return sp.csr_matrix((value[last], (row[last], column[last])), shape=(rows.shape[0], spread.shape[1]))


def _has(method: str):
    return available_if(lambda self: hasattr(self.estimator, method))


class LazyWrapper(MetaEstimatorMixin, ClassifierMixin, Estimator):
    """Any classifier of scikit-learn with the features that a lazy selector chooses for each instance.

    Parameters
    ----------
    selector : lazy selector of this package
        E.g. ``hsel.Rpv(hierarchy=h)``.
    estimator : classifier
    how : {"refit", "mask"}
        refit: for each distinct selection the classifier is trained on the training data with only the selected features. That is one fit per
        distinct selection, at most one per instance; fits are cached. mask: it is trained once, on all features, and for each instance the features
        that are not selected are set to 0. That costs one fit, but for most classifiers an absent feature is not the same as an unknown one.
    cache : int
        Number of fitted classifiers in the cache (refit).
    n_jobs : int or None
        Number of parallel fits (refit), as in joblib.

    `SelectThenPredict` is faster for the classifiers of this package that can predict with part of their features: it needs one fit. `Svm`, `Tree`, `Forest`
    and `ProximalGraph` cannot: use this class.

    Attributes
    ----------
    classes_ : ndarray
    selector_, estimator_ : the fitted ones (estimator_: mask only)
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X had names.
    """

    def __init__(self, selector=None, estimator=None, *, how="refit", cache=1000, n_jobs=None):
        self.selector = selector
        self.estimator = estimator
        self.how = how
        self.cache = cache
        self.n_jobs = n_jobs

    def _traits(self) -> tuple:
        return True, False, False

    @all_or_nothing
    def fit(self, X, y):
        """Trains the selector, and keeps the data (refit) or trains the classifier (mask)."""
        if not isinstance(self.selector, LazySelector):
            raise UsageError(f"selector must be a lazy selector of hsel, such as hsel.Rpv(hierarchy=h), not {self.selector!r}")
        if not hasattr(self.estimator, "fit") or not hasattr(self.estimator, "predict"):
            raise UsageError(f"estimator must be a classifier of scikit-learn, not {self.estimator!r}")
        if self.how not in ("refit", "mask"):
            raise UsageError(f"how must be 'refit' or 'mask', not {self.how!r}")
        lib.whole("cache", self.cache, 0, 2**31)
        check_labels(y)
        X, y = self._prepare_both(X, y)
        if "categories_" in self.__dict__:
            raise UsageError(f"LazyWrapper takes numbers, but column {self._names()[min(self.categories_)]!r} of X has words")
        self.classes_, _ = encode_labels(y)
        self.selector_ = clone(self.selector).fit(self._named(X), y)
        self._fits: OrderedDict = OrderedDict()
        if self.how == "mask":
            self.estimator_ = clone(self.estimator).fit(X, y)
        else:
            self._data = (sp.csc_matrix(X) if sp.issparse(X) else X), y
        return self

    def select(self, X) -> sp.csr_matrix:
        """A mask: row i has True at the features that are used for instance i."""
        check_is_fitted(self)
        return self.selector_.select(self._named(self._prepare(X, False)))

    def _named(self, X):
        """X with the names of its columns, which a hierarchy may go by."""
        return X if self._names() is None else frame_of(X, None, self._names(), sp.issparse(X))

    def _fitted(self, features):
        X, y = self._data
        estimator = clone(self.estimator) if len(features) else DummyClassifier(strategy="prior")
        hierarchy = as_hierarchy(getattr(estimator, "hierarchy", None))
        if hierarchy is not None:  # a classifier of this package, for which the columns that are left are renumbered or renamed
            names = hierarchy.columns if self._names() is None else self._names()
            estimator.hierarchy = hierarchy.subset([f for f in features if f < len(hierarchy)], ancestors=False) if hierarchy.names is None \
                else hierarchy.with_columns([names[f] for f in features])
        return estimator.fit(X[:, features], y)

    def _each(self, X, method: str):
        """The result of `method` of the classifier for every row."""
        check_is_fitted(self)
        X = self._prepare(X, False)
        mask = self.selector_.select(self._named(X))
        if self.how == "mask":
            return getattr(self.estimator_, method)(X.multiply(mask).asformat(X.format) if sp.issparse(X) else np.where(mask.toarray(), X, 0))
        groups: dict = {}
        for row in range(X.shape[0]):
            groups.setdefault(mask.indices[mask.indptr[row]:mask.indptr[row + 1]].tobytes(), []).append(row)
        features = {key: np.frombuffer(key, mask.indices.dtype) for key in groups}
        missing = [key for key in groups if key not in self._fits]
        fits = dict(zip(missing, Parallel(n_jobs=self.n_jobs)(delayed(self._fitted)(features[key]) for key in missing)))
        rows = sp.csr_matrix(X) if sp.issparse(X) else X
        out: Optional[np.ndarray] = None
        for key, members in groups.items():
            model = fits[key] if key in fits else self._fits[key]
            said = getattr(model, method if hasattr(model, method) else "predict_log_proba")(rows[members][:, features[key]])
            if method == "decision_function" and said.ndim == 2 and len(self.classes_) == 2:
                said = said[:, 1] - said[:, 0]
            out = np.empty((X.shape[0], *said.shape[1:]), said.dtype) if out is None else out
            out[members] = said
        self._fits.update(fits)
        while len(self._fits) > self.cache:
            self._fits.popitem(last=False)
        return out

    def predict(self, X):
        """The class of each instance."""
        return self._each(X, "predict")

    @_has("predict_proba")
    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`."""
        return self._each(X, "predict_proba")

    @_has("predict_log_proba")
    def predict_log_proba(self, X):
        """Its logarithm."""
        return self._each(X, "predict_log_proba")

    @_has("decision_function")
    def decision_function(self, X):
        """The decision function of the classifier."""
        return self._each(X, "decision_function")
