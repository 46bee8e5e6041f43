import { GLYPHS, type Glyph, UNKNOWN } from "./glyphs.js";

/**
 * Texts are drawn as strokes, so that maps look the same in every browser and rasteriser: without system
 * fonts librsvg draws a box for each letter, and with them every machine draws different ones.
 */

/** Units between two letters. */
const SPACING = 2.3;
/** Units from the baseline to the top of a capital. */
export const CAP_HEIGHT = 10;

const ALIKE: Readonly<Record<string, string>> = {
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
  "\u2026": "...",
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u00d7": "x",
};

/** The glyphs of a text; accents are dropped, a line break becomes a space. */
function glyphsOf(text: string): Glyph[] {
  const plain = [...text.normalize("NFD").replace(/\p{M}/gu, "")];
  return plain
    .flatMap((char) => [...(ALIKE[char] ?? (/[\s\p{C}]/u.test(char) ? " " : char))])
    .map((char) => (Object.hasOwn(GLYPHS, char) ? GLYPHS[char] : undefined) ?? UNKNOWN);
}

/** Units from the first stroke to the last. */
export function strokeWidthOf(text: string): number {
  const glyphs = glyphsOf(text);
  return glyphs.reduce((sum, [width]) => sum + width, SPACING * Math.max(0, glyphs.length - 1));
}

/** SVG path data of a text in font units, its baseline starting at 0, 0. */
export function strokePath(text: string): string {
  let x = 0;
  let path = "";
  for (const [width, strokes] of glyphsOf(text)) {
    path += movedBy(strokes, x);
    x += width + SPACING;
  }
  return path;
}

const MOVE = /M(-?\d*\.?\d+) ?(-?\d*\.?\d+)/g;

function movedBy(strokes: string, dx: number): string {
  return strokes.replace(MOVE, (_, x: string, y: string) => {
    const moved = Math.round((Number(x) + dx) * 10) / 10;
    return `M${moved}${y.startsWith("-") ? "" : " "}${y}`;
  });
}
