"""A bitmap as text, a line for each row."""

from typing import TYPE_CHECKING, Final

from tokenbench.errors import unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMS: Final = ("matrix", "rows", "hex")


def written(bitmap: "NDArray[np.uint8]", form: str) -> str:
    """Return a bitmap as text, a line for each row from the top.

    Args:
        bitmap: zeros and ones, of a width that is a multiple of four.
        form: `matrix` (lists of 0 and 1), `rows` (`.` and `#`), or `hex` (hexadecimal digits, the
            most significant bit being the leftmost pixel).

    Raises:
        UnknownNameError: no such form.

    >>> import numpy as np
    >>> corner = np.array([[1, 1, 1, 1], [1, 0, 0, 0]], np.uint8)
    >>> [written(corner, form) for form in ("matrix", "rows", "hex")]
    ['[1, 1, 1, 1]\\n[1, 0, 0, 0]', '####\\n#...', 'F\\n8']
    """
    rows: list[list[int]] = bitmap.tolist()
    match form:
        case "matrix":
            return "\n".join(map(str, rows))
        case "rows":
            return "\n".join("".join(".#"[pixel] for pixel in row) for row in rows)
        case "hex":
            digits = len(rows[0]) // 4
            return "\n".join(f"{int(''.join(map(str, row)), 2):0{digits}X}" for row in rows)
    raise unknown("form of a bitmap", form, FORMS)
