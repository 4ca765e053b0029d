"""Tasks of no paper."""
