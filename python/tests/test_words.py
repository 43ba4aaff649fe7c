# SPDX-License-Identifier: GPL-3.0-or-later
"""DataFrames with columns of words: nominal features, as the command reads them from a file, and missing values."""
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import hsel
from conftest import make

METHODS = [hsel.Nb, hsel.Knn, hsel.Tree, hsel.Forest, hsel.Svm]


def frame(rng, n=120):
    """Numbers, 0 and 1, categories, texts with missing ones; the class depends on all."""
    colour, size = rng.randint(0, 3, n), rng.normal(size=n)
    X = pd.DataFrame({"size": size, "has": rng.randint(0, 2, n),
                      "colour": pd.Categorical(np.array(["red", "green", "blue"])[colour], ["red", "green", "blue", "never"]),
                      "shape": np.where(rng.rand(n) < 0.5, "round", "angular").astype(object),
                      "kind": pd.array(np.where(rng.rand(n) < 0.3, "x", "y"), dtype="string")}, index=[f"i{k}" for k in range(n)])
    y = np.where((colour == 0) ^ (size > 0.5) ^ (X["shape"] == "round"), "yes", "no")
    X.loc[rng.rand(n) < 0.1, "shape"] = None
    X.loc[rng.rand(n) < 0.1, "colour"] = np.nan
    X.loc[rng.rand(n) < 0.1, "size"] = np.nan
    return X, y


def test_as_the_command_reads_it(rng, command, tmp_path):
    X, y = frame(rng)
    made = hsel.Dataset.from_arrays(X, y, name="words")
    made.to_arff(tmp_path / "words.arff")
    read = hsel.read(tmp_path / "words.arff")
    for data in (made, read):
        assert data.types.tolist() == [1, 0, 2, 2, 2] and data.words("colour") == ["red", "green", "blue", "never"]
        assert data.words("shape") == ["angular", "round"] and data.words("size") == []
        again = data.frame()
        for name in ("colour", "shape", "kind"):
            assert [None if pd.isna(v) else v for v in again[name]] == [None if pd.isna(v) else v for v in X[name]]
    for method in ("nb", "knn", "tree", "forest"):
        one, other, third = (hsel.cross_validate(*given, classifier=method, cv=5) for given in ((X, y), (made,), (read,)))
        assert np.array_equal(one.probabilities, other.probabilities) and np.array_equal(one.probabilities, third.probabilities)


@pytest.mark.parametrize("cls", METHODS, ids=lambda cls: cls.__name__)
def test_fit_and_predict(rng, cls, tmp_path):
    X, y = frame(rng)
    model = make(cls).fit(X, y)
    assert model.categories_ == {2: ["red", "green", "blue", "never"], 3: ["angular", "round"], 4: ["x", "y"]}
    found = model.predict_proba(X)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), found)
    other = X.assign(colour=X["colour"].cat.reorder_categories(["never", "blue", "green", "red"]), kind=X["kind"].astype(object))
    assert np.array_equal(model.predict_proba(other), found)  # by words, not by their numbers
    unknown, missing = (X.assign(shape=value) for value in ("square", None))
    assert np.array_equal(model.predict_proba(unknown), model.predict_proba(missing))
    assert len(model.predict(X.iloc[:1])) == 1
    with pytest.raises(hsel.UsageError, match="DataFrame with columns of words"):
        model.predict(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[["has", "size", "colour", "shape", "kind"]])
    with pytest.raises(ValueError, match="could not convert"):
        model.predict(X.assign(size="large"))
    assert not hasattr(model.fit(X[["size", "has"]], y), "categories_")


def test_selectors_rankers_and_pipelines(rng):
    X, y = frame(rng)
    selector = hsel.Top(by="ig", k=3).fit(X, y)
    kept = selector.transform(X)
    assert list(kept.columns) == list(X.columns[selector.get_support()]) and kept.equals(X.loc[:, selector.get_support()])
    assert hsel.rankers.Ig().fit(X, y).scores_.shape == (5,)
    pipe = make_pipeline(hsel.Top(by="ig"), hsel.Nb())
    grid = GridSearchCV(pipe, {"top__k": [1, 3, 5]}, cv=3).fit(X, y)
    assert grid.predict(X).shape == (120,) and hsel.SelectThenPredict("top:by=ig,k=3", "tree").fit(X, y).predict(X).shape == (120,)
    number = hsel.ForestRegressor(trees=20, random_state=1).fit(X, np.where(X["shape"] == "round", 5.0, 1.0))
    assert number.score(X, np.where(X["shape"] == "round", 5.0, 1.0)) > 0.8


def test_what_cannot_be(rng):
    X, y = frame(rng)
    with pytest.raises(ValueError, match="binary features"):
        hsel.Aode().fit(X[["has", "kind"]], y)
    with pytest.raises(hsel.UsageError, match="'kind' of X has words"):
        hsel.LazyWrapper(hsel.AllPos(), hsel.Nb()).fit(X[["has", "kind"]], y)
    same = pd.DataFrame({"a": pd.Categorical([1, "1", 2])})  # one word
    assert hsel.Dataset.from_arrays(same).words("a") == ["1", "2"]
