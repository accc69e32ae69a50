"""Runs the global view of a program, op by op."""
import sys
import threading

import numpy as np

from . import mlir, scalars
from .control import CONTROL
from .derivatives import DERIVATIVES, by_hand
from .domains import DOMAINS
from .effects import EFFECTS, Stopped
from .elementwise import ELEMENTWISE
from .fourier import FOURIER
from .matrices import MATRICES
from .particles import PARTICLES
from .scopes import Body, Program
from .tables import TABLES
from .checkpoint_stores import CHECKPOINT_STORES

OPS = {**CONTROL, **DERIVATIVES, **DOMAINS, **EFFECTS, **FOURIER, **MATRICES, **PARTICLES, **TABLES, **CHECKPOINT_STORES}


class Machine:
    """A program with what it was given: `outputs` by name and `lines` printed are
    what it made."""

    def __init__(self, text, given=None):
        self.given = given or {}
        self.functions, self.params, self.lengths = {}, {}, {}
        self.outputs, self.lines, self.texts = {}, [], {}
        dims = []
        for op in mlir.parse(text).ops:
            if op.name == "func.func":
                self.functions[op.attributes["sym_name"]] = op
            elif op.name == "pm.param":
                self.params[op.attributes["name"]] = op.attributes
            elif op.name == "pm.dim":
                dims.append(op)
        for op in dims:
            (self.lengths[op.attributes["name"]],) = Program(self).run(op.regions[0], [])

    def run(self):
        with np.errstate(all="ignore"):
            self.call("main", [])
        return self

    def call(self, name, arguments, elements=None):
        adjoint = self.functions[name].attributes.get("pm.adjoint")
        if adjoint:
            return by_hand(self, name, arguments, adjoint)
        return self.run_function(name, arguments, elements)

    def run_function(self, name, arguments, elements=None):
        block = self.functions[name].regions[0]
        if elements is not None:
            return Body(self, block, arguments, Program(self), elements).end()
        return Program(self).run(block, arguments)

    def stop(self, text):
        return Stopped(text)

    def end(self, op, scope):
        return [scope.get(name) for name in op.operands]

    def evaluate(self, op, scope):
        compute = ELEMENTWISE.get(op.name)
        if compute:
            return [compute(*(scope.get(name) for name in op.operands))]
        if op.name in ("scf.for", "scf.while", "scf.if", "func.call") and scope.elements is None:
            found = scalars.run(self, op, scope)
            if found is not None:
                return found
        if op.name not in OPS:
            raise NotImplementedError("op %s is not known to the interpreter" % op.name)
        return OPS[op.name](op, scope)


def deeply(function, *arguments):
    """Bodies are evaluated from their ends, with a call for each op on the way."""
    sys.setrecursionlimit(200000)
    threading.stack_size(512 * 2**20)
    result = []
    def work():
        try:
            result.append((function(*arguments), None))
        except BaseException as error:  # pylint: disable=broad-except
            result.append((None, error))
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if result[0][1]:
        raise result[0][1]
    return result[0][0]


def interpret(text, given=None):
    """A machine that has run the program, of generic MLIR."""
    return deeply(lambda: Machine(text, given).run())
