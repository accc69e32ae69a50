#!/usr/bin/env python3
"""Draws random .pm programs over the ops of the language.

    generate.py SEED    prints a program and the flags it is run with

Every statement's value is an output. Values stay of order one, and what is
discontinuous (floor, comparisons, the ngp window, a table's slope) is drawn for
generic values only: noise and multiples of it. A rounding error then stays one.
"""
import random
import sys

from operands import Operands
from program import AXES
from rules_control import ControlRules
from rules_derivatives import DerivativeRules
from rules_fields import FieldRules
from rules_particles import ParticleRules
from rules_spectra import SpectrumRules
from rules_values import ValueRules


class Generator(FieldRules, SpectrumRules, ParticleRules, ValueRules, ControlRules, DerivativeRules,
                Operands):
    RULES = (
        "white_noise", "elementwise", "discontinuous", "broadcast", "coordinates", "several", "constant", "reduce",
        "reduce_dims", "slice", "bins", "complex_field", "fft", "kernel", "parts", "modes", "ifft", "paint",
        "readout", "force", "paint_at", "readout_at", "param", "input_field", "input_table", "tabulate", "transform",
        "interpolate", "loop_for", "loop_pair", "loop_while", "nest", "branch", "branch_scalar", "branch_output",
        "function", "gradient", "table_gradient", "vector", "plot", "message", "spectra")

    def generate(self):
        """A first rule that goes through all of them with the seed, then some of
        a few that this program has, often."""
        first = self.RULES[self.program.seed % len(self.RULES)]
        few = self.random.sample(self.RULES, 9)
        self.noise(self.some_dims(len(self.labels)))
        getattr(self, first)()
        for _ in range(self.random.randint(5, 9)):
            getattr(self, self.random.choice(few))()
        return self.program


def layout(program, random):
    """A random layout: axes on any dims, both on one, one on several, or none."""
    labels = list(program.dims)
    split = {}
    for axis in AXES:
        if random.random() < 0.9:
            split.setdefault(random.choice(labels), []).append(axis)
    if random.random() < 0.12:  # may be a conflict, which the compiler explains
        split.setdefault(random.choice(labels), []).append(random.choice(AXES))
    text = []
    for label, axes in split.items():
        axes = sorted(set(axes), key=axes.index)
        random.shuffle(axes)
        text.append("%s->%s" % (label, axes[0] if len(axes) == 1 else "(%s)" % ",".join(axes)))
    return ", ".join(text) or "%s->row" % labels[0]


def generate(seed):
    return Generator(seed).generate()


if __name__ == "__main__":
    drawn = generate(int(sys.argv[1]))
    print(drawn.text() + "// " + " ".join(drawn.flags) + " " + repr(drawn.inputs))
