"""Makers of riddles: one for each language, and what they share."""
