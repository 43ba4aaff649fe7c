# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups and times: folds with the properties of scikit-learn's splitters, and no leak through folds within methods."""
import pickle

import hsel
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.model_selection import KFold, LeaveOneGroupOut, ShuffleSplit, StratifiedGroupKFold, TimeSeriesSplit


def imbalance(y, folds, k):
    """Mean over classes of the standard deviation of the share that each fold has: what StratifiedGroupKFold keeps low."""
    return np.mean([np.std([(y[folds == f] == c).sum() / (y == c).sum() for f in range(k)]) for c in np.unique(y)])


def test_groups_are_kept_and_classes_even():
    ours, theirs = [], []
    for seed in range(60):
        rng = np.random.RandomState(seed)
        n, k = rng.randint(40, 200), rng.randint(2, 6)
        groups, y = rng.randint(0, rng.randint(k + 4, 40), n), rng.choice(3, n, p=[0.6, 0.3, 0.1])
        X = np.zeros((n, 1), np.uint8)
        try:
            folds = hsel.cross_validate(X, y, cv=k, groups=groups, random_state=seed).folds[0]
        except hsel.UsageError as error:
            assert "groups" in str(error) and len(set(groups)) < k
            continue
        assert all(len(set(folds[groups == g])) == 1 for g in set(groups)) and set(folds) == set(range(k))
        number = np.empty(n, int)
        for f, (_, test) in enumerate(StratifiedGroupKFold(k, shuffle=True, random_state=seed).split(X, y, groups)):
            number[test] = f
        ours.append(imbalance(y, folds, k))
        theirs.append(imbalance(y, number, k))
    assert len(ours) > 50 and np.mean(ours) <= np.mean(theirs), (np.mean(ours), np.mean(theirs))


def test_times_and_leave_one_group_out_are_scikit_learns():
    for seed in range(20):
        rng = np.random.RandomState(seed)
        n, k = rng.randint(20, 90), rng.randint(2, 6)
        X, y, order = np.zeros((n, 1), np.uint8), np.arange(n) % 2, rng.permutation(n)
        dates = np.datetime64("2026-01-01") + rng.permutation(n)
        folds = hsel.cross_validate(X, y, cv=k, time=dates).folds[0]
        order = np.argsort(dates)
        for f, (_, test) in enumerate(TimeSeriesSplit(k).split(X)):
            assert np.array_equal(np.sort(order[test]), np.flatnonzero(folds == f))
        groups = rng.randint(0, 6, n)
        alone = hsel.cross_validate(X, y, cv=0, scheme="loo", groups=groups).folds[0]
        assert {tuple(np.flatnonzero(alone == f)) for f in set(alone)} == {tuple(test) for _, test in LeaveOneGroupOut().split(X, y, groups)}


@pytest.fixture(scope="module")
def noise():
    """Patients with four admissions each, whose features repeat with a little noise; the outcome is drawn for each patient."""
    rng = np.random.RandomState(2)
    patients, admissions, features = 250, 4, 120
    groups = np.repeat(np.arange(patients), admissions)
    X = ((rng.rand(patients, features) < 0.3)[groups] ^ (rng.rand(len(groups), features) < 0.02)).astype(np.uint8)
    return X, rng.randint(0, 2, patients)[groups], groups


@pytest.mark.parametrize("classifier", ["forest:trees=50", "knn", "nb", "knn:calibration=platt", "nb:threshold=gm", "tree",
                                        "blend:members=nb/forest:trees=20/knn", "blend:members=nb/knn,by=stack,threshold=gm"])
@pytest.mark.parametrize("selector", ["none", "ga:preset=bitwise,generations=2", "top:by=ig,k=20"])
def test_noise_is_not_learned(noise, selector, classifier):
    X, y, groups = noise
    auroc = hsel.cross_validate(X, y, selector=selector, classifier=classifier, cv=5, groups=groups).metrics["auroc"]["pooled"]
    assert abs(auroc - 0.5) < 0.11  # three standard errors of 250 patients
    if classifier == "knn":
        assert hsel.cross_validate(X, y, selector=selector, classifier=classifier, cv=5).metrics["auroc"]["pooled"] > 0.9


def test_methods_do_not_believe_noise(noise):
    """What they say of themselves comes from inner folds, halves and shadows that respect groups."""
    X, y, groups = noise
    auto = hsel.Auto(["none"], ["knn", "nb", "blend:members=nb/knn"], cv=3, inner_cv=3, random_state=1).fit(X, y, groups=groups)
    assert abs(auto.score_ - 0.5) < 0.1
    assert hsel.Boruta(trees=50, runs=30, random_state=1).fit(X[:, :15], y, groups=groups).get_support().sum() == 0
    assert hsel.Boruta(trees=50, runs=30, random_state=1).fit(X[:, :15], y).get_support().sum() == 15


def test_splits_that_divide_groups_are_refused(noise):
    X, y, groups = noise
    data, plain = hsel.Dataset.from_arrays(X, y, groups=groups), hsel.Dataset.from_arrays(X, y)
    for cv in (KFold(5, shuffle=True, random_state=1), ShuffleSplit(2, random_state=1), np.arange(len(y)) % 4):
        for given in ({"X": X, "y": y, "groups": groups}, {"X": data}, {"X": plain, "groups": groups}):
            with pytest.raises(ValueError, match="cv divides groups: instances [0-9]+ and [0-9]+ both belong to"):
                hsel.cross_validate(**given, cv=cv)
    splits = list(StratifiedGroupKFold(3).split(X, y, groups))
    kept = [hsel.cross_validate(**given, cv=splits).folds for given in ({"X": X, "y": y, "groups": groups}, {"X": data})]
    assert np.array_equal(*kept) and kept[0].dtype == np.int64
    alone = [None] * len(y)  # no group: each instance stands alone
    alone[0] = "first"
    assert hsel.cross_validate(X, y, cv=KFold(3), groups=alone).n_folds == 3


def test_instances_that_are_not_tested_have_no_fold(noise):
    X, y, groups = noise
    folds = hsel.cross_validate(X, y, cv=3, time=np.arange(len(y))).folds
    assert folds.dtype == np.int64 and folds.min() == -1 and folds.max() == 2 and (folds[0, :200] == -1).all()


def test_roles_are_kept(noise, tmp_path):
    X, y, groups = noise
    data = hsel.Dataset.from_arrays(X, y, groups=groups, time=np.arange(len(y)))
    data.to_pack(tmp_path / "noise.hsel")
    again = hsel.read(tmp_path / "noise.hsel")
    assert again.groups == data.groups == [str(g) for g in groups] and again.time == data.time
    assert data.weights is data.test_set is None
    with pytest.raises(hsel.UsageError, match="a Dataset has its own groups, times, test set and weights"):
        hsel.cross_validate(again, cv=5, time=np.arange(len(y)))
    for given, why in (({"groups": [1]}, "groups must have one group for each of the 1000 rows"), ({"time": [1]}, "one number or date for each"),
                       ({"groups": np.full(len(y), 2.0**53)}, "groups has numbers of 2.53 or more"),
                       ({"time": ["soon"] * len(y)}, "must be numbers or dates"), ({"weights": [1]}, "weights must have one number for each"),
                       ({"weights": np.zeros(len(y))}, "weight of instance 0 is 0, and must be a finite number above 0"),
                       ({"weights": np.full(len(y), np.nan)}, "weight of instance 0 is"), ({"test_set": [1]}, "one value for each"),
                       ({"test_set": np.arange(len(y))}, "test_set must be True or False")):
        with pytest.raises(hsel.UsageError, match=why):
            hsel.Dataset.from_arrays(X, y, **given)


def test_weights_and_test_sets_of_arrays(noise, tmp_path):
    """Out-of-fold predictions are those of classifiers that are fitted with sample_weight to each training part. Without calibration, whose inner folds
    respect groups and have a seed of each fold."""
    X, y, groups = noise
    rng = np.random.RandomState(1)
    weights, test = rng.randint(1, 9, len(y)) / 4, rng.rand(len(y)) < 0.3
    data = hsel.Dataset.from_arrays(X, y, groups=groups, weights=weights)
    done = hsel.cross_validate(data, classifier="nb:calibration=none", cv=3)
    for f in range(3):
        fold = done.folds[0] == f
        nb = hsel.Nb(calibration="none").fit(X[~fold].astype(float), y[~fold], sample_weight=weights[~fold])
        assert np.array_equal(done.probabilities[0][fold], nb.predict_proba(X[fold].astype(float)))
    assert done["auroc"] == hsel.cross_validate(X, y, classifier="nb", cv=3, groups=groups, weights=weights)["auroc"]
    assert done["auroc"] != hsel.cross_validate(X, y, classifier="nb", cv=3, groups=groups)["auroc"]
    data.to_pack(tmp_path / "heavy.hsel")
    assert np.array_equal(hsel.read(tmp_path / "heavy.hsel").weights, weights)
    with pytest.raises(hsel.HselError, match="aode cannot learn from weighted instances; these can: nb, "):
        hsel.cross_validate(data, classifier="aode", cv=3)
    auto = hsel.Auto(["none"], ["nb", "knn", "aode"], cv=3, inner_cv=2, random_state=1).fit(X, y, groups=groups, sample_weight=weights)
    assert "aode" not in auto.cv_results_["classifier"] and len(auto.outer_) == 3
    sites = np.arange(len(y)) // 8 % 4
    alone = hsel.Auto(["none"], ["nb", "knn"], scheme="loo", inner_cv=2, random_state=1).fit(X, y, groups=sites)
    assert len(alone.outer_) == 4
    about = pd.DataFrame({"set": np.where(test, "test", "train"), "much": weights})
    fixed = hsel.cross_validate(X, y, classifier="nb:calibration=none", test_set=test)
    named = hsel.cross_validate(hsel.Dataset.from_arrays(pd.DataFrame(X), y, metadata=about, test_set="set"), classifier="nb:calibration=none")
    assert np.array_equal(fixed.folds[0] == 0, test) and fixed["auroc"] == named["auroc"]
    nb = hsel.Nb(calibration="none").fit(X[~test].astype(float), y[~test])
    assert np.array_equal(fixed.probabilities[0][test], nb.predict_proba(X[test].astype(float)))
    apart = hsel.cross_validate(X, y, classifier="knn", test_set=test, groups=groups)
    assert abs(apart["auroc"] - 0.5) < 0.2 < fixed["auroc"] - 0.2


def test_intervals_of_independent_instances(noise):
    """The corrected resampled variance, computed here from the values of the folds."""
    X, y, _ = noise
    nb, tree = (hsel.cross_validate(X, y, classifier=name, cv=5, repeats=2, intervals=True) for name in ("nb", "tree"))
    found, of_folds = nb.interval("auroc"), nb.by_fold["auroc"].ravel()
    half = t.ppf(0.975, 9) * np.std(of_folds, ddof=1) * np.sqrt(1 / 10 + 1 / 4)
    assert found.method == "corrected variance of 10 folds" and found.estimate == nb["auroc"]
    assert np.allclose(found[:3], [of_folds.mean(), of_folds.mean() - half, min(1, of_folds.mean() + half)])
    apart, back = nb.difference(tree, "auroc"), tree.difference(nb, "auroc")
    assert np.allclose([apart.estimate, apart.low, apart.high], [-back.estimate, -back.high, -back.low])
    assert np.isclose(apart.estimate, nb["auroc"] - tree["auroc"])
    assert nb.interval("auroc", pooled=True).method == "bootstrap over 1,000 instances"
    for other in (hsel.cross_validate(X, y, cv=5), pickle.loads(pickle.dumps(nb))):
        with pytest.raises(hsel.UsageError, match="there are no intervals: cross_validate"):
            other.interval("auroc")
    with pytest.raises(hsel.UsageError, match="there is no metric 'aurok'"):
        nb.interval("aurok")


def test_intervals_respect_groups(noise):
    X, y, groups = noise
    kept = hsel.cross_validate(X, y, classifier="knn", cv=5, groups=groups, intervals=True)
    split = hsel.cross_validate(X, y, classifier="knn", cv=5, groups=groups, intervals=True, respect="none")
    found = kept.interval("auroc")
    assert found.method == "bootstrap over 250 groups" and found.estimate == kept.metrics["auroc"]["pooled"]
    assert found.low < 0.5 < found.high
    leak = split.difference(kept, "auroc")
    assert leak.low > 0.3 and np.isclose(leak.estimate, split.interval("auroc").estimate - found.estimate)
    assert np.array_equal(split.folds, hsel.cross_validate(X, y, cv=5).folds)


def test_metadata():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 2, (40, 5)), index=[f"s{i}" for i in range(40)])
    about = pd.DataFrame({"patient": [f"p{i // 4}" for i in range(40)], "ill": rng.choice(["yes", "no"], 40), "age": rng.normal(50, 9, 40)}, index=X.index)
    data = hsel.Dataset.from_arrays(X, "ill", groups="patient", metadata=about.sample(frac=1, random_state=1))
    same = hsel.Dataset.from_arrays(X, about["ill"].to_numpy(), groups=about["patient"].to_numpy())
    assert data.groups == same.groups and (data.y == same.y).all() and data.class_names == same.class_names
    assert hsel.Dataset.from_arrays(X.to_numpy(), target="age", metadata=about).target.tolist() == about["age"].tolist()
    with pytest.raises(hsel.UsageError, match="groups: metadata has no column 'pateint'; did you mean 'patient'?"):
        hsel.Dataset.from_arrays(X, "ill", groups="pateint", metadata=about)
    with pytest.raises(hsel.UsageError, match="metadata lacks 1 of 40 ids, such as 's0'"):
        hsel.Dataset.from_arrays(X, "ill", metadata=about[1:])
    with pytest.raises(hsel.UsageError, match="metadata has the id 's0' twice"):
        hsel.Dataset.from_arrays(X, "ill", metadata=pd.concat([about, about[:1]]))
    with pytest.raises(hsel.UsageError, match="metadata has 39 rows, but X has 40, and no ids"):
        hsel.Dataset.from_arrays(X.to_numpy(), "ill", metadata=about[1:])
    with pytest.raises(hsel.UsageError, match="metadata must be a DataFrame"):
        hsel.Dataset.from_arrays(X, "ill", metadata={"ill": 1})
