# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on the processes of a communicator of mpi4py."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any, Callable, Mapping, NoReturn, TypeVar

from ._errors import Error, RunError
from ._program import Input, Output, Program, Result
from ._session import Library, Session

Value = TypeVar("Value")


def _picklable(error: BaseException) -> BaseException:
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RunError(f"{type(error).__name__}: {error}")


class RankProgram(Program):
    """A program whose ranks are processes. All of them make the same calls in the same order.

    `inputs` and `outputs` describe the parts of this rank. An input may also be given whole."""

    def __init__(self, path: Path, options: Mapping[str, Any], *, library: Library | None = None, comm: Any,
                 own: bool = False):
        from mpi4py import MPI
        # Messages of the caller must not meet those of the package.
        self.comm = comm if own else comm.Dup()
        super().__init__(path, {**options, "comm": MPI._addressof(self.comm)}, library=library)
        session = self._take_session()
        self.inputs = {name: self._part(session, "input", index, array)
                       for index, (name, array) in enumerate(self.inputs.items())}
        self.outputs = {name: self._part(session, "output", index, array)
                        for index, (name, array) in enumerate(self.outputs.items())}
        self._output_list = list(self.outputs.values())
        self._give_back(session)

    @staticmethod
    def _part(session: Session, kind: str, index: int, array: Any) -> Any:
        if array.shape is None:
            return array
        offset, shape = session.part(kind, index, len(array.shape))
        return dataclasses.replace(array, shape=shape, offset=offset, whole=array.shape)

    def _open(self, path: Path) -> Program:
        return RankProgram(path, self._options, comm=self.comm, own=True)

    def ranks(self, comm: Any = None, *, mesh: Mapping[str, int]) -> NoReturn:
        raise Error("ranks() is of the program that pmc.compile or pmc.load returned")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a program on ranks of a communicator cannot be pickled; pickle the program of one rank")

    def part(self, name: str) -> tuple[slice, ...]:
        """The slices of a whole input or output that are the part of this rank: whole[program.part("noise")]."""
        array: Input | Output = self.inputs[name] if name in self.inputs else self.outputs[name]
        if array.shape is None or array.offset is None:
            raise Error(f"'{name}' has no parts")
        return tuple(slice(first, first + cells) for first, cells in zip(array.offset, array.shape))

    def _run(self, session: Session, values: Mapping[str, Any], into: Mapping[str, Any]) -> Result:
        self._together(lambda: self._bind(session, values, into))
        return self._together(lambda: self._run_bound(session, into))

    def _run_bound(self, session: Session, into: Mapping[str, Any]) -> Result:
        session.run()
        return self._collect(session, into)

    def _together(self, work: Callable[[], Value]) -> Value:
        """Does `work`. If it fails on one rank, all ranks raise."""
        value, own = None, None
        try:
            value = work()
        except BaseException as error:
            own = error
        failures = self.comm.allgather(None if own is None else _picklable(own))
        if not any(failures):
            return value  # type: ignore[return-value]
        if own is not None and not isinstance(own, Error):
            raise own
        # The rank that has found an error knows its place; the others were stopped.
        found = [(rank, error) for rank, error in enumerate(failures) if error is not None]
        knows = [(rank, error) for rank, error in found if getattr(error, "rank", None) is not None]
        rank, first = (knows or found)[0]
        if isinstance(first, RunError) and first.rank is None and len(found) < len(failures):
            first.rank = rank
        raise first from None
