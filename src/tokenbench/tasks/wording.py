"""The words of a prompt: one of several natural wordings, the payload, the closing sentence."""

from functools import cache
from typing import Any

from tokenbench.draw import Draw
from tokenbench.errors import unknown
from tokenbench.text.data_files import data_table


def worded(draw: Draw, task: str, lang: str, payload: str = "", *, form: str, **slots: Any) -> str:
    """Return a prompt: a question, the payload, and the sentence that asks for the answer in tags.

    Args:
        draw: chooses among the wordings.
        task: whose wordings; they stand in `wordings/<task>.toml` under `<lang>.<form>`.
        lang: the language of the prompt.
        payload: what the question is about, as it stands.
        form: which of the task's questions.
        **slots: what the question's `{name}` places hold.
    """
    question = draw.choice(wordings(task)[lang][form]).format(**slots)
    return "\n\n".join(part for part in (question, payload, closing(lang)) if part)


def closing(lang: str) -> str:
    """Return the sentence that asks for the answer in `<answer>` tags."""
    return shared("closing", lang)


def shared(part: str, lang: str) -> str:
    """Return a sentence that all tasks share: `closing`, `steps`, `examples` or `question`.

    Raises:
        UnknownNameError: no prompts are written in that language.
    """
    sentences: dict[str, str] = wordings("styles")[part]
    if lang not in sentences:
        raise unknown("language of a prompt", lang, sentences)
    return sentences[lang]


@cache
def wordings(name: str) -> dict[str, Any]:
    """Return what one of the files in `wordings/` holds."""
    return data_table(__package__, "wordings", f"{name}.toml")
