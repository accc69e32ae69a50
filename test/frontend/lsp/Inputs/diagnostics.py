"""Diagnostics: their places, fixes, and the life of the server. Arguments: pmc, a folder."""
import os
import subprocess
import sys
import time

from client import Client, Failure, path_of, range_of

compiler, folder = sys.argv[1:]
spec = os.path.join(folder, "spec.pm")
client = Client(compiler)
assert client.capabilities["textDocumentSync"]["change"] == 2

# A good spec, then a mistake behind characters of two UTF-16 units.
text = 'const n = 4\ndim x = n over 1 Mpc/h\nlet r = 3 Mpc/h\noutput a = r * constant[x](1.0)\n'
document = client.open(spec, text)
assert document.wait() == []
document.replace(len(text), len(text), 'print "𝛼é {}", rr\n')
found, = document.wait()
assert found["severity"] == 1 and found["source"] == "pmc", found
assert found["message"].startswith("undefined name 'rr'"), found
assert found["code"] == "did-you-mean" and found["data"]["code"] == "PM0201", found
assert found["range"] == range_of(document.text, '}", [[rr]]'), found

# "Did you mean", and its fix.
document.set(text.replace("constant[", "constnt["))
found, = document.wait()
assert found["code"] == "did-you-mean" and found["data"] == {"code": "PM0201", "replacement": "constant"}, found
assert found["range"] == range_of(document.text, "[[constnt]]"), found

# Notes are related information.
document.set(text + "let r = 5\n")
found, = document.wait()
assert found["code"] == found["data"]["code"] == "PM0202", found
note, = found["relatedInformation"]
assert found["range"] == range_of(document.text, "let [[r]] = 5"), found
assert note["location"] == {"uri": document.uri, "range": range_of(text, "let [[r]] = 3")}, note
assert note["message"] == "first defined here", note

# Warnings.
document.set("dim x = 4\nparam a: f64 = 1\noutput o = constant[x](a) * 1e-60\n")
found = document.wait()
assert [one["severity"] for one in found] == [2] * len(found) and found, found

# A syntax error, an empty text, and text that is not a spec.
document.set("fn f(x = {\n")
assert document.wait()[0]["severity"] == 1
document.set("")
assert document.wait() == []
document.set("\x00 🙂 )]}\n" * 50)
assert document.wait()[0]["severity"] == 1

# A loop that is too long to unroll.
document.set("const n = 1000000\nlet a = for i in 0 .. n => for j in 0 .. n => i * j\n")
assert document.wait()[0]["severity"] == 1

# A newer version stops the evaluation of an older one, which takes seconds.
slow = '''fn f(x) = loop v = x for i in 0 .. 3 => sin(v) + i
fn g(x) {
  let s = for i in 0 .. 4000 => f(x + i) * cos(x * i)
  s[7]
}
print "{}", g(1.0) + g(2.0) * g(3)
'''
begin = time.perf_counter()
document.set(slow)
assert document.wait() == []
whole = time.perf_counter() - begin
document.set(slow + "\n")
time.sleep(0.1)
begin = time.perf_counter()
document.set("let a = 1\n")
assert document.wait() == []
assert time.perf_counter() - begin < whole / 2, whole

# A module that is open counts in place of its file, and its messages appear where it is used.
module = os.path.join(folder, "tools.pm")
with open(module, "w") as out:
    out.write("fn one() = 1\n")
document.set("use tools\nprint \"{}\", two()\n")
assert document.wait()[0]["message"].startswith("undefined name 'two'")
tools = client.open(module, "fn two() = 2\n")
assert tools.wait() == []
# The document is checked once more, without a new version.
while client.diagnostics[document.uri]["diagnostics"]:
    client._receive()
tools.set("fn two() = ¤\n")
while not client.diagnostics[document.uri]["diagnostics"]:
    client._receive()
found = client.diagnostics[document.uri]["diagnostics"][0]
assert found["range"] == range_of(document.text, "use [[tools]]"), found
assert path_of(found["relatedInformation"][0]["location"]["uri"]) == module, found
tools.close()
while not client.diagnostics[document.uri]["diagnostics"][0]["message"].startswith("undefined name 'two'"):
    client._receive()
assert client.diagnostics[tools.uri]["diagnostics"] == []

# Requests that the server does not know, and documents that are not open, are no reason to end.
try:
    client.request("textDocument/nothing", {})
    raise SystemExit("expected an error")
except Failure:
    pass
assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": "file:///none.pm"}}) is None
assert client.stop() == 0

# Consts and folders of modules, as for pmc check.
other = os.path.join(folder, "other")
os.makedirs(other, exist_ok=True)
with open(os.path.join(other, "elsewhere.pm"), "w") as out:
    out.write("fn half_of(x) = x / 2\n")
client = Client(compiler, "-I", other, "-D", "n=7", "--stdio")
document = client.open(spec, 'use elsewhere\nconst n = 4\nassert n == 4, "n = {}", n\nlet a = half_of(n)\n')
found, = document.wait()
assert found["message"].endswith("n = 7"), found
assert client.stop() == 0

# Without `shutdown`, the end of the input ends the server with 1.
process = subprocess.run([compiler, "lsp"], input=b"", capture_output=True)
assert process.returncode == 1 and process.stdout == b"", process
