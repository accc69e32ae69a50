"""Compares the keys of descriptors in the reader, in programs, and in the documentation.

A key that is in one of them alone is named. To add a key, change
runtime/Core/Descriptor.cpp and runtime/doc/descriptor.md.
"""

import json
import os
import re
import shlex
import subprocess
import sys

pmc, root, folder = shlex.split(sys.argv[1]), sys.argv[2], sys.argv[3]
os.makedirs(folder, exist_ok=True)

# Keys of earlier compilers, and those whose names a count computes with.
EARLIER = {"tapes", "bricks"}
COUNTS = {"param", "add", "sub", "mul", "div", "min", "max"}

with open(f"{root}/runtime/Core/Descriptor.cpp") as file:
    source = file.read()
read = set(re.findall(r'(?:at|value|find|contains)\(\s*"(\w+)"', source))
read |= set(re.findall(r'(?:text|number|parseAll<\w+>)\(\s*json,\s*"(\w+)"', source))
read |= set(re.findall(r'{(?:std::pair\()?"(\w+)", (?:&p\.|Count::)', source))
read |= set(re.findall(r'std::pair\("(\w+)", &p\.', source))
read |= set(re.findall(r'has\("(\w+)", Kind::', source))

with open(f"{root}/runtime/doc/descriptor.md") as file:
    page = file.read()
documented = set()
for row in re.findall(r"^\|(.*)\|$", page, re.M):
    cells = row.split(" | ")
    # Memory has lists with their keys in three columns, the other tables keys in one.
    keys = cells[:3] if len(cells) == 4 else cells[:1]
    documented |= set(re.findall(r"`(\w+)`", " ".join(keys)))
for braces in re.findall(r"`{([\w, ]+)}`", page):
    documented |= set(re.split(r",\s*", braces))
documented |= {name for name in re.findall(r"^## `(\w+)`$", page, re.M)}

read -= EARLIER
assert len(read) > 60, sorted(read)
missing = read - documented - COUNTS
assert not missing, f"keys that runtime/doc/descriptor.md does not describe: {sorted(missing)}"
stale = documented - read - COUNTS
assert not stale, f"keys that the runtime does not read: {sorted(stale)}"


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


for spec in sys.argv[4:]:
    done = subprocess.run(
        [*pmc, "--emit=llvm", spec, "-o", f"{folder}/program.ll"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    with open(f"{folder}/program.ll", encoding="utf-8", errors="replace") as file:
        texts = re.findall(r'c"({\\22.*?)(?:\\00)?"', file.read())
    descriptors = []
    for text in texts:
        data = re.sub(
            rb"\\(\\|[0-9A-F]{2})",
            lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]),
            text.encode(),
        )
        descriptors.append(json.loads(data.decode()))
    assert len(descriptors) == 1, len(descriptors)
    unknown = set(keys_of(descriptors[0])) - read - COUNTS
    assert not unknown, f"{spec}: keys that the runtime does not read: {sorted(unknown)}"
