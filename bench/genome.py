#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs of whole genomes, for bench/run and bench/genome_quality.py: genome.py [--hsel PATH] NAME OUT.

`omim` is every human gene with GO annotations, by the class whether OMIM has an entry; `kegg05200`, `kegg04010` and `kegg04080` are the same
genes by the class whether they are in that pathway of KEGG, which 1 to 2 % are. They are built from the SQLite files of Debian's r-bioc-go.db
and r-bioc-org.hs.eg.db, which are looked for in the folder that HSEL_BIOCONDUCTOR names (default /usr/lib/R/site-library). Where these are not,
each has a generated twin of the same shape: as many instances, features, edges, roots, levels and positive values, and classes of the same sizes.

`large` writes what `hsel build` needs for 100,000 x 100,000 with 66 million positive values: the hierarchy OUT, OUT.pairs and OUT.labels.
"""
import argparse
import os
import pathlib
import random
import sqlite3
import subprocess
import sys

LIBRARY = pathlib.Path(os.environ.get("HSEL_BIOCONDUCTOR") or "/usr/lib/R/site-library")
TERMS = LIBRARY / "GO.db" / "extdata" / "GO.sqlite"
GENES = LIBRARY / "org.Hs.eg.db" / "extdata" / "org.Hs.eg.sqlite"
ANNOTATED = " UNION ".join(f"SELECT _id FROM go_{part}" for part in ("bp", "mf", "cc"))
# name: (the genes of the class of interest, its name, that of the others, share of the larger class)
SETS = {"omim": ("SELECT _id FROM omim", "omim", "none", 0.7815)}
SETS.update({"kegg" + path: (f"SELECT _id FROM kegg WHERE path_id = '{path}'", "in", "out", share)
             for path, share in (("05200", 0.9843), ("04010", 0.9871), ("04080", 0.9870))})
TWIN = "ontology:instances=20728,features=15108,edges-per-node=1.635,positives=76.74,depth=15,roots=3,largest-class="
# Direct annotations of an object: 66 million values are positive.
LARGE, DIRECT = 100000, 56


def is_real():
    return TERMS.exists() and GENES.exists()


def source():
    return "Debian's r-bioc-go.db and r-bioc-org.hs.eg.db" if is_real() else "hsel generate, the generated twin"


def place(folder, name):
    """Where the set is kept, or its twin."""
    return os.path.join(folder, f"{name}.hsel" if is_real() else f"twin-{name}.hsel")


def build(hsel, name, out):
    genes, inside, outside, share = SETS[name]
    if not is_real():
        return [hsel, "generate", "-q", f"{TWIN}{share}", "--seed", "1", "-o", out]
    labels = out.with_suffix(".labels.tsv")
    rows = sqlite3.connect(f"file:{GENES}?mode=ro", uri=True).execute(
        f"SELECT gene_id, _id IN ({genes}) FROM genes WHERE _id IN ({ANNOTATED}) ORDER BY gene_id")
    labels.write_text("".join(f"{gene}\t{inside if member else outside}\n" for gene, member in rows))
    return [hsel, "build", "-q", "--hierarchy", TERMS, "--annotations", GENES, "--labels", labels, "--positive", inside, "--min-support", "3",
            "--name", name, "-o", out]


def large(hsel, out):
    """Objects have direct annotations drawn at random; those of a class draw half of theirs from terms of their own."""
    generator = random.Random(1)
    with open(f"{out}.pairs", "w") as pairs, open(f"{out}.labels", "w") as labels:
        for i in range(LARGE):
            own = i % 2
            labels.write(f"o{i}\t{'ab'[own]}\n")
            for at in range(DIRECT):
                term = 1 + int(generator.random() * LARGE)
                pairs.write(f"o{i}\tT{(term - 1) // 2 * 2 + 1 + own if at % 2 else term:07d}\n")
    return [hsel, "generate", "-q", f"ontology:instances=1,features={LARGE},positives=13", "-o", f"{out}.arff", "--hierarchy-output", out]


def make(hsel, name, out):
    out = pathlib.Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    command = large(hsel, out) if name == "large" else build(hsel, name, out)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default="build/release/hsel")
    parser.add_argument("name", choices=[*SETS, "large"])
    parser.add_argument("out")
    given = parser.parse_args()
    make(given.hsel, given.name, given.out)
