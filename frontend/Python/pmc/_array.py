# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that know their unit and coordinates."""

from __future__ import annotations

import json
from typing import Any, Mapping

import numpy as np


class Field(np.ndarray):
    """A NumPy array of a program.

    `unit`, `dims` (the names of the axes) and `columns` come from the spec. `lengths` has the physical length of
    each axis, or None. Results of NumPy's operations are arrays without these."""

    name: str = ""
    unit: str = ""
    dims: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    #: The iterations of the loops around the output, "_003"; or "".
    iterations: str = ""
    #: Of a part that one rank holds: where it begins, and the shape of the whole.
    offset: tuple[int, ...] | None = None
    whole: tuple[int, ...] | None = None
    _text: bytes | None = None
    _attributes: dict[str, Any] | None = None

    @classmethod
    def of(cls, array: np.ndarray, name: str = "", unit: str = "", dims: tuple[str, ...] = (),
           columns: tuple[str, ...] = (), attributes: bytes | dict | None = None) -> "Field":
        field = array.view(cls)
        field.name, field.unit, field.dims, field.columns = name, unit, dims, columns
        if isinstance(attributes, dict):
            field._attributes = attributes
        else:
            field._text = attributes
        return field

    def __array_wrap__(self, array, context=None, return_scalar=False):
        # The unit of a result is not known.
        return array[()] if return_scalar else np.asarray(array)

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What an output file says of its numbers: the program, its parameters, the unit, the box."""
        if self._attributes is None:
            self._attributes = json.loads(self._text) if self._text else {}
        return self._attributes

    @property
    def lengths(self) -> tuple[float | None, ...]:
        box = self.attributes.get("box", ())
        known = [float(length) if length > 0 else None for length in box]
        return tuple(known + [None] * (self.ndim - len(known)))

    @property
    def coords(self) -> dict[str, np.ndarray]:
        """The coordinates of the nodes along the axes that have a length: node i is at i * length / cells."""
        offset = self.offset or (0,) * self.ndim
        return {dim: (np.arange(cells) + first) * (length / whole)
                for dim, cells, first, whole, length in zip(self.dims, self.shape, offset, self.whole or self.shape,
                                                            self.lengths) if length is not None}

    def to_xarray(self):
        """An xarray.DataArray with the unit and the coordinates."""
        import xarray
        dims = self.dims if len(self.dims) == self.ndim else [f"axis{i}" for i in range(self.ndim)]
        coords: dict[str, Any] = dict(self.coords)
        if self.columns and self.ndim and self.shape[-1] == len(self.columns):
            coords[dims[-1]] = list(self.columns)
        return xarray.DataArray(np.asarray(self), dims=dims, coords=coords, name=self.name or None,
                                attrs={"units": self.unit})
