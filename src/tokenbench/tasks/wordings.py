"""The words of a prompt: one of several natural wordings, the payload, the closing sentence.

`Language.prompts` has the texts that all prompts of a language share, and the questions of those
tasks that are asked in every language; `wordings/<task>.toml` has those of any other task.
"""

from functools import cache
from typing import Any

from tokenbench.draw import Draw
from tokenbench.text.languages import language
from tokenbench.text.sources import data_table


def question_text(
    draw: Draw, task: str, lang: str, payload: str = "", *, form: str, **slots: Any
) -> str:
    """Return a prompt without the sentence that asks for the answer in tags.

    Args:
        draw: chooses among the wordings.
        task: whose wordings.
        lang: the language of the prompt.
        payload: the text that the question is about, unchanged.
        form: which of the task's questions.
        **slots: fill the question's `{name}` places; `{yes}` and `{no}` are the language's.
    """
    shared = language(lang).prompts
    question = draw.choice(questions(task, lang)[form])
    question = question.format(**slots, yes=shared["yes"], no=shared["no"])
    return "\n\n".join(part for part in (question, payload) if part)


def questions(task: str, lang: str) -> dict[str, Any]:
    """Return a task's questions in a language, by their form."""
    prompts = language(lang).prompts
    found: dict[str, Any] = prompts[task] if task in prompts else load_wordings(task)[lang]
    return found


def closing(lang: str) -> str:
    """Return the sentence that asks for the answer in `<answer>` tags."""
    return common_text("closing", lang)


def common_text(part: str, lang: str) -> str:
    """Return a text that all prompts of a language share, in English where we have none of it.

    These are `closing`, `steps`, `examples`, `question`, `bare`, `yes` and `no`.
    """
    return str(language(lang).prompts[part])


@cache
def load_wordings(name: str) -> dict[str, Any]:
    """Return the content of one of the files in `wordings/`."""
    return data_table(__package__, "wordings", f"{name}.toml")
