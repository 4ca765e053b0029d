"""Check that names and sentences are plain: `python tools/plain_words.py [ROOT] [--list]`.

Names in src/: nothing is named after one of DENIED, and no function begins with a past participle
unless a list below says why. Names in tests/: no function is named after one of DENIED. Numbers in
src/: "{len(items)} items" goes through `pluralize`. Sentences in src/ (docstrings, comments, help,
errors) and in the documents that people write: at most --limit phrases such as "what holds …" per
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
    for part in ast.walk(tree):
        if isinstance(part, ast.ClassDef):
            names.append((part.lineno, "class", part.name))
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and is_participle(part, path):
            yield part.lineno, f"function {part.name}"
    for line, kind, name in names:
        if DENIED.fullmatch(first_word(name)):
            yield line, f"{kind} {name}"


def bad_test_names(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each function of a test module that has a denied name."""
    for match in re.finditer(r"^ *(?:async )?def (\w+)", text, re.MULTILINE):
        if DENIED.fullmatch(first_word(match[1])):
            yield text.count("\n", 0, match.start()) + 1, f"function {match[1]}"


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


def main(arguments: list[str] | None = None) -> int:
    """Print the complaints, or counts of each package, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--list", action="store_true", help="print counts of each package instead")
    parser.add_argument("--limit", type=float, default=1.0, help="phrases per 1,000 words")
    options = parser.parse_args(arguments)
    words, found = Counter[str](), list[tuple[str, str, str]]()  # package, kind, complaint
    sources = [("docs", *document) for document in documents(options.root)]
    for file in sorted(options.root.glob("src/**/*.py")):
        path, text = file.relative_to(options.root), file.read_text(encoding="utf-8")
        for line, name in bad_names(path, ast.parse(text)):
            found.append((path.parts[2], "names", f"{path}:{line}: {name}"))
        for line, text_of_count in bad_counts(path, ast.parse(text)):
            found.append((path.parts[2], "counts", f"{path}:{line}: {text_of_count}"))
        sources.append((path.parts[2], path.as_posix(), list(prose_of(text))))
    for file in sorted(options.root.glob("tests/**/*.py")):
        for line, name in bad_test_names(file.read_text(encoding="utf-8")):
            found.append(("tests", "names", f"{file.relative_to(options.root)}:{line}: {name}"))
    for package, name, passages in sources:
        found += ((package, "phrases", complaint) for complaint in phrases(name, passages))
        words[package] += sum(len(text.split()) for _, text in passages)
    failures = [complaint for _, kind, complaint in found if kind in ("names", "counts")]
    for area in ("src", "docs"):
        inside = [package for package in words if (package == "docs") == (area == "docs")]
        bad = [line for package, kind, line in found if package in inside and kind == "phrases"]
        rate = 1000 * len(bad) / max(1, sum(words[package] for package in inside))
        print(f"{area}: {rate:.1f} headless phrases per 1,000 words")
        failures += bad if rate > options.limit else []
    counts = Counter(f"{package:20} {kind}" for package, kind, _ in found)
    report = (f"{key:30} {counts[key]:4}" for key in sorted(counts)) if options.list else failures
    print(*report, sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
