"""`tokenbench score`: verdicts on completions as JSON Lines, and a summary table."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import tee
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

import typer
from rich.text import Text

from tokenbench.cli import options, streams
from tokenbench.cli.render import Meter, show_table
from tokenbench.cli.streams import STANDARD, ItemLine, Line
from tokenbench.errors import SourceError, TokenbenchError, VersionError
from tokenbench.extraction import ExtractName, candidates, text_of
from tokenbench.integrations import parse_rules, validate
from tokenbench.item import Item, Json
from tokenbench.prompts import describe_unread, reads_style
from tokenbench.published.tables import Table
from tokenbench.published.tables import table as published_table
from tokenbench.quoting import pluralize
from tokenbench.run.summary import percent
from tokenbench.scoring import Verdict, check
from tokenbench.tasks import TaskRef

# The benchmark whose published tables are computed.
_WITH_TABLES: Final = "tase"
# Columns that are only there where the verdict or end occurs.
_RARE: Final = ("conflicting", "too_long", "cut_off")

# Published items have a file and a row.
_COLUMNS: Final[Mapping[str, type]] = {
    "id": str, "line": int, "file": str, "row": int, "task": str, "lang": str, "variant": str,
    "rule": str, "score": float, "code": str, "answer": str, "reason": str,
}  # fmt: skip
# The field of a line that contains the completion, if the caller names none.
FIELD: Final = "completion"
# A line with these is a result of a run.
_RESULT_FIELDS: Final = frozenset({"id", "index", "sample", "error"})


class Faults:
    """Lines that cannot be used: the first one is fatal, or all of them are reported and counted.

    Args:
        skip: whether to go on after one.
        report: prints a message.
    """

    def __init__(self, skip: bool, report: Callable[[str], None]) -> None:
        self._skip, self._report = skip, report
        self.counts: Counter[str] = Counter()

    def add(self, kind: str, message: str, count: int = 1) -> None:
        """Count unusable lines as `malformed`, `of_another_version`, `unknown` or `missing`.

        The first of each kind is reported.

        Raises:
            SourceError: unusable lines are fatal.
        """
        if not self._skip:
            raise SourceError(message, remedy="to go on without, add --on-error skip")
        if kind not in self.counts:
            self._report(f"skipped: {message}")
        self.counts[kind] += count


class Completion(NamedTuple):
    """A completion, the line it is on, and the item's id there if it has one.

    On a line of a run's `results.jsonl`, `request` is the item's id, its index and the sample, and
    `failed` is whether the request failed: such a row has no completion to judge. `cut_off` is
    whether the limit of tokens ended it.
    """

    line: Line
    value: Json
    id: str = ""
    request: str = ""
    failed: bool = False
    cut_off: bool = False


def join_completions(
    items: Iterable[ItemLine | TokenbenchError],
    completions: Iterable[str],
    *,
    field: str | None,
    faults: Faults,
) -> Iterator[tuple[Completion, ItemLine]]:
    """Yield each completion with its item.

    A line is a JSON string, the completion, or an object with it under `field`: text, chat messages
    or null. The first one decides how all are joined: by id if it has one, else by line. Items with
    the same id take turns. Failed requests of a run come after the other lines of
    their file, without those that a later line answers.

    Args:
        items: the items, and the lines that are not.
        completions: the paths of their files, read as one.
        field: the field of an object that contains its completion, or the path of one with dots;
            None is `FIELD`, and lines without fields are only good without a name.
        faults: gets malformed lines, completions without an item, and items without a completion.

    Raises:
        SourceError: an unusable line, if `faults` treats it as fatal.
    """
    lines, ahead = tee(_read_completions(completions, field, faults))
    first = next(filter(None, ahead), None)
    # Otherwise `tee` would keep all lines for it.
    del ahead
    by_id = bool(first and first.id)
    # Items by id, or by the index of their line.
    groups: dict[str | int, list[ItemLine]] = {}
    for index, item in enumerate(items):
        if isinstance(item, TokenbenchError):
            faults.add("malformed", str(item))
            groups.setdefault(index, [])
        else:
            groups.setdefault(item.id if by_id else index, []).append(item)
    turns: Counter[str | int] = Counter()
    for index, completion in enumerate(lines):
        key = completion.id if by_id and completion is not None else index
        if completion is not None and key not in groups:
            where = completion.line.where
            if not by_id:
                faults.add("unknown", f"{where}: there are fewer items than completions")
            elif key:
                faults.add("unknown", f"{where}: no item has the id {key!r}")
            else:
                faults.add("malformed", f"{where}: no id, but the first completion has one")
        elif completion is not None and (same := groups[key]):
            yield completion, same[turns[key] % len(same)]
        turns[key] += 1
    missing = [same[0].where for key, same in groups.items() if same and key not in turns]
    if missing:
        message = f"{pluralize(len(missing), 'item')} without a completion, the first: {missing[0]}"
        faults.add("missing", message, len(missing))


def _read_completions(
    paths: Iterable[str], field: str | None, faults: Faults
) -> Iterator[Completion | None]:
    """Yield the completion on each line, or None after reporting that it has none."""
    for path in paths:
        # A run keeps the line of a failed request next to the line of a later success.
        failed: dict[str, Completion] = {}
        done: set[str] = set()
        for line in streams.read_lines(path):
            try:
                completion = _parse_completion(line, field)
            except SourceError as error:
                faults.add("malformed", str(error))
                yield None
                continue
            if completion.failed:
                failed[completion.request] = completion
            else:
                done.add(completion.request)
                yield completion
        yield from (one for request, one in failed.items() if request not in done)


def _parse_completion(line: Line, field: str | None) -> Completion:
    value = streams.parse_json(line)
    if isinstance(value, str) and field is None:
        return Completion(line, value)
    field = field or FIELD
    if not isinstance(value, dict):
        raise SourceError(f"{line.where}: expected a JSON object with {field!r}, or a string")
    text = _look_up(value, field, line)
    messages = text if isinstance(text, list) else [text]
    is_chat = all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in messages)
    if not (isinstance(text, str | None) or (messages and is_chat)):
        advice = "write each of several samples on a line of its own"
        if isinstance(text, dict):
            advice = "name a field within it with --field, by a path with dots"
        problem = f"{line.where}: {field!r} is not text, chat messages or null"
        raise SourceError(problem, remedy=advice)
    # In the output of OpenAI's batches `id` is that of the request.
    ident = value.get("custom_id", value.get("id"))
    id_ = str(ident) if isinstance(ident, str | int) else ""
    if value.keys() >= _RESULT_FIELDS:
        request = f"{value['id']}, {value['index']}, {value['sample']}"
        cut_off = value.get("finish") == "length"
        return Completion(line, text, id_, request, value["error"] is not None, cut_off)
    return Completion(line, text, id_)


def _look_up(value: dict[str, Json], field: str, line: Line) -> Json:
    """Return the value of a field, or of a field within others, as `choices.0.text`.

    Raises:
        SourceError: the row lacks the field.
    """
    if field in value:
        return value[field]
    inner: Json = value
    for name in field.split("."):
        if isinstance(inner, dict) and name in inner:
            inner = inner[name]
        elif isinstance(inner, list) and name.isdecimal() and int(name) < len(inner):
            inner = inner[int(name)]
        else:
            names = ", ".join(map(repr, value)) or "nothing"
            raise SourceError(f"{line.where}: no {field!r}, only {names}", remedy="see --field")
    return inner


def score(
    *,
    completions: list[str],
    items: str | None = None,
    published: tuple[str, str] | None = None,
    field: str | None = None,
    rule: list[str] | None = None,
    extract: str | None = None,
    reveal: bool = False,
    out: str = STANDARD,
    force: bool = False,
    on_error: Literal["fail", "skip"] = "fail",
    progress: bool | None = None,
) -> int:
    """Score completions: one verdict per line with its reason, and a summary table.

    The table is on standard output if --out names a file, else on standard error.

    If the first completion has an id, all are matched with items by id, otherwise by line. Of a
    run's results.jsonl, requests that failed are counted apart, not as wrong answers. The exit
    status is 0 if every line was used, 1 if some were skipped or had failed, 2 after a fatal error,
    which leaves no file of verdicts.
    """
    if bool(items) == bool(published):
        raise TokenbenchError("choose one of --items and --published")
    if [items, *completions].count(STANDARD) > 1:
        raise TokenbenchError("standard input is given for two files", remedy="name one of them")
    rules = parse_rules(rule or ["published" if published else "exact"])
    if all(name.startswith("published") for name in rules):
        options.refuse_options(
            "on the published scorers, which find answers in their own way", extract=extract
        )
    extract = extract or "answer"
    validate(extract=extract)
    judge = partial(check, extract=cast(ExtractName, extract), reveal=reveal)
    sums = _Summary(published[0] if published else None)
    source: Iterable[ItemLine | TokenbenchError]
    if published:
        source = [
            ItemLine(f"{item.meta['file']}, row {item.meta['row']}", item.id, item)
            for item in options.read_published(*published)
        ]
    else:
        source = streams.read_items(str(items))
    inputs = [*completions, *([items] if items else [])]
    output = streams.Output(out, force, sources=inputs)
    # A file that cannot be read must not cost what the output has; a pipe opens only once.
    for path in inputs:
        if path != STANDARD and not Path(path).is_fifo():
            with streams.open_input(path):
                pass
    with (
        Meter("completions", None, progress, output=out == STANDARD) as meter,
        output.rows(_COLUMNS) as write,
    ):
        faults = Faults(on_error == "skip", meter.note)
        try:
            pairs = join_completions(source, completions, field=field, faults=faults)
            for completion, line in pairs:
                item = line.item
                if completion.failed:
                    sums.failed += 1
                    continue
                try:
                    verdicts = {name: judge(completion.value, item, rule=name) for name in rules}
                except TokenbenchError as error:
                    is_other = isinstance(error, VersionError)
                    kind = "of_another_version" if is_other else "malformed"
                    faults.add(kind, f"{line.where}: {error}")
                    verdicts = {}
                for name, verdict in verdicts.items():
                    write(_verdict_row(completion, line, name, verdict))
                    sums.add(item, name, verdict, completion)
                meter.step()
        except SourceError:
            # The verdicts on a part of the completions are of no use, and would be in the way.
            output.discard()
            raise
    sums.show(faults.counts, err=out == STANDARD)
    return streams.SKIPPED if faults.counts or sums.failed else streams.DONE


def _verdict_row(
    completion: Completion, line: ItemLine, rule: str, verdict: Verdict
) -> dict[str, Any]:
    item = line.item
    row: dict[str, Any] = {"id": line.id, "line": completion.line.number}
    row |= {name: item.meta[name] for name in ("file", "row") if name in item.meta}
    row |= {"task": item.task, "lang": item.lang, "variant": item.variant, "rule": rule}
    row |= {"score": verdict.score, "code": verdict.code}
    return row | {"answer": verdict.answer, "reason": verdict.reason}


# By the name of a group, such as a task or a language, and by rule: the sum of the scores, the
# number of completions and of those with each verdict.
_Groups: TypeAlias = defaultdict[str, defaultdict[str, defaultdict[str, float]]]


class _Summary:
    """Sums of verdicts by part, task, language and rule.

    Args:
        published: the published benchmark, if any: for TASE the published tables are computed, for
            the others a mean for each file.
    """

    def __init__(self, published: str | None) -> None:
        # By part, task, language, at all, and by published file.
        self._groups = [_Groups(lambda: defaultdict(lambda: defaultdict(float))) for _ in range(5)]
        self._scores: defaultdict[str, list[tuple[Item, float]]] = defaultdict(list)
        self._published = published
        # An item of each task with answers in tags that a rule does not read.
        self._unread: dict[str, Item] = {}
        # Failed requests of a run: they have no completion to judge.
        self.failed = 0

    def add(self, item: Item, rule: str, verdict: Verdict, completion: Completion) -> None:
        is_unread = not verdict.score and not reads_style(rule, item, "direct")
        if is_unread and candidates(text_of(completion.value) or ""):
            self._unread.setdefault(item.task, item)
        if self._published == _WITH_TABLES:
            self._scores[rule].append((item, verdict.score))
        names = str(TaskRef.of(item)), item.task, item.lang, "all", str(item.meta.get("file"))
        for groups, name in zip(self._groups, names, strict=True):
            sums = groups[name][rule]
            sums["completions"] += 1
            sums["score"] += verdict.score
            sums[verdict.code] += 1
            sums["cut_off"] += completion.cut_off

    def show(self, skipped: Counter[str], *, err: bool) -> None:
        """Print the summary as tables, with notes about them on standard error."""
        parts, tasks, languages, everything, files = self._groups
        if everything:
            # A part is named task:language, so that a task or a language alone is a total.
            totals = [one for one in (tasks, languages) if 1 < len(one) < len(parts)]
            _show_groups("task", [parts, *totals, everything], err=err)
            for rule, scores in self._scores.items():
                _show_published(rule, published_table(*zip(*scores, strict=True)), err=err)
            if self._published not in (None, _WITH_TABLES):
                _show_groups("published file", [files], err=err)
        elif not (self.failed or skipped):
            typer.echo("nothing to score: no completions", err=True)
        if unread := describe_unread(self._unread.values(), "direct", everything["all"]):
            typer.echo(unread, err=True)
        if self.failed:
            typer.echo(f"not scored: {pluralize(self.failed, 'request')} of a run failed", err=True)
        if skipped:
            counts = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in skipped.items())
            typer.echo(f"skipped: {counts}", err=True)


def _show_groups(head: str, groups: Sequence[_Groups], *, err: bool) -> None:
    """Print a row for each group: its mean by each rule, the verdicts of the first rule."""
    rules = list(next(iter(groups[0].values())))
    firsts = [sums[rules[0]] for by_name in groups for sums in by_name.values()]
    rare = [code for code in _RARE if any(first[code] for first in firsts)]
    codes = ["no_answer", "unparsable", *rare]
    headers = [head, "completions", *rules, *(code.replace("_", " ") for code in codes)]
    sections: list[list[list[str | Text]]] = []
    for by_name in groups:
        sections.append([])
        for name, sums in sorted(by_name.items()):
            first = sums[rules[0]]
            n = int(first["completions"])
            means = [Text(f"{sums[rule]['score'] / n:.4f}", style="bold") for rule in rules]
            shares = [percent(int(first[code]), n) for code in codes]
            sections[-1].append([name, f"{n:,}", *means, *shares])
    n_columns = len(headers)
    optional = [*range(n_columns - 1, n_columns - len(codes) - 1, -1), 1]
    show_table(headers, *sections, right=range(1, n_columns), optional=optional, err=err)


def _show_published(rule: str, table: Table, *, err: bool) -> None:
    numbers = {**table.tasks, "average": table.average, **table.languages}
    numbers |= {"EA": table.ea, "CA": table.ca, "KA": table.ka, "uniformity": table.uniformity}
    rows = [[name, "–" if value is None else f"{value:.4f}"] for name, value in numbers.items()]
    n = len(table.tasks)
    sections = rows[:n], rows[n : n + 1], rows[n + 1 : n + 4], rows[n + 4 :]
    show_table(["published table", rule], *sections, right=[1], err=err)
    if table.misfiled:
        files = ", ".join(f"{file} as {lang}" for file, lang in table.misfiled.items())
        typer.echo(f"counted under another language, as published: {files}", err=True)
