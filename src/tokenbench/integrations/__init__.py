"""Translations: our items and rewards as each framework expects them, one module for each.

A module imports its framework, so that nothing here is imported with `tokenbench` itself. What they
share is in `rows`: what a model is asked, and the item that travels with it as JSON text; and in
`settings`: that what is named exists, before a model is asked.
"""
