"""A page about runs that a person enjoys, with its figures and tables beside it."""

from tokenbench.run.reporting.writing import report as report

__all__ = ["report"]
