"""Words per sentence of the Markdown, the comments and the messages of a tree."""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "frontend" / "language"))
import codes  # noqa: E402
import messages  # noqa: E402

SKIPPED = ("build/", "runtime/FFT/ducc0/", "frontend/Editors/tree-sitter/", "test/", ".git/")
END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`\"'(])")
# Lines without sentences: the head of a file, pragmas and code.
NO_TEXT = re.compile(r"===|SPDX|Part of the pmc project|clang-format|NOLINT|noqa|^\s*[{}]|;\s*$")
# An argument or a part of the comment of a library function.
ITEM = re.compile(r"\s*(- |\w+: )")


def sentences(text):
    """Words of each sentence of a paragraph; code and a link are one word."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"``?[^`]*``?", "code", text).replace("**", "")
    for sentence in END.split(text):
        words = re.findall(r"[^\W_][\w'’./-]*|\{\}", sentence)
        if len(words) > 1:
            yield len(words)


def paragraphs(text):
    """Paragraphs and items of lists, without code, tables and headings."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        lines = [line for line in block.split("\n") if not line.startswith(("|", "#", "    "))]
        yield " ".join(" ".join(lines).split()).lstrip("-*0123456789. ")


def comments(text, mark):
    """Comments of whole lines. Adjacent lines are one comment, but each item of a list is its own comment."""
    lines = []
    for line in [*text.split("\n"), ""]:
        match = re.match(rf"\s*{mark}+!? ?(.*)$", line)
        is_text = match and match[1].strip() and not NO_TEXT.search(match[1])
        if lines and is_text and ITEM.match(match[1]):
            yield " ".join(lines)
            lines = []
        if is_text:
            lines.append(match[1].strip())
        elif lines:
            yield " ".join(lines)
            lines = []


def texts(root, runtime_calls):
    """Texts of messages. A placeholder, or a part that is computed, is one word."""
    for path, _, found in messages.sources(root):
        if path.suffix == ".cpp":
            yield from (text for _, text in found)
    for path in sorted((root / "runtime").rglob("*.cpp")):
        if "ducc0" not in path.parts:
            yield from (text for _, text in messages.calls(path.read_text(), runtime_calls))


def message(text):
    parts = messages.LITERAL.findall(re.sub(r'"\s*\n\s*"', "", text))
    joined = codes.CODE.sub("", " {} ".join(parts))
    return re.sub(r"\{[^}]*\}", "{}", joined.replace("\\n", " "))


def counted(root):
    """Returns {kind: words of each sentence}."""
    found = {"Markdown": [], "comments": [], "messages": []}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if name.startswith(SKIPPED) or not path.is_file():
            continue
        if path.suffix == ".md":
            kind, parts = "Markdown", paragraphs(path.read_text())
        elif path.suffix in (".cpp", ".h", ".td", ".def", ".pm"):
            kind, parts = "comments", comments(path.read_text(), "/")
        elif path.suffix in (".py", ".toml", ".cmake") or path.name == "CMakeLists.txt":
            kind, parts = "comments", comments(path.read_text(), "#")
        else:
            continue
        found[kind] += [words for part in parts for words in sentences(part)]
    found["messages"] = [words for text in texts(root, codes.RUNTIME + "|runtime_error") for words in sentences(message(text)) if words > 2]
    return found


def table(root):
    lines = [f"{'':10} {'sentences':>9} {'median':>7} {'95 % up to':>11} {'over 25 words':>14}"]
    for kind, words in counted(root).items():
        words.sort()
        most = words[int(0.95 * len(words))]
        lines.append(f"{kind:10} {len(words):9} {statistics.median(words):7.0f} {most:11} {100 * sum(w > 25 for w in words) / len(words):12.1f} %")
    return lines
