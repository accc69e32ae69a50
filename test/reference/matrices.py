"""Dense matrices over the last dims of fields, by NumPy. They have no derivatives here."""
import numpy as np

from . import tensors as t
from .dims import shape
from .elementwise import Complex, value
from .fields import Field


def matrices(op, scope, place):
    """An operand as an array [batch, rows, columns]."""
    field = scope.get(op.operands[place])
    for part in (field.data.re, field.data.im) if isinstance(field.data, Complex) else (field.data,):
        assert not isinstance(part, t.Tensor), f"{op.name} has no derivative in the interpreter"
    batch, cells = int(op.attributes["batch"]), shape(field.dims)
    return np.reshape(value(field.data), (-1, cells[batch], int(np.prod(cells[batch + 1:]))))


def made(op, *results):
    """The results, in the shapes and elements of their types."""
    fields = []
    for kind, result in zip(op.types[1], results):
        data = np.reshape(result, shape(kind.dims))
        fields.append(Field(kind.dims, Complex(data.real.copy(), data.imag.copy()) if "complex" in str(kind.element) else data.real))
    return fields


def adjoint(a):
    return np.conj(np.swapaxes(a, 1, 2))


def hermitian(op, scope):
    a = matrices(op, scope, 0)
    return (a + adjoint(a)) / 2


def product(op, scope):
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    return made(op, (adjoint(a) if "adjointLhs" in op.attributes else a) @ (adjoint(b) if "adjointRhs" in op.attributes else b))


def solve(op, scope):
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    a = np.tril(a) if "lower" in op.attributes else a
    return made(op, np.linalg.solve(adjoint(a) if "adjoint" in op.attributes else a, b))


def least_squares(op, scope):
    a, b = matrices(op, scope, 0), matrices(op, scope, 1)
    return made(op, np.linalg.pinv(adjoint(a) if "adjoint" in op.attributes else a) @ b)


def log_det(op, scope):
    a = matrices(op, scope, 0)
    part = 0 if "pm.sign" in op.attributes else 1
    return made(op, np.repeat(np.linalg.slogdet(a)[part][:, None], a.shape[1], axis=1))


def svd(op, scope):
    u, values, v = np.linalg.svd(matrices(op, scope, 0), full_matrices=False)
    return made(op, u, values, adjoint(v))


MATRICES = {"pm.matrix_product": product, "pm.solve": solve, "pm.least_squares": least_squares, "pm.log_det": log_det, "pm.svd": svd,
            "pm.cholesky": lambda op, scope: made(op, np.linalg.cholesky(hermitian(op, scope))),
            "pm.eigh": lambda op, scope: made(op, *np.linalg.eigh(hermitian(op, scope)))}
