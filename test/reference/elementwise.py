"""What ops of arith, math and complex do to numbers and arrays of them. f32 is
f64: rounding is not looked at."""
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import tensors as t


@dataclass
class Complex:
    re: Any
    im: Any


def value(x):
    """The NumPy value, without what it was made of."""
    return t.value(x.re) + 1j * t.value(x.im) if isinstance(x, Complex) else t.value(x)


def each(function, *items):
    """A function of real values, of the parts of complex ones."""
    if isinstance(items[0], Complex):
        return Complex(function(*(x.re for x in items)), function(*(x.im for x in items)))
    return function(*items)


def multiply(a, b):
    return Complex(t.sub(t.mul(a.re, b.re), t.mul(a.im, b.im)), t.add(t.mul(a.re, b.im), t.mul(a.im, b.re)))


def conjugate(a):
    return Complex(a.re, t.neg(a.im))


def square(a):
    return t.add(t.mul(a.re, a.re), t.mul(a.im, a.im))


def divide(a, b):
    top, size = multiply(a, conjugate(b)), square(b)
    return Complex(t.div(top.re, size), t.div(top.im, size))


def size(a):
    """|a|: 0 at 0, and its slope too."""
    return t.sqrt(square(a))


def exponential(a):
    scale = t.exp(a.re)
    return Complex(t.mul(scale, t.cos(a.im)), t.mul(scale, t.sin(a.im)))


def logarithm(a):
    return Complex(t.log(size(a)), t.atan2(a.im, a.re))


def integer(x):
    return np.asarray(t.value(x)).astype(np.int64)


def unsigned(x):
    return integer(x).astype(np.uint64)


def same_bits(x):
    """An integer's bits in an f64, as prints and outputs carry them, or back."""
    x = np.asarray(t.value(x))
    return x.view(np.int64) if x.dtype == np.float64 else integer(x).view(np.float64)


def truncated(x):
    with np.errstate(all="ignore"):
        return np.trunc(t.value(x)).astype(np.int64)


def quotient(a, b):
    """Towards zero."""
    a, b = integer(a), integer(b)
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def rounded(x):
    """Halves away from zero."""
    x = t.value(x)
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


COMPARE_INTS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
COMPARE = {1: np.equal, 2: np.greater, 3: np.greater_equal, 4: np.less, 5: np.less_equal,
           6: lambda a, b: (a < b) | (a > b), 7: lambda a, b: ~(np.isnan(a) | np.isnan(b)), 13: np.not_equal,
           8: lambda a, b: ~((a < b) | (a > b)), 9: lambda a, b: ~(a <= b), 10: lambda a, b: ~(a < b),
           11: lambda a, b: ~(a >= b), 12: lambda a, b: ~(a > b), 14: lambda a, b: np.isnan(a) | np.isnan(b)}


def compare_ints(predicate, a, b):
    if predicate >= 6:
        return COMPARE_INTS[predicate - 4](unsigned(a), unsigned(b))
    return COMPARE_INTS[predicate](t.value(a), t.value(b))


def same(x):
    return x


ELEMENTWISE = {
    "arith.addf": t.add, "arith.subf": t.sub, "arith.mulf": t.mul, "arith.divf": t.div, "arith.negf": t.neg,
    "arith.remf": lambda a, b: np.fmod(t.value(a), t.value(b)),
    "arith.minimumf": t.least, "arith.maximumf": t.most, "arith.minnumf": t.least, "arith.maxnumf": t.most,
    "arith.bitcast": same_bits, "arith.extf": same, "arith.truncf": same,
    "arith.addi": lambda a, b: integer(a) + integer(b), "arith.subi": lambda a, b: integer(a) - integer(b),
    "arith.muli": lambda a, b: integer(a) * integer(b),
    "arith.divsi": quotient, "arith.remsi": lambda a, b: integer(a) - quotient(a, b) * integer(b),
    "arith.minsi": lambda a, b: np.minimum(integer(a), integer(b)),
    "arith.maxsi": lambda a, b: np.maximum(integer(a), integer(b)),
    "arith.andi": np.bitwise_and, "arith.ori": np.bitwise_or, "arith.xori": np.bitwise_xor,
    "arith.divui": lambda a, b: (unsigned(a) // unsigned(b)).astype(np.int64),
    "arith.remui": lambda a, b: (unsigned(a) % unsigned(b)).astype(np.int64),
    "arith.shrsi": lambda a, b: integer(a) >> integer(b),
    "arith.shrui": lambda a, b: (unsigned(a) >> unsigned(b)).astype(np.int64),
    "arith.shli": lambda a, b: integer(a) << integer(b),
    "arith.sitofp": lambda a: integer(a).astype(float), "arith.uitofp": lambda a: unsigned(a).astype(float)
    if np.asarray(a).dtype != bool else np.asarray(a).astype(float),
    "arith.fptosi": truncated, "arith.index_cast": same, "arith.extui": integer, "arith.trunci": integer,
    "math.sqrt": t.sqrt, "math.exp": t.exp, "math.log": t.log, "math.sin": t.sin, "math.cos": t.cos,
    "math.tan": t.tan, "math.tanh": t.tanh, "math.sinh": t.sinh, "math.cosh": t.cosh, "math.atan": t.atan,
    "math.asin": t.asin, "math.acos": t.acos, "math.log1p": t.log1p, "math.expm1": t.expm1,
    "math.log10": t.log10, "math.asinh": t.asinh, "math.acosh": t.acosh, "math.atanh": t.atanh, "math.erfc": t.erfc,
    "math.cbrt": lambda a: np.cbrt(t.value(a)),
    "math.erf": t.erf, "math.absf": t.absolute, "math.absi": lambda a: np.abs(integer(a)),
    "math.floor": lambda a: np.floor(t.value(a)), "math.ceil": lambda a: np.ceil(t.value(a)), "math.round": rounded,
    "math.roundeven": lambda a: np.round(t.value(a)), "math.trunc": lambda a: np.trunc(t.value(a)),
    "math.copysign": lambda a, b: t.mul(t.absolute(a), np.copysign(1.0, t.value(b))),
    "math.isnan": lambda a: np.isnan(t.value(a)), "math.isfinite": lambda a: np.isfinite(t.value(a)),
    "math.atan2": t.atan2, "math.powf": t.power,
    "math.fpowi": lambda a, n: t.power(a, integer(n).astype(float)),
    "math.ipowi": lambda a, n: integer(a) ** integer(n),
    "math.fma": lambda a, b, c: t.add(t.mul(a, b), c),
    "complex.create": Complex, "complex.re": lambda a: a.re, "complex.im": lambda a: a.im,
    "complex.add": lambda a, b: each(t.add, a, b), "complex.sub": lambda a, b: each(t.sub, a, b),
    "complex.neg": lambda a: each(t.neg, a), "complex.mul": multiply, "complex.div": divide,
    "complex.conj": conjugate, "complex.abs": size, "complex.angle": lambda a: t.atan2(a.im, a.re),
    "complex.exp": exponential, "complex.log": logarithm,
    "complex.eq": lambda a, b: np.equal(value(a), value(b)), "complex.neq": lambda a, b: np.not_equal(value(a), value(b)),
}
