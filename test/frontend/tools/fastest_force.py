"""Reads the remarks for every force of the library on two meshes: fastest_force.py PMC FOLDER."""

import pathlib
import re
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
SPEC = """use nbody, pyramid, multigrid
dim x = {0}, y = {0}, z = {0} over 1
let s = for d in (x, y, z) => 0.1 * white_noise[x, y, z](1)
output g = force_at(s, 1, "cic", {1})
"""
ranks = set()
for cells in (16, 32):
    times = {}
    for force in ("fourier_force()", "pyramid()", "multigrid()", "pyramid(2, 1)"):
        path = folder / "spec.pm"
        path.write_text(SPEC.format(cells, force))
        done = subprocess.run([compiler, "--explain", "--machine", "laptop", path, "-o", folder / "costs"], capture_output=True, text=True, check=True)
        remark = next(line for line in done.stderr.splitlines() if "remark:" in line)
        own = float(re.search(r"with this one ([\d.]+) ms", remark)[1])
        others = {name: float(ms) for name, ms in re.findall(r"with (\w+\(\)) ([\d.]+) ms", remark)}
        best = re.search(r"faster with the force (\w+\(\)),", remark)
        expected = min(others, key=others.get) if min(others.values()) < own else None
        assert (best and best[1]) == expected, remark
        assert set(others) == {"fourier_force()", "pyramid()", "multigrid()"} - {re.sub(r"\(.*", "()", force)}, remark
        ranks.add(sum(time < own for time in others.values()))
        for name, time in [*others.items(), (force, own)]:
            assert times.setdefault(name, time) == time, (name, times, remark)
assert ranks == {0, 1, 2}, f"the spec's force is never {({0, 1, 2} - ranks)} places behind the fastest"
