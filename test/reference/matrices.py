"""Dense matrices over the last dims of fields. Derivatives come from other algorithms than those of the compiler: inverses
instead of elimination, a Cholesky factor column by column, and Newton's method for eigenvectors.

A matrix is a pair (re, im) of arrays or Tensors [batch, rows, columns]; a real one has no im."""
import numpy as np

from . import tensors as t
from .dims import shape
from .elementwise import Complex
from .fields import Field


def matrices(op, scope, place):
    """An operand as a matrix."""
    field = scope.get(op.operands[place])
    batch, cells = int(op.attributes["batch"]), shape(field.dims)
    whole = (int(np.prod(cells[:batch])), cells[batch], int(np.prod(cells[batch + 1:])))
    if isinstance(field.data, Complex):
        return t.reshape(field.data.re, whole), t.reshape(field.data.im, whole)
    return t.reshape(field.data, whole), None


def made(op, *results):
    """The results, in the shapes and elements of their types."""
    def field(kind, pair):
        re, im = (x if x is None else t.reshape(x, shape(kind.dims)) for x in pair)
        if "complex" not in str(kind.element):
            return Field(kind.dims, re)
        return Field(kind.dims, Complex(re, np.zeros(shape(kind.dims)) if im is None else im))
    return [field(kind, pair) for kind, pair in zip(op.types[1], results)]


# --- Arithmetic of pairs.

def combine(function, a, b):
    if a[1] is None and b[1] is None:
        return function(a[0], b[0]), None
    zero = np.zeros(t.size_of(a[0])), np.zeros(t.size_of(b[0]))
    return function(a[0], b[0]), function(zero[0] if a[1] is None else a[1], zero[1] if b[1] is None else b[1])


def add(a, b):
    return combine(t.add, a, b)


def sub(a, b):
    return combine(t.sub, a, b)


def scaled(a, factor):
    """Times real numbers."""
    return t.mul(a[0], factor), None if a[1] is None else t.mul(a[1], factor)


def adjoint(a):
    return t.transposed(a[0]), None if a[1] is None else t.neg(t.transposed(a[1]))


def hermitian(a):
    return scaled(add(a, adjoint(a)), 0.5)


def times(a, b):
    re = t.matmul(a[0], b[0])
    if a[1] is None and b[1] is None:
        return re, None
    if a[1] is None:
        return re, t.matmul(a[0], b[1])
    if b[1] is None:
        return re, t.matmul(a[1], b[0])
    return t.sub(re, t.matmul(a[1], b[1])), t.add(t.matmul(a[0], b[1]), t.matmul(a[1], b[0]))


def value(a):
    return t.value(a[0]) if a[1] is None else t.value(a[0]) + 1j * t.value(a[1])


def numbers(array):
    return (array.real.copy(), array.imag.copy()) if np.iscomplexobj(array) else (array, None)


def doubled(a):
    """A complex matrix as a real one of twice the size."""
    if a[1] is None:
        return a[0]
    rows, columns = t.size_of(a[0])[1:]
    left, right = np.eye(2 * rows)[None], np.eye(2 * columns)[None]
    up, down = left[:, :, :rows], left[:, :, rows:]
    here, there = right[:, :columns], right[:, columns:]
    block = lambda side, x, other: t.matmul(t.matmul(side, x), other)
    return t.add(t.add(block(up, a[0], here), block(down, a[0], there)),
                 t.sub(block(down, a[1], here), block(up, a[1], there)))


def inverse(a):
    found = t.inverse(doubled(a))
    if a[1] is None:
        return found, None
    n = t.size_of(a[0])[1]
    eye = np.eye(2 * n)[None]
    part = lambda rows: t.matmul(t.matmul(eye[:, rows], found), eye[:, :, :n])
    return part(slice(0, n)), part(slice(n, None))


def diagonal(a):
    """The real part of the diagonal, as columns [batch, rows, 1]."""
    n = t.size_of(a[0])[1]
    return t.matmul(t.mul(a[0], np.eye(n)[None]), np.ones((1, n, 1)))


# --- Ops.

def product(op, scope):
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    return made(op, times(adjoint(a) if "adjointLhs" in op.attributes else a, adjoint(b) if "adjointRhs" in op.attributes else b))


def solve(op, scope):
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    if "lower" in op.attributes:
        a = scaled(a, np.tril(np.ones(t.size_of(a[0])[1:]))[None])
    return made(op, times(inverse(adjoint(a) if "adjoint" in op.attributes else a), b))


def least_squares(op, scope):
    """By normal equations, for a matrix of full rank."""
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    a = adjoint(a) if "adjoint" in op.attributes else a
    rows, columns = t.size_of(a[0])[1:]
    if rows >= columns:
        return made(op, times(inverse(times(adjoint(a), a)), times(adjoint(a), b)))
    return made(op, times(adjoint(a), times(inverse(times(a, adjoint(a))), b)))


def log_det(op, scope):
    a = matrices(op, scope, 0)
    n = t.size_of(a[0])[1]
    if "sign" in op.attributes:
        return made(op, (np.repeat(np.linalg.slogdet(value(a))[0][:, None], n, axis=1), None))
    found = t.mul(t.log_det(doubled(a)), 1.0 if a[1] is None else 0.5)
    return made(op, (t.broadcast(t.reshape(found, (-1, 1)), (t.size_of(a[0])[0], n)), None))


def cholesky(op, scope):
    """Column by column: column j of L is column j of A minus the contributions of the columns before it, divided by the root of the pivot."""
    a = hermitian(matrices(op, scope, 0))
    n = t.size_of(a[0])[1]
    eye, factor = np.eye(n)[None], None
    for j in range(n):
        left = times(a, (eye[:, :, j:j + 1], None))
        if factor is not None:
            left = sub(left, times(factor, adjoint(times((eye[:, j:j + 1], None), factor))))
        left = scaled(left, (np.arange(n) >= j)[None, :, None])
        pivot = t.matmul(eye[:, j:j + 1], left[0])
        column = times(scaled(left, t.div(1.0, t.sqrt(pivot))), (eye[:, j:j + 1], None))
        factor = column if factor is None else add(factor, column)
    return made(op, factor)


def eigensystem(a, values, vectors):
    """Newton's method from the eigenvectors without derivatives. Each step squares the error and doubles the order up to
    which derivatives are right."""
    n = vectors.shape[1]
    gaps = values[:, None, :] - values[:, :, None]
    is_apart = np.abs(gaps) > 4 * n * np.finfo(float).eps * np.abs(values).max(axis=1)[:, None, None]
    eye, vectors = np.eye(n)[None], numbers(vectors)
    for _ in range(2):
        size = times(adjoint(vectors), vectors)
        inner = times(adjoint(vectors), times(a, vectors))
        found = t.div(diagonal(inner), diagonal(size))
        row = t.transposed(found)
        gap = t.sub(row, found)
        turned = scaled(sub(inner, scaled(size, row)), np.where(is_apart, 1.0, 0.0))
        change = add(scaled(turned, t.div(1.0, t.where(is_apart, gap, 1.0))),
                     scaled(sub((eye, None), size), np.where(is_apart, 0.0, 0.5)))
        vectors = add(vectors, times(vectors, change))
    return found, vectors


def eigh(op, scope):
    a = hermitian(matrices(op, scope, 0))
    found, vectors = eigensystem(a, *np.linalg.eigh(value(a)))
    return made(op, (found, None), vectors)


def svd(op, scope):
    """By the eigenvectors of A* A, or of A A*."""
    a = matrices(op, scope, 0)
    is_tall = t.size_of(a[0])[1] >= t.size_of(a[0])[2]
    a = a if is_tall else adjoint(a)
    _, sizes, right = np.linalg.svd(value(a), full_matrices=False)
    squares, v = eigensystem(times(adjoint(a), a), sizes**2, np.conj(np.swapaxes(right, 1, 2)))
    values = t.sqrt(squares)
    u = scaled(times(a, v), t.div(1.0, t.transposed(values)))
    return made(op, u if is_tall else v, (values, None), v if is_tall else u)


MATRICES = {"pm.matrix_product": product, "pm.solve": solve, "pm.least_squares": least_squares, "pm.log_det": log_det,
            "pm.svd": svd, "pm.cholesky": cholesky, "pm.eigh": eigh}
