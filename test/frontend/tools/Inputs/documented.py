"""Every word of the language, every unit and every builtin has an entry in `pmc help`. Arguments: pmc, a folder for files."""
import json
import os
import subprocess
import sys

compiler, folder = sys.argv[1:]


def output(*arguments):
    return subprocess.run([compiler, *arguments], capture_output=True, text=True, check=True).stdout


language = json.loads(output("language"))
kinds = {"keyword": language["keywords"] + language["words"] + language["types"], "unit": language["units"], "builtin": language["builtins"]}
found = json.loads(output("help", "--json", *(name for names in kinds.values() for name in names)))
for kind, names in kinds.items():
    entries = {entry["name"]: entry for entry in found if entry["kind"] == kind}
    for name in names:
        entry = entries.get(name, {})
        if not entry.get("text") and not entry.get("summary"):
            print("%s '%s' has no text; add it to frontend/doc/language" % (kind, name))
        if kind == "builtin" and not entry.get("example"):
            print("builtin '%s' has no example; add one to frontend/doc/language/builtins.txt" % name)
        for argument in entry.get("arguments", []) if kind == "builtin" else []:
            if not argument.get("text"):
                print("builtin '%s' has no text for its argument '%s'; add one to frontend/doc/language/builtins.txt" % (name, argument["name"]))
builtin = next(entry for entry in found if entry["name"] == "white_noise")
assert builtin["signature"] == "white_noise[dims](seed)", builtin
assert builtin["arguments"][0]["name"] == "seed", builtin

# The example of an entry is complete, but for the use of its value.
for entry in json.loads(output("help", "--json", "light_cone", "smooth", "fista", "nufft", "conv", "paint", "up_conv", "least_squares")):
    if entry["kind"] in ("builtin", "function"):
        *lines, last = entry["example"].split("\n")
        path = os.path.join(folder, entry["name"] + "_example.pm")
        with open(path, "w") as file:
            file.write("\n".join(lines + ["let example = " + last]) + "\n")
        subprocess.run([compiler, "check", path], check=True)
        assert entry["name"] != "smooth" or len(lines) == 3, lines  # only what it needs

# Lines fit a terminal, except those of code.
os.environ["COLUMNS"] = "80"
for line in output("help", "smooth", "solvers", "layout", "Mpc", "--emit").split("\n"):
    assert len(line) <= 80 or "(" in line, line
print("%d words" % sum(map(len, kinds.values())))
