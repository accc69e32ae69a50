# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the plots of a spec."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path


@dataclasses.dataclass(frozen=True, repr=False)
class Figure:
    """A picture that a run has drawn. Notebooks display it."""

    name: str
    #: png, svg or pdf.
    format: str
    #: The bytes of the file.
    data: bytes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        Path(path).write_bytes(self.data)

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None

    def _repr_svg_(self) -> str | None:
        return self.data.decode() if self.format == "svg" else None

    def _repr_pdf_(self) -> bytes | None:
        return self.data if self.format == "pdf" else None

    def __repr__(self) -> str:
        return f"Figure({self.name}.{self.format}, {len(self.data)} bytes)"
