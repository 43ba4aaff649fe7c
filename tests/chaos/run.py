#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs when something goes wrong: killed, on a full disk, with a file that cannot be written, mixed by hand, with closed streams, with planted links, over inputs.

Usage: run.py [--hsel PROGRAM] [--rounds N] [PART…]

Parts: kill, disk, unwritable, mixed, streams, synced, links, overwrite; all if none is named. Every output of several files is replaced by another
while a library loaded before the C library (shim.c) counts the calls that change files: at each of them, or at N of them spread
evenly, the command is killed or the disk is full. What is there then must be read as the old output or as the new one, or be refused with
one line; the same command run again must then succeed and leave no temporary file. From 50 rounds on, N kills at random times are added
for each output. Prints a table of counts (docs/reliability.md); fails if anything mixed was read or anything was destroyed.
"""
import argparse
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
OLD = "id,a,b,c,class\n" + "".join(f"x{i},{i % 2},1,{i % 3 // 2},{'yes' if i % 2 else 'no'}\n" for i in range(40))
NEW = "c,b,a\n" + "".join(f"{i % 2},{i % 3 // 2},1\n" for i in range(40))  # as many rows and columns, so that only the manifest can tell
LARGE = "id," + ",".join(f"f{j}" for j in range(400)) + ",class\n" + \
    "".join(f"y{i}," + ",".join(str((i * j + i // 7) % 5 // 4) for j in range(400)) + f",{'p' if i % 3 else 'q'}\n" for i in range(1500))

# name: (arguments that write the old set, the new set and a large one; arguments that read it; its files)
OLD_DATA, NEW_DATA = ["old.csv", "--id", "id"], ["new.csv", "--no-class"]
TREE, OTHER = ["--hierarchy", "old.tsv", "--propagate"], ["--hierarchy", "new.tsv", "--propagate"]
SETS = {
    "folder": (OLD_DATA + TREE + ["-o", "f/"], NEW_DATA + OTHER + ["-o", "f/"], ["f/"]),
    "folder, then without hierarchy": (OLD_DATA + TREE + ["-o", "f/"], NEW_DATA + ["-o", "f/"], ["f/"]),
    "mtx": (OLD_DATA + ["-o", "m.mtx"], NEW_DATA + ["-o", "m.mtx"], ["m.mtx"]),
    "svmlight": (OLD_DATA + ["-o", "s.svm"], NEW_DATA + ["-o", "s.svm"], ["s.svm"]),
    "csv and hierarchy": (OLD_DATA + TREE + ["-o", "d.csv", "--hierarchy-output", "h.tsv"],
                          NEW_DATA + OTHER + ["-o", "d.csv", "--hierarchy-output", "h.tsv"],
                          ["d.csv", "--no-class", "--hierarchy", "h.tsv"]),
    "mtx and hierarchy": (OLD_DATA + TREE + ["-o", "m.mtx", "--hierarchy-output", "h.tsv"],
                          NEW_DATA + OTHER + ["-o", "m.mtx", "--hierarchy-output", "h.tsv"], ["m.mtx", "--hierarchy", "h.tsv"]),
    "pack": (OLD_DATA + TREE + ["-o", "p.hsel"], NEW_DATA + OTHER + ["-o", "p.hsel"], ["p.hsel"]),
}
INPUTS = {"old.csv", "new.csv", "large.csv", "old.tsv", "new.tsv"}


class Place:
    """A folder to work in: inputs, and the outputs of one set at a time."""

    def __init__(self, hsel):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # every file is synced
        self.hsel, self.path = hsel, pathlib.Path(tempfile.mkdtemp(prefix="chaos-", dir=memory))
        for name, text in ("old.csv", OLD), ("new.csv", NEW), ("large.csv", LARGE), ("old.tsv", "a\tb\n"), ("new.tsv", "c\ta\n"):
            (self.path / name).write_text(text)

    def run(self, arguments, **more):
        environment = dict(os.environ, **more.pop("environment", {}))
        return subprocess.run([self.hsel, *arguments], cwd=self.path, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, **more)

    def convert(self, arguments, **more):
        return self.run(["convert", "-q", *arguments], **more)

    def files(self):
        """All but the inputs: relative path -> bytes."""
        found = (p for p in self.path.rglob("*") if p.is_file())
        return {str(p.relative_to(self.path)): p.read_bytes() for p in found if str(p.relative_to(self.path)) not in INPUTS}

    def restore(self, files):
        for entry in self.path.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name not in INPUTS:
                entry.unlink()
        for name, content in files.items():
            (self.path / name).parent.mkdir(exist_ok=True)
            (self.path / name).write_bytes(content)

    def read(self, arguments):
        """What a reader makes of it, as the bytes of a pack; None: refused with one line."""
        pack = self.path / "read.hsel"
        done = self.convert([*arguments, "-o", "read.hsel"])
        if done.returncode == 0:
            content = pack.read_bytes()
            pack.unlink()
            return content
        lines = done.stderr.decode(errors="replace").splitlines()
        assert done.returncode in (1, 2) and len(lines) == 1 and lines[0].startswith("hsel: "), (arguments, done)
        return None


def prepared(place, name, without_manifest=False):
    """The files of the old and of the new set, and what readers make of them."""
    old, new, read = SETS[name]
    states = []
    for arguments in old, new:
        place.restore({})
        done = place.convert(arguments)
        assert done.returncode == 0, done
        states.append((place.files(), place.read(read)))
        assert states[-1][1], name
    (old_files, old_read), (new_files, new_read) = states
    assert old_read != new_read
    if without_manifest:
        old_files = {name: content for name, content in old_files.items() if not name.endswith(".manifest.json")}
    return new, read, old_files, old_read, new_files, new_read


def spread(count, rounds):
    return range(1, count + 1) if count <= rounds else sorted({1 + i * (count - 1) // (rounds - 1) for i in range(rounds)})


def judge(place, read, old_read, new_read, counts):
    content = place.read(read)
    kind = "refused" if content is None else "old" if content == old_read else "new" if content == new_read else "MIXED"
    counts[kind] = counts.get(kind, 0) + 1


def again(place, new, read, new_read):
    """What was interrupted can be done again, and leaves nothing of the first attempt."""
    done = place.convert(new)
    assert done.returncode == 0 and place.read(read) == new_read, done
    left = [name for name in place.files() if ".hsel-" in name]
    assert not left, left


def disturbed(place, rounds, action, shim, report):
    for name, without in [(name, False) for name in SETS] + [("mtx", True), ("csv and hierarchy", True)]:
        new, read, old_files, old_read, new_files, new_read = prepared(place, name, without)
        place.restore(old_files)
        calls = place.path.parent / (place.path.name + ".calls")
        environment = {"LD_PRELOAD": str(shim), "CHAOS_CALLS": str(calls)}
        assert place.convert(new, environment=environment).returncode == 0
        counts = {}
        moments = list(spread(len(calls.read_text()), rounds))
        for at in moments:
            place.restore(old_files)
            done = place.convert(new, environment=dict(environment, CHAOS_AT=str(at), CHAOS_DO=action))
            assert done.returncode in ((-signal.SIGKILL,) if action == "kill" else (0, 1)), (name, at, done)
            assert done.returncode or place.read(read) == new_read, (name, at)
            if action == "full" and done.returncode:
                lines = done.stderr.decode().splitlines()
                assert len(lines) == 1 and "No space left on device" in lines[0], lines
                left = [f for f in place.files() if ".hsel-" in f]
                assert not left, left
            judge(place, read, old_read, new_read, counts)
            if at in moments[::4]:
                again(place, new, read, new_read)
        calls.unlink()
        report(("killed" if action == "kill" else "full disk"), name + (", old one without manifest" if without else ""), counts)


def kill(place, rounds, shim, report):
    disturbed(place, rounds, "kill", shim, report)
    if rounds < 50:
        return
    chance = random.Random(1)
    for name in SETS:
        new, read, old_files, old_read, _, _ = prepared(place, name)
        large = ["large.csv", "--id", "id"] + [a for a in new if a not in NEW_DATA and a not in OTHER]
        large = [a for a in large if not a.startswith("--hierarchy") and a != "h.tsv"] if "--hierarchy-output" not in new else \
            ["large.csv", "--id", "id", "--hierarchy", "large.tsv", "--propagate"] + new[new.index("-o"):]
        (place.path / "large.tsv").write_text("f1\tf2\n")
        INPUTS.add("large.tsv")
        place.restore(old_files)
        began = time.monotonic()
        assert place.convert(large).returncode == 0
        whole = time.monotonic() - began
        large_read = place.read(read)
        counts = {}
        for _ in range(rounds):
            place.restore(old_files)
            process = subprocess.Popen([place.hsel, "convert", "-q", *large], cwd=place.path, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * whole)
            process.kill()
            process.wait()
            judge(place, read, old_read, large_read, counts)
        again(place, large, read, large_read)
        report("killed at random times", name, counts)


def disk(place, rounds, shim, report):
    disturbed(place, rounds, "full", shim, report)


def unwritable(place, rounds, shim, report):
    """A folder in the place of each file that would be written, in turn: the others stay as they were."""
    for name in [name for name in SETS if name != "pack"]:
        new, read, old_files, old_read, new_files, new_read = prepared(place, name)
        counts = {}
        for blocked in set(new_files) - {new[new.index("-o") + 1]}:
            place.restore({f: c for f, c in old_files.items() if f != blocked})
            (place.path / blocked).mkdir(parents=True)
            before = place.files()
            done = place.convert(new)
            assert done.returncode == 1 and place.files() == before, (name, blocked, done)
            counts["nothing changed"] = counts.get("nothing changed", 0) + 1
        report("a file cannot be written", name, counts)


def mixed(place, rounds, shim, report):
    """Every mixture of old and new files: only the whole old and the whole new set are read."""
    for name in SETS:
        new, read, old_files, old_read, new_files, new_read = prepared(place, name)
        counts = {}
        names = sorted(set(old_files) | set(new_files))
        for choice in itertools.product((old_files, new_files), repeat=len(names)):
            files = {f: source[f] for f, source in zip(names, choice) if f in source}
            if not files or not all(any(f == m for f in files) for m in names if m.endswith(("manifest.json", "meta.json"))):
                continue
            place.restore(files)
            judge(place, read, old_read, new_read, counts)
        report("mixed by hand", name, counts)


def streams(place, rounds, shim, report):
    """Closed streams change nothing of what is written."""
    outputs = [(["convert", "old.csv", "--id", "id", *TREE, "-o", "p.hsel"], "p.hsel"), (["train", "old.csv", "--id", "id", "-o", "t.model"], "t.model"),
               (["predict", "t.model", "old.csv", "--id", "id", "-o", "p.tsv"], "p.tsv"), (["convert", *NEW_DATA, *OTHER, "-o", "f/"], "f/data.arff.gz"),
               (["eval", "old.csv", "--id", "id", "--predictions", "e.csv"], "e.csv"), (["convert", "/nowhere", "-o", "n.csv"], "n.csv")]
    counts = {}
    for arguments, output in outputs:
        place.run(arguments)
        expected = place.files().get(output)
        for closed in itertools.chain.from_iterable(itertools.combinations((0, 1, 2), k) for k in (1, 2, 3)):
            if expected is not None:
                (place.path / output).unlink()
            place.run(arguments, preexec_fn=lambda: [os.close(stream) for stream in closed])
            got = place.files().get(output)
            # a table that cannot be printed is a failure, and then there is no output at all
            same = got == expected or (arguments[0] == "eval" and 1 in closed)
            counts["as without" if same else "SPOILT"] = counts.get("as without" if same else "SPOILT", 0) + 1
            if got is None and expected is not None:
                place.run(arguments)
    report("streams closed", "pack, model, predictions, folder", counts)


def synced(place, rounds, shim, report):
    """Every file is synced before the first is renamed, the manifest's folder before the next, all folders at the end."""
    calls = place.path.parent / (place.path.name + ".calls")
    for name in SETS:
        new, _, old_files, _, new_files, _ = prepared(place, name)
        place.restore(old_files)
        place.convert(new, environment={"LD_PRELOAD": str(shim), "CHAOS_CALLS": str(calls)})
        order = re.sub("[wu]", "", calls.read_text())
        files = len(new_files)
        wanted = "f" * files + ("rf" + "r" * (files - 1) if files > 1 else "r") + "f+"
        report("order of sync (f) and rename (r)", name, {order: 1} if re.fullmatch(wanted, order) else {f"WRONG {order.upper()}": 1})
    calls.unlink()


def links(place, rounds, shim, report):
    """Links planted under the names of outputs, temporary files and charts lead nowhere."""
    victim, counts = place.path / "victim", {}
    for arguments, planted in ((["rank", "old.csv", "--id", "id", "--compare", "--by", "auc,ks", "--plot", "maps/tau.svg"],
                                ["maps/tau.svg", "maps/tau.tsv", "maps/.tau.svg.hsel-0"]),
                               (["convert", *OLD_DATA, *TREE, "-o", "d.csv", "--hierarchy-output", "h.tsv"],
                                ["d.csv", ".d.csv.hsel-0", "h.tsv", "d.csv.manifest.json", ".d.csv.manifest.json.hsel-0"])):
        for name in planted:
            place.restore({"victim": b"precious"})
            (place.path / "maps").mkdir(exist_ok=True)
            os.symlink(victim, place.path / name)
            done = place.run(arguments)
            assert done.returncode == 0, done
            kind = "untouched" if victim.read_bytes() == b"precious" else "DESTROYED"
            counts[kind] = counts.get(kind, 0) + 1
    report("links planted", "charts, csv and hierarchy", counts)


# ---- outputs over inputs ----

STUDY = """name: s
datasets:
  - path: old.csv
    prepare: id=id
selectors: [none]
classifiers: [nb]
folds: {count: 2, scheme: "file:%s/folds.txt"}
"""
# command: (a command line that works, its inputs, options that write (name, a value that fits, files that go with it))
GIVEN = {
    "convert": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--propagate", "--groups", "roles.tsv:patient", "--time", "times.tsv", "--weights",
                 "weights.tsv"],
                ["old.csv", "old.tsv", "roles.tsv", "times.tsv", "weights.tsv"], ["-o", "--hierarchy-output"]),
    "generate": (["ontology:instances=20,features=10"], [], ["-o", "--hierarchy-output"]),
    "build": (["--hierarchy", "old.tsv", "--annotations", "pairs.tsv", "--labels", "labels.tsv"], ["old.tsv", "pairs.tsv", "labels.tsv"],
              ["-o", "--hierarchy-output"]),
    "rank": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--compare", "--by", "auc,ks"], ["old.csv", "old.tsv"],
             ["-o", "--plot", "--html"]),
    "terms": (["old.csv", "--id", "id", "--hierarchy", "old.tsv"], ["old.csv", "old.tsv"], ["-o"]),
    "select": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--propagate", "--select", "ga:generations=2,population=4", "--for", "new.csv"],
               ["old.csv", "old.tsv", "new.csv"], ["-o", "--hierarchy-output", "--log", "--checkpoint", "--svg", "--pdf", "--png", "--dot", "--graphml"]),
    "train": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--show"], ["old.csv", "old.tsv"], ["-o", "--svg", "--pdf", "--png", "--dot", "--graphml"]),
    "predict": (["t.model", "old.csv", "--id", "id", "--hierarchy", "old.tsv", "--drop-roots"], ["t.model", "old.csv", "old.tsv"], ["-o"]),
    "explain": (["old.csv", "--id", "id", "--instance", "1", "--model", "t.model", "--hierarchy", "old.tsv", "--drop-roots"], ["old.csv", "t.model", "old.tsv"], ["--svg", "--pdf", "--png", "--dot", "--graphml"]),
    "explore": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--json", "--fold-scheme", "file:folds.txt"], ["old.csv", "old.tsv", "folds.txt"], ["-o"]),
    "eval": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--fold-scheme", "file:folds.txt"], ["old.csv", "old.tsv", "folds.txt"],
             ["--write-folds", "--predictions", "--frequencies", "--curves", "--reliability"]),
    "auto": (["old.csv", "--id", "id", "--hierarchy", "old.tsv"], ["old.csv", "old.tsv"], ["-o", "--checkpoint"]),
    "discover": (["old.csv", "--id", "id", "--hierarchy", "old.tsv", "--positives", "ids.txt", "--negatives", "others.txt", "--fdr", "0.1"],
                 ["old.csv", "old.tsv", "ids.txt", "others.txt"], ["-o", "--report", "--page"]),
    "check": (["s.db"], ["s.db"], ["--backup"]),
    "report": (["s.db", "--format", "csv"], ["s.db"], ["-o", "--charts"]),
    "run": (["s.yaml", "--import", "t.db", "--store", "s.db"], ["s.yaml", "s.db", "t.db", "old.csv", "folds.txt"], ["--export"]),
    "tune": (["s.yaml", "--dry-run"], ["s.yaml"], ["--folder"]),
    "compare": (["results.csv"], ["results.csv"], ["--diagram"]),
    "test": (["p.csv", "--hierarchy", "old.tsv"], ["p.csv", "old.tsv"], ["-o"]),
}
FOLDERS = {"--charts", "--folder"}  # filled with files of fixed names, so no input is in danger unless it has such a name
READS = {"--sets", "--positives", "--negatives", "--store", "--groups", "--time", "--weights", "--test-set", "--hierarchy", "--annotations", "--labels", "--metadata", "--like", "--mapping", "--instances", "--for", "--model", "--import", "--gather", "--fold-scheme", "--studies", "--explorer", "--strata", "--abundance", "--metadata", "--taxonomy", "--tree"}


def file_options(place, command):
    """The options whose value is a file, as the help has them."""
    text = place.run(["help", command, "--all"]).stdout.decode()
    return {m[2] for m in re.finditer(r"^  (-\w, )?(--[\w-]+) (\S+)", text, re.M)
            if re.search(r"FILE|OUT|MODEL|STORE|DIR|FOLDER|OTHER|PATH", m[3])}


def overwrite(place, rounds, shim, report):
    path = place.path
    for name, text in {"pairs.tsv": "x1\ta\nx2\tb\n", "labels.tsv": "id\tclass\nx1\tyes\nx2\tno\n", "results.csv": "d,p,q\n1,2,3\n2,3,1\n",
                       "p.csv": "a,0.01\nb,0.2\n", "roles.tsv": "id\tpatient\tsite\n1\tp\ts\n2\tq\ts\n", "times.tsv": "id\ttime\n1\t7\n2\t8\n",
                       "weights.tsv": "id\tweight\n1\t1\n2\t2\n", "ids.txt": "x1 x3 x5 x7 x9 x11\n", "others.txt": "x2\nx4\n",
                       "s.yaml": STUDY % path}.items():
        (path / name).write_text(text)
    for arguments in (["train", "old.csv", "--id", "id", "-o", "t.model"], ["eval", "old.csv", "--id", "id", "--folds", "2", "--write-folds", "folds.txt"],
                      ["run", "-q", "s.yaml", "--store", "s.db"], ["run", "-q", "s.yaml", "--store", "t.db"]):
        done = place.run(arguments)
        assert done.returncode == 0, done
    commands = re.findall(r"^  ([a-z]+)  ", place.run(["help"]).stdout.decode(), re.M)
    counts = {}
    assert set(GIVEN) < set(commands)
    for command in commands:
        line, inputs, outputs = GIVEN.get(command, ([], [], []))
        known = {"--output" if o == "-o" else o for o in outputs} | READS
        assert file_options(place, command) <= known, (command, file_options(place, command) - known)
        for option in outputs:
            others = [[o] for o in outputs if o != option and not {o, option} & FOLDERS]
            first = ["-o", "first.csv"] if option == "--hierarchy-output" and command in ("convert", "build") else []
            for given in ([] if option in FOLDERS else inputs):
                os.symlink(given, path / "linked")
                os.link(path / given, path / "hard")
                for target in given, "./" + given, "linked", "hard":
                    try_one(place, [command, *line, *first, option, target], counts)
                (path / "linked").unlink()
                (path / "hard").unlink()
            for other in others:
                try_one(place, [command, *line, option, "both.svg", *other, "./both.svg"], counts)
    more = [["convert", "f/", "-o", "f/"], ["convert", "f/data.arff.gz", "-o", "f"], ["convert", "f/", "-o", "f/meta.json", "--to", "csv"],
            ["convert", "m.mtx", "-o", "m.svm"], ["convert", "m.mtx", "-o", "x.csv", "--hierarchy-output", "m.ids.txt", "--hierarchy-to", "edges"],
            ["rank", "chart.tsv", "--compare", "--by", "auc,ks", "--plot", "chart.svg"], ["convert", "-", "-o", "old.csv"],
            ["report", "s.db", "--format", "csv", "-o", "s.db-wal"], ["tune", "deep.yaml", "--dry-run", "--folder", "."],
            ["report", "report.html"], ["run", "own.yaml", "--export", "own.db"], ["convert", "old.csv", "-o", "new/", "--hierarchy-output", "new/data.csv"]]
    for arguments in (["convert", "-q", *OLD_DATA, *TREE, "-o", "f/"], ["convert", "-q", *OLD_DATA, "-o", "m.mtx"],
                      ["convert", "-q", "old.csv", "-o", "chart.tsv"]):
        assert place.run(arguments).returncode == 0
    (path / "data").mkdir()
    assert place.convert(["old.csv", "-o", "data/1.hsel"]).returncode == 0
    (path / "deep.yaml").write_text("name: t\ndatasets: [{path: data/1.hsel}]\nselectors: [shsel]\nclassifiers: [nb]\n"
                                    "folds: {repeats: 3}\ntune: {budget: 100, parameters: {threshold: 0.9..1}}\n")
    shutil.copy(path / "s.db", path / "report.html")
    (path / "own.yaml").write_text("name: own\ndatasets: [{path: old.csv}]\nselectors: [none]\nclassifiers: [nb]\n")
    (path / "s.db-wal").touch()
    for arguments in more:
        with open(path / "old.csv") as stream:
            try_one(place, arguments, counts, stream)
    report("output over input or output", "every command", counts)


def try_one(place, arguments, counts, stream=subprocess.DEVNULL):
    before = {str(p): p.read_bytes() for p in place.path.rglob("*") if p.is_file()}
    done = subprocess.run([place.hsel, *arguments], cwd=place.path, stdin=stream, capture_output=True, timeout=120)
    lines = [line for line in done.stderr.decode(errors="replace").splitlines() if not line.startswith("note: ")]
    after = {str(p): p.read_bytes() for p in place.path.rglob("*") if p.is_file()}
    good = done.returncode == 2 and len(lines) == 1 and re.search("overwritten|two outputs|--hierarchy-output is for", lines[0]) and before == after
    if not good:
        print("   ", " ".join(arguments), "->", done.returncode, lines, "" if before == after else "FILES CHANGED")
        for name, content in before.items():
            pathlib.Path(name).write_bytes(content)
        for name in set(after) - set(before):
            pathlib.Path(name).unlink()
    kind = "refused" if good else "NOT REFUSED"
    counts[kind] = counts.get(kind, 0) + 1


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    parts = {f.__name__: f for f in (kill, disk, unwritable, mixed, streams, synced, links, overwrite)}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=str(here / "build/release/hsel"))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("parts", nargs="*", default=[], metavar="PART", choices=[[], *parts])
    arguments = parser.parse_args()
    bad = False
    shims = pathlib.Path(tempfile.mkdtemp(prefix="chaos-"))
    shim = shims / "shim.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", shim, HERE / "shim.c", "-ldl"], check=True)

    def report(what, name, counts):
        nonlocal bad
        bad |= any(kind.isupper() for kind in counts)
        print(f"| {what} | {name} | {sum(counts.values())} | " + ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts)) + " |", flush=True)

    print("| what | output | times | found afterwards |\n|---|---|---|---|")
    for name in arguments.parts or parts:
        place = Place(os.path.abspath(arguments.hsel))
        try:
            parts[name](place, arguments.rounds, shim, report)
        finally:
            shutil.rmtree(place.path)
    shutil.rmtree(shims)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
