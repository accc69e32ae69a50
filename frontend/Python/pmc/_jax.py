# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as functions of JAX, by callbacks to the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from ._derivative import Pull, differentiable, expand
from ._errors import InputError

if TYPE_CHECKING:
    from ._program import Program


def function(program: "Program", names: Sequence[str], of: Sequence[str] | None,
             fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """f(*values) -> {output: array}, with a derivative in reverse mode."""
    import jax
    import jax.numpy as jnp
    from jax.dtypes import canonicalize_dtype

    for name in names:
        expand(program, [name])
        if name in program.inputs and program.inputs[name].dtype.kind == "c":
            raise InputError(f"input '{name}' is complex; functions of JAX have real arguments")
    chosen = list(of) if of is not None else [name for name, output in program.outputs.items()
                                              if not output.loops and output.shape is not None]
    for name in chosen:
        if name not in program.outputs or program.outputs[name].loops or program.outputs[name].shape is None:
            raise InputError(f"'{name}' is not an output of known shape outside of loops")
    smooth = [name for name in names if differentiable(program, [name])]
    real = [name for name in chosen if program.outputs[name].dtype.kind == "f"]

    def shape_of(shape: tuple[int, ...], dtype: np.dtype):
        return jax.ShapeDtypeStruct(shape, canonicalize_dtype(dtype))

    def call(*values):
        found = program._call({**fixed, **dict(zip(names, map(np.asarray, values)))})
        return {name: np.asarray(found[name], canonicalize_dtype(program.outputs[name].dtype)) for name in chosen}

    def pull(values, cotangents):
        given = {**fixed, **dict(zip(names, map(np.asarray, values)))}
        gradients = Pull(program, given, smooth)(**dict(zip(real, map(np.asarray, cotangents))))
        return tuple(np.asarray(gradients[name], values[names.index(name)].dtype)
                     .reshape(values[names.index(name)].shape) for name in smooth)

    results = {name: shape_of(program.outputs[name].shape, program.outputs[name].dtype) for name in chosen}

    @jax.custom_vjp
    def run(*values):
        return jax.pure_callback(call, results, *values, vmap_method="sequential")

    def forward(*values):
        return run(*values), values

    def backward(values, cotangents):
        shapes = tuple(jax.ShapeDtypeStruct(values[names.index(name)].shape, values[names.index(name)].dtype)
                       for name in smooth)
        gradients = jax.pure_callback(pull, shapes, values, [cotangents[name] for name in real],
                                      vmap_method="sequential")
        known = dict(zip(smooth, gradients))
        # Integers have cotangents of their own kind.
        return tuple(known[name] if name in known else np.zeros(value.shape, jax.dtypes.float0)
                     for name, value in zip(names, values))

    run.defvjp(forward, backward)

    def call_with_arrays(*values):
        if len(values) != len(names):
            raise TypeError(f"{program.name}: {len(values)} arguments, expected {len(names)}: {', '.join(names)}")
        return run(*map(jnp.asarray, values))

    call_with_arrays.__name__ = program.name
    return call_with_arrays
