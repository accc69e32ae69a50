"""Arrays that remember what they were made of, so that derivatives can be taken.

Every function here takes NumPy arrays, numbers, or Tensors of them. A Tensor's
cotangent is computed with the same functions, so that it can be differentiated again."""
import itertools

import numpy as np
import scipy.special

_count = itertools.count()


class Tensor:
    """A value, and for each Tensor that it was made of, how a cotangent of the
    value gives one of that."""

    def __init__(self, value, parents):
        self.value, self.parents, self.number = value, parents, next(_count)


def value(x):
    while isinstance(x, Tensor):
        x = x.value
    return x


def _make(result, *parents):
    parents = [(x, back) for x, back in parents if isinstance(x, Tensor)]
    return Tensor(result, parents) if parents else result


def size_of(x):
    return np.shape(value(x))


def leaf(x):
    """A new Tensor of the same value; of a Tensor, what depends on it."""
    return Tensor(value(x), [(x, lambda g: g)] if isinstance(x, Tensor) else [])


def gradients(outputs, cotangents, leaves):
    """Of every leaf, the sum over outputs of their cotangents through them; None
    where nothing depends on it."""
    found, wanted = {}, {id(x) for x in leaves}
    oldest = min((x.number for x in leaves), default=0)
    queue = {}
    for y, g in zip(outputs, cotangents):
        if isinstance(y, Tensor):
            queue[y.number] = (y, add(queue[y.number][1], g) if y.number in queue else g)
    while queue:
        y, g = queue.pop(max(queue))
        if id(y) in wanted:
            found[id(y)] = g
            continue
        if y.number < oldest:
            continue
        for x, back in y.parents:
            share = _to_shape(back(g), size_of(x))
            queue[x.number] = (x, add(queue[x.number][1], share) if x.number in queue else share)
    return [found.get(id(x)) for x in leaves]


# --- Shapes.

def _to_shape(g, shape):
    """A cotangent of what was broadcast."""
    have = size_of(g)
    if have == shape:
        return g
    if len(have) < len(shape) or any(a < b for a, b in zip(have, shape)):
        return broadcast(g, shape)
    axes = tuple(range(len(have) - len(shape)))
    axes += tuple(i for i in range(len(axes), len(have)) if shape[i - len(axes)] == 1 and have[i] != 1)
    return reshape(total(g, axes), shape)


def broadcast(x, shape):
    have = size_of(x)
    return _make(np.broadcast_to(value(x), shape), (x, lambda g: _to_shape(g, have)))


def reshape(x, shape):
    have = size_of(x)
    return _make(np.reshape(value(x), shape), (x, lambda g: reshape(g, have)))


def total(x, axes):
    """The sum over axes."""
    have = size_of(x)
    if not axes:
        return x
    kept = tuple(1 if i in axes else n for i, n in enumerate(have))
    return _make(np.sum(value(x), axis=tuple(axes)), (x, lambda g: broadcast(reshape(g, kept), have)))


def take(x, places):
    """x[places] of a flat x."""
    count = size_of(x)[0]
    return _make(value(x)[places], (x, lambda g: scatter(g, places, count)))


def scatter(x, places, count):
    """Zeros, to which each x is added at its place."""
    result = np.zeros(count, dtype=np.asarray(value(x)).dtype)
    np.add.at(result, places, value(x))
    return _make(result, (x, lambda g: take(g, places)))


def join(a, b):
    """Flat ones, one behind the other."""
    count, end = size_of(a)[0], size_of(a)[0] + size_of(b)[0]
    return _make(np.concatenate([value(a), value(b)]), (a, lambda g: take(g, np.arange(count))),
                 (b, lambda g: take(g, np.arange(count, end))))


def transform(matrix, x, axis):
    """A matrix times x along an axis."""
    result = np.moveaxis(np.tensordot(matrix, value(x), (1, axis)), 0, axis)
    return _make(result, (x, lambda g: transform(matrix.T, g, axis)))


# --- Batches of real matrices [batch, rows, columns].

def transposed(x):
    return _make(np.swapaxes(value(x), 1, 2), (x, lambda g: transposed(g)))


def matmul(a, b):
    return _make(np.matmul(value(a), value(b)), (a, lambda g: matmul(g, transposed(b))), (b, lambda g: matmul(transposed(a), g)))


def inverse(x):
    back = lambda g: neg(matmul(transposed(inverse(x)), matmul(g, transposed(inverse(x)))))
    return _make(np.linalg.inv(value(x)), (x, back))


def log_det(x):
    """log |det x|, [batch]."""
    return _make(np.linalg.slogdet(value(x))[1], (x, lambda g: mul(reshape(g, (-1, 1, 1)), transposed(inverse(x)))))


# --- Arithmetic.

def add(a, b):
    return _make(np.add(value(a), value(b)), (a, lambda g: g), (b, lambda g: g))


def sub(a, b):
    return _make(np.subtract(value(a), value(b)), (a, lambda g: g), (b, lambda g: neg(g)))


def neg(a):
    return _make(np.negative(value(a)), (a, lambda g: neg(g)))


def mul(a, b):
    return _make(np.multiply(value(a), value(b)), (a, lambda g: times(g, b)), (b, lambda g: times(g, a)))


def div(a, b):
    return _make(np.divide(value(a), value(b)), (a, lambda g: times(g, div(1.0, b))),
                 (b, lambda g: neg(times(g, div(a, mul(b, b))))))


def times(a, b):
    """A derivative times another: an infinite one times 0 is 0, and so is one that
    is not a number, of a side that is not taken."""
    x, y = value(a), value(b)
    return _make(np.where(np.equal(x, 0) | np.equal(y, 0), 0.0, np.multiply(x, y)),
                 (a, lambda g: times(g, b)), (b, lambda g: times(g, a)))


def instead(exact, x):
    """The number `exact`, which x is but for rounding, with the derivatives of x."""
    return _make(exact, (x, lambda g: g))


def where(mask, a, b):
    """For numbers and for what cannot be singular."""
    return _make(np.where(mask, value(a), value(b)), (a, lambda g: where(mask, g, 0.0)), (b, lambda g: where(mask, 0.0, g)))


def _function(compute, slope):
    def apply(x):
        return _make(compute(value(x)), (x, lambda g: times(g, slope(x))))
    return apply


def sqrt(x):
    """With the slope 0 at 0, as of the size of what is 0."""
    zero = np.equal(value(x), 0)
    return _make(np.sqrt(value(x)), (x, lambda g: where(zero, 0.0, div(mul(g, 0.5), sqrt(where(zero, 1.0, x))))))


exp = _function(np.exp, lambda x: exp(x))
log = _function(np.log, lambda x: div(1.0, x))
sin = _function(np.sin, lambda x: cos(x))
cos = _function(np.cos, lambda x: neg(sin(x)))
tan = _function(np.tan, lambda x: add(1.0, mul(tan(x), tan(x))))
tanh = _function(np.tanh, lambda x: sub(1.0, mul(tanh(x), tanh(x))))
sinh = _function(np.sinh, lambda x: cosh(x))
cosh = _function(np.cosh, lambda x: sinh(x))
atan = _function(np.arctan, lambda x: div(1.0, add(1.0, mul(x, x))))
asin = _function(np.arcsin, lambda x: div(1.0, sqrt(sub(1.0, mul(x, x)))))
acos = _function(np.arccos, lambda x: div(-1.0, sqrt(sub(1.0, mul(x, x)))))
erf = _function(scipy.special.erf, lambda x: mul(2 / np.sqrt(np.pi), exp(neg(mul(x, x)))))
erfc = _function(scipy.special.erfc, lambda x: mul(-2 / np.sqrt(np.pi), exp(neg(mul(x, x)))))
log10 = _function(np.log10, lambda x: div(1 / np.log(10), x))
asinh = _function(np.arcsinh, lambda x: div(1.0, sqrt(add(1.0, mul(x, x)))))
acosh = _function(np.arccosh, lambda x: div(1.0, sqrt(sub(mul(x, x), 1.0))))
atanh = _function(np.arctanh, lambda x: div(1.0, sub(1.0, mul(x, x))))
log1p = _function(np.log1p, lambda x: div(1.0, add(1.0, x)))
expm1 = _function(np.expm1, lambda x: exp(x))
absolute = _function(np.abs, lambda x: np.where(value(x) >= 0, 1.0, -1.0))


def atan2(y, x):
    size = lambda: add(mul(x, x), mul(y, y))
    return _make(np.arctan2(value(y), value(x)), (y, lambda g: times(g, div(x, size()))),
                 (x, lambda g: neg(times(g, div(y, size())))))


def power(x, y):
    with np.errstate(all="ignore"):
        result = np.power(np.asarray(value(x), float), value(y))
    return _make(result, (x, lambda g: times(g, mul(y, power(x, sub(y, 1.0))))),
                 (y, lambda g: times(g, times(power(x, y), log(x)))))


def least(a, b):
    mask = np.less_equal(value(a), value(b)) | np.isnan(value(a))
    return where(mask, a, b)


def most(a, b):
    mask = np.greater_equal(value(a), value(b)) | np.isnan(value(a))
    return where(mask, a, b)
