# SPDX-License-Identifier: GPL-3.0-or-later
"""Hierarchies from everything that people hold one in, checked; data sets read from files."""
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import hsel

EDGES = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("bat", "mammal"), ("bat", "flyer"), ("flyer", "animal")]


def test_sources_agree():
    straight = hsel.Hierarchy(EDGES)
    graph = hsel.Hierarchy(nx.DiGraph(EDGES))
    mapping = hsel.Hierarchy({"dog": ["mammal"], "cat": "mammal", "mammal": "animal", "bat": ["mammal", "flyer"],
                              "flyer": {"animal"}})
    array = hsel.Hierarchy(np.array(EDGES))
    for other in (graph, mapping, array):
        assert set(other.edges()) == set(EDGES)
    names = straight.names
    matrix = sp.lil_matrix((len(names), len(names)))
    for child, parent in EDGES:
        matrix[names.index(child), names.index(parent)] = 1
    numbered = hsel.Hierarchy(matrix.tocsr())
    assert numbered.names is None and len(numbered) == 6
    assert {(names[c], names[p]) for c, p in numbered.edges()} == set(EDGES)
    assert {(c, p) for c, p in hsel.Hierarchy([(1, 0), (2, 0)]).edges()} == {(1, 0), (2, 0)}
    assert set(straight.to_networkx().edges()) == set(EDGES)


def test_graphs():
    with pytest.raises(ValueError, match="the graph is undirected.*networkx.DiGraph with edges from child to parent"):
        hsel.Hierarchy(nx.Graph(EDGES))
    with pytest.raises(ValueError, match="undirected"):
        hsel.Hip(hierarchy=nx.MultiGraph(EDGES)).fit(np.eye(2), [0, 1])
    graph = nx.DiGraph(EDGES)
    graph.add_node("stone", name="a stone")
    graph.nodes["dog"]["name"], graph.nodes["cat"]["label"], graph.nodes["bat"]["name"] = "the dog", "the cat", 5
    h = hsel.Hierarchy(graph)
    assert set(h.edges()) == set(EDGES) and "stone" in h and h.labels == {"dog": "the dog", "cat": "the cat", "stone": "a stone"}
    assert hsel.Hierarchy(graph, labels={"dog": "rex"}).labels == {"dog": "rex"}
    again = hsel.Hierarchy(h.to_networkx())
    assert again.labels == h.labels and set(again.edges()) == set(EDGES) and set(again) == set(h)
    assert len(hsel.Hierarchy(nx.DiGraph([(1, 0), (2, 0)]))) == 3  # numbers of columns have no labels


def test_relations():
    """A graph as obonet.read_obo makes it: the key of an edge is its relation."""
    graph = nx.MultiDiGraph()
    graph.add_node("GO:3", name="reproduction")
    graph.add_edge("GO:2", "GO:1", key="is_a")
    graph.add_edge("GO:3", "GO:1", key="is_a")
    graph.add_edge("GO:3", "GO:2", key="part_of")
    graph.add_edge("GO:2", "GO:3", key="regulates")  # which would be a cycle
    with pytest.warns(UserWarning, match=r"other relations than is_a are left out: part_of \(1\), regulates \(1\); choose by relations="):
        h = hsel.Hierarchy(graph)
    assert set(h.edges()) == {("GO:2", "GO:1"), ("GO:3", "GO:1")} and h.labels == {"GO:3": "reproduction"}
    with pytest.warns(UserWarning, match=r"than is_a, part_of are left out: regulates \(1\)"):
        assert ("GO:3", "GO:2") in hsel.Hierarchy(graph, relations=["is_a", "part_of"]).edges()
    with pytest.raises(ValueError, match=r"no edge of the graph has the relation has_part; choose by relations= from: is_a \(2\)"):
        hsel.Hierarchy(graph, relations="has_part")
    with pytest.raises(ValueError, match="relations are those of the edges of a networkx.DiGraph or MultiDiGraph"):
        hsel.Hierarchy(EDGES, relations="is_a")
    with pytest.raises(ValueError, match=r"no edge of the graph has the relation is_a; choose by relations= from: broader \(1\)"):
        hsel.Hierarchy(nx.DiGraph([("a", "b", {"relation": "broader"})]))
    assert hsel.Hierarchy(nx.DiGraph([("a", "b", {"relation": "IS-A"})])).n_edges == 1
    assert set(hsel.Hierarchy(nx.MultiDiGraph(EDGES)).edges()) == set(EDGES)  # keys are numbers, which say nothing


def test_frames():
    rows = [("dog", "mammal"), ("mammal", "animal")]
    for frame in (pd.DataFrame(rows), pd.DataFrame(rows, columns=["is", "a"]), pd.DataFrame(rows, columns=["Child", "Parent"]),
                  pd.DataFrame([row[::-1] for row in rows], columns=["parent", "child"])):
        assert set(hsel.Hierarchy(frame).edges()) == set(rows)
    assert set(hsel.Hierarchy(pd.DataFrame([(1, 0), (2, 1)])).edges()) == {(1, 0), (2, 1)}
    with pytest.raises(ValueError, match="a frame of edges must have two columns, child and parent, not 3"):
        hsel.Hierarchy(pd.DataFrame([("a", "b", "c")]))
    with pytest.raises(ValueError, match="all names or all numbers"):
        hsel.Hierarchy(pd.DataFrame([("a", None), ("b", "c")]))


def test_a_hierarchy_does_not_change():
    h = hsel.Hierarchy(EDGES, columns=["dog", "animal"])
    for name, value in (("columns", ["a"]), ("names", ["a"])):
        with pytest.raises(AttributeError):
            setattr(h, name, value)
    with pytest.raises(ValueError):
        h._child[0] = 3
    other = h.with_columns(["cat", "animal"])
    assert other.columns == ("cat", "animal") and h.columns == ("dog", "animal") and other.edges() == h.edges()


def test_looks():
    h = hsel.Hierarchy(EDGES)
    assert h.roots == ["animal"] and set(h.leaves) == {"dog", "cat", "bat"} and h.depth == 2 and h.n_edges == 6
    assert set(h.parents("bat")) == {"mammal", "flyer"} and set(h.ancestors("bat")) == {"mammal", "flyer", "animal"}
    assert set(h.descendants("animal")) == {"dog", "cat", "bat", "mammal", "flyer"} and h.children("flyer") == ["bat"]
    assert repr(h) == "Hierarchy(6 terms (names), 6 edges, depth 2, 1 root: animal)"
    assert repr(hsel.Hierarchy([("b", "a")], labels={"a": "thing"})).endswith("1 root: thing)")
    assert pickle.loads(pickle.dumps(h)) == h and h != hsel.Hierarchy(EDGES[:-1])
    with pytest.raises(KeyError, match="cow"):
        h.parents("cow")
    assert len(hsel.Hierarchy([])) == 0 and repr(hsel.Hierarchy(nodes=["a"]))


def test_picture(tmp_path):
    h = hsel.Hierarchy([('a "quoted"', "b\\c"), ("d", "b\\c")])
    picture = h.plot(title="all")
    assert picture.startswith("digraph") and 'a \\"quoted\\"' in picture and picture.count("->") == 2
    assert h.plot(["d"]).count("->") == 1
    picture.save(tmp_path / "h.dot")
    assert (tmp_path / "h.dot").read_text() == picture


def test_cycles():
    with pytest.raises(hsel.CycleError, match="the hierarchy has a cycle: a -> b -> a|b -> a -> b") as caught:
        hsel.Hierarchy([("a", "b"), ("b", "a")])
    assert isinstance(caught.value, ValueError) and "--" not in str(caught.value)
    with pytest.raises(hsel.CycleError, match="a -> a"):
        hsel.Hierarchy([("a", "a")])
    with pytest.raises(hsel.CycleError):
        hsel.Hierarchy(nx.cycle_graph(5, create_using=nx.DiGraph))


def test_wrong_edges():
    with pytest.raises(ValueError, match="all names or all numbers"):
        hsel.Hierarchy([("a", 1)])
    with pytest.raises(ValueError, match="a pair"):
        hsel.Hierarchy([("a", "b", "c")])
    with pytest.raises(ValueError, match="a pair"):
        hsel.Hierarchy(["ab", "cd"])
    with pytest.raises(ValueError, match=r"to read a file, use hsel.Hierarchy.read\('go.obo'\)"):
        hsel.Hierarchy("go.obo")
    with pytest.raises(ValueError, match="square"):
        hsel.Hierarchy(sp.csr_matrix((2, 3)))
    with pytest.raises(ValueError, match="number of a column, from 0"):
        hsel.Hierarchy([(-1, 0)])
    with pytest.raises(ValueError, match="NUL"):
        hsel.Hierarchy([("a\0b", "c")])


def test_terms_that_are_no_columns_are_passed_through():
    h = hsel.Hierarchy([("a", "between"), ("between", "b")], columns=["b", "a"])
    y = np.array([0, 1] * 10)
    X = np.c_[np.ones(20), y]
    mask = hsel.Hip(hierarchy=h).fit(X, y).select(X).toarray()
    # a (column 1) is below b (column 0): where a is positive, b says nothing more
    assert mask[1].tolist() == [False, True]


def test_obo(tmp_path):
    path = tmp_path / "small.obo"
    path.write_text("format-version: 1.2\n\n[Term]\nid: X:1\nname: root\n\n[Term]\nid: X:2\nname: child\nis_a: X:1\n")
    h = hsel.Hierarchy.read(path)
    assert h.edges() == [("X:2", "X:1")] and h.columns is None
    path.write_text("[Term]\nid: X:1\nis_a: X:2\n\n[Term]\nid: X:2\nis_a: X:1\n")
    with pytest.raises(hsel.CycleError, match='cycles="merge"') as caught:
        hsel.Hierarchy.read(path)
    assert caught.value.file is None or caught.value.file.endswith("small.obo")
    assert len(hsel.Hierarchy.read(path, cycles="drop").edges()) == 1


def test_large(rng):
    n = 100_000
    child = np.arange(1, n)
    parent = (child * rng.uniform(size=n - 1)).astype(int)
    h = hsel.Hierarchy(np.c_[child, parent])
    assert len(h) == n and h.n_edges == n - 1


# ---- propagating ----

FORMS = [np.asarray, sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, lambda X: pd.DataFrame(X, columns=["animal", "mammal", "dog"])]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [np.int64, np.float64, np.uint8, np.float32])
def test_any_positive_number_is_positive(form, kind):
    h = hsel.Hierarchy([("dog", "mammal"), ("mammal", "animal")], columns=["animal", "mammal", "dog"])
    counts = np.array([[0, 0, 3], [0, 2, 0], [5, 0, 0], [0, 0, 0], [0, 1, 7]], dtype=kind)
    done = hsel.propagate(form(counts), h)
    done = done.toarray() if sp.issparse(done) else done.to_numpy()
    assert done.dtype == np.uint8
    assert done.tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bad", [-1.0, np.nan, -np.inf, np.inf])
def test_what_is_not_a_positive_number_is_refused(form, bad):
    h = hsel.Hierarchy([("dog", "mammal"), ("mammal", "animal")], columns=["animal", "mammal", "dog"])
    X = np.ones((4, 3))
    X[2, 1] = bad
    column = "'mammal'" if form is FORMS[-1] else "1"
    with pytest.raises(ValueError, match="infinity" if np.isinf(bad) else f"row 2 of X has (-1.0|nan) in column {column}: hsel.propagate"):
        hsel.propagate(form(X), h)
    with pytest.raises(ValueError, match="an hsel.Hierarchy, not None"):
        hsel.propagate(np.ones((4, 3)), None)


def test_repeated_entries_are_added_first():
    X = sp.csr_matrix((np.array([1, 1, 1, -1]), np.array([2, 2, 0, 0]), np.array([0, 2, 4])), shape=(2, 3))
    done = hsel.propagate(X, hsel.Hierarchy([(2, 1), (1, 0)]))
    assert done.toarray().tolist() == [[1, 1, 1], [0, 0, 0]]


# ---- data sets ----

def test_frames_are_dense_unless_asked(data):
    frame = data.frame()
    assert set(frame.dtypes) == {np.dtype(np.uint8)} and np.array_equal(frame.to_numpy(), data.X.toarray())
    assert set(hsel.propagate(frame, data.hierarchy).dtypes) == {np.dtype(np.uint8)}
    for sparse in (data.frame(sparse=True), hsel.propagate(frame, data.hierarchy, sparse=True)):
        assert isinstance(sparse.dtypes.iloc[0], pd.SparseDtype) and np.array_equal(sparse.to_numpy(), frame.to_numpy())


def test_read(data, folder, tmp_path):
    again = hsel.read(folder)
    assert (again.X != data.X).nnz == 0 and np.array_equal(again.y, data.y)
    assert again.feature_names == data.feature_names and again.hierarchy == data.hierarchy
    assert repr(again).startswith("Dataset ") and "200 instances, 120 features, 2 classes" in repr(again)
    rootless = hsel.read(folder, drop_roots=True)
    assert rootless.X.shape[1] == 120 - len(data.hierarchy.roots)
    with pytest.raises(ValueError, match="drop_root.*did you mean 'drop_roots'"):
        hsel.read(folder, drop_root=True)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(again)


def test_read_numbers(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("id,a,b,c,label\nu,1,0.5,red,yes\nv,0,2,blue,no\nw,1,7,red,yes\n")
    data = hsel.read(path, id="id", class_="label")
    assert data.ids == ["u", "v", "w"] and data.X[:, 1].tolist() == [0.5, 2, 7] and data.X[:, 0].tolist() == [1, 0, 1]
    assert len(data.frame()) == 3 and data.frame().index.tolist() == ["u", "v", "w"]
    assert [data.class_names[i] for i in data.y] == ["yes", "no", "yes"]


def test_unknown_classes(tmp_path):
    path = tmp_path / "unknown.csv"
    path.write_text("a,b,class\n1,0,yes\n0,1,\n1,1,no\n")
    assert hsel.read(path).y.tolist() == [1, -1, 0]


def test_similarity(data):
    h = data.hierarchy
    terms = data.feature_names
    first, second = terms[:40], terms[40:80]
    for by in ("lin", "resnik", "jiang-conrath"):
        wanted = hsel.similarity(data, first, second, by)
        assert np.array_equal(h.similarity(first, second, data.X, by=by), wanted)
        assert np.array_equal(h.similarity(first, second, data.frame(), by=by), wanted)
        assert h.similarity(first[0], second[0], data.X, by=by) == wanted[0]
    assert np.array_equal(hsel.similarity(data, range(40), range(40, 80)), hsel.similarity(data, first, second))
    animals = hsel.Hierarchy([("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("bird", "animal")])
    numbers = hsel.Hierarchy([(3, 1), (4, 1), (1, 0), (2, 0)])
    # Below animal are all five, below mammal three, below the others one.
    bits = -np.log2(3 / 5), -np.log2(1 / 5)
    assert animals.similarity("dog", "cat", by="resnik") == pytest.approx(bits[0]) == numbers.similarity(3, 4, by="resnik")
    assert animals.similarity("dog", "cat") == pytest.approx(bits[0] / bits[1])
    assert animals.similarity(["dog", "dog"], ["bird", "dog"]).tolist() == [0, 1]
    with pytest.raises(hsel.UsageError, match="'fish' is not a feature"):
        animals.similarity("dog", "fish")
