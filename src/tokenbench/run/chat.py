"""From requests to the ids of tokens, by a Hugging Face tokenizer and its chat template."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from tokenbench.errors import ClientError, SourceError
from tokenbench.item import Json
from tokenbench.run.protocol import Prompt, Request
from tokenbench.vocab.byte_level import Table, byte_table, byte_tokens

_PLACE: Final = "\uf8ff\ue000\uf8ff"  # stands in a template for bytes; no text of ours has it


def messages(prompt: Prompt, chat: bool) -> list[dict[str, Json]]:
    """Return the chat messages that a prompt is to a model; none if it is continued as it stands.

    Args:
        prompt: of a request.
        chat: whether the model chats; then a text is a user's message.

    Raises:
        ClientError: messages, and the model does not chat.

    >>> messages("Hi", chat=True), messages("Hi", chat=False), messages([1, 2], chat=True)
    ([{'role': 'user', 'content': 'Hi'}], [], [])
    """
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}] if chat else []
    found = [dict(part) for part in prompt if isinstance(part, Mapping)]
    if found and not chat:
        raise ClientError("chat messages, or a system message, need a model that chats")
    return found


class Encoder:
    """A tokenizer, as it makes prompts for a model that runs in this process.

    Args:
        tokenizer: as those of transformers; it needs `encode`, `apply_chat_template`, and for
            byte-level prompts `get_vocab`.
        chat: whether texts are put as chat messages; None if the tokenizer has a chat template.
        template: a chat template; None is the tokenizer's own.
    """

    def __init__(self, tokenizer: Any, chat: bool | None, template: str | None = None) -> None:
        self._tokenizer, self._template = tokenizer, template
        has_one = (template or getattr(tokenizer, "chat_template", None)) is not None
        self._chat = has_one if chat is None else chat
        self._bytes: Table | None = None

    def ids(self, request: Request) -> list[int]:
        """Return the ids of a request's prompt, with all that the model expects around it.

        At byte level the texts of users' messages are one token for each byte; the chat template
        around them is tokenised as usual. Source: EXECUTE, byte-level prompting.

        Raises:
            ClientError: no prompt of the kind can be given to the model.
            SourceError: a byte of this text has no token.
        """
        asked = messages(request.prompt, self._chat)
        if request.byte_level:
            return self._byte_level(request.prompt, asked)
        if asked:
            return list(self._templated(asked, tokenize=True))
        if isinstance(request.prompt, str):
            return list(self._tokenizer.encode(request.prompt))
        return cast(list[int], list(request.prompt))

    def _byte_level(self, prompt: Prompt, asked: list[dict[str, Json]]) -> list[int]:
        if not asked:
            return [*self._begin(), *self._spelled(prompt)]
        texts = [message["content"] for message in asked if message["role"] == "user"]
        held = [
            {**message, "content": _PLACE} if message["role"] == "user" else message
            for message in asked
        ]
        first, *others = self._templated(held, tokenize=False).split(_PLACE)
        if len(others) != len(texts):
            raise ClientError(
                "the chat template does not give users' messages once each, so that their bytes "
                "cannot be put in their places: leave byte-level prompts, or the template"
            )
        ids = self._plain(first)
        for text, after in zip(texts, others, strict=True):
            ids += [*self._spelled(text), *self._plain(after)]
        return ids

    def _spelled(self, text: object) -> list[int]:
        if not isinstance(text, str):
            raise ClientError(f"a byte-level prompt is a text: got {text!r:.80}")
        if self._bytes is None:
            try:
                self._bytes = byte_table(self._tokenizer)
            except SourceError as error:
                raise ClientError(f"the model takes no byte-level prompts: {error}") from None
        return byte_tokens(text, self._bytes)

    def _begin(self) -> Iterator[int]:
        """Yield what the tokenizer puts before any text, if it is its token for that."""
        begin = getattr(self._tokenizer, "bos_token_id", None)
        if begin is not None and list(self._tokenizer.encode(""))[:1] == [begin]:
            yield begin

    def _plain(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False)) if text else []

    def _templated(self, asked: list[dict[str, Json]], *, tokenize: bool) -> Any:
        try:
            return self._tokenizer.apply_chat_template(
                asked,
                chat_template=self._template,
                add_generation_prompt=True,
                tokenize=tokenize,
                return_dict=False,
            )
        except Exception as error:  # a template raises what it likes
            raise ClientError(f"the model's chat template does not take this: {error}") from error
