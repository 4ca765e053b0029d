"""Regular expressions that are compiled when they are first used, so that imports stay quick."""

import re
from typing import Any, AnyStr, Final, cast

_ATTRIBUTES: Final = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class _Pattern:
    """The methods of a compiled pattern, as attributes, once it is compiled."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __repr__(self) -> str:
        return f"<pattern {self._source!r:.80}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return lazy_pattern, (self._source, self._flags)


class _Uncompiled(_Pattern):
    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for attribute in _ATTRIBUTES:
            setattr(self, attribute, getattr(compiled, attribute))
        # Without this method, attributes are found faster.
        self.__class__ = _Pattern  # type: ignore[assignment]
        return getattr(compiled, name)


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern that compiles itself when one of its methods is first called.

    Only its methods work: functions of `re` do not take it.

    >>> lazy_pattern("[a-z]+").findall("one two")
    ['one', 'two']
    """
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))
