"""ADT: words that tokenizers see across the boundary of two others (arXiv 2405.17067)."""
