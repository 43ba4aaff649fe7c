# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import Ranker
from ._hierarchy import Hierarchy

__all__ = [
    "Chi2",
    "Gini",
    "Gr",
    "Ig",
    "Lazyr",
    "Lift",
    "Phi",
    "R",
    "Su",
]

class Chi2(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gini(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Gr(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Ig(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Lazyr(Ranker):
    def __init__(
        self,
        *,
        form: Literal["equation", "code"] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Lift(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Phi(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class R(Ranker):
    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "rpv", "none"] = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Su(Ranker):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...
