"""Which fonts an argument names, and opening them."""

import os
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tokenbench.errors import missing_extra
from tokenbench.glyph.faces import Face
from tokenbench.glyph.font import Font
from tokenbench.text.sources import KEPT, Located, located

Path: TypeAlias = str | os.PathLike[str]
FontArgument: TypeAlias = Path | Sequence[Path | None] | None

PACKAGE: Final = "noto-cjk-sans-otc"
# Of its collection, the face with the mainland's Han forms: those of the GB 2312 characters that we
# ask. In all of them kana, Hangul, Latin and Greek are alike.
SIMPLIFIED: Final = 2


def opened(font: FontArgument) -> tuple[Font, ...]:
    """Return the fonts that an argument names, in its order.

    Raises:
        SourceError: a font that cannot be read.
        MissingExtraError: the extra `glyph` is not installed.
    """
    if font is None or isinstance(font, str | os.PathLike):
        return (_one(font),)
    return tuple(map(_one, font))


def _one(font: Path | None) -> Font:
    if font is None:
        return _pinned()
    return _face(located(font), 0)


@cache
def _pinned() -> Font:
    try:
        from noto_cjk_sans_otc import FONT_PATH
    except ImportError:
        raise missing_extra("drawing bitmaps", "glyph") from None
    from importlib.metadata import version

    return Face(located(str(FONT_PATH)), SIMPLIFIED, f"{PACKAGE} {version(PACKAGE)}")


@lru_cache(maxsize=KEPT)
def _face(file: Located, index: int) -> Font:
    return Face(file, index)
