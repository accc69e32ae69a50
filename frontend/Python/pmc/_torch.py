# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as functions of PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np
import torch

from ._arguments import Arguments
from ._node import Node, Slot, modes

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


def _detached(values: Sequence[Any]) -> list[Any]:
    return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]


def _zeros(slot: Slot, device: torch.device) -> torch.Tensor:
    return _to_torch(np.zeros(slot.shape or (), slot.dtype), device)


def _scaled(tensor: torch.Tensor, weight: np.ndarray | None, times: bool) -> torch.Tensor:
    """A cotangent of PyTorch as one of programs, where elements of half spectra count their modes; or back."""
    if weight is None:
        return tensor
    other = torch.from_numpy(weight).to(tensor.device)
    return (tensor * other if times else tensor / other).to(tensor.dtype)


def _one_by_one(work: Callable[..., Any], count: int, dims: Sequence[int | None],
                values: Sequence[Any]) -> tuple[Any, Any]:
    """Runs `work` for each index of a batch, and stacks the results along their first dimension."""
    rows = [work(*(value if dim is None else value.select(dim, i) for value, dim in zip(values, dims)))
            for i in range(count)]
    columns = tuple(torch.stack(column) for column in zip(*rows))
    return columns, (0,) * len(columns)


def _device_of(values: Sequence[Any]) -> torch.device:
    return next((value.device for value in values if isinstance(value, torch.Tensor)), torch.device("cpu"))


class _Operations:
    batch = ()

    def __init__(self, functions: _Functions, device: torch.device):
        self._functions = functions
        self._device = device

    def call(self, node: Node, arrays: Sequence[Any]) -> tuple[torch.Tensor, ...]:
        return self._functions.of(node)(*arrays)

    def zeros(self, slot: Slot) -> torch.Tensor:
        return _zeros(slot, self._device)

    def stack(self, numbers: Sequence[Any]) -> torch.Tensor:
        return torch.stack([*numbers])

    def shape_of(self, array: Any) -> tuple[int, ...]:
        return tuple(array.shape)


class _Functions:
    """The functions of a node and of its derivatives. `others`: the values of other inputs and parameters."""

    def __init__(self, others: Mapping[str, Any]):
        self._others = others
        self._made: dict[Node, Callable[..., tuple[torch.Tensor, ...]]] = {}

    def of(self, node: Node) -> Callable[..., tuple[torch.Tensor, ...]]:
        """The function of a node.

        A derivative in forward mode is linear in its tangents. Its derivative with respect to the other arguments has a
        higher order. PyTorch requests both derivatives, even if it needs only one of them. Therefore two functions have
        one derivative each, and the values of the second function are zero."""
        if node not in self._made:
            names = tuple(node.arguments)
            if not node.tangents:
                self._made[node] = self._derivable(node, names)
            else:
                count = len(names) - len(node.tangents)
                run = self._derivable(node, names[count:])
                zero = self._derivable(node, names[:count], is_zero=True)

                def both(*values: Any) -> tuple[torch.Tensor, ...]:
                    others, tangents = values[:count], values[count:]
                    return tuple(map(torch.add, run(*_detached(others), *tangents), zero(*others, *_detached(tangents))))

                self._made[node] = both
        return self._made[node]

    def _derivable(self, node: Node, variables: tuple[str, ...],
                   is_zero: bool = False) -> Callable[..., tuple[torch.Tensor, ...]]:
        """A function with derivatives with respect to `variables`. `is_zero`: its values are zero instead."""
        names, results = tuple(node.arguments), tuple(node.results)
        smooth = tuple(name for name in results if node.results[name].smooth)
        derivable = [name in variables and node.arguments[name].smooth for name in names]
        functions, others = self, self._others

        def values_of(ctx: Any) -> list[Any]:
            return [number if tensor is None else tensor for tensor, number in zip(ctx.saved_tensors, ctx.numbers)]

        class Run(torch.autograd.Function):
            @staticmethod
            def forward(*values):
                device = _device_of(values)
                if is_zero:
                    return tuple(_zeros(node.results[name], device) for name in results)
                found = node.program._call({**others, **dict(zip(names, map(_to_numpy, values)))})
                return tuple(_to_torch(found[name], device) for name in results)

            @staticmethod
            def setup_context(ctx, values, outputs):
                ctx.set_materialize_grads(False)
                ctx.mark_non_differentiable(*(one for name, one in zip(results, outputs) if name not in smooth))
                ctx.numbers = [None if isinstance(value, torch.Tensor) else value for value in values]
                tensors = tuple(value if isinstance(value, torch.Tensor) else None for value in values)
                ctx.save_for_backward(*tensors)
                ctx.save_for_forward(*tensors)

            @staticmethod
            def backward(ctx, *cotangents):
                wrt = tuple(name for name, needs, has in zip(names, ctx.needs_input_grad, derivable) if needs and has)
                given = {name: _scaled(one, modes(node.results[name]), times=False)
                         for name, one in zip(results, cotangents) if one is not None}
                if not wrt or not given:
                    return (None,) * len(names)
                values = values_of(ctx)
                operations = _Operations(functions, next(iter(given.values())).device)
                gradients = node.gradients(wrt, values, given, operations)

                def gradient(name, value):
                    scaled = _scaled(gradients[name], modes(node.arguments[name]), times=True)
                    return scaled.to(value.device, value.dtype).reshape(value.shape)

                return tuple(gradient(name, value) if name in wrt else None for name, value in zip(names, values))

            @staticmethod
            def jvp(ctx, *tangents):
                given = {name: one for name, one, has in zip(names, tangents, derivable) if one is not None and has}
                found = {}
                if given and smooth:
                    push = node.push(tuple(given), smooth)
                    found = dict(zip(smooth, functions.of(push)(*values_of(ctx), *given.values())))
                return tuple(found.get(name) for name in results)

            @staticmethod
            def vmap(info, in_dims, *values):
                return _one_by_one(Run.apply, info.batch_size, in_dims, values)

        return Run.apply


def function(program: "Program", names: Sequence[str], of: Sequence[str] | None,
             fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """f(*values) -> {output: tensor}, with derivatives."""
    chosen = Arguments(program, names, of, fixed)
    others = {**{name: _to_numpy(value) for name, value in chosen.arrays.items()}, **chosen.numbers}
    run = _Functions(others).of(chosen.node(with_arrays=False))

    @torch.compiler.disable
    def call(*values: Any) -> dict[str, torch.Tensor]:
        chosen.check([tuple(np.shape(value)) for value in values], "use torch.func.vmap for a batch")
        return dict(zip(chosen.of, run(*values)))

    call.__name__ = program.name
    return call
