#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets Tables 3 to 5 of the SHSEL paper (2014) beside what comes out here, for the two of its data sets that later authors published.

Runs studies/shsel-2014.yaml (what is in the store is not run again): every threshold from 0 to 1 in steps of 0.01, the best of them
by accuracy. The published files hold other features than the paper counts, so figures are for orientation (docs/reproduction.md).

Exit status 0; 77 without the data.

usage: bench/reproduce_shsel.py [options]      HSEL_DATA: data folder, default data/
"""
import sys

sys.dont_write_bytecode = True
import reproduce_hieaode  # noqa: E402
from reproduce_rpv import NOT_THERE, Table, update_document  # noqa: E402


def main():
    options = reproduce_hieaode.parse()
    if not (options.data / "ld").is_dir():
        print("skipped: the reproduction needs the published data sets; HSEL_DATA names their folder")
        return NOT_THERE
    rows = [r for r in reproduce_hieaode.results(options, "shsel-2014") if r["published"]]
    tables = []
    for metric in dict.fromkeys(r["metric"] for r in rows):
        some = [r for r in rows if r["metric"] == metric]
        columns = list(dict.fromkeys((r["dataset"], r["classifier"]) for r in some))
        table = Table(f"shsel-{metric}", f"SHSEL paper, {metric}, ours / published", ["selector"] + [f"{d}, {c}" for d, c in columns])
        for selector in dict.fromkeys(r["selector"] for r in some):
            line = {(r["dataset"], r["classifier"]): f"{100 * float(r['fold_mean']):.1f} / {100 * float(r['published']):.1f}"
                    for r in some if r["selector"] == selector}
            table.rows.append([selector] + [line.get(c, "") for c in columns])
        tables.append(table)
    if options.update:
        update_document(options.update, tables)
    else:
        print("\n".join(t.text() for t in tables))
    distance = [100 * abs(float(r["fold_mean"]) - float(r["published"])) for r in rows]
    print(f"Summary: SHSEL 2014, Tables 3 to 5 (other features): {len(rows)} cells, {sum(d <= 1 for d in distance)} within 1 point, "
          f"{sum(d <= 5 for d in distance)} within 5")
    return 0


if __name__ == "__main__":
    sys.exit(main())
