# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain arrays go to the library without scikit-learn's checks: results and exceptions are the same as with them."""
import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import hsel
from hsel._base import encode_labels
from hsel._data import is_plain

KINDS = (bool, np.uint8, np.int8, np.int32, np.int64, np.float32, np.float64)


def shuffled(X):
    """The same matrix with the entries of its rows in another order."""
    X = X.copy()
    for i in range(X.shape[0]):
        row = slice(X.indptr[i], X.indptr[i + 1])
        X.indices[row] = X.indices[row][::-1].copy()
    X.has_sorted_indices = X.has_canonical_format = False
    return X


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: np.dtype(kind).name)
def test_every_form_gives_the_same(data, kind):
    expected = hsel.SelectThenPredict("rpv", "nb", hierarchy=data.hierarchy).fit(data.X.toarray().tolist(), list(data.y))
    expected = expected.predict_proba(data.X.toarray().tolist())
    dense = data.X.toarray().astype(kind)
    wide = sp.csr_matrix(dense)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    padded = np.zeros((dense.shape[0], 2 * dense.shape[1]), kind)
    padded[:, ::2] = dense
    forms = [dense, np.asfortranarray(dense), padded[:, ::2], sp.csr_matrix(dense), sp.csc_matrix(dense), shuffled(sp.csr_matrix(dense)),
             wide, sp.csr_array(dense), sp.coo_matrix(dense), pd.DataFrame(dense, columns=data.feature_names)]
    for X in forms:
        found = hsel.SelectThenPredict("rpv", "nb", hierarchy=data.hierarchy).fit(X, data.y)
        assert np.array_equal(found.predict_proba(X), expected), type(X)


def test_stored_zeros_and_other_numbers(data):
    """Not all values of the lists are 1, so nothing may be taken for granted."""
    X = sp.csr_matrix(data.X, dtype=np.float64)
    expected = hsel.Nb().fit(X, data.y).predict_proba(X)
    zero = np.flatnonzero(X[-1].toarray()[0] == 0)[0]
    stored = sp.csr_matrix((np.append(X.data, 0.0), np.append(X.indices, zero), np.append(X.indptr[:-1], X.nnz + 1)), X.shape)
    assert stored.nnz == X.nnz + 1
    assert np.array_equal(hsel.Nb().fit(stored, data.y).predict_proba(stored), expected)
    doubled = X.copy()
    doubled.data[0] = 2
    assert not np.array_equal(hsel.Nb().fit(doubled, data.y).predict_proba(X), expected)
    with pytest.raises(hsel.UnsupportedError, match="needs binary features"):
        hsel.Aode().fit(doubled, data.y)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, sp.csc_matrix])
def test_not_finite(bad, form):
    X, y = np.eye(6), np.arange(6) % 2
    model = hsel.Aode().fit(form(X), y)
    X[2, 3] = bad
    for call in (lambda: hsel.Aode().fit(form(X), y), lambda: model.predict(form(X)),
                 lambda: hsel.cross_validate(form(X), y, classifier="aode", cv=2)):
        with pytest.raises(ValueError, match="NaN|infinity"):
            call()


def test_numbers_whose_sum_is_too_large():
    X, y = np.full((6, 2), 1e308), np.arange(6) % 2
    X[::2, 0] = 0
    assert is_plain(X) and not is_plain(X * 2) and hsel.Nb().fit(X, y).predict(X).shape == (6,)


def test_shapes():
    X, y = np.eye(6, dtype=np.uint8), np.arange(6) % 2
    model = hsel.Nb().fit(X, y)
    for call in (lambda: model.predict(X[:, :5]), lambda: model.predict(X[0]), lambda: hsel.Nb().fit(X, y[:5]),
                 lambda: hsel.Nb().fit(X[:0], y[:0]), lambda: hsel.Nb().fit(X[:, :0], y), lambda: model.predict(X[:0]),
                 lambda: hsel.Nb().fit(X, np.eye(6, dtype=int)), lambda: hsel.Nb().fit(X.astype(complex), y)):
        with pytest.raises(ValueError):
            call()


def test_names_are_compared_and_forgotten():
    frame, y = pd.DataFrame(np.eye(6), columns=list("abcdef")), np.arange(6) % 2
    model = hsel.Nb().fit(frame, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(frame.to_numpy())
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("bacdef")])
    model.fit(frame.to_numpy(), y)
    assert not hasattr(model, "feature_names_in_") and model.n_features_in_ == 6


@pytest.mark.parametrize("y", [[0, 1, 0], [1, 2, 1], [-1, 1, -1], [0, 5, 999], [3, 1000, 3], [2**40, 0, 1], [7, 3, 5, 3],
                               ["b", "a", "b"], [True, False, True]], ids=str)
@pytest.mark.parametrize("kind", [None, np.int8, np.uint64])
def test_labels_are_numbered_as_unique_does(y, kind):
    y = np.asarray(y)
    if kind is not None and (y.dtype.kind != "i" or y.min() < 0 or y.max() > 100):
        return
    y = y if kind is None else y.astype(kind)
    classes, labels = encode_labels(y)
    expected, numbers = np.unique(y, return_inverse=True)
    assert np.array_equal(classes, expected) and classes.dtype == expected.dtype and np.array_equal(labels, numbers)


def test_classes_keep_their_names(data):
    for names in ([0, 1], [1, 2], ["old", "young"]):
        model = hsel.SelectThenPredict("none", "nb").fit(data.X, np.asarray(names)[data.y % 2])
        assert list(model.explain(data.X).probabilities) == names


def test_hierarchy_is_bound_once_and_anew_when_columns_change(data):
    h = data.hierarchy
    first = hsel.Shsel(hierarchy=h).fit(data.X, data.y)
    shape = h._bound[2]
    assert hsel.Shsel(hierarchy=h).fit(data.X, data.y) and h._bound[2] is shape
    assert copy.deepcopy(h)._bound[2] is clone(first).hierarchy._bound[2] is shape  # a copy needs no binding of its own
    back = data.X.tocsc()[:, ::-1].tocsr()
    turned = h.with_columns(h.columns[::-1])
    found = hsel.Shsel(hierarchy=turned).fit(back, data.y)
    assert np.array_equal(found.support_[::-1], first.support_) and turned.columns != h.columns
    assert np.array_equal(hsel.Shsel(hierarchy=h).fit(data.X, data.y).support_, first.support_)
    stored = pickle.loads(pickle.dumps(h))
    assert stored == h and np.array_equal(hsel.Shsel(hierarchy=stored).fit(data.X, data.y).support_, first.support_)
    part = data.X[:, :len(h.columns) // 2]
    with pytest.raises(ValueError, match="was made for"):
        hsel.Shsel(hierarchy=h).fit(part, data.y)


def test_numbered_hierarchy_fits_wider_matrices():
    h = hsel.Hierarchy([(1, 0), (2, 0)])
    rng = np.random.RandomState(1)
    for width in (3, 5, 4, 3):
        X = (rng.rand(40, width) < 0.5).astype(np.uint8)
        X[:, 0] = 1
        assert hsel.Shsel(hierarchy=h).fit(X, np.arange(40) % 2).support_.shape == (width,)
