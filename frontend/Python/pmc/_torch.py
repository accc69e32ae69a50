# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as functions of PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np
import torch

from ._arguments import Arguments, modes

if TYPE_CHECKING:
    from ._program import Program


def _to_numpy(value: Any) -> Any:
    """The memory of a tensor, or the value itself."""
    if not isinstance(value, torch.Tensor):
        return value
    tensor = value.detach().cpu().resolve_conj().resolve_neg()
    return (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).numpy()


def _to_torch(array: Any, device: torch.device) -> torch.Tensor:
    return torch.from_numpy(np.asarray(array)).to(device)


def _scaled(array: np.ndarray, weight: np.ndarray | None, times: bool) -> np.ndarray:
    """A cotangent of PyTorch as one of programs, where elements of half spectra count their modes; or back."""
    if weight is None:
        return array
    return (array * weight if times else array / weight).astype(array.dtype)


def _one_by_one(work: Callable[..., Any], count: int, dims: Sequence[int | None],
                values: Sequence[Any]) -> tuple[Any, Any]:
    """Runs `work` for each index of a batch, and stacks the results along their first dimension."""
    rows = [work(*(value if dim is None else value.select(dim, i) for value, dim in zip(values, dims)))
            for i in range(count)]
    columns = tuple(torch.stack(column) for column in zip(*rows))
    return columns, (0,) * len(columns)


def function(program: "Program", names: Sequence[str], of: Sequence[str] | None,
             fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """f(*values) -> {output: tensor}, with a derivative in reverse mode."""
    chosen = Arguments(program, names, of, fixed)
    names = chosen.names
    others = {**{name: _to_numpy(value) for name, value in chosen.arrays.items()}, **chosen.numbers}

    def device_of(values: Sequence[Any]) -> torch.device:
        return next((value.device for value in values if isinstance(value, torch.Tensor)), torch.device("cpu"))

    def tensors_only(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(value if isinstance(value, torch.Tensor) else None for value in values)

    def merged(tensors: Sequence[Any], numbers: Sequence[Any]) -> list[Any]:
        return [number if tensor is None else tensor for tensor, number in zip(tensors, numbers)]

    class Gradient(torch.autograd.Function):
        """The gradients with respect to `wrt` of the outputs that have cotangents. This function has no derivative."""

        @staticmethod
        def forward(wrt, *values_and_cotangents):
            values, cotangents = values_and_cotangents[:len(names)], values_and_cotangents[len(names):]
            given = {name: _to_numpy(one) for name, one in zip(chosen.of, cotangents) if one is not None}
            adjoint = chosen.adjoint(wrt, list(given))
            inputs = {**others, **dict(zip(names, map(_to_numpy, values)))}
            for name in adjoint.outputs:
                output = program.outputs[name]
                inputs |= adjoint.split(name, _scaled(given[name], modes(output), times=False) if name in given
                                        else np.zeros(output.shape, output.dtype))
            gradients = adjoint.join(adjoint.made._call(inputs)._arrays, np.array)

            def gradient(name, value):
                weight = modes(program.inputs[name]) if name in program.inputs else None
                return _to_torch(_scaled(np.asarray(gradients[name]), weight, times=True),
                                 value.device).to(value.dtype).reshape(value.shape)

            return tuple(gradient(name, values[names.index(name)]) for name in wrt)

        @staticmethod
        def setup_context(ctx, inputs, results):
            pass

        @staticmethod
        def backward(ctx, *cotangents):
            raise RuntimeError(f"the program {program.name} has first derivatives only")

        @staticmethod
        def vmap(info, in_dims, wrt, *values):
            return _one_by_one(lambda *row: Gradient.apply(wrt, *row), info.batch_size, in_dims[1:], values)

    class Run(torch.autograd.Function):
        @staticmethod
        def forward(*values):
            found = program._call({**others, **dict(zip(names, map(_to_numpy, values)))})
            device = device_of(values)
            return tuple(_to_torch(found[name], device) for name in chosen.of)

        @staticmethod
        def setup_context(ctx, values, results):
            ctx.set_materialize_grads(False)
            ctx.mark_non_differentiable(*(one for name, one in zip(chosen.of, results) if name not in chosen.real))
            ctx.numbers = [None if isinstance(value, torch.Tensor) else value for value in values]
            ctx.save_for_backward(*tensors_only(values))

        @staticmethod
        def backward(ctx, *cotangents):
            wrt = tuple(name for name, needs in zip(names, ctx.needs_input_grad) if needs and name in chosen.smooth)
            if not wrt or all(one is None for one in cotangents):
                return (None,) * len(names)
            found = dict(zip(wrt, Gradient.apply(wrt, *merged(ctx.saved_tensors, ctx.numbers), *cotangents)))
            return tuple(found.get(name) for name in names)

        @staticmethod
        def vmap(info, in_dims, *values):
            return _one_by_one(Run.apply, info.batch_size, in_dims, values)

    @torch.compiler.disable
    def call(*values: Any) -> dict[str, torch.Tensor]:
        chosen.check([tuple(np.shape(value)) for value in values], "use torch.func.vmap for a batch")
        return dict(zip(chosen.of, Run.apply(*values)))

    call.__name__ = program.name
    return call
