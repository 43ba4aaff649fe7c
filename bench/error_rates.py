#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error rates of the procedures of `hsel test` in simulations with planted terms, beside the level that they promise.

Usage: bench/error_rates.py DATA [--repeats N] [--threads N] [--update docs/error-rates.md]

DATA is a data set with a hierarchy, such as all human genes and GO terms (bench/genome.py; docs/human-genes.md). Runs
build/release/tests/error_rates, prints a table in Markdown, and says which procedure is above its level by more than the error of
the simulation (exit code 1). --update writes the table into a document, between its two lines <!-- error rates --> and
<!-- end -->, and the charts into pictures/ beside it."""
import argparse
import collections
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

LEVEL = 0.05
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "tests" / "error_rates"


def table_of(rows):
    """A line per procedure: the worst observed rate over all effects with its interval, and what is found at the last effect."""
    lines = ["| p-values | procedure | keeps below 5 % | observed, highest of all effects | planted terms found, by effect |", "|---|---|---|---|---|"]
    above = []
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault((row["setting"], row["procedure"]), []).append(row)
    for (setting, procedure), points in groups.items():
        worst = max(points, key=lambda row: float(row["false"]))
        rate, half = float(worst["false"]), float(worst["false_half"])
        found = ", ".join(f"{100 * float(row['found']):.0f} %" for row in points)
        controls = {"FDR": "share of false ones", "FWER": "chance of any false one"}[worst["controls"]]
        lines.append(f"| {setting} | `{procedure}` | {controls} | {100 * rate:.1f} % ± {100 * half:.1f} | {found} |")
        if any(float(row["false"]) - float(row["false_half"]) > LEVEL for row in points):
            above.append(f"{setting}: {procedure}")
    return "\n".join(lines), above


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--update", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [given.program, given.data, str(given.repeats), str(given.threads), folder]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        table, above = table_of(csv.DictReader(done.stdout.splitlines()))
        print(table)
        if given.update:
            text = given.update.read_text(encoding="utf-8")
            before, rest = text.split("<!-- error rates -->\n", 1)
            given.update.write_text(before + "<!-- error rates -->\n" + table + "\n<!-- end -->" + rest.split("<!-- end -->", 1)[1], encoding="utf-8")
            for picture in pathlib.Path(folder).glob("*.svg"):
                shutil.copy(picture, given.update.parent / "pictures")
    sys.exit(f"above the level: {'; '.join(above)}" if above else 0)


main()
