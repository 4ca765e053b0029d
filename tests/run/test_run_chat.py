"""From requests to ids: texts, messages, ids, and bytes within a chat template."""

import pytest
from engines import BEGIN, END, FakeTokenizer

from tokenbench.errors import ClientError, SourceError
from tokenbench.run import Request
from tokenbench.run.in_process import Encoder

TEXTS = ("the user asks", "naïve 猫", f"an {END} within", "  spaces  ", "")
SYSTEM = [{"role": "system", "content": "the user"}, {"role": "user", "content": "asks é"}]


def test_a_text_is_a_users_message_to_a_model_that_chats() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request("abc"))
    assert tokenizer.decode(ids) == f"{BEGIN}user\nabc{END}\n{BEGIN}assistant\n"
    assert Encoder(tokenizer, chat=True).ids(Request("abc")) == ids


@pytest.mark.parametrize("tokenizer", [FakeTokenizer(chat_template=None), FakeTokenizer()])
def test_a_text_is_continued_by_one_that_does_not(tokenizer: FakeTokenizer) -> None:
    chat = None if tokenizer.chat_template is None else False
    ids = Encoder(tokenizer, chat).ids(Request("abc def"))
    assert ids == tokenizer.encode("abc def")


def test_messages_are_taken_as_they_are() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request(SYSTEM))
    said = f"{BEGIN}system\nthe user{END}\n{BEGIN}user\nasks é{END}\n{BEGIN}assistant\n"
    assert tokenizer.decode(ids) == said
    with pytest.raises(ClientError, match="need a model that chats"):
        Encoder(tokenizer, chat=False).ids(Request(SYSTEM))


def test_ids_are_taken_as_they_are() -> None:
    assert Encoder(FakeTokenizer(), chat=None).ids(Request([5, 6, 7])) == [5, 6, 7]


def test_a_template_of_the_engine_comes_before_the_tokenizers() -> None:
    tokenizer = FakeTokenizer(chat_template=None)
    ids = Encoder(tokenizer, None, "echo").ids(Request("abc"))
    assert tokenizer.decode(ids).count("abcabc") == 1


@pytest.mark.parametrize("text", TEXTS)
def test_at_byte_level_the_text_is_bytes_and_the_template_is_as_usual(text: str) -> None:
    tokenizer = FakeTokenizer()
    encoder = Encoder(tokenizer, chat=None)
    ids = encoder.ids(Request(text, byte_level=True))
    before = tokenizer.encode(f"{BEGIN}user\n")
    after = tokenizer.encode(f"{END}\n{BEGIN}assistant\n")
    assert ids[: len(before)] == before
    assert ids[len(ids) - len(after) :] == after
    assert len(ids) == len(before) + len(text.encode()) + len(after)
    assert tokenizer.decode(ids) == tokenizer.decode(encoder.ids(Request(text)))


def test_no_byte_of_a_text_becomes_a_special_token() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=False).ids(Request(END, byte_level=True))
    assert tokenizer.eos_token_id not in ids
    assert Encoder(tokenizer, chat=False).ids(Request(END)) == [tokenizer.eos_token_id]


def test_at_byte_level_the_system_message_is_as_usual() -> None:
    tokenizer = FakeTokenizer()
    ids = Encoder(tokenizer, chat=None).ids(Request(SYSTEM, byte_level=True))
    before = tokenizer.encode(f"{BEGIN}system\nthe user{END}\n{BEGIN}user\n")
    assert ids[: len(before)] == before
    assert len(ids) == len(before) + len("asks é".encode()) + len(
        tokenizer.encode(f"{END}\n{BEGIN}assistant\n")
    )


def test_bytes_that_are_continued_begin_as_texts_do() -> None:
    tokenizer = FakeTokenizer()
    plain = Encoder(tokenizer, chat=False).ids(Request("abc", byte_level=True))
    assert len(plain) == 3
    tokenizer.bos_token_id = tokenizer.inner.token_to_id(BEGIN)
    ids = Encoder(tokenizer, chat=False).ids(Request("abc", byte_level=True))
    assert ids == [tokenizer.bos_token_id, *plain]


def test_what_cannot_be_given_in_bytes_is_said() -> None:
    words = Encoder(FakeTokenizer(with_bytes=False), chat=None)
    with pytest.raises(ClientError, match=r"no byte-level prompts: .*no tokens for single bytes"):
        words.ids(Request("abc", byte_level=True))
    with pytest.raises(ClientError, match="each user message once"):
        Encoder(FakeTokenizer(chat_template="echo"), None).ids(Request("abc", byte_level=True))
    with pytest.raises(ClientError, match=r"must be a text, got \[5, 6\]"):
        Encoder(FakeTokenizer(), None).ids(Request([5, 6], byte_level=True))
    with pytest.raises(SourceError, match="surrogate"):
        Encoder(FakeTokenizer(), None).ids(Request("\ud800", byte_level=True))


def test_a_template_that_refuses_is_said() -> None:
    with pytest.raises(ClientError, match="refuses the prompt: System role not supported"):
        Encoder(FakeTokenizer(chat_template="no system"), None).ids(Request(SYSTEM))
    with pytest.raises(ClientError, match="refuses the prompt: no chat template"):
        Encoder(FakeTokenizer(chat_template=None), True).ids(Request("abc"))
