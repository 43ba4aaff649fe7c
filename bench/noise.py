#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does any classifier see something in noise? 1,000 patients with four admissions each, whose features repeat and whose outcome is random.

With groups the AUROC must be 50 +- 2 on average over draws for every classifier, through inner folds too (calibration, ga, auto). Without groups it is not.

usage: bench/noise.py [--draws N] [--update FILE] [METHOD …]   HSEL_LIBRARY names the library; --update renews the table in FILE
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import hsel  # noqa: E402
import numpy as np  # noqa: E402

METHODS = ["nb", "knn", "svm", "logistic", "tree", "forest", "boost", "aode", "tan", "blend", "knn:calibration=platt", "nb:threshold=gm", "ga+nb", "auto"]


def draw(seed, patients=1000, admissions=4, features=60):
    rng = np.random.RandomState(seed)
    groups = np.repeat(np.arange(patients), admissions)
    return (rng.rand(patients, features) < 0.3)[groups].astype(np.uint8), rng.randint(0, 2, patients)[groups], groups


def auroc(method, X, y, groups, seed):
    if method == "auto":
        return hsel.Auto(["none"], ["nb", "knn"], cv=3, inner_cv=3, random_state=seed).fit(X, y, groups=groups).score_
    selector, _, classifier = method.rpartition("+")
    selector = f"{selector}:preset=bitwise,generations=3,population=10" if selector == "ga" else "none"
    return hsel.cross_validate(X, y, selector=selector, classifier=classifier, cv=5, groups=groups, random_state=seed)["auroc"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--update")
    parser.add_argument("methods", nargs="*", default=METHODS)
    asked = parser.parse_args()
    lines = ["| method | AUROC with groups | standard error | without groups |", "|---|--:|--:|--:|"]
    for method in asked.methods:
        drawn = [draw(seed) for seed in range(asked.draws)]
        found = 100 * np.array([auroc(method, *data, 1 + i) for i, data in enumerate(drawn)])
        apart = 100 * auroc(method, *drawn[0][:2], None, 1)
        lines.append(f"| `{method}` | {found.mean():.1f} | {found.std(ddof=1) / np.sqrt(len(found)):.1f} | {apart:.1f} |")
        print(lines[-1], flush=True)
    if asked.update:
        path = pathlib.Path(asked.update)
        text, changed = re.subn(r"(<!-- noise -->\n).*?(\n<!-- end -->)", lambda m: m[1] + "\n".join(lines) + m[2], path.read_text(), flags=re.S)
        assert changed == 1, f"{path} has no place for the table"
        path.write_text(text)
