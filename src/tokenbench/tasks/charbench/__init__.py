"""CharBench: counting and finding characters in words (AAAI 2026)."""
