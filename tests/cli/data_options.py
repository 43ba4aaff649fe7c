#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every data option on every kind of input: it has an effect, or it is refused with a reason.

Usage: data_options.py HSEL

The options are those that `hsel info --help-all` lists for reading data, so a new one fails here until VALUES says what to try.
"""
import functools
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HSEL = os.path.abspath(sys.argv[1])
failures = []

OBO = """format-version: 1.2
default-namespace: one

[Term]
id: a

[Term]
id: b
is_a: a

[Term]
id: c
is_a: b
is_a: a

[Term]
id: d
namespace: two
relationship: part_of b
is_a: a
"""
TABLE = [["id", "a", "b", "c", "d", "e", "n", "class"]] + [
    [f"i{i}", *bits, str(i / 2), "yes" if i % 3 else "no"]
    for i, bits in enumerate(["11100", "11010", "00001", "11000", "00011", "11100", "01110", "11010", "00001", "10000"])]

# What to try: values that do something, and values that cannot be right and are always refused.
VALUES = {
    "hierarchy": (["other.obo"], ["missing.obo"]),
    "labels": (["l.tsv"], ["missing.tsv", "twice.tsv", "others.tsv"]),
    "metadata": (["i.tsv"], ["missing.tsv", "others.tsv"]),
    "strata": (["d", "s.tsv"], ["nosuch", "missing.tsv"]),
    "groups": (["d", "s.tsv"], ["nosuch", "missing.tsv"]),
    "time": (["n", "t.tsv"], ["nosuch", "missing.tsv"]),
    "test-set": (["d", "v.tsv"], ["nosuch", "missing.tsv"]),
    "weights": (["w.tsv"], ["nosuch", "missing.tsv", "n", "t.tsv"]),
    "format": ([], ["nosuch"]),
    "hierarchy-format": ([], ["nosuch"]),
    "no-hierarchy": ([None], []),
    "class": (["b"], ["nosuch"]),
    "no-class": ([None], []),
    "target": (["n"], ["nosuch"]),
    "covariates": (["n", "e,n"], ["nosuch"]),
    "id": (["b"], ["nosuch"]),
    "ignore": (["c", "2"], ["nosuch", "c,nosuch", "99"]),
    "positive": (["no"], ["nosuch"]),
    "pu": ([None], []),
    "missing": (["negative"], ["nosuch"]),
    "relations": (["is_a,part_of"], ["nosuch"]),
    "namespaces": (["one"], ["XX"]),
    "direction": (["parent-child"], ["nosuch"]),
    "cycles": (["merge", "drop"], ["nosuch"]),
    "branch": (["b", "b,d"], ["nosuch"]),
    "exclude-branch": (["c"], ["nosuch", "c,nosuch"]),
    "instances": (["some.txt", "50%"], ["missing.txt", "others.tsv", "0%", "101%"]),
    "instances-seed": ([], ["nosuch", "7"]),  # nothing without a share
    "edges": (["reduce"], ["nosuch"]),
    "propagate": ([None], []),
    "aggregate": (["sum", "max", "mean"], ["nosuch"]),
    "transform": (["relative", "clr", "rclr", "log1p", "presence:1"], ["nosuch", "presence:x", "clr,log1p"]),
    "transform-order": ([], ["nosuch", "before"]),  # nothing without a transformation
    "pseudo-count": ([], ["nosuch", "-1", "1"]),  # likewise
    "min-prevalence": (["1"], ["nosuch", "2"]),
    "min-abundance": (["100"], ["nosuch"]),
    "level": (["1", "tips"], ["nosuch", "99"]),
    "min-support": (["4"], ["nosuch"]),
    "drop-roots": ([None], []),
    "threads": ([], ["nosuch"]),  # never changes a result
}
FLAGS = {"no-hierarchy", "no-class", "pu", "propagate", "drop-roots"}


@functools.lru_cache(maxsize=None)  # what is compared with is run once
def hsel(*words):
    return subprocess.run([HSEL, *words], capture_output=True, text=True, timeout=60, check=False)


def made(*words):
    done = hsel(*words)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")


def given(option, value):
    return [f"--{option}"] if value is None else [f"--{option}", value]


def expect(condition, words, done, what):
    if not condition:
        failures.append(f"hsel {' '.join(words)}: {what}\n    exit {done.returncode}: {(done.stderr or done.stdout)[-300:].strip()}")


def refused(words, done, option, value):
    """One line that names the option, its value, or what is missing for it."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    names = [option, *(value or option).split(","), option.split("-")[0]]
    expect(done.returncode in (1, 2) and len(lines) == 1 and any(name in lines[0] for name in names), words, done,
           "no reason is given")


def make_inputs():
    """Files of every kind: name -> (words that name it, whether there is a hierarchy)"""
    write = lambda name, text: pathlib.Path(name).write_text(text, encoding="utf-8")
    write("h.obo", OBO)
    write("l.tsv", "id\tlabel\na\talpha\nb\tbeta\n")
    write("twice.tsv", "id\tlabel\na\talpha\na\tbeta\n")
    write("others.tsv", "id\tlabel\nx\txi\n")
    write("some.txt", "i0\ni3\ni4\nunknown\n")
    write("i.tsv", "i0\tfirst\ni1\tsecond\n")
    write("s.tsv", "i0\tx\ni1\ty\ni2\tx\n")
    write("t.tsv", "i0\t2025-01-31\ni1\t2024-12-01\ni2\t2025-02-01\n")
    write("v.tsv", "i0\ttest\ni1\ttrain\ni2\ttest\n")
    write("w.tsv", "id\tweight\n" + "".join(f"i{i}\t{0.5 + i % 3}\n" for i in range(10)))
    write("other.obo", OBO.replace("is_a: b\nis_a: a", "is_a: a"))
    write("cycle.obo", OBO.replace("id: a\n", "id: a\nis_a: c\n", 1))
    write("h.edges", "b\ta\nc\tb\nc\ta\nd\ta\n")
    write("cycle.edges", "b\ta\nc\tb\na\tc\nd\ta\n")
    write("h.csv", "a\nb,a\nc,b,a\nd,a\n")
    write("cycle.csv", "a,c\nb,a\nc,b,a\nd,a\n")
    made("convert", "-q", "h.edges", "--hierarchy-format", "edges", "-o", "h.nt")
    write("cycle.nt", pathlib.Path("h.nt").read_text(encoding="utf-8")
          + "<urn:hsel:a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:hsel:c> .\n")
    write("d.csv", "\n".join(",".join(row) for row in TABLE) + "\n")
    made("convert", "-q", "d.csv", "-o", "d.tsv", "--to", "tsv")
    made("convert", "-q", "d.csv", "-o", "d.arff")
    write("sparse.arff", "@relation s\n@attribute id string\n"
          + "".join(f"@attribute {f} {{0,1}}\n" for f in "abcde") + "@attribute n numeric\n@attribute class {no,yes}\n@data\n"
          + "".join("{0 " + row[0] + "".join(f",{k} 1" for k in range(1, 6) if row[k] == "1") + f",6 {row[6]},7 {row[7]}}}\n"
                    for row in TABLE[1:]))
    made("convert", "-q", "d.csv", "-o", "d.svm")
    made("convert", "-q", "d.csv", "-o", "d.mtx")
    made("convert", "-q", "d.csv", "-o", "d.hsel")
    made("convert", "-q", "d.csv", "--hierarchy", "h.obo", "-o", "own.hsel")
    made("convert", "-q", "d.csv", "--hierarchy", "h.obo", "-o", "folder/")
    inputs = {}
    hierarchies = {"": [], "obo": ["--hierarchy", "h.obo"], "edges": ["--hierarchy", "h.edges", "--hierarchy-format", "edges"],
                   "ancestors": ["--hierarchy", "h.csv", "--hierarchy-format", "ancestors"], "rdf": ["--hierarchy", "h.nt"]}
    for data, (kind, words) in itertools.product(["d.csv", "d.tsv", "d.arff", "sparse.arff", "d.svm", "d.mtx", "d.hsel"],
                                                 hierarchies.items()):
        inputs[f"{data} {kind}"] = ([data, *words], bool(kind))
    inputs["own.hsel"] = (["own.hsel"], True)
    inputs["own.hsel edges"] = (["own.hsel", *hierarchies["edges"]], True)
    inputs["folder"] = (["folder"], True)
    inputs["h.obo"] = (["h.obo"], True)
    inputs["h.nt"] = (["h.nt"], True)
    inputs["h.edges"] = (["h.edges", "--hierarchy-format", "edges"], True)
    inputs["h.csv"] = (["h.csv", "--format", "ancestors"], True)
    return inputs


def walk(inputs, options):
    for (words, has_hierarchy), option in itertools.product(inputs.values(), options):
        for value in VALUES[option][1]:
            if option == "hierarchy" and "--hierarchy" in words:
                continue
            if option == "hierarchy-format" and "--hierarchy-format" in words:
                continue
            call = ["info", "--json", *words, *given(option, value)]
            refused(call, hsel(*call), option, value)
        for value in VALUES[option][0]:
            if option == "hierarchy" and "--hierarchy" in words:
                continue
            now = words
            if option == "cycles":  # shows only where there is a cycle
                now = [re.sub(r"^h\.", "cycle.", word) for word in words]
            base = hsel("info", "--json", *now)
            call = ["info", "--json", *now, *given(option, value)]
            done = hsel(*call)
            if done.returncode:
                refused(call, done, option, value)
                continue
            holds = {"no-hierarchy": not has_hierarchy, "no-class": '"classes": []' in base.stdout,
                     "cycles": words == ["folder"],  # its hierarchy has none
                     "missing": words[0].endswith(("csv", "tsv", "arff")) or words[0] == "folder"}
            expect(done.stdout != base.stdout or holds.get(option), call, done, "no effect and not refused")


def must_work():
    """Where an option must have an effect, not only be refused."""
    for data in ["d.csv", "d.tsv", "d.arff", "sparse.arff", "d.svm", "d.mtx", "d.hsel", "own.hsel", "folder", "h.obo"]:
        done = hsel("convert", data, "--ignore", "c", "-o", "-", "--to", "edges" if data == "h.obo" else "csv")
        expect(done.returncode == 0 and not re.search(r"\bc\b", done.stdout), ["convert", data, "--ignore c"], done, "c is still there")
    for hierarchy in (["h.edges", "--hierarchy-format", "edges"], ["d.csv", "--hierarchy", "h.edges", "--hierarchy-format", "edges"]):
        done = hsel("info", "--json", *hierarchy, "--direction", "parent-child")
        expect(done.returncode == 0, hierarchy, done, "--direction is refused")
    missing = "\n".join(",".join(row) for row in TABLE).replace("i0,1", "i0,?")
    pathlib.Path("missing.csv").write_text(missing + "\n", encoding="utf-8")
    expect(hsel("info", "missing.csv").returncode == 1, ["info", "missing.csv"], hsel("info", "missing.csv"), "accepted")
    done = hsel("info", "missing.csv", "--missing", "negative")
    expect(done.returncode == 0, ["info", "missing.csv"], done, "--missing negative is refused")


def all_commands(options):
    """A value that cannot be right is refused by every command that has the option."""
    made("train", "-q", "d.csv", "--ignore", "n", "--propagate", "--hierarchy", "h.obo", "--select", "hip", "-o", "m.model")
    commands = [["info"], ["check"], ["eval", "--folds", "2"], ["train", "-o", "t.model"], ["select", "--select", "rpv"],
                ["rank", "--by", "ig"], ["explain", "--instance", "#1"], ["explain", "--model", "m.model", "--instance", "#1"],
                ["explore", "--json", "--folds", "2"], ["explore", "--json", "--model", "m.model"],
                ["predict", "m.model"], ["convert", "-o", "t.csv"]]
    for command, data, option in itertools.product(commands, ["d.csv", "d.hsel", "d.svm", "d.mtx", "folder"], options):
        for value in VALUES[option][1]:
            call = [*command, data, *given(option, value)]
            refused(call, hsel(*call), option, value)
    for command, data in itertools.product(commands, ["d.csv", "folder"]):
        call = [*command, data, "--hierarchy", "h.obo", "--no-hierarchy"]
        refused(call, hsel(*call), "hierarchy", None)
    for option in options:  # the model has its own features, classes and hierarchy
        for value in VALUES[option][0]:
            words = ["predict", "m.model", "d.csv", "--ignore", "n", "--features", "intersect", "--propagate"]
            call = [*words, *given(option, value)]
            base, done = hsel(*words), hsel(*call)
            if done.returncode:
                refused(call, done, option, value)
            else:
                expect(done.stdout != base.stdout or option in ("no-hierarchy", "no-class", "missing", "propagate", "strata"), call, done,
                       "no effect and not refused")


def in_studies():
    for prepare, word in (("ignore=nosuch", "nosuch"), ("namespaces=XX", "namespaces"), ("class=b", "class"), ("ignore=c", None)):
        pathlib.Path("s.yaml").write_text(
            f"name: s\ndatasets:\n  - {{path: d.hsel, prepare: '{prepare}'}}\nselectors: [none]\nclassifiers: [nb]\n"
            "folds: {count: 2}\nmetrics: [gm]\n", encoding="utf-8")
        done = hsel("run", "s.yaml", "--store", f"{prepare}.db", "--yes")
        if word:
            expect(done.returncode and word in done.stdout + done.stderr, ["run", prepare], done, "not refused")
        else:
            expect(done.returncode == 0, ["run", prepare], done, "refused")


def main():
    helped = hsel("info", "--help-all").stdout
    sections = re.split(r"^([A-Z][a-z ]+):\n", helped, flags=re.M)
    options = [option for title, text in zip(sections[1::2], sections[2::2])
               if title in ("Folds and design", "Data", "Hierarchy", "Preparation", "Computing")
               for option in re.findall(r"^  --([a-z-]+)", text, re.M)
               if option not in ("progress", "memory") and not option.startswith("max-")]
    unknown = set(options) ^ set(VALUES)
    if unknown:
        sys.exit(f"options without a test, or tests without an option: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        inputs = make_inputs()
        walk(inputs, options)
        must_work()
        all_commands(options)
        in_studies()
        os.chdir("/")
    print("\n".join(failures[:40]))
    sys.exit(f"{len(failures)} failures" if failures else 0)


main()
