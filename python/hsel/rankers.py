# SPDX-License-Identifier: GPL-3.0-or-later
"""Rankers and measures of relevance: they score every feature by itself. Every class here is made from the library's registry."""
from ._registry import make_classes

globals().update(make_classes(__name__, ("ranker", "measure",)))
__all__ = sorted(name for name, value in globals().items() if isinstance(value, type))
