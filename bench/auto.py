#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the automatic choice worth it? `hsel auto` on every gene set of data/, beside every fixed method on the same outer folds.

For each set: the estimate of hsel auto (mean AUROC over 5 outer folds), and the mean AUROC of each candidate by itself over the same
folds (hsel eval). The best of these in hindsight is too good: nobody knows it beforehand, and the best of 28 is so by luck, too. The
candidate with the best mean over all other sets is what one could have known from them. Prints tables of Markdown;
--update writes them into docs/auto.md, between its two marks.

usage: bench/auto.py [--hsel PATH] [--repeats R] [--inner-repeats R] [--race LEVEL|off] [--update] [SET ...]
       default: build/release/hsel, 3 repeats, all sets of data/rpv and data/aire
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- bench/auto.py --update writes from here -->", "<!-- to here -->"


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def measure(hsel, folder, repeats, inner_repeats, race):
    """What auto says of a set, the AUROC of each candidate over the same outer folds, and seconds of processors for auto."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = run(hsel, "auto", folder, "-q", "--drop-roots", "--json", "--threads", 1, "--repeats", repeats,
                "--inner-repeats", inner_repeats, "--race", race)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    fixed = {}
    partners = {}
    for c in found["candidates"]:
        partners.setdefault(c["selector"], []).append(c["classifier"])
    for classifiers in {tuple(sorted(names)) for names in partners.values()}:
        selectors = [name for name, names in partners.items() if tuple(sorted(names)) == classifiers]
        shown = run(hsel, "eval", folder, "-q", "--drop-roots", "--json", "--threads", 1, "--folds", 5, "--repeats", repeats,
                    *(word for name in selectors for word in ("--select", name)),
                    *(word for name in classifiers for word in ("--classify", name)))
        fixed.update({(row["selector"], row["classifier"]): row["metrics"]["auroc"]["fold_mean"] for row in shown})
    return found, fixed, seconds


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def name_of(pair):
    return f"`{pair[0]}` with `{pair[1]}`"


def tables(sets, results, arguments):
    pairs = sorted(set.intersection(*(set(fixed) for _, fixed, _ in results)))
    lines = ["| set | choice | estimate | chosen in outer folds | in hindsight the best | its AUROC | rank of the choice | tests |", "|---|---|--:|--:|---|--:|--:|--:|"]
    facts = []
    for i, (folder, (found, fixed, _)) in enumerate(zip(sets, results)):
        choice, estimate = (found["choice"]["selector"], found["choice"]["classifier"]), found["estimate"]["mean"]
        best = max(fixed, key=fixed.get)
        others = max(pairs, key=lambda p: mean(r[1][p] for j, r in enumerate(results) if j != i or len(results) == 1))
        rank = 1 + sum(value > fixed[choice] for value in fixed.values())
        share = found["tests"] / found["tests_without_racing"]
        won = next(c["won_outer_folds"] for c in found["candidates"] if c["chosen"])
        lines.append(f"| {folder.parent.name}/{folder.name} | {name_of(choice)} | {100 * estimate:.1f} | {won} of {5 * arguments.repeats} | {name_of(best)} | "
                     f"{100 * fixed[best]:.1f} | {rank} of {len(fixed)} | {100 * share:.0f} % |")
        facts.append({"auto": estimate, "best": fixed[best], "others": fixed[others], "choice": fixed[choice], "rank": rank, "share": share,
                      "inner": found["estimate"]["inner"], "p": found["selection"]["p"], "difference": found["selection"]["mean"],
                      "none": fixed["none", "nb"]})
    overall = max(pairs, key=lambda p: mean(fixed[p] for _, fixed, _ in results))
    rows = [("`hsel auto`: its estimate", mean(f["auto"] for f in facts)),
            ("the same pipelines in the inner folds that chose them", mean(f["inner"] for f in facts)),
            ("the best on each set, in hindsight", mean(f["best"] for f in facts)),
            (f"the best of all sets in hindsight, {name_of(overall)}", mean(fixed[overall] for _, fixed, _ in results)),
            ("on each set the best of the other sets", mean(f["others"] for f in facts)),
            ("`none` with `nb`", mean(f["none"] for f in facts)),
            ("the mean candidate", mean(mean(fixed.values()) for _, fixed, _ in results))]
    summary = ["| | mean AUROC | `hsel auto` is better on |", "|---|--:|--:|"]
    compare = {2: "best", 4: "others", 5: "none"}
    for i, (what, value) in enumerate(rows):
        wins = f"{sum(f['auto'] > f[compare[i]] for f in facts)} of {len(facts)} sets" if i in compare else ""
        if i == 3:
            wins = f"{sum(f['auto'] > fixed[overall] for f, (_, fixed, _) in zip(facts, results))} of {len(facts)} sets"
        summary.append(f"| {what} | {100 * value:.1f} | {wins} |")
    n = len(facts)
    words = [f"The choice was the best in hindsight on {sum(f['rank'] == 1 for f in facts)} of {n} sets, among the first five of {len(pairs)} on "
             f"{sum(f['rank'] <= 5 for f in facts)}, and within one point of the best on {sum(f['best'] - f['choice'] < 0.01 for f in facts)}.",
             f"Selection was better than none with p < 0.05 on {sum(f['p'] < 0.05 and f['difference'] > 0 for f in facts)} sets and worse on "
             f"{sum(f['p'] < 0.05 and f['difference'] < 0 for f in facts)}.",
             f"With a race at level {arguments.race} {100 * mean(f['share'] for f in facts):.0f} % of the tests were done that there are without one."
             if arguments.race != "off" else "There was no race."]
    return "\n".join([*summary, "", " ".join(words), "", *lines])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--hsel", default=str(ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--inner-repeats", type=int, default=1)
    parser.add_argument("--race", default="0.05")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("sets", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    sets = arguments.sets or sorted(p for part in ("rpv", "aire") for p in (ROOT / "data" / part).iterdir())
    # In processes of their own, so that the time of each is its own.
    with concurrent.futures.ProcessPoolExecutor(min(len(sets), os.cpu_count() or 1)) as pool:
        same = [[value] * len(sets) for value in (arguments.hsel, arguments.repeats, arguments.inner_repeats, arguments.race)]
        results = list(pool.map(measure, same[0], sets, *same[1:]))
    text = tables(sets, results, arguments)
    print(text)
    print(f"\n{sum(r[2] for r in results):.0f} seconds of processors for hsel auto, {max(r[2] for r in results):.1f} for the longest", file=sys.stderr)
    if arguments.update:
        page = ROOT / "docs" / "auto.md"
        before, _, rest = page.read_text().partition(BEGIN)
        page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
