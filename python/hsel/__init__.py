# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel: feature selection and classification when binary features stand in an IS-A hierarchy.

Selectors and classifiers are classes of this package (``hsel.Rpv``, ``hsel.Nb``), rankers and measures of ``hsel.rankers``;
all work as estimators of scikit-learn. ``hsel.Hierarchy`` holds the IS-A edges, ``hsel.read`` reads data of every format.
"""
from . import classifiers, rankers, regressors, selectors
from ._around import LazyWrapper, Propagate
from ._auto import Auto
from ._base import Explanation, LazySelector, SelectThenPredict
from ._data import Dataset, build, generate, read
from ._discover import Candidates, discover
from ._errors import *  # noqa: F401,F403
from ._errors import __all__ as _errors
from ._evaluate import Comparison, CrossValidation, PValues, compare, cross_validate, discover_sets, metric_names, p_values, pu_metrics, report, similarity, stability, terms, test
from ._hierarchy import Hierarchy, propagate
from ._library import built_with, methods, version
from ._picture import Picture
from ._pu import PositiveUnlabelled
from .classifiers import *  # noqa: F401,F403
from .regressors import *  # noqa: F401,F403
from .selectors import *  # noqa: F401,F403

__version__ = version()
__all__ = ["Auto", "Candidates", "Comparison", "CrossValidation", "Dataset", "Explanation", "Hierarchy", "LazySelector", "LazyWrapper", "PValues", "Picture", "PositiveUnlabelled",
           "Propagate", "SelectThenPredict", "build", "built_with", "classifiers", "compare", "cross_validate", "discover", "discover_sets", "generate", "methods",
           "metric_names", "p_values", "propagate", "pu_metrics", "rankers", "read", "regressors", "report", "selectors", "similarity", "stability", "terms", "test", "version", *_errors,
           *classifiers.__all__, *regressors.__all__, *selectors.__all__]
