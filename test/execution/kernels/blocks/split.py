#!/usr/bin/env python3
"""Compares the seeds that `split` makes of seeds, numbers and names with FNV-1a (Fowler, Noll and Vo) and the finalizer of SplitMix64 (Steele, Lea and Flood 2014).

    split.py PMC FOLDER"""
import os
import shlex
import subprocess
import sys

PMC, FOLDER = sys.argv[1:]
MASK = 2**64 - 1
NAMES = ("noise", "a", "", "é𝛼", "chain of a longer name")


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def split(seed, number):
    # Fractions of the square root of 2 and of the golden ratio.
    return mix(mix(seed + 0x6A09E667F3BCC909 & MASK) + mix(number + 0x9E3779B97F4A7C15 & MASK) & MASK)


os.makedirs(FOLDER, exist_ok=True)
lines = ["param seed: u64 = 0"]
for text in NAMES:
    lines.append(f'print "{{}} {{}}", split(seed, "{text}"), split(seed, "{text}", 7)')
for number in (0, 1, -1, 123456789):
    lines.append(f"print \"{{}} {{}}\", split(seed, {number}), split(split(seed, {number}), 2)")
spec, program = os.path.join(FOLDER, "split.pm"), os.path.join(FOLDER, "split")
with open(spec, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
subprocess.run([*shlex.split(PMC), spec, "-o", program], check=True)
for seed in (0, 5, 2**63, MASK):
    expected = [(split(seed, fnv(text)), split(split(seed, fnv(text)), 7)) for text in NAMES]
    expected += [(split(seed, number & MASK), split(split(seed, number & MASK), 2)) for number in (0, 1, -1, 123456789)]
    done = subprocess.run([program, "--quiet", f"--seed={seed}", f"--out={FOLDER}/out"], check=True, capture_output=True, text=True)
    found = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert found == expected, (seed, found, expected)
