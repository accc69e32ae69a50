# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled specs as functions."""

from __future__ import annotations

import dataclasses
import difflib
import importlib.util
import math
import operator
import os
import re
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, overload

import numpy as np

from . import _abi
from ._array import Field, link_members
from ._derivative import Pull, differentiable, push
from ._errors import InputError
from ._figure import Figure
from ._session import Library, Session

if TYPE_CHECKING:
    import pandas

    from ._ranks import RankProgram


@dataclasses.dataclass(frozen=True)
class Param:
    """A parameter: a number of type f64, int, u64 or bool, in a unit and a range."""

    name: str
    type: str
    unit: str
    doc: str
    default: Any
    optional: bool
    min: float
    max: float
    min_open: bool
    max_open: bool


@dataclasses.dataclass(frozen=True)
class Input:
    """An array that a program reads. A table has the shape (n, 2), and no shape here."""

    name: str
    kind: str
    unit: str
    doc: str
    optional: bool
    dtype: np.dtype
    shape: tuple[int, ...] | None
    dims: tuple[str, ...]
    #: The axis that has half of a spectrum, and the extent of the whole along it.
    half: tuple[int, int] | None = None
    #: Of a part that one rank holds: where it begins, and the shape of the whole.
    offset: tuple[int, ...] | None = None
    whole: tuple[int, ...] | None = None
    #: The mesh axes that split each dimension.
    axes: tuple[tuple[str, ...], ...] = ()


@dataclasses.dataclass(frozen=True)
class Output:
    """An array that a program writes; in loops, once an iteration."""

    name: str
    unit: str
    doc: str
    dtype: np.dtype
    shape: tuple[int, ...] | None
    dims: tuple[str, ...]
    columns: tuple[str, ...]
    loops: int
    half: tuple[int, int] | None = None
    offset: tuple[int, ...] | None = None
    whole: tuple[int, ...] | None = None
    axes: tuple[tuple[str, ...], ...] = ()


class Result(Mapping[str, Any]):
    """The outputs of a run, by name: result["density"], or result.density.

    An output in a loop is a list, with an array for each iteration. A record is a Result of its members."""

    #: The pictures of the plots, by name, if the program draws them.
    figures: Mapping[str, Figure] = {}

    def __init__(self, arrays: dict[str, Any], figures: Mapping[str, Figure] | None = None):
        self._arrays = arrays
        if figures:
            self.figures = figures

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            first = next(iter(self._arrays), "NAME")
            raise TypeError(f"outputs have names: write result['{first}'] or result.{first}, not result[{name!r}]; "
                            f"list(result) has the names: {', '.join(self._arrays)}")
        if name in self._arrays:
            return self._arrays[name]
        if not (members := self.members(name)):
            raise KeyError(name)
        return Result({member: self._arrays[f"{name}/{member}"] for member in members})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the program has no output '{name}'; it has {', '.join(self._arrays)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def to_frame(self, name: str) -> "pandas.DataFrame":
        """An output as a pandas.DataFrame. A record has a column for each member."""
        found = self[name]
        if isinstance(found, Result):
            import pandas
            return pandas.concat([found.to_frame(member) for member in found], axis=1)
        frame: pandas.DataFrame = found.to_frame()
        return frame

    def members(self, name: str) -> list[str]:
        """The members of a record."""
        return [key[len(name) + 1:] for key in self._arrays if key.startswith(name + "/")]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._arrays if name.isidentifier())]

    def __repr__(self) -> str:
        return f"Result({', '.join(self._arrays)})"


def _param(row: dict[str, Any]) -> Param:
    return Param(row["name"], row["type"], row["unit"], row["doc"], row.get("default"), row["optional"],
                 row.get("min", -math.inf), row.get("max", math.inf), row["min_open"], row["max_open"])


def _half(row: dict[str, Any]) -> tuple[int, int] | None:
    return tuple(row["half"]) if "half" in row else None


def _axes(row: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, row.get("axes", ())))


def _input(row: dict[str, Any]) -> Input:
    shape = tuple(row["shape"]) if row["kind"] == "field" else None
    return Input(row["name"], row["kind"], row["unit"], row["doc"], row["optional"], _abi.DTYPES[row["element"]],
                 shape, tuple(row.get("dims", ())), _half(row), axes=_axes(row))


def _output(row: dict[str, Any]) -> Output:
    return Output(row["name"], row["unit"], row["doc"], _abi.DTYPES[row["element"]],
                  None if row["shape"] is None else tuple(row["shape"]), tuple(row["dims"]),
                  tuple(row.get("columns", ())), row["loops"], _half(row), axes=_axes(row))


def _option(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        value = ",".join(f"{axis}={extent}" for axis, extent in value.items())
    return f"{name}={value}"


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names of the program: members of a record as RECORD/MEMBER."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, (dict, Mapping)):
            flat |= {f"{name}/{member}": one for member, one in _flat(value).items()}
        else:
            flat[name] = value
    return flat


def _bar() -> Callable[[Any], None]:
    """Draws the progress of a run with tqdm."""
    if importlib.util.find_spec("ipywidgets"):
        from tqdm.auto import tqdm
    else:  # without widgets, tqdm.auto warns about each bar
        from tqdm import tqdm
    bar = tqdm(total=None, leave=False)

    def draw(progress: Any) -> None:
        if progress.steps:
            bar.total = progress.steps
        bar.n = round(progress.fraction * progress.steps) if progress.steps else progress.step
        bar.refresh()
        if progress.fraction >= 1:
            bar.close()

    return draw


def _line(name: str, kind: str, unit: str, doc: str) -> str:
    return "    " + "  ".join(filter(None, [f"{name}: {kind}", unit, doc]))


def _range(param: Param) -> str:
    """The type and the range of a parameter, with its default."""
    if math.isfinite(param.min) or math.isfinite(param.max):
        left, right = param.min_open or param.min == -math.inf, param.max_open or param.max == math.inf
        ends = f"{'(' if left else '['}{param.min:g}, {param.max:g}{')' if right else ']'}"
    else:
        ends = ""
    default = "" if param.default is None else f"= {param.default}"
    return " ".join(filter(None, [param.type, ends and f"in {ends}", default]))


def _extents(array: Input | Output) -> str:
    """Describes the element type and the shape of an array."""
    if isinstance(array, Input):
        after = " optional" if array.optional else ""
    else:
        after = " in a loop" if array.loops else ""
    if isinstance(array, Input) and array.kind == "table":
        return "table" + after
    shape = ", ".join(f"{dim} {extent}" for dim, extent in zip(array.dims, array.shape or ()))
    return f"{array.dtype}[{shape}]{after}" if shape else f"{array.dtype}{after}"


def _summary(doc: str, inputs: Mapping[str, Input], params: Mapping[str, Param],
             outputs: Mapping[str, Output]) -> str:
    """The text that help() shows for a program."""
    parts = [doc] if doc else []
    for title, lines in (
            ("Inputs", [_line(one.name, _extents(one), one.unit, one.doc) for one in inputs.values()]),
            ("Parameters", [_line(one.name, _range(one), one.unit, one.doc) for one in params.values()]),
            ("Outputs", [_line(one.name, _extents(one), one.unit, one.doc) for one in outputs.values()])):
        if lines:
            parts.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(parts)


#: Keywords of pmc.compile and pmc.load that are options of the program.
_OPTIONS = ("threads", "plan", "memory_limit", "mesh", "device", "plots")


def _reopen(path: Path, options: Mapping[str, Any], state: Mapping[str, Any]) -> "Program":
    """Opens a pickled program in another process, which has the same files."""
    from ._compile import build
    if not path.exists() and state["_spec"]:
        path = build(state["_spec"], state["_flags"], state["_include"])
    program = Program(path, options)
    vars(program).update(state)
    return program


class Program:
    """A compiled spec. Calling it runs it: program(noise=w, omega_m=0.31) returns a Result.

    Keywords are the inputs and parameters of the spec. Calls from several threads run at the same time."""

    #: Prints of the program are not shown.
    quiet: bool = False
    #: True: a progress bar of tqdm. A function: it is called with `step`, `steps`, `fraction` and `location`.
    progress: bool | Callable[[Any], None] = False
    #: A function that gets each figure as soon as it is drawn. In notebooks: IPython.display.display.
    show: Callable[[Figure], None] | None = None

    def __init__(self, path: os.PathLike[str], options: Mapping[str, Any] | None = None, *,
                 library: Library | None = None):
        self.path = Path(path)
        self._options = {name: value for name, value in (options or {}).items() if value is not None}
        self._library = library or Library(self.path)
        signature = self._library.signature
        self.name: str = signature["name"]
        #: cpu or cuda.
        self.target: str = signature["target"]
        self.params: dict[str, Param] = {row["name"]: _param(row) for row in signature["params"]}
        self.inputs: dict[str, Input] = {row["name"]: _input(row) for row in signature["inputs"]}
        self.outputs: dict[str, Output] = {row["name"]: _output(row) for row in signature["outputs"]}
        self.mesh: dict[str, int] = {row["axis"]: row["extent"] for row in signature["mesh"]}
        self.__doc__ = _summary(signature["doc"], self.inputs, self.params, self.outputs)
        self._output_list = list(self.outputs.values())
        self._param_index = {name: index for index, name in enumerate(self.params)}
        self._input_index = {name: index for index, name in enumerate(self.inputs)}
        self._spec: Path | None = None
        self._flags: list[str] = []
        self._include: list[Any] = []
        self._derivatives: dict[Any, Program] = {}
        #: Of a derivative: vjp or jvp, and the program that it differentiates.
        self._origin: tuple[str, Program] | None = None
        self._free: deque[Session] = deque()
        self._give_back(self._new_session())  # options are checked now

    def __repr__(self) -> str:
        return f"<pmc program {self.name}({', '.join([*self.inputs, *self.params])}) -> {', '.join(self.outputs)}>"

    @overload
    def ranks(self, comm: None = None, *, mesh: Mapping[str, int]) -> "Program": ...

    @overload
    def ranks(self, comm: Any, *, mesh: Mapping[str, int]) -> "RankProgram": ...

    def ranks(self, comm: Any = None, *, mesh: Mapping[str, int]) -> "Program":
        """The same program on several ranks: threads of this process, or the processes of `comm`, from mpi4py.

        Of threads, arrays are whole ones. Of processes, they are the parts of each rank."""
        from ._ranks import RankProgram
        options = {**self._options, "mesh": dict(mesh)}
        other = (Program(self.path, options, library=self._library) if comm is None
                 else RankProgram(self.path, options, library=self._library, comm=comm))
        other.quiet, other.progress = self.quiet, self.progress
        other._spec, other._flags, other._include = self._spec, self._flags, self._include
        return other

    def _open(self, path: Path) -> "Program":
        """Another program that runs as this one."""
        return Program(path, self._without_plots())

    def _without_plots(self) -> dict[str, Any]:
        """The options without `plots`, for runs that do not return figures."""
        return {name: value for name, value in self._options.items() if name != "plots"}

    def __reduce__(self) -> Any:
        state = {"quiet": self.quiet, "_spec": self._spec, "_flags": self._flags, "_include": self._include}
        return _reopen, (self.path, self._options, state)

    # ---- Sessions ------------------------------------------------------------------------------------------------

    def _new_session(self) -> Session:
        return Session(self._library, [_option(name, value) for name, value in self._options.items()])

    def _take_session(self) -> Session:
        try:
            return self._free.pop()
        except IndexError:
            return self._new_session()

    def _give_back(self, session: Session) -> None:
        self._free.append(session)

    # ---- Values --------------------------------------------------------------------------------------------------

    def _unknown(self, name: str) -> str:
        """The message about a name that is not a parameter or an input."""
        known = [*self.inputs, *self.params]
        if members := [other for other in known if other.startswith(name + "/")]:
            return f"'{name}' is a record; name its members: {', '.join(members)}"
        if name in _OPTIONS:
            return (f"'{name}' is not a parameter but an option of the program: write pmc.compile(spec, {name}=...), "
                    f"or pmc.load(path, {name}=...)")
        if name in ("quiet", "progress", "show"):
            return f"'{name}' is not a parameter but an attribute of the program: write program.{name} = ..."
        if self._spec and re.search(rf"^\s*const\s+{re.escape(name)}\b", self._spec.read_text(), re.MULTILINE):
            return f"'{name}' is a const, which is fixed when the spec is compiled: write pmc.compile(spec, {name}=...)"
        if name == "of":
            return ("a call returns all outputs; 'of' chooses those of functions of other packages and of tangents: "
                    "sim.jax(..., of=[...]), sim.torch(..., of=[...]), sim.jvp(..., of=[...]). A gradient names its "
                    "outputs by cotangents: pull(density=w)")
        near = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(known)}"
        return f"the program {self.name} has no parameter or input '{name}'{hint}"

    def _members(self, name: str, value: Any) -> dict[str, Any]:
        """The numbers of a parameter that is a list."""
        count = sum(1 for other in self.params if other.startswith(name + "."))
        if count == 0:
            raise InputError(self._unknown(name))
        values = list(value) if isinstance(value, (Sequence, np.ndarray)) else [value]
        if len(values) != count:
            raise InputError(f"{name}: has {len(values)} numbers, expected {count}")
        return {f"{name}.{i}": one for i, one in enumerate(values)}

    @staticmethod
    def _number(param: Param, value: Any) -> float | int:
        try:
            if param.type == "f64":
                return float(value)
            if param.type == "bool":
                number = operator.index(bool(value) if isinstance(value, np.bool_) else value)
            else:
                number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{param.name}: {value!r} is not a value of type {param.type}") from None
        least, end = (0, 1 << 64) if param.type == "u64" else (-(1 << 63), 1 << 63)
        if not least <= number < end:
            raise InputError(f"{param.name}: {number} is out of range, expected a whole number of 64 bits")
        return number

    @staticmethod
    def _array(given: Input, value: Any) -> np.ndarray | _abi.DeviceArray:
        """The value as an array that the runtime reads: of its element, or of another precision."""
        if _abi.on_device(value):
            array = _abi.DeviceArray(value)
            if array.dtype not in _abi.ELEMENTS:
                raise InputError(f"input '{given.name}' has elements {array.dtype}, expected {given.dtype}")
            return array
        array = np.from_dlpack(value) if not hasattr(value, "__array__") and hasattr(value, "__dlpack__") else value
        array = np.asarray(array)
        wanted = given.dtype
        if array.dtype == wanted or (wanted.kind in "fc" and array.dtype.kind == wanted.kind
                                     and array.dtype in _abi.ELEMENTS):
            return array
        if array.dtype.kind in "biuf" and wanted.kind in "fc" or array.dtype.kind in "biu" and wanted.kind in "iu":
            return array.astype(wanted)
        raise InputError(f"input '{given.name}' has elements {array.dtype}, expected {wanted}")

    def _set(self, session: Session, values: Mapping[str, Any]) -> None:
        known = {name: value for name, value in values.items() if name in self.params or name in self.inputs}
        if len(known) < len(values):
            for name in values.keys() - known.keys():
                known |= self._members(name, values[name])
        for index in [i for name, i in self._param_index.items() if i in session.given and name not in known]:
            session.unset_param(index)
        for index in [i for name, i in self._input_index.items() if i in session.bound and name not in known]:
            session.bind_input(index, None)
        for name, value in known.items():
            if name in self.params:
                param = self.params[name]
                session.set_param(self._param_index[name], param.type == "f64", self._number(param, value))
            else:
                array = None if value is None else self._array(self.inputs[name], value)
                session.bind_input(self._input_index[name], array)

    # ---- Runs ----------------------------------------------------------------------------------------------------

    def __call__(self, /, *arrays: Any, **values: Any) -> Result:
        if arrays:
            names = [name for name in [*self.inputs, *self.params] if name not in values]
            first = names[0] if names else "NAME"
            raise TypeError(f"{self.name}: arguments are given by name: write program({first}=...); the names are "
                            f"{', '.join([*self.inputs, *self.params])}")
        return self._call(_flat(values))

    def into(self, outputs: Mapping[str, Any], /, **values: Any) -> Result:
        """Runs the program and writes some outputs to arrays of the caller, of the same shape and elements.

        The arrays are on the host, or dense in the memory of a GPU. The result holds these arrays."""
        return self._call(_flat(values), _flat(outputs))

    def _call(self, values: Mapping[str, Any], into: Mapping[str, Any] | None = None) -> Result:
        session = self._take_session()
        try:
            return self._run(session, values, into or {})
        finally:
            self._give_back(session)

    def _run(self, session: Session, values: Mapping[str, Any], into: Mapping[str, Any]) -> Result:
        self._bind(session, values, into)
        session.run()
        return self._collect(session, into)

    def _bind(self, session: Session, values: Mapping[str, Any], into: Mapping[str, Any]) -> None:
        if unknown := [name for name in into if name not in self.outputs]:
            raise InputError(f"the program {self.name} has no output '{unknown[0]}'; it has "
                             f"{', '.join(self.outputs)}")
        self._check_targets(into)
        self._set(session, values)
        session.quiet = self.quiet
        session.show = self.show
        session.progress = _bar() if self.progress is True else self.progress or None
        session.kept = {}
        session.release_callers()
        for index, output in enumerate(self._output_list):
            if output.name in into:
                session.bind_into(index, self._target(output, into[output.name]))
            elif output.shape is not None and not output.loops:
                session.bind_output(index, _abi.empty(output.shape, output.dtype))

    @staticmethod
    def _check_targets(into: Mapping[str, Any]) -> None:
        """Raises an error if two outputs would be written to the same memory."""
        seen: list[tuple[str, np.ndarray]] = []
        for name, value in into.items():
            if isinstance(value, np.ndarray):
                for other, array in seen:
                    if np.shares_memory(value, array):
                        raise InputError(f"the outputs '{other}' and '{name}' cannot be written to the same memory")
                seen.append((name, value))

    @staticmethod
    def _target(output: Output, value: Any) -> np.ndarray | _abi.DeviceArray:
        """An array of the caller that an output is written to."""
        array = _abi.DeviceArray(value) if _abi.on_device(value) else value
        if not isinstance(array, (np.ndarray, _abi.DeviceArray)):
            raise InputError(f"output '{output.name}' cannot be written to {type(value).__name__}; expected an array "
                             "of NumPy, or one with __cuda_array_interface__")
        if array.dtype != output.dtype:
            raise InputError(f"output '{output.name}' cannot be written to elements {array.dtype}, expected "
                             f"{output.dtype}")
        if isinstance(array, np.ndarray) and not array.flags.writeable:
            raise InputError(f"output '{output.name}' cannot be written to an array that is read-only")
        return array

    def _planned_bytes(self) -> int:
        """The bytes of the memory plan of the last run, for tests."""
        return int(_abi.runtime().pmrt_planned_bytes(self._free[-1].handle))

    def _collect(self, session: Session, into: Mapping[str, Any]) -> Result:
        arrays: dict[str, Any] = {}
        for index, output in enumerate(self._output_list):
            count = session.count(index)
            if output.loops:
                arrays[output.name] = [self._take(session, index, number) for number in range(count)]
            elif count:  # not under an `if` that is false
                arrays[output.name] = (into[output.name] if isinstance(session.kept.get(index), _abi.DeviceArray)
                                       else self._take(session, index, 0))
        session.kept = {}
        link_members(arrays)
        return Result(arrays, session.figures)

    def _take(self, session: Session, index: int, number: int) -> Field:
        output = self._output_list[index]
        array = session.kept[index] if index in session.kept else session.copy_output(index, number)
        field = Field.of(array, output.name, output.unit, output.dims, output.columns,
                         session.attributes(index, number))
        if output.offset is not None:
            field.offset, field.whole = output.offset, output.whole
        if output.loops:
            field.iterations = field.attributes["iterations"]
        return field

    # ---- Derivatives ---------------------------------------------------------------------------------------------

    def vjp(self, /, *, wrt: Sequence[str] | None = None, **values: Any) -> tuple[Result, Pull]:
        """Runs the program and returns (result, pull), where pull(density=w) is the gradient of inner(w, density).

        The gradient is with respect to `wrt`, or else to all real and complex values that are given. Cotangents are
        arrays like the outputs. The compiler makes the program of a gradient when it is first needed."""
        flat = _flat(values)
        names = list(flat) if wrt is None else list(wrt)
        smooth = set(differentiable(self, names))
        kept = [name for name in names if name in smooth or any(one.startswith(name + ".") for one in smooth)]
        return self._call(flat), Pull(self, flat, kept)

    def jvp(self, /, tangents: Mapping[str, Any], *, of: Sequence[str] | None = None, **values: Any) -> Result:
        """The derivative of the outputs `of`, or of all, along tangents of parameters and inputs."""
        return push(self, _flat(values), _flat(tangents), of)

    def jax(self, /, *names: str, of: Sequence[str] | None = None, shards: Mapping[str, int] | None = None,
            **fixed: Any) -> Callable[..., Any]:
        """A function of JAX of these inputs and parameters, which returns a dict of outputs.

        With `shards`, the extents of the mesh axes, it is for the body of jax.shard_map over axes of these names."""
        from ._jax import function
        return function(self, names, of, fixed, shards)

    def torch(self, /, *names: str, of: Sequence[str] | None = None, **fixed: Any) -> Callable[..., Any]:
        """A function of PyTorch of these inputs and parameters, which returns a dict of outputs."""
        from ._torch import function
        return function(self, names, of, fixed)
