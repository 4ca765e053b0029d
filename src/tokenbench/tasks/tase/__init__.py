"""TASE: token awareness and structure, in English, Chinese and Korean (arXiv 2508.05468)."""
