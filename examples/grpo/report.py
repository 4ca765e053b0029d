"""Write the tables of `results.md` and the figure `results.svg` from `results.json`.

python examples/grpo/report.py out/grpo/results.json
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from tokenbench.extraction import candidates

HERE = Path(__file__).parent
RULES = ("exact", "graded", "published")
COLUMNS = {
    "exact": "right (`exact`)",
    "graded": "`graded`",
    "published": "`published`",
    "loophole": "paid by `published` though wrong",
    "whole": "the word unsplit",
}
COLOURS = {"before": "#7f7f7f", "exact": "#0072B2", "graded": "#009E73", "published": "#D55E00"}
WINDOW = 5  # updates that a point of a curve averages


def main() -> None:
    """Read the results, and write what shows them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("results", type=Path, nargs="?", default=HERE / "results.json")
    results = json.loads(parser.parse_args().results.read_text())
    (HERE / "results.md").write_text(written(results))
    figure(results, HERE / "results.svg")


def written(results: dict[str, Any]) -> str:
    """Return the tables in Markdown."""
    started, runs = results["before"], results["runs"]
    names = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    lines = [
        "# Results",
        "",
        f"Written by `report.py` from `results.json` ({names}).",
        f"Shares of held-out items, greedy completions, {len(runs)} runs: the mean over the seeds,",
        "and in brackets the lowest and the highest.",
    ]
    for part, before in started.items():
        shown = {key: name for key, name in COLUMNS.items() if key != "whole" or "split" in part}
        lines += ["", f"## {part}", "", row(["trained by", *shown.values()])]
        lines += [row(["---"] * (len(shown) + 1))]
        lines += [row(["supervision alone", *(f"{before[key]:.2f}" for key in shown)])]
        for rule in RULES:
            found = [run["after"][part] for run in of_rule(runs, rule)]
            if found:
                cells = [spread([one[key] for one in found]) for key in shown]
                lines.append(row([f"GRPO with `{rule}`", *cells]))
    lines += ["", "## While training", ""]
    lines += [
        f"Shares of samples, means of {WINDOW} updates and of the seeds, at the course's levels:",
        "right, and in brackets what is paid. The best is where most were right.",
        "",
        row(["rewarded by", "first", "best", "last"]),
        row(["---"] * 4),
    ]
    for rule in RULES:
        if of_rule(runs, rule):
            right, paid = (mean_curve(runs, rule, key) for key in ("exact", "paid"))
            places = (0, max(range(len(right)), key=right.__getitem__), -1)
            cells = [f"{right[place]:.2f} ({paid[place]:.2f})" for place in places]
            lines.append(row([f"`{rule}`", *cells]))
    ends = [one for part in started.values() for one in part["said"]]
    ends += [one for run in runs.values() for part in run["after"].values() for one in part["said"]]
    several = sum(len(candidates(one, "only")) > 1 for one in ends)
    lines += ["", f"Held-out completions with several pairs of tags: {several} of {len(ends):,}."]
    lines += ["", "## What they say", ""]
    lines += [row(["right", "supervision", *(f"`{rule}`, seed 0" for rule in RULES)])]
    lines += [row(["---"] * (len(RULES) + 2))]
    for part, before in started.items():
        for place in range(4):
            said, right = before["said"][place], results["right"][part][place]
            after = [
                run["after"][part]["said"][place] if run else ""
                for run in (runs.get(f"{rule}/0") for rule in RULES)
            ]
            lines.append(row([right, *(f"`{bare(one)}`" if one else "" for one in (said, *after))]))
    lines += ["", "## Levels and time", ""]
    taught = results["supervised"]
    parts = list(next(iter(runs.values()))["levels"]) if runs else []
    lines += [row(["run", *(f"level of {part} at the end" for part in parts), "CPU s", "wall s"])]
    lines += [row(["---"] * (len(parts) + 3))]
    lines += [row(["supervision", *("" for _ in parts), taught["cpu_s"], taught["wall_s"]])]
    for name, run in sorted(runs.items()):
        lines.append(row([name, *run["levels"].values(), run["cpu_s"], run["wall_s"]]))
    spent = [sum(part[key] for part in (taught, *runs.values())) for key in ("cpu_s", "wall_s")]
    lines.append(row(["all", *("" for _ in parts), *spent]))
    return "\n".join(lines) + "\n"


def figure(results: dict[str, Any], path: Path) -> None:
    """Draw what is paid and what is right, while training and on held-out items."""
    plt.rcParams.update({"font.size": 9, "svg.hashsalt": "grpo", "svg.fonttype": "none"})
    started, runs = results["before"], results["runs"]
    chart = plt.figure(figsize=(9, 5.6), layout="constrained")
    above, below = chart.subfigures(2, 1)
    training = above.subplots(1, len(RULES), sharey=True)
    held_out = below.subplots(1, len(started), sharey=True)
    for panel, rule in zip(training, RULES, strict=True):
        for key, colour, name in (
            ("paid", COLOURS[rule], "paid"),
            ("exact", "#000000", "right"),
        ):
            curves = curves_of(runs, rule, key)
            if not curves:
                continue
            mean = mean_curve(runs, rule, key)
            updates = range(WINDOW, WINDOW + len(mean))
            for curve in curves:
                panel.plot(updates, curve, color=colour, linewidth=0.6, alpha=0.4)
            dashes = "-" if key == "paid" else "--"
            panel.plot(updates, mean, color=colour, linewidth=2, linestyle=dashes, label=name)
        panel.set(title=f"rewarded by {rule}", xlabel="update", ylim=(0, 1.02))
        panel.legend(frameon=False, loc="upper right", ncols=2)
    training[0].set_ylabel("share of samples\nwhile training")
    held_out[0].set_ylabel("share of held-out items:\n● right   ○ paid by published")
    for panel, (part, before) in zip(held_out, started.items(), strict=True):
        panel.axhline(before["exact"], color=COLOURS["before"], linewidth=1, linestyle=":")
        columns = {"before": [before]} | {
            rule: [run["after"][part] for run in of_rule(runs, rule)] for rule in RULES
        }
        for place, (name, found) in enumerate(columns.items()):
            for key, fill, shift in (("exact", COLOURS[name], -0.12), ("published", "none", 0.12)):
                values = [one[key] for one in found]
                at = [place + shift] * len(values)
                panel.plot(at, values, "o", color=COLOURS[name], markerfacecolor=fill, alpha=0.8)
        panel.set(title=part, xlim=(-0.5, 3.5), ylim=(-0.03, 1.02))
        panel.set_xticks(range(4), ["before", *RULES], rotation=30)
    for panel in (*training, *held_out):
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", linewidth=0.3)
    chart.savefig(path, metadata={"Date": None})


def of_rule(runs: dict[str, Any], rule: str) -> list[dict[str, Any]]:
    """Return the runs of a rule, by seed."""
    return [run for name, run in sorted(runs.items()) if name.startswith(f"{rule}/")]


def mean_curve(runs: dict[str, Any], rule: str, key: str) -> list[float]:
    """Return the mean of a rule's smooth curves."""
    return [fmean(values) for values in zip(*curves_of(runs, rule, key), strict=True)]


def curves_of(runs: dict[str, Any], rule: str, key: str) -> list[list[float]]:
    """Return the smooth curve of each of a rule's runs."""
    return [smooth([one[key] for one in run["curve"]]) for run in of_rule(runs, rule)]


def smooth(values: Sequence[float]) -> list[float]:
    """Return the running means."""
    return [fmean(values[at : at + WINDOW]) for at in range(len(values) - WINDOW + 1)]


def spread(values: Sequence[float]) -> str:
    """Return the mean, and the lowest and highest in brackets."""
    return f"{fmean(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def bare(completion: str) -> str:
    """Return a completion without its tags, if it has the two that it should."""
    inner = completion.removeprefix("<answer>").removesuffix("</answer>")
    return inner if f"<answer>{inner}</answer>" == completion else completion


def row(cells: Iterable[Any]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
