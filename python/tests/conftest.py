# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests share: the command, made-up data as files and as arrays, every class of the package.

HSEL_LIBRARY names the shared library to test, HSEL_COMMAND the command that it must agree with; ctest sets both.
"""
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import pytest  # noqa: E402

import hsel  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_sessionfinish(session, exitstatus):
    """A file of which something was skipped counts as skipped, so that `make check EXTRA=1` runs it again."""
    if exitstatus == 0 and session.config.pluginmanager.get_plugin("terminalreporter").stats.get("skipped"):
        session.exitstatus = 77


def all_classes(module):
    return [getattr(module, name) for name in module.__all__]


SELECTORS = all_classes(hsel.selectors)
CLASSIFIERS = all_classes(hsel.classifiers)
RANKERS = all_classes(hsel.rankers)
REGRESSORS = all_classes(hsel.regressors)
LAZY = [cls for cls in SELECTORS if issubclass(cls, hsel.LazySelector)]
EAGER = [cls for cls in SELECTORS if cls not in LAZY]


# Options for methods whose defaults take long, the more so in the inner folds of calibration.
QUICK = {"boruta": {"trees": 20, "runs": 50}, "ga": {"generations": 5}, "taxahfe": {"trees": 10, "seeds": 2}, "forest": {"trees": 50},
         "proximal-graph": {"calibration": "none"}}


def make(cls, hierarchy=None, **arguments):
    """An estimator, with the hierarchy if it takes one, and with the command's seed if it has any."""
    if cls not in RANKERS:
        arguments["hierarchy"] = hierarchy
    if "stochastic" in getattr(cls, "_flags", ()):
        arguments.setdefault("random_state", 1)
    return cls(**arguments)


@pytest.fixture(scope="session")
def command():
    path = os.environ.get("HSEL_COMMAND")
    if not path:
        pytest.fail("HSEL_COMMAND must name the hsel command of the same build")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


@pytest.fixture(scope="session")
def data():
    """200 instances, 120 features, 2 classes, with a hierarchy."""
    return hsel.generate("ontology:instances=200,features=120,depth=7,positives=25", random_state=3)


@pytest.fixture(scope="session")
def three():
    """The same with three classes."""
    return hsel.generate("ontology:instances=150,features=80,depth=6,positives=20,classes=3", random_state=5)


@pytest.fixture(scope="session")
def folder(data, tmp_path_factory):
    """`data` as a pack."""
    path = tmp_path_factory.mktemp("data") / "data.hsel"
    data.write(path)
    return path


@pytest.fixture
def rng():
    return np.random.RandomState(0)
