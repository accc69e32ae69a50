#!/usr/bin/env python3
"""Every optional argument of a library function has a value other than its default in a test that looks at numbers.

    options.py ROOT

Looks for calls in the specs and scripts of test/execution and examples. The cases of test/reference do not count: the interpreter runs IR made
from the same library, so that it finds no mistake in it."""
import glob
import os
import re
import sys

# They compare the library with itself: a batch with its cells, meshes of ranks with one rank, gradients with differences, random programs
# with the interpreter.
COMPARED_WITH_THEMSELVES = ("stdlib/batches.pm", "stdlib/each.pm", "stdlib/scaled_restarts.pm", "imaging/layouts.pm", "imaging/check_layouts.py",
                            "execution/gradients/", "execution/random/", "execution/gpu/", "execution/ranks/", "execution/costs/",
                            "lensing/derivatives.pm", "lensing/hessian.pm")
OPEN, CLOSE = "([{", ")]}"
# Arguments that other functions of the library hand on from their own, which have tests.
HANDED_ON = {("all_around", "observer"), ("numbered", "which"), ("kaiser_bessel_shape", "oversampling"), ("semicircle_shape", "oversampling"),
             ("prolate_shape", "oversampling"), ("along_each", "place")}


def closing(text, at):
    """Where the bracket at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] in OPEN
        depth -= text[i] in CLOSE
        if depth == 0:
            return i
    return len(text)


def split(text):
    """At commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += c in OPEN
        depth -= c in CLOSE
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [p.strip() for p in parts + [text[begin:]] if p.strip()]


def functions(root):
    """{name: [(parameter, default or None)]}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "frontend/Stdlib/*.pm"))):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        for match in re.finditer(r"^fn (\w+)(?:\[[^\]]*\])?\(", text, re.M):
            end = closing(text, match.end() - 1)
            params = []
            for part in split(text[match.end():end]):
                head, _, default = part.partition("=")
                params.append((head.split(":")[0].strip(), default.strip() or None))
            found[match[1]] = params
    return found


def calls(text, known):
    """(name, {parameter: argument})"""
    for match in re.finditer(r"(?<![\w.])(\w+)\s*(\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\])?\(", text):
        params = known.get(match[1])
        if not params or re.search(r"\bfn\s+$", text[:match.start()]):
            continue
        given = {}
        for i, argument in enumerate(split(text[match.end():closing(text, match.end() - 1)])):
            named = re.match(r"(\w+)\s*=(?![=>])\s*(.*)", argument, re.S)
            if named:
                given[named[1]] = named[2]
            elif i < len(params):
                given[params[i][0]] = argument
        yield match[1], given


def main():
    root = sys.argv[1]
    known = functions(root)
    missing = {(name, p): default for name, params in known.items() for p, default in params if default and (name, p) not in HANDED_ON}
    count = len(missing)
    assert count > 300, f"{count} optional arguments found, expected more than 300"
    for folder in ("test/execution", "examples"):
        for path in glob.glob(os.path.join(root, folder, "**/*"), recursive=True):
            if path.endswith((".pm", ".py", ".test")) and not any(name in path for name in COMPARED_WITH_THEMSELVES):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for name, given in calls(text, known):
                    for p, value in given.items():
                        if missing.get((name, p), value) != value:
                            del missing[name, p]
    for (name, p), default in missing.items():
        print(f"{name}: no test has another {p} than {default}")
    print(f"{count} optional arguments, {len(missing)} without a test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
