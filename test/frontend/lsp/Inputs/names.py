"""Definitions, references, renaming. Arguments: pmc, a folder, the library, specs for renaming."""
import os
import re
import subprocess
import sys

from client import Client, Failure, apply, find, path_of, position, range_of

compiler, folder, library, *specs = sys.argv[1:]
text = '''use cosmology, tools
mesh ranks(row = 2)
const n = 8
dim x = n over 1 Mpc/h
dim y = 4 over 1 Mpc/h
layout x -> row
param a: f64 = 2
fn scaled(f: field[x], by: f64 = 1) {
  let by2 = by * 2
  let f = f * by2
  map k in f => number(k[x], 1 Mpc/h) * 0.0 + f
}
let c = flat_lcdm()
let e = E(c, 1.0)
let f = scaled(constant[x](a), by = 3)
let g = grad(fn_of, wrt = q)(1.0, 2.0)
fn fn_of(p: f64, q: f64) = p * q
let s = loop v = 0.0 for i in 0 .. 3 => v + 1.0 * i
output total = sum(f) + helped(a)
fn twice(z: field[D]) = z + constant[D](0.0)
print "{}", sum(f[x = 1]) + n
fn both(u: field[w], v: field[w]) = u + v * constant[w](1.0)
'''
module = os.path.join(folder, "tools.pm")
with open(module, "w") as out:
    out.write("// Helps.\nfn helped(v) = twice_of(v)\nfn twice_of(v) = 2 * v\n")
client = Client(compiler)
document = client.open(os.path.join(folder, "spec.pm"), text)


def define(marked):
    """The text of the line of the definition, and its column."""
    found = document.at("definition", marked)
    if found is None:
        return None
    path = path_of(found["uri"])
    with open(path) if path != document.path else open(os.devnull) as file:
        lines = (file.read() if path != document.path else document.text).split("\n")
    start = found["range"]["start"]
    return os.path.basename(path), lines[start["line"]][start["character"]:]


def expect(marked, file, begin):
    found = define(marked)
    assert found and found[0] == file and found[1].startswith(begin), (marked, found)


expect("dim x = |n", "spec.pm", "n = 8")
expect("= sc|aled(constant", "spec.pm", "scaled(f: field")
expect("let by2 = |by", "spec.pm", "by: f64 = 1")
expect("f * by2|", "spec.pm", "by2 = by")
expect("in |f =>", "spec.pm", "f = f * by2")
expect("let f = |f * by2", "spec.pm", "f: field[x], by")
expect("number(|k[x]", "spec.pm", "k in f")
expect("* 0.0 + |f", "spec.pm", "f = f * by2")
expect(", |by = 3", "spec.pm", "by: f64")
expect("wrt = |q", "spec.pm", "q: f64")
expect("grad(|fn_of", "spec.pm", "fn_of(p")
expect("=> |v + 1.0", "spec.pm", "v = 0.0")
expect("1.0 * |i", "spec.pm", "i in 0")
expect("layout |x ->", "spec.pm", "x = n over")
expect("-> |row", "spec.pm", "row = 2")
expect("sum(|f) + h", "spec.pm", "f = scaled")
expect("constant[|D](0", "spec.pm", "D]) = z")
expect("v: field[|w])", "spec.pm", "w], v: field")
expect("constant[|w](1", "spec.pm", "w], v: field")
expect("f[|x = 1]", "spec.pm", "x = n over")
expect("let e = |E(c", "cosmology.pm", "E(c, a) =")
expect("use cosmo|logy", "cosmology.pm", "//")
for marked in ("use |cosmology", "use cosmology|", "use cosmology, |tools", "tools|"):
    expect(marked, "tools.pm" if "tools" in marked else "cosmology.pm", "//")
expect("|helped(a)", "tools.pm", "helped(v)")
assert define("|sum(f) + h") is None and define("output total = sum|(f) + ") is None
assert define("let c |= flat") is None

# References.
found = document.at("references", "let |f = scaled", context={"includeDeclaration": True})
assert [(place["uri"], place["range"]) for place in found] == [(document.uri, range) for range in (
    range_of(text, "let [[f]] = scaled"), range_of(text, "sum([[f]]) +"), range_of(text, "sum([[f]][x"))], found
found = document.at("references", "let |f = scaled", context={"includeDeclaration": False})
assert len(found) == 2, found
found = document.at("references", "let c = |flat_lcdm", context={"includeDeclaration": True})
assert {os.path.basename(path_of(place["uri"])) for place in found} == {"cosmology.pm", "spec.pm"}, found
marks = document.at("documentHighlight", "by: |f64".replace("by: |f64", "|by: f64"))
assert [(mark["range"], mark["kind"]) for mark in marks] == [
    (range_of(text, "[[by]]: f64"), 3), (range_of(text, "= [[by]] * 2"), 2), (range_of(text, ", [[by]] = 3"), 2)], marks

# Renaming, also in a module.
edits = document.at("rename", "wrt = |q", newName="second")["changes"]
assert apply(text, edits[document.uri]) == text.replace("wrt = q", "wrt = second").replace(
    "q: f64) = p * q", "second: f64) = p * second")
edits = document.at("rename", "|helped(a)", newName="h2")["changes"]
assert set(map(path_of, edits)) == {document.path, module}
with open(module) as file:
    assert apply(file.read(), edits[next(uri for uri in edits if path_of(uri) == module)]).startswith(
        "// Helps.\nfn h2(v) =")
assert document.at("prepareRename", "wrt = |q") == range_of(text, "wrt = [[q]]")
assert document.at("prepareRename", "|E(c") is None
for marked, name in (("|E(c", "EE"), ("|sum(f) +", "total_of"), ("let |c = f", "1c"), ("let |c = f", "map"),
                     *(("let |c = f", name) for name in ("", " ", "a b", "a ", " a", "a.b", "a-b", "a+", "a[0]", "a()", "(a)", "a//b", "a\n", "let",
                                                         "2", "\"a\"", "α", "a,b", "a = 1"))):
    try:
        document.at("rename", marked, newName=name)
        raise SystemExit(f"renamed {marked}")
    except Failure as failure:
        assert str(failure).startswith("rename: "), failure

# A module that uses its own functions, from the view of the module and of the spec.
tools = client.open(module, open(module).read())
found = tools.at("references", "= |twice_of(v)", context={"includeDeclaration": True})
assert len(found) == 2, found
found = tools.at("references", "fn |helped", context={"includeDeclaration": True})
assert {path_of(place["uri"]) for place in found} == {module, document.path}, found
tools.close()

# A module of a folder that -I names is not a part of the standard library.
other = os.path.join(folder, "other")
os.makedirs(other, exist_ok=True)
with open(os.path.join(other, "shared.pm"), "w") as out:
    out.write("fn shared(v) = v\n")
with_folder = Client(compiler, "-I", other)
user = with_folder.open(os.path.join(folder, "user.pm"), "use shared\nlet a = shared(1)\n")
edits = user.at("rename", "= |shared(1)", newName="common")["changes"]
assert {os.path.basename(path_of(uri)): len(one) for uri, one in edits.items()} == {"shared.pm": 1, "user.pm": 1}, edits
source = with_folder.open(os.path.join(library, "math.pm"), open(os.path.join(library, "math.pm")).read())
assert source.request("prepareRename", position=position(source.text, source.text.index("fn ") + 3)) is None
assert with_folder.stop() == 0

# A spec is the same program after each of its names has been renamed.
def ir(path):
    return subprocess.run([compiler, "--emit=pm", path], capture_output=True, text=True, cwd=os.path.dirname(path))


renamed = 0
for number, path in enumerate(specs):
    with open(path) as source:
        text = source.read()
    copy = os.path.join(folder, f"copy{number}.pm")
    document = client.open(copy, text)
    legend = client.capabilities["semanticTokensProvider"]["legend"]
    data = document.request("semanticTokens/full")["data"]
    places, line, column = [], 0, 0
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        if data[i + 4] & 1 << legend["tokenModifiers"].index("declaration"):
            places.append((line, column))
    names = set()
    for at in places:
        where = {"line": at[0], "character": at[1]}
        changes = document.request("rename", position=where, newName="renamed_name")["changes"]
        assert list(changes) == [document.uri], changes
        names.add(at)
        changed = apply(text, changes[document.uri])
        left = re.sub(r"\brenamed_name\b", "", changed)
        assert left != changed
        if len(names) % 6 == number % 6:  # pmc takes a while
            with open(copy, "w") as out:
                out.write(changed)
            result = subprocess.run([compiler, "check", copy], capture_output=True, text=True)
            assert result.returncode == 0, (path, at, result.stderr)
            renamed += 1
assert renamed > 10, renamed
assert client.stop() == 0
