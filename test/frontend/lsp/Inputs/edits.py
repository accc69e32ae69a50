"""Formatting, outline and fixes. Arguments: pmc, a folder, specs to format."""
import os
import subprocess
import sys

from client import Client, apply, range_of

compiler, folder, *specs = sys.argv[1:]
client = Client(compiler)
document = client.open(os.path.join(folder, "spec.pm"), "")


def fix(text, title):
    """The text after a fix of its only diagnostic."""
    document.set(text)
    found, = document.wait()
    actions = document.request("codeAction", range=found["range"], context={"diagnostics": [found]})
    action, = [action for action in actions if action["title"] == title]
    assert action["kind"] == "quickfix" and action["diagnostics"] == [found], action
    return apply(text, action["edit"]["changes"][document.uri])


# Fixes.
assert fix('print "é𝛼 {}", smoth(1)\nfn smooth(x) = x\n',
           "Replace by 'smooth'") == 'print "é𝛼 {}", smooth(1)\nfn smooth(x) = x\n'
assert fix("let a = 3\nprint \"{}\", E(flat_lcdm(), 1.0)\n".replace("flat_lcdm()", "a"),
           "Add 'use cosmology'").startswith("use cosmology\n\nlet a = 3\n")
assert fix("// About.\nuse math\n\nlet a = flat_lcdm()\n",
           "Add 'use cosmology'") == "// About.\nuse math\nuse cosmology\n\nlet a = flat_lcdm()\n"
assert fix("// About.\n\n// Of a.\nlet a = flat_lcdm()\n",
           "Add 'use cosmology'") == "// About.\n\nuse cosmology\n\n// Of a.\nlet a = flat_lcdm()\n"
# A comment at the beginning is about the file, also directly above a declaration.
assert fix("// About.\n// More.\nlet a = flat_lcdm()\n",
           "Add 'use cosmology'") == "// About.\n// More.\nuse cosmology\n\nlet a = flat_lcdm()\n"
document.set("let a = 1\nlet b = aa\n")
document.wait()
# Editors ask at the cursor: at both ends of the range of a diagnostic, and in the range.
for character in (8, 9, 10):
    cursor = {"line": 1, "character": character}
    assert document.request("codeAction", range={"start": cursor, "end": cursor}, context={"diagnostics": []}), character
for character in (7, 11):
    cursor = {"line": 1, "character": character}
    assert document.request("codeAction", range={"start": cursor, "end": cursor}, context={"diagnostics": []}) == [], character
elsewhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
assert document.request("codeAction", range=elsewhere, context={"diagnostics": []}) == []

# The outline.
text = '''const n = 8
// Along x.
dim x = n, y = n over 1 Mpc/h
param a: f64 = 2 "The slope"
input f: field[x]

/// Doubles.
// A number.
fn twice(v) {
  let w = 2 * v
  w
}
let (p, q) = (twice(a), 3)
output g = p * f
'''
document.set(text)
symbols = document.request("documentSymbol")
expected = [
    ("n", 14, "const", "const [[n]]"), ("x", 26, "dim: Along x.", "dim [[x]]"), ("y", 26, "dim: Along x.", ", [[y]]"),
    ("a", 7, "param: The slope", "param [[a]]"), ("f", 11, "input", "input [[f]]"),
    ("twice", 12, "fn: Doubles.", "fn [[twice]]"), ("p", 13, "let", "([[p]]"), ("q", 13, "let", ", [[q]]"),
    ("g", 24, "output", "output [[g]]")]
assert [(symbol["name"], symbol["kind"], symbol["detail"], symbol["selectionRange"]) for symbol in symbols] == [
    (name, kind, detail, range_of(text, marked)) for name, kind, detail, marked in expected], symbols
twice = symbols[5]["range"]
assert twice == range_of(text, "[[fn twice(v) {\n  let w = 2 * v\n  w\n}]]"), twice

# A position beyond the end of its line is the end of the line, and one behind the last line is the end of the text.
document.set("let first = 1\nlet second = 2\nlet third = 3\n")


def change(begin, end, new):
    where = [{"line": line, "character": character} for line, character in (begin, end)]
    document._changed([{"range": {"start": where[0], "end": where[1]}, "text": new}])
    return [symbol["name"] for symbol in document.request("documentSymbol")]


assert change((0, 12), (0, 99), "4  // 𝛼") == ["first", "second", "third"]
assert change((1, 99), (1, 99), "0") == ["first", "second", "third"]
assert change((2, 0), (99, 99), "let last = 5\n") == ["first", "second", "last"]
document.text = "let first = 4  // 𝛼\nlet second = 20\nlet last = 5\n"
assert apply(document.text, document.request("formatting", options={"tabSize": 2, "insertSpaces": True})) == document.text

# Formatting gives what pmc fmt gives.
def formatted(text):
    return subprocess.run([compiler, "fmt", "-"], input=text, capture_output=True, text=True, check=True).stdout


options = {"tabSize": 2, "insertSpaces": True}
texts = ["let   a=1\n", "let a = 1", "\n\n\nlet a = 1\n\n\n\nlet  b =2\n// é𝛼   \nlet c= a+b\n", ""]
for path in specs:
    with open(path) as source:
        lines = source.read()
    texts += [lines, lines.replace(" = ", "="), lines.replace("\n", "\n\n\n"), lines.replace("  ", "     ")]
changed = 0
for text in texts:
    document.set(text)
    edits = document.request("formatting", options=options)
    changed += bool(edits)
    assert apply(text, edits) == formatted(text), text
assert changed > len(texts) // 2
document.set("let a = (1\n")
assert document.request("formatting", options=options) == []

# Only what differs is replaced.
document.set("let a = 1\nlet b=2\nlet c = 3\n")
edit, = document.request("formatting", options=options)
assert edit == {"range": range_of(document.text, "[[let b=2\n]]"), "newText": "let b = 2\n"} or edit == {
    "range": range_of(document.text, "[[let b=2]]"), "newText": "let b = 2"}, edit
assert client.stop() == 0
