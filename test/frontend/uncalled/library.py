"""Checks all functions of each module. Arguments: pmc, the folder of modules, a folder for copies."""
import os
import subprocess
import sys

compiler, modules, folder = sys.argv[1:]
names = sorted(name for name in os.listdir(modules) if name.endswith(".pm"))
assert names
for name in names:
    text = open(os.path.join(modules, name)).read()
    copy = os.path.join(folder, "copy_of_" + name)
    with open(copy, "w") as file:
        file.write(text)
    found = subprocess.run([compiler, "check", copy], capture_output=True, text=True)
    assert found.returncode == 0 and not found.stderr, (name, found.stderr)
    with open(copy, "a") as file:
        file.write("\nfn wrong_units(any_value) = any_value + 1 km - 1 s\n")
    found = subprocess.run([compiler, "check", copy], capture_output=True, text=True)
    assert found.returncode == 1 and found.stderr.count("error:") == 1, (name, found.stderr)
    assert "'-' requires equal units, not km and s" in found.stderr, (name, found.stderr)
