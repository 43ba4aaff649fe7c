# SPDX-License-Identifier: GPL-3.0-or-later
"""What scikit-learn users expect around the methods: hierarchies of any kind, Propagate, LazyWrapper, Dataset, weights and importances."""
import networkx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

import hsel
from conftest import CLASSIFIERS, make

ANIMALS = {"dog": ["mammal"], "cat": ["mammal"], "mammal": ["animal"], "bird": ["animal"], "whale": ["mammal", "swimmer"]}


# ---- hierarchies ----

def test_any_kind_of_hierarchy_will_do(tmp_path):
    X = pd.DataFrame([[1, 1, 1], [1, 1, 0], [1, 0, 0], [1, 1, 1]], columns=["animal", "mammal", "dog"])
    edges = [("dog", "mammal"), ("mammal", "animal")]
    (tmp_path / "h.tsv").write_text("".join(f"{c}\t{p}\n" for c, p in edges))
    wanted = hsel.Hip(hierarchy=hsel.Hierarchy(edges)).fit(X, [0, 1, 1, 0]).select(X).toarray()
    for given in (edges, dict(edges), pd.DataFrame(edges), networkx.DiGraph(edges), tmp_path / "h.tsv", str(tmp_path / "h.tsv")):
        assert np.array_equal(hsel.Hip(hierarchy=given).fit(X, [0, 1, 1, 0]).select(X).toarray(), wanted)
        assert hsel.propagate(X, given).equals(X.astype(np.uint8))
    with pytest.raises(hsel.UsageError, match="or a file, not float"):
        hsel.Hip(hierarchy=0.5).fit(X, [0, 1, 1, 0])


def test_terms_of_a_hierarchy():
    h = hsel.Hierarchy(ANIMALS, labels={"dog": "a dog"})
    assert "dog" in h and "cow" not in h and 3 not in h and len(list(h)) == len(h) == 7 and list(h) == list(h.names)
    assert h.depth == h.depth_of("dog") == 2 and h.depth_of("bird") == 1 and h.depth_of("animal") == 0
    part = h.subset(["dog", "bird"])
    assert sorted(part) == ["animal", "bird", "dog", "mammal"] and part.labels == {"dog": "a dog"}
    assert sorted(part.edges()) == [("bird", "animal"), ("dog", "mammal"), ("mammal", "animal")]
    assert h.subset(["dog", "animal", "bird"], ancestors=False).edges() == [("dog", "animal"), ("bird", "animal")]
    assert h.subset([], ancestors=False).edges() == [] and h and h.subset([])
    with pytest.raises(KeyError, match="'cow' is not a term"):
        h.subset(["cow"])


def test_subset_against_paths(rng):
    """Without ancestors: an edge where there is a way up that meets no other term that is kept, and no longer way over one."""
    for _ in range(200):
        n = rng.randint(2, 12)
        edges = [(i, j) for i in range(n) for j in range(i) if rng.rand() < 0.3]
        h = hsel.Hierarchy([(f"t{c}", f"t{p}") for c, p in edges], nodes=[f"t{i}" for i in range(n)])
        keep = [i for i in range(n) if rng.rand() < 0.6]
        above = {i: {int(a[1:]) for a in h.ancestors(f"t{i}")} for i in range(n)}
        wanted = {(f"t{c}", f"t{p}") for c in keep for p in above[c] & set(keep)
                  if not any(p in above[m] for m in above[c] & set(keep))}
        assert set(h.subset([f"t{i}" for i in keep], ancestors=False).edges()) == wanted


# ---- Propagate ----

def slow_propagate(X, edges, d, how):
    """By walking up from every value."""
    parents = {}
    for child, parent in edges:
        parents.setdefault(child, []).append(parent)
    terms = max([d - 1, *(t for edge in edges for t in edge)]) + 1
    out = np.zeros((len(X), terms))
    used = set(range(d))
    for i, row in enumerate(X):
        for column, value in enumerate(row):
            seen, stack = {column}, [column]
            while stack:
                for parent in parents.get(stack.pop(), []):
                    if parent not in seen:
                        seen.add(parent)
                        stack.append(parent)
            used |= seen
            for term in seen:
                out[i, term] = max(out[i, term], value > 0) if how == "any" else out[i, term] + value if how == "sum" else max(out[i, term], value)
    return out[:, sorted(used)]


@pytest.mark.parametrize("how", ["any", "sum", "max"])
def test_propagate_against_a_walk(rng, how):
    for _ in range(60):
        d, terms = rng.randint(1, 6), rng.randint(1, 10)
        up = rng.permutation(max(d, terms))
        edges = [(int(up[i]), int(up[j])) for i in range(terms) for j in range(i) if rng.rand() < 0.3]
        X = rng.randint(0, 4, size=(5, d)) * (rng.rand(5, d) < 0.5)
        wanted = slow_propagate(X, edges, d, how)
        for matrix in (X, sp.csr_matrix(X), sp.csc_matrix(X.astype(float))):
            done = hsel.Propagate(edges, how=how).fit(matrix)
            out = done.transform(matrix)
            assert sp.issparse(out) == sp.issparse(matrix)
            assert np.array_equal(out.toarray() if sp.issparse(out) else out, wanted)
            assert done.n_added_ == wanted.shape[1] - d == len(done.get_feature_names_out()) - d


def test_propagate_by_names():
    X = pd.DataFrame([[1, 0, 2], [0, 3, 0]], columns=["dog", "bird", "whale"], index=["a", "b"])
    done = hsel.Propagate(ANIMALS, how="sum").fit(X)
    out = done.transform(X)
    assert list(out.columns) == ["dog", "bird", "whale", "mammal", "animal", "swimmer"] and list(out.index) == ["a", "b"]
    assert out.to_numpy().tolist() == [[1, 0, 2, 3, 3, 2], [0, 3, 0, 0, 3, 0]]
    assert hsel.Propagate(ANIMALS).fit_transform(X)["animal"].tolist() == [1, 1]
    assert ("whale", "swimmer") in done.hierarchy_.edges() and done.hierarchy_.columns == tuple(out.columns)
    pipe = make_pipeline(hsel.Propagate(ANIMALS), hsel.SelectThenPredict(hsel.Hip(hierarchy=done.hierarchy_), hsel.Nb()))
    assert pipe.fit(X, ["x", "y"]).predict(X).tolist() == ["x", "y"]
    for wrong, match in ((X - 1, "Negative"), (X.rename(columns=str.upper), "none of the names")):
        with pytest.raises(ValueError, match=match):
            hsel.Propagate(ANIMALS).fit(wrong)
    with pytest.raises(hsel.UsageError, match="'any', 'sum' or 'max'"):
        hsel.Propagate(ANIMALS, how="mean").fit(X)
    with pytest.raises(hsel.UsageError, match="has names, but X has none"):
        hsel.Propagate(ANIMALS).fit(X.to_numpy())


# ---- any classifier on a lazy selection ----

def test_refitting_naive_bayes_is_restricting_it(data):
    """Naive Bayes on fewer features is the same whether it is fitted again or its terms are left out."""
    rpv = hsel.Rpv(hierarchy=data.hierarchy)
    ours = hsel.SelectThenPredict(rpv, hsel.Nb(calibration="none")).fit(data.X[:150], data.y[:150])
    prior = (np.bincount(data.y[:150]) + 1) / 152
    theirs = hsel.LazyWrapper(rpv, BernoulliNB(class_prior=prior)).fit(data.X[:150], data.y[:150])
    assert np.allclose(ours.predict_proba(data.X[150:]), theirs.predict_proba(data.X[150:]))
    assert (ours.select(data.X) != theirs.select(data.X)).nnz == 0
    assert np.allclose(theirs.predict_log_proba(data.X[150:]), np.log(theirs.predict_proba(data.X[150:])))


@pytest.mark.parametrize("form", ["csr", "dense", "frame"])
def test_one_fit_per_selection(data, form):
    X = {"csr": data.X, "dense": data.X.toarray(), "frame": data.frame()}[form]
    train, test = (X[:150], X[150:]) if form != "frame" else (X.iloc[:150], X.iloc[150:])
    model = hsel.LazyWrapper(hsel.Hip(hierarchy=data.hierarchy), LogisticRegression()).fit(train, data.y[:150])
    found = model.predict_proba(test)
    mask, whole = model.select(test).toarray(), data.X.toarray().astype(float)
    for i in range(0, 50, 7):
        alone = LogisticRegression().fit(whole[:150][:, mask[i]], data.y[:150])
        assert np.allclose(alone.predict_proba(whole[150 + i:151 + i][:, mask[i]]), found[i])
    assert model.decision_function(test).shape == (50,) and (model.predict(test) == model.classes_[found.argmax(axis=1)]).all()
    few = hsel.LazyWrapper(hsel.Hip(hierarchy=data.hierarchy), LogisticRegression(), cache=3).fit(train, data.y[:150])
    assert np.allclose(few.predict_proba(test), found) and len(few._fits) == 3
    masked = hsel.LazyWrapper(hsel.Hip(hierarchy=data.hierarchy), LogisticRegression(), how="mask").fit(train, data.y[:150])
    assert np.allclose(masked.predict_proba(test), LogisticRegression().fit(data.X[:150], data.y[:150]).predict_proba(whole[150:] * mask))


@pytest.mark.parametrize("cls", [cls for cls in CLASSIFIERS if "predicts-on-mask" not in cls._flags], ids=lambda cls: cls.__name__)
def test_our_classifiers_that_need_all_features(data, cls):
    """Each fit is on the selected features, with the hierarchy of these."""
    with pytest.raises(hsel.UnsupportedError, match="LazyWrapper"):
        hsel.SelectThenPredict(hsel.Hip(hierarchy=data.hierarchy), make(cls, data.hierarchy)).fit(data.X, data.y)
    frame = data.frame()
    by_number = hsel.Hierarchy([(data.feature_names.index(c), data.feature_names.index(p)) for c, p in data.hierarchy.edges()], nodes=[119])
    found = []
    for X, hierarchy in ((data.X, data.hierarchy), (frame, data.hierarchy), (data.X, by_number)):
        rows = X.iloc if X is frame else X
        model = hsel.LazyWrapper(hsel.Hip(hierarchy=hierarchy), make(cls, hierarchy)).fit(rows[:150], data.y[:150])
        found.append(model.predict_proba(rows[150:160]))
    assert np.allclose(found[0], found[1]) and np.allclose(found[0], found[2])
    keep = model.select(data.X[150:151]).toarray()[0]
    names = [name for name, kept in zip(data.feature_names, keep) if kept]
    alone = make(cls, data.hierarchy).fit(frame[names].iloc[:150], data.y[:150])
    assert np.allclose(alone.predict_proba(frame[names].iloc[150:151]), found[0][:1])


def test_wrong_lazy_wrappers(data):
    for wrong in (hsel.LazyWrapper(hsel.Cfs(), BernoulliNB()), hsel.LazyWrapper(hsel.AllPos(), "nb"),
                  hsel.LazyWrapper(hsel.AllPos(), BernoulliNB(), how="guess"), hsel.LazyWrapper(hsel.AllPos(), BernoulliNB(), cache=-1)):
        with pytest.raises(hsel.UsageError):
            wrong.fit(data.X, data.y)
    assert not hasattr(hsel.LazyWrapper(hsel.AllPos(), BernoulliNB()), "decision_function")


# ---- weights and importances ----

def test_weights_give_the_decision(data):
    for model in (hsel.Svm(), hsel.ProximalGraph(hierarchy=data.hierarchy, random_state=1)):
        for X in (data.X, data.frame()):
            model.fit(X, data.y)
            assert model.coef_.shape == (1, 120)
            assert np.allclose(data.X @ model.coef_[0] + model.intercept_[0], model.decision_function(X))
    for model, name in ((hsel.Nb(), "coef_"), (hsel.Svm(kernel="rbf"), "coef_"), (hsel.Svm(), "feature_importances_")):
        assert not hasattr(model.fit(data.X, data.y), name)


def test_weights_of_three_classes(three):
    assert hsel.Svm().fit(three.X, three.y).coef_.shape == (3, 80)


def test_importances(data):
    for cls in (hsel.Forest, hsel.Tree):
        found = make(cls).fit(data.X, data.y).feature_importances_
        assert found.shape == (120,) and np.isclose(found.sum(), 1) and (found >= 0).all()
    X = np.c_[np.tile([0, 1], 20), np.repeat([0, 1], 20)]
    assert hsel.Tree().fit(X, X[:, 1]).feature_importances_.tolist() == [0, 1]


def test_inside_estimators_of_scikit_learn(data):
    assert SelectFromModel(hsel.Forest(random_state=1)).fit_transform(data.X, data.y).shape[1] < 120
    assert RFE(hsel.Svm(), n_features_to_select=20, step=50).fit_transform(data.X, data.y).shape[1] == 20
    boosted = AdaBoostClassifier(hsel.Tree(confidence=0.5), n_estimators=5).fit(data.X, data.y)
    assert len(boosted.estimators_) > 1 and boosted.score(data.X, data.y) > 0.7
    assert CalibratedClassifierCV(hsel.Nb(), cv=3).fit(data.X, data.y).predict_proba(data.X).shape == (200, 2)


def test_rankers_transform(data):
    ranker = hsel.rankers.Ig(n_features_to_select=7).fit(data.frame(), data.y)
    assert ranker.transform(data.frame()).shape == (200, 7)
    assert set(ranker.get_feature_names_out()) == {data.feature_names[f] for f in ranker.order_[:7]}
    assert hsel.rankers.Ig(n_features_to_select=0.5).fit_transform(data.X, data.y).shape == (200, 60)
    assert hsel.rankers.Ig().fit_transform(data.X, data.y).shape == (200, 120)
    for wrong in (-1, 1.5, "five"):
        with pytest.raises(ValueError, match="n_features_to_select"):
            hsel.rankers.Ig(n_features_to_select=wrong).fit(data.X, data.y)


# ---- Dataset ----

def test_dataset_from_arrays(data, tmp_path):
    names = np.array(data.class_names)[data.y]
    made = hsel.Dataset.from_arrays(data.frame(), names, hierarchy=data.hierarchy, classes=data.class_names)
    assert len(made) == 200 and made.ids == [str(i) for i in data.frame().index] and made.positive_class == data.positive_class
    one, other = (hsel.cross_validate(each, selector="rpv", cv=3) for each in (data, made))
    assert np.array_equal(one.probabilities, other.probabilities)
    frame = made.as_frame()
    assert frame.shape == (200, 121) and frame["class"].tolist() == names.tolist()
    for write, ending in ((made.to_arff, "arff"), (made.to_csv, "csv"), (made.to_pack, "hsel")):
        write(tmp_path / f"made.{ending}")
        again = hsel.read(tmp_path / f"made.{ending}")
        assert (again.X != data.X).nnz == 0 and [again.class_names[c] for c in again.y] == names.tolist()
        with pytest.raises(hsel.UsageError, match="must end in"):
            write(tmp_path / "made.txt")
    plain = hsel.Dataset.from_arrays(np.array([[0.5, np.nan], [1, 2]]), name="numbers")
    assert plain.feature_names == ["x0", "x1"] and np.isnan(plain.X[0, 1]) and plain.class_names == []
    for wrong in (lambda: hsel.Dataset.from_arrays([[1]], [1, 2]), lambda: hsel.Dataset.from_arrays([[1]], classes=[1]),
                  lambda: hsel.Dataset.from_arrays([[1]], [3], classes=[1])):
        with pytest.raises(hsel.UsageError):
            wrong()


def test_build(tmp_path):
    (tmp_path / "h.tsv").write_text("dog\tmammal\ncat\tmammal\nmammal\tanimal\nbird\tanimal\n")
    (tmp_path / "has.tsv").write_text("x\tdog\ny\tcat\nz\tbird\n")
    (tmp_path / "is.tsv").write_text("x\tpet\ny\tpet\nz\twild\nlost\twild\n")
    made = hsel.build(hierarchy=tmp_path / "h.tsv", annotations=[tmp_path / "has.tsv"], labels=tmp_path / "is.tsv", drop_roots=True, min_support=1)
    assert made.feature_names == ["bird", "cat", "dog", "mammal"] and made.ids == ["x", "y", "z"] and made.build_report["result"]["instances"] == 3
    assert made.X.toarray().tolist() == [[0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 0]]
    hsel.build(hierarchy=tmp_path / "h.tsv", annotations=tmp_path / "has.tsv", labels=tmp_path / "is.tsv", output=tmp_path / "kept.hsel")
    assert len(hsel.read(tmp_path / "kept.hsel")) == 3
    with pytest.raises(hsel.UsageError, match="nosuch"):
        hsel.build(nosuch=1)
    with pytest.raises(hsel.UsageError, match="json is not an option"):
        hsel.build(json=True)
    with pytest.raises(ValueError, match="nothing.tsv"):
        hsel.build(hierarchy=tmp_path / "nothing.tsv", annotations=tmp_path / "has.tsv", labels=tmp_path / "is.tsv")


def test_build_without_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("HSEL_COMMAND", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(hsel.UnsupportedError, match="HSEL_COMMAND"):
        hsel.build(hierarchy="h.tsv")


def test_notebooks_show_diagram_and_picture(data):
    fitted = hsel.Shsel(hierarchy=data.hierarchy).fit(data.X, data.y)
    shown = fitted._repr_mimebundle_()
    assert "sk-container" in shown["text/html"] and "<svg" in shown["text/html"] and shown["text/plain"] == repr(fitted)
    assert "<svg" not in hsel.Shsel(hierarchy=data.hierarchy)._repr_mimebundle_()["text/html"]
