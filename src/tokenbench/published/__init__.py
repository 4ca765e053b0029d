"""The published scorers, the readers of the published files, and the published arithmetic."""
