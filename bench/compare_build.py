#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds the published RPV data sets with `hsel build` and compares them gene by gene.

From the raw files (GO graph of 2015-10-24, annotations of 2015-11-23, class lists) each data set is
built with minimum support 3, as published, and once more with minimum support 1. A gene's row is its
set of positive terms. Three comparisons, since a term whose support is 2 in one and 3 in the other
file is in one of them only:

    exact        row of the build  ==  row of the published file
    published    row of the build without minimum support, restricted to the published features
                 ==  row of the published file (the reading of the figures to be reached)
    common       both restricted to the features that both have

Exit status 0 if `published` reaches the known numbers for all sets, 1 if not, 77 without the data.

usage: bench/compare_build.py [path of hsel]      HSEL_DATA: folder with rpv/ and raw/ (ontology and annotations, which are not in the repository)
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.environ.get("HSEL_DATA", os.path.join(ROOT, "data"))
TAXON = {"CE": "6239", "DM": "7227"}
# rows that are known to be identical, and rows published
KNOWN = {"CE-BP": (649, 657), "CE-MF": (500, 504), "CE-CC": (481, 484),
         "DM-BP": (111, 132), "DM-MF": (121, 126), "DM-CC": (118, 122)}


def find_hsel():
    if len(sys.argv) > 1:
        return sys.argv[1]
    for build in ("release", "dev", ""):
        path = os.path.join(ROOT, "build", build, "hsel")
        if os.access(path, os.X_OK):
            return path
    sys.exit("no hsel found under build/; give its path")


def split_arff(line):
    """Values of a dense ARFF row, quotes undone (enough for these files)."""
    return [value.strip().strip("'\"") for value in line.split(",")]


def read_arff(path):
    """Features, and for each id its class and its set of positive features."""
    names, rows, in_data = [], {}, False
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if not line or line.startswith("%"):
                continue
            if in_data:
                add_row(line, names, rows)
            elif line.lower().startswith("@attribute"):
                names.append(line.split(None, 2)[1].strip("'\""))
            elif line.lower().startswith("@data"):
                in_data = True
    return set(names[1:-1]), rows


def add_row(line, names, rows):
    last = len(names) - 1
    if line.startswith("{"):
        values = {}
        for pair in split_arff(line.strip("{}")):
            index, value = pair.split(None, 1)
            values[int(index)] = value.strip("'\"")
        positive = {names[i] for i, v in values.items() if 0 < i < last and v == "1"}
        rows[values[0]] = (values.get(last), positive)
    else:
        values = split_arff(line)
        positive = {names[i] for i in range(1, last) if values[i] == "1"}
        rows[values[0]] = (values[last], positive)


def build(hsel, name, support, out):
    species, namespace = name.split("-")
    command = [hsel, "build", "--json", "--name", name,
               "--hierarchy", os.path.join(DATA, "raw/go/go-basic_2015-10-24_isa_rebuilt.obo.gz"),
               "--annotations",
               os.path.join(DATA, f"raw/annotations/gene2go_like_{TAXON[species]}_allev.tsv.gz"),
               "--labels", os.path.join(DATA, f"raw/classes/{species}.tsv"),
               "--namespaces", namespace, "--min-support", str(support), "-o", out]
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{name}: {result.stderr.strip()}")
    return json.loads(result.stdout), time.perf_counter() - start


def count_same(published, built, keep):
    return sum(1 for gene, (_, row) in published.items()
               if gene in built and keep(row) == keep(built[gene][1]))


def compare(hsel, name, folder):
    features, published = read_arff(os.path.join(DATA, "rpv", name, "data.arff.gz"))
    with_support, all_terms = os.path.join(folder, name), os.path.join(folder, name + "-all")
    report, seconds = build(hsel, name, 3, with_support + "/")
    build(hsel, name, 1, all_terms + "/")
    built_features, built = read_arff(os.path.join(with_support, "data.arff.gz"))
    _, full = read_arff(os.path.join(all_terms, "data.arff.gz"))
    common = features & built_features
    return {
        "genes": len(published),
        "built": len(built),
        "missing": len(set(published) - set(built)),
        "extra": len(set(built) - set(published)),
        "features": len(features),
        "built_features": report["result"]["features"],
        "common": count_same(published, built, lambda row: row & common),
        "exact": count_same(published, built, lambda row: row),
        "published": count_same(published, full, lambda row: row & features),
        "class": sum(1 for g in published if g in built and published[g][0] != built[g][0]),
        "seconds": seconds,
    }


def main():
    if not os.path.isdir(os.path.join(DATA, "raw")) or not os.path.isdir(os.path.join(DATA, "rpv")):
        print(f"no data in {DATA}: nothing to compare (set HSEL_DATA)")
        return 77
    hsel, good = find_hsel(), True
    columns = ["genes", "built", "missing", "extra", "features", "built_features", "exact", "common",
               "published", "known", "class", "seconds"]
    print("set    " + " ".join(f"{c.replace('_', ' '):>{max(9, len(c))}}" for c in columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, (known, _) in KNOWN.items():
            found = compare(hsel, name, folder)
            found["known"] = known
            found["seconds"] = f"{found['seconds']:.3f}"
            good = good and found["published"] >= known and found["class"] == 0
            print(f"{name:6} " + " ".join(f"{found[c]:>{max(9, len(c))}}" for c in columns))
    print("class: genes whose class differs (0 expected)")
    print("ok" if good else "NOT REACHED: fewer identical rows than known")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
