# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods that predict numbers. Every class here is made from the library's registry: the classifiers that can do it."""
from ._registry import make_classes

globals().update(make_classes(__name__, ("regressor",)))
__all__ = sorted(name for name, value in globals().items() if isinstance(value, type))
