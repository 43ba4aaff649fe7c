# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimators as scikit-learn's users use them: any kind of X, pipelines, grids, pickles; and every kind of wrong input."""
import copy
import csv
import gc
import io
import json
import pickle
import threading
import weakref

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from joblib import cpu_count
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFdr, SelectKBest, chi2
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer

import hsel
from conftest import CLASSIFIERS, EAGER, LAZY, QUICK, RANKERS, make


def kinds_of(X, names):
    """One matrix in every way that users hold one."""
    dense = X.toarray()
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    unsorted = X.copy()
    for i in range(X.shape[0]):
        unsorted.indices[X.indptr[i]:X.indptr[i + 1]] = X.indices[X.indptr[i]:X.indptr[i + 1]][::-1]
    unsorted.has_sorted_indices = unsorted.has_canonical_format = False
    zeros = sp.csr_matrix(sp.coo_matrix((np.r_[X.data, 0], (np.r_[X.nonzero()[0], 0], np.r_[X.nonzero()[1], np.flatnonzero(
        dense[0] == 0)[0]])), shape=X.shape))
    assert zeros.nnz == X.nnz + 1
    every_other = sp.csr_matrix((np.repeat(X.data, 2)[::2], np.repeat(X.indices, 2)[::2], np.repeat(X.indptr, 2)[::2]), X.shape)
    return {"uint8": dense, "bool": dense.astype(bool), "int64": dense.astype(np.int64), "int8": dense.astype(np.int8),
            "int16": dense.astype(np.int16), "float64": dense.astype(float), "float32": dense.astype(np.float32),
            "fortran": np.asfortranarray(dense), "strided": np.repeat(dense, 2, axis=1)[:, ::2], "backwards": dense[::-1][::-1],
            "list": dense.tolist(), "csr": X, "csc": X.tocsc(), "coo": X.tocoo(), "csr float": X.astype(float),
            "csc bool": X.tocsc().astype(bool), "csr 64": wide, "unsorted": unsorted, "explicit zeros": zeros, "strided lists": every_other,
            "frame": pd.DataFrame(dense, columns=names),
            "shuffled hierarchy": pd.DataFrame(dense, columns=names), "sparse frame": pd.DataFrame.sparse.from_spmatrix(
                X, columns=names)}


def test_every_kind_of_matrix_gives_the_same(data, three):
    for each in (data, three):
        results = {}
        for kind, X in kinds_of(each.X, each.feature_names).items():
            model = hsel.SelectThenPredict("mr", "nb", hierarchy=each.hierarchy).fit(X, each.y)
            select = hsel.Shsel(hierarchy=each.hierarchy).fit(X, each.y).get_support()
            rank = hsel.rankers.Ig().fit(X, each.y).scores_
            results[kind] = (model.predict_proba(X), select, rank, model.select(X).toarray())
        for kind, result in results.items():
            for ours, first in zip(result, results["csr"]):
                assert np.array_equal(ours, first), kind


def test_matrices_are_left_alone(data):
    for kind, X in kinds_of(data.X, data.feature_names).items():
        before = copy.deepcopy(X)
        hsel.SelectThenPredict("hip", "knn", hierarchy=data.hierarchy).fit(X, data.y).predict(X)
        if sp.issparse(X):
            assert np.array_equal(X.data, before.data)
            if X.format != "coo":
                assert np.array_equal(X.indices, before.indices), kind
        else:
            assert np.array_equal(np.asarray(X), np.asarray(before)), kind


def test_a_model_does_not_look_at_x_again(data):
    X = data.X.copy()
    model = hsel.Knn(k=3).fit(X, data.y)
    before = model.predict_proba(data.X)
    X.indices[:] = 0
    X.data[:] = 0
    assert np.array_equal(model.predict_proba(data.X), before)


@pytest.mark.parametrize("selector", ["none", "rpv", "shsel"])
def test_nothing_of_x_is_kept(data, selector):
    """Neither X itself, nor anything that would follow what becomes of it."""
    X = data.X.toarray()
    gone = weakref.ref(X)
    model = hsel.SelectThenPredict(selector, "nb", hierarchy=data.hierarchy).fit(X, data.y)
    before = model.select(data.X).toarray()
    X[:] = 0
    assert np.array_equal(model.select(data.X).toarray(), before)
    del X
    gc.collect()
    assert gone() is None


def test_columns_of_a_frame_bind_by_name(data):
    frame = data.frame()
    shuffled = frame[frame.columns[::-1]]
    straight = hsel.Gtd(hierarchy=data.hierarchy).fit(frame, data.y)
    turned = hsel.Gtd(hierarchy=data.hierarchy).fit(shuffled, data.y)
    assert set(turned.get_feature_names_out()) == set(straight.get_feature_names_out())


@pytest.mark.parametrize("labels", [np.array(["yes", "no"]), np.array([5, -2]), np.array([True, False]), np.array([1.0, 0.0]),
                                    np.array(["b", "a"], dtype=object)], ids=lambda labels: str(labels.dtype))
def test_labels(data, labels):
    y = labels[data.y]
    model = hsel.Nb().fit(data.X, y)
    assert model.classes_.tolist() == sorted(labels.tolist())
    assert set(model.predict(data.X)) <= set(labels.tolist())
    assert model.score(data.X, y) > 0.6
    assert model.predict(data.X).dtype == model.classes_.dtype


@pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)
def test_decisions(data, three, cls):
    """The class is that of the highest score, also where it is not the most probable one (svm)."""
    model = make(cls, data.hierarchy).fit(data.X, data.y)
    score = model.decision_function(data.X)
    assert score.shape == (200,) and np.array_equal(model.predict(data.X), model.classes_[(score > 0).astype(int)])
    if cls is hsel.Pu:  # for two classes
        with pytest.raises(hsel.UsageError, match="two classes"):
            make(cls, three.hierarchy).fit(three.X, three.y)
        return
    model = make(cls, three.hierarchy).fit(three.X, three.y)
    score = model.decision_function(three.X)
    assert score.shape == (150, 3) and np.array_equal(model.predict(three.X), model.classes_[score.argmax(axis=1)])


def test_against_scikit_learn(data):
    """Naive Bayes with Laplace smoothing is the same model, chi2 the same statistic (over both values of a feature)."""
    ours, theirs = hsel.Nb().fit(data.X, data.y), BernoulliNB(alpha=1).fit(data.X, data.y)
    assert np.array_equal(ours.predict(data.X), theirs.predict(data.X)) or \
        np.mean(ours.predict(data.X) == theirs.predict(data.X)) > 0.98
    dense = data.X.toarray()
    both = chi2(dense, data.y)[0] + chi2(1 - dense, data.y)[0]
    assert np.allclose(hsel.rankers.Chi2().fit(data.X, data.y).scores_, np.nan_to_num(both))


@pytest.mark.parametrize("cls", CLASSIFIERS + EAGER + LAZY + RANKERS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_pickle_and_clone(data, cls):
    fitted = make(cls, data.hierarchy, **QUICK.get(cls.method, {})).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(fitted))
    copied = copy.deepcopy(fitted)
    for other in (again, copied):
        if cls in CLASSIFIERS:
            assert np.array_equal(other.predict_proba(data.X), fitted.predict_proba(data.X))
        elif cls in LAZY:
            assert (other.select(data.X) != fitted.select(data.X)).nnz == 0
        elif cls in EAGER:
            assert np.array_equal(other.get_support(), fitted.get_support())
        else:
            assert np.array_equal(other.ranking_, fitted.ranking_)
        assert str(other) == str(fitted)
    assert str(clone(fitted)) == str(fitted) and not clone(fitted).__sklearn_is_fitted__()


def test_pickled_select_then_predict(data):
    model = hsel.SelectThenPredict(hsel.Hip(hierarchy=data.hierarchy), hsel.Knn(k=3)).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(data.X), model.predict_proba(data.X))
    assert (again.select(data.X) != model.select(data.X)).nnz == 0


def test_pipeline_and_set_output(data):
    pipe = make_pipeline(Binarizer(threshold=0.5), hsel.Tsel(hierarchy=data.hierarchy), hsel.Nb()).fit(data.X, data.y)
    assert pipe.score(data.X, data.y) > 0.6
    frame = data.frame()
    selector = hsel.Tsel(hierarchy=data.hierarchy).set_output(transform="pandas").fit(frame, data.y)
    reduced = selector.transform(frame)
    assert reduced.columns.tolist() == selector.get_feature_names_out().tolist() == \
        [n for n, k in zip(data.feature_names, selector.get_support()) if k]
    assert selector.inverse_transform(reduced.to_numpy()).shape == frame.shape
    bare = hsel.Sc().fit(data.X)  # looks at no classes
    assert bare.get_feature_names_out()[0].startswith("x")


def test_grid_search(data):
    grid = GridSearchCV(hsel.SelectThenPredict(hsel.Shsel(hierarchy=data.hierarchy), hsel.Knn()),
                        {"selector__threshold": [0.8, 0.99], "classifier__k": [1, 3]}, cv=3, n_jobs=2).fit(data.X, data.y)
    assert set(grid.best_params_) == {"selector__threshold", "classifier__k"}
    assert grid.best_estimator_.score(data.X, data.y) > 0.5
    scores = cross_val_score(hsel.Nb(), data.X, data.y, cv=3, scoring="roc_auc")
    assert scores.shape == (3,)


def test_score_function(data):
    best = SelectKBest(hsel.rankers.Ig(), k=7).fit(data.X, data.y)
    ranker = hsel.rankers.Ig().fit(data.X, data.y)
    assert best.get_support().sum() == 7
    assert set(np.flatnonzero(best.get_support())) == set(ranker.order_[:7])
    assert ranker.ranking_[ranker.order_[0]] == 1 and sorted(ranker.ranking_) == list(range(1, 121))


def test_score_function_has_p_values(data, folder, command):
    shown = list(csv.DictReader(io.StringIO(command("rank", "-q", folder, "--by", "ig", "--p-values", "--top", 0, "--csv"))))
    expected = {row["feature"]: float(row["p"] or 1) for row in shown}
    found = SelectFdr(hsel.rankers.Ig(), alpha=0.2).fit(data.X, data.y)
    assert np.allclose(found.pvalues_, [expected[name] for name in data.feature_names], rtol=1e-12)
    q = {row["feature"]: float(row["q"] or 1) for row in shown}  # scikit-learn also counts constant features as hypotheses, so it may find less
    ours = hsel.Fdr(method="bh", alpha=0.2, hierarchy=data.hierarchy).fit(data.X, data.y).get_support()
    assert np.array_equal(ours, [q[name] <= 0.2 for name in data.feature_names])
    assert found.get_support().any() and not (found.get_support() & ~ours).any()
    words = pd.DataFrame({"colour": ["red", "blue"] * 10, "size": range(20)})
    assert hsel.rankers.Ig()(words, [0, 1] * 10).shape == (2,)  # no test of words
    assert hsel.rankers.Ig()(words[["size"]], [0, 1] * 10)[1].shape == (1,)


def test_folds_of_scikit_learn_give_the_same(data):
    cv = StratifiedKFold(4, shuffle=True, random_state=3)
    estimator = hsel.SelectThenPredict(hsel.Rpv(hierarchy=data.hierarchy), hsel.Nb(calibration="none"))  # its inner folds have a seed of each fold
    theirs = cross_val_predict(estimator, data.X, data.y, cv=cv, method="predict_proba")
    ours = hsel.cross_validate(data.X, data.y, selector=estimator.selector, classifier=estimator.classifier, cv=cv)
    assert np.array_equal(ours.probabilities[0], theirs)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1, -cpu_count()])
def test_threads_do_not_matter(data, n_jobs):
    one = hsel.SelectThenPredict("mr", "knn", hierarchy=data.hierarchy).fit(data.X, data.y)
    many = hsel.SelectThenPredict("mr", "knn", hierarchy=data.hierarchy, n_jobs=n_jobs).fit(data.X, data.y)
    assert np.array_equal(one.predict_proba(data.X), many.predict_proba(data.X))
    assert (one.select(data.X) != many.select(data.X)).nnz == 0


def test_large_selections_in_blocks(data):
    X = sp.vstack([data.X] * 5).tocsr()
    lazy = hsel.AllNeg().fit(data.X, data.y)
    assert (lazy.select(X).toarray() == (X.toarray() == 0)).all()


def test_explanation(data):
    frame = data.frame()
    frame.index = [f"gene {i}" for i in range(len(frame))]
    model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=data.hierarchy), hsel.Nb()).fit(frame, data.y)
    why = model.explain(frame, 5)
    assert len(why.features) == model.select(frame)[5].nnz
    assert why.predicted == model.predict(frame)[5]
    assert list(why.probabilities.values()) == model.predict_proba(frame)[5].tolist()
    assert str(why).startswith("instance   gene 5, number 6 of data\n")
    assert str(why.plot()).startswith("digraph") and "gene 5" in why.plot()
    assert str(model.explain(frame.set_axis(range(200)), 7)).startswith("instance   7, number 8 of data\n")
    assert len(model.explain(frame, 5, top=2).features) == 2
    with pytest.raises(ValueError, match="200 rows"):
        model.explain(frame, 200)


def test_explanations_name_the_row_and_the_class_and_add_up(data):
    for names in ([0, 1], [7, 5], ["a", "b"], [True, False]):
        y = np.array(names)[data.y]
        model = hsel.SelectThenPredict("none", "nb:calibration=none").fit(data.X, y)
        for i in (0, 7, 150):
            whole, part = model.explain(data.X, i), model.explain(data.X, i, top=3)
            assert str(whole).startswith(f"instance   X[{i}], number {i + 1} of data\n")
            assert whole.predicted == model.predict(data.X)[i] and type(whole.predicted) is type(names[0])
            assert list(whole.probabilities) == model.classes_.tolist() and whole.to_dict()["predicted"] == whole.predicted
            p = whole.probabilities[whole.predicted]
            for why in (whole, part):
                total = why.prior + sum(each["log_odds"] for each in why.features) + why.rest
                assert np.isclose(total, np.log(p / (1 - p))) and why.sorted_by == "log_odds"
            assert whole.rest == 0 and len(part.features) == 3 and "(prior)" in str(whole)
    with pytest.raises(ValueError, match="true-path rule"):
        broken = data.X.toarray()
        broken[0] = 0
        broken[0, data.feature_names.index(data.hierarchy.leaves[0])] = 1
        hsel.SelectThenPredict("rpv", hierarchy=data.hierarchy).fit(data.X, data.y).explain(broken)


@pytest.mark.parametrize("selector, classifier, votes", [("none", "knn:k=3,calibration=none", 0), ("rpv", "knn:calibration=none", 0), ("none", "forest:trees=100,calibration=none", 100), ("relieff", "tree:laplace=true,calibration=none", 0),
                                                         ("none", "svm:kernel=rbf", 0), ("none", "svm", 0), ("rpv", "aode:calibration=none", 0), ("hip", "ban:calibration=none", 0)])
def test_every_classifier_adds_up(data, selector, classifier, votes):
    why = hsel.SelectThenPredict(selector, classifier, hierarchy=data.hierarchy).fit(data.X, data.y).explain(data.X, 4, top=6)
    p = why.probabilities[why.predicted]
    expected = np.log((votes * p + 0.5) / (votes * (1 - p) + 0.5)) if votes else np.log(p / (1 - p))
    assert why.sorted_by == "log_odds"
    assert np.isclose(why.prior + sum(each["log_odds"] for each in why.features) + why.rest + why.absent, expected)


def test_explanations_are_of_what_was_there_before_calibration(data):
    before, after = (hsel.SelectThenPredict("rpv", text, hierarchy=data.hierarchy).fit(data.X, data.y).explain(data.X, 4) for text in ("nb:calibration=none", "nb"))
    assert after.features == before.features and after.probabilities != before.probabilities
    assert after.to_dict()["log_odds_of"] == "before calibration" and "log_odds_of" not in before.to_dict()


def test_without_random_parts_there_is_one_seed(data):
    """The inner folds of calibration are those of the command unless a seed is given; what draws numbers draws others each time."""
    alone = hsel.Nb().fit(data.X, data.y).predict_proba(data.X)
    for random_state, same in ((None, True), (1, True), (2, False)):
        found = hsel.SelectThenPredict("none", "nb", random_state=random_state).fit(data.X, data.y).predict_proba(data.X)
        assert np.array_equal(found, alone) == same
    for classifier in ("forest:trees=5", hsel.Forest(trees=5)):
        assert len({hsel.SelectThenPredict("none", classifier).fit(data.X, data.y).predict_proba(data.X).tobytes() for _ in range(4)}) > 1


# ---- wrong input ----

def test_wrong_shapes(data):
    X, y = data.X, data.y
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hsel.Nb().fit(X, y[:-1])
    with pytest.raises(ValueError, match="2D array"):
        hsel.Nb().fit(X.toarray()[0], y)
    fitted = hsel.Nb().fit(X, y)
    with pytest.raises(ValueError, match="expecting 120 features"):
        fitted.predict(X[:, :-1])
    with pytest.raises(ValueError, match="feature names"):
        hsel.Nb().fit(data.frame(), y).predict(pd.DataFrame(X.toarray(), columns=[f"z{i}" for i in range(120)]))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite(data, bad):
    """NaN is a missing value where numbers are taken, and infinity is nowhere a value."""
    X = data.X.toarray().astype(float)
    X[3, 4] = bad
    for matrix in (X, sp.csr_matrix(X), pd.DataFrame(X)):
        with pytest.raises(ValueError, match="NaN|infinity"):
            hsel.Aode().fit(matrix, data.y)
        with pytest.raises(ValueError, match="NaN|infinity"):
            hsel.SelectThenPredict("all-pos", "nb").fit(matrix, data.y)
        if np.isinf(bad):
            for fit in (hsel.Nb().fit, hsel.SelectThenPredict().fit, hsel.cross_validate):
                with pytest.raises(ValueError, match="infinity"):
                    fit(matrix, data.y)


def test_missing_values(command, data, rng, tmp_path):
    """Where a method takes numbers, NaN is a missing value, and the numbers are those of the command for a table with gaps."""
    X = np.c_[data.X.toarray()[:, :4], rng.normal(size=(200, 3)) + data.y[:, None]]
    X[:, 4:][rng.uniform(size=(200, 3)) < 0.2] = np.nan
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    table = frame.assign(label=data.y)
    table.to_csv(tmp_path / "gaps.csv", index=False, na_rep="NA")
    for cls in CLASSIFIERS:
        if "any-features" not in cls._flags:
            continue
        command("train", "-q", tmp_path / "gaps.csv", "--class", "label", "--classify", cls.method, "-o", tmp_path / "m")
        lines = command("predict", "-q", tmp_path / "m", tmp_path / "gaps.csv", "--class", "label").splitlines()[1:]
        theirs = np.array([[float(x) for x in line.split("\t")[-3:-1]] for line in lines])
        for matrix in (X, sp.csr_matrix(X), sp.csc_matrix(X), frame, X.tolist()):
            for model in (make(cls), hsel.SelectThenPredict("none", cls.method, random_state=1)):
                assert np.array_equal(model.fit(matrix, data.y).predict_proba(matrix), theirs), cls.method
        folds = hsel.cross_validate(X, data.y, classifier=cls.method, cv=3)
        assert np.array_equal(hsel.cross_validate(hsel.read(tmp_path / "gaps.csv", class_="label"), classifier=cls.method,
                                                  cv=3).probabilities, folds.probabilities)
    for cls in (hsel.rankers.Auc, hsel.rankers.Ig, hsel.rankers.Relieff):
        ranked = json.loads(command("rank", "-q", tmp_path / "gaps.csv", "--class", "label", "--by", cls.method, "--top", 0, "--json"))
        assert [row["feature"] for row in ranked["ranking"]] == ["abcdefg"[f] for f in cls().fit(X, data.y).order_]
    model = hsel.Nb().fit(data.X.toarray(), data.y)
    gap = data.X.toarray().astype(float)
    gap[5, 7] = np.nan
    with pytest.raises(hsel.FormatError, match="feature x7 is binary, but instance 5 has the value nan"):
        model.predict(gap)


def test_numbers_where_bits_are_wanted(data):
    X = data.X.toarray().astype(float)
    fitted = hsel.Nb().fit(X, data.y)
    X[3, 4] = 0.5
    with pytest.raises(ValueError, match="aode needs binary features, but feature x4 of data is numeric: leave its column out"):
        hsel.Aode().fit(X, data.y)
    with pytest.raises(hsel.FormatError, match="feature x4 is binary, but instance 3 has the value 0.5"):
        fitted.predict(X)


def test_numbers_beside_bits(data, rng):
    """A column that is not all 0 and 1 is numeric; methods that take numbers rank it beside binary ones."""
    informative, noise = data.y + rng.normal(scale=0.1, size=200), rng.normal(size=200)
    X = np.c_[data.X.toarray()[:, :5], informative, noise]
    for cls in (hsel.rankers.Auc, hsel.rankers.Ig, hsel.rankers.Relieff):
        for matrix in (X, sp.csr_matrix(X), sp.csc_matrix(X), pd.DataFrame(X)):
            assert cls().fit(matrix, data.y).order_[0] == 5
    assert hsel.Top(by="auc", k=1).fit(X, data.y).get_support().tolist() == [False] * 5 + [True, False]
    with pytest.raises(ValueError, match="feature x5 of data is numeric"):
        next(cls for cls in RANKERS if "any-features" not in cls._flags)().fit(X, data.y)
    for cls in CLASSIFIERS:
        if "any-features" in cls._flags:
            fitted = cls().fit(X, data.y)
            assert fitted.score(X, data.y) > 0.8, cls.method
            again = pickle.loads(pickle.dumps(fitted))
            assert np.array_equal(again.predict_proba(sp.csr_matrix(X)), fitted.predict_proba(X)), cls.method


def test_labels_of_mixed_type(data):
    for y in ([1, "a"] * 100, np.array([1, "a"] * 100, dtype=object), pd.Series([1, "a"] * 100)):
        with pytest.raises(ValueError, match="mixed type"):
            hsel.Nb().fit(data.X, y)
    with pytest.raises(ValueError, match="Unknown label type"):
        hsel.Nb().fit(data.X, np.linspace(0, 1, 200))
    with pytest.raises(ValueError, match="1 class"):
        hsel.Nb().fit(data.X, np.zeros(200))
    with pytest.raises(ValueError, match="NaN"):
        hsel.Nb().fit(data.X, np.r_[np.nan, data.y[1:]])


def test_hierarchy_that_does_not_fit(data):
    frame = data.frame()
    with pytest.raises(hsel.UsageError, match="none of the names of the hierarchy is among the columns of X: 'a' is one of"):
        hsel.Rpv(hierarchy=hsel.Hierarchy([("a", "b")])).fit(frame, data.y)
    with pytest.raises(ValueError, match="has names, but X has none"):
        hsel.Rpv(hierarchy=hsel.Hierarchy([("a", "b")])).fit(data.X, data.y)
    with pytest.raises(ValueError, match="made for 2 columns, but X has 120"):
        hsel.Rpv(hierarchy=hsel.Hierarchy([("a", "b")], columns=["a", "b"])).fit(data.X, data.y)
    with pytest.raises(ValueError, match="rpv needs a hierarchy: give hierarchy="):
        hsel.Rpv().fit(data.X, data.y)
    with pytest.raises(ValueError, match="column 120, but X has 120 columns"):
        hsel.Rpv(hierarchy=hsel.Hierarchy([(120, 0)])).fit(data.X, data.y)
    with pytest.raises(ValueError, match="a networkx.DiGraph or a file, not int"):
        hsel.Rpv(hierarchy=5).fit(data.X, data.y)


def test_true_path_rule(data):
    X = data.X.toarray()
    child = data.feature_names.index(data.hierarchy.edges()[0][0])
    X[0] = 0
    X[0, child] = 1
    with pytest.raises(hsel.FormatError, match=r"true-path rule.*check that edges are \(child, parent\) before you "
                                               r"repair with hsel\.propagate\(X, hierarchy\)"):
        hsel.Rpv(hierarchy=data.hierarchy).fit(X, data.y)
    repaired = hsel.propagate(X, data.hierarchy)
    assert repaired[0].nnz == 1 + len(data.hierarchy.ancestors(data.feature_names[child]))
    hsel.Rpv(hierarchy=data.hierarchy).fit(repaired, data.y)
    frame = hsel.propagate(pd.DataFrame(X, columns=data.feature_names), data.hierarchy)
    assert np.array_equal(frame.to_numpy(), repaired.toarray()) and frame.columns.tolist() == data.feature_names


@pytest.mark.parametrize("cls", CLASSIFIERS + LAZY + EAGER, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_use_before_fit(data, cls):
    estimator = make(cls, data.hierarchy)
    use = estimator.predict if cls in CLASSIFIERS else estimator.select if cls in LAZY else estimator.transform
    with pytest.raises(NotFittedError):
        use(data.X)
    with pytest.raises(NotFittedError):
        hsel.SelectThenPredict().predict(data.X)


def test_wrong_arguments(data):
    with pytest.raises(ValueError, match="n_jobs"):
        hsel.Nb(n_jobs=0).fit(data.X, data.y)
    with pytest.raises(ValueError, match="random_state"):
        hsel.SelectThenPredict(random_state=-1).fit(data.X, data.y)
    with pytest.raises(ValueError, match="expected a selector of hsel"):
        hsel.SelectThenPredict(hsel.Nb(), hsel.Nb()).fit(data.X, data.y)
    with pytest.raises(ValueError, match="there is no classifier 'nbb'; did you mean 'nb'"):
        hsel.SelectThenPredict("none", "nbb").fit(data.X, data.y)
    with pytest.raises(ValueError, match="a whole number"):
        hsel.Knn(k="many").fit(data.X, data.y)


def test_errors_have_code_file_and_line(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b,class\n1,0,x\n1,0\n")
    with pytest.raises(hsel.FormatError) as caught:
        hsel.read(path)
    assert caught.value.code == -3 and caught.value.file.endswith("bad.csv") and caught.value.line == 3
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.line == 3
    with pytest.raises(FileNotFoundError) as missing:
        hsel.read(tmp_path / "none.csv")
    assert isinstance(missing.value, hsel.FileError) and missing.value.file.endswith("none.csv")
    with pytest.raises(MemoryError):
        raise hsel.OutOfMemoryError("out of memory")


def test_machines_that_do_not_converge_warn(recwarn):
    data = hsel.generate("ontology:instances=80,features=40", random_state=1)
    X, y = data.X, data.y
    message = "svm: {} of {} machines stopped after 2 steps without converging"
    with pytest.warns(UserWarning, match=message.format(1, 1)):
        hsel.Svm(C=1.0, probability="votes", max_steps=2).fit(X, y)
    with pytest.warns(UserWarning, match=message.format(5, 5)):
        hsel.cross_validate(data, classifier="svm:c=1,probability=votes,max-steps=2", cv=5, n_jobs=2)
    recwarn.clear()
    hsel.Svm().fit(X, y)
    assert not recwarn.list


def test_warnings_come_from_other_threads_too():
    data = hsel.generate("ontology:instances=80,features=40", random_state=1)
    with pytest.warns(UserWarning, match="svm: 5 of 5 machines"):
        thread = threading.Thread(target=hsel.cross_validate, args=(data,), kwargs={"classifier": "svm:c=1,probability=votes,max-steps=2", "cv": 5})
        thread.start()
        thread.join()


def test_p_values_and_what_is_rejected():
    """By hand: of the 70 tables with four of eight positives, two are as extreme as (4, 0)."""
    X = np.array([[1, 1], [1, 1], [1, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 0]], np.uint8)
    fitted = hsel.Fdr(method="bh", hierarchy=hsel.Hierarchy([(0, 1)])).fit(X, [1, 1, 1, 1, 0, 0, 0, 0])
    np.testing.assert_allclose(fitted.pvalues_, [2 / 70, 1 / 7], rtol=1e-12)
    counted = hsel.Fdr(method="bh", permutations=4999, hierarchy=hsel.Hierarchy([(0, 1)])).fit(X, [1, 1, 1, 1, 0, 0, 0, 0])
    np.testing.assert_allclose(counted.pvalues_, fitted.pvalues_, atol=0.015)
    rejected, adjusted = hsel.test([0.001, 0.004, 0.5], hsel.Hierarchy([(1, 0), (2, 0)]), alpha=0.05)
    assert rejected.tolist() == [True, True, False]
    np.testing.assert_allclose(adjusted, [0.003, 0.012, 0.75])
    named = pd.Series([0.004, 0.5], index=["b", "a"])
    rejected, adjusted = hsel.test(named, hsel.Hierarchy([("b", "a")]), method="structured-holm")
    assert rejected.tolist() == [True, True] and adjusted.tolist() == [0.008, 0.008]
    assert hsel.test(named, hsel.Hierarchy([("b", "a")]), method="structured-holm", return_inherited=True)[2].tolist() == [False, True]
    np.testing.assert_allclose(hsel.test([0.01, 0.02], method="holm")[1], [0.02, 0.02])
    with pytest.raises(hsel.UsageError, match="dagger needs a hierarchy"):
        hsel.test([0.1], method="dagger")
    with pytest.raises(hsel.UsageError, match="is not a procedure"):
        hsel.test([0.1], method="bonferroni")
    with pytest.raises(hsel.UsageError, match="the p-value of"):
        hsel.test([2.0], method="bh")


def test_svm_predicts_each_class_that_it_can_tell(rng):
    """C is chosen by a loss that knows of predicted classes: one that is too small predicts the larger class only."""
    y = np.repeat([0, 1], [100, 26])
    X = rng.normal(size=(126, 3)) + 6 * y[:, None]
    assert (hsel.Svm(random_state=1).fit(X, y).predict(X) == y).all()
