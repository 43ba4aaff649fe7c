# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel.discover: what the command says, from data sets and arrays, names and masks; wrong input."""
import json
import warnings

import numpy as np
import pytest

import hsel


@pytest.fixture(scope="module")
def named(data):
    return hsel.Dataset.from_arrays(data.X, data.y, hierarchy=data.hierarchy, feature_names=data.feature_names, ids=[f"Gene{i}" for i in range(len(data))])


@pytest.fixture(scope="module")
def known(named):
    return [named.ids[i] for i in range(0, len(named.ids), 4)]


@pytest.fixture(scope="module")
def found(named, known):
    return hsel.discover(named, known, classifier="nb", top=7, fdr=0.2, correct_bias=True, cv=4, repeats=2, random_state=3, n_jobs=2)


def test_same_as_command(command, named, tmp_path, known, found):
    folder = tmp_path / "named.hsel"
    named.write(folder)
    shown = json.loads(command("discover", "-q", folder, "--json", "--positives", ",".join(known), "--classify", "nb", "--top", 7, "--fdr", 0.2,
                               "--correct-bias", "--folds", 4, "--repeats", 2, "--seed", 3))
    rows = found.table.to_dict("records")
    assert len(found) == len(rows) == 7
    for row, other in zip(rows, shown["candidates"]):
        assert row["instance"] == other["instance"] - 1
        assert {key: row[key] for key in ("id", "score", "probability", "percentile", "expected_precision", "annotations", "selected")} == \
            {key: other[key] for key in ("id", "score", "probability", "percentile", "expected_precision", "annotations", "selected")}
        assert [reason["feature"] for reason in row["reasons"]] == [reason["feature"] for reason in other["reasons"]]
    for key in ("validation", "study_bias", "selection", "not_found"):
        assert getattr(found, key) == shown[key], key
    assert str(found).startswith("candidates ") and found.report.startswith("Methods")


def test_arrays_and_masks(named, known, found):
    data = named
    mask = np.isin(data.ids, known)
    given = {"classifier": "nb", "top": None, "cv": 4, "repeats": 2, "random_state": 3, "correct_bias": True}
    whole = hsel.discover(data, known, **given).table
    assert len(whole) == (~mask).sum() and not mask[whole["instance"]].any() and whole["score"].is_monotonic_decreasing
    assert found.table["score"].tolist() == whole["score"][:7].tolist()
    other = hsel.discover(data.X, mask, hierarchy=data.hierarchy, ids=data.ids, **given).table
    assert other["score"].tolist() == whole["score"].tolist() and other["id"].tolist() == whole["id"].tolist()
    plain = hsel.discover(data.X, mask, hierarchy=data.hierarchy, **given).table
    assert plain["instance"].tolist() == whole["instance"].tolist() and plain["id"].isna().all()


def test_names_that_match_nothing(named, known):
    with pytest.warns(UserWarning, match="these names match no instance: nobody"):
        found = hsel.discover(named, ", ".join([*known, "nobody"]).lower(), classifier="nb")
    assert found.not_found == ["nobody"] and found.to_dict()["known"] == len(known)


@pytest.mark.parametrize("wrong, message", [
    ({}, "which instances are known positives"), ({"positives": []}, "positives is empty"), ({"positives": ["nobody"]}, "none of the known positives"),
    ({"positives": [True, False]}, "positives has shape"), ({"positives": "#1"}, "at least 3 known positives"),
    ({"positives": ["#1", "#2", "#3", "#4", "#5"], "fdr": 1}, "fdr must be a number"), ({"positives": ["#1", "#2", "#3", "#4", "#5"], "top": 0}, "top must be"),
    ({"positives": ["#1", "#2", "#3"]}, "too few for 5 folds"), ({"positives": ["#1"], "ids": ["a"]}, "a Dataset has its own"),
    ({"positives": ["#1", "#2", "#3", "#4", "#5"], "negatives": ["#1"], "fdr": 0.1}, "known negative")])
def test_wrong(data, wrong, message):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(hsel.UsageError, match=message):
            hsel.discover(data, **wrong)
