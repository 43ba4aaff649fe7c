# SPDX-License-Identifier: GPL-3.0-or-later
"""scikit-learn 1.6 and later: checks are the function `validate_data`, tags are dataclasses that `__sklearn_tags__` gives, and
what was there before is gone. A stand-in makes the scikit-learn at hand look so; it does nothing where that is new itself."""
import os
import subprocess
import sys

from conftest import ROOT

STAND_IN = '''
import dataclasses
import sklearn.base, sklearn.feature_selection._base, sklearn.utils, sklearn.utils.validation as validation
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.feature_selection import SelectorMixin

if not hasattr(validation, "validate_data"):
    @dataclasses.dataclass
    class InputTags:
        one_d_array: bool = False
        two_d_array: bool = True
        three_d_array: bool = False
        sparse: bool = False
        categorical: bool = False
        string: bool = False
        dict: bool = False
        positive_only: bool = False
        allow_nan: bool = False
        pairwise: bool = False

    @dataclasses.dataclass
    class TargetTags:
        required: bool
        one_d_labels: bool = False
        two_d_labels: bool = False
        positive_only: bool = False
        multi_output: bool = False
        single_output: bool = True

    @dataclasses.dataclass
    class ClassifierTags:
        poor_score: bool = False
        multi_class: bool = True
        multi_label: bool = False

    @dataclasses.dataclass
    class TransformerTags:
        preserves_dtype: list = dataclasses.field(default_factory=lambda: ["float64"])

    @dataclasses.dataclass
    class Tags:
        estimator_type: object
        target_tags: TargetTags
        transformer_tags: object = None
        classifier_tags: object = None
        regressor_tags: object = None
        array_api_support: bool = False
        no_validation: bool = False
        non_deterministic: bool = False
        requires_fit: bool = True
        input_tags: InputTags = dataclasses.field(default_factory=InputTags)

    def tags_of_classifier(self):
        tags = super(ClassifierMixin, self).__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags, tags.target_tags.required = "classifier", ClassifierTags(), True
        return tags

    def tags_of_transformer(self):
        tags = super(TransformerMixin, self).__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

    BaseEstimator.__sklearn_tags__ = lambda self: Tags(estimator_type=None, target_tags=TargetTags(required=False))
    ClassifierMixin.__sklearn_tags__ = tags_of_classifier
    TransformerMixin.__sklearn_tags__ = tags_of_transformer
    sklearn.utils.get_tags = lambda estimator: estimator.__sklearn_tags__()

    old_check, old_both = validation.check_array, validation.check_X_y

    def check_array(array, accept_sparse=False, *, ensure_all_finite=True, **params):
        assert "force_all_finite" not in params, "check_array got an unexpected keyword argument"
        return old_check(array, accept_sparse, force_all_finite=ensure_all_finite, **params)

    old_names, old_number = BaseEstimator._check_feature_names, BaseEstimator._check_n_features

    def validate_data(_estimator, /, X="no_validation", y="no_validation", reset=True, validate_separately=False,
                      skip_check_array=False, ensure_all_finite=True, **params):
        assert "force_all_finite" not in params, "validate_data got an unexpected keyword argument"
        old_names(_estimator, X, reset=reset)
        if y is None and sklearn.utils.get_tags(_estimator).target_tags.required:
            raise ValueError(f"This {type(_estimator).__name__} estimator requires y to be passed, but the target y is None.")
        if isinstance(y, str) and y == "no_validation":
            out = X = check_array(X, ensure_all_finite=ensure_all_finite, **params)
        else:
            out = X, y = old_both(X, y, force_all_finite=ensure_all_finite, **params)
        old_number(_estimator, X, reset=reset)
        return out

    def transform(self, X):
        X = validate_data(self, X, dtype=None, accept_sparse="csr", reset=False,
                          ensure_all_finite=not sklearn.utils.get_tags(self).input_tags.allow_nan)
        return X[:, self.get_support()]

    validation.validate_data = validate_data
    sklearn.utils.check_array = check_array
    SelectorMixin.transform = transform
    del BaseEstimator._validate_data, BaseEstimator._get_tags, BaseEstimator._more_tags
    del BaseEstimator._check_feature_names, BaseEstimator._check_n_features, ClassifierMixin._more_tags
'''

PROGRAM = STAND_IN + '''
import pickle
import numpy as np
import hsel

data = hsel.generate("ontology:instances=90,features=40,depth=5,positives=10", random_state=3)
frame = data.frame()
get_tags = sklearn.utils.get_tags
for module in (hsel.selectors, hsel.classifiers, hsel.rankers):
    for name in module.__all__:
        cls = getattr(module, name)
        estimator = cls(hierarchy=data.hierarchy) if module is not hsel.rankers else cls()
        tags = get_tags(estimator)
        assert tags.input_tags.sparse and tags.input_tags.allow_nan == ("any-features" in cls._flags and name != "HillClimbing"), name
        assert tags.target_tags.required == ("needs-classes" in cls._flags or issubclass(cls, hsel.LazySelector)), name
        assert (tags.estimator_type == "classifier") == (module is hsel.classifiers), name
        for X in (data.X, data.X.toarray().tolist(), frame):
            estimator.fit(X, data.y)
            if hasattr(estimator, "predict"):
                estimator.predict(X)
            elif hasattr(estimator, "transform"):
                estimator.transform(X)
            elif hasattr(estimator, "select"):
                estimator.select(X)
            assert pickle.loads(pickle.dumps(estimator)).n_features_in_ == 40
        assert list(estimator.feature_names_in_) == data.feature_names
        for wrong in (frame.iloc[:, ::-1], frame.iloc[:, 1:]):
            if module is hsel.classifiers:
                try:
                    estimator.predict(wrong)
                    raise SystemExit(name + " takes other columns")
                except ValueError:
                    pass
model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=data.hierarchy), "nb").fit(frame, data.y)
assert get_tags(model).classifier_tags.multi_class and not get_tags(model).input_tags.allow_nan
assert get_tags(hsel.SelectThenPredict("none", "nb")).input_tags.allow_nan
assert model.explain(frame, 2).predicted == model.predict(frame)[2]
gaps = np.random.RandomState(1).normal(size=(90, 3))
gaps[::7, 1] = np.nan
assert hsel.Nb().fit(gaps.tolist(), data.y).predict_proba(gaps.tolist()).shape == (90, 2)
assert hsel.Top(k=2).fit(gaps, data.y).transform(gaps).shape == (90, 2)
for estimator in (hsel.Aode(), hsel.SelectThenPredict("all-pos")):
    try:
        estimator.fit(gaps, data.y)
        raise SystemExit("NaN was taken")
    except ValueError as error:
        assert "NaN" in str(error), error
assert hsel.cross_validate(gaps, data.y, cv=3).n_folds == 3 and hsel.propagate(frame, data.hierarchy).shape == (90, 40)
print("done")
'''


def test_new_sklearn():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert done.stdout == "done\n", done.stderr
