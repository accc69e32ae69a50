#!/usr/bin/env python3
"""Checks the reference of the library: comments are complete, the tables of the manual agree with them, and examples compile.

    reference.py PAGES --pmc PMC --out FOLDER

PAGES: the folder that `pmc doc -o` has written. The first block of a page are the lines before its examples; each further block is the example
of the function in the heading above it: statements, of which the last can be an expression. It must call the function."""
import argparse
import glob
import os
import re
import subprocess
import sys

MANUAL = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "frontend", "doc")
STATEMENT = re.compile(r"(let|output|print|plot|optimize|dim|fn|assert)\b")


def spec(name, text):
    """The spec of all examples of a page, the number of examples, and complaints."""
    setup, *examples = re.findall(r"^(?:### (\w+)$|```pm\n(.*?)```)", text, re.M | re.S)
    lines, count, function, complaints = setup[1].rstrip("\n").split("\n"), 0, None, []
    for heading, block in examples:
        if heading:
            function = heading
            continue
        if not re.search(r"\b%s\b" % function, block):
            complaints.append("%s: the example of %s does not call it" % (name, function))
        *code, last = block.rstrip("\n").split("\n")
        if not STATEMENT.match(last):
            last = "let example_of_%s = %s" % (function, last)
        lines += code + [last]
        count += 1
    return "\n".join(lines) + "\n", count, complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages")
    parser.add_argument("--pmc", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    names = {os.path.basename(path)[:-3] for path in glob.glob(os.path.join(options.pages, "*.md"))} - {"index"}
    checked = subprocess.run([options.pmc, "doc", "--check", MANUAL, *sorted(names)], capture_output=True, text=True, check=False)
    wrong, count = checked.stderr.splitlines(), 0
    for name in sorted(names):
        with open(os.path.join(options.pages, name + ".md"), encoding="utf-8") as file:
            text, examples, complaints = spec(name, file.read())
        wrong += complaints
        count += examples
        path = os.path.join(options.out, name + "_examples.pm")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([options.pmc, "check", path], capture_output=True, text=True, check=False)
        if run.returncode:
            wrong.append(run.stderr)
    print("\n".join(wrong + ["%d examples, %d complaints" % (count, len(wrong))]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
