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

    def to_frame(self):
        """A pandas.DataFrame: of one dimension, a column with its name; of two, the columns of the spec."""
        import pandas
        array = np.asarray(self)
        if array.ndim == 2:
            return pandas.DataFrame(array, columns=list(self.columns) or None)
        if array.ndim != 1:
            raise ValueError(f"'{self.name}' has {array.ndim} dimensions; a data frame has one or two")
        index = pandas.Index(self.coords[self.dims[0]], name=self.dims[0]) if self.coords else None
        return pandas.DataFrame({self.name.rpartition("/")[2]: array}, index=index)

    def plot(self, axes=None):
        """Draws a line of one dimension, an image of two, or the middle plane of three, on axes of matplotlib."""
        from matplotlib import pyplot
        array = np.asarray(self)
        if np.iscomplexobj(array):
            array = np.abs(array)
        if not 1 <= array.ndim <= 3:
            raise ValueError(f"'{self.name}' has {array.ndim} dimensions; a figure has one to three")
        if array.ndim == 3:
            array = array[array.shape[0] // 2]
        dims, lengths = self.dims[-array.ndim:], self.lengths[-array.ndim:]
        axes = axes or pyplot.gca()
        label = f"{self.name} ({self.unit})" if self.unit else self.name
        if array.ndim == 1:
            axes.plot(self.coords.get(dims[0], np.arange(len(array))), array)
            axes.set_ylabel(label)
        else:
            extent = None if None in lengths else (0, lengths[1], 0, lengths[0])
            axes.figure.colorbar(axes.imshow(array, origin="lower", extent=extent), ax=axes, label=label)
            axes.set_ylabel(dims[0])
        axes.set_xlabel(dims[-1])
        return axes
