# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Specs of pmc as functions of Python.

    import pmc
    sim = pmc.compile("sim.pm", n=128)
    result = sim(noise=w, omega_m=0.31)
    result.density            # a NumPy array with a unit and coordinates

frontend/Python/README.md is the manual.
"""

from ._array import Field
from ._compile import compile, load
from ._errors import Diagnostic, Error, InputError, RunError, SpecError
from ._explain import explain
from ._inference import write_inference_data
from ._magic import load_ipython_extension
from ._program import Input, Output, Param, Program, Result
from ._pulseq import Trajectory, read_pulseq
from ._read import Run, read

__all__ = [
    "Diagnostic", "Error", "Field", "Input", "InputError", "Output", "Param", "Program", "Result", "Run",
    "RunError", "SpecError", "compile", "explain", "load", "load_ipython_extension", "read",
    "Trajectory", "read_pulseq", "write_inference_data",
]
