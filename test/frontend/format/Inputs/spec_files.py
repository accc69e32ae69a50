"""What the tests of the formatter share."""
import os
import subprocess
import sys


def run(command, text=None):
    """Exit code, output, errors."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", errors="replace")
    return done.returncode, done.stdout, done.stderr


def check(good, what):
    if not good:
        sys.exit(what)


def tree_of(pmc, folder, name):
    """The syntax tree, or None for a text with syntax errors."""
    code, tree, _ = run([pmc, "--emit=ast", os.path.join(folder, name)])
    return tree if code == 0 else None


def disturbed(text):
    """The same lines with other indentation, more empty lines, and blanks at their ends."""
    lines = []
    for line in text.split("\n"):
        code = line.lstrip(" ")
        lines.append(" " + " " * 3 * (len(line) - len(code)) + code + "  " if code else "\n")
    return "\n".join(lines)
