# SPDX-License-Identifier: GPL-3.0-or-later
"""Positives and unlabelled instances: the class unlabelled, and the option that makes it."""
import hsel
import numpy as np
import pytest


@pytest.fixture
def table(tmp_path):
    rng = np.random.RandomState(1)
    X = rng.binomial(1, 0.4, (60, 6)).astype(np.uint8)
    y = np.where(X[:, 0] + rng.binomial(1, 0.3, 60) > 1, "pro", "anti")
    path = tmp_path / "genes.csv"
    path.write_text("\n".join([",".join([*"abcdef", "class"])] + [",".join([*map(str, row), label]) for row, label in zip(X, y)]) + "\n")
    return X, y, path


def test_option_and_class_name_agree(table):
    X, y, path = table
    data = hsel.read(path, pu=True, positive="pro")
    labels = np.where(y == "pro", "pro", "unlabelled")
    assert [data.class_names[c] for c in data.y] == list(labels)
    mine, theirs = (hsel.cross_validate(X, labels, cv=3, random_state=1), hsel.cross_validate(data, cv=3, random_state=1))
    assert data.positive_class == "pro" and mine["sensitivity"] == theirs["sensitivity"]
    assert np.array_equal(mine.probabilities, theirs.probabilities)


def test_positive_class_must_be_decided(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("a,class\n1,x\n0,y\n1,z\n")
    with pytest.raises(hsel.UsageError, match="give positive="):
        hsel.read(path, pu=True)
    data = hsel.read(path, pu=True, positive="z")
    assert [data.class_names[c] for c in data.y] == ["unlabelled", "unlabelled", "z"] and data.positive_class == "z"


def test_metrics_without_negatives():
    scores, labelled = np.arange(12, 0, -1), np.isin(np.arange(12), (0, 3))
    found = hsel.pu_metrics(scores, labelled, prior=0.2)
    assert found["auroc_unlabelled"]["estimate"] == 0.9 and found["auroc_corrected"]["estimate"] == 1
    assert [top["k"] for top in found["top"]] == [10, 1, 2] and found["top"][1]["recall"] == 0.5
    assert not found["prior"]["estimated"] and hsel.pu_metrics(scores, labelled)["prior"]["estimated"]
    for wrong in ({"scores": scores[1:]}, {"labelled": labelled[:, None]}, {"groups": [1]}, {"prior": 2}):
        with pytest.raises(hsel.UsageError):
            hsel.pu_metrics(**{"scores": scores, "labelled": labelled, **wrong})


def test_metrics_are_those_of_the_command(table, tmp_path):
    rng = np.random.RandomState(2)
    y = np.where(rng.rand(200) < 0.3, "pro", "unlabelled")
    X = (rng.rand(200, 8) < np.where(y == "pro", 0.6, 0.4)[:, None]).astype(np.uint8)
    with pytest.warns(UserWarning, match="learns unlabelled instances as negatives"):
        result = hsel.cross_validate(X, y, cv=5, random_state=3)
    found = hsel.pu_metrics(result.scores[0][:, list(result.classes).index("pro")], y == "pro")
    assert abs(found["auroc_unlabelled"]["estimate"] - result.metrics["auroc"]["pooled"]) < 1e-12
    low, high = (found["prior"][end] for end in ("low", "high"))
    assert 0 <= low <= found["prior"]["estimate"] <= high <= 1


def test_sets_are_evaluated(tmp_path):
    rng = np.random.RandomState(4)
    X = rng.binomial(1, 0.3, (120, 5)).astype(np.uint8)
    path, data = tmp_path / "sets.gmt", tmp_path / "data.csv"
    data.write_text("id,a,b,c,d,e\n" + "".join(f"g{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(X)))
    members = {"a": np.flatnonzero(X[:, 0]), "chance": rng.permutation(120)[:30], "few": [1, 2]}
    path.write_text("".join("\t".join([name, "na", *(f"G{i}" for i in rows)]) + "\n" for name, rows in members.items()) + "none\tna\tnobody\n")
    data = hsel.read(data, id="id", no_class=True)
    with pytest.warns(UserWarning, match="match no instance, or several: nobody"):
        found = hsel.discover_sets(data, path, random_state=2)
    assert [s["set"] for s in found] == ["a", "chance", "few", "none"]
    assert [s["left_out"] for s in found] == [None, None, "too small", "too small"]
    assert found[0]["matched"] == X[:, 0].sum() and found[0]["auroc_unlabelled"]["estimate"] > 0.9 > found[1]["auroc_unlabelled"]["estimate"]
    with pytest.raises(hsel.UsageError):
        hsel.discover_sets(X, path)
