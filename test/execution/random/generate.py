#!/usr/bin/env python3
"""Draws random .pm programs over the ops of the language.

    generate.py SEED    prints a program and the flags it is run with

Every statement's value is an output. Values stay of order one, and what is
discontinuous (floor, comparisons, the ngp window, a table's slope) is drawn for
generic values only: noise and multiples of it. A rounding error then stays one.
"""
import random
import re
import sys

from operands import Operands
from program import AXES
from rules_control import ControlRules
from rules_derivatives import DerivativeRules
from rules_fields import FieldRules
from rules_forms import FormRules
from rules_matrices import MatrixRules
from rules_numbers import NumberRules
from rules_particles import ParticleRules
from rules_precision import PrecisionRules
from rules_singular import SingularRules
from rules_spectra import SpectrumRules
from rules_twins import TwinRules
from rules_units import UnitRules
from rules_values import ValueRules


MOST_CELLS = 9  # of a dim that is cut into single cells: as many ranks


class Generator(FieldRules, SpectrumRules, TwinRules, ParticleRules, ValueRules, NumberRules, ControlRules,
                DerivativeRules, SingularRules, PrecisionRules, FormRules, UnitRules, MatrixRules, Operands):
    RULES = (
        "white_noise", "elementwise", "discontinuous", "broadcast", "coordinates", "several", "constant", "reduce",
        "reduce_dims", "slice", "bins", "complex_field", "fft", "kernel", "parts", "modes", "ifft", "paint",
        "readout", "force", "paint_at", "readout_at", "param", "input_field", "input_table", "tabulate", "transform",
        "interpolate", "loop_for", "loop_pair", "loop_while", "nest", "branch", "branch_scalar", "branch_output",
        "function", "gradient", "table_gradient", "vector", "plot", "message", "spectra", "twin_number",
        "twin_complex", "twin_bins", "twin_part", "twin_gradient", "twin_cotangent", "integers", "slice_run_time", "unit_param", "singular",
        "spectrum_at_zero", "extreme", "at_rest", "force_gradient",
        "reversal", "revolved", "readout_complex", "neighbors", "indexes", "beyond", "turned", "moved_modes", "update", "loop_stack",
        "contraction", "convolution", "gather", "sort", "stored", "each", "twin_vector",
        "mixed", "mixed_call", "precise_fields", "precise_block", "component", "reversed_cells", "moved_by_param", "outer",
        "asked_output", "input_with_unit", "input_columns", "length_in_unit", "matrix", "friends")

    def generate(self, rules=RULES):
        """A first rule that goes through all of them with the seed, then some of
        a few that this program has, often."""
        first = rules[self.program.seed % len(rules)]
        few = self.random.sample(rules, min(9, len(rules)))
        self.noise(self.some_dims(len(self.labels)))
        getattr(self, first)()
        for _ in range(self.random.randint(5, 9)):
            getattr(self, self.random.choice(few))()
        return self.program


def layout(program, random):
    """A random layout: axes on any dims, the last one more often, both on one, one
    on several, or none."""
    labels = list(program.dims)
    split = {}
    for axis in AXES:
        if random.random() < 0.9:
            label = labels[-1] if random.random() < 0.3 else random.choice(labels)
            split.setdefault(label, []).append(axis)
    if random.random() < 0.12:  # may be a conflict, which the compiler explains
        split.setdefault(random.choice(labels), []).append(random.choice(AXES))
    text = []
    for label, axes in split.items():
        axes = sorted(set(axes), key=axes.index)
        random.shuffle(axes)
        text.append("%s->%s" % (label, axes[0] if len(axes) == 1 else "(%s)" % ",".join(axes)))
    return ", ".join(text) or "%s->row" % labels[0]


def parse_layout(text):
    """The axes that split each dim, by its label."""
    return {label: re.findall(r"\w+", axes) for label, axes in re.findall(r"(\w+)->(\w+|\([^)]*\))", text)}


def mesh(program, text, random):
    """Extents of the axes for a layout: up to 6 ranks, or so many along one axis
    that some dim's shards have one cell."""
    single = [(axes[0], program.dims[label]) for label, axes in parse_layout(text).items()
              if len(axes) == 1 and program.dims[label] <= MOST_CELLS]
    if single and random.random() < 0.25:
        axis, cells = random.choice(single)
        return tuple(cells if name == axis else 1 for name in AXES)
    return random.choice([(r, c) for r in range(1, 7) for c in range(1, 7) if 2 <= r * c <= 6])


def generate(seed, rules=Generator.RULES):
    return Generator(seed).generate(rules)


if __name__ == "__main__":
    drawn = generate(int(sys.argv[1]))
    print(drawn.text() + "// " + " ".join(drawn.flags) + " " + repr(drawn.inputs))
