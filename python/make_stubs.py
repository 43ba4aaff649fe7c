#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what is made from the library's registry: the type stubs python/hsel/*.pyi and the page docs/python-api.md.

Usage: make_stubs.py [--check]        (--check: complain if they are not what would be written)
HSEL_LIBRARY names the shared library, unless it is installed.
"""
import inspect
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import hsel  # noqa: E402
from hsel import _registry as registry  # noqa: E402
from hsel._base import Classifier, EagerSelector, LazySelector, Ranker, Regressor  # noqa: E402

HEAD = "# SPDX-License-Identifier: GPL-3.0-or-later\n# Written by python/make_stubs.py from the library's registry.\n"
TYPES = {"bool": "bool", "int": "int", "float": "float", "text": "Optional[str]", "list": "Optional[Sequence[str]]"}
SHARED = {"hierarchy": "Any", "n_features_to_select": "Union[int, float, None]", "random_state": "Union[int, RandomState, None]", "n_jobs": "Optional[int]",
          "class_weight": "Union[dict, str, None]"}


# ---- stubs ----

def type_of(option):
    words = ", ".join(f'"{word}"' for word in option.get("choices", "").split("|"))
    name = f"Literal[{words}]" if option["type"] == "choice" else TYPES[option["type"]]
    return f"Optional[{name}]" if option["value"] is None and not name.startswith("Optional") else name


def stub(cls):
    lines = [f"class {cls.__name__}({cls.__mro__[1].__name__}):"]
    arguments = [f"{option['identifier']}: {type_of(option)} = ..." for option in cls._options]
    arguments += [f"{name}: {SHARED[name]} = ..." for name in inspect.signature(cls.__init__).parameters if name in SHARED]
    if cls._aliases:
        arguments.append("**aliases: Any")
    lines += ["    def __init__(", "        self,", "        *,", *(f"        {argument}{'' if argument.startswith('*') else ','}" for argument in arguments),
              "    ) -> None: ..."]
    return "\n".join(lines) + "\n"


def stubs(module):
    classes = [getattr(module, name) for name in module.__all__]
    bases = sorted({cls.__mro__[1].__name__ for cls in classes})
    text = HEAD + "from typing import Any, Literal, Optional, Sequence, Union\n\nfrom numpy.random import RandomState\n\n"
    text += f"from ._base import {', '.join(bases)}\n\n"
    text += "__all__ = [\n" + "".join(f'    "{name}",\n' for name in module.__all__) + "]\n\n"
    return text + "\n".join(stub(cls) for cls in classes)


# ---- the page ----

def signature(function):
    return str(inspect.signature(function)).replace("hsel._hierarchy.", "").replace("NoneType", "None")


def section(title, text):
    return f"### {title}\n\n```text\n{inspect.cleandoc(text).rstrip()}\n```\n\n"


def methods_of(cls):
    """The public methods that the class itself or a base of this package defines."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("hsel"):
            found.update({name: value for name, value in vars(base).items()
                          if not name.startswith("_") and callable(value) or isinstance(value, property)})
    lines = []
    for name, value in sorted(found.items()):
        if isinstance(value, property):
            lines.append(f"- `{name}`: {(value.__doc__ or '').strip().splitlines()[0] if value.__doc__ else ''}".rstrip(": "))
        elif inspect.isfunction(value) or isinstance(value, classmethod):
            function = getattr(cls, name)
            words = inspect.signature(function).parameters
            shown = ", ".join(word for word in words if word != "self")
            doc = (inspect.getdoc(function) or "").split("\n")[0]
            lines.append(f"- `{name}({shown})`" + (f": {doc}" if doc else ""))
    return "\n".join(lines) + "\n\n" if lines else ""


def kind_section(title, base, modules):
    classes = [cls for module in modules for cls in (getattr(module, name) for name in module.__all__)
               if issubclass(cls, base)]
    text = f"## {title}\n\n{inspect.cleandoc(base.__doc__)}\n\n{methods_of(base)}"
    for cls in classes:
        text += section(f"{cls.__module__}.{cls.__name__}", cls.__doc__)
    return text


def page():
    text = ("# The Python package, class by class\n\nWritten by `python/make_stubs.py` from the package and the library's "
            "registry; [python.md](python.md) is the way in.\n\n## Data, hierarchies, evaluation\n\n")
    for name in ("read", "build", "generate", "propagate", "cross_validate", "compare", "pu_metrics", "discover_sets", "stability", "similarity", "test", "report"):
        function = getattr(hsel, name)
        text += section(f"hsel.{name}", f"{name}({', '.join(inspect.signature(function).parameters)})\n\n"
                        + inspect.getdoc(function))
    for cls in (hsel.Dataset, hsel.Hierarchy, hsel.SelectThenPredict, hsel.PositiveUnlabelled, hsel.Auto, hsel.LazyWrapper, hsel.Propagate, hsel.Explanation, hsel.CrossValidation,
                hsel.Comparison, hsel.Picture):
        text += section(f"hsel.{cls.__name__}", cls.__doc__) + methods_of(cls)
    text += "## Exceptions\n\n| class | also a | when |\n|---|---|---|\n"
    for name in hsel._errors:
        cls = getattr(hsel, name)
        also = ", ".join(base.__name__ for base in cls.__bases__)
        text += f"| `{name}` | {also} | {cls.__doc__.splitlines()[0]} |\n"
    text += "\n" + kind_section("Lazy selectors", LazySelector, [hsel.selectors])
    text += kind_section("Eager selectors", EagerSelector, [hsel.selectors])
    text += kind_section("Classifiers", Classifier, [hsel.classifiers])
    text += kind_section("Regressors", Regressor, [hsel.regressors])
    text += kind_section("Rankers and measures", Ranker, [hsel.rankers])
    return text.rstrip() + "\n"


def main():
    wanted = {HERE / "hsel" / f"{module.__name__.split('.')[1]}.pyi": stubs(module)
              for module in (hsel.selectors, hsel.classifiers, hsel.regressors, hsel.rankers)}
    wanted[ROOT / "docs" / "python-api.md"] = page()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)}: not what python/make_stubs.py writes; run scripts/docs")
        sys.exit(1 if stale else 0)
    for path in stale:
        path.write_text(wanted[path])
        print(f"{path.relative_to(ROOT)}: renewed")


if __name__ == "__main__":
    main()
