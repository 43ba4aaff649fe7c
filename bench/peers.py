#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What other tools do with the same files, one function a peer: peers.py NAME FILE.

Each prints the processor's seconds of its work alone (reading, where that is what is compared), without the start of the interpreter
and its imports, as `alone SECONDS` on the last line: bench/run compares hsel's whole command with that, which favours the peer.
"""
import sys
import time


def sklearn_svmlight(path):
    from sklearn.datasets import load_svmlight_file
    yield
    load_svmlight_file(path)


def scipy_arff(path):
    from scipy.io import arff
    yield
    arff.loadarff(path)


def pandas_csv(path):
    import pandas
    yield
    pandas.read_csv(path)


def scipy_mtx(path):
    from scipy.io import mmread
    yield
    mmread(path).tocsr()


def networkx_edges(path):
    import networkx
    yield
    graph = networkx.read_edgelist(path, create_using=networkx.DiGraph, delimiter="\t")
    if not networkx.is_directed_acyclic_graph(graph):
        sys.exit("there is a cycle")


def python_obo(path):
    """The least that reads a hierarchy: terms and their is_a lines, nothing checked."""
    yield
    parents, term = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("["):
                term = None
            elif line.startswith("id: "):
                term = line[4:].rstrip("\n")
                parents[term] = []
            elif line.startswith("is_a: ") and term:
                parents[term].append(line[6:].split(" ", 1)[0].rstrip("\n"))


def support_vectors(path, **options):
    """10-fold cross-validation with scikit-learn's SVC; reading is not part of what is timed. Sparse rows: five times as fast on these data as
    dense ones."""
    import warnings
    from sklearn.datasets import load_svmlight_file
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC
    warnings.simplefilter("ignore")
    rows, label = load_svmlight_file(path)
    yield
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(rows, label):
        SVC(cache_size=256, **options).fit(rows[train], label[train]).predict(rows[test])


def sparse_folds(path, make, fit_only=False):
    """One of scikit-learn's classifiers on sparse rows, fitted to all, or in 10-fold cross-validation; reading is not part of what is timed."""
    import warnings
    from sklearn.datasets import load_svmlight_file
    from sklearn.model_selection import StratifiedKFold
    warnings.simplefilter("ignore")
    rows, label = load_svmlight_file(path)
    make()
    yield
    if fit_only:
        make().fit(rows, label)
        return
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(rows, label):
        learned = make().fit(rows[train], label[train])
        (getattr(learned, "decision_function", None) or learned.predict_proba)(rows[test])


def linear_machine():
    from sklearn.svm import LinearSVC
    return LinearSVC(random_state=1)


def sklearn_linear_fit(path):
    return sparse_folds(path, linear_machine, fit_only=True)


def sklearn_linear_folds(path):
    return sparse_folds(path, linear_machine)


def sklearn_nb_folds(path):
    def make():
        from sklearn.naive_bayes import BernoulliNB
        return BernoulliNB()
    return sparse_folds(path, make)


def sklearn_svc_linear(path):
    return support_vectors(path, kernel="linear", C=1)


def sklearn_svc_rbf(path):
    return support_vectors(path, kernel="rbf", C=8, gamma=0.0078125)


def arff_matrix(path):
    """Binary features as 0 and 1, and the class, from a dense or sparse ARFF file whose last attribute is the class."""
    import numpy
    count, rows, labels = 0, [], []
    lines = iter(open(path, encoding="utf-8").read().splitlines())
    for line in lines:
        count += line.lower().startswith("@attribute")
        if line.lower() == "@data":
            break
    for line in lines:
        cells = ["0"] * count
        if line.startswith("{"):
            for cell in line[1:-1].split(","):
                index, value = cell.split(" ", 1)
                cells[int(index)] = value
        elif line:
            cells = line.split(",")
        rows.append(numpy.array(cells[:-1], dtype=numpy.float32))
        labels.append(cells[-1])
    return numpy.array(rows), numpy.array(labels)


def sklearn_folds(path, classifier):
    """10-fold cross-validation; reading the file does not count."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    features, labels = arff_matrix(path)
    yield
    cross_val_score(classifier(features.shape[1]), features, labels, cv=StratifiedKFold(10, shuffle=True, random_state=1))


def sklearn_forest(path):
    """As many trees and features a node as WEKA's defaults, by entropy as WEKA's trees."""
    from sklearn.ensemble import RandomForestClassifier
    return sklearn_folds(path, lambda count: RandomForestClassifier(
        100, criterion="entropy", max_features=count.bit_length(), n_jobs=1, random_state=1))


def sklearn_tree(path):
    """Grown in full, not pruned."""
    from sklearn.tree import DecisionTreeClassifier
    return sklearn_folds(path, lambda count: DecisionTreeClassifier(criterion="entropy", random_state=1))


def sparse_rows(path):
    """A Matrix Market file that hsel wrote, and the classes beside it."""
    import numpy
    from scipy.io import mmread
    with open(path.removesuffix(".mtx") + ".classes.txt", encoding="utf-8") as lines:
        labels = numpy.array(lines.read().split("\n")[:-1])
    return mmread(path).tocsr().astype(numpy.float32), labels


def forest_of(rows):
    from sklearn.ensemble import RandomForestClassifier
    return RandomForestClassifier(100, criterion="entropy", max_features=rows.shape[1].bit_length(), n_jobs=1, random_state=1)


def sklearn_forest_fit(path):
    rows, labels = sparse_rows(path)
    forest = forest_of(rows)
    yield
    forest.fit(rows, labels)


def sklearn_forest_predict(path):
    rows, labels = sparse_rows(path)
    forest = forest_of(rows).fit(rows, labels)
    yield
    forest.predict_proba(rows)


def sklearn_tree_fit(path):
    from sklearn.tree import DecisionTreeClassifier
    rows, labels = sparse_rows(path)
    yield
    DecisionTreeClassifier(criterion="entropy", random_state=1).fit(rows, labels)


def main():
    peer = globals()[sys.argv[1]](sys.argv[2])
    next(peer)  # imports
    start = time.process_time()
    next(peer, None)
    print(f"alone {time.process_time() - start:.6f}")


if __name__ == "__main__":
    main()
