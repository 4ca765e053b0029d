"""A font of the running system, for those who ask for it."""

import os
import subprocess
import sys
from typing import Final

from tokenbench.errors import SourceError

_PATTERN: Final = "sans-serif:lang=zh-cn"  # the mainland's Han forms, as in the pinned font
_SECONDS: Final = 20
# Where no fontconfig tells: fonts that have come with these systems for long.
_KNOWN: Final = {
    "win32": ("msyh.ttc", "simsun.ttc", "arialuni.ttf", "arial.ttf"),
    "darwin": ("PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "Helvetica.ttc"),
}
_FOLDERS: Final = {
    "win32": os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"),
    "darwin": "/System/Library/Fonts",
}


def system_font() -> tuple[str, int]:
    """Return the path of the system's font for Chinese, and which of its faces.

    fontconfig's `fc-match` is asked; where there is none, known places are tried.

    Raises:
        SourceError: none was found.
    """
    try:
        told = subprocess.run(
            ["fc-match", "--format=%{file}\n%{index}", _PATTERN],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        ).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        told = []
    if len(told) == 2 and told[1].isdecimal():
        return told[0], int(told[1])
    for name in _KNOWN.get(sys.platform, ()):
        path = os.path.join(_FOLDERS[sys.platform], name)
        if os.path.exists(path):
            return path, 0
    raise SourceError("font='system': no font found on this system: give the path of a font file")
