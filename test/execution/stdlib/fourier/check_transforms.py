#!/usr/bin/env python3
"""The transforms of transforms.pm against NumPy's."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
from compare import load

out = sys.argv[1]
f = load(out, "f")


def same(name, expected):
    got = load(out, name)
    assert got.shape == expected.shape, (name, got.shape, expected.shape)
    assert np.allclose(got, expected, rtol=0, atol=1e-14), (name, np.max(np.abs(got - expected)))


fk = np.fft.rfftn(f, norm="forward")
same("re", fk.real)
same("im", fk.imag)
same("x_power", np.abs(np.fft.rfft(f, axis=0, norm="forward")) ** 2)
same("yz_power", np.abs(np.fft.rfftn(f, axes=(1, 2), norm="forward")) ** 2)
same("steps_power", np.abs(fk) ** 2)
