# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors: lazy ones choose features for each instance separately, eager ones are transformers. Every class here is made from the library's registry."""
from ._registry import make_classes

globals().update(make_classes(__name__, ("selector",)))
__all__ = sorted(name for name, value in globals().items() if isinstance(value, type))
