import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strokePath, strokeWidthOf } from "./stroke-font.js";

/** The x coordinates at which the strokes of a text begin. */
function starts(path: string): number[] {
  return [...path.matchAll(/M(-?\d*\.?\d+)/g)].map(([, x]) => Number(x));
}

describe("strokePath", () => {
  it("strokePath has a shape for every printable ASCII character", () => {
    const unknown = strokePath("\u6f22");
    for (let code = 33; code < 127; code++) {
      const path = strokePath(String.fromCharCode(code));
      expect(path).toMatch(/^M/);
      expect(path).not.toBe(unknown);
    }
    expect(strokePath(" ")).toBe("");
  });

  it("strokePath has a different shape for each character", () => {
    const all = Array.from({ length: 94 }, (_, i) => strokePath(String.fromCharCode(33 + i)));
    expect(new Set(all).size).toBe(all.length);
  });

  it("strokePath places each letter to the right of the previous one", () => {
    expect(starts(strokePath("LLL"))).toEqual([0, 7.5, 15]);
    expect(strokeWidthOf("LLL")).toBeCloseTo(20.2, 9);
    expect(strokeWidthOf("")).toBe(0);
  });

  it("strokePath drops accents and replaces characters by similar ones", () => {
    expect(strokePath("Z\u00fcrich \u2013 2 \u00d7 3\u2026")).toBe(strokePath("Zurich - 2 x 3..."));
    expect(strokePath("a\nb")).toBe(strokePath("a b"));
  });

  it("strokePath draws a box for an unsupported character", () => {
    expect(strokePath("\u6f22")).toBe("M0 0v-10h5v10z");
  });

  it("strokePath returns path data with finite numbers for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        expect(strokePath(text)).toMatch(/^[-Mlhvcsaz0-9. ]*$/);
        expect(strokeWidthOf(text)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
