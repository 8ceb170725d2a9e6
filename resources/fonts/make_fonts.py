"""Derive the bundled fonts from Inter 4.0: tabular digits by default, U+1D40 added, no contextual alternates.

Usage: python make_fonts.py FOLDER_WITH_INTER_OTF TARGET_FOLDER      (needs fonttools)

Why: a PDF can only hold characters of glyphs that the font maps to directly, so digits reached through the feature
"tnum" cannot be copied from it, and "->" would become another glyph. Inter has no raised T, which QKᵀ needs.
"""

import sys
from pathlib import Path

from fontTools.misc.transform import Transform
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FAMILY = "Inter Tabular"

KEPT = (
    (0x0020, 0x024F), (0x02B0, 0x036F), (0x0370, 0x04FF), (0x1D40, 0x1D40), (0x1E00, 0x1EFF), (0x2000, 0x27BF),
    (0x2B00, 0x2BFF), (0xFB00, 0xFB06),
)
"""Latin, Greek, Cyrillic, punctuation, mathematics, arrows: writing a PDF takes time for every character of a font."""


def single_substitutions(font: TTFont, tag: str) -> dict[str, str]:
    table = font["GSUB"].table
    pairs: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == tag:
            for index in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[index].SubTable:
                    pairs.update(getattr(getattr(subtable, "ExtSubTable", subtable), "mapping", {}))
    return pairs


def add_raised_t(font: TTFont) -> None:
    source = font.getBestCmap()[ord("T")]
    glyphs = font.getGlyphSet()
    width, scale = font["hmtx"][source][0], 0.62
    cap_height = font["OS/2"].sCapHeight
    pen = T2CharStringPen(round(width * scale), glyphs)
    glyphs[source].draw(TransformPen(pen, Transform(scale, 0, 0, scale, 0, cap_height * (1.04 - scale))))
    top = font["CFF "].cff.topDictIndex[0]
    donor = top.CharStrings[source]
    outline = pen.getCharString(private=donor.private, globalSubrs=donor.globalSubrs)
    name = "uni1D40"
    top.CharStrings.charStringsIndex.append(outline)
    top.CharStrings.charStrings[name] = len(top.CharStrings.charStringsIndex) - 1
    top.charset.append(name)
    font.setGlyphOrder(top.charset)
    font["hmtx"].metrics[name] = (round(width * scale), 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[0x1D40] = name


def derive(source: Path, target: Path) -> None:
    font = TTFont(source)
    tabular = single_substitutions(font, "tnum")
    for table in font["cmap"].tables:
        if table.isUnicode():
            for character in "0123456789\u2212+":
                plain = table.cmap.get(ord(character))
                if plain in tabular:
                    table.cmap[ord(character)] = tabular[plain]
    add_raised_t(font)
    characters = {code for code in font.getBestCmap() if any(low <= code <= high for low, high in KEPT)}
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.glyph_names = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    style = font["name"].getDebugName(17) or font["name"].getDebugName(2)
    plain = style == "Regular"
    names = {1: FAMILY if plain else f"{FAMILY} {style}", 2: "Regular", 3: f"{FAMILY} {style} from Inter 4.0",
             4: f"{FAMILY} {style}", 6: target.stem, 16: FAMILY, 17: style}
    font["name"].names = [record for record in font["name"].names if record.nameID not in (*names, 25)]
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font["CFF "].cff.fontNames = [target.stem]
    top = font["CFF "].cff.topDictIndex[0]
    top.FullName, top.FamilyName = names[4], FAMILY
    font.save(target)


if __name__ == "__main__":
    folder, out = map(Path, sys.argv[1:])
    for weight in ("Regular", "SemiBold"):
        derive(folder / f"Inter-{weight}.otf", out / f"InterTabular-{weight}.otf")
