"""Reads MLIR's generic syntax: every op is "name"(operands) <properties> (regions)
{attributes} : (types) -> (types), so that one small parser does for all.

Types and attributes that this does not know more about are texts."""
import re
from dataclasses import dataclass, field

from .dims import parse_dims, FieldType

TOKEN = re.compile(r"""\s*(?://[^\n]*\n\s*)*(?:
    (?P<string>"(?:[^"\\]|\\.)*") |
    (?P<value>%[A-Za-z0-9_$.-]+(?:\#\d+)?) |
    (?P<block>\^[A-Za-z0-9_]+) |
    (?P<symbol>@(?:"(?:[^"\\]|\\.)*"|[A-Za-z0-9_$.-]+)) |
    (?P<number>-?0x[0-9A-Fa-f]+|-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?) |
    (?P<word>[!\#]?[A-Za-z_][A-Za-z0-9_$.]*) |
    (?P<mark>->|\S)
)""", re.VERBOSE)


@dataclass
class Op:
    name: str
    operands: list
    results: list                     # names of the values it makes
    attributes: dict
    regions: list
    types: tuple = ((), ())           # of operands, of results


@dataclass
class Block:
    arguments: list                   # names
    types: list
    ops: list = field(default_factory=list)


def unquote(text):
    """A string literal's text, with \\n, \\" and two-digit hexadecimal escapes."""
    raw = re.sub(rb'\\([0-9A-Fa-f]{2}|.)', lambda m: bytes([int(m[1], 16)]) if len(m[1]) == 2 else
                 {b"n": b"\n", b"t": b"\t"}.get(m[1], m[1]), text[1:-1].encode("utf-8"))
    return raw.decode("utf-8")


class Parser:
    def __init__(self, text):
        self.tokens, place = [], 0
        text = text.rstrip() + "\n"
        while place < len(text) - 1:
            found = TOKEN.match(text, place)
            self.tokens.append((found.lastgroup, found.group(found.lastgroup)))
            place = found.end()
        self.tokens.append(("end", ""))
        self.place = 0

    # --- Tokens.

    def peek(self, ahead=0):
        return self.tokens[min(self.place + ahead, len(self.tokens) - 1)][1]

    def kind(self):
        return self.tokens[self.place][0]

    def next(self):
        self.place += 1
        return self.tokens[self.place - 1][1]

    def take(self, text):
        if self.peek() == text:
            self.place += 1
            return True
        return False

    def expect(self, text):
        if not self.take(text):
            raise SyntaxError("token %d: %r, expected %r, after %s" % (
                self.place, self.peek(), text, " ".join(t for _, t in self.tokens[max(self.place - 12, 0):self.place])))

    def listed(self, close, item):
        """Items between commas, up to a closing bracket."""
        items = []
        while not self.take(close):
            items.append(item())
            self.take(",")
        return items

    def balanced(self):
        """The text of <...>, the brackets left out."""
        self.expect("<")
        depth, parts = 1, []
        while True:
            text = self.next()
            depth += (text == "<") - (text == ">")
            if depth == 0:
                return " ".join(parts)
            parts.append(text)

    # --- Types and attributes.

    def type(self):
        if self.take("("):
            return self.function_type()
        word = self.next()
        if word == "!pm.field":
            return FieldType.parse(self.balanced())
        if word in ("complex", "tuple", "vector", "memref"):
            return "%s<%s>" % (word, self.balanced().replace(" ", ""))
        if self.peek() == "<" and word.startswith("!"):
            return "%s<%s>" % (word, self.balanced())
        return word

    def function_type(self):
        inputs = self.listed(")", self.type)
        self.expect("->")
        if self.take("("):
            return tuple(inputs), tuple(self.listed(")", self.type))
        return tuple(inputs), (self.type(),)

    def attribute(self):
        kind, text = self.kind(), self.peek()
        if kind == "string":
            self.next()
            return unquote(text)
        if kind == "number":
            self.next()
            return self.number(text, self.type() if self.take(":") else "")
        if kind == "symbol":
            self.next()
            return text[1:].strip('"')
        if text == "[":
            self.next()
            return self.listed("]", self.attribute)
        if text == "{":
            return self.dictionary("{", "}")
        if text == "dense":
            raise SyntaxError("a dense attribute, expected none in the global view")
        if text == "array":
            self.next()
            body = self.balanced().partition(":")[2].replace(",", " ").split()
            return [item == "true" if item in ("true", "false") else int(item) for item in body]
        if text in ("true", "false", "unit"):
            self.next()
            return text != "false"
        if text == "#pm.dims":
            self.next()
            return parse_dims(self.balanced())
        if text.startswith("#"):
            self.next()
            return self.balanced() if self.peek() == "<" else text
        return self.type()

    @staticmethod
    def number(text, kind):
        if kind in ("f32", "f64"):
            if "0x" in text:
                import struct
                bits = int(text, 16)
                return struct.unpack("<d", struct.pack("<Q", bits))[0] if kind == "f64" else \
                    struct.unpack("<f", struct.pack("<I", bits))[0]
            return float(text)
        return int(text, 0) if re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)", text) else float(text)

    def dictionary(self, opening, closing):
        self.expect(opening)
        entries = {}
        while not self.take(closing):
            key = self.next().strip('"')
            entries[key] = self.attribute() if self.take("=") else True
            self.take(",")
        return entries

    # --- Ops.

    def op(self):
        results = []
        if self.kind() == "value":
            while True:
                name = self.next()
                if self.take(":"):
                    results += ["%s#%d" % (name, i) for i in range(int(self.next()))]
                else:
                    results.append(name)
                if not self.take(","):
                    break
            self.expect("=")
        name = unquote(self.next())
        self.expect("(")
        operands = self.listed(")", self.next)
        attributes = {}
        if self.peek() == "<":
            self.next()
            attributes.update(self.dictionary("{", "}"))
            self.expect(">")
        regions = []
        if self.take("("):
            regions = self.listed(")", self.region)
        if self.peek() == "{":
            attributes.update(self.dictionary("{", "}"))
        self.expect(":")
        self.expect("(")
        return Op(name, operands, results, attributes, regions, self.function_type())

    def region(self):
        """The region's only block."""
        self.expect("{")
        block = Block([], [])
        if self.kind() == "block":
            self.next()
            if self.take("("):
                for name, kind in self.listed(")", self.argument):
                    block.arguments.append(name)
                    block.types.append(kind)
            self.expect(":")
        while not self.take("}"):
            block.ops.append(self.op())
        return block

    def argument(self):
        name = self.next()
        self.expect(":")
        return name, self.type()


def parse(text):
    """The module's block."""
    parser = Parser(text)
    module = parser.op()
    assert module.name == "builtin.module", module.name
    return module.regions[0]
