"""A random program: statements that know the names they make and need, so that a
failing one can be shrunk."""
from dataclasses import dataclass, field

AXES = ("row", "col")


@dataclass(frozen=True)
class Dim:
    """A dim of a field: refined, and the dual one of a transform, or neither."""
    label: str
    finer: int = 1
    dual: bool = False

    def text(self):
        return self.label if self.finer == 1 else "refine(%s, %d)" % (self.label, self.finer)


@dataclass
class Field:
    """`generic`: noise or a multiple of it, the same bits on every layout.
    `wide`: f64 in a program of f32, too. `transforms`: what was transformed, and has to be undone in reverse order."""
    name: str
    dims: tuple
    complex: bool = False
    generic: bool = False
    transforms: tuple = ()
    wide: bool = False

    def space(self):
        return not any(dim.dual for dim in self.dims)


@dataclass
class Statement:
    text: str
    makes: str = ""
    needs: tuple = ()


@dataclass
class Program:
    seed: int
    header: list
    dims: dict                                   # label -> cells
    statements: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)   # name -> shape of the field, or None for a table
    flags: list = field(default_factory=list)
    exact: set = field(default_factory=set)      # outputs that are equal to the last bit
    twins: set = field(default_factory=set)      # outputs of two columns that are equal
    precise: set = field(default_factory=set)    # outputs that are f64 in a program of f32, too
    precision: str = "f64"                       # of its fields

    def text(self):
        return "\n".join(self.header + [s.text for s in self.statements]) + "\n"

    def without(self, index):
        """The program without a statement and what needs it."""
        gone, kept = {self.statements[index].makes} - {""}, []
        for place, statement in enumerate(self.statements):
            if place == index or gone & set(statement.needs):
                gone |= {statement.makes} - {""}
            else:
                kept.append(statement)
        flags = [flag for flag in self.flags if flag[2:].split("=")[0] not in gone]
        inputs = {name: shape for name, shape in self.inputs.items() if name not in gone}
        return Program(self.seed, self.header, self.dims, kept, inputs, flags, self.exact - gone,
                       self.twins - gone, self.precise - gone, self.precision)


def tuple_text(items):
    items = list(items)
    return items[0] if len(items) == 1 else "(%s)" % ", ".join(items)


def list_text(dims):
    return "[%s]" % ", ".join(dim.text() for dim in dims)


def is_part(part, whole):
    """Whether `part` are dims of `whole`, in their order."""
    rest = iter(whole)
    return all(dim in rest for dim in part)
