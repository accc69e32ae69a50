#!/usr/bin/env python3
"""Checks that links between Markdown files lead to files and headings that exist.

    links.py ROOT

Links with a scheme (https:) are not followed. Code is not searched for links.
"""
import os
import re
import sys

CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
LINK = re.compile(r"\]\(([^()\s]+)\)")
SKIPPED = {"build", ".git", "node_modules"}


def pages(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors(path):
    """As GitHub names the headings of a page."""
    found = {}
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", read(path), flags=re.S), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = found.get(name, 0)
        found[name] = count + 1
        yield name if count == 0 else "%s-%d" % (name, count)


def complaints(path):
    # Lines keep their numbers without the code.
    text = CODE.sub(lambda code: "\n" * code.group(0).count("\n"), read(path))
    for number, line in enumerate(text.split("\n"), 1):
        for target in LINK.findall(line):
            file, _, heading = target.partition("#")
            if re.match(r"[a-z]+:", file):
                continue
            other = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(other):
                yield "%s:%d: there is no file '%s'" % (path, number, file)
            elif heading and heading not in set(anchors(other)):
                yield "%s:%d: '%s' has no heading '%s'" % (path, number, file or "this page", heading)


def main():
    count = failures = 0
    for path in pages(sys.argv[1]):
        count += 1
        for complaint in complaints(path):
            failures += 1
            print(complaint)
    print("%d pages, %d complaints" % (count, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
