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
