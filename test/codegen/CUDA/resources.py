"""Checks what ptxas makes of kernels: resources.py FOLDER PTXAS PTX KERNEL=REGISTERS...

No kernel may spill registers, or add to memory whose address space is unknown. Kernels whose names begin with KERNEL have at most
so many registers (sm_90)."""
import pathlib
import re
import subprocess
import sys

folder, ptxas, ptx, *limits = sys.argv[1:]
cubin = pathlib.Path(folder) / "kernels.cubin"
text = pathlib.Path(ptx).read_text()
done = subprocess.run([ptxas, "-arch=sm_90", "-v", ptx, "-o", cubin], capture_output=True, text=True, check=True)

wrong, registers = [], {}
for kernel in re.finditer(r"^\.visible \.entry (\w+)\((.*?)^}", text, re.M | re.S):
    name, body = kernel.groups()
    # atom.add.f32, red.relaxed.gpu.add.f32: neither .global nor .shared
    for line in re.findall(r"^\s*(?:@%p\d+ )?((?:atom|red)\.\S+)", body, re.M):
        if ".global" not in line and ".shared" not in line:
            wrong.append(f"{name}: {line} has a generic address")
for name, rest in re.findall(r"Compiling entry function '(\w+)' for '\w+'\n(.*?)(?=Compiling entry|\Z)", done.stderr, re.S):
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill", rest)]
    if any(spills):
        wrong.append(f"{name}: spills {spills}")
    registers[name] = int(re.search(r"Used (\d+) registers", rest)[1])
for limit in limits:
    start, most = limit.split("=")
    found = {name: used for name, used in registers.items() if name.startswith(start)}
    if not found:
        wrong.append(f"no kernel is named {start}")
    for name, used in found.items():
        print(f"{name}: {used} registers, at most {most}")
        if used > int(most):
            wrong.append(f"{name}: {used} registers, more than {most}")
print(f"{len(registers)} kernels")
for line in wrong:
    print("wrong:", line)
sys.exit(bool(wrong))
