# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Any, Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import EagerSelector, LazySelector, TestingSelector

__all__ = [
    "AllNeg",
    "AllPos",
    "Boruta",
    "Cfs",
    "Cmim",
    "Ensemble",
    "Fdr",
    "Ga",
    "Gtd",
    "Hfe",
    "HillClimbing",
    "Hip",
    "HipMr",
    "HipPlus",
    "Hnb",
    "HnbS",
    "Jmi",
    "Level",
    "Mr",
    "Mrmr",
    "None_",
    "Relieff",
    "Rnb",
    "Rpv",
    "Sc",
    "Shsel",
    "Sig",
    "Stability",
    "Taxahfe",
    "Top",
    "Tsel",
]

class AllNeg(LazySelector):
    def __init__(
        self,
        *,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class AllPos(LazySelector):
    def __init__(
        self,
        *,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Boruta(EagerSelector):
    def __init__(
        self,
        *,
        runs: int = ...,
        trees: int = ...,
        alpha: float = ...,
        shadows: Literal["independent", "lineage"] = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Cfs(EagerSelector):
    def __init__(
        self,
        *,
        lookup: int = ...,
        termination: int = ...,
        locally_predictive: bool = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Cmim(EagerSelector):
    def __init__(
        self,
        *,
        k: int = ...,
        related: Literal["allowed", "redundant", "excluded"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Ensemble(EagerSelector):
    def __init__(
        self,
        *,
        of: Optional[str] = ...,
        runs: int = ...,
        share: float = ...,
        by: Literal["mean", "median", "borda", "votes"] = ...,
        k: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Fdr(TestingSelector):
    def __init__(
        self,
        *,
        method: Optional[str] = ...,
        alpha: float = ...,
        test: Literal["auto", "fisher", "chi2", "g", "cmh"] = ...,
        tail: Literal["both", "more", "less"] = ...,
        mid: bool = ...,
        permutations: int = ...,
        min_present: float = ...,
        filter: Literal["outer", "lin", "resnik", "jiang-conrath"] = ...,
        similar: float = ...,
        outer: bool = ...,
        cut: float = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Ga(EagerSelector):
    def __init__(
        self,
        *,
        preset: Literal["auto", "bitwise", "she", "cbhe"] = ...,
        mutation: Literal["auto", "bitwise", "she", "cbhe"] = ...,
        population: int = ...,
        generations: int = ...,
        elite: int = ...,
        tournament: int = ...,
        crossover: float = ...,
        sp: float = ...,
        bp: float = ...,
        mutate: Literal["simultaneous", "sequential"] = ...,
        classifier: Optional[str] = ...,
        metric: Literal["gm", "accuracy", "sensitivity", "specificity", "macro-f1", "auroc", "auprc"] = ...,
        folds: int = ...,
        fitness: Literal["fast", "general"] = ...,
        seed: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gtd(EagerSelector):
    def __init__(
        self,
        *,
        reading: Literal["path", "antichain", "shortest"] = ...,
        ties: Literal["root", "leaf", "both"] = ...,
        score_: Literal["gr", "ig"] = ...,
        cuts: Literal["mdl", "quantiles"] = ...,
        bins: int = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Hfe(EagerSelector):
    def __init__(
        self,
        *,
        threshold: float = ...,
        prune: Literal["strict", "lenient"] = ...,
        correlation: Literal["pearson", "spearman"] = ...,
        cuts: Literal["mdl", "quantiles"] = ...,
        bins: int = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HillClimbing(EagerSelector):
    def __init__(
        self,
        *,
        direction: Literal["bottom-up", "top-down"] = ...,
        k: int = ...,
        beta: float = ...,
        alpha: float = ...,
        similarity: Literal["cosine", "euclidean"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Hip(LazySelector):
    def __init__(
        self,
        *,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HipMr(LazySelector):
    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HipPlus(LazySelector):
    def __init__(
        self,
        *,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Hnb(LazySelector):
    def __init__(
        self,
        *,
        k: int = ...,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class HnbS(LazySelector):
    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Jmi(EagerSelector):
    def __init__(
        self,
        *,
        k: int = ...,
        related: Literal["allowed", "redundant", "excluded"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Level(EagerSelector):
    def __init__(
        self,
        *,
        classifier: Optional[str] = ...,
        metric: Literal["accuracy", "gm", "macro-f1", "auroc", "auprc"] = ...,
        folds: int = ...,
        from_: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Mr(LazySelector):
    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Mrmr(EagerSelector):
    def __init__(
        self,
        *,
        k: int = ...,
        related: Literal["allowed", "redundant", "excluded"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class None_(EagerSelector):
    def __init__(
        self,
        *,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Relieff(EagerSelector):
    def __init__(
        self,
        *,
        threshold: float = ...,
        n_neighbors: int = ...,
        weight: bool = ...,
        sigma: int = ...,
        order: Literal["index", "folds"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Rnb(EagerSelector):
    def __init__(
        self,
        *,
        k: int = ...,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Rpv(LazySelector):
    def __init__(
        self,
        *,
        measure: Literal["lazyr", "r", "ig"] = ...,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        lazyr: Literal["equation", "code", "centred"] = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Sc(EagerSelector):
    def __init__(
        self,
        *,
        threshold: float = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Shsel(EagerSelector):
    def __init__(
        self,
        *,
        similarity: Literal["ig", "correlation", "spearman"] = ...,
        threshold: float = ...,
        prune: Literal["strict", "lenient", "none"] = ...,
        mean: Literal["all", "survivors"] = ...,
        paths: Literal["original", "contracted"] = ...,
        cuts: Literal["mdl", "quantiles"] = ...,
        bins: int = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Sig(EagerSelector):
    def __init__(
        self,
        *,
        threshold: float = ...,
        normalize: bool = ...,
        cuts: Literal["mdl", "quantiles"] = ...,
        bins: int = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Stability(EagerSelector):
    def __init__(
        self,
        *,
        of: Optional[str] = ...,
        runs: int = ...,
        share: float = ...,
        threshold: float = ...,
        permutations: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Taxahfe(EagerSelector):
    def __init__(
        self,
        *,
        prevalence: float = ...,
        abundance: float = ...,
        from_: int = ...,
        to: int = ...,
        correlation: float = ...,
        seeds: int = ...,
        trees: int = ...,
        sure: float = ...,
        filter: Literal["on", "off"] = ...,
        final_seeds: int = ...,
        hierarchy: Any = ...,
        random_state: Union[int, RandomState, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Top(EagerSelector):
    def __init__(
        self,
        *,
        by: Optional[str] = ...,
        k: int = ...,
        share: float = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Tsel(EagerSelector):
    def __init__(
        self,
        *,
        reading: Literal["iterative", "path-max", "path-max-filter", "first-local"] = ...,
        score_: Literal["lift", "ig"] = ...,
        chi2_top: int = ...,
        cuts: Literal["mdl", "quantiles"] = ...,
        bins: int = ...,
        hierarchy: Any = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...
