# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of programs: programs of their own, which the compiler makes when they are first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from ._array import Field
from ._errors import Error, InputError

if TYPE_CHECKING:
    from ._program import Program, Result


def expand(program: "Program", names: Sequence[str]) -> list[str]:
    """Names of parameters and inputs, with those of the members of lists."""
    expanded: list[str] = []
    for name in names:
        members = [other for other in program.params if other.startswith(name + ".")]
        if name in program.params or name in program.inputs:
            expanded.append(name)
        elif members:
            expanded += members
        else:
            raise InputError(program._unknown(name))
    return expanded


def differentiable(program: "Program", names: Sequence[str]) -> list[str]:
    """Those of the names that are real or complex."""
    def is_smooth(name: str) -> bool:
        if name in program.inputs:
            return program.inputs[name].kind == "field" and program.inputs[name].dtype.kind in "fc"
        return program.params[name].type == "f64"
    return [name for name in expand(program, names) if is_smooth(name)]


def make(program: "Program", kind: str, wrt: Sequence[str], of: Sequence[str]) -> "Program":
    """The program of a derivative, `kind` vjp or jvp."""
    from ._compile import build
    key = (kind, tuple(wrt), tuple(of))
    if key not in program._derivatives:
        if program._spec is None:
            raise Error(f"{program.name} was loaded without its spec; derivatives need pmc.compile")
        if not wrt:
            raise InputError("there is nothing to differentiate with respect to; give `wrt`")
        flag = f"--{kind}={','.join(wrt)}->{','.join(of)}"
        flags = [*program._flags, flag]
        made = program._open(build(program._spec, flags, program._include))
        made.quiet = True
        made._spec, made._flags, made._include = program._spec, flags, program._include
        made._origin = (kind, program)
        program._derivatives[key] = made
    return program._derivatives[key]


def record_of(program: "Program", name: str) -> str:
    """The name of an output for the compiler: that of its record."""
    if name not in program.outputs:
        raise InputError(f"the program {program.name} has no output '{name}'; it has {', '.join(program.outputs)}")
    if program._origin is None:
        return name.split("/")[0]
    kind, base = program._origin
    if kind == "vjp":
        return name  # each gradient is an output of its own
    prefix, _, of = name.partition("/")
    return f"{prefix}/{record_of(base, of)}"


def records_of(program: "Program", names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(record_of(program, name) for name in names))


def fresh_prefix(what: str, names: Iterable[str]) -> str:
    """The prefix of the tangents or cotangents of a derivative of a program with these inputs and parameters.

    The compiler chooses the same prefix: "tangent/", or "tangent2/" if the program already has tangents."""
    known, prefix, order = list(names), f"{what}/", 1
    while any(name.startswith(prefix) for name in known):
        order += 1
        prefix = f"{what}{order}/"
    return prefix


class Adjoint:
    """The program of a gradient. Its values come from arrays of NumPy, JAX or PyTorch."""

    def __init__(self, program: "Program", wrt: Sequence[str], of: Sequence[str]):
        self.program = program
        self.wrt = tuple(wrt)
        records = records_of(program, of)
        self.names = differentiable(program, wrt)
        self.made = make(program, "vjp", self.names, records)
        #: The outputs that have a cotangent.
        self.outputs = [name for name in program.outputs if record_of(program, name) in records]
        self._prefix = fresh_prefix("cotangent", [*program.inputs, *program.params])
        #: The inputs and parameters of the gradient that hold cotangents: one for each component of an output.
        self.parts = [key for key in [*self.made.inputs, *self.made.params] if key.startswith(self._prefix)]

    def split(self, name: str, array: Any, shape_of: Callable[[Any], Any] = lambda array: array.shape,
              batch: tuple[int, ...] = ()) -> dict[str, Any]:
        """The cotangent of an output as inputs and parameters of the gradient, one for each component.

        `batch`: leading dimensions of the array, in addition to those of the output."""
        made, whole = self.made, self._prefix + name
        shapes = {key: tuple(shape_of(made.inputs[key])) if key in made.inputs else () for key in self.parts}
        if whole in shapes:
            return {whole: array.reshape(batch + shapes[whole])}
        keys = [key for key in self.parts if key.startswith(whole + "/")]
        columns = array.reshape((*batch, -1, len(keys)))
        return {f"{whole}/{part}": columns[..., part].reshape(batch + shapes[f"{whole}/{part}"])
                for part in range(len(keys))}

    def results(self) -> list[str]:
        """The outputs of `made`."""
        return [f"gradient/{name}" for name in self.names]

    def join(self, found: Mapping[str, Any], stack: Callable[[list[Any]], Any]) -> dict[str, Any]:
        """The gradients by the names in `wrt`. `stack` makes an array of numbers."""
        gradients: dict[str, Any] = {}
        for name in self.wrt:
            if f"gradient/{name}" in found:
                gradients[name] = found[f"gradient/{name}"]
            elif members := [one for one in self.names if one.startswith(name + ".")]:
                gradients[name] = stack([found[f"gradient/{one}"] for one in members])
        return gradients


def _unit_of(program: "Program", name: str) -> str:
    """The unit of an input, of a parameter, or of the members of a list parameter."""
    if name in program.inputs:
        return program.inputs[name].unit
    return program.params[expand(program, [name])[0]].unit


def _inverse(unit: str) -> str:
    if unit in ("", "1"):
        return ""
    return f"1/{unit}" if unit.isalnum() else f"1/({unit})"


class Pull:
    """The adjoint of a program at a point: pull(density=w) returns the gradients of inner(w, density)."""

    def __init__(self, program: "Program", values: Mapping[str, Any], wrt: Sequence[str]):
        self._program = program
        self._values = dict(values)
        self.wrt = tuple(wrt)

    def __call__(self, /, **cotangents: Any) -> "Result":
        adjoint, values = self._prepare(cotangents)
        return self._result(adjoint, adjoint.made._call(values)._arrays)

    def jvp(self, tangents: Mapping[str, Any], /, **cotangents: Any) -> "Result":
        """The derivatives of the gradients along tangents of parameters and inputs: products with the Hessian."""
        from ._program import _flat
        adjoint, values = self._prepare(cotangents)
        return self._result(adjoint, push(adjoint.made, values, _flat(tangents), adjoint.results())._arrays)

    def _prepare(self, cotangents: Mapping[str, Any]) -> tuple[Adjoint, dict[str, Any]]:
        """The program of the gradients, and its values."""
        from ._program import _flat
        given = _flat(cotangents)
        if not given:
            raise InputError("there is no cotangent of an output; give one, such as "
                             f"{next(iter(self._program.outputs), 'density')}=weight")
        adjoint = Adjoint(self._program, self.wrt, list(given))
        values = dict(self._values)
        for name in adjoint.outputs:
            output = self._program.outputs[name]
            cotangent = np.asarray(given[name] if name in given else np.zeros(output.shape or (), output.dtype))
            if output.shape is not None and cotangent.shape != output.shape:
                raise InputError(f"the cotangent of '{name}' has shape {cotangent.shape}, expected {output.shape}")
            values |= adjoint.split(name, cotangent)
        return adjoint, values

    def _result(self, adjoint: Adjoint, found: Mapping[str, Any]) -> "Result":
        from ._program import Result
        gradients = adjoint.join(found, lambda numbers: Field.of(np.array([float(one) for one in numbers])))
        for name, gradient in gradients.items():
            gradient.name, gradient.unit = name, _inverse(_unit_of(self._program, name))
        return Result(gradients)


def _names_of_tangents(program: "Program", tangents: Mapping[str, Any]) -> list[str]:
    """The names of the inputs and parameters along which tangents are, with those of the members of lists."""
    if not tangents:
        raise InputError("there is no tangent of a parameter or an input")
    names: list[str] = []
    for name, tangent in tangents.items():
        members = expand(program, [name])
        if differentiable(program, [name]) != members:
            raise InputError(f"'{name}' has no tangent: derivatives are along real and complex numbers and fields")
        if members != [name] and np.shape(tangent) != (len(members),):
            raise InputError(f"the tangent of '{name}' has shape {np.shape(tangent)}, expected ({len(members)},)")
        if twice := [one for one in members if one in names]:
            raise InputError(f"the tangent of '{twice[0]}' is given twice")
        names += members
    return names


def push(program: "Program", values: Mapping[str, Any], tangents: Mapping[str, Any],
         of: Sequence[str] | None) -> "Result":
    """The derivative of outputs along tangents."""
    from ._program import Result
    of = list(of) if of is not None else [name for name, output in program.outputs.items()
                                          if not output.loops and output.dtype.kind in "fc"]
    names = _names_of_tangents(program, tangents)
    made = make(program, "jvp", names, records_of(program, of))
    prefix = fresh_prefix("tangent", [*program.inputs, *program.params])
    given = dict(values)
    for name in names:
        head, _, member = name.rpartition(".")
        tangent = tangents[name] if name in tangents else tangents[head][int(member)]
        given[prefix + name] = tangent
    found = made._call(given)._arrays
    results = {name: found[prefix + name] for name in of}
    for name, tangent in results.items():
        output = program.outputs[name]
        tangent.name, tangent.unit, tangent.columns = name, output.unit, output.columns
    return Result(results)
