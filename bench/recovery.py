#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many hidden genes `hsel discover` finds among all human genes, and how many it says to expect.

Lists are pathways of KEGG and the genes of OMIM, as Debian's org.Hs.eg.db has them. Half of a list is hidden, twice, the other half is known; all
other genes are unlabelled. Observed: the share of hidden genes among the first k candidates. Genes that belong to the list but are not in it count as
wrong, so that the true precision is higher. Expected: the bounds of the precision that the table of candidates prints at that rank.

usage: bench/recovery.py [--hsel PATH] [--databases FOLDER] [--check | --table]   without either, runs everything (minutes) and writes
bench/recovery.csv and the table in docs/human-genes.md; --table writes only the table; --check compares the document with the file (a test). FOLDER
has GO.sqlite and org.Hs.eg.sqlite of Debian's r-bioc-go.db and r-bioc-org.hs.eg.db (default: where these are installed)
"""
import argparse
import csv
import io
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PATH, PAGE, LIBRARY = ROOT / "bench" / "recovery.csv", ROOT / "docs" / "human-genes.md", pathlib.Path("/usr/lib/R/site-library")
PATHWAYS = {"04110": "cell cycle", "04910": "insulin signalling", "00190": "oxidative phosphorylation", "05200": "pathways in cancer"}
SEEDS, FIRST = (1, 2), (10, 50, 100)
PLAIN, CORRECTED = "", "--correct-bias"


def lists(database):
    found = {}
    with sqlite3.connect(database) as connection:
        for number, name in PATHWAYS.items():
            found[f"KEGG {number}, {name}"] = connection.execute(
                "SELECT DISTINCT gene_id FROM kegg JOIN genes USING (_id) JOIN go_all USING (_id) WHERE path_id = ?", (number,)).fetchall()
        found["OMIM"] = connection.execute("SELECT DISTINCT gene_id FROM omim JOIN genes USING (_id) JOIN go_all USING (_id)").fetchall()
    return {name: sorted(row[0] for row in rows) for name, rows in found.items()}


def run(hsel, folder):
    rows = []
    go, annotations = ((folder or LIBRARY / package / "extdata") / f"{package.removesuffix('.db')}.sqlite" for package in ("GO.db", "org.Hs.eg.db"))
    for name, genes in lists(annotations).items():
        for option in (PLAIN, CORRECTED):
            for seed in SEEDS:
                hidden = set(random.Random(seed).sample(genes, len(genes) // 2))
                with tempfile.NamedTemporaryFile("w", suffix=".txt") as known:
                    known.write("\n".join(gene for gene in genes if gene not in hidden))
                    known.flush()
                    text = subprocess.run([hsel, "discover", "-q", "--annotations", annotations, "--hierarchy", go, "--positives", known.name, "--seed", str(seed),
                                           "--top", "0", "--csv", *option.split()], check=True, capture_output=True, text=True).stdout
                table = list(csv.DictReader(io.StringIO(text)))
                for k in FIRST:
                    observed = sum(row["id"] in hidden for row in table[:k]) / k
                    rows.append([name, len(genes), option.lstrip("-") or "plain", seed, k, f"{observed:.4f}", table[k - 1]["expected_precision_low"], table[k - 1]["expected_precision"]])
                print(*rows[-len(FIRST):], sep="\n", flush=True)
    with PATH.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["list", "genes", "ranking", "seed", "first", "observed", "expected_low", "expected_high"], *rows])


def table():
    with PATH.open(newline="") as file:
        rows = list(csv.DictReader(file))
    groups = {}
    for row in rows:
        groups.setdefault((row["list"], row["genes"], row["ranking"]), []).append(row)
    lines = ["| list | genes | ranking | " + " | ".join(f"first {k}: found | expected" for k in FIRST) + " |", "|---|--:|---|" + "--:|--:|" * len(FIRST)]
    for (name, genes, ranking), some in groups.items():
        cells = []
        for k in FIRST:
            means = [100 * sum(float(row[column]) for row in some if row["first"] == str(k)) / len(SEEDS) for column in ("observed", "expected_low", "expected_high")]
            cells += [f"{means[0]:.0f} %", f"{means[1]:.0f} to {means[2]:.0f} %"]
        lines.append(f"| {name} | {int(genes):,} | {ranking} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hsel", default=str(ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--databases", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    if not (asked.table or asked.check):
        run(asked.hsel, asked.databases)
    page = PAGE.read_text()
    made, changed = re.subn(r"(<!-- recovery -->\n).*?(<!-- end -->)", lambda m: m[1] + table() + "\n" + m[2], page, flags=re.S)
    assert changed == 1
    if asked.check:
        print("recovery: the table agrees with bench/recovery.csv" if made == page else "docs/human-genes.md: run bench/recovery.py --table")
        return made != page
    PAGE.write_text(made)
    return 0


sys.exit(main())
