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
from jax.core import ShapedArray
from jax.dtypes import canonicalize_dtype
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _abi
from ._arguments import Arguments
from ._errors import Error, InputError
from ._node import Node, Slot, modes
from ._program import _option

if TYPE_CHECKING:
    from ._program import Program


@functools.cache
def _has_foreign_calls() -> bool:
    """Registers the handlers of the runtime, for arrays on the host and on GPUs."""
    if not hasattr(jax, "ffi"):
        return False
    runtime = _abi.runtime()
    jax.ffi.register_ffi_target("pmc", jax.ffi.pycapsule(runtime.pmrt_xla_handler), platform="cpu")
    jax.ffi.register_ffi_target("pmc", jax.ffi.pycapsule(runtime.pmrt_xla_handler_gpu), platform="CUDA")
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
        if not _has_foreign_calls() or jax.default_backend() != "cpu":
            raise Error("shards need foreign calls of XLA on the CPU")
        self.extents = {axis: extents.get(axis, 1) for axis in program.mesh}
        self.axes = tuple(axis for axis, extent in self.extents.items() if extent > 1)

    def rank(self) -> jax.Array:
        return jax.lax.axis_index(self.axes)

    def shape(self, array: Slot) -> tuple[int, ...]:
        """The shape of a part. All parts have the same."""
        shape = list(array.shape or ())
        for dim, axes in enumerate(array.axes):
            parts = math.prod(self.extents[axis] for axis in axes)
            if shape[dim] % parts or (parts > 1 and array.half and array.half[0] == dim):
                raise InputError(f"'{array.name}' has {shape[dim]} elements along '{array.dims[dim]}', which {parts} "
                                 "ranks cannot share equally")
            shape[dim] //= parts
        return tuple(shape)

    def copies(self, array: Slot) -> tuple[str, ...]:
        """The axes along which the devices have copies."""
        split = {axis for axes in array.axes for axis in axes}
        return tuple(axis for axis in self.axes if axis not in split)

    def sum(self, array: jax.Array, of: Slot) -> jax.Array:
        """The cotangent of all copies."""
        return jax.lax.psum(array, axes) if (axes := self.copies(of)) else array

    def share(self, array: jax.Array, of: Slot) -> jax.Array:
        """The part of a gradient that each of the copies contributes to the sum over devices."""
        return array / math.prod(self.extents[axis] for axis in self.copies(of))


class Call:
    """A node in computations of JAX: arrays of its arguments to arrays of its results.

    With shards, the rank precedes the arguments."""

    def __init__(self, node: Node, numbers: Mapping[str, Any], shards: Shards | None = None,
                 made: dict[Node, Call] | None = None):
        self.node = node
        self.arguments = tuple(node.arguments)
        self.results = tuple(node.results)
        self.numbers = dict(numbers)
        self.shards = shards
        self.shapes = tuple(self.shape_of(slot) for slot in node.results.values())
        self.dtypes = tuple(canonicalize_dtype(slot.dtype) for slot in node.results.values())
        self._made: dict[Node, Call] = {} if made is None else made
        #: Of a derivative in forward mode: the call that it differentiates, and the names of arguments and results.
        self.origin: tuple[Call, tuple[str, ...], tuple[str, ...]] | None = None

    def shape_of(self, slot: Slot) -> tuple[int, ...]:
        return self.shards.shape(slot) if self.shards else slot.shape or ()

    @property
    def first(self) -> int:
        """The number of operands that precede the arguments."""
        return 1 if self.shards else 0

    def of_derivative(self, node: Node) -> Call:
        """The call of a derivative. There is one for each node, so that XLA compiles it once."""
        if node not in self._made:
            self._made[node] = Call(node, self.numbers, self.shards, self._made)
        return self._made[node]

    def push(self, wrt: tuple[str, ...], of: tuple[str, ...]) -> Call:
        made = self.of_derivative(self.node.push(wrt, of))
        made.origin = self, wrt, of
        return made

    @functools.cached_property
    def text(self) -> str:
        """The attribute of foreign calls."""
        program = self.node.program
        values = {name: str(program._number(program.params[name], value)) for name, value in self.numbers.items()}
        mesh = {"mesh": self.shards.extents} if self.shards else {}
        options = [_option(name, value) for name, value in {**program._without_plots(), **mesh}.items()]
        text = json.dumps({"program": str(program.path.resolve()), "options": options,
                           "arguments": self.arguments, "results": self.results, "values": values,
                           "shards": self.shards is not None})
        weakref.finalize(self, _close, text.encode())
        return text

    def run(self, batch: tuple[int, ...], operands: Sequence[Any], platform: str | None) -> list[Any]:
        """The results, computed by the handler of XLA's platform. On a platform without a handler, XLA calls Python."""
        shapes = [jax.ShapeDtypeStruct(batch + shape, dtype) for shape, dtype in zip(self.shapes, self.dtypes)]
        has_handler = platform == "cpu" or (platform == "cuda" and self.node.program.target == "cuda")
        if has_handler and _has_foreign_calls():
            return list(jax.ffi.ffi_call("pmc", shapes)(*operands, call=self.text))
        return list(jax.pure_callback(functools.partial(self._on_host, batch), shapes, *operands))

    @functools.cached_property
    def eager(self) -> Callable[..., list[Any]]:
        """The call outside of jax.jit. XLA compiles it for the device of the operands."""
        return jax.jit(lambda batch, *operands: _primitive.bind(*operands, call=self, batch=batch), static_argnums=0)

    def _on_host(self, batch: tuple[int, ...], *operands: Any) -> list[np.ndarray]:
        arrays = [np.asarray(operand) for operand in operands]
        found = [np.empty(batch + shape, dtype) for shape, dtype in zip(self.shapes, self.dtypes)]
        for index in np.ndindex(*batch):
            rows = (array[tuple(i if extent > 1 else 0 for i, extent in zip(index, array.shape))] for array in arrays)
            outputs = self.node.program._call({**self.numbers, **dict(zip(self.arguments, rows))})
            for array, name in zip(found, self.results):
                array[index] = outputs[name]
        return found

    def operand(self, name: str, value: Any) -> jax.Array:
        """An argument as an array of a type that the runtime reads."""
        array = jnp.asarray(value)
        slot = self.node.arguments[name]
        if array.dtype.kind == "c" and slot.dtype.kind != "c":
            raise InputError(f"'{name}' is real, but its value has complex numbers")
        kinds = {"f": (np.float32, np.float64), "c": (np.complex64, np.complex128)}
        if array.dtype in kinds.get(slot.dtype.kind, ()):
            return array
        if not slot.is_input and array.dtype.kind in "biu":
            return array
        return array.astype(canonicalize_dtype(slot.dtype))


# ---- The primitive ---------------------------------------------------------------------------------------------------
#
# It runs a Call. The first `batch` dimensions of all operands are those of jax.vmap. Their extent is 1 or that of the
# results.

_primitive = Primitive("pmc")
_primitive.multiple_results = True


def _batch_of(operands: Sequence[Any], batch: int) -> tuple[int, ...]:
    return np.broadcast_shapes(*(operand.shape[:batch] for operand in operands))


def _run(*operands: Any, call: Call, batch: int, platform: str | None) -> list[Any]:
    return call.run(_batch_of(operands, batch), operands, platform)


def _run_eagerly(*operands: Any, call: Call, batch: int) -> list[Any]:
    return call.eager(batch, *operands)


def _shapes(*operands: Any, call: Call, batch: int) -> list[ShapedArray]:
    leading = _batch_of(operands, batch)
    return [ShapedArray(leading + shape, dtype) for shape, dtype in zip(call.shapes, call.dtypes)]


def _repeat(operands: Sequence[Any], axes: Sequence[Any], *, call: Call, batch: int) -> tuple[list[Any], list[int]]:
    """The rule of jax.vmap."""
    moved = [operand[None] if axis is None else jnp.moveaxis(operand, axis, 0)
             for operand, axis in zip(operands, axes)]
    results = _primitive.bind(*moved, call=call, batch=batch + 1)
    return results, [0] * len(results)


def _derive(primals: Sequence[Any], tangents: Sequence[Any], *, call: Call, batch: int) -> tuple[list[Any], list[Any]]:
    """The rule of forward mode."""
    results = _primitive.bind(*primals, call=call, batch=batch)
    perturbed = {name: tangent for name, primal, tangent
                 in zip(call.arguments, primals[call.first:], tangents[call.first:])
                 if type(tangent) is not ad.Zero and call.node.arguments[name].smooth and primal.dtype.kind in "fc"}
    of = tuple(name for name in call.results if call.node.results[name].smooth)
    found: dict[str, Any] = {}
    if perturbed and of:
        push = call.push(tuple(perturbed), of)
        found = dict(zip(of, _primitive.bind(*primals, *perturbed.values(), call=push, batch=batch)))
    return results, [found[name] if name in found else ad.Zero(jax.typeof(result).to_tangent_aval())
                     for name, result in zip(call.results, results)]


def _turned(array: Any, weight: np.ndarray | None, times: bool) -> jax.Array:
    """A cotangent of JAX as one of programs, or back.

    A cotangent w of JAX is the form v -> Re(sum(w v)); one of programs, v -> Re(sum(modes conj(w) v))."""
    array = jnp.conj(array)
    if weight is None:
        return array
    return (array * weight if times else array / weight).astype(array.dtype)


class _Operations:
    """Derivatives of a call, for a batch of jax.vmap."""

    def __init__(self, call: Call, batch: tuple[int, ...], rank: Sequence[Any]):
        self.batch = batch
        self.shape_of = call.shape_of
        self._call = call
        self._rank = rank

    def call(self, node: Node, arrays: Sequence[Any]) -> Sequence[Any]:
        found: Sequence[Any] = _primitive.bind(*self._rank, *arrays, call=self._call.of_derivative(node),
                                               batch=len(self.batch))
        return found

    def zeros(self, slot: Slot) -> jax.Array:
        return jnp.zeros(self.batch + self.shape_of(slot), canonicalize_dtype(slot.dtype))

    def stack(self, numbers: Sequence[Any]) -> jax.Array:
        return jnp.stack(numbers, axis=-1)


def _transpose(cotangents: Sequence[Any], *operands: Any, call: Call, batch: int) -> list[Any]:
    """The rule of reverse mode. A derivative in forward mode is linear in its tangents."""
    if call.origin is None:
        raise NotImplementedError(f"the program {call.node.program.name} is not linear in its arguments")
    base, along, results = call.origin
    count = base.first + len(base.arguments)
    values, tangents = operands[:count], dict(zip(along, operands[count:]))
    given = {name: one for name, one in zip(results, cotangents) if type(one) is not ad.Zero}
    wrt = tuple(name for name, tangent in tangents.items() if ad.is_undefined_primal(tangent))
    if not given:
        return [None] * len(operands)
    shards = base.shards
    for name, cotangent in given.items():
        slot = base.node.results[name]
        given[name] = _turned(cotangent, modes(slot), times=False)
        if shards:
            given[name] = shards.sum(given[name], slot)
    extents = [one.aval if ad.is_undefined_primal(one) else one for one in operands]
    operations = _Operations(base, _batch_of(extents, batch), values[:base.first])
    gradients = base.node.gradients(wrt, values[base.first:], given, operations)

    def gradient(name: str) -> Any:
        slot, aval = base.node.arguments[name], tangents[name].aval
        turned = _turned(gradients[name], modes(slot), times=True)
        if shards:
            turned = shards.share(turned, slot)
        repeated = tuple(axis for axis in range(batch) if aval.shape[axis] < turned.shape[axis])
        return jnp.sum(turned, axis=repeated, keepdims=True).reshape(aval.shape).astype(aval.dtype)

    return [None] * count + [gradient(name) if name in wrt else None for name in along]


_primitive.def_impl(_run_eagerly)
_primitive.def_abstract_eval(_shapes)
for _platform in (None, "cpu", "cuda"):
    mlir.register_lowering(_primitive, mlir.lower_fun(functools.partial(_run, platform=_platform), multiple_results=True),
                           platform=_platform)
batching.primitive_batchers[_primitive] = _repeat
ad.primitive_jvps[_primitive] = _derive
ad.primitive_transposes[_primitive] = _transpose


def function(program: "Program", names: Sequence[str], of: Sequence[str] | None,
             fixed: Mapping[str, Any], extents: Mapping[str, int] | None = None) -> Callable[..., Any]:
    """f(*values) -> {output: array}, with derivatives."""
    chosen = Arguments(program, names, of, fixed)
    shards = Shards(program, extents) if extents else None
    call = Call(chosen.node(with_arrays=True), chosen.numbers, shards)
    constants = tuple(np.asarray(value) for value in chosen.arrays.values())

    def call_with_arrays(*values: Any) -> dict[str, Any]:
        chosen.check([np.shape(value) for value in values], "use jax.vmap for a batch",
                     lambda array: call.shape_of(call.node.arguments[array.name]) if array.shape is not None else None)
        operands = [call.operand(name, value) for name, value in zip(call.arguments, (*values, *constants))]
        rank = (shards.rank(),) if shards else ()
        return dict(zip(call.results, _primitive.bind(*rank, *operands, call=call, batch=0)))

    call_with_arrays.__name__ = program.name
    return call_with_arrays
