# SPDX-License-Identifier: GPL-3.0-or-later
"""mypy on the package and its stubs, and on what users write with them. Debian: mypy."""
import shutil
import subprocess

import pytest

from conftest import ROOT

USER = """
import hsel
right = hsel.Knn(n_neighbors=3, hierarchy={"a": "b"}), hsel.Forest(n_estimators=5, criterion="gini", random_state=1)
number = hsel.ForestRegressor(n_estimators=5, max_depth=3, n_jobs=2), hsel.regressors.KnnRegressor(n_neighbors=3)
terms: list = hsel.Hierarchy([("a", "b")]).ancestors("a")
"""
WRONG = {'hsel.Forest(criterion="nonsense")': "incompatible type", "hsel.Nb(nosuch=1)": "Unexpected keyword", "hsel.ForestRegressor(n_jobs='all')": "incompatible type", "hsel.NbRegressor()": "no attribute",
          "hsel.Hierarchy().nosuch()": "no attribute"}


def test_types(tmp_path):
    if not shutil.which("mypy"):
        pytest.skip("mypy is not installed")

    def mypy(*what):
        done = subprocess.run(["mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), *map(str, what)], capture_output=True,
                              text=True, cwd=ROOT / "python")
        return done.stdout
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import hsel\n" + "\n".join(WRONG) + "\n")
    assert mypy("hsel", tmp_path / "user.py").count("Success") == 1
    found = mypy(tmp_path / "wrong.py")
    for line, (text, says) in enumerate(WRONG.items(), 2):
        assert any(f"wrong.py:{line}: error" in said and says in said for said in found.splitlines()), (text, found)
