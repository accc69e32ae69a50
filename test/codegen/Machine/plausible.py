"""Checks that a machine file holds figures of a machine, within what any may have: plausible.py FILE TRANSPORT ..."""
import re
import sys
import tomllib


def check(path, transports):
    with open(path, "rb") as file:
        text = tomllib.load(file)
    device, host, fft = text["device"], text["host"], text["fft"]
    figures = [("memory", device["memory_gb"], 0.1, 1e5), ("memory of the node", host["memory_gb"], 0.1, 1e5),
               ("bandwidth", device["memory_gbs"], 0.1, 1e4), ("bandwidth of the node", host["memory_gbs"], 0.1, 1e4),
               ("f32", device["f32_gflops"], 0.1, 1e5), ("f64", device["f64_gflops"], 0.1, 1e5),
               ("launch", device["launch_us"], 1e-2, 1e6)]
    kernels = text["kernels"]
    for name in ("readout_gcells", "paint_gcells", "reach_gpositions", "gfunctions", "glookups"):
        assert len(kernels[name]) == len(kernels["sizes_mb"]) == 2
        figures += [(name, rate, 1e-4, 1e4) for rate in kernels[name]]
    # Behind the medians, in a comment, are the least and the most of each.
    with open(path, encoding="utf-8") as file:
        spreads = re.findall(r"^\w+ = \[([^\]]*)\] # (.* to .*)$", file.read(), re.MULTILINE)
    assert len(spreads) >= 4, "the rates of kernels have no spreads"
    for medians, ranges in spreads:
        for median, span in zip(map(float, medians.split(", ")), ranges.split(", "), strict=True):
            least, most = map(float, span.split(" to "))
            assert least <= median <= most and least > 0, f"{path}: {median} is not from {least} to {most}"
    for name in transports:
        link = text["transports"][name]["inside"]
        figures += [(f"latency of {name}", link["latency_us"], 1e-2, 1e6), (f"{name}", link["gbs"], 1e-3, 1e4)]
    for shares in (fft["f32"], fft["f64"]):
        assert len(shares) == len(fft["sizes_mb"]) == 2
        assert all(len(of_size) == len(fft["lengths"]) >= 3 for of_size in shares)
        figures += [("transform", share, 1e-5, 100) for of_size in shares for share in of_size]
    for name, value, least, most in figures:
        if not least < value < most:
            sys.exit(f"{path}: {name} is {value}, not between {least} and {most}")


check(sys.argv[1], sys.argv[2:])
