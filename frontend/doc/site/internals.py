"""Pages of the ops of the dialects and of the passes, from what mlir-tblgen makes of the ODS and of Passes.td."""
import os
import re
import shutil
import subprocess

OPS = (("The pm dialect", "pm-ops", ("dialect/IR/PMOps.td", "dialect/IR/Ops/PMAutodiffOps.td", "dialect/IR/Ops/PMCommOps.td", "dialect/IR/Ops/PMDomainOps.td",
                                     "dialect/IR/Ops/PMMatrixOps.td", "dialect/IR/Ops/PMRowOps.td", "dialect/IR/Ops/PMSpectralOps.td")),
       ("The pmk dialect", "pmk-ops", ("codegen/Kernels/KernelOps.td",)))
PASSES = ("passes/Passes.td", "codegen/Passes.td")
ATTRIBUTE = re.compile(r"<tr><td><code>([^<]*)</code></td><td>([^<]*)</td><td>(.*?)</td></tr>", re.S)


def tool(root):
    """(mlir-tblgen, the folder of MLIR's files) of the build, or None."""
    try:
        with open(os.path.join(root, "build", "CMakeCache.txt"), encoding="utf-8") as file:
            prefix = re.search(r"^MLIR_DIR:\w+=(.*)/lib/cmake/mlir$", file.read(), re.M)[1]
        path = os.path.join(prefix, "bin", "mlir-tblgen")
    except (OSError, TypeError):
        path = shutil.which("mlir-tblgen") or ""
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(path)))
    return (path, os.path.join(prefix, "include")) if os.path.exists(path) else None


def made(root, found, kind, files):
    """{name: section} of all ops or passes of the files."""
    sections = {}
    for name in files:
        text = subprocess.run([found[0], kind, "-I", found[1], "-I", root, os.path.join(root, name)], check=True, capture_output=True, text=True).stdout
        for section in re.split(r"^### ", text, flags=re.M)[1:]:
            title, _, body = section.partition("\n")
            sections[re.sub(r"[`-]", "", title.split()[0]) if kind == "-gen-op-doc" else title.strip("`-")] = body
    return sections


def page(title, intro, sections):
    text = f"# {title}\n\n{intro}\n\n"
    for name, body in sorted(sections.items()):
        body = re.sub(r"^#### (.*?):?$", r"**\1**", body, flags=re.M)
        body = re.sub(r"<table>\n<tr><th>Attribute</th>.*?\n(.*?)</table>",
                      lambda match: "| attribute | type | meaning |\n|---|---|---|\n" + "\n".join(
                          f"| `{a}` | `{b}` | {' '.join(c.split())} |" for a, b, c in ATTRIBUTE.findall(match[1])), body, flags=re.S)
        # The effects in terms of C++ are of no use to readers.
        body = re.sub(r"^(Traits|Interfaces|Effects): .*\n\n?", "", body, flags=re.M)
        body = re.sub(r"^```$(?=\n.*operation ::=|\n[^`]*?\n```)", "```text", body, flags=re.M)
        text += f"## {name}\n\n{body.strip()}\n\n"
    return text


def write(root, folder):
    """Writes the pages. Without mlir-tblgen there are none."""
    found = tool(root)
    if not found:
        print("mlir-tblgen is missing: the site has no pages of ops and passes")
        return
    os.makedirs(folder, exist_ok=True)
    pages = [(name, page(title, "All ops, with their syntax. The text is made from the ODS.", made(root, found, "-gen-op-doc", files)))
             for title, name, files in OPS]
    pages.append(("passes", page("All passes", "What each pass does, with the IR before and after. The text is made from `Passes.td`.",
                                 made(root, found, "-gen-pass-doc", PASSES))))
    for name, text in pages:
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as file:
            file.write(re.sub("^```mlir", "```text", text, flags=re.M))
