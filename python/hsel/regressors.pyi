# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Any, Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import Regressor

__all__ = [
    "BlendRegressor",
    "BoostRegressor",
    "ForestRegressor",
    "KnnRegressor",
    "LogisticRegressor",
    "ProximalGraphRegressor",
    "TreeRegressor",
]

class BlendRegressor(Regressor):
    def __init__(
        self,
        *,
        members: Optional[str] = ...,
        by: Literal["rank", "logit", "stack"] = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class BoostRegressor(Regressor):
    def __init__(
        self,
        *,
        rounds: Optional[str] = ...,
        rate: float = ...,
        depth: int = ...,
        min_weight: float = ...,
        rows: float = ...,
        features: float = ...,
        folds: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class ForestRegressor(Regressor):
    def __init__(
        self,
        *,
        preset: Literal["none", "weka"] = ...,
        n_estimators: Optional[int] = ...,
        max_features: int = ...,
        rule: Optional[Literal["sqrt", "log2"]] = ...,
        retry: Optional[bool] = ...,
        max_depth: int = ...,
        min_samples_leaf: Optional[int] = ...,
        bootstrap: Literal["false", "true", "balanced"] = ...,
        lineage: Literal["any", "one"] = ...,
        permutation: bool = ...,
        corrected: bool = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class KnnRegressor(Regressor):
    def __init__(
        self,
        *,
        preset: Literal["none", "weka"] = ...,
        n_neighbors: Optional[int] = ...,
        smoothing: Optional[Literal["prior", "weka"]] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class LogisticRegressor(Regressor):
    def __init__(
        self,
        *,
        penalty: Literal["ridge", "lasso", "elastic"] = ...,
        l1_ratio: float = ...,
        lambda_: Optional[str] = ...,
        folds: int = ...,
        scale: Literal["numeric", "all", "none"] = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class ProximalGraphRegressor(Regressor):
    def __init__(
        self,
        *,
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
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class TreeRegressor(Regressor):
    def __init__(
        self,
        *,
        preset: Literal["none", "weka"] = ...,
        confidence: float = ...,
        min_samples_leaf: int = ...,
        pruning: bool = ...,
        raising: bool = ...,
        collapse: bool = ...,
        mdl: bool = ...,
        laplace: Optional[bool] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...
