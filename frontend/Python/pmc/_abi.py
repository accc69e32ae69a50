# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C ABI of runtime/include/pmrt/embed.h, and where the compiler and the runtime are."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import shutil
from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import Error, InputError, Note, RunError

VERSION = 4
MOST_DIMS = 13
HOST, DEVICE = 0, 1  # pmrt_space

DTYPES = {"f32": np.dtype("f4"), "f64": np.dtype("f8"), "c64": np.dtype("c8"), "c128": np.dtype("c16"),
          "i8": np.dtype("i1"), "i64": np.dtype("i8"), "u64": np.dtype("u8")}
ELEMENTS = {DTYPES[name]: number for number, name in enumerate(["f32", "f64", "c64", "c128", "i8", "i64", "u64"])}
ELEMENTS[np.dtype(bool)] = ELEMENTS[DTYPES["i8"]]
BY_NUMBER = [DTYPES[name] for name in ["f32", "f64", "c64", "c128", "i8", "i64", "u64"]]


class CNote(Structure):
    _fields_ = [("location", c_char_p), ("message", c_char_p)]


class CError(Structure):
    _fields_ = [("code", c_int32), ("rank", c_int32), ("location", c_char_p), ("message", c_char_p),
                ("step", c_int64), ("steps", c_int64), ("note_count", c_int32), ("notes", POINTER(CNote))]


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("element", c_int32), ("space", c_int32), ("rank", c_int32),
                ("reserved", c_int32), ("shape", c_int64 * MOST_DIMS), ("strides", c_int64 * MOST_DIMS),
                ("stream", c_void_p)]


class CProgress(Structure):
    _fields_ = [("location", c_char_p), ("step", c_int64), ("steps", c_int64), ("fraction", c_double),
                ("loops", c_int32)]


TextCallback = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
ProgressCallback = ctypes.CFUNCTYPE(None, c_void_p, POINTER(CProgress))
AskCallback = ctypes.CFUNCTYPE(c_int32, c_void_p)
FigureCallback = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_void_p, c_int64)


class Callbacks(Structure):
    _fields_ = [("user", c_void_p), ("print", TextCallback), ("message", TextCallback),
                ("progress", ProgressCallback), ("ask", AskCallback), ("figure", FigureCallback)]


FUNCTIONS = {
    "pmrt_embed_version": (c_int32, []),
    "pmrt_error_free": (None, [POINTER(CError)]),
    "pmrt_open": (c_void_p, [c_char_p, POINTER(POINTER(CError))]),
    "pmrt_close": (None, [c_void_p]),
    "pmrt_signature": (c_char_p, [c_void_p]),
    "pmrt_session_create": (c_void_p, [c_void_p, c_int32, POINTER(c_char_p), POINTER(POINTER(CError))]),
    "pmrt_session_free": (None, [c_void_p]),
    "pmrt_session_error": (POINTER(CError), [c_void_p]),
    "pmrt_set_f64": (c_int32, [c_void_p, c_int32, c_double]),
    "pmrt_set_i64": (c_int32, [c_void_p, c_int32, c_int64]),
    "pmrt_unset": (c_int32, [c_void_p, c_int32]),
    "pmrt_bind_input": (c_int32, [c_void_p, c_int32, POINTER(Tensor)]),
    "pmrt_bind_output": (c_int32, [c_void_p, c_int32, POINTER(Tensor)]),
    "pmrt_input_part": (c_int32, [c_void_p, c_int32, POINTER(c_int64), POINTER(c_int64)]),
    "pmrt_output_part": (c_int32, [c_void_p, c_int32, POINTER(c_int64), POINTER(c_int64)]),
    "pmrt_run": (c_int32, [c_void_p]),
    "pmrt_session_interrupt": (None, [c_void_p]),
    "pmrt_planned_bytes": (c_int64, [c_void_p]),
    "pmrt_output_count": (c_int32, [c_void_p, c_int32]),
    "pmrt_get_output": (c_int32, [c_void_p, c_int32, c_int32, POINTER(Tensor)]),
    "pmrt_output_attributes": (c_char_p, [c_void_p, c_int32, c_int32]),
    "pmrt_set_callbacks": (None, [c_void_p, POINTER(Callbacks)]),
    "pmrt_xla_handler": (c_void_p, [c_void_p]),
    "pmrt_xla_handler_gpu": (c_void_p, [c_void_p]),
    "pmrt_xla_close": (None, [c_char_p]),
    "pmrt_xla_interrupt": (None, []),
}


@functools.cache
def compiler() -> Path:
    """The command pmc: $PMC, or the one of this tree or installation, or the one on the PATH."""
    if chosen := os.environ.get("PMC"):
        if not os.access(chosen, os.X_OK):
            raise Error(f"PMC={chosen} is not a program; set PMC to the path of pmc, or unset it")
        return Path(chosen)
    here = Path(__file__).resolve()
    # Of a wheel, of PREFIX/lib/pmc/python, of frontend/Python in the source.
    for folder, place in ((0, "_root/bin/pmc"), (4, "bin/pmc"), (3, "build/bin/pmc")):
        if folder < len(here.parents) and (path := here.parents[folder] / place).exists():
            return path
    if found := shutil.which("pmc"):
        return Path(found).resolve()
    raise Error("cannot find the compiler; set PMC to the path of pmc")


@functools.cache
def runtime_path() -> Path:
    """libpmrt.so beside the compiler."""
    path = compiler().resolve().parent.parent / "lib/libpmrt.so"
    if not path.exists():
        raise Error(f"cannot find the runtime {path}; build the target pmrt_shared")
    return path


@functools.cache
def runtime() -> ctypes.CDLL:
    library = ctypes.CDLL(str(runtime_path()))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if (found := library.pmrt_embed_version()) != VERSION:
        raise Error(f"{runtime_path()} has version {found} of the embedding interface, expected {VERSION}")
    return library


def exception(error: CError) -> BaseException:
    """The Python exception for an error of the runtime."""
    if error.code == 130:
        return KeyboardInterrupt()
    notes = tuple(Note(error.notes[i].location.decode(), error.notes[i].message.decode())
                  for i in range(error.note_count))
    kind = InputError if error.code == 1 else RunError
    return kind(error.message.decode(), error.location.decode(), error.step if error.step >= 0 else None,
                error.steps or None, error.rank if error.rank >= 0 else None, notes)


def raise_owned(error) -> None:
    """Raises and frees an error that the caller owns."""
    made = exception(error.contents)
    runtime().pmrt_error_free(error)
    raise made


class DeviceArray:
    """An array in the memory of a GPU, as __cuda_array_interface__ (version 3) describes it.

    `stream` is the CUDA stream that has queued the work on it: the program waits for this work."""

    def __init__(self, array: Any):
        facts = array.__cuda_array_interface__
        if facts.get("mask") is not None:
            raise InputError("arrays with a mask are not supported")
        self.array = array  # owns the memory
        self.shape: tuple[int, ...] = tuple(facts["shape"])
        self.dtype = np.dtype(facts["typestr"])
        self.address: int = facts["data"][0]
        self.stream: int = facts.get("stream") or 0
        self.strides: tuple[int, ...] = tuple(facts["strides"]) if facts.get("strides") else self._dense()

    def _dense(self) -> tuple[int, ...]:
        strides, stride = [], self.dtype.itemsize
        for extent in reversed(self.shape):
            strides.append(stride)
            stride *= extent
        return tuple(reversed(strides))


#: Programs use outputs of at least so many bytes in place, at addresses that are multiples of 64.
_LARGE = 1 << 16


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A dense array for an output."""
    size = math.prod(shape) * dtype.itemsize
    if size < _LARGE:
        return np.empty(shape, dtype)
    memory = np.empty(size + 64, np.uint8)
    first = -memory.__array_interface__["data"][0] % 64
    return memory[first:first + size].view(dtype).reshape(shape)


def on_device(value: Any) -> bool:
    """Whether a value is an array in the memory of a GPU."""
    return hasattr(value, "__cuda_array_interface__")


def fill(tensor: Tensor, array: np.ndarray | DeviceArray) -> None:
    """Makes a tensor of an array, which must outlive it."""
    there = isinstance(array, DeviceArray)
    tensor.data = array.address if there else array.__array_interface__["data"][0]
    tensor.space = DEVICE if there else HOST
    tensor.stream = array.stream if there else None
    tensor.element = ELEMENTS[array.dtype]
    tensor.rank = rank = len(array.shape)
    tensor.shape[:rank] = array.shape
    tensor.strides[:rank] = array.strides
