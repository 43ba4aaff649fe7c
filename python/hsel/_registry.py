# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes made from the registry of the library: a method that is added there is a class here, with its options as keyword
arguments, its defaults and its citation.

The name of a class is the method's in CamelCase (hip-mr: HipMr); an option is an argument with underscores (locally-predictive:
locally_predictive). What would be a word of Python or a method of estimators gets an underscore
(none: None_, score: score_). A classifier that can also predict numbers is a second class, in hsel.regressors
(forest: ForestRegressor), without the options that are about classes.
"""
from __future__ import annotations

import keyword
import textwrap

from ._base import Classifier, EagerSelector, LazySelector, Ranker, Regressor, TestingSelector, WeighingClassifier
from ._library import methods

_PYTHON_TYPES = {"bool": "bool", "int": "int", "float": "float", "text": "str", "list": "list of str"}


# Names that mean something else in an estimator.
_TAKEN = {"self", "hierarchy", "random_state", "n_jobs", "kind", "fit", "transform", "fit_transform", "predict",
          "predict_proba", "score", "select"}


# Options that are about classes.
_OF_CLASSES = {"calibration", "threshold", "cost", "inner-folds", "weights", "criterion"}


def identifier(name: str) -> str:
    """An argument's name: an option's, as Python writes it."""
    word = name.replace("-", "_").replace(".", "_")
    return word + "_" if keyword.iskeyword(word) or word in _TAKEN else word


# Options that scikit-learn has, too, under its own name; the command's name is an alias.
_CUSTOMS = {"knn": {"k": "n_neighbors"}, "relieff": {"k": "n_neighbors"}, "relieff-w": {"k": "n_neighbors"},
            "svm": {"c": "C", "tolerance": "tol", "cache": "cache_size"},
            "forest": {"trees": "n_estimators", "features": "max_features", "depth": "max_depth", "min": "min_samples_leaf"},
            "tree": {"min": "min_samples_leaf"},
            "proximal-graph": {"tolerance": "tol"}}
_FORMER = {"method": "method_"}  # other names that arguments had before


def argument(method: dict, option: dict) -> str:
    """The argument of an option of a method."""
    return _CUSTOMS.get(method["name"], {}).get(option["name"]) or identifier(option["name"])


def aliases_of(method: dict) -> dict:
    """Other names of arguments: the command's, and former ones."""
    own = {_FORMER.get(option["name"], identifier(option["name"])): argument(method, option) for option in method["options"]}
    return {name: target for name, target in own.items() if name != target}


def class_name(name: str) -> str:
    word = "".join(part[:1].upper() + part[1:] for part in name.replace(".", "-").replace("_", "-").split("-"))
    if word[:1].isdigit():
        word = "M" + word
    return word + "_" if keyword.iskeyword(word) else word


def default_of(option: dict):
    """The default as a value of Python."""
    text, kind = option["default"], option["type"]
    if text is None:
        return None
    if kind == "bool":
        return text == "true"
    if kind == "int":
        return int(text)
    if kind == "float":
        return float(text)
    return text


def preset_values(method: dict) -> dict:
    """What the presets of a method set: {option: {preset: value}}. The defaults of these options are None, so that a value that is given is known to be."""
    found: dict = {}
    for option in method["options"]:
        if option.get("sets"):
            for word in option["sets"].split(","):
                name, _, value = word.partition("=")
                found.setdefault(name, {})[option["choices"].split("|")[1]] = value or "true"
    return found


def arguments(method: dict) -> list:
    """The options of a method, each with its argument (`identifier`) and that one's default (`value`)."""
    unset = preset_values(method)
    return [{**option, "identifier": argument(method, option), "value": None if option["name"] in unset else default_of(option)}
            for option in method["options"]]


def _bounds(option: dict) -> str:
    low, high = option.get("min"), option.get("max")
    if option["type"] not in ("int", "float") or low is None or high is None or (low == 0 and high == 0):
        return ""
    number = (lambda x: str(int(x))) if option["type"] == "int" else repr
    return f", {number(low)} to {number(high)}"


def describe_type(option: dict) -> str:
    if option["type"] == "choice":
        return "{" + ", ".join(repr(word) for word in option["choices"].split("|")) + "}"
    return _PYTHON_TYPES[option["type"]] + _bounds(option)


def shared_arguments(method: dict) -> list:
    """Arguments that are not options of the method: name, type, meaning."""
    found = []
    if method["kind"] in ("selector", "classifier"):  # the registry tells who needs a hierarchy, not who may use one
        needed = "needed" if "needs-hierarchy" in method["flags"] else "only looked at if the method can use one"
        found.append(("hierarchy", "Hierarchy, edges, dict, DataFrame, DiGraph, file or None", f"the hierarchy over the columns of X ({needed})"))
    if method["kind"] == "classifier" and not method.get("regressor"):
        found.append(("class_weight", "dict, 'balanced' or None", "another name of weights: class -> weight, those left out have 1"))
    if method["kind"] in ("ranker", "measure"):
        found.append(("n_features_to_select", "int, float or None", "how many of the best `transform` keeps, or which share; None: all"))
    if "stochastic" in method["flags"]:
        found.append(("random_state", "int, RandomState or None", "seed of the random numbers; None: another one each time"))
    return found + [("n_jobs", "int or None", "threads; -1: all processors. Results do not depend on it")]


_ATTRIBUTES: dict = {
    EagerSelector: "support_ : ndarray of bool\n    Which features are kept.\nscores_ : ndarray or None\n"
                   "    Relevance of the features, if the method has one.\n",
    TestingSelector: "support_ : ndarray of bool\n    Which features are kept.\nscores_ : ndarray\n    -log10 of the p-values.\n"
                     "pvalues_ : ndarray\n    p-value of each feature, before any procedure; 1: constant, or not tested (`min_present`).\n",
    LazySelector: "scores_ : ndarray or None\n    Relevance of the features, if the method has one.\nclasses_ : ndarray\n",
    Classifier: "classes_ : ndarray\n",
    Regressor: "",
    WeighingClassifier: "classes_ : ndarray\n",
    Ranker: "scores_ : ndarray\n    Of each feature; higher is better.\nranking_ : ndarray of int\n"
            "    Place of each feature, 1 is best; ties to the lowest index.\norder_ : ndarray of int\n"
            "    The features, best first.\n"}


def docstring(method: dict, base: type) -> str:
    lines = [f"{method['title']} (`{method['name']}`)", "", *textwrap.wrap(method["help"], 100), ""]
    lines += ["Parameters", "----------"]
    presets = preset_values(method)
    for option in arguments(method):
        name, own = option["identifier"], identifier(option["name"])
        help_text = option["help"] + ("" if name == own else f" (also: {own})")
        if option["name"] in presets:
            help_text += f"; None: {default_of(option)!r}" + "".join(
                f", with preset={preset!r} {default_of({**option, 'default': value})!r}" for preset, value in presets[option["name"]].items())
        lines += [f"{name} : {describe_type(option)}{' or None' * (option['name'] in presets)}, default {option['value']!r}",
                  *textwrap.wrap(help_text, 96, initial_indent="    ", subsequent_indent="    ")]
    for name, kind, text in shared_arguments(method):
        lines += [f"{name} : {kind}", "    " + text]
    lines += ["", "Attributes", "----------", *_ATTRIBUTES[base].splitlines(), "n_features_in_ : int",
              "feature_names_in_ : ndarray", "    Only if X had names.",
              "feature_labels_ : ndarray of (str or None), or None", "    Labels of the features, if the hierarchy has labels."]
    lines += ["", "References", "----------", *textwrap.wrap(method["citation"] or "", 100)]
    return "\n".join(lines) + "\n"


def _init(method: dict):
    """__init__ with a real signature, which scikit-learn reads."""
    names = [option["identifier"] for option in arguments(method)]
    values = {f"_{option['identifier']}": option["value"] for option in arguments(method)}
    shared = [name for name, _, _ in shared_arguments(method)]
    head = ", ".join([f"{name}=_{name}" for name in names] + [f"{name}=None" for name in shared])
    body = "".join(f"    self.{name} = {name}\n" for name in names + shared)
    scope = dict(values)
    rest, take = (", **aliases", "    self._take(aliases)\n") if aliases_of(method) else ("", "")
    exec(f"def __init__(self, *, {head}{rest}):\n{body}{take}", scope)
    return scope["__init__"]


def _base_of(method: dict) -> type:
    if method["kind"] == "selector":
        return LazySelector if "lazy" in method["flags"] else TestingSelector if "within-strata" in method["flags"] else EagerSelector
    if method.get("regressor"):
        return Regressor
    if method["kind"] == "classifier":
        return WeighingClassifier if "weighs-instances" in method["flags"] else Classifier
    return Ranker


def _alias(name: str, target: str) -> property:
    return property(lambda self: getattr(self, target), lambda self, value: setattr(self, target, value),
                    doc=f"Another name of {target}.")


def make_class(method: dict, module: str) -> type:
    base = _base_of(method)
    name = class_name(method["name"]) + ("Regressor" if method.get("regressor") else "")
    aliases = aliases_of(method)
    init = _init(method)
    init.__qualname__ = f"{name}.__init__"
    return type(name, (base,), {**{own: _alias(own, target) for own, target in aliases.items()}, "__init__": init, "__doc__": docstring(method, base), "__module__": module,
                                "method": method["name"], "_options": arguments(method), "_aliases": aliases, "_flags": frozenset(method["flags"])})


def make_classes(module: str, kinds: tuple) -> dict:
    """All classes of some kinds. Of two methods of one name, as a ranker and a measure, the first has it."""
    made: dict = {}
    for kind in kinds:
        for method in methods():
            if method["kind"] == kind:
                made.setdefault(class_name(method["name"]), make_class(method, module))
            if kind == "regressor" and method["kind"] == "classifier" and "numeric-target" in method["flags"]:
                options = [option for option in method["options"] if option["name"] not in _OF_CLASSES]
                cls = make_class({**method, "options": options, "regressor": True}, module)
                made.setdefault(cls.__name__, cls)
    return made
