"""What a step of a program calls of the simulated driver: the difference between two runs of few and many steps.

usage: calls.py PROGRAM SCRATCH (compiled with --target=cuda --emulate-gpu)"""
import os
import pathlib
import subprocess
import sys

program, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
scratch.mkdir(parents=True, exist_ok=True)
FEW, MANY = 4, 12
# What waits for all that is queued, takes memory or makes things.
NEVER = ("cuStreamSynchronize", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemAllocFromPoolAsync", "cuMemFreeAsync",
         "cuMemHostAlloc", "cuMemGetInfo_v2",
         "cuEventCreate", "cuEventDestroy_v2", "cuStreamCreate", "cuStreamDestroy_v2", "cuModuleLoadDataEx",
         "cuModuleGetFunction", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cufftMakePlanMany64")


def calls(steps, flags, devices):
    counts = scratch / "calls"
    subprocess.run([program, f"--steps={steps}", "--quiet", f"--out={scratch}/out", *flags], check=True,
                   env={**os.environ, "FAKECUDA_CALLS": str(counts), "FAKECUDA_DEVICES": str(devices)})
    return {name: int(count) for name, count in map(str.split, counts.read_text().splitlines())}


failures = 0
MESH = "--mesh=row=2,col=2"
for ranks, devices, flags in ((1, 1, []), (4, 4, [MESH, "--transport=nccl"]), (4, 4, [MESH]), (4, 1, [MESH])):
    few, many = calls(FEW, flags, devices), calls(MANY, flags, devices)
    step = {name: (count - few.get(name, 0)) / (MANY - FEW) / ranks for name, count in many.items()}
    print(f"{ranks} rank{'s' if ranks > 1 else ''} on {devices} GPU{'s' if devices > 1 else ''} {' '.join(flags)}, calls a step and rank: "
          + ", ".join(f"{name} {count:g}" for name, count in step.items() if count))
    wrong = [f"{name} {step[name]:g}, expected 0" for name in NEVER if step.get(name)]
    if not step.get("cuLaunchKernel"):
        wrong.append("no kernel is counted")
    # For the step before the last one, and where numbers go to the host or come from it: ranks have halos of other sizes each step.
    waits = 1 + step.get("cuMemcpyDtoHAsync_v2", 0) + step.get("cuMemcpyHtoDAsync_v2", 0)
    if "--transport=nccl" not in flags and step.get("cuEventSynchronize") != waits:
        wrong.append(f"cuEventSynchronize {step.get('cuEventSynchronize')}, expected {waits:g}")
    if ranks == 1 and waits != 1:
        wrong.append(f"{waits - 1:g} copies between host and device, expected 0")
    failures += bool(wrong)
    print("not ok: " + "; ".join(wrong) if wrong else "ok")
sys.exit(failures != 0)
