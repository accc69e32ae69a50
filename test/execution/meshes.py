"""A spec on meshes of ranks, for scripts that are called with PMC FOLDER MESH..., a mesh being ROWxCOL."""
import os
import re
import shlex
import subprocess
import sys


def runs(name, spec, flags=(), compile_only=False):
    """Compiles the text in f64 and runs it on every mesh, with more flags, or leaves that: (mesh, command, folder of its outputs, what it prints)."""
    pmc, folder, *meshes = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source, program = os.path.join(folder, name + ".pm"), os.path.join(folder, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(spec)
    subprocess.run(shlex.split(pmc) + [source, "--precision=f64", "-o", program], check=True)
    for mesh in meshes:
        row, col = mesh.split("x")
        out = os.path.join(folder, mesh)
        command = [program, "--mesh", f"row={row},col={col}", "--transport=threads", "--threads=1", "--quiet", "--out", out, *flags]
        yield mesh, command, out, None if compile_only else subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def check_pairs(mesh, text, count, name=str):
    """Of `count` lines "pair CASE there back size": <A v, w> and <v, A^T w> differ by rounding alone, 1e-15 of |A v| |w|."""
    pairs = re.findall(r"pair (\w+) (\S+) (\S+) (\S+)", text)
    if len(pairs) != count:
        sys.exit(f"{len(pairs)} dot products, expected {count}")
    for case, *numbers in pairs:
        there, back, size = map(float, numbers)
        if not abs(there - back) <= 1e-15 * size:
            sys.exit(f"{mesh}: case {name(case)}: <A v, w> = {there}, <v, A^T w> = {back}, "
                     f"{abs(there - back) / size:.1e} of |A v| |w|, expected at most 1e-15")
