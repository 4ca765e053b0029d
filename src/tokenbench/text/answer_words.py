"""The closed lists of words that answers are made of, for each language in which prompts ask."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class AnswerWords(NamedTuple):
    """What answers in one language are made of beside what they name, in lower case.

    `counters` are the unit words that may follow a number; `conjunctions` is what may stand between
    two answer words, `places` what may stand before the number of a place. `endings` are the "is"
    that may follow number and unit word, or a word: those that are no part of another word.
    """

    counters: tuple[str, ...]
    same: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    conjunctions: tuple[str, ...]
    places: tuple[str, ...]
    endings: tuple[str, ...] = ()


def answer_words(code: str) -> AnswerWords:
    """Return the answer words of a language: English ones where we have none of it.

    Such are the languages of users' packs, whose prompts ask in English.

    >>> answer_words("ko").yes, answer_words("tr").yes
    (('예', '네'), ('yes',))
    """
    return _ANSWER_WORDS.get(code.partition("-")[0], _ENGLISH)


_ENGLISH: Final = AnswerWords(
    counters=(
        *("time", "times", "word", "words", "occurrence", "occurrences"),
        *("instance", "instances", "letter", "letters", "character", "characters"),
        *("different letters", "distinct letters", "unique letters"),
        *("different characters", "distinct characters", "unique characters"),
    ),
    same=("same", "the same"),
    yes=("yes",),
    no=("no",),
    conjunctions=("and", "&"),
    places=("position", "index", "at position", "at index", "letter", "character"),
)
_ANSWER_WORDS: Final[Mapping[str, AnswerWords]] = MappingProxyType(
    {
        "en": _ENGLISH,
        "zh": AnswerWords(
            counters=(
                *("次", "个", "字", "回", "个字", "汉字", "个汉字", "种", "种字", "处", "位", "号"),
                *("遍", "字符", "个字符", "个不同的字", "种不同的字", "个不同字符", "个不同的字符"),
            ),
            same=("相同", "完全相同", "完全一样"),
            yes=("是", "是的"),
            no=("不是", "不", "否", "没有"),
            conjunctions=("和", "与", "及"),
            places=("位置", "编号", "索引", "下标"),
        ),
        "ko": AnswerWords(
            counters=("번", "회", "개", "자", "글자", "음절", "가지", "종류", "차례", "군데"),
            same=("같음", "같습니다", "동일함", "동일합니다"),
            yes=("예", "네"),
            no=("아니요", "아니오", "아뇨"),
            conjunctions=("와", "과", "하고", "그리고", "및"),
            places=("위치", "번호", "인덱스"),
            endings=("입니다", "이에요", "예요"),
        ),
        "am": AnswerWords(
            counters=(
                *("ጊዜ", "ጊዜያት", "ጊዜዎች", "ግዜ", "ፊደል", "ፊደላት", "ፊደሎች", "ሆሄ", "ሆሄያት", "ቁምፊ"),
                *("ቁምፊዎች", "ቃል", "ቃላት", "ቃሎች", "የተለያዩ ፊደላት", "የተለያዩ ፊደሎች"),
                *("የተለያዩ ሆሄያት", "የተለያዩ ቁምፊዎች"),
            ),
            same=("ተመሳሳይ", "ያው"),
            yes=("አዎ", "አዎን", "አው", "አለ"),
            no=("አይ", "አይደለም", "የለም"),
            conjunctions=("እና",),
            places=("ቦታ", "የቦታ ቁጥር"),
            endings=("ነው", "ናቸው"),
        ),
        "ar": AnswerWords(
            counters=(
                *("مرة", "مرّة", "مرات", "مرّات", "حرف", "حرفا", "حرفًا", "حرفاً", "حروف", "أحرف"),
                *("احرف", "كلمة", "كلمات", "أحرف مختلفة", "حروف مختلفة", "حرفا مختلفا"),
                *("حرفًا مختلفًا", "حرفاً مختلفاً", "حرف مختلف"),
            ),
            same=("نفسه", "نفسها", "كما هو", "كما هي"),
            yes=("نعم", "أجل", "اجل", "بلى"),
            no=("لا", "كلا"),
            conjunctions=("و",),
            places=("موضع", "الموضع", "في الموضع"),
        ),
        "de": AnswerWords(
            counters=(
                *("mal", "male", "buchstabe", "buchstaben", "zeichen", "wort", "worte", "worten"),
                *("wörter", "wörtern", "vorkommen", "stück", "treffer"),
                *("verschiedene buchstaben", "unterschiedliche buchstaben"),
                *("verschiedene zeichen", "unterschiedliche zeichen"),
            ),
            same=("gleich", "dasselbe", "identisch"),
            yes=("ja",),
            no=("nein",),
            conjunctions=("und", "sowie", "&"),
            places=("position", "index", "an position"),
        ),
        "es": AnswerWords(
            counters=(
                *("vez", "veces", "letra", "letras", "carácter", "caracteres", "palabra"),
                *("palabras", "aparición", "apariciones", "ocurrencia", "ocurrencias", "caracter"),
                *("letras distintas", "letras diferentes", "letras únicas"),
                *("caracteres distintos", "caracteres diferentes", "caracteres únicos"),
            ),
            same=("igual", "iguales", "lo mismo"),
            yes=("sí", "si"),
            no=("no",),
            conjunctions=("y", "e", "&"),
            places=("posición", "posicion", "índice", "indice", "en la posición"),
        ),
        "hi": AnswerWords(
            counters=(
                *("बार", "दफ़ा", "दफा", "मर्तबा", "अक्षर", "अक्षरों", "वर्ण", "वर्णों", "शब्द", "शब्दों"),
                *("स्थान", "स्थानों", "अलग-अलग अक्षर", "अलग अक्षर"),
                *("अलग-अलग वर्ण", "अलग वर्ण", "भिन्न अक्षर", "भिन्न वर्ण"),
            ),
            same=("वही", "समान", "बराबर", "एक ही", "एक जैसा", "एक जैसे", "एक जैसी"),
            yes=("हाँ", "हां", "जी हाँ", "जी हां", "जी"),
            no=("नहीं", "नही", "जी नहीं", "जी नही", "ना", "न"),
            conjunctions=("और", "तथा", "एवं", "व"),
            places=("स्थान",),
            endings=("है", "हैं"),
        ),
        "ja": AnswerWords(
            counters=(
                *("回", "度", "個", "コ", "つ", "字", "文字", "語", "単語", "種", "種類"),
                *("箇所", "か所", "カ所", "ヶ所", "ケ所", "ヵ所", "番", "番目", "種類の文字"),
            ),
            same=("同じ",),
            yes=("はい", "ええ", "うん"),
            no=("いいえ", "いえ", "ううん"),
            conjunctions=("と", "や", "および", "及び", "そして", "かつ"),
            places=("位置", "番号", "インデックス", "添字"),
            endings=("です",),
        ),
        "ru": AnswerWords(
            counters=(
                *("раз", "раза", "буква", "букву", "буквы", "букв", "символ", "символа"),
                *("символов", "знак", "знака", "знаков", "слово", "слова", "слов"),
                *("вхождение", "вхождения", "вхождений", "штука", "штуки", "штук"),
                *("разные буквы", "разных буквы", "разных букв"),
                *("различные буквы", "различных буквы", "различных букв"),
                *("разных символа", "разных символов", "различных символа", "различных символов"),
                *("уникальные буквы", "уникальных буквы", "уникальных букв"),
                *("уникальных символа", "уникальных символов"),
            ),
            same=("то же", "то же самое", "одинаково"),
            yes=("да",),
            no=("нет",),
            conjunctions=("и",),
            places=("позиция", "индекс", "на позиции"),
        ),
        "xh": AnswerWords(
            counters=(
                *("unobumba", "oonobumba", "igama", "amagama", "isihlandlo", "izihlandlo"),
                *("ixesha", "amaxesha", "ileta", "iileta", "uphawu", "iimpawu"),
                *("oonobumba abahlukeneyo", "oonobumba abohlukeneyo", "iimpawu ezahlukeneyo"),
            ),
            same=("kuyafana", "ziyafana", "iyafana", "efanayo", "elifanayo", "ngokufanayo"),
            yes=("ewe", "ehe", "ee", "kunjalo"),
            no=("hayi", "hayi bo", "akunjalo"),
            conjunctions=("kunye", "yaye", "kwaye"),
            places=("indawo", "inombolo"),
        ),
    }
)
