#!/usr/bin/env python3
"""Compiles every example of the manual.

    extract.py PAGE.md|FOLDER... --pmc PMC --out DIR [-I FOLDER]

A block that starts with ```pm is a whole program, or what is left of one after
the declarations in a comment right above it:

    <!-- before: dim x = 8; let f = zeros[x] -->

Pages in folders `errors` are left out: codes.py checks their examples.

It must compile (--emit=pm). A block that starts with ```pm error must not, and
every comment `// error: text` in it must stand in what the compiler says about
that line. The name `file` in `<!-- file: name.pm -->` right above a block stores
it as a module for the blocks behind it. Other blocks are not looked at.
"""
import argparse
import os
import re
import subprocess
import sys

BEFORE = re.compile(r"<!--\s*before:\s*(.*?)\s*-->", re.S)
FILE = re.compile(r"<!--\s*file:\s*(\S+)\s*-->")
ERROR = re.compile(r"//\s*error:\s*(.*?)\s*$")


def blocks(text):
    """Yields (line of the first content line, info string, preamble, body)."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        if not lines[i].startswith("```"):
            i += 1
            continue
        info, start = lines[i][3:].strip(), i
        end = next(j for j in range(i + 1, len(lines) + 1)
                   if j == len(lines) or lines[j].startswith("```"))
        if end == len(lines):
            sys.exit("line %d: the block is not closed" % (start + 1))
        above = start - 1
        while above >= 0 and not lines[above].strip():
            above -= 1
        comment = ""
        if above >= 0 and lines[above].rstrip().endswith("-->"):
            first = above
            while "<!--" not in lines[first]:
                first -= 1
            comment = "\n".join(lines[first:above + 1])
        yield start + 2, info, comment, "\n".join(lines[start + 1:end]) + "\n"
        i = end + 1


def compile_block(pmc, folders, path):
    """(succeeded, what the compiler said)."""
    command = [pmc, path, "--emit=pm"] + [a for f in folders for a in ("-I", f)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        return None, "exit code %d\n%s" % (run.returncode, run.stderr)
    return run.returncode == 0, run.stderr


def missed_errors(body, offset, said):
    """The expected errors that were not reported on their lines."""
    for number, line in enumerate(body.split("\n"), 1):
        match = ERROR.search(line)
        if not match:
            continue
        where = ":%d:" % (number + offset)
        if not any(where in s and "error:" in s and match.group(1) in s
                   for s in said.split("\n")):
            yield number, match.group(1)


def check(args, page, number, info, comment, body):
    """Complaints about one block of a page."""
    before = BEFORE.search(comment)
    preamble = before.group(1) + "\n" if before else ""
    stored = FILE.search(comment)
    name = stored.group(1) if stored else "%s_line%d.pm" % (page, number)
    path = os.path.join(args.out, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(preamble + body)
    if stored:
        return
    good, said = compile_block(args.pmc, args.I, path)
    if good is None:
        yield said
    elif info == "pm" and not good:
        yield "does not compile:\n" + said
    elif info == "pm error":
        if good:
            yield "compiles, but should not"
        for line, text in missed_errors(body, preamble.count("\n"), said):
            yield "line %d: no error '%s' in\n%s" % (number + line - 1, text, said)


def files(pages):
    """The pages, with those in the folders among them."""
    for page in pages:
        if not os.path.isdir(page):
            yield page
            continue
        for folder, _, names in sorted(os.walk(page)):
            if os.path.basename(folder) == "errors":
                continue
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def main():
    p = argparse.ArgumentParser(description="compile the examples of the manual")
    p.add_argument("pages", nargs="+", help="Markdown files, and folders of them")
    p.add_argument("--pmc", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("-I", action="append", default=[], metavar="FOLDER")
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    count = failures = 0
    for path in files(args.pages):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        # Pages of two folders may share a name.
        page = "_".join(os.path.splitext(os.path.abspath(path))[0].split(os.sep)[-2:])
        for number, info, comment, body in blocks(text):
            if info not in ("pm", "pm error"):
                if info.startswith("pm"):
                    sys.exit("%s:%d: what is a '%s' block?" % (path, number - 1, info))
                continue
            count += 1
            for complaint in check(args, page, number, info, comment, body):
                failures += 1
                print("%s:%d: %s" % (path, number, complaint))
    print("%d examples, %d complaints" % (count, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
