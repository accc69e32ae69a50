"""Fields over two dims that one axis splits, for each form that a dim has: conflict_labels.py PM-OPT FILE"""

import re
import subprocess
import sys

tool, path = sys.argv[1:]
SPACE = [(form, other, "arith.constant 1.0 : f32") for form in ("x=8", "x*2=16", "x/2=4", "x/4=2")
         for other in ("y=8", "y*2=16", "y/2=4")]
MODES = [(form, other, "complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>")
         for form in ("kx=dual(8)", "kx=dual(16)") for other in ("ky=dual(8)", "ky=half(8)")]
wrong = 0
for form, other, element in SPACE + MODES:
    kind = element.split(" : ")[-1]
    field = f"!pm.field<[{form}, {other}], {kind}>"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["row"]
func.func @main() {{
  %f = pm.map [{form}, {other}] {{
    %e = {element}
    pm.yield %e : {kind}
  }} -> {field}
  return
}}
""")
    done = subprocess.run([tool, "--pm-shard", path, "-o", "/dev/null"], capture_output=True, text=True)
    notes = re.findall(r":(\d+):\d+: note: '(\w+)' is laid out here", done.stderr)
    if done.returncode != 1 or f"splits two dims of [{form}, {other}]" not in done.stderr or notes != [("2", "x"), ("3", "y")]:
        print(f"{field}: exit code {done.returncode}, notes {notes}, expected those of lines 2 and 3:\n{done.stderr}")
        wrong += 1
sys.exit(wrong > 0)
