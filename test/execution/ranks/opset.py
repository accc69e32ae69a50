#!/usr/bin/env python3
"""Whether a program has every op.

    opset.py PMC SPEC FILE.td...

Prints the ops that the files define and that are in no stage of SPEC's IR, and
fails if there are any."""
import re
import shlex
import subprocess
import sys


# They read files: execution/streams runs them, on meshes too.
STREAMS = {"sample_count", "samples", "prefetch_samples"}
# Where readings compute differences of a field in blocks: execution/kernels/differences.test runs it, on meshes too.
COMPUTED = {"widen_displacement_bound"}


def defined(files):
    """The ops that .td files define, without those of streams and of computed readings."""
    names = set()
    for path in files:
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r'^def PM_\w+\s*: PM_\w*Op<"(\w+)"', file.read(), re.MULTILINE))
    if not names:
        sys.exit("no ops in %s, expected some" % ", ".join(files))
    return names - STREAMS - COMPUTED


def used(compile_to):
    """What stands after "pm." in a program's IR: as the frontend makes it, and
    before and after memory is planned. `compile_to(stage)` gives the text."""
    return set().union(*(re.findall(r"\bpm\.([a-z_]+)", compile_to(stage)) for stage in ("pm", "sharded", "lowered")))


def main():
    pmc, spec, *files = sys.argv[1:]
    missing = defined(files) - used(lambda stage: subprocess.run(
        shlex.split(pmc) + [spec, "--emit=" + stage, "-o", "-"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    if missing:
        sys.exit("%s: no %s, expected every op in %s" % (spec, ", ".join(sorted(missing)), ", ".join(files)))


if __name__ == "__main__":
    main()
