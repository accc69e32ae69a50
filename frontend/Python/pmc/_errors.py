# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the package raises."""

from __future__ import annotations

import dataclasses
import re


class Error(Exception):
    """The base of all errors of this package."""


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler at a place of the spec. Lines and columns count from 1; line 0: no place.

    `code`: as "PM0201", which `pmc help PM0201` explains; "": none, as of notes."""

    severity: str
    file: str
    line: int
    column: int
    message: str
    notes: tuple["Diagnostic", ...] = ()
    code: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        code = f" [{self.code}]" if self.code else ""
        return "\n".join([f"{place}{self.severity}: {self.message}{code}", *map(str, self.notes)])


class SpecError(Error):
    """The compiler refuses a spec. `text` is what pmc has printed."""

    def __init__(self, diagnostics: list[Diagnostic], text: str):
        self.diagnostics = diagnostics
        self.text = text
        super().__init__(text.rstrip() or "\n".join(map(str, diagnostics)))


@dataclasses.dataclass(frozen=True)
class Note:
    """A further place that an error of a run names."""

    location: str
    message: str


class RunError(Error, RuntimeError):
    """A run has failed at `location` ("sim.pm:14:9", or "") in step `step` of `steps` of the innermost loop.

    Steps count from 0; None: in no loop. `rank`: the rank that has failed; None: all have. `code`: as "PM9101", which
    `pmc help PM9101` explains; "": none."""

    def __init__(self, message: str, location: str = "", step: int | None = None, steps: int | None = None,
                 rank: int | None = None, notes: tuple[Note, ...] = ()):
        # The runtime writes the code at the end of the first line.
        found = re.search(r" \[(PM\d{4})\]$", message, re.MULTILINE)
        self.code = found[1] if found else ""
        self.message = message.replace(found[0], "", 1) if found else message
        self.location = location
        self.step = step
        self.steps = steps
        self.rank = rank
        self.notes = notes
        super().__init__(f"{location}: {message}" if location else message)


class InputError(RunError, ValueError):
    """A parameter, an input or an option is wrong. Nothing was computed."""
