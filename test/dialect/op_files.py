"""Which production files name an op: what it costs to add one like it.

    op_files.py ROOT README

Prints a table of some ops, and fails if the README's is another one. A file names an op by its class, its builtin or its function of the
runtime; lists of files for the build, READMEs and the library in .pm are left out.
"""

import os
import re
import sys

# Their names in code, and the most files there should be.
OPS = {
    "white_noise": (r"\bWhiteNoiseOp\b|\bPM_WhiteNoiseOp\b|WHITE_NOISE|\bWhiteNoise, \"|\bpmrt_white_noise\b|\bwhiteNoise\(", 12),
    "shift": (r"\bShiftOp\b|\bPM_ShiftOp\b|\bShift, \"|\"shift\"", 8),
    "neighbor": (r"\bNeighborOp\b|\bPM_NeighborOp\b", 12),
    "find_row": (r"\bFindRowOp\b|\bPM_FindRowOp\b|\bpmrt_find_row\b", 8),
}
FOLDERS = ("dialect", "passes", "codegen", "frontend", "runtime")


def files(root, pattern):
    found = []
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith((".cpp", ".h", ".td", ".def")):
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        if re.search(pattern, file.read()):
                            found.append(os.path.relpath(os.path.join(path, name), root))
    return sorted(found)


def main():
    root, readme = sys.argv[1:]
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    wrong = False
    for name, (pattern, most) in OPS.items():
        found = files(root, pattern)
        row = f"| `{name}` | {len(found)} | {', '.join(found)} |"
        print(row)
        if len(found) > most:
            print(f"{name} is named in {len(found)} files, expected at most {most}")
            wrong = True
        if row not in text:
            print(f"the row above is not in {readme}")
            wrong = True
    return wrong


if __name__ == "__main__":
    sys.exit(main())
