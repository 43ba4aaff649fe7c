# SPDX-License-Identifier: GPL-3.0-or-later
"""Another thread writes into X while the library reads it: an exception or any result, but the process lives on."""
import subprocess
import sys

PROGRAM = """
import sys, threading
import numpy as np, scipy.sparse as sp
import hsel
random = np.random.default_rng(1)
X = (random.random((1000, 200)) < 0.2).astype(float)
X[:, 0] = random.random(1000)
y = random.integers(0, 2, 1000)
stop = threading.Event()

def run(X, arrays):
    before = [array.copy() for array in arrays]
    model = hsel.Nb().fit(X, y)
    def write():
        while not stop.is_set():
            for array, old in zip(arrays, before):
                array[...] = 1 if array.dtype.kind == "f" else array[-1]
                array[...] = old
    stop.clear()
    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(20):
            for use in (lambda: hsel.Nb().fit(X, y), lambda: model.predict(X), lambda: hsel.Shsel(hierarchy=[(1, 2)]).fit(X, y)):
                try:
                    use()
                except ValueError:
                    pass
    finally:
        stop.set()
        thread.join()

run(X, [X])
ones = (X > 0).astype(np.uint8)
for kind in (sp.csr_matrix, sp.csc_matrix):
    for each in (kind(X), kind(ones)):
        run(each, [each.data])
        run(each, [each.indices])
        run(each, [each.indptr])
print("lives")
"""


def test_another_thread_writes():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert done.stdout == "lives\n", (done.returncode, done.stderr[-2000:])
