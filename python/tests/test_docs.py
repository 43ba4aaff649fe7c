# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples run: the blocks of docs/python.md and README.md in order, each document in one folder, and python/examples."""
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT


def run(program, folder):
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_document(document, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.S | re.M)
    assert blocks
    (tmp_path / "data").symlink_to(ROOT / "data")
    run("\n".join(blocks), tmp_path)


def test_genes(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "python" / "examples" / "genes.py", tmp_path], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stderr
    assert "SHSEL keeps 26 of 299 terms" in done.stdout and "selected   15 of 299 features" in done.stdout
    assert "By Nemenyi's test" in done.stdout
    for name in ("best.dot", "why.dot"):
        assert (tmp_path / name).read_text().startswith("digraph")
