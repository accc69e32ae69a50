"""Parses the specs of the tree with the grammar in the current folder.

    parse.py ROOT
"""
import os
import subprocess
import sys

files = []
for top in ("examples", "frontend", "test"):
    for folder, _, names in os.walk(os.path.join(sys.argv[1], top)):
        # Not those with syntax errors, and not `plot 2 labels`, where an option is a name.
        files += [os.path.join(folder, name) for name in sorted(names)
                  if name.endswith(".pm") and not folder.endswith("parser/errors")
                  and not os.path.join(folder, name).endswith("parser/statements.pm")]
assert len(files) > 250, len(files)
sys.exit(subprocess.run(["tree-sitter", "parse", "--quiet"] + files).returncode)
