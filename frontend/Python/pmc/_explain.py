# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a spec costs."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, Dict, Iterable, Sequence

from . import _abi
from ._compile import flags_of, path_of, spec_error

if TYPE_CHECKING:
    import pandas


class Costs(Dict[str, Any]):
    """What a spec costs, as `pmc --explain=json` prints it."""

    def to_frame(self, of: str = "ops") -> "pandas.DataFrame":
        """A list of the costs as a pandas.DataFrame: "ops", "loops", or "at_the_peak" of the memory."""
        import pandas
        return pandas.DataFrame(self["memory"][of] if of in self["memory"] else self[of])


def explain(spec: str | os.PathLike[str], *, mesh: dict[str, int] | None = None, machine: str | None = None,
            params: dict[str, float] | None = None, precision: str | None = None, layout: str | None = None,
            include: Iterable[str | os.PathLike[str]] = (), flags: Sequence[str] = (), **consts: Any) -> Costs:
    """The costs of a spec, a path or a text of several lines."""
    path = path_of(spec)
    own = flags_of(consts, precision, layout, "native", include, flags)
    asked = ["--explain=json"]
    if mesh:
        asked.append("--mesh=" + ",".join(f"{axis}={extent}" for axis, extent in mesh.items()))
    if machine:
        asked.append(f"--machine={machine}")
    asked += [f"--param={name}={value}" for name, value in (params or {}).items()]
    done = subprocess.run([_abi.compiler(), *own, *asked, path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise spec_error(path, own, done.stderr)
    return Costs(json.loads(done.stdout))
