#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package beside scikit-learn, on the same arrays in one run: bench/python_compare.py [--runs N] [--update]

Tables: times of both, in turn; hfs beside hsel, if the folder HSEL_HFS has it; what a call for one row costs; how much of a call's time is spent
outside the library; memory for ten million positive values. The data are CE-BP of the RPV paper (HSEL_DATA), or made-up ones of its size. --update writes them into bench/RESULTS.md.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = pathlib.Path(os.environ.get("HSEL_DATA") or ROOT / "data")
os.environ.setdefault("HSEL_LIBRARY", str(ROOT / "build" / "release" / "libhsel.so"))
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "python"))
import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402

TITLE = "## The Python package beside scikit-learn"
CALLS = "## What a call costs in Python, and hfs"


def load():
    import hsel
    path = DATA / "rpv" / "CE-BP"
    if path.exists():
        return hsel.read(path, drop_roots=True), "CE-BP, worm genes"
    return hsel.generate("ontology:instances=657,features=991,depth=12,positives=45"), "made up in the size of CE-BP"


def seconds(text):
    return f"{text * 1e6:.0f} µs" if text < 1e-3 else f"{text * 1e3:.2f} ms" if text < 1 else f"{text:.2f} s"


def in_turn(functions, runs):
    """Best and median processor times of functions that are run in turn, so that whatever else the machine does meets them alike."""
    times = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(runs):
        for function, mine in zip(functions, times):
            start = time.process_time()
            function()
            mine.append(time.process_time() - start)
    return [(min(mine), statistics.median(mine)) for mine in times]


# ---- beside scikit-learn ----

def cases(data):
    import hsel
    from sklearn.feature_selection import chi2, mutual_info_classif
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.neighbors import KNeighborsClassifier
    X, y, dense = data.X, data.y, data.X.toarray()
    single = X.astype(np.float64)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    return [
        ("naive Bayes, 10 folds, CSR",
         [("hsel.cross_validate", lambda: hsel.cross_validate(X, y, classifier="nb", cv=folds)),
          ("cross_val_score of hsel.Nb", lambda: cross_val_score(hsel.Nb(), X, y, cv=folds)),
          ("cross_val_score of BernoulliNB", lambda: cross_val_score(BernoulliNB(), X, y, cv=folds))]),
        ("naive Bayes, 10 folds, dense",
         [("hsel.cross_validate", lambda: hsel.cross_validate(dense, y, classifier="nb", cv=folds)),
          ("cross_val_score of hsel.Nb", lambda: cross_val_score(hsel.Nb(), dense, y, cv=folds)),
          ("cross_val_score of BernoulliNB", lambda: cross_val_score(BernoulliNB(), dense, y, cv=folds))]),
        ("1-NN, 10 folds",
         [("hsel.cross_validate", lambda: hsel.cross_validate(X, y, classifier="knn", cv=folds)),
          ("cross_val_score of hsel.Knn", lambda: cross_val_score(hsel.Knn(), X, y, cv=folds)),
          ("cross_val_score of KNeighborsClassifier, brute force, CSR",
           lambda: cross_val_score(KNeighborsClassifier(1, algorithm="brute"), single, y, cv=folds)),
          ("the same, its own choice, dense", lambda: cross_val_score(KNeighborsClassifier(1), dense, y, cv=folds))]),
        ("chi-squared of every feature",
         [("hsel.rankers.Chi2", lambda: hsel.rankers.Chi2().fit(X, y)), ("feature_selection.chi2", lambda: chi2(X, y))]),
        ("mutual information of every feature",
         [("hsel.rankers.Ig", lambda: hsel.rankers.Ig().fit(X, y)),
          ("mutual_info_classif, discrete", lambda: mutual_info_classif(X, y, discrete_features=True))]),
    ]


def times_table(data, name, runs):
    lines = [f"Processor time, best and median of {runs} runs in turn, one thread; {name}: {data.X.shape[0]} x {data.X.shape[1]}, "
             f"{data.X.nnz:,} positive values.", "", "| case | program | best | median | times hsel |", "|---|---|---:|---:|---:|"]
    for title, programs in cases(data):
        results = in_turn([function for _, function in programs], runs)
        for i, ((program, _), (best, median)) in enumerate(zip(programs, results)):
            share = "" if i == 0 else f"{best / results[0][0]:.1f}"
            lines.append(f"| {title if i == 0 else ''} | {program} | {seconds(best)} | {seconds(median)} | {share} |")
    return lines


# ---- beside hfs ----

def hfs_table(data, runs):
    """Selectors that both have, on a part of the data: hfs (github.com/sm1lla/hfs) from the folder HSEL_HFS, as its examples use it."""
    folder = os.environ.get("HSEL_HFS")
    if not folder:
        return ["hfs was not measured: HSEL_HFS names no folder that has it."]
    import types
    import warnings
    import hsel
    from scipy.sparse import csr_matrix
    from sklearn.naive_bayes import BernoulliNB
    sys.path.insert(0, folder)
    for name in ("kgextension", "kgextension.generator", "info_gain", "info_gain.info_gain", "pyitlib"):  # which Debian does not have; what calls them fails
        module = sys.modules[name] = types.ModuleType(name)
        module.__getattr__ = lambda wanted: lambda *arguments: (_ for _ in ()).throw(ImportError(wanted))
    warnings.simplefilter("ignore")
    from hfs.gtd import GreedyTopDownSelector
    from hfs.hip import HIP
    from hfs.shsel import SHSELSelector
    from hfs.tsel import TSELSelector
    X, y, h = data.X.toarray().astype(int), data.y, data.hierarchy
    place = {name: i for i, name in enumerate(data.feature_names)}
    edges = [(place[parent], place[child]) for child, parent in h.edges()]
    graph = csr_matrix((np.ones(len(edges)), tuple(np.transpose(edges))), shape=(len(place), len(place))).toarray()
    train, test = np.arange(len(y)) % 10 != 0, np.arange(len(y)) % 10 == 0
    columns = list(range(len(place)))

    def theirs_lazy():
        model = HIP(graph)
        model.fit_selector(X[train], y[train], X[test], columns)
        return model.select_and_predict(predict=True, saveFeatures=True, estimator=BernoulliNB()), model._features

    def ours_lazy():
        model = hsel.SelectThenPredict(hsel.Hip(hierarchy=h), hsel.Nb()).fit(data.X[train], y[train])
        return model.predict(data.X[test]), model.select(data.X[test]).toarray()

    def eager(selector, **arguments):
        return selector.fit(X[train], y[train], **arguments).get_support()

    cases = [("HIP and naive Bayes, a tenth of the instances", ours_lazy, theirs_lazy),
             ("SHSEL", lambda: eager(hsel.Shsel(hierarchy=h)), lambda: eager(SHSELSelector(graph), columns=columns)),
             ("TSEL", lambda: eager(hsel.Tsel(hierarchy=h)), lambda: eager(TSELSelector(graph), columns=columns)),
             ("greedy top-down", lambda: eager(hsel.Gtd(hierarchy=h)), lambda: eager(GreedyTopDownSelector(graph), columns=columns))]
    lines = [f"hfs beside hsel, processor time of the whole call, best of {runs} runs in turn (hfs once where it takes longer than 2 s). Defaults of both, which differ: "
             "the last column says of how many features both say the same.", "", "| method | hsel | hfs | times hsel | same |", "|---|---:|---:|---:|---:|"]
    for title, ours, theirs in cases:
        start = time.process_time()
        try:
            found = theirs()
        except Exception as problem:  # of hfs, on data that it was not made for
            lines.append(f"| {title} | {seconds(in_turn([ours], runs)[0][0])} | fails: {type(problem).__name__}: {problem} | | |")
            continue
        once = time.process_time() - start
        best = [(once, once)] if once > 2 else in_turn([theirs], runs)
        own, masks = in_turn([ours], runs)[0][0], (ours(), found)
        one, other = (np.asarray(mask[1] if isinstance(mask, tuple) else mask).astype(bool) for mask in masks)
        lines.append(f"| {title} | {seconds(own)} | {seconds(best[0][0])} | {best[0][0] / own:,.0f} | {100 * (one == other).mean():.1f} % |")
    return lines


# ---- overhead ----

MAKING = ("hsel_dataset_from_arrays", "hsel_dataset_set_hierarchy")  # a data set of arrays


class Timed:
    """The library with a stopwatch around it. What it takes itself does not count as outside."""

    def __init__(self, library):
        self.library, self.cost = library, 0.0
        self.functions = {}
        self.begin()
        for _ in range(2000):
            self.hsel_interface()
        outside = self.end()[2]
        start = time.thread_time()
        for _ in range(2000):
            pass
        self.cost = max(0.0, outside - (time.thread_time() - start)) / 2000

    def begin(self):
        self.spent, self.making, self.calls, self.start = 0.0, 0.0, 0, time.thread_time()

    def end(self):
        """Time in the library, that of it for making data sets of arrays, and time outside."""
        return self.spent, self.making, time.thread_time() - self.start - self.spent - self.calls * self.cost

    def __getattr__(self, name):
        if name not in self.functions:
            function = getattr(self.library, name)

            def run(*arguments):
                start = time.thread_time()
                try:
                    return function(*arguments)
                finally:
                    taken = time.thread_time() - start
                    self.spent += taken
                    self.calls += 1
                    if name in MAKING:
                        self.making += taken
            self.functions[name] = run
        return self.functions[name]


def overhead_table(data, runs):
    import hsel
    from hsel import _library
    X, y, h = data.X, data.y, data.hierarchy
    fitted = hsel.SelectThenPredict("rpv", "nb", hierarchy=h).fit(X, y)
    knn = hsel.Knn().fit(X, y)
    calls = [("cross_validate, a Dataset", f"{s} + {c}", lambda s=s, c=c: hsel.cross_validate(data, selector=s, classifier=c))
             for s, c in (("none", "nb"), ("rpv", "nb"), ("hip", "nb"), ("mr", "nb"), ("shsel", "nb"), ("none", "knn"),
                          ("relieff", "nb"))]
    calls += [("cross_validate, X and y", "rpv + nb", lambda: hsel.cross_validate(X, y, selector="rpv", hierarchy=h)),
              ("fit", "SelectThenPredict, rpv + nb", lambda: hsel.SelectThenPredict("rpv", "nb", hierarchy=h).fit(X, y)),
              ("predict", "SelectThenPredict, rpv + nb", lambda: fitted.predict(X)), ("predict", "Knn", lambda: knn.predict(X)),
              ("fit", "Nb", lambda: hsel.Nb().fit(X, y)), ("fit", "Knn", lambda: hsel.Knn().fit(X, y)),
              ("fit", "Forest", lambda: hsel.Forest().fit(X, y)), ("fit", "Cfs", lambda: hsel.Cfs().fit(X, y)), ("fit", "Relieff", lambda: hsel.Relieff().fit(X, y))]
    lines = ["| call | with | in the library | of it, taking X over | outside | outside / in the library |",
             "|---|---|---:|---:|---:|---:|"]
    real, timed = _library.library, Timed(_library.library)
    _library.library = timed
    try:
        for call, what, function in calls:
            measured = []
            for _ in range(runs + 1):
                timed.begin()
                function()
                measured.append(timed.end())
            inside, making, outside = (min(times) for times in zip(*measured))
            lines.append(f"| {call} | {what} | {seconds(inside)} | {seconds(making) if making else ''} | {seconds(outside)} | "
                         f"{100 * outside / inside:.1f} % |")
    finally:
        _library.library = real
    return lines


def small_calls(runs):
    """Calls with as little to do as there is: all that they take, and that of it in the library."""
    import hsel
    from hsel import _library
    from sklearn.naive_bayes import BernoulliNB
    data = hsel.generate("ontology:instances=50,features=20,depth=4,positives=5", random_state=3)
    X, y = data.X.toarray().astype(float), data.y
    row, sparse_row = X[:1].copy(), data.X[:1]
    nb, theirs = hsel.Nb().fit(X, y), BernoulliNB().fit(X, y)
    both = hsel.SelectThenPredict("hip", "nb", hierarchy=data.hierarchy).fit(X, y)
    calls = [("hsel.Nb, predict", lambda: nb.predict(row)), ("the same, CSR", lambda: nb.predict(sparse_row)), ("hsel.SelectThenPredict, hip + nb, predict", lambda: both.predict(row)),
             ("the same, select", lambda: both.select(row)), ("hsel.rankers.Ig, fit of 50 x 20", lambda: hsel.rankers.Ig().fit(X, y)),
             ("hsel.Nb, fit of 50 x 20", lambda: hsel.Nb().fit(X, y)), ("BernoulliNB, predict", lambda: theirs.predict(row))]
    lines = ["What one call costs, of one row where not said otherwise: processor time of the whole call, best of many; that in the library is measured apart.", "",
             "| call | whole | in the library | outside |", "|---|---:|---:|---:|"]
    times = []
    for _, function in calls:
        best = float("inf")
        for _ in range(runs):
            start = time.thread_time()
            for _ in range(100):
                function()
            best = min(best, (time.thread_time() - start) / 100)
        times.append(best)
    real, timed = _library.library, Timed(_library.library)
    _library.library = timed
    try:
        for (title, function), whole in zip(calls, times):
            inside = float("inf")
            for _ in range(20 * runs):
                timed.begin()
                function()
                inside = min(inside, timed.end()[0])
            inside = 0 if title.startswith("Bernoulli") else inside
            lines.append(f"| {title} | {seconds(whole)} | {seconds(inside) if inside else ''} | {seconds(whole - inside)} |")
    finally:
        _library.library = real
    return lines


def checks_line(data, runs):
    """What scikit-learn's own checks of the same arrays take."""
    from sklearn.utils import check_array, check_X_y
    X, y = data.X, data.y
    both, alone = in_turn([lambda: check_X_y(X, y, accept_sparse=("csr", "csc")),
                           lambda: check_array(X, accept_sparse=("csr", "csc"))], runs)
    return f"scikit-learn's own checks of these arrays (`check_X_y`, `check_array`) take {seconds(both[0])} for X and y, and " \
           f"{seconds(alone[0])} for X. A plain array or CSR/CSC matrix of numbers, which they would hand back as it is, is not " \
           "sent through them; a DataFrame, a list, or anything that is not as it should be, is."


# ---- memory ----

def peak():
    """Most memory that this process ever had, in MB."""
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) / 1024


def current():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def large(n=100_000, d=50_000, row=100):
    """100,000 x 50,000 with 100 positive values a row: 10 million."""
    rng = np.random.RandomState(1)
    indices = np.sort(rng.randint(0, d // row, size=(n, row), dtype=np.int32) + np.arange(row, dtype=np.int32) * (d // row),
                      axis=1)
    X = sp.csr_matrix((n, d), dtype=np.uint8)
    X.indices, X.indptr = indices.ravel(), np.arange(0, n * row + 1, row, dtype=np.int32)
    X.data = np.ones(n * row, np.uint8)
    X.has_sorted_indices = X.has_canonical_format = True
    return X, np.arange(n) % 2


def memory_of(case):
    """In a process of its own: MB of X, and how much more the call needed at its peak."""
    import hsel
    X, y = large()
    small = X[:1000], y[:1000]
    model = hsel.Nb().fit(*small)
    hsel.rankers.Ig().fit(*small)
    theirs = None
    if case == "BernoulliNB.fit":
        from sklearn.naive_bayes import BernoulliNB
        theirs = BernoulliNB().fit(*small)
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")  # the peak starts anew
    before = current()
    start = time.perf_counter()
    {"rankers.Ig().fit": lambda: hsel.rankers.Ig().fit(X, y), "Nb().fit": lambda: hsel.Nb().fit(X, y),
     "Nb.predict": lambda: model.predict(X), "cross_validate, nb": lambda: hsel.cross_validate(X, y, classifier="nb"),
     "BernoulliNB.fit": lambda: theirs.fit(X, y)}[case]()
    taken = time.perf_counter() - start
    size = (X.indices.nbytes + X.indptr.nbytes + X.data.nbytes) / 2**20
    print(f"{size:.0f} {peak() - before:.0f} {taken:.6f}")


def memory_table():
    lines = ["| call | X | more at the peak | times X | time |", "|---|---:|---:|---:|---:|"]
    for case in ("rankers.Ig().fit", "Nb.predict", "cross_validate, nb", "Nb().fit", "BernoulliNB.fit"):
        done = subprocess.run([sys.executable, __file__, "--memory", case], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        size, more, taken = map(float, done.stdout.split())
        lines.append(f"| {case} | {size:.0f} MB | {more:.0f} MB | {more / size:.1f} | {seconds(taken)} |")
    return lines


# ---- all together ----

def versions():
    import platform
    import sklearn
    import hsel
    return f"hsel {hsel.__version__}, scikit-learn {sklearn.__version__}, NumPy {np.__version__}, Python {platform.python_version()}; " \
           f"load when started {os.getloadavg()[0]:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--update", action="store_true", help="write the tables into bench/RESULTS.md")
    parser.add_argument("--calls", action="store_true", help="only what a call costs, and hfs beside hsel, which have a part of their own")
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        return memory_of(options.memory)
    data, name = load()
    if options.calls:
        lines = [CALLS, "", "Written by `bench/python_compare.py --calls --update`. " + versions() + ".", ""]
        return tell(lines + small_calls(20 * options.runs) + [""] + hfs_table(data, max(1, options.runs // 5)), CALLS, options.update)
    lines = [TITLE, "", "Written by `bench/python_compare.py --update`. " + versions() + ".", ""]
    lines += times_table(data, name, options.runs)
    lines += ["", "How much of a call's time is not the library's: processor time, the best run of each part, less what the stopwatch takes. The calls that "
              "are above 5 % are those that learn in less than 0.3 ms, where a few dozen lines of Python count.", ""]
    lines += overhead_table(data, 4 * options.runs)
    lines += ["", checks_line(data, 20 * options.runs)]
    lines += ["", "Ten million positive values in a CSR matrix (100,000 x 50,000, int32 indices, uint8 values): memory beyond X itself. The library has two "
              "copies: lists by instance, and by feature.", ""]
    lines += memory_table()
    return tell(lines, TITLE, options.update)


def tell(lines, title, update):
    """Prints a part of bench/RESULTS.md, or puts it there."""
    text = "\n".join(lines) + "\n"
    if not update:
        print(text)
        return
    path = HERE / "RESULTS.md"
    old = path.read_text()
    found = re.search(r"^%s$.*?(?=^## |\Z)" % re.escape(title), old, re.S | re.M)
    path.write_text(old[:found.start()] + text + "\n" * bool(old[found.end():]) + old[found.end():] if found
                    else old.rstrip("\n") + "\n\n" + text)


if __name__ == "__main__":
    main()
