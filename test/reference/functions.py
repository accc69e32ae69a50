#!/usr/bin/env python3
"""Every function of the language and of its library, against the interpreter.

    functions.py --pmc PMC --out FOLDER

A case (function_cases.py) is a list of expressions that use a function; each becomes an output. Fails if a function of Builtins.def, of the
library's modules, or of a table in the manual has no case, and if a number is not the interpreter's."""
import argparse
import glob
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from reference.against import BOUND, against, outputs  # pylint: disable=wrong-import-position
from reference.function_cases import CASES, PRELUDES  # pylint: disable=wrong-import-position
from reference.function_fields import HEADER  # pylint: disable=wrong-import-position

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
PARTS = 3


def known():
    """Names of functions, and where each is found."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "frontend", "Sema", "*.def")):
        with open(path, encoding="utf-8") as file:
            found.update((name, os.path.basename(path)) for name in re.findall(r'^(?:BUILTIN|MATH)\(\w+, "(\w+)"', file.read(), re.M))
    for path in glob.glob(os.path.join(ROOT, "frontend", "Stdlib", "*.pm")):
        with open(path, encoding="utf-8") as file:
            found.update((name, os.path.basename(path)) for name in re.findall(r"^fn (\w+)", file.read(), re.M))
    for path in glob.glob(os.path.join(ROOT, "frontend", "doc", "*", "*.md")):
        page = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if page != "builtins.md" and "| function | meaning |" not in text:
            continue
        for cell in re.findall(r"^\| (`.*?`) ?,?[^|]*\|", text, re.M):
            for text in re.findall(r"`([^`]*)`", cell):
                found.update((name, page) for name in re.findall(r"(?:^|[ ,])(\w+)(?=\(|\[|$| )", re.sub(r"[(\[].*", "", text)))
    return found


def spec(names):
    lines = [HEADER, *(PRELUDES[name] for name in CASES if name in PRELUDES)]
    for name in names:
        lines += ["output %s_%d = %s" % (name, i, text) for i, text in enumerate(CASES[name])]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", metavar="NAME", help="this function alone is run")
    parser.add_argument("--forget", metavar="NAME", help="for tests: as if it had no case")
    parser.add_argument("--add", metavar="TEXT", help="for tests: another expression of the function that alone is run")
    parser.add_argument("--bound", type=float, default=BOUND, help="for tests: one that rounding misses")
    options = parser.parse_args()
    functions, wrong = known(), []
    if options.add:
        CASES[options.only].append(options.add)
    wrong += ["%s of %s: no case, expected one" % (name, functions[name]) for name in sorted(set(functions) - set(CASES) | {options.forget} - {None})]
    wrong += ["%s: a case of no function" % name for name in sorted(set(CASES) - set(functions))]
    wrong += ["%s: not in its case %r" % (name, text) for name, texts in CASES.items() for text in texts
              if not re.search(r"\b%s\b" % name, text) and name != "cosmology"]
    os.makedirs(options.out, exist_ok=True)
    names = [options.only] if options.only else list(CASES)
    # Several specs, because the compiler refuses one with so many operations.
    ends = [len(names) * part // PARTS for part in range(PARTS + 1)]
    for part, some in enumerate(names[begin:end] for begin, end in zip(ends, ends[1:])):
        if not some:
            continue
        path = os.path.join(options.out, "functions_%d.pm" % part)
        with open(path, "w", encoding="utf-8") as file:
            file.write(spec(some))
        found = against(shlex.split(options.pmc), path, [], os.path.join(options.out, "run_%d" % part), constants=["-O0"], bound=options.bound)
        wrong += [found] if found else []
        # A program that ends with an error, as the interpreter does, compares nothing.
        count = len(outputs(os.path.join(options.out, "run_%d" % part, "out")))
        if not found and count != sum(len(CASES[name]) for name in some):
            wrong.append("%d outputs of part %d, expected %d: a case ends the program" % (count, part, sum(len(CASES[name]) for name in some)))
    print("\n".join(wrong + ["%d functions, %d expressions, %d wrong" % (len(CASES), sum(map(len, CASES.values())), len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
