"""Values of fields and tables, and the parts that they have as vectors."""
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import tensors as t
from .dims import shape, weights
from .elementwise import Complex


@dataclass
class Field:
    dims: tuple
    data: Any                 # of the stored shape, or a Complex of two such


@dataclass
class Table:
    x: np.ndarray
    y: Any


def gather(data, places):
    """Elements of a field, flat."""
    if isinstance(data, Complex):
        return Complex(gather(data.re, places), gather(data.im, places))
    return t.take(t.reshape(data, (-1,)), places)


def shaped(x, dims):
    """A field's data of flat ones, or of a number."""
    if isinstance(x, Complex):
        return Complex(shaped(x.re, dims), shaped(x.im, dims))
    count = int(np.prod(shape(dims)))
    return t.reshape(t.broadcast(x, (count,)), shape(dims))


def parts(x):
    """The real arrays that a value has as a vector, with the weights of their
    elements in the inner product, and how a value is made of such arrays."""
    if isinstance(x, Complex):
        return [(x.re, 1.0), (x.im, 1.0)], lambda a: Complex(*a)
    if isinstance(x, Table):
        return [(x.y, 1.0)], lambda a: Table(x.x, a[0])
    if isinstance(x, Field):
        scale = weights(x.dims)
        if isinstance(x.data, Complex):
            return [(x.data.re, scale), (x.data.im, scale)], lambda a: Field(x.dims, Complex(*a))
        return [(x.data, scale)], lambda a: Field(x.dims, a[0])
    return [(x, 1.0)], lambda a: a[0]


def is_real(x):
    """Whether a value has a derivative: it is not an integer and no bool."""
    array = np.asarray(t.value(parts(x)[0][0][0]))
    return array.dtype.kind == "f"
