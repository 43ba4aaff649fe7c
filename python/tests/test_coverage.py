# SPDX-License-Identifier: GPL-3.0-or-later
"""Confidence intervals contain the true value about as often as they should, by design: bench/interval_coverage.py with few runs."""
import importlib.util
import pathlib

import pytest

where = pathlib.Path(__file__).resolve().parents[2] / "bench" / "interval_coverage.py"
study = importlib.util.module_from_spec(importlib.util.spec_from_file_location("interval_coverage", where))
study.__spec__.loader.exec_module(study)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, least", [("independent, 5 folds, 5 repeats", 0.88), ("60 groups of 4, 5 folds", 0.78), ("test set of 100", 0.84)])
def test_coverage(name, least):
    _, hits, widths = study.coverage(name, runs=60, rounds=15)
    assert hits.min() >= least, hits  # binomial standard error: 0.03
    assert (widths < 0.35).all(), widths  # not by being too wide
