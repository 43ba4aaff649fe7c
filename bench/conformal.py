#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many of the candidates that `hsel discover --fdr` selects are false, on real annotation profiles with planted lists.

A list is all genes of a data set that have a term; the term, and all terms whose genes contain or are contained in its genes, are removed. Half of the
list is known, and half of the other genes are known negatives, or none is. Means over lists, at two levels:

    known negatives       conformal selection, calibrated by the known negatives
    reliable negatives    the same, calibrated by reliable negatives
    hsel discover         what is selected without known negatives: the expected precision must allow it, too

usage: bench/conformal.py [--hsel PATH] [--check | --table]   without either, runs everything (minutes) and writes bench/conformal.csv and the table in
docs/candidates.md; --table writes only the table; --check compares the document with the file, and the file with a new run of two lists (a test)
"""
import argparse
import csv
import io
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SETS, LISTS, SEEDS, LEVELS = ("CE-BP", "DM-BP", "CE-BPCCMF", "DM-BPCCMF"), 10, (1, 2, 3), (0.1, 0.2)
PATH, PAGE = ROOT / "bench" / "conformal.csv", ROOT / "docs" / "candidates.md"
RULES = ("known negatives", "reliable negatives", "hsel discover")


def read(hsel, name):
    """Rows of identifier and features, and the columns of the lists."""
    text = subprocess.run([hsel, "convert", "-q", ROOT / "data" / "rpv" / name, "--drop-roots", "-o", "-", "--to", "csv"], check=True, capture_output=True,
                          text=True).stdout
    rows = [row[:-1] for row in csv.reader(io.StringIO(text))]
    columns = [frozenset(i for i, row in enumerate(rows[1:]) if row[f] == "1") for f in range(1, len(rows[0]))]
    fitting = [f for f, genes in enumerate(columns) if 40 <= len(genes) <= 120]
    return rows, columns, [fitting[k * len(fitting) // LISTS] for k in range(LISTS)]


def run(hsel, data, term, seed):
    """Of each rule and level: how many are selected, and how many of them are false; how many could be found."""
    rows, columns, _ = data
    genes, random_ = columns[term], random.Random(seed)
    keep = [0] + [f + 1 for f, other in enumerate(columns) if not (other <= genes or other >= genes)]
    known = set(random_.sample(sorted(genes), len(genes) // 2))
    others = sorted(set(range(len(rows) - 1)) - genes)
    negative = set(random_.sample(others, len(others) // 2))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        with open(path / "data.csv", "w", newline="") as file:
            csv.writer(file).writerows([row[f] for f in keep] for row in rows)
        for name, chosen in (("known", known), ("negative", negative)):
            (path / f"{name}.txt").write_text("\n".join(f"#{i + 1}" for i in sorted(chosen)))
        for rules, more in ((RULES[:1], ["--negatives", path / "negative.txt"]), (RULES[1:], [])):
            done = subprocess.run([hsel, "discover", "-q", path / "data.csv", "--id", rows[0][0], "--no-class", "--positives", path / "known.txt", *more, "--fdr",
                                   "0.2", "--seed", str(seed), "--top", "0", "--csv"], capture_output=True, text=True)
            table = list(csv.DictReader(io.StringIO(done.stdout)))  # nothing without reliable negatives
            for level in LEVELS:
                allowed = max([k + 1 for k, row in enumerate(table) if float(row["expected_precision"]) >= 1 - level], default=0)
                for rule in rules:
                    chosen = [int(row["instance"]) - 1 for k, row in enumerate(table)
                              if row["q"] and float(row["q"]) <= level and (rule != RULES[2] or k < allowed)]
                    found[rule, level] = (len(chosen), sum(i not in genes for i in chosen), len(genes) - len(known))
    return found


def rows_of(hsel, name, lists, seeds):
    data = read(hsel, name)
    return [[name, data[0][0][term + 1], seed, rule, level, *counts] for term in data[2][:lists] for seed in seeds
            for (rule, level), counts in run(hsel, data, term, seed).items()]


def table(rows):
    lines = ["| calibrated by | level | false discoveries, % | standard error | hidden genes found, % |", "|---|--:|--:|--:|--:|"]
    for rule in RULES:
        for level in LEVELS:
            those = [tuple(map(int, row[5:])) for row in rows if row[3] == rule and float(row[4]) == level]
            false = [100 * wrong / max(1, count) for count, wrong, _ in those]
            mean, n = sum(false) / len(false), len(false)
            error = (sum((x - mean) ** 2 for x in false) / (n - 1) / n) ** 0.5
            power = sum(100 * (count - wrong) / hidden for count, wrong, hidden in those) / n
            lines.append(f"| {rule} | {level} | {mean:.1f} | {error:.1f} | {power:.1f} |")
    return "\n".join(lines)


def write_table(rows, write):
    text, changed = re.subn(r"(<!-- conformal -->\n).*?(\n<!-- end -->)", lambda m: m[1] + table(rows) + m[2], PAGE.read_text(), flags=re.S)
    assert changed == 1, f"{PAGE} has no place for the table"
    if write:
        PAGE.write_text(text)
    elif text != PAGE.read_text():
        sys.exit(f"the table in {PAGE} is not that of {PATH}: run bench/conformal.py --table")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hsel", default=str(ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if not (asked.check or asked.table):
        made = [row for name in SETS for row in rows_of(asked.hsel, name, LISTS, SEEDS)]
        with open(PATH, "w", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows([["dataset", "term", "seed", "rule", "level", "selected", "false", "hidden"], *made])
    with open(PATH, newline="") as stored:
        rows = list(csv.reader(stored))[1:]
    write_table(rows, not asked.check)
    if asked.check:
        again = [list(map(str, row)) for row in rows_of(asked.hsel, SETS[0], 2, SEEDS[:1])]
        wrong = [row for row in again if row not in rows]
        if wrong:
            sys.exit(f"{PATH} is out of date, e.g. {wrong[0]}: run bench/conformal.py")
        means = {rule: [int(row[6]) / max(1, int(row[5])) for row in rows if row[3] == rule and row[4] == "0.1"] for rule in RULES}
        mean = sum(means[RULES[0]]) / len(means[RULES[0]])
        if mean > 0.1 + 3 * (sum((x - mean) ** 2 for x in means[RULES[0]]) ** 0.5) / len(means[RULES[0]]):
            sys.exit(f"false discoveries with known negatives: {mean}")
