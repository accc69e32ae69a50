#!/usr/bin/env python3
"""The check of an index counts where its branch is taken: guards.py PMC FOLDER

Each form of branches reads cell i + k of 8, or does not, for k around all limits. The run fails if a cell that is read is not there."""
import os
import shlex
import subprocess
import sys

N = 8
# The body of a map over i, and which i read the cell i + k; with edge = "reflect", one reflection is allowed.
READ, REFLECTED = "f[x = i + k]", 'f[x = i + k, edge = "reflect"]'
FORMS = [
    (f"if i < 4 then {READ} else 0", range(0, 4), N - 1),
    (f"if i < 4 then 0 else {READ}", range(4, N), N - 1),
    (f"if i < 4 then (if i < 2 then 0 else {READ}) else 0", range(2, 4), N - 1),
    (f"if i < 4 then 0 else (if i < 6 then {READ} else 0)", range(4, 6), N - 1),
    (f"if i < 4 then 0 else if i < 6 then 0 else {READ}", range(6, N), N - 1),
    (f"if i < 4 then {READ} else 2 * {READ}", range(0, N), N - 1),
    (READ, range(0, N), N - 1),
    (REFLECTED, range(0, N), 2 * (N - 1)),
    (f"if i < 4 then 0 else {REFLECTED}", range(4, N), 2 * (N - 1)),
    (f"if i < 4 then {REFLECTED} else 0", range(0, 4), 2 * (N - 1)),
]


def main():
    pmc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path, program = os.path.join(folder, "guards.pm"), os.path.join(folder, "guards")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"param which: int = 0\nparam k: int = 0\ndim x = {N} over 1\nlet f = white_noise[x](1)\n")
        for form, (body, _, _) in enumerate(FORMS):
            file.write(f'if which == {form} {{ print "{{}}", sum(map q in f => {{ let i = int(index(q, x)); {body} }}) }}\n')
    subprocess.run([*shlex.split(pmc), "-O0", path, "-o", program], check=True)
    wrong = count = 0
    for form, (body, cells, reach) in enumerate(FORMS):
        least = 0 if reach == N - 1 else -(N - 1)
        limits = {edge - cell for edge in (least, reach) for cell in (cells[0], cells[-1])}
        for k in sorted({limit + d for limit in limits for d in (-1, 0, 1)}):
            done = subprocess.run([program, "--quiet", "--out", os.path.join(folder, "out"), f"--which={form}", f"--k={k}"],
                                  capture_output=True, text=True)
            fits = all(least <= i + k <= reach for i in cells)
            count += 1
            if (done.returncode == 0) != fits or (not fits and "guards.pm:" not in done.stderr):
                print(f"{body} with k = {k}: exit code {done.returncode}, expected {'0' if fits else 'an error'}\n{done.stderr}")
                wrong += 1
    print(f"{count} runs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
