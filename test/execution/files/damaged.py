#!/usr/bin/env python3
"""Damages files of every format that programs read, by chance: bytes, blocks, the length. A program that reads one ends with 0 or 1,
says why in the second case, and needs neither much memory nor much time.

    damaged.py IMAGE ROWS SNAPSHOT TABLE COUNT FORMAT...

The programs are those of damaged.test; COUNT files of each format are read."""
import os
import random
import resource
import shutil
import subprocess
import sys

import numpy as np

image, rows, snapshot, table, count, *formats = sys.argv[1:]
# Program, its flag, the output that is read, and what follows the name of its file.
CASES = {
    "h5": (image, "f", "copy.h5", ""), "npy": (image, "f", "copy.npy", ""), "fits": (image, "f", "copy.fits", ""),
    "cfl": (image, "f", "copy", ""), "nii": (image, "f", "copy.nii", ""), "nii.gz": (image, "f", "copy.nii.gz", ""),
    "bigfile": (rows, "pos", "place", ""), "fits-table": (rows, "one", "columns.fits", ":/mass"),
    "gadget": (snapshot, "halved", "cold.hdf5", ":/PartType1/Coordinates"), "swift": (snapshot, "pos", "free.hdf5", ":/PartType1/Coordinates"),
    "table": (table, "t", "t.txt", "")}
MEMORY = 4 << 30
unexpected = 0


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(program, *flags):
    return subprocess.run([program, "--quiet", "--threads=1", *flags], capture_output=True, text=True, errors="replace", check=False, timeout=120,
                          preexec_fn=limit_memory)


def files_of(path):
    """The files of an input: one, the two of .cfl, or those of a folder."""
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        return [os.path.join(base, file) for base, _, names in os.walk(path) for file in sorted(names)]
    return [path] if os.path.isfile(path) else [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f in (name + ".cfl", name + ".hdr")]


def damaged(whole, draw):
    """A damaged copy, and whether the program may take no notice."""
    data, kind = bytearray(whole), draw.randrange(8)
    size = len(data)
    # Structure is at the beginning of most formats.
    first = draw.choice([size, min(size, 400), max(size // 4, 1)])
    if kind < 4:
        for _ in range(draw.choice([1, 1, 2, 5, 20])):
            at = draw.randrange(first)
            data[at] = draw.choice([draw.randrange(256), data[at] ^ 1 << draw.randrange(8), 0, 255])
    elif kind == 4:
        del data[draw.randrange(size):]
    elif kind == 5:
        data += bytes(draw.randrange(256) if draw.random() < 0.5 else 0 for _ in range(draw.choice([1, 7, 512, 5000])))
    elif kind == 6:
        begin = draw.randrange(first)
        data[begin:begin + draw.choice([1, 8, 64, 512])] = bytes([draw.choice([0, 255, 32])]) * draw.choice([0, 1, 8, 64, 512])
    else:
        begin, length, to = draw.randrange(size), draw.choice([4, 8, 80, 300]), draw.randrange(first)
        data[to:to + length] = data[begin:begin + length]
    return data


for form in formats:
    program, flag, name, within = CASES[form]
    draw = random.Random(len(form) * 1000 + int(count))
    folder = "whole_" + form
    if form == "table":
        os.makedirs(folder, exist_ok=True)
        np.savetxt(os.path.join(folder, name), np.array([[k, k**-1.5] for k in np.linspace(0.1, 5, 40)]), header="k P")
    else:
        made = run(program, f"--out={folder}", f"--format=h5,{name.split('.')[0]}={form}")
        assert made.returncode == 0, made.stderr
    whole = files_of(os.path.join(folder, name))
    assert whole, (form, os.listdir(folder))
    accepted = run(program, f"--{flag}={folder}/{name}{within}", f"--out=read_{form}")
    assert accepted.returncode == 0, accepted.stderr
    place = os.path.join("damaged_" + form, name)
    refused = 0
    for attempt in range(int(count)):
        shutil.rmtree(os.path.dirname(place), ignore_errors=True)
        shutil.copytree(folder, os.path.dirname(place))
        victim = draw.choice(files_of(place))
        with open(victim, "rb") as file:
            content = file.read()
        content = damaged(content, draw)
        with open(victim, "wb") as file:
            file.write(content)
        try:
            done = run(program, f"--{flag}={place}{within}", f"--out=read_{form}")
            code, text = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, text = "no end", ""
        refused += code == 1
        if code not in (0, 1) or code == 1 and "error: " not in text or "bad_alloc" in text or "internal error" in text:
            unexpected += 1
            kept = f"kept_{form}_{attempt}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(os.path.dirname(place), kept)
            print(f"{form}, attempt {attempt} ({os.path.basename(victim)}, kept in {kept}): ended with {code}: {text[-600:]}", flush=True)
    print(f"{form}: {refused} of {count} were refused", flush=True)
    assert refused > 0 and refused < int(count) or int(count) < 10, form
print(f"{unexpected} unexpected ends")
sys.exit(1 if unexpected else 0)
