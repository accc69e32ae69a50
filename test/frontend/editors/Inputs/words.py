"""Compares the words of `pmc language` with the sources.

    words.py PMC FRONTEND
"""
import glob
import json
import re
import subprocess
import sys

pmc, frontend = sys.argv[1:]
language = json.loads(subprocess.run([pmc, "language"], capture_output=True, text=True, check=True).stdout)
source = ""
for path in sorted(glob.glob(frontend + "/Parser/*.cpp")):
    with open(path, encoding="utf-8") as file:
        source += file.read()
compared = set(re.findall(r'(?:isWord|acceptWord|acceptClause|expectWord)\("([a-z]+)"\)', source))
compared |= set(re.findall(r'(?:tok\.|peek\(\)\.|peek\(2\)\.|\b)(?:text|word) == "([a-z]+)"', source))
types = set(re.findall(r'\.Cases?\(\{?((?:"[a-z0-9]+"(?:, )?)+)\}?, Base::', source))
types = {name for names in types for name in re.findall(r'"([a-z0-9]+)"', names)} | {"vector"}
# Words of other languages, which the parser explains; a named index; types.
foreign = {"auto", "def", "elif", "export", "func", "function", "import", "include", "lambda", "return", "save", "savefig", "show", "var",
           "write"}
words = compared - foreign - types - {"edge"}
assert foreign <= compared, foreign - compared
assert words == set(language["words"]), words ^ set(language["words"])
assert types == set(language["types"]), types ^ set(language["types"])
with open(frontend + "/Sema/Builtins.def", encoding="utf-8") as file:
    builtins = re.findall(r'^BUILTIN\(\w+, "(\w+)"', file.read(), re.M)
with open(frontend + "/Sema/MathBuiltins.def", encoding="utf-8") as file:
    builtins += re.findall(r'^MATH\(\w+, "(\w+)"', file.read(), re.M)
assert sorted(builtins) == language["builtins"]
assert {"Mpc/h", "h/Mpc", "km", "deg"} <= set(language["units"])
assert {"let", "while", "use"} <= set(language["keywords"])
# The grammar for tree-sitter names each of them.
with open(frontend + "/Editors/tree-sitter/grammar.js", encoding="utf-8") as file:
    grammar = file.read()
named = set(re.findall(r"'([a-z0-9]+)'", grammar)) | {"with"}
for name in ("keywords", "words", "types"):
    assert set(language[name]) <= named, set(language[name]) - named
