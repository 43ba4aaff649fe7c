# SPDX-License-Identifier: GPL-3.0-or-later
"""Input that would make the library read or write where it must not, or mean something else than it says: refused, by name."""
import pickle
import sys
import threading

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import hsel
from conftest import make


# ---- a fit that fails ----

@pytest.mark.parametrize("cls", [hsel.Nb, hsel.Knn, hsel.Mr, hsel.Shsel, hsel.rankers.Ig, hsel.SelectThenPredict],
                         ids=lambda cls: cls.__name__)
def test_a_failed_fit_changes_nothing(data, cls):
    fitted = make(cls, data.hierarchy).fit(data.X, data.y)
    before = dict(vars(fitted))
    frame, labels = pd.DataFrame(np.c_[data.X.toarray(), data.X.toarray()[:, :9]]), np.arange(200) % 5
    frame.columns = [f"f{name}" for name in frame.columns]
    for X, y in ((frame, np.zeros(200)), (frame, np.linspace(0, 1, 200)), (data.X, labels[1:]), (frame - np.inf, labels)):
        with pytest.raises(ValueError):
            fitted.fit(X, y)
        assert vars(fitted) == before
    fitted.n_jobs = -1000  # found wrong after X and y have been looked at
    with pytest.raises(hsel.UsageError, match="n_jobs"):
        fitted.fit(frame.iloc[:, :120].to_numpy(), labels)
    fitted.n_jobs = None
    assert vars(fitted) == before and fitted.n_features_in_ == 120
    if hasattr(fitted, "predict"):
        assert fitted.predict_proba(data.X).shape == (200, 2) and fitted.classes_.tolist() == [0, 1]


def test_buffers_have_the_size_that_the_library_says(three):
    """A model of three classes behind one label: nothing may be written beyond the end."""
    model = hsel.Nb().fit(three.X, three.y)
    model.classes_ = model.classes_[:1]
    assert model.predict_proba(three.X).shape == (150, 3)


def test_lists_of_a_data_set_may_be_changed(folder, tmp_path):
    """They are for looking at; the library goes by its own."""
    path = tmp_path / "numbers.csv"
    path.write_text("a,b,class\n" + "".join(f"{i % 7}.5,{i % 2},{'xy'[i % 2]}\n" for i in range(400)))
    for data in (hsel.read(folder), hsel.read(path)):
        shape = data.X.shape
        data = hsel.read(folder if shape[0] == 200 else path)
        data.y, data.feature_names[:], data.class_names[:] = data.y[:3], ["a"], ["b"]
        assert data.X.shape == shape and hsel.cross_validate(data).probabilities.shape == (1, shape[0], 2)


def test_edited_pickles_are_refused(data, three):
    for fitted in (hsel.Nb().fit(three.X, three.y), hsel.Mr(hierarchy=three.hierarchy).fit(three.X, three.y),
                   hsel.SelectThenPredict().fit(three.X, three.y)):
        state = fitted.__getstate__()
        for change in ({"classes_": np.array([0])}, {"classes_": np.arange(9)}, {"model_": b"text"},
                       {"model_": hsel.Nb().fit(data.X, data.y).model_}):
            with pytest.raises(hsel.FormatError, match="the pickle is damaged"):
                type(fitted).__new__(type(fitted)).__setstate__({**state, **change})
        del state["classes_"]
        with pytest.raises(hsel.FormatError, match="the pickle is damaged"):
            type(fitted).__new__(type(fitted)).__setstate__(state)
    rebuild, (content,) = fitted.model_.__reduce__()
    for wrong in (content[:-1], content[:50], b"", content.decode("latin-1"), content[:200] + bytes([content[200] ^ 1]) + content[201:]):
        with pytest.raises(ValueError):
            rebuild(wrong)
    rebuild, (names, columns, child, parent, size, _) = data.hierarchy.__reduce__()
    for wrong in ((names[:-1], columns, child, parent, size), (names, columns, child[:-1], parent, size),
                  (names, columns, child, parent, size + 5), (names, columns, child, parent + np.uint32(size), size),
                  (names, columns, child, child, size), (None, columns, child, parent, 2**33), (names, columns, child * 1.5, parent, size)):
        with pytest.raises(ValueError):
            rebuild(*wrong)
    assert pickle.loads(pickle.dumps(data.hierarchy)) == data.hierarchy


# ---- damaged matrices ----

def damaged(X):
    """CSR or CSC matrices that scipy lets one make by hand."""
    def changed(**arrays):
        other = X.copy()
        for name, array in arrays.items():
            setattr(other, name, array)
        return other
    up, down = X.indices.copy(), X.indices.copy()
    up[5], down[5] = 10**9, -3
    bent, late = X.indptr.copy(), X.indptr.copy()
    bent[3], late[0] = bent[7] + 1, 1
    return {"indices too short": changed(indices=X.indices[:-40]), "data too short": changed(data=X.data[:-40]),
            "indptr too short": changed(indptr=X.indptr[:-9]), "indptr too long": changed(indptr=np.r_[X.indptr, X.nnz]),
            "indptr beyond": changed(indptr=np.r_[X.indptr[:-1], X.nnz + 10**6].astype(np.int32)), "indptr goes down": changed(indptr=bent),
            "indptr starts late": changed(indptr=late), "index too large": changed(indices=up), "index negative": changed(indices=down),
            "no indices": changed(indices=np.empty(0, np.int32)), "fractions": changed(indices=X.indices + 0.5)}


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.csr_array], ids=lambda form: form.__name__)
@pytest.mark.parametrize("kind", list(damaged(sp.identity(50, format="csr"))))
def test_damaged_matrices(data, form, kind):
    X = damaged(form(data.X))[kind]
    model = hsel.SelectThenPredict(hierarchy=data.hierarchy).fit(data.X, data.y)
    selector = hsel.Shsel(hierarchy=data.hierarchy).fit(data.X, data.y)
    for call in (lambda: selector.transform(X), lambda: selector.inverse_transform(X),
                 lambda: hsel.Nb().fit(X, data.y), lambda: hsel.Sc().fit(X), lambda: model.predict(X), lambda: model.select(X),
                 lambda: model.explain(X), lambda: hsel.cross_validate(X, data.y), lambda: hsel.propagate(X, data.hierarchy),
                 lambda: hsel.rankers.Ig().fit(X, data.y)):
        with pytest.raises(hsel.FormatError, match="the sparse matrix is damaged: in"):
            call()


# ---- numbers and texts ----

def test_too_many_columns():
    X = sp.csr_matrix((4, 2**32 + 5), dtype=np.uint8)
    for call in (lambda: hsel.Nb().fit(X, [0, 1, 0, 1]), lambda: hsel.propagate(X, hsel.Hierarchy([(1, 0)])),
                 lambda: hsel.Nb().fit(np.eye(5), [0, 1, 0, 1, 0]).model_.predictions(X, 1),
                 lambda: hsel.Hierarchy([(2**32 + 5, 0)])):
        with pytest.raises(ValueError, match="too large|number of a column"):
            call()


@pytest.mark.parametrize("value", [2**64, 2**64 + 7, -1])
def test_random_state(data, value):
    for call in (lambda: hsel.SelectThenPredict(random_state=value).fit(data.X, data.y),
                 lambda: hsel.Forest(random_state=value).fit(data.X, data.y), lambda: hsel.cross_validate(data, random_state=value),
                 lambda: hsel.generate("ontology", random_state=value)):
        with pytest.raises(hsel.UsageError, match="random_state must be a whole number from 0 to 18446744073709551615, not"):
            call()
    assert hsel.generate("ontology:features=9", random_state=2**64 - 1).X.shape[1] == 9


@pytest.mark.parametrize("value", [-100, 2**32 + 1, 2**40, 0, 1.5, True, "2"])
def test_n_jobs(data, value):
    for call in (lambda: hsel.Nb(n_jobs=value).fit(data.X, data.y), lambda: hsel.cross_validate(data, n_jobs=value)):
        with pytest.raises(hsel.UsageError, match="n_jobs must be"):
            call()


def test_other_numbers(data):
    model = hsel.SelectThenPredict().fit(data.X, data.y)
    for value in (-1, 2**32, 1.5, True, "3"):
        with pytest.raises(hsel.UsageError, match="top must be a whole number"):
            model.explain(data.X, 0, top=value)
    for value in (-1, 200, 0.5, 2**32):
        with pytest.raises(hsel.UsageError, match="200 rows, numbered from 0, and there is no row"):
            model.explain(data.X, value)
    for value in (-3, 2**32 + 5):
        with pytest.raises(hsel.UsageError, match="cv, the number of folds, must be a whole number from 0"):
            hsel.cross_validate(data, cv=value)
    for value in (-1, 2**32 + 1, 1.5, True, "2"):
        with pytest.raises(hsel.UsageError, match="repeats must be a whole number from 1"):
            hsel.cross_validate(data, repeats=value)
    for value in (-1, 3, 2**32, 1.0, True):
        with pytest.raises(hsel.UsageError, match="the control .* is not one of the methods"):
            hsel.compare(np.arange(15.0).reshape(5, 3), control=value)
    for name in ("alpha", "tolerance"):
        with pytest.raises(hsel.UsageError, match=f"{name} must be a number"):
            hsel.compare(np.arange(15.0).reshape(5, 3), **{name: "small"})


def test_a_nul_does_not_end_a_text(data, tmp_path):
    h = data.hierarchy
    for call in (lambda: hsel.SelectThenPredict("rpv\0x", hierarchy=h).fit(data.X, data.y),
                 lambda: hsel.SelectThenPredict("rpv", "nb\0x", hierarchy=h).fit(data.X, data.y),
                 lambda: hsel.cross_validate(data, selector="rpv\0x"), lambda: hsel.cross_validate(data, scheme="own\0x"),
                 lambda: hsel.Shsel(similarity="correlation\0", hierarchy=h).fit(data.X, data.y), lambda: hsel.generate("ontology\0"),
                 lambda: hsel.read(tmp_path, class_="a\0b"), lambda: hsel.read("genes.csv\0.txt"), lambda: data.write("a.hsel\0.txt"),
                 lambda: hsel.Hierarchy.read("a.obo\0"), lambda: hsel.report("a.db\0", "x.html"),
                 lambda: hsel.report("a.db", "x.html", format="html\0"), lambda: hsel.report("a.db", "x.html", study="a\0b")):
        with pytest.raises(hsel.UsageError, match="NUL"):
            call()
    for call in (lambda: hsel.cross_validate(data, scheme=None), lambda: hsel.generate(5)):
        with pytest.raises(hsel.UsageError, match="must be a text"):
            call()


def test_options_of_a_text_are_in_it(data):
    """set_params, and so a grid, cannot reach into a text; what the library says of its options is a ValueError too."""
    from sklearn.model_selection import GridSearchCV
    model = hsel.SelectThenPredict("shsel", "knn", hierarchy=data.hierarchy)
    for name in ("selector__threshold", "classifier__k"):
        with pytest.raises(hsel.UsageError, match=f"{name} cannot be set: .* is the text"):
            model.set_params(**{name: 1})
        with pytest.raises(ValueError, match=f"{name} cannot be set"):
            GridSearchCV(model, {name: [1]}, cv=2, error_score="raise").fit(data.X, data.y)
    assert model.set_params(selector=hsel.Shsel(), selector__threshold=0.5).selector.threshold == 0.5
    for text, message in (("shsel:threshold=7", "threshold"), ("shsel:treshold=0.5", "treshold"), ("rpv:measure=x", "measure")):
        with pytest.raises(hsel.UsageError, match=message):
            hsel.SelectThenPredict(text, hierarchy=data.hierarchy).fit(data.X, data.y)


# ---- threads ----

def in_threads(count, work):
    """Runs work(i) in threads that begin together; what went wrong."""
    problems, gate = [], threading.Barrier(count)

    def run(i):
        gate.wait()
        try:
            work(i)
        except BaseException as error:  # noqa: B902
            problems.append(error)
    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def test_threads_share_a_hierarchy(data):
    """Each with columns of its own, so that what one has bound is never what the next one needs."""
    h = data.hierarchy.with_columns(None)
    rng, frames = np.random.RandomState(0), []
    for i in range(6):
        frame = data.frame()[rng.permutation(data.feature_names)[:120 - 3 * i]]
        closed = hsel.propagate(frame, h)
        frames.append((frame, closed.to_numpy(), hsel.Shsel(hierarchy=h).fit(closed, data.y).support_))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(i):
        for round in range(40):
            frame, closed, support = frames[(i + round) % 6]
            assert np.array_equal(hsel.propagate(frame, h).to_numpy(), closed)
            found = hsel.Shsel(hierarchy=h).fit(frame.__class__(closed, columns=frame.columns), data.y).support_
            assert np.array_equal(found, support)
    try:
        assert in_threads(6, work) == []
    finally:
        sys.setswitchinterval(before)


def test_strata_are_refused_where_they_have_no_effect_or_do_not_fit():
    X, y, h = np.eye(4, dtype=np.uint8), [0, 1, 0, 1], hsel.Hierarchy([(1, 0)], nodes=[3])
    for strata, why in ((["a"], "one stratum for each of the 4 rows"), ("abcd", "one stratum for each of the 4 rows"),
                        ([1, 2, 1.5, 1], "names or whole numbers"), ([None, np.nan, "", None], "no stratum for any row"),
                        ([[1], [2], [1], [2]], "one stratum for each of the 4 rows")):
        with pytest.raises(ValueError, match=why):
            hsel.Fdr(hierarchy=h).fit(X, y, strata=strata)
    strata = [1, 1.0, 2, 2]
    assert hsel.Dataset.from_arrays(X, y, strata=strata).strata == ["1", "1", "2", "2"]
    with pytest.raises(TypeError, match="strata"):
        hsel.Shsel(hierarchy=h).fit(X, y, strata=strata)
    for call in (lambda: hsel.SelectThenPredict("shsel", hierarchy=h).fit(X, y, strata=strata),
                 lambda: hsel.Auto(["none", "shsel"], ["nb"], hierarchy=h).fit(X, y, strata=strata),
                 lambda: hsel.cross_validate(X, y, selector="shsel", hierarchy=h, strata=strata, cv=2)):
        with pytest.raises(hsel.UsageError, match="strata have no effect: the selector fdr uses them, but .*shsel does not"):
            call()
    with pytest.raises(hsel.UsageError, match="a Dataset has its own classes, hierarchy, strata and covariates"):
        hsel.cross_validate(hsel.Dataset.from_arrays(X, y, hierarchy=h), selector="fdr", strata=strata, cv=2)


@pytest.mark.parametrize("when", [pd.date_range("2020", periods=4), pd.date_range("2020", periods=4, tz="UTC"), pd.to_timedelta(range(4), "D"),
                                  pd.period_range("2020", periods=4)], ids=lambda when: str(when.dtype))
def test_dates(when):
    X = pd.DataFrame({"a": [0, 1, 0, 1], "when": when})
    for use in (lambda: hsel.Nb().fit(X, [0, 1, 0, 1]), lambda: hsel.Dataset.from_arrays(X)):
        with pytest.raises(ValueError, match="column 'when' of X has dates or times .*: give numbers, such as days since a date, or categories"):
            use()


def test_options_are_named_as_arguments(data):
    """As the caller wrote them, not as the command does."""
    for use in (lambda: hsel.Knn(n_neighbors=0).fit(data.X, data.y), lambda: hsel.SelectThenPredict("none", hsel.Knn(n_neighbors=0)).fit(data.X, data.y),
                lambda: hsel.cross_validate(data.X, data.y, classifier=hsel.Knn(k=0)), lambda: hsel.Auto(["none"], [hsel.Knn(n_neighbors=0)]).fit(data.X, data.y)):
        with pytest.raises(hsel.UsageError, match="^n_neighbors takes a whole number from 1 .*, not '0'"):
            use()
    with pytest.raises(hsel.UsageError, match="^inner_folds takes "):
        hsel.Nb(inner_folds=1).fit(data.X, data.y)
    with pytest.raises(hsel.UsageError, match="^option k takes "):
        hsel.cross_validate(data.X, data.y, classifier="knn:k=0")


def test_lazy_selectors_are_no_transformers(data):
    lazy = hsel.Hip(hierarchy=data.hierarchy)
    assert not hasattr(lazy, "transform")
    with pytest.raises(AttributeError, match="'Hip' object has no attribute 'fit_transform': it selects features for each instance separately.* hsel.SelectThenPredict"):
        lazy.fit_transform(data.X, data.y)
