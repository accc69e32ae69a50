# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders that programs have written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ._array import Field, link_members
from ._errors import Error
from ._program import Result


class Run(Result):
    """The outputs in a folder, and `record`: what its run.json says of the run."""

    def __init__(self, folder: Path, record: dict[str, Any], arrays: dict[str, Any]):
        super().__init__(arrays)
        self.folder = folder
        self.record = record

    def __repr__(self) -> str:
        return f"Run({self.folder}: {', '.join(self)})"


def _plain(value: Any) -> Any:
    """An attribute of HDF5 as a value of Python."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value.tolist()]
    return value.item() if isinstance(value, np.generic) else value


def _field(name: str, array: np.ndarray, attributes: dict[str, Any]) -> Field:
    return Field.of(array, name, attributes.get("unit", ""), tuple(attributes.get("dimensions", ())),
                    tuple(attributes.get("columns", ())), attributes)


def _read_hdf5(path: Path) -> dict[str, Field]:
    import h5py
    arrays: dict[str, Field] = {}

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            attributes = {key: _plain(value) for key, value in item.attrs.items()}
            arrays[name] = _field(name, item[()] if item.shape else np.asarray(item[()]), attributes)

    with h5py.File(path) as file:
        file.visititems(visit)
    return arrays


def read(folder: str | os.PathLike[str]) -> Run:
    """Reads run.json and the outputs of a folder in HDF5 and .npy files.

    An output in a loop has one name for each iteration, as its files: density_003."""
    root = Path(folder)
    if not root.is_dir():
        raise Error(f"{root} is not a folder")
    record_file = root / "run.json"
    if not record_file.exists():
        raise Error(f"{root} has no run.json, so it is not the folder of a run")
    arrays: dict[str, Any] = {}
    for path in sorted(root.iterdir()):
        if path.suffix == ".h5":
            found = _read_hdf5(path)
            # The dataset of a single output has its name without iterations.
            arrays |= {path.stem: next(iter(found.values()))} if len(found) == 1 and "/" not in next(iter(found)) \
                else {path.stem + name[name.find("/"):]: array for name, array in found.items()}
        elif path.suffix == ".npy":
            arrays[path.stem] = _field(path.stem, np.load(path), {})
    link_members(arrays)
    return Run(root, json.loads(record_file.read_text()), arrays)
