"""Tiny font files in the formats that bitmaps come from, built byte by byte."""

import struct
from collections.abc import Mapping
from pathlib import Path

Picture = tuple[str, ...]  # rows from the top, `#` is ink


def picture(text: str) -> Picture:
    """Return the rows of a picture, drawn on lines of equal length."""
    return tuple(text.split())


def pack_rows(rows: Picture) -> bytes:
    """Return a picture with eight pixels in a byte, each row in whole bytes."""
    length = -(-len(rows[0]) // 8)
    bits = ["".join("1" if cell == "#" else "0" for cell in row) for row in rows]
    return b"".join(int(row.ljust(8 * length, "0"), 2).to_bytes(length, "big") for row in bits)


def in_cell(rows: Picture, width: int, left: int, top: int) -> Picture:
    """Return a picture at a place in a cell 16 rows high."""
    empty = "." * width
    inked = ["." * left + row + "." * (width - left - len(row)) for row in rows]
    return (*(empty,) * top, *inked, *(empty,) * (16 - top - len(rows)))


def bdf(path: Path, pictures: Mapping[str, Picture], advance: int, *, below: int) -> Path:
    """Write a BDF file whose pictures begin at the pen and end below the baseline."""
    width, height = len(next(iter(pictures.values()))[0]), len(next(iter(pictures.values())))
    box = f"{width} {height} 0 {-below}"
    lines = [
        "STARTFONT 2.1",
        "FONT -by-hand-Medium-R-Normal--16-160-75-75-C-80-ISO10646-1",
        "SIZE 16 75 75",
        f"FONTBOUNDINGBOX {box}",
        "STARTPROPERTIES 5",
        'FAMILY_NAME "By Hand"',
        f"FONT_ASCENT {16 - below}",
        f"FONT_DESCENT {below}",
        'CHARSET_REGISTRY "ISO10646"',
        'CHARSET_ENCODING "1"',
        "ENDPROPERTIES",
        f"CHARS {len(pictures)}",
    ]
    for char, rows in pictures.items():
        data = pack_rows(rows)
        step = len(data) // len(rows)
        lines += [
            f"STARTCHAR U+{ord(char):04X}",
            f"ENCODING {ord(char)}",
            f"SWIDTH {advance * 60} 0",
            f"DWIDTH {advance} 0",
            f"BBX {box}",
            "BITMAP",
            *(data[i : i + step].hex().upper() for i in range(0, len(data), step)),
            "ENDCHAR",
        ]
    path.write_text("\n".join([*lines, "ENDFONT", ""]), encoding="ascii")
    return path


def pcf(path: Path, pictures: Mapping[str, Picture], advance: int, *, below: int) -> Path:
    """Write the same as a PCF file: big-endian tables, rows of whole bytes."""
    given = sorted(pictures.items())
    width, height = len(given[0][1][0]), len(given[0][1])
    metric = struct.pack(">5hH", 0, width, advance, height - below, below, 0)
    order = 4 | 8  # bytes and bits, the most significant first
    names = {"FAMILY_NAME": "By Hand", "CHARSET_REGISTRY": "ISO10646", "CHARSET_ENCODING": "1"}
    pool, entries = b"", b""
    for name, value in names.items():
        entries += struct.pack(">IBI", len(pool), 1, len(pool) + len(name) + 1)
        pool += f"{name}\0{value}\0".encode()
    padding = bytes(-len(names) % 4)
    properties = struct.pack(">I", len(names)) + entries + padding
    properties += struct.pack(">I", len(pool)) + pool
    accelerators = bytes(8) + struct.pack(">3i", 16 - below, below, 0) + metric * 2
    metrics = struct.pack(">I", len(given)) + metric * len(given)
    data = [pack_rows(rows) for _, rows in given]
    starts = [sum(map(len, data[:i])) for i in range(len(data))]
    sizes = [sum(map(len, data))] * 4
    bitmaps = struct.pack(f">I{len(given)}I4I", len(given), *starts, *sizes) + b"".join(data)
    codes = [ord(char) for char, _ in given]
    rows = range(min(codes) >> 8, (max(codes) >> 8) + 1)
    slots = [
        codes.index(r << 8 | c) if r << 8 | c in codes else -1 for r in rows for c in range(256)
    ]
    encodings = struct.pack(">5h", 0, 255, rows[0], rows[-1], 0) + struct.pack(
        f">{len(slots)}h", *slots
    )
    tables = {1: properties, 2: accelerators, 4: metrics, 8: bitmaps, 32: encodings}
    head, body = b"\1fcp" + struct.pack("<I", len(tables)), b""
    first = len(head) + 16 * len(tables)
    for kind, table in tables.items():
        whole = struct.pack("<I", order) + table + bytes(-len(table) % 4)
        head += struct.pack("<4I", kind, order, len(whole), first + len(body))
        body += whole
    path.write_bytes(head + body)
    return path


def with_strike(
    path: Path, pictures: Mapping[str, Picture], advance: int, *, below: int, depth: int = 1
) -> Path:
    """Write a TrueType font of boxes with pictures for 16 pixels and a given depth."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables import E_B_D_T_, E_B_L_C_
    from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics

    names = {f"u{ord(char):04X}": char for char in pictures}
    glyphs = [".notdef", *names]
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 704), (512, 704), (512, 0)):
        pen.lineTo(corner)
    pen.closePath()
    builder = FontBuilder(1024)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap({ord(char): name for name, char in names.items()})
    builder.setupGlyf(dict.fromkeys(glyphs, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (512, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "By Hand", "version": "Version 1.5;made for tests"})
    builder.setupOS2()
    builder.setupPost()

    strike = E_B_L_C_.Strike()
    about = strike.bitmapSizeTable
    about.ppemX = about.ppemY = 16
    about.bitDepth, about.flags, about.colorRef = depth, 1, 0
    about.startGlyphIndex, about.endGlyphIndex = 1, len(names)
    about.hori, about.vert = E_B_L_C_.SbitLineMetrics(), E_B_L_C_.SbitLineMetrics()
    for metrics in (about.hori, about.vert):
        for field in (
            "caretSlopeNumerator",
            "caretSlopeDenominator",
            "caretOffset",
            "minOriginSB",
            "minAdvanceSB",
            "maxBeforeBL",
            "minAfterBL",
            "pad1",
            "pad2",
        ):
            setattr(metrics, field, 0)
        metrics.ascender, metrics.descender, metrics.widthMax = 16 - below, -below, 16
    index = E_B_L_C_.eblc_index_sub_table_1(None, None)
    index.indexFormat = index.imageFormat = index.firstGlyphIndex = 1
    index.lastGlyphIndex, index.names = len(names), list(names)
    strike.indexSubTables = [index]
    data = {}
    for name, char in names.items():
        rows = pictures[char]
        data[name] = E_B_D_T_.ebdt_bitmap_format_1(b"", builder.font)
        metrics = data[name].metrics = SmallGlyphMetrics()
        metrics.height, metrics.width, metrics.Advance = len(rows), len(rows[0]), advance
        metrics.BearingX, metrics.BearingY = 0, len(rows) - below
        grey = bytes(255 * (cell == "#") for row in rows for cell in row)
        data[name].imageData = pack_rows(rows) if depth == 1 else grey
    for tag, field, value in (("EBLC", "strikes", [strike]), ("EBDT", "strikeData", [data])):
        table = builder.font[tag] = newTable(tag)
        table.version = 2.0
        setattr(table, field, value)
    builder.save(path)
    return path
