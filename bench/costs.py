#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What selectors and classifiers cost, for the balance of the parts of a study: writes study/costs.def.

Usage: bench/costs.py [--hsel PROGRAM] [--print]

Every selector with naive Bayes, and every classifier on all features, each with its default options, in the two folds of a generated
ontology (300 instances, 400 features); nanoseconds for each instance and feature, from the times in the store.
"""
import argparse
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[1]
SIZE = 300, 400


def run(hsel, folder, name, selectors, classifiers):
    """Seconds of each selector and of each classifier."""
    (folder / f"{name}.yaml").write_text(
        f"name: {name}\ndatasets: [{{name: d, generate: 'ontology:instances={SIZE[0]},features={SIZE[1]}', seed: 1}}]\n"
        f"selectors: {json.dumps(selectors)}\nclassifiers: {json.dumps(classifiers)}\nfolds: {{count: 2}}\n")
    done = subprocess.run([hsel, "run", "-q", f"{name}.yaml", "--threads", "1"], cwd=folder, capture_output=True, text=True)
    print(done.stderr or "all jobs done", file=sys.stderr)
    db = sqlite3.connect(folder / f"{name}.db")
    yield from db.execute("SELECT text, avg(seconds) FROM unit u JOIN text t ON t.id = u.selector WHERE tested GROUP BY text")
    yield from db.execute("SELECT classifier, avg(classify_seconds) FROM jobs WHERE ok GROUP BY classifier")
    db.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=str(HERE / "build/release/hsel"))
    parser.add_argument("--print", action="store_true", help="print the table instead of writing it")
    arguments = parser.parse_args()
    listed = json.loads(subprocess.run([arguments.hsel, "methods", "--json"], check=True, capture_output=True).stdout)
    of = lambda kind: [m["name"] for m in listed if m["kind"] == kind]
    with tempfile.TemporaryDirectory(prefix="hsel-costs-") as folder:
        rows = [*run(arguments.hsel, pathlib.Path(folder), "selectors", of("selector"), ["nb"]),
                *run(arguments.hsel, pathlib.Path(folder), "classifiers", ["none"], of("classifier"))]
    costs = {}
    for text, seconds in rows:
        name = text.split(":")[0]
        costs[name] = max(costs.get(name, 0), seconds / (SIZE[0] * SIZE[1]) * 1e9)
    lines = ["/* What methods cost, in nanoseconds for each instance and feature, about: bench/costs.py writes this. */\n"]
    lines += [f'{{"{name}", {float(f"{costs[name]:.2g}"):g}}},\n' for name in sorted(costs)]
    if arguments.print:
        sys.stdout.writelines(lines)
    else:
        (HERE / "study/costs.def").write_text("".join(lines))


if __name__ == "__main__":
    main()
