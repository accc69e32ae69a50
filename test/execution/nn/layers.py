#!/usr/bin/env python3
"""Layers and losses of `nn`, and their gradients, against numbers of PyTorch in f64.

    layers.py PMC FOLDER [FLAG...]     compares with Inputs/layers.npz; flags are the compiler's
    layers.py --store PMC FOLDER       writes that file, with PyTorch

A case is a function of fields, each with its dims, and the same in PyTorch. Fields and cotangents are the program's own noise."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
STORED = os.path.join(HERE, "Inputs", "layers.npz")
MESHES = ["row=1,col=1", "row=3,col=1", "row=2,col=2"]
DIMS = """
use nn
dim b = 3, c = 3, o = 4, h = 5
dim x = 6, y = 4, z = 4 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, b -> col
"""
VOLUME, IMAGE, ROWS, WIDE = "b, c, x, y, z", "b, c, x, y", "b, c", "b, o, x, y"
TAPS3 = "piece(x, 3), piece(y, 3), piece(z, 3)"
TAPS2 = "piece(x, 3), piece(y, 3)"
PAIR = "piece(x, 2), piece(y, 2)"

# name: (fields with their dims, dims of the result or "" for a number, the function, the same of PyTorch)
CASES = {
    "dense": ([ROWS, "h, c", "h"], "b, h", "dense(u, {weight = v, bias = w}, c)", lambda t, F, u, v, w: F.linear(u, v, w)),
    "conv3": ([VOLUME, f"o, c, {TAPS3}", "o"], "b, o, x, y, z", "conv(u, {weight = v, bias = w}, c, (x, y, z))",
              lambda t, F, u, v, w: F.conv3d(u, v, w, padding=1)),
    "conv2": ([IMAGE, f"o, c, {TAPS2}", "o"], WIDE, "conv(u, {weight = v, bias = w}, c, (x, y))", lambda t, F, u, v, w: F.conv2d(u, v, w, padding=1)),
    "conv1": (["b, c, x", "o, c, piece(x, 5)", "o"], "b, o, x", "conv(u, {weight = v, bias = w}, c, x, size = 5)",
              lambda t, F, u, v, w: F.conv1d(u, v, w, padding=2)),
    "conv_stride": ([IMAGE, f"o, c, {TAPS2}", "o"], "b, o, coarsen(x, 2), coarsen(y, 2)",
                    "conv(u, {weight = v, bias = w}, c, (x, y), stride = 2)", lambda t, F, u, v, w: F.conv2d(u, v, w, padding=1, stride=2)),
    "conv_periodic": ([IMAGE, f"o, c, {TAPS2}", "o"], WIDE, 'conv(u, {weight = v, bias = w}, c, (x, y), edge = "periodic")',
                      lambda t, F, u, v, w: F.conv2d(F.pad(u, (1, 1, 1, 1), mode="circular"), v, w)),
    "conv_reflect": ([IMAGE, f"o, c, {TAPS2}", "o"], WIDE, 'conv(u, {weight = v, bias = w}, c, (x, y), edge = "reflect")',
                     lambda t, F, u, v, w: F.conv2d(F.pad(u, (1, 1, 1, 1), mode="reflect"), v, w)),
    "up_conv": (["b, o, coarsen(x, 2), coarsen(y, 2)", f"o, c, {PAIR}", "c"], IMAGE,
                "up_conv[b, c, x, y](u, {weight = v, bias = w}, c, (x, y))", lambda t, F, u, v, w: F.conv_transpose2d(u, v, w, stride=2)),
    "max_pool": ([VOLUME], "b, c, coarsen(x, 2), coarsen(y, 2), coarsen(z, 2)", "max_pool(u, (x, y, z))", lambda t, F, u: F.max_pool3d(u, 2)),
    "mean_pool": ([IMAGE], "b, c, coarsen(x, 2), coarsen(y, 2)", "mean_pool(u, (x, y))", lambda t, F, u: F.avg_pool2d(u, 2)),
    "residual": ([IMAGE], IMAGE, "residual(u, f => tanh(f))", lambda t, F, u: u + t.tanh(u)),
    "layer_norm": ([IMAGE, "c", "c"], IMAGE, "layer_norm(u, {scale = v, shift = w}, (c, x, y))",
                   lambda t, F, u, v, w: F.layer_norm(u, u.shape[1:]) * v[:, None, None] + w[:, None, None]),
    "batch_norm": ([IMAGE, "c", "c"], IMAGE, "batch_norm(u, {scale = v, shift = w}, (b, x, y))",
                   lambda t, F, u, v, w: F.batch_norm(u, None, None, v, w, training=True)),
    "group_norm": ([WIDE, "o", "o"], WIDE, "group_norm(u, {scale = v, shift = w}, o, (x, y), 2)", lambda t, F, u, v, w: F.group_norm(u, 2, v, w)),
    "relu": ([ROWS], ROWS, "relu(u)", lambda t, F, u: F.relu(u)),
    "leaky_relu": ([ROWS], ROWS, "leaky_relu(u, 0.2)", lambda t, F, u: F.leaky_relu(u, 0.2)),
    "sigmoid": ([ROWS], ROWS, "sigmoid(3 * u)", lambda t, F, u: t.sigmoid(3 * u)),
    "softplus": ([ROWS], ROWS, "softplus(3 * u)", lambda t, F, u: F.softplus(3 * u)),
    "gelu": ([ROWS], ROWS, "gelu(u)", lambda t, F, u: F.gelu(u)),
    "softmax": ([IMAGE], IMAGE, "softmax(2 * u, c)", lambda t, F, u: t.softmax(2 * u, 1)),
    "log_softmax": ([IMAGE], IMAGE, "log_softmax(2 * u, c)", lambda t, F, u: t.log_softmax(2 * u, 1)),
    "mean_square": ([ROWS, ROWS], "", "mean_square(u, v)", lambda t, F, u, v: F.mse_loss(u, v)),
    "mean_absolute": ([ROWS, ROWS], "", "mean_absolute(u, v)", lambda t, F, u, v: F.l1_loss(u, v)),
    "gaussian_loss": ([ROWS, ROWS, ROWS], "", "gaussian_loss(u, v, w)", lambda t, F, u, v, w: F.gaussian_nll_loss(u, w, t.exp(v), eps=0)),
    "cross_entropy": ([IMAGE, IMAGE], "", "cross_entropy(u, softmax(v, c), c)", lambda t, F, u, v: F.cross_entropy(u, t.softmax(v, 1))),
}


def spec():
    lines, seed = [DIMS], 0
    for name, (fields, result, text, _) in CASES.items():
        letters = "uvw"[:len(fields)]
        lines.append(f"fn f_{name}({', '.join(letters)}) = {text}")
        for letter, dims in zip(letters, fields):
            seed += 1
            lines += [f"let {letter}_{name} = white_noise[{dims}]({seed})", f"output {letter}_{name}"]
        seed += 1
        cotangent = "1.5"
        if result:
            cotangent = f"r_{name}"
            lines += [f"let r_{name} = white_noise[{result}]({seed})", f"output r_{name}"]
        wrt = letters[0] if len(letters) == 1 else f"({', '.join(letters)})"
        lines += [f"let (y_{name}, g_{name}) = vjp(f_{name}, wrt = {wrt})({', '.join(f'{letter}_{name}' for letter in letters)}, cotangent = {cotangent})",
                  f"output y_{name}"]
        lines += [f"output g{letter}_{name} = g_{name}{f'[{i}]' if len(letters) > 1 else ''}" for i, letter in enumerate(letters)]
    return "\n".join(lines) + "\n"


def read(folder):
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".h5"):
            with h5py.File(os.path.join(folder, name)) as file:
                found[name[:-3]] = np.asarray(file[list(file)[0]])
    return found


def torch_numbers(values):
    import torch  # pylint: disable=import-outside-toplevel
    wanted = {}
    for name, (fields, result, _, function) in CASES.items():
        inputs = [torch.tensor(values[f"{letter}_{name}"], requires_grad=True) for letter in "uvw"[:len(fields)]]
        made = function(torch, torch.nn.functional, *inputs)
        made.backward(torch.tensor(values[f"r_{name}"]) if result else torch.tensor(1.5, dtype=torch.float64))
        wanted[f"y_{name}"] = made.detach().numpy()
        for letter, field in zip("uvw", inputs):
            wanted[f"g{letter}_{name}"] = field.grad.numpy()
    return wanted


def main():
    arguments = sys.argv[1:]
    store = arguments[0] == "--store"
    pmc, folder, *flags = arguments[store:]
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "layers")
    with open(program + ".pm", "w", encoding="utf-8") as file:
        file.write(spec())
    subprocess.run(shlex.split(pmc) + [program + ".pm", "--precision=f64", "-o", program, *flags], check=True)
    worst, count = 0, 0
    for mesh in MESHES[:1] if store else MESHES:
        out = os.path.join(folder, "out" + mesh)
        subprocess.run([program, f"--mesh={mesh}", "--transport=threads", "--threads=1", "--quiet", "--out", out], check=True)
        values = read(out)
        if store:
            np.savez_compressed(STORED, **torch_numbers(values))
        wanted, count = np.load(STORED), 0
        for name in wanted.files:
            error = np.abs(values[name].squeeze() - wanted[name].squeeze()).max() / np.abs(wanted[name]).max()
            worst, count = max(worst, error), count + 1
            if not error <= 1e-12:
                sys.exit(f"mesh {mesh}: {name} differs by {error:.3g}, expected at most 1e-12")
    print(f"{len(CASES)} functions, {count} outputs, worst {worst:.1e}")


if __name__ == "__main__":
    main()
