#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables and trees that other programs write, read by hsel and compared value by value.

Usage: abundance_peers.py HSEL biom|ape|phyloseq

biom: tables by Debian's python3-biom-format, as JSON, HDF5 and text, with and without taxonomy; ape: trees by r-cran-ape, counts added up
them; phyloseq: GlobalPatterns (19,216 OTUs), sums of phyla by R. Exit code 77 where the other program is not installed. The sums are worked
out here, lineage by lineage: the slow twin of --aggregate.
"""
import csv
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile

HSEL = os.path.abspath(sys.argv[1])
DAMAGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "damaged.biom")
random.seed(7)


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def values(path):
    """sample -> feature -> value"""
    rows = csv.DictReader(io.StringIO(run(HSEL, "convert", "-q", "--no-class", path, "-o", "-", "--to", "csv")))
    first = rows.fieldnames[0]
    return {row[first]: {k: float(v) for k, v in row.items() if k != first and v not in ("", "NA")} for row in rows}


def compare(what, found, expected):
    """Features that are 0 everywhere are not in `found`."""
    names = set().union(*expected.values())
    for sample, of in expected.items():
        for name in names:
            got, want = found[sample].get(name, 0), of.get(name, 0)
            if abs(got - want) > 1e-9 * max(1, abs(want)):
                sys.exit(f"{what}: {name} in {sample} is {got}, not {want}")
        if extra := [f for f, v in found[sample].items() if v and f not in names]:
            sys.exit(f"{what}: {extra[0]} should not be there")
    print(f"{what}: {len(expected)} samples, {len(names)} features")


def add_up(tips, lineage):
    """sample -> node -> sum over the tips below it"""
    sums = {}
    for sample, of in tips.items():
        sums[sample] = {}
        for tip, value in of.items():
            for node in [*lineage.get(tip, []), tip]:
                sums[sample][node] = sums[sample].get(node, 0) + value
    return sums


def biom():
    try:
        import biom as format
        import h5py
        import numpy
    except ImportError:
        sys.exit(77)
    taxa = {f"o{i}": ["k__B", f"p__P{i % 3}", f"g__G{i % 7}_{i % 3}"] for i in range(40)}
    samples = [f"S{i}" for i in range(12)]
    table = numpy.array([[random.choice([0, 0, 0, 1, 5, 2.25]) for _ in samples] for _ in taxa])
    tips = {s: {o: table[i][j] for i, o in enumerate(taxa)} for j, s in enumerate(samples)}
    for taxonomy in (False, True):
        metadata = [{"taxonomy": taxa[o]} for o in taxa] if taxonomy else None
        made = format.Table(table, list(taxa), samples, metadata)
        with open("x1.biom", "w", encoding="utf-8") as out:
            out.write(made.to_json("test"))
        with h5py.File("x2.biom", "w") as out:
            made.to_hdf5(out, "test")
        with open("x.tsv", "w", encoding="utf-8") as out:
            out.write(made.to_tsv(header_key="taxonomy", header_value="taxonomy", metadata_formatter="; ".join) if taxonomy
                      else made.to_tsv())
        for file in ("x1.biom", "x2.biom", "x.tsv"):
            run(HSEL, "build", "-q", "--abundance", file, "--samples" if file == "x.tsv" else "-q",
                *(["columns"] if file == "x.tsv" else []), "-o", "x.hsel")
            compare(f"{file}{' with taxonomy' if taxonomy else ''}", values("x.hsel"), add_up(tips, taxa if taxonomy else {}))
    with h5py.File("x3.biom", "w") as out:  # texts of fixed length, which end without NUL
        made.to_hdf5(out, "test")
        for path in ("observation/ids", "sample/ids"):
            names = numpy.array([name.decode() for name in out[path][:]], dtype="S")
            del out[path]
            out[path] = names
    run(HSEL, "build", "-q", "--abundance", "x3.biom", "-o", "x.hsel")
    compare("x3.biom", values("x.hsel"), add_up(tips, taxa))
    # One byte of it is another: the library of HDF5 1.10 ends the process that reads it.
    done = subprocess.run([HSEL, "build", "--abundance", DAMAGED, "-o", "x.hsel"], capture_output=True, text=True, check=False)
    said = done.stderr.splitlines()[-1:]  # a sanitizer says more before
    if done.returncode != 1 or not said or not said[0].startswith(f"hsel: {DAMAGED}: "):
        sys.exit(f"damaged.biom: exit {done.returncode}, {done.stderr}")
    # B-trees that lead back to themselves: each node is its own child (at once, or 200 levels down) or neighbour. Read, or refused with a line.
    with h5py.File("tree.biom", "w", libver="earliest") as out:
        out["observation/ids"], out["sample/ids"], out["observation/matrix/indptr"] = [b"a", b"c"], [b"b", b"d"], [0, 2, 4]
        for name, content in (("indices", [0, 1, 0, 1]), ("data", [1, 2, 3, 4])):
            out.create_dataset("observation/matrix/" + name, data=content, dtype="i4", chunks=(1,))
    whole, counts, at = open("tree.biom", "rb").read(), {0: 0, 1: 0}, -1
    while (at := whole.find(b"TREE", at + 1)) >= 0:
        child = at + (32 if whole[at + 4] == 0 else 48)  # behind the first key: of a group, of chunks
        for level, places in ((1, [child]), (200, [child]), (whole[at + 5], [at + 8, at + 16])):
            bad = bytearray(whole)
            bad[at + 5] = level
            for place in places:
                bad[place:place + 8] = at.to_bytes(8, "little")
            open("loop.biom", "wb").write(bad)
            done = subprocess.run([HSEL, "build", "-q", "--abundance", "loop.biom", "-o", "x.hsel"], capture_output=True, text=True, check=False)
            if done.returncode not in counts or (done.returncode == 1) != (done.stderr.count("hsel: loop.biom: ") == 1):
                sys.exit(f"loop.biom: exit {done.returncode}, {done.stderr}")
            counts[done.returncode] += 1
    print(f"B-trees that lead back to themselves: {counts[0]} read, {counts[1]} refused")
    if not counts[0] or not counts[1]:
        sys.exit("loop.biom: not all kinds were tried")
    # A few kB that stand for 120 GB of values which were never written.
    with h5py.File("sparse.biom", "w") as out:
        out["observation/ids"], out["sample/ids"], out["observation/matrix/indptr"] = [b"a"], [b"b"], [0, 30_000_000_000]
        for name in ("indices", "data"):
            out.create_dataset("observation/matrix/" + name, shape=(30_000_000_000,), dtype="i4", chunks=(1,))
    done = subprocess.run([HSEL, "build", "--abundance", "sparse.biom", "-o", "x.hsel"], capture_output=True, text=True, check=False)
    if done.returncode != 1 or "unpacks to more than 500 times the size of the file" not in done.stderr:
        sys.exit(f"sparse.biom: exit {done.returncode}, {done.stderr}")


def r(code):
    if not shutil.which("Rscript"):
        sys.exit(77)
    done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
    if "there is no package" in done.stderr:
        sys.exit(77)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def ape():
    r("""library(ape); set.seed(3)
         for (k in 1:4) {
           t <- rtree(30); if (k > 1) t$node.label <- paste0("n", 1:t$Nnode); if (k == 3) t$node.label <- 1:t$Nnode / 29
           if (k == 4) { t <- compute.brlen(stree(30)); t$tip.label[1] <- "it's" }
           write.tree(t, paste0("t", k, ".nwk"))
           x <- matrix(rpois(30 * 5, 2), 30, dimnames = list(t$tip.label, paste0("S", 1:5)))
           write.table(x, paste0("t", k, ".tsv"), sep = "\\t", quote = FALSE)
           s <- subtrees(t); below <- lapply(s, function(u) colSums(x[u$tip.label, , drop = FALSE]))
           names(below) <- if (k == 2) sapply(s, function(u) u$node.label[1]) else paste("node", seq_along(s))
           write.table(rbind(x, do.call(rbind, below)), paste0("sums", k, ".tsv"), sep = "\\t", quote = FALSE)
         }""")
    for k in "1234":
        run(HSEL, "build", "-q", "--abundance", f"t{k}.tsv", "--samples", "columns", "--tree", f"t{k}.nwk", "-o", "t.hsel")
        expected = {f"S{i}": {} for i in range(1, 6)}
        with open(f"sums{k}.tsv", encoding="utf-8") as lines:
            head = next(lines).split()
            for line in lines:
                name, *numbers = line.rstrip("\n").split("\t")
                for sample, number in zip(head, numbers):
                    expected[sample][name] = float(number)
        compare(f"tree {k}", values("t.hsel"), expected)


def phyloseq():
    out = r("""suppressMessages(library(phyloseq)); data(GlobalPatterns); g <- GlobalPatterns
               write.table(cbind(as(otu_table(g), "matrix"), as(tax_table(g), "matrix")), "g.tsv", sep = "\\t", quote = FALSE)
               write.csv(data.frame(sample = sample_names(g), type = sample_data(g)$SampleType), "m.csv", row.names = FALSE, quote = FALSE)
               ape::write.tree(phy_tree(g), "g.nwk")
               s <- rowsum(as(otu_table(g), "matrix"), as(tax_table(g), "matrix")[, "Phylum"])
               write.table(s[!is.na(rownames(s)), ], "phyla.tsv", sep = "\\t", quote = FALSE)""")
    del out
    print(run(HSEL, "build", "--abundance", "g.tsv", "--metadata", "m.csv", "--class", "type", "-o", "g.hsel"))
    found, phyla = values("g.hsel"), {}
    with open("phyla.tsv", encoding="utf-8") as lines:
        head = next(lines).split()
        for line in lines:
            name, *numbers = line.rstrip("\n").split("\t")
            for sample, number in zip(head, numbers):
                phyla.setdefault(sample, {})["p__" + name] = float(number)
    compare("phyla", {s: {f: v for f, v in of.items() if f.startswith("p__") and ";" not in f} for s, of in found.items()}, phyla)
    print(run(HSEL, "build", "--abundance", "g.tsv", "--ignore", "Kingdom,Phylum,Class,Order,Family,Genus,Species", "--tree", "g.nwk",
              "--metadata", "m.csv", "--class", "type", "-o", "t.hsel"))
    whole = {s: sum(v for f, v in of.items() if f in ("k__Archaea", "k__Bacteria")) for s, of in found.items()}
    compare("root of the tree", {s: {"node 1": of["node 1"]} for s, of in values("t.hsel").items()},
            {s: {"node 1": v} for s, v in whole.items()})


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    {"biom": biom, "ape": ape, "phyloseq": phyloseq}[sys.argv[2]]()
    os.chdir("/")
