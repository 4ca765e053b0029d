"""The published scorer of CUTE and EXECUTE: what stands in quotation marks, compared as it is."""

from typing import Final

CHARACTERS: Final = "quoted"
WORDS: Final = "quoted_caseless"  # of tasks that act on words
EVALUATIONS: Final = (CHARACTERS, WORDS)


def taken_out(completion: str | None) -> str:
    """Return what stands between the first two quotation marks of a completion's last answer.

    The last answer is what follows the last `Answer:` (all of it if there is none), up to the
    first `</s>`; where no second mark follows the first, it ends with it.

    >>> taken_out('Answer: "no"\\nAnswer: "yes"</s>"x"'), taken_out("yes"), taken_out('"yes')
    ('yes', '', 'yes')
    """
    answer = (completion or "").rpartition("Answer:")[2].partition("</s>")[0]
    return answer.partition('"')[2].partition('"')[0]


def right(evaluation: str, completion: str | None, label: str) -> bool:
    """Return whether a completion's answer is the label; letter case counts for characters only."""
    return same(evaluation, taken_out(completion), label)


def same(evaluation: str, answer: str, label: str) -> bool:
    """Return whether an answer that was taken out is the label.

    >>> same("quoted_caseless", "he left.", "He left."), same("quoted", "a b", "A b")
    (True, False)
    """
    if evaluation == WORDS:
        return answer.lower() == label.lower()
    return answer == label
