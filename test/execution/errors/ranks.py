"""Faults of a compiled N-body program on several ranks: every rank ends within 10 s, one message says what happened and
where, and nothing half-written stays.

usage: ranks.py PROGRAM SCRATCH threads|mpi|tcp (compiled with n = 16)"""
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

program, scratch, transport = sys.argv[1:]
scratch = pathlib.Path(scratch)
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
failures = 0
START = pathlib.Path(__file__).resolve().parents[2] / "runtime/start_ranks"
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root"]


def command(*flags, out="out", before=()):
    words = [program, "--mesh=row=2,col=2", "--threads=1", "--plan=estimate", "--out", str(scratch / out), *flags]
    if not any(flag.startswith("--box") for flag in flags):
        words.append("--box=100")
    if transport == "mpi":
        return [*MPIRUN, "-n", "4", *before, *words]
    if transport == "tcp":
        return [START, "4", *before, *words]
    return [*before, *words, "--transport=threads"]


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def prepare():
    # Background jobs inherit that Ctrl-C is ignored, and so would the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A session of its own outlives this script if the script is killed.
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start(words):
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=prepare)


def finish(what, process, code, texts, begin, out="out", most=10, errors=1):
    """`code`: the exit code, None for any that is not 0. `errors`: messages that begin with error or interrupted."""
    global failures
    said = "".join(process.communicate(timeout=120))
    seconds = time.monotonic() - begin
    folder = scratch / out
    left = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    problems = []
    if process.returncode != code and not (code is None and process.returncode != 0):
        problems.append(f"exit {process.returncode}, expected {code if code is not None else 'not 0'}")
    problems += [f"no '{text}' is said" for text in texts if text not in said]
    count = said.count(" error: ") + said.count(": interrupted")
    if count != errors:
        problems.append(f"{count} messages, expected {errors}")
    if set(left) - {"run.json"}:
        problems.append(f"files {left}, expected at most run.json")
    if seconds > most:
        problems.append(f"{seconds:.1f} s, expected at most {most}")
    failures += bool(problems)
    print("\n  ".join([f"{'not ok' if problems else 'ok'}: {what}", *problems, *([said.strip()] if problems else [])]))
    shutil.rmtree(folder, ignore_errors=True)


def run(what, code, texts, *flags, **options):
    begin = time.monotonic()
    finish(what, start(command(*flags, out=options.get("out", "out"))), code, texts, begin, **options)


def ranks_of(process):
    """The processes that the launcher has started, in the order of ranks."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((path / "stat").read_text().rsplit(")", 1)[1].split()[1]) != process.pid:
                continue
            words = (path / "environ").read_bytes().split(b"\0")
        except (OSError, IndexError):
            continue
        found += [(int(word.split(b"=")[1]), int(path.name)) for word in words
                  if word.startswith((b"OMPI_COMM_WORLD_RANK=", b"PMRT_RANK="))]
    return [pid for _, pid in sorted(found)]


def processor_seconds(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0  # it has ended
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def running(what, code, texts, act, *flags, **options):
    """`act(process)` while the steps run."""
    process = start(command("--steps=1000000", *flags))
    # Nothing reports that the loop runs, but a small mesh needs little until then, whatever else the machine does.
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        ranks, enough = ([process.pid], 2) if transport == "threads" else (ranks_of(process), 0.6)
        if len(ranks) * enough >= 2 and all(processor_seconds(rank) > enough for rank in ranks):
            break
        time.sleep(0.1)
    begin = time.monotonic()
    act(process)
    finish(what, process, code, texts, begin, **options)


good = np.random.default_rng(1).normal(size=(16, 16, 16)).astype(np.float32) * 0.1
np.save(scratch / "good.npy", good)
bad = good.copy()
bad[13, 14, 5] = np.nan
np.save(scratch / "nan.npy", bad)

run("a missing input", 1, ["--delta_lin", "No such file"], f"--delta_lin={scratch}/missing.npy")
run("NaN in the part of one rank", 1, ["rank 3", "--delta_lin", "[13, 14, 5]", "nan"], f"--delta_lin={scratch}/nan.npy")
run("a value out of range", 1, ["--steps", "at least 1"], "--steps=0")
run("parameters that contradict each other", 1, ["nbody.pm:", "is not before"], "--a_start=0.9", "--a_end=0.5")
run("a simulation that turns non-finite", 2, ["nbody.pm:", "not finite", "in step"], "--box=1e-20", "--sigma8=9")

full = scratch / "full"
full.mkdir()
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", full], capture_output=True).returncode == 0:
    try:
        run("a full disk", 1, ["--out: ", "full/out needs", "for the outputs, but the disk has"], "--steps=1", out="full/out")
    finally:
        subprocess.run(["umount", full], check=True)
else:
    print("skipped: a full disk (mounting a tmpfs is not allowed here)")

running("Ctrl-C", None, ["interrupted at ", "nbody.pm:"], lambda process: os.killpg(process.pid, signal.SIGINT))

if transport == "mpi":
    for name, data in (("a", good), ("b", good + np.float32(1e-6))):
        (scratch / name).mkdir()
        np.save(scratch / name / "delta.npy", data)
    words = command("--delta_lin=delta.npy")[len(MPIRUN) + 2:]
    begin = time.monotonic()
    finish("inputs that differ between ranks",
           start([*MPIRUN, "-n", "2", "--wdir", str(scratch / "a"), *words,
                  ":", "-n", "2", "--wdir", str(scratch / "b"), *words]),
           1, ["started with different settings", "--delta_lin differs"], begin)
if transport != "threads":
    texts = {"mpi": ["process rank 1 with PID", "exited on signal 9", "interrupted at ", "nbody.pm:"],
             "tcp": ["nbody.pm:", "rank 1 is lost: process "]}[transport]
    running("SIGKILL of a rank", None, texts, lambda process: os.kill(ranks_of(process)[1], signal.SIGKILL))
    # A rank that stands still: told after a fifth of the time, ended after the whole.
    running("a rank that hangs", None,
            ["nbody.pm:", "warning: '", "has not completed for", "rank 2 did not reach it, ranks 0, 1, 3 wait [PM9202]", "error: "],
            lambda process: os.kill(ranks_of(process)[2], signal.SIGSTOP), "--watchdog-end=5", most=25)

sys.exit(failures != 0)
