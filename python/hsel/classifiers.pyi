# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Any, Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import Classifier, WeighingClassifier

__all__ = [
    "Aode",
    "Ban",
    "Blend",
    "Boost",
    "Forest",
    "HieAode",
    "HieAodeLite",
    "HreTan",
    "Knn",
    "Logistic",
    "Nb",
    "ProximalGraph",
    "Pu",
    "Svm",
    "Tan",
    "Tree",
]

class Aode(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        frequency: int = ...,
        smoothing: Literal["laplace", "m-estimate"] = ...,
        weight: float = ...,
        memory: float = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Ban(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Blend(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Literal["none", "platt", "isotonic", "auto"] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        members: Optional[str] = ...,
        by: Literal["rank", "logit", "stack"] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Boost(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Literal["none", "platt", "isotonic", "auto"] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        rounds: Optional[str] = ...,
        rate: float = ...,
        depth: int = ...,
        min_weight: float = ...,
        rows: float = ...,
        features: float = ...,
        folds: int = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Forest(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        n_estimators: Optional[int] = ...,
        max_features: int = ...,
        rule: Optional[Literal["sqrt", "log2"]] = ...,
        retry: Optional[bool] = ...,
        max_depth: int = ...,
        min_samples_leaf: Optional[int] = ...,
        bootstrap: Literal["false", "true", "balanced"] = ...,
        criterion: Optional[Literal["information", "gini"]] = ...,
        lineage: Literal["any", "one"] = ...,
        permutation: bool = ...,
        corrected: bool = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class HieAode(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        frequency: int = ...,
        smoothing: Literal["laplace", "m-estimate"] = ...,
        weight: float = ...,
        memory: float = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HieAodeLite(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        frequency: int = ...,
        smoothing: Literal["laplace", "m-estimate"] = ...,
        weight: float = ...,
        memory: float = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HreTan(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        memory: int = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Knn(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        n_neighbors: Optional[int] = ...,
        smoothing: Optional[Literal["prior", "weka"]] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Logistic(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Literal["none", "platt", "isotonic", "auto"] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        penalty: Literal["ridge", "lasso", "elastic"] = ...,
        l1_ratio: float = ...,
        lambda_: Optional[str] = ...,
        folds: int = ...,
        scale: Literal["numeric", "all", "none"] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Nb(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        numeric: Literal["gaussian", "kernel"] = ...,
        tails: Literal["weka", "exact"] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class ProximalGraph(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Literal["none", "platt", "isotonic", "auto"] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        lambda_: Optional[str] = ...,
        lambdas: int = ...,
        ratio: float = ...,
        folds: int = ...,
        tol: float = ...,
        iterations: int = ...,
        scale: Literal["numeric", "all", "none"] = ...,
        groups: Optional[str] = ...,
        free: Optional[str] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Pu(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Literal["none", "platt", "isotonic", "auto"] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        base: Optional[str] = ...,
        by: Literal["bagging", "two-step", "weighting"] = ...,
        rounds: int = ...,
        size: float = ...,
        limit: float = ...,
        held_out: int = ...,
        reliable: Literal["auto", "none", "neighbours", "paz-ruza", "scores"] = ...,
        similarity: Literal["jaccard", "simgic"] = ...,
        k: int = ...,
        share: float = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Svm(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        kernel: Literal["linear", "polynomial", "rbf"] = ...,
        solver: Optional[Literal["auto", "liblinear", "libsvm"]] = ...,
        C: Optional[str] = ...,
        gamma: float = ...,
        degree: int = ...,
        coef0: float = ...,
        grid: Literal["none", "rpv"] = ...,
        grid_folds: int = ...,
        metric: Literal["accuracy", "gm"] = ...,
        probability: Optional[Literal["platt", "votes", "logistic"]] = ...,
        normalise: bool = ...,
        tol: float = ...,
        max_steps: int = ...,
        cache_size: int = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Tan(Classifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        cmi: Optional[Literal["smoothed", "empirical"]] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Tree(WeighingClassifier):
    def __init__(
        self,
        *,
        calibration: Optional[Literal["none", "platt", "isotonic", "auto"]] = ...,
        threshold: Optional[str] = ...,
        cost: float = ...,
        inner_folds: int = ...,
        weights: Optional[str] = ...,
        preset: Literal["none", "weka"] = ...,
        confidence: float = ...,
        min_samples_leaf: int = ...,
        pruning: bool = ...,
        raising: bool = ...,
        collapse: bool = ...,
        mdl: bool = ...,
        laplace: Optional[bool] = ...,
        hierarchy: Any = ...,
        class_weight: Union[dict, str, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...
