"""Words of a pack's language: the pack's own, our lexicon's, a frequency list's, a user's."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from tokenbench.errors import SourceError, missing_extra, unknown
from tokenbench.text.lexicon import Words
from tokenbench.text.lexicon import words as lexicon_words
from tokenbench.text.normalize import nfc, strip_invisible
from tokenbench.text.packs.model import Pack
from tokenbench.text.scripts import scripts
from tokenbench.text.sources import CACHE_SIZE, CORE, WORDFREQ, FileStamp, read_text, stamp

PACK: Final = "pack"
WORD_SOURCES: Final = (PACK, CORE, WORDFREQ)
_ALL: Final = 10**7  # more than a frequency list holds


def words(pack: Pack, source: str = PACK) -> Words:
    """Return different words in a pack's language, letters of its scripts only.

    Args:
        pack: a pack.
        source: `pack`, its own; `core`, our lexicon's (English, Chinese, Japanese, Korean);
            `wordfreq` (the extra `lexicon`), all that it has; or the path of a file, a word a line.

    Raises:
        UnknownNameError: the source has no such language.
        SourceError: a file that cannot be read as UTF-8, or that holds no such words.
        MissingExtraError: `wordfreq` is not installed.

    >>> from tokenbench.text.packs import pack
    >>> words(pack("en")).words[:3], words(pack("en")).source == pack("en").source
    (('dawn', 'the', 'old'), True)
    """
    if source == PACK:
        return Words(pack.vocabulary, pack.source)
    if source == CORE:
        return lexicon_words(pack.lang, CORE)
    if source == WORDFREQ:
        return _of_wordfreq(pack)
    return _of_file(pack, stamp(source))


@lru_cache(maxsize=CACHE_SIZE)
def _of_wordfreq(pack: Pack) -> Words:
    try:
        import wordfreq
    except ImportError:
        raise missing_extra("words='wordfreq'", "lexicon") from None
    from importlib.metadata import version

    known = wordfreq.available_languages()
    lang = pack.lang if pack.lang in known else pack.lang.partition("-")[0]
    if lang not in known:  # wordfreq itself would take the nearest language: English for isiXhosa
        raise unknown("language of wordfreq", pack.lang, known)
    listed = wordfreq.top_n_list(lang, _ALL)
    return _clean(listed, pack, f"wordfreq {version('wordfreq')} {lang}")


@lru_cache(maxsize=CACHE_SIZE)
def _of_file(pack: Pack, file: FileStamp) -> Words:
    text, _, source = read_text(file)
    return _clean(text.splitlines(), pack, source)


def _clean(listed: Iterable[str], pack: Pack, source: str) -> Words:
    """Keep what is letters of the pack's scripts only, once each."""
    from regex import compile as compiled

    names = "".join(rf"\p{{Script={name}}}" for name in scripts("".join(pack.alphabet)))
    letters = compiled(
        rf"(?:(?=[{names}\p{{Script=Common}}\p{{Script=Inherited}}])[\p{{L}}\p{{M}}])+"
    )
    stripped = (nfc(strip_invisible(word.strip())) for word in listed)
    found = tuple(dict.fromkeys(word for word in stripped if letters.fullmatch(word)))
    if not found:
        raise SourceError(
            f"{source} holds no word of letters that {pack.name} is written in, a word a line"
        )
    return Words(found, source)
