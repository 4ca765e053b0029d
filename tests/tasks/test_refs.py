"""References to tasks: reading and printing are inverse."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import find

import tokenbench
from tokenbench import catalog, dataset, mixture, task
from tokenbench.builtin import BUILTIN
from tokenbench.curriculum import Curriculum
from tokenbench.errors import DifficultyError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.integrations import part_items
from tokenbench.tasks import TaskRef, as_ref, assign_params, register
from tokenbench.testing import conformance
from tokenbench.testing import items as any_items
from tokenbench.text.packs import Pack


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("reord", TaskRef("reord")),
        ("reord@3", TaskRef("reord", level=3)),
        ("reord:zh", TaskRef("reord", "zh")),
        ("lenop:ko:write@7", TaskRef("lenop", "ko", "write", 7)),
        ("my-task.v2_b:zh-Hant@10", TaskRef("my-task.v2_b", "zh-Hant", None, 10)),
    ],
)
def test_a_reference_is_read_and_printed(text: str, ref: TaskRef) -> None:
    assert TaskRef.parse(text) == ref
    assert str(ref) == f"{ref}" == text


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "reord:", "reord::", "a:b:c:d", "lenop::write", "@3", ":zh",
        "reord@", "reord@x", "reord@-1", "reord@+1", "reord@٣", "reord@3@4", "reord@3:zh",
        f"reord@{'9' * 5000}",
        None, 3, b"reord", ("reord", "zh"),
    ],
)  # fmt: skip
def test_other_forms_are_refused(text: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown part .*such as 'reord:zh'"):
        TaskRef.parse(text)


@pytest.mark.parametrize("name", catalog())
def test_every_reference_to_a_task_reads_back_and_makes_items_of_it(name: str) -> None:
    refs = TaskRef.all_of(task(name))
    assert len(set(refs)) == len(refs) == len(task(name).langs) * max(1, len(task(name).variants))
    assert [TaskRef.parse(str(ref)) for ref in refs] == refs
    for ref in refs:
        spec = task(name).spec(**ref.arguments())
        assert (spec.lang, spec.variant) == (ref.lang, ref.variant)


def test_the_arguments_are_those_that_are_named() -> None:
    assert TaskRef("reord").arguments() == {}
    assert TaskRef("lenop", "ko", "write", 0).arguments() == {
        "lang": "ko",
        "variant": "write",
        "level": 0,
    }


@pytest.mark.parametrize("name", BUILTIN)
def test_a_task_is_named_by_its_name_module_record_or_reference(name: str) -> None:
    """Without a language it is English, or the first of the task's."""
    record = task(name)
    lang, variant = record.default_lang, record.default_variant
    assert lang == ("en" if "en" in record.langs else record.langs[0])
    item = record.generate(lang=lang, variant=variant, seed=3)
    named = [name, getattr(tokenbench, name), record, TaskRef(name), f"{name}:{lang}"]
    named += [TaskRef(name, variant=variant), TaskRef(name, lang, variant)]
    assert record.generate(seed=3) == item
    for one in named:
        assert dataset(one, seed=3)[0] == item
        assert mixture([one], seed=3)[0] == mixture({one: 2.0}, seed=3)[0] == item
        assert part_items(one, 1, seed=3, split="train")[0] == item
        assert (drawn := Curriculum([one]).draw(1)[0]).task == name
        assert drawn.lang == lang


def test_a_list_of_parts_is_a_mixture_of_equal_weights() -> None:
    parts = ["reord:zh", "freq", "lenop:ko:write@7"]
    assert mixture(parts, n=9) == mixture(dict.fromkeys(parts, 1.0), n=9)
    assert mixture(["reord:zh", "freq@3"], level=5) == mixture(["reord:zh@5", "freq@3"])
    with pytest.raises(TokenbenchError, match="'reord' is named twice"):
        mixture(["reord", tokenbench.reord])


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (3, "^unknown task 3: expected a name such as"),
        (pytest, "^unknown task <module 'pytest'"),
        (replace(task("sort"), name="sorting"), "'sorting' is not registered: .*register"),
        (replace(task("sort")), "'sort' is not registered, but another one of this name"),
    ],
)
def test_a_name_without_a_task_is_one_clear_error(named: Any, message: str) -> None:
    for take in (as_ref, dataset, lambda one: mixture([one]), lambda one: any_items(task=one)):
        with pytest.raises(UnknownNameError, match=message):
            take(named)


@pytest.mark.parametrize("take", [as_ref, dataset, lambda one: mixture([one, "freq"], level=3)])
def test_a_level_that_a_task_does_not_have_is_that_of_its_part(take: Any) -> None:
    with pytest.raises(DifficultyError, match=r"^level=11: expected a whole number from 0 to 9$"):
        take("sort:zh@11")
    with pytest.raises(DifficultyError, match=r"^level=11: expected a whole number from 0 to 9$"):
        mixture(["sort", "freq"], level=11)


def test_a_task_that_is_registered_names_itself() -> None:
    other = replace(task("sort"), name="sorting")
    with register(other):
        assert dataset(other, n=2) == dataset("sorting", n=2)
        assert dataset(other)[0].task == "sorting"
        assert tokenbench.sorting is other  # type: ignore[attr-defined]
    assert not hasattr(tokenbench, "sorting")


def test_an_argument_may_add_to_the_name_but_not_contradict_it() -> None:
    assert dataset("reord:zh", lang="zh", level=3) == dataset("reord:zh@3")
    assert dataset("compm", variant="combine") == dataset("compm:en:combine")
    for named, arguments, hint in (
        ("reord:zh", {"lang": "ko"}, "lang='ko'.*'reord:zh'.*leave it out, .*'reord:ko'"),
        ("compm:ko:split", {"variant": "combine"}, "variant='combine'.*'compm:ko:combine'"),
        ("reord@0", {"level": 3}, "level=3.*'reord@3'"),
    ):
        for take in (dataset, any_items):
            with pytest.raises(TokenbenchError, match=hint):
                take(named, **arguments)


# Difficulty parameters of several parts.


@pytest.mark.parametrize("name", catalog())
def test_every_part_takes_each_parameter_that_has_an_effect_on_it(name: str) -> None:
    """And says of the others that they have none, before an item is drawn."""
    record = task(name)
    refs = TaskRef.all_of(record)
    for param in record.params:
        given = {"length": 1, "pack": None}.get(param.name, "x")
        for ref, taken in zip(refs, assign_params(refs, {param.name: given}), strict=True):
            reason = param.without_effect(str(ref.lang), ref.variant)
            assert (param.name in taken) == (not reason and given is not None)
            if reason:
                options = getattr(param, "options", ()) or ("x",)
                arguments: dict[str, Any] = {**ref.arguments(), param.name: options[0]}
                with pytest.raises(DifficultyError, match=re.escape(str(reason))):
                    record.spec(**arguments)


def test_a_parameter_goes_to_the_parts_whose_task_has_it() -> None:
    data = mixture(["freq", "delete:en:word", "delete", "dot"], words="core", n=40)
    params = {(item.task, item.variant): item.meta["params"] for item in data}
    core = {"words": "core"}
    assert params["freq", None] == params["delete", "char"] == core
    assert params["delete", "word"] == params["dot", "char_to_script"] == {}
    items = Curriculum(["freq", "dot"], words="core").draw(10)
    assert {item.task: item.meta["params"] for item in items} == {"freq": core, "dot": {}}


def test_a_parameter_that_no_part_has_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"parameter 'lenght': .*did you mean 'length'"):
        mixture(["freq", "dot"], lenght=30)
    with pytest.raises(UnknownNameError, match=r"parameter 'tagret': .*did you mean 'target'"):
        Curriculum(["freq"], tagret=0.3)
    with pytest.raises(UnknownNameError, match=r"lang is not a difficulty parameter: .*'reord:zh'"):
        mixture(["freq"], lang="zh")
    with pytest.raises(DifficultyError, match="length=5") as caught:
        mixture(["spell", "freq"], length=5)
    assert (caught.value.argument, caught.value.value) == ("length", 5)
    with pytest.raises(DifficultyError, match="words has no effect with variant='word'"):
        mixture(["delete:en:word"], words="core")


@pytest.fixture
def swahili(tmp_path: Path) -> str:
    file = tmp_path / "sw.txt"
    file.write_text(
        "Mtoto anasoma kitabu kikubwa.\nPaka analala juu ya meza.\n"
        "Mama anapika chakula kitamu leo.\nNdege wanaruka juu ya miti mirefu.\n",
        "utf-8",
    )
    return str(file)


def test_a_language_that_only_a_pack_speaks_gets_it_alone(swahili: str) -> None:
    parts = ["spell:sw", "delete:sw:word", "spell:en", "freq"]
    data = mixture(parts, pack=swahili, n=40)
    packs = {str(TaskRef.of(item)): "pack" in item.meta["params"] for item in data}
    assert packs == {
        "spell:sw:char": True,
        "delete:sw:word": True,
        "spell:en:char": False,
        "freq:en": False,
    }
    assert data == mixture(parts, pack=Path(swahili), n=40)
    own = mixture(["spell:en"], pack=swahili)[0]
    assert own.meta["source"].startswith("pack en sha256")
    assert own == dataset("spell:en", pack=swahili)[0]
    drawn = find(any_items("spell:sw", pack=swahili, split="train"), lambda _: True)
    assert drawn.lang == "sw"
    course = Curriculum(["spell:sw@0", "freq@0"], pack=swahili, length=10)
    again = Curriculum.of(course.state())
    assert again.draw(6) == course.draw(6)
    for parts in (["spell:en", "spell:de"], ["spell:sw", "spell:tr"]):
        with pytest.raises(DifficultyError, match="is in one language, and the parts are in "):
            mixture(parts, pack=swahili)


TAKING_A_PACK: dict[str, Callable[..., Any]] = {
    "generate": lambda **given: task("spell").generate(**given),
    "dataset": lambda **given: dataset("spell", **given)[0],
    "mixture": lambda **given: mixture(["spell"], n=4, **given)[0],
    "curriculum": lambda **given: Curriculum(["spell@0"], **given).draw(1)[0],
    "strategy": lambda **given: find(any_items("spell", **given), lambda _: True),
    "conformance": lambda **given: conformance("spell", n=2, **given),
}


@pytest.mark.parametrize("taken", TAKING_A_PACK)
def test_a_pack_without_a_language_is_in_its_own(taken: str, swahili: str, tmp_path: Path) -> None:
    """A text names none, so that one is asked for instead of English."""
    take = TAKING_A_PACK[taken]
    with pytest.raises(SourceError, match=r"not name its language: (name it: lang=|name it with )"):
        take(pack=swahili)
    folder = tmp_path / "my pack"
    Pack.from_text(swahili, lang="sw").save(folder)
    if taken != "conformance":
        assert take(pack=str(folder)).lang == "sw"
    with pytest.raises(SourceError, match=r"is in 'sw' by its pack\.toml, not in 'en'"):
        dataset("spell:en", pack=str(folder))
