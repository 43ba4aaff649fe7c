# SPDX-License-Identifier: GPL-3.0-or-later
# Written by python/make_stubs.py from the library's registry.
from typing import Literal, Optional, Sequence, Union

from numpy.random import RandomState

from ._base import Classifier
from ._hierarchy import Hierarchy

__all__ = [
    "Knn",
    "Nb",
]

class Knn(Classifier):
    def __init__(
        self,
        *,
        k: int = ...,
        n_jobs: Optional[int] = ...,
    ) -> None: ...

class Nb(Classifier):
    def __init__(
        self,
        *,
        n_jobs: Optional[int] = ...,
    ) -> None: ...
