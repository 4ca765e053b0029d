"""Frozen dataclasses without the import of `dataclasses`, which is a third of a worker's start.

To `dataclasses`, and to all that use it, a record is a dataclass: it is described to them when they
first ask.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Final, NoReturn, TypeVar, dataclass_transform, get_origin

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])

_MISSING: Final = object()
_FIELDS: Final = "__record_fields__"
_DESCRIPTIONS: Final = ("__dataclass_fields__", "__dataclass_params__", "__signature__")
_set: Final = object.__setattr__


class Field:
    """A field of a record, with the facts of `dataclasses.field`."""

    __slots__ = ("default", "default_factory", "hash", "init", "kw_only", "type")

    def __init__(self, *, kw_only: bool | None = None, **facts: Any) -> None:
        self.default = facts.get("default", _MISSING)
        self.default_factory = facts.get("default_factory", _MISSING)
        self.hash: bool | None = facts.get("hash")
        self.init: bool = facts.get("init", True)
        self.kw_only = kw_only
        self.type: Any = object

    def absent(self) -> Any:
        """Return the value where none is given; `_MISSING` if one has to be."""
        return self.default if self.default_factory is _MISSING else self.default_factory()

    def facts(self) -> dict[str, Any]:
        """Return the arguments of `dataclasses.field` for this one."""
        facts = {name: getattr(self, name) for name in self.__slots__ if name != "type"}
        return {name: fact for name, fact in facts.items() if fact is not _MISSING}


def field(**facts: Any) -> Any:
    """Return a field that is more than a name with a default.

    Args:
        **facts: some of `default`, `default_factory`, `hash`, `init` and `kw_only`.
    """
    return Field(**facts)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, kw_only: bool = False, slots: bool = False) -> Callable[[C], C]:
    """Return a decorator that makes a class a frozen dataclass.

    The arguments are those of `dataclasses.dataclass`. Methods that the class has stay.

    >>> @record()
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(3), replace(Point(3), y=4) == Point(3, 4)
    (Point(x=3, y=0), True)
    """

    def make(cls: C) -> C:
        fields = _collect(cls, kw_only)
        if slots:
            cls = _with_slots(cls, tuple(fields))
        methods = {
            "__init__": _initializer(cls, fields),
            "__repr__": _repr,
            "__replace__": replace,
            **_guards(cls, frozenset(fields)),
            **(_comparing(fields) if eq else {}),
            **({"__getstate__": _get_state, "__setstate__": _set_state} if slots else {}),
        }
        for name, method in methods.items():
            if vars(cls).get(name) is None:
                setattr(cls, name, method)
        setattr(cls, _FIELDS, fields)
        for name in _DESCRIPTIONS:
            setattr(cls, name, _Description(cls, name, eq=eq, kw_only=kw_only, slots=slots))
        return cls

    return make


def replace(value: T, /, **changes: Any) -> T:
    """Return a record like another one but for some fields."""
    fields: Mapping[str, Field] = getattr(value, _FIELDS)
    given = {name: getattr(value, name) for name, one in fields.items() if one.init}
    return type(value)(**given | changes)


def _collect(cls: type[Any], kw_only: bool) -> dict[str, Field]:
    """Return the fields of a class by name, those of its bases first; class variables are none."""
    fields: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        fields |= vars(base).get(_FIELDS, {})
    for name, kind in cls.__annotations__.items():
        origin: Any = get_origin(kind)
        if origin is ClassVar:
            continue
        given = vars(cls).get(name, _MISSING)
        one = given if isinstance(given, Field) else Field(default=given)
        one.kw_only = kw_only if one.kw_only is None else one.kw_only
        one.type = kind
        if one.default is not _MISSING:
            setattr(cls, name, one.default)
        elif given is one:
            delattr(cls, name)
        fields[name] = one
    return fields


def _with_slots(cls: C, names: tuple[str, ...]) -> C:
    """Return a class anew, with slots for its fields: a class cannot get them later."""
    left_out = {*names, "__dict__", "__weakref__"}
    kept = {name: value for name, value in vars(cls).items() if name not in left_out}
    meta: Any = type(cls)
    made: C = meta(cls.__name__, cls.__bases__, {**kept, "__slots__": names})
    made.__qualname__ = cls.__qualname__
    return made


def _initializer(cls: type[Any], fields: Mapping[str, Field]) -> Callable[..., None]:
    asked = {name: one for name, one in fields.items() if one.init}
    positional = tuple(name for name, one in asked.items() if not one.kw_only)
    names = (*positional, *(name for name, one in asked.items() if one.kw_only))
    has_further = hasattr(cls, "__post_init__")

    def init(self: Any, /, *given: Any, **named: Any) -> None:
        n_read = 0
        for name, value in zip(positional, given, strict=False):
            _set(self, name, value)
        for name in names[len(given) :]:
            if name in named:
                value = named[name]
                n_read += 1
            else:
                value = asked[name].absent()
                if value is _MISSING:
                    _refuse_arguments(cls, given, named)
            _set(self, name, value)
        if n_read < len(named) or len(given) > len(positional):
            _refuse_arguments(cls, given, named)
        if has_further:
            self.__post_init__()

    init.__name__, init.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    init.__annotations__ = {name: one.type for name, one in asked.items()}
    return init


def _refuse_arguments(cls: type[Any], given: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    try:
        cls.__signature__.bind(*given, **named)
    except TypeError as error:
        raise TypeError(f"{cls.__name__}: {error}") from None
    raise TypeError(f"{cls.__name__}: wrong arguments")


def _guards(cls: type[Any], names: frozenset[str]) -> dict[str, Any]:
    def set_value(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            _refuse_change("assign to", name)
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            _refuse_change("delete", name)
        super(cls, self).__delattr__(name)

    return {"__setattr__": set_value, "__delattr__": delete}


def _refuse_change(action: str, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {action} field {name!r}")


def _comparing(fields: Mapping[str, Field]) -> dict[str, Any]:
    values = attrgetter(*fields)
    hashed = attrgetter(*(name for name, one in fields.items() if one.hash is not False))

    def equals(self: Any, other: object) -> Any:
        is_same_kind = other.__class__ is self.__class__
        return values(self) == values(other) if is_same_kind else NotImplemented

    return {"__eq__": equals, "__hash__": lambda self: hash(hashed(self))}


def _repr(self: Any) -> str:
    values = (f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{type(self).__qualname__}({', '.join(values)})"


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        _set(self, name, value)


class _Description:
    """What `dataclasses` and `inspect` know of a record: made by them when somebody first asks."""

    def __init__(self, cls: type[Any], name: str, **options: Any) -> None:
        self.cls, self.name, self.options = cls, name, options

    def __get__(self, _value: object, cls: type[Any]) -> Any:
        import dataclasses
        import inspect

        # A class that is made from a record, but is none, may take other arguments.
        if self.name == "__signature__" and cls is not self.cls:
            raise AttributeError(self.name)
        fields = [
            (name, one.type, dataclasses.field(**one.facts()))
            for name, one in getattr(self.cls, _FIELDS).items()
        ]
        twin: Any = dataclasses.make_dataclass(cls.__name__, fields, frozen=True, **self.options)
        twin.__signature__ = inspect.signature(twin)
        found = getattr(twin, self.name)
        if self.name != "__signature__":
            setattr(self.cls, self.name, found)
        return found
