"""Runs the code of a notebook in its folder, and prints what it prints. Without Matplotlib, cells that draw are left out. argv: the notebook."""
import importlib.util
import json
import os
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
os.chdir(os.path.dirname(os.path.abspath(sys.argv[1])))
names = {"__name__": "__main__"}
for number, cell in enumerate(cells):
    source = "".join(cell["source"])
    if "import matplotlib" in source and not importlib.util.find_spec("matplotlib"):
        print(f"cell {number} draws with Matplotlib, which is not installed", file=sys.stderr)
    elif cell["cell_type"] == "code":
        exec(compile(source, f"cell {number}", "exec"), names)
