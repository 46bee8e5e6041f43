import { describe, expect, it } from "vitest";
import { toFalseColour } from "./false-colour.js";

const pixel = (data: Uint8Array, i: number) => [...data.subarray(3 * i, 3 * i + 3)];

describe("toFalseColour", () => {
  it("toFalseColour leaves a colour image unchanged", () => {
    const image = { kind: "rgb", width: 1, height: 1, data: Uint8Array.of(1, 2, 3) } as const;
    expect(toFalseColour(image)).toBe(image);
  });

  it("toFalseColour shows near depths lighter than far ones and the background black", () => {
    const data = Float32Array.of(0.5, 4, 0);
    const shown = toFalseColour({ kind: "depth", width: 3, height: 1, data }).data;
    expect(pixel(shown, 0)[0]).toBeGreaterThan(pixel(shown, 1)[0] as number);
    expect(pixel(shown, 2)).toEqual([0, 0, 0]);
  });

  it("toFalseColour gives equal numbers equal colours and different numbers different ones", () => {
    const data = Uint16Array.from({ length: 32 }, (_, i) => i % 31);
    const shown = toFalseColour({ kind: "semantic", width: 32, height: 1, data }).data;
    const colors = new Set(Array.from(data, (_, i) => pixel(shown, i).join()));
    expect(colors.size).toBe(31);
  });
});
