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


def indentation(line):
    return len(line) - len(line.lstrip(" "))


def widened(code):
    """More blanks where there is one, and none behind commas."""
    return code.replace(", ", ",").replace(" ", "   ")


def disturbed(text):
    """The same lines with other indentation, more empty lines, and blanks at their ends. Within every second line, blanks are other ones, but
    for texts and comments, and where the next line begins below a word of it."""
    lines = text.split("\n")
    made = []
    for number, line in enumerate(lines):
        code = line.lstrip(" ")
        follower = lines[number + 1] if number + 1 < len(lines) else ""
        if number % 2 and '"' not in code and "//" not in code and indentation(follower) <= indentation(line) + 2:
            code = widened(code)
        made.append(" " + " " * 3 * indentation(line) + code + "  " if code else "\n")
    return "\n".join(made)
