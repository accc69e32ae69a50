"""Formats random programs: their syntax trees stay, and what is formatted does.

    programs.py PMC FOLDER FIRST:END WORK    the generator's folder, seeds, a folder of work
"""
import os
import shutil
import sys

from spec_files import check, run, tree_of

pmc, folder, seeds, work = sys.argv[1:]
sys.path.insert(0, folder)
import generate  # noqa: E402

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
texts, trees = {}, {}
for seed in range(*map(int, seeds.split(":"))):
    name = f"{seed}.pm"
    texts[name] = generate.generate(seed).text()
    with open(os.path.join(work, name), "w", encoding="utf-8") as file:
        file.write(texts[name])
    if seed % 4 == 0:
        trees[name] = tree_of(pmc, work, name)
        check(trees[name] is not None, f"{name} has syntax errors")
files = [os.path.join(work, name) for name in texts]
code, _, messages = run([pmc, "fmt"] + files)
check(code == 0, messages)
changed = 0
for name, tree in trees.items():
    check(tree_of(pmc, work, name) == tree, f"{name}: the syntax tree has changed")
for name, text in texts.items():
    with open(os.path.join(work, name), encoding="utf-8") as file:
        changed += file.read() != text
check(changed > 0, "every program was formatted from the start")
code, listed, messages = run([pmc, "fmt", "--check"] + files)
check(code == 0 and not listed, f"formatting twice is not the same as once: {listed}{messages}")
