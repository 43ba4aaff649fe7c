# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples run: the blocks of docs/python.md and README.md in order, each document in one folder, and python/examples."""
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

SCRIPTS = "\n## Example scripts\n"  # of docs/python.md; each of its blocks is a program


def run(program, folder):
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_document(document, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text().split(SCRIPTS)[0], re.S | re.M)
    assert blocks
    (tmp_path / "data").symlink_to(ROOT / "data")
    shown = run("\n".join(blocks), tmp_path)
    if document == "README.md":  # what the command says of the gene, which the model has not seen
        text = (ROOT / document).read_text()
        lines = text[text.index("predicted  pro-longevity"):text.index(" log-odds for pro-longevity, with the prior")]
        assert "instance   lgg-1" in shown and lines.rstrip().removesuffix("\n```") in shown
        assert f"{100 * float(shown.split()[-1]):.1f}" == re.search(r"rpv +nb +([\d.]+)", text)[1]


def test_scripts(tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text().split(SCRIPTS)[1], re.S | re.M)
    (tmp_path / "data").symlink_to(ROOT / "data")
    assert len(blocks) == 3 and all(len(block.splitlines()) < 30 for block in blocks)
    assert "in the outer folds" in run(blocks[0], tmp_path)
    assert "vacuole organization" in run(blocks[1], tmp_path) and (not shutil.which("dot") or (tmp_path / "174050.svg").exists())
    if not os.path.exists("/usr/share/wordnet/data.noun"):
        pytest.skip("WordNet is not installed (Debian: wordnet-base)")
    assert run(blocks[2], tmp_path).split() == "words accuracy 0.788 words and what they are accuracy 0.884".split()


def test_genes(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "python" / "examples" / "genes.py", tmp_path], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stderr
    assert "SHSEL keeps 16 of 990 terms" in done.stdout and "selected   23 of 990 features" in done.stdout
    assert "predicted  pro-longevity" in done.stdout and "By Nemenyi's test" in done.stdout
    for name in ("best.dot", "why.dot"):
        assert (tmp_path / name).read_text().startswith("digraph")


def test_notebook(tmp_path):
    """The notebook is that of genes.py, and its cells run again to the same texts."""
    made = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text())
    cells = re.split(r"^# %%(?: \[markdown\])?\n", (ROOT / "python" / "examples" / "genes.py").read_text(), flags=re.M)[1:]
    source = ["".join(cell["source"]) for cell in made["cells"]]
    assert source == ["\n".join(line.removeprefix("#").removeprefix(" ") for line in cell.strip().splitlines()) if kind["cell_type"] == "markdown" else cell.strip()
                      for cell, kind in zip(cells, made["cells"])], "scripts/notebook makes it anew"
    if not shutil.which("jupyter-nbconvert"):
        pytest.skip("jupyter-nbconvert is not installed (Debian: jupyter-nbconvert, python3-ipykernel)")
    subprocess.run([ROOT / "scripts" / "notebook", tmp_path / "again.ipynb"], check=True, capture_output=True, cwd=ROOT,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    def texts(notebook):
        return ["".join("".join(output["text"]) for output in cell.get("outputs", ()) if "text" in output) for cell in notebook["cells"]]
    assert texts(json.loads((tmp_path / "again.ipynb").read_text())) == texts(made)
