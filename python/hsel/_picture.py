# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as text for Graphviz, which a notebook shows and `dot` draws, if it is installed."""
from __future__ import annotations

import os
import shutil
import subprocess
import textwrap
from typing import Optional

from ._errors import UnsupportedError


def dot_text(text: str) -> str:
    """Text within double quotes of DOT; Graphviz knows the entities of HTML."""
    return "".join(" " if c < " " else "\\" + c if c in '"\\' else "&amp;" if c == "&" else c for c in text)


def dot_label(label: Optional[str]) -> str:
    """A label for a node, above the name: on at most three lines of about 20 characters, each ended."""
    lines = textwrap.wrap(label or "", 20, break_on_hyphens=False)
    cut = ["…" if len(lines) > 3 and i == 2 else "" for i in range(3)]
    return "".join(dot_text(line + more) + "\\n" for line, more in zip(lines, cut))


class Picture(str):
    """A drawing in the language of Graphviz (DOT); as a text, it is the source."""

    def save(self, path) -> None:
        """Writes the source (name ends in .dot or .gv), or has it drawn by Graphviz (.svg, .pdf, .png)."""
        ending = os.path.splitext(os.fspath(path))[1][1:].lower()
        if ending in ("dot", "gv", ""):
            with open(path, "w", encoding="utf-8") as file:
                file.write(self)
            return
        drawn = self._draw(ending)
        if drawn is None:
            raise UnsupportedError("Graphviz is not installed, so there is no program to draw with: save as .dot instead")
        with open(path, "wb") as file:
            file.write(drawn)

    def _draw(self, form: str) -> Optional[bytes]:
        dot = shutil.which("dot")
        if dot is None:
            return None
        done = subprocess.run([dot, "-T" + form], input=self.encode(), capture_output=True)
        if done.returncode:
            raise UnsupportedError("Graphviz: " + done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    def _repr_svg_(self) -> Optional[str]:
        drawn = self._draw("svg")
        return None if drawn is None else drawn.decode()
