# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the command, bit for bit: folds, probabilities, metrics, selections, predictions of a model."""
import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import hsel
from conftest import CLASSIFIERS, EAGER, LAZY, QUICK, RANKERS, SELECTORS, make

# Every selector with the two quick classifiers, every classifier with a few selectors.
PAIRS = [(s, c) for s in SELECTORS for c in CLASSIFIERS
         if (s not in LAZY or "predicts-on-mask" in c._flags)
         and (c.method in ("nb", "knn") or s.method in ("none", "hip", "shsel"))]


def quick(cls, hierarchy):
    """A method, and the same as the command takes it."""
    options = QUICK.get(cls.method, {})
    return make(cls, hierarchy, **options), ":".join([cls.method, *filter(None, [",".join(f"{name}={value}" for name, value in options.items())])])


def evaluated(command, folder, tmp_path, *options):
    """hsel eval: its JSON, and the probabilities it writes."""
    predictions, folds = tmp_path / "p.csv", tmp_path / "f.tsv"
    text = command("eval", "-q", folder, "--json", "--predictions", predictions, "--write-folds", folds, *options)
    rows = list(csv.DictReader(io.StringIO(predictions.read_text())))
    return json.loads(text)[0], rows, folds


def table_of(rows, classes, what="P"):
    return np.array([[float(row[f"{what}({name})"]) for name in classes] for row in rows])


@pytest.mark.parametrize("selector, classifier", PAIRS, ids=[f"{s.method}-{c.method}" for s, c in PAIRS])
def test_cross_validation(command, folder, data, tmp_path, selector, classifier):
    (selector, text), (classifier, classifier_text) = quick(selector, data.hierarchy), quick(classifier, data.hierarchy)
    shown, rows, _ = evaluated(command, folder, tmp_path, "--select", text, "--classify", classifier_text, "--folds", 5, "--seed", 11)
    done = hsel.cross_validate(data.X, data.y, selector=selector, classifier=classifier, hierarchy=data.hierarchy, cv=5, random_state=11, n_jobs=2)
    order = np.argsort([int(row["instance"]) for row in rows])
    theirs = table_of(rows, data.class_names)[order]
    assert np.array_equal(done.probabilities[0], theirs)
    assert np.array_equal(done.scores[0], table_of(rows, data.class_names, "score")[order])
    assert done.predictions().tolist() == [int(rows[i]["predicted"]) for i in order]
    assert [int(rows[i]["fold"]) - 1 for i in order] == done.folds[0].tolist()
    for name, values in shown["metrics"].items():
        for part in ("pooled", "fold_mean"):
            ours = done.metrics[name][part]
            assert values[part] == ours or (values[part] is None and np.isnan(ours)), (name, part)


@pytest.mark.parametrize("options", [{}, {"adjust": "structured-holm", "test": "chi2"}, {"adjust": "elim"}, {"adjust": "by", "mid": True},
                                     {"adjust": "max-t", "permutations": 200, "random_state": 3},
                                     {"adjust": "scan", "scan": "poisson", "scan_rate": 0.4, "permutations": 700}])
def test_p_values(command, folder, data, options):
    given = [word for name, value in options.items()
             for word in ([f"--{name}"] if value is True else [f"--{name.replace('random_state', 'seed').replace('_', '-')}", value])]
    shown = json.loads(command("rank", "-q", folder, "--json", "--top", 0, "--p-values", *given))["ranking"]
    found = hsel.p_values(data, **options)
    names = list(data.feature_names)
    adjusted = "p_elim" if options.get("adjust") == "elim" else "q"
    for row in shown:
        i = names.index(row["feature"])
        for theirs, ours in ((row["p"], found.pvalues[i]), (row[adjusted], found.adjusted[i])):
            assert theirs == ours or (theirs is None and np.isnan(ours)), row
        assert row.get("inherited", False) == found.inherited[i]
    assert set(found.status) <= {"tested", "rough", "constant"} and (found.status == "tested").any()


def test_terms(command, folder, data):
    shown = json.loads(command("terms", "-q", folder, "--json", "--adjust", "focused-bh", "--alpha", 0.2, "--top", 7))
    assert hsel.terms(data, adjust="focused-bh", alpha=0.2, top=7) == shown and len(shown["terms"]) == 7
    assert hsel.terms(data, form="csv", top=3).splitlines() == command("terms", "-q", folder, "--csv", "--top", 3).splitlines()
    found = hsel.terms(data, significant=True, alpha=0.5, tail="more")
    assert [term["p"] for term in found["terms"]] == sorted(term["p"] for term in found["terms"])
    assert all(term["significant"] and term["q"] <= 0.5 for term in found["terms"])


def test_p_values_of_arrays():
    X, y = np.array([[1, 2.5], [1, 1.5], [1, 0], [0, 0.5]]), ["a", "a", "b", "b"]
    found = hsel.p_values(X, y)
    assert found.status.tolist() == ["tested", "tested"] and found.pvalues.round(4).tolist() == [1.0, 0.3333]
    assert hsel.p_values(X, y, covariates=[1]).status.tolist() == ["tested", "covariate"]
    with pytest.raises(hsel.UsageError, match="needs a hierarchy"):
        hsel.p_values(X[:, :1], y, adjust="elim")
    with pytest.raises(hsel.UsageError, match="needs permutations"):
        hsel.p_values(X, y, adjust="max-t")


@pytest.mark.parametrize("scheme", ["own", "weka", "wan", "loo"])
def test_fold_schemes(command, folder, data, tmp_path, scheme):
    _, rows, folds = evaluated(command, folder, tmp_path, "--fold-scheme", scheme, "--seed", 2)
    done = hsel.cross_validate(data, scheme=scheme, random_state=2)
    order = np.argsort([int(row["instance"]) for row in rows])
    assert np.array_equal(done.probabilities[0], table_of(rows, data.class_names)[order])
    same = hsel.cross_validate(data, scheme=f"file:{folds}", random_state=2)
    assert np.array_equal(same.probabilities, done.probabilities)
    given = hsel.cross_validate(data, cv=done.folds[0], random_state=2)
    assert np.array_equal(given.probabilities, done.probabilities)


@pytest.mark.parametrize("transform", ["clr", "rclr"])
def test_preparation_is_learned_in_folds(command, tmp_path, transform):
    """What a transformation learns is learned from each training part, not from the data set as it was read."""
    random = np.random.default_rng(4)
    amounts = random.integers(0, 9, (30, 5)) * 1.5
    amounts[0, 0] = 0.001  # one fold has a smallest amount of its own
    rows = [f"i{i}," + ",".join(map(str, row)) + "," + "ab"[i % 2] for i, row in enumerate(amounts)]
    (tmp_path / "a.csv").write_text("id,v,w,x,y,z,class\n" + "\n".join(rows) + "\n")
    data = hsel.read(tmp_path / "a.csv", id="id", transform=transform)
    _, shown, _ = evaluated(command, tmp_path / "a.csv", tmp_path, "--id", "id", "--transform", transform, "--folds", 5, "--seed", 3)
    done = hsel.cross_validate(data, cv=5, random_state=3)
    order = [next(k for k, row in enumerate(shown) if row["id"] == f"i{i}") for i in range(30)]
    assert np.array_equal(done.probabilities[0], table_of(shown, data.class_names)[order])
    fixed = hsel.cross_validate(data.X, data.y, cv=5, random_state=3)  # what all samples teach
    assert not np.array_equal(fixed.probabilities, done.probabilities)


@pytest.mark.parametrize("cls", EAGER, ids=lambda cls: cls.method)
def test_eager_selection(command, folder, data, cls):
    selector, text = quick(cls, data.hierarchy)
    names = command("select", "-q", folder, "--select", text).split()
    fitted = selector.fit(data.frame(), data.y)
    assert fitted.get_feature_names_out().tolist() == names
    bare = quick(cls, data.hierarchy)[0].fit(data.X, data.y)
    assert np.array_equal(bare.get_support(), fitted.get_support())


@pytest.mark.parametrize("cls", LAZY, ids=lambda cls: cls.method)
def test_lazy_selection(command, folder, data, cls):
    lines = [json.loads(line) for line in command("select", "-q", folder, "--select", cls.method, "--json").splitlines()]
    mask = make(cls, data.hierarchy).fit(data.X, data.y).select(data.X)
    assert mask.shape == data.X.shape and mask.has_sorted_indices
    for i, line in enumerate(lines):
        theirs = sorted(data.feature_names.index(name) for name in line["features"])
        assert mask.indices[mask.indptr[i]:mask.indptr[i + 1]].tolist() == theirs


@pytest.mark.parametrize("cls", RANKERS, ids=lambda cls: cls.method)
def test_ranking(command, folder, data, cls):
    shown = json.loads(command("rank", "-q", folder, "--by", cls.method, "--top", 0, "--json"))
    fitted = cls().fit(data.X, data.y)
    assert [row["feature"] for row in shown["ranking"]] == [data.feature_names[f] for f in fitted.order_]
    values = np.array([np.nan if row["values"][0] is None else row["values"][0] for row in shown["ranking"]])
    known = np.isfinite(fitted.scores_[fitted.order_]) & np.isfinite(values)
    assert known.sum() > 50 and np.array_equal(np.abs(values[known]), np.abs(fitted.scores_[fitted.order_][known]))


def test_model(command, folder, data, tmp_path):
    command("train", "-q", folder, "--select", "rpv", "--classify", "nb", "-o", tmp_path / "m.model")
    lines = command("predict", "-q", tmp_path / "m.model", folder).splitlines()
    theirs = np.array([[float(x) for x in line.split("\t")[2:4]] for line in lines[1:]])
    model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=data.hierarchy), hsel.Nb()).fit(data.X, data.y)
    assert np.array_equal(model.predict_proba(data.X), theirs)
    assert [int(line.split("\t")[4]) for line in lines[1:]] == model.select(data.X).sum(axis=1).A1.tolist()


def test_repeats(command, folder, data, tmp_path):
    shown, _, _ = evaluated(command, folder, tmp_path, "--select", "mr", "--repeats", 3, "--folds", 4, "--seed", 5)
    done = hsel.cross_validate(data, selector="mr", cv=4, repeats=3, random_state=5)
    assert shown["metrics"]["gm"]["fold_mean"] == done.metrics["gm"]["fold_mean"]
    assert done.probabilities.shape[0] == 3 and len(set(map(tuple, done.folds))) == 3
    assert np.isclose(np.mean(done.repeats["gm"]), done["gm"])


def test_labels_through_packs(command, data, tmp_path):
    """What is read with labels is written with them, and is the same when it comes back."""
    names = data.feature_names[:3]
    data.write(tmp_path / "plain.hsel")
    (tmp_path / "l.tsv").write_bytes(b"id\tlabel\tnamespace\n" + b"".join(
        name.encode() + b'\t"tab\t<b>""\xff"\tP\n' for name in names))
    labelled = hsel.read(tmp_path / "plain.hsel", labels=tmp_path / "l.tsv")
    labelled.write(tmp_path / "first.hsel")
    hsel.read(tmp_path / "first.hsel").write(tmp_path / "second.hsel")
    assert (tmp_path / "first.hsel").read_bytes() == (tmp_path / "second.hsel").read_bytes()
    assert json.loads(command("info", "--json", tmp_path / "second.hsel"))["feature_labels"] == 3
    assert json.loads(command("info", "--json", tmp_path / "plain.hsel"))["feature_labels"] == 0


def test_strata(command, data, tmp_path, rng):
    """The p-values, the selection and the cross-validation within strata that the command has, from a table of the strata."""
    n = len(data)
    strata = np.array(["north", "south", "west"], object)[rng.randint(0, 3, n)]
    strata[rng.uniform(size=n) < 0.1] = None
    named = hsel.Dataset.from_arrays(data.X, data.y, hierarchy=data.hierarchy, feature_names=data.feature_names, ids=[f"i{i}" for i in range(n)],
                                     strata=strata)
    assert named.strata == strata.tolist() and data.strata is None
    pack, table = tmp_path / "bare.hsel", tmp_path / "strata.tsv"
    hsel.Dataset.from_arrays(data.X, data.y, hierarchy=data.hierarchy, feature_names=data.feature_names, ids=named.ids).to_pack(pack)
    table.write_text("id\tstratum\n" + "".join(f"i{i}\t{name}\n" for i, name in enumerate(strata) if name))
    assert hsel.read(pack, strata=table).strata == named.strata
    for options, words in (({}, []), ({"permutations": 199, "random_state": 1}, ["--permutations", 199])):
        fitted = hsel.Fdr(method="bh", alpha=0.2, hierarchy=data.hierarchy, **options).fit(data.X, data.y, strata=strata)
        shown = csv.DictReader(io.StringIO(command("rank", "-q", pack, "--strata", table, "--by", "chi2", "--p-values", *words, "--top", 0, "--csv")))
        theirs = {row["feature"]: float(row["p"] or 1) for row in shown}
        np.testing.assert_allclose(fitted.pvalues_, [theirs[name] for name in data.feature_names], rtol=1e-12)
        assert not np.allclose(fitted.pvalues_, hsel.Fdr(method="bh", hierarchy=data.hierarchy, **options).fit(data.X, data.y).pvalues_)
        text = "fdr:method=bh,alpha=0.2" + (",permutations=199" if options else "")
        names = command("select", "-q", pack, "--strata", table, "--select", text).split()
        assert [data.feature_names[f] for f in np.flatnonzero(fitted.support_)] == names and 0 < len(names) < len(data.feature_names)
    _, rows, _ = evaluated(command, pack, tmp_path, "--strata", table, "--select", text, "--folds", 5, "--seed", 11)
    rows.sort(key=lambda row: int(row["instance"].lstrip("i")))
    for done in (hsel.cross_validate(data.X, data.y, selector=text, hierarchy=data.hierarchy, strata=strata, cv=5, random_state=11),
                 hsel.cross_validate(named, selector=text, cv=5, random_state=11)):
        assert np.array_equal(done.probabilities[0], table_of(rows, named.class_names))
    both = hsel.SelectThenPredict(text, hierarchy=data.hierarchy, random_state=1).fit(data.X, data.y, strata=strata)
    np.testing.assert_array_equal(both.scores_, fitted.scores_)


def test_covariates(command, tmp_path, rng):
    """Columns that every model has and no selector looks at, from arrays as from a file."""
    X = pd.DataFrame(rng.randint(0, 2, (80, 5)), columns=list("abcde"), index=[f"i{i}" for i in range(80)])
    X["a"] |= X["b"]
    X["age"] = rng.normal(50, 9, 80).round(1)
    y = np.where(X["c"].astype(bool) ^ (X["age"] > 50), "ill", "well")
    h = hsel.Hierarchy([("b", "a")])
    made = hsel.Dataset.from_arrays(X, y, hierarchy=h, covariates=["age"])
    assert made.covariates == ["age"]
    hsel.Dataset.from_arrays(X, y, hierarchy=h).to_csv(tmp_path / "bare.csv")
    (tmp_path / "h.tsv").write_text("b\ta\n")
    text = "shsel:threshold=0.5"
    files = ("--hierarchy", tmp_path / "h.tsv", "--covariates", "age")
    _, rows, _ = evaluated(command, tmp_path / "bare.csv", tmp_path, *files, "--select", text, "--folds", 4, "--seed", 3)
    rows.sort(key=lambda row: int(row["instance"].lstrip("i")))
    for done in (hsel.cross_validate(X, y, selector=text, hierarchy=h, covariates=["age"], cv=4, random_state=3),
                 hsel.cross_validate(X, y, selector=text, hierarchy=h, covariates=[5], cv=4, random_state=3),
                 hsel.cross_validate(made, selector=text, cv=4, random_state=3)):
        assert np.array_equal(done.probabilities[0], table_of(rows, ["ill", "well"]))
        assert done.frequency[0][5] == 80
    model = hsel.SelectThenPredict(text, hierarchy=h, covariates=["age"], random_state=1).fit(X, y)
    assert model.select(X).toarray()[:, 5].all() and hsel.Auto([text], ["nb"], hierarchy=h, covariates=["age"], random_state=1).fit(X, y).model_
    for wrong, message in ((["aeg"], "covariate 'aeg' is not a column"), ([6], "covariate 6 is not"), (["a"], "in the hierarchy, so it cannot be")):
        with pytest.raises(ValueError, match=message):
            hsel.cross_validate(X, y, covariates=wrong, hierarchy=h)
    with pytest.raises(ValueError, match="columns have no names"):
        hsel.cross_validate(X.to_numpy(), y, covariates=["age"])
    with pytest.raises(ValueError, match="its own classes, hierarchy, strata and covariates"):
        hsel.cross_validate(made, covariates=["age"])
    numeric = hsel.Dataset.from_arrays(X, target=X["age"] * 2, covariates="age")
    assert numeric.target.tolist() == (X["age"] * 2).tolist()
    with pytest.raises(ValueError, match="give only one"):
        hsel.Dataset.from_arrays(X, y, target=X["age"])
