# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that know their unit and coordinates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes
    _Array = np.ndarray[Any, Any]
else:
    _Array = np.ndarray


class Grid(NamedTuple):
    """The positions of an array along one axis: element i is node first + i * step of `cells` nodes."""

    first: int
    step: int
    cells: int
    length: float | None
    #: In Fourier space: the distance between wavenumbers, and whether the array has half of the spectrum.
    wavenumber: float | None = None
    is_half: bool = False
    #: The coordinates of all nodes, if a table has them.
    table: np.ndarray[Any, Any] | None = None

    def coordinates(self, extent: int) -> np.ndarray[Any, Any] | None:
        """The coordinates of the first `extent` elements; None if they are unknown."""
        nodes = self.first + self.step * np.arange(extent)
        if self.table is not None:
            return self.table[nodes]
        if self.wavenumber is not None:
            is_negative = 2 * nodes >= self.cells if not self.is_half else np.zeros(extent, bool)
            return (nodes - np.where(is_negative, self.cells, 0)) * self.wavenumber
        return None if self.length is None else nodes * (self.length / self.cells)


class Field(_Array):
    """A NumPy array of a program.

    `unit`, `dims` (the names of the axes) and `columns` come from the spec. `lengths` has the physical length of
    each axis, or None. Copies and slices keep these. Results of NumPy's functions are arrays without them."""

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
    #: Of a slice.
    _grids: tuple[Grid, ...] | None = None
    #: The first member of the record, if this is another member and both have one dimension.
    _first: np.ndarray[Any, Any] | None = None

    @classmethod
    def of(cls, array: np.ndarray[Any, Any], name: str = "", unit: str = "", dims: tuple[str, ...] = (),
           columns: tuple[str, ...] = (), attributes: bytes | dict[str, Any] | None = None) -> "Field":
        field = array.view(cls)
        field.name, field.unit, field.dims, field.columns = name, unit, dims, columns
        if isinstance(attributes, dict):
            field._attributes = attributes
        else:
            field._text = attributes
        return field

    # ---- Copies and slices ---------------------------------------------------------------------------------------

    def _named(self, array: Any) -> Any:
        """Copies the attributes of this array to another one."""
        if isinstance(array, Field):
            array.__dict__.update(self.__dict__)
        return array

    def copy(self, order: Any = "C") -> "Field":
        copied: Field = self._named(super().copy(order))
        return copied

    def __copy__(self) -> "Field":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "Field":
        return self.copy()

    def astype(self, dtype: Any, *arguments: Any, **options: Any) -> Any:
        return self._named(super().astype(dtype, *arguments, **options))

    def transpose(self, *axes: Any) -> Any:
        turned = super().transpose(*axes)
        chosen = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        places = [axis % self.ndim for axis in chosen] if chosen else list(reversed(range(self.ndim)))
        if isinstance(turned, Field) and len(self.dims) == self.ndim and not self._has_columns():
            turned.name, turned.unit = self.name, self.unit
            turned.dims = tuple(self.dims[place] for place in places)
            turned._grids = tuple(self._axes()[place] for place in places)
        return turned

    @property
    def T(self) -> Any:
        return self.transpose()

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(found, Field):
            self._describe(found, key if isinstance(key, tuple) else (key,))
        return found

    def _describe(self, part: "Field", key: tuple[Any, ...]) -> None:
        """Sets the attributes of a part of this array: its unit, dims, columns and coordinates, as far as they are known."""
        part.name, part.iterations = self.name, self.iterations
        is_basic = all(one is Ellipsis or isinstance(one, (int, np.integer, slice)) for one in key)
        if is_basic or not self.columns:
            part.unit = self.unit
        if not is_basic or len(self.dims) != self.ndim:
            return
        rest = self.ndim - sum(one is not Ellipsis for one in key)
        at = next((i for i, one in enumerate(key) if one is Ellipsis), len(key))
        full = [*key[:at], *[slice(None)] * rest, *key[at + 1:]]
        dims, grids = [], []
        for dim, grid, one, extent in zip(self.dims, self._axes(), full, self.shape):
            if isinstance(one, slice):
                first, _, step = one.indices(extent)
                dims.append(dim)
                grids.append(grid._replace(first=grid.first + first * grid.step, step=grid.step * step))
        part.dims, part._grids = tuple(dims), tuple(grids)
        if not self._has_columns():
            return
        last, units = full[-1], self.unit.split(", ")
        if isinstance(last, slice):
            part.columns = self.columns[last]
            part.unit = ", ".join(units[last]) if len(units) == len(self.columns) else self.unit
        else:
            part.name = self.columns[last]
            part.unit = units[last] if len(units) == len(self.columns) else self.unit

    def __reduce__(self) -> Any:
        make, arguments, state = super().__reduce__()  # type: ignore[misc]
        return make, arguments, (state, self.__dict__)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])  # type: ignore[misc]
        self.__dict__.update(state[1])

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        # The unit of a result is not known.
        return array[()] if return_scalar else np.asarray(array)

    # ---- Attributes ----------------------------------------------------------------------------------------------

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What an output file says of its numbers: the program, its parameters, the unit, the box."""
        if self._attributes is None:
            self._attributes = json.loads(self._text) if self._text else {}
        return self._attributes

    def _has_columns(self) -> bool:
        return bool(self.columns) and self.ndim > 0 and self.shape[-1] == len(self.columns)

    def _axes(self) -> tuple[Grid, ...]:
        if self._grids is not None:
            return self._grids
        box = list(self.attributes.get("box", ()))[:self.ndim]
        lengths = [float(length) if length > 0 else None for length in box] + [None] * (self.ndim - len(box))
        steps = [step or None for step in self.attributes.get("wavenumber_steps", ())][:self.ndim]
        steps += [None] * (self.ndim - len(steps))
        half = self.attributes.get("half_dimension")
        offset = self.offset or (0,) * self.ndim
        dims = self.dims if len(self.dims) == self.ndim else ("",) * self.ndim
        grids = [Grid(first, 1, cells, length, step, dim == half) for first, cells, length, step, dim
                 in zip(offset, self.whole or self.shape, lengths, steps, dims)]
        if self.ndim and grids[0].coordinates(1) is None and self.whole is None:
            grids[0] = grids[0]._replace(table=self._abscissa())
        return tuple(grids)

    def _abscissa(self) -> np.ndarray[Any, Any] | None:
        """The first column of a table, or the first member of a record, if its values increase."""
        first = self._first
        if first is None and self.ndim == 2 and self._has_columns():
            first = np.asarray(self)[:, 0]
        if first is None or first.dtype.kind != "f" or not np.all(np.diff(first) > 0):
            return None
        return first

    @property
    def lengths(self) -> tuple[float | None, ...]:
        """The length of each axis. For a slice or a part, it is the length of the whole axis."""
        return tuple(grid.length for grid in self._axes())

    @property
    def coords(self) -> dict[str, np.ndarray[Any, Any]]:
        """The coordinates along the axes whose coordinates are known.

        Along an axis with a length, node i is at i * length / cells. In Fourier space, the coordinates are wavenumbers.
        Otherwise, they are the first column of a table, or the first member of a record, if these values increase."""
        all_coordinates = {dim: grid.coordinates(extent)
                           for dim, extent, grid in zip(self.dims, self.shape, self._axes())}
        return {dim: found for dim, found in all_coordinates.items() if found is not None}

    # ---- Other packages ------------------------------------------------------------------------------------------

    def to_xarray(self) -> "xarray.DataArray":
        """An xarray.DataArray with the unit and the coordinates."""
        import xarray
        dims = self.dims if len(self.dims) == self.ndim else [f"axis{i}" for i in range(self.ndim)]
        coords: dict[Any, Any] = dict(self.coords)
        if self._has_columns():
            coords[dims[-1]] = list(self.columns)
        return xarray.DataArray(np.asarray(self), dims=dims, coords=coords, name=self.name or None,
                                attrs={"units": self.unit})

    def to_frame(self) -> "pandas.DataFrame":
        """A pandas.DataFrame: of one dimension, a column with its name; of two, the columns of the spec."""
        import pandas
        array = np.asarray(self)
        if array.ndim == 2:
            return pandas.DataFrame(array, columns=list(self.columns) or None)
        if array.ndim != 1:
            raise ValueError(f"'{self.name}' has {array.ndim} dimensions; a data frame has one or two")
        coords = self.coords
        is_table = self._axes()[0].table is not None  # the values are a column of the frame
        index = pandas.Index(coords[self.dims[0]], name=self.dims[0]) if coords and not is_table else None
        return pandas.DataFrame({self.name.rpartition("/")[2]: array}, index=index)

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draws curves, an image, or the middle plane of three dimensions, on axes of matplotlib.

        Columns are curves over the first column."""
        from matplotlib import pyplot
        if not 1 <= self.ndim <= 3:
            raise ValueError(f"'{self.name}' has {self.ndim} dimensions; a figure has one to three")
        if self.ndim == 3:
            middle: Field = self[self.shape[0] // 2]
            return middle.plot(axes)
        array = np.asarray(self)
        if np.iscomplexobj(array):
            array = np.abs(array)
        axes = axes or pyplot.gca()
        if self.ndim == 2 and self._has_columns() and len(self.columns) > 1:
            columns = [self[:, i] for i in range(len(self.columns))]
            for column in columns[1:]:
                axes.plot(np.asarray(columns[0]), np.asarray(column), label=column._label())
            axes.set_xlabel(columns[0]._label())
            axes.legend()
            return axes
        dims = self.dims if len(self.dims) == self.ndim else ("",) * self.ndim
        coords = self.coords
        if self.ndim == 1:
            axes.plot(coords.get(dims[0], np.arange(len(array))), array)
            axes.set_ylabel(self._label())
        else:
            ends = [(coords[dim][0], 2 * coords[dim][-1] - coords[dim][-2]) for dim in dims
                    if dim in coords and len(coords[dim]) > 1 and np.all(np.diff(coords[dim]) > 0)]
            extent = (*ends[1], *ends[0]) if len(ends) == 2 else None
            image = axes.imshow(array, origin="lower", extent=extent)
            axes.figure.colorbar(image, ax=axes, label=self._label())
            axes.set_ylabel(dims[0])
        axes.set_xlabel(dims[-1])
        return axes

    def _label(self) -> str:
        return f"{self.name} ({self.unit})" if self.unit not in ("", "1") else self.name


def link_members(arrays: Mapping[str, Any]) -> None:
    """Links the members of a record to its first member, which can be their coordinates."""
    first: dict[str, Any] = {}
    for name, found in arrays.items():
        record, slash, _ = name.partition("/")
        if not slash:
            continue
        members, firsts = (one if isinstance(one, list) else [one] for one in (found, first.setdefault(record, found)))
        for member, one in zip(members, firsts):
            if isinstance(member, Field) and isinstance(one, Field) and one.ndim == 1 and member.ndim > 0 \
                    and (member.dims[:1], member.shape[0]) == (one.dims, one.shape[0]):
                member._first = np.asarray(one)
