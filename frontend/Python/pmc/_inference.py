# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes chains of the library's module sampling to files that ArviZ opens."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping

import numpy as np

from ._array import Field
from ._errors import Error

#: The name of each member of a chain in the schema of InferenceData, and its type there.
STATISTICS = {"energy": ("lp", float), "accept": ("acceptance_rate", float), "error": ("energy_error", float),
              "diverged": ("diverging", np.int8), "gradients": ("n_steps", np.int64)}


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The names and arrays of a state. A complex array becomes two arrays, because NetCDF has no complex numbers."""
    if isinstance(value, Mapping):
        for member in value:
            yield from _parts(f"{name}_{member}".replace("/", "_") if name else member.replace("/", "_"), value[member])
    elif np.iscomplexobj(value):
        dims, unit = getattr(value, "dims", ()), getattr(value, "unit", "")
        for part in ("real", "imag"):
            yield f"{name}_{part}", Field.of(getattr(np.asarray(value), part), f"{name}_{part}", unit, dims)
    else:
        yield name, value


def _write(group: Any, name: str, value: Any, chains: bool, kind: Any = float) -> None:
    """Writes a variable over chain, draw and other dims, with a scale for each dim, because NetCDF requires these."""
    array = np.asarray(value)
    dims = tuple(getattr(value, "dims", ()))
    if len(dims) != array.ndim:
        dims = ("",) * array.ndim
    if not chains:
        array, dims = array[None], ("", *dims)
    names = ["chain", "draw"] + [f"{name}_{dim or f'dim_{i}'}" for i, dim in enumerate(dims[2:])]
    data = group.create_dataset(name, data=array.astype(kind))
    for i, dim in enumerate(names):
        if dim not in group:
            scale = group.create_dataset(dim, data=np.arange(array.shape[i]))
            scale.make_scale(dim)
        if len(group[dim]) != array.shape[i]:
            raise Error(f"'{name}' has {array.shape[i]} elements along {dim}, expected {len(group[dim])}")
        data.dims[i].attach_scale(group[dim])
    if unit := getattr(value, "unit", ""):
        data.attrs["units"] = unit


def write_inference_data(path: str | os.PathLike, run: Mapping[str, Any], name: str = "state") -> None:
    """Writes the value of `sample`, `sample_chains` or `sample_batch` to a NetCDF file that `arviz.from_netcdf` opens.

    `run` is an output of that value: after `output run = sample_chains[chain, draw](...)`, it is `pmc.read("out").run` or the
    `run` of a result. The members of a state become variables of the group posterior; a state that is one array has the
    variable `name`. Complex arrays become two variables. The group sample_stats has acceptance_rate, diverging, energy_error,
    n_steps and lp, which is the negative energy."""
    import h5py
    missing = [member for member in ("chain", *STATISTICS) if member not in run and not _has(run, member)]
    if missing:
        raise Error(f"write_inference_data: the output has no member '{missing[0]}'; write the value of sample or sample_chains "
                    "as one output, and give that one")
    chains = np.ndim(run["energy"]) == 2
    with h5py.File(path, "w", track_order=True) as file:
        file.attrs["created_by"] = "pmc"
        posterior = file.create_group("posterior", track_order=True)
        for part, value in _parts("", run["chain"]) if isinstance(run["chain"], Mapping) else _parts(name, run["chain"]):
            _write(posterior, part, value, chains)
        statistics = file.create_group("sample_stats", track_order=True)
        for member, (target, kind) in STATISTICS.items():
            value = run[member]
            _write(statistics, target, -np.asarray(value) if member == "energy" else value, chains, kind)


def _has(run: Mapping[str, Any], member: str) -> bool:
    return any(key.startswith(member + "/") for key in run)
