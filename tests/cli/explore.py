#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel explore --json against slow counterparts: predictions, metrics and how often features were selected as hsel eval has them; support,
ancestors and reduced edges worked out again from the data as CSV and the hierarchy as edges; contributions that add up; verdicts that hold by the
rule of the selector; all kinds of data, hostile names, one thread or several.

    explore.py path/to/hsel
"""
import csv
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HSEL = os.path.abspath(sys.argv[1])
CALIBRATED = {method["name"] for method in json.loads(subprocess.run([HSEL, "methods", "--json"], capture_output=True, check=True).stdout)
              if any(o["name"] == "calibration" and o["default"] == "auto" for o in method["options"])}


def hsel(*words, status=0):
    done = subprocess.run([HSEL, *words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def refused(*words):
    """What the one line says."""
    done = hsel(*words, status=2)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 1 and not done.stdout, (words, done)
    return lines[0]


def explore(*words):
    text = hsel("explore", "-q", "--json", *words).stdout
    assert not set(text) & set("<>&\u2028\u2029"), "not fit for a page"
    assert text == hsel("explore", "-q", "--json", *words, "--threads", "3").stdout.replace(" --threads 3", "")
    return json.loads(text)


def near(a, b, allowed):
    assert (a is None) == (b is None) and (a is None or abs(a - b) <= allowed), (a, b)


def correlation(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    both = sum((a - mx) * (b - my) for a, b in zip(x, y))
    size = (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5
    return both / size if size else None


class Data:
    """A data set as matrices of Python."""

    def __init__(self, path):
        hsel("convert", "-q", path, "-o", "slow.csv", "--hierarchy-output", "slow.edges", "--hierarchy-to", "edges")
        rows = list(csv.DictReader(open("slow.csv", encoding="utf-8", newline="")))
        key = list(rows[0])
        self.names = [name for name in key if name not in ("id", "class")]
        self.rows = [[float(row[name]) for name in self.names] for row in rows]
        self.label = [row["class"] for row in rows]
        self.above = {name: set() for name in self.names}
        for line in open("slow.edges", encoding="utf-8"):
            child, parent = line.rstrip("\n").split("\t")[:2]
            if child in self.above:
                self.above[child].add(parent)
        changed = True
        while changed:
            changed = False
            for name, above in self.above.items():
                more = set().union(*(self.above[a] for a in above)) - above if above else set()
                changed |= bool(more)
                above |= more


def check_terms(page, data):
    terms = page["terms"]
    ids = terms["id"]
    assert len(set(ids)) == len(ids)
    shown = set(ids)
    for t, name in enumerate(ids):
        above = data.above[name]
        assert above <= shown, "an ancestor is not shown"
        parents = {ids[p] for p in terms["parents"][t]}
        reduced = {a for a in above if not any(a in data.above[b] for b in above)}
        assert parents == reduced, (name, parents, reduced)
        column = data.names.index(name)
        for c, label in enumerate(page["dataset"]["classes"]):
            count = sum(row[column] == 1 for row, other in zip(data.rows, data.label) if other == label)
            assert terms["support"][c][t] == count, (name, label)


def check_run(page, data, run, plain, path):
    selector, classifier = run["selector"], run["classifier"]
    evaluated = json.loads(hsel("eval", "-q", path, "--select", selector, "--classify", classifier, "--folds", "5", "--json", "--predictions",
                                "p.csv", "--frequencies", "f.csv").stdout)[0]
    for title, value in run["metrics"]:
        found = evaluated["metrics"][title.lower()]["fold_mean"]
        near(value, None if found is None else round(100 * found, 2), 0.0051)
    positive = page["dataset"]["classes"][page["dataset"]["positive"]]
    for i, row in enumerate(csv.DictReader(open("p.csv", encoding="utf-8"))):
        assert page["dataset"]["classes"][run["instances"]["predicted"][i]] == row["predicted"]
        assert page["dataset"]["classes"][page["instances"]["class"][i]] == row["class"]
        assert run["instances"]["fold"][i] == int(row["fold"]) - 1
        share = float(row[f"P({positive})"])
        near(run["instances"]["probability"][i], share, 5e-4 * share + 1e-300)
    frequency = {row["feature"]: int(row["selected"]) for row in csv.DictReader(open("f.csv", encoding="utf-8"))}
    for t, name in enumerate(page["terms"]["id"]):
        count = run["terms"]["selected"][t]
        if run["lazy"]:
            assert run["of"] == len(data.rows) and count == frequency[name]
        else:
            assert run["of"] == 5 and (count == 0) == (frequency[name] == 0) and (count == 5) == (frequency[name] == len(data.rows))
    if page["notes"] == [] or not any("not shown" in note for note in page["notes"]):
        assert {name for name, count in frequency.items() if count} <= set(page["terms"]["id"]), "a selected term is not shown"
    check_details(page, data, run, plain)


def check_details(page, data, run, plain):
    ids = page["terms"]["id"]
    odds = run["instances"]["log_odds"]
    key = lambda i: abs(odds[i]) if odds[i] is not None else float("inf")
    lists = run["lists"]
    assert set(map(int, run["details"])) == set().union(*lists.values())
    assert len(lists["certain"]) == len(lists["doubtful"]) == min(20, len(data.rows))
    order = sorted(range(len(data.rows)), key=key)
    assert abs(key(lists["doubtful"][-1]) - key(order[len(lists["doubtful"]) - 1])) < 1e-4
    wrong = [i for i in range(len(data.rows)) if run["instances"]["predicted"][i] != page["instances"]["class"][i]]
    assert set(lists["wrong"]) <= set(wrong) and len(lists["wrong"]) == min(20, len(wrong))
    for number, detail in run["details"].items():
        row = data.rows[int(number)]
        assert {ids[t] for t in detail["has"]} == {name for name, value in zip(data.names, row) if value == 1}
        for t, value, _, _ in detail["terms"]:
            assert row[data.names.index(ids[t])] == value
        before, names = (plain["runs"][0], plain["terms"]["id"]) if plain else (run, ids)  # without calibration, which changes nothing of what adds up
        own = before["details"][number]
        assert own.get("log_odds_of") is None and detail.get("log_odds_of") == ("before calibration" if plain else None)
        for part in ("baseline", "log_odds", "reasoning", "rest"):
            assert detail[part] == own[part], (part, detail[part], own[part])
        assert [[ids[t], *more] for t, *more in detail["terms"]] == [[names[t], *more] for t, *more in own["terms"]]
        if detail["reasoning"] in ("terms", "none"):  # else sure votes are made a little less so
            near(detail["log_odds"], before["instances"]["log_odds"][int(number)], 1e-4)
        if detail["reasoning"] != "none":
            total = detail["baseline"] + detail["rest"][1] + sum(c for _, _, c, _ in detail["terms"])
            near(total, detail["log_odds"], 1e-4 * (len(detail["terms"]) + 2))
        verdicts = {v[0]: v for v in detail["verdicts"]}
        assert len(verdicts) == len(detail["verdicts"]) and set(detail["has"]) <= set(verdicts)
        assert all(v[2] in page["rules"] for v in verdicts.values())
        for t, *_ in detail["terms"]:
            assert verdicts[t][1] == 1, "a feature that was used was not kept"
        if detail["rest"][0] == 0:
            assert {t for t, kept, *_ in verdicts.values() if kept} == {t for t, *_ in detail["terms"]}
        for t, kept, rule, by, score, other in verdicts.values():
            assert page["rules"][rule].startswith("kept" if kept else "dropped")
            if run["selector"] == "rpv":
                assert kept == (by < 0) and t in detail["has"]
                assert kept or (by in detail["has"] and ids[t] in data.above[ids[by]] and other >= score)


def check(path, *methods):
    data = Data(path)
    page = explore(path, "--folds", "5", "--terms", "0", *methods)
    assert page["dataset"]["instances"] == len(data.rows) and page["dataset"]["features"] == len(data.names)
    check_terms(page, data)
    for run in page["runs"]:
        name, _, options = run["classifier"].partition(":")
        plain = None
        if name in CALIBRATED and "calibration=none" not in options:
            asked = f"{name}:calibration=none" + (f",{options}" if options else "")
            plain = explore(path, "--folds", "5", "--terms", "0", "--details", str(len(data.rows)), "--select", run["selector"], "--classify", asked)
            before = plain["runs"][0]["instances"]
            assert before["predicted"] == run["instances"]["predicted"] and before["log_odds"] != run["instances"]["log_odds"]
        check_run(page, data, run, plain, path)
    return page


def main():
    hsel("generate", "-q", "ontology:instances=120,features=60,positives=9", "--seed", "3", "-o", "a.hsel")
    everything = ["--select", "none,rpv,hip,mr,hnb:k=5,all-neg,shsel,gtd,tsel,sig,top:k=3"]
    page = check("a.hsel", *everything)
    assert len(page["runs"]) == 11
    page = check("a.hsel", "--select", "rpv,shsel", "--classify", "nb,nb:calibration=none,knn:k=2")
    assert [(r["selector"], r["classifier"]) for r in page["runs"]] == list(itertools.product(["rpv", "shsel"], ["nb", "nb:calibration=none", "knn:k=2"]))
    check("a.hsel", "--classify", "tree,forest:trees=5,svm")
    tree, forest, svm = explore("a.hsel", "--classify", "tree,forest:trees=5,svm")["runs"]
    assert tree["model"]["kind"] == "tree" and forest["model"]["kind"] == "importances" and svm["model"]["kind"] == "weights"

    def walk(node):
        assert ("test" in node) == ("branches" in node) and node["leaf"] and len(node["counts"]) == 2
        for name, below in node.get("branches", []):
            assert name in ("= 0", "= 1")
            yield from walk(below)
        yield node
    assert sum("test" not in node for node in walk(tree["model"]["tree"])) >= 1
    # weights are for the positive class: what is more frequent there has weights above 0
    for classifier, positive in itertools.product(["svm", "proximal-graph:lambda=0.01"], ["no", "yes"]):
        with open("sign.csv", "w", encoding="utf-8") as file:
            file.write("r,a,b,class\n" + "".join(f"1,{i % 2},{i // 2 % 2},{'yes' if i % 2 else 'no'}\n" for i in range(24)))
        pathlib.Path("sign.tsv").write_text("a\tr\nb\tr\n", encoding="utf-8")
        page = explore("sign.csv", "--hierarchy", "sign.tsv", "--positive", positive, "--classify", classifier, "--folds", "2")
        weights = {page["terms"]["id"][t]: value for t, value in page["runs"][0]["model"]["weights"]}
        assert (weights["a"] > 0) == (positive == "yes"), (classifier, positive, weights)
    # limits, and what is asked for
    some = explore("a.hsel", "--select", "rpv", "--details", "1", "--terms", "2", "--instance", "#7,#3")
    assert some["runs"][0]["lists"]["asked"] == [6, 2] and {"6", "2"} <= set(some["runs"][0]["details"])
    assert len(some["runs"][0]["details"]) <= 5 and any("not shown" in note for note in some["notes"])
    assert explore("a.hsel", "--details", "0", "--select", "sig:threshold=5")["runs"][0]["terms"]["selected"] is not None  # nothing selected
    # a model, on data of which some have no class, and on data without classes
    hsel("train", "-q", "a.hsel", "--select", "rpv", "-o", "a.model")
    hsel("convert", "-q", "a.hsel", "-o", "new.csv")
    rows = pathlib.Path("new.csv").read_text(encoding="utf-8").splitlines()
    pathlib.Path("half.csv").write_text("\n".join(line if i % 2 else line.rsplit(",", 1)[0] + ",?" for i, line in enumerate(rows, 1)) + "\n", encoding="utf-8")
    page = explore("half.csv", "--model", "a.model")
    assert None in page["instances"]["class"] and page["runs"][0]["instances"]["fold"] is None and page["runs"][0]["metrics"]
    assert page["runs"][0]["sample"] == "unknown" and any("it is unknown whether" in note for note in page["notes"])
    # instances that a model learned from are called so; of those it did not see there are lists of their own
    page = explore("new.csv", "--model", "a.model")
    assert page["runs"][0]["sample"] == "training" and any("training results" in note for note in page["notes"])
    hsel("train", "-q", "half.csv", "--select", "none", "-o", "half.model")
    page = explore("half.csv", "--model", "half.model")
    run, label = page["runs"][0], page["instances"]["class"]
    assert run["sample"] == "training" and {label[i] for name in ("certain", "doubtful") for i in run["lists"][name]} == {None}
    assert explore("a.hsel")["runs"][0]["sample"] == "out-of-fold"
    pathlib.Path("none.csv").write_text("\n".join(line.rsplit(",", 1)[0] for line in rows) + "\n", encoding="utf-8")
    page = explore("none.csv", "--model", "a.model")
    assert set(page["instances"]["class"]) == {None} and page["runs"][0]["metrics"] == [] and page["runs"][0]["lists"]["wrong"] == []
    for i, line in enumerate(hsel("predict", "-q", "a.model", "new.csv", "--json").stdout.splitlines()):
        assert json.loads(line)["predicted"] == page["dataset"]["classes"][page["runs"][0]["instances"]["predicted"][i]]
    # hostile names, numbers, more than two classes, no hierarchy
    hostile = ["</script><script>alert(1)</script>", "<!--", "a&b", "\u2028line", "'\"\\", "é"]
    with open("hostile.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", *hostile, "n", "class"])
        for i in range(30):
            out.writerow([f"<b>{i}</b>", *[(i >> b) & 1 for b in range(6)], i / 7, ["<i>", "&amp;", "c"][i % 3]])
    page = explore("hostile.csv", "--id", "id", "--folds", "3")
    assert set(page["terms"]["id"]) == {*hostile, "n"} and page["dataset"]["classes"] == ["&amp;", "<i>", "c"]
    assert page["instances"]["id"][3] == "<b>3</b>" and page["dataset"]["positive"] is None
    assert all(parents == [] for parents in page["terms"]["parents"])
    n = page["terms"]["id"].index("n")
    assert [support[n] for support in page["terms"]["support"]] == [10, 9, 10]  # numbers other than 0
    assert page["runs"][0]["terms"]["direction"][n] == 2  # the class of the highest mean
    for t, name in enumerate(page["terms"]["id"]):
        values = [i / 7 if name == "n" else (i >> hostile.index(name)) & 1 for i in range(30)]
        for c, label in enumerate(["&amp;", "<i>", "c"]):
            other = [float(["<i>", "&amp;", "c"][i % 3] == label) for i in range(30)]
            near(page["terms"]["correlation"][c][t], correlation(values, other), 1e-4)
    assert explore("hostile.csv", "--id", "id", "--folds", "3", "--classify", "svm")["runs"][0]["model"]["of"] in page["dataset"]["classes"]
    # of several classes calibration may change the one that is predicted, which is the one explained, before calibration
    draw = random.Random(4)
    with open("three.csv", "w", encoding="utf-8") as file:
        file.write("a,b,c,d,e,f,class\n")
        for _ in range(150):
            label = draw.choices("xyz", [7, 2, 1])[0]
            file.write(",".join(str(int(draw.random() < (0.6 if "xyz"[j % 3] == label else 0.35))) for j in range(6)) + f",{label}\n")
    given = ("three.csv", "--folds", "3", "--classify")
    page = explore(*given, "nb:calibration=platt", "--details", "150")
    hsel("eval", "-q", *given, "nb:calibration=none", "--predictions", "three-eval.csv")
    run, moved = page["runs"][0], 0
    with open("three-eval.csv", encoding="utf-8") as file:
        for i, row in enumerate(csv.DictReader(file)):
            label = page["dataset"]["classes"][run["instances"]["predicted"][i]]
            share, moved = float(row[f"P({label})"]), moved + (label != row["predicted"])
            near(run["details"][str(i)]["log_odds"], math.log(share / (1 - share)), 1e-4)
    assert moved > 5, moved
    # a number to predict: what was predicted is that of hsel eval, and what is added comes to it
    with open("heights.csv", "w", encoding="utf-8") as file:
        file.write("id,a,b,c,y\n" + "".join(f"i{i},{i % 2},{i % 3},{i * i % 7},{100 * (i % 2) + 7 * (i * i % 7)}\n" for i in range(24)))
    data = ("heights.csv", "--id", "id", "--target", "y", "--folds", "4", "--classify")
    page = explore(*data, "forest:trees=9", "--details", "2")
    hsel("eval", "-q", *data, "forest:trees=9", "--predictions", "heights-eval.csv")
    with open("heights-eval.csv", encoding="utf-8") as file:
        shown = {row["id"]: row for row in csv.DictReader(file)}
    run = page["runs"][0]
    assert page["dataset"]["target"] == "y" and page["dataset"]["classes"] == [] and [name for name, _ in run["metrics"]] == ["RMSE", "R2", "Spearman"]
    for i, name in enumerate(page["instances"]["id"]):
        assert abs(run["instances"]["number"][i] - float(shown[name]["predicted"])) < 1e-3 and page["instances"]["target"][i] == float(shown[name]["target"])
    off = sorted(range(24), key=lambda i: -abs(run["instances"]["number"][i] - page["instances"]["target"][i]))
    assert run["lists"]["off"] == off[:2] and len(run["lists"]["high"]) == 2 and run["details"]
    for i, detail in run["details"].items():
        assert abs(detail["baseline"] + sum(term[2] for term in detail["terms"]) + detail["rest"][1] - detail["number"]) < 0.01
        assert abs(detail["number"] - run["instances"]["number"][int(i)]) < 0.01
    hsel("train", "-q", "heights.csv", "--id", "id", "--target", "y", "--classify", "knn:k=2", "-o", "y.model")
    page = explore("heights.csv", "--id", "id", "--model", "y.model", "--details", "1")
    assert page["dataset"]["target"] == "y" and len(page["runs"][0]["instances"]["number"]) == 24
    # a forest that nothing was worth a test for
    with open("zeros.csv", "w", encoding="utf-8") as file:
        file.write("a,b,class\n" + "".join(f"0,0,{label}\n" for label in "xyxyxyxyxy"))
    page = explore("zeros.csv", "--classify", "forest", "--folds", "2")
    assert page["runs"][0]["model"]["kind"] == "importances" and "tree" not in page["runs"][0]["model"]
    # what cannot be done
    with open("one.csv", "w", encoding="utf-8") as file:
        file.write("a,class\n1,x\n0,x\n1,x\n")
    assert "class" in refused("explore", "one.csv", "--json")
    assert "-o" in refused("explore", "a.hsel")
    assert "DATA" in refused("explore", "--json")
    assert "hierarchy" in refused("explore", "hostile.csv", "--ignore", "n", "--select", "rpv", "--json")
    assert "instance" in refused("explore", "a.hsel", "--json", "--instance", "nobody")
    assert "--folds" in refused("explore", "new.csv", "--model", "a.model", "--folds", "3", "--json")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
print("explore: all as the slow counterparts have it")
