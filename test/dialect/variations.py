"""What verifiers say of each op with one thing changed: an attribute, an operand's or a result's type, the count of operands.

    variations.py PM_OPT FOLDER EXPECTED FILE.mlir... [--update]

The ops are those of the valid modules in the files. Changes are made to the generic form, each in a module of its own. EXPECTED has a line
per op and changed thing: each message, shortened, with the changes that it answers. --update writes it anew; read the difference: a change
that makes an invalid op should not be among those that are 'accepted'.
"""

import bisect
import collections
import pathlib
import re
import subprocess
import sys

OPEN, CLOSE = "<([{", ">)]}"
MARK = "// -----"
AT_ONCE = 80  # cases in a file
ALIKE = 2  # ops of a name with the same change


def split(text, separator=","):
    """The parts of a list; separators within brackets and strings do not count."""
    parts, depth, start, inString = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"':
            inString = not inString
        elif inString:
            continue
        elif c in OPEN:
            depth += 1
        elif c in CLOSE and not (c == ">" and text[i - 1] == "-"):
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last or parts else []


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth, inString = 0, False
    for i in range(start, len(text)):
        c = text[i]
        if c == '"':
            inString = not inString
        elif inString:
            continue
        elif c in OPEN:
            depth += 1
        elif c in CLOSE and not (c == ">" and text[i - 1] == "-"):
            depth -= 1
            if depth == 0:
                return i
    raise ValueError(text)


class Op:
    """An op in the generic form: the line where it begins, and that where its types are."""

    def __init__(self, lines, begin):
        self.begin = self.end = begin
        first = lines[begin]
        self.indent = first[: len(first) - len(first.lstrip())]
        if first.endswith("({"):
            self.end = next(i for i in range(begin + 1, len(lines)) if lines[i].startswith(self.indent + "})"))
        head = re.match(r' *(?:(%\S+) = )?"(pm\.\w+)"\(', first)
        self.result, self.name = head.groups()
        stop = closing(first, head.end() - 1)
        self.operands = split(first[head.end() : stop])
        rest = first[stop + 1 :]
        self.properties = []
        if rest.startswith(" <{"):
            self.properties = split(rest[3 : closing(rest, 2) - 0])
            rest = rest[closing(rest, 1) + 1 :]
        self.tail = rest if self.end == begin else ""  # `({` or ` : types`
        last = lines[self.end] if self.end != begin else rest
        at = last.rindex(" : (")
        self.before = last[:at] if self.end != begin else ""
        stop = closing(last, at + 3)
        self.types = split(last[at + 4 : stop])
        results = last[stop + 5 :]
        self.several = results.startswith("(")
        self.results = split(results[1:-1]) if self.several else [results]

    def text(self, properties=None, operands=None, types=None, result=None, results=None):
        """The lines that begin and end it."""
        properties = self.properties if properties is None else properties
        operands = self.operands if operands is None else operands
        types = self.types if types is None else types
        results = self.results if results is None else results
        first = self.indent + (f"{result or self.result} = " if self.result else "") + f'"{self.name}"({", ".join(operands)})'
        if properties:
            first += f" <{{{', '.join(properties)}}}>"
        made = f"({', '.join(results)})" if len(results) != 1 or self.several else results[0]
        last = f" : ({', '.join(types)}) -> {made}"
        if self.end == self.begin:
            return [first + last]
        return [first + " ({", self.before + last]


def once(pattern, change, text):
    """The text with each match changed by itself."""
    for found in re.finditer(pattern, text):
        new = change(found)
        if new is not None and new != found.group():
            yield text[: found.start()] + new + text[found.end() :]


ELEMENTS = ("f32", "f64", "complex<f32>", "i1")


def dims(text):
    """Changed lists of dims in a type or an attribute."""
    begin = text.index("<[") + 1
    end = closing(text, begin)
    entries = split(text[begin + 1 : end])

    def made(list_):
        return text[: begin + 1] + ", ".join(list_) + text[end:]

    yield "drop", made(entries[:-1])
    if len(entries) > 1:
        yield "drop first", made(entries[1:])
        yield "swap", made([entries[1], entries[0], *entries[2:]])
    yield "add", made([*entries, "extra=2"])
    for i, entry in enumerate(entries):
        if 0 < i < len(entries) - 1:
            continue
        where = "" if len(entries) == 1 else f" {i}"
        for change in ("label", "extent", "split", "unsplit"):
            new = entry
            if change == "label":
                new = re.sub(r"^[\w\"]+", "q", entry, count=1)
            elif change == "extent":
                new = re.sub(r"=(\w+\()?(\d+)", lambda m: f"={m[1] or ''}{2 * int(m[2])}", entry, count=1)
            elif change == "split" and " on(" not in entry:
                new = entry + " on(row)"
            elif change == "unsplit":
                new = re.sub(r" on\([^)]*\)", "", entry)
            if new != entry:
                yield change + where, made([*entries[:i], new, *entries[i + 1 :]])


def types(text):
    """Changed types."""
    for element in ELEMENTS:
        for new in once(r"\b(complex<f\d+>|bf16|f32|f64|i64|i1)(?=>+$|>*,? sum| *$)", lambda _: element, text):
            yield element, new
            break
    if "<[" in text:
        yield from dims(text)
    for one, other in (("field", "buffer"), ("buffer", "field"), ("halo", "field"), ("field", "halo")):
        if f"!pm.{one}<" in text:
            yield other, text.replace(f"!pm.{one}<", f"!pm.{other}<", 1)
    if text.startswith("!pm.partial<"):
        yield "whole", split(text[len("!pm.partial<") : -1])[0]
        yield "max", text.replace(", sum over", ", max over")
    if text.startswith("!pm.in_flight<"):
        yield "arrived", text[len("!pm.in_flight<") : -1]


def values(text, kinds):
    """Changed values of attributes."""
    if "<[" in text:
        yield from dims(text)
        return
    if text.startswith("array<i64"):
        numbers = [int(n) for n in re.findall(r"-?\b\d+\b(?!:)", text.partition(":")[2])]
        made = lambda list_: "array<i64" + (": " + ", ".join(map(str, list_)) if list_ else "") + ">"
        if numbers:
            yield "shorter", made(numbers[:-1])
        yield "longer", made([*numbers, 0])
        for i, n in enumerate(numbers):
            where = "" if len(numbers) == 1 else f" {i}"
            for what, new in (("+1", n + 1), ("-1", n - 1), ("+100", n + 100)):
                if new != n:
                    yield what + where, made([*numbers[:i], new, *numbers[i + 1 :]])
        return
    if text.startswith("["):
        entries = split(text[1:-1])
        if entries:
            yield "shorter", f"[{', '.join(entries[:-1])}]"
            yield "longer", f"[{', '.join([*entries, entries[-1]])}]"
        for i, entry in enumerate(entries):
            where = "" if len(entries) == 1 else f" {i}"
            for what, new in values(entry, kinds):
                yield what + where, f"[{', '.join([*entries[:i], new, *entries[i + 1:]])}]"
        return
    if found := re.fullmatch(r"(-?\d+) : (i\d+|index)", text):
        n = int(found[1])
        for what, new in (("+1", n + 1), ("-1", n - 1), ("negative", -n - 1), ("0", 0)):
            if new != n:
                yield what, f"{new} : {found[2]}"
        return
    if found := re.fullmatch(r"(-?[\d.e+-]+) : (f\d+)", text):
        for what, new in (("negative", f"{-abs(float(found[1])) - 1:e}"), ("0", "0.0"), ("inf", "0x7FF0000000000000"), ("nan", "0x7FF8000000000000")):
            yield what, f"{new} : {found[2]}"
        return
    if text.startswith('"'):
        yield "empty", '""'
        yield "unknown", '"nowhere"'
        return
    if text.startswith("@"):
        yield "unknown", "@nowhere"
        return
    if found := re.fullmatch(r"#pm<(\w+) .*>", text):
        for other in sorted(kinds[found[1]] - {text}):
            yield other[len(found[1]) + 5 : -1], other


def name_of(property_):
    return property_.partition(" = ")[0]


class Variations:
    def __init__(self, samples, kinds):
        self.samples, self.kinds = samples, kinds

    def of(self, op, lines):
        """(what is changed, how, lines of the module)."""

        def module(head, tail=None, before=(), after=()):
            if op.begin == op.end:
                return [*lines[: op.begin], *before, *head, *after, *lines[op.end + 1 :]]
            return [*lines[: op.begin], *before, head[0], *lines[op.begin + 1 : op.end], head[1], *after, *lines[op.end + 1 :]]

        cast = op.indent + '{} = "builtin.unrealized_conversion_cast"({}) : ({}) -> ({})'
        for i, property_ in enumerate(op.properties):
            name, _, value = property_.partition(" = ")
            if name in ("operandSegmentSizes", "resultSegmentSizes", "sym_visibility"):
                continue
            rest = [op.properties[:i], op.properties[i + 1 :]]
            yield name, "without", module(op.text([*rest[0], *rest[1]]))
            for how, new in values(value, self.kinds):
                yield name, how, module(op.text([*rest[0], f"{name} = {new}", *rest[1]]))
        present = {name_of(p) for p in op.properties}
        for name, sample in self.samples[op.name].items():
            if name not in present:
                yield name, "given", module(op.text([*op.properties, sample]))
        for i, (operand, type_) in enumerate(zip(op.operands, op.types)):
            for how, new in types(type_):
                changed = [*op.operands[:i], "%changed", *op.operands[i + 1 :]]
                yield f"operand {i}", how, module(op.text(operands=changed, types=[*op.types[:i], new, *op.types[i + 1 :]]),
                                                  before=[cast.format("%changed", operand, type_, new)])
        segments = any(name_of(p) == "operandSegmentSizes" for p in op.properties)
        if op.operands and not segments:
            yield "operands", "fewer", module(op.text(operands=op.operands[:-1], types=op.types[:-1]))
            yield "operands", "more", module(op.text(operands=[*op.operands, op.operands[-1]], types=[*op.types, op.types[-1]]))
        if not op.result or op.results == [""]:
            return
        plain = op.result.partition(":")[0]
        count = f":{len(op.results)}" if len(op.results) > 1 else ""
        parts = [f"%changed#{i}" for i in range(len(op.results))] if count else ["%changed"]
        for i, type_ in enumerate(op.results):
            for how, new in types(type_):
                results = [*op.results[:i], new, *op.results[i + 1 :]]
                yield f"result {i}", how, module(op.text(result="%changed" + count, results=results),
                                                 after=[cast.format(plain + count, ", ".join(parts), ", ".join(results), ", ".join(op.results))])


def chunks(lines):
    """A module for each function, with all that is not one."""
    lines = lines[1:-1]  # builtin.module
    tops = [i for i, line in enumerate(lines) if re.match(r'  (%\S+ = )?"', line)] + [len(lines)]
    parts = [lines[a:b] for a, b in zip(tops, tops[1:])]
    others = [line for part in parts if '"func.func"' not in part[0] or len(part) < 3 for line in part]
    yield others
    for part in parts:
        if '"func.func"' in part[0] and len(part) >= 3:
            yield others + part


def shortened(message):
    """Without what differs from variation to variation."""
    message = re.sub(r"!pm\.\w+(<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?|complex<\w+>|\b(b?f\d+|i\d+|index)\b", "T", message)
    message = re.sub(r"\[[^\]]*\]", "[]", message)
    message = re.sub(r"-?\b\d+(\.\d+)?(e[-+]\d+)?\b", "N", message)
    message = re.sub(r"'[^']*'|\"[^\"]*\"|\(T(, T)*\)|T(, T)+", "X", message)
    return message if len(message) <= 90 else message[:90].rsplit(" ", 1)[0]


def ask(tool, path, cases, some):
    """The first error of each of some cases that has one. Where an error is in a file is looked up from its start, so files are short."""
    begins, text = [], []
    for i in some:
        begins.append(len(text) + 1)
        text += [*cases[i][3], MARK]
    path.write_text("\n".join(text) + "\n")
    errors = path.with_suffix(".errors")
    with errors.open("w") as file:  # written in many small pieces
        code = subprocess.run([tool, "--split-input-file", "-o", "/dev/null", path], stderr=file).returncode
    text = errors.read_text()
    if code < 0 or "LLVM ERROR" in text:
        raise RuntimeError(f"{tool} ended with {code}: {text[-500:]}")
    said = {}
    for line, message in re.findall(r"\.mlir:(\d+):\d+: error: (.*)", text):
        said.setdefault(some[bisect.bisect(begins, int(line)) - 1], message)
    return said


def read(table):
    """What each op and changed thing is answered with, as 'message <- changes'."""
    return {key: answers.split(" | ") for key, answers in (line.split(": ", 1) for line in table.splitlines())}


def compare(expected, found):
    """Prints the answers that differ; whether there are some."""
    wrong = False
    for key in sorted(expected.keys() | found.keys()):
        old, new = expected.get(key, []), found.get(key, [])
        if old != new:
            wrong = True
            print(key, *("  found " + answer for answer in new if answer not in old),
                  *("  expected " + answer for answer in old if answer not in new), sep="\n")
    return wrong


def main():
    update = "--update" in sys.argv
    tool, folder, expected, *files = [a for a in sys.argv[1:] if a != "--update"]
    modules, samples, kinds = [], collections.defaultdict(dict), collections.defaultdict(set)
    for file in files:
        done = subprocess.run([tool, "--mlir-print-op-generic", "--mlir-print-local-scope", "--split-input-file", file],
                              capture_output=True, text=True)
        for text in done.stdout.split(MARK):
            modules += chunks([line for line in text.split("\n") if line])
    ops = []
    for lines in modules:
        for i, line in enumerate(lines):
            if re.match(r' *(%\S+ = )?"pm\.(?!yield)\w+"\(', line):
                ops.append((Op(lines, i), lines))
                for property_ in ops[-1][0].properties:
                    if "egmentSizes" not in property_:
                        samples[ops[-1][0].name].setdefault(name_of(property_), property_)
                for found in re.finditer(r"#pm<(\w+) [^<>]*>", line):
                    kinds[found[1]].add(found[0])
    cases, seen, alike = [], set(), collections.Counter()
    every = Variations(samples, kinds)
    for op, lines in ops:
        key = re.sub(r"%[\w#:]+", "", "".join(op.text()))
        if key in seen:
            continue
        seen.add(key)
        for what, how, variation in every.of(op, lines):
            alike[op.name, what, how] += 1
            if alike[op.name, what, how] <= ALIKE:
                cases.append((op, what, how, variation))
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    said = {}
    for begin in range(0, len(cases), AT_ONCE):
        try:
            said |= ask(tool, path / "cases.mlir", cases, range(begin, min(begin + AT_ONCE, len(cases))))
        except RuntimeError as error:
            print(error)
            return 1
    table = collections.defaultdict(lambda: collections.defaultdict(set))
    for i, (op, what, how, _) in enumerate(cases):
        message = said.get(i, "accepted").replace(f"'{op.name}' op ", "")
        table[f"{op.name[3:]}, {what}"][shortened(message)].add(how)
    lines = [f"{key}: " + " | ".join(f"{message} <- {', '.join(sorted(hows))}" for message, hows in sorted(messages.items()))
             for key, messages in sorted(table.items())]
    found = "\n".join(lines) + "\n"
    if update:
        pathlib.Path(expected).write_text(found)
    (path / "found.txt").write_text(found)
    print(f"{len(cases)} variations of {len(seen)} ops, {len(cases) - len(said)} accepted")
    return compare(read(pathlib.Path(expected).read_text()), read(found))


if __name__ == "__main__":
    sys.exit(main())
