# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimators that predict numbers: scikit-learn's checks, its own methods beside them, data sets with a target."""
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import is_regressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

import hsel

REGRESSORS = [hsel.ForestRegressor(trees=20, random_state=1), hsel.KnnRegressor(k=3)]


def numbers(n=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    return X, X[:, 0] * 2 + X[:, 1] ** 2


@pytest.mark.parametrize("regressor", REGRESSORS, ids=str)
def test_checks_of_scikit_learn(regressor):
    assert is_regressor(regressor)
    check_estimator(regressor)


def test_knn_is_that_of_scikit_learn():
    X, y = numbers()
    scale = MinMaxScaler().fit(X[:150])
    ours = hsel.KnnRegressor(k=5).fit(X[:150], y[:150]).predict(X[150:])
    theirs = KNeighborsRegressor(5).fit(scale.transform(X[:150]), y[:150]).predict(scale.transform(X[150:]))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_forest_is_as_good_as_that_of_scikit_learn():
    X, y = numbers()
    ours = hsel.ForestRegressor(trees=200, features=2, random_state=1).fit(X[:150], y[:150])
    theirs = RandomForestRegressor(200, max_features=2, random_state=1).fit(X[:150], y[:150])
    assert abs(ours.score(X[150:], y[150:]) - theirs.score(X[150:], y[150:])) < 0.1
    assert (pickle.loads(pickle.dumps(ours)).predict(X) == ours.predict(X)).all()


def test_sparse_is_dense():
    X, y = (numbers()[0] > 0.5).astype(float), numbers()[1]
    for regressor in REGRESSORS:
        dense, sparse = regressor.fit(X, y).predict(X), regressor.fit(sp.csr_matrix(X), y).predict(sp.csr_matrix(X))
        assert (dense == sparse).all()


def test_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,age\n1,0.5,30\n0,1.5,\n1,2.5,41\n", encoding="utf-8")
    data = hsel.read(path, target="age", covariates="b")
    assert data.feature_names == ["a", "b"] and data.class_names == [] and data.covariates == ["b"]
    np.testing.assert_array_equal(data.target, [30, np.nan, 41])
    assert "a numeric target" in repr(data)
    assert hsel.read(path, class_="a").target is None


def test_cross_validate(tmp_path):
    X, y = numbers()
    np.savetxt(tmp_path / "a.csv", np.column_stack([X, y]), delimiter=",", header="a,b,c,d,e,f,y", comments="", fmt="%.17g")
    data = hsel.read(tmp_path / "a.csv", target="y")
    done = hsel.cross_validate(data, classifier="knn:k=3", cv=5, repeats=2)
    assert done.scores.shape == (2, len(y)) and "rmse" in repr(done) and "gm" not in repr(done)
    rmse = [np.sqrt(np.mean((done.predictions(repeat) - y) ** 2)) for repeat in range(2)]
    assert done.metrics["rmse"]["pooled"] == pytest.approx(np.mean(rmse))
