# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels: what people call features and instances, from files to estimators, explanations and pictures."""
import copy
import pickle
import re

import numpy as np
import pytest

import hsel
from conftest import CLASSIFIERS, ROOT, SELECTORS, make

LONG = "the regulation of a great many things that nobody has counted so far"


@pytest.fixture(scope="module")
def worms():
    return hsel.read(ROOT / "data" / "rpv" / "CE-CC")


@pytest.fixture()
def obo(tmp_path):
    """A hierarchy file with names, of which one could do harm."""
    path = tmp_path / "terms.obo"
    path.write_text("format-version: 1.2\n\n[Term]\nid: T:1\nname: everything\nnamespace: things\n\n"
                    "[Term]\nid: T:2\nname: " + LONG + "\nnamespace: things\nis_a: T:1\n\n"
                    "[Term]\nid: T:3\nname: </text><script>alert(1)</script> &lt;\nis_a: T:1\n")
    return path


def test_dataset(worms):
    number = worms.feature_names.index("GO:0005634")
    assert worms.feature_labels[number] == "nucleus"
    assert set(worms.namespaces) == {"cellular_component"}
    assert worms.instance_labels[worms.ids.index("181727")] == "aak-2"
    assert len(worms.feature_labels) == len(worms.feature_names) and len(worms.instance_labels) == len(worms.y)
    assert worms.hierarchy.labels["GO:0005634"] == "nucleus"


def test_no_labels(data):
    assert data.feature_labels is None and data.namespaces is None and data.instance_labels is None
    assert data.hierarchy.labels == {}
    assert hsel.Tsel(hierarchy=data.hierarchy).fit(data.X, data.y).feature_labels_ is None
    assert hsel.Nb().fit(data.X, data.y).feature_labels_ is None


def test_hierarchy_file(obo):
    hierarchy = hsel.Hierarchy.read(obo)
    assert hierarchy.labels == {"T:1": "everything", "T:2": LONG, "T:3": "</text><script>alert(1)</script> &lt;"}
    # Terms are matched with columns by name; a column that is not a term has no label.
    model = hsel.Nb(hierarchy=hierarchy.with_columns(["x", "T:3", "T:1"]))
    model.fit(np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 0]]), [0, 1, 0, 1])
    assert model.feature_labels_.tolist() == [None, "</text><script>alert(1)</script> &lt;", "everything"]
    model.hierarchy = None
    model.fit(np.array([[1, 0], [0, 1]]), [0, 1])
    assert model.feature_labels_ is None


def test_given_labels():
    hierarchy = hsel.Hierarchy([("b", "a"), ("c", "a")], columns=["a", "b", "c"], labels={"b": "the b", "z": "not a term"})
    assert hierarchy.labels == {"b": "the b"}
    for other in (pickle.loads(pickle.dumps(hierarchy)), copy.deepcopy(hierarchy), hierarchy.with_columns(["b"])):
        assert other.labels == {"b": "the b"}
    with pytest.raises(hsel.UsageError, match="labels are for terms with names"):
        hsel.Hierarchy([(1, 0)], labels={"b": "the b"})
    with pytest.raises(hsel.UsageError, match="a label must be a text, not 3"):
        hsel.Hierarchy([("b", "a")], labels={"b": 3})
    made, arguments = hierarchy.__reduce__()
    for labels in (("too few",), 5 * ("x",)):
        with pytest.raises(hsel.FormatError, match="the pickle of a hierarchy is damaged"):
            made(*arguments[:-1], labels)


@pytest.mark.parametrize("cls", [*SELECTORS, *CLASSIFIERS], ids=lambda cls: cls.__name__)
def test_estimators(cls, worms):
    rows = np.arange(0, len(worms.y), 12)  # few, as some methods are slow
    model = make(cls, worms.hierarchy)
    if cls is hsel.selectors.Ga:
        model.set_params(population=8, generations=1)
    model.fit(worms.X[rows], worms.y[rows])
    assert model.feature_labels_.tolist() == worms.feature_labels
    assert pickle.loads(pickle.dumps(model)).feature_labels_.tolist() == worms.feature_labels


def test_explanation(worms):
    model = hsel.SelectThenPredict("hip", "nb", hierarchy=worms.hierarchy).fit(worms.frame(), worms.y)
    assert model.feature_labels_.tolist() == worms.feature_labels
    why = model.explain(worms.frame(), worms.ids.index("181727"), top=5)
    names = re.findall(r'tooltip="(.*) (GO:[0-9]+)"', why.plot())
    labels = dict(zip(worms.feature_names, worms.feature_labels))
    assert len(names) > 5 and all(labels[name] == label for label, name in names)
    assert {each["feature"] for each in why.features} <= {name for _, name in names}


def test_pictures(obo, tmp_path):
    picture = hsel.Hierarchy.read(obo).plot(title="a & b")
    assert 'label=<everything<BR/><FONT POINT-SIZE="8">T:1</FONT>>' in picture
    assert "label=<the regulation of<BR/>a great many<BR/>things that nobody<BR/>has counted so far<BR/>" in picture
    assert "&lt;/text&gt;&lt;script&gt;alert(1)&lt;<BR/>/script&gt; &amp;lt;" in picture
    picture.save(tmp_path / "x.svg")
    drawn = (tmp_path / "x.svg").read_text()
    assert "<script" not in drawn and "&amp;lt;" in drawn and "a &amp; b" in drawn
