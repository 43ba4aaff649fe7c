# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C stops the library; other threads run while it works; handlers are put back."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import hsel

# Would take minutes; the parent sends SIGINT once it says that it has begun.
PROGRAM = """
import sys, signal
import hsel
before = signal.getsignal(signal.SIGINT)
data = hsel.generate("ontology:instances=3000,features=400,positives=60", random_state=1)
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    assert signal.getsignal(signal.SIGINT) is before
    again = hsel.cross_validate(data, classifier="nb", cv=3)
    print("interrupted, and works on: %d folds" % again.n_folds, flush=True)
"""
CALLS = {"cross_validate": "hsel.cross_validate(data, classifier='knn', cv=500, repeats=1000)",
         "two threads": "hsel.cross_validate(data, classifier='knn', cv=500, repeats=1000, n_jobs=2)",
         "predict": "model = hsel.Knn(k=5).fit(data.X, data.y)\n    import scipy.sparse as sp\n"
                    "    model.predict(sp.vstack([data.X] * 200).tocsr())"}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_interrupt(call):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.format(call=call)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=os.environ)
    assert process.stdout.readline().strip() == "begun"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=250)
    assert out.strip() == "interrupted, and works on: 3 folds", out + errors


def test_other_threads_run(data):
    """The lock of Python is free while the library works, and a call need not be in the main thread."""
    done = []
    thread = threading.Thread(target=lambda: done.append(hsel.cross_validate(data, classifier="knn", repeats=40)))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
    thread.join()
    assert counted > 10 and np.array_equal(done[0].folds, hsel.cross_validate(data, classifier="knn", repeats=40).folds)


def test_many_threads_share_a_model(data):
    model = hsel.SelectThenPredict("mr", "knn", hierarchy=data.hierarchy).fit(data.X, data.y)
    expected = model.predict_proba(data.X)
    results = [None] * 8

    def work(i):
        results[i] = model.predict_proba(data.X)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, expected) for result in results)


def test_own_handler_is_called(data):
    """A handler that the program has set is the one that Ctrl-C reaches, after the library has stopped."""
    caught = []
    before = signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(hsel.CancelledError):
            hsel.cross_validate(data, classifier="knn", cv=50, repeats=100000)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert caught == [signal.SIGINT]
