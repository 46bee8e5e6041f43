import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mjcf, mjcfText } from "./element.js";
import { elementsNamed, scanMjcf } from "./scan.js";

const TEXT = `<?xml version="1.0"?>
<!-- <mesh file="commented.obj"/> -->
<mujoco model='two "quotes"'>
  <asset>
    <mesh name="a"
          file="parts/a&amp;b&#46;obj"/>
  </asset>
  <option timestep="0.001"><flag sleep="enable"/></option>
  <![CDATA[ <mesh file="data.obj"/> ]]>
</mujoco>`;

describe("scanning an MJCF text", () => {
  it("scanning an MJCF text finds each tag with its attributes and its line", () => {
    const tags = scanMjcf(TEXT);
    expect(tags.map(({ tag, kind, line }) => `${tag} ${kind} ${line}`)).toEqual([
      "mujoco open 3",
      "asset open 4",
      "mesh empty 5",
      "asset close 7",
      "option open 8",
      "flag empty 8",
      "option close 8",
      "mujoco close 10",
    ]);
    expect(tags[0]?.attributes).toEqual({ model: 'two "quotes"' });
    expect(tags[2]?.attributes).toEqual({ name: "a", file: "parts/a&b.obj" });
  });

  it("scanning an MJCF text gives the start and end offsets of an element", () => {
    const [option] = elementsNamed(scanMjcf(TEXT), "option");
    expect(TEXT.slice(option?.start, option?.end)).toBe(
      '<option timestep="0.001"><flag sleep="enable"/></option>',
    );
    expect(elementsNamed(scanMjcf(TEXT), "mesh")).toHaveLength(1);
    expect(elementsNamed(scanMjcf(TEXT), "keyframe")).toEqual([]);
  });

  it("scanning reads the output of mjcfText", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const [tag, child] = scanMjcf(mjcfText(mjcf("mesh", { file: a }, mjcf("plugin", { b }))));
        expect(tag?.attributes).toEqual({ file: a });
        expect(child?.attributes).toEqual({ b });
      }),
    );
  });

  it("scanning an MJCF text terminates for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."<>/!-?[]\"'= a&;#x1\n") }), (text) => {
        for (const { start, end } of scanMjcf(text)) expect(end).toBeGreaterThan(start);
      }),
    );
  });
});
