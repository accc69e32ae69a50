"""Numbers that must be known when a spec is compiled, at both limits of each and one beyond: limits.py PMC FOLDER."""

import pathlib
import re
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
CELLS, FAR, MANY = 1 << 30, 1 << 40, 1 << 20

# What the message calls it, the statement, the least and the largest.
CASES = [
    ("the number of cells", "dim other = {}", 1, CELLS),
    ("the extent of a mesh axis", "mesh ranks(row = {})", 1, MANY),
    ("the number of bins", "let b = bins q in [x] into {} by 1 => 1.0", 1, CELLS),
    ("the offset of a neighbor", "let n = f[x + {}]", -FAR, FAR),
    ("the factor of 'refine'", "let r = refine(x, {})", 1, MANY),
    ("the factor of 'coarsen'", "let c = coarsen(wide, {})", 1, MANY),
    ("the number of a dim in an index", "let v = f[x = {} * y, edge = \"zero\"]", 1, CELLS),
    ("the offset of an index with an edge", "let e = f[x = {} + y, edge = \"clamp\"]", -FAR, FAR),
    ("the bound of an unrolled 'for'", "let u = for i in {0} .. {0} => i", -FAR, FAR),
    ("the index of a component", "let k = (1, 2, 3)[{}]", 0, 2),
    ("the number of iterations", "optimize o from 0.0 minimizing o^2 with adam() for {} iterations", 1, CELLS),
    ("the number of cells of a history",
     "optimize h from 0.0 minimizing h^2 with adam() for i in 0 .. 3 history past[{}]", 1, CELLS),
    ("'snapshots'", "let g = grad(s => s^2, schedule = \"revolve\", snapshots = {})(1.0)", 1, MANY),
    ("the distance of checkpoints", "let l = loop s = 1.0 for i in 0 .. 3 checkpoint every {} => 2 * s", 0, CELLS),
    ("the distance of checkpoints", "optimize c from 0.0 minimizing c^2 with adam() for 3 iterations checkpoint every {}", 1, CELLS),
    ("the number of cells of a piece", "let p = piece(x, {})", 1, CELLS),
]
HEAD = f"use optim\ndim x = 8, y = 4, wide = {MANY}\nlet f = map q in [x] => 1.0\n"


def said(statement):
    path = folder / "spec.pm"
    path.write_text(HEAD + statement + "\n")
    done = subprocess.run([compiler, "--emit=pm", path, "-o", folder / "out"], capture_output=True, text=True)
    return re.findall("error: (.*)", done.stderr) if done.returncode else []


wrong = 0
for what, statement, least, most in CASES:
    for value in (least, most, least - 1, most + 1):
        isGood = least <= value <= most
        found = said(statement.format(value))
        if isGood:
            # Another rule may refuse it, but not this one.
            good = not any(what + " must be" in text for text in found)
        else:
            text = f"{what} must be from {least} to {most}, not {value}"
            good = any(text in one for one in found)
        if not good:
            print(f"{statement.format(value)}\n  {found}, expected {'no error' if isGood else text}")
            wrong += 1
sys.exit(wrong > 0)
