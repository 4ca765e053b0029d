"""Language packs: plain, short, different sentences, each the line without its spaces."""

import re
from collections import Counter

import pytest

from tokenbench.errors import UnknownNameError
from tokenbench.text.packs import PACKS, pack, sentences
from tokenbench.text.repertoire import han

MARKS = "，。！？、"


def test_the_chinese_pack_has_a_name_and_enough_sentences() -> None:
    found = pack("zh")
    assert found.name == "中文"
    assert found.notes
    assert len(found.sentences) >= 330
    assert found.sentences == sentences("zh")
    assert re.fullmatch("tokenbench pack zh sha256:[0-9a-f]{12}", found.source)


def test_chinese_sentences_are_ordinary_characters_and_marks() -> None:
    ordinary = set(han())
    for text, _ in sentences("zh"):
        assert set(text) <= ordinary | set(MARKS), text
        assert 6 <= sum(char in ordinary for char in text) <= 20, text


def test_chinese_sentences_end_with_their_only_stop() -> None:
    for text, _ in sentences("zh"):
        assert re.fullmatch("[^。！？]+[。！？]", text), text
        assert not re.search("[，、][，、。！？]|^[，、]", text), text
    ends = Counter(text[-1] for text, _ in sentences("zh"))
    assert min(ends[mark] for mark in "。！？") >= 5


def test_chinese_words_make_up_the_sentence_and_marks_are_words_of_their_own() -> None:
    for text, words in sentences("zh"):
        assert "".join(words) == text
        for word in words:
            assert re.fullmatch(f"[{MARKS}]|[^{MARKS} ]{{1,4}}", word), (text, word)
        assert len(words) > 3


def test_chinese_sentences_are_all_different_and_varied() -> None:
    texts = [text for text, _ in sentences("zh")]
    bare = [re.sub(f"[{MARKS}]", "", text) for text in texts]
    assert len(set(bare)) == len(bare)
    begun = Counter(words[:2] for _, words in sentences("zh"))
    assert max(begun.values()) <= len(texts) // 30
    assert len({word for _, words in sentences("zh") for word in words}) > 900


def test_no_chinese_sentence_is_nearly_another() -> None:
    pairs = [{text[i : i + 2] for i in range(len(text) - 1)} for text, _ in sentences("zh")]
    for number, some in enumerate(pairs):
        for others in pairs[:number]:
            assert len(some & others) < 0.7 * len(some | others), (some, others)


@pytest.mark.parametrize("lang", ["en", "ZH", "", "../zh"])
def test_a_language_without_a_pack_is_an_error_that_lists_those_with_one(lang: str) -> None:
    with pytest.raises(UnknownNameError, match=f"allowed are {', '.join(PACKS)}"):
        pack(lang)
