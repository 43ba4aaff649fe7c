# SPDX-License-Identifier: GPL-3.0-or-later
"""Common parts of the estimators: checking input as scikit-learn does, passing it to the library, and the kinds of estimators.

The classes that users meet are made from these and the registry in _registry.py.
"""
from __future__ import annotations

import contextlib
import copy
import ctypes
import functools
import inspect
import json
import re
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp
from joblib import cpu_count
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _library as lib
from ._data import Handle, _covariates, check_lists, coded, copy_of, dataset_from_arrays, is_plain, option_text
from ._errors import BAD_VALUE, FormatError, UnsupportedError, UsageError
from ._hierarchy import Hierarchy, as_hierarchy
from ._picture import NODES, Drawn, Picture, draw_features, html_table, limit, no_hierarchy

try:
    from sklearn.utils.validation import validate_data  # scikit-learn 1.6 and later
    _FINITE = "ensure_all_finite"
except ImportError:
    _FINITE = "force_all_finite"

    def validate_data(estimator, X, y="no_validation", **arguments):  # type: ignore[no-redef]
        return estimator._validate_data(X, y, **arguments)

SPARSE = ("csr", "csc")
THREADS = 4096  # at most


# ---- input ----

def threads_of(n_jobs: Optional[int]) -> int:
    """Threads as the library counts them: None is one, -1 all processors, -2 all but one … as long as one is left."""
    if n_jobs is None:
        return 1
    lib.whole("n_jobs", n_jobs, -cpu_count(), THREADS)
    if n_jobs == 0:
        raise UsageError("n_jobs must be a number of threads, or -1 for all processors, not 0")
    return int(n_jobs) if n_jobs > 0 else cpu_count() + 1 + int(n_jobs)


def seed_of(random_state) -> int:
    """The seed of a call. None is a different one each time, from NumPy's generator, as in scikit-learn."""
    if isinstance(random_state, (int, np.integer)):
        return lib.whole("random_state", random_state, 0, lib.SEEDS)
    return int(check_random_state(random_state).randint(2**31 - 1))


def finite(missing: bool) -> dict:
    """The setting of scikit-learn for numbers that are not finite."""
    return {_FINITE: "allow-nan" if missing else True}


def checked_matrix(X, missing: bool = False):
    check_lists(X)
    return X if is_plain(X, missing) else check_array(X, accept_sparse=SPARSE, **finite(missing))


def named_dataset(X, names, hierarchy, covariates=None, **arguments) -> Handle:
    """A data set of the library with the hierarchy bound to its columns. Covariates are names or numbers of columns."""
    hierarchy = as_hierarchy(hierarchy)
    by_number = hierarchy is not None and hierarchy.names is None
    if hierarchy is not None and names is None and not by_number:
        names = hierarchy.columns
        if names is None:
            raise UsageError("the hierarchy has names, but X has none: give a DataFrame, or the names of X's columns as "
                             "Hierarchy(…, columns=)")
        if len(names) != X.shape[1]:
            raise UsageError(f"the hierarchy was made for {len(names)} columns, but X has {X.shape[1]}")
    if by_number and len(hierarchy) > X.shape[1]:
        raise UsageError(f"the hierarchy has column {len(hierarchy) - 1}, but X has {X.shape[1]} columns, from 0")
    if covariates is not None:
        arguments["covariates"] = _covariates(covariates, names, X.shape[1])
    if hierarchy is None:
        return dataset_from_arrays(X, feature_names=names, **arguments)
    joined = hierarchy._joined_columns if names is hierarchy.columns else None if names is None else lib.join_names(names)
    shape, matched = hierarchy._bound_to(joined, X.shape[1])
    if matched == 0 and len(hierarchy):
        raise UsageError(f"none of the names of the hierarchy is among the columns of X: {hierarchy.term(0)!r} is one of "
                         f"the hierarchy, {names[0]!r} one of X")
    handle = dataset_from_arrays(X, shape=shape, **arguments)
    handle.labels = shape.labels
    return handle


def check_labels(y) -> None:
    """Labels that are partly texts and partly numbers: NumPy would make texts of all of them."""
    if isinstance(y, np.ndarray) and y.dtype != object:
        return
    values = y.tolist() if hasattr(y, "tolist") else y
    if not isinstance(values, (list, tuple)):
        return
    if len({isinstance(value, str) for value in values}) > 1:
        raise UsageError("the labels y are of mixed type: some are texts, some are not")


def _numbered(y):
    """As np.unique, of small numbers such as 0 and 1, which need no sorting; None: others."""
    if y.dtype != np.int64 or y.ndim != 1 or len(y) == 0 or y.view(np.uint64).max() >= 1000:  # negative ones are large there
        return None
    counts = np.bincount(y)
    classes = counts.nonzero()[0]
    return classes, y if len(classes) == len(counts) else np.searchsorted(classes, y)


def encode_labels(y, at_least: int = 2):
    """The classes, and the number of each instance's."""
    if y.ndim != 1 or y.dtype.kind not in "biuUS":  # whole numbers and texts are classes
        check_classification_targets(y)
    try:
        classes, labels = _numbered(y) or np.unique(y, return_inverse=True)
    except TypeError:
        raise UsageError("the labels y are of mixed type, which cannot be sorted") from None
    if len(classes) < at_least:
        raise UsageError(f"y has 1 class, {classes[0]!r}, but two or more are needed")
    return classes, labels


def class_weights(given, classes=None) -> str:
    """scikit-learn's class_weight as the library's option `weights`. classes None: those that it names."""
    if not isinstance(given, dict):
        if not isinstance(given, str):
            raise UsageError(f"class_weight must be a dict, 'balanced' or None, not {given!r}")
        return given
    known = sorted(given, key=str) if classes is None else list(classes)
    for label in given:
        if label not in known:
            raise UsageError(f"class_weight has {label!r}, which is not a class of y")
    return "/".join(repr(float(given.get(label, 1))) for label in known)


def instance_weights(sample_weight, X):
    """Weights count instances: 2 is two of them. Those that add up to 1 are shares of all instances, as boosting gives them."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    return weights * len(weights) if np.isclose(weights.sum(), 1) else weights


def names_of(classes) -> Optional[list]:
    """The names of the classes; None: they are 0, 1, …, which the library names so itself."""
    if classes.dtype.kind == "i" and classes[0] == 0 and classes[-1] == len(classes) - 1:
        return None
    return [str(c) for c in classes]


def method_text(name: str, table: list, values: dict) -> str:
    """A method with its options as the library reads it; options at their defaults are left out."""
    changed = {option["name"]: values[option["identifier"]] for option in table
               if values[option["identifier"]] is not None and not _same(values[option["identifier"]], option["value"])}
    return name + ":" + option_text(changed).decode() if changed else name


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


# ---- models ----

@functools.lru_cache(maxsize=16)
def _no_mask(rows: int, columns: int) -> sp.csr_matrix:
    """A matrix to be copied and filled: making one takes longer than the choice for an instance."""
    return sp.csr_matrix((rows, columns), dtype=bool)


class Model(Handle):
    """A trained model of the library; it is pickled as the bytes of a model file."""

    def __init__(self, address: Optional[int]):
        super().__init__(address, lib.library.hsel_model_free)
        self.classes = lib.library.hsel_model_classes(self)

    @classmethod
    def train(cls, data: Handle, selector: str, classifier: str, seed: int, threads: int, weights=None) -> "Model":
        out = ctypes.c_void_p()
        request = lib.Request(selector=lib.text("the selector", selector), classifier=lib.text("the classifier", classifier),
                              seed=seed, threads=threads, weights=None if weights is None else weights.ctypes.data)
        lib.call_long("hsel_train", request, data, request, ctypes.byref(out))
        return cls(out.value)

    @classmethod
    def from_bytes(cls, content: bytes) -> "Model":
        if not isinstance(content, bytes):
            raise FormatError("the pickle of a model is damaged")
        out = ctypes.c_void_p()
        lib.call("hsel_model_from_bytes", content, len(content), ctypes.byref(out))
        return cls(out.value)

    def to_bytes(self) -> bytes:
        address, length = ctypes.c_void_p(), ctypes.c_size_t()
        lib.call("hsel_model_to_bytes", self, ctypes.byref(address), ctypes.byref(length))
        try:
            return ctypes.string_at(address, length.value)
        finally:
            lib.library.hsel_free(address)

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    def predictions(self, X, threads: int) -> tuple:
        """Probabilities and scores of the classes; the highest score is that of the predicted class."""
        data, request = dataset_from_arrays(X, like=self), lib.Request(threads=threads)
        out = np.empty((2, X.shape[0], self.classes))
        address = out.ctypes.data
        lib.call_long("hsel_predict", request, self, data, request, address, address + out.strides[0], None)
        return out[0], out[1]

    def numbers(self, X, threads: int) -> np.ndarray:
        """Predictions of a numeric target."""
        data, out, request = dataset_from_arrays(X, like=self), np.empty(X.shape[0]), lib.Request(threads=threads)
        lib.call_long("hsel_predict", request, self, data, request, None, out.ctypes.data, None)
        return out

    def select(self, X, threads: int) -> sp.csr_matrix:
        """A mask: row i has True at the features that are selected for instance i."""
        data, request = dataset_from_arrays(X, like=self), lib.Request(threads=threads)
        start, index = np.empty(X.shape[0] + 1, np.uint64), ctypes.c_void_p()
        lib.call_long("hsel_select_each", request, self, data, request, start.ctypes.data, ctypes.byref(index))
        try:
            count = int(start[-1])
            columns = copy_of(index.value, count, np.int32)
        finally:
            lib.library.hsel_free(index)
        mask = copy.copy(_no_mask(*X.shape))
        mask.data, mask.indices = np.ones(count, bool), columns
        mask.indptr = start.astype(np.int32 if count < 2**31 else np.int64)
        mask.has_sorted_indices = mask.has_canonical_format = True
        return mask

    def relevance(self, features: int) -> Optional[np.ndarray]:
        """Of each feature."""
        scores = np.empty(features)
        try:
            lib.call("hsel_model_relevance", self, scores.ctypes.data)
        except UnsupportedError:
            return None
        return scores

    def explain(self, X, ids: list, instance: int, top: int, *forms: str) -> list:
        """Explains the prediction for an instance of X, as json, text, dot or graphml."""
        data, texts = dataset_from_arrays(X, like=self, ids=ids), []
        for form in forms:
            text = ctypes.c_void_p()
            lib.call("hsel_model_explain", self, data, instance, top, form.encode(), ctypes.byref(text))
            texts.append(lib.take_text(text))
        return texts

    def describe(self, form: str) -> str:
        """Describes the trained model, as text or json."""
        text = ctypes.c_void_p()
        lib.call("hsel_model_describe", self, form.encode(), ctypes.byref(text))
        return lib.take_text(text)

    def draw(self, form: str, nodes: int) -> str:
        """Draws the trained model, as dot or graphml."""
        text = ctypes.c_void_p()
        lib.call("hsel_model_draw", self, form.encode(), limit(nodes), ctypes.byref(text))
        return lib.take_text(text)


# ---- kinds of estimators ----

@contextlib.contextmanager
def options_as_arguments(*owners):
    """The library names an option of a method by its name there, which may differ from the argument of the estimator."""
    try:
        yield
    except UsageError as error:
        for owner in owners if error.reason == BAD_VALUE else ():
            for option in owner._options if isinstance(owner, Method) else ():
                given = option_text({option["name"]: getattr(owner, option["identifier"])}).decode()
                if error.options == (given,):
                    raise UsageError(f"{option['identifier']} takes {option['takes']}, not '{given.partition('=')[2]}'",
                                     reason=error.reason, options=error.options) from None
        raise


def all_or_nothing(fit):
    """A fit that fails leaves the estimator unchanged, as after an earlier fit."""
    @functools.wraps(fit)
    def wrapped(self, *arguments, **named):
        before = dict(vars(self))
        try:
            with options_as_arguments(self, *_parts(self)):
                return fit(self, *arguments, **named)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise
    return wrapped


def _parts(estimator) -> list:
    """Its parameters for selectors and classifiers."""
    given = [getattr(estimator, name, None) for name in ("selector", "classifier", "selectors", "classifiers")]
    return [part for each in given for part in (each if isinstance(each, (list, tuple)) else [each])]


class Estimator(BaseEstimator):
    """Checks X and y as scikit-learn does. For plain arrays its result is known in advance; any other input,
    and whatever is wrong, goes to its own checks."""

    n_features_in_: int

    def _traits(self) -> tuple:
        """Are classes needed, are two of them all that it takes, may values be missing?"""
        raise NotImplementedError

    def _more_tags(self):  # scikit-learn before 1.6
        needs_y, binary, missing = self._traits()
        return {"requires_y": needs_y, "binary_only": binary, "allow_nan": missing, "X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self):  # and since
        tags = super().__sklearn_tags__()
        tags.target_tags.required, _, tags.input_tags.allow_nan = self._traits()
        tags.input_tags.sparse = True
        return tags

    def __setstate__(self, state):
        super().__setstate__(state)
        model = vars(self).get("model_")
        if model is not None and (not isinstance(model, Model) or len(vars(self).get("classes_", ())) != model.classes):
            raise FormatError(f"the pickle is damaged: classes_ of {type(self).__name__} are not those of its model")

    def _repr_mimebundle_(self, **arguments):
        """Notebook output: the diagram of scikit-learn, and for a fitted estimator the picture below it."""
        shown = super()._repr_mimebundle_(**arguments)
        if "text/html" in shown and isinstance(self, Drawn) and not isinstance(self, LazySelector):
            try:
                shown["text/html"] += self.to_svg()
            except (NotFittedError, UnsupportedError, UsageError):
                pass
        return shown

    def _is_known(self, X) -> bool:
        """Names of columns that an earlier X had are compared, or forgotten, by scikit-learn."""
        return "feature_names_in_" not in self.__dict__ and is_plain(X, self._traits()[2])

    def _coded(self, X, reset: bool):
        """X with numbers instead of the words of nominal columns, which are kept as `categories_`: column -> words."""
        frame, known = hasattr(X, "columns") and hasattr(X, "iloc"), self.__dict__.get("categories_")
        if not reset and known and not frame:
            raise UsageError(f"{type(self).__name__} was trained on a DataFrame with columns of words, but X is not a DataFrame")
        if reset:
            self.__dict__.pop("categories_", None)
        if not frame or not (reset or known):
            return X
        X, words = coded(X, None if reset else known)
        if words:
            self.categories_ = words
        return X

    def _prepare(self, X, reset: bool):
        """X as scikit-learn checks it."""
        check_lists(X)
        X = self._coded(X, reset)
        if self._is_known(X) and (reset or X.shape[1] == self.n_features_in_):
            self.n_features_in_ = X.shape[1]
            return X
        return validate_data(self, X, accept_sparse=SPARSE, reset=reset, **finite(self._traits()[2]))

    def _prepare_both(self, X, y):
        """X and the classes y to learn from."""
        check_lists(X)
        X = self._coded(X, True)
        if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU" and self._is_known(X) and len(y) == X.shape[0]:
            self.n_features_in_ = X.shape[1]
            return X, y
        check_labels(y)
        return validate_data(self, X, y, accept_sparse=SPARSE, **finite(self._traits()[2]))

    def _names(self):
        return getattr(self, "feature_names_in_", None)

    def _dataset(self, X, hierarchy=None, **arguments) -> Handle:
        """A data set from checked X, with the information on its columns."""
        data = named_dataset(X, self._names(), hierarchy, words=self.__dict__.get("categories_"), **arguments)
        self.feature_labels_ = data.labels
        return data


class Method(Estimator):
    """A method of the registry as an estimator. `method` of the class is its name, as the command writes it."""

    method: str = ""
    kind: str = ""
    _options: list = []
    _flags: frozenset = frozenset()
    _aliases: dict = {}  # the command's name of an option -> scikit-learn's

    def __sklearn_is_fitted__(self) -> bool:
        # Arguments may end in an underscore too, so the usual way of looking for one would be fooled.
        return any(hasattr(self, name) for name in ("model_", "support_", "ranking_"))

    def _text(self, classes=None) -> str:
        return method_text(type(self).method, self._options, self.__dict__)

    def _take(self, given: dict) -> None:
        """Arguments by the command's names."""
        for name, value in given.items():
            if name not in self._aliases:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument {name!r}")
            other = self._aliases[name]
            if getattr(self, other) != inspect.signature(type(self)).parameters[other].default:
                raise TypeError(f"{name} is another name of {other}: give one of them")
            setattr(self, name, value)

    def set_params(self, **params):
        """As in every estimator. The command's names of options are accepted, too."""
        return super().set_params(**{self._aliases.get(name, name): value for name, value in params.items()})

    def _traits(self) -> tuple:
        missing = "any-features" in self._flags and type(self).method != "hill-climbing"  # which needs every value
        return "needs-classes" in self._flags, "two-classes-only" in self._flags, missing

    def _hierarchy(self) -> Optional[Hierarchy]:
        hierarchy = getattr(self, "hierarchy", None)
        if hierarchy is None and "needs-hierarchy" in self._flags:
            raise UsageError(f"{type(self).method} needs a hierarchy: give hierarchy=")
        return hierarchy

    def _learn_from(self, X, y, needs_y: bool, **arguments) -> Handle:
        """Checks X and y and makes a data set of them; sets n_features_in_, feature_names_in_, feature_labels_ and classes_."""
        if y is None and not needs_y:
            X = self._prepare(X, True)
            return self._dataset(X, self._hierarchy(), **arguments)
        X, y = self._prepare_both(X, y)
        hierarchy = self._hierarchy()
        classes, labels = encode_labels(y, 2 if needs_y else 1)
        self.classes_ = classes
        return self._dataset(X, hierarchy, labels=labels, classes=len(classes), class_names=names_of(classes), **arguments)

    def _draw_mask(self, form: str, keep, value, legend: str, nodes: int) -> str:
        """Features of a mask on the hierarchy that it was fitted with."""
        hierarchy = self._hierarchy()
        if hierarchy is None:
            raise no_hierarchy()
        shape = named_dataset(sp.csr_matrix((0, self.n_features_in_), dtype=np.uint8), self._names(), hierarchy)
        title = f"{self._text()}: {np.count_nonzero(keep)} of {len(keep)} features"
        return draw_features(shape, form, keep, value, title, "" if value is None else legend, nodes)

    def _seed(self) -> int:
        return seed_of(self.random_state) if "random_state" in self.__dict__ else 1  # which nothing is drawn from

    def _threads(self) -> int:
        return threads_of(getattr(self, "n_jobs", None))


class EagerSelector(Drawn, SelectorMixin, Method):
    """Selects one set of features for all instances: a transformer."""

    kind = "selector"

    @all_or_nothing
    def fit(self, X, y=None, groups=None, time=None):
        """Learns from X and the classes y which features to keep. Inner splits respect `groups` and `time`, one for each instance."""
        return self._learn(X, y, groups=groups, time=time)

    def _learn(self, X, y, **arguments):
        data = self._learn_from(X, y, "needs-classes" in self._flags, **arguments)
        keep, scores = np.empty(data.features, bool), np.empty(data.features)
        request = lib.Request(selector=lib.text("the method", self._text()), seed=self._seed(), threads=self._threads())
        lib.call_long("hsel_select", request, data, request, keep.ctypes.data, scores.ctypes.data)
        self.support_ = keep
        self.scores_ = None if np.isnan(scores).all() else scores
        return self

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def _drawing(self, form: str, *, nodes: int = NODES) -> str:
        """The features that are kept and the terms above them, coloured by their scores."""
        check_is_fitted(self)
        return self._draw_mask(form, self.support_, self.scores_, "the deeper the colour, the higher the score", nodes)

    def transform(self, X):
        """X with the features that are kept. A DataFrame with columns of words stays one."""
        check_lists(X)
        if self.__dict__.get("categories_"):
            check_is_fitted(self)
            self._prepare(X, False)  # which refuses other columns
            return X.loc[:, self.support_]
        return super().transform(X)

    def inverse_transform(self, X):
        """X with the dropped features added back as columns of zeros."""
        check_lists(X)
        return super().inverse_transform(X)


class TestingSelector(EagerSelector):
    """Selects by p-values of the features."""

    @all_or_nothing
    def fit(self, X, y=None, strata=None, groups=None):
        """Learns from X and the classes y which features to keep. With `strata`, a name or number for each instance, instances are
        compared within their stratum; those without one (None or NaN) are left out. Permutations respect `groups`."""
        self._learn(X, y, strata=strata, groups=groups)
        self.pvalues_ = 10.0 ** -self.scores_
        return self


def strata_for(selectors, given):
    """Strata for a selector among these texts that uses them, directly or within another."""
    known = [name for (kind, name), flags in _flags().items() if kind == "selector" and "within-strata" in flags]
    if given is not None and not any(word in known for text in selectors for word in re.split("[:=,+/; ]", text)):
        raise UsageError(f"strata have no effect: the selector {', '.join(known)} uses them, but {', '.join(selectors)} does not")
    return given


class Predictor(Drawn, ClassifierMixin):
    """What has classes_ and a model_ that predicts them. A model that is a tree, or that has importances of features, can be
    drawn."""

    def _drawing(self, form: str, *, nodes: int = NODES) -> str:
        check_is_fitted(self)
        return self.model_.draw(form, nodes)

    def describe(self) -> dict:
        """The whole model of the classifier, as shown by `hsel explain --model M --json`."""
        check_is_fitted(self)
        return json.loads(self.model_.describe("json"))

    def _by_feature(self, what: str, pairs) -> np.ndarray:
        """Numbers of features that are told of by name, 0 for all others."""
        names = self._names()
        if names is None:
            hierarchy = as_hierarchy(self._hierarchy())
            names = hierarchy.columns if hierarchy is not None and hierarchy.names is not None else None
        number = {name: i for i, name in enumerate(names)} if names is not None else {f"x{i}": i for i in range(self.n_features_in_)}
        out = np.zeros(self.n_features_in_)
        for name, value in pairs:
            if name not in number:
                raise AttributeError(f"{what}: {name} is a value of a nominal feature, which has no separate column")
            out[number[name]] = value
        return out

    @property
    def feature_importances_(self) -> np.ndarray:
        """For a forest or a tree: how much each feature lowers the impurity of the classes, scaled to sum 1.
        For a forest with `corrected=True`: the corrected importance."""
        facts = self.describe()
        if any("corrected" in each for each in facts.get("importance", ())):
            return self._by_feature("feature_importances_", ((each["feature"], each["corrected"]) for each in facts["importance"]))
        if "importance" in facts:
            found = self._by_feature("feature_importances_", ((each["feature"], each["impurity"]) for each in facts["importance"]))
        elif "nodes" in facts and isinstance(facts["nodes"], list):
            nodes, found = facts["nodes"], np.zeros(self.n_features_in_)

            def impurity(node):
                return node["weight"] * (1 - sum(share * share for share in node["shares"]))

            for node in nodes:
                if "feature" in node:
                    gain = impurity(node) - sum(impurity(nodes[child]) for child in node["children"])
                    found += self._by_feature("feature_importances_", [(node["feature"], gain)])
        else:
            raise AttributeError(f"{type(self).__name__} has no feature_importances_")
        return found / found.sum() if found.sum() > 0 else found

    def _linear(self, what: str) -> list:
        """Weights and offset of each linear machine, in the direction of the later class."""
        facts = self.describe()
        if facts.get("kernel") == "linear":
            return [(self._by_feature(what, ((name, -weight) for name, weight in each["weights"].items())), each["rho"])
                    for each in facts["machines"]]
        if facts.get("models") and "intercept" in facts["models"][0]:
            return [(self._by_feature(what, ((term["feature"], term["weight"]) for term in each["active"])), each["intercept"])
                    for each in facts["models"]]
        raise AttributeError(f"{type(self).__name__} has no {what}: it is not linear")

    @property
    def coef_(self) -> np.ndarray:
        """The weights of a linear model, a row per machine: with two classes one row, for the second class; for svm with more classes, a
        row per pair of classes. Weights of scaled numeric features refer to the scaled values."""
        return np.array([weights for weights, _ in self._linear("coef_")])

    @property
    def intercept_(self) -> np.ndarray:
        """The intercept of a linear machine, which is added to the weighted sum of the features."""
        return np.array([offset for _, offset in self._linear("intercept_")])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._traits()[1]
        return tags

    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`."""
        return self._predictions(X)[0]

    def predict_log_proba(self, X):
        """The logarithm of the probability of each class; -inf for 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X):
        """The score of each class; scores do not saturate as probabilities do. With two classes, the score of the second."""
        score = self._predictions(X)[1]
        return score[:, 1] if score.shape[1] == 2 else score

    def predict(self, X):
        """The class with the highest score, the first of several."""
        score = self._predictions(X)[1]
        return self.classes_[score.argmax(axis=1)]

    def _predictions(self, X) -> tuple:
        check_is_fitted(self)
        return self.model_.predictions(self._prepare(X, False), self._threads())


class Classifier(Predictor, Method):
    """Predicts the class of instances."""

    kind = "classifier"

    def _text(self, classes=None) -> str:
        given = getattr(self, "class_weight", None)
        if given is None:
            return super()._text()
        if getattr(self, "weights", None) not in (None, "none"):
            raise UsageError("class_weight is another name of weights: give one of them")
        return method_text(type(self).method, self._options, {**vars(self), "weights": class_weights(given, classes)})

    def _learn(self, X, y, sample_weight, groups, time):
        data = self._learn_from(X, y, True, groups=groups, time=time)
        self.model_ = Model.train(data, "none", self._text(self.classes_), self._seed(), self._threads(),
                                  instance_weights(sample_weight, X))
        return self

    @all_or_nothing
    def fit(self, X, y, groups=None, time=None):
        """Learns to predict the classes y of the instances X. Inner splits respect `groups` and `time`, one for each instance."""
        return self._learn(X, y, None, groups, time)


class WeighingClassifier(Classifier):
    """A classifier that can learn from weighted instances."""

    @all_or_nothing
    def fit(self, X, y, sample_weight=None, groups=None, time=None):
        """Learns to predict the classes y of the instances X, with their weights: an instance of weight 2 counts as two instances.
        Weights that add up to 1 are shares of all instances. Inner splits respect `groups` and `time`, one for each instance."""
        return self._learn(X, y, sample_weight, groups, time)


class Regressor(Drawn, RegressorMixin, Method):
    """Predicts a number. A model that has importances of features can be drawn."""

    kind = "classifier"

    def _drawing(self, form: str, *, nodes: int = NODES) -> str:
        check_is_fitted(self)
        return self.model_.draw(form, nodes)

    def _traits(self) -> tuple:
        return True, False, "any-features" in self._flags

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # the checks' data have many useless features
        return tags

    def _more_tags(self):
        return {**super()._more_tags(), "poor_score": True, "binary_only": False}

    @all_or_nothing
    def fit(self, X, y, sample_weight=None, groups=None, time=None):
        """Learns to predict the numbers y of the instances X; each instance counts by its weight. Inner splits respect `groups` and
        `time`, one for each instance."""
        check_lists(X)
        X, y = validate_data(self, self._coded(X, True), y, accept_sparse=SPARSE, y_numeric=True, **finite(self._traits()[2]))
        data = self._dataset(X, self._hierarchy(), target=y, groups=groups, time=time)
        self.model_ = Model.train(data, "none", self._text(), self._seed(), self._threads(), instance_weights(sample_weight, X))
        return self

    def predict(self, X):
        """The number predicted of each instance."""
        check_is_fitted(self)
        return self.model_.numbers(self._prepare(X, False), self._threads())


class LazySelector(Drawn, Method):
    """Selects features for each instance separately, from its values.

    `to_dot(X)`, `to_svg(X)` and `to_graphml(X)` draw for how many rows of X each feature is selected."""

    kind = "selector"

    def __getattr__(self, name: str):
        advice = ": it selects features for each instance separately, so use select(X), hsel.SelectThenPredict or hsel.LazyWrapper, or an eager selector" \
            if name in ("transform", "fit_transform", "get_support") else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{advice}")

    def _traits(self) -> tuple:
        return (True, *super()._traits()[1:])

    @all_or_nothing
    def fit(self, X, y):
        """Learns from X and the classes y; `select` then chooses for any instance."""
        data = self._learn_from(X, y, True)
        self.model_ = Model.train(data, self._text(), "nb", self._seed(), self._threads())
        self.scores_ = self.model_.relevance(data.features)
        return self

    def select(self, X) -> sp.csr_matrix:
        """A mask: row i has True at the features that are selected for instance i (CSR; `.toarray()` is dense)."""
        check_is_fitted(self)
        return self.model_.select(self._prepare(X, False), self._threads())

    def _drawing(self, form: str, X, *, nodes: int = NODES) -> str:
        times = np.asarray(self.select(X).sum(axis=0)).ravel()
        return self._draw_mask(form, times > 0, times, "the deeper the colour, the more instances the term is selected for", nodes)


class Ranker(SelectorMixin, Method):
    """Scores every feature by itself; higher is better. `transform` keeps the best ones.

    An instance can be called as a score function: ``SelectKBest(hsel.rankers.Ig(), k=100)``, ``SelectFdr(hsel.rankers.Ig())``.
    """

    kind = "ranker"

    @all_or_nothing
    def fit(self, X, y):
        """Scores the features of X against the classes y."""
        wanted = self.n_features_to_select
        if wanted is not None and not isinstance(wanted, (float, np.floating)):
            lib.whole("n_features_to_select", wanted, 0, lib.NONE)
        elif wanted is not None and not 0 <= wanted <= 1:
            raise UsageError(f"n_features_to_select must be a number of features, or a share of them from 0 to 1, not {wanted!r}")
        data = self._learn_from(X, y, True)
        scores = np.empty(data.features)
        request = lib.Request(rankers=lib.text("the method", self._text()), ranker_count=1, seed=self._seed(),
                              threads=self._threads())
        lib.call_long("hsel_rank", request, data, request, scores.ctypes.data)
        self.scores_ = scores
        self.order_ = np.argsort(-scores, kind="stable")
        self.ranking_ = np.empty(len(scores), int)
        self.ranking_[self.order_] = np.arange(1, len(scores) + 1)
        return self

    def _get_support_mask(self):
        check_is_fitted(self)
        wanted, d = self.n_features_to_select, len(self.ranking_)
        count = d if wanted is None else int(wanted * d) if isinstance(wanted, (float, np.floating)) else wanted
        return self.ranking_ <= count

    def __call__(self, X, y):
        """The scores of the features of X and their p-values, which are those of `hsel rank --p-values`; for words, which have no test, only the scores."""
        from sklearn.base import clone
        from .selectors import Fdr
        fitted = clone(self).fit(X, y)
        if fitted.__dict__.get("categories_"):
            return fitted.scores_
        flat = Hierarchy([], nodes=[len(fitted.scores_) - 1])
        return fitted.scores_, Fdr(method="bh", hierarchy=flat).fit(X.to_numpy() if hasattr(X, "iloc") else X, y).pvalues_


class Explanation:
    """Explains the prediction for one instance: see `SelectThenPredict.explain`.

    Attributes
    ----------
    predicted : one of the classes, as `predict` gives them
    probabilities : dict
        Class -> probability.
    features : list of dict
        The selected features: feature, label (where there are labels), value, relevance (of the selector; else the importance that the classifier gives it),
        log_odds.
    sorted_by : {"log_odds", "relevance", "importance", "value"}
        The order of `features`: furthest from 0, most relevant or important, or values that are not 0 first.
    prior, rest, absent : float or None
        prior: log-odds without any feature. rest: log-odds of the selected features that `top` left out. absent: log-odds of everything that the
        instance lacks (Owen values; else 0). prior + log_odds of all features + rest + absent are the log-odds of the predicted class,
        before calibration.
    hierarchy : list of dict or None
        The part of the hierarchy above them.
    """

    predicted: Any
    probabilities: dict
    features: list
    sorted_by: str
    prior: Optional[float]
    rest: Optional[float]
    hierarchy: Optional[list]

    def __init__(self, facts: dict, text: str, draw, classes: list):
        names = list(facts["probabilities"])  # in the order of the classes, which the library knows by their names
        facts["predicted"] = classes[names.index(facts["predicted"])]
        facts["probabilities"] = dict(zip(classes, facts["probabilities"].values()))
        self._facts, self._text, self._draw = facts, text.rstrip(), draw
        for name in ("predicted", "probabilities", "features", "sorted_by", "prior", "rest", "hierarchy"):
            setattr(self, name, facts[name])
        self.absent = facts.get("absent", 0.0)

    def to_dict(self) -> dict:
        return dict(self._facts)

    def _drawing(self, form: str) -> str:
        if self.hierarchy is None:
            raise no_hierarchy()
        model, row, ids, top = self._draw
        return model.explain(row, ids, 0, top, form)[0]

    def to_dot(self) -> Picture:
        """The picture for Graphviz: blue is evidence for the prediction, orange against it; dashed features are negative.

        It has at most 60 nodes: the strongest features, and terms above them."""
        return Picture(self._drawing("dot"))

    plot = to_dot

    def to_svg(self) -> str:
        """The same as SVG; UnsupportedError: Graphviz is not installed."""
        return self.to_dot().to_svg()

    def to_graphml(self) -> str:
        """The same as GraphML, for networkx, Cytoscape, Gephi or yEd."""
        return self._drawing("graphml")

    def _repr_svg_(self) -> Optional[str]:
        return None if self.hierarchy is None else self.to_dot()._repr_svg_()

    def _repr_html_(self) -> str:
        """Notebook output: the picture, or the strongest features as a table."""
        svg = self._repr_svg_()
        if svg:
            return svg
        columns = [name for name in ("label", "feature", "value", "log_odds", "relevance")
                   if any(each.get(name) is not None for each in self.features)]
        rows = [[f"{each[name]:.4g}" if isinstance(each.get(name), float) else each.get(name, "") for name in columns]
                for each in self.features[:20]]
        return html_table(columns, rows, f"{self._facts['id']}: {self.predicted}, P = {self.probabilities[self.predicted]:.3f}")

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


class SelectThenPredict(Predictor, Estimator):
    """A classifier that uses, for each instance, only the features that a selector chose.

    A lazy selector chooses separately for each instance, and the classifier is fitted once. With an eager selector it is a shorter and faster way to
    write a Pipeline. Results are those of `hsel eval` and `hsel train`.

    Parameters
    ----------
    selector : selector of this package, or text
        E.g. ``hsel.Rpv(hierarchy=h)`` or ``"rpv:measure=ig"``.
    classifier : classifier of this package, or text
    hierarchy : Hierarchy, optional
        By default that of the selector, else that of the classifier.
    random_state : int, RandomState or None
        Seed; by default that of the selector, else that of the classifier; None: a different one each time if one of them is random, else 1, as in
        the command.
    n_jobs : int or None
        Threads; -1: all processors.
    covariates : list of str or int, optional
        Columns of X, by name or number, that the classifier always uses and the selector ignores, such as age and sex. They must be outside the
        hierarchy.

    Attributes
    ----------
    classes_ : ndarray
    scores_ : ndarray or None
        Relevance of the features as the selector uses it.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X had names.
    feature_labels_ : ndarray of (str or None), or None
        Labels of the features, if the hierarchy has labels.
    """

    def __init__(self, selector="none", classifier="nb", *, hierarchy=None, random_state=None, n_jobs=None, covariates=None):
        self.covariates = covariates
        self.selector = selector
        self.classifier = classifier
        self.hierarchy = hierarchy
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _traits(self) -> tuple:
        return True, False, takes_missing(self.selector, self.classifier)

    def set_params(self, **params):
        """As in every estimator; the options of a selector or classifier given as text are in that text."""
        for name in params:
            part, dot, option = name.partition("__")
            if dot and isinstance(params.get(part, getattr(self, part, None)), str):
                raise UsageError(f"{name} cannot be set: {part} is the text {params.get(part, getattr(self, part))!r}, which has its "
                                 f"options in itself; give an estimator, such as {part}=hsel.{'Shsel' if part == 'selector' else 'Knn'}()")
        return super().set_params(**params)

    def _part(self, attribute: str):
        """From this estimator, else from its selector, else from its classifier."""
        for owner in (self, self.selector, self.classifier):
            value = getattr(owner, attribute, None)
            if value is not None:
                return value
        return None

    def _hierarchy(self) -> Optional[Hierarchy]:
        return self._part("hierarchy")

    def _threads(self) -> int:
        return threads_of(self._part("n_jobs"))

    def _seed(self) -> int:
        state, parts = self._part("random_state"), (("selector", self.selector), ("classifier", self.classifier))
        return seed_of(state) if state is not None or any("stochastic" in flags_of(*part) for part in parts) else 1

    @all_or_nothing
    def fit(self, X, y, sample_weight=None, strata=None, groups=None, time=None):
        """Trains both on X and the classes y. The classifier uses the weights of the instances; the selector
        treats all weights above 0 as equal. `strata` are for the selector `Fdr` (see its `fit`). Inner splits respect `groups` and `time`."""
        selector, classifier = text_of(self.selector, "selector"), text_of(self.classifier, "classifier")
        X, y = self._prepare_both(X, y)
        self.classes_, labels = encode_labels(y)
        classifier = text_of(self.classifier, "classifier", self.classes_)
        data = self._dataset(X, self._hierarchy(), labels=labels, classes=len(self.classes_), class_names=names_of(self.classes_),
                             strata=strata_for([selector], strata), covariates=self.covariates, groups=groups, time=time)
        self.model_ = Model.train(data, selector, classifier, self._seed(), self._threads(),
                                  instance_weights(sample_weight, X))
        self.scores_ = self.model_.relevance(data.features)
        return self

    def select(self, X) -> sp.csr_matrix:
        """A mask: row i has True at the features that are used for instance i."""
        check_is_fitted(self)
        return self.model_.select(self._prepare(X, False), self._threads())

    def explain(self, X, instance: int = 0, top: int = 0) -> Explanation:
        """Explains the prediction for row `instance` of X with at most `top` features (0: all, or one screen as text)."""
        check_is_fitted(self)
        labels = X.index if hasattr(X, "columns") else None
        X = self._prepare(X, False)
        lib.whole("top", top, 0, lib.NONE)
        if not hasattr(instance, "__index__") or not 0 <= instance < X.shape[0]:
            raise UsageError(f"X has {X.shape[0]} rows, numbered from 0, and there is no row {instance!r}")
        ids = [f"X[{i}]" for i in range(X.shape[0])] if labels is None else [str(label) for label in labels]
        facts, text = self.model_.explain(X, ids, instance, top, "json", "text")
        row = X[instance:instance + 1].copy()  # a picture is drawn on request
        return Explanation(json.loads(facts), text, (self.model_, row, [ids[instance]], top), self.classes_.tolist())


@functools.lru_cache(maxsize=None)
def _flags() -> dict:
    """Kind and name of a method -> its capabilities."""
    return {(method["kind"], method["name"]): frozenset(method["flags"]) for method in lib.methods()}


def flags_of(kind: str, method):
    """Capabilities of an estimator or a text."""
    return _flags().get((kind, method.partition(":")[0]), ()) if isinstance(method, str) else getattr(method, "_flags", ())


def takes_missing(selector, classifier) -> bool:
    """May values be missing for both? Each is an estimator or a text."""
    return all("any-features" in flags_of(*part) for part in (("selector", selector), ("classifier", classifier)))


def text_of(method, kind: str, classes=None) -> str:
    """A method as the library reads it, from an estimator of ours or from text; of a classifier with the weights of the
    classes in their order."""
    if isinstance(method, str):
        lib.text(f"the {kind}", method)
        return method
    if isinstance(method, Method) and method.kind == kind:
        return method._text(classes)
    raise UsageError(f"expected a {kind} of hsel, or its text such as {'rpv' if kind == 'selector' else 'nb'!r}, not {method!r}")
