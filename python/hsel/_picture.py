# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: the library writes them as DOT and GraphML, and `dot` of Graphviz, if it is installed, draws them."""
from __future__ import annotations

import ctypes
import html
import os
import shutil
import subprocess
from typing import Any, Optional

import numpy as np

from . import _library as lib
from ._errors import UnsupportedError, UsageError

NODES = 60  # that one can still read


class Picture(str):
    """A drawing in the language of Graphviz (DOT); as a text, it is the source. A notebook shows it, if Graphviz is installed."""

    def save(self, path) -> None:
        """Writes the source (name ends in .dot or .gv), or has it drawn by Graphviz (.svg, .pdf, .png)."""
        ending = os.path.splitext(os.fspath(path))[1][1:].lower()
        drawn = self.encode() if ending in ("dot", "gv", "") else self._draw(ending)
        with open(path, "wb") as file:
            file.write(drawn)

    def to_svg(self) -> str:
        """The picture as SVG; UnsupportedError: Graphviz is not installed."""
        return self._draw("svg").decode()

    def _draw(self, form: str) -> bytes:
        dot = shutil.which("dot")
        if dot is None:
            raise UnsupportedError("Graphviz, which draws pictures, is not installed: save as .dot instead")
        done = subprocess.run([dot, "-T" + form], input=self.encode(), capture_output=True)
        if done.returncode:
            raise UnsupportedError("Graphviz: " + done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.to_svg()
        except UnsupportedError:
            return None


class Drawn:
    """Objects that can be drawn: `_drawing` returns the drawing as dot or graphml."""

    _drawing: Any  # (form, *what, nodes=NODES) -> str

    def to_dot(self, *what, nodes: int = NODES) -> Picture:
        """A drawing for Graphviz with at most `nodes` nodes, the most important ones (0: all)."""
        return Picture(self._drawing("dot", *what, nodes=nodes))

    def to_svg(self, *what, nodes: int = NODES) -> str:
        """The same as SVG; UnsupportedError: Graphviz is not installed."""
        return self.to_dot(*what, nodes=nodes).to_svg()

    def to_graphml(self, *what, nodes: int = NODES) -> str:
        """The same as GraphML, for networkx, Cytoscape, Gephi or yEd."""
        return self._drawing("graphml", *what, nodes=nodes)


def limit(nodes: int) -> int:
    """A number of nodes as the library takes it, where 0 is its own default."""
    return lib.whole("nodes", nodes, 0, lib.NONE - 1) or lib.NONE


def draw_features(data, form: str, keep, value, title: str, legend: str, nodes: int) -> str:
    """Features of a data set, those of the mask `keep` (None: all), coloured by `value`."""
    text = ctypes.c_void_p()
    keep = None if keep is None else np.ascontiguousarray(keep, np.uint8)
    value = None if value is None else np.ascontiguousarray(value, np.float64)
    lib.call("hsel_dataset_draw", data, lib.DrawRequest(
        form=form.encode(), title=lib.text("title", title) if title else None, legend=lib.text("legend", legend) if legend else None,
        keep=None if keep is None else keep.ctypes.data, value=None if value is None else value.ctypes.data,
        nodes=limit(nodes)), ctypes.byref(text))
    return lib.take_text(text)


def no_hierarchy() -> UsageError:
    return UsageError("there is no hierarchy to draw: give hierarchy=")


def html_table(head: list, rows: list, caption: str) -> str:
    """A table for a notebook; every text is escaped."""
    def line(tag: str, cells) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return f"<table><caption>{html.escape(caption)}</caption>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"
