# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages to test: the parts that the build made, around data that are written by hand (sample.json), generated, or left out."""
import base64
import hashlib
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
BODY = HERE.parent.parent / "explore" / "page" / "page.html"


def write(path, data, texts):
    """As hsel explore writes a page; texts: the folder of the build that has explorer.js and explorer.css."""
    script = (texts / "explorer.js").read_text()
    known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{known}'"
    path.write_text(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>explorer</title>
<style>{(texts / "explorer.css").read_text()}</style>
</head>
<body>
{BODY.read_text()}<script type="application/json" id="data">{json.dumps(data).replace("<", chr(92) + "u003c")}</script>
<script>{script}</script>
</body>
</html>
""")
    return path


def sample():
    return json.loads((HERE / "sample.json").read_text())


def long():
    """Names of 200 characters, without blanks, with, and from right to left."""
    data = sample()
    names = ["x" * 200, "many words of a name " * 10, "\u05e9\u05dc\u05d5\u05dd " * 40]
    data["dataset"]["classes"] = ["y" * 200, names[2].strip()]
    data["terms"]["id"] = [f"{i}{names[i % 3]}".strip() for i in range(len(data["terms"]["id"]))]
    data["terms"]["label"] = [None] * len(data["terms"]["id"])
    ids = data["instances"]["id"]
    data["instances"]["id"] = [f"{i}{names[i % 3]}".strip() for i in range(len(ids))]
    data["instances"]["label"] = [None] * len(ids)
    return data


WORDS = "regulation response cellular metabolic process of protein signalling pathway development organ cell cycle membrane transport negative " \
        "positive acid binding stress immune lipid DNA repair synaptic vesicle mitochondrial".split()


def large(terms=2000, instances=20000, selected=500, details=60):
    """Shaped like the Gene Ontology: a root, up to 14 levels, one to three parents for each term."""
    rng = random.Random(7)
    depth, parents = [0], [[]]
    for t in range(1, terms):
        above = rng.randrange(max(0, t // 8 - 5), max(1, t // 3 + 1))
        chosen = sorted({above} | {p for p in (rng.randrange(t) for _ in range(2)) if rng.random() < 0.35 and depth[p] <= depth[above] + 1})
        parents.append([p for p in chosen if p == above or above not in parents[p]])
        depth.append(1 + max(depth[p] for p in parents[-1]))
    strong = set(rng.sample(range(1, terms), selected))
    odds = [round(rng.gauss(0, 1), 3) if t in strong else None for t in range(terms)]
    own = {i: sorted(rng.sample(sorted(strong), 80)) for i in range(details)}
    told = {str(i): {"baseline": -1.5, "log_odds": -1.5 + sum(odds[t] for t in ts), "reasoning": "terms",
                     "terms": [[t, 1, odds[t], 0] for t in sorted(ts, key=lambda t: -abs(odds[t]))], "rest": [0, 0],
                     "verdicts": [[t, 1, "kept", -1, 0.1, None] for t in ts], "has": ts} for i, ts in own.items()}
    predicted = [int(rng.random() < 0.3) for _ in range(instances)]
    return {
        "format": 1, "hsel": "0.1.0", "title": "large", "command": "hsel explore large.hsel", "notes": [], "namespaces": ["biological_process"],
        "relations": ["is_a"], "rules": {"kept": "kept"},
        "dataset": {"name": "large", "instances": instances, "features": terms, "classes": ["none", "omim"], "class_sizes": [instances - 3000, 3000],
                    "positive": 1, "provenance": []},
        "terms": {"id": [f"GO:{t:07d}" for t in range(terms)], "label": [" ".join(rng.sample(WORDS, rng.randint(2, 6))) for _ in range(terms)],
                  "namespace": [0] * terms, "depth": depth, "support": [[rng.randrange(2000) for _ in range(terms)] for _ in range(2)], "parents": parents},
        "instances": {"id": [f"ENSG{i:08d}" for i in range(instances)], "label": [f"GENE{i}" for i in range(instances)], "class": [int(rng.random() < 0.2) for _ in range(instances)]},
        "runs": [{"selector": "hip", "classifier": "nb", "lazy": True, "how": "10-fold cross-validation, seed 1", "of": instances, "metrics": [["GM", 61.0]],
                  "terms": {"selected": [rng.randrange(1, instances) if t in strong else 0 for t in range(terms)],
                            "score": [round(rng.random(), 4) if t in strong else None for t in range(terms)],
                            "direction": [None if v is None else int(v > 0) for v in odds], "log_odds": odds, "importance": None},
                  "instances": {"predicted": predicted, "log_odds": [round(rng.gauss(0, 3), 3) for _ in range(instances)],
                                "probability": [round(rng.random(), 4) for _ in range(instances)], "fold": [i % 10 for i in range(instances)]},
                  "details": told, "lists": {"certain": list(range(20)), "doubtful": list(range(20, 40)), "wrong": list(range(40, details)), "asked": []},
                  "model": {"kind": "none"}}]}


def matrix(folder, hsel):
    """Data of all kinds in a folder; what hsel explore is to be given for each page. hsel(*words) runs the program there."""
    rng = random.Random(11)
    folder.mkdir()

    def table(name, names, rows, last="class", ids=True):
        (folder / name).write_text(",".join([*(["id"] if ids else []), *names, last]) + "\n" +
                                   "".join(",".join([*([f"i{i}"] if ids else []), *map(str, row)]) + "\n" for i, row in enumerate(rows)))
    names = ["top", "left", "right", "low", "other", "alone"]
    (folder / "up.tsv").write_text("left\ttop\nright\ttop\nlow\tleft\nlow\tright\nother\tright\n")
    (folder / "labels.tsv").write_text("id\tlabel\n" + "".join(f"{name}\tthe {name} one\n" for name in names))

    def row(yes):
        low, other = rng.random() < (0.7 if yes else 0.2), rng.random() < (0.2 if yes else 0.6)
        return [1, int(low or rng.random() < 0.3), int(low or other), int(low), int(other), int(rng.random() < 0.5)]
    two = [(row(i % 3 == 0), "yes" if i % 3 == 0 else "no") for i in range(90)]
    table("ids.csv", names, [[*values, label] for values, label in two])
    table("plain.csv", names, [[*values, label] for values, label in two], ids=False)
    table("few.csv", names, [[*values, label] for values, label in two[:26]])
    table("some.csv", names, [[*values, "" if i < 6 else label] for i, (values, label) in enumerate(two)])
    table("known.csv", names, [[*values, "known" if label == "yes" and i % 2 else "unlabelled"] for i, (values, label) in enumerate(two)])
    table("number.csv", names, [[*values, 10 * values[3] - 4 * values[4] + i % 3] for i, (values, _) in enumerate(two)], last="y")
    own = [f"only{c}" for c in range(8)]
    table("eight.csv", ["top", *own], [[1, *(int(rng.random() < (0.8 if c == i % 8 else 0.1)) for c in range(8)), f"class {i % 8}"] for i in range(160)], ids=False)
    (folder / "eight.tsv").write_text("".join(f"{name}\ttop\n" for name in own))
    there = ["http://one.example/class/Town", "http://two.example/Town", "http://one.example/class#River", "http://one.example/class/Lake/"]
    table("addresses.csv", there, [[*values[1:5], label] for values, label in two], ids=False)
    (folder / "study.yaml").write_text("name: small\ndatasets:\n  - path: ids.csv\n    hierarchy: up.tsv\nselectors: [rpv, shsel]\nclassifiers: [nb]\nfolds: {count: 5}\n")
    (folder / "eight.yaml").write_text("name: eight\ndatasets:\n  - path: eight.csv\nselectors: [none]\nclassifiers: [nb]\nfolds: {count: 5}\n")
    hsel("run", "-q", "study.yaml", "--store", "small.db")
    hsel("run", "-q", "eight.yaml", "--store", "eight.db")
    up = ["--hierarchy", "up.tsv"]
    hsel("train", "-q", "some.csv", *up, "--select", "rpv", "-o", "some.model")
    hsel("train", "-q", "number.csv", "--target", "y", *up, "--classify", "knn:k=3", "-o", "number.model")
    return {
        "no_ids": ["plain.csv", *up, "--labels", "labels.tsv", "--select", "rpv"], "no_labels": ["ids.csv", *up, "--select", "rpv,hip"],
        "no_hierarchy": ["plain.csv", "--classify", "nb,tree,svm"], "number": ["number.csv", "--target", "y", *up, "--classify", "knn:k=3,tree"],
        "eight": ["eight.csv", "--hierarchy", "eight.tsv", "--classify", "nb,svm,tree,forest"], "few": ["few.csv", *up, "--select", "shsel", "--folds", "3"],
        "addresses": ["addresses.csv"], "store": ["--store", "small.db"], "stored_eight": ["--store", "eight.db"], "model": ["some.csv", "--model", "some.model"],
        "model_of_numbers": ["number.csv", "--model", "number.model"],
        "candidates": ["known.csv", *up, "--select", "rpv", "--details", "5"], "some": ["some.csv", *up, "--select", "rpv"],
        "neighbours": ["plain.csv", "--classify", "knn:k=3"], "network": ["eight.csv", "--classify", "tan"]}


def bare():
    """As little as the format allows: no labels, no hierarchy, no details, no model, one class."""
    return {"format": 1, "hsel": "0.1.0", "title": "bare", "dataset": {"name": "bare", "classes": ["only"], "positive": 0},
            "terms": {"id": ["f1", "f2", "f3"], "parents": [[], [], []], "support": [[1, 2, 3]]}, "instances": {"id": ["a", "b"], "class": [0, None]},
            "runs": [{"selector": "all", "classifier": "nb", "terms": {"selected": [1, 1, 0]}, "instances": {"predicted": [0, 0]}, "details": {}, "lists": {}}]}


def formulas():
    """Names that a spreadsheet would run."""
    names = ["=1+1", "+1 800", "-x", "@SUM(A1)", "\t=1", "-3", "a=b"]
    return {"format": 1, "dataset": {"name": "formulas", "classes": ["a", "b"], "positive": 1, "class_sizes": [1, 1]},
            "terms": {"id": [f"t{i}" for i in range(len(names))], "label": names}, "instances": {"id": ["=HYPERLINK(1)", "b"], "class": [0, 1]},
            "runs": [{"selector": "all", "classifier": "nb", "of": 1, "terms": {"selected": [1] * len(names), "log_odds": [-1.5] * len(names)}}]}


def empty():
    return {"format": 1, "dataset": {}, "terms": {}, "instances": {}, "runs": []}
