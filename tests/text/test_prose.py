"""Texts of users as packs: how prose is cut into sentences, and sentences into words."""

from pathlib import Path
from typing import Any

import pytest

from tokenbench.errors import MissingExtraError, SourceError, TokenbenchError, UnknownNameError
from tokenbench.text.packs import Pack
from tokenbench.text.packs.prose import lines, sentences_with_lines

WRAPPED = """The old mill stood by the river, and nobody had lived in it since the flood. One
morning the children heard a noise inside. It sounded like somebody singing!

Who could be in there so early in the day? They opened
the door.
"""
SENTENCES = [
    (1, "The old mill stood by the river, and nobody had lived in it since the flood."),
    (1, "One morning the children heard a noise inside."),
    (2, "It sounded like somebody singing!"),
    (4, "Who could be in there so early in the day?"),
    (4, "They opened the door."),
]


def sentences(text: str, lang: str) -> list[str]:
    """The sentences of a text in a language that writes spaces."""
    return [line.text for _, line in lines(text, lang, None)]


def from_text(folder: Path, text: str | bytes, lang: str, segmenter: Any = None) -> Pack:
    """The pack of a text file."""
    file = folder / "text.txt"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return Pack.from_text(file, lang=lang, segmenter=segmenter)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wrapped_prose_is_cut_into_its_sentences(ends: str, mark: str, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes((mark + WRAPPED).replace("\n", ends).encode())
    assert [(number, line.text) for number, line in sentences_with_lines(file, "en")] == SENTENCES


def test_paragraphs_of_one_line_each_are_cut_too() -> None:
    text = "\n".join(" ".join(part.split()) for part in WRAPPED.split("\n\n"))
    assert sentences(text, "en") == [sentence for _, sentence in SENTENCES]


def test_a_sentence_a_line_needs_nothing_but_this_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentencex", None)
    found = sentences(
        "Der Hund schläft.\nWo ist Anna?\nEr zahlt 3.5 Euro!\n„Ich komme gleich.“\n", "de"
    )
    assert found == [
        "Der Hund schläft.",
        "Wo ist Anna?",
        "Er zahlt 3.5 Euro!",
        "„Ich komme gleich.“",
    ]
    with pytest.raises(MissingExtraError, match=r"tokenbench\[segmenters\]"):
        sentences("Der Hund schläft jetzt. Wo ist Anna?", "de")


def test_lines_are_sentences_where_none_ends_with_a_mark() -> None:
    assert sentences("the cat is out\n\nthe dog is in\n", "en") == [
        "the cat is out",
        "the dog is in",
    ]


@pytest.mark.parametrize(
    ("lang", "text", "wanted"),
    [
        ("en", "It costs 3.5 dollars. We paid 10 at once.", 2),
        ("en", "She met Dr. Smith at noon. They were late for lunch.", 1),
        ("en", "We left at 5 p.m. in the rain. It was very cold.", 1),
        ("en", "He waited... and then he left. Nobody came to the door.", 1),
        ("en", "They came home late. What had become of all the …", 1),
        ("en", "“Stop that at once!” she said. The boys ran away.", 1),
        ("en", "He looked up. “It is raining again.” Nobody answered him.", 3),
        ("en", "(It was a long way. Too long, he thought then.) We slept well.", 0),
        ("es", "¿Dónde está el gato? ¡Está en casa! La casa es grande.", 3),
        ("de", "Am 3. Mai kam er an. Es war schon spät.", 1),
        ("ar", "هل تعرف هذا الرجل؟ نعم أعرفه جيدا. هو جارنا الجديد!", 3),
        ("ur", "یہ ایک کتاب ہے۔ وہ لڑکی کہاں ہے؟", 2),
        ("hi", "लड़का घर गया। क्या वह सो रहा है? हाँ वह सो गया!", 3),
        ("am", "ልጁ ወደ ቤት መጣ። እናቱ የት ናት? እሷም መጣች።", 2),
        ("zh", "清 晨 下 雨 了 。 我 们 回 家 吧 ！ 你 去 哪 里 ？", 3),
    ],
)
def test_only_certain_sentences_are_kept(lang: str, text: str, wanted: int) -> None:
    found = sentences(text, lang)
    assert len(found) == wanted
    assert all(sentence in text for sentence in found)


def test_kept_are_different_sentences_of_three_to_thirty_words() -> None:
    long = "Very " + "very " * 28
    rows = ["Too short.", "This is long.", "This is long.", "Cafe\u0301 is\u200b open."]
    text = "\n".join([*rows, f"{long}long.", f"{long}too long."])
    assert sentences(text, "en") == ["This is long.", "Café is open.", f"{long}long."]


def test_chinese_and_japanese_are_cut_into_words_by_their_segmenters(tmp_path: Path) -> None:
    chinese = from_text(tmp_path, "清晨下雨了，我们回家。“今天真冷！”他说。", "zh")
    assert chinese.sentences[0].units == ("清晨", "下雨", "了", "我们", "回家")
    assert chinese.sentences[0].text == "清晨下雨了，我们回家。"
    japanese = from_text(
        tmp_path, "猫が窓の外を見ている。「今日は雨だ。行かない。」と言った。\n", "ja"
    )
    assert japanese.sentences[0].units[:5] == ("猫", "が", "窓", "の", "外")
    for found in (chinese, japanese):
        assert found.joined
        assert len(found.sentences) == 1
        found.save(tmp_path / "pack")
        again = Pack.from_folder(tmp_path / "pack")
        assert again.sentences == found.sentences


def test_a_text_with_its_words_set_apart_needs_no_segmenter(tmp_path: Path) -> None:
    found = from_text(tmp_path, "下 雨 了 ， 回家 吧 。\n你 去 哪里 ？\n", "zh", "spaces")
    assert [line.text for line in found.sentences] == ["下雨了，回家吧。", "你去哪里？"]
    assert found.sentences[1].units == ("你", "去", "哪里")


def test_a_segmenter_may_be_a_function(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("แมวนอนอยู่\nหมากินข้าว\n", encoding="utf-8")
    found = Pack.from_text(file, lang="th", segmenter=lambda text: [text[:3], " ", *text[3:]])
    assert found.joined
    assert found.sentences[0].text == "แมวนอนอยู่"
    assert found.sentences[0].units[0] == "แมว"


@pytest.mark.parametrize("cut", [[None], [b"a"], ["a", 3], [["a"]]])
def test_a_function_that_cuts_into_no_text_is_one_clear_error(cut: Any, tmp_path: Path) -> None:
    with pytest.raises(TokenbenchError, match=r"expected a list of strings$"):
        from_text(tmp_path, "แมว", "th", lambda _: cut)


@pytest.mark.parametrize("segmenter", [[], {}, 3, "", ["spaces"], "jieba"])
def test_an_unknown_segmenter_is_one_clear_error(segmenter: Any, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown segmenter [^\n]+ spaces[^\n]*$"):
        from_text(tmp_path, "下雨了。", "zh", segmenter)


@pytest.mark.parametrize(("lang", "module"), [("zh", "rjieba"), ("ja", "sudachipy")])
def test_a_segmenter_that_is_not_installed_names_the_extra(
    lang: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokenbench.text.packs import prose

    prose._sudachi_dictionary.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingExtraError, match=r"tokenbench\[segmenters\]"):
        from_text(tmp_path, "今日は雨だった。", lang)


def test_texts_that_cannot_serve_are_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no sentence"):
        from_text(tmp_path, "", "en")
    with pytest.raises(SourceError, match="not UTF-8"):
        from_text(tmp_path, "Wo ist der Schlüssel?".encode("latin-1"), "de")
    with pytest.raises(UnknownNameError, match="did you mean 'rjieba'"):
        from_text(tmp_path, "下雨了。", "zh", "jieba")
