"""Write the words whose readings FURIGANA asks for, each with all its readings.

`python tools/furigana_readings.py` writes `src/tokenbench/tasks/data/furigana.tsv`; it needs the
extra `segmenters`. The words and their first readings are our lexicon's. A word is kept where
SudachiDict lists no other reading for it, or where its readings were judged by hand. A test checks
that the file is what this writes.
"""

import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tokenbench.tasks.execute.furigana import hiragana
from tokenbench.text.lexicon import concepts

WRITTEN: Final = Path(__file__).parents[1] / "src/tokenbench/tasks/data/furigana.tsv"
DICTIONARY: Final = "SudachiDict-core"
HEADER: Final = """\
# Words of the core lexicon that are written with kanji, each with all its readings. Written by
# tools/furigana_readings.py, which compared them with {dictionary}.
"""
# Words for which the dictionary has further readings, each with those that it has when it stands
# alone. Words with other doubtful readings are left out.
JUDGED: Final = """\
今日 きょう こんにち
昨日 きのう さくじつ
明日 あした あす みょうにち
白鳥 はくちょう しらとり
牛 うし ぎゅう
豚 ぶた とん
魚 さかな うお
葦 あし よし
豚肉 ぶたにく とんにく
泡 あわ あぶく
瓶 びん かめ
朝食 ちょうしょく あさげ
昼食 ちゅうしょく ちゅうじき ひるげ
夕食 ゆうしょく ゆうげ
頬 ほお ほほ
胸 むね
骨 ほね こつ
肋骨 ろっこつ あばらぼね
咳 せき しわぶき
歯痛 しつう はいた
腹痛 ふくつう はらいた
布地 ぬのじ きれじ
門 もん かど
刃 は やいば
牧場 ぼくじょう まきば
砂 すな いさご
炎 ほのお ほむら
煙 けむり けむ
雨 あめ
雷 かみなり いかずち らい
湿気 しっけ しっき
潮 しお うしお
甲板 かんぱん こうはん こうばん
帆船 はんせん ほぶね
餌 えさ え
通路 つうろ かよいじ
温泉 おんせん いでゆ
自然 しぜん じねん
昼間 ひるま ちゅうかん
永遠 えいえん とわ
変化 へんか へんげ
兄弟 きょうだい けいてい
継母 けいぼ ままはは
継父 けいふ ままちち
妻 つま さい
夫婦 ふうふ めおと みょうと
幼児 ようじ おさなご
男 おとこ おのこ
故郷 ふるさと こきょう
商人 しょうにん あきんど あきゅうど
言語 げんご ごんご
数学 すうがく
科学 かがく
化学 かがく ばけがく
哲学 てつがく
文学 ぶんがく
音色 ねいろ おんしょく
相撲 すもう すまい
詩 し うた
人形 にんぎょう ひとがた
呪い のろい まじない
竜 りゅう たつ りょう
宝物 たからもの ほうもつ
怒り いかり おこり
貪欲 どんよく とんよく
夢 ゆめ
利益 りえき りやく
顧客 こきゃく こかく
工場 こうじょう こうば
国境 こっきょう くにざかい
敵 てき かたき
剣 けん つるぎ
銅 どう あかがね
銀 ぎん しろがね
粉 こな こ
黄色 きいろ おうしょく こうしょく
円柱 えんちゅう まるばしら
三角形 さんかくけい さんかっけい
六角形 ろっかくけい ろっかっけい
"""
# The dictionary lacks a reading that is as good.
DOUBTFUL: Final = ("診療所", "稲妻")
_NOT_WORDS: Final = ("接尾辞", "接頭辞", "補助記号", "記号")
_NAMES: Final = "固有名詞"


def text() -> str:
    """Return the text that the file should contain."""
    judged = {word: readings for word, *readings in map(str.split, JUDGED.splitlines())}
    dictionary = _dictionary()
    lines = []
    for word, own in _lexicon().items():
        listed = {
            reading
            for reading in dictionary(word)
            if not any(_is_bound(reading, other) for other in own)
        }
        if word in DOUBTFUL or any("ー" in reading for reading in own):
            continue  # those with ー are also written with a vowel
        if word in judged or listed == set(own):
            readings = dict.fromkeys([*own, *judged.get(word, ())])
            lines.append("\t".join([word, *readings]))
    source = f"{DICTIONARY} {version(DICTIONARY)}"
    return HEADER.format(dictionary=source) + "".join(f"{line}\n" for line in sorted(lines))


def _lexicon() -> dict[str, list[str]]:
    """Return our words with kanji, and the readings that our lexicon gives."""
    found: dict[str, list[str]] = {}
    for concept in concepts():
        if concept.kana:
            readings = found.setdefault(concept.ja, [])
            if hiragana(concept.kana) not in readings:
                readings.append(hiragana(concept.kana))
    return found


def _dictionary() -> Any:
    """Return a function from a word to the readings that the dictionary has for it."""
    from sudachipy import Dictionary

    opened = Dictionary(dict="core")

    def readings(word: str) -> set[str]:
        found = set()
        for morpheme in opened.lookup(word):
            part, kind, *_ = morpheme.part_of_speech()
            if part not in _NOT_WORDS and kind != _NAMES:
                found.add(hiragana(morpheme.reading_form()))
        return found

    return readings


def _is_bound(reading: str, own: str) -> bool:
    """Return whether a reading is another one whose first sound is voiced: がわ of かわ.

    So words are read only as the second part of a compound.
    """
    plain = unicodedata.normalize("NFD", reading)
    return reading != own and plain[1:2] in ("\u3099", "\u309a") and plain[0] + reading[1:] == own


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
