"""Reductions are batched if they have the same kind and axes, and not else: batch_keys.py PM-OPT FILE

For each pair of kinds and axes, of numbers and of fields of two elements, counts the messages after pm-batch-collectives."""

import itertools
import subprocess
import sys

tool, path = sys.argv[1:]
KINDS, AXES = ("sum", "max"), ('"row"', '"col"', '"row", "col"')


def plain(axes):
    return axes.replace('"', "")


def numbers(i, kind, axes):
    return (f"%n{i}: !pm.partial<f64, {kind} over [{plain(axes)}]>",
            f"  %r{i} = pm.all_reduce {kind} over [{axes}](%n{i}) : f64\n", "f64")


def fields(element):
    def make(i, kind, axes):
        field = f"!pm.field<[x=4], {element}>"
        partial = f"!pm.partial<{field}, {kind} over [{plain(axes)}]>"
        return f"%n{i}: {partial}", f"  %r{i} = pm.reduce_fields {kind} over [{axes}](%n{i}) : {field} -> {field}\n", field
    return make


wrong = count = 0
for make, other in ((numbers, numbers), (fields("f32"), fields("f32")), (fields("f32"), fields("f64"))):
    for (kind, axes), (kind2, axes2) in itertools.product(itertools.product(KINDS, AXES), repeat=2):
        (a, first, one), (b, second, two) = make(0, kind, axes), other(1, kind2, axes2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]\n'
                       f"func.func @main({a}, {b}) -> ({one}, {two}) {{\n{first}{second}  return %r0, %r1 : {one}, {two}\n}}\n")
        done = subprocess.run([tool, "--pm-batch-collectives", path], capture_output=True, text=True)
        messages = done.stdout.count("pm.all_reduce") + done.stdout.count("pm.reduce_fields")
        wanted = 1 if (kind, axes, one) == (kind2, axes2, two) else 2
        count += 1
        if done.returncode or messages != wanted:
            print(f"{one} {kind} over {axes}, {two} {kind2} over {axes2}: {messages} messages, expected {wanted}\n{done.stderr}")
            wrong += 1
print(f"{count} pairs, {wrong} wrong")
sys.exit(wrong > 0)
