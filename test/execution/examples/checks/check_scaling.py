"""The table of examples/scaling against pmc --explain.

    check_scaling.py PMC SCRIPT FOLDER"""
import json
import os
import shlex
import subprocess
import sys

pmc, script, folder = sys.argv[1:]
nbody = os.path.join(os.path.dirname(script), "..", "nbody", "nbody.pm")
machine = os.path.join(os.path.dirname(script), "..", "..", "codegen", "Machine", "Machines", "perlmutter.toml")


def table(machine, sizes, ranks, weak="0"):
    text = subprocess.run([sys.executable, script, "--pmc", pmc, "--machines", machine, "--sizes", sizes, "--ranks", ranks, "--weak", weak, "--out", folder],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    print(text)
    lines = text.strip().split("\n")
    assert lines[0].startswith(machine + ", ") and "GiB a rank" in lines[0], lines[0]
    return lines[0], [line.split() for line in lines[2:]]


# One row, by hand.
_, rows = table("perlmutter", "256", "4:16")
assert [row[:2] for row in rows] == [["256", "4"], ["256", "8"], ["256", "16"]], rows
for size, ranks, mesh, step, share, memory, seconds, ops in rows:
    best = []
    for row in (int(ranks), 4, 2, int(ranks) // 4 or 1):
        col = int(ranks) // row
        if (row, col) not in {(int(ranks), 1), (4, 4), (4, 2), (2, 2), (2, 4), (1, 4)}:
            continue
        report = json.loads(subprocess.run([*shlex.split(pmc), "--explain=json", "-D", f"n={size}", "--mesh", f"row={row},col={col}", "--machine", machine,
                                            nbody], check=True, stdout=subprocess.PIPE, text=True).stdout)
        loop = max(range(len(report["loops"])), key=lambda i: sum(
            op["times"] * op["seconds"] for op in report["ops"] if op.get("loop") == i))
        times = [(op["times"] * op["seconds"], op["times"] * sum(m.get("seconds", 0) for m in op["messages"]))
                 for op in report["ops"] if op.get("loop") == loop]
        own, messages = (1e3 * sum(part) / report["loops"][loop]["steps"] for part in zip(*times))
        best.append((own + messages, messages, f"{row}x{col}", report["memory"]["fields"] / 2**30,
                     len([op for op in report["ops"] if not op["op"].endswith("_wait")])))
    told = min(best)
    assert mesh == told[2] and abs(float(step) - told[0]) < 6e-4, (mesh, step, best)
    assert abs(float(share[:-1]) - 100 * told[1] / told[0]) < 0.06 and abs(float(memory) - told[3]) < 6e-3, (share, memory, told)
    assert int(ops) == told[4]

# The largest: memory halves, and the compiler does no more.
head, rows = table("perlmutter", "1024,4096,20480", "32768:65536")
assert "as if it had 16384 nodes instead of 1536" in head, head
assert [row[0] for row in rows] == ["1024", "1024", "4096", "4096", "20480", "20480"], rows
assert abs(float(rows[4][5]) / float(rows[5][5]) - 2) < 0.05, rows
# Filters of lines beyond 16384 cells, which caches do not hold, are three ops.
assert all(abs(int(row[-1]) - int(rows[0][-1])) <= 8 and float(row[-2]) < 20 for row in rows), rows
assert os.path.getsize(os.path.join(folder, "perlmutter.png")) > 1000

# As many particles a rank: rows of the other table, and what they are of the first.
_, rows = table("perlmutter", "128", "8:8", weak="64")
strong, _, title, _, alone, eight = rows
assert title == ["64^3", "particles", "a", "rank"] and alone[:2] == ["64", "1"] and alone[5] == "100.0%", rows
assert eight[:5] == strong[:5] and abs(float(eight[5][:-1]) - 100 * float(alone[3]) / float(eight[3])) < 0.2, rows
