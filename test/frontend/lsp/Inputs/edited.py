"""Random edits: the server survives them, and ends with what a fresh one finds. Arguments: pmc, a folder, specs."""
import os
import random
import sys

from client import Client, position

compiler, folder, *specs = sys.argv[1:]
seed = int(os.environ.get("PMC_LSP_SEED", "1"))
edits = int(os.environ.get("PMC_LSP_EDITS", "150"))
chance = random.Random(seed)
pieces = ["(", ")", "{", "}", "[", "]", "\n", " ", '"', "//", "let ", "fn f(x) = x\n", "=", "=>", "é", "𝛼", "map k in ",
          "for i in 0 .. 3 => ", "loop v = 1.0 while v < 2.0 => v + 1.0\n", "1e400", "-", ".", ",", "x", "use math\n",
          "param q: f64 = 1\n", "output o = 1\n", "error(\"a\")", "@", "\0", "\r\n", "const n = 3\n", "3 Mpc/h "]
methods = ["hover", "definition", "references", "documentHighlight", "completion", "signatureHelp", "documentSymbol",
           "semanticTokens/full", "formatting", "inlayHint", "codeAction", "prepareRename"]

for number, path in enumerate(specs):
    with open(path) as source:
        text = source.read()
    client = Client(compiler)
    document = client.open(os.path.join(folder, f"spec{number}.pm"), text)
    for edit in range(edits):
        size = len(document.text)
        begin = chance.randrange(size + 1)
        end = min(size, begin + chance.choice([0, 0, 0, 1, 3, 20]))
        kind = chance.random()
        if kind < 0.1:  # back to a spec, where most features have something to do
            document.set(text)
        elif kind < 0.2:
            at = chance.randrange(len(text))
            document.replace(begin, end, text[at:at + chance.randrange(80)])
        else:
            document.replace(begin, end, chance.choice(pieces))
        if edit % 3 == 0:
            where = position(document.text, chance.randrange(len(document.text) + 1))
            whole = {"start": {"line": 0, "character": 0}, "end": where}
            document.request(chance.choice(methods), position=where, range=whole, context={
                "includeDeclaration": True, "diagnostics": []}, options={"tabSize": 2, "insertSpaces": True})
    found = document.wait()
    symbols = document.request("documentSymbol")
    tokens = document.request("semanticTokens/full")
    assert client.stop() == 0, (seed, path)
    fresh = Client(compiler)
    other = fresh.open(document.path, document.text)
    assert found == other.wait(), (seed, path)
    assert symbols == other.request("documentSymbol"), (seed, path)
    assert tokens == other.request("semanticTokens/full"), (seed, path)
    assert fresh.stop() == 0
