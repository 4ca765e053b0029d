"""Chinese character riddles: each leads to one character, checked from the words alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tokenbench import check, ridl, score
from tokenbench.decomposition.hanzi import STROKES, decompose, right_decompositions
from tokenbench.draw import Split
from tokenbench.errors import DifficultyError
from tokenbench.item import Item
from tokenbench.tasks import register
from tokenbench.tasks.riddles import DEVICES
from tokenbench.tasks.riddles.character_riddles import (
    answers,
    clues,
    component_names,
    remainders,
    riddle_data,
    solutions,
)
from tokenbench.tasks.wordings import questions
from tokenbench.text.languages import language
from tokenbench.text.units import gb2312, han

ZH = DEVICES["zh"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")
MOST = 4  # components
MANY = 400
QUOTED = re.compile("“([^“”]+)”")


@pytest.fixture(autouse=True)
def _register_task() -> Iterator[None]:
    with register(ridl.TASK):
        yield


def items(device: str, many: int = MANY) -> list[Item]:
    return [
        ridl.TASK.generate(lang="zh", device=device, index=index, split=SPLITS[index % 3])
        for index in range(many)
    ]


def line(item: Item) -> str:
    """Return the riddle in a prompt: the line that ends as riddles do."""
    (found,) = (text for text in item.prompt.splitlines() if "打一字" in text)
    return found.removesuffix("（打一字）").rpartition("：")[2]


# A checker of its own: from the names in the riddle to characters, over the decompositions in
# printed and full forms. It knows nothing of the classes by which the generator compares.


@cache
def parts_by_name() -> dict[str, set[str]]:
    """Return, for each name that the data file gives, the components that it may mean."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for part, listed in riddle_data()["names"].items():
        for name in listed:
            found[name].add(part)
    return found


def meanings(name: str) -> set[str]:
    return parts_by_name().get(name, set()) | ({name} if len(name) == 1 else set())


@cache
def views(char: str, room: int = MOST) -> frozenset[tuple[str, ...]]:
    """Return every way to see two or more components in a character, as many as there is room."""
    found = set()
    for listed in right_decompositions(char):
        inner = room - len(listed) + 1
        if inner > 0:
            options = [{(part,)} | views(part, inner) for part in listed]
            for chosen in product(*options):
                parts = tuple(sorted(part for group in chosen for part in group))
                if len(parts) <= room:
                    found.add(parts)
    return frozenset(found)


@cache
def characters_by_parts() -> dict[tuple[str, ...], set[str]]:
    found: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for char in gb2312():
        for parts in views(char):
            found[parts].add(char)
    return found


def characters_of(named: list[str]) -> set[str]:
    """Return the characters of GB 2312 that have exactly the named components."""
    readings = product(*map(sorted, map(meanings, named)))
    return {
        char for parts in readings for char in characters_by_parts().get(tuple(sorted(parts)), ())
    }


def left_of(host: str, name: str) -> set[str]:
    """Return the characters of GB 2312 that are left of one without the named component.

    Nobody puts bare strokes together anew.
    """
    found = set()
    for parts in views(host):
        for part in meanings(name) & {*parts}:
            rest = list(parts)
            rest.remove(part)
            if not STROKES.isdisjoint(rest):
                continue
            found |= (
                {*rest} & {*gb2312()}
                if len(rest) == 1
                else characters_by_parts().get(tuple(rest), set())
            )
    return {char for char in found if char in component_names(char) and char != host}


def test_the_components_added_make_one_character() -> None:
    for item in items("adding"):
        named = list(dict.fromkeys(QUOTED.findall(line(item))))
        assert 2 <= len(named) <= 3
        assert characters_of(named) == {item.solution}, line(item)


def test_one_character_is_left() -> None:
    for item in items("taking"):
        host = item.meta["drawn"]["host"]
        named = [name for name in dict.fromkeys(QUOTED.findall(line(item))) if name != host]
        assert host in QUOTED.findall(line(item))
        assert left_of(host, *named) == {item.solution}, line(item)


def test_the_repeated_components_make_one_character() -> None:
    for item in items("doubling"):
        found = next(
            clue
            for clue in clues()[item.solution]
            if clue.device == "doubling"
            and all({*component_names(part)} & {*QUOTED.findall(line(item))} for part in clue.named)
        )
        counts = Counter(found.named)
        assert max(counts.values()) in (2, 3)
        named = {
            part: next(n for n in component_names(part) if f"“{n}”" in line(item))
            for part in counts
        }
        assert characters_of([named[part] for part in found.named]) == {item.solution}, line(item)


def test_the_number_is_said() -> None:
    """In a word, or by as many quotes."""
    said = {"2": "[双两对又伴再]|那边|来找", "3": "三|再来|又来|再添"}
    for form, texts in riddle_data()["riddles"].items():
        if form.startswith("doubling"):
            number = form.split("_")[1]
            for text in texts:
                assert re.search(said[number], text) or text.count("{a}") == int(number), text
                assert not re.search("三" if number == "2" else "双|一对", text), text


def test_most_characters_have_a_riddle() -> None:
    counts = {
        device: len(
            [char for char in han() if any(c.device == device for c in clues().get(char, ()))]
        )
        for device in ZH
    }
    assert counts["adding"] > 2700
    assert counts["taking"] > 700
    assert counts["doubling"] > 150
    assert sum(len(answers(split, "core", ZH)) for split in SPLITS) > 2900


def test_ambiguous_characters_are_never_asked_by_adding() -> None:
    """找 and 我, 陪 and 部, 杏 and 呆 and 束 have the same components."""
    for char in "找我陪部杏呆束":
        assert [clue for clue in clues().get(char, ()) if clue.device == "adding"] == []
    assert solutions("木口") >= {"杏", "呆", "束", "困"}
    assert "木" in remainders("林", "木")
    assert [clue for clue in clues()["木"] if clue.host == "林"] == []  # takes one, or both?


def test_no_clue_names_a_place() -> None:
    """There is no source of layout, so no riddle says left, right, above or below."""
    forms = {form: texts for form, texts in riddle_data()["riddles"].items() if form != "taking"}
    for texts in forms.values():
        assert not re.search("[左右上下前后头底旁]", "".join(texts).replace("遇上", ""))


def test_there_are_many_riddles_with_the_slots_of_their_form() -> None:
    for form, texts in riddle_data()["riddles"].items():
        assert len(texts) == len(set(texts)) >= 10
        parts = max(1, len(form.split("_")) - 1)
        if form.startswith("adding"):
            parts = int(form[-1])
        wanted = {*"abc"[:parts]} | ({"h"} if form == "taking" else set())
        for text in texts:
            assert {*re.findall(r"\{(.)\}", text)} == wanted, text
            assert {*re.findall(r"“([^”]*)”", text)} == {f"{{{slot}}}" for slot in wanted}, text


def test_names_are_unambiguous() -> None:
    """A name of several characters means one component; one character, itself and its forms."""
    for name, parts in parts_by_name().items():
        assert len(parts) == 1, name
        if len(name) == 1:
            (part,) = parts
            assert part == name or compose_alike(part, name), name
    assert (
        component_names("丷")
        == component_names("冂")
        == component_names("一")
        == component_names("曰")
        == ()
    )


def compose_alike(printed: str, full: str) -> bool:
    """Return whether some character has a component in either form."""
    return any(
        full in other and parts != other
        for char in han()
        for parts in decompose(char)
        if printed in parts
        for other in right_decompositions(char)
    )


def test_every_unfit_decomposition_is_in_the_data() -> None:
    listed = riddle_data()["unfit"].split()
    assert len(set(listed)) == len(listed)
    for entry in listed:
        char, _, parts = entry.partition("=")
        assert tuple(parts) in decompose(char), entry


def test_the_prompt_does_not_hold_the_answer() -> None:
    for device in ZH:
        for item in items(device, 150):
            assert item.solution not in line(item)


def test_a_rarer_character_with_the_same_components_is_right_too() -> None:
    """餒 has 食 as it stands, 馁 has it as 饣: who reads the clue so is right."""
    rare = 0
    for item in items("adding"):
        solution, *others = item.target["accepted"]
        assert solution == item.solution
        assert not {*others} & {*gb2312()}
        rare += bool(others)
        for other in others:
            assert score(f"<answer>{other}</answer>", item) == 1.0
    assert rare > 5


def test_a_character_belongs_to_one_split_whatever_the_device() -> None:
    parts = [{*answers(split, "core", ZH)} for split in SPLITS]
    assert sum(map(len, parts)) == len(set.union(*parts))
    for device in ZH:
        for split, part in zip(SPLITS, parts, strict=True):
            assert {*answers(split, "core", (device,))} <= part
            assert len(answers(split, "core", (device,))) >= 10


def test_the_simplest_characters_come_first() -> None:
    sizes = [max(map(len, views(char)), default=1) for char in answers("train", "core", ZH)]
    assert sum(sizes[:200]) < sum(sizes[-200:])


def test_a_users_characters_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    words = "休息 明天 森林 海洋 蚂蚁 妈妈 好人 龘 猫 狗"
    path.write_text(words.replace(" ", "\n"), "utf-8")
    found = {char for split in SPLITS for char in answers(split, str(path), ZH)}
    assert {"休", "海", "妈"} <= found <= {*"休息明天森林海洋蚂蚁妈好人猫狗"}


def test_a_device_of_another_language_is_refused() -> None:
    with pytest.raises(DifficultyError, match="adding, taking, doubling"):
        ridl.generate(lang="zh", device="anagram")


@pytest.mark.parametrize("text", ["谜底是{}", "{0}{0}", "{}、木", "“{}”或“木”", "不是{}"])
def test_only_the_character_is_an_answer(text: str) -> None:
    item = ridl.generate(lang="zh")
    assert check(f"<answer>{text.format(item.solution)}</answer>", item).score == 0.0


@pytest.mark.parametrize("text", ["“{}”", "{}。", "「{}」", "**{}**", " {}\u200b", "{}\ufe00"])
def test_the_character_may_stand_in_quotes(text: str) -> None:
    item = ridl.generate(lang="zh")
    assert score(f"<answer>{text.format(item.solution)}</answer>", item) == 1.0


def test_a_radicals_code_point_is_its_character() -> None:
    radicals = {"金": "\u2fa6", "竹": "\u2f75", "羽": "\u2f7b", "舟": "\u2f88", "皿": "\u2f6b"}
    asked = [item for item in items("taking") if item.solution in radicals]
    assert asked
    for item in asked:
        assert score(f"<answer>{radicals[item.solution]}</answer>", item) == 1.0


def test_every_wording_says_after_the_riddle_what_to_guess() -> None:
    for text in questions("ridl", language("zh"))["riddle"]:
        assert "{riddle}（打一字）" in text
