#!/usr/bin/env python3
"""Changes IR texts at random and runs passes on them: a pass may refuse the text but must not crash or hang.

    ir.py --out DIR [--seeds FROM:TO] SPEC...

pmc and pm-opt must be in the PATH. Texts are what `pmc --emit=STAGE` prints of the specs. A text that makes `pm-opt` crash stays in --out.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

# The passes that follow each stage. pm-lower-domains expects buffers and is also run too early.
PASSES = {
    "pm": ["--pm-lower-to-buffers"], "grad": ["--pm-sharding"], "lowered": ["--pm-lower"], "kernels": ["--pm-lower-launches"],
    "sharded": ["--pm-lower-to-buffers", "--pm-lower-domains"]}
TOKEN = re.compile(r'"[^"]*"|%?[A-Za-z_][\w.#]*|-?\d+\.?\d*(?:e[+-]?\d+)?|[^\s\w]')
NUMBERS = ["0", "1", "2", "-1", "3", "64", "1000000", "9223372036854775807", "1.5"]
TYPES = ["f32", "f64", "i64", "index", "i1", "complex<f32>", "f16", "none"]


def change_token(lines, at, draw):
    """Replaces one token by another of its kind, or drops it."""
    tokens = list(TOKEN.finditer(lines[at]))
    if not tokens:
        return
    token = draw.choice(tokens)
    text = token.group()
    if draw.random() < 0.15:
        other = ""
    elif text.startswith("%"):
        other = draw.choice(re.findall(r"%\w+", "\n".join(lines)))
    elif re.match(r"-?\d", text):
        other = draw.choice(NUMBERS)
    elif text in TYPES:
        other = draw.choice(TYPES)
    else:
        others = TOKEN.findall(draw.choice(lines))
        other = draw.choice(others) if others else ""
    lines[at] = lines[at][:token.start()] + other + lines[at][token.end():]


def mutate(text, draw):
    lines = text.split("\n")
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        kind, at = draw.random(), draw.randrange(len(lines))
        if kind < 0.15 and len(lines) > 1:
            lines.pop(at)
        elif kind < 0.3:
            lines.insert(draw.randrange(len(lines)), lines[at])
        elif kind < 0.4:
            other = draw.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            change_token(lines, at, draw)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", default="0:100")
    parser.add_argument("specs", nargs="+")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    texts = []
    for spec in options.specs:
        for stage in PASSES:
            made = subprocess.run(["pmc", "--emit=" + stage, spec], capture_output=True, text=True)
            if made.returncode == 0:
                texts.append((stage, made.stdout))
            else:
                sys.exit("%s --emit=%s: %s" % (spec, stage, made.stderr))

    def run(seed):
        draw = random.Random(seed)
        stage, text = draw.choice(texts)
        file = options.out / ("%d.mlir" % seed)
        file.write_text(mutate(text, draw))
        flags = [draw.choice(PASSES[stage])]
        try:
            done = subprocess.run(["pm-opt", *flags, file], capture_output=True, text=True, errors="replace",
                                  timeout=120)
        except subprocess.TimeoutExpired:
            return "hung", "%s: pm-opt %s did not end in 120 s" % (file, flags[0])
        if done.returncode not in (0, 1) or "LLVM ERROR" in done.stderr:
            return "crashed", "%s: pm-opt %s ended with %d: %s" % (file, flags[0], done.returncode, done.stderr[-2000:])
        file.unlink()
        return "refused" if done.returncode else "accepted", ""

    counts = collections.Counter()
    first, end = map(int, options.seeds.split(":"))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for kind, message in pool.map(run, range(first, end)):
            counts[kind] += 1
            if message:
                print(message, flush=True)
    print("%d texts: %d refused, %d accepted, %d crashed, %d hung" % (
        end - first, counts["refused"], counts["accepted"], counts["crashed"], counts["hung"]))
    sys.exit(bool(counts["crashed"] or counts["hung"]))


if __name__ == "__main__":
    main()
