"""The words of a prompt: one of several natural wordings, the payload, the closing sentence.

`wordings/languages/<code>.toml` holds what the prompts of a language share, and the questions of
the tasks that are asked in every language; `wordings/<task>.toml` those of any other task.
"""

from functools import cache
from typing import Any, Final

from tokenbench.draw import Draw
from tokenbench.text.data_files import data_table

SPOKEN: Final = ("am", "ar", "de", "en", "es", "hi", "ja", "ko", "ru", "xh", "zh")
_FALLBACK: Final = "en"  # of a language in which no prompts are written


def prompt_text(
    draw: Draw, task: str, lang: str, payload: str = "", *, form: str, **slots: Any
) -> str:
    """Return a prompt: a question, the payload, and the sentence that asks for the answer in tags.

    Args:
        draw: chooses among the wordings.
        task: whose wordings.
        lang: the language of the prompt.
        payload: what the question is about, as it stands.
        form: which of the task's questions.
        **slots: what the question's `{name}` places hold; `{yes}` and `{no}` are the language's.
    """
    question = question_text(draw, task, lang, payload, form=form, **slots)
    return f"{question}\n\n{closing(lang)}"


def question_text(
    draw: Draw, task: str, lang: str, payload: str = "", *, form: str, **slots: Any
) -> str:
    """Return a prompt without its closing sentence; the arguments are those of `prompt_text`."""
    options = questions(task, lang)[form]
    question = draw.choice(options).format(
        **slots, yes=shared_text("yes", lang), no=shared_text("no", lang)
    )
    return "\n\n".join(part for part in (question, payload) if part)


def questions(task: str, lang: str) -> dict[str, Any]:
    """Return a task's questions in a language, by their form."""
    spoken = _language(_spoken(lang))
    found: dict[str, Any] = spoken[task] if task in spoken else load_wordings(task)[lang]
    return found


def closing(lang: str) -> str:
    """Return the sentence that asks for the answer in `<answer>` tags."""
    return shared_text("closing", lang)


def shared_text(part: str, lang: str) -> str:
    """Return what all prompts of a language share, in English where none are written in it.

    That is `closing`, `steps`, `examples`, `question`, `bare`, `yes` or `no`.
    """
    return str(_language(_spoken(lang))[part])


@cache
def load_wordings(name: str) -> dict[str, Any]:
    """Return what one of the files in `wordings/` holds."""
    return data_table(__package__, "wordings", f"{name}.toml")


@cache
def _language(code: str) -> dict[str, Any]:
    return data_table(__package__, "wordings", "languages", f"{code}.toml")


def _spoken(lang: str) -> str:
    """Return the language in which prompts for a language are written."""
    primary = lang.partition("-")[0]
    return primary if primary in SPOKEN else _FALLBACK
