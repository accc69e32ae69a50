# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as functions of JAX."""

from __future__ import annotations

import functools
import json
import math
import os
import signal
import socket
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero
from jax.dtypes import canonicalize_dtype

from . import _abi
from ._arguments import Arguments, modes
from ._errors import Error, InputError
from ._program import _option

if TYPE_CHECKING:
    from ._program import Input, Output, Program


@functools.cache
def _has_foreign_calls() -> bool:
    """Registers the handler of the runtime. Other devices than CPUs call the host back."""
    if not hasattr(jax, "ffi") or jax.default_backend() != "cpu":
        return False
    jax.ffi.register_ffi_target("pmc", jax.ffi.pycapsule(_abi.runtime().pmrt_xla_handler), platform="cpu")
    _listen_to_interrupts()
    return True


@functools.cache
def _listen_to_interrupts() -> None:
    """Makes Ctrl-C end the runs of a computation.

    Python calls its signal handler only after the computation, but writes each signal to a socket immediately. Therefore a
    thread reads this socket."""
    if threading.current_thread() is not threading.main_thread():
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    former = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    if former != -1:  # another library uses the descriptor
        signal.set_wakeup_fd(former)
        return

    def listen() -> None:
        with reader, writer:
            while signals := reader.recv(64):
                # A handler of the user may handle Ctrl-C without ending the run.
                if signal.SIGINT in signals and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                    _abi.runtime().pmrt_xla_interrupt()

    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    threading.Thread(target=listen, name="pmc-interrupts", daemon=True).start()


def _close(text: bytes) -> None:
    _abi.runtime().pmrt_xla_close(text)


class Shards:
    """The mesh of jax.shard_map, over axes with the names of the mesh axes of a program."""

    def __init__(self, program: "Program", extents: Mapping[str, int]):
        if unknown := extents.keys() - program.mesh.keys():
            raise InputError(f"the program {program.name} has no mesh axis '{min(unknown)}'")
        if not _has_foreign_calls():
            raise Error("shards need foreign calls of XLA on the CPU")
        self.extents = {axis: extents.get(axis, 1) for axis in program.mesh}
        self.axes = tuple(axis for axis, extent in self.extents.items() if extent > 1)

    def rank(self) -> jax.Array:
        return jax.lax.axis_index(self.axes)

    def shape(self, array: "Input | Output") -> tuple[int, ...]:
        """The shape of a part. All parts have the same."""
        shape = list(array.shape)
        for dim, axes in enumerate(array.axes):
            parts = math.prod(self.extents[axis] for axis in axes)
            if shape[dim] % parts or (parts > 1 and array.half and array.half[0] == dim):
                raise InputError(f"'{array.name}' has {shape[dim]} elements along '{array.dims[dim]}', which {parts} "
                                 "ranks cannot share equally")
            shape[dim] //= parts
        return tuple(shape)

    def copies(self, array: "Input | Output | None") -> tuple[str, ...]:
        """The axes along which the devices have copies. None: a number."""
        split = {axis for axes in (array.axes if array else ()) for axis in axes}
        return tuple(axis for axis in self.axes if axis not in split)

    def sum(self, array: jax.Array, of: "Input | Output | None") -> jax.Array:
        """The cotangent of all copies."""
        return jax.lax.psum(array, axes) if (axes := self.copies(of)) else array

    def share(self, array: jax.Array, of: "Input | Output | None") -> jax.Array:
        """The part of a gradient that each of the copies contributes to the sum over devices."""
        return array / math.prod(self.extents[axis] for axis in self.copies(of))


class Call:
    """A program in computations of JAX: arrays of `arguments` to arrays of `results`."""

    def __init__(self, program: "Program", arguments: Sequence[str], results: Sequence[str],
                 numbers: Mapping[str, Any], shards: Shards | None = None):
        self.program = program
        self.arguments = tuple(arguments)
        self.results = tuple(results)
        self.numbers = dict(numbers)
        self.shards = shards
        shape = shards.shape if shards else lambda array: array.shape
        self.shapes = tuple(jax.ShapeDtypeStruct(shape(program.outputs[name]),
                                                 canonicalize_dtype(program.outputs[name].dtype))
                            for name in results)
        values = {name: str(program._number(program.params[name], value)) for name, value in numbers.items()}
        mesh = {"mesh": shards.extents} if shards else {}
        options = [_option(name, value) for name, value in {**program._without_plots(), **mesh}.items()]
        self.text = json.dumps({"program": str(program.path.resolve()), "options": options,
                                "arguments": self.arguments, "results": self.results, "values": values,
                                "shards": shards is not None})
        weakref.finalize(self, _close, self.text.encode())

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        operands = tuple(self._operand(name, value) for name, value in zip(self.arguments, operands, strict=True))
        if _has_foreign_calls():
            call = jax.ffi.ffi_call("pmc", self.shapes, vmap_method="expand_dims")
            rank = (self.shards.rank(),) if self.shards else ()
            return tuple(call(*rank, *operands, call=self.text))
        return tuple(jax.pure_callback(self._on_host, self.shapes, *operands, vmap_method="sequential"))

    def _operand(self, name: str, value: Any) -> jax.Array:
        """An array of a type that the runtime reads."""
        array = jnp.asarray(value)
        kinds = {"f": (np.float32, np.float64), "c": (np.complex64, np.complex128)}
        wanted = self.program.inputs[name].dtype if name in self.program.inputs else np.dtype("f8")
        if array.dtype in kinds.get(wanted.kind, ()):
            return array
        if name not in self.program.inputs and array.dtype.kind in "biu":
            return array
        return array.astype(canonicalize_dtype(wanted))

    def _on_host(self, *operands: Any) -> tuple[np.ndarray, ...]:
        found = self.program._call({**self.numbers, **dict(zip(self.arguments, map(np.asarray, operands)))})
        return tuple(np.asarray(found[name], shape.dtype) for name, shape in zip(self.results, self.shapes))


def _turned(array: Any, weight: np.ndarray | None, times: bool) -> jax.Array:
    """A cotangent of JAX as one of programs, or back.

    A cotangent w of JAX is the form v -> Re(sum(w v)); one of programs, v -> Re(sum(modes conj(w) v))."""
    array = jnp.conj(array)
    if weight is None:
        return array
    return (array * weight if times else array / weight).astype(array.dtype)


def function(program: "Program", names: Sequence[str], of: Sequence[str] | None,
             fixed: Mapping[str, Any], extents: Mapping[str, int] | None = None) -> Callable[..., Any]:
    """f(*values) -> {output: array}, with a derivative in reverse mode."""
    chosen = Arguments(program, names, of, fixed)
    shards = Shards(program, extents) if extents else None
    shape_of = shards.shape if shards else lambda array: array.shape
    names = chosen.names
    arrays = tuple(chosen.arrays)
    constants = tuple(np.asarray(value) for value in chosen.arrays.values())
    forward_call = Call(program, [*names, *arrays], chosen.of, chosen.numbers, shards)

    @functools.cache
    def backward_call(wrt: tuple[str, ...], real: tuple[str, ...]):
        adjoint = chosen.adjoint(wrt, real)
        parts = [key for key in [*adjoint.made.inputs, *adjoint.made.params] if key.startswith("cotangent/")]
        return adjoint, parts, Call(adjoint.made, [*names, *arrays, *parts], adjoint.results(), chosen.numbers,
                                    shards)

    @jax.custom_vjp
    def run(*values):
        return dict(zip(chosen.of, forward_call(*values, *constants)))

    def forward(*primals):
        values = tuple(one.value for one in primals)
        wrt = {name: None for name, one in zip(names, primals) if one.perturbed and name in chosen.smooth}
        return run(*values), (values, wrt)

    def backward(saved, cotangents):
        values, wrt = saved
        wrt = tuple(name for name in names if name in wrt)
        real = tuple(name for name in chosen.real if not isinstance(cotangents[name], SymbolicZero))
        if not wrt or not real:
            return (None,) * len(names)
        adjoint, keys, call = backward_call(wrt, real)
        parts: dict[str, Any] = {}
        for name in adjoint.outputs:
            output = program.outputs[name]
            if name in real:
                cotangent = _turned(cotangents[name], modes(output), times=False)
                if shards:
                    cotangent = shards.sum(cotangent, output)
            else:
                cotangent = jnp.zeros(shape_of(output), canonicalize_dtype(output.dtype))
            parts |= adjoint.split(name, cotangent, shape_of)
        found = dict(zip(adjoint.results(), call(*values, *constants, *[parts[key] for key in keys])))
        gradients = adjoint.join(found, jnp.stack)

        def gradient(name, value):
            if name not in gradients:
                return None
            array = program.inputs.get(name)
            turned = _turned(gradients[name], modes(array) if array else None, times=True)
            if shards:
                turned = shards.share(turned, array)
            return turned.astype(value.dtype).reshape(value.shape)

        return tuple(gradient(name, value) for name, value in zip(names, values))

    def forward_of_all(*values):
        return run(*values), (values, dict.fromkeys(chosen.smooth))

    # Which derivatives are needed is not known in shard_map.
    if shards:
        run.defvjp(forward_of_all, backward)
    else:
        run.defvjp(forward, backward, symbolic_zeros=True)

    def call_with_arrays(*values):
        arrays = [jnp.asarray(value) for value in values]
        chosen.check([array.shape for array in arrays], "use jax.vmap for a batch", shape_of)
        return run(*arrays)

    call_with_arrays.__name__ = program.name
    return call_with_arrays
