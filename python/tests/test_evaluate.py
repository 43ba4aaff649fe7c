# SPDX-License-Identifier: GPL-3.0-or-later
"""cross_validate, compare and report; what was asked wrongly."""
import json
import pathlib

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, confusion_matrix, precision_recall_fscore_support, roc_auc_score
from sklearn.model_selection import GroupShuffleSplit, KFold, PredefinedSplit, RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit, \
    StratifiedGroupKFold, StratifiedKFold, TimeSeriesSplit

import hsel


def test_values_of_each_fold(data):
    done = hsel.cross_validate(data, selector="rpv", cv=5, repeats=3)
    for name in ("accuracy", "auroc", "f1"):
        assert done.by_fold[name].shape == (3, 5)
        assert np.allclose(done.by_fold[name].mean(axis=1), done.repeats[name])
    for r in range(3):
        for f in range(5):
            test = done.folds[r] == f
            assert done.by_fold["accuracy"][r, f] == (done.scores[r, test].argmax(axis=1) == data.y[test]).mean()
    assert hsel.cross_validate(data, cv=0, scheme="loo").by_fold["accuracy"].shape == (1, 200)


def test_splitters_that_repeat_and_keep_groups(data):
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=5)
    nb = "nb:calibration=none"  # each repetition has inner folds of its own
    done = hsel.cross_validate(data.X, data.y, classifier=nb, cv=splitter)
    assert done.folds.shape == (3, 200) and done.n_folds == 4
    for r, seed in enumerate(range(3)):
        one = hsel.cross_validate(data.X, data.y, classifier=nb, cv=done.folds[r])
        assert np.array_equal(one.probabilities[0], done.probabilities[r]) and one.by_fold["gm"].tolist() == [done.by_fold["gm"][r].tolist()]
    groups = np.arange(200) // 7
    grouped = hsel.cross_validate(data.X, data.y, cv=StratifiedGroupKFold(5), groups=groups)
    assert all(len(set(grouped.folds[0, groups == g])) == 1 for g in range(29))
    own = hsel.cross_validate(data.X, data.y, cv=5, groups=groups)
    assert all(len(set(own.folds[0, groups == g])) == 1 for g in range(29))


SPLITTERS = [ShuffleSplit(3, test_size=0.3, train_size=0.4, random_state=1), TimeSeriesSplit(3), PredefinedSplit(np.r_[np.full(150, -1), np.arange(50) % 2]),
             GroupShuffleSplit(2, random_state=3), RepeatedKFold(n_splits=3, n_repeats=2, random_state=1)]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("selector", ["rpv", "top:by=ig,k=20"])
def test_any_splitter(data, splitter, selector):
    """Without calibration, whose inner folds respect groups and have a seed of each fold."""
    nb = "nb:calibration=none"
    groups = np.arange(200) // 7 if isinstance(splitter, GroupShuffleSplit) else None
    splits = list(splitter.split(data.X, data.y, groups))
    done = hsel.cross_validate(data, selector=selector, classifier=nb, cv=splitter, groups=groups)
    pairs = hsel.cross_validate(data.X, data.y, selector=selector, classifier=nb, hierarchy=data.hierarchy, cv=iter(splits))
    np.testing.assert_equal(pairs.metrics, done.metrics)
    number = 0
    for train, test in splits:
        r, f = divmod(number, done.n_folds)
        number += 1
        model = hsel.SelectThenPredict(selector, nb, hierarchy=data.hierarchy, random_state=1).fit(data.X[train], data.y[train])
        assert np.array_equal(done.probabilities[r, test], model.predict_proba(data.X[test])) and (done.folds[r, test] == f).all()
        assert done.by_fold["accuracy"][r, f] == model.score(data.X[test], data.y[test])
        assert done.by_fold["auroc"][r, f] == pytest.approx(roc_auc_score(data.y[test], done.scores[r, test, 1]))
        if done.n_folds == 1:
            left = np.setdiff1d(np.arange(200), test)
            assert np.isnan(done.probabilities[r, left]).all() and (done.folds[r, left] == -1).all()
            assert all(each is None for each in done.predictions(r)[left]) and list(done.predictions(r)[test]) == \
                [data.class_names[c] for c in model.predict(data.X[test])]
    assert number == done.n_folds * len(done.folds)


def test_wrong_splits(data):
    for wrong, match in (([([0, 1], [1, 2])], "instance 1 is in the training and the test part"), ([([0, 0], [1])], "different numbers"), ([([0], [200])], "from 0 to 199"),
                         ([([0, 1], [])], "at least one"), ([], "fold of each instance"), (iter([]), "no split"), ([(1, 2, 3)], "must be a pair"), ("abc", "cv must be a number of folds"),
                         ([(np.zeros(200), np.ones(200))], "numbers of instances")):
        with pytest.raises(hsel.UsageError, match=match):
            hsel.cross_validate(data, cv=wrong)
    mask = np.arange(200) < 150
    assert hsel.cross_validate(data, cv=[(mask, ~mask)]).by_fold["gm"].shape == (1, 1)


def test_ways_to_the_same_numbers(data):
    straight = hsel.cross_validate(data, selector="hip", classifier="nb", random_state=4)
    for X, hierarchy in ((data.X, data.hierarchy), (data.X.toarray(), data.hierarchy), (data.frame(), data.hierarchy)):
        other = hsel.cross_validate(X, data.y, selector="hip", hierarchy=hierarchy, random_state=4, n_jobs=2)
        assert np.array_equal(other.probabilities, straight.probabilities)
        np.testing.assert_equal(other.metrics, straight.metrics)  # also where there is none: NaN
        assert np.array_equal(other.frequency, straight.frequency)
    assert straight["gm"] == straight.metrics["gm"]["fold_mean"]
    assert straight.predictions().shape == (200,) and straight.n_folds == 10
    assert np.isclose((straight.selected / 120).mean(), straight.selected_share)
    assert straight.frequency.sum() == straight.selected.sum()
    assert repr(straight).startswith("CrossValidation(hip, nb: gm 0.") and hsel.metric_names()[0] == "gm"


def test_one_order_of_classes(tmp_path):
    """The classes of an ARFF file come as declared; the same order can be given for arrays, and the results are then the same."""
    path = tmp_path / "turned.arff"
    rows = "".join(f"{i % 2},{i % 3 == 0:d},{i % 5 == 0:d},{'young' if (i * 7) % 10 < 4 else 'old'}\n" for i in range(60))
    path.write_text("@relation r\n" + "".join(f"@attribute {c} {{0,1}}\n" for c in "abc") + "@attribute class {young,old}\n@data\n" + rows)
    data = hsel.read(path)
    assert data.class_names == ["young", "old"] and data.positive_class == "young"  # 24 of 60
    names = np.array(data.class_names)[data.y]
    whole = hsel.cross_validate(data, classifier="knn", repeats=2)
    same = hsel.cross_validate(data.X, names, classifier="knn", repeats=2, classes=data.class_names)
    np.testing.assert_equal(same.metrics, whole.metrics)
    assert np.array_equal(same.probabilities, whole.probabilities)
    assert same.classes.tolist() == whole.classes.tolist() == ["young", "old"]
    other = hsel.cross_validate(data.X, names, classifier="knn", repeats=2, positive="old", classes=data.class_names)
    assert other.metrics["sensitivity"] == whole.metrics["specificity"] != whole.metrics["sensitivity"]
    turned = hsel.cross_validate(data.X, names, classifier="knn", repeats=2)
    assert turned.classes.tolist() == ["old", "young"]
    for y, positive in (([0, 1, 1], "1"), ([-1, 1, 1], "1"), ([False, True, True], "True"), (["No", "Yes", "Yes"], "Yes"), (["a", "b", "b"], "a"),
                        (["a", "a", "b"], "b"), (["a", "a", "b", "b"], "b"), ([1, 2, 2], "1")):
        assert hsel.Dataset.from_arrays(np.eye(len(y)), y).positive_class == positive
    assert hsel.Dataset.from_arrays(np.eye(3), [0, 1, 1], positive=0).positive_class == "0"
    with pytest.raises(ValueError, match="no class 'c' to use as the positive class"):
        hsel.Dataset.from_arrays(np.eye(2), ["a", "b"], positive="c")
    for classes, message in ((["young"], "'old' is not among them"), (["young", "old", "old"], "given twice")):
        with pytest.raises(ValueError, match=message):
            hsel.cross_validate(data.X, names, classes=classes)
    for own in ({"classes": ["old", "young"]}, {"positive": "old"}):
        with pytest.raises(ValueError, match="its own classes"):
            hsel.cross_validate(data, **own)


def test_rank_by(data):
    """Scores and probabilities; scikit-learn's area of the scores is ours, whichever class is positive."""
    by = {word: hsel.cross_validate(data, rank_by=word) for word in ("score", "probability")}
    score, yes = by["score"].scores[0], data.y == 1
    assert by["score"].metrics["auroc"]["pooled"] == pytest.approx(roc_auc_score(yes, score[:, 1]), abs=1e-12)
    assert by["probability"].metrics["auroc"]["pooled"] == \
        pytest.approx(roc_auc_score(yes, by["probability"].probabilities[0][:, 1]), abs=1e-12)
    assert np.array_equal(score[:, 0], -score[:, 1])
    with pytest.raises(hsel.UsageError, match="rank by score or by probability, not by 'chance'"):
        hsel.cross_validate(data, rank_by="chance")


def test_three_classes(three):
    done = hsel.cross_validate(three, selector="mr", repeats=2)
    assert done.probabilities.shape == (2, 150, 3) and np.allclose(done.probabilities.sum(axis=2), 1)


def test_per_class(three):
    """Each class against the rest, as scikit-learn has it."""
    done = hsel.cross_validate(three, classifier="forest:trees=20", repeats=2)
    found, names = done.per_class(), np.asarray(three.class_names)
    each = [precision_recall_fscore_support(names[three.y], done.predictions(r), labels=names, zero_division=0) for r in range(2)]
    for row, name in enumerate(("precision", "recall", "f1")):
        np.testing.assert_allclose(found[name], np.mean([parts[row] for parts in each], axis=0), atol=1e-12)
    for r in range(2):
        assert np.array_equal(done.confusion[r], confusion_matrix(names[three.y], done.predictions(r), labels=names))
    for c in range(3):
        yes = three.y == c
        for name, by in (("auroc", roc_auc_score), ("auprc", average_precision_score)):
            assert found[name][c] == pytest.approx(np.mean([by(yes, done.scores[r][:, c]) for r in range(2)]), abs=1e-12)
        assert found["brier"][c] == pytest.approx(np.mean((done.probabilities[:, :, c] - yes) ** 2), abs=1e-12)
        wrong = [(done.predictions(r) == names[c])[~yes].mean() for r in range(2)]
        assert found["specificity"][c] == pytest.approx(1 - np.mean(wrong), abs=1e-12)
    assert found["instances"].sum() == found["predicted"].sum() == len(three.y)


def test_wrong_requests(data):
    with pytest.raises(ValueError, match="at least 2 folds"):
        hsel.cross_validate(data, cv=1)
    with pytest.raises(ValueError, match="at least 2 folds are needed, not 0"):
        hsel.cross_validate(data, cv=0)
    with pytest.raises(ValueError, match="repeats"):
        hsel.cross_validate(data, repeats=0)
    with pytest.raises(ValueError, match="the fold of each instance"):
        hsel.cross_validate(data, cv=np.zeros(3, int))
    with pytest.raises(ValueError, match="there is no selector 'rvp'; did you mean 'rpv'"):
        hsel.cross_validate(data, selector="rvp")
    with pytest.raises(ValueError, match="y are missing"):
        hsel.cross_validate(data.X)
    with pytest.raises(ValueError, match="its own classes"):
        hsel.cross_validate(data, data.y)
    with pytest.raises(ValueError, match="shape"):
        hsel.cross_validate(data.X, data.y[:-1])
    with pytest.raises(ValueError, match="scheme"):
        hsel.cross_validate(data, scheme="mine")
    assert hsel.cross_validate(data, cv=KFold(3)).n_folds == 3
    for folds in (KFold(3), np.arange(200) % 4):
        with pytest.raises(ValueError, match="repeats is for a number of folds"):
            hsel.cross_validate(data, cv=folds, repeats=3)
        with pytest.raises(ValueError, match="scheme is for a number of folds"):
            hsel.cross_validate(data, cv=folds, scheme="loo")
    with pytest.raises(ValueError, match="the fold of each instance"):
        hsel.cross_validate(data, cv=np.arange(200) % 4 + 2**32)


def test_compare(command, tmp_path, rng):
    table = pd.DataFrame(rng.uniform(size=(8, 4)).round(3), columns=["a", "b", "c", "d"], index=[f"s{i}" for i in range(8)])
    table.to_csv(tmp_path / "t.csv", index_label="dataset")
    theirs = json.loads(command("compare", tmp_path / "t.csv", "--control", "b", "--json"))
    ours = hsel.compare(table, control="b")
    assert ours.to_dict() == theirs
    assert str(ours) == command("compare", tmp_path / "t.csv", "--control", "b").rstrip()
    assert hsel.compare(table.to_numpy(), lower=True, alpha=0.1).to_dict()
    for arguments, message in (({"control": "x"}, "not one of the methods"), ({"control": 9}, "not one of the methods"),
                               ({"alpha": 2}, "alpha"), ({"methods": ["a"]}, "are named"), ({"tolerance": -1}, "tolerance")):
        with pytest.raises(ValueError, match=message):
            hsel.compare(table, **arguments)
    with pytest.raises(ValueError, match="numbers"):
        hsel.compare([["a"]])


def test_report(command, folder, tmp_path):
    study = tmp_path / "small.yaml"
    study.write_text(f"name: small\ndatasets:\n  - path: {folder}\nselectors: [none, hip]\nclassifiers: [nb]\n"
                     "folds: {count: 3}\n")
    command("run", "-q", study, "--store", tmp_path / "small.db")
    for name, word in (("page.html", "<html"), ("page.txt", "hip"), ("page.csv", ","), ("page.tex", "\\begin")):
        hsel.report(tmp_path / "small.db", tmp_path / name)
        assert word in (tmp_path / name).read_text()
    with pytest.raises(ValueError, match="html, text, csv, latex or curves"):
        hsel.report(tmp_path / "small.db", tmp_path / "x", format="pdf")
    with pytest.raises(OSError):
        hsel.report(tmp_path / "none.db", tmp_path / "x.html")
    assert not pathlib.Path(tmp_path / "x.html").exists()


def test_stability(data):
    """The figures of selections are those of the cross-validation that made them, and by the printed formula."""
    found = hsel.cross_validate(data, selector="top:k=12", cv=5, repeats=2, random_state=4, similarity="lin")
    masks = []
    for repeat in range(2):
        for fold in range(5):
            part = found.folds[repeat] != fold
            masks.append(hsel.Top(k=12).fit(data.X[part], data.y[part]).get_support())
    masks = np.array(masks)
    figures = hsel.stability(masks, data, similarity="lin")
    assert figures == pytest.approx(found.stability_figures) and found.stability == pytest.approx(figures["nogueira"])
    share, kept = masks.mean(axis=0), masks.mean()
    assert figures["nogueira"] == pytest.approx(1 - (10 / 9 * share * (1 - share)).mean() / (kept * (1 - kept)))
    assert figures["nogueira_low"] < figures["nogueira"] < figures["nogueira_high"] and figures["hierarchy"] <= 1
    assert np.isnan(hsel.stability(masks)["hierarchy"])
    lazy = hsel.cross_validate(data, selector="rpv", cv=5)
    assert 0 < lazy.stability <= 1 and np.isnan(lazy.stability_figures["hierarchy"])
    child, parent = next((f, p[0]) for f, p in ((f, data.hierarchy.parents(f)) for f in data.feature_names) if len(p))
    near, same = hsel.similarity(data, [child, child], [parent, child])
    assert 0 <= near <= 1 and same == 1
    for wrong in (lambda: hsel.stability([1, 0]), lambda: hsel.stability(masks, similarity="lin"), lambda: hsel.stability(masks, data.X),
                  lambda: hsel.stability(masks[:, 1:], data), lambda: hsel.similarity(data, ["?"], [parent]),
                  lambda: hsel.similarity(data, [0], [0, 1]), lambda: hsel.similarity(data, [0], [1], by="cosine"),
                  lambda: hsel.cross_validate(data, similarity="cosine")):
        with pytest.raises(hsel.UsageError):
            wrong()
