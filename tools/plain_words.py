"""Check that names and sentences are plain: `python tools/plain_words.py [ROOT] [--list]`.

Names in src/: nothing is named after one of DENIED, and no function begins with a past participle
unless a list below says why. Names in tests/, tools/ and benchmarks/: no function is named after
one of DENIED, and at most --participles percent of the helpers begin with a past participle.
Numbers in src/: "{len(items)} items" goes through `pluralize`. Code: no tuple is unpacked where it
is written, as in `*("a", "b"), *("c", "d")`. Sentences (docstrings, comments, help, errors, names
of tests) and the documents that people write: at most --limit headless phrases ("what has …") per
1,000 words.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

DENIED: Final = re.compile(
    "found|held|told|known|listed|given|asked|said|placed|joined|whole|drawn|wanted|shown"
)
PARTICIPLE: Final = re.compile(  # not those that are also verbs: cut, put, read, set, split
    "been|begun|bent|bought|bound|broken|brought|built|caught|chosen|dealt|done|driven|fallen|fed"
    "|felt|fought|frozen|gone|grown|heard|hidden|hung|kept|laid|lent|lost|made|meant|met|paid|seen"
    "|sent|shaken|sold|sought|spent|spoken|stolen|stood|struck|stuck|taken|taught|thought|thrown"
    "|torn|understood|won|worn|woven|written"
    "|(?!(?:(?:bl|br|f|n|s|w)eed|embed|exceed|indeed|proceed|shed|speed|succeed)$)[a-z]{3,}ed"
)
# Pure functions of one argument, named like Python's `sorted`, and why.
TRANSFORMS: Final = {
    "quoted": "in quotation marks",
    "reversed": "backwards",
    "shuffled": "anew",
    "tagged": "in answer tags",
}
# Public names of extraction, draws, errors and results, and building blocks of tasks.
KEPT: Final = {
    "answered",
    "committed",
    "expected",
    "hidden",
    "kept_adjacencies",
    "permuted",
    "rejected",
}
PHRASE: Final = re.compile(
    r"\bwhat\s+(?:is|are|was|were|has|had|holds?|stands?|lies|a|an|the|one|they|it|every|all|of|may"
    r"|can|could|would|only|no|comes?|makes?|each|both|some)\b(?![^.:;]*\?)"  # a question is fine
    r"|(?<!there\s)\b(?:is|are|was|were)\s+no\s+(?!longer\b|more\b|less\b)[a-z]"
    r"|\blest\b|\bso\s+(?:many|often)\b(?!\s+that\b)|\bof\s+which\b|\bbut\s+for\b"
    r"|\bin\s+(?:its|their)\s+stead\b|\bbeside\b",
    re.IGNORECASE,
)
# A number in front of a noun in the plural: "1 items".
COUNT: Final = re.compile(r"(?:len|sum)\(.*|(?:\w+\.)*(?:n|n_\w+|count|number|total)")
PLURAL: Final = re.compile(
    r" (?:(?!of\b)[a-z-]+ )?(?!(?:is|was|has|as|does|less|its|needs)\b)[a-z]{2,}s\b(?! of\b)"
)
# Modules whose texts are data of items, which no better wording may change.
DATA: Final = {"fonts.py": "an item names the number of a font's characters"}
OTHER_AREAS: Final = ("tests", "tools", "benchmarks")
AREAS: Final = ("docs", *OTHER_AREAS)
CODE: Final = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
DOCTEST: Final = re.compile(r"^\s*(?:>>>|\.\.\.).*$", re.MULTILINE)


def first_word(name: str) -> str:
    """Return the first word of a name in snake_case or CamelCase, in lower case."""
    return re.sub("_.*|(?<=[a-z])[A-Z].*", "", name.lstrip("_")).lower()


def bad_names(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each participle that names something in a module."""
    names = [(1, "module", path.stem)]
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            names.append((node.lineno, "constant", name))
    classes = (part for part in ast.walk(tree) if isinstance(part, ast.ClassDef))
    names += ((one.lineno, "class", one.name) for one in classes)
    for function in functions_of(tree):
        if is_participle(function, path):
            yield function.lineno, f"function {function.name}"
    for line, kind, name in names:
        if DENIED.fullmatch(first_word(name)):
            yield line, f"{kind} {name}"


def functions_of(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return all functions of a module, inner ones and methods too."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [part for part in ast.walk(tree) if isinstance(part, kinds)]


def splats(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each tuple that is unpacked where it is written."""
    for part in ast.walk(tree):
        if isinstance(part, ast.Starred) and isinstance(part.value, ast.Tuple):
            yield part.lineno, f"{ast.unparse(part)[:40]}: write the values, or split a string"


def is_participle(function: ast.FunctionDef | ast.AsyncFunctionDef, path: Path) -> bool:
    """Return whether a function's name begins with a past participle and nothing excuses it."""
    word, name = first_word(function.name), function.name.lstrip("_")
    arguments = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    arguments = arguments[arguments[:1] in (["self"], ["cls"]) :]
    # The families of attacks: their names are keys of results, so they stay.
    is_family = "testing" in path.parts and arguments == ["item"] and name == function.name
    if is_family or name in KEPT or (name in TRANSFORMS and len(arguments) == 1):
        return DENIED.fullmatch(word) is not None
    return any(words.fullmatch(word) for words in (DENIED, PARTICIPLE))


def bad_counts(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each number in front of a noun that is always in the plural."""
    texts = [part.values for part in ast.walk(tree) if isinstance(part, ast.JoinedStr)]
    for number, after in (pair for values in texts for pair in pairwise(values)):
        if isinstance(number, ast.FormattedValue) and isinstance(after, ast.Constant):
            count, noun = ast.unparse(number.value), PLURAL.match(str(after.value))
            if noun and COUNT.fullmatch(count) and path.name not in DATA:
                yield number.lineno, f"{{{count}}}{noun[0]}: write pluralize({count}, …)"


def prose_of(source: str, *, every_string: bool = False) -> Iterator[tuple[int, str]]:
    """Yield docstrings, comments, help texts and errors of a module, or all strings, with lines."""
    tree = ast.parse(source)
    nodes: list[ast.AST] = [tree] if every_string else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
            nodes.append(node)
        elif isinstance(node, ast.Call):
            is_error = re.search(r"(Error|\bUnparsable|\bunknown)$", ast.unparse(node.func))
            nodes += node.args if is_error else []
            nodes += [one.value for one in node.keywords if is_error or one.arg in ("help", "doc")]
    texts = {part for one in nodes for part in ast.walk(one) if isinstance(part, ast.Constant)}
    yield from ((one.lineno, DOCTEST.sub("", one.value)) for one in texts if type(one.value) is str)
    comments = [""] * (source.count("\n") + 2)  # one passage, so that a phrase may span two lines
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0] - 1] = token.string.lstrip("# ")
    yield 1, "\n".join(comments)


def phrases(file: str, passages: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield each headless phrase of some passages as `file:line: phrase`."""
    for line, text in passages:
        for match in PHRASE.finditer(text):
            context = " ".join(text[max(0, match.start() - 20) : match.end() + 30].split())
            at = line + text.count("\n", 0, match.start())
            yield f"{file}:{at}: “{' '.join(match[0].split())}” in: {context}"


def documents(root: Path) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the passages of each document that people write, or that a script of docs/ contains."""
    pages = {*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/README.md")}
    for file in sorted(pages | {*root.glob("docs/*.py"), *root.glob("docs/*.toml")}):
        text, name = file.read_text(encoding="utf-8"), file.relative_to(root).as_posix()
        if file.suffix == ".py":
            yield name, list(prose_of(text, every_string=True))
        elif name != "CHANGELOG.md" and not re.match("<!-- Written by|# Mutants", text):
            yield name, [(1, CODE.sub(lambda code: "\n" * code[0].count("\n"), text))]


def code_files(root: Path, areas: Iterable[str]) -> Iterator[tuple[Path, str, ast.Module]]:
    """Yield the path, text and tree of each module of some folders."""
    for file in (file for area in areas for file in sorted(root.glob(f"{area}/**/*.py"))):
        text = file.read_text(encoding="utf-8")
        yield file.relative_to(root), text, ast.parse(text)


def main(arguments: list[str] | None = None) -> int:
    """Print the complaints, or counts of each package, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--list", action="store_true", help="print counts of each package instead")
    parser.add_argument("--limit", type=float, default=1.0, help="phrases per 1,000 words")
    parser.add_argument("--participles", type=float, default=3.0, help="percent of the helpers")
    options = parser.parse_args(arguments)
    root, complaints = options.root, list[tuple[str, str, str]]()  # package, kind, complaint
    words, helpers = Counter[str](), Counter[str]()  # of each package
    sources = [("docs", *document) for document in documents(root)]
    for path, text, tree in code_files(root, ["src"]):
        package = path.parts[2]
        for line, what in bad_names(path, tree):
            complaints.append((package, "names", f"{path}:{line}: {what}"))
        for line, what in bad_counts(path, tree):
            complaints.append((package, "counts", f"{path}:{line}: {what}"))
        sources.append((package, path.as_posix(), list(prose_of(text))))
    for path, text, tree in code_files(root, OTHER_AREAS):
        area, passages = path.parts[0], list(prose_of(text))
        for function in functions_of(tree):
            word, complaint = first_word(function.name), f"{path}:{function.lineno}: function "
            if function.name.startswith("test_"):
                passages.append((function.lineno, function.name.replace("_", " ")))
                continue
            helpers[area] += 1
            if DENIED.fullmatch(word):
                complaints.append((area, "names", complaint + function.name))
            if is_participle(function, path):
                complaints.append((area, "participles", complaint + function.name))
        sources.append((area, path.as_posix(), passages))
    for path, _, tree in code_files(root, ["src", "docs", "examples", *OTHER_AREAS]):
        package = path.parts[2] if path.parts[0] == "src" else path.parts[0]
        complaints += ((package, "splats", f"{path}:{at}: {what}") for at, what in splats(tree))
    for package, name, texts in sources:
        complaints += ((package, "phrases", complaint) for complaint in phrases(name, texts))
        words[package] += sum(len(text.split()) for _, text in texts)
    failures = [text for _, kind, text in complaints if kind in ("names", "counts", "splats")]
    for area in ("src", "docs", *OTHER_AREAS):
        inside = [name for name in words if area == (name if name in AREAS else "src")]
        bad = [line for name, kind, line in complaints if name in inside and kind == "phrases"]
        rate = 1000 * len(bad) / max(1, sum(words[package] for package in inside))
        figure = f"{area}: {rate:.1f} headless phrases per 1,000 words"
        failures += bad if rate > options.limit else []
        if area in OTHER_AREAS:
            bad = [line for name, kind, line in complaints if (name, kind) == (area, "participles")]
            percent = 100 * len(bad) / max(1, helpers[area])
            figure += f", {percent:.1f} % of the helpers begin with a participle"
            failures += bad if percent > options.participles else []
        print(figure)
    counts = Counter(f"{package:20} {kind}" for package, kind, _ in complaints)
    report = (f"{key:30} {counts[key]:4}" for key in sorted(counts)) if options.list else failures
    print(*report, sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
