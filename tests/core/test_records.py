"""Records: what `dataclasses` makes of the same class, made without importing it."""

import copy
import dataclasses
import inspect
import pickle
from abc import ABC
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import fresh_python
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenbench import Item
from tokenbench.answers import Number
from tokenbench.errors import Argument
from tokenbench.records import field, record, replace
from tokenbench.tasks import Task, task
from tokenbench.tasks.params import Param
from tokenbench.tasks.spec import ItemSpec
from tokenbench.text.languages import Language


class Maker(NamedTuple):
    """A way of making dataclasses: ours, or that of `dataclasses`."""

    decorate: Callable[..., Any]
    field: Callable[..., Any]


RECORDS = Maker(record, field)
DATACLASSES = Maker(partial(dataclasses.dataclass, frozen=True), dataclasses.field)


def classes(made: Maker) -> list[type[Any]]:
    """Return a class of each form that the library has: the last one has the first as its base."""

    @made.decorate(eq=False, kw_only=True)
    class Base(ABC):
        noun: ClassVar[str] = "base"
        size: int = 3
        name: str

    @made.decorate()
    class Plain:
        name: str
        size: int = 3
        parts: list[int] = made.field(default_factory=list)

        def __post_init__(self) -> None:
            if self.size == 7:
                raise ValueError("seven")

    @made.decorate(slots=True)
    class Slots:
        name: str
        size: int = 3
        parts: list[int] = made.field(default_factory=list)

        def __hash__(self) -> int:
            return hash(self.name)

        def __repr__(self) -> str:
            return f"<{self.name}>"

    @made.decorate()
    class Options:
        name: str
        parts: tuple[int, ...] = ()
        size: int = made.field(default=4, kw_only=True)
        doubled: int = made.field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "doubled", self.size * 2)

    @made.decorate(eq=False, kw_only=True)
    class Derived(Base):
        size: int = 5
        parts: tuple[int, ...] = ()

    return [Base, Plain, Slots, Options, Derived]


PAIRS = list(zip(classes(RECORDS), classes(DATACLASSES), strict=True))
ids = [ours.__name__ for ours, _ in PAIRS]
ITEM: dict[str, Any] = {
    name: getattr(task("sort").generate(seed=7), name) for name in Item.__slots__
}
names = st.sampled_from(["name", "size", "parts", "other"])
values = st.sampled_from(["a", 3, 7, [1], (1, 2)])


def outcome(work: Callable[[], object]) -> str:
    """Return the text of a result, or the type of the error that is raised instead."""
    try:
        return str(work())
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=ids)
@given(
    positional=st.lists(values, max_size=4),
    named=st.dictionaries(names, values, max_size=4),
    changes=st.dictionaries(names, values, max_size=2),
)
def test_a_record_does_what_a_dataclass_does(
    ours: type[Any],
    theirs: type[Any],
    positional: list[Any],
    named: dict[str, Any],
    changes: dict[str, Any],
) -> None:
    def make(cls: type[Any] = ours) -> Any:
        return cls(*positional, **named)

    twin = partial(make, theirs)
    assert outcome(lambda: facts(make())) == outcome(lambda: facts(twin()))
    assert outcome(lambda: facts(replace(make(), **changes))) == outcome(
        lambda: facts(dataclasses.replace(twin(), **changes))
    )
    if outcome(make) not in {"TypeError", "ValueError"}:
        for name in named:
            assert outcome(partial(setattr, make(), name, 1)) == "FrozenInstanceError"
            assert outcome(partial(delattr, make(), name)) == "FrozenInstanceError"


def facts(value: Any) -> list[Any]:
    """Return what a reader sees of a record, and whether a copy of it is the same."""
    same = copy.copy(value)
    return [
        value,
        dataclasses.asdict(value),
        vars(value) if hasattr(value, "__dict__") else type(value).__slots__,
        same == value,
        outcome(lambda: hash(value) == hash(same)),
        value == (value.name,),
    ]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=ids)
def test_others_see_a_dataclass(ours: type[Any], theirs: type[Any]) -> None:
    assert ours.__match_args__ == theirs.__match_args__
    assert dataclasses.is_dataclass(ours)
    seen = [
        [(one.name, one.type, one.default, one.init, one.kw_only) for one in fields]
        for fields in (dataclasses.fields(ours), dataclasses.fields(theirs))
    ]
    assert seen[0] == seen[1]
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert inspect.get_annotations(ours.__init__) == {
        name: kind
        for name, kind in inspect.get_annotations(theirs.__init__).items()
        if name != "return"
    }


@dataclasses.dataclass(frozen=True)
class OwnItem(Item):
    """An item of somebody else's package, with a field of its own."""

    extra: int = 1


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class OwnKind(Number):
    extra: int = 1


class PlainItem(Item):
    pass


def test_a_dataclass_may_be_made_from_a_record() -> None:
    kind = OwnKind(field="count", extra=2)
    assert (kind.field, kind.extra, kind.limit) == ("count", 2, Number().limit)
    assert "extra" in inspect.signature(OwnKind).parameters
    item = OwnItem(**ITEM, extra=2)
    for copied in (copy.deepcopy(item), pickle.loads(pickle.dumps(item))):  # noqa: S301
        assert copied == item
        assert copied.extra == 2
    for change in (replace, dataclasses.replace):
        assert change(item, lang="ko").extra == 2
        assert change(kind, limit=7).extra == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind.extra = 4  # type: ignore[misc]


def test_a_class_may_be_made_from_a_record() -> None:
    item = PlainItem(**ITEM)
    assert inspect.signature(PlainItem) == inspect.signature(Item)
    assert pickle.loads(pickle.dumps(item)) == item  # noqa: S301
    assert replace(item, lang="ko").lang == "ko"
    match item:
        case Item("sort", version):
            assert version == item.version


def test_a_record_that_is_called_has_the_signature_of_its_call() -> None:
    @record()
    class Adder:
        number: int

        def __call__(self, other: int) -> int:
            return self.number + other

    assert [*inspect.signature(Adder(3)).parameters] == ["other"]
    assert [*inspect.signature(Adder).parameters] == ["number"]


@pytest.mark.parametrize("arguments", [(), ("sort",), ("sort",) * 9])
def test_wrong_arguments_are_named_as_dataclasses_name_them(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"Item\.__init__\(\) (missing|takes)"):
        Item(*arguments)


@pytest.mark.parametrize("cls", [Item, ItemSpec, Task, Argument, Language, *Param.__args__])
def test_records_of_the_library_can_be_described(cls: type[Any]) -> None:
    assert {one.name for one in dataclasses.fields(cls)} == {*cls.__dataclass_fields__}


def test_records_of_the_library_are_pickled_and_copied() -> None:
    item = task("sort").generate(seed=7)
    for copied in (pickle.loads(pickle.dumps(item)), copy.deepcopy(item)):  # noqa: S301
        assert type(copied) is Item
        assert copied == item
        assert hash(copied) == hash(item)
    assert pickle.loads(pickle.dumps(task("sort"))).params == task("sort").params  # noqa: S301


def test_judging_does_not_load_dataclasses() -> None:
    texts = [task(name).generate(seed=1).json() for name in ("reord", "spell", "dot", "count_char")]
    code = "import sys\nfrom tokenbench import reord, score\n"
    code += f"for text in {texts!r}: score('<answer>3</answer>', text)\n"
    code += "print('dataclasses' in sys.modules, 'inspect' in sys.modules)"
    assert fresh_python.output(code).strip() == "False False"
