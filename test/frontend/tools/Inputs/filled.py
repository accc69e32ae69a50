"""Checks that lists of topics in the standard input are wrapped at 80 columns, neither before nor behind: filled.py < TEXT"""

import sys

WIDTH = 80
lines = sys.stdin.read().splitlines()
lists = full = 0
for line, following in zip(lines, lines[1:]):
    # One word with a comma behind the other, two blanks in front.
    if line.startswith("  ") and line.endswith(",") and following.startswith("  "):
        lists += 1
        assert len(line) <= WIDTH, line
        full += len(line) == WIDTH
        word = following.split()[0]
        assert len(line) + 1 + len(word) > WIDTH, (line, word)
assert lists > 20 and full > 0, (lists, full)
