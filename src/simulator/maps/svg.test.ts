import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeXml, pair, polyline, px, text, textWidth, wrap } from "./svg.js";

describe("px", () => {
  it("px writes at most one decimal and no redundant characters", () => {
    expect([0.04, -0.04, 0.25, -0.25, 12, 1.96, -3.04].map(px)).toEqual([
      "0",
      "0",
      ".3",
      "-.2",
      "12",
      "2",
      "-3",
    ]);
    expect([pair(1, -2), pair(1, 2), pair(0.5, -0.01)]).toEqual(["1-2", "1 2", ".5 0"]);
  });
});

describe("polyline", () => {
  it("polyline omits points that round to the previous one", () => {
    expect(
      polyline([
        [0, 0],
        [0.01, 0.02],
        [10, 0],
        [10, 5],
      ]),
    ).toBe("M0 0l10 0l0 5");
    expect(polyline([])).toBe("");
  });

  it("a polyline of any length ends within a tenth of a pixel of its last point", () => {
    const coordinate = fc.double({ min: -500, max: 500, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1 }), (points) => {
        let [x, y] = [0, 0];
        for (const [, dx, dy] of polyline(points).matchAll(/[Ml](-?[\d.]+) ?(-?[\d.]+)/g)) {
          x += Number(dx);
          y += Number(dy);
        }
        const [lastX, lastY] = points.at(-1) ?? [0, 0];
        expect(Math.abs(x - lastX)).toBeLessThan(0.11);
        expect(Math.abs(y - lastY)).toBeLessThan(0.11);
      }),
    );
  });
});

describe("a text in an SVG", () => {
  it("a text in an SVG escapes text and replaces characters that XML forbids", () => {
    expect(escapeXml(`<a b="c">'&'</a>`)).toBe(
      "&lt;a b=&quot;c&quot;&gt;&apos;&amp;&apos;&lt;/a&gt;",
    );
    expect(escapeXml("a\u0000b\u001bc\ud800d\n\u{1f600}")).toBe(
      "a\ufffdb\ufffdc\ufffdd\n\u{1f600}",
    );
    expect(text("a<b", [0, 0], { capPx: 10, color: "#000" })).toContain('aria-label="a&lt;b"');
  });

  it("a text in an SVG wraps text at spaces and truncates a last line that is too long", () => {
    const lines = wrap(
      "one two three four five six seven",
      textWidth("one two three", 8) + 1,
      8,
      2,
    );
    expect(lines[0]).toBe("one two three");
    expect(lines[1]).toMatch(/^four.*\.\.\.$/);
    for (const line of lines)
      expect(textWidth(line, 8)).toBeLessThan(textWidth("one two three", 8) + 2);
    expect(wrap("", 100, 8, 2)).toEqual([]);
  });
});
