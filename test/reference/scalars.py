"""Loops, branches and calls over numbers alone, as Python functions.

The growth of a cosmology is a million operations on single numbers, which would take a
minute op by op. The text of a function says the same in plain Python. What Python
refuses (a division by 0), and Tensors, are left to the other way."""
import bisect
import math
import re

import numpy as np

from .fields import Table

# As integers of 64 bits do.
WRAPPED = "(({0} %s {1}) + 2**63 & 2**64 - 1) - 2**63"
TEXT = {
    "arith.addf": "{0} + {1}", "arith.subf": "{0} - {1}", "arith.mulf": "{0} * {1}", "arith.divf": "{0} / {1}",
    "arith.negf": "-{0}", "arith.addi": WRAPPED % "+", "arith.subi": WRAPPED % "-", "arith.muli": WRAPPED % "*",
    "arith.minimumf": "({0} if {0} < {1} else {1})", "arith.maximumf": "({0} if {0} > {1} else {1})",
    "arith.andi": "{0} & {1}", "arith.ori": "{0} | {1}", "arith.xori": "{0} ^ {1}",
    "arith.select": "({1} if {0} else {2})", "arith.index_cast": "{0}", "arith.sitofp": "float({0})",
    "arith.extf": "{0}", "arith.truncf": "{0}", "math.absf": "abs({0})", "math.floor": "float(math.floor({0}))",
    "math.fma": "{0} * {1} + {2}", "pm.lookup": "lookup({0}, {1}, {slope})",
}
TEXT.update({"math." + name: "math.%s({0})" % name for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "sinh",
                                                               "cosh", "atan", "erf", "erfc", "log10", "log1p",
                                                               "expm1", "asin", "acos", "asinh", "acosh", "atanh")})
TEXT.update({"math.atan2": "math.atan2({0}, {1})", "math.powf": "math.pow({0}, {1})"})
COMPARE = {"arith.cmpf": {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="},
           "arith.cmpi": dict(enumerate(("==", "!=", "<", "<=", ">", ">=")))}
KINDS = ("f32", "f64", "i1", "i64", "index", "!pm.table")


class Unfit(Exception):
    """It is not about numbers alone."""


def lookup(table, x, slope):
    if not hasattr(table, "rows"):
        table.rows = table.x.tolist(), np.asarray(table.y).tolist()
    xs, ys = table.rows
    i = min(max(bisect.bisect_right(xs, x) - 1, 0), len(xs) - 2)
    rise = (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i])
    return rise if slope else ys[i] + rise * (x - xs[i])


class Writer:
    """Writes ops as lines; `free` are the names that come from around them."""

    def __init__(self, machine):
        self.machine, self.lines, self.made, self.free, self.callees = machine, [], set(), [], {}

    def name(self, text):
        found = re.sub(r"\W", "_", text[1:])
        if text not in self.made and text not in self.free:
            self.free.append(text)
        return "v" + found

    def make(self, names):
        self.made.update(names)
        return ", ".join("v" + re.sub(r"\W", "_", n[1:]) for n in names)

    def say(self, depth, text):
        self.lines.append("    " * depth + text)

    def assign(self, depth, targets, sources):
        if targets:
            self.say(depth, "%s = %s" % (", ".join(targets), ", ".join(sources)))

    def block(self, depth, block, targets):
        """Its ops, and its last one's operands to the targets."""
        for op in block.ops[:-1]:
            self.op(depth, op)
        self.assign(depth, targets, [self.name(n) for n in block.ops[-1].operands])
        self.say(depth, "pass")

    def op(self, depth, op):
        if any(kind not in KINDS for kind in op.types[0] + op.types[1]) or op.name.startswith("pm.") and op.name not in TEXT:
            raise Unfit(op.name)
        operands = [self.name(n) for n in op.operands]
        if op.name == "arith.constant":
            value = op.attributes["value"]
            if isinstance(value, float) and not math.isfinite(value):
                raise Unfit("constant")
            return self.say(depth, "%s = %r" % (self.make(op.results), float(value) if op.types[1][0][0] == "f" else value))
        if op.name in COMPARE:
            sign = COMPARE[op.name].get(op.attributes["predicate"])
            if not sign:
                raise Unfit(op.name)
            return self.say(depth, "%s = %s %s %s" % (self.make(op.results), operands[0], sign, operands[1]))
        if op.name == "func.call":
            callee = op.attributes["callee"]
            self.callees[callee] = function_text(self.machine, callee)
            return self.say(depth, "%s = f_%s(%s)" % (self.make(op.results) + ",", re.sub(r"\W", "_", callee), ", ".join(operands)))
        if op.name in ("scf.for", "scf.while", "scf.if"):
            return getattr(self, op.name[4:] + "_")(depth, op, operands)
        if op.name not in TEXT:
            raise Unfit(op.name)
        return self.say(depth, "%s = %s" % (self.make(op.results), TEXT[op.name].format(*operands, slope="slope" in op.attributes)))

    def for_(self, depth, op, operands):
        block = op.regions[0]
        index, *carried = self.make(block.arguments).split(", ")
        self.assign(depth, carried, operands[3:])
        self.say(depth, "for %s in range(%s, %s, %s):" % (index, *operands[:3]))
        self.block(depth + 1, block, carried)
        results = self.make(op.results).split(", ") if op.results else []
        self.assign(depth, results, carried)

    def while_(self, depth, op, operands):
        before, after = op.regions
        if before.arguments:
            self.assign(depth, self.make(before.arguments).split(", "), operands)
        self.say(depth, "while True:")
        for inner in before.ops[:-1]:
            self.op(depth + 1, inner)
        condition, *passed = [self.name(n) for n in before.ops[-1].operands]
        results = self.make(op.results).split(", ") if op.results else []
        self.assign(depth + 1, results, passed)
        self.say(depth + 1, "if not %s: break" % condition)
        if after.arguments:
            self.assign(depth + 1, self.make(after.arguments).split(", "), passed)
        self.block(depth + 1, after, self.make(before.arguments).split(", ") if before.arguments else [])

    def if_(self, depth, op, operands):
        results = self.make(op.results).split(", ") if op.results else []
        self.say(depth, "if %s:" % operands[0])
        self.block(depth + 1, op.regions[0], results)
        if len(op.regions) > 1 and op.regions[1].ops:
            self.say(depth, "else:")
            self.block(depth + 1, op.regions[1], results)


def define(name, arguments, writer, results):
    head = "def f_%s(%s):" % (re.sub(r"\W", "_", name), ", ".join(arguments))
    return "\n".join([head] + writer.lines + ["    return (%s)" % "".join(r + ", " for r in results)]) + "\n"


def function_text(machine, name):
    """The Python text of a function and of those that it calls, or Unfit."""
    known = machine.texts.get(name)
    if known is None:
        machine.texts[name] = known = Unfit(name)
        function = machine.functions[name]
        block = function.regions[0]
        if not function.attributes.get("pm.adjoint") and all(kind in KINDS for kind in block.types):
            try:
                writer = Writer(machine)
                arguments = writer.make(block.arguments)
                writer.block(1, block, [])
                results = [writer.name(n) for n in block.ops[-1].operands]
                known = "".join(writer.callees.values()) + define(name, [arguments] if arguments else [], writer, results)
            except Unfit as unfit:
                known = unfit
        machine.texts[name] = known
    if isinstance(known, Unfit):
        raise known
    return known


def compiled(machine, op):
    """A Python function of an op, and the names that it takes; None if unfit."""
    if not hasattr(op, "python"):
        try:
            writer = Writer(machine)
            writer.op(1, op)
            arguments = [writer.name(n) for n in writer.free]
            made = {"math": math, "lookup": lookup}
            results = writer.make(op.results).split(", ") if op.results else []
            exec("".join(writer.callees.values()) + define("op", arguments, writer, results), made)
            op.python = made["f_op"], list(writer.free)
        except Unfit:
            op.python = None
    return op.python


def plain(x):
    """The number as Python's own, a table; Unfit for anything else."""
    if isinstance(x, Table) and isinstance(x.y, np.ndarray) or isinstance(x, (float, int, bool)) and not isinstance(x, np.generic):
        return x
    if isinstance(x, np.generic) or isinstance(x, np.ndarray) and x.ndim == 0:
        return x.item()
    raise Unfit("operand")


def run(machine, op, scope):
    """Its results, or None where it has to be run op by op."""
    found = compiled(machine, op)
    if found is None:
        return None
    function, names = found
    try:
        results = function(*(plain(scope.get(n)) for n in names))
    except (Unfit, ArithmeticError, ValueError):
        return None
    return [np.float64(r) if isinstance(r, float) else np.bool_(r) if isinstance(r, bool) else np.int64(r) if isinstance(r, int)
            else r for r in results]
