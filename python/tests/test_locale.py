# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers do not depend on the locale of the process: a program that has set one with decimal commas, or with other rules for
letters, gets the same texts, pages and charts as one that has not."""
import os
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

PROGRAM = """
import locale, pathlib, sys
import numpy as np
import hsel
name, store, folder = sys.argv[1:]
locale.setlocale(locale.LC_ALL, name)
assert name == "C" or locale.localeconv()["decimal_point"] == ",", "not a locale with commas"
data = hsel.generate("ontology:instances=80,features=50,depth=5,positives=10", random_state=2)
model = hsel.SelectThenPredict("none", "nb", hierarchy=data.hierarchy).fit(data.X, data.y)
why = model.explain(data.X, 3, top=5)
X = data.X.toarray() * 0.37
tree = hsel.Tree().fit(X, data.y)
texts = [str(why), why.plot(), repr(why.features), str(hsel.compare(np.random.RandomState(1).rand(9, 3), control=0)),
         repr(tree.predict_proba(X).sum(axis=0)), repr(hsel.cross_validate(data).metrics)]
try:
    hsel.Shsel(threshold=1.5, hierarchy=data.hierarchy).fit(data.X, data.y)
except ValueError as error:
    texts.append(str(error))
for text in ("1.25", "INFINITY", "1e-3"):
    try:
        hsel.Shsel(threshold=text, hierarchy=data.hierarchy).fit(data.X, data.y)
    except ValueError as error:
        texts.append(str(error))
folder = pathlib.Path(folder)
for form in ("html", "text", "csv", "latex"):
    hsel.report(store, folder / ("page." + form), format=form, charts=folder / "charts")
data.write(folder / "data.csv")
(folder / "texts").write_text("\\n".join(texts), encoding="utf-8")
"""


@pytest.fixture(scope="module")
def locales(tmp_path_factory):
    """A folder with locales made for this test, as a system need not have them."""
    folder = tmp_path_factory.mktemp("locales")
    for name in ("de_DE", "tr_TR"):
        if not shutil.which("localedef") or not os.path.exists(f"/usr/share/i18n/locales/{name}"):
            pytest.skip("there is no localedef, or no source of locales (Debian: locales), to make one of")
        subprocess.run(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"], check=True, capture_output=True)
    return folder


def test_commas(command, folder, locales, tmp_path):
    study = tmp_path / "small.yaml"
    study.write_text(f"name: small\ndatasets:\n  - path: {folder}\nselectors: [none, hip, mr]\nclassifiers: [nb]\nfolds: {{count: 3}}\n")
    command("run", "-q", study, "--store", tmp_path / "small.db")
    written = {}
    for name in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
        out = tmp_path / name
        out.mkdir()
        done = subprocess.run([sys.executable, "-c", PROGRAM, name, tmp_path / "small.db", out], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "LOCPATH": str(locales)})
        assert done.returncode == 0, done.stderr
        written[name] = {str(path.relative_to(out)): path.read_text() for path in sorted(out.rglob("*")) if path.is_file()}
    assert len(written["C"]) > 6 and "0." in written["C"]["texts"]
    for name, files in written.items():
        assert sorted(files) == sorted(written["C"]), name
        for path, text in files.items():
            assert text == written["C"][path], (name, path)
