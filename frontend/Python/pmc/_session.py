# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and sessions of the runtime, with the lifetimes of Python."""

from __future__ import annotations

import _signal  # without the enumerations of signal, which take most of a short call
import ctypes
import json
import logging
import os
import sys
import threading
import weakref
from typing import Any, Callable

import numpy as np

from . import _abi
from ._abi import Tensor
from ._figure import Figure

log = logging.getLogger("pmc")


class Library:
    """A program that has been opened."""

    def __init__(self, path: os.PathLike[str]):
        self.path = path
        runtime = _abi.runtime()
        error = ctypes.POINTER(_abi.CError)()
        self.handle = runtime.pmrt_open(os.fsencode(os.path.abspath(path)), ctypes.byref(error))
        if not self.handle:
            _abi.raise_owned(error)
        self.signature: dict[str, Any] = json.loads(runtime.pmrt_signature(self.handle))
        weakref.finalize(self, runtime.pmrt_close, self.handle)


class Session:
    """A session, which one thread uses at a time. Its input arrays and outputs last until the next run."""

    def __init__(self, library: Library, options: list[str]):
        self.library = library  # outlives the session
        runtime = _abi.runtime()
        error = ctypes.POINTER(_abi.CError)()
        texts = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        self.handle = runtime.pmrt_session_create(library.handle, len(options), texts, ctypes.byref(error))
        if not self.handle:
            _abi.raise_owned(error)
        weakref.finalize(self, runtime.pmrt_session_free, self.handle)
        self.tensor = Tensor()
        self.given: set[int] = set()  # parameters that are set
        self.bound: dict[int, np.ndarray] = {}  # inputs
        self.kept: dict[int, Any] = {}  # outputs
        self.callers: list[int] = []  # outputs that are arrays of the caller
        self.output_tensors: dict[int, Tensor] = {}
        self.stopped = False
        self.quiet = False
        self.progress: Callable[[Any], None] | None = None
        self.failure: BaseException | None = None
        self.figures: dict[str, Figure] = {}  # of the last run
        self.show: Callable[[Figure], None] | None = None
        self._plots = next((option[6:] for option in options if option.startswith("plots=")), "none")
        self._listen()

    def _listen(self) -> None:
        itself = weakref.ref(self)

        def guarded(work):
            def call(*arguments):
                session = itself()
                try:
                    return work(session, *arguments) or 0
                except BaseException as failure:  # it cannot pass through the run
                    session.failure = session.failure or failure
                    session.stopped = True
                    _abi.runtime().pmrt_session_interrupt(session.handle)
                    return 1
            return call

        def tell(session, _user, text):
            if not session.quiet:
                sys.stdout.write(text.decode())

        def note(_session, _user, text):
            line = text.decode().rstrip()
            (log.warning if "warning:" in line else log.info)("%s", line)

        def step(session, _user, progress):
            if session.progress:
                session.progress(progress.contents)

        def draw(session, _user, name, data, size):
            figure = Figure(name.decode(), session._plots, ctypes.string_at(data, size))
            session.figures[figure.name] = figure
            if session.show:
                session.show(figure)

        # Python runs the handlers of signals before it goes on here.
        def ask(session, _user):
            return int(session.stopped)

        self.callbacks = _abi.Callbacks(None, _abi.TextCallback(guarded(tell)), _abi.TextCallback(guarded(note)),
                                        _abi.ProgressCallback(guarded(step)), _abi.AskCallback(guarded(ask)),
                                        _abi.FigureCallback(guarded(draw)))
        _abi.runtime().pmrt_set_callbacks(self.handle, ctypes.byref(self.callbacks))

    def check(self, code: int) -> None:
        if code:
            raise _abi.exception(_abi.runtime().pmrt_session_error(self.handle).contents)

    def set_param(self, index: int, is_real: bool, value) -> None:
        runtime = _abi.runtime()
        self.given.add(index)
        self.check((runtime.pmrt_set_f64 if is_real else runtime.pmrt_set_i64)(self.handle, index, value))

    def unset_param(self, index: int) -> None:
        self.given.discard(index)
        self.check(_abi.runtime().pmrt_unset(self.handle, index))

    def bind_input(self, index: int, array: "np.ndarray | _abi.DeviceArray | None") -> None:
        if array is None:
            self.bound.pop(index, None)
            return self.check(_abi.runtime().pmrt_bind_input(self.handle, index, None))
        self.bound[index] = array
        _abi.fill(self.tensor, array)
        return self.check(_abi.runtime().pmrt_bind_input(self.handle, index, self.tensor))

    def bind_output(self, index: int, array: np.ndarray) -> None:
        """Binds a dense array; those of one output differ in their address only."""
        self.kept[index] = array
        tensor = self.output_tensors.get(index)
        if tensor is None:
            tensor = self.output_tensors[index] = Tensor()
            _abi.fill(tensor, array)
        tensor.data = array.__array_interface__["data"][0]
        self.check(_abi.runtime().pmrt_bind_output(self.handle, index, tensor))

    def bind_into(self, index: int, array: "np.ndarray | _abi.DeviceArray") -> None:
        """Binds an array of the caller."""
        self.kept[index] = array
        self.callers.append(index)
        _abi.fill(self.tensor, array)
        self.check(_abi.runtime().pmrt_bind_output(self.handle, index, self.tensor))

    def release_callers(self) -> None:
        """Forgets the arrays of the caller that the last run has written to."""
        while self.callers:
            self.check(_abi.runtime().pmrt_bind_output(self.handle, self.callers.pop(), None))

    def part(self, kind: str, index: int, rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The offsets and the shape of the part of an array that this process holds. `kind`: input or output."""
        offsets, shape = (ctypes.c_int64 * _abi.MOST_DIMS)(), (ctypes.c_int64 * _abi.MOST_DIMS)()
        self.check(getattr(_abi.runtime(), f"pmrt_{kind}_part")(self.handle, index, offsets, shape))
        return tuple(offsets[:rank]), tuple(shape[:rank])

    def count(self, output: int) -> int:
        return _abi.runtime().pmrt_output_count(self.handle, output)

    def copy_output(self, output: int, number: int) -> np.ndarray:
        """A copy of an array that is in the session's memory."""
        self.check(_abi.runtime().pmrt_get_output(self.handle, output, number, self.tensor))
        rank, tensor = self.tensor.rank, self.tensor
        shape, dtype = tuple(tensor.shape[:rank]), _abi.BY_NUMBER[tensor.element]
        array = np.empty(shape, dtype)
        if array.nbytes:
            ctypes.memmove(array.ctypes.data, tensor.data, array.nbytes)
        return array

    def attributes(self, output: int, number: int) -> bytes:
        return _abi.runtime().pmrt_output_attributes(self.handle, output, number)

    def run(self) -> None:
        """Runs the program. Ctrl-C ends it and raises what Python's handler raises."""
        self.stopped, self.failure, self.figures = False, None, {}
        handler = _signal.getsignal(_signal.SIGINT)
        listens = callable(handler) and threading.current_thread() is threading.main_thread()

        def stop(_signal, _frame):
            self.stopped = True

        if listens:
            _signal.signal(_signal.SIGINT, stop)
        try:
            code = _abi.runtime().pmrt_run(self.handle)
        finally:
            if listens:
                _signal.signal(_signal.SIGINT, handler)
        if self.failure:
            raise self.failure
        if self.stopped and listens:
            handler(_signal.SIGINT, None)
        self.check(code)
