#!/usr/bin/env python3
"""What pmc --explain says a rank sends, and what memory fields take, is what a run counts.

    costs.py PMC SPEC FOLDER [--meshes 2x1,2x2,3x1] [--axes row,col] [--pmc "-D n=32 …"] [--flags "--steps=2 …"] [--counts] [--memory]

What the first rank sends, of each kind at each place in the spec, is compared exactly: each time, and with --counts all together. Only halos of particles are not: how wide they are is measured
when the program runs; nor the few numbers that are exchanged to measure it, which runs do not count. With --memory the peak of fields, too, to 5 %."""
import argparse
import collections
import json
import os
import shlex
import subprocess
import sys

# The runtime's calls that send, by the op they are of.
CALLS = {"transpose": "transposes", "reshard": "reshards", "all_reduce": "reductions", "reduce_scatter": "reductions",
         "halo_exchange": "halos", "halo_reduce": "halos"}
KINDS = {"fft": "transposes", "ifft": "transposes", "spectral_filter": "transposes", "reshard": "reshards", "reshard_start": "reshards", "all_reduce": "reductions",
         "reduce_fields": "reductions", "reduce_fields_start": "reductions", "halo_exchange": "halos", "halo_reduce": "halos"}


def parameters(flags):
    """--param of numbers among a program's flags."""
    found = []
    for flag in flags:
        name, _, value = flag.removeprefix("--").partition("=")
        try:
            float(value)
        except ValueError:
            continue
        found += ["--param", f"{name}={value}"]
    return found


def predicted(pmc, spec, mesh, flags):
    """The report, and by kind and place what is sent: at each execution, all together, and whether the amount is known."""
    command = pmc + [spec, "--explain=json", "--mesh", mesh] + parameters(flags)
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    each, total, assumed = collections.defaultdict(set), collections.Counter(), set()
    for op in report["ops"]:
        for message in op["messages"] if op["op"] in KINDS else []:
            key = KINDS[op["op"]], op["where"]
            each[key].add(message["bytes_first_rank"])
            total[key] += int(op["times"]) * message["bytes_first_rank"]
            if message["assumed"]:
                assumed.add(key)
    return report, each, total, assumed


def counted(program, mesh, folder, flags):
    """The same of a run; and its record of memory."""
    trace, out = os.path.join(folder, "trace.json"), os.path.join(folder, "out")
    subprocess.run([program, "--mesh", mesh, "--transport=threads", "--threads=1", "--profile", trace, "--out", out, "--quiet"] + flags, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(trace, encoding="utf-8") as file:
        trace = json.load(file)
    if trace["otherData"]["left_out"]:
        sys.exit("the trace lacks calls: fewer steps, please")
    each, total = collections.defaultdict(set), collections.Counter()
    for event in trace["traceEvents"]:
        if event.get("ph") == "X" and event["pid"] == 0 and event["name"] in CALLS and event["args"]["bytes"]:
            key = CALLS[event["name"]], event["args"]["where"]
            each[key].add(event["args"]["bytes"])
            total[key] += event["args"]["bytes"]
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        return each, total, json.load(file)["memory"]["fields_bytes"]


def compare(mesh, said, sent, counts_known):
    """Returns how many kinds and places were compared."""
    (said_each, said_total, assumed), (sent_each, sent_total) = said, sent
    compared = 0
    for key in sorted(set(said_total) | set(sent_total)):
        if key in assumed:
            continue
        if counts_known and said_total[key] != sent_total[key]:
            sys.exit(f"{mesh} {key}: {sent_total[key]} bytes sent, {said_total[key]} predicted")
        if not sent_each[key] <= said_each[key]:
            sys.exit(f"{mesh} {key}: {sent_each[key]} bytes sent at a time, {said_each[key]} predicted")
        compared += bool(sent_each[key])
    print(f"{mesh}: {sum(sent_total.values())} bytes sent, those of {compared} places as predicted"
          f"{'' if counts_known else ', each time; how often depends on what the program computes'}")
    return compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pmc")
    parser.add_argument("spec")
    parser.add_argument("folder")
    parser.add_argument("--meshes", default="2x1,2x2,3x1")
    parser.add_argument("--axes", default="row,col", help="names of the mesh's")
    parser.add_argument("--pmc", dest="options", default="")
    parser.add_argument("--flags", default="")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--counts", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    pmc, flags = shlex.split(args.pmc) + shlex.split(args.options), shlex.split(args.flags)
    program = os.path.join(args.folder, "program")
    subprocess.run(pmc + [args.spec, "-o", program], check=True)
    compared = 0
    for mesh in args.meshes.split(","):
        axes = ",".join(f"{name}={size}" for name, size in zip(args.axes.split(","), mesh.split("x")))
        report, *said = predicted(pmc, args.spec, axes, flags)
        *sent, memory = counted(program, axes, args.folder, flags)
        if args.counts and report["notes"]:
            sys.exit(f"counts are not known: {report['notes']}")
        compared += compare(mesh, said, sent, args.counts)
        off = report["memory"]["fields"] / memory - 1
        print(f"{mesh}: {memory} bytes of fields, {report['memory']['fields']} predicted: {100 * off:+.2f} %")
        if args.memory and abs(off) > 0.05:
            sys.exit("the memory of fields differs by more than 5 %")
    if not compared:
        sys.exit("nothing was compared")


if __name__ == "__main__":
    main()
