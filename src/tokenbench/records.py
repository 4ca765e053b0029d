"""Frozen dataclasses without the import of `dataclasses`, which is a third of a worker's start.

To `dataclasses`, and to all that use it, a record is a dataclass: it is described to them when they
first ask.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Final, NoReturn, TypeVar, dataclass_transform, get_origin

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])

_MISSING: Final = object()
_FIELDS: Final = "__record_fields__"
_set: Final = object.__setattr__


class Field:
    """A field of a record, with the facts of `dataclasses.field`."""

    __slots__ = ("default", "default_factory", "init", "kw_only", "type")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        kw_only: bool | None = None,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.kw_only = init, kw_only
        self.type: Any = object


def field(
    *,
    default: Any = _MISSING,
    default_factory: Any = _MISSING,
    init: bool = True,
    kw_only: bool | None = None,
) -> Any:
    """Return a field that is more than a name with a default, as `dataclasses.field` does."""
    return Field(default=default, default_factory=default_factory, init=init, kw_only=kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, kw_only: bool = False, slots: bool = False) -> Callable[[C], C]:
    """Return a decorator that makes a class a frozen dataclass.

    These arguments are as those of `dataclasses.dataclass`. Methods that the class has stay.

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
        twin = _Twin(cls, eq=eq, kw_only=kw_only, slots=slots)
        methods = {
            "__init__": _initializer(cls, fields),
            "__repr__": _repr,
            "__replace__": replace,
            "__match_args__": tuple(n for n, one in fields.items() if one.init and not one.kw_only),
            **_guards(cls, frozenset(fields)),
            **(_comparing(tuple(fields)) if eq else {}),
            **({"__getstate__": _get_state, "__setstate__": _set_state} if slots else {}),
        }
        for name, method in methods.items():
            if vars(cls).get(name) is None:
                setattr(cls, name, method)
        setattr(cls, _FIELDS, fields)
        for name in ("__dataclass_fields__", "__dataclass_params__", "__signature__"):
            setattr(cls, name, _Description(name, twin))
        return cls

    return make


def replace(value: T, /, **changes: Any) -> T:
    """Return a record like another one but for some fields."""
    cls = type(value)
    if _FIELDS not in vars(cls):  # a class made from a record, perhaps with further fields
        import dataclasses

        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    fields: Mapping[str, Field] = getattr(cls, _FIELDS)
    given = {name: getattr(value, name) for name, one in fields.items() if one.init}
    return cls(**given | changes)


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
    """Return the `__init__` of a record; a loop over the fields would take half as long again."""
    known: dict[str, Any] = {"_set": _set, "_missing": _MISSING}
    parameters, lines = ["self"], []
    keywords: list[str] = []
    for name, one in fields.items():
        if not one.init:
            continue
        known |= {f"_default_{name}": one.default, f"_make_{name}": one.default_factory}
        parameter, value = name, name
        if one.default_factory is not _MISSING:
            parameter, value = (
                f"{name}=_missing",
                f"_make_{name}() if {name} is _missing else {name}",
            )
        elif one.default is not _MISSING:
            parameter = f"{name}=_default_{name}"
        (keywords if one.kw_only else parameters).append(parameter)
        lines.append(f"_set(self, {name!r}, {value})")
    if keywords:
        parameters += ["*", *keywords]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    # As in `dataclasses`: all that comes into this code are the names of fields.
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), known)  # noqa: S102
    made: Callable[..., None] = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {name: one.type for name, one in fields.items() if one.init}
    return made


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


def _comparing(names: tuple[str, ...]) -> dict[str, Any]:
    values = attrgetter(*names)

    def equals(self: Any, other: object) -> Any:
        is_same_kind = other.__class__ is self.__class__
        return values(self) == values(other) if is_same_kind else NotImplemented

    return {"__eq__": equals, "__hash__": lambda self: hash(values(self))}


def _repr(self: Any) -> str:
    values = (f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{type(self).__qualname__}({', '.join(values)})"


def _get_state(self: Any) -> dict[str, Any]:
    # A class made from a record with slots has its further fields in a dict.
    return {name: getattr(self, name) for name in getattr(self, _FIELDS)} | getattr(
        self, "__dict__", {}
    )


def _set_state(self: Any, state: Mapping[str, Any]) -> None:
    for name, value in state.items():
        _set(self, name, value)


class _Twin:
    """The same class as `dataclasses` makes it, when somebody first asks."""

    def __init__(self, cls: type[Any], **options: Any) -> None:
        self.cls, self.options = cls, options

    @cached_property
    def dataclass(self) -> Any:
        """The class, which describes the record."""
        import dataclasses
        import inspect

        fields = []
        for name, one in getattr(self.cls, _FIELDS).items():
            facts = {"default": one.default, "default_factory": one.default_factory}
            facts = {fact: value for fact, value in facts.items() if value is not _MISSING}
            described = dataclasses.field(init=one.init, kw_only=one.kw_only, **facts)
            fields.append((name, one.type, described))
        made: Any = dataclasses.make_dataclass(
            self.cls.__name__, fields, frozen=True, **self.options
        )
        made.__signature__ = inspect.signature(made)
        return made


class _Description:
    """What `dataclasses` and `inspect` know of a record: what they know of its twin."""

    def __init__(self, name: str, twin: _Twin) -> None:
        self.name, self.twin = name, twin

    def __get__(self, value: object, cls: type[Any]) -> Any:
        is_called_otherwise = value is not None or cls.__init__ is not self.twin.cls.__init__
        if self.name == "__signature__" and is_called_otherwise:
            raise AttributeError(self.name)
        return getattr(self.twin.dataclass, self.name)
