# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and their derivatives of any order, for functions of JAX and PyTorch."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Callable, Mapping, Protocol, Sequence

import numpy as np

from ._derivative import Adjoint, differentiable, expand, fresh_prefix, make, record_of, records_of

if TYPE_CHECKING:
    from ._program import Program


@dataclasses.dataclass(frozen=True)
class Slot:
    """An argument or a result of a node. `shape` is () for a number, and (n,) for a list."""

    name: str
    shape: tuple[int, ...] | None
    dtype: np.dtype[Any]
    dims: tuple[str, ...] = ()
    half: tuple[int, int] | None = None
    axes: tuple[tuple[str, ...], ...] = ()
    #: Whether it has a derivative.
    smooth: bool = False
    is_input: bool = False
    #: Whether it is a parameter of several numbers.
    is_list: bool = False

    @staticmethod
    def of_argument(program: "Program", name: str) -> "Slot":
        smooth = bool(differentiable(program, [name]))
        if name in program.inputs:
            array = program.inputs[name]
            return Slot(name, array.shape, array.dtype, array.dims, array.half, array.axes, smooth, True)
        if name in program.params:
            return Slot(name, (), np.dtype("f8"), smooth=smooth)
        return Slot(name, (len(expand(program, [name])),), np.dtype("f8"), smooth=smooth, is_list=True)

    @staticmethod
    def of_result(program: "Program", name: str) -> "Slot":
        array = program.outputs[name]
        record = record_of(program, name)
        smooth = all(other.dtype.kind in "fc" for key, other in program.outputs.items()
                     if record_of(program, key) == record)
        return Slot(name, array.shape, array.dtype, array.dims, array.half, array.axes, smooth)


class Operations(Protocol):
    """Operations of JAX or PyTorch that derivatives use."""

    #: Leading dimensions of all arrays.
    batch: tuple[int, ...]

    def call(self, node: "Node", arrays: Sequence[Any]) -> Sequence[Any]:
        """The results of a node."""

    def zeros(self, slot: Slot) -> Any:
        """The cotangent of a result on which nothing depends."""

    def stack(self, numbers: Sequence[Any]) -> Any:
        """The numbers of a list along a last dimension."""

    def shape_of(self, array: Any) -> tuple[int, ...]:
        """The shape of a slot, an input or an output on this device."""


class Node:
    """A program, or a derivative of one, as a function of some of its inputs and parameters.

    There is one node for each derivative. The compiler makes the program of a gradient together with its node. It makes
    the program of a derivative in forward mode when this is first run."""

    def __init__(self, make_program: Callable[[], "Program"], arguments: Mapping[str, Slot],
                 results: Mapping[str, Slot], known: Sequence[str]):
        self._make = make_program
        self._program: Program | None = None
        self.arguments = dict(arguments)
        self.results = dict(results)
        self._known = list(known)  # inputs and parameters of the program
        self._derivatives: dict[Any, Any] = {}
        #: Of a gradient: the node that it differentiates, and the program's interface.
        self._origin: tuple[Node, Adjoint] | None = None
        #: Of a derivative in forward mode: the node that it differentiates, and the prefix of tangents.
        self._pushed: tuple[Node, str] | None = None

    @property
    def program(self) -> "Program":
        if self._program is None:
            self._program = self._make()
        return self._program

    def result(self, name: str) -> Slot:
        """A result, or another output of the program."""
        return self.results.get(name) or Slot.of_result(self.program, name)

    def push(self, wrt: tuple[str, ...], of: tuple[str, ...]) -> "Node":
        """The derivatives of the results `of` along tangents of the arguments `wrt`.

        The tangents follow the arguments of this node."""
        key = ("push", wrt, of)
        if key not in self._derivatives:
            prefix = fresh_prefix("tangent", self._known)
            tangents = {prefix + name: dataclasses.replace(self.arguments[name], name=prefix + name) for name in wrt}
            results = {prefix + name: dataclasses.replace(self.results[name], name=prefix + name) for name in of}
            node = Node(
                lambda: make(self.program, "jvp", differentiable(self.program, wrt), records_of(self.program, of)),
                {**self.arguments, **tangents}, results, [*self._known, *tangents])
            node._pushed = self, prefix
            self._derivatives[key] = node
        found: Node = self._derivatives[key]
        return found

    @property
    def tangents(self) -> tuple[str, ...]:
        """Of a derivative in forward mode: the arguments in which it is linear."""
        return tuple(self.arguments)[len(self._pushed[0].arguments):] if self._pushed else ()

    def _pull(self, wrt: tuple[str, ...], of: tuple[str, ...]) -> "tuple[Adjoint, Node]":
        """The gradients with respect to the arguments `wrt`.

        The parts of cotangents follow the arguments of this node."""
        key = ("pull", wrt, of)
        if key not in self._derivatives:
            adjoint = Adjoint(self.program, wrt, of)
            made = adjoint.made
            node = Node(lambda: made,
                        {**self.arguments, **{name: Slot.of_argument(made, name) for name in adjoint.parts}},
                        {name: Slot.of_result(made, name) for name in adjoint.results()},
                        [*made.inputs, *made.params])
            node._origin = self, adjoint
            self._derivatives[key] = adjoint, node
        found: tuple[Adjoint, Node] = self._derivatives[key]
        return found

    def gradients(self, wrt: tuple[str, ...], values: Sequence[Any], cotangents: Mapping[str, Any],
                  operations: Operations) -> dict[str, Any]:
        """The gradients of inner products of results with their cotangents, with respect to the arguments `wrt`."""
        if self._origin is not None:
            return self._second(wrt, values, cotangents, operations)
        if self._pushed is not None and (linear := [name for name in wrt if name in self.tangents]):
            base, prefix = self._pushed
            found = base.gradients(tuple(name[len(prefix):] for name in linear), values[:len(base.arguments)],
                                   {name[len(prefix):]: one for name, one in cotangents.items()}, operations)
            gradients = {prefix + name: one for name, one in found.items()}
            if rest := tuple(name for name in wrt if name not in linear):
                gradients |= self._reverse(rest, values, cotangents, operations)
            return gradients
        return self._reverse(wrt, values, cotangents, operations)

    def _reverse(self, wrt: tuple[str, ...], values: Sequence[Any], cotangents: Mapping[str, Any],
                 operations: Operations) -> dict[str, Any]:
        """The gradients by a program of reverse mode."""
        adjoint, node = self._pull(wrt, tuple(cotangents))
        parts: dict[str, Any] = {}
        for name in adjoint.outputs:
            array = cotangents[name] if name in cotangents else operations.zeros(self.result(name))
            parts |= adjoint.split(name, array, operations.shape_of, operations.batch)
        found = operations.call(node, [*values, *(parts[name] for name in adjoint.parts)])
        return adjoint.join(dict(zip(node.results, found)), operations.stack)

    def _second(self, wrt: tuple[str, ...], values: Sequence[Any], cotangents: Mapping[str, Any],
                operations: Operations) -> dict[str, Any]:
        """The gradients of a gradient, in forward mode.

        The compiler cannot reverse the reversal of a loop. But a Hessian is symmetric. Let g be the gradient of
        inner(w, f(x)) with respect to x. Then the gradient of inner(u, g) with respect to x is the derivative of g along
        u. Its gradient with respect to w is the derivative of f along u."""
        assert self._origin is not None
        base, adjoint = self._origin
        along: dict[str, Any] = {}
        for name in adjoint.wrt:
            keys = [f"gradient/{one}" for one in expand(base.program, [name])]
            if any(key in cotangents for key in keys):
                given = [cotangents[key] if key in cotangents else operations.zeros(self.results[key]) for key in keys]
                along[name] = operations.stack(given) if base.arguments[name].is_list else given[0]
        found: dict[str, Any] = {}
        if of_values := tuple(name for name in wrt if name in base.arguments):
            inner, pull = base._pull(of_values, tuple(adjoint.outputs))
            push = pull.push(tuple(along), tuple(pull.results))
            tangents = operations.call(push, [*values, *along.values()])
            found |= inner.join(dict(zip(pull.results, tangents)), operations.stack)
        if any(name not in base.arguments for name in wrt):
            push = base.push(tuple(along), tuple(adjoint.outputs))
            tangents = operations.call(push, [*values[:len(base.arguments)], *along.values()])
            for name, tangent in zip(adjoint.outputs, tangents):
                found |= adjoint.split(name, tangent, operations.shape_of, operations.batch)
        return found


def modes(array: Slot) -> np.ndarray[Any, Any] | None:
    """The number of modes that each element of half a spectrum represents, as a factor; None: one mode each."""
    if array.half is None or array.shape is None:
        return None
    axis, extent = array.half
    count = np.full(array.shape[axis], 2.0, np.float32)
    count[0] = 1
    if extent % 2 == 0:
        count[-1] = 1
    return count.reshape([-1 if other == axis else 1 for other in range(len(array.shape))])
