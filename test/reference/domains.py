"""Maps, reductions and bins: code that runs for every element of some dims."""
import numpy as np
import scipy.sparse.csgraph
import scipy.spatial

from . import tensors as t
from .dims import shape
from .elementwise import Complex, value
from .fields import Field, gather, shaped
from .scopes import Body, Elements, narrow, spread


def elements(dims):
    """All elements of a domain."""
    grids = np.indices(shape(dims)).reshape(len(dims), -1)
    places = {dim.label: grid for dim, grid in zip(dims, grids)}
    return Elements(grids.shape[1], {dim.label: dim.modes()[places[dim.label]] for dim in dims}, places)


def flat_places(dims, places):
    """Where a field over `dims` holds the elements."""
    return np.ravel_multi_index([places[dim.label] for dim in dims], shape(dims))


def evaluate(op, scope):
    """What the body yields for every element, and the elements."""
    where = elements(op.attributes["domain"])
    arguments = []
    for name in op.operands[:op.attributes["operandSegmentSizes"][0]]:
        field = scope.get(name)
        arguments.append(gather(field.data, flat_places(field.dims, where.places)))
    values = Body(scope.machine, op.regions[0], arguments, scope, where).end()
    return [spread(v, where.count) for v in values], where


def run_map(op, scope):
    domain = op.attributes["domain"]
    return [Field(domain, shaped(v, domain)) for v in evaluate(op, scope)[0]]


def collect(kind, values, targets, count):
    """Values combined by where they go."""
    if kind == "sum":
        return t.scatter(values, targets, count)
    # The elements that attain an extreme share its cotangent equally.
    found = np.full(count, np.inf if kind == "min" else -np.inf)
    getattr(np, kind + "imum").at(found, targets, value(values))
    attains = np.equal(value(values), found[targets])
    share = attains / np.maximum(np.bincount(targets[attains], minlength=count), 1)[targets]
    return t.instead(found, t.scatter(t.where(attains, t.mul(share, values), 0.0), targets, count))


def run_reduce(op, scope):
    kind, kept = op.attributes["kind"].split()[-1], getattr(op.types[1][0], "dims", ())
    values, where = evaluate(op, scope)
    targets = flat_places(kept, where.places) if kept else np.zeros(where.count, int)
    found = [collect(kind, v, targets, int(np.prod(shape(kept)))) for v in values]
    return [Field(kept, shaped(f, kept)) if kept else t.reshape(f, ()) for f in found]


def run_bins(op, scope):
    dims = op.types[1][0].dims
    cells = int(np.prod(shape(dims)))
    (place, *values), _ = evaluate(op, scope)
    place = value(place)
    inside = (place >= 0) & (place < cells)
    return [Field(dims, shaped(collect("sum", narrow(v, inside), place[inside], cells), dims)) for v in values]


def cell(op, scope):
    """The field's element with the indices that the body computes."""
    field = scope.get(op.operands[0])
    indices = np.broadcast_arrays(*(np.asarray(value(scope.get(name))) for name in op.operands[1:1 + len(field.dims)]))
    return [gather(field.data, np.ravel_multi_index(indices, shape(field.dims)))]


def edged(cells, n, edge):
    """The cells that stand for these, which may lie beyond the n of a dim, and whether there are any."""
    if edge == "periodic":
        return cells % n, np.full(cells.shape, True)
    if edge == "reflect":
        period = np.abs(cells) % max(2 * n - 2, 1)
        return np.minimum(period, 2 * n - 2 - period), np.full(cells.shape, True)
    nearest = np.clip(cells, 0, n - 1)
    return nearest, np.full(cells.shape, True) if edge == "clamp" else nearest == cells


def cells_read(dim, reader, offset, edge):
    """The cells of a dim that those of `reader` read, a dim that may be finer or coarser."""
    if reader.stored == dim.stored:
        return edged(np.arange(dim.stored) + offset, dim.stored, edge)
    cells = np.arange(reader.stored)
    cells = cells * (dim.stored // reader.stored) if reader.stored < dim.stored else cells // (reader.stored // dim.stored)
    return cells, np.full(reader.stored, True)


def edges_of(op):
    return [edge.split()[-1].strip("<>") for edge in op.attributes["edges"]]


def shift(op, scope):
    """Every cell gets what a neighbor has; transposed, every cell's value goes to that neighbor."""
    field, target = scope.get(op.operands[0]), op.types[1][0].dims
    dims, readers = (target, field.dims) if "transposed" in op.attributes else (field.dims, target)
    along = [cells_read(dim, reader, offset, edge) for dim, reader, offset, edge in
             zip(dims, readers, op.attributes["offsets"], edges_of(op))]
    return read_cells(op, field, np.meshgrid(*(cells for cells, _ in along), indexing="ij"),
                      np.all(np.meshgrid(*(mask for _, mask in along), indexing="ij"), axis=0))


def view(op, scope):
    """Every cell gets what the field has at the indices that its own make; transposed, its value goes there."""
    field, target = scope.get(op.operands[0]), op.types[1][0].dims
    dims, readers = (target, field.dims) if "transposed" in op.attributes else (field.dims, target)
    own = np.indices(shape(readers))
    starts = [int(value(scope.get(name))) for name in op.operands[1:]] or [0] * len(dims)
    along = []
    for dim, offset, start, terms, edge in zip(dims, op.attributes["offsets"], starts, op.attributes["terms"], edges_of(op)):
        index = sum(number * own[place] for place, number in zip(terms[::2], terms[1::2])) + offset + start
        along.append(edged(index, dim.stored, edge))
    return read_cells(op, field, [cells for cells, _ in along], np.all([mask for _, mask in along], axis=0))


def read_cells(op, field, cells, inside):
    """The field at one cell for each of the result, or the values of one added up there."""
    target, transposed = op.types[1][0].dims, "transposed" in op.attributes
    dims = target if transposed else field.dims
    places, inside = np.ravel_multi_index(cells, shape(dims)).ravel(), inside.ravel()

    def of(part):
        flat = t.reshape(part, (-1,))
        if transposed:
            return t.reshape(t.scatter(t.where(inside, flat, 0.0), places, int(np.prod(shape(dims)))), shape(dims))
        taken = t.take(flat, places)
        if np.asarray(value(taken)).dtype.kind == "f":
            taken = t.where(inside, taken, 0.0)
        else:
            taken = np.where(inside, value(taken), np.zeros_like(value(taken)))
        return t.reshape(taken, shape(target))

    data = field.data
    return [Field(target, Complex(of(data.re), of(data.im)) if isinstance(data, Complex) else of(data))]


def stored(op, scope):
    """To the nearest number of reduced precision, by way of f32; derivatives go straight through."""
    field = scope.get(op.operands[0])
    before = value(field.data)
    single = np.asarray(before, np.float32)
    if str(op.attributes["format"]) == "f16":
        after = single.astype(np.float16).astype(float)
    else:
        bits = single.view(np.uint32)
        after = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32).astype(float)
    return [Field(field.dims, t.add(field.data, after - before))]


def sort(op, scope):
    """The lines along a dim in order, or the indices or positions of their elements."""
    field = scope.get(op.operands[0])
    axis = [dim.label for dim in field.dims].index(op.attributes["dim"])
    key = value(field.data) if "descending" not in op.attributes else -value(field.data) if value(field.data).dtype.kind == "f" else ~value(field.data)
    order = np.argsort(key, axis=axis, kind="stable")
    kind = op.attributes["kind"].split()[-1].strip("<>")
    if kind == "values":
        places = np.indices(shape(field.dims))
        places[axis] = order
        return [Field(field.dims, t.reshape(t.take(t.reshape(field.data, (-1,)), np.ravel_multi_index(places, shape(field.dims)).ravel()), shape(field.dims)))]
    start = 0
    if len(op.operands) > 1:
        within = np.take_along_axis(value(scope.get(op.operands[1]).data), order, axis)
        order = np.take_along_axis(order, np.argsort(within, axis=axis, kind="stable"), axis)
        start = np.sort(within, axis=axis)
        start = np.apply_along_axis(lambda line: np.searchsorted(line, line), axis, start)
    if kind == "order":
        return [Field(field.dims, order.astype(np.int64))]
    ranks = np.empty_like(order)
    own = np.moveaxis(np.broadcast_to(np.arange(order.shape[axis]), np.moveaxis(order, axis, -1).shape), -1, axis)
    np.put_along_axis(ranks, order, own - start, axis)
    return [Field(field.dims, ranks.astype(np.int64))]


def friends(op, scope):
    """The least index of an element of each group, by a k-d tree and a graph."""
    positions, box, length = [], [], None
    for operand in op.operands:
        one = scope.get(operand)
        if isinstance(one, Field):
            positions.append(one)
        elif length is None:
            length = float(value(one))
        else:
            box.append(float(value(one)))
    places = np.stack([value(one.data).ravel() for one in positions], axis=1)
    sides = np.asarray(box)
    places = np.where(sides > 0, places - sides * np.floor(places / np.where(sides > 0, sides, 1)), places)
    # The k-d tree requires a period. One that exceeds the extent of the points has no effect.
    wide = np.ptp(places, axis=0) + 4 * length
    lowest = np.where(sides > 0, 0, places.min(axis=0))
    tree = scipy.spatial.cKDTree(places - lowest, boxsize=np.where(sides > 0, sides, wide))
    a, b = tree.query_pairs(length, output_type="ndarray").reshape(-1, 2).T
    graph = scipy.sparse.coo_matrix((np.ones(len(a)), (a, b)), shape=(len(places), len(places)))
    _, group = scipy.sparse.csgraph.connected_components(graph, directed=False)
    first = np.full(group.max() + 1, len(places))
    np.minimum.at(first, group, np.arange(len(places)))
    return [Field(positions[0].dims, first[group].reshape(shape(positions[0].dims)).astype(np.int64))]


def coordinate(op, scope):
    return [scope.elements.coordinates[op.attributes["dim"]]]


DOMAINS = {"pm.map": run_map, "pm.reduce": run_reduce, "pm.bins": run_bins, "pm.coordinate": coordinate, "pm.cell": cell,
           "pm.shift": shift, "pm.stored": stored, "pm.view": view, "pm.sort": sort,
           "pm.friends": friends}
