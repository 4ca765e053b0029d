"""The kinds of answers, their equivalences and partial credit, and the published scorers."""
