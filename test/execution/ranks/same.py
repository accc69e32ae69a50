"""What two runs of a program must have in common: the structure of their files,
and the text that they print."""
import glob
import os
import re
import sys

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from compare import load


def outputs(folder):
    """The outputs by name; of pictures, None."""
    found = {os.path.basename(path)[:-3]: path for path in glob.glob(os.path.join(folder, "*.h5"))}
    arrays = {name: load(folder, name) for name in found}
    arrays.update({os.path.basename(path): None for path in glob.glob(os.path.join(folder, "*.png"))})
    return arrays


def contents(folder):
    """The outputs by name, as `outputs`, and what else is in the file of each."""
    arrays, structures = {}, {}
    for path in glob.glob(os.path.join(folder, "*.png")):
        arrays[os.path.basename(path)] = None
    for path in glob.glob(os.path.join(folder, "*.h5")):
        name = os.path.basename(path)[:-3]
        with h5py.File(path, "r") as file:
            parts = {name: file[name]}
            if isinstance(file[name], h5py.Group):  # a record: its members by their paths
                parts = {}
                file[name].visititems(lambda path, part, name=name, parts=parts: parts.update({name + "/" + path: part})
                                      if isinstance(part, h5py.Dataset) else None)
            for part, data in parts.items():
                arrays[part], structures[part] = data[()], _structure(file)
    return arrays, structures


def _attributes(item):
    return {name: (str(item.attrs.get_id(name).dtype), item.attrs.get_id(name).shape, repr(item.attrs[name]))
            for name in item.attrs}


def structure(path):
    """Everything in an HDF5 file but its numbers."""
    with h5py.File(path, "r") as file:
        return _structure(file)


def _structure(file):
    items = {"/": _attributes(file)}
    def note(name, item):
        form = (item.shape, str(item.dtype), item.chunks, item.compression) if isinstance(item, h5py.Dataset) else ()
        items["/" + name] = {"": form, **_attributes(item)}
    file.visititems(note)
    return items


def structure_difference(one, other):
    """The first difference in structure of two files as a text, or nothing."""
    return changed_structure(structure(one), structure(other))


def changed_structure(a, b, but=()):
    """The same of two structures, but for some attributes."""
    if set(a) != set(b):
        return "holds %s, expected %s" % (sorted(b), sorted(a))
    for item in sorted(a):
        for key in sorted((set(a[item]) | set(b[item])) - set(but)):
            if a[item].get(key) != b[item].get(key):
                return "%s%s is %s, expected %s" % (item, " '%s'" % key if key else "", b[item].get(key, "missing"),
                                                    a[item].get(key, "nothing"))
    return ""


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)")


def _last_place(token):
    """What the last digit of a number counts."""
    mantissa, _, exponent = token.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals)


def text_difference(one, other, bound, small):
    """The first difference of two printed texts, or nothing. Numbers may differ
    by `bound`, relative to their size or to `small`, and by a last digit: the
    longer one's, where they are not printed with as many."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return "prints %r, expected %r" % (other, one)
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)):
        if a == b:
            continue
        x, y = float(a), float(b)
        allowed = bound * max(abs(x), small) + 1.01 * min(_last_place(a), _last_place(b))
        if not abs(x - y) <= allowed:
            return "prints %s, expected %s to within %.3g" % (b, a, allowed)
    return ""
