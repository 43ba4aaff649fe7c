#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables 3 and 4 of the GA-HFS paper (2018) next to what comes out here: runs the study studies/gahfs-2018.yaml (or takes up
where it was) and compares its eight approaches with the published figures, on the sets that are in the paper's tables.

The genetic searches are random, and so were the authors': a figure is a mean over seeds on the same ten folds, and cannot be met
to the digit. What can be compared is how the approaches stand to each other.

Exit status 0; 77 without the data.

usage: bench/reproduce_gahfs.py [options]      HSEL_DATA: data folder, default data/
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reproduce_rpv import NOT_THERE, PUBLISHED, ROOT, Table, find_hsel, signed, update_document  # noqa: E402

STUDY = ROOT / "studies" / "gahfs-2018.yaml"
# Name in the paper's tables (studies/published/gahfs_2018.csv) -> method text of the study, title.
APPROACHES = {
    "nofs": ("none", "No FS"), "cfs": ("cfs:termination=1", "CFS"), "hip": ("hip", "HIP"), "relieff": ("relieff:threshold=0.04,order=folds", "ReliefF"),
    "shsel": ("shsel:threshold=0.98", "SHSEL"), "ga-hfs-bitwise": ("ga:preset=bitwise", "GA bitwise"),
    "ga-hfs-she": ("ga:preset=she", "GA SHE"), "ga-hfs-cbhe": ("ga:preset=cbhe", "GA CbHE"),
}
SEARCHES = ("ga-hfs-bitwise", "ga-hfs-she", "ga-hfs-cbhe")
METRICS = {"gm": "GM", "auprc": "AUPRC"}

Ours = collections.namedtuple("Ours", "percent sd selected")


# ---- numbers ----

def read_published():
    """{(metric, data set, approach): percent}, data sets as under HSEL_DATA."""
    with open(PUBLISHED / "gahfs_2018.csv", encoding="utf-8", newline="") as file:
        return {(r["metric"], r["dataset"].replace(".", ""), r["selector"]): float(r["percent"]) for r in csv.DictReader(file)}


def run_study(options, work):
    """{(metric, data set, approach): Ours}"""
    table = os.path.join(work, "results.csv")
    store = options.store or os.path.join(work, "gahfs.db")
    environment = dict(os.environ, HSEL_DATA=str(pathlib.Path(options.data).resolve()))
    done = subprocess.run([options.hsel, "run", STUDY, "--store", store, "--export", table, "--yes"], env=environment,
                          stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit("the study did not come to its end")
    names = {method: name for name, (method, _) in APPROACHES.items()}
    with open(table, encoding="utf-8", newline="") as file:
        return {(r["metric"], r["dataset"], names[r["selector"]]):
                Ours(100 * float(r["fold_mean"]), 100 * float(r["sd"]), float(r["selected_pct"]))
                for r in csv.DictReader(file) if r["fold_mean"] and r["metric"] in METRICS}


def ranks(values):
    """Rank of each, 1 the highest, ties in the middle."""
    return [1 + sum(w > v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


def mean_ranks(figures, metric, sets):
    rows = [ranks([figures[metric, s, a] for a in APPROACHES]) for s in sets]
    return dict(zip(APPROACHES, map(statistics.fmean, zip(*rows))))


def compare(options, figures, metric, sets, work):
    """Friedman and Nemenyi, by hsel compare."""
    path = os.path.join(work, f"{metric}.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["dataset", *APPROACHES])
        out.writerows([s, *(f"{figures[metric, s, a]:.6f}" for a in APPROACHES)] for s in sets)
    return json.loads(subprocess.run([options.hsel, "compare", path, "--json"], capture_output=True, text=True, check=True).stdout)


# ---- tables ----

def search_table(metric, ours, published, sets):
    table = Table(f"gahfs-{metric}", f"{METRICS[metric]} of the genetic searches: ours (sd over seeds) / published",
                  ["part", *(APPROACHES[a][1] for a in SEARCHES)])
    for s in sets:
        cells = [ours[metric, s, a] for a in SEARCHES]
        table.rows.append([s] + [f"{c.percent:.1f} ({c.sd:.1f}) / {published[metric, s, a]:.1f}" for a, c in zip(SEARCHES, cells)])
    means = [(statistics.fmean(ours[metric, s, a].percent for s in sets), statistics.fmean(published[metric, s, a] for s in sets))
             for a in SEARCHES]
    table.rows.append(["mean"] + [f"{o:.1f} / {p:.1f}" for o, p in means])
    table.rows.append(["mean difference"] + [signed(o - p) for o, p in means])
    return table


def standing_table(metric, ours, published, sets):
    percents = {key: value.percent for key, value in ours.items()}
    here, there = mean_ranks(percents, metric, sets), mean_ranks(published, metric, sets)
    table = Table(f"gahfs-standing-{metric}", f"{METRICS[metric]}: how the approaches stand to each other",
                  ["method", "mean, ours", "mean, published", "mean rank, ours", "mean rank, published",
                   "CbHE better on, ours", "CbHE better on, published"])
    for a, (_, title) in APPROACHES.items():
        wins = [sum(f[metric, s, "ga-hfs-cbhe"] > f[metric, s, a] for s in sets) for f in (percents, published)]
        table.rows.append([title] + [f"{statistics.fmean(f[metric, s, a] for s in sets):.1f}" for f in (percents, published)] +
                          [f"{here[a]:.2f}", f"{there[a]:.2f}"] + ["" if a == "ga-hfs-cbhe" else str(w) for w in wins])
    return table


def size_table(ours, sets):
    table = Table("gahfs-sizes", "Percentage of features selected (mean over folds and seeds)",
                  ["part", *(title for _, title in APPROACHES.values())])
    for s in sets:
        table.rows.append([s] + [f"{ours['gm', s, a].selected:.1f}" for a in APPROACHES])
    table.rows.append(["mean"] + [f"{statistics.fmean(ours['gm', s, a].selected for s in sets):.1f}" for a in APPROACHES])
    return table


def test_table(options, ours, published, sets, work):
    table = Table("gahfs-tests", "Friedman's test and Nemenyi's critical difference on these sets",
                  ["metric", "part", "Friedman chi-square", "p", "critical difference", "significantly apart"])
    percents = {key: value.percent for key, value in ours.items()}
    for metric, title in METRICS.items():
        for name, figures in (("ours", percents), ("published", published)):
            found = compare(options, figures, metric, sets, work)
            mean, cd = mean_ranks(figures, metric, sets), found["nemenyi"]["critical_difference"]
            apart = [f"{APPROACHES[a][1]} over {', '.join(APPROACHES[b][1] for b in APPROACHES if mean[b] - mean[a] > cd)}"
                     for a in APPROACHES if any(mean[b] - mean[a] > cd for b in APPROACHES)]
            table.rows.append([title, name, f"{found['friedman']['chi2']:.1f}", f"{found['friedman']['p']:.2g}", f"{cd:.2f}",
                               "; ".join(apart)])
    return table


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hsel", default=find_hsel(), help="the program (default: the one under build/)")
    parser.add_argument("--data", default=os.environ.get("HSEL_DATA", ROOT / "data"), help="data folder")
    parser.add_argument("--store", help="keep the results of the study here, and take up what is there")
    parser.add_argument("--markdown", action="store_true", help="print Markdown instead of aligned text")
    parser.add_argument("--update", metavar="FILE.md", help="renew the tables in a document instead of printing them")
    options = parser.parse_args()
    if not options.hsel:
        parser.error("no hsel found under build/; give its path with --hsel")
    return options


def main():
    options = parse()
    if not (pathlib.Path(options.data) / "rpv").is_dir():
        print("skipped: the reproduction needs the published data sets; HSEL_DATA names their folder")
        return NOT_THERE
    published = read_published()
    with tempfile.TemporaryDirectory() as work:
        ours = run_study(options, work)
        sets = [s for s in dict.fromkeys(s for _, s, _ in published)
                if all((m, s, a) in ours for m in METRICS for a in APPROACHES)]
        tables = [search_table(m, ours, published, sets) for m in METRICS]
        tables += [standing_table(m, ours, published, sets) for m in METRICS]
        tables += [test_table(options, ours, published, sets, work), size_table(ours, sets)]
    if options.update:
        update_document(options.update, tables)
    else:
        print("\n".join(f"## {t.title}\n\n{t.markdown()}" if options.markdown else t.text() for t in tables))
    cells = [(ours[m, s, a], published[m, s, a]) for m in METRICS for s in sets for a in SEARCHES]
    print(f"Summary: GA-HFS 2018, genetic searches (random): {len(cells)} cells, {sum(abs(o.percent - p) <= 2 * o.sd + 0.05 for o, p in cells)} "
          f"within two standard deviations over seeds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
