#!/usr/bin/env python3
"""Checks the codes of messages, and the sections about them in frontend/doc/errors.

    codes.py ROOT [--update]                  each message has a code, each code a section and each section a message; the index
    codes.py ROOT --pmc PMC --out FOLDER      each wrong example gives its code and nothing else, each right example gives nothing

Examples of codes from PM9001 on are programs: they are compiled and run.

A message is what messages.py finds in FOLDERS, and a call of RUNTIME in runtime/ with a text. A text of frontend/Sema that a function returns can also be a part of other messages, which
have the code: PARTS lists the functions and texts of this kind. --update writes index.md.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys

import messages

FOLDERS = re.compile(r"frontend/(Lexer|Parser|Sema|IRGen|Tools)/|passes/(Autodiff|Spectra)/")
CODE = re.compile(r"\[(PM\d{4})\]")
RUNTIME = "usageError|failure|Error|agree|warn"
# Texts of the runtime that are parts of messages, or that Error::coded gives a code.
RUNTIME_PARTS = [
    r"internal error|\"interrupted\"",
    # The caller's text begins with the code.
    r"^\" on a mesh that ranks share|^\", because f64 copies|^fmt::format\(\"\{\}: warning: \{\}\", location",
    r"^text \+|^\"listen for|^\"watch a socket|^loc, (text|name|problem)|FFTW has no plan",
]
# Notes and remarks have no codes. Parser::expected has the code of all 'expected'. An error of LLVM becomes a part of the message of the tool
# that reports it. The verifiers of the dialect report faults of pmc.
OTHERS = {"note", "remark", "expected", "complain", "createStringError", "emitOpError"}
# (file, text): texts that are parts of messages, with the reason.
PARTS = [
    # No text for users.
    ("Sema/(Value|Names/Modules|Types/(Type|Dims|Constants|Operators))", r'^return (""|"[a-z0-9 ]+"|text|Value|.*\.describeType\(\) \+ " and ")'),
    ("Sema/(Value|Types/(Type|Quantity))", r"^return (element ==|number ==|quantity\.|isFree|prefix|what \+ \" not on|text\.size|unit\.isNumber\(\) \? \"a pure)"),
    ("Sema/", r'^return "";'),
    ("Sema/(Value|Types/Type|Rules/Numbers)", r"getBuiltinInfo|spelling\(op\)|the dims |a stream, of which|\"vector \"|a tuple of|table over \" \+ std|the dim '\" \+ getDim"),
    ("Sema/Types/TypingControl", r"^return Argument"),
    ("Sema/Rules/Control", r""""…"|let end = loop|"; write '_'"""),
    ("Sema/Names/NameMessages", r"unit->agrees"),
    ("Sema/Types/Quantity", r"difference\.isNumber"),
    ("Sema/Rules/(Calls|Values)", r"""^return (isOfParticles|llvm::join|call \+ "\)"|matchArguments|\("'" \+ info\.name)"""),
    # The beginning or the end of a text of the caller. The caller adds the code.
    ("Sema/Builtins", r"it is a statement"),
    ("Sema/Types/(DimMessages|Dims)", r"names its dim|] is a cell, f\[|with a component for|explainOrder|components over |the components are over|those of the argument|\"none\"|^return \"; "),
    ("Sema/Rules/Types", r"here its dims are|^return (column\.name|text \+ \(type\.value)"),
    ("Sema/Rules/Fields/(Fields|Particles)", r"neither\(|describeWeight\(|requireLengthOf\("),
    ("Sema/(Rules/(Calls|Values|Fields/Particles)|Types/Operators)", r'^return ("; |!vector)'),
    ("Sema/Messages", r"."),
    ("Sema/Names/Modules", r'text\.contains\("edge"\)'),
    ("Sema/Rules/Builtins", r'^return text \+ ", not'),
    ("Sema/Rules/Program/Declarations", r'"and (lists|requires|its default)|"expected "|is_contained\(\{Base'),
    ("Sema/Rules/Derivatives", r'^"; (the derivative|its unit)|^""\)|^return the numbers'),
    ("Sema/Rules/(Fields/Neighbors|Optimization|Builtins)", r"checkSorted|readInt\(|requirePure\("),
    ("Sema/Rules/Program/(Inputs|Options)", r"likeRecord|rule \+"),
    ("Sema/Rules/Program/Plots", r'^return "(expected|the axis|the scale)'),
    ("Sema/Rules/Control", r"isInLibrary"),
    ("Tools/Spec", r"it is empty"),
    # Notes.
    ("Sema/Rules/(Calls|Program/Declarations)", r"^static const char \*const (definedHere|firstOne)"),
]
# Codes without examples, with the reason.
WITHOUT = {
    "PM0205": "needs two files",
    "PM0206": "needs two modules",
    "PM0811": "a flag of the command, with an output",
    "PM1009": "the system fails",
    "PM1010": "pmc fails",
    "PM9010": "depends on the system",
    "PM9011": "depends on the machine",
    "PM9102": "pmc fails",
    "PM9105": "a process must be killed",
    "PM9106": "depends on the speed of the machine",
    "PM9107": "needs a signal",
    "PM9108": "needs a caller",
    "PM9109": "the system fails",
    "PM9110": "the runtime fails",
    "PM9202": "a process must be stopped",
    "PM9203": "depends on the speed of the machine",
    "PM9205": "a file must be damaged",
    "PM9206": "depends on rounding",
    "PM9207": "needs two images",
    "PM9208": "depends on the machine",
    "PM9209": "depends on the system",
    "PM9210": "depends on the system",
}
SPEC = """const n = 8
param amount: f64 = 1
dim x = n, y = n over 1
mesh gpus(row = 1)
output o = sum(amount * white_noise[x, y](1))
"""


class Section:
    def __init__(self, page, code, title, text):
        self.page, self.code, self.title, self.text = page, code, title, text
        self.blocks = {}
        for label, blocks in re.findall(r"^(Wrong|Right):\n((?:\n```(?:pm|sh|text)\n.*?^```$\n?)+)", text, re.M | re.S):
            self.blocks[label] = re.findall(r"^```(pm|sh|text)\n(.*?)^```$", blocks, re.M | re.S)

    def example(self, label):
        """('pm', 'sh', or 'text' for a spec that editors cannot color; text)."""
        return next(iter(self.blocks.get(label, [])), None)

    def program(self, label):
        """(spec, commands) of a code of programs."""
        parts = dict(self.blocks[label])
        return parts.get("pm", SPEC), parts.get("sh", "./spec").splitlines()

    def is_of_programs(self):
        return self.code >= "PM9"


def sections(root):
    for path in sorted((root / "frontend/doc/errors").glob("*.md")):
        if path.name == "index.md":
            continue
        parts = re.split(r"^## (PM\d{4}): (.*)\n", path.read_text(), flags=re.M)
        for code, title, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            yield Section(path, code, title, text)


def index(found):
    lines = ["# Codes of messages", "",
             "Errors and warnings of `pmc`, and of programs (from PM9001 on), end with a code. `pmc help",
             "PM0201` prints the section about a code. Messages of one code have one kind of cause.", ""]
    lines += ["| code | mistake |", "|---|---|"]
    page = None
    for section in found:
        if section.page != page:
            page = section.page
            lines.append(f"| **[{re.match('# ([^:]*)', page.read_text())[1]}]({page.name})** | |")
        anchor = re.sub(r"[^\w\- ]", "", f"{section.code}: {section.title}".lower()).replace(" ", "-")
        lines.append(f"| [{section.code}]({page.name}#{anchor}) | {section.title} |")
    return "\n".join(lines) + "\n"


def is_part(path, text):
    return any(re.search(file, path) and re.search(part, text) for file, part in PARTS)


def missing_in_runtime(root):
    complaints, codes = [], set()
    for path in sorted([*(root / "runtime").rglob("*.cpp"), *(root / "runtime").rglob("*.h")]):
        if "ducc0" in path.parts:
            continue
        source = path.read_text()
        codes.update(CODE.findall(source))
        for begin, text in messages.calls(source, RUNTIME):
            flat = re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*"', "", text)).removesuffix(")")
            if any(len(literal) > 3 for literal in messages.LITERAL.findall(flat)) and not CODE.search(flat) \
                    and not any(re.search(part, flat) for part in RUNTIME_PARTS):
                complaints.append(f"{path.relative_to(root)}:{source[:begin].count(chr(10)) + 1}: a message without a code: {flat[:120]}")
    return complaints, codes


def missing(root):
    """(complaints, codes of messages)."""
    complaints, codes = missing_in_runtime(root)
    for path, source, found in messages.sources(root):
        name = str(path.relative_to(root))
        if not FOLDERS.match(name):
            continue
        codes.update(CODE.findall(source))
        for begin, text in found:
            kind = re.match(r"\w+", source[begin:])[0]
            flat = re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*"', "", text))
            literals = messages.LITERAL.findall(flat)
            if kind in OTHERS or not literals or CODE.search(flat) or is_part(name, flat):
                continue
            if kind == "return" and re.search(rf"\b({messages.CALLS})\(", text):
                continue  # found as a call
            if kind not in ("emitError", "return", "const", "static") and not messages.LITERAL.search(text.split("<<")[0]):
                continue
            complaints.append(f"{name}:{source[:begin].count(chr(10)) + 1}: a message without a code: {flat[:120]}")
    return complaints, codes


def check(root, updates):
    found = list(sections(root))
    complaints, codes = missing(root)
    known = [section.code for section in found]
    complaints += [f"{code}: two sections" for code in sorted({c for c in known if known.count(c) > 1})]
    complaints += [f"{code}: a message has the code, and frontend/doc/errors has no section" for code in sorted(codes - set(known))]
    complaints += [f"{code}: a section without a message" for code in sorted(set(known) - codes)]
    complaints += [f"{code}: not in order" for code, after in zip(known, known[1:]) if code > after]
    for section in found:
        has = [section.example(label) is not None for label in ("Wrong", "Right")]
        if section.code in WITHOUT and (any(has) or "There is no example: " not in section.text):
            complaints.append(f"{section.code}: is listed as one without examples, and has one, or no reason")
        elif section.code not in WITHOUT and not all(has):
            complaints.append(f"{section.code}: without a wrong and a right example")
    path = root / "frontend/doc/errors/index.md"
    text = index(found)
    if updates:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        complaints.append(f"{path}: differs from the sections; run {pathlib.Path(__file__).name} ROOT --update")
    return complaints


def run(pmc, folder, section, label):
    kind, text = section.example(label)
    folder = folder / f"{section.code}{label}"
    folder.mkdir(parents=True, exist_ok=True)
    if section.is_of_programs():
        return run_program(pmc, folder, *section.program(label))
    (folder / "spec.pm").write_text(SPEC if kind == "sh" else text)
    # This stage takes derivatives, whose mistakes 'pmc check' does not report.
    commands = [[*pmc, "spec.pm", "--emit=grad", "-o", os.devnull]]
    if kind == "sh":
        commands = [[*pmc, *shlex.split(line)[1:]] for line in text.splitlines()]
    said, codes = "", []
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)
        said += done.stderr
        codes.append(done.returncode)
    return said, codes


def run_program(pmc, folder, spec, commands):
    (folder / "spec.pm").write_text(spec)
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (8,), }"
    head = head.ljust(128 - 10 - 1) + "\n"
    (folder / "eight.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<8d", *range(8)))
    said, codes = "", []
    for command in [[*pmc, "spec.pm", "-o", "spec"], *map(shlex.split, commands)]:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL)
        said += done.stderr
        codes.append(done.returncode)
        if codes[0]:
            return said, ["the spec does not compile"]
    return said, codes


def examine(pmc, folder, section):
    """Complaints about the examples of a section."""
    said, exits = run(pmc, folder, section, "Wrong")
    lines = [line for line in said.splitlines() if re.search(r"\b(error|warning): ", line)]
    is_warning = bool(lines) and all("warning: " in line for line in lines)
    if not lines or exits[-1] not in ((0,) if is_warning else (1, 2) if section.is_of_programs() else (1,)):
        yield f"{section.code}: the wrong example gives no message, exit codes {exits}:\n{said}"
    for line in lines:
        if not line.endswith(f" [{section.code}]"):
            yield f"{section.code}: the wrong example says: {line}"
    said, exits = run(pmc, folder, section, "Right")
    if any(exits) or re.search(r"\b(error|warning): ", said):
        yield f"{section.code}: the right example, exit codes {exits}, says:\n{said}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--pmc")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", default="PM")
    args = parser.parse_args()
    root = args.root.resolve()
    if args.pmc:
        tried = [s for s in sections(root) if s.code not in WITHOUT and s.code.startswith(args.only)]
        pmc = shlex.split(args.pmc)
        if os.path.exists(pmc[0]):
            pmc[0] = os.path.abspath(pmc[0])
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            complaints = [c for found in pool.map(lambda s: list(examine(pmc, args.out.resolve(), s)), tried) for c in found]
        print(f"{len(tried)} codes, {len(complaints)} complaints")
    else:
        complaints = check(root, args.update)
    print("\n".join(complaints), end="\n" if complaints else "")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
