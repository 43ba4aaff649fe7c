# SPDX-License-Identifier: GPL-3.0-or-later
"""PositiveUnlabelled is `pu` around other estimators."""
import numpy as np
import pytest
from sklearn.base import clone

import hsel


@pytest.fixture(scope="module")
def data():
    return hsel.generate("ontology:instances=200,features=60,depth=5,positives=10", random_state=3)


@pytest.mark.parametrize("estimator, text", [
    (None, "pu"), ("hip+nb", "pu:base=hip+nb"), (hsel.Knn(k=7), "pu:base=knn:k=7"), (hsel.Svm(C=2.0, kernel="rbf"), "pu:base=svm:c=2;kernel=rbf"),
    (hsel.SelectThenPredict(hsel.Top(k=9), hsel.Nb()), "pu:base=top:k=9+nb")])
def test_same_as_the_method(data, estimator, text):
    ours = hsel.PositiveUnlabelled(estimator, hierarchy=data.hierarchy, random_state=5)
    scores = clone(ours).fit(data.X, data.y).decision_function(data.X)
    plain = hsel.SelectThenPredict("none", text, hierarchy=data.hierarchy, random_state=5).fit(data.X, data.y)
    assert np.array_equal(scores, plain.decision_function(data.X))
    assert np.array_equal(ours.fit(data.X, data.y).predict_proba(data.X), plain.predict_proba(data.X))


def test_options_and_seed(data):
    ours = hsel.PositiveUnlabelled("nb", by="two-step", options={"reliable": "scores", "share": 0.3, "held_out": 4}, random_state=2)
    plain = hsel.SelectThenPredict("none", "pu:base=nb,by=two-step,reliable=scores,share=0.3,held-out=4", random_state=2)
    assert np.array_equal(ours.fit(data.X, data.y).decision_function(data.X), plain.fit(data.X, data.y).decision_function(data.X))
    assert not np.array_equal(*(hsel.PositiveUnlabelled("nb").fit(data.X, data.y).decision_function(data.X) for _ in range(2)))


def test_positive_class(data):
    y = np.array(["a", "b"])[np.asarray(data.y)]
    first, second = (hsel.PositiveUnlabelled("nb", positive=c, random_state=1).fit(data.X, y) for c in "ab")
    assert not np.array_equal(first.decision_function(data.X), second.decision_function(data.X))
    assert first.classes_.tolist() == second.classes_.tolist() == ["a", "b"]


def test_refused(data):
    for arguments, said in (({"estimator": "tan", "by": "weighting"}, "weighted"), ({"positive": 7}, "is not in y"), ({"options": {"by": "bagging"}}, "arguments"),
                            ({"estimator": hsel.Hip()}, "expected a classifier"), ({"by": "magic"}, "magic")):
        with pytest.raises((hsel.UsageError, hsel.UnsupportedError), match=said):
            hsel.PositiveUnlabelled(**arguments).fit(data.X, data.y)
    with pytest.raises((hsel.UsageError, ValueError), match="two classes|Only binary"):
        hsel.PositiveUnlabelled("nb").fit(data.X, np.arange(200) % 3)
