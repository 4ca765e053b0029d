"""The published scorers in one call, for tests."""

from tokenbench.answers.published_scorers import PublishedVerdict, scorer_for


def judge(
    evaluation: str,
    completion: str | None,
    question: str,
    label: str,
    variation: str = "",
    *,
    graded: bool = False,
) -> PublishedVerdict:
    """Return the verdict of the scorer that an evaluation type belongs to."""
    scorer = scorer_for(evaluation)
    return scorer.judge(evaluation, completion, question, label, variation, graded=graded)


def right(
    evaluation: str, completion: str | None, question: str, label: str, variation: str = ""
) -> bool:
    """Return whether a completion is right."""
    return judge(evaluation, completion, question, label, variation).right


def partial(
    evaluation: str, completion: str | None, question: str, label: str, variation: str = ""
) -> float:
    """Return a completion's score with partial credit."""
    return judge(evaluation, completion, question, label, variation, graded=True).score


def extract_answer(evaluation: str, completion: str | None) -> str:
    """Return the answer that a scorer takes from a completion."""
    return judge(evaluation, completion, "", "").answer
