"""Fourier transforms by their definition: a matrix along every dim.

F(k) = 1/N sum_x f(x) exp(-ikx), f(x) = sum_k F(k) exp(ikx). The last dim of a real
field is halved; back from there, every mode but the first and the one in the
middle counts with its conjugate."""
import numpy as np

from . import tensors as t
from .dims import Dim
from .elementwise import Complex
from .fields import Field


def along(field, axis, matrix):
    """A complex matrix times a complex field."""
    re, im = field.re, field.im
    c, s = np.ascontiguousarray(matrix.real), np.ascontiguousarray(matrix.imag)
    return Complex(t.sub(t.transform(c, re, axis), t.transform(s, im, axis)),
                   t.add(t.transform(s, re, axis), t.transform(c, im, axis)))


def waves(dim, sign):
    """exp(± 2 pi i m x / N): rows are the stored modes."""
    product = np.outer(dim.modes(), np.arange(dim.extent)) % dim.extent
    return np.exp(sign * 2j * np.pi * product / dim.extent)


def forward(op, scope):
    field = scope.get(op.operands[0])
    over, dims, data = op.attributes["over"], list(field.dims), field.data
    axes = [axis for axis, dim in enumerate(dims) if dim.label in over]
    halved = None if isinstance(data, Complex) else axes[-1]
    if halved is not None:
        data = Complex(data, np.zeros(np.shape(t.value(data))))
    for axis in axes:
        dims[axis] = Dim("k" + dims[axis].label, dims[axis].extent, "half" if axis == halved else "dual")
        scale = 1 if "raw" in op.attributes else dims[axis].extent
        data = along(data, axis, waves(dims[axis], -1) / scale)
    return [Field(tuple(dims), data)]


def backward(op, scope):
    field = scope.get(op.operands[0])
    over, dims, data = op.attributes["over"], list(field.dims), field.data
    axes = [axis for axis, dim in enumerate(dims) if dim.kind != "space" and dim.space_label in over]
    real = any(dims[axis].kind == "half" for axis in axes)
    for axis in sorted(axes, key=lambda axis: dims[axis].kind == "half"):
        data = along(data, axis, (waves(dims[axis], 1) * dims[axis].weights()[:, None]).T)
        dims[axis] = Dim(dims[axis].space_label, dims[axis].extent)
    return [Field(tuple(dims), data.re if real else data)]


FOURIER = {"pm.fft": forward, "pm.ifft": backward}
