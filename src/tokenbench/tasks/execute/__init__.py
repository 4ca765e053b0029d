"""EXECUTE and CUTE: spelling and editing in many scripts (arXiv 2505.17784, 2409.15452)."""
