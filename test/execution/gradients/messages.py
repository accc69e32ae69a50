#!/usr/bin/env python3
"""Adjoints send no more than what they are adjoints of.

    messages.py PMC PM_OPT SCRATCH LAYOUT...

Of the adjoint of every case of gradients.py, for every layout: a transform has no more transposes than the one that it
is the adjoint of; nothing but transforms, and views, gathers, bins and convolutions, which take dims whole that are cut elsewhere, moves a
field of several dims between layouts; a paint or readout has halos of the widths that the op has that it is the adjoint of: both
are from one pm.displacement_bound.

An adjoint is known by its place: it has the location of an op in the spec's IR, and is of the other kind."""
import itertools
import os
import re
import subprocess
import sys
from collections import defaultdict

import adjoints
import gradients

# What an op of the sharded view comes from, and from what if it is an adjoint.
PRIMAL = {"fft": "fft", "ifft": "ifft", "halo_reduce": "paint", "halo_exchange": "readout"}
ADJOINT = {"fft": "ifft", "ifft": "fft", "halo_reduce": "readout", "halo_exchange": "paint"}


def run(command, text=None):
    return subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout


class Places:
    """Where ops of the sharded view come from: lines of the spec's IR."""

    def __init__(self, source, text):
        self.source = source.split("\n")
        self.lines = [line.strip() for line in self.source]
        self.named = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))

    def gathers(self, number):
        """Whether the op of that line, with its body, reads cells by indices that are computed."""
        indent = len(self.source[number]) - len(self.source[number].lstrip())
        body = itertools.takewhile(lambda line: len(line) - len(line.lstrip()) > indent or line.lstrip().startswith("^"),
                                   self.source[number + 1:])
        return any("pm.cell " in line for line in itertools.chain([self.source[number]], body))

    def numbers(self, location):
        """The lines of a location; of a call, those of the callee."""
        location = self.named.get(location, location)
        if call := re.match(r"callsite\((\S+) at ", location):
            return self.numbers(call.group(1))
        if location.startswith("fused"):
            return set().union(*map(self.numbers, re.findall(r"#loc\d*", location)))
        found = re.match(r'"[^"]*":(\d+):\d+', location)
        return {int(found.group(1)) - 1} if found else set()

    def ops(self, location):
        """(line, op) of each line: paint, fft, …"""
        return [(number, found.group(1)) for number in self.numbers(location)
                if (found := re.search(r"pm\.(\w+)", self.lines[number]))]


class Scopes:
    """The loop that a line is in, by its indentation."""

    def __init__(self):
        self.open = [(-1, 0)]

    def enter(self, number, line):
        indent = len(line) - len(line.lstrip())
        while self.open[-1][0] >= indent:
            self.open.pop()
        inside = self.open[-1][1]
        if " scf." in line:
            self.open.append((indent, number))
        return inside


def check(source, text):
    """Complaints, and how many adjoint transforms and halos were looked at."""
    places, scopes, wrong = Places(source, text), Scopes(), []
    known = defaultdict(set)  # transposes of transforms that are no adjoints, by their types
    adjoints = []             # line, types of what it is the adjoint of, transposes
    bounds = {False: defaultdict(set), True: defaultdict(set)}  # of adjoints or not, by scope and line
    bound_of = {}             # a value's; names of values are used again, from scope to scope
    for number, line in enumerate(text.split("\n")):
        scope = scopes.enter(number, line)
        if bound := re.match(r" *(%\w+) = pm\.displacement_bound ", line):
            bound_of[bound.group(1)] = number
        if widened := re.match(r" *(%\w+) = pm\.widen_displacement_bound (%\w+) ", line):
            bound_of[widened.group(1)] = bound_of[widened.group(2)]
        if scatter := re.match(r" *(%\w+)(:\d+)?, .* = pm\.scatter .* bound\((%\w+)\)", line):
            bound_of[scatter.group(1)] = bound_of[scatter.group(3)]
        found = re.search(r"pm\.(fft|ifft|halo_reduce|halo_exchange|reshard|reshard_start) (.*) loc\((.*)\)$", line)
        if not found:
            continue
        op, rest, location = found.groups()
        if op.startswith("reshard"):
            # What is cut further sends nothing.
            if re.search(r"!pm\.field<\[[^]]*,", rest) and "expr<\"0\">" not in rest and not any(
                    kind in ("view", "bins", "convolve", "sort") or places.gathers(where) for where, kind in places.ops(location)):
                wrong.append(f"a field is moved: {line.strip()}")
            continue
        for where, kind in places.ops(location):
            is_adjoint = kind == ADJOINT[op]
            if not is_adjoint and kind != PRIMAL[op]:
                continue  # one of those that were merged with it
            if op in ("fft", "ifft"):
                count = re.search(r"transposes = (\d+)", rest)
                count = int(count.group(1)) if count else 0
                given, made = re.search(r" : (!.*) -> (!.*)$", rest).groups()
                if is_adjoint:
                    adjoints.append((where, (made, given), count))
                else:
                    known[given, made].add(count)
            else:
                value = re.search(r"bound (%\w+)" if op == "halo_exchange" else r"(%\w+)", rest).group(1)
                bounds[is_adjoint][scope, where].add(bound_of[value])
    for where, types, count in adjoints:
        if types not in known or count > min(known[types]):
            wrong.append(f"{places.lines[where]}: {sorted(known[types])} transposes, its adjoint {count}")
    for place, measured in bounds[True].items():
        if place in bounds[False] and not measured <= bounds[False][place]:
            wrong.append(f"{places.lines[place[1]]}: its adjoint measures how far positions go once more")
    return wrong, len(adjoints), sum(place in bounds[False] for place in bounds[True])


def main():
    pmc, opt, scratch, *layouts = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    spec = os.path.join(scratch, "spec.pm")
    with open(spec, "w") as file:
        file.write(adjoints.spec_of(list(gradients.CASES)))
    failed = False
    for layout in layouts:
        source = run(pmc.split() + ["--emit=pm", "--layout", layout, spec])
        sharded = run([opt, "--pm-autodiff", "--pm-expand-all", "--pm-optimize", "--pm-sharding",
                       "--mlir-print-debuginfo", "-"], source)
        wrong, transforms, halos = check(source, sharded)
        print(f"{layout}: {len(gradients.CASES)} cases, {transforms} adjoint transforms and {halos} adjoint halos compared, {len(wrong)} complaints")
        if not transforms or not halos:
            wrong.append("nothing was compared")
        for line in wrong:
            print("  " + line)
        failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
