"""Runs the code of a notebook in its folder, and prints what it prints. argv: the notebook."""
import json
import os
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
os.chdir(os.path.dirname(os.path.abspath(sys.argv[1])))
names = {"__name__": "__main__"}
for number, cell in enumerate(cells):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
