"""The readers of the published files, their audit, and TASE's table arithmetic."""

from tokenbench.builtin import lazy_exports

_MODULES = ["audit", "charbench", "cute", "execute", "riddles", "tables", "tase"]

__getattr__, __dir__ = lazy_exports(__name__, {name: name for name in _MODULES})
