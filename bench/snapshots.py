#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of annotations as one dated GAF, for evaluation in time (docs/validation.md).

Each annotation gets the date of the first snapshot that has it, so that `hsel build --since DATE` predicts what was added after a snapshot. Only
biological processes with experimental evidence are read, as in CAFA: electronic annotations are renewed as a whole. FOLDER gets annotations.gaf.gz,
edges.tsv.gz (child, parent: is_a and part_of, of the annotated terms and all above them) and sources.txt.

usage: bench/snapshots.py FOLDER GO.sqlite OLD.sqlite NEW.sqlite …     (Bioconductor's GO.db of the oldest date, and org.Hs.eg.db of several dates)

data/temporal is made from Debian's packages, unpacked with dpkg-deb -x: r-bioc-go.db 3.12.1-1, and r-bioc-org.hs.eg.db 3.12.0-1, 3.16.0-1 and 3.20.0-3.
"""
import gzip
import pathlib
import re
import sqlite3
import sys
import time

EVIDENCE = ("EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "HTP", "HDA", "HMP", "HGI", "HEP")


def read(path):
    """Annotations (gene, term, code), and the date of their source."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    marks = ",".join("?" * len(EVIDENCE))
    found = set(database.execute(f"SELECT gene_id, go_id, evidence FROM go_bp JOIN genes USING (_id) WHERE evidence IN ({marks})", EVIDENCE))
    dated = database.execute("SELECT value FROM metadata WHERE name = 'GOEGSOURCEDATE'").fetchone()[0]
    year, month, day = re.fullmatch(r"(\d{4})-([A-Z][a-z]{2})(\d{1,2})", dated).groups()
    return found, f"{year}{time.strptime(month, '%b').tm_mon:02d}{int(day):02d}"


def write(path, lines):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:  # the same bytes each time
        packed.write("".join(line + "\n" for line in lines).encode())


folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
rows, seen, before, told = [], set(), set(), ""
for path in sys.argv[3:]:
    found, date = read(path)
    rows += [(*row, date) for row in sorted(found - seen)]
    told += f"{date}: {len(found)} annotations, {len(found - seen)} new, {len(before - found)} withdrawn since the snapshot before\n"
    seen |= found
    before = found
write(folder / "annotations.gaf.gz", ["!gaf-version: 2.2"] + [f"NCBIGene\t{gene}\t{gene}\tinvolved_in\t{term}\tGO_REF:0\t{code}\t\tP\t\t\tprotein\ttaxon:9606\t{date}\tNCBI"
                                                           for gene, term, code, date in rows])
database = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
parents = {}
for child, parent in database.execute("SELECT c.go_id, p.go_id FROM go_bp_parents e JOIN go_term c ON c._id = e._id JOIN go_term p ON p._id = e._parent_id"
                                      " WHERE e.relationship_type IN ('isa', 'is_a', 'part of', 'part_of') AND p.go_id <> 'all'"):
    parents.setdefault(child, set()).add(parent)
todo, kept = {row[1] for row in rows}, set()
while todo:
    term = todo.pop()
    kept.add(term)
    todo |= parents.get(term, set()) - kept
write(folder / "edges.tsv.gz", sorted(f"{child}\t{parent}" for child in kept for parent in parents.get(child, ())))
(folder / "sources.txt").write_text(told, encoding="utf-8")
