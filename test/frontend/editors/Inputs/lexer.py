"""Fails at characters of the tree's specs that the lexer does not know; prints the tokens of a sample.

    lexer.py ROOT
"""
import os
import sys

root = sys.argv[1]
sys.path.insert(0, os.path.join(root, "frontend/Editors/pygments"))
from pm_pygments import PMLexer  # noqa: E402
from pygments.token import Error  # noqa: E402

lexer = PMLexer(stripnl=False, ensurenl=False)
count = 0
for top in ("examples", "frontend", "test"):
    for folder, _, files in os.walk(os.path.join(root, top)):
        # Specs with characters that the compiler does not know either.
        if folder.endswith("parser/errors"):
            continue
        for name in (name for name in files if name.endswith(".pm")):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            tokens = list(lexer.get_tokens(text))
            assert "".join(value for _, value in tokens) == text, name
            wrong = [value for kind, value in tokens if kind is Error]
            assert not wrong, f"{name}: {wrong}"
            count += 1
assert count > 250, count
SAMPLE = """let a = 3 (Mpc/h)^3 * s + 1i * sqrt(mesh.mean)  // done
mesh gpus(row = 1)
param v: vector field[x] km/s
optimize w from v
  minimizing loss
  history losses
?
"""
for kind, value in lexer.get_tokens(SAMPLE):
    if value.strip():
        print(str(kind)[len("Token."):], value)
