#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long hsel takes to read large tables of amounts, and how much memory.

Usage: abundance.py HSEL [FOLDER]          (FOLDER: where tables are made and kept, about 400 MB; default: a temporary one)

20,000 taxa (tips of a taxonomy of seven ranks) in 5,000 samples, 2 % of the values above 0: as a table of text with taxa in rows, as one with
samples in rows, as a long table and as BIOM 2. Prints user seconds and the largest memory of hsel build, and of hsel check of what it made.
"""
import os
import random
import subprocess
import sys
import tempfile

import h5py
import numpy

HSEL = os.path.abspath(sys.argv[1])
TAXA, SAMPLES, SHARE = 20000, 5000, 0.02
RANKS = ((1, "k"), (20, "p"), (60, "c"), (150, "o"), (400, "f"), (2000, "g"), (TAXA, "s"))


def lineages():
    """Each rank is spread over the one above it."""
    return [[f"{letter}__{letter}{i * count // TAXA}" for count, letter in RANKS] for i in range(TAXA)]


def make(folder):
    rng = numpy.random.default_rng(1)
    lines = lineages()
    rows = [numpy.sort(rng.choice(SAMPLES, rng.binomial(SAMPLES, SHARE), replace=False)) for _ in range(TAXA)]
    values = [1 + rng.geometric(0.02, len(row)) for row in rows]
    samples = [f"S{i}" for i in range(SAMPLES)]
    with open(f"{folder}/meta.tsv", "w", encoding="utf-8") as out:
        out.write("sample\tgroup\n" + "".join(f"{s}\t{'ab'[random.Random(i).random() < 0.5]}\n" for i, s in enumerate(samples)))
    with open(f"{folder}/wide.tsv", "w", encoding="utf-8") as out:
        out.write("clade_name\t" + "\t".join(samples) + "\n")
        for line, row, value in zip(lines, rows, values):
            cells = ["0"] * SAMPLES
            for s, v in zip(row, value):
                cells[s] = str(v)
            out.write("|".join(line) + "\t" + "\t".join(cells) + "\n")
    with open(f"{folder}/long.tsv", "w", encoding="utf-8") as out:
        out.write("taxon\tsample\tcount\n")
        for line, row, value in zip(lines, rows, values):
            name = "|".join(line)
            out.writelines(f"{name}\tS{s}\t{v}\n" for s, v in zip(row, value))
    turned = [[] for _ in samples]
    for taxon, (row, value) in enumerate(zip(rows, values)):
        for s, v in zip(row, value):
            turned[s].append((taxon, v))
    with open(f"{folder}/rows.tsv", "w", encoding="utf-8") as out:
        out.write("sample\t" + "\t".join("|".join(line) for line in lines) + "\n")
        for sample, entries in zip(samples, turned):
            cells = ["0"] * TAXA
            for taxon, v in entries:
                cells[taxon] = str(v)
            out.write(sample + "\t" + "\t".join(cells) + "\n")
    with h5py.File(f"{folder}/table.biom", "w") as out:
        text = h5py.string_dtype()
        out.create_dataset("observation/ids", data=[line[-1] for line in lines], dtype=text)
        out.create_dataset("observation/metadata/taxonomy", data=[line[:-1] for line in lines], dtype=text)
        out.create_dataset("sample/ids", data=samples, dtype=text)
        out.create_dataset("observation/matrix/data", data=numpy.concatenate(values).astype(float), compression="gzip")
        out.create_dataset("observation/matrix/indices", data=numpy.concatenate(rows).astype("i4"), compression="gzip")
        out.create_dataset("observation/matrix/indptr", data=numpy.cumsum([0] + [len(r) for r in rows]).astype("i4"))


def measured(*words):
    done = subprocess.run(["/usr/bin/time", "-f", "%U %M", HSEL, *words], capture_output=True, text=True, check=True)
    seconds, kilobytes = done.stderr.splitlines()[-1].split()
    return f"{float(seconds):6.1f} s {int(kilobytes) / 1024:7.0f} MB"


def main(folder):
    if not os.path.exists(f"{folder}/table.biom"):
        make(folder)
    for name in ("wide.tsv", "rows.tsv", "long.tsv", "table.biom"):
        size = os.path.getsize(f"{folder}/{name}") / 2**20
        built = measured("build", "-q", "--abundance", f"{folder}/{name}", "--metadata", f"{folder}/meta.tsv", "--class", "group",
                         "-o", f"{folder}/x.hsel")
        print(f"{name:12} {size:6.0f} MB  build {built}  check {measured('check', '-q', f'{folder}/x.hsel')}")


if len(sys.argv) > 2:
    main(sys.argv[2])
else:
    with tempfile.TemporaryDirectory() as temporary:
        main(temporary)
