# SPDX-License-Identifier: GPL-3.0-or-later
"""SVMlight files that the command writes are read by scikit-learn, and by the command with all names."""
import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file


@pytest.mark.parametrize("classes, labels", [("yes no no yes", [1, -1, -1, 1]), ("c a b ?", [3, 1, 2, 0]), ("2 7 7 2", [2, 7, 7, 2])])
def test_labels_are_numbers(command, tmp_path, classes, labels):
    rows = [f"x{i},{i % 2},{i // 2},{name}" for i, name in enumerate(classes.split())]
    source, out, back = tmp_path / "data.csv", tmp_path / "data.svm", tmp_path / "back.csv"
    source.write_text("id,one,two,class\n" + "\n".join(rows) + "\n", encoding="utf-8")
    command("convert", "-q", source, "-o", out)
    matrix, found = load_svmlight_file(str(out), n_features=2)
    assert found.tolist() == labels
    assert np.array_equal(matrix.toarray(), [[i % 2, i // 2] for i in range(4)])
    command("convert", "-q", out, "-o", back)
    assert back.read_text(encoding="utf-8") == source.read_text(encoding="utf-8").replace("?", "NA")
