# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel.Auto: what the command says, bit for bit; the pipeline that was chosen; wrong input."""
import json
import pickle

import numpy as np
import pytest

import hsel

TRIED = {"selectors": ["none", "hip", "shsel", "top:k=5"], "classifiers": ["nb", "knn:k=5"]}


@pytest.fixture(scope="module")
def fitted(data):
    return hsel.Auto(**TRIED, cv=3, inner_cv=4, permutations=3, hierarchy=data.hierarchy, random_state=7, n_jobs=2).fit(data.X, data.y)


def test_same_as_command(command, folder, fitted):
    shown = json.loads(command("auto", "-q", folder, "--json", "--select", ",".join(TRIED["selectors"]), "--classify",
                               ",".join(TRIED["classifiers"]), "--folds", 3, "--inner-folds", 4, "--permutations", 3, "--seed", 7))
    assert shown["choice"] == {**fitted.best_params_, "inner": fitted.best_score_}
    assert (shown["estimate"]["mean"], shown["estimate"]["low"], shown["estimate"]["high"]) == (fitted.score_, *fitted.interval_)
    assert shown["permutation_test"]["p"] == fitted.p_value_ and shown["outer_folds"] == fitted.outer_
    assert [c["mean"] for c in shown["candidates"]] == fitted.cv_results_["mean_test_score"].tolist()
    assert fitted.report().startswith("choice ")


def test_it_is_the_pipeline_that_was_chosen(data, fitted):
    plain = hsel.SelectThenPredict(**fitted.best_params_, hierarchy=data.hierarchy, random_state=7).fit(data.X, data.y)
    assert np.array_equal(plain.predict_proba(data.X), fitted.predict_proba(data.X))
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict(data.X), fitted.predict(data.X)) and again.report() == fitted.report()
    results = fitted.cv_results_
    best = int(np.flatnonzero(results["rank_test_score"] == 1)[0])
    assert len({len(column) for column in results.values()}) == 1 and len(results["selector"]) == 8
    assert results["mean_test_score"][best] == max(results["mean_test_score"])
    assert fitted.explain(data.X, 3).predicted == fitted.predict(data.X)[3]


def test_estimators_in_the_lists(data, fitted):
    lists = {"selectors": ["none", hsel.Hip(hierarchy=data.hierarchy), hsel.Shsel(), hsel.Top(k=5)], "classifiers": [hsel.Nb(), hsel.Knn(k=5)]}
    done = hsel.Auto(**lists, cv=3, inner_cv=4, random_state=7).fit(data.X, data.y)
    assert done.score_ == fitted.score_ and done.best_params_ == fitted.best_params_ and np.isnan(done.p_value_)


def test_more_classes_and_lower_is_better(three):
    done = hsel.Auto(**TRIED, cv=3, inner_cv=3, metric="log-loss", race=None, hierarchy=three.hierarchy).fit(three.X, three.y)
    results = done.cv_results_
    assert results["mean_test_score"][results["rank_test_score"] == 1] == min(results["mean_test_score"])
    assert (results["inner_folds"] == 3).all() and done.predict_proba(three.X).shape == (150, 3)


@pytest.mark.parametrize("wrong, message", [
    ({"selectors": "none"}, "selectors must be a list"), ({"classifiers": 3}, "classifiers must be a list"), ({"selectors": []}, "selectors is empty"),
    ({"selectors": ["none", "none"]}, "none occurs twice"), ({"selectors": ["hip"], "classifiers": ["svm"]}, "svm cannot predict with part"),
    ({"metric": "auroq"}, "there is no metric"), ({"race": 2}, "race must be a level"), ({"budget": 0}, "budget must be a number of seconds"),
    ({"cv": 1}, "cv must be a whole number from 2"), ({"cv": 500}, "too few for 500 outer folds"), ({"permutations": -1}, "permutations must be a whole"),
    ({"budget": 1e-9}, "no candidate was reached")])
def test_wrong(data, wrong, message):
    estimator = hsel.Auto(hierarchy=data.hierarchy, **wrong)
    with pytest.raises((hsel.UsageError, hsel.UnsupportedError), match=message):
        estimator.fit(data.X, data.y)
    assert not hasattr(estimator, "model_")
