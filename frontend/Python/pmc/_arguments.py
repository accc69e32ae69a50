# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and results of functions of JAX and PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from ._derivative import expand
from ._errors import InputError
from ._node import Node, Slot

if TYPE_CHECKING:
    from ._program import Program


class Arguments:
    """Which values of a program are arguments, and which outputs are results."""

    def __init__(self, program: "Program", names: Sequence[str], of: Sequence[str] | None,
                 fixed: Mapping[str, Any]):
        from ._program import _flat
        if isinstance(of, str):
            raise InputError(f"of='{of}' is not a list of outputs; write of=['{of}']")
        self.program = program
        self.names = tuple(names)
        expand(program, names)  # checks them
        self.of = tuple(of) if of is not None else tuple(
            name for name, output in program.outputs.items() if not output.loops and output.shape is not None)
        for name in self.of:
            if name not in program.outputs or program.outputs[name].loops or program.outputs[name].shape is None:
                known = ", ".join(f"'{one}'" for one, output in program.outputs.items()
                                  if not output.loops and output.shape is not None)
                raise InputError(f"of: '{name}' is not an output of known shape outside of loops; those are {known or 'none'}")
        #: Arrays and numbers that every call has.
        self.arrays: dict[str, Any] = {}
        self.numbers: dict[str, Any] = {}
        for name, value in _flat(fixed).items():
            if name in self.names:
                raise InputError(f"'{name}' is an argument of the function and has a fixed value; give one of them")
            if name in program.inputs:
                self.arrays[name] = value
            elif name in program.params:
                self.numbers[name] = value
            else:
                self.numbers |= program._members(name, value)

    def check(self, shapes: Sequence[tuple[int, ...]], advice: str,
              shape_of: Callable[[Any], tuple[int, ...] | None] = lambda array: array.shape) -> None:
        """Raises unless there is a value of the right shape for each name."""
        if len(shapes) != len(self.names):
            raise TypeError(f"{self.program.name}: {len(shapes)} arguments, expected {len(self.names)}: "
                            f"{', '.join(self.names)}")
        for name, shape in zip(self.names, shapes):
            if name in self.program.inputs:
                expected = shape_of(self.program.inputs[name])
                kind = f"input '{name}'"
            elif name in self.program.params:
                expected, kind = (), f"parameter '{name}'"
            else:
                expected, kind = (len(expand(self.program, [name])),), f"parameter '{name}'"
            if expected is not None and tuple(shape) != tuple(expected):
                raise InputError(f"{kind} has shape {tuple(shape)}, expected {tuple(expected)}; {advice}")

    def node(self, with_arrays: bool) -> Node:
        """The function of the arguments. `with_arrays`: the arrays that every call has follow them."""
        program = self.program
        names = (*self.names, *self.arrays) if with_arrays else self.names
        arguments = {name: Slot.of_argument(program, name) for name in names}
        results = {name: Slot.of_result(program, name) for name in self.of}
        return Node(lambda: program, arguments, results, [*program.inputs, *program.params])
