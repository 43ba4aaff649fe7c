# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes are made from the registry: nothing is missing, arguments and docs are the options' own, stubs are not stale."""
import ast
import inspect
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

import hsel
from conftest import CLASSIFIERS, RANKERS, ROOT, SELECTORS
from hsel._registry import argument, class_name, identifier, make_class

CLASSES = SELECTORS + CLASSIFIERS + RANKERS


def test_every_method_is_a_class(command):
    listed = json.loads(command("methods", "--json"))
    assert listed == hsel.methods()
    for kind, module in (("selector", hsel.selectors), ("classifier", hsel.classifiers), ("ranker", hsel.rankers),
                         ("measure", hsel.rankers)):
        for method in listed:
            if method["kind"] == kind:
                assert hasattr(module, class_name(method["name"])), method["name"]


def test_names_do_not_clash():
    assert not set(hsel.selectors.__all__) & set(hsel.classifiers.__all__)
    assert class_name("hip-mr") == "HipMr" and class_name("none") == "None_" and class_name("go.db") == "GoDb"
    assert identifier("locally-predictive") == "locally_predictive" and identifier("lambda") == "lambda_"
    assert hsel.None_.method == "none" and hsel.Rpv.method == "rpv"
    fdr = hsel.Fdr(method="bh")
    assert fdr.get_params()["method"] == fdr.method_ == "bh" and hsel.Fdr(method_="bh")._text() == fdr._text() == "fdr:method=bh"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_class(cls):
    method = next(m for m in hsel.methods() if m["name"] == cls.method and m["kind"] in (cls.kind, "measure"))
    assert method["citation"].split()[0] in cls.__doc__ and method["title"] in cls.__doc__
    estimator = cls()
    assert estimator._text() == cls.method  # all options at their defaults
    for option in method["options"]:
        assert argument(method, option) in inspect.signature(cls.__init__).parameters
        assert option["help"].split()[0] in cls.__doc__
        assert getattr(estimator, identifier(option["name"])) == getattr(estimator, argument(method, option))
    assert repr(clone(estimator)) == repr(estimator) == f"{cls.__name__}()"
    assert set(estimator.get_params()) == set(inspect.signature(cls.__init__).parameters) - {"self", "aliases"}


def test_what_is_given_is_above_the_preset():
    assert hsel.Knn(preset="weka")._text() == "knn:preset=weka"
    assert clone(hsel.Knn(n_neighbors=3, preset="weka"))._text() == "knn:preset=weka,k=3"  # 3 is the default of knn, too
    assert hsel.Forest(retry=False, preset="weka", n_estimators=500)._text() == "forest:preset=weka,trees=500,retry=false"
    assert "None: 3, with preset='weka' 1" in hsel.Knn.__doc__


def test_a_new_method_needs_no_line_of_python():
    method = {"kind": "classifier", "name": "new-one", "title": "a title", "help": "What it does.", "citation": "Someone (2030)",
              "flags": ["needs-hierarchy", "needs-classes", "stochastic"],
              "options": [{"name": "class", "type": "int", "default": "3", "value": "N", "min": 1, "max": 9, "help": "a number"},
                          {"name": "mode", "type": "choice", "default": "a", "choices": "a|b", "help": "a choice"}]}
    cls = make_class(method, "hsel.classifiers")
    assert cls.__name__ == "NewOne"
    assert list(inspect.signature(cls).parameters) == ["class_", "mode", "hierarchy", "class_weight", "random_state", "n_jobs"]
    assert cls(class_=4, mode="b")._text() == "new-one:class=4,mode=b"
    assert "class_ : int, 1 to 9, default 3" in cls.__doc__ and "{'a', 'b'}" in cls.__doc__


def test_names_of_scikit_learn_and_of_the_command():
    model = hsel.Knn(k=4)
    assert repr(model) == "Knn(n_neighbors=4)" and model.k == 4 and model._text() == "knn:k=4"
    assert clone(model).get_params()["n_neighbors"] == 4 and "k" not in model.get_params()
    assert model.set_params(k=5).n_neighbors == 5 and model.set_params(n_neighbors=7).k == 7
    model.k = 9
    assert model._text() == "knn:k=9"
    forest = hsel.Forest(n_estimators=5, max_depth=3, max_features=2, min_samples_leaf=2)
    assert forest._text() == hsel.Forest(trees=5, depth=3, features=2, min=2)._text() == "forest:trees=5,features=2,depth=3,min=2"
    assert hsel.Svm(C=2.0, tol=0.1, cache_size=9)._text() == "svm:c=2.0,tolerance=0.1,cache=9"
    for wrong in (lambda: hsel.Knn(neighbors=3), lambda: hsel.Nb(k=3)):
        with pytest.raises(TypeError, match="unexpected keyword argument '(neighbors|k)'"):
            wrong()
    with pytest.raises(TypeError, match="k is another name of n_neighbors: give one of them"):
        hsel.Knn(k=3, n_neighbors=4)
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(neighbors=3)


def test_random_state_none_is_another_seed_each_time(data):
    forests = [hsel.Forest(trees=5).fit(data.X, data.y).predict_proba(data.X) for _ in range(5)]
    assert any((forests[0] != other).any() for other in forests[1:])
    again = []
    for _ in range(2):
        np.random.seed(7)
        again.append(hsel.Forest(trees=5).fit(data.X, data.y).predict_proba(data.X))
    assert np.array_equal(*again)


def test_options_reach_the_library(data):
    assert hsel.Shsel(threshold=0.5, similarity="correlation")._text() == "shsel:similarity=correlation,threshold=0.5"
    with pytest.raises(ValueError, match="threshold"):
        hsel.Shsel(threshold=7.0, hierarchy=data.hierarchy).fit(data.X, data.y)
    with pytest.raises(ValueError, match="similarity"):
        hsel.Shsel(similarity="corelation", hierarchy=data.hierarchy).fit(data.X, data.y)
    with pytest.raises(hsel.UsageError, match="comma"):
        hsel.Shsel(similarity="ig,threshold=0.1", hierarchy=data.hierarchy).fit(data.X, data.y)


def test_stubs_are_python():
    for module in (hsel.selectors, hsel.classifiers, hsel.rankers):
        tree = ast.parse((ROOT / "python" / "hsel" / f"{module.__name__.split('.')[1]}.pyi").read_text())
        assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == module.__all__


def test_stubs_and_page_are_not_stale():
    done = subprocess.run([sys.executable, ROOT / "python" / "make_stubs.py", "--check"], capture_output=True, text=True,
                          env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr
