"""Completions of tests."""


def tagged(answer: str) -> str:
    """Return a completion with an answer in tags."""
    return f"<answer>{answer}</answer>"
