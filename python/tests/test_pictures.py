# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be drawn, and what a notebook shows of it: by Graphviz, or without it as a table."""
import io
import pickle
import xml.etree.ElementTree as xml

import networkx
import numpy as np
import pytest

import hsel

TERMS = hsel.Hierarchy([("b", "a"), ("c", "b"), ("d", "c"), ("e", "c")], columns=list("abcde"),
                       labels={"e": "<script>alert(1)</script> & \"more\""})
X = np.array([[1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 1, 1, 0, 1], [1, 0, 0, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 0, 1]])
Y = np.array(["old", "old", "young", "young", "old", "young"])


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")


def graph_of(text: str) -> networkx.DiGraph:
    return networkx.read_graphml(io.BytesIO(text.encode()))


def names_of(text: str) -> dict:
    return {node["identifier"]: node for _, node in graph_of(text).nodes(data=True) if "identifier" in node}


def is_svg(text: str) -> bool:
    return xml.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


def test_explanation():
    model = hsel.SelectThenPredict("hip", "nb", hierarchy=TERMS).fit(X, Y)
    why = model.explain(X, 2)
    assert why.plot() == why.to_dot() and why.to_dot().startswith("digraph")
    drawn = names_of(why.to_graphml())
    for each in why.features:
        assert drawn[each["feature"]]["kind"] == "selected"
        assert np.isclose(drawn[each["feature"]]["log_odds"], each["log_odds"])
        assert drawn[each["feature"]].get("lacking", False) == (each["value"] == 0)
    assert drawn["e"]["label"] == TERMS.labels["e"]
    for text in (why.to_svg(), why._repr_svg_(), why._repr_html_()):
        assert is_svg(text) and "<script" not in text and "X[2]: young" in text
    again = pickle.loads(pickle.dumps(why))
    assert again.to_dot() == why.to_dot() and str(again) == str(why)


def test_explanation_does_not_look_at_what_becomes_of_x():
    model, changed = hsel.SelectThenPredict("hip", "nb", hierarchy=TERMS).fit(X, Y), X.copy()
    why = model.explain(changed, 2)
    expected = model.explain(X, 2).to_dot()
    changed[:] = 0
    assert why.to_dot() == expected


def test_explanation_without_graphviz(no_graphviz):
    why = hsel.SelectThenPredict("hip", "nb", hierarchy=TERMS).fit(X, Y).explain(X, 2)
    assert why._repr_svg_() is None
    table = xml.fromstring(why._repr_html_())
    assert table.tag == "table" and [cell.text for cell in table.iter("th")] == ["label", "feature", "value", "log_odds"]
    assert TERMS.labels["e"] in [cell.text for cell in table.iter("td")]
    with pytest.raises(hsel.UnsupportedError, match="Graphviz, which draws pictures, is not installed"):
        why.to_svg()
    assert why.to_dot().startswith("digraph")


def test_explanation_without_hierarchy():
    why = hsel.SelectThenPredict("none", "nb").fit(X, Y).explain(X, 2)
    assert why._repr_svg_() is None and xml.fromstring(why._repr_html_()).tag == "table"
    for draw in (why.plot, why.to_dot, why.to_svg, why.to_graphml):
        with pytest.raises(hsel.UsageError, match="no hierarchy to draw"):
            draw()


def test_hierarchy(no_graphviz):
    assert set(names_of(TERMS.to_graphml())) == set("abcde")
    some = graph_of(TERMS.to_graphml(["d"]))
    assert sorted(node.get("identifier", node["kind"]) for _, node in some.nodes(data=True)) == ["a", "d", "hidden"]
    assert [node["hidden"] for _, node in some.nodes(data=True) if "hidden" in node] == [2]
    table = xml.fromstring(TERMS._repr_html_())
    assert [cell.text or "" for cell in table.iter("td")] == ["a", ""]
    with pytest.raises(KeyError, match="'z' is not a term"):
        TERMS.plot(["z"])
    with pytest.raises(hsel.UsageError, match="nodes"):
        TERMS.plot(nodes=-1)


def test_hierarchy_is_limited():
    wide = hsel.Hierarchy([(f"t{i}", "t0") for i in range(1, 200)])
    assert len(graph_of(wide.to_graphml())) <= 60 < len(graph_of(wide.to_graphml(nodes=0))) == 200
    assert is_svg(wide._repr_html_())


def test_hierarchy_by_number():
    assert set(names_of(hsel.Hierarchy([(1, 0), (2, 0)]).to_graphml())) == {"0", "1", "2"}


def test_selectors():
    eager = hsel.Tsel(hierarchy=TERMS).fit(X, Y)
    drawn = names_of(eager.to_graphml())
    assert [name for name in drawn if drawn[name]["kind"] == "selected"] == [n for n, kept in zip("abcde", eager.support_) if kept]
    assert is_svg(eager.to_svg())
    lazy = hsel.Hip(hierarchy=TERMS).fit(X, Y)
    times = dict(zip("abcde", np.asarray(lazy.select(X).sum(axis=0)).ravel()))
    drawn = names_of(lazy.to_graphml(X, nodes=0))
    assert {name: node["value"] for name, node in drawn.items() if node["kind"] == "selected"} == {n: t for n, t in times.items() if t}
    with pytest.raises(hsel.UsageError, match="no hierarchy to draw"):
        hsel.AllNeg().fit(X, Y).to_dot(X)


def test_models():
    tree = hsel.Tree(min=1).fit(X, Y)
    kinds = [node["kind"] for _, node in graph_of(tree.to_graphml()).nodes(data=True)]
    assert kinds.count("leaf") == kinds.count("selected") + 1 and is_svg(tree.to_svg())
    forest = hsel.SelectThenPredict("none", hsel.Forest(trees=5), hierarchy=TERMS).fit(X, Y)
    assert any(node["kind"] == "selected" for node in names_of(forest.to_graphml()).values())
    with pytest.raises(hsel.UnsupportedError, match="nb has nothing to draw"):
        hsel.Nb().fit(X, Y).to_dot()


def test_names_are_wrapped_between_words():
    wrapped = {"single-multicellular organism process": "single-multicellular<BR/>organism process",
               "embryo development ending in birth or egg hatching": "embryo development<BR/>ending in birth or<BR/>egg hatching",
               "nucleobase-containing compound metabolic process": "nucleobase-<BR/>containing compound<BR/>metabolic process",
               "ä" * 30: "ä" * 24 + "<BR/>" + "ä" * 6}
    for label, expected in wrapped.items():
        assert f"label=<{expected}<BR/>" in hsel.Hierarchy([("b", "a")], labels={"b": label}).plot()
