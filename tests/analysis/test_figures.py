"""The figures of all analyses: nothing collides, and nothing is empty."""

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any, cast

import polars as pl
from matplotlib.figure import Figure
from matplotlib.text import Text

from tokenbench.analysis import figures
from tokenbench.run.reporting.figures import style

NAMES = [f"an-instruct-model-with-a-long-name-{number}" for number in range(8)]


def boxes(texts: Iterable[Any]) -> list[Any]:
    return [text.get_window_extent() for text in texts if text.get_text()]


def draw_all(figure: Figure) -> Figure:
    with style():
        figure.draw_without_rendering()
    return figure


def collide(found: list[Any]) -> bool:
    return any(one.overlaps(other) for one, other in combinations(found, 2))


def test_names_of_points_keep_off_each_other_and_the_points() -> None:
    points = [(0.01 * place, 0.001 * (place % 3)) for place in range(8)]
    frame = pl.DataFrame([(*point, name) for point, name in zip(points, NAMES, strict=True)],
                         schema=["x", "y", "model"], orient="row")  # fmt: skip
    figure = draw_all(figures.scatter(frame, "x", "y", label="model"))
    axes = figure.axes[0]
    names = [text for text in axes.texts if text.get_text()]
    assert len(names) == 8
    assert not collide(boxes(names))
    places = [axes.transData.transform(point) for point in points]
    assert not any(box.contains(*place) for box, place in product(boxes(names), places))


def test_one_name_for_points_of_several_groups() -> None:
    frame = pl.DataFrame({"x": [1, 1], "y": [1, 2], "lang": ["en", "en"], "model": ["a", "b"]})
    figure = figures.scatter(frame, "x", "y", label="lang", group="model")
    assert [getattr(text, "xy", None) for text in figure.axes[0].texts] == [(1, 2)]


def test_long_names_leave_room_for_the_plot() -> None:
    wide = pl.DataFrame({"name": [f"{one}, {one}" for one in NAMES], "a": 0.5, "b": -0.001})
    axes = draw_all(figures.heat_map(wide, "name", low=-1.0)).axes[0]
    assert not collide(boxes(axes.texts))
    assert {text.get_text() for text in axes.texts} == {"0.50", "0.00"}
    long = pl.DataFrame(
        {"x": [1, 2] * 8, "y": 0.5, "e": 0.1, "name": NAMES * 2, "task": ["s", "t"] * 8}
    )
    figure = draw_all(figures.curves(long, "x", "y", group="name", panel="task", error="e"))
    assert [axes.get_title() for axes in figure.axes] == ["s", "t"]
    assert all(axes.get_window_extent().width > 150 for axes in figure.axes)
    legend = figure.legends[0].get_window_extent()
    assert not any(axes.get_window_extent().overlaps(legend) for axes in figure.axes)


def test_groups_differ_in_gray_and_stand_in_the_order_of_the_frame() -> None:
    frame = pl.DataFrame({"model": "a", "part": ["right", "other"], "value": [0.5, -0.5]})
    figure = figures.bars(frame, "model", "value", group="part")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["right", "other"]
    assert len({bar.get_hatch() for bar in figure.axes[0].patches}) == 2
    assert any(list(cast(Any, line.get_xdata())) == [0, 0] for line in figure.axes[0].lines)


def test_figures_without_data_say_so() -> None:
    frame = pl.DataFrame(schema={"name": pl.String, "x": pl.Float64, "y": pl.Float64})
    empty = [
        figures.bars(frame, "name", "x", group="name"),
        figures.curves(frame, "x", "y", group="name", panel="name", error="y"),
        figures.heat_map(frame, "name"),
        figures.scatter(frame, "x", "y", label="name", group="name"),
    ]
    for figure in empty:
        assert "no data" in [text.get_text() for text in figure.findobj(Text)]
