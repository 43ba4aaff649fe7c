# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of classes and of instances, as scikit-learn names them."""
import inspect
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.svm import LinearSVC
from sklearn.utils.class_weight import compute_class_weight

import hsel
from conftest import CLASSIFIERS

WEIGHING = {"Blend", "Boost", "Forest", "Knn", "Logistic", "Nb", "ProximalGraph", "Pu", "Svm", "Tree"}


@pytest.fixture
def rare(rng):
    """150 instances, one in ten of the class "yes", which has the first features more often."""
    y = np.where(np.arange(150) % 10 == 0, "yes", "no")
    X = rng.random_sample((150, 12)) < np.where((y == "yes")[:, None] & (np.arange(12) < 4), 0.6, 0.3)
    X[:, 0] |= X[:, 1]
    return X.astype(float), y


def made(cls, **arguments):
    if "needs-hierarchy" in cls._flags:
        arguments["hierarchy"] = hsel.Hierarchy([(1, 0)], nodes=[11])
    if "stochastic" in cls._flags:
        arguments.setdefault("random_state", 1)
    return cls(**arguments)


def test_who_takes_weights_of_instances():
    assert {cls.__name__ for cls in CLASSIFIERS if "sample_weight" in inspect.signature(cls.fit).parameters} == WEIGHING


@pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)
def test_class_weight_is_another_name_of_weights(cls, rare):
    X, y = rare
    balanced = made(cls, class_weight="balanced").fit(X, y)
    no, yes = compute_class_weight("balanced", classes=np.array(["no", "yes"]), y=y)
    for other in (made(cls, weights="balanced"), made(cls, weights=f"{float(no)!r}/{float(yes)!r}"),
                  made(cls, class_weight={"yes": yes, "no": no})):
        np.testing.assert_array_equal(other.fit(X, y).predict_proba(X), balanced.predict_proba(X))
    plain = made(cls).fit(X, y)
    assert (balanced.predict(X) == "yes").sum() >= (plain.predict(X) == "yes").sum()
    assert (balanced.predict_proba(X) != plain.predict_proba(X)).any() or cls.__name__ == "Knn"
    again = pickle.loads(pickle.dumps(balanced))
    np.testing.assert_array_equal(again.predict_proba(X), balanced.predict_proba(X))
    assert clone(balanced).get_params()["class_weight"] == "balanced"


@pytest.mark.parametrize("classifier", [hsel.Nb(calibration="none"), hsel.Knn(k=1, calibration="none"), hsel.Tree(calibration="none"),
                                        hsel.SelectThenPredict("none", "tree:calibration=none"),
                                        hsel.ProximalGraph(lambda_="0.02", tolerance=1e-9, calibration="none")], ids=str)
def test_whole_weights_are_repeated_instances(classifier, rare, rng):
    """Without calibration: inner folds keep an instance of weight 2 in one fold, and two equal instances not;
    and of one neighbour: weights are of votes, and do not change how many neighbours vote."""
    X, y = rare
    if "ProximalGraph" in type(classifier).__name__:
        classifier.set_params(hierarchy=hsel.Hierarchy([(1, 0)], nodes=[11]))
    times = rng.randint(0, 4, len(y))
    weighted = clone(classifier).fit(X, y, sample_weight=times).predict_proba(X)
    longer = clone(classifier).fit(np.repeat(X, times, axis=0), np.repeat(y, times)).predict_proba(X)
    np.testing.assert_allclose(weighted, longer, atol=1e-4 if "Proximal" in type(classifier).__name__ else 1e-9)
    assert np.abs(weighted - clone(classifier).fit(X, y).predict_proba(X)).max() > 1e-3


def test_linear_machines_are_those_of_scikit_learn(rare, rng):
    X, y = rare
    weights = rng.random_sample(len(y)) + 0.2
    ours = hsel.Svm(c=0.5, tolerance=1e-6, class_weight="balanced").fit(X, y, weights)
    theirs = LinearSVC(C=0.5, dual=False, tol=1e-10, max_iter=100000)
    balance = {label: weights.sum() / (2 * weights[y == label].sum()) for label in ("no", "yes")}
    theirs.set_params(class_weight=balance).fit(X, y, weights)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


def test_weights_reach_select_then_predict(rare):
    X, y = rare
    weights = np.where(y == "yes", 9.0, 1.0)
    both = hsel.SelectThenPredict("sig", hsel.Svm(class_weight={"yes": 9}), random_state=1).fit(X, y)
    same = hsel.SelectThenPredict("sig", "svm", random_state=1).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(both.predict_proba(X), same.predict_proba(X))
    with pytest.raises(hsel.UnsupportedError, match="tan cannot learn from weighted instances; these can: nb, knn"):
        hsel.SelectThenPredict("none", "tan").fit(X, y, weights)


def test_cross_validation_knows_the_classes(rare):
    X, y = rare
    by_dict = hsel.cross_validate(X, y, classifier=hsel.Nb(class_weight={"yes": 5, "no": 1}), cv=5)
    by_text = hsel.cross_validate(X, y, classifier="nb:weights=1/5", cv=5)
    np.testing.assert_array_equal(by_dict.probabilities, by_text.probabilities)
    scores = cross_val_score(hsel.Nb(), X, y, cv=3, fit_params={"sample_weight": np.ones(len(y))})
    np.testing.assert_array_equal(scores, cross_val_score(hsel.Nb(), X, y, cv=3))


@pytest.mark.parametrize("arguments, message", [
    ({"weights": "1/2/3"}, "has 3 weights, and .* has 2 classes: no, yes"),
    ({"weights": "1/-2"}, "a number above 0 per class"),
    ({"class_weight": {"maybe": 2}}, "'maybe', which is not a class of y"),
    ({"class_weight": {"yes": 0}}, "a number above 0 per class"),
    ({"class_weight": 3}, "a dict, 'balanced' or None"),
    ({"class_weight": "balanced", "weights": "1/2"}, "another name of weights")])
def test_wrong_class_weights(arguments, message, rare):
    with pytest.raises(hsel.UsageError, match=message):
        hsel.Nb(**arguments).fit(*rare)


@pytest.mark.parametrize("classifier", [hsel.Boost(random_state=1), hsel.Nb(), hsel.Tree(), hsel.Svm(random_state=1),
                                        hsel.Auto(["none"], ["nb", "tree"], cv=2, inner_cv=2, random_state=1)], ids=str)
def test_a_weight_of_0_removes_an_instance(classifier, rare):
    X, y = rare
    last = np.arange(len(y)) < 130
    np.testing.assert_array_equal(clone(classifier).fit(X, y, sample_weight=last.astype(float)).predict_proba(X),
                                  clone(classifier).fit(X[last], y[last], sample_weight=np.ones(130)).predict_proba(X))


def test_weights_of_0_remove_what_belongs_to_instances(rare):
    X, y = rare
    last, groups, time = np.arange(len(y)) < 130, [f"g{i // 3}" for i in range(len(y))], np.arange(len(y)) % 9
    auto = hsel.Auto(["none"], ["nb", "tree"], cv=2, inner_cv=2, random_state=1)
    for given in ({"groups": groups}, {"time": time}):
        rest = {name: np.asarray(values)[last] for name, values in given.items()}
        assert clone(auto).fit(sp.coo_matrix(X), y, sample_weight=last, **given).outer_ == clone(auto).fit(X[last], y[last], sample_weight=np.ones(130), **rest).outer_
    with pytest.raises(hsel.UsageError, match="the weight of instance 0 is 0"):
        clone(auto).fit(X, y, sample_weight=np.zeros(len(y)))


def test_wrong_weights_of_instances(rare):
    X, y = rare
    for weights, message in ((np.full(len(y), -1.0), "weight of instance 0 .* is -1"), (np.zeros(len(y)), "a weight above 0"),
                             (np.ones(3), "sample_weight.shape"), (np.full(len(y), np.nan), "NaN")):
        with pytest.raises(ValueError, match=message):
            hsel.Nb().fit(X, y, weights)
