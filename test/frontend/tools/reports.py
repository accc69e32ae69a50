"""Whole reports of costs, layouts and predictions, as text: reports.py PMC FOLDER EXPECTED [--update]

Each command's output is compared with EXPECTED; --update writes it anew. Costs are those of the models, the same on every machine. A report
changes where a pass or a model changes: then read the difference, and check that the new figures are right.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

update = "--update" in sys.argv
compiler, folder, expected = [a for a in sys.argv[1:] if a != "--update"]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
HEAD = "mesh ranks(row = 1, col = 1)\nlayout x -> row, y -> col\n"
SPECS = {
    # Nested loops, of which one depends on a param; transforms along both axes; a gradient's reduction.
    "loops": HEAD + """const n: int = 16
dim x = n, y = n, z = n
param steps: int = 4
let f = white_noise[x, y, z](1)
let g = loop s = f for i in 0 .. steps => {
  let t = real(ifft(fft(s^2)))
  loop u = t for j in 0 .. 3 => u + 0.1 * (u[x + 1] - u[y - 2])
}
output g
print "{}", sum(g * f)
""",
    # Choices by params and by what is given; windows; edges; a table.
    "choices": HEAD + """dim x = 32, y = 16, p = 5
param strong: bool = false
param shift: f64 = 1
param factor: f64 = 2
input wanted: field[x, y] optional
let f = if given(wanted) then wanted else white_noise[x, y](2)
let g = if strong then exp(sqrt(abs(f))) else f + shift
let w = g[x = p + 2]
let h = if given(factor) then f * sin(factor * g) else f
let d = g[x + 3, edge = "clamp"] + g[y - 1, edge = "zero"] + g[x - 1, y + 1, edge = "reflect"]
output w
output d
output h
output m = sum(d, over = x)
""",
    # Particles; bins; white noise; a contraction.
    "particles": HEAD + """const n: int = 16
dim x = n over 16
dim y = n over 16
dim z = n over 16
dim c = 3
let u = for d in (x, y, z) => 0.2 * white_noise[x, y, z](3)
let density = paint(u, window = "tsc")
let force = readout(density, u, window = "cic")
let (near, far) = readout((density, density^2), u, window = "cic")
let (counts, sums) = bins q in density into 4 by floor(2 * density) => (1, density)
let mix = map q in [c, x] => 0.1 * index(q, c) + 0.01 * index(q, x)
output force
output both = near + far
output sums
output mean = counts
output mixed = sum(mix * density, over = x)
""",
    # Elements of every size; windows whose ends are constants or one param.
    "elements": HEAD + """dim x = 32, y = 16
param begin: int in [0, 20] = 4
let f = white_noise[x, y](4)
let large = f > 0.5
let number = map q in [x, y] => int(10 * f)
let wave = fft(f)
let short = stored(f, "bf16")
let g = loop u = f for i in 0 .. 3 => map q in u => (if large then u + 0.1 * number else u[x + 1]) + short
output g
output high = ifft(2 * wave)
output few = slice(f, x = 3 .. 9)
output some = slice(f, x = begin .. begin + 8)
output which = map q in f => if large then f else 0
output count = number
""",
}
COMMANDS = [
    "pmc loops.pm --explain --mesh row=2,col=2",
    "pmc loops.pm --explain --mesh row=4,col=2 --param steps=7 --machine dgx-a100",
    "pmc choices.pm --explain --mesh row=2,col=1 --machine laptop",
    "pmc choices.pm --explain --mesh row=2,col=1 --param strong=true --param factor=3 --machine laptop",
    "pmc particles.pm --explain --mesh row=2,col=2 --machine perlmutter",
    "pmc particles.pm --explain",
    # Where bytes and operations take longer than launches.
    "pmc particles.pm -D n=256 --explain --mesh row=2,col=2 --machine laptop",
    "pmc particles.pm --explain=json --mesh row=2,col=2",
    "pmc elements.pm --explain=json --mesh row=2,col=2",
    "pmc loops.pm -D n=512 --explain --mesh row=8,col=4 --machine jean-zay-a100",
    "pmc elements.pm --explain --mesh row=2,col=2 --machine laptop",
    "pmc tune loops.pm --machine dgx-a100 --ranks 8",
    "pmc tune loops.pm --machine laptop --compare 'x -> row, y -> col @ row=2,col=2' 'x -> row, z -> col @ row=4,col=1'",
    "pmc tune loops.pm --machine dgx-a100 --ranks 16 --memory 1KiB",
    "pmc machine predict --machine dgx-a100 --fft 256x128x64 --mesh 4x4",
    "pmc machine predict --machine jean-zay-v100 --fft 64x64x64 --mesh 2x8 --type r2c --precision f64 --json",
    "pmc machine predict --machine laptop --fft 64x32x16 --mesh 1x1 --type c2r --inverse",
    "pmc tune loops.pm --machine laptop --ranks 1",
    "pmc tune loops.pm --machine laptop --compare 'x -> row @ row=0' 'x -> row @ row=2'",
    "pmc tune loops.pm --machine laptop --compare 'x -> row @ row=2,row=2' 'x -> row @ row=2'",
    "pmc tune loops.pm --machine laptop --compare 'x -> row, x -> col @ row=2,col=2' 'x -> row @ row=2'",
    "pmc tune loops.pm --machine laptop --compare 'x -> row, y -> row @ row=2' 'x -> row @ row=2'",
    "pmc tune loops.pm --machine laptop --compare 'x -> row @ row=1048577' 'x -> row @ row=2'",
]
for name, spec in SPECS.items():
    (folder / f"{name}.pm").write_text(spec)
text = ""
for command in COMMANDS:
    words = shlex.split(command)
    done = subprocess.run([compiler, *words[1:]], cwd=folder, capture_output=True, text=True)
    output = done.stdout
    if "--explain=json" in words and done.returncode == 0:
        # A line for each op, with all of its figures.
        output = "".join(" ".join([one["op"], *(f"{key}={value}" for key, value in sorted(one.items()) if isinstance(value, (int, float)))]) + "\n"
                         for one in json.loads(output)["ops"])
    text += f"$ {command}\n{output}{done.stderr}"
    if done.returncode:
        text += f"exit code {done.returncode}\n"
# Of numbers in JSON, six digits.
text = re.sub(r"\d+\.\d{6,}(e-?\d+)?(?=,?$)", lambda found: f"{float(found[0]):.6g}", text, flags=re.MULTILINE)
text = re.sub(r" +$", "", text.replace(f"{folder}/", ""), flags=re.MULTILINE)
if update:
    pathlib.Path(expected).write_text(text)
(folder / "found.txt").write_text(text)
sys.exit(subprocess.run(["diff", "-U1", expected, folder / "found.txt"]).returncode)
