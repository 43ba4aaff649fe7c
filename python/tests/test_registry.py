# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes are made from the registry: nothing is missing, arguments and docs are the options' own, stubs are not stale."""
import ast
import inspect
import json
import os
import subprocess
import sys

import pytest
from sklearn.base import clone

import hsel
from conftest import CLASSIFIERS, RANKERS, ROOT, SELECTORS
from hsel._registry import class_name, identifier, make_class

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


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_class(cls):
    method = next(m for m in hsel.methods() if m["name"] == cls.method and m["kind"] in (cls.kind, "measure"))
    assert method["citation"].split()[0] in cls.__doc__ and method["title"] in cls.__doc__
    estimator = cls()
    assert str(estimator) == cls.method  # all options at their defaults
    for option in method["options"]:
        assert identifier(option["name"]) in inspect.signature(cls.__init__).parameters
        assert option["help"].split()[0] in cls.__doc__
    assert str(clone(estimator)) == str(estimator)
    assert set(estimator.get_params()) == set(inspect.signature(cls.__init__).parameters) - {"self"}


def test_a_new_method_needs_no_line_of_python():
    method = {"kind": "classifier", "name": "new-one", "title": "a title", "help": "What it does.", "citation": "Someone (2030)",
              "flags": ["needs-hierarchy", "needs-classes", "stochastic"],
              "options": [{"name": "class", "type": "int", "default": "3", "value": "N", "min": 1, "max": 9, "help": "a number"},
                          {"name": "mode", "type": "choice", "default": "a", "choices": "a|b", "help": "a choice"}]}
    cls = make_class(method, "hsel.classifiers")
    assert cls.__name__ == "NewOne"
    assert list(inspect.signature(cls).parameters) == ["class_", "mode", "hierarchy", "class_weight", "random_state", "n_jobs"]
    assert str(cls(class_=4, mode="b")) == "new-one:class=4,mode=b"
    assert "class_ : int, 1 to 9, default 3" in cls.__doc__ and "{'a', 'b'}" in cls.__doc__


def test_options_reach_the_library(data):
    assert str(hsel.Shsel(threshold=0.5, similarity="correlation")) == "shsel:similarity=correlation,threshold=0.5"
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
