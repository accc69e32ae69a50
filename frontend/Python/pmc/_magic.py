# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cell magic %%pm of notebooks."""

from __future__ import annotations

import ast
import shlex

from ._compile import compile


def _literal(text: str):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def load_ipython_extension(ipython) -> None:
    """After `%load_ext pmc`, a cell `%%pm NAME [CONST=VALUE ...]` compiles its text to the variable NAME."""

    def pm(line: str, cell: str) -> None:
        words = shlex.split(line)
        name = words[0] if words and "=" not in words[0] else "program"
        consts = dict(word.split("=", 1) for word in words if "=" in word)
        ipython.push({name: compile(cell + "\n", **{key: _literal(value) for key, value in consts.items()})})

    ipython.register_magic_function(pm, "cell", "pm")
