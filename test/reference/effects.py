"""What a program is given, and what it says and writes."""
import re

import h5py
import numpy as np

from . import tensors as t
from .dims import shape
from .elementwise import Complex, value
from .fields import Field, Table, shaped
from .noise import white_noise


class Stopped(Exception):
    """The program ends with an error."""


def number(text, kind):
    if kind == "bool":
        return np.bool_(text in ("true", "1", True))
    if kind in ("int", "u64"):
        return np.int64(np.array(int(text) % 2**64, dtype=np.uint64))
    return np.float64(text)


METERS = {"nm": 1e-9, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3}


def in_unit(given, unit):
    """A number that may have a metric length behind it, as a number of the param's unit."""
    found = re.fullmatch(r"([-+.\deE]+) ?([a-z]+)", given) if isinstance(given, str) and unit in METERS else None
    return "%.17g" % (float(found.group(1)) * METERS[found.group(2)] / METERS[unit]) if found else given


def param_value(op, scope):
    name = op.attributes["name"]
    declared = scope.machine.params[name]
    given = scope.machine.given.get(name, declared.get("default_value"))
    if given is None:
        raise Stopped("no value for %s" % name)
    return [number(in_unit(given, declared.get("unit")), declared["kind"])]


def input_value(op, scope):
    name, _, part = op.attributes["name"].partition("/")
    path = scope.machine.given[name]
    kind = op.types[1][0]
    if kind == "!pm.table":
        x, y = np.loadtxt(path).T
        return [Table(x, y)]
    if part:  # of a record: FILE.h5:/GROUP
        file, _, group = path.partition(":")
        with h5py.File(file, "r") as data:
            array = data[group + "/" + part][()]
    else:
        array = np.load(path)
    return [Field(kind.dims, array.astype(float).reshape(shape(kind.dims)))]


def samples(op, scope):
    """Of a stream that is one .npy file."""
    all_of_them = np.load(scope.machine.given[op.attributes["name"]]).astype(float)
    index = scope.get(op.operands[0])
    numbers = value(index.data) if isinstance(index, Field) else value(index)
    return [Field(op.types[1][0].dims, all_of_them[np.asarray(numbers, dtype=int)])]


def noise(op, scope):
    dims = op.types[1][0].dims
    count = int(np.prod(shape(dims)))
    return [Field(dims, shaped(white_noise(value(scope.get(op.operands[0])), count), dims))]


def formatted(text, values):
    values = iter(values)
    def one(found):
        if found.group() in ("{{", "}}"):
            return found.group()[0]
        x = np.float64(value(next(values)))
        if found.group(1) in (":d", ":u"):  # the bits of an integer
            return str(x.view(np.int64 if found.group(1) == ":d" else np.uint64))
        x = float(x)
        return format(x, found.group(1)[1:]) if found.group(1) else repr(x)
    return re.sub(r"\{\{|\}\}|\{(:[^}]*)?\}", one, text)


def print_line(op, scope):
    scope.machine.lines.append(formatted(op.attributes["format"], [scope.get(name) for name in op.operands]))
    return []


def check(op, scope):
    if "warning" in op.attributes:
        return []
    if not value(scope.get(op.operands[0])):
        raise Stopped(formatted(op.attributes["format"], [scope.get(name) for name in op.operands[1:]]))
    return []


def output(op, scope):
    values = [scope.get(name) for name in op.operands]
    arrays = [value(v.data) if isinstance(v, Field) else np.asarray(value(v), float) for v in values]
    if "element" in op.attributes:  # the bits of integers
        arrays = [a.view({"i64": np.int64, "u64": np.uint64}[op.attributes["element"]]) for a in arrays]
    paths = op.attributes.get("columns", [])
    if paths and paths[0].startswith("/"):  # the fields of a record
        for path, array in zip(paths, arrays):
            if not np.isfinite(array).all():
                raise Stopped("output %s is not finite" % op.attributes["name"])
            scope.machine.outputs[op.attributes["name"] + path] = array
        return []
    result = arrays[0] if len(arrays) == 1 else np.stack(arrays, axis=-1)
    if "flatten" in op.attributes and isinstance(values[0], Field):
        result = result.reshape((-1,) + result.shape[len(values[0].dims):])
    if result.dtype.kind == "f" and not np.isfinite(result).all():
        raise Stopped("output %s is not finite" % op.attributes["name"])
    scope.machine.outputs[op.attributes["name"]] = result
    return []


def nothing(op, scope):
    return []


EFFECTS = {
    "pm.param_value": param_value, "pm.input_value": input_value, "pm.white_noise": noise,
    "pm.samples": samples, "pm.sample_count": lambda op, scope: [np.int64(len(np.load(scope.machine.given[op.attributes["name"]])))],
    "pm.given": lambda op, scope: [np.bool_(op.attributes["name"] in scope.machine.given)],
    "pm.length": lambda op, scope: [np.float64(scope.machine.lengths[op.attributes["dim"]])],
    "pm.print": print_line, "pm.assert": check, "pm.output": output, "pm.plot": nothing, "pm.progress": nothing,
    "pm.reversal": nothing,
}
