"""Checks that the .pm files of the tree are formatted, and that formatting restores them.

    tree.py PMC ROOT EXCEPTIONS FOLDER    of work
"""
import os
import shutil
import sys

from spec_files import check, disturbed, run, tree_of

pmc, root, exceptions, work = sys.argv[1:]
kept = {line.split()[0] for line in open(exceptions, encoding="utf-8") if line.strip() and not line.startswith("#")}
paths = []
for top in ("dialect", "passes", "codegen", "frontend", "runtime", "test", "examples"):
    for folder, _, files in os.walk(os.path.join(root, top)):
        paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files) if name.endswith(".pm")]
check(len(paths) > 250, f"found only {len(paths)} files")
check(kept <= set(paths), f"{exceptions}: no such file: {kept - set(paths)}")

# Files with syntax errors are no subject of this test; they are named in messages.
code, listed, messages = run([pmc, "fmt", "--check"] + [os.path.join(root, path) for path in paths])
wrong = {os.path.relpath(path, root) for path in listed.splitlines()}
broken = {path for path in paths if os.path.join(root, path) + ":" in messages}
check("internal error" not in messages, messages)
check(not broken & kept, f"{exceptions}: with syntax errors, files need no entry: {broken & kept}")
check(kept <= wrong, f"{exceptions}: formatted files need no entry: {kept - wrong}")
check(wrong == kept, "not formatted: pmc fmt " + " ".join(sorted(wrong - kept)))

# Formatting restores the text from other indentation, and the tree is the same: of some, by another way to compare.
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
texts = {}
for number, path in enumerate(sorted(set(paths) - broken - kept)):
    with open(os.path.join(root, path), encoding="utf-8", newline="", errors="surrogateescape") as file:
        texts[f"{number}.pm"] = path, file.read()
    with open(os.path.join(work, f"{number}.pm"), "w", encoding="utf-8", newline="",
              errors="surrogateescape") as file:
        file.write(disturbed(texts[f"{number}.pm"][1]))
    if number % 8 == 0:
        trees = [tree_of(pmc, root, path), tree_of(pmc, work, f"{number}.pm")]
        check(trees[0].split("\n")[1:] == trees[1].split("\n")[1:], f"{path}: blanks change the syntax tree")
code, _, messages = run([pmc, "fmt"] + [os.path.join(work, name) for name in texts])
check(code == 0, messages)
for name, (path, text) in texts.items():
    with open(os.path.join(work, name), encoding="utf-8", newline="", errors="surrogateescape") as file:
        result = file.read()
    check(result == text, f"{path}: indented in another way, it is formatted as\n{result}")
check(len(texts) > 250, f"only {len(texts)} files were compared")
