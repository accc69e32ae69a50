"""What the transforms of the N-body loop send is what --emit=sharded says, and two transposes a transform.

usage: bytes.py PMC SPEC SCRATCH (n = 30: sides and half spectra divide by 2)"""
import json
import os
import re
import subprocess
import sys

pmc, spec, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
program, trace = os.path.join(scratch, "nbody"), os.path.join(scratch, "trace.json")
rounds = 3  # steps + 1
text = subprocess.run([pmc, "-D", "n=30", "--emit=sharded", spec], check=True, capture_output=True, text=True).stdout
loop = re.search(r"pm\.progress +step(.*?)pm\.progress +end", text, re.DOTALL).group(1)
formulas = re.findall(r'pm\.i?fft .*?bytes = #cost\.expr<"([^"]*)">, transposes = (\d+)', loop)
assert len(formulas) == 2, f"expected 2 transforms in the loop, found {len(formulas)}"
subprocess.run([pmc, "-D", "n=30", spec, "-o", program], check=True)


def measured(row, col):
    """Bytes and number of the first rank's transposes in the loop."""
    subprocess.run([program, "--mesh", f"row={row},col={col}", "--transport=threads", "--threads=1",
                    f"--steps={rounds - 1}", "--box=100", "--profile", trace, "--out", os.path.join(scratch, "out"),
                    "--quiet"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    events = [e for e in json.load(open(trace))["traceEvents"] if e.get("ph") == "X" and e["pid"] == 0]
    # The line of the spec; behind it stands that of the library.
    line = lambda event: event["args"]["where"].split(" (")[0]
    where = next(line(e) for e in events if e["name"] == "readout")
    found = [e for e in events if e["name"] == "transpose" and line(e) == where]
    return sum(e["args"]["bytes"] for e in found), len(found)


for row, col in [(2, 2), (2, 1), (1, 2)]:
    said = rounds * sum(eval(formula, {"row": row, "col": col}) for formula, _ in formulas)
    sent, count = measured(row, col)
    # A transpose along an axis of one rank moves nothing and is not counted.
    most = rounds * sum(int(transposes) for _, transposes in formulas)
    print(f"{row}x{col}: {sent} bytes sent, {said} expected; {count} transposes, at most {most}")
    assert sent == said and 0 < count <= most
