#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package beside scikit-learn, on the same arrays in one run: bench/python_compare.py [--runs N] [--update]

Three tables: times of both, in turn; how much of a call's time is spent outside the library; memory for ten million positive
values. The data are CE-BP of the RPV paper (HSEL_DATA), or made-up ones of its size. --update writes them into bench/RESULTS.md.
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
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        return memory_of(options.memory)
    data, name = load()
    lines = [TITLE, "", "Written by `bench/python_compare.py --update`. " + versions() + ".", ""]
    lines += times_table(data, name, options.runs)
    lines += ["", "How much of a call's time is not the library's: processor time, the best run of each part, less what the stopwatch takes. The calls that "
              "are above 5 % are those that learn in less than 0.3 ms, where a few dozen lines of Python count.", ""]
    lines += overhead_table(data, 4 * options.runs)
    lines += ["", checks_line(data, 20 * options.runs)]
    lines += ["", "Ten million positive values in a CSR matrix (100,000 x 50,000, int32 indices, uint8 values): memory beyond X itself. The library borrows the "
              "lists by instance and makes those by feature, which is one copy.", ""]
    lines += memory_table()
    text = "\n".join(lines) + "\n"
    if not options.update:
        print(text)
        return None
    path = HERE / "RESULTS.md"
    old = path.read_text()
    found = re.search(r"^%s$.*?(?=^## |\Z)" % re.escape(TITLE), old, re.S | re.M)
    path.write_text(old[:found.start()] + text + "\n" * bool(old[found.end():]) + old[found.end():] if found
                    else old.rstrip("\n") + "\n\n" + text)
    return None


if __name__ == "__main__":
    main()
