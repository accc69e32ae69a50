"""Programs that are killed at random moments, and resumed until they are done, end in the same bits as one that never was.

    kills.py PMC FOLDER KILLS [CASE...]

A case is PROGRAM:RANKS:TRANSPORT, such as hmc:4:threads; all are run if none is named, and KILLS are for each. Moments of SIGKILL are drawn over the
whole run: planning, iterations, writing of states and of outputs. Of several processes sometimes one is killed, and sometimes all at once. After each kill,
what lies under a final name must be whole: states (`pmrt_checkpoint`), outputs (their bits are those of the run that was never killed).
"""

import glob
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../../../examples")
# Spec, flags of the compiler and of the program, and the mesh of four ranks.
PROGRAMS = {
    "nbody": ("nbody/nbody.pm", ["-D", "n=12", "-D", "apart=2"], ["--steps=12", "--particles=true"], "row=2,col=2"),
    "reconstruction": ("reconstruction/reconstruction.pm", ["-D", "n=8", "-D", "each=3", "-D", "apart=1"], ["--steps=2"], "row=4"),
    "hmc": ("hmc/hmc.pm", ["-D", "n=8", "-D", "samples=8", "-D", "apart=1"], ["--warm=2", "--leaps=1"], "row=2,col=2"),
}
CASES = [f"{name}:{how}" for name in PROGRAMS for how in ("1:self", "4:threads", "4:mpi", "4:tcp")]


started = []  # all processes; none may outlive this one


class Case:
    def __init__(self, pmc, folder, text):
        name, ranks, self.transport = text.split(":")
        spec, consts, self.flags, mesh = PROGRAMS[name]
        self.text, self.ranks, self.folder = text, int(ranks), os.path.join(folder, text.replace(":", "_"))
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.program = os.path.join(folder, name)
        if not os.path.exists(self.program):
            subprocess.run([*pmc, os.path.join(EXAMPLES, spec), *consts, "-o", self.program], check=True)
        self.flags = [*self.flags, "--threads=1", "--quiet", "--plot-format=none"]
        if self.ranks > 1:
            self.flags += ["--mesh", mesh]
        # Plans of transforms decide on bits, and others write to the usual cache at the same time.
        self.environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, "plans")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, out, states, *more):
        command = [self.program, "--out", out, "--checkpoint", states, *self.flags, *more]
        environments = [self.environment]
        if self.transport == "mpi":
            command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(self.ranks), *command]
        elif self.transport == "threads":
            command.append("--transport=threads")
        elif self.transport == "tcp":
            command.append("--rendezvous=" + self.path("meet"))
            environments = [{**self.environment, "PMRT_RANK": str(rank), "PMRT_RANKS": str(self.ranks)} for rank in range(self.ranks)]
        log = open(self.path("log"), "wb")
        processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=each, start_new_session=True) for each in environments]
        started.extend(processes)
        log.close()
        return processes

    def wait(self, processes, seconds=None):
        """Exit codes, or None if they still run."""
        end = None if seconds is None else time.time() + seconds
        try:
            return [process.wait(None if end is None else max(0.0, end - time.time())) for process in processes]
        except subprocess.TimeoutExpired:
            return None

    def kill(self, processes):
        """One rank, or all; waits until no process is left."""
        victims = [process.pid for process in processes if process.poll() is None]
        if self.transport == "mpi":
            victims = [pid for parent in victims for pid in children(parent)] or victims
        if victims and random.random() < 0.5:
            victims = [random.choice(victims)]
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # Open MPI's mpirun may wait for ever for ranks that were killed as they joined it (PMIX ERROR: UNREACHABLE).
        # Without MPI, a rank that has met no other one waits for the watchdog's end.
        while self.wait(processes, 60 if self.transport == "mpi" else 400) is None:
            lost = [process for process in processes if process.poll() is None and not children(process.pid)]
            if self.transport != "mpi" or not lost:
                fail(self, "still runs minutes after ranks were killed")
            print(f"{self.text}: mpirun waits for no rank, and is killed, too", flush=True)
            for process in lost:
                process.kill()

    def bits(self, out):
        return {os.path.basename(path): data(path) for path in glob.glob(os.path.join(out, "*.h5"))}


def children(pid):
    """Processes that run below, without those that have others below them."""
    found = []
    for entry in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(entry, encoding="utf-8", errors="replace") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == pid:
                    found.append(int(entry.split("/")[2]))
        except (OSError, ValueError, IndexError):
            pass
    return [leaf for child in found for leaf in children(child) or [child]]


def data(path):
    with h5py.File(path) as file:
        return b"".join(file[name][()].tobytes() for name in sorted(file))


def fail(case, text):
    with open(case.path("log"), encoding="utf-8", errors="replace") as log:
        sys.exit(f"{case.text}: {text}\n{log.read()}")


def check(pmc, folder, text, kills):
    case = Case(pmc, folder, text)
    whole = case.path("whole")
    for states in ("warm", "whole.ckpt"):  # the first one plans its transforms, too
        begin = time.time()
        if any(case.wait(case.start(whole, case.path(states)))):
            fail(case, "does not run")
    duration = time.time() - begin
    expected = case.bits(whole)
    out, states = case.path("out"), case.path("states")
    done = runs = resumed = writing = 0
    quiet = 0  # runs one after the other that were not killed
    while True:
        more = ["--resume"] if glob.glob(os.path.join(states, "*.ckpt")) else []
        resumed += bool(more)
        processes = case.start(out, states, *more)
        runs += 1
        codes = None
        if done == kills or case.wait(processes, random.uniform(0, duration * (1 + 0.3 * quiet))) is not None:
            codes = case.wait(processes)
        else:
            case.kill(processes)
            done += 1
        left = [name for name in os.listdir(states) if name.endswith(".tmp")] if os.path.isdir(states) else []
        writing += codes is None and bool(left)
        if glob.glob(os.path.join(states, "*.ckpt")):
            look = subprocess.run(["pmrt_checkpoint", states], stdout=subprocess.PIPE, text=True)
            if look.returncode:
                fail(case, f"after {done} kills states are damaged:\n{look.stdout}")
        for name, value in case.bits(out).items():
            if value != expected.get(name):
                fail(case, f"after {done} kills {name} has other bits")
        if codes is None:
            quiet = 0
            continue
        quiet += 1
        if any(codes):
            fail(case, f"ended with {codes} after {done} kills")
        if set(case.bits(out)) != set(expected) or left:
            fail(case, f"has {sorted(case.bits(out))} and {left}")
        if done == kills:
            break
        shutil.rmtree(out)
        shutil.rmtree(states)
    print(f"{text}: the same bits after {done} kills ({writing} as a state was written) and {resumed} resumes; a run takes {duration:.2f} s", flush=True)
    return done


def main():
    pmc, folder, kills = shlex.split(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    seed = int(os.environ.get("KILLS_SEED", "1"))
    random.seed(seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    try:
        total = sum(check(pmc, folder, text, kills) for text in sys.argv[4:] or CASES)
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    print(f"{total} kills, seed {seed}: all the same bits")


main()
