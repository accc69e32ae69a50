"""Dims and types of fields, as they are written in the IR."""
import re
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Dim:
    """`x=128`, `x*2=256`, `kx=dual(128)`, `kz=half(128)`."""
    label: str
    extent: int
    kind: str = "space"

    @property
    def stored(self):
        return self.extent // 2 + 1 if self.kind == "half" else self.extent

    @property
    def space_label(self):
        """A dual dim's label in space."""
        return self.label if self.kind == "space" else self.label[1:]

    def modes(self):
        """The coordinate of each stored element: its index, or its signed mode."""
        i = np.arange(self.stored)
        if self.kind == "dual":
            i = np.where(i < (self.extent + 1) // 2, i, i - self.extent)
        return i.astype(float)

    def weights(self):
        """How many modes of the full spectrum each stored element stands for."""
        i = np.arange(self.stored)
        return np.where((self.kind != "half") | (i == 0) | (2 * i == self.extent), 1, 2)


DIM = re.compile(r"((?:\"[^\"]*\"|[A-Za-z_][A-Za-z0-9_.]*)(?:[*/]\d+)?)=(?:(dual|half)\((\d+)\)|(\d+))(?:,|$)")


def parse_dims(text):
    text = text.replace(" ", "")
    text = text[text.index("[") + 1:text.index("]")]
    dims, place = [], 0
    while place < len(text):
        found = DIM.match(text, place)
        assert found, "dims '%s', expected name=extent" % text
        label, kind, modes, cells = found.groups()
        dims.append(Dim(label.replace('"', ""), int(modes or cells), kind or "space"))
        place = found.end()
    return tuple(dims)


def shape(dims):
    return tuple(dim.stored for dim in dims)


@dataclass(frozen=True)
class FieldType:
    dims: tuple
    element: str

    @staticmethod
    def parse(text):
        return FieldType(parse_dims(text), text[text.rindex("]") + 1:].replace(" ", "").lstrip(","))


def weights(dims):
    """Of every stored element."""
    total = np.ones(shape(dims))
    for axis, dim in enumerate(dims):
        total = total * dim.weights().reshape([-1 if a == axis else 1 for a in range(len(dims))])
    return total
