#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How good `blend` and `hsel auto` are beside single methods: blend.py [--hsel PATH] [--work DIR] [--check | --table].

Runs studies/blend-pairs.yaml, blend-arrays.yaml and blend.yaml, and `hsel auto` on the same outer folds, in DIR (default build/blend; an interrupted run
resumes), and writes bench/blend.csv, AUROC by data set and method, and from it the table in docs/blend.md. --table only makes the table again.
--check compares docs/blend.md with bench/blend.csv, and bench/blend.csv with a new run of some methods on the smallest gene set (a test).
"""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES, PAGE = ROOT / "bench" / "blend.csv", ROOT / "docs" / "blend.md"
DATA = ROOT / "data"
SHOWN = 9  # best single methods in the table, and …
BASELINES = ("logistic", "forest", "forest (weka)", "forest:retry", "boost", "svm", "svm:c=1", "tree", "tree (weka)", "knn:k=15 (weka)")
PROBE, PROBED = "MM-CC", ("nb", "hip+nb", "logistic", "blend")
KINDS = {"worm": "CE-", "fly": "DM-", "mouse": "MM-"}
OTHER = ("LDCities", "LDSportsTweetst", "gut", "leukemia", "lymphoma", "colon")


def is_gene(name):
    return name not in OTHER


def places(work):
    """Name in the studies: arguments of hsel."""
    sets = {p.name: [p, "--drop-roots"] for p in sorted((DATA / "rpv").iterdir())}
    sets.update({p.name + ("-2020" if p.name.startswith("DM") else ""): [p] for p in sorted((DATA / "aire").iterdir())})
    for name, more in (("LDCities", []), ("LDSportsTweetst", ["--propagate"])):
        sets[name] = [DATA / "ld" / name, "--hierarchy", DATA / "ld" / name / "hierarchy_java.tsv.gz", *more]
    sets["gut"] = [work / "gut.hsel"]
    for name, folder in (("leukemia", "leukemia_golub"), ("lymphoma", "dlbcl_shipp"), ("colon", "colon_alon")):
        sets[name] = [DATA / "numeric" / folder]
    return sets


def run(work, hsel):
    """AUROC in per cent: {method: {data set: (value, standard error over folds or None)}}."""
    work.mkdir(parents=True, exist_ok=True)
    found, store, gut = {}, work / "blend.db", work / "gut.hsel"
    environment = dict(os.environ, HSEL_GUT=str(gut), HSEL_DATA=str(DATA))
    if not gut.exists():
        subprocess.run([hsel, "build", "-q", "--abundance", DATA / "microbiome" / "abundance.tsv.gz", "--metadata",
                        DATA / "microbiome" / "metadata.tsv.gz", "--class", "Category", "-o", gut], check=True)
    for study in ("blend-pairs", "blend-arrays", "blend"):
        subprocess.run([hsel, "run", "-q", ROOT / "studies" / f"{study}.yaml", "--store", store], env=environment, check=False)
        table = subprocess.run([hsel, "report", "-q", store, "--study", study, "--format", "csv", "--studies", ROOT / "studies", "-o", "-"],
                               env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        for row in csv.DictReader(io.StringIO(table)):
            if row["metric"] == "auroc" and row["fold_mean"]:
                name = row["classifier"] if row["selector"] == "none" else row["selector"] + "+" + row["classifier"]
                found.setdefault(name, {})[row["dataset"]] = (100 * float(row["fold_mean"]), 100 * float(row["fold_se"] or 0))
    for name, arguments in places(work).items():
        out = work / f"auto-{name}.json"
        if not out.exists():
            done = subprocess.run([hsel, "auto", "-q", *arguments, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
            out.write_text(done)
        estimate = json.loads(out.read_text())["estimate"]
        found.setdefault("auto", {})[name] = (100 * estimate["mean"], 100 * estimate["se"])
    return found


def write(found):
    with FIGURES.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["dataset", "method", "auroc", "se"])
        for method in sorted(found):
            for name in sorted(found[method]):
                table.writerow([name, method, *(f"{x:.3f}" for x in found[method][name])])


def read():
    found = {}
    with FIGURES.open(newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["method"], {})[row["dataset"]] = (float(row["auroc"]), float(row["se"]))
    return found


def mean(values):
    return sum(values) / len(values)


def compare(hsel, found, sets, methods):
    """Mean ranks, and p-values of Wilcoxon's test of auto against each, corrected by Holm."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "results.csv")
        path.write_text("".join(",".join([s, *(str(found[m][s][0]) for m in methods)]) + "\n" for s in sets))
        path.write_text(",".join(["set", *(f"m{i}" for i in range(len(methods)))]) + "\n" + path.read_text())
        out = json.loads(subprocess.run([hsel, "compare", "-q", path, "--pairs", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    name = {f"m{i}": m for i, m in enumerate(methods)}
    rank = {name[m["method"]]: m["mean_rank"] for m in out["methods"]}
    p = {(set(map(name.get, (pair["method"], pair["against"]))) - {"auto"}).pop(): pair["wilcoxon_p"]
         for pair in out["pairs"] if "auto" in (name[pair["method"]], name[pair["against"]])}
    corrected, worst = {}, 0
    for i, m in enumerate(sorted(p, key=p.get)):
        worst = corrected[m] = max(worst, min(1, p[m] * (len(p) - i)))
    return rank, corrected


def tables(hsel, found):
    genes = sorted(s for s in found["auto"] if is_gene(s))
    whole = [m for m in found if all(s in found[m] for s in genes)]
    average = {m: mean([found[m][s][0] for s in genes]) for m in whole}
    single = sorted((m for m in whole if m not in ("auto", "blend")), key=average.get, reverse=True)
    methods = ["auto", "blend", *single]
    rank, p = compare(hsel, found, genes, methods)
    lines = [f"| method | {len(genes)} gene sets | " + " | ".join(KINDS) + " | mean rank | p |", "|---|--:|" + "--:|" * len(KINDS) + "--:|--:|"]
    for m in methods[:2 + SHOWN] + [m for m in single[SHOWN:] if m in BASELINES]:
        of = [mean([found[m][s][0] for s in genes if s.startswith(k)]) for k in KINDS.values()]
        lines.append(f"| `{m}` | {average[m]:.1f} | " + " | ".join(f"{x:.1f}" for x in of) + f" | {rank[m]:.1f} | " +
                     ("" if m == "auto" else "< 0.001" if p[m] < 0.001 else f"{p[m]:.3f}") + " |")
    lines += ["", f"Of {len(single)} single methods, the best {SHOWN} and some baselines. p: Wilcoxon's signed-rank test of `auto` against the method, corrected by Holm for all "
              f"{len(single) + 1}.", "", "| data set | `auto` | `blend` | best single method | its AUROC | ± se |", "|---|--:|--:|---|--:|--:|"]
    for s in (s for s in OTHER if s in found["blend"]):
        best = max((m for m in found if m not in ("auto", "blend") and s in found[m]), key=lambda m: found[m][s][0])
        auto = f"{found['auto'][s][0]:.1f}" if s in found["auto"] else ""
        lines.append(f"| {s} | {auto} | {found['blend'][s][0]:.1f} | `{best}` | {found[best][s][0]:.1f} | {found[best][s][1]:.1f} |")
    return "\n".join(lines)


def check(hsel, found):
    text = PAGE.read_text()
    wrong = [] if tables(hsel, found) in text else ["docs/blend.md: its table is not that of bench/blend.csv: run bench/blend.py --table"]
    for method in PROBED:
        selector, _, classifier = method.rpartition("+")
        rows = subprocess.run([hsel, "eval", "-q", *places(ROOT)[PROBE], "--select", selector or "none", "--classify", classifier, "--folds", "5",
                               "--metrics", "auroc", "--csv"], check=True, stdout=subprocess.PIPE, text=True).stdout
        now, stored = float(next(csv.DictReader(io.StringIO(rows)))["auroc"]), found[method][PROBE][0]
        if abs(now - stored) > 0.01:
            wrong.append(f"bench/blend.csv: {method} has {stored:.3f} on {PROBE}, and now {now:.3f}: run bench/blend.py")
    print("\n".join(wrong) or "blend: the table agrees with the program")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hsel", default=str(ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "blend")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    if asked.check:
        return check(asked.hsel, read())
    if not asked.table:
        write(run(asked.work, asked.hsel))
    made = tables(asked.hsel, read())
    text, changed = re.subn(r"(<!-- blend -->\n).*?(\n<!-- end -->)", lambda m: m[1] + made + m[2], PAGE.read_text(), flags=re.S)
    assert changed == 1
    PAGE.write_text(text)
    return 0


sys.exit(main())
