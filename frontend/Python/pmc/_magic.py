# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cell magic %%pm of notebooks."""

from __future__ import annotations

import ast
import shlex
from typing import Any

from ._compile import compile
from ._figure import Figure


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _show(figure: Figure) -> None:
    from IPython.display import display
    display(figure)


def load_ipython_extension(ipython: Any) -> None:
    """After `%load_ext pmc`, a cell `%%pm NAME [CONST=VALUE ...]` compiles its text to the variable NAME.

    Calls of this program show the plots of the spec."""

    def pm(line: str, cell: str) -> None:
        words = shlex.split(line)
        name = words[0] if words and "=" not in words[0] else "program"
        consts = {key: _literal(value) for key, _, value in (word.partition("=") for word in words if "=" in word)}
        program = compile(cell + "\n", **{"plots": "png", **consts})
        program.show = _show
        ipython.push({name: program})

    ipython.register_magic_function(pm, "cell", "pm")
