#!/usr/bin/env python3
"""The same as costs.py, of random programs with random layouts.

    random_costs.py PMC FOLDER FIRST:LAST"""
import os
import random
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "random"), os.path.join(HERE, "..", "ranks")]
import check  # noqa: E402
import costs  # noqa: E402
import generate  # noqa: E402


class Options:
    def __init__(self, pmc):
        self.pmc = pmc


def main():
    pmc, folder, seeds = sys.argv[1:]
    first, last = (int(end) for end in seeds.split(":"))
    compared = 0
    for seed in range(first, last):
        program, draws = generate.generate(seed), random.Random(f"costs of {seed}")
        here = os.path.join(folder, str(seed))
        os.makedirs(here, exist_ok=True)
        for _ in range(20):
            layout = generate.layout(program, draws)
            try:
                binary = check.compile_program(Options(pmc), program, layout, here, "0")
                break
            except check.Refused:
                continue
        else:
            continue
        inputs = check.make_inputs(program, here)
        for mesh in [(2, 1), (2, 2), (3, 1)]:
            axes = ",".join("%s=%d" % pair for pair in zip(generate.AXES, mesh))
            try:
                check.run(Options(pmc), binary, mesh, False, program.flags + inputs, here)
            except check.Refused:
                continue
            command = shlex.split(pmc) + ["--layout", layout, "--precision=" + program.precision]
            print(f"seed {seed}, layout '{layout}'")
            _, *said = costs.predicted(command, os.path.join(here, "program.pm"), axes, program.flags)
            *sent, _ = costs.counted(binary, axes, here, program.flags + inputs)
            compared += costs.compare("%dx%d" % mesh, said, sent, False)
    print(f"{compared} kinds of messages at a place compared")
    if compared < 5 * (last - first):
        sys.exit("few messages")


if __name__ == "__main__":
    main()
