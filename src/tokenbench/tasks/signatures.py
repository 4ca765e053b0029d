"""The arguments of each task's `generate`, for type checkers; `make goldens` writes this file.

With a language or variant in a variable of type `str`, call `tokenbench.task(name).generate`.
"""

# fmt: off
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike
    from typing import Literal, Protocol, TypeAlias, overload

    from tokenbench.draw import Split
    from tokenbench.item import Item

    Number: TypeAlias = int | tuple[int, int] | list[int] | None
    Path: TypeAlias = str | PathLike[str]


    class Compc(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            length: Number = None, count: Number = None, words: Path | None = None,
        ) -> Item: ...


    class Compm(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: Literal["split",
            "combine"] | None = None, seed: int = 0, split: Split = "train",
            level: int | None = None, index: int = 0, parts: Number = None,
            words: Path | None = None,
        ) -> Item: ...


    class Diff(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            length: Number = None, variation: Literal["unchanged", "add", "delete",
            "modify"] | None = None, words: Path | None = None, text: Path | None = None,
        ) -> Item: ...


    class Dot(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None,
            variant: Literal["char_to_script", "bitmap_to_script", "bitmap_to_char"] | None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            form: Literal["matrix", "rows", "hex"] | None = None, script: Literal["digit", "latin",
            "greek", "kana", "hanzi", "hangul", "symbol"] | None = None, repertoire: Literal["core",
            "wide"] | None = None, font: Path | None = None, margin: Number = None,
        ) -> Item: ...

    Freq: TypeAlias = Compc


    class Lenop(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: Literal["count",
            "write"] | None = None, seed: int = 0, split: Split = "train", level: int | None = None,
            index: int = 0, length: Number = None, words: Path | None = None,
            text: Path | None = None,
        ) -> Item: ...


    class Reord(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            length: Number = None, words: Path | None = None, text: Path | None = None,
        ) -> Item: ...


    class Ridl(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            device: Literal["anagram", "hidden", "initials", "beheading", "curtailing", "reversal",
            "charade", "container", "adding", "taking", "doubling", "consonants"] | None = None,
            words: Path | None = None,
        ) -> Item: ...

    Sort: TypeAlias = Reord


    class Var(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            length: Number = None, share: Number = None, words: Path | None = None,
            text: Path | None = None,
        ) -> Item: ...


    class CountChar(Protocol):
        @overload
        def __call__(
            self, *, lang: Literal["am", "ar", "de", "en", "es", "hi", "ja", "ko", "ru", "xh",
            "zh"] | None = None, variant: None = None, seed: int = 0, split: Split = "train",
            level: int | None = None, index: int = 0, length: Number = None, case: Literal["kept",
            "mixed"] | None = None, words: Path | None = None, pack: Path | None = None,
        ) -> Item: ...
        @overload
        def __call__(
            self, *, lang: str, variant: None = None, seed: int = 0, split: Split = "train",
            level: int | None = None, index: int = 0, length: Number = None, case: Literal["kept",
            "mixed"] | None = None, words: Path | None = None, pack: Path,
        ) -> Item: ...

    CountUnique: TypeAlias = CountChar

    FindFirst: TypeAlias = CountChar

    FindLast: TypeAlias = CountChar


    class Compose(Protocol):
        def __call__(
            self, *, lang: Literal["zh", "ja", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
            parts: Number = None,
        ) -> Item: ...


    class Contains(Protocol):
        @overload
        def __call__(
            self, *, lang: Literal["am", "ar", "de", "en", "es", "hi", "ja", "ko", "ru", "xh",
            "zh"] | None = None, variant: Literal["char", "word"] | None = None, seed: int = 0,
            split: Split = "train", level: int | None = None, index: int = 0, length: Number = None,
            words: Path | None = None, pack: Path | None = None, script: Literal["Ethiopic",
            "Tifinagh", "Ol Chiki"] | None = None,
        ) -> Item: ...
        @overload
        def __call__(
            self, *, lang: str, variant: Literal["char", "word"] | None = None, seed: int = 0,
            split: Split = "train", level: int | None = None, index: int = 0, length: Number = None,
            words: Path | None = None, pack: Path, script: Literal["Ethiopic", "Tifinagh",
            "Ol Chiki"] | None = None,
        ) -> Item: ...


    class ContainsPart(Protocol):
        def __call__(
            self, *, lang: Literal["zh", "ja", "ko"] | None = None, variant: None = None,
            seed: int = 0, split: Split = "train", level: int | None = None, index: int = 0,
        ) -> Item: ...

    Decompose: TypeAlias = Compose

    Delete: TypeAlias = Contains


    class Furigana(Protocol):
        def __call__(
            self, *, lang: Literal["ja"] | None = None, variant: None = None, seed: int = 0,
            split: Split = "train", level: int | None = None, index: int = 0, length: Number = None,
        ) -> Item: ...

    Insert: TypeAlias = Contains


    class Spell(Protocol):
        @overload
        def __call__(
            self, *, lang: Literal["am", "ar", "de", "en", "es", "hi", "ja", "ko", "ru", "xh",
            "zh"] | None = None, variant: Literal["char"] | None = None, seed: int = 0,
            split: Split = "train", level: int | None = None, index: int = 0, length: Number = None,
            words: Path | None = None, pack: Path | None = None, script: Literal["Ethiopic",
            "Tifinagh", "Ol Chiki"] | None = None,
        ) -> Item: ...
        @overload
        def __call__(
            self, *, lang: str, variant: Literal["char"] | None = None, seed: int = 0,
            split: Split = "train", level: int | None = None, index: int = 0, length: Number = None,
            words: Path | None = None, pack: Path, script: Literal["Ethiopic", "Tifinagh",
            "Ol Chiki"] | None = None,
        ) -> Item: ...

    SpellInverse: TypeAlias = Spell

    Substitute: TypeAlias = Contains

    Swap: TypeAlias = Contains


    class Trap(Protocol):
        def __call__(
            self, *, lang: Literal["en", "zh"] | None = None, variant: Literal["second", "boundary",
            "char", "spell"] | None = None, seed: int = 0, split: Split = "train",
            level: int | None = None, index: int = 0, length: Number = None,
            schema: Literal["before", "after", "both"] | None = None,
            vocabulary: Path | None = None,
        ) -> Item: ...

else:
    # To make the classes would take longer than to import a task.
    def __getattr__(name: str) -> Any:
        return Any
