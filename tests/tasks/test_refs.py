"""References to tasks: what is spelled is read, what is read prints the same."""

from typing import Any

import pytest

from tokenbench import catalog, task
from tokenbench.errors import UnknownNameError
from tokenbench.tasks import TaskRef


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
        *("", ":", "reord:", "reord::", "a:b:c:d", "lenop::write", "@3", ":zh"),
        *("reord@", "reord@x", "reord@-1", "reord@+1", "reord@٣", "reord@3@4", "reord@3:zh"),
        f"reord@{'9' * 5000}",
        *(None, 3, b"reord", ("reord", "zh")),
    ],
)
def test_other_forms_are_refused(text: Any) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown part .*such as 'reord', 'reord:zh'"):
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
