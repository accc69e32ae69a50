"""Makes a program and a library with several umasks: permissions.py PMC SPEC."""

import os
import subprocess
import sys

compiler, spec = sys.argv[1:]
for mask in (0o022, 0o002, 0o077, 0o027):
    os.umask(mask)
    for kind in ("exe", "lib"):
        subprocess.run([compiler, "--emit=" + kind, spec, "-o", "made"], check=True)
        mode = os.stat("made").st_mode & 0o777
        assert mode == 0o777 & ~mask, f"umask {mask:o}: the {kind} has the mode {mode:o}"
        os.remove("made")
assert not os.listdir("."), os.listdir(".")
