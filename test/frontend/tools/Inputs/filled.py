"""Checks that the lines of lists of topics have at most 80 columns and no room for the next word: filled.py < TEXT"""

import sys

WIDTH = 80
lines = sys.stdin.read().splitlines()
lists = full = 0
for line, following in zip(lines, lines[1:]):
    # A line of a list begins with two blanks. Words are separated by commas.
    if line.startswith("  ") and line.endswith(",") and following.startswith("  "):
        lists += 1
        assert len(line) <= WIDTH, line
        full += len(line) == WIDTH
        word = following.split()[0]
        assert len(line) + 1 + len(word) > WIDTH, (line, word)
assert lists > 20 and full > 0, (lists, full)
