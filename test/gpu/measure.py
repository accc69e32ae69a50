"""Measurements of test/gpu/run on hardware: times of steps, reasons why kernels wait, gaps between kernels, messages of several GPUs,
and ranks that are killed. All results are on one page, results.md."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

STEPS = (4, 14)  # the time of a step follows from the difference of two runs
TIMED, STORED = "timed", "timed-stored"  # programs whose steps are timed, with differences in tiles of shared memory, or stored
CONVOLVED, CONVOLVED_DIRECTLY = "timed-convolve", "timed-convolve-kernel"
KERNELS = ("paint", "readout")


def is_simulated():
    return bool(os.environ.get("PMC_GPU_SIMULATED"))


def count_gpus():
    """Returns the number of GPUs that this process can use."""
    if is_simulated():
        return int(os.environ.get("FAKECUDA_DEVICES", "1"))
    done = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True) if shutil.which("nvidia-smi") else None
    listed = len(re.findall(r"^GPU \d+", done.stdout, re.M)) if done else 0
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return min(listed, len(visible.split(","))) if visible else listed


def find_tool(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")


class Page:
    """The page results.md, which is written again after each line."""

    def __init__(self, path):
        self.path, self.lines = path, []

    def add(self, text=""):
        self.lines.append(text)
        self.path.write_text("\n".join(self.lines) + "\n")
        print(text, flush=True)

    def table(self, head, rows):
        for row in [head, ["---"] * len(head), *rows]:
            self.add("| " + " | ".join(str(cell) for cell in row) + " |")
        self.add()


def describe_machine(page):
    page.add("# Results on this machine\n")
    if is_simulated():
        return page.add(f"A simulated driver with {count_gpus()} GPUs: times mean nothing.\n")
    for command in (["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm", "--format=csv,noheader"],
                    ["nvidia-smi", "topo", "-p2p", "r"]):
        if count_gpus() > 1 or "topo" not in command:
            done = subprocess.run(command, capture_output=True, text=True)
            page.add("```\n" + done.stdout.strip() + "\n```\n")


def meshes(names):
    """(ranks, flags) for the GPUs there are: ranks of one process."""
    found = [(1, [])]
    if names and count_gpus() >= 2:
        found.append((2, ["--mesh", f"{names[0]}=2"]))
    if len(names) > 1 and count_gpus() >= 4:
        found.append((4, ["--mesh", f"{names[0]}=2,{names[1]}=2"]))
    return found


def time_steps(page, folder, execute, names):
    """Milliseconds of a step of 512^3 cells, on one GPU and on several, by both transports."""
    page.add("## Steps of N-body\n")
    rows = []
    for ranks, flags in meshes(names):
        for transport in ("threads", "nccl") if ranks > 1 else ("",):
            # With --plan=fixed, transposes do not overlap with transforms.
            for program, what, more in ((TIMED, "tiles", []), (STORED, "stored differences", []),
                                        *([(TIMED, "tiles, --plan=fixed", ["--plan=fixed"])] if transport == "nccl" else [])):
                extra = flags + more + ([f"--transport={transport}"] if transport else [])
                step, record, wrong = time_program(folder, execute, program, "steps", extra)
                memory = f"{record['memory']['device_bytes'] / 2**30:.2f}" if record else ""
                rows.append((ranks, transport, what, f"{1e3 * step:.2f}" if record else wrong, memory))
    page.table(("GPUs", "transport", "readouts", "ms a step", "GiB a GPU"), rows)


def time_program(folder, execute, program, param, flags):
    """(seconds of one of the `param`, run.json, what is wrong)."""
    seconds = []
    for steps in STEPS:
        out = folder / "out" / program
        taken, wrong = execute(folder, [folder / f"{program}.cuda", f"--{param}={steps}", "--quiet", "--plot-format=none", "--out", out, *flags])
        if wrong:
            return None, None, "failed: " + wrong.replace("|", "/")
        record = json.loads((out / "run.json").read_text())
        seconds.append(record["timing"]["seconds"])
    return (seconds[1] - seconds[0]) / (STEPS[1] - STEPS[0]), record, None


def time_convolutions(page, folder, execute):
    """A convolution with both of its derivatives, by cuBLAS and by a kernel."""
    page.add("## Convolutions\n")
    products = 3 * 4 * 16 * 4 * 27 * 64**3  # samples, outputs, channels, taps and cells of test/gpu/run
    rows = []
    for program in (CONVOLVED, CONVOLVED_DIRECTLY):
        step, record, wrong = time_program(folder, execute, program, "rounds", [])
        rows.append((record["convolutions"], f"{1e3 * step:.2f}", f"{products / max(step, 1e-9) / 1e12:.2f}") if record else (wrong, "", ""))
    page.table(("calls", "ms", "10^12 products a second"), rows)


def read_stalls(text):
    """{kernel: [(stall reason, share)]} from ncu's CSV of metrics."""
    stalls = {}
    start = text.find('"ID"')
    for row in csv.DictReader(io.StringIO(text[start:])) if start >= 0 else ():
        found = re.match(r"smsp__average_warps_issue_stalled_(\w+?)_per_issue_active", row["Metric Name"])
        if found:
            value = float(row["Metric Value"].replace(",", ""))
            stalls.setdefault(row["Kernel Name"], {})[found[1]] = value
    return {kernel: sorted(all_of_it.items(), key=lambda item: -item[1])[:4] for kernel, all_of_it in stalls.items()}


def measure_stalls(page, folder, environment):
    page.add("## Why paint and readout wait\n")
    ncu = find_tool("ncu")
    if not ncu:
        return page.add("skipped: there is no ncu\n")
    done = subprocess.run([ncu, "--csv", "--print-units", "base", "--kernel-name", "regex:kernel_(paint|readout).*",
                           "--launch-skip", "2", "--launch-count", "4", "--metrics",
                           "regex:smsp__average_warps_issue_stalled_.*_per_issue_active.ratio",
                           folder / f"{TIMED}.cuda", "--steps=2", "--quiet", "--plot-format=none", "--out", folder / "out/ncu"],
                          capture_output=True, text=True, env=environment(folder), timeout=300)
    stalls = read_stalls(done.stdout)
    if not stalls:
        return page.add("failed: " + " ".join((done.stdout + done.stderr).split())[-300:] + "\n")
    page.table(("kernel", "warps that wait for an issue, by reason"),
               [(kernel, ", ".join(f"{reason} {value:.2f}" for reason, value in top)) for kernel, top in stalls.items()])


def read_gaps(text):
    """(busy share, the longest gap in microseconds) of a GPU's kernels and copies, from the CSV of nsys."""
    spans = []
    start = text.find("Start (ns)")
    for row in csv.DictReader(io.StringIO(text[start:])) if start >= 0 else ():
        begin = int(row["Start (ns)"])
        spans.append((begin, begin + int(row["Duration (ns)"])))
    if not spans:
        return None
    spans.sort()
    busy, longest, end = 0, 0, spans[0][0]
    for begin, until in spans:
        longest = max(longest, begin - end)
        busy += max(0, until - max(begin, end))
        end = max(end, until)
    return busy / (end - spans[0][0]), longest / 1e3


def measure_gaps(page, folder, environment, names):
    page.add("## Gaps between kernels\n")
    nsys = find_tool("nsys")
    if not nsys:
        return page.add("skipped: there is no nsys\n")
    rows = []
    for ranks, flags in meshes(names):
        report = folder / f"nsys{ranks}"
        subprocess.run([nsys, "profile", "--force-overwrite=true", "--trace=cuda", "-o", report, folder / f"{TIMED}.cuda", "--steps=10",
                        "--quiet", "--plot-format=none", "--out", folder / "out/nsys", *flags, *(["--transport=nccl"] if flags else [])],
                       capture_output=True, text=True, env=environment(folder), timeout=300)
        done = subprocess.run([nsys, "stats", "--report", "cuda_gpu_trace", "--format", "csv", f"{report}.nsys-rep"],
                              capture_output=True, text=True, timeout=300)
        found = read_gaps(done.stdout)
        rows.append((ranks, f"{found[0]:.1%}", f"{found[1]:.0f}") if found else (ranks, "failed", done.stderr.strip()[-100:]))
    page.table(("GPUs", "busy", "longest gap, microseconds"), rows)


def kill_rank(folder, environment, program, names):
    """Kills one of two processes that NCCL connects. The other one must end by itself, with an error. Returns what is wrong."""
    meeting = folder / "meeting"
    meeting.unlink(missing_ok=True)
    processes = [subprocess.Popen([folder / program, "--steps=1000000", "--quiet", "--plot-format=none", "--mesh", f"{names[0]}=2",
                                   "--transport=nccl", "--watchdog-end=60", f"--rendezvous={meeting}", "--out", folder / "out/kill"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  env={**environment(folder), "PMRT_RANK": str(rank), "PMRT_RANKS": "2"}) for rank in range(2)]
    record = folder / "out/kill/run.json"
    record.unlink(missing_ok=True)
    end = time.monotonic() + 100
    while not record.exists() and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(3)  # in the loop by then
    processes[1].send_signal(signal.SIGKILL)
    try:
        said = processes[0].communicate(timeout=100)[1]
    except subprocess.TimeoutExpired:
        processes[0].kill()
        processes[0].communicate()
        return "the other rank did not end within 100 s"
    finally:
        processes[1].communicate()
    if processes[0].returncode != 2:
        return f"the other rank ended with {processes[0].returncode}, expected 2: " + " ".join(said.split())[-200:]
    return None


def measure(folder, execute, environment, names, counts, failures):
    """The page. `counts` and `failures`: of the comparisons."""
    page = Page(pathlib.Path(folder) / "results.md")
    describe_machine(page)
    page.add("## Comparisons\n")
    page.add("{passed} passed, {failed} failed, {skipped} skipped\n".format(**counts))
    for line in failures:
        page.add(f"    {line}")
    if not (folder / f"{TIMED}.cuda").exists():
        return
    time_steps(page, folder, execute, names)
    time_convolutions(page, folder, execute)
    if is_simulated():
        return
    measure_stalls(page, folder, environment)
    measure_gaps(page, folder, environment, names)
