# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Any, Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import Ranker

__all__ = [
    "Auc",
    "Chi2",
    "Dev",
    "F",
    "Gi",
    "Gini",
    "Gm",
    "Gr",
    "Ig",
    "Ks",
    "Lazyr",
    "Lift",
    "Mi",
    "Or",
    "Pearson",
    "Phi",
    "Pow",
    "Pr",
    "Prc",
    "R",
    "Relieff",
    "RelieffW",
    "Spearman",
    "Su",
]

class Auc(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Chi2(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Dev(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class F(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gi(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gini(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gm(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gr(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Ig(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Ks(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Lazyr(Ranker):
    def __init__(
        self,
        *,
        form: Literal["equation", "code", "centred"] = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Lift(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Mi(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Or(Ranker):
    def __init__(
        self,
        *,
        zero: Literal["paper", "inf", "one", "half"] = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Pearson(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Phi(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Pow(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Pr(Ranker):
    def __init__(
        self,
        *,
        zero: Literal["paper", "inf", "one", "half"] = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Prc(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class R(Ranker):
    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Relieff(Ranker):
    def __init__(
        self,
        *,
        n_neighbors: int = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class RelieffW(Ranker):
    def __init__(
        self,
        *,
        n_neighbors: int = ...,
        sigma: int = ...,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
        **aliases: Any
    ) -> None: ...

class Spearman(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Su(Ranker):
    def __init__(
        self,
        *,
        n_features_to_select: Union[int, float, None] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...
