"""Tables: piecewise linear functions, and sums for their rows."""
import numpy as np

from . import tensors as t
from .elementwise import value
from .fields import Table
from .scopes import Body, Elements, spread


def rows_of(op, scope, arguments, count):
    """What the body yields for every row."""
    values = Body(scope.machine, op.regions[0], arguments, scope, Elements(count, {}, {})).end()
    return [spread(v, count) for v in values]


def tabulate(op, scope):
    first, last, points = (value(scope.get(name)) for name in op.operands)
    x = first + np.arange(int(points)) * ((last - first) / (int(points) - 1))
    return [Table(x, rows_of(op, scope, [x], len(x))[0])]


def transform(op, scope):
    table = scope.get(op.operands[0])
    x, y = rows_of(op, scope, [table.x, table.y], len(table.x))
    x = value(x)
    if not (np.diff(x) > 0).all():
        raise scope.machine.stop("transform: x does not increase")
    return [Table(x, y)]


def piece(table, x):
    return np.clip(np.searchsorted(table.x, value(x), side="right") - 1, 0, len(table.x) - 2)


def row(array, i):
    """One row, or one for every element."""
    i = np.asarray(i)
    return t.take(array, i) if i.ndim else t.reshape(t.take(array, i.reshape(1)), ())


def lookup(op, scope):
    table, x = scope.get(op.operands[0]), scope.get(op.operands[1])
    i = piece(table, x)
    left, right = row(table.y, i), row(table.y, i + 1)
    slope = t.div(t.sub(right, left), table.x[i + 1] - table.x[i])
    return [slope if "slope" in op.attributes else t.add(left, t.mul(slope, t.sub(x, table.x[i])))]


def place(op, scope):
    return scope.get(op.operands[0]), value(scope.get(op.operands[1])).astype(int)


def row_sums(op, scope):
    table = scope.get(op.operands[0])
    return [Table(table.x, np.zeros(len(table.x)))]


def add_to_row(op, scope):
    sums, i = place(op, scope)
    np.add.at(sums.y, i, value(scope.get(op.operands[2])))
    return []


def add_to_rows(op, scope):
    sums, first = place(op, scope)
    values = value(scope.get(op.operands[2]).data)[:len(sums.y) - int(first)]
    sums.y[int(first):int(first) + len(values)] += values
    return []


TABLES = {
    "pm.tabulate": tabulate, "pm.transform": transform, "pm.lookup": lookup,
    "pm.rows": lambda op, scope: [np.int64(len(scope.get(op.operands[0]).x))],
    "pm.find_row": lambda op, scope: [np.asarray(piece(scope.get(op.operands[0]), scope.get(op.operands[1]))).astype(np.int64)],
    "pm.row_x": lambda op, scope: [place(op, scope)[0].x[place(op, scope)[1]]],
    "pm.row_y": lambda op, scope: [row(place(op, scope)[0].y, place(op, scope)[1])],
    "pm.row_sums": row_sums, "pm.add_to_row": add_to_row, "pm.add_to_rows": add_to_rows,
    "pm.sum_rows": lambda op, scope: [Table(scope.get(op.operands[0]).x, scope.get(op.operands[0]).y.copy())],
}
