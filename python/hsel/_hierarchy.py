# SPDX-License-Identifier: GPL-3.0-or-later
"""Hierarchies: terms and IS-A edges between them, checked by the library when they are made."""
from __future__ import annotations

import ctypes
import os
import re
import warnings
from collections import Counter
from typing import Iterable, Mapping, Optional, Sequence

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._data import Handle, _canonical, dag_of, dataset_from_arrays, frame_of, new_dataset, option_text, \
    rows_of, texts_of
from ._errors import CycleError, FormatError, UsageError
from ._picture import NODES, Drawn, Picture, draw_features, html_table


def bind(handle: Handle, hierarchy: "Hierarchy", by_number: bool) -> int:
    """Gives a data set the hierarchy, by names or by the numbers of columns; how many features are terms."""
    matched = ctypes.c_uint32()
    edges = lib.Edges(terms=None if by_number else hierarchy._joined, term_count=len(hierarchy), count=len(hierarchy._child),
                      child=hierarchy._child.ctypes.data, parent=hierarchy._parent.ctypes.data,
                      labels=None if by_number else hierarchy._joined_labels)
    lib.call("hsel_dataset_set_hierarchy", handle, edges, ctypes.byref(matched))
    return matched.value


def as_hierarchy(given) -> Optional["Hierarchy"]:
    """Accepted values of hierarchy=: a Hierarchy, a file, or anything that makes one."""
    if given is None or isinstance(given, Hierarchy):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Hierarchy.read(given)
    if not (hasattr(given, "edges") or hasattr(given, "columns") or sp.issparse(given) or isinstance(given, (dict, list, tuple, np.ndarray))):
        raise UsageError(f"hierarchy must be an hsel.Hierarchy, edges, a dict, a DataFrame, a networkx.DiGraph or a file, not {type(given).__name__}")
    return Hierarchy(given)


class Hierarchy(Drawn):
    """Terms with IS-A edges between them, over the columns of a matrix.

    Parameters
    ----------
    edges : iterable of (child, parent) pairs, dict, DataFrame, networkx.DiGraph, or scipy.sparse matrix
        Edges go from the more specific to the more general term: ``("dog", "animal")``. A dict maps a child to its parents. A DataFrame has two
        columns, child and parent (in this order unless they are called so). In a graph, the edge u -> v means that u is a v; an
        undirected one is refused. In a matrix, entry (i, j) means that column i is a column j. Terms are names (str), or numbers of
        columns (int).
    columns : sequence of str, optional
        The names of the columns of X in their order, when X has no names of its own.
    nodes : iterable, optional
        Further terms, without edges.
    labels : mapping, optional
        Labels of the terms: ``{"GO:0051726": "regulation of cell cycle"}``. Files such as OBO contain them; in a graph they are the attribute `name`
        of the nodes, or else `label`. Explanations and pictures show them; terms are matched by their names only.
    relations : str or list of str, optional
        Edges of a graph to use, if edges have relations: the key of an edge of a MultiDiGraph, as obonet.read_obo makes
        them, or the attribute `relation`. By default ``"is_a"``, with a warning that counts the edges left out. Edges without a relation are always
        used.

    Names are matched with the columns of a DataFrame or with `columns`. If a term is not a column, its children are connected with its parents.
    Columns that are not terms are isolated. A hierarchy never changes, so threads may share it.

    Raises
    ------
    CycleError
        If the hierarchy has a cycle, which the message shows.

    Terms are counted, looped over and looked up as in a set: ``len(h)``, ``for term in h``, ``"dog" in h``.
    """

    _number_of: Optional[dict] = None  # name -> number, computed on first use

    def __init__(self, edges=(), *, columns: Optional[Sequence[str]] = None, nodes: Iterable = (),
                 labels: Optional[Mapping[str, str]] = None, relations=None):
        nodes = list(nodes)
        if isinstance(edges, (str, os.PathLike)):
            raise UsageError(f"edges must be pairs (child, parent), a dict, a DataFrame or a graph; to read a file, use hsel.Hierarchy.read({edges!r})")
        if hasattr(edges, "is_directed"):
            edges, found, own = _graph(edges, relations)
            nodes, labels = [*found, *nodes], own if labels is None else labels
        elif relations is not None:
            raise UsageError("relations are those of the edges of a networkx.DiGraph or MultiDiGraph")
        children, parents, size = _pairs(edges)
        if all(isinstance(term, (int, np.integer)) for term in (*children, *parents, *nodes)):
            self._number(children, parents, nodes, size)
        else:
            self._name(children, parents, nodes)
        if labels and self.names is None:
            raise UsageError("labels are for terms with names, but these are numbers of columns")
        self._set_labels([labels.get(name) for name in self._names] if labels else None)
        self._check()
        self._set_columns(columns)

    def _number(self, children, parents, nodes, size):
        child, parent = (np.asarray(list(side), dtype=np.int64) for side in (children, parents))
        for side in (child, parent, np.asarray(nodes, dtype=np.int64)):
            if side.size and (side.min() < 0 or side.max() >= lib.NONE):
                raise UsageError("a numeric term must be the number of a column, from 0")
            size = max(size, int(side.max()) + 1 if side.size else 0)
        self._names = None
        self._child, self._parent, self._size = child.astype(np.uint32), parent.astype(np.uint32), size

    def _name(self, children, parents, nodes):
        number: dict = {}
        for term in (*children, *parents, *nodes):
            if not isinstance(term, str):
                raise UsageError(f"terms must be all names or all numbers of columns, but {term!r} is among names")
            number.setdefault(term, len(number))
        self._names = tuple(number)
        self._child = np.fromiter((number[term] for term in children), np.uint32, len(children))
        self._parent = np.fromiter((number[term] for term in parents), np.uint32, len(parents))
        self._size = len(number)

    def _check(self):
        """Lets the library build the hierarchy once, which finds cycles and computes depths."""
        loop = np.flatnonzero(self._child == self._parent)
        if loop.size:
            term = self.term(int(self._child[loop[0]]))
            raise CycleError(f"the hierarchy has a cycle: {term} -> {term}")
        self._joined = None if self.names is None else lib.join_names(self.names)
        self._bound = (None, None, None, 0)
        shape = dataset_from_arrays(sp.csr_matrix((0, self._size), dtype=np.uint8), feature_names=self.names)
        bind(shape, self, True)
        self._child, self._parent, self._depth = dag_of(shape)
        for array in (self._child, self._parent, self._depth):
            array.flags.writeable = False

    def _bound_to(self, columns: Optional[bytes], count: int) -> tuple:
        """A data set without instances that has these columns (joined names; None: by number) with the hierarchy over them, and how
        many of them are terms, which gives it their labels. The last one is kept, as the same columns mostly come again; it is read and replaced as a whole,
        since other threads do so too."""
        bound = self._bound
        if bound[:2] != (columns, count):
            shape = dataset_from_arrays(sp.csr_matrix((0, count), dtype=np.uint8), feature_names=columns)
            bound = (columns, count, shape, bind(shape, self, self.names is None))
            labels = texts_of(shape, "label")
            if labels is not None:
                shape.labels = np.array(labels, dtype=object)
                shape.labels.flags.writeable = False
            self._bound = bound
        return bound[2:]

    def __reduce__(self):
        return _unpickled, (self.names, self.columns, self._child, self._parent, self._size, self._labels)

    def __copy__(self) -> "Hierarchy":
        """One that shares everything, as nothing ever changes."""
        copy = self.__class__.__new__(self.__class__)
        copy.__dict__.update(self.__dict__)
        return copy

    def __deepcopy__(self, memo) -> "Hierarchy":
        return self.__copy__()  # what clone() makes

    @classmethod
    def _made(cls, names, child, parent, size, columns, depth=None, labels=None) -> "Hierarchy":
        """From arrays; without `depth` they are not the library's own, and it has to check them."""
        self = cls.__new__(cls)
        self._names = None if names is None else tuple(names)
        self._child, self._parent = (np.ascontiguousarray(side, dtype=np.uint32) for side in (child, parent))
        self._size = size
        self._set_labels(labels)
        if depth is None:
            self._check()
        else:
            self._depth, self._joined, self._bound = depth, lib.join_names(self._names), (None, None, None, 0)
        self._set_columns(columns)
        return self

    def _set_columns(self, names) -> None:
        self._columns = None if names is None else tuple(str(name) for name in names)
        self._joined_columns = None if names is None else lib.join_names(self._columns)

    def _set_labels(self, labels) -> None:
        """Of each term, None: it has none."""
        for label in labels or ():
            if label is not None and not isinstance(label, str):
                raise UsageError(f"a label must be a text, not {label!r}")
        known = labels is not None and any(labels)
        self._labels = tuple(labels) if known else None
        self._joined_labels = lib.join_names([label or "" for label in labels]) if known else None

    @property
    def names(self) -> Optional[tuple]:
        """The terms; None: they are numbers of columns."""
        return self._names

    @property
    def labels(self) -> dict:
        """The labels of the terms that have one."""
        return {name: label for name, label in zip(self.names or (), self._labels or ()) if label}

    @property
    def columns(self) -> Optional[tuple]:
        """The names of the columns of X, when X has none of its own."""
        return self._columns

    def with_columns(self, columns: Optional[Sequence[str]]) -> "Hierarchy":
        """The same hierarchy for a matrix whose columns have these names."""
        other = self.__copy__()
        other._set_columns(columns)
        return other

    @classmethod
    def read(cls, path, **options) -> "Hierarchy":
        """From a file: OBO, an edge list, RDF …; options as of `hsel.read`, e.g. ``namespaces="BP"``, ``cycles="drop"``."""
        from ._data import Dataset
        shape = Dataset(new_dataset("hsel_dataset_read", lib.path(path), option_text(options) or None))
        if shape.hierarchy is None:
            raise FormatError(f"{os.fspath(path)}: the file has no hierarchy", file=os.fspath(path))
        return shape.hierarchy.with_columns(None)

    # ---- looking at it ----

    def __len__(self) -> int:
        return self._size

    def __iter__(self):
        """Over the terms."""
        return iter(range(self._size) if self.names is None else self.names)

    def __contains__(self, term) -> bool:
        try:
            self._find(term)
        except KeyError:
            return False
        return True

    def __bool__(self) -> bool:
        return True  # also without terms

    @property
    def n_edges(self) -> int:
        return len(self._child)

    @property
    def depth(self) -> int:
        """The longest path from a root, in edges."""
        return int(self._depth.max()) if self._size else 0

    def depth_of(self, term) -> int:
        """The longest path from a root to the term, in edges."""
        return int(self._depth[self._find(term)])

    @property
    def roots(self) -> list:
        """Terms with children but without parents."""
        return self._terms(np.setdiff1d(self._parent, self._child))

    @property
    def leaves(self) -> list:
        """Terms with parents but without children."""
        return self._terms(np.setdiff1d(self._child, self._parent))

    def term(self, number: int):
        """The name of a term, or its number if terms are numbers."""
        return number if self.names is None else self.names[number]

    def _terms(self, numbers) -> list:
        return [self.term(int(i)) for i in numbers]

    def edges(self) -> list:
        """All (child, parent) pairs."""
        return list(zip(self._terms(self._child), self._terms(self._parent)))

    def parents(self, term) -> list:
        return self._terms(self._parent[self._child == self._find(term)])

    def children(self, term) -> list:
        return self._terms(self._child[self._parent == self._find(term)])

    def ancestors(self, term) -> list:
        """All terms above, in the order of their numbers."""
        return self._reach(term, self._child, self._parent)

    def descendants(self, term) -> list:
        return self._reach(term, self._parent, self._child)

    def _reach(self, term, source, target) -> list:
        seen = np.zeros(self._size, bool)
        fresh = np.array([self._find(term)])
        while fresh.size:
            found = np.unique(target[np.isin(source, fresh)])
            fresh = found[~seen[found]]
            seen[fresh] = True
        return self._terms(np.flatnonzero(seen))

    def subset(self, terms: Iterable, *, ancestors: bool = True) -> "Hierarchy":
        """The hierarchy of these terms and all their ancestors; without `ancestors`, only of these, each below its nearest ancestors among them."""
        keep = np.zeros(self._size, bool)
        keep[[self._find(term) for term in terms]] = True
        order = np.argsort(self._depth, kind="stable")
        start = np.searchsorted(self._child, np.arange(self._size + 1))
        pairs = []
        if ancestors:
            for node in order[::-1]:
                if keep[node]:
                    keep[self._parent[start[node]:start[node + 1]]] = True
            pairs = [(c, p) for c, p in zip(self._child.tolist(), self._parent.tolist()) if keep[c]]
        else:
            above: list = [frozenset()] * self._size  # the nearest kept terms above a term
            for node in order:
                found: set = set()
                for parent in self._parent[start[node]:start[node + 1]]:
                    found |= {int(parent)} if keep[parent] else above[parent]
                above[node] = frozenset(found)
            kept = [int(node) for node in order if keep[node]]
            higher: dict = {}  # all kept terms above a kept term
            for node in kept:
                higher[node] = above[node].union(*(higher[parent] for parent in above[node]))
            pairs = [(node, parent) for node in sorted(kept) for parent in sorted(above[node])
                     if not any(parent in higher[other] for other in above[node])]
        terms = self._terms(np.flatnonzero(keep))
        labels = self.labels
        if self.names is None:
            number = {old: new for new, old in enumerate(terms)}
            return Hierarchy([(number[c], number[p]) for c, p in pairs], nodes=range(len(terms)))
        return Hierarchy([(self.names[c], self.names[p]) for c, p in pairs], nodes=terms, labels={term: labels[term] for term in terms if term in labels})

    def similarity(self, first, second, X=None, *, by: str = "lin"):
        """Semantic similarity of two terms, or of each pair of two lists, by the information on their common ancestors.

        `by` is lin, resnik or jiang-conrath. Resnik's similarity is in bits, the others are from 0 to 1. The information comes from the
        instances of X, which has the columns of the hierarchy. Without X, it comes from the hierarchy: the fewer terms are below a term, the
        more information it has."""
        from ._base import checked_matrix, named_dataset
        from ._evaluate import _similarity
        names = None if self.names is None else list(self.names)
        if X is None:
            X = propagate(sp.identity(self._size, dtype=np.uint8, format="csr"), self.with_columns(names))
        elif hasattr(X, "columns"):
            names = [str(column) for column in X.columns]
        elif names is not None:
            names = None if self.columns is None else list(self.columns)
        data = named_dataset(checked_matrix(X), names, self)
        number = {name: i for i, name in enumerate(range(data.features) if names is None or self.names is None else names)}
        one = isinstance(first, (str, int, np.integer)) and isinstance(second, (str, int, np.integer))
        found = _similarity(data, number, [first] if one else first, [second] if one else second, by)
        return float(found[0]) if one else found

    def _find(self, term) -> int:
        if self.names is None and isinstance(term, (int, np.integer)) and not isinstance(term, bool) and 0 <= term < self._size:
            return int(term)
        if self.names is not None and isinstance(term, str):
            if self._number_of is None:
                self._number_of = {name: number for number, name in enumerate(self.names)}
            if term in self._number_of:
                return self._number_of[term]
        raise KeyError(f"{term!r} is not a term of the hierarchy")

    def to_networkx(self):
        """A networkx.DiGraph with edges from child to parent; labels are the attribute `name` of nodes."""
        import networkx
        graph, labels = networkx.DiGraph(), self.labels
        graph.add_nodes_from((term, {"name": labels[term]} if term in labels else {}) for term in self)
        graph.add_edges_from(self.edges())
        return graph

    def _drawing(self, form: str, terms: Optional[Iterable] = None, title: str = "", *, nodes: int = NODES) -> str:
        if self.names is None:
            shape = dataset_from_arrays(sp.csr_matrix((0, self._size), dtype=np.uint8), feature_names=[str(i) for i in range(self._size)])
            bind(shape, self, True)
        else:
            shape = self._bound_to(self._joined, self._size)[0]
        keep = None
        if terms is not None:
            keep = np.zeros(self._size, bool)
            keep[[self._find(term) for term in terms]] = True
        return draw_features(shape, form, keep, None, title, "", nodes)

    def plot(self, terms: Optional[Iterable] = None, title: str = "", nodes: int = NODES) -> Picture:
        """A drawing of the hierarchy, or of the part above some terms, for Graphviz; a notebook shows it.

        It has at most `nodes` nodes (0: all): a chain becomes one node, and if there are too many terms, the upper ones are drawn."""
        return self.to_dot(terms, title, nodes=nodes)

    def _repr_html_(self) -> str:
        """Notebook output: the upper part, or without Graphviz the roots."""
        svg = self.plot(title=repr(self))._repr_svg_()
        labels = self.labels
        return svg or html_table(["root", "label"], [(root, labels.get(root, "")) for root in self.roots[:10]], repr(self))

    def __repr__(self) -> str:
        kind = "columns by number" if self.names is None else "names"
        labels = self.labels
        first = ", ".join(labels.get(root) or str(root) for root in self.roots[:3]) + (", …" if len(self.roots) > 3 else "")
        return f"Hierarchy({self._size:,} terms ({kind}), {self.n_edges:,} edges, depth {self.depth}, " \
               f"{len(self.roots):,} {'root' if len(self.roots) == 1 else 'roots'}: {first})"

    def __eq__(self, other) -> bool:
        return isinstance(other, Hierarchy) and self.names == other.names and self.columns == other.columns and \
            self._size == other._size and np.array_equal(self._child, other._child) and \
            np.array_equal(self._parent, other._parent)

    __hash__ = None  # type: ignore[assignment]


def _graph(graph, relations) -> tuple:
    """Edges, nodes and labels of a graph of networkx."""
    if not graph.is_directed():
        raise UsageError("the graph is undirected, so the child of an edge is unknown: give a networkx.DiGraph with edges from "
                         "child to parent")
    found = []
    for child, parent, *key, about in graph.edges(data=True, **({"keys": True} if graph.is_multigraph() else {})):
        relation = key[0] if key and isinstance(key[0], str) else about.get("relation")
        found.append((child, parent, None if relation is None else str(relation)))
    counts = Counter(relation for *_, relation in found if relation is not None)
    wanted = ["is_a"] if relations is None else [relations] if isinstance(relations, str) else list(relations)
    taken = {relation for relation in counts if _plain(relation) in map(_plain, wanted)}
    listed = ", ".join(f"{relation} ({count:,})" for relation, count in counts.most_common() if relation not in taken)
    missing = [each for each in wanted if _plain(each) not in map(_plain, taken)]
    if missing and (relations is not None or (counts and not taken)):
        raise UsageError(f"no edge of the graph has the relation {missing[0]}; choose by relations= from: {listed or 'none'}")
    if listed:
        warnings.warn(f"edges of other relations than {', '.join(wanted)} are left out: {listed}; choose by relations=", stacklevel=3)
    labels = {node: about.get("name", about.get("label")) for node, about in graph.nodes(data=True) if isinstance(node, str)}
    return [(child, parent) for child, parent, relation in found if relation is None or relation in taken], list(graph.nodes), \
        {node: label for node, label in labels.items() if isinstance(label, str)}


def _plain(relation: str) -> str:
    """is_a, IS-A and isa are the same."""
    return re.sub("[^a-z]", "", str(relation).lower())


def _pairs(edges):
    """Children, parents, and the number of terms that is known to be needed."""
    if sp.issparse(edges):
        if edges.shape[0] != edges.shape[1]:
            raise UsageError(f"an adjacency matrix must be square, not {edges.shape[0]} x {edges.shape[1]}")
        matrix = edges.tocoo()
        used = matrix.data != 0
        return matrix.row[used].tolist(), matrix.col[used].tolist(), edges.shape[0]
    if isinstance(edges, np.ndarray) and edges.ndim == 2 and edges.shape[1] == 2:
        return edges[:, 0].tolist(), edges[:, 1].tolist(), 0
    if hasattr(edges, "columns") and hasattr(edges, "iloc"):  # a DataFrame, which iterates over the names of its columns
        named = [str(name).lower() for name in edges.columns]
        if len(named) != 2:
            raise UsageError(f"a frame of edges must have two columns, child and parent, not {len(named)}")
        child = named.index("child") if sorted(named) == ["child", "parent"] else 0
        return edges.iloc[:, child].tolist(), edges.iloc[:, 1 - child].tolist(), 0
    if isinstance(edges, dict):
        edges = [(child, parent) for child, parents in edges.items()
                 for parent in ([parents] if isinstance(parents, (str, int)) else parents)]
    pairs = [pair if isinstance(pair, str) else tuple(pair) for pair in edges]
    if any(len(pair) != 2 or isinstance(pair, str) for pair in pairs):
        raise UsageError("an edge must be a pair (child, parent)")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs], 0


def _unpickled(names, columns, child, parent, size, labels=None) -> Hierarchy:
    """The content of a pickle, checked again since it may have been edited."""
    size = lib.whole("the number of terms", size, 0, lib.NONE - 1)
    child, parent = np.asarray(child), np.asarray(parent)
    if child.shape != parent.shape or child.ndim != 1 or (names is not None and len(names) != size) or \
            (labels is not None and (names is None or len(labels) != size)) or \
            any(side.dtype.kind not in "iu" or (side.size and not 0 <= side.min() <= side.max() < size) for side in (child, parent)):
        raise FormatError("the pickle of a hierarchy is damaged")
    return Hierarchy._made(names, child, parent, size, columns, labels=labels)


def _ones_where_positive(X, names):
    """X with 1 for positive numbers; what is neither 0 nor positive is refused."""
    X = _canonical(X) if sp.issparse(X) else X
    values = X.data if sp.issparse(X) else X
    wrong = ~(values >= 0)  # NaN too
    if wrong.any():
        cells = X.tocoo() if sp.issparse(X) else None
        row, column = (cells.row[wrong][0], cells.col[wrong][0]) if sp.issparse(X) else np.argwhere(wrong)[0]
        raise FormatError(f"row {row} of X has {values[wrong][0]} in column {column if names is None else names[column]!r}: "
                          "hsel.propagate wants 0 where a feature is negative and any positive number where it is positive")
    ones = (values > 0).astype(np.uint8)
    return type(X)((ones, X.indices, X.indptr), shape=X.shape) if sp.issparse(X) else ones


def propagate(X, hierarchy: Hierarchy, *, sparse: bool = False):
    """X in which the ancestors of positive features are positive, as methods on a hierarchy require.

    Any positive number, such as a count, is positive; negative numbers and NaN are refused. Returns a CSR matrix of 0 and 1
    (uint8); of a DataFrame, whose names are used and kept, a DataFrame (`sparse`: with pandas' sparse columns).
    """
    from ._base import checked_matrix, named_dataset
    if hierarchy is None:
        raise UsageError("hierarchy must be an hsel.Hierarchy, not None")
    bound = as_hierarchy(hierarchy)
    names = [str(c) for c in X.columns] if hasattr(X, "columns") else None
    matrix = _ones_where_positive(checked_matrix(X, True), names)
    handle = named_dataset(matrix, names, bound)
    out, added = ctypes.c_void_p(), ctypes.c_uint64()
    lib.call("hsel_dataset_propagate", handle, ctypes.byref(out), ctypes.byref(added))
    result = rows_of(Handle(out.value, lib.library.hsel_dataset_free))
    return result if names is None else frame_of(result, X.index, X.columns, sparse)
