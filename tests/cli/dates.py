#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel build --until and --since on random dated annotations: the same as a slow twin that follows the definition, and as a file cut by awk.

Usage: dates.py HSEL
"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

HSEL = os.path.abspath(sys.argv[1])
ROUNDS = 300
CODES = {"IDA": "ECO:0000314", "IMP": "ECO:0000315", "IEA": "ECO:0000501", "TAS": "ECO:0000304"}
EXPERIMENTAL = {"IDA", "IMP"}


def line_of(form, a):
    """An annotation (object, term, code, date or None, NOT) as a line of the format."""
    thing, term, code, date, negated = a
    if form == "gaf":
        return "\t".join(["DB", thing, thing.lower(), "NOT|involved_in" if negated else "involved_in", term, "PMID:1", code, "", "P", "", "", "protein",
                          "taxon:9606", date or "20201301", "X"])
    if form == "gpad1":
        return "\t".join(["DB", thing, "NOT|involved_in" if negated else "involved_in", term, "PMID:1", CODES[code], "", "", date or "", "X"])
    day = f"{date[:4]}-{date[4:6]}-{date[6:]}" + random.choice(["", "T10:20:30"]) if date else "2020-01"
    return "\t".join([f"DB:{thing}", "NOT" if negated else "", "RO:0002331", term, "PMID:1", CODES[code], "", "", day, "X"])


HEADS = {"gaf": "!gaf-version: 2.2\n", "gpad1": "!gpa-version: 1.1\n", "gpad2": "!gpad-version: 2.0\n"}


def some_day():
    return f"{random.randint(2010, 2024)}{random.randint(1, 12):02}{random.randint(1, 28):02}"


def written(date):
    return random.choice([date, f"{date[:4]}-{date[4:6]}-{date[6:]}"])


class World:
    def __init__(self):
        self.terms = [f"t{i:02}" for i in range(random.randint(3, 12))]
        self.parents = {t: {p for p in self.terms[:i] if random.random() < 2 / (i + 1)} for i, t in enumerate(self.terms)}
        self.objects = [f"o{i}" for i in range(random.randint(2, 12))]
        self.dates = [some_day() for _ in range(8)]
        undated = random.choice([0, 0, 0.2])
        self.annotations = [(random.choice(self.objects), random.choice(self.terms), random.choice(list(CODES)),
                             None if random.random() < undated else random.choice(self.dates), random.random() < 0.1)
                            for _ in range(random.randint(1, 60))]
        self.order = list(dict.fromkeys(a[0] for a in self.annotations))

    def above(self, term):
        return {term}.union(*(self.above(p) for p in self.parents[term]))

    def annotated(self, last, codes, negation):
        """The terms of each object, directly or not."""
        counted = [a for a in self.annotations if a[2] in codes and (not last or (a[3] and a[3] <= last))]
        found = {o: set() for o in self.order}
        for o, term, _, _, negated in counted:
            blocked = negation == "block" and any(n[4] and n[0] == o and n[1] in self.above(term) for n in counted)
            if (not negated or negation == "ignore") and not blocked:
                found[o] |= self.above(term)
        return found


def expected(world, labels, since, until, terms, codes, negation, support, keep):
    """Rows as {column: value} in order, or None: nothing can be built."""
    before = world.annotated(since or until, codes, negation)
    classes = {}
    if since:
        after = world.annotated(until or "99999999", codes, negation)
        for o in world.order:
            of = [("gained", bool(after[o] - before[o]))] if not terms else [
                (t, None if t in before[o] else t in after[o]) for t in terms]
            if any(value is not None for _, value in of):
                classes[o] = {t: "NA" if value is None else "yes" if value else "no" for t, value in of}
        if not any("yes" in c.values() for c in classes.values()):
            return None
    else:
        classes = {o: {"class": c} for o, c in labels.items()}
    rows = {o: before.get(o, set()) for o in classes}
    features = [t for t in world.terms if sum(t in r for r in rows.values()) >= max(support, 1)]
    made = [{"id": o, **classes[o], **{("feature", t): str(int(t in rows[o])) for t in features}} for o in classes
            if keep or any(t in rows[o] for t in features)]
    return made if made and features else None


def hsel(*arguments):
    return subprocess.run([HSEL, *arguments], capture_output=True, text=True)


def table(path, classes):
    """The rows of a data set; classes: the names of the columns of classes."""
    text = hsel("convert", "-q", path, "-o", "-", "--to", "csv")
    assert text.returncode == 0, text.stderr
    header, *lines = list(csv.reader(io.StringIO(text.stdout)))
    further = {f"class:{name}": name for name in classes[1:]}
    keys = ["id", *(further.get(name, ("feature", name)) for name in header[1:-1]), classes[0]]
    return [dict(zip(keys, line)) for line in lines], text.stdout


def check_round(number):
    random.seed(number)
    world = World()
    form = random.choice(list(HEADS))
    with open("t.tsv", "w") as file:
        file.write("child\tparent\n" + "".join(f"{c}\t{p}\n" for c in world.terms for p in sorted(world.parents[c])))
        file.write("".join(f"{t}\troot\n" for t in world.terms if not world.parents[t]))
    for t in world.terms:
        world.parents[t] = world.parents[t] or {"root"}
    world.parents["root"] = set()
    world.terms = ["root", *world.terms]
    with open("a", "w") as file:
        file.write(HEADS[form] + "".join(line_of(form, a) + "\n" for a in world.annotations))
    labels = {o: random.choice(["a", "b"]) for o in random.sample(world.objects, random.randint(1, len(world.objects)))}
    with open("l.tsv", "w") as file:
        file.write("gene\tclass\n" + "".join(f"{o}\t{c}\n" for o, c in labels.items()))
    first, second = sorted(random.sample([*world.dates, some_day(), "20091231", "20250101"], 2))
    since, until = random.choice([(None, first), (first, None), (first, second if second > first else None)])
    terms = random.sample(world.terms, random.randint(0, min(2, len(world.terms)))) if since else []
    negation, keep, support = random.choice(["drop", "block", "ignore"]), random.random() < 0.3, random.randint(1, 3)
    codes = random.choice([set(CODES), EXPERIMENTAL, set(CODES) - {"IEA"}])
    evidence = [] if codes == set(CODES) else ["--evidence", "experimental"] if codes == EXPERIMENTAL else ["--no-evidence", "IEA"]
    common = ["--hierarchy", "t.tsv", "--min-support", str(support), "--not", negation, "--empty", "keep" if keep else "drop", *evidence]
    options = (["--since", written(since)] if since else ["--labels", "l.tsv"]) + (["--until", written(until)] if until else [])
    done = hsel("build", "-q", *common, *options, "--annotations", "a", *(["--class", ",".join(terms)] if terms else []), "-o", "x.hsel")
    want = expected(world, labels, since, until, terms, codes, negation, support, keep)
    where = f"round {number}: {' '.join(done.args[1:])}"
    dated = any(a[3] for a in world.annotations)
    assert (done.returncode == 0) == (want is not None and dated), f"{where}: {done.stderr}{want}"
    if done.returncode:
        assert dated or "have no dates" in done.stderr, f"{where}: {done.stderr}"
        return 0
    got, text = table("x.hsel", terms or (["gained"] if since else ["class"]))
    assert got == want, f"{where}:\n{got}\n{want}"
    if not since: # the same from a file that awk has cut
        column = 14 if form == "gaf" else 9
        cut = f'BEGIN {{ FS = "\\t" }} /^!/ {{ print; next }} {{ day = substr(${column}, 1, 10); gsub("-", "", day) }} ' \
              f'day != "20201301" && length(day) == 8 && day <= "{until}"'
        with open("cut", "w") as file:
            subprocess.run(["awk", cut, "a"], stdout=file, check=True)
        done = hsel("build", "-q", *common, "--labels", "l.tsv", "--annotations", "cut", "-o", "y.hsel", "--name", "x")
        assert done.returncode == 0, f"{where}: {done.stderr}"
        assert table("y.hsel", ["class"])[1] == text, f"{where}: awk's file gives other data"
    return 1


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compared = sum(check_round(number) for number in range(ROUNDS))
        assert compared > ROUNDS / 3, f"only {compared} of {ROUNDS} rounds gave data"
    print(f"{compared} data sets compared")


main()
