#!/usr/bin/env python3
"""Numbers that the compiler computes, that the program computes, and that a map computes, against Python.

    folded.py PMC FOLDER"""
import math
import os
import subprocess
import sys

INTS = (-7, -3, -1, 0, 1, 2, 5, 8, 2**53 + 1, -(2**53) - 1)
DIVISORS = (-8, -3, -1, 1, 2, 3, 8, 2**40)
REALS = (-2.5, -1.5, -1.2, -0.5, 0.0, 0.3, 0.5, 1.5, 2.5, 3.75)


def rounded(x):
    """Halves away from zero."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


# Of a and b: the text, and what Python makes of it.
OF_INTS = (
    ("a + b", lambda a, b: a + b), ("a - b", lambda a, b: a - b), ("a * 3 - b * 5", lambda a, b: 3 * a - 5 * b), ("-a", lambda a, b: -a),
    ("div(a, b)", lambda a, b: a // b), ("mod(a, b)", lambda a, b: a % b), ("min(a, b)", min), ("max(a, b)", max), ("abs(a)", lambda a, b: abs(a)),
    ("mod(a, 10)^3 - b", lambda a, b: (a % 10)**3 - b), ("if a < b then 1 else 2", lambda a, b: 1 if a < b else 2),
    ("if a <= b then 1 else 2", lambda a, b: 1 if a <= b else 2), ("if a == b then 1 else 2", lambda a, b: 1 if a == b else 2),
    ("if not (a > b) and a != 0 then a else b", lambda a, b: a if a <= b and a != 0 else b), ("int(b / 2)", lambda a, b: b // 2))
OF_REALS = (
    ("round(a)", lambda a, b: rounded(a)), ("floor(a)", lambda a, b: math.floor(a)), ("int(a)", lambda a, b: math.floor(a)),
    ("int(10 * a) - 2", lambda a, b: math.floor(10 * a) - 2), ("sign(a)", lambda a, b: (a > 0) - (a < 0)), ("abs(a)", lambda a, b: abs(a)),
    ("min(a, b)", min), ("max(a, b)", max), ("a / b", lambda a, b: a / b), ("a^3 - a^2", lambda a, b: a**3 - a**2), ("abs(a)^b", lambda a, b: abs(a)**b),
    ("a^-2 + b^-1" , lambda a, b: a**-2 + 1 / b), ("atan2(a, b)", math.atan2), ("sqrt(abs(a))", lambda a, b: math.sqrt(abs(a))),
    ("exp(a)", lambda a, b: math.exp(a)), ("log(abs(a) + 1)", lambda a, b: math.log(abs(a) + 1)), ("sin(a) + cos(b)", lambda a, b: math.sin(a) + math.cos(b)),
    ("tan(a / 3)", lambda a, b: math.tan(a / 3)), ("tanh(a) - sinh(a) + cosh(b)", lambda a, b: math.tanh(a) - math.sinh(a) + math.cosh(b)),
    ("atan(a) + erf(b)", lambda a, b: math.atan(a) + math.erf(b)), ("if a >= b then a else -b", lambda a, b: a if a >= b else -b))


def cases():
    """A kind, its text, a, b, and what is expected."""
    for text, function in OF_INTS:
        for a in INTS:
            for b in DIVISORS:
                yield "int", text, a, b, function(a, b)
    for text, function in OF_REALS:
        for a in REALS:
            for b in (-2.0, 0.5, 1.5):
                if a != 0 or ("a^-2" not in text and "^b" not in text):
                    yield "f64", text, a, b, function(a, b)


def printed(pmc, folder, name, spec, flags=()):
    path = os.path.join(folder, name)
    with open(path + ".pm", "w", encoding="utf-8") as file:
        file.write(spec)
    subprocess.run([*pmc, "--precision=f64", "-O0", path + ".pm", "-o", path], check=True)
    done = subprocess.run([path, "--quiet", "--out", path + ".out", *flags], check=True, capture_output=True, text=True)
    return done.stdout.split()


def main():
    pmc, folder = sys.argv[1].split(), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    every = list(cases())
    functions, flags, calls = "", "", {"compiler": "", "program": "", "map": ""}
    names = {}
    for kind, _, a, b, _ in every:
        for number in (a, b):
            if (kind, number) not in names:
                names[kind, number] = "p%d" % len(names)
                flags += "param %s: %s\n" % (names[kind, number], kind)
    texts = {}
    for kind, text, a, b, expected in every:
        if (kind, text) not in texts:
            texts[kind, text] = "f%d" % len(texts)
            functions += "fn %s(a, b) = %s\n" % (texts[kind, text], text)
        name, p, q = texts[kind, text], names[kind, a], names[kind, b]
        calls["compiler"] += 'print "{}", %s(%r, %r)\n' % (name, a, b)
        calls["program"] += 'print "{}", %s(%s, %s)\n' % (name, p, q)
        if abs(expected) < 2**53:
            calls["map"] += 'print "{}", max(map q in [x] => %s(%s, %s) + 0 * index(q, x))\n' % (name, p, q)
    given = ["--%s=%r" % (name, number) for (_, number), name in names.items()]
    wrong = 0
    for way, spec in calls.items():
        found = printed(pmc, folder, way, "dim x = 2\n" + ("" if way == "compiler" else flags) + functions + spec, () if way == "compiler" else given)
        wanted = [case for case in every if way != "map" or abs(case[4]) < 2**53]
        assert len(found) == len(wanted), (way, len(found), len(wanted))
        for text, (kind, of, a, b, expected) in zip(found, wanted):
            good = int(text) == expected if kind == "int" and way != "map" else abs(float(text) - expected) <= 1e-14 * max(1, abs(expected))
            if not good:
                print("the %s: %s of %r and %r is %s, expected %r" % (way, of, a, b, text, expected))
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
